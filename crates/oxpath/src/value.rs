//! Values of XPath 1.0 and their conversions (sections 3.2 to 3.5 and 4 of the recommendation).

use page::NodeId;

/// What an expression evaluates to.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// Nodes in document order, each once.
    Nodes(Vec<NodeId>),
    /// Text.
    String(String),
    /// A double-precision number.
    Number(f64),
    /// A truth value.
    Boolean(bool),
}

/// A number as text: no exponent ever, no `.0`, and `-0` is `0`.
pub fn number_to_string(number: f64) -> String {
    if number.is_nan() {
        "NaN".to_owned()
    } else if number.is_infinite() {
        if number > 0.0 {
            "Infinity".to_owned()
        } else {
            "-Infinity".to_owned()
        }
    } else if number == 0.0 {
        "0".to_owned()
    } else {
        number.to_string()
    }
}

/// Text as a number: white space, an optional `-`, digits with at most one point, white space; all else is NaN.
pub(crate) fn string_to_number(text: &str) -> f64 {
    let trimmed = text.trim_matches(is_space);
    let digits = trimmed.strip_prefix('-').unwrap_or(trimmed);
    let mut points = 0;
    let mut any = false;
    for byte in digits.bytes() {
        match byte {
            b'0'..=b'9' => any = true,
            b'.' => points += 1,
            _ => return f64::NAN,
        }
    }
    if !any || points > 1 {
        return f64::NAN;
    }
    trimmed.parse().unwrap_or(f64::NAN)
}

/// White space as XPath knows it: no form feed, no no-break space.
pub(crate) fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\r')
}

/// `round()`: to the nearest integer, halves towards positive infinity.
pub(crate) fn round(number: f64) -> f64 {
    if (-0.5..0.0).contains(&number) {
        -0.0
    } else if number.fract() == 0.0 || !number.is_finite() {
        number
    } else {
        let floor = number.floor();
        // `floor(n + 0.5)` would carry 0.49999999999999994 up to 1.
        if number - floor >= 0.5 { floor + 1.0 } else { floor }
    }
}

/// `substring()` by the recommendation's rule: characters whose position `p` satisfies
/// `p >= round(start)` and `p < round(start) + round(length)`.
pub(crate) fn substring(text: &str, start: f64, length: Option<f64>) -> &str {
    let first = round(start);
    let end = length.map_or(f64::INFINITY, |length| first + round(length));
    // NaN on either side makes every comparison false.
    if first.is_nan() || end.is_nan() || end <= 1.0 || end <= first {
        return "";
    }
    let skip = if first > 1.0 { first - 1.0 } else { 0.0 };
    let byte_at = |chars: f64| {
        if chars >= text.len() as f64 {
            text.len()
        } else if text.is_ascii() {
            chars as usize
        } else {
            text.char_indices().nth(chars as usize).map_or(text.len(), |(at, _)| at)
        }
    };
    &text[byte_at(skip)..byte_at(end - 1.0)]
}

/// `normalize-space()`, borrowed where there is nothing to do.
pub(crate) fn normalize_space(text: &str) -> std::borrow::Cow<'_, str> {
    let trimmed = text.trim_matches(is_space);
    let mut space = false;
    let clean = trimmed.chars().all(|c| {
        let doubled = space && c == ' ';
        space = c == ' ';
        !doubled && (c == ' ' || !is_space(c))
    });
    if clean {
        return trimmed.into();
    }
    let mut out = String::with_capacity(trimmed.len());
    for word in trimmed.split(is_space).filter(|word| !word.is_empty()) {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(word);
    }
    out.into()
}

/// Does [`normalize_space`] make this text of the other one? Reads no further than the first difference, and allocates nothing: paths
/// compare the text of every element with a label, and most elements are long.
pub(crate) fn normalizes_to(text: &str, wanted: &str) -> bool {
    let mut rest = wanted;
    let words = text.split(is_space).filter(|word| !word.is_empty());
    for (number, word) in words.enumerate() {
        let after = if number == 0 {
            Some(rest)
        } else {
            rest.strip_prefix(' ')
        };
        match after.and_then(|after| after.strip_prefix(word)) {
            Some(after) => rest = after,
            None => return false,
        }
    }
    rest.is_empty()
}

/// Is a part in what [`normalize_space`] makes of a text? A text without one of the words of the part is not normalized for that.
pub(crate) fn normalized_contains(text: &str, part: &str) -> bool {
    if !part.contains(is_space) {
        return text.contains(part);
    }
    let mut words = part.split(is_space).filter(|word| !word.is_empty());
    words.all(|word| text.contains(word)) && normalize_space(text).contains(part)
}

