//! Profiles: what the values of each field look like. Checks compare values with profiles, and repairs use them to find
//! the values again when a page changes.
//!
//! A profile contains for each field: how often it is present, and how often on each page; whether its values are links
//! (L); the words before them (A); how they are written (P: a *shape* for each way of writing, with its count); how
//! long they are; how many are different; their range, if they are numbers; the names of the elements around them; and
//! some of the values themselves, because tomorrow's page about the same thing will say the same.

mod alike;
mod locate;
mod sights;

pub use locate::{Places, Spot, longest_text};
pub use sights::{Gathering, LONGEST_LABEL, SAID, Sights, TITULAR, gather, words};

use std::borrow::Cow;
use std::collections::{BTreeMap, HashSet};

/// How many different shapes, labels and names are kept for each field.
pub const KEPT: usize = 24;
/// How many values are kept for each field.
const SAMPLES: usize = 200;
/// The most characters that are kept of a value.
pub const SAMPLE: usize = 400;

/// The profile of a table: the features of all its fields.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Profile {
    /// The number of pages it was gathered from.
    pub pages: u64,
    /// The number of records on them.
    pub records: u64,
    /// The smallest and the largest number of records on a page.
    pub per_page: (u64, u64),
    /// For each number of records, how many pages have that many, by [`bucket`].
    pub counts: BTreeMap<u64, u64>,
    /// On pages with a list: the parts of the list that have a value, and those that look like them and have none.
    pub parts: (u64, u64),
    /// The values that are told by how they are written, such as dates, and other texts on their pages that are written so.
    pub strays: (u64, u64),
    /// The fields, in the order of the schema.
    pub fields: Vec<FieldProfile>,
}

/// The features of a field.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FieldProfile {
    /// The number of values.
    pub count: u64,
    /// The number of records that have a value.
    pub records: u64,
    /// For each number of values, how many pages have that many, by [`bucket`].
    pub per_page: BTreeMap<u64, u64>,
    /// How many values are links.
    pub links: u64,
    /// How many values are in an attribute.
    pub attributes: u64,
    /// The words before the values, with counts.
    pub labels: BTreeMap<String, u64>,
    /// How the values are written, with counts.
    pub shapes: BTreeMap<String, u64>,
    /// The tags of the elements that contain the values, with counts.
    pub tags: BTreeMap<String, u64>,
    /// The names (class, id, itemprop) of the elements around the values, with counts. Of addresses also the words of their links ([`SAID`]).
    pub names: BTreeMap<String, u64>,
    /// The characters of the shortest value, of all values together, and of the longest one.
    pub length: (u64, u64, u64),
    /// For each length in characters, how many values have it, by [`bucket`].
    pub lengths: BTreeMap<u64, u64>,
    /// The values that are numbers: how many, the smallest and the largest.
    pub numbers: (u64, f64, f64),
    /// In lists, the values that are told by how they are written, such as dates, and those of them that have another such text beside them in their record.
    pub peers: (u64, u64),
    /// The values whose places are known, and other elements on their pages that are of the same make as the elements of these values.
    pub makes: (u64, u64),
    /// The values that are all of the text that they are in.
    pub whole: u64,
    /// The number of different values.
    pub different: u64,
    /// Some of the values.
    pub samples: Vec<String>,
}

/// One value, and what is around it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sight {
    /// The value.
    pub text: String,
    /// Is it a link, or inside one?
    pub link: bool,
    /// Is it in an attribute?
    pub attribute: bool,
    /// The words before it.
    pub label: Option<String>,
    /// The tag of its element.
    pub tag: String,
    /// The names of the elements around it.
    pub names: Vec<String>,
}

