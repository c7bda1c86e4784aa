//! Bytes to text: finding the encoding of a page.
//!
//! The order is that of the HTML Standard (13.2.3): a byte order mark, then the charset from the transport, then a
//! `meta` in the first 16 KiB, then detection. Detection first checks whether all bytes are valid UTF-8, because legacy
//! text is almost never valid UTF-8 by chance; only then does it guess a legacy encoding from the statistics of the
//! text. Bytes that are invalid in the encoding become U+FFFD; no page is refused. Cost: one pass over the bytes; pages
//! in UTF-8 are borrowed, not copied.
//!
//! Known failure: for short pages in a legacy encoding without a declaration, the guess is often wrong.

use encoding_rs::{Encoding, REPLACEMENT, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252, X_USER_DEFINED};
use std::borrow::Cow;

/// How the bytes of a page were read as text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decoding {
    /// The encoding's name as the Encoding Standard spells it: `UTF-8`, `windows-1252`.
    pub encoding: &'static str,
    /// What decided it.
    pub source: EncodingSource,
    /// Were there bytes that are invalid in the encoding?
    pub malformed: bool,
}

impl Decoding {
    /// For text that was decoded before.
    pub(crate) fn of_text() -> Decoding {
        Decoding {
            encoding: "UTF-8",
            source: EncodingSource::Transport,
            malformed: false,
        }
    }
}

/// What decided the encoding of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EncodingSource {
    /// A byte order mark.
    ByteOrderMark,
    /// The transport, as in HTTP's `Content-Type`.
    Transport,
    /// A `meta` element near the start of the page.
    Meta,
    /// Statistics of the bytes.
    Detected,
}

/// Is this the label of a known charset?
pub fn is_charset(label: &str) -> bool {
    Encoding::for_label(label.as_bytes()).is_some()
}

/// Bytes that the prescan reads. Browsers read 1,024 and start again when the parser finds a `meta` later; here all
/// bytes are available at once, so one longer scan replaces both steps.
const PRESCAN: usize = 16 << 10;

/// Decodes a page. `transport` is the label of the charset that came with the page, if any.
///
/// The parser and delimiter rules work on this text. It does not include a byte order mark.
pub fn decode<'b>(bytes: &'b [u8], transport: Option<&str>) -> (Cow<'b, str>, Decoding) {
    let (encoding, source, skip) = choose(bytes, transport);
    let (text, malformed) = encoding.decode_without_bom_handling(&bytes[skip..]);
    (
        text,
        Decoding {
            encoding: encoding.name(),
            source,
            malformed,
        },
    )
}

fn choose(bytes: &[u8], transport: Option<&str>) -> (&'static Encoding, EncodingSource, usize) {
    if let Some((encoding, skip)) = Encoding::for_bom(bytes) {
        return (encoding, EncodingSource::ByteOrderMark, skip);
    }
    // The replacement encoding would turn the whole page into one U+FFFD: a guess is more useful.
    let usable = |encoding: &&'static Encoding| *encoding != REPLACEMENT;
    let said = transport
        .and_then(|label| Encoding::for_label(label.as_bytes()))
        .filter(usable);
    if let Some(encoding) = said {
        return (encoding, EncodingSource::Transport, 0);
    }
    if let Some(encoding) = prescan(&bytes[..bytes.len().min(PRESCAN)]).filter(usable) {
        return (encoding, EncodingSource::Meta, 0);
    }
    (detect(bytes), EncodingSource::Detected, 0)
}

fn detect(bytes: &[u8]) -> &'static Encoding {
    if std::str::from_utf8(bytes).is_ok() {
        return UTF_8;
    }
    // The statistics settle within the first few kilobytes of non-ASCII text; a megabyte is more than enough.
    let sample = &bytes[..bytes.len().min(1 << 20)];
    let mut detector = chardetng::EncodingDetector::new(chardetng::Iso2022JpDetection::Deny);
    detector.feed(sample, sample.len() == bytes.len());
    detector.guess(None, chardetng::Utf8Detection::Allow)
}

