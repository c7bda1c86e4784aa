//! What a reader sees on a page: its texts and pictures, in reading order.
//!
//! A *leaf* is a text with a letter or a digit in it, a picture, a link shown as an icon, or a field of a form. Texts of punctuation alone
//! separate leaves and do not count. What no browser shows is left out (scripts, hidden elements, the choices of a menu), and so is the
//! head of the page. One pass over the page; a node's leaves are a range, found by binary search.

use super::MENU;
use page::{Kind, NameId, NodeId, Page, vocabulary};
use std::cell::Cell;
use std::collections::HashMap;
use std::ops::Range;
use wrapper::profile::words;

/// The longest text that counts in full, in characters. Beyond, a text is an article and no value.
const LONG: usize = 300;
/// How much a picture or a form field counts, in characters.
const PICTURE: f64 = 3.0;
/// A picture with a side shorter than this, in pixels, is an icon.
const ICON: u32 = 40;
/// How often the picture of a thing may be on a page: in the list, and among what is recommended.
const SHOWN: u32 = 2;
/// The most texts of a running text.
const RUN: usize = 100;
/// The most children of a row that are counted.
const CELLS: usize = 60;
/// The steps up from a leaf that its tokens depend on.
pub(super) const DEEP: usize = 40;

/// A text, a picture, a link without a text, or a form field.
#[derive(Clone, Copy, Debug)]
pub(super) struct Leaf {
    pub(super) node: NodeId,
    /// What kind of text it is.
    kind: u8,
    /// The link around it; the document if there is none.
    link: NodeId,
    /// The element around the running text that it is a part of: `<td>An <b>old</b> book</td>` is one running text.
    run: NodeId,
    /// Is it another leaf that the running text begins with?
    goes_on: bool,
}

impl Leaf {
    /// The link that it is in.
    pub(super) fn link(&self) -> Option<NodeId> {
        Some(self.link).filter(|link| *link != NodeId::DOCUMENT)
    }

    /// Is it a text?
    pub(super) fn is_text(&self) -> bool {
        !matches!(self.kind, IMAGE | INPUT)
    }

    /// Is it part of the running text of the leaf before it?
    pub(super) fn goes_on(&self) -> bool {
        self.goes_on
    }

    /// What kind of text or other thing it is, as a number.
    pub(super) fn kind(&self) -> u8 {
        self.kind
    }

    /// Is it a text of the length of a sentence?
    pub(super) fn is_long(&self) -> bool {
        self.kind == 4
    }

    /// Is it a text of words, rather than a picture or a number?
    pub(super) fn is_wordy(&self) -> bool {
        matches!(self.kind, 2..=4)
    }
}

/// The leaves of a page.
pub(super) struct Sight<'p> {
    pub(super) page: &'p Page,
    pub(super) leaves: Vec<Leaf>,
    /// The characters before each leaf, and at the end those of all.
    before: Vec<f64>,
    /// The same, for leaves in links.
    linked: Vec<f64>,
    /// The leaves that are pictures of things, in document order.
    pictures: Vec<NodeId>,
    /// The parts of the page for getting around, in document order, none inside of another.
    frames: Vec<NodeId>,
    /// The main part of the page, or its first heading; the document if there is neither.
    main: NodeId,
    /// What was found out about the text of each leaf. Many candidates have the same leaves, and to read a text as a date takes long.
    made: Vec<Cell<Option<Made>>>,
}

/// What the text of a leaf is.
#[derive(Clone, Copy)]
struct Made {
    is_data: bool,
    is_date: bool,
}

/// Mixes a number into a hash.
pub(super) fn mix(hash: u64, with: u64) -> u64 {
    let mixed = (hash ^ with).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    mixed ^ (mixed >> 29)
}

/// A hash of a text.
fn hashed(text: &str) -> u64 {
    text.bytes().fold(7, |hash, byte| mix(hash, u64::from(byte)))
}

