//! Delimiter rules: strings before and after each value in the source of a page.
//!
//! These are the six classes of N. Kushmerick, *Wrapper induction: efficiency and expressiveness* (Artificial
//! Intelligence 118, 2000). A wrapper is a vector of strings; its class says how the strings are used:
//!
//! | class | strings | use |
//! |---|---|---|
//! | LR | `l1 r1 … lK rK` | value k is between the next `lk` and the `rk` after it; repeats while `l1` is found |
//! | HLRT | and `h t` | the same, starting at `h`, until `t` comes before `l1` |
//! | OCLR | and `o c` | a tuple begins after `o`, which is sought from the `c` after the previous tuple |
//! | HOCLRT | and `h t o c` | both |
//! | N-LR | `l1 r1 … lK rK` | after level k comes one of the levels 1 to k + 1: the one whose `l` comes first |
//! | N-HLRT | and `h t` | the same, starting at `h`, until `t` comes first |
//!
//! The paper leaves some details of the procedures open. This implementation decides them as follows, and the learner
//! relies on it:
//!
//! - To *scan to* a string is to stop where it begins: `h`, `o`, `c` and `rk` are not consumed. So `l1` may overlap `o`
//!   (the paper's own reduction of LR to OCLR sets `o = l1`), and `lk+1` may overlap `rk` (the paper's figures have
//!   that too). Only `lk` is consumed: the value begins after it.
//! - Among several strings, the *first* is the one that **begins** first. If several left delimiters begin together,
//!   the longest wins, and among equal ones the lowest level. Against `t`, a left or open delimiter must begin earlier,
//!   not at the same position. (The paper's own wrapper for its site 14 has `t = "\n</PRE>"` and `l1 = "\n"`.)
//! - `h` must occur, `c` must occur after every tuple, and `t` after the last one. If one is missing, or a tuple is
//!   incomplete, the values found so far are kept and [`End`](super::End) says what was missing.
//! - The empty string is found everywhere: it is a valid `h` and a valid `c`, but never a left, right, open or tail
//!   delimiter.
//!
//! Extensions beyond the paper, all off in the pure classes:
//!
//! - **missing**: an optional attribute may be absent. After attribute k, the next value is the first of those that may
//!   follow: those up to the next required one, or of the next tuple if all the rest are optional.
//! - **alternatives**: several left or right delimiters for one edge; the one that ends (left) or begins (right) first
//!   is used.
//! - **skips**: a left delimiter with landmarks before it, each sought after the previous one, as in "after `Date:`,
//!   the next `<td>`".
//! - **transitions**: left delimiters that are sought only after values of one attribute, or only at the beginning of
//!   the page. If a rule has one such delimiter, all its left delimiters are of this kind. After a value of attribute
//!   k, the left delimiters for k compete, whatever attribute they lead to, and the run ends when none is found. So
//!   attributes may be missing, or may be shared by the several records that follow them, each with delimiters of its
//!   own.
//! - **spaces**: insignificant white space is removed from the page before it is read, see
//!   [`Loosened`](super::Loosened), and from the delimiters too.
//! - **eof**: a head without a tail; the end of the page is the tail.

use std::fmt;

/// A class of delimiter wrappers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Class {
    /// Left and right.
    Lr,
    /// Head, left, right, tail.
    Hlrt,
    /// Open, close, left, right.
    Oclr,
    /// Head, open, close, left, right, tail.
    Hoclrt,
    /// Nested left and right.
    NLr,
    /// Nested, with head and tail.
    NHlrt,
}

impl Class {
    /// All classes, the simple ones first.
    pub const ALL: [Class; 6] = [
        Class::Lr,
        Class::Hlrt,
        Class::Oclr,
        Class::Hoclrt,
        Class::NLr,
        Class::NHlrt,
    ];

    /// Does it have a head and a tail?
    pub fn has_head(self) -> bool {
        matches!(self, Class::Hlrt | Class::Hoclrt | Class::NHlrt)
    }

    /// Does it have open and close delimiters?
    pub fn has_open(self) -> bool {
        matches!(self, Class::Oclr | Class::Hoclrt)
    }

    /// Does it give nested values (trees)?
    pub fn is_nested(self) -> bool {
        matches!(self, Class::NLr | Class::NHlrt)
    }

    /// The name that the paper uses.
    pub fn name(self) -> &'static str {
        match self {
            Class::Lr => "LR",
            Class::Hlrt => "HLRT",
            Class::Oclr => "OCLR",
            Class::Hoclrt => "HOCLRT",
            Class::NLr => "N-LR",
            Class::NHlrt => "N-HLRT",
        }
    }

    /// The class with a name, in upper or lower case, with or without the hyphen.
    pub fn from_name(name: &str) -> Option<Class> {
        let plain = |name: &str| name.to_ascii_uppercase().replace('-', "");
        Class::ALL.into_iter().find(|class| plain(class.name()) == plain(name))
    }
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A delimiter rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Delimiters {
    /// How the strings are used.
    pub class: Class,
    /// `h`, for the classes that have one.
    pub head: Option<String>,
    /// `t`, for the classes that have one; if it is missing there, that is the extension "eof".
    pub tail: Option<String>,
    /// `o`, for the classes that have one.
    pub open: Option<String>,
    /// `c`, for the classes that have one.
    pub close: Option<String>,
    /// Is white space mostly ignored? The extension "spaces".
    pub loose: bool,
    /// The delimiters of each attribute, in page order.
    pub fields: Vec<Edges>,
}

