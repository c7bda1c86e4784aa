//! Measures how well what is seen on a page agrees with what is known about a field.
//!
//! Each item of a page is compared once with each field ([`Seen`]). A column is judged by the means of its items, and
//! by what only a column has: the number of items, and how many of them are different. [`weights`] says how much each
//! criterion counts.
//!
//! `look` has what is seen of an item, `frames` the words and signs around values, `doubts` reasons to doubt a column that fits best, `moments` the days and times that values
//! stand for.

mod doubts;
mod frames;
mod look;
mod moments;

pub(crate) use frames::{common_label, label_in};
pub(crate) use look::{Look, MONTHS, Sort, are_numbers, has_digits, has_words, telling_kinds};

use crate::near::Pieces;
use crate::ways::{ways, words_of_most};
use crate::weights;
use crate::words::{Words, tokens};
use frames::constant;
use look::{bare, date, sort, tail};
use moments::Moments;
use record::values::{Kind, Kinds};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::ops::Range;
use wrapper::profile::{FieldProfile, SAID, SAMPLE, TITULAR, shape, words};

/// The number of shapes that are kept.
const SHAPES: usize = 24;

/// How well an item agrees with a field in each respect, each from 0 to 1 except for the words.
#[derive(Clone, Copy, Default)]
struct Seen {
    recurs: f64,
    shape: f64,
    sort: f64,
    label: f64,
    name: f64,
    tag: f64,
    /// See [`Words::speak`].
    words: f64,
}

/// A field with properties that are needed repeatedly.
pub(crate) struct Known<'p> {
    pub(crate) field: &'p FieldProfile,
    bares: HashSet<String>,
    /// The values themselves, as profiles keep them.
    exact: HashSet<&'p str>,
    /// Their last segments, if they are addresses.
    tails: HashSet<&'p str>,
    /// The days and times that the values stand for, however they are written.
    moments: Moments,
    /// The texts of the page that stand for one of these.
    recognised: HashSet<String>,
    sorts: BTreeMap<Sort, f64>,
    /// The kinds that most values are of, see [`telling_kinds`].
    kinds: Kinds,
    /// The kinds that any value is of.
    any_kinds: Kinds,
    labels: Vec<HashSet<String>>,
    /// Does a label say what the field is? It does if it ends with a colon or names the field; other texts may be before the
    /// values by chance.
    is_labelled: bool,
    /// Has a page several records, or a record several values? Then labels are mostly headings, which a list may lose as a whole, and which any texts
    /// below them seem to follow.
    is_listed: bool,
    own: HashSet<String>,
    /// The words that nearly all links of its addresses have, as names.
    said: Vec<&'p str>,
    /// If the values are addresses, the words that nearly all of them have.
    pub(crate) ways: HashSet<String>,
    /// The number of names that are not words of links.
    names: usize,
    /// The label that all values begin with.
    prefix: Option<&'p str>,
    /// The words and signs that all values have, but for common signs.
    constant: Vec<String>,
    /// The shapes of the values; for addresses, those of their last segments.
    shapes: BTreeSet<String>,
    /// Shapes by which a value can be told from the text around it.
    telling: Vec<&'p str>,
    /// The mean and the spread of the logarithms of lengths.
    length: (f64, f64),
    words: Words,
    samples: Pieces,
    seen: Vec<Seen>,
}

