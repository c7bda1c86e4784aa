//! Checks whether the values can still be found on a page.

use super::Sample;
use page::{NodeId, Page};
use std::collections::HashSet;
pub(super) use xtask::sites::normal;

/// How well a value can be found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// No visible text contains it.
    Nowhere,
    /// The text of the page contains it, across elements.
    Across,
    /// It is a part of a text node.
    Part,
    /// It is the whole text of a text node or an element.
    Whole,
}

/// Does a text contain a value, with no letter or digit directly before or after it?
pub(super) fn holds(text: &str, value: &str) -> bool {
    let ends = |c: Option<char>, edge: Option<char>| {
        !(c.is_some_and(char::is_alphanumeric) && edge.is_some_and(char::is_alphanumeric))
    };
    !value.is_empty()
        && text.match_indices(value).any(|(at, _)| {
            let (before, behind) = (&text[..at], &text[at + value.len()..]);
            ends(before.chars().next_back(), value.chars().next())
                && ends(behind.chars().next(), value.chars().next_back())
        })
}

/// How well the values of each field can be found on a page.
pub(super) fn levels(page: &Page, truth: &[Vec<String>]) -> Vec<Vec<Level>> {
    let longest = truth.iter().flatten().map(String::len).max().unwrap_or(0);
    let texts: Vec<String> = page.texts().iter().map(|at| normal(page.string_value(*at))).collect();
    let mut whole: HashSet<String> = texts.iter().cloned().collect();
    // In an element, the longest value may have more white space than this; then the texts of the element are compared.
    let short = |at: &&NodeId| page.text_range(**at).len() <= longest * 2 + 200;
    whole.extend(
        page.elements()
            .iter()
            .filter(short)
            .map(|at| normal(page.string_value(*at))),
    );
    let all = normal(page.text());
    let level = |value: &String| {
        if whole.contains(value) {
            Level::Whole
        } else if texts.iter().any(|text| holds(text, value)) {
            Level::Part
        } else if all.contains(value.as_str()) {
            Level::Across
        } else {
            Level::Nowhere
        }
    };
    truth.iter().map(|values| values.iter().map(level).collect()).collect()
}

/// Is a field gone? It is if no text and no attribute has its values.
pub(super) fn is_gone(sample: &Sample, values: &[String]) -> bool {
    let page = &sample.page;
    let attributes = page.elements().iter().flat_map(|at| page.attributes(*at).map(NodeId));
    let said = attributes
        .map(|at| page.string_value(at))
        .chain(std::iter::once(page.text()));
    let said: Vec<String> = said.map(normal).collect();
    !values.iter().any(|value| said.iter().any(|text| holds(text, value)))
}
