//! Names from structured data.
//!
//! Microdata and RDFa are written around the values, so the nearest name is theirs. Other structured data is beside the page;
//! there a field gets the name of the fact that has the same value on most of its pages. Values compare by letters and digits in
//! lower case, numbers by their digits without what is around them, so `$ 12.50` is `12.5`. One value that agrees is chance, so at
//! least two different ones must, or a long one.

use super::{PLACES, short_name, split_words};
use page::structured::{Source, Structured};
use page::titles::plain;
use page::{Kind, NodeId, Page};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Longer values are not compared.
const LONGEST: usize = 2_000;
/// A text of this length that agrees is no chance.
const TELLING: usize = 24;
/// A value with more facts tells nothing.
const CROWD: usize = 40;

/// The facts of pages by their values.
pub(super) struct Keys(Vec<HashMap<String, Vec<(Source, String)>>>);

impl Keys {
    pub(super) fn new(data: &[Structured]) -> Keys {
        let page = |data: &Structured| {
            let mut facts: HashMap<String, Vec<(Source, String)>> = HashMap::new();
            for fact in data.facts.iter().filter(|fact| fact.value.len() <= LONGEST) {
                // A type is the same on all pages, and is not shown.
                if fact.path.ends_with("@type") {
                    continue;
                }
                for form in forms(&fact.value) {
                    let of = facts.entry(form).or_default();
                    if of.len() < CROWD {
                        of.push((fact.source, fact.path.clone()));
                    }
                }
            }
            facts
        };
        Keys(data.iter().map(page).collect())
    }

    /// The name that microdata or RDFa gives to most of some places.
    pub(super) fn around(&self, pages: &[&Page], places: &[(usize, NodeId)]) -> Option<String> {
        let looked = &places[..places.len().min(PLACES)];
        let mut votes: BTreeMap<String, usize> = BTreeMap::new();
        for (number, node) in looked {
            if let Some(name) = property(pages[*number], *node) {
                *votes.entry(name).or_default() += 1;
            }
        }
        let (name, times) = votes.into_iter().max_by_key(|(_, times)| *times)?;
        (times * 2 > looked.len()).then_some(name)
    }

    /// The name of the facts that have the same values as a field on most pages.
    pub(super) fn equal(&self, pages: &[&Page], places: &[(usize, NodeId)]) -> Option<String> {
        let looked = &places[..places.len().min(PLACES)];
        let mut votes: BTreeMap<(Source, &str), (usize, BTreeSet<String>)> = BTreeMap::new();
        for (number, node) in looked {
            let text = pages[*number].string_value(*node);
            if text.len() > LONGEST {
                continue;
            }
            let mut here: BTreeSet<(Source, &str)> = BTreeSet::new();
            let forms = forms(text);
            for form in &forms {
                let facts = self.0[*number].get(form).into_iter().flatten();
                here.extend(facts.map(|(source, path)| (*source, path.as_str())));
            }
            for key in here {
                let (times, different) = votes.entry(key).or_default();
                *times += 1;
                different.extend(forms.first().cloned());
            }
        }
        let enough = |times: usize, different: &BTreeSet<String>| {
            times * 2 > looked.len() && (different.len() > 1 || different.iter().any(|text| text.len() >= TELLING))
        };
        let mut found: Vec<_> = votes
            .into_iter()
            .filter(|(_, (times, different))| enough(*times, different))
            .collect();
        // The most pages; then the source in the order of what is known to be data; then the shortest path.
        found.sort_by_key(|((source, path), (times, _))| {
            (std::cmp::Reverse(*times), *source, path.len(), path.to_string())
        });
        found.into_iter().find_map(|((_, path), _)| path_name(path))
    }
}

/// The forms in which a value is compared: its words, and its number if it has one.
pub(crate) fn forms(text: &str) -> Vec<String> {
    let words = plain(text);
    let mut forms = Vec::new();
    if let Some(number) = number(text) {
        forms.push(number);
    }
    // A short word is everywhere.
    if words.chars().count() > 2 || forms.is_empty() && !words.is_empty() {
        forms.push(words);
    }
    forms
}

