//! Observes values on their pages: the words before them, whether they are links, the names of their elements.

use super::locate::{Places, Spot};
use super::{FieldProfile, Profile, Sight};
use crate::rule::paths::{tidy, value};
use page::{Kind, NodeId, Page, vocabulary};
use record::Row;
use std::collections::HashSet;

/// How many texts away a label may be.
const REACH: usize = 6;
/// The most characters of a label.
pub const LONGEST_LABEL: usize = 60;

/// The profile of `columns` columns on one page, from the rows that were extracted from it.
pub fn gather(columns: usize, page: &Page, rows: &[Row]) -> Profile {
    let mut profile = Profile {
        fields: vec![FieldProfile::default(); columns],
        ..Profile::default()
    };
    let places = Places::new(page);
    let sights = Sights::new(page);
    let known: HashSet<String> = rows.iter().flatten().flatten().map(|text| tidy(text)).collect();
    let of = |field: usize| rows.iter().filter_map(move |row| row.get(field));
    let values: Vec<u64> = (0..columns)
        .map(|field| of(field).map(|values| values.len() as u64).sum())
        .collect();
    profile.add_page(rows.len() as u64, &values);
    let mut last: Vec<NodeId> = vec![NodeId::DOCUMENT; columns];
    for row in rows {
        for (field, values) in row.iter().enumerate().take(columns) {
            profile.fields[field].records += u64::from(!values.is_empty());
            for text in values {
                let text = tidy(text);
                let sight = match spot(page, &places.of(&text), last[field]) {
                    Some(spot) => {
                        last[field] = spot.node;
                        let mut sight = sights.of(spot.node, &known);
                        let inside = spot.before.trim();
                        if !inside.is_empty()
                            && inside.chars().count() <= LONGEST_LABEL
                            && inside.chars().any(char::is_alphabetic)
                        {
                            sight.label = Some(inside.to_owned());
                        }
                        Sight { text, ..sight }
                    }
                    None => Sight {
                        text,
                        ..Sight::default()
                    },
                };
                profile.fields[field].add(&sight);
            }
        }
    }
    profile
}

/// Chooses the place of a value that is most likely meant. Places that a reader sees are preferred to those that only
/// programs see. Among these, the first one after the last value of the field is chosen, because records follow each
/// other.
fn spot<'s>(page: &Page, spots: &'s [Spot], last: NodeId) -> Option<&'s Spot> {
    let unseen = |spot: &Spot| {
        page.kind(spot.node) == Kind::Attribute || page.ancestors(spot.node).any(|up| page.name(up) == "head")
    };
    spots
        .iter()
        .enumerate()
        .min_by_key(|(at, spot)| (unseen(spot), spot.node <= last, *at))
        .map(|(_, spot)| spot)
}

/// Observes the nodes of a page.
pub struct Sights<'p> {
    page: &'p Page,
    /// The texts that a reader sees, in page order.
    seen: Vec<NodeId>,
}

