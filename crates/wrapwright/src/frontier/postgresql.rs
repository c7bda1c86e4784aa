//! A frontier in a PostgreSQL database.
//!
//! The logic is in `schema.sql`, as functions of the database: each call is one statement, so it is one transaction and
//! one round trip, also through a pool of connections. This file makes the tables, keeps a few connections, and
//! converts. A connection keeps the statements that it has prepared, which saves a round trip each time.

use super::{
    Claim, Done, Frontier, FrontierError, JobId, Lease, Leased, Program, Submitted, Turn, Unit, UnitReport, VERSION,
    WorkerId, lost,
};
use columnar::PostgresqlPlace;
use postgres::types::ToSql;
use postgres::{Client, Row, Statement};
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, UNIX_EPOCH};

const SCHEMA: &str = include_str!("schema.sql");

/// Units that are sent in one statement.
const CHUNK: usize = 10_000;

/// A number of our own for locks that belong to nothing in the database.
const LOCKS: i32 = 0x5752_4150;

/// The state that `lease` fails with.
const GIVEN_UP: &str = "WW001";

/// Connections that wait for the next call.
const IDLE: usize = 64;

type Params<'p> = &'p [&'p (dyn ToSql + Sync)];

/// A frontier in a PostgreSQL database.
#[derive(Debug)]
pub struct Postgresql {
    place: PostgresqlPlace,
    idle: Idle,
}

#[derive(Default)]
struct Idle(Mutex<Vec<Connection>>);

/// A connection and the statements that it knows. All of them are constants, so there are few.
struct Connection {
    client: Client,
    known: BTreeMap<String, Statement>,
}

impl Connection {
    fn statement(&mut self, sql: &str) -> Result<Statement, postgres::Error> {
        if let Some(statement) = self.known.get(sql) {
            return Ok(statement.clone());
        }
        let statement = self.client.prepare(sql)?;
        self.known.insert(sql.to_owned(), statement.clone());
        Ok(statement)
    }

    fn query(&mut self, sql: &str, params: Params<'_>) -> Result<Vec<Row>, postgres::Error> {
        let statement = self.statement(sql)?;
        self.client.query(&statement, params)
    }
}

impl std::fmt::Debug for Idle {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Idle")
    }
}

impl Postgresql {
    /// Connects, and makes the tables if they are missing.
    ///
    /// # Errors
    ///
    /// The address is wrong, the server does not answer or refuses, or it has the tables of another version.
    pub fn open(address: &str, password: Option<&str>) -> Result<Postgresql, FrontierError> {
        let mut place = PostgresqlPlace::parse(address).map_err(FrontierError::Address)?;
        if let Some(password) = password {
            place.password_if_missing(password);
        }
        let frontier = Postgresql {
            place,
            idle: Idle::default(),
        };
        let found = frontier.with(|connection| {
            let mut transaction = connection.client.transaction()?;
            // Two processes may start at the same time.
            transaction.execute("SELECT pg_advisory_xact_lock($1, 0)", &[&LOCKS])?;
            let there = "SELECT to_regclass('wrapwright_frontier.version') IS NOT NULL";
            if !transaction.query_one(there, &[])?.try_get::<_, bool>(0)? {
                transaction.batch_execute(SCHEMA)?;
            }
            let row = transaction.query_one("SELECT max(number) FROM wrapwright_frontier.version", &[])?;
            transaction.commit()?;
            row.try_get::<_, i32>(0)
        })?;
        match found {
            VERSION => Ok(frontier),
            found => Err(FrontierError::Version { found }),
        }
    }

