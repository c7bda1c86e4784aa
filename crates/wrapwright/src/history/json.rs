//! Entries as lines of JSON, for programs. The keys have a fixed order, so lines can be compared as texts.

use super::Entry;
use serde_json::{Value, json};

/// A line of JSON for each run.
///
/// `{"when":…, "wrapper":…, "pages":…, "failed_pages":…, "records":…, "verdict":…, "fields":[{"name":…, "count":…, "chance":…,
/// "reason":…}], "repair":{"from":…, "to":…, "kept_as":…, "fields":[{"name":…, "sure":…}], "note":…}}`; a reason and a repair
/// may be null.
pub fn json_lines(entries: &[Entry]) -> String {
    entries.iter().map(|entry| line(entry) + "\n").collect()
}

fn line(entry: &Entry) -> String {
    let fields = entry.fields.iter().map(|field| {
        object([
            ("name", text(&json!(field.name))),
            ("count", text(&json!(field.count))),
            ("chance", text(&json!(field.chance))),
            ("reason", text(&json!(field.reason))),
        ])
    });
    let repair = entry.repair.as_ref().map(|repair| {
        let fields = repair
            .fields
            .iter()
            .map(|(name, sure)| object([("name", text(&json!(name))), ("sure", text(&json!(sure)))]));
        object([
            ("from", text(&json!(repair.from_hash))),
            ("to", text(&json!(repair.to_hash))),
            ("kept_as", text(&json!(repair.kept_as))),
            ("fields", array(fields)),
            ("note", text(&json!(repair.note))),
        ])
    });
    object([
        ("when", text(&json!(entry.when))),
        ("wrapper", text(&json!(entry.wrapper_hash))),
        ("pages", text(&json!(entry.pages))),
        ("failed_pages", text(&json!(entry.failed_pages))),
        ("records", text(&json!(entry.records))),
        ("verdict", text(&json!(entry.verdict.name()))),
        ("fields", array(fields)),
        ("repair", repair.unwrap_or_else(|| "null".to_owned())),
    ])
}

fn text(value: &Value) -> String {
    value.to_string()
}

/// An object with its members in this order, which a map would sort.
fn object<const N: usize>(members: [(&str, String); N]) -> String {
    let members = members.map(|(name, value)| format!("\"{name}\":{value}"));
    format!("{{{}}}", members.join(","))
}

fn array(items: impl Iterator<Item = String>) -> String {
    format!("[{}]", items.collect::<Vec<_>>().join(","))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::history::tests::entry;
    use crate::history::{Outcome, RepairEntry};

    #[test]
    fn a_run_is_a_line() {
        let mut run = entry("2026-10-01T06:00:00Z", 2, Outcome::Repaired, &[("a \"b\"", 2, 1.0)]);
        run.repair = Some(RepairEntry {
            from_hash: "1".to_owned(),
            to_hash: "2".to_owned(),
            kept_as: "site.old-1.wrapper.json".to_owned(),
            fields: vec![("a".to_owned(), 0.5)],
            note: "x\ny".to_owned(),
        });
        let expected = "{\"when\":\"2026-10-01T06:00:00Z\",\"wrapper\":\"00c0ffee00c0ffee\",\"pages\":3,\"failed_pages\":0,\
                        \"records\":2,\"verdict\":\"repaired\",\"fields\":[{\"name\":\"a \\\"b\\\"\",\"count\":2,\"chance\":1.0,\
                        \"reason\":null}],\"repair\":{\"from\":\"1\",\"to\":\"2\",\"kept_as\":\"site.old-1.wrapper.json\",\
                        \"fields\":[{\"name\":\"a\",\"sure\":0.5}],\"note\":\"x\\ny\"}}\n";
        assert_eq!(json_lines(&[run]), expected);
        assert_eq!(json_lines(&[]), "");
    }
}
