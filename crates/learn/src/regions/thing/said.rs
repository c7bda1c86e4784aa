//! What a page says about its thing after its name, besides rows of properties.
//!
//! **In**: a page, the name of its thing, and where what it says about the thing ends. **Out**: [`Said`]: values with ways to them, in the order of the page.
//!
//! Rows of [`properties`](super::super::properties) need three labels or more that are alike. A thing often has fewer, or each is written in its own way. Two things tell a value by itself:
//!
//! - *A label that the page has once*: a short text with a colon, or a `th` or `dt`. The value is the rest of the text, or what follows the label.
//! - *A mark that one element has*: a class or an id, the kind of a link (`mailto:`), a tag that no other element after the name has, or a heading right before it. The
//!   same mark leads to the value on other pages. Names of classes that a tool has generated come last, because the next version of the site has others.
//!
//! What repeats, has neither. A way that does not lead back to its value on this page is left out.
//!
//! Linear in the leaves after the name, and in the elements of the page for each. *Known failures*: values in running text without labels; a class that other pages have several times.

use super::super::properties::{colon, follows_colon};
use super::super::sight::{Leaf, Sight};
use super::{is_struck, leads_to, to};
use crate::guided::literal;
use crate::naming::{LONGEST, is_generated, label_name};
use page::{Kind, NodeId, Page};
use std::collections::HashMap;
use std::ops::Range;
use wrapper::rule::paths::{Way, value};

/// The most values of a thing.
const MOST: usize = 40;
/// How far above its text a `dt`, a `th` or a control of a form is looked for.
const ABOVE: usize = 4;

/// A value that a page has of its thing.
pub(super) struct Said {
    /// The words of the page that are its label.
    pub(super) label: Option<String>,
    /// Where it begins: the text of the label, or the value.
    pub(super) at: NodeId,
    /// The place of the value.
    pub(super) node: NodeId,
    /// The ways to it, the best first.
    pub(super) ways: Vec<Way>,
}

/// Looks at the leaves after the name of a thing.
pub(super) struct Around<'s, 'p> {
    sight: &'s Sight<'p>,
    /// The path to the name.
    name: &'s str,
    leaves: Range<usize>,
    /// How often the page has each text.
    times: HashMap<String, usize>,
}

impl<'s, 'p> Around<'s, 'p> {
    pub(super) fn new(sight: &'s Sight<'p>, name: &'s str, leaves: Range<usize>) -> Around<'s, 'p> {
        let mut times: HashMap<String, usize> = HashMap::new();
        for leaf in sight.leaves.iter().filter(|leaf| leaf.is_text()) {
            let text = value(sight.page, leaf.node);
            let label = colon(&text).map_or(text.as_str(), |at| &text[..at]);
            *times.entry(label.trim().to_owned()).or_default() += 1;
        }
        Around {
            sight,
            name,
            leaves,
            times,
        }
    }

    /// The labelled values.
    pub(super) fn labelled(&self) -> Vec<Said> {
        let pairs = self.leaves.clone().filter_map(|at| self.pair(at));
        pairs.take(MOST).collect()
    }

    /// The values that something but a label tells, without those whose places are taken.
    pub(super) fn marked(&self, taken: &[NodeId]) -> Vec<Said> {
        let mut found: Vec<Said> = Vec::new();
        for at in self.leaves.clone() {
            let leaf = &self.sight.leaves[at];
            // A link leads to other things, unless it is an address by itself.
            let is_elsewhere = leaf.link().is_some_and(|link| self.scheme(link).is_none());
            let is_value = leaf.is_text() && !is_elsewhere && !self.is_control(leaf.node);
            if found.len() == MOST || !is_value {
                continue;
            }
            let page = self.sight.page;
            let is_known = found.last().is_some_and(|last| leaf.node < page.end(last.node));
            let is_taken = |node: NodeId| taken.iter().any(|other| node <= *other && *other < page.end(node));
            if is_known || self.is_label(leaf) {
                continue;
            }
            let said = match self.whole(leaf.node) {
                Some(element) if is_title(page, element) || is_taken(element) => continue,
                Some(element) => Said {
                    label: self.heading(element).map(|heading| value(page, heading)),
                    at: leaf.node,
                    node: element,
                    ways: self.ways(element),
                },
                None => Said {
                    label: None,
                    at: leaf.node,
                    node: leaf.node,
                    ways: found
                        .last()
                        .and_then(|last| self.line_after(last, leaf.node))
                        .into_iter()
                        .collect(),
                },
            };
            if !said.ways.is_empty() && !is_taken(said.node) {
                found.push(said);
            }
        }
        found
    }

