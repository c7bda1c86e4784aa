//! The records of a template: one for each page, with a nested record for each element of a set that has several fields.

use super::{Part, PartId, Template};
use crate::record::nest;
use crate::rule::landmark::Event;
use crate::schema::{Field, Kind, Schema};
use record::Record;
use std::sync::Arc;

/// The schema of what a template gives.
pub fn schema(template: &Template, name: &str) -> Schema {
    Schema {
        name: name.to_owned(),
        fields: fields(template, 0, false),
    }
}

/// The fields below a part; `many` where a record may have several values of each.
fn fields(template: &Template, part: PartId, many: bool) -> Vec<Field> {
    let part = &template.parts[part as usize];
    let text = |field: &u32, many: bool| Field {
        name: template.fields[*field as usize].clone(),
        kind: if many {
            Kind::List(Box::new(Kind::Text))
        } else {
            Kind::Text
        },
    };
    let mut out: Vec<Field> = match part {
        Part::Basic(field) => field.iter().map(|field| text(field, many)).collect(),
        Part::Set { name, of, .. } if name.is_empty() => fields(template, *of, true),
        Part::Set { name, of, .. } => {
            let record = Schema {
                name: name.clone(),
                fields: fields(template, *of, false),
            };
            match record.fields.is_empty() {
                true => Vec::new(),
                false => vec![Field {
                    name: name.clone(),
                    kind: Kind::List(Box::new(Kind::Record(record))),
                }],
            }
        }
        Part::Optional(of) => fields(template, *of, many),
        Part::Either(parts) => parts.iter().flat_map(|part| fields(template, *part, many)).collect(),
        Part::Mixed { parts, rest, whole } => {
            let whole = whole.iter().map(|field| text(field, many));
            let rest = rest.iter().map(|field| text(field, true));
            whole
                .chain(rest)
                .chain(parts.iter().flat_map(|part| fields(template, *part, many)))
                .collect()
        }
        Part::Tuple { strings, parts, wholes } => {
            let mut out: Vec<Field> = wholes.iter().map(|whole| text(&whole.field, many)).collect();
            for (number, string) in strings.iter().enumerate() {
                let attributes = string.iter().flat_map(|mark| &mark.attributes);
                out.extend(attributes.map(|(_, field)| text(field, many)));
                if let Some(part) = parts.get(number) {
                    out.extend(fields(template, *part, many));
                }
            }
            out
        }
    };
    // Fields without a name are not asked for.
    out.retain(|field| !field.name.is_empty());
    out
}

/// The record of a page; none if nothing was found on it.
pub fn assemble(template: &Template, name: &str, events: Vec<Event>, page: &Arc<str>) -> Option<Record> {
    let field = |field: u32| template.fields[field as usize].as_str();
    let list = |part: PartId| match &template.parts[part as usize] {
        Part::Set { name, .. } if !name.is_empty() => Some(name.as_str()),
        _ => None,
    };
    nest(name, events, page, field, list)
}
