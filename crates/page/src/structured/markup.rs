//! Microdata, RDFa and `meta` elements, as facts.
//!
//! Both kinds of attributes are read in one pass in page order, with a stack of the items that are open. An element belongs to
//! the innermost open item; with `itemref`, also what is at another place of the page does.

use super::{Fact, Source, Structured, joined, local};
use crate::{NodeId, Page};
use std::collections::HashMap;

/// An item whose element is not finished.
struct Open {
    end: NodeId,
    path: String,
    number: u32,
}

/// Adds the microdata of a page.
pub(super) fn microdata(page: &Page, into: &mut Structured) {
    if page.name_id("itemprop").is_none() && page.name_id("itemscope").is_none() {
        return;
    }
    let elsewhere = referred(page);
    let mut open: Vec<Open> = Vec::new();
    let mut numbers = 0;
    for &element in page.elements() {
        while open.last().is_some_and(|item| element >= item.end) {
            open.pop();
        }
        // A part that an item refers to belongs to that item, not to the one around it.
        let id = page.attribute_value(element, "id");
        if let Some((path, number)) = id.and_then(|id| elsewhere.get(id)) {
            open.push(Open {
                end: page.end(element),
                path: path.clone(),
                number: *number,
            });
        }
        let around = open.last().map(|item| (item.path.clone(), item.number));
        let names = page.attribute_value(element, "itemprop");
        let names: Vec<&str> = names.into_iter().flat_map(str::split_ascii_whitespace).collect();
        let is_item = page.attribute_value(element, "itemscope").is_some();
        if !is_item {
            let Some((path, number)) = around else { continue };
            for name in names {
                let value = property_value(page, element);
                if !add(
                    into,
                    Source::Microdata,
                    number,
                    joined(&path, local(name)),
                    value,
                    element,
                ) {
                    return;
                }
            }
            continue;
        }
        // An item with a property belongs to the one around it; else it is an item of its own.
        let (path, number) = match (around, names.first()) {
            (Some((path, number)), Some(name)) => (joined(&path, local(name)), number),
            _ => {
                numbers += 1;
                (String::new(), numbers - 1)
            }
        };
        let types = page.attribute_value(element, "itemtype").unwrap_or("");
        for kind in types.split_ascii_whitespace() {
            let path = joined(&path, "@type");
            if !add(into, Source::Microdata, number, path, local(kind).to_owned(), element) {
                return;
            }
        }
        open.push(Open {
            end: page.end(element),
            path,
            number,
        });
    }
}

/// The ids that outermost items refer to, with the path and number of the item.
fn referred(page: &Page) -> HashMap<&str, (String, u32)> {
    let mut ids = HashMap::new();
    if page.name_id("itemref").is_none() {
        return ids;
    }
    let mut ends: Vec<NodeId> = Vec::new();
    let mut numbers = 0;
    for &element in page.elements() {
        while ends.last().is_some_and(|end| element >= *end) {
            ends.pop();
        }
        if page.attribute_value(element, "itemscope").is_none() {
            continue;
        }
        if ends.is_empty() || page.attribute_value(element, "itemprop").is_none() {
            let names = page.attribute_value(element, "itemref").unwrap_or("");
            for id in names.split_ascii_whitespace() {
                ids.entry(id).or_insert((String::new(), numbers));
            }
            numbers += 1;
        }
        ends.push(page.end(element));
    }
    ids
}

/// The value of a property, as the HTML Standard says; and `content` also where the standard does not know it, because pages
/// write it everywhere.
fn property_value(page: &Page, element: NodeId) -> String {
    let attribute = match page.name(element) {
        "meta" => Some("content"),
        "audio" | "embed" | "iframe" | "img" | "source" | "track" | "video" => Some("src"),
        "a" | "area" | "link" => Some("href"),
        "object" => Some("data"),
        "data" | "meter" => Some("value"),
        "time" => Some("datetime"),
        _ => None,
    };
    let own = attribute.and_then(|name| page.attribute_value(element, name));
    let own = own.or_else(|| page.attribute_value(element, "content"));
    match own {
        Some(value) => value.trim().to_owned(),
        None if matches!(attribute, Some("src" | "href" | "data" | "content")) => String::new(),
        None => text(page, element),
    }
}

/// The text of an element, with white space joined.
fn text(page: &Page, element: NodeId) -> String {
    let mut joined = String::new();
    for word in page.string_value(element).split_whitespace() {
        if !joined.is_empty() {
            joined.push(' ');
        }
        joined.push_str(word);
    }
    joined
}

/// Adds the RDFa of a page. A `meta` outside every item is left to [`metas`].
pub(super) fn rdfa(page: &Page, into: &mut Structured) {
    if page.name_id("property").is_none() && page.name_id("typeof").is_none() {
        return;
    }
    let mut open: Vec<Open> = Vec::new();
    let mut numbers = 0;
    for &element in page.elements() {
        while open.last().is_some_and(|item| element >= item.end) {
            open.pop();
        }
        let around = open.last().map(|item| (item.path.clone(), item.number));
        let names = page.attribute_value(element, "property");
        let names: Vec<&str> = names.into_iter().flat_map(str::split_ascii_whitespace).collect();
        let Some(types) = page.attribute_value(element, "typeof") else {
            let Some((path, number)) = around else { continue };
            for name in names {
                let value = ["content", "resource", "href", "src", "datetime"]
                    .iter()
                    .find_map(|name| page.attribute_value(element, name));
                let value = value.map_or_else(|| text(page, element), |value| value.trim().to_owned());
                if !add(into, Source::Rdfa, number, joined(&path, local(name)), value, element) {
                    return;
                }
            }
            continue;
        };
        let (path, number) = match (around, names.first()) {
            (Some((path, number)), Some(name)) => (joined(&path, local(name)), number),
            _ => {
                numbers += 1;
                (String::new(), numbers - 1)
            }
        };
        for kind in types.split_ascii_whitespace() {
            let path = joined(&path, "@type");
            if !add(into, Source::Rdfa, number, path, local(kind).to_owned(), element) {
                return;
            }
        }
        open.push(Open {
            end: page.end(element),
            path,
            number,
        });
    }
}

/// Adds what the `meta` elements say about the page.
pub(super) fn metas(page: &Page, into: &mut Structured) {
    let metas = page.name_id("meta").map(|name| page.elements_named(name));
    for &meta in metas.unwrap_or_default() {
        if page.attribute_value(meta, "itemprop").is_some() {
            continue;
        }
        let name = ["property", "name"]
            .iter()
            .find_map(|name| page.attribute_value(meta, name));
        let value = page.attribute_value(meta, "content");
        let (Some(name), Some(value)) = (name, value) else {
            continue;
        };
        let name = name.trim().to_ascii_lowercase();
        if !name.is_empty() && !add(into, Source::Meta, 0, name, value.trim().to_owned(), meta) {
            return;
        }
    }
}

fn add(into: &mut Structured, source: Source, item: u32, path: String, value: String, node: NodeId) -> bool {
    into.add(Fact {
        source,
        item,
        path,
        value,
        node,
    })
}
