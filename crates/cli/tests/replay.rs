//! A recorded run, replayed with the server gone: the same records, byte for byte.

use std::path::Path;
use std::process::{Command, Output};

fn run(folder: &Path, site: &str, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_wrapwright"))
        .arg("run")
        .args(args)
        .args(["--bind", &format!("site={site}"), "--bind", "password=lighthouse"])
        .current_dir(folder)
        .output()
        .expect("a run")
}

#[test]
fn a_replay_gives_the_same_records() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let folder = tempfile::tempdir().expect("a directory");
    for (example, jobs) in [
        ("shop", "1"),
        ("shop", "4"),
        ("login", "1"),
        ("flights", "1"),
        ("citations", "3"),
    ] {
        let server = demo::server::start("127.0.0.1:0", demo::Demo).expect("a free port");
        let site = server.url();
        let script = root.join(format!("{example}.oxp"));
        let script = script.to_str().expect("a path in Unicode");
        let file = format!("{example}-{jobs}.warc.gz");
        let recorded = run(folder.path(), &site, &[script, "--jobs", jobs, "--record", &file]);
        let stderr = String::from_utf8_lossy(&recorded.stderr);
        assert_eq!(recorded.status.code(), Some(0), "{stderr}");
        assert!(!recorded.stdout.is_empty());
        drop(server);
        for jobs in ["1", "4"] {
            let driver = format!("archive:{file}");
            let replayed = run(folder.path(), &site, &[script, "--jobs", jobs, "--driver", &driver]);
            let stderr = String::from_utf8_lossy(&replayed.stderr);
            assert_eq!(replayed.status.code(), Some(0), "{example}: {stderr}");
            assert_eq!(replayed.stdout, recorded.stdout, "{example}");
        }
        let gone = run(folder.path(), &site, &[script, "--retries", "0"]);
        assert_eq!(gone.status.code(), Some(4), "the server is gone");
        // The recording is pages, too.
        let query = Command::new(env!("CARGO_BIN_EXE_wrapwright"))
            .args(["query", "--count", "//title", &file])
            .current_dir(folder.path())
            .output()
            .expect("a query");
        assert_eq!(query.status.code(), Some(0));
        assert!(
            String::from_utf8_lossy(&query.stdout)
                .lines()
                .all(|line| line.starts_with(&site) && line.ends_with(": 1"))
        );
    }
}

#[test]
fn a_recording_is_not_overwritten_and_a_wrong_driver_is_named() {
    let folder = tempfile::tempdir().expect("a directory");
    std::fs::write(folder.path().join("there.warc.gz"), "precious").expect("a file");
    let expression = ["-e", "doc('http://127.0.0.1:1/')//a:<a=.>"];
    let output = run(
        folder.path(),
        "x",
        &[&expression[..], &["--record", "there.warc.gz"]].concat(),
    );
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{stderr}");
    assert!(stderr.contains("there.warc.gz exists already"), "{stderr}");
    for (driver, part) in [
        ("ftp", "there is no driver `ftp`"),
        ("archive:none.warc", "none.warc cannot be replayed"),
        ("archive:there.warc.gz", "there.warc.gz cannot be replayed"),
    ] {
        let output = run(folder.path(), "x", &[&expression[..], &["--driver", driver]].concat());
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{stderr}");
        assert!(stderr.contains(part), "{stderr}");
    }
}