/// Looks for a `meta` that names the encoding (HTML Standard 13.2.3.2, "prescan a byte stream").
fn prescan(bytes: &[u8]) -> Option<&'static Encoding> {
    let mut scan = Scan { bytes, at: 0 };
    while scan.at < bytes.len() {
        let rest = &bytes[scan.at..];
        if rest.starts_with(b"<!--") {
            // The two dashes that open a comment can also close it: `<!-->`.
            let end = memchr::memmem::find(&rest[2..], b"-->")?;
            scan.at += 2 + end + 3;
            continue;
        }
        if rest.len() > 5
            && rest[..5].eq_ignore_ascii_case(b"<meta")
            && matches!(rest[5], b'\t' | b'\n' | b'\x0C' | b'\r' | b' ' | b'/')
        {
            scan.at += 5;
            if let Some(encoding) = scan.meta() {
                return Some(encoding);
            }
        } else if rest[0] == b'<'
            && rest
                .get(1 + usize::from(rest.get(1) == Some(&b'/')))?
                .is_ascii_alphabetic()
        {
            scan.at += memchr::memchr3(b' ', b'>', b'\t', rest)
                .into_iter()
                .chain(memchr::memchr3(b'\n', b'\x0C', b'\r', rest))
                .min()?;
            while scan.attribute()?.is_some() {}
        } else if rest[0] == b'<' && matches!(rest.get(1)?, b'!' | b'/' | b'?') {
            scan.at += memchr::memchr(b'>', rest)?;
        }
        scan.at += 1;
    }
    None
}

struct Scan<'b> {
    bytes: &'b [u8],
    at: usize,
}

impl Scan<'_> {
    /// Reads the attributes of a `meta` element, and the encoding that they name.
    fn meta(&mut self) -> Option<&'static Encoding> {
        let mut seen: Vec<Vec<u8>> = Vec::new();
        let mut pragma = false;
        let mut needs_pragma = None;
        let mut charset = None;
        while let Some((name, value)) = self.attribute()? {
            if seen.contains(&name) {
                continue;
            }
            match &name[..] {
                b"http-equiv" => pragma |= value == b"content-type",
                b"content" if charset.is_none() => {
                    if let Some(encoding) = charset_in_content(&value) {
                        charset = Some(encoding);
                        needs_pragma = Some(true);
                    }
                }
                b"charset" => {
                    charset = Encoding::for_label(&value);
                    needs_pragma = Some(false);
                }
                _ => {}
            }
            seen.push(name);
        }
        let encoding = charset?;
        if needs_pragma? && !pragma {
            return None;
        }
        // The `meta` was readable as ASCII, so the page is not in UTF-16.
        Some(match encoding {
            e if e == UTF_16BE || e == UTF_16LE => UTF_8,
            e if e == X_USER_DEFINED => WINDOWS_1252,
            e => e,
        })
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn skip(&mut self, unwanted: &[u8]) {
        while self.peek().is_some_and(|b| unwanted.contains(&b)) {
            self.at += 1;
        }
    }

    /// The next attribute, in lower case: outer `None` at the end of the bytes, inner `None` at the end of the tag.
    fn attribute(&mut self) -> Option<Option<(Vec<u8>, Vec<u8>)>> {
        const SPACE: &[u8] = b"\t\n\x0C\r ";
        self.skip(b"\t\n\x0C\r /");
        if self.peek()? == b'>' {
            return Some(None);
        }
        let mut name = Vec::new();
        loop {
            match self.peek()? {
                b'=' if !name.is_empty() => break,
                b'\t' | b'\n' | b'\x0C' | b'\r' | b' ' => {
                    self.skip(SPACE);
                    if self.peek()? != b'=' {
                        return Some(Some((name, Vec::new())));
                    }
                    break;
                }
                b'/' | b'>' => return Some(Some((name, Vec::new()))),
                byte => name.push(byte.to_ascii_lowercase()),
            }
            self.at += 1;
        }
        self.at += 1;
        self.skip(SPACE);
        let mut value = Vec::new();
        match self.peek()? {
            quote @ (b'"' | b'\'') => loop {
                self.at += 1;
                let byte = self.peek()?;
                if byte == quote {
                    self.at += 1;
                    return Some(Some((name, value)));
                }
                value.push(byte.to_ascii_lowercase());
            },
            b'>' => Some(Some((name, value))),
            _ => loop {
                match self.peek()? {
                    b'\t' | b'\n' | b'\x0C' | b'\r' | b' ' | b'>' => return Some(Some((name, value))),
                    byte => value.push(byte.to_ascii_lowercase()),
                }
                self.at += 1;
            },
        }
    }
}

