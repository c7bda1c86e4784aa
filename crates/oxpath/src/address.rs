//! Addresses in values, made absolute.
//!
//! A page writes most of its links relative to itself, and outside the page such a link says nothing. So a value that is the
//! whole of an address attribute ([`vocabulary::is_address`]) can be joined with the page's own address, or with that of its
//! `base`. What is already a whole address stays as it is written, and so does a value that is only a part of an attribute: a
//! number that is cut out of `/item/17` is not an address.
//!
//! An expression gives what it says, so nothing of this happens unless it is asked for
//! ([`RunOptions::whole_addresses`](crate::run::RunOptions::whole_addresses)); wrappers ask for it.

use page::{Kind, NodeId, Page, vocabulary};
use url::Url;

/// What links of a page are relative to, if it is known. `name` is the address of the page, if it is one.
pub fn base(name: &str, base_href: Option<&str>) -> Option<Url> {
    let is_web = |url: &Url| matches!(url.scheme(), "http" | "https");
    let own = Url::parse(name).ok().filter(is_web);
    let declared = base_href.and_then(|href| match &own {
        Some(own) => own.join(href.trim()).ok(),
        None => Url::parse(href.trim()).ok(),
    });
    declared.filter(is_web).or(own)
}

/// An address made absolute; none if it is whole already, or cannot be one.
pub fn absolute(base: &Url, address: &str) -> Option<String> {
    let address = address.trim();
    if address.is_empty() || has_scheme(address) {
        return None;
    }
    base.join(address).ok().map(String::from)
}

/// Does an address begin with a scheme, so that it is relative to nothing? As the URL Standard reads it: control characters
/// and spaces before it do not count, and tabs and line breaks do not count anywhere.
fn has_scheme(address: &str) -> bool {
    let address = address.trim_start_matches(|c| c <= ' ');
    let mut bytes = address.bytes().filter(|byte| !matches!(byte, b'\t' | b'\n' | b'\r'));
    bytes.next().is_some_and(|first| first.is_ascii_alphabetic())
        && bytes.find(|byte| !(byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.'))) == Some(b':')
}

/// Is this value, which was found at a node, a whole address attribute: of the node itself, or of the element that it is?
pub fn is_address(page: &Page, node: NodeId, value: &str) -> bool {
    let is_value = |node: NodeId| {
        let own = page.string_value(node);
        own == value || own.split_whitespace().eq(value.split_whitespace())
    };
    let is_named = |node: NodeId| vocabulary::is_address(page.name(node));
    match page.kind(node) {
        Kind::Attribute => is_named(node) && is_value(node),
        // Scripts of structured data say addresses as links do.
        Kind::Element if page.name(node) == "script" => {
            value.len() > 1 && value.starts_with('/') && !value.contains(char::is_whitespace)
        }
        // `a:<link=@href>` is found at the element. A text that is the same is more likely meant.
        Kind::Element if !value.is_empty() && !is_value(node) => page
            .attributes(node)
            .map(NodeId)
            .any(|attribute| is_named(attribute) && is_value(attribute)),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_joined_with_that_of_the_page_or_of_its_base() {
        let rows = [
            (
                "http://a.test/shop/list?p=1",
                None,
                "item/7",
                Some("http://a.test/shop/item/7"),
            ),
            ("http://a.test/shop/", None, "/item/7", Some("http://a.test/item/7")),
            ("http://a.test/shop/", None, "//b.test/x", Some("http://b.test/x")),
            ("http://a.test/shop/", None, "?p=2", Some("http://a.test/shop/?p=2")),
            (
                "http://a.test/shop/",
                Some("/other/"),
                "x",
                Some("http://a.test/other/x"),
            ),
            (
                "saved.html",
                Some("https://a.test/other/"),
                "x",
                Some("https://a.test/other/x"),
            ),
            // Whole addresses and other schemes stay as they are written.
            ("http://a.test/", None, "HTTP://B.test", None),
            ("http://a.test/", None, "mailto:me@a.test", None),
            ("http://a.test/", None, " ", None),
            ("saved.html", None, "x", None),
            ("file:///saved.html", None, "x", None),
        ];
        for (page, declared, link, expected) in rows {
            let base = base(page, declared);
            let whole = base.and_then(|base| absolute(&base, link));
            assert_eq!(whole.as_deref(), expected, "{link} on {page}");
        }
    }

    #[test]
    fn a_scheme_is_what_the_parser_of_addresses_takes_for_one() {
        let starts = [
            "",
            "a",
            "http",
            "HTTP",
            "h2+x.y-z",
            "1a",
            "+a",
            "mailto",
            "ü",
            "a b",
            "\u{1}http",
            "ht\ntp",
            " a",
            "/a",
            "?a",
            "#a",
        ];
        let ends = ["", ":", "://b.test/c", "/c:d", "?c:d", "\t:x", ":\n", ":/"];
        for (start, end) in starts.iter().flat_map(|start| ends.map(|end| (start, end))) {
            let address = format!("{start}{end}");
            let parsed = Url::parse(&address);
            let relative = matches!(parsed, Err(url::ParseError::RelativeUrlWithoutBase));
            assert_eq!(has_scheme(&address), !relative, "{address:?}: {parsed:?}");
        }
    }

    #[test]
    fn only_the_whole_of_an_address_attribute_is_one() {
        let page = Page::parse_str(
            "<a href=kelp title=weed>kelp</a><a href=/moss>Moss</a>",
            &Default::default(),
        );
        let page = page.expect("a page");
        let nodes = |name: &str| -> Vec<NodeId> {
            let all = (0..page.len() as u32).map(NodeId);
            all.filter(|node| matches!(page.kind(*node), Kind::Element | Kind::Attribute) && page.name(*node) == name)
                .collect()
        };
        let (links, hrefs) = (nodes("a"), nodes("href"));
        assert!(is_address(&page, hrefs[0], "kelp"));
        assert!(!is_address(&page, nodes("title")[0], "weed"));
        assert!(!is_address(&page, links[0], "kelp"), "what the link says");
        assert!(is_address(&page, links[1], "/moss"));
        assert!(!is_address(&page, links[1], "moss"));
        assert!(!is_address(&page, links[1], ""));
    }
}
