//! Does a page fit a wrapper at all?
//!
//! A rule that is run on a page of another template may still find something: the title, a text between two landmarks that
//! every page of the site has. That is not a record. What a wrapper knows about its records tells such pages apart: fields
//! that nearly every record had ([`USUAL`]) are missing there, or have values that are far longer than any before, because a
//! landmark that ends them is missing.
//!
//! **In**: the profiles of a wrapper and the records of a page. **Out**: for a page that does not fit, how many of the usual
//! fields it has, of how many. A usual field is there if at least half of the records of its table have it, with a value of
//! sane length. A page fits if more than a third of the usual fields are there. The fields of a list count only if nearly
//! every page had the list. A page with two rows or more of such a list fits, too, if the list has at least [`LISTED`] usual fields and all
//! of them are there: the last page of a list may lack most of what is around it.
//!
//! A page with fewer fields fits, too, if it only lacks a part of the page, such as a large table: at least [`LABELS`] different labels stand before
//! the values that they stood before on the known pages, and of the labels of the missing fields the page has less than half. After a redesign
//! the labels are still there, and pages of other kinds have neither the labels nor their values.
//!
//! A page that a template reads to its end, without a gap, fits if it has all usual fields that are in no list: then the list is empty.
//!
//! Values that only their labels lead to do not count: a label may be on pages of any template, and after a redesign the few fields with
//! a label would be a record without the others.
//!
//! Nothing is said about wrappers that know fewer than [`PAGES`] pages or have fewer than [`FIELDS`] usual fields: too little
//! is known. So a wrapper of one or two fields never refuses a page; `check` compares more than this does.
//!
//! *What was fitted*: half was the first judgement. It refused 20 of 2,400 pages of 40 SWDE sites, which lack a section and have
//! mostly 40 to 48 per cent of the usual fields, while pages of other sites and of other kinds had at most 23 per cent. So it became a
//! third. Then 9 of 100 pages of one site were refused, which lack the largest section and have 17 to 32 per cent; hence the labels. **Cost**: linear
//! in the values of the page and, if it seems not to fit, in its texts.

use crate::profile::Sights;
use crate::rule::paths::value;
use crate::wrapper::Wrapper;
use page::Page;
use record::Record;
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// A field is usual if this share of the records had it; a list, if this share of the pages had it.
const USUAL: f64 = 0.9;
/// A page fits if it has more than a third of the usual fields.
const ONE_IN: usize = 3;
/// The fewest pages and fields that a judgement is based on.
const PAGES: u64 = 2;
const FIELDS: usize = 3;
/// A value is far longer than before from this many times the longest known value on; and never below this length.
const TIMES: u64 = 4;
const SHORT: u64 = 200;

/// The fewest usual fields of a list whose rows tell that a page fits.
const LISTED: usize = 3;

/// The fewest labels that tell that a page only lacks a part. Other pages of a site share a few with the frame around all pages: a search, a date, a name.
const LABELS: usize = 5;

/// A page that does not fit a wrapper.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Misfit {
    /// The number of usual fields that it has.
    pub found: usize,
    /// The number of usual fields.
    pub of: usize,
}

/// What pages must have to fit a wrapper.
#[derive(Clone, Debug)]
pub(crate) struct Fit {
    /// The usual fields by their paths: the path of their table, and the most characters of a value.
    usual: BTreeMap<String, (String, u64)>,
    /// The labels of those that are in no list.
    labels: BTreeMap<String, String>,
}

