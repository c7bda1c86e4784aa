//! `cargo xtask alarms --part mixed`: batches with pages of two templates, as in the middle of a redesign.
//!
//! For each site of `changes` and `meetings`, a rule is learned before the redesign. The sites whose rule breaks count. A batch has
//! pages before and after the redesign, taken in turn until there are enough. It is *noticed* if the check says that the site has
//! changed, *mixed* if it says that only some pages have, and *named* if these are exactly the pages after the redesign. An
//! alarm for as many pages before the redesign is false.

use crate::Options;
use crate::changes::side;
use crate::changes_kinds::{documents, rules, score};
use page::Document;
use std::path::PathBuf;
use std::process::ExitCode;
use tend::Survey;
use xtask::sites;

/// The numbers of pages before and after the redesign in a batch.
const BATCHES: [(usize, usize); 4] = [(1, 1), (3, 3), (6, 2), (9, 1)];

#[derive(Clone, Copy, Default)]
struct Count {
    all: u32,
    noticed: u32,
    mixed: u32,
    named: u32,
    false_alarms: u32,
}

pub(crate) fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let data = PathBuf::from(options.text("data").unwrap_or("../shared/bench"));
    let mut folders: Vec<PathBuf> = Vec::new();
    for pack in ["changes", "meetings/changes"] {
        for entry in std::fs::read_dir(data.join(pack))? {
            let path = entry?.path();
            folders.extend(path.is_dir().then_some(path));
        }
    }
    folders.sort();
    let mut counts = [Count::default(); BATCHES.len()];
    for folder in folders {
        let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if options.text("split").is_some_and(|half| sites::split(&name) != half) {
            continue;
        }
        let (before, after) = (side(&folder.join("before"))?, side(&folder.join("after"))?);
        let Some(wrapper) = rules(&before) else { continue };
        let (old, new) = (documents(&before), documents(&after));
        let (first, then) = (score(&wrapper, &before, &old), score(&wrapper, &after, &new));
        let is_broken = then.recall() < 1.0 || then.precision() < 1.0;
        if first.recall() < 0.8 || !is_broken {
            continue;
        }
        let mut line = format!("{name:<32}");
        for ((olds, news), count) in BATCHES.into_iter().zip(&mut counts) {
            let take = |documents: &[Document], what: &str, number: usize| -> Vec<Document> {
                let taken = documents.iter().cycle().take(number).enumerate();
                taken
                    .map(|(at, document)| Document {
                        name: format!("{what}-{at}").into(),
                        ..document.clone()
                    })
                    .collect()
            };
            let survey = |documents: &[Document]| {
                let mut survey = Survey::new(&wrapper)?;
                documents.iter().for_each(|document| drop(survey.add(document)));
                anyhow::Ok(survey.finish()?)
            };
            let batch = [take(&old, "old", olds), take(&new, "new", news)].concat();
            let found = survey(&batch)?;
            let plain = survey(&take(&old, "old", olds + news))?;
            let is_named = found.as_before().len() == olds
                && found.changed().len() == news
                && found.changed().iter().all(|name| name.starts_with("new"));
            count.all += 1;
            count.noticed += u32::from(!found.is_fine());
            count.mixed += u32::from(found.is_mixed());
            count.named += u32::from(!found.is_fine() && is_named);
            count.false_alarms += u32::from(!plain.is_fine());
            line += match (found.is_fine(), found.is_mixed(), is_named) {
                (true, ..) => "  missed ",
                (_, false, _) => "  noticed",
                (_, _, false) => "  mixed  ",
                _ => "  named  ",
            };
        }
        println!("{line}");
    }
    println!();
    println!("old + new pages  sites  noticed  mixed  named  false alarms");
    for ((olds, news), count) in BATCHES.iter().zip(counts) {
        println!(
            "{olds:>3} + {news:<9} {:>6} {:>8} {:>6} {:>6} {:>13}",
            count.all, count.noticed, count.mixed, count.named, count.false_alarms
        );
    }
    Ok(ExitCode::SUCCESS)
}
