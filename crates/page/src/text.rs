//! The text of a piece of source: tags and comments removed, references decoded, white space joined.
//!
//! Learned rules cut pieces out of a page's source. A piece need not be balanced and was never parsed on its own, so
//! this is a scan, not a parse. Everything that looks like a tag is removed, from `<` and a letter, `/`, `!` or `?` to
//! the `>` that closes it outside quotes; everything else is kept. A tag without an end takes the rest of the piece.
//! This takes one pass, and copies nothing in the common case that the piece is plain text.

use crate::html::decode_reference;
use std::borrow::Cow;

/// The text that a reader sees of a piece of HTML source: no tags, no comments, references decoded, each run of white
/// space replaced by one space, and trimmed.
///
/// ```
/// assert_eq!(page::source_text(" <b>Bed &amp;\n Breakfast</b><!-- new -->"), "Bed & Breakfast");
/// ```
pub fn source_text(source: &str) -> Cow<'_, str> {
    let source = source.trim();
    if is_plain(source) {
        return Cow::Borrowed(source);
    }
    let bytes = source.as_bytes();
    let mut loose = String::with_capacity(source.len());
    let mut at = 0;
    while let Some(found) = memchr::memchr2(b'<', b'&', &bytes[at..]) {
        let special = at + found;
        loose.push_str(&source[at..special]);
        let taken = if bytes[special] == b'<' {
            tag_len(&source[special..])
        } else {
            let limit = memchr::memchr2(b'<', b'"', &bytes[special..]).map_or(bytes.len(), |len| special + len);
            decode_reference(&bytes[special..limit], &mut loose)
        };
        at = special + taken.max(1);
        if taken == 0 {
            loose.push_str(&source[special..at]);
        }
    }
    loose.push_str(&source[at..]);
    if is_joined(&loose) {
        return Cow::Owned(loose);
    }
    let mut joined = String::with_capacity(loose.len());
    for word in loose.split_whitespace() {
        if !joined.is_empty() {
            joined.push(' ');
        }
        joined.push_str(word);
    }
    Cow::Owned(joined)
}

/// The length in bytes of the tag or comment that the text begins with; 0 if its `<` stands for itself.
pub(crate) fn tag_len(text: &str) -> usize {
    let bytes = text.as_bytes();
    match bytes.get(1) {
        Some(b'!') if text.starts_with("<!--") => {
            memchr::memmem::find(&bytes[2..], b"-->").map_or(bytes.len(), |end| end + 5)
        }
        Some(b'!' | b'/' | b'?') => memchr::memchr(b'>', bytes).map_or(bytes.len(), |end| end + 1),
        Some(byte) if byte.is_ascii_alphabetic() => {
            let mut at = 1;
            while let Some(found) = memchr::memchr3(b'>', b'"', b'\'', &bytes[at..]) {
                at += found + 1;
                let quote = bytes[at - 1];
                if quote == b'>' {
                    return at;
                }
                // Only a quote after `=` opens a value; in a piece, a quote without a partner is just a character.
                if bytes[..at - 1].trim_ascii_end().ends_with(b"=")
                    && let Some(end) = memchr::memchr(quote, &bytes[at..])
                {
                    at += end + 1;
                }
            }
            bytes.len()
        }
        _ => 0,
    }
}

/// The text that a reader sees of a whole source, with the position of every character in it.
///
/// The text is that of [`source_text`], except that attributes of tags, and anything between them, never appear.
#[derive(Clone, Debug)]
pub struct SourceText {
    /// The text.
    pub text: String,
    /// For each byte of the text, the start and the end of its character in the source.
    places: Vec<(u32, u32)>,
}

impl SourceText {
    /// Reads a source of less than 4 GiB; a longer one gives an empty text.
    pub fn new(source: &str) -> SourceText {
        let mut seen = SourceText {
            text: String::new(),
            places: Vec::new(),
        };
        if u32::try_from(source.len()).is_err() {
            return seen;
        }
        let bytes = source.as_bytes();
        let mut at = 0;
        let mut decoded = String::new();
        while let Some(c) = source[at..].chars().next() {
            if c == '<' {
                let taken = tag_len(&source[at..]);
                if taken > 0 {
                    at += taken;
                    continue;
                }
            }
            let mut taken = 0;
            decoded.clear();
            if c == '&' {
                let end = bytes.len().min(at + 40);
                let limit = memchr::memchr2(b'<', b'"', &bytes[at..end]).map_or(end, |len| at + len);
                taken = decode_reference(&bytes[at..limit], &mut decoded);
            }
            if taken == 0 {
                taken = c.len_utf8();
                decoded.push(c);
            }
            for c in decoded.chars() {
                seen.push(c, at, at + taken);
            }
            at += taken;
        }
        seen
    }

    fn push(&mut self, c: char, start: usize, end: usize) {
        let c = if c.is_whitespace() { ' ' } else { c };
        if c == ' ' && (self.text.is_empty() || self.text.ends_with(' ')) {
            return;
        }
        self.text.push(c);
        self.places.resize(self.text.len(), (start as u32, end as u32));
    }

    /// The start and the end in the source of a piece of the text, given by its bytes.
    pub fn place(&self, start: usize, end: usize) -> Option<(usize, usize)> {
        let (first, last) = (self.places.get(start)?, self.places.get(end.checked_sub(1)?)?);
        Some((first.0 as usize, last.1 as usize))
    }
}

fn is_plain(text: &str) -> bool {
    memchr::memchr2(b'<', b'&', text.as_bytes()).is_none() && is_joined(text)
}

/// Is every run of white space one plain space, with none at the ends?
fn is_joined(text: &str) -> bool {
    let mut before = ' ';
    for character in text.chars() {
        if character.is_whitespace() && (character != ' ' || before == ' ') {
            return false;
        }
        before = character;
    }
    text.is_empty() || before != ' '
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_lead_back() {
        let source = "<p>Bed &amp;\n <b>Breakfast</b> &eacute;t\u{e9}";
        let seen = SourceText::new(source);
        assert_eq!(seen.text, "Bed & Breakfast été");
        let place = |part: &str| {
            let at = seen.text.find(part).expect("the part");
            let (start, end) = seen.place(at, at + part.len()).expect("a place");
            &source[start..end]
        };
        assert_eq!(place("& Break"), "&amp;\n <b>Break");
        assert_eq!(place("été"), "&eacute;t\u{e9}");
    }

    #[test]
    fn tags_go_references_stay_as_characters() {
        for (source, text) in [
            ("Congo", "Congo"),
            ("  a  b\n", "a b"),
            ("<a href='x>y'>Z</a>", "Z"),
            ("1 < 2 &amp; 3 &lt; 4 & 5", "1 < 2 & 3 < 4 & 5"),
            ("a&nbsp;&nbsp;b", "a b"),
            ("a<!-- <b>no</b> -->c<", "ac<"),
            ("x <a href=\"unclosed>y", "x y"),
            ("x <a b", "x"),
            ("&eacute;&#33;&bogus;", "é!&bogus;"),
            ("", ""),
            ("&", "&"),
            ("é&é", "é&é"),
        ] {
            assert_eq!(source_text(source), text, "{source}");
        }
    }
}
