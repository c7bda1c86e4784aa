//! Files without end, terminals that obey pages, output that nobody can write to, systems without threads, killed runs.
#![cfg(unix)]

use demo::server::{Answer, Request, Response, start};
use std::fs;
use std::io::Write;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

const BINARY: &str = env!("CARGO_BIN_EXE_wrapwright");

/// Runs the program with at most 2 GB of memory, so that reading without end fails soon.
fn run(folder: &Path, args: &[&str]) -> Output {
    let start = Instant::now();
    let output = Command::new("bash")
        .args(["-c", "ulimit -v 2000000; exec \"$@\"", "bash", BINARY])
        .args(args)
        .current_dir(folder)
        .output()
        .expect("bash");
    let taken = start.elapsed();
    assert!(taken < Duration::from_secs(60), "{args:?} took {taken:?}");
    output
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// A folder with a page, a wrapper and the other files that a command may need.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a directory");
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).expect("a file");
    write("a.html", "<title>T</title><p>one</p><p>two</p>");
    write(
        "w.json",
        r#"{"wrapwright": 1, "kind": "oxpath", "schema": {"name": "r", "fields": [{"name": "t", "kind": "text"}]},
            "rule": "doc('a.html')//p:<r>[.:<t=string(.)>]"}"#,
    );
    write(
        "words.json",
        r#"{"t": {"words-file": "/dev/zero", "mistakes": "none"}}"#,
    );
    fs::create_dir(folder.path().join("album")).expect("a directory");
    symlink("/dev/zero", folder.path().join("album/manifest.ndjson")).expect("a link");
    folder
}

#[test]
fn files_without_end() {
    let folder = folder();
    let expression = "doc('http://127.0.0.1:1/${x}')//p:<r>[.:<t=.>]";
    for (args, limit) in [
        (&["extract", "/dev/zero", "a.html"][..], "16777216"),
        (&["show", "/dev/zero"], "16777216"),
        (&["check", "/dev/zero", "a.html"], "16777216"),
        (&["repair", "/dev/zero", "a.html"], "16777216"),
        (&["learn", "a.html", "--examples", "/dev/zero"], "16777216"),
        (&["learn", "a.html", "--recognizers", "/dev/zero"], "16777216"),
        (&["learn", "a.html", "--recognizers", "words.json"], "16777216"),
        (&["learn", "a.html", "--oxpath", "/dev/zero"], "16777216"),
        (
            &["learn", "a.html", "--schema", "/dev/zero", "--examples", "words.json"],
            "16777216",
        ),
        (&["run", "/dev/zero"], "2097152"),
        (&["run", "-e", expression, "--bind-file", "/dev/zero"], "268435456"),
        (&["fetch", "--from", "/dev/zero", "-o", "out"], "268435456"),
        (&["fetch", "http://127.0.0.1:1/", "-o", "album"], "268435456"),
    ] {
        let output = run(folder.path(), args);
        let stderr = stderr(&output);
        assert!(matches!(output.status.code(), Some(2 | 4)), "{args:?}: {stderr}");
        assert!(
            stderr.contains(&format!("found more than {limit} bytes")),
            "{args:?}: {stderr}"
        );
    }
}

#[test]
fn settings_secrets_and_cookies_without_end() {
    let expression = "doc('http://127.0.0.1:1/')//p:<r>[.:<t=.>]";
    let folder = folder();
    let jar = fs::File::create(folder.path().join("jar")).expect("a file");
    jar.set_len(8 << 30).expect("a file with a hole");
    for (args, said) in [
        (
            &["run", "-e", expression, "--cookies", "jar"][..],
            "found more than 16777216 bytes",
        ),
        (
            &["run", "-e", expression, "--header", "X: file:/dev/zero"],
            "found more than 1048576 bytes",
        ),
    ] {
        let output = run(folder.path(), args);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {}", stderr(&output));
        assert!(stderr(&output).contains(said), "{args:?}: {}", stderr(&output));
    }
    // A folder of somebody else: every command there reads its settings.
    for (make, said) in [
        ("ln -s /dev/zero wrapwright.toml", "wrapwright.toml: it is not a file"),
        ("mkfifo wrapwright.toml", "wrapwright.toml: it is not a file"),
        ("truncate -s 8G wrapwright.toml", "found more than 1048576 bytes"),
    ] {
        let strange = tempfile::tempdir().expect("a directory");
        let made = Command::new("bash").args(["-c", make]).current_dir(&strange).status();
        assert!(made.expect("bash").success());
        let output = run(strange.path(), &["run", "-e", expression]);
        assert!(stderr(&output).contains(said), "{make}: {}", stderr(&output));
    }
}

