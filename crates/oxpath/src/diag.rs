//! Diagnostics as data: what is wrong, where, and what to write instead.
//!
//! Every stage that reads an expression reports through [`Diagnostic`], and none of them prints. A diagnostic names a
//! region of the source by byte offsets ([`Span`]), so the same value can become coloured text in a terminal, a
//! squiggle in an editor or a line of JSON; rendering is the job of the program that owns the output.
//!
//! The identity of a diagnostic is its [`Code`]. Where the W3C has a code for the mistake (the XPath 2.0 error list,
//! since XPath 1.0 names none) we use it, so that a search for the code finds help; the few codes of our own begin
//! with `WW`. Messages may be reworded at any time; codes may not.
//!
//! The house rules for wording: lower case, no full stop, say what was found and what was expected, and give a hint
//! that can be pasted whenever the right text can be known.

/// A region of the source, as byte offsets on character boundaries.
///
/// An empty span points between two characters; the end of the expression is reported that way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// Offset of the first byte.
    pub start: u32,
    /// Offset of the byte after the last.
    pub end: u32,
}

impl Span {
    /// A span from offsets as the standard library counts them.
    ///
    /// # Panics
    ///
    /// If an offset exceeds `u32::MAX`. Sources are bounded far below that by
    /// [`MAX_SOURCE`](crate::syntax::MAX_SOURCE).
    #[must_use]
    pub fn new(start: usize, end: usize) -> Span {
        let offset = |at: usize| u32::try_from(at).expect("source offsets fit 32 bits");
        Span {
            start: offset(start),
            end: offset(end),
        }
    }

    /// The smallest span that covers both.
    #[must_use]
    pub fn to(self, other: Span) -> Span {
        Span {
            start: self.start.min(other.start),
            end: self.end.max(other.end),
        }
    }

    /// The offsets as a range, to slice the source with.
    #[must_use]
    pub fn range(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Severity {
    /// The expression cannot be run.
    Error,
    /// The expression can be run, but hardly does what its author wants.
    Warning,
}

/// The kinds of mistakes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Code {
    /// The text does not follow the grammar.
    Syntax,
    /// An expression, or a part of one, that can never yield a node.
    NeverMatches,
    /// A variable without a value.
    UnknownVariable,
    /// A function that does not exist, or exists with another number of arguments.
    UnknownFunction,
    /// A value of a type that is of no use where it stands.
    TypeMismatch,
    /// A prefix that stands for no namespace.
    UndeclaredPrefix,
    /// A limit of this implementation, on size or nesting, is exceeded.
    LimitExceeded,
    /// A predicate that says the same of every node.
    ConstantPredicate,
    /// A name that looks like a selector of another language.
    ForeignSyntax,
    /// A regular expression that does not compile.
    InvalidRegex,
    /// A format of dates that means nothing.
    InvalidFormat,
    /// A part that is defined or used wrongly.
    Part,
    /// A file that cannot be imported.
    Import,
    /// Something that loads or changes pages, or extracts from them, where one page is asked a question.
    NeedsRun,
    /// Something that is accepted and has no effect.
    NoEffect,
    /// Something that is known and not supported.
    Unsupported,
    /// Something that is allowed and hardly meant.
    Suspicious,
    /// A run without a page to start on.
    NoStartPage,
    /// An action or marker where a value is computed (restriction R1).
    EffectInValue,
    /// A position among nodes of several pages or records (restriction R2).
    PositionAcrossPages,
    /// A marker that has no record to belong to (restriction R3).
    MisplacedMarker,
    /// An action in a predicate that a contextual action would repeat (restriction R4).
    RepeatedAction,
}

impl Code {
    /// The code as users see and search it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Code::Syntax => "XPST0003",
            Code::NeverMatches => "XPST0005",
            Code::UnknownVariable => "XPST0008",
            Code::UnknownFunction => "XPST0017",
            Code::TypeMismatch => "XPTY0004",
            Code::UndeclaredPrefix => "XPST0081",
            Code::LimitExceeded => "XPDY0130",
            Code::ConstantPredicate => "WW0001",
            Code::ForeignSyntax => "WW0002",
            Code::InvalidRegex => "FORX0002",
            Code::InvalidFormat => "WW0008",
            Code::Part => "WW0009",
            Code::Import => "WW0010",
            Code::NeedsRun => "WW0003",
            Code::NoEffect => "WW0004",
            Code::Unsupported => "WW0005",
            Code::Suspicious => "WW0006",
            Code::NoStartPage => "WW0007",
            Code::EffectInValue => "WW0011",
            Code::PositionAcrossPages => "WW0012",
            Code::MisplacedMarker => "WW0013",
            Code::RepeatedAction => "WW0014",
        }
    }
}

