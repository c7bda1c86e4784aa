//! What a check found, for people and for programs.
//!
//! For people there are three parts: one line with the verdict, and which pages it is about if these are mixed or of another kind; a table with a line for each field, whose last column has the
//! most important reason; and small histograms of the lengths of values and of the number of values per page, before and now
//! on one scale, so that a glance shows whether they moved. Reasons that were cut in the table follow in full. Words may come
//! from pages (labels do), so control characters are removed.

use crate::check::{Alarm, DOUBT, Health, Verdict};
use crate::compare::{Report, TableReport};
use crate::survey::PageState;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use wrapper::profile::Profile;

/// Bars of a histogram.
const BARS: usize = 8;
const BLOCKS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
/// The longest name of a field in a table.
const NAME: usize = 20;

/// How a field is marked.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mark {
    Fine,
    Odd,
    Broken,
}

impl Mark {
    /// A field has reasons where it is odd; it is broken where it would raise an alarm by itself.
    fn of(health: &Health, verdict: Verdict) -> Mark {
        match health.chance < DOUBT {
            true if verdict == Verdict::Changed => Mark::Broken,
            _ if health.reasons.is_empty() => Mark::Fine,
            _ => Mark::Odd,
        }
    }

    fn sign(self) -> &'static str {
        match self {
            Mark::Fine => "✓",
            Mark::Odd => "?",
            Mark::Broken => "✗",
        }
    }

    fn word(self) -> &'static str {
        match self {
            Mark::Fine => "fine",
            Mark::Odd => "odd",
            Mark::Broken => "broken",
        }
    }

    fn colour(self) -> &'static str {
        match self {
            Mark::Fine => "32",
            Mark::Odd => "33",
            Mark::Broken => "31",
        }
    }
}

impl Report {
    /// The report for people. No line is longer than `width`, or 40 if that is more; `color` adds colours for terminals.
    pub fn to_text(&self, width: usize, color: bool) -> String {
        let mut out = String::new();
        let (sorted, odd) = (self.sorted_pages(), self.odd_pages());
        if let Some(leading) = self.leading() {
            out += &render(&leading, (sorted.as_ref(), odd.as_deref()), width, color);
        }
        for table in self.shown().skip(1) {
            out += &format!("\n{}\n", table.table.name());
            out += &render(table, (None, None), width, color);
        }
        let about = if sorted.is_some() {
            Vec::new()
        } else {
            self.about_pages()
        };
        let told = about
            .into_iter()
            .chain(self.lacking.iter().map(|lacking| clean(&lacking.to_string())))
            .chain(self.notes.iter().map(|note| clean(note)));
        for (number, words) in told.enumerate() {
            let gap = if number == 0 { "\n" } else { "" };
            let stop = if words.ends_with('?') { "" } else { "." };
            let lines = wrapped(&format!("{}{stop}", capital(&words)), width.max(40), "  ", "    ");
            out += &format!("{gap}{}\n", lines.join("\n"));
        }
        out
    }

    /// The tables with fields that are shown. Around the records of a list there may be a table of pages that has none.
    fn shown(&self) -> impl Iterator<Item = &TableReport> {
        self.tables.iter().filter(|table| shows_some(table))
    }

    /// The number of records in the first table with fields: those of a list, and not the pages that it is on.
    pub fn records(&self) -> u64 {
        self.shown().next().map_or(0, |table| table.now.records)
    }

    /// The first table that is shown, with what is known of those around it: nothing else would tell that.
    fn leading(&self) -> Option<TableReport> {
        let mut leading = self.shown().next()?.clone();
        let path = leading.table.path.clone();
        let before = self.tables.iter().take_while(|table| !shows_some(table));
        for table in before.filter(|table| path.starts_with(&table.table.path)) {
            if table.alarm.verdict == Verdict::Changed && leading.alarm.verdict != Verdict::Changed {
                (leading.alarm.verdict, leading.alarm.chance) = (table.alarm.verdict, table.alarm.chance);
            }
            let new = |reason: &&String| !leading.alarm.reasons.contains(reason);
            let reasons: Vec<String> = table.alarm.reasons.iter().filter(new).cloned().collect();
            leading.alarm.reasons.extend(reasons);
            leading.left_out.extend(table.left_out.iter().cloned());
            leading.is_doubtful |= table.is_doubtful;
        }
        Some(leading)
    }

