//! Where records go: files, directories of Parquet files, and tables of databases.
//!
//! A [`Target`] is what a user names; an [`OutputSpec`] says how records are written there; [`Output`] is the sink. Its end
//! is a step of its own, [`Output::end`], because only whoever made the run knows how it ended:
//!
//! | target | while it is written | after a whole run | after a run that broke off |
//! |---|---|---|---|
//! | file | `out.csv.part` | `out.csv` | `out.csv.part`, with whole records |
//! | directory of Parquet files | parts that are whole | the last part as well | the parts so far |
//! | table | batches, each a transaction | the last batch as well | the batches so far |
//! | any, published at once | nothing | everything | nothing |
//!
//! ```
//! use wrapwright::output::{Existing, OutputSpec, Target};
//! use wrapwright::record::{Ending, Record, RecordType, Sink};
//!
//! let folder = tempfile::tempdir()?;
//! let path = folder.path().join("books.csv");
//! let spec = OutputSpec::new(Target::new(Some(&path), None));
//! let mut output = spec.open(&[RecordType::flat("book", ["title"])], std::io::stdout())?;
//! let (page, node) = ("a.html".into(), wrapwright::NodeId::DOCUMENT);
//! let mut book = Record::new("book", &page, node);
//! book.children.push(Record::leaf("title", "Kelp", &page, node));
//! output.record(&book)?;
//! assert!(!path.exists());
//! let ended = output.end(Ending::Complete)?;
//! assert_eq!(ended.tally.records, 1);
//! assert_eq!(std::fs::read_to_string(&path)?, "_record,_page,title\nbook,a.html,Kelp\n");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A run that is resumed ([`Resumption`]) gives all its records again, in the same order, and every target ends with each
//! of them once: a file is compared with what is in its part, tables and directories leave out the records that they have.
//!
//! [`Sink::flushed`] says how many records a target has for good, so that a run can go on after them: with
//! [`Existing::Append`], a file is continued after its last whole record.

mod error;
#[cfg(feature = "parquet")]
mod folder;
mod pack;
mod part;
mod target;

pub use columnar::{OnNewField, PartLimits, Resume};
pub use error::{OutputError, OutputProblem, advice};
pub use target::{Form, Packing, Target};

use crate::extract::in_words;
use crate::{Document, Record, RecordType, Shard, Wrapper};
use pack::Packed;
use part::{Again, PartFile};
use record::values::Date;
use record::{Ending, Format, Sink, SinkSpec, Tally};
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};
use wrapper::WrapperError;
use wrapper::rule::End;

/// What is added to the name of a price.
const CURRENCY: &str = "_currency";

/// How records are written to a target.
#[derive(Clone, Debug)]
pub struct OutputSpec {
    /// Where they go.
    pub target: Target,
    /// What records look like. The format is that of the target.
    pub sink: SinkSpec,
    /// What happens to what is there.
    pub existing: Existing,
    /// The fields by which a record in a table is recognized; with them, records are updated.
    pub key: Vec<String>,
    /// Prices whose currency is a value of its own: beside `price` there is `price_currency`.
    pub currency: Vec<String>,
    /// Mark records of a table that a complete run did not find?
    pub mark_gone: bool,
    /// Make the whole run visible at once, or not at all?
    pub publish: bool,
    /// What becomes of fields that a table does not have.
    pub on_new_field: OnNewField,
    /// When a Parquet file in a directory is closed.
    pub parts: PartLimits,
    /// The name of the run.
    pub run: String,
    /// The time of the run.
    pub now: SystemTime,
    /// The password for a database whose address has none.
    pub password: Option<String>,
    /// Can the run go on after it was killed? If so, how.
    pub resumption: Option<Resumption>,
    /// Are these the records of one shard, while other processes write those of the others? See [`OutputSpec::sharded`].
    pub shard: Option<Shard>,
}

