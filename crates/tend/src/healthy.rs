//! Fields that a repair does not touch, because the old rule still gives them.
//!
//! A redesign often changes one field: a label gets other words, or a column is dropped. Then the paths of all other fields are as good as they
//! were, and to look for their values again can only make them worse. [`healthy`] says which fields these are. The judge is the one of `check`: a
//! field that has a reason to be doubted is not healthy. But on few pages a check has no reason to doubt much, so more is asked of a field that stays:
//!
//! 1. It has *words of its own*: its values follow the label that they followed, or the links still say "Agenda"; or half of its values are known.
//! 2. A field without any of this stays if no other such field, and no broken one, could be taken for it: if `check` would be surprised to find its values
//!    in each of these. What could as well be the value of a field that is gone has perhaps moved up to its place, and two names may have changed places.
//!
//! A list of which nothing is broken stays as it is if anything else is. Of others, at least half of the fields must be healthy, one of them by words of its own, and
//! pages must have about as many records as before. Else the records themselves are in doubt, and all is sought.
//!
//! The values of these fields are *taken*: no other field is put there. Their rows also say where the records are ([`blocks`]), so that the
//! broken fields are sought inside of these only.

use crate::blocks::Block;
use crate::check::{check, written_so};
use crate::columns::Items;
use crate::compare::{Report, TableReport};
use crate::evidence::{Look, common_label, has_digits, has_words, said, telling_kinds};
use crate::weights;
use learn::guided::wanted;
use record::values::Kind;
use record::{Row, Rows, Table};
use std::collections::{BTreeMap, HashSet};
use wrapper::profile::{FieldProfile, Profile};
use wrapper::rule::paths::{Paths, tidy};

/// The fields of a table that the old rule still gives, and all that it gives.
#[derive(Clone, Debug)]
pub(crate) struct Healthy {
    /// For each field, is it healthy?
    pub(crate) keeps: Vec<bool>,
    /// For each page, the rows that the old rule gives; fields that are not healthy have no values.
    pub(crate) rows: Vec<Vec<Row>>,
}

impl Healthy {
    /// The same for one page.
    pub(crate) fn on(&self, page: usize) -> Fixed<'_> {
        Fixed {
            keeps: &self.keeps,
            rows: &self.rows[page],
        }
    }
}

/// What is known of the records of a page: the fields that stay, and the rows with their values.
#[derive(Clone, Copy)]
pub(crate) struct Fixed<'a> {
    pub(crate) keeps: &'a [bool],
    pub(crate) rows: &'a [Row],
}

/// For each table, what the old rule still gives, if its records are as they were; `given` has the rows of each page.
pub(crate) fn healthy(report: &Report, given: &[Rows], listed: &[bool]) -> Vec<Option<Healthy>> {
    let is_changed = report.tables.iter().any(is_changed);
    let of = |(number, table): (usize, &TableReport)| {
        let rows: Vec<Vec<Row>> = given.iter().map(|rows| rows[number].clone()).collect();
        if rows.iter().any(Vec::is_empty) {
            return None;
        }
        if !is_changed {
            return None;
        }
        let keeps = fields(table, listed[number])?;
        let kept = |row: Row| -> Row {
            let cells = row.into_iter().zip(&keeps);
            let cells = cells.map(|(values, keeps)| match keeps {
                true => values.iter().map(|text| tidy(text)).collect(),
                false => Vec::new(),
            });
            cells.collect()
        };
        let rows = rows.into_iter().map(|rows| rows.into_iter().map(kept).collect());
        let rows = rows.collect();
        Some(Healthy { keeps, rows })
    };
    report.tables.iter().enumerate().map(of).collect()
}

/// Has a check reasons to doubt a table, or a field of it?
fn is_changed(table: &TableReport) -> bool {
    let mut fields = table.alarm.fields.iter().zip(&table.known.fields);
    !table.alarm.reasons.is_empty() || fields.any(|(health, known)| known.count > 0 && !health.reasons.is_empty())
}

