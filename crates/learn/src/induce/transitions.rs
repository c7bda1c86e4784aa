//! Left delimiters by transition: the delimiter that leads from one field to another is learned separately from the one
//! that leads there from a third.
//!
//! Where fields are missing, or one value is shared by several records below it, the text before a value depends on
//! which field came before it. For example, a word follows its picture if there is one, or its sound if there is one,
//! or else is at the beginning of its cell. So each field has, for each field that was seen before it (or the beginning
//! of the page), a separate edge in one of the [`forms`](super::forms), learned from the gaps between the two alone. It
//! must be first found at the end of each such gap, and not in any other gap that begins after the same field. These
//! include the ends of pages, so that the run ends where nothing more is found. If that is impossible because something
//! like a record follows the last one, a tail is searched for: a piece that occurs in all ends of pages before anything
//! that looks like a record, and in no other gap.
//!
//! This puts the weakest constraints on delimiters, and each is learned from the fewest examples; so it is tried last.
//! A transition that never occurs in the examples is not searched for, with one exception: a field that begins a record
//! in one place may begin it after every other end of a record, and at the beginning of a page. So a first field that
//! may be missing may be missing from the first record, too. The rule is run on the examples before it is accepted.
//!
//! Cost: transitions × gaps after the same field × pieces tried, which [`forms`](super::forms) limits.

use super::extend::{Allow, NoForm, Table, reads_right};
use super::forms::{FORMS, Places, begin};
use super::gaps::{Gap, Gaps};
use super::prefer::{self, Prefer};
use crate::example::Example;
use crate::soft::{Reach, Reaches, moved};
use memchr::memmem;
use std::collections::BTreeSet;
use wrapper::rule::{Class, Delimiters, Edges, Left};

/// A rule by transitions; if `framed`, it may have a tail, and its class is then `class`.
pub(crate) fn by_transitions(
    class: Class,
    fields: usize,
    examples: &[Example<'_>],
    prefer: Prefer,
    allow: Allow,
    soft: bool,
) -> Result<Delimiters, NoForm> {
    let table = Table::new(fields, examples, prefer, allow, soft);
    if !class.is_nested() && !allow.missing {
        let late = |gap: &Gap<'_>| gap.to.is_some_and(|to| to > 0 && (gap.state == 0 || to < gap.state));
        let first = Gaps::new(fields, examples).gaps.iter().any(late);
        let lacks = |field: &usize| table.optional[*field] || (*field == 0 && first);
        if let Some(field) = (0..fields).find(lacks) {
            return Err(NoForm { field, left: true });
        }
    }
    // One delimiter for all transitions to a field has more examples than one for each transition.
    let wide = match class.is_nested() {
        true => Err(NoForm { field: 0, left: true }),
        false => attempt(class, &table, Sharing::Wide),
    };
    wide.or_else(|_| attempt(class, &table, Sharing::Seen))
        .or_else(|_| attempt(class, &table, Sharing::Not))
}

/// Which transitions to a field have the same delimiter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sharing {
    /// All that occur in the examples, and those that begin a record where another one does.
    Wide,
    /// All that occur in the examples.
    Seen,
    /// Each has its own.
    Not,
}

fn attempt(class: Class, table: &Table<'_, '_>, shared: Sharing) -> Result<Delimiters, NoForm> {
    let (fields, examples) = (table.fields, table.examples);
    let mut reaches = vec![Reaches::default(); fields];
    let mut edges = Vec::new();
    for (field, reaches) in reaches.iter_mut().enumerate() {
        let (reach, both) = both(table, field, class.has_head(), shared)?;
        *reaches = reach;
        edges.push(both);
    }
    let mut rule = Delimiters {
        class,
        head: class.has_head().then(String::new),
        tail: None,
        open: None,
        close: None,
        loose: false,
        fields: edges,
    };
    if class.has_head() {
        let gaps = Gaps::new(fields, &moved(examples, &reaches));
        rule.tail = Some(tail(&gaps, &rule).ok_or(NoForm { field: 0, left: true })?);
    }
    match examples.iter().all(|example| reads_right(&rule, example)) {
        true => Ok(rule),
        false => Err(NoForm { field: 0, left: true }),
    }
}

/// Both edges of a field: the simplest pair.
fn both(table: &Table<'_, '_>, field: usize, framed: bool, shared: Sharing) -> Result<(Reaches, Edges), NoForm> {
    let mut best: Option<(usize, Reaches, Edges)> = None;
    let mut failed = NoForm { field, left: true };
    for reach in table.reaches(field) {
        let Some((cost, left)) = lefts(table, field, *reach, framed, shared) else {
            continue;
        };
        failed.left = false;
        let Some((right_reach, right)) = table.right(field, *reach) else {
            continue;
        };
        let cost = cost + right.len() - 1;
        if best.as_ref().is_none_or(|(most, ..)| cost < *most) {
            let edges = Edges {
                left,
                right,
                optional: table.optional[field],
            };
            let reaches = Reaches {
                left: *reach,
                right: right_reach,
            };
            best = Some((cost, reaches, edges));
        }
    }
    best.map(|(_, reaches, edges)| (reaches, edges)).ok_or(failed)
}

