//! Repairs: whether to make one, whether it is sure enough, and what changed, for people and for programs.
//!
//! The text of a repair has a line for each field, with how sure it is and some values of before and now, and then the lines
//! of the rule that differ. Values are the best evidence that people can judge by, so they come first.

use super::{ENOUGH, FieldRepair, Repair, RepairError, Report, TendError, repair_at_least, strangers, survey};
use crate::clip::clip;
use crate::wrapper::{Evidence, Wrapper};
use crate::{Document, Job, show};
use serde_json::{Value, json};

/// When to repair, and when to trust the result.
#[derive(Clone, Debug, PartialEq)]
pub struct RepairSettings {
    /// How sure each field that most records have must be, from 0 to 1.
    pub at_least: f64,
    /// Repair a wrapper that still works, too, and use the result however sure it is.
    pub force: bool,
    /// Somebody looks at the repair and takes it as it is, so later checks do not tell which fields it left out or was not sure of. See [`accept_repair`].
    pub accept: bool,
}

impl Default for RepairSettings {
    fn default() -> RepairSettings {
        RepairSettings {
            at_least: ENOUGH,
            force: false,
            accept: false,
        }
    }
}

/// What became of a wrapper that was to be repaired.
#[derive(Clone, Debug)]
pub enum RepairOutcome {
    /// It works on these pages as it did, so it was left as it is.
    Healthy(Report),
    /// It was repaired, and the result is sure enough.
    Repaired(Repair),
    /// It was repaired without fields that most records had, because they are not sure enough; the others are.
    Partly(Repair),
    /// It was repaired, but the result is not sure enough.
    Unsure(Repair),
}

impl RepairOutcome {
    /// The repair, if one was made.
    pub fn repair(&self) -> Option<&Repair> {
        match self {
            RepairOutcome::Healthy(_) => None,
            RepairOutcome::Repaired(repair) | RepairOutcome::Partly(repair) | RepairOutcome::Unsure(repair) => {
                Some(repair)
            }
        }
    }

    /// The wrapper to use from now on, if it is another one: a repair with what is sure enough, or any with
    /// [`RepairSettings::force`].
    pub fn accepted(&self, settings: &RepairSettings) -> Option<&Wrapper> {
        match self {
            RepairOutcome::Repaired(repair) | RepairOutcome::Partly(repair) => Some(&repair.wrapper),
            RepairOutcome::Unsure(repair) if settings.force => Some(&repair.wrapper),
            _ => None,
        }
    }
}

/// Makes a new rule for a wrapper from changed pages, unless it works on them as it did.
///
/// # Errors
///
/// See [`RepairError`].
pub fn repair_with(
    wrapper: &Wrapper,
    documents: &[Document],
    settings: &RepairSettings,
    job: &Job,
) -> Result<RepairOutcome, RepairError> {
    // A new rule for a wrapper that works can only be worse.
    if !settings.force && wrapper.is_known() && !documents.is_empty() {
        let report = survey(wrapper, documents, job).map_err(|error| match error {
            TendError::Wrapper(error) => RepairError::Wrapper(error),
            TendError::Unknown(error) => RepairError::Unknown(error),
            _ => RepairError::Stopped,
        })?;
        if report.is_fine() {
            return Ok(RepairOutcome::Healthy(report));
        }
        refuse_strangers(wrapper, documents, &report)?;
    }
    let at_least = if settings.force { 0.0 } else { settings.at_least };
    let mut repair = repair_at_least(wrapper, documents, at_least, job)?;
    if settings.accept {
        looked_at(&mut repair.wrapper.evidence);
    }
    let is_sure = |field: &FieldRepair| field.sure >= settings.at_least;
    let (whole, some) = (repair.needed().all(is_sure), repair.needed().any(is_sure));
    Ok(match (whole, some) {
        (true, _) => RepairOutcome::Repaired(repair),
        (false, true) if !settings.force => RepairOutcome::Partly(repair),
        _ => RepairOutcome::Unsure(repair),
    })
}