    /// The verdict in a few words, if it is not the same for all pages or if these are not of the right kind: then it would be wrong to say that the site has
    /// changed.
    pub fn about_some_pages(&self) -> Option<String> {
        self.sorted_pages().map(|sorted| sorted.headline)
    }

    /// What is to be said first if the pages are mixed, or many of them are of another kind.
    fn sorted_pages(&self) -> Option<SortedPages> {
        let (all, counts) = (self.counts.all(), self.counts);
        let is_changed = self.leading()?.alarm.verdict == Verdict::Changed;
        let are_many = counts.others > 0 && counts.others.saturating_mul(2) >= all;
        if !is_changed || !self.is_mixed() && !are_many {
            return None;
        }
        let parts = [
            (counts.as_before, "as before", self.as_before()),
            (counts.changed, "changed", self.changed()),
            (counts.others, "of another kind", self.others()),
        ];
        let parts: Vec<_> = parts.into_iter().filter(|(count, ..)| *count > 0).collect();
        let headline = match parts[..] {
            [_] if all == 1 => "The page seems to be of another kind, or all of it has changed".to_owned(),
            [_] => format!("All {all} pages seem to be of another kind, or all of each has changed"),
            _ => {
                let say = |(at, (count, what, _)): (usize, &(u64, &str, Vec<&str>))| {
                    let of = if at == 0 { format!(" of {all}") } else { String::new() };
                    let verb = match (*what == "changed", *count == 1) {
                        (true, true) => "has",
                        (true, false) => "have",
                        (false, true) => "is",
                        (false, false) => "are",
                    };
                    format!("{count}{of} {verb} {what}")
                };
                let words: Vec<String> = parts.iter().enumerate().map(say).collect();
                format!("The pages are mixed: {}", words.join(", "))
            }
        };
        let line = |(count, what, names): &(u64, &str, Vec<&str>)| {
            let why = match *what == "of another kind" {
                true => format!(" ({NOTHING_KNOWN})"),
                false => String::new(),
            };
            format!("{}{why}: {}", capital(what), listed(names, *count))
        };
        Some(SortedPages {
            lines: parts.iter().map(line).collect(),
            headline,
        })
    }

    /// What is to be said first if all is well but for some pages.
    fn odd_pages(&self) -> Option<String> {
        let (changed, all) = (self.counts.changed, self.counts.all());
        let is_some = changed > 0 && !self.has_changed();
        is_some.then(|| format!("The wrapper works as it did, but {changed} of {all} pages may have changed"))
    }

    /// What is to be said of single pages.
    pub(crate) fn about_pages(&self) -> Vec<String> {
        let (before, changed, others) = (self.as_before(), self.changed(), self.others());
        let (all, counts) = (self.counts.all(), self.counts);
        let mut out = Vec::new();
        if self.is_mixed() {
            out.push(format!(
                "the pages are mixed: {} of {all} as before ({}), {} not ({})",
                counts.as_before,
                listed(&before, counts.as_before),
                counts.changed,
                listed(&changed, counts.changed)
            ));
        } else if !self.has_changed() && counts.changed > 0 {
            out.push(format!(
                "{} of {all} pages may have changed: {}",
                counts.changed,
                listed(&changed, counts.changed)
            ));
        }
        if counts.others == 0 {
            return out;
        }
        let what = NOTHING_KNOWN;
        let named = listed(&others, counts.others);
        out.push(match counts.others {
            1 if all == 1 => format!("the page has {what}: is it a page of the right kind?"),
            some if some == all => format!("the pages have {what}: are they pages of the right kind?"),
            some if some.saturating_mul(2) >= all => format!("{some} of {all} pages have {what}: {named}"),
            some => format!(
                "{some} of {all} pages seem to be of another kind and were not counted, they have {what}: {named}"
            ),
        });
        out
    }

