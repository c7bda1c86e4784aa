//! `wrapwright infer`: a wrapper from pages alone.

use crate::Exit;
use crate::args::{Aim, Clusters, Format, InferArgs, Method, NetArgs, Seek};
use crate::progress::InferProgress;
use crate::{interrupt, learn, net, report, sheets, way, whole};
use std::path::{Path, PathBuf};
use wrapwright::learn::infer::{Objective, Search};
use wrapwright::make::{self, Asked, InferSettings};
use wrapwright::sample::{self, SampleError, SampleSettings};
use wrapwright::wrapper::Navigation;
use wrapwright::{Document, Job, ParseSettings, input};

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
        _ => read(args, &reading).map(|(pages, failed)| (pages, failed, None)),
    };
    let (pages, failed, navigation) = match taken {
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
        let done = one(args, &pages, navigation.as_ref(), args.output.as_deref(), &job)?;
        return Ok(ending(done, failed > 0 || job.is_stopped()));
    }
    let mut skipped = 0;
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
        if !one(args, &group, navigation.as_ref(), file.as_deref(), &job)? {
            skipped += 1;
        }
    }
    Ok(ending(skipped < groups.len(), failed + skipped > 0 || job.is_stopped()))
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

fn ending(done: bool, partly: bool) -> Exit {
    match (done, partly) {
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

/// Pages, how many could not be read, and the way to all pages like them.
type Taken = (Vec<Document>, usize, Option<Navigation>);

/// A sample of a live site.
fn sampled(args: &InferArgs, start: &str, job: &Job) -> Result<Taken, Exit> {
    let (next, follow) = way::choices(&args.links)?;
    let settings = SampleSettings {
        pages: args.sample.max(2),
        next,
        follow,
        jobs: args.jobs.unwrap_or(1),
        deadline: None,
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
    Ok((taken.documents(false), failed, Some(taken.navigation)))
}

/// The pages that were named, or a sample of them, and how many could not be read.
fn read(args: &InferArgs, settings: &ParseSettings) -> Result<(Vec<Document>, usize), Exit> {
    let (mut places, errors) = sheets::find(&args.pages)?;
    for error in &errors {
        report::input(error, Format::Text);
    }
    let given = places.len();
    if given > args.sample.max(2) {
        places = make::sample(places, args.sample.max(2), args.seed);
        if !args.quiet {
            report::words(&format!(
                "looking at {} of {given} pages, drawn with seed {}",
                places.len(),
                args.seed
            ));
        }
    }
    let mut pages: Vec<Document> = Vec::new();
    let mut failed = errors.len();
    for place in &places {
        match place.document(settings, false) {
            Ok(page) => pages.push(page),
            Err(error) => {
                failed += 1;
                report::input(&error, Format::Text);
            }
        }
    }
    Ok((pages, failed))
}

/// What was typed, as settings.
fn settings(args: &InferArgs) -> InferSettings {
    InferSettings {
        method: match args.method {
            None => make::Method::Usual,
            Some(Method::Landmarks) => make::Method::Landmarks,
            Some(Method::Exalg) => make::Method::Exalg,
            Some(Method::Regions) => make::Method::Regions,
            Some(Method::Auto) => make::Method::Auto,
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

/// Infers a wrapper and writes it; false if there is none.
fn one(
    args: &InferArgs,
    pages: &[Document],
    navigation: Option<&Navigation>,
    output: Option<&Path>,
    job: &Job,
) -> anyhow::Result<bool> {
    let progress = InferProgress::new(args.quiet);
    let inferred = wrapwright::infer(pages, &settings(args), &progress.listen(job.clone()));
    progress.finish();
    let inferred = match inferred {
        Ok(inferred) => inferred,
        Err(error) => {
            learn::refused(&error);
            return Ok(false);
        }
    };
    if job.is_stopped() {
        report::words("interrupted: the wrapper is the best found so far");
    }
    let mut wrapper = inferred.wrapper;
    let mut picks = Vec::new();
    if let Some(names) = &args.fields {
        let chosen = Asked::read(names).and_then(|asked| {
            picks = make::choose_fields(&wrapper, pages, &asked);
            make::with_picks(&wrapper, &picks)
        });
        wrapper = match chosen {
            Ok(chosen) => chosen,
            Err(error) => {
                learn::refused(&error);
                return Ok(false);
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
    }
    Ok(true)
}
