//! Fields that the last repair left out, as a repair seeks them again.
//!
//! A repair leaves out what it does not surely find. The rule then has no way to such a field, and an inferred rule has no place for it, so
//! the profiles of the new wrapper know nothing of it. What was known is kept with the [`Doubt`](wrapper::Doubt). Here it is put
//! back, so that the field comes back when a later page has it.
//!
//! *Input*: a wrapper. *Output*: the same wrapper, whose record type has the fields that were left out, and whose profiles know them. The
//! numbers of a profile are scaled to the records that its table has now, so that shares stay what they were.
//!
//! *Known failure*: if an inferred rule lost a whole kind of inner records, there is no table to put its fields back to; they are told only.

use record::{Content, Field, RecordType};
use std::borrow::Cow;
use std::collections::BTreeMap;
use wrapper::profile::{FieldProfile, Profile};
use wrapper::{Doubt, Wrapper};

/// The wrapper with what it knew of fields that were left out.
pub(crate) fn restored(wrapper: &Wrapper) -> Cow<'_, Wrapper> {
    let lost = |doubt: &&Doubt| doubt.left_out && doubt.known.is_some();
    let lost: Vec<&Doubt> = wrapper.evidence.doubts.iter().filter(lost).collect();
    if lost.is_empty() || !wrapper.is_known() {
        return Cow::Borrowed(wrapper);
    }
    let mut restored = wrapper.clone();
    let names = names(&wrapper.record_type);
    for doubt in &lost {
        if !names.iter().flatten().any(|name| *name == doubt.field) {
            add(&mut restored.record_type, doubt);
        }
        // Only fields that were shown are in doubt.
        if let Some(shown) = restored.shown.as_mut().filter(|shown| !shown.contains(&doubt.field)) {
            shown.push(doubt.field.clone());
        }
    }
    let profiles = std::mem::take(&mut restored.evidence.profiles);
    let tables = self::names(&restored.record_type);
    for ((new, old), profile) in tables.iter().zip(&names).zip(profiles) {
        let field = |name: &String| {
            let known = old.iter().position(|other| other == name).map(|at| &profile.fields[at]);
            let doubt = lost.iter().find(|doubt| doubt.field == *name);
            match (known.filter(|known| known.count > 0), doubt) {
                (None, Some(doubt)) => scaled(doubt, &profile),
                _ => known.cloned().unwrap_or_default(),
            }
        };
        let fields = new.iter().map(field).collect();
        restored.evidence.profiles.push(Profile { fields, ..profile });
    }
    Cow::Owned(restored)
}

/// The names of the columns of each table, with those of the records around them.
fn names(of: &RecordType) -> Vec<Vec<String>> {
    let tables = of.tables();
    let table = |table: &record::Table| {
        let name = |column: &record::Column| {
            let path = table.path.iter().chain(&column.path).map(String::as_str);
            path.collect::<Vec<_>>().join(".")
        };
        table.columns.iter().map(name).collect()
    };
    tables.iter().map(table).collect()
}

/// Adds a field to the record that it was in, if that is there.
fn add(to: &mut RecordType, doubt: &Doubt) {
    let (around, name) = doubt.field.rsplit_once('.').unwrap_or(("", &doubt.field));
    let mut content = &mut to.content;
    for part in around.split('.').filter(|part| !part.is_empty()) {
        let Content::Record(fields) = content else { return };
        let Some(field) = fields.iter_mut().find(|field| field.name == part) else {
            return;
        };
        content = &mut field.content;
    }
    let Content::Record(fields) = content else { return };
    let is_many = doubt.known.as_ref().is_some_and(|known| known.count > known.records);
    fields.push(match is_many {
        true => Field::texts(name),
        false => Field::text(name),
    });
}

/// What was known of a field, as it would be of the records of a table.
fn scaled(doubt: &Doubt, to: &Profile) -> FieldProfile {
    let Some(known) = &doubt.known else {
        return FieldProfile::default();
    };
    let factor = to.records as f64 * doubt.usual / known.records.max(1) as f64;
    let scale = |number: u64| match number {
        0 => 0,
        number => ((number as f64 * factor).round() as u64).max(1),
    };
    fn each<K: Ord + Clone>(counts: &BTreeMap<K, u64>, scale: impl Fn(u64) -> u64) -> BTreeMap<K, u64> {
        let scaled = counts.iter().map(|(key, count)| (key.clone(), scale(*count)));
        scaled.collect()
    }
    let mut field = (**known).clone();
    field.count = scale(known.count);
    field.records = scale(known.records).min(to.records);
    (field.links, field.attributes) = (scale(known.links), scale(known.attributes));
    field.per_page = each(&known.per_page, scale);
    for counts in [&mut field.labels, &mut field.shapes, &mut field.tags, &mut field.names] {
        *counts = each(counts, scale);
    }
    field.lengths = each(&known.lengths, scale);
    field.length.1 = scale(known.length.1);
    field.numbers.0 = scale(known.numbers.0);
    field.peers = (scale(known.peers.0), scale(known.peers.1));
    field
}