    /// The report for programs.
    pub fn to_json(&self) -> Value {
        let tables = self.tables.iter().map(|table| {
            let mut value = json(&table.alarm, &table.known, &table.now);
            value["table"] = json!(table.table.name());
            value["left_out"] = json!(table.left_out);
            value
        });
        let pages = self.pages.iter().take(LISTED_IN_JSON).map(|page| {
            let reason = match &page.state {
                PageState::Changed(reason) => Some(reason),
                PageState::AsBefore | PageState::Other => None,
            };
            json!({ "name": page.name, "state": page.state.name(), "reason": reason })
        });
        let lacking = self.lacking.iter().map(|lacking| {
            json!({ "record": lacking.record, "field": lacking.field, "records": lacking.records, "page": *lacking.page })
        });
        json!({
            "kind": self.kind,
            "fine": self.is_fine(),
            "mixed": self.is_mixed(),
            "tables": tables.collect::<Vec<_>>(),
            "counts": {
                "as_before": self.counts.as_before,
                "changed": self.counts.changed,
                "others": self.counts.others,
            },
            "pages": pages.collect::<Vec<_>>(),
            "lacking": lacking.collect::<Vec<_>>(),
            "notes": self.notes,
        })
    }
}

/// Has a table fields that are shown?
fn shows_some(table: &TableReport) -> bool {
    table.alarm.fields.iter().any(|field| field.is_shown)
}

/// The verdict on pages that are not all alike.
struct SortedPages {
    headline: String,
    /// For each state, which pages are in it.
    lines: Vec<String>,
}

/// By what a page of another kind is told.
const NOTHING_KNOWN: &str = "few of the fields, labels and values that are known, or a title such as \"Not found\"";

/// The number of pages that are listed by name.
const LISTED: usize = 6;

/// The number of pages that are listed for programs; all are counted.
const LISTED_IN_JSON: usize = 1000;

/// The names of some of `of` pages, in one line.
fn listed(names: &[&str], of: u64) -> String {
    let some = names.iter().take(LISTED).map(|name| clean(name));
    let some: Vec<String> = some.collect();
    match of.saturating_sub(some.len() as u64) {
        0 => some.join(", "),
        more => format!("{} and {more} more", some.join(", ")),
    }
}

/// The report on one table for people, no line of it longer than `width` where that is 40 or more.
fn render(of: &TableReport, pages: (Option<&SortedPages>, Option<&str>), width: usize, color: bool) -> String {
    let TableReport { alarm, known, now, .. } = of;
    let width = width.max(40);
    let mut lines = head(of, pages, width, color);
    if !alarm.fields.is_empty() {
        lines.push(String::new());
        lines.extend(table(alarm, known, now, width, color));
    }
    let charts = charts(alarm, known, now, width);
    if !charts.is_empty() {
        lines.push(String::new());
        lines.extend(charts);
    }
    let shown = alarm.fields.iter().filter(|field| field.is_shown);
    let told: Vec<String> = shown.flat_map(|field| sentences(field, width)).collect();
    if !told.is_empty() {
        lines.push(String::new());
        lines.extend(told);
    }
    lines.iter().map(|line| format!("{}\n", line.trim_end())).collect()
}

