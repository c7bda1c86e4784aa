//! Addresses in records, made absolute.
//!
//! What an address is, and what it is relative to, is in [`oxpath::address`]. Rules that read the tree know the node of each
//! value. Delimiters know where a value is in the source: there, the text before it must be the name of such an attribute and a
//! quote, and the text after it must end the attribute. Without an address of the page nothing is changed.

use oxpath::address::{absolute, base, is_address};
use page::{Page, vocabulary};
use record::Record;
use std::cell::OnceCell;
use std::ops::Range;
use url::Url;

/// Makes the addresses in records of a page absolute.
pub(crate) fn in_records(records: &mut [Record], page: &Page, base: &Url) {
    for record in records {
        if let Some(value) = &mut record.value
            && is_address(page, record.node, value)
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
        let base = self
            .base
            .get_or_init(|| base(self.name, base_href(self.source).as_deref()));
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
