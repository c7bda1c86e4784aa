//! The check of a template on the pages that it was inferred from.
//!
//! A class may be in the template because of a few pages on which another part of the template then takes its text. A
//! field that has no value on any page promises something that nobody gets, so it is dropped: its text stays a place
//! where the template has text, without a name. One reading of each page.

use page::Page;
use wrapper::rule::Event;
use wrapper::rule::template::{Mark, Part, Run, Template};

/// Drops the fields that have no value on any page; returns how many there were.
pub(crate) fn drop_empty(pages: &[&Page], template: &mut Template) -> usize {
    let mut filled = vec![false; template.fields.len()];
    let run = Run::new(template);
    for page in pages {
        for event in run.page(page).0 {
            if let Event::Value { field, .. } = event {
                filled[field as usize] = true;
            }
        }
    }
    let mut new: Vec<Option<u32>> = Vec::with_capacity(filled.len());
    let mut count = 0;
    for filled in &filled {
        new.push(filled.then_some(count));
        count += u32::from(*filled);
    }
    let dropped = filled.len() - count as usize;
    if dropped == 0 {
        return 0;
    }
    let number = |field: u32| new[field as usize];
    let renumber = |field: &mut u32| match number(*field) {
        Some(new) => {
            *field = new;
            true
        }
        None => false,
    };
    let in_marks = |marks: &mut Vec<Mark>| {
        for mark in marks {
            mark.attributes.retain_mut(|(_, field)| renumber(field));
        }
    };
    for part in &mut template.parts {
        match part {
            Part::Basic(field) => *field = field.and_then(number),
            Part::Tuple { strings, wholes, .. } => {
                strings.iter_mut().for_each(in_marks);
                wholes.retain_mut(|whole| renumber(&mut whole.field));
            }
            Part::Set { separator, .. } => in_marks(separator),
            Part::Mixed { rest, whole, .. } => {
                *rest = rest.and_then(number);
                *whole = whole.and_then(number);
            }
            Part::Optional(_) | Part::Either(_) => {}
        }
    }
    for rows in &mut template.rows {
        rows.wholes.retain_mut(|whole| renumber(&mut whole.field));
        rows.heading = rows.heading.take().filter(|heading| filled[heading.field as usize]);
        if let Some(heading) = &mut rows.heading {
            renumber(&mut heading.field);
        }
        for cell in &mut rows.cells {
            cell.field = cell.field.and_then(number);
            cell.attributes.retain_mut(|(_, _, field)| renumber(field));
            // The parts of a text fill together.
            cell.split = cell
                .split
                .take()
                .filter(|split| split.fields.iter().all(|field| filled[*field as usize]));
            let fields = cell.split.iter_mut().flat_map(|split| split.fields.iter_mut());
            for field in fields {
                renumber(field);
            }
        }
    }
    let mut at = 0;
    template.fields.retain(|_| {
        at += 1;
        filled[at - 1]
    });
    dropped
}
