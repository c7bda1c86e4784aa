//! From what a user wants to what a rule needs: the shape of records, and values of the wanted types.

use super::{Content, Member, Model, Sort, Text};
use crate::profile::number;
use crate::schema::{Field, Kind, Schema};
use serde_json::Value;

/// The member that is the text of an element which has attributes, too.
pub const VALUE: &str = "_value";

impl Model {
    /// What one record is called and holds: the member that the document repeats, if it has nothing else, or all of it.
    pub fn record(&self) -> (&str, &Content) {
        match self.repeated() {
            Some(member) => (&member.name, &member.content),
            None => (&self.name, &self.content),
        }
    }

    /// The element around records, if the schema has one.
    pub fn document(&self) -> Option<&str> {
        self.repeated().map(|_| self.name.as_str())
    }

    fn repeated(&self) -> Option<&Member> {
        match &self.content {
            Content::Members(members) => match members.as_slice() {
                [member] if member.times.may_repeat() => Some(member),
                _ => None,
            },
            Content::Text(_) => None,
        }
    }

    /// The shape of its records.
    pub fn schema(&self) -> Schema {
        let (name, content) = self.record();
        match content {
            Content::Members(members) => schema(name, members),
            // A record that is one text has it as its only field.
            Content::Text(_) => Schema::flat(name, [VALUE]),
        }
    }
}

fn schema(name: &str, members: &[Member]) -> Schema {
    let fields = members.iter().map(|member| {
        let kind = match &member.content {
            Content::Text(_) => Kind::Text,
            Content::Members(inner) => Kind::Record(schema(&member.name, inner)),
        };
        Field {
            name: member.name.clone(),
            kind: match member.times.may_repeat() {
                true => Kind::List(Box::new(kind)),
                false => kind,
            },
        }
    });
    Schema {
        name: name.to_owned(),
        fields: fields.collect(),
    }
}

impl Text {
    /// A value as JSON has it: of `$1,299.00` the number, if a number is wanted; none if there is no such thing in it.
    pub fn typed(&self, value: &str) -> Option<Value> {
        match self.sort {
            Sort::String => Some(Value::from(value)),
            Sort::Number => number(value)
                .and_then(serde_json::Number::from_f64)
                .map(|number| match number.as_f64() {
                    Some(whole) if whole.fract() == 0.0 && whole.abs() < 9e15 => Value::from(whole as i64),
                    _ => Value::Number(number),
                }),
            Sort::Integer => number(value)
                .filter(|number| number.fract() == 0.0 && number.abs() < 9e15)
                .map(|number| Value::from(number as i64)),
            Sort::Boolean => match value.trim().to_lowercase().as_str() {
                "true" | "yes" => Some(Value::Bool(true)),
                "false" | "no" => Some(Value::Bool(false)),
                _ => None,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{from_dtd, from_json_schema};
    use super::*;

    #[test]
    fn the_paper_s_schema_is_a_list_of_records() {
        let model = from_dtd(
            "<!ELEMENT VideoList (Video+)><!ELEMENT Video (Name, Director, Actors, Price)><!ELEMENT Name (#PCDATA)>
             <!ELEMENT Director (#PCDATA)><!ELEMENT Actors (#PCDATA)><!ELEMENT Price (VHSPrice, DVDPrice)>
             <!ELEMENT VHSPrice (#PCDATA)><!ELEMENT DVDPrice (#PCDATA)>",
        )
        .expect("a schema");
        assert_eq!(model.document(), Some("VideoList"));
        let schema = model.schema();
        let names: Vec<String> = schema.tables()[0].columns.iter().map(|column| column.name()).collect();
        assert_eq!(schema.name, "Video");
        assert_eq!(
            names,
            ["Name", "Director", "Actors", "Price.VHSPrice", "Price.DVDPrice"]
        );
    }

    #[test]
    fn a_text_with_attributes_has_both() {
        let model =
            from_dtd("<!ELEMENT a (b)><!ELEMENT b (#PCDATA)><!ATTLIST b href CDATA #REQUIRED>").expect("a schema");
        let names: Vec<String> = model.schema().tables()[0]
            .columns
            .iter()
            .map(|column| column.name())
            .collect();
        assert_eq!(
            (model.document(), names),
            (None, vec!["b.href".to_owned(), "b._value".to_owned()])
        );
    }

    #[test]
    fn values_are_of_their_types() {
        let typed = |kind: &str, value: &str| {
            let text = format!("{{\"type\": \"object\", \"properties\": {{\"x\": {{\"type\": \"{kind}\"}}}}}}");
            let model = from_json_schema(&text).expect("a schema");
            let Content::Members(members) = &model.content else {
                panic!()
            };
            let Content::Text(text) = &members[0].content else {
                panic!()
            };
            text.typed(value).map(|value| value.to_string())
        };
        let some = |text: &str| Some(text.to_owned());
        assert_eq!(typed("number", "$1,299.50"), some("1299.5"));
        assert_eq!(typed("number", "12"), some("12"));
        assert_eq!(typed("number", "soon"), None);
        assert_eq!(typed("integer", "1.5"), None);
        assert_eq!(typed("integer", "1,500 km"), some("1500"));
        assert_eq!(typed("boolean", "Yes"), some("true"));
        assert_eq!(typed("boolean", "maybe"), None);
        assert_eq!(typed("string", "x"), some("\"x\""));
    }
}
