//! The database of a run: an SQLite file in WAL mode.
//!
//! | table | |
//! |---|---|
//! | `run` | names and values: `plan` (JSON), `run`, `state`, `pages`, `records`, `failures`, … |
//! | `requests` | an answer in each row: fingerprint, run and turn of the request, where the answer is, what came of it |
//! | `records` | hashes of the records that were found, many in each row, for later runs that want only what is new |
//! | `pages` | pages that a wrapper was applied to (a hash of address and content), with the hashes of their records |
//!
//! Rows are added in one long transaction, which is committed once a second. What is not committed when the process is
//! killed is read again from the recording; `length` says how much of that the table knows.

use super::error::KeptProblem;
use crate::session::RunReport;
use browse::{Kept, Moment};
use rusqlite::{Connection, ErrorCode, OpenFlags, OptionalExtension, params};
use std::path::Path;
use std::time::Duration;

/// The name of the file.
pub(super) const FILE: &str = "run.sqlite";

/// `WWru`.
const OURS: i64 = 0x5757_7275;
/// The version of the tables below.
const VERSION: i64 = 3;
/// How long to wait while another process looks at the file.
const PATIENCE: Duration = Duration::from_secs(5);

const TABLES: &str = "
    CREATE TABLE run (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
    CREATE TABLE requests (
        id INTEGER PRIMARY KEY,
        fingerprint BLOB NOT NULL,
        run INTEGER NOT NULL,
        turn INTEGER NOT NULL,
        offset INTEGER NOT NULL,
        outcome TEXT NOT NULL,
        url TEXT
    ) STRICT;
    CREATE TABLE records (id INTEGER PRIMARY KEY, hashes BLOB NOT NULL) STRICT;
    CREATE TABLE pages (page BLOB PRIMARY KEY, hashes BLOB NOT NULL) STRICT, WITHOUT ROWID;
    CREATE INDEX requests_by_fingerprint ON requests (fingerprint);";

/// The database of a run, with a transaction that has begun.
#[derive(Debug)]
pub(super) struct Store {
    connection: Connection,
}

/// Removes a database that has no name yet.
fn remove(new: &Path) {
    for ending in ["new", "new-wal", "new-shm"] {
        let _ = std::fs::remove_file(new.with_extension(ending));
    }
}

/// An answer that is known.
pub(super) struct Known {
    pub(super) id: u64,
    pub(super) offset: u64,
    /// Was there an answer, and not a failure?
    pub(super) is_answer: bool,
}

impl Store {
    /// Makes the file. It has its name only when it is whole, so a process that is killed meanwhile leaves no half a run.
    pub(super) fn create(path: &Path, values: &[(&str, String)]) -> Result<Store, KeptProblem> {
        let new = path.with_extension("new");
        // What a process that was killed has left.
        remove(&new);
        let mut options = std::fs::OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        options.open(&new)?;
        let made = || -> Result<(), KeptProblem> {
            let connection = Connection::open(&new)?;
            // Nobody else knows the file, so the disk need not be waited for until it is whole.
            connection.execute_batch("PRAGMA synchronous = OFF")?;
            use_wal(&connection)?;
            connection.execute_batch("BEGIN IMMEDIATE")?;
            connection.execute_batch(TABLES)?;
            connection.pragma_update(None, "application_id", OURS)?;
            connection.pragma_update(None, "user_version", VERSION)?;
            let store = Store { connection };
            for (name, value) in values {
                store.set(name, value)?;
            }
            store.connection.execute_batch("COMMIT")?;
            drop(store);
            std::fs::OpenOptions::new().write(true).open(&new)?.sync_all()?;
            Ok(std::fs::rename(&new, path)?)
        };
        made().inspect_err(|_| {
            remove(&new);
        })?;
        Store::open(path)
    }

    pub(super) fn open(path: &Path) -> Result<Store, KeptProblem> {
        let connection = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
        prepare(&connection)?;
        is_ours(&connection)?;
        connection.execute_batch("BEGIN IMMEDIATE")?;
        Ok(Store { connection })
    }

    /// Opens the file to look at it, also while a process works on the run.
    pub(super) fn look(path: &Path) -> Result<Store, KeptProblem> {
        let connection = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_WRITE)
            .or_else(|_| Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY))?;
        connection.busy_timeout(PATIENCE)?;
        is_ours(&connection)?;
        connection.execute_batch("BEGIN")?;
        Ok(Store { connection })
    }

    /// A value.
    pub(super) fn text(&self, name: &str) -> Result<Option<String>, KeptProblem> {
        let mut found = self.connection.prepare("SELECT value FROM run WHERE name = ?1")?;
        Ok(found.query_row([name], |row| row.get(0)).optional()?)
    }

    /// A value that is a number; 0 if it is missing.
    pub(super) fn number(&self, name: &str) -> Result<u64, KeptProblem> {
        Ok(self.text(name)?.and_then(|text| text.parse().ok()).unwrap_or(0))
    }

    pub(super) fn set(&self, name: &str, value: &str) -> Result<(), KeptProblem> {
        let mut set = self
            .connection
            .prepare("INSERT OR REPLACE INTO run (name, value) VALUES (?1, ?2)")?;
        set.execute([name, value])?;
        Ok(())
    }

    /// Takes note of answers, which the recording has up to `end`. Only failures have their address here; the others have it
    /// in the recording.
    pub(super) fn add(&self, answers: &[Kept], end: u64) -> Result<(), KeptProblem> {
        let mut add = self.connection.prepare(
            "INSERT INTO requests (fingerprint, run, turn, offset, outcome, url) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
        )?;
        for kept in answers {
            let url = (kept.outcome != "200").then_some(kept.url.as_str());
            let bytes = kept.fingerprint.to_be_bytes();
            add.execute(params![
                &bytes[..],
                signed(kept.when.run),
                signed(kept.when.turn),
                signed(kept.offset),
                kept.outcome,
                url
            ])?;
        }
        self.set("length", &end.to_string())
    }

    /// The answers to a request at a moment, in order.
    pub(super) fn find(&self, fingerprint: u128, when: Moment) -> Result<Vec<Known>, KeptProblem> {
        let sql =
            "SELECT id, offset, outcome FROM requests WHERE fingerprint = ?1 AND run = ?2 AND turn = ?3 ORDER BY id";
        let mut find = self.connection.prepare(sql)?;
        let bytes = fingerprint.to_be_bytes();
        let found = find.query_map(params![&bytes[..], signed(when.run), signed(when.turn)], |row| {
            Ok(Known {
                id: unsigned(row.get(0)?),
                offset: unsigned(row.get(1)?),
                is_answer: row.get::<_, String>(2)?.bytes().all(|byte| byte.is_ascii_digit()),
            })
        })?;
        Ok(found.collect::<Result<_, _>>()?)
    }

    /// Where the last page is that was had for a request, whatever the moment.
    pub(super) fn find_last(&self, fingerprint: u128) -> Result<Option<u64>, KeptProblem> {
        let sql = "SELECT offset FROM requests WHERE fingerprint = ?1 AND outcome = '200' ORDER BY id DESC LIMIT 1";
        let mut find = self.connection.prepare(sql)?;
        let bytes = fingerprint.to_be_bytes();
        let found = find.query_row(params![&bytes[..]], |row| row.get(0)).optional()?;
        Ok(found.map(unsigned))
    }

    /// Forgets the requests that failed, or whose server could not answer; gives their number.
    pub(super) fn forget_failures(&self) -> Result<usize, KeptProblem> {
        let sql = "DELETE FROM requests WHERE outcome NOT GLOB '[0-9]*' OR outcome GLOB '5*' OR outcome = '429'";
        Ok(self.connection.execute(sql, [])?)
    }

    /// The last id of an answer. Only failures are ever removed, so it is about the number of answers.
    pub(super) fn requests(&self) -> Result<u64, KeptProblem> {
        let last = self
            .connection
            .query_row("SELECT max(id) FROM requests", [], |row| row.get::<_, Option<i64>>(0))?;
        Ok(unsigned(last.unwrap_or(0)))
    }

    /// Takes note of records that were found. An index of them would cost more than finding them.
    pub(super) fn add_records(&self, hashes: &[u64]) -> Result<(), KeptProblem> {
        if hashes.is_empty() {
            return Ok(());
        }
        let sql = "INSERT INTO records (hashes) VALUES (?1)";
        self.connection.execute(sql, params![to_bytes(hashes)])?;
        Ok(())
    }

    /// Takes note of pages and of the hashes of their records.
    pub(super) fn add_pages(&self, pages: &[(u128, Vec<u64>)]) -> Result<(), KeptProblem> {
        let sql = "INSERT OR REPLACE INTO pages (page, hashes) VALUES (?1, ?2)";
        let mut add = self.connection.prepare(sql)?;
        for (page, hashes) in pages {
            add.execute(params![&page.to_be_bytes()[..], to_bytes(hashes)])?;
        }
        Ok(())
    }

    /// The hashes of the records of a page, if it is known.
    pub(super) fn page(&self, page: u128) -> Result<Option<Vec<u64>>, KeptProblem> {
        let mut find = self.connection.prepare("SELECT hashes FROM pages WHERE page = ?1")?;
        let found = find.query_row(params![&page.to_be_bytes()[..]], |row| row.get::<_, Vec<u8>>(0));
        Ok(found.optional()?.map(|bytes| to_hashes(&bytes).collect()))
    }

    /// Forgets the records that were found: a process that goes on finds them again.
    pub(super) fn forget_records(&self) -> Result<(), KeptProblem> {
        self.connection
            .execute_batch("DELETE FROM records; DELETE FROM pages")?;
        Ok(())
    }

    /// The hashes of all records that were found, sorted.
    pub(super) fn records(&self) -> Result<Vec<u64>, KeptProblem> {
        let mut hashes = Vec::new();
        let mut find = self.connection.prepare("SELECT hashes FROM records")?;
        let mut rows = find.query([])?;
        while let Some(row) = rows.next()? {
            hashes.extend(to_hashes(&row.get::<_, Vec<u8>>(0)?));
        }
        hashes.sort_unstable();
        hashes.dedup();
        Ok(hashes)
    }

    /// Takes note of how far the run is.
    pub(super) fn count(&self, report: &RunReport) -> Result<(), KeptProblem> {
        let summary = &report.summary;
        self.set("pages", &summary.pages.to_string())?;
        self.set("records", &summary.records.to_string())?;
        self.set("failures", &summary.failures.to_string())?;
        self.set("failures_by_kind", &serde_json::to_string(&report.failures_by_kind)?)
    }

    /// Keeps everything so far, and begins the next transaction.
    pub(super) fn commit(&self) -> Result<(), KeptProblem> {
        Ok(self.connection.execute_batch("COMMIT; BEGIN IMMEDIATE")?)
    }

    /// Keeps everything; nothing more will be written.
    pub(super) fn close(&self) -> Result<(), KeptProblem> {
        self.connection
            .execute_batch("COMMIT; PRAGMA wal_checkpoint(TRUNCATE); BEGIN")?;
        Ok(())
    }
}

