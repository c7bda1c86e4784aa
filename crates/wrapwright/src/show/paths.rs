//! Wrappers by paths and by expressions, in words.

use crate::record::Table;
use crate::rule::paths::Paths;
use crate::wrapper::{Rule, Wrapper};

/// A wrapper in words.
pub(super) fn describe(wrapper: &Wrapper) -> String {
    let mut out = match &wrapper.rule {
        Rule::Paths(rule) => {
            let tables = wrapper.record_type.tables();
            let mut out = format!("wrapper by paths; records: {}\n", wrapper.record_type.name);
            let mut next = 0;
            paths(rule, &tables, &mut next, &mut out);
            out
        }
        Rule::Oxpath(text) => format!(
            "wrapper by an OXPath expression; records: {}\n\n{}\n",
            wrapper.record_type.name,
            text.trim_end()
        ),
        _ => String::new(),
    };
    if let Some(profile) = wrapper.evidence.profiles.first() {
        out += "\nWhat is known of the values:\n";
        let columns = wrapper.record_type.tables();
        let columns = columns.first().map_or(&[][..], |table| &table.columns);
        for (column, field) in columns.iter().zip(&profile.fields) {
            let label = field
                .label()
                .map_or_else(|| "-".to_owned(), |label| format!("{label:?}"));
            let link = if field.link_share() >= 0.5 { "links" } else { "no links" };
            out += &format!(
                "  {:<20} {link:<9} behind {label:<24} {}\n",
                column.name(),
                field.pattern()
            );
        }
    }
    let pages = &wrapper.evidence.pages;
    if !pages.is_empty() {
        let names: Vec<&str> = pages.iter().take(5).map(|page| page.name.as_str()).collect();
        let more = if pages.len() > 5 {
            format!(" and {} more", pages.len() - 5)
        } else {
            String::new()
        };
        out += &format!("\nLearned from {}{more}.\n", names.join(", "));
    }
    out
}

fn paths(rule: &Paths, tables: &[Table], next: &mut usize, out: &mut String) {
    let Some(table) = tables.get(*next) else { return };
    *next += 1;
    *out += &match (table.path.is_empty(), rule.each.is_empty()) {
        (true, true) => "\na page is a record\n".to_owned(),
        (true, false) => format!("\nfor each {}\n", rule.each.join("\n   or else ")),
        (false, _) => format!(
            "\nin it, for each `{}` {}\n",
            table.name(),
            rule.each.join("\n   or else ")
        ),
    };
    for (column, field) in table.columns.iter().zip(&rule.fields) {
        let ways: Vec<String> = field
            .ways
            .iter()
            .map(|way| {
                let after: String = way
                    .skips
                    .iter()
                    .chain([&way.after])
                    .filter(|words| !words.is_empty())
                    .map(|words| format!(", after {words:?}"))
                    .collect();
                let before = if way.before.is_empty() {
                    String::new()
                } else {
                    format!(", before {:?}", way.before)
                };
                let matching = if way.matching.is_empty() {
                    String::new()
                } else {
                    format!(", matching {}", way.matching)
                };
                format!("{}{after}{before}{matching}", way.path)
            })
            .collect();
        let many = if field.many { "*" } else { "" };
        let name = format!("{}{many}", column.name());
        let between = format!("\n  {:<20} ", "or else");
        let ways = if ways.is_empty() {
            "(no path)".to_owned()
        } else {
            ways.join(&between)
        };
        *out += &format!("  {name:<20} {ways}\n");
    }
    for inner in &rule.inner {
        paths(inner, tables, next, out);
    }
}
