//! `wrapwright pager`: the link to the next page of a list.

use crate::sheets::{self, ReadArgs};
use crate::{Exit, report, terminal};
use wrapwright::pager::{self, PagerError};

const EXAMPLES: &str = "\
Examples:
  wrapwright pager list.html --url https://shop.example/list   the next page, the previous one, all of them
  wrapwright pager saved/ --json                               a line for each page that `fetch` saved

Exit code 0, also if a page has no next one; 1: some pages could not be read, or have no known address.";

#[derive(Debug, clap::Args)]
#[command(before_long_help = EXAMPLES)]
pub(crate) struct PagerArgs {
    /// Files, directories (every .htm and .html below, sorted), WARC files, addresses, @FILE for a list of these, or - for
    /// standard input
    #[arg(value_name = "PAGE", required = true)]
    pages: Vec<String>,

    /// The address of the page, if it was not saved by `fetch` or in a WARC file
    #[arg(long, value_name = "URL")]
    url: Option<String>,

    /// Print a line of JSON for each page
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    read: ReadArgs,
}

/// Runs the command.
pub(crate) fn run(args: &PagerArgs) -> anyhow::Result<Exit> {
    let Some(settings) = args.read.settings() else {
        return Ok(Exit::Mistake);
    };
    let (places, mut failed) = match sheets::places(&args.pages) {
        Ok(found) => found,
        Err(exit) => return Ok(exit),
    };
    for place in places {
        let found = match place.document(&settings, false) {
            Ok(document) => pager::of_document(&document, args.url.as_deref().or(document.url.as_deref())),
            Err(error) => {
                report::input(&error, crate::args::Format::Text);
                failed += 1;
                continue;
            }
        };
        match found {
            Ok(found) if args.json => terminal::print(&format!("{}\n", found.to_json()))?,
            Ok(found) => terminal::print(&found.to_text())?,
            Err(error) => {
                report::trouble(&error.to_string(), error.remedy().as_ref());
                if matches!(error, PagerError::NotAnAddress(..)) {
                    return Ok(Exit::Mistake);
                }
                failed += 1;
            }
        }
    }
    Ok(if failed > 0 { Exit::Partial } else { Exit::Fine })
}
