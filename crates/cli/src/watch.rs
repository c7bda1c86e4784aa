//! `wrapwright watch`: one look at a site, for cron: extract, check, repair if need be, check again, and write it down.

use crate::args::{NetArgs, RecordArgs};
use crate::extract::read_wrapper;
use crate::report::counted;
use crate::sheets::{self, ReadArgs, Reading, is_sampled};
use crate::{Exit, check, interrupt, net, notify, report};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use wrapwright::output::{self, DocumentsError, OutputError, OutputProblem};
use wrapwright::record::Ending;
use wrapwright::sample::{self, SampleError, SampleSettings};
use wrapwright::tend::{self, TendError, Update, WatchError, WatchProblem, WatchReport, WatchSettings, Watcher};
use wrapwright::visit::{Visit, Visitor};
use wrapwright::wrapper::Navigation;
use wrapwright::{Document, Job, ParseSettings, Wrapper, bounded, input};

const EXAMPLES: &str = "\
Examples:
  wrapwright watch site.wrapper.json                     some pages of its site, if the wrapper knows the way
  wrapwright watch site.wrapper.json --notify 'mail -s changed me@example.org'
  wrapwright watch site.wrapper.json --pages saved/      pages of a directory
  wrapwright watch site.wrapper.json --pages urls.txt    a file with an address on each line
  wrapwright watch site.wrapper.json --pages urls.txt -q only what is wrong, as cron likes it
  wrapwright watch site.wrapper.json --pages urls.txt -o shop.sqlite#books --key isbn
                                                         and the records of these pages into a table

Exit code 0: all is well, or the wrapper was repaired and the old one kept next to it; 1: it was repaired
without some fields; 3: something is wrong and was not repaired: the pages are errors, a repair would lose
too much, or a field that was left out is still missing; 4: no page could be read, or nothing written.
`wrapwright history site.wrapper.json` shows what was found, run by run. The pages that were fetched
are in site.watched, a directory for each run.";

#[derive(Debug, clap::Args)]
#[command(before_long_help = EXAMPLES)]
pub(crate) struct WatchArgs {
    /// A wrapper file
    #[arg(value_name = "WRAPPER")]
    wrapper: PathBuf,

    /// Pages to look at: files, directories, WARC files, addresses, or files with an address on each line [default: some of
    /// the site that the wrapper was inferred from]
    #[arg(long, value_name = "PAGES", num_args = 1..)]
    pages: Vec<String>,

    /// Check at most N pages; if there are more, take an even sample [default: 100; 20 of a live site]
    #[arg(long, value_name = "N", value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(1..))]
    sample: Option<usize>,

    /// Run this command if the site has changed or cannot be read; the report comes as JSON on its standard input
    #[arg(long, value_name = "CMD")]
    notify: Option<String>,

    /// Keep the pages of the last N runs that fetched pages; 0 keeps none
    #[arg(long, value_name = "N", default_value_t = tend::KEPT_LOOKS)]
    keep: usize,

    /// Pages to fetch at once, over all hosts [default: 1]
    #[arg(long, short, value_name = "N", env = "WRAPWRIGHT_JOBS", hide_env_values = true, value_parser = crate::args::jobs())]
    jobs: Option<usize>,

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
    #[arg(help_heading = crate::args::MESSAGES, long, short)]
    quiet: bool,

    /// Read pages in this encoding, whatever they declare
    #[arg(long, value_name = "LABEL")]
    charset: Option<String>,

    #[command(flatten)]
    records: RecordArgs,

    #[command(flatten)]
    net: NetArgs,
}

/// The pages that are looked at: of those that were named, and of a live site.
const SAVED: usize = 100;
const LIVE: usize = 20;

