//! Several files as one source.
//!
//! `import "common.oxp";` brings the definitions of another file. [`gather`] reads all files that a source imports and puts
//! them before it, each once and after those that it imports itself, so the result is one source with definitions and an
//! expression: it can be saved, sent and run alone. A comment in a line of its own says where each file begins, so a
//! message about a position can name the file and the line there ([`in_file`]), also long after the files are gone:
//!
//! ```text
//! (: file "common.oxp" :)
//! let next = //a.next/{click /};
//! (: file "books.oxp" :)
//!
//! doc("https://shop.example/")/(next())*//li:<book>
//! ```
//!
//! Imports are replaced by white space of the same length, so positions within a file stay what they are.
//!
//! This module opens no files: its caller does, and decides which ones may be opened. Names are compared as the caller
//! gives them back, so a file that is reached in two ways is read once. **Limits**: [`MOST_FILES`] files, and
//! [`MAX_SOURCE`] bytes in all.

use super::MAX_SOURCE;
use super::lexer::{self, Token, TokenKind};
use crate::diag::{Code, Diagnostic, Span};
use std::borrow::Cow;
use std::fmt;

/// The most files of one expression.
pub const MOST_FILES: usize = 64;

const MARK: &str = "(: file \"";
const MARK_END: &str = "\" :)";

/// A file that was opened for an import.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opened {
    /// Its name: the same for the same file, however it is written in imports.
    pub name: String,
    /// What is in it.
    pub text: String,
}

/// What is wrong with the imports of a source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GatherError {
    /// The name of the file with the mistake.
    pub file: String,
    /// What is in that file; the position refers to it.
    pub text: String,
    /// The mistake.
    pub found: Box<Diagnostic>,
}

impl fmt::Display for GatherError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.file, self.found.message)
    }
}

impl std::error::Error for GatherError {}

/// Does a source import other files?
#[must_use]
pub fn has_imports(source: &str) -> bool {
    // The word is searched for first: most sources have no imports.
    source.contains("import") && !statements(source).0.is_empty()
}

/// Does a source define parts, so that it is longer when they are put in?
#[must_use]
pub fn has_parts(source: &str) -> bool {
    let is_let = |token: &Token| token.kind == TokenKind::Let;
    source.contains("let") && source.len() <= MAX_SOURCE && lexer::lex(source).tokens.iter().any(is_let)
}

/// The names of the parts that a source defines.
pub(crate) fn part_names(source: &str) -> Vec<&str> {
    if !source.contains("let") || source.len() > MAX_SOURCE {
        return Vec::new();
    }
    let tokens = lexer::lex(source).tokens;
    let pairs = tokens.windows(2).filter(|pair| pair[0].kind == TokenKind::Let);
    pairs.map(|pair| &source[pair[1].span.range()]).collect()
}

/// The source with all files that it imports before it; the source itself if it imports none. `open` gives a file by the
/// name of the file that imports it and the path that is written there.
///
/// ```
/// use oxpath::syntax::{Opened, gather};
///
/// let text = gather("a.oxp", "import 'b.oxp'; doc('x')//li:<item=name()>", &mut |_, path| {
///     let text = "let my-name = string(b);".to_owned();
///     Ok(Opened { name: path.to_owned(), text })
/// })?;
/// assert!(text.starts_with("(: file \"b.oxp\" :)\nlet my-name = string(b);\n(: file \"a.oxp\" :)\n"));
/// # Ok::<(), oxpath::syntax::GatherError>(())
/// ```
///
/// # Errors
///
/// A file cannot be opened, imports itself, or has more than definitions; the error says where that import is.
pub fn gather<'s>(
    name: &str,
    source: &'s str,
    open: &mut dyn FnMut(&str, &str) -> Result<Opened, String>,
) -> Result<Cow<'s, str>, GatherError> {
    if !has_imports(source) {
        return Ok(Cow::Borrowed(source));
    }
    let mut gathering = Gathering {
        open,
        way: Vec::new(),
        done: Vec::new(),
        out: String::new(),
    };
    gathering.file(name, source)?;
    Ok(Cow::Owned(gathering.out))
}

struct Gathering<'o> {
    open: &'o mut dyn FnMut(&str, &str) -> Result<Opened, String>,
    /// The files from the first to the present one.
    way: Vec<String>,
    /// The files that are in the result.
    done: Vec<String>,
    out: String,
}

