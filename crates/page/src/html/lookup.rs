//! Names of tags and attributes from the bytes of the source.
//!
//! Nearly all names on a page are known to HTML and at most eight bytes long. Such a name fits into an integer: its
//! bytes are lower-cased and shifted in while the end of the name is looked for, and one probe of a table gives the id.
//! No string is made or compared. Other names take the longer way through [`Names::intern`].

use crate::name::{NameId, Names};
use std::sync::LazyLock;

/// A power of two, about three times the number of short known names.
const SLOTS: usize = 1024;

/// The short known names, by open addressing.
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
    /// The id of a name given as its lower-case bytes, the first in the lowest place.
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

/// For each byte its lower-case form, or 0 where a tag's name ends or where NUL needs care.
pub(super) static TAG_NAME: [u8; 256] = name_bytes(b"\t\n\x0C\r />\0");
/// The same for attributes.
pub(super) static ATTRIBUTE_NAME: [u8; 256] = name_bytes(b"\t\n\x0C\r />=\0");

const fn name_bytes(ends: &[u8]) -> [u8; 256] {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = (byte as u8).to_ascii_lowercase();
        byte += 1;
    }
    let mut i = 0;
    while i < ends.len() {
        table[ends[i] as usize] = 0;
        i += 1;
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

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
        assert!(probes > 200 && probes < SLOTS / 2);
        assert_eq!(SHORT_NAMES.find(u64::from(b'z')), None);
    }
}
