//! What is seen of one item of a page: its text, and the properties of the text that are compared with known values.

use crate::ways::ways;
use crate::weights;
use crate::words::tokens;
use learn::label::Recognizer;
use record::values::{Kind, Kinds, kinds};
use std::collections::HashSet;
use std::sync::OnceLock;
use wrapper::profile::{LONGEST_LABEL, SAMPLE, Sight, TITULAR, number, shape, words};

/// A rough type of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Sort {
    Address,
    Date,
    Number,
    Code,
    Words,
    Prose,
}

/// The kinds by which values are told from other texts: all but codes, names and texts, which many columns have.
pub(crate) fn telling_kinds(text: &str) -> Kinds {
    if text.len() > LONGEST_KIND {
        return Kinds::default();
    }
    let is_telling = |kind: &Kind| {
        !matches!(
            kind,
            Kind::Code | Kind::Name | Kind::Text | Kind::Integer | Kind::Decimal
        )
    };
    kinds(text).iter().filter(is_telling).collect()
}

/// Are most of these values numbers, prices or percentages? These change with time.
pub(crate) fn are_numbers(samples: &[String]) -> bool {
    let changing = [Kind::Integer, Kind::Decimal, Kind::Price, Kind::Percentage];
    let is_number = |text: &&String| {
        let kinds = kinds(text);
        text.len() <= LONGEST_KIND && changing.iter().any(|kind| kinds.contains(*kind))
    };
    samples.iter().filter(is_number).count() as f64 > samples.len() as f64 * weights::LASTING.2
}

/// Longer texts are not looked at for kinds: they are prose.
const LONGEST_KIND: usize = 200;

/// The range of the first date in a text.
pub(super) fn date(text: &str) -> Option<std::ops::Range<usize>> {
    static DATE: OnceLock<Option<Recognizer>> = OnceLock::new();
    DATE.get_or_init(|| Recognizer::built_in("date").ok())
        .as_ref()?
        .first(text)
}

pub(crate) const MONTHS: [&str; 12] = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
];

pub(crate) fn sort(text: &str) -> Sort {
    let spaces = text.split_whitespace().count();
    let digits = text.bytes().filter(u8::is_ascii_digit).count();
    if spaces <= 1 && (text.contains("://") || text.starts_with('/') || text.starts_with("www.")) {
        return Sort::Address;
    }
    let groups: Vec<&str> = text
        .split(|c: char| !c.is_ascii_digit())
        .filter(|group| !group.is_empty())
        .collect();
    let lower = text.to_lowercase();
    let month = lower
        .split(|c: char| !c.is_alphabetic())
        .any(|word| word.len() >= 3 && MONTHS.iter().any(|month| word.starts_with(month)));
    let letters = text.chars().filter(|c| c.is_alphabetic()).count();
    let separated = text.contains(['/', '-', '.']);
    let dated = date(text);
    if dated.as_ref().is_some_and(|range| range.len() == text.len()) {
        return Sort::Date;
    }
    // Month names in other languages look like these.
    if dated.is_none()
        && spaces <= 6
        && ((month && (1..=3).contains(&groups.len()) && letters < 20)
            || (groups.len() == 3 && separated && letters == 0 && groups.iter().all(|group| group.len() <= 4)))
    {
        return Sort::Date;
    }
    if number(text).is_some() && letters <= 3 {
        return Sort::Number;
    }
    // Codes contain no words.
    let longest = text.split(|c: char| !c.is_lowercase()).map(str::len).max().unwrap_or(0);
    if digits > 0 && spaces <= 2 && letters < 16 && longest <= 3 {
        return Sort::Code;
    }
    if spaces > 12 { Sort::Prose } else { Sort::Words }
}

/// The last segment of an address, which identifies the thing. The rest, such as whether the address is complete, often
/// changes.
pub(super) fn tail(text: &str) -> &str {
    match sort(text) {
        Sort::Address => {
            let text = text.trim_end_matches('/');
            text.rfind('/').map_or(text, |at| &text[at + 1..])
        }
        _ => text,
    }
}

