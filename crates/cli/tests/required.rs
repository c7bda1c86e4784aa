//! A field that is required is told by every command that extracts: with the same words, and an exit code that is not that of
//! a whole success.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

const EVENTS: &str = "//li:<event>[? b:<title(required)=.>][? i:<day=.>]";

fn wrapwright(folder: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_wrapwright"))
        .args(args)
        .current_dir(folder)
        .output()
        .expect("a run")
}

/// The exit code, and what is said.
fn said(folder: &Path, args: &[&str]) -> (Option<i32>, String) {
    let output = wrapwright(folder, args);
    let words = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8(words).expect("text"))
}

/// Pages with all titles in `whole`, and one page without some in `gaps`; and a wrapper that was made from the whole ones.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a directory");
    for (name, odd) in [("whole", "<b>Tides</b>"), ("gaps", "")] {
        let pages = folder.path().join(name);
        fs::create_dir(&pages).expect("a directory");
        for page in 1..=6 {
            let odd = if page == 3 { odd } else { "<b>Salt</b>" };
            let html = format!("<ul><li><b>Kelp {page}</b><i>{page} May</i><li>{odd}<i>{page} June</i></ul>");
            fs::write(pages.join(format!("{page}.html")), html).expect("a page");
        }
    }
    fs::write(folder.path().join("e.oxp"), format!("doc('whole/1.html'){EVENTS}")).expect("a file");
    let learned = said(
        folder.path(),
        &["learn", "whole", "--oxpath", "e.oxp", "-o", "w.json", "-q"],
    );
    assert_eq!(learned, (Some(0), String::new()));
    folder
}

#[test]
fn every_command_that_extracts_tells_it() {
    let folder = folder();
    let wording = "1 `event` record lacks the required field `title`: on gaps/3.html";
    let (code, words) = said(folder.path(), &["extract", "w.json", "gaps"]);
    assert_eq!(code, Some(1), "{words}");
    assert!(words.contains(&format!("warning: {wording}")), "{words}");
    let (code, words) = said(folder.path(), &["extract", "w.json", "whole"]);
    assert_eq!(code, Some(0), "{words}");
    let (code, words) = said(folder.path(), &["extract", "-q", "w.json", "gaps"]);
    assert!(code == Some(1) && !words.contains("lacks"), "{words}");

    let (code, words) = said(folder.path(), &["check", "w.json", "gaps"]);
    assert_eq!(code, Some(1), "{words}");
    assert!(words.contains("lacks the required field `title`"), "{words}");
    let (_, words) = said(folder.path(), &["check", "w.json", "gaps", "--format", "json"]);
    let report: serde_json::Value = serde_json::from_str(&words).expect("JSON");
    assert_eq!(
        (&report["fine"], &report["lacking"][0]["field"]),
        (&true.into(), &"title".into())
    );

    let (code, words) = said(folder.path(), &["test", "--record", "t", "w.json", "gaps"]);
    assert!(words.contains(wording), "{words}");
    assert_eq!(code, Some(1));
    let (code, words) = said(folder.path(), &["test", "t"]);
    assert!(words.contains("lacks the required field `title`"), "{words}");
    assert_eq!(code, Some(0), "the records are as expected: {words}");

    let (_, words) = said(folder.path(), &["learn", "gaps", "--oxpath", "e.oxp", "-o", "g.json"]);
    assert!(words.contains(wording), "{words}");
}
