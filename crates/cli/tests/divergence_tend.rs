//! `check` and `repair` read pages within the limits that they are given, as `extract` does.

mod sites;

use serde_json::json;
use sites::{Place, VIDEOS, old_videos};

/// The page with a megabyte of text that says nothing.
fn large(page: &str) -> String {
    page.replace("</body>", "") + &format!("<p>{}</p>", "filling ".repeat(130_000))
}

/// A shop with a wrapper of delimiters, which reads the source of pages, and with large pages.
fn shop() -> Place {
    let place = Place::new();
    let old = old_videos(&VIDEOS);
    let new = [("b>", "strong>"), ("em>", "u>"), ("i>", "s>")];
    let new = new.iter().fold(old.clone(), |page, (from, to)| page.replace(from, to));
    let rows: Vec<_> = VIDEOS.iter().map(|v| json!({"name": v.name, "dvd": v.dvd})).collect();
    place
        .write("old.html", &old)
        .write("large.html", large(&old))
        .write("changed.html", large(&new))
        .write("d.json", json!({"old.html": rows}).to_string());
    place
        .run(&[
            "learn",
            "old.html",
            "--class",
            "auto",
            "--examples",
            "d.json",
            "-o",
            "d.wrapper.json",
        ])
        .ended(0, "");
    assert_eq!(place.json("d.wrapper.json")["kind"], "delimiters");
    assert!(place.read("large.html").len() > 1_000_000);
    place
}

#[test]
fn the_limit_of_bytes_is_the_one_that_was_given() {
    let place = shop();
    let bounded = |command: &[&str], bytes: &str| place.run(&[command, &["--max-page-bytes", bytes]].concat());
    let check = ["check", "d.wrapper.json", "large.html"];
    let repair = ["repair", "d.wrapper.json", "changed.html", "--force"];
    let extract = ["extract", "d.wrapper.json", "large.html"];
    for (command, page, code) in [
        (&check[..], "large.html", 2),
        (&repair[..], "changed.html", 2),
        (&extract[..], "large.html", 1),
    ] {
        let ran = bounded(command, "500000").ended(
            code,
            &format!("{page}: the page is larger than the limit of 500000 bytes"),
        );
        assert!(
            ran.words.contains("hint: raise it with --max-page-bytes"),
            "{}",
            ran.words
        );
    }
    let words = bounded(&check, "2000000").out;
    assert!(words.contains("now: 1 page with 5 records"), "{words}");
    assert_eq!(bounded(&extract, "2000000").records().len(), 5);
    let ran = bounded(&repair, "2000000").ended(0, "nothing was written");
    assert!(ran.out.contains("May Morning"), "{}", ran.out);
    // The default is a limit like any other, not one that cannot be exceeded.
    assert_eq!(bounded(&check, "200000000").out, words);
}

#[test]
fn an_unknown_charset_is_refused() {
    let place = shop();
    for command in ["check", "repair", "extract"] {
        let arguments = [command, "d.wrapper.json", "old.html", "--charset", "nope"];
        place.run(&arguments).ended(2, "found the unknown charset `nope`");
    }
}
