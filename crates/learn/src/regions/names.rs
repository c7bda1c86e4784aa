//! Names of the fields of a list.
//!
//! A column whose text is the same in most records and ends with a colon is the label of the next one and no field. Else a
//! field has the name of the heading of its column in a table, or of what is written around it (`itemprop`, `class`). The
//! first text in a link is a `title`. Links and pictures are called after what they are.

use super::columns::{Column, Unnamed};
use crate::infer::columns::headings;
use crate::infer::names::{LONGEST, Used, slug};
use page::{NodeId, Page, vocabulary};
use wrapper::rule::paths::value;

/// The share of the records with the same text that makes it a label.
const MOST: f64 = 0.8;

/// How far above a value its name or its heading may be.
const NEAR: usize = 4;

/// Names columns.
pub(super) fn named(page: &Page, columns: Vec<Unnamed>) -> Vec<Column> {
    let mut used = Used::default();
    let mut label: Option<String> = None;
    let mut titled = false;
    let mut named = Vec::new();
    let count = columns.len();
    for column in columns {
        if let Some(text) = constant(&column)
            && text.ends_with(':')
            && named.len() + 1 < count
        {
            label = Some(text).filter(|text| text.chars().count() <= LONGEST);
            continue;
        }
        let own = label.take().map(|label| slug(&label)).filter(|name| !name.is_empty());
        let first = column.nodes.first().copied().unwrap_or(NodeId::DOCUMENT);
        let linked = || {
            std::iter::once(first)
                .chain(page.ancestors(first))
                .take(4)
                .any(|up| page.name(up) == "a")
        };
        let name = match column.attribute {
            Some("href") => "link".to_owned(),
            Some("src") => "image".to_owned(),
            Some(other) => other.to_owned(),
            None => match own
                .or_else(|| heading(page, first))
                .or_else(|| around(page, first, column.item))
            {
                Some(name) => name,
                None if !titled && (linked() || is_heading(page, first)) => "title".to_owned(),
                None => "text".to_owned(),
            },
        };
        titled |= name == "title";
        named.push(Column {
            name: used.fresh(name),
            field: column.field,
        });
    }
    named
}

/// What is written around a value within its record: `itemprop`, `class` and the like.
fn around(page: &Page, node: NodeId, item: NodeId) -> Option<String> {
    let above = std::iter::once(node).chain(page.ancestors(node)).take(NEAR);
    let inside = above.take_while(|up| *up > item).filter(|up| page.is_element(*up));
    let mut names = inside.flat_map(|up| {
        vocabulary::NAMING
            .iter()
            .filter_map(move |name| page.attribute_value(up, name))
    });
    names.find_map(|name| Some(slug(name)).filter(|name| !name.is_empty()))
}

/// Is a value in a heading?
fn is_heading(page: &Page, node: NodeId) -> bool {
    let mut above = std::iter::once(node).chain(page.ancestors(node)).take(NEAR);
    above.any(|up| matches!(page.name(up), "h1" | "h2" | "h3" | "h4" | "h5" | "h6"))
}

/// The heading of a column in a table.
fn heading(page: &Page, node: NodeId) -> Option<String> {
    let text = page
        .children(node)
        .find(|child| !page.is_element(*child))
        .unwrap_or(node);
    let headings = headings(page, text).into_iter().map(|heading| value(page, heading));
    let mut headings = headings.filter(|text| text.chars().any(char::is_alphabetic) && text.chars().count() <= LONGEST);
    headings.next().map(|text| slug(&text)).filter(|name| !name.is_empty())
}

/// The text that most records have in a column.
fn constant(column: &Unnamed) -> Option<String> {
    let texts: Vec<&String> = column.values.iter().filter_map(|values| values.first()).collect();
    let first = texts
        .first()
        .filter(|_| column.attribute.is_none() && texts.len() > 1)?;
    let same = texts.iter().filter(|text| text == &first).count();
    (same as f64 >= MOST * texts.len() as f64).then(|| first.to_string())
}
