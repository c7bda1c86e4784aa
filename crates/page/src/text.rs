//! The text of a piece of source: tags and comments dropped, references decoded, white space joined.
//!
//! Learned rules cut pieces out of a page's source. A piece need not be balanced and was never parsed on its own, so this
//! is a scan and no parse: what looks like a tag, from `<` and a letter, `/`, `!` or `?` to the `>` that closes it outside
//! quotes, goes; everything else stays. A tag without an end takes the rest of the piece. One pass, and no copy at all for
//! the common piece that is plain text.

use crate::html::decode_reference;
use std::borrow::Cow;

/// The text that a reader sees of a piece of HTML source: no tags, no comments, references decoded, each run of white
/// space one space, none at the ends.
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

/// Bytes of the tag or comment that the text begins with; 0 if its `<` is only itself.
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
                // Only a quote behind `=` opens a value; in a piece, one without a partner is just a character.
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
