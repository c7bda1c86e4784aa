//! `wrapwright fields`: the fields of a wrapper, with samples; keep some, rename them.

use crate::extract::read_wrapper;
use crate::{Exit, learn, report, terminal};
use std::path::PathBuf;
use wrapwright::fields::{self, Edit};
use wrapwright::save_wrapper;

const EXAMPLES: &str = "\
Examples:
  wrapwright fields site.wrapper.json                            a table with samples
  wrapwright fields site.wrapper.json --keep title,price,isbn    show only these, in this order
  wrapwright fields site.wrapper.json --rename field_7=isbn --drop share
  wrapwright fields site.wrapper.json --all                      show all again

A change is written to the wrapper, or to another file with -o. Fields that are not shown are still
checked and repaired, and can be shown again.";

#[derive(Debug, clap::Args)]
#[command(before_long_help = EXAMPLES)]
pub(crate) struct FieldsArgs {
    /// A wrapper file
    #[arg(value_name = "WRAPPER")]
    wrapper: PathBuf,

    /// Show only these fields, in this order
    #[arg(long, value_name = "A,B", value_delimiter = ',')]
    keep: Vec<String>,

    /// Do not show these fields
    #[arg(long, value_name = "A,B", value_delimiter = ',')]
    drop: Vec<String>,

    /// Show these fields first, in this order
    #[arg(long, value_name = "A,B", value_delimiter = ',')]
    order: Vec<String>,

    /// Give a field another name
    #[arg(long, value_name = "OLD=NEW", value_parser = pair)]
    rename: Vec<(String, String)>,

    /// Show all fields again
    #[arg(long)]
    all: bool,

    /// Write the changed wrapper to this file [default: the wrapper itself]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Print the fields as JSON
    #[arg(long)]
    json: bool,
}

/// An old name and a new one.
fn pair(text: &str) -> Result<(String, String), String> {
    let pair = text
        .split_once('=')
        .filter(|(old, new)| !old.is_empty() && !new.is_empty());
    let (old, new) = pair.ok_or("expected OLD=NEW")?;
    Ok((old.to_owned(), new.to_owned()))
}

/// Runs the command.
pub(crate) fn run(args: &FieldsArgs) -> anyhow::Result<Exit> {
    let Some(mut wrapper) = read_wrapper(&args.wrapper) else {
        return Ok(Exit::Mistake);
    };
    let edit = Edit {
        all: args.all,
        keep: args.keep.clone(),
        drop: args.drop.clone(),
        order: args.order.clone(),
        rename: args.rename.clone(),
    };
    if !edit.is_empty() || args.output.is_some() {
        wrapper = match edit.apply(&wrapper) {
            Ok(wrapper) => wrapper,
            Err(error) => {
                learn::refused(&error);
                return Ok(Exit::Mistake);
            }
        };
        let target = args.output.as_ref().unwrap_or(&args.wrapper);
        save_wrapper(target, &wrapper)?;
        report::words(&format!("wrote {}", target.display()));
    }
    let list = fields::list(&wrapper);
    let text = match args.json {
        true => format!("{}\n", fields::to_json(&list)),
        false => fields::to_text(&list, crate::check::WIDTH),
    };
    terminal::print(&text)?;
    Ok(Exit::Fine)
}
