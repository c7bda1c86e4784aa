//! A browser for the tests, shared by those that run at the same time, and pages for it on loopback.

use demo::server::{self, Answer, Request, Response, Running};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use wrapwright::drivers::{Chromium, Fetch, HttpSettings, Setup, Web, Wire};
use wrapwright::{Driver, Failure, Progress, Record, RunOptions, RunSummary, Script, Workers};

/// A browser that ends with the last test that uses it.
pub(crate) struct Stage(pub(crate) Chromium);

impl Drop for Stage {
    fn drop(&mut self) {
        self.0.end();
    }
}

/// A browser of one's own; none where none is installed.
pub(crate) fn own(setup: Setup) -> Option<Stage> {
    own_with(setup, HttpSettings::default())
}

/// The same with other settings; robots.txt is not asked for.
pub(crate) fn own_with(setup: Setup, settings: HttpSettings) -> Option<Stage> {
    let settings = HttpSettings {
        robots: false,
        ..settings
    };
    let wire: Box<dyn Fetch> = Box::new(Wire::new(&settings).expect("a transport"));
    match Chromium::start(setup, Web::over(wire, settings)) {
        Ok(chromium) => Some(Stage(chromium)),
        Err(error) if error.message.starts_with("no browser is installed") => {
            skip::skip("wrapwright: browser", &error.message);
            None
        }
        Err(error) => panic!("{error}"),
    }
}

/// The shared browser.
pub(crate) fn shared() -> Option<Arc<Stage>> {
    static SHARED: Mutex<Weak<Stage>> = Mutex::new(Weak::new());
    let mut shared = SHARED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(stage) = shared.upgrade() {
        return Some(stage);
    }
    let stage = Arc::new(own(Setup {
        tabs: 4,
        ..Setup::default()
    })?);
    *shared = Arc::downgrade(&stage);
    Some(stage)
}

/// Serves pages by their path; what begins with `{` or `[` is JSON.
pub(crate) fn serve(pages: &'static [(&'static str, &'static str)]) -> Running {
    site(move |request| {
        let page = pages.iter().find(|(path, _)| *path == request.path);
        match page {
            Some((_, text)) if text.starts_with(['{', '[']) => Response::json(*text).into(),
            Some((_, text)) => Response::html(*text).into(),
            None => Response::plain(404).into(),
        }
    })
}

pub(crate) fn site(answer: impl Fn(&Request) -> Answer + Send + Sync + 'static) -> Running {
    server::start("127.0.0.1:0", answer).expect("a server")
}

/// What a run gave.
#[derive(Default)]
pub(crate) struct Ran {
    /// A line for each record.
    pub(crate) records: Vec<String>,
    pub(crate) failures: Vec<String>,
    pub(crate) summary: RunSummary,
}

impl Progress for Ran {
    fn record(&mut self, record: Record) -> bool {
        self.records.push(line(&record));
        true
    }

    fn failure(&mut self, failure: &Failure) {
        self.failures.push(failure.to_string());
    }
}

fn line(record: &Record) -> String {
    let name = &record.name;
    match &record.value {
        Some(value) => format!("{name}={}", value.split_whitespace().collect::<Vec<_>>().join(" ")),
        None => {
            let children: Vec<String> = record.children.iter().map(line).collect();
            format!("{name}({})", children.join(", "))
        }
    }
}

/// Runs an expression in which `SITE` is the address of the server.
pub(crate) fn run_with(stage: &Stage, jobs: usize, server: &Running, expression: &str) -> Ran {
    let url = server.url();
    let expression = expression.replace("SITE", url.trim_end_matches('/'));
    let script = Script::compile(&expression, &[]).unwrap_or_else(|found| panic!("{found:?}"));
    let mut ran = Ran::default();
    let driver = || Box::new(stage.0.clone()) as Box<dyn Driver + Send>;
    let mut workers = Workers::new(jobs, driver).expect("threads");
    ran.summary = script.run_with(&mut workers, None, &RunOptions::default(), &mut ran);
    ran
}

/// The same with a driver of one's own.
pub(crate) fn run_with_driver(driver: &mut dyn Driver, server: &Running, expression: &str) -> Ran {
    let url = server.url();
    let expression = expression.replace("SITE", url.trim_end_matches('/'));
    let script = Script::compile(&expression, &[]).unwrap_or_else(|found| panic!("{found:?}"));
    let mut ran = Ran::default();
    ran.summary = script.run(driver, None, &RunOptions::default(), &mut ran);
    ran
}

/// Runs an expression in the shared browser and checks what it extracts.
#[track_caller]
pub(crate) fn check(pages: &'static [(&'static str, &'static str)], expression: &str, expected: &[&str]) {
    let server = serve(pages);
    check_on(&server, expression, expected);
}

#[track_caller]
pub(crate) fn check_on(server: &Running, expression: &str, expected: &[&str]) {
    let Some(stage) = shared() else { return };
    let ran = run_with(&stage, 1, server, expression);
    assert_eq!(
        ran.failures,
        Vec::<String>::new(),
        "failures; records {:?}",
        ran.records
    );
    assert_eq!(ran.records, expected);
}
