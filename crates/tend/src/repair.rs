//! A new rule for a wrapper whose pages have changed.
//!
//! **In**: the wrapper, with what it keeps of its values, and changed pages, one at least. **Out**: a wrapper of the same
//! records for these pages, and how sure each field is.
//!
//! The values are recovered first (see `recover`), table by table. What was found are examples, and the wrapper's own learner
//! makes a rule of them: paths are learned again, delimiters too. Landmarks and templates come from pages without examples, so
//! they are inferred again, and each of their fields takes the name of the old field whose recovered values it gives; what
//! nobody asked for has no name and is not given. Of an OXPath the navigation stays and the extraction is written anew.
//!
//! The type of an OXPath wrapper is derived from its expression, without a look at any page, and a template may have a place for several values where every page
//! has one. So a field may be typed as `Many` although every record has exactly one value. To search for a list where there is a single value finds worse places, so
//! such a field counts as single while values are recovered and paths are learned, if no record was ever seen with two. The
//! repaired wrapper keeps the type that it had.
//!
//! In the middle of a redesign some pages are as before. Values are sought on the others only. Then the paths of both rules are
//! joined, so that one wrapper reads both templates. Landmarks, templates and delimiters cannot be joined: paths are learned instead, from what the old rule gives and
//! from what was found. If the joined rule gives wrong values, the new rule is for the changed pages, and the notes say so.
//!
//! Where some rows of a page are as before, values are sought among the others, and the new rule reads both (see `halves`).
//!
//! Fields that the old rule still gives as it did are not sought: their values stay, and so do their paths (see `healthy`).
//!
//! Where the own learner cannot do it, gives less of the recovered values than paths do, or loses values of a field that paths have, the wrapper
//! becomes one of paths; the notes say so. That is so for landmarks and templates if there is only one page.
//!
//! The score of a field is that of its values when they were recovered, times the share of them that the new rule gives; in a list, a rule that
//! gives other values, too, loses more than one that lacks some. How sure it is follows from the score (`calibration`). A field that is less sure than was asked for is left out: the rule is made again without its values, so that it gives nothing for
//! this field. The others are repaired all the same.

use crate::agreement::{Agreement, Given, agreement, agreement_of, mean};
use crate::bare;
use crate::calibration;
use crate::compare::{TableReport, Unknown, compare, name_of, shows};
use crate::guarded::guarded;
use crate::halves::Halves;
use crate::healthy::{self, Healthy, healthy};
use crate::lost::restored;
use crate::missing::counted;
use crate::prune::pruned;
use crate::recover::{Recovered, recover_list, recover_rest, recover_together};
use crate::relearn;
use crate::stranger::strangers;
use crate::survey::{PageState, Survey};
use crate::suspect::doubt;
use crate::weights;
use learn::guided::wanted;
use page::job::Event;
use page::{Document, Job, Page, Remedy};
use record::{Cardinality, Content, Field, RecordType, Rows, Table};
use std::fmt;
use wrapper::profile::Profile;
use wrapper::{Doubt, Rule, Wrapper, WrapperError};

/// A wrapper that was repaired.
#[derive(Clone, Debug)]
pub struct Repair {
    /// The new wrapper.
    pub wrapper: Wrapper,
    /// Its fields, table by table.
    pub fields: Vec<FieldRepair>,
    /// What else there is to say.
    pub notes: Vec<String>,
    /// Is the new rule only for the pages that have changed, though others are as before?
    pub is_for_some: bool,
    /// If pages have far fewer records than all pages had: the most that a page has now, and the fewest that one had. Some records may have another template, which is
    /// not read.
    pub fewer: Option<(u64, u64)>,
    /// If lists have parts that look like records and are not read, and had none: how many parts are read, and how many are not.
    pub unread: Option<(u64, u64)>,
}

/// A field of a wrapper that was repaired.
#[derive(Clone, Debug, PartialEq)]
pub struct FieldRepair {
    /// The table, by its number.
    pub table: usize,
    /// The field's name, with those of the records around it.
    pub name: String,
    /// How well they were found again, from 0 to 1.
    pub score: f64,
    /// How sure it is that the values are the right ones: the share of fields with such a score that are, from 0 to 1.
    pub sure: f64,
    /// In which share of the records it was.
    pub usual: f64,
    /// Does the wrapper show it? A field that nobody sees is repaired if it can be.
    pub shown: bool,
    /// Was it not sure enough? Then the new wrapper has no values of it.
    pub left_out: bool,
    /// Some values of before.
    pub before: Vec<String>,
    /// Some values of now.
    pub after: Vec<String>,
    /// If it is not clear which values are right: some of those that fit best, and some of those that fit next best. Empty if it is clear.
    pub candidates: Vec<Vec<String>>,
}

/// A field that at least this share of the records had must be found again.
const USUAL: f64 = 0.5;

