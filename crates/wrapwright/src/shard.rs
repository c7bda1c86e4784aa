//! Shards: one of N equal parts of the work, chosen by name.
//!
//! N processes that share nothing (a `make -j`, a job array, a Kubernetes job) must divide pages without talking to each
//! other. A page belongs to the shard that a hash of its name gives; a row of values belongs to the shard that a hash of
//! the row gives. So every process decides alone, each page is in exactly one of N shards, and it stays in its shard when
//! other pages are added or removed. The price: shards are equal only on average. With n pages in N shards the largest has
//! about n/N + 3·√(n/N) of them.
//!
//! The name is the text by which the page is known: the path as it was found, or the address. Processes must therefore
//! name pages in the same way; `pages/a.html` and `/srv/pages/a.html` are two names.
//!
//! Shards of pages on the web can be made by host instead ([`Shard::by_host`]): all pages of a host are then in one shard, so the
//! delay between requests to a host holds without any process knowing of the others. The price is that a large host makes
//! a large shard.
//!
//! The hash is FNV-1a with a final mix, because the low bits of FNV alone are not even. It is part of the interface: it is
//! the same on all machines and in all versions.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// The place of the shard's name in the name of an output.
pub const PLACEHOLDER: &str = "{shard}";

/// The most shards.
pub const MOST: u32 = 1_000_000;

/// One of several parts of the work.
///
/// ```
/// use wrapwright::Shard;
/// let shards = ["1/3", "2/3", "3/3"].map(|text| text.parse::<Shard>().expect("a shard"));
/// let takers = shards.iter().filter(|shard| shard.takes("https://example.org/a"));
/// assert_eq!(takers.count(), 1);
/// assert_eq!(shards[1].to_string(), "2-of-3");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// From 1 to `of`.
    number: u32,
    of: u32,
    by_host: bool,
}

/// Why a text does not name a shard.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShardError(String);

impl fmt::Display for ShardError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "found `{}`, expected I/N such as 2/8, with I from 1 to N and N at most {MOST}",
            self.0
        )
    }
}

impl std::error::Error for ShardError {}

impl FromStr for Shard {
    type Err = ShardError;

    fn from_str(text: &str) -> Result<Shard, ShardError> {
        let error = || ShardError(text.to_owned());
        let (number, of) = text.trim().split_once('/').ok_or_else(error)?;
        let read = |digits: &str| digits.parse::<u32>().map_err(|_| error());
        let (number, of) = (read(number)?, read(of)?);
        match (1..=of).contains(&number) && of <= MOST {
            true => Ok(Shard {
                number,
                of,
                by_host: false,
            }),
            false => Err(error()),
        }
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-of-{}", self.number, self.of)
    }
}

impl Shard {
    /// The same shard, but of hosts: what has an address belongs to the shard of its host.
    #[must_use]
    pub fn by_host(self) -> Shard {
        Shard { by_host: true, ..self }
    }

    /// Is it a shard of hosts?
    pub fn is_by_host(&self) -> bool {
        self.by_host
    }

    /// Is what has this name or address in the shard?
    pub fn takes(&self, name: &str) -> bool {
        match host_of(name).filter(|_| self.by_host) {
            Some(host) => self.takes_all([host.as_str()]),
            None => self.takes_all([name]),
        }
    }

    /// Is what these texts describe together in the shard?
    pub fn takes_all<'t>(&self, texts: impl IntoIterator<Item = &'t str>) -> bool {
        let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
        let mut step = |byte: u8| hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        for text in texts {
            text.bytes().for_each(&mut step);
            // UTF-8 does not have this byte, so `ab`, `c` and `a`, `bc` differ.
            step(0xff);
        }
        hash ^= hash >> 33;
        hash = hash.wrapping_mul(0xff51_afd7_ed55_8ccd);
        hash ^= hash >> 33;
        hash % u64::from(self.of) == u64::from(self.number - 1)
    }

    /// The name of a file for this shard: `{shard}` is replaced, and a name without it gets the shard before its endings, so
    /// that `out.csv.gz` becomes `out.2-of-8.csv.gz`.
    ///
    /// ```
    /// use wrapwright::Shard;
    /// let shard: Shard = "2/8".parse()?;
    /// assert_eq!(shard.file("d/out.csv.gz".as_ref()).to_str(), Some("d/out.2-of-8.csv.gz"));
    /// assert_eq!(shard.file("{shard}/out.csv".as_ref()).to_str(), Some("2-of-8/out.csv"));
    /// # Ok::<(), wrapwright::shard::ShardError>(())
    /// ```
    pub fn file(&self, path: &Path) -> PathBuf {
        if let Some(named) = self.filled(path) {
            return named;
        }
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
        let name = name.unwrap_or_default();
        // A name may begin with a dot.
        let begin = usize::from(name.starts_with('.'));
        // The endings that say what is in the file: one, or two if the last is of a compressed file.
        let is_packed = |stem: &str| stem.ends_with(".gz") || stem.ends_with(".zst");
        let last = name[begin..].rfind('.').map(|at| at + begin);
        let end = match last {
            Some(last) if is_packed(&name) => name[begin..last].rfind('.').map_or(last, |at| at + begin),
            Some(last) => last,
            None => name.len(),
        };
        path.with_file_name(format!("{}.{self}{}", &name[..end], &name[end..]))
    }

    /// The name of a directory for this shard: `{shard}` is replaced, and a name without it gets a directory in it.
    pub fn folder(&self, path: &Path) -> PathBuf {
        self.filled(path).unwrap_or_else(|| path.join(self.to_string()))
    }

    fn filled(&self, path: &Path) -> Option<PathBuf> {
        let text = path.to_str()?;
        text.contains(PLACEHOLDER)
            .then(|| text.replace(PLACEHOLDER, &self.to_string()).into())
    }
}

