//! Texts without a form, in records that have more or fewer of them than usual.
//!
//! Where records have different numbers of texts, a number says nothing: the second text is the price of one record and the seller of another one. The records
//! with the usual number say what the texts of each column are like. Records with another number are read as those columns in the order in which their texts are most
//! like them: of a record with one text more, one text is left over, and of a record with one less, one column is. All records with one number are read alike, because a
//! path can tell a record by its number of texts, and not by likeness.
//!
//! **In**: the texts of each record. **Out**: for each number of texts, the column of each text. What is left over between two columns is a column, too. If the best reading
//! is not clearly better than the next one, or if several records contradict it, nothing tells the texts of such records: they get columns of their own, which is better than a wrong one.
//!
//! Likeness is counted in features that need no knowledge of a language: how long a text is, how it is written, and which words and whole texts come again. Cost: linear in the
//! texts, times the readings of a number, of which there are at most 20.
//!
//! **Known failures**: two optional columns side by side, each of which is missing in other records; columns that are alike in all of this, such as two names.

use std::collections::{BTreeMap, HashMap};

/// The most texts of a record that are told.
const TEXTS: usize = 6;
/// The fewest records with the usual number of texts.
const FEWEST: usize = 3;
/// How much better the best reading of a record is than the next one, on average, to be clearly better. Likeness is between 0 and 1 for each text.
const CLEARLY: f64 = 0.08;
/// The share of the records with one number of texts for which the best reading must be the best.
const AGREE: f64 = 0.75;

/// The columns of texts.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Readings {
    /// For each number of texts that records have, the column of each text.
    pub(super) of: BTreeMap<usize, Vec<usize>>,
    /// The number of records whose texts nothing tells.
    pub(super) untold: usize,
}

/// What a column is, until columns are numbered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Slot {
    /// The n-th text of records with the usual number.
    Usual(usize),
    /// What is left over before the n-th usual column: how many texts that are, and which one of them.
    Over(usize, usize, usize),
    /// The n-th text of records with a number of texts that nothing tells.
    Own(usize, usize),
}

/// Aligns records by their texts without a form; none if there are none, or too many in a record.
pub(super) fn readings(records: &[Vec<String>]) -> Option<Readings> {
    let mut groups: BTreeMap<usize, Vec<&Vec<String>>> = BTreeMap::new();
    for record in records.iter().filter(|record| !record.is_empty()) {
        groups.entry(record.len()).or_default().push(record);
    }
    let (usual, full) = groups.iter().max_by_key(|(_, group)| group.len())?;
    if groups.keys().any(|count| *count > TEXTS) {
        return None;
    }
    // If all records that have some have the same number, there is nothing to tell.
    let is_sure = full.len() >= FEWEST || groups.len() == 1;
    let columns: Vec<Profile> = (0..*usual)
        .map(|at| Profile::new(full.iter().map(|texts| texts[at].as_str())))
        .collect();
    let mut untold = 0;
    let mut slots: BTreeMap<usize, Vec<Slot>> = BTreeMap::new();
    for (count, group) in &groups {
        let own = match best(&columns, *count, group).filter(|_| is_sure) {
            Some(reading) => slots_of(&reading, *count),
            None => {
                untold += group.len();
                (0..*count).map(|at| Slot::Own(*count, at)).collect()
            }
        };
        slots.insert(*count, own);
    }
    // Columns are numbered in the order of the page, as far as there is one.
    let mut all: Vec<Slot> = slots.values().flatten().copied().collect();
    all.sort_by_key(|slot| match slot {
        Slot::Over(before, ..) => (0, *before, 0, *slot),
        Slot::Usual(at) => (0, *at, 1, *slot),
        Slot::Own(..) => (1, 0, 0, *slot),
    });
    all.dedup();
    let number = |slot: &Slot| all.iter().position(|own| own == slot).unwrap_or(0);
    let of = slots
        .iter()
        .map(|(count, slots)| (*count, slots.iter().map(number).collect()))
        .collect();
    Some(Readings { of, untold })
}