impl Repair {
    /// How sure the field is that is least so, of those that are needed.
    pub fn sure(&self) -> f64 {
        self.needed().map(|field| field.sure).fold(1.0, f64::min)
    }

    /// Has the new wrapper all fields that are needed?
    pub fn is_whole(&self) -> bool {
        self.needed().all(|field| !field.left_out)
    }

    /// The fields that are needed: those that the wrapper shows and that most records had.
    pub fn needed(&self) -> impl Iterator<Item = &FieldRepair> {
        self.fields.iter().filter(|field| field.shown && field.usual >= USUAL)
    }
}

/// Why a wrapper cannot be repaired.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum RepairError {
    /// It keeps nothing to find its values by.
    Unknown(Unknown),
    /// There are no pages.
    NoPages,
    /// The pages are surely not of the kind that the wrapper is for, in words.
    OtherKind(String),
    /// No value was found on any page.
    NothingFound,
    /// The values were found, but no rule gives them.
    NoRule(String),
    /// The old wrapper still gives this field and all others, as far as a check can tell, and the new one would not.
    Worse(String),
    /// Its rule cannot be run.
    Wrapper(WrapperError),
    /// The job was stopped.
    Stopped,
}

impl fmt::Display for RepairError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RepairError::Unknown(why) => why.fmt(f),
            RepairError::NoPages => f.write_str("there are no pages to repair it with, expected at least one"),
            RepairError::OtherKind(which) => {
                write!(f, "these are not pages of the kind that the wrapper is for: {which}")
            }
            RepairError::NothingFound => f.write_str("nothing on these pages looks like the values of before"),
            RepairError::NoRule(why) => write!(f, "values were found again, but no rule gives them: {why}"),
            RepairError::Worse(field) => write!(
                f,
                "a new wrapper would be worse: the old one still gives `{field}` on these pages, and it was not found again surely enough"
            ),
            RepairError::Wrapper(error) => error.fmt(f),
            RepairError::Stopped => f.write_str("the repair was stopped"),
        }
    }
}

impl std::error::Error for RepairError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            RepairError::Unknown(error) => Some(error),
            RepairError::Wrapper(error) => Some(error),
            RepairError::NoPages
            | RepairError::OtherKind(_)
            | RepairError::NothingFound
            | RepairError::NoRule(_)
            | RepairError::Worse(_)
            | RepairError::Stopped => None,
        }
    }
}

impl RepairError {
    /// What the user can do about it.
    pub fn remedy(&self) -> Option<Remedy> {
        match self {
            RepairError::Unknown(_) => Some("accept what the wrapper gives on pages on which it works".into()),
            RepairError::OtherKind(_) => {
                Some("an error or a login says nothing about the wrapper: give pages with records of the site".into())
            }
            RepairError::NothingFound | RepairError::NoRule(_) => {
                Some("are these pages of the kind that the wrapper is for? Then it must be learned anew".into())
            }
            RepairError::Worse(_) => Some(
                "more pages may make it surer, or give the values of some new records as examples and learn it anew"
                    .into(),
            ),
            RepairError::NoPages | RepairError::Wrapper(_) | RepairError::Stopped => None,
        }
    }
}

/// Samples of a field that are shown.
const SHOWN: usize = 3;
/// A field that is less sure than this is shown with the values that fit next best, if these fit nearly as well.
const CLEAR: f64 = 0.9;
/// Pages that values are recovered on; more tell nothing new.
const MOST: usize = 20;

/// How sure a field must be to be repaired, if nothing else is asked for. A wrong value is worse than a missing one, so more likely right than wrong is not
/// enough.
pub const ENOUGH: f64 = 0.6;

/// Makes a new rule from changed pages, with all fields that were found again.
///
/// # Errors
///
/// See [`RepairError`].
pub fn repair(wrapper: &Wrapper, documents: &[Document], job: &Job) -> Result<Repair, RepairError> {
    repair_at_least(wrapper, documents, 0.0, job)
}

/// The same, without the fields that are less sure than `at_least`, from 0 to 1, if any other field is sure enough.
///
/// # Errors
///
/// See [`RepairError`].
pub fn repair_at_least(
    wrapper: &Wrapper,
    documents: &[Document],
    at_least: f64,
    job: &Job,
) -> Result<Repair, RepairError> {
    // What the last repair left out is sought again.
    let restored = restored(wrapper);
    let wrapper = &*restored;
    if !wrapper.is_known() {
        return Err(RepairError::Unknown(Unknown));
    }
    if documents.is_empty() {
        return Err(RepairError::NoPages);
    }
    if let Some(halves) = Halves::of(wrapper, documents)? {
        match repaired(&halves.wrapper, &halves.rest, at_least, job) {
            Ok(rest) => {
                if let Some(both) = halves.united(documents, rest)? {
                    return Ok(counted(wrapper, both));
                }
            }
            Err(RepairError::Stopped) => return Err(RepairError::Stopped),
            Err(_) => {}
        }
    }
    Ok(counted(wrapper, repaired(wrapper, documents, at_least, job)?))
}

