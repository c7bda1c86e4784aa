//! Values of a list that are those of another field: where a record lacks a value, the text at its place is the next one.
//!
//! *Idea.* A column is judged as a whole, so one value in five may be another one, such as a price where the kind of a job was, and the column still fits best. Values that are
//! known as those of another field are taken out of it. So are those that are made otherwise, if the field was missing in some records before. What a record has
//! instead is not sought, unless one of its other texts is a known value of the field.
//!
//! *Input*: the blocks that were found. *Output*: the same without such values. *Cost*: a pass over the values of each field, and over the items of
//! the blocks that lose one.
//!
//! *Known failures*: other values that are made as those of the field are; two fields that have had values in common.

use super::Read;
use crate::blocks::Blocks;
use crate::evidence::Known;
use learn::guided::Wanted;
use wrapper::profile::Profile;

/// Takes the values of other fields out of each column.
pub(super) fn drop_foreign(read: &Read<'_>, wanted: &[Wanted], profile: &Profile, found: &mut Blocks) {
    let (known, looks) = (&read.known, &read.items.looks);
    let is_optional = |field: usize| profile.fields[field].records < profile.records;
    let single = || (0..known.len()).filter(|field| !wanted[*field].many);
    let mut lost: Vec<(usize, usize)> = Vec::new();
    for field in single() {
        let others: Vec<&Known<'_>> = known.iter().filter(|other| known[field].shares_none(other)).collect();
        let records = known[field].drop_foreign(&others, is_optional(field), looks, &mut found.fields[field].1);
        lost.extend(records.into_iter().map(|record| (field, record)));
    }
    if lost.is_empty() {
        return;
    }
    // What is no value of one field may be that of another one, which each record had.
    for field in single().filter(|field| !is_optional(*field)) {
        let column = &found.fields[field].1;
        lost.extend(
            (0..column.len())
                .filter(|record| column[*record].is_empty())
                .map(|record| (field, record)),
        );
    }
    lost.sort_unstable();
    lost.dedup();
    for (field, record) in lost {
        if let Some(item) = known_in(read, found, field, record) {
            for (_, column) in &mut found.fields {
                column[record].retain(|other| *other != item);
            }
            found.fields[field].1[record].push(item);
        }
    }
}

/// The item of a record that is a known value of a field, at the end of the same element as the other values of the field, if there is only one and it is no known value of a field that has it.
fn known_in(read: &Read<'_>, found: &Blocks, field: usize, record: usize) -> Option<usize> {
    let looks = &read.items.looks;
    let tag = |item: usize| &looks[item].sight.tag;
    let column = &found.fields[field].1;
    let is_known = |field: usize, item: usize| read.known[field].recurring(looks, std::iter::once(item)) > 0;
    let is_taken = |item: usize| {
        let mut others = found.fields.iter().enumerate();
        others.any(|(other, (_, column))| column[record].contains(&item) && is_known(other, item))
    };
    let inside = read.items.inside(found.blocks[record]);
    let mut like = inside.filter(|item| {
        is_known(field, *item) && !is_taken(*item) && column.iter().flatten().any(|other| tag(*other) == tag(*item))
    });
    let only = like.next()?;
    like.next().is_none().then_some(only)
}
