//! Observes values on their pages: the words before them, whether they are links, the names of their elements.

use super::alike::{makes, parts, peers, strays};
use super::locate::{Places, Spot};
use super::{FieldProfile, Profile, Sight};
use crate::rule::paths::{tidy, value};
use page::{Kind, NodeId, Page, vocabulary};
use record::Row;
use std::cmp::Reverse;
use std::collections::HashSet;

/// How many texts away a label may be.
const REACH: usize = 6;
/// The most characters of a label.
pub const LONGEST_LABEL: usize = 60;

/// The profile of `columns` columns on one page, from the rows that were extracted from it.
pub fn gather(columns: usize, page: &Page, rows: &[Row]) -> Profile {
    Gathering::new(page).of(columns, rows, &HashSet::new())
}

/// A page that is made ready for the profiles of any number of tables on it.
pub struct Gathering<'p> {
    page: &'p Page,
    places: Places,
    sights: Sights<'p>,
}

impl<'p> Gathering<'p> {
    /// Indexes the texts of a page.
    pub fn new(page: &'p Page) -> Gathering<'p> {
        Gathering {
            page,
            places: Places::new(page),
            sights: Sights::new(page),
        }
    }

    /// The profile of a table with `columns` columns, from its rows; `written` are the shapes of its values that are known to be telling
    /// ([`Profile::written`]).
    pub fn of(&self, columns: usize, rows: &[Row], written: &HashSet<String>) -> Profile {
        profile(self.page, &self.places, &self.sights, columns, rows, written)
    }
}

fn profile(
    page: &Page,
    places: &Places,
    sights: &Sights<'_>,
    columns: usize,
    rows: &[Row],
    written: &HashSet<String>,
) -> Profile {
    let mut profile = Profile {
        fields: vec![FieldProfile::default(); columns],
        ..Profile::default()
    };
    let known: HashSet<String> = rows.iter().flatten().flatten().map(|text| tidy(text)).collect();
    let of = |field: usize| rows.iter().filter_map(move |row| row.get(field));
    let values: Vec<u64> = (0..columns)
        .map(|field| of(field).map(|values| values.len() as u64).sum())
        .collect();
    profile.add_page(rows.len() as u64, &values);
    let mut last: Vec<NodeId> = vec![NodeId::DOCUMENT; columns];
    // The places that a reader sees, and those with attributes.
    let mut found: Vec<Vec<(usize, NodeId)>> = Vec::with_capacity(rows.len());
    let mut owned: Vec<Vec<(usize, NodeId)>> = Vec::with_capacity(rows.len());
    for row in rows {
        let (mut places_of, mut owned_of) = (Vec::new(), Vec::new());
        let located = Located::new(page, places, &row[..columns.min(row.len())]);
        for (field, values) in located.values.iter().enumerate() {
            profile.fields[field].records += u64::from(!values.is_empty());
            for (text, spots) in values {
                let text = text.clone();
                let sight = match located.choose(page, spots, last[field]) {
                    Some(spot) => {
                        last[field] = spot.node;
                        profile.fields[field].whole += u64::from(spot.is_whole());
                        if !is_unseen(page, spot) {
                            places_of.push((field, spot.node));
                        }
                        if !is_in_head(page, spot) {
                            owned_of.push((field, spot.node));
                        }
                        let mut sight = sights.of(spot.node, &known);
                        if let Some(inside) = located.inside(&spot.before) {
                            sight.label = Some(inside);
                        }
                        if spots.len() > 1 && located.is_twin(field, &text) {
                            // Which of the two places belongs to which field is not known.
                            sight.label = None;
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
        found.push(places_of);
        owned.push(owned_of);
    }
    profile.parts = parts(page, &sights.seen, &found);
    profile.strays = strays(page, &sights.seen, &found, written);
    let peers = peers(page, &sights.seen, &found, columns);
    let makes = makes(page, &owned, columns);
    for (field, (peers, makes)) in profile.fields.iter_mut().zip(peers.into_iter().zip(makes)) {
        (field.peers, field.makes) = (peers, makes);
    }
    profile
}

/// A row, and the places on the page where its values may be.
struct Located {
    /// For each field its values, each with its places.
    values: Vec<Vec<(String, Vec<Spot>)>>,
    /// For each of some values that are in one place only, the elements around it, innermost first.
    anchors: Vec<Vec<NodeId>>,
}

/// The number of anchors that are used: a few tell where a row is.
const ANCHORS: usize = 3;

impl Located {
    fn new(page: &Page, places: &Places, row: &[Vec<String>]) -> Located {
        let find = |text: &String| {
            let text = tidy(text);
            let spots = places.of(&text);
            (text, spots)
        };
        let values: Vec<Vec<(String, Vec<Spot>)>> =
            row.iter().map(|values| values.iter().map(find).collect()).collect();
        let is_anchor = |spots: &&Vec<Spot>| spots.len() == 1 && !is_unseen(page, &spots[0]);
        let anchors = values.iter().flatten().map(|(_, spots)| spots).filter(is_anchor);
        let anchors = anchors.take(ANCHORS);
        Located {
            anchors: anchors.map(|spots| page.ancestors(spots[0].node).collect()).collect(),
            values,
        }
    }

    /// Chooses the place of a value that is most likely meant. Places that a reader sees are preferred to those that only
    /// programs see. Among these, those that share the smallest element with the other values of the row are preferred, then
    /// the first one after the last value of the field, because records follow each other.
    fn choose<'s>(&self, page: &Page, spots: &'s [Spot], last: NodeId) -> Option<&'s Spot> {
        // The smaller the element, the more other elements are around it.
        let shared = |node: NodeId| {
            let depth = |around: &Vec<NodeId>| {
                let outside = around.iter().position(|up| *up <= node && node < page.end(*up));
                outside.map_or(0, |outside| around.len() - outside)
            };
            self.anchors.iter().map(depth).max().unwrap_or(0)
        };
        let only = spots.len() <= 1;
        let depth = |spot: &Spot| if only { 0 } else { shared(spot.node) };
        let key = |(at, spot): &(usize, &Spot)| (is_unseen(page, spot), Reverse(depth(spot)), spot.node <= last, *at);
        spots.iter().enumerate().min_by_key(key).map(|(_, spot)| spot)
    }

    /// Has another field of the row the same value?
    fn is_twin(&self, field: usize, text: &str) -> bool {
        let others = self.values.iter().enumerate().filter(|(at, _)| *at != field);
        others.flat_map(|(_, values)| values).any(|(other, _)| other == text)
    }

    /// The label of a value that is a part of a text, from the text before it: the words after the last of the other values
    /// in it.
    fn inside(&self, before: &str) -> Option<String> {
        // Mostly there is no text before it.
        if !before.contains(char::is_alphabetic) {
            return None;
        }
        let values = self.values.iter().flatten().map(|(text, _)| text);
        let shorter = values.filter(|text| !text.is_empty() && text.len() <= before.len());
        let ends = shorter.filter_map(|text| Some(before.rfind(text.as_str())? + text.len()));
        let words = match ends.max() {
            Some(end) => before[end..]
                .trim_start_matches(|c: char| !c.is_alphabetic())
                .trim_end(),
            None => before.trim(),
        };
        let is_label = words.chars().count() <= LONGEST_LABEL && words.chars().any(char::is_alphabetic);
        is_label.then(|| words.to_owned())
    }
}

/// Is a place one that only programs see?
fn is_unseen(page: &Page, spot: &Spot) -> bool {
    page.kind(spot.node) == Kind::Attribute || is_in_head(page, spot)
}

fn is_in_head(page: &Page, spot: &Spot) -> bool {
    let heads = page.name_id("head").map_or(&[][..], |head| page.elements_named(head));
    heads
        .iter()
        .any(|head| *head < spot.node && spot.node < page.end(*head))
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
    if attribute && page.name(owner) == "a" {
        names.extend(link_words(&value(page, owner)));
    }
    names.sort();
    names.dedup();
    Sight {
        text,
        link,
        attribute,
        label: label(page, node, owner, known, seen),
        tag: match attribute {
            true => format!("@{}", page.name(node)),
            false => page.name(owner).to_owned(),
        },
        names,
    }
}

/// The sign before names that are words of the text of a link, if its address is the value. No class has such a name.
pub const SAID: char = '"';
/// A longer text of a link, in words, is a title, which says nothing about the other links of a field.
const LINK_WORDS: usize = 3;

/// The words of a link, as names of its address: "Agenda" and "Minutes" tell two links apart when their addresses do not.
fn link_words(text: &str) -> Vec<String> {
    if text.split_whitespace().count() > LINK_WORDS {
        return Vec::new();
    }
    words(text).into_iter().map(|word| format!("{SAID}{word}")).collect()
}

/// An extra name for values that occur in the page's title. No class can have this name.
pub const TITULAR: &str = "<title>";
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

/// The words that a reader would take for the label of a node: those right before it in its own table cell, else the heading
/// of its column, else the words before it.
fn label(page: &Page, node: NodeId, owner: NodeId, known: &HashSet<String>, seen: &[NodeId]) -> Option<String> {
    let Some(cell) = cell(page, owner) else {
        return before(page, node, NodeId::DOCUMENT, known, seen).map(|(words, _)| words);
    };
    // If it is not known which texts are values, any text of the cell could be one, so it must be written as a label.
    let own = before(page, node, cell, known, seen);
    let own = own.filter(|(words, text)| !known.is_empty() || words.ends_with(':') || is_marked(page, *text, cell));
    own.map(|(words, _)| words)
        .or_else(|| heading(page, cell, known))
        .or_else(|| before(page, node, NodeId::DOCUMENT, known, seen).map(|(words, _)| words))
}

/// The nearest words before a node and after `from`, with their text node.
fn before(
    page: &Page,
    node: NodeId,
    from: NodeId,
    known: &HashSet<String>,
    seen: &[NodeId],
) -> Option<(String, NodeId)> {
    let place = seen.partition_point(|text| *text < node);
    let mut steps = 0;
    for text in seen[..place].iter().rev().take_while(|text| **text > from) {
        let words = value(page, *text);
        if words.is_empty() {
            continue;
        }
        steps += 1;
        if known.contains(&words) || words.chars().count() > LONGEST_LABEL || steps > REACH {
            return None;
        }
        if words.chars().any(char::is_alphabetic) {
            return Some((words, *text));
        }
    }
    None
}

/// Is a text in an element for labels, inside `around`?
fn is_marked(page: &Page, text: NodeId, around: NodeId) -> bool {
    let mut inside = page.ancestors(text).take_while(|up| *up > around);
    inside.any(|up| vocabulary::is_label(page.name(up)))
}

/// The table cell that a node is in.
fn cell(page: &Page, node: NodeId) -> Option<NodeId> {
    let mut around = std::iter::once(node).chain(page.ancestors(node)).take(4);
    around.find(|up| page.name(*up) == "td")
}

/// The number of rows at the top of a table among which its headings are looked for.
const HEADINGS: usize = 3;

/// The heading of the column of a table cell.
fn heading(page: &Page, cell: NodeId, known: &HashSet<String>) -> Option<String> {
    let row = page.parent(cell)?;
    let place = cells(page, row).position(|child| child == cell)?;
    let table = page.ancestors(row).find(|up| page.name(*up) == "table")?;
    let rows = page.elements_named(page.name_id("tr")?);
    let above = rows[rows.partition_point(|row| *row < table)..].iter();
    let above = above.take_while(|other| **other < row).take(HEADINGS);
    let find = |above: NodeId| {
        let head = cells(page, above).nth(place)?;
        let words = value(page, head);
        let is_short = !words.is_empty() && words.chars().count() <= LONGEST_LABEL;
        (is_short && is_heading(page, above, head, &words, row, known)).then_some(words)
    };
    // Where headings have headings, those with a cell for each column are meant.
    let count = cells(page, row).count();
    let (same, others): (Vec<NodeId>, Vec<NodeId>) = above.partition(|above| cells(page, **above).count() == count);
    same.into_iter().chain(others).find_map(find)
}

fn cells(page: &Page, row: NodeId) -> impl Iterator<Item = NodeId> {
    page.children(row).filter(|child| page.is_element(*child))
}

/// Is a cell of the row `above` the heading of its column? A cell with a value in it is not, whatever its markup: pages write
/// labels next to values in bold, too.
fn is_heading(page: &Page, above: NodeId, head: NodeId, words: &str, row: NodeId, known: &HashSet<String>) -> bool {
    let has_value = |cell: NodeId| {
        let inside = page.texts().partition_point(|text| *text < cell);
        let texts = page.texts()[inside..].iter().take_while(|text| **text < page.end(cell));
        let mut texts = texts.map(|text| value(page, *text));
        texts.any(|text| known.contains(&text)) || known.contains(&value(page, cell))
    };
    if has_value(head) {
        return false;
    }
    let is_wordy = !words.chars().any(char::is_numeric) && words.chars().any(char::is_alphabetic);
    let in_head = page.parent(above).is_some_and(|up| page.name(up) == "thead");
    let is_bold = page.children(head).any(|child| vocabulary::is_label(page.name(child)));
    if page.name(head) == "th" || in_head || is_bold && is_wordy || is_wrapped(page, head, words) {
        return true;
    }
    // A row of plain cells is one of headings if it has no value at all, and as many cells as the rows with values.
    let is_plain = |cell: NodeId| !has_value(cell) && page.text_range(cell).len() <= LONGEST_LABEL;
    !known.is_empty()
        && is_wordy
        && cells(page, above).count() == cells(page, row).count()
        && cells(page, above).all(is_plain)
}

/// Is all of the text of an element in an element for labels?
fn is_wrapped(page: &Page, element: NodeId, words: &str) -> bool {
    let inner = |around: &NodeId| {
        let mut inside = page.children(*around).filter(|child| page.is_element(*child));
        inside.find(|child| value(page, *child) == words)
    };
    let mut inside = std::iter::successors(inner(&element), inner).take(4);
    inside.any(|child| vocabulary::is_label(page.name(child)))
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

    #[test]
    fn an_address_has_the_words_of_its_link() {
        let html = "<p class=files><a href=/a.pdf>Agenda</a> <a href=/m.pdf>Minutes (PDF)</a> \
                    <a href=/x>A title of some more words</a></p>";
        let page = Page::parse_str(html, &page::Limits::default()).expect("a page");
        let places = Places::new(&page);
        let sights = Sights::new(&page);
        let names = |text: &str| sights.of(places.of(text)[0].node, &HashSet::new()).names;
        assert_eq!(names("/a.pdf"), ["\"agenda", "file"]);
        assert_eq!(names("/m.pdf"), ["\"minute", "\"pdf", "file"]);
        assert_eq!(names("/x"), ["file"]);
        // The text itself has no such names.
        assert_eq!(names("Agenda"), ["file"]);
    }

    /// The labels of all values of each field, given the rows of a page.
    fn labels(html: &str, rows: &[&[&str]]) -> Vec<Vec<(String, u64)>> {
        let page = Page::parse_str(html, &page::Limits::default()).expect("a page");
        let rows: Vec<Row> = rows
            .iter()
            .map(|row| row.iter().map(|text| vec![(*text).to_owned()]).collect())
            .collect();
        let profile = gather(rows[0].len(), &page, &rows);
        let fields = profile.fields.into_iter();
        fields.map(|field| field.labels.into_iter().collect()).collect()
    }

    fn only(label: &str, count: u64) -> Vec<(String, u64)> {
        vec![(label.to_owned(), count)]
    }

    #[test]
    fn words_in_a_cell_are_before_the_first_row() {
        let row = |dvd: &str, vhs: &str| format!("<tr><td><b>DVD</b> <i>{dvd}</i><td><b>VHS</b> <i>{vhs}</i></tr>");
        let html = format!(
            "<table>{}{}{}</table>",
            row("$5", "$4"),
            row("$7", "$6"),
            row("$9", "$8")
        );
        let found = labels(&html, &[&["$5", "$4"], &["$7", "$6"], &["$9", "$8"]]);
        assert_eq!(found, [only("DVD", 3), only("VHS", 3)]);
    }

    #[test]
    fn headings_without_markup() {
        let rows = "<tr><td>May Morning<td>$5<td>$4</tr><tr><td>Blow Up<td>$7<td>$6</tr>";
        for head in [
            "<tr><td>Title<td>DVD<td>VHS</tr>",
            "<thead><tr><td>Title<td>DVD<td>VHS</tr></thead>",
            "<tr><td><font><b>Title</b></font><td><font><b>DVD</b></font><td><font><b>VHS</b></font></tr>",
            "<tr><td colspan=3>Videos</tr><tr><th>Title<th>DVD<th>VHS</tr>",
            "<tr><th>About<th colspan=2>Prices</tr><tr><th>Title<th>DVD<th>VHS</tr>",
        ] {
            let html = format!("<table>{head}{rows}</table>");
            let found = labels(&html, &[&["May Morning", "$5", "$4"], &["Blow Up", "$7", "$6"]]);
            assert_eq!(found[1..], [only("DVD", 2), only("VHS", 2)], "{head}");
        }
    }

    #[test]
    fn words_after_another_value_of_the_same_text() {
        let html = "<ul><li>DVD from $13.59, VHS from $8.99<li>DVD from $15.00, VHS from $7.25</ul>";
        let found = labels(html, &[&["$13.59", "$8.99"], &["$15.00", "$7.25"]]);
        assert_eq!(found, [only("DVD from", 2), only("VHS from", 2)]);
    }

    #[test]
    fn equal_values_are_found_in_their_own_row() {
        let row = |name: &str, a: &str, b: &str| format!("<tr><td>{name}<td>List: <i>{a}</i><td>Our: <i>{b}</i></tr>");
        // The price of the second row is also the other price of the first one.
        let html = format!("<table>{}{}</table>", row("Kelp", "$9", "$5"), row("Salt", "$5", "$3"));
        let found = labels(&html, &[&["Kelp", "$9", "$5"], &["Salt", "$5", "$3"]]);
        assert_eq!(found[1..], [only("List:", 2), only("Our:", 2)]);
        // If both prices of a row are the same, nothing tells which is which.
        let html = format!("<table>{}{}</table>", row("Kelp", "$9", "$9"), row("Salt", "$5", "$3"));
        let found = labels(&html, &[&["Kelp", "$9", "$9"], &["Salt", "$5", "$3"]]);
        assert_eq!(found[1..], [only("List:", 1), only("Our:", 1)]);
    }
}
