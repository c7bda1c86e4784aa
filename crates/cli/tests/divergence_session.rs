//! The configuration applies to every command that has the flag, and commands that write records agree about rows.

use std::path::Path;
use std::process::{Command, Output};
use tempfile::TempDir;

fn wrapwright(folder: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_wrapwright"))
        .args(args)
        .env("XDG_CONFIG_HOME", folder.join("user"))
        .current_dir(folder)
        .output()
        .expect("a run")
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[track_caller]
fn fine(folder: &Path, args: &[&str]) -> String {
    let output = wrapwright(folder, args);
    assert_eq!(output.status.code(), Some(0), "{args:?}: {}", stderr(&output));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[track_caller]
fn mistake(folder: &Path, args: &[&str], part: &str) {
    let output = wrapwright(folder, args);
    let words = stderr(&output);
    assert_eq!(output.status.code(), Some(2), "{args:?}: {words}");
    assert!(words.contains(part), "{args:?}: {words}");
}

/// Pages of shops, and a wrapper of an expression for them, with nested records.
fn site() -> TempDir {
    let folder = tempfile::tempdir().expect("a directory");
    std::fs::create_dir(folder.path().join("pages")).expect("a directory");
    for number in 1..=4 {
        let reviews: String = (0..number).map(|by| format!("<p>reader {by}</p>")).collect();
        let page = format!("<html><body><div><b>Book {number}</b>{reviews}</div></body></html>");
        std::fs::write(folder.path().join(format!("pages/{number}.html")), page).expect("a file");
    }
    let expression = "//div:<book>[b:<title=.>][p:<review>[.:<by=.>]]";
    std::fs::write(folder.path().join("w.oxp"), expression).expect("a file");
    fine(
        folder.path(),
        &["learn", "pages", "--oxpath", "w.oxp", "-q", "-o", "w.json"],
    );
    folder
}

fn configure(folder: &Path, text: &str) {
    std::fs::write(folder.join("wrapwright.toml"), text).expect("a file");
}

#[test]
fn the_format_applies_to_run_and_extract_alone() {
    let folder = site();
    let folder = folder.path();
    configure(folder, "format = \"csv\"\n");
    let run = ["run", "-q", "--no-meta", "-e", "doc('pages/1.html')//b:<title=.>"];
    let extract = ["extract", "--no-meta", "w.json", "pages/1.html"];
    assert_eq!(fine(folder, &run), "title\nBook 1\n");
    assert!(fine(folder, &extract).starts_with("title,"), "a table");
    for command in [&run[..], &extract] {
        let typed = [command, &["--format", "ndjson"]].concat();
        assert!(fine(folder, &typed).starts_with('{'), "{typed:?}");
    }
    // Their formats are others.
    assert_eq!(fine(folder, &["query", "//b", "pages/1.html"]), "Book 1\n");
    fine(folder, &["check", "w.json", "pages"]);
}

#[test]
fn the_limit_on_bytes_applies_to_all_that_read_pages() {
    let folder = site();
    let folder = folder.path();
    let commands: [&[&str]; 5] = [
        &["run", "-q", "-e", "doc('pages/1.html')//b:<title=.>"],
        &["query", "//b", "pages/1.html"],
        &["extract", "w.json", "pages/1.html"],
        &["check", "w.json", "pages"],
        &["repair", "w.json", "pages"],
    ];
    for command in commands {
        fine(folder, command);
    }
    configure(folder, "max-page-bytes = 20\n");
    for command in commands {
        let output = wrapwright(folder, command);
        let words = stderr(&output);
        assert_ne!(output.status.code(), Some(0), "{command:?}: {words}");
        assert!(words.contains("20 bytes"), "{command:?}: {words}");
        // What is typed wins.
        let typed = [command, &["--max-page-bytes", "1000"]].concat();
        fine(folder, &typed);
    }
}

#[test]
fn a_wrong_file_stops_every_command_that_reads_it() {
    let folder = site();
    let folder = folder.path();
    configure(folder, "jobs = 2\n");
    let commands: [&[&str]; 7] = [
        &["run", "-q", "-e", "doc('pages/1.html')//b:<title=.>"],
        &["query", "//b", "pages"],
        &["extract", "w.json", "pages"],
        &["check", "w.json", "pages"],
        &["repair", "w.json", "pages"],
        &["learn", "pages", "--oxpath", "w.oxp", "-q"],
        &["infer", "pages", "-q"],
    ];
    for command in commands {
        fine(folder, command);
    }
    configure(folder, "jobs = 0\n");
    for command in commands {
        mistake(folder, command, "wrapwright.toml: line 1: found 0");
    }
    // These need nothing of it.
    fine(folder, &["run", "--check", "-e", "doc('pages/1.html')//b:<title=.>"]);
    fine(folder, &["show", "w.json"]);
}

#[test]
fn run_and_extract_agree_about_rows() {
    let folder = site();
    let folder = folder.path();
    let source = "doc('pages/2.html')//div:<book>[b:<title=.>][p:<review>[.:<by=.>]]";
    let commands: [&[&str]; 2] = [&["run", "-q", "-e", source], &["extract", "w.json", "pages/2.html"]];
    std::fs::write(folder.join("out"), "precious").expect("a file");
    for command in commands {
        for (format, part) in [
            ("ndjson", "--format csv"),
            ("xml", "--format csv"),
            ("csv", "no nested records"),
        ] {
            let typed = [command, &["--rows", "nope", "--format", format, "-o", "out"]].concat();
            mistake(folder, &typed, part);
        }
        mistake(folder, &[command, &["--rows", "nope"]].concat(), "--rows");
        mistake(folder, &[command, &["--rows", "review"]].concat(), "--format csv");
        let table = fine(folder, &[command, &["--rows", "review", "--format", "csv"]].concat());
        assert_eq!(table.lines().count(), 3, "{table}");
    }
    let kept = std::fs::read_to_string(folder.join("out")).expect("a file");
    assert_eq!(kept, "precious", "a mistake costs no file");
}
