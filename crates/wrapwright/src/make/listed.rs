//! A list of records from two of them that somebody points at.
//!
//! **In**: documents, and two nodes of one page, each inside of another record. **Out**: a wrapper for the list that has both.
//!
//! A page may have several lists, and the best one by itself is not always the one that somebody wants. All lists of the page are
//! looked for ([`regions`]); the best one in which the two nodes are in different records is taken. Where there is none, the first
//! texts of the two records are examples, and the list is learned from them ([`point`](super::point::point)).
//!
//! Known failures: a node between two records, such as a heading over a group of them, belongs to the record before it.

use super::infer::from_region;
use super::point::point;
use super::{Made, MakeError, Pointed};
use crate::{Document, Job, NodeId, Page};
use learn::regions;
use wrapper::rule::paths::PathsRun;

/// The field that a list begins with that was learned from two records.
const FIRST: &str = "title";

/// The wrapper for the list that has both of these in different records.
///
/// # Errors
///
/// [`MakeError::Paths`] if the two are not on one page, not inside of different elements, or if no list has both.
///
/// ```
/// use wrapwright::make::{Pointed, list_of};
/// use wrapwright::{Document, Job, ParseSettings};
///
/// let item = |name: &str| format!("<li><b>{name}</b><i>{}.50</i></li>", name.len());
/// let menu = ["Home", "Shop", "News", "Help", "Jobs"].map(|name| format!("<p><a href=/{name}>{name}</a></p>")).concat();
/// let html = format!("{menu}<ul>{}</ul>", ["Kelp", "Moss", "Fern", "Salt Road"].map(item).concat());
/// let pages = [Document::from_source("a", html, &ParseSettings::default())?];
/// let text = |words: &str| {
///     let page = &pages[0].page;
///     let node = *page.texts().iter().find(|node| page.string_value(**node) == words).expect("a text");
///     Pointed { document: 0, node, is_wrong: false }
/// };
/// let made = list_of(&pages, text("Moss"), text("Fern"), &Job::new())?;
/// assert_eq!(made.wrapper.extract(&pages[0])?.len(), 4);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn list_of(documents: &[Document], one: Pointed, other: Pointed, job: &Job) -> Result<Made, MakeError> {
    let refused = |message: &str, advice| MakeError::Paths {
        place: "the list".to_owned(),
        message: message.to_owned(),
        advice,
    };
    let Some(document) = documents.get(one.document).filter(|_| one.document == other.document) else {
        return Err(refused(
            "the two records are on different pages",
            "point at two records of one page",
        ));
    };
    let page = &*document.page;
    if one.node.index() >= page.len() || other.node.index() >= page.len() {
        return Err(refused(
            "there is nothing at this place",
            "point at two records of the page",
        ));
    }
    for region in regions::find(page, job) {
        let Ok(run) = PathsRun::new(&region.rule) else { continue };
        let records: Vec<NodeId> = run.page(page).iter().map(|record| record.node).collect();
        let (Some(first), Some(second)) = (
            record_of(page, &records, one.node),
            record_of(page, &records, other.node),
        ) else {
            continue;
        };
        if first != second {
            let (wrapper, _) = from_region(region, "record", documents)?;
            let notes = vec![format!("a list of {} records on {}", records.len(), document.name)];
            return Ok(Made {
                wrapper,
                warnings: Vec::new(),
                notes,
                details: Vec::new(),
                missing: Vec::new(),
                is_right: true,
            });
        }
    }
    let texts =
        apart(page, one.node, other.node).and_then(|(one, other)| Some((first(page, one)?, first(page, other)?)));
    let Some((first, second)) = texts else {
        return Err(refused(
            "the two are not inside of two records",
            "point at a text in each of two records",
        ));
    };
    let at = [first, second].map(|node| Pointed { node, ..one });
    point(documents, None, FIRST, &at, job)
}

/// The number of the record that a node is in: the last one that begins before it, if both are in the same part of the page.
fn record_of(page: &Page, records: &[NodeId], node: NodeId) -> Option<usize> {
    let at = records.partition_point(|record| *record <= node).checked_sub(1)?;
    let around = page.parent(records[at]).unwrap_or(NodeId::DOCUMENT);
    (node < page.end(around)).then_some(at)
}

/// The two largest elements that have one of the nodes each, and not the other.
fn apart(page: &Page, one: NodeId, other: NodeId) -> Option<(NodeId, NodeId)> {
    let top = |node: NodeId, without: NodeId| {
        let around = std::iter::once(node).chain(page.ancestors(node));
        around
            .take_while(|up| !(*up <= without && without < page.end(*up)))
            .last()
    };
    Some((top(one, other)?, top(other, one)?))
}

/// The first text inside of a node that says something.
fn first(page: &Page, node: NodeId) -> Option<NodeId> {
    let end = page.end(node).max(NodeId(node.0 + 1));
    let mut texts = page.texts().iter().copied().skip_while(|text| *text < node);
    texts
        .by_ref()
        .take_while(|text| *text < end)
        .find(|text| page.string_value(*text).chars().any(char::is_alphanumeric))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ParseSettings;

    fn document(html: &str) -> Document {
        Document::from_source("a", html, &ParseSettings::default()).expect("a page")
    }

    fn at(document: &Document, words: &str) -> Pointed {
        let page = &document.page;
        let mut texts = page.texts().iter();
        let node = *texts
            .find(|node| page.string_value(**node).trim() == words)
            .expect("a text");
        Pointed {
            document: 0,
            node,
            is_wrong: false,
        }
    }

    #[test]
    fn the_list_is_the_one_that_was_pointed_at() {
        let item = |(name, price): (&str, &str)| format!("<li><h3>{name}</h3><p>Price: <b>{price}</b></p></li>");
        let goods = [("Kelp", "7.25"), ("Moss", "8.00"), ("Fern", "9.10"), ("Salt", "3.50")].map(item);
        let post = |(who, when): (&str, &str)| format!("<div class=post><i>{who}</i> on <u>{when}</u></div>");
        let posts = [("Ada", "1 May"), ("Ugo", "2 May"), ("Cy", "3 May"), ("Bo", "4 May")].map(post);
        let pages = [document(&format!(
            "<ul>{}</ul><section>{}</section>",
            goods.concat(),
            posts.concat()
        ))];
        for (one, other, expected) in [("Kelp", "9.10", "Salt"), ("Ugo", "3 May", "Ada"), ("Bo", "Ada", "Cy")] {
            let made = list_of(&pages, at(&pages[0], one), at(&pages[0], other), &Job::new()).expect("a list");
            let records = made.wrapper.extract(&pages[0]).expect("records");
            assert_eq!(records.len(), 4, "{one} {other}");
            let all = format!("{records:?}");
            assert!(all.contains(expected), "{one} {other}: {all}");
        }
    }

    #[test]
    fn two_nodes_of_one_record_or_of_nothing_are_no_list() {
        let pages = [document("<p>one <b>two</b></p>")];
        let same = at(&pages[0], "two");
        assert!(list_of(&pages, same, same, &Job::new()).is_err());
        let far = Pointed {
            node: NodeId(99),
            ..same
        };
        assert!(list_of(&pages, same, far, &Job::new()).is_err());
        let elsewhere = Pointed { document: 1, ..same };
        assert!(list_of(&pages, same, elsewhere, &Job::new()).is_err());
    }
}
