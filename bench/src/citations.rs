//! A citation site of any size, for `bench/crawl.py`: nothing is stored, every page is computed from its path.
//!
//! Each page lists as many papers as the site *branches*, and each paper has a "Cited by" link to the page of its
//! citations, which is again such a page. `/` is the first page, `/cites/04` lists the citations of its paper 4,
//! `/cites/04-00` those of that page's paper 0. All numbers are written with the same length, because pages that grew
//! with them would look like growing memory. With a branching of B there are 1 + B + B² + B³ pages within three clicks
//! of the first, each with B papers: 106,080 pages and 4,985,760 papers for B = 47, about 12 KB for each page.
//!
//! The text of a paper depends only on its path, so every crawler, in whatever order it crawls, must find the same.
//! `/count` says how many pages were sent, `/often` which of them were sent more often than the others, so that a crawl that
//! asks for a page twice can be explained. The server is that of the demo; a page costs it a few microseconds, and
//! `load` measures how many it can send.

use anyhow::{Context, Result, bail};
use demo::server::{self, Answer, Request, Response, Site};
use std::collections::HashMap;
use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::net::Ipv4Addr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// The default number of papers on a page: the smallest with which three clicks lead to over 100,000 pages.
pub(crate) const BRANCHING: usize = 47;
/// No page is deeper than this: paths stay short, and a crawl that does not stop by itself ends.
const DEEPEST: usize = 16;

/// Serves the site on loopback until the process is ended; the first line of output is its address.
pub(crate) fn serve(words: &[&str]) -> Result<()> {
    let (mut port, mut branching, mut delay) = (0, BRANCHING, 0);
    for pair in words.chunks(2) {
        match pair {
            ["--port", number] => port = number.parse().context("--port takes a number")?,
            ["--branching", number] => branching = number.parse().context("--branching takes a number")?,
            ["--delay", number] => delay = number.parse().context("--delay takes milliseconds")?,
            _ => bail!("usage: wrapwright-bench citations [--port N] [--branching N] [--delay MILLISECONDS]"),
        }
    }
    let site = Citations {
        branching,
        delay: Duration::from_millis(delay),
        sent: AtomicU64::new(0),
        times: Mutex::default(),
    };
    let running = server::start((Ipv4Addr::LOCALHOST, port), site).context("cannot listen")?;
    let mut out = io::stdout().lock();
    writeln!(out, "{}", running.url())?;
    out.flush()?;
    running.wait();
    Ok(())
}

struct Citations {
    branching: usize,
    /// How long a page takes: the benefit of several jobs shows only if there is something to wait for.
    delay: Duration,
    sent: AtomicU64,
    /// How often each page within two clicks was sent: those that the bench of speed asks for.
    times: Mutex<HashMap<String, u32>>,
}

impl Citations {
    /// Notes that a page is sent.
    fn note(&self, way: &str) {
        self.sent.fetch_add(1, Ordering::Relaxed);
        if way.split('-').count() <= 2 {
            let mut times = self.times.lock().unwrap_or_else(PoisonError::into_inner);
            *times.entry(way.to_owned()).or_default() += 1;
        }
    }

    /// The pages within two clicks that were sent more often than most, a line each. The first page is left out: crawls of
    /// one page, which measure the time to start, ask for it alone.
    fn often(&self) -> String {
        let times = self.times.lock().unwrap_or_else(PoisonError::into_inner);
        let mut counts: Vec<u32> = times.values().copied().collect();
        counts.sort_unstable();
        let usual = counts.get(counts.len() / 2).copied().unwrap_or(0);
        let mut lines: Vec<String> = times
            .iter()
            .filter(|&(way, &count)| !way.is_empty() && count > usual)
            .map(|(way, count)| format!("/cites/{way}: {count} times, most pages {usual}\n"))
            .collect();
        lines.sort_unstable();
        lines.concat()
    }
}

impl Site for Citations {
    fn answer(&self, request: &Request) -> Answer {
        if request.path == "/count" {
            return Response::text(self.sent.load(Ordering::Relaxed).to_string()).into();
        }
        if request.path == "/often" {
            return Response::text(self.often()).into();
        }
        match way(&request.path, self.branching) {
            Some(way) => {
                self.note(way);
                let response = Response::html(page(way, self.branching));
                if self.delay.is_zero() {
                    response.into()
                } else {
                    Answer::Late(response, self.delay)
                }
            }
            None => Response::plain(404).into(),
        }
    }
}

/// The papers that were followed to a page, as they are written in its path: `04-00`, or empty for the first page.
fn way(path: &str, branching: usize) -> Option<&str> {
    if path == "/" {
        return Some("");
    }
    let way = path.strip_prefix("/cites/")?;
    let exists = |step: &str| step.parse::<usize>().is_ok_and(|step| step < branching);
    (way.split('-').count() <= DEEPEST && way.split('-').all(exists)).then_some(way)
}

