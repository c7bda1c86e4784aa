//! The other records of the lists that a few records are given of.
//!
//! If one or two records of a page are given, or some of a list that goes on, all records like them are meant: elements in the same
//! place of the structure in which most fields find something. Three things decide at the edges:
//!
//! 1. Rows that are labelled each in its own way are parts of one record (`labels`).
//! 2. A record between two others, or one with the class of others, may lack fields (`with_partial`), if it has the same parts as others and
//!    what it says is written as in the examples. The names of columns (`is_heading`) and headings of groups are not records.
//! 3. If a record is one link, links such as `Similar pages` that follow it in each row are not records (`without_captions`).
//!
//! **Cost**: each field is looked for once in each element in the same place.
//!
//! Known failures: adverts that are built like the records around them; a record without a field and without a class at either end of the list.

use super::alone;
use super::found::Found;
use super::records::{FEW, LEAST_REST, UNLINKED};
use super::{Lesson, lists, unseen};
use page::{NodeId, Page};
use std::collections::{BTreeSet, HashMap, HashSet};
use wrapper::rule::paths::{PathValue, Paths, PathsRun, value};

/// If an example gives one record of a list, all records like it are meant: elements in the same place of the structure
/// in which most fields find something, unless the labels of a single example are its own. Examples may be of several lists.
pub(super) fn with_similar(
    (lessons, found, names): (&[Lesson<'_>], &[Found], &[&str]),
    contexts: Vec<Vec<Option<NodeId>>>,
    rule: &Paths,
) -> Vec<Vec<Option<NodeId>>> {
    let Ok(run) = PathsRun::new(rule) else { return contexts };
    let is_whole = |(lesson, contexts): (&Lesson<'_>, &Vec<Option<NodeId>>)| {
        let given: Vec<NodeId> = contexts.iter().flatten().copied().collect();
        given.len() > FEW && !is_part(lesson.page, &given, &run, rule.fields.len())
    };
    if lessons.iter().zip(&contexts).any(is_whole) {
        return contexts;
    }
    let way = |page: &'_ Page, node: NodeId| -> Vec<String> { alone::way(page, node).map(str::to_owned).collect() };
    let wide = |((lesson, found), contexts): ((&Lesson<'_>, &Found), Vec<Option<NodeId>>)| {
        let given: Vec<NodeId> = contexts.iter().flatten().copied().collect();
        if given.is_empty() || given.iter().any(|node| !lesson.page.is_element(*node)) {
            return contexts;
        }
        // What is found because it is not a link may be the name of a column.
        let fields = |node: NodeId| {
            let is_found = |field: &usize| {
                let found = run.field(lesson.page, node, *field);
                let path = |value: &PathValue| rule.fields[*field].ways[value.way].path.as_str();
                found.iter().any(|value| !path(value).ends_with(UNLINKED))
            };
            (0..rule.fields.len()).filter(is_found).count()
        };
        let usual = given.iter().map(|node| fields(*node)).max().unwrap_or(0);
        let places: BTreeSet<Vec<String>> = given.iter().map(|node| way(lesson.page, *node)).collect();
        let in_place = lesson.page.elements().iter().copied().filter(|node| {
            let name = lesson.page.name(*node);
            given.contains(node)
                || (usual > 1
                    && places.iter().any(|place| name == place[0])
                    && places.contains(&way(lesson.page, *node)))
        });
        let in_place: Vec<NodeId> = in_place.collect();
        let is_full: Vec<bool> = in_place
            .iter()
            .map(|node| given.contains(node) || fields(*node) * 3 >= usual * 2 && !is_heading(lesson, &run, *node))
            .collect();
        let mut similar = with_partial(lesson, &run, (rule.fields.len(), usual), (&in_place, &is_full));
        if is_one_text(rule) {
            without_captions(lesson.page, &given, &mut similar);
        }
        // Rows with labels of their own are parts of one record.
        let is_one = match (&given[..], &found.spots[..]) {
            ([own], [fields]) => alone::has_own_labels(lesson.page, fields, names, (*own, &similar)),
            _ => false,
        };
        match is_one {
            true => contexts,
            false => similar.into_iter().map(Some).collect(),
        }
    };
    lessons.iter().zip(found).zip(contexts).map(wide).collect()
}

/// Are all fields of a record its text and its attributes?
fn is_one_text(rule: &Paths) -> bool {
    let mut ways = rule.fields.iter().filter_map(|field| field.ways.first());
    ways.all(|way| way.path == "." || way.path.starts_with('@'))
}

/// Leaves out links such as `Similar pages`, which follow another one in the same element, and say the same in several records.
fn without_captions(page: &Page, given: &[NodeId], similar: &mut Vec<NodeId>) {
    let mut firsts: HashMap<Option<NodeId>, NodeId> = HashMap::new();
    for node in similar.iter() {
        firsts.entry(page.parent(*node)).or_insert(*node);
    }
    let is_first = |node: NodeId| firsts.get(&page.parent(node)) == Some(&node);
    let mut counts: HashMap<String, usize> = HashMap::new();
    for node in similar.iter() {
        *counts.entry(value(page, *node)).or_default() += 1;
    }
    let is_caption = |node: NodeId| {
        counts
            .get(&value(page, node))
            .is_some_and(|count| *count >= alone::LEAST)
    };
    if given.iter().all(|node| is_first(*node) && !is_caption(*node)) {
        similar.retain(|node| given.contains(node) || is_first(*node) || !is_caption(*node));
    }
}

/// The full records of a page, and those with parts of the same names whose values are not links, or which lack fields: with the class of full ones, or between two of
/// them and with at least half of the fields, each written as in the examples. The names of columns and headings of groups are no records.
fn with_partial(
    lesson: &Lesson<'_>,
    run: &PathsRun,
    (fields, usual): (usize, usize),
    (in_place, is_full): (&[NodeId], &[bool]),
) -> Vec<NodeId> {
    let page = lesson.page;
    let parts = |node: NodeId| -> Vec<&str> {
        let parts = page.children(node).filter(|child| page.is_element(*child));
        parts.map(|part| page.name(part)).collect()
    };
    let full = || {
        in_place
            .iter()
            .zip(is_full)
            .filter(|(_, full)| **full)
            .map(|(node, _)| *node)
    };
    let shapes: HashSet<Vec<&str>> = full().map(parts).collect();
    let classes: HashSet<&str> = full().filter_map(|node| marks(page, node)).collect();
    let is_like = |value: &PathValue| {
        let texts = lesson.records.iter().filter_map(|record| record.get(value.field));
        texts
            .flatten()
            .any(|text| unseen::alike(&value.text, text) >= unseen::LIKE)
    };
    let is_partial = |node: NodeId, ends: &HashMap<Option<NodeId>, (NodeId, NodeId)>| {
        let found: Vec<PathValue> = (0..fields).flat_map(|field| run.field(page, node, field)).collect();
        let count = found.iter().map(|value| value.field).collect::<BTreeSet<_>>().len();
        let ends = ends.get(&page.parent(node));
        // With values that are not links where those of others are: the names of columns are before the records.
        let is_after = ends.is_some_and(|(first, _)| *first < node);
        let is_full = count * 3 >= usual * 2 && (is_after || found.iter().all(is_like));
        let is_between = ends.is_some_and(|(first, last)| *first < node && node < *last);
        let is_marked = || marks(page, node).is_some_and(|marks| classes.contains(&marks));
        // One value is too little at the ends: a link to all records has that, too.
        let is_enough = match is_between {
            true => count * 2 >= fields || count > 0 && is_marked(),
            false => count > 1 && is_marked(),
        };
        let is_lacking = is_enough && found.iter().all(is_like);
        (is_full || is_lacking) && shapes.contains(&parts(node)) && !is_heading(lesson, run, node)
    };
    // The second time with what the first one found: a record before the first full one is an end, too.
    let mut found: Vec<NodeId> = full().collect();
    for _ in 0..2 {
        let mut ends = HashMap::new();
        for node in &found {
            ends.entry(page.parent(*node)).or_insert((*node, *node)).1 = *node;
        }
        let all = in_place.iter().zip(is_full);
        let all = all.filter(|(node, full)| **full || is_partial(**node, &ends));
        found = all.map(|(node, _)| *node).collect();
    }
    found
}

/// What an element says of itself: its class.
fn marks(page: &Page, node: NodeId) -> Option<&str> {
    page.attribute_value(node, "class")
        .filter(|class| !class.trim().is_empty())
}

/// Is it a row with the names of columns: the first of its parent, with words where all examples have a number?
fn is_heading(lesson: &Lesson<'_>, run: &PathsRun, node: NodeId) -> bool {
    let page = lesson.page;
    let has_digit = |text: &str| text.chars().any(|c| c.is_ascii_digit());
    let mut siblings = page.parent(node).into_iter().flat_map(|parent| page.children(parent));
    if siblings.find(|sibling| page.is_element(*sibling)) != Some(node) {
        return false;
    }
    let fields = lesson.records.iter().map(Vec::len).max().unwrap_or(0);
    let (mut with, mut without) = (0, 0);
    for field in 0..fields {
        let texts = || lesson.records.iter().filter_map(|record| record.get(field)).flatten();
        if texts().next().is_none() || !texts().all(|text| has_digit(text)) {
            continue;
        }
        for found in run.field(page, node, field) {
            match has_digit(&found.text) {
                true => with += 1,
                false => without += 1,
            }
        }
    }
    with == 0 && without > 0
}

/// Are the records that are given some of a list only: do the lists that they are in have as many more with as many fields? Somebody
/// who writes down all records would not leave out half of them.
fn is_part(page: &Page, given: &[NodeId], run: &PathsRun, fields: usize) -> bool {
    let fields = |node: NodeId| {
        let count = (0..fields).filter(|field| !run.field(page, node, *field).is_empty());
        count.count()
    };
    if given.iter().any(|node| !page.is_element(*node)) {
        return false;
    }
    let least = given.iter().map(|node| fields(*node)).min().unwrap_or(0);
    let known: HashSet<NodeId> = given.iter().copied().collect();
    let lists = lists::by_parent(page, given);
    let goes_on = |list: &Vec<NodeId>| {
        let Some(parent) = page.parent(list[0]) else {
            return false;
        };
        let names: HashSet<_> = list.iter().map(|node| page.name_of(*node)).collect();
        let alike = |node: &NodeId| names.contains(&page.name_of(*node)) && !known.contains(node);
        let more = page
            .children(parent)
            .filter(alike)
            .filter(|node| fields(*node) >= least);
        more.take(list.len()).count() == list.len()
    };
    // One record of each of several lists may be all of it, so the lists count that show two.
    let mut counted = lists.iter().filter(|list| lists.len() == 1 || list.len() >= LEAST_REST);
    least > 1 && counted.any(goes_on)
}

#[cfg(test)]
mod tests {
    use super::super::records::tests::learned;

    /// What a rule from one record finds on its own page.
    fn check(fields: &[&str], given: &[&str], page: &str, expected: &[&str]) {
        assert_eq!(learned(fields, page, &[given], page), expected);
    }

    #[test]
    fn a_record_may_lack_a_field() {
        let row = |cells: &[&str]| {
            let cells: String = cells.iter().map(|cell| format!("<td>{cell}</td>")).collect();
            format!("<tr>{cells}</tr>")
        };
        let page = [
            &["<a href=1>Ash</a>", "$4.50"][..],
            &["", "$7.25"],
            &["<a href=3>Elm</a>", "$1.99"],
            &["Sold out"],
            &["<a href=4>Fir</a>", "$3.00"],
            &["<a href=5>Gum</a>", "$8.10"],
        ];
        let rows = page.map(row).concat();
        let fields = ["tree", "price"];
        let expected = ["Ash|$4.50", "$7.25", "Elm|$1.99", "Fir|$3.00", "Gum|$8.10"];
        check(&fields, &["Elm", "$1.99"], &format!("<table>{rows}</table>"), &expected);
        // The names of columns are no record; rather one record less.
        let page = format!("<table>{}{rows}</table>", row(&["Tree", "Price"]));
        let expected = ["Ash|$4.50", "Elm|$1.99", "Fir|$3.00", "Gum|$8.10"];
        check(&fields, &["Elm", "$1.99"], &page, &expected);
    }

    /// The first records of the list lack what the examples have; an element of another class is no record.
    #[test]
    fn the_first_records_may_lack_fields() {
        let card = |(name, price, rating, offer): &(&str, &str, &str, &str)| {
            let part = |name: &str, text: &str| match text {
                "" => String::new(),
                text => format!("<p class={name}>{text}</p>"),
            };
            let parts = part("price", price) + &part("rating", rating) + &part("offer", offer);
            format!("<div class=card><div><a href=/{name}>{name}</a>{parts}</div></div>")
        };
        let cards = [
            ("Ash", "$4.50", "", ""),
            ("Elm", "", "", ""),
            ("Fir", "$3.00", "4.5", "Late offer"),
            ("Gum", "$8.10", "3.9", ""),
            ("Yew", "$7.25", "4.1", "Free return"),
            ("Oak", "$1.10", "4.0", ""),
            ("Box", "$2.20", "", ""),
        ];
        let cards: String = cards.iter().map(card).collect();
        let page = format!("<main>{cards}<div class=more><div><a href=/all>All trees</a></div></div></main>");
        let given: [&[&str]; 2] = [
            &["Fir", "$3.00", "4.5", "Late offer"],
            &["Yew", "$7.25", "4.1", "Free return"],
        ];
        let found = learned(&["tree", "price", "rating", "offer"], &page, &given, &page);
        let names: Vec<&str> = found
            .iter()
            .map(|record| record.split('|').next().unwrap_or(""))
            .collect();
        assert_eq!(names, ["Ash", "Elm", "Fir", "Gum", "Yew", "Oak", "Box"]);
    }

    /// The names of columns are in cells like all others, and nearly all records lack a field.
    #[test]
    fn words_in_place_of_numbers_are_the_names_of_columns() {
        let row = |cells: &[&str; 4]| {
            let cells: String = cells.iter().map(|cell| format!("<td>{cell}</td>")).collect();
            format!("<tr>{cells}</tr>")
        };
        let rows = [
            ["<b>Day</b>", "<b>Job</b>", "<b>Town</b>", "<b>Pay</b>"],
            ["6/27/2019", "Analyst", "Turin", "$42,000"],
            ["4/9/2019", "Nurse", "Brno", ""],
            ["12/8/2019", "Baker", "Leeds", "$63,000"],
            ["7/24/2019", "Clerk", "Lyon", ""],
            ["2/12/2019", "Buyer", "Ghent", "$34,000"],
        ];
        let page = format!("<table>{}</table>", rows.iter().map(row).collect::<String>());
        let given: [&[&str]; 2] = [
            &["12/8/2019", "Baker", "Leeds", "$63,000"],
            &["2/12/2019", "Buyer", "Ghent", "$34,000"],
        ];
        let found = learned(&["day", "job", "town", "pay"], &page, &given, &page);
        assert_eq!(found.len(), 5, "{found:?}");
    }

    /// What is no link in the first row is the name of a column, unless it is written as the values are.
    #[test]
    fn values_need_not_be_links() {
        let row = |[day, place]: &[&str; 2]| format!("<tr><td>{day}</td><td>{place}</td></tr>");
        let rows = |all: &[[&str; 2]]| format!("<table>{}</table>", all.iter().map(row).collect::<String>());
        let (fields, given) = (["day", "place"], ["May 9, 2025", "Hall"]);
        let page = rows(&[
            ["Day of meeting", "Place"],
            ["<a href=1>May 9, 2025</a>", "Hall"],
            ["June 13, 2025", "Mill"],
            ["<a href=2>July 11, 2025</a>", "Barn"],
            ["<a href=3>Aug 8, 2025</a>", "Yard"],
        ]);
        let expected = [
            "May 9, 2025|Hall",
            "June 13, 2025|Mill",
            "July 11, 2025|Barn",
            "Aug 8, 2025|Yard",
        ];
        check(&fields, &given, &page, &expected);
        // The second row of each record has no links, and other cells.
        let more = page.replace(
            "</td></tr>",
            "</td></tr><tr><td>Bring food</td><td>at</td><td>noon</td></tr>",
        );
        check(
            &fields,
            &given,
            &more,
            &["May 9, 2025|Hall", "July 11, 2025|Barn", "Aug 8, 2025|Yard"],
        );
        let page = rows(&[
            ["Sept 12, 2025", "Pool"],
            ["<a href=1>May 9, 2025</a>", "Hall"],
            ["<a href=2>July 11, 2025</a>", "Barn"],
            ["<a href=3>Aug 8, 2025</a>", "Yard"],
        ]);
        assert_eq!(learned(&fields, &page, &[&given], &page).len(), 4);
    }

    #[test]
    fn links_that_say_the_same_everywhere_are_no_records() {
        let item = |name: &str| {
            format!("<p><a href=/{name}>{name}</a> in the wood <a href=/{name}/like>Similar pages</a></p>")
        };
        let page = ["Ash", "Elm", "Fir", "Gum"].map(item).concat();
        let expected = ["Ash|/Ash", "Elm|/Elm", "Fir|/Fir", "Gum|/Gum"];
        check(&["name", "link"], &["Fir", "/Fir"], &page, &expected);
        // One of them is asked for.
        let found = learned(&["like", "link"], &page, &[&["Similar pages", "/Fir/like"]], &page);
        assert!(found.contains(&"Similar pages|/Elm/like".to_owned()), "{found:?}");
    }

    /// The page does not close its fonts, so that each record is in one more of them than the record before.
    #[test]
    fn records_may_be_deeper_and_deeper() {
        let item = |name: &str| format!("<p><a href=/{name}>{name}</a></p><font size=2>A tree<br>");
        let page = format!("<div>{}</div>", ["Ash", "Elm", "Fir", "Gum"].map(item).concat());
        let expected = ["Ash|/Ash", "Elm|/Elm", "Fir|/Fir", "Gum|/Gum"];
        check(&["name", "link"], &["Fir", "/Fir"], &page, &expected);
    }
}
