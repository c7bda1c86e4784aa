//! `wrapwright fetch` into a directory that has pages already, and out of it before the end.

use demo::server::{Answer, Request, Response, Running, start};
use std::path::Path;
use std::process::{Command, Output};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// What was asked for: paths, with the headers that a user sends.
type Asked = Arc<Mutex<Vec<String>>>;

/// A list of nine items; what it knows of the one who asks is noted.
fn serve(asked: &Asked) -> Running {
    let asked = Arc::clone(asked);
    start("127.0.0.1:0", move |request: &Request| {
        let path = request.path.as_str();
        let known: Vec<&str> = ["x-key", "authorization"]
            .iter()
            .filter(|name| request.header(name).is_some())
            .copied()
            .collect();
        if path != "/robots.txt" {
            let mut asked = asked.lock().expect("a list");
            asked.push(format!("{path} {}", known.join(" ")).trim().to_owned());
        }
        Answer::Whole(match path {
            "/robots.txt" => Response::plain(404),
            "/" => Response::html((1..10).map(|n| format!("<a href='/{n}'>{n}</a>")).collect::<String>()),
            "/old" => Response::see_other("/new"),
            "/slow" => return Answer::Late(Response::html("<p>slow"), Duration::from_secs(60)),
            _ => Response::html(format!("<h1>{path}</h1>")),
        })
    })
    .expect("a free port")
}

fn command(folder: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_wrapwright"));
    command.arg("fetch").args(args).current_dir(folder);
    command
}

fn fetch(folder: &Path, args: &[&str]) -> Output {
    command(folder, args).output().expect("a run")
}

#[track_caller]
fn check(output: &Output, code: i32, part: &str) {
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{stderr}");
    assert!(stderr.contains(part), "{stderr}");
}

fn taken(asked: &Asked) -> Vec<String> {
    std::mem::take(&mut *asked.lock().expect("a list"))
}

#[test]
fn a_larger_number_of_pages_goes_on_where_the_smaller_ended() {
    let asked = Asked::default();
    let server = serve(&asked);
    let folder = tempfile::tempdir().expect("a directory");
    let walk = [&server.url(), "-o", "pages", "--follow", "//a"];
    for (most, saved) in [("4", 4), ("4", 0), ("6", 2), ("7", 1), ("100", 3), ("100", 0)] {
        let output = fetch(folder.path(), &[&walk[..], &["--max-pages", most]].concat());
        check(&output, 0, &format!("{saved} saved in pages"));
    }
    assert_eq!(taken(&asked).len(), 10);
}

#[test]
fn headers_and_logins_are_not_forgotten_and_not_written_down() {
    let asked = Asked::default();
    let server = serve(&asked);
    let folder = tempfile::tempdir().expect("a directory");
    let start = server.url().replace("http://", "http://me:secret@");
    let walk = [&start, "-o", "pages", "--follow", "//a", "--header", "X-Key: 7"];
    for most in ["2", "3"] {
        let output = fetch(folder.path(), &[&walk[..], &["--max-pages", most]].concat());
        check(&output, 0, "saved in pages");
        assert!(!String::from_utf8_lossy(&output.stdout).contains("secret"));
    }
    let all = taken(&asked);
    let known = ["/", "/1", "/2"].map(|path| format!("{path} x-key authorization"));
    assert_eq!(all, known);
    let manifest = std::fs::read_to_string(folder.path().join("pages/manifest.ndjson")).expect("a manifest");
    assert!(!manifest.contains("secret") && !manifest.contains("me:"), "{manifest}");
    assert!(
        manifest.lines().all(|line| line.contains("\"private\":true")),
        "{manifest}"
    );
}

#[test]
fn one_page_is_saved_once() {
    let asked = Asked::default();
    let server = serve(&asked);
    let folder = tempfile::tempdir().expect("a directory");
    let site = server.url();
    let bare = site.trim_end_matches('/');
    let (old, new) = (format!("{site}old"), format!("{site}new#part"));
    let output = fetch(folder.path(), &[bare, &site, &old, &new, &old, "-o", "pages"]);
    check(&output, 0, "2 saved in pages, 3 there already");
    assert_eq!(taken(&asked), ["/", "/old", "/new"]);
    let output = fetch(folder.path(), &[&new, &site, "-o", "pages"]);
    check(&output, 0, "0 saved in pages, 2 there already");
    assert_eq!(taken(&asked), [""; 0]);
}

