//! Addresses in records, made absolute.
//!
//! A page writes most of its links relative to itself, and outside the page such a link says nothing. So a value that is the
//! whole of an address attribute ([`vocabulary::is_address`]) is joined with the page's own address, or with that of its
//! `base`. What is already a whole address stays as it is written, and so does a value that is only a part of an attribute: a
//! number that a rule cuts out of `/item/17` is not an address.
//!
//! Rules that read the tree know the node of each value. Delimiters know where a value is in the source: there, the text
//! before it must be the name of such an attribute and a quote, and the text after it must end the attribute.
//!
//! Without an address of the page nothing is changed. Expressions are not changed either: they have `qualify-url()`.

use page::{Kind, Page, vocabulary};
use record::Record;
use std::cell::OnceCell;
use std::ops::Range;
use url::Url;

/// What links of a page are relative to, if it is known. `name` is the address of the page, if it is one.
pub(crate) fn base(name: &str, base_href: Option<&str>) -> Option<Url> {
    let is_web = |url: &Url| matches!(url.scheme(), "http" | "https");
    let own = Url::parse(name).ok().filter(is_web);
    let declared = base_href.and_then(|href| match &own {
        Some(own) => own.join(href.trim()).ok(),
        None => Url::parse(href.trim()).ok(),
    });
    declared.filter(is_web).or(own)
}

/// An address made absolute; none if it is whole already, or cannot be one.
fn absolute(base: &Url, address: &str) -> Option<String> {
    let address = address.trim();
    match Url::parse(address) {
        Err(url::ParseError::RelativeUrlWithoutBase) if !address.is_empty() => {
            base.join(address).ok().map(String::from)
        }
        _ => None,
    }
}

/// Makes the addresses in records of a page absolute.
pub(crate) fn in_records(records: &mut [Record], page: &Page, base: &Url) {
    for record in records {
        if let Some(value) = &mut record.value
            && page.kind(record.node) == Kind::Attribute
            && vocabulary::is_address(page.name(record.node))
            && page.string_value(record.node).split_whitespace().eq(value.split_whitespace())
            && let Some(whole) = absolute(base, value)
        {
            *value = whole;
        }
        in_records(&mut record.children, page, base);
    }
}

/// Makes addresses that were cut out of a source absolute.
pub(crate) struct InSource<'s> {
    name: &'s str,
    source: &'s str,
    is_wanted: bool,
    base: OnceCell<Option<Url>>,
}

impl<'s> InSource<'s> {
    /// For the source of a page with this name or address; values stay as they are if this is not wanted.
    pub(crate) fn new(name: &'s str, source: &'s str, is_wanted: bool) -> InSource<'s> {
        InSource {
            name,
            source,
            is_wanted,
            base: OnceCell::new(),
        }
    }

    /// A part of the source.
    pub(crate) fn get(&self, range: Range<usize>) -> Option<&'s str> {
        self.source.get(range)
    }

    /// The value of a part of the source, absolute if that part is an address.
    pub(crate) fn value(&self, range: Range<usize>, value: String) -> String {
        if !self.is_wanted || !is_attribute(self.source, &range) {
            return value;
        }
        let base = self.base.get_or_init(|| base(self.name, base_href(self.source).as_deref()));
        base.as_ref().and_then(|base| absolute(base, &value)).unwrap_or(value)
    }
}

/// Is a part of a source the whole value of an address attribute?
fn is_attribute(source: &str, range: &Range<usize>) -> bool {
    let (Some(before), Some(after)) = (source.get(..range.start), source.get(range.end..)) else {
        return false;
    };
    let quote = before.chars().next_back().filter(|c| matches!(c, '"' | '\''));
    let before = quote.map_or(before, |quote| before.trim_end_matches(quote));
    let Some(before) = before.trim_end().strip_suffix('=') else {
        return false;
    };
    let before = before.trim_end();
    let name = before.rsplit(|c: char| !(c.is_ascii_alphanumeric() || c == '-')).next();
    let ends = match quote {
        Some(quote) => after.starts_with(quote),
        None => after.starts_with(|c: char| c.is_ascii_whitespace() || c == '>'),
    };
    ends && name.is_some_and(|name| vocabulary::is_address(&name.to_ascii_lowercase()))
}

/// What the `base` element of a source says.
fn base_href(source: &str) -> Option<String> {
    const TAG: &[u8] = b"<base";
    let bytes = source.as_bytes();
    let mut open = memchr::memchr_iter(b'<', bytes);
    let start = open.find(|at| {
        bytes
            .get(*at..at + TAG.len())
            .is_some_and(|tag| tag.eq_ignore_ascii_case(TAG))
    })?;
    let tag = source.get(start..)?;
    let tag = tag.get(..=tag.find('>')?)?;
    let page = Page::parse_str(tag, &page::Limits::default()).ok()?;
    page.base_href().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_joined_with_that_of_the_page_or_of_its_base() {
        let rows = [
            ("http://a.test/shop/list?p=1", None, "item/7", Some("http://a.test/shop/item/7")),
            ("http://a.test/shop/", None, "/item/7", Some("http://a.test/item/7")),
            ("http://a.test/shop/", None, "//b.test/x", Some("http://b.test/x")),
            ("http://a.test/shop/", None, "?p=2", Some("http://a.test/shop/?p=2")),
            ("http://a.test/shop/", Some("/other/"), "x", Some("http://a.test/other/x")),
            ("saved.html", Some("https://a.test/other/"), "x", Some("https://a.test/other/x")),
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
    fn only_a_whole_attribute_of_a_source_is_an_address() {
        let rows = [
            (r#"<a href="item/7">"#, "item/7", true),
            ("<a class=x HREF = 'item/7'>", "item/7", true),
            ("<a href=item/7>", "item/7", true),
            ("<img data-src=item/7 alt=x>", "item/7", true),
            (r#"<a href="item/7">"#, "7", false),
            (r#"<a href="item/7?x">"#, "item/7", false),
            (r#"<a title="item/7">"#, "item/7", false),
            ("<b>item/7</b>", "item/7", false),
        ];
        for (source, part, expected) in rows {
            let at = source.find(part).expect("the part");
            assert_eq!(is_attribute(source, &(at..at + part.len())), expected, "{source}");
        }
        let source = r#"<head><BASE target=x href="/b/"></head><a href="item/7">"#;
        let at = source.find("item").expect("the part");
        let value = InSource::new("http://a.test/", source, true).value(at..at + 6, "item/7".to_owned());
        assert_eq!(value, "http://a.test/b/item/7");
    }
}
