//! Runs that are kept in a directory and go on: after kills, a full disk, a changed expression, two processes at once.

#[path = "../../columnar/tests/stores/server.rs"]
#[allow(dead_code, reason = "other tests use the rest of it")]
mod database;
mod kills;

use kills::{Blow, Chance, Site, Trial, has_module, losses, numbers};
use skip::skip;
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

const PROGRAM: &str = env!("CARGO_BIN_EXE_wrapwright");

fn run(folder: &Path, args: &[&str]) -> (Option<i32>, String) {
    let Output { status, stderr, .. } = Command::new(PROGRAM)
        .arg("run")
        .args(args)
        .current_dir(folder)
        .output()
        .expect("the program starts");
    (status.code(), String::from_utf8_lossy(&stderr).into_owned())
}

/// The seeded version of `wrapwright-bench`'s `kills`: every sink, with 1, 4 and 16 jobs, three kills each.
#[test]
fn nothing_is_lost_or_doubled_by_kills() {
    let site = Site::start(12, Duration::from_millis(4));
    let expression = site.expression();
    let has_arrow = has_module("pyarrow");
    if !has_arrow {
        skip("resume", "Python has no pyarrow");
    }
    let outputs = [
        "o.ndjson",
        "o.json",
        "o.csv",
        "o.xml",
        "o.ndjson.gz",
        "o.parquet",
        "p.parquet/",
        "o.arrows",
        "o.sqlite#items",
    ];
    let outputs = outputs
        .into_iter()
        .filter(|name| has_arrow || !(name.contains("parquet") || name.contains("arrows")));
    for (case, output) in outputs.enumerate() {
        let folder = tempfile::tempdir().expect("a directory");
        let mut chance = Chance::new(case as u64 + 1);
        let jobs = [1, 4, 16][case % 3];
        let trial = Trial {
            program: Path::new(PROGRAM),
            folder: folder.path(),
            run: "kept",
            jobs,
        };
        let args = ["-e", &expression, "--no-meta", "-o", output, "--part-seconds", "0.05"];
        site.take_asked();
        let fate = trial.strike(&args, Blow::Kill, 3, Duration::from_millis(900), &mut chance);
        let found = numbers(folder.path(), output);
        let expected: Vec<usize> = (0..site.records()).collect();
        assert_eq!(found, expected, "{output}, {jobs} jobs, {fate:?}");
        // What was fetched is not fetched again, except what was under way.
        let asked = site.take_asked();
        let most = site.pages() + fate.blows * (jobs + 2);
        assert!(asked <= most, "{output}: {asked} requests for {} pages", site.pages());
    }
}

#[test]
fn a_table_of_postgresql_goes_on_after_kills() {
    let server = match database::Server::start() {
        Ok(server) => server,
        Err(why) => return skip("resume", &why),
    };
    let site = Site::start(12, Duration::from_millis(4));
    let folder = tempfile::tempdir().expect("a directory");
    let expression = site.expression();
    for (case, more) in [&["--no-meta"][..], &["--key", "n", "--mark-gone"], &["--publish"]]
        .into_iter()
        .enumerate()
    {
        let place = format!("{}&table=t{case}", server.url());
        let run = format!("kept{case}");
        let trial = Trial {
            program: Path::new(PROGRAM),
            folder: folder.path(),
            run: &run,
            jobs: 4,
        };
        let mut args = vec!["-e", expression.as_str(), "-o", &place];
        args.extend(more);
        trial.strike(
            &args,
            Blow::Kill,
            3,
            Duration::from_millis(900),
            &mut Chance::new(case as u64),
        );
        let rows = server.ask(&format!("SELECT n::int FROM t{case} ORDER BY _id"));
        let rows: Vec<usize> = rows.iter().map(|row| row.parse().expect("a number")).collect();
        assert_eq!(losses(&rows, site.records()), (0, 0), "{more:?}");
    }
}

#[test]
fn tables_with_a_key_tell_what_was_new_in_the_whole_run() {
    let site = Site::start(12, Duration::from_millis(4));
    let folder = tempfile::tempdir().expect("a directory");
    let trial = Trial {
        program: Path::new(PROGRAM),
        folder: folder.path(),
        run: "kept",
        jobs: 4,
    };
    let expression = site.expression();
    let args = ["-e", &expression, "-o", "o.sqlite#items", "--key", "n", "--mark-gone"];
    let fate = trial.strike(
        &args,
        Blow::TermTwice,
        3,
        Duration::from_millis(700),
        &mut Chance::new(5),
    );
    assert_eq!(
        losses(&numbers(folder.path(), "o.sqlite#items"), site.records()),
        (0, 0)
    );
    let told = format!("records: {} new, 0 changed, 0 as before, 0 gone", site.records());
    assert!(fate.words.contains(&told), "{}", fate.words);
}

