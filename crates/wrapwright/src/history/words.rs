//! A history as text: a line for each run, then a row of signs for each field, then the latest problems.
//!
//! Nothing is wider than [`WIDE`] columns, so at most the last [`MOST`] runs are drawn.

use super::cells::{columns, cut, fill};
use super::{Entry, Health, Outcome, RepairEntry, names, rows};

/// The width of a line, in columns.
const WIDE: usize = 100;
/// The most runs that are drawn.
const MOST: usize = 60;
/// The width of a field's name, in columns.
const NAME: usize = 24;

/// A history for people to read.
pub fn text(entries: &[Entry]) -> String {
    if entries.is_empty() {
        return "no runs yet\n".to_owned();
    }
    let drawn = &entries[entries.len().saturating_sub(MOST)..];
    let mut out = match drawn.len() < entries.len() {
        true => format!("the last {MOST} of {} runs\n\n", entries.len()),
        false => String::new(),
    };
    out += &table(drawn);
    let names = names(drawn);
    let wide = names.iter().map(|name| columns(name)).max().unwrap_or(0).clamp(5, NAME);
    let rows = rows(drawn, &names);
    if !names.is_empty() {
        let (first, last) = (date(&drawn[0]), date(&drawn[drawn.len() - 1]));
        let span = if first == last {
            first
        } else {
            format!("{first} to {last}")
        };
        out += &format!("\n{}  {span}, a sign a run\n", fill("field", wide));
    }
    for (name, row) in names.iter().zip(&rows) {
        let cells = row.iter().zip(drawn);
        let signs = cells.map(|(field, entry)| field.map_or(' ', |field| sign(entry.health(field))));
        let line = format!("{}  {}", fill(name, wide), signs.collect::<String>());
        out += line.trim_end();
        out.push('\n');
    }
    if !names.is_empty() {
        out += "\n● fine  ◐ doubtful  ○ broken  × nothing found  · nothing found (optional)  ◆ mended\n";
    }
    let mut amiss = String::new();
    for (name, row) in names.iter().zip(&rows) {
        let worst = row.iter().zip(drawn).rev().find_map(|(field, entry)| {
            let reason = field.as_ref()?.reason.as_ref()?;
            Some((entry, reason))
        });
        if let Some((entry, reason)) = worst {
            let line = format!("{}  {}  {reason}", fill(name, wide), date(entry));
            amiss += &(cut(&line, WIDE) + "\n");
        }
    }
    if !amiss.is_empty() {
        out += &format!("\nlast amiss\n{amiss}");
    }
    out
}

/// A line for each run.
fn table(entries: &[Entry]) -> String {
    let headings = ["run (UTC)", "pages", "failed", "records", "verdict"].map(str::to_owned);
    let mut lines = vec![(headings, String::new())];
    for entry in entries {
        let cells = [
            minute(entry),
            entry.pages.to_string(),
            entry.failed_pages.to_string(),
            entry.records.to_string(),
            entry.verdict.name().to_owned(),
        ];
        lines.push((cells, entry.repair.as_ref().map(about).unwrap_or_default()));
    }
    let wide: Vec<usize> = (0..5)
        .map(|column| {
            lines
                .iter()
                .map(|(cells, _)| columns(&cells[column]))
                .max()
                .unwrap_or(0)
        })
        .collect();
    let mut out = String::new();
    for ([run, pages, failed, records, verdict], note) in &lines {
        let line = format!(
            "{}  {pages:>p$}  {failed:>f$}  {records:>r$}  {}  {note}",
            fill(run, wide[0]),
            fill(verdict, wide[4]),
            p = wide[1],
            f = wide[2],
            r = wide[3],
        );
        out += cut(&line, WIDE).trim_end();
        out.push('\n');
    }
    out
}

/// A repair in words.
fn about(repair: &RepairEntry) -> String {
    let fields = repair
        .fields
        .iter()
        .map(|(name, sure)| format!("{name} ({:.0} %)", sure * 100.0));
    let fields = fields.collect::<Vec<_>>().join(", ");
    let kept = match repair.kept_as.is_empty() {
        true => String::new(),
        false => format!("before: {}", repair.kept_as),
    };
    let parts = [fields, kept, repair.note.clone()];
    parts
        .into_iter()
        .filter(|part| !part.is_empty())
        .collect::<Vec<_>>()
        .join("; ")
}

