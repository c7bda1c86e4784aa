//! `run --frontier` and `worker`: several processes on one PostgreSQL server, some of which are killed.

#[path = "../../columnar/tests/stores/server.rs"]
#[allow(dead_code, reason = "other tests use the rest of it")]
mod database;
mod herd;

use herd::{PROGRAM, Web, Worker, gaps};
use skip::skip;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

fn run(folder: &Path, args: &[&str]) -> (Option<i32>, String) {
    let output = Command::new(PROGRAM).args(args).current_dir(folder).output();
    let output = output.expect("the program starts");
    (
        output.status.code(),
        String::from_utf8_lossy(&output.stderr).into_owned(),
    )
}

#[test]
fn records_are_those_of_one_process_and_kills_cost_nothing() {
    let server = match database::Server::start() {
        Ok(server) => server,
        Err(why) => return skip("frontier", &why),
    };
    let folder = tempfile::tempdir().expect("a directory");
    let folder = folder.path();
    // Four hosts with fifteen pages each, and a delay for each host.
    let delay = Duration::from_millis(100);
    let web = Web::start(4, 15, Duration::from_millis(20));
    fs::write(folder.join("urls.csv"), web.table()).expect("a table");
    let asked = [
        "run",
        "-q",
        "-e",
        "doc($url)//p:<item>[.:<n=number(b)>][.:<text=string(i)>]",
        "--bind-file",
        "urls.csv",
        "--with-bindings",
        "--overwrite",
        "-o",
    ];
    let (code, stderr) = run(folder, &[&asked[..], &["whole.ndjson", "--jobs", "8"]].concat());
    assert_eq!(code, Some(0), "{stderr}");
    web.take_log();
    let url = server.url();
    let workers = |count: usize| (0..count).map(|_| Worker::start(&url, &["--jobs", "4", "--lease", "1"]));
    let mut workers: Vec<Worker> = workers(4).collect();
    let seconds = delay.as_secs_f64().to_string();
    let submitted = [&asked[..], &["spread.ndjson", "--frontier", &url, "--delay", &seconds]].concat();
    let mut follower = Command::new(PROGRAM)
        .args(&submitted)
        .current_dir(folder)
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts");
    // In the middle, two workers die, and whoever follows.
    let begun = Instant::now();
    while web.count() < 15 {
        assert!(begun.elapsed() < Duration::from_secs(60), "the workers work");
        std::thread::sleep(Duration::from_millis(10));
    }
    workers.drain(..2).for_each(Worker::kill);
    follower.kill().expect("it runs");
    follower.wait().expect("it ends");
    let (code, stderr) = run(folder, &submitted);
    assert_eq!(code, Some(0), "{stderr}");
    let read = |name: &str| fs::read_to_string(folder.join(name)).expect("records");
    assert_eq!(read("spread.ndjson"), read("whole.ndjson"));
    assert_eq!(read("whole.ndjson").lines().count(), 60 * 2);
    // The delay held across workers. On a busy machine a request may arrive late, and the next one in time, so single gaps
    // may be shorter; but not many, and not the time in all. Without shared turns it would be half of that or less.
    let log = web.take_log();
    let gaps = gaps(&log);
    let short = gaps.iter().filter(|gap| **gap < delay / 2).count();
    assert!(
        short * 10 <= gaps.len(),
        "{short} of {} gaps are short: {gaps:?}",
        gaps.len()
    );
    for host in web.hosts() {
        let times: Vec<Instant> = log
            .iter()
            .filter(|(name, _)| name == host)
            .map(|(_, time)| *time)
            .collect();
        assert!(times.len() >= 15, "{host}: {}", times.len());
        let whole = times[times.len() - 1] - times[0];
        assert!(
            whole + delay * 3 > delay * (times.len() as u32 - 1),
            "{host}: {whole:?}"
        );
    }
    // Nothing is left of the job.
    assert_eq!(server.ask("SELECT count(*) FROM wrapwright_frontier.units"), ["0"]);
    assert_eq!(server.ask("SELECT count(*) FROM wrapwright_frontier.records"), ["0"]);
    workers.into_iter().for_each(|worker| worker.stop());
}

