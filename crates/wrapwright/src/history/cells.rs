//! Untrusted texts in little space: how many columns they take, and cutting them.
//!
//! Names and reasons come from pages. Characters that would move the cursor, change the direction of writing or end a
//! line become a space. Widths are those of a terminal, by the large blocks of Unicode; for a few rare letters they are
//! wrong by a column.

/// The width of a character, in columns.
fn width(c: char) -> usize {
    match u32::from(c) {
        0x300..=0x36F | 0x200B..=0x200D | 0x20D0..=0x20FF | 0xFE00..=0xFE0F => 0,
        0x1100..=0x115F
        | 0x2E80..=0x303E
        | 0x3041..=0xA4CF
        | 0xAC00..=0xD7A3
        | 0xF900..=0xFAFF
        | 0xFE30..=0xFE6F
        | 0xFF00..=0xFF60
        | 0xFFE0..=0xFFE6
        | 0x1F300..=0x1FAFF
        | 0x20000..=0x3FFFD => 2,
        _ => 1,
    }
}

/// The width of a text, in columns.
pub(super) fn columns(text: &str) -> usize {
    text.chars().map(width).sum()
}

/// A text on one line, without control characters, in at most `most` columns; a text that does not fit ends with `…`.
pub(super) fn cut(text: &str, most: usize) -> String {
    let mut out = String::new();
    let mut used = 0;
    // The last position after which there is still room for the sign.
    let mut room = 0;
    let mut marks = 0;
    for c in text.chars().map(plain) {
        // A letter with a hundred accents would take one column but cover the whole picture.
        marks = if width(c) == 0 { marks + 1 } else { 0 };
        if marks > 4 {
            continue;
        }
        if used + width(c) > most {
            out.truncate(room);
            if most > 0 {
                out.push('…');
            }
            return out;
        }
        out.push(c);
        used += width(c);
        if used < most {
            room = out.len();
        }
    }
    out
}

/// The same character, or a space for one that cannot be part of a line of text.
fn plain(c: char) -> char {
    let is_odd = c.is_control()
        || matches!(u32::from(c), 0x200E | 0x200F | 0x2028..=0x202E | 0x2060..=0x2069 | 0xFEFF | 0xFFFE | 0xFFFF | 0xE0000..);
    if is_odd { ' ' } else { c }
}

/// A text, cut and padded with spaces.
pub(super) fn fill(text: &str, most: usize) -> String {
    let mut out = cut(text, most);
    out.extend(std::iter::repeat_n(' ', most.saturating_sub(columns(&out))));
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_cut_to_columns() {
        let check = |text: &str, most, expected: &str| {
            assert_eq!(cut(text, most), expected, "{text:?} in {most}");
            assert!(columns(expected) <= most);
        };
        check("price", 5, "price");
        check("price", 4, "pri…");
        check("price", 1, "…");
        check("price", 0, "");
        check("", 0, "");
        check("値段の表", 8, "値段の表");
        check("値段の表", 7, "値段の…");
        check("値段の表", 6, "値段…");
        check("e\u{301}te\u{301}", 3, "e\u{301}te\u{301}");
        check("a\nb\u{1b}[31m\u{202e}c\0", 20, "a b [31m c ");
        check(
            &format!("e{}x", "\u{301}".repeat(100)),
            2,
            "e\u{301}\u{301}\u{301}\u{301}x",
        );
        assert_eq!(
            (fill("ab", 4), fill("abcde", 4)),
            ("ab  ".to_owned(), "abc…".to_owned())
        );
    }
}