impl<'p> Known<'p> {
    pub(crate) fn new(field: &'p FieldProfile, name: &str) -> Known<'p> {
        let count = field.samples.len().max(1) as f64;
        let mut sorts: BTreeMap<Sort, f64> = BTreeMap::new();
        let mut counts: BTreeMap<Kind, usize> = BTreeMap::new();
        let mut words_of = Words::default();
        let mut lengths: Vec<f64> = Vec::new();
        for text in &field.samples {
            *sorts.entry(sort(text)).or_default() += 1.0 / count;
            for kind in telling_kinds(text).iter() {
                *counts.entry(kind).or_default() += 1;
            }
            words_of.add(&tokens(tail(text)));
            lengths.push((tail(text).chars().count() as f64 + 2.0).ln());
        }
        let mean = lengths.iter().sum::<f64>() / count;
        let spread = (lengths.iter().map(|length| (length - mean).powi(2)).sum::<f64>() / count).sqrt();
        // In a list, only the first value has the label.
        let labelled = field.labels.values().copied().max().unwrap_or(0);
        let labels = match labelled * 2 < field.records.min(field.count) {
            true => Vec::new(),
            false => field
                .labels
                .iter()
                .filter(|(_, count)| **count * 4 >= labelled)
                .map(|(label, _)| words(label).into_iter().collect())
                .collect(),
        };
        let own: HashSet<String> = words(name).into_iter().collect();
        let says =
            |label: &&String| label.trim_end().ends_with(':') || words(label).iter().any(|word| own.contains(word));
        let telling_labels = field.labels.iter().filter(|(label, _)| says(label));
        let is_labelled = !labels.is_empty() && telling_labels.map(|(_, count)| count).sum::<u64>() * 2 >= labelled;
        let telling = field.shapes.iter().filter(|(shape, count)| {
            **count * 5 >= field.count
                && shape.contains('0')
                && shape.chars().filter(|c| !c.is_alphanumeric()).count() > 0
        });
        let known = Known {
            field,
            ways: HashSet::new(),
            bares: field.samples.iter().map(|text| bare(text)).collect(),
            exact: field.samples.iter().map(String::as_str).collect(),
            tails: field.samples.iter().map(|text| tail(text)).collect(),
            moments: Moments::new(&field.samples),
            recognised: HashSet::new(),
            sorts,
            any_kinds: counts.keys().copied().collect(),
            kinds: counts
                .into_iter()
                .filter(|(_, of)| *of as f64 >= weights::MOSTLY_KIND * count)
                .map(|(kind, _)| kind)
                .collect(),
            labels,
            is_labelled,
            is_listed: false,
            own,
            said: said(field),
            names: field.names.keys().filter(|name| !name.starts_with(SAID)).count(),
            prefix: common_label(&field.samples),
            constant: constant(&field.samples),
            shapes: match field.samples.iter().any(|text| tail(text).len() < text.len()) {
                true => field
                    .samples
                    .iter()
                    .map(|text| shape(tail(text)))
                    .take(SHAPES)
                    .collect(),
                false => field.shapes.keys().cloned().collect(),
            },
            telling: telling.map(|(shape, _)| shape.as_str()).collect(),
            length: (mean, spread),
            words: words_of,
            samples: Pieces::new(&field.samples),
            seen: Vec::new(),
        };
        if !known.is_address() {
            return known;
        }
        let all: Vec<HashSet<String>> = field.samples.iter().map(|text| ways(text)).collect();
        Known {
            ways: words_of_most(all.iter()),
            ..known
        }
    }

    /// The same for a field that has several values on a page, or one.
    pub(crate) fn of_list(self, is_listed: bool) -> Known<'p> {
        Known { is_listed, ..self }
    }

