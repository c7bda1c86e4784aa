//! Which fields of an inferred wrapper are shown, and in which order.
//!
//! A template has many places that vary: headlines, counters, adverts, links to other things. Nobody wants all of them. **In**: an
//! inferred wrapper and its pages. **Out**: the fields that tell something about the thing that a page is about, those that tell most
//! first; the others stay in the wrapper and can be shown again.
//!
//! Not shown in any case: second forms of other fields (`_all`, `_mentions`), labels, fields without values. A wrapper with few fields
//! shows all others. Else each field gets points (`weights`) for being what the page calls itself, for its label, for a name or a kind of
//! value that people ask for, for varying from page to page and for being on most pages; and loses some for being in the head, in a form,
//! or in a part of the page that its tags or classes call navigation, advertising or the like, and for being one of many links.
//!
//! **Cost**: one extraction from each page, and a look at the elements around the first value of each field.
//!
//! Known failures: parts of a page that only their looks tell to be navigation; a field that varies rarely and has no label.

use super::values::{FieldValues, values};
use super::wanted::synonyms;
use crate::record::values::{Kind, kinds};
use crate::{Document, Page, Wrapper};
use page::{NodeId, vocabulary};
use std::collections::HashMap;
use wrapper::profile::words;

/// With at most this many fields, all of them are shown.
const FEW: usize = 12;
/// More fields are not shown.
const MOST: usize = 60;
/// Fields with fewer points are not shown. A text in a menu that varies and is on all pages has less, one in the content more.
const LEAST: f64 = 0.7;
/// How many pages are looked at for the elements around a value.
const PAGES: usize = 5;

/// What a field gets and loses. Judgements; the order of their sizes matters, not the numbers.
mod weights {
    pub(super) const TITLE: f64 = 2.0;
    pub(super) const LABEL: f64 = 0.6;
    pub(super) const KIND: f64 = 0.3;
    /// Its name or its values are something that people ask for.
    pub(super) const ASKED: f64 = 0.6;
    /// It is a heading.
    pub(super) const HEADING: f64 = 0.4;
    /// It has the name of several others.
    pub(super) const AGAIN: f64 = -0.2;
    pub(super) const VARIES: f64 = 0.4;
    pub(super) const COVERS: f64 = 0.6;
    /// Fields after the name of the thing and near it say more than those far below.
    pub(super) const NEAR: f64 = 0.5;
    pub(super) const HEAD: f64 = -1.0;
    pub(super) const CHROME: f64 = -0.7;
    pub(super) const FORM: f64 = -0.8;
    pub(super) const LINKS: f64 = -0.3;
    pub(super) const CONSTANT: f64 = -0.5;
    pub(super) const PROSE: f64 = -0.1;
}

/// The fields to show, those that tell most first; `None` to show all.
pub(super) fn choose(wrapper: &Wrapper, documents: &[Document]) -> Option<Vec<String>> {
    let fields = values(wrapper, documents);
    let is_fine = |field: &&FieldValues| !field.is_twin() && !field.is_label() && !field.firsts.is_empty();
    let mut kept: Vec<&FieldValues> = fields.iter().filter(is_fine).collect();
    if kept.is_empty() {
        return None;
    }
    if kept.len() > FEW {
        let labels = labels(wrapper);
        let titled = kept
            .iter()
            .position(|field| matches!(field.name.as_str(), "title" | "name"));
        // A word around the name of the thing, or around most fields, is about the whole page, such as the class `search` of a
        // list of results.
        let is_within = |page: &Page, node: NodeId| within(page, node, is_chrome);
        let chromes: Vec<f64> = kept.iter().map(|field| part(field, documents, &is_within)).collect();
        let all = chromes.iter().sum::<f64>() / chromes.len() as f64;
        let tells = titled.map_or(all, |titled| chromes[titled]) < 0.5;
        let score = |(at, field): (usize, &&FieldValues)| {
            let label = labels.get(&field.name).map(Vec::as_slice).unwrap_or_default();
            // What is before the name of the thing is mostly a menu.
            let far = titled.map_or(at, |titled| {
                at.checked_sub(titled).unwrap_or_else(|| MOST + titled - at)
            });
            let chrome = weights::CHROME * chromes[at] * f64::from(u8::from(tells));
            points(field, documents, label) + chrome + weights::NEAR * (-(far as f64) / MOST as f64).exp()
        };
        let mut scored: Vec<(f64, usize)> = kept.iter().enumerate().map(|pair| (score(pair), pair.0)).collect();
        scored.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let enough = scored.iter().filter(|(points, _)| *points >= LEAST).count();
        // Where no field has enough, the best ones are all that there is.
        scored.truncate(if enough == 0 { MOST } else { enough.min(MOST) });
        kept = scored.into_iter().map(|(_, at)| kept[at]).collect();
    }
    if kept.len() == fields.len() && fields.len() <= FEW {
        return None;
    }
    Some(kept.into_iter().map(|field| field.name.clone()).collect())
}

