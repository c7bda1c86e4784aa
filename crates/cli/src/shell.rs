//! `wrapwright completions` and `wrapwright man`: what a shell and `man` want to know, made from the arguments.

use crate::args::Args;
use crate::{Exit, terminal};
use anyhow::Context;
use clap::{Args as ClapArgs, CommandFactory};
use clap_complete::Shell;
use std::fs;
use std::path::PathBuf;

const COMPLETIONS_EXAMPLES: &str = "\
Examples:
  wrapwright completions bash > ~/.local/share/bash-completion/completions/wrapwright
  wrapwright completions zsh > ~/.zfunc/_wrapwright     with ~/.zfunc in $fpath
  wrapwright completions fish > ~/.config/fish/completions/wrapwright.fish";

const MAN_EXAMPLES: &str = "\
Examples:
  wrapwright man ~/.local/share/man/man1            then: man wrapwright-run";

#[derive(Debug, ClapArgs)]
#[command(before_long_help = COMPLETIONS_EXAMPLES)]
pub(crate) struct CompletionsArgs {
    /// The shell
    #[arg(value_name = "SHELL")]
    shell: Shell,
}

#[derive(Debug, ClapArgs)]
#[command(before_long_help = MAN_EXAMPLES)]
pub(crate) struct ManArgs {
    /// The directory to write to; it is made if it is missing
    #[arg(value_name = "DIR")]
    dir: PathBuf,
}

/// Prints the completions for a shell.
pub(crate) fn completions(args: &CompletionsArgs) -> anyhow::Result<Exit> {
    // Written at once: the generator panics when it cannot write.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Args::command(), "wrapwright", &mut script);
    terminal::print(&String::from_utf8_lossy(&script))?;
    Ok(Exit::Fine)
}

/// Writes the manual pages.
pub(crate) fn man(args: &ManArgs) -> anyhow::Result<Exit> {
    let dir = &args.dir;
    let failed = || format!("cannot write manual pages to {}", dir.display());
    fs::create_dir_all(dir).with_context(failed)?;
    clap_mangen::generate_to(Args::command(), dir).with_context(failed)?;
    Ok(Exit::Fine)
}
