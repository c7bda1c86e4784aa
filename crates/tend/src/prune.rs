//! Values that a new rule by paths gives beside those that were found again.
//!
//! *Idea.* A path is learned from the values that were found, and where a record has none it may lead to something else: to the same element of the record before, or to
//! the next value, such as a price where the kind of a job was. Two things are tried for each field of which a rule gives such values, and kept if it then gives fewer of them and
//! all others as before:
//!
//! - what follows a label in the same element, as in `<b>Year:</b> 1952<br>`, where a path counts the lines;
//! - the rule without one of the paths that are there for other records ("or else");
//! - the same paths for texts that have a digit, or a certain sign, or have none, if this tells the right values from the others.
//!
//! *Input*: a rule, pages and the values that were found on them. *Output*: the rule, and how well it gives these values. *Cost*: a few runs of the rule for each field that
//! gives too much.
//!
//! *Known failures*: too few values of either sort; values that no single sign tells apart.

use crate::agreement::{Agreement, Given, agreement};
use crate::compare;
use crate::healthy::part_mut;
use crate::relearn;
use crate::repair::homes;
use page::Document;
use record::Rows;
use std::collections::BTreeSet;
use wrapper::rule::paths::{PathField, Way};
use wrapper::{Rule, Wrapper};

/// Right values, and others, that tell that a sign is what tells them apart. Fewer may have it, or not, by chance.
const TOLD: (usize, usize) = (8, 2);

/// A wrapper by paths that gives fewer values that were not found.
pub(crate) fn pruned(
    old: &Wrapper,
    new: Wrapper,
    found: Agreement,
    documents: &[&Document],
    labels: &[Rows],
) -> (Wrapper, Agreement) {
    let mut best = (new, found);
    let columns: Vec<(usize, usize)> = best
        .1
        .iter()
        .enumerate()
        .flat_map(|(table, columns)| (0..columns.len()).map(move |column| (table, column)))
        .collect();
    for (table, column) in columns.into_iter().filter(|(table, _)| is_list(old, *table)) {
        let given = |agreement: &Agreement| agreement[table][column];
        while given(&best.1).precision < 1.0
            && let Some(better) = others(old, &best.0, (table, column), documents, labels)
                .into_iter()
                .filter_map(|candidate| Some((agreement(old, &candidate, documents, labels)?, candidate)))
                .map(|(agreement, candidate)| (candidate, agreement))
                .find(|(_, agreement)| is_better(given(agreement), given(&best.1)))
        {
            best = better;
        }
    }
    best
}

/// Does it give fewer values that were not found, and no fewer of those that were?
fn is_better(one: Given, other: Given) -> bool {
    one.precision > other.precision && one.share > other.share && one.recall() >= other.recall()
}

/// Where a page has one record, a value that was not found on it may well be right.
fn is_list(wrapper: &Wrapper, table: usize) -> bool {
    let profile = wrapper.evidence.profiles.get(table);
    profile.is_some_and(|profile| profile.records > profile.pages)
}

/// Wrappers with fewer or narrower paths to a field.
fn others(
    old: &Wrapper,
    new: &Wrapper,
    (table, column): (usize, usize),
    documents: &[&Document],
    labels: &[Rows],
) -> Vec<Wrapper> {
    let with = |change: &dyn Fn(&mut PathField)| -> Option<Wrapper> {
        let Rule::Paths(rule) = &new.rule else { return None };
        let mut rule = rule.clone();
        let part = part_mut(&mut rule, &old.record_type.tables(), table)?;
        change(part.fields.get_mut(column)?);
        Some(Wrapper {
            rule: Rule::Paths(rule),
            ..new.clone()
        })
    };
    let Rule::Paths(rule) = &new.rule else {
        return Vec::new();
    };
    let part = part_mut(&mut rule.clone(), &old.record_type.tables(), table).map(|part| part.fields[column].clone());
    let ways = part.map_or(0, |field| field.ways.len());
    let fewer = (1..ways).rev().map(|way| {
        with(&|field| {
            field.ways.remove(way);
        })
    });
    let labelled = labelled_ways(old, new, (table, column), documents);
    let labelled = labelled.into_iter().map(|path| {
        with(&|field| {
            let way = Way {
                path: path.clone(),
                ..Way::default()
            };
            field.ways = vec![way];
        })
    });
    let sieve = sieve(old, new, (table, column), documents, labels);
    let narrower = sieve.iter().map(|matching| {
        with(&|field| {
            for way in field.ways.iter_mut().filter(|way| way.matching.is_empty()) {
                way.matching.clone_from(matching);
            }
        })
    });
    labelled.chain(fewer).chain(narrower).flatten().collect()
}