/// How an output goes on after its run was killed.
#[derive(Clone, Debug)]
pub struct Resumption {
    /// What is done before records are kept for good.
    pub resume: Resume,
    /// Has an earlier process of this run opened the target?
    pub again: bool,
    /// The bytes that were in the file before the run; see [`Output::bytes_before`].
    pub before: Option<u64>,
}

/// What happens to records that are there already.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Existing {
    /// A whole file is replaced when the run has ended; what a broken run left is an error. Directories and tables are
    /// added to.
    #[default]
    Replace,
    /// They stay, and the new ones are added.
    Append,
    /// They are replaced when the run has ended, and so is what a broken run left.
    Overwrite,
}

impl OutputSpec {
    /// Records to a target, with the usual settings, by a run that begins now.
    pub fn new(target: Target) -> OutputSpec {
        let now = SystemTime::now();
        let plain: String = iso(now).chars().take(19).filter(|c| !matches!(c, '-' | ':')).collect();
        OutputSpec {
            target,
            sink: SinkSpec::default(),
            existing: Existing::default(),
            key: Vec::new(),
            currency: Vec::new(),
            mark_gone: false,
            publish: false,
            on_new_field: OnNewField::default(),
            parts: PartLimits::default(),
            run: format!("{plain}-{}", std::process::id()),
            now,
            password: None,
            resumption: None,
            shard: None,
        }
    }

    /// The same for one shard: a file gets a name of its own, see [`Target::of_shard`]. So does the run, because two containers
    /// may have the same process number in the same second.
    #[must_use]
    pub fn sharded(self, shard: Option<Shard>) -> OutputSpec {
        let Some(shard) = shard else { return self };
        OutputSpec {
            target: self.target.of_shard(&shard),
            run: format!("{}-{shard}", self.run),
            shard: Some(shard),
            ..self
        }
    }

    /// The same, with the key of a wrapper if no key was said. It is for tables that are updated; files and tables that are replaced
    /// have none.
    #[must_use]
    pub fn keyed_by(mut self, wrapper: &Wrapper) -> OutputSpec {
        if self.key.is_empty() && self.target.is_table() && self.existing != Existing::Overwrite {
            self.key.clone_from(&wrapper.key);
        }
        self
    }

    /// The name of the target, for messages.
    pub fn place(&self) -> String {
        match &self.target {
            Target::Stdout(_) => "to standard output".to_owned(),
            Target::File { path, .. } | Target::Parts(path) | Target::Sqlite { path, .. } => path.display().to_string(),
            #[cfg(feature = "postgres")]
            Target::Postgresql(address) => columnar::PostgresqlPlace::parse(address)
                .map_or_else(|_| "to PostgreSQL".to_owned(), |place| place.name()),
            #[cfg(not(feature = "postgres"))]
            Target::Postgresql(_) => "to PostgreSQL".to_owned(),
        }
    }

    /// Finds what can be found wrong without touching the target.
    ///
    /// # Errors
    ///
    /// The settings do not go together, or the records do not have what they name.
    pub fn check(&self, types: &[RecordType]) -> Result<(), OutputError> {
        self.find_wrong(types).map_err(|problem| self.error(problem))
    }

    /// The types of records with their currencies.
    fn types(&self, types: &[RecordType]) -> Result<Vec<RecordType>, OutputProblem> {
        RecordType::with_beside(types, &self.currency, CURRENCY).map_err(OutputProblem::Currency)
    }