/// The wrapper of a repair that somebody has looked at and accepts, without some of its fields.
///
/// Whoever accepts a repair has seen which fields it leaves out, so these are not told as missing at each check, and no field is called doubtful.
///
/// # Errors
///
/// A field that is to be left out does not exist, or nothing would be left.
pub fn accept_repair(repaired: &Wrapper, leave: &[String]) -> Result<Wrapper, crate::make::MakeError> {
    let edit = crate::fields::Edit {
        drop: leave.to_vec(),
        ..crate::fields::Edit::default()
    };
    let mut wrapper = match leave.is_empty() {
        true => repaired.clone(),
        false => edit.apply(repaired)?,
    };
    looked_at(&mut wrapper.evidence);
    Ok(wrapper)
}

/// Somebody has looked at what a wrapper gives, so it is not doubtful any more.
pub(super) fn looked_at(evidence: &mut Evidence) {
    evidence.doubts.clear();
}

/// Pages that are named in a refusal.
const NAMED: usize = 3;

/// Refuses a repair if all pages that are not as before are surely of another kind: errors and logins say nothing about the site.
pub(super) fn refuse_strangers(wrapper: &Wrapper, documents: &[Document], report: &Report) -> Result<(), RepairError> {
    if report.counts.changed > 0 || report.counts.others == 0 {
        return Ok(());
    }
    let strange = strangers(wrapper, documents).map_err(RepairError::Wrapper)?;
    if (strange.len() as u64) < report.counts.others {
        return Ok(());
    }
    let name = |(at, why): &(usize, String)| format!("{} ({why})", clip(&documents[*at].name, SHOWN_NAME));
    let mut words: Vec<String> = strange.iter().take(NAMED).map(name).collect();
    if strange.len() > NAMED {
        words.push(format!("and {} more", strange.len() - NAMED));
    }
    Err(RepairError::OtherKind(words.join(", ")))
}

/// The most characters of the name of a page that are shown.
const SHOWN_NAME: usize = 80;

/// Which fields of a repair are not sure enough, in words.
///
/// Numbers are rounded so that they agree with the decision: down for what a field has, up for what it needs.
pub fn not_sure(repair: &Repair, at_least: f64) -> String {
    let weak = repair
        .fields
        .iter()
        .filter(|field| field.shown && field.sure < at_least);
    let names: Vec<String> = weak
        .map(|field| format!("`{}` ({} %)", field.name, below(field.sure, at_least)))
        .collect();
    format!(
        "not sure enough of {}: a field must be at least {} % sure",
        names.join(", "),
        (at_least * 1000.0 - 1e-6).ceil() / 10.0
    )
}

/// How sure a field is in per cent: a number that is less than what is needed, if the field is.
fn below(sure: f64, at_least: f64) -> f64 {
    let whole = (sure * 100.0).round();
    match whole < at_least * 100.0 {
        true => whole,
        false => (sure * 1000.0).floor() / 10.0,
    }
}

/// A repair for people: the fields with values of before and now, and how the rule changed.
pub fn repair_text(old: &Wrapper, repair: &Repair) -> String {
    let names = repair.fields.iter().map(|field| field.name.chars().count());
    let width = names.max().unwrap_or(0).clamp(5, 24);
    let mut out = format!("{:<width$}  sure  {:<SAMPLE$}  now\n", "field", "before");
    for field in &repair.fields {
        let mut first = format!("{:<width$}  {:>3.0}%", clip(&field.name, width), field.sure * 100.0);
        let lines = field.before.len().max(field.after.len()).clamp(1, 3);
        for line in 0..lines {
            let cell = |values: &[String]| match values.get(line) {
                Some(text) => clip(text, SAMPLE),
                None if line == 0 => "(none)".to_owned(),
                None => String::new(),
            };
            let (before, mut after) = (cell(&field.before), cell(&field.after));
            if field.left_out {
                after = if line == 0 {
                    "(left out)".to_owned()
                } else {
                    String::new()
                };
            }
            out += format!("{first}  {before:<SAMPLE$}  {after}").trim_end();
            out.push('\n');
            first = " ".repeat(width + 6);
        }
        if let [best, next] = &field.candidates[..] {
            let some = |values: &[String]| match values.first() {
                Some(text) => clip(text, SAMPLE),
                None => "(none)".to_owned(),
            };
            out += &format!("{first}  two places fit: {} or {}\n", some(best), some(next));
        }
    }
    let changed = diff(&rule_of(old), &rule_of(&repair.wrapper));
    if !changed.is_empty() {
        out += &format!("\n{changed}");
    }
    for note in &repair.notes {
        out += &format!("\nnote: {note}\n");
    }
    out
}