/// Does the old rule still give each field of each table, as far as a check can tell, though something is wrong with the records themselves, such as their number?
pub(crate) fn is_all_healthy(report: &Report) -> bool {
    let is_given = |table: &TableReport| {
        let mut fields = table
            .known
            .fields
            .iter()
            .zip(&table.now.fields)
            .zip(&table.alarm.fields);
        fields.all(|((known, now), health)| known.count == 0 || now.count > 0 && health.reasons.is_empty())
    };
    let is_doubted = |table: &TableReport| !table.alarm.reasons.is_empty();
    report.tables.iter().any(is_doubted) && report.tables.iter().all(is_given)
}

/// If a page has less than this share of the fewest records that a page had, some of its records may have a new template.
pub(crate) const FEWER: f64 = 0.75;

/// Which fields of a table are healthy; nothing if too few are.
fn fields(table: &TableReport, listed: bool) -> Option<Vec<bool>> {
    let TableReport { known, now, alarm, .. } = table;
    let is_shorter = (now.per_page.0 as f64) < FEWER * known.per_page.0 as f64;
    if now.records == 0 || is_shorter || !alarm.reasons.is_empty() {
        return None;
    }
    let wanted = wanted(&table.table);
    let count = known.fields.len().min(now.fields.len()).min(alarm.fields.len());
    let is_known = |field: &usize| known.fields[*field].count > 0;
    let is_doubted = |field: &usize| !alarm.fields[*field].reasons.is_empty();
    let broken: Vec<usize> = (0..count).filter(is_known).filter(is_doubted).collect();
    let sound: Vec<usize> = (0..count)
        .filter(is_known)
        .filter(|field| !is_doubted(field) && is_as_before(&known.fields[*field], &now.fields[*field]))
        .collect();
    let own: Vec<usize> = sound
        .iter()
        .copied()
        .filter(|field| has_own_words(known, now, *field, &broken, listed))
        .collect();
    let suits = |field: usize, other: usize| {
        let alone = |profile: &Profile, field: usize| Profile {
            fields: vec![profile.fields[field].clone()],
            ..profile.clone()
        };
        let alarm = check(&wanted[other..=other], &alone(known, other), &alone(now, field));
        alarm.fields.iter().all(|health| health.reasons.is_empty())
    };
    // Fields that nothing but their place tells: two of them of the same make may have changed places.
    let untold = |other: &&usize| !own.contains(other);
    let others: Vec<usize> = broken.iter().chain(sound.iter().filter(untold)).copied().collect();
    let lost_label = |field: usize| known.fields[field].label().is_some() && listed;
    // In a list of which nothing is broken, no value has another field's place to move to.
    let all = (0..count).filter(is_known).count();
    let is_whole = broken.is_empty() && sound.len() == all;
    let is_apart =
        |field: usize| !lost_label(field) && !others.iter().any(|other| *other != field && suits(field, *other));
    let keeps: Vec<bool> = (0..count)
        .map(|field| own.contains(&field) || sound.contains(&field) && listed && (is_whole || is_apart(field)))
        .collect();
    let healthy = keeps.iter().filter(|keeps| **keeps).count();
    ((is_whole || !own.is_empty()) && healthy * 2 >= all).then_some(keeps)
}

/// Are there values, of the same kind as before and no other one, with digits and words if all had them, mostly written as before, without a
/// new label in each, and about as different from each other? A heading above a column says nothing if the cells below it have changed places.
fn is_as_before(was: &FieldProfile, is: &FieldProfile) -> bool {
    let count = |field: &FieldProfile| -> BTreeMap<Kind, usize> {
        let mut counts = BTreeMap::new();
        for kind in field
            .samples
            .iter()
            .flat_map(|text| telling_kinds(text).iter().collect::<Vec<_>>())
        {
            *counts.entry(kind).or_default() += 1;
        }
        counts
    };
    let (before, after) = (count(was), count(is));
    let mostly = |counts: &BTreeMap<Kind, usize>, kind: &Kind, of: &FieldProfile| {
        counts.get(kind).copied().unwrap_or(0) as f64 >= weights::MOSTLY_KIND * of.samples.len() as f64
    };
    let mut kinds = before.keys().filter(|kind| mostly(&before, kind, was)).peekable();
    let same_kind = kinds.peek().is_none() || kinds.any(|kind| mostly(&after, kind, is));
    let label = common_label(&is.samples);
    let is_new = |kind: &Kind| mostly(&after, kind, is) && !before.contains_key(kind);
    let same_kind = same_kind && !after.keys().any(is_new);
    let share = |field: &FieldProfile, has: fn(&str) -> bool| {
        field.samples.iter().filter(|text| has(text)).count() as f64 / field.samples.len().max(1) as f64
    };
    let same_signs = [has_digits, has_words].into_iter().all(|has| {
        let (before, after) = (share(was, has), share(is, has));
        before > 0.0 && before < 1.0 || (before - after).abs() < 0.5
    });
    let same_form = written_so(was, is) >= SAME_FORM;
    let same_label = label.is_none() || label == common_label(&was.samples);
    let is_kindless = !before.keys().any(|kind| mostly(&before, kind, was));
    let same_variety = !(is_kindless && says_few_things(was, is));
    is.count > 0 && same_kind && same_signs && same_form && same_label && same_variety
}

