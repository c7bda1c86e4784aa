//! Tables of an SQLite file.
//!
//! The file is in WAL mode while it is written, so that it can be read at the same time; after the last connection is closed
//! it is one file again. Lists are JSON arrays, which `json_each` takes apart.

use crate::TableSpec;
use crate::layout::{Column, Row, index_name, json, quoted};
use crate::tables::{Entry, HISTORY, Kind, Waiting, mistake, new_fields};
use record::{Cell, Ending, Record, RecordType, Sink, SinkSpec, Sort, Tally};
use rusqlite::types::{ToSqlOutput, Value};
use rusqlite::{Connection, Error, ErrorCode, Statement, ToSql, params_from_iter};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How long to wait for others who write to the file.
const PATIENCE: Duration = Duration::from_secs(10);

/// A sink for tables of an SQLite file.
pub struct Sqlite {
    connection: Connection,
    waiting: Waiting,
    /// The tables, once they are made.
    kinds: Option<Vec<Kind>>,
    /// Are all batches in one transaction?
    whole: bool,
    /// The file, if it was made for this sink and has no tables yet.
    made: Option<PathBuf>,
}

impl Drop for Sqlite {
    /// A file that nothing was written into is removed.
    fn drop(&mut self) {
        if let Some(path) = self.made.take().filter(|_| self.kinds.is_none()) {
            for ending in ["", "-wal", "-shm"] {
                let mut name = path.as_os_str().to_owned();
                name.push(ending);
                let _ = std::fs::remove_file(name);
            }
        }
    }
}

impl Sqlite {
    /// Opens or makes the file. Tables are made with the first record.
    ///
    /// # Errors
    ///
    /// The file cannot be written or is something else, or the records do not have the key.
    pub fn open(path: &Path, types: &[RecordType], sink: &SinkSpec, spec: &TableSpec) -> io::Result<Sqlite> {
        let waiting = Waiting::new(types, sink, spec);
        waiting.kinds()?;
        let made = (!path.exists()).then(|| path.to_owned());
        let connection = Connection::open(path).map_err(from_sqlite)?;
        connection.busy_timeout(PATIENCE).map_err(from_sqlite)?;
        // The first statement that reads the file: what is no database is found here.
        let mode = connection.query_row("PRAGMA journal_mode = WAL", [], |row| row.get::<_, String>(0));
        mode.map_err(from_sqlite)?;
        connection
            .execute_batch("PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON; BEGIN IMMEDIATE; ROLLBACK")
            .map_err(from_sqlite)?;
        Ok(Sqlite {
            connection,
            waiting,
            kinds: None,
            whole: spec.publish || spec.replace,
            made,
        })
    }

    /// Makes the tables, or the columns that they lack.
    fn begin(&mut self) -> io::Result<()> {
        if self.kinds.is_some() {
            return Ok(());
        }
        let mut kinds = self.waiting.kinds()?;
        self.execute("BEGIN IMMEDIATE")?;
        for kind in &mut kinds {
            for table in 0..kind.layout.tables.len() {
                self.prepare(kind, table)?;
            }
            if self.waiting.spec.replace {
                for table in kind.layout.tables.iter().rev() {
                    self.execute(&format!("DELETE FROM {}", quoted(&table.name)))?;
                }
            }
        }
        if !self.whole {
            self.execute("COMMIT")?;
        }
        self.kinds = Some(kinds);
        Ok(())
    }

