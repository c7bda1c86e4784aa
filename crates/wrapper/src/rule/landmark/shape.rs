//! Records of landmark rules: one for each page, with a nested record for each item of a list that has several fields.

use super::{Label, Landmarks, Part, PartId, Slot};
use crate::rule::Event;
use crate::rule::assemble::nest;
use record::{Field, Record, RecordType, merge};
use std::collections::BTreeSet;
use std::sync::Arc;

/// The type of the records that a rule gives. Mentions of one datum may differ on a page, so fields with the same name
/// form a list.
pub fn record_type(rule: &Landmarks, name: &str) -> RecordType {
    let mut kept = merge(fields(rule, 0, false));
    let mut mentions: Vec<u32> = rule.fields.iter().filter_map(|slot| slot.also).collect();
    mentions.sort_unstable();
    mentions.dedup();
    let mentions = mentions
        .into_iter()
        .map(|field| Field::texts(&rule.fields[field as usize].name));
    kept.extend(mentions);
    let data = rule.fields.iter().filter(|slot| !slot.name.is_empty());
    let data = data.filter_map(|slot| Some((&slot.name, slot.data.as_ref()?)));
    kept.extend(data.map(|(name, data)| match data.many {
        true => Field::texts(name),
        false => Field::text(name),
    }));
    kept.extend(only_labelled(rule).map(|(slot, label)| match label.many {
        true => Field::texts(&slot.name),
        false => Field::text(&slot.name),
    }));
    RecordType::new(name, merge(kept))
}

/// The fields that only a label leads to.
pub(super) fn only_labelled(rule: &Landmarks) -> impl Iterator<Item = (&Slot, &Label)> {
    let mut given = vec![false; rule.fields.len()];
    let parts = rule.parts.iter().flat_map(Part::fields);
    parts.for_each(|field| given[field as usize] = true);
    let slots = rule.fields.iter().zip(given).filter(|(_, given)| !given);
    let slots = slots.filter_map(|(slot, _)| Some((slot, slot.label.as_ref()?)));
    slots.filter(|(slot, _)| !slot.name.is_empty())
}

/// Their names.
pub(crate) fn only_labelled_names(rule: &Landmarks) -> BTreeSet<&str> {
    only_labelled(rule).map(|(slot, _)| slot.name.as_str()).collect()
}

/// The fields below a part; `many` if a record may have several values of each.
fn fields(rule: &Landmarks, part: PartId, many: bool) -> Vec<Field> {
    let part = &rule.parts[part as usize];
    let text = |field: &u32, many: bool| {
        let name = rule.fields[*field as usize].name.as_str();
        if many { Field::texts(name) } else { Field::text(name) }
    };
    let mut out = Vec::new();
    match part {
        Part::Nothing => {}
        Part::Field(field) => out.push(text(field, many)),
        Part::Unwrap { of, .. } => out = fields(rule, *of, many),
        Part::Group { field, of } => {
            out.push(text(field, true));
            out.extend(fields(rule, *of, many));
        }
        Part::List { name, before, each, .. } => {
            out = fields(rule, *before, many);
            if name.is_empty() {
                out.extend(fields(rule, *each, true));
            } else {
                let inner = merge(fields(rule, *each, false));
                if !inner.is_empty() {
                    out.push(Field::records(name, inner));
                }
            }
        }
        Part::Split { before, marks, failed } => {
            out.extend(failed.iter().map(|field| text(field, many)));
            out.extend(fields(rule, *before, many));
            for mark in marks {
                out.extend(mark.attributes.iter().map(|(_, field)| text(field, many)));
                out.extend(fields(rule, mark.inner, many));
                out.extend(fields(rule, mark.after, many));
            }
        }
    }
    // Fields without a name are not wanted.
    out.retain(|field| !field.name.is_empty());
    out
}

/// The paths of the fields that say again what others say: all texts of a group, and all mentions of a datum.
pub fn second_forms(rule: &Landmarks) -> BTreeSet<String> {
    let name = |field: &u32| rule.fields[*field as usize].name.as_str();
    let mentions = rule.fields.iter().filter_map(|slot| slot.also);
    let mut found: BTreeSet<String> = mentions.map(|field| name(&field).to_owned()).collect();
    let mut open: Vec<(PartId, String)> = vec![(0, String::new())];
    while let Some((part, path)) = open.pop() {
        let part = &rule.parts[part as usize];
        if let Part::Group { field, .. } = part {
            found.insert(format!("{path}{}", name(field)));
        }
        for inner in part.parts() {
            let path = match part {
                Part::List { name, each, .. } if !name.is_empty() && *each == inner => format!("{path}{name}."),
                _ => path.clone(),
            };
            open.push((inner, path));
        }
    }
    found
}

/// The record of a page, or `None` if nothing was found on it.
pub fn assemble(rule: &Landmarks, name: &str, events: Vec<Event>, page: &Arc<str>) -> Option<Record> {
    let field = |field: u32| rule.fields[field as usize].name.as_str();
    let list = |part: PartId| match &rule.parts[part as usize] {
        Part::List { name, .. } if !name.is_empty() => Some(name.as_str()),
        _ => None,
    };
    nest(name, events, page, field, list)
}
