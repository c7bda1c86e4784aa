//! The records of a page as tables whose cells know their places.
//!
//! A record keeps the node of each of its values, so no search is needed, except for rules that cut the source of a page:
//! their values have no node, and the first free place with the same text is taken. **Cost**: linear in the values; for rules
//! that cut the source, one index of the page's texts.

use crate::profile::Places;
use crate::record::{Content, Field, Record, RecordType, VALUE};
use crate::{NodeId, Page};
use std::collections::HashSet;

/// A value and the node it comes from, if it is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placed {
    /// The value.
    pub text: String,
    /// The element, text or attribute.
    pub node: Option<NodeId>,
}

/// A row of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlacedRow {
    /// The row of the table around it that it belongs to, by its number on this page.
    pub parent: Option<usize>,
    /// For each column its values.
    pub cells: Vec<Vec<Placed>>,
}

/// The records of a page by table, in the order of [`RecordType::tables`].
///
/// ```
/// use wrapwright::{Document, Job, ParseSettings, infer, show};
///
/// let page = |name: &str, title: &str| Document::from_source(name, format!("<h1>{title}</h1>"), &ParseSettings::default());
/// let pages = [page("a", "Kelp")?, page("b", "Moss")?];
/// let wrapper = infer(&pages, &Default::default(), &Job::new())?.wrapper;
/// let runner = wrapper.runner()?;
/// let tables = show::placed(runner.record_type(), &pages[0].page, &runner.run(&pages[0], false).records);
/// let title = &tables[0][0].cells[0][0];
/// assert_eq!(title.text, "Kelp");
/// assert_eq!(title.node.map(|node| pages[0].page.string_value(node)), Some("Kelp"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn placed(record_type: &RecordType, page: &Page, records: &[Record]) -> Vec<Vec<PlacedRow>> {
    let mut walk = Walk {
        page,
        places: None,
        taken: HashSet::new(),
        tables: vec![Vec::new(); record_type.tables().len()],
    };
    for record in records {
        match &record_type.content {
            Content::Value(_) => {
                let cells = vec![walk.values([record].into_iter())];
                walk.tables[0].push(PlacedRow { parent: None, cells });
            }
            Content::Record(fields) => walk.row(fields, record, None, &mut 0),
        }
    }
    walk.tables
}

struct Walk<'p> {
    page: &'p Page,
    /// Made when a value without a node comes.
    places: Option<Places>,
    /// Nodes that were given to such values.
    taken: HashSet<NodeId>,
    tables: Vec<Vec<PlacedRow>>,
}

impl Walk<'_> {
    /// Adds a record's row to its table, `next`, and those of the records in it to the tables after that.
    fn row(&mut self, fields: &[Field], record: &Record, parent: Option<usize>, next: &mut usize) {
        let table = *next;
        *next += 1;
        let number = self.tables[table].len();
        self.tables[table].push(PlacedRow {
            parent,
            cells: Vec::new(),
        });
        let mut cells = Vec::new();
        self.cells(fields, &[record], number, &mut cells, next);
        self.tables[table][number].cells = cells;
    }

    fn cells(
        &mut self,
        fields: &[Field],
        records: &[&Record],
        number: usize,
        into: &mut Vec<Vec<Placed>>,
        next: &mut usize,
    ) {
        for field in fields {
            let children = records.iter().flat_map(|record| &record.children);
            let found: Vec<&Record> = children.filter(|child| child.name == field.name).collect();
            match &field.content {
                Content::Value(_) if field.name == VALUE => into.push(self.values(records.iter().copied())),
                Content::Value(_) => into.push(self.values(found.into_iter())),
                Content::Record(inner) if field.cardinality.may_repeat() => {
                    let first = *next;
                    for child in found {
                        *next = first;
                        self.row(inner, child, Some(number), next);
                    }
                    *next = first + 1 + count(inner);
                }
                Content::Record(inner) => self.cells(inner, &found, number, into, next),
            }
        }
    }

    fn values<'r>(&mut self, records: impl Iterator<Item = &'r Record>) -> Vec<Placed> {
        let mut out = Vec::new();
        for record in records {
            if let Some(text) = &record.value {
                out.push(Placed {
                    text: text.clone(),
                    node: self.place(record.node, text),
                });
            }
        }
        out
    }

    fn place(&mut self, node: NodeId, text: &str) -> Option<NodeId> {
        if node != NodeId::DOCUMENT {
            return Some(node).filter(|node| node.index() < self.page.len());
        }
        let places = self.places.get_or_insert_with(|| Places::new(self.page));
        let spots = places.of(text);
        let free = spots.iter().find(|spot| !self.taken.contains(&spot.node));
        let node = free.map(|spot| spot.node)?;
        self.taken.insert(node);
        Some(node)
    }
}

/// The number of tables of repeated records among fields.
fn count(fields: &[Field]) -> usize {
    let inside = |field: &Field| {
        let own = field.content.is_record() && field.cardinality.may_repeat();
        count(field.content.fields()) + usize::from(own)
    };
    fields.iter().map(inside).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    #[test]
    fn rows_are_those_of_the_tables_and_values_without_nodes_are_found() {
        let page = Page::parse_str("<h1>Kelp</h1><p>Sea<p>Salt<p>Sea", &Default::default()).expect("a page");
        let name: Arc<str> = "p".into();
        let leaf = |field: &str, text: &str| Record::leaf(field, text, &name, NodeId::DOCUMENT);
        let part = |text: &str| Record {
            children: vec![leaf("word", text)],
            ..Record::new("part", &name, NodeId::DOCUMENT)
        };
        let record = Record {
            children: vec![leaf("title", "Kelp"), part("Sea"), part("Salt"), part("Sea")],
            ..Record::new("book", &name, NodeId::DOCUMENT)
        };
        let fields = vec![Field::text("title"), Field::records("part", vec![Field::text("word")])];
        let kind = RecordType::new("book", fields);
        let tables = placed(&kind, &page, std::slice::from_ref(&record));
        let texts: Vec<Vec<Vec<Vec<String>>>> = tables
            .iter()
            .map(|rows| {
                let cell = |cell: &Vec<Placed>| cell.iter().map(|value| value.text.clone()).collect();
                rows.iter().map(|row| row.cells.iter().map(cell).collect()).collect()
            })
            .collect();
        assert_eq!(texts, kind.rows(&[record]));
        assert_eq!(tables[1].iter().map(|row| row.parent).collect::<Vec<_>>(), [Some(0); 3]);
        let nodes: HashSet<Option<NodeId>> = tables[1].iter().map(|row| row.cells[0][0].node).collect();
        assert_eq!(nodes.len(), 3, "equal values have places of their own");
    }
}
