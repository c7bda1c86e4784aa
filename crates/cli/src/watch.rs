//! `wrapwright watch`: one look at a site, for cron: extract, check, mend if need be, check again, and write it down.

use crate::args::{Format, NetArgs};
use crate::extract::read_wrapper;
use crate::report::counted;
use crate::sheets::{self, ReadArgs};
use crate::{Exit, check, net, repair, report};
use std::path::PathBuf;
use wrapwright::history::{self, Entry, FieldEntry, History, Outcome, RepairEntry};
use wrapwright::tend::{self, Report, compare};
use wrapwright::wrapper::{Evidence, Wrapper, hash};
use wrapwright::{Document, Page, Settings};

const EXAMPLES: &str = "\
Examples:
  wrapwright watch site.wrapper.json --pages saved/      pages of a directory
  wrapwright watch site.wrapper.json --pages urls.txt    a file with an address on each line
  wrapwright watch site.wrapper.json --pages urls.txt -q only what is wrong, as cron likes it

Exit code 0: all is well, or the wrapper was mended and the old one kept beside it; 3: something is
wrong and could not be mended; 4: no page could be read, or nothing written.
`wrapwright history site.wrapper.json` shows what was found, run by run.";

#[derive(Debug, clap::Args)]
#[command(before_long_help = EXAMPLES)]
pub(crate) struct WatchArgs {
    /// A wrapper, as learn, infer or repair writes it
    #[arg(value_name = "WRAPPER")]
    wrapper: PathBuf,

    /// Pages to look at: files, directories, WARC files, addresses, or files with an address on each line
    #[arg(long, value_name = "PAGES", required = true, num_args = 1..)]
    pages: Vec<String>,

    /// Look at no more pages than this; of more, some are taken from all over
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(1..))]
    sample: usize,

    /// Only look and write down; mend nothing
    #[arg(long)]
    no_repair: bool,

    /// Learn nothing from runs that are fine
    #[arg(long)]
    no_update: bool,

    /// How sure each field that most records have must be for a mended wrapper to be taken, from 0 to 1
    #[arg(long, value_name = "SURE", default_value_t = repair::ENOUGH, value_parser = sheets::share)]
    at_least: f64,

    /// Say only what is wrong
    #[arg(long, short)]
    quiet: bool,

    /// Read pages in this encoding, whatever they say themselves
    #[arg(long, value_name = "LABEL")]
    charset: Option<String>,

    #[command(flatten)]
    net: NetArgs,
}

/// Pages of good runs that are learned from at most: habits change, and files should not grow.
const LEARNED: u64 = 1000;

/// Runs the command.
pub(crate) fn run(args: &WatchArgs) -> anyhow::Result<Exit> {
    let Some(mut artifact) = read_wrapper(&args.wrapper) else {
        return Ok(Exit::Mistake);
    };
    let how = ReadArgs {
        charset: args.charset.clone(),
        max_page_bytes: args.net.max_page_bytes.unwrap_or(wrapwright::Limits::default().bytes),
    };
    let Some(settings) = how.settings() else {
        return Ok(Exit::Mistake);
    };
    if artifact.evidence.profiles.iter().all(|profile| profile.records == 0) {
        return Ok(sheets::unwatched(&args.wrapper));
    }
    let path = history::default_path(&args.wrapper);
    let mut history = match History::open(&path) {
        Ok(history) => history,
        Err(error) => {
            report::trouble(&error.to_string(), Some(&error.remedy()));
            return Ok(crate::history::exit(&error));
        }
    };
    let with_source = artifact.runner()?.reads_source();
    let (pages, failed) = match read(args, &settings, with_source) {
        Ok(read) => read,
        Err(exit) => return Ok(exit),
    };
    let mut entry = Entry {
        when: history::now(),
        wrapper_hash: rule_hash(&artifact),
        pages: (pages.len() + failed) as u64,
        failed_pages: failed as u64,
        records: 0,
        verdict: Outcome::Unreadable,
        fields: Vec::new(),
        repair: None,
    };
    let exit = match pages.is_empty() {
        true => {
            let text = format!(
                "{}: no page could be read, so nothing was checked",
                args.wrapper.display()
            );
            report::mistake(&text, None);
            Exit::Outside
        }
        false => look(args, &mut artifact, &pages, &mut entry)?,
    };
    if let Err(error) = history.add(&entry) {
        report::trouble(&error.to_string(), Some(&error.remedy()));
        return Ok(Exit::Outside);
    }
    if !args.quiet {
        report::words(&format!(
            "{}: {}, {}: {}",
            args.wrapper.display(),
            counted(entry.pages as usize, "page"),
            counted(entry.records as usize, "record"),
            entry.verdict.name()
        ));
    }
    Ok(exit)
}