    fn find_wrong(&self, types: &[RecordType]) -> Result<(), OutputProblem> {
        let types = &self.types(types)?[..];
        self.sink.check(types).map_err(OutputProblem::Rows)?;
        let is_table = self.target.is_table();
        if !self.key.is_empty() && !is_table {
            return Err(OutputProblem::NeedsTable("a key"));
        }
        if self.mark_gone && self.key.is_empty() {
            return Err(OutputProblem::NeedsKey("marking what is gone"));
        }
        if self.shard.is_some() {
            let is_shared = matches!(self.target, Target::Postgresql(_) | Target::Parts(_));
            if self.mark_gone {
                return Err(OutputProblem::Together("one of several shards", "marking what is gone"));
            }
            if matches!(self.target, Target::Parts(_)) && self.publish {
                return Err(OutputProblem::Together(
                    "one of several shards",
                    "a directory that appears as a whole",
                ));
            }
            if is_shared && self.existing == Existing::Overwrite {
                return Err(OutputProblem::Together(
                    "one of several shards",
                    "overwriting what all of them write",
                ));
            }
        }
        if is_table && self.existing == Existing::Overwrite && !self.key.is_empty() {
            return Err(OutputProblem::Together("a key", "overwriting"));
        }
        if self
            .resumption
            .as_ref()
            .is_some_and(|resumption| resumption.resume.anew)
        {
            let whole = self.publish || self.existing == Existing::Overwrite;
            if is_table && self.key.is_empty() {
                return Err(OutputProblem::NeedsKey("asking for pages again"));
            }
            if matches!(self.target, Target::Parts(_)) && !whole {
                let parts = "a directory of Parquet files";
                return Err(OutputProblem::Together(parts, "asking for pages again"));
            }
        }
        match &self.target {
            Target::File {
                path, form, packing, ..
            } => {
                if path.is_dir() || path.to_string_lossy().ends_with('/') {
                    return Err(OutputProblem::Directory);
                }
                if !matches!(form, Form::Text(_)) && *packing != Packing::Plain {
                    return Err(OutputProblem::Together(
                        "Parquet or Arrow",
                        "compression of the whole file",
                    ));
                }
            }
            Target::Stdout(_) if self.resumption.is_some() => return Err(OutputProblem::NotResumable),
            Target::Stdout(Form::Parquet) => {
                return Err(OutputProblem::Together("a Parquet file", "standard output"));
            }
            _ => {}
        }
        match self.missing_feature() {
            Some(feature) => Err(OutputProblem::NotBuilt(feature)),
            None => Ok(()),
        }
    }