fn prepare(connection: &Connection) -> Result<(), KeptProblem> {
    connection.busy_timeout(PATIENCE)?;
    use_wal(connection)?;
    // A commit that a power failure undoes is read again from the recording, so it need not be waited for.
    connection.execute_batch("PRAGMA synchronous = NORMAL")?;
    Ok(())
}

fn use_wal(connection: &Connection) -> Result<(), KeptProblem> {
    connection.query_row("PRAGMA journal_mode = WAL", [], |row| row.get::<_, String>(0))?;
    Ok(())
}

fn is_ours(connection: &Connection) -> Result<(), KeptProblem> {
    let number = |name: &str| connection.query_row(&format!("PRAGMA {name}"), [], |row| row.get::<_, i64>(0));
    let ours = match number("application_id") {
        Err(error) if error.sqlite_error_code() == Some(ErrorCode::NotADatabase) => false,
        ours => ours? == OURS,
    };
    if !ours {
        return Err(KeptProblem::Strange(format!("{FILE} is not the database of a run")));
    }
    match number("user_version")? {
        VERSION => Ok(()),
        other => Err(KeptProblem::Strange(format!(
            "the run has version {other}, and this program knows version {VERSION}"
        ))),
    }
}

fn to_bytes(hashes: &[u64]) -> Vec<u8> {
    hashes.iter().flat_map(|hash| hash.to_be_bytes()).collect()
}

fn to_hashes(bytes: &[u8]) -> impl Iterator<Item = u64> {
    let eights = bytes.chunks_exact(8).filter_map(|eight| eight.try_into().ok());
    eights.map(u64::from_be_bytes)
}

fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

fn unsigned(number: i64) -> u64 {
    u64::try_from(number).unwrap_or(0)
}
