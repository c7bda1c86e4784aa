//! Assembles the values that a rule found into records of a type.
//!
//! The values come in page order, each with the number of its text field. A new record begins with its first field, and
//! also with any field that comes before the field found last; deeper records are finished by then. A field that is
//! missing, or whose text is empty, is absent.

use crate::rule::absolute::InSource;
use crate::rule::{Event, Found};
use page::NodeId;
use record::{Record, RecordType};
use std::sync::Arc;

/// Assembles values into records; `raw` leaves the values as they are in the source. Addresses become absolute.
pub(crate) fn assemble(
    kind: &RecordType,
    values: &[Found],
    source: &InSource<'_>,
    page: &Arc<str>,
    raw: bool,
) -> Vec<Record> {
    let leaves = kind.leaves();
    let levels = kind.levels();
    let node = |name: &str, value: Option<String>| Record {
        name: name.to_owned(),
        value,
        children: Vec::new(),
        page: page.clone(),
        node: NodeId::DOCUMENT,
    };
    let mut done: Vec<Record> = Vec::new();
    let mut open: Vec<Record> = Vec::new();
    let mut last = None;
    for found in values {
        let (Some(leaf), Some(text)) = (leaves.get(found.field as usize), source.get(found.range())) else {
            continue;
        };
        let begins = leaf.opens || last.is_some_and(|last| found.field <= last);
        last = Some(found.field);
        close(&mut open, &mut done, if begins { leaf.depth } else { leaf.depth + 1 });
        // If the first field of a record is missing, the record begins with the next one.
        while open.len() <= leaf.depth {
            open.push(node(levels.get(open.len()).copied().unwrap_or(leaf.name), None));
        }
        let value = if raw {
            text.to_owned()
        } else {
            source.value(found.range(), page::source_text(text).into_owned())
        };
        if value.is_empty() {
            continue;
        }
        if let Some(record) = open.last_mut() {
            record.children.push(node(leaf.name, Some(value)));
        }
    }
    close(&mut open, &mut done, 0);
    done
}

/// Finishes the open records from a depth on.
fn close(open: &mut Vec<Record>, done: &mut Vec<Record>, depth: usize) {
    while open.len() > depth {
        let Some(record) = open.pop() else { return };
        match open.last_mut() {
            Some(parent) => parent.children.push(record),
            None => done.push(record),
        }
    }
}

/// The record of what a rule found on a page, or `None` if it found nothing. `field` names the fields; `list` names the
/// records that are the items of a part, if its items are records.
pub(crate) fn nest<'n>(
    name: &str,
    events: Vec<Event>,
    page: &Arc<str>,
    field: impl Fn(u32) -> &'n str,
    list: impl Fn(u32) -> Option<&'n str>,
) -> Option<Record> {
    let record = |name: &str, value: Option<String>, node: NodeId| Record {
        name: name.to_owned(),
        value,
        children: Vec::new(),
        page: page.clone(),
        node,
    };
    // List items that are not records have no entry of their own here.
    let mut open = vec![Some(record(name, None, NodeId::DOCUMENT))];
    let push = |open: &mut Vec<Option<Record>>, child: Record| {
        if let Some(parent) = open.iter_mut().rev().flatten().next() {
            parent.children.push(child);
        }
    };
    for event in events {
        match event {
            // A field without a name is not wanted.
            Event::Value { field: id, .. } if field(id).is_empty() => {}
            Event::Value { field: id, node, text } => push(&mut open, record(field(id), Some(text), node)),
            Event::Open(part) => open.push(list(part).map(|name| record(name, None, NodeId::DOCUMENT))),
            Event::Close => {
                if let Some(Some(child)) = open.pop()
                    && !child.children.is_empty()
                {
                    push(&mut open, child);
                }
            }
        }
    }
    open.into_iter()
        .next()
        .flatten()
        .filter(|record| !record.children.is_empty())
}
