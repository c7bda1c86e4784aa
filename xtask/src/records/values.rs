//! Learns from values as a person would give them, and tries the wrapper on unseen pages.

use super::data::{Page, Set};
use learn::label::{Wanted, place};
use learn::{Allow, DelimiterSettings, Example, check_labels, learn_best};
use std::time::Instant;
use wrapper::rule::{Delimiters, Found, Program};

/// The positions of the values of a page, or why they could not be found.
fn placed(set: &Set, page: &Page) -> Result<Vec<Found>, String> {
    let wanted = wanted(set, page);
    let placing = place(&page.text, &wanted).map_err(|error| format!("{}: {error:?}", page.name))?;
    Ok(placing.values)
}

/// The values that a person would write down, in page order; a value above several tuples only once.
fn wanted(set: &Set, page: &Page) -> Vec<Wanted> {
    let mut out = Vec::new();
    if set.tree {
        for (tuple, value) in page.values.iter().enumerate() {
            let text = page::source_text(&page.text[value.range()]).into_owned();
            if !text.is_empty() {
                out.push(Wanted {
                    field: value.field as usize,
                    text,
                    tuple,
                });
            }
        }
        return out;
    }
    let mut header: Option<&[Option<String>]> = None;
    for (tuple, values) in page.tuples.iter().enumerate() {
        let above = &values[..set.headers];
        let repeats = set.headers > 0 && header == Some(above);
        header = Some(above);
        for (field, value) in values.iter().enumerate().skip(if repeats { set.headers } else { 0 }) {
            if let Some(text) = value.as_ref().filter(|text| !text.trim().is_empty()) {
                out.push(Wanted {
                    field,
                    text: text.clone(),
                    tuple,
                });
            }
        }
    }
    out
}

/// Prints what was learned from all pages, or why nothing was.
fn explain(set: &Set, learned: &Result<Delimiters, String>) {
    match learned {
        Err(reason) => println!("- {}: {reason}", set.name),
        Ok(rule) => describe(set, rule),
    }
}

fn describe(set: &Set, rule: &Delimiters) {
    let outer = [&rule.head, &rule.tail, &rule.open, &rule.close];
    println!("- {} {}: {outer:?}", set.name, rule.class);
    for (edges, name) in rule.fields.iter().zip(&set.attributes) {
        let lefts: Vec<String> = edges
            .left
            .iter()
            .map(|left| {
                let from = left.from.map_or(String::new(), |from| format!("{from}: "));
                let skips: Vec<String> = left.skips.iter().map(|skip| format!("{skip:?} then ")).collect();
                format!("{from}{}{:?}", skips.concat(), left.text)
            })
            .collect();
        let optional = if edges.optional { ", optional" } else { "" };
        println!("    - {name}: {} … {:?}{optional}", lefts.join(" | "), edges.right);
    }
}

/// Prints where a rule first fails on a page.
fn difference(set: &Set, rule: &Delimiters, page: &Page) {
    let (got, expected) = compared(set, rule, page);
    let at = got.iter().zip(&expected).take_while(|(a, b)| a == b).count();
    if got != expected {
        let (got, expected) = (got.get(at), expected.get(at));
        print!("  ");
        describe(set, rule);
        println!("  - {}: value {at}: found {got:?}, expected {expected:?}", page.name);
    }
}

/// Does a rule give the tuples of a page, as text?
fn right(set: &Set, rule: &Delimiters, page: &Page) -> bool {
    let (got, expected) = compared(set, rule, page);
    got == expected
}

type Texts = Vec<(usize, String)>;

/// What a rule finds on a page, and what it should find, as text.
fn compared(set: &Set, rule: &Delimiters, page: &Page) -> (Texts, Texts) {
    let Ok(program) = Program::new(rule) else {
        return (vec![(0, "no program".to_owned())], Texts::new());
    };
    let found = program.apply(&page.text);
    let text = |text: &str| page::source_text(text).into_owned();
    let got: Texts = found
        .values
        .iter()
        .map(|value| (value.field as usize, text(&page.text[value.range()])))
        .filter(|(_, text)| !text.is_empty())
        .collect();
    let mut expected: Texts = Vec::new();
    for (number, value) in wanted(set, page).into_iter().enumerate() {
        // Some sets have values as a reader sees them, some as they are in the source: both are accepted.
        let seen = value.text.split_whitespace().collect::<Vec<_>>().join(" ");
        let same = got.get(number).is_some_and(|(_, got)| *got == seen);
        expected.push((value.field, if same { seen } else { text(&value.text) }));
    }
    (got, expected)
}

