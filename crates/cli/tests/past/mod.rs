//! A history to look at: three weeks of a shop that changes once.

use std::path::Path;
use wrapwright::history::{Entry, FieldEntry, History, Outcome, RepairEntry};

/// The runs of three weeks, a run a day.
pub(crate) fn shop() -> Vec<Entry> {
    (1..=21).map(day).collect()
}

fn day(day: u64) -> Entry {
    let field = |name: &str, count, chance, reason: &str| FieldEntry {
        name: name.to_owned(),
        count,
        chance,
        reason: (!reason.is_empty()).then(|| reason.to_owned()),
    };
    let mut entry = Entry {
        when: format!("2026-10-{day:02}T06:00:00Z"),
        wrapper_hash: if day <= 15 {
            "5e1f3a90c2d47b68"
        } else {
            "b07d9c11e6a2f354"
        }
        .to_owned(),
        pages: 4,
        failed_pages: 0,
        records: 40,
        verdict: Outcome::Fine,
        fields: vec![
            field("title", 40, 1.0, ""),
            field("price", 40, 1.0, ""),
            field("stock", 38, 0.84, ""),
        ],
        repair: None,
    };
    match day {
        9 => {
            let reason = "34 of 40 values are written as before (9.99)";
            entry.fields[1] = field("price", 40, 0.071, reason);
        }
        12 => {
            (entry.failed_pages, entry.records, entry.verdict) = (4, 0, Outcome::Unreadable);
            entry.fields.clear();
        }
        15 => {
            entry.fields[1] = field("price", 0, 0.0, "0 of 40 records have it, 40 of 40 had");
            entry.verdict = Outcome::Repaired;
            entry.repair = Some(RepairEntry {
                from_hash: "5e1f3a90c2d47b68".to_owned(),
                to_hash: "b07d9c11e6a2f354".to_owned(),
                kept_as: "shop.old-1.wrapper.json".to_owned(),
                fields: vec![("price".to_owned(), 0.97)],
                note: String::new(),
            });
        }
        _ => {}
    }
    entry
}

/// Writes entries to the history of a wrapper, from the beginning.
pub(crate) fn write(wrapper: &Path, entries: &[Entry]) {
    let path = wrapwright::history::default_path(wrapper);
    let _ = std::fs::remove_file(&path);
    let mut history = History::open(&path).unwrap();
    for entry in entries {
        history.add(entry).unwrap();
    }
}
