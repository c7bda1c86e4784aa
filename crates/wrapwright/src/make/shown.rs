//! Which fields of an inferred wrapper are shown, and in which order.
//!
//! A template has many places that vary: headlines, counters, adverts, links to other things. Nobody wants all of them. **In**: an
//! inferred wrapper and its pages. **Out**: the fields that tell something about the thing that a page is about, those that tell most
//! first; the others stay in the wrapper and can be shown again.
//!
//! Not shown in any case: second forms of other fields (`_all`, `_mentions`), labels, fields without values. A wrapper with few fields
//! shows all others. Else each field gets points (`weights`) for being what the page calls itself, for its label, for a name or a kind of
//! value that people ask for, for varying from page to page, for being on most pages, for being said in the page's own title, description
//! or structured data, and for being a column of the main list of a template; and loses some for being in the head, in a form, or in
//! a part of the page that its tags or classes call navigation, advertising or the like, and for being one of many links.
//!
//! **Cost**: one extraction from each page, and a look at the elements around the first value of each field.
//!
//! Where a column of a list of a template is shown, its other columns are shown, too.
//!
//! Known failures: parts of a page that only their looks tell to be navigation; a field that varies rarely and has no label.

use super::values::{FieldValues, values};
use super::wanted::synonyms;
use crate::record::values::{Kind, kinds};
use crate::{Document, Page, Wrapper};
use page::titles::plain;
use page::{NodeId, vocabulary};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use wrapper::Rule;
use wrapper::profile::words;

/// With at most this many fields, all of them are shown.
const FEW: usize = 12;
/// A column of a list that says the same in at least this many rows tells nothing.
const ROWS: u64 = 5;
/// More fields without a label are not shown; of very many fields, not more than one in [`ONE_IN`], and not more than [`MOST_LISTED`].
const MOST: usize = 25;
const ONE_IN: usize = 4;
/// The same for the lists of a template: pages that are lists have several, and which one is meant is not known.
const MOST_LISTED: usize = 60;
/// More fields are not shown in any case. Those with labels are what a page says about its thing.
const MOST_OF_ALL: usize = 100;
/// At this many fields after the name of the thing, being near it counts for little; what is before it counts as if it were so far
/// behind it.
const FAR: f64 = 60.0;
const BEFORE: usize = 60;
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
    /// It has the name of several others: for each of them that is before it, up to a limit.
    pub(super) const AGAIN: f64 = -0.15;
    pub(super) const AGAIN_MOST: f64 = -0.6;
    /// Nothing names it.
    pub(super) const NAMELESS: f64 = -0.2;
    /// It is in the items of a list, which are mostly other things.
    pub(super) const INSIDE: f64 = -0.35;
    /// The page says it about itself, too: in its title, its description, its keywords or its structured data.
    pub(super) const MENTIONED: f64 = 0.6;
    /// It repeats the name of the thing with other words, or another field.
    pub(super) const REPEATS: f64 = -1.0;
    /// Structured data is about the thing, but readers do without it.
    pub(super) const DATA: f64 = 0.2;
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
    /// It is a field of the main list: whoever wants the rows of a table wants all of their columns.
    pub(super) const LIST: f64 = 1.0;
}

