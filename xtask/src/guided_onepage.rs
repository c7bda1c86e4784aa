//! `cargo xtask guided --part onepage`: rules from one record of a list, on single pages of many sites.
//!
//! The records of these pages are known by their nodes; which values they have is not. So an example is made from one record: the text
//! of a link, its address, and other texts, each of which most records have in the same place (the names of the elements right around
//! it). A rule is learned from it and run on the same page. The list is *exact* if it has as many records as are
//! known, and each has values of its own record only. How often the values are those of the same place is a second
//! figure; it is a guess where a record has several such places.
//!
//! The first record is taken, the one in the middle, and a drawn one; with a link and a text, with texts alone and with up to four fields.

use crate::Options;
use crate::onepage::{self, Field, Known, OnePage};
use learn::guided::{Lesson, Wanted, learn_guided};
use page::NodeId;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::ExitCode;
use wrapper::rule::paths::{PathRecord, PathsRun, value};
use xtask::random::Random;

pub(crate) fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let data = PathBuf::from(options.text("data").unwrap_or("../shared/bench/onepage"));
    let seed = options.number("seed", 1)?;
    let mut sums: BTreeMap<(&str, &str), Sum> = BTreeMap::new();
    let mut pages = 0;
    for OnePage { name, page, about } in &onepage::pages(&data, options.text("split"))? {
        let wanted = |only: &str| only.split(',').any(|only| name.contains(only));
        if !options.text("sites").is_none_or(wanted) {
            continue;
        }
        let Some(known) = Known::new(page, about)? else {
            continue;
        };
        pages += 1;
        let count = known.records.len();
        println!("{name} ({count} records, {})", about["form"].as_str().unwrap_or(""));
        let drawn = Random::new(seed).below(count);
        for (draw, at) in [("first", 0), ("middle", count / 2), ("drawn", drawn)] {
            let fields = known.fields(at);
            let texts: Vec<Field> = fields
                .iter()
                .filter(|field| field.place.starts_with("text<"))
                .cloned()
                .collect();
            // The text of the link, and another text rather than its address.
            let both = fields.iter().take(1).chain(fields.get(2).or(fields.get(1)));
            let tries = [
                ("link and text", both.cloned().collect::<Vec<Field>>()),
                ("texts", texts),
                ("all", fields.clone()),
            ];
            for (what, fields) in tries.iter().filter(|(_, fields)| fields.len() > 1) {
                let tried = Tried::new(&known, name, at, fields, options.text("show").is_some());
                sums.entry((what, draw)).or_default().add(&tried);
                sums.entry((what, "each")).or_default().add(&tried);
                if tried.verdict != "exact" || tried.right < tried.all {
                    let texts: Vec<&str> = fields.iter().map(|field| field.text.as_str()).collect();
                    println!(
                        "    {draw} {texts:?}: {}, {} records, values {} of {}",
                        tried.verdict, tried.count, tried.right, tried.all
                    );
                }
            }
        }
    }
    println!("{pages} pages");
    println!(
        "| fields | record | exact | one | too few | too many | others | values |\n|---|---|--:|--:|--:|--:|--:|--:|"
    );
    for ((what, draw), sum) in &sums {
        let of = |verdict: &str| sum.verdicts.get(verdict).copied().unwrap_or(0);
        println!(
            "| {what} | {draw} | {} of {} ({:.3}) | {} | {} | {} | {} | {:.3} |",
            of("exact"),
            sum.count,
            of("exact") as f64 / sum.count.max(1) as f64,
            of("one"),
            of("too few"),
            of("too many"),
            of("others"),
            sum.values / sum.count.max(1) as f64
        );
    }
    Ok(ExitCode::SUCCESS)
}

/// What a rule found.
struct Tried {
    verdict: &'static str,
    count: usize,
    right: usize,
    all: usize,
}

#[derive(Default)]
struct Sum {
    verdicts: BTreeMap<&'static str, usize>,
    count: usize,
    values: f64,
}

impl Sum {
    fn add(&mut self, tried: &Tried) {
        *self.verdicts.entry(tried.verdict).or_default() += 1;
        self.count += 1;
        self.values += tried.right as f64 / tried.all.max(1) as f64;
    }
}

impl Tried {
    fn new(known: &Known<'_>, name: &str, at: usize, fields: &[Field], show: bool) -> Tried {
        let wanted: Vec<Wanted> = fields
            .iter()
            .map(|field| Wanted {
                name: field.name.to_owned(),
                many: false,
            })
            .collect();
        let lesson = Lesson {
            name,
            page: known.page,
            records: vec![fields.iter().map(|field| vec![field.text.clone()]).collect()],
        };
        let taught = learn_guided(&wanted, &[lesson], true, &page::Job::new());
        if show {
            match &taught {
                Ok(taught) => println!("      {at}: {:?}", taught.rule),
                Err(trouble) => println!("      {at}: {trouble}"),
            }
        }
        let run = taught.ok().and_then(|taught| PathsRun::new(&taught.rule).ok());
        let found = run.map(|run| run.page(known.page)).unwrap_or_default();
        let is_own = |(record, range): (&PathRecord, &std::ops::Range<NodeId>)| {
            !record.values.is_empty() && record.values.iter().all(|value| range.contains(&value.node))
        };
        let verdict = match found.len() {
            count if count == known.records.len() => match found.iter().zip(&known.records).all(is_own) {
                true => "exact",
                false => "others",
            },
            1 => "one",
            count if count < known.records.len() => "too few",
            _ => "too many",
        };
        // Values, by the known record that the found one is in.
        let (mut right, mut all) = (0, 0);
        for (range, places) in known.records.iter().zip(&known.places) {
            let mut own = found.iter().filter(|record| is_own((record, range)));
            let record = own.next();
            for (number, field) in fields.iter().enumerate() {
                let Some(node) = places.get(&field.place).map(|nodes| &nodes[0]) else {
                    continue;
                };
                all += 1;
                let text = record.and_then(|record| record.values.iter().find(|value| value.field == number));
                right += usize::from(text.is_some_and(|text| text.text == value(known.page, *node)));
            }
        }
        Tried {
            verdict,
            count: found.len(),
            right,
            all,
        }
    }
}
