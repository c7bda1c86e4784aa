//! Pictures and styles of a page, if somebody ticked that they may be loaded.
//!
//! A page of a stranger asks for nothing by itself. With the tick, the addresses of its pictures and style sheets are replaced by
//! addresses of this server ([`Project::thawed`]), and this server fetches them as the crawler fetches the links of the page: a
//! public page leads to public addresses only, robots.txt and the turns at the host are kept, and sizes are limited. Without the
//! tick, [`Project::load`] refuses, whatever a page has hidden in its styles.
//!
//! What a style sheet names is relative to it. Its address is remembered here under a number, so nobody can say that an address
//! came from another place than it did: a page of this machine may lead to this machine, and only such a page.
//!
//! Only pictures and style sheets are passed on, with their own type and under a policy that lets them do nothing. What was
//! fetched is kept in memory, up to [`MOST_KEPT`] bytes, so going from page to page asks a site once.

use crate::project::Project;
use crate::serve::encoded;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::Semaphore;
use wrapwright::{Document, Live, Options, Page, show};

/// The most parts that are fetched at the same time.
const AT_ONCE: usize = 3;
/// The largest part.
const LARGEST: usize = 8 << 20;
/// The most bytes that are kept.
const MOST_KEPT: usize = 64 << 20;
/// The most parts that are fetched while a studio runs.
const MOST_PARTS: usize = 5000;
/// The most style sheets that are remembered.
const MOST_SHEETS: usize = 500;
/// The longest time for a part.
const PATIENCE: Duration = Duration::from_secs(20);
/// What may be passed on, and as what.
const TYPES: [(&str, &str); 11] = [
    ("text/css", "text/css; charset=utf-8"),
    ("image/png", "image/png"),
    ("image/jpeg", "image/jpeg"),
    ("image/jpg", "image/jpeg"),
    ("image/gif", "image/gif"),
    ("image/webp", "image/webp"),
    ("image/avif", "image/avif"),
    ("image/svg+xml", "image/svg+xml"),
    ("image/bmp", "image/bmp"),
    ("image/x-icon", "image/x-icon"),
    ("image/vnd.microsoft.icon", "image/x-icon"),
];

/// The policy of what is passed on: a picture that is opened as a page of its own does nothing.
pub(crate) const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'";

/// A part of a page.
pub(crate) struct Part {
    pub(crate) media: &'static str,
    pub(crate) bytes: Vec<u8>,
}

/// What is known of parts.
#[derive(Default)]
struct Inner {
    is_on: bool,
    /// The addresses of style sheets, by number.
    sheets: Vec<String>,
    parts: HashMap<String, Arc<Part>>,
    kept: usize,
    /// How many were fetched.
    loaded: usize,
    failed: usize,
}

/// The parts of pages that were loaded.
pub(crate) struct Loading {
    inner: Mutex<Inner>,
    /// Who waits for a slow site must not keep others from working.
    pub(crate) turns: Semaphore,
}

impl Default for Loading {
    fn default() -> Loading {
        Loading {
            inner: Mutex::default(),
            turns: Semaphore::new(AT_ONCE),
        }
    }
}

impl Loading {
    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lets parts be loaded, or no longer.
    pub(crate) fn set(&self, is_on: bool) {
        self.lock().is_on = is_on;
    }

    /// May parts be loaded, how many were, and how many could not be?
    pub(crate) fn told(&self) -> (bool, usize, usize) {
        let inner = self.lock();
        (inner.is_on, inner.loaded, inner.failed)
    }
}

/// The address that a page came from.
pub(crate) fn address(document: &Document) -> Option<&str> {
    let name: &str = &document.name;
    let found = document.url.as_deref().unwrap_or(name);
    ["http://", "https://"]
        .iter()
        .any(|scheme| found.starts_with(scheme))
        .then_some(found)
}

impl Project {
    /// The page with addresses of this server for its pictures and style sheets; none if they may not be loaded.
    pub(crate) fn thawed(&self, page: usize, document: &Document) -> Option<show::Frozen> {
        let may = self.loading.lock().is_on && self.opening.visitor.is_some() && address(document).is_some();
        may.then(|| show::thawed(&document.page, &|name| Some(place(page, None, name))))
    }

