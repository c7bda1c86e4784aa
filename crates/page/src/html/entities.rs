//! Character references (HTML Standard 13.2.5.72 to 13.2.5.80).
//!
//! The named ones are lines of `entities.txt`, sorted by name: the name, a `*` if it is also valid without its
//! semicolon, and the code points in hexadecimal. The file was made from the standard's list of 2,231 names by dropping
//! the semicolons and marking the 106 old names. It is searched as it is: a binary search over byte positions costs
//! about fifteen comparisons of a line. The handful of names that make up nearly all references are handled before
//! that.
//!
//! Every name consists of letters and digits. So the longest name at a position is either the whole run of them with
//! its semicolon, or a prefix of it among the old names, none of which is longer than six.

use std::ops::ControlFlow;

static NAMED: &str = include_str!("entities.txt");

/// The longest old name.
const LONGEST_OLD: usize = 6;
/// The longest name of all.
const LONGEST: usize = 31;

/// Decodes the reference that `text` begins with, appending its characters to `out`.
///
/// `text` begins with `&` and ends no later than a quote, tag or other byte that no reference contains. Returns the
/// number of bytes of the reference, or 0 if the `&` stands for itself; then nothing is appended.
pub(super) fn decode(text: &[u8], in_attribute: bool, out: &mut String) -> usize {
    match text.get(1) {
        Some(b'#') => decode_number(text, out),
        Some(byte) if byte.is_ascii_alphanumeric() => decode_name(text, in_attribute, out),
        _ => 0,
    }
}

fn decode_name(text: &[u8], in_attribute: bool, out: &mut String) -> usize {
    let name = &text[1..];
    // A longer run cannot be a name with a semicolon, but may begin with an old one.
    let len = name.iter().take(LONGEST + 1).position(|b| !b.is_ascii_alphanumeric());
    let len = len.unwrap_or(name.len().min(LONGEST + 1));
    let next = name.get(len).copied();
    if next == Some(b';') {
        let common = match &name[..len] {
            b"nbsp" => "\u{A0}",
            b"amp" => "&",
            b"lt" => "<",
            b"gt" => ">",
            b"quot" => "\"",
            _ => "",
        };
        if !common.is_empty() {
            out.push_str(common);
            return len + 2;
        }
        if let Some(found) = find(&name[..len]) {
            found.append_to(out);
            return len + 2;
        }
    }
    // In an attribute, an old name must not be followed by the rest of a longer word or by a parameter of a URL.
    if in_attribute && next == Some(b'=') {
        return 0;
    }
    let shortest = if in_attribute { len } else { 2 };
    for prefix in (shortest..=len.min(LONGEST_OLD)).rev() {
        if let Some(found) = find(&name[..prefix])
            && found.old
        {
            found.append_to(out);
            return prefix + 1;
        }
    }
    0
}

struct Found {
    old: bool,
    /// Code points in hexadecimal, between spaces.
    points: &'static str,
}

impl Found {
    fn append_to(&self, out: &mut String) {
        let points = self
            .points
            .split(' ')
            .filter_map(|point| u32::from_str_radix(point, 16).ok());
        out.extend(points.filter_map(char::from_u32));
    }
}

/// The line of a name without its semicolon.
fn find(name: &[u8]) -> Option<Found> {
    // Both are starts of lines; the wanted line begins in `low..high`.
    let (mut low, mut high) = (0, NAMED.len());
    while low < high {
        match probe(name, low, high) {
            ControlFlow::Break(found) => return Some(found),
            ControlFlow::Continue(range) => (low, high) = range,
        }
    }
    None
}