/// Is the element, with all that it contains, invisible, or a choice of a form rather than a text?
fn is_skipped(page: &Page, element: NodeId) -> bool {
    let name = page.name(element);
    if vocabulary::is_unseen(name) || matches!(name, "head" | "select" | "datalist" | "textarea" | "svg") {
        return true;
    }
    if page.attribute_value(element, "hidden").is_some() {
        return true;
    }
    let style = page.attribute_value(element, "style").unwrap_or("");
    style.contains("display:none") || style.contains("display: none")
}

/// Is the element for getting around the site rather than for the content of the page? By what HTML and ARIA call it.
fn is_frame(page: &Page, element: NodeId) -> bool {
    const ROLES: [&str; 7] = [
        "navigation",
        "banner",
        "contentinfo",
        "dialog",
        "alertdialog",
        "menu",
        "menubar",
    ];
    let role = page
        .attribute_value(element, "role")
        .is_some_and(|role| ROLES.contains(&role.trim()));
    let inside = |names: &[&str]| page.ancestors(element).any(|up| names.contains(&page.name(up)));
    match page.name(element) {
        "nav" | "dialog" => true,
        // The header of an article belongs to its content.
        "header" | "footer" => !inside(&["article", "section", "main", "li"]),
        _ => role,
    }
}

/// Is a link to a page shown without a text or a picture in HTML, as an icon of a style sheet?
fn is_icon(page: &Page, link: NodeId) -> bool {
    let address = page.attribute_value(link, "href").unwrap_or("").trim();
    let leads = !address.is_empty() && !address.starts_with('#') && !address.starts_with("javascript:");
    let mut inside = (link.0 + 1..page.end(link).0).map(NodeId);
    leads
        && page.string_value(link).trim().is_empty()
        && !inside.any(|node| page.is_element(node) && matches!(page.name(node), "img" | "input"))
}

/// Does the element mark words of a text without saying what they are?
fn is_highlight(name: &str) -> bool {
    matches!(
        name,
        "b" | "strong" | "em" | "i" | "u" | "mark" | "font" | "span" | "big" | "small" | "sub" | "sup" | "tt" | "wbr"
    )
}

/// Does the element only make words look different, with a font of its own, too?
pub(super) fn is_marking(name: &str) -> bool {
    is_mark(name) || name == "font"
}

/// Does the element only make words look different?
fn is_mark(name: &str) -> bool {
    matches!(name, "b" | "strong" | "em" | "i" | "u" | "mark" | "big" | "small")
}

fn kind_of(text: &str) -> u8 {
    let (mut letters, mut digits, mut all) = (0, 0, 0);
    for c in text.chars().take(LONG) {
        all += 1;
        letters += usize::from(c.is_alphabetic());
        digits += usize::from(c.is_numeric());
    }
    match (letters, digits, all) {
        (0, 0, _) => 0,
        (letters, digits, _) if digits > 0 && digits >= letters => 1,
        (_, _, all) if all <= 25 => 2,
        (_, _, all) if all <= 90 => 3,
        _ => 4,
    }
}

/// The kind of pictures.
const IMAGE: u8 = 5;
/// The kind of form fields.
const INPUT: u8 = 6;

/// The main part of a page, or else its only heading of the first level.
fn main(page: &Page) -> NodeId {
    let elements = page.elements().iter().copied();
    let is_main = |node: &NodeId| page.name(*node) == "main" || page.attribute_value(*node, "role") == Some("main");
    let mut headings = elements.clone().filter(|node| page.name(*node) == "h1");
    let heading = || match (headings.next(), headings.next()) {
        (Some(only), None) => Some(only),
        _ => None,
    };
    let mut elements = elements;
    elements.find(is_main).or_else(heading).unwrap_or(NodeId::DOCUMENT)
}

