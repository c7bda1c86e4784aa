//! Flags, environment and `wrapwright.toml`: who says more, and what is refused.

use demo::server::{Answer, Request, Response, Running, start};
use std::path::Path;
use std::process::{Command, Output};

/// A site that robots.txt closes.
fn serve() -> Running {
    start("127.0.0.1:0", |request: &Request| {
        Answer::Whole(match request.path.as_str() {
            "/robots.txt" => Response::text("User-agent: *\nDisallow: /\n"),
            _ => Response::html("<p>x"),
        })
    })
    .expect("a free port")
}

fn wrapwright(folder: &Path, args: &[&str], environment: &[(&str, &str)]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_wrapwright"))
        .args(args)
        .envs(environment.iter().copied())
        .env("XDG_CONFIG_HOME", folder.join("user"))
        .current_dir(folder)
        .output()
        .expect("a run")
}

#[track_caller]
fn mistake(output: &Output, part: &str) {
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{stderr}");
    assert!(stderr.contains(part), "{stderr}");
}

#[test]
fn a_switch_may_be_turned_off_again() {
    let server = serve();
    let folder = tempfile::tempdir().expect("a directory");
    let expression = format!("doc('{}')//p:<p=.>", server.url());
    std::fs::create_dir_all(folder.path().join("user/wrapwright")).expect("a directory");
    let user = folder.path().join("user/wrapwright/wrapwright.toml");
    let project = folder.path().join("wrapwright.toml");
    let variable = "WRAPWRIGHT_IGNORE_ROBOTS";
    for (user_says, project_says, environment, flag, open) in [
        ("false", None, None, None, false),
        ("true", None, None, None, true),
        ("true", Some("false"), None, None, false),
        ("false", Some("true"), None, None, true),
        ("false", Some("true"), Some("0"), None, false),
        ("false", Some("true"), Some(""), None, true),
        ("false", Some("false"), Some("yes"), None, true),
        ("false", Some("false"), Some("1"), Some("--ignore-robots=no"), false),
        ("true", Some("true"), Some("true"), Some("--ignore-robots=false"), false),
        ("false", None, Some("false"), Some("--ignore-robots"), true),
    ] {
        std::fs::write(&user, format!("ignore-robots = {user_says}\n")).expect("a file");
        let says = project_says.map(|says| format!("ignore-robots = {says}\n"));
        std::fs::write(&project, says.unwrap_or_default()).expect("a file");
        let environment: Vec<(&str, &str)> = environment.map(|value| (variable, value)).into_iter().collect();
        let args: Vec<&str> = ["run", "-q", "-e", &expression].into_iter().chain(flag).collect();
        let output = wrapwright(folder.path(), &args, &environment);
        let expected = if open { 0 } else { 4 };
        assert_eq!(output.status.code(), Some(expected), "{environment:?} {args:?}");
    }
    let args = ["run", "-q", "-e", &expression, "--ignore-robots=perhaps"];
    mistake(&wrapwright(folder.path(), &args, &[]), "expected true or false");
}

#[test]
fn empty_variables_say_nothing() {
    let server = serve();
    let folder = tempfile::tempdir().expect("a directory");
    let expression = format!("doc('{}')//p:<p=.>", server.url());
    let names = [
        "JOBS",
        "MAX_PAGES",
        "MAX_DEPTH",
        "MAX_TIME",
        "DELAY",
        "PER_HOST",
        "TIMEOUT",
        "RETRIES",
        "IGNORE_ROBOTS",
        "ALLOW_PRIVATE",
        "CACHE",
        "CACHE_HOURS",
        "COOKIES",
        "PROXY",
        "USER_AGENT",
        "MAX_PAGE_BYTES",
    ]
    .map(|name| format!("WRAPWRIGHT_{name}"));
    let environment = names.each_ref().map(|name| (name.as_str(), ""));
    let args = ["run", "-q", "--ignore-robots", "-e", &expression];
    let output = wrapwright(folder.path(), &args, &environment);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{stderr}");
    let args = ["fetch", &server.url(), "--ignore-robots", "-o", "pages"];
    let output = wrapwright(folder.path(), &args, &environment);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{stderr}");
}

