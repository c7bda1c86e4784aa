//! Entries in an SQLite file.
//!
//! An entry is added in one transaction that takes the write lock at its beginning, so it never fails halfway because
//! another process writes: it waits for the lock, up to [`PATIENCE`]. The journal is SQLite's default, one file that
//! exists during a write. If a killed process left one, the next process that opens the history rolls the unfinished
//! write back.
//!
//! `application_id` says that a file is a history, `user_version` says which version of the tables it has. A file with
//! other values is not changed.

use super::trouble::{HistoryError, Trouble, failure};
use super::{Entry, FieldEntry, Outcome, RepairEntry};
use rusqlite::types::Type;
use rusqlite::{Connection, OpenFlags, Row, Statement, TransactionBehavior, params};
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// `WWhi`.
const OURS: i64 = 0x5757_6869;
/// The version of the tables below.
pub(super) const VERSION: i64 = 1;
/// How long to wait while another process writes.
const PATIENCE: Duration = Duration::from_secs(5);

const TABLES: &str = "
    CREATE TABLE runs (
        id INTEGER PRIMARY KEY,
        at TEXT NOT NULL,
        wrapper TEXT NOT NULL,
        pages INTEGER NOT NULL,
        failed_pages INTEGER NOT NULL,
        records INTEGER NOT NULL,
        verdict TEXT NOT NULL
    ) STRICT;
    CREATE TABLE fields (
        run INTEGER NOT NULL REFERENCES runs,
        place INTEGER NOT NULL,
        name TEXT NOT NULL,
        count INTEGER NOT NULL,
        chance REAL NOT NULL,
        reason TEXT,
        PRIMARY KEY (run, place)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE repairs (
        run INTEGER PRIMARY KEY REFERENCES runs,
        from_wrapper TEXT NOT NULL,
        to_wrapper TEXT NOT NULL,
        kept_as TEXT NOT NULL,
        note TEXT NOT NULL
    ) STRICT;
    CREATE TABLE repaired_fields (
        run INTEGER NOT NULL REFERENCES repairs,
        place INTEGER NOT NULL,
        name TEXT NOT NULL,
        sure REAL NOT NULL,
        PRIMARY KEY (run, place)
    ) STRICT, WITHOUT ROWID;";

/// An open history.
#[derive(Debug)]
pub struct History {
    connection: Connection,
    path: PathBuf,
}

impl History {
    /// Opens a history, or creates one.
    ///
    /// # Errors
    ///
    /// If the file cannot be opened, or is not a history; it is then left unchanged.
    pub fn open(path: &Path) -> Result<History, HistoryError> {
        open(path, true, PATIENCE)
    }

    /// Opens an existing history.
    ///
    /// # Errors
    ///
    /// As [`History::open`], and [`Trouble::Missing`] where that would create one.
    pub fn existing(path: &Path) -> Result<History, HistoryError> {
        open(path, false, PATIENCE)
    }

    /// Adds an entry; it is on the disk when this returns.
    ///
    /// # Errors
    ///
    /// If it cannot be written; the earlier entries are not affected.
    pub fn add(&mut self, entry: &Entry) -> Result<(), HistoryError> {
        let path = &self.path;
        add(&mut self.connection, entry).map_err(|error| failure(path, error))
    }

    /// The last entries, at most `most`; the newest is the last.
    ///
    /// # Errors
    ///
    /// If they cannot be read.
    pub fn last(&self, most: usize) -> Result<Vec<Entry>, HistoryError> {
        last(&self.connection, most).map_err(|error| failure(&self.path, error))
    }

    /// The number of entries.
    ///
    /// # Errors
    ///
    /// If they cannot be counted.
    pub fn count(&self) -> Result<u64, HistoryError> {
        let count = self
            .connection
            .query_row("SELECT count(*) FROM runs", [], |row| row.get::<_, i64>(0))
            .map_err(|error| failure(&self.path, error))?;
        Ok(u64::try_from(count).unwrap_or(0))
    }
}

fn open(path: &Path, may_make: bool, patience: Duration) -> Result<History, HistoryError> {
    let trouble = |trouble| HistoryError::new(path, trouble);
    if !may_make && !path.exists() {
        return Err(trouble(Trouble::Missing));
    }
    if path.is_dir() {
        return Err(trouble(Trouble::Other("this is a directory".to_owned())));
    }
    let mut flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    flags.set(OpenFlags::SQLITE_OPEN_CREATE, may_make);
    // A name such as `:memory:` means something else to SQLite unless it is a path.
    let place = if path.is_relative() {
        Path::new(".").join(path)
    } else {
        path.to_owned()
    };
    let connect = || {
        let connection = Connection::open_with_flags(&place, flags)?;
        connection.busy_timeout(patience)?;
        // Code in the schema of a file that somebody else made must not run.
        connection.pragma_update(None, "trusted_schema", false)?;
        Ok(connection)
    };
    let mut connection = connect().map_err(|error| failure(path, error))?;
    // In one transaction: another process may be making the history at this moment.
    let look = || {
        let transaction = connection.unchecked_transaction()?;
        let made = made(&transaction)?;
        transaction.finish().map(|()| made)
    };
    let made = look().map_err(|error| failure(path, error))?;
    if made.is_none() && is_foreign(path) {
        return Err(trouble(Trouble::NoDatabase));
    }
    if made.is_none() && !may_make {
        return Err(trouble(Trouble::Missing));
    }
    let made = match made {
        Some(made) => made,
        None => make(&mut connection).map_err(|error| failure(path, error))?,
    };
    match made {
        Ok(()) => Ok(History {
            connection,
            path: path.to_owned(),
        }),
        Err(found) => Err(trouble(found)),
    }
}

/// Does a file that SQLite considers empty have contents? SQLite considers very short files empty, and would overwrite
/// them.
fn is_foreign(path: &Path) -> bool {
    const BEGIN: &[u8] = b"SQLite format 3\0";
    let mut begin = Vec::new();
    let read = File::open(path).and_then(|file| file.take(BEGIN.len() as u64).read_to_end(&mut begin));
    read.is_ok() && !begin.is_empty() && begin != BEGIN
}

/// Is this a history of a known version? `None` if the file is empty.
fn made(connection: &Connection) -> rusqlite::Result<Option<Result<(), Trouble>>> {
    let number = |name| connection.pragma_query_value(None, name, |row| row.get::<_, i64>(0));
    let (application, version) = (number("application_id")?, number("user_version")?);
    let things: i64 = connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
    if (application, version, things) == (0, 0, 0) {
        return Ok(None);
    }
    let tables: i64 = connection.query_row(
        "SELECT count(*) FROM sqlite_schema
         WHERE type = 'table' AND name IN ('runs', 'fields', 'repairs', 'repaired_fields')",
        [],
        |row| row.get(0),
    )?;
    Ok(Some(match application == OURS {
        false => Err(Trouble::NoHistory),
        true if version > VERSION => Err(Trouble::Newer(version)),
        true if version < VERSION || tables != 4 => Err(Trouble::Damaged("its tables are not there".to_owned())),
        true => Ok(()),
    }))
}

/// Creates the tables, unless another process was faster.
fn make(connection: &mut Connection) -> rusqlite::Result<Result<(), Trouble>> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    if let Some(made) = made(&transaction)? {
        return Ok(made);
    }
    transaction.execute_batch(TABLES)?;
    transaction.pragma_update(None, "application_id", OURS)?;
    transaction.pragma_update(None, "user_version", VERSION)?;
    transaction.commit()?;
    Ok(Ok(()))
}

