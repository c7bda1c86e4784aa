//! The words before a record's values, and whether they are labels of the record's own.
//!
//! The labels of a list are the same in each record; those of a page that is one record are all different. So they tell whether
//! elements that look alike are records, or parts of one. Words before the first record of a list may be the heading of all: `Titles
//! found:`. They are no label of its first value, unless the other records have words before them, too. The list is the smallest
//! element around enough of the records; what is above another list like it does not count.
//!
//! **Cost**: linear in the number of records, and for each a few texts.
//!
//! Known failures: a label after its value; words with digits are never labels, since they may be about one record.

use super::alone::LEAST;
use super::paths::{is_called, is_colon};
use super::records::holds;
use page::{NodeId, Page, vocabulary};
use wrapper::profile::Spot;
use wrapper::rule::paths::value;

/// The most texts before a value that are looked at.
const TEXTS: usize = 64;

/// The labels of an example's values, and how many of the values in the same places of other records have the same one.
pub(super) struct Labels {
    own: Vec<Option<String>>,
    same: Vec<(usize, usize)>,
}

impl Labels {
    pub(super) fn new(own: Vec<Option<String>>) -> Labels {
        Labels {
            same: vec![(0, 0); own.len()],
            own,
        }
    }

    /// Counts the labels of a record's values.
    pub(super) fn see(&mut self, page: &Page, found: &[Option<NodeId>]) {
        for ((own, node), (same, all)) in self.own.iter().zip(found).zip(&mut self.same) {
            if let (Some(own), Some(node)) = (own, node) {
                *same += usize::from(before(page, *node).is_some_and(|words| words == *own));
                *all += 1;
            }
        }
    }

    /// Are there labels, and does none of them recur?
    pub(super) fn all_differ(&self) -> bool {
        let mut seen = self.same.iter().filter(|(_, all)| *all > 0).peekable();
        seen.peek().is_some() && seen.all(|(same, all)| same * 2 < *all)
    }

    pub(super) fn are_the_same(&self) -> bool {
        self.same.iter().all(|(same, all)| same * 2 >= *all)
    }
}

/// What the labels of the values of the record `own` say, without those that are a heading of the similar records that it is the first of.
pub(super) fn in_list(
    page: &Page,
    labels: Vec<Option<(NodeId, String)>>,
    own: NodeId,
    similar: &[NodeId],
) -> Vec<Option<String>> {
    let enough = similar.len().min(LEAST);
    // They are in the order of the page.
    let inside = |up: NodeId| {
        let first = similar.partition_point(|node| *node < up);
        &similar[first..similar.partition_point(|node| *node < page.end(up)).max(first)]
    };
    let list = page.ancestors(own).find(|up| inside(*up).len() >= enough);
    let Some(list) = list.filter(|_| enough > 1) else {
        return labels.into_iter().map(|label| Some(label?.1)).collect();
    };
    // The children of the list that the records are in.
    let branch = |node: NodeId| {
        let mut up = std::iter::once(node).chain(page.ancestors(node));
        up.find(|up| page.parent(*up) == Some(list)).unwrap_or(node)
    };
    let mut branches: Vec<NodeId> = inside(list).iter().map(|node| branch(*node)).collect();
    branches.sort_unstable();
    branches.dedup();
    let has_words = |pair: &&[NodeId]| {
        let end = page.end(pair[0]).max(NodeId(pair[0].0 + 1));
        text_before(page, pair[1]).is_some_and(|text| text >= end)
    };
    let have_words = branches.windows(2).filter(has_words).count() * 2 >= branches.len().saturating_sub(1);
    let own = branch(own);
    let is_own = |text: NodeId| holds(page, own, text) || have_words && holds(page, list, text);
    let own = labels.into_iter().map(|label| label.filter(|(text, _)| is_own(*text)));
    own.map(|label| label.map(|(_, words)| words)).collect()
}

pub(super) fn says_something(page: &Page, node: NodeId) -> bool {
    page.string_value(node).chars().any(char::is_alphanumeric)
}

/// The words before a value, if they are its label and not a value themselves.
pub(super) fn label(page: &Page, spot: &Spot, name: &str, values: &[(usize, &Spot)]) -> Option<(NodeId, String)> {
    let text = text_before(page, spot.node)?;
    let is_value = values.iter().any(|(_, other)| {
        let end = page.end(other.node).max(NodeId(other.node.0 + 1));
        other.node <= text && text < end
    });
    let words = value(page, text);
    let is_own = words.chars().any(char::is_numeric);
    (!is_value && !is_own && (is_colon(&words) || is_called(&words, name))).then_some((text, words))
}

/// The words before a node.
fn before(page: &Page, node: NodeId) -> Option<String> {
    text_before(page, node).map(|text| value(page, text))
}

fn text_before(page: &Page, node: NodeId) -> Option<NodeId> {
    let texts = page.texts();
    let place = texts.partition_point(|text| *text < node);
    let seen = |text: &&NodeId| says_something(page, **text) && vocabulary::is_seen(page, **text);
    texts[..place].iter().rev().take(TEXTS).find(seen).copied()
}

#[cfg(test)]
mod tests {
    use super::super::records::tests::learned;

    fn list(names: &[&str]) -> String {
        let item = |name: &&str| format!("<li><a href=/{name}>{name}</a>, a tree</li>");
        format!("<ol>{}</ol>", names.iter().map(item).collect::<String>())
    }

    /// What is above a list is no label of its first record.
    #[test]
    fn a_heading_with_a_colon_is_of_all_records() {
        let given: &[&str] = &["Ash", "/Ash"];
        let fields = ["name", "link"];
        let expected = ["Ash|/Ash", "Elm|/Elm", "Fir|/Fir"];
        let page = format!("<h3>Trees found:</h3>{}", list(&["Ash", "Elm", "Fir"]));
        assert_eq!(learned(&fields, &page, &[given], &page), expected);
        // Beside the records, and called as the field is.
        let page = page
            .replace("<ol>", "")
            .replace("</ol>", "")
            .replace("Trees found:", "Name");
        assert_eq!(learned(&fields, &page, &[given], &page), expected);
        // Another list has a heading, too.
        let more = list(&["Kelp", "Moss", "Reed"]);
        let page = format!("<h3>Trees:</h3>{}<h3>Others:</h3>{more}", list(&["Ash", "Elm", "Fir"]));
        assert_eq!(learned(&fields, &page, &[given], &page).len(), 6);
    }

    /// Rows with a label each are parts of one record, whether the label is in the row or before it.
    #[test]
    fn labels_before_each_of_them_are_their_own() {
        let rows = [
            ("Director", "Ann"),
            ("Writer", "Bob"),
            ("Music", "Cy"),
            ("Editor", "Di"),
        ];
        let fields = ["director", "link"];
        for (before, after) in [("<tr><th>", "</th><td>"), ("<dt>", "</dt><dd>")] {
            let row = |(label, name): &(&str, &str)| format!("{before}{label}{after}<a href=/{name}>{name}</a>");
            let rows: String = rows.iter().map(row).collect();
            let page = format!("<h1>Film</h1><table>{rows}</table>");
            let page = if before == "<dt>" {
                page.replace("table", "dl")
            } else {
                page
            };
            assert_eq!(learned(&fields, &page, &[&["Ann", "/Ann"]], &page), ["Ann|/Ann"]);
        }
    }
}