#[test]
fn numbers_are_checked_wherever_they_stand() {
    let folder = tempfile::tempdir().expect("a directory");
    let run = ["run", "-e", "doc('http://127.0.0.1:1/')//p:<p=.>"];
    let fetch = ["fetch", "http://127.0.0.1:1/", "-o", "pages"];
    for command in [&run[..], &fetch] {
        for jobs in ["0", "1025", "-1", "x"] {
            let flag = format!("--jobs={jobs}");
            mistake(&wrapwright(folder.path(), &[command, &[&flag]].concat(), &[]), "--jobs");
            let environment = [("WRAPWRIGHT_JOBS", jobs)];
            mistake(&wrapwright(folder.path(), command, &environment), "--jobs");
        }
        for number in ["-1", "nan", "inf", "1e300"] {
            let flag = format!("--max-time={number}");
            mistake(
                &wrapwright(folder.path(), &[command, &[&flag]].concat(), &[]),
                "--max-time",
            );
        }
        for line in [
            "delay = -1",
            "timeout = nan",
            "max-time = inf",
            "cache-hours = 1e300",
            "jobs = 0",
            "jobs = 5000",
        ] {
            std::fs::write(folder.path().join("wrapwright.toml"), format!("retries = 0\n{line}\n")).expect("a file");
            mistake(
                &wrapwright(folder.path(), command, &[]),
                "wrapwright.toml: line 2: found ",
            );
        }
        std::fs::write(folder.path().join("wrapwright.toml"), "proxy = \"me:secret@host:9\"\n").expect("a file");
        let output = wrapwright(folder.path(), command, &[]);
        mistake(&output, "a secret must not stand in this file");
        assert!(!String::from_utf8_lossy(&output.stderr).contains("me:secret"));
        std::fs::remove_file(folder.path().join("wrapwright.toml")).expect("a file");
    }
}

/// A site that shows the headers it got.
fn echo() -> Running {
    start("127.0.0.1:0", |request: &Request| {
        let got = |name: &str| request.header(name).unwrap_or("-").to_owned();
        Answer::Whole(match request.path.as_str() {
            "/robots.txt" => Response::text(""),
            _ => Response::html(format!("<p>{} {}", got("x-key"), got("authorization"))),
        })
    })
    .expect("a free port")
}

#[test]
fn a_folder_gives_secrets_only_to_hosts_that_it_names() {
    let server = echo();
    let folder = tempfile::tempdir().expect("a directory");
    std::fs::create_dir_all(folder.path().join("user/wrapwright")).expect("a directory");
    std::fs::write(folder.path().join("key"), "from a file\n").expect("a file");
    let user = folder.path().join("user/wrapwright/wrapwright.toml");
    let project = folder.path().join("wrapwright.toml");
    let expression = format!("doc('{}')//p[1]:<p=.>", server.url());
    let run = || {
        wrapwright(
            folder.path(),
            &["run", "-q", "--no-meta", "-e", &expression],
            &[("TOKEN", "secret")],
        )
    };
    let written = |output: &Output| String::from_utf8_lossy(&output.stdout).into_owned();
    for secret in [
        "[header]\nX-Key = \"env:TOKEN\"\n",
        "[header]\nX-Key = \"file:key\"\n",
        "[header]\nAuthorization = \"env:TOKEN\"\n",
        "proxy = \"env:TOKEN\"\n",
    ] {
        std::fs::write(&project, secret).expect("a file");
        let output = run();
        mistake(&output, "may give a secret only to hosts that it names");
        assert_eq!(written(&output), "");
        // The user's own file may.
        std::fs::remove_file(&project).expect("a file");
        if !secret.starts_with("proxy") {
            std::fs::write(&user, secret).expect("a file");
            let sent = written(&run());
            assert!(
                sent.contains("secret") || sent.contains("from a file"),
                "{secret}: {sent}"
            );
            std::fs::remove_file(&user).expect("a file");
        }
    }
    for (host, sent) in [
        ("127.0.0.1", true),
        ("shop.example", false),
        (server.url().trim_start_matches("http://").trim_end_matches('/'), true),
        ("127.0.0.1:1", false),
    ] {
        let text = format!("[header.{host:?}]\nX-Key = \"env:TOKEN\"\nAuthorization = \"env:TOKEN\"\n");
        std::fs::write(&project, text).expect("a file");
        let output = run();
        let expected = if sent { "secret secret" } else { "- -" };
        assert_eq!(written(&output), format!("{{\"p\":\"{expected}\"}}\n"), "{host}");
        let said = String::from_utf8_lossy(&output.stderr);
        let told = format!("note: wrapwright.toml here sets header Authorization for {host}, header X-Key for {host}");
        assert_eq!(said.matches(&told).count(), 1, "{said}");
    }
}
