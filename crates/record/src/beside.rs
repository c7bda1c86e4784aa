//! Fields that are computed from others and stand beside them: `price_currency` beside `price`.

use crate::{Cardinality, Content, Field, Record, RecordType};
use std::fmt;

/// Why a field cannot be put beside another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotBeside {
    /// No record has this field, or it is not a value.
    Missing(String),
    /// Records have a field with the new name.
    Taken(String),
}

impl fmt::Display for NotBeside {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotBeside::Missing(field) => write!(f, "found no field `{field}` with a value"),
            NotBeside::Taken(field) => write!(f, "records have a field `{field}` already"),
        }
    }
}

impl std::error::Error for NotBeside {}

impl RecordType {
    /// Adds a text beside each of these fields (by their paths, such as `offer.price`), whose name has an ending more. It repeats
    /// if the field does.
    ///
    /// ```
    /// use record::RecordType;
    /// let types = [RecordType::flat("book", ["title", "price"])];
    /// let types = RecordType::with_beside(&types, &["price"], "_currency")?;
    /// assert!(types[0].has_path("price_currency"));
    /// # Ok::<(), record::NotBeside>(())
    /// ```
    ///
    /// # Errors
    ///
    /// A field exists in none of the types, or its new name does.
    pub fn with_beside(
        types: &[RecordType],
        paths: &[impl AsRef<str>],
        ending: &str,
    ) -> Result<Vec<RecordType>, NotBeside> {
        let mut types = types.to_vec();
        for path in paths.iter().map(AsRef::as_ref) {
            let mut found = false;
            for kind in &mut types {
                if let Content::Record(fields) = &mut kind.content {
                    found |= add_field(fields, path, ending)?;
                }
            }
            if !found {
                return Err(NotBeside::Missing(path.to_owned()));
            }
        }
        Ok(types)
    }
}

impl Record {
    /// Calls a function with each value of a path.
    pub fn each_value(&self, path: &str, with: &mut dyn FnMut(&Record)) {
        let values = self.all(path).filter(|value| value.value.is_some());
        values.for_each(&mut *with);
        if let Some((first, rest)) = path.split_once('.') {
            self.all(first).for_each(|child| child.each_value(rest, with));
        }
    }

    /// Adds what a function makes of each value of a path, as [`RecordType::with_beside`] declares it. If it makes something of one
    /// value, it is an empty text for the others, so that positions agree; if of none, nothing is added.
    pub fn add_beside(&mut self, path: &str, ending: &str, make: &dyn Fn(&Record) -> Option<String>) {
        let values = self.all(path).filter(|value| value.value.is_some());
        let made: Vec<(Option<String>, &Record)> = values.map(|value| (make(value), value)).collect();
        if made.iter().any(|(text, _)| text.is_some()) {
            let name = format!("{path}{ending}");
            let leaf = |(text, value): (Option<String>, &Record)| {
                Record::leaf(name.as_str(), text.unwrap_or_default(), &value.page, value.node)
            };
            let made: Vec<Record> = made.into_iter().map(leaf).collect();
            self.children.extend(made);
        }
        if let Some((first, rest)) = path.split_once('.') {
            let nested = self.children.iter_mut().filter(|child| child.name == first);
            nested.for_each(|child| child.add_beside(rest, ending, make));
        }
    }
}

/// Adds the field beside the one of this path; says whether there is one.
fn add_field(fields: &mut Vec<Field>, path: &str, ending: &str) -> Result<bool, NotBeside> {
    let whole = fields
        .iter()
        .position(|field| field.name == path && !field.content.is_record());
    if let Some(at) = whole {
        let name = format!("{path}{ending}");
        if fields.iter().any(|field| field.name == name) {
            return Err(NotBeside::Taken(name));
        }
        let cardinality = match fields[at].cardinality.may_repeat() {
            true => Cardinality::Many,
            false => Cardinality::Optional,
        };
        fields.insert(at + 1, Field::new(name, cardinality, Content::text()));
        return Ok(true);
    }
    let Some((first, rest)) = path.split_once('.') else {
        return Ok(false);
    };
    let nested = fields.iter_mut().find(|field| field.name == first);
    match nested.map(|field| &mut field.content) {
        Some(Content::Record(fields)) => add_field(fields, rest, ending),
        _ => Ok(false),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use page::NodeId;

    #[test]
    fn fields_are_added_beside_others() {
        let types = [
            RecordType::new(
                "book",
                vec![
                    Field::texts("cover"),
                    Field::text("title"),
                    Field::records("offer", vec![Field::text("price")]),
                ],
            ),
            RecordType::single("other"),
        ];
        let with = RecordType::with_beside(&types, &["cover", "offer.price"], "_x").expect("fields");
        let names: Vec<&str> = with[0].fields().iter().map(|field| field.name.as_str()).collect();
        assert_eq!(names, ["cover", "cover_x", "title", "offer"]);
        assert_eq!(with[0].fields()[1].cardinality, Cardinality::Many);
        assert!(with[0].has_path("offer.price_x"));
        for (path, types, expected) in [
            ("pages", &types[..], NotBeside::Missing("pages".to_owned())),
            ("offer", &types[..], NotBeside::Missing("offer".to_owned())),
            ("cover", &with[..], NotBeside::Taken("cover_x".to_owned())),
        ] {
            assert_eq!(RecordType::with_beside(types, &[path], "_x"), Err(expected));
        }
    }

    #[test]
    fn values_keep_their_positions() {
        let page = "a.html".into();
        let mut record = Record::new("book", &page, NodeId::DOCUMENT);
        for value in ["1", "", "3"] {
            record.children.push(Record::leaf("n", value, &page, NodeId::DOCUMENT));
        }
        let make = |value: &Record| value.value.clone().filter(|text| !text.is_empty());
        record.add_beside("n", "_x", &make);
        record.add_beside("n", "_none", &|_| None);
        let added: Vec<&str> = record.all("n_x").filter_map(|value| value.value.as_deref()).collect();
        assert_eq!(added, ["1", "", "3"]);
        assert_eq!(record.all("n_none").count(), 0);
    }
}