/// The same for pages whose lists have one template each.
fn repaired(wrapper: &Wrapper, documents: &[Document], at_least: f64, job: &Job) -> Result<Repair, RepairError> {
    let profiles = &wrapper.evidence.profiles;
    let Sorted {
        changed,
        kept,
        mut notes,
    } = sorted(wrapper, documents)?;
    // What is sought; the same columns as the wrapper's own.
    let sought = Wrapper {
        record_type: narrowed(wrapper),
        ..wrapper.clone()
    };
    let tables = sought.record_type.tables();
    let listed: Vec<bool> = tables.iter().map(|table| is_listed(wrapper, table)).collect();
    let pages: Vec<&Page> = changed.iter().map(|document| &*document.page).collect();
    let (stays, is_all_healthy) = kept_fields(wrapper, &changed, &listed)?;
    let steps = (tables.len() * pages.len()) as u64;
    let mut found: Vec<Vec<Recovered>> = Vec::new();
    for (number, table) in tables.iter().enumerate() {
        let mut step = |at: usize| {
            let done = (number * pages.len() + at) as u64;
            job.tell(Event::Step { done, of: Some(steps) });
            !job.is_stopped()
        };
        let (wanted, profile) = (wanted(table), &profiles[number]);
        let each = match (listed[number], &stays[number]) {
            (true, Some(kept)) => (0..pages.len())
                .map(|at| step(at).then(|| recover_rest(pages[at], &wanted, profile, kept.on(at))))
                .collect(),
            (true, None) => (0..pages.len())
                .map(|at| {
                    let before = match number {
                        0 => bare::records(&wrapper.rule, pages[at]),
                        _ => Vec::new(),
                    };
                    step(at).then(|| recover_list(pages[at], &wanted, profile, &before))
                })
                .collect(),
            (false, kept) => recover_together(&pages, &wanted, profile, kept.as_ref(), &mut step),
        };
        found.push(each.ok_or(RepairError::Stopped)?);
    }
    go_on(job)?;
    let columns = tables.iter().map(|table| table.columns.len());
    let candidates: Vec<Vec<Vec<Vec<String>>>> = found
        .iter()
        .zip(columns)
        .map(|(pages, columns)| (0..columns).map(|column| close(pages, column)).collect())
        .collect();
    if !listed[0] {
        keep_healthy(wrapper, &changed, &mut found[0])?;
        give_up(&tables[0], &profiles[0], &mut found[0], &mut notes);
    }
    let mut labels: Vec<Rows> = (0..changed.len())
        .map(|document| found.iter().map(|table| table[document].records.clone()).collect())
        .collect();
    if labels.iter().flatten().flatten().flatten().all(Vec::is_empty) {
        return Err(RepairError::NothingFound);
    }
    let (mut said, once) = (Vec::new(), relearn::Once::new());
    let made = |labels: &[Rows], said: &mut Vec<String>| {
        let mut learned = best(&sought, &changed, labels, &listed, &once, said, job);
        if let Ok((new, _)) = &mut learned
            && let Rule::Paths(rule) = &mut new.rule
        {
            *rule = guarded(rule, &changed);
        }
        let learned = learned.map(|(new, agreement)| pruned(&sought, new, agreement, &changed, labels));
        with_old_paths(&sought, &changed, labels, &stays, learned)
    };
    let (mut new, agreement) = made(&labels, &mut said)?;
    go_on(job)?;
    let rated = |new: &Wrapper, agreement: &Agreement| -> Result<Vec<Vec<f64>>, RepairError> {
        let sound = scores(&found, agreement, &listed);
        let mut score = sound.clone();
        doubt(&sought, new, &changed, &mut score)?;
        // What is as it was is not doubted.
        for (table, kept) in stays.iter().enumerate() {
            let keeps = kept.iter().flat_map(|kept| kept.keeps.iter().enumerate());
            for (column, _) in keeps.filter(|(_, keeps)| **keeps) {
                score[table][column] = sound[table][column];
            }
        }
        Ok(score)
    };
    let mut score = rated(&new, &agreement)?;
    let is_weak = |table: usize, column: usize, score: f64| {
        profiles[table].fields[column].count > 0 && calibration::sure(score) < at_least
    };
    let weak: Vec<Vec<bool>> = score
        .iter()
        .enumerate()
        .map(|(table, of)| (0..of.len()).map(|column| is_weak(table, column, of[column])).collect())
        .collect();
    let mut left_out = vec![vec![false; 0]; tables.len()];
    if weak.iter().flatten().any(|weak| *weak) && leave_out(&mut labels, &weak) {
        let mut again = Vec::new();
        if let Ok((without, agreement)) = made(&labels, &mut again) {
            for ((score, weak), now) in score.iter_mut().zip(&weak).zip(rated(&without, &agreement)?) {
                let kept = score.iter_mut().zip(weak).zip(now).filter(|((_, weak), _)| !**weak);
                kept.for_each(|((score, _), now)| *score = now);
            }
            (new, said, left_out) = (without, again, weak);
        }
        go_on(job)?;
    }
    // What the old rule gives, and a check finds nothing wrong with, is more than nothing.
    let is_less = |(table, column): (usize, usize)| {
        let field = &profiles[table].fields[column];
        let is_usual = field.records as f64 >= USUAL * profiles[table].records as f64;
        left_out[table].get(column) == Some(&true) && is_usual && shows(wrapper, &name_of(&tables[table], column))
    };
    let columns = |table: usize| (0..tables[table].columns.len()).map(move |column| (table, column));
    if is_all_healthy && let Some((table, column)) = (0..tables.len()).flat_map(columns).find(|at| is_less(*at)) {
        return Err(RepairError::Worse(name_of(&tables[table], column)));
    }
    notes.extend(said);
    let mut documents = changed.clone();
    let mut is_for_some = false;
    if !kept.is_empty() {
        let alone = agreement_of(&sought, &new, &changed, &labels);
        let runner = wrapper.runner().map_err(RepairError::Wrapper)?;
        documents.extend(&kept);
        let mut rows: Vec<Rows> = kept.iter().map(|document| runner.rows(document)).collect();
        leave_out(&mut rows, &left_out);
        let side = |wrapper, documents, rows| relearn::Side {
            wrapper,
            documents,
            rows,
        };
        let (before, now) = (side(wrapper, &kept, &rows), side(&new, &changed, &labels));
        let both = relearn::joined(&sought, &before, &now, &listed);
        labels.extend(rows);
        let both = both.into_iter().map(|candidate| {
            let share = agreement_of(&sought, &candidate, &documents, &labels);
            (share, candidate)
        });
        let both = both.max_by(|a, b| a.0.total_cmp(&b.0));
        match both.filter(|(share, _)| *share + SLACK > alone) {
            Some((_, candidate)) => {
                new = candidate;
                notes.push("the new rule is for both templates".to_owned());
            }
            None => {
                is_for_some = true;
                documents.truncate(changed.len());
                let words = "the new rule is only for the pages that have changed: keep the old wrapper for the others";
                notes.push(words.to_owned());
            }
        }
        go_on(job)?;
    }
    let documents: Vec<Document> = documents.into_iter().cloned().collect();
    let inferred = matches!(new.rule, Rule::Landmarks(_) | Rule::Template(_));
    let record_type = match new.rule {
        Rule::Oxpath(_) => wrapper.record_type.clone(),
        _ if inferred => new.record_type.shaped_like(&wrapper.record_type),
        _ => new.record_type,
    };
    let new = Wrapper::made(new.rule, record_type, wrapper.given.clone(), &documents);
    let mut new = new.map_err(RepairError::Wrapper)?;
    if inferred {
        // The type of inferred fields follows from the new pages. A table keeps the columns that it had as they were.
        new.record_type = new.record_type.shaped_like(&wrapper.record_type);
    }
    take_settings(&mut new, wrapper);
    let now: Vec<Profile> = new.evidence.profiles.clone();
    // A rule that was inferred again may have other fields.
    let homes = homes(&tables, &new.record_type.tables());
    keep_samples(&mut new, profiles, &homes);
    let mut fields = Vec::new();
    let mut doubts = Vec::new();
    for (number, table) in tables.iter().enumerate() {
        for column in 0..table.columns.len() {
            let known = &profiles[number].fields[column];
            if known.count == 0 {
                continue;
            }
            let sure = calibration::sure(score[number][column]);
            let left_out = left_out[number].get(column).copied().unwrap_or(false);
            let is_doubtful = left_out || sure < CLEAR;
            let name = name_of(table, column);
            let shown = shows(wrapper, &name);
            let usual = (known.records as f64 / profiles[number].records.max(1) as f64).min(1.0);
            // What the new wrapper does not find on these pages is not there either, whatever was asked for.
            let home = homes[number][column].map(|(table, column)| &now[table].fields[column]);
            let is_lost = left_out || home.is_none_or(|home| home.count == 0);
            if shown && (is_lost || sure < ENOUGH) {
                doubts.push(Doubt {
                    field: name.clone(),
                    sure,
                    left_out: is_lost,
                    usual,
                    known: is_lost.then(|| Box::new(known.clone())),
                });
            }
            fields.push(FieldRepair {
                table: number,
                shown,
                name,
                score: score[number][column],
                sure,
                left_out,
                usual,
                before: known.samples.iter().take(SHOWN).cloned().collect(),
                after: homes[number][column]
                    .map(|(table, column)| &now[table].fields[column])
                    .map(|field| field.samples.iter().take(SHOWN).cloned().collect())
                    .unwrap_or_default(),
                candidates: match is_doubtful {
                    true => candidates[number][column].clone(),
                    false => Vec::new(),
                },
            });
        }
    }
    new.evidence.doubts = doubts;
    Ok(Repair {
        wrapper: new,
        fields,
        notes,
        is_for_some,
        fewer: None,
        unread: None,
    })
}

