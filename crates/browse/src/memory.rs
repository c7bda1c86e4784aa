//! Pages from a table or a function, for tests.
//!
//! The driver behaves as [`Http`](crate::Http) does, cookies and redirects included, because only the transport
//! differs. It logs all requests, so that a test can check which requests an expression makes.

use crate::fetch::{Budget, Fetch, Method, Request, Response};
use crate::settings::HttpSettings;
use crate::web::Web;
use page::driver::{DriverError, FailureKind};
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

/// A driver over pages in memory.
///
/// ```
/// use browse::Memory;
/// use page::driver::{Action, Driver, Options};
/// let mut driver = Memory::new([("http://a.test/", "<a href=two>on</a>"), ("http://a.test/two", "<p>there</p>")]);
/// let start = driver.open("http://a.test/", &Options::default())?;
/// let link = start.page.elements_named(start.page.name_id("a").unwrap())[0];
/// let next = driver.act(&start, link, &Action::Click, &Options::default())?.into_live();
/// assert_eq!(&*next.url, "http://a.test/two");
/// assert_eq!(driver.log(), ["GET http://a.test/", "GET http://a.test/two"]);
/// # Ok::<(), page::driver::DriverError>(())
/// ```
pub type Memory = Web<Pages>;

type Answer = Box<dyn FnMut(&Request) -> Option<Response> + Send>;

/// A transport over a table or a function.
pub struct Pages(Mutex<Table>);

struct Table {
    answer: Answer,
    log: Vec<String>,
}

impl Pages {
    fn table(&self) -> std::sync::MutexGuard<'_, Table> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Memory {
    /// A driver over a table from addresses to HTML. Fragments are ignored; an unknown address is a 404.
    pub fn new<U: AsRef<str>, H: Into<Vec<u8>>>(pages: impl IntoIterator<Item = (U, H)>) -> Memory {
        // Written as the driver will request them: `http://a.test` is `http://a.test/`.
        let spelled = |url: &str| url::Url::parse(url).map_or_else(|_| url.to_owned(), String::from);
        let pages: BTreeMap<String, Vec<u8>> = pages
            .into_iter()
            .map(|(url, html)| (spelled(url.as_ref()), html.into()))
            .collect();
        Memory::with(move |request| {
            let url = request.url.as_str().split('#').next().unwrap_or("");
            pages.get(url).map(|html| Response::html(html.clone()))
        })
    }

    /// A driver over a function from requests to responses; `None` is a 404. It makes no requests of its own, see
    /// [`HttpSettings::offline`].
    pub fn with(answer: impl FnMut(&Request) -> Option<Response> + Send + 'static) -> Memory {
        Memory::with_settings(HttpSettings::offline(), answer)
    }

    /// A driver over a function, with these settings.
    pub fn with_settings(
        settings: HttpSettings,
        answer: impl FnMut(&Request) -> Option<Response> + Send + 'static,
    ) -> Memory {
        Web::over(
            Pages(Mutex::new(Table {
                answer: Box::new(answer),
                log: Vec::new(),
            })),
            settings,
        )
    }

    /// The number of requests so far.
    pub fn requests(&self) -> usize {
        self.transport().table().log.len()
    }

    /// The requests so far, in order: `GET http://…`, and for a form `POST http://… name=value`.
    pub fn log(&self) -> Vec<String> {
        self.transport().table().log.clone()
    }
}

impl Fetch for Pages {
    fn fetch(&self, request: &Request, budget: &Budget) -> Result<Response, DriverError> {
        let mut line = format!("{} {}", request.method.as_str(), request.url);
        if let (Method::Post, Some(body)) = (request.method, &request.body) {
            line.push(' ');
            line.push_str(&String::from_utf8_lossy(&body.bytes));
        }
        let mut table = self.table();
        table.log.push(line);
        let response = (table.answer)(request).unwrap_or_else(|| Response::status(404));
        if response.body.len() > budget.bytes {
            let message = format!("{} is larger than the limit of {} bytes", request.url, budget.bytes);
            return Err(DriverError::new(FailureKind::TooLarge, message));
        }
        Ok(response)
    }
}
