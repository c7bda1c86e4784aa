//! The path to the records of a page.
//!
//! Paths that lead to the records of the examples are made from them (`each_ways`), some of which leave out what is not a record:
//! rows with the names of columns, blank cells, rows that lack fields. The one that gives the records of all examples best is
//! the first. Trust decides among those that fit equally well, and pages without examples do: most fields must find something in what
//! a path leads to there. Others that lean on something else are kept beside it. Where one path is not enough, several are joined (`lists`).

use super::fields::values_of;
use super::found::sign;
use super::paths::{self, Hints};
use super::records::holds;
use super::trust::{self, Trust, Weights};
use super::{Lesson, lists, unseen};
use oxpath::{Query, Value};
use page::{NodeId, Page};
use std::collections::{BTreeSet, HashMap, HashSet};
use wrapper::profile::Spot;
use wrapper::rule::paths::{Paths, PathsRun};

/// The most records that are looked at on a page without examples.
const RECORDS: usize = 50;
/// The number of pages that paths are made from.
const SOURCES: usize = 3;
/// How many paths to the records are kept. Only the first two may fit the examples a little worse than the best.
const KEPT: usize = 3;

/// The paths to the records.
pub(super) fn learn(
    lessons: &[Lesson<'_>],
    contexts: &[Vec<Option<NodeId>>],
    (also, weights): (&[&Page], &Weights),
    rule: &Paths,
) -> Vec<String> {
    let sets = sets(lessons, contexts);
    let mut scored: Vec<Scored> = Vec::new();
    for (trust, path) in most_trusted(each_ways(lessons, &sets, rule), weights) {
        let Ok(query) = Query::compile(&path.text) else {
            continue;
        };
        scored.push(Scored {
            fits: fit(&query, &sets) * trust::EXAMPLES,
            trust,
            path,
        });
    }
    scored.sort_by(|a, b| b.score().total_cmp(&a.score()));
    weigh(&mut scored, also, rule);
    let fits = scored.first().map_or(0.0, |best| best.fits / trust::EXAMPLES);
    if let Some(all) = lists::united(fits, &sets, |some| {
        most_trusted(each_ways(lessons, some, rule), weights)
    }) {
        return vec![all];
    }
    let mut kept: Vec<paths::Path> = Vec::new();
    let (top, exact) = scored.first().map_or((0.0, 0.0), |best| (best.score(), best.fits));
    for scored in scored {
        let (score, fits, path) = (scored.score(), scored.fits, scored.path);
        let is_other = score > top - 1.0 && kept.iter().all(|kept| kept.leans != path.leans);
        if is_other && (kept.len() < 2 || kept.len() < KEPT && fits > exact - 1e-9) {
            kept.push(path);
        }
    }
    kept.into_iter().map(|path| path.text).collect()
}

/// Pages with their records.
pub(super) type Sets<'p> = Vec<(&'p Page, Vec<NodeId>)>;

pub(super) fn sets<'p>(lessons: &[Lesson<'p>], contexts: &[Vec<Option<NodeId>>]) -> Sets<'p> {
    let each = lessons.iter().zip(contexts);
    each.map(|(lesson, contexts)| (lesson.page, contexts.iter().flatten().copied().collect()))
        .collect()
}

/// What a missing record counts, compared with something else that is taken for one: the names of columns as a record are wrong data. This is
/// the usual F measure with weight one half.
const MISSED: f64 = 0.25;

/// How well a path gives these records, from 0 to 1.
pub(super) fn fit(query: &Query, sets: &Sets<'_>) -> f64 {
    let each = sets.iter().map(|(page, nodes)| {
        let Ok(Value::Nodes(got)) = query.evaluate(page) else {
            return 0.0;
        };
        let hits = got.iter().filter(|node| nodes.binary_search(node).is_ok()).count() as f64;
        let all = MISSED * nodes.len() as f64 + got.len() as f64;
        (1.0 + MISSED) * hits / all.max(1.0)
    });
    each.sum::<f64>() / sets.len().max(1) as f64
}

