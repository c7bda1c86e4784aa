//! `wrapwright mcp`: tools for programs that speak the Model Context Protocol; `wrapwright skill`: the page for those that
//! call the command itself.

use crate::{Exit, terminal};
#[cfg(feature = "mcp")]
use {crate::report, clap::Args, std::path::PathBuf};

/// The page.
const SKILL: &str = include_str!("../../../skills/wrapwright/SKILL.md");

/// Prints the page.
pub(crate) fn skill() -> anyhow::Result<Exit> {
    terminal::print(SKILL)?;
    Ok(Exit::Fine)
}

#[cfg(feature = "mcp")]
const EXAMPLES: &str = "\
Examples:
  wrapwright mcp pages                              tools that read and write below pages/

For a client's settings: { \"mcpServers\": { \"wrapwright\": { \"command\": \"wrapwright\", \"args\": [\"mcp\", \"pages\"] } } }";

#[cfg(feature = "mcp")]
#[derive(Debug, Args)]
#[command(before_long_help = EXAMPLES)]
pub(crate) struct McpArgs {
    /// The directory that tools may read and write; nothing else is reached, and no network
    #[arg(value_name = "DIR")]
    directory: PathBuf,
}

/// Answers messages on standard input until it ends.
#[cfg(feature = "mcp")]
pub(crate) fn run(args: &McpArgs) -> anyhow::Result<Exit> {
    let root = match ::mcp::Root::new(&args.directory) {
        Ok(root) => root,
        Err(error) => {
            let text = format!("{}: {error}, expected a directory", args.directory.display());
            report::mistake(&text, None);
            return Ok(Exit::Mistake);
        }
    };
    ::mcp::serve(&root, std::io::stdin().lock(), std::io::stdout().lock())?;
    Ok(Exit::Fine)
}
