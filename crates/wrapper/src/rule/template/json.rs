//! A template as it is saved: fields, paths and parts, one on each line.
//!
//! A mark is a string, `<3>`, `</3>` or `3 word` with the number of its path, or an object where attributes of it are fields.

use super::{Mark, Part, PartId, Step, Template, What};
use crate::artifact::{ArtifactError, At, shape};
use serde_json::{Map, Value, json};

/// The template as the value of `rule` in the file.
pub(crate) fn write(template: &Template) -> String {
    let fields: Vec<Value> = template.fields.iter().map(|name| json!(name)).collect();
    let paths: Vec<Value> = template.paths.iter().skip(1).map(step_json).collect();
    let parts: Vec<Value> = template.parts.iter().map(part_json).collect();
    let lines = |values: &[Value]| {
        let lines: Vec<String> = values.iter().map(|value| format!("      {value}")).collect();
        lines.join(",\n")
    };
    format!(
        "{{\n    \"fields\": [\n{}\n    ],\n    \"paths\": [\n{}\n    ],\n    \"parts\": [\n{}\n    ]\n  }}",
        lines(&fields),
        lines(&paths),
        lines(&parts)
    )
}

fn step_json(step: &Step) -> Value {
    match step.nth {
        None => json!({ "in": step.parent, "tag": step.name }),
        Some((nth, count)) => json!({ "in": step.parent, "tag": step.name, "nth": [nth, count] }),
    }
}

fn string_json(marks: &[Mark]) -> Value {
    marks.iter().map(mark_json).collect()
}

fn mark_json(mark: &Mark) -> Value {
    let path = mark.path;
    let text = match &mark.what {
        What::Start => format!("<{path}>"),
        What::End => format!("</{path}>"),
        What::Word(word) => format!("{path} {word}"),
    };
    if mark.attributes.is_empty() {
        return Value::from(text);
    }
    let attributes: Map<String, Value> = mark.attributes.iter().map(|(name, field)| (name.clone(), json!(field))).collect();
    json!({ "mark": text, "attributes": attributes })
}

fn part_json(part: &Part) -> Value {
    match part {
        Part::Basic(None) => Value::Null,
        Part::Basic(Some(field)) => json!({ "field": field }),
        Part::Tuple { strings, parts } => {
            let strings: Vec<Value> = strings.iter().map(|string| string_json(string)).collect();
            json!({ "strings": strings, "parts": parts })
        }
        Part::Set { name, of, separator } => json!({ "set": of, "name": name, "separator": string_json(separator) }),
        Part::Optional(of) => json!({ "optional": of }),
        Part::Either(parts) => json!({ "either": parts }),
        Part::Mixed { parts, rest: None } => json!({ "mixed": parts }),
        Part::Mixed { parts, rest: Some(rest) } => json!({ "mixed": parts, "rest": rest }),
    }
}

/// Reads the value of `rule`.
pub(crate) fn read(at: &At<'_>) -> Result<Template, ArtifactError> {
    let mut template = Template {
        paths: vec![Step {
            parent: 0,
            name: String::new(),
            nth: None,
        }],
        parts: Vec::new(),
        fields: Vec::new(),
    };
    for field in at.key("fields")?.list()? {
        template.fields.push(field.text()?.to_owned());
    }
    for step in at.key("paths")?.list()? {
        let parent = number(&step.key("in")?)?;
        if parent as usize >= template.paths.len() {
            return step.fail("a path behind the one that it goes on from");
        }
        let nth = match step.get("nth")? {
            None => None,
            Some(nth) => match nth.list()?.as_slice() {
                [nth, count] => Some((number(nth)?, number(count)?)),
                _ => return nth.fail("two numbers"),
            },
        };
        template.paths.push(Step {
            parent,
            name: step.key("tag")?.text()?.to_owned(),
            nth,
        });
    }
    for part in at.key("parts")?.list()? {
        template.parts.push(read_part(&part)?);
    }
    match template.fault() {
        Some((part, message)) => Err(shape(&format!("rule.parts[{part}]"), &message)),
        None => Ok(template),
    }
}

fn number(at: &At<'_>) -> Result<u32, ArtifactError> {
    u32::try_from(at.number()?).map_or_else(|_| at.fail("a smaller number"), Ok)
}

fn numbers(at: &At<'_>) -> Result<Vec<PartId>, ArtifactError> {
    at.list()?.iter().map(number).collect()
}

fn read_part(at: &At<'_>) -> Result<Part, ArtifactError> {
    if at.value.is_null() {
        return Ok(Part::Basic(None));
    }
    if let Some(strings) = at.get("strings")? {
        let strings = strings.list()?.iter().map(read_string).collect::<Result<_, _>>()?;
        let parts = numbers(&at.key("parts")?)?;
        return Ok(Part::Tuple { strings, parts });
    }
    if let Some(of) = at.get("set")? {
        return Ok(Part::Set {
            of: number(&of)?,
            name: at.key("name")?.text()?.to_owned(),
            separator: read_string(&at.key("separator")?)?,
        });
    }
    if let Some(of) = at.get("optional")? {
        return Ok(Part::Optional(number(&of)?));
    }
    if let Some(parts) = at.get("either")? {
        return Ok(Part::Either(numbers(&parts)?));
    }
    if let Some(parts) = at.get("mixed")? {
        let rest = at.get("rest")?.map(|rest| number(&rest)).transpose()?;
        return Ok(Part::Mixed {
            parts: numbers(&parts)?,
            rest,
        });
    }
    Ok(Part::Basic(Some(number(&at.key("field")?)?)))
}

fn read_string(at: &At<'_>) -> Result<Vec<Mark>, ArtifactError> {
    at.list()?.iter().map(read_mark).collect()
}

fn read_mark(at: &At<'_>) -> Result<Mark, ArtifactError> {
    let mut attributes = Vec::new();
    let text;
    if at.value.is_object() {
        text = at.key("mark")?.text()?;
        let place = at.key("attributes")?;
        for (name, value) in place.object()? {
            let field = At {
                value,
                place: format!("{}.{name}", place.place),
            };
            attributes.push((name.clone(), number(&field)?));
        }
    } else {
        text = at.text()?;
    }
    let tag = |text: &str, before: &str| text.strip_prefix(before)?.strip_suffix('>')?.parse().ok();
    let (path, what) = if let Some(path) = tag(text, "</") {
        (path, What::End)
    } else if let Some(path) = tag(text, "<") {
        (path, What::Start)
    } else if let Some((path, word)) = text.split_once(' ')
        && let Ok(path) = path.parse()
    {
        (path, What::Word(word.to_owned()))
    } else {
        return at.fail("a mark: \"<3>\", \"</3>\" or \"3 word\"");
    };
    Ok(Mark { path, what, attributes })
}
