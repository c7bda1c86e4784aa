//! `wrapwright fetch`: pages into a directory.

use crate::args::{NetArgs, jobs, seconds};
use crate::terminal::Stdout;
use crate::{Exit, interrupt, net, report};
use anyhow::Context;
use clap::Args;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use wrapwright::crawl::{Follow, Next, Route};
use wrapwright::save::{Album, Step, Walk};
use wrapwright::wrapper::Links;
use wrapwright::{Page, Query, Value, bounded};

const EXAMPLES: &str = "\
Examples:
  wrapwright fetch https://example.org/list -o pages
  wrapwright fetch https://example.org/list -o pages --next '//a[.=\"Next\"]' --follow '//h2/a'
  wrapwright fetch https://example.org/list -o pages --next auto
  wrapwright fetch https://example.org/list -o pages --browser   pages as they are after their scripts
  wrapwright fetch https://example.org/list -o pages --follow '//h2/a' --refresh   what is new in the list
  wrapwright fetch --from urls.txt -o pages          an address a line
  wrapwright fetch --from urls.txt -o pages --shard 2/8   an eighth of them, in pages/2-of-8
  wrapwright query '//h1' pages                      what was saved";

#[derive(Debug, Args)]
#[command(before_long_help = EXAMPLES)]
pub(crate) struct FetchArgs {
    /// Addresses of pages
    #[arg(value_name = "URL", required_unless_present = "from")]
    urls: Vec<String>,

    /// Read more addresses from this file, one on each line; - is standard input
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,

    #[command(flatten)]
    shard: crate::shards::ShardArgs,

    /// Save pages in this directory, with a manifest; pages saved before are not fetched again
    #[arg(long, short, value_name = "DIR")]
    output: PathBuf,

    /// Follow the first link that this XPath gives, again and again; `auto` finds the link to the next page
    #[arg(long, value_name = "XPATH")]
    next: Option<String>,

    /// Also save the pages that these links lead to: an XPath, or an address with * for the parts that differ
    #[arg(long, value_name = "XPATH|URL")]
    follow: Vec<String>,

    /// Fetch the addresses and the pages that --next leads to again, because lists change; those of --follow are kept
    #[arg(long)]
    refresh: bool,

    /// Pages to fetch at once, over all hosts [default: 1]
    #[arg(long, short, value_name = "N", env = "WRAPWRIGHT_JOBS", hide_env_values = true, value_parser = jobs())]
    jobs: Option<usize>,

    /// Save at most N pages, including those saved before
    #[arg(long, value_name = "N", env = "WRAPWRIGHT_MAX_PAGES", hide_env_values = true)]
    max_pages: Option<usize>,

    /// Stop after this many seconds
    #[arg(long, value_name = "SECONDS", env = "WRAPWRIGHT_MAX_TIME", hide_env_values = true, value_parser = seconds)]
    max_time: Option<f64>,

    /// Do not list the saved pages
    #[arg(help_heading = crate::args::MESSAGES, long, short)]
    quiet: bool,

    #[command(flatten)]
    net: NetArgs,
}

