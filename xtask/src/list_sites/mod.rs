//! `cargo xtask lists --part sites`: made-up sites with lists, endless and seeded, whose records are known.
//!
//! Real sites with known rows are few, and whoever works on inference has seen them. `site` draws sites from a small grammar: how a record is made,
//! its fields, which of them are optional, their labels, what disturbs the list and what is around it. The program infers a wrapper from some pages of a
//! site and reads others, and `tables` says what is right. The shares are printed for each feature of the grammar, so that classes of failure are seen. A
//! feature does not stand alone on its sites, so its share tells where to look, not why.

mod site;
mod values;

use crate::Options;
use crate::exalg::{Verdict, plain};
use crate::lists::Maker;
use crate::tables::{Known, score};
use site::{Made, Site};
use std::collections::BTreeMap;
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
    site: Site,
    train: Vec<Made>,
    read: Vec<Made>,
}

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
    Drawn {
        site,
        train: made,
        read,
    }
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
    let place = match options.text("keep") {
        Some(dir) => PathBuf::from(dir),
        None => std::env::temp_dir().join(format!("sites-{}", std::process::id())),
    };
    let mut features: BTreeMap<String, [usize; 3]> = BTreeMap::new();
    let mut whole = [0, 0];
    for number in 0..count {
        let drawn = drawn(seed, number);
        let site = &drawn.site;
        if only.is_some_and(|only| {
            !only
                .split(',')
                .all(|only| site.features.iter().any(|name| name.contains(only)) || only == number.to_string())
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
        let verdicts = score(site.attributes(), &known, &found);
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
            let mut names: Vec<String> = site.features.iter().cloned().collect();
            match site.fields.get(at) {
                Some(field) => {
                    names.push(format!("field: {:?}", field.kind));
                    names.push(format!("rate: {}", field.rate));
                    names.push(format!("label: {}", field.label));
                    line += &format!("{:?} {} {}", field.kind, field.rate, field.label);
                }
                None => {
                    names.push("field: heading of a group".to_owned());
                    line += "heading";
                }
            }
            line += [" WRONG; ", " PARTIAL; ", "; "][*verdict as usize];
            names.push("all".to_owned());
            names
                .into_iter()
                .for_each(|name| features.entry(name).or_default()[*verdict as usize] += 1);
        }
        whole[0] += usize::from(right);
        whole[1] += 1;
        if options.text("show").is_some() && !right {
            let names: Vec<&str> = site.features.iter().map(String::as_str).collect();
            println!("{number}: {line}\n    {}", names.join("; "));
        }
    }
    println!("| feature | attributes | correct % | partial % | incorrect % |\n|---|--:|--:|--:|--:|");
    for (name, verdicts) in &features {
        let all: usize = verdicts.iter().sum();
        let [incorrect, partial, correct] = verdicts.map(|count| 100.0 * count as f64 / all as f64);
        println!("| {name} | {all} | {correct:.1} | {partial:.1} | {incorrect:.1} |");
    }
    println!("\n{} of {} sites wholly right", whole[0], whole[1]);
    Ok(ExitCode::SUCCESS)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every value is on its page, the titles in their order, and nothing of a page depends on anything but the seed.
    #[test]
    fn pages_say_what_is_known() {
        for number in 0..300 {
            let (one, other) = (drawn(7, number), drawn(7, number));
            assert_eq!(one.read[0].html, other.read[0].html);
            for made in one.train.iter().chain(&one.read) {
                let source = made.html.replace("&amp;", "&").replace("&nbsp;", " ");
                let parsed = page::Page::parse_str(&made.html, &Default::default()).expect("small");
                let text = plain(parsed.string_value(page::NodeId::DOCUMENT));
                let mut from = 0;
                for row in &made.rows {
                    assert_eq!(row.len(), one.site.attributes());
                    let title = plain(row[0].as_deref().expect("every record has a title"));
                    from += text[from..].find(&title).expect("titles are in order") + title.len();
                    for (value, field) in row.iter().zip(&one.site.fields) {
                        let Some(value) = value else { continue };
                        match field.kind.is_text() {
                            true => assert!(text.contains(&plain(value)), "{value}"),
                            false => assert!(source.contains(&format!("=\"{value}\"")), "{value}"),
                        }
                    }
                }
            }
        }
    }
}
