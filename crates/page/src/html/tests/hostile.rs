//! Pages that are made to be slow or large. Each would take minutes, or all memory, if something were quadratic.

use super::ROOMY;
use crate::html::{Options, parse};
use crate::limits::{LimitError, Limits};
use crate::scratch::Scratch;
use std::fmt::Write;

const MANY: usize = 100_000;

fn roomy(source: &str) -> Scratch<'_> {
    parse(source, &ROOMY, Options::default()).expect("within the limits")
}

fn refused(source: &str) -> Option<LimitError> {
    parse(source, &Limits::default(), Options::default()).err()
}

/// `text` with each number below `count` in place of its `#`.
fn numbered(text: &str, count: usize) -> String {
    let mut out = String::new();
    for n in 0..count {
        for (i, part) in text.split('#').enumerate() {
            if i > 0 {
                write!(out, "{n}").expect("strings grow");
            }
            out.push_str(part);
        }
    }
    out
}

#[test]
fn depth() {
    let tags = [
        "<div>",
        "<b>",
        "<span>",
        "<x>",
        "<svg>",
        "<svg><g>",
        "<math><mi>",
        "<table>",
        "<table><tr><td>",
        "<ul><li>",
        "<template>",
        "<button><p>",
        "<object>",
        "<b><p>",
        "<a><div>",
        "<ruby><rtc>",
        "<dl><dd>",
        "<option>",
        "<table><b>",
        "<svg><desc><b><p>",
        "<select><svg><desc>",
    ];
    for tag in tags {
        let source = tag.repeat(MANY);
        let error = refused(&source);
        let flat = ["<button><p>", "<a><div>", "<b><p>", "<table>", "<table><b>", "<option>"].contains(&tag);
        assert!(error == Some(LimitError::Depth(4096)) || flat, "{tag}: {error:?}");
        let nodes = roomy(&source).nodes.len();
        assert!(nodes >= MANY, "{tag}: {nodes} nodes");
    }
}

#[test]
fn distinct_formatting_at_depth() {
    let nodes = roomy(&numbered("<font color=#>", 10_000)).nodes.len();
    assert_eq!(nodes, 10_004);
}

#[test]
fn end_tags_that_match_nothing_near() {
    // The elements that the end tags name are open, but out of scope and far below.
    let below = "<section><ul><li><h1><x><object><div><ul>";
    let deep = "<span>".repeat(3000) + &"<div>".repeat(900);
    for tag in [
        "</section>",
        "</li>",
        "</h2>",
        "</x>",
        "</b>",
        "</object></object>",
        "</y>",
        "</form>",
        "</td>",
    ] {
        refused(&(below.to_owned() + &deep + &tag.repeat(MANY)));
    }
    let foreign = "<x><svg>".to_owned() + &"<g>".repeat(4000);
    roomy(&(foreign + &"</y>".repeat(MANY)));
}

#[test]
fn start_tags_far_above_what_they_ask_for() {
    let deep = "<p><ul><li><dl><dd><select></select><button>".to_owned() + &"<div>".repeat(4000);
    for tag in [
        "<li></li>",
        "<dd></dd>",
        "<p></p>",
        "<hr>",
        "<table></table>",
        "<option></option>",
        "<form></form>",
    ] {
        roomy(&(deep.clone() + &tag.repeat(MANY)));
    }
}

#[test]
fn attributes() {
    let source = "<p ".to_owned() + &numbered("a# ", MANY) + &numbered("a#=x ", MANY) + ">";
    assert_eq!(roomy(&source).attributes.len(), MANY);
    assert_eq!(
        roomy(&numbered("<html a#><body b#>", MANY / 2)).attributes.len(),
        MANY + 2
    );
    let limits = Limits {
        nodes: 10_000,
        ..Limits::default()
    };
    assert_eq!(
        parse(&source, &limits, Options::default()).err(),
        Some(LimitError::Nodes(10_000))
    );
    // The same large number of attributes in another order on formatting elements, which are compared.
    let attributes = numbered(" a#", 5_000);
    let reversed: Vec<&str> = attributes.split(' ').rev().collect();
    roomy(&format!("<b{attributes}><b {}>", reversed.join(" ")).repeat(3));
}