/// Runs the command.
pub(crate) fn run(args: &FetchArgs) -> anyhow::Result<Exit> {
    let route = match route(args) {
        Ok(route) => route,
        Err(exit) => return Ok(exit),
    };
    if let Some(file) = args.urls.iter().find(|url| Path::new(url).is_file()) {
        let hint = format!("to fetch the addresses in it, one on each line, write --from {file}");
        report::mistake(&format!("{file}: found a file, expected an address"), Some(&hint));
        return Ok(Exit::Mistake);
    }
    let mut urls = args.urls.clone();
    if let Some(file) = &args.from {
        match read_urls(file) {
            Ok(more) => urls.extend(more),
            Err(error) => {
                let place = file.display().to_string();
                return Ok(report::unreadable(&place, &error, "addresses"));
            }
        }
    }
    let all = urls.len();
    urls.retain(|url| args.shard.shard().is_none_or(|shard| shard.takes(url)));
    args.shard.tell_empty(urls.len(), all, "URL", args.quiet);
    let folder = args.shard.folder(&args.output);
    let wants = net::Wants {
        styles: Vec::new(),
        jobs: args.jobs.unwrap_or(1),
    };
    let prepared = net::configuration(args.quiet).and_then(|config| net::prepare(&args.net, &config, &wants));
    let net = match prepared {
        Ok(net) => net,
        Err(exit) => return Ok(exit),
    };
    let begin = Instant::now();
    let job = interrupt::job();
    let max_time = args.max_time.map(Duration::from_secs_f64);
    let deadline = max_time.and_then(|time| begin.checked_add(time));
    let walk = Walk {
        route,
        jobs: args.jobs.unwrap_or(1),
        max_pages: args.max_pages,
        deadline,
        refresh: args.refresh,
    };
    let place = || format!("cannot save pages in {}", folder.display());
    let mut album = Album::open(&folder).with_context(place)?;
    let (mut saved, mut there, mut failed) = (0, 0, 0);
    let mut out = Stdout::open().context("cannot write to standard output")?;
    let mut written = Ok(());
    let mut tell = |step: Step<'_>| match step {
        Step::Saved { known: true, .. } => there += 1,
        Step::Saved { url, file, .. } => {
            saved += 1;
            // Pages are saved even if nobody reads their names any more.
            if !args.quiet && written.is_ok() {
                written = out.write_all(format!("{file}\t{url}\n").as_bytes());
            }
        }
        Step::Failed(error) => {
            failed += 1;
            report::trouble(&error.message, error.remedy.as_ref());
        }
    };
    let visitor = net.session.visitor();
    let walked = urls
        .iter()
        .try_for_each(|url| album.walk(&visitor, url, &walk, &mut tell, &job));
    let kept = net.finish();
    walked.with_context(place)?;
    if !args.quiet {
        let known = if there > 0 {
            format!(", {there} there already")
        } else {
            String::new()
        };
        let folder = folder.display();
        let late = deadline.is_some_and(|deadline| Instant::now() >= deadline);
        let why = match late && !job.is_stopped() {
            true => "; stopped by --max-time",
            false => "",
        };
        report::words(&format!("{saved} saved in {folder}{known}, {failed} failed{why}"));
    }
    // If the reader went away, `main` says nothing, but how the fetch went still counts.
    if let Err(error) = written
        && error.kind() != std::io::ErrorKind::BrokenPipe
    {
        return Err(error).context("cannot write to standard output");
    }
    Ok(match (job.is_stopped(), failed, saved + there) {
        _ if !kept => Exit::Outside,
        (true, ..) => Exit::Interrupted,
        (_, 0, _) => Exit::Fine,
        (_, _, 0) => Exit::Outside,
        _ => Exit::Partial,
    })
}

/// The way that was typed; reports what is wrong with it.
fn route(args: &FetchArgs) -> Result<Route, Exit> {
    let compile = |source: &str| match Query::compile(source) {
        Ok(query) if never_gives_links(&query) => {
            let text = format!("{source} gives no links, whatever the page");
            report::mistake(&text, Some("expected elements with a link, attributes or text"));
            Err(Exit::Mistake)
        }
        Ok(query) => Ok(query),
        Err(found) => {
            report::diagnostics(source, found.diagnostics(), crate::args::Format::Text);
            Err(Exit::Mistake)
        }
    };
    let next = match args.next.as_deref() {
        None => None,
        Some("auto") => Some(Next::Pager),
        Some(path) => Some(Next::Link(Box::new(compile(path)?))),
    };
    let follow = args.follow.iter().map(|text| match Links::from_text(text) {
        Links::Path(path) => compile(&path).map(|query| Follow::Path(Box::new(query))),
        Links::Like(address) => Ok(Follow::Like(address)),
    });
    Ok(Route::new(next, follow.collect::<Result<_, _>>()?))
}

/// Is what this gives a number or a truth? The kind of an expression does not depend on the page.
fn never_gives_links(query: &Query) -> bool {
    let page = Page::parse(b"", &wrapwright::ParseSettings::default());
    let value = page.ok().and_then(|page| query.evaluate(&page).ok());
    matches!(value, Some(Value::Number(_) | Value::Boolean(_)))
}

fn read_urls(file: &std::path::Path) -> std::io::Result<Vec<String>> {
    let bytes = match file.as_os_str() == "-" {
        true => bounded::read_from(std::io::stdin().lock(), bounded::LONGEST_LIST)?,
        false => bounded::read(file, bounded::LONGEST_LIST)?,
    };
    let text = bounded::text(bytes)?;
    Ok(wrapwright::input::lines(&text))
}
