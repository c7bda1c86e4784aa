//! The links that lead through a list of pages, for saved pages.
//!
//! How they are found is in [`find`]. A page needs its address: whether a link leads to the next page shows in how its address
//! differs from that of the page.
//!
//! ```
//! use wrapwright::{Document, ParseSettings, pager};
//! let html = "<p>1 <a href=?page=2>2</a> <a href=?page=3>3</a></p>";
//! let document = Document::from_source("list", html, &ParseSettings::default())?;
//! let found = pager::of_document(&document, Some("https://shop.example/list"))?;
//! assert_eq!(found.pager.onward(), Some("https://shop.example/list?page=2"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use crate::{Document, Remedy};
use serde_json::{Value, json};
use std::error::Error;
use std::fmt;

pub use browse::pager::{Pager, find};

/// The pager of a page.
#[derive(Clone, Debug, PartialEq)]
pub struct PagerOf {
    /// What the page is called.
    pub page: String,
    /// Its pager.
    pub pager: Pager,
}

/// Why the pager of a page is not known.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PagerError {
    /// The page has no known address.
    NoAddress(String),
    /// This is not an address.
    NotAnAddress(String, String),
}

impl fmt::Display for PagerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PagerError::NoAddress(page) => write!(f, "{page}: the address of this page is not known"),
            PagerError::NotAnAddress(url, why) => write!(f, "found {url:?}, expected an address: {why}"),
        }
    }
}

impl Error for PagerError {}

impl PagerError {
    /// What the user can do about it.
    pub fn remedy(&self) -> Option<Remedy> {
        match self {
            PagerError::NoAddress(_) => Some("say where the page is from, or save it with its address".into()),
            PagerError::NotAnAddress(..) => Some("write it in full: https://shop.example/list".into()),
        }
    }
}

/// Finds the pager of a page that was at this address.
///
/// # Errors
///
/// The address is not known, or not one.
pub fn of_document(document: &Document, url: Option<&str>) -> Result<PagerOf, PagerError> {
    let page = document.name.to_string();
    let url = url.ok_or_else(|| PagerError::NoAddress(page.clone()))?;
    let url = url
        .parse()
        .map_err(|error: url::ParseError| PagerError::NotAnAddress(url.to_owned(), error.to_string()))?;
    let pager = find(&document.page, &url);
    Ok(PagerOf { page, pager })
}

impl PagerOf {
    /// For programs.
    pub fn to_json(&self) -> Value {
        let Pager {
            next,
            prev,
            by_number,
            pages,
            sure,
        } = &self.pager;
        json!({
            "page": self.page, "next": next, "prev": prev, "by_number": by_number, "pages": pages,
            "sure": (sure * 100.0).round() / 100.0,
        })
    }

    /// For people.
    pub fn to_text(&self) -> String {
        let Pager {
            next,
            prev,
            by_number,
            pages,
            sure,
        } = &self.pager;
        let sure = sure * 100.0;
        let mut out = match (next, by_number) {
            (Some(next), _) => format!("{}: next {next} ({sure:.0} % sure)\n", self.page),
            (None, Some(next)) => format!("{}: next by its number {next}\n", self.page),
            (None, None) => format!("{}: no next page ({sure:.0} % sure)\n", self.page),
        };
        if let Some(prev) = prev {
            out += &format!("  previous {prev}\n");
        }
        for page in pages {
            out += &format!("  page {page}\n");
        }
        out.replace(|c: char| c.is_control() && c != '\n', "")
    }
}
