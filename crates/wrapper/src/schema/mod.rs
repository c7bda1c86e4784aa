//! Reads the schemas that users write into record types.
//!
//! A DTD and a JSON Schema say much the same in different ways, so both are read into a [`RecordType`]. The type also
//! covers what only one of them can express (a choice between fields, a pattern for a text). Features that neither
//! pages nor records can have (entities, mixed content, `$ref`, recursion) are rejected with their place.

mod dtd;
mod json;

pub use dtd::from_dtd;
pub use json::from_json_schema;

use record::{Content, RecordType, XmlRoot};
use std::fmt;

/// What is wrong with a schema, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SchemaError {
    /// A line of the DTD, or a place in the JSON (`properties.price`).
    pub place: String,
    /// What is wrong there, and what to do.
    pub message: String,
}

impl fmt::Display for SchemaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.message)
    }
}

impl std::error::Error for SchemaError {}

fn error(place: impl Into<String>, message: impl Into<String>) -> SchemaError {
    SchemaError {
        place: place.into(),
        message: message.into(),
    }
}

/// The deepest nesting that is accepted; nobody writes deeper schemas.
const DEEPEST: usize = 32;

/// The most members of a schema. Each becomes a column, and no table of people or databases has that many.
const MOST: usize = 10_000;

/// The longest name of a member, in bytes. Names are repeated in every column and every message.
const LONGEST_NAME: usize = 1000;

/// The beginning of a text that may be very long, for a message.
fn clip(text: &str) -> String {
    text.chars().take(40).collect()
}

/// The type of the records in a document. A document that contains only records of one kind, any number of them, is a list of
/// records; any other document is itself one record, also one that has a list of texts.
fn of_document(name: String, content: Content) -> RecordType {
    match content {
        Content::Record(mut fields)
            if fields.len() == 1
                && fields[0].cardinality.may_repeat()
                && matches!(fields[0].content, Content::Record(_)) =>
        {
            let field = fields.remove(0);
            RecordType {
                name: field.name,
                root: XmlRoot::Element(name),
                content: field.content,
            }
        }
        content => RecordType {
            name,
            root: XmlRoot::Record,
            content,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_paper_s_schema_is_a_list_of_records() {
        let schema = from_dtd(
            "<!ELEMENT VideoList (Video+)><!ELEMENT Video (Name, Director, Actors, Price)><!ELEMENT Name (#PCDATA)>
             <!ELEMENT Director (#PCDATA)><!ELEMENT Actors (#PCDATA)><!ELEMENT Price (VHSPrice, DVDPrice)>
             <!ELEMENT VHSPrice (#PCDATA)><!ELEMENT DVDPrice (#PCDATA)>",
        )
        .expect("a schema");
        assert_eq!(schema.root, XmlRoot::Element("VideoList".to_owned()));
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
        let names: Vec<String> = model.tables()[0].columns.iter().map(|column| column.name()).collect();
        assert_eq!(
            (model.root, names),
            (XmlRoot::Record, vec!["b.href".to_owned(), "b._value".to_owned()])
        );
    }
}