/// The class of similar numbers that a number belongs to, named by its smallest member. Each number below 32 is a class
/// of its own; above, each octave has sixteen classes.
///
/// ```
/// use wrapper::profile::bucket;
/// assert_eq!([0, 7, 31, 33, 100, 1000].map(bucket), [0, 7, 31, 32, 100, 992]);
/// ```
pub fn bucket(number: u64) -> u64 {
    match number {
        0..32 => number,
        _ => {
            let step = number.ilog2() - 4;
            number >> step << step
        }
    }
}

/// Adds the counts of another map, class by class.
fn add_counts(mine: &mut BTreeMap<u64, u64>, other: &BTreeMap<u64, u64>) {
    for (class, count) in other {
        let sum = mine.entry(*class).or_default();
        *sum = sum.saturating_add(*count);
    }
}

impl Profile {
    /// Adds a page: its number of records, and the number of values of each field.
    pub fn add_page(&mut self, records: u64, values: &[u64]) {
        self.per_page = match self.pages {
            0 => (records, records),
            _ => (self.per_page.0.min(records), self.per_page.1.max(records)),
        };
        self.pages += 1;
        self.records += records;
        *self.counts.entry(bucket(records)).or_default() += 1;
        for (field, values) in self.fields.iter_mut().zip(values) {
            *field.per_page.entry(bucket(*values)).or_default() += 1;
        }
    }

    /// The shapes of values that few other texts have, such as those of dates.
    pub fn written(&self) -> HashSet<String> {
        let shapes = self.fields.iter().flat_map(|field| field.shapes.keys());
        shapes.filter(|shape| alike::is_telling(shape)).cloned().collect()
    }

    /// Adds what was seen on other pages.
    pub fn merge(&mut self, other: &Profile) {
        self.per_page = match (self.pages, other.pages) {
            (_, 0) => self.per_page,
            (0, _) => other.per_page,
            _ => (
                self.per_page.0.min(other.per_page.0),
                self.per_page.1.max(other.per_page.1),
            ),
        };
        self.pages = self.pages.saturating_add(other.pages);
        self.records = self.records.saturating_add(other.records);
        add_counts(&mut self.counts, &other.counts);
        self.parts.0 = self.parts.0.saturating_add(other.parts.0);
        self.parts.1 = self.parts.1.saturating_add(other.parts.1);
        self.strays.0 = self.strays.0.saturating_add(other.strays.0);
        self.strays.1 = self.strays.1.saturating_add(other.strays.1);
        for (mine, other) in self.fields.iter_mut().zip(&other.fields) {
            mine.merge(other);
        }
    }
}

impl FieldProfile {
    /// Adds a value.
    pub fn add(&mut self, sight: &Sight) {
        let length = sight.text.chars().count() as u64;
        *self.lengths.entry(bucket(length)).or_default() += 1;
        self.length = match self.count {
            0 => (length, length, length),
            _ => (
                self.length.0.min(length),
                self.length.1 + length,
                self.length.2.max(length),
            ),
        };
        self.count += 1;
        self.links += u64::from(sight.link);
        self.attributes += u64::from(sight.attribute);
        let bump = |map: &mut BTreeMap<String, u64>, key: &str| {
            if map.len() < KEPT || map.contains_key(key) {
                *map.entry(key.to_owned()).or_default() += 1;
            }
        };
        if let Some(label) = &sight.label {
            bump(&mut self.labels, label);
        }
        bump(&mut self.shapes, &shape(&sight.text));
        bump(&mut self.tags, &sight.tag);
        for name in &sight.names {
            bump(&mut self.names, name);
        }
        if let Some(number) = number(&sight.text) {
            let (count, low, high) = self.numbers;
            self.numbers = match count {
                0 => (1, number, number),
                _ => (count + 1, low.min(number), high.max(number)),
            };
        }
        let sample: String = sight.text.chars().take(SAMPLE).collect();
        if !self.samples.contains(&sample) {
            self.different += 1;
            if self.samples.len() < SAMPLES {
                self.samples.push(sample);
            }
        }
    }