/// The fields to show, those that tell most first; `None` to show all.
pub(super) fn choose(wrapper: &Wrapper, documents: &[Document]) -> Option<Vec<String>> {
    let fields = values(wrapper, documents);
    let labels = labels(wrapper);
    // The lists of a template are what its pages are about; those of other rules are mostly other things.
    let is_listed = matches!(wrapper.rule, Rule::Template(_));
    // What most rows of a list say without a label is a button or the like, if it is no cell. What few of them say (*Cancelled*) tells something.
    let most = fields.iter().map(|field| field.known.0).max().unwrap_or(0);
    let is_same = |field: &FieldValues| {
        let is_labelled = labels.get(&field.name).is_some_and(|labels| !labels.is_empty());
        let is_often = field.known.0 >= ROWS && field.known.0 * 2 > most;
        let is_one = !is_listed && is_often && field.known.1 == 1 && !is_labelled;
        is_one && !is_cell(field, documents)
    };
    let is_fine =
        |field: &&FieldValues| !field.is_twin && !field.is_label() && !field.firsts.is_empty() && !is_same(field);
    let mut kept: Vec<&FieldValues> = fields.iter().filter(is_fine).collect();
    if kept.is_empty() {
        return None;
    }
    if kept.len() > FEW {
        let list = main_list(&kept, documents.len()).filter(|_| is_listed);
        let titled = kept
            .iter()
            .position(|field| matches!(field.name.as_str(), "title" | "name"));
        // A word around the name of the thing, or around most fields, is about the whole page, such as the class `search` of a
        // list of results.
        let is_within = |page: &Page, node: NodeId| within(page, node, is_chrome);
        let chromes: Vec<f64> = kept.iter().map(|field| part(field, documents, &is_within)).collect();
        let all = chromes.iter().sum::<f64>() / chromes.len() as f64;
        let tells = titled.map_or(all, |titled| chromes[titled]) < 0.5;
        let main = titled.map(|titled| kept[titled]);
        let copies = copies(&kept, main);
        let heads: Vec<String> = documents.iter().map(|document| head(&document.page)).collect();
        let score = |(at, field): (usize, &&FieldValues)| {
            let repeats = main.map_or(0.0, |main| repeats(field, main)).max(copies[at]);
            let label = labels.get(&field.name).map(Vec::as_slice).unwrap_or_default();
            // What is before the name of the thing is mostly a menu.
            let far = titled.map_or(at, |titled| {
                at.checked_sub(titled).unwrap_or_else(|| BEFORE + titled - at)
            });
            // What the page says about itself is about its thing, wherever it is.
            let mentioned = mentioned(field, &heads) * (1.0 - repeats);
            let chrome = chromes[at] * f64::from(u8::from(tells)) * (1.0 - mentioned);
            let near = weights::NEAR * (-(far as f64) / FAR).exp();
            let listed = weights::LIST * f64::from(u8::from(list.is_some() && list_of(&field.name) == list));
            let inside = weights::INSIDE * f64::from(u8::from(!is_listed && field.name.contains('.')));
            let own = weights::CHROME * chrome + weights::REPEATS * repeats + weights::MENTIONED * mentioned;
            points(field, documents, label) + near + own + listed + inside
        };
        let mut scored: Vec<(f64, usize)> = kept.iter().enumerate().map(|pair| (score(pair), pair.0)).collect();
        scored.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let enough = scored.iter().filter(|(points, _)| *points >= LEAST).count();
        let most = if is_listed { MOST_LISTED } else { MOST };
        let most = most.max((fields.len() / ONE_IN).min(MOST_LISTED));
        // Where no field has enough, the best ones are all that there is.
        let first = if enough == 0 { most } else { enough.min(most) }.min(scored.len());
        let rest = scored.split_off(first);
        if is_listed {
            whole_rows(&kept, &mut scored, rest, most);
        } else {
            let is_labelled = |at: usize| labels.get(&kept[at].name).is_some_and(|labels| !labels.is_empty());
            let others = rest
                .into_iter()
                .filter(|(points, at)| *points >= LEAST && is_labelled(*at));
            scored.extend(others.take(MOST_OF_ALL.saturating_sub(first)));
        }
        let link = kept.iter().copied().find(|field| field.name == "link");
        kept = scored.into_iter().map(|(_, at)| kept[at]).collect();
        // Whoever has a list wants to know where its items lead to.
        let is_list = matches!(&wrapper.rule, Rule::Paths(paths) if !paths.each.is_empty());
        if let Some(link) = link.filter(|_| is_list) {
            kept.retain(|field| field.name != link.name);
            kept.insert(kept.len().min(1), link);
        }
    }
    if kept.len() == fields.len() && fields.len() <= FEW {
        return None;
    }
    Some(kept.into_iter().map(|field| field.name.clone()).collect())
}

