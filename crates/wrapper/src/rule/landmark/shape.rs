//! Records of a landmark rule: one for each page, with a nested record for each item of a list that has several fields.

use super::{Event, Landmarks, Part, PartId};
use crate::record::nest;
use crate::schema::{Field, Kind, Schema};
use record::Record;
use std::sync::Arc;

/// The schema of what a rule gives.
pub fn schema(rule: &Landmarks, name: &str) -> Schema {
    let mut kept: Vec<Field> = Vec::new();
    for field in fields(rule, 0, false) {
        match kept.iter_mut().find(|known| known.name == field.name) {
            // Mentions of one datum may differ on a page.
            Some(known) => known.kind = Kind::List(Box::new(Kind::Text)),
            None => kept.push(field),
        }
    }
    let mut mentions: Vec<u32> = rule.fields.iter().filter_map(|slot| slot.also).collect();
    mentions.sort_unstable();
    mentions.dedup();
    kept.extend(mentions.into_iter().map(|field| Field {
        name: rule.fields[field as usize].name.clone(),
        kind: Kind::List(Box::new(Kind::Text)),
    }));
    Schema {
        name: name.to_owned(),
        fields: kept,
    }
}

/// The fields below a part; `many` where a record may have several values of each.
fn fields(rule: &Landmarks, part: PartId, many: bool) -> Vec<Field> {
    let part = &rule.parts[part as usize];
    let text = |field: &u32, many: bool| Field {
        name: rule.fields[*field as usize].name.clone(),
        kind: if many {
            Kind::List(Box::new(Kind::Text))
        } else {
            Kind::Text
        },
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
                let record = Schema {
                    name: name.clone(),
                    fields: fields(rule, *each, false),
                };
                if !record.fields.is_empty() {
                    out.push(Field {
                        name: name.clone(),
                        kind: Kind::List(Box::new(Kind::Record(record))),
                    });
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
    // Fields without a name are not asked for.
    out.retain(|field| !field.name.is_empty());
    out
}

/// The record of a page; none if nothing was found on it.
pub fn assemble(rule: &Landmarks, name: &str, events: Vec<Event>, page: &Arc<str>) -> Option<Record> {
    let field = |field: u32| rule.fields[field as usize].name.as_str();
    let list = |part: PartId| match &rule.parts[part as usize] {
        Part::List { name, .. } if !name.is_empty() => Some(name.as_str()),
        _ => None,
    };
    nest(name, events, page, field, list)
}
