//! Tables of a PostgreSQL server.
//!
//! A batch is written with `COPY`, the fastest way in. Ids are taken from the sequences of the tables before that, so the
//! rows of nested records know the row around them. With a key, the records of a batch go into a temporary table first, from
//! where one statement inserts or updates them all. A batch is a transaction.
//!
//! PostgreSQL has no character U+0000; it is written as U+FFFD.

mod copy;
mod tls;

use crate::TableSpec;
use crate::layout::{Column, index_name, quoted};
use crate::mark::Mark;
use crate::tables::{
    Database, Entry, HISTORY, Kind, MARKS, Tables, Waiting, key_names, mistake, new_fields, sink_of_tables,
};
use copy::{Line, array_type, sql_type};
use postgres::config::{Host, SslMode};
use postgres::{Client, Config, NoTls};
use record::{RecordType, SinkSpec};
use std::io::{self, Write};
use std::str::FromStr;
use std::time::Duration;

/// How long to wait for the server.
const PATIENCE: Duration = Duration::from_secs(15);

/// The temporary table for records with a key.
const NEW: &str = "pg_temp.wrapwright_new";

/// A server, a database and, perhaps, a table.
#[derive(Clone, Debug)]
pub struct PostgresqlPlace {
    config: Config,
    /// The table that the address names.
    pub table: Option<String>,
}

impl PostgresqlPlace {
    /// Reads an address such as `postgresql://ada@db.example.org/shop?table=books`.
    ///
    /// # Errors
    ///
    /// It is not such an address.
    pub fn parse(address: &str) -> io::Result<PostgresqlPlace> {
        let (before, query) = address.split_once('?').unwrap_or((address, ""));
        let mut table = None;
        let mut rest = Vec::new();
        for pair in query.split('&').filter(|pair| !pair.is_empty()) {
            match pair.strip_prefix("table=") {
                Some(name) => {
                    let pairs = url::form_urlencoded::parse(name.as_bytes()).next();
                    table = pairs.map(|(name, _)| name.into_owned());
                }
                None => rest.push(pair),
            }
        }
        let plain = match rest.is_empty() {
            true => before.to_owned(),
            false => format!("{before}?{}", rest.join("&")),
        };
        let mut config = Config::from_str(&plain).map_err(|error| mistake(causes(&error)))?;
        config.application_name("wrapwright");
        if config.get_connect_timeout().is_none() {
            config.connect_timeout(PATIENCE);
        }
        Ok(PostgresqlPlace { config, table })
    }

    /// Sets the password if the address has none.
    pub fn password_if_missing(&mut self, password: &str) {
        if self.config.get_password().is_none() {
            self.config.password(password);
        }
    }

    /// The server and the database, without the password.
    pub fn name(&self) -> String {
        let hosts: Vec<String> = self
            .config
            .get_hosts()
            .iter()
            .map(|host| match host {
                Host::Tcp(name) => name.clone(),
                #[cfg(unix)]
                Host::Unix(path) => path.display().to_string(),
            })
            .collect();
        let database = self.config.get_dbname().or(self.config.get_user());
        format!("PostgreSQL {}/{}", hosts.join(","), database.unwrap_or_default())
    }

    /// A connection of its own, encrypted as the address says.
    ///
    /// # Errors
    ///
    /// The server does not answer or refuses.
    pub fn connect(&self) -> io::Result<Client> {
        let mut config = self.config.clone();
        if config.get_hosts().is_empty() {
            config.host("localhost");
        }
        if config.get_ssl_mode() == SslMode::Disable {
            return config.connect(NoTls).map_err(from_postgres);
        }
        let tls = tls::Tls::new().map_err(io::Error::other)?;
        match config.connect(tls) {
            // Encryption was only preferred, and failed, perhaps for a certificate that nobody signed.
            Err(error) if config.get_ssl_mode() == SslMode::Prefer && error.as_db_error().is_none() => {
                config.connect(NoTls).map_err(from_postgres)
            }
            connected => connected.map_err(from_postgres),
        }
    }
}

/// A sink for tables of a PostgreSQL server.
pub struct Postgresql(Tables<Server>);

sink_of_tables!(Postgresql);