/// What each text of a record is, if some of them are usual columns.
fn slots_of(reading: &[(usize, usize)], count: usize) -> Vec<Slot> {
    let mut slots = vec![None; count];
    for (column, place) in reading {
        slots[*place] = Some(Slot::Usual(*column));
    }
    let mut at = 0;
    while at < count {
        let length = slots[at..].iter().take_while(|slot| slot.is_none()).count();
        let next = reading.iter().find(|(_, place)| *place >= at + length);
        let before = next.map_or(usize::MAX, |(column, _)| *column);
        for number in 0..length {
            slots[at + number] = Some(Slot::Over(before, length, number));
        }
        at += length.max(1);
    }
    slots.into_iter().flatten().collect()
}

/// The reading of records with `count` texts: columns and places, in order; none if no reading is clearly the best.
fn best(columns: &[Profile], count: usize, group: &[&Vec<String>]) -> Option<Vec<(usize, usize)>> {
    let readings = pairs(columns.len(), count);
    let [only] = &readings[..] else {
        let scores: Vec<Vec<f64>> = readings
            .iter()
            .map(|reading| {
                let score = |texts: &&Vec<String>| -> f64 {
                    let pairs = reading.iter();
                    pairs
                        .map(|(column, place)| columns[*column].likeness(&texts[*place]))
                        .sum()
                };
                group.iter().map(score).collect()
            })
            .collect();
        let sums: Vec<f64> = scores.iter().map(|scores| scores.iter().sum()).collect();
        let first = (0..sums.len()).max_by(|one, other| sums[*one].total_cmp(&sums[*other]))?;
        let others = (0..sums.len()).filter(|at| *at != first);
        let second = others.max_by(|one, other| sums[*one].total_cmp(&sums[*other]))?;
        let is_clear = sums[first] - sums[second] >= CLEARLY * group.len() as f64;
        let is_best = |record: &usize| {
            scores
                .iter()
                .all(|scores_of| scores_of[*record] <= scores[first][*record])
        };
        let agree = (0..group.len()).filter(is_best).count();
        let is_sure = is_clear && agree as f64 >= AGREE * group.len() as f64;
        return is_sure.then(|| readings[first].clone());
    };
    Some(only.clone())
}

/// All ways to pair columns with places in order, as many as there are of the fewer.
fn pairs(columns: usize, places: usize) -> Vec<Vec<(usize, usize)>> {
    let (fewer, more) = (columns.min(places), columns.max(places));
    let chosen = (0_u32..1 << more).filter(|bits| bits.count_ones() as usize == fewer);
    let pair = |bits: u32| {
        let chosen = (0..more).filter(|at| bits >> at & 1 == 1);
        let pair = |(at, chosen): (usize, usize)| match columns <= places {
            true => (at, chosen),
            false => (chosen, at),
        };
        chosen.enumerate().map(pair).collect()
    };
    chosen.map(pair).collect()
}

/// What the texts of a column are like.
struct Profile {
    count: f64,
    /// How often each feature comes.
    features: HashMap<Feature, usize>,
}

/// What can be said about a text.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Feature {
    /// The number of words: 1, 2, 3, or about twice as many each time.
    Words(u32),
    /// The length in characters, about twice as many each time.
    Length(u32),
    Shape(String),
    Whole(String),
    Word(String),
    First(String),
    Last(String),
}

impl Feature {
    /// Those that a text has one of each.
    fn of(text: &str) -> Vec<Feature> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let number = match words.len() as u32 {
            few @ 0..=3 => few,
            more => 2 + more.ilog2(),
        };
        let mut features = vec![
            Feature::Words(number),
            Feature::Length((text.chars().count().max(1) as u32).ilog2()),
            Feature::Shape(shape(&words)),
            Feature::Whole(text.to_owned()),
        ];
        features.extend(words.first().map(|word| Feature::First((*word).to_owned())));
        features.extend(words.last().map(|word| Feature::Last((*word).to_owned())));
        features
    }
}