/// The left delimiters of a field for each field that was seen before it, and their distance from the simplest form.
fn lefts(
    table: &Table<'_, '_>,
    field: usize,
    reach: Reach,
    framed: bool,
    shared: Sharing,
) -> Option<(usize, Vec<Left>)> {
    let reaches = Reaches {
        left: reach,
        ..Reaches::default()
    };
    let gaps = table.gaps(field, reaches);
    let states: BTreeSet<usize> = gaps
        .gaps
        .iter()
        .filter(|gap| gap.to == Some(field))
        .map(|gap| gap.state)
        .collect();
    let with = |state: usize, left: Left| Left {
        from: Some(state as u32),
        ..left
    };
    let mut reached = states.clone();
    if shared == Sharing::Wide {
        reached.extend(record_ends(&gaps, field));
    }
    if shared != Sharing::Not
        && reached.len() > 1
        && let Some((form, found)) = from_states(table, &gaps, field, &states, framed)
    {
        let all = reached
            .iter()
            .flat_map(|state| found.iter().map(|left| with(*state, left.clone())));
        return Some((form, all.collect()));
    }
    let (mut cost, mut all) = (0, Vec::new());
    for state in states {
        let (form, found) = from_states(table, &gaps, field, &BTreeSet::from([state]), framed)?;
        cost += form;
        all.extend(found.into_iter().map(|left| with(state, left)));
    }
    Some((cost, all))
}

/// The states in which a record may begin, if it may begin with the field.
fn record_ends(gaps: &Gaps<'_>, field: usize) -> BTreeSet<usize> {
    let begins = |gap: &&Gap<'_>| gap.to.is_some_and(|to| gap.state == 0 || to < gap.state);
    match gaps.gaps.iter().filter(begins).any(|gap| gap.to == Some(field)) {
        true => gaps
            .gaps
            .iter()
            .filter(begins)
            .map(|gap| gap.state)
            .chain([0])
            .collect(),
        false => BTreeSet::new(),
    }
}

/// The simplest left delimiters that lead to a field from any of some others.
fn from_states(
    table: &Table<'_, '_>,
    gaps: &Gaps<'_>,
    field: usize,
    states: &BTreeSet<usize>,
    framed: bool,
) -> Option<(usize, Vec<Left>)> {
    // Strict first: found in no gap that leads elsewhere. Otherwise it may be found where another delimiter comes
    // first.
    for strict in [true, false] {
        let here = |gap: &&Gap<'_>| states.contains(&gap.state);
        let (to, mut past): (Vec<&Gap<'_>>, Vec<&Gap<'_>>) =
            gaps.gaps.iter().filter(here).partition(|gap| gap.to == Some(field));
        past.retain(|gap| if gap.to.is_none() { !framed } else { strict });
        let places = Places { to, past };
        if let Some((form, found)) = places.simplest(table.prefer, table.allow, FORMS) {
            return Some((form + if strict { 0 } else { FORMS }, found));
        }
    }
    None
}

/// A tail: in all ends of pages before anything that the rule would take for a value, and in no other gap.
fn tail(gaps: &Gaps<'_>, rule: &Delimiters) -> Option<String> {
    let ends: Vec<&Gap<'_>> = gaps.gaps.iter().filter(|gap| gap.to.is_none()).collect();
    let shortest = ends.iter().map(|gap| gap.text).min_by_key(|text| text.len())?;
    let hit = |gap: &Gap<'_>| {
        let from = |left: &&Left| left.from == Some(gap.state as u32);
        let lefts = rule.fields.iter().flat_map(|edges| &edges.left).filter(from);
        let starts = lefts.filter_map(|left| {
            let end = begin(gap.text, std::slice::from_ref(left))?;
            Some(end - left.text.len())
        });
        starts.min().unwrap_or(gap.text.len())
    };
    let limits: Vec<usize> = ends.iter().map(|gap| hit(gap)).collect();
    let good = |piece: &&str| {
        let finder = memmem::Finder::new(piece);
        ends.iter()
            .zip(&limits)
            .all(|(gap, limit)| finder.find(gap.text.as_bytes()).is_some_and(|at| at <= *limit))
            && gaps
                .gaps
                .iter()
                .all(|gap| gap.to.is_none() || finder.find(gap.text.as_bytes()).is_none())
    };
    const MOST_PIECES: usize = 300;
    let pieces = prefer::pieces(shortest).into_iter().take(MOST_PIECES);
    pieces.into_iter().find(good).map(str::to_owned)
}
