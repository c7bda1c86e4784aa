//! What the console blocks cannot show: pipes, closed pipes, odd files, sizes.

use std::fs;
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Command, Output, Stdio};

fn wrapwright() -> Command {
    Command::new(env!("CARGO_BIN_EXE_wrapwright"))
}

fn query(expression: &str, page: &Path) -> Output {
    wrapwright()
        .args(["query", expression])
        .arg(page)
        .output()
        .expect("the binary runs")
}

#[track_caller]
fn assert_output(output: &Output, code: i32, stdout: &str, stderr_has: &str) {
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{stderr}");
    assert_eq!(String::from_utf8_lossy(&output.stdout), stdout);
    assert!(stderr.contains(stderr_has), "{stderr}");
    assert!(!stderr.contains("panicked"), "{stderr}");
}

#[test]
fn a_page_from_a_pipe() {
    let mut child = wrapwright()
        .args(["query", "//title", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the binary runs");
    child
        .stdin
        .take()
        .expect("a pipe")
        .write_all(b"<title>From a pipe</title>")
        .expect("room in the pipe");
    let output = child.wait_with_output().expect("an end");
    assert_output(&output, 0, "From a pipe\n", "");
}

#[test]
fn a_string_keeps_its_lines() {
    let dir = tempfile::tempdir().expect("a directory");
    let page = dir.path().join("p.html");
    let html = "<meta name=author content=Ann><meta property=og:title content=Kelp><p>one\n\n  two  three</p>";
    fs::write(&page, html).expect("a file");
    assert_output(
        &query("data()", &page),
        0,
        "meta - author = Ann\nmeta - og:title = Kelp\n",
        "",
    );
    assert_output(&query("string(//p)", &page), 0, "one\ntwo three\n", "");
    // A node is a line.
    assert_output(&query("//p", &page), 0, "one two three\n", "");
    assert_output(&query("string(//b)", &page), 0, "\n", "");
}

#[test]
fn a_closed_pipe_ends_quietly() {
    let dir = tempfile::tempdir().expect("a directory");
    let page = dir.path().join("long.html");
    fs::write(&page, "<p>a line of text</p>".repeat(100_000)).expect("a file");
    let mut child = wrapwright()
        .args(["query", "//p"])
        .arg(&page)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary runs");
    let mut first = [0; 16];
    child
        .stdout
        .take()
        .expect("a pipe")
        .read_exact(&mut first)
        .expect("a first line");
    let output = child.wait_with_output().expect("an end");
    assert_output(&output, 0, "", "");
    assert!(output.stderr.is_empty());
}

#[test]
fn json_holds_exact_values() {
    let dir = tempfile::tempdir().expect("a directory");
    let page = dir.path().join("page.html");
    fs::write(&page, "<p title='a \"b\"'>c\n <!--d--></p>").expect("a file");
    let output = wrapwright()
        .args(["query", "--json", "//p/@* | //p/node() | /"])
        .arg(&page)
        .output()
        .expect("a run");
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let matches = json["matches"].as_array().expect("an array");
    let row = |n: usize| ["path", "kind", "name", "value", "html"].map(|key| matches[n][key].as_str().expect("text"));
    let whole = "<html><head></head><body><p title=\"a &quot;b&quot;\">c\n <!--d--></p></body></html>";
    assert_eq!(row(0), ["/", "document", "", "c\n ", whole]);
    let path = "/html[1]/body[1]/p[1]";
    assert_eq!(
        row(1),
        [
            &format!("{path}/@title"),
            "attribute",
            "title",
            "a \"b\"",
            "title=\"a &quot;b&quot;\""
        ]
    );
    assert_eq!(row(2), [&format!("{path}/text()[1]"), "text", "", "c\n ", "c\n "]);
    assert_eq!(
        row(3),
        [&format!("{path}/comment()[1]"), "comment", "", "d", "<!--d-->"]
    );
    assert_eq!(matches.len(), 4);
}

#[test]
fn odd_files_are_pages_or_clear_errors() {
    let dir = tempfile::tempdir().expect("a directory");
    let file = |name: &str, bytes: &[u8]| {
        let path = dir.path().join(name);
        fs::write(&path, bytes).expect("a file");
        path
    };
    let cases: [(&str, &[u8], &str); 6] = [
        ("empty.html", b"", "3\n"),
        ("one-byte.html", b"x", "3\n"),
        ("lone-bracket.html", b"<", "3\n"),
        ("invalid-utf8.html", b"<meta charset=utf-8><p>\xFF\xFE", "5\n"),
        ("utf16.html", b"\xFF\xFE<\0p\0>\0a\0", "4\n"),
        ("unclosed-comment.html", b"<p><!-- and no end", "4\n"),
    ];
    for (name, bytes, elements) in cases {
        assert_output(&query("count(//*)", &file(name, bytes)), 0, elements, "");
    }
    let png = file("picture.html", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR");
    assert_output(&query("//a", &png), 2, "", "found a PNG image, expected an HTML page");
    assert_output(
        &query("//a", &dir.path().join("absent.html")),
        2,
        "",
        "absent.html: no such file or directory",
    );
    let empty = dir.path().join("nothing");
    fs::create_dir(&empty).expect("a directory");
    assert_output(
        &query("//a", &empty),
        2,
        "",
        "found no page, expected files ending in .htm or .html",
    );
}

#[test]
fn pages_over_a_limit_name_the_limit() {
    let dir = tempfile::tempdir().expect("a directory");
    let deep = dir.path().join("deep.html");
    fs::write(&deep, "<div>".repeat(100_000)).expect("a file");
    assert_output(
        &query("//a", &deep),
        2,
        "",
        "nests deeper than the limit of 4096 open elements",
    );
    let raised = wrapwright()
        .args(["query", "--max-page-depth", "200000", "count(//div)"])
        .arg(&deep)
        .output()
        .expect("the binary runs");
    assert_output(&raised, 0, "100000\n", "");
    let small = wrapwright()
        .args(["query", "--max-page-bytes", "10", "//a"])
        .arg(&deep)
        .output()
        .expect("a run");
    assert_output(&small, 2, "", "raise it with --max-page-bytes");
}

#[test]
fn one_bad_page_does_not_stop_the_others() {
    let dir = tempfile::tempdir().expect("a directory");
    for n in 0..50 {
        fs::write(dir.path().join(format!("{n:02}.html")), format!("<p>{n}")).expect("a file");
    }
    fs::write(dir.path().join("25.html"), b"\x1F\x8B\x08\0").expect("a file");
    let output = wrapwright()
        .args(["query", "-I", "//p"])
        .arg(dir.path())
        .output()
        .expect("the binary runs");
    let expected: String = (0..50).filter(|n| *n != 25).map(|n| format!("{n}\n")).collect();
    assert_output(&output, 1, &expected, "25.html: found a gzip file");
}

#[test]
fn a_dump_is_written_whole_or_not_at_all() {
    let dir = tempfile::tempdir().expect("a directory");
    let page = dir.path().join("page.html");
    fs::write(&page, "<p>a&amp;b").expect("a file");
    let dump = dir.path().join("page.xml");
    let option = format!("--xml-dump={}", dump.display());
    let output = wrapwright()
        .args(["query", "//p", &option])
        .arg(&page)
        .output()
        .expect("the binary runs");
    assert_output(&output, 0, "a&b\n", "");
    let xml = fs::read_to_string(&dump).expect("the dump");
    assert_eq!(
        xml,
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<html><head/><body><p>a&amp;b</p></body></html>"
    );
    assert_eq!(
        fs::read_dir(dir.path()).expect("a directory").count(),
        2,
        "no temporary file is left"
    );

    let option = format!("--xml-dump={}/absent/page.xml", dir.path().display());
    let output = wrapwright()
        .args(["query", "//p", &option])
        .arg(&page)
        .output()
        .expect("the binary runs");
    assert_output(&output, 4, "", "cannot write");
}

#[test]
fn a_warc_file_is_the_pages_in_it() {
    use wrapwright::drivers::{Request, Response, Tape};
    let dir = tempfile::tempdir().expect("a directory");
    let file = dir.path().join("crawl.warc.gz");
    let tape = Tape::create(&file, false).expect("a tape");
    let latin = Response {
        status: 200,
        headers: vec![("Content-Type".to_owned(), "text/html; charset=latin1".to_owned())],
        body: b"<title>Gr\xFC\xDFe</title>".to_vec(),
        ..Response::default()
    };
    let picture = Response {
        status: 200,
        headers: vec![("Content-Type".to_owned(), "image/png".to_owned())],
        body: b"<title>no page</title>".to_vec(),
        ..Response::default()
    };
    for (path, answer) in [
        ("a", Response::html("<title>One</title>")),
        ("b?c#d", latin),
        ("e", picture),
        ("f", Response::html("<title>Gone</title>")),
    ] {
        let status = if path == "f" { 410 } else { answer.status };
        let request = Request::get(format!("http://a.test/{path}").parse().expect("an address"));
        tape.write(
            std::time::SystemTime::UNIX_EPOCH,
            &request,
            &Ok(Response { status, ..answer }),
        )
        .expect("room");
    }
    tape.finish().expect("a file");
    let expected = "http://a.test/a: One\nhttp://a.test/b?c: Grüße\n";
    assert_output(&query("//title", &file), 0, expected, "");
    let json = wrapwright()
        .args(["query", "--json", "string(//title)"])
        .arg(&file)
        .output()
        .expect("the binary runs");
    let expected = "{\"page\":\"http://a.test/a\",\"type\":\"string\",\"value\":\"One\"}\n\
        {\"page\":\"http://a.test/b?c\",\"type\":\"string\",\"value\":\"Grüße\"}\n";
    assert_output(&json, 0, expected, "");

    // Cut short: what is whole is used, and the rest is told with its place.
    let bytes = fs::read(&file).expect("a file");
    let cut = dir.path().join("cut");
    fs::write(&cut, &bytes[..bytes.len() - 1]).expect("a file");
    let expected = "http://a.test/a: One\nhttp://a.test/b?c: Grüße\n";
    let output = query("//title", &cut);
    assert_output(&output, 1, expected, "the file ends in the middle of a record");
    assert!(String::from_utf8_lossy(&output.stderr).contains("cut: at byte "));

    let none = dir.path().join("none.warc");
    fs::write(&none, "<p>no archive").expect("a file");
    assert_output(
        &query("//p", &none),
        2,
        "",
        "found \"<p>no archive\", expected a record that begins with WARC/1.1",
    );
}
