//! Wrappers that version 0.1 wrote, one of each kind, give the tables that they gave then.

use std::path::PathBuf;
use std::process::Command;

#[test]
fn wrappers_of_version_0_1_give_what_they_gave() {
    let tests = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/old");
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
    for (kind, pages) in [
        ("rules", "examples/videos/before.html"),
        ("delimiters", "examples/codes"),
        ("landmarks", "examples/shop"),
        ("template", "examples/shop"),
        ("oxpath", "examples/shop"),
    ] {
        let output = Command::new(env!("CARGO_BIN_EXE_wrapwright"))
            .current_dir(&root)
            .arg("extract")
            .arg(tests.join(format!("{kind}.wrapper.json")))
            .args([pages, "--no-meta", "-q", "--format", "csv"])
            .output()
            .expect("a run");
        assert_eq!(
            output.status.code(),
            Some(0),
            "{kind}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
        let expected = std::fs::read_to_string(tests.join(format!("{kind}.csv"))).expect("a table");
        assert_eq!(String::from_utf8_lossy(&output.stdout), expected, "{kind}");
        assert!(expected.lines().count() > 1, "{kind}");
    }
}

#[test]
fn an_old_expression_loses_no_value() {
    // No page that it was made from has two titles; version 0.1 gave both all the same.
    let folder = tempfile::tempdir().expect("a directory");
    let page = folder.path().join("two.html");
    let html = "<ul><li class=book><h2>Kelp</h2><h2>Second</h2><b class=price>7</b></ul>";
    std::fs::write(&page, html).expect("a page");
    let output = Command::new(env!("CARGO_BIN_EXE_wrapwright"))
        .arg("extract")
        .arg(PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/old/oxpath.wrapper.json"))
        .arg(&page)
        .arg("--no-meta")
        .output()
        .expect("a run");
    assert_eq!(
        String::from_utf8_lossy(&output.stdout),
        "{\"title\":[\"Kelp\",\"Second\"],\"price\":[\"7\"]}\n"
    );
    assert_eq!(output.status.code(), Some(0));
}
