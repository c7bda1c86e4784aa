//! Paths by words: the label before a value, the caption after it, and the words of a link.
//!
//! A label is what readers go by, so it stays while rows move. The nearest words before a value are tried as its label; how far they are
//! trusted depends on what makes them one ([`as_label`]). Elements around a label that have nothing else are no distance between it and the value: a redesign
//! puts several of them around one word.
//!
//! Words after a value are its caption only where a row has nothing but these two, as in `<td>$12</td><td>Price:</td>` or a number above what it counts: elsewhere
//! they are the label of the next value.
//!
//! **Cost**: a pass over the few texts before and after a node, for each node that a path is made to.

use super::{Hints, LABELS, LEAST_ROWS, LONGEST_LABEL, Leans, Path, Tells};
use super::{chain, descend, descend_anyhow, literal, owner, spaced};
use crate::guided::trust::{self, Trust};
use page::{Kind, NodeId, Page, vocabulary};
use std::collections::HashSet;

/// How far below the element that contains both a label and its value may be.
const LEVELS: usize = 4;
const DEPTH: usize = 6;

/// The path to an attribute by the words of its own element: the address of the link "PDF".
pub(super) fn by_own_words(page: &Page, target: NodeId, root: &str, hints: Hints<'_>, paths: &mut Vec<Path>) {
    let element = owner(page, target);
    if element == target || page.kind(target) != Kind::Attribute {
        return;
    }
    let words = wrapper::rule::paths::value(page, element);
    let is_name = words.chars().any(char::is_alphabetic) && words.chars().count() <= LONGEST_LABEL;
    if is_name && !hints.says_value(&words) {
        let (tag, attribute) = (page.name(element), page.name(target));
        let text = spaced(page.string_value(element));
        paths.push(Path {
            text: format!("{root}/{tag}[{text}={}]/@{attribute}", literal(&words)),
            trust: trust::OWN_WORDS,
            leans: Leans::Label,
            tells: Tells::IfConfirmed,
        });
    }
}

/// Paths by the words before a node.
pub(super) fn by_label(page: &Page, context: NodeId, target: NodeId, hints: Hints<'_>, paths: &mut Vec<Path>) {
    let root = if context == NodeId::DOCUMENT { "/" } else { "./" };
    let texts = page.texts();
    let place = texts.partition_point(|text| *text < target);
    let mut seen = 0u32;
    // Words before a label are the heading of a section.
    let mut past_label = false;
    for label in texts[..place].iter().rev().take(LABELS * 6) {
        if *label < context {
            break;
        }
        let Some(holder) = page.parent(*label) else { continue };
        if !vocabulary::is_seen(page, *label) {
            continue;
        }
        let words = wrapper::rule::paths::value(page, *label);
        if !words.chars().any(char::is_alphabetic) {
            continue;
        }
        if words.chars().count() > LONGEST_LABEL || hints.says_value(&words) {
            break;
        }
        // The element of the label, if it contains nothing else.
        let alone =
            wrapper::rule::paths::value(page, holder) == words && !page.ancestors(target).any(|up| up == holder);
        // A text of its own among other things is one only right before the value.
        if alone || seen == 0 {
            relate(
                page,
                (root, context),
                if alone { holder } else { *label },
                &words,
                target,
                (hints.name, seen, past_label),
                paths,
            );
        }
        seen += 1;
        past_label |= is_colon(&words);
        if seen as usize >= LABELS {
            break;
        }
    }
}

pub(in super::super) fn is_colon(words: &str) -> bool {
    words.trim_end().ends_with(':')
}

