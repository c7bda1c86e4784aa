//! What SQLite and PostgreSQL have in common: how tables are asked for, and the records that wait to be written.
//!
//! Records are collected and written in batches, each in one transaction, so a killed run has written whole records only.
//! If a run is to become visible as a whole, all batches are in one transaction, which ends with the run.
//!
//! [`Tables`] is the sink; a [`Database`] is what differs between them.
//!
//! With a key, a record that is there already is updated. The row then says when it was first and last seen
//! (`_first_seen`, `_last_seen`), by which run last (`_run`), when its values last changed (`_changed`), and since when it is
//! gone (`_gone`). Whether values have changed is decided by a hash of them (`_hash`).

use crate::layout::{Layout, Row, hash, quoted};
use crate::mark::{Mark, Pace};
use crate::{OnNewField, TableSpec};
use record::{Cell, Ending, Record, RecordType, Sink, SinkSpec, Tally, Typing};
use std::collections::HashMap;
use std::io;
use std::time::{Duration, Instant};

/// A batch is written when it has this many records,
const RECORDS: usize = 2000;
/// or rows of this many bytes,
const BYTES: usize = 8 << 20;
/// or with the next record after this time.
const INTERVAL: Duration = Duration::from_secs(2);

/// The columns that tell the history of a row, in the order in which they are written.
pub(crate) const HISTORY: [&str; 5] = ["_first_seen", "_last_seen", "_run", "_changed", "_hash"];

/// The table that says how far runs are.
pub(crate) const MARKS: &str = "_wrapwright_runs";

/// A database that tables are made in.
pub(crate) trait Database {
    fn execute(&mut self, sql: &str) -> io::Result<()>;

    /// Begins a transaction that writes.
    fn begin(&mut self) -> io::Result<()>;

    /// Makes the tables, or the columns that they lack. If all batches are in one transaction, it has begun afterwards.
    fn prepare(&mut self, waiting: &mut Waiting, kinds: &mut [Kind], whole: bool) -> io::Result<()>;

    /// Writes records, within a transaction.
    fn insert(&mut self, waiting: &mut Waiting, kinds: &[Kind], entries: Vec<Entry>) -> io::Result<()>;

    /// Marks the records that this run did not find, and gives their number.
    fn mark_gone(&mut self, spec: &TableSpec, kinds: &[Kind]) -> io::Result<u64>;

    /// How far a run is. Waits for a transaction of an earlier process that is about to end.
    fn read_mark(&mut self, run: &str) -> io::Result<Option<Mark>>;

    /// Says how far a run is, within the transaction of its records.
    fn write_mark(&mut self, run: &str, mark: &Mark) -> io::Result<()>;

    /// The tables are written; `kinds` is false if there are none.
    fn close(&mut self, _kinds: bool) {}
}

/// A sink for tables of a database.
pub(crate) struct Tables<D: Database> {
    database: D,
    waiting: Waiting,
    /// The tables, once they are made.
    kinds: Option<Vec<Kind>>,
    /// Are all batches in one transaction?
    whole: bool,
    /// After a failure nothing more is written: it would come after a gap.
    failed: bool,
}

impl<D: Database> Tables<D> {
    /// Tables are made with the first record. The records that this run wrote before are left out.
    pub(crate) fn new(mut database: D, mut waiting: Waiting) -> io::Result<Tables<D>> {
        if waiting.pace.is_kept()
            && let Some(mark) = database.read_mark(&waiting.spec.run)?
        {
            // What there was to be replaced was replaced together with the first of them.
            waiting.spec.replace = false;
            let anew = waiting.spec.resume.as_ref().is_some_and(|resume| resume.anew);
            let mark = if anew { Mark::default() } else { mark };
            let tally = waiting.typing.tally_mut();
            (tally.added, tally.changed) = (mark.added, mark.changed);
            waiting.pace.know(mark);
        }
        Ok(Tables {
            database,
            whole: waiting.spec.publish || waiting.spec.replace,
            waiting,
            kinds: None,
            failed: false,
        })
    }

    fn begin(&mut self) -> io::Result<()> {
        if self.kinds.is_some() {
            return Ok(());
        }
        let mut kinds = self.waiting.kinds()?;
        self.database.prepare(&mut self.waiting, &mut kinds, self.whole)?;
        self.kinds = Some(kinds);
        Ok(())
    }