    /// Compares all items of a page with the field.
    pub(crate) fn look_at(&mut self, looks: &[Look], elsewhere: &Words) {
        let mut shapes: HashMap<&str, f64> = HashMap::new();
        let mut seen = Vec::with_capacity(looks.len());
        self.recognised.clear();
        for look in looks {
            // A text with a known value and more in it, such as a number before it, is not that value.
            let has_more = |known: &&str| known.len() < look.sight.text.len() && look.sight.text.contains(known);
            let is_recognised = self.moments.has(look) && !self.exact.iter().any(has_more);
            if is_recognised {
                self.recognised.insert(look.sight.text.clone());
            }
            let shape = *shapes.entry(look.shape.as_str()).or_insert_with(|| {
                let known = self.shapes.iter();
                known.map(|known| alike(known, &look.shape)).fold(0.0, f64::max)
            });
            seen.push(Seen {
                recurs: match (self.is_exact(look) || is_recognised, self.bares.contains(&look.bare)) {
                    (true, _) => 1.0,
                    (_, true) => weights::BARE,
                    _ => self.samples.near(&look.sight.text, elsewhere) * weights::BARE,
                },
                shape,
                sort: self.sort_fit(look),
                label: match self.is_said(look) {
                    true => 1.0,
                    false => self.label_fit(look),
                },
                name: self.name_fit(look),
                tag: f64::from(u8::from(self.field.tags.contains_key(&look.sight.tag))),
                words: self.words.speak(&look.tokens, elsewhere),
            });
        }
        self.seen = seen;
    }

    /// Is the text of a link the value?
    fn is_link_text(&self) -> bool {
        !self.is_address() && self.field.count > 0 && self.field.link_share() > weights::MOSTLY_LINKS
    }

    /// Is the address of a link the value?
    fn is_address(&self) -> bool {
        let attributes = self.field.attributes as f64 / self.field.count.max(1) as f64;
        attributes > weights::MOSTLY_ATTRIBUTES && self.field.tags.keys().any(|tag| tag.ends_with("href"))
    }

    /// Are the values dates?
    fn dated(&self) -> bool {
        self.sorts.get(&Sort::Date).copied().unwrap_or(0.0) > weights::MOSTLY_DATES
    }

    /// Where the part of a text is that is written like the values, if the whole text is not.
    pub(crate) fn part(&self, look: &Look) -> Option<Range<usize>> {
        let text = look.sight.text.as_str();
        let digits = text.bytes().any(|byte| byte.is_ascii_digit());
        // A part of an address is not a value of its own.
        if look.sight.attribute || !digits || text.len() > 200 || self.shapes.contains(&look.shape) {
            return None;
        }
        if self.dated() {
            let range = date(text)?;
            return (range.len() < text.len()).then_some(range);
        }
        if self.telling.is_empty() {
            return None;
        }
        let mut starts: Vec<usize> = vec![0];
        let mut ends: Vec<usize> = Vec::new();
        for (at, c) in text.char_indices() {
            if !c.is_alphanumeric() {
                ends.push(at);
                starts.push(at + c.len_utf8());
            }
        }
        ends.push(text.len());
        // The longest part at the first position.
        for start in starts {
            let longest = start + self.field.length.2 as usize * 2 + 4;
            for end in ends.iter().rev().filter(|end| **end > start && **end <= longest) {
                let part = &text[start..*end];
                let is_written_so = || self.telling.contains(&shape(part).as_str());
                if part.starts_with(char::is_alphanumeric) && self.may_be_telling(part) && is_written_so() {
                    return Some(start..*end);
                }
            }
        }
        None
    }

    /// Does a text begin and end as one of the telling shapes does? This costs much less than its shape.
    fn may_be_telling(&self, text: &str) -> bool {
        let sort = |c: Option<char>| match c {
            Some(c) if c.is_numeric() => '0',
            Some(c) if c.is_alphabetic() => 'a',
            other => other.unwrap_or(' '),
        };
        let (first, last) = (sort(text.chars().next()), sort(text.chars().next_back()));
        // A plus at the end of a shape is one in the text, or says that the last words are alike.
        let ends = |shape: &str| shape.ends_with('+') || sort(shape.chars().next_back()) == last;
        let fits = |shape: &&str| sort(shape.chars().next()) == first && ends(shape);
        self.telling.iter().any(fits)
    }