impl Profile {
    fn new<'t>(texts: impl Iterator<Item = &'t str>) -> Profile {
        let mut profile = Profile {
            count: 0.0,
            features: HashMap::new(),
        };
        for text in texts {
            profile.count += 1.0;
            let words = text.split_whitespace().map(|word| Feature::Word(word.to_owned()));
            for feature in Feature::of(text).into_iter().chain(words) {
                *profile.features.entry(feature).or_default() += 1;
            }
        }
        profile
    }

    /// How like the texts of the column a text is, from 0 to 1. Of words and whole texts it counts that they are known, of the rest how usual it is.
    fn likeness(&self, text: &str) -> f64 {
        let times = |feature: &Feature| self.features.get(feature).copied().unwrap_or(0) as f64;
        let own = Feature::of(text);
        let one = |feature: &Feature| match feature {
            Feature::Words(_) | Feature::Length(_) | Feature::Shape(_) => times(feature) / self.count,
            _ => times(feature).min(1.0),
        };
        let (words, known) = text.split_whitespace().fold((0.0, 0.0), |(words, known), word| {
            (words + 1.0, known + times(&Feature::Word(word.to_owned())).min(1.0))
        });
        let features: f64 = own.iter().map(one).sum();
        (features + known / f64::max(words, 1.0)) / (own.len() + 1) as f64
    }
}

/// How the words of a text are written: with a capital letter, in small letters, in capitals, or with digits; words of one kind side by side are one.
fn shape(words: &[&str]) -> String {
    let mut shape = String::new();
    for word in words {
        let is_capital = word.starts_with(char::is_uppercase);
        let kind = match () {
            () if word.contains(|c: char| c.is_ascii_digit()) => '0',
            () if is_capital && word.len() > 1 && !word.contains(char::is_lowercase) => 'A',
            () if is_capital => 'a',
            () if word.contains(char::is_alphabetic) => 'w',
            () => '.',
        };
        if !shape.ends_with(kind) {
            shape.push(kind);
        }
    }
    shape
}

#[cfg(test)]
mod tests {
    use super::*;

    fn owned(records: &[impl AsRef<[&'static str]>]) -> Vec<Vec<String>> {
        let own = |text: &&str| (*text).to_owned();
        records
            .iter()
            .map(|texts| texts.as_ref().iter().map(own).collect())
            .collect()
    }

    fn of(records: &[&[&'static str]]) -> Option<Vec<(usize, Vec<usize>)>> {
        readings(&owned(records)).map(|found| found.of.into_iter().collect())
    }

    #[test]
    fn a_text_more_is_found_by_what_the_others_are_like() {
        let titles = ["Elm Lamp", "Heath Bench", "Birch Stool", "Gale Stool", "Alder Bench"];
        let mut last: Vec<Vec<&str>> = titles.iter().map(|title| vec![*title]).collect();
        let mut first = last.clone();
        for (at, person) in [(1, "Ships within 3 days"), (3, "Ships within 5 days")] {
            last[at].push(person);
            first[at].insert(0, person);
        }
        let records = |lists: &[Vec<&'static str>]| readings(&owned(lists)).unwrap().of;
        assert_eq!(records(&last), BTreeMap::from([(1, vec![0]), (2, vec![0, 1])]));
        assert_eq!(records(&first), BTreeMap::from([(1, vec![1]), (2, vec![0, 1])]));
    }

    #[test]
    fn a_missing_text_is_told_by_the_others() {
        let found = of(&[
            &["Elm Lamp", "Public hearing about the harbour"],
            &["Heath Bench", "Public hearing about the old mill"],
            &["Birch Stool", "Public hearing about the library"],
            &["Public hearing about the budget"],
        ]);
        assert_eq!(found, Some(vec![(1, vec![1]), (2, vec![0, 1])]));
    }

    #[test]
    fn what_nothing_tells_is_a_column_of_its_own() {
        let found = of(&[&["kelp"], &["moss"], &["fern"], &["reed", "dune"], &["sand", "loam"]]);
        assert_eq!(found, Some(vec![(1, vec![0]), (2, vec![1, 2])]));
        let found = of(&[&["kelp"], &["moss"], &["fern"], &["reed", "dune"]]);
        assert_eq!(found, Some(vec![(1, vec![0]), (2, vec![1, 2])]));
    }
}
