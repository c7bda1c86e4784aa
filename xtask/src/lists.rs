//! `cargo xtask lists`: templates from unlabelled pages, on page sets with known tuples.
//!
//! A template is inferred from all pages of a site, and run on them. The tuples are compared with the best matching set
//! of the output. The candidates are each set (with the sets in it), each mixture, and the fields outside all sets. An
//! attribute is correct if a field there has the same set of values on every page, partially correct if a field has,
//! for each value on each page, one that contains it, otherwise incorrect. Values are compared as text without tags and
//! white space.

use crate::Options;
use crate::exalg::{Column, Verdict, columns, contained, plain};
use crate::records::data;
use learn::exalg::TemplateSettings;
use page::Page;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::ExitCode;
use wrapper::rule::template::{Part, PartId, Template, infix};

/// Runs the chore.
pub(crate) fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let dir = options.text("data").unwrap_or("../shared/bench/records");
    let mut sets = data::load(Path::new(dir))?;
    if let Some(wanted) = options.text("sites") {
        sets.retain(|set| wanted.split(',').any(|wanted| set.name.contains(wanted)));
    }
    println!("| set | pages | tuples | attributes | correct | partial | incorrect | not correct |");
    println!("|---|--:|--:|--:|--:|--:|--:|---|");
    let mut sources: BTreeMap<String, [usize; 3]> = BTreeMap::new();
    for set in &sets {
        let settings = page::ParseSettings {
            charset: Some("utf-8".to_owned()),
            ..Default::default()
        };
        let pages: Vec<Page> = set
            .pages
            .iter()
            .map(|page| Page::parse(page.text.as_bytes(), &settings))
            .collect::<Result<_, _>>()?;
        let pages: Vec<&Page> = pages.iter().collect();
        let template = match learn::exalg::infer(&pages, &TemplateSettings::default(), &page::Job::new()) {
            Ok(inferred) => Some(inferred.template),
            Err(error) => {
                eprintln!("{}: {error}", set.name);
                None
            }
        };
        if let Some(template) = template.as_ref().filter(|_| options.text("dump").is_some()) {
            println!("{}", infix(template, true));
        }
        let columns = template
            .as_ref()
            .map_or(Vec::new(), |template| columns(template, &pages));
        let wanted: Vec<Column> = (0..set.attributes.len())
            .map(|attribute| {
                let page = |page: &data::Page| -> Vec<String> {
                    let values = page.tuples.iter().filter_map(|tuple| tuple[attribute].as_deref());
                    values
                        .map(|value| plain(&page::source_text(value)))
                        .filter(|value| !value.is_empty())
                        .collect()
                };
                set.pages.iter().map(page).collect()
            })
            .collect();
        let groups = template.as_ref().map_or(Vec::new(), groups);
        let scored = groups.iter().map(|fields| -> Vec<Verdict> {
            let columns: Vec<Column> = fields.iter().map(|field| columns[*field as usize].clone()).collect();
            wanted.iter().map(|wanted| verdict(wanted, &columns)).collect()
        });
        let best = scored.max_by_key(|verdicts| {
            let count = |wanted: Verdict| verdicts.iter().filter(|verdict| **verdict == wanted).count();
            (count(Verdict::Correct), count(Verdict::Partial))
        });
        let best = best.unwrap_or_else(|| vec![Verdict::Incorrect; wanted.len()]);
        let mut counts = [0; 3];
        best.iter().for_each(|verdict| counts[*verdict as usize] += 1);
        let source = set.name.split('/').next().unwrap_or_default().to_owned();
        let total = sources.entry(source).or_default();
        total.iter_mut().zip(counts).for_each(|(total, count)| *total += count);
        let missed: Vec<String> = best
            .iter()
            .zip(&set.attributes)
            .filter(|(verdict, _)| **verdict != Verdict::Correct)
            .map(|(verdict, name)| format!("{name}{}", if *verdict == Verdict::Partial { " (p)" } else { "" }))
            .collect();
        let tuples: usize = set.pages.iter().map(|page| page.tuples.len()).sum();
        println!(
            "| {} | {} | {tuples} | {} | {} | {} | {} | {} |",
            set.name,
            pages.len(),
            wanted.len(),
            counts[2],
            counts[1],
            counts[0],
            missed.join(", ")
        );
    }
    let mut all = [0; 3];
    println!("\n| source | attributes | correct | partial | incorrect |\n|---|--:|--:|--:|--:|");
    let line = |name: &str, counts: [usize; 3]| {
        let sum: usize = counts.iter().sum();
        let percent = |count: usize| format!("{count} ({:.1} %)", 100.0 * count as f64 / sum.max(1) as f64);
        println!(
            "| {name} | {sum} | {} | {} | {} |",
            percent(counts[2]),
            percent(counts[1]),
            percent(counts[0])
        );
    };
    for (source, counts) in &sources {
        line(source, *counts);
        all.iter_mut().zip(counts).for_each(|(all, count)| *all += count);
    }
    line("all", all);
    Ok(ExitCode::SUCCESS)
}

/// The fields of each candidate.
fn groups(template: &Template) -> Vec<Vec<u32>> {
    let mut groups = Vec::new();
    for (at, part) in (0u32..).zip(&template.parts) {
        if matches!(part, Part::Set { .. } | Part::Mixed { .. }) {
            groups.push(template.fields_below(at));
        }
    }
    let mut outside = Vec::new();
    flat(template, 0, &mut outside);
    groups.push(outside);
    groups
}

/// The fields of a part that are in no set.
fn flat(template: &Template, part: PartId, out: &mut Vec<u32>) {
    let part = &template.parts[part as usize];
    if matches!(part, Part::Set { .. }) {
        return;
    }
    out.extend(part.fields());
    part.parts().into_iter().for_each(|child| flat(template, child, out));
}

fn verdict(wanted: &Column, columns: &[Column]) -> Verdict {
    let sets = |column: &Column| -> Vec<BTreeSet<String>> {
        column.iter().map(|values| values.iter().cloned().collect()).collect()
    };
    let expected = sets(wanted);
    if columns.iter().any(|column| sets(column) == expected) {
        Verdict::Correct
    } else if contained(wanted, columns) {
        Verdict::Partial
    } else {
        Verdict::Incorrect
    }
}
