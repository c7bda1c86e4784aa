//! Pictures of made-up histories.

use super::super::tests::entry;
use super::super::{FieldEntry, RepairEntry};
use super::*;

/// Runs of a shop that changes from time to time: every 17th day something is wrong, every 34th it is repaired.
pub(super) fn shop(runs: usize, fields: usize) -> Vec<Entry> {
    let name = |field: usize| match field {
        0 => "title".to_owned(),
        1 => "price".to_owned(),
        2 => "a name that is so long that it must be cut somewhere".to_owned(),
        _ => format!("field {field}"),
    };
    let day = |run: usize| {
        super::super::utc(std::time::UNIX_EPOCH + std::time::Duration::from_secs(1_780_000_000 + 86_400 * run as u64))
    };
    (0..runs)
        .map(|run| {
            let (verdict, amiss) = match run % 34 {
                13 => (Outcome::NotRepaired, true),
                14 => (Outcome::Repaired, true),
                29 => (Outcome::Unreadable, false),
                _ => (Outcome::Fine, false),
            };
            let records = if verdict == Outcome::Unreadable {
                0
            } else {
                40 + (run * 7 % 11) as u64
            };
            let of = |field: usize| match (amiss, (run + field) % 9) {
                (true, 0 | 4) => (0, 0.0),
                (true, 1 | 5) => (records / 2, 0.001),
                (_, 2) if run % 7 == 2 => (records.saturating_sub(3), 0.07),
                (_, 3) if field % 6 == 5 => (0, 1.0),
                _ => (records, 1.0),
            };
            let all: Vec<(String, (u64, f64))> = (0..fields).map(|field| (name(field), of(field))).collect();
            let mut all: Vec<(&str, u64, f64)> = all
                .iter()
                .map(|(name, (count, chance))| (name.as_str(), *count, *chance))
                .collect();
            if verdict == Outcome::Unreadable {
                all.clear();
            }
            let mut made = entry(&day(run), records, verdict, &all);
            if verdict == Outcome::Repaired {
                made.repair = Some(RepairEntry {
                    from_hash: "1".to_owned(),
                    to_hash: "2".to_owned(),
                    kept_as: "shop.wrapper.1.json".to_owned(),
                    fields: ["title", "price", "field 5"]
                        .map(|name| (name.to_owned(), 0.97))
                        .to_vec(),
                    note: "price stands in another column".to_owned(),
                });
            }
            made
        })
        .collect()
}

/// Are elements closed in the right order, and attributes quoted?
fn is_well_formed(svg: &str) -> bool {
    let mut open: Vec<&str> = Vec::new();
    let mut rest = svg;
    while let Some(at) = rest.find('<') {
        let Some(end) = rest[at..].find('>') else { return false };
        let (text, tag) = (&rest[..at], &rest[at + 1..at + end]);
        if text.contains('>') || tag.matches('"').count() % 2 == 1 {
            return false;
        }
        match tag.strip_prefix('/') {
            Some(name) if open.pop() != Some(name) => return false,
            None if !tag.ends_with('/') => open.push(tag.split([' ', '\n']).next().unwrap_or_default()),
            _ => {}
        }
        rest = &rest[at + end + 1..];
    }
    open.is_empty()
}

/// With `WRAPWRIGHT_PICTURES=DIR` the pictures are written to that directory, for inspection.
#[test]
fn pictures_of_every_size() {
    if let Some(directory) = std::env::var_os("WRAPWRIGHT_PICTURES") {
        std::fs::create_dir_all(&directory).unwrap();
    }
    for (runs, fields) in [
        (0, 0),
        (1, 0),
        (1, 1),
        (3, 4),
        (14, 6),
        (45, 8),
        (120, 12),
        (500, 9),
        (500, 60),
        (2000, 3),
    ] {
        let entries = shop(runs, fields);
        let drawn = svg(&entries, "shop.wrapper.json");
        assert!(is_well_formed(&drawn), "{runs} runs, {fields} fields");
        assert_eq!(svg(&entries, "shop.wrapper.json"), drawn);
        if let Some(directory) = std::env::var_os("WRAPWRIGHT_PICTURES") {
            std::fs::write(
                std::path::Path::new(&directory).join(format!("{runs}x{fields}.svg")),
                &drawn,
            )
            .unwrap();
        }
        // Diamonds: one for each repair, one in the legend.
        let last = &entries[runs.saturating_sub(MOST)..];
        let repairs = last.iter().filter(|entry| entry.verdict == Outcome::Repaired).count();
        let diamonds = drawn.matches("l5 5l-5 5l-5 -5z").count();
        assert_eq!(diamonds, if runs == 0 { 0 } else { repairs + 1 }, "{runs} runs");
        for field in (0..fields).filter(|field| *field != 2) {
            let name = ["title", "price"]
                .get(field)
                .map_or(format!("field {field}"), |name| (*name).to_owned());
            assert!(drawn.contains(&format!(">{name}</text>")), "{name}");
        }
        assert!(
            drawn.len() < 1_000_000,
            "{runs} runs, {fields} fields: {} bytes",
            drawn.len()
        );
    }
}

