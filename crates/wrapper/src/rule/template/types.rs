//! The type of a template's values as a JSON Schema and as a DTD.
//!
//! A tuple is the list of its fields, a set of records is an array of objects, and of a disjunction exactly one
//! alternative is valid (`oneOf`, or `|` in the DTD). Both describe records as `extract` writes them. Empty texts are
//! omitted there, so no field is required.

use super::{Part, PartId, Template};
use serde_json::{Map, Value, json};

/// The JSON Schema of the records of a template.
pub fn json_schema(template: &Template, name: &str) -> String {
    let mut value = object(template, 0);
    for rows in template.own_rows() {
        let names = rows
            .fields()
            .into_iter()
            .map(|field| template.fields[field as usize].clone());
        let names = names.filter(|name| !name.is_empty());
        let fields: Map<String, Value> = names.map(|name| (name, json!({ "type": "string" }))).collect();
        let items = json!({ "type": "object", "properties": fields });
        value["properties"][&rows.name] = json!({ "type": "array", "items": items });
    }
    value["$schema"] = json!("https://json-schema.org/draft/2020-12/schema");
    value["title"] = json!(name);
    format!("{value:#}\n")
}

#[derive(Default)]
struct Fields {
    properties: Map<String, Value>,
    /// For each disjunction, the fields of each alternative.
    choices: Vec<Vec<Vec<String>>>,
}

fn object(template: &Template, part: PartId) -> Value {
    let mut fields = Fields::default();
    collect(template, part, false, &mut fields);
    let mut value = json!({ "type": "object", "properties": fields.properties });
    let any = |names: &[String]| -> Value {
        let all: Vec<Value> = names.iter().map(|name| json!({ "required": [name] })).collect();
        json!({ "anyOf": all })
    };
    let choices = fields
        .choices
        .iter()
        .filter(|choice| choice.iter().all(|names| !names.is_empty()));
    let choices: Vec<Value> = choices
        .map(|choice| {
            let alternatives: Vec<Value> = choice.iter().map(|names| any(names)).collect();
            // The values of the alternatives may all be missing, since each may be empty.
            let all: Vec<String> = choice.concat();
            let mut alternatives = alternatives;
            alternatives.push(json!({ "not": any(&all) }));
            json!({ "oneOf": alternatives })
        })
        .collect();
    if !choices.is_empty() {
        value["allOf"] = json!(choices);
    }
    value
}

fn collect(template: &Template, part: PartId, many: bool, out: &mut Fields) {
    let text = |field: u32, many: bool, out: &mut Fields| {
        let kind = match many {
            true => json!({ "type": ["string", "array"], "items": { "type": "string" } }),
            false => json!({ "type": "string" }),
        };
        out.properties.insert(template.fields[field as usize].clone(), kind);
    };
    match &template.parts[part as usize] {
        Part::Basic(field) => field.iter().for_each(|field| text(*field, many, out)),
        Part::Optional(of) => collect(template, *of, many, out),
        Part::Set { name, of, .. } if name.is_empty() => collect(template, *of, true, out),
        Part::Set { name, of, .. } => {
            let items = object(template, *of);
            out.properties
                .insert(name.clone(), json!({ "type": "array", "items": items }));
        }
        Part::Either(parts) => {
            let mut choice = Vec::new();
            for part in parts {
                let mut inner = Fields::default();
                collect(template, *part, many, &mut inner);
                choice.push(inner.properties.keys().cloned().collect());
                out.properties.extend(inner.properties);
                out.choices.extend(inner.choices);
            }
            out.choices.push(choice);
        }
        Part::Mixed { parts, rest, whole } => {
            whole.iter().for_each(|field| text(*field, many, out));
            rest.iter().for_each(|field| text(*field, true, out));
            parts.iter().for_each(|part| collect(template, *part, many, out));
        }
        Part::Tuple { strings, parts, wholes } => {
            wholes.iter().for_each(|whole| text(whole.field, many, out));
            for (number, string) in strings.iter().enumerate() {
                for (_, field) in string.iter().flat_map(|mark| &mark.attributes) {
                    text(*field, many, out);
                }
                if let Some(part) = parts.get(number) {
                    collect(template, *part, many, out);
                }
            }
        }
    }
}

