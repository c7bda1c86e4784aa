//! The state as the page shows it.

use crate::mend::Mending;
use crate::project::{Inner, Project};
use crate::{api, load};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::PoisonError;
use wrapwright::tend::{RepairOutcome, Report};
use wrapwright::wrapper::{Links, Onward};
use wrapwright::{Document, Wrapper, show};

impl Project {
    /// Everything but rows and boxes, for the page.
    pub(crate) fn state(&self) -> api::State {
        let inner = self.lock();
        let now = &inner.now;
        let mending = inner.repair.as_deref();
        // What a check says is said of the wrapper before the repair.
        let doubts = doubts(inner.health.as_deref().filter(|_| mending.is_none()));
        let pointed = |field: &str| now.points.get(field).map_or(0, Vec::len);
        let doubt = |field: &str| doubts.get(field).cloned();
        let wrapper = mending.and_then(Mending::wrapper).or(now.wrapper.as_deref());
        let view = inner.shown();
        let fields = wrapper.map_or_else(Vec::new, |wrapper| crate::view::fields(wrapper, &view, pointed, doubt));
        let pages = now.documents.iter().enumerate().map(|(number, document)| {
            let other = now.groups.get(number).is_some_and(|group| *group > 0);
            let note = view.notes.get(number).cloned().flatten();
            let note = note.or_else(|| other.then(|| "looks different from most pages".to_owned()));
            api::Page {
                name: document.name.to_string(),
                title: title(document),
                rows: view.rows_of(number),
                note,
                has_address: load::address(document).is_some(),
                is_cut: document.page.len() > show::MOST_NODES,
            }
        });
        api::State {
            rev: inner.rev,
            busy: inner.busy.clone(),
            error: inner.error.clone(),
            notes: inner.notes.clone(),
            pages: pages.collect(),
            failed: inner.failed.clone(),
            fields,
            rows: view.total(),
            empty: view.empty(),
            wrapper: wrapper.map(described),
            file: relative(&self.opening.project, &inner.file),
            is_saved: now.wrapper.is_some() && now.wrapper == inner.saved,
            saves: inner.saves,
            undo: undoable(&inner),
            redo: mending
                .is_none()
                .then(|| inner.redo.last().map(|(what, _)| what.clone()))
                .flatten(),
            health: inner.health.as_deref().map(health),
            repair: mending.map(repair),
            run: self
                .going
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .as_ref()
                .map(|going| going.told()),
            loading: {
                let (on, loaded, failed) = self.loading.told();
                api::Loading { on, loaded, failed }
            },
        }
    }
}

fn undoable(inner: &Inner) -> Option<String> {
    match inner.repair.as_ref().filter(|mending| mending.wrapper().is_some()) {
        Some(mending) => mending.correction().map(str::to_owned),
        None => inner.undo.last().map(|(what, _)| what.clone()),
    }
}

fn described(wrapper: &Wrapper) -> api::Wrapper {
    let navigation = wrapper.navigation.clone().unwrap_or_default();
    let follow = navigation.follow.iter().map(|links| match links {
        Links::Path(text) | Links::Like(text) => text.clone(),
    });
    api::Wrapper {
        kind: wrapper.rule.kind(),
        record: wrapper.record_type.name.clone(),
        start: navigation.start.first().cloned(),
        next: match &navigation.next {
            None => "none".to_owned(),
            Some(Onward::Pager) => "auto".to_owned(),
            Some(Onward::Link(path)) => path.clone(),
        },
        follow: follow.collect(),
    }
}

/// A path as the page shows it.
pub(crate) fn relative(project: &Path, path: &Path) -> String {
    path.strip_prefix(project).unwrap_or(path).display().to_string()
}

fn title(document: &Document) -> String {
    let page = &document.page;
    let found = page.name_id("title").and_then(|name| page.elements_named(name).first());
    let words: Vec<&str> = found
        .map_or("", |title| page.string_value(*title))
        .split_whitespace()
        .collect();
    words.join(" ").chars().take(80).collect()
}

/// For each field that is shown and not well, why.
fn doubts(report: Option<&Report>) -> BTreeMap<String, String> {
    let tables = report.into_iter().flat_map(|report| &report.tables);
    let each = tables.flat_map(|table| {
        let names = table.table.columns.iter();
        let names = names.map(|column| [&table.table.path[..], &column.path].concat().join("."));
        names.zip(&table.alarm.fields)
    });
    let doubtful = each.filter(|(_, field)| field.is_shown && !field.reasons.is_empty());
    doubtful.map(|(name, field)| (name, field.reasons.join("; "))).collect()
}

fn health(report: &Report) -> api::Health {
    let mut reasons: Vec<String> = report
        .tables
        .iter()
        .flat_map(|table| table.alarm.reasons.clone())
        .collect();
    reasons.extend(
        doubts(Some(report))
            .iter()
            .map(|(name, reason)| format!("{name}: {reason}")),
    );
    api::Health {
        is_fine: report.is_fine(),
        reasons,
        text: report.to_text(100, false),
    }
}

fn repair(mending: &Mending) -> api::Repair {
    let outcome = &mending.outcome;
    let (name, words) = match outcome {
        RepairOutcome::Healthy(_) => (
            "healthy",
            "The wrapper works on these pages as it did. Nothing was changed.",
        ),
        RepairOutcome::Repaired(_) => (
            "repaired",
            "All fields were found again. Compare before and now, then accept.",
        ),
        RepairOutcome::Partly(_) => (
            "partly",
            "Some fields are not sure enough and were left out. The others can be accepted.",
        ),
        RepairOutcome::Unsure(_) => (
            "unsure",
            "The fields are not sure enough. Accept only if the values of now are right.",
        ),
    };
    let found = outcome.repair();
    let fields = found.map_or(&[][..], |repair| &repair.fields[..]).iter();
    let some = |values: &[String]| values.iter().take(3).map(|text| crate::view::clip(text)).collect();
    api::Repair {
        outcome: name,
        words: words.to_owned(),
        fields: fields
            .map(|field| api::RepairedField {
                name: field.name.clone(),
                // Rounded down: what is not quite sure must not look sure.
                sure: (field.sure * 100.0).floor().clamp(0.0, 100.0) as u32,
                left_out: field.left_out,
                corrected: mending.corrected.contains(&field.name),
                before: some(&field.before),
                now: some(&field.after),
            })
            .collect(),
        notes: found.map_or_else(Vec::new, |repair| repair.notes.clone()),
        old_pages: mending.old.len(),
    }
}