impl Postgresql {
    /// Connects to the server. Tables are made with the first record.
    ///
    /// # Errors
    ///
    /// The server does not answer or refuses, or the records do not have the key.
    pub fn open(
        place: &PostgresqlPlace,
        types: &[RecordType],
        sink: &SinkSpec,
        spec: &TableSpec,
    ) -> io::Result<Postgresql> {
        let mut spec = spec.clone();
        spec.table = spec.table.or_else(|| place.table.clone());
        let mut schema = None;
        if let Some((before, table)) = spec.table.as_deref().and_then(|name| name.split_once('.')) {
            schema = Some(before.to_owned());
            spec.table = Some(table.to_owned());
        }
        let waiting = Waiting::new(types, sink, &spec);
        waiting.kinds()?;
        let client = place.connect()?;
        Ok(Postgresql(Tables::new(Server { client, schema }, waiting)?))
    }
}

/// A connection.
struct Server {
    client: Client,
    /// The schema that the name of the table begins with.
    schema: Option<String>,
}

impl Database for Server {
    fn execute(&mut self, sql: &str) -> io::Result<()> {
        self.client.batch_execute(sql).map_err(from_postgres)
    }

    fn begin(&mut self) -> io::Result<()> {
        self.execute("BEGIN")
    }

    fn prepare(&mut self, waiting: &mut Waiting, kinds: &mut [Kind], whole: bool) -> io::Result<()> {
        // Not in the transaction of the run: a table whose columns change cannot be read until that has ended.
        self.begin()?;
        for kind in kinds.iter_mut() {
            for table in 0..kind.layout.tables.len() {
                self.prepare_table(waiting, kind, table)?;
            }
        }
        self.execute("COMMIT")?;
        if whole {
            self.begin()?;
        }
        if waiting.spec.replace {
            for table in kinds.iter().flat_map(|kind| kind.layout.tables.iter().rev()) {
                let sql = format!("DELETE FROM {}", self.named(&table.name));
                self.execute(&sql)?;
            }
        }
        Ok(())
    }

    fn insert(&mut self, waiting: &mut Waiting, kinds: &[Kind], mut entries: Vec<Entry>) -> io::Result<()> {
        for (number, kind) in kinds.iter().enumerate() {
            let (of_kind, others) = entries.into_iter().partition(|entry: &Entry| entry.kind == number);
            entries = others;
            self.write_kind(waiting, kind, of_kind)?;
        }
        Ok(())
    }

    fn mark_gone(&mut self, spec: &TableSpec, kinds: &[Kind]) -> io::Result<u64> {
        let mut gone = 0;
        for kind in kinds {
            let table = self.named(&kind.layout.tables[0].name);
            let sql = format!(
                "UPDATE {table} SET _gone = $1::text::timestamptz WHERE _gone IS NULL AND _run IS DISTINCT FROM $2"
            );
            gone += self
                .client
                .execute(&sql, &[&spec.now, &spec.run])
                .map_err(from_postgres)?;
        }
        Ok(gone)
    }

    /// A row that is not there is made, which waits for a process that is making it, too; and one that is being changed is
    /// waited for. So a server that is about to commit for a process that was killed is not overlooked.
    fn read_mark(&mut self, run: &str) -> io::Result<Option<Mark>> {
        let marks = self.named(MARKS);
        self.execute(&format!(
            "CREATE TABLE IF NOT EXISTS {marks} \
             (run text PRIMARY KEY, records bigint, hash text, added bigint, changed bigint)"
        ))?;
        let mut transaction = self.client.transaction().map_err(from_postgres)?;
        let made = format!("INSERT INTO {marks} VALUES ($1, 0, '0', 0, 0) ON CONFLICT DO NOTHING");
        transaction.execute(&made, &[&run]).map_err(from_postgres)?;
        let sql = format!("SELECT records, hash, added, changed FROM {marks} WHERE run = $1 FOR UPDATE");
        let row = transaction.query_one(&sql, &[&run]).map_err(from_postgres)?;
        transaction.commit().map_err(from_postgres)?;
        let number = |at: usize| {
            let number = row.try_get::<_, i64>(at).map_err(from_postgres)?;
            Ok::<u64, io::Error>(u64::try_from(number).unwrap_or(0))
        };
        let hash: String = row.try_get(1).map_err(from_postgres)?;
        let mark = Mark {
            records: number(0)?,
            hash: u64::from_str_radix(&hash, 16).unwrap_or(0),
            added: number(2)?,
            changed: number(3)?,
        };
        Ok((mark.records > 0).then_some(mark))
    }

