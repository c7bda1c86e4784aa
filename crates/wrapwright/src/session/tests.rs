//! Runs over pages in memory: order, limits, and how they end.

use super::*;
use browse::Memory;
use oxpath::run::Ended;
use page::Job;

/// Twenty addresses, of which three have no page; a run for each.
fn twenty() -> (Session, Runs) {
    let pages = (0..20)
        .filter(|n| n % 7 != 3)
        .map(|n| (format!("http://a/{n}"), format!("<p>{n}a<p>{n}b")));
    let driver = Memory::new(pages);
    let given = (0..20).map(|n| ("url".to_owned(), format!("http://a/{n}")));
    let runs = runs("doc($url)//p:<x=.>", given);
    (Session::with_drivers(move || Box::new(driver.clone())), runs)
}

fn runs(source: &str, given: impl Iterator<Item = (String, String)>) -> Runs {
    let bindings = Bindings::new(given, None);
    Runs::compile(source, bindings, &Checks::default(), &Job::new()).expect("a valid expression")
}

/// Each record and failure after the number of its run; and the report.
fn lines(settings: &RunSettings, most: usize) -> (Vec<String>, RunReport) {
    let (mut session, runs) = twenty();
    let mut records = session.run_all(&runs, settings).expect("threads");
    let (mut lines, mut run) = (Vec::new(), 0);
    while lines.len() < most
        && let Some(event) = records.next_event()
    {
        match event {
            RunEvent::Run(number) => run = number,
            RunEvent::Record(record) => lines.push(format!("{run}: {}", record.value.unwrap_or_default())),
            RunEvent::Failure(failure) => lines.push(format!("{run}: {failure}")),
            _ => {}
        }
    }
    if lines.len() == most {
        records.stop();
    }
    assert!(records.next_event().is_none());
    (lines, records.report())
}

fn with_jobs(jobs: usize) -> RunSettings {
    RunSettings {
        jobs,
        ..RunSettings::default()
    }
}

#[test]
fn records_come_in_the_order_of_runs_whatever_the_number_of_jobs() {
    let (one, report) = lines(&with_jobs(1), usize::MAX);
    assert_eq!((report.summary.records, report.summary.failures), (34, 3));
    assert_eq!(report.failures_by_kind.get("status-404"), Some(&3));
    assert_eq!(one[..3], ["0: 0a", "0: 0b", "1: 1a"]);
    assert!(one[6].starts_with("3: http://a/3 answered 404"), "{}", one[6]);
    for jobs in [2, 3, 7, 50] {
        let (many, report) = lines(&with_jobs(jobs), usize::MAX);
        assert_eq!(many, one, "{jobs} jobs");
        assert_eq!((report.summary.records, report.summary.failures), (34, 3));
    }
}

#[test]
fn the_consumer_may_stop_all_runs() {
    for jobs in [1, 4] {
        let (lines, report) = lines(&with_jobs(jobs), 5);
        let seen = (lines.len(), report.summary.records, report.summary.ended);
        assert_eq!(seen, (5, 5, Some(Ended::Consumer)), "{jobs} jobs");
    }
}

#[test]
fn pages_that_runs_share_go_to_the_first_runs() {
    let seen: Vec<Vec<String>> = [1, 2, 8]
        .map(|jobs| {
            let settings = RunSettings {
                max_pages: Some(6),
                ..with_jobs(jobs)
            };
            let (lines, report) = lines(&settings, usize::MAX);
            assert_eq!(report.summary.ended, Some(Ended::MaxPages));
            lines
        })
        .into();
    assert_eq!(seen[0].len(), 11, "five pages of two records, and one that is missing");
    assert_eq!((&seen[1], &seen[2]), (&seen[0], &seen[0]));
}

/// A page for each number above 0, which leads to the next.
fn endless() -> Memory {
    Memory::with(|request| {
        let number: usize = request.url.path().trim_start_matches('/').parse().ok()?;
        (number > 0).then(|| browse::Response::html(format!("<a href='/{}'>on</a><p>{number}", number + 1)))
    })
}