#[test]
fn what_a_picture_says() {
    let drawn = svg(&shop(45, 3), "shop.wrapper.json");
    for words in [
        ">45 runs from 2026-05-28 to 2026-07-11: 42 fine, 1 repaired, 1 not repaired, 1 unreadable</text>",
        ">a name that is so lon…</text>",
        ">50</text>",
        ">2026-07-11</text>",
        "<title>2026-06-11 20:26: repaired, price stands in another column</title>",
        "records have it",
    ] {
        assert!(drawn.contains(words), "{words} is not in {drawn}");
    }
    let long = svg(&shop(2000, 1), "shop");
    assert!(long.contains(">the last 720 of 2000 runs from "), "{long}");
}

/// A broken run among five hundred is drawn wider than its column, and over its neighbours.
#[test]
fn trouble_is_seen_among_many_runs() {
    let mut entries: Vec<Entry> = (0..500)
        .map(|_| entry("2026-11-15T06:00:00Z", 9, Outcome::Fine, &[("a", 9, 1.0)]))
        .collect();
    entries[250] = entry("2026-11-15T06:00:00Z", 9, Outcome::Changed, &[("a", 9, 0.0)]);
    let drawn = svg(&entries, "many");
    let (broken, fine) = (look(Health::Broken).0, look(Health::Fine).0);
    let strip = &drawn[drawn.find(">a</text>").unwrap()..];
    let of_strip: Vec<&str> = strip.lines().filter(|line| line.starts_with("<rect")).take(3).collect();
    assert!(of_strip[0].contains(fine) && of_strip[1].contains(fine), "{of_strip:?}");
    assert!(
        of_strip[2].contains(broken) && of_strip[2].contains("width=\"2.5\""),
        "{of_strip:?}"
    );
}

/// Runs within a day, a minute and a second: no date is written twice.
#[test]
fn dates_are_distinct() {
    let labels = |drawn: &str| -> Vec<String> {
        let lines = drawn
            .lines()
            .filter(|line| line.starts_with("<text") && line.contains("text-anchor=\"middle\""));
        let text = |line: &str| line.split(['>', '<']).nth(2).unwrap_or_default().to_owned();
        lines.map(text).collect()
    };
    for (seconds, length) in [(86_400, 10), (3_600, 16), (7, 19), (0, 19)] {
        for runs in [2, 9, 60, 400] {
            let when = |run: u64| {
                let time = std::time::Duration::from_secs(1_780_000_000 + seconds * run);
                super::super::utc(std::time::UNIX_EPOCH + time)
            };
            let run = |run: u64| entry(&when(run), 9, Outcome::Fine, &[("a", 9, 1.0)]);
            let drawn = svg(&(0..runs).map(run).collect::<Vec<_>>(), "often");
            let found = labels(&drawn);
            let different: HashSet<&String> = found.iter().collect();
            assert_eq!(different.len(), found.len(), "{found:?}");
            assert!(
                !found.is_empty() && found.iter().all(|words| words.len() <= length.max(10)),
                "{found:?}"
            );
        }
    }
}

/// A field that a run repaired is drawn as mended there, not as broken.
#[test]
fn a_mended_field_is_drawn_as_mended() {
    let mut run = entry(
        "2026-11-15T06:00:00Z",
        9,
        Outcome::Repaired,
        &[("a", 0, 0.0), ("b", 9, 0.0)],
    );
    run.repair = Some(RepairEntry {
        from_hash: "1".to_owned(),
        to_hash: "2".to_owned(),
        kept_as: String::new(),
        fields: vec![("a".to_owned(), 0.97)],
        note: String::new(),
    });
    let drawn = svg(&[run], "mended");
    let strip = |name: &str| {
        let from = drawn.find(&format!(">{name}</text>")).unwrap();
        drawn[from..].lines().nth(1).unwrap().to_owned()
    };
    assert!(strip("a").contains(look(Health::Mended).0), "{drawn}");
    assert!(strip("b").contains(look(Health::Broken).0), "{drawn}");
}

#[test]
fn names_and_reasons_of_strangers_are_only_text() {
    let odd = "</text><script>alert(1)</script>\0\u{b}\u{202e}\" & '";
    let field = FieldEntry {
        name: odd.to_owned(),
        count: 1,
        chance: 0.0,
        reason: Some(odd.to_owned()),
    };
    let mut run = entry(odd, u64::MAX, Outcome::Repaired, &[]);
    run.fields.push(field);
    run.repair = Some(RepairEntry {
        from_hash: odd.to_owned(),
        to_hash: odd.to_owned(),
        kept_as: odd.to_owned(),
        fields: vec![(odd.to_owned(), f64::NAN)],
        note: odd.to_owned(),
    });
    let drawn = svg(&[run], odd);
    assert!(is_well_formed(&drawn), "{drawn}");
    let is_plain = |c: char| c == '\n' || !(c.is_control() || c == '\u{202e}');
    assert!(!drawn.contains("<script") && drawn.chars().all(is_plain), "{drawn}");
}

#[test]
fn scales_end_with_round_numbers() {
    let check = |number, expected| assert_eq!(round(number), expected, "{number}");
    check(0, 1);
    check(1, 1);
    check(3, 5);
    check(50, 50);
    check(51, 100);
    check(10_001, 20_000);
    check(u64::MAX, u64::MAX);
    assert_eq!(["0", "1.5", "10", "-2.25"], [0.0, 1.5, 10.0, -2.25].map(short)[..]);
}
