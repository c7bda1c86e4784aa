//! A wrapper over any number of pages: records into a sink, in the order of the pages.
//!
//! Pages are read and extracted from on several threads (see [`map_in_order`]); a few pages are in
//! memory at a time, whatever their number. What goes wrong stops nothing: a page that cannot be read, a page of another kind
//! than the wrapper is for, a page on which the wrapper's rule ends early, a record that does not fit the schema that the user
//! gave. Each is a [`Trouble`], told as it occurs; the [`Summary`] counts them and keeps the first ones.

use crate::input::{InputError, Place, Problem};
use crate::map_in_order;
use oxpath::run::LackingField;
use page::ParseSettings;
use page::job::{Event, Job};
use record::{Record, RecordType, Sink};
use std::fmt;
use std::io;
use std::num::NonZero;
use std::sync::Arc;
use wrapper::rule::End;

use wrapper::{Extracted, Misfit, Runner, Wrapper, WrapperError};

/// A summary keeps this many troubles; the others are counted.
pub const KEPT: usize = 100;

/// How to extract.
#[derive(Clone, Debug, Default)]
pub struct ExtractSettings {
    /// How pages are read.
    pub page: ParseSettings,
    /// Give values as they are in the source, with tags and references?
    pub raw: bool,
    /// Pages to work on at a time; 0 is one for each processor.
    pub jobs: usize,
}

/// Something that went wrong on a page.
#[derive(Debug)]
#[non_exhaustive]
pub enum Trouble {
    /// The page cannot be read.
    Unread(InputError),
    /// The page is not of the kind that the wrapper is for, so no record was taken from it.
    OtherKind {
        /// The page.
        page: String,
        /// How much of what such pages have it has.
        misfit: Misfit,
    },
    /// The rule did not end as it should.
    End {
        /// The page.
        page: String,
        /// How the rule ended.
        end: End,
        /// Records of the page.
        records: usize,
    },
    /// The rule found several values of fields that have only one. They were joined, so nothing is missing.
    Joined {
        /// The page.
        page: String,
        /// The paths of the fields.
        fields: Vec<String>,
    },
    /// Records of a page lack a field that the expression calls required.
    Lacking(LackingField),
    /// A record does not fit the schema that the user gave.
    Misfit {
        /// The page.
        page: String,
        /// The number of the record on its page, from 1.
        record: usize,
        /// The first thing that does not fit.
        first: String,
        /// How many more things do not fit.
        more: usize,
    },
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Trouble::Unread(error) => error.fmt(f),
            Trouble::OtherKind {
                page,
                misfit: Misfit { found, of },
            } => write!(
                f,
                "{page}: this page has {found} of the {of} fields that nearly all pages of this wrapper have, so it is of \
                 another kind; no record was taken from it"
            ),
            Trouble::End { page, end, records } => {
                write!(f, "{page}: {}", in_words(*end).unwrap_or_default())?;
                match end {
                    // These rules go on after a place that does not fit; delimiters end there.
                    End::Regular | End::Gaps(_) | End::Failed(_) | End::OverLimit(_) => Ok(()),
                    _ => write!(f, "; {records} records were found before that"),
                }
            }
            Trouble::Joined { page, fields } => {
                let has = if fields.len() == 1 { "has" } else { "have" };
                let fields = fields.join("`, `");
                write!(
                    f,
                    "{page}: `{fields}` {has} several values, expected one; they were joined"
                )
            }
            Trouble::Lacking(lacking) => lacking.fmt(f),
            Trouble::Misfit {
                page,
                record,
                first,
                more,
            } => {
                write!(f, "{page}, record {record}: {first}")?;
                match more {
                    0 => Ok(()),
                    more => write!(f, ", and {more} more"),
                }
            }
        }
    }
}

