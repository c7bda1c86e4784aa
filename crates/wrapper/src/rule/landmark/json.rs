//! Landmark rules as they are saved: a list of fields and a list of parts, one on each line.

use super::{Datum, Grain, Label, Landmark, Landmarks, Mark, Part, PartId, Side, Slot, Test, What};
use crate::file::{At, WrapperError, shape};
use page::structured::Source;
use serde_json::{Map, Value, json};

/// Writes the rule as the value of `rule` in the file.
pub(crate) fn write(rule: &Landmarks) -> String {
    let grain = match rule.grain {
        Grain::Nodes => "nodes",
        Grain::Words => "words",
    };
    let fields: Vec<Value> = rule.fields.iter().map(slot_json).collect();
    let parts: Vec<Value> = rule.parts.iter().map(part_json).collect();
    let lines = |values: &[Value]| {
        let lines: Vec<String> = values.iter().map(|value| format!("      {value}")).collect();
        lines.join(",\n")
    };
    format!(
        "{{\n    \"grain\": \"{grain}\",\n    \"fields\": [\n{}\n    ],\n    \"parts\": [\n{}\n    ]\n  }}",
        lines(&fields),
        lines(&parts)
    )
}

fn slot_json(slot: &Slot) -> Value {
    let mut value = json!({ "name": slot.name });
    if !slot.prefix.is_empty() {
        value["behind"] = Value::from(slot.prefix.as_str());
    }
    if let Some(also) = slot.also {
        value["also"] = Value::from(also);
    }
    if let Some(data) = &slot.data {
        let mut from = json!({ "source": data.source.name(), "path": data.path });
        if let Some(kind) = &data.kind {
            from["of"] = Value::from(kind.as_str());
        }
        if data.many {
            from["many"] = Value::Bool(true);
        }
        value["data"] = from;
    }
    if let Some(label) = &slot.label {
        let mut from = json!({ "words": label.words, "value": label.side.name() });
        if label.many {
            from["many"] = Value::Bool(true);
        }
        value["label"] = from;
    }
    value
}

fn part_json(part: &Part) -> Value {
    match part {
        Part::Nothing => Value::Null,
        Part::Field(field) => json!({ "field": field }),
        Part::Unwrap { wrapper, of } => json!({ "unwrap": landmark_json(wrapper), "of": of }),
        Part::Group { field, of } => json!({ "group": field, "of": of }),
        Part::List {
            name,
            start,
            before,
            each,
        } => {
            json!({ "list": name, "start": landmark_json(start), "before": before, "each": each })
        }
        Part::Split { before, marks, failed } => {
            let marks: Vec<Value> = marks.iter().map(mark_json).collect();
            match failed {
                Some(field) => json!({ "before": before, "marks": marks, "failed": field }),
                None => json!({ "before": before, "marks": marks }),
            }
        }
    }
}

fn mark_json(mark: &Mark) -> Value {
    let mut value = json!({ "at": landmark_json(&mark.landmark), "inner": mark.inner, "after": mark.after });
    if !mark.attributes.is_empty() {
        let attributes: Map<String, Value> = mark
            .attributes
            .iter()
            .map(|(name, field)| (name.clone(), Value::from(*field)))
            .collect();
        value["attributes"] = Value::Object(attributes);
    }
    value
}

fn landmark_json(landmark: &Landmark) -> Value {
    let mut value = match &landmark.what {
        What::Element(name) => json!({ "tag": name }),
        What::Text => json!({ "text": true }),
        What::Word(word) => json!({ "word": word }),
    };
    if !landmark.tests.is_empty() {
        value["tests"] = landmark.tests.iter().map(test_json).collect();
    }
    value
}

fn test_json(test: &Test) -> Value {
    let mut value = Map::new();
    if !test.attributes.is_empty() {
        let pair = |(name, value): &(String, Option<String>)| {
            (name.clone(), value.clone().map_or(Value::Bool(true), Value::from))
        };
        value.insert(
            "has".to_owned(),
            Value::Object(test.attributes.iter().map(pair).collect()),
        );
    }
    if test.plain {
        value.insert("plain".to_owned(), Value::Bool(true));
    }
    if let Some(says) = &test.says {
        value.insert("says".to_owned(), Value::from(says.as_str()));
    }
    if let Some((name, held)) = &test.holds {
        value.insert("holds".to_owned(), json!({ name: held }));
    }
    if let Some(nth) = test.nth {
        value.insert("nth".to_owned(), Value::from(nth));
    }
    Value::Object(value)
}