/// Paths to records, each once, the most trusted first.
pub(super) fn most_trusted(found: Vec<paths::Path>, weights: &Weights) -> Vec<(f64, paths::Path)> {
    let mut found: Vec<(f64, paths::Path)> = found
        .into_iter()
        .map(|path| (weights.of_records(&path.trust), path))
        .collect();
    found.sort_by(|(trust, a), (other, b)| {
        other
            .total_cmp(trust)
            .then_with(|| a.text.len().cmp(&b.text.len()))
            .then_with(|| a.text.cmp(&b.text))
    });
    found.dedup_by(|(_, a), (_, b)| a.text == b.text);
    found
}

/// The paths to the records to choose from.
pub(super) fn each_ways(lessons: &[Lesson<'_>], sets: &Sets<'_>, rule: &Paths) -> Vec<paths::Path> {
    let values: HashSet<String> = lessons.iter().flat_map(values_of).collect();
    let hints = Hints {
        values: &values,
        name: "",
        shared: None,
        others: &[],
    };
    let mut found: Vec<paths::Path> = Vec::new();
    for (page, nodes) in sets.iter().filter(|(_, nodes)| !nodes.is_empty()).take(SOURCES) {
        found.extend(paths::to_many(page, NodeId::DOCUMENT, nodes, hints));
        // Outliers must not affect the rest: take the nodes that look like most.
        let look = |node: NodeId| {
            sign(
                page,
                &Spot {
                    node,
                    before: String::new(),
                    behind: String::new(),
                },
            )
        };
        let mut looks: HashMap<String, Vec<NodeId>> = HashMap::new();
        for node in nodes {
            looks.entry(look(*node)).or_default().push(*node);
        }
        if let Some(most) = looks
            .values()
            .max_by_key(|nodes| (nodes.len(), std::cmp::Reverse(nodes[0])))
            .filter(|_| looks.len() > 1)
        {
            found.extend(paths::to_many(page, NodeId::DOCUMENT, most, hints));
        }
    }
    // Rows that are not records lack fields that records have.
    let must: Vec<String> = rule
        .fields
        .iter()
        .filter_map(|field| {
            field
                .ways
                .iter()
                .find(|way| way.path != "." && !way.path.contains("::"))
        })
        .map(|way| match way.after.trim().is_empty() {
            true => format!("[{}]", way.path),
            false => format!(
                "[{}[contains(normalize-space(.), {})]]",
                way.path,
                paths::literal(way.after.trim())
            ),
        })
        .collect();
    let mut narrowed = Vec::new();
    for path in &found {
        narrowed.extend(without_others(path, sets, rule));
        for must in &must {
            narrowed.push(paths::Path {
                text: format!("{}{must}", path.text),
                trust: path.trust * trust::ONE_CONDITION,
                leans: path.leans,
                tells: path.tells,
            });
        }
        if must.len() > 1 {
            narrowed.push(paths::Path {
                text: format!("{}{}", path.text, must.concat()),
                trust: path.trust * trust::ALL_CONDITIONS,
                leans: path.leans,
                tells: path.tells,
            });
        }
    }
    found.extend(narrowed);
    found
}

/// A path to the records, how well it fits the examples, and how far it is trusted.
struct Scored {
    fits: f64,
    trust: f64,
    path: paths::Path,
}

impl Scored {
    fn score(&self) -> f64 {
        self.fits + self.trust
    }
}

/// Tries paths to records that fit the examples equally well on pages without examples: most fields must find something in
/// what they lead to.
fn weigh(scored: &mut [Scored], also: &[&Page], rule: &Paths) {
    let Ok(run) = PathsRun::new(rule) else { return };
    let best = scored.first().map_or(0.0, |best| best.fits);
    let count = scored.iter().take_while(|path| path.fits > best - 1e-9).count();
    if also.is_empty() || count < 2 {
        return;
    }
    let scored = &mut scored[..count.min(unseen::WAYS)];
    let fields = rule.fields.iter().filter(|field| !field.ways.is_empty()).count();
    for scored in scored.iter_mut() {
        let Ok(query) = Query::compile(&scored.path.text) else {
            continue;
        };
        let (mut full, mut all, mut none) = (0, 0, 0);
        for page in also.iter().take(unseen::MOST) {
            let nodes = match query.evaluate(page) {
                Ok(Value::Nodes(nodes)) => nodes,
                _ => continue,
            };
            none += usize::from(nodes.is_empty());
            for node in nodes.iter().take(RECORDS) {
                let has = (0..rule.fields.len()).filter(|field| !run.field(page, *node, *field).is_empty());
                full += usize::from(has.count() * 2 >= fields);
                all += 1;
            }
        }
        let share = full as f64 / (all + none).max(1) as f64;
        scored.trust *= 1.0 - trust::UNSEEN * (1.0 - share);
    }
    scored.sort_by(|a, b| b.score().total_cmp(&a.score()));
}

/// The path without what it finds besides the records: most often rows with the names of columns, or blank cells.
fn without_others(path: &paths::Path, sets: &Sets<'_>, rule: &Paths) -> Vec<paths::Path> {
    let Ok(query) = Query::compile(&path.text) else {
        return Vec::new();
    };
    let mut others: Vec<(&Page, Vec<NodeId>)> = Vec::new();
    let mut leading = Some(0);
    let mut blank = true;
    for (page, nodes) in sets {
        let Ok(Value::Nodes(got)) = query.evaluate(page) else {
            return Vec::new();
        };
        let (hits, rest): (Vec<NodeId>, Vec<NodeId>) = got.iter().partition(|node| nodes.binary_search(node).is_ok());
        blank &= rest.iter().all(|node| page.string_value(*node).trim().is_empty());
        if hits.len() < nodes.len() || rest.len() > nodes.len() && !blank {
            return Vec::new();
        }
        // A list without any record is another list, not a row of headings.
        let is_beside = |node: &NodeId| {
            let list = page.ancestors(*node).find(|up| !is_part_of_table(page, *up));
            list.is_some_and(|list| hits.iter().any(|hit| holds(page, list, *hit)))
        };
        if !blank && !rest.iter().all(is_beside) {
            return Vec::new();
        }
        // How many of them are before the records, and none after.
        let first = hits.first().copied().unwrap_or(NodeId::DOCUMENT);
        let before = rest.iter().all(|node| *node < first).then_some(rest.len());
        leading = match leading {
            Some(0) if !sets.is_empty() => before,
            leading => leading.filter(|leading| before == Some(*leading)),
        };
        others.push((page, rest));
    }
    if others.iter().all(|(_, rest)| rest.is_empty()) {
        return Vec::new();
    }
    let with = |condition: String, factor: Trust| paths::Path {
        text: format!("{}{condition}", path.text),
        trust: path.trust * factor,
        leans: path.leans,
        tells: path.tells,
    };
    if blank {
        let text = paths::spaced("\u{a0}");
        return vec![with(format!("[{text}]"), trust::NOT_HEADINGS)];
    }
    let mut found = Vec::new();
    // By what they say in place of a value.
    let is_record = have_numbers(rule, &others, sets);
    for way in rule
        .fields
        .iter()
        .filter(|_| !is_record)
        .filter_map(|field| field.ways.first())
    {
        let Some(at) = Some(&way.path).filter(|path| *path != "." && !path.contains("::")) else {
            continue;
        };
        let Ok(query) = Query::compile(at) else { continue };
        let said = |page: &Page, node: NodeId| said(&query, page, node);
        let mut words: BTreeSet<String> = BTreeSet::new();
        let each = others
            .iter()
            .flat_map(|(page, rest)| rest.iter().map(|node| said(page, *node)));
        let all_say = each.fold(true, |all, said| match said {
            Some(said) if said.len() <= 60 && said.chars().any(char::is_alphabetic) => {
                words.insert(said);
                all
            }
            _ => false,
        });
        let is_value = |word: &String| {
            let mut records = sets
                .iter()
                .flat_map(|(page, nodes)| nodes.iter().map(|node| said(page, *node)));
            records.any(|said| said.as_ref() == Some(word))
        };
        if all_say && words.len() <= 2 && !words.iter().any(is_value) {
            let not = words
                .iter()
                .map(|word| format!("[not({at}[normalize-space(.)={}])]", paths::literal(word)));
            found.push(with(not.collect(), trust::NOT_HEADINGS));
        }
    }
    if let Some(count) = leading.filter(|count| *count > 0) {
        found.push(with(format!("[position() > {count}]"), trust::NOT_FIRST));
    }
    found
}

/// Does one of the others say a number where all records do? Then it is a record that was not found, and not the names of columns.
fn have_numbers(rule: &Paths, others: &[(&Page, Vec<NodeId>)], sets: &Sets<'_>) -> bool {
    let Ok(run) = PathsRun::new(rule) else {
        return false;
    };
    (0..rule.fields.len()).any(|field| {
        let is_number = |page: &Page, node: &NodeId| {
            let values = run.field(page, *node, field);
            values
                .iter()
                .any(|value| value.text.chars().any(|c| c.is_ascii_digit()))
        };
        sets.iter()
            .all(|(page, nodes)| nodes.iter().all(|node| is_number(page, node)))
            && others
                .iter()
                .any(|(page, rest)| rest.iter().any(|node| is_number(page, node)))
    })
}

/// The first value that a path finds in a node.
fn said(query: &Query, page: &Page, node: NodeId) -> Option<String> {
    match query.evaluate_at(page, node) {
        Ok(Value::Nodes(nodes)) => nodes.first().map(|node| wrapper::rule::paths::value(page, *node)),
        _ => None,
    }
}

/// Is it a group of rows of a table?
fn is_part_of_table(page: &Page, node: NodeId) -> bool {
    matches!(page.name(node), "thead" | "tbody" | "tfoot")
}

#[cfg(test)]
mod tests {
    use super::*;
    use wrapper::rule::paths::{PathField, Way};

    /// What leaves out the second item of a list: by its words only if it is not like the records.
    fn check(odd: &str, expected: &[&str]) {
        let item = |text: &str| format!("<li>{text}</li>");
        let text = [
            "<b>Ash</b> <i>$4</i>",
            odd,
            "<b>Elm</b> <i>$7</i>",
            "<b>Fir</b> <i>$9</i>",
        ]
        .map(item);
        let page = Page::parse(
            format!("<ul>{}</ul>", text.concat()).as_bytes(),
            &page::ParseSettings::default(),
        )
        .expect("a page");
        let items: Vec<NodeId> = page
            .elements()
            .iter()
            .copied()
            .filter(|node| page.name(*node) == "li")
            .collect();
        let sets = vec![(&page, vec![items[0], items[2], items[3]])];
        let field = |path: &str| PathField {
            ways: vec![Way {
                path: path.to_owned(),
                ..Way::default()
            }],
            ..PathField::default()
        };
        let rule = Paths {
            fields: vec![field("b"), field("i")],
            ..Paths::default()
        };
        let path = paths::Path {
            text: "//li".to_owned(),
            trust: Trust::FULL,
            leans: paths::Leans::Name,
            tells: paths::Tells::Yes,
        };
        let found = without_others(&path, &sets, &rule);
        let found: Vec<&str> = found.iter().map(|path| path.text.as_str()).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn a_record_that_was_not_found_is_not_left_out_by_its_words() {
        check(
            "<b>Trees</b> <i>Price</i>",
            &[
                "//li[not(b[normalize-space(.)=\"Trees\"])]",
                "//li[not(i[normalize-space(.)=\"Price\"])]",
            ],
        );
        check("<b>Oak</b> <i>$6</i>", &[]);
    }
}
