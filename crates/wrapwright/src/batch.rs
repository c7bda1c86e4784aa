//! Pages from anywhere, for programs that have some in memory and others in files: read them, and extract from them.
//!
//! An [`Input`] is a document, the bytes or the text of a page, or a [`Place`]. [`documents`] reads inputs for those who
//! make, check and repair wrappers; [`each`] extracts from them. Both work on several threads and give results in the
//! order of the inputs; with places and bytes, a few pages are parsed at a time, whatever their number.
//!
//! ```
//! use wrapwright::batch::{self, Input};
//! use wrapwright::wrapper::Rule;
//! use wrapwright::{Job, RecordType, Wrapper};
//!
//! let rule = Rule::Oxpath("//li:<row>[.:<item=.>]".to_owned());
//! let wrapper = Wrapper::made(rule, RecordType::flat("row", ["item"]), None, &[])?;
//! let pages = ["<li>one<li>two", "<li>three"].map(|html| Input::text("page", None, html));
//! let mut found = Vec::new();
//! batch::each(&wrapper.runner()?, None, &pages, &Default::default(), &Job::new(), &mut |page| {
//!     found.push(page.records().len());
//!     true
//! })?;
//! assert_eq!(found, [2, 1]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use crate::extract::{ExtractError, ExtractSettings, Trouble, troubles};
use crate::input::{InputError, Place, Problem};
use crate::map_in_order;
use page::{Document, Job, LimitError, Page, ParseSettings};
use record::{Record, RecordType};
use std::borrow::Borrow;
use std::fmt;
use std::num::NonZero;
use std::sync::Arc;
use wrapper::{Extracted, Runner};

/// A page, wherever it is.
pub enum Input {
    /// One that is parsed.
    Document(Document),
    /// Its bytes.
    Bytes {
        /// A name for messages.
        name: String,
        /// The address that it came from, if known.
        url: Option<String>,
        /// The charset that was declared with it, if one was.
        charset: Option<String>,
        /// The bytes.
        bytes: Box<dyn AsRef<[u8]> + Send + Sync>,
    },
    /// Its text.
    Text {
        /// A name for messages.
        name: String,
        /// The address that it came from, if known.
        url: Option<String>,
        /// The text.
        text: Box<dyn AsRef<str> + Send + Sync>,
    },
    /// A file, a page of a WARC file, an address.
    Place(Place),
}

impl fmt::Debug for Input {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Input").field(&self.name()).finish()
    }
}

impl From<Place> for Input {
    fn from(place: Place) -> Input {
        Input::Place(place)
    }
}

impl From<Document> for Input {
    fn from(document: Document) -> Input {
        Input::Document(document)
    }
}

impl Input {
    /// The bytes of a page.
    pub fn bytes(
        name: impl Into<String>,
        url: Option<String>,
        charset: Option<String>,
        bytes: impl AsRef<[u8]> + Send + Sync + 'static,
    ) -> Input {
        Input::Bytes {
            name: name.into(),
            url,
            charset,
            bytes: Box::new(bytes),
        }
    }

    /// The text of a page.
    pub fn text(name: impl Into<String>, url: Option<String>, text: impl AsRef<str> + Send + Sync + 'static) -> Input {
        Input::Text {
            name: name.into(),
            url,
            text: Box::new(text),
        }
    }

    /// Its name, for messages.
    pub fn name(&self) -> String {
        match self {
            Input::Document(document) => document.name.to_string(),
            Input::Bytes { name, .. } | Input::Text { name, .. } => name.clone(),
            Input::Place(place) => place.to_string(),
        }
    }

    /// Reads and parses the page; `with_source` keeps its decoded source, for rules that need it.
    ///
    /// # Errors
    ///
    /// The page cannot be read, or exceeds a limit.
    pub fn document(&self, settings: &ParseSettings, with_source: bool) -> Result<Document, InputError> {
        let too_large = |error| self.error(error);
        self.check_text()?;
        let (document, url) = match self {
            Input::Document(document) => return Ok(document.clone()),
            Input::Place(place) => return place.document(settings, with_source),
            Input::Text { name, url, text } => {
                let text: &str = (**text).as_ref();
                let document = match with_source {
                    true => Document::from_source(name.as_str(), text, settings),
                    false => Page::parse_str(text, &settings.limits).map(|page| Document::new(name.as_str(), page)),
                };
                (document.map_err(too_large)?, url)
            }
            Input::Bytes { name, url, .. } => {
                let document = match with_source {
                    true => Document::from_source(name.as_str(), self.source(settings)?, settings),
                    false => self.parse(settings).map(|page| Document::new(name.as_str(), page)),
                };
                (document.map_err(too_large)?, url)
            }
        };
        Ok(match url {
            Some(url) => document.fetched_from(url.as_str()),
            None => document,
        })
    }