/// Extracts, checks, and mends if need be.
fn look(args: &WatchArgs, artifact: &mut Wrapper, pages: &[Document], entry: &mut Entry) -> anyhow::Result<Exit> {
    let now = artifact.observe(pages)?;
    entry.records = now.first().map_or(0, |profile| profile.records);
    let found = compare(artifact, now)?;
    entry.fields = fields(&found);
    if found.is_fine() {
        entry.verdict = Outcome::Fine;
        let known = artifact.evidence.profiles.first().map_or(0, |profile| profile.pages);
        if !args.no_update && known < LEARNED {
            for (known, table) in artifact.evidence.profiles.iter_mut().zip(&found.tables) {
                known.merge(&table.now);
            }
            crate::whole::write_or_print(Some(&args.wrapper), artifact.to_json().as_bytes())?;
        }
        return Ok(Exit::Fine);
    }
    if !args.quiet {
        report::words(check::text(&found, false).trim_end());
    }
    entry.verdict = Outcome::Changed;
    if args.no_repair {
        return Ok(Exit::Failed);
    }
    entry.verdict = Outcome::NotRepaired;
    let mut tried = RepairEntry {
        from_hash: entry.wrapper_hash.clone(),
        to_hash: entry.wrapper_hash.clone(),
        kept_as: String::new(),
        fields: Vec::new(),
        note: String::new(),
    };
    let mended = match tend::repair(artifact, pages) {
        Ok(mended) => mended,
        Err(error) => {
            tried.note = error.to_string();
            entry.repair = Some(tried);
            report::mistake(&format!("{}: {error}", args.wrapper.display()), Some(repair::ANEW));
            return Ok(Exit::Failed);
        }
    };
    tried.fields = mended
        .fields
        .iter()
        .map(|field| (field.name.clone(), field.sure))
        .collect();
    tried.note = mended.notes.join("; ");
    // The second check: the new wrapper gives records on these very pages. How like the values of before theirs are is what
    // `sure` says already.
    let again = mended.wrapper.observe(pages)?;
    let records = again.first().map_or(0, |profile| profile.records);
    if mended.sure() < args.at_least || records == 0 {
        let why = match records {
            0 => "the mended wrapper gives no record".to_owned(),
            _ => repair::not_sure(&mended, args.at_least),
        };
        let text = format!("{}: {why}, so it stays as it is", args.wrapper.display());
        report::mistake(&text, Some("`wrapwright repair` shows what it would be"));
        entry.repair = Some(tried);
        return Ok(Exit::Failed);
    }
    let kept = repair::replace(&args.wrapper, &mended.wrapper)?;
    entry.records = records;
    entry.verdict = Outcome::Repaired;
    tried.to_hash = rule_hash(&mended.wrapper);
    tried.kept_as = kept.map(|kept| kept.display().to_string()).unwrap_or_default();
    report::words(&format!(
        "{}: the site has changed; the wrapper was mended, and the old one is {}",
        args.wrapper.display(),
        tried.kept_as
    ));
    entry.repair = Some(tried);
    Ok(Exit::Fine)
}

/// How the fields of a run were.
fn fields(found: &Report) -> Vec<FieldEntry> {
    let mut out = Vec::new();
    for table in &found.tables {
        let each = table.alarm.fields.iter().zip(&table.now.fields);
        for (health, now) in each {
            let path = table
                .table
                .path
                .iter()
                .map(String::as_str)
                .chain([health.name.as_str()]);
            out.push(FieldEntry {
                name: path.collect::<Vec<_>>().join("."),
                count: now.count,
                chance: health.chance,
                reason: health.reasons.first().cloned(),
            });
        }
    }
    out
}

/// A hash of the rule alone: what a wrapper remembers of its values changes with every run.
fn rule_hash(artifact: &Wrapper) -> String {
    let bare = Wrapper {
        evidence: Evidence::default(),
        ..artifact.clone()
    };
    hash(&bare.to_json())
}

/// Is it an address on the web?
fn is_address(text: &str) -> bool {
    text.starts_with("http://") || text.starts_with("https://")
}

/// The pages that were named, and how many of them cannot be had.
fn read(args: &WatchArgs, settings: &Settings, with_source: bool) -> Result<(Vec<Document>, usize), Exit> {
    let (mut named, mut urls) = (Vec::new(), Vec::new());
    for text in &args.pages {
        match (is_address(text), addresses(text)) {
            (true, _) => urls.push(text.clone()),
            (false, Some(listed)) => urls.extend(listed),
            (false, None) => named.push(text.clone()),
        }
    }
    let (places, mut failed) = sheets::places(&named);
    let stride = (places.len() + urls.len()).div_ceil(args.sample).max(1);
    let mut pages = Vec::new();
    for place in places.iter().step_by(stride) {
        match sheets::read(place, settings, with_source) {
            Ok(sheet) => pages.push(sheet),
            Err(error) => {
                failed += 1;
                report::input(&error, Format::Text);
            }
        }
    }
    if urls.is_empty() {
        return Ok((pages, failed));
    }
    let config = net::configuration()?;
    let net = net::prepare(&args.net, &config, &net::Wants::default())?;
    let mut driver = net.driver();
    for url in urls.iter().step_by(stride) {
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
fn addresses(file: &str) -> Option<Vec<String>> {
    use std::io::Read;
    let mut start = Vec::new();
    let opened = std::fs::File::open(file).ok()?;
    opened.take(4096).read_to_end(&mut start).ok()?;
    let lines = |text: &str| -> Vec<String> {
        text.trim_start_matches('\u{feff}')
            .lines()
            .map(|line| line.trim().to_owned())
            .filter(|line| !line.is_empty() && !line.starts_with('#'))
            .collect()
    };
    let first = lines(&String::from_utf8_lossy(&start)).into_iter().next()?;
    if !is_address(&first) {
        return None;
    }
    Some(lines(&String::from_utf8_lossy(&std::fs::read(file).ok()?)))
}