#[test]
fn records_of_several_pages_are_whole_after_a_stop() {
    let site = Site::start(8, Duration::from_millis(4));
    let folder = tempfile::tempdir().expect("a directory");
    let expression = site.nested();
    for (case, output) in ["o.ndjson", "o.sqlite#items"].into_iter().enumerate() {
        for (number, blow) in [Blow::Term, Blow::Kill].into_iter().enumerate() {
            let run = format!("kept{case}{number}");
            let output = format!("{number}{output}");
            let trial = Trial {
                program: Path::new(PROGRAM),
                folder: folder.path(),
                run: &run,
                jobs: [1, 4][number],
            };
            let args = ["-e", &expression, "--no-meta", "-o", &output];
            trial.strike(
                &args,
                blow,
                4,
                Duration::from_millis(700),
                &mut Chance::new(case as u64 + 7),
            );
            assert_eq!(
                numbers(folder.path(), &output),
                site.nested_numbers(),
                "{output} {blow:?}"
            );
        }
    }
}

#[test]
fn a_wrapper_goes_on_over_its_site() {
    let site = Site::start(12, Duration::from_millis(4));
    let folder = tempfile::tempdir().expect("a directory");
    let page = "<ul><li><b>7</b><i>text 7, x</i></li><li><b>8</b><i>text 8, y</i></li></ul>";
    fs::write(folder.path().join("a.html"), page).expect("a file");
    fs::write(
        folder.path().join("examples.csv"),
        "page,n,text\na.html,7,\"text 7, x\"\na.html,8,\"text 8, y\"\n",
    )
    .expect("a file");
    let learnt = Command::new(PROGRAM)
        .args(["learn", "a.html", "--examples", "examples.csv", "-o", "w.json"])
        .current_dir(folder.path())
        .output()
        .expect("the program starts");
    assert!(learnt.status.success(), "{}", String::from_utf8_lossy(&learnt.stderr));
    for jobs in [1, 16] {
        let run = format!("kept{jobs}");
        let trial = Trial {
            program: Path::new(PROGRAM),
            folder: folder.path(),
            run: &run,
            jobs,
        };
        let output = format!("{jobs}.csv");
        let url = site.url();
        let args = [
            "w.json",
            "--start",
            &url,
            "--follow",
            "//a[@class='item']",
            "-o",
            &output,
        ];
        trial.strike(
            &args,
            Blow::Kill,
            3,
            Duration::from_millis(700),
            &mut Chance::new(jobs as u64),
        );
        assert_eq!(
            losses(&numbers(folder.path(), &output), site.records()),
            (0, 0),
            "{jobs} jobs"
        );
    }
}

#[test]
fn a_run_that_has_ended_asks_for_nothing_and_a_directory_has_one_run() {
    let site = Site::start(2, Duration::ZERO);
    let folder = tempfile::tempdir().expect("a directory");
    let (at, expression) = (folder.path(), site.expression());
    let args = ["-e", &expression, "-o", "o.csv", "--run", "kept"];
    assert_eq!(run(at, &args).0, Some(0));
    site.take_asked();
    let (code, words) = run(at, &["--resume", "kept"]);
    assert_eq!((code, site.take_asked()), (Some(0), 0), "{words}");
    assert!(words.contains("nothing to resume"), "{words}");
    let (code, words) = run(at, &args);
    assert_eq!(code, Some(2));
    assert!(words.contains("which has ended"), "{words}");
    let (code, words) = run(at, &["--resume", "nowhere"]);
    assert_eq!(code, Some(2));
    assert!(words.contains("there is no run"), "{words}");
    assert!(!at.join("nowhere").exists());
}

