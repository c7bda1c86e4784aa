//! `cargo xtask changes`: sites before and after a redesign. Learns a wrapper on the pages before, and scores it there
//! and on the pages after.

mod cross;

use crate::Options;
use learn::guided::{Lesson, Wanted, learn_guided};
use page::Page;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use tend::{Recovered, gather, recover};
use wrapper::rule::paths::{Paths, PathsRun};

/// One side of a site.
pub(crate) struct Side {
    pub(crate) wanted: Vec<Wanted>,
    pub(crate) listed: bool,
    pub(crate) pages: Vec<Sample>,
}

/// A page and its records, each with the values of each field.
pub(crate) struct Sample {
    pub(crate) name: String,
    pub(crate) page: Page,
    pub(crate) records: Vec<Vec<Vec<String>>>,
}

pub(crate) fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let data = PathBuf::from(options.text("data").unwrap_or("../shared/bench/changes"));
    let mut sites: Vec<PathBuf> = std::fs::read_dir(&data)?
        .map(|entry| Ok(entry?.path()))
        .collect::<std::io::Result<_>>()?;
    sites.sort();
    sites.retain(|path| path.is_dir());
    if let Some(others) = options.text("cross") {
        return cross::run(options, &sites, others.parse()?);
    }
    println!(
        "{:<30} {:>13} {:>13} {:>13} {:>13}",
        "site", "before R/P", "after R/P", "items R/P", "repaired R/P"
    );
    let mut trust = Trust::default();
    let mut rows: Vec<(String, [f64; 4])> = Vec::new();
    for site in &sites {
        let name = site.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if options
            .text("sites")
            .is_some_and(|wanted| !wanted.split(',').any(|one| one == name))
        {
            continue;
        }
        let (before, after) = (side(&site.join("before"))?, side(&site.join("after"))?);
        let profile = gather(&before.wanted, &lessons(&before));
        let learned = options.text("part").is_none_or(|part| part != "items");
        let mut items = Score::default();
        let mut labels: Vec<(usize, Recovered)> = Vec::new();
        for (number, sample) in after.pages.iter().enumerate() {
            let found = recover(&sample.page, &before.wanted, &profile, before.listed);
            trust.add(&found, &sample.records);
            let flat = flat(&found.records);
            add(&mut items, &flat, &sample.records);
            labels.push((number, found));
        }
        let found: Vec<Lesson<'_>> = labels
            .iter()
            .map(|(number, found)| Lesson {
                name: &after.pages[*number].name,
                page: &after.pages[*number].page,
                records: found.records.clone(),
            })
            .collect();
        let rule = match learned {
            true => learn_guided(&before.wanted, &lessons(&before), before.listed, &page::Job::new())
                .map(|taught| taught.rule),
            false => Ok(Paths::default()),
        };
        let rule = match rule {
            Ok(rule) => rule,
            Err(trouble) => {
                println!("{name:<30} {trouble}");
                continue;
            }
        };
        let (old, new) = (score(&rule, &before), score(&rule, &after));
        let repaired = match learned.then(|| learn_guided(&before.wanted, &found, before.listed, &page::Job::new())) {
            None => items,
            Some(Ok(taught)) => score(&taught.rule, &after),
            Some(Err(_)) => Score {
                asked: 1,
                ..Score::default()
            },
        };
        println!("{name:<30} {old} {new} {items} {repaired}");
        rows.push((
            name.clone(),
            [
                items.recall(),
                items.precision(),
                repaired.recall(),
                repaired.precision(),
            ],
        ));
        if options.text("show").is_some() {
            for (number, found) in &labels {
                println!(
                    "    {}: {} records, sure {:.2?}",
                    after.pages[*number].name,
                    found.records.len(),
                    found.sure
                );
                for (field, want) in before.wanted.iter().enumerate() {
                    let of = |records: &[Vec<Vec<String>>]| -> Vec<String> {
                        records
                            .iter()
                            .flat_map(|record| record[field].iter().cloned())
                            .collect()
                    };
                    let (given, right) = (of(&found.records), of(&after.pages[*number].records));
                    let known: Vec<String> = right.iter().map(|text| bare(text)).collect();
                    let said: Vec<String> = given.iter().map(|text| bare(text)).collect();
                    let wrong: Vec<&String> = given.iter().filter(|text| !known.contains(&bare(text))).collect();
                    let missed: Vec<&String> = right.iter().filter(|text| !said.contains(&bare(text))).collect();
                    println!("      {}: {} given, {} asked for", want.name, given.len(), right.len());
                    for (what, texts) in [("wrong", wrong), ("missed", missed)] {
                        if !texts.is_empty() {
                            println!(
                                "          {what} {}: {:.70?}",
                                texts.len(),
                                &texts[..texts.len().min(4)]
                            );
                        }
                    }
                }
            }
        }
        if options.text("show").is_some_and(|how| how == "rules") {
            println!("    each {:?}", rule.each);
            for (want, field) in before.wanted.iter().zip(&rule.fields) {
                println!("    {}", want.name);
                field
                    .ways
                    .iter()
                    .for_each(|way| println!("        {} [{}|{}]", way.path, way.after, way.before));
            }
        }
    }
    for kind in ["court", "planning", "recipe", ""] {
        let rows: Vec<&[f64; 4]> = rows
            .iter()
            .filter(|(name, _)| name.starts_with(kind))
            .map(|(_, row)| row)
            .collect();
        let mean = |at: usize| rows.iter().map(|row| row[at]).sum::<f64>() / rows.len().max(1) as f64;
        println!(
            "{} sites {kind}: items {:.3}/{:.3}, repaired {:.3}/{:.3} (recall/precision)",
            rows.len(),
            mean(0),
            mean(1),
            mean(2),
            mean(3)
        );
    }
    print!("{trust}");
    Ok(ExitCode::SUCCESS)
}

