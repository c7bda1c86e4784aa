//! Scripts that are JSON, as facts.

use super::{Fact, MOST_SCRIPT, Source, Structured, joined, local};
use crate::{NodeId, Page};
use serde_json::Value;
use std::borrow::Cow;

/// Adds the facts of the scripts of a source.
pub(super) fn read(page: &Page, source: Source, into: &mut Structured) {
    let scripts = page.name_id("script").map(|name| page.elements_named(name));
    let mut item = 0;
    for script in scripts.unwrap_or_default() {
        let kind = page.attribute_value(*script, "type").unwrap_or("").trim();
        let kind = kind.split(';').next().unwrap_or("").trim();
        let is_wanted = match source {
            Source::JsonLd => kind.eq_ignore_ascii_case("application/ld+json"),
            _ => kind.eq_ignore_ascii_case("application/json"),
        };
        let text = page.string_value(*script);
        if !is_wanted || text.trim().is_empty() {
            continue;
        }
        if text.len() > MOST_SCRIPT {
            into.cut = true;
            continue;
        }
        let Some(value) = parse(text) else { continue };
        let mut things = Vec::new();
        outermost(&value, &mut things);
        for thing in things {
            if !facts(thing, source, item, *script, into) {
                return;
            }
            item += 1;
        }
    }
}

/// The things of a script: it may have several in a list, or in the `@graph` of JSON-LD.
fn outermost<'v>(value: &'v Value, into: &mut Vec<&'v Value>) {
    let mut open = vec![value];
    while let Some(value) = open.pop() {
        match value {
            Value::Array(values) => open.extend(values.iter().rev()),
            Value::Object(fields) if fields.contains_key("@graph") => {
                // What is beside the graph is about the graph.
                into.push(value);
                open.extend(fields.get("@graph"));
            }
            value => into.push(value),
        }
    }
}

/// The values at a path in a text that is JSON.
pub(super) fn values(text: &str, path: &str) -> Vec<String> {
    let mut all = Structured::default();
    if text.len() <= MOST_SCRIPT
        && let Some(value) = parse(text)
    {
        let mut things = Vec::new();
        outermost(&value, &mut things);
        let mut things = things.into_iter();
        things.all(|thing| facts(thing, Source::State, 0, NodeId::DOCUMENT, &mut all));
    }
    let at = all.facts.into_iter().filter(|fact| fact.path == path);
    at.map(|fact| fact.value).collect()
}

/// A text as JSON. Pages put it into comments or CDATA sections and break lines inside strings.
fn parse(text: &str) -> Option<Value> {
    let mut text = text.trim();
    for (from, to) in [("<!--", "-->"), ("//<![CDATA[", "//]]>"), ("<![CDATA[", "]]>")] {
        text = text.strip_prefix(from).unwrap_or(text).trim();
        text = text.strip_suffix(to).unwrap_or(text).trim();
    }
    let text = text.trim_end_matches(';');
    // Depth is limited by the parser.
    serde_json::from_str(text).ok().or_else(|| {
        let clean: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        serde_json::from_str(&clean).ok()
    })
}

/// Adds the facts of a value in the order of the script; false if there is no room. The stack is explicit, and as high as the
/// longest list at each level.
fn facts(value: &Value, source: Source, item: u32, node: NodeId, into: &mut Structured) -> bool {
    let mut open: Vec<(Cow<'_, str>, &Value)> = vec![(Cow::Borrowed(""), value)];
    while let Some((path, value)) = open.pop() {
        let text = match value {
            Value::Null => continue,
            Value::Array(values) => {
                open.extend(values.iter().rev().map(|value| (path.clone(), value)));
                continue;
            }
            Value::Object(fields) => {
                for (name, value) in fields.iter().rev() {
                    let path = match name.as_str() {
                        "@context" | "@id" => continue,
                        // Its things are things of their own.
                        "@graph" if path.is_empty() => continue,
                        // These only hold what is inside.
                        "@graph" | "@value" => path.to_string(),
                        name if source == Source::JsonLd => joined(&path, local(name)),
                        name => joined(&path, name),
                    };
                    open.push((Cow::Owned(path), value));
                }
                continue;
            }
            Value::Bool(is) => is.to_string(),
            Value::Number(number) => number.to_string(),
            Value::String(text) if path == "@type" || path.ends_with(".@type") => local(text).to_owned(),
            Value::String(text) => text.trim().to_owned(),
        };
        let fact = Fact {
            source,
            item,
            path: path.into_owned(),
            value: text,
            node,
        };
        if !into.add(fact) {
            return false;
        }
    }
    true
}
