//! A page with its name: what readers pass to rules and learners.

use crate::{Decoding, LimitError, Page, ParseSettings};
use std::sync::Arc;

/// A page, its name for messages, and its decoded source if it is needed.
///
/// Cloning costs a few reference counts, so documents can be passed to threads and kept by reports.
#[derive(Clone, Debug)]
pub struct Document {
    /// A file name or an address, for messages.
    pub name: Arc<str>,
    /// The address that the page was fetched from, if it is known and is not the name.
    pub url: Option<Arc<str>>,
    /// The tree.
    pub page: Arc<Page>,
    /// The decoded source, for rules that cut the source instead of reading the tree.
    pub source: Option<Arc<str>>,
}

impl Document {
    /// A document for a page that is already parsed.
    pub fn new(name: impl Into<Arc<str>>, page: impl Into<Arc<Page>>) -> Document {
        Document {
            name: name.into(),
            url: None,
            page: page.into(),
            source: None,
        }
    }

    /// Parses a decoded source and keeps it.
    ///
    /// # Errors
    ///
    /// The page exceeds one of the limits.
    ///
    /// ```
    /// use page::{Document, ParseSettings};
    /// let document = Document::from_source("a.html", "<h1>Hi</h1>", &ParseSettings::default())?;
    /// assert_eq!(document.page.text(), "Hi");
    /// # Ok::<(), page::LimitError>(())
    /// ```
    pub fn from_source(
        name: impl Into<Arc<str>>,
        source: impl Into<Arc<str>>,
        settings: &ParseSettings,
    ) -> Result<Document, LimitError> {
        let source = source.into();
        Ok(Document {
            name: name.into(),
            url: None,
            page: Arc::new(Page::of_text(
                &source,
                Decoding::of_text(),
                settings.markup,
                &settings.limits,
            )?),
            source: Some(source),
        })
    }

    /// The same document, fetched from this address.
    #[must_use]
    pub fn fetched_from(self, url: impl Into<Arc<str>>) -> Document {
        Document {
            url: Some(url.into()),
            ..self
        }
    }

    /// The address of the page or, if it is not known, its name. Records contain it as `_page`, and links are relative to it.
    pub fn address(&self) -> &Arc<str> {
        self.url.as_ref().unwrap_or(&self.name)
    }

    /// The text by which a document is recognised later: the source if it is kept, otherwise the text of the page.
    pub fn text(&self) -> &str {
        self.source.as_deref().unwrap_or_else(|| self.page.text())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Limits;

    #[test]
    fn a_source_is_read_within_the_limits_that_are_given() {
        let read = |source: &str, limits: Limits| {
            let settings = ParseSettings {
                limits,
                ..ParseSettings::default()
            };
            Document::from_source("p", source, &settings).map(|document| document.page.text().len())
        };
        let source = "x".repeat(1000);
        let bytes = |bytes| Limits {
            bytes,
            ..Limits::default()
        };
        assert_eq!(read(&source, bytes(999)), Err(LimitError::Bytes(999)));
        assert_eq!(read(&source, bytes(1000)), Ok(1000));
        let shallow = Limits {
            depth: 5,
            ..Limits::default()
        };
        assert_eq!(read(&"<p><b>".repeat(10), shallow), Err(LimitError::Depth(5)));
        // The default is no bound for what is given.
        let beyond = "x".repeat(Limits::default().bytes + 1);
        assert_eq!(
            read(&beyond, Limits::default()),
            Err(LimitError::Bytes(Limits::default().bytes))
        );
        assert_eq!(read(&beyond, bytes(beyond.len())), Ok(beyond.len()));
    }
}
