//! `wrapwright infer`: a wrapper from pages alone.

use crate::Exit;
#[cfg(feature = "chromium")]
use crate::args::BrowserArgs;
use crate::args::{FetchingArgs, Format, NetArgs, jobs, part};
use crate::fields::EditArgs;
use crate::progress::InferProgress;
use crate::{interrupt, learn, net, report, sheets, way, whole};
use std::path::{Path, PathBuf};
use wrapwright::input::Place;
use wrapwright::learn::infer::{Objective, Search};
use wrapwright::make::{self, Asked, Draws, Grown, InferSettings};
use wrapwright::sample::{self, SampleError, SampleSettings};
use wrapwright::wrapper::Navigation;
use wrapwright::{Document, Job, ParseSettings, fields, input};

const EXAMPLES: &str = "\
Examples:
  wrapwright infer https://example.org/list -o site.wrapper.json   a list: its pager and details are found
  wrapwright run site.wrapper.json --format csv > table.csv        all of it
  wrapwright infer pages/ -o site.wrapper.json       from all pages of a directory
  wrapwright infer list.html -o list.wrapper.json    the list of records of one page
  wrapwright infer list.html --records 2             another list of the page
  wrapwright extract site.wrapper.json more/ --format csv > table.csv
  wrapwright infer pages/ --keep title,price --rename price=cost --type price=number -o w.json
  wrapwright infer lists/ --method exalg -o w.json   nested lists, optional parts and alternatives
  wrapwright infer pages/ --all -o w.json            boilerplate and constant texts as fields, too
  wrapwright infer pages/ --clusters auto -o w.json  a wrapper for each kind of page
  wrapwright infer pages/ --objective tokens --search greedy-inf -k 3 -o w.json";

#[derive(Debug, clap::Args)]
#[command(before_long_help = EXAMPLES)]
pub(crate) struct InferArgs {
    /// The address of a list; a page with a list; or pages of one template: files, directories (every .htm and .html below,
    /// sorted), WARC files, addresses, or @FILE for a list of these
    #[arg(value_name = "PAGE", required = true)]
    pub(crate) pages: Vec<String>,

    /// Write the wrapper to this file [default: standard output]
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    /// Only these fields, by what they are called: "title, author, price", or a JSON Schema with descriptions; if one is not
    /// found, the others are written, and the exit code is 1
    #[arg(long, value_name = "NAMES|FILE")]
    pub(crate) fields: Option<String>,

    #[command(flatten)]
    pub(crate) edit: EditArgs,

    /// How to infer
    #[arg(long, value_name = "METHOD", default_value = "auto")]
    pub(crate) method: Method,