    /// A part of a page, or of one of its style sheets.
    pub(crate) fn load(&self, page: usize, sheet: Option<usize>, name: &str) -> Result<Arc<Part>, String> {
        let loaded = self.loaded(page, sheet, name);
        let mut inner = self.loading.lock();
        if loaded.is_err() && inner.is_on {
            inner.failed += 1;
        }
        loaded
    }

    fn loaded(&self, page: usize, sheet: Option<usize>, name: &str) -> Result<Arc<Part>, String> {
        let document = self.lock().now.documents.get(page).cloned();
        let document = document.ok_or("there is no such page")?;
        let from = {
            let inner = self.loading.lock();
            if !inner.is_on {
                return Err("pictures and styles are not loaded".to_owned());
            }
            if inner.loaded + inner.failed >= MOST_PARTS {
                return Err("too many pictures and styles were loaded; start the studio again".to_owned());
            }
            match sheet {
                Some(sheet) => inner.sheets.get(sheet).cloned().ok_or("there is no such style sheet")?,
                None => address(&document).ok_or("this page has no address")?.to_owned(),
            }
        };
        let key = format!("{from} {name}");
        if let Some(part) = self.loading.lock().parts.get(&key) {
            return Ok(Arc::clone(part));
        }
        let of = match sheet {
            // It has no `base` of its own.
            Some(_) => Live::new(Arc::new(empty()?), from.as_str()),
            None => Live::new(Arc::clone(&document.page), from.as_str()),
        };
        let visitor = self.opening.visitor.as_ref().ok_or("addresses cannot be opened here")?;
        let options = Options {
            timeout: Some(PATIENCE),
            ..Options::default()
        };
        let fetched = visitor.part(name, &of, &options).map_err(|error| error.to_string())?;
        if !(200..300).contains(&fetched.status) || fetched.body.len() > LARGEST {
            return Err(format!("status {}, {} bytes", fetched.status, fetched.body.len()));
        }
        let told = fetched.header("content-type").unwrap_or_default().to_ascii_lowercase();
        let told = told.split(';').next().unwrap_or_default().trim();
        let (_, media) = TYPES
            .into_iter()
            .find(|(name, _)| *name == told)
            .ok_or_else(|| format!("neither a picture nor a style sheet: {told:?}"))?;
        let bytes = match told {
            "text/css" => {
                let number = self.sheet(&fetched.url)?;
                let text = String::from_utf8_lossy(&fetched.body);
                let text = show::thawed_sheet(&text, &|name| Some(place(page, Some(number), name)));
                text.into_bytes()
            }
            _ => fetched.body,
        };
        let part = Arc::new(Part { media, bytes });
        let mut inner = self.loading.lock();
        inner.loaded += 1;
        if inner.kept + part.bytes.len() <= MOST_KEPT {
            inner.kept += part.bytes.len();
            inner.parts.insert(key, Arc::clone(&part));
        }
        Ok(part)
    }

    /// The number of a style sheet.
    fn sheet(&self, url: &str) -> Result<usize, String> {
        let mut inner = self.loading.lock();
        if let Some(known) = inner.sheets.iter().position(|known| known == url) {
            return Ok(known);
        }
        if inner.sheets.len() >= MOST_SHEETS {
            return Err("too many style sheets".to_owned());
        }
        inner.sheets.push(url.to_owned());
        Ok(inner.sheets.len() - 1)
    }
}

/// Where this server has a part of a page.
fn place(page: usize, sheet: Option<usize>, name: &str) -> String {
    let sheet = sheet.map_or(String::new(), |sheet| format!("&sheet={sheet}"));
    format!("/load?page={page}{sheet}&url={}", encoded(name.trim()))
}

fn empty() -> Result<Page, String> {
    Page::parse_str("", &wrapwright::Limits::default()).map_err(|error| error.to_string())
}
