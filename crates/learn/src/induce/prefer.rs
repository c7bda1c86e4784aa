//! Which of the valid delimiters to choose.
//!
//! The valid ones are the suffixes (left) or prefixes (right) of one string between two lengths. The paper, in its
//! fifth footnote, names two preferences: short ones, which survive changes of the site, and long ones, which notice
//! them. The default here is what a person would write: begin and end where tags or lines do, and otherwise be as short
//! as that allows. Every valid delimiter of an edge occurs at every value. So the number of occurrences matters only
//! where one edge has several delimiters ([`forms`](super::forms)): there each is the one that occurs before, or after,
//! the most values.

/// A preference among delimiters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Prefer {
    /// Whole tags and lines, no more of them than needed.
    #[default]
    Tags,
    /// The shortest that works.
    Short,
    /// The longest that works.
    Long,
}

/// The best suffix of `longest` that has at least `least` bytes.
pub(crate) fn left(longest: &str, least: usize, prefer: Prefer) -> &str {
    let lengths = (least..=longest.len()).filter(|len| longest.is_char_boundary(longest.len() - len));
    let pick = match prefer {
        Prefer::Long => return longest,
        Prefer::Short => None,
        Prefer::Tags => {
            let rank = |len: &usize| left_rank(longest, longest.len() - len);
            // The first of the best: `min_by_key` takes the first, and lengths ascend.
            lengths.clone().min_by_key(rank)
        }
    };
    let len = pick.or_else(|| lengths.clone().next()).unwrap_or(longest.len());
    &longest[longest.len() - len..]
}

/// A few suffixes of `longest` to try, the best first; empty if the preference is for nothing shorter.
pub(crate) fn lefts(longest: &str, prefer: Prefer) -> Vec<&str> {
    const MOST: usize = 8;
    let starts = (0..longest.len()).rev().filter(|at| longest.is_char_boundary(*at));
    let mut starts: Vec<usize> = match prefer {
        Prefer::Long => Vec::new(),
        Prefer::Short | Prefer::Tags => starts.collect(),
    };
    if prefer == Prefer::Tags {
        starts.sort_by_key(|at| left_rank(longest, *at));
    }
    starts.into_iter().take(MOST).map(|at| &longest[at..]).collect()
}

/// How good a position is for the beginning of a left delimiter; 0 is best.
fn left_rank(text: &str, at: usize) -> u32 {
    let bytes = text.as_bytes();
    let before = at.checked_sub(1).map(|at| bytes[at]);
    match (before, bytes.get(at)) {
        (_, Some(b'<')) => 0,
        // For an attribute of a tag, its name is enough.
        (Some(b' ' | b'\n' | b'\t' | b'\r'), Some(_)) if is_attribute(&text[at..]) => 0,
        (Some(b'>' | b'\n'), _) => 1,
        (Some(before), Some(here)) if !before.is_ascii_alphanumeric() && here.is_ascii_alphanumeric() => 2,
        (Some(before), Some(here)) if before.is_ascii_alphanumeric() && !here.is_ascii_alphanumeric() => 2,
        (None, _) => 2,
        _ => 3,
    }
}

/// Is it the name of an HTML attribute and the text up to its value, including the quote?
fn is_attribute(text: &str) -> bool {
    let name = text.strip_suffix("=\"").or_else(|| text.strip_suffix("='"));
    name.is_some_and(|name| {
        let mut bytes = name.bytes();
        bytes.next().is_some_and(|byte| byte.is_ascii_alphabetic())
            && bytes.all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
    })
}

/// The best prefix of `longest` that has at least `least` bytes.
pub(crate) fn right(longest: &str, least: usize, prefer: Prefer) -> &str {
    let lengths = (least..=longest.len()).filter(|len| longest.is_char_boundary(*len));
    let pick = match prefer {
        Prefer::Long => return longest,
        Prefer::Short => None,
        Prefer::Tags => lengths.clone().min_by_key(|len| right_rank(longest, *len)),
    };
    let len = pick.or_else(|| lengths.clone().next()).unwrap_or(longest.len());
    &longest[..len]
}

/// How good a position is for the end of a right delimiter; 0 is best.
fn right_rank(text: &str, at: usize) -> u32 {
    let bytes = text.as_bytes();
    let before = at.checked_sub(1).map(|at| bytes[at]);
    match (before, bytes.get(at)) {
        (Some(quote @ (b'"' | b'\'')), _) if bytes[0] == quote => 0,
        (Some(b'>'), _) | (_, Some(b'<')) => 0,
        (Some(b'\n'), _) => 1,
        (Some(before), Some(here)) if before.is_ascii_alphanumeric() != here.is_ascii_alphanumeric() => 2,
        (_, None) => 2,
        _ => 3,
    }
}

/// Pieces of a text that begin and end where tags or lines do: the heads, tails, opens and closes that a person would
/// think of, ordered by where they begin. A piece is one, two or three tokens; a token is a tag or a line of text.
pub(crate) fn pieces(text: &str) -> Vec<&str> {
    /// Longer pieces are too specific to one page.
    const LONGEST: usize = 160;
    let mut cuts = vec![0];
    for (at, byte) in text.bytes().enumerate() {
        let cut = match byte {
            b'<' => at,
            b'>' | b'\n' => at + 1,
            _ => continue,
        };
        if cuts.last() != Some(&cut) {
            cuts.push(cut);
        }
    }
    if cuts.last() != Some(&text.len()) {
        cuts.push(text.len());
    }
    let mut pieces = Vec::new();
    for (number, start) in cuts.iter().enumerate() {
        for end in cuts.iter().skip(number + 1).take(3) {
            let piece = &text[*start..*end];
            if piece.len() <= LONGEST && !piece.trim().is_empty() {
                pieces.push(piece);
            }
        }
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_taken_whole() {
        assert_eq!(left("</td>\n<td class=\"x\">", 1, Prefer::Tags), "<td class=\"x\">");
        assert_eq!(
            left("</td>\n<td class=\"x\">", 16, Prefer::Tags),
            "</td>\n<td class=\"x\">"
        );
        assert_eq!(left("<b>Fax No.: ", 4, Prefer::Tags), "<b>Fax No.: ");
        assert_eq!(left("<a class=\"x\" href=\"", 1, Prefer::Tags), "href=\"");
        assert_eq!(
            left("<b>Fax No.: ", 4, Prefer::Short),
            "No.: ".get(1..).unwrap_or_default()
        );
        assert_eq!(right("</td>\n<td>", 1, Prefer::Tags), "</td>");
        assert_eq!(right("\" class=\"x\">", 1, Prefer::Tags), "\"");
        assert_eq!(right(" (<a href", 2, Prefer::Tags), " (");
        assert_eq!(right("</td>\n<td>", 1, Prefer::Long), "</td>\n<td>");
        assert_eq!(right("</td>\n<td>", 1, Prefer::Short), "<");
    }

    #[test]
    fn pieces_are_tags_and_lines() {
        assert_eq!(pieces("a<b>c"), ["a", "a<b>", "a<b>c", "<b>", "<b>c", "c"]);
    }
}