/// How often fields were right, by how sure they were: the number of fields whose values are mostly right, and the
/// number of fields with values.
#[derive(Default)]
struct Trust([(usize, usize); 10]);

impl Trust {
    fn add(&mut self, found: &Recovered, right: &[Vec<Vec<String>>]) {
        for (field, sure) in found.sure.iter().enumerate() {
            let of = |records: &[Vec<Vec<String>>]| -> Vec<String> {
                let values = records.iter().flat_map(|record| &record[field]);
                values.map(|text| bare(text)).collect()
            };
            let (given, right) = (of(&found.records), of(right));
            let hits = given.iter().filter(|text| right.contains(text)).count();
            if !given.is_empty() {
                let bucket = &mut self.0[((sure * 10.0) as usize).min(9)];
                bucket.0 += usize::from(hits * 2 > given.len());
                bucket.1 += 1;
            }
        }
    }
}

impl std::fmt::Display for Trust {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        writeln!(f, "sure       fields  right")?;
        for (at, (right, all)) in self.0.iter().enumerate().filter(|(_, (_, all))| *all > 0) {
            let (low, high) = (at as f64 / 10.0, (at + 1) as f64 / 10.0);
            writeln!(f, "{low:.1}..{high:.1} {all:>9} {:>6.2}", *right as f64 / *all as f64)?;
        }
        Ok(())
    }
}

pub(crate) fn lessons(side: &Side) -> Vec<Lesson<'_>> {
    side.pages
        .iter()
        .map(|sample| Lesson {
            name: &sample.name,
            page: &sample.page,
            records: sample.records.clone(),
        })
        .collect()
}

/// The numbers of items that are right, that were given and that were wanted.
#[derive(Clone, Copy, Default)]
pub(crate) struct Score {
    pub(crate) right: usize,
    pub(crate) given: usize,
    pub(crate) asked: usize,
}

impl std::fmt::Display for Score {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:>6.2}/{:<6.2}", self.recall(), self.precision())
    }
}

impl Score {
    pub(crate) fn recall(&self) -> f64 {
        self.right as f64 / self.asked.max(1) as f64
    }

    pub(crate) fn f1(&self) -> f64 {
        2.0 * self.right as f64 / (self.given + self.asked).max(1) as f64
    }

    pub(crate) fn precision(&self) -> f64 {
        match self.given {
            0 => 0.0,
            given => self.right as f64 / given as f64,
        }
    }
}