fn page(way: &str, branching: usize) -> String {
    let mut out = String::with_capacity(1024 + 320 * branching);
    let width = branching.saturating_sub(1).to_string().len();
    let (title, join) = if way.is_empty() {
        ("Papers on the web".to_owned(), "")
    } else {
        (format!("Papers that cite {way}"), "-")
    };
    // Writing to a string cannot fail.
    let _ = write!(
        out,
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>{title}</title>\n</head>\n<body>\n\
         <header><a href=\"/\">Citations</a></header>\n<main>\n<h1>{title}</h1>\n"
    );
    let seed = way.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    for number in 0..branching {
        let mut chance = Chance(seed.wrapping_add(number as u64));
        out.push_str("<div class=\"paper\">\n<h3>");
        let words = [
            chance.pick(&MANNERS),
            chance.pick(&DEEDS),
            chance.pick(&THINGS),
            chance.pick(&PLACES),
        ];
        for (at, word) in words.iter().enumerate() {
            out.push_str(if at == 0 { "" } else { " " });
            out.push_str(word);
        }
        out.push_str("</h3>\n<p><span class=\"authors\">");
        for at in 0..1 + chance.next() % 3 {
            let initial = char::from(b'A' + (chance.next() % 26) as u8);
            let separator = if at == 0 { "" } else { ", " };
            let _ = write!(out, "{separator}{initial} {}", chance.pick(&PEOPLE));
        }
        let (venue, year) = (chance.pick(&VENUES), 1990 + chance.next() % 35);
        let _ = write!(
            out,
            "</span> - <span class=\"venue\">{venue}</span>, <span class=\"year\">{year}</span></p>\n\
             <a href=\"/cites/{way}{join}{number:0width$}\">Cited by {branching}</a>\n</div>\n"
        );
    }
    out.push_str("</main>\n<footer>All papers here are invented.</footer>\n</body>\n</html>\n");
    out
}

/// SplitMix64.
struct Chance(u64);

impl Chance {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn pick(&mut self, from: &[&'static str]) -> &'static str {
        from[(self.next() % from.len() as u64) as usize]
    }
}

const MANNERS: [&str; 8] = [
    "Scalable",
    "Robust",
    "Unsupervised",
    "Declarative",
    "Incremental",
    "Adaptive",
    "Approximate",
    "Streaming",
];
const DEEDS: [&str; 8] = [
    "extraction of",
    "induction of",
    "repair of",
    "querying of",
    "alignment of",
    "indexing of",
    "ranking of",
    "sampling of",
];
const THINGS: [&str; 12] = [
    "wrappers",
    "records",
    "templates",
    "tables",
    "page trees",
    "link graphs",
    "product lists",
    "search forms",
    "XPath queries",
    "site maps",
    "schemas",
    "citations",
];
const PLACES: [&str; 8] = [
    "on the deep web",
    "in large crawls",
    "across many sites",
    "under R&amp;D budgets",
    "from few examples",
    "in bounded memory",
    "over news archives",
    "in digital libraries",
];
const PEOPLE: [&str; 16] = [
    "Abiteboul",
    "Baumgartner",
    "Crescenzi",
    "Dalvi",
    "Embley",
    "Furche",
    "Gottlob",
    "Hsu",
    "Kushmerick",
    "Laender",
    "Liu",
    "Mecca",
    "Muslea",
    "Papadakis",
    "Sellers",
    "Zhai",
];
const VENUES: [&str; 8] = [
    "VLDB Journal",
    "Proc. WWW",
    "Proc. SIGMOD",
    "Proc. ICDE",
    "Artif. Intell.",
    "TODS",
    "Proc. PODS",
    "Inf. Syst.",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_branch_and_depend_on_their_path_alone() {
        let text = page("4-0", 3);
        assert_eq!(text, page("4-0", 3));
        assert_ne!(text, page("4-1", 3));
        assert_eq!(text.matches("class=\"paper\"").count(), 3);
        assert!(text.contains("href=\"/cites/4-0-2\""));
        assert!(page("", 3).contains("href=\"/cites/2\""));
        assert!(page("04", 47).contains("href=\"/cites/04-02\""));
        let size = page("12-3-40", BRANCHING).len();
        assert!((10_000..14_000).contains(&size), "{size} bytes");
    }

    #[test]
    fn a_page_sent_twice_is_named() {
        let site = Citations {
            branching: 3,
            delay: Duration::ZERO,
            sent: AtomicU64::new(0),
            times: Mutex::default(),
        };
        ["", "", "", "0", "1", "2", "0-1"].iter().for_each(|way| site.note(way));
        assert_eq!(site.often(), "");
        site.note("1");
        assert_eq!(site.often(), "/cites/1: 2 times, most pages 1\n");
        assert_eq!(site.sent.load(Ordering::Relaxed), 8);
    }

    #[test]
    fn only_paths_of_papers_are_pages() {
        assert_eq!(way("/", 3), Some(""));
        assert_eq!(way("/cites/2-0", 3), Some("2-0"));
        for path in ["/cites/", "/cites/3", "/cites/1-", "/cites/x", "/robots.txt", ""] {
            assert_eq!(way(path, 3), None, "{path}");
        }
    }
}
