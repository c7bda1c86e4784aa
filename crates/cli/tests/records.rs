//! Where records go: files by their ending, tables, and what is left when something goes wrong.

#[path = "../../columnar/tests/stores/server.rs"]
mod server;

use demo::server::{Answer, Request, Response, Running, start};
use skip::skip;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

/// Pages without end: ten records each, and a link to the next.
fn endless() -> Running {
    start("127.0.0.1:0", |request: &Request| -> Answer {
        let number: usize = request.path.trim_start_matches('/').parse().unwrap_or(0);
        let items: String = (0..10)
            .map(|n| format!("<li><b>{}</b><i>{}</i></li>", number * 10 + n, "x".repeat(300)))
            .collect();
        let next = format!("<a class=next href='/{}'>Next</a>", number + 1);
        Answer::Whole(Response::html(items + &next))
    })
    .expect("a free port")
}

/// A run over pages without end.
fn run(server: &Running, folder: &Path, args: &[&str]) -> Command {
    let expression = format!(
        "doc('{}0')/(//a.next/{{click /}})*//li:<item>[.:<n=number(b)>][.:<text=string(i)>][b:<tag=.>][i:<inner>[.:<size=string-length(.)>]]",
        server.url()
    );
    let mut command = Command::new(env!("CARGO_BIN_EXE_wrapwright"));
    command
        .args(["run", "--no-meta", "-e", &expression])
        .args(args)
        .current_dir(folder);
    command
}

fn output(mut command: Command) -> (Option<i32>, String) {
    let Output { status, stderr, .. } = command.output().expect("a run");
    (status.code(), String::from_utf8_lossy(&stderr).into_owned())
}

fn files(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).expect("a directory").flatten();
    let mut names: Vec<String> = entries
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

/// What another program prints; nothing if it is missing.
fn asked(program: &str, args: &[&str], folder: &Path) -> Option<String> {
    let output = Command::new(program).args(args).current_dir(folder).output().ok()?;
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{program} {args:?}: {stderr}");
    Some(String::from_utf8_lossy(&output.stdout).trim_end().to_owned())
}

fn python(module: &str, script: &str, folder: &Path) -> Option<String> {
    let has = Command::new("python3")
        .args(["-c", &format!("import {module}")])
        .output();
    match has.is_ok_and(|output| output.status.success()) {
        true => asked("python3", &["-c", script], folder),
        false => {
            skip("records", &format!("Python has no {module}"));
            None
        }
    }
}

/// Waits for something that takes a moment.
#[track_caller]
fn until(what: &str, mut is_so: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < Duration::from_secs(60), "{what} takes too long");
        std::thread::sleep(Duration::from_millis(10));
    }
}

fn size(path: &Path) -> u64 {
    std::fs::metadata(path).map_or(0, |about| about.len())
}

fn kill(child: &mut Child) {
    child.kill().expect("it runs");
    child.wait().expect("it ends");
}

