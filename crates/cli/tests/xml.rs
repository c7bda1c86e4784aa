//! XML is read as XML because of its media type: over HTTP, in a replay, when it was saved, and by the ending of a file.

use demo::server::{Answer, Request, Response, start};
use std::fs;
use std::path::Path;
use std::process::Command;

/// Nothing in it says that it is XML: no declaration, and no root that is known.
const SHOP: &str = "<shop><item><link>https://a.example/1</link><title/><note><![CDATA[a < b]]></note></item></shop>";
const ITEMS: &str = "//item:<item>[.:<link=string(link)>][.:<note=string(.//note)>]";
const RECORD: &str = "{\"link\":\"https://a.example/1\",\"note\":\"a < b\"}\n";

fn wrapwright(folder: &Path, args: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_wrapwright"))
        .args(args)
        .current_dir(folder)
        .output()
        .expect("a run");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{args:?}: {stderr}");
    String::from_utf8(output.stdout).expect("text")
}

#[test]
fn the_media_type_makes_it_xml() {
    let folder = tempfile::tempdir().expect("a directory");
    let folder = folder.path();
    let server = start("127.0.0.1:0", |request: &Request| {
        let media = match request.path.as_str() {
            "/xml" => "application/xml",
            "/atom" => "application/atom+xml; charset=utf-8",
            _ => "text/html",
        };
        Answer::from(Response::new(200, media, SHOP))
    })
    .expect("a free port");
    let url = |path: &str| format!("{}{path}", server.url());
    let expression = |path: &str| format!("doc('{}'){ITEMS}", url(path));
    let run = |path: &str, more: &[&str]| {
        let expression = expression(path);
        let args = [&["run", "-q", "--no-meta", "-e", &expression], more].concat();
        wrapwright(folder, &args)
    };
    assert_eq!(run("xml", &["--record", "x.warc.gz"]), RECORD);
    assert_eq!(run("atom", &[]), RECORD);
    // As HTML, a link is empty and CDATA is a comment.
    assert!(run("html", &[]).contains("\"link\":\"\""));

    wrapwright(folder, &["fetch", "-q", &url("xml"), &url("html"), "-o", "saved"]);
    let (expression, links) = (expression("xml"), "//link/text()");
    assert_eq!(
        wrapwright(folder, &["query", "-qI", links, "saved"]),
        "https://a.example/1\n"
    );
    drop(server);
    let replay = [
        "run",
        "-q",
        "--no-meta",
        "-e",
        &expression,
        "--driver",
        "archive:x.warc.gz",
    ];
    assert_eq!(wrapwright(folder, &replay), RECORD);
}

#[test]
fn the_ending_of_a_file_makes_it_xml() {
    let folder = tempfile::tempdir().expect("a directory");
    for (name, expected) in [
        ("a.xml", "https://a.example/1\n"),
        ("a.RSS", "https://a.example/1\n"),
        ("a.html", ""),
    ] {
        fs::write(folder.path().join(name), SHOP).expect("a file");
        assert_eq!(
            wrapwright(folder.path(), &["query", "-q", "//link/text()", name]),
            expected,
            "{name}"
        );
    }
    let run = ["run", "-q", "--no-meta", "-e", &format!("doc('a.xml'){ITEMS}")];
    assert_eq!(wrapwright(folder.path(), &run), RECORD);
}