#[test]
fn what_does_not_go_with_a_directory_is_said_before_it_is_made() {
    let site = Site::start(2, Duration::ZERO);
    let folder = tempfile::tempdir().expect("a directory");
    let (at, expression) = (folder.path(), site.expression());
    for (more, expected) in [
        (&[][..], "standard output in a run that can be resumed"),
        (&["-o", "/dev/null"], "in a run that can be resumed"),
        (
            &["-o", "o.sqlite#items", "--browser"],
            "asking for pages again needs a key",
        ),
        (&["-o", "o.csv", "--header", "X: file:/no/such/file"], "header X"),
    ] {
        let mut args = vec!["-e", expression.as_str(), "--run", "kept"];
        args.extend(more);
        let (code, words) = run(at, &args);
        assert_eq!(code, Some(2), "{more:?}: {words}");
        assert!(words.contains(expected), "{more:?}: {words}");
        assert!(!at.join("kept").exists(), "{more:?}");
    }
}

#[test]
fn a_changed_expression_is_refused() {
    let site = Site::start(12, Duration::from_millis(4));
    let folder = tempfile::tempdir().expect("a directory");
    let at = folder.path();
    fs::write(at.join("x.oxp"), site.expression()).expect("a file");
    let (code, words) = run(
        at,
        &["x.oxp", "-o", "o.sqlite#items", "--run", "kept", "--max-pages", "5"],
    );
    assert_eq!(code, Some(0), "{words}");
    assert!(words.contains("--resume"), "{words}");
    fs::write(
        at.join("x.oxp"),
        site.expression().replace("<n=number(b)>", "<n=number(b) + 1>"),
    )
    .expect("a file");
    let (code, words) = run(at, &["--resume", "kept", "--max-pages", "20"]);
    assert_eq!(code, Some(2));
    assert!(words.contains("--force"), "{words}");
    // The same expression again, and more pages than before.
    fs::write(at.join("x.oxp"), site.expression()).expect("a file");
    let (code, words) = run(at, &["--resume", "kept", "--max-pages", "20"]);
    assert_eq!(code, Some(0), "{words}");
    let found = numbers(at, "o.sqlite#items");
    let expected: Vec<usize> = (0..found.len()).collect();
    assert!(found.len() > 12, "{found:?}");
    assert_eq!(found, expected);
}

#[test]
fn records_that_are_not_those_of_before_are_refused() {
    let folder = tempfile::tempdir().expect("a directory");
    let at = folder.path();
    // A local file is not recorded: it is read again.
    let site = Site::start(2, Duration::ZERO);
    let list = |first: &str| {
        format!(
            "<li><b>{first}</b><i>text {first}, </i><a href='{}'>more</a></li>",
            site.url()
        )
    };
    fs::write(at.join("a.html"), list("0") + &list("1")).expect("a file");
    let expression = "doc('a.html')//li:<item>[.:<n=number(b)>][.:<text=string(i)>][a/{click /}//a[1]:<l=.>]";
    let args = [
        "-e",
        expression,
        "-o",
        "o.sqlite#items",
        "--run",
        "kept",
        "--max-pages",
        "2",
        "--allow-private",
    ];
    let (code, words) = run(at, &args);
    assert_eq!(code, Some(0), "{words}");
    assert_eq!(numbers(at, "o.sqlite#items"), [0]);
    fs::write(at.join("a.html"), list("1") + &list("0")).expect("a file");
    let (code, words) = run(at, &["--resume", "kept", "--max-pages", "9"]);
    assert_eq!(code, Some(4), "{words}");
    assert!(words.contains("not those that were written before"), "{words}");
    assert_eq!(numbers(at, "o.sqlite#items"), [0]);
    fs::write(at.join("a.html"), list("0") + &list("1")).expect("a file");
    let (code, words) = run(at, &["--resume", "kept", "--max-pages", "9"]);
    assert_eq!(code, Some(0), "{words}");
    assert_eq!(numbers(at, "o.sqlite#items"), [0, 1]);
}

#[test]
fn two_processes_do_not_work_on_one_run() {
    let site = Site::start(40, Duration::from_millis(20));
    let folder = tempfile::tempdir().expect("a directory");
    let mut first = Command::new(PROGRAM)
        .args(["run", "-e", &site.expression(), "-o", "o.csv", "--run", "kept"])
        .current_dir(folder.path())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts");
    let begun = Instant::now();
    while !folder.path().join("o.csv.part").exists() {
        assert!(begun.elapsed() < Duration::from_secs(60));
        std::thread::sleep(Duration::from_millis(5));
    }
    let (code, words) = run(folder.path(), &["--resume", "kept"]);
    first.kill().expect("it runs");
    first.wait().expect("it ends");
    assert_eq!(code, Some(2));
    assert!(words.contains("another process works on this run"), "{words}");
    let listed = Command::new(PROGRAM)
        .args(["runs", "."])
        .current_dir(folder.path())
        .output()
        .expect("the program starts");
    assert!(String::from_utf8_lossy(&listed.stdout).contains("killed"));
}