    /// How well a column fits the field, from 0 to about 1.
    pub(crate) fn fit(&self, looks: &[Look], column: &[usize], per_record: f64) -> f64 {
        let field = self.field;
        if column.is_empty() || field.count == 0 {
            return 0.0;
        }
        let count = column.len() as f64;
        let mean = |of: &dyn Fn(&Seen) -> f64| column.iter().map(|item| of(&self.seen[*item])).sum::<f64>() / count;
        let mean_look = |of: &dyn Fn(&Look) -> f64| column.iter().map(|item| of(&looks[*item])).sum::<f64>() / count;
        let share = |holds: &dyn Fn(&Look) -> bool| mean_look(&|look: &Look| f64::from(u8::from(holds(look))));
        let length =
            (mean_look(&|look: &Look| look.length) - self.length.0).abs() - weights::LENGTH_SLACK * self.length.1;
        let length = (-length.max(0.0)).exp();
        let link = 1.0 - (share(&|look: &Look| look.sight.link) - field.link_share()).abs();
        let attributes = field.attributes as f64 / field.count as f64;
        // What an attribute contains depends on its name.
        let same = |look: &Look| look.sight.attribute && field.tags.contains_key(&look.sight.tag);
        let in_attribute = match attributes > weights::MOSTLY_ATTRIBUTES {
            true => 1.0 - (share(&same) - attributes).abs(),
            false => 1.0 - (share(&|look: &Look| look.sight.attribute) - attributes).abs(),
        };
        let usual = field.count as f64 / field.records.max(1) as f64;
        // A column with fewer items counts less; the more items a column has in excess, the more suspicious it is.
        let ratio = per_record.max(weights::FEWEST) / usual.max(weights::FEWEST);
        let many = ratio.powf(if ratio < 1.0 { weights::FEWER } else { weights::MORE });
        // If values differed before, they should differ here too.
        let mut different: Vec<&str> = column.iter().map(|item| looks[*item].sight.text.as_str()).collect();
        different.sort_unstable();
        different.dedup();
        let other = (different.len() as f64 / count - field.different as f64 / field.count as f64).abs();
        let variety = 1.0 - other * weights::VARIETY_LOSS;
        let spoken = (mean(&|seen| seen.words) + std::f64::consts::LN_2).max(0.0);
        // In a list, only the first item has the label.
        let label = match self.labels.is_empty() && self.said.is_empty() {
            true => weights::UNKNOWN_LABEL,
            false => mean(&|seen| seen.label).max(self.seen[column[0]].label),
        };
        let is_telling = self.is_labelled || !self.said.is_empty();
        let is_unknown = self.labels.is_empty() && self.said.is_empty();
        let weight = match (is_unknown || self.is_listed, is_telling) {
            (true, _) => weights::LABEL,
            (_, true) => weights::TELLING_LABEL,
            (_, false) => weights::OTHER_LABEL,
        };
        let sum = weights::RECURS * mean(&|seen| seen.recurs)
            + weights::SHAPE * mean(&|seen| seen.shape)
            + weights::SORT * mean(&|seen| seen.sort)
            + weights::LENGTH * length
            + weights::LINK * link
            + weight * label
            + weights::NAME * mean(&|seen| seen.name)
            + weights::TAG * mean(&|seen| seen.tag)
            + weights::VARIETY * variety
            + weights::WORDS * spoken / (spoken + 1.0);
        let titled = self.titled(share(&|look: &Look| look.is_titular));
        let is_whole = field.whole as f64 >= weights::WHOLE * field.count as f64;
        let titled = match is_whole {
            true => titled * (1.0 - weights::CUT_SHORT * share(&|look: &Look| look.is_cut_short)),
            false => titled,
        };
        let is_label = |text: &str| text.trim_end().ends_with(':');
        let labels = match field.samples.iter().any(|text| is_label(text)) {
            true => 0.0,
            false => share(&|look: &Look| is_label(&look.sight.text)),
        };
        (sum / (weights::FULL + weight))
            * (1.0 - weights::NO_LABEL * labels)
            * titled
            * many
            * (weights::OTHER_PLACE + (1.0 - weights::OTHER_PLACE) * in_attribute)
    }

