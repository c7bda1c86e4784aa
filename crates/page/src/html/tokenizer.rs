//! Tokenization (HTML Standard 13.2.5), from the bytes of the source.
//!
//! The standard's eighty states read one character each. Here a state is a position in the code, and the bytes between
//! two interesting ones are skipped at once: text up to `<` or `&`, a comment up to `>`, raw text up to `</`. No byte
//! is examined twice for the same purpose, so an unclosed comment, quote or script costs one pass to the end.
//!
//! Rare bytes are sought once, in the whole source: if it contains no carriage return and no NUL, text and values need
//! not be searched for them.
//!
//! All bytes that matter are ASCII, so a range between two of them is whole characters.

use super::builder::{Builder, Content, DoctypeToken, Tag};
use super::entities;
use super::lookup::{SHORT_NAMES, ShortNames, ends_name, short_name};
use super::scan::{find2, find3};
use crate::limits::LimitError;
use crate::name::{NameId, known};
use crate::scratch::{Attribute, Piece, Scratch};
use memchr::{memchr, memchr2, memchr3};

/// Which character references a stretch of source may contain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum References {
    None,
    InText,
    InAttribute,
}

#[inline]
fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\n' | b'\t' | b'\r' | b'\x0C')
}

/// The tokenizer and the builder that it calls.
#[derive(Debug)]
pub(super) struct Tokenizer<'s> {
    source: &'s str,
    bytes: &'s [u8],
    at: usize,
    builder: Builder<'s>,
    short_names: &'static ShortNames,
    has_return: bool,
    has_null: bool,
    /// The name of the last start tag, whose end tag ends raw text.
    last_start: Option<NameId>,
    /// For each name, the number of the last tag that had an attribute of that name.
    seen: Vec<u32>,
    tag_number: u32,
    /// A buffer for names that are not in lower case.
    buffer: String,
}