#[test]
fn a_pipe_without_end() {
    let folder = folder();
    let accepted = run(folder.path(), &["check", "w.json", "--accept", "a.html"]);
    assert_eq!(accepted.status.code(), Some(0), "{}", stderr(&accepted));
    let pipe = folder.path().join("list");
    assert!(Command::new("mkfifo").arg(&pipe).status().expect("mkfifo").success());
    let mut writer = Command::new("bash")
        .args(["-c", "exec yes http://127.0.0.1:1/ > list"])
        .current_dir(&folder)
        .spawn()
        .expect("bash");
    let output = run(folder.path(), &["watch", "w.json", "--pages", "list"]);
    writer.kill().expect("it runs");
    writer.wait().expect("it ends");
    let stderr = stderr(&output);
    assert!(stderr.contains("list: found more than 268435456 bytes"), "{stderr}");
}

/// What a person would see in a terminal; none if this system has no `script`.
fn on_terminal(folder: &Path, args: &str) -> Option<String> {
    let output = Command::new("script")
        .args(["-qec", &format!("'{BINARY}' {args} 2>/dev/null"), "/dev/null"])
        .stdin(Stdio::null())
        .current_dir(folder)
        .output()
        .ok()?;
    Some(String::from_utf8_lossy(&output.stdout).replace("\r\n", "\n"))
}

/// Does this steer a terminal?
fn steers(text: &str) -> bool {
    text.contains(|c: char| c.is_control() && c != '\n' && c != '\t')
}

#[test]
fn pages_do_not_steer_the_terminal() {
    let folder = folder();
    // An escape, a bell, a delete, and the escape of one character (U+009B).
    let page = "<title>\u{1b}]0;owned\u{7}</title><p>a\u{1b}[31m\u{7f}\u{9b}2Jz</p>";
    fs::write(folder.path().join("c.html"), page).expect("a file");
    let wrapper = fs::read_to_string(folder.path().join("w.json")).expect("a file");
    let evil = wrapper.replace("string(.)", "concat(., '\\u001b[2J\\u009b')");
    assert_ne!(evil, wrapper);
    fs::write(folder.path().join("evil.json"), evil).expect("a file");
    for (args, shown) in [
        ("query //p c.html", "a\u{FFFD}[31m"),
        ("query --json //p c.html", "a\\u001b[31m\\u007f\\u009b2Jz"),
        ("query --xml-dump=/dev/null 'string(//p)' c.html", "a\u{FFFD}[31m"),
        ("extract w.json c.html --format csv", "a\\u001b[31m\\u007f\\u009b2Jz"),
        ("extract w.json c.html --format ndjson", "a\\u001b[31m\\u007f\\u009b2Jz"),
        ("extract w.json c.html --format xml", "\\u007f\\u009b2Jz"),
        (
            "run --no-meta --format csv -e 'doc(\"c.html\")//p:<r>[.:<t=.>]'",
            "a\\u001b[31m\\u007f\\u009b2Jz",
        ),
        ("show --full evil.json", "[2J\\u009b"),
    ] {
        let Some(text) = on_terminal(folder.path(), args) else {
            return skip::skip("pages_do_not_steer_the_terminal", "`script` is missing");
        };
        assert!(!steers(&text), "{args}: {text:?}");
        assert!(text.contains(shown), "{args}: {text:?}");
    }
    // In a pipe, data is data.
    let output = run(
        folder.path(),
        &["extract", "w.json", "c.html", "--no-meta", "--format", "csv"],
    );
    assert_eq!(
        String::from_utf8_lossy(&output.stdout),
        "t\na\u{1b}[31m\u{7f}\u{9b}2Jz\n",
        "{}",
        stderr(&output)
    );
}

#[test]
fn messages_do_not_steer_the_terminal() {
    let folder = folder();
    let odd = "\u{1b}[2J\u{9b}\u{202e}x";
    let expression = format!("//p['{odd}");
    for args in [
        &["query", "//p", odd][..],
        &["query", "--json", "//p", odd],
        &["query", &expression, "a.html"],
        &["extract", "w.json", odd],
        &["show", odd],
        &["run", "-e", &format!("doc('{odd}')//p:<r>[.:<t=.>]")],
        &["learn", "a.html", "--examples", odd],
    ] {
        let output = run(folder.path(), args);
        let stderr = stderr(&output);
        assert!(!stderr.is_empty(), "{args:?}");
        assert!(!steers(&stderr) && !stderr.contains('\u{202e}'), "{args:?}: {stderr:?}");
    }
}