    /// Adds what was seen of other values of the field.
    pub fn merge(&mut self, other: &FieldProfile) {
        add_counts(&mut self.per_page, &other.per_page);
        self.records = self.records.saturating_add(other.records);
        if other.count == 0 {
            return;
        }
        add_counts(&mut self.lengths, &other.lengths);
        self.length = match self.count {
            0 => other.length,
            _ => (
                self.length.0.min(other.length.0),
                self.length.1.saturating_add(other.length.1),
                self.length.2.max(other.length.2),
            ),
        };
        self.numbers = match (self.numbers.0, other.numbers.0) {
            (0, _) => other.numbers,
            (_, 0) => self.numbers,
            (a, b) => (
                a.saturating_add(b),
                self.numbers.1.min(other.numbers.1),
                self.numbers.2.max(other.numbers.2),
            ),
        };
        self.count = self.count.saturating_add(other.count);
        self.peers.0 = self.peers.0.saturating_add(other.peers.0);
        self.peers.1 = self.peers.1.saturating_add(other.peers.1);
        self.makes.0 = self.makes.0.saturating_add(other.makes.0);
        self.makes.1 = self.makes.1.saturating_add(other.makes.1);
        self.whole = self.whole.saturating_add(other.whole);
        self.links = self.links.saturating_add(other.links);
        self.attributes = self.attributes.saturating_add(other.attributes);
        for (mine, others) in [
            (&mut self.labels, &other.labels),
            (&mut self.shapes, &other.shapes),
            (&mut self.tags, &other.tags),
            (&mut self.names, &other.names),
        ] {
            for (key, count) in others {
                if mine.len() < KEPT || mine.contains_key(key) {
                    let sum = mine.entry(key.clone()).or_default();
                    *sum = sum.saturating_add(*count);
                }
            }
        }
        // It is unknown whether values that were not kept are new.
        let new = other.samples.iter().filter(|text| !self.samples.contains(text)).count() as u64;
        let unkept = other.different.saturating_sub(other.samples.len() as u64);
        self.different = self.different.saturating_add(new).saturating_add(unkept);
        self.remember(&other.samples);
    }

    /// Keeps some more values as samples, without counting them.
    pub fn remember(&mut self, samples: &[String]) {
        for text in samples {
            if self.samples.len() >= SAMPLES {
                return;
            }
            if !self.samples.contains(text) {
                self.samples.push(text.clone());
            }
        }
    }

    /// The mean length of a value.
    pub fn mean_length(&self) -> f64 {
        self.length.1 as f64 / self.count.max(1) as f64
    }

    /// The share of values that are links.
    pub fn link_share(&self) -> f64 {
        self.links as f64 / self.count.max(1) as f64
    }

    /// The most frequent label, if at least half of the values have it.
    pub fn label(&self) -> Option<&str> {
        let best = self.labels.iter().max_by_key(|(_, count)| **count)?;
        (best.1.saturating_mul(2) >= self.count).then_some(best.0.as_str())
    }

    /// A regular expression for how the values are written, from at most the three most frequent shapes.
    pub fn pattern(&self) -> String {
        let mut shapes: Vec<(&String, &u64)> = self.shapes.iter().collect();
        shapes.sort_by(|a, b| b.1.cmp(a.1).then_with(|| a.0.cmp(b.0)));
        let known: f64 = shapes.iter().take(3).map(|(_, count)| **count as f64).sum();
        if known * 4.0 < self.count as f64 * 3.0 {
            return format!(".{{{},{}}}", self.length.0, self.length.2);
        }
        let mut patterns: Vec<String> = shapes.iter().take(3).map(|(shape, _)| expression(shape)).collect();
        patterns.dedup();
        patterns.join("|")
    }
}