#[test]
fn the_ending_says_the_format() {
    let server = endless();
    let folder = tempfile::tempdir().expect("a directory");
    let at = folder.path();
    for name in [
        "a.ndjson",
        "a.jsonl",
        "a.json",
        "a.csv",
        "a.tsv",
        "a.xml",
        "a.csv.gz",
        "a.ndjson.zst",
        "a.parquet",
        "a.arrows",
        "p.parquet/",
        "a.sqlite#items",
    ] {
        let (code, stderr) = output(run(&server, at, &["-q", "--max-pages", "2", "--bom", "-o", name]));
        assert_eq!(code, Some(0), "{name}: {stderr}");
    }
    let text = |name: &str| std::fs::read_to_string(at.join(name)).expect("a file");
    assert_eq!(text("a.ndjson"), text("a.jsonl"));
    assert!(
        text("a.ndjson").starts_with("{\"n\":0,\"text\":\"xxx"),
        "{}",
        text("a.ndjson")
    );
    let array: Vec<serde_json::Value> = serde_json::from_str(&text("a.json")).expect("an array");
    assert_eq!(array.len(), 20);
    assert!(text("a.csv").starts_with("\u{feff}n,text,tag,inner.size,_misfit\n0,xxx"));
    assert!(text("a.tsv").starts_with("\u{feff}n\ttext\ttag\tinner.size"));
    assert!(text("a.xml").contains("<item>\n    <n>0</n>"));
    let unpacked = asked("gzip", &["-dc", "a.csv.gz"], at).expect("gzip");
    assert_eq!(unpacked + "\n", text("a.csv"));
    if let Some(unpacked) = asked("zstd", &["-dc", "a.ndjson.zst"], at) {
        assert_eq!(unpacked + "\n", text("a.ndjson"));
    }
    let script = "import duckdb\nprint([duckdb.sql(f\"SELECT count(*), sum(n), sum(len(inner)) FROM '{f}'\").fetchall() for f in \
                  ('a.parquet', 'p.parquet/*.parquet')])";
    if let Some(said) = python("duckdb", &script.replace("inner", "\\\"inner\\\""), at) {
        assert_eq!(said, "[[(20, 190.0, 20)], [(20, 190.0, 20)]]");
    }
    if let Some(said) = asked(
        "sqlite3",
        &[
            "a.sqlite",
            "SELECT count(*), sum(n), sum(size) FROM items JOIN items_inner USING (_id)",
        ],
        at,
    ) {
        assert_eq!(said, "20|190.0|6000.0");
    }
    let left: Vec<String> = files(at)
        .into_iter()
        .filter(|name| name.contains("part") && !name.ends_with("parquet"))
        .collect();
    assert_eq!(left, [""; 0], "no parts are left");
}

#[test]
fn values_that_do_not_fit_are_told() {
    let server = start("127.0.0.1:0", |_: &Request| -> Answer {
        Answer::Whole(Response::html("<p>1</p><p>two</p><p>3</p>"))
    })
    .expect("a free port");
    let folder = tempfile::tempdir().expect("a directory");
    let expression = format!("doc('{}')//p:<row>[.:<n=number(.)>]", server.url());
    let command = |args: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_wrapwright"));
        command
            .args(["run", "--no-meta", "-e", &expression])
            .args(args)
            .current_dir(folder.path());
        command.output().expect("a run")
    };
    for (policy, records) in [
        (
            "null",
            "{\"n\":1}\n{\"n\":null,\"_misfit\":{\"n\":\"NaN\"}}\n{\"n\":3}\n",
        ),
        ("keep-text", "{\"n\":1}\n{\"n\":\"NaN\"}\n{\"n\":3}\n"),
        ("drop", "{\"n\":1}\n{\"n\":3}\n"),
    ] {
        let output = command(&["--on-misfit", policy]);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(String::from_utf8_lossy(&output.stdout), records, "{stderr}");
        assert!(
            stderr.contains("warning: n: \"NaN\" on http://") && stderr.contains("is not a number"),
            "{stderr}"
        );
        assert_eq!(output.status.code(), Some(0));
    }
    let output = command(&["--on-misfit", "fail", "-o", "out.csv"]);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(4), "{stderr}");
    assert!(
        stderr.contains("cannot write out.csv: ") && stderr.contains("`n`: \"NaN\" is not a number"),
        "{stderr}"
    );
    assert_eq!(files(folder.path()), ["out.csv.part"]);
}

/// Whether more than a hundred records are in the table. The size of the log says less: it grows before its batch is
/// committed. Without `sqlite3`, which is asked later as well, any log will do.
fn committed(folder: &Path) -> bool {
    let sql = "SELECT count(*) > 100 FROM items";
    match Command::new("sqlite3")
        .args(["a.sqlite", sql])
        .current_dir(folder)
        .output()
    {
        Ok(said) => said.stdout == b"1\n",
        Err(_) => size(&folder.join("a.sqlite-wal")) > 500_000,
    }
}