    /// Writes the records that wait.
    fn write(&mut self) -> io::Result<()> {
        if self.failed {
            return Err(io::Error::other("records before these could not be written"));
        }
        let written = self.write_batch();
        self.failed |= written.is_err();
        written
    }

    fn write_batch(&mut self) -> io::Result<()> {
        self.begin()?;
        let kinds = self.kinds.as_deref().unwrap_or_default();
        let entries = self.waiting.take(kinds);
        if self.whole {
            return self.database.insert(&mut self.waiting, kinds, entries);
        }
        self.waiting.pace.before()?;
        self.database.begin()?;
        let written = self.database.insert(&mut self.waiting, kinds, entries);
        let written = written.and_then(|()| self.mark());
        if written.is_err() {
            // The first failure is the one to report.
            let _ = self.database.execute("ROLLBACK");
            return written;
        }
        self.database.execute("COMMIT")?;
        self.waiting.all_flushed();
        Ok(())
    }

    /// Says how far the run is.
    fn mark(&mut self) -> io::Result<()> {
        if !self.waiting.pace.is_kept() {
            return Ok(());
        }
        let tally = self.waiting.tally();
        let mark = Mark {
            added: tally.added,
            changed: tally.changed,
            ..self.waiting.pace.mark()
        };
        self.database.write_mark(&self.waiting.spec.run, &mark)
    }
}

impl<D: Database> Drop for Tables<D> {
    fn drop(&mut self) {
        self.database.close(self.kinds.is_some());
    }
}

impl<D: Database> Sink for Tables<D> {
    fn record(&mut self, record: &Record) -> io::Result<()> {
        self.begin()?;
        let kinds = self.kinds.as_deref().unwrap_or_default();
        let pushed = self.waiting.push(kinds, record);
        self.failed |= pushed.is_err();
        match pushed? {
            true => self.write(),
            false => Ok(()),
        }
    }

    fn bindings(&mut self, bindings: &[(String, String)]) {
        self.waiting.typing.bind(bindings);
    }

    fn finish(&mut self) -> io::Result<()> {
        // Fewer records than before are an error only if the run came to its end.
        if self.waiting.is_behind() {
            return Ok(());
        }
        self.write()
    }

    fn tally(&self) -> &Tally {
        self.waiting.tally()
    }

    fn flushed(&self) -> u64 {
        self.waiting.flushed
    }

    fn settle(&mut self, ending: Ending) -> io::Result<()> {
        if ending != Ending::Broken {
            self.waiting.pace.check_end()?;
        }
        let spec = &self.waiting.spec;
        let kinds = self.kinds.as_deref().unwrap_or_default();
        if ending == Ending::Complete && spec.mark_gone && !spec.key.is_empty() {
            let gone = self.database.mark_gone(spec, kinds)?;
            self.waiting.typing.tally_mut().gone = gone;
        }
        if self.whole && self.kinds.is_some() {
            let is_whole = ending != Ending::Broken;
            if is_whole {
                self.waiting.pace.before()?;
                self.mark()?;
            }
            self.database.execute(if is_whole { "COMMIT" } else { "ROLLBACK" })?;
            self.whole = false;
            if is_whole {
                self.waiting.all_flushed();
            }
        }
        Ok(())
    }
}

/// A sink of a public type that is nothing but [`Tables`].
macro_rules! sink_of_tables {
    ($sink:ident) => {
        impl record::Sink for $sink {
            fn record(&mut self, record: &record::Record) -> std::io::Result<()> {
                self.0.record(record)
            }

            fn bindings(&mut self, bindings: &[(String, String)]) {
                self.0.bindings(bindings);
            }

            fn finish(&mut self) -> std::io::Result<()> {
                self.0.finish()
            }

            fn tally(&self) -> &record::Tally {
                self.0.tally()
            }

            fn flushed(&self) -> u64 {
                self.0.flushed()
            }

            fn settle(&mut self, ending: record::Ending) -> std::io::Result<()> {
                self.0.settle(ending)
            }
        }
    };
}
pub(crate) use sink_of_tables;