/// Standard output that is open for reading only: every write fails with `EBADF`, which the standard library ignores.
#[test]
fn output_that_cannot_be_written_to() {
    let folder = folder();
    let server = start("127.0.0.1:0", |_: &Request| Answer::Whole(Response::html("<p>one</p>"))).expect("a free port");
    let url = server.url();
    for args in [
        &["query", "//p", "a.html"][..],
        &["query", "--json", "//p", "a.html"],
        &["query", "--xml-dump", "//p", "a.html"],
        &["extract", "w.json", "a.html"],
        &["run", "-e", "doc('a.html')//p:<r>[.:<t=.>]"],
        &["run", "--explain", "-e", "doc('a.html')//p:<r>[.:<t=.>]"],
        &["show", "w.json"],
        &["completions", "bash"],
        &["fetch", &url, "-o", "pages"],
        &["learn", "a.html", "--oxpath", "x.oxp"],
    ] {
        fs::write(folder.path().join("x.oxp"), "doc('a.html')//p:<r>[.:<t=.>]").expect("a file");
        let output = Command::new(BINARY)
            .args(args)
            .current_dir(&folder)
            .stdout(fs::File::open("/dev/null").expect("a device"))
            .output()
            .expect("it runs");
        let stderr = stderr(&output);
        assert_eq!(output.status.code(), Some(4), "{args:?}: {stderr}");
        assert!(stderr.contains("cannot write to standard output"), "{args:?}: {stderr}");
    }
    // `> /dev/null` is fine.
    let output = Command::new(BINARY)
        .args(["query", "//p", "a.html"])
        .current_dir(&folder)
        .stdout(Stdio::null())
        .status();
    assert_eq!(output.expect("it runs").code(), Some(0));
}

#[test]
fn a_system_without_threads() {
    let folder = folder();
    // Root may start any number of threads, so somebody else runs it.
    let script = "ulimit -u 1 2>/dev/null || exit 99
                  test \"$(id -u)\" = 0 && exec setpriv --reuid=65533 --clear-groups \"$@\"
                  exec \"$@\"";
    let open = |path: &Path| {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("our own")
    };
    open(folder.path());
    let as_somebody = |args: &[&str]| {
        Command::new("bash")
            .args(["-c", script, "bash", BINARY])
            .args(args)
            .current_dir(&folder)
            .env("HOME", folder.path())
            .env_remove("XDG_CONFIG_HOME")
            .output()
            .expect("bash")
    };
    let probe = as_somebody(&["--version"]);
    if probe.status.code() != Some(0) {
        return skip::skip("a_system_without_threads", "nobody else may run the program here");
    }
    let pages = ["a.html"; 8];
    for command in [
        &["query", "//p", "--jobs", "4"][..],
        &["extract", "w.json", "--jobs", "4"],
    ] {
        let output = as_somebody(&[command, &pages].concat());
        let stderr = stderr(&output);
        assert_eq!(output.status.code(), Some(4), "{command:?}: {stderr}");
        assert!(stderr.contains("error: cannot start a thread"), "{command:?}: {stderr}");
        assert!(stderr.contains("--jobs 1"), "{command:?}: {stderr}");
    }
    let output = as_somebody(&[&["query", "//p", "--jobs", "1"][..], &pages].concat());
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
}

#[test]
fn what_a_killed_run_left_is_replaced_if_that_is_asked_for() {
    let server = start("127.0.0.1:0", |request: &Request| {
        let next = request.path.trim_start_matches('/').parse::<u64>().unwrap_or(0) + 1;
        let filler = "<p>text</p>".repeat(1000);
        Answer::Whole(Response::html(format!("<a href=/{next}>next</a>{filler}")))
    })
    .expect("a free port");
    let folder = tempfile::tempdir().expect("a directory");
    let files = || -> Vec<String> {
        let entries = fs::read_dir(&folder).expect("a directory").flatten();
        let mut names: Vec<String> = entries
            .map(|entry| entry.file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    };
    let expression = format!("doc('{}')/(//a/{{click /}})*//p:<r>[.:<t=.>]", server.url());
    let command = |expression: &str| {
        let mut command = Command::new(BINARY);
        command
            .args([
                "run",
                "--no-meta",
                "--quiet",
                "--delay",
                "0",
                "-o",
                "out",
                "-e",
                expression,
            ])
            .current_dir(&folder)
            .stderr(Stdio::null());
        command
    };
    let part = folder.path().join("out.part");
    for number in 0..3 {
        let mut run = command(&expression);
        if number > 0 {
            let status = command(&expression).status().expect("it runs");
            assert_eq!(status.code(), Some(2), "nobody replaces it unasked");
            run.arg("--overwrite");
        }
        let before = fs::read(&part).unwrap_or_default();
        let mut child = run.spawn().expect("it runs");
        let start = Instant::now();
        while fs::read(&part).is_ok_and(|now| now == before) || fs::metadata(&part).map_or(0, |about| about.len()) == 0
        {
            assert!(start.elapsed() < Duration::from_secs(60), "it writes nothing");
            std::thread::sleep(Duration::from_millis(5));
        }
        assert_eq!(files(), ["out.part"], "the one before is gone");
        child.kill().expect("it runs");
        child.wait().expect("it ends");
    }
    // Files of others stay.
    fs::File::create(folder.path().join("out.tmp"))
        .and_then(|mut file| file.write_all(b"mine"))
        .expect("a file");
    let page = folder.path().join("p.html");
    fs::write(&page, "<p>one</p>").expect("a file");
    let last = "doc('p.html')//p:<r>[.:<t=.>]";
    let status = command(last).arg("--overwrite").status().expect("it runs");
    assert_eq!(status.code(), Some(0));
    assert_eq!(files(), ["out", "out.tmp", "p.html"]);
}