/// The digits of the only number of a text, with nothing but a currency or a unit around it, without zeros at the end.
fn number(text: &str) -> Option<String> {
    let is_part = |c: char| c.is_ascii_digit() || matches!(c, '.' | ',');
    let from = text.find(|c: char| c.is_ascii_digit())?;
    let length = text[from..].find(|c: char| !is_part(c)).unwrap_or(text.len() - from);
    let (digits, rest) = text[from..].split_at(length);
    let around = text[..from].chars().chain(rest.chars());
    let mut letters = 0;
    for c in around {
        if c.is_ascii_digit() {
            return None;
        }
        letters += usize::from(c.is_alphabetic());
    }
    if letters > 4 {
        return None;
    }
    let digits = digits.trim_end_matches(['.', ',']);
    let decimals = digits.rfind(['.', ',']).filter(|at| digits.len() - at <= 3);
    let (whole, part) = digits.split_at(decimals.unwrap_or(digits.len()));
    let whole: String = whole.chars().filter(char::is_ascii_digit).collect();
    let part = part.trim_start_matches(['.', ',']).trim_end_matches('0');
    Some(if part.is_empty() {
        whole
    } else {
        format!("{whole}.{part}")
    })
}

/// The `itemprop` or `property` around a place. A container of several values does not name one of them.
fn property(page: &Page, node: NodeId) -> Option<String> {
    let owner = match page.kind(node) {
        Kind::Element => node,
        _ => page.parent(node)?,
    };
    let text = page.string_value(node).trim().len();
    for up in std::iter::once(owner).chain(page.ancestors(owner)).take(4) {
        let name = ["itemprop", "property"]
            .iter()
            .find_map(|name| page.attribute_value(up, name));
        let is_item = ["itemscope", "typeof"]
            .iter()
            .any(|name| page.attribute_value(up, name).is_some());
        let Some(name) = name.and_then(|name| name.split_ascii_whitespace().next()) else {
            if is_item {
                return None;
            }
            continue;
        };
        if is_item || (up != owner && page.string_value(up).trim().len() > 2 * text) {
            return None;
        }
        // The name of a brand is the brand.
        if name == "name" {
            let item = page
                .ancestors(up)
                .take(4)
                .find(|up| page.attribute_value(*up, "itemscope").is_some());
            let of = item.and_then(|item| page.attribute_value(item, "itemprop"));
            if let Some(of) = of {
                return path_name(of);
            }
        }
        return path_name(name);
    }
    None
}

/// The name for a path of names: its last one, or the one before if the last says nothing.
pub(crate) fn path_name(path: &str) -> Option<String> {
    let names: Vec<&str> = path.split('.').collect();
    let (last, before) = names.split_last()?;
    let around = before
        .last()
        .filter(|name| !matches!(**name, "itemListElement" | "item" | "props" | "data" | "items"));
    let says_nothing = matches!(
        *last,
        "name" | "value" | "text" | "title" | "content" | "label" | "url" | "id" | "min" | "max" | "amount"
    );
    // The address of a picture is the picture; that of something else is not the thing.
    let is_address = matches!(*last, "url" | "@id" | "href") && !around.is_some_and(|name| is_picture(name));
    let name = match (says_nothing, around) {
        (true, Some(around)) if is_address => return path_name(around).map(|name| format!("{name}_url")),
        (true, Some(around)) => around,
        _ => last,
    };
    // `og:title`, `product:price:amount`, `schema:name`.
    let mut parts: Vec<&str> = name.split([':', '/', '#']).filter(|part| !part.is_empty()).collect();
    if parts.len() > 1 && matches!(*parts.last()?, "amount") {
        parts.pop();
    }
    let words = split_words(parts.last()?);
    let is_fine = words.iter().all(|word| !super::is_generated(word));
    is_fine.then(|| short_name(&words)).flatten()
}

fn is_picture(name: &str) -> bool {
    ["image", "logo", "photo", "thumbnail", "picture"]
        .iter()
        .any(|word| name.to_ascii_lowercase().contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_have_telling_names() {
        for (path, name) in [
            ("offers.price", "price"),
            ("brand.name", "brand"),
            ("itemListElement.name", "name"),
            ("aggregateRating.ratingValue", "rating_value"),
            ("og:title", "title"),
            ("offers.url", "offers_url"),
            ("image.url", "image"),
            ("product:price:amount", "price"),
            ("datePublished", "date_published"),
        ] {
            assert_eq!(path_name(path).as_deref(), Some(name), "{path}");
        }
    }

    #[test]
    fn numbers_compare_without_what_is_around_them() {
        for (text, expected) in [
            ("$ 12.50", Some("12.5")),
            ("12.5", Some("12.5")),
            ("1,299.00 EUR", Some("1299")),
            ("1.299,50 €", Some("1299.5")),
            ("12", Some("12")),
            ("12 of 30", None),
            ("Chapter 12", None),
            ("none", None),
        ] {
            assert_eq!(number(text).as_deref(), expected, "{text}");
        }
    }
}