/// Is the first value a plain text in a cell of a table, a line of its own without a colon, or the last text of what is around it? Others are labels of what is after
/// them.
fn is_cell(field: &FieldValues, documents: &[Document]) -> bool {
    let Some((number, _, node)) = field.firsts.first() else {
        return false;
    };
    let page = &documents[*number].page;
    let around = || std::iter::once(*node).chain(page.ancestors(*node));
    if around().any(|up| page.name(up) == "a" || is_form(page, up)) {
        return false;
    }
    let said = page.string_value(*node).trim();
    // All of its text may be a link in it.
    let mut inside = (node.0 + 1..page.end(*node).0).map(NodeId);
    if inside.any(|inner| page.name(inner) == "a" && page.string_value(inner).trim() == said) {
        return false;
    }
    let alone = around().take_while(|up| page.string_value(*up).trim() == said).last();
    let top = alone.unwrap_or(*node);
    if around()
        .take_while(|up| *up >= top)
        .any(|up| matches!(page.name(up), "td" | "th"))
    {
        return true;
    }
    let beside = || page.parent(top).into_iter().flat_map(|parent| page.children(parent));
    let seen = |other: &NodeId| page.name(*other) == "br" || !page.string_value(*other).trim().is_empty();
    let before = beside().take_while(|other| *other < top).filter(seen).last();
    let after = beside().find(|other| *other > top && seen(other));
    let is_break = |other: Option<NodeId>| other.is_some_and(|other| page.name(other) == "br");
    let is_line = is_break(before) && is_break(after) && !said.ends_with(':');
    is_line || after.is_none()
}

/// Adds the other columns of lists of which a column is shown: half a row is of little use.
fn whole_rows(fields: &[&FieldValues], shown: &mut Vec<(f64, usize)>, rest: Vec<(f64, usize)>, most: usize) {
    let list = |at: &(f64, usize)| list_of(&fields[at.1].name);
    let lists: BTreeSet<&str> = shown.iter().filter_map(list).collect();
    let others = rest
        .into_iter()
        .filter(|at| list(at).is_some_and(|list| lists.contains(list)));
    let room = most.saturating_sub(shown.len());
    shown.extend(others.take(room));
}

/// The outermost list that a field belongs to, if it is in one.
fn list_of(name: &str) -> Option<&str> {
    name.split_once('.').map(|(list, _)| list)
}