    fn prepare(&mut self, kind: &mut Kind, table: usize) -> io::Result<()> {
        let name = quoted(&kind.layout.tables[table].name);
        let mut has = self.columns(&kind.layout.tables[table].name)?;
        if has.is_empty() {
            let parent = kind.layout.tables[table]
                .parent
                .map(|parent| &kind.layout.tables[parent]);
            let link = parent.map(|parent| {
                let parent = quoted(&parent.name);
                format!(
                    ", _parent INTEGER NOT NULL REFERENCES {parent} (_id) ON DELETE CASCADE, _position INTEGER NOT NULL"
                )
            });
            let columns = kind.layout.tables[table].columns.iter();
            let columns: String = columns.map(|column| format!(", {}", declared(column))).collect();
            let link = link.unwrap_or_default();
            self.execute(&format!("CREATE TABLE {name} (_id INTEGER PRIMARY KEY{link}{columns})"))?;
            if parent.is_some() {
                let index = index_name(&kind.layout.tables[table].name, "parent");
                self.execute(&format!("CREATE INDEX {index} ON {name} (_parent)"))?;
            }
            let made = kind.layout.tables[table]
                .columns
                .iter()
                .map(|column| column.name.clone());
            has.extend(made);
        } else if !has.iter().any(|column| column == "_id") {
            return Err(mistake(format!(
                "the table {name} has no column `_id`, so it is not a table of records; choose another name"
            )));
        } else {
            for at in new_fields(&mut self.waiting, kind, table, &has)? {
                let column = declared(&kind.layout.tables[table].columns[at]);
                self.execute(&format!("ALTER TABLE {name} ADD COLUMN {column}"))?;
            }
        }
        if table == 0 && !kind.key.is_empty() {
            for column in HISTORY
                .iter()
                .chain(&["_gone"])
                .filter(|column| !has.iter().any(|known| known == *column))
            {
                self.execute(&format!("ALTER TABLE {name} ADD COLUMN {column} TEXT"))?;
            }
            let key = key_names(kind);
            let index = index_name(&kind.layout.tables[0].name, "key");
            self.execute(&format!("CREATE UNIQUE INDEX IF NOT EXISTS {index} ON {name} ({key})"))
                .map_err(|error| {
                    io::Error::new(error.kind(), format!("the key ({key}) of the table {name}: {error}"))
                })?;
        }
        Ok(())
    }

    /// The columns of a table; empty if there is none.
    fn columns(&self, table: &str) -> io::Result<Vec<String>> {
        let mut found = self
            .connection
            .prepare("SELECT name FROM pragma_table_info(?1)")
            .map_err(from_sqlite)?;
        let names = found.query_map([table], |row| row.get(0)).map_err(from_sqlite)?;
        names.collect::<Result<_, _>>().map_err(from_sqlite)
    }

    fn execute(&self, sql: &str) -> io::Result<()> {
        self.connection.execute_batch(sql).map_err(from_sqlite)
    }

    /// Writes the records that wait.
    fn write(&mut self) -> io::Result<()> {
        self.begin()?;
        let Some(kinds) = self.kinds.take() else { return Ok(()) };
        let written = self.write_into(&kinds);
        self.kinds = Some(kinds);
        written
    }

    fn write_into(&mut self, kinds: &[Kind]) -> io::Result<()> {
        let entries = self.waiting.take(kinds);
        if !self.whole {
            self.execute("BEGIN IMMEDIATE")?;
        }
        let mut counts = [0; 2];
        for (number, kind) in kinds.iter().enumerate() {
            let of_kind = entries.iter().filter(|entry| entry.kind == number);
            let insertion = Insertion::new(&self.connection, kind, &self.waiting.spec);
            let written = insertion.and_then(|mut insertion| {
                of_kind
                    .into_iter()
                    .try_for_each(|entry| insertion.insert(entry, &mut counts))
            });
            if let Err(error) = written {
                if !self.whole {
                    // The first failure is the one to report.
                    let _ = self.execute("ROLLBACK");
                }
                return Err(from_sqlite(error));
            }
        }
        let tally = self.waiting.typing.tally_mut();
        tally.added += counts[0];
        tally.changed += counts[1];
        if !self.whole {
            self.execute("COMMIT")?;
            self.waiting.all_flushed();
        }
        Ok(())
    }
}

impl Sink for Sqlite {
    fn record(&mut self, record: &Record) -> io::Result<()> {
        self.begin()?;
        let kinds = self.kinds.as_deref().unwrap_or_default();
        match self.waiting.push(kinds, record)? {
            true => self.write(),
            false => Ok(()),
        }
    }

