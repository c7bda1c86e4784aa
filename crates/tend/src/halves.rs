//! Lists in the middle of a redesign: some rows of a page are as before, the others have a new template.
//!
//! *Idea.* What the old rule still reads needs no repair. So its rows are taken out of the page, what is left is repaired as a page of
//! its own, and the two rules are united: the records are the nodes that either path leads to, in page order, and a field has the ways of both rules.
//! Without this, one of the two templates is taken for the list, and the rows of the other one are lost.
//!
//! *Input*: a wrapper with one kind of records, and pages. A wrapper of another kind than paths is taken as the paths that give the same values, if there are such. *Output*: the pages without the rows that are as before ([`Halves::of`]), and with the
//! repair of these a rule for both ([`Halves::united`]). A row is as before if it has all the fields that nearly every record had. All these rows together must pass
//! a check, field by field; that a page has fewer of them is what is expected here.
//!
//! The united rule must give the rows of both, and hardly any other value. The paths of one rule may read something in the rows of the
//! other; both orders are tried, and if neither does it, the pages are repaired as if all rows had the same template.
//!
//! *Cost*: a run of the old rule, a check and a second parse of each page that has changed.
//!
//! *Known failures*: records that are runs of neighbours, whose values are outside of their own elements, and records inside records; the two
//! templates are then not told apart. Where the old paths of a field that is not sure in the new rows read something
//! else there, the two rules are not united.

use crate::agreement::{agreement, mean};
use crate::compare::{Unknown, compare};
use crate::healthy::FEWER;
use crate::relearn::{self, join};
use crate::repair::{ENOUGH, Repair, RepairError, homes, keep_samples, take_settings};
use crate::survey::{PageState, Survey};
use oxpath::{Query, Value};
use page::{Document, Limits, NodeId, Page};
use record::{Row, Rows};
use wrapper::profile::Profile;
use wrapper::rule::paths::{PathRecord, Paths, PathsRun};
use wrapper::{Rule, Wrapper};

/// A field that at least this share of the records had is one that a row as before has, too.
const NEARLY_ALL: f64 = 0.9;
/// Fewer rows of a template, on all pages together, are no half of a list.
const SOME: usize = 2;
/// The two halves together have at most this multiple of the most records that a page had; more are two lists, unless their rows take turns.
const MORE: f64 = 1.25;
/// The share of the values of each field that a rule for both templates must give, and that must be among those that it gives.
const AGREED: f64 = 0.9;

/// Pages on which some rows are as before.
pub(crate) struct Halves {
    /// The wrapper, by paths.
    pub(crate) wrapper: Wrapper,
    /// The kind of rule that it had, if it was another one.
    was: Option<&'static str>,
    /// All pages; of those that have changed, without the rows that are as before.
    pub(crate) rest: Vec<Document>,
    /// For each page, the rows that were taken out.
    taken: Vec<Vec<Row>>,
}

impl Halves {
    /// Finds rows that are as before on pages that are not.
    ///
    /// # Errors
    ///
    /// The rule cannot be run.
    pub(crate) fn of(wrapper: &Wrapper, documents: &[Document]) -> Result<Option<Halves>, RepairError> {
        let [profile] = &wrapper.evidence.profiles[..] else {
            return Ok(None);
        };
        let usual = usual(profile);
        let (wrapper, was) = match &wrapper.rule {
            Rule::Paths(_) => (wrapper.clone(), None),
            other => match by_paths(wrapper, documents, &usual)? {
                Some(same) => (same, Some(other.kind())),
                None => return Ok(None),
            },
        };
        let Rule::Paths(rule) = &wrapper.rule else {
            return Ok(None);
        };
        let Ok(run) = PathsRun::new(rule) else { return Ok(None) };
        if rule.each.is_empty() || usual.is_empty() {
            return Ok(None);
        }
        let mut survey = Survey::new(&wrapper).map_err(RepairError::Wrapper)?;
        documents.iter().for_each(|document| drop(survey.add(document)));
        let report = survey.finish().map_err(RepairError::Unknown)?;
        let (mut rest, mut taken) = (Vec::new(), Vec::new());
        let mut before = Vec::new();
        for (document, about) in documents.iter().zip(&report.pages) {
            let records = match about.state {
                PageState::Changed(_) => run.page(&document.page),
                _ => Vec::new(),
            };
            let (old, others): (Vec<&PathRecord>, Vec<&PathRecord>) = records
                .iter()
                .partition(|record| is_whole(&document.page, record, &usual));
            let (Some(new), Some(only)) = (without(document, &old), without(document, &others)) else {
                return Ok(None);
            };
            if !old.is_empty() {
                before.push(only);
            }
            taken.push(old.iter().map(|record| row(record, profile)).collect::<Vec<Row>>());
            rest.push(new);
        }
        if taken.iter().map(Vec::len).sum::<usize>() < SOME || !are_as_before(&wrapper, &before)? {
            return Ok(None);
        }
        Ok(Some(Halves {
            wrapper,
            was,
            rest,
            taken,
        }))
    }

