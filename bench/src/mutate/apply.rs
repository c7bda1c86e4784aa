//! Applies steps to a page.
//!
//! The text must parse back to the tree from which it was written, otherwise a step would do more than it says. So
//! nothing is put between a table, its rows and its cells, and inside a `p` only `span` elements are added.

use super::tree::{At, Tree};
use super::truth::{holds, normal};
use super::{Change, Kind, Sample, Step, mixed, new_name};
use std::collections::{BTreeMap, BTreeSet, HashSet};

pub(super) fn apply(step: &Step, sample: &Sample) -> String {
    let mut tree = Tree::new(&sample.page);
    let kinds: HashSet<&Kind> = step.kinds.iter().collect();
    let chosen: Vec<At> = tree
        .elements()
        .into_iter()
        .filter(|at| tree.kind(*at).is_some_and(|kind| kinds.contains(&kind)))
        .collect();
    match step.change {
        Change::Wrap => chosen.into_iter().for_each(|at| wrap(&mut tree, at, step.salt)),
        Change::Unwrap => {
            for at in chosen.into_iter().filter(|at| !tree.has_text(*at)).collect::<Vec<_>>() {
                let children = tree.children(at).to_vec();
                tree.replace(at, &children);
            }
        }
        Change::Reorder => chosen.into_iter().for_each(|at| reorder(&mut tree, at, step)),
        Change::Rename(percent) => rename(&mut tree, percent, step.salt),
        Change::Adverts => {
            for (number, at) in chosen.into_iter().enumerate() {
                advertise(&mut tree, at, number, step.salt, sample);
            }
        }
        Change::Drop(field) => drop_values(&mut tree, &sample.truth[field]),
        Change::Swap(column) => chosen.into_iter().for_each(|at| swap(&mut tree, at, column)),
        Change::Divs => chosen.into_iter().for_each(|at| divide(&mut tree, at, step.salt)),
    }
    tree.html()
}

/// Elements whose content is wrapped, because only certain parents may contain the elements themselves.
const FILLED: [&str; 6] = ["body", "td", "th", "li", "dd", "dt"];
/// Elements that may be wherever text may be.
const PHRASING: [&str; 12] = [
    "span", "a", "b", "strong", "em", "i", "font", "img", "label", "small", "u", "cite",
];
const BLOCKS: [&str; 18] = [
    "div", "table", "ul", "ol", "dl", "h1", "h2", "h3", "h4", "h5", "h6", "p", "section", "article", "center",
    "fieldset", "header", "footer",
];
/// Parents that may contain only certain children.
const STRICT: [&str; 13] = [
    "table", "thead", "tbody", "tfoot", "tr", "colgroup", "select", "optgroup", "head", "html", "frameset", "ruby", "",
];

/// May something be put around it, or into it?
pub(super) fn may_wrap(tree: &Tree, at: At) -> bool {
    let tag = tree.tag(at);
    FILLED.contains(&tag) || may_stand_beside(tree, at)
}

/// May another element be put beside it?
pub(super) fn may_stand_beside(tree: &Tree, at: At) -> bool {
    let tag = tree.tag(at);
    (PHRASING.contains(&tag) || BLOCKS.contains(&tag)) && !STRICT.contains(&tree.tag(tree.parent(at)))
}

/// May it be removed while its content stays, without joining two texts?
pub(super) fn may_go(tree: &Tree, at: At) -> bool {
    let tag = tree.tag(at);
    let plain = [
        "div", "p", "section", "article", "center", "span", "b", "strong", "em", "i", "font",
    ]
    .contains(&tag);
    plain && !tree.has_text(at) && tree.children(at).iter().any(|child| tree.element(*child).is_some())
}

/// The element to put beside or around another one.
fn box_for(tree: &Tree, at: At) -> &'static str {
    match PHRASING.contains(&tree.tag(at)) || tree.is_inside(at, "p") {
        true => "span",
        false => "div",
    }
}

fn wrap(tree: &mut Tree, at: At, salt: u64) {
    if !may_wrap(tree, at) {
        return;
    }
    let class = tree
        .kind(at)
        .map_or_else(String::new, |kind| new_name(salt, &kind.to_string()));
    let tag = box_for(tree, at);
    let around = tree.make(tag, &[("class", &class)]);
    if FILLED.contains(&tree.tag(at)) {
        let inside = tree.children(at).to_vec();
        tree.set_children(around, inside);
        tree.set_children(at, vec![around]);
    } else {
        tree.replace(at, &[around]);
        tree.set_children(around, vec![at]);
    }
}

