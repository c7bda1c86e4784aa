//! The leaves of a row: the places where it can have values.
//!
//! A leaf is a text, an element without content that has an attribute with data (a picture), or an empty cell. Its path is
//! the names of the elements between the row and the leaf; a cell over several columns has their number in its name, so
//! that it is not taken for a cell of one column. Texts between which there are only line breaks are one leaf, with the
//! breaks in its text. Where lines or signs divide a text in pieces that not all rows have, [`cut`] makes the pieces leaves: then they are told apart
//! by what they say, not by their number. One pass over the row, and at most [`MOST`] leaves.

use crate::rule::landmark::clean;
use page::vocabulary::{DATA, is_phrasing, is_unseen, joins_words, shows_nothing};
use page::{Kind, NodeId, Page};

/// The most leaves of a row; further ones are not read.
pub(crate) const MOST: usize = 300;

/// A leaf of a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leaf {
    /// The text, or the element without content.
    pub node: NodeId,
    /// The names of the elements between the row and the leaf, with `/` between them.
    pub path: String,
    /// The number of the row's child that contains it, from 0.
    pub cell: u32,
    /// The numbers of these elements among their siblings.
    pub place: Vec<u16>,
    /// The elements that begin with this leaf, the outermost first.
    pub opens: Vec<NodeId>,
    /// The text, with each run of white space replaced by one space and each line break by one; empty for an element.
    pub text: String,
    /// The class of the innermost element in the row that has one.
    pub class: String,
}

/// Texts that are cut in pieces, each of which is a leaf.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cut {
    /// The path of the texts.
    pub path: String,
    /// The sign between the pieces; a line break if the pieces are lines.
    pub sign: String,
}

/// A stretch of siblings that may be a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stretch {
    /// The first node.
    pub from: NodeId,
    /// Where it ends.
    pub to: NodeId,
    /// Is it the content of one element? Then that element is not part of the paths.
    pub inside: bool,
}

impl Stretch {
    /// The row that is one element.
    pub fn element(page: &Page, node: NodeId) -> Stretch {
        Stretch {
            from: node,
            to: page.end(node),
            inside: true,
        }
    }

    /// Is a node in it?
    pub fn contains(&self, node: NodeId) -> bool {
        self.from <= node && node < self.to
    }
}

/// The name of an element in a path.
fn step(page: &Page, node: NodeId) -> String {
    let name = page.name(node);
    let span = page
        .attribute_value(node, "colspan")
        .and_then(|span| span.trim().parse::<u32>().ok());
    match span {
        Some(span) if span > 1 => format!("{name}*{span}"),
        _ => name.to_owned(),
    }
}

/// A path without the elements that show nothing themselves.
pub(crate) fn bare(path: &str) -> String {
    let steps: Vec<&str> = path.split('/').filter(|step| !shows_nothing(step)).collect();
    steps.join("/")
}

/// An open element of a row.
struct Open {
    node: NodeId,
    end: NodeId,
    /// The length of the path before it.
    length: usize,
    /// How many leaves there were before it.
    before: usize,
    /// How many of its children have been seen.
    children: u16,
}

/// What is known while the leaves of a row are collected.
#[derive(Default)]
struct Reading {
    leaves: Vec<Leaf>,
    open: Vec<Open>,
    path: String,
    /// Elements without a leaf so far.
    pending: Vec<NodeId>,
    /// How many children of the row have been seen.
    children: u16,
    /// Is the last leaf a text that a line break, and nothing else, follows?
    broken: bool,
}

impl Reading {
    fn push(&mut self, page: &Page, node: NodeId, text: String) {
        let class = self
            .open
            .iter()
            .rev()
            .find_map(|open| page.attribute_value(open.node, "class"));
        let mut place: Vec<u16> = vec![self.children];
        place.extend(self.open.iter().map(|open| open.children));
        place.truncate(self.open.len());
        self.leaves.push(Leaf {
            node,
            path: self.path.clone(),
            cell: u32::from(self.children.saturating_sub(1)),
            place,
            opens: std::mem::take(&mut self.pending),
            text,
            class: class.unwrap_or_default().to_owned(),
        });
    }

