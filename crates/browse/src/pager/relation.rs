//! How two addresses of a site are related: is one of them another page of the same list?
//!
//! An address is split into pieces at its signs, and between letters and digits. Two pages of a list differ in one number
//! (`?page=2` and `?page=3`), or one has pieces with a number that the other one lacks (`/blog/` and `/blog/page/2/`): the first
//! page is often without. What is behind `#` does not count, nor does a slash at the end or a file name like `index.html`.

use url::Url;

/// How an address is related to that of the present page.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Relation {
    /// It is the same page.
    Same,
    /// A page of the same list: how many numbers further, or back. An offset counts as its number.
    Page { by: i64, named: bool },
    /// Another page of the site.
    Other,
    /// Another site.
    Foreign,
}

/// Names of numbers that say which page it is.
const NAMES: [&str; 22] = [
    "page",
    "p",
    "pg",
    "paged",
    "pageno",
    "pagenum",
    "pagenumber",
    "pageindex",
    "start",
    "offset",
    "from",
    "first",
    "st",
    "skip",
    "seite",
    "pagina",
    "pagen",
    "currentpage",
    "startindex",
    "begin",
    "index",
    "cp",
];

/// The pieces of an address, in lower case.
fn pieces(url: &Url) -> Vec<String> {
    let path = url.path().trim_end_matches('/');
    let path = path.rsplit_once('/').map_or(path, |(folder, file)| {
        match file.starts_with("index.") || file.starts_with("default.") {
            true => folder,
            false => path,
        }
    });
    let mut pieces: Vec<String> = Vec::new();
    // Parameters in any order.
    let mut query: Vec<&str> = url
        .query()
        .unwrap_or("")
        .split(['&', ';'])
        .filter(|part| !part.is_empty())
        .collect();
    query.sort_unstable();
    for part in std::iter::once(path).chain(query) {
        let mut piece = String::new();
        for letter in part.chars() {
            let kind = |c: char| (c.is_ascii_digit(), c.is_alphanumeric() || c == '%');
            if piece
                .chars()
                .next_back()
                .is_some_and(|last| kind(last) != kind(letter) || !kind(letter).1)
            {
                pieces.push(std::mem::take(&mut piece));
            }
            piece.extend(letter.to_lowercase());
        }
        pieces.push(piece);
        pieces.push("&".to_owned());
    }
    pieces.retain(|piece| !piece.is_empty());
    pieces
}

fn number(piece: &str) -> Option<i64> {
    (piece.len() <= 7).then(|| piece.parse().ok()).flatten()
}

/// Do these pieces say that the number after them is that of a page?
fn is_named(before: &[String]) -> bool {
    let mut words = before
        .iter()
        .rev()
        .filter(|piece| piece.chars().all(char::is_alphabetic));
    words.next().is_some_and(|word| NAMES.contains(&word.as_str()))
}

/// How `to` is related to `from`.
pub(super) fn relation(from: &Url, to: &Url) -> Relation {
    let host = |url: &Url| url.host_str().unwrap_or("").trim_start_matches("www.").to_owned();
    if host(from) != host(to) {
        return Relation::Foreign;
    }
    let (a, b) = (pieces(from), pieces(to));
    if a == b {
        return Relation::Same;
    }
    // What they share at the start and at the end.
    let head = a.iter().zip(&b).take_while(|(a, b)| a == b).count();
    let most = a.len().min(b.len()) - head;
    let tail = a
        .iter()
        .rev()
        .zip(b.iter().rev())
        .take(most)
        .take_while(|(a, b)| a == b)
        .count();
    let (gone, new) = (&a[head..a.len() - tail], &b[head..b.len() - tail]);
    let found = match (gone, new) {
        ([], new) => added(&b[..head], new, 1),
        (gone, []) => added(&a[..head], gone, -1),
        (gone, new) if gone.len() == new.len() => moved(&a, &b),
        _ => None,
    };
    found.or_else(|| asked(from, to)).unwrap_or(Relation::Other)
}

/// Addresses of the same pieces that differ in numbers only, all by the same: an offset may be there twice.
fn moved(a: &[String], b: &[String]) -> Option<Relation> {
    let mut found: Option<(i64, bool)> = None;
    for (at, (one, other)) in a.iter().zip(b).enumerate().filter(|(_, (one, other))| one != other) {
        let by = number(other)? - number(one)?;
        let named = is_named(&b[..at]);
        found = match found {
            None => Some((by, named)),
            Some((known, is_named)) if known == by => Some((by, named || is_named)),
            Some(_) => return None,
        };
    }
    found.map(|(by, named)| Relation::Page { by, named })
}