fn sign(health: Health) -> char {
    match health {
        Health::Fine => '●',
        Health::Doubtful => '◐',
        Health::Broken => '○',
        Health::Gone => '×',
        Health::Empty => '·',
        Health::Mended => '◆',
    }
}

/// The day of a run.
pub(super) fn date(entry: &Entry) -> String {
    cut(entry.when.split('T').next().unwrap_or_default(), 10)
}

/// Day and minute of a run.
pub(super) fn minute(entry: &Entry) -> String {
    let when = entry.when.replacen('T', " ", 1);
    cut(&when.chars().take(16).collect::<String>(), 16)
}

/// Day and second of a run.
pub(super) fn second(entry: &Entry) -> String {
    let when = entry.when.replacen('T', " ", 1);
    cut(&when.chars().take(19).collect::<String>(), 19)
}

/// How many runs had each outcome, in words.
pub(super) fn tally(entries: &[Entry]) -> String {
    let count = |outcome| entries.iter().filter(|entry| entry.verdict == outcome).count();
    let counts = Outcome::ALL.map(|outcome| (count(outcome), outcome.name()));
    let some = counts.iter().filter(|(count, _)| *count > 0);
    some.map(|(count, name)| format!("{count} {name}"))
        .collect::<Vec<_>>()
        .join(", ")
}

#[cfg(test)]
mod tests {
    use super::super::tests::entry;
    use super::*;

    #[test]
    fn runs_fields_and_what_was_amiss() {
        let run = |day: u64, verdict, price: (u64, f64)| {
            let fields = [("title", 20, 1.0), ("price", price.0, price.1)];
            entry(&format!("2026-11-{day:02}T06:00:00Z"), 20, verdict, &fields)
        };
        let mut repaired = run(3, Outcome::Repaired, (20, 0.0001));
        repaired.repair = Some(RepairEntry {
            from_hash: "1".to_owned(),
            to_hash: "2".to_owned(),
            kept_as: "site.wrapper.1.json".to_owned(),
            fields: vec![("price".to_owned(), 0.97)],
            note: String::new(),
        });
        let mut unreadable = entry("2026-11-05T06:00:00Z", 0, Outcome::Unreadable, &[]);
        unreadable.failed_pages = 3;
        let entries = [
            run(1, Outcome::Fine, (20, 1.0)),
            run(2, Outcome::Changed, (0, 0.0)),
            repaired,
            run(4, Outcome::Fine, (19, 0.09)),
            unreadable,
            run(6, Outcome::Fine, (0, 1.0)),
        ];
        let expected = "\
run (UTC)         pages  failed  records  verdict
2026-11-01 06:00      3       0       20  fine
2026-11-02 06:00      3       0       20  changed
2026-11-03 06:00      3       0       20  repaired    price (97 %); before: site.wrapper.1.json
2026-11-04 06:00      3       0       20  fine
2026-11-05 06:00      3       3        0  unreadable
2026-11-06 06:00      3       0       20  fine

field  2026-11-01 to 2026-11-06, a sign a run
title  ●●●● ●
price  ●×◆◐ ·

● fine  ◐ doubtful  ○ broken  × nothing found  · nothing found (optional)  ◆ mended

last amiss
price  2026-11-04  19 of 20 records have it, 20 of 20 had
";
        assert_eq!(text(&entries), expected);
    }

    #[test]
    fn no_line_is_too_wide_whatever_is_in_it() {
        assert_eq!(text(&[]), "no runs yet\n");
        let long = "値段\n\u{1b}[2J".repeat(50);
        let mut odd = entry(
            &long,
            u64::MAX,
            Outcome::NotRepaired,
            &[(&long, u64::MAX, 0.0), ("", 0, 1.0)],
        );
        odd.fields[0].reason = Some(long.clone());
        odd.repair = Some(RepairEntry {
            from_hash: long.clone(),
            to_hash: long.clone(),
            kept_as: long.clone(),
            fields: vec![(long.clone(), f64::NAN)],
            note: long,
        });
        let entries = vec![odd; 500];
        let drawn = text(&entries);
        assert_eq!(drawn.lines().count(), 2 + 1 + MOST + 2 + 2 + 2 + 2 + 1, "{drawn}");
        for line in drawn.lines() {
            assert!(columns(line) <= WIDE, "{line}");
            assert!(!line.contains('\u{1b}'), "{line}");
        }
    }
}
