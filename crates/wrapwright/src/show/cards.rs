//! Reports as pieces of HTML, for notebooks and pages that show them: a table of fields, the health of a wrapper, a repair.
//!
//! A piece has its styles in its elements, so it looks the same wherever it is put, and no scripts. All texts are escaped and
//! clipped. The health of a field is a bar whose length says how usual its values are; colours repeat what words say.

use crate::clip::clip;
use crate::fields::Listed;
use crate::tend::{Alarm, DOUBT, Repair, RepairOutcome, Report, Verdict};
use std::fmt::Write;

/// The most characters of a value.
const LONGEST: usize = 60;
/// The most rows of a table.
const ROWS: usize = 200;

const TABLE: &str = "<table style=\"border-collapse:collapse;font:13px/1.5 sans-serif\">";
const HEAD: &str = "<th style=\"text-align:left;padding:2px 10px 2px 0;border-bottom:1px solid #888\">";
const CELL: &str = "<td style=\"text-align:left;padding:2px 10px 2px 0;vertical-align:top\">";

/// The fields of a wrapper with samples. Those that it does not show are pale.
pub fn fields(fields: &[Listed]) -> String {
    let mut out = table(&["field", "sort", "records", "samples"]);
    for field in fields.iter().take(ROWS) {
        let samples: Vec<String> = field.samples.iter().map(|text| clip(text, LONGEST)).collect();
        let on = match field.records.1 {
            0 => String::new(),
            of => format!("{}/{of}", field.records.0),
        };
        let style = if field.shown { "" } else { " style=\"opacity:.5\"" };
        row(&mut out, style, &[&field.name, field.sort, &on, &samples.join(" | ")]);
    }
    end(&mut out, fields.len());
    out
}

/// What a check found: the verdict, and a bar for each field.
pub fn health(report: &Report) -> String {
    let mut out = String::new();
    let some = report.about_some_pages().map(|words| escape(&words));
    for part in &report.tables {
        let (mark, verdict) = match part.alarm.verdict {
            Verdict::Fine => ("#2da44e", "The wrapper works as it did"),
            Verdict::Changed => {
                let about = some.as_deref().filter(|_| part.table.path.is_empty());
                ("#c2410c", about.unwrap_or("The site has changed"))
            }
        };
        let name = match part.table.path.is_empty() {
            true => String::new(),
            false => format!("{}: ", escape(&part.table.name())),
        };
        let _ = write!(
            out,
            "<p style=\"font:13px sans-serif\"><b style=\"color:{mark}\">&#9679; {name}{verdict}</b>: {} records, {} \
             before</p>",
            part.now.records, part.known.records
        );
        out += &bars(&part.alarm);
    }
    for note in &report.notes {
        let _ = write!(out, "<p style=\"font:13px sans-serif\">{}</p>", escape(note));
    }
    out
}

/// A bar for each field.
fn bars(alarm: &Alarm) -> String {
    let mut out = table(&["field", "as usual", "what is unusual"]);
    for field in alarm.fields.iter().take(ROWS) {
        let share = (field.chance.clamp(0.0, 1.0) * 100.0).round();
        let colour = if field.chance < DOUBT { "#c2410c" } else { "#2da44e" };
        let _ = write!(
            out,
            "<tr>{CELL}{}</td>{CELL}<svg width=\"104\" height=\"12\" role=\"img\" aria-label=\"{share} %\"><title>{share} \
             %</title><rect width=\"104\" height=\"12\" fill=\"#eee\"/><rect width=\"{}\" height=\"12\" \
             fill=\"{colour}\"/></svg></td>{CELL}{}</td></tr>",
            escape(&clip(&field.name, LONGEST)),
            share + 4.0,
            escape(&clip(&field.reasons.join("; "), 4 * LONGEST)),
        );
    }
    end(&mut out, alarm.fields.len());
    out
}

/// What became of a repair, with values of before and now.
pub fn repair(outcome: &RepairOutcome) -> String {
    let (words, repair) = match outcome {
        RepairOutcome::Healthy(report) => {
            return format!(
                "<p style=\"font:13px sans-serif\">The wrapper still works, so it was left as it is.</p>{}",
                health(report)
            );
        }
        RepairOutcome::Repaired(repair) => ("The wrapper was repaired", repair),
        RepairOutcome::Partly(repair) => ("The wrapper was repaired without the fields that are not sure", repair),
        RepairOutcome::Unsure(repair) => ("The repair is not sure enough to be used", repair),
    };
    format!(
        "<p style=\"font:13px sans-serif\"><b>{words}</b></p>{}",
        changes(repair)
    )
}

fn changes(repair: &Repair) -> String {
    let mut out = table(&["field", "sure", "before", "now"]);
    for field in repair.fields.iter().take(ROWS) {
        let some = |values: &[String]| {
            let values: Vec<String> = values.iter().take(3).map(|text| clip(text, LONGEST)).collect();
            values.join(" | ")
        };
        let now = match field.left_out {
            true => "(left out)".to_owned(),
            false => some(&field.after),
        };
        let sure = format!("{:.0}\u{a0}%", field.sure * 100.0);
        row(&mut out, "", &[&field.name, &sure, &some(&field.before), &now]);
    }
    end(&mut out, repair.fields.len());
    out
}

fn table(names: &[&str]) -> String {
    let heads = names.iter().map(|name| format!("{HEAD}{name}</th>"));
    format!("{TABLE}<tr>{}</tr>", heads.collect::<String>())
}

fn row(out: &mut String, style: &str, cells: &[&str]) {
    let cells = cells.iter().map(|text| format!("{CELL}{}</td>", escape(text)));
    let _ = write!(out, "<tr{style}>{}</tr>", cells.collect::<String>());
}

/// Ends a table of this many rows, of which at most [`ROWS`] are there.
fn end(out: &mut String, rows: usize) {
    if rows > ROWS {
        row(out, "", &[&format!("… and {} more", rows - ROWS)]);
    }
    *out += "</table>";
}

fn escape(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    text.replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_escaped_and_tables_bounded() {
        let field = Listed {
            sure: None,
            name: "<b>&".to_owned(),
            sort: "text",
            records: (1, 2),
            values: (1, 1),
            samples: vec!["\"x\"".to_owned(), "y".repeat(1000)],
            shown: false,
            value: crate::record::Sort::Text,
            key: false,
            from: None,
        };
        let html = fields(&vec![field; ROWS + 5]);
        assert!(
            html.contains("&lt;b&gt;&amp;") && html.contains("&quot;x&quot;") && !html.contains("<b>"),
            "{html}"
        );
        assert_eq!(html.matches("<tr").count(), ROWS + 2);
        assert!(html.contains("… and 5 more") && html.len() < ROWS * 600);
    }
}