impl Fit {
    /// What is usual for a wrapper; none if too little is known.
    pub(crate) fn of(wrapper: &Wrapper) -> Option<Fit> {
        let (mut usual, mut labels) = (BTreeMap::new(), BTreeMap::new());
        let tables = wrapper.record_type.tables();
        for (table, profile) in tables.iter().zip(&wrapper.evidence.profiles) {
            let without = profile.counts.get(&0).copied().unwrap_or(0);
            let is_usual = |count: u64, of: u64| of > 0 && count as f64 >= USUAL * of as f64;
            if profile.pages < PAGES || !is_usual(profile.pages.saturating_sub(without), profile.pages) {
                continue;
            }
            for (column, field) in table.columns.iter().zip(&profile.fields) {
                if is_usual(field.records, profile.records) {
                    let path = [&table.path[..], &column.path].concat().join(".");
                    let longest = field.length.2.saturating_mul(TIMES).max(SHORT);
                    if let Some(label) = field.label().filter(|_| table.path.is_empty()) {
                        labels.insert(path.clone(), label.to_owned());
                    }
                    usual.insert(path, (table.name(), longest));
                }
            }
        }
        (usual.len() >= FIELDS).then_some(Fit { usual, labels })
    }

    /// Does a page with these records not fit? A page without records says nothing.
    pub(crate) fn misfit(&self, records: &[Record], page: Option<&Page>) -> Option<Misfit> {
        match records {
            [] => None,
            _ => self.misfit_without(records, &BTreeSet::new(), page),
        }
    }

    /// Has a page with these records all usual fields that are in no list? With nothing left over, its list is empty.
    pub(crate) fn has_own(&self, records: &[Record]) -> bool {
        let mut seen = Seen::default();
        records.iter().for_each(|record| self.look(record, "", &mut seen));
        let mut own = self.usual.iter().filter(|(_, (table, _))| table.is_empty()).peekable();
        own.peek().is_some() && own.all(|(path, _)| seen.with.get(path).copied().unwrap_or(0) as usize == records.len())
    }

    /// The same by all fields but some, also for a page without records.
    pub(crate) fn misfit_without(
        &self,
        records: &[Record],
        some: &BTreeSet<&str>,
        page: Option<&Page>,
    ) -> Option<Misfit> {
        let usual = || self.usual.iter().filter(|(path, _)| !some.contains(path.as_str()));
        if usual().count() < FIELDS {
            return None;
        }
        let mut seen = Seen::default();
        for record in records {
            *seen.rows.entry(String::new()).or_default() += 1;
            self.look(record, "", &mut seen);
        }
        let is_there = |(path, (table, _)): &(&String, &(String, u64))| {
            let rows = seen.rows.get(table).copied().unwrap_or(0);
            let with = seen.with.get(*path).copied().unwrap_or(0);
            with > 0 && with * 2 >= rows
        };
        // The last page of a list lacks much of what is around the list, but its rows have all their fields.
        let mut lists: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
        for (path, known) in usual().filter(|(_, (table, _))| !table.is_empty()) {
            let (there, all) = lists.entry(&known.0).or_default();
            *there += usize::from(is_there(&(path, known)));
            *all += 1;
        }
        let rows = |table: &str| seen.rows.get(table).copied().unwrap_or(0);
        let is_full =
            |(table, (there, all)): (&&str, &(usize, usize))| *all >= LISTED && there == all && rows(table) >= 2;
        if lists.iter().any(is_full) {
            return None;
        }
        let (found, of) = (usual().filter(is_there).count(), usual().count());
        let lacks_a_part = || page.is_some_and(|page| self.lacks_a_part(records, page));
        (found * ONE_IN <= of && !lacks_a_part()).then_some(Misfit { found, of })
    }

    /// Does a page have enough of the known labels before their values, and few of the labels of the fields that it lacks?
    fn lacks_a_part(&self, records: &[Record], page: &Page) -> bool {
        let [record] = records else { return false };
        if self.labels.values().collect::<BTreeSet<_>>().len() < LABELS {
            return false;
        }
        let sights = Sights::new(page);
        let values: HashSet<String> = record.children.iter().filter_map(|child| child.value.clone()).collect();
        let (mut found, mut there) = (BTreeSet::new(), BTreeSet::new());
        for child in record.children.iter().filter(|child| child.value.is_some()) {
            if let Some((path, label)) = self.labels.get_key_value(&child.name) {
                there.insert(path);
                if sights.of(child.node, &values).label.as_ref() == Some(label) {
                    found.insert(label);
                }
            }
        }
        let missing = self.labels.iter().filter(|(path, _)| !there.contains(path));
        let missing: BTreeSet<&String> = missing
            .map(|(_, label)| label)
            .filter(|label| !found.contains(label))
            .collect();
        let texts: HashSet<String> = page.texts().iter().map(|text| value(page, *text)).collect();
        let said = missing.iter().filter(|label| texts.contains(**label)).count();
        found.len() >= LABELS && (missing.is_empty() || said * 2 < missing.len())
    }

