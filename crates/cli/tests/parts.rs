//! Parts, imports, required fields and findings for editors in the real binary.

use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

const PAGE: &str = "<ul><li><b>Kelp</b> <i>9.5.2019</i><li><b>Tides</b> <i>soon</i><li><i>1.6.2019</i></ul>";
const COMMON: &str = "(: Shared. :)\nlet row = //li;\nlet day = date(i, 'D.M.YYYY');\n";
const BOOKS: &str =
    "import 'parts/common.oxp';\n\ndoc('page.html')/row():<book>[? b[1]:<title(required)=.>][.:<day=day()>]\n";

fn wrapwright(folder: &Path, args: &[&str]) -> (Option<i32>, String, String) {
    let output: Output = Command::new(env!("CARGO_BIN_EXE_wrapwright"))
        .args(args)
        .current_dir(folder)
        .output()
        .expect("a run");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a directory");
    fs::create_dir(folder.path().join("parts")).expect("a directory");
    for (name, text) in [("page.html", PAGE), ("parts/common.oxp", COMMON), ("books.oxp", BOOKS)] {
        fs::write(folder.path().join(name), text).expect("a file");
    }
    folder
}

#[test]
fn a_run_with_imports_types_and_required_fields() {
    let folder = folder();
    let (code, out, err) = wrapwright(folder.path(), &["run", "--no-meta", "--summary", "json", "books.oxp"]);
    assert_eq!(code, Some(1), "{err}");
    let records: Vec<Value> = out
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    assert_eq!(records[0], serde_json::json!({"title": "Kelp", "day": "2019-05-09"}));
    assert_eq!(records[1]["day"], Value::Null);
    assert_eq!(records[1]["_misfit"]["day"], "soon");
    assert!(records[2].get("title").is_none(), "{out}");
    assert!(
        err.contains("1 `book` record lacks the required field `title`"),
        "{err}"
    );
    assert!(
        err.contains("book.day: \"soon\" on ") || err.contains("day: \"soon\" on "),
        "{err}"
    );
    assert!(err.contains("\"lacking\":{\"book.title\":1}"), "{err}");
    // Quiet runs say nothing, and end in the same way.
    let (code, again, err) = wrapwright(folder.path(), &["run", "-q", "--no-meta", "books.oxp"]);
    assert_eq!((code, again, err.as_str()), (Some(1), out, ""));
}

/// A wrapper of an expression with imports runs without them.
#[test]
fn a_wrapper_holds_its_parts() {
    let folder = folder();
    let place = folder.path();
    let (code, _, err) = wrapwright(
        place,
        &[
            "learn",
            "--oxpath",
            "books.oxp",
            "-o",
            "books.wrapper.json",
            "page.html",
        ],
    );
    assert_eq!(code, Some(0), "{err}");
    fs::remove_dir_all(place.join("parts")).expect("it is there");
    let (_, shown, _) = wrapwright(place, &["show", "books.wrapper.json", "--as", "oxpath"]);
    assert!(!shown.contains("import") && !shown.contains("let "), "{shown}");
    let (code, out, err) = wrapwright(
        place,
        &["extract", "-q", "--no-meta", "books.wrapper.json", "page.html"],
    );
    // One of them lacks its title, which is required.
    assert_eq!((code, out.lines().count()), (Some(1), 3), "{out}{err}");
}

#[test]
fn mistakes_are_shown_in_the_file_where_they_are() {
    let folder = folder();
    let place = folder.path();
    fs::write(place.join("parts/common.oxp"), COMMON.replace("date(", "dte(")).expect("a file");
    let (code, _, err) = wrapwright(place, &["run", "--check", "books.oxp"]);
    assert_eq!(code, Some(2));
    assert!(err.contains("parts/common.oxp:3:11"), "{err}");
    let (code, out, err) = wrapwright(place, &["run", "--check", "--format", "json", "books.oxp"]);
    assert_eq!((code, err.as_str()), (Some(2), ""));
    let found: Value = serde_json::from_str(out.lines().next().expect("a line")).expect("JSON");
    assert_eq!(found["file"], "parts/common.oxp");
    assert_eq!(found["severity"], "error");
    assert_eq!(found["range"]["start"], serde_json::json!({"line": 2, "character": 10}));
    assert_eq!(found["fix"]["text"], "date");

    // Imports stay below the file, and their circles are named.
    fs::write(place.join("parts/common.oxp"), "import '../books.oxp';").expect("a file");
    let (code, _, err) = wrapwright(place, &["run", "--check", "books.oxp"]);
    assert_eq!(code, Some(2));
    assert!(
        err.contains("parts/common.oxp:1:8") && err.contains("stay in the directory"),
        "{err}"
    );
    fs::write(place.join("parts/common.oxp"), "import 'other.oxp';").expect("a file");
    fs::write(place.join("parts/other.oxp"), "import 'common.oxp';").expect("a file");
    let (_, _, err) = wrapwright(place, &["run", "--check", "books.oxp"]);
    let circle = "parts/common.oxp → parts/other.oxp → parts/common.oxp";
    assert!(err.contains(circle), "{err}");
}

/// A test of an expression reads its imports again.
#[test]
fn tests_see_changes_of_imported_files() {
    let folder = folder();
    let place = folder.path();
    let whole = PAGE.replace("<li><i>1.6.2019", "<li><b>Moss</b><i>1.6.2019");
    fs::write(place.join("page.html"), whole).expect("a file");
    let made = wrapwright(place, &["test", "--record", "kept", "books.oxp"]);
    assert_eq!(made.0, Some(0), "{}", made.2);
    assert_eq!(wrapwright(place, &["test", "kept"]).0, Some(0));
    fs::write(place.join("parts/common.oxp"), COMMON.replace("//li", "//li[1]")).expect("a file");
    assert_eq!(wrapwright(place, &["test", "kept"]).0, Some(3));
}
