//! Cookies: a store of bounded size, and its file, so that a login survives a run.
//!
//! A server can set any number of cookies, on each of a million pages. So, as in browsers, a cookie longer than 4 KiB
//! is refused, and so is a new cookie if 180 would be sent with the request already or if there are 3,000 in total;
//! existing ones can still change.
//!
//! A cookie for all of `co.uk` or `github.io` would be sent to sites of other people. So a domain on the list of public
//! suffixes is refused, unless it is the server's own name: then the cookie is for that host alone (RFC 6265, 5.3, step 5).
//! The list is compiled in, so it is as old as the program; a suffix that it does not know counts as public if it has one
//! part, such as `test`. A server that is an address has no domain.
//!
//! The file format is Netscape's `cookies.txt`, which curl, wget and browser exports share: one cookie per line, seven
//! fields separated by tabs (domain, subdomains too?, path, https only?, the second it expires or 0, name, value), and
//! `#HttpOnly_` before the domain of cookies that scripts cannot read. A cookie without an expiry date lasts as long as
//! the session; it is written with 0 and read back, because most logins are kept that way.
//!
//! Lines that are not cookies are skipped when reading, as other programs do. A file with only such lines is refused,
//! because it is something else and would be overwritten; a value that would break a line is never written. The file is
//! written under another name and renamed, and only its owner can read it, because it contains logins. Attributes that
//! the format lacks, such as `SameSite`, are lost.

use cookie_store::{CookieDomain, CookieExpiration, CookieStore, RawCookie};
use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use url::{Host, Url};

/// The longest cookie, name and value.
const MOST_BYTES: usize = 4096;
/// The most cookies sent with one request.
const MOST_AT_ONCE: usize = 180;
/// The most bytes of a file: 3,000 cookies of the greatest length.
const LONGEST: u64 = 16 << 20;
/// The most cookies in the store.
const MOST: usize = 3000;

/// The cookies of all sites.
#[derive(Default)]
pub(crate) struct Jar {
    store: CookieStore,
    /// An upper bound on the number of cookies: those at the last count, and those added since.
    taken: usize,
}

impl Jar {
    /// The cookies to send with a request, as `name=value`.
    pub(crate) fn of(&self, url: &Url) -> Vec<String> {
        let values = self.store.get_request_values(url);
        let mut cookies: Vec<String> = values.map(|(name, value)| format!("{name}={value}")).collect();
        // The store returns them in hash order; requests should be the same in every run.
        cookies.sort_unstable();
        cookies
    }

    /// Stores the cookies that a server sets, if the rules allow it. A refused cookie does not make the page fail.
    pub(crate) fn take(&mut self, header: &str, url: &Url) {
        let pair = header.split(';').next().unwrap_or("");
        let name = pair.split('=').next().unwrap_or("").trim();
        if pair.len() > MOST_BYTES {
            return;
        }
        if self.taken >= MOST {
            self.taken = self.store.iter_unexpired().count();
        }
        let (mut sent, mut known) = (0, false);
        for (other, _) in self.store.get_request_values(url) {
            sent += 1;
            known |= other == name;
        }
        if !known && (self.taken >= MOST || sent >= MOST_AT_ONCE) {
            return;
        }
        if insert(&mut self.store, header, url).is_some() {
            self.taken += 1;
        }
    }

    /// All cookies, in the format of the file.
    pub(crate) fn write(&self) -> String {
        write(&self.store)
    }

    /// Adds the cookies of a file, and returns their number.
    pub(crate) fn read(&mut self, text: &str, now: SystemTime) -> usize {
        let count = read(text, &mut self.store, now);
        self.taken += count;
        count
    }

    /// All cookies that have not expired, in order.
    #[cfg(feature = "chromium")]
    pub(crate) fn all(&self) -> Vec<Cookie> {
        all(&self.store)
    }

    /// Replaces all cookies.
    #[cfg(feature = "chromium")]
    pub(crate) fn replace(&mut self, cookies: &[Cookie], now: SystemTime) {
        *self = Jar::default();
        self.taken = cookies
            .iter()
            .filter(|cookie| cookie.put(&mut self.store, now).is_some())
            .count();
    }
}

/// A cookie, as a file or a browser has it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Cookie {
    /// Without a dot in front.
    pub(crate) host: String,
    /// Is it for hosts below this one, too?
    pub(crate) below: bool,
    pub(crate) path: String,
    pub(crate) name: String,
    pub(crate) value: String,
    pub(crate) secure: bool,
    pub(crate) http_only: bool,
    /// The second it expires; none if it lasts as long as the session.
    pub(crate) expires: Option<u64>,
}