/// Scores the values of a rule; on lists, only those in the right record count.
pub(crate) fn score(rule: &Paths, side: &Side) -> Score {
    let mut score = Score::default();
    let Ok(run) = PathsRun::new(rule) else { return score };
    for sample in &side.pages {
        let found = found(&run, &sample.page);
        add(&mut score, &found, &sample.records);
    }
    score
}

/// What a rule finds on a page: for each record the fields and their values.
pub(crate) fn found(run: &PathsRun, page: &Page) -> Vec<Vec<(usize, String)>> {
    let records = run.page(page).into_iter().map(|record| {
        let values = record.values.into_iter();
        values.map(|value| (value.field, bare(&value.text))).collect()
    });
    records.collect()
}

/// Compares records with the expected ones. Each is paired, once, with the one with which it shares the most values.
pub(crate) fn add(score: &mut Score, found: &[Vec<(usize, String)>], wanted: &[Vec<Vec<String>>]) {
    let wanted = flat(wanted);
    score.given += found.iter().map(Vec::len).sum::<usize>();
    score.asked += wanted.iter().map(Vec::len).sum::<usize>();
    let mut used = vec![false; wanted.len()];
    for (number, record) in found.iter().enumerate() {
        let shared = |other: &Vec<(usize, String)>| -> usize {
            let mut left: Vec<&(usize, String)> = other.iter().collect();
            let mut hits = 0;
            for value in record {
                if let Some(at) = left.iter().position(|known| *known == value) {
                    left.swap_remove(at);
                    hits += 1;
                }
            }
            hits
        };
        let best = wanted
            .iter()
            .enumerate()
            .filter(|(at, _)| !used[*at])
            .map(|(at, other)| (shared(other), std::cmp::Reverse(at.abs_diff(number)), at))
            .max();
        if let Some((hits, _, at)) = best.filter(|(hits, ..)| *hits > 0) {
            used[at] = true;
            score.right += hits;
        }
    }
}

/// The values of records with the numbers of their fields.
fn flat(records: &[Vec<Vec<String>>]) -> Vec<Vec<(usize, String)>> {
    records
        .iter()
        .map(|record| {
            record
                .iter()
                .enumerate()
                .flat_map(|(field, values)| values.iter().map(move |text| (field, bare(text))))
                .collect()
        })
        .collect()
}

/// Removes white space, as is usual when values of this data are compared.
pub(crate) fn bare(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace() && *c != '\u{a0}').collect()
}

/// Reads one side of a site.
pub(crate) fn side(folder: &Path) -> anyhow::Result<Side> {
    let text = std::fs::read_to_string(folder.join("expected.json"))?;
    let told: Value = serde_json::from_str(&text)?;
    let listed = told["kind"] != "detail";
    let strings = |value: &Value| -> Vec<String> {
        value
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(|text| text.as_str().map(str::to_owned))
            .collect()
    };
    let many = strings(&told["multi"]);
    let names = strings(&told["attributes"]);
    let wanted = names
        .iter()
        .map(|name| Wanted {
            name: name.clone(),
            many: many.contains(name),
        })
        .collect();
    let mut pages = Vec::new();
    for (name, page) in told["pages"].as_object().into_iter().flatten() {
        let bytes = std::fs::read(folder.join(name))?;
        let charset = told["page_encoding"][name].as_str().or(told["encoding"].as_str());
        let records = match listed {
            true => page
                .as_array()
                .into_iter()
                .flatten()
                .map(|tuple| {
                    tuple
                        .as_array()
                        .into_iter()
                        .flatten()
                        .map(|value| value.as_str().map(decoded).into_iter().collect())
                        .collect()
                })
                .collect(),
            false => vec![names.iter().map(|name| strings(&page[name])).collect()],
        };
        let settings = page::ParseSettings {
            charset: charset.map(str::to_owned),
            ..Default::default()
        };
        pages.push(Sample {
            name: name.clone(),
            page: Page::parse(&bytes, &settings)?,
            records,
        });
    }
    Ok(Side { wanted, listed, pages })
}

/// Decodes a value; values of lists are given as they are in the source.
fn decoded(text: &str) -> String {
    page::source_text(text).into_owned()
}
