//! `wrapwright test`: expressions and wrappers against the records that they must give.

use crate::args::{Format, NetArgs};
use crate::report::counted;
use crate::{Exit, interrupt, net, report, terminal};
use std::path::{Path, PathBuf};
use wrapwright::diag::Diagnostic;
use wrapwright::session::{RunSettings, RunsProblem};
use wrapwright::trial::{EXPECTED, PAGES, Subject, Trial, TrialError, TrialProblem, Verdict};

const EXAMPLES: &str = "\
Examples:
  wrapwright test --record tests/books books.oxp --bind site=https://shop.example/
                                             run it once, keep the pages and the records
  wrapwright test --record tests/lamps lamps.wrapper.json saved/
                                             a wrapper and its pages, which stay where they are
  wrapwright test tests                      run all tests in it again, without the network
  wrapwright test tests/books --live         does the site still give these records?
  wrapwright test tests/books --accept       what is found now is right

Exit code 0: all tests gave what was expected; 3: some did not; 2: a test cannot be run.";

#[derive(Debug, clap::Args)]
#[command(
    before_long_help = EXAMPLES,
    mut_arg("record", |arg| arg
        .value_name("DIR")
        .help("Make a test in this directory: run FILE once, and keep its pages and its records"))
)]
pub(crate) struct TestArgs {
    /// Directories with tests; with --record, a file with an expression, or a wrapper (.json) and its pages
    #[arg(value_name = "PATH", required_unless_present = "expression")]
    paths: Vec<PathBuf>,

    /// With --record: the expression itself
    #[arg(
        long,
        short = 'e',
        value_name = "EXPR",
        requires = "record",
        conflicts_with = "paths"
    )]
    expression: Option<String>,

    /// With --record: bind a variable to a string
    #[arg(long = "bind", value_name = "NAME=VALUE", value_parser = crate::args::parse_variable, requires = "record")]
    bindings: Vec<(String, String)>,

    /// Fetch the pages from the site instead of the recording
    #[arg(long, conflicts_with = "record")]
    live: bool,

    /// Write what is found as what is expected from now on
    #[arg(long, conflicts_with = "record")]
    accept: bool,

    /// Print at most N differences of each test
    #[arg(long, value_name = "N", default_value_t = 10)]
    most: usize,

    #[command(flatten)]
    net: NetArgs,
}

/// Runs the command.
pub(crate) fn run(args: &TestArgs) -> anyhow::Result<Exit> {
    match &args.net.record {
        Some(folder) => record(args, folder),
        None => all(args),
    }
}

fn record(args: &TestArgs, folder: &Path) -> anyhow::Result<Exit> {
    let subject = match (&args.expression, args.paths.split_first()) {
        (Some(source), _) => Subject::Expression(source.clone()),
        (None, Some((file, pages))) if is_wrapper(file) => Subject::Wrapper {
            file: file.clone(),
            pages: pages.to_vec(),
        },
        (None, Some((file, []))) => Subject::File(file.clone()),
        (None, Some((_, [page, ..]))) => {
            let text = format!("{}: an expression takes no pages, it opens them itself", page.display());
            report::mistake(&text, Some("only a wrapper (.json) is followed by its pages"));
            return Ok(Exit::Mistake);
        }
        (None, None) => unreachable!("a path or an expression is required"),
    };
    if let Subject::Wrapper { file, pages } = &subject
        && pages.is_empty()
    {
        let text = format!("{}: no pages to test the wrapper with", file.display());
        report::mistake(&text, Some("name files or directories after it"));
        return Ok(Exit::Mistake);
    }
    let is_wrapper = matches!(subject, Subject::Wrapper { .. });
    let trial = match Trial::begin(folder, subject, args.bindings.clone()) {
        Ok(trial) => trial,
        Err(error) => return Ok(failed(&error)),
    };
    let mut net = args.net.clone();
    net.record = (!is_wrapper).then(|| trial.pages());
    let mut net = match net::configuration(false).and_then(|config| net::prepare(&net, &config, &net::Wants::default()))
    {
        Ok(net) => net,
        Err(exit) => return Ok(exit),
    };
    let settings = RunSettings {
        job: interrupt::job(),
        ..RunSettings::default()
    };
    let verdict = match trial.make(&mut net.session, &settings) {
        Ok(verdict) => verdict,
        Err(error) => return Ok(failed(&error)),
    };
    if !net.finish() {
        return Ok(Exit::Outside);
    }
    failures(&verdict);
    let found = counted(verdict.found.len(), "record");
    report::words(&format!("wrote {}: {found} in {EXPECTED}", folder.display()));
    Ok(match (verdict.failures.is_empty(), verdict.found.is_empty()) {
        (true, false) => Exit::Fine,
        (_, true) => {
            report::words("warning: there is no record, so this test says little");
            Exit::Partial
        }
        (false, false) => Exit::Partial,
    })
}

