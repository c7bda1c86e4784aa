//! Left and right delimiters one by one: each is a string and an interval of lengths.
//!
//! **Right.** `r` ends the values of field k if a search from the beginning of each value first finds it at the end of
//! the value. So it is a prefix of the text after every value, that is, a prefix of their longest common prefix R. And
//! it must not be found earlier, not even across the end of the value. Where a longer prefix is found, a shorter one is
//! found too: if some prefix is nowhere found too early, neither is any longer one. Hence the valid right delimiters
//! are the prefixes of R from a least length on, or there are none; testing R decides which.
//!
//! **Left.** In a table only one left delimiter is searched for at a time. `l` begins the values of field k if it is
//! first found at the end of each gap that leads to them, and, for `l1` in LR, not at all in the ends of pages. So it
//! is a suffix of the longest common suffix L of the gaps that lead to k. Again, where a longer suffix is found, a
//! shorter one is found too: the valid ones are the suffixes of L from a least length on. All delimiters of LR are
//! independent of each other, as the paper says. Left delimiters that compete are handled in [`system`](super::system).
//!
//! Delimiters end where the text between values ends: a right delimiter does not reach into the next value, as with the
//! paper's candidates.
//!
//! One search for L or R through the gaps decides; the least length takes a binary search of such searches. For each
//! field, the time is the length of the pages times the logarithm of the delimiter's length.

use super::gaps::{Gap, Gaps, rivals};
use memchr::memmem::Finder;
use wrapper::rule::Class;

/// The valid delimiters of an edge: the suffixes (left) or prefixes (right) of `longest` from `least` bytes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Interval<'a> {
    pub(crate) longest: &'a str,
    pub(crate) least: usize,
}

/// Why there is no delimiter for an edge.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Blame {
    /// The texts at these positions have nothing in common; the numbers are those of gaps or values.
    NothingCommon(usize, usize),
    /// What they have in common is found too early or in a wrong gap; the number is that of the gap or value.
    Elsewhere(usize),
}

/// Which gaps a left delimiter of a table must fit, besides those between values.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scope {
    /// The beginnings of pages.
    pub(crate) heads: bool,
    /// The ends of pages.
    pub(crate) tails: bool,
}

pub(crate) fn right<'a>(gaps: &Gaps<'a>, field: usize) -> Result<Interval<'a>, Blame> {
    let values: Vec<(usize, _)> = gaps
        .values
        .iter()
        .enumerate()
        .filter(|(_, value)| value.found.field as usize == field)
        .collect();
    let mut longest: Option<(usize, &'a str)> = None;
    for (number, value) in &values {
        let follow = &value.text[value.len()..];
        let (witness, so_far) = longest.unwrap_or((*number, follow));
        let common = common_prefix(so_far, follow);
        if common.is_empty() {
            return Err(Blame::NothingCommon(witness, *number));
        }
        longest = Some((witness, common));
    }
    let longest = longest.map_or("", |(_, text)| text);
    let fails = |len: usize| {
        let finder = Finder::new(&longest[..len]);
        values.iter().find(|(_, value)| {
            let before = &value.text.as_bytes()[..value.len() + len - 1];
            finder.find(before).is_some()
        })
    };
    if longest.is_empty() {
        return Err(Blame::NothingCommon(0, 0));
    }
    if let Some((number, _)) = fails(longest.len()) {
        return Err(Blame::Elsewhere(*number));
    }
    let lengths: Vec<usize> = (1..=longest.len())
        .filter(|len| longest.is_char_boundary(*len))
        .collect();
    let least = lengths[lengths
        .partition_point(|len| fails(*len).is_some())
        .min(lengths.len() - 1)];
    Ok(Interval { longest, least })
}

pub(crate) fn left<'a>(gaps: &Gaps<'a>, field: usize, scope: Scope) -> Result<Interval<'a>, Blame> {
    let longest = left_longest(gaps, field)?;
    if let Some(number) = left_fails(gaps, field, scope, longest) {
        return Err(Blame::Elsewhere(number));
    }
    let least = left_least(longest, |text| left_fails(gaps, field, scope, text).is_none());
    Ok(Interval { longest, least })
}

/// The longest common suffix of the gaps that lead to a field.
pub(crate) fn left_longest<'a>(gaps: &Gaps<'a>, field: usize) -> Result<&'a str, Blame> {
    let mut longest: Option<(usize, &'a str)> = None;
    for (number, gap) in gaps.gaps.iter().enumerate() {
        if gap.to != Some(field) {
            continue;
        }
        let (witness, so_far) = longest.unwrap_or((number, gap.text));
        let common = common_suffix(so_far, gap.text);
        if common.is_empty() {
            return Err(Blame::NothingCommon(witness, number));
        }
        longest = Some((witness, common));
    }
    longest.map(|(_, text)| text).ok_or(Blame::NothingCommon(0, 0))
}

/// The length of the shortest valid suffix. All of `longest` must be valid, and so must every suffix longer than a
/// valid one.
pub(crate) fn left_least(longest: &str, valid: impl Fn(&str) -> bool) -> usize {
    let starts: Vec<usize> = (0..longest.len())
        .rev()
        .filter(|at| longest.is_char_boundary(*at))
        .collect();
    let short = starts.partition_point(|at| !valid(&longest[*at..]));
    longest.len() - starts.get(short).or(starts.last()).copied().unwrap_or(0)
}

/// The first gap for which a left delimiter of a table is wrong.
fn left_fails(gaps: &Gaps<'_>, field: usize, scope: Scope, text: &str) -> Option<usize> {
    let finder = Finder::new(text);
    gaps.gaps.iter().position(|gap| {
        let competes = rivals(Class::Lr, gap.state, gaps.fields).contains(&field);
        if !competes || (gap.is_head() && !scope.heads) || (gap.to.is_none() && !scope.tails) {
            return false;
        }
        let found = finder.find(gap.text.as_bytes());
        let at_end = gap.text.len().checked_sub(text.len());
        match gap.to {
            Some(_) => found != at_end || found.is_none(),
            None => found.is_some(),
        }
    })
}

/// Is the first occurrence of the text in the gap at the gap's end?
pub(crate) fn is_proper_suffix(gap: &str, text: &str) -> bool {
    let at_end = gap.len().checked_sub(text.len());
    at_end.is_some() && memchr::memmem::find(gap.as_bytes(), text.as_bytes()) == at_end
}

pub(crate) fn common_prefix<'a>(a: &'a str, b: &str) -> &'a str {
    let mut len = a.bytes().zip(b.bytes()).take_while(|(a, b)| a == b).count();
    while !a.is_char_boundary(len) {
        len -= 1;
    }
    &a[..len]
}

pub(crate) fn common_suffix<'a>(a: &'a str, b: &str) -> &'a str {
    let len = a.bytes().rev().zip(b.bytes().rev()).take_while(|(a, b)| a == b).count();
    let mut at = a.len() - len;
    while !a.is_char_boundary(at) {
        at += 1;
    }
    &a[at..]
}

/// The gaps in which a wrapper with a tail also searches for the tail: where a tuple, or in a tree any value, may
/// begin.
pub(crate) fn watched<'g, 'a>(gaps: &'g Gaps<'a>, class: Class) -> impl Iterator<Item = &'g Gap<'a>> {
    let inner = move |gap: &&Gap<'a>| gap.state > 0 && gap.to.is_some() && (class.is_nested() || gap.to == Some(0));
    gaps.gaps.iter().filter(inner)
}