    /// The way to a text that is the next one beside a value: `<i>Dean</i><br>Law`.
    fn line_after(&self, last: &Said, text: NodeId) -> Option<Way> {
        let page = self.sight.page;
        let has_text = |node: &NodeId| *node > last.node && !page.string_value(*node).trim().is_empty();
        let next = page.children(page.parent(last.node)?).find(has_text)?;
        let way = to(format!(
            "{}/following-sibling::text()[normalize-space(.)][1]",
            last.ways.first()?.path
        ));
        (next == text && leads_to(page, &way, &value(page, text))).then_some(way)
    }

    /// Is it what a reader presses or fills in?
    fn is_control(&self, node: NodeId) -> bool {
        let mut above = self.sight.page.ancestors(node).take(ABOVE);
        above.any(|up| matches!(self.sight.page.name(up), "button" | "label" | "form"))
    }

    /// The label of a leaf that begins with one, and whether it has a colon.
    fn label(&self, leaf: &Leaf) -> Option<(String, bool)> {
        if !leaf.is_text() || leaf.link().is_some() || self.is_control(leaf.node) {
            return None;
        }
        let page = self.sight.page;
        let text = value(page, leaf.node);
        let mut above = page.ancestors(leaf.node).take(ABOVE);
        let (label, has_colon) = match colon(&text) {
            Some(at) => (text[..at].trim(), true),
            None if follows_colon(self.sight, leaf.node) => (text.trim(), false),
            None if above.any(|up| matches!(page.name(up), "dt" | "th")) => (text.trim(), false),
            None => return None,
        };
        let is_once = self.times.get(label) == Some(&1);
        let is_short = label.chars().count() <= LONGEST && label_name(label).is_some();
        (is_once && is_short).then(|| (label.to_owned(), has_colon))
    }

    fn is_label(&self, leaf: &Leaf) -> bool {
        self.label(leaf).is_some()
    }

    /// The label that a leaf begins with, with its value.
    fn pair(&self, at: usize) -> Option<Said> {
        let page = self.sight.page;
        let leaf = &self.sight.leaves[at];
        let (label, has_colon) = self.label(leaf)?;
        let text = value(page, leaf.node);
        let said = |node: NodeId, ways: Vec<Way>| Said {
            label: Some(label.clone()),
            at: leaf.node,
            node,
            ways,
        };
        let after = text
            .strip_prefix(label.as_str())
            .unwrap_or("")
            .trim_start_matches(':')
            .trim();
        if has_colon && !after.is_empty() {
            let begin = format!("{label}:");
            let way = Way {
                path: format!("//text()[starts-with(normalize-space(.), {})]", literal(&begin)),
                after: begin,
                ..Way::default()
            };
            return leads_to(page, &way, after).then(|| said(leaf.node, vec![way]));
        }
        let (own, spelled) = self.alone(leaf.node, &text);
        let next = self.next(own)?;
        if self.is_label_at(next) {
            return None;
        }
        let step = match page.is_element(next) {
            true => format!("*[1][self::{}]", page.name(next)),
            false => "text()[normalize-space(.)][1]".to_owned(),
        };
        let way = Way {
            path: format!("//{spelled}/following-sibling::{step}"),
            after: if has_colon || page.is_element(next) { "" } else { ":" }.to_owned(),
            ..Way::default()
        };
        let wanted = value(page, next);
        let wanted = wanted.trim_start_matches(':').trim();
        let is_right = !wanted.is_empty() && leads_to(page, &way, wanted);
        is_right.then(|| said(next, vec![way]))
    }