/// What was missing on a page; nothing on one that is as it should be.
pub fn in_words(end: End) -> Option<String> {
    match end {
        End::Regular => None,
        End::NoHead => Some("the head delimiter is not on the page".to_owned()),
        End::NoTail => Some("the tail delimiter is missing after the last record".to_owned()),
        End::NoClose => Some("the close delimiter is missing after the last record, which is left out".to_owned()),
        End::Unfinished(field) => Some(format!("a record breaks off at its attribute {}", field + 1)),
        End::OverLimit(error) => Some(error.to_string()),
        End::Gaps(1) => Some("one place does not fit the template and was left out".to_owned()),
        End::Gaps(count) => Some(format!("{count} places do not fit the template and were left out")),
        End::Failed(1) => Some("the expression could not be evaluated in one place".to_owned()),
        End::Failed(count) => Some(format!("the expression could not be evaluated in {count} places")),
    }
}

/// What became of an extraction.
#[derive(Debug, Default)]
pub struct Summary {
    /// Pages that were worked on.
    pub pages: usize,
    /// Records that were written.
    pub records: usize,
    /// Pages that could not be read.
    pub unread: usize,
    /// Pages of another kind than the wrapper is for.
    pub other_kind: usize,
    /// Pages that were read and have no record, without those of another kind.
    pub empty: usize,
    /// Pages on which the rule did not end as it should.
    pub ended_early: usize,
    /// Pages with several values of a field that has only one. Nothing is missing there.
    pub joined: usize,
    /// Records that do not fit the schema.
    pub misfits: usize,
    /// Records that lack a required field, once for each field.
    pub lacking: Vec<LackingField>,
    /// The first [`KEPT`] troubles.
    pub troubles: Vec<Trouble>,
    /// Was the job stopped before the last page?
    pub stopped: bool,
}

impl Summary {
    /// Did everything go well?
    pub fn is_fine(&self) -> bool {
        let wrong = self.unread + self.other_kind + self.ended_early + self.misfits + self.lacking.len();
        wrong == 0 && !self.stopped && !self.is_empty()
    }

    /// Was there a page, and no record on any?
    pub fn is_empty(&self) -> bool {
        self.records == 0 && self.empty > 0
    }
}

/// Why nothing more can be extracted.
#[derive(Debug)]
#[non_exhaustive]
pub enum ExtractError {
    /// The wrapper cannot be run.
    Wrapper(WrapperError),
    /// No encoding has this name.
    Charset(String),
    /// Values as in the source are wanted of a rule that reads the tree of a page.
    NoSource(&'static str),
    /// The system starts no thread.
    Thread(io::Error),
    /// Records cannot be written.
    Write(io::Error),
}

impl fmt::Display for ExtractError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ExtractError::Wrapper(error) => error.fmt(f),
            ExtractError::Charset(name) => write!(f, "found the unknown charset `{name}`"),
            ExtractError::NoSource(kind) => write!(
                f,
                "a wrapper by {kind} reads the tree of a page, not its source, so there are no values as in the source"
            ),
            ExtractError::Thread(error) => write!(f, "cannot start a thread: {error}"),
            ExtractError::Write(error) => write!(f, "the records cannot be written: {error}"),
        }
    }
}

impl std::error::Error for ExtractError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            ExtractError::Wrapper(error) => Some(error),
            ExtractError::Thread(error) | ExtractError::Write(error) => Some(error),
            ExtractError::Charset(_) | ExtractError::NoSource(_) => None,
        }
    }
}

/// Extracts the records of all places into a sink, which it finishes.
///
/// ```
/// use wrapwright::{Document, Page, RecordType, SinkSpec, Wrapper};
/// use wrapwright::extract::{self, ExtractSettings};
/// use wrapwright::wrapper::Rule;
///
/// let folder = tempfile::tempdir()?;
/// std::fs::write(folder.path().join("a.html"), "<li>one<li>two")?;
/// let rule = Rule::Oxpath("//li:<item=.>".to_owned());
/// let wrapper = Wrapper::made(rule, RecordType::flat("item", ["item"]), None, &[])?;
///
/// let (places, errors) = wrapwright::input::find([folder.path().to_str().unwrap()]);
/// assert!(errors.is_empty());
/// let mut out = Vec::new();
/// let mut sink = SinkSpec::default().open(&[wrapper.runner()?.record_type().clone()], &mut out)?;
/// let settings = ExtractSettings::default();
/// let summary = extract::all(&wrapper, &places, &settings, &mut *sink, &Default::default())?;
/// assert_eq!((summary.pages, summary.records), (1, 2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// The wrapper cannot be run, the charset is unknown, the system starts no thread, or the sink fails.
pub fn all(
    wrapper: &Wrapper,
    places: &[Place],
    settings: &ExtractSettings,
    sink: &mut dyn Sink,
    job: &Job,
) -> Result<Summary, ExtractError> {
    all_telling(wrapper, places, settings, sink, &mut |_| {}, job)
}

