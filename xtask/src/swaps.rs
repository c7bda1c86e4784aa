//! `cargo xtask swaps`: does a check notice that two fields have changed places?
//!
//! For each page set (`records`, `changes`, `meetings`, and made-up shops in every structure) a rule is learned from its
//! labelled pages; sets on which it does not work are left out. Two fields of one kind (numbers, dates, other texts) are chosen, and on the pages their values change places
//! in the HTML *together with the words that belong to them*: labels inside the same element or right before it, or the headings
//! of two columns. A wrapper that goes by position then gives each field the values of the other, written as before.
//!
//! Each pair is judged in two ways. *By position*: the values that a rule by position would give, which is all that a check
//! sees of a rule. *Learned*: what the learned rule gives; if it goes by labels it is right and there is nothing to notice.
//! Known are the first half of the pages, or the only page; swapped are the others, all of them, every second one, and one alone.
//!
//! The check is that of all pages together, and of each by itself.
//!
//! - *noticed*: the check says that the site has changed;
//! - *not noticeable*: no words belong to the values, or the same words to both;
//! - *missed*: there are words that tell, and the check says nothing.
//!
//! *False alarms* are alarms on the same pages without a swap.

mod exchange;
mod made;

use crate::Options;
use crate::changes::{Sample, Side, bare, lessons, score, side};
use exchange::{Column, Swapped, swap};
use learn::guided::{Lesson, Wanted, learn_guided};
use page::Page;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use tend::{Verdict, check, gather};
use wrapper::profile::{Profile, number};
use wrapper::rule::paths::{PathRecord, PathsRun};
use xtask::sites;

/// A rule with at least this recall and precision works.
const WORKS: f64 = 0.95;

/// The values of records: fields, then values.
type Rows = Vec<Vec<Vec<String>>>;

/// What became of a swap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Fate {
    Noticed,
    Missed,
    NotNoticeable,
    Right,
}

#[derive(Default)]
struct Tally {
    /// By set, judge and how the pages were taken.
    counts: BTreeMap<(&'static str, &'static str, &'static str), BTreeMap<Fate, u32>>,
    /// Checks of pages without a swap, and alarms among them.
    plain: (u32, u32),
}

pub(crate) fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let data = PathBuf::from(options.text("data").unwrap_or("../shared/bench"));
    let part = options.text("part").unwrap_or("all");
    anyhow::ensure!(
        ["all", "records", "changes", "meetings", "made"].contains(&part),
        "`--part {part}`: there are records, changes, meetings, made and all"
    );
    let mut tally = Tally::default();
    for (set, folder) in sets(&data)? {
        let name = folder.strip_prefix(&data)?.display().to_string();
        let half = options.text("split");
        let wanted = (part == "all" || part == set)
            && half.is_none_or(|half| sites::split(&name) == half)
            && options
                .text("sites")
                .is_none_or(|wanted| wanted.split(',').any(|one| name.contains(one)));
        if wanted {
            site(set, &name, side(&folder)?, &mut tally, options)?;
        }
    }
    if matches!(part, "all" | "made") && options.text("split") != Some("apart") {
        for (name, side) in made::shops()? {
            let wanted = options.text("sites");
            if wanted.is_none_or(|wanted| wanted.split(',').any(|one| name.contains(one))) {
                site("made", &name, side, &mut tally, options)?;
            }
        }
    }
    tally.print();
    Ok(ExitCode::SUCCESS)
}

/// The folders of all page sets, with the name of the pack.
fn sets(data: &Path) -> anyhow::Result<Vec<(&'static str, PathBuf)>> {
    let mut found = Vec::new();
    for (set, folder) in [("records", "records"), ("changes", "changes"), ("meetings", "meetings")] {
        let mut open = vec![data.join(folder)];
        while let Some(folder) = open.pop() {
            if folder.join("expected.json").is_file() {
                found.push((set, folder));
                continue;
            }
            for entry in std::fs::read_dir(&folder)? {
                let path = entry?.path();
                open.extend(path.is_dir().then_some(path));
            }
        }
    }
    found.sort();
    Ok(found)
}

/// A page, what the rule finds on it, and the same as rows.
struct Seen<'s> {
    sample: &'s Sample,
    records: Vec<PathRecord>,
    rows: Rows,
}

pub(crate) fn rows(records: &[PathRecord], width: usize) -> Rows {
    let row = |record: &PathRecord| {
        let mut fields = vec![Vec::new(); width];
        for value in &record.values {
            fields[value.field].push(value.text.clone());
        }
        fields
    };
    records.iter().map(row).collect()
}

