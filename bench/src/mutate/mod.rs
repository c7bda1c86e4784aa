//! Synthetic redesigns: pages of a site, changed as somebody who works on its template would change them.
//!
//! **Input**: pages of one site with their true values, and a seed. **Output**: HTML of the same pages after a number
//! of [`Step`]s. A redesign changes all pages of a site alike. So a step is drawn once for a site, from what its pages
//! have in common, and then applied to each page by itself. It changes *kinds* of elements: those of one tag and one
//! first class that occur on at least half of the pages.
//!
//! | change | what happens |
//! |---|---|
//! | [`Change::Wrap`] | elements get another one around them; cells, list items and the body get one inside |
//! | [`Change::Unwrap`] | elements are removed, their content stays |
//! | [`Change::Reorder`] | blocks of different kinds change places; so do rows that begin with words of the template |
//! | [`Change::Rename`] | classes and ids get other names |
//! | [`Change::Adverts`] | blocks with a text that differs on each page |
//! | [`Change::Drop`] | a field is no longer on the pages |
//! | [`Change::Swap`] | two columns of tables change places |
//! | [`Change::Divs`] | tables, rows and cells become `div` elements |
//!
//! The truth stays true: a step after which a value would be harder to find than before, on any page, is not taken
//! ([`Level`]). None of the remaining steps changes the text of a value, because each moves whole elements. A field
//! that is dropped is removed from the truth as well.
//!
//! The strength of a redesign is the number of its steps. A redesign of strength n + 1 begins with the one of strength
//! n.
//!
//! **Cost**: a page is written and parsed once for each step and each try.
//!
//! Known weaknesses: style sheets and scripts keep the old names of classes, because nothing here reads them. An
//! element whose first class differs on each page is of no kind, and only [`Change::Rename`] changes it.

mod apply;
mod draw;
#[cfg(test)]
mod tests;
mod tree;
mod truth;

use page::Page;
use std::fmt;

pub use draw::{Redesign, drift};
pub use truth::Level;

/// A page of a site.
#[derive(Clone, Debug)]
pub struct Sample {
    /// Its name.
    pub name: String,
    /// The page.
    pub page: Page,
    /// For each field of the site, the true values.
    pub truth: Vec<Vec<String>>,
}

/// What a step does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Change {
    /// Puts elements around elements.
    Wrap,
    /// Removes elements and keeps their content.
    Unwrap,
    /// Changes the order of blocks and rows.
    Reorder,
    /// Renames this percentage of classes and ids.
    Rename(u8),
    /// Inserts adverts.
    Adverts,
    /// Removes this field.
    Drop(usize),
    /// Swaps a column and the one after it.
    Swap(usize),
    /// Replaces tables by `div` elements.
    Divs,
}

/// Elements of one tag and one first class.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Kind {
    /// The tag.
    pub tag: String,
    /// The first class; `None` if there is no class.
    pub class: Option<String>,
}

/// One change to all pages of a site.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// What it does.
    pub change: Change,
    /// The elements that it changes; not needed for renaming classes.
    pub kinds: Vec<Kind>,
    /// Words that rows of the template begin with; only for [`Change::Reorder`].
    pub words: Vec<String>,
    /// The seed of its own choices: names, orders and the texts of adverts.
    pub salt: u64,
}

impl Step {
    /// The page after this step, as HTML.
    pub fn apply(&self, sample: &Sample) -> String {
        apply::apply(self, sample)
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.tag)?;
        self.class.iter().try_for_each(|class| write!(f, ".{class}"))
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.change)?;
        self.kinds.iter().try_for_each(|kind| write!(f, " {kind}"))
    }
}

/// A hash of a number and a text, which reveals neither.
fn mixed(salt: u64, text: &str) -> u64 {
    let mut state = text.bytes().fold(salt ^ 0xcbf2_9ce4_8422_2325, |state, byte| {
        (state ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    state = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    state = (state ^ (state >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    state ^ (state >> 31)
}

/// A name that is not in use: letters that depend only on a number and a text.
fn new_name(salt: u64, text: &str) -> String {
    let mut number = mixed(salt, text);
    let mut name = String::new();
    for _ in 0..10 {
        name.push(char::from(b'a' + (number % 26) as u8));
        number /= 26;
    }
    name
}