    /// Closes the elements that end before a node.
    fn close(&mut self, page: &Page, at: NodeId) {
        while self.open.last().is_some_and(|open| at >= open.end) {
            let Some(open) = self.open.last() else { return };
            let (node, length, before) = (open.node, open.length, open.before);
            // An element without leaves is one, if it has data or is a cell of the row.
            let cell = self.open.len() == 1 && is_cell(page.name(node));
            if self.leaves.len() == before && self.leaves.len() < MOST && (has_data(page, node) || cell) {
                self.push(page, node, String::new());
                self.broken = false;
            }
            self.open.pop();
            self.pending.retain(|pending| *pending != node);
            self.path.truncate(length);
        }
    }

    fn text(&mut self, page: &Page, at: NodeId) {
        let text = clean(page.string_value(at));
        if text.is_empty() {
            return;
        }
        // Another line of the same element goes on with the leaf before it.
        if self.broken
            && let Some(last) = self.leaves.last_mut()
            && page.parent(last.node) == page.parent(at)
        {
            last.text.push('\n');
            last.text.push_str(&text);
        } else {
            self.push(page, at, text.into_owned());
        }
        self.broken = false;
    }
}

/// The leaves of a stretch.
pub fn leaves(page: &Page, stretch: Stretch) -> Vec<Leaf> {
    let mut reading = Reading::default();
    let mut at = stretch.from;
    if stretch.inside {
        reading.pending.push(stretch.from);
        at = NodeId(stretch.from.0 + 1);
    }
    loop {
        reading.close(page, at);
        if at >= stretch.to || reading.leaves.len() >= MOST {
            return reading.leaves;
        }
        match page.kind(at) {
            Kind::Element if is_unseen(page.name(at)) => {
                at = page.end(at);
                continue;
            }
            Kind::Element if page.name(at) == "br" => {
                let last = reading.leaves.last();
                reading.broken |= last.is_some_and(|leaf| {
                    page.kind(leaf.node) == Kind::Text && page.parent(leaf.node) == page.parent(at)
                });
            }
            Kind::Element => {
                reading.broken = false;
                match reading.open.last_mut() {
                    Some(open) => open.children = open.children.saturating_add(1),
                    None => reading.children = reading.children.saturating_add(1),
                }
                reading.open.push(Open {
                    node: at,
                    end: page.end(at),
                    length: reading.path.len(),
                    before: reading.leaves.len(),
                    children: 0,
                });
                if !reading.path.is_empty() {
                    reading.path.push('/');
                }
                reading.path.push_str(&step(page, at));
                reading.pending.push(at);
            }
            Kind::Text => reading.text(page, at),
            Kind::Document | Kind::Attribute | Kind::Comment => {}
        }
        at = NodeId(at.0 + 1);
    }
}

/// The pieces of a text: what is between signs. At its beginning and end a sign may lack the spaces around it.
pub fn pieces<'t>(text: &'t str, sign: &str) -> Vec<&'t str> {
    let bare = sign.trim();
    let edge = |c: Option<char>| bare.is_empty() || c.is_none_or(char::is_whitespace);
    let mut rest = text.trim();
    if let Some(after) = rest.strip_prefix(bare).filter(|after| edge(after.chars().next())) {
        rest = after;
    }
    if let Some(before) = rest
        .strip_suffix(bare)
        .filter(|before| edge(before.chars().next_back()))
    {
        rest = before;
    }
    let pieces = rest.split(sign).map(str::trim);
    pieces.filter(|piece| !piece.is_empty()).collect()
}

/// The leaves with the texts of some paths cut in pieces, a bounded number of them. A text of signs alone is no leaf.
pub fn cut(leaves: Vec<Leaf>, cuts: &[Cut]) -> Vec<Leaf> {
    if cuts.is_empty() {
        return leaves;
    }
    let mut out: Vec<Leaf> = Vec::with_capacity(leaves.len());
    for mut leaf in leaves {
        let Some(cut) = cuts.iter().find(|cut| cut.path == leaf.path && !leaf.text.is_empty()) else {
            out.push(leaf);
            continue;
        };
        let text = std::mem::take(&mut leaf.text);
        for piece in pieces(&text, &cut.sign) {
            let opens = std::mem::take(&mut leaf.opens);
            out.push(Leaf {
                text: piece.to_owned(),
                opens,
                ..leaf.clone()
            });
        }
    }
    out.truncate(MOST);
    out
}

