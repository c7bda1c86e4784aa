//! Wrappers by delimiters: strings that stand before and behind each value in the source of a page.
//!
//! These are the six classes of N. Kushmerick, *Wrapper induction: efficiency and expressiveness* (Artificial Intelligence
//! 118, 2000). A wrapper is a vector of strings; its class says how the strings are used:
//!
//! | class | strings | use |
//! |---|---|---|
//! | LR | `l1 r1 … lK rK` | value k stands between the next `lk` and the `rk` behind it, tuple after tuple while there is an `l1` |
//! | HLRT | and `h t` | the same, from `h` on, and until `t` comes before `l1` |
//! | OCLR | and `o c` | a tuple begins behind `o`, which is looked for from the `c` behind the tuple before |
//! | HOCLRT | and `h t o c` | both |
//! | N-LR | `l1 r1 … lK rK` | after a value of level k follows one of the levels 1 to k + 1: the one whose `l` comes first |
//! | N-HLRT | and `h t` | the same, from `h` on, and until `t` comes first |
//!
//! Where the paper leaves the procedures open, this is what they do, and the learner counts on it:
//!
//! - To *scan to* a string is to stop where it begins: `h`, `o`, `c` and `rk` are not consumed, so that `l1` may overlap `o`
//!   (the paper's own reduction of LR to OCLR sets `o = l1`) and `lk+1` may overlap `rk` (its figures have that too). Only
//!   `lk` is consumed: the value begins behind it.
//! - Of several strings that one comes *first* which **begins** first. Of left delimiters that begin together the longest
//!   wins, and of equal ones the lowest level; against `t` a left or open delimiter must begin earlier, not with it. (The
//!   paper's own wrapper for its site 14 has `t = "\n</PRE>"` and `l1 = "\n"`.)
//! - `h` must occur, and so must `c` behind every tuple and `t` behind the last; where one does not, or a tuple breaks off,
//!   the values found so far stand and [`End`](super::End) says what was missing.
//! - The empty string is found everywhere: it is a good `h` and a good `c`, and never a left, right, open or tail delimiter.
//!
//! Beyond the paper, each off in the pure classes:
//!
//! - **missing**: an optional attribute may be absent. After attribute k the next value is the first of those that may
//!   follow, up to the next required one, or of the next tuple if all the rest are optional.
//! - **alternatives**: several left or right delimiters for one edge; the one that ends (left) or begins (right) first.
//! - **skips**: a left delimiter with landmarks before it, each looked for behind the one before, as in "behind `Date:`, the
//!   next `<td>`".
//! - **transitions**: left delimiters that are looked for only behind values of one attribute, or only at the beginning of the
//!   page. A rule that has one has nothing else: behind a value of attribute k those left delimiters compete that are for k,
//!   whatever attribute they lead to, and the run ends where none is found. So attributes may be missing, and stand
//!   above several records, each in surroundings of its own.
//! - **spaces**: the page is read without the white space that does not count, see [`Loosened`](super::Loosened), and so
//!   are the delimiters.
//! - **eof**: a head without a tail; the page's end is the tail.

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
    /// All classes, simple ones first.
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

    /// Does it give trees?
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

    /// The class of a name, in capitals or not, with or without the hyphen.
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

/// A wrapper by delimiters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Delimiters {
    /// How the strings are used.
    pub class: Class,
    /// `h`, for the classes that have one.
    pub head: Option<String>,
    /// `t`, for the classes that have one; none there is the extension "eof".
    pub tail: Option<String>,
    /// `o`, for the classes that have one.
    pub open: Option<String>,
    /// `c`, for the classes that have one.
    pub close: Option<String>,
    /// Does white space count for little? The extension "spaces".
    pub loose: bool,
    /// The delimiters of each attribute, in the order of the page.
    pub fields: Vec<Edges>,
}

/// What stands around the values of an attribute.
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
    /// One string before, one behind.
    pub fn plain(left: impl Into<String>, right: impl Into<String>) -> Edges {
        Edges {
            left: vec![Left::plain(left)],
            right: vec![right.into()],
            optional: false,
        }
    }

    /// Is it as the paper has it: one string before, one behind, never missing?
    pub fn is_plain(&self) -> bool {
        matches!(&self.left[..], [one] if one.skips.is_empty() && one.from.is_none())
            && self.right.len() == 1
            && !self.optional
    }
}

/// A left delimiter: what to pass on the way, and the string whose end is the value's beginning.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Left {
    /// Behind which attribute it is looked for, counted from 1, or 0 for the beginning of the page; none in the pure
    /// classes: wherever the class says.
    pub from: Option<u32>,
    /// Landmarks to pass first, each looked for behind the one before; none in the pure classes.
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

/// Why a vector of strings is no wrapper.
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
    /// Is it a wrapper of its class as the paper defines it, without any extension?
    pub fn is_pure(&self) -> bool {
        (self.tail.is_some() || !self.class.has_head()) && !self.loose && self.fields.iter().all(Edges::is_plain)
    }

    /// The vector of a pure wrapper as the paper writes it: `h t o c` as far as the class has them, then `l1 r1 … lK rK`.
    pub fn vector(&self) -> Vec<&str> {
        let outer = [&self.head, &self.tail, &self.open, &self.close];
        let outer = outer.into_iter().filter_map(|text| text.as_deref());
        let inner = self.fields.iter().flat_map(|edges| {
            let left = edges.left.iter().map(|left| left.text.as_str());
            left.chain(edges.right.iter().map(String::as_str))
        });
        outer.chain(inner).collect()
    }

    /// Are its left delimiters looked for by transitions? See the extension of that name.
    pub fn is_by_transitions(&self) -> bool {
        self.lefts().any(|left| left.from.is_some())
    }

    fn lefts(&self) -> impl Iterator<Item = &Left> {
        self.fields.iter().flat_map(|edges| &edges.left)
    }

    /// Says what is wrong with the strings, if anything is.
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
