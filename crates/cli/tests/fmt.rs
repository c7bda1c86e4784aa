//! `wrapwright fmt` in the real binary.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

fn fmt(folder: &Path, args: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_wrapwright"))
        .arg("fmt")
        .args(args)
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("a run");
    let _ = child.stdin.take().expect("a pipe").write_all(input.as_bytes());
    child.wait_with_output().expect("a run")
}

#[test]
fn files_standard_input_and_check() {
    let folder = tempfile::tempdir().expect("a directory");
    let place = folder.path();
    let out = |output: &Output| String::from_utf8_lossy(&output.stdout).into_owned();
    let (ugly, fair) = ("(: one :)doc( 'a' )//li:<x = . >", "(: one :) doc('a')//li:<x=.>\n");
    let piped = fmt(place, &[], ugly);
    assert_eq!((piped.status.code(), out(&piped).as_str()), (Some(0), fair));
    assert_eq!(out(&fmt(place, &["-"], ugly)), fair);

    fs::write(place.join("a.oxp"), ugly).expect("a file");
    fs::write(place.join("parts.oxp"), "let next=//a.next/{click /} ;").expect("a file");
    let checked = fmt(place, &["--check", "a.oxp", "parts.oxp"], "");
    assert_eq!(
        (checked.status.code(), out(&checked).as_str()),
        (Some(3), "a.oxp\nparts.oxp\n")
    );
    assert_eq!(fmt(place, &["a.oxp", "parts.oxp"], "").status.code(), Some(0));
    assert_eq!(fs::read_to_string(place.join("a.oxp")).expect("a file"), fair);
    assert_eq!(
        fs::read_to_string(place.join("parts.oxp")).expect("a file"),
        "let next = //a.next/{click /};\n"
    );
    assert_eq!(
        fmt(place, &["--check", "a.oxp", "parts.oxp"], "").status.code(),
        Some(0)
    );

    // What does not parse stays as it is; the others are formatted.
    fs::write(place.join("broken.oxp"), "doc('a'  //li").expect("a file");
    fs::write(place.join("a.oxp"), ugly).expect("a file");
    let mixed = fmt(place, &["broken.oxp", "a.oxp"], "");
    assert_eq!(mixed.status.code(), Some(2));
    assert!(
        String::from_utf8_lossy(&mixed.stderr).contains("broken.oxp:1:"),
        "{mixed:?}"
    );
    assert_eq!(
        fs::read_to_string(place.join("broken.oxp")).expect("a file"),
        "doc('a'  //li"
    );
    assert_eq!(fs::read_to_string(place.join("a.oxp")).expect("a file"), fair);
    assert_eq!(fmt(place, &["none.oxp"], "").status.code(), Some(2));
}

/// The examples are laid out as `fmt` does it, so that it shows if the layout changes.
#[test]
fn examples_are_formatted() {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let mut files: Vec<String> = fs::read_dir(&examples)
        .expect("examples")
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .filter(|name| name.ends_with(".oxp"))
        .collect();
    files.sort();
    let args: Vec<&str> = ["--check"]
        .into_iter()
        .chain(files.iter().map(String::as_str))
        .collect();
    let checked = fmt(&examples, &args, "");
    assert_eq!(
        checked.status.code(),
        Some(0),
        "{}",
        String::from_utf8_lossy(&checked.stdout)
    );
}
