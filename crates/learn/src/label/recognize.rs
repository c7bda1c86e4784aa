//! Recognizers find the values of a field by what they look like.
//!
//! A recognizer is a pattern and the scope in which it is searched for. In the *text*, each run of text between two
//! tags is searched separately, with references decoded and white space collapsed, so that neighbouring cells never run
//! together. In the *source*, tags are included, which is where addresses are. If the pattern has a group, the first
//! group is the value. The patterns are those of the `regex` crate, whose time is linear in the text for every pattern;
//! a pattern or list of words that would compile to more than 32 MB is refused.
//!
//! Built-in recognizers are simple and general, and wrong often enough that their mistakes should be declared: a year
//! is a number, a docket number looks like a phone number.

use super::built_in;
use page::SourceText;
use regex::{Regex, RegexBuilder};
use std::fmt;
use std::ops::Range;

/// The kind of mistakes a recognizer makes. At least one recognizer of a set must make none, and none may make both
/// kinds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mistakes {
    /// It finds the values and nothing else.
    None,
    /// It finds all values, and other things too.
    FalsePositives,
    /// It finds values only, but not all of them.
    FalseNegatives,
}

impl Mistakes {
    /// All kinds, in the order of their names.
    pub const ALL: [Mistakes; 3] = [Mistakes::None, Mistakes::FalsePositives, Mistakes::FalseNegatives];

    /// The name of the kind in a file of recognizers.
    pub fn name(self) -> &'static str {
        match self {
            Mistakes::None => "none",
            Mistakes::FalsePositives => "false-positives",
            Mistakes::FalseNegatives => "false-negatives",
        }
    }

    /// The kind with a given name.
    pub fn from_name(name: &str) -> Option<Mistakes> {
        Mistakes::ALL.into_iter().find(|mistakes| mistakes.name() == name)
    }
}

/// Where a pattern is searched for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// In each run of text between two tags.
    Text,
    /// In each such run, which it must match completely.
    Whole,
    /// In the source.
    Source,
}

/// Finds text that looks like a value.
#[derive(Clone, Debug)]
pub struct Recognizer {
    pattern: Regex,
    scope: Scope,
    /// A test that a pattern cannot express.
    check: Option<fn(&str) -> bool>,
}

/// Why a recognizer cannot be made.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum RecognizerError {
    /// The pattern is not a regular expression, or is too large.
    Pattern(regex::Error),
    /// The pattern matches an empty text.
    MatchesNothing,
    /// The list has no word.
    NoWords,
    /// There is no built-in recognizer of this name.
    Unknown(String),
}

impl fmt::Display for RecognizerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RecognizerError::Pattern(why) => write!(f, "found a pattern that cannot be used: {why}"),
            RecognizerError::MatchesNothing => {
                f.write_str("found a pattern that matches the empty text, expected one that matches values")
            }
            RecognizerError::NoWords => f.write_str("found no word in the list, expected at least one"),
            RecognizerError::Unknown(name) => {
                let names = built_in::names().collect::<Vec<_>>().join(", ");
                write!(f, "found the unknown recognizer `{name}`, expected one of {names}")
            }
        }
    }
}

impl std::error::Error for RecognizerError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            RecognizerError::Pattern(error) => Some(error),
            _ => None,
        }
    }
}

/// The most memory that a compiled pattern may take.
const MOST_BYTES: usize = 32 << 20;

impl Recognizer {
    /// Makes a recognizer from a regular expression.
    ///
    /// # Errors
    ///
    /// If it is not a regular expression, is too large, or matches the empty text.
    ///
    /// ```
    /// use learn::label::{Recognizer, Scope};
    /// let code = Recognizer::regex("[1-9][0-9]+", Scope::Text)?;
    /// let page = "<b>Congo</b> <i>242</i>";
    /// assert_eq!(code.find(page), [16..19]);
    /// # Ok::<(), learn::label::RecognizerError>(())
    /// ```
    pub fn regex(pattern: &str, scope: Scope) -> Result<Recognizer, RecognizerError> {
        let whole = format!("^(?:{pattern})$");
        let pattern = if scope == Scope::Whole { &whole } else { pattern };
        let pattern = RegexBuilder::new(pattern)
            .size_limit(MOST_BYTES)
            .build()
            .map_err(RecognizerError::Pattern)?;
        if pattern.is_match("") {
            return Err(RecognizerError::MatchesNothing);
        }
        Ok(Recognizer {
            pattern,
            scope,
            check: None,
        })
    }