/// The delimiters around the values of an attribute.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edges {
    /// `l`; several are the extension "alternatives".
    pub left: Vec<Left>,
    /// `r`; several are the extension "alternatives".
    pub right: Vec<String>,
    /// May the attribute be missing? The extension "missing".
    pub optional: bool,
}

impl Edges {
    /// One string before, one after.
    pub fn plain(left: impl Into<String>, right: impl Into<String>) -> Edges {
        Edges {
            left: vec![Left::plain(left)],
            right: vec![right.into()],
            optional: false,
        }
    }

    /// Is it as in the paper: one string before, one after, never missing?
    pub fn is_plain(&self) -> bool {
        matches!(&self.left[..], [one] if one.skips.is_empty() && one.from.is_none())
            && self.right.len() == 1
            && !self.optional
    }
}

/// A left delimiter: landmarks to pass first, and the string at whose end the value begins.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Left {
    /// The attribute after which it is sought, counted from 1, or 0 for the beginning of the page. `None` in the pure
    /// classes, where the class decides.
    pub from: Option<u32>,
    /// Landmarks to pass first, each sought after the previous one; empty in the pure classes.
    pub skips: Vec<String>,
    /// The delimiter itself.
    pub text: String,
}

impl Left {
    /// A delimiter without landmarks.
    pub fn plain(text: impl Into<String>) -> Left {
        Left {
            from: None,
            skips: Vec::new(),
            text: text.into(),
        }
    }
}

/// Why a vector of strings is not a wrapper.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleError {
    /// The delimiter in question: `h`, `l2`, `r2`.
    pub place: String,
    /// What is wrong with it.
    pub message: String,
}

impl fmt::Display for RuleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.message)
    }
}

impl std::error::Error for RuleError {}

impl Delimiters {
    /// Is it a wrapper of its class as the paper defines it, without extensions?
    pub fn is_pure(&self) -> bool {
        (self.tail.is_some() || !self.class.has_head()) && !self.loose && self.fields.iter().all(Edges::is_plain)
    }

    /// The vector of a pure wrapper as the paper writes it: those of `h t o c` that the class has, then
    /// `l1 r1 … lK rK`.
    pub fn vector(&self) -> Vec<&str> {
        let outer = [&self.head, &self.tail, &self.open, &self.close];
        let outer = outer.into_iter().filter_map(|text| text.as_deref());
        let inner = self.fields.iter().flat_map(|edges| {
            let left = edges.left.iter().map(|left| left.text.as_str());
            left.chain(edges.right.iter().map(String::as_str))
        });
        outer.chain(inner).collect()
    }

    /// Are its left delimiters sought by transitions? See the extension of that name.
    pub fn is_by_transitions(&self) -> bool {
        self.lefts().any(|left| left.from.is_some())
    }

    fn lefts(&self) -> impl Iterator<Item = &Left> {
        self.fields.iter().flat_map(|edges| &edges.left)
    }

    /// Checks the strings and says what is wrong with them.
    pub(crate) fn check(&self) -> Result<(), RuleError> {
        let fail = |place: &str, message: &str| {
            Err(RuleError {
                place: place.to_owned(),
                message: message.to_owned(),
            })
        };
        if self.fields.is_empty() {
            return fail("fields", "found no attribute, expected at least one");
        }
        let (head, open) = (self.class.has_head(), self.class.has_open());
        for (place, text, wanted) in [
            ("head", &self.head, head),
            ("open", &self.open, open),
            ("close", &self.close, open),
        ] {
            if text.is_some() != wanted {
                let found = if wanted { "found none" } else { "found one" };
                return fail(
                    place,
                    &format!("{found}, which is not what the class {} has", self.class),
                );
            }
        }
        if self.tail.is_some() && !head {
            return fail(
                "tail",
                &format!("found one, which the class {} does not have", self.class),
            );
        }
        for (place, text) in [("open", &self.open), ("tail", &self.tail)] {
            if text.as_deref() == Some("") {
                return fail(place, "found an empty string, which would be found everywhere");
            }
        }
        if self.is_by_transitions() {
            if open {
                return fail("from", &format!("found one, which is not for the class {}", self.class));
            }
            let most = self.fields.len() as u32;
            if self.lefts().any(|left| left.from.is_none_or(|from| from > most)) {
                return fail(
                    "from",
                    "found a left delimiter without one, or behind an attribute that there is not",
                );
            }
        }
        for (at, edges) in self.fields.iter().enumerate() {
            let number = at + 1;
            if edges.left.is_empty() || edges.right.is_empty() {
                return fail(
                    &format!("l{number}, r{number}"),
                    "found no delimiter, expected at least one",
                );
            }
            if edges
                .left
                .iter()
                .any(|left| left.text.is_empty() || left.skips.iter().any(String::is_empty))
            {
                return fail(
                    &format!("l{number}"),
                    "found an empty string, which would be found everywhere",
                );
            }
            if edges.right.iter().any(String::is_empty) {
                return fail(
                    &format!("r{number}"),
                    "found an empty string, which would be found everywhere",
                );
            }
            if edges.optional && (at == 0 || self.class.is_nested()) && !self.is_by_transitions() {
                let message = if at == 0 {
                    "the first attribute cannot be optional: it is how a tuple is known"
                } else {
                    "optional attributes are for the tabular classes"
                };
                return fail(&format!("l{number}"), message);
            }
        }
        Ok(())
    }
}