/// The labels of fields that have one on at least half of their values.
fn labels(wrapper: &Wrapper) -> HashMap<String, Vec<String>> {
    const WORDS: usize = 5;
    let mut labels = HashMap::new();
    for (table, profile) in wrapper.record_type.tables().iter().zip(&wrapper.evidence.profiles) {
        for (column, field) in table.columns.iter().zip(&profile.fields) {
            let name = [&table.path[..], &column.path].concat().join(".");
            let is_label =
                |label: &str, times: u64| label.split_whitespace().count() <= WORDS && times * 2 >= field.count.max(1);
            let found = field.labels.iter().filter(|(label, times)| is_label(label, **times));
            labels.insert(name, found.map(|(label, _)| label.clone()).collect());
        }
    }
    labels
}

fn points(field: &FieldValues, documents: &[Document], labels: &[String]) -> f64 {
    let count = field.firsts.len().max(1) as f64;
    let mut points = 0.0;
    if matches!(field.name.rsplit('.').next(), Some("title" | "name")) {
        points += weights::TITLE;
    }
    if !labels.is_empty() {
        points += weights::LABEL;
    }
    let last = field.name.rsplit('.').next().unwrap_or(&field.name);
    let called: Vec<Vec<String>> = std::iter::once(last)
        .chain(labels.iter().map(String::as_str))
        .map(words)
        .collect();
    if synonyms::is_asked_for(&called, |concept| field.share(|text| synonyms::is_value(concept, text))) {
        points += weights::ASKED;
    }
    let number = last.rsplit('_').next().and_then(|end| end.parse::<u32>().ok());
    if number.is_some_and(|number| number > 2) {
        points += weights::AGAIN;
    }
    let is_kind = |text: &str| {
        let kinds = kinds(text);
        let wanted = [
            Kind::Price,
            Kind::Date,
            Kind::DateTime,
            Kind::Phone,
            Kind::Email,
            Kind::Address,
        ];
        wanted.iter().any(|kind| kinds.contains(*kind))
    };
    points += weights::KIND * field.share(is_kind);
    points += weights::VARIES * field.different as f64 / count;
    points += weights::COVERS * count / documents.len().max(1) as f64;
    if field.is_constant() {
        points += weights::CONSTANT;
    }
    if field.share(|text| text.chars().count() > 300) > 0.5 {
        points += weights::PROSE;
    }
    let part = |holds: &dyn Fn(&Page, NodeId) -> bool| part(field, documents, holds);
    points += weights::HEAD * part(&|page, node| within(page, node, |page, up| page.name(up) == "head"));
    let is_heading = |page: &Page, up: NodeId| matches!(page.name(up), "h1" | "h2");
    points += weights::HEADING * part(&|page, node| page.ancestors(node).take(3).any(|up| is_heading(page, up)));
    points += weights::FORM * part(&|page, node| within(page, node, is_form));
    // Many links for each page are a menu or a list of other things.
    let linked = part(&|page, node| page.ancestors(node).take(3).any(|up| page.name(up) == "a"));
    if field.count as f64 > 3.0 * count {
        points += weights::LINKS * linked;
    }
    points
}