/// Runs all sets, or one of them with what was learned and where it fails.
pub(crate) fn run(sets: &[Set], only: Option<&str>) {
    println!("## By value, on pages not shown\n");
    println!(
        "For each page in turn: the wrapper is learned from the values of the others (at most nine) and tried on it.\n"
    );
    println!(
        "| set | placed as labelled | class learned from all | ms | pages right | why not |\n|---|--:|---|--:|--:|---|"
    );
    let (mut perfect, mut counted) = (0, 0);
    for set in sets
        .iter()
        .filter(|set| only.is_none_or(|only| set.name.contains(only)))
    {
        let places: Vec<Result<Vec<Found>, String>> = set.pages.iter().map(|page| placed(set, page)).collect();
        let same = |(page, placed): (&Page, &Result<Vec<Found>, String>)| {
            placed.as_ref().is_ok_and(|placed| {
                let kept: Vec<Found> = page
                    .values
                    .iter()
                    .copied()
                    .filter(|v| !page.text[v.range()].trim().is_empty())
                    .collect();
                learn_alike(&page.text, placed, &kept)
            })
        };
        let as_labelled = set.pages.iter().zip(&places).filter(|(p, q)| same((p, q))).count();
        let examples: Vec<Option<Example<'_>>> = set
            .pages
            .iter()
            .zip(&places)
            .map(|(page, placed)| {
                placed.as_ref().ok().map(|values| Example {
                    name: &page.name,
                    text: &page.text,
                    values: values.clone(),
                })
            })
            .collect();
        let settings = DelimiterSettings {
            allow: Allow::ALL,
            soft: true,
            ..DelimiterSettings::default()
        };
        let learn = |left_out: Option<usize>| -> Result<Delimiters, String> {
            let some: Vec<Example<'_>> = (0..set.pages.len())
                .filter(|page| Some(*page) != left_out)
                .filter_map(|page| examples[page].clone())
                .collect();
            check_labels(set.attributes.len(), &some).map_err(|error| error.to_string())?;
            learn_best(set.attributes.len(), &some, &settings, &page::Job::new())
                .map(|learned| learned.rule)
                .map_err(|reasons| {
                    let words = reasons.iter().rev();
                    let words =
                        words.map(|reason| format!("{}: {}", reason.class, reason.describe(&set.attributes, &[])));
                    let words: Vec<String> = words.collect();
                    words.join("; ")
                })
        };
        let start = Instant::now();
        let all = learn(None);
        let time = start.elapsed();
        let mut why = places
            .iter()
            .find_map(|placed| placed.as_ref().err().cloned())
            .unwrap_or_default();
        if only.is_some() {
            explain(set, &all);
        }
        let mut good = 0;
        for (number, page) in set.pages.iter().enumerate() {
            // A set with one page has no unseen pages.
            let rule = if set.pages.len() > 1 {
                learn(Some(number))
            } else {
                Err("one page only".to_owned())
            };
            if only.is_some()
                && let Ok(rule) = &rule
            {
                difference(set, rule, page);
            }
            match rule {
                Ok(rule) if right(set, &rule, page) => good += 1,
                Ok(_) if why.is_empty() => why = format!("{} differs", page.name),
                Err(reason) if why.is_empty() => why = reason,
                _ => {}
            }
        }
        let learned = match &all {
            Ok(rule) => format!("{}{}", rule.class, if rule.is_pure() { "" } else { "+" }),
            Err(reason) => {
                if why.is_empty() {
                    why.clone_from(reason)
                }
                "none".to_owned()
            }
        };
        counted += 1;
        perfect += usize::from(good == set.pages.len());
        let why: String = why.replace(['|', '\n'], " ").chars().take(120).collect();
        println!(
            "| {} | {}/{} | {} | {:.0} | {}/{} | {} |",
            set.name,
            as_labelled,
            set.pages.len(),
            learned,
            time.as_secs_f64() * 1000.0,
            good,
            set.pages.len(),
            why
        );
    }
    println!(
        "\nPerfect on every page not shown: {perfect} of {counted} sets ({:.0} %).\n",
        100.0 * perfect as f64 / counted as f64
    );
}

fn learn_alike(text: &str, one: &[Found], other: &[Found]) -> bool {
    one.len() == other.len()
        && one.iter().zip(other).all(|(a, b)| {
            a.field == b.field
                && (a == b
                    || (a.start < b.end
                        && b.start < a.end
                        && page::source_text(&text[a.range()]) == page::source_text(&text[b.range()])))
        })
}