    fn write_mark(&mut self, run: &str, mark: &Mark) -> io::Result<()> {
        let number = |number: u64| i64::try_from(number).unwrap_or(i64::MAX);
        let sql = format!(
            "UPDATE {} SET records = $2, hash = $3, added = $4, changed = $5 WHERE run = $1",
            self.named(MARKS)
        );
        let hash = format!("{:016x}", mark.hash);
        let (records, added, changed) = (number(mark.records), number(mark.added), number(mark.changed));
        let done = self
            .client
            .execute(&sql, &[&run, &records, &hash, &added, &changed])
            .map_err(from_postgres)?;
        match done {
            1 => Ok(()),
            _ => Err(io::Error::other(format!(
                "the table {MARKS} no longer has the row of this run"
            ))),
        }
    }
}

impl Server {
    /// The name of a table as SQL has it.
    fn named(&self, table: &str) -> String {
        match &self.schema {
            Some(schema) => format!("{}.{}", quoted(schema), quoted(table)),
            None => quoted(table),
        }
    }

    fn prepare_table(&mut self, waiting: &mut Waiting, kind: &mut Kind, table: usize) -> io::Result<()> {
        let plain = kind.layout.tables[table].name.clone();
        let name = self.named(&plain);
        let has = self.columns(&plain)?;
        let mut names: Vec<String> = has.iter().map(|(name, _)| name.clone()).collect();
        if has.is_empty() {
            let parent = kind.layout.tables[table].parent;
            let link = parent.map(|parent| {
                let parent = self.named(&kind.layout.tables[parent].name);
                format!(
                    ", _parent bigint NOT NULL REFERENCES {parent} (_id) ON DELETE CASCADE, _position integer NOT NULL"
                )
            });
            let columns = kind.layout.tables[table].columns.iter();
            let columns: String = columns.map(|column| format!(", {}", declared(column))).collect();
            let id = "_id bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY";
            let link = link.unwrap_or_default();
            self.execute(&format!("CREATE TABLE {name} ({id}{link}{columns})"))?;
            if parent.is_some() {
                self.execute(&format!("CREATE INDEX ON {name} (_parent)"))?;
            }
            names.extend(
                kind.layout.tables[table]
                    .columns
                    .iter()
                    .map(|column| column.name.clone()),
            );
        } else if !names.iter().any(|column| column == "_id") {
            return Err(mistake(format!(
                "the table {name} has no column `_id`, so it is not a table of records; choose another name"
            )));
        } else {
            for at in new_fields(waiting, kind, table, &names)? {
                let column = declared(&kind.layout.tables[table].columns[at]);
                self.execute(&format!("ALTER TABLE {name} ADD COLUMN {column}"))?;
            }
            for column in &kind.layout.tables[table].columns {
                let (expected, text) = (array_type(column), if column.many { "_text" } else { "text" });
                let found = has.iter().find(|(name, _)| *name == column.name);
                if let Some((_, found)) = found.filter(|(_, found)| *found != expected && found != text) {
                    return Err(mistake(format!(
                        "the column `{}` of the table {name} is of the type `{found}`, and the records need `{expected}`; \
                         choose another table, or change the column",
                        column.name
                    )));
                }
            }
        }
        if table == 0 && !kind.key.is_empty() {
            for column in HISTORY.iter().chain(&["_gone"]) {
                if names.iter().any(|known| known == column) {
                    continue;
                }
                let kind = match *column {
                    "_run" | "_hash" => "text",
                    _ => "timestamptz",
                };
                self.execute(&format!("ALTER TABLE {name} ADD COLUMN {column} {kind}"))?;
            }
            let key = key_names(kind);
            let index = index_name(&plain, "key");
            self.execute(&format!("CREATE UNIQUE INDEX IF NOT EXISTS {index} ON {name} ({key})"))
                .map_err(|error| {
                    io::Error::new(error.kind(), format!("the key ({key}) of the table {name}: {error}"))
                })?;
        }
        Ok(())
    }

    /// The columns of a table and their types; empty if there is none.
    fn columns(&mut self, table: &str) -> io::Result<Vec<(String, String)>> {
        let sql = "SELECT column_name::text, udt_name::text FROM information_schema.columns \
                   WHERE table_schema = COALESCE($1, current_schema()) AND table_name = $2";
        let rows = self.client.query(sql, &[&self.schema, &table]).map_err(from_postgres)?;
        Ok(rows.iter().map(|row| (row.get(0), row.get(1))).collect())
    }

