//! `cargo xtask changes --cross n`: a harder test on the same pages. The profile of a site's fields is used to find
//! values on the pages of *other* sites that have such fields. Values, classes and labels are shared only by chance, so
//! what is found is found by what fields look like in general. Each site is searched with the profiles of `n` others.

use super::{Score, Side, add, bare, side};
use crate::Options;
use learn::guided::Lesson;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use tend::{gather, recover};

/// One side of a site, with only some of its fields.
fn only(side: &Side, names: &[String]) -> Side {
    let picked: Vec<usize> = names
        .iter()
        .filter_map(|name| side.wanted.iter().position(|want| want.name == *name))
        .collect();
    let pages = side.pages.iter().map(|sample| super::Sample {
        name: sample.name.clone(),
        page: sample.page.clone(),
        records: sample
            .records
            .iter()
            .map(|record| picked.iter().map(|field| record[*field].clone()).collect())
            .collect(),
    });
    Side {
        wanted: picked.iter().map(|field| side.wanted[*field].clone()).collect(),
        listed: side.listed,
        pages: pages.collect(),
    }
}

/// Both sides of a site, or the only one.
fn sides(site: &Path) -> anyhow::Result<(Side, Side)> {
    let of = |name: &str| match site.join(name).is_dir() {
        true => side(&site.join(name)),
        false => side(site),
    };
    Ok((of("before")?, of("after")?))
}

pub(super) fn run(options: &Options, sites: &[PathBuf], others: usize) -> anyhow::Result<ExitCode> {
    let all: Vec<(String, Side, Side)> = sites
        .iter()
        .map(|site| {
            let (before, after) = sides(site)?;
            let name = site.file_name().unwrap_or_default().to_string_lossy().into_owned();
            Ok((name, before, after))
        })
        .collect::<anyhow::Result<_>>()?;
    let mut trust = super::Trust::default();
    let (mut recall, mut precision, mut count) = (0.0, 0.0, 0.0);
    for (at, (name, _, after)) in all.iter().enumerate() {
        let mut line = String::new();
        let mut tried = 0;
        for step in 1..all.len() {
            let (other, before, _) = &all[(at + step) % all.len()];
            let names: Vec<String> = after
                .wanted
                .iter()
                .filter(|want| before.wanted.contains(want))
                .map(|want| want.name.clone())
                .collect();
            if names.len() < 2 || before.listed != after.listed || tried == others {
                continue;
            }
            tried += 1;
            let (before, after) = (only(before, &names), only(after, &names));
            let lessons: Vec<Lesson<'_>> = super::lessons(&before);
            let profile = gather(&before.wanted, &lessons);
            let mut score = Score::default();
            for sample in &after.pages {
                let found = recover(&sample.page, &before.wanted, &profile, before.listed);
                trust.add(&found, &sample.records);
                add(&mut score, &super::flat(&found.records), &sample.records);
                if options.text("show").is_some() {
                    for (field, want) in before.wanted.iter().enumerate() {
                        let of = |records: &[Vec<Vec<String>>]| -> Vec<String> {
                            records
                                .iter()
                                .flat_map(|record| record[field].iter().cloned())
                                .collect()
                        };
                        let (given, right) = (of(&found.records), of(&sample.records));
                        let hit = given
                            .iter()
                            .any(|text| right.iter().any(|other| bare(other) == bare(text)));
                        println!(
                            "    {name} by {other}: {} {} {:.2} {:.60?}",
                            if hit { "found" } else { "NOT found" },
                            want.name,
                            found.sure[field],
                            &given[..given.len().min(2)]
                        );
                    }
                }
            }
            recall += score.recall();
            precision += score.precision();
            count += 1.0;
            line += &format!(" {score}");
        }
        println!("{name:<30}{line}");
    }
    print!("{trust}");
    println!(
        "{count} pairs of sites: items {:.3}/{:.3} (recall/precision)",
        recall / count,
        precision / count
    );
    Ok(ExitCode::SUCCESS)
}
