//! Tests of expressions and wrappers: pages that are kept, and the records that they must give.
//!
//! A test is a directory with plain files, for version control:
//!
//! | file | contents |
//! |---|---|
//! | `test.json` | what is tested: the file of an expression or of a wrapper, relative to the directory, and its input |
//! | `pages.warc.gz` | what an expression fetches; pages of a wrapper stay where they are, `test.json` names them |
//! | `expected.ndjson` | the records, one in each line, without the addresses of their pages |
//!
//! [`Trial::run`] runs the expression or the wrapper *as it is now* over the kept pages, without a network, and compares
//! the records with those that are expected, in order ([`compare`]). [`Trial::run_in`] takes the pages from a session instead,
//! so it says whether the site still gives these records. [`Trial::accept`] makes what was found the expected records.
//!
//! Cost: one run, and all records of it in memory, at most [`bounded::LONGEST_LIST`] bytes.

mod differ;
mod file;

pub use differ::{Change, Difference, compare};
pub use file::{TrialError, TrialProblem};

use crate::extract::{self, ExtractSettings};
use crate::session::{Bindings, Checks, RunEvent, RunSettings, Runs, Session, SessionSettings};
use crate::source::{self, SourceError};
use crate::whole::Whole;
use crate::{Job, SinkSpec, Wrapper, bounded, input};
use record::{RecordType, Sink};
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The file that says what is tested.
pub const TEST: &str = "test.json";
/// The file with the pages of an expression.
pub const PAGES: &str = "pages.warc.gz";
/// The file with the records.
pub const EXPECTED: &str = "expected.ndjson";

/// The most bytes of `test.json` and of an expression.
const LONGEST: u64 = 2 << 20;

/// What is tested.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Subject {
    /// The expression in a file.
    File(PathBuf),
    /// This expression.
    Expression(String),
    /// The wrapper in a file, with pages: files, directories or WARC files.
    Wrapper {
        /// The wrapper.
        file: PathBuf,
        /// Its pages.
        pages: Vec<PathBuf>,
    },
}

/// A test in a directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trial {
    /// Its directory.
    pub folder: PathBuf,
    /// What is tested. Paths are as they can be opened, not as the file has them.
    pub subject: Subject,
    /// The values of an expression's variables.
    pub bindings: Vec<(String, String)>,
}

/// What a test gave.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    /// The number of records that were expected.
    pub expected: usize,
    /// The records that were found, a line of JSON each.
    pub found: Vec<String>,
    /// Where they differ.
    pub differences: Vec<Difference>,
    /// What went wrong on the way, at most [`extract::KEPT`] of it.
    pub failures: Vec<String>,
}

impl Verdict {
    /// Were the records found that were expected?
    pub fn is_right(&self) -> bool {
        self.differences.is_empty()
    }
}

impl Trial {
    /// The tests in a directory and below it, sorted.
    ///
    /// # Errors
    ///
    /// A directory cannot be read, there is no test in it, or a test cannot be read.
    pub fn find(folder: &Path) -> Result<Vec<Trial>, TrialError> {
        file::find(folder)?
            .into_iter()
            .map(|folder| Trial::open(&folder))
            .collect()
    }

    /// The test in a directory.
    ///
    /// # Errors
    ///
    /// It cannot be read.
    pub fn open(folder: &Path) -> Result<Trial, TrialError> {
        file::read(folder)
    }

    /// Where the pages of an expression are kept.
    pub fn pages(&self) -> PathBuf {
        self.folder.join(PAGES)
    }