fn add(connection: &mut Connection, entry: &Entry) -> rusqlite::Result<()> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    insert(&transaction, entry)?;
    transaction.commit()
}

/// Writes an entry within a transaction.
fn insert(connection: &Connection, entry: &Entry) -> rusqlite::Result<()> {
    connection.execute(
        "INSERT INTO runs (at, wrapper, pages, failed_pages, records, verdict) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
        params![
            entry.when,
            entry.wrapper_hash,
            whole(entry.pages),
            whole(entry.failed_pages),
            whole(entry.records),
            entry.verdict.name(),
        ],
    )?;
    let run = connection.last_insert_rowid();
    let mut fields = connection.prepare("INSERT INTO fields VALUES (?1, ?2, ?3, ?4, ?5, ?6)")?;
    for (field, place) in entry.fields.iter().zip(0_i64..) {
        let (count, chance) = (whole(field.count), part(field.chance));
        fields.execute(params![run, place, field.name, count, chance, field.reason])?;
    }
    let Some(repair) = &entry.repair else {
        return Ok(());
    };
    connection.execute(
        "INSERT INTO repairs VALUES (?1, ?2, ?3, ?4, ?5)",
        params![run, repair.from_hash, repair.to_hash, repair.kept_as, repair.note],
    )?;
    let mut fields = connection.prepare("INSERT INTO repaired_fields VALUES (?1, ?2, ?3, ?4)")?;
    for ((name, sure), place) in repair.fields.iter().zip(0_i64..) {
        fields.execute(params![run, place, name, part(*sure)])?;
    }
    Ok(())
}