    /// The feature that the target needs and that is not compiled in.
    fn missing_feature(&self) -> Option<&'static str> {
        let needs = match &self.target {
            Target::Postgresql(_) => (cfg!(feature = "postgres"), "postgres"),
            Target::Sqlite { .. } => (cfg!(feature = "sqlite"), "sqlite"),
            Target::Parts(_)
            | Target::Stdout(Form::Arrow | Form::Parquet)
            | Target::File {
                form: Form::Arrow | Form::Parquet,
                ..
            } => (cfg!(feature = "parquet"), "parquet"),
            _ => return None,
        };
        (!needs.0).then_some(needs.1)
    }

    /// Opens the target for records of these types. `stdout` is used if records go to standard output.
    ///
    /// # Errors
    ///
    /// As [`OutputSpec::check`]; also if the target cannot be written, or has what must not be replaced.
    pub fn open<'w>(&self, types: &[RecordType], stdout: impl Write + 'w) -> Result<Output<'w>, OutputError> {
        self.check(types)?;
        let opened = self.opened(types, stdout);
        opened.map_err(|problem| self.error(problem))
    }

    fn error(&self, problem: OutputProblem) -> OutputError {
        OutputError {
            place: self.place(),
            problem,
        }
    }

    fn opened<'w>(&self, types: &[RecordType], stdout: impl Write + 'w) -> Result<Output<'w>, OutputProblem> {
        let types = &self.types(types)?[..];
        let spec = SinkSpec {
            format: self.target.format().unwrap_or_default(),
            ..self.sink.clone()
        };
        let output = |sink: Box<dyn Sink + 'w>| Output {
            sink,
            file: None,
            before: None,
            header: None,
            types: types.to_vec(),
            spec: spec.clone(),
            bound: Vec::new(),
            given: 0,
            flushed: 0,
            finished: false,
            failed: false,
            place: self.place(),
            published: self.publish,
            currency: self.currency.clone(),
        };
        Ok(match &self.target {
            Target::Stdout(Form::Text(_)) => output(spec.open(types, stdout).map_err(OutputProblem::Rows)?),
            Target::File { path, form, packing } => {
                let format = self.target.format();
                let again = self.resumption.as_ref().filter(|resumption| resumption.again);
                let (mut file, begun) = match again.map(|resumption| Again {
                    before: resumption.before,
                }) {
                    Some(again) => PartFile::open_again(path, self.existing, again, format, *packing)?,
                    None => PartFile::open(path, self.existing, format, *packing)?,
                };
                let before = file.before();
                if self.resumption.is_some() {
                    if !file.is_file() {
                        return Err(OutputProblem::NotResumable);
                    }
                    file.stay();
                }
                let file = Shared(Arc::new(Mutex::new(Some(Packed::new(file, *packing)))));
                let continued = SinkSpec {
                    continued: begun.continued,
                    ..spec.clone()
                };
                let sink: Box<dyn Sink + 'w> = match form {
                    Form::Text(_) => continued.open(types, file.clone()).map_err(OutputProblem::Rows)?,
                    #[cfg(feature = "parquet")]
                    Form::Arrow => Box::new(columnar::Arrow::new(types, &spec, file.clone())),
                    #[cfg(feature = "parquet")]
                    Form::Parquet => Box::new(columnar::Parquet::new(types, &spec, file.clone())),
                    #[cfg(not(feature = "parquet"))]
                    Form::Arrow | Form::Parquet => return Err(OutputProblem::NotBuilt("parquet")),
                };
                Output {
                    file: Some(file),
                    before: Some(before),
                    header: begun.header,
                    ..output(sink)
                }
            }
            #[cfg(feature = "parquet")]
            Target::Stdout(_) => output(Box::new(columnar::Arrow::new(types, &spec, stdout))),
            #[cfg(feature = "parquet")]
            Target::Parts(path) => {
                let whole = self.publish || self.existing == Existing::Overwrite;
                let overwrite = self.existing == Existing::Overwrite;
                let again = self.resumption.as_ref().is_some_and(|resumption| resumption.again);
                let kept = (self.resumption.is_some(), again);
                let folder = folder::Folder::open(path, &self.run, whole, overwrite, kept)?;
                let resume = self.resumption.as_ref().map(|resumption| resumption.resume.clone());
                output(Box::new(folder::FolderSink::new(
                    types, &spec, self.parts, folder, resume,
                )))
            }
            #[cfg(feature = "sqlite")]
            Target::Sqlite { path, table } => {
                let tables = self.tables(table.clone());
                output(Box::new(columnar::Sqlite::open(path, types, &spec, &tables)?))
            }
            #[cfg(feature = "postgres")]
            Target::Postgresql(address) => {
                let mut place = columnar::PostgresqlPlace::parse(address)?;
                if let Some(password) = &self.password {
                    place.password_if_missing(password);
                }
                output(Box::new(columnar::Postgresql::open(
                    &place,
                    types,
                    &spec,
                    &self.tables(None),
                )?))
            }
            #[cfg(not(all(feature = "parquet", feature = "sqlite", feature = "postgres")))]
            _ => return Err(OutputProblem::NotBuilt(self.missing_feature().unwrap_or("columnar"))),
        })
    }

    #[cfg(any(feature = "sqlite", feature = "postgres"))]
    fn tables(&self, table: Option<String>) -> columnar::TableSpec {
        columnar::TableSpec {
            table,
            key: self.key.clone(),
            mark_gone: self.mark_gone,
            publish: self.publish,
            replace: self.existing == Existing::Overwrite,
            on_new_field: self.on_new_field,
            run: self.run.clone(),
            now: iso(self.now),
            resume: self.resumption.as_ref().map(|resumption| resumption.resume.clone()),
        }
    }
}

