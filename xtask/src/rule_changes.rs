//! Changes of lists for `cargo xtask guided --part lists --change`: what learned rules must not mind.
//!
//! A rule is learned from the first page of a set and tried on the others. Some changes are made to all pages, as if the site
//! were made in another way; the rule must be as right as before. Others are made to the pages that it is tried on, because the
//! next page has other rows.

use crate::list_changes::{Change, between, moved_block, one_cell, two_tables, white_space};
use crate::list_pages::{ListPage, ListSet, Node, list_set, unmarked};
use crate::records::data::{Page, Set};
use std::collections::{BTreeSet, HashMap};
use xtask::random::Random;

/// The changes by name, and whether the page that is learned from is changed, too.
pub(crate) const CHANGES: [(&str, bool, Change); 12] = [
    ("row-deleted", false, |set, random| each_page(set, random, delete_row)),
    ("row-added", false, |set, random| each_page(set, random, add_row)),
    ("rows-swapped", false, |set, random| each_page(set, random, swap_rows)),
    ("cell-empty", false, |set, random| one_cell(set, random, true)),
    ("advert-row", false, |set, random| {
        between(set, random, "Advertisement: all our offers")
    }),
    ("classes-renamed", true, |set, _| attributes(set, rename)),
    ("no-classes", true, |set, _| {
        attributes(set, |name, _| name == "class" || name == "id")
    }),
    ("wrapped", true, moved_block),
    ("table-as-divs", true, |set, _| all_nodes(set, as_divs)),
    ("other-wording", true, |set, _| other_wording(set)),
    ("white-space", true, white_space),
    ("two-tables", true, two_tables),
];

/// A set as it is and with a change, if all its pages have rows and it has room for the change.
pub(crate) fn changed(set: &Set, name: &str, seed: u64) -> anyhow::Result<Option<(Set, Set)>> {
    let (Some(plain), Some((_, all, change))) = (list_set(set)?, CHANGES.iter().find(|(known, ..)| *known == name))
    else {
        return Ok(None);
    };
    let mut new = plain.clone();
    if !change(&mut new, &mut Random::new(seed)) {
        return Ok(None);
    }
    if !all {
        new.pages[0] = plain.pages[0].clone();
    }
    Ok(Some((as_set(set, &plain), as_set(set, &new))))
}

/// Trees as pages, with their values as a reader would write them.
fn as_set(set: &Set, trees: &ListSet) -> Set {
    let texts = set.pages.iter().flat_map(|page| page.tuples.iter().flatten().flatten());
    let written: HashMap<String, &String> = texts
        .map(|text| (crate::exalg::plain(&page::source_text(text)), text))
        .collect();
    let pages = set.pages.iter().zip(&trees.pages).map(|(page, tree)| {
        let mut text = "<!DOCTYPE html>".to_owned();
        tree.root.html(false, &mut text);
        let value = |value: &Option<String>| {
            let value = value.as_ref()?;
            Some(written.get(value).map_or(value, |text| *text).clone())
        };
        Page {
            name: page.name.clone(),
            text,
            values: Vec::new(),
            tuples: tree.truth.iter().map(|row| row.iter().map(value).collect()).collect(),
            places: Vec::new(),
        }
    });
    Set {
        name: set.name.clone(),
        family: set.family.clone(),
        half: set.half.clone(),
        attributes: set.attributes.clone(),
        headers: set.headers,
        tree: set.tree,
        pages: pages.collect(),
        paper: None,
    }
}

fn each_page(set: &mut ListSet, random: &mut Random, change: fn(&mut ListPage, &mut Random) -> bool) -> bool {
    // The first page stays as it is, so it does not matter whether it has room.
    let changed = set.pages.iter_mut().skip(1).map(|page| change(page, random));
    changed.filter(|changed| *changed).count() > 0
}

fn delete_row(page: &mut ListPage, random: &mut Random) -> bool {
    if page.rows.len() < 2 {
        return false;
    }
    let row = random.below(page.rows.len());
    let at = page.rows.remove(row);
    page.truth.remove(row);
    page.rows.iter_mut().filter(|row| **row > at).for_each(|row| *row -= 1);
    page.children().map(|children| children.remove(at)).is_some()
}