/// Reads a rule.
pub(crate) fn read(at: &At<'_>) -> Result<Landmarks, WrapperError> {
    let grain = at.key("grain")?;
    let grain = match grain.text()? {
        "nodes" => Grain::Nodes,
        "words" => Grain::Words,
        other => {
            return Err(shape(
                &grain.place,
                &format!("found {other:?}, expected \"nodes\" or \"words\""),
            ));
        }
    };
    let mut fields = Vec::new();
    for field in at.key("fields")?.list()? {
        let name = field.key("name")?.text()?.to_owned();
        fields.push(Slot {
            name,
            prefix: field.optional_text("behind")?.unwrap_or_default(),
            also: field.get("also")?.map(|_| id(&field, "also")).transpose()?,
            data: field.get("data")?.as_ref().map(read_datum).transpose()?,
            label: field.get("label")?.as_ref().map(read_label).transpose()?,
        });
    }
    let parts = at
        .key("parts")?
        .list()?
        .iter()
        .map(read_part)
        .collect::<Result<_, _>>()?;
    let rule = Landmarks { grain, parts, fields };
    match rule.fault() {
        Some((part, message)) => Err(shape(&format!("{}.parts[{part}]", at.place), &message)),
        None => Ok(rule),
    }
}

fn read_datum(at: &At<'_>) -> Result<Datum, WrapperError> {
    let source = at.key("source")?;
    let Some(known) = Source::find(source.text()?) else {
        let names = Source::ALL.map(|source| format!("{:?}", source.name()));
        return source.fail(&format!("one of {}", names.join(", ")));
    };
    Ok(Datum {
        source: known,
        kind: at.optional_text("of")?,
        path: at.key("path")?.text()?.to_owned(),
        many: at.get("many")?.is_some_and(|many| many.value == &Value::Bool(true)),
    })
}

fn read_label(at: &At<'_>) -> Result<Label, WrapperError> {
    let words = at.key("words")?.list()?;
    let words = words
        .iter()
        .map(|word| Ok(word.text()?.to_owned()))
        .collect::<Result<_, WrapperError>>()?;
    let side = at.key("value")?;
    let side = match side.text()? {
        "after" => Side::After,
        "below" => Side::Below,
        _ => return side.fail("\"after\" or \"below\""),
    };
    let many = at.get("many")?.is_some_and(|many| many.value == &Value::Bool(true));
    Ok(Label { words, side, many })
}

fn id(at: &At<'_>, key: &str) -> Result<PartId, WrapperError> {
    let value = at.key(key)?;
    u32::try_from(value.number()?).or_else(|_| value.fail("a smaller number"))
}

fn read_part(at: &At<'_>) -> Result<Part, WrapperError> {
    if at.value.is_null() {
        return Ok(Part::Nothing);
    }
    if at.get("field")?.is_some() {
        return Ok(Part::Field(id(at, "field")?));
    }
    if let Some(wrapper) = at.get("unwrap")? {
        return Ok(Part::Unwrap {
            wrapper: read_landmark(&wrapper)?,
            of: id(at, "of")?,
        });
    }
    if at.get("group")?.is_some() {
        return Ok(Part::Group {
            field: id(at, "group")?,
            of: id(at, "of")?,
        });
    }
    let before = id(at, "before")?;
    if let Some(name) = at.get("list")? {
        let start = read_landmark(&at.key("start")?)?;
        return Ok(Part::List {
            name: name.text()?.to_owned(),
            start,
            before,
            each: id(at, "each")?,
        });
    }
    let failed = at.get("failed")?.map(|_| id(at, "failed")).transpose()?;
    let marks = at
        .key("marks")?
        .list()?
        .iter()
        .map(read_mark)
        .collect::<Result<_, _>>()?;
    Ok(Part::Split { before, marks, failed })
}

fn read_mark(at: &At<'_>) -> Result<Mark, WrapperError> {
    let mut attributes = Vec::new();
    if let Some(object) = at.get("attributes")? {
        for name in object.object()?.keys() {
            attributes.push((name.clone(), id(&object, name)?));
        }
    }
    let landmark = read_landmark(&at.key("at")?)?;
    Ok(Mark {
        landmark,
        attributes,
        inner: id(at, "inner")?,
        after: id(at, "after")?,
    })
}

fn read_landmark(at: &At<'_>) -> Result<Landmark, WrapperError> {
    let what = match (at.optional_text("tag")?, at.optional_text("word")?) {
        (Some(name), _) => What::Element(name),
        (None, Some(word)) => What::Word(word),
        (None, None) => at.key("text").map(|_| What::Text)?,
    };
    let tests = match at.get("tests")? {
        Some(tests) => tests.list()?.iter().map(read_test).collect::<Result<_, _>>()?,
        None => Vec::new(),
    };
    Ok(Landmark { what, tests })
}

fn read_test(at: &At<'_>) -> Result<Test, WrapperError> {
    let mut test = Test {
        says: at.optional_text("says")?,
        plain: at.get("plain")?.is_some(),
        ..Test::default()
    };
    if let Some(has) = at.get("has")? {
        for (name, value) in has.object()? {
            test.attributes.push((name.clone(), value.as_str().map(str::to_owned)));
        }
    }
    if let Some(holds) = at.get("holds")? {
        let first = holds.object()?.iter().next();
        test.holds = first.and_then(|(name, value)| Some((name.clone(), value.as_str()?.to_owned())));
    }
    if at.get("nth")?.is_some() {
        test.nth = Some(id(at, "nth")?);
    }
    Ok(test)
}