/// A repair for programs; `good` says whether it is sure enough.
pub fn repair_json(repair: &Repair, good: bool) -> Value {
    let fields = repair.fields.iter().map(|field| {
        json!({
            "name": field.name, "sure": field.sure, "usual": field.usual, "left_out": field.left_out,
            "before": field.before, "after": field.after, "candidates": field.candidates,
        })
    });
    json!({
        "good": good, "sure": repair.sure(), "kind": repair.wrapper.rule.kind(),
        "fields": fields.collect::<Vec<_>>(), "notes": repair.notes,
    })
}

/// The width of a column of samples, in characters.
const SAMPLE: usize = 34;

/// The rule alone in words, without what is known of the values and without the pages.
fn rule_of(wrapper: &Wrapper) -> String {
    let bare = Wrapper {
        evidence: Evidence::default(),
        ..wrapper.clone()
    };
    show::text(&bare)
}

/// Lines that are compared, and printed, at most.
const COMPARED: usize = 1500;
const PRINTED: usize = 60;

/// The lines that two texts do not share, `-` those of the first, `+` those of the second, in order.
fn diff(old: &str, new: &str) -> String {
    let (a, b): (Vec<&str>, Vec<&str>) = (
        old.lines().take(COMPARED).collect(),
        new.lines().take(COMPARED).collect(),
    );
    // The longest common subsequence from each pair of places on.
    let mut longest = vec![vec![0u32; b.len() + 1]; a.len() + 1];
    for i in (0..a.len()).rev() {
        for j in (0..b.len()).rev() {
            longest[i][j] = match a[i] == b[j] {
                true => longest[i + 1][j + 1] + 1,
                false => longest[i + 1][j].max(longest[i][j + 1]),
            };
        }
    }
    let (mut i, mut j) = (0, 0);
    let mut lines = Vec::new();
    while i < a.len() || j < b.len() {
        if i < a.len() && j < b.len() && a[i] == b[j] {
            (i, j) = (i + 1, j + 1);
        } else if i < a.len() && (j == b.len() || longest[i + 1][j] >= longest[i][j + 1]) {
            lines.push(format!("- {}\n", a[i]));
            i += 1;
        } else {
            lines.push(format!("+ {}\n", b[j]));
            j += 1;
        }
    }
    let more = lines.len().saturating_sub(PRINTED);
    let mut out: String = lines.into_iter().take(PRINTED).collect();
    if more > 0 {
        out += &format!("… and {more} more lines\n");
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_are_lines() {
        assert_eq!(diff("a\nb\nc\n", "a\nx\nc\nd\n"), "- b\n+ x\n+ d\n");
        assert_eq!(diff("a\n", "a\n"), "");
        assert_eq!(diff("", "a\n"), "+ a\n");
    }

    #[test]
    fn what_is_not_enough_is_told_as_less() {
        let check = |sure, at_least, expected: f64| {
            let told = below(sure, at_least);
            assert!(
                (told - expected).abs() < 1e-9 && told < at_least * 100.0,
                "{sure}: {told}"
            );
        };
        check(0.12, 0.3, 12.0);
        check(0.296, 0.3, 29.6);
        check(0.2999, 0.3, 29.9);
        check(0.304, 0.305, 30.0);
        check(0.0, 0.3, 0.0);
    }

    #[test]
    fn samples_are_one_short_line() {
        assert_eq!(clip("a \n b\u{1b}[2J", 10), "a b[2J");
        assert_eq!(clip("abcdef", 4), "abc…");
    }
}