/// Learns a rule from the pages of a site and swaps the fields of each pair of one kind.
fn site(set: &'static str, name: &str, side: Side, tally: &mut Tally, options: &Options) -> anyhow::Result<()> {
    let Ok(taught) = learn_guided(&side.wanted, &lessons(&side), side.listed, &page::Job::new()) else {
        println!("{name:<46} no rule");
        return Ok(());
    };
    let right = score(&taught.rule, &side);
    if right.recall() < WORKS || right.precision() < WORKS {
        println!("{name:<46} the rule does not work: {right}");
        return Ok(());
    }
    let run = PathsRun::new(&taught.rule)?;
    let seen: Vec<Seen<'_>> = side
        .pages
        .iter()
        .map(|sample| {
            let records = run.page(&sample.page);
            let rows = rows(&records, side.wanted.len());
            Seen { sample, records, rows }
        })
        .collect();
    let half = seen.len().div_ceil(2);
    let (known, others) = match seen.len() {
        1 => (&seen[..], &seen[..]),
        _ => seen.split_at(half),
    };
    let known = profile(&side.wanted, known.iter().map(|seen| (&seen.sample.page, &seen.rows)));
    for some in [others, &others[..1]] {
        let pages: Vec<(&Page, Rows)> = some.iter().map(|seen| (&seen.sample.page, seen.rows.clone())).collect();
        let (alarm, rings) = judged(&side.wanted, &known, &pages);
        tally.plain.0 += 1;
        if rings {
            tally.plain.1 += 1;
            println!("{name:<46} FALSE ALARM {:?}", told(&alarm));
        }
    }
    for pair in pairs(&side.wanted, &seen) {
        let fields = pair.map(|field| Column::new(&seen, field));
        let swapped: Vec<Option<Swapped>> = others
            .iter()
            .map(|seen| swap(&seen.sample.page, &seen.records, pair, &fields))
            .collect();
        for how in ["all", "half", "one"] {
            let is_swapped = |at: usize| match how {
                "all" => true,
                "half" => at.is_multiple_of(2),
                _ => at == 0,
            };
            let taken = if how == "one" { &others[..1] } else { others };
            if how != "one" && others.len() < 2 {
                continue;
            }
            let pages: Vec<(&Seen<'_>, Option<&Swapped>)> = taken
                .iter()
                .enumerate()
                .map(|(at, seen)| (seen, swapped[at].as_ref().filter(|_| is_swapped(at))))
                .collect();
            let count: usize = pages
                .iter()
                .flat_map(|(_, swapped)| swapped)
                .map(|one| one.records.len())
                .sum();
            if count == 0 {
                continue;
            }
            let is_noticeable = pages.iter().any(|(_, swapped)| swapped.is_some_and(|one| one.is_told));
            for judge in ["by position", "learned"] {
                let found: Vec<(&Page, Rows)> = pages
                    .iter()
                    .map(|(seen, swapped)| match (swapped, judge) {
                        (None, _) => (&seen.sample.page, seen.rows.clone()),
                        (Some(one), "learned") => (&one.page, rows(&run.page(&one.page), side.wanted.len())),
                        (Some(one), _) => (&one.page, exchanged(&seen.rows, &one.records, pair)),
                    })
                    .collect();
                let plain = |rows: &Rows| -> Vec<String> {
                    let values = rows.iter().flat_map(|row| pair.map(|field| row[field].join(" ")));
                    values.map(|text| bare(&text)).collect()
                };
                let is_right = judge == "learned"
                    && pages
                        .iter()
                        .zip(&found)
                        .all(|((seen, _), (_, found))| plain(&seen.rows) == plain(found));
                let (alarm, rings) = judged(&side.wanted, &known, &found);
                let fate = match (is_right, rings, is_noticeable) {
                    (true, ..) => Fate::Right,
                    (_, true, _) => Fate::Noticed,
                    (_, _, false) => Fate::NotNoticeable,
                    _ => Fate::Missed,
                };
                *tally
                    .counts
                    .entry((set, judge, how))
                    .or_default()
                    .entry(fate)
                    .or_default() += 1;
                if fate == Fate::Missed || options.text("show").is_some() {
                    let [a, b] = pair.map(|field| side.wanted[field].name.as_str());
                    let labels = fields.each_ref().map(|field| field.label.clone());
                    if options.text("show") == Some("rows") {
                        let ways = pair.map(|field| &taught.rule.fields[field].ways);
                        println!("    {:?} {ways:?}\n    {:?}", taught.rule.each, found[0].1);
                    }
                    println!(
                        "{name:<46} {judge} {how} {a}/{b} {fate:?} {labels:?} {:?}",
                        told(&alarm)
                    );
                }
            }
        }
    }
    Ok(())
}

/// Checks all pages together, and each by itself as a survey of pages does: is there an alarm?
fn judged(wanted: &[Wanted], known: &Profile, pages: &[(&Page, Rows)]) -> (tend::Alarm, bool) {
    let alarm = check(
        wanted,
        known,
        &profile(wanted, pages.iter().map(|(page, rows)| (*page, rows))),
    );
    let each = pages.iter().map(|(page, rows)| {
        let now = profile(wanted, [(*page, rows)].into_iter());
        if now.records > 0 {
            check(wanted, known, &now).chance
        } else {
            1.0
        }
    });
    let least = each.fold(1.0, f64::min) * pages.len() as f64;
    let rings = alarm.verdict == Verdict::Changed || least < tend::DOUBT;
    (alarm, rings)
}

/// The reasons of an alarm, in short.
fn told(alarm: &tend::Alarm) -> Vec<String> {
    let fields = alarm.fields.iter().filter(|field| field.chance < tend::DOUBT);
    let fields = fields.flat_map(|field| {
        field
            .reasons
            .iter()
            .take(1)
            .map(|words| format!("{}: {words}", field.name))
    });
    alarm.reasons.iter().cloned().chain(fields).collect()
}

fn profile<'p>(wanted: &[Wanted], pages: impl Iterator<Item = (&'p Page, &'p Rows)>) -> Profile {
    let lessons: Vec<Lesson<'_>> = pages
        .map(|(page, rows)| Lesson {
            name: "",
            page,
            records: rows.clone(),
        })
        .collect();
    gather(wanted, &lessons)
}