/// The verdict, and what concerns records as a whole. `sorted` is the verdict if pages are mixed, `odd` if all is well but for some of them.
fn head(
    of: &TableReport,
    (sorted, odd): (Option<&SortedPages>, Option<&str>),
    width: usize,
    color: bool,
) -> Vec<String> {
    let TableReport { alarm, known, now, .. } = of;
    let lacking = match of.left_out.len() {
        1 => "A field is missing that the last repair left out",
        _ => "Fields are missing that the last repair left out",
    };
    let (mark, verdict) = match alarm.verdict {
        Verdict::Fine if !of.left_out.is_empty() => (Mark::Broken, lacking),
        Verdict::Fine if of.is_doubtful => (
            Mark::Odd,
            "It works as it did after its last repair, but that repair was not sure of all fields",
        ),
        Verdict::Fine if known.records == 0 => (Mark::Odd, "There is nothing to compare with"),
        Verdict::Fine => odd.map_or((Mark::Fine, "The wrapper works as it did"), |odd| (Mark::Odd, odd)),
        Verdict::Changed => (
            Mark::Broken,
            sorted.map_or("The site has changed", |sorted| sorted.headline.as_str()),
        ),
    };
    let missing = clean(&of.left_out.join(", "));
    let how = match alarm.verdict {
        Verdict::Fine if !missing.is_empty() => format!(": {missing}"),
        Verdict::Fine => String::new(),
        Verdict::Changed => format!(": {} of unchanged sites look like this", percent(alarm.chance)),
    };
    let sign = painted(mark.sign(), mark.colour(), color);
    let mut lines = Vec::new();
    match sorted {
        Some(sorted) => {
            let words = wrapped(&format!("{verdict}."), width, "  ", "  ");
            for (number, line) in words.iter().enumerate() {
                let first = if number == 0 { &sign } else { " " };
                lines.push(format!("{first} {}", painted(line.trim_start(), "1", color)));
            }
            for line in &sorted.lines {
                lines.extend(wrapped(&format!("{line}."), width, "  ", "    "));
            }
        }
        None => lines.push(format!("{sign} {}{how}.", painted(verdict, "1", color))),
    }
    let side = |profile: &Profile| {
        format!(
            "{} with {}",
            counted(profile.pages, "page"),
            counted(profile.records, "record")
        )
    };
    lines.push(format!("  Before: {}; now: {}.", side(known), side(now)));
    if alarm.verdict == Verdict::Changed && !missing.is_empty() {
        lines.extend(wrapped(
            &format!("Left out by the last repair: {missing}."),
            width,
            "  ",
            "    ",
        ));
    }
    for reason in &alarm.reasons {
        lines.extend(wrapped(&format!("{}.", capital(&clean(reason))), width, "  ", "  "));
    }
    lines
}

fn table(alarm: &Alarm, known: &Profile, now: &Profile, width: usize, color: bool) -> Vec<String> {
    let rows: Vec<[String; 4]> = alarm
        .fields
        .iter()
        .enumerate()
        .filter(|(_, field)| field.is_shown)
        .map(|(at, field)| {
            let count = |profile: &Profile| profile.fields.get(at).map_or(0, |field| field.count);
            [
                cut(&clean(&field.name), NAME),
                percent(field.chance),
                format!("{} → {}", count(known), count(now)),
                field.reasons.first().map(|reason| clean(reason)).unwrap_or_default(),
            ]
        })
        .collect();
    let titles = ["field", "chance", "values", "what is seen"];
    let widest = |column: usize| {
        let cells = rows.iter().map(|row| length(&row[column]));
        cells.chain([length(titles[column])]).max().unwrap_or(0)
    };
    let (name, chance, values) = (widest(0), widest(1), widest(2));
    let line = |cells: [&str; 4]| {
        let start = format!(
            "{}  {}  {}  ",
            left(cells[0], name),
            right(cells[1], chance),
            right(cells[2], values)
        );
        let room = width.saturating_sub(2 + length(&start)).max(1);
        start + &cut(cells[3], room)
    };
    let mut lines = vec![format!("  {}", line(titles))];
    let shown = alarm.fields.iter().filter(|field| field.is_shown);
    for (row, field) in rows.iter().zip(shown) {
        let mark = Mark::of(field, alarm.verdict);
        let cells = [row[0].as_str(), &row[1], &row[2], &row[3]];
        lines.push(format!(
            "{} {}",
            painted(mark.sign(), mark.colour(), color),
            line(cells)
        ));
    }
    lines
}

