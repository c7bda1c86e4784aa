//! Reads a JSON Schema: `object`, `array`, `string`, `number`, `integer`, `boolean`, `required`, `format`, `pattern`.

use super::{DEEPEST, LONGEST_NAME, MOST, SchemaError, clip, error, of_document};
use record::{Cardinality, Content, Field, RecordType, Sort, ValueType};
use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::Value;
use std::collections::HashSet;
use std::fmt;

/// The keys of objects in the order in which they were written, which a map does not keep.
enum Order {
    Other,
    Object(Vec<(String, Order)>),
}

impl Order {
    fn get(&self, key: &str) -> &Order {
        match self {
            Order::Object(members) => members
                .iter()
                .find(|(name, _)| name == key)
                .map_or(&Order::Other, |(_, order)| order),
            _ => &Order::Other,
        }
    }
}

impl<'de> Deserialize<'de> for Order {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Order, D::Error> {
        struct Keys;
        impl<'de> Visitor<'de> for Keys {
            type Value = Order;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("JSON")
            }
            fn visit_unit<E>(self) -> Result<Order, E> {
                Ok(Order::Other)
            }
            fn visit_bool<E>(self, _: bool) -> Result<Order, E> {
                Ok(Order::Other)
            }
            fn visit_u64<E>(self, _: u64) -> Result<Order, E> {
                Ok(Order::Other)
            }
            fn visit_i64<E>(self, _: i64) -> Result<Order, E> {
                Ok(Order::Other)
            }
            fn visit_f64<E>(self, _: f64) -> Result<Order, E> {
                Ok(Order::Other)
            }
            fn visit_str<E>(self, _: &str) -> Result<Order, E> {
                Ok(Order::Other)
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<Order, A::Error> {
                // In a schema, no list has a member whose order counts.
                while access.next_element::<Order>()?.is_some() {}
                Ok(Order::Other)
            }
            fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Order, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = access.next_entry()? {
                    members.push(member);
                }
                Ok(Order::Object(members))
            }
        }
        deserializer.deserialize_any(Keys)
    }
}

/// Keys that do not affect which values are valid.
const SILENT: [&str; 9] = [
    "$schema",
    "$id",
    "$comment",
    "title",
    "description",
    "examples",
    "default",
    "additionalProperties",
    "minItems",
];

/// Reads a JSON Schema.
///
/// # Errors
///
/// Something is not understood; the error names its place.
pub fn from_json_schema(text: &str) -> Result<RecordType, SchemaError> {
    let value: Value = serde_json::from_str(text).map_err(|why| error("the schema", format!("is not JSON: {why}")))?;
    let name = value
        .get("title")
        .and_then(Value::as_str)
        .unwrap_or("record")
        .to_owned();
    let order: Order = serde_json::from_str(text).map_err(|why| error("the schema", format!("is not JSON: {why}")))?;
    let root = Place {
        around: None,
        name: "the schema",
        depth: 0,
    };
    let (content, times) = Reading::default().content(&value, &order, &root)?;
    match times.may_repeat() {
        true => {
            // A list of records, which the document contains.
            let title = value["items"].get("title").and_then(Value::as_str);
            let member = Field::new(title.unwrap_or("record"), Cardinality::Many, content);
            Ok(of_document(name, Content::Record(vec![member])))
        }
        false => Ok(of_document(name, content)),
    }
}

/// Where a part of the schema is. It is put into words only for an error: names may be long and parts many.
struct Place<'p> {
    around: Option<&'p Place<'p>>,
    name: &'p str,
    depth: usize,
}

impl<'p> Place<'p> {
    fn inside(&'p self, name: &'p str) -> Place<'p> {
        Place {
            around: Some(self),
            name,
            depth: self.depth + 1,
        }
    }
}

impl fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.around {
            Some(around) => write!(f, "{around}.{}", self.name),
            None => f.write_str(self.name),
        }
    }
}

impl From<&Place<'_>> for String {
    fn from(place: &Place<'_>) -> String {
        place.to_string()
    }
}

/// The most different patterns of a schema. A pattern takes up to 50 ms to compile.
const MOST_PATTERNS: usize = 200;

/// What was read so far.
#[derive(Default)]
struct Reading {
    members: usize,
    patterns: HashSet<String>,
}

