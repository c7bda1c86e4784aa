//! Templates as they are saved: fields, paths and parts, one on each line.
//!
//! A mark is a string, `<3>`, `</3>` or `3 word` with the number of its path, or an object if some of its attributes
//! are fields.

use super::{Mark, Part, PartId, Step, Template, What, Whole, rows_json};
use crate::file::{At, WrapperError, shape};
use serde_json::{Map, Value, json};

/// Writes the template as the value of `rule` in the file.
pub(crate) fn write(template: &Template) -> String {
    let fields: Vec<Value> = template.fields.iter().map(|name| json!(name)).collect();
    let paths: Vec<Value> = template.paths.iter().skip(1).map(step_json).collect();
    let parts: Vec<Value> = template.parts.iter().map(part_json).collect();
    let lines = |values: &[Value]| {
        let lines: Vec<String> = values.iter().map(|value| format!("      {value}")).collect();
        lines.join(",\n")
    };
    let rows: Vec<Value> = template.rows.iter().map(rows_json::write).collect();
    let rows = match rows.is_empty() {
        true => String::new(),
        false => format!(",\n    \"rows\": [\n{}\n    ]", lines(&rows)),
    };
    format!(
        "{{\n    \"fields\": [\n{}\n    ],\n    \"paths\": [\n{}\n    ],\n    \"parts\": [\n{}\n    ]{rows}\n  }}",
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
    let attributes: Map<String, Value> = mark
        .attributes
        .iter()
        .map(|(name, field)| (name.clone(), json!(field)))
        .collect();
    json!({ "mark": text, "attributes": attributes })
}

fn part_json(part: &Part) -> Value {
    match part {
        Part::Basic(None) => Value::Null,
        Part::Basic(Some(field)) => json!({ "field": field }),
        Part::Tuple { strings, parts, wholes } => {
            let strings: Vec<Value> = strings.iter().map(|string| string_json(string)).collect();
            let mut value = json!({ "strings": strings, "parts": parts });
            if !wholes.is_empty() {
                let whole = |whole: &Whole| json!([whole.field, whole.from.0, whole.from.1, whole.to.0, whole.to.1]);
                value["wholes"] = wholes.iter().map(whole).collect();
            }
            value
        }
        Part::Set { name, of, separator } => json!({ "set": of, "name": name, "separator": string_json(separator) }),
        Part::Optional(of) => json!({ "optional": of }),
        Part::Either(parts) => json!({ "either": parts }),
        Part::Mixed { parts, rest, whole } => {
            let mut value = json!({ "mixed": parts });
            for (name, field) in [("rest", rest), ("whole", whole)] {
                if let Some(field) = field {
                    value[name] = json!(field);
                }
            }
            value
        }
    }
}

/// Reads the value of `rule`.
pub(crate) fn read(at: &At<'_>) -> Result<Template, WrapperError> {
    let mut template = Template {
        paths: vec![Step {
            parent: 0,
            name: String::new(),
            nth: None,
        }],
        parts: Vec::new(),
        fields: Vec::new(),
        rows: Vec::new(),
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
    for rows in at.get("rows")?.map_or(Ok(Vec::new()), |rows| rows.list())? {
        template.rows.push(rows_json::read(&rows)?);
    }
    match template.fault() {
        Some((part, message)) => Err(shape(&format!("rule.parts[{part}]"), &message)),
        None => Ok(template),
    }
}

pub(super) fn number(at: &At<'_>) -> Result<u32, WrapperError> {
    u32::try_from(at.number()?).map_or_else(|_| at.fail("a smaller number"), Ok)
}

pub(super) fn numbers(at: &At<'_>) -> Result<Vec<PartId>, WrapperError> {
    at.list()?.iter().map(number).collect()
}

fn read_part(at: &At<'_>) -> Result<Part, WrapperError> {
    if at.value.is_null() {
        return Ok(Part::Basic(None));
    }
    if let Some(strings) = at.get("strings")? {
        let strings = strings.list()?.iter().map(read_string).collect::<Result<_, _>>()?;
        let parts = numbers(&at.key("parts")?)?;
        let mut wholes = Vec::new();
        for whole in at.get("wholes")?.map_or(Ok(Vec::new()), |wholes| wholes.list())? {
            match numbers(&whole)?[..] {
                [field, from, mark, to, before] => wholes.push(Whole {
                    field,
                    from: (from, mark),
                    to: (to, before),
                }),
                _ => return whole.fail("five numbers"),
            }
        }
        return Ok(Part::Tuple { strings, parts, wholes });
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
        return Ok(Part::Mixed {
            parts: numbers(&parts)?,
            rest: at.get("rest")?.map(|rest| number(&rest)).transpose()?,
            whole: at.get("whole")?.map(|whole| number(&whole)).transpose()?,
        });
    }
    Ok(Part::Basic(Some(number(&at.key("field")?)?)))
}

fn read_string(at: &At<'_>) -> Result<Vec<Mark>, WrapperError> {
    at.list()?.iter().map(read_mark).collect()
}

fn read_mark(at: &At<'_>) -> Result<Mark, WrapperError> {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Rule, Wrapper};

    use crate::rule::template::{dtd, infix, json_schema, record_type};

    fn sample() -> Template {
        let step = |parent, name: &str, nth| Step {
            parent,
            name: name.to_owned(),
            nth,
        };
        let mark = |path, what: &str| Mark {
            path,
            what: match what {
                "<" => What::Start,
                ">" => What::End,
                word => What::Word(word.to_owned()),
            },
            attributes: Vec::new(),
        };
        let mut link = mark(2, "<");
        link.attributes.push(("href".to_owned(), 1));
        let tuple = |strings: Vec<Vec<Mark>>, parts: Vec<PartId>| Part::Tuple {
            strings,
            parts,
            wholes: Vec::new(),
        };
        Template {
            paths: vec![step(0, "", None), step(0, "p", None), step(1, "a", Some((1, 2)))],
            rows: Vec::new(),
            fields: ["title", "link", "name", "left", "right", "rest", "whole", "odd"]
                .map(str::to_owned)
                .to_vec(),
            parts: vec![
                tuple(
                    vec![
                        vec![mark(1, "<"), mark(1, "5 <by>")],
                        vec![],
                        vec![],
                        vec![],
                        vec![mark(1, ">")],
                    ],
                    vec![1, 2, 5, 9],
                ),
                Part::Basic(Some(0)),
                Part::Set {
                    name: "people".to_owned(),
                    of: 3,
                    separator: vec![mark(1, "and")],
                },
                tuple(vec![vec![link], vec![mark(2, ">")]], vec![4]),
                Part::Basic(Some(2)),
                Part::Optional(6),
                Part::Either(vec![7, 8]),
                Part::Basic(Some(3)),
                Part::Basic(Some(4)),
                Part::Mixed {
                    parts: vec![10],
                    rest: Some(5),
                    whole: Some(6),
                },
                Part::Optional(11),
                tuple(vec![vec![mark(1, "x")], vec![]], vec![12]),
                Part::Basic(None),
            ],
        }
    }

    fn wrapper() -> Wrapper {
        let template = sample();
        let kind = record_type(&template, "page");
        Wrapper::bare(Rule::Template(template), kind, None)
    }

    #[test]
    fn what_is_written_is_read_back() {
        let text = wrapper().to_json();
        assert_eq!(Wrapper::from_json(&text).as_ref(), Ok(&wrapper()), "{text}");
    }

    #[test]
    fn what_is_wrong_is_told_with_its_place() {
        let good = wrapper().to_json();
        for (from, to, expected) in [
            (
                "\"<1>\"",
                "\"<1\"",
                "rule.parts[0].strings[0][0]: found a string, expected a mark",
            ),
            (
                "\"<1>\"",
                "\"<9>\"",
                "rule.parts[0]: found the path 9, expected one of 3",
            ),
            ("{\"field\":0}", "{\"field\":99}", "rule.parts[1]: found the field 99"),
            ("\"parts\":[1,2,5,9]", "\"parts\":[1,2,5,5]", "found the part 5 again"),
            (
                "\"parts\":[1,2,5,9]",
                "\"parts\":[1,2,5,0]",
                "found the part 0, expected one behind",
            ),
            (
                "\"parts\":[1,2,5,9]",
                "\"parts\":[1,2,5]",
                "found 5 strings for 3 parts",
            ),
            ("\"set\":3", "\"set\":true", "rule.parts[2].set"),
            ("{\"in\":0,", "{\"in\":7,", "rule.paths[0]"),
        ] {
            assert!(good.contains(from), "{from} {good}");
            let error = Wrapper::from_json(&good.replacen(from, to, 1))
                .expect_err(to)
                .to_string();
            assert!(error.contains(expected), "{error}");
        }
    }

    #[test]
    fn a_template_is_shown_in_infix_and_as_types() {
        let template = sample();
        assert_eq!(
            infix(&template, true),
            "<<p> 5 <by> *title {<<a href=*link> *name </a>>}_and ((*left | *right))? {(<x *>)? | *rest} </p>>"
        );
        assert_eq!(
            dtd(&template, "page"),
            "<!ELEMENT page (title?, people*, (left? | right?)?, (whole | rest)*)>\n<!ELEMENT title (#PCDATA)>\n\
             <!ELEMENT people (link?, name?)>\n<!ELEMENT link (#PCDATA)>\n<!ELEMENT name (#PCDATA)>\n\
             <!ELEMENT left (#PCDATA)>\n<!ELEMENT right (#PCDATA)>\n<!ELEMENT whole (#PCDATA)>\n\
             <!ELEMENT rest (#PCDATA)>\n"
        );
        let schema: Value = serde_json::from_str(&json_schema(&template, "page")).expect("JSON");
        assert_eq!(
            schema["properties"]["people"]["items"]["properties"]["name"],
            json!({ "type": "string" })
        );
        assert_eq!(schema["allOf"][0]["oneOf"].as_array().map(Vec::len), Some(3));
    }
}
