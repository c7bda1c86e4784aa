//! `cargo xtask changes`: sites before and after a redesign. Learns a wrapper on the pages before, and scores it there and
//! on the pages after.

use crate::Options;
use learn::guided::{Lesson, Wanted, learn_guided};
use learn::tend::{Recovered, gather, recover};
use page::Page;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use wrapper::rule::guided::{Guided, GuidedRun};

/// One side of a site.
pub(crate) struct Side {
    pub(crate) wanted: Vec<Wanted>,
    pub(crate) listed: bool,
    pub(crate) pages: Vec<Sample>,
}

/// A page and its records: for each the values of each field.
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
    println!(
        "{:<30} {:>13} {:>13} {:>13} {:>13}",
        "site", "before R/P", "after R/P", "items R/P", "repaired R/P"
    );
    let mut sums = [0.0; 4];
    let mut count = 0.0;
    for site in &sites {
        let name = site.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if options
            .text("sites")
            .is_some_and(|wanted| !wanted.split(',').any(|one| one == name))
        {
            continue;
        }
        let (before, after) = (side(&site.join("before"))?, side(&site.join("after"))?);
        let taught = match learn_guided(&before.wanted, &lessons(&before), before.listed) {
            Ok(taught) => taught,
            Err(trouble) => {
                println!("{name:<30} {trouble}");
                continue;
            }
        };
        let (old, new) = (score(&taught.rule, &before), score(&taught.rule, &after));
        let profile = gather(&before.wanted, &lessons(&before));
        let mut items = Score::default();
        let mut labels: Vec<(usize, Recovered)> = Vec::new();
        for (number, sample) in after.pages.iter().enumerate() {
            let found = recover(&sample.page, &before.wanted, &profile, before.listed);
            let flat: Vec<Vec<(usize, String)>> = found
                .records
                .iter()
                .map(|record| {
                    record
                        .iter()
                        .enumerate()
                        .flat_map(|(field, values)| values.iter().map(move |text| (field, bare(text))))
                        .collect()
                })
                .collect();
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
        let repaired = match learn_guided(&before.wanted, &found, before.listed) {
            Ok(taught) => score(&taught.rule, &after),
            Err(_) => Score {
                asked: 1,
                ..Score::default()
            },
        };
        println!("{name:<30} {old} {new} {items} {repaired}");
        for (sum, more) in sums.iter_mut().zip([
            items.recall(),
            items.precision(),
            repaired.recall(),
            repaired.precision(),
        ]) {
            *sum += more;
        }
        count += 1.0;
        if options.text("show").is_some() {
            for (number, found) in &labels {
                println!(
                    "    {}: {} records, sure {:.2?}",
                    after.pages[*number].name,
                    found.records.len(),
                    found.sure
                );
                for (field, want) in before.wanted.iter().enumerate() {
                    let values: Vec<&String> = found
                        .records
                        .iter()
                        .take(3)
                        .flat_map(|record| record[field].iter().take(3))
                        .collect();
                    let right: Vec<&String> = after.pages[*number]
                        .records
                        .iter()
                        .take(3)
                        .flat_map(|record| record[field].iter().take(3))
                        .collect();
                    println!("      {}: {values:.60?}\n          right {right:.60?}", want.name);
                }
            }
        }
        if options.text("show").is_some() {
            println!("    each {:?}", taught.rule.each);
            for ((want, field), right) in before.wanted.iter().zip(&taught.rule.fields).zip(&taught.right) {
                println!("    {} {right:.2}", want.name);
                field
                    .ways
                    .iter()
                    .for_each(|way| println!("        {} [{}|{}]", way.path, way.after, way.before));
            }
        }
    }
    println!(
        "{count} sites: items {:.3}/{:.3}, repaired {:.3}/{:.3} (recall/precision)",
        sums[0] / count,
        sums[1] / count,
        sums[2] / count,
        sums[3] / count
    );
    Ok(ExitCode::SUCCESS)
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

/// Items that are right, given and asked for.
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

    pub(crate) fn precision(&self) -> f64 {
        match self.given {
            0 => 0.0,
            given => self.right as f64 / given as f64,
        }
    }
}

/// Scores the values of a rule: on lists, those in the right record.
pub(crate) fn score(rule: &Guided, side: &Side) -> Score {
    let mut score = Score::default();
    let Ok(run) = GuidedRun::new(rule) else { return score };
    for sample in &side.pages {
        let found = found(&run, &sample.page);
        add(&mut score, &found, &sample.records);
    }
    score
}

/// What a rule finds on a page: of each record the fields and their values.
pub(crate) fn found(run: &GuidedRun, page: &Page) -> Vec<Vec<(usize, String)>> {
    let records = run.page(page).into_iter().map(|record| {
        let values = record.values.into_iter();
        values.map(|value| (value.field, bare(&value.text))).collect()
    });
    records.collect()
}

/// Compares records with those that should be there: each with the one that it shares most values with, once.
pub(crate) fn add(score: &mut Score, found: &[Vec<(usize, String)>], wanted: &[Vec<Vec<String>>]) {
    let wanted: Vec<Vec<(usize, String)>> = wanted
        .iter()
        .map(|record| {
            record
                .iter()
                .enumerate()
                .flat_map(|(field, values)| values.iter().map(move |text| (field, bare(text))))
                .collect()
        })
        .collect();
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

/// Without white space, as the data is to be compared.
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
        let settings = page::Settings {
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

/// Values of lists are given as they stand in the source.
fn decoded(text: &str) -> String {
    page::source_text(text).into_owned()
}