/// As [`all`]; troubles are told as they occur, in the order of the pages.
///
/// # Errors
///
/// As [`all`].
pub fn all_telling(
    wrapper: &Wrapper,
    places: &[Place],
    settings: &ExtractSettings,
    sink: &mut dyn Sink,
    tell: &mut dyn FnMut(&Trouble),
    job: &Job,
) -> Result<Summary, ExtractError> {
    let runner = wrapper.runner().map_err(ExtractError::Wrapper)?;
    if let Some(charset) = settings.page.charset.as_deref().filter(|name| !page::is_charset(name)) {
        return Err(ExtractError::Charset(charset.to_owned()));
    }
    if settings.raw && !runner.reads_source() {
        return Err(ExtractError::NoSource(wrapper.rule.kind()));
    }
    // Only a schema that the user gave says what records must be like.
    let kind = wrapper.given.as_ref().map(|_| runner.record_type());
    let jobs = match settings.jobs {
        0 => std::thread::available_parallelism().map_or(1, NonZero::get),
        jobs => jobs,
    };
    let mut summary = Summary::default();
    let mut written = Ok(());
    let of = Some(places.len() as u64);
    let mapped = map_in_order(
        places,
        jobs,
        |place| (!job.is_stopped()).then(|| page(&runner, place, settings)),
        |outcome| {
            let Some(outcome) = outcome else {
                summary.stopped = true;
                return false;
            };
            summary.pages += 1;
            let mut report = |trouble: Trouble| {
                match &trouble {
                    Trouble::Unread(_) => summary.unread += 1,
                    Trouble::OtherKind { .. } => summary.other_kind += 1,
                    Trouble::End { .. } => summary.ended_early += 1,
                    Trouble::Joined { .. } => summary.joined += 1,
                    Trouble::Misfit { .. } => summary.misfits += 1,
                    Trouble::Lacking(lacking) => LackingField::add_all(&mut summary.lacking, [lacking]),
                }
                tell(&trouble);
                if summary.troubles.len() < KEPT {
                    summary.troubles.push(trouble);
                }
            };
            match outcome {
                Err(error) => report(Trouble::Unread(error)),
                Ok(Done { page, found }) => {
                    written = found.records.iter().try_for_each(|record| sink.record(record));
                    troubles(&page, &found, kind, &mut report);
                    let count = found.records.len();
                    summary.records += count;
                    summary.empty += usize::from(count == 0 && found.misfit.is_none());
                }
            }
            job.tell(Event::Step {
                done: summary.pages as u64,
                of,
            });
            written.is_ok()
        },
    );
    mapped.map_err(ExtractError::Thread)?;
    written.and_then(|()| sink.finish()).map_err(ExtractError::Write)?;
    Ok(summary)
}

/// What was found on a page.
struct Done {
    page: String,
    found: Extracted,
}

fn page(runner: &Runner, place: &Place, settings: &ExtractSettings) -> Result<Done, InputError> {
    let page = place.to_string();
    let found = match runner.reads_source() {
        true => {
            let source = place.source(&settings.page)?;
            let address: Arc<str> = source.url.as_deref().unwrap_or(&page).into();
            let found = runner.run_source(&address, &source.text, &settings.page.limits, settings.raw);
            found.map_err(|error| InputError {
                place: page.clone(),
                problem: Problem::Limit(error),
            })?
        }
        false => runner.run(&place.document(&settings.page, false)?, settings.raw),
    };
    Ok(Done { page, found })
}