    /// Did the values have a label, and has this item, which no known value is like, none of its words? Then it is more likely
    /// that the page has no such value than that both its label and its values are new. What is in the title of its page, as nearly all values were, needs no label.
    pub(crate) fn lacks_label(&self, looks: &[Look], column: &[usize]) -> bool {
        let Some(first) = column.first() else { return false };
        if self.is_in_title(&looks[*first]) {
            return false;
        }
        self.is_labelled && self.seen[*first].label < weights::SAME_LABEL && self.recurs(column) < weights::KNOWN
    }

    /// Is a text in the title of its page, as nearly all values were?
    fn is_in_title(&self, look: &Look) -> bool {
        self.field.count >= weights::TITLED && self.titular() >= weights::IN_TITLES.1 && look.is_titular
    }

    /// What is left of the fit of a column of which this share is in titles.
    fn titled(&self, share: f64) -> f64 {
        let count = self.field.count;
        let was = self.titular();
        let is_clear = was <= weights::IN_TITLES.0 || was >= weights::IN_TITLES.1;
        match count >= weights::TITLED && is_clear {
            true => 1.0 - weights::TITLE * (was - share).abs(),
            false => 1.0,
        }
    }

    /// The share of values that are in the titles of their pages.
    fn titular(&self) -> f64 {
        self.field.names.get(TITULAR).copied().unwrap_or(0) as f64 / self.field.count.max(1) as f64
    }

    /// Did the values follow a label of these words, and do they say what the field is: do they end with a colon, or name the field?
    pub(crate) fn is_named_by(&self, label: &str) -> bool {
        let says = label.trim_end().ends_with(':') || words(label).iter().any(|word| self.own.contains(word));
        self.is_labelled && says && self.has_label(label)
    }

    /// Did the values follow a label of these words?
    pub(crate) fn has_label(&self, label: &str) -> bool {
        let own: HashSet<String> = words(label).into_iter().collect();
        !own.is_empty() && self.labels.contains(&own)
    }

    /// Has it one of the words that nearly all links had?
    fn is_said(&self, look: &Look) -> bool {
        let has = |word: &&str| look.sight.names.iter().any(|name| name == word);
        self.said.iter().any(has)
    }

    /// Did nearly all links of these addresses have a word, such as "Agenda", and have most of these, which no known value is like, no such word?
    pub(crate) fn lacks_said(&self, looks: &[Look], column: &[usize]) -> bool {
        let has = column.iter().filter(|item| self.is_said(&looks[**item])).count();
        !self.said.is_empty() && has * 2 < column.len() && self.recurs(column) < weights::KNOWN
    }

    /// If the values had a heading: do most of these items have it?
    pub(crate) fn keeps_heading(&self, column: &[usize]) -> Option<bool> {
        if !self.is_labelled || column.is_empty() {
            return None;
        }
        let kept = column
            .iter()
            .filter(|item| self.seen[**item].label >= weights::SAME_LABEL);
        Some(kept.count() * 2 > column.len())
    }

    /// Had the values of a list a heading, and have most of these, which no known value is like, another one and none of its words?
    pub(crate) fn has_other_heading(&self, looks: &[Look], column: &[usize]) -> bool {
        if !self.is_labelled || self.recurs(column) >= weights::KNOWN {
            return false;
        }
        let mut counts: HashMap<&str, usize> = HashMap::new();
        for item in column {
            let is_other = self.seen[*item].label < weights::SAME_LABEL;
            if let Some(label) = looks[*item].sight.label.as_deref().filter(|_| is_other) {
                *counts.entry(label).or_default() += 1;
            }
        }
        counts.values().any(|count| count * 2 > column.len())
    }