/// Histograms of each field, before and now on one scale.
fn charts(alarm: &Alarm, known: &Profile, now: &Profile, width: usize) -> Vec<String> {
    let mut rows: Vec<[String; 7]> = Vec::new();
    let fields = alarm.fields.iter().zip(known.fields.iter().zip(&now.fields));
    for (field, (before, after)) in fields.filter(|(field, _)| field.is_shown) {
        let lengths = Chart::new(&before.lengths, &after.lengths);
        let pages = Chart::new(&before.per_page, &after.per_page);
        let (Some(mut lengths), Some(pages)) = (lengths, pages) else {
            continue;
        };
        // Bars are called after their least number; of lengths the greatest is known.
        let some = [before, after].into_iter().filter(|side| side.count > 0);
        let ends = some.map(|side| (side.length.0, side.length.2));
        if let Some((low, high)) = ends.reduce(|one, other| (one.0.min(other.0), one.1.max(other.1))) {
            lengths.range = range(low, high);
        }
        rows.push([
            cut(&clean(&field.name), NAME),
            lengths.range,
            lengths.before,
            lengths.after,
            pages.range,
            pages.before,
            pages.after,
        ]);
    }
    if rows.is_empty() {
        return rows.into_iter().flatten().collect();
    }
    rows.insert(
        0,
        ["", "characters", "before", "now", "on a page", "before", "now"].map(str::to_owned),
    );
    let widths: Vec<usize> = (0..7)
        .map(|column| rows.iter().map(|row| length(&row[column])).max().unwrap_or(0))
        .collect();
    // Where they do not fit, lengths alone are drawn.
    let columns = match widths.iter().sum::<usize>() + 14 <= width {
        true => 7,
        false => 4,
    };
    rows.iter()
        .map(|row| {
            let cells = (0..columns).map(|column| match column {
                1 | 4 => right(&row[column], widths[column]),
                _ => left(&row[column], widths[column]),
            });
            format!("  {}", cells.collect::<Vec<_>>().join("  "))
        })
        .collect()
}

/// Two histograms on one scale.
struct Chart {
    range: String,
    before: String,
    after: String,
}

impl Chart {
    /// None if there is nothing to draw.
    fn new(before: &BTreeMap<u64, u64>, after: &BTreeMap<u64, u64>) -> Option<Chart> {
        let keys = || before.keys().chain(after.keys()).copied();
        let (low, high) = (keys().min()?, keys().max()?);
        let position = |number: u64| (number as f64).ln_1p();
        let bar = |number: u64| {
            let share = (position(number) - position(low)) / (position(high) - position(low)).max(1e-9);
            ((share * BARS as f64) as usize).min(BARS - 1)
        };
        let draw = |histogram: &BTreeMap<u64, u64>| {
            let mut bars = [0_u64; BARS];
            for (number, times) in histogram {
                bars[bar(*number)] = bars[bar(*number)].saturating_add(*times);
            }
            let most = bars.iter().copied().max().unwrap_or(0);
            let block = |times: &u64| match times {
                0 => '·',
                _ => BLOCKS[((*times as f64 / most as f64 * 7.0).round() as usize).min(7)],
            };
            bars.iter().map(block).collect::<String>()
        };
        Some(Chart {
            range: range(low, high),
            before: draw(before),
            after: draw(after),
        })
    }
}

fn range(low: u64, high: u64) -> String {
    match low == high {
        true => format!("{low}"),
        false => format!("{low}–{high}"),
    }
}

/// All that is odd about a field, in full.
fn sentences(field: &Health, width: usize) -> Vec<String> {
    let reasons: Vec<String> = field.reasons.iter().map(|reason| clean(reason)).collect();
    match reasons.is_empty() {
        true => Vec::new(),
        false => wrapped(
            &format!("{}: {}.", clean(&field.name), reasons.join("; ")),
            width,
            "  ",
            "    ",
        ),
    }
}

/// The report on one table for programs.
fn json(alarm: &Alarm, known: &Profile, now: &Profile) -> Value {
    let fields = alarm.fields.iter().enumerate().map(|(at, health)| {
        let side = |profile: &Profile| {
            profile.fields.get(at).map(|field| {
                json!({
                    "values": field.count,
                    "records": field.records,
                    "different": field.different,
                    "links": field.links,
                    "label": field.label(),
                    "pattern": field.pattern(),
                    "lengths": pairs(&field.lengths),
                    "per_page": pairs(&field.per_page),
                })
            })
        };
        json!({
            "name": health.name,
            "verdict": Mark::of(health, alarm.verdict).word(),
            "chance": health.chance,
            "reasons": health.reasons,
            "shown": health.is_shown,
            "before": side(known),
            "now": side(now),
        })
    });
    let side = |profile: &Profile| json!({"pages": profile.pages, "records": profile.records, "per_page": pairs(&profile.counts)});
    json!({
        "verdict": match alarm.verdict {
            Verdict::Fine => "fine",
            Verdict::Changed => "changed",
        },
        "chance": alarm.chance,
        "reasons": alarm.reasons,
        "before": side(known),
        "now": side(now),
        "fields": fields.collect::<Vec<_>>(),
    })
}

