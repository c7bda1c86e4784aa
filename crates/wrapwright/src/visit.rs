//! Where pages of the live web come from: one interface for whatever saves, samples or runs over them.
//!
//! A [`Visitor`] opens an address and gives the page with its bytes. There are two: one without scripts, which gives the bytes
//! as the server sent them, and one over a driver such as a browser, which gives the page as it is after its scripts, written
//! as HTML. [`Session::visitor`](crate::Session::visitor) makes the one of a session.
//!
//! A visitor is shared by several threads, which are one visitor to the sites.

use browse::{Fetch, Fetched, Web};
use page::driver::{Driver, DriverError, FailureKind, Live, Options};
use page::{Document, Limits, NodeId};
use std::sync::Arc;

/// Opens pages. Whoever holds a clone of it is the same visitor.
pub trait Visitor: Send + Sync {
    /// Opens an address: one that the user named or, with `from`, one that a page leads to, which may be relative to it.
    ///
    /// # Errors
    ///
    /// The address is not valid or not allowed, or it does not lead to a page.
    fn open(&self, url: &str, from: Option<&Live>, options: &Options) -> Result<Visit, DriverError>;

    /// Fetches a part of a page, such as a picture or a style sheet, by the rules for links of the page: private addresses, sizes,
    /// robots.txt, turns at the host.
    ///
    /// # Errors
    ///
    /// The address is not valid or not allowed, or there is no answer.
    fn part(&self, url: &str, of: &Live, options: &Options) -> Result<Fetched, DriverError>;

    /// Opens an address as [`Visitor::open`] does, but reads the page only if `is_enough` says no to its address and its bytes.
    ///
    /// # Errors
    ///
    /// As [`Visitor::open`].
    fn open_unless(
        &self,
        url: &str,
        from: Option<&Live>,
        options: &Options,
        is_enough: &mut dyn FnMut(&str, &[u8]) -> bool,
    ) -> Result<Visited, DriverError> {
        let visit = self.open(url, from, options)?;
        Ok(match is_enough(&visit.live.url, &visit.body) {
            true => Visited::Enough(visit.live.url),
            false => Visited::Read(Box::new(visit)),
        })
    }

    /// Treats an address as named by the user, without opening it.
    fn name(&self, _url: &str) {}

    /// Was the host of this address reached at private addresses only?
    fn was_private(&self, _url: &str) -> bool {
        false
    }

    /// Treats the host of this address as reached at a private address.
    fn set_private(&self, _url: &str) {}

    /// The limits on pages.
    fn limits(&self) -> Limits {
        Limits::default()
    }
}

/// A page that was opened and perhaps read.
#[derive(Clone, Debug)]
pub enum Visited {
    /// Its bytes were enough; this is its address.
    Enough(Arc<str>),
    /// It was read.
    Read(Box<Visit>),
}

/// A page that was opened.
#[derive(Clone, Debug)]
pub struct Visit {
    /// The page.
    pub live: Live,
    /// Its bytes.
    pub body: Vec<u8>,
    /// The header `Content-Type`.
    pub content_type: Option<String>,
}

impl Visit {
    /// The charset that came with the page.
    pub fn charset(&self) -> Option<&str> {
        self.content_type.as_deref().and_then(browse::charset)
    }

    /// The page as a document; `with_source` keeps its decoded source.
    pub fn document(&self, with_source: bool) -> Document {
        let source = || page::decode(&self.body, self.charset()).0.into_owned().into();
        Document {
            name: Arc::clone(&self.live.url),
            url: Some(Arc::clone(&self.live.url)),
            page: Arc::clone(&self.live.page),
            source: with_source.then(source),
        }
    }
}

impl<F: Fetch> Visitor for Web<F> {
    fn open(&self, url: &str, from: Option<&Live>, options: &Options) -> Result<Visit, DriverError> {
        let fetched = self.get(url, from, options)?;
        visit(self, fetched)
    }

    fn open_unless(
        &self,
        url: &str,
        from: Option<&Live>,
        options: &Options,
        is_enough: &mut dyn FnMut(&str, &[u8]) -> bool,
    ) -> Result<Visited, DriverError> {
        let fetched = self.get(url, from, options)?;
        // What is not a page is refused when it is read.
        if fetched.status == 200 && is_enough(&fetched.url, &fetched.body) {
            return Ok(Visited::Enough(fetched.url.into()));
        }
        visit(self, fetched).map(|visit| Visited::Read(Box::new(visit)))
    }

    fn part(&self, url: &str, of: &Live, options: &Options) -> Result<Fetched, DriverError> {
        self.get(url, Some(of), options)
    }

    fn name(&self, url: &str) {
        Web::name(self, url);
    }

    fn was_private(&self, url: &str) -> bool {
        Web::was_private(self, url)
    }

    fn set_private(&self, url: &str) {
        Web::set_private(self, url);
    }

    fn limits(&self) -> Limits {
        self.settings().limits
    }
}

fn visit<F: Fetch>(web: &Web<F>, fetched: Fetched) -> Result<Visit, DriverError> {
    let live = web.read(&fetched)?;
    let content_type = fetched.header("content-type").map(str::to_owned);
    Ok(Visit {
        live,
        body: fetched.body,
        content_type,
    })
}

/// Makes drivers that are one visitor.
pub(crate) type MakeDriver = Arc<dyn Fn() -> Box<dyn Driver + Send> + Send + Sync>;

/// Pages from a driver, as they are after their scripts.
pub(crate) struct ByDriver {
    pub(crate) make: MakeDriver,
    /// What a browser reaches the network through.
    pub(crate) web: Option<Web<Box<dyn Fetch>>>,
}

impl Visitor for ByDriver {
    fn open(&self, url: &str, from: Option<&Live>, options: &Options) -> Result<Visit, DriverError> {
        let mut driver = (self.make)();
        let live = match from {
            None => driver.open(url, options)?,
            Some(from) => driver.open_from(url, from, options)?,
        };
        Ok(Visit {
            body: live.page.to_html(NodeId::DOCUMENT).into_bytes(),
            content_type: Some("text/html; charset=utf-8".to_owned()),
            live,
        })
    }

    fn part(&self, url: &str, of: &Live, options: &Options) -> Result<Fetched, DriverError> {
        match &self.web {
            Some(web) => web.get(url, Some(of), options),
            None => Err(DriverError::new(
                FailureKind::Other,
                "this driver fetches whole pages only",
            )),
        }
    }

    fn name(&self, url: &str) {
        self.web.iter().for_each(|web| web.name(url));
    }

    fn was_private(&self, url: &str) -> bool {
        self.web.as_ref().is_some_and(|web| web.was_private(url))
    }

    fn set_private(&self, url: &str) {
        self.web.iter().for_each(|web| web.set_private(url));
    }

    fn limits(&self) -> Limits {
        self.web.as_ref().map(|web| web.settings().limits).unwrap_or_default()
    }
}