/// The digits of a text as one number, if few letters are around them: `$15.38` is 15.38, and `10/31/23` is 103123. That
/// is a feature of how a text is written, and saved profiles depend on it. For what a text means, see
/// [`record::values::number`].
pub fn number(text: &str) -> Option<f64> {
    let digits: String = text
        .chars()
        .filter(|c| c.is_ascii_digit() || *c == '.' || *c == '-')
        .collect();
    let others = text.chars().filter(|c| c.is_alphabetic()).count();
    if others > 3 || !digits.bytes().any(|byte| byte.is_ascii_digit()) {
        return None;
    }
    digits
        .trim_matches('.')
        .parse()
        .ok()
        .filter(|number: &f64| number.is_finite())
}

/// The shape of a text. `Aa` is a capitalized word, `A` a word in capitals, `a` any other word, and `0` a digit,
/// repeated for up to four digits. Other signs stand for themselves. A `+` marks several words of one kind in a row.
///
/// ```
/// use wrapper::profile::shape;
/// assert_eq!(shape("Ugo Liberatore"), "Aa+");
/// assert_eq!(shape("$15.38"), "$00.00");
/// assert_eq!(shape("OCTOBER 24, 2016"), "A 00, 0000");
/// ```
pub fn shape(text: &str) -> String {
    let mut pieces: Vec<Cow<'static, str>> = Vec::new();
    let mut letters = text.chars().take(200).peekable();
    while let Some(first) = letters.next() {
        let same = |c: &char| match first {
            _ if first.is_alphabetic() => c.is_alphabetic() || *c == '\'' || *c == '’',
            _ if first.is_numeric() => c.is_numeric(),
            _ => first.is_whitespace() && c.is_whitespace(),
        };
        let (mut count, mut lower) = (1, usize::from(first.is_lowercase()));
        while let Some(next) = letters.next_if(same) {
            count += 1;
            lower += usize::from(next.is_lowercase());
        }
        pieces.push(if first.is_alphabetic() {
            match (first.is_uppercase(), lower) {
                (true, 0) => "A".into(),
                (true, _) => "Aa".into(),
                _ => "a".into(),
            }
        } else if first.is_numeric() {
            "0000"[..count.min(4)].into()
        } else if first.is_whitespace() {
            " ".into()
        } else {
            first.to_string().into()
        });
        if pieces.len() > 60 {
            break;
        }
    }
    // Joins words of one kind in a row.
    let is_word = |piece: &str| matches!(piece, "A" | "Aa" | "a" | "A+" | "Aa+" | "a+" | "w+");
    let mut out: Vec<Cow<'static, str>> = Vec::new();
    for piece in pieces {
        let joins = is_word(&piece) && out.len() >= 2 && out[out.len() - 1] == " " && is_word(&out[out.len() - 2]);
        if joins {
            out.pop();
            let before = out.pop().unwrap_or_default();
            let kind = before.trim_end_matches('+');
            out.push(if kind == piece {
                format!("{piece}+").into()
            } else {
                "w+".into()
            });
        } else {
            out.push(piece);
        }
    }
    out.truncate(24);
    out.concat()
}

