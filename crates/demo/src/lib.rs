//! A small web to practise on, and the server that serves it.
//!
//! [`Demo`] is a [`server::Site`] of several: a web shop ([`shop`]), look-alikes of the four sites that the OXPath
//! paper uses as examples ([`books`], [`scholar`], [`flights`], [`stocks`]), a corner where nothing works without
//! scripts ([`script`]), and broken pages. Everything except the corner works without scripts.
//!
//! It answers only requests for this machine, by any of its names: a site on the web whose name suddenly means 127.0.0.1
//! (DNS rebinding) must not read what runs here through its visitors' browsers, not even a demo.
//!
//! The content is invented and generated from fixed seeds: no clock, no files, the same in every run. To test a
//! wrapper, compare its records with what the modules return, such as [`books::matching`].
//!
//! ```
//! let running = demo::server::start("127.0.0.1:0", demo::Demo)?;
//! println!("{}", running.url());
//! # Ok::<(), std::io::Error>(())
//! ```

pub mod books;
mod chance;
pub mod flights;
mod html;
mod people;
pub mod scholar;
pub mod script;
pub mod server;
pub mod shop;
pub mod stocks;
mod trouble;

use html::{missing, page};
use server::{Answer, Request, Response, Site};
use std::net::Ipv4Addr;

/// The demo.
#[derive(Clone, Copy, Debug, Default)]
pub struct Demo;

/// The demo after the shop was redesigned: see [`shop::redesign`].
#[derive(Clone, Copy, Debug, Default)]
pub struct Redesigned;

impl Site for Redesigned {
    fn answer(&self, request: &Request) -> Answer {
        let answer = Demo.answer(request);
        let is_found = matches!(&answer, Answer::Whole(response) if response.status == 200);
        let rest = request.path.strip_prefix("/shop/").filter(|_| is_found);
        match rest.and_then(|rest| shop::redesign::answer(request, rest)) {
            Some(response) => response.into(),
            None => answer,
        }
    }
}

impl Site for Demo {
    fn answer(&self, request: &Request) -> Answer {
        if !request
            .headers
            .iter()
            .all(|(name, host)| name != "host" || is_local(host))
        {
            return Response::plain(421).into();
        }
        let path = request.path.as_str();
        let posts = matches!(path, "/shop/login" | "/script/desk/login");
        if !(request.is_read() || posts && request.method == "POST") {
            return Response::not_allowed(if posts { "GET, HEAD, POST" } else { "GET, HEAD" }).into();
        }
        let (first, rest) = match path.strip_prefix('/').and_then(|path| path.split_once('/')) {
            Some((first, rest)) => (first, Some(rest)),
            None => (path.trim_start_matches('/'), None),
        };
        match (first, rest) {
            ("", None) => page("front", "Wrapwright demo", FRONT).into(),
            ("shop", Some(rest)) => shop::answer(request, rest).into(),
            ("books", Some(rest)) => books::answer(request, rest).into(),
            ("scholar", Some(rest)) => scholar::answer(request, rest).into(),
            ("flights", Some(rest)) => flights::answer(request, rest).into(),
            ("stocks", Some(rest)) => stocks::answer(request, rest).into(),
            ("script", Some(rest)) => script::answer(request, rest).into(),
            ("broken", Some(rest)) => trouble::broken(rest),
            ("slow", None) => trouble::slow(request),
            ("private", Some("")) => page("front", "Private", PRIVATE).into(),
            ("shop" | "books" | "scholar" | "flights" | "stocks" | "script" | "broken" | "private", None) => {
                Response::see_other(&format!("/{first}/")).with_status(301).into()
            }
            (file, None) => asset(file).unwrap_or_else(|| missing("front")).into(),
            _ => missing("front").into(),
        }
    }
}

/// Is this the name of the machine that it runs on, as browsers write it, with a port or without one? Programs that send no
/// name are no browsers, and are answered.
fn is_local(host: &str) -> bool {
    let (name, port) = match host.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        Some((address, port)) => return port_or_none(port) && address == "::1",
        None => host.split_at(host.find(':').unwrap_or(host.len())),
    };
    let name = name.to_ascii_lowercase();
    let name = name.strip_suffix('.').unwrap_or(&name);
    let is_address = name.parse().is_ok_and(|address: Ipv4Addr| address.is_loopback());
    port_or_none(port) && (is_address || name == "localhost" || name.ends_with(".localhost"))
}

/// Is this nothing, or a colon and a number?
fn port_or_none(text: &str) -> bool {
    text.is_empty() || text.strip_prefix(':').is_some_and(|port| port.parse::<u16>().is_ok())
}

fn asset(file: &str) -> Option<Response> {
    let (media, text) = match file {
        "style.css" => ("text/css; charset=utf-8", include_str!("../assets/style.css")),
        "corner.js" => ("text/javascript; charset=utf-8", include_str!("../assets/corner.js")),
        "icon.svg" => ("image/svg+xml", include_str!("../assets/icon.svg")),
        "go.svg" => ("image/svg+xml", include_str!("../assets/go.svg")),
        "up.svg" => ("image/svg+xml", include_str!("../assets/up.svg")),
        "down.svg" => ("image/svg+xml", include_str!("../assets/down.svg")),
        "robots.txt" => ("text/plain; charset=utf-8", "User-agent: *\nDisallow: /private/\n"),
        _ => return None,
    };
    Some(Response::new(200, media, text))
}

const FRONT: &str = "\
<h1>A small web to practise on</h1>
<p class=\"lead\">These sites are here to be read by wrappers. Nothing on them is real, and nothing on them changes.</p>
<div class=\"grid sites\">
<section class=\"card\"><h2><a href=\"/shop/\">Lantern Row</a></h2><p>A shop: search form, pages of results, details,
reviews, and <a href=\"/shop/login\">prices behind a login</a>.</p><code>examples/shop.oxp</code>
<code>examples/login.oxp</code></section>
<section class=\"card\"><h2><a href=\"/books/\">Riverbend Books</a></h2><p>Books by city, refined by subject, with a
publisher on each title's page.</p><code>examples/seattle-books.oxp</code></section>
<section class=\"card\"><h2><a href=\"/scholar/\">Citeseek</a></h2><p>Papers on several pages of results, and the papers
that cite them.</p><code>examples/citations.oxp</code></section>
<section class=\"card\"><h2><a href=\"/flights/\">Kestrel Fares</a></h2><p>Flights in a table, filtered by their number of
stops.</p><code>examples/flights.oxp</code></section>
<section class=\"card\"><h2><a href=\"/stocks/\">Tickerboard</a></h2><p>The members of an index, each with a page of its
own.</p><code>examples/stocks.oxp</code></section>
<section class=\"card\"><h2><a href=\"/script/\">Script corner</a></h2><p>Lists, tabs and menus that only a browser can
show.</p></section>
<section class=\"card\"><h2><a href=\"/broken/\">Broken pages</a></h2><p>Errors, resets, lies, a
<a href=\"/slow?seconds=2\">slow page</a>, and a page that <a href=\"/robots.txt\">robots.txt</a> forbids.</p></section>
</div>
";

const PRIVATE: &str = "\
<h1>Private</h1>
<p>People may read this page. Robots may not: <a href=\"/robots.txt\">robots.txt</a> says so.</p>
";
