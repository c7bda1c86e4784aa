//! Pages without examples: what a path finds there tells something about the path.
//!
//! One example fits many paths, and which of them is right shows on the next page. If such pages are at hand, paths that fit the
//! examples equally well are tried on them, too. A path is better the more of the pages it finds something on, and the more
//! its values look like the examples: a path that gives a phone number on each of forty pages is better than one that gives
//! "," on twelve. A text that is the same on all pages belongs to the site and not to the record, unless every path gives
//! such a text. Small differences mean little, so what is missing counts by its square. Words before a value are confirmed as
//! its label if they lead to values like the examples on nearly all pages on which some path does.
//!
//! Pages on which no path finds anything do not count: they may be of another template.
//!
//! **Cost**: each of at most [`WAYS`] paths is evaluated on at most [`MOST`] pages.
//!
//! Known failures: two fields of one form, such as two prices, look alike wherever the path leads; a page of another template
//! on which some path finds something counts.

use super::trust;
use page::{NodeId, Page};
use std::collections::BTreeSet;

/// The most places that paths are tried on.
pub(super) const MOST: usize = 40;
/// The most paths that are tried on them.
pub(super) const WAYS: usize = 40;
/// The most examples that a value is compared with.
const EXAMPLES: usize = 8;
/// With fewer values, it may be chance that they are equal.
const LEAST_EQUAL: usize = 4;
/// A value is like the examples if at least this much is the same.
pub(super) const LIKE: f64 = 0.5;
/// The number of values like the examples that confirm a label, and the share that they must be of those that any path finds.
const CONFIRMED: (usize, f64) = (2, 0.9);

/// A place where a record may be, on a page without examples.
#[derive(Clone, Copy)]
pub(super) struct Unseen<'p> {
    pub(super) page: &'p Page,
    pub(super) context: NodeId,
}

/// What such pages tell about a path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Heard {
    /// The factor for its trust.
    pub(super) factor: f64,
    /// How much its values are like the examples, from 0 to 1; 1 if there are none.
    pub(super) likeness: f64,
    /// Are enough of its values like the examples?
    pub(super) is_confirmed: bool,
    /// Does it find nothing anywhere, though others find values like the examples at most places?
    pub(super) is_absent: bool,
    /// Does it find nothing anywhere, though others find something at most places?
    pub(super) is_nowhere: bool,
    /// Does it find something in every second record only?
    pub(super) by_turns: bool,
}

impl Heard {
    /// Nothing is known.
    pub(super) const NOTHING: Heard = Heard {
        factor: 1.0,
        likeness: 1.0,
        is_confirmed: false,
        is_absent: false,
        is_nowhere: false,
        by_turns: false,
    };
}

/// What is told about each path, by what each finds at each place, and by the examples.
pub(super) fn hear(found: &[Vec<Vec<String>>], examples: &[&str]) -> Vec<Heard> {
    let places = found.first().map_or(0, Vec::len);
    let reached = (0..places).filter(|place| found.iter().any(|way| !way[*place].is_empty()));
    let reached = reached.count();
    if reached == 0 {
        return vec![Heard::NOTHING; found.len()];
    }
    let examples = &examples[..examples.len().min(EXAMPLES)];
    let like = |texts: &Vec<String>| -> Option<f64> {
        let text = texts.first()?;
        Some(examples.iter().map(|example| alike(text, example)).fold(0.0, f64::max))
    };
    let likes: Vec<Vec<Option<f64>>> = found.iter().map(|way| way.iter().map(like).collect()).collect();
    let is_like = |like: Option<f64>| like.is_some_and(|like| like >= LIKE);
    let any = (0..places).filter(|place| likes.iter().any(|way| is_like(way[*place])));
    let any = any.count();
    let constant: Vec<bool> = found.iter().map(|way| is_constant(way)).collect();
    let all_constant = constant.iter().all(|constant| *constant);
    let each = likes.iter().zip(constant).map(|(way, constant)| {
        let given = way.iter().flatten().count();
        let sum: f64 = way.iter().flatten().sum();
        let alike = way.iter().filter(|like| is_like(**like)).count();
        let own = if constant && !all_constant {
            trust::CONSTANT
        } else {
            1.0
        };
        let (least, part) = CONFIRMED;
        Heard {
            factor: own * (1.0 - trust::UNSEEN * (1.0 - sum / reached as f64).powi(2)),
            likeness: if given == 0 { 1.0 } else { sum / given as f64 },
            is_confirmed: alike >= least && alike as f64 >= part * any as f64,
            is_absent: given == 0 && any >= LEAST_EQUAL && any * 2 >= places,
            is_nowhere: given == 0 && reached >= LEAST_EQUAL && reached * 2 >= places,
            by_turns: false,
        }
    });
    each.collect()
}

