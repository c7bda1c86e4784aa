//! `wrapwright fmt`: the layout of expressions.

use crate::args::Format;
use crate::{Exit, report, terminal, whole};
use anyhow::Context;
use std::io;
use std::path::{Path, PathBuf};
use wrapwright::{bounded, source};

const EXAMPLES: &str = "\
Examples:
  wrapwright fmt books.oxp parts/*.oxp       rewrite these files
  wrapwright fmt --check *.oxp               only say which files are laid out in another way
  wrapwright fmt < books.oxp                 from standard input to standard output

Only white space changes: tokens and comments stay as they are written.

Exit code 0: done; with --check, all files are laid out like this; 3: with --check, some are not; 2: a file
does not parse, and stays as it is.";

/// The most bytes of a file: more than the parser takes.
const LONGEST: u64 = 2 << 20;

#[derive(Debug, clap::Args)]
#[command(before_long_help = EXAMPLES)]
pub(crate) struct FmtArgs {
    /// Files with expressions or definitions; standard input if there is none, or for -
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Write nothing; name the files that are laid out in another way
    #[arg(long)]
    check: bool,
}

/// Runs the command.
pub(crate) fn run(args: &FmtArgs) -> anyhow::Result<Exit> {
    if args.files.is_empty() {
        return one(args, Path::new("-"));
    }
    let mut worst = Exit::Fine;
    for file in &args.files {
        let exit = one(args, file)?;
        if exit != Exit::Fine && worst != Exit::Mistake {
            worst = exit;
        }
    }
    Ok(worst)
}

fn one(args: &FmtArgs, file: &Path) -> anyhow::Result<Exit> {
    let is_stdin = file == Path::new("-");
    let place = match is_stdin {
        true => "standard input".to_owned(),
        false => file.display().to_string(),
    };
    let read = match is_stdin {
        true => bounded::read_from(io::stdin().lock(), LONGEST),
        false => bounded::read(file, LONGEST),
    };
    let text = match read.and_then(bounded::text) {
        Ok(text) => text,
        Err(error) => return Ok(report::unreadable(&place, &error, "an expression")),
    };
    let formatted = match source::format(&text) {
        Ok(formatted) => formatted,
        Err(found) => {
            report::diagnostics_in(&place, &text, found.diagnostics(), Format::Text);
            return Ok(Exit::Mistake);
        }
    };
    match (args.check, is_stdin) {
        (true, _) if formatted == text => Ok(Exit::Fine),
        (true, _) => {
            terminal::print(&format!("{place}\n"))?;
            Ok(Exit::Failed)
        }
        (false, true) => terminal::print(&formatted).map(|()| Exit::Fine),
        (false, false) if formatted == text => Ok(Exit::Fine),
        (false, false) => {
            whole::write(file, formatted.as_bytes()).with_context(|| format!("cannot write {place}"))?;
            Ok(Exit::Fine)
        }
    }
}
