//! The texts between the values, which delimiters come from.
//!
//! A page with its values is a sequence of gaps: from its beginning to the first value, from each value to the next,
//! and from the last value to the end. Each gap has the state that a wrapper is in when it reads the gap (how many
//! fields into the tuple, or the level in the tree) and the field that it leads to. All requirements on a left
//! delimiter can be stated in terms of gaps: it is first found at the end of those that lead to its field, and not
//! found in the others where a wrapper searches for it.

use crate::example::Example;
use wrapper::rule::{Class, Found};

/// The text between two values.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Gap<'a> {
    /// Which page.
    pub(crate) page: usize,
    /// The field of the value before, counted from 1; 0 at the beginning of the page.
    pub(crate) state: usize,
    /// The field of the value after, counted from 0; `None` at the end of the page.
    pub(crate) to: Option<usize>,
    /// The text itself.
    pub(crate) text: &'a str,
    /// The page from here on: a string may begin in the gap and end after it.
    pub(crate) onward: &'a str,
}

impl Gap<'_> {
    /// Is it the beginning of a page with values?
    pub(crate) fn is_head(&self) -> bool {
        self.state == 0 && self.to.is_some()
    }

    /// Is it the end of a page with values?
    pub(crate) fn is_tail(&self) -> bool {
        self.state > 0 && self.to.is_none()
    }

    /// Is it between two tuples?
    pub(crate) fn is_separator(&self) -> bool {
        self.state > 0 && self.to == Some(0)
    }
}

/// All gaps and values of the examples.
#[derive(Clone, Debug)]
pub(crate) struct Gaps<'a> {
    /// The number of fields.
    pub(crate) fields: usize,
    /// The gaps, page by page.
    pub(crate) gaps: Vec<Gap<'a>>,
    /// The values, page by page, each with the number of the gap after it and the text of both.
    pub(crate) values: Vec<Value<'a>>,
}

/// A value with what follows it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Value<'a> {
    pub(crate) page: usize,
    pub(crate) found: Found,
    /// The value and the gap after it.
    pub(crate) text: &'a str,
}

impl Value<'_> {
    pub(crate) fn len(&self) -> usize {
        (self.found.end - self.found.start) as usize
    }
}

impl<'a> Gaps<'a> {
    /// The gaps of examples that have passed [`check_labels`](crate::check_labels).
    pub(crate) fn new(fields: usize, examples: &[Example<'a>]) -> Gaps<'a> {
        let mut gaps = Vec::new();
        let mut values = Vec::new();
        for (page, example) in examples.iter().enumerate() {
            let (mut at, mut state) = (0, 0);
            for (number, found) in example.values.iter().enumerate() {
                let range = found.range();
                let to = Some(found.field as usize);
                let onward = &example.text[at..];
                gaps.push(Gap {
                    page,
                    state,
                    to,
                    text: &example.text[at..range.start],
                    onward,
                });
                let next = example
                    .values
                    .get(number + 1)
                    .map_or(example.text.len(), |next| next.start as usize);
                values.push(Value {
                    page,
                    found: *found,
                    text: &example.text[range.start..next],
                });
                (at, state) = (range.end, found.field as usize + 1);
            }
            let text = &example.text[at..];
            gaps.push(Gap {
                page,
                state,
                to: None,
                text,
                onward: text,
            });
        }
        Gaps { fields, gaps, values }
    }

    /// The first gap with an order of fields that the class does not allow.
    pub(crate) fn out_of_order(&self, class: Class) -> Option<&Gap<'a>> {
        let fields = self.fields;
        self.gaps.iter().find(|gap| match gap.to {
            None if class.is_nested() || gap.state == 0 => false,
            None => gap.state != fields,
            Some(to) => !rivals(class, gap.state, fields).contains(&to),
        })
    }
}

/// The fields whose left delimiters a wrapper searches for in a state.
pub(crate) fn rivals(class: Class, state: usize, fields: usize) -> std::ops::Range<usize> {
    if class.is_nested() {
        return 0..fields.min(state + 1);
    }
    let next = state % fields;
    next..next + 1
}