    /// The repair of all rows, from that of the rows that are not as before; none if no rule reads both.
    ///
    /// # Errors
    ///
    /// The rule cannot be run.
    pub(crate) fn united(&self, documents: &[Document], rest: Repair) -> Result<Option<Repair>, RepairError> {
        let wrapper = &self.wrapper;
        let (Rule::Paths(old), Rule::Paths(new)) = (&wrapper.rule, &rest.wrapper.rule) else {
            return Ok(None);
        };
        let [profile] = &wrapper.evidence.profiles[..] else {
            return Ok(None);
        };
        if !rest.needed().any(|field| field.sure >= ENOUGH && !field.left_out) {
            return Ok(None);
        }
        let runner = rest.wrapper.runner().map_err(RepairError::Wrapper)?;
        let mut counts = (0, 0);
        let mut labels: Vec<Rows> = Vec::new();
        for ((document, original), taken) in self.rest.iter().zip(documents).zip(&self.taken) {
            let mut rows = runner.rows(document);
            let most = MORE * profile.per_page.1 as f64;
            let is_one = (rows[0].len() + taken.len()) as f64 <= most || are_among(old, new, original);
            if !taken.is_empty() && !is_one {
                return Ok(None);
            }
            counts = (counts.0 + taken.len(), counts.1 + rows[0].len());
            rows[0].extend(taken.iter().cloned());
            labels.push(rows);
        }
        if counts.1 < SOME {
            return Ok(None);
        }
        let all: Vec<&Document> = documents.iter().collect();
        // A field that is not sure in the new rows is still read in the old ones.
        let new = &with_ways(new, old);
        let both = [unite(old, new, documents), unite(new, old, documents)];
        let both = both.into_iter().flatten().filter_map(|rule| {
            let candidate = Wrapper::bare(Rule::Paths(rule), wrapper.record_type.clone(), wrapper.given.clone());
            let agreed = agreement(wrapper, &candidate, &all, &labels)?;
            let gives_all = agreed.iter().flatten().all(|given| given.share >= AGREED);
            gives_all.then(|| (mean(&agreed), candidate))
        });
        // The first of those that are as good.
        let best = both.reduce(|best, other| if other.0 > best.0 { other } else { best });
        let Some((_, candidate)) = best else { return Ok(None) };
        let made = Wrapper::made(candidate.rule, candidate.record_type, wrapper.given.clone(), documents);
        let mut made = made.map_err(RepairError::Wrapper)?;
        take_settings(&mut made, wrapper);
        let tables = wrapper.record_type.tables();
        let homes = homes(&tables, &made.record_type.tables());
        keep_samples(&mut made, &wrapper.evidence.profiles, &homes);
        made.evidence.doubts.clone_from(&rest.wrapper.evidence.doubts);
        let mut notes = rest.notes;
        notes.push(format!(
            "on pages that have changed, {} records are as before and {} have a new template: the new rule reads both",
            counts.0, counts.1
        ));
        if let Some(kind) = self.was {
            notes.push(format!(
                "a rule of the kind `{kind}` has one template: the new wrapper is of the kind `paths`"
            ));
        }
        Ok(Some(Repair {
            wrapper: made,
            notes,
            ..rest
        }))
    }
}

/// A wrapper of another kind as one of paths, if its list is shorter than it was, some rows are whole, and paths give the same values.
fn by_paths(wrapper: &Wrapper, documents: &[Document], usual: &[usize]) -> Result<Option<Wrapper>, RepairError> {
    let profile = &wrapper.evidence.profiles[0];
    if profile.per_page.1 < 2 || matches!(wrapper.rule, Rule::Oxpath(_)) {
        return Ok(None);
    }
    let runner = wrapper.runner().map_err(RepairError::Wrapper)?;
    let all: Vec<&Document> = documents.iter().collect();
    let given: Vec<Rows> = all.iter().map(|document| runner.rows(document)).collect();
    let is_whole = |row: &&Row| usual.iter().all(|field| !row[*field].is_empty());
    let is_shorter = |rows: &Rows| (rows[0].len() as f64) < FEWER * profile.per_page.0 as f64;
    let whole = given
        .iter()
        .map(|rows| rows[0].iter().filter(is_whole).count())
        .sum::<usize>();
    if whole < SOME || !given.iter().any(is_shorter) {
        return Ok(None);
    }
    let Ok(learned) = relearn::paths(wrapper, &all, &given, &[true]) else {
        return Ok(None);
    };
    let gives_the_same = agreement(wrapper, &learned, &all, &given)
        .is_some_and(|agreed| agreed.iter().flatten().all(|given| given.share >= AGREED));
    Ok(gives_the_same.then(|| Wrapper {
        rule: learned.rule,
        ..wrapper.clone()
    }))
}