/// Killed at some moments, on each kind of target: nothing that looks whole is half, and what is there can be read.
#[test]
fn a_killed_run_leaves_nothing_that_looks_whole() {
    let server = endless();
    for (name, rest) in [
        ("a.ndjson", "a.ndjson.part"),
        ("a.csv", "a.csv.part"),
        ("a.ndjson.gz", "a.ndjson.gz.part"),
        ("a.parquet", "a.parquet.part"),
        ("p.parquet/", "p.parquet"),
        ("a.sqlite#items", "a.sqlite"),
    ] {
        let folder = tempfile::tempdir().expect("a directory");
        let at = folder.path();
        let args = ["-q", "--part-seconds", "0.3", "-o", name];
        let mut child = run(&server, at, &args).stderr(Stdio::null()).spawn().expect("a run");
        match name {
            "p.parquet/" => until("a part", || {
                at.join("p.parquet").is_dir()
                    && files(&at.join("p.parquet"))
                        .iter()
                        .any(|name| name.starts_with("part-"))
            }),
            "a.sqlite#items" => until("a batch", || committed(at)),
            // It is written at the end, or in pieces of a megabyte.
            "a.parquet" => std::thread::sleep(Duration::from_millis(700)),
            "a.ndjson.gz" => until("a member", || size(&at.join(rest)) > 0),
            _ => until("records", || size(&at.join(rest)) > 200_000),
        }
        kill(&mut child);
        assert!(
            !name.contains("a.") || name.contains("sqlite") || !at.join(name).exists(),
            "{name}"
        );
        // The next run says what it found, or goes on.
        let (code, stderr) = output(run(&server, at, &["-q", "--max-pages", "1", "-o", name]));
        match rest.ends_with(".part") && size(&at.join(rest)) > 0 {
            true => {
                assert_eq!(code, Some(2), "{name}: {stderr}");
                assert!(stderr.contains("was left by a run that did not end"), "{stderr}");
            }
            false => assert_eq!(code, Some(0), "{name}: {stderr}"),
        }
        if ["a.ndjson", "a.csv", "a.ndjson.gz"].contains(&name) {
            let (code, stderr) = output(run(&server, at, &["-q", "--max-pages", "1", "--append", "-o", name]));
            assert_eq!(code, Some(0), "{name}: {stderr}");
            assert_eq!(files(at), [name]);
        }
        match name {
            "a.ndjson" => {
                let text = std::fs::read_to_string(at.join(name)).expect("a file");
                let lines: Vec<serde_json::Value> = text
                    .lines()
                    .map(|line| serde_json::from_str(line).expect("a record"))
                    .collect();
                assert!(lines.len() > 100);
                let whole = lines.len() - 10;
                assert!((0..whole).all(|at| lines[at]["n"] == at), "in order, none missing");
            }
            "a.sqlite#items" => {
                let sql = "SELECT count(*) > 100, count(*) = max(items._id), (SELECT count(*) FROM items) = count(*) \
                           FROM items JOIN items_inner ON _parent = items._id; PRAGMA integrity_check";
                if let Some(said) = asked("sqlite3", &["a.sqlite", sql], at) {
                    assert_eq!(said, "1|1|1\nok");
                }
            }
            "p.parquet/" => {
                let script = "import duckdb\nprint(duckdb.sql(\"SELECT count(*) > 10, count(*) - count(DISTINCT n) FROM 'p.parquet/*.parquet'\").fetchall())";
                if let Some(said) = python("duckdb", script, at) {
                    assert_eq!(said, "[(True, 10)]", "the second run found ten records again");
                }
                let names = files(&at.join("p.parquet"));
                assert!(
                    names.iter().all(|name| name.ends_with(".parquet")),
                    "what was hidden is gone: {names:?}"
                );
            }
            _ => {}
        }
    }
}