/// `translate()`.
pub(crate) fn translate(text: &str, from: &str, to: &str) -> String {
    if text.is_empty() {
        return String::new();
    }
    let mut map: Vec<(char, Option<char>)> = Vec::new();
    let mut to = to.chars();
    for c in from.chars() {
        let with = to.next();
        map.push((c, with));
    }
    // The first of several mappings counts: a stable sort keeps it first.
    map.sort_by_key(|(c, _)| *c);
    map.dedup_by_key(|(c, _)| *c);
    let replace = |c: char| match map.binary_search_by_key(&c, |(from, _)| *from) {
        Ok(at) => map[at].1,
        Err(_) => Some(c),
    };
    text.chars().filter_map(replace).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_print_without_exponents() {
        let cases = [
            (1.0, "1"),
            (-0.0, "0"),
            (1.5, "1.5"),
            (1e21, "1000000000000000000000"),
            (1e-7, "0.0000001"),
            (f64::NAN, "NaN"),
            (f64::NEG_INFINITY, "-Infinity"),
        ];
        for (number, text) in cases {
            assert_eq!(number_to_string(number), text);
        }
    }

    #[test]
    fn strings_convert_by_the_number_production() {
        let cases = [
            (" 12 ", 12.0),
            ("-1.5", -1.5),
            (".5", 0.5),
            ("5.", 5.0),
            ("-.5\n", -0.5),
            ("007", 7.0),
        ];
        for (text, number) in cases {
            assert_eq!(string_to_number(text), number, "{text:?}");
        }
        for text in [
            "", " ", "+1", "1e3", "1 2", "- 1", "--1", ".", "-", "1.2.3", "0x1", "Infinity", "NaN", "\u{a0}1",
        ] {
            assert!(string_to_number(text).is_nan(), "{text:?}");
        }
    }

    #[test]
    fn rounding_takes_halves_up() {
        let cases = [
            (1.5, 2.0),
            (-1.5, -1.0),
            (2.4, 2.0),
            (-2.6, -3.0),
            (0.499_999_999_999_999_94, 0.0),
            (1e300, 1e300),
        ];
        for (number, rounded) in cases {
            assert_eq!(round(number), rounded, "{number}");
        }
        assert!(round(-0.2).is_sign_negative());
        assert!(round(f64::NAN).is_nan());
    }

    /// The examples of section 4.2 of the recommendation, and some of non-ASCII text.
    #[test]
    fn substrings_follow_the_recommendation() {
        let inf = f64::INFINITY;
        let cases = [
            ("12345", 2.0, Some(3.0), "234"),
            ("12345", 2.0, None, "2345"),
            ("12345", 1.5, Some(2.6), "234"),
            ("12345", 0.0, Some(3.0), "12"),
            ("12345", f64::NAN, Some(3.0), ""),
            ("12345", 1.0, Some(f64::NAN), ""),
            ("12345", -42.0, Some(inf), "12345"),
            ("12345", -inf, Some(inf), ""),
            ("12345", 6.0, None, ""),
            ("äöüß€", 2.0, Some(2.0), "öü"),
            ("äöüß€", 5.0, None, "€"),
        ];
        for (text, start, length, expected) in cases {
            assert_eq!(substring(text, start, length), expected, "{text} {start} {length:?}");
        }
    }

    #[test]
    fn space_is_normalised_and_characters_translated() {
        assert_eq!(normalize_space(" a  b\t\nc "), "a b c");
        assert_eq!(normalize_space("a\tb"), "a b");
        assert_eq!(normalize_space("a\u{a0} b"), "a\u{a0} b");
        assert!(matches!(normalize_space(" a b "), std::borrow::Cow::Borrowed("a b")));
        let texts = [
            "", " ", "a", " a ", "a b", " a \n b", "a b c", "ab", "a  b", "a\u{a0}b", "é b", "b",
        ];
        for text in texts {
            for wanted in texts {
                assert_eq!(
                    normalizes_to(text, wanted),
                    normalize_space(text) == wanted,
                    "{text:?} {wanted:?}"
                );
                let contains = normalize_space(text).contains(wanted);
                assert_eq!(normalized_contains(text, wanted), contains, "{text:?} {wanted:?}");
            }
        }
        assert_eq!(translate("bar", "abc", "AB"), "BAr");
        assert_eq!(translate("--aaa--", "abc-", "ABC"), "AAA");
        assert_eq!(translate("aa", "aa", "xy"), "xx");
    }
}