/// One finding about an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// What kind of mistake it is.
    pub code: Code,
    /// Where it is.
    pub span: Span,
    /// What is wrong, in one line.
    pub message: String,
    /// A few words to put at the caret; empty where the message says it all.
    pub label: String,
    /// Another place that matters, such as the bracket that was never closed, and why.
    pub secondary: Option<(Span, String)>,
    /// What could be done about it, the likeliest first.
    pub hints: Vec<String>,
    /// What to write instead, where that is known exactly. In a box, because diagnostics are made deep in recursions.
    pub fix: Option<Box<Fix>>,
}

/// A change of the source that mends a mistake.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// What is replaced; empty if something is inserted.
    pub span: Span,
    /// The text that takes its place.
    pub text: String,
}

impl Fix {
    /// The source after the change; the source itself if the change is not about it.
    ///
    /// ```
    /// let source = "//a[@id == 'x']";
    /// let found = oxpath::syntax::parse(source).unwrap_err();
    /// let fix = found[0].fix.as_ref().expect("it is known what to write");
    /// assert_eq!(fix.apply(source), "//a[@id = 'x']");
    /// ```
    #[must_use]
    pub fn apply(&self, source: &str) -> String {
        let (before, after) = (
            source.get(..self.span.start as usize),
            source.get(self.span.end as usize..),
        );
        match (before, after) {
            (Some(before), Some(after)) => [before, &self.text, after].concat(),
            _ => source.to_owned(),
        }
    }
}

impl Diagnostic {
    /// An error without label and hints.
    #[must_use]
    pub fn error(code: Code, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            severity: Severity::Error,
            code,
            span,
            message: message.into(),
            label: String::new(),
            secondary: None,
            hints: Vec::new(),
            fix: None,
        }
    }

    /// A warning without label and hints.
    #[must_use]
    pub fn warning(code: Code, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            severity: Severity::Warning,
            ..Diagnostic::error(code, span, message)
        }
    }

    /// The same with a text at the caret.
    #[must_use]
    pub fn with_label(mut self, label: impl Into<String>) -> Diagnostic {
        self.label = label.into();
        self
    }

    /// The same with a second place to look at.
    #[must_use]
    pub fn with_secondary(mut self, span: Span, label: impl Into<String>) -> Diagnostic {
        self.secondary = Some((span, label.into()));
        self
    }

    /// The same with the text that mends it.
    #[must_use]
    pub fn with_fix(mut self, span: Span, text: impl Into<String>) -> Diagnostic {
        let text = text.into();
        self.fix = Some(Box::new(Fix { span, text }));
        self
    }

    /// The same with one more hint.
    #[must_use]
    pub fn with_hint(mut self, hint: impl Into<String>) -> Diagnostic {
        self.hints.push(hint.into());
        self
    }
}

/// Words longer than this are not compared: they are not typing mistakes, and the comparison is quadratic.
const LONGEST_COMPARED: usize = 64;

/// The candidate that `word` was probably meant to be.
///
/// A difference in case alone wins; then the smallest edit distance, of at most one edit for every three letters, so
/// that short words are not "corrected" into unrelated ones; then the shortest candidate that `word` abbreviates, as
/// `lower` does `lower-case` and `cnt` does `count`. The first of equals is taken.
///
/// ```
/// use oxpath::diag::nearest;
///
/// assert_eq!(nearest("decendant", ["child", "descendant"]), Some("descendant"));
/// assert_eq!(nearest("cnt", ["contains", "count"]), Some("count"));
/// assert_eq!(nearest("foo", ["child", "descendant"]), None);
/// ```
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let folded: Vec<char> = word.to_lowercase().chars().collect();
    if folded.is_empty() || folded.len() > LONGEST_COMPARED {
        return None;
    }
    let mut by_distance: Option<(usize, &str)> = None;
    let mut by_abbreviation: Option<&str> = None;
    for candidate in candidates {
        let letters: Vec<char> = candidate.to_lowercase().chars().collect();
        let allowed = (folded.len().max(letters.len()) / 3).min(folded.len() - 1);
        if folded.len().abs_diff(letters.len()) <= allowed {
            let distance = edit_distance(&folded, &letters);
            if distance <= allowed && by_distance.is_none_or(|(best, _)| distance < best) {
                by_distance = Some((distance, candidate));
            }
        }
        if folded.len() >= 3
            && abbreviates(&folded, &letters)
            && by_abbreviation.is_none_or(|best| candidate.len() < best.len())
        {
            by_abbreviation = Some(candidate);
        }
    }
    by_distance.map(|(_, candidate)| candidate).or(by_abbreviation)
}

