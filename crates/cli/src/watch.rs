//! `wrapwright watch`: one look at a site, for cron: extract, check, repair if need be, check again, and write it down.

use crate::args::{NetArgs, RecordArgs};
use crate::extract::read_wrapper;
use crate::report::counted;
use crate::sheets::{self, ReadArgs, Reading, is_sampled};
use crate::{Exit, check, interrupt, net, report};
use std::io::Read;
use std::path::PathBuf;
use wrapwright::output::{self, DocumentsError, OutputError, OutputProblem};
use wrapwright::record::Ending;
use wrapwright::tend::{self, TendError, Update, WatchError, WatchProblem, WatchReport, WatchSettings, Watcher};
use wrapwright::{Document, Page, ParseSettings, Wrapper, bounded};

const EXAMPLES: &str = "\
Examples:
  wrapwright watch site.wrapper.json --pages saved/      pages of a directory
  wrapwright watch site.wrapper.json --pages urls.txt    a file with an address on each line
  wrapwright watch site.wrapper.json --pages urls.txt -q only what is wrong, as cron likes it
  wrapwright watch site.wrapper.json --pages urls.txt -o shop.sqlite#books --key isbn
                                                         and the records of these pages into a table

Exit code 0: all is well, or the wrapper was repaired and the old one kept next to it; 3: something is
wrong and could not be repaired; 4: no page could be read, or nothing written.
`wrapwright history site.wrapper.json` shows what was found, run by run.";

#[derive(Debug, clap::Args)]
#[command(before_long_help = EXAMPLES)]
pub(crate) struct WatchArgs {
    /// A wrapper file
    #[arg(value_name = "WRAPPER")]
    wrapper: PathBuf,

    /// Pages to look at: files, directories, WARC files, addresses, or files with an address on each line
    #[arg(long, value_name = "PAGES", required = true, num_args = 1..)]
    pages: Vec<String>,

    /// Check at most N pages; if there are more, take an even sample
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(1..))]
    sample: usize,

    /// Only check and add to the history; repair nothing
    #[arg(long)]
    no_repair: bool,

    /// Do not add good runs to the wrapper's profile
    #[arg(long)]
    no_update: bool,

    /// How sure a field of a repaired wrapper must be to be used, from 0 to 1; others are left out
    #[arg(long, value_name = "SURE", default_value_t = tend::ENOUGH, value_parser = sheets::share)]
    at_least: f64,

    /// Print only what is wrong
    #[arg(long, short)]
    quiet: bool,

    /// Read pages in this encoding, whatever they declare
    #[arg(long, value_name = "LABEL")]
    charset: Option<String>,

    #[command(flatten)]
    records: RecordArgs,

    #[command(flatten)]
    net: NetArgs,
}

/// Runs the command.
pub(crate) fn run(args: &WatchArgs) -> anyhow::Result<Exit> {
    let Some(wrapper) = read_wrapper(&args.wrapper) else {
        return Ok(Exit::Mistake);
    };
    let how = ReadArgs {
        charset: args.charset.clone(),
        max_page_bytes: args.net.max_page_bytes.unwrap_or(wrapwright::Limits::default().bytes),
    };
    let Some(settings) = how.settings() else {
        return Ok(Exit::Mistake);
    };
    let mut watcher = match Watcher::new(&args.wrapper, wrapper) {
        Ok(watcher) => watcher,
        Err(error) => return complain(args, error),
    };
    let with_source = watcher.wrapper().runner()?.reads_source();
    let job = interrupt::job();
    let (pages, failed) = match read(args, &settings, with_source) {
        Ok(read) => read,
        Err(exit) => return Ok(exit),
    };
    let settings = WatchSettings {
        repair: !args.no_repair,
        update: !args.no_update,
        at_least: args.at_least,
    };
    match watcher.look(&pages, failed as u64, &settings, &job) {
        Ok(seen) => {
            let exit = tell(args, &seen);
            match args.records.output.is_some() && matches!(exit, Exit::Fine | Exit::Partial) {
                true => keep(args, watcher.wrapper(), &pages, exit),
                false => Ok(exit),
            }
        }
        Err(error) => complain(args, error),
    }
}