/// The pictures of things: not icons, which are small or the same again and again, as bullets, stars and badges are.
fn pictures(page: &Page, leaves: &[Leaf]) -> Vec<NodeId> {
    let is_small = |picture: NodeId| {
        ["width", "height"].iter().any(|side| {
            let side = page.attribute_value(picture, side).unwrap_or("").trim();
            side.trim_end_matches("px").parse().is_ok_and(|side: u32| side < ICON)
        })
    };
    // Before a script has run, the address may be in `data-src` or the like.
    let what = |picture: NodeId| {
        let said = page.attributes(picture).map(NodeId).filter(|attribute| {
            let name = page.name(*attribute);
            name.contains("src") || name == "alt"
        });
        said.fold(5, |hash, attribute| mix(hash, hashed(page.string_value(attribute))))
    };
    let images = leaves
        .iter()
        .map(|leaf| leaf.node)
        .filter(|node| page.name(*node) == "img");
    let images: Vec<(NodeId, u64)> = images
        .filter(|image| !is_small(*image))
        .map(|image| (image, what(image)))
        .collect();
    let mut times: HashMap<u64, u32> = HashMap::new();
    for (_, what) in &images {
        *times.entry(*what).or_default() += 1;
    }
    let of_things = images.into_iter().filter(|(_, what)| times[what] <= SHOWN);
    of_things.map(|(image, _)| image).collect()
}

