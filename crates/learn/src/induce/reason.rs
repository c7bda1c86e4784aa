//! Why a class has no wrapper for the examples, in words that name the field and the page.

use super::edges::Blame;
use super::gaps::{Gap, Gaps};
use std::fmt;
use wrapper::rule::Class;

/// Why there is no wrapper of a class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Cause {
    /// A tuple lacks a field.
    Missing,
    /// The fields have an order that the class does not allow.
    Order,
    /// The texts before (or after) the values have nothing in common: a disjunction is needed.
    Disjunction,
    /// What the texts before the values have in common also occurs where no value begins.
    Ambiguous,
    /// What the texts after the values have in common also occurs inside a value.
    InValue,
    /// No string at the ends of all pages shows that no tuple follows.
    NoTail,
    /// No string in the beginnings of all pages leads past the part that must be skipped.
    NoHead,
    /// No open and close delimiters lead to every tuple and stop after the last.
    NoOpen,
    /// The rule extracts values from a page that has none.
    EmptyPage,
    /// None of the forms of delimiters in the extensions fits all examples.
    NoForm,
    /// There is too much text to decide.
    Undecided,
}

/// The reason why there is no wrapper of a class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Impossible {
    /// The class.
    pub class: Class,
    /// The kind of reason.
    pub cause: Cause,
    /// The delimiter that cannot exist: `l2`, `r1`, `t`.
    pub delimiter: String,
    /// Its field, from 0.
    pub field: Option<usize>,
    /// The pages that show it, by number.
    pub pages: Vec<usize>,
    /// The text there.
    pub samples: Vec<String>,
}

impl Impossible {
    pub(crate) fn new(class: Class, cause: Cause, delimiter: &str, field: Option<usize>) -> Impossible {
        let delimiter = delimiter.to_owned();
        Impossible {
            class,
            cause,
            delimiter,
            field,
            pages: Vec::new(),
            samples: Vec::new(),
        }
    }

    pub(crate) fn at(mut self, page: usize) -> Impossible {
        self.pages.push(page);
        self
    }

    pub(crate) fn order(class: Class, gaps: &Gaps<'_>, gap: &Gap<'_>) -> Impossible {
        // Skipping forward means a missing field, and so does a tuple that ends early.
        let missing = !class.is_nested() && gap.to.is_none_or(|to| to == 0 || to > gap.state);
        let cause = if missing { Cause::Missing } else { Cause::Order };
        let field = gap.state % gaps.fields;
        let mut reason = Impossible::new(class, cause, &format!("l{}", field + 1), Some(field)).at(gap.page);
        reason.samples.push(end_of(gap.text));
        reason
    }

    pub(crate) fn left(class: Class, gaps: &Gaps<'_>, field: usize, blame: Blame) -> Impossible {
        let (cause, places) = match blame {
            Blame::NothingCommon(one, other) => (Cause::Disjunction, vec![one, other]),
            Blame::Elsewhere(one) => (Cause::Ambiguous, vec![one]),
        };
        let mut reason = Impossible::new(class, cause, &format!("l{}", field + 1), Some(field));
        for gap in places.into_iter().filter_map(|place| gaps.gaps.get(place)) {
            reason.pages.push(gap.page);
            reason.samples.push(end_of(gap.text));
        }
        reason
    }

    pub(crate) fn right(class: Class, gaps: &Gaps<'_>, field: usize, blame: Blame) -> Impossible {
        let (cause, places) = match blame {
            Blame::NothingCommon(one, other) => (Cause::Disjunction, vec![one, other]),
            Blame::Elsewhere(one) => (Cause::InValue, vec![one]),
        };
        let mut reason = Impossible::new(class, cause, &format!("r{}", field + 1), Some(field));
        for value in places.into_iter().filter_map(|place| gaps.values.get(place)) {
            reason.pages.push(value.page);
            let text = if cause == Cause::InValue {
                value.text
            } else {
                &value.text[value.len()..]
            };
            reason.samples.push(start_of(text));
        }
        reason
    }

    /// The reason in words, given the names of fields and pages.
    pub fn describe(&self, fields: &[String], pages: &[&str]) -> String {
        let name = self
            .field
            .and_then(|field| fields.get(field))
            .map_or(String::new(), |name| format!(" `{name}`"));
        let delimiter = &self.delimiter;
        let sample = |at: usize| self.samples.get(at).map_or("", String::as_str);
        let words = match self.cause {
            Cause::Missing => format!("attribute{name} is missing from a tuple"),
            Cause::Order => format!("the attributes around{name} come in another order"),
            Cause::Disjunction => {
                let side = if delimiter.starts_with('l') { "before" } else { "behind" };
                format!(
                    "{delimiter}{name}: nothing is common {side} {:?} and {:?}",
                    sample(0),
                    sample(1)
                )
            }
            Cause::Ambiguous => format!(
                "{delimiter}{name}: found too early, or where no value begins, in {:?}",
                sample(0)
            ),
            Cause::InValue => format!("{delimiter}{name}: found inside a value, {:?}", sample(0)),
            Cause::NoTail => format!("{delimiter}: nothing at the ends of all pages stops in time and not before"),
            Cause::NoHead => {
                format!("{delimiter}: nothing in the beginnings of all pages leads past what must be skipped")
            }
            Cause::NoOpen => format!("{delimiter}: nothing leads to every tuple and stops behind the last"),
            Cause::EmptyPage => format!("{delimiter}: a page without values would get some"),
            Cause::NoForm => format!("{delimiter}{name}: also with extensions nothing suits all examples"),
            Cause::Undecided => format!("{delimiter}: undecided, there is too much text to search"),
        };
        let mut names: Vec<&str> = self.pages.iter().filter_map(|page| pages.get(*page).copied()).collect();
        names.dedup();
        match names.is_empty() {
            true => words,
            false => format!("{words} ({})", names.join(", ")),
        }
    }
}

impl fmt::Display for Impossible {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no {} wrapper: {}", self.class, self.describe(&[], &[]))
    }
}

impl std::error::Error for Impossible {}

const SAMPLE: usize = 30;

fn end_of(text: &str) -> String {
    let mut start = text.len().saturating_sub(SAMPLE);
    while !text.is_char_boundary(start) {
        start += 1;
    }
    text[start..].to_owned()
}

fn start_of(text: &str) -> String {
    let mut end = text.len().min(SAMPLE);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text[..end].to_owned()
}
