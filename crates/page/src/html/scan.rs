//! Searches for bytes that are usually near.
//!
//! On average there are some twenty bytes between two tags, and between two quotes: too few to pay for a call to a
//! vectorised search. So the first bytes are examined eight at a time in a register, and only longer stretches go to
//! `memchr`.

use memchr::{memchr2, memchr3};

/// The number of words to examine before `memchr` is called.
const NEAR: usize = 4;

/// A one in every byte.
pub(super) const LOW: u64 = 0x0101_0101_0101_0101;
const HIGH: u64 = LOW << 7;

/// The high bit of each byte of `word` that equals `byte`. Bytes above the lowest one found may be marked wrongly.
#[inline(always)]
pub(super) fn equal(word: u64, byte: u8) -> u64 {
    let difference = word ^ (LOW * u64::from(byte));
    difference.wrapping_sub(LOW) & !difference & HIGH
}

/// The high bit of each byte of `word` that is less than `byte`, which is at most 128. May mark bytes wrongly as
/// [`equal`] does.
#[inline(always)]
pub(super) fn less(word: u64, byte: u8) -> u64 {
    word.wrapping_sub(LOW * u64::from(byte)) & !word & HIGH
}

/// Eight bytes, the first one in the lowest position.
#[inline(always)]
pub(super) fn word(bytes: &[u8], at: usize) -> Option<u64> {
    let word: [u8; 8] = bytes.get(at..at + 8)?.try_into().ok()?;
    Some(u64::from_le_bytes(word))
}

/// The first position from `at` on that has one of two bytes.
#[inline(always)]
pub(super) fn find2(bytes: &[u8], mut at: usize, a: u8, b: u8) -> Option<usize> {
    for _ in 0..NEAR {
        let Some(word) = word(bytes, at) else { break };
        let found = equal(word, a) | equal(word, b);
        if found != 0 {
            return Some(at + found.trailing_zeros() as usize / 8);
        }
        at += 8;
    }
    memchr2(a, b, &bytes[at..]).map(|len| at + len)
}

/// The first position from `at` on that has one of three bytes.
#[inline(always)]
pub(super) fn find3(bytes: &[u8], mut at: usize, a: u8, b: u8, c: u8) -> Option<usize> {
    for _ in 0..NEAR {
        let Some(word) = word(bytes, at) else { break };
        let found = equal(word, a) | equal(word, b) | equal(word, c);
        if found != 0 {
            return Some(at + found.trailing_zeros() as usize / 8);
        }
        at += 8;
    }
    memchr3(a, b, c, &bytes[at..]).map(|len| at + len)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_what_a_loop_finds() {
        for len in 0..80 {
            for place in 0..=len {
                // A byte one below the wanted one follows it, which is what the trick may mark wrongly.
                let mut bytes = vec![b'.'; len];
                bytes.extend_from_slice(b".....");
                bytes[place] = b'<';
                bytes[place + 1] = b'=';
                bytes[place + 2] = b'&';
                for from in 0..=place + 1 {
                    let expected = bytes[from..]
                        .iter()
                        .position(|b| matches!(b, b'<' | b'&'))
                        .map(|n| from + n);
                    assert_eq!(find2(&bytes, from, b'<', b'&'), expected);
                    assert_eq!(find3(&bytes, from, b'<', b'&', b'\r'), expected);
                }
            }
        }
        assert_eq!(find2(b"", 0, 0, 1), None);
        assert_eq!(find3(b"abcdefghi", 3, 0, 1, 2), None);
    }
}
