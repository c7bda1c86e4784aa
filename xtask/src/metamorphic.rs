//! `cargo xtask guided --part rows`: what learned paths do on pages on which one labelled row was deleted, added or moved.
//!
//! A *labelled row* is a value of the truth with the words before it, if these words are before the value of the attribute on
//! at least half of the pages that have one, nothing else is in the row, and the page does not say the value elsewhere. On
//! pages that no rule was learned from, in the HTML, one row at a time:
//!
//! - *deleted*: the field must be absent, and all other fields must stay what they were;
//! - *added*, the same row before it with other words and another value: all fields must stay;
//! - *swapped* with the next row: all fields must stay.
//!
//! Only rows whose value the rule finds on the page as it is count, since this is about what a change does.

use crate::Options;
use learn::guided::{Lesson, Wanted, learn_guided};
use page::{Kind, NodeId, Page, vocabulary};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::PathBuf;
use std::process::ExitCode;
use wrapper::profile::Places;
use wrapper::rule::paths::{PathsRun, value};
use xtask::sites::{self, files, shuffled, truth, values};

/// The number of pages that are changed.
const CHANGED: usize = 20;
/// The largest number of pages that are learned from.
const MOST: usize = 5;
/// The longest label, in characters.
const LONGEST_LABEL: usize = 40;

/// The changes, in the order in which they are printed.
const CHANGES: [&str; 3] = ["deleted", "added", "swapped"];

/// A labelled row: siblings, from the one with the label to the one with the value.
struct Row {
    nodes: Vec<NodeId>,
    label: String,
    value: String,
}

fn parse(bytes: &[u8]) -> anyhow::Result<Page> {
    let settings = page::ParseSettings {
        charset: Some("utf-8".to_owned()),
        ..Default::default()
    };
    Ok(Page::parse(bytes, &settings)?)
}

/// The only place of a value on a page, and the text before it.
fn place(page: &Page, places: &Places, said: &str) -> Option<(NodeId, NodeId)> {
    let spots = places.of(said);
    let [spot] = &spots[..] else { return None };
    if !spot.is_whole() || page.kind(spot.node) == Kind::Attribute {
        return None;
    }
    let before = page.texts().partition_point(|text| *text < spot.node);
    let shown = |text: &&NodeId| !value(page, **text).is_empty() && vocabulary::is_seen(page, **text);
    let label = page.texts()[..before].iter().rev().find(shown)?;
    Some((spot.node, *label))
}

/// The words that are before the values of an attribute on at least half of the pages.
fn label_of(pages: &[(String, Page)], places: &[Places], said: &dyn Fn(usize) -> Vec<String>) -> Option<String> {
    let mut counts: HashMap<String, usize> = HashMap::new();
    let mut all = 0;
    for (at, (_, page)) in pages.iter().enumerate() {
        if let [said] = &said(at)[..]
            && let Some((_, label)) = place(page, &places[at], said)
        {
            all += 1;
            *counts.entry(value(page, label)).or_default() += 1;
        }
    }
    let (label, count) = counts
        .into_iter()
        .max_by_key(|(words, count)| (*count, words.clone()))?;
    let is_label = label.chars().any(char::is_alphabetic) && label.chars().count() <= LONGEST_LABEL;
    (is_label && count * 2 >= all && count > 1).then_some(label)
}

/// The row of a value, if it is in one with this label.
fn row(page: &Page, places: &Places, said: &str, words: &str) -> Option<Row> {
    let (node, label) = place(page, places, said)?;
    if value(page, label) != words {
        return None;
    }
    let above: HashSet<NodeId> = page.ancestors(node).collect();
    let around = page.ancestors(label).find(|up| above.contains(up))?;
    let only = |text: &str| text.split_whitespace().collect::<String>() == format!("{words}{said}").replace(' ', "");
    let row = match only(page.string_value(around)) {
        true => vec![around],
        false => {
            let of = |node: NodeId| {
                page.children(around)
                    .position(|child| child <= node && node < page.end(child).max(NodeId(child.0 + 1)))
            };
            let (first, last) = (of(label)?, of(node)?);
            page.children(around).skip(first).take(last - first + 1).collect()
        }
    };
    let all: String = row.iter().map(|node| page.string_value(*node)).collect();
    only(&all).then(|| Row {
        nodes: row,
        label: words.to_owned(),
        value: said.to_owned(),
    })
}

/// The page with the row changed, if its HTML can be found in that of the page exactly once.
fn change(page: &Page, html: &str, row: &Row, how: &str) -> Option<String> {
    let own: String = row.nodes.iter().map(|node| page.to_html(*node)).collect();
    let once = |part: &str| html.matches(part).count() == 1;
    match how {
        "deleted" => once(&own).then(|| html.replacen(&own, "", 1)),
        "added" => {
            let escaped = |text: &str| text.replace('&', "&amp;");
            let other = own
                .replace(&escaped(&row.label), "Weather then:")
                .replace(&escaped(&row.value), "Fair");
            (once(&own) && other.contains("Fair") && other.contains("Weather then:"))
                .then(|| html.replacen(&own, &format!("{other}{own}"), 1))
        }
        _ => {
            let [only] = row.nodes[..] else { return None };
            let next = page.next_sibling(only)?;
            let (gap, next) = match page.is_element(next) {
                true => (String::new(), next),
                false => (page.to_html(next), page.next_sibling(next)?),
            };
            if !page.is_element(next) || page.name(next) != page.name(only) || !gap.trim().is_empty() {
                return None;
            }
            let (both, next) = (format!("{own}{gap}{}", page.to_html(next)), page.to_html(next));
            once(&both).then(|| html.replacen(&both, &format!("{next}{gap}{own}"), 1))
        }
    }
}