/// Gives a new wrapper what is not learned: the fields that are shown, the key, and the way to the pages.
pub(crate) fn take_settings(new: &mut Wrapper, old: &Wrapper) {
    let shown = old.shown.as_ref().map(|shown| {
        let known = shown.iter().filter(|path| new.record_type.has_path(path));
        known.cloned().collect()
    });
    new.shown = shown;
    let key = old.key.iter().filter(|path| new.record_type.has_path(path));
    new.key = key.cloned().collect();
    new.navigation.clone_from(&old.navigation);
}

/// Pages to repair a wrapper with.
struct Sorted<'d> {
    /// Those that have changed, on which values are sought.
    changed: Vec<&'d Document>,
    /// Those on which the wrapper works as it did, if others have changed.
    kept: Vec<&'d Document>,
    /// What is to be said of them.
    notes: Vec<String>,
}

/// Sorts pages by what they are like. In the middle of a redesign a site has pages of both templates: values are sought on the
/// changed ones only. Pages of another kind, such as error pages, are left out. If none has changed or all have, all are taken.
fn sorted<'d>(wrapper: &Wrapper, documents: &'d [Document]) -> Result<Sorted<'d>, RepairError> {
    let mut survey = Survey::new(wrapper).map_err(RepairError::Wrapper)?;
    documents.iter().for_each(|document| drop(survey.add(document)));
    let report = survey.finish().map_err(RepairError::Unknown)?;
    let thin = |documents: Vec<&'d Document>| -> Vec<&'d Document> {
        let stride = documents.len().div_ceil(MOST).max(1);
        documents.into_iter().step_by(stride).collect()
    };
    let of = |is: fn(&PageState) -> bool| -> Vec<&'d Document> {
        let both = documents.iter().zip(&report.pages);
        both.filter(|(_, page)| is(&page.state))
            .map(|(document, _)| document)
            .collect()
    };
    let changed = of(|state| matches!(state, PageState::Changed(_)));
    let kept = of(|state| *state == PageState::AsBefore);
    let all = |documents| Sorted {
        changed: thin(documents),
        kept: Vec::new(),
        notes: Vec::new(),
    };
    if changed.is_empty() || kept.is_empty() && report.counts.others > report.counts.changed {
        let strange = strangers(wrapper, documents).map_err(RepairError::Wrapper)?;
        let is_strange = |at: usize| strange.len() < documents.len() && strange.iter().any(|(other, _)| *other == at);
        let each = documents.iter().enumerate().filter(|(at, _)| !is_strange(*at));
        return Ok(all(each.map(|(_, document)| document).collect()));
    }
    // After learning from a few pages, a page without one of its fields may pass for one as before. Several of them do not.
    let copies: Vec<Document> = kept.iter().map(|document| (*document).clone()).collect();
    let now = wrapper.observe(&copies).map_err(RepairError::Wrapper)?;
    let alone = compare(wrapper, now).map_err(RepairError::Unknown)?;
    let is_odd = |table: &TableReport| {
        let mut fields = table.alarm.fields.iter().zip(&table.known.fields);
        fields.any(|(health, known)| known.count > 0 && !health.reasons.is_empty())
    };
    if !alone.is_fine() || alone.tables.iter().any(is_odd) {
        return Ok(all(of(|state| *state != PageState::Other)));
    }
    Ok(Sorted {
        changed: thin(changed),
        kept: thin(kept),
        notes: report.about_pages(),
    })
}