    /// As with files, an image or another program's file is not a page.
    fn check_text(&self) -> Result<(), InputError> {
        match self {
            Input::Bytes { bytes, .. } => match crate::input::binary((**bytes).as_ref()) {
                None => Ok(()),
                Some(what) => Err(InputError {
                    place: self.name(),
                    problem: Problem::Binary(what),
                }),
            },
            _ => Ok(()),
        }
    }

    /// The tree of bytes; nothing else is parsed here.
    fn parse(&self, settings: &ParseSettings) -> Result<Page, LimitError> {
        let Input::Bytes { bytes, charset, .. } = self else {
            return Ok(Page::empty());
        };
        let settings = ParseSettings {
            limits: settings.limits,
            charset: settings.charset.clone().or_else(|| charset.clone()),
            markup: settings.markup,
        };
        Page::parse((**bytes).as_ref(), &settings)
    }

    /// The decoded source.
    fn source(&self, settings: &ParseSettings) -> Result<Arc<str>, InputError> {
        let most = settings.limits.bytes;
        self.check_text()?;
        match self {
            Input::Document(document) => Ok(match &document.source {
                Some(source) => Arc::clone(source),
                None => document.page.to_html(page::NodeId::DOCUMENT).into(),
            }),
            Input::Place(place) => Ok(place.source(settings)?.text.into()),
            Input::Text { text, .. } => Ok((**text).as_ref().into()),
            Input::Bytes { bytes, charset, .. } => {
                let bytes: &[u8] = (**bytes).as_ref();
                let label = settings.charset.as_deref().or(charset.as_deref());
                let (text, _) = page::decode(bytes, label);
                match bytes.len().max(text.len()) > most {
                    true => Err(self.error(LimitError::Bytes(most))),
                    false => Ok(text.as_ref().into()),
                }
            }
        }
    }

    fn error(&self, error: LimitError) -> InputError {
        InputError {
            place: self.name(),
            problem: Problem::Limit(error),
        }
    }

    /// What a wrapper gives on the page.
    fn extract(&self, runner: &Runner, settings: &ExtractSettings) -> Result<Extracted, InputError> {
        if let Input::Document(document) = self {
            return Ok(runner.run(document, settings.raw));
        }
        if !runner.reads_source() {
            return Ok(runner.run(&self.document(&settings.page, false)?, settings.raw));
        }
        let (url, name) = match self {
            Input::Bytes { url, .. } | Input::Text { url, .. } => (url.as_deref(), self.name()),
            Input::Place(place) => (place.url(), self.name()),
            Input::Document(_) => (None, self.name()),
        };
        let address: Arc<str> = url.unwrap_or(&name).into();
        let source = self.source(&settings.page)?;
        let found = runner.run_source(&address, &source, &settings.page.limits, settings.raw);
        found.map_err(|error| self.error(error))
    }
}

/// What a wrapper gave on a page.
#[derive(Debug)]
pub struct Outcome {
    /// The page.
    pub page: String,
    /// What was found on it.
    pub found: Result<Extracted, InputError>,
    /// What went wrong on a page that could be read.
    pub troubles: Vec<Trouble>,
}

impl Outcome {
    /// The records; none if the page could not be read.
    pub fn records(&self) -> &[Record] {
        self.found.as_ref().map_or(&[], |found| &found.records)
    }
}

/// Extracts from inputs, and gives what was found in their order, until `take` returns false or the job is stopped. `kind` is
/// the type that records must fit, if the user gave one.
///
/// # Errors
///
/// The charset is unknown, or the system starts no thread.
pub fn each(
    runner: &Runner,
    kind: Option<&RecordType>,
    inputs: &[Input],
    settings: &ExtractSettings,
    job: &Job,
    take: &mut dyn FnMut(Outcome) -> bool,
) -> Result<(), ExtractError> {
    check_charset(&settings.page)?;
    let work = |input: &Input| {
        (!job.is_stopped()).then(|| {
            let (page, found) = (input.name(), input.extract(runner, settings));
            let mut told = Vec::new();
            if let Ok(found) = &found {
                troubles(&page, found, kind, &mut |trouble| told.push(trouble));
            }
            Outcome {
                page,
                found,
                troubles: told,
            }
        })
    };
    map_in_order(inputs, threads(settings.jobs), work, |outcome| {
        outcome.is_some_and(&mut *take)
    })
    .map_err(ExtractError::Thread)
}

