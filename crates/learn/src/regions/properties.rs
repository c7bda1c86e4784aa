//! The properties of one thing: `<tr><th>Weight</th><td>1 kg</td></tr>`, `<li>Colour: red</li>`, a row for each label.
//!
//! **In**: a list that was found on a page. **Out**: its rows as labels and values, if that is what they are, and a way to each value by the words of its label.
//!
//! A page about one thing says what it is in rows that are as like each other as the records of a list. They are no records: each row has another label, and together they are
//! *one* record, whose fields the labels name. What tells them from a list of things with one datum each (`Kelp $5`):
//!
//! - the first text of each row reads like a label, is in no link, and no two rows have the same;
//! - there is one value after it, which is no sentence, and no picture;
//! - the values are not all prices, dates or numbers: this is what things have in common, and properties have not;
//! - labels end with a colon or are in `dt` or `th`, or else the values are one text each, of different makes: a number with a unit, a date, a word.
//!
//! Linear in the leaves of the rows. *Known failures*: properties without a colon and without `dt` or `th` whose values are all words look like names with places, and stay a list;
//! a list of names with a word each in a `dl` is taken for properties.

use super::items::Items;
use super::sight::{Leaf, Sight};
use super::{Candidate, NEARLY, SENTENCES, heads};
use crate::guided::literal;
use crate::naming::{LONGEST, label_name};
use page::{Kind, NodeId};
use record::values::{self, kinds};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use wrapper::rule::paths::{Way, value};

/// The fewest and the most properties of a thing. Two rows are often something else, such as the two ends of a range.
const FEWEST: usize = 3;
const MOST: usize = 60;
/// The share of the values that must be of other makes than the commonest one, where nothing but the values tells properties.
const MIXED: f64 = 1.0 / 3.0;

/// A label with its value.
pub(super) struct Property {
    pub(super) label: String,
    /// The text of the label.
    pub(super) node: NodeId,
    /// The text of the value.
    pub(super) value: String,
    /// The way to the value, from the document.
    pub(super) way: Option<Way>,
}

/// A row as a label and a value.
struct Row {
    label: String,
    /// What the row begins with, with the colon.
    begin: String,
    colon: bool,
    value: String,
    /// The number of its first leaf.
    first: usize,
    leaves: Range<usize>,
}

/// What a value is, as far as a list of things has the same for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Make {
    Price,
    Date,
    Number,
    Measure,
    Words,
    Text,
}

impl Make {
    fn of(text: &str) -> Make {
        use values::Kind::{Date, DateTime, Decimal, Integer, Percentage, Price};
        const NAME: usize = 3;
        let kinds = kinds(text);
        let is = |wanted: &[values::Kind]| wanted.iter().any(|kind| kinds.contains(*kind));
        if is(&[Price]) {
            Make::Price
        } else if is(&[Date, DateTime]) {
            Make::Date
        } else if is(&[Integer, Decimal, Percentage]) {
            Make::Number
        } else if text.starts_with(|c: char| c.is_numeric() || matches!(c, '+' | '-' | '<' | '>' | '~')) {
            Make::Measure
        } else if text.split_whitespace().take(NAME + 1).count() <= NAME {
            Make::Words
        } else {
            Make::Text
        }
    }

    /// Is it a datum that each thing of a list may have?
    fn is_datum(self) -> bool {
        matches!(self, Make::Price | Make::Date | Make::Number)
    }
}