/// In a list, a rule that gives values which were not found is less sure than one that lacks some: wrong values are worse than missing ones. Where
/// a page is one record, a rule often has the value of a page on which nothing was found.
const EXTRA: i32 = 2;

/// How well each column was found again, over all pages.
fn scores(found: &[Vec<Recovered>], agreement: &Agreement, listed: &[bool]) -> Vec<Vec<f64>> {
    let of = |((pages, agreement), listed): ((&Vec<Recovered>, &Vec<Given>), &bool)| {
        let each = agreement.iter().enumerate().map(|(column, agreement)| {
            let sure = pages.iter().map(|page| page.sure.get(column).copied().unwrap_or(0.0));
            let extra = if *listed { agreement.precision.powi(EXTRA) } else { 1.0 };
            let count = pages.len().max(1) as f64;
            let most = pages.iter().map(|page| page.most.get(column).copied().unwrap_or(1.0));
            // If one of ten values was not found again, this is not a field that is right in nine of ten cases.
            let most = match *listed && agreement.precision < 1.0 - LOST {
                true => weights::UNTOLD,
                false => most.sum::<f64>() / count,
            };
            (sure.sum::<f64>() / count * agreement.share * extra).min(most)
        });
        each.collect()
    };
    found.iter().zip(agreement).zip(listed).map(of).collect()
}

