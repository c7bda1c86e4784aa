//! Rust source as code, strings and comments.
//!
//! One pass over the characters. Comments on consecutive lines are one piece, so that a phrase may continue after a
//! line break. A string is one piece, with the `\` at the ends of its lines removed. Code is one piece for each run
//! between those. An item after `#[cfg(test)]` is marked: its pieces up to the brace that ends it, or the name of its
//! file.

/// The kind of a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    Code,
    Text,
    Comment,
}

/// A piece of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Piece {
    pub(super) part: Part,
    /// The line it begins on, from 1.
    pub(super) line: usize,
    pub(super) text: String,
    /// Is it compiled only for tests?
    pub(super) test: bool,
}

/// A file.
#[derive(Debug)]
pub(super) struct Source {
    pub(super) lines: usize,
    /// Does it begin with `//!`?
    pub(super) documented: bool,
    pub(super) pieces: Vec<Piece>,
    /// The modules in other files that are only for tests.
    pub(super) test_modules: Vec<String>,
}

impl Source {
    pub(super) fn read(text: &str) -> Source {
        let mut pieces = divide(text);
        let test_modules = mark_tests(&mut pieces);
        Source {
            lines: text.lines().count(),
            documented: text.starts_with("//!"),
            pieces,
            test_modules,
        }
    }
}

/// The pieces of a text, none of them marked.
fn divide(text: &str) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = Vec::new();
    let mut rest = text;
    let mut line = 1;
    while !rest.is_empty() {
        let (part, length) = next(rest);
        let (piece, after) = rest.split_at(length);
        let space = &piece[..piece.len() - piece.trim_start().len()];
        let begins = line + space.matches('\n').count();
        line += piece.matches('\n').count();
        let joined = match pieces.as_mut_slice() {
            // A comment on the next line, with only white space between.
            [.., before, space]
                if part == Part::Comment
                    && before.part == Part::Comment
                    && space.part == Part::Code
                    && space.text.trim().is_empty()
                    && space.text.matches('\n').count() == 1 =>
            {
                before.text += "\n";
                before.text += bare(piece);
                true
            }
            _ => false,
        };
        if joined {
            pieces.pop();
        } else {
            let text = match part {
                Part::Code => piece.to_owned(),
                Part::Comment => bare(piece).to_owned(),
                Part::Text => continued(piece),
            };
            pieces.push(Piece {
                part,
                line: begins,
                text,
                test: false,
            });
        }
        rest = after;
    }
    pieces
}

/// What a text begins with, and its length in bytes.
fn next(text: &str) -> (Part, usize) {
    if let Some(length) = comment(text) {
        return (Part::Comment, length);
    }
    if let Some(length) = string(text) {
        return (Part::Text, length);
    }
    let mut at = 0;
    let mut word = false;
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        // The `r` at the end of a name does not start a raw string.
        let begins = comment(rest).is_some() || !word && string(rest).is_some() || rest.starts_with('"');
        if at > 0 && begins {
            break;
        }
        // Each line of code is a piece of its own, so that its number is known.
        if c == '\n' && !text[..at].trim().is_empty() {
            break;
        }
        at += character(rest).unwrap_or(c.len_utf8());
        word = c.is_alphanumeric() || c == '_';
    }
    (Part::Code, at)
}

fn comment(text: &str) -> Option<usize> {
    if text.starts_with("//") {
        return Some(text.find('\n').unwrap_or(text.len()));
    }
    if !text.starts_with("/*") {
        return None;
    }
    let (mut depth, mut at) = (0, 0);
    loop {
        let rest = &text[at..];
        if rest.starts_with("/*") {
            depth += 1;
            at += 2;
        } else if rest.starts_with("*/") {
            depth -= 1;
            at += 2;
        } else {
            at += rest.chars().next()?.len_utf8();
        }
        if depth == 0 || at == text.len() {
            return Some(at);
        }
    }
}

/// A string literal, raw or not, of bytes or not.
fn string(text: &str) -> Option<usize> {
    let start = text.strip_prefix(['b', 'c']).unwrap_or(text);
    let prefix = text.len() - start.len();
    if let Some(raw) = start.strip_prefix('r') {
        let hashes = raw.len() - raw.trim_start_matches('#').len();
        let body = raw[hashes..].strip_prefix('"')?;
        let end = format!("\"{}", "#".repeat(hashes));
        let head = text.len() - body.len();
        return Some(body.find(&end).map_or(text.len(), |at| head + at + end.len()));
    }
    let body = start.strip_prefix('"')?;
    let mut escaped = false;
    for (at, c) in body.char_indices() {
        match c {
            '"' if !escaped => return Some(prefix + 1 + at + 1),
            '\\' => escaped = !escaped,
            _ => escaped = false,
        }
    }
    Some(text.len())
}