/// The columns of the key, quoted.
pub(crate) fn key_names(kind: &Kind) -> String {
    let columns = &kind.layout.tables[0].columns;
    let names: Vec<String> = kind.key.iter().map(|at| quoted(&columns[*at].name)).collect();
    names.join(", ")
}

/// Records that wait to be written.
pub(crate) struct Waiting {
    pub(crate) typing: Typing,
    pub(crate) spec: TableSpec,
    pub(crate) records: Vec<Entry>,
    bytes: usize,
    since: Instant,
    /// Records that were given so far.
    given: u64,
    pub(crate) flushed: u64,
    /// The records that are there already.
    pace: Pace,
}

/// A record that waits.
pub(crate) struct Entry {
    /// The number of its type.
    pub(crate) kind: usize,
    pub(crate) rows: Vec<Row>,
    pub(crate) hash: String,
}

/// The tables of a type, and where its key is.
pub(crate) struct Kind {
    pub(crate) layout: Layout,
    /// The columns of the key in the first table.
    pub(crate) key: Vec<usize>,
    /// For each table, which columns are written: those that the database has.
    pub(crate) written: Vec<Vec<bool>>,
}

impl Waiting {
    pub(crate) fn new(types: &[RecordType], sink: &SinkSpec, spec: &TableSpec) -> Waiting {
        Waiting {
            typing: Typing::new(types, sink),
            spec: spec.clone(),
            records: Vec::new(),
            bytes: 0,
            since: Instant::now(),
            given: 0,
            flushed: 0,
            pace: Pace::new(spec.resume.clone()),
        }
    }

    /// The tables of all types.
    ///
    /// # Errors
    ///
    /// A type does not have the key, or one table was named for several types.
    pub(crate) fn kinds(&self) -> io::Result<Vec<Kind>> {
        let types = self.typing.types();
        if let (Some(table), true) = (&self.spec.table, types.len() > 1) {
            let names: Vec<&str> = types.iter().map(|kind| kind.name.as_str()).collect();
            return Err(mistake(format!(
                "there are records of {} types ({}), and one table, `{table}`; leave out its name, and each type gets its own",
                types.len(),
                names.join(", ")
            )));
        }
        types
            .iter()
            .map(|kind| {
                let layout = Layout::new(kind, self.spec.table.as_deref().unwrap_or(&kind.name));
                let columns = &layout.tables[0].columns;
                let key: io::Result<Vec<usize>> = self
                    .spec
                    .key
                    .iter()
                    .map(|name| {
                        let found = columns.iter().position(|column| column.field == *name);
                        found.ok_or_else(|| no_key(name, kind, &layout))
                    })
                    .collect();
                let written = layout.tables.iter().map(|table| vec![true; table.columns.len()]);
                Ok(Kind {
                    key: key?,
                    written: written.collect(),
                    layout,
                })
            })
            .collect()
    }

    /// Adds a record, unless it is left out. Is it time to write?
    pub(crate) fn push(&mut self, kinds: &[Kind], record: &Record) -> io::Result<bool> {
        let is_there = self.pace.pass(record)?;
        let row = self.typing.row(record)?;
        self.given += 1;
        let Some((at, cells)) = row else {
            return Ok(self.is_full());
        };
        let kind = &kinds[at];
        let rows = kind.layout.rows(cells);
        if kind.key.iter().any(|column| rows[0].cells[*column].is_nothing()) {
            self.typing.tally_mut().keyless += 1;
            return Ok(self.is_full());
        }
        if is_there {
            self.typing.tally_mut().records += 1;
            self.all_flushed();
            return Ok(false);
        }
        let hash = match kind.key.is_empty() {
            true => String::new(),
            false => hash(&kind.layout, &rows),
        };
        self.bytes += rows.iter().flat_map(|row| &row.cells).map(size).sum::<usize>();
        if self.records.is_empty() {
            self.since = Instant::now();
        }
        self.records.push(Entry { kind: at, rows, hash });
        Ok(self.is_full())
    }

    fn is_full(&self) -> bool {
        let waits = !self.records.is_empty() && self.since.elapsed() >= INTERVAL;
        self.records.len() >= RECORDS || self.bytes >= BYTES || waits
    }