/// Runs the command.
pub(crate) fn run(args: &WatchArgs) -> anyhow::Result<Exit> {
    let Some(wrapper) = read_wrapper(&args.wrapper) else {
        return Ok(Exit::Mistake);
    };
    let how = ReadArgs {
        charset: args.charset.clone(),
        max_page_bytes: args
            .net
            .fetching
            .max_page_bytes
            .unwrap_or(wrapwright::Limits::default().bytes),
    };
    let Some(settings) = how.settings() else {
        return Ok(Exit::Mistake);
    };
    let mut watcher = match Watcher::new(&args.wrapper, wrapper) {
        Ok(watcher) => watcher,
        Err(error) => return complain(args, error),
    };
    let job = interrupt::job();
    let pages = match read(args, watcher.wrapper(), &settings, &job) {
        Ok(pages) => pages,
        Err(exit) => return Ok(exit),
    };
    if let Some(navigation) = pages.navigation {
        watcher.set_navigation(navigation);
    }
    let settings = WatchSettings {
        repair: !args.no_repair,
        update: !args.no_update,
        at_least: args.at_least,
    };
    let seen = match watcher.look(&pages.documents, pages.failed as u64, &settings, &job) {
        Ok(seen) => seen,
        Err(error) => return complain(args, error),
    };
    let kept = pages.visitor.as_ref().map_or(Ok(None), |visitor| {
        tend::keep_pages(&args.wrapper, &seen.entry.when, &pages.visits, visitor, args.keep)
    });
    let exit = tell(args, &seen);
    let kept = kept.unwrap_or_else(|error| {
        report::words(&format!(
            "warning: the pages that were looked at could not be kept: {error}"
        ));
        None
    });
    if let Some(folder) = kept.as_ref().filter(|_| seen.is_news() && !args.quiet) {
        report::words(&format!("the pages that were looked at are in {}", folder.display()));
    }
    if let Some(command) = args.notify.as_ref().filter(|_| seen.is_news()) {
        notified(command, args, &seen, kept.as_deref());
    }
    match args.records.output.is_some() && matches!(exit, Exit::Fine | Exit::Partial) {
        true => write_records(args, watcher.wrapper(), &pages.documents, exit),
        false => Ok(exit),
    }
}

/// Runs the command that is told of news, and says if it failed.
fn notified(command: &str, args: &WatchArgs, seen: &WatchReport, kept: Option<&Path>) {
    let mut report = seen.to_json();
    report["wrapper"] = args.wrapper.display().to_string().into();
    report["pages"] = kept.map(|folder| folder.display().to_string()).into();
    let problem = match notify::run(command, &format!("{report}\n")) {
        Ok(Some(status)) if status.success() => return,
        Ok(Some(status)) => status.to_string(),
        Ok(None) => "it took longer than a minute and was ended".to_owned(),
        Err(error) => error.to_string(),
    };
    report::words(&format!("warning: the command of --notify failed: {problem}"));
}