/// What went wrong on a page that was read. `kind` is the schema that records must fit, if the user gave one.
pub(crate) fn troubles(page: &str, found: &Extracted, kind: Option<&RecordType>, tell: &mut dyn FnMut(Trouble)) {
    if let Some(kind) = kind {
        misfits(page, &found.records, kind).for_each(&mut *tell);
    }
    let page = || page.to_owned();
    match (found.misfit, found.end) {
        (Some(misfit), _) => return tell(Trouble::OtherKind { page: page(), misfit }),
        (None, End::Regular) => {}
        (None, end) => tell(Trouble::End {
            page: page(),
            end,
            records: found.records.len(),
        }),
    }
    found.lacking.iter().cloned().map(Trouble::Lacking).for_each(&mut *tell);
    if !found.joined.is_empty() {
        tell(Trouble::Joined {
            page: page(),
            fields: found.joined.clone(),
        });
    }
}

/// The records of a page that do not fit their type.
fn misfits<'r>(page: &'r str, records: &'r [Record], kind: &'r RecordType) -> impl Iterator<Item = Trouble> + 'r {
    records.iter().enumerate().filter_map(move |(at, record)| {
        let found = kind.misfits(record);
        Some(Trouble::Misfit {
            page: page.to_owned(),
            record: at + 1,
            first: found.first()?.to_string(),
            more: found.len() - 1,
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use record::SinkSpec;
    use wrapper::Rule;

    fn wrapper() -> Wrapper {
        let rule = Rule::Oxpath("//li:<row>[.:<item=.>]".to_owned());
        Wrapper::made(rule, RecordType::flat("row", ["item"]), None, &[]).expect("a rule that runs")
    }

    /// What is written for these pages, and the summary.
    fn extracted(pages: &[Place], settings: &ExtractSettings, job: &Job) -> Result<(String, Summary), ExtractError> {
        let (wrapper, mut out) = (wrapper(), Vec::new());
        let spec = SinkSpec {
            no_meta: true,
            ..SinkSpec::default()
        };
        let types = [wrapper.runner().expect("a rule that runs").record_type().clone()];
        let mut sink = spec.open(&types, &mut out).expect("no rows");
        let summary = all(&wrapper, pages, settings, &mut *sink, job)?;
        drop(sink);
        Ok((String::from_utf8(out).expect("text"), summary))
    }

    #[test]
    fn records_come_in_the_order_of_pages_and_troubles_are_kept() {
        let folder = tempfile::tempdir().expect("a directory");
        let mut places = Vec::new();
        for number in 0..300 {
            let path = folder.path().join(format!("{number}.html"));
            if number % 2 == 0 {
                std::fs::write(&path, format!("<li>{number}")).expect("a file");
            }
            places.push(Place::File(path));
        }
        let mut seen = Vec::new();
        for jobs in [1, 0, 7] {
            let settings = ExtractSettings {
                jobs,
                ..ExtractSettings::default()
            };
            let (text, summary) = extracted(&places, &settings, &Job::new()).expect("a sink that works");
            assert_eq!((summary.pages, summary.records, summary.unread), (300, 150, 150));
            assert_eq!(summary.troubles.len(), KEPT);
            assert!(summary.troubles[0].to_string().contains("1.html"), "the first of them");
            assert!(!summary.is_fine());
            seen.push(text);
        }
        assert!(
            seen[0].starts_with("{\"item\":\"0\"}\n{\"item\":\"2\"}\n"),
            "{}",
            &seen[0][..40]
        );
        assert_eq!((&seen[1], &seen[2]), (&seen[0], &seen[0]));
    }

    #[test]
    fn a_job_stops_it() {
        let job = Job::new();
        job.stop();
        let (text, summary) = extracted(&[Place::Stdin], &ExtractSettings::default(), &job).expect("a sink that works");
        assert_eq!((text.as_str(), summary.pages, summary.stopped), ("", 0, true));
    }

    #[test]
    fn an_unknown_charset_is_refused() {
        let mut settings = ExtractSettings::default();
        settings.page.charset = Some("nope".to_owned());
        let error = extracted(&[Place::Stdin], &settings, &Job::new()).expect_err("no such charset");
        assert!(matches!(error, ExtractError::Charset(name) if name == "nope"));
    }
}
