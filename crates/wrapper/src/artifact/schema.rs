//! The schema of a wrapper as it is saved.

use super::{ArtifactError, At, shape};
use crate::schema::{Field, Kind, Schema};
use serde_json::Value;

/// A schema as it is saved.
pub(super) fn write(schema: &Schema, indent: usize) -> String {
    let pad = " ".repeat(indent);
    let mut out = format!(
        "{{\n{pad}  \"name\": {},\n{pad}  \"fields\": [\n",
        Value::from(schema.name.as_str())
    );
    for (number, field) in schema.fields.iter().enumerate() {
        let comma = if number + 1 < schema.fields.len() { "," } else { "" };
        let (name, kind) = (Value::from(field.name.as_str()), kind_json(&field.kind, indent + 4));
        out += &format!("{pad}    {{ \"name\": {name}, \"kind\": {kind} }}{comma}\n");
    }
    out + &format!("{pad}  ]\n{pad}}}")
}

fn kind_json(kind: &Kind, indent: usize) -> String {
    match kind {
        Kind::Text => "\"text\"".to_owned(),
        Kind::List(inner) => format!("{{ \"list\": {} }}", kind_json(inner, indent)),
        Kind::Record(schema) => format!("{{ \"record\": {} }}", write(schema, indent)),
    }
}

/// Deeper nesting is nobody's schema.
const DEEPEST: usize = 32;

/// Reads a schema.
pub(super) fn read(at: &At<'_>, depth: usize) -> Result<Schema, ArtifactError> {
    if depth > DEEPEST {
        return at.fail(&format!("a schema that nests at most {DEEPEST} deep"));
    }
    let mut fields: Vec<Field> = Vec::new();
    for field in at.key("fields")?.list()? {
        let name = field.key("name")?.text()?.to_owned();
        if fields.iter().any(|other| other.name == name) {
            return Err(shape(
                &field.place,
                &format!("found a second field `{name}`, expected each name once"),
            ));
        }
        fields.push(Field {
            name,
            kind: read_kind(&field.key("kind")?, depth)?,
        });
    }
    Ok(Schema {
        name: at.key("name")?.text()?.to_owned(),
        fields,
    })
}

fn read_kind(at: &At<'_>, depth: usize) -> Result<Kind, ArtifactError> {
    const EXPECTED: &str = "\"text\", {\"list\": …} or {\"record\": …}";
    if depth > DEEPEST {
        return at.fail(&format!("a schema that nests at most {DEEPEST} deep"));
    }
    match at.value {
        Value::String(text) if text == "text" => Ok(Kind::Text),
        Value::Object(_) => match (at.get("list")?, at.get("record")?) {
            (Some(list), None) => Ok(Kind::List(Box::new(read_kind(&list, depth + 1)?))),
            (None, Some(record)) => Ok(Kind::Record(read(&record, depth + 1)?)),
            _ => at.fail(EXPECTED),
        },
        _ => at.fail(EXPECTED),
    }
}