    /// Does a node begin with a label?
    fn is_label_at(&self, node: NodeId) -> bool {
        let leaves = self.sight.range(node);
        let first = self.sight.leaves[leaves.clone()].first();
        // `30 May: open` in one text is a value of its own kind.
        first.is_some_and(|leaf| leaf.node != node && self.is_label(leaf))
    }

    /// The largest element with a text alone, and a step that leads to it by its words. The text itself if other things are beside it.
    fn alone(&self, text: NodeId, said: &str) -> (NodeId, String) {
        let page = self.sight.page;
        let is_alone = |up: &NodeId| page.is_element(*up) && value(page, *up) == said;
        // A cell or term is compared with its row as a whole.
        let around: Vec<NodeId> = page.ancestors(text).take_while(is_alone).collect();
        let Some((inner, outer)) = around.first().zip(around.last()) else {
            return (text, format!("text()[normalize-space(.)={}]", literal(said)));
        };
        let is_plain = page.string_value(text).chars().all(|c| c != '\u{a0}');
        let spelled = match is_plain {
            true => format!("normalize-space(.)={}", literal(said)),
            // XPath does not take a hard space for white space.
            false => format!("starts-with(normalize-space(.), {})", literal(said)),
        };
        let depth = if inner == outer { "[not(*)]" } else { "" };
        let depth = if is_plain { "" } else { depth };
        (*outer, format!("{}[{spelled}]{depth}", page.name(*outer)))
    }

    /// The next sibling that a reader sees something of.
    fn next(&self, node: NodeId) -> Option<NodeId> {
        let page = self.sight.page;
        let parent = page.parent(node)?;
        let has_text = |other: &NodeId| !page.string_value(*other).trim().is_empty();
        let mut later = page.children(parent).filter(|child| *child > node);
        later
            .find(|child| page.is_element(*child) && page.name(*child) == "br" || has_text(child))
            .filter(has_text)
    }

    /// The smallest element that has all of the running text that a leaf begins.
    fn whole(&self, text: NodeId) -> Option<NodeId> {
        let page = self.sight.page;
        let element = page.parent(text).filter(|up| page.is_element(*up))?;
        let is_run = self.sight.is_one_run(element) || self.sight.range(element).len() == 1;
        is_run.then_some(element)
    }

    /// The heading right before an element, if it is not the name of the thing.
    fn heading(&self, element: NodeId) -> Option<NodeId> {
        let page = self.sight.page;
        let parent = page.parent(element)?;
        let siblings = page.children(parent).filter(|child| page.is_element(*child));
        let before = siblings.take_while(|child| *child < element).last()?;
        (is_title(page, before) && self.sight.range(before).start >= self.leaves.start).then_some(before)
    }