/// The children that may change places, each with the key that decides its new place. These are blocks whose kind no
/// sibling has and that contain more than one text (otherwise a label and its value would be separated), and rows that
/// begin with words of the template.
pub(super) fn movable(tree: &Tree, at: At, words: &[String]) -> Vec<(At, String)> {
    let elements = || {
        tree.children(at)
            .iter()
            .copied()
            .filter(|child| tree.element(*child).is_some())
    };
    if ["table", "thead", "tbody", "tfoot", "ul", "ol"].contains(&tree.tag(at)) {
        let row = |child: At| -> Option<(At, String)> {
            let texts = tree.texts(child);
            let first = normal(texts.first()?);
            // A row with one text contains a value, or is a heading of the rows below.
            let is_row = ["tr", "li"].contains(&tree.tag(child)) && texts.len() > 1;
            (is_row && words.binary_search(&first).is_ok()).then_some((child, first))
        };
        return elements().filter_map(row).collect();
    }
    if tree.has_text(at) {
        return Vec::new();
    }
    let mut kinds: BTreeMap<Kind, usize> = BTreeMap::new();
    elements()
        .filter_map(|child| tree.kind(child))
        .for_each(|kind| *kinds.entry(kind).or_default() += 1);
    let block = |child: At| -> Option<(At, String)> {
        let kind = tree.kind(child)?;
        let moves = BLOCKS.contains(&tree.tag(child)) && kinds[&kind] == 1 && tree.texts(child).len() > 1;
        moves.then(|| (child, kind.to_string()))
    };
    elements().filter_map(block).collect()
}

/// Reassigns the places of the children that may move, in an order that depends on the salt and on what each child is.
fn reorder(tree: &mut Tree, at: At, step: &Step) {
    let mut moved = movable(tree, at, &step.words);
    let places: BTreeSet<At> = moved.iter().map(|(child, _)| *child).collect();
    moved.sort_by_cached_key(|(_, key)| mixed(step.salt, key));
    let mut next = moved.into_iter().map(|(child, _)| child);
    let children = tree
        .children(at)
        .iter()
        .map(|child| match places.contains(child) {
            true => next.next().unwrap_or(*child),
            false => *child,
        })
        .collect();
    tree.set_children(at, children);
}

fn rename(tree: &mut Tree, percent: u8, salt: u64) {
    let new = |name: &str| match mixed(salt.wrapping_add(1), name) % 100 < u64::from(percent) {
        true => new_name(salt, name),
        false => name.to_owned(),
    };
    let elements = tree.elements();
    let mut ids: HashSet<String> = HashSet::new();
    for at in &elements {
        let attributes = tree.element(*at).into_iter().flat_map(|element| &element.attributes);
        ids.extend(
            attributes
                .filter(|(name, _)| name == "id")
                .map(|(_, value)| value.clone()),
        );
    }
    for at in elements {
        for (name, value) in tree
            .element_mut(at)
            .into_iter()
            .flat_map(|element| &mut element.attributes)
        {
            match name.as_str() {
                "class" => *value = value.split_whitespace().map(new).collect::<Vec<_>>().join(" "),
                "id" => *value = new(value),
                "for" if ids.contains(value.as_str()) => *value = new(value),
                "href" => {
                    if let Some(id) = value.strip_prefix('#').filter(|id| ids.contains(*id)) {
                        *value = format!("#{}", new(id));
                    }
                }
                _ => {}
            }
        }
    }
}

const SYLLABLES: [&str; 16] = [
    "bra", "nel", "tor", "vix", "quo", "lum", "pes", "dri", "zan", "mo", "kel", "shu", "fra", "wib", "gor", "ty",
];

/// The text of an advert: some words, and a price. It contains no value of the page.
fn slogan(salt: u64, sample: &Sample) -> (String, String) {
    let values: Vec<String> = sample
        .truth
        .iter()
        .flatten()
        .map(|value| value.to_lowercase())
        .collect();
    let free = |text: &String| !values.iter().any(|value| holds(&text.to_lowercase(), value));
    let mut number = mixed(salt, &sample.name);
    let mut draw = |below: u64| {
        number = mixed(number, "next");
        number % below
    };
    let text = |draw: &mut dyn FnMut(u64) -> u64| -> String {
        let mut text = String::new();
        for word in 0..2 + draw(4) {
            let syllables: String = (0..2 + draw(2)).map(|_| SYLLABLES[draw(16) as usize]).collect();
            text += if word > 0 { " " } else { "" };
            text += &syllables;
        }
        text[..1].to_uppercase() + &text[1..]
    };
    let words = (0..100).map(|_| text(&mut draw)).find(&free).unwrap_or_default();
    let price = (0..100).map(|_| format!("${}.{:02}", draw(400), draw(100))).find(&free);
    (words, price.unwrap_or_default())
}