/// Writes the records of the pages with the wrapper as it is now.
fn write_records(args: &WatchArgs, wrapper: &Wrapper, pages: &[Document], exit: Exit) -> anyhow::Result<Exit> {
    let (spec, types) = (args.records.spec().keyed_by(wrapper), [wrapper.sink_type()]);
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
        let what = match &seen.check {
            Some(found) if found.is_mixed() => "some of the pages have changed",
            Some(found) if !found.has_changed() => "fields that the last repair left out are found again",
            _ => "the site has changed",
        };
        let words = "the wrapper was repaired, and the old one is";
        report::words(&format!("{file}: {what}; {words} {}", repair.kept_as));
        let notes = seen.repair.iter().flat_map(|repair| &repair.notes);
        notes.for_each(|note| report::words(&format!("note: {note}")));
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
        let odd = seen.check.as_ref().filter(|found| !found.has_changed());
        let odd = odd.map_or(0, |found| found.changed().len());
        let told = [
            (entry.failed_pages as usize, "not read"),
            (others, "of another kind"),
            (odd, "may have changed"),
        ];
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

/// What a look is taken at.
#[derive(Default)]
struct Pages {
    documents: Vec<Document>,
    /// How many pages cannot be had.
    failed: usize,
    /// The pages that were fetched.
    visits: Vec<Visit>,
    visitor: Option<Arc<dyn Visitor>>,
    /// A navigation that is not that of the wrapper any more.
    navigation: Option<Navigation>,
}

/// The pages that were named or, if none was, some of those that the wrapper's navigation leads to.
fn read(args: &WatchArgs, wrapper: &Wrapper, settings: &ParseSettings, job: &Job) -> Result<Pages, Exit> {
    let with_source = wrapper.runner().is_ok_and(|runner| runner.reads_source());
    match &wrapper.navigation {
        Some(navigation) if args.pages.is_empty() => live(args, navigation, with_source, job),
        None if args.pages.is_empty() => {
            let text = format!(
                "{}: the wrapper does not say where its site begins",
                args.wrapper.display()
            );
            report::mistake(&text, Some("name pages or addresses with --pages"));
            Err(Exit::Mistake)
        }
        _ => named(args, settings, with_source, job),
    }
}

/// Some pages of the live site.
fn live(args: &WatchArgs, navigation: &Navigation, with_source: bool, job: &Job) -> Result<Pages, Exit> {
    let net = prepare(args)?;
    let visitor = net.session.visitor();
    let settings = SampleSettings {
        pages: args.sample.unwrap_or(LIVE),
        jobs: args.jobs.unwrap_or(1),
        ..SampleSettings::default()
    };
    let taken = sample::along(&visitor, navigation, &settings, job);
    net.finish();
    let taken = match taken {
        Ok(taken) => taken,
        Err(SampleError::Stopped) => return Err(Exit::Interrupted),
        Err(error) => {
            report::trouble(&error.to_string(), error.remedy().as_ref());
            return Ok(Pages {
                failed: 1,
                ..Pages::default()
            });
        }
    };
    for error in &taken.failures {
        report::trouble(&error.message, error.remedy.as_ref());
    }
    Ok(Pages {
        documents: taken.documents(with_source),
        failed: taken.failures.len(),
        navigation: Some(taken.navigation).filter(|new| new != navigation),
        visits: taken.pages,
        visitor: Some(visitor),
    })
}

fn prepare(args: &WatchArgs) -> Result<net::Net, Exit> {
    let config = net::configuration(args.quiet)?;
    let wants = net::Wants {
        styles: Vec::new(),
        jobs: args.jobs.unwrap_or(1),
    };
    net::prepare(&args.net, &config, &wants)
}

/// The pages that were named.
fn named(args: &WatchArgs, settings: &ParseSettings, with_source: bool, job: &Job) -> Result<Pages, Exit> {
    let (mut named, mut urls) = (Vec::new(), Vec::new());
    for text in &args.pages {
        if input::is_address(text) {
            urls.push(text.clone());
            continue;
        }
        match addresses(text.strip_prefix('@').unwrap_or(text))? {
            Some(listed) => urls.extend(listed),
            None => named.push(text.clone()),
        }
    }
    let mut reading = Reading::new(&named, settings.clone(), with_source)?;
    let saved = reading.left();
    let all = saved + urls.len();
    let most = args.sample.unwrap_or(SAVED);
    let is_kept = |at: usize| is_sampled(at, most, all);
    reading.keep(is_kept);
    if all > most && !args.quiet {
        let words = format!("looks at {most} of {all} pages, an even sample");
        report::words(&format!(
            "{}: {words}; --sample {all} looks at all",
            args.wrapper.display()
        ));
    }
    let mut pages = Pages {
        documents: reading.by_ref().collect(),
        ..Pages::default()
    };
    pages.failed = reading.failed;
    if urls.is_empty() {
        return Ok(pages);
    }
    let net = prepare(args)?;
    let visitor = net.session.visitor();
    for (_, url) in urls.iter().enumerate().filter(|(at, _)| is_kept(saved + at)) {
        if job.is_stopped() {
            break;
        }
        match visitor.open(url, None, &Default::default()) {
            Ok(visit) => pages.visits.push(visit),
            Err(error) => {
                pages.failed += 1;
                let text = match error.message.contains(url.as_str()) {
                    true => error.message,
                    false => format!("{url}: {}", error.message),
                };
                report::trouble(&text, error.remedy.as_ref());
            }
        }
    }
    net.finish();
    let fetched = pages.visits.iter().map(|visit| visit.document(with_source));
    pages.documents.extend(fetched);
    pages.visitor = Some(visitor);
    Ok(pages)
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
    let first = input::lines(&String::from_utf8_lossy(&bytes)).into_iter().next();
    if !first.is_some_and(|first| input::is_address(&first)) {
        return Ok(None);
    }
    let rest = bounded::read_from(opened, bounded::LONGEST_LIST)
        .map_err(|error| report::unreadable(file, &error, "addresses"))?;
    bytes.extend(rest);
    Ok(Some(input::lines(&String::from_utf8_lossy(&bytes))))
}