    /// Takes the records that wait, ready to be written: of those with the same key, only the last.
    pub(crate) fn take(&mut self, kinds: &[Kind]) -> Vec<Entry> {
        self.bytes = 0;
        let entries = std::mem::take(&mut self.records);
        self.typing.tally_mut().records += entries.len() as u64;
        let mut last: HashMap<(usize, String), usize> = HashMap::new();
        let mut superseded = vec![false; entries.len()];
        for (at, entry) in entries.iter().enumerate() {
            let kind = &kinds[entry.kind];
            if kind.key.is_empty() {
                continue;
            }
            if let Some(before) = last.insert((entry.kind, key_text(kind, entry)), at) {
                superseded[before] = true;
            }
        }
        let kept = entries.into_iter().zip(superseded).filter(|(_, old)| !old);
        kept.map(|(entry, _)| entry).collect()
    }

    /// Has the database records that this process has not found yet?
    fn is_behind(&self) -> bool {
        self.pace.is_behind()
    }

    /// Everything that was given so far is in the database.
    pub(crate) fn all_flushed(&mut self) {
        self.flushed = self.given;
    }

    pub(crate) fn tally(&self) -> &Tally {
        self.typing.tally()
    }
}

/// The key of a record as one text.
fn key_text(kind: &Kind, entry: &Entry) -> String {
    let cells = kind.key.iter().map(|column| match &entry.rows[0].cells[*column] {
        Cell::List(cells) => crate::layout::json(cells),
        cell => cell.written().into_owned(),
    });
    cells.collect::<Vec<_>>().join("\u{0}")
}

/// A mistake of the user.
pub(crate) fn mistake(text: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, text)
}

fn no_key(name: &str, kind: &RecordType, layout: &Layout) -> io::Error {
    let is_nested = layout.tables[1..]
        .iter()
        .any(|table| table.columns.iter().any(|column| column.field == name));
    if is_nested {
        return mistake(format!(
            "the key `{name}` is a field of nested records; a key is a field of the records themselves"
        ));
    }
    let names: Vec<&str> = layout.tables[0]
        .columns
        .iter()
        .map(|column| column.field.as_str())
        .collect();
    mistake(format!(
        "the records `{}` have no field `{name}` for the key; they have: {}",
        kind.name,
        names.join(", ")
    ))
}

/// Decides about the fields that a table does not have: marks those that are left out, and gives those that are to be added.
///
/// # Errors
///
/// The columns of the table are frozen, or the key has no column.
pub(crate) fn new_fields(
    waiting: &mut Waiting,
    kind: &mut Kind,
    table: usize,
    has: &[String],
) -> io::Result<Vec<usize>> {
    let Kind { layout, key, written } = kind;
    let columns = &layout.tables[table].columns;
    let name = &layout.tables[table].name;
    let is_new = |at: &usize| !has.iter().any(|known| known.eq_ignore_ascii_case(&columns[*at].name));
    let new: Vec<usize> = (0..columns.len()).filter(is_new).collect();
    if new.is_empty() {
        return Ok(new);
    }
    let names: Vec<&str> = new.iter().map(|at| columns[*at].name.as_str()).collect();
    let names = format!("`{}`", names.join("`, `"));
    let notices = &mut waiting.typing.tally_mut().notices;
    match waiting.spec.on_new_field {
        OnNewField::Evolve => {
            notices.push(format!("the table `{name}` has new columns: {names}"));
            Ok(new)
        }
        OnNewField::Freeze => Err(mistake(format!(
            "the table `{name}` has no columns for: {names}; nothing was written"
        ))),
        OnNewField::Drop => {
            if table == 0 && key.iter().any(|column| new.contains(column)) {
                return Err(mistake(format!(
                    "the table `{name}` has no column for the key: {names}"
                )));
            }
            notices.push(format!(
                "the table `{name}` has no columns for: {names}; they were left out"
            ));
            for at in new {
                written[table][at] = false;
            }
            Ok(Vec::new())
        }
    }
}

/// About how many bytes a cell takes.
fn size(cell: &Cell) -> usize {
    match cell {
        Cell::Text(text) => text.len() + 24,
        Cell::List(cells) | Cell::Record(cells) => 24 + cells.iter().map(size).sum::<usize>(),
        _ => 24,
    }
}
