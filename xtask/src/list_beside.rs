//! What real pages have beside a list and few of our pages have: things of the same make as the list that are no part of it.
//!
//! `cargo xtask changes --part made --beside NAME` adds them before a rule is learned, so that the rule must tell them from the records, and a repair must do so as
//! well. The truth stays what it was. *twin* and *twin first* are a second list with other values, after or before the list, which only its `id` tells
//! from the first; *headed* has headings instead; *boxed* is a second list in an element of its own; *rows* are rows of another class in the list; *pairs* are cells of the same make beside
//! each value, as a second date is.

use crate::list_pages::{ListPage, Node, elsewhere, unmarked};

/// Adds something to a page; false if it has no room for it.
pub(crate) type Beside = fn(&mut ListPage) -> bool;

/// What is added, by name.
pub(crate) const BESIDE: [(&str, Beside); 6] = [
    ("twin", |page| twin(page, false, false)),
    ("twin first", |page| twin(page, true, false)),
    ("headed", |page| twin(page, false, true)),
    ("boxed", |page| twin(page, true, false) && boxed(page)),
    ("rows", rows),
    ("pairs", pairs),
];

const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

/// A text of the same make: other digits, the next month, words backwards.
pub(crate) fn other(text: &str) -> String {
    let mut out = String::new();
    let mut word = String::new();
    let end = |word: &mut String, out: &mut String| {
        let lower = word.to_lowercase();
        let month = MONTHS
            .iter()
            .position(|month| lower.len() >= 3 && month.starts_with(&lower));
        let new = match month {
            Some(month) => MONTHS[(month + 1) % 12].chars().take(word.len().max(3)).collect(),
            // Such as "am", "v", "the", "Mon".
            None if lower.chars().count() < 4 => return out.push_str(&std::mem::take(word)),
            None => lower.chars().rev().collect::<String>(),
        };
        let is_capital = word.starts_with(char::is_uppercase);
        let mut letters = new.chars();
        match letters.next().filter(|_| is_capital) {
            Some(first) => out.extend(first.to_uppercase().chain(letters)),
            None => out.push_str(&new),
        }
        word.clear();
    };
    let mut digits = 0;
    for c in text.chars() {
        if c.is_alphabetic() {
            word.push(c);
            digits = 0;
            continue;
        }
        end(&mut word, &mut out);
        digits = if c.is_ascii_digit() { digits + 1 } else { 0 };
        match c.to_digit(10) {
            // The first digit of a number stays, so that a date stays one.
            Some(digit) if digits > 1 => out.extend(char::from_digit((digit + 3) % 10, 10)),
            _ => out.push(c),
        }
    }
    end(&mut word, &mut out);
    out
}

/// Other values; addresses get another file. If they are of the same template, what drops a field of the list drops it here, too, so values keep their marks, as
/// those of rows that the list does not have.
fn renewed(node: &mut Node, is_of_template: bool) {
    node.each_text(&mut |text, is_seen| {
        let plain = unmarked(text);
        let is_value = plain != *text;
        let marks = match is_of_template {
            true => elsewhere(text),
            false => String::new(),
        };
        let new = match is_value {
            true if is_seen => other(&plain),
            true => {
                let start = plain.rfind('/').map_or(0, |at| at + 1);
                let (path, file) = plain.split_at(start);
                let (name, ending) = file
                    .rsplit_once('.')
                    .map_or((file, ""), |(name, ending)| (name, ending));
                let dot = if ending.is_empty() { "" } else { "." };
                format!("{path}{}{dot}{ending}", other(name))
            }
            false => plain,
        };
        *text = marks + &new;
    });
}

fn called(node: &mut Node, name: &str, value: &str) {
    if let Node::Element { attributes, .. } = node {
        attributes.retain(|(known, _)| known != name);
        attributes.push((name.to_owned(), value.to_owned()));
    }
}

pub(crate) fn twin(page: &mut ListPage, is_first: bool, is_headed: bool) -> bool {
    let mut way = page.parent.clone();
    if ["tbody", "thead"].contains(&page.root.at(&way).map_or("", Node::name)) {
        way.pop();
    }
    let Some(at) = way.pop().filter(|_| !way.is_empty()) else {
        return false;
    };
    let depth = way.len();
    let Some(children) = page.root.at_mut(&way).and_then(Node::children_mut) else {
        return false;
    };
    if ["tbody", "tr", "td", "body"].contains(&children[at].name()) {
        return false;
    }
    let mut copy = children[at].clone();
    renewed(&mut copy, true);
    let (own, others) = match is_headed {
        true => (
            vec![Node::element("h3", vec![Node::text("Coming up")]), children[at].clone()],
            vec![Node::element("h3", vec![Node::text("From the archive")]), copy],
        ),
        false => {
            let mut own = children[at].clone();
            called(&mut own, "id", "main-list");
            called(&mut copy, "id", "other-list");
            (vec![own], vec![copy])
        }
    };
    let before = if is_first { others.len() } else { 0 };
    page.parent[depth] += before + own.len() - 1;
    let new = match is_first {
        true => others.into_iter().chain(own),
        false => own.into_iter().chain(others),
    };
    children.splice(at..=at, new);
    true
}

/// The second list, which is before the first, is in an element of its own.
fn boxed(page: &mut ListPage) -> bool {
    let mut way = page.parent.clone();
    if ["tbody", "thead"].contains(&page.root.at(&way).map_or("", Node::name)) {
        way.pop();
    }
    let Some(before) = way.pop().and_then(|at| at.checked_sub(1)) else {
        return false;
    };
    let Some(children) = page.root.at_mut(&way).and_then(Node::children_mut) else {
        return false;
    };
    children[before] = Node::element("section", vec![Node::element("div", vec![children[before].clone()])]);
    true
}

fn rows(page: &mut ListPage) -> bool {
    if page.rows.len() < 4 {
        return false;
    }
    for row in (0..page.rows.len()).rev() {
        let Some(node) = page.row(row) else { return false };
        called(node, "class", "entry");
        if row % 3 == 1 {
            let mut copy = node.clone();
            renewed(&mut copy, true);
            called(&mut copy, "class", "aside");
            page.insert(row, copy);
        }
    }
    true
}

/// After each part of a row that has one value, a part like it.
fn pairs(page: &mut ListPage) -> bool {
    fn double(node: &mut Node) -> bool {
        let Some(children) = node.children_mut() else {
            return false;
        };
        let mut some = false;
        let old = std::mem::take(children);
        for mut child in old {
            let is_value = !child.name().is_empty() && child.marks().len() == 1;
            some |= is_value || double(&mut child);
            let copy = is_value.then(|| child.clone());
            children.push(child);
            children.extend(copy.map(|mut copy| {
                renewed(&mut copy, false);
                copy
            }));
        }
        some
    }
    (0..page.rows.len()).all(|row| page.row(row).is_some_and(double))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_text_is_of_the_same_make() {
        assert_eq!(other("May 14, 2019"), "Jun 17, 2342");
        assert_eq!(other("Roe v. Wade"), "Roe v. Edaw");
        assert_eq!(other("$12.50"), "$15.53");
    }
}