    /// Begins a test in a directory, which is made if it is not there.
    ///
    /// # Errors
    ///
    /// There is a test already, or the directory cannot be made.
    pub fn begin(folder: &Path, subject: Subject, bindings: Vec<(String, String)>) -> Result<Trial, TrialError> {
        let trial = Trial {
            folder: folder.to_owned(),
            subject,
            bindings,
        };
        let test = folder.join(TEST);
        if test.exists() {
            return Err(TrialError::new(&test, TrialProblem::Exists));
        }
        fs::create_dir_all(folder).map_err(|error| TrialError::new(folder, TrialProblem::Write(error)))?;
        // Pages without a test are what an attempt left that failed.
        for left in [trial.pages(), folder.join(format!("{PAGES}.part"))] {
            match fs::remove_file(&left) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => {
                    return Err(TrialError::new(&left, TrialProblem::Write(error)));
                }
                _ => {}
            }
        }
        Ok(trial)
    }

    /// Makes a test that was begun: runs what is tested in a session, which should record to [`Trial::pages`], and writes what
    /// it found as what is expected.
    ///
    /// # Errors
    ///
    /// It cannot be run, it gives nothing but failures, or files cannot be written.
    pub fn make(&self, session: &mut Session, settings: &RunSettings) -> Result<Verdict, TrialError> {
        let verdict = self.verdict(&[], |trial, found| trial.go(session, settings, found))?;
        if let ([], Some(failure)) = (verdict.found.as_slice(), verdict.failures.first()) {
            return Err(self.error(TrialProblem::Failed(failure.clone())));
        }
        self.accept(&verdict)?;
        file::write(self)?;
        Ok(verdict)
    }

    /// Runs the test over the pages that it keeps.
    ///
    /// # Errors
    ///
    /// What is tested, its pages or the expected records cannot be read; or it cannot be run.
    pub fn run(&self, job: &Job) -> Result<Verdict, TrialError> {
        let pages = self.pages();
        // An expression may read files alone; then nothing was recorded.
        let session = match pages.exists() {
            true => Session::archive(&pages, &SessionSettings::default()),
            false => Session::http(&SessionSettings::default()),
        };
        let mut session = session.map_err(|error| self.error(TrialProblem::Session(error)))?;
        let settings = RunSettings {
            job: job.clone(),
            ..RunSettings::default()
        };
        self.run_in(&mut session, &settings)
    }

    /// Runs the test with the pages of a session. A wrapper's pages are always those that the test names.
    ///
    /// # Errors
    ///
    /// As [`Trial::run`].
    pub fn run_in(&self, session: &mut Session, settings: &RunSettings) -> Result<Verdict, TrialError> {
        let place = self.folder.join(EXPECTED);
        let text = bounded::read_text(&place, bounded::LONGEST_LIST)
            .map_err(|error| TrialError::new(&place, TrialProblem::Read(error)))?;
        let expected: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
        self.verdict(&expected, |trial, found| trial.go(session, settings, found))
    }

    fn verdict(
        &self,
        expected: &[&str],
        go: impl FnOnce(&Trial, &mut Vec<u8>) -> Result<Vec<String>, TrialError>,
    ) -> Result<Verdict, TrialError> {
        let mut found = Vec::new();
        let failures = go(self, &mut found)?;
        let text = String::from_utf8(found).expect("records are written as JSON, which is UTF-8");
        let found: Vec<String> = text.lines().map(str::to_owned).collect();
        Ok(Verdict {
            expected: expected.len(),
            differences: compare(expected, &found),
            found,
            failures,
        })
    }

    /// Makes the records of a verdict the expected ones.
    ///
    /// # Errors
    ///
    /// The file cannot be written.
    pub fn accept(&self, verdict: &Verdict) -> Result<(), TrialError> {
        let place = self.folder.join(EXPECTED);
        let write = || -> io::Result<()> {
            let mut file = Whole::create(&place)?;
            for line in &verdict.found {
                writeln!(file, "{line}")?;
            }
            file.finish()
        };
        write().map_err(|error| TrialError::new(&place, TrialProblem::Write(error)))
    }

    /// Writes the records of a run; gives what went wrong.
    fn go(
        &self,
        session: &mut Session,
        settings: &RunSettings,
        found: &mut Vec<u8>,
    ) -> Result<Vec<String>, TrialError> {
        match &self.subject {
            Subject::Wrapper { file, pages } => self.extract(file, pages, &settings.job, found),
            Subject::Expression(source) => self.execute(source, session, settings, found),
            Subject::File(file) => {
                let source = source::read(file).map_err(|error| match error {
                    SourceError::Gather(error) => TrialError::new(file, TrialProblem::Import(error)),
                    SourceError::Read(file, error) => TrialError::new(&file, TrialProblem::Read(error)),
                })?;
                self.execute(&source, session, settings, found)
            }
        }
    }

    fn execute(
        &self,
        source: &str,
        session: &mut Session,
        settings: &RunSettings,
        found: &mut Vec<u8>,
    ) -> Result<Vec<String>, TrialError> {
        let checks = Checks {
            opens_page: false,
            runnable: true,
            browser: session.is_browser(),
            strict: false,
            allow_unbound: false,
        };
        let runs = Runs::compile(
            source,
            Bindings::new(self.bindings.clone(), None),
            &checks,
            &settings.job,
        )
        .map_err(|error| self.error(TrialProblem::Expression(Box::new(error))))?;
        let mut records = session
            .run_all(&runs, settings)
            .map_err(|error| self.error(TrialProblem::Session(error)))?;
        let types = records.record_types().to_vec();
        let mut sink = lines(&types, found);
        let mut failures = Vec::new();
        while let Some(event) = records.next_event() {
            match event {
                RunEvent::Record(record) => {
                    if let Err(error) = sink.record(&record) {
                        records.stop();
                        return Err(self.error(TrialProblem::Write(error)));
                    }
                }
                RunEvent::Failure(failure) if !failure.is_warning() && failures.len() < extract::KEPT => {
                    failures.push(failure.to_string());
                }
                _ => {}
            }
        }
        sink.finish().map_err(|error| self.error(TrialProblem::Write(error)))?;
        failures.extend(records.report().summary.lacking.iter().map(ToString::to_string));
        match settings.job.is_stopped() {
            true => Err(self.error(TrialProblem::Stopped)),
            false => Ok(failures),
        }
    }

    fn extract(
        &self,
        file: &Path,
        pages: &[PathBuf],
        job: &Job,
        found: &mut Vec<u8>,
    ) -> Result<Vec<String>, TrialError> {
        let wrapper = Wrapper::open(file).map_err(|error| self.error(TrialProblem::Wrapper(error.to_string())))?;
        let names: Vec<String> = pages.iter().map(|page| page.display().to_string()).collect();
        let (places, errors) = input::find(names.iter().map(String::as_str));
        let mut failures: Vec<String> = errors.iter().map(ToString::to_string).collect();
        let mut sink = lines(std::slice::from_ref(&wrapper.sink_type()), found);
        let mut tell = |trouble: &extract::Trouble| {
            // Those are told by field, not by page.
            let is_lacking = matches!(trouble, extract::Trouble::Lacking(_));
            if !is_lacking && failures.len() < extract::KEPT {
                failures.push(trouble.to_string());
            }
        };
        let settings = ExtractSettings::default();
        let summary = extract::all_telling(&wrapper, &places, &settings, &mut *sink, &mut tell, job)
            .map_err(|error| self.error(TrialProblem::Extract(error)))?;
        failures.extend(summary.lacking.iter().map(ToString::to_string));
        match summary.stopped {
            true => Err(self.error(TrialProblem::Stopped)),
            false => Ok(failures),
        }
    }

    fn error(&self, problem: TrialProblem) -> TrialError {
        TrialError::new(&self.folder, problem)
    }
}

/// Records as lines of JSON, as many as fit into memory.
fn lines<'w>(types: &[RecordType], found: &'w mut Vec<u8>) -> Box<dyn Sink + 'w> {
    let spec = SinkSpec {
        no_meta: true,
        ..SinkSpec::default()
    };
    spec.open(types, Bounded(found)).expect("no rows were asked for")
}

struct Bounded<'w>(&'w mut Vec<u8>);

impl Write for Bounded<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if (self.0.len() + bytes.len()) as u64 > bounded::LONGEST_LIST {
            let text = format!("a test has at most {} bytes of records", bounded::LONGEST_LIST);
            return Err(io::Error::new(io::ErrorKind::FileTooLarge, text));
        }
        self.0.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