#[test]
fn names_that_look_alike() {
    roomy(&numbered("<p aaaaaaaa-#-bbbbbbbb>", MANY));
}

#[test]
fn unfinished_markup() {
    for part in [
        "<!--",
        "<!-- >",
        "<a b='",
        "<a b=",
        "<a ",
        "</a b='",
        "<![CDATA[",
        "<!",
        "<?",
        "<",
        "</",
        "<!DOCTYPE '",
    ] {
        roomy(&part.repeat(MANY));
        roomy(&("<svg>".to_owned() + &part.repeat(MANY)));
    }
    for part in [
        "<script><!--<script>",
        "<title><",
        "<title></titl",
        "<style></style",
        "<textarea>&",
        "<plaintext>\0",
    ] {
        roomy(&part.repeat(MANY));
    }
    roomy(&("<script>".to_owned() + &"<!--<script></script>".repeat(MANY)));
}

#[test]
fn references() {
    for part in ["&", "&#", "&#x", "&a", "&notin", "&#99999999", "&\0", "\r", "\0"] {
        roomy(&part.repeat(MANY));
        roomy(&format!("<p title='{}'>", part.repeat(MANY)));
    }
    roomy(&("&#".to_owned() + &"9".repeat(MANY * 10)));
    roomy(&("&".to_owned() + &"a".repeat(MANY * 10)));
}

#[test]
fn formatting_that_piles_up() {
    // Each paragraph opens all formatting elements again.
    let explosion = "<p>".to_owned() + &numbered("<font color=#>", 1000) + &"<p>x".repeat(MANY);
    let limits = Limits {
        nodes: 1_000_000,
        ..Limits::default()
    };
    assert_eq!(
        parse(&explosion, &limits, Options::default()).err(),
        Some(LimitError::Nodes(1_000_000))
    );
    // Markers remain, so the list grows without bound.
    let markers = "<table><tr>".to_owned() + &"<td><b><object></td>".repeat(MANY);
    roomy(&(markers + "<td>" + &"<b><b><b><b></b></b></b></b><a>".repeat(MANY)));
}

#[test]
fn adoption_at_depth() {
    let deep = numbered("<b a=#>", 100) + &"<div>".repeat(3900);
    roomy(&(deep + &"</b>".repeat(MANY / 4)));
    roomy(&("<a><div>".repeat(1000) + &"</a>".repeat(MANY / 10)));
    roomy(&("<b><p>x".repeat(MANY / 10) + &"</b></p>".repeat(MANY / 10)));
    roomy(&("<nobr>".repeat(MANY / 4) + &"<b><i><u><div></b>".repeat(1000)));
    // The block that is adopted has many children.
    roomy(&("<b><i><div>".to_owned() + &"<br>".repeat(MANY) + &"</i></b>".repeat(100)));
}

#[test]
fn text_in_tables() {
    roomy(&("<table>".to_owned() + &"x<b>".repeat(MANY)));
    roomy(&("<table>".to_owned() + &"x</>".repeat(MANY)));
    roomy(&("<table>".to_owned() + &" <tr>x".repeat(MANY)));
    roomy(&("<frameset>".to_owned() + &"x <frame>".repeat(MANY)));
}

#[test]
fn copies_of_large_values() {
    let source = format!("<p><b title='{}'>", "x".repeat(1 << 20)) + &"<p>x".repeat(1000);
    let limits = Limits {
        bytes: 16 << 20,
        ..Limits::default()
    };
    assert_eq!(
        parse(&source, &limits, Options::default()).err(),
        Some(LimitError::Bytes(16 << 20))
    );
}

#[test]
fn selected_content() {
    let one = format!(
        "<select><selectedcontent></selectedcontent><option>{}</select>",
        "<br>".repeat(1000)
    );
    roomy(&one.repeat(100));
    let nested = "<select><selectedcontent></selectedcontent><option selected><svg><desc>".repeat(MANY / 10);
    let error = refused(&nested);
    assert_eq!(error, Some(LimitError::Depth(4096)));
    let limits = Limits {
        depth: 1 << 20,
        nodes: 1_000_000,
        ..Limits::default()
    };
    let error = parse(&nested, &limits, Options::default()).err();
    assert_eq!(error, Some(LimitError::Nodes(1_000_000)));
}
