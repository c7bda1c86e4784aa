//! robots.txt: what a site asks programs to leave alone (RFC 9309).
//!
//! [`Rules::parse`] reads a file for one product token and keeps the rules of the groups that name it, or else of those
//! for `*`; groups for the same token are one. [`Rules::verdict`] finds the longest rule that matches the path and
//! query of an address; if two rules have the same length, the one that allows wins. The crate `texting_robots`
//! compiles rules to regular expressions and drops the text, so it cannot say which rule refused a page; the RFC is
//! small enough to implement here.
//!
//! Paths and rules are compared as octets after one normalisation: escapes of unreserved characters are undone, other
//! escapes are in upper case, and other characters than ASCII are escaped. A rule is a list of pieces between `*`s.
//! Each piece is searched after the one before, at its first place, so matching one rule takes time linear in the
//! address, without backtracking. Only the first 500 KiB of a file count, the minimum of the RFC, and the first 16 KiB
//! of an address.
//!
//! [`Robots`] keeps the rules of each origin for the whole run, up to a limit; beyond it all rules are dropped and
//! fetched again. A failed fetch is tried again after a minute. Threads that need the same file wait for the thread
//! that fetches it, whose deadline limits the wait. By the RFC, a missing file (4xx, or after more than five redirects)
//! allows everything, and a server that fails (5xx) or cannot be reached allows nothing. That also holds for loopback:
//! a machine that does not answer for robots.txt does not answer for its pages either.
//!
//! Beyond the RFC: `Crawl-delay`, which many files contain, is respected up to one minute.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use url::{Origin, Url};

/// The most bytes of a file that count.
pub(crate) const MOST_BYTES: usize = 500 << 10;
/// The most redirects that are followed for a file.
pub(crate) const MOST_REDIRECTS: usize = 5;
/// The longest delay that a file can ask for.
const MOST_DELAY: Duration = Duration::from_secs(60);
/// The most bytes of an address that are compared.
const MOST_PATH: usize = 16 << 10;
/// The most origins that are remembered, and the most rules of all of them together, without the last one.
const MOST_ORIGINS: usize = 1000;
const MOST_RULES: usize = 100_000;
/// A failed fetch is tried again after this time.
const TRY_AGAIN: Duration = Duration::from_secs(60);

/// The rules of a file for one program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Rules {
    rules: Vec<Rule>,
    /// How long to wait between requests.
    pub(crate) delay: Option<Duration>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Rule {
    allow: bool,
    /// As written, for messages.
    written: String,
    /// The pieces between the stars.
    pieces: Vec<Vec<u8>>,
    /// Must the last piece be at the end?
    anchored: bool,
    /// Octets of the pattern: the longest rule wins.
    length: usize,
}

impl Rules {
    /// Reads a file for the program with this product token.
    pub(crate) fn parse(file: &[u8], token: &str) -> Rules {
        let file = match file.len() {
            // A line that is cut would be a different rule.
            MOST_BYTES.. => {
                let file = &file[..MOST_BYTES];
                &file[..memchr::memrchr2(b'\n', b'\r', file).unwrap_or(0)]
            }
            _ => file,
        };
        let file = file.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(file);
        let (mut ours, mut everyones) = (None::<Rules>, Rules::default());
        // Is the present group for us, and has it rules yet? After a rule, another name starts a new group.
        let (mut for_us, mut for_all, mut begun) = (false, false, false);
        for line in file.split(|b| matches!(b, b'\n' | b'\r')) {
            let line = line.split(|b| *b == b'#').next().unwrap_or(line);
            let Some(colon) = memchr::memchr(b':', line) else {
                continue;
            };
            let key = line[..colon].trim_ascii();
            let value = line[colon + 1..].trim_ascii();
            if key.eq_ignore_ascii_case(b"user-agent") || key.eq_ignore_ascii_case(b"useragent") {
                if begun {
                    (for_us, for_all, begun) = (false, false, false);
                }
                if value == b"*" {
                    for_all = true;
                } else if product(value).eq_ignore_ascii_case(token.as_bytes()) {
                    for_us = true;
                    ours.get_or_insert_default();
                }
                continue;
            }
            let allow = key.eq_ignore_ascii_case(b"allow");
            let rule = (allow || key.eq_ignore_ascii_case(b"disallow")).then(|| Rule::new(allow, value));
            let delay = key
                .eq_ignore_ascii_case(b"crawl-delay")
                .then(|| seconds(value))
                .flatten();
            // Other lines, such as sitemaps, neither belong to a group nor end one.
            begun |= rule.is_some() || delay.is_some();
            let mut groups = [for_us.then(|| ours.get_or_insert_default()), None];
            groups[1] = for_all.then_some(&mut everyones);
            for group in groups.into_iter().flatten() {
                group.rules.extend(rule.clone().flatten());
                group.delay = delay.or(group.delay);
            }
        }
        ours.unwrap_or(everyones)
    }