impl Gathering<'_> {
    /// Adds a file, after those that it imports. The recursion is as deep as files import each other, at most
    /// [`MOST_FILES`].
    fn file(&mut self, name: &str, text: &str) -> Result<(), GatherError> {
        self.way.push(name.to_owned());
        let (imports, rest) = statements(text);
        let mut blanked = text.to_owned();
        for import in &imports {
            let error = |message: String, hint: Option<&str>| GatherError {
                file: name.to_owned(),
                text: text.to_owned(),
                found: Box::new({
                    let mut found = Diagnostic::error(Code::Import, import.path_span, message);
                    found.hints.extend(hint.map(str::to_owned));
                    found
                }),
            };
            let opened = (self.open)(name, &import.path).map_err(|why| error(why, None))?;
            if opened.name.contains(['"', '\n', '\r']) || opened.name.contains(":)") {
                return Err(error(
                    "the name of an imported file contains quotes or line breaks".to_owned(),
                    None,
                ));
            }
            if self.way.contains(&opened.name) {
                let way = self.way.iter().map(String::as_str).chain([opened.name.as_str()]);
                let way: Vec<&str> = way.skip_while(|file| *file != opened.name).collect();
                return Err(error(format!("files import each other: {}", way.join(" → ")), None));
            }
            if !self.done.contains(&opened.name) {
                if self.done.len() + self.way.len() >= MOST_FILES {
                    return Err(error(format!("expected at most {MOST_FILES} files, found more"), None));
                }
                self.file(&opened.name, &opened.text)?;
            }
            let blank: String = text[import.span.range()]
                .chars()
                .flat_map(|c| std::iter::repeat_n(if c == '\n' { '\n' } else { ' ' }, c.len_utf8()))
                .collect();
            blanked.replace_range(import.span.range(), &blank);
        }
        let is_first = self.way.len() == 1;
        if let Some(rest) = rest.filter(|_| !is_first) {
            let is_definition = &text[rest.range()] == lexer::DEFINITIONS[0];
            let (message, hint) = match is_definition {
                true => (
                    "expected `;` at the end of the definition, found the end of the file",
                    "add `;`",
                ),
                false => (
                    "expected definitions only in an imported file, found an expression",
                    "to use it elsewhere, define it: `let name = …;`",
                ),
            };
            return Err(GatherError {
                file: name.to_owned(),
                text: text.to_owned(),
                found: Box::new(Diagnostic::error(Code::Import, rest, message).with_hint(hint)),
            });
        }
        self.out.push_str(&format!("{MARK}{name}{MARK_END}\n{blanked}"));
        if !self.out.ends_with('\n') && !is_first {
            self.out.push('\n');
        }
        self.way.pop();
        self.done.push(name.to_owned());
        Ok(())
    }
}

struct Import {
    path: String,
    path_span: Span,
    /// With its semicolon.
    span: Span,
}

/// The imports of a source, and the first token after its last definition.
fn statements(source: &str) -> (Vec<Import>, Option<Span>) {
    if source.len() > MAX_SOURCE {
        return (Vec::new(), None);
    }
    let tokens = lexer::lex(source).tokens;
    let mut imports = Vec::new();
    for at in tokens.windows(2) {
        let [import, path] = at else { continue };
        if (import.kind, path.kind) == (TokenKind::Import, TokenKind::Literal) {
            let written = &source[path.span.range()];
            let end = tokens
                .iter()
                .find(|token| token.span.start >= path.span.end && token.kind == TokenKind::Semicolon);
            imports.push(Import {
                path: written.trim_matches(['"', '\'']).to_owned(),
                path_span: path.span,
                span: import.span.to(end.map_or(path.span, |end| end.span)),
            });
        }
    }
    let last = tokens.iter().rposition(|token| token.kind == TokenKind::Semicolon);
    let after = tokens[last.map_or(0, |last| last + 1)..].first();
    let rest = after.filter(|token| token.kind != TokenKind::End);
    (imports, rest.map(|token| token.span))
}

/// A diagnostic about a source of several files, as one about the file that it is in: the name of the file, its text,
/// and the diagnostic with positions there. Nothing if the source is one file.
#[must_use]
pub fn in_file<'s>(source: &'s str, found: &Diagnostic) -> Option<(&'s str, &'s str, Diagnostic)> {
    let files = files(source);
    let at = |span: Span| files.iter().rfind(|file| file.start <= span.start as usize);
    let file = at(found.span)?;
    let shifted = |span: Span| {
        let shift = |offset: u32| (offset as usize).saturating_sub(file.start).min(file.text.len());
        Span::new(shift(span.start), shift(span.end))
    };
    let mut moved = found.clone();
    moved.span = shifted(found.span);
    if let Some(fix) = &mut moved.fix {
        fix.span = shifted(fix.span);
    }
    if let Some((span, label)) = moved.secondary.take() {
        match at(span).filter(|other| other.start != file.start) {
            None => moved.secondary = Some((shifted(span), label)),
            // A picture shows one file; of the other one there is a line.
            Some(other) => {
                let before = source.get(other.start..span.start as usize).unwrap_or_default();
                let line = before.matches('\n').count() + 1;
                moved.hints.push(format!("{label}: {}, line {line}", other.name));
            }
        }
    }
    Some((file.name, file.text, moved))
}