/// The length of a character literal, which may be a quotation mark; `None` if it is a lifetime or something else.
fn character(text: &str) -> Option<usize> {
    let body = text.strip_prefix('\'')?;
    let mut characters = body.char_indices();
    let (_, first) = characters.next()?;
    if first == '\\' {
        let end = body[2..].find('\'')?;
        return Some(1 + 2 + end + 1);
    }
    let (at, second) = characters.next()?;
    (second == '\'').then_some(1 + at + 1)
}

/// A comment without the marks that make it one.
fn bare(comment: &str) -> &str {
    let comment = comment.trim_start_matches('/').trim_start_matches('!');
    comment.trim_end_matches("*/")
}

/// A string whose lines continue where a `\` ends them.
fn continued(text: &str) -> String {
    let mut out = String::new();
    for (at, line) in text.split('\n').enumerate() {
        let line = if at > 0 && out.ends_with('\\') {
            out.pop();
            line.trim_start()
        } else {
            if at > 0 {
                out.push('\n');
            }
            line
        };
        out += line;
    }
    out
}

/// Marks items after `#[cfg(test)]`, and returns the names of the modules among them that are in other files.
fn mark_tests(pieces: &mut [Piece]) -> Vec<String> {
    let mut modules = Vec::new();
    let mut at = 0;
    while at < pieces.len() {
        let found = pieces[at].part == Part::Code && pieces[at].text.contains("#[cfg(test)]");
        if !found {
            at += 1;
            continue;
        }
        // From the attribute to the brace that closes the item, or to a semicolon before any brace.
        let (mut depth, mut head) = (0_usize, String::new());
        let mut skip = pieces[at].text.find("#[cfg(test)]").map_or(0, |start| start + 12);
        'item: while let Some(piece) = pieces.get_mut(at) {
            piece.test = true;
            at += 1;
            if piece.part != Part::Code {
                continue;
            }
            let code = &piece.text[skip..];
            skip = 0;
            let mut rest = code;
            while let Some(c) = rest.chars().next() {
                match c {
                    '{' => depth += 1,
                    '}' if depth <= 1 => break 'item,
                    '}' => depth -= 1,
                    ';' if depth == 0 => break 'item,
                    _ if depth == 0 => head.push(c),
                    _ => {}
                }
                rest = &rest[character(rest).unwrap_or(c.len_utf8())..];
            }
        }
        let mut words = head.split_whitespace().skip_while(|word| *word != "mod").skip(1);
        modules.extend(words.next().map(str::to_owned));
    }
    modules
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(text: &str) -> Vec<(Part, usize, String)> {
        let pieces = divide(text).into_iter();
        let pieces = pieces.filter(|piece| !piece.text.trim().is_empty());
        pieces
            .map(|piece| (piece.part, piece.line, piece.text.trim().to_owned()))
            .collect()
    }

    #[test]
    fn code_strings_and_comments_are_told_apart() {
        let own = |part, line, text: &str| (part, line, text.to_owned());
        assert_eq!(
            parts("//! One\n//! two.\n\n// Three\nlet a = \"x \\\"// y\"; // end\n"),
            [
                own(Part::Comment, 1, "One\n two."),
                own(Part::Comment, 4, "Three"),
                own(Part::Code, 5, "let a ="),
                own(Part::Text, 5, "\"x \\\"// y\""),
                own(Part::Code, 5, ";"),
                own(Part::Comment, 5, "end"),
            ]
        );
        assert_eq!(
            parts("f('\"', r#\"a\"b\"#, '\\'', b\"c\", 'a: loop {})\n/* x /* y */ z */ g"),
            [
                own(Part::Code, 1, "f('\"',"),
                own(Part::Text, 1, "r#\"a\"b\"#"),
                own(Part::Code, 1, ", '\\'',"),
                own(Part::Text, 1, "b\"c\""),
                own(Part::Code, 1, ", 'a: loop {})"),
                own(Part::Comment, 2, "* x /* y */ z"),
                own(Part::Code, 2, "g"),
            ]
        );
        assert_eq!(parts("\"one \\\n      two\""), [own(Part::Text, 1, "\"one two\"")]);
    }

    #[test]
    fn what_is_for_tests_is_marked_and_no_more() {
        let source = Source::read("fn a() {}\n#[cfg(test)]\nmod t {\n    fn b() { '{'; \"}\"; }\n}\nfn c() {}\n");
        let marked = |word: &str| {
            let piece = source.pieces.iter().find(|piece| piece.text.contains(word));
            piece.map(|piece| piece.test)
        };
        assert_eq!(
            [marked("fn a"), marked("fn b"), marked("fn c")],
            [Some(false), Some(true), Some(false)]
        );
        assert_eq!(
            Source::read("#[cfg(test)]\nmod oracle;\nmod other;\n").test_modules,
            ["oracle"]
        );
    }
}