    /// The rule that forbids an address, as written in the file; none if the address is allowed.
    pub(crate) fn verdict(&self, url: &Url) -> Option<String> {
        if url.path() == "/robots.txt" {
            return None;
        }
        let mut path = normal(url.path().as_bytes());
        if let Some(query) = url.query() {
            path.push(b'?');
            path.extend(normal(query.as_bytes()));
        }
        path.truncate(MOST_PATH);
        let matching = self.rules.iter().filter(|rule| rule.matches(&path));
        let decisive = matching.max_by_key(|rule| (rule.length, rule.allow))?;
        (!decisive.allow).then(|| format!("Disallow: {}", decisive.written))
    }
}

impl Rule {
    /// A rule; none if it is empty, because then it has no effect.
    fn new(allow: bool, pattern: &[u8]) -> Option<Rule> {
        if pattern.is_empty() {
            return None;
        }
        let written = String::from_utf8_lossy(pattern).chars().take(100).collect();
        let anchored = pattern.ends_with(b"$");
        let open = pattern.strip_suffix(b"$").unwrap_or(pattern);
        let pieces: Vec<Vec<u8>> = open.split(|b| *b == b'*').map(normal).collect();
        let length = pieces.iter().map(Vec::len).sum::<usize>() + pieces.len() - 1 + usize::from(anchored);
        Some(Rule {
            allow,
            written,
            pieces,
            anchored,
            length,
        })
    }

    fn matches(&self, path: &[u8]) -> bool {
        let Some((first, rest)) = self.pieces.split_first() else {
            return false;
        };
        let Some(mut left) = path.strip_prefix(first.as_slice()) else {
            return false;
        };
        let Some((last, middle)) = rest.split_last() else {
            return !self.anchored || left.is_empty();
        };
        for piece in middle {
            match memchr::memmem::find(left, piece) {
                Some(at) => left = &left[at + piece.len()..],
                None => return false,
            }
        }
        if self.anchored {
            left.ends_with(last)
        } else {
            memchr::memmem::find(left, last).is_some()
        }
    }
}

/// The product token that a line or a user agent begins with.
pub(crate) fn product(text: &[u8]) -> &[u8] {
    let end = text
        .iter()
        .position(|b| !(b.is_ascii_alphabetic() || matches!(b, b'-' | b'_')));
    &text[..end.unwrap_or(text.len())]
}

fn seconds(value: &[u8]) -> Option<Duration> {
    let seconds: f64 = std::str::from_utf8(value).ok()?.parse().ok()?;
    (seconds.is_finite() && seconds >= 0.0).then(|| Duration::from_secs_f64(seconds.min(MOST_DELAY.as_secs_f64())))
}

/// Normalises octets, so that equal paths are written the same (RFC 9309 2.2.2).
fn normal(text: &[u8]) -> Vec<u8> {
    let hex = |b: u8| char::from(b).to_digit(16);
    let mut out = Vec::with_capacity(text.len());
    let escape = |octet: u8, out: &mut Vec<u8>| out.extend(format!("%{octet:02X}").into_bytes());
    let mut i = 0;
    while i < text.len() {
        let b = text[i];
        let escaped = match text[i..] {
            [b'%', high, low, ..] => hex(high).zip(hex(low)).map(|(high, low)| (high * 16 + low) as u8),
            _ => None,
        };
        match escaped {
            Some(octet) => {
                if octet.is_ascii_alphanumeric() || matches!(octet, b'-' | b'.' | b'_' | b'~') {
                    out.push(octet);
                } else {
                    escape(octet, &mut out);
                }
                i += 3;
            }
            None => {
                if b.is_ascii_graphic() {
                    out.push(b);
                } else {
                    escape(b, &mut out);
                }
                i += 1;
            }
        }
    }
    out
}

/// The robots.txt of an origin.
#[derive(Clone, Debug)]
pub(crate) enum Said<E> {
    /// Its rules; there may be none.
    Rules(Arc<Rules>),
    /// The server answered with this error status, so no page may be requested.
    Failed(u16),
    /// It could not be reached.
    Unreached(E),
}

type Slot<E> = Arc<Mutex<Option<(Said<E>, Instant)>>>;

/// The robots.txt of all origins so far.
pub(crate) struct Robots<E> {
    slots: Mutex<BTreeMap<String, Slot<E>>>,
    /// The number of rules in all slots.
    rules: AtomicUsize,
}