    /// The scheme of a link that is an address by itself.
    fn scheme(&self, link: NodeId) -> Option<&'static str> {
        let address = self.sight.page.attribute_value(link, "href")?;
        ["mailto:", "tel:"]
            .into_iter()
            .find(|scheme| address.starts_with(scheme))
    }

    /// The ways to an element by its marks.
    pub(super) fn ways(&self, element: NodeId) -> Vec<Way> {
        let page = self.sight.page;
        let said = value(page, element);
        let mut paths: Vec<(u8, String)> = Vec::new();
        let above = page
            .ancestors(element)
            .take_while(|up| page.is_element(*up) && value(page, *up) == said);
        for around in std::iter::once(element).chain(above) {
            paths.extend(self.by_words(around));
        }
        paths.extend(self.in_parent(element));
        if let Some(heading) = self.heading(element) {
            let words = literal(&value(page, heading));
            let path = format!(
                "//{}[normalize-space(.)={words}]/following-sibling::*[1]",
                page.name(heading)
            );
            paths.push((1, format!("{path}[self::{}]", page.name(element))));
        }
        paths.extend(self.by_tag(element).map(|path| (3, path)));
        paths.sort_by_key(|(rank, _)| *rank);
        let ways = paths.into_iter().map(|(_, path)| to(path));
        let mut ways: Vec<Way> = ways.filter(|way| leads_to(page, way, &said)).take(1).collect();
        ways.extend(self.without_rival(element));
        ways
    }

    /// Paths to an element by its id or by a word of its class that no other element of its name has, with how good they are.
    fn by_words(&self, element: NodeId) -> Vec<(u8, String)> {
        let page = self.sight.page;
        let classes = |of: NodeId| page.attribute_value(of, "class").unwrap_or("").split_whitespace();
        let tag = page.name(element);
        let is_rare = |word: &str| {
            let same = |other: &&NodeId| page.name(**other) == tag && classes(**other).any(|class| class == word);
            page.elements().iter().filter(same).take(2).count() == 1
        };
        let name = self.name;
        let own = classes(element).filter(|word| is_rare(word)).map(|word| {
            let test = format!(
                "contains(concat(\" \", normalize-space(@class), \" \"), {})",
                literal(&format!(" {word} "))
            );
            let rank = if is_generated(word) { 4 } else { 0 };
            (rank, format!("{name}/following::{tag}[{test}]"))
        });
        own.collect()
    }

    /// A path to an element by the mark of its parent.
    fn in_parent(&self, element: NodeId) -> Vec<(u8, String)> {
        let page = self.sight.page;
        let Some(parent) = page.parent(element).filter(|parent| page.is_element(*parent)) else {
            return Vec::new();
        };
        let same: Vec<NodeId> = page
            .children(parent)
            .filter(|child| page.name(*child) == page.name(element))
            .collect();
        let place = if same.len() > 1 {
            let number = same.iter().filter(|other| **other <= element).count();
            format!("[{number}]")
        } else {
            String::new()
        };
        let id = page
            .attribute_value(parent, "id")
            .filter(|id| !is_generated(id) && !id.contains(|c: char| c.is_ascii_digit()));
        let by_id = id.map(|id| (1, format!("//{}[@id={}]", page.name(parent), literal(id))));
        let parents = by_id.into_iter().chain(
            self.by_words(parent)
                .into_iter()
                .map(|(rank, path)| (rank + 1, format!("{path}[1]"))),
        );
        parents
            .map(|(rank, path)| (rank, format!("{path}/{}{place}", page.name(element))))
            .collect()
    }

    /// A path by the kind of a link, or by a tag that no other element after the name has. Of paragraphs, the first long one is what the page says about the thing.
    fn by_tag(&self, element: NodeId) -> Option<String> {
        const TELLING: [&str; 8] = ["p", "i", "em", "address", "time", "blockquote", "h4", "h5"];
        let page = self.sight.page;
        let (tag, name) = (page.name(element), self.name);
        if let Some(scheme) = self.scheme(element) {
            return Some(format!("{name}/following::a[starts-with(@href, \"{scheme}\")]"));
        }
        let is_long = |other: &NodeId| self.sight.leaves[self.sight.range(*other)].iter().any(Leaf::is_long);
        let nodes = self
            .leaves
            .clone()
            .filter_map(|at| page.parent(self.sight.leaves[at].node));
        let same: Vec<NodeId> = nodes.filter(|other| page.name(*other) == tag).collect();
        let is_first = same.first() == Some(&element);
        let is_telling = TELLING.contains(&tag) || is_struck(tag);
        let is_only = same.iter().all(|other| *other == element);
        (is_telling && is_first && (is_only || tag == "p" && is_long(&element)))
            .then(|| format!("{name}/following::{tag}"))
    }

    /// Where a price is beside one that is struck out, other pages have it alone: the way to the element around both.
    fn without_rival(&self, element: NodeId) -> Option<Way> {
        let page = self.sight.page;
        let parent = page.parent(element).filter(|parent| page.is_element(*parent))?;
        let mut siblings = page
            .children(parent)
            .filter(|child| *child != element && page.is_element(*child));
        let has_rival = !is_struck(page.name(element)) && siblings.any(|child| is_struck(page.name(child)));
        let paths = has_rival.then(|| self.by_words(parent))?;
        let (_, path) = paths.into_iter().min_by_key(|(rank, _)| *rank)?;
        // Not where there is one that is struck out: then it has both.
        Some(to(format!("{path}[not(del or s or strike)]")))
    }
}

/// Is it a heading?
fn is_title(page: &Page, element: NodeId) -> bool {
    page.kind(element) == Kind::Element && matches!(page.name(element), "h1" | "h2" | "h3" | "h4")
}