    /// If the values are as different from each other as names are and do not change with time as numbers do: the share of items that are known values; of
    /// addresses, those with a known last segment.
    pub(crate) fn known_share(&self, looks: &[Look], column: &[usize]) -> Option<f64> {
        let count = self.field.count.max(1) as f64;
        let varies = self.field.different as f64 > count * weights::LASTING.1;
        if !varies
            || are_numbers(&self.field.samples)
            || column.len() < weights::LASTING.0
            || self.field.samples.len() < weights::LASTING.0
        {
            return None;
        }
        let is_known = |item: &&usize| {
            let look = &looks[**item];
            self.has_value(look) || look.sort == Sort::Address && self.tails.contains(tail(&look.sight.text))
        };
        Some(column.iter().filter(is_known).count() as f64 / column.len() as f64)
    }

    /// Are few of these texts different from each other? A value that many records have does not tell which record it is.
    pub(crate) fn is_shared(looks: &[Look], column: &[usize]) -> bool {
        let different: HashSet<&str> = column.iter().map(|item| looks[*item].sight.text.as_str()).collect();
        different.len() as f64 <= column.len() as f64 * weights::LASTING.1
    }

    /// Are these items written as the values were?
    pub(crate) fn is_written_so(&self, column: &[usize]) -> bool {
        let sum: f64 = column.iter().map(|item| self.seen[*item].shape).sum();
        sum >= weights::WRITTEN_SO * column.len() as f64
    }

    /// The share of items that are known values, or nearly so.
    fn recurs(&self, column: &[usize]) -> f64 {
        column.iter().map(|item| self.seen[*item].recurs).sum::<f64>() / column.len().max(1) as f64
    }

    /// Is a text the heading of the column that the values were in, or the label before them?
    pub(crate) fn is_heading(&self, text: &str) -> bool {
        let text = bare(text);
        !text.is_empty() && self.field.labels.keys().any(|label| bare(label) == text)
    }

    /// Were the values of a kind, and is this text not?
    pub(crate) fn is_no_kind(&self, look: &Look) -> bool {
        !self.kinds.is_empty() && !self.is_kind(look)
    }

    /// Are the values of a kind, such as dates?
    pub(crate) fn is_of_kind(&self) -> bool {
        !self.kinds.is_empty()
    }

    /// Have all values words, and has this text none, as `<<` and `1 2 3` have none?
    pub(crate) fn is_wordless(&self, look: &Look) -> bool {
        !look.sight.attribute && !has_words(&look.sight.text) && self.field.samples.iter().all(|text| has_words(text))
    }

    /// Do most things have a value of their own? With a single value this is not known; most fields vary.
    pub(crate) fn varies(&self) -> bool {
        self.field.different > self.field.count / 2
    }

    /// Is a text one of the values that were seen before, or the same day and time as one of them?
    pub(crate) fn has_value(&self, look: &Look) -> bool {
        self.bares.contains(&look.bare) || self.recognised.contains(&look.sight.text)
    }

    /// How many items are values that were seen before, to the letter.
    pub(crate) fn recurring(&self, looks: &[Look], items: impl Iterator<Item = usize>) -> usize {
        items.filter(|item| self.is_exact(&looks[*item])).count()
    }

    /// Is a text a value that was seen before, to the letter?
    fn is_exact(&self, look: &Look) -> bool {
        let text = &look.sight.text;
        let end = text.char_indices().nth(SAMPLE).map_or(text.len(), |(at, _)| at);
        self.exact.contains(&text[..end])
    }

    /// How well the words before a value agree: the same words, or some of them.
    fn label_fit(&self, look: &Look) -> f64 {
        let shared = |known: &HashSet<String>| known.intersection(&look.label).count() as f64;
        let same = self
            .labels
            .iter()
            .map(|known| shared(known) / known.union(&look.label).count().max(1) as f64);
        same.fold(0.0, f64::max) * look.near
    }

    /// Is an item of a kind that the values are of, however it is written?
    fn is_kind(&self, look: &Look) -> bool {
        !self.kinds.shared(look.kinds).is_empty()
    }