impl Cookie {
    /// A line of the file; none if the cookie would break it.
    fn line(&self) -> Option<String> {
        let breaks = |text: &str| text.contains(['\t', '\n', '\r']);
        if [&self.host, &self.path, &self.name, &self.value]
            .into_iter()
            .any(|text| breaks(text))
        {
            return None;
        }
        let word = |is: bool| if is { "TRUE" } else { "FALSE" };
        let http_only = if self.http_only { "#HttpOnly_" } else { "" };
        let dot = if self.below { "." } else { "" };
        Some(format!(
            "{http_only}{dot}{}\t{}\t{}\t{}\t{}\t{}\t{}",
            self.host,
            word(self.below),
            self.path,
            word(self.secure),
            // 0 means that it does not expire.
            self.expires.map_or(0, |at| at.max(1)),
            self.name,
            self.value
        ))
    }

    fn parse(line: &str) -> Option<Cookie> {
        let (line, http_only) = match line.strip_prefix("#HttpOnly_") {
            Some(line) => (line, true),
            None if line.starts_with('#') => return None,
            None => (line, false),
        };
        let fields: Vec<&str> = line.split('\t').collect();
        let (domain, below, path, secure, expires, name, value) = match fields[..] {
            [domain, below, path, secure, expires, name, value] => (domain, below, path, secure, expires, name, value),
            // Some programs leave out an empty value and the tab before it.
            [domain, below, path, secure, expires, name] => (domain, below, path, secure, expires, name, ""),
            _ => return None,
        };
        // Browser exports may have fractions.
        let expires: f64 = expires.trim().parse().ok()?;
        Some(Cookie {
            host: domain.trim_start_matches('.').to_owned(),
            below: below.eq_ignore_ascii_case("true"),
            path: path.to_owned(),
            name: name.to_owned(),
            value: value.to_owned(),
            secure: secure.eq_ignore_ascii_case("true"),
            http_only,
            expires: match expires > 0.0 {
                true => Some(Duration::try_from_secs_f64(expires).ok()?.as_secs()),
                false => None,
            },
        })
    }

    /// An address that it is sent to, but for its path.
    pub(crate) fn address(&self) -> Option<Url> {
        let scheme = if self.secure { "https" } else { "http" };
        match self.host.contains(':') {
            true => Url::parse(&format!("{scheme}://[{}]/", self.host)).ok(),
            false => Url::parse(&format!("{scheme}://{}/", self.host)).ok(),
        }
    }

    /// Puts it into a store, if it has not expired and the rules allow it.
    fn put(&self, store: &mut CookieStore, now: SystemTime) -> Option<()> {
        let broken = |text: &String| text.contains([';', '\0']);
        if self.host.is_empty() || self.name.is_empty() || [&self.path, &self.name, &self.value].into_iter().any(broken)
        {
            return None;
        }
        let mut header = format!("{}={}; Path={}", self.name, self.value, self.path);
        if self.below {
            let _ = write!(header, "; Domain={}", self.host);
        }
        if let Some(expires) = self.expires {
            let left = Duration::from_secs(expires).checked_sub(now.duration_since(UNIX_EPOCH).ok()?)?;
            let _ = write!(header, "; Max-Age={}", left.as_secs().max(1));
        }
        if self.secure {
            header += "; Secure";
        }
        if self.http_only {
            header += "; HttpOnly";
        }
        insert(store, &header, &self.address()?)
    }
}

/// All cookies of a store that have not expired.
fn all(store: &CookieStore) -> Vec<Cookie> {
    let cookies = store.iter_unexpired().filter_map(|cookie| {
        let (host, below) = match &cookie.domain {
            CookieDomain::HostOnly(host) => (host.clone(), false),
            CookieDomain::Suffix(domain) => (domain.clone(), true),
            CookieDomain::NotPresent | CookieDomain::Empty => return None,
        };
        let (name, value) = cookie.name_value();
        Some(Cookie {
            host,
            below,
            path: String::from(&*cookie.path),
            name: name.to_owned(),
            value: value.to_owned(),
            secure: cookie.secure() == Some(true),
            http_only: cookie.http_only() == Some(true),
            expires: match &cookie.expires {
                CookieExpiration::AtUtc(time) => Some(u64::try_from(time.unix_timestamp()).unwrap_or(0)),
                CookieExpiration::SessionEnd => None,
            },
        })
    });
    let mut cookies: Vec<Cookie> = cookies.collect();
    // The store is in hash order.
    cookies.sort_unstable();
    cookies
}

