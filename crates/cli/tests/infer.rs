//! `infer`, and the other commands on what it makes.

use std::path::Path;
use std::process::{Command, Output};

fn wrapwright(directory: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_wrapwright"));
    command.current_dir(directory).args(arguments).output().unwrap()
}

fn pages(directory: &Path) {
    for (name, title, price) in [
        ("a", "Alien", "7.50"),
        ("b", "Solaris", "8.00"),
        ("c", "Stalker", "9.20"),
    ] {
        let html = format!("<h1>{title}</h1><table><tr><td>Price:<td>{price}</table>");
        std::fs::write(directory.join(format!("{name}.html")), html).unwrap();
    }
}

#[test]
fn a_wrapper_from_pages_gives_their_records() {
    let directory = tempfile::tempdir().unwrap();
    let at = directory.path();
    pages(at);
    let made = wrapwright(at, &["infer", ".", "-o", "w.json"]);
    assert_eq!(made.status.code(), Some(0), "{made:?}");
    let out = wrapwright(at, &["extract", "w.json", "b.html", "--no-meta"]);
    assert_eq!(
        String::from_utf8_lossy(&out.stdout),
        "{\"h1\":\"Solaris\",\"price\":\"8.00\"}\n"
    );
    let table = wrapwright(at, &["extract", "w.json", ".", "--no-meta", "--format", "csv"]);
    let table = String::from_utf8_lossy(&table.stdout).into_owned();
    assert_eq!(table, "h1,price\nAlien,7.50\nSolaris,8.00\nStalker,9.20\n");
    let shown = wrapwright(at, &["show", "w.json"]);
    assert!(String::from_utf8_lossy(&shown.stdout).contains("= price"), "{shown:?}");
    let drawn = wrapwright(
        at,
        &["show", "w.json", "--svg", "w.svg", "--on", "a.html", "--html", "a.out"],
    );
    assert_eq!(drawn.status.code(), Some(0), "{drawn:?}");
    assert!(std::fs::read_to_string(at.join("w.svg")).unwrap().starts_with("<svg"));
    assert!(
        std::fs::read_to_string(at.join("a.out"))
            .unwrap()
            .contains("<mark>Alien</mark>")
    );
}

#[test]
fn one_page_is_not_enough() {
    let directory = tempfile::tempdir().unwrap();
    pages(directory.path());
    let out = wrapwright(directory.path(), &["infer", "a.html"]);
    assert_eq!(out.status.code(), Some(2));
    assert!(
        String::from_utf8_lossy(&out.stderr).contains("expected at least two"),
        "{out:?}"
    );
}