impl<'p> Sight<'p> {
    pub(super) fn new(page: &'p Page) -> Sight<'p> {
        let mut sight = Sight {
            page,
            leaves: Vec::new(),
            before: vec![0.0],
            linked: vec![0.0],
            pictures: Vec::new(),
            frames: Vec::new(),
            main: main(page),
            made: Vec::new(),
        };
        let (mut at, mut frame) = (0, 0);
        let mut link = NodeId::DOCUMENT;
        let end = page.len() as u32;
        while at < end {
            let node = NodeId(at);
            at += 1;
            if link != NodeId::DOCUMENT && node >= page.end(link) {
                link = NodeId::DOCUMENT;
            }
            match page.kind(node) {
                Kind::Element if is_skipped(page, node) => at = page.end(node).0,
                Kind::Element if node.0 >= frame && is_frame(page, node) => {
                    sight.frames.push(node);
                    frame = page.end(node).0;
                }
                Kind::Element => match page.name(node) {
                    "a" if page.attribute_value(node, "href").is_some() => {
                        link = node;
                        if is_icon(page, node) {
                            sight.push(node, IMAGE, PICTURE, node);
                        }
                    }
                    "img" => sight.push(node, IMAGE, PICTURE, link),
                    "input" if page.attribute_value(node, "type").is_none_or(|kind| kind != "hidden") => {
                        sight.push(node, INPUT, PICTURE, NodeId::DOCUMENT);
                    }
                    _ => {}
                },
                Kind::Text => {
                    let text = page.string_value(node);
                    let kind = kind_of(text.trim());
                    if kind > 0 {
                        let length = text.split_whitespace().map(|word| word.len() + 1).sum::<usize>();
                        sight.push(node, kind, length.min(LONG) as f64, link);
                    }
                }
                _ => {}
            }
        }
        sight.join();
        sight.pictures = pictures(page, &sight.leaves);
        sight.made = vec![Cell::new(None); sight.leaves.len()];
        sight
    }

    /// Is a leaf, by its number, a date, a time or a price?
    pub(super) fn is_data(&self, leaf: usize) -> bool {
        self.made(leaf).is_data
    }

    /// Is a leaf, by its number, a date?
    pub(super) fn is_date(&self, leaf: usize) -> bool {
        self.made(leaf).is_date
    }

    fn made(&self, leaf: usize) -> Made {
        if let Some(made) = self.made[leaf].get() {
            return made;
        }
        let text = self.page.string_value(self.leaves[leaf].node).trim();
        let is_data = super::is_data(text);
        let made = Made {
            is_data,
            is_date: is_data && super::is_date(text),
        };
        self.made[leaf].set(Some(made));
        made
    }

    /// Finds the running texts: texts one after the other with nothing but highlighting between them.
    fn join(&mut self) {
        let page = self.page;
        let mut start = 0;
        while start < self.leaves.len() {
            let mut end = start + 1;
            let mut top = self.plain(self.leaves[start].node);
            while end < self.leaves.len() && end - start < RUN {
                let (last, next) = (self.leaves[end - 1].node, self.leaves[end].node);
                if page.kind(last) != Kind::Text || page.kind(next) != Kind::Text || self.plain(next) != top {
                    break;
                }
                let between = (last.0 + 1..next.0).map(NodeId).filter(|node| page.is_element(*node));
                if !between.into_iter().all(|node| is_highlight(page.name(node))) {
                    break;
                }
                end += 1;
            }
            if end == start + 1 {
                top = page.parent(self.leaves[start].node).unwrap_or(NodeId::DOCUMENT);
            }
            for (at, leaf) in self.leaves[start..end].iter_mut().enumerate() {
                leaf.run = top;
                leaf.goes_on = at > 0;
            }
            start = end;
        }
    }

    /// The nearest element above a node that is no highlighting.
    fn plain(&self, node: NodeId) -> NodeId {
        let mut above = self.page.ancestors(node).take(DEEP);
        above
            .find(|up| !is_highlight(self.page.name(*up)))
            .unwrap_or(NodeId::DOCUMENT)
    }

    fn push(&mut self, node: NodeId, kind: u8, length: f64, link: NodeId) {
        self.leaves.push(Leaf {
            node,
            kind,
            link,
            run: node,
            goes_on: false,
        });
        let (before, in_links) = (self.before[self.before.len() - 1], self.linked[self.linked.len() - 1]);
        self.before.push(before + length);
        let linked = link != NodeId::DOCUMENT;
        self.linked.push(in_links + if linked { length } else { 0.0 });
    }

    /// Is a node in a part of the page for getting around?
    pub(super) fn is_framing(&self, node: NodeId) -> bool {
        let after = self.frames.partition_point(|frame| *frame <= node);
        after > 0 && node < self.page.end(self.frames[after - 1])
    }

    /// Does a class or an id around an element say that this part of the page is for getting around? Not if it has most of the text, unless
    /// that is links: some menus have more text than what the page is about. What is around the main part or the first heading of the page is not one,
    /// whatever it is called (`skip-link-target`, `search-page`).
    pub(super) fn says_frame(&self, element: NodeId) -> bool {
        let page = self.page;
        let says = |up: NodeId| {
            ["id", "class"].iter().any(|attribute| {
                let value = page.attribute_value(up, attribute).unwrap_or("");
                value.len() <= 200 && words(value).iter().any(|word| vocabulary::says_chrome(word))
            })
        };
        let all = self.text(&(0..self.leaves.len()));
        std::iter::once(element)
            .chain(page.ancestors(element))
            .take(DEEP)
            .filter(|up| page.is_element(*up) && !vocabulary::is_shell(page.name(*up)))
            .take_while(|up| !(*up < self.main && self.main < page.end(*up)))
            .take_while(|up| {
                let leaves = self.range(*up);
                let text = self.text(&leaves);
                text < 0.5 * all || self.in_links(&leaves) >= MENU * text
            })
            .any(says)
    }

    /// The numbers of the leaves of a node.
    pub(super) fn range(&self, node: NodeId) -> Range<usize> {
        let end = self.page.end(node);
        let start = self.leaves.partition_point(|leaf| leaf.node < node);
        start..start + self.leaves[start..].partition_point(|leaf| leaf.node < end)
    }

    /// Does a leaf look like a title, seen from an item above it, which is included: a link, a heading or bold text?
    pub(super) fn is_title(&self, leaf: &Leaf, top: NodeId) -> bool {
        let above = self.page.ancestors(leaf.node).take(DEEP).take_while(|up| *up >= top);
        let mut names = above.map(|up| self.page.name(up));
        leaf.link().is_some() || names.any(|name| vocabulary::is_label(name) || matches!(name, "h1" | "big"))
    }

    /// Are all leaves of an element one running text?
    pub(super) fn is_one_run(&self, element: NodeId) -> bool {
        let leaves = &self.leaves[self.range(element)];
        leaves.iter().all(|leaf| leaf.run == element) && leaves.iter().skip(1).all(|leaf| leaf.goes_on)
    }

    /// Is there a running text of several leaves in an element, right below it?
    pub(super) fn has_long_run(&self, element: NodeId) -> bool {
        let leaves = &self.leaves[self.range(element)];
        leaves.iter().any(|leaf| leaf.goes_on && leaf.run == element)
    }

    /// The characters of some leaves.
    pub(super) fn text(&self, leaves: &Range<usize>) -> f64 {
        self.before[leaves.end] - self.before[leaves.start]
    }

    /// How many pictures of things there are among some leaves.
    pub(super) fn pictures(&self, leaves: &Range<usize>) -> usize {
        let leaves = &self.leaves[leaves.clone()];
        let before = |node: NodeId| self.pictures.partition_point(|picture| *picture < node);
        match (leaves.first(), leaves.last()) {
            (Some(first), Some(last)) => before(NodeId(last.node.0 + 1)) - before(first.node),
            _ => 0,
        }
    }

    /// The characters of some leaves that are in links.
    pub(super) fn in_links(&self, leaves: &Range<usize>) -> f64 {
        self.linked[leaves.end] - self.linked[leaves.start]
    }

    /// What a leaf looks like, seen from an element or text above it, which is included: its path, its path with the
    /// kind of its text, and the nearest class with its tag. `None` if it is part of a running text with tokens already. Without
    /// `marks`, tags that only mark text do not count, so that a row in bold is like the others.
    pub(super) fn tokens(&self, leaf: &Leaf, top: NodeId, marks: bool) -> Option<Tokens> {
        let page = self.page;
        let inside = leaf.run >= top && leaf.run < page.end(top);
        if inside && leaf.goes_on {
            return None;
        }
        let mut path = match leaf.kind {
            IMAGE | INPUT => u64::from(leaf.kind),
            _ => 1,
        };
        let (mut class, mut cell) = (0, 0);
        let mut at = if inside && page.kind(leaf.node) == Kind::Text {
            leaf.run
        } else {
            leaf.node
        };
        for _ in 0..DEEP {
            if marks || at == top || !self.is_marked(at) {
                path = mix(path, page.name_of(at).map_or(3, |name| name.index() as u64 + 16));
            }
            if class == 0
                && at != top
                && page.is_element(at)
                && let Some(value) = page.attribute_value(at, "class")
            {
                class = mix(hashed(value), page.name_of(at).map_or(0, |name| name.index() as u64));
            }
            if at == top {
                break;
            }
            if cell == 0 && page.is_element(at) && matches!(page.name(at), "td" | "th") {
                cell = self.column(at);
            }
            match page.parent(at) {
                Some(parent) => at = parent,
                None => break,
            }
        }
        Some(Tokens {
            path,
            kind: mix(path, 100 + u64::from(leaf.kind)),
            class: (class != 0).then(|| mix(class, 77)),
            cell: mix(path, cell),
        })
    }

    /// Is it an element that only marks text, around all that its parent has?
    fn is_marked(&self, node: NodeId) -> bool {
        let parent = self.page.parent(node).unwrap_or(node);
        is_mark(self.page.name(node)) && self.range(parent) == self.range(node)
    }

    /// The number of a cell in its row, from 1; the last ones of a long row have the same.
    fn column(&self, cell: NodeId) -> u64 {
        let row = self
            .page
            .parent(cell)
            .into_iter()
            .flat_map(|row| self.page.children(row));
        let before = row.take_while(|other| *other <= cell).take(CELLS);
        before.filter(|other| self.page.is_element(*other)).count() as u64
    }

    /// The names of the elements from below `top` down to the element of a leaf; empty if that is too deep.
    pub(super) fn names(&self, leaf: &Leaf, top: NodeId) -> Vec<NameId> {
        let page = self.page;
        let mut names = Vec::new();
        let mut at = leaf.node;
        while at != top {
            names.extend(page.name_of(at));
            match page.parent(at) {
                Some(parent) if names.len() < DEEP => at = parent,
                _ => return Vec::new(),
            }
        }
        names.reverse();
        names
    }
}

/// What a leaf looks like, as hashes.
pub(super) struct Tokens {
    pub(super) path: u64,
    pub(super) kind: u64,
    pub(super) class: Option<u64>,
    /// The path and, in a table, the column.
    pub(super) cell: u64,
}