/// Stores a cookie, unless it would be for sites of others.
fn insert(store: &mut CookieStore, header: &str, url: &Url) -> Option<()> {
    let mut cookie = RawCookie::parse(header.to_owned()).ok()?;
    if let Some(domain) = cookie.domain().map(str::to_owned) {
        let domain = Host::parse(domain.trim_matches('.')).ok()?.to_string();
        let own = url.host()?.to_string();
        let is_name = matches!(url.host(), Some(Host::Domain(_)));
        if !is_name || is_public_suffix(&domain) {
            if own.trim_end_matches('.') != domain {
                return None;
            }
            cookie.unset_domain();
        }
    }
    store.insert_raw(&cookie, url).ok().map(|_| ())
}

/// Do people who have nothing to do with each other have names below this one?
fn is_public_suffix(domain: &str) -> bool {
    psl::suffix_str(domain) == Some(domain)
}

/// All cookies of a store that have not expired, in the format of `cookies.txt`.
fn write(store: &CookieStore) -> String {
    let mut lines: Vec<String> = all(store).iter().filter_map(Cookie::line).collect();
    lines.sort_unstable();
    let mut text =
        "# Netscape HTTP Cookie File\n# Written by wrapwright; whoever has this file has these logins.\n\n".to_owned();
    for line in lines {
        text += &line;
        text.push('\n');
    }
    text
}

/// The bytes of a file of cookies.
///
/// # Errors
///
/// It cannot be read, or is larger than the files of all cookies that a browser keeps.
pub(crate) fn open(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(LONGEST + 1).read_to_end(&mut bytes)?;
    match bytes.len() as u64 > LONGEST {
        true => {
            let text = format!("found more than {LONGEST} bytes, which is too large to be read");
            Err(io::Error::new(io::ErrorKind::FileTooLarge, text))
        }
        false => Ok(bytes),
    }
}

/// Is this text not a file of cookies? True if it has content but no cookie.
pub(crate) fn is_something_else(text: &str) -> bool {
    let is_cookie = |line: &str| {
        let line = line.strip_prefix("#HttpOnly_").unwrap_or(line);
        !line.starts_with('#') && matches!(line.split('\t').count(), 6 | 7)
    };
    let is_rest = |line: &str| line.trim().is_empty() || line.starts_with('#');
    !text.lines().any(is_cookie) && !text.lines().all(is_rest)
}

