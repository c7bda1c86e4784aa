//! The type of a wrapper's records as it is saved.

use super::{At, WrapperError, shape};
use record::{Cardinality, Content, Field, RecordType, Sort, VALUE, ValueType};
use serde_json::Value;
use std::collections::HashSet;

/// Writes a record type.
pub(super) fn write(kind: &RecordType, indent: usize) -> String {
    match &kind.content {
        Content::Record(fields) => write_record(&kind.name, fields, indent),
        Content::Value(value) => {
            let value = Field::new(VALUE, Cardinality::Optional, Content::Value(value.clone()));
            write_record(&kind.name, &[value], indent)
        }
    }
}

fn write_record(name: &str, fields: &[Field], indent: usize) -> String {
    let pad = " ".repeat(indent);
    let mut out = format!("{{\n{pad}  \"name\": {},\n{pad}  \"fields\": [\n", Value::from(name));
    for (number, field) in fields.iter().enumerate() {
        let comma = if number + 1 < fields.len() { "," } else { "" };
        let one = match &field.content {
            Content::Value(value) => format!("\"{}\"", value.sort.name()),
            Content::Record(inner) => format!("{{ \"record\": {} }}", write_record(&field.name, inner, indent + 4)),
        };
        let kind = match field.cardinality.may_repeat() {
            true => format!("{{ \"list\": {one} }}"),
            false => one,
        };
        let name = Value::from(field.name.as_str());
        out += &format!("{pad}    {{ \"name\": {name}, \"kind\": {kind} }}{comma}\n");
    }
    out + &format!("{pad}  ]\n{pad}}}")
}

/// The deepest nesting that is accepted; no real schema is deeper.
const DEEPEST: usize = 32;

/// Reads a record type.
pub(super) fn read(at: &At<'_>, depth: usize) -> Result<RecordType, WrapperError> {
    if depth > DEEPEST {
        return at.fail(&format!("a schema that nests at most {DEEPEST} deep"));
    }
    let mut fields: Vec<Field> = Vec::new();
    let mut names = HashSet::new();
    for field in at.key("fields")?.list()? {
        let name = field.key("name")?.text()?;
        if !names.insert(name) {
            return Err(shape(
                &field.place,
                &format!("found a second field `{name}`, expected each name once"),
            ));
        }
        let (content, many) = read_kind(&field.key("kind")?, depth)?;
        let cardinality = if many { Cardinality::Many } else { Cardinality::Optional };
        fields.push(Field::new(name, cardinality, content));
    }
    Ok(RecordType::new(at.key("name")?.text()?, fields))
}

/// Reads what a field contains, and whether it may repeat.
fn read_kind(at: &At<'_>, depth: usize) -> Result<(Content, bool), WrapperError> {
    const EXPECTED: &str = "\"text\" or another type of value, {\"list\": …} or {\"record\": …}";
    if depth > DEEPEST {
        return at.fail(&format!("a schema that nests at most {DEEPEST} deep"));
    }
    match at.value {
        Value::String(text) => match Sort::named(text) {
            Some(sort) => Ok((
                Content::Value(ValueType {
                    sort,
                    ..ValueType::default()
                }),
                false,
            )),
            None => at.fail(EXPECTED),
        },
        Value::Object(_) => match (at.get("list")?, at.get("record")?) {
            (Some(list), None) => Ok((read_kind(&list, depth + 1)?.0, true)),
            (None, Some(record)) => Ok((read(&record, depth + 1)?.content, false)),
            _ => at.fail(EXPECTED),
        },
        _ => at.fail(EXPECTED),
    }
}
