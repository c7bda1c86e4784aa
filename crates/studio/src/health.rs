//! The health of a wrapper over time: what looks at its site found, which runs there were, and a look now.

use crate::api;
use crate::going;
use crate::project::{Project, Trouble};
use crate::state::relative;
use std::sync::Arc;
use wrapwright::history::{self, Entry, History};
use wrapwright::tend::{WatchSettings, Watcher};

/// The most looks that are shown.
const MOST_LOOKS: usize = 60;

impl Project {
    /// The history of the wrapper and the runs of the project.
    pub(crate) fn health(&self) -> api::Over {
        let (rev, file) = {
            let inner = self.lock();
            (inner.rev, inner.file.clone())
        };
        let path = history::default_path(&file);
        let mut over = api::Over {
            rev,
            file: relative(&self.opening.project, &path),
            runs: going::kept(&self.opening.project),
            ..api::Over::default()
        };
        if !path.is_file() {
            return over;
        }
        let read = History::existing(&path).and_then(|history| Ok((history.count()?, history.last(MOST_LOOKS)?)));
        match read {
            Ok((count, entries)) => {
                over.count = count;
                over.fields = strips(&entries);
                over.looks = entries.iter().map(look).collect();
            }
            Err(error) => over.problem = Some(error.to_string()),
        }
        over
    }

    /// The history as a picture.
    pub(crate) fn picture(&self) -> Option<String> {
        let file = self.lock().file.clone();
        let history = History::existing(&history::default_path(&file)).ok()?;
        let entries = history.last(usize::MAX).ok()?;
        Some(history::svg(&entries, &relative(&self.opening.project, &file)))
    }

    /// Fetches the pages of the saved wrapper again, checks it, and adds the look to its history. The wrapper stays as it is.
    pub(crate) fn look(self: &Arc<Project>) -> Result<(), Trouble> {
        let (rev, now, wrapper) = self.with_wrapper()?;
        let (file, is_saved) = {
            let inner = self.lock();
            (inner.file.clone(), inner.saved == inner.now.wrapper)
        };
        if !is_saved {
            return Err(Trouble::new("save the wrapper first: its history belongs to the file"));
        }
        self.busy("looking at the site", |job| {
            let read = self.pages_of(&wrapper, job)?;
            let failed = |error: wrapwright::tend::WatchError| Trouble::with(&error, error.remedy());
            let mut watcher = Watcher::new(&file, (*wrapper).clone()).map_err(failed)?;
            let settings = WatchSettings {
                repair: false,
                update: false,
                ..WatchSettings::default()
            };
            let seen = watcher
                .look(&read.documents, read.failed.len() as u64, &settings, job)
                .map_err(failed)?;
            let note = format!(
                "looked at {} pages: {}",
                read.documents.len(),
                seen.entry.verdict.name()
            );
            if !read.documents.is_empty() {
                // The values that were pointed at are on pages that are no longer open.
                let mut now = now.with_documents(read.documents);
                now.points = Arc::default();
                self.commit(rev, "pages fetched again", now, vec![note])?;
            }
            let mut inner = self.lock();
            inner.failed = read.failed;
            inner.checked(seen.check);
            Ok(())
        })
    }
}

fn strips(entries: &[Entry]) -> Vec<api::Strip> {
    let strip = |strip: history::Strip<'_>| api::Strip {
        name: strip.name.to_owned(),
        cells: strip
            .cells
            .iter()
            .map(|cell| {
                cell.map(|(health, field)| api::StripCell {
                    state: health.name(),
                    count: field.count,
                    reason: field.reason.clone(),
                })
            })
            .collect(),
    };
    history::strips(entries).into_iter().map(strip).collect()
}

fn look(entry: &Entry) -> api::Look {
    let repaired = entry.repair.iter().flat_map(|repair| &repair.fields);
    api::Look {
        when: entry.when.clone(),
        verdict: entry.verdict.name(),
        pages: entry.pages,
        failed: entry.failed_pages,
        records: entry.records,
        sure: repaired
            .map(|(name, sure)| (name.clone(), (sure * 100.0).floor().clamp(0.0, 100.0) as u32))
            .collect(),
        kept_as: entry
            .repair
            .as_ref()
            .map(|repair| repair.kept_as.clone())
            .unwrap_or_default(),
        note: entry
            .repair
            .as_ref()
            .map(|repair| repair.note.clone())
            .unwrap_or_default(),
    }
}