/// Gives each piece of a text that is in several nodes, with line breaks between them, the node that it is in.
pub(super) fn place(page: &Page, leaves: &mut [Leaf]) {
    /// How many nodes are looked at for the next piece.
    const NEAR: u32 = 60;
    let (mut whole, mut at) = (None, NodeId::DOCUMENT);
    for leaf in leaves {
        if whole != Some(leaf.node) {
            whole = Some(leaf.node);
            at = leaf.node;
        }
        let last = page.end(NodeId::DOCUMENT).0.min(at.0 + NEAR);
        let holds =
            |node: &NodeId| page.kind(*node) == Kind::Text && clean(page.string_value(*node)).contains(&leaf.text);
        if !leaf.text.is_empty()
            && let Some(found) = (at.0..last).map(NodeId).find(holds)
        {
            at = found;
            leaf.node = found;
        }
    }
}

fn has_data(page: &Page, node: NodeId) -> bool {
    DATA.iter().any(|name| page.attribute_value(node, name).is_some())
}

/// Does the place of the element among its siblings count, even if it is empty?
fn is_cell(name: &str) -> bool {
    matches!(name, "td" | "th" | "dd" | "dt" | "li")
}

/// The element around a leaf that is not part of a line, inside the stretch; `None` if there is only the row itself.
pub fn block(page: &Page, stretch: Stretch, leaf: NodeId) -> Option<NodeId> {
    let mut at = page.parent(leaf)?;
    while stretch.contains(at) {
        if !is_phrasing(page.name(at)) {
            return Some(at);
        }
        at = page.parent(at)?;
    }
    None
}

/// The text of all that is between two nodes.
pub fn text_of(page: &Page, from: NodeId, to: NodeId) -> String {
    let mut out = String::new();
    let mut ends: Vec<NodeId> = Vec::new();
    let mut at = from;
    while at < to {
        while ends.last().is_some_and(|end| at >= *end) {
            ends.pop();
            out.push(' ');
        }
        match page.kind(at) {
            Kind::Element if is_unseen(page.name(at)) => {
                at = page.end(at);
                continue;
            }
            Kind::Element if !joins_words(page.name(at)) => {
                out.push(' ');
                ends.push(page.end(at));
            }
            Kind::Text => out.push_str(page.string_value(at)),
            _ => {}
        }
        at = NodeId(at.0 + 1);
    }
    clean(&out).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(html: &str) -> Vec<String> {
        let page = Page::parse_str(html, &Default::default()).expect("a page");
        let row = page
            .elements()
            .iter()
            .copied()
            .find(|node| page.attribute_value(*node, "id") == Some("row"))
            .expect("a row");
        let leaf = |leaf: Leaf| format!("{}:{}:{}:{}", leaf.cell, leaf.path, leaf.text, leaf.opens.len());
        leaves(&page, Stretch::element(&page, row))
            .into_iter()
            .map(leaf)
            .collect()
    }

    #[test]
    fn texts_pictures_and_empty_cells_are_leaves() {
        let found = said(
            "<table><tr id=row><td><a href=x>One</a> more<td colspan=2> <td><img src=y><br><script>1</script>\
             <td><b></b></table>",
        );
        assert_eq!(
            found,
            ["0:td/a:One:3", "0:td:more:0", "1:td*2::1", "2:td/img::2", "3:td::1"]
        );
        assert_eq!(said("<ul><li id=row>a <b>b</b></ul>"), ["0::a:1", "0:b:b:1"]);
        assert_eq!(
            said("<ul><li id=row>a<br>b<br><br>c<p>d</ul>"),
            ["0::a\nb\nc:1", "0:p:d:1"]
        );
    }

    #[test]
    fn pieces_are_between_signs() {
        assert_eq!(pieces("| Oak | 5 |", " | "), ["Oak", "5"]);
        assert_eq!(pieces("-5 - Oak-Elm", " - "), ["-5", "Oak-Elm"]);
        assert_eq!(pieces("a\nb", "\n"), ["a", "b"]);
        assert_eq!(pieces("·", " · "), [""; 0]);
    }
}