impl Reading {
    fn content(
        &mut self,
        value: &Value,
        order: &Order,
        place: &Place<'_>,
    ) -> Result<(Content, Cardinality), SchemaError> {
        if place.depth > DEEPEST {
            let message = format!("the schema is nested too deeply, expected at most {DEEPEST} levels");
            return Err(error(place, message));
        }
        let Some(object) = value.as_object() else {
            return Err(error(place, "expected an object with a \"type\""));
        };
        let known = ["type", "properties", "required", "items", "format", "pattern"];
        if let Some(key) = object
            .keys()
            .find(|key| !known.contains(&key.as_str()) && !SILENT.contains(&key.as_str()))
        {
            let hint = match key.as_str() {
                "$ref" | "$defs" | "definitions" => "; write the definition where it is used",
                _ => "",
            };
            return Err(error(place, format!("`{}` is not known here{hint}", clip(key))));
        }
        let kind = match object.get("type") {
            Some(Value::String(kind)) => kind.as_str(),
            // A value that may be absent may be null.
            Some(Value::Array(kinds)) => match kinds
                .iter()
                .filter_map(Value::as_str)
                .filter(|kind| *kind != "null")
                .collect::<Vec<_>>()
                .as_slice()
            {
                [kind] => kind,
                _ => {
                    return Err(error(
                        place,
                        "several types are not known here, expected one, or one and \"null\"",
                    ));
                }
            },
            None if object.contains_key("properties") => "object",
            _ => return Err(error(place, "there is no \"type\"")),
        };
        let sort = match kind {
            "string" => Sort::Text,
            "number" => Sort::Decimal,
            "integer" => Sort::Integer,
            "boolean" => Sort::Boolean,
            "array" => {
                let items = object
                    .get("items")
                    .ok_or_else(|| error(place, "an array needs \"items\""))?;
                let (inner, times) = self.content(items, order.get("items"), &place.inside("items"))?;
                if times.may_repeat() {
                    return Err(error(place, "a list of lists is no record; name the inner one"));
                }
                return Ok((inner, Cardinality::Many));
            }
            "object" => {
                let properties = object.get("properties").and_then(Value::as_object);
                let Some(properties) = properties.filter(|properties| !properties.is_empty()) else {
                    return Err(error(place, "an object needs \"properties\""));
                };
                let required: HashSet<&str> = object
                    .get("required")
                    .and_then(Value::as_array)
                    .into_iter()
                    .flatten()
                    .filter_map(Value::as_str)
                    .collect();
                if let Some(name) = required.iter().filter(|name| !properties.contains_key(**name)).min() {
                    let name = clip(name);
                    return Err(error(
                        place,
                        format!("`{name}` is required, but no property has that name"),
                    ));
                }
                let Order::Object(names) = order.get("properties") else {
                    return Err(error(place, "an object needs \"properties\""));
                };
                self.members += names.len();
                if self.members > MOST {
                    return Err(error(place, format!("the schema has more than {MOST} properties")));
                }
                let mut members: Vec<Field> = Vec::new();
                let mut seen = HashSet::new();
                for (name, order) in names {
                    let Some(property) = properties.get(name) else { continue };
                    if name.len() > LONGEST_NAME {
                        let name = clip(name);
                        let message = format!("the name of the property `{name}…` is longer than {LONGEST_NAME} bytes");
                        return Err(error(place, message));
                    }
                    if !seen.insert(name) {
                        return Err(error(place, format!("the property `{name}` is there twice")));
                    }
                    let (inner, times) = self.content(property, order, &place.inside(name))?;
                    let times = match (times.may_repeat(), required.contains(&name.as_str())) {
                        (true, _) => times,
                        (false, true) => Cardinality::One,
                        (false, false) => Cardinality::Optional,
                    };
                    members.push(Field::new(name, times, inner));
                }
                return Ok((Content::Record(members), Cardinality::One));
            }
            other => return Err(error(place, format!("the type {other:?} is not known here"))),
        };
        let text = |key: &str| object.get(key).and_then(Value::as_str).map(str::to_owned);
        let pattern = text("pattern");
        if let Some(pattern) = &pattern {
            self.check(pattern, place)?;
        }
        let format = text("format");
        let sort = match (sort, format.as_deref()) {
            (Sort::Text, Some("date")) => Sort::Date,
            (Sort::Text, Some("date-time")) => Sort::Timestamp,
            _ => sort,
        };
        let text = ValueType {
            sort,
            pattern,
            format,
            ..ValueType::default()
        };
        Ok((Content::Value(text), Cardinality::One))
    }

    /// Can this pattern be used?
    fn check(&mut self, pattern: &str, place: &Place<'_>) -> Result<(), SchemaError> {
        if self.patterns.contains(pattern) {
            return Ok(());
        }
        if self.patterns.len() == MOST_PATTERNS {
            return Err(error(
                place,
                format!("the schema has more than {MOST_PATTERNS} patterns"),
            ));
        }
        if let Err(why) = record::pattern(pattern) {
            return Err(error(
                place,
                format!("the pattern {:?} cannot be used: {why}", clip(pattern)),
            ));
        }
        self.patterns.insert(pattern.to_owned());
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use record::XmlRoot;

    #[test]
    fn lists_records_and_texts() {
        let model = from_json_schema(
            r#"{"title": "books", "type": "array", "items": {"title": "book", "type": "object", "required": ["t"],
                "properties": {"t": {"type": "string"}, "p": {"type": ["number", "null"]}, "a": {"type": "array", "items": {"type": "string"}}}}}"#,
        )
        .expect("a schema");
        assert_eq!(model.root, XmlRoot::Element("books".to_owned()));
        assert_eq!(model.name, "book");
        // The order is that of the schema, not alphabetical.
        let fields: Vec<(&str, Cardinality)> = model
            .fields()
            .iter()
            .map(|field| (field.name.as_str(), field.cardinality))
            .collect();
        let expected = [
            ("t", Cardinality::One),
            ("p", Cardinality::Optional),
            ("a", Cardinality::Many),
        ];
        assert_eq!(fields, expected);
    }

    #[test]
    fn what_is_wrong_is_said_with_its_place() {
        let faults = [
            ("", "is not JSON"),
            ("[]", "expected an object"),
            ("{}", "there is no \"type\""),
            (r#"{"type": "object"}"#, "needs \"properties\""),
            (
                r#"{"type": "object", "properties": {"a": {"$ref": "x"}}}"#,
                "the schema.a: `$ref` is not known here; write the definition",
            ),
            (
                r#"{"type": "object", "required": ["b"], "properties": {"a": {"type": "string"}}}"#,
                "`b` is required",
            ),
            (r#"{"type": "string", "pattern": "("}"#, "cannot be used"),
            (
                r#"{"type": "object", "properties": {"a": {"type": "string"}, "a": {"type": "number"}}}"#,
                "the property `a` is there twice",
            ),
            (
                r#"{"type": "array", "items": {"type": "array", "items": {"type": "string"}}}"#,
                "a list of lists",
            ),
        ];
        for (text, said) in faults {
            let found = from_json_schema(text).expect_err(text).to_string();
            assert!(found.contains(said), "{text}: {found}");
        }
    }
}