/// Writes the records of the pages with the wrapper as it is now.
fn keep(args: &WatchArgs, wrapper: &Wrapper, pages: &[Document], exit: Exit) -> anyhow::Result<Exit> {
    let (spec, types) = (args.records.spec(), [wrapper.sink_type()]);
    if let Err(exit) = report::check_output(&spec, &types) {
        return Ok(exit);
    }
    let mut out = match spec.open(&types, std::io::sink()) {
        Ok(out) => out,
        Err(error) => return Ok(report::output(&error)),
    };
    let place = out.place().to_owned();
    let written = output::write_documents(wrapper, pages, &mut out);
    let ending = match (&written, exit) {
        (Err(_), _) => Ending::Broken,
        (Ok((0, _)), Exit::Fine) => Ending::Complete,
        _ => Ending::Gaps,
    };
    let ended = out.end(ending);
    match written {
        Err(DocumentsError::Wrapper(error)) => return Err(error.into()),
        Err(DocumentsError::Write(error)) => {
            if let Ok(ended) = &ended {
                report::kept(ended);
            }
            let problem = OutputProblem::Io(error);
            return Ok(report::output(&OutputError { place, problem }));
        }
        Ok((count, Some(first))) if !args.quiet => {
            let more = if count > 1 {
                format!(", and {} more pages", count - 1)
            } else {
                String::new()
            };
            report::words(&format!("warning: {first}{more}"));
        }
        Ok(_) => {}
    }
    match ended {
        Err(error) => Ok(report::output(&error)),
        Ok(ended) => {
            if !args.quiet {
                report::tally(&ended.tally, spec.sink.on_misfit, false);
            }
            Ok(exit)
        }
    }
}

/// Says what was found.
fn tell(args: &WatchArgs, seen: &WatchReport) -> Exit {
    let file = args.wrapper.display();
    if let Some(found) = seen.check.as_ref().filter(|found| !args.quiet && !found.is_fine()) {
        report::words(found.to_text(check::WIDTH, false).trim_end());
    }
    let entry = &seen.entry;
    if let (Update::Repaired(_), Some(repair)) = (&seen.update, &entry.repair) {
        let words = "the site has changed; the wrapper was repaired, and the old one is";
        report::words(&format!("{file}: {words} {}", repair.kept_as));
    }
    let exit = match &seen.problem {
        None => Exit::Fine,
        Some(WatchProblem::Changed) => Exit::Failed,
        Some(problem) => {
            let hint = match problem {
                WatchProblem::Repair(error) => error.remedy().map(|remedy| remedy.to_string()),
                WatchProblem::NoPages => None,
                WatchProblem::Partly(_) => {
                    Some("look at the pages: if the fields are still there, learn them anew".to_owned())
                }
                _ => Some("`wrapwright repair` shows what it would be".to_owned()),
            };
            report::mistake(&format!("{file}: {problem}"), hint.as_deref());
            match problem {
                WatchProblem::NoPages => Exit::Outside,
                WatchProblem::Partly(_) => Exit::Partial,
                _ => Exit::Failed,
            }
        }
    };
    if !args.quiet {
        let others = seen.check.as_ref().map_or(0, |found| found.others().len());
        let told = [(entry.failed_pages as usize, "not read"), (others, "of another kind")];
        let told = told.iter().filter(|(count, _)| *count > 0);
        let told: Vec<String> = told.map(|(count, what)| format!("{count} {what}")).collect();
        let mut pages = counted(entry.pages as usize, "page");
        if !told.is_empty() {
            pages += &format!(" ({})", told.join(", "));
        }
        let records = counted(entry.records as usize, "record");
        report::words(&format!("{file}: {pages}, {records}: {}", entry.verdict.name()));
    }
    exit
}

fn complain(args: &WatchArgs, error: WatchError) -> anyhow::Result<Exit> {
    match error {
        WatchError::Tend(TendError::Unknown(_)) => Ok(sheets::unknown(&args.wrapper)),
        WatchError::History(error) => {
            report::trouble(&error.to_string(), Some(&error.remedy()));
            Ok(crate::history::exit(&error))
        }
        WatchError::Tend(TendError::Stopped) => {
            report::words("interrupted: nothing was saved");
            Ok(Exit::Interrupted)
        }
        error => Err(error.into()),
    }
}

