//! Pages of lists as trees that can be changed, with the places of their rows.
//!
//! The values of the truth are marked in the source before it is parsed, by characters that no page uses. So each value
//! is found again in the tree, wherever the parser puts it, and what a change does to the truth is known. A page has
//! rows if the values of each tuple are in an element of their own, and these elements are siblings with one name, most of them
//! without anything between.

use crate::records::data;
use page::{Kind, NodeId, Page};
use std::collections::BTreeSet;

/// A mark is the first of these, the number of a row, the second, the number of an attribute, the third.
const MARK: [char; 3] = ['\u{e000}', '\u{e001}', '\u{e002}'];

/// Elements without an end.
pub(crate) const VOID: [&str; 12] = [
    "br", "hr", "img", "input", "meta", "link", "area", "col", "base", "wbr", "embed", "param",
];

/// A node of a page that can be changed.
#[derive(Clone, Debug)]
pub(crate) enum Node {
    Element {
        name: String,
        attributes: Vec<(String, String)>,
        children: Vec<Node>,
    },
    Text(String),
}

/// Indices of children, from the root.
pub(crate) type Way = Vec<usize>;

/// A page with rows.
#[derive(Clone, Debug)]
pub(crate) struct ListPage {
    pub(crate) root: Node,
    /// The element around the rows.
    pub(crate) parent: Way,
    /// Which of its children are rows.
    pub(crate) rows: Vec<usize>,
    pub(crate) truth: Vec<Vec<Option<String>>>,
}

/// A set whose pages all have rows.
#[derive(Clone, Debug)]
pub(crate) struct ListSet {
    pub(crate) name: String,
    pub(crate) attributes: usize,
    /// The attributes that are above several rows.
    pub(crate) headers: usize,
    pub(crate) pages: Vec<ListPage>,
}

impl Node {
    pub(crate) fn element(name: &str, children: Vec<Node>) -> Node {
        Node::Element {
            name: name.to_owned(),
            attributes: Vec::new(),
            children,
        }
    }

    pub(crate) fn with(mut self, name: &str, value: &str) -> Node {
        if let Node::Element { attributes, .. } = &mut self {
            attributes.push((name.to_owned(), value.to_owned()));
        }
        self
    }

    pub(crate) fn text(text: &str) -> Node {
        Node::Text(text.to_owned())
    }

    pub(crate) fn name(&self) -> &str {
        match self {
            Node::Element { name, .. } => name,
            Node::Text(_) => "",
        }
    }

    pub(crate) fn children(&self) -> &[Node] {
        match self {
            Node::Element { children, .. } => children,
            Node::Text(_) => &[],
        }
    }

    /// The children, to be changed; a text has none.
    pub(crate) fn children_mut(&mut self) -> Option<&mut Vec<Node>> {
        match self {
            Node::Element { children, .. } => Some(children),
            Node::Text(_) => None,
        }
    }

    pub(crate) fn at(&self, way: &[usize]) -> Option<&Node> {
        way.iter().try_fold(self, |node, child| node.children().get(*child))
    }

    pub(crate) fn at_mut(&mut self, way: &[usize]) -> Option<&mut Node> {
        way.iter()
            .try_fold(self, |node, child| node.children_mut()?.get_mut(*child))
    }

    /// All text below.
    pub(crate) fn said(&self) -> String {
        match self {
            Node::Text(text) => text.clone(),
            Node::Element { children, .. } => children.iter().map(Node::said).collect(),
        }
    }

    /// Changes each text and attribute value below.
    pub(crate) fn each_text(&mut self, change: &mut impl FnMut(&mut String, bool)) {
        match self {
            Node::Text(text) => change(text, true),
            Node::Element {
                attributes, children, ..
            } => {
                attributes.iter_mut().for_each(|(_, value)| change(value, false));
                children.iter_mut().for_each(|child| child.each_text(change));
            }
        }
    }

    /// The attributes of rows that are marked below.
    pub(crate) fn marks(&self) -> BTreeSet<(usize, usize)> {
        let mut out = BTreeSet::new();
        self.collect(&mut out);
        out
    }

    fn collect(&self, out: &mut BTreeSet<(usize, usize)>) {
        match self {
            Node::Text(text) => marks_in(text, out),
            Node::Element {
                attributes, children, ..
            } => {
                attributes.iter().for_each(|(_, value)| marks_in(value, out));
                children.iter().for_each(|child| child.collect(out));
            }
        }
    }

    /// The HTML; with `other`, attributes come in reverse order in single quotes.
    pub(crate) fn html(&self, other: bool, out: &mut String) {
        let escaped = |text: &str| unmarked(text).replace('&', "&amp;").replace('<', "&lt;");
        match self {
            Node::Text(text) => out.push_str(&escaped(text)),
            Node::Element {
                name,
                attributes,
                children,
            } => {
                out.push('<');
                out.push_str(name);
                let quote = if other { '\'' } else { '"' };
                let mut write = |(name, value): &(String, String)| {
                    let value = escaped(value).replace('"', "&quot;").replace('\'', "&#39;");
                    out.push_str(&format!(" {name}={quote}{value}{quote}"));
                };
                match other {
                    true => attributes.iter().rev().for_each(&mut write),
                    false => attributes.iter().for_each(&mut write),
                }
                out.push('>');
                if VOID.contains(&name.as_str()) {
                    return;
                }
                children.iter().for_each(|child| child.html(other, out));
                out.push_str(&format!("</{name}>"));
            }
        }
    }
}

/// A text without its marks.
pub(crate) fn unmarked(text: &str) -> String {
    let mut inside = false;
    let keep = |c: &char| {
        let was = inside;
        inside = (inside || *c == MARK[0]) && *c != MARK[2];
        !inside && !was
    };
    text.chars().filter(keep).collect()
}