/// The rows of a list as properties of one thing; nothing if they are something else.
pub(super) fn properties(sight: &Sight<'_>, candidate: &Candidate) -> Vec<Property> {
    let count = candidate.records.len();
    if !(FEWEST..=MOST).contains(&count) || candidate.items.compared() > 1.0 {
        return Vec::new();
    }
    let rows: Vec<(usize, Row)> = candidate
        .records
        .iter()
        .enumerate()
        .filter_map(|(number, record)| Some((number, row(sight, candidate.leaves(record))?)))
        .collect();
    let different: BTreeSet<&str> = rows.iter().map(|(_, row)| row.label.as_str()).collect();
    let enough = |part: usize, all: usize| part as f64 >= NEARLY * all as f64;
    if rows.len() < FEWEST || !enough(rows.len(), count) || different.len() < rows.len() {
        return Vec::new();
    }
    let values: Vec<&str> = rows.iter().map(|(_, row)| row.value.as_str()).collect();
    if are_records(&values) || heads::has_headings(sight, &candidate.items) {
        return Vec::new();
    }
    let most = usual(&values).1;
    let colons = rows.iter().filter(|(_, row)| row.colon).count();
    let is_term = |row: &Row| {
        let above = sight.page.ancestors(sight.leaves[row.first].node);
        above.take(TERM).any(|up| matches!(sight.page.name(up), "dt" | "th"))
    };
    let terms = rows.iter().filter(|(_, row)| is_term(row)).count();
    let is_told = enough(colons, rows.len()) || enough(terms, rows.len());
    // A record has several texts, a property one.
    let single = rows.iter().filter(|(_, row)| row.leaves.len() <= 2).count();
    let is_mixed = (rows.len() - most) as f64 >= MIXED * rows.len() as f64 && enough(single, rows.len());
    if !is_told && !is_mixed {
        return Vec::new();
    }
    let items = &candidate.items;
    let single = candidate.records.iter().all(|record| record.len() == 1);
    let beside = if single {
        beside(sight, candidate, &rows)
    } else {
        Vec::new()
    };
    let rows = rows
        .into_iter()
        .map(|(number, row)| (candidate.records[number].clone(), row));
    rows.chain(beside)
        .map(|(record, row)| Property {
            way: way(sight, items, &record, &row),
            node: sight.leaves[row.first].node,
            label: row.label,
            value: row.value,
        })
        .collect()
}

/// Are values what the records of a list have in common: the same kind of datum each, or sentences to be read?
pub(super) fn are_records(values: &[&str]) -> bool {
    let length: usize = values.iter().map(|value| value.len()).sum();
    let sentences = values.iter().filter(|value| is_sentence(value)).count();
    let (make, most) = usual(values);
    let is_one_datum = make.is_datum() && most as f64 >= NEARLY * values.len() as f64;
    length as f64 > SENTENCES * values.len() as f64 || sentences * 2 >= values.len() || is_one_datum
}

/// What most values are, and how many.
fn usual(values: &[&str]) -> (Make, usize) {
    let mut makes: BTreeMap<Make, usize> = BTreeMap::new();
    for value in values {
        *makes.entry(Make::of(value)).or_default() += 1;
    }
    makes
        .into_iter()
        .max_by_key(|(_, times)| *times)
        .unwrap_or((Make::Text, 0))
}

/// Rows of the same make right before or after the properties: at its ends, a list leaves out what is unlike the rest.
fn beside(sight: &Sight<'_>, candidate: &Candidate, rows: &[(usize, Row)]) -> Vec<(Range<usize>, Row)> {
    let (page, items) = (sight.page, &candidate.items);
    let (first, last) = (
        candidate.records[0].start,
        candidate.records[candidate.records.len() - 1].start,
    );
    let made = |at: usize| {
        let node = items.nodes[at];
        let children = page.children(node).filter(|child| page.is_element(*child));
        let children: Vec<&str> = children.map(|child| page.name(child)).collect();
        (page.name(node), page.attribute_value(node, "class"), children)
    };
    let property = |at: usize| {
        let row = row(sight, items.leaves[at].clone())?;
        let is_new = rows.iter().all(|(_, other)| other.label != row.label);
        (is_new && made(at) == made(first)).then_some((at..at + 1, row))
    };
    let before = (0..first).rev().map_while(property);
    let after = (last + 1..items.nodes.len()).map_while(property);
    before.chain(after).collect()
}

/// Is a value a sentence, as what a promise or an answer says?
fn is_sentence(value: &str) -> bool {
    const WORDS: usize = 6;
    value.ends_with(['.', '!', '?']) && value.split_whitespace().take(WORDS).count() == WORDS
}

/// How far above its text a `dt` or `th` is looked for.
const TERM: usize = 3;

/// The text of a leaf, with white space joined.
fn said(sight: &Sight<'_>, leaf: &Leaf) -> String {
    value(sight.page, leaf.node)
}

