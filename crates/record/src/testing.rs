//! Records for tests.

use crate::{Field, Record, RecordType};

pub(crate) fn node(name: &str, value: Option<&str>, children: Vec<Record>) -> Record {
    Record {
        name: name.to_owned(),
        value: value.map(str::to_owned),
        children,
        page: "http://x/".into(),
        node: page::NodeId::DOCUMENT,
    }
}

/// A book with a title, two tags and a review.
pub(crate) fn book() -> Record {
    let review = node("review", None, vec![node("by", Some("Ada"), Vec::new())]);
    let title = node("title", Some("A \"B\" & C"), Vec::new());
    let tag = |text: &str| node("tag", Some(text), Vec::new());
    node("book", None, vec![title, tag("1"), review, tag("2")])
}

/// Its type; a review may have stars too.
pub(crate) fn books() -> Vec<RecordType> {
    let review = Field::records("review", vec![Field::text("by"), Field::text("stars")]);
    vec![RecordType::new(
        "book",
        vec![Field::text("title"), review, Field::texts("tag")],
    )]
}
