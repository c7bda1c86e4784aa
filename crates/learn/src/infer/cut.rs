//! Cuts the fields of a rule that tell least, so that there are never too many.
//!
//! **In**: a landmark rule and what it gives on its pages. **Out**: the same rule with at most [`MOST`] fields. A field with a label
//! tells most, because the page itself says what it is. Of the others a field tells more the
//! more pages have it, and of those that as many pages have, the more different values it has. A field of whole elements (a group) and
//! the field of all mentions of one datum stay with the fields that they are made of.
//!
//! Linear in the values. Encyclopedia-like pages, each with sections of its own, have hundreds of fields that one page in ten
//! has; nobody names them.

use std::cmp::Reverse;
use std::collections::HashSet;
use wrapper::rule::Event;
use wrapper::rule::landmark::{Landmarks, Part};

/// The most fields of a rule.
pub(super) const MOST: usize = 300;

/// Drops the fields that tell least, from a rule and from what it gives.
pub(super) fn cut(rule: &mut Landmarks, found: &mut [Vec<Event>]) {
    // Dropping a field may leave a group or a field of mentions, so it takes some rounds.
    let mut room = MOST;
    while rule.fields.len() > MOST && room > 0 {
        let kept = best(rule, found, room);
        drop_others(rule, found, &kept);
        // What is left is at most as many as had room, and those made of them: groups and mentions.
        room = room.saturating_sub(rule.fields.len().saturating_sub(MOST).max(1));
    }
}

/// Which fields are among the best.
fn best(rule: &Landmarks, found: &[Vec<Event>], room: usize) -> Vec<bool> {
    let mut pages = vec![0_usize; rule.fields.len()];
    let mut different: Vec<HashSet<&str>> = vec![HashSet::new(); rule.fields.len()];
    for events in found {
        let mut seen = vec![false; rule.fields.len()];
        for event in events {
            if let Event::Value { field, text, .. } = event {
                let field = *field as usize;
                pages[field] += usize::from(!std::mem::replace(&mut seen[field], true));
                different[field].insert(text);
            }
        }
    }
    let mut order: Vec<usize> = (0..rule.fields.len()).collect();
    let unlabelled = |field: usize| rule.fields[field].label.is_none();
    order.sort_by_key(|field| {
        let tells = (Reverse(pages[*field]), Reverse(different[*field].len()));
        (unlabelled(*field), tells, *field)
    });
    let mut kept = vec![false; rule.fields.len()];
    order.into_iter().take(room).for_each(|field| kept[field] = true);
    kept
}

fn drop_others(rule: &mut Landmarks, found: &mut [Vec<Event>], kept: &[bool]) {
    for part in &mut rule.parts {
        match part {
            Part::Field(field) if !kept[*field as usize] => *part = Part::Nothing,
            Part::Split { marks, failed, .. } => {
                *failed = failed.filter(|field| kept[*field as usize]);
                for mark in marks {
                    mark.attributes.retain(|(_, field)| kept[*field as usize]);
                }
            }
            _ => {}
        }
    }
    for (slot, _) in rule.fields.iter_mut().zip(kept).filter(|(_, kept)| !**kept) {
        slot.label = None;
    }
    let numbers = rule.prune();
    for events in found {
        events.retain_mut(|event| match event {
            Event::Value { field, .. } => match numbers[*field as usize] {
                Some(number) => {
                    *field = number;
                    true
                }
                None => false,
            },
            _ => true,
        });
    }
}