    fn write_kind(&mut self, waiting: &mut Waiting, kind: &Kind, entries: Vec<Entry>) -> io::Result<()> {
        if entries.is_empty() {
            return Ok(());
        }
        let mut ids = self.ids(kind, &entries)?;
        let mut unchanged = vec![false; entries.len()];
        if kind.key.is_empty() {
            let top = &kind.layout.tables[0].name;
            let into = self.named(top);
            self.copy(&waiting.spec, &into, kind, 0, &entries, &ids, &unchanged)?;
        } else {
            self.merge(waiting, kind, &entries, &mut ids, &mut unchanged)?;
        }
        for (number, table) in kind.layout.tables.iter().enumerate().skip(1) {
            let into = self.named(&table.name);
            if table.parent == Some(0) && !kind.key.is_empty() {
                let changed = ids.iter().zip(&unchanged).filter(|(_, unchanged)| !**unchanged);
                let parents: Vec<i64> = changed.map(|(ids, _)| ids[0]).collect();
                let sql = format!("DELETE FROM {into} WHERE _parent = ANY($1)");
                self.client.execute(&sql, &[&parents]).map_err(from_postgres)?;
            }
            self.copy(&waiting.spec, &into, kind, number, &entries, &ids, &unchanged)?;
        }
        Ok(())
    }

    /// An id for each row of each record.
    fn ids(&mut self, kind: &Kind, entries: &[Entry]) -> io::Result<Vec<Vec<i64>>> {
        let mut pools: Vec<std::vec::IntoIter<i64>> = Vec::new();
        for (number, table) in kind.layout.tables.iter().enumerate() {
            let rows = entries.iter().flat_map(|entry| &entry.rows);
            let count = rows.filter(|row| row.table == number).count() as i64;
            let sql = "SELECT nextval(pg_get_serial_sequence($1, '_id')) FROM generate_series(1::bigint, $2::bigint)";
            let name = self.named(&table.name);
            let rows = self.client.query(sql, &[&name, &count]).map_err(from_postgres)?;
            let ids: Result<Option<Vec<i64>>, _> = rows.iter().map(|row| row.try_get(0)).collect();
            let ids = ids.map_err(from_postgres)?;
            let ids = ids.ok_or_else(|| {
                mistake(format!(
                    "the column `_id` of the table {name} has no sequence, so it is not a table of records; choose another name"
                ))
            })?;
            pools.push(ids.into_iter());
        }
        let short = || io::Error::other("the server gave fewer ids than were asked for");
        entries
            .iter()
            .map(|entry| {
                let ids = entry.rows.iter().map(|row| pools[row.table].next().ok_or_else(short));
                ids.collect()
            })
            .collect()
    }

    /// Inserts or updates records by their key. Their first ids become those of the rows that were there, and records whose
    /// values are as they were are marked.
    fn merge(
        &mut self,
        waiting: &mut Waiting,
        kind: &Kind,
        entries: &[Entry],
        ids: &mut [Vec<i64>],
        unchanged: &mut [bool],
    ) -> io::Result<()> {
        let name = self.named(&kind.layout.tables[0].name);
        self.execute(&format!(
            "DROP TABLE IF EXISTS {NEW}; CREATE TEMPORARY TABLE wrapwright_new (LIKE {name})"
        ))?;
        self.copy(&waiting.spec, NEW, kind, 0, entries, ids, unchanged)?;
        let columns = kind.layout.tables[0].columns.iter().zip(&kind.written[0]);
        let own: Vec<String> = columns
            .filter(|(_, written)| **written)
            .map(|(column, _)| quoted(&column.name))
            .collect();
        let names = ["_id".to_owned()]
            .into_iter()
            .chain(own.iter().cloned())
            .chain(HISTORY.map(str::to_owned));
        let names = names.collect::<Vec<_>>().join(", ");
        let updates: String = own
            .iter()
            .map(|column| format!("{column} = EXCLUDED.{column}, "))
            .collect();
        let key = key_names(kind);
        self.execute(&format!(
            "INSERT INTO {name} AS old ({names}) SELECT {names} FROM {NEW} ON CONFLICT ({key}) DO UPDATE SET {updates}\
             _first_seen = COALESCE(old._first_seen, EXCLUDED._first_seen), _last_seen = EXCLUDED._last_seen, _run = EXCLUDED._run, _changed = CASE WHEN old._hash IS NOT DISTINCT FROM \
             EXCLUDED._hash THEN old._changed ELSE EXCLUDED._changed END, _hash = EXCLUDED._hash, _gone = NULL"
        ))?;
        let columns = &kind.layout.tables[0].columns;
        let same = kind.key.iter().map(|at| {
            let column = quoted(&columns[*at].name);
            format!("t.{column} = n.{column}")
        });
        let same = same.collect::<Vec<_>>().join(" AND ");
        let sql = format!(
            "SELECT n._id::bigint, t._id::bigint, t._first_seen = n._first_seen, t._changed = n._changed FROM {NEW} n JOIN {name} t ON {same}"
        );
        let rows = self.client.query(&sql, &[]).map_err(from_postgres)?;
        let places: std::collections::HashMap<i64, usize> =
            ids.iter().enumerate().map(|(at, ids)| (ids[0], at)).collect();
        let tally = waiting.typing.tally_mut();
        for row in rows {
            let id = |column: usize| row.try_get::<_, i64>(column).map_err(from_postgres);
            let Some(at) = places.get(&id(0)?) else {
                continue;
            };
            ids[*at][0] = id(1)?;
            let is = |column: usize| matches!(row.try_get(column), Ok(Some(true)));
            let (is_new, has_changed) = (is(2), is(3));
            unchanged[*at] = !has_changed;
            tally.added += u64::from(is_new);
            tally.changed += u64::from(has_changed && !is_new);
        }
        Ok(())
    }

