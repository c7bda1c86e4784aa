//! `wrapwright run`: where records go, and that no mistake costs any.

use demo::server::{Answer, Request, Response, Running, start};
use std::path::Path;
use std::process::{Command, Output};

fn serve() -> Running {
    start("127.0.0.1:0", |request: &Request| {
        Answer::Whole(match request.path.as_str() {
            "/" => {
                Response::html("<div><a>1</a><b><i>2</i></b></div>").with_header("Set-Cookie", "seen=yes; Max-Age=1000")
            }
            _ => Response::plain(404),
        })
    })
    .expect("a free port")
}

fn run(folder: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_wrapwright"))
        .args(["run", "--no-meta"])
        .args(args)
        .current_dir(folder)
        .output()
        .expect("a run")
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[track_caller]
fn mistake(output: &Output, part: &str) {
    let stderr = stderr(output);
    assert_eq!(output.status.code(), Some(2), "{stderr}");
    assert!(stderr.contains(part), "{stderr}");
}

fn files(folder: &Path) -> Vec<String> {
    let mut files: Vec<String> = std::fs::read_dir(folder)
        .expect("a directory")
        .flatten()
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    files.sort();
    files
}

#[test]
fn a_mistake_leaves_all_files_as_they_were() {
    let server = serve();
    let folder = tempfile::tempdir().expect("a directory");
    std::fs::write(folder.path().join("out"), "precious").expect("a file");
    std::fs::write(folder.path().join("notes"), "# Notes\nmilk\n").expect("a file");
    std::fs::create_dir(folder.path().join("dir")).expect("a directory");
    let expression = format!("doc('{}')//div:<r>[a:<x=.>]", server.url());
    let common = ["-e", &expression, "--record", "x.warc", "-o", "out"];
    for (args, part) in [
        (&["--format", "csv", "--rows", "nosuch"][..], "no nested records"),
        (&["--format", "csv", "--rows", "."], "no nested records"),
        (&["--rows", "r"], "--format csv"),
        (&["--cookies", "notes"], "found no cookies in notes"),
        (&["--cookies", "dir"], "the cookies cannot be written to dir"),
        (&["--cookies", "out/x"], "the cookies cannot be written to out/x"),
        (&["--driver", "ftp"], "no driver"),
        (&["--header", "X: env:NO_SUCH_VARIABLE_HERE"], "no variable"),
    ] {
        let output = run(folder.path(), &[&common[..], args].concat());
        mistake(&output, part);
        assert_eq!(files(folder.path()), ["dir", "notes", "out"], "{args:?}");
        assert_eq!(
            std::fs::read_to_string(folder.path().join("out")).expect("a file"),
            "precious"
        );
    }
    assert_eq!(
        std::fs::read_to_string(folder.path().join("notes")).expect("a file"),
        "# Notes\nmilk\n"
    );
    let output = run(folder.path(), &["-e", &expression, "--record", "x.warc", "-o", "dir"]);
    mistake(&output, "dir is a directory");
    assert_eq!(files(folder.path()), ["dir", "notes", "out"]);
}

#[test]
fn links_are_followed_and_what_is_no_file_is_written_into() {
    let server = serve();
    let folder = tempfile::tempdir().expect("a directory");
    let at = |name: &str| folder.path().join(name);
    let expression = format!("doc('{}')//div:<r>[a:<x=.>]", server.url());
    std::fs::create_dir(at("elsewhere")).expect("a directory");
    for link in ["out", "jar"] {
        std::os::unix::fs::symlink(format!("elsewhere/{link}"), at(link)).expect("a link");
    }
    for _ in 0..2 {
        let output = run(folder.path(), &["-e", &expression, "-o", "out", "--cookies", "jar"]);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        assert_eq!(
            std::fs::read_to_string(at("elsewhere/out")).expect("a file"),
            "{\"x\":[\"1\"]}\n"
        );
        assert!(
            std::fs::read_to_string(at("elsewhere/jar"))
                .expect("a file")
                .contains("seen\tyes")
        );
        assert_eq!(files(&at("elsewhere")), ["jar", "out"]);
        assert!(at("out").is_symlink() && at("jar").is_symlink());
    }
    let made = Command::new("mkfifo").arg(at("pipe")).status().expect("mkfifo");
    assert!(made.success());
    let pipe = at("pipe");
    let reader = std::thread::spawn(move || std::fs::read_to_string(pipe).expect("records"));
    let output = run(folder.path(), &["-e", &expression, "-o", "pipe"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(reader.join().expect("a reader"), "{\"x\":[\"1\"]}\n");
    assert_eq!(files(folder.path()), ["elsewhere", "jar", "out", "pipe"]);
}

/// What cannot be kept at the end does not take the records along, and the summary is the last line all the same.
#[test]
fn records_outlive_what_else_fails() {
    let folder = tempfile::tempdir().expect("a directory");
    let jar = folder.path().join("jars/jar");
    let taken = jar.clone();
    let server = start("127.0.0.1:0", move |_: &Request| {
        // Takes the place of the file while the run goes.
        let _ = std::fs::create_dir_all(taken.join("x"));
        Answer::Whole(Response::html("<div><a>1</a></div>"))
    })
    .expect("a free port");
    let expression = format!("doc('{}')//div:<r>[a:<x=.>]", server.url());
    let args = [
        "-e",
        &expression,
        "-o",
        "out",
        "--cookies",
        "jars/jar",
        "--record",
        "x.warc",
        "--summary",
        "json",
    ];
    let output = run(folder.path(), &args);
    let stderr = stderr(&output);
    assert_eq!(output.status.code(), Some(4), "{stderr}");
    assert!(stderr.contains("the cookies cannot be written"), "{stderr}");
    assert!(
        stderr.lines().last().expect("a summary").starts_with("{\"records\":1,"),
        "{stderr}"
    );
    assert_eq!(
        std::fs::read_to_string(folder.path().join("out")).expect("a file"),
        "{\"x\":[\"1\"]}\n"
    );
    assert!(folder.path().join("x.warc").exists(), "the recording is finished");
    let output = run(
        folder.path(),
        &["-e", &expression, "-o", "/dev/full", "--summary", "json"],
    );
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(4), "{stderr}");
    assert!(
        stderr.contains("cannot write /dev/full: No space left on device"),
        "{stderr}"
    );
    assert!(stderr.lines().last().expect("a summary").starts_with('{'), "{stderr}");
}

#[test]
fn a_table_has_room_for_a_value_and_a_record_of_one_name() {
    let server = serve();
    let folder = tempfile::tempdir().expect("a directory");
    let site = server.url();
    for (expression, rows, expected) in [
        (
            format!("doc('{site}')//div:<r>[a:<x=.>][b:<x>[i:<y=.>]]"),
            &[][..],
            "x,x.y\n1,2\n",
        ),
        (
            format!("doc('{site}')//div:<r>[a:<x=.>][b:<x>[i:<y=.>]]"),
            &["--rows", "x"],
            "x,x.y\n1,2\n",
        ),
        (
            format!("doc('{site}')//a:<x=.> | doc('{site}')//b:<x>[i:<y=.>]"),
            &[],
            "x,y\n1,\n\"\",2\n",
        ),
    ] {
        let output = run(folder.path(), &[&["-e", &expression, "--format", "csv"], rows].concat());
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        assert_eq!(String::from_utf8_lossy(&output.stdout), expected, "{expression}");
    }
}

#[test]
fn markers_do_not_have_the_names_of_our_keys() {
    let folder = tempfile::tempdir().expect("a directory");
    for name in ["_record", "_page", "_bind", "_value"] {
        let expression = format!("doc('http://127.0.0.1:1/')//div:<r>[a:<{name}=.>]");
        for flags in [&[][..], &["--check"]] {
            let output = run(folder.path(), &[&["-e", &expression], flags].concat());
            mistake(&output, &format!("the marker `{name}`"));
        }
    }
}

#[test]
fn attributes_of_bindings_are_told_apart() {
    let server = serve();
    let folder = tempfile::tempdir().expect("a directory");
    let expression = format!("doc('{}')//div:<r>[a:<x=.>]", server.url());
    let args = [
        "-e",
        &expression,
        "--format",
        "xml",
        "--with-bindings",
        "--bind",
        "a b=1\n2",
        "--bind",
        "a_x0020_b=3",
    ];
    let output = run(folder.path(), &args);
    let stdout = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(
        stdout.contains("<r a_x0020_b=\"1&#10;2\" a_x005F_x0020_b=\"3\">"),
        "{stdout}"
    );
}

#[cfg(unix)]
#[test]
fn an_interrupted_extraction_leaves_whole_lines() {
    use std::io::{BufRead, BufReader, Read};
    use std::process::{Command, Stdio};
    let directory = tempfile::tempdir().expect("a directory");
    let at = directory.path();
    let rows: String = (0..300).map(|row| format!("<li class=b><b>{row}</b>")).collect();
    std::fs::write(at.join("a.html"), rows).expect("a page");
    std::fs::write(at.join("w.json"), ROWS).expect("a wrapper");
    let mut child = Command::new(env!("CARGO_BIN_EXE_wrapwright"))
        .current_dir(at)
        .args(["extract", "w.json", "--no-meta", "--jobs", "1"])
        .args(std::iter::repeat_n("a.html", 20_000))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("a run");
    let mut lines = BufReader::new(child.stdout.take().expect("a pipe"));
    let mut text = String::new();
    lines.read_line(&mut text).expect("a line");
    let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(kill.expect("a signal").success());
    lines.read_to_string(&mut text).expect("lines");
    let mut said = String::new();
    let mut words = child.stderr.take().expect("a pipe");
    words.read_to_string(&mut said).expect("words");
    assert_eq!(child.wait().expect("an end").code(), Some(130), "{said}");
    assert!(
        said.contains("interrupted: the records of ") && said.contains(" of 20000 are written"),
        "{said}"
    );
    assert!(text.ends_with('\n'));
    for line in text.lines() {
        assert!(
            serde_json::from_str::<serde_json::Value>(line).is_ok_and(|line| line["n"].is_string()),
            "{line}"
        );
    }
    assert!(text.lines().count().is_multiple_of(300), "the records of whole pages");
}

/// A wrapper whose records are the list items of a page.
const ROWS: &str = r#"{ "wrapwright": 1, "kind": "oxpath",
  "schema": { "name": "row", "fields": [{ "name": "n", "kind": "text" }] },
  "rule": "//li.b:<row>[b[1]:<n=.>]", "evidence": { "pages": [] } }"#;