/// Rows as a rule by position gives them where these records were swapped.
fn exchanged(rows: &Rows, records: &[usize], [a, b]: [usize; 2]) -> Rows {
    let mut rows = rows.clone();
    for record in records {
        rows[*record].swap(a, b);
    }
    rows
}

/// The pairs of fields whose values are of one kind.
fn pairs(wanted: &[Wanted], seen: &[Seen<'_>]) -> Vec<[usize; 2]> {
    let kinds: Vec<Option<Kind>> = (0..wanted.len()).map(|field| Kind::of(seen, field)).collect();
    let both = |a: usize, b: usize| kinds[a].is_some() && kinds[a] == kinds[b];
    let all = (0..wanted.len()).flat_map(|a| (a + 1..wanted.len()).map(move |b| [a, b]));
    all.filter(|[a, b]| both(*a, *b)).collect()
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Number,
    Mixed,
    Text,
}

impl Kind {
    /// The kind of most values of a field; none for attributes.
    fn of(seen: &[Seen<'_>], field: usize) -> Option<Kind> {
        let mut counts = [0_usize; 3];
        for seen in seen {
            let values = seen.records.iter().flat_map(|record| &record.values);
            for value in values.filter(|value| value.field == field) {
                if seen.sample.page.kind(value.node) == page::Kind::Attribute {
                    return None;
                }
                let kind = match (number(&value.text), value.text.chars().any(char::is_numeric)) {
                    (Some(_), _) => 0,
                    (None, true) => 1,
                    (None, false) => 2,
                };
                counts[kind] += 1;
            }
        }
        let kinds = [Kind::Number, Kind::Mixed, Kind::Text];
        let most = (0..3).max_by_key(|kind| counts[*kind])?;
        (counts[most] > 0).then_some(kinds[most])
    }
}

impl Tally {
    fn print(&self) {
        println!();
        println!(
            "{:<10} {:<12} {:<5} {:>8} {:>7} {:>15} {:>12}  of noticeable",
            "set", "judge", "pages", "noticed", "missed", "not noticeable", "right anyway"
        );
        let mut sums: BTreeMap<&str, BTreeMap<Fate, u32>> = BTreeMap::new();
        for ((set, judge, how), counts) in &self.counts {
            line(&format!("{set:<10} {judge:<12} {how:<5}"), counts);
            for (fate, count) in counts {
                *sums.entry(judge).or_default().entry(*fate).or_default() += count;
            }
        }
        for (judge, counts) in &sums {
            line(&format!("{:<10} {judge:<12} {:<5}", "all", ""), counts);
        }
        println!("without a swap: {} alarms in {} checks", self.plain.1, self.plain.0);
    }
}

fn line(head: &str, counts: &BTreeMap<Fate, u32>) {
    let of = |result| counts.get(&result).copied().unwrap_or(0);
    let (noticed, missed) = (of(Fate::Noticed), of(Fate::Missed));
    println!(
        "{head} {noticed:>8} {missed:>7} {:>15} {:>12}  {:.1} %",
        of(Fate::NotNoticeable),
        of(Fate::Right),
        100.0 * f64::from(noticed) / f64::from((noticed + missed).max(1))
    );
}