impl<E> Default for Robots<E> {
    fn default() -> Robots<E> {
        Robots {
            slots: Mutex::default(),
            rules: AtomicUsize::new(0),
        }
    }
}

impl<E: Clone> Robots<E> {
    /// The robots.txt of an origin, by `fetch` if it is not known. Errors to `forget` are about the request and not
    /// about the origin.
    pub(crate) fn of(&self, origin: &Origin, forget: impl Fn(&E) -> bool, fetch: impl FnOnce() -> Said<E>) -> Said<E> {
        let origin = origin.ascii_serialization();
        let slot = {
            let mut slots = self.slots.lock().unwrap_or_else(PoisonError::into_inner);
            let full = slots.len() >= MOST_ORIGINS || self.rules.load(Ordering::Relaxed) > MOST_RULES;
            if full && !slots.contains_key(&origin) {
                slots.clear();
                self.rules.store(0, Ordering::Relaxed);
            }
            Arc::clone(slots.entry(origin).or_default())
        };
        let mut slot = slot.lock().unwrap_or_else(PoisonError::into_inner);
        match &*slot {
            Some((said, since)) if matches!(said, Said::Rules(_)) || since.elapsed() < TRY_AGAIN => said.clone(),
            _ => {
                let said = fetch();
                if let Said::Rules(rules) = &said {
                    self.rules.fetch_add(rules.rules.len(), Ordering::Relaxed);
                }
                if !matches!(&said, Said::Unreached(error) if forget(error)) {
                    *slot = Some((said.clone(), Instant::now()));
                }
                said
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(file: &str, rows: &[(&str, Option<&str>)]) {
        let rules = Rules::parse(file.as_bytes(), "wrapwright");
        for (path, expected) in rows {
            let url = Url::parse(&format!("http://a.test{path}")).unwrap();
            let expected = expected.map(|rule| format!("Disallow: {rule}"));
            assert_eq!(rules.verdict(&url), expected, "{path} by {file:?}");
        }
    }

    #[test]
    fn groups() {
        check("", &[("/", None)]);
        check("User-agent: *\nDisallow:", &[("/", None)]);
        check("User-agent: *\nDisallow: /", &[("/", Some("/")), ("/robots.txt", None)]);
        check("Disallow: /", &[("/", None)]);
        let file = "User-agent: *\nDisallow: /\n\nUser-Agent: WrapWright/1.0\nUser-agent: other\nDisallow: /a # no\n\
                    sitemap: http://x/\nuser-agent: third\ndisallow: /c\n\nuser-agent: wrapwright\ndisallow: /b";
        check(
            file,
            &[("/", None), ("/a", Some("/a")), ("/b/x", Some("/b")), ("/c", None)],
        );
        check(
            "User-agent: wrapwright\n\nUser-agent: *\nDisallow: /",
            &[("/", Some("/"))],
        );
        check("User-agent: wrapwrightbot\nDisallow: /", &[("/", None)]);
        check("\u{feff}User-agent: *\rDisallow: /x\r\n", &[("/x", Some("/x"))]);
        let delay = |file: &str| Rules::parse(file.as_bytes(), "wrapwright").delay;
        assert_eq!(
            delay("User-agent: *\nCrawl-delay: 2.5"),
            Some(Duration::from_millis(2500))
        );
        assert_eq!(delay("User-agent: *\nCrawl-delay: 86400"), Some(MOST_DELAY));
        for nonsense in ["", "-1", "x", "NaN", "inf", "1e999"] {
            assert_eq!(
                delay(&format!("User-agent: *\nCrawl-delay: {nonsense}")),
                None,
                "{nonsense}"
            );
        }
        assert_eq!(delay("User-agent: other\nCrawl-delay: 2"), None);
    }

    #[test]
    fn patterns() {
        type Row<'r> = (&'r str, &'r [&'r str], &'r [&'r str]);
        let rows: &[Row] = &[
            (
                "/fish",
                &["/fish", "/fish.html", "/fish/a", "/fishheads"],
                &["/Fish", "/catfish", "/"],
            ),
            ("/fish*", &["/fish", "/fishheads"], &["/catfish"]),
            ("/fish/", &["/fish/", "/fish/a?b"], &["/fish", "/fish.html"]),
            (
                "/*.php",
                &["/a.php", "/a/b.php?c", "/x/y.php/z", "/?a.php"],
                &["/a.PHP", "/php"],
            ),
            (
                "/*.php$",
                &["/a.php", "/a.php/b.php"],
                &["/a.php?x", "/a.php/", "/a.php5"],
            ),
            ("/fish*.php", &["/fish.php", "/fishheads/catfish.php?x"], &["/Fish.php"]),
            ("/$", &["/"], &["/a", "/?a"]),
            ("*", &["/", "/a"], &[]),
            ("*?", &["/?a", "/b?"], &["/a"]),
            ("/a$b", &["/a$b"], &["/a"]),
            ("/a*b*c$", &["/abc", "/a-b-b-c", "/abcc"], &["/acb", "/abcd", "/ab"]),
            ("/ab*ab$", &["/abab", "/ab-ab"], &["/ab"]),
            ("/%7Ejoe/", &["/~joe/x", "/%7ejoe/"], &["/joe/"]),
            ("/ä", &["/%C3%A4", "/%c3%a4"], &["/a"]),
            ("/a%3cd", &["/a%3Cd", "/a%3cd"], &["/a<"]),
            ("/a%2Fb", &["/a%2fb"], &["/a/b"]),
        ];
        for (pattern, forbidden, allowed) in rows {
            let file = format!("User-agent: *\nDisallow: {pattern}");
            let forbidden: Vec<_> = forbidden.iter().map(|path| (*path, Some(*pattern))).collect();
            check(&file, &forbidden);
            check(&file, &allowed.iter().map(|path| (*path, None)).collect::<Vec<_>>());
        }
    }