impl<'p> Sights<'p> {
    /// Prepares a page, in one pass over it.
    pub fn new(page: &'p Page) -> Sights<'p> {
        let mut unseen = page
            .elements()
            .iter()
            .filter(|up| vocabulary::is_unseen(page.name(**up)));
        let mut next = unseen.next();
        let mut end = NodeId::DOCUMENT;
        let mut seen = Vec::new();
        for text in page.texts() {
            while let Some(element) = next.filter(|element| *element < text) {
                end = end.max(page.end(*element));
                next = unseen.next();
            }
            if *text >= end {
                seen.push(*text);
            }
        }
        Sights { page, seen }
    }

    /// Observes a node; `known` are texts that are values, so they cannot be labels.
    pub fn of(&self, node: NodeId, known: &HashSet<String>) -> Sight {
        sight(self.page, node, known, &self.seen)
    }
}

fn sight(page: &Page, node: NodeId, known: &HashSet<String>, seen: &[NodeId]) -> Sight {
    let attribute = page.kind(node) == Kind::Attribute;
    let owner = if page.is_element(node) {
        node
    } else {
        page.parent(node).unwrap_or(node)
    };
    let link = page.name(owner) == "a" || page.ancestors(owner).take(3).any(|up| page.name(up) == "a");
    let mut names = Vec::new();
    for up in std::iter::once(owner)
        .chain(page.ancestors(owner))
        .filter(|up| page.is_element(*up))
        .take(3)
    {
        for name in vocabulary::NAMING {
            if let Some(text) = page.attribute_value(up, name) {
                names.extend(words(text));
            }
        }
    }
    let text = value(page, node);
    if is_titular(page, owner, &text) {
        names.push(TITULAR.to_owned());
    }
    names.sort();
    names.dedup();
    Sight {
        text,
        link,
        attribute,
        label: heading(page, owner).or_else(|| label(page, node, known, seen)),
        tag: match attribute {
            true => format!("@{}", page.name(node)),
            false => page.name(owner).to_owned(),
        },
        names,
    }
}

/// An extra name for values that occur in the page's title. No class can have this name.
const TITULAR: &str = "<title>";
/// Longer titles are ignored.
const TITLE: usize = 1000;

/// Is a text the whole or a part of the page's title, without being in the title element itself?
fn is_titular(page: &Page, owner: NodeId, text: &str) -> bool {
    let title = page.name_id("title").and_then(|name| page.elements_named(name).first());
    let short = |title: &&NodeId| page.text_range(**title).len() <= TITLE;
    let Some(title) = title.filter(|title| **title != owner).filter(short) else {
        return false;
    };
    text.len() >= 4 && text.len() <= 300 && value(page, *title).contains(text)
}

/// The words of a name: `wprm-recipeIngredient_2` is wprm, recipe, ingredient.
pub fn words(name: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut lower = false;
    for c in name.chars() {
        if !c.is_alphabetic() || (c.is_uppercase() && lower) {
            words.push(std::mem::take(&mut word));
        }
        lower = c.is_lowercase();
        if c.is_alphabetic() {
            word.extend(c.to_lowercase());
        }
    }
    words.push(word);
    words.retain(|word| word.len() > 1);
    // Singular and plural count as the same.
    for word in &mut words {
        if word.len() > 3 && word.ends_with('s') {
            word.pop();
        }
    }
    words
}

/// The words before a node that a reader would take for its label.
fn label(page: &Page, node: NodeId, known: &HashSet<String>, seen: &[NodeId]) -> Option<String> {
    let place = seen.partition_point(|text| *text < node);
    let mut steps = 0;
    for text in seen[..place].iter().rev() {
        let words = value(page, *text);
        if words.is_empty() {
            continue;
        }
        steps += 1;
        if known.contains(&words) || words.chars().count() > LONGEST_LABEL || steps > REACH {
            return None;
        }
        if words.chars().any(char::is_alphabetic) {
            return Some(words);
        }
    }
    None
}

/// The heading of a table's column.
fn heading(page: &Page, node: NodeId) -> Option<String> {
    let cell = std::iter::once(node)
        .chain(page.ancestors(node))
        .take(4)
        .find(|up| page.name(*up) == "td")?;
    let row = page.parent(cell)?;
    let place = page
        .children(row)
        .filter(|child| page.is_element(*child))
        .position(|child| child == cell)?;
    let table = page.ancestors(row).find(|up| page.name(*up) == "table")?;
    let end = page.end(table);
    let rows = page.elements_named(page.name_id("tr")?);
    let first = rows[rows.partition_point(|row| *row < table)..]
        .iter()
        .find(|row| **row < end)?;
    if *first == row {
        return None;
    }
    let head = page
        .children(*first)
        .filter(|child| page.is_element(*child))
        .nth(place)?;
    let words = value(page, head);
    let telling = page.name(head) == "th" || page.children(head).any(|child| vocabulary::is_label(page.name(child)));
    (telling && !words.is_empty() && words.chars().count() <= LONGEST_LABEL).then_some(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_words() {
        assert_eq!(words("wprm-recipeIngredients_2"), ["wprm", "recipe", "ingredient"]);
        assert_eq!(words(""), Vec::<String>::new());
    }

    #[test]
    fn labels_and_headings_are_seen() {
        let html = "<table><tr><th>Title<th>Price</tr><tr><td>Data<td><i>$23</i></tr></table><p><b>By:</b> Ann</p>";
        let page = Page::parse(html.as_bytes(), &page::ParseSettings::default()).expect("a page");
        let places = Places::new(&page);
        let known: HashSet<String> = ["Data", "$23", "Ann"].map(str::to_owned).into();
        let sights = Sights::new(&page);
        let seen = |text: &str| sights.of(places.of(text)[0].node, &known).label;
        assert_eq!(seen("$23").as_deref(), Some("Price"));
        assert_eq!(seen("Ann").as_deref(), Some("By:"));
    }
}