    /// With --method regions or a single page: take the N-th best list of records
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) records: usize,

    /// With --method exalg: the fewest tokens of an equivalence class
    #[arg(long, value_name = "N", default_value_t = 3)]
    pub(crate) size: usize,

    /// With --method exalg: the share of pages on which a class must occur
    #[arg(long, value_name = "PART", default_value_t = 0.25, value_parser = part)]
    pub(crate) support: f64,

    /// What to optimise
    #[arg(long, value_name = "OBJECTIVE", default_value = "records")]
    pub(crate) objective: Aim,

    /// With --objective tokens: how to search
    #[arg(long, value_name = "SEARCH", default_value = "astar")]
    pub(crate) search: Seek,

    /// With --objective tokens: in how many regions a landmark must occur [default: half the number of pages]
    #[arg(short, value_name = "K")]
    pub(crate) k: Option<usize>,

    /// Distinguish tags by name only, not by attributes
    #[arg(long)]
    pub(crate) no_lattice: bool,

    /// Distinguish tags by the values of these attributes only; of other attributes only the names count
    #[arg(long, value_name = "NAMES", value_delimiter = ',', conflicts_with = "no_lattice")]
    pub(crate) attributes: Option<Vec<String>>,

    /// Make fields of these attributes where their values vary, such as href or src
    #[arg(long, value_name = "NAMES", value_delimiter = ',', default_value = "content,alt")]
    pub(crate) values: Vec<String>,

    /// What to do if the pages have several templates
    #[arg(long, value_name = "HOW", default_value = "one")]
    pub(crate) clusters: Clusters,

    /// Also make fields of texts that are the same on all pages
    #[arg(long)]
    pub(crate) all: bool,

    /// Use at most N pages; if there are more, draw a sample [default: 20, and more of them until the wrapper holds on others, too]
    #[arg(long, value_name = "N")]
    pub(crate) sample: Option<usize>,

    /// The seed of the random numbers
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub(crate) seed: u64,

    /// The name of a record
    #[arg(long, value_name = "NAME", default_value = "record")]
    pub(crate) record: String,

    /// Read pages in this encoding, whatever they declare
    #[arg(long, value_name = "LABEL")]
    pub(crate) charset: Option<String>,

    /// Print only errors
    #[arg(help_heading = crate::args::MESSAGES, long, short)]
    pub(crate) quiet: bool,

    #[command(flatten)]
    pub(crate) links: crate::way::LinkArgs,

    /// Pages to fetch at once, over all hosts [default: 1]
    #[arg(long, short, value_name = "N", env = "WRAPWRIGHT_JOBS", hide_env_values = true, value_parser = jobs())]
    pub(crate) jobs: Option<usize>,

    #[cfg(feature = "chromium")]
    #[command(flatten)]
    pub(crate) browser: BrowserArgs,

    #[command(flatten)]
    pub(crate) fetching: FetchingArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Clusters {
    /// Make one wrapper, and warn if there seem to be several templates
    One,
    /// Make a wrapper for each; the others are written next to -o as NAME.2.wrapper.json and so on
    Auto,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Method {
    /// What suits the pages: landmarks or data if each is one record, otherwise exalg or regions
    Auto,
    /// Landmarks around fields: for pages with one record each
    Landmarks,
    /// Templates with nested lists, optional parts and alternatives
    Exalg,
    /// The list of records of a page: one page is enough
    Regions,
    /// What structured data (JSON-LD, microdata, RDFa) says about the thing of a page: one page is enough
    Data,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Aim {
    /// Fields that contain the same thing on every page
    Records,
    /// As few extracted tokens as possible
    Tokens,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Seek {
    /// Best first; says so if the minimum is not proved
    Astar,
    /// Greedy, likely template first
    GreedyInf,
    /// Greedy, random among equals
    GreedyRnd,
    /// Random
    Random,
}

/// Runs the command.
pub(crate) fn run(args: &InferArgs) -> anyhow::Result<Exit> {
    let Some(reading) = args.read().settings() else {
        return Ok(Exit::Mistake);
    };
    if args.clusters == Clusters::Auto && args.output.is_none() {
        report::mistake(
            "found --clusters auto without -o, expected a file",
            Some("there may be several wrappers, which standard output cannot hold: add -o site.wrapper.json"),
        );
        return Ok(Exit::Mistake);
    }
    let job = interrupt::job();
    let taken = match &args.pages[..] {
        [page] if input::is_address(page) => sampled(args, page, &job),
        _ => read(args, &reading),
    };
    let Taken {
        pages,
        failed,
        navigation,
        mut rest,
    } = match taken {
        Ok(taken) => taken,
        Err(exit) => return Ok(exit),
    };
    let groups = make::clusters(&pages);
    let several = args.clusters == Clusters::Auto && groups.len() > 1;
    if groups.len() > 1 {
        let sizes: Vec<String> = groups.iter().map(|group| group.len().to_string()).collect();
        let count = groups.len();
        let sizes = sizes.join(", ");
        if !several {
            report::words(&format!(
                "warning: the pages look as if {count} templates had made them ({sizes} pages); \
                 --clusters auto makes a wrapper for each"
            ));
        } else if !args.quiet {
            report::words(&format!(
                "the pages look as if {count} templates had made them ({sizes} pages)"
            ));
        }
    }
    if !several {
        let growing = rest.as_mut().filter(|_| groups.len() == 1);
        let done = one(args, &pages, growing, navigation.as_ref(), args.output.as_deref(), &job)?;
        let failed = failed + rest.map_or(0, |rest| rest.failed);
        return Ok(ending(
            done.is_some(),
            failed > 0 || done == Some(false),
            job.is_stopped(),
        ));
    }
    let (mut skipped, mut lacking) = (0, false);
    for (number, group) in groups.iter().enumerate() {
        let group: Vec<Document> = group.iter().map(|at| pages[*at].clone()).collect();
        if let [Document { name, .. }] = &group[..] {
            skipped += 1;
            report::words(&format!(
                "warning: {name}: no other page is like it, so that it tells no template"
            ));
            continue;
        }
        let file = args.output.as_deref().map(|file| numbered(file, number + 1));
        match one(args, &group, None, navigation.as_ref(), file.as_deref(), &job)? {
            None => skipped += 1,
            Some(whole) => lacking |= !whole,
        }
    }
    Ok(ending(
        skipped < groups.len(),
        failed + skipped > 0 || lacking,
        job.is_stopped(),
    ))
}

impl InferArgs {
    /// How its pages are fetched.
    pub(crate) fn net(&self) -> NetArgs {
        NetArgs {
            driver: None,
            #[cfg(feature = "chromium")]
            browser: self.browser.clone(),
            record: None,
            fetching: self.fetching.clone(),
        }
    }

    /// How its pages are read.
    pub(crate) fn read(&self) -> sheets::ReadArgs {
        sheets::ReadArgs {
            charset: self.charset.clone(),
            max_page_bytes: self
                .fetching
                .max_page_bytes
                .unwrap_or(wrapwright::Limits::default().bytes),
        }
    }
}

fn ending(done: bool, partly: bool, stopped: bool) -> Exit {
    match (done, partly || stopped) {
        (false, _) if stopped => Exit::Interrupted,
        (false, _) => Exit::Mistake,
        (true, true) => Exit::Partial,
        (true, false) => Exit::Fine,
    }
}

/// The file of a further wrapper: `site.2.wrapper.json` beside `site.wrapper.json`.
fn numbered(file: &Path, number: usize) -> PathBuf {
    if number == 1 {
        return file.to_owned();
    }
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let (stem, rest) = name
        .split_once('.')
        .map_or((&*name, String::new()), |(stem, rest)| (stem, format!(".{rest}")));
    file.with_file_name(format!("{stem}.{number}{rest}"))
}

/// Pages to infer from.
struct Taken {
    pages: Vec<Document>,
    /// How many could not be read.
    failed: usize,
    /// The way to all pages like them.
    navigation: Option<Navigation>,
    /// The pages that are not in the sample, if it may grow.
    rest: Option<Rest>,
}

/// Pages that were named and not read yet.
struct Rest {
    places: Vec<Place>,
    draws: Draws,
    settings: ParseSettings,
    /// How many of those drawn since could not be read.
    failed: usize,
}

impl Rest {
    /// Up to `count` further pages.
    fn more(&mut self, count: usize) -> Vec<Document> {
        let places = self.draws.more(count);
        let (pages, failed) = documents(&self.places, &places, &self.settings);
        self.failed += failed;
        pages
    }
}

/// Reads pages; those that cannot be read are reported, and counted.
fn documents(places: &[Place], numbers: &[usize], settings: &ParseSettings) -> (Vec<Document>, usize) {
    let mut pages = Vec::new();
    for number in numbers {
        match places[*number].document(settings, false) {
            Ok(page) => pages.push(page),
            Err(error) => report::input(&error, Format::Text),
        }
    }
    let failed = numbers.len() - pages.len();
    (pages, failed)
}

/// A sample of a live site.
fn sampled(args: &InferArgs, start: &str, job: &Job) -> Result<Taken, Exit> {
    let (next, follow) = way::choices(&args.links)?;
    let usual = SampleSettings::default();
    let settings = SampleSettings {
        pages: args.sample.unwrap_or(usual.pages),
        next,
        follow,
        jobs: args.jobs.unwrap_or(1),
        ..usual
    };
    let wants = net::Wants {
        styles: Vec::new(),
        jobs: settings.jobs,
    };
    let net = net::prepare(&args.net(), &net::configuration(args.quiet)?, &wants)?;
    let taken = sample::sample(&net.session.visitor(), start, &settings, job);
    net.finish();
    let taken = taken.map_err(|error| match error {
        SampleError::Stopped => Exit::Interrupted,
        error => {
            report::trouble(&error.to_string(), error.remedy().as_ref());
            match error {
                SampleError::Start(_) | SampleError::Threads(_) => Exit::Outside,
                _ => Exit::Mistake,
            }
        }
    })?;
    for error in &taken.failures {
        report::trouble(&error.message, error.remedy.as_ref());
    }
    if !args.quiet {
        report::words(&taken.note);
    }
    let failed = taken.failures.len();
    Ok(Taken {
        pages: taken.documents(false),
        failed,
        navigation: Some(taken.navigation),
        rest: None,
    })
}

/// The pages that were named, or a sample of them.
fn read(args: &InferArgs, settings: &ParseSettings) -> Result<Taken, Exit> {
    let (places, errors) = sheets::find(&args.pages)?;
    for error in &errors {
        report::input(error, Format::Text);
    }
    let draws = Draws::new(places.len(), args.sample, args.seed);
    if let Some(note) = draws.note().filter(|_| !args.quiet) {
        report::words(&note);
    }
    let (pages, failed) = documents(&places, &draws.drawn(), settings);
    let failed = failed + errors.len();
    // Why there is none was said.
    if pages.is_empty() && failed > 0 {
        return Err(Exit::Mistake);
    }
    Ok(Taken {
        pages,
        failed,
        navigation: None,
        rest: Some(Rest {
            places,
            draws,
            settings: settings.clone(),
            failed: 0,
        }),
    })
}

/// What was typed, as settings.
fn settings(args: &InferArgs) -> InferSettings {
    InferSettings {
        method: match args.method {
            Method::Auto => make::Method::Auto,
            Method::Landmarks => make::Method::Landmarks,
            Method::Exalg => make::Method::Exalg,
            Method::Regions => make::Method::Regions,
            Method::Data => make::Method::Data,
        },
        objective: match args.objective {
            Aim::Records => Objective::Records,
            Aim::Tokens => Objective::Tokens,
        },
        search: match args.search {
            Seek::Astar => Search::Astar,
            Seek::GreedyInf => Search::GreedyInf,
            Seek::GreedyRnd => Search::GreedyRnd,
            Seek::Random => Search::Random,
        },
        k: args.k,
        lattice: !args.no_lattice,
        attributes: args.attributes.clone(),
        values: args.values.clone(),
        all: args.all,
        seed: args.seed,
        size: args.size,
        support: args.support,
        list: args.records,
        record: args.record.clone(),
    }
}

/// Infers a wrapper and writes it. `None` if there is none; otherwise, whether it has all fields that were asked for.
fn one(
    args: &InferArgs,
    pages: &[Document],
    mut rest: Option<&mut Rest>,
    navigation: Option<&Navigation>,
    output: Option<&Path>,
    job: &Job,
) -> anyhow::Result<Option<bool>> {
    let asked = match args.fields.as_deref().map(Asked::read).transpose() {
        Ok(asked) => asked,
        Err(error) => {
            learn::refused(&error);
            return Ok(None);
        }
    };
    let progress = InferProgress::new(args.quiet);
    let listening = progress.listen(job.clone());
    let mut more = |count: usize| rest.as_mut().map_or_else(Vec::new, |rest| rest.more(count));
    let asked = asked.unwrap_or_default();
    let grown = make::infer_growing(pages.to_vec(), &settings(args), &asked, &listening, &mut more);
    progress.finish();
    let Grown { inferred, picks, .. } = match grown {
        Ok(grown) => grown,
        Err(error) => {
            learn::refused(&error);
            return Ok(None);
        }
    };
    if job.is_stopped() {
        report::words("interrupted: the wrapper is the best found so far");
    }
    let mut wrapper = inferred.wrapper;
    let edit = args.edit.edit();
    if !edit.is_empty() {
        wrapper = match edit.apply(&wrapper) {
            Ok(changed) => changed,
            Err(error) => {
                learn::refused(&error);
                return Ok(None);
            }
        };
    }
    wrapper.navigation = navigation.cloned();
    whole::write_or_print(output, &wrapper.to_json())?;
    for pick in &picks {
        match pick.sure >= make::SURE {
            true if args.quiet => {}
            true => report::words(&pick.to_text()),
            false => report::words(&format!("warning: {}", pick.to_text())),
        }
    }
    if !args.quiet && picks.is_empty() {
        inferred.notes.iter().for_each(|note| report::words(note));
        if let Some(make::LikeList { number, title, records }) = &inferred.like {
            let title = title.as_ref().map(|title| format!(" ({title:?})")).unwrap_or_default();
            report::words(&format!(
                "another list of {records} records{title} has the same columns: --records {number} takes it"
            ));
        }
    }
    if (args.quiet || !picks.is_empty()) && !inferred.left_out.is_empty() {
        let left_out = inferred.left_out.join(", ");
        report::words(&format!("warning: pages of another kind were left out: {left_out}"));
    }
    for note in fields::notes(&wrapper) {
        report::words(&format!("warning: {note}"));
    }
    Ok(Some(picks.iter().all(|pick| pick.field.is_some())))
}
