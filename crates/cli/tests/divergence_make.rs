//! `learn` and `infer` read pages by the same rules as `extract`.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

const PAGE: &str = "<h1>Caf\u{e9} A</h1><ul><li><b>Congo</b> <i>242</i></li><li><b>Egypt</b> <i>20</i></li></ul>";
const OTHER: &str = "<h1>Caf\u{e9} B</h1><ul><li><b>Peru</b> <i>51</i></li><li><b>Mali</b> <i>223</i></li></ul>";

fn wrapwright(dir: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_wrapwright"))
        .args(arguments)
        .current_dir(dir)
        .output()
        .expect("the binary runs")
}

fn words(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Pages in Latin 1 that do not say so, examples, a schema, recognizers, an expression and a wrapper.
fn setup() -> tempfile::TempDir {
    let dir = tempfile::tempdir().expect("a directory");
    let latin = |text: &str| -> Vec<u8> { text.chars().map(|c| c as u8).collect() };
    let examples = r#"{"a.html": [{"name": "Congo", "code": "242"}, {"name": "Egypt", "code": "20"}]}"#;
    let title = r#"{"a.html": {"title": "Café A"}}"#;
    let recognizers = r#"{"code": {"regex": "[0-9]+", "in": "cell", "mistakes": "none"}}"#;
    let files: [(&str, Vec<u8>); 7] = [
        ("a.html", latin(PAGE)),
        ("b.html", latin(OTHER)),
        ("e.json", examples.into()),
        ("t.json", title.into()),
        ("s.dtd", "<!ELEMENT page (title)><!ELEMENT title (#PCDATA)>".into()),
        ("r.json", recognizers.into()),
        (
            "x.oxp",
            "doc('http://example.org/')//li:<land>[./b:<name=string(.)>]".into(),
        ),
    ];
    for (name, bytes) in files {
        fs::write(dir.path().join(name), bytes).expect("a file");
    }
    let learned = wrapwright(dir.path(), &["learn", "a.html", "--examples", "e.json", "-o", "w.json"]);
    assert_eq!(learned.status.code(), Some(0), "{}", words(&learned));
    dir
}

/// All ways to make a wrapper, and `extract` as the one to compare with.
const WAYS: [&[&str]; 6] = [
    &["extract", "w.json", "a.html", "b.html"],
    &["learn", "a.html", "--examples", "e.json"],
    &["learn", "a.html", "--examples", "e.json", "--schema", "s.dtd"],
    &["learn", "a.html", "b.html", "--recognizers", "r.json"],
    &["learn", "a.html", "b.html", "--oxpath", "x.oxp"],
    &["infer", "a.html", "b.html"],
];

#[test]
fn an_unknown_charset_is_refused_in_the_same_words() {
    let dir = setup();
    for way in WAYS {
        let output = wrapwright(dir.path(), &[way, &["--charset", "nope"]].concat());
        assert_eq!(output.status.code(), Some(2), "{way:?}: {}", words(&output));
        assert_eq!(words(&output), "error: found the unknown charset `nope`\n", "{way:?}");
        assert!(output.stdout.is_empty(), "{way:?}");
    }
}

#[test]
fn large_pages_are_refused_in_the_same_words() {
    let dir = setup();
    for way in WAYS {
        let output = wrapwright(dir.path(), &[way, &["--max-page-bytes", "20"]].concat());
        assert_ne!(output.status.code(), Some(0), "{way:?}");
        let first = words(&wrapwright(
            dir.path(),
            &["extract", "w.json", "a.html", "--max-page-bytes", "20"],
        ));
        let first = first.lines().next().unwrap_or_default();
        assert!(first.contains("a.html: "), "{first}");
        assert!(
            words(&output).contains(first),
            "{way:?}: {} should say {first:?}",
            words(&output)
        );
        assert!(
            words(&output).contains("--max-page-bytes"),
            "{way:?}: {}",
            words(&output)
        );
    }
}

#[test]
fn a_charset_is_used() {
    let dir = setup();
    let learn = [
        "learn",
        "a.html",
        "--examples",
        "t.json",
        "--schema",
        "s.dtd",
        "-o",
        "t.wrapper.json",
    ];
    let learned = wrapwright(dir.path(), &[&learn[..], &["--charset", "windows-1252"]].concat());
    assert_eq!(learned.status.code(), Some(0), "{}", words(&learned));
    let wrong = wrapwright(dir.path(), &[&learn[..], &["--charset", "koi8-r"]].concat());
    assert_eq!(wrong.status.code(), Some(2), "{}", words(&wrong));
    assert!(
        words(&wrong).contains("a.html does not say \"Café A\""),
        "{}",
        words(&wrong)
    );
    let inferred = wrapwright(dir.path(), &["infer", "a.html", "b.html", "--charset", "koi8-r"]);
    assert_eq!(inferred.status.code(), Some(0), "{}", words(&inferred));
}

/// A device that never ends is no file of examples.
#[cfg(unix)]
#[test]
fn endless_files_are_refused() {
    let dir = setup();
    for way in [
        &["learn", "a.html", "--examples", "/dev/zero"][..],
        &["learn", "a.html", "--examples", "e.json", "--schema", "/dev/zero"],
        &["learn", "a.html", "--recognizers", "/dev/zero"],
        &["learn", "a.html", "--oxpath", "/dev/zero"],
    ] {
        let output = wrapwright(dir.path(), way);
        assert_eq!(output.status.code(), Some(2), "{way:?}: {}", words(&output));
        let said = "error: /dev/zero: found more than 16777216 bytes, expected ";
        assert!(words(&output).starts_with(said), "{way:?}: {}", words(&output));
    }
}
