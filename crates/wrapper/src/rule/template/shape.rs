//! Records of templates: one for each page, with a nested record for each element of a set that has several fields.

use super::{Part, PartId, Template};
use crate::rule::Event;
use crate::rule::assemble::nest;
use record::{Field, Record, RecordType, merge};
use std::sync::Arc;

/// The type of the records that a template gives.
pub fn record_type(template: &Template, name: &str) -> RecordType {
    let mut all = fields(template, 0, false);
    for rows in template.own_rows() {
        let inner = rows
            .fields()
            .into_iter()
            .map(|field| template.fields[field as usize].as_str());
        let inner: Vec<Field> = inner.filter(|name| !name.is_empty()).map(Field::text).collect();
        if !inner.is_empty() {
            all.push(Field::records(&rows.name, merge(inner)));
        }
    }
    RecordType::new(name, merge(all))
}

/// The fields below a part; `many` if a record may have several values of each.
fn fields(template: &Template, part: PartId, many: bool) -> Vec<Field> {
    let part = &template.parts[part as usize];
    let text = |field: &u32, many: bool| {
        let name = template.fields[*field as usize].as_str();
        if many { Field::texts(name) } else { Field::text(name) }
    };
    let mut out: Vec<Field> = match part {
        Part::Basic(field) => field.iter().map(|field| text(field, many)).collect(),
        Part::Set { name, of, .. } if name.is_empty() => fields(template, *of, true),
        Part::Set { name, of, .. } => {
            let inner = merge(fields(template, *of, false));
            match inner.is_empty() {
                true => Vec::new(),
                false => vec![Field::records(name, inner)],
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
    // Fields without a name are not wanted.
    out.retain(|field| !field.name.is_empty());
    out
}

/// The record of a page, or `None` if nothing was found on it.
pub fn assemble(template: &Template, name: &str, events: Vec<Event>, page: &Arc<str>) -> Option<Record> {
    let field = |field: u32| template.fields[field as usize].as_str();
    let list = |list: u32| template.list_name(list);
    nest(name, events, page, field, list)
}