/// A small file system that fills up.
#[test]
fn a_full_disk_leaves_whole_records_and_says_so() {
    let folder = tempfile::tempdir().expect("a directory");
    let at = folder.path().join("small");
    std::fs::create_dir(&at).expect("a directory");
    let mounted = Command::new("mount")
        .args(["-t", "tmpfs", "-o", "size=512k", "tmpfs"])
        .arg(&at)
        .output();
    if !mounted.is_ok_and(|output| output.status.success()) {
        return skip(
            "a_full_disk_leaves_whole_records_and_says_so",
            "no file system can be mounted here",
        );
    }
    let server = endless();
    for name in [
        "a.ndjson",
        "a.csv.gz",
        "a.ndjson.zst",
        "a.parquet",
        "p.parquet/",
        "a.sqlite#items",
    ] {
        // What cannot be compressed fills the disk sooner.
        let flags = ["-q", "--part-seconds", "0.2", "--max-time", "40", "-o", name];
        let packed = name.ends_with("gz") || name.ends_with("zst") || name.contains("parquet");
        if packed {
            std::fs::write(at.join("ballast"), vec![1; 500 << 10]).expect("ballast");
        }
        let (code, stderr) = output(run(&server, &at, &flags));
        assert_eq!(code, Some(4), "{name}: {stderr}");
        assert!(
            stderr.contains("cannot write ") && stderr.contains("hint: free some space there"),
            "{name}: {stderr}"
        );
        match name {
            "a.ndjson" => {
                let text = std::fs::read_to_string(at.join("a.ndjson.part")).expect("a part");
                assert!(text.lines().count() > 100);
                assert!(
                    text.lines()
                        .all(|line| serde_json::from_str::<serde_json::Value>(line).is_ok()),
                    "whole lines"
                );
            }
            "a.sqlite#items" => {
                if let Some(said) = asked("sqlite3", &["a.sqlite", "PRAGMA integrity_check"], &at) {
                    assert_eq!(said, "ok");
                }
            }
            "p.parquet/" => {
                let names = files(&at.join("p.parquet"));
                assert!(
                    names.iter().all(|name| name.ends_with(".parquet")),
                    "nothing half is left: {names:?}"
                );
            }
            _ => assert!(!at.join(name).exists(), "{name}"),
        }
        for entry in std::fs::read_dir(&at).expect("a directory").flatten() {
            let _ = std::fs::remove_file(entry.path());
            let _ = std::fs::remove_dir_all(entry.path());
        }
    }
    let _ = Command::new("umount").arg(&at).output();
}

#[test]
fn a_place_that_cannot_be_written_is_an_error_at_once() {
    let folder = tempfile::tempdir().expect("a directory");
    let at = folder.path();
    // Nobody listens: whatever is fetched would fail in another way.
    let run = |name: &str, flags: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_wrapwright"));
        command
            .args([
                "run",
                "-q",
                "-e",
                "doc('http://127.0.0.1:1/')//p:<row>[.:<n=.>]",
                "-o",
                name,
            ])
            .args(flags)
            .current_dir(at);
        output(command)
    };
    std::fs::create_dir(at.join("dir")).expect("a directory");
    for (name, flags, code, part) in [
        ("/proc/out.csv", &[][..], 4, "cannot write /proc/out.csv"),
        ("/proc/out.sqlite", &[], 4, "cannot write /proc/out.sqlite"),
        ("/proc/out.parquet/", &[], 4, "cannot write /proc/out.parquet"),
        ("no/such/out.csv", &[], 4, "cannot write no/such/out.csv"),
        ("dir", &[], 2, "dir is a directory"),
        ("out.csv", &["--key", "n"], 2, "a key needs a table"),
        ("out.sqlite", &["--mark-gone"], 2, "needs a key"),
        ("out.sqlite", &["--key", "isbn"], 2, "no field `isbn`"),
        ("out.parquet.gz", &[], 2, "exclude each other"),
        (
            "postgresql://u:secret@127.0.0.1:1/db",
            &[],
            4,
            "cannot write PostgreSQL 127.0.0.1/db",
        ),
        ("postgresql://u:secret@h:port/db", &[], 2, "cannot write to PostgreSQL"),
    ] {
        let (found, stderr) = run(name, flags);
        assert_eq!(found, Some(code), "{name} {flags:?}: {stderr}");
        assert!(stderr.contains(part) && !stderr.contains("secret"), "{name}: {stderr}");
    }
    assert_eq!(files(at), ["dir"]);
}