    fn look(&self, record: &Record, path: &str, seen: &mut Seen) {
        let mut last: Option<(&str, bool)> = None;
        for child in &record.children {
            let path = match path.is_empty() {
                true => child.name.clone(),
                false => format!("{path}.{}", child.name),
            };
            if !child.children.is_empty() {
                *seen.rows.entry(path.clone()).or_default() += 1;
            }
            if let (Some(value), Some((_, longest))) = (&child.value, self.usual.get(&path)) {
                let is_sane = value.len() as u64 <= *longest || value.chars().count() as u64 <= *longest;
                // Several values of a field in one record count once.
                let is_counted = last == Some((&child.name, true));
                if is_sane && !is_counted {
                    *seen.with.entry(path.clone()).or_default() += 1;
                }
                last = Some((&child.name, is_sane || is_counted));
            }
            self.look(child, &path, seen);
        }
    }
}

/// What the records of a page have.
#[derive(Default)]
struct Seen {
    /// Records by the paths of their tables.
    rows: BTreeMap<String, u64>,
    /// Records that have a field, by its path.
    with: BTreeMap<String, u64>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rule::paths::{PathField, Paths, Way};
    use crate::wrapper::Rule;
    use page::{Document, Page};
    use record::RecordType;

    fn document(html: &str) -> Document {
        Document::new("p", Page::parse_str(html, &Default::default()).expect("a page"))
    }

    /// A wrapper of four fields, made from these pages.
    fn wrapper(pages: &[&str]) -> Wrapper {
        let field = |path: &str| PathField {
            many: false,
            ways: vec![Way {
                path: format!(".//{path}"),
                ..Way::default()
            }],
        };
        let rule = Paths {
            fields: ["h1", "b", "i", "u"].map(field).into(),
            ..Paths::default()
        };
        let kind = RecordType::flat("thing", ["title", "price", "size", "colour"]);
        let pages: Vec<Document> = pages.iter().map(|html| document(html)).collect();
        Wrapper::made(Rule::Paths(rule), kind, None, &pages).expect("a rule that runs")
    }

    #[test]
    fn a_page_with_a_third_of_the_usual_fields_does_not_fit() {
        let known = [
            "<h1>A</h1><b>1</b><i>2</i><u>red</u>",
            "<h1>B</h1><b>3</b><i>4</i><u>blue</u>",
        ];
        let runner = wrapper(&known).runner().expect("a rule that runs");
        let run = |html: &str| runner.run(&document(html), false);
        for (html, misfit) in [
            ("<h1>C</h1><b>5</b><i>6</i><u>green</u>", None),
            ("<h1>C</h1><b>5</b>", None),
            ("<h1>About us</h1>", Some(Misfit { found: 1, of: 4 })),
        ] {
            let found = run(html);
            assert_eq!(found.misfit, misfit, "{html}");
            assert_eq!(found.records.is_empty(), misfit.is_some(), "{html}");
        }
        // A value that goes on to the end of the page is none.
        let long = format!("<h1>{0}</h1><b>{0}</b><i>{0}</i><u>red</u>", "words ".repeat(100));
        assert_eq!(run(&long).misfit, Some(Misfit { found: 1, of: 4 }));
    }

