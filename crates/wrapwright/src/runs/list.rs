//! The runs in a directory, to look at.

use super::Plan;
use super::error::{KeptError, KeptProblem};
use super::store::{FILE, Store};
use browse::recording_in;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

/// What became of a run so far.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct RunEntry {
    /// Its directory.
    pub folder: PathBuf,
    /// Its name.
    pub run: String,
    /// `running`, `killed` (its process is gone), `stopped`, `failed`, `limit` or `ended`.
    pub state: String,
    /// When it began, by ISO 8601.
    pub begun: String,
    /// When its last process ended; none if that was killed or still works.
    pub ended: Option<String>,
    /// How many processes have worked on it.
    pub processes: u64,
    /// Pages, records and failures of its last process, which goes through those of the earlier ones again.
    pub pages: u64,
    /// Records.
    pub records: u64,
    /// Failures.
    pub failures: u64,
    /// Failures by kind.
    pub failures_by_kind: BTreeMap<String, u64>,
    /// Answers that are kept.
    pub requests: u64,
    /// The bytes of the recording.
    pub bytes: u64,
    /// Records whose key was not there before; only in tables with a key.
    pub added: u64,
    /// Records that were there before with other values.
    pub changed: u64,
    /// Records that were marked as gone.
    pub gone: u64,
    /// Where the records go.
    pub output: String,
}

/// The run of a directory, or those of the directories in it, the oldest first.
///
/// # Errors
///
/// The directory cannot be read, or has no run.
pub fn list(folder: &Path) -> Result<Vec<RunEntry>, KeptError> {
    let failed = |error: std::io::Error| match error.kind() {
        std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory => KeptProblem::Missing.at(folder),
        _ => KeptProblem::Io(error).at(folder),
    };
    let mut folders = Vec::new();
    if folder.join(FILE).is_file() {
        folders.push(folder.to_owned());
    }
    for entry in fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        if path.join(FILE).is_file() {
            folders.push(path);
        }
    }
    if folders.is_empty() {
        return Err(KeptProblem::Missing.at(folder));
    }
    let entries = folders
        .iter()
        .map(|folder| entry(folder).map_err(|problem| problem.at(folder)));
    let mut entries: Vec<RunEntry> = entries.collect::<Result<_, _>>()?;
    entries.sort_by(|one, other| (&one.begun, &one.folder).cmp(&(&other.begun, &other.folder)));
    Ok(entries)
}

/// The last run beside this directory that did what a plan says and has ended; none if there is none that can be read.
pub fn last_before(folder: &Path, plan: &Plan) -> Option<PathBuf> {
    let folder = std::path::absolute(folder).ok()?;
    let beside = fs::read_dir(folder.parent()?).ok()?;
    let ended = beside.flatten().map(|entry| entry.path()).filter_map(|path| {
        let file = path.join(FILE);
        let store = (path != folder && file.is_file()).then(|| Store::look(&file).ok())??;
        let text = |name: &str| store.text(name).ok().flatten();
        let known: Plan = serde_json::from_str(&text("plan")?).ok()?;
        let is_same = known.hash == plan.hash && text("state")? == "ended" && !is_locked(&path);
        is_same.then_some((text("begun")?, path))
    });
    ended.max().map(|(_, path)| path)
}

fn entry(folder: &Path) -> Result<RunEntry, KeptProblem> {
    let store = Store::look(&folder.join(FILE))?;
    let text = |name: &str| store.text(name).map(Option::unwrap_or_default);
    let mut state = text("state")?;
    if state == "running" && !is_locked(folder) {
        state = "killed".to_owned();
    }
    let is_over = !matches!(state.as_str(), "running" | "killed");
    Ok(RunEntry {
        folder: folder.to_owned(),
        run: text("run")?,
        begun: text("begun")?,
        ended: store.text("ended")?.filter(|_| is_over),
        processes: store.number("processes")?,
        pages: store.number("pages")?,
        records: store.number("records")?,
        failures: store.number("failures")?,
        failures_by_kind: serde_json::from_str(&text("failures_by_kind")?).unwrap_or_default(),
        requests: store.requests()?,
        bytes: fs::metadata(recording_in(folder)).map_or(0, |about| about.len()),
        added: store.number("added")?,
        changed: store.number("changed")?,
        gone: store.number("gone")?,
        output: text("place")?,
        state,
    })
}

/// Does a process work on the run?
pub(super) fn is_locked(folder: &Path) -> bool {
    let file = File::open(folder.join("lock"));
    file.is_ok_and(|file| file.try_lock_shared().is_err())
}