/// Paths from a label to a node.
fn relate(
    page: &Page,
    (root, context): (&str, NodeId),
    label: NodeId,
    words: &str,
    target: NodeId,
    (field, texts, past_label): (&str, u32, bool),
    paths: &mut Vec<Path>,
) {
    // Up from the label to the element that contains both, and down from there beside it.
    let above: HashSet<NodeId> = page.ancestors(target).collect();
    let Some(common) = page.ancestors(label).find(|up| above.contains(up)) else {
        return;
    };
    if common == context && context != NodeId::DOCUMENT {
        return;
    }
    let (mut up, down) = (chain(page, common, label), chain(page, common, target));
    // Elements that have nothing but the label are no distance.
    if up.len() > LEVELS {
        let is_label = |node: &NodeId| wrapper::rule::paths::value(page, *node) == words;
        let outermost = up.iter().position(is_label).unwrap_or(up.len());
        up.truncate(outermost + 1);
    }
    let label = up.last().copied().unwrap_or(label);
    let (Some(&from), Some(&side)) = (up.first(), down.first()) else {
        return;
    };
    if up.len() > LEVELS || down.len() > DEPTH {
        return;
    }
    let begin = by_words(page, root, label, words);
    let (own, is_sure) = as_label(page, label, words, field, in_rows(page, common, &up, &down));
    let own = if past_label { own * trust::PAST_LABEL } else { own };
    let near = (0..texts).fold(trust::NEAREST_LABEL, |near, _| near * trust::FARTHER_LABEL);
    let lift = match up.len() {
        1 => String::new(),
        levels => "/..".repeat(levels - 1),
    };
    let name = match page.kind(side) {
        Kind::Text => "text()[normalize-space()]".to_owned(),
        Kind::Attribute => return,
        _ => page.name(side).to_owned(),
    };
    // How many nodes of its kind are between them.
    let mut between = 0;
    let mut at = page.next_sibling(from);
    while let Some(sibling) = at {
        let alike = page.kind(sibling) == page.kind(side) && page.name_of(sibling) == page.name_of(side);
        let blank = page.kind(sibling) == Kind::Text && page.string_value(sibling).trim().is_empty();
        between += usize::from(alike && !blank);
        if sibling == side {
            break;
        }
        at = page.next_sibling(sibling);
    }
    if at != Some(side) || between == 0 || between > 3 {
        return;
    }
    let tells = match (is_sure, texts) {
        _ if past_label => Tells::No,
        (true, 0 | 1) => Tells::Yes,
        (false, 0) if between == 1 => Tells::IfConfirmed,
        _ => Tells::No,
    };
    let (rest, rest_trust, placed) = descend(page, &down[1..]);
    let rest = if rest.is_empty() { rest } else { format!("/{rest}") };
    let later = if between > 1 {
        trust::LATER_AFTER_LABEL
    } else {
        Trust::FULL
    };
    let trust = own * near * rest_trust * later;
    let path = format!("{begin}{lift}/following-sibling::{name}[{between}]{rest}");
    paths.push(Path {
        text: path,
        trust,
        leans: Leans::Label,
        tells: if placed { Tells::No } else { tells },
    });
    let plain = descend_anyhow(page, &down[1..]);
    if !plain.is_empty() && format!("/{plain}") != rest {
        let path = format!("{begin}{lift}/following-sibling::{name}[{between}]/{plain}");
        paths.push(Path {
            text: path,
            trust: own * near * trust::UNPLACED,
            leans: Leans::Label,
            tells,
        });
    }
}

/// Do the words on the page say what the field is called? `Directors` do for `director`, and `Release date` for `date`.
pub(in super::super) fn is_called(words: &str, field: &str) -> bool {
    let (said, called) = (wrapper::profile::words(words), wrapper::profile::words(field));
    let alike = |one: &String, other: &String| {
        one == other
            || (one.len().min(other.len()) >= 4 && (one.starts_with(other.as_str()) || other.starts_with(one.as_str())))
    };
    said.len() <= 4
        && called
            .iter()
            .filter(|word| word.len() > 2)
            .any(|word| said.iter().any(|said| alike(said, word)))
}

/// Is it one of several rows that begin with different words and go on in the same way? Then the words are labels.
fn in_rows(page: &Page, row: NodeId, up: &[NodeId], down: &[NodeId]) -> bool {
    let names = |chain: &[NodeId]| -> Vec<&str> { chain.iter().map(|node| page.name(*node)).collect() };
    let (first, second) = (names(up), names(down));
    let Some(table) = page.parent(row).filter(|_| page.is_element(row)) else {
        return false;
    };
    let mut labels: Vec<String> = Vec::new();
    for other in page
        .children(table)
        .filter(|other| page.name_of(*other) == page.name_of(row))
    {
        let mut children = page.children(other).filter(|child| page.is_element(*child));
        let (Some(label), Some(value)) = (children.next(), children.next()) else {
            continue;
        };
        let words = wrapper::rule::paths::value(page, label);
        let alike = first.first() == Some(&page.name(label)) && second.first() == Some(&page.name(value));
        if alike && words.chars().any(char::is_alphabetic) && words.chars().count() <= LONGEST_LABEL {
            labels.push(words);
        }
    }
    let rows = labels.len();
    labels.sort_unstable();
    labels.dedup();
    rows >= LEAST_ROWS && labels.len() == rows
}

