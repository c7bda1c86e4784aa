//! `history`, on histories that the library wrote.

mod past;

use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use tempfile::TempDir;

fn wrapwright(directory: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_wrapwright"));
    command.current_dir(directory).args(arguments).output().unwrap()
}

fn said(out: &Output) -> (Option<i32>, String, String) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (out.status.code(), text(&out.stdout), text(&out.stderr))
}

fn shop() -> TempDir {
    let directory = tempfile::tempdir().unwrap();
    past::write(&directory.path().join("shop.wrapper.json"), &past::shop());
    directory
}

#[test]
fn text_has_a_line_for_each_run_and_a_row_for_each_field() {
    let directory = shop();
    let (code, out, complaints) = said(&wrapwright(directory.path(), &["history", "shop.wrapper.json"]));
    assert_eq!((code, complaints.as_str()), (Some(0), ""));
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!(
        lines.iter().filter(|line| line.starts_with("2026-10-")).count(),
        21,
        "{out}"
    );
    assert!(lines.contains(&"price  ●●●●●●●●◐●● ●●◆●●●●●●"), "{out}");
    assert!(
        lines.contains(&"price  2026-10-15  0 of 40 records have it, 40 of 40 had"),
        "{out}"
    );
    let (_, last, _) = said(&wrapwright(
        directory.path(),
        &["history", "shop.wrapper.json", "--last", "2"],
    ));
    assert_eq!(
        last.lines().filter(|line| line.starts_with("2026-10-")).count(),
        2,
        "{last}"
    );
    assert!(last.contains("\nprice  ●●\n"), "{last}");
}

#[test]
fn json_is_a_line_for_each_run() {
    let directory = shop();
    let arguments = ["history", "shop.wrapper.json", "--format", "json"];
    let (code, out, _) = said(&wrapwright(directory.path(), &arguments));
    assert_eq!(code, Some(0));
    let runs: Vec<serde_json::Value> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(runs.len(), 21);
    assert_eq!(runs[14]["verdict"], "repaired");
    assert_eq!(runs[14]["repair"]["fields"][0]["sure"], 0.97);
    assert_eq!(runs[14]["fields"][1]["chance"], 0.0);
    assert!(runs[13]["repair"].is_null());
    let expected = "{\"when\":\"2026-10-12T06:00:00Z\",\"wrapper\":\"5e1f3a90c2d47b68\",\"pages\":4,\"failed_pages\":4,\
                    \"records\":0,\"verdict\":\"unreadable\",\"fields\":[],\"repair\":null}";
    assert_eq!(out.lines().nth(11), Some(expected));
}

#[test]
fn a_picture_goes_to_its_file_and_nothing_else_is_said() {
    let directory = shop();
    let arguments = ["history", "shop.wrapper.json", "--svg", "h.svg"];
    let drawn = said(&wrapwright(directory.path(), &arguments));
    assert_eq!(drawn, (Some(0), String::new(), String::new()));
    let svg = fs::read_to_string(directory.path().join("h.svg")).unwrap();
    assert!(
        svg.starts_with("<svg ") && svg.contains(">Health of shop.wrapper.json</text>"),
        "{svg}"
    );
    assert!(
        svg.contains(">21 runs from 2026-10-01 to 2026-10-21: 19 fine, 1 repaired, 1 unreadable</text>"),
        "{svg}"
    );
    let arguments = [
        "history",
        "shop.wrapper.json",
        "--svg",
        "h.svg",
        "--last",
        "3",
        "--format",
        "text",
    ];
    let (code, out, _) = said(&wrapwright(directory.path(), &arguments));
    assert_eq!((code, out.matches("fine\n").count()), (Some(0), 3), "{out}");
    assert!(
        fs::read_to_string(directory.path().join("h.svg"))
            .unwrap()
            .contains(">3 runs from")
    );
    let arguments = ["history", "shop.wrapper.json", "--svg", "no/such/h.svg"];
    let (code, _, complaint) = said(&wrapwright(directory.path(), &arguments));
    assert_eq!(code, Some(4), "{complaint}");
    assert!(complaint.contains("cannot write no/such/h.svg"), "{complaint}");
}

#[test]
fn mistakes_say_what_to_do() {
    let directory = tempfile::tempdir().unwrap();
    let at = directory.path();
    let check = |arguments: &[&str], code: i32, expected: &str| {
        let (found, out, complaint) = said(&wrapwright(at, arguments));
        assert_eq!((found, out.as_str()), (Some(code), ""), "{complaint}");
        assert_eq!(complaint, expected);
    };
    let missing = "error: w.wrapper.json: no such file, expected a wrapper\n";
    check(&["history", "w.wrapper.json"], 2, missing);
    fs::write(at.join("w.wrapper.json"), "{}").unwrap();
    let none = "error: w.history.sqlite: there is no history yet\n  \
                hint: `wrapwright watch w.wrapper.json --pages …` makes it, and adds what each run finds\n";
    check(&["history", "w.wrapper.json"], 2, none);
    assert!(
        !at.join("w.history.sqlite").exists(),
        "to look at a history does not make one"
    );
    fs::write(at.join("w.history.sqlite"), "something else").unwrap();
    let other = "error: w.history.sqlite: found a file that is not an SQLite database, expected a history\n  \
                 hint: the file was left as it is; move it away, and the next `wrapwright watch` starts a history there\n";
    check(&["history", "w.wrapper.json"], 2, other);
    let json =
        "{\"severity\":\"error\",\"message\":\"x.wrapper.json: no such file, expected a wrapper\",\"hints\":[]}\n";
    check(&["history", "x.wrapper.json", "--format", "json"], 2, json);
    let (code, _, complaint) = said(&wrapwright(at, &["history", "w.wrapper.json", "--last", "0"]));
    assert_eq!(code, Some(2), "{complaint}");
}
