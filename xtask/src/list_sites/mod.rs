//! `cargo xtask lists --part sites`, `optional`, `themes`, `hand`, `kept`: made-up sites with lists, endless and seeded, whose records are known.
//!
//! Real sites with known rows are few, and whoever works on inference has seen them. `site` draws sites from a small grammar: how a record is made,
//! its fields, which of them are optional, their labels, what disturbs the list and what is around it. The program infers a wrapper from some pages of a
//! site and reads others, and `tables` says what is right. The shares are printed for each feature of the grammar, so that classes of failure are seen. A
//! feature does not stand alone on its sites, so its share tells where to look, not why.
//!
//! Other grammars are for other questions: `optional` makes records that differ only in an optional text that no class tells, and `themes` imitates how
//! real sites are made: typed by hand in an editor, by programs of around 2000, by today's frameworks. Two of its themes are `kept`: they are for scoring
//! only. `hand` has lists as people type them, with what was seen to go wrong.
//!
//! Wrong data is worse than missing data, so it is counted, too: a site is *mixed up* if a field of the table that counts has values of two attributes.

mod hand;
mod modern;
mod old;
mod optional;
mod site;
mod themes;
mod typed;
mod values;

use crate::Options;
use crate::exalg::{Verdict, plain};
use crate::lists::Maker;
use crate::tables::{Known, Row, score};
use site::{Made, Site};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::process::ExitCode;
use xtask::random::Random;

/// The numbers of records that a page may have.
const COUNTS: [usize; 6] = [1, 2, 3, 5, 12, 40];
/// How many pages a wrapper is made from.
const PAGES: [usize; 3] = [1, 2, 5];
/// How many others are read.
const READ: usize = 3;

/// A site with its pages: those that are learned from, and those that are read.
struct Drawn {
    /// Names of what was drawn.
    features: BTreeSet<String>,
    /// For each attribute of the records what it is called, and the features that it alone has.
    attributes: Vec<(String, Vec<String>)>,
    train: Vec<Made>,
    read: Vec<Made>,
}

/// A site of the first grammar.
fn drawn(seed: u64, number: u64) -> Drawn {
    let mut random = Random::new(seed << 32 ^ number);
    let mut site = Site::draw(&mut random);
    let pages = *random.pick(&PAGES);
    let mut counts: Vec<usize> = (0..pages + READ).map(|_| *random.pick(&COUNTS)).collect();
    if random.chance(40) {
        let same = *random.pick(&COUNTS[2..]);
        counts[..pages].fill(same);
        site.features.insert(format!("rows: always {same}"));
    }
    // One record alone is no list, so a page with some is among those that are learned from.
    let most = counts[..pages].iter().copied().max().unwrap_or(0);
    counts[0] = if most < 3 { *random.pick(&COUNTS[2..]) } else { most };
    if pages > 2 && random.chance(15) {
        counts[1] = 0;
        site.features.insert("rows: none on a page learned from".to_owned());
    }
    if random.chance(15) {
        counts[pages] = 0;
        site.features.insert("rows: none on a page read".to_owned());
    }
    let most = counts[..pages].iter().max().copied().unwrap_or(0);
    site.features.insert(format!("pages: {pages}"));
    site.features.insert(format!("rows: at most {most} learned from"));
    let mut made: Vec<Made> = counts.iter().map(|count| site.page(*count, &mut random)).collect();
    let read = made.split_off(pages);
    let attribute = |at: usize| match site.fields.get(at) {
        Some(field) => {
            let names = vec![
                format!("field: {:?}", field.kind),
                format!("rate: {}", field.rate),
                format!("label: {}", field.label),
            ];
            (format!("{:?} {} {}", field.kind, field.rate, field.label), names)
        }
        None => ("heading".to_owned(), vec!["field: heading of a group".to_owned()]),
    };
    Drawn {
        attributes: (0..site.attributes()).map(attribute).collect(),
        features: site.features,
        train: made,
        read,
    }
}

/// Has a field values of two attributes, in one of the tables? Texts that are values of several attributes do not count.
fn is_mixed_up(known: &[Known], found: &[BTreeMap<String, Vec<Row>>]) -> bool {
    let mut fields: BTreeMap<(&String, &String), BTreeSet<usize>> = BTreeMap::new();
    for (page, tables) in known.iter().zip(found) {
        let mut of: BTreeMap<&str, BTreeSet<usize>> = BTreeMap::new();
        for row in &page.rows {
            for (at, value) in row.iter().enumerate() {
                of.entry(value.as_deref().unwrap_or_default()).or_default().insert(at);
            }
        }
        for (name, rows) in tables.iter().filter(|(name, _)| !name.ends_with("[]")) {
            for (field, text) in rows.iter().flatten().filter(|(_, text)| !text.is_empty()) {
                if let Some(of) = of.get(text.as_str()).filter(|of| of.len() == 1) {
                    fields.entry((name, field)).or_default().extend(of);
                }
            }
        }
    }
    fields.values().any(|of| of.len() > 1)
}

fn known(page: &Made) -> Known {
    let text = |value: &Option<String>| value.as_deref().map(plain);
    Known {
        rows: page.rows.iter().map(|row| row.iter().map(text).collect()).collect(),
        length: plain(&page::source_text(&page.html)).len(),
    }
}