/// The fields that nearly every record had.
fn usual(profile: &Profile) -> Vec<usize> {
    let is_usual = |field: &usize| {
        let known = &profile.fields[*field];
        known.count > 0 && known.records as f64 >= NEARLY_ALL * profile.records as f64
    };
    (0..profile.fields.len()).filter(is_usual).collect()
}

/// Has a record all usual fields, and are its values inside of its element?
fn is_whole(page: &Page, record: &PathRecord, usual: &[usize]) -> bool {
    let is_inside = |node: NodeId| record.node <= node && node < page.end(record.node);
    let has = |field: &usize| record.values.iter().any(|value| value.field == *field);
    record.node != NodeId::DOCUMENT && record.values.iter().all(|value| is_inside(value.node)) && usual.iter().all(has)
}

/// The values of a record, field by field.
fn row(record: &PathRecord, profile: &Profile) -> Row {
    let mut row: Row = vec![Vec::new(); profile.fields.len()];
    for value in &record.values {
        row[value.field].push(value.text.clone());
    }
    row
}

/// A page without the elements of some records.
fn without(document: &Document, records: &[&PathRecord]) -> Option<Document> {
    if records.is_empty() {
        return Some(document.clone());
    }
    let nodes: Vec<NodeId> = records.iter().map(|record| record.node).collect();
    let html = document.page.to_html_without(&nodes);
    let page = Page::parse_str(&html, &Limits::default()).ok()?;
    Some(Document {
        page: page.into(),
        source: None,
        ..document.clone()
    })
}

/// Does each field pass the check on these pages?
fn are_as_before(wrapper: &Wrapper, documents: &[Document]) -> Result<bool, RepairError> {
    let now = wrapper.observe(documents).map_err(RepairError::Wrapper)?;
    let report = compare(wrapper, now).map_err(|Unknown| RepairError::Unknown(Unknown))?;
    let mut fields = report.tables.iter().flat_map(|table| &table.alarm.fields);
    Ok(fields.all(|health| health.reasons.is_empty()))
}

/// A rule whose fields without any way have those of another rule.
fn with_ways(rule: &Paths, other: &Paths) -> Paths {
    let mut rule = rule.clone();
    for (field, other) in rule.fields.iter_mut().zip(&other.fields) {
        if field.ways.is_empty() {
            field.ways.clone_from(&other.ways);
        }
    }
    rule
}

/// Are most records of one rule between records of the other one, in page order?
fn are_among(old: &Paths, new: &Paths, document: &Document) -> bool {
    let nodes = |rule: &Paths| -> Vec<NodeId> {
        let run = PathsRun::new(rule).map(|run| run.page(&document.page));
        run.map_or_else(
            |_| Vec::new(),
            |records| records.iter().map(|record| record.node).collect(),
        )
    };
    let (old, new) = (nodes(old), nodes(new));
    let (Some(first), Some(last)) = (old.first(), old.last()) else {
        return false;
    };
    new.iter().filter(|node| first < *node && *node < last).count() * 2 > new.len()
}

/// A rule whose records are those of both rules, and whose fields have the ways of the first one and then of the other one.
fn unite(first: &Paths, then: &Paths, documents: &[Document]) -> Option<Paths> {
    let leads = |path: &&String| {
        let is_found = |query: &Query, document: &Document| matches!(query.evaluate(&document.page), Ok(Value::Nodes(nodes)) if !nodes.is_empty());
        Query::compile(path).is_ok_and(|query| documents.iter().any(|document| is_found(&query, document)))
    };
    let (one, other) = (first.each.iter().find(leads)?, then.each.iter().find(leads)?);
    let mut rule = join(first, then);
    if one != other {
        rule.each.insert(0, format!("{one} | {other}"));
    }
    Some(rule)
}