/// Finds `charset=…` in the `content` of a `meta`.
fn charset_in_content(content: &[u8]) -> Option<&'static Encoding> {
    let space = |b: &u8| b.is_ascii_whitespace();
    let mut rest = content;
    loop {
        rest = &rest[memchr::memmem::find(rest, b"charset")? + 7..];
        let trimmed = rest.trim_ascii_start();
        if let Some(after) = trimmed.strip_prefix(b"=") {
            rest = after.trim_ascii_start();
            break;
        }
    }
    let label = match rest.first()? {
        quote @ (b'"' | b'\'') => {
            let inner = &rest[1..];
            &inner[..memchr::memchr(*quote, inner)?]
        }
        _ => rest.split(|b| space(b) || *b == b';').next()?,
    };
    Encoding::for_label(label)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(bytes: &[u8], transport: Option<&str>, encoding: &str, source: EncodingSource, text: &str) {
        let (decoded, decoding) = decode(bytes, transport);
        assert_eq!(
            (decoding.encoding, decoding.source, &*decoded),
            (encoding, source, text)
        );
    }

    #[test]
    fn a_mark_beats_the_transport_beats_the_meta_beats_detection() {
        use EncodingSource::*;
        check(b"\xEF\xBB\xBF\xC3\xA9", Some("latin1"), "UTF-8", ByteOrderMark, "é");
        check(b"\xFE\xFF\x00\xE9", None, "UTF-16BE", ByteOrderMark, "é");
        check(
            b"<meta charset=utf-8>\xE9",
            Some("ISO-8859-1"),
            "windows-1252",
            Transport,
            "<meta charset=utf-8>é",
        );
        check(
            b"<meta charset='koi8-r'>\xC9",
            None,
            "KOI8-R",
            Meta,
            "<meta charset='koi8-r'>и",
        );
        check("<p>é".as_bytes(), None, "UTF-8", Detected, "<p>é");
        check(
            b"caf\xE9 \x96 na\xEFve r\xE9sum\xE9",
            None,
            "windows-1252",
            Detected,
            "café – naïve résumé",
        );
        check(b"", None, "UTF-8", Detected, "");
        check(b"\xE9", Some("no-such-charset"), "windows-1252", Detected, "é");
    }

    #[test]
    fn malformed_bytes_are_replaced_and_reported() {
        let (text, decoding) = decode(b"a\xFFb", Some("utf-8"));
        assert_eq!(text, "a\u{FFFD}b");
        assert!(decoding.malformed);
    }

    /// The encoding tests of html5lib: `#data` / `#encoding` pairs.
    #[test]
    #[expect(clippy::print_stderr, reason = "the count is of interest")]
    fn html5lib_encoding_tests() {
        let dir = concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../../../shared/reference/html5lib-tests/encoding"
        );
        let mut run = 0;
        for file in ["tests1.dat", "tests2.dat", "test-yahoo-jp.dat"] {
            let Ok(content) = std::fs::read(format!("{dir}/{file}")) else {
                skip::skip("page: html5lib encodings", &format!("{dir}/{file} is missing"));
                continue;
            };
            for case in Cases(&content) {
                let (data, expected) = case;
                let marked = Encoding::for_bom(data).map(|(encoding, _)| encoding);
                let declared = || prescan(&data[..data.len().min(PRESCAN)]);
                let got = marked.or_else(declared).unwrap_or(WINDOWS_1252).name();
                let expected = Encoding::for_label(expected).expect("a label in the test data").name();
                assert_eq!(got, expected, "{file}: {}", String::from_utf8_lossy(data));
                run += 1;
            }
        }
        eprintln!("{run} encoding tests passed");
    }

    struct Cases<'b>(&'b [u8]);

    impl<'b> Iterator for Cases<'b> {
        type Item = (&'b [u8], &'b [u8]);
        fn next(&mut self) -> Option<Self::Item> {
            let start = memchr::memmem::find(self.0, b"#data\n")? + 6;
            let middle = start + memchr::memmem::find(&self.0[start..], b"#encoding\n")?;
            let label = middle + 10;
            let end = label + memchr::memchr(b'\n', &self.0[label..]).unwrap_or(self.0.len() - label);
            let case = (&self.0[start..middle], &self.0[label..end]);
            self.0 = &self.0[end..];
            Some(case)
        }
    }
}