/// Runs the chore.
pub(crate) fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let maker = Maker::new(options)?;
    let method = options.text("method").unwrap_or("auto");
    let (seed, count) = (options.number("seed", 1)?, options.number("count", 200)?);
    let only = options.text("only");
    let draw = match options.text("part") {
        Some("optional") => optional::drawn,
        Some("themes") => themes::drawn,
        Some("hand") => themes::hand,
        Some("kept") => themes::kept,
        _ => drawn,
    };
    let place = match options.text("keep") {
        Some(dir) => PathBuf::from(dir),
        None => std::env::temp_dir().join(format!("sites-{}", std::process::id())),
    };
    let mut features: BTreeMap<String, [usize; 3]> = BTreeMap::new();
    let mut whole = [0, 0];
    let mut mixed_up = 0;
    for number in 0..count {
        let drawn = draw(seed, number);
        if only.is_some_and(|only| {
            !only
                .split(',')
                .all(|only| drawn.features.iter().any(|name| name.contains(only)) || only == number.to_string())
        }) {
            continue;
        }
        let dir = place.join(number.to_string());
        std::fs::create_dir_all(&dir)?;
        let written = |name: &str, pages: &[Made]| -> anyhow::Result<Vec<PathBuf>> {
            let file = |(at, page): (usize, &Made)| {
                let file = dir.join(format!("{name}-{at}.html"));
                std::fs::write(&file, &page.html)?;
                std::fs::write(file.with_extension("json"), serde_json::to_string_pretty(&page.rows)?)?;
                Ok(file)
            };
            pages.iter().enumerate().map(file).collect()
        };
        let (train, read) = (written("learn", &drawn.train)?, written("read", &drawn.read)?);
        let found = maker.tables(method, &train, &read)?;
        let known: Vec<Known> = drawn.read.iter().map(known).collect();
        let verdicts = score(drawn.attributes.len(), &known, &found);
        let is_mixed_up = is_mixed_up(&known, &found);
        mixed_up += usize::from(is_mixed_up);
        if options.text("keep").is_none() {
            std::fs::remove_dir_all(&dir)?;
        }
        // What is not on the pages cannot be learned, and whether its field is empty cannot be told from tables.
        let is_there = |at: usize, pages: &[Made], times: usize| {
            let rows = pages.iter().flat_map(|page| &page.rows);
            rows.filter(|row| row[at].is_some()).count() >= times
        };
        let mut line = String::new();
        let mut right = true;
        for (at, verdict) in verdicts.iter().enumerate() {
            if !is_there(at, &drawn.train, 2) || !is_there(at, &drawn.read, 1) {
                continue;
            }
            right &= *verdict == Verdict::Correct;
            let (said, own) = &drawn.attributes[at];
            let names = drawn.features.iter().chain(own).cloned();
            line += said;
            line += [" WRONG; ", " PARTIAL; ", "; "][*verdict as usize];
            names
                .chain(["all".to_owned()])
                .for_each(|name| features.entry(name).or_default()[*verdict as usize] += 1);
        }
        whole[0] += usize::from(right);
        whole[1] += 1;
        if options.text("show").is_some() && !right {
            let names: Vec<&str> = drawn.features.iter().map(String::as_str).collect();
            let mixed = if is_mixed_up { "MIXED UP " } else { "" };
            println!("{number}: {mixed}{line}\n    {}", names.join("; "));
        }
    }
    println!("| feature | attributes | correct % | partial % | incorrect % |\n|---|--:|--:|--:|--:|");
    for (name, verdicts) in &features {
        let all: usize = verdicts.iter().sum();
        let [incorrect, partial, correct] = verdicts.map(|count| 100.0 * count as f64 / all as f64);
        println!("| {name} | {all} | {correct:.1} | {partial:.1} | {incorrect:.1} |");
    }
    println!("\n{} of {} sites wholly right, {mixed_up} mixed up", whole[0], whole[1]);
    Ok(ExitCode::SUCCESS)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every value is on its page, the first ones in their order, and nothing of a page depends on anything but the seed.
    #[test]
    fn pages_say_what_is_known() {
        for draw in [drawn, optional::drawn, themes::drawn, themes::hand, themes::kept] {
            for number in 0..200 {
                let (one, other) = (draw(7, number), draw(7, number));
                assert_eq!(one.read[0].html, other.read[0].html);
                for made in one.train.iter().chain(&one.read) {
                    let source = made.html.replace("&amp;", "&").replace("&nbsp;", " ");
                    let parsed = page::Page::parse_str(&made.html, &Default::default()).expect("small");
                    let text = plain(parsed.string_value(page::NodeId::DOCUMENT));
                    let mut from = 0;
                    for row in &made.rows {
                        assert_eq!(row.len(), one.attributes.len());
                        let first = plain(row[0].as_deref().expect("every record has the first"));
                        from += text[from..].find(&first).expect("they are in order") + first.len();
                        for value in row.iter().flatten() {
                            let is_said = text.contains(&plain(value)) || source.contains(&format!("=\"{value}\""));
                            assert!(is_said, "{value}: {:?}", one.features);
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn values_of_two_attributes_in_a_field_are_mixed_up() {
        let value = |text: &str| Some(text.to_owned());
        let known = [Known {
            rows: vec![vec![value("Kelp"), value("$5")], vec![value("Moss"), None]],
            length: 100,
        }];
        let page = |two: &str| {
            let row = |text: &str| Row::from([("name".to_owned(), text.to_owned())]);
            [BTreeMap::from([("rows".to_owned(), vec![row("Kelp"), row(two)])])]
        };
        assert!(is_mixed_up(&known, &page("$5")));
        assert!(!is_mixed_up(&known, &page("Moss")));
    }
}