#[test]
fn a_reader_of_a_stream_may_go() {
    let server = endless();
    let folder = tempfile::tempdir().expect("a directory");
    for format in ["arrow", "json", "tsv"] {
        let mut child = run(&server, folder.path(), &["-q", "--format", format])
            .stdout(Stdio::piped())
            .spawn()
            .expect("a run");
        let mut first = [0; 100];
        std::io::Read::read_exact(child.stdout.as_mut().expect("a pipe"), &mut first).expect("the beginning");
        drop(child.stdout.take());
        assert_eq!(child.wait().expect("it ends").code(), Some(0), "{format}");
    }
}

#[test]
fn records_in_a_table_are_updated_by_their_key() {
    let folder = tempfile::tempdir().expect("a directory");
    let at = folder.path();
    let page = |rows: &[(&str, &str)]| {
        let rows: String = rows
            .iter()
            .map(|(name, price)| format!("<li class=b><b>{name}</b><i>{price}</i>"))
            .collect();
        std::fs::write(at.join("a.html"), rows).expect("a page");
    };
    std::fs::write(
        at.join("w.json"),
        r#"{ "wrapwright": 1, "kind": "oxpath",
             "schema": { "name": "row", "fields": [{ "name": "n", "kind": "text" }, { "name": "p", "kind": "text" }] },
             "rule": "//li.b:<row>[b[1]:<n=.>][i[1]:<p=.>]", "evidence": { "pages": [] } }"#,
    )
    .expect("a wrapper");
    let extract = |flags: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_wrapwright"));
        command.args([
            "extract",
            "w.json",
            "a.html",
            "--no-meta",
            "-o",
            "t.db#rows",
            "--key",
            "n",
        ]);
        command.args(flags).current_dir(at);
        output(command)
    };
    page(&[("a", "1"), ("b", "2"), ("c", "3")]);
    let (code, stderr) = extract(&["--mark-gone", "--publish"]);
    assert_eq!(
        (code, stderr.as_str()),
        (Some(0), "records: 3 new, 0 changed, 0 as before, 0 gone\n")
    );
    page(&[("a", "1"), ("b", "20"), ("d", "4")]);
    let (code, stderr) = extract(&["--mark-gone"]);
    assert_eq!(
        (code, stderr.as_str()),
        (Some(0), "records: 1 new, 1 changed, 1 as before, 1 gone\n")
    );
    if let Some(said) = asked(
        "sqlite3",
        &[
            "t.db",
            "SELECT n, p, _changed > _first_seen, _gone IS NULL FROM rows ORDER BY n",
        ],
        at,
    ) {
        assert_eq!(said, "a|1|0|1\nb|20|1|1\nc|3|0|0\nd|4|0|1");
    }
}

#[test]
fn a_server_takes_records_and_may_go() {
    let mut postgres = match server::Server::start() {
        Ok(server) => server,
        Err(why) => return skip("a_server_takes_records_and_may_go", &why),
    };
    let server = endless();
    let folder = tempfile::tempdir().expect("a directory");
    let place = format!("{}&table=items", postgres.url());
    let (code, stderr) = output(run(&server, folder.path(), &["-q", "--max-pages", "3", "-o", &place]));
    assert_eq!(code, Some(0), "{stderr}");
    let sql = "SELECT count(*), sum(n), (SELECT sum(size) FROM items_inner) FROM items";
    assert_eq!(postgres.ask(sql), ["30|435|9000"]);
    // It goes in the middle.
    let mut child = run(&server, folder.path(), &["-q", "-o", &place]);
    let mut child = child.stderr(Stdio::piped()).spawn().expect("a run");
    until("a batch", || postgres.ask("SELECT count(*) > 1000 FROM items") == ["t"]);
    postgres.kill();
    let ended = child.wait().expect("it ends");
    let mut stderr = String::new();
    std::io::Read::read_to_string(child.stderr.as_mut().expect("a pipe"), &mut stderr).expect("words");
    assert_eq!(ended.code(), Some(4), "{stderr}");
    assert!(stderr.contains("error: cannot write PostgreSQL "), "{stderr}");
    postgres.start_again();
    let whole = "SELECT count(*) = (SELECT count(*) FROM items_inner), count(*) > 1000 FROM items";
    assert_eq!(postgres.ask(whole), ["t|t"]);
}