/// Puts an advert before an element.
fn advertise(tree: &mut Tree, at: At, number: usize, salt: u64, sample: &Sample) {
    if !may_stand_beside(tree, at) {
        return;
    }
    let salt = salt.wrapping_add(number as u64);
    let (words, price) = slogan(salt, sample);
    let class = new_name(salt - number as u64, "advert");
    let advert = tree.make(box_for(tree, at), &[("class", &class)]);
    let link = tree.make(
        "a",
        &[("href", &format!("/go/{}", mixed(salt, &sample.name) % 100_000))],
    );
    let price_tag = tree.make("b", &[]);
    let (words, price) = (tree.make_text(words), tree.make_text(price));
    tree.set_children(link, vec![words]);
    tree.set_children(price_tag, vec![price]);
    tree.set_children(advert, vec![link, price_tag]);
    tree.replace(at, &[advert, at]);
}

/// Removes the largest elements that contain only one of the values, or the texts that do.
fn drop_values(tree: &mut Tree, values: &[String]) {
    let is_value = |text: &str| values.contains(&normal(text));
    for at in tree.below(Tree::DOCUMENT) {
        if !tree.own_text(at).is_some_and(is_value) {
            continue;
        }
        let mut top = at;
        while !["td", "th", "body", "head", "title", ""].contains(&tree.tag(tree.parent(top)))
            && is_value(&tree.text(tree.parent(top)))
        {
            top = tree.parent(top);
        }
        tree.replace(top, &[]);
    }
}

/// The rows of a table, without those of tables inside it.
pub(super) fn rows(tree: &Tree, table: At) -> Vec<At> {
    let mut rows = Vec::new();
    for child in tree.children(table) {
        match tree.tag(*child) {
            "tr" => rows.push(*child),
            "thead" | "tbody" | "tfoot" => {
                rows.extend(tree.children(*child).iter().filter(|row| tree.tag(**row) == "tr"));
            }
            _ => {}
        }
    }
    rows
}

/// The cells of a row; empty if one of them spans several columns.
pub(super) fn cells(tree: &Tree, row: At) -> Vec<At> {
    let cells: Vec<At> = tree
        .children(row)
        .iter()
        .copied()
        .filter(|cell| ["td", "th"].contains(&tree.tag(*cell)))
        .collect();
    let is_wide = |cell: &At| {
        let attributes = tree.element(*cell).into_iter().flat_map(|element| &element.attributes);
        attributes
            .into_iter()
            .any(|(name, value)| name == "colspan" && value.trim() != "1")
    };
    match cells.iter().any(is_wide) {
        true => Vec::new(),
        false => cells,
    }
}

fn swap(tree: &mut Tree, table: At, column: usize) {
    for row in rows(tree, table) {
        if let [left, right] = cells(tree, row).get(column..column + 2).unwrap_or_default() {
            let mut children = tree.children(row).to_vec();
            let place = |of: &At| children.iter().position(|child| child == of);
            if let (Some(left), Some(right)) = (place(left), place(right)) {
                children.swap(left, right);
                tree.set_children(row, children);
            }
        }
    }
}

fn divide(tree: &mut Tree, table: At, salt: u64) {
    // A paragraph would end where the first `div` begins.
    if tree.is_inside(table, "p") {
        return;
    }
    let mut parts = vec![table];
    for row in rows(tree, table) {
        parts.push(row);
        parts.extend(
            tree.children(row)
                .iter()
                .filter(|cell| ["td", "th"].contains(&tree.tag(**cell))),
        );
    }
    for child in tree.children(table).to_vec() {
        match tree.tag(child) {
            "thead" | "tbody" | "tfoot" | "caption" => parts.push(child),
            "col" | "colgroup" => tree.replace(child, &[]),
            _ => {}
        }
    }
    for part in parts {
        if let Some(element) = tree.element_mut(part) {
            element
                .attributes
                .retain(|(name, _)| ["id", "title", "itemprop", "itemscope"].contains(&name.as_str()));
            let class = new_name(salt, &element.tag);
            element.attributes.push(("class".to_owned(), class));
            element.tag = "div".to_owned();
        }
    }
}
