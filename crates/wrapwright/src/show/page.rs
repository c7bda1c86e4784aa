//! A page as it is, with what a wrapper finds on it coloured.
//!
//! The page keeps its elements, styles and layout. Values are green and carry the names of their fields; all other text is
//! blue. Scripts, handlers and refreshes are left out: the page is to be looked at, not to act. Values that cannot be
//! coloured, such as those in attributes or in the title, are listed at the top.

use super::placed::placed;
use crate::clip::clip;
use crate::rule::Event;
use crate::rule::landmark::{Landmarks, Part, Run};
use crate::{Document, Kind, NodeId, Page, Wrapper};
use page::structured::Structured;
use std::collections::{BTreeMap, BTreeSet};

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

/// The most values that are coloured; a rule written by hand may find far too many.
const MOST: usize = 100_000;

/// The most characters of a value that is listed.
const LONGEST: usize = 300;

/// Texts and attributes with the names of the fields that they are values of.
pub(super) type Named = BTreeMap<NodeId, Vec<String>>;

/// What landmarks find, each mention of it.
pub(super) fn of_landmarks(page: &Page, rule: &Landmarks) -> Named {
    let mut found: BTreeMap<NodeId, Vec<u32>> = BTreeMap::new();
    for event in Run::new(rule).mentions(page, true) {
        if let Event::Value { field, node, .. } = event
            && rule.fields[field as usize].data.is_none()
        {
            found.entry(node).or_default().push(field);
        }
    }
    // A second form of another field tells nothing new where that one is.
    let group = |part: &Part| match part {
        Part::Group { field, .. } => Some(*field),
        _ => None,
    };
    let groups = rule.parts.iter().filter_map(group);
    let second: BTreeSet<u32> = groups.chain(rule.fields.iter().filter_map(|slot| slot.also)).collect();
    let called = |fields: Vec<u32>| {
        let is_alone = fields.iter().all(|field| second.contains(field));
        let told = fields.into_iter().filter(|field| is_alone || !second.contains(field));
        told.map(|field| rule.fields[field as usize].name.clone()).collect()
    };
    found.into_iter().map(|(node, fields)| (node, called(fields))).collect()
}

/// What landmarks find in structured data: names and values.
pub(super) fn of_data(page: &Page, rule: &Landmarks) -> Vec<(String, String)> {
    let data = Structured::of(page);
    let mut found = Vec::new();
    for slot in &rule.fields {
        let values = slot.data.iter().flat_map(|datum| datum.values(&data));
        found.extend(values.map(|fact| (slot.name.clone(), clip(&fact.value, LONGEST))));
    }
    found
}

/// What any other rule finds: the places of the values of its records, with all fields. A value in an element is all of its texts.
pub(super) fn of_records(page: &Page, wrapper: &Wrapper) -> Named {
    let all = Wrapper {
        shown: None,
        ..wrapper.clone()
    };
    let mut fields = Named::new();
    let Ok(runner) = all.runner() else { return fields };
    let document = Document::new("page", page.clone());
    let records = runner.run(&document, false).records;
    let tables = runner.record_type().tables();
    let mut count = 0;
    for (table, rows) in tables.iter().zip(placed(runner.record_type(), page, &records)) {
        for (column, cells) in rows.iter().flat_map(|row| table.columns.iter().zip(&row.cells)) {
            let name = [&table.path[..], &column.path].concat().join(".");
            for node in cells.iter().filter_map(|cell| cell.node) {
                count += 1;
                if count > MOST {
                    return fields;
                }
                let texts = page.texts();
                let first = texts.partition_point(|text| *text < node);
                let inside = texts[first..].iter().take_while(|text| **text < page.end(node));
                let mut inside: Vec<NodeId> = inside
                    .copied()
                    .filter(|text| !page.string_value(*text).trim().is_empty())
                    .collect();
                if inside.is_empty() {
                    inside.push(node);
                }
                for node in inside {
                    let names = fields.entry(node).or_default();
                    if !names.contains(&name) {
                        names.push(name.clone());
                    }
                }
            }
        }
    }
    fields
}