    #[test]
    fn the_longest_rule_wins() {
        let check_rules = |rules: &str, rows: &[_]| check(&format!("User-agent: *\n{rules}"), rows);
        check_rules("Allow: /p\nDisallow: /", &[("/page", None), ("/x", Some("/"))]);
        check_rules("Allow: /folder\nDisallow: /folder", &[("/folder/page", None)]);
        check_rules("Allow: /page\nDisallow: /*.htm", &[("/page.htm", Some("/*.htm"))]);
        check_rules("Allow: /$\nDisallow: /", &[("/", None), ("/page", Some("/"))]);
        check_rules(
            "Disallow: /a\nDisallow: /a/b\nAllow: /a/b/c",
            &[("/a/b", Some("/a/b")), ("/a/b/c", None)],
        );
    }

    #[test]
    fn hostile_files_cost_little() {
        let start = Instant::now();
        let mut file = b"User-agent: *\n".to_vec();
        let line = format!("Disallow: /{}b$\n", "*a".repeat(500));
        while file.len() < 4 << 20 {
            file.extend(line.as_bytes());
        }
        let rules = Rules::parse(&file, "wrapwright");
        assert!(rules.rules.len() <= MOST_BYTES / line.len() + 1, "the rest is not read");
        let url = Url::parse(&format!("http://a.test/{}", "a".repeat(1 << 20))).unwrap();
        assert_eq!(rules.verdict(&url), None);
        let many = format!("User-agent: *\n{}", "Disallow: *a*a*a*z\n".repeat(30_000));
        assert_eq!(Rules::parse(many.as_bytes(), "wrapwright").verdict(&url), None);
        let garbage: Vec<u8> = (0..MOST_BYTES).map(|n| (n * n / 7 + n) as u8).collect();
        Rules::parse(&garbage, "wrapwright").verdict(&url);
        Rules::parse(&vec![b'\n'; MOST_BYTES], "wrapwright");
        Rules::parse(&vec![b':'; MOST_BYTES], "wrapwright");
        assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
    }

    #[test]
    fn an_origin_is_asked_once() {
        let robots = Robots::<()>::default();
        let origin = |host: &str| Url::parse(&format!("http://{host}/")).unwrap().origin();
        let asked = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    robots.of(
                        &origin("a.test"),
                        |()| false,
                        || {
                            asked.fetch_add(1, Ordering::SeqCst);
                            std::thread::yield_now();
                            Said::Rules(Arc::default())
                        },
                    )
                });
            }
        });
        assert_eq!(asked.into_inner(), 1);
        for n in 0..3 * MOST_ORIGINS {
            robots.of(&origin(&format!("h{n}.test")), |()| false, || Said::Failed(500));
        }
        assert!(robots.slots.lock().unwrap().len() <= MOST_ORIGINS);
        let file = format!("User-agent: *\n{}", "Disallow: /a\n".repeat(30_000));
        let long = Arc::new(Rules::parse(file.as_bytes(), "x"));
        for n in 0..20 {
            let said = || Said::Rules(Arc::clone(&long));
            robots.of(&origin(&format!("l{n}.test")), |()| false, said);
        }
        assert!(robots.slots.lock().unwrap().len() <= 5, "few of those with many rules");
    }
}