/// The values of a column that fit best and those that fit next best, if on most pages both fit nearly as well; else nothing.
fn close(pages: &[Recovered], column: usize) -> Vec<Vec<String>> {
    let of = |page: &Recovered| page.instead.get(column).is_some_and(|values| !values.is_empty());
    if pages.iter().filter(|page| of(page)).count() * 2 <= pages.len() {
        return Vec::new();
    }
    let rows = pages.iter().flat_map(|page| &page.records);
    let best = rows.flat_map(|row| &row[column]).take(SHOWN).cloned();
    let next = pages.iter().filter_map(|page| page.instead.get(column)).flatten();
    let next = next.take(SHOWN).cloned();
    let both: Vec<Vec<String>> = vec![best.collect(), next.collect()];
    if both[0].is_empty() { Vec::new() } else { both }
}

/// Removes the values of some columns. Are there any left?
fn leave_out(labels: &mut [Rows], weak: &[Vec<bool>]) -> bool {
    for (table, weak) in labels.iter_mut().flat_map(|rows| rows.iter_mut().zip(weak)) {
        for row in table {
            let weak = row.iter_mut().zip(weak).filter(|(_, weak)| **weak);
            weak.for_each(|(values, _)| values.clear());
        }
    }
    labels
        .iter()
        .flatten()
        .flatten()
        .flatten()
        .any(|values| !values.is_empty())
}

/// Stops the work if that was asked for.
fn go_on(job: &Job) -> Result<(), RepairError> {
    match job.is_stopped() {
        true => Err(RepairError::Stopped),
        false => Ok(()),
    }
}

/// The type of the records that are sought: that of the wrapper, but a value field of an expression or an inferred rule that may have several values
/// and never had two in a record is single. The tables have the same columns, in the same order.
fn narrowed(wrapper: &Wrapper) -> RecordType {
    let mut record_type = wrapper.record_type.clone();
    let (Rule::Oxpath(_) | Rule::Landmarks(_) | Rule::Template(_), Content::Record(fields)) =
        (&wrapper.rule, &mut record_type.content)
    else {
        return record_type;
    };
    let is_single = |table: usize, column: usize| {
        let profile = wrapper.evidence.profiles.get(table);
        let field = profile.and_then(|profile| profile.fields.get(column));
        field.is_some_and(|field| field.count > 0 && field.count == field.records)
    };
    narrow(fields, 0, &mut vec![0], &is_single);
    record_type
}

/// Makes value fields single where `is_single` says so of the number of the table and that of the column. Tables and columns
/// are counted as [`RecordType::tables`] lists them; `columns` has the number of columns so far of each table.
fn narrow(fields: &mut [Field], table: usize, columns: &mut Vec<usize>, is_single: &dyn Fn(usize, usize) -> bool) {
    for field in fields {
        let repeats = field.cardinality.may_repeat();
        match &mut field.content {
            Content::Value(_) => {
                if repeats && is_single(table, columns[table]) {
                    field.cardinality = match field.cardinality {
                        Cardinality::AtLeastOne => Cardinality::One,
                        _ => Cardinality::Optional,
                    };
                }
                columns[table] += 1;
            }
            Content::Record(inner) if repeats => {
                columns.push(0);
                let table = columns.len() - 1;
                narrow(inner, table, columns, is_single);
            }
            Content::Record(inner) => narrow(inner, table, columns, is_single),
        }
    }
}

/// For each table, the fields that the old rule still gives on these pages; and whether it gives all, as far as a check can tell.
fn kept_fields(
    wrapper: &Wrapper,
    documents: &[&Document],
    listed: &[bool],
) -> Result<(Vec<Option<Healthy>>, bool), RepairError> {
    let runner = wrapper.runner().map_err(RepairError::Wrapper)?;
    let given: Vec<Rows> = documents.iter().map(|document| runner.rows(document)).collect();
    let documents: Vec<Document> = documents.iter().map(|document| (*document).clone()).collect();
    let now = wrapper.observe(&documents).map_err(RepairError::Wrapper)?;
    let report = compare(wrapper, now).map_err(RepairError::Unknown)?;
    Ok((healthy(&report, &given, listed), healthy::is_all_healthy(&report)))
}