#[test]
fn a_wrapper_runs_over_a_list_of_addresses() {
    let server = match database::Server::start() {
        Ok(server) => server,
        Err(why) => return skip("frontier", &why),
    };
    let folder = tempfile::tempdir().expect("a directory");
    let folder = folder.path();
    let web = Web::start(2, 6, Duration::ZERO);
    fs::write(folder.join("urls.txt"), web.list()).expect("a list");
    fs::write(folder.join("p.html"), "<p><b>1</b><i>text 1</i></p>").expect("a page");
    fs::write(folder.join("p.oxp"), "//p:<item>[.:<n=string(b)>][.:<text=string(i)>]").expect("an expression");
    let (code, stderr) = run(folder, &["learn", "-q", "p.html", "--oxpath", "p.oxp", "-o", "w.json"]);
    assert_eq!(code, Some(0), "{stderr}");
    let asked = ["run", "-q", "w.json", "--start", "@urls.txt", "--next", "none", "-o"];
    let (code, stderr) = run(folder, &[&asked[..], &["whole.csv"]].concat());
    assert_eq!(code, Some(0), "{stderr}");
    let url = server.url();
    let worker = Worker::start(&url, &["--jobs", "3"]);
    let (code, stderr) = run(folder, &[&asked[..], &["spread.csv", "--frontier", &url]].concat());
    assert_eq!(code, Some(0), "{stderr}");
    let read = |name: &str| fs::read_to_string(folder.join(name)).expect("records");
    assert_eq!(read("spread.csv"), read("whole.csv"));
    assert_eq!(read("whole.csv").lines().count(), 12 * 2 + 1);
    // Into a table, in portions: whoever follows is stopped, and the rows that are there stay.
    let table = format!("{url}&table=items");
    let (code, stderr) = run(folder, &[&asked[..], &[&table, "--frontier", &url]].concat());
    assert_eq!(code, Some(0), "{stderr}");
    assert_eq!(server.ask("SELECT count(*), count(DISTINCT n) FROM items"), ["24|24"]);
    worker.stop();
    // A page that fails is told, and the others are there.
    let list = format!("{}{}nothing\n", web.list(), web.url(0));
    fs::write(folder.join("urls.txt"), list).expect("a list");
    let worker = Worker::start(&url, &[]);
    let (code, stderr) = run(folder, &[&asked[..], &["some.csv", "--frontier", &url]].concat());
    assert_eq!(code, Some(1), "{stderr}");
    assert_eq!(read("some.csv"), read("whole.csv"));
    worker.stop();
}

#[test]
fn what_cannot_work_is_refused() {
    let folder = tempfile::tempdir().expect("a directory");
    let refused = |args: &[&str], code: i32, expected: &str| {
        let (found, stderr) = run(folder.path(), args);
        assert_eq!(found, Some(code), "{args:?}: {stderr}");
        assert!(stderr.contains(expected), "{args:?}: {stderr}");
    };
    let nowhere = "postgresql://nobody@127.0.0.1:1/none";
    let expression = ["run", "-e", "doc('http://127.0.0.1:1/')//p:<p=.>", "--frontier"];
    refused(&["worker", nowhere], 4, "check that the server runs");
    refused(&[&expression[..], &[nowhere]].concat(), 4, "PostgreSQL 127.0.0.1/none");
    refused(&["worker", "db.example.org"], 2, "not the address of a frontier");
    refused(&[&expression[..], &[nowhere, "--run", "kept"]].concat(), 2, "--run");
    refused(
        &[&expression[..], &[nowhere, "--driver", "chromium"]].concat(),
        2,
        "--driver",
    );
}