/// The host of an address.
pub(crate) fn host_of(address: &str) -> Option<String> {
    let url = url::Url::parse(address).ok()?;
    url.host_str().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shard(text: &str) -> Shard {
        text.parse().expect("a shard")
    }

    #[test]
    fn a_shard_is_read_or_refused() {
        assert_eq!(shard("1/1").to_string(), "1-of-1");
        assert_eq!(shard(" 8/8 ").to_string(), "8-of-8");
        for wrong in ["", "1", "0/8", "9/8", "1/0", "-1/8", "1/8/2", "a/b", "1/1000001"] {
            let error = wrong.parse::<Shard>().expect_err(wrong);
            assert!(error.to_string().contains("expected I/N such as 2/8"), "{error}");
        }
    }

    #[test]
    fn each_name_is_in_one_shard_and_shards_are_even() {
        for of in [1, 2, 3, 7, 64] {
            let shards: Vec<Shard> = (1..=of).map(|number| shard(&format!("{number}/{of}"))).collect();
            let mut sizes = vec![0_u32; of as usize];
            for page in 0..20_000 {
                let name = format!("pages/{page:05}.html");
                let takers: Vec<usize> = (0..shards.len()).filter(|at| shards[*at].takes(&name)).collect();
                assert_eq!(takers.len(), 1, "{name}");
                sizes[takers[0]] += 1;
            }
            let even = f64::from(20_000 / of);
            for size in sizes {
                assert!((f64::from(size) - even).abs() < 5.0 * even.sqrt() + 1.0, "{of}: {size}");
            }
        }
    }

    /// Other machines and versions must agree.
    #[test]
    fn the_hash_never_changes() {
        let names = ["a.html", "https://example.org/", "", "é"];
        let taker = |name: &str| (1..=1000).find(|number| shard(&format!("{number}/1000")).takes(name));
        let numbers = names.map(taker);
        assert_eq!(numbers, [Some(177), Some(584), Some(934), Some(554)]);
        assert!((1..=97).any(|number| {
            let shard = shard(&format!("{number}/97"));
            shard.takes_all(["ab", "c"]) != shard.takes_all(["a", "bc"])
        }));
    }

    #[test]
    fn a_shard_of_hosts_has_all_pages_of_a_host() {
        let shards = ["1/5", "2/5", "3/5", "4/5", "5/5"].map(|text| shard(text).by_host());
        for host in 0..20 {
            let takers = (0..10).map(|page| {
                let address = format!("http://h{host}.test/{page}");
                shards.iter().position(|shard| shard.takes(&address))
            });
            let takers: Vec<Option<usize>> = takers.collect();
            assert!(
                takers.iter().all(|taker| taker.is_some() && *taker == takers[0]),
                "{takers:?}"
            );
        }
        // What has no host goes by its name.
        assert_eq!(shards.iter().filter(|shard| shard.takes("pages/a.html")).count(), 1);
    }

    #[test]
    fn outputs_are_named_by_shard() {
        let shard = shard("2/8");
        for (name, expected) in [
            ("out.ndjson", "out.2-of-8.ndjson"),
            ("a.b/out.csv.gz", "a.b/out.2-of-8.csv.gz"),
            ("out.v1.csv", "out.v1.2-of-8.csv"),
            ("out", "out.2-of-8"),
            (".hidden", ".hidden.2-of-8"),
            ("x.gz", "x.2-of-8.gz"),
            ("{shard}.csv", "2-of-8.csv"),
        ] {
            assert_eq!(shard.file(Path::new(name)), Path::new(expected), "{name}");
        }
        assert_eq!(shard.folder(Path::new("pages")), Path::new("pages/2-of-8"));
        assert_eq!(shard.folder(Path::new("p-{shard}")), Path::new("p-2-of-8"));
    }
}