    fn bindings(&mut self, bindings: &[(String, String)]) {
        self.waiting.typing.bind(bindings);
    }

    fn finish(&mut self) -> io::Result<()> {
        self.write()
    }

    fn tally(&self) -> &Tally {
        self.waiting.tally()
    }

    fn flushed(&self) -> u64 {
        self.waiting.flushed
    }

    fn settle(&mut self, ending: Ending) -> io::Result<()> {
        let spec = &self.waiting.spec;
        if ending == Ending::Complete && spec.mark_gone && !spec.key.is_empty() {
            let mut gone = 0;
            for kind in self.kinds.as_deref().unwrap_or_default() {
                let table = quoted(&kind.layout.tables[0].name);
                let sql = format!("UPDATE {table} SET _gone = ?1 WHERE _gone IS NULL AND _run IS NOT ?2");
                let marked = self.connection.execute(&sql, [&spec.now, &spec.run]);
                gone += marked.map_err(from_sqlite)? as u64;
            }
            self.waiting.typing.tally_mut().gone = gone;
        }
        if self.whole && self.kinds.is_some() {
            let is_whole = ending != Ending::Broken;
            self.execute(if is_whole { "COMMIT" } else { "ROLLBACK" })?;
            self.whole = false;
            if is_whole {
                self.waiting.all_flushed();
            }
        }
        // What others still read stays in the log, and is moved by the next one who closes the file.
        let _ = self
            .connection
            .query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()));
        Ok(())
    }
}

/// Writes the records of a type.
struct Insertion<'c> {
    kind: &'c Kind,
    spec: &'c TableSpec,
    tables: Vec<Statement<'c>>,
    /// Removes the records inside a record, for each table of such records.
    removals: Vec<Statement<'c>>,
}

impl<'c> Insertion<'c> {
    fn new(connection: &'c Connection, kind: &'c Kind, spec: &'c TableSpec) -> Result<Insertion<'c>, Error> {
        let mut tables = Vec::new();
        let mut removals = Vec::new();
        for (number, table) in kind.layout.tables.iter().enumerate() {
            let mut names: Vec<String> = Vec::new();
            if table.parent.is_some() {
                names.extend(["_parent", "_position"].map(str::to_owned));
            }
            let columns = table.columns.iter().zip(&kind.written[number]);
            let own: Vec<String> = columns
                .filter(|(_, written)| **written)
                .map(|(column, _)| quoted(&column.name))
                .collect();
            names.extend(own.iter().cloned());
            let keyed = number == 0 && !kind.key.is_empty();
            if keyed {
                names.extend(HISTORY.map(str::to_owned));
            }
            let name = quoted(&table.name);
            let places: Vec<String> = (1..=names.len()).map(|at| format!("?{at}")).collect();
            let mut sql = match names.is_empty() {
                true => format!("INSERT INTO {name} DEFAULT VALUES"),
                false => format!(
                    "INSERT INTO {name} ({}) VALUES ({})",
                    names.join(", "),
                    places.join(", ")
                ),
            };
            if keyed {
                let updates: String = own
                    .iter()
                    .map(|column| format!("{column} = excluded.{column}, "))
                    .collect();
                sql += &format!(
                    " ON CONFLICT ({}) DO UPDATE SET {updates}_first_seen = COALESCE({name}._first_seen, excluded._first_seen), \
                     _last_seen = excluded._last_seen, _run = excluded._run, \
                     _changed = CASE WHEN {name}._hash IS excluded._hash THEN {name}._changed ELSE excluded._changed END, \
                     _hash = excluded._hash, _gone = NULL",
                    key_names(kind)
                );
            }
            sql += match keyed {
                true => " RETURNING _id, _first_seen, _changed",
                false => " RETURNING _id",
            };
            tables.push(connection.prepare(&sql)?);
            if table.parent == Some(0) && !kind.key.is_empty() {
                removals.push(connection.prepare(&format!("DELETE FROM {name} WHERE _parent = ?1"))?);
            }
        }
        Ok(Insertion {
            kind,
            spec,
            tables,
            removals,
        })
    }

    /// Writes a record; counts those that are new and those that changed.
    fn insert(&mut self, entry: &Entry, counts: &mut [u64; 2]) -> Result<(), Error> {
        let mut ids: Vec<i64> = Vec::with_capacity(entry.rows.len());
        let keyed = !self.kind.key.is_empty();
        for row in &entry.rows {
            let values = self.values(row, entry, &ids);
            let statement = &mut self.tables[row.table];
            if row.table > 0 || !keyed {
                ids.push(statement.query_row(params_from_iter(values), |row| row.get(0))?);
                continue;
            }
            let (id, first, changed): (i64, String, String) = statement.query_row(params_from_iter(values), |row| {
                Ok((row.get(0)?, row.get(1)?, row.get(2)?))
            })?;
            let is_new = first == self.spec.now;
            // What did not change has the same records inside.
            if changed != self.spec.now {
                return Ok(());
            }
            counts[usize::from(!is_new)] += 1;
            for removal in &mut self.removals {
                removal.execute([id])?;
            }
            ids.push(id);
        }
        Ok(())
    }

    fn values(&self, row: &Row, entry: &Entry, ids: &[i64]) -> Vec<SqlValue> {
        let mut values = Vec::new();
        if row.table > 0 {
            values.push(SqlValue(Value::Integer(ids[row.parent])));
            values.push(SqlValue(Value::Integer(row.position as i64)));
        }
        let written = &self.kind.written[row.table];
        let cells = row.cells.iter().zip(written).filter(|(_, written)| **written);
        values.extend(cells.map(|(cell, _)| SqlValue(value(cell))));
        if row.table == 0 && !self.kind.key.is_empty() {
            let TableSpec { now, run, .. } = self.spec;
            let history = [now, now, run, now, &entry.hash].map(|text| SqlValue(Value::Text(text.clone())));
            values.extend(history);
        }
        values
    }
}

struct SqlValue(Value);

impl ToSql for SqlValue {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        self.0.to_sql()
    }
}