/// A histogram as pairs of the least number of a bar and how often it occurs.
fn pairs(histogram: &BTreeMap<u64, u64>) -> Vec<(u64, u64)> {
    histogram.iter().map(|(number, times)| (*number, *times)).collect()
}

fn percent(chance: f64) -> String {
    match chance * 100.0 {
        percent if percent < 0.1 => "<0.1 %".to_owned(),
        percent if percent < 10.0 => format!("{percent:.1} %"),
        percent => format!("{percent:.0} %"),
    }
}

fn counted(count: u64, what: &str) -> String {
    match count {
        0 => format!("no {what}s"),
        1 => format!("1 {what}"),
        _ => format!("{count} {what}s"),
    }
}

/// Without anything that steers a terminal, or turns the direction of what follows.
fn clean(text: &str) -> String {
    let steers = |c: char| {
        c.is_control() || matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    text.chars().map(|c| if steers(c) { ' ' } else { c }).collect()
}

fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars
        .next()
        .map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

fn painted(text: &str, colour: &str, color: bool) -> String {
    match color {
        true => format!("\u{1b}[{colour}m{text}\u{1b}[0m"),
        false => text.to_owned(),
    }
}

fn length(text: &str) -> usize {
    text.chars().count()
}

fn left(text: &str, width: usize) -> String {
    format!("{text:<width$}")
}

fn right(text: &str, width: usize) -> String {
    format!("{text:>width$}")
}

/// At most `most` characters.
fn cut(text: &str, most: usize) -> String {
    match length(text) <= most {
        true => text.to_owned(),
        false => text.chars().take(most.saturating_sub(1)).chain(['…']).collect(),
    }
}

/// Lines of at most `width` characters, cut between words where there are any.
fn wrapped(text: &str, width: usize, first: &str, others: &str) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = first.to_owned();
    let mut bare = true;
    for word in text.split_whitespace() {
        let mut word: Vec<char> = word.chars().collect();
        while !word.is_empty() {
            let room = width
                .saturating_sub(length(&line) + usize::from(!bare))
                .max(usize::from(bare));
            if word.len() <= room || bare {
                let rest = word.split_off(room.min(word.len()));
                if !bare {
                    line.push(' ');
                }
                line.extend(word);
                (bare, word) = (false, rest);
            }
            if !word.is_empty() {
                lines.push(std::mem::replace(&mut line, others.to_owned()));
                bare = true;
            }
        }
    }
    lines.push(line);
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check;
    use learn::guided::Wanted;
    use wrapper::profile::{FieldProfile, Sight};

    /// A profile of pages with one record: of each page the values of each field.
    fn profile(pages: &[&[&[&str]]]) -> Profile {
        let width = pages.iter().map(|page| page.len()).max().unwrap_or(0);
        let mut profile = Profile {
            fields: vec![FieldProfile::default(); width],
            ..Profile::default()
        };
        for page in pages {
            let counts: Vec<u64> = page.iter().map(|values| values.len() as u64).collect();
            profile.add_page(u64::from(counts.iter().any(|count| *count > 0)), &counts);
            for (field, values) in profile.fields.iter_mut().zip(*page) {
                field.records += u64::from(!values.is_empty());
                for text in *values {
                    field.add(&Sight {
                        text: (*text).to_owned(),
                        ..Sight::default()
                    });
                }
            }
        }
        profile
    }

    fn checked(names: &[&str], known: &Profile, now: &Profile) -> Alarm {
        let wanted: Vec<Wanted> = names
            .iter()
            .map(|name| Wanted {
                name: (*name).to_owned(),
                many: false,
            })
            .collect();
        check(&wanted, known, now)
    }

    fn render(alarm: &Alarm, known: &Profile, now: &Profile, width: usize, color: bool) -> String {
        let fields: [&str; 0] = [];
        let report = TableReport {
            table: record::RecordType::flat("page", fields).tables().remove(0),
            known: known.clone(),
            now: now.clone(),
            alarm: alarm.clone(),
            is_doubtful: false,
            left_out: Vec::new(),
        };
        super::render(&report, (None, None), width, color)
    }

    #[test]
    fn a_verdict_on_some_pages_says_so_first() {
        let (alarm, known, now) = broken();
        let text = |as_before: u64, changed: u64, others: u64| {
            let page = |state: PageState, at: u64| crate::survey::PageReport {
                name: format!("{}{at}.html", &state.name()[..1]),
                state,
            };
            let pages = (0..as_before)
                .map(|at| page(PageState::AsBefore, at))
                .chain((0..changed).map(|at| page(PageState::Changed(String::new()), at)))
                .chain((0..others).map(|at| page(PageState::Other, at)));
            let table = TableReport {
                table: record::RecordType::flat("page", ["title"]).tables().remove(0),
                known: known.clone(),
                now: now.clone(),
                alarm: alarm.clone(),
                is_doubtful: false,
                left_out: Vec::new(),
            };
            let report = Report {
                kind: "paths",
                tables: vec![table],
                pages: pages.collect(),
                counts: crate::survey::PageCounts {
                    as_before,
                    changed,
                    others,
                },
                lacking: Vec::new(),
                notes: Vec::new(),
            };
            report.to_text(80, false)
        };
        let mixed = text(2, 2, 0);
        let lines: Vec<&str> = mixed.lines().take(3).collect();
        assert_eq!(
            lines,
            [
                "✗ The pages are mixed: 2 of 4 are as before, 2 have changed.",
                "  As before: a0.html, a1.html.",
                "  Changed: c0.html, c1.html."
            ]
        );
        assert!(!mixed.contains("The site has changed"), "{mixed}");
        let kinds = text(2, 0, 2);
        assert!(
            kinds.starts_with("✗ The pages are mixed: 2 of 4 are as before, 2 are of another kind.\n"),
            "{kinds}"
        );
        assert!(text(0, 0, 3).starts_with("✗ All 3 pages seem to be of another kind"));
        assert!(text(0, 3, 0).starts_with("✗ The site has changed:"));
        // A few pages of another kind do not count.
        assert!(text(0, 3, 1).starts_with("✗ The site has changed:"));
    }

    /// The pages of a list have no fields of their own: what is known of them stands above the records.
    #[test]
    fn a_list_says_what_became_of_its_pages() {
        let (alarm, known, now) = (
            checked(&["title"], &profile(&[]), &profile(&[])),
            profile(&[]),
            profile(&[]),
        );
        let fine = Alarm {
            verdict: Verdict::Fine,
            ..alarm.clone()
        };
        let around = Alarm {
            verdict: Verdict::Changed,
            chance: 0.0001,
            fields: Vec::new(),
            reasons: vec!["1 of 2 pages have no record".to_owned()],
        };
        let items = record::Field::records("items", vec![record::Field::texts("title")]);
        let tables = record::RecordType::new("page", vec![items]).tables();
        let table = |(table, alarm): (record::Table, Alarm)| TableReport {
            table,
            known: known.clone(),
            now: now.clone(),
            alarm,
            is_doubtful: false,
            left_out: Vec::new(),
        };
        let page = |name: &str, state: PageState| crate::survey::PageReport {
            name: name.to_owned(),
            state,
        };
        let report = Report {
            kind: "template",
            tables: tables.into_iter().zip([around, fine]).map(table).collect(),
            pages: vec![
                page("a", PageState::AsBefore),
                page("b", PageState::Changed(String::new())),
            ],
            counts: crate::survey::PageCounts {
                as_before: 1,
                changed: 1,
                others: 0,
            },
            lacking: Vec::new(),
            notes: Vec::new(),
        };
        let text = report.to_text(80, false);
        let beginning = "✗ The pages are mixed: 1 of 2 is as before, 1 has changed.\n  As before: a.\n  Changed: b.\n";
        assert!(text.starts_with(beginning), "{text}");
        assert!(text.contains("  1 of 2 pages have no record."), "{text}");
    }

    const STEPS: &[&str] = &["Peel", "Chop it all", "Simmer for long", "Serve hot"];

    fn broken() -> (Alarm, Profile, Profile) {
        let known = profile(&[
            &[&["Onion soup"], STEPS],
            &[&["Leek pie"], STEPS],
            &[&["Fig jam"], STEPS],
        ]);
        let now = profile(&[&[&["Plum cake"], &[]], &[&["Nut roast"], &[]]]);
        (checked(&["title", "step"], &known, &now), known, now)
    }

    #[test]
    fn a_changed_site() {
        let (alarm, known, now) = broken();
        let expected = "\
✗ The site has changed: <0.1 % of unchanged sites look like this.
  Before: 3 pages with 3 records; now: 2 pages with 2 records.

  field  chance  values  what is seen
✓ title   100 %   3 → 2
✗ step   <0.1 %  12 → 0  none of 2 records has it, 3 of 3 had (4 values each)

         characters  before    now       on a page  before    now
  title        7–10  █·█····█  ·····█··          1  █·······  █·······
  step         4–15  █···█·██  ········        0–4  ·······█  █·······

  step: none of 2 records has it, 3 of 3 had (4 values each).
";
        let text = render(&alarm, &known, &now, 100, false);
        assert_eq!(text, expected, "\n{text}");
    }

    #[test]
    fn lines_fit_and_do_not_steer_the_terminal() {
        let (mut alarm, known, now) = broken();
        alarm.fields[0].name = format!("\u{1b}[2J{}\n\u{202e}", "name".repeat(30));
        alarm.fields[0].reasons = vec!["word ".repeat(60), "x".repeat(250)];
        alarm.reasons.push("y".repeat(300));
        for width in [0, 40, 80, 100] {
            let text = render(&alarm, &known, &now, width, false);
            for line in text.lines() {
                assert!(length(line) <= width.max(72), "{width}: {line}");
                assert_eq!(line.trim_end(), line);
            }
            assert!(text.chars().all(|c| c == '\n' || !c.is_control()), "{text:?}");
            assert!(!text.contains('\u{202e}'));
            // Nothing of what is cut in the table is lost; a sentence begins with a capital letter.
            assert_eq!(text.to_lowercase().matches('y').count(), 300);
            assert!(text.matches('x').count() >= 250, "{text}");
        }
    }

    #[test]
    fn colours_are_only_there_when_asked_for() {
        let (alarm, known, now) = broken();
        let (plain, painted) = (
            render(&alarm, &known, &now, 100, false),
            render(&alarm, &known, &now, 100, true),
        );
        assert!(!plain.contains('\u{1b}'));
        assert!(painted.contains("\u{1b}[31m✗\u{1b}[0m"));
        let bare = ["0", "1", "31", "32", "33"]
            .iter()
            .fold(painted, |text, code| text.replace(&format!("\u{1b}[{code}m"), ""));
        assert_eq!(bare, plain);
    }

    #[test]
    fn nothing_is_no_trouble() {
        let nothing = Profile::default();
        let alarm = checked(&[], &nothing, &nothing);
        assert_eq!(
            render(&alarm, &nothing, &nothing, 100, false),
            "? There is nothing to compare with.\n  Before: no pages with no records; now: no pages with no records.\n  \
             It never found a record, so there is nothing to compare with.\n"
        );
        assert_eq!(json(&alarm, &nothing, &nothing)["fields"], json!([]));
    }

    #[test]
    fn programs_get_it_all() {
        let (alarm, known, now) = broken();
        let value = json(&alarm, &known, &now);
        assert_eq!(value["verdict"], "changed");
        assert_eq!(value["fields"][0]["verdict"], "fine");
        assert_eq!(value["fields"][1]["verdict"], "broken");
        assert_eq!(value["fields"][1]["before"]["per_page"], json!([[4, 3]]));
        assert_eq!(value["fields"][1]["now"]["values"], 0);
        assert_eq!(value["now"], json!({"pages": 2, "records": 2, "per_page": [[1, 2]]}));
        let mut odd = alarm;
        odd.chance = f64::NAN;
        assert_eq!(json(&odd, &known, &now)["chance"], Value::Null);
    }
}
