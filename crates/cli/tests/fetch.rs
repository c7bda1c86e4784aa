//! `wrapwright fetch` against a real server on loopback.

use demo::server::{Answer, Request, Response, Running, start};
use std::path::Path;
use std::process::{Command, Output};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Three pages of a list with two items each, one of them in Latin-1 and one that is missing.
fn serve(asked: &Arc<AtomicUsize>) -> Running {
    let asked = Arc::clone(asked);
    start("127.0.0.1:0", move |request: &Request| {
        asked.fetch_add(1, Ordering::SeqCst);
        let path = request.path.as_str();
        Answer::Whole(if let Some(number) = path.strip_prefix("/list/") {
            let number: usize = number.parse().unwrap_or(0);
            let next = ["1", "2", "1"][number.min(2)];
            Response::html(format!(
                "<base href='/items/'><a class=item href='{number}a#top'>a</a><a class=item href='{number}b'>b</a>\
                 <a class=item href='{number}a'>a again</a><a class=next href='/list/{next}'>Next</a>"
            ))
        } else if path == "/items/1b" {
            Response::plain(404)
        } else if path == "/items/2a" {
            Response::new(200, "text/html; charset=iso-8859-1", b"<h1>caf\xe9</h1>".to_vec())
        } else if let Some(item) = path.strip_prefix("/items/") {
            Response::html(format!("<h1>item {item}</h1>"))
        } else {
            Response::plain(404)
        })
    })
    .expect("a free port")
}

fn wrapwright(args: &[&str], folder: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_wrapwright"))
        .args(args)
        .current_dir(folder)
        .output()
        .expect("a run")
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

const ALL: &[&str] = &[
    "00001-0.html",
    "00002-0a.html",
    "00003-0b.html",
    "00004-1.html",
    "00005-1a.html",
    "00006-2.html",
    "00007-2a.html",
    "00008-2b.html",
    "manifest.ndjson",
];

#[test]
fn a_list_and_its_items_are_saved_and_a_second_walk_fetches_only_what_is_missing() {
    let asked = Arc::default();
    let server = serve(&asked);
    let folder = tempfile::tempdir().expect("a directory");
    let list = format!("{}list/0", server.url());
    let walk = [
        "fetch",
        &list,
        "-o",
        "pages",
        "--next",
        "//a[.='Next']",
        "--follow",
        "//a[@class='item']",
    ];
    for jobs in ["1", "3"] {
        let output = wrapwright(&[&walk[..], &["--jobs", jobs]].concat(), folder.path());
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{stderr}");
        assert!(stderr.contains("items/1b answered 404"), "{stderr}");
        assert_eq!(files(&folder.path().join("pages")), ALL);
    }
    // Robots and eight pages and the missing one; then robots and the missing one again.
    assert_eq!(asked.load(Ordering::SeqCst), 10 + 2);
    let manifest = std::fs::read_to_string(folder.path().join("pages/manifest.ndjson")).expect("a manifest");
    let lines: Vec<serde_json::Value> = manifest
        .lines()
        .map(|line| serde_json::from_str(line).expect("a line of JSON"))
        .collect();
    assert_eq!(lines.len(), 8);
    assert_eq!(lines[6]["file"], "00007-2a.html");
    assert_eq!(lines[6]["charset"], "iso-8859-1");
    assert_eq!(lines[6]["from"], format!("{}list/2", server.url()));
    // What the server said of the encoding is not lost.
    let output = wrapwright(&["query", "-I", "//h1", "pages"], folder.path());
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(text, "item 0a\nitem 0b\nitem 1a\ncafé\nitem 2b\n");
}

#[test]
fn lists_are_asked_for_again_and_items_are_kept() {
    let longer = Arc::new(AtomicUsize::new(1));
    let (items, asked) = (Arc::clone(&longer), Arc::new(AtomicUsize::new(0)));
    let counted = Arc::clone(&asked);
    let server = start("127.0.0.1:0", move |request: &Request| {
        counted.fetch_add(1, Ordering::SeqCst);
        Answer::Whole(match request.path.as_str() {
            "/list" => {
                let items = (0..items.load(Ordering::SeqCst)).map(|item| format!("<a href='/items/{item}'>x</a>"));
                Response::html(items.collect::<String>())
            }
            path if path.starts_with("/items/") => Response::html(format!("<h1>{path}</h1>")),
            _ => Response::plain(404),
        })
    })
    .expect("a free port");
    let folder = tempfile::tempdir().expect("a directory");
    let list = format!("{}list", server.url());
    let walk = |more: &[&str]| {
        let args = ["fetch", &list, "-o", "pages", "--follow", "//a", "--ignore-robots"];
        let output = wrapwright(&[&args[..], more].concat(), folder.path());
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(0), "{stderr}");
        (stderr, asked.swap(0, Ordering::SeqCst))
    };
    assert_eq!(walk(&[]), ("2 saved in pages, 0 failed\n".to_owned(), 2));
    longer.store(3, Ordering::SeqCst);
    // Without being asked to, the list is not looked at again.
    assert_eq!(walk(&[]).1, 0);
    // The list, which has changed, and two new items.
    let (words, requests) = walk(&["--refresh"]);
    assert_eq!(
        (words.as_str(), requests),
        ("3 saved in pages, 1 there already, 0 failed\n", 3)
    );
    let (words, requests) = walk(&["--refresh"]);
    assert_eq!(
        (words.as_str(), requests),
        ("0 saved in pages, 4 there already, 0 failed\n", 1)
    );
    let expected = [
        "00001-list.html",
        "00002-0.html",
        "00003-1.html",
        "00004-2.html",
        "manifest.ndjson",
    ];
    assert_eq!(files(&folder.path().join("pages")), expected);
    let output = wrapwright(
        &["query", "-I", "--count", "//a", "pages/00001-list.html"],
        folder.path(),
    );
    assert_eq!(String::from_utf8_lossy(&output.stdout).trim(), "3");
}

