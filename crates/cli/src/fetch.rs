//! `wrapwright fetch`: pages into a directory.

use crate::args::NetArgs;
use crate::{Exit, interrupt, net, report};
use anyhow::Context;
use clap::Args;
use std::io::{BufRead, Write};
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use wrapwright::Query;
use wrapwright::save::{Album, Step, Walk};

const EXAMPLES: &str = "\
Examples:
  wrapwright fetch https://example.org/list -o pages
  wrapwright fetch https://example.org/list -o pages --next '//a[.=\"Next\"]' --follow '//h2/a'
  wrapwright fetch --from urls.txt -o pages          an address a line
  wrapwright query '//h1' pages                      what was saved";

#[derive(Debug, Args)]
#[command(before_long_help = EXAMPLES)]
pub(crate) struct FetchArgs {
    /// Addresses of pages
    #[arg(value_name = "URL", required_unless_present = "from")]
    urls: Vec<String>,

    /// Read further addresses from this file, one a line; - is standard input
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,

    /// Save pages here, with a manifest; what is there already is not fetched again
    #[arg(long, short, value_name = "DIR")]
    output: PathBuf,

    /// Go on to the first link that this XPath gives, and from there again
    #[arg(long, value_name = "XPATH")]
    next: Option<String>,

    /// Save the pages that these links lead to as well
    #[arg(long, value_name = "XPATH")]
    follow: Vec<String>,

    /// Pages to fetch at once, over all hosts [default: 1]
    #[arg(long, short, value_name = "N", env = "WRAPWRIGHT_JOBS", hide_env_values = true)]
    jobs: Option<usize>,

    /// Save at most so many pages
    #[arg(long, value_name = "N", env = "WRAPWRIGHT_MAX_PAGES", hide_env_values = true)]
    max_pages: Option<usize>,

    /// Say nothing of pages that were saved
    #[arg(long, short)]
    quiet: bool,

    #[command(flatten)]
    net: NetArgs,
}

/// Runs the command.
pub(crate) fn run(args: &FetchArgs) -> anyhow::Result<Exit> {
    let mut queries = Vec::new();
    for source in args.next.iter().chain(&args.follow) {
        match Query::compile(source) {
            Ok(query) => queries.push(query),
            Err(found) => {
                report::diagnostics(source, &found, crate::args::Format::Text);
                return Ok(Exit::Mistake);
            }
        }
    }
    let next = args.next.as_ref().map(|_| queries.remove(0));
    let mut urls = args.urls.clone();
    if let Some(file) = &args.from {
        match read_urls(file) {
            Ok(more) => urls.extend(more),
            Err(error) => {
                report::mistake(&format!("{}: {error}", file.display()), None);
                return Ok(Exit::Mistake);
            }
        }
    }
    let (config, net) = match net::prepare(&args.net) {
        Ok(prepared) => prepared,
        Err(exit) => return Ok(exit),
    };
    let stop = interrupt::flag();
    let walk = Walk {
        next,
        follow: queries,
        jobs: args.jobs.or(config.jobs).unwrap_or(1),
        max_pages: args.max_pages.or(config.max_pages),
        stop: Some(stop.clone()),
    };
    let place = || format!("cannot save pages in {}", args.output.display());
    let mut album = Album::open(&args.output).with_context(place)?;
    let (mut saved, mut there, mut failed) = (0, 0, 0);
    for url in &urls {
        album
            .walk(&net.web, url, &walk, &mut |step| match step {
                Step::Saved { known: true, .. } => there += 1,
                Step::Saved { url, file, .. } => {
                    saved += 1;
                    if !args.quiet {
                        let _ = writeln!(std::io::stdout(), "{file}\t{url}");
                    }
                }
                Step::Failed(error) => {
                    failed += 1;
                    report::mistake(&error.message, error.hint.as_deref());
                }
            })
            .with_context(place)?;
    }
    net.finish()?;
    if !args.quiet {
        let known = if there > 0 {
            format!(", {there} there already")
        } else {
            String::new()
        };
        let folder = args.output.display();
        report::words(&format!("{saved} saved in {folder}{known}, {failed} failed"));
    }
    Ok(match (stop.load(Ordering::Relaxed), failed, saved + there) {
        (true, ..) => Exit::Interrupted,
        (_, 0, _) => Exit::Fine,
        (_, _, 0) => Exit::Outside,
        _ => Exit::Partial,
    })
}

fn read_urls(file: &std::path::Path) -> std::io::Result<Vec<String>> {
    let lines: Vec<String> = if file.as_os_str() == "-" {
        std::io::stdin().lock().lines().collect::<Result<_, _>>()?
    } else {
        std::fs::read_to_string(file)?.lines().map(str::to_owned).collect()
    };
    let lines = lines.into_iter().map(|line| line.trim().to_owned());
    Ok(lines
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .collect())
}