/// Labels of a field that are tried.
const LABELS: usize = 3;

/// Paths to the text after a label: the label of the known values, and those that values have now.
fn labelled_ways(
    old: &Wrapper,
    new: &Wrapper,
    (table, column): (usize, usize),
    documents: &[&Document],
) -> Vec<String> {
    let copies: Vec<Document> = documents.iter().map(|document| (*document).clone()).collect();
    let seen = new.observe(&copies).unwrap_or_default();
    let home = homes(&old.record_type.tables(), &new.record_type.tables())[table][column];
    let now = home.map(|(table, column)| &seen[table].fields[column].labels);
    let mut now: Vec<(&String, &u64)> = now.into_iter().flatten().collect();
    now.sort_by(|a, b| b.1.cmp(a.1).then_with(|| a.0.cmp(b.0)));
    let before = old.evidence.profiles[table].fields[column].label();
    let mut labels: Vec<&str> = before.into_iter().collect();
    labels.extend(now.into_iter().take(LABELS).map(|(label, _)| label.as_str()));
    labels.retain(|label| !label.trim().is_empty() && !label.contains('"'));
    labels.dedup();
    let path = |label: &str| format!(".//*[normalize-space(.)=\"{label}\"]/following-sibling::text()[1]");
    labels.into_iter().map(path).collect()
}

/// An expression for what tells the values of a column that were found from others that the rule gives.
fn sieve(
    old: &Wrapper,
    new: &Wrapper,
    (table, column): (usize, usize),
    documents: &[&Document],
    labels: &[Rows],
) -> Option<String> {
    let runner = new.runner().ok()?;
    let (mut right, mut wrong) = (Vec::new(), Vec::new());
    for (document, found) in documents.iter().zip(labels) {
        let given = relearn::as_before(&old.record_type, &new.record_type, runner.rows(document));
        let found: BTreeSet<String> = compare::column(found, table, column).into_iter().collect();
        for text in compare::column(&given, table, column) {
            match found.contains(&text) {
                true => right.push(text),
                false => wrong.push(text),
            }
        }
    }
    if right.len() < TOLD.0 || wrong.len() < TOLD.1 {
        return None;
    }
    right.extend(old.evidence.profiles[table].fields[column].samples.iter().cloned());
    let all = |texts: &[String], sign: &Sign, has: bool| texts.iter().all(|text| sign.is_in(text) == has);
    let sign = signs(&right, &wrong).find(|sign| {
        let (has, lacks) = (all(&wrong, sign, true), all(&wrong, sign, false));
        has && all(&right, sign, false) || lacks && all(&right, sign, true)
    })?;
    Some(match sign.is_in(&right[0]) {
        true => format!("[\\s\\S]*{}[\\s\\S]*", sign.class("")),
        false => format!("{}*", sign.class("^")),
    })
}

/// A digit, or a sign that is neither a letter nor a digit.
enum Sign {
    Digit,
    Other(char),
}

impl Sign {
    fn is_in(&self, text: &str) -> bool {
        match self {
            Sign::Digit => text.contains(|c: char| c.is_ascii_digit()),
            Sign::Other(sign) => text.contains(*sign),
        }
    }

    /// The class of it, or with `^` of all others, in a regular expression.
    fn class(&self, not: &str) -> String {
        match self {
            Sign::Digit => format!("[{not}0-9]"),
            Sign::Other(sign) if sign.is_ascii() => format!("[{not}\\{sign}]"),
            Sign::Other(sign) => format!("[{not}{sign}]"),
        }
    }
}

