//! Finds the names of tags and attributes from the bytes of the source.
//!
//! Nearly all names on a page are known to HTML and at most eight bytes long. Such a name fits into an integer: eight
//! bytes of the source are cut off at the end of the name and lower-cased, all at once, and one probe of a table gives
//! the id. No string is made or compared. Other names take the slower path through [`Names::intern`].

use super::scan::{LOW, equal, less, word};
use crate::name::{NameId, Names};
use std::sync::LazyLock;

/// A power of two, about four times the number of short known names.
const SLOTS: usize = 1024;

/// The short known names, with open addressing.
#[derive(Debug)]
pub(super) struct ShortNames {
    slots: Box<[(u64, NameId); SLOTS]>,
}

/// Shared by all pages.
pub(super) static SHORT_NAMES: LazyLock<ShortNames> = LazyLock::new(|| {
    let names = Names::default();
    let mut slots = Box::new([(0, NameId(0)); SLOTS]);
    for id in (0..names.len() as u32).map(NameId) {
        let text = names.text(id).as_bytes();
        if text.len() <= 8 {
            let key = text.iter().rev().fold(0, |key, &byte| key << 8 | u64::from(byte));
            let mut at = slot(key);
            while slots[at].0 != 0 {
                at = (at + 1) % SLOTS;
            }
            slots[at] = (key, id);
        }
    }
    ShortNames { slots }
});

#[inline]
fn slot(key: u64) -> usize {
    (key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 54) as usize % SLOTS
}

impl ShortNames {
    /// The id of a name given as its lower-case bytes, the first byte in the lowest position.
    #[inline]
    pub(super) fn find(&self, key: u64) -> Option<NameId> {
        let mut at = slot(key);
        loop {
            let (found, id) = self.slots[at];
            if found == key {
                return Some(id);
            }
            if found == 0 {
                return None;
            }
            at = (at + 1) % SLOTS;
        }
    }
}

/// The name at a position, if it is at most eight bytes long, and its length. Its bytes are as [`ShortNames::find`]
/// expects them. Also fails at the end of the source and for names with bytes that no short known name has.
#[inline(always)]
pub(super) fn short_name(bytes: &[u8], at: usize, in_attribute: bool) -> Option<(u64, usize)> {
    let word = word(bytes, at)?;
    // All bytes that end a name are below '0' or, together with two others, between '<' and '?'.
    let ends = less(word, b'0') | equal(word | (LOW * 3), b'?');
    let len = ends.trailing_zeros() as usize / 8;
    if !ends_name(*bytes.get(at + len)?, in_attribute) {
        return None;
    }
    let mask = if ends == 0 { u64::MAX } else { (ends ^ (ends - 1)) >> 8 };
    Some((fold(word) & mask, len))
}

/// Converts letters to lower case; bytes that are not letters may change, but not to one that a known name has.
#[inline(always)]
fn fold(word: u64) -> u64 {
    word | (LOW * 0x20)
}

/// Does the name of a tag or attribute end at this byte?
#[inline]
pub(super) fn ends_name(byte: u8, in_attribute: bool) -> bool {
    matches!(byte, b' ' | b'\n' | b'\t' | b'\r' | b'\x0C' | b'/' | b'>') || (in_attribute && byte == b'=')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::name::known;

    #[test]
    fn short_known_names_are_found_by_their_bytes() {
        let names = Names::default();
        let mut probes = 0;
        for id in (0..names.len() as u32).map(NameId) {
            let text = names.text(id).as_bytes();
            if text.len() <= 8 {
                let key = text.iter().rev().fold(0, |key, &byte| key << 8 | u64::from(byte));
                assert_eq!(SHORT_NAMES.find(key), Some(id));
                probes += 1;
            }
        }
        assert_eq!(
            SHORT_NAMES.find(fold(u64::from_le_bytes(*b"TEXTAREA"))),
            Some(known::TEXTAREA)
        );
        assert!(probes > 200 && probes < SLOTS / 2);
        assert_eq!(SHORT_NAMES.find(u64::from(b'z')), None);
    }

    #[test]
    fn short_names_end_where_they_should() {
        let check = |text: &str, in_attribute, expected: Option<&str>| {
            let found = short_name(text.as_bytes(), 0, in_attribute);
            let found = found.map(|(key, len)| String::from_utf8_lossy(&key.to_le_bytes()[..len]).into_owned());
            assert_eq!(found.as_deref(), expected, "{text}");
        };
        check("DiV class=", false, Some("div"));
        check("div=x/>    ", false, None);
        check("div=x/>    ", true, Some("div"));
        check("ITEMPROP=x", true, Some("itemprop"));
        check("itemprops=x", true, None);
        check("a\u{1}b      ", false, None);
        check("a-b      ", false, None);
        check("H1>      ", false, Some("h1"));
        check("a\0b      ", false, None);
        check("br>", false, None);
    }
}