/// A row comes again elsewhere.
fn add_row(page: &mut ListPage, random: &mut Random) -> bool {
    let (from, to) = (random.below(page.rows.len()), random.below(page.rows.len()));
    let Some(copy) = page.row(from).map(|row| row.clone()) else {
        return false;
    };
    let at = page.rows[to];
    page.insert(to, copy);
    page.rows.insert(to, at);
    let truth = page.truth[from].clone();
    page.truth.insert(to, truth);
    true
}

fn swap_rows(page: &mut ListPage, random: &mut Random) -> bool {
    if page.rows.len() < 2 {
        return false;
    }
    let row = random.below(page.rows.len() - 1);
    let (one, other) = (page.rows[row], page.rows[row + 1]);
    page.truth.swap(row, row + 1);
    page.children().map(|children| children.swap(one, other)).is_some()
}

fn all_nodes(set: &mut ListSet, change: fn(&mut Node) -> bool) -> bool {
    fn below(node: &mut Node, change: fn(&mut Node) -> bool) -> bool {
        let changed = change(node);
        let children = node.children_mut().into_iter().flatten();
        children.fold(changed, |changed, child| below(child, change) | changed)
    }
    set.pages
        .iter_mut()
        .fold(false, |changed, page| below(&mut page.root, change) | changed)
}

/// Changes attributes of all elements; those for which `change` is true are left out.
fn attributes(set: &mut ListSet, change: fn(&str, &mut String) -> bool) -> bool {
    let mut changed = false;
    for page in &mut set.pages {
        let mut nodes = vec![&mut page.root];
        while let Some(node) = nodes.pop() {
            if let Node::Element {
                attributes, children, ..
            } = node
            {
                attributes.retain_mut(|(name, value)| {
                    let before = value.clone();
                    let gone = unmarked(value) == *value && change(name, value);
                    changed |= gone || before != *value;
                    !gone
                });
                nodes.extend(children);
            }
        }
    }
    changed
}

/// Other names for classes: each word by the sum of its letters.
fn rename(name: &str, value: &mut String) -> bool {
    if name == "class" {
        let word = |word: &str| {
            let sum = word
                .bytes()
                .fold(7u32, |sum, byte| sum.wrapping_mul(31) + u32::from(byte));
            let letter = |at: u32| char::from(b'a' + (sum >> (5 * at) & 15) as u8);
            format!("x{}", (0..6).map(letter).collect::<String>())
        };
        *value = value.split_whitespace().map(word).collect::<Vec<_>>().join(" ");
    }
    false
}

/// A table as elements without a meaning.
fn as_divs(node: &mut Node) -> bool {
    let Node::Element { name, .. } = node else { return false };
    let new = match name.as_str() {
        "table" | "thead" | "tbody" | "tfoot" | "tr" => "div",
        "td" | "th" => "p",
        _ => return false,
    };
    *name = new.to_owned();
    true
}

/// Each text that is on all pages and says no value is said in other words.
fn other_wording(set: &mut ListSet) -> bool {
    let texts = |page: &mut ListPage| {
        let mut all = BTreeSet::new();
        page.root.each_text(&mut |text, seen| {
            if seen && unmarked(text) == *text && text.chars().any(char::is_alphabetic) {
                all.insert(text.trim().to_owned());
            }
        });
        all
    };
    let mut pages = set.pages.iter_mut();
    let first = pages.next().map(texts).unwrap_or_default();
    let constant = pages.fold(first, |known, page| known.intersection(&texts(page)).cloned().collect());
    for page in &mut set.pages {
        page.root.each_text(&mut |text, seen| {
            if seen && constant.contains(text.trim()) {
                let word = |word: &str| word.chars().rev().collect::<String>();
                *text = text.split(' ').map(word).collect::<Vec<_>>().join(" ");
            }
        });
    }
    !constant.is_empty()
}