impl<'s> Tokenizer<'s> {
    pub(super) fn new(source: &'s str, builder: Builder<'s>) -> Tokenizer<'s> {
        let bytes = source.as_bytes();
        let rare = memchr2(b'\r', 0, bytes);
        Tokenizer {
            source,
            bytes,
            at: 0,
            builder,
            short_names: &SHORT_NAMES,
            has_return: rare.is_some_and(|at| memchr(b'\r', &bytes[at..]).is_some()),
            has_null: rare.is_some_and(|at| memchr(0, &bytes[at..]).is_some()),
            last_start: None,
            seen: vec![0; 512],
            tag_number: 0,
            buffer: String::new(),
        }
    }

    pub(super) fn run(mut self) -> Result<Scratch<'s>, LimitError> {
        while self.at < self.bytes.len() {
            match self.builder.content {
                Content::Data => self.data()?,
                Content::Rcdata => self.raw_text(References::InText),
                Content::Rawtext => self.raw_text(References::None),
                Content::Script => self.script(),
                Content::Plaintext => self.raw_rest(References::None),
            }
            self.builder.check()?;
        }
        self.builder.finish()
    }

    #[inline]
    fn byte(&self, at: usize) -> Option<u8> {
        self.bytes.get(at).copied()
    }

    /// Reads markup, until a tag requires something else or the source ends.
    fn data(&mut self) -> Result<(), LimitError> {
        while self.at < self.bytes.len() {
            let start = self.at;
            let (open, special) = self.find_markup(start);
            if open > start {
                self.at = open;
                self.text(start, special, open);
            }
            match self.byte(open + 1) {
                Some(byte) if byte.is_ascii_alphabetic() => {
                    self.at = open + 1;
                    self.start_tag()?;
                    if self.builder.content != Content::Data {
                        break;
                    }
                }
                Some(b'/') => self.end_tag_open(open),
                Some(b'!') => self.declaration(open + 2),
                Some(_) => self.bogus_comment(open + 1),
                None => {}
            }
            self.builder.check()?;
        }
        Ok(())
    }

    /// The position of the next markup, and of the first byte before it that makes text differ from its source, if any.
    #[inline]
    fn find_markup(&self, start: usize) -> (usize, Option<usize>) {
        let end = self.bytes.len();
        let mut at = start;
        let mut special = None;
        loop {
            let found = if special.is_some() {
                memchr(b'<', &self.bytes[at..]).map(|len| at + len)
            } else if self.has_return {
                find3(self.bytes, at, b'<', b'&', b'\r')
            } else {
                find2(self.bytes, at, b'<', b'&')
            };
            let Some(found) = found else { return (end, special) };
            at = found;
            if self.bytes[at] != b'<' {
                special = Some(at);
            } else if let Some(b'a'..=b'z' | b'A'..=b'Z' | b'/' | b'!' | b'?') = self.byte(at + 1) {
                return (at, special);
            }
            at += 1;
        }
    }

    /// Passes a run of text to the builder.
    #[inline]
    fn text(&mut self, start: usize, special: Option<usize>, end: usize) {
        if self.has_null {
            return self.text_with_nulls(start, end, References::InText);
        }
        let piece = match special {
            None => Piece::of_source(start, end),
            Some(special) => self.decode(start, special, end, References::InText),
        };
        self.builder.text(piece);
    }

    /// Passes text whose NULs the builder must see one by one.
    #[cold]
    fn text_with_nulls(&mut self, mut start: usize, end: usize, references: References) {
        loop {
            let null = memchr(0, &self.bytes[start..end]).map_or(end, |at| start + at);
            if null > start {
                let piece = self.piece(start, null, references);
                self.builder.text(piece);
            }
            // The rejection can wait for the end of the text, but there must not be a node for each of its bytes.
            if null == end || self.builder.check().is_err() {
                return;
            }
            self.builder.null();
            start = null + 1;
        }
    }

    /// The text of a range: the range itself, or its decoded form.
    #[inline]
    fn piece(&mut self, start: usize, end: usize, references: References) -> Piece {
        match self.find_special(start, end, references) {
            None => Piece::of_source(start, end),
            Some(special) => self.decode(start, special, end, references),
        }
    }

    /// The first byte of a range that makes the text differ from its source.
    #[inline]
    fn find_special(&self, start: usize, end: usize, references: References) -> Option<usize> {
        let range = &self.bytes[start..end];
        let found = match (references != References::None, self.has_return || self.has_null) {
            (true, false) => memchr(b'&', range),
            (true, true) => memchr3(b'&', b'\r', 0, range),
            (false, false) => None,
            (false, true) => memchr2(b'\r', 0, range),
        };
        found.map(|at| start + at)
    }

    /// Decodes a range whose first special byte is at `special`.
    fn decode(&mut self, start: usize, special: usize, end: usize, references: References) -> Piece {
        let first = self.builder.scratch.extra.len();
        let mut copied = start;
        let mut next = Some(special);
        while let Some(at) = next {
            let extra = &mut self.builder.scratch.extra;
            extra.push_str(&self.source[copied..at]);
            copied = at + 1;
            match self.bytes[at] {
                b'&' => {
                    let in_attribute = references == References::InAttribute;
                    match entities::decode(&self.bytes[at..end], in_attribute, extra) {
                        0 => extra.push('&'),
                        len => copied = at + len,
                    }
                }
                // If a line feed follows a carriage return, it is copied with the text after it.
                b'\r' if copied < end && self.bytes[copied] == b'\n' => {}
                b'\r' => extra.push('\n'),
                _ => extra.push('\u{FFFD}'),
            }
            next = self.find_special(copied, end, references);
        }
        self.builder.scratch.extra.push_str(&self.source[copied..end]);
        self.builder.extra_piece(first)
    }

    /// Reads the name at `self.at`, which moves to its end.
    #[inline]
    fn name(&mut self, in_attribute: bool) -> NameId {
        let start = self.at;
        if let Some((key, len)) = short_name(self.bytes, start, in_attribute)
            && let Some(name) = self.short_names.find(key)
        {
            self.at = start + len;
            return name;
        }
        self.long_name(start, in_attribute)
    }

    /// Reads the name that begins at `start` and continues at `self.at`, using the page's own names.
    #[inline(never)]
    fn long_name(&mut self, start: usize, in_attribute: bool) -> NameId {
        let mut changed = false;
        let rest = &self.bytes[self.at..];
        let len = rest.iter().position(|&byte| {
            changed |= byte == 0 || byte.is_ascii_uppercase();
            ends_name(byte, in_attribute)
        });
        self.at += len.unwrap_or(rest.len());
        let name = &self.source[start..self.at];
        if !changed {
            return self.builder.scratch.names.intern(name);
        }
        self.buffer.clear();
        self.buffer.extend(
            name.chars()
                .map(|c| if c == '\0' { '\u{FFFD}' } else { c.to_ascii_lowercase() }),
        );
        self.builder.scratch.names.intern(&self.buffer)
    }

    /// Reads a start tag, whose name is at `self.at`. A tag that the source leaves open is dropped.
    #[inline]
    fn start_tag(&mut self) -> Result<(), LimitError> {
        let name = self.name(false);
        let first_attribute = self.builder.scratch.attributes.len();
        if let Some(self_closing) = self.attributes(first_attribute)? {
            self.last_start = Some(name);
            let attributes = (self.builder.scratch.attributes.len() - first_attribute) as u32;
            self.builder.start_tag(Tag {
                name,
                first_attribute: first_attribute as u32,
                attributes,
                self_closing,
            });
        } else {
            self.builder.scratch.attributes.truncate(first_attribute);
        }
        Ok(())
    }

    /// Reads the attributes of a tag up to its `>`; returns whether there is a `/` before it, or `None` if the source
    /// ends.
    #[inline]
    fn attributes(&mut self, first: usize) -> Result<Option<bool>, LimitError> {
        let bytes = self.bytes;
        if bytes.get(self.at) == Some(&b'>') {
            self.at += 1;
            return Ok(Some(false));
        }
        self.tag_number = self.tag_number.wrapping_add(1);
        loop {
            let Some(&byte) = bytes.get(self.at) else {
                return Ok(None);
            };
            match byte {
                b' ' | b'\n' | b'\t' | b'\r' | b'\x0C' => self.at += 1,
                b'>' => {
                    self.at += 1;
                    return Ok(Some(false));
                }
                b'/' => {
                    self.at += 1;
                    if self.byte(self.at) == Some(b'>') {
                        self.at += 1;
                        return Ok(Some(true));
                    }
                }
                _ => {
                    if !self.attribute(byte) {
                        return Ok(None);
                    }
                    if self.builder.scratch.attributes.len() - first > 1 << 10 {
                        self.builder.check()?;
                    }
                }
            }
        }
    }

    /// Reads one attribute; returns false if the source ends in it.
    #[inline]
    fn attribute(&mut self, byte: u8) -> bool {
        // An equals sign may begin a name but not continue it.
        let name = if byte == b'=' {
            self.at += 1;
            self.long_name(self.at - 1, true)
        } else {
            self.name(true)
        };
        let value = match self.bytes.get(self.at..self.at + 2) {
            Some(&[b'=', quote @ (b'"' | b'\'')]) => self.quoted(self.at + 2, quote),
            _ => self.value(),
        };
        let Some(value) = value else { return false };
        if name.index() >= self.seen.len() {
            self.seen.resize((name.index() + 1).next_power_of_two(), 0);
        }
        // If several attributes have the same name, the first one counts.
        if std::mem::replace(&mut self.seen[name.index()], self.tag_number) != self.tag_number {
            self.builder.scratch.attributes.push(Attribute { name, value });
        }
        true
    }

    /// Reads the value of an attribute; `self.at` is after its name. `None` if the source ends in it.
    fn value(&mut self) -> Option<Piece> {
        self.skip_space();
        if self.byte(self.at) != Some(b'=') {
            return Some(Piece::default());
        }
        self.at += 1;
        self.skip_space();
        let start = self.at;
        match self.byte(start)? {
            b'>' => Some(Piece::default()),
            quote @ (b'"' | b'\'') => self.quoted(start + 1, quote),
            _ => {
                let rest = &self.bytes[start..];
                let len = rest.iter().position(|&byte| is_space(byte) || byte == b'>');
                self.at += len.unwrap_or(rest.len());
                len.map(|_| self.piece(start, self.at, References::InAttribute))
            }
        }
    }

    /// Reads the value from `start` up to a quote, unless the source ends before it.
    #[inline]
    fn quoted(&mut self, start: usize, quote: u8) -> Option<Piece> {
        if !self.has_return && !self.has_null {
            let found = find2(self.bytes, start, quote, b'&');
            if let Some(end) = found
                && self.bytes[end] == quote
            {
                self.at = end + 1;
                return Some(Piece::of_source(start, end));
            }
        }
        let Some(len) = memchr(quote, &self.bytes[start..]) else {
            self.at = self.bytes.len();
            return None;
        };
        self.at = start + len + 1;
        Some(self.piece(start, start + len, References::InAttribute))
    }

    #[inline]
    fn skip_space(&mut self) {
        while self.byte(self.at).is_some_and(is_space) {
            self.at += 1;
        }
    }

    /// Handles `</` at `open`.
    #[inline]
    fn end_tag_open(&mut self, open: usize) {
        self.at = open + 2;
        match self.byte(open + 2) {
            Some(byte) if byte.is_ascii_alphabetic() => {
                let name = self.name(false);
                self.end_tag(name);
            }
            Some(b'>') => self.at += 1,
            Some(_) => self.bogus_comment(open + 2),
            None => self.builder.text(Piece::of_source(open, open + 2)),
        }
    }

    /// Handles an end tag; `self.at` is after its name.
    #[inline]
    fn end_tag(&mut self, name: NameId) {
        if self.skip_attributes() {
            self.builder.end_tag(name);
        }
    }

    /// Skips everything after the name of an end tag; returns false if the source ends in it.
    fn skip_attributes(&mut self) -> bool {
        if self.byte(self.at) == Some(b'>') {
            self.at += 1;
            return true;
        }
        let first = self.builder.scratch.attributes.len();
        let ended = self.attributes_dropped(first);
        self.builder.scratch.attributes.truncate(first);
        ended
    }

    /// Reads attributes that are not needed, without keeping them.
    #[cold]
    fn attributes_dropped(&mut self, first: usize) -> bool {
        loop {
            match self.byte(self.at) {
                None => return false,
                Some(byte) if is_space(byte) || byte == b'/' => self.at += 1,
                Some(b'>') => {
                    self.at += 1;
                    return true;
                }
                Some(byte) => {
                    if !self.attribute(byte) {
                        return false;
                    }
                    self.builder.scratch.attributes.truncate(first);
                }
            }
        }
    }

    /// Handles `<!`; `start` is the position after it.
    fn declaration(&mut self, start: usize) {
        let rest = &self.bytes[start..];
        if rest.starts_with(b"--") {
            self.comment(start + 2);
        } else if rest.get(..7).is_some_and(|word| word.eq_ignore_ascii_case(b"doctype")) {
            self.at = start + 7;
            let token = self.doctype();
            self.builder.doctype(token);
        } else if rest.starts_with(b"[CDATA[") && self.builder.in_foreign() {
            self.cdata(start + 7);
        } else {
            self.bogus_comment(start);
        }
    }

    fn cdata(&mut self, start: usize) {
        let end = memchr::memmem::find(&self.bytes[start..], b"]]>").map(|len| start + len);
        self.at = end.map_or(self.bytes.len(), |end| end + 3);
        let end = end.unwrap_or(self.bytes.len());
        if end > start {
            self.text_with_nulls(start, end, References::None);
        }
    }

    /// Reads a comment that ends at the next `>`.
    fn bogus_comment(&mut self, start: usize) {
        let end = memchr(b'>', &self.bytes[start..]).map_or(self.bytes.len(), |len| start + len);
        self.at = (end + 1).min(self.bytes.len());
        let piece = self.piece(start, end, References::None);
        self.builder.comment(piece);
    }

    /// Reads a comment whose text begins at `start`. It ends with `-->` or `--!>`, or as `<!-->` or `<!--->`.
    fn comment(&mut self, start: usize) {
        let mut at = start;
        let end = loop {
            let Some(len) = memchr(b'>', &self.bytes[at..]) else {
                self.at = self.bytes.len();
                let text = &self.bytes[start..];
                break self.bytes.len()
                    - match text {
                        [.., b'-', b'-', b'!'] => 3,
                        [.., b'-', b'-'] => 2,
                        [.., b'-'] => 1,
                        _ => 0,
                    };
            };
            at += len + 1;
            self.at = at;
            let text = &self.bytes[start..at - 1];
            if text.ends_with(b"--") {
                break at - 3;
            }
            if text.ends_with(b"--!") {
                break at - 4;
            }
            if text.is_empty() || text == b"-" {
                break start;
            }
        };
        let piece = self.piece(start, end, References::None);
        self.builder.comment(piece);
    }

    /// Reads a document type; `self.at` is after the keyword.
    fn doctype(&mut self) -> DoctypeToken {
        let mut token = DoctypeToken::default();
        self.skip_space();
        let start = self.at;
        while self.byte(self.at).is_some_and(|byte| byte != b'>' && !is_space(byte)) {
            self.at += 1;
        }
        token.name = self.source[start..self.at]
            .to_ascii_lowercase()
            .replace('\0', "\u{FFFD}");
        self.skip_space();
        if token.name.is_empty() || !self.doctype_ids(&mut token) {
            token.force_quirks = true;
        }
        // Everything else up to the end is ignored.
        let rest = &self.bytes[self.at..];
        match memchr(b'>', rest) {
            Some(len) => self.at += len + 1,
            None => {
                self.at = self.bytes.len();
                token.force_quirks |= rest.is_empty();
            }
        }
        token
    }

    /// Reads the identifiers; returns false if something is wrong with them.
    fn doctype_ids(&mut self, token: &mut DoctypeToken) -> bool {
        let mut word = [0; 6];
        match self.bytes.get(self.at..self.at + 6) {
            Some(bytes) => word.copy_from_slice(bytes),
            None => return self.byte(self.at) == Some(b'>'),
        }
        word.make_ascii_lowercase();
        if self.byte(self.at) == Some(b'>') {
            return true;
        }
        if !matches!(&word, b"public" | b"system") {
            return false;
        }
        self.at += 6;
        self.skip_space();
        if &word == b"public" {
            let Some((id, closed)) = self.doctype_id() else {
                return false;
            };
            token.public_id = Some(id);
            if !closed {
                return false;
            }
            self.skip_space();
            if self.byte(self.at) == Some(b'>') {
                return true;
            }
        }
        let Some((id, closed)) = self.doctype_id() else {
            return false;
        };
        token.system_id = Some(id);
        if closed {
            self.skip_space();
        }
        closed
    }

    /// Reads a quoted identifier; also returns whether its quote is closed before the end of the tag.
    fn doctype_id(&mut self) -> Option<(String, bool)> {
        let quote = self.byte(self.at).filter(|byte| matches!(byte, b'"' | b'\''))?;
        let start = self.at + 1;
        let end = memchr2(quote, b'>', &self.bytes[start..]).map_or(self.bytes.len(), |len| start + len);
        let closed = self.byte(end) == Some(quote);
        self.at = end + usize::from(closed);
        let piece = self.piece(start, end, References::None);
        Some((self.builder.scratch.text(piece).to_owned(), closed))
    }

    /// Reads the text of an element such as `title` or `style`, up to its end tag.
    fn raw_text(&mut self, references: References) {
        let start = self.at;
        let mut at = start;
        while let Some(len) = memchr(b'<', &self.bytes[at..]) {
            at += len;
            if let Some(name_end) = self.raw_end(at) {
                self.raw_range(start, at, references);
                return self.leave_raw(at, name_end);
            }
            at += 1;
        }
        self.raw_rest(references);
    }

    /// If `open` is the end tag of the element whose text is read: the position where its name ends.
    fn raw_end(&self, open: usize) -> Option<usize> {
        let name = self.builder.scratch.names.text(self.last_start?).as_bytes();
        let start = open + 2;
        let end = start + name.len();
        (self.byte(open + 1) == Some(b'/')
            && self.bytes.get(start..end)?.eq_ignore_ascii_case(name)
            && self.byte(end).is_some_and(|byte| ends_name(byte, false)))
        .then_some(end)
    }

    /// Handles the end tag at `open`, which ends raw text.
    fn leave_raw(&mut self, open: usize, name_end: usize) {
        self.at = open + 2;
        let name = self.name(false);
        debug_assert_eq!(self.at, name_end);
        self.builder.content = Content::Data;
        self.end_tag(name);
    }

    fn raw_range(&mut self, start: usize, end: usize, references: References) {
        if end > start {
            let piece = self.piece(start, end, references);
            self.builder.text(piece);
        }
    }

    fn raw_rest(&mut self, references: References) {
        let start = self.at;
        self.at = self.bytes.len();
        self.raw_range(start, self.at, references);
    }

    /// Reads the text of a script (13.2.5.4, 13.2.5.15 to 13.2.5.31): between `<!--` and `-->`, a `<script` makes the
    /// next `</script` part of the text.
    fn script(&mut self) {
        let start = self.at;
        let mut at = start;
        let mut escaped = false;
        let mut doubly = false;
        loop {
            let rest = &self.bytes[at..];
            let found = if escaped {
                memchr2(b'<', b'>', rest)
            } else {
                memchr(b'<', rest)
            };
            let Some(len) = found else {
                return self.raw_rest(References::None);
            };
            at += len;
            if self.bytes[at] == b'>' {
                if self.bytes[..at].ends_with(b"--") {
                    (escaped, doubly) = (false, false);
                }
                at += 1;
            } else if !escaped && self.bytes[at..].starts_with(b"<!--") {
                escaped = true;
                // The dashes may already be the ones that end it.
                at += 4;
            } else if let Some(end) = self.script_word(at + 1, b"/script") {
                if !doubly {
                    self.raw_range(start, at, References::None);
                    // In the fragment algorithm there is no start tag that this end tag could belong to.
                    if self.last_start == Some(known::SCRIPT) {
                        return self.leave_raw(at, end);
                    }
                    return self.raw_rest_from(at);
                }
                doubly = false;
                at = end;
            } else if escaped
                && !doubly
                && let Some(end) = self.script_word(at + 1, b"script")
            {
                doubly = true;
                at = end;
            } else {
                at += 1;
            }
        }
    }

    fn raw_rest_from(&mut self, at: usize) {
        self.at = at;
        self.raw_rest(References::None);
    }

    /// The position where a word ends, if a byte follows that may end the name of a tag.
    fn script_word(&self, start: usize, word: &[u8]) -> Option<usize> {
        let end = start + word.len();
        (self.bytes.get(start..end)?.eq_ignore_ascii_case(word)
            && self.byte(end).is_some_and(|byte| ends_name(byte, false)))
        .then_some(end)
    }
}