/// A row as a label and a value, if it may be that.
fn row(sight: &Sight<'_>, leaves: Range<usize>) -> Option<Row> {
    let (label, rest) = sight.leaves[leaves.clone()].split_first()?;
    let is_plain = label.is_text() && label.link().is_none() && rest.iter().all(Leaf::is_text);
    if !is_plain || sight.pictures(&leaves) > 0 {
        return None;
    }
    let first = said(sight, label);
    let mut rest: Vec<String> = rest.iter().map(|leaf| said(sight, leaf)).collect();
    let (name, colon) = match colon(&first) {
        Some(at) => {
            let after = first[at + 1..].trim().to_owned();
            if !after.is_empty() {
                rest.insert(0, after);
            }
            (first[..at].trim().to_owned(), true)
        }
        // `<b>Weight</b>: 1 kg`
        None => (first.clone(), follows_colon(sight, label.node)),
    };
    let value = rest.join(" ");
    let value = value.trim_start_matches(':').trim().to_owned();
    // `May 9, 2024` is the datum of a record.
    let is_label = !Make::of(&name).is_datum() && label_name(&name).is_some();
    let fits = !value.is_empty() && name.chars().count() <= LONGEST && is_label;
    fits.then(|| Row {
        begin: if colon { format!("{name}:") } else { name.clone() },
        label: name,
        colon,
        value,
        first: leaves.start,
        leaves,
    })
}

/// Where a text has a colon after its label: one that a space or nothing follows, so `10:30` has none.
pub(super) fn colon(text: &str) -> Option<usize> {
    let ends = |at: &usize| text[at + 1..].chars().next().is_none_or(char::is_whitespace);
    text.match_indices(':').map(|(at, _)| at).find(ends)
}

/// Is the next text after a text, whatever it says, one that begins with a colon?
pub(super) fn follows_colon(sight: &Sight<'_>, text: NodeId) -> bool {
    let page = sight.page;
    let texts = page.texts();
    let next = texts.get(texts.partition_point(|other| *other <= text));
    next.is_some_and(|next| page.string_value(*next).trim_start().starts_with(':'))
}

/// The way to the value of a row by the words of its label. Either an element has label and value in elements of their own, or its text begins with the label, or the
/// value is the next sibling of the label.
fn way(sight: &Sight<'_>, items: &Items, record: &Range<usize>, row: &Row) -> Option<Way> {
    let page = sight.page;
    let (first, last) = (
        sight.leaves[row.leaves.start].node,
        sight.leaves[row.leaves.end - 1].node,
    );
    let path = |path: String, after: &str| {
        Some(Way {
            path,
            after: after.to_owned(),
            ..Way::default()
        })
    };
    let is_label = |element: NodeId| value(page, element).trim_end_matches(':').trim() == row.label;
    let spelled = |element: NodeId| format!("normalize-space(.)={}", literal(&value(page, element)));
    let full = |node: &NodeId| !sight.range(*node).is_empty();
    if record.len() > 1 {
        let nodes = &items.nodes[record.clone()];
        let [label, said] = nodes.iter().copied().filter(full).collect::<Vec<_>>()[..] else {
            return None;
        };
        if !page.is_element(label) || !is_label(label) {
            return None;
        }
        let test = format!("//{}[{}]/following-sibling::", page.name(label), spelled(label));
        if !page.is_element(said) {
            // `<b>Weight</b>: 1 kg`
            let after = if row.colon && !value(page, label).ends_with(':') {
                ":"
            } else {
                ""
            };
            return path(format!("{test}text()[normalize-space(.)][1]"), after);
        }
        return path(format!("{test}*[1][self::{}]", page.name(said)), "");
    }
    let around = page.ancestors(first).find(|up| last < page.end(*up))?;
    if page.kind(around) != Kind::Element || around < items.nodes[record.start] {
        return None;
    }
    let children: Vec<NodeId> = page.children(around).filter(|child| page.is_element(*child)).collect();
    let place = |node: NodeId| {
        let same = |other: &&NodeId| **other <= node && page.name(**other) == page.name(node);
        format!("{}[{}]", page.name(node), children.iter().filter(same).count())
    };
    let name = page.name(around);
    let inner: Vec<NodeId> = children.iter().copied().filter(full).collect();
    if let [label, said] = inner[..]
        && is_label(label)
        && sight.range(around).len() == sight.range(label).len() + sight.range(said).len()
    {
        return path(
            format!("//{name}[{}[{}]]/{}", place(label), spelled(label), place(said)),
            "",
        );
    }
    path(
        format!("//{name}[starts-with(normalize-space(.), {})]", literal(&row.begin)),
        &row.begin,
    )
}

#[cfg(test)]
mod tests {
    use crate::regions::{Found, look};
    use page::{Job, Page};
    use wrapper::rule::paths::PathsRun;

    fn found(block: &str) -> (Found, Page) {
        let html = format!("<title>Kelp Lamp - Shop</title><h1>Kelp Lamp</h1>{block}");
        let page = Page::parse_str(&html, &Default::default()).unwrap();
        (look(&page, &Job::new()), page)
    }