/// The marks of a text for rows that the list does not have.
pub(crate) fn elsewhere(text: &str) -> String {
    let mut marks = BTreeSet::new();
    marks_in(text, &mut marks);
    let [first, second, third] = MARK;
    let mark = |(row, attribute): &(usize, usize)| format!("{first}{}{second}{attribute}{third}", row + BEYOND);
    marks.iter().map(mark).collect()
}

/// Puts another text in place of a value that is marked; false if it is in no text as it was.
pub(crate) fn put_value(root: &mut Node, (row, attribute): (usize, usize), old: &str, new: &str) -> bool {
    let [first, second, third] = MARK;
    let mark = format!("{first}{row}{second}{attribute}{third}");
    let mut is_put = false;
    root.each_text(&mut |text, is_seen| {
        let Some(at) = text.find(&mark).filter(|_| is_seen && !is_put) else {
            return;
        };
        let start = at + mark.len();
        let skipped = text[start..].len() - text[start..].trim_start().len();
        let start = start + skipped;
        if text[start..].starts_with(old) {
            text.replace_range(start..start + old.len(), new);
            is_put = true;
        }
    });
    is_put
}

/// More rows than a list has.
const BEYOND: usize = 1_000_000;

fn marks_in(text: &str, out: &mut BTreeSet<(usize, usize)>) {
    for part in text.split(MARK[0]).skip(1) {
        if let Some((mark, _)) = part.split_once(MARK[2])
            && let Some((row, attribute)) = mark.split_once(MARK[1])
            && let (Ok(row), Ok(attribute)) = (row.parse(), attribute.parse())
        {
            out.insert((row, attribute));
        }
    }
}

/// The tree of an element or text; what nobody sees is left out.
pub(crate) fn tree(page: &Page, node: NodeId) -> Option<Node> {
    match page.kind(node) {
        Kind::Text => Some(Node::Text(page.string_value(node).to_owned())),
        Kind::Element if page::vocabulary::is_unseen(page.name(node)) => None,
        Kind::Element => Some(Node::Element {
            name: page.name(node).to_owned(),
            attributes: page
                .attributes(node)
                .map(|id| {
                    (
                        page.name(NodeId(id)).to_owned(),
                        page.string_value(NodeId(id)).to_owned(),
                    )
                })
                .collect(),
            children: page.children(node).filter_map(|child| tree(page, child)).collect(),
        }),
        _ => None,
    }
}

/// The set as trees, if all its pages have rows.
pub(crate) fn list_set(set: &data::Set) -> anyhow::Result<Option<ListSet>> {
    let mut pages = Vec::new();
    for page in &set.pages {
        let Some(page) = list_page(page, set.headers)? else {
            return Ok(None);
        };
        pages.push(page);
    }
    Ok(Some(ListSet {
        name: set.name.clone(),
        attributes: set.attributes.len(),
        headers: set.headers,
        pages,
    }))
}

fn list_page(source: &data::Page, headers: usize) -> anyhow::Result<Option<ListPage>> {
    let mut places: BTreeSet<(u32, usize, usize)> = BTreeSet::new();
    for (row, tuple) in source.places.iter().enumerate() {
        let own = tuple.iter().enumerate().skip(headers);
        places.extend(own.filter_map(|(attribute, place)| Some(((*place)?, row, attribute))));
    }
    let mut text = source.text.clone();
    for (place, row, attribute) in places.iter().rev() {
        let [first, second, third] = MARK;
        text.insert_str(*place as usize, &format!("{first}{row}{second}{attribute}{third}"));
    }
    let page = Page::parse_str(&text, &Default::default())?;
    let Some(root) = page.children(NodeId::DOCUMENT).find(|node| page.is_element(*node)) else {
        return Ok(None);
    };
    let Some(root) = tree(&page, root) else { return Ok(None) };
    let truth = crate::lists::known(source).rows;
    // The smallest element with marks of all rows is around the rows.
    let (mut parent, mut at) = (Way::new(), &root);
    loop {
        let rows = |node: &Node| {
            node.marks()
                .into_iter()
                .map(|(row, _)| row)
                .collect::<BTreeSet<_>>()
                .len()
        };
        let Some(child) = at.children().iter().position(|child| rows(child) == truth.len()) else {
            break;
        };
        if truth.len() < 2 {
            return Ok(None);
        }
        parent.push(child);
        at = &at.children()[child];
    }
    let mut rows = Vec::new();
    for (number, child) in at.children().iter().enumerate() {
        let marks: BTreeSet<usize> = child.marks().into_iter().map(|(row, _)| row).collect();
        if marks.len() > 1 {
            return Ok(None);
        }
        if let Some(row) = marks.first() {
            if *row != rows.len() {
                return Ok(None);
            }
            rows.push(number);
        }
    }
    // An element between each two rows is a part of the record, so the row is not all of it.
    let between = |pair: &[usize]| {
        let inner = &at.children()[pair[0] + 1..pair[1]];
        inner
            .iter()
            .any(|node| !node.name().is_empty() && !node.said().trim().is_empty())
    };
    if rows.windows(2).filter(|pair| between(pair)).count() * 2 > rows.len() {
        return Ok(None);
    }
    let names: BTreeSet<&str> = rows.iter().map(|row| at.children()[*row].name()).collect();
    let fine = rows.len() == truth.len() && rows.len() >= 2 && names.len() == 1 && !names.contains("");
    Ok(fine.then_some(ListPage {
        root,
        parent,
        rows,
        truth,
    }))
}
