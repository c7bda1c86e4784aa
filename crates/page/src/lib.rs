//! Turns the bytes of a web page into an immutable tree in preorder columns.
//!
//! ```text
//! bytes ──decode──▶ text ──html──▶ scratch (linked nodes) ──tree──▶ Page (columns) ──▶ HTML, XML, paths
//! ```
//!
//! [`Page::parse`] is the only seam: to use another parser, replace the part between `decode` and the scratch tree.
//! [`vocabulary`] says what the names of HTML mean to a reader of a page. This crate does no I/O, prints nothing, and
//! does not recurse over a page, so neither depth nor size can overflow a stack. [`Limits`] bounds what a page may
//! cost.

mod decode;
mod document;
pub mod driver;
pub mod form;
mod html;
pub mod job;
mod limits;
mod name;
mod path;
mod remedy;
mod scratch;
pub mod structured;
mod text;
pub mod titles;
mod tree;
pub mod vocabulary;
mod write;
mod xml;

pub use decode::{Decoding, EncodingSource, decode, is_charset};
pub use document::Document;
pub use job::Job;
pub use limits::{LimitError, Limits};
pub use name::{NameId, Namespace};
pub use path::Paths;
pub use remedy::{Limit, Remedy};
pub use scratch::Doctype;
pub use text::{SourceText, source_text};
pub use tree::{Builder, Kind, NodeId, Page};
pub use write::{xml_name, xml_text};
pub use xml::Markup;

/// How to read a page.
#[derive(Clone, Debug, Default)]
pub struct ParseSettings {
    /// What the page may cost.
    pub limits: Limits,
    /// The charset label from the transport, as in HTTP's `Content-Type: text/html; charset=…`.
    pub charset: Option<String>,
    /// What the transport says that the page is.
    pub markup: Markup,
}

impl Page {
    /// The page that empty input gives: `html`, `head` and `body`.
    pub fn empty() -> Page {
        Page::parse(b"", &ParseSettings::default()).unwrap_or_else(|_| unreachable!("no bytes go over no limit"))
    }

    /// Reads a page from its bytes.
    ///
    /// All bytes are a page: HTML has no syntax errors, only ways to repair them.
    ///
    /// # Errors
    ///
    /// A page that exceeds one of the [`Limits`] is rejected.
    ///
    /// ```
    /// use page::{Page, ParseSettings};
    /// let page = Page::parse("<title>Größe</title>".as_bytes(), &ParseSettings::default())?;
    /// assert_eq!(page.string_value(page::NodeId::DOCUMENT), "Größe");
    /// # Ok::<(), page::LimitError>(())
    /// ```
    pub fn parse(bytes: &[u8], settings: &ParseSettings) -> Result<Page, LimitError> {
        let limits = &settings.limits;
        let most = limits.bytes.min(limits::MOST_BYTES);
        if bytes.len() > most {
            return Err(LimitError::Bytes(most));
        }
        let (text, decoding) = decode::decode(bytes, settings.charset.as_deref());
        Page::of_text(&text, decoding, settings.markup, limits)
    }

    /// Reads a page from text that is already decoded; a `meta` that names a charset is ignored.
    ///
    /// # Errors
    ///
    /// A page that exceeds one of the [`Limits`] is rejected.
    ///
    /// ```
    /// use page::{Limits, Page};
    /// let page = Page::parse_str("<meta charset=latin1><p>Größe", &Limits::default())?;
    /// assert_eq!(page.text(), "Größe");
    /// # Ok::<(), page::LimitError>(())
    /// ```
    pub fn parse_str(text: &str, limits: &Limits) -> Result<Page, LimitError> {
        Page::of_text(text, Decoding::of_text(), Markup::Unknown, limits)
    }

    fn of_text(text: &str, decoding: Decoding, markup: Markup, limits: &Limits) -> Result<Page, LimitError> {
        let most = limits.bytes.min(limits::MOST_BYTES);
        if text.len() > most {
            return Err(LimitError::Bytes(most));
        }
        let scratch = match xml::is_xml(text, markup) {
            true => xml::parse(text, limits)?,
            false => html::parse(text, limits, html::Options::default())?,
        };
        Page::lay_out(scratch, decoding, limits)
    }
}