    const PAIRS: [(&str, &str); 4] = [
        ("Weight", "1 kg"),
        ("Colour", "dark red"),
        ("Made in", "Norway"),
        ("Pages", "312"),
    ];

    fn rows(make: impl Fn(&str, &str) -> String) -> String {
        PAIRS.iter().map(|(label, value)| make(label, value)).collect()
    }

    #[test]
    fn rows_of_labels_and_values_are_one_record() {
        for block in [
            format!(
                "<table>{}</table>",
                rows(|l, v| format!("<tr><th>{l}</th><td>{v}</td></tr>"))
            ),
            format!(
                "<table>{}</table>",
                rows(|l, v| format!("<tr><td>{l}</td><td>{v}</td></tr>"))
            ),
            format!("<dl>{}</dl>", rows(|l, v| format!("<dt>{l}</dt><dd>{v}</dd>"))),
            format!("<ul>{}</ul>", rows(|l, v| format!("<li>{l}: {v}</li>"))),
            format!("<ul>{}</ul>", rows(|l, v| format!("<li><b>{l}:</b> {v}</li>"))),
            format!("<ul>{}</ul>", rows(|l, v| format!("<li><b>{l}</b>: {v}</li>"))),
            format!("<p>{}</p>", rows(|l, v| format!("<b>{l}:</b> {v}<br>"))),
            format!(
                "<div>{}</div>",
                rows(|l, v| format!("<div><span>{l}</span><span>{v}</span></div>"))
            ),
        ] {
            let (found, page) = found(&block);
            assert!(found.lists.is_empty(), "{block}");
            let thing = found.thing.unwrap_or_else(|| panic!("no record of {block}"));
            assert_eq!(
                thing.names,
                ["title", "weight", "colour", "made_in", "pages"],
                "{block}"
            );
            let records = PathsRun::new(&thing.rule).unwrap().page(&page);
            let values: Vec<&str> = records[0].values.iter().map(|value| value.text.as_str()).collect();
            assert_eq!(values, ["Kelp Lamp", "1 kg", "dark red", "Norway", "312"], "{block}");
        }
    }

    #[test]
    fn a_row_that_a_list_leaves_out_at_its_end_is_one_too() {
        let row = |(label, value): (&str, &str)| {
            format!("<div class=f><span class=l>{label}</span><span class=v>{value}</span></div>")
        };
        let rows: String = [
            ("Item no.", "AX-9282"),
            ("Maker", "Juniper Health"),
            ("Weight", "5.6 kg"),
            ("Colour", "Black"),
        ]
        .map(row)
        .concat();
        let above = "<div class=w><a href=/>All</a> / <a href=/b>Juniper Health</a></div><div class=p><span>$619.65</span></div><p>And it about years the it careful a closed it remember account.</p>";
        let below = "<div class=r><h3>Reviews</h3><div class=s><b>Wim Olsen</b><p>After before the before remember account small the about.</p></div></div>";
        let names = found(&format!("<div>{above}{rows}{below}</div>"))
            .0
            .thing
            .unwrap()
            .names;
        assert!(names.contains(&"item_no".to_owned()), "{names:?}");
    }

    #[test]
    fn promises_are_no_properties() {
        let promise =
            |label: &str| format!("<dt>{label}</dt><dd>You get all that you need for {label} in a week.</dd>");
        let promises: String = ["Light", "Colour", "A new desk", "Your own room"].map(promise).concat();
        assert!(found(&format!("<dl>{promises}</dl>")).0.thing.is_none());
    }

    #[test]
    fn names_with_a_datum_each_are_a_list() {
        let names = [
            ("Kelp", "$5.00"),
            ("Moss", "$6.50"),
            ("Fern", "$7.25"),
            ("Alga", "$9.00"),
        ];
        let list = |make: &dyn Fn(&str, &str) -> String| {
            names.iter().map(|(name, price)| make(name, price)).collect::<String>()
        };
        for block in [
            format!(
                "<table>{}</table>",
                list(&|n, v| format!("<tr><td>{n}</td><td>{v}</td></tr>"))
            ),
            format!("<ul>{}</ul>", list(&|n, v| format!("<li>{n}: {v}</li>"))),
            format!("<dl>{}</dl>", list(&|n, v| format!("<dt>{n}</dt><dd>{v}</dd>"))),
        ] {
            let (found, _) = found(&block);
            assert!(found.thing.is_none(), "{block}");
            assert_eq!(found.lists.first().map_or(0, |list| list.records), 4, "{block}");
        }
    }
}
