//! Standard output and standard error when a person reads them.
//!
//! Pages contain anything, and a terminal obeys control characters: it moves its cursor, renames its window, or types a
//! command. So they are escaped as JSON does it (`\u001b`): in messages always, and on standard output if it is a terminal.
//! Records in a pipe or a file stay as they are. Messages also lose the signs that turn the direction of writing, with
//! which an address can be made to look like another; records keep them, because some languages need them.

use crate::whole::Pieces;
use anyhow::Context;
use std::borrow::Cow;
use std::fmt::Write as _;
use std::io::{self, IsTerminal, Write};

/// When messages are coloured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Colour {
    /// On a terminal, unless NO_COLOR is set
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// A text that steers no terminal. It is also still JSON, if it was.
pub(crate) fn escaped(text: &str) -> Cow<'_, str> {
    if !text.contains(steers) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match steers(c) {
            true => {
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            false => out.push(c),
        }
    }
    Cow::Owned(out)
}

/// A text of the same length in bytes that steers no terminal, for messages that point at bytes.
pub(crate) fn blanked(text: &str) -> String {
    let blank = |c: char| match c.len_utf8() {
        1 => '?',
        2 => '¿',
        _ => '\u{FFFD}',
    };
    text.chars().map(|c| if steers(c) { blank(c) } else { c }).collect()
}

fn steers(c: char) -> bool {
    c.is_control() && !matches!(c, '\n' | '\t')
        || matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Writes a text to standard output.
pub(crate) fn print(text: &str) -> anyhow::Result<()> {
    Stdout::open()
        .and_then(|mut out| out.write_all(text.as_bytes()))
        .context("cannot write to standard output")
}

/// Writes a text that contains no data of pages, or in which it is escaped, to standard output: colours stay.
pub(crate) fn print_painted(text: &str) -> anyhow::Result<()> {
    Pieces::stdout()
        .and_then(|mut out| out.write_all(text.as_bytes()))
        .context("cannot write to standard output")
}

/// Standard output, without a buffer. That of the standard library takes everything and says nothing if it cannot be
/// written to (`EBADF`).
pub(crate) struct Stdout {
    out: Pieces,
    /// Does a person read it?
    is_terminal: bool,
    /// The first byte of a character that may be a control character (U+0080 to U+009F): the second is in the next piece.
    half: bool,
}

/// The first byte of U+0080 to U+00BF.
const FIRST: u8 = 0xC2;

impl Stdout {
    pub(crate) fn open() -> io::Result<Stdout> {
        Ok(Stdout {
            out: Pieces::stdout()?,
            is_terminal: io::stdout().is_terminal(),
            half: false,
        })
    }
}

impl Write for Stdout {
    fn write(&mut self, piece: &[u8]) -> io::Result<usize> {
        if !self.is_terminal {
            return self.out.write(piece);
        }
        let mut text = Vec::with_capacity(piece.len() + 16);
        escape(piece, &mut self.half, &mut text);
        self.out.write_all(&text)?;
        Ok(piece.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        if std::mem::take(&mut self.half) {
            self.out.write_all(&[FIRST])?;
        }
        self.out.flush()
    }
}

/// Escapes the control characters of a piece of UTF-8, which may begin and end within a character.
fn escape(piece: &[u8], half: &mut bool, out: &mut Vec<u8>) {
    for byte in piece {
        if std::mem::take(half) {
            match byte {
                0x80..=0x9F => {
                    out.extend(format!("\\u{byte:04x}").bytes());
                    continue;
                }
                _ => out.push(FIRST),
            }
        }
        match byte {
            &FIRST => *half = true,
            b'\n' | b'\t' => out.push(*byte),
            0..0x20 | 0x7F => out.extend(format!("\\u{byte:04x}").bytes()),
            _ => out.push(*byte),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_steers_a_terminal_is_escaped() {
        for (text, expected) in [
            ("plain ä\tand\n", "plain ä\tand\n"),
            ("\u{1b}[2J\u{9b}31m\r\u{7f}", "\\u001b[2J\\u009b31m\\u000d\\u007f"),
            ("\u{a0}¿é", "\u{a0}¿é"),
        ] {
            assert_eq!(escaped(text), expected);
            // In one piece, or byte by byte.
            for size in [1, 2, 3, 100] {
                let (mut half, mut out) = (false, Vec::new());
                for piece in text.as_bytes().chunks(size) {
                    escape(piece, &mut half, &mut out);
                }
                assert_eq!(String::from_utf8_lossy(&out), expected, "{size}");
            }
            let blanked = blanked(text);
            assert_eq!(blanked.len(), text.len());
            assert!(!blanked.contains(steers));
        }
        assert_eq!(escaped("evil\u{202e}moc.bank"), "evil\\u202emoc.bank");
        let json = serde_json::to_string("\u{1b}\u{9b}\u{202e}").expect("a string");
        let again: String = serde_json::from_str(&escaped(&json)).expect("still JSON");
        assert_eq!(again, "\u{1b}\u{9b}\u{202e}");
    }
}