    /// Copies the rows of a table, except those of records that are as they were.
    #[allow(clippy::too_many_arguments, reason = "what is copied, and which of it")]
    fn copy(
        &mut self,
        spec: &TableSpec,
        into: &str,
        kind: &Kind,
        number: usize,
        entries: &[Entry],
        ids: &[Vec<i64>],
        unchanged: &[bool],
    ) -> io::Result<()> {
        let table = &kind.layout.tables[number];
        let keyed = number == 0 && !kind.key.is_empty();
        let mut names = vec!["_id".to_owned()];
        if table.parent.is_some() {
            names.extend(["_parent", "_position"].map(str::to_owned));
        }
        let columns = table.columns.iter().zip(&kind.written[number]);
        names.extend(
            columns
                .filter(|(_, written)| **written)
                .map(|(column, _)| quoted(&column.name)),
        );
        if keyed {
            names.extend(HISTORY.map(str::to_owned));
        }
        let TableSpec { now, run, .. } = spec;
        let sql = format!("COPY {into} ({}) FROM STDIN", names.join(", "));
        let mut writer = self.client.copy_in(&sql).map_err(from_postgres)?;
        let mut line = Line::default();
        for ((entry, ids), _) in entries
            .iter()
            .zip(ids)
            .zip(unchanged)
            .filter(|(_, unchanged)| !**unchanged)
        {
            for (row, id) in entry.rows.iter().zip(ids).filter(|(row, _)| row.table == number) {
                line.number(*id);
                if number > 0 {
                    line.number(ids[row.parent]);
                    line.number(row.position as i64);
                }
                let cells = row.cells.iter().zip(&kind.written[number]);
                cells
                    .filter(|(_, written)| **written)
                    .for_each(|(cell, _)| line.cell(cell));
                if keyed {
                    [now, now, run, now, &entry.hash]
                        .into_iter()
                        .for_each(|text| line.text(text));
                }
                line.end();
            }
            if line.is_long() {
                writer.write_all(line.bytes())?;
                line.clear();
            }
        }
        writer.write_all(line.bytes())?;
        writer.finish().map_err(from_postgres)?;
        Ok(())
    }
}

fn declared(column: &Column) -> String {
    format!("{} {}", quoted(&column.name), sql_type(column))
}

/// An error with all its causes; it contains no password.
fn causes(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(inner) = cause {
        text += &format!(": {inner}");
        cause = inner.source();
    }
    text
}

/// An error of the server or the connection, as sinks have them; it contains no password.
pub fn from_postgres(error: postgres::Error) -> io::Error {
    if let Some(said) = error.as_db_error() {
        let mut text = said.message().to_owned();
        if let Some(detail) = said.detail() {
            text += &format!(" ({detail})");
        }
        let kind = match said.code().code().get(..2) {
            // Invalid authorization, and rights that are missing.
            Some("28") => io::ErrorKind::PermissionDenied,
            _ if said.code().code() == "42501" => io::ErrorKind::PermissionDenied,
            // The disk or the memory of the server is full.
            Some("53") => io::ErrorKind::StorageFull,
            // The server is going down.
            Some("57") => io::ErrorKind::ConnectionAborted,
            _ => io::ErrorKind::Other,
        };
        return io::Error::new(kind, text);
    }
    let kind = match error.is_closed() {
        true => io::ErrorKind::ConnectionAborted,
        false => io::ErrorKind::Other,
    };
    io::Error::new(kind, causes(&error))
}