    /// How well the sort of an item agrees; if the values are of a kind, an item of that kind agrees at least in part.
    fn sort_fit(&self, look: &Look) -> f64 {
        let sort = self.sorts.get(&look.sort).copied().unwrap_or(0.0);
        match (self.kinds.is_empty(), self.is_kind(look)) {
            (true, _) => sort,
            (false, true) => weights::SAME_KIND + (1.0 - weights::SAME_KIND) * sort,
            (false, false) => 0.0,
        }
    }

    /// How well the names of the elements agree with those before, or with the name of the field.
    fn name_fit(&self, look: &Look) -> f64 {
        let names = &look.sight.names;
        let called = names
            .iter()
            .any(|name| self.own.contains(name.trim_start_matches(SAID)));
        let own = names.iter().filter(|name| !name.starts_with(SAID));
        let shares = own.filter_map(|name| self.field.names.get(name));
        let same: f64 = shares.map(|count| *count as f64 / self.field.count.max(1) as f64).sum();
        let same = (same / (self.names.max(1) as f64).sqrt()).min(1.0);
        match called {
            true => weights::CALLED_AS_FIELD + (1.0 - weights::CALLED_AS_FIELD) * same,
            false => weights::CALLED_AS_BEFORE * same,
        }
    }
}

/// The field that is the text of links and the one that is their address, if there is one of each: they belong to the same links. Addresses whose links
/// all said the same, such as "Agenda", are those of other links.
pub(crate) fn tied(known: &[Known<'_>]) -> Option<(usize, usize)> {
    let only = |holds: &dyn Fn(&Known<'_>) -> bool| {
        let mut fields = (0..known.len()).filter(|field| holds(&known[*field]));
        fields.next().filter(|_| fields.next().is_none())
    };
    Some((
        only(&|known| known.is_link_text())?,
        only(&|known| known.is_address() && known.said.is_empty())?,
    ))
}

/// The words, as names, that nearly all links of a field's addresses have.
pub(crate) fn said(field: &FieldProfile) -> Vec<&str> {
    let is_usual = |count: u64| count as f64 >= weights::MOSTLY_SAID * field.count as f64;
    let names = field.names.iter();
    let names = names.filter(|(name, count)| name.starts_with(SAID) && is_usual(**count));
    names.map(|(name, _)| name.as_str()).collect()
}

/// How similar two shapes are, by the pieces they share in order.
fn alike(one: &str, other: &str) -> f64 {
    if one == other {
        return 1.0;
    }
    let (a, b): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut before = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let cost = (before + usize::from(x != y)).min(row[j] + 1).min(row[j + 1] + 1);
            before = row[j + 1];
            row[j + 1] = cost;
        }
    }
    1.0 - row[b.len()] as f64 / a.len().max(b.len()).max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use wrapper::profile::Sight;

    #[test]
    fn what_is_in_the_title_of_its_page_needs_no_label() {
        let lacks = |were_titular: bool, is_titular: bool| {
            let sight = |text: &str, label: Option<&str>, titular: bool| Sight {
                text: text.to_owned(),
                label: label.map(str::to_owned),
                names: titular.then(|| TITULAR.to_owned()).into_iter().collect(),
                ..Sight::default()
            };
            let mut field = FieldProfile::default();
            for text in ["Coder", "Baker of bread", "Site Manager", "Auditor", "Nurse"] {
                field.records += 1;
                field.add(&sight(text, Some("Position:"), were_titular));
            }
            let looks = [Look::new(sight("Cook", None, is_titular))];
            let mut known = Known::new(&field, "job");
            known.look_at(&looks, &Words::default());
            known.lacks_label(&looks, &[0])
        };
        assert!(!lacks(true, true));
        assert!(lacks(true, false));
        assert!(lacks(false, true));
    }
}