    /// Makes a recognizer from a list of words or phrases. Case matters, and where one word is the beginning of another
    /// the longest is taken.
    ///
    /// # Errors
    ///
    /// If there is no word, or far too many.
    pub fn words<S: AsRef<str>>(
        words: impl IntoIterator<Item = S>,
        scope: Scope,
    ) -> Result<Recognizer, RecognizerError> {
        let mut words: Vec<String> = words
            .into_iter()
            .map(|word| word.as_ref().split_whitespace().collect::<Vec<_>>().join(" "))
            .filter(|word| !word.is_empty())
            .collect();
        if words.is_empty() {
            return Err(RecognizerError::NoWords);
        }
        words.sort_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
        words.dedup();
        let edge = |c: Option<char>, edge: &'static str| match c {
            Some(c) if c.is_alphanumeric() || c == '_' => edge,
            _ => "",
        };
        let pattern: Vec<String> = words
            .iter()
            .map(|word| {
                let before = edge(word.chars().next(), r"\b");
                let behind = edge(word.chars().next_back(), r"\b");
                format!("{before}{}{behind}", regex::escape(word))
            })
            .collect();
        Recognizer::regex(&pattern.join("|"), scope)
    }

    /// A built-in recognizer: see [`built_in_names`].
    ///
    /// # Errors
    ///
    /// If there is none with this name.
    pub fn built_in(name: &str) -> Result<Recognizer, RecognizerError> {
        built_in::find(name).unwrap_or_else(|| Err(RecognizerError::Unknown(name.to_owned())))
    }

    pub(super) fn checked(self, check: fn(&str) -> bool) -> Recognizer {
        Recognizer {
            check: Some(check),
            ..self
        }
    }

    /// The positions of the values that it finds in the decoded source of a page, in order.
    pub fn find(&self, page: &str) -> Vec<Range<usize>> {
        if self.scope == Scope::Source {
            return self.matches(page).map(|(range, _)| range).collect();
        }
        let seen = SourceText::new(page);
        let mut found = Vec::new();
        for run in runs(page, &seen) {
            for (range, _) in self.matches(&seen.text[run.clone()]) {
                let place = seen.place(run.start + range.start, run.start + range.end);
                found.extend(place.map(|(start, end)| start..end));
            }
        }
        found
    }

    /// The position of the first value in a text.
    pub fn first(&self, text: &str) -> Option<Range<usize>> {
        self.matches(text).next().map(|(range, _)| range)
    }

    fn matches<'t>(&'t self, text: &'t str) -> impl Iterator<Item = (Range<usize>, &'t str)> + 't {
        let values = self.pattern.captures_iter(text).filter_map(|found| {
            let value = found.get(1).or_else(|| found.get(0))?;
            Some((value.range(), value.as_str()))
        });
        values.filter(|(range, value)| !range.is_empty() && self.check.is_none_or(|check| check(value)))
    }
}

/// The names of the built-in recognizers.
pub fn built_in_names() -> impl Iterator<Item = &'static str> {
    built_in::names()
}

/// The runs of text between tags, without the white space around them, as ranges of the visible text.
fn runs(page: &str, seen: &SourceText) -> Vec<Range<usize>> {
    let mut runs: Vec<Range<usize>> = Vec::new();
    let mut before: Option<usize> = None;
    for (at, c) in seen.text.char_indices() {
        let next = at + c.len_utf8();
        let Some((start, end)) = seen.place(at, next) else {
            break;
        };
        let cut = before.is_none_or(|before| page.get(before..start).is_some_and(|between| between.contains('<')));
        before = Some(end);
        match runs.last_mut() {
            Some(run) if !cut => run.end = next,
            _ => runs.push(at..next),
        }
    }
    for run in &mut runs {
        let text = &seen.text[run.clone()];
        let trimmed = text.trim_start();
        run.start += text.len() - trimmed.len();
        run.end = run.start + trimmed.trim_end().len();
    }
    runs.retain(|run| !run.is_empty());
    runs
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(recognizer: Result<Recognizer, RecognizerError>, page: &str, expected: &[&str]) {
        let found = recognizer.expect("a recognizer").find(page);
        let texts: Vec<&str> = found.into_iter().map(|range| &page[range]).collect();
        assert_eq!(texts, expected, "{page}");
    }

    #[test]
    fn cells_do_not_run_together() {
        let page = "<td>Congo</td><td>242</td><td title=99> 20 <b>01</b>&amp;7</td>";
        check(
            Recognizer::regex("[0-9]+", Scope::Text),
            page,
            &["242", "20", "01", "7"],
        );
        check(Recognizer::regex("[0-9]+", Scope::Whole), page, &["242", "20", "01"]);
        check(Recognizer::regex("title=([0-9]+)", Scope::Source), page, &["99"]);
        check(Recognizer::regex("Congo|242", Scope::Whole), page, &["Congo", "242"]);
    }

    #[test]
    fn references_and_space_are_as_a_reader_sees_them() {
        check(
            Recognizer::words(["Trinidad & Tobago", "Tobago"], Scope::Text),
            "<p>Trinidad &amp;\n  Tobago, Tobago<p>Tobagos",
            &["Trinidad &amp;\n  Tobago", "Tobago"],
        );
        check(Recognizer::words(["(a)"], Scope::Text), "x(a)y", &["(a)"]);
    }

    #[test]
    fn what_is_no_recognizer_is_told() {
        let error = |recognizer: Result<Recognizer, RecognizerError>| recognizer.expect_err("none").to_string();
        assert!(error(Recognizer::regex("(", Scope::Text)).contains("cannot be used"));
        assert!(error(Recognizer::regex("(?:x{1000}){1000}{1000}", Scope::Text)).contains("cannot be used"));
        assert!(error(Recognizer::regex("a*", Scope::Text)).contains("matches the empty text"));
        assert!(error(Recognizer::words(["", " "], Scope::Text)).contains("no word"));
        assert!(error(Recognizer::built_in("colour")).contains("unknown recognizer `colour`, expected one of date"));
    }

    #[test]
    fn hostile_pages_are_read() {
        let number = Recognizer::built_in("number").expect("it is there");
        for page in ["", "<", "<<<<", "&#", "\u{0}<a", &"<b>".repeat(10_000), "é<é>é 7é"] {
            for range in number.find(page) {
                assert!(page.get(range).is_some());
            }
        }
    }
}
