//! Pages for commands that look at what wrappers give: named on the command line, read one after the other.

use crate::{Exit, report};
use std::path::Path;
use wrapwright::artifact::Artifact;
use wrapwright::input::{self, InputError, Place};
use wrapwright::tend::{Observer, Unwatched};
use wrapwright::{Document, Limits, Page, Settings};

/// How pages are read.
#[derive(Debug, clap::Args)]
pub(crate) struct ReadArgs {
    /// Read pages in this encoding, whatever they say themselves
    #[arg(long, value_name = "LABEL")]
    pub(crate) charset: Option<String>,

    /// Refuse larger pages
    #[arg(long, value_name = "N", default_value_t = wrapwright::Limits::default().bytes)]
    pub(crate) max_page_bytes: usize,
}

impl ReadArgs {
    /// The settings, if the charset is one.
    pub(crate) fn settings(&self) -> Option<Settings> {
        if let Some(charset) = self.charset.as_deref().filter(|name| !wrapwright::is_charset(name)) {
            report::mistake(&format!("found the unknown charset `{charset}`"), None);
            return None;
        }
        Some(Settings {
            limits: Limits {
                bytes: self.max_page_bytes,
                ..Limits::default()
            },
            charset: self.charset.clone(),
        })
    }
}

/// The places that were named; those that are not there are told, and counted.
pub(crate) fn places(named: &[String]) -> (Vec<Place>, usize) {
    let (places, errors) = input::find(named.iter().map(String::as_str));
    for error in &errors {
        report::input(error, crate::args::Format::Text);
    }
    (places, errors.len())
}

/// Reads a page, with its source if that is asked for.
pub(crate) fn read(place: &Place, settings: &Settings, with_source: bool) -> Result<Document, InputError> {
    let name = place.to_string();
    if !with_source {
        return Ok(Document::new(name, place.read(settings)?));
    }
    let source = place.source(settings)?;
    Document::from_source(name.as_str(), source, settings).map_err(|error| InputError {
        place: name,
        problem: input::Problem::Limit(error),
    })
}

/// Parses a source that was decoded already.
pub(crate) fn parse(source: &str) -> Result<Page, wrapwright::LimitError> {
    Page::parse_str(source, &Limits::default())
}

/// Says that a wrapper keeps nothing to compare with, and what to do about it.
pub(crate) fn unwatched(wrapper: &Path) -> Exit {
    let file = wrapper.display();
    let hint = format!("`wrapwright check {file} --accept PAGE…` with pages on which it works makes it do so");
    report::mistake(&format!("{file}: {Unwatched}"), Some(&hint));
    Exit::Mistake
}

/// A number from 0 to 1.
pub(crate) fn share(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(share) if (0.0..=1.0).contains(&share) => Ok(share),
        _ => Err("expected a number from 0 to 1".to_owned()),
    }
}

/// Puts into a new wrapper what its values are like on the pages that it was made from.
pub(crate) fn profile<'p>(
    artifact: &mut Artifact,
    pages: impl IntoIterator<Item = (&'p str, &'p std::sync::Arc<Page>, Option<&'p str>)>,
) -> anyhow::Result<()> {
    let mut observer = Observer::new(artifact)?;
    for (name, page, source) in pages {
        observer.add(name, page, source);
    }
    artifact.evidence.profiles = observer.finish();
    Ok(())
}
