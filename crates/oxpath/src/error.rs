//! Why an expression does not compile: everything that is wrong with it, and its source.
//!
//! [`CompileError`] keeps the diagnostics as data for those who render them themselves (in colour, as JSON, in an editor).
//! Its `Display` is a plain rendering for everyone else: message, line and column, the line of the source with a caret
//! below, and the hints.

use crate::diag::{Diagnostic, Severity, Span};
use std::fmt;

/// Why an expression does not compile.
///
/// ```
/// let error = oxpath::Query::compile("//a[b").unwrap_err();
/// assert_eq!(error.diagnostics().len(), 1);
/// assert_eq!(error.to_string(), "\
/// error[XPST0003]: expected `]`, found the end of the expression
///  --> 1:6
///   |
/// 1 | //a[b
///   |      ^
///   = note: 1:4: opened here
///   = hint: add `]`");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompileError {
    source: String,
    diagnostics: Vec<Diagnostic>,
}

impl CompileError {
    pub(crate) fn new(source: &str, diagnostics: Vec<Diagnostic>) -> CompileError {
        CompileError {
            source: source.to_owned(),
            diagnostics,
        }
    }

    /// Errors and warnings, in the order of the source.
    #[must_use]
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }

    /// The expression as it was given; spans refer to it.
    #[must_use]
    pub fn source_text(&self) -> &str {
        &self.source
    }

    /// The message of the first error, on one line.
    #[must_use]
    pub fn message(&self) -> &str {
        let is_error = |found: &&Diagnostic| found.severity == Severity::Error;
        let first = self.diagnostics.iter().find(is_error).or(self.diagnostics.first());
        first.map_or("invalid expression", |first| &first.message)
    }
}

impl std::error::Error for CompileError {}

impl fmt::Display for CompileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, diagnostic) in self.diagnostics.iter().enumerate() {
            if at > 0 {
                f.write_str("\n\n")?;
            }
            render(f, &self.source, diagnostic)?;
        }
        Ok(())
    }
}

/// Longer lines are cut off on both sides of the caret.
const WIDEST: usize = 100;

fn render(f: &mut fmt::Formatter<'_>, source: &str, diagnostic: &Diagnostic) -> fmt::Result {
    match crate::syntax::in_file(source, diagnostic) {
        Some((file, text, moved)) => render_in(f, &format!("{file}:"), text, &moved),
        None => render_in(f, "", source, diagnostic),
    }
}

/// Renders a diagnostic; `file` comes before the line.
fn render_in(f: &mut fmt::Formatter<'_>, file: &str, source: &str, diagnostic: &Diagnostic) -> fmt::Result {
    let severity = match diagnostic.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    };
    let Place { line, column, text } = Place::of(source, diagnostic.span);
    writeln!(f, "{severity}[{}]: {}", diagnostic.code.as_str(), diagnostic.message)?;
    let number = line.to_string();
    let margin = " ".repeat(number.len());
    writeln!(f, "{margin}--> {file}{line}:{column}")?;
    writeln!(f, "{margin} |")?;

    let letters: Vec<char> = text
        .chars()
        .map(|letter| if letter.is_control() { ' ' } else { letter })
        .collect();
    let caret = column - 1;
    let (first, last) = if letters.len() <= WIDEST {
        (0, letters.len())
    } else {
        let first = caret.saturating_sub(WIDEST / 2);
        (first, (first + WIDEST).min(letters.len()))
    };
    let shown: String = letters[first..last].iter().collect();
    let (before, after) = (
        if first > 0 { "…" } else { "" },
        if last < letters.len() { "…" } else { "" },
    );
    writeln!(f, "{number} | {before}{shown}{after}")?;

    let marked = source.get(diagnostic.span.range()).unwrap_or_default();
    let length = marked.lines().next().unwrap_or_default().chars().count();
    let length = length.min(last.saturating_sub(caret)).max(1);
    let indent = " ".repeat(caret - first + before.chars().count());
    let carets = "^".repeat(length);
    write!(f, "{margin} | {indent}{carets}")?;
    if !diagnostic.label.is_empty() {
        write!(f, " {}", diagnostic.label)?;
    }
    if let Some((span, label)) = &diagnostic.secondary {
        let Place { line, column, .. } = Place::of(source, *span);
        write!(f, "\n{margin} = note: {line}:{column}: {label}")?;
    }
    for hint in &diagnostic.hints {
        write!(f, "\n{margin} = hint: {hint}")?;
    }
    Ok(())
}

/// Where a span starts: line and column, both from 1, columns in characters.
struct Place<'s> {
    line: usize,
    column: usize,
    /// The line.
    text: &'s str,
}

impl Place<'_> {
    fn of(source: &str, span: Span) -> Place<'_> {
        let start = (span.start as usize).min(source.len());
        let before = source.get(..start).unwrap_or(source);
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        let rest = &source[line_start..];
        Place {
            line: before.matches('\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
            text: rest.lines().next().unwrap_or_default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::Query;
    use crate::diag::{Code, Diagnostic, Span};

    #[track_caller]
    fn check(source: &str, expected: &[&str]) {
        let error = Query::compile(source).expect_err(source);
        assert_eq!(error.to_string().lines().collect::<Vec<_>>(), expected);
        assert_eq!(error.source_text(), source);
    }

    #[test]
    fn an_error_shows_its_place() {
        check(
            "//a[\n  foo(1)\n]",
            &[
                "error[XPST0017]: unknown function `foo`",
                " --> 2:3",
                "  |",
                "2 |   foo(1)",
                "  |   ^^^ no such function",
            ],
        );
    }

    #[test]
    fn long_lines_are_cut() {
        let source = format!("//{}[ü", "a/".repeat(200));
        let error = Query::compile(&source).expect_err("no expression").to_string();
        let lines: Vec<&str> = error.lines().collect();
        let caret = lines[4].chars().position(|letter| letter == '^').expect("a caret");
        let shown: Vec<char> = lines[3].chars().collect();
        assert!(shown.len() < 120 && lines[3].contains('…'), "{error}");
        assert!(caret <= shown.len(), "{error}");
    }

    #[test]
    fn a_span_beyond_the_source_does_no_harm() {
        let found = Diagnostic::error(Code::Syntax, Span::new(7, 9), "odd");
        let shown = super::CompileError::new("ab", vec![found]).to_string();
        assert!(shown.starts_with("error[XPST0003]: odd\n --> 1:3"), "{shown}");
    }
}