/// The page with its values coloured.
pub(super) fn coloured(page: &Page, fields: &Named, data: &[(String, String)]) -> String {
    let mut out = format!("<!doctype html>\n<meta charset=utf-8>\n{STYLE}");
    let hidden: Vec<(String, String)> = fields
        .iter()
        .filter(|(node, _)| !colourable(page, **node))
        .map(|(node, names)| {
            let value = clip(page.string_value(*node).trim(), LONGEST);
            (names.join(", "), value)
        })
        .collect();
    let row = |(names, value): &(String, String)| {
        format!("<ww-row><ww-n>{}</ww-n> {}</ww-row>", escape(names), escape(value))
    };
    let hidden: Vec<String> = hidden.iter().chain(data).map(row).collect();
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

fn text(page: &Page, node: NodeId, names: Option<&Vec<String>>, out: &mut String) {
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

#[cfg(test)]
mod tests {
    use crate::make::{InferSettings, Method};
    use crate::show::{self, Language};
    use crate::wrapper::{Rule, Wrapper};
    use crate::{Document, Job, ParseSettings, RecordType};

    /// Products with labels in a table, in a line and in a list.
    fn products() -> Vec<Document> {
        let page = |number: usize| {
            let name = ["Kelp", "Moss", "Fern", "Reed", "Sedge"][number];
            let tags: String = (0..=number % 3)
                .map(|at| format!("<li>tag {at} of {name}</li>"))
                .collect();
            let html = format!(
                "<title>{name} - Shop</title><div class=top><a href=/>Home</a></div><div id=main><h1>{name}</h1>\
                 <p>Price: <b>{number}2.50</b></p><script>var x = {number}</script>\
                 <table><tr><th>Code</th><td>K-{number}</td></tr><tr><th>Made by</th><td>{name} &amp; Sons</td></tr></table>\
                 <dl>\n <dd>\n <strong>Weight:</strong> \n {number}7 g \n</dd>\n</dl>\
                 <h3>Tags</h3><ul>{tags}</ul></div>"
            );
            Document::from_source(format!("{number}"), html, &ParseSettings::default()).expect("a page")
        };
        (0..5).map(page).collect()
    }

    fn inferred(pages: &[Document], method: Method) -> Wrapper {
        let settings = InferSettings {
            method,
            ..InferSettings::default()
        };
        crate::infer(pages, &settings, &Job::new()).expect("a wrapper").wrapper
    }

    #[test]
    fn landmarks_as_an_expression_find_the_same() {
        let pages = products();
        let wrapper = inferred(&pages[..4], Method::Landmarks);
        let text = show::in_language(&wrapper, Language::Oxpath).expect("an expression");
        assert!(text.starts_with("(: "), "what is lost is told: {text}");
        let start = text.find("doc($page)").expect("the page") + "doc($page)".len();
        let other = Wrapper::bare(
            Rule::Oxpath(text[start..].to_owned()),
            RecordType::new("record", Vec::new()),
            None,
        );
        for page in &pages {
            let (mine, theirs) = (
                wrapper.extract(page).expect("records"),
                other.extract(page).expect("records"),
            );
            for name in ["title", "price", "code", "made_by", "weight"] {
                assert!(mine[0].get(name).is_some(), "{name}");
                assert_eq!(
                    mine[0].get(name),
                    theirs[0].get(name),
                    "{name} on {}: {text}",
                    page.name
                );
            }
        }
    }

    /// Pages with a table of plants.
    fn lists() -> Vec<Document> {
        let page = |number: usize| {
            let row = |at: usize| {
                let name = ["Kelp", "Moss", "Fern"][(at + number) % 3];
                format!("<tr><td><a href=/{at}>{name} {at}{number}</a></td><td>{at}.{number}0</td></tr>")
            };
            let rows: String = (0..4 + number).map(row).collect();
            let html = format!("<h1>Plants</h1><table><tr><th>Plant</th><th>Price</th></tr>{rows}</table>");
            Document::from_source(format!("{number}"), html, &ParseSettings::default()).expect("a page")
        };
        (0..5).map(page).collect()
    }

    #[test]
    fn lists_of_a_template_as_an_expression_find_the_same() {
        let pages = lists();
        let wrapper = inferred(&pages[..4], Method::Exalg);
        let text = show::in_language(&wrapper, Language::Oxpath).expect("an expression");
        let start = text.find("doc($page)").expect("the page") + "doc($page)".len();
        let kind = RecordType::new("record", Vec::new());
        let other = Wrapper::bare(Rule::Oxpath(text[start..].to_owned()), kind, None);
        for page in &pages {
            let (mine, theirs) = (
                wrapper.extract(page).expect("records"),
                other.extract(page).expect("records"),
            );
            let rows = |record: &crate::Record| -> Vec<Vec<(String, Option<String>)>> {
                let lists = record.children.iter().filter(|child| !child.children.is_empty());
                let cells = |row: &crate::Record| {
                    let mut cells: Vec<_> = row
                        .children
                        .iter()
                        .map(|cell| (cell.name.clone(), cell.value.clone()))
                        .collect();
                    cells.sort();
                    cells
                };
                lists.map(cells).collect()
            };
            assert!(
                rows(&mine[0]).len() >= 4 && rows(&mine[0])[0].len() == 3,
                "{:?}",
                rows(&mine[0])
            );
            assert_eq!(rows(&mine[0]), rows(&theirs[0]), "{}: {text}", page.name);
        }
    }

    #[test]
    fn every_kind_is_shown_on_a_page() {
        let (pages, lists) = (products(), lists());
        let expression = Rule::Oxpath("//h1:<thing>[.:<name=string(.)>]".to_owned());
        let expression = Wrapper::bare(expression, RecordType::flat("thing", ["name"]), None);
        for (wrapper, page, value) in [
            (inferred(&pages, Method::Landmarks), &pages[0], "Kelp"),
            (expression, &pages[0], "Kelp"),
            (inferred(&lists, Method::Exalg), &lists[0], "Fern 20"),
            (inferred(&lists, Method::Regions), &lists[0], "Fern 20"),
        ] {
            let html = show::page(&wrapper, &page.page).expect("a page");
            let kind = wrapper.rule.kind();
            assert!(html.contains(&format!("<ww-v>{value}</ww-v><ww-n>")), "{kind}: {html}");
        }
        let nothing = Wrapper::bare(Rule::Oxpath("//h9:<a>".to_owned()), RecordType::single("a"), None);
        assert_eq!(show::page(&nothing, &pages[0].page), Err(show::ShowError::NothingFound));
    }
}