/// Counts of one change: all, and those that were right.
#[derive(Clone, Copy, Default)]
struct Count(usize, usize);

impl Count {
    fn add(&mut self, right: bool) {
        self.0 += 1;
        self.1 += usize::from(right);
    }

    fn share(self) -> String {
        match self.0 {
            0 => "  –  ".to_owned(),
            all => format!("{:5.1}", 100.0 * self.1 as f64 / all as f64),
        }
    }
}

/// Runs the chore.
pub(crate) fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let packs = PathBuf::from(options.text("packs").unwrap_or(sites::PACKS));
    let seed = options.number("seed", 1)?;
    let mut names = sites::names(&packs)?;
    if let Some(wanted) = options.text("sites") {
        names.retain(|site| wanted.split(',').any(|name| name == site));
    }
    let half = options.text("split");
    let mut totals: BTreeMap<(usize, &str), Count> = BTreeMap::new();
    for site in names
        .iter()
        .filter(|site| half.is_none_or(|half| sites::split(site) == half))
    {
        let (Some(files), Some(truth)) = (files(&packs, site)?, truth(&packs, site, false)?) else {
            continue;
        };
        let pages = files
            .iter()
            .map(|(name, bytes)| anyhow::Ok((name.clone(), parse(bytes)?)))
            .collect::<Result<Vec<_>, _>>()?;
        let places: Vec<Places> = pages.iter().map(|(_, page)| Places::new(page)).collect();
        let order = shuffled(pages.len(), seed, site);
        let attributes: Vec<&String> = truth.keys().collect();
        let label = |at: usize, attribute: &str| values(&truth, attribute, &pages[at].0);
        let words: Vec<Option<String>> = attributes
            .iter()
            .map(|name| label_of(&pages, &places, &|at| label(at, name)))
            .collect();
        let mut line = format!("{site:<30}");
        for k in [1, 3] {
            let wanted: Vec<Wanted> = attributes
                .iter()
                .map(|name| Wanted {
                    name: (*name).clone(),
                    many: order[..k].iter().any(|at| label(*at, name).len() > 1),
                })
                .collect();
            let lessons: Vec<Lesson<'_>> = order[..k]
                .iter()
                .map(|at| Lesson {
                    name: &pages[*at].0,
                    page: &pages[*at].1,
                    records: vec![attributes.iter().map(|name| label(*at, name)).collect()],
                })
                .collect();
            let Ok(taught) = learn_guided(&wanted, &lessons, false, &page::Job::new()) else {
                continue;
            };
            let run = PathsRun::new(&taught.rule)?;
            let fields = |page: &Page| -> Vec<Vec<String>> {
                let mut found = vec![Vec::new(); attributes.len()];
                for value in run.page(page).into_iter().flat_map(|record| record.values) {
                    found[value.field].push(sites::normal(&value.text));
                }
                found
            };
            let mut counts = [Count::default(); CHANGES.len()];
            for at in order[MOST..].iter().take(CHANGED) {
                // A page that was written again may be read in another way (a link in a link, text in a table), whatever is changed. So
                // the page as it is written again is what a change is compared with.
                let html = pages[*at].1.to_html(NodeId::DOCUMENT);
                let page = &parse(html.as_bytes())?;
                let (places, before) = (Places::new(page), fields(page));
                for (field, name) in attributes.iter().enumerate() {
                    let said = label(*at, name);
                    let [said] = &said[..] else { continue };
                    if before[field] != [said.clone()] {
                        continue;
                    }
                    let row = words[field].as_ref().and_then(|words| row(page, &places, said, words));
                    let Some(row) = row else { continue };
                    for (number, how) in CHANGES.into_iter().enumerate() {
                        let Some(changed) = change(page, &html, &row, how) else {
                            continue;
                        };
                        let after = fields(&parse(changed.as_bytes())?);
                        let mut expected = before.clone();
                        if how == "deleted" {
                            expected[field].clear();
                        }
                        counts[number].add(after == expected);
                        totals.entry((k, how)).or_default().add(after == expected);
                        if after != expected && options.text("show").is_some() {
                            let wrong = (0..attributes.len())
                                .find(|at| after[*at] != expected[*at])
                                .unwrap_or(0);
                            println!(
                                "  {site} k={k} {} {how} on {}: {} is {:?}, not {:?}\n      {}",
                                row.label,
                                pages[*at].0,
                                attributes[wrong],
                                after[wrong],
                                expected[wrong],
                                crate::guided::ways(&taught, wrong)
                            );
                        }
                    }
                }
            }
            let shares: Vec<String> = counts.iter().map(|count| count.share()).collect();
            line += &format!("  k={k} {} ({})", shares.join(" "), counts[0].0);
        }
        println!("{line}");
    }
    for k in [1, 3] {
        for how in CHANGES {
            let count = totals.get(&(k, how)).copied().unwrap_or_default();
            println!("k={k} {how}: {} % of {} rows right", count.share().trim(), count.0);
        }
    }
    Ok(ExitCode::SUCCESS)
}