/// Is `short` the beginning of `long`, or what is left of it when inner letters are dropped?
fn abbreviates(short: &[char], long: &[char]) -> bool {
    let mut rest = long.iter();
    let same_ends = short.first() == long.first() && short.last() == long.last();
    long.starts_with(short) || (same_ends && short.iter().all(|letter| rest.any(|other| other == letter)))
}

/// Insertions, deletions, substitutions and swaps of neighbours that turn `a` into `b` (optimal string alignment).
fn edit_distance(a: &[char], b: &[char]) -> usize {
    let mut before_last: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let substituted = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut best = substituted.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(before_last[j - 2] + 1);
            }
            row.push(best);
        }
        before_last = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

/// Diagnostics as tests compare them: one line each for the message, the label, the second place and the hints.
#[cfg(test)]
pub(crate) fn show(source: &str, diagnostics: &[Diagnostic]) -> String {
    use std::fmt::Write;
    let mut out = String::new();
    for d in diagnostics {
        let severity = match d.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        };
        let place = |span: Span| format!("{}..{} `{}`", span.start, span.end, &source[span.range()]);
        writeln!(
            out,
            "{severity} {} at {}: {}",
            d.code.as_str(),
            place(d.span),
            d.message
        )
        .unwrap();
        if !d.label.is_empty() {
            writeln!(out, "  label: {}", d.label).unwrap();
        }
        if let Some((span, label)) = &d.secondary {
            writeln!(out, "  see {}: {label}", place(*span)).unwrap();
        }
        for hint in &d.hints {
            writeln!(out, "  hint: {hint}").unwrap();
        }
    }
    out
}

/// Compares diagnostics with an expectation written as [`show`] writes them, indented at will.
#[cfg(test)]
#[track_caller]
pub(crate) fn assert_shown(source: &str, diagnostics: &[Diagnostic], expected: &str) {
    let lines = |text: &str| -> Vec<String> {
        text.lines()
            .map(|line| line.trim().to_owned())
            .filter(|line| !line.is_empty())
            .collect()
    };
    let shown = show(source, diagnostics);
    assert_eq!(lines(&shown), lines(expected), "\n{source}\n{shown}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nearest_word() {
        let candidates = [
            "descendant",
            "descendant-or-self",
            "child",
            "not",
            "lower-case",
            "sum",
            "id",
        ];
        let check = |word, expected| assert_eq!(nearest(word, candidates), expected, "{word}");
        check("decendant", Some("descendant"));
        check("Child", Some("child"));
        check("chlid", Some("child"));
        check("lower", Some("lower-case"));
        check("NOT", Some("not"));
        check("nto", Some("not"));
        check("ID", Some("id"));
        check("foo", None);
        check("x", None);
        check("", None);
        check("tokenize", None);
        check(&"descendant".repeat(100), None);
    }

    #[test]
    fn distances() {
        let check = |a: &str, b: &str, expected| {
            let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
            assert_eq!(edit_distance(&a, &b), expected);
            assert_eq!(edit_distance(&b, &a), expected);
        };
        check("", "", 0);
        check("", "abc", 3);
        check("abc", "acb", 1);
        check("kitten", "sitting", 3);
        check("ä", "a", 1);
    }

    #[test]
    fn spans_cover() {
        let (a, b) = (Span::new(2, 4), Span::new(7, 9));
        assert_eq!(a.to(b), Span::new(2, 9));
        assert_eq!(b.to(a), Span::new(2, 9));
        assert_eq!(&"0123456789"[a.range()], "23");
    }
}
