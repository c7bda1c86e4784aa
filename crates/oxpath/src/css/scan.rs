//! The characters of selectors: names, strings, numbers, white space, and what to say when others were expected.

use super::CssError;

pub(super) type Result<T> = std::result::Result<T, CssError>;

/// White space of CSS.
pub(super) fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\r' | '\u{c}')
}

/// May a name begin with this? Unusual white space may be part of a name in CSS; it is more often a mistake.
fn is_name_start(c: char) -> bool {
    c.is_ascii_alphabetic() || c == '_' || (!c.is_ascii() && !c.is_whitespace() && !c.is_control())
}

/// A selector, read up to a place.
pub(super) struct Parser<'s> {
    source: &'s str,
    /// How many bytes have been read.
    pub(super) at: usize,
    /// How many lists of arguments are open.
    pub(super) nesting: usize,
}

impl<'s> Parser<'s> {
    pub(super) fn new(source: &'s str) -> Parser<'s> {
        Parser {
            source,
            at: 0,
            nesting: 0,
        }
    }

    pub(super) fn rest(&self) -> &'s str {
        &self.source[self.at..]
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    pub(super) fn bump(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.at += c.len_utf8();
        Some(c)
    }

    pub(super) fn eat(&mut self, text: &str) -> bool {
        let found = self.rest().starts_with(text);
        self.at += if found { text.len() } else { 0 };
        found
    }

    pub(super) fn expect(&mut self, text: &str) -> Result<()> {
        match self.eat(text) {
            true => Ok(()),
            false => self.expected(&format!("`{text}`")),
        }
    }

    pub(super) fn fail<T>(&self, at: usize, message: impl Into<String>) -> Result<T> {
        let message = message.into();
        Err(CssError { at, message })
    }

    pub(super) fn expected<T>(&self, what: &str) -> Result<T> {
        let found = match self.peek() {
            None => "the end".to_owned(),
            Some(c) if c.is_control() || (c.is_whitespace() && c != ' ') => format!("U+{:04X}", u32::from(c)),
            Some(c) => format!("`{c}`"),
        };
        self.fail(self.at, format!("expected {what}, found {found}"))
    }

    pub(super) fn skip_comments(&mut self) -> Result<()> {
        while self.rest().starts_with("/*") {
            match self.rest()[2..].find("*/") {
                Some(length) => self.at += length + 4,
                None => return self.fail(self.at, "expected `*/` at the end of this comment, found the end"),
            }
        }
        Ok(())
    }

    /// Skips comments and white space, and says whether there was white space.
    pub(super) fn skip(&mut self) -> Result<bool> {
        let mut spaced = false;
        loop {
            self.skip_comments()?;
            let trimmed = self.rest().trim_start_matches(is_space);
            let spaces = self.rest().len() - trimmed.len();
            if spaces == 0 {
                return Ok(spaced);
            }
            spaced = true;
            self.at += spaces;
        }
    }

    pub(super) fn sign(&mut self) -> Option<i64> {
        match self.eat("-") {
            true => Some(-1),
            false => self.eat("+").then_some(1),
        }
    }

    /// A number; no page has as many siblings as the greatest.
    pub(super) fn digits(&mut self) -> Option<i64> {
        let rest = self.rest();
        let digits = &rest[..rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len()];
        self.at += digits.len();
        let add = |sum: i64, digit: u8| (sum * 10 + i64::from(digit - b'0')).min(i64::from(i32::MAX));
        (!digits.is_empty()).then(|| digits.bytes().fold(0, add))
    }

    /// A string in quotes, or a name.
    pub(super) fn text(&mut self, what: &str) -> Result<String> {
        let start = self.at;
        let quote = match self.peek() {
            Some(quote @ ('"' | '\'')) => quote,
            _ => return self.ident(what),
        };
        self.bump();
        let mut text = String::new();
        loop {
            match self.peek() {
                None | Some('\n' | '\r' | '\u{c}') => {
                    return self.fail(start, format!("expected a closing `{quote}` in the same line"));
                }
                Some('\\') if self.rest()[1..].starts_with(['\n', '\r', '\u{c}']) => {
                    self.at += if self.rest().starts_with("\\\r\n") { 3 } else { 2 };
                }
                Some('\\') => text.push(self.escape()?),
                Some(c) => {
                    self.bump();
                    if c == quote {
                        return Ok(text);
                    }
                    text.push(c);
                }
            }
        }
    }

    pub(super) fn at_ident(&self) -> bool {
        let rest = self.rest();
        let start = rest.strip_prefix('-').unwrap_or(rest);
        rest.starts_with("--") || start.starts_with(|c| is_name_start(c) || c == '\\')
    }

    /// A name, with its escapes undone.
    pub(super) fn ident(&mut self, what: &str) -> Result<String> {
        if !self.at_ident() {
            return match self.peek() {
                Some(digit @ '0'..='9') => self.expected(&format!(
                    "{what} (a name that begins with a digit is written `\\3{digit} …`)"
                )),
                _ => self.expected(what),
            };
        }
        let mut name = String::new();
        loop {
            match self.peek() {
                Some('\\') => name.push(self.escape()?),
                Some(c) if is_name_start(c) || c.is_ascii_digit() || c == '-' => {
                    name.push(c);
                    self.bump();
                }
                _ => return Ok(name),
            }
        }
    }

    /// ```text
    /// escape ::= '\' (hex{1,6} space? | any but hex and newline)
    /// ```
    fn escape(&mut self) -> Result<char> {
        self.expect("\\")?;
        let hex = self.rest().bytes().take(6).take_while(u8::is_ascii_hexdigit).count();
        if hex == 0 {
            return match self.peek() {
                None | Some('\n' | '\r' | '\u{c}') => self.expected("a character after the backslash"),
                Some(c) => {
                    self.bump();
                    Ok(c)
                }
            };
        }
        let code = u32::from_str_radix(&self.rest()[..hex], 16).unwrap_or(0);
        self.at += hex;
        if !self.eat("\r\n") && self.peek().is_some_and(is_space) {
            self.bump();
        }
        let known = char::from_u32(code).filter(|c| *c != '\0');
        Ok(known.unwrap_or(char::REPLACEMENT_CHARACTER))
    }
}