struct File<'s> {
    name: &'s str,
    /// Where its text begins in the source.
    start: usize,
    text: &'s str,
}

/// The files of a source, in order.
fn files(source: &str) -> Vec<File<'_>> {
    let mut files: Vec<File<'_>> = Vec::new();
    if !source.starts_with(MARK) {
        return files;
    }
    let mut at = 0;
    for line in source.split_inclusive('\n') {
        let name = line
            .strip_prefix(MARK)
            .and_then(|rest| rest.trim_end().strip_suffix(MARK_END));
        if let Some(name) = name {
            if let Some(last) = files.last_mut() {
                last.text = &source[last.start..at];
            }
            let start = at + line.len();
            files.push(File {
                name,
                start,
                text: &source[start..],
            });
        }
        at += line.len();
    }
    files
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::parse;

    type Given<'t> = &'t [(&'t str, &'t str)];

    fn gathered(files: Given<'_>) -> Result<String, GatherError> {
        let mut opened = Vec::new();
        let text = gather(files[0].0, files[0].1, &mut |_, path| {
            opened.push(path.to_owned());
            let file = files.iter().find(|(name, _)| *name == path);
            let (name, text) = file.ok_or_else(|| format!("{path}: no such file"))?;
            Ok(Opened {
                name: (*name).to_owned(),
                text: (*text).to_owned(),
            })
        });
        text.map(Cow::into_owned)
    }

    #[test]
    fn files_are_put_in_order_and_once() {
        let files: Given<'_> = &[
            ("main", "import 'b';\nimport \"c\"; doc('u')/b()"),
            ("b", "import 'c'; let b = c()/b;"),
            ("c", "let c = //c; (: the end :)\n"),
        ];
        let text = gathered(files).expect("all files are there");
        assert_eq!(
            text,
            "(: file \"c\" :)\nlet c = //c; (: the end :)\n(: file \"b\" :)\n            let b = c()/b;\n\
             (: file \"main\" :)\n           \n            doc('u')/b()"
        );
        assert_eq!(parse(&text).expect("valid").to_string(), "doc(\"u\")/((//c)/b)");
        assert_eq!(gathered(&[("main", "//a[import]")]).as_deref(), Ok("//a[import]"));
    }

    #[test]
    fn what_cannot_be_imported_is_told_with_its_file() {
        let check = |files: Given<'_>, file: &str, expected: &str| {
            let error = gathered(files).expect_err(expected);
            assert_eq!((error.file.as_str(), error.found.message.as_str()), (file, expected));
            assert!(error.text.get(error.found.span.range()).is_some(), "{error:?}");
        };
        check(
            &[
                ("main", "import 'b'; doc('u')/b()"),
                ("b", "let a = //a; let b = //b\n"),
            ],
            "b",
            "expected `;` at the end of the definition, found the end of the file",
        );
        check(&[("a", "import 'x'; b")], "a", "x: no such file");
        check(
            &[("a", "import 'b'; c"), ("b", "import 'c';"), ("c", "import 'b';")],
            "c",
            "files import each other: b → c → b",
        );
        check(
            &[("a", "import 'b'; c"), ("b", "let x = 1; x()")],
            "b",
            "expected definitions only in an imported file, found an expression",
        );
    }

    #[test]
    fn positions_are_those_of_the_file() {
        let files: Given<'_> = &[
            ("main.oxp", "import 'b.oxp';\ndoc('u')//li:<x>[two()]"),
            ("b.oxp", "let one = a;\nlet two = unknown(b);"),
        ];
        let text = gathered(files).expect("all files are there");
        let found = crate::run::Script::compile(&text, &[]).expect_err("unknown");
        let (name, file, moved) = in_file(&text, &found.diagnostics()[0]).expect("several files");
        assert_eq!((name, file.trim_end()), (files[1].0, files[1].1));
        assert_eq!(&file[moved.span.range()], "unknown");
        let words = found.to_string();
        assert!(words.contains(" --> b.oxp:2:11"), "{words}");
        assert!(words.contains("2 | let two = unknown(b);"), "{words}");
    }
}