/// A sight with properties that are needed repeatedly.
pub(crate) struct Look {
    pub(crate) sight: Sight,
    pub(super) bare: String,
    pub(super) shape: String,
    pub(super) kinds: Kinds,
    pub(super) sort: Sort,
    pub(super) label: HashSet<String>,
    pub(super) length: f64,
    pub(super) is_titular: bool,
    /// If it is an address, the words that tell where it leads.
    pub(crate) ways: HashSet<String>,
    /// What is left of its label if other texts are between the two: each of them may be the value.
    pub(super) near: f64,
    /// Is it the beginning of a text, of which something about as long was cut off?
    pub(super) is_cut_short: bool,
    pub(crate) tokens: Vec<String>,
}

impl Look {
    pub(crate) fn new(sight: Sight) -> Look {
        Look {
            bare: bare(&sight.text),
            shape: shape(tail(&sight.text)),
            sort: sort(&sight.text),
            kinds: telling_kinds(&sight.text),
            label: sight.label.iter().flat_map(|label| words(label)).collect(),
            length: (tail(&sight.text).chars().count() as f64 + 2.0).ln(),
            tokens: tokens(tail(&sight.text)),
            is_titular: sight.names.iter().any(|name| name == TITULAR),
            near: 1.0,
            is_cut_short: false,
            ways: match sight.attribute && sight.tag.ends_with("href") {
                true => ways(&sight.text),
                false => HashSet::new(),
            },
            sight,
        }
    }

    /// A number that tells how many texts are between it and its label.
    pub(crate) fn nearness(&self) -> u64 {
        self.near.to_bits()
    }

    /// Takes other words for its label, with this number of texts between them.
    pub(crate) fn relabel(&mut self, label: &str, between: i32) {
        self.label = words(label).into_iter().collect();
        self.sight.label = Some(label.to_owned());
        self.near = weights::BETWEEN.powi(between);
    }

    /// The same place with another text, which is what is left of this one without what the template puts around it.
    pub(crate) fn freed(&self, text: &str, before: &str) -> Look {
        Look {
            is_cut_short: false,
            ..self.cut(text, before)
        }
    }

    /// The same place with another text, which is a part of this one.
    pub(crate) fn cut(&self, text: &str, before: &str) -> Look {
        let label = Some(before.trim())
            .filter(|before| before.chars().any(char::is_alphabetic) && before.chars().count() <= LONGEST_LABEL);
        let length = |text: &str| text.chars().count();
        let rest = length(&self.sight.text).saturating_sub(length(before) + length(text));
        let look = Look::new(Sight {
            text: text.to_owned(),
            label: label.map(str::to_owned).or_else(|| self.sight.label.clone()),
            ..self.sight.clone()
        });
        Look {
            is_cut_short: before.trim().is_empty() && rest > 0 && rest <= length(text) + weights::REST,
            ..look
        }
    }
}

pub(crate) fn has_digits(text: &str) -> bool {
    text.contains(char::is_numeric)
}

/// Units and currencies have up to three letters.
pub(crate) fn has_words(text: &str) -> bool {
    text.chars().filter(|c| c.is_alphabetic()).count() > 3
}

/// The letters and digits of a text, of as many characters as profiles keep of a value.
pub(super) fn bare(text: &str) -> String {
    text.chars()
        .take(SAMPLE)
        .filter(|c| c.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_sorted_roughly() {
        let sorts = [
            ("10/31/23", Sort::Date),
            ("OCTOBER 24, 2016", Sort::Date),
            ("/pre/x.pdf", Sort::Address),
            ("$15.38", Sort::Number),
            ("23-2009", Sort::Code),
            ("CC-12-1226", Sort::Code),
            ("Ugo Liberatore", Sort::Words),
        ];
        for (text, expected) in sorts {
            assert_eq!(sort(text), expected, "{text}");
        }
    }
}