    /// Does something with a connection. One that was lost is replaced once, because a server that was started again has
    /// closed all of them.
    fn with<T>(&self, mut work: impl FnMut(&mut Connection) -> Result<T, postgres::Error>) -> Result<T, FrontierError> {
        let mut is_new = false;
        loop {
            let idle = self.lock().pop();
            let mut connection = match idle.filter(|_| !is_new) {
                Some(connection) => connection,
                None => {
                    is_new = true;
                    Connection {
                        client: self.place.connect().map_err(|error| self.error(error))?,
                        known: BTreeMap::new(),
                    }
                }
            };
            match work(&mut connection) {
                Ok(done) => {
                    let mut idle = self.lock();
                    if idle.len() < IDLE {
                        idle.push(connection);
                    }
                    return Ok(done);
                }
                Err(error) if error.code().is_some_and(|code| code.code() == GIVEN_UP) => {
                    self.lock().push(connection);
                    return Err(FrontierError::GivenUp);
                }
                Err(_) if connection.client.is_closed() && !is_new => {
                    self.lock().clear();
                }
                Err(error) => return Err(self.error(columnar::postgres_error(error))),
            }
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<Connection>> {
        self.idle.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn error(&self, error: std::io::Error) -> FrontierError {
        FrontierError::Server {
            place: self.place.name(),
            error,
        }
    }

    fn rows(&self, sql: &str, params: Params<'_>) -> Result<Vec<Row>, FrontierError> {
        self.with(|connection| connection.query(sql, params))
    }

    /// The only value of the only row.
    fn one<T>(&self, sql: &str, params: Params<'_>) -> Result<T, FrontierError>
    where
        T: for<'t> postgres::types::FromSql<'t>,
    {
        self.with(|connection| {
            let statement = connection.statement(sql)?;
            connection.client.query_one(&statement, params)?.try_get(0)
        })
    }

    fn value<T>(&self, row: &Row, at: usize) -> Result<T, FrontierError>
    where
        T: for<'t> postgres::types::FromSql<'t>,
    {
        row.try_get(at)
            .map_err(|error| self.error(columnar::postgres_error(error)))
    }

    fn submitted(&self, row: &Row, again: bool) -> Result<Submitted, FrontierError> {
        let made: f64 = self.value(row, 2)?;
        let before: Option<i64> = self.value(row, 4)?;
        Ok(Submitted {
            job: JobId(self.value(row, 0)?),
            again,
            units: self.value(row, 1)?,
            made: UNIX_EPOCH + Duration::try_from_secs_f64(made).unwrap_or_default(),
            opened: self.value(row, 3)?,
            before: before.and_then(|bytes| u64::try_from(bytes).ok()),
        })
    }
}

impl Frontier for Postgresql {
    fn submit(&self, program: &Program, units: &[Unit]) -> Result<Submitted, FrontierError> {
        const COLUMNS: &str = "id, units, extract(epoch FROM made)::double precision, opened, before";
        let (hash, text) = (program.hash(units), program.to_json());
        let (count, tries) = (i64::try_from(units.len()).unwrap_or(i64::MAX), program.tries);
        let pace = program.delay.unwrap_or_default();
        let inserted = self.with(|connection| {
            let mut transaction = connection.client.transaction()?;
            let sql = format!(
                "INSERT INTO wrapwright_frontier.jobs (hash, program, units, most_tries) VALUES ($1, $2, $3, $4) \
                 ON CONFLICT (hash) DO NOTHING RETURNING {COLUMNS}"
            );
            let Some(row) = transaction.query_opt(&sql, &[&hash, &text, &count, &tries])? else {
                return Ok(None);
            };
            let job: i64 = row.try_get(0)?;
            let sql = transaction.prepare(
                "INSERT INTO wrapwright_frontier.units (job, number, host, input) SELECT $1, $2 + position - 1, host, input \
                 FROM unnest($3::text[], $4::text[]) WITH ORDINALITY AS u (host, input, position)",
            )?;
            for (chunk, units) in units.chunks(CHUNK).enumerate() {
                let begin = (chunk * CHUNK) as i64;
                let hosts: Vec<&str> = units.iter().map(|unit| unit.host.as_str()).collect();
                let inputs: Vec<&str> = units.iter().map(|unit| unit.input.as_str()).collect();
                transaction.execute(&sql, &[&job, &begin, &hosts, &inputs])?;
            }
            // Last, because turns at these hosts wait until the end of the transaction.
            transaction.execute(
                "INSERT INTO wrapwright_frontier.hosts AS h (host, pace, waiting) \
                 SELECT host, CASE WHEN host LIKE '?%' THEN 0 ELSE $2::double precision END, count(*) \
                 FROM wrapwright_frontier.units WHERE job = $1 GROUP BY host ORDER BY host \
                 ON CONFLICT (host) DO UPDATE SET waiting = h.waiting + EXCLUDED.waiting, pace = greatest(h.pace, EXCLUDED.pace)",
                &[&job, &pace],
            )?;
            transaction.commit()?;
            Ok(Some(row))
        })?;
        match inserted {
            Some(row) => self.submitted(&row, false),
            None => {
                let sql = format!("SELECT {COLUMNS} FROM wrapwright_frontier.jobs WHERE hash = $1");
                match self.rows(&sql, &[&hash])?.first() {
                    Some(row) => self.submitted(row, true),
                    // It has ended in the meantime.
                    None => self.submit(program, units),
                }
            }
        }
    }

    fn program(&self, job: JobId) -> Result<Option<Program>, FrontierError> {
        let rows = self.rows("SELECT program FROM wrapwright_frontier.jobs WHERE id = $1", &[&job.0])?;
        let row = rows.first();
        row.map(|row| Program::from_json(&self.value::<String>(row, 0)?))
            .transpose()
    }

    fn claim(&self, job: JobId) -> Result<Claim, FrontierError> {
        // A connection of its own, which ends with the process that follows.
        let mut client = self.place.connect().map_err(|error| self.error(error))?;
        let number = i32::try_from(job.0 % i64::from(i32::MAX)).unwrap_or_default();
        let claimed = client
            .query_one("SELECT pg_try_advisory_lock($1, $2)", &[&(LOCKS + 1), &number])
            .and_then(|row| row.try_get::<_, bool>(0));
        match claimed.map_err(|error| self.error(columnar::postgres_error(error)))? {
            true => Ok(Claim(Box::new(client))),
            false => Err(FrontierError::Followed),
        }
    }

    fn opened(&self, job: JobId, before: Option<u64>) -> Result<(), FrontierError> {
        let before = before.and_then(|bytes| i64::try_from(bytes).ok());
        let sql = "UPDATE wrapwright_frontier.jobs SET opened = true, before = $2 WHERE id = $1";
        self.rows(sql, &[&job.0, &before]).map(drop)
    }

    fn done(&self, job: JobId, from: i64, most: i64) -> Result<Vec<Done>, FrontierError> {
        let sql = "SELECT number, state, bytes, COALESCE(report, '') FROM wrapwright_frontier.units \
                   WHERE job = $1 AND number >= $2 ORDER BY number LIMIT $3";
        let mut done = Vec::new();
        for row in self.rows(sql, &[&job.0, &from, &most])? {
            if self.value::<i16>(&row, 1)? < 2 {
                break;
            }
            done.push(Done {
                number: self.value(&row, 0)?,
                bytes: self.value(&row, 2)?,
                report: UnitReport::from_json(&self.value::<String>(&row, 3)?),
            });
        }
        Ok(done)
    }

    fn records(&self, job: JobId, units: Range<i64>) -> Result<Vec<(i64, String)>, FrontierError> {
        let sql = "SELECT unit, record FROM wrapwright_frontier.records \
                   WHERE job = $1 AND unit >= $2 AND unit < $3 ORDER BY unit, position";
        let rows = self.rows(sql, &[&job.0, &units.start, &units.end])?;
        rows.iter()
            .map(|row| Ok((self.value(row, 0)?, self.value(row, 1)?)))
            .collect()
    }

    fn forget(&self, job: JobId) -> Result<(), FrontierError> {
        self.rows("SELECT wrapwright_frontier.forget($1)", &[&job.0]).map(drop)
    }

    fn enter(&self, name: &str, limit: Duration) -> Result<WorkerId, FrontierError> {
        let sql = "SELECT wrapwright_frontier.enter($1, $2)";
        self.one(sql, &[&name, &limit.as_secs_f64()]).map(WorkerId)
    }

    fn beat(&self, worker: WorkerId, limit: Duration) -> Result<bool, FrontierError> {
        let sql = "SELECT wrapwright_frontier.beat($1, $2)";
        self.one(sql, &[&worker.0, &limit.as_secs_f64()])
    }

    fn reap(&self) -> Result<usize, FrontierError> {
        let said = lost().to_json();
        let mut units = 0;
        while let Some(freed) = self.one::<Option<i32>>("SELECT wrapwright_frontier.reap($1)", &[&said])? {
            units += usize::try_from(freed).unwrap_or(0);
        }
        Ok(units)
    }

    fn lease(&self, worker: WorkerId, most: usize) -> Result<Leased, FrontierError> {
        let most = i32::try_from(most).unwrap_or(i32::MAX);
        let sql = "SELECT job, number, lease, tries, input, wait FROM wrapwright_frontier.lease($1, $2)";
        let rows = self.rows(sql, &[&worker.0, &most])?;
        let mut units = Vec::new();
        for row in &rows {
            let Some(job) = self.value::<Option<i64>>(row, 0)? else {
                let wait: Option<f64> = self.value(row, 5)?;
                return Ok(match wait {
                    Some(wait) => Leased::Wait(Duration::try_from_secs_f64(wait).unwrap_or_default()),
                    None => Leased::Nothing,
                });
            };
            units.push(Lease {
                job: JobId(job),
                number: self.value(row, 1)?,
                lease: self.value(row, 2)?,
                tries: self.value(row, 3)?,
                input: self.value(row, 4)?,
            });
        }
        Ok(Leased::Units(units))
    }

    fn turn(&self, host: &str, delay: Duration, longest: Duration) -> Result<Turn, FrontierError> {
        let sql = "SELECT wrapwright_frontier.turn($1, $2, $3)";
        let wait: f64 = self.one(sql, &[&host, &delay.as_secs_f64(), &longest.as_secs_f64()])?;
        let time = Duration::try_from_secs_f64(wait.abs()).unwrap_or(Duration::MAX);
        Ok(if wait < 0.0 {
            Turn::NotBefore(time)
        } else {
            Turn::In(time)
        })
    }

    fn hold(&self, host: &str, pause: Duration) -> Result<(), FrontierError> {
        let sql = "SELECT wrapwright_frontier.hold($1, $2)";
        self.rows(sql, &[&host, &pause.as_secs_f64()]).map(drop)
    }

    fn finish(&self, lease: &Lease, report: &UnitReport, records: &[String]) -> Result<bool, FrontierError> {
        let size: usize = records.iter().map(String::len).sum();
        let size = i64::try_from(size).unwrap_or(i64::MAX);
        let sql = "SELECT wrapwright_frontier.finish($1, $2, $3, $4, $5, $6)";
        self.one(
            sql,
            &[
                &lease.job.0,
                &lease.number,
                &lease.lease,
                &report.to_json(),
                &size,
                &records,
            ],
        )
    }

    fn give_back(&self, lease: &Lease, report: Option<&UnitReport>) -> Result<bool, FrontierError> {
        let said = report.map(UnitReport::to_json);
        let sql = "SELECT wrapwright_frontier.give_back($1, $2, $3, $4, $5)";
        self.one(
            sql,
            &[&lease.job.0, &lease.number, &lease.lease, &said.is_some(), &said],
        )
    }
}