/// The list with the most values that are not the same on all pages, if it has several records a page.
fn main_list<'f>(fields: &[&'f FieldValues], pages: usize) -> Option<&'f str> {
    let mut counts: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for field in fields.iter().filter(|field| !field.is_constant()) {
        if let Some(list) = list_of(&field.name) {
            let (most, all) = counts.entry(list).or_default();
            *most = (*most).max(field.count);
            *all += field.count;
        }
    }
    let (list, (most, _)) = counts.into_iter().max_by_key(|(_, (_, all))| *all)?;
    (most >= 2 * pages).then_some(list)
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
    if matches!(field.name.as_str(), "title" | "name") {
        points += weights::TITLE;
    }
    // What few pages have says little, however it is called.
    let coverage = count / documents.len().max(1) as f64;
    if !labels.is_empty() {
        points += weights::LABEL * coverage;
    }
    let last = field.name.rsplit('.').next().unwrap_or(&field.name);
    let called: Vec<Vec<String>> = std::iter::once(last)
        .chain(labels.iter().map(String::as_str))
        .map(words)
        .collect();
    if synonyms::is_asked_for(&called, |concept| field.share(|text| synonyms::is_value(concept, text))) {
        points += weights::ASKED * coverage;
    }
    let number = last.rsplit('_').next().and_then(|end| end.parse::<u32>().ok());
    if last.starts_with("field_") {
        points += weights::NAMELESS;
    } else if let Some(number) = number.filter(|number| *number > 1) {
        points += (weights::AGAIN * f64::from(number - 1)).max(weights::AGAIN_MOST);
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
    points += weights::KIND * field.share(is_kind) * coverage;
    points += weights::VARIES * field.different as f64 / count;
    points += weights::COVERS * coverage;
    if field.is_constant() {
        points += weights::CONSTANT;
    }
    if field.is_data {
        points += weights::DATA;
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

/// What a page says about itself where readers do not see it, as plain words with a space on both sides.
fn head(page: &Page) -> String {
    let mut said = String::new();
    for &node in page.elements() {
        match page.name(node) {
            "body" => break,
            "title" => said.push_str(&plain(page.string_value(node))),
            "meta" => said.push_str(&plain(page.attribute_value(node, "content").unwrap_or(""))),
            _ => continue,
        }
        said.push(' ');
        if said.len() > LONGEST_HEAD {
            break;
        }
    }
    format!(" {said}")
}

/// The share of pages that say a field's value about themselves, for values that differ from page to page: what all pages say is about the
/// site. Short words and numbers are there by chance.
fn mentioned(field: &FieldValues, heads: &[String]) -> f64 {
    if field.is_data {
        return 0.0;
    }
    if !field.keys.is_empty() {
        return 1.0;
    }
    let is_said = |(number, text, _): &&(usize, String, NodeId)| {
        let text = plain(text);
        let tells = text.len() >= TELLING && text.chars().any(char::is_alphabetic);
        tells && heads[*number].contains(&format!(" {text} "))
    };
    let count = field.firsts.len().max(1) as f64;
    let said = field.firsts.iter().filter(is_said).count() as f64 / count;
    let varies = (2.0 * field.different as f64 / count).min(1.0);
    if field.is_constant() { 0.0 } else { said * varies }
}

/// A shorter text, in bytes, is in a description by chance.
const TELLING: usize = 4;
/// More of a head is not looked at.
const LONGEST_HEAD: usize = 20_000;

/// A longer text around the name of the thing, in bytes, says something of its own.
const AROUND: usize = 40;

/// The share of pages on which a field says the name of the thing and little more, the same on most pages: `Reviews of Kelp`. What differs from
/// page to page says something: `Ann Day 14`.
fn repeats(field: &FieldValues, main: &FieldValues) -> f64 {
    let names: HashMap<usize, String> = main
        .firsts
        .iter()
        .map(|(number, text, _)| (*number, plain(text)))
        .collect();
    let around = |(number, text, _): &(usize, String, NodeId)| {
        let text = plain(text);
        let (before, after) = text.split_once(names.get(number)?.as_str())?;
        let around = format!("{before}|{after}");
        (2..=AROUND + 1).contains(&around.len()).then_some(around)
    };
    let mut times: HashMap<String, usize> = HashMap::new();
    let mut count = 0;
    for around in field.firsts.iter().filter_map(around) {
        *times.entry(around).or_default() += 1;
        count += 1;
    }
    // One page does not tell what differs from page to page.
    let most = times.values().max().copied().unwrap_or(0);
    match count > 1 && most * 2 > count {
        true => count as f64 / field.firsts.len().max(1) as f64,
        false => 0.0,
    }
}

/// For each field, whether the name of the thing or a field before it says the same on nearly all of its pages.
fn copies(fields: &[&FieldValues], main: Option<&FieldValues>) -> Vec<f64> {
    let said = |field: &FieldValues| -> HashMap<usize, String> {
        let each = field.firsts.iter().map(|(number, text, _)| (*number, plain(text)));
        each.collect()
    };
    let mut known: Vec<HashMap<usize, String>> = main.map(said).into_iter().collect();
    let copy = |field: &&FieldValues| {
        let mine = said(field);
        let is_same = |other: &HashMap<usize, String>| {
            let same = mine
                .iter()
                .filter(|(number, text)| other.get(number) == Some(text))
                .count();
            same as f64 >= SAME * mine.len() as f64
        };
        let is_main = main.is_some_and(|main| main.name == field.name);
        let is_copy = !is_main && known.iter().any(is_same);
        known.push(mine);
        f64::from(u8::from(is_copy))
    };
    fields.iter().map(copy).collect()
}

/// The share of pages on which a copy says the same.
const SAME: f64 = 0.9;

/// The share of the first values on the pages that are looked at that a test of their places holds for. Structured data has no place
/// that tells something.
fn part(field: &FieldValues, documents: &[Document], holds: &dyn Fn(&Page, NodeId) -> bool) -> f64 {
    if field.is_data {
        return 0.0;
    }
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
        shown_by(crate::make::Method::Landmarks, pages)
    }

    fn shown_by(method: crate::make::Method, pages: &[String]) -> Vec<String> {
        shown_of(&inferred(method, pages).0)
    }

    fn shown_of(wrapper: &Wrapper) -> Vec<String> {
        let listed = crate::fields::list(wrapper).into_iter();
        listed.filter(|field| field.shown).map(|field| field.name).collect()
    }

    fn inferred(method: crate::make::Method, pages: &[String]) -> (Wrapper, Vec<Document>) {
        let document = |(number, html): (usize, &String)| {
            Document::from_source(format!("{number}"), html.as_str(), &ParseSettings::default()).expect("a page")
        };
        let documents: Vec<Document> = pages.iter().enumerate().map(document).collect();
        let settings = crate::make::InferSettings {
            method,
            ..Default::default()
        };
        let made = crate::infer(&documents, &settings, &Job::new()).expect("a wrapper");
        (made.wrapper, documents)
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

    /// What few records of a list say is shown, also if it is always the same.
    #[test]
    fn a_word_that_few_records_have_is_shown() {
        let row = |number: usize| {
            let flag = if number.is_multiple_of(4) {
                " <em>Cancelled</em>"
            } else {
                ""
            };
            let day = number % 28 + 1;
            format!(
                "<li><a href=/{number}>Meeting {number} of the board</a> <b>May {day}, 2019</b>{flag} <span>Room {day}</span></li>"
            )
        };
        let rows: String = (0..24).map(row).collect();
        let shown = shown_by(
            crate::make::Method::Regions,
            &[format!("<h1>Meetings</h1><ul>{rows}</ul>")],
        );
        // The fourth text of a record.
        assert!(shown.iter().any(|name| name == "field_4"), "{shown:?}");
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

    /// All texts of a group are a second form; a field that is only called so is none.
    #[test]
    fn a_name_does_not_make_a_second_form() {
        let page = |number: usize| {
            let items: String = (0..2 + number)
                .map(|at| format!("<li>Part {at} of {number}</li>"))
                .collect();
            format!(
                "<title>Thing {number}</title><h1>Thing {number}</h1><p>Over all: <b>{} g</b></p><ul>{items}</ul>",
                number + 40
            )
        };
        let pages: Vec<String> = (1..5).map(page).collect();
        let shown = shown(&pages);
        assert!(shown.iter().any(|name| name == "over_all"), "{shown:?}");
    }

    /// Without a label, a class or a kind, but the page says it about itself: it comes before other texts of the page.
    #[test]
    fn what_a_page_says_about_itself_comes_first() {
        let names = ["Kelp", "Salt Road", "A Field Guide", "Moss"];
        let towns = ["Tampere", "Kotka", "Oulu City", "Vaasa"];
        let page = |number: usize| {
            let (name, town) = (names[number], towns[number]);
            let others: String = (0..40)
                .map(|at| format!("<p>Line {at} of {}</p>", number * 31 + at))
                .collect();
            format!(
                "<title>{name} - Shop</title><meta name=description content='{name} from {town}, sent by us'>\
                 <h1>{name}</h1>{others}<p>{town}</p>"
            )
        };
        let pages: Vec<String> = (0..4).map(page).collect();
        let (wrapper, documents) = inferred(crate::make::Method::Landmarks, &pages);
        let shown = shown_of(&wrapper);
        assert_eq!(shown.len(), MOST, "{shown:?}");
        let record = wrapper.extract(&documents[1]).expect("a record").remove(0);
        assert_eq!(record.get(&shown[1]), Some("Kotka"), "{shown:?}");
    }

    #[test]
    fn all_columns_of_the_main_list_are_shown() {
        let page = |number: usize| {
            let row = |row: usize| {
                let own = 10 * number + row;
                format!(
                    "<tr><td><a href=/p{own}>Name {own} N</a></td><td>May {}, 2019</td><td>Open</td></tr>",
                    row + 1
                )
            };
            let rows: String = (0..4 + number).map(row).collect();
            let other: String = (0..14)
                .map(|at| format!("<p>Line {at}: <b>{}</b></p>", number * 31 + at))
                .collect();
            format!("<form><h1>Cases</h1><table><tr><th>Case<th>Day<th>State</tr>{rows}</table></form>{other}")
        };
        let shown = shown_by(crate::make::Method::Exalg, &(0..4).map(page).collect::<Vec<_>>());
        for column in ["case", "day", "state"] {
            assert!(shown.iter().any(|name| name.ends_with(column)), "{column}: {shown:?}");
        }
    }

    #[test]
    fn a_cell_that_says_the_same_in_each_row_is_shown_and_a_button_is_not() {
        let row = |(at, name): (usize, &&str)| {
            format!("<tr><td>{name}</td><td>Open</td><td>{at}.50</td><td><a href=/buy>Buy now</a></td></tr>")
        };
        let names = ["Kelp", "Moss", "Fern", "Reed", "Sedge", "Lichen"];
        let rows: String = names.iter().enumerate().map(row).collect();
        let page = format!("<h1>Plants</h1><table>{rows}</table>");
        let settings = crate::make::InferSettings::default();
        let document = Document::from_source("a", page.as_str(), &ParseSettings::default()).expect("a page");
        let wrapper = crate::infer(std::slice::from_ref(&document), &settings, &Job::new())
            .expect("a wrapper")
            .wrapper;
        let records = wrapper.extract(&document).expect("records");
        let said = format!("{:?}", records[2]);
        assert!(said.contains("Open") && said.contains("2.50"), "{said}");
        assert!(!said.contains("Buy now"), "{said}");
    }

    /// Pages about people with so many facts in a table.
    fn people(facts: usize) -> Vec<String> {
        let words = ["amber", "basin", "cedar", "delta", "ember", "fjord"];
        let page = |(number, name): (usize, &str)| {
            let fact = |at: usize| {
                let value = number * 31 + at * 7;
                format!("<tr><th>{} {}</th><td>{value}</td></tr>", words[at % 6], words[at / 6])
            };
            let rows: String = (0..facts).map(fact).collect();
            let back = number * 11 + 3;
            format!(
                "<title>{name}</title><h1>{name}</h1><p>News of {name}</p><p>{name} {back}</p><table>{rows}</table>"
            )
        };
        let names = ["Ann Day", "Bo Reed", "Cy Marsh", "Dee Holt", "Eve Lund"];
        names.into_iter().enumerate().map(page).collect()
    }

    #[test]
    fn facts_with_labels_are_shown_however_many_there_are() {
        let shown = shown(&people(30));
        assert_eq!(shown.len(), 31, "{shown:?}");
        assert!(shown.contains(&"fjord_ember".to_owned()), "{shown:?}");
    }

    #[test]
    fn the_link_of_a_record_comes_after_its_title() {
        let card = |at: usize| {
            let fact =
                |(number, letter): (usize, char)| format!("<div><b>{letter}ord:</b> {} cm</div>", at * 13 + number);
            let facts: String = ('A'..='N').enumerate().map(fact).collect();
            format!("<li><h3><a href=/item/{at}>Lamp {at} of the shore</a></h3>{facts}</li>")
        };
        let page = format!("<ul>{}</ul>", (1..9).map(card).collect::<String>());
        let shown = shown_by(crate::make::Method::Auto, &[page]);
        assert_eq!(shown[..2], ["title", "link"], "{shown:?}");
        assert_eq!(shown.len(), 16, "{shown:?}");
    }

    /// The name of the thing with the same words on all pages says nothing more; with others it does.
    #[test]
    fn a_name_with_a_number_is_shown() {
        let (wrapper, documents) = inferred(crate::make::Method::Landmarks, &people(14));
        let said = format!("{:?}", wrapper.extract(&documents[1]).expect("a record"));
        assert!(said.contains("Bo Reed 14"), "{said}");
        assert!(!said.contains("News of"), "{said}");
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