/// Runs that never give a record: one ends with a failure, the others never end by themselves.
#[test]
fn lanes_without_records_end_with_the_others() {
    let driver = endless();
    let mut session = Session::with_drivers(move || Box::new(driver.clone()));
    let given = (0..4).map(|n| ("url".to_owned(), format!("http://a/{}", n * 1_000_000)));
    let runs = runs("doc($url)/(//a/{click /})*//q:<x=.>", given);
    let settings = RunSettings {
        fail_fast: true,
        ..with_jobs(4)
    };
    let mut records = session.run_all(&runs, &settings).expect("threads");
    assert!(matches!(records.next(), Some(Err(_))));
    assert!(records.next().is_none());
    let summary = records.summary();
    assert_eq!((summary.failures, summary.ended), (1, Some(Ended::Failure)));
}

/// Pull: nothing is fetched before it is asked for, and nothing after the records are dropped.
#[test]
fn dropping_the_records_stops_the_run() {
    let driver = endless();
    let log = driver.clone();
    let mut session = Session::with_driver(Box::new(driver));
    let script = Script::compile("doc('http://a/1')/(//a/{click /})*//p:<x=.>", &[]).expect("a valid expression");
    let mut records = session.run(&script).expect("threads");
    assert_eq!(log.requests(), 0);
    for expected in ["1", "2", "3"] {
        let record = records.next().expect("a record").expect("no failure");
        assert_eq!(record.value.as_deref(), Some(expected));
    }
    let fetched = log.requests();
    assert!(fetched <= 4, "{fetched} requests for three pages");
    drop(records);
    assert_eq!(log.requests(), fetched);
}

#[test]
fn a_job_stops_the_run_and_is_told_of_pages() {
    let mut session = Session::with_driver(Box::new(endless()));
    let script = Script::compile("doc('http://a/1')/(//a/{click /})*//p:<x=.>", &[]).expect("a valid expression");
    let told = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&told);
    let settings = RunSettings {
        job: Job::new().on_event(move |event| {
            if let page::job::Event::Step { done, .. } = event {
                count.store(done as usize, std::sync::atomic::Ordering::Relaxed);
            }
        }),
        ..RunSettings::default()
    };
    let mut records = session.run_with(&script, &settings).expect("threads");
    records.by_ref().take(5).for_each(drop);
    settings.job.stop();
    assert!(records.by_ref().count() <= 1);
    assert_eq!(records.summary().ended, Some(Ended::Stop));
    assert!(told.load(std::sync::atomic::Ordering::Relaxed) >= 5);
}

#[test]
fn what_cannot_run_is_refused_before_anything_is_fetched() {
    let mut session = Session::http(&SessionSettings::default()).expect("a session");
    let script = Script::compile("//p:<x=.>", &[]).expect("a valid expression");
    assert!(matches!(session.run(&script), Err(SessionError::NoStartPage)));
    let script = Script::compile("doc('http://a/')//p[style::color='red']:<x=.>", &[]).expect("a valid expression");
    let error = session.run(&script).expect_err("no styles");
    assert!(error.to_string().contains("styles (color)"), "{error}");
    assert_eq!(error.remedy(), Some(page::Remedy::UseBrowser));
}

#[test]
fn what_cannot_be_kept_is_returned() {
    let folder = tempfile::tempdir().expect("a directory");
    let place = folder.path().join("kept");
    std::fs::create_dir(&place).expect("a directory");
    let settings = SessionSettings {
        cookies: Some(place.join("cookies.txt")),
        ..SessionSettings::default()
    };
    let session = Session::http(&settings).expect("a session");
    session.finish().expect("cookies are kept");
    std::fs::remove_dir_all(&place).expect("a directory");
    std::fs::write(&place, "in the way").expect("a file");
    let error = session.finish().expect_err("a file in the way");
    assert!(error.cookies.is_some() && error.recording.is_none(), "{error}");
}
