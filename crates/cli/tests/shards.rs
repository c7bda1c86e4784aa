//! `--shard`: the parts together are the whole, and no two of them overlap.

use demo::server::{Answer, Request, Response, Running, start};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

const PROGRAM: &str = env!("CARGO_BIN_EXE_wrapwright");

fn run(folder: &Path, args: &[&str]) -> Output {
    let output = Command::new(PROGRAM).args(args).current_dir(folder).output();
    output.expect("the program starts")
}

#[track_caller]
fn fine(folder: &Path, args: &[&str]) -> String {
    let output = run(folder, args);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{args:?}: {stderr}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// The lines, sorted; a line that is there twice shows.
fn lines(text: &str) -> Vec<String> {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    lines.sort();
    lines
}

/// Pages and a wrapper for them.
fn pages(folder: &Path) {
    fs::create_dir(folder.join("pages")).expect("a directory");
    for number in 0..40 {
        let page = format!("<h1>Book {number}</h1><p>Price: <b>{number}.50</b></p>");
        fs::write(folder.join(format!("pages/{number:02}.html")), page).expect("a page");
    }
    fs::write(folder.join("book.oxp"), "//h1:<book>[.:<title=string(.)>]").expect("an expression");
    fine(
        folder,
        &["learn", "-q", "pages", "--oxpath", "book.oxp", "-o", "w.json"],
    );
}

fn site() -> Running {
    let answer = |request: &Request| match request.path.as_str() {
        "/robots.txt" => Answer::Whole(Response::new(404, "text/plain", Vec::new())),
        path => Answer::Whole(Response::html(format!("<h1>{path}</h1>"))),
    };
    start("127.0.0.1:0", answer).expect("a free port")
}

#[test]
fn parts_of_saved_pages_are_the_whole() {
    let folder = tempfile::tempdir().expect("a directory");
    let folder = folder.path();
    pages(folder);
    let whole = fine(folder, &["extract", "w.json", "pages"]);
    assert_eq!(lines(&whole).len(), 40);
    let matches = fine(folder, &["query", "//h1", "pages"]);
    let (mut records, mut found) = (String::new(), String::new());
    for part in 1..=3 {
        let shard = format!("{part}/3");
        fine(
            folder,
            &["extract", "w.json", "pages", "--shard", &shard, "-o", "out.ndjson"],
        );
        let file = folder.join(format!("out.{part}-of-3.ndjson"));
        let text = fs::read_to_string(&file).expect("a file for each part");
        assert!(!text.is_empty() && lines(&text).len() < 40, "{text}");
        records += &text;
        found += &fine(folder, &["query", "//h1", "pages", "--shard", &shard]);
        // A check of a part is about fewer pages, and still right.
        fine(folder, &["check", "-q", "w.json", "pages", "--shard", &shard]);
    }
    assert_eq!(lines(&records), lines(&whole));
    assert_eq!(lines(&found), lines(&matches));
    // A directory of Parquet files is for all parts together; each has a file of its own.
    for part in ["1/2", "2/2"] {
        fine(
            folder,
            &["extract", "w.json", "pages", "--shard", part, "-o", "all.parquet/"],
        );
    }
    let files = fs::read_dir(folder.join("all.parquet")).expect("a directory").flatten();
    let names: Vec<String> = files
        .map(|file| file.file_name().to_string_lossy().into_owned())
        .collect();
    assert!(
        names.len() == 2 && names.iter().any(|name| name.contains("2-of-2")),
        "{names:?}"
    );
    assert!(!folder.join("out.ndjson").exists());
}

#[test]
fn parts_of_rows_and_addresses_are_the_whole() {
    let folder = tempfile::tempdir().expect("a directory");
    let folder = folder.path();
    pages(folder);
    let site = site();
    let url = site.url();
    let rows: String = (0..30).map(|row| format!("{row}\n")).collect();
    fs::write(folder.join("rows.csv"), format!("n\n{rows}")).expect("a table");
    let urls: String = (0..30).map(|page| format!("{url}{page}\n")).collect();
    fs::write(folder.join("urls.txt"), &urls).expect("a list");
    let expression = format!("doc('{url}${{n}}')//h1:<h=string(.)>");
    let rows = [
        "run",
        "-q",
        "-e",
        &expression,
        "--bind-file",
        "rows.csv",
        "--with-bindings",
    ];
    let starts = ["run", "-q", "w.json", "--start", "@urls.txt", "--next", "none"];
    let fetch = ["fetch", "--from", "urls.txt"];
    let whole_rows = fine(folder, &rows);
    let whole_starts = fine(folder, &starts);
    assert_eq!((lines(&whole_rows).len(), lines(&whole_starts).len()), (30, 30));
    let (mut of_rows, mut of_starts, mut fetched) = (String::new(), String::new(), BTreeSet::new());
    for part in 1..=4 {
        let shard = format!("{part}/4");
        let with = |args: &[&str], more: &[&str]| fine(folder, &[args, &["--shard", &shard], more].concat());
        with(&rows, &["-o", "rows-{shard}.ndjson", "--run", "kept"]);
        of_rows += &fs::read_to_string(folder.join(format!("rows-{part}-of-4.ndjson"))).expect("a file");
        assert!(folder.join(format!("kept/{part}-of-4/run.sqlite")).is_file());
        of_starts += &with(&starts, &[]);
        for line in with(&fetch, &["-o", "saved"]).lines() {
            let address = line.split('\t').nth(1).expect("an address").to_owned();
            assert!(fetched.insert(address), "{line}");
        }
        assert!(folder.join(format!("saved/{part}-of-4")).is_dir());
    }
    assert_eq!(lines(&of_rows), lines(&whole_rows));
    assert_eq!(lines(&of_starts), lines(&whole_starts));
    assert_eq!(fetched.into_iter().collect::<Vec<_>>(), lines(&urls));
    // By host, one part has everything.
    let by_host = (1..=4).map(|part| {
        let shard = format!("{part}/4");
        let args = [&starts[..], &["--shard", &shard, "--shard-by", "host"]].concat();
        lines(&fine(folder, &args)).len()
    });
    assert_eq!(by_host.max(), Some(30));
    // What was saved in parts is read as one.
    assert_eq!(lines(&fine(folder, &["extract", "w.json", "saved"])).len(), 30);
}

#[test]
fn a_part_without_work_succeeds_and_has_an_output() {
    let folder = tempfile::tempdir().expect("a directory");
    let folder = folder.path();
    pages(folder);
    fs::write(folder.join("rows.csv"), "n\n01\n").expect("a table");
    let expression = "doc('pages/${n}.html')//h1:<h>[.:<t=string(.)>]";
    let mut sizes = Vec::new();
    for part in 1..=2 {
        let shard = format!("{part}/2");
        fine(
            folder,
            &[
                "run",
                "-e",
                expression,
                "--bind-file",
                "rows.csv",
                "--shard",
                &shard,
                "-o",
                "o.csv",
                "--no-meta",
            ],
        );
        let text = fs::read_to_string(folder.join(format!("o.{part}-of-2.csv"))).expect("a file");
        assert!(text.starts_with("t\n"), "{text}");
        sizes.push(text.lines().count());
        let page = ["extract", "w.json", "pages/01.html", "--shard", &shard, "-o", "e.csv"];
        fine(folder, &page);
        assert!(folder.join(format!("e.{part}-of-2.csv")).is_file());
        fine(folder, &["check", "w.json", "pages/01.html", "--shard", &shard]);
        fine(folder, &["query", "//h1", "pages/01.html", "--shard", &shard]);
    }
    sizes.sort_unstable();
    assert_eq!(sizes, [1, 2]);
}

#[test]
fn what_would_harm_other_parts_is_refused() {
    let folder = tempfile::tempdir().expect("a directory");
    let folder = folder.path();
    pages(folder);
    let refused = |args: &[&str], expected: &str| {
        let output = run(folder, args);
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{args:?}: {stderr}");
        assert!(stderr.contains(expected), "{args:?}: {stderr}");
    };
    let extract = ["extract", "w.json", "pages", "--shard"];
    refused(&[&extract[..], &["3/2"]].concat(), "expected I/N such as 2/8");
    refused(
        &[&extract[..], &["1/2", "-o", "o.parquet/", "--overwrite"]].concat(),
        "one of several shards and overwriting",
    );
    refused(
        &[
            &extract[..],
            &["1/2", "-o", "o.sqlite#b", "--key", "title", "--mark-gone"],
        ]
        .concat(),
        "marking what is gone",
    );
    refused(
        &[&extract[..], &["1/2", "-o", "o.parquet/", "--publish"]].concat(),
        "a directory that appears as a whole",
    );
    refused(&["check", "w.json", "pages", "--accept", "--shard", "1/2"], "--shard");
    refused(
        &["run", "-e", "doc('pages/01.html')//h1:<h=.>", "--shard", "1/2"],
        "only one set of values",
    );
}