/// A rule of paths with those of the old rule to all fields that it still gives, if it gives the other fields as well as the learned one.
fn with_old_paths(
    wrapper: &Wrapper,
    documents: &[&Document],
    labels: &[Rows],
    kept: &[Option<Healthy>],
    learned: Result<(Wrapper, Agreement), RepairError>,
) -> Result<(Wrapper, Agreement), RepairError> {
    let Rule::Paths(old) = &wrapper.rule else {
        return learned;
    };
    if kept.iter().all(Option::is_none) {
        return learned;
    }
    let tables = wrapper.record_type.tables();
    let rule = match &learned {
        Ok((new, _)) => match &new.rule {
            Rule::Paths(new) => healthy::with_old_paths(old, new, &tables, kept),
            _ => return learned,
        },
        Err(RepairError::Stopped) => return learned,
        Err(_) => healthy::only_old_paths(old, &tables, kept),
    };
    let candidate = Wrapper::bare(Rule::Paths(rule), wrapper.record_type.clone(), wrapper.given.clone());
    let Some(agreed) = agreement(wrapper, &candidate, documents, labels) else {
        return learned;
    };
    match &learned {
        Ok((_, own)) if mean(&agreed) + SLACK < mean(own) => learned,
        _ => Ok((candidate, agreed)),
    }
}

/// A field that is recovered as surely as this is taken from where it was found, whatever the old rule gives.
const CERTAIN: f64 = 0.8;
/// How sure a field is that the old rule still gives.
const STILL: f64 = 0.7;

/// Where a page is one record, fields that the old rule still gives as it did, or where they were found again, keep their values: a
/// change elsewhere is no reason to look for them.
fn keep_healthy(wrapper: &Wrapper, documents: &[&Document], found: &mut [Recovered]) -> Result<(), RepairError> {
    let runner = wrapper.runner().map_err(RepairError::Wrapper)?;
    let given: Vec<Rows> = documents.iter().map(|document| runner.rows(document)).collect();
    let documents: Vec<Document> = documents.iter().map(|document| (*document).clone()).collect();
    let now = wrapper.observe(&documents).map_err(RepairError::Wrapper)?;
    let report = compare(wrapper, now).map_err(RepairError::Unknown)?;
    let Some(table) = report.tables.first() else {
        return Ok(());
    };
    for (field, health) in table.alarm.fields.iter().enumerate() {
        let sure = found.iter().map(|page| page.sure[field]).sum::<f64>() / found.len().max(1) as f64;
        // A value that was found again where the old rule finds it has two witnesses, whatever else has changed around it.
        let agrees = |(page, given): &(&Recovered, &Rows)| {
            let (found, given) = (page.records.first(), given[0].first());
            found
                .zip(given)
                .is_some_and(|(found, given)| !given[field].is_empty() && found[field] == given[field])
        };
        let agreed = found.iter().zip(&given).filter(agrees).count();
        let otherwise = found.iter().filter(|page| page.otherwise[field]).count();
        let is_well = health.reasons.is_empty() || agreed * 2 > found.len() && otherwise * 2 <= found.len();
        if !is_well || table.now.fields[field].count == 0 || sure >= CERTAIN {
            continue;
        }
        for (page, given) in found.iter_mut().zip(&given) {
            let Some(values) = given[0]
                .first()
                .map(|row| &row[field])
                .filter(|values| !values.is_empty())
            else {
                continue;
            };
            if page.records.is_empty() {
                page.records.push(vec![Vec::new(); table.table.columns.len()]);
            }
            page.records[0][field].clone_from(values);
            page.sure[field] = page.sure[field].max(STILL);
        }
    }
    Ok(())
}

/// What is less sure than this on several pages is more often something else than the field.
const GONE: f64 = 0.3;

/// Where a page is one record, gives up fields that were found again nowhere: it is better to have no value than any. In a list
/// the other fields of a record bear witness, too.
fn give_up(table: &Table, known: &Profile, pages: &mut [Recovered], notes: &mut Vec<String>) {
    if pages.len() < 2 {
        return;
    }
    for (column, of) in table.columns.iter().enumerate() {
        let sure = pages.iter().map(|page| page.sure[column]).sum::<f64>() / pages.len() as f64;
        if sure >= GONE || known.fields[column].count == 0 {
            continue;
        }
        notes.push(format!("nothing on these pages is surely `{}`", of.name()));
        for page in &mut *pages {
            page.sure[column] = 0.0;
            page.records.iter_mut().for_each(|row| row[column].clear());
        }
    }
}

/// May a page have several records of this kind?
fn is_listed(wrapper: &Wrapper, table: &Table) -> bool {
    if table.parent.is_some() {
        return true;
    }
    match &wrapper.rule {
        Rule::Paths(rule) => !rule.each.is_empty(),
        // These have a loop around their records, be there one on each page or many.
        Rule::Delimiters(_) | Rule::Oxpath(_) => wrapper
            .evidence
            .profiles
            .first()
            .is_some_and(|profile| profile.per_page.1 > 1),
        _ => false,
    }
}