#[test]
fn what_is_gone_is_fetched_again_and_what_is_broken_is_named() {
    let asked = Asked::default();
    let server = serve(&asked);
    let folder = tempfile::tempdir().expect("a directory");
    let at = |name: &str| folder.path().join("pages").join(name);
    let walk = [&server.url(), "-o", "pages", "--follow", "//a[position() < 4]"];
    check(&fetch(folder.path(), &walk), 0, "4 saved");
    std::fs::remove_file(at("00002-1.html")).expect("a file");
    let manifest = std::fs::read_to_string(at("manifest.ndjson")).expect("a manifest");
    std::fs::write(at("manifest.ndjson"), manifest.replace('\n', "\n\n")).expect("a file");
    taken(&asked);
    check(&fetch(folder.path(), &walk), 0, "1 saved in pages, 3 there already");
    assert_eq!(taken(&asked), ["/1"]);
    check(&fetch(folder.path(), &walk), 0, "0 saved in pages, 4 there already");
    let output = fetch(folder.path(), &[&walk[..], &["--max-page-bytes", "50"]].concat());
    check(
        &output,
        4,
        "pages/00001-127-0-0-1.html, which was saved before, cannot be read",
    );
    std::fs::write(at("manifest.ndjson"), b"\xff\n").expect("a file");
    check(
        &fetch(folder.path(), &walk),
        4,
        "pages/manifest.ndjson: found bytes that are not UTF-8",
    );
}

#[test]
fn an_interrupt_ends_a_walk_at_once_and_in_good_order() {
    let asked = Asked::default();
    let server = serve(&asked);
    let folder = tempfile::tempdir().expect("a directory");
    let (quick, slow) = (format!("{}1", server.url()), format!("{}slow", server.url()));
    for jobs in ["1", "4"] {
        let (pages, tape) = (format!("pages{jobs}"), format!("{jobs}.warc"));
        let args = [
            &quick,
            &slow,
            "-o",
            &pages,
            "--jobs",
            jobs,
            "--record",
            &tape,
            "--cookies",
            "jar",
        ];
        let child = command(folder.path(), &args).spawn().expect("a run");
        while !taken(&asked).contains(&"/slow".to_owned()) {
            std::thread::sleep(Duration::from_millis(5));
        }
        let begin = Instant::now();
        let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
        assert!(kill.expect("kill").success());
        let output = child.wait_with_output().expect("it ends");
        assert!(begin.elapsed() < Duration::from_secs(3), "{:?}", begin.elapsed());
        assert_eq!(output.status.code(), Some(130));
        assert!(folder.path().join(&tape).exists() && folder.path().join("jar").exists());
        let manifest = std::fs::read_to_string(folder.path().join(pages).join("manifest.ndjson"));
        assert_eq!(manifest.expect("a manifest").lines().count(), 1);
    }
    let begin = Instant::now();
    let output = fetch(folder.path(), &[&slow, "-o", "late", "--max-time", "0.5"]);
    check(&output, 0, "0 saved in late, 0 failed; stopped by --max-time");
    assert!(begin.elapsed() < Duration::from_secs(5), "{:?}", begin.elapsed());
}

#[test]
fn mistakes_are_named_before_anything_is_fetched() {
    let asked = Asked::default();
    let server = serve(&asked);
    let folder = tempfile::tempdir().expect("a directory");
    for expression in ["count(//a)", "//a = 'x'", "1 + 1"] {
        for flag in ["--next", "--follow"] {
            let output = fetch(folder.path(), &[&server.url(), "-o", "pages", flag, expression]);
            check(&output, 2, "gives no links");
        }
    }
    assert_eq!(taken(&asked), [""; 0]);
    let output = fetch(
        folder.path(),
        &[&server.url(), "-o", "pages", "--next", "string(//a[9]/@href)"],
    );
    check(&output, 0, "2 saved");
    std::fs::write(folder.path().join("urls"), format!("\u{feff}{}1\n", server.url())).expect("a file");
    check(&fetch(folder.path(), &["--from", "urls", "-o", "from"]), 0, "1 saved");
}

/// Hosts that are asked once must not keep files open.
#[test]
fn a_crawl_over_many_hosts_does_not_run_out_of_files() {
    let server = start("0.0.0.0:0", |_: &Request| Answer::Whole(Response::html("<p>x"))).expect("a free port");
    let folder = tempfile::tempdir().expect("a directory");
    let port = server.address().port();
    let urls: String = (1..=250).map(|n| format!("http://127.0.1.{n}:{port}/\n")).collect();
    std::fs::write(folder.path().join("urls"), urls).expect("a file");
    let limited = |files: usize, rest: &str| {
        let binary = env!("CARGO_BIN_EXE_wrapwright");
        let script = format!("ulimit -n {files}; {binary} fetch --from urls -q --ignore-robots {rest}");
        Command::new("bash")
            .args(["-c", &script])
            .current_dir(folder.path())
            .output()
            .expect("bash")
    };
    check(&limited(120, "-o pages"), 0, "");
    // Where exactly the limit is hit depends on what the system opens for itself.
    let told: String = (4..10)
        .map(|files| String::from_utf8_lossy(&limited(files, "-o none --max-pages 1 --retries 0").stderr).into_owned())
        .collect();
    for part in [
        "the HTTP client cannot be set up: too many open files on this machine",
        "/ cannot be reached: too many open files on this machine",
        "ulimit -n",
    ] {
        assert!(told.contains(part), "{told}");
    }
}