/// The largest integer of SQLite is 2^63 - 1.
fn whole(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// SQLite has no NaN.
fn part(number: f64) -> f64 {
    if number.is_nan() { 0.0 } else { number }
}

fn last(connection: &Connection, most: usize) -> rusqlite::Result<Vec<Entry>> {
    // One transaction, so that all tables are read in the same state. Adding takes `&mut`, so no other transaction is
    // open here.
    let transaction = connection.unchecked_transaction()?;
    let mut runs = transaction
        .prepare("SELECT id, at, wrapper, pages, failed_pages, records, verdict FROM runs ORDER BY id DESC LIMIT ?1")?;
    let mut fields =
        transaction.prepare("SELECT name, count, chance, reason FROM fields WHERE run = ?1 ORDER BY place")?;
    let mut repairs =
        transaction.prepare("SELECT from_wrapper, to_wrapper, kept_as, note FROM repairs WHERE run = ?1")?;
    let mut repaired = transaction.prepare("SELECT name, sure FROM repaired_fields WHERE run = ?1 ORDER BY place")?;
    let mut entries = Vec::new();
    let mut rows = runs.query([i64::try_from(most).unwrap_or(i64::MAX)])?;
    while let Some(row) = rows.next()? {
        let run: i64 = row.get(0)?;
        let repaired = all(&mut repaired, run, |row| Ok((row.get(0)?, row.get(1)?)))?;
        let repair = all(&mut repairs, run, |row| {
            Ok(RepairEntry {
                from_hash: row.get(0)?,
                to_hash: row.get(1)?,
                kept_as: row.get(2)?,
                fields: Vec::new(),
                note: row.get(3)?,
            })
        })?;
        entries.push(Entry {
            when: row.get(1)?,
            wrapper_hash: row.get(2)?,
            pages: natural(row, 3)?,
            failed_pages: natural(row, 4)?,
            records: natural(row, 5)?,
            verdict: verdict(row, 6)?,
            fields: all(&mut fields, run, |row| {
                Ok(FieldEntry {
                    name: row.get(0)?,
                    count: natural(row, 1)?,
                    chance: row.get(2)?,
                    reason: row.get(3)?,
                })
            })?,
            repair: repair.into_iter().next().map(|repair| RepairEntry {
                fields: repaired,
                ..repair
            }),
        });
    }
    entries.reverse();
    Ok(entries)
}

/// All rows of a run.
fn all<T>(
    statement: &mut Statement<'_>,
    run: i64,
    read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
) -> rusqlite::Result<Vec<T>> {
    statement.query_map([run], read)?.collect()
}

fn natural(row: &Row<'_>, column: usize) -> rusqlite::Result<u64> {
    let number: i64 = row.get(column)?;
    u64::try_from(number).map_err(|_| odd(column, Type::Integer, format!("found the count {number}")))
}

fn verdict(row: &Row<'_>, column: usize) -> rusqlite::Result<Outcome> {
    let name: String = row.get(column)?;
    let known = Outcome::ALL.into_iter().find(|outcome| outcome.name() == name);
    known.ok_or_else(|| odd(column, Type::Text, format!("found the verdict {name:?}")))
}

/// The error for a value that we never write.
fn odd(column: usize, kind: Type, words: String) -> rusqlite::Error {
    rusqlite::Error::FromSqlConversionFailure(column, kind, words.into())
}

#[cfg(test)]
mod tests;