/// The beginning of a path by the words of a node.
fn by_words(page: &Page, root: &str, label: NodeId, words: &str) -> String {
    let name = match page.kind(label) {
        Kind::Text => "text()",
        _ => page.name(label),
    };
    format!("{root}/{name}[{}={}]", spaced(page.string_value(label)), literal(words))
}

/// How far words are trusted as the label of a field, and whether they are surely one.
fn as_label(page: &Page, label: NodeId, words: &str, field: &str, is_in_rows: bool) -> (Trust, bool) {
    let is_called = is_called(words, field);
    let (own, is_sure) = if is_called {
        (trust::CALLED, true)
    } else if is_colon(words) {
        (trust::COLON, true)
    } else if vocabulary::is_label(page.name(label)) {
        (trust::LABEL_TAG, true)
    } else if is_in_rows {
        (trust::IN_ROWS, true)
    } else {
        (trust::OTHER_WORDS, false)
    };
    let is_own = words
        .chars()
        .any(|c| c.is_numeric() || matches!(c, '"' | '“' | '”' | '«' | '»'));
    // `ISBN13` has digits and says what the field is called.
    let own = if is_own && !is_called {
        own * trust::OWN_LABEL
    } else {
        own
    };
    (own, is_sure)
}

/// The most blank texts that are passed, before a node and after it. More would take long on odd pages.
const BLANKS: usize = 16;

/// The text after a node, if the smallest element around both has nothing else that a reader sees.
pub fn caption(page: &Page, node: NodeId) -> Option<NodeId> {
    let texts = page.texts();
    let is_blank = |text: &&NodeId| page.string_value(**text).trim().is_empty() || !vocabulary::is_seen(page, **text);
    let (from, after) = (
        texts.partition_point(|text| *text < node),
        texts.partition_point(|text| *text < page.end(node)),
    );
    let mut behind = texts[after..].iter().take(BLANKS).skip_while(|text| is_blank(text));
    let next = behind.next()?;
    let row = page.ancestors(*next).find(|up| *up <= node && node < page.end(*up))?;
    let is_inside = |text: &&NodeId| row <= **text && **text < page.end(row);
    let before = texts[..from].iter().rev().take(BLANKS);
    let mut before = before.skip_while(|text| is_inside(text) && is_blank(text));
    // Another text of the row, or blank ones without an end.
    let is_alone = |text: Option<&NodeId>, is_end: bool| text.map_or(is_end, |text| !is_inside(&text));
    let is_first = is_alone(before.next(), from <= BLANKS);
    let is_last = is_alone(
        behind.find(|text| !is_inside(text) || !is_blank(text)),
        after + BLANKS >= texts.len(),
    );
    (is_first && is_last).then_some(*next)
}

/// The path by the words after a node, where a row says the value and then these words, and nothing else.
pub(super) fn by_caption(page: &Page, context: NodeId, target: NodeId, hints: Hints<'_>, paths: &mut Vec<Path>) {
    if page.kind(target) == Kind::Attribute {
        return;
    }
    let root = if context == NodeId::DOCUMENT { "/" } else { "./" };
    let Some(text) = caption(page, target) else {
        return;
    };
    let Some(row) = page.ancestors(text).find(|up| *up <= target && target < page.end(*up)) else {
        return;
    };
    if row == NodeId::DOCUMENT || row <= context && context != NodeId::DOCUMENT {
        return;
    }
    let (up, down) = (chain(page, row, text), chain(page, row, target));
    let (Some(&label), Some(&side)) = (up.first(), down.first()) else {
        return;
    };
    let words = wrapper::rule::paths::value(page, label);
    let is_name = words.chars().any(char::is_alphabetic) && words.chars().count() <= LONGEST_LABEL;
    if !is_name || hints.says_value(&words) || !page.is_element(label) || !page.is_element(side) {
        return;
    }
    let between = page
        .children(row)
        .filter(|child| *child > side && *child < label && page.name_of(*child) == page.name_of(side));
    let number = between.count() + 1;
    let (own, is_sure) = as_label(page, label, &words, hints.name, false);
    let (rest, rest_trust, placed) = descend(page, &down[1..]);
    let rest = if rest.is_empty() { rest } else { format!("/{rest}") };
    let begin = by_words(page, root, label, &words);
    paths.push(Path {
        text: format!("{begin}/preceding-sibling::{}[{number}]{rest}", page.name(side)),
        trust: own * trust::NEAREST_LABEL * trust::CAPTION * rest_trust,
        leans: Leans::Label,
        tells: match (placed, is_sure) {
            (true, _) => Tells::No,
            (false, true) => Tells::Yes,
            (false, false) => Tells::IfConfirmed,
        },
    });
}