/// The same path, and a page number among the parameters. Other parameters may be missing, such as that of a visit, but none
/// may be another.
fn asked(from: &Url, to: &Url) -> Option<Relation> {
    if from.path().trim_end_matches('/') != to.path().trim_end_matches('/') {
        return None;
    }
    let read = |url: &Url| -> Vec<(String, String)> {
        let pairs = url.query_pairs();
        pairs
            .map(|(key, value)| (key.to_ascii_lowercase(), value.into_owned()))
            .collect()
    };
    let (had, has) = (read(from), read(to));
    let is_page = |key: &str| NAMES.contains(&key);
    let page = |pairs: &[(String, String)]| {
        pairs
            .iter()
            .find(|(key, _)| is_page(key))
            .and_then(|(_, value)| number(value))
    };
    let others = had.iter().filter(|(key, _)| !is_page(key));
    let mut same =
        others.filter_map(|(key, value)| has.iter().find(|(other, _)| other == key).map(|(_, now)| now == value));
    if !same.all(|same| same) {
        return None;
    }
    let by = match (page(&had), page(&has)) {
        (Some(one), Some(other)) => other - one,
        (None, Some(other)) => (other - 1).max(1),
        _ => return None,
    };
    Some(Relation::Page { by, named: true })
}

/// Pieces that only one of two addresses has: a page of the list that the shorter one is the first page of, if they have a
/// number and little else.
fn added(head: &[String], new: &[String], sign: i64) -> Option<Relation> {
    let named = |at: usize| {
        let before: Vec<String> = head.iter().chain(&new[..at]).cloned().collect();
        is_named(&before)
    };
    let numbers: Vec<usize> = (0..new.len()).filter(|at| number(&new[*at]).is_some()).collect();
    // Beside the number of the page there may be that of records on a page.
    let called: Vec<usize> = numbers.iter().copied().filter(|at| named(*at)).collect();
    let (at, is_named) = match (&called[..], &numbers[..]) {
        ([at], _) => (*at, true),
        ([], [at]) => (*at, false),
        _ => return None,
    };
    let words = new
        .iter()
        .filter(|piece| piece.chars().any(char::is_alphabetic))
        .count();
    let value = number(&new[at])?;
    // Without a name, only small numbers can be pages: others are years or records.
    if words > 1 + numbers.len() || (!is_named && value > 200) {
        return None;
    }
    // The address without a number is page 1, or 0 if pages are counted from 0.
    let by = if value <= 1 { value } else { value - 1 };
    Some(Relation::Page {
        by: sign * by.max(1),
        named: is_named,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_of_a_list_differ_in_a_number() {
        let of = |from: &str, to: &str| {
            let base = Url::parse("http://a.example/").expect("an address");
            relation(
                &base.join(from).expect("an address"),
                &base.join(to).expect("an address"),
            )
        };
        let page = |by: i64, named: bool| Relation::Page { by, named };
        for (from, to, expected) in [
            ("/blog/", "/blog/page/2/", page(1, true)),
            ("/blog/page/2/", "/blog/page/3/", page(1, true)),
            ("/blog/page/2/", "/blog/", page(-1, true)),
            ("/list?q=x", "/list?q=x&page=2", page(1, true)),
            ("/list?q=x", "/list?page=2&q=x", page(1, true)),
            ("/list", "/list?page=2&ipp=20&", page(1, true)),
            ("/list?q=x&start=20", "/list?q=x&start=40", page(20, true)),
            ("/list?o=24&offset=24", "/list?o=48&offset=48", page(24, true)),
            ("/list?visit=4ra4", "/list?page=2", page(1, true)),
            ("/list?q=x", "/list?q=y&page=2", Relation::Other),
            ("/list.html", "/list-2.html", page(1, false)),
            ("/a/7", "/a/8", page(1, false)),
            ("/", "/index.html#top", Relation::Same),
            ("/", "http://www.a.example/", Relation::Same),
            ("/", "http://b.example/", Relation::Foreign),
            ("/", "/2016/05/a-post.html", Relation::Other),
            ("/", "/about", Relation::Other),
        ] {
            assert_eq!(of(from, to), expected, "{from} to {to}");
        }
    }
}
