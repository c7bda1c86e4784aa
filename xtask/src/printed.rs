//! `cargo xtask guided --part printed`: does the OXPath that a rule by paths is printed as give what the rule gives?
//!
//! Rules are learned from one page of each SWDE site and of each set with known tuples. Both forms are run on all pages.

use crate::Options;
use crate::guided_lists::{Tuples, parsed};
use crate::records::data;
use learn::guided::{Lesson, Wanted, learn_guided, record_type};
use oxpath::run::{RunOptions, Tail};
use page::{Job, Page};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use wrapper::rule::paths::to_oxpath;
use wrapper::{Rule, Wrapper};
use xtask::sites::{self, files, truth, values};

/// Pages that were compared, and those that differ.
#[derive(Default)]
struct Count {
    rules: usize,
    pages: usize,
    different: usize,
}

pub(crate) fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let mut count = Count::default();
    let packs = PathBuf::from(options.text("packs").unwrap_or(sites::PACKS));
    for site in sites::names(&packs)? {
        let (Some(files), Some(truth)) = (files(&packs, &site)?, truth(&packs, &site, false)?) else {
            continue;
        };
        let settings = page::ParseSettings {
            charset: Some("utf-8".to_owned()),
            ..Default::default()
        };
        let pages = files
            .iter()
            .map(|(_, bytes)| Page::parse(bytes, &settings))
            .collect::<Result<Vec<Page>, _>>()?;
        let said = |attribute: &String| values(&truth, attribute, &files[0].0);
        let wanted: Vec<Wanted> = truth
            .keys()
            .map(|name| Wanted {
                name: name.clone(),
                many: said(name).len() > 1,
            })
            .collect();
        let records = vec![truth.keys().map(said).collect()];
        compare(&site, &wanted, records, false, pages, &mut count)?;
    }
    for folder in ["records", "meetings/records"] {
        for set in data::load(&PathBuf::from(format!("../shared/bench/{folder}")))? {
            let wanted: Vec<Wanted> = set
                .attributes
                .iter()
                .map(|name| Wanted {
                    name: name.clone(),
                    many: false,
                })
                .collect();
            let (pages, mut tuples): (Vec<Page>, Vec<Tuples>) = parsed(&set)?.into_iter().unzip();
            compare(&set.name, &wanted, tuples.swap_remove(0), true, pages, &mut count)?;
        }
    }
    println!(
        "{} rules on {} pages: {} pages differ",
        count.rules, count.pages, count.different
    );
    Ok(if count.different == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

fn compare(
    name: &str,
    wanted: &[Wanted],
    records: Tuples,
    listed: bool,
    pages: Vec<Page>,
    count: &mut Count,
) -> anyhow::Result<()> {
    let lesson = Lesson {
        name,
        page: &pages[0],
        records,
    };
    let Ok(taught) = learn_guided(wanted, &[lesson], listed, &Job::new()) else {
        return Ok(());
    };
    let kind = record_type("record", wanted);
    let Some(printed) = to_oxpath(&taught.rule, &kind, "doc('x')") else {
        println!("{name}: there is no such OXPath");
        return Ok(());
    };
    let tail = Tail::new(&printed).map_err(|error| anyhow::anyhow!("{name}: {error}: {printed}"))?;
    let runner = Wrapper::bare(Rule::Paths(taught.rule), kind.clone(), None).runner()?;
    count.rules += 1;
    for (number, page) in pages.into_iter().enumerate() {
        let page = Arc::new(page);
        let document = page::Document::new("p", Arc::clone(&page));
        let own = runner.run(&document, false).records;
        // Wrappers make addresses absolute where a page says what they are relative to.
        let options = RunOptions {
            whole_addresses: true,
            ..RunOptions::default()
        };
        let given = tail.page_with(&page, document.address(), &options).records;
        count.pages += 1;
        // A record without any value is none of the rule's.
        let rows = |records: &[record::Record]| -> Vec<_> {
            let rows = kind.rows(records).swap_remove(0);
            rows.into_iter()
                .filter(|row| row.iter().any(|values| !values.is_empty()))
                .collect()
        };
        let (own, given) = (rows(&own), rows(&given));
        if own != given {
            count.different += 1;
            println!("{name}, page {number}: the rule gives {own:?}\n    its OXPath gives {given:?}\n    {printed}");
        }
    }
    Ok(())
}
