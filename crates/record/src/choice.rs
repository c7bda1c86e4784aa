//! Some fields of records, in an order: what a user wants to see of what a wrapper gives.

use crate::{Content, Field, Record, RecordType};

/// Fields by their paths, in the order in which they are wanted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    paths: Vec<Vec<String>>,
}

impl Choice {
    /// Fields by their paths, with dots: `title`, `offer.price`. The path of a nested record means all of its fields.
    ///
    /// ```
    /// use record::{Choice, Field, RecordType};
    /// let book = RecordType::new("book", vec![Field::text("title"), Field::text("shelf"), Field::text("price")]);
    /// let chosen = Choice::new(["price", "title"]).of_type(&book);
    /// assert_eq!(chosen, RecordType::new("book", vec![Field::text("price"), Field::text("title")]));
    /// ```
    pub fn new<P: AsRef<str>>(paths: impl IntoIterator<Item = P>) -> Choice {
        let split = |path: P| path.as_ref().split('.').map(str::to_owned).collect();
        Choice {
            paths: paths.into_iter().map(split).collect(),
        }
    }

    /// The type of records with these fields only. Paths that the type does not have are left out.
    pub fn of_type(&self, record_type: &RecordType) -> RecordType {
        let mut chosen = record_type.clone();
        if let Content::Record(fields) = &mut chosen.content {
            *fields = of_fields(fields, &self.tails(&[]));
        }
        chosen
    }

    /// A record with these fields only.
    #[must_use]
    pub fn of_record(&self, mut record: Record) -> Record {
        record.children = of_children(record.children, &self.tails(&[]));
        record
    }

    /// What is left of the paths that begin so.
    fn tails(&self, head: &[String]) -> Vec<&[String]> {
        self.paths.iter().filter_map(|path| path.strip_prefix(head)).collect()
    }
}

/// The names at the start of paths, each once, with what follows it; none if the whole field is wanted.
fn heads<'p>(paths: &[&'p [String]]) -> Vec<(&'p str, Option<Vec<&'p [String]>>)> {
    let mut heads: Vec<(&str, Option<Vec<&[String]>>)> = Vec::new();
    for path in paths {
        let Some((head, rest)) = path.split_first() else {
            continue;
        };
        let at = heads.iter().position(|(known, _)| known == head).unwrap_or_else(|| {
            heads.push((head, Some(Vec::new())));
            heads.len() - 1
        });
        match rest.is_empty() {
            true => heads[at].1 = None,
            false => heads[at].1.iter_mut().for_each(|rests| rests.push(rest)),
        }
    }
    heads
}

fn of_fields(fields: &[Field], paths: &[&[String]]) -> Vec<Field> {
    let chosen = heads(paths).into_iter().filter_map(|(name, rest)| {
        let mut field = fields.iter().find(|field| field.name == name)?.clone();
        if let (Content::Record(inner), Some(rest)) = (&mut field.content, rest) {
            *inner = of_fields(inner, &rest);
        }
        Some(field)
    });
    chosen.collect()
}

fn of_children(children: Vec<Record>, paths: &[&[String]]) -> Vec<Record> {
    let heads = heads(paths);
    let mut chosen: Vec<(usize, Record)> = Vec::new();
    for mut child in children {
        let Some(at) = heads.iter().position(|(name, _)| *name == child.name) else {
            continue;
        };
        if let Some(rest) = heads[at]
            .1
            .as_ref()
            .filter(|_| child.value.is_none() || !child.children.is_empty())
        {
            child.children = of_children(child.children, rest);
        }
        chosen.push((at, child));
    }
    chosen.sort_by_key(|(at, _)| *at);
    chosen.into_iter().map(|(_, child)| child).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_and_their_type_agree() {
        let offer = Field::records("offer", vec![Field::text("price"), Field::text("seller")]);
        let book = RecordType::new("book", vec![Field::text("title"), offer, Field::texts("author")]);
        let (page, node) = ("a".into(), page::NodeId::DOCUMENT);
        let leaf = |name: &str, text: &str| Record::leaf(name, text, &page, node);
        let mut record = Record::new("book", &page, node);
        let mut offer = Record::new("offer", &page, node);
        offer.children = vec![leaf("price", "5"), leaf("seller", "Ann")];
        record.children = vec![
            leaf("title", "Kelp"),
            leaf("author", "Ada"),
            offer,
            leaf("author", "Bob"),
        ];
        let choice = Choice::new(["author", "offer.seller", "none"]);
        let chosen = choice.of_record(record.clone());
        let names: Vec<&str> = chosen.children.iter().map(|child| child.name.as_str()).collect();
        assert_eq!(names, ["author", "author", "offer"]);
        assert_eq!(chosen.children[2].children, [leaf("seller", "Ann")]);
        let fields = choice.of_type(&book);
        let names: Vec<&str> = fields.fields().iter().map(|field| field.name.as_str()).collect();
        assert_eq!(names, ["author", "offer"]);
        // A whole record, also if one of its fields is named, too.
        assert_eq!(
            Choice::new(["offer.price", "offer"]).of_record(record).children[0]
                .children
                .len(),
            2
        );
    }
}