#[test]
fn a_walk_is_bounded_and_its_mistakes_are_named() {
    let asked = Arc::default();
    let server = serve(&asked);
    let folder = tempfile::tempdir().expect("a directory");
    let list = format!("{}list/0", server.url());
    let few = [
        "fetch",
        &list,
        "-o",
        "few",
        "--next",
        "//a[.='Next']",
        "--max-pages",
        "2",
    ];
    assert_eq!(wrapwright(&few, folder.path()).status.code(), Some(0));
    assert_eq!(
        files(&folder.path().join("few")),
        ["00001-0.html", "00002-1.html", "manifest.ndjson"]
    );
    let output = wrapwright(&["fetch", &list, "-o", "x", "--next", "//a["], folder.path());
    assert_eq!(output.status.code(), Some(2));
    std::fs::write(folder.path().join("few/manifest.ndjson"), "no manifest\n").expect("a file");
    let output = wrapwright(&few, folder.path());
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(4), "{stderr}");
    assert!(stderr.contains("manifest.ndjson, line 1"), "{stderr}");
    let output = wrapwright(
        &["fetch", "http://127.0.0.1:1/", "--retries", "0", "-o", "none"],
        folder.path(),
    );
    assert_eq!(output.status.code(), Some(4));
    std::fs::write(
        folder.path().join("urls"),
        format!("# two\n{list}\n\n{}list/2\n", server.url()),
    )
    .expect("a file");
    let output = wrapwright(&["fetch", "--from", "urls", "-o", "from"], folder.path());
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(String::from_utf8_lossy(&output.stdout).lines().count(), 2);
}

#[test]
fn the_pager_is_found_and_what_was_saved_knows_its_address() {
    let asked = Arc::default();
    let server = serve(&asked);
    let folder = tempfile::tempdir().expect("a directory");
    let list = format!("{}list/0", server.url());
    let output = wrapwright(&["fetch", &list, "-o", "pages", "--next", "auto"], folder.path());
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{stderr}");
    assert_eq!(
        files(&folder.path().join("pages")),
        ["00001-0.html", "00002-1.html", "00003-2.html", "manifest.ndjson"]
    );
    let output = wrapwright(&["pager", "--json", "pages"], folder.path());
    let text = String::from_utf8_lossy(&output.stdout);
    let lines: Vec<serde_json::Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).expect("a line of JSON"))
        .collect();
    let next: Vec<Option<&str>> = lines.iter().map(|line| line["next"].as_str()).collect();
    let page = |number: usize| format!("{}list/{number}", server.url());
    assert_eq!(next, [Some(&*page(1)), Some(&*page(2)), None]);
    // A file that nothing is known about.
    std::fs::copy(
        folder.path().join("pages/00001-0.html"),
        folder.path().join("alone.html"),
    )
    .expect("a copy");
    let output = wrapwright(&["pager", "alone.html"], folder.path());
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{stderr}");
    assert!(stderr.contains("the address of this page is not known"), "{stderr}");
    let output = wrapwright(&["pager", "alone.html", "--url", &list], folder.path());
    assert!(String::from_utf8_lossy(&output.stdout).contains(&page(1)));
}