/// Puts the cookies of a file into a store, and returns their number.
fn read(text: &str, store: &mut CookieStore, now: SystemTime) -> usize {
    let cookies = text.lines().filter_map(Cookie::parse);
    cookies.filter_map(|cookie| cookie.put(store, now)).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sent(store: &CookieStore, url: &str) -> Vec<String> {
        let url = Url::parse(url).unwrap();
        let mut sent: Vec<String> = store
            .get_request_values(&url)
            .map(|(name, value)| format!("{name}={value}"))
            .collect();
        sent.sort();
        sent
    }

    #[test]
    fn what_is_written_is_read() {
        let mut store = CookieStore::default();
        let url = Url::parse("https://www.a.test/dir/page").unwrap();
        let headers = [
            "session=1; HttpOnly",
            "kept=2; Max-Age=5000; Path=/",
            "wide=3; Domain=a.test; Path=/",
            "safe=4; Secure; Path=/",
            "empty=; Path=/",
            "gone=5; Max-Age=0",
            "quoted=\"6 7\"; Path=/",
        ];
        for header in headers {
            // The one that is gone is refused.
            let _ = store.parse(header, &url);
        }
        let text = write(&store);
        let mut again = CookieStore::default();
        assert_eq!(read(&text, &mut again, SystemTime::now()), 6, "{text}");
        assert!(
            text.contains("#HttpOnly_www.a.test\tFALSE\t/dir\tFALSE\t0\tsession\t1\n"),
            "{text}"
        );
        assert!(text.contains("\n.a.test\tTRUE\t/\tFALSE\t0\twide\t3\n"), "{text}");
        let places = [
            "https://www.a.test/dir/x",
            "http://www.a.test/dir/x",
            "http://www.a.test/",
            "http://a.test/",
            "http://b.test/",
        ];
        for place in places {
            assert_eq!(sent(&again, place), sent(&store, place), "{place}");
        }
        assert_eq!(write(&again).lines().count(), text.lines().count());
    }

    #[test]
    fn no_cookie_is_for_a_public_suffix() {
        // The server, the domain that it names, and where the cookie is sent then.
        let rows: [(&str, &str, &[&str]); 14] = [
            ("shop.co.uk", "co.uk", &[]),
            ("shop.co.uk", ".co.uk", &[]),
            ("shop.co.uk", "CO.UK", &[]),
            ("shop.co.uk", "uk", &[]),
            (
                "www.shop.co.uk",
                "shop.co.uk",
                &["shop.co.uk", "www.shop.co.uk", "other.shop.co.uk"],
            ),
            ("evil.github.io", "github.io", &[]),
            ("github.io", "github.io", &["github.io"]),
            ("a.b.kawasaki.jp", "b.kawasaki.jp", &[]),
            ("www.city.kawasaki.jp", "city.kawasaki.jp", &["city.kawasaki.jp"]),
            ("shop.xn--55qx5d.cn", "公司.cn", &[]),
            ("a.test", "test", &[]),
            ("localhost", "localhost", &["localhost"]),
            ("127.0.0.1", "0.0.1", &[]),
            ("127.0.0.1", "127.0.0.1", &["127.0.0.1"]),
        ];
        let hosts = [
            "shop.co.uk",
            "other.co.uk",
            "www.shop.co.uk",
            "other.shop.co.uk",
            "evil.github.io",
            "github.io",
            "good.github.io",
            "b.kawasaki.jp",
            "other.b.kawasaki.jp",
            "city.kawasaki.jp",
            "shop.xn--55qx5d.cn",
            "a.test",
            "b.test",
            "localhost",
            "127.0.0.1",
            "126.0.0.1",
        ];
        for (server, domain, expected) in rows {
            let mut jar = Jar::default();
            let url = |host: &str| Url::parse(&format!("http://{host}/")).unwrap();
            jar.take(&format!("a=1; Domain={domain}"), &url(server));
            let sent: Vec<&str> = hosts
                .into_iter()
                .filter(|host| !jar.of(&url(host)).is_empty())
                .collect();
            assert_eq!(sent, expected, "{server} sets a cookie for {domain}");
        }
        // Nor from a file, which a program without the list may have written.
        let mut store = CookieStore::default();
        let text = ".co.uk\tTRUE\t/\tFALSE\t0\ta\t1\n.shop.co.uk\tTRUE\t/\tFALSE\t0\tb\t2\n";
        read(text, &mut store, SystemTime::now());
        assert_eq!(sent(&store, "http://www.shop.co.uk/"), ["b=2"]);
        assert!(sent(&store, "http://other.co.uk/").is_empty());
    }

    #[test]
    fn a_jar_has_an_end() {
        let url = |n: usize| Url::parse(&format!("http://h{n}.test/")).unwrap();
        let mut jar = Jar::default();
        for n in 0..500 {
            jar.take(&format!("c{n}=1"), &url(0));
        }
        assert_eq!(jar.of(&url(0)).len(), MOST_AT_ONCE);
        jar.take("c7=2", &url(0));
        assert!(jar.of(&url(0)).contains(&"c7=2".to_owned()), "what is known can change");
        jar.take(&format!("long={}", "x".repeat(MOST_BYTES)), &url(1));
        assert!(jar.of(&url(1)).is_empty());
        for n in 0..MOST {
            jar.take("c=1", &url(n / 10));
            jar.take(&format!("c{n}=1; Path=/{n}"), &url(n / 10));
        }
        assert!(jar.store.iter_any().count() <= MOST);
    }

    #[test]
    fn files_of_something_else() {
        let old = "a.test\tFALSE\t/\tFALSE\t1\told\t1\n";
        for text in [
            "",
            "\n\n",
            "# Netscape HTTP Cookie File\n",
            old,
            &format!("rubbish\n{old}"),
        ] {
            assert!(!is_something_else(text), "{text:?}");
        }
        for text in [
            "precious",
            "# Notes\n\nmilk, bread\n",
            "[{\"name\": \"a\"}]\n",
            "\0\u{1}SQLite",
        ] {
            assert!(is_something_else(text), "{text:?}");
        }
    }

    #[test]
    fn files_of_others() {
        let text = "# Netscape HTTP Cookie File\r\n\r\nrubbish\r\n.a.test\tTRUE\t/\tFALSE\t9999999999.5\tone\t1\r\n\
                    a.test\tFALSE\t/\tFALSE\t1\told\t1\n\
                    a.test\tFALSE\t/\tTRUE\t0\tsafe\t2\na.test\tFALSE\t/\tFALSE\t0\tempty\n\
                    a.test\tFALSE\t/\tFALSE\tnever\tx\t1\na.test\tFALSE\t/\tFALSE\t0\tevil\t1; Domain=b.test\n\
                    [::1]\tFALSE\t/\tFALSE\t0\tx\ty\n127.0.0.1\tFALSE\t/\tFALSE\t0\tlocal\t3\n";
        let mut store = CookieStore::default();
        read(text, &mut store, SystemTime::now());
        assert_eq!(sent(&store, "https://a.test/"), ["empty=", "one=1", "safe=2"]);
        assert_eq!(sent(&store, "http://x.a.test/"), ["one=1"]);
        assert_eq!(sent(&store, "http://127.0.0.1/"), ["local=3"]);
    }
}
