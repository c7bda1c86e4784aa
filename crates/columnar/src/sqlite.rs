//! Tables of an SQLite file.
//!
//! The file is in WAL mode while it is written, so that it can be read at the same time; after the last connection is closed
//! it is one file again. Lists are JSON arrays, which `json_each` takes apart.

use crate::TableSpec;
use crate::layout::{Column, Row, index_name, json, quoted};
use crate::mark::Mark;
use crate::tables::{
    Database, Entry, HISTORY, Kind, MARKS, Tables, Waiting, key_names, mistake, new_fields, sink_of_tables,
};
use record::{Cell, RecordType, SinkSpec, Sort};
use rusqlite::types::{ToSqlOutput, Value};
use rusqlite::{Connection, Error, ErrorCode, Statement, ToSql, params_from_iter};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How long to wait for others who write to the file.
const PATIENCE: Duration = Duration::from_secs(10);

/// A sink for tables of an SQLite file.
pub struct Sqlite(Tables<File>);

sink_of_tables!(Sqlite);

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
        Ok(Sqlite(Tables::new(File { connection, made }, waiting)?))
    }
}

/// An open file.
struct File {
    connection: Connection,
    /// Its name, if it was made for this sink.
    made: Option<PathBuf>,
}

impl Database for File {
    fn execute(&mut self, sql: &str) -> io::Result<()> {
        self.connection.execute_batch(sql).map_err(from_sqlite)
    }

    fn begin(&mut self) -> io::Result<()> {
        self.execute("BEGIN IMMEDIATE")
    }

    fn prepare(&mut self, waiting: &mut Waiting, kinds: &mut [Kind], whole: bool) -> io::Result<()> {
        self.begin()?;
        if waiting.spec.resume.is_some() {
            self.execute(&format!(
                "CREATE TABLE IF NOT EXISTS {MARKS} (run TEXT PRIMARY KEY, records INTEGER, hash TEXT, added INTEGER, changed INTEGER)"
            ))?;
        }
        for kind in kinds {
            for table in 0..kind.layout.tables.len() {
                self.prepare_table(waiting, kind, table)?;
            }
            if waiting.spec.replace {
                for table in kind.layout.tables.iter().rev() {
                    self.execute(&format!("DELETE FROM {}", quoted(&table.name)))?;
                }
            }
        }
        match whole {
            true => Ok(()),
            false => self.execute("COMMIT"),
        }
    }

    fn insert(&mut self, waiting: &mut Waiting, kinds: &[Kind], entries: Vec<Entry>) -> io::Result<()> {
        let mut counts = [0; 2];
        for (number, kind) in kinds.iter().enumerate() {
            let mut of_kind = entries.iter().filter(|entry| entry.kind == number);
            let mut insertion = Insertion::new(&self.connection, kind, &waiting.spec).map_err(from_sqlite)?;
            of_kind
                .try_for_each(|entry| insertion.insert(entry, &mut counts))
                .map_err(from_sqlite)?;
        }
        let tally = waiting.typing.tally_mut();
        tally.added += counts[0];
        tally.changed += counts[1];
        Ok(())
    }

    fn mark_gone(&mut self, spec: &TableSpec, kinds: &[Kind]) -> io::Result<u64> {
        let mut gone = 0;
        for kind in kinds {
            let table = quoted(&kind.layout.tables[0].name);
            let sql = format!("UPDATE {table} SET _gone = ?1 WHERE _gone IS NULL AND _run IS NOT ?2");
            let marked = self.connection.execute(&sql, [&spec.now, &spec.run]);
            gone += marked.map_err(from_sqlite)? as u64;
        }
        Ok(gone)
    }

    fn read_mark(&mut self, run: &str) -> io::Result<Option<Mark>> {
        if self.columns(MARKS)?.is_empty() {
            return Ok(None);
        }
        let sql = format!("SELECT records, hash, added, changed FROM {MARKS} WHERE run = ?1");
        let mark = self.connection.query_row(&sql, [run], |row| {
            let number = |at: usize| row.get::<_, i64>(at).map(|number| u64::try_from(number).unwrap_or(0));
            Ok(Mark {
                records: number(0)?,
                hash: u64::from_str_radix(&row.get::<_, String>(1)?, 16).unwrap_or(0),
                added: number(2)?,
                changed: number(3)?,
            })
        });
        match mark {
            Ok(mark) => Ok(Some(mark)),
            Err(Error::QueryReturnedNoRows) => Ok(None),
            Err(error) => Err(from_sqlite(error)),
        }
    }

    fn write_mark(&mut self, run: &str, mark: &Mark) -> io::Result<()> {
        let number = |number: u64| i64::try_from(number).unwrap_or(i64::MAX);
        let sql =
            format!("INSERT OR REPLACE INTO {MARKS} (run, records, hash, added, changed) VALUES (?1, ?2, ?3, ?4, ?5)");
        let values = (
            run,
            number(mark.records),
            format!("{:016x}", mark.hash),
            number(mark.added),
            number(mark.changed),
        );
        self.connection.execute(&sql, values).map_err(from_sqlite)?;
        Ok(())
    }

    fn close(&mut self, kinds: bool) {
        // What others still read stays in the log, and is moved by the next one who closes the file.
        let _ = self
            .connection
            .query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()));
        // A file that nothing was written into is removed.
        if let Some(path) = self.made.take().filter(|_| !kinds) {
            for ending in ["", "-wal", "-shm"] {
                let mut name = path.as_os_str().to_owned();
                name.push(ending);
                let _ = std::fs::remove_file(name);
            }
        }
    }
}

impl File {
    fn prepare_table(&mut self, waiting: &mut Waiting, kind: &mut Kind, table: usize) -> io::Result<()> {
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
            for at in new_fields(waiting, kind, table, &has)? {
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
