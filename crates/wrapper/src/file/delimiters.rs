//! Delimiter rules as they are saved: a plain string wherever one string is enough.

use super::{At, WrapperError, shape};
use crate::rule::{Class, Delimiters, Edges, Left};
use record::RecordType;
use serde_json::{Value, json};

/// Writes the member `rule` of a wrapper with a delimiter rule.
pub(super) fn write(rule: &Delimiters, kind: &RecordType, out: &mut String) {
    let names = kind.leaves();
    *out += &format!("  \"rule\": {{\n    \"class\": {},\n", Value::from(rule.class.name()));
    for (name, text) in [
        ("head", &rule.head),
        ("tail", &rule.tail),
        ("open", &rule.open),
        ("close", &rule.close),
    ] {
        if let Some(text) = text {
            *out += &format!("    \"{name}\": {},\n", Value::from(text.as_str()));
        }
    }
    if rule.loose {
        *out += "    \"loose\": true,\n";
    }
    *out += "    \"fields\": [\n";
    for (number, edges) in rule.fields.iter().enumerate() {
        let name = names.get(number).map_or("", |leaf| leaf.name);
        let left = one_or_many(edges.left.iter().map(left_json).collect());
        let right = one_or_many(edges.right.iter().map(|text| Value::from(text.as_str())).collect());
        let optional = if edges.optional { ", \"optional\": true" } else { "" };
        let comma = if number + 1 < rule.fields.len() { "," } else { "" };
        let name = Value::from(name);
        *out += &format!("      {{ \"name\": {name}, \"left\": {left}, \"right\": {right}{optional} }}{comma}\n");
    }
    *out += "    ]\n  },\n";
}

fn one_or_many(mut values: Vec<Value>) -> Value {
    match values.len() {
        1 => values.remove(0),
        _ => Value::Array(values),
    }
}

fn left_json(left: &Left) -> Value {
    match left.from {
        None if left.skips.is_empty() => Value::from(left.text.as_str()),
        None => json!({ "behind": left.skips, "text": left.text }),
        Some(from) => json!({ "from": from, "behind": left.skips, "text": left.text }),
    }
}

/// Reads a delimiter rule. It must have as many fields as the record type.
pub(super) fn read(at: &At<'_>, kind: &RecordType) -> Result<Delimiters, WrapperError> {
    if let Some(message) = kind.not_linear() {
        return Err(shape("schema", &message));
    }
    let class = at.key("class")?;
    let Some(known) = Class::from_name(class.text()?) else {
        let names = Class::ALL.map(Class::name).join(", ");
        return Err(shape(
            &class.place,
            &format!("found {:?}, expected one of {names}", class.text()?),
        ));
    };
    let mut fields = Vec::new();
    for field in at.key("fields")?.list()? {
        let left = field.key("left")?.one_or_many()?;
        let right = field.key("right")?.one_or_many()?;
        let optional = read_flag(&field, "optional")?;
        fields.push(Edges {
            left: left.iter().map(read_left).collect::<Result<_, _>>()?,
            right: right
                .iter()
                .map(|text| text.text().map(str::to_owned))
                .collect::<Result<_, _>>()?,
            optional,
        });
    }
    let leaves = kind.leaves().len();
    if fields.len() != leaves {
        return Err(shape(
            "rule.fields",
            &format!("found {}, expected {leaves}, as many as the schema has", fields.len()),
        ));
    }
    Ok(Delimiters {
        class: known,
        head: at.optional_text("head")?,
        tail: at.optional_text("tail")?,
        open: at.optional_text("open")?,
        close: at.optional_text("close")?,
        loose: read_flag(at, "loose")?,
        fields,
    })
}

/// Reads a boolean; a missing key is false.
fn read_flag(at: &At<'_>, key: &str) -> Result<bool, WrapperError> {
    match at.get(key)? {
        None => Ok(false),
        Some(flag) => flag.value.as_bool().map_or_else(|| flag.fail("true or false"), Ok),
    }
}

fn read_left(at: &At<'_>) -> Result<Left, WrapperError> {
    if at.value.is_string() {
        return Ok(Left::plain(at.text()?));
    }
    let skips = at.key("behind")?.list()?;
    let from = match at.get("from")? {
        Some(from) => Some(from.number()?.try_into().unwrap_or(u32::MAX)),
        None => None,
    };
    Ok(Left {
        from,
        skips: skips
            .iter()
            .map(|text| text.text().map(str::to_owned))
            .collect::<Result<_, _>>()?,
        text: at.key("text")?.text()?.to_owned(),
    })
}