/// The number of records in a row that are looked at to see whether they take turns, the fewest that show it, and the share of neighbours
/// that must differ. Values that are missing by chance are hardly ever missing in every second record.
pub(super) const TURNS: usize = 16;
const LEAST_TURNS: usize = 6;
const TURN: f64 = 0.8;

/// Is something found in every second record of a row? Then it depends on how rows are coloured, and not on what they say.
pub(super) fn by_turns(found: &[bool]) -> bool {
    let turns = found.windows(2).filter(|pair| pair[0] != pair[1]).count();
    found.len() >= LEAST_TURNS && turns as f64 >= TURN * (found.len() - 1) as f64
}

/// Is the same text found everywhere?
fn is_constant(way: &[Vec<String>]) -> bool {
    let texts: Vec<&Vec<String>> = way.iter().filter(|texts| !texts.is_empty()).collect();
    texts.len() >= LEAST_EQUAL && texts.windows(2).all(|pair| pair[0] == pair[1])
}

/// How much two texts are alike in how they are written, from 0 to 1: the kinds of words and signs they have in common, and
/// their lengths.
pub(super) fn alike(one: &str, other: &str) -> f64 {
    let kinds = |text: &str| -> BTreeSet<char> {
        let mut before = ' ';
        let mut kinds = BTreeSet::new();
        for letter in text.chars() {
            let begins = !before.is_alphanumeric();
            before = letter;
            kinds.extend(match letter {
                c if c.is_whitespace() => None,
                c if c.is_numeric() => Some('0'),
                c if !c.is_alphabetic() => Some(c),
                c if begins && c.is_uppercase() => Some('A'),
                _ if begins => Some('a'),
                _ => None,
            });
        }
        kinds
    };
    let (a, b) = (kinds(one), kinds(other));
    let union = a.union(&b).count();
    if union == 0 {
        return f64::from(u8::from(one == other));
    }
    let shared = a.intersection(&b).count() as f64 / union as f64;
    let (a, b) = (one.chars().count() as f64, other.chars().count() as f64);
    // Lengths differ much between values of one field, so they count little.
    shared * (a.min(b) / a.max(b)).powf(0.25)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ways(ways: &[&[&str]]) -> Vec<Vec<Vec<String>>> {
        let texts =
            |text: &&str| -> Vec<String> { text.split('|').filter(|t| !t.is_empty()).map(str::to_owned).collect() };
        ways.iter().map(|way| way.iter().map(texts).collect()).collect()
    }

    #[test]
    fn what_looks_like_the_examples_is_better() {
        let found = ways(&[&["555-1234", "555-9876", "555-0001", "555-1111"], &[",", "", ",", ""]]);
        let heard = hear(&found, &["555-4321"]);
        assert!(heard[0].factor > heard[1].factor + 0.2, "{heard:?}");
        assert!(heard[0].is_confirmed && !heard[1].is_confirmed);
    }

    #[test]
    fn what_is_the_same_everywhere_belongs_to_the_site() {
        let found = ways(&[&["2008", "2008", "2008", "2008"], &["2001", "1997", "2008", "1988"]]);
        let heard = hear(&found, &["2008"]);
        assert!(heard[1].factor > heard[0].factor, "{heard:?}");
        let both = ways(&[&["Acme", "Acme", "Acme", "Acme"], &["Acme", "Acme", "Acme", "Acme"]]);
        assert!(hear(&both, &["Acme"]).iter().all(|heard| heard.factor == 1.0));
    }

    #[test]
    fn pages_without_anything_tell_nothing() {
        assert_eq!(hear(&ways(&[&["", ""], &["", ""]]), &["x"]), [Heard::NOTHING; 2]);
        assert_eq!(hear(&[], &["x"]), []);
        let far = ways(&[&["12", "", ""], &["13", "", ""]]);
        assert!(hear(&far, &["10"]).iter().all(|heard| heard.factor > 0.99));
    }

    #[test]
    fn every_second_record_is_no_chance() {
        let turns = [true, false, true, false, false, true, false, true, false];
        assert!(by_turns(&turns));
        assert!(!by_turns(&turns[..4]));
        assert!(!by_turns(&[true, false, false, true, true, true, false, true]));
    }

    #[test]
    fn likeness_is_symmetric_and_bounded() {
        for (one, other) in [
            ("", ""),
            ("a", ""),
            ("12 May", "1 June"),
            ("$1.50", "$12.00"),
            ("…", "A"),
        ] {
            let like = alike(one, other);
            assert!((0.0..=1.0).contains(&like));
            assert!((like - alike(other, one)).abs() < 1e-12);
        }
    }
}