/// The share of the first values on the pages that are looked at that a test of their places holds for.
fn part(field: &FieldValues, documents: &[Document], holds: &dyn Fn(&Page, NodeId) -> bool) -> f64 {
    let looked = &field.firsts[..field.firsts.len().min(PAGES)];
    let count = looked
        .iter()
        .filter(|(number, _, node)| holds(&documents[*number].page, *node))
        .count();
    count as f64 / looked.len().max(1) as f64
}

fn within(page: &Page, node: NodeId, holds: impl Fn(&Page, NodeId) -> bool) -> bool {
    page.ancestors(node)
        .filter(|up| page.is_element(*up))
        .any(|up| holds(page, up))
}

fn is_form(page: &Page, up: NodeId) -> bool {
    matches!(page.name(up), "select" | "option" | "button" | "label" | "textarea")
}

/// Does a tag, class or id say that this part of the page is not about its thing?
fn is_chrome(page: &Page, up: NodeId) -> bool {
    let name = page.name(up);
    if matches!(name, "nav" | "footer" | "aside") {
        return true;
    }
    if vocabulary::is_shell(name) {
        return false;
    }
    ["id", "class", "role"].iter().any(|attribute| {
        let value = page.attribute_value(up, attribute).unwrap_or("");
        value.len() <= 200 && words(value).iter().any(|word| vocabulary::says_chrome(word))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Job, ParseSettings};

    fn shown(pages: &[String]) -> Vec<String> {
        let document = |(number, html): (usize, &String)| {
            Document::from_source(format!("{number}"), html.as_str(), &ParseSettings::default()).expect("a page")
        };
        let documents: Vec<Document> = pages.iter().enumerate().map(document).collect();
        let settings = crate::make::InferSettings {
            method: crate::make::Method::Landmarks,
            ..Default::default()
        };
        let wrapper = crate::infer(&documents, &settings, &Job::new())
            .expect("a wrapper")
            .wrapper;
        let listed = crate::fields::list(&wrapper).into_iter();
        listed.filter(|field| field.shown).map(|field| field.name).collect()
    }

    #[test]
    fn what_is_about_the_thing_comes_first_and_menus_do_not_come_at_all() {
        let names = ["Kelp", "Salt Road", "A Field Guide", "Moss"];
        let page = |number: usize| {
            let name = names[number];
            let links: String = (0..30)
                .map(|at| format!("<div><a href=/>News {at} of {}</a></div>", number * 7 + at))
                .collect();
            format!(
                "<title>{name} - Shop</title><div id=menu>{links}</div><h1>{name}</h1><table><tr><th>Code</th><td>{}</td></tr>\
                 <tr><th>Weight</th><td>{} g</td></tr></table>",
                number * 3 + 1,
                number * 20 + 5
            )
        };
        let shown = shown(&(0..4).map(page).collect::<Vec<_>>());
        assert_eq!(shown, ["title", "weight", "code"]);
    }

    /// The class of the whole page says nothing about its parts.
    #[test]
    fn a_list_of_results_is_no_menu() {
        let page = |number: usize| {
            let cells: String = (0..14)
                .map(|at| format!("<p>Cell {at} of {}</p>", number * 31 + at))
                .collect();
            format!("<div class=search><h1>Page {number}</h1>{cells}</div>")
        };
        let shown = shown(&(1..5).map(page).collect::<Vec<_>>());
        assert_eq!(shown.len(), 15, "{shown:?}");
    }

    #[test]
    fn few_fields_are_all_shown() {
        let page = |name: &str, code: usize| format!("<h1>{name}</h1><p>Code: <b>{code}</b></p>");
        assert_eq!(
            shown(&[page("Kelp", 1), page("Moss", 2), page("Fern", 3)]),
            ["title", "code"]
        );
    }
}