    #[test]
    fn a_page_whose_rows_are_full_fits() {
        let known = |names: &[&str], table: &str| -> Vec<(String, (String, u64))> {
            let known = names.iter().map(|name| ((*name).to_owned(), (table.to_owned(), 200)));
            known.collect()
        };
        let around = known(&["a", "b", "c", "d", "e", "f", "g"], "");
        let listed = known(&["rows.x", "rows.y", "rows.z"], "rows");
        let fit = Fit {
            usual: around.into_iter().chain(listed).collect(),
            labels: BTreeMap::new(),
        };
        let made = |name: &str, value: Option<&str>, children: Vec<Record>| Record {
            name: name.to_owned(),
            value: value.map(str::to_owned),
            children,
            page: "p".into(),
            node: page::NodeId::DOCUMENT,
        };
        let page = |rows: usize, names: &[&str]| {
            let row = |_| {
                let cells = names.iter().map(|name| made(name, Some("1"), Vec::new()));
                made("rows", None, cells.collect())
            };
            [made("record", None, (0..rows).map(row).collect())]
        };
        assert_eq!(fit.misfit(&page(2, &["x", "y", "z"]), None), None);
        assert_eq!(
            fit.misfit(&page(1, &["x", "y", "z"]), None),
            Some(Misfit { found: 3, of: 10 })
        );
        assert_eq!(
            fit.misfit(&page(2, &["x", "y"]), None),
            Some(Misfit { found: 2, of: 10 })
        );
    }

    #[test]
    fn a_page_that_lacks_a_table_fits() {
        const SHORT: [&str; 5] = ["Town:", "Phone:", "Dean:", "Founded:", "Motto:"];
        const COSTS: [&str; 12] = ["a:", "b:", "c:", "d:", "e:", "f:", "g:", "h:", "i:", "j:", "k:", "l:"];
        let rows = |labels: &[&str], name: &str, kind: &str| -> String {
            let row = |label: &&str| format!("<tr><td>{label}<td>{name} {label}");
            format!(
                "<table class={kind}>{}</table>",
                labels.iter().map(row).collect::<String>()
            )
        };
        let page = |name: &str, kinds: [&str; 2]| {
            let tables = rows(&SHORT, name, kinds[0]) + &rows(&COSTS, name, kinds[1]);
            format!("<h1>{name}</h1>{tables}")
        };
        let field = |label: &&str| PathField {
            many: false,
            ways: vec![Way {
                path: format!(".//table[@class = 'k']//tr[td = '{label}']/td[2]"),
                ..Way::default()
            }],
        };
        let rule = Paths {
            fields: SHORT.iter().chain(&COSTS).map(field).collect(),
            ..Paths::default()
        };
        let names: Vec<String> = (0..17).map(|number| format!("f{number}")).collect();
        let kind = RecordType::flat("thing", names.iter().map(String::as_str));
        let known: Vec<Document> = ["Elm", "Oak", "Ash"]
            .map(|name| document(&page(name, ["k", "k"])))
            .into();
        let wrapper = Wrapper::made(Rule::Paths(rule), kind, None, &known).expect("a rule that runs");
        let runner = wrapper.runner().expect("a rule that runs");
        let misfit = |html: &str| runner.run(&document(html), false).misfit;
        let found = |found: usize| Some(Misfit { found, of: 17 });
        assert_eq!(misfit(&page("Fir", ["k", "k"])), None);
        assert_eq!(misfit(&format!("<h1>Fir</h1>{}", rows(&SHORT, "Fir", "k"))), None);
        // Fewer labels tell nothing, and where the labels of the other fields are, the site was redesigned.
        assert_eq!(misfit(&rows(&SHORT[..4], "Fir", "k")), found(4));
        assert_eq!(misfit(&page("Fir", ["k", "new"])), found(5));
    }

    #[test]
    fn nothing_is_said_if_little_is_known() {
        let one = wrapper(&["<h1>A</h1><b>1</b><i>2</i><u>red</u>"]);
        assert!(Fit::of(&one).is_none(), "one page");
        let rare = wrapper(&["<h1>A</h1><b>1</b>", "<h1>B</h1><u>red</u>", "<h1>B</h1><i>7</i>"]);
        assert!(Fit::of(&rare).is_none(), "one usual field");
    }
}