/// A time by ISO 8601, in universal time, with microseconds.
pub(crate) fn iso(time: SystemTime) -> String {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    let (seconds, micros) = (since.as_secs(), since.subsec_micros());
    let day = i32::try_from(seconds / 86_400).ok().and_then(Date::from_days);
    let day = day.map(|day| day.to_string()).unwrap_or_default();
    let (hour, minute, second) = (seconds / 3600 % 24, seconds / 60 % 60, seconds % 60);
    format!("{day}T{hour:02}:{minute:02}:{second:02}.{micros:06}Z")
}

/// A file that the sink writes, and that is given its name at the end.
#[derive(Clone, Debug)]
struct Shared(Arc<Mutex<Option<Packed<PartFile>>>>);

impl Shared {
    fn with<T>(&self, then: impl FnOnce(&mut Packed<PartFile>) -> T) -> Option<T> {
        let mut file = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        file.as_mut().map(then)
    }

    fn take(&self) -> Option<PartFile> {
        let mut file = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        file.take().map(Packed::into_inner)
    }
}

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.with(|file| file.write(bytes)).unwrap_or(Ok(bytes.len()))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.with(|file| file.flush()).unwrap_or(Ok(()))
    }
}

/// An open target. If it is dropped without [`Output::end`], the run counts as one that did not end.
pub struct Output<'w> {
    sink: Box<dyn Sink + 'w>,
    file: Option<Shared>,
    before: Option<u64>,
    /// The first line of the table that is continued, until it was compared.
    header: Option<String>,
    types: Vec<RecordType>,
    spec: SinkSpec,
    bound: Vec<String>,
    given: u64,
    flushed: u64,
    finished: bool,
    failed: bool,
    place: String,
    published: bool,
    currency: Vec<String>,
}

/// What became of an output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ended {
    /// What was written.
    pub tally: Tally,
    /// The file with the records so far, if the run broke off.
    pub kept: Option<PathBuf>,
    /// Was everything taken back, because the run broke off and should become visible as a whole?
    pub taken_back: bool,
}

impl std::fmt::Debug for Output<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Output")
            .field("place", &self.place)
            .finish_non_exhaustive()
    }
}

impl Output<'_> {
    /// Ends the output as the run has ended: gives the file its name, makes the run visible, marks what is gone.
    ///
    /// # Errors
    ///
    /// The target fails. A file is then a part, with the records that were written.
    pub fn end(mut self, ending: Ending) -> Result<Ended, OutputError> {
        let mut ended = || -> Result<Ended, OutputProblem> {
            let failed_before = self.failed;
            let finished = if self.finished { Ok(()) } else { self.finish() };
            if !failed_before {
                finished?;
            }
            // What was not written to its end is not whole, whatever the run was.
            let ending = if self.failed { Ending::Broken } else { ending };
            let settled = self.sink.settle(ending);
            if !self.failed {
                settled?;
            }
            let mut kept = None;
            if let Some(file) = self.file.as_ref().and_then(Shared::take) {
                match ending {
                    Ending::Broken => kept = file.leave(),
                    Ending::Complete | Ending::Gaps => file.finish()?,
                }
            }
            Ok(Ended {
                tally: self.sink.tally().clone(),
                kept,
                taken_back: self.published && ending == Ending::Broken,
            })
        };
        let done = ended();
        done.map_err(|problem| OutputError {
            place: std::mem::take(&mut self.place),
            problem,
        })
    }

    /// The bytes that were in the file before the run; none if it is not a file.
    pub fn bytes_before(&self) -> Option<u64> {
        self.before
    }

    /// Where records go, for messages.
    pub fn place(&self) -> &str {
        &self.place
    }

    /// Does the table that is continued have the columns of the records?
    fn compare_header(&mut self) -> io::Result<()> {
        let Some(found) = self.header.take() else { return Ok(()) };
        let expected = self.spec.header(&self.types, &self.bound).unwrap_or_default();
        if found == expected {
            return Ok(());
        }
        self.failed = true;
        let text = format!("the columns there are `{found}`, and those of the records `{expected}`");
        Err(io::Error::new(io::ErrorKind::InvalidInput, text))
    }
}

