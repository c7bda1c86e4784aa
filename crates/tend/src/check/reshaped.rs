//! Two fields of numbers that are written as those of the other one were: a sign that they changed places, though no record recurs.
//!
//! *Idea.* Of two numbers of a record, one may always have three digits, and the other one two or three; or one may have a part, as `1.5`, and the other one not. So each way of
//! writing says how much more likely a value is one of the other field than one of its own (a likelihood ratio, by the known values and half a
//! value more for each way). The ratios of all values are multiplied, as often as there are independent values ([`units`]). Both fields must be at least [`ODDS`] times as likely
//! to be the other one. One of the two may change for many reasons; that both do, each to what the other one was, is an exchange.
//!
//! *A list that is sorted* looks like this on its later pages, where teams have lost more and won less. But there other numbers are lower or higher, too. So nothing is said
//! if those of a third field are.
//!
//! *Cost*: the ways of writing of each pair of fields. *Known failures*: numbers that are written in the same ways; words around them that tell whose they are, and stayed.

use super::chance::units;
use super::questions::{Answer, Sides};
use std::collections::BTreeSet;
use wrapper::profile::{FieldProfile, number};

/// How many times as likely the values of each field must be those of the other one.
const ODDS: f64 = 20.0;
/// Values before, and now, that tell how a field is written.
const ENOUGH: (u64, u64) = (10, 5);
/// What is added to the number of values that are written in a way: something else may be, now and then.
const PRIOR: f64 = 0.5;

/// Are the numbers of two fields written as those of the other one were?
pub(super) fn reshaped(sides: Sides<'_>, names: &[&str]) -> Option<Answer> {
    let count = sides.known.fields.len().min(sides.now.fields.len());
    let mut others = (0..count).filter(|other| *other != sides.field);
    let (other, odds) = others.find_map(|field| {
        let other = Sides { field, ..sides };
        let (one, two) = (log_odds(sides, other)?, log_odds(other, sides)?);
        let are_odd = one >= ODDS.ln() && two >= ODDS.ln() && !are_elsewhere(sides, field);
        are_odd.then_some((field, one + two))
    })?;
    let name = names.get(other).copied().unwrap_or_default();
    Answer::new(
        (-odds).exp(),
        format!("its numbers are written as those of {name} were, and those of {name} as these were"),
    )
}

/// The logarithm of how many times as likely the values of a field are those of another one as its own; nothing if they are not numbers, or too few.
fn log_odds(sides: Sides<'_>, other: Sides<'_>) -> Option<f64> {
    let (was, theirs, is) = (sides.was(), other.was(), sides.is());
    let is_enough = was.count >= ENOUGH.0 && theirs.count >= ENOUGH.0 && is.count >= ENOUGH.1;
    if !is_enough || ![was, theirs, is].into_iter().all(are_numbers) {
        return None;
    }
    let ways: BTreeSet<&String> = [was, theirs, is].iter().flat_map(|field| field.shapes.keys()).collect();
    let share = |field: &FieldProfile, way: &String| {
        let values = field.shapes.get(way).copied().unwrap_or(0) as f64;
        let all: u64 = super::questions::total(field.shapes.values());
        (values + PRIOR) / (all as f64 + PRIOR * ways.len() as f64)
    };
    let each = is.shapes.iter();
    let sum: f64 = each
        .map(|(way, times)| *times as f64 * (share(theirs, way) / share(was, way)).ln())
        .sum();
    Some(sum * units(is.count as f64, sides.now.pages as f64) / is.count as f64)
}

/// Have all values digits?
fn are_numbers(field: &FieldProfile) -> bool {
    field.attributes == 0 && field.shapes.keys().all(|shape| shape.contains('0'))
}

/// Different numbers that tell where most of a field are, and the share of them that is on the other side of the middle of the known ones if they are elsewhere.
const NUMBERS: usize = 8;
const ASIDE: f64 = 0.75;

/// Are the numbers of a third field mostly higher, or mostly lower, than they were?
fn are_elsewhere(sides: Sides<'_>, other: usize) -> bool {
    let numbers = |field: &FieldProfile| -> Vec<f64> { field.samples.iter().filter_map(|text| number(text)).collect() };
    let count = sides.known.fields.len().min(sides.now.fields.len());
    let mut third = (0..count).filter(|field| *field != sides.field && *field != other);
    third.any(|field| {
        let of = Sides { field, ..sides };
        if !are_numbers(of.was()) || !are_numbers(of.is()) {
            return false;
        }
        let (mut before, after) = (numbers(of.was()), numbers(of.is()));
        if before.len() < NUMBERS || after.len() < NUMBERS {
            return false;
        }
        before.sort_by(f64::total_cmp);
        let middle = before[before.len() / 2];
        let above = after.iter().filter(|number| **number > middle).count() as f64 / after.len() as f64;
        let below = after.iter().filter(|number| **number < middle).count() as f64 / after.len() as f64;
        above >= ASIDE || below >= ASIDE
    })
}