/// Reads inputs as documents, in their order. Pages that cannot be read are errors at their places.
///
/// # Errors
///
/// The charset is unknown, or the system starts no thread.
pub fn documents<I: Borrow<Input> + Sync>(
    inputs: &[I],
    settings: &ExtractSettings,
    with_source: bool,
) -> Result<Vec<Result<Document, InputError>>, ExtractError> {
    check_charset(&settings.page)?;
    let mut all = Vec::with_capacity(inputs.len());
    let mapped = map_in_order(
        inputs,
        threads(settings.jobs),
        |input| input.borrow().document(&settings.page, with_source),
        |document| {
            all.push(document);
            true
        },
    );
    mapped.map_err(ExtractError::Thread)?;
    Ok(all)
}

fn check_charset(settings: &ParseSettings) -> Result<(), ExtractError> {
    match &settings.charset {
        Some(name) if !page::is_charset(name) => Err(ExtractError::Charset(name.clone())),
        _ => Ok(()),
    }
}

/// The number of threads; 0 is one for each processor.
fn threads(jobs: usize) -> usize {
    match jobs {
        0 => std::thread::available_parallelism().map_or(1, NonZero::get),
        jobs => jobs,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wrapper::{Rule, Wrapper};

    #[test]
    fn inputs_of_all_kinds_give_the_same_records_in_their_order() {
        let folder = tempfile::tempdir().expect("a directory");
        let file = folder.path().join("a.html");
        std::fs::write(&file, "<li>one").expect("a file");
        let page = Page::parse_str("<li>two", &page::Limits::default()).expect("a small page");
        let inputs = [
            Input::from(Place::File(file)),
            Document::new("b", page).into(),
            Input::bytes(
                "c",
                Some("http://c.test/".to_owned()),
                Some("koi8-r".to_owned()),
                b"<li>\xE4",
            ),
            Input::text("d", None, "<li>four"),
            Input::from(Place::File(folder.path().join("missing.html"))),
            Input::bytes("f", None, None, b"%PDF-1.7 <li>six"),
        ];
        let rule = Rule::Oxpath("//li:<row>[.:<item=.>]".to_owned());
        let wrapper = Wrapper::made(rule, RecordType::flat("row", ["item"]), None, &[]).expect("a rule that runs");
        let runner = wrapper.runner().expect("a rule that runs");
        for jobs in [1, 2, 9] {
            let settings = ExtractSettings {
                jobs,
                ..ExtractSettings::default()
            };
            let mut seen = Vec::new();
            let done = each(&runner, None, &inputs, &settings, &Job::new(), &mut |outcome| {
                let values = outcome.records().iter().filter_map(|record| record.get("item"));
                seen.push(match &outcome.found {
                    Ok(_) => values.collect::<String>(),
                    Err(_) => "unread".to_owned(),
                });
                true
            });
            assert!(done.is_ok());
            assert_eq!(seen, ["one", "two", "Д", "four", "unread", "unread"]);
            let read = documents(&inputs, &settings, true).expect("threads");
            let texts: Vec<&str> = read.iter().flatten().map(|document| document.page.text()).collect();
            assert_eq!(texts, ["one", "two", "Д", "four"]);
            assert_eq!(&**read[2].as_ref().expect("a page").address(), "http://c.test/");
        }
    }

    #[test]
    fn limits_hold_for_pages_in_memory() {
        let mut settings = ExtractSettings::default();
        settings.page.limits.bytes = 3;
        for input in [Input::text("t", None, "<li>x"), Input::bytes("b", None, None, b"<li>x")] {
            let error = input.document(&settings.page, true).expect_err("too long");
            assert!(matches!(error.problem, Problem::Limit(LimitError::Bytes(3))), "{error}");
            assert!(input.document(&settings.page, false).is_err());
        }
    }
}