/// The signs of the first right value and of the first other one.
fn signs(right: &[String], wrong: &[String]) -> impl Iterator<Item = Sign> {
    let first = right.iter().take(1).chain(wrong.iter().take(1));
    let signs: BTreeSet<char> = first
        .flat_map(|text| text.chars())
        .filter(|c| !c.is_alphanumeric() && !c.is_whitespace() && !c.is_control())
        .collect();
    std::iter::once(Sign::Digit).chain(signs.into_iter().map(Sign::Other))
}

#[cfg(test)]
mod tests {
    use super::*;
    use page::ParseSettings;
    use record::RecordType;
    use wrapper::rule::paths::Paths;

    fn document(html: &str) -> Document {
        Document::from_source("page", html, &ParseSettings::default()).expect("a small page")
    }

    fn made(each: &str, ways: &[&[&str]], pages: &[Document]) -> Wrapper {
        let way = |path: &&str| Way {
            path: (*path).to_owned(),
            ..Way::default()
        };
        let field = |paths: &&[&str]| PathField {
            many: false,
            ways: paths.iter().map(way).collect(),
        };
        let rule = Paths {
            each: vec![each.to_owned()],
            fields: ways.iter().map(field).collect(),
            ..Paths::default()
        };
        let fields = RecordType::flat("job", ["title", "kind"]);
        Wrapper::made(Rule::Paths(rule), fields, None, pages).expect("a rule that runs")
    }

    const KINDS: [&str; 3] = ["Full-time", "Part-time", "Contract"];

    /// The kind of each job; every fourth has none.
    fn kind(at: usize) -> Option<&'static str> {
        (at % 4 != 1).then(|| KINDS[at % 3])
    }

    /// Checks that the kinds of twelve jobs on a page are read, where the rule has these paths to them and reads too many.
    fn check(record: fn(usize) -> String, ways: &[&str]) {
        let before = |at: usize| format!("<li><b>Job {at}</b> <i>{}</i></li>", kind(at).unwrap_or("On call"));
        let before = [document(&(0..12).map(before).collect::<String>())];
        let old = made("//li", &[&["b"], &["i"]], &before);
        let after = [document(&(0..12).map(record).collect::<String>())];
        let new = made("//div", &[&["b"], ways], &after);
        let row = |at: usize| {
            vec![
                vec![format!("Job {at}")],
                kind(at).map(str::to_owned).into_iter().collect(),
            ]
        };
        let labels: Vec<Rows> = vec![vec![(0..12).map(row).collect()]];
        let documents: Vec<&Document> = after.iter().collect();
        let given = agreement(&old, &new, &documents, &labels).expect("a rule that runs");
        assert!(given[0][1].precision < 1.0);
        let (better, given) = pruned(&old, new, given, &documents, &labels);
        assert_eq!(
            (given[0][1].precision, given[0][1].share),
            (1.0, 1.0),
            "{:?}",
            better.rule
        );
    }

    fn italic(at: usize) -> String {
        kind(at).map(|kind| format!("<i>{kind}</i>")).unwrap_or_default()
    }

    #[test]
    fn a_path_to_the_record_before_is_left_out() {
        check(
            |at| format!("<div><b>Job {at}</b>{}</div>", italic(at)),
            &["i", "preceding::i[1]"],
        );
    }

    #[test]
    fn a_sign_tells_values_from_others() {
        check(
            |at| format!("<div><b>Job {at}</b>{}<i>{at}0 a day</i></div>", italic(at)),
            &["i[1]"],
        );
        check(
            |at| format!("<div><b>Job {at}</b>{}<i>call us!</i></div>", italic(at)),
            &["i[1]"],
        );
    }

    #[test]
    fn a_line_is_read_by_its_label_where_a_record_may_lack_it() {
        fn record(at: usize, line: String) -> String {
            format!(
                "<div><b>Job {at}</b><br>{line}<u>Posted:</u> {}<br></div>",
                ["Monday", "Friday"][at % 2]
            )
        }
        check(
            |at| {
                let line = kind(at).map(|kind| format!("<u>Kind:</u> {kind}<br>"));
                record(at, line.unwrap_or_default())
            },
            &["text()[1]"],
        );
    }
}