#[test]
fn added_records_come_after_those_that_were_there() {
    let site = Site::start(12, Duration::from_millis(4));
    let folder = tempfile::tempdir().expect("a directory");
    let expression = site.expression();
    for output in ["o.ndjson", "o.csv", "o.json"] {
        let (code, words) = run(
            folder.path(),
            &["-e", &expression, "--no-meta", "-o", output, "--max-pages", "3"],
        );
        assert_eq!(code, Some(0), "{words}");
        let before = numbers(folder.path(), output);
        assert!(!before.is_empty());
        let run = format!("kept-{output}");
        let trial = Trial {
            program: Path::new(PROGRAM),
            folder: folder.path(),
            run: &run,
            jobs: 4,
        };
        let args = ["-e", &expression, "--no-meta", "-o", output, "--append"];
        trial.strike(&args, Blow::Kill, 3, Duration::from_millis(700), &mut Chance::new(3));
        let expected: Vec<usize> = before.iter().copied().chain(0..site.records()).collect();
        assert_eq!(numbers(folder.path(), output), expected, "{output}");
    }
}

#[test]
fn a_run_goes_on_when_a_full_disk_has_room_again() {
    let folder = tempfile::tempdir().expect("a directory");
    let at = folder.path();
    let mount = |size: &str, options: &str| {
        let options = format!("size={size}{options}");
        Command::new("mount")
            .args(["-t", "tmpfs", "-o", &options, "tmpfs"])
            .arg(at)
            .output()
            .is_ok_and(|output| output.status.success())
    };
    if !mount("400k", "") {
        return skip("resume", "a small disk cannot be mounted here");
    }
    let site = Site::start(40, Duration::ZERO);
    let expression = site.expression();
    for output in ["o.ndjson", "o.sqlite#items", "o.csv"] {
        let name = format!("kept-{output}").replace('#', "-");
        let begun = run(
            at,
            &[
                "-e",
                &expression,
                "--no-meta",
                "-o",
                output,
                "--run",
                &name,
                "--jobs",
                "4",
            ],
        );
        assert_eq!(begun.0, Some(4), "{output}: {}", begun.1);
        assert!(mount("40m", ",remount"), "more room");
        let resumed = run(at, &["--resume", &name]);
        assert_eq!(resumed.0, Some(0), "{output}: {}", resumed.1);
        assert_eq!(losses(&numbers(at, output), site.records()), (0, 0), "{output}");
        for entry in fs::read_dir(at).expect("a directory").flatten() {
            let _ = fs::remove_dir_all(entry.path()).or_else(|_| fs::remove_file(entry.path()));
        }
        assert!(mount("400k", ",remount"), "less room");
    }
    let _ = Command::new("umount").arg(at).output();
}

#[test]
fn only_what_an_earlier_run_did_not_find_is_written() {
    let site = Site::start(4, Duration::ZERO);
    let folder = tempfile::tempdir().expect("a directory");
    let (at, expression) = (folder.path(), site.expression());
    // The first run sees the first pages only.
    let first = [
        "-e",
        &expression,
        "-o",
        "1.ndjson",
        "--run",
        "runs/1",
        "--max-pages",
        "5",
    ];
    assert_eq!(run(at, &first).0, Some(0));
    let seen = numbers(at, "1.ndjson");
    assert!(!seen.is_empty() && seen.len() < site.records());
    let second = [
        "-e",
        &expression,
        "-o",
        "2.ndjson",
        "--run",
        "runs/2",
        "--since",
        "runs/1",
    ];
    let (code, words) = run(at, &second);
    assert_eq!(code, Some(0), "{words}");
    let expected: Vec<usize> = (seen.len()..site.records()).collect();
    assert_eq!(numbers(at, "2.ndjson"), expected, "{words}");
    assert!(
        words.contains(&format!("{} records known before", seen.len())),
        "{words}"
    );
    // The second run knows all of them, also those that it left out: the third ends at once, and its file is whole.
    site.take_asked();
    let third = [
        "-e",
        &expression,
        "-o",
        "3.ndjson",
        "--run",
        "runs/3",
        "--since",
        "runs/2",
    ];
    let third = [&third[..], &["--stop-at-known", "3", "--summary", "s.json"]].concat();
    let (code, words) = run(at, &third);
    assert_eq!(code, Some(0), "{words}");
    assert!(words.contains("stopped by --stop-at-known"), "{words}");
    assert!(site.take_asked() < 5);
    assert_eq!(fs::read_to_string(at.join("3.ndjson")).expect("a whole file"), "");
    let summary: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(at.join("s.json")).expect("a summary")).expect("JSON");
    assert_eq!(
        (&summary["known"], &summary["ended"]),
        (&3.into(), &"known".into()),
        "{summary}"
    );
    assert_eq!(summary["written"]["records"], 0);
    assert!(run(at, &["--resume", "runs/3"]).1.contains("nothing to resume"));
    let nowhere = [
        "-e",
        &expression,
        "-o",
        "4.ndjson",
        "--run",
        "runs/4",
        "--since",
        "runs/9",
    ];
    let (code, words) = run(at, &nowhere);
    assert_eq!(code, Some(2));
    assert!(
        words.contains("there is no run") && !at.join("runs/4").exists(),
        "{words}"
    );
}