/// How much less of the values the own kind of rule may give and still be taken.
const SLACK: f64 = 0.05;
/// A field of which a rule gives so much less of the values than paths do is lost: a value too many, or too few, on one of ten pages. A rule of another kind is a smaller change
/// than wrong values.
const LOST: f64 = 0.1;

/// Does a rule lose a field that the wrapper shows and another rule has?
fn loses(wrapper: &Wrapper, own: &Agreement, other: &Agreement) -> bool {
    let tables = wrapper.record_type.tables();
    let is_shown = |table: usize, column: usize| {
        let field = wrapper
            .evidence
            .profiles
            .get(table)
            .and_then(|profile| profile.fields.get(column));
        let is_known = field.is_some_and(|field| field.count > 0);
        is_known && shows(wrapper, &name_of(&tables[table], column))
    };
    let mut columns = (0..tables.len()).flat_map(|table| (0..tables[table].columns.len()).map(move |at| (table, at)));
    columns
        .any(|(table, column)| own[table][column].share + LOST <= other[table][column].share && is_shown(table, column))
}

/// The own kind of rule, or paths where that gives less.
fn best(
    wrapper: &Wrapper,
    documents: &[&Document],
    labels: &[Rows],
    listed: &[bool],
    once: &relearn::Once,
    notes: &mut Vec<String>,
    job: &Job,
) -> Result<(Wrapper, Agreement), RepairError> {
    let judged = |candidate: Wrapper| -> Option<(f64, Wrapper, Agreement)> {
        let agreement = agreement(wrapper, &candidate, documents, labels)?;
        Some((mean(&agreement), candidate, agreement))
    };
    let own = relearn::own(wrapper, documents, labels, listed, once);
    let (own, reason) = match own {
        Ok(candidate) => (judged(candidate), None),
        Err(reason) => (None, Some(reason)),
    };
    let is_paths = matches!(wrapper.rule, Rule::Paths(_) | Rule::Oxpath(_));
    let gives_all = |(mean, _, agreement): &(f64, Wrapper, Agreement)| {
        *mean > 1.0 - SLACK && agreement.iter().flatten().all(|given| given.share > 1.0 - LOST)
    };
    if is_paths || own.as_ref().is_some_and(gives_all) {
        return match own {
            Some((_, candidate, agreement)) => Ok((candidate, agreement)),
            None => Err(RepairError::NoRule(
                reason.unwrap_or_else(|| "it gives nothing".to_owned()),
            )),
        };
    }
    go_on(job)?;
    let paths = relearn::paths(wrapper, documents, labels, listed).ok().and_then(judged);
    let kind = wrapper.rule.kind();
    match (own, paths) {
        (Some(own), Some(paths)) if own.0 + SLACK >= paths.0 && loses(wrapper, &own.2, &paths.2) => {
            notes.push(format!(
                "a new rule of the kind `{kind}` loses a field that paths find: the new wrapper is of the kind `paths`"
            ));
            Ok((paths.1, paths.2))
        }
        (Some(own), Some(paths)) if own.0 + SLACK < paths.0 => {
            notes.push(format!(
                "a new rule of the kind `{kind}` gives {:.0} % of the values that were found again, paths give {:.0} %: \
                 the new wrapper is of the kind `paths`",
                own.0 * 100.0,
                paths.0 * 100.0
            ));
            Ok((paths.1, paths.2))
        }
        (Some(own), _) => Ok((own.1, own.2)),
        (None, Some(paths)) => {
            let why = reason.map_or_else(String::new, |reason| format!(" ({reason})"));
            notes.push(format!(
                "no rule of the kind `{kind}` can be made{why}: the new wrapper is of the kind `paths`"
            ));
            Ok((paths.1, paths.2))
        }
        (None, None) => Err(RepairError::NoRule(reason.unwrap_or_default())),
    }
}

/// Where the columns of the old tables are among the new ones: table and column, by their names.
pub(crate) fn homes(old: &[Table], new: &[Table]) -> Vec<Vec<Option<(usize, usize)>>> {
    let home = |table: &Table, path: &[String]| {
        let at = new.iter().position(|other| other.path == table.path)?;
        let column = new[at].columns.iter().position(|other| other.path == path)?;
        Some((at, column))
    };
    let columns = |table: &Table| table.columns.iter().map(|column| home(table, &column.path)).collect();
    old.iter().map(columns).collect()
}

/// Values of before stay known: what is still on the site will be said again.
pub(crate) fn keep_samples(new: &mut Wrapper, old: &[Profile], homes: &[Vec<Option<(usize, usize)>>]) {
    for (old, homes) in old.iter().zip(homes) {
        for (old, home) in old.fields.iter().zip(homes) {
            if let Some((table, column)) = home {
                new.evidence.profiles[*table].fields[*column].remember(&old.samples);
            }
        }
    }
}