/// Were the values mostly different from each other, and are there few different ones now? Then it is a column of categories. The more values, the more are
/// repeated, that number of more values than before say nothing.
fn says_few_things(was: &FieldProfile, is: &FieldProfile) -> bool {
    let varied = |field: &FieldProfile| field.different as f64 / field.count.max(1) as f64;
    is.count >= weights::REPEATED as u64
        && is.count <= was.count.saturating_mul(2)
        && varied(was) >= weights::LASTING.1
        && varied(is) <= varied(was) * weights::FEW
}

/// The share of the values that must be known or written as before. New titles are now and then written in a way of their own.
const SAME_FORM: f64 = 0.75;
/// The share of the values that must have the words that they had, of as many as had them.
const SAME_WORDS: f64 = 0.8;

/// Do the values of a field follow the label that they followed, or have its links the words that they had, or are half of its values known?
fn has_own_words(known: &Profile, now: &Profile, field: usize, broken: &[usize], listed: bool) -> bool {
    let (was, is) = (&known.fields[field], &now.fields[field]);
    let share = |counts: &BTreeMap<String, u64>, word: &str, of: &FieldProfile| {
        counts.get(word).copied().unwrap_or(0) as f64 / of.count.max(1) as f64
    };
    let keeps = |before: &BTreeMap<String, u64>, after: &BTreeMap<String, u64>, word: &str| {
        share(after, word, is) >= SAME_WORDS * share(before, word, was)
    };
    // Where a page is one record, other words may be before a value on all pages by chance, such as the last ones of a menu.
    let label = was.label().filter(|label| listed || label.trim_end().ends_with(':'));
    let is_its_own = |label: &&str| broken.iter().all(|other| known.fields[*other].label() != Some(*label));
    let labelled = label
        .filter(is_its_own)
        .is_some_and(|label| keeps(&was.labels, &is.labels, label));
    let says = said(was).iter().any(|word| keeps(&was.names, &is.names, word));
    labelled || says || is_familiar(was, is)
}

/// Are at least half of the values known, and were they different from each other?
fn is_familiar(was: &FieldProfile, is: &FieldProfile) -> bool {
    let known: HashSet<&str> = was.samples.iter().map(String::as_str).collect();
    let recurring = is.samples.iter().filter(|text| known.contains(text.as_str())).count();
    let varies = was.different as f64 > was.count as f64 * weights::LASTING.1;
    varies && is.samples.len() >= weights::LASTING.0 && recurring as f64 >= weights::KNOWN * is.samples.len() as f64
}

/// The blocks of one of some sets that are the records with these rows: one block for each row, in their order. Sets may have a few others, such as a
/// row of headings.
pub(crate) fn blocks(items: &Items, sets: &[Vec<Block>], rows: &[Row]) -> Option<Vec<Block>> {
    let found = sets.iter().filter_map(|set| {
        let mut spare = set.len().checked_sub(rows.len()).filter(|spare| *spare <= rows.len())?;
        let mut blocks = set.iter();
        let mut found = Vec::with_capacity(rows.len());
        for row in rows {
            loop {
                let block = *blocks.next()?;
                if says_all(items, block, row) {
                    found.push(block);
                    break;
                }
                spare = spare.checked_sub(1)?;
            }
        }
        Some(found)
    });
    // The largest element that has one record has all of it.
    found.max_by_key(|blocks| blocks.iter().map(|block| u64::from(block.1.0 - block.0.0)).sum::<u64>())
}