fn probe(name: &[u8], low: usize, high: usize) -> ControlFlow<Found, (usize, usize)> {
    let bytes = NAMED.as_bytes();
    let middle = (low + high) / 2;
    let start = bytes[low..middle]
        .iter()
        .rposition(|&b| b == b'\n')
        .map_or(low, |at| low + at + 1);
    let end = bytes[middle..high]
        .iter()
        .position(|&b| b == b'\n')
        .map_or(high, |at| middle + at);
    let line = &NAMED[start..end];
    let len = line
        .bytes()
        .position(|b| !b.is_ascii_alphanumeric())
        .unwrap_or(line.len());
    match name.cmp(&line.as_bytes()[..len]) {
        std::cmp::Ordering::Less => ControlFlow::Continue((low, start)),
        std::cmp::Ordering::Greater => ControlFlow::Continue(((end + 1).min(high), high)),
        std::cmp::Ordering::Equal => {
            let rest = &line[len..];
            let old = rest.starts_with('*');
            ControlFlow::Break(Found {
                old,
                points: rest.trim_start_matches('*').trim_start(),
            })
        }
    }
}

fn decode_number(text: &[u8], out: &mut String) -> usize {
    let hexadecimal = matches!(text.get(2), Some(b'x' | b'X'));
    let start = if hexadecimal { 3 } else { 2 };
    let base = if hexadecimal { 16 } else { 10 };
    let mut point = 0u32;
    let mut at = start;
    while let Some(digit) = text.get(at).and_then(|&b| char::from(b).to_digit(base)) {
        // All values beyond the last code point are equivalent.
        point = point.saturating_mul(base).saturating_add(digit);
        at += 1;
    }
    if at == start {
        return 0;
    }
    out.push(character(point));
    at + usize::from(text.get(at) == Some(&b';'))
}

/// The character of a numeric reference: surrogates and the like are replaced, and 80 to 9F mean windows-1252.
fn character(point: u32) -> char {
    const WINDOWS_1252: [u16; 32] = [
        0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8D,
        0x017D, 0x8F, 0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A,
        0x0153, 0x9D, 0x017E, 0x0178,
    ];
    let point = match point {
        0 => 0xFFFD,
        0x80..=0x9F => u32::from(WINDOWS_1252[point as usize - 0x80]),
        _ => point,
    };
    char::from_u32(point).unwrap_or(char::REPLACEMENT_CHARACTER)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, in_attribute: bool, expected: &str, taken: usize) {
        let mut out = String::new();
        let len = decode(text.as_bytes(), in_attribute, &mut out);
        assert_eq!((out.as_str(), len), (expected, taken), "{text}");
    }

    #[test]
    fn every_line_is_found() {
        let mut names = 0;
        for line in NAMED.lines() {
            let name = line.split([' ', '*']).next().unwrap_or_default();
            assert!(name.len() <= LONGEST);
            assert!(find(name.as_bytes()).is_some(), "{name}");
            assert!(!line.contains('*') || name.len() <= LONGEST_OLD, "{name}");
            names += 1 + usize::from(line.contains('*'));
        }
        assert_eq!(names, 2231);
        assert!(find(b"").is_none() && find(b"zzz").is_none() && find(b"A").is_none());
    }

    #[test]
    fn references() {
        check("&amp;x", false, "&", 5);
        check("&notit;", false, "¬", 4);
        check("&notin;", false, "∉", 7);
        check("&notit;", true, "", 0);
        check("&not=", true, "", 0);
        check("&not=", false, "¬", 4);
        check("&not ", true, "¬", 4);
        check("&copy", true, "©", 5);
        check("&nGt;", false, "\u{226B}\u{20D2}", 5);
        check("&CounterClockwiseContourIntegral;", false, "∳", 33);
        check("&", false, "", 0);
        check("&;", false, "", 0);
        check("&#;", false, "", 0);
        check("&#x;", false, "", 0);
        check("&#65", false, "A", 4);
        check("&#x41;", false, "A", 6);
        check("&#128;", false, "€", 6);
        check("&#0;", false, "\u{FFFD}", 4);
        check("&#xD800;", false, "\u{FFFD}", 8);
        check("&#99999999999999999999;", false, "\u{FFFD}", 23);
    }
}