#[test]
fn watching_writes_records_too() {
    let folder = tempfile::tempdir().expect("a directory");
    let at = folder.path();
    for number in 0..4 {
        let rows: String = (0..5)
            .map(|row| format!("<li class=b><b>name {number}-{row}</b></li>"))
            .collect();
        std::fs::write(at.join(format!("{number}.html")), format!("<ul>{rows}</ul>")).expect("a page");
    }
    let wrapwright = |args: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_wrapwright"));
        command.args(args).current_dir(at);
        output(command)
    };
    let pages = ["0.html", "1.html", "2.html", "3.html"];
    let (code, stderr) = wrapwright(&[&["infer"][..], &pages, &["-o", "w.wrapper.json"]].concat());
    assert_eq!(code, Some(0), "{stderr}");
    let args = [
        &["watch", "w.wrapper.json", "-o", "out.csv", "--no-meta", "--pages"][..],
        &pages,
    ]
    .concat();
    let (code, stderr) = wrapwright(&args);
    assert_eq!(code, Some(0), "{stderr}");
    let text = std::fs::read_to_string(at.join("out.csv")).expect("records");
    assert_eq!(text.matches("name ").count(), 20, "{text}");
}

/// The blocks of a language in the part of the documentation about reading results.
fn documented(language: &str) -> Vec<String> {
    let page = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/records.md")).expect("a page");
    let (_, part) = page.split_once("## Reading the results").expect("a part");
    let (part, _) = part.split_once("\n## ").expect("a part after it");
    let begin = format!("```{language}\n");
    let blocks = part.split(begin.as_str()).skip(1);
    blocks
        .filter_map(|block| Some(block.split_once("```")?.0.to_owned()))
        .collect()
}

#[test]
fn what_the_documentation_says_about_reading_is_so() {
    let folder = tempfile::tempdir().expect("a directory");
    let at = folder.path();
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/shop/page-1.html");
    std::fs::copy(page, at.join("page-1.html")).expect("a page");
    let command = documented("text").remove(0);
    let expression = command
        .trim()
        .trim_end_matches('\'')
        .split_once('\'')
        .expect("an expression")
        .1
        .to_owned();
    let write = |place: &str| {
        let args = ["run", "-q", "-e", &expression, "-o", place];
        asked(env!("CARGO_BIN_EXE_wrapwright"), &args, at).expect("the program");
    };
    for place in ["out.parquet/", "out.ndjson", "out.csv", "out.sqlite#books"] {
        write(place);
    }
    let statements = documented("sql");
    let script = format!(
        "import duckdb\nfor sql in {:?}.strip().split('\\n'): print(duckdb.sql(sql.rstrip(';')).fetchall())",
        statements[0]
    );
    if let Some(found) = python("duckdb", &script, at) {
        let lines: Vec<&str> = found.lines().collect();
        assert_eq!(lines.len(), 3, "{found}");
        assert!(lines[0].contains("('The Tin Compass', 'Read it twice.')"), "{found}");
        assert_eq!(lines[2], "[('The Tin Compass', 2)]");
    }
    documented("python").iter().for_each(|script| {
        python("pandas, pyarrow", script, at);
    });
    match server::Server::start() {
        Err(why) => skip("what_the_documentation_says_about_reading_is_so", &why),
        Ok(server) => {
            write(&format!("{}&table=books", server.url()));
            let mut found = statements[1].trim().lines().map(|sql| server.ask(sql));
            let counts = ["A Field Guide to Lighthouses|1", "The Tin Compass|2"];
            assert_eq!(found.next().expect("rows"), counts);
            assert_eq!(found.next().expect("rows"), ["Salt and Ledger"]);
        }
    }
}
