//! The tree construction tests of html5lib, if they are next to the project.

use super::{ROOMY, dump};
use crate::html::{Options, parse, parse_fragment};
use crate::name::Namespace;
use crate::scratch::{Ref, Scratch};
use std::path::Path;

/// Tests that fail, as file and number in it, each with its reason. A test that passes must be removed from the list.
const KNOWN_FAILURES: [(&str, usize, &str); 0] = [];

struct Test {
    data: String,
    expected: String,
    fragment: Option<String>,
    scripting: Option<bool>,
}

/// Reads a `.dat` file; its README describes the format.
fn read(text: &str) -> Vec<Test> {
    let mut tests = Vec::new();
    for block in format!("\n{text}").split("\n#data\n").skip(1) {
        let mut test = Test {
            data: String::new(),
            expected: String::new(),
            fragment: None,
            scripting: None,
        };
        let mut section = "data";
        let mut data = Vec::new();
        for line in block.split('\n') {
            match line {
                "#errors" | "#new-errors" | "#document-fragment" | "#document" => section = &line[1..],
                "#script-on" => test.scripting = Some(true),
                "#script-off" => test.scripting = Some(false),
                _ => match section {
                    "data" => data.push(line),
                    "document-fragment" => test.fragment = Some(line.to_owned()),
                    "document" => test.expected.push_str(&format!("{line}\n")),
                    _ => {}
                },
            }
        }
        test.data = data.join("\n");
        test.expected.truncate(test.expected.trim_end_matches('\n').len());
        tests.push(test);
    }
    tests
}

fn run(test: &Test, scripting: bool) -> Result<(), String> {
    let options = Options { scripting };
    let limits = &ROOMY;
    let (doctype, tree) = match &test.fragment {
        None => {
            let scratch = parse(&test.data, limits, options).map_err(|error| error.to_string())?;
            (scratch.doctype.as_ref().map(dump::doctype), dump::document(&scratch))
        }
        Some(context) => {
            let context = match context.split_once(' ') {
                Some(("svg", name)) => (Namespace::Svg, name.to_ascii_lowercase()),
                Some(("math", name)) => (Namespace::MathMl, name.to_ascii_lowercase()),
                _ => (Namespace::Html, context.clone()),
            };
            let scratch = parse_fragment(&test.data, (context.0, &context.1), limits, options);
            let scratch: Scratch<'_> = scratch.map_err(|error| error.to_string())?;
            (None, dump::below(&scratch, scratch.node(Ref::DOCUMENT).first_child))
        }
    };
    // The scratch tree does not say where among the comments the document type was.
    let (expected_doctype, expected) = match test.expected.lines().find(|line| line.starts_with("| <!DOCTYPE")) {
        Some(line) => (
            Some(line[2..].to_owned()),
            test.expected.replacen(&format!("{line}\n"), "", 1),
        ),
        None => (None, test.expected.clone()),
    };
    let expected = match &expected_doctype {
        Some(doctype) if expected == format!("| {doctype}") => String::new(),
        _ => expected,
    };
    if doctype != expected_doctype {
        return Err(format!(
            "{:?}\nexpected {expected_doctype:?}\nfound {doctype:?}",
            test.data
        ));
    }
    if tree.trim_end_matches('\n') != expected {
        return Err(format!("{:?}\nexpected\n{expected}\nfound\n{tree}", test.data));
    }
    Ok(())
}

#[test]
#[expect(clippy::print_stderr, reason = "the count is of interest")]
fn html5lib() {
    let directory =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/reference/html5lib-tests/tree-construction");
    let Ok(entries) = std::fs::read_dir(&directory) else {
        skip::skip(
            "page: html5lib tree construction",
            &format!("{} is missing", directory.display()),
        );
        return;
    };
    let mut files: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "dat"));
    files.sort();
    let mut passed = 0;
    let mut wrong = Vec::new();
    for path in files {
        let file = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let bytes = std::fs::read(&path).expect("a file that can be read");
        for (number, test) in read(&String::from_utf8_lossy(&bytes)).iter().enumerate() {
            let known = KNOWN_FAILURES.iter().find(|known| known.0 == file && known.1 == number);
            let modes: &[bool] = match test.scripting {
                Some(true) => &[true],
                Some(false) => &[false],
                None => &[false, true],
            };
            let failure = modes.iter().find_map(|&scripting| run(test, scripting).err());
            match (failure, known) {
                (None, None) => passed += 1,
                (Some(_), Some(_)) => {}
                (Some(failure), None) => wrong.push(format!("{file} {number}: {failure}")),
                (None, Some(known)) => wrong.push(format!("{file} {number} passes now, although: {}", known.2)),
            }
        }
    }
    eprintln!("html5lib: {passed} passed, {} known failures", KNOWN_FAILURES.len());
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}