fn is_wrapper(file: &Path) -> bool {
    file.extension()
        .is_some_and(|ending| ending.eq_ignore_ascii_case("json"))
}

fn all(args: &TestArgs) -> anyhow::Result<Exit> {
    let mut trials = Vec::new();
    for path in &args.paths {
        match Trial::find(path) {
            Ok(found) => trials.extend(found),
            Err(error) => return Ok(failed(&error)),
        }
    }
    let job = interrupt::job();
    let (mut wrong, mut broken) = (0, false);
    for trial in &trials {
        let verdict = match one(args, trial, &job) {
            Ok(Ok(verdict)) => verdict,
            Ok(Err(error)) if matches!(error.problem, TrialProblem::Stopped) => return Ok(Exit::Interrupted),
            Ok(Err(error)) => {
                failed(&error);
                broken = true;
                continue;
            }
            Err(exit) => return Ok(exit),
        };
        let accepted = args.accept && !verdict.is_right();
        if accepted && let Err(error) = trial.accept(&verdict) {
            failed(&error);
            return Ok(Exit::Outside);
        }
        wrong += usize::from(!verdict.is_right() && !accepted);
        tell(args, trial, &verdict, accepted)?;
    }
    if trials.len() > 1 {
        let tests = counted(trials.len(), "test");
        report::words(&format!("{tests}, {wrong} with other records than expected"));
    }
    Ok(match (broken, wrong) {
        (true, _) => Exit::Mistake,
        (false, 0) => Exit::Fine,
        (false, _) => Exit::Failed,
    })
}

fn one(args: &TestArgs, trial: &Trial, job: &wrapwright::Job) -> Result<Result<Verdict, TrialError>, Exit> {
    if !args.live {
        return Ok(trial.run(job));
    }
    let config = net::configuration(false)?;
    let mut net = net::prepare(&args.net, &config, &net::Wants::default())?;
    let settings = RunSettings {
        job: job.clone(),
        ..RunSettings::default()
    };
    let verdict = trial.run_in(&mut net.session, &settings);
    match net.finish() {
        true => Ok(verdict),
        false => Err(Exit::Outside),
    }
}

/// Prints what a test gave.
fn tell(args: &TestArgs, trial: &Trial, verdict: &Verdict, accepted: bool) -> anyhow::Result<()> {
    let place = trial.folder.display();
    if verdict.is_right() {
        failures(verdict);
        terminal::print(&format!(
            "✓ {place}: {} as expected\n",
            counted(verdict.expected, "record")
        ))?;
        return Ok(());
    }
    let (expected, found) = (counted(verdict.expected, "record"), verdict.found.len());
    let mut text = match accepted {
        true => format!("✓ {place}: {found} instead of {expected}, accepted\n"),
        false => format!("✗ {place}: expected {expected}, found {found}\n"),
    };
    for difference in verdict.differences.iter().take(args.most) {
        for line in difference.to_string().lines() {
            text.push_str(&format!("  {line}\n"));
        }
    }
    let more = verdict.differences.len().saturating_sub(args.most);
    if more > 0 {
        text.push_str(&format!("  … and {}\n", counted(more, "more difference")));
    }
    failures(verdict);
    terminal::print(&text)
}

/// Failures on the way are told one by one up to this number.
const TOLD: usize = 5;

fn failures(verdict: &Verdict) {
    for failure in verdict.failures.iter().take(TOLD) {
        report::words(&format!("warning: {failure}"));
    }
    let more = verdict.failures.len().saturating_sub(TOLD);
    if more > 0 {
        report::words(&format!("warning: {}", counted(more, "more failure")));
    }
}

/// Reports why a test cannot be made or run.
fn failed(error: &TrialError) -> Exit {
    let hint = match &error.problem {
        TrialProblem::Import(error) => return report::import(error),
        TrialProblem::Exists => {
            Some("to replace its records, use --accept; to make it anew, delete the directory".to_owned())
        }
        TrialProblem::None => Some("--record DIR FILE makes a test".to_owned()),
        TrialProblem::Read(_) if error.place.ends_with(PAGES) => Some("the pages of the test are missing".to_owned()),
        TrialProblem::Expression(wrong) => match &*wrong.problem {
            RunsProblem::Unbound(name) => Some(format!("bind it with --bind {name}=VALUE")),
            RunsProblem::Compile(wrong) => {
                let source = wrong.source_text();
                let found: Vec<Diagnostic> = wrong
                    .diagnostics()
                    .iter()
                    .map(|found| report::bindable(source, found, "--bind"))
                    .collect();
                report::diagnostics_in(&error.place.display().to_string(), source, &found, Format::Text);
                return Exit::Mistake;
            }
            _ => None,
        },
        _ => None,
    };
    report::mistake(&error.to_string(), hint.as_deref());
    match error.problem {
        TrialProblem::Write(_) | TrialProblem::Failed(_) => Exit::Outside,
        TrialProblem::Stopped => Exit::Interrupted,
        _ => Exit::Mistake,
    }
}