impl Sink for Output<'_> {
    fn record(&mut self, record: &Record) -> io::Result<()> {
        self.compare_header()?;
        self.given += 1;
        let written = match self.currency.is_empty() {
            true => self.sink.record(record),
            false => self.sink.record(&with_currencies(record, &self.currency)),
        };
        self.failed |= written.is_err();
        if self.file.as_ref().and_then(|file| file.with(|file| file.is_empty())) == Some(true) {
            self.flushed = self.given;
        }
        written
    }

    fn bindings(&mut self, bindings: &[(String, String)]) {
        self.bound = bindings.iter().map(|(name, _)| name.clone()).collect();
        self.sink.bindings(bindings);
    }

    fn finish(&mut self) -> io::Result<()> {
        let finished = self.compare_header().and_then(|()| self.sink.finish());
        let flushed = finished.and_then(|()| match &mut self.file {
            Some(file) => file.flush(),
            None => Ok(()),
        });
        self.failed |= flushed.is_err();
        self.finished = true;
        if flushed.is_ok() && self.file.is_some() {
            self.flushed = self.given;
        }
        flushed
    }

    fn tally(&self) -> &Tally {
        self.sink.tally()
    }

    fn flushed(&self) -> u64 {
        match (&self.file, self.spec.format) {
            // The only record of an XML document may wait in the sink.
            (Some(_), Format::Xml) if !self.finished => self.flushed.min(self.given.saturating_sub(1)),
            (Some(_), _) => self.flushed,
            (None, _) => self.sink.flushed(),
        }
    }

    fn settle(&mut self, ending: Ending) -> io::Result<()> {
        self.sink.settle(ending)
    }
}

/// A record with the currencies of its prices: by ISO 4217 where the sign or name says which one, otherwise as it is written.
fn with_currencies(record: &Record, fields: &[String]) -> Record {
    let currency = |value: &Record| {
        let currency = record::values::currency(value.value.as_deref()?).ok()?;
        Some(currency.code().unwrap_or(currency.written()).to_owned())
    };
    let mut record = record.clone();
    fields
        .iter()
        .for_each(|field| record.add_beside(field, CURRENCY, &currency));
    record
}

/// Writes the records that a wrapper finds on documents; gives the number of documents on which its rule did not end as it
/// should, with what was missing on the first.
///
/// # Errors
///
/// The wrapper cannot be run, or a record cannot be written.
pub fn write_documents(
    wrapper: &Wrapper,
    documents: &[Document],
    sink: &mut dyn Sink,
) -> Result<(usize, Option<String>), DocumentsError> {
    let runner = wrapper.runner().map_err(DocumentsError::Wrapper)?;
    let (mut count, mut first) = (0, None);
    for document in documents {
        let found = runner.run(document, false);
        for record in &found.records {
            sink.record(record).map_err(DocumentsError::Write)?;
        }
        if found.end != End::Regular {
            count += 1;
            first = first.or_else(|| Some(format!("{}: {}", document.name, in_words(found.end)?)));
        }
    }
    Ok((count, first))
}

/// Why the records of documents could not be written.
#[derive(Debug)]
pub enum DocumentsError {
    /// The wrapper cannot be run.
    Wrapper(WrapperError),
    /// A record cannot be written.
    Write(io::Error),
}

impl std::fmt::Display for DocumentsError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            DocumentsError::Wrapper(error) => error.fmt(f),
            DocumentsError::Write(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for DocumentsError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            DocumentsError::Wrapper(error) => Some(error),
            DocumentsError::Write(error) => Some(error),
        }
    }
}

#[cfg(test)]
mod tests;
