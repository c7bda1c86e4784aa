//! The user's headers in a browser.
//!
//! Any of them may be a secret, so they go to the sites that the user named and to no other (see
//! [`login`](crate::login)). `Network.setExtraHTTPHeaders` cannot do that: it adds headers to every request of a tab, also
//! to those for advertisers and to redirects to other sites. So each request is stopped (`Fetch.requestPaused`) and goes on
//! with the headers of its own address. A redirect is stopped again, as a request of its own. This costs a message in each
//! direction for every request, so it is done only if there are headers. It works for https too, because the browser stops
//! requests before it encrypts them.
//!
//! What a page loads by itself gets the headers if the page and what it loads are both of sites that the user named: a page
//! of somebody else must not be able to send requests with the user's secrets.
//!
//! Known gaps: service workers, and frames in processes of their own, send requests that a tab does not see; they go
//! without the headers.

use super::Rules;
use serde_json::{Value, json};
use url::Url;

/// Headers that only the browser itself can set. With one of them it refuses the whole request.
const ITS_OWN: [&str; 9] = [
    "connection",
    "content-length",
    "expect",
    "host",
    "keep-alive",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
];

/// Can only the browser set this header?
pub(super) fn is_its_own(name: &str) -> bool {
    ITS_OWN.iter().any(|own| name.eq_ignore_ascii_case(own)) || name.to_ascii_lowercase().starts_with("proxy-")
}

impl Rules {
    /// The headers for a request, its own and the user's; none if they stay as they are. `page` is the document that asks,
    /// if it is not a document that is asked for.
    pub(super) fn headers(&self, request: &Value, page: Option<&Url>) -> Option<Value> {
        if !self.has_headers {
            return None;
        }
        let mut url = Url::parse(request["url"].as_str()?).ok()?;
        if !matches!(url.scheme(), "http" | "https") || page.is_some_and(|page| !self.web.is_named(page)) {
            return None;
        }
        let own = self.web.own_headers(&mut url);
        let own = own.iter().filter(|(name, _)| {
            // Each kind of file is asked for with an Accept of its own.
            let is_accept = name.eq_ignore_ascii_case("accept");
            !is_its_own(name) && (page.is_none() || !is_accept)
        });
        let own: Vec<&(String, String)> = own.collect();
        if own.is_empty() {
            return None;
        }
        let is_own = |name: &str| own.iter().any(|(own, _)| own.eq_ignore_ascii_case(name));
        let mut all: Vec<Value> = Vec::new();
        for (name, value) in request["headers"].as_object().into_iter().flatten() {
            if !is_own(name) {
                all.push(json!({ "name": name, "value": value }));
            }
        }
        all.extend(own.iter().map(|(name, value)| json!({ "name": name, "value": value })));
        Some(all.into())
    }
}
