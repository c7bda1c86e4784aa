//! A page as it is, with what a landmark wrapper finds on it coloured.
//!
//! The page keeps its elements, styles and layout. Values are green and carry the names of their fields; all other text is
//! blue. Scripts, handlers and refreshes are left out: the page is to be looked at, not to act. Values that cannot be
//! coloured, such as those in attributes or in the title, are listed at the top.

use crate::rule::Event;
use crate::rule::landmark::{Landmarks, Run};
use crate::{Kind, NodeId, Page};
use std::collections::BTreeMap;

const STYLE: &str = "<style>ww-v{background:#b9ebb9!important;color:#000!important;outline:1px solid #3a3}\
ww-n{font:10px sans-serif!important;background:#276b27;color:#fff;padding:0 3px;border-radius:3px;margin:0 2px}\
ww-t{background:#e4ecfa!important}\
ww-list{display:block;font:12px/1.5 sans-serif;color:#222;background:#f6f6f6;border-bottom:2px solid #276b27;padding:6px}\
ww-row{display:block}</style>\n";

/// Elements that are left out with all that is in them.
const DROPPED: [&str; 6] = ["script", "noscript", "iframe", "object", "embed", "template"];
/// Elements whose text is no place for other elements.
const PLAIN: [&str; 5] = ["title", "style", "option", "textarea", "noframes"];
/// Elements without an end.
const VOID: [&str; 16] = [
    "area", "base", "basefont", "bgsound", "br", "col", "embed", "frame", "hr", "img", "input", "link", "meta",
    "param", "source", "wbr",
];

/// The page with its values coloured.
pub(super) fn coloured(page: &Page, rule: &Landmarks) -> String {
    let mut fields: BTreeMap<NodeId, Vec<&str>> = BTreeMap::new();
    for event in Run::new(rule).mentions(page, true) {
        if let Event::Value { field, node, .. } = event {
            fields.entry(node).or_default().push(&rule.fields[field as usize].name);
        }
    }
    let mut out = format!("<!doctype html>\n<meta charset=utf-8>\n{STYLE}");
    let hidden: Vec<String> = fields
        .iter()
        .filter(|(node, _)| !colourable(page, **node))
        .map(|(node, names)| {
            let value = escape(page.string_value(*node).trim());
            format!("<ww-row><ww-n>{}</ww-n> {value}</ww-row>", escape(&names.join(", ")))
        })
        .collect();
    // It goes to the beginning of the body, where the page's own head is over.
    let mut list = format!(
        "<ww-list><ww-v>value</ww-v> <ww-t>template</ww-t>{}</ww-list>",
        hidden.concat()
    );
    let mut open: Vec<NodeId> = Vec::new();
    let mut at = 0;
    while at <= page.len() as u32 {
        while let Some(&element) = open.last()
            && at >= page.end(element).0
        {
            out += &format!("</{}>", page.name(element));
            open.pop();
        }
        if at == page.len() as u32 {
            break;
        }
        let node = NodeId(at);
        at += 1;
        match page.kind(node) {
            Kind::Element if DROPPED.contains(&page.name(node)) || acts(page, node) => at = page.end(node).0,
            Kind::Element => {
                start(page, node, &mut out);
                if !VOID.contains(&page.name(node)) {
                    open.push(node);
                }
                if page.name(node) == "body" {
                    out += &std::mem::take(&mut list);
                }
            }
            Kind::Text => text(page, node, fields.get(&node), &mut out),
            Kind::Document | Kind::Attribute | Kind::Comment => {}
        }
    }
    out
}

/// Can a text be put on a colour where it stands?
fn colourable(page: &Page, node: NodeId) -> bool {
    let parent = page.parent(node).map_or("", |parent| page.name(parent));
    page.kind(node) == Kind::Text && !PLAIN.contains(&parent)
}

/// A `meta` that sends the browser elsewhere, or names an encoding that the file no longer has.
fn acts(page: &Page, node: NodeId) -> bool {
    page.name(node) == "meta"
        && (page.attribute_value(node, "http-equiv").is_some() || page.attribute_value(node, "charset").is_some())
}

fn start(page: &Page, node: NodeId, out: &mut String) {
    *out += &format!("<{}", page.name(node));
    for id in page.attributes(node) {
        let attribute = NodeId(id);
        let name = page.name(attribute);
        let value = page.string_value(attribute);
        let runs = value
            .trim_start()
            .get(..11)
            .is_some_and(|begin| begin.eq_ignore_ascii_case("javascript:"));
        let fine = name
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | ':'));
        if fine && !runs && !name.starts_with("on") {
            *out += &format!(" {name}=\"{}\"", escape(value));
        }
    }
    out.push('>');
}

fn text(page: &Page, node: NodeId, names: Option<&Vec<&str>>, out: &mut String) {
    let said = page.string_value(node);
    let style = page.parent(node).is_some_and(|parent| page.name(parent) == "style");
    if style {
        // Text of a style cannot hold its own end.
        *out += said;
    } else if said.trim().is_empty() || !colourable(page, node) {
        *out += &escape(said);
    } else if let Some(names) = names {
        *out += &format!(
            "<ww-v>{}</ww-v><ww-n>{}</ww-n>",
            escape(said),
            escape(&names.join(", "))
        );
    } else {
        *out += &format!("<ww-t>{}</ww-t>", escape(said));
    }
}

pub(super) fn escape(text: &str) -> String {
    let keep = |c: &char| !c.is_control() || c.is_whitespace();
    let clean: String = text.chars().filter(keep).collect();
    clean
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}