#[test]
fn a_run_tells_how_far_it_is() {
    let site = Site::start(10, Duration::from_millis(10));
    let folder = tempfile::tempdir().expect("a directory");
    let expression = site.expression();
    let args = [
        "-e",
        &expression,
        "-o",
        "o.csv",
        "--log",
        "json",
        "--log-interval",
        "0.2",
    ];
    let (code, words) = run(folder.path(), &args);
    assert_eq!(code, Some(0), "{words}");
    let events: Vec<serde_json::Value> = words
        .lines()
        .filter_map(|line| serde_json::from_str(line).ok())
        .collect();
    let names: Vec<&str> = events.iter().filter_map(|event| event["event"].as_str()).collect();
    assert_eq!((names.first(), names.last()), (Some(&"begin"), Some(&"end")), "{words}");
    assert!(names.contains(&"progress"), "{words}");
    let end = events.last().expect("an event");
    assert_eq!(
        (&end["records"], &end["pages"]),
        (&site.records().into(), &site.pages().into())
    );
}

#[test]
fn what_failed_can_be_asked_for_again() {
    use demo::server::{Answer, Request, Response, start};
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};
    let broken = Arc::new(AtomicBool::new(true));
    let is_broken = Arc::clone(&broken);
    let server = start("127.0.0.1:0", move |request: &Request| -> Answer {
        let number = request.path.trim_start_matches('/');
        Answer::Whole(match number {
            "" => Response::html("<a href=0>0</a><a href=1>1</a><a href=2>2</a>"),
            "1" if is_broken.load(Ordering::SeqCst) => Response::plain(503),
            number => Response::html(format!("<li><b>{number}</b><i>text {number}, </i></li>")),
        })
    })
    .expect("a free port");
    let folder = tempfile::tempdir().expect("a directory");
    let at = folder.path();
    let expression = format!(
        "doc('{}')//a/{{click /}}//li:<item>[.:<n=number(b)>][.:<text=string(i)>]",
        server.url()
    );
    let outputs = [
        ("o.csv", &[][..]),
        ("o.sqlite#items", &["--key", "n"]),
        ("p.sqlite#items", &[]),
    ];
    for (number, (output, more)) in outputs.into_iter().enumerate() {
        broken.store(true, Ordering::SeqCst);
        let kept = format!("kept{number}");
        let args = [
            "-e",
            &expression,
            "-o",
            output,
            "--run",
            &kept,
            "--retries",
            "0",
            "--ignore-robots",
        ];
        let (code, words) = run(at, &[&args[..], more].concat());
        assert_eq!(code, Some(1), "{words}");
        assert_eq!(numbers(at, output), [0, 2]);
        broken.store(false, Ordering::SeqCst);
        let (code, words) = run(at, &["--resume", &kept, "--retry-failed"]);
        let mut found = numbers(at, output);
        found.sort_unstable();
        match number {
            2 => {
                assert_eq!((code, found), (Some(2), vec![0, 2]), "{words}");
                assert!(words.contains("needs a key"), "{words}");
            }
            _ => assert_eq!((code, found), (Some(0), vec![0, 1, 2]), "{words}"),
        }
    }
}
