//! Paths rules as they are saved.
//!
//! A field is a list of ways, each a path or an object that also has the words around the value:
//! `"director": ["//b/text()", {"path": "//p", "after": "by ", "before": "("}]`, or a regular expression for it (`matching`). Names are for people; the order of the
//! fields counts.

use super::{PathField, Paths, Way};
use crate::file::{At, WrapperError, shape};
use record::{RecordType, Table};
use serde_json::{Value, json};

/// The deepest nesting that is accepted; no real rule is deeper.
const DEEPEST: usize = 32;

pub(crate) fn write(rule: &Paths, kind: &RecordType) -> String {
    let tables = kind.tables();
    let mut next = 0;
    text(rule, &tables, &mut next, 2)
}

fn text(rule: &Paths, tables: &[Table], next: &mut usize, indent: usize) -> String {
    let pad = " ".repeat(indent);
    let table = tables.get(*next);
    *next += 1;
    let mut out = format!("{{\n{pad}  \"each\": {},\n{pad}  \"fields\": [", json!(rule.each));
    for (number, field) in rule.fields.iter().enumerate() {
        let comma = if number > 0 { "," } else { "" };
        let name = table
            .and_then(|table| table.columns.get(number))
            .map(|column| column.name())
            .unwrap_or_default();
        let ways = field.ways.iter().map(|way| {
            let mut out = json!({ "path": way.path });
            if !way.skips.is_empty() {
                out["skips"] = json!(way.skips);
            }
            for (key, words) in [
                ("after", &way.after),
                ("before", &way.before),
                ("matching", &way.matching),
            ] {
                if !words.is_empty() {
                    out[key] = json!(words);
                }
            }
            if way.is_whole() { json!(way.path) } else { out }
        });
        let ways: Vec<String> = ways.map(|way| format!("{pad}        {way}")).collect();
        let many = if field.many { ", \"many\": true" } else { "" };
        out += &format!("{comma}\n{pad}    {{ \"name\": {}{many}, \"ways\": [", json!(name));
        if !ways.is_empty() {
            out += &format!("\n{}\n{pad}      ", ways.join(",\n"));
        }
        out += "] }";
    }
    out += &format!("\n{pad}  ]");
    if !rule.inner.is_empty() {
        let inner: Vec<String> = rule
            .inner
            .iter()
            .map(|inner| format!("{pad}    {}", text(inner, tables, next, indent + 4)))
            .collect();
        out += &format!(",\n{pad}  \"inner\": [\n{}\n{pad}  ]", inner.join(",\n"));
    }
    out + &format!("\n{pad}}}")
}

pub(crate) fn read(at: &At<'_>, kind: &RecordType) -> Result<Paths, WrapperError> {
    let tables = kind.tables();
    let mut next = 0;
    let rule = rule(at, &tables, &mut next, 0)?;
    match next == tables.len() {
        true => Ok(rule),
        false => Err(shape(
            &at.place,
            &format!(
                "found rules for {next} kinds of records, expected {}, as many as the schema has",
                tables.len()
            ),
        )),
    }
}

/// The words that a way passes first.
fn skips(way: &At<'_>) -> Result<Vec<String>, WrapperError> {
    let Some(skips) = way.get("skips")? else {
        return Ok(Vec::new());
    };
    skips
        .list()?
        .into_iter()
        .map(|words| Ok(words.text()?.to_owned()))
        .collect()
}

fn rule(at: &At<'_>, tables: &[Table], next: &mut usize, depth: usize) -> Result<Paths, WrapperError> {
    if depth > DEEPEST {
        return at.fail(&format!("a rule that nests at most {DEEPEST} deep"));
    }
    let columns = tables.get(*next).map_or(0, |table| table.columns.len());
    *next += 1;
    let mut out = Paths::default();
    for path in at.key("each")?.list()? {
        out.each.push(path.text()?.to_owned());
    }
    for field in at.key("fields")?.list()? {
        let mut ways = Vec::new();
        for way in field.key("ways")?.one_or_many()? {
            ways.push(match way.value {
                Value::String(path) => Way {
                    path: path.clone(),
                    ..Way::default()
                },
                _ => Way {
                    path: way.key("path")?.text()?.to_owned(),
                    skips: skips(&way)?,
                    after: way.optional_text("after")?.unwrap_or_default(),
                    before: way.optional_text("before")?.unwrap_or_default(),
                    matching: way.optional_text("matching")?.unwrap_or_default(),
                },
            });
        }
        let many = field.get("many")?.is_some_and(|many| many.value == &Value::Bool(true));
        out.fields.push(PathField { many, ways });
    }
    if out.fields.len() != columns {
        return Err(shape(
            &format!("{}.fields", at.place),
            &format!(
                "found {}, expected {columns}, as many as the schema has",
                out.fields.len()
            ),
        ));
    }
    for inner in at.get("inner")?.map_or(Ok(Vec::new()), |inner| inner.list())? {
        out.inner.push(rule(&inner, tables, next, depth + 1)?);
    }
    Ok(out)
}