/// A regular expression for a shape.
fn expression(shape: &str) -> String {
    let mut out = String::new();
    let mut rest = shape;
    while let Some(first) = rest.chars().next() {
        let (piece, length) = if rest.starts_with("w+") {
            (r"\w+( \w+)+".to_owned(), 2)
        } else if rest.starts_with("Aa+") {
            ("[A-Z][a-z]+( [A-Z][a-z]+)+".to_owned(), 3)
        } else if rest.starts_with("Aa") {
            ("[A-Z][a-z]+".to_owned(), 2)
        } else if rest.starts_with("A+") {
            ("[A-Z]+( [A-Z]+)+".to_owned(), 2)
        } else if rest.starts_with("a+") {
            ("[a-z]+( [a-z]+)+".to_owned(), 2)
        } else if first == 'A' {
            ("[A-Z]+".to_owned(), 1)
        } else if first == 'a' {
            ("[a-z]+".to_owned(), 1)
        } else if first == '0' {
            let count = rest.len() - rest.trim_start_matches('0').len();
            let many = if count >= 4 {
                "[0-9]{4,}".to_owned()
            } else {
                format!("[0-9]{{{count}}}")
            };
            (many, count)
        } else if first.is_ascii_punctuation() {
            (format!("\\{first}"), 1)
        } else {
            (first.to_string(), first.len_utf8())
        };
        out += &piece;
        rest = &rest[length..];
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_are_how_texts_are_written() {
        let shapes = [
            ("May Morning", "Aa+"),
            ("15.38-23.26", "00.00-00.00"),
            ("CC-12-1226-BePaMk", "A-00-0000-Aa"),
            ("1 unidade de cebola", "0 a+"),
            ("", ""),
            ("Ugo de la Tour", "w+"),
            ("12345678", "0000"),
        ];
        for (text, expected) in shapes {
            assert_eq!(shape(text), expected, "{text}");
        }
    }

    #[test]
    fn profiles_add_up() {
        let sight = |text: &str, label: &str| Sight {
            text: text.to_owned(),
            label: Some(label.to_owned()),
            ..Sight::default()
        };
        let seen = [("1", "a"), ("22", "b"), ("x", "a"), ("1", "a")].map(|(text, label)| sight(text, label));
        let profile = |sights: &[Sight]| {
            let mut field = FieldProfile::default();
            sights.iter().for_each(|sight| field.add(sight));
            let mut profile = Profile {
                fields: vec![field],
                ..Profile::default()
            };
            profile.add_page(sights.len() as u64, &[sights.len() as u64]);
            profile
        };
        let mut sum = Profile {
            fields: vec![FieldProfile::default()],
            ..Profile::default()
        };
        sum.merge(&profile(&seen[..3]));
        sum.merge(&profile(&seen[3..]));
        let mut all = profile(&seen);
        all.fields[0].per_page = BTreeMap::from([(1, 1), (3, 1)]);
        assert_eq!(sum.fields, all.fields);
        assert_eq!(sum.counts, BTreeMap::from([(1, 1), (3, 1)]));
        assert_eq!((sum.pages, sum.records, sum.per_page), (2, 4, (1, 3)));
    }

    #[test]
    fn a_profile_tells_a_pattern() {
        let mut field = FieldProfile::default();
        for text in ["$15.38", "$14.98"] {
            field.add(&Sight {
                text: text.to_owned(),
                label: Some("DVD".to_owned()),
                ..Sight::default()
            });
        }
        assert_eq!(field.pattern(), r"\$[0-9]{2}\.[0-9]{2}");
        assert_eq!(field.label(), Some("DVD"));
        assert_eq!(field.numbers, (2, 14.98, 15.38));
        assert_eq!((field.count, field.different, field.length), (2, 2, (6, 12, 6)));
        assert_eq!(field.lengths, BTreeMap::from([(6, 2)]));
    }

    #[test]
    fn buckets_grow_with_their_numbers() {
        for number in (0..5000).chain([u64::MAX / 3, u64::MAX - 1, u64::MAX]) {
            let low = bucket(number);
            assert!(low <= number && bucket(low) == low, "{number}");
            assert!((number - low) as f64 <= number as f64 / 16.0, "{number}");
        }
    }

    #[test]
    fn pages_are_counted() {
        let mut profile = Profile {
            fields: vec![FieldProfile::default(); 2],
            ..Profile::default()
        };
        profile.add_page(3, &[3, 1]);
        profile.add_page(0, &[0, 0]);
        profile.add_page(3, &[3, 40]);
        assert_eq!((profile.pages, profile.records, profile.per_page), (3, 6, (0, 3)));
        assert_eq!(profile.counts, BTreeMap::from([(0, 1), (3, 2)]));
        assert_eq!(profile.fields[1].per_page, BTreeMap::from([(0, 1), (1, 1), (40, 1)]));
    }
}