/// Does a block say all values of a row?
fn says_all(items: &Items, block: Block, row: &Row) -> bool {
    let looks = items.within(block);
    let is_said = |value: &String| {
        looks
            .iter()
            .any(|look| look.sight.text == *value || !look.sight.attribute && look.sight.text.contains(value))
    };
    row.iter().flatten().all(is_said)
}

/// A rule with the old paths to all that is healthy, and the new ones to the rest.
pub(crate) fn with_old_paths(old: &Paths, new: &Paths, tables: &[Table], healthy: &[Option<Healthy>]) -> Paths {
    let mut rule = new.clone();
    for (number, kept) in healthy.iter().enumerate() {
        let Some(kept) = kept else { continue };
        let (Some(old), Some(rule)) = (part(old, tables, number), part_mut(&mut rule, tables, number)) else {
            continue;
        };
        rule.each.clone_from(&old.each);
        let fields = rule.fields.iter_mut().zip(&old.fields).zip(&kept.keeps);
        for ((field, old), _) in fields.filter(|(_, keeps)| **keeps) {
            field.ways.clone_from(&old.ways);
        }
    }
    rule
}

/// The old rule without the paths to what is not healthy.
pub(crate) fn only_old_paths(old: &Paths, tables: &[Table], healthy: &[Option<Healthy>]) -> Paths {
    let mut rule = old.clone();
    for (number, kept) in healthy.iter().enumerate() {
        let Some(rule) = part_mut(&mut rule, tables, number) else {
            continue;
        };
        for (column, field) in rule.fields.iter_mut().enumerate() {
            if !kept.as_ref().is_some_and(|kept| kept.keeps[column]) {
                field.ways.clear();
            }
        }
    }
    rule
}

/// The numbers of the inner rules that lead to the rule of a table.
fn way_to(tables: &[Table], number: usize) -> Vec<usize> {
    let mut way = Vec::new();
    let mut at = number;
    while let Some(parent) = tables[at].parent {
        way.push(tables[..at].iter().filter(|other| other.parent == Some(parent)).count());
        at = parent;
    }
    way.reverse();
    way
}

fn part<'r>(rule: &'r Paths, tables: &[Table], number: usize) -> Option<&'r Paths> {
    way_to(tables, number)
        .into_iter()
        .try_fold(rule, |rule, at| rule.inner.get(at))
}

/// The part of a rule that is for a table.
pub(crate) fn part_mut<'r>(rule: &'r mut Paths, tables: &[Table], number: usize) -> Option<&'r mut Paths> {
    way_to(tables, number)
        .into_iter()
        .try_fold(rule, |rule, at| rule.inner.get_mut(at))
}

/// Is a text, in most records, the value of a healthy field, or does it have that value in it? `was_within` says whether values of the field that it is
/// offered to were parts of those of another field, or the other way round.
pub(crate) fn is_taken(
    looks: &[Look],
    column: &[Vec<usize>],
    fixed: Fixed<'_>,
    was_within: &dyn Fn(usize) -> bool,
) -> bool {
    let Fixed { keeps, rows } = fixed;
    let fields = keeps
        .iter()
        .enumerate()
        .filter(|(field, keeps)| **keeps && !was_within(*field));
    fields.map(|(field, _)| field).any(|field| {
        let pairs = column
            .iter()
            .zip(rows)
            .filter_map(|(items, row)| Some((*items.first()?, row[field].first()?)));
        let (mut taken, mut all) = (0, 0);
        for (item, value) in pairs {
            let sight = &looks[item].sight;
            let holds = |whole: &str, part: &str| part.chars().count() > SHORT && whole.contains(part);
            let shares = !sight.attribute && (holds(&sight.text, value) || holds(value, &sight.text));
            all += 1;
            taken += usize::from(sight.text == *value || shares);
        }
        taken * 2 > all
    })
}

/// Shorter texts are in others by chance.
const SHORT: usize = 3;