/// Is it an address on the web?
fn is_address(text: &str) -> bool {
    text.starts_with("http://") || text.starts_with("https://")
}

/// The pages that were named, and how many of them cannot be had.
fn read(args: &WatchArgs, settings: &ParseSettings, with_source: bool) -> Result<(Vec<Document>, usize), Exit> {
    let (mut named, mut urls) = (Vec::new(), Vec::new());
    for text in &args.pages {
        if is_address(text) {
            urls.push(text.clone());
            continue;
        }
        match addresses(text)? {
            Some(listed) => urls.extend(listed),
            None => named.push(text.clone()),
        }
    }
    let mut reading = Reading::new(&named, settings.clone(), with_source);
    let saved = reading.left();
    let all = saved + urls.len();
    let is_kept = |at: usize| is_sampled(at, args.sample, all);
    reading.keep(is_kept);
    if all > args.sample && !args.quiet {
        let words = format!("looks at {} of {all} pages, an even sample", args.sample);
        report::words(&format!(
            "{}: {words}; --sample {all} looks at all",
            args.wrapper.display()
        ));
    }
    let mut pages: Vec<Document> = reading.by_ref().collect();
    let mut failed = reading.failed;
    if urls.is_empty() {
        return Ok((pages, failed));
    }
    let config = net::configuration(args.quiet)?;
    let net = net::prepare(&args.net, &config, &net::Wants::default())?;
    let mut driver = net.driver();
    for (_, url) in urls.iter().enumerate().filter(|(at, _)| is_kept(saved + at)) {
        let fetched = match net::is_browser(&args.net) {
            true => driver
                .open(url, &Default::default())
                .map(|live| ((*live.page).clone(), None)),
            false => net.web.get(url, None, &Default::default()).and_then(|fetched| {
                let live = net.web.read(&fetched)?;
                let charset = args.charset.clone();
                let charset = charset.or_else(|| {
                    let header = fetched.header("content-type")?;
                    wrapwright::drivers::charset(header).map(str::to_owned)
                });
                let source = wrapwright::decode(&fetched.body, charset.as_deref()).0.into_owned();
                let page: Page = (*live.page).clone();
                Ok((page, Some(source)))
            }),
        };
        match fetched {
            Ok((page, source)) => pages.push(Document {
                name: url.as_str().into(),
                page: page.into(),
                source: source.filter(|_| with_source).map(Into::into),
            }),
            Err(error) => {
                failed += 1;
                let text = match error.message.contains(url.as_str()) {
                    true => error.message,
                    false => format!("{url}: {}", error.message),
                };
                report::trouble(&text, error.remedy.as_ref());
            }
        }
    }
    net.finish();
    Ok((pages, failed))
}

/// The addresses in a file, if it is a list of them: its first line that is no remark is one.
fn addresses(file: &str) -> Result<Option<Vec<String>>, Exit> {
    let mut bytes = Vec::new();
    let Ok(mut opened) = std::fs::File::open(file) else {
        return Ok(None);
    };
    if opened.by_ref().take(4096).read_to_end(&mut bytes).is_err() {
        return Ok(None);
    }
    let lines = |text: &str| -> Vec<String> {
        text.trim_start_matches('\u{feff}')
            .lines()
            .map(|line| line.trim().to_owned())
            .filter(|line| !line.is_empty() && !line.starts_with('#'))
            .collect()
    };
    let first = lines(&String::from_utf8_lossy(&bytes)).into_iter().next();
    if !first.is_some_and(|first| is_address(&first)) {
        return Ok(None);
    }
    let rest = bounded::read_from(opened, bounded::LONGEST_LIST)
        .map_err(|error| report::unreadable(file, &error, "addresses"))?;
    bytes.extend(rest);
    Ok(Some(lines(&String::from_utf8_lossy(&bytes))))
}
