//! Pages that lead to another page by themselves: `<meta http-equiv=refresh>` and the header `Refresh`.
//!
//! Such a page is usually a redirect, so it is followed like one if it leads to another address within [`MOST_DELAY`].
//! The driver waits for the delay, because "your results in three seconds" may really need three seconds. A page with a
//! longer delay, or one that only reloads itself, is content. Unlike in the standard, a refresh inside `noscript` is
//! ignored: it usually leads to a page that asks to turn scripts on, away from a page that is readable without them.

use page::{NodeId, Page};
use std::time::Duration;

/// The longest delay that counts as a redirect.
pub(crate) const MOST_DELAY: Duration = Duration::from_secs(5);

/// Where to go, and after how long.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Refresh {
    pub(crate) delay: Duration,
    pub(crate) address: String,
}

/// The first refresh on a page.
pub(crate) fn of_page(page: &Page) -> Option<Refresh> {
    let metas = page.elements_named(page.name_id("meta")?);
    let refreshes = |meta: &&NodeId| {
        let kind = page.attribute_value(**meta, "http-equiv");
        kind.is_some_and(|kind| kind.trim().eq_ignore_ascii_case("refresh"))
            && !page.ancestors(**meta).any(|above| page.name(above) == "noscript")
    };
    let meta = metas.iter().find(refreshes)?;
    parse(page.attribute_value(*meta, "content")?)
}

/// Can these bytes contain a refresh? A cheap test; a wrong answer is always `true`.
pub(crate) fn is_possible(html: &[u8]) -> bool {
    const WORD: &[u8] = b"http-equiv";
    let starts = memchr::memchr2_iter(b'h', b'H', html);
    starts.into_iter().any(|at| {
        html.get(at..at + WORD.len())
            .is_some_and(|word| word.eq_ignore_ascii_case(WORD))
    })
}

/// The shared declarative refresh steps of the HTML Standard (4.2.5.3), without those for pages that reload themselves.
pub(crate) fn parse(content: &str) -> Option<Refresh> {
    let content = content.trim_start_matches(is_space);
    let digits = content.len() - content.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    if digits == 0 && !content.starts_with('.') {
        return None;
    }
    let seconds = match &content[..digits] {
        "" => 0,
        text => text.parse().unwrap_or(u64::MAX),
    };
    let rest = content[digits..].trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
    let spaced = rest.trim_start_matches(is_space);
    let rest = match spaced.strip_prefix([';', ',']) {
        Some(rest) => rest.trim_start_matches(is_space),
        None if spaced.len() < rest.len() => spaced,
        None => return None,
    };
    let named = rest.get(..3).is_some_and(|word| word.eq_ignore_ascii_case("url"));
    let value = named
        .then(|| rest[3..].trim_start_matches(is_space).strip_prefix('='))
        .flatten();
    let address = value.map_or(rest, |value| value.trim_start_matches(is_space));
    let address = match address.chars().next()? {
        quote @ ('"' | '\'') => address[1..].split(quote).next()?,
        _ => address,
    };
    Some(Refresh {
        delay: Duration::from_secs(seconds),
        address: address.trim_matches(is_space).to_owned(),
    })
}

fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\x0C' | '\r')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contents() {
        let rows = [
            ("0; url=/a", Some((0, "/a"))),
            ("0;URL='/a b'", Some((0, "/a b"))),
            (" 3 , url = \"x\" y", Some((3, "x"))),
            ("1 /a", Some((1, "/a"))),
            ("1.9;/a", Some((1, "/a"))),
            (".5;/a", Some((0, "/a"))),
            ("5; url/a", Some((5, "url/a"))),
            ("99999999999999999999; url=/a", Some((u64::MAX, "/a"))),
            ("0", None),
            ("0;", None),
            ("5x url=/a", None),
            ("url=/a", None),
            ("", None),
            ("0; ür=ä", Some((0, "ür=ä"))),
        ];
        for (content, expected) in rows {
            let expected = expected.map(|(seconds, address)| Refresh {
                delay: Duration::from_secs(seconds),
                address: address.to_owned(),
            });
            assert_eq!(parse(content), expected, "{content}");
        }
    }

    #[test]
    fn pages() {
        let rows = [
            ("<meta http-equiv=Refresh content='0;url=a'>", Some("a")),
            ("<meta name=x content='0;url=a'>", None),
            ("<noscript><meta http-equiv=refresh content='0;url=a'></noscript>", None),
            ("<p>", None),
        ];
        for (html, expected) in rows {
            let page = Page::parse(html.as_bytes(), &page::ParseSettings::default()).unwrap();
            assert_eq!(
                of_page(&page).map(|refresh| refresh.address).as_deref(),
                expected,
                "{html}"
            );
            assert!(expected.is_none() || is_possible(html.as_bytes()));
        }
        assert!(is_possible(b"<META HTTP-EQUIV=x") && !is_possible(b"<h1>http-") && !is_possible(b""));
    }
}