fn value(cell: &Cell) -> Value {
    match cell {
        Cell::Null | Cell::Record(_) => Value::Null,
        Cell::Integer(number) => Value::Integer(*number),
        Cell::Decimal(number) => Value::Real(number.to_f64()),
        Cell::Boolean(truth) => Value::Integer(i64::from(*truth)),
        Cell::List(cells) => Value::Text(json(cells)),
        // In universal time, as a `TIMESTAMP` of others.
        Cell::Timestamp(moment) => Value::Text(moment.in_utc().to_string()),
        cell => Value::Text(cell.written().into_owned()),
    }
}

fn declared(column: &Column) -> String {
    let kind = match column.sort {
        _ if column.many => "TEXT",
        Sort::Integer => "INTEGER",
        Sort::Decimal => "REAL",
        Sort::Boolean => "BOOLEAN",
        Sort::Date => "DATE",
        Sort::Timestamp => "TIMESTAMP",
        _ => "TEXT",
    };
    format!("{} {kind}", quoted(&column.name))
}

/// The columns of the key, quoted.
pub(crate) fn key_names(kind: &Kind) -> String {
    let columns = &kind.layout.tables[0].columns;
    let names: Vec<String> = kind.key.iter().map(|at| quoted(&columns[*at].name)).collect();
    names.join(", ")
}

/// An error of SQLite as sinks have them.
fn from_sqlite(error: Error) -> io::Error {
    let kind = match error.sqlite_error_code() {
        Some(ErrorCode::DiskFull) => io::ErrorKind::StorageFull,
        Some(ErrorCode::ReadOnly | ErrorCode::PermissionDenied) => io::ErrorKind::PermissionDenied,
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => io::ErrorKind::ResourceBusy,
        Some(ErrorCode::NotADatabase) => io::ErrorKind::InvalidInput,
        Some(ErrorCode::ConstraintViolation) => io::ErrorKind::InvalidData,
        _ => io::ErrorKind::Other,
    };
    io::Error::new(kind, error)
}