/// The DTD of the records of a template, as the XML sink writes them.
pub fn dtd(template: &Template, name: &str) -> String {
    let mut out = String::new();
    let lists: Vec<String> = template
        .own_rows()
        .map(|rows| format!("{}*", xml_name(&rows.name)))
        .collect();
    element(template, name, 0, &lists.join(", "), &mut out);
    for rows in template.own_rows() {
        let names = rows
            .fields()
            .into_iter()
            .map(|field| template.fields[field as usize].as_str());
        let names: Vec<String> = names.filter(|name| !name.is_empty()).map(xml_name).collect();
        let models: Vec<String> = names.iter().map(|name| format!("{name}?")).collect();
        out += &format!("<!ELEMENT {} ({})>\n", xml_name(&rows.name), models.join(", "));
        for name in names {
            out += &format!("<!ELEMENT {name} (#PCDATA)>\n");
        }
    }
    out
}

/// An element and those in it; `more` is what it also contains.
fn element(template: &Template, name: &str, part: PartId, more: &str, out: &mut String) {
    let mut later = Vec::new();
    let content = content(template, part, &mut later).unwrap_or_default();
    let content = match (content.as_str(), more) {
        (_, "") => content,
        ("", more) => more.to_owned(),
        (content, more) => format!("({content}, {more})"),
    };
    let content = match content.as_str() {
        "" => "EMPTY".to_owned(),
        content if content.starts_with('(') && content.ends_with(')') => content.to_owned(),
        content => format!("({content})"),
    };
    *out += &format!("<!ELEMENT {} {content}>\n", xml_name(name));
    for (name, part) in later {
        match part {
            None => *out += &format!("<!ELEMENT {} (#PCDATA)>\n", xml_name(&name)),
            Some(part) => element(template, &name, part, "", out),
        }
    }
}

/// A content model, or `None` if there is no field. Every text may be empty, and is then omitted.
fn content(template: &Template, part: PartId, later: &mut Vec<(String, Option<PartId>)>) -> Option<String> {
    let text = |field: &u32, later: &mut Vec<(String, Option<PartId>)>| {
        let name = template.fields[*field as usize].clone();
        let model = format!("{}?", xml_name(&name));
        later.push((name, None));
        model
    };
    let group = |mut models: Vec<String>, with: &str| match models.len() {
        0 => None,
        1 => models.pop(),
        _ => Some(format!("({})", models.join(with))),
    };
    match &template.parts[part as usize] {
        Part::Basic(field) => field.as_ref().map(|field| text(field, later)),
        Part::Optional(of) => content(template, *of, later).map(|model| match model.ends_with(['?', '*']) {
            true => model,
            false => model + "?",
        }),
        Part::Set { name, of, .. } if name.is_empty() => {
            content(template, *of, later).map(|model| format!("{}*", model.trim_end_matches(['?', '*'])))
        }
        Part::Set { name, of, .. } => {
            later.push((name.clone(), Some(*of)));
            Some(format!("{}*", xml_name(name)))
        }
        Part::Either(parts) => {
            let models = parts
                .iter()
                .filter_map(|part| content(template, *part, later))
                .collect();
            group(models, " | ")
        }
        Part::Mixed { parts, rest, whole } => {
            let mut models: Vec<String> = whole.iter().chain(rest).map(|field| text(field, later)).collect();
            models.extend(parts.iter().filter_map(|part| content(template, *part, later)));
            let plain: Vec<String> = models
                .iter()
                .map(|model| model.trim_end_matches(['?', '*']).to_owned())
                .collect();
            match plain.len() {
                0 => None,
                1 => Some(format!("{}*", plain[0])),
                _ => Some(format!("({})*", plain.join(" | "))),
            }
        }
        Part::Tuple { strings, parts, wholes } => {
            let mut models: Vec<String> = wholes.iter().map(|whole| text(&whole.field, later)).collect();
            for (number, string) in strings.iter().enumerate() {
                let attributes = string.iter().flat_map(|mark| &mark.attributes);
                models.extend(attributes.map(|(_, field)| text(field, later)));
                if let Some(part) = parts.get(number) {
                    models.extend(content(template, *part, later));
                }
            }
            group(models, ", ")
        }
    }
}

/// A name that XML allows.
fn xml_name(name: &str) -> String {
    let fine = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
    let mut out: String = name.chars().map(|c| if fine(c) { c } else { '_' }).collect();
    if !out.starts_with(|c: char| c.is_alphabetic() || c == '_') {
        out.insert(0, '_');
    }
    out
}
