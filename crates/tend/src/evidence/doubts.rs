//! Reasons to doubt that a column is a field, although it fits best: its items are made of other things than all known values.

use super::{Known, Look, bare, has_digits, has_words, label_in, telling_kinds};
use crate::weights;
use std::collections::HashSet;
use wrapper::profile::{number, words};

impl Known<'_> {
    /// Were the values mostly different from each other, and do these items, which no known value is like, say the same few things again and again? It is a
    /// column of categories, such as "Development Application", beside the one that was the description.
    ///
    /// The more values there are, the more are repeated. So no more items are looked at than values are known. Dates and other values of a kind
    /// may all be the same on one page.
    pub(crate) fn is_repetitive(&self, looks: &[Look], column: &[usize]) -> bool {
        let field = self.field;
        let varied = field.different as f64 / field.count.max(1) as f64;
        let most = usize::try_from(field.count).unwrap_or(usize::MAX);
        let column = &column[..column.len().min(most)];
        if self.is_of_kind()
            || varied < weights::LASTING.1
            || column.len() < weights::REPEATED
            || self.recurring(looks, column.iter().copied()) as f64 >= weights::KNOWN * column.len() as f64
        {
            return false;
        }
        let different: HashSet<&str> = column.iter().map(|item| looks[*item].sight.text.as_str()).collect();
        different.len() as f64 <= varied * weights::FEW * column.len() as f64
    }

    /// Do words or known values tell that these items are the field: its label, what its links say, the title of the page, or values that were seen before?
    pub(crate) fn is_told(&self, looks: &[Look], column: &[usize]) -> bool {
        let Some(first) = column.first() else { return false };
        // A label with other texts between may be theirs.
        let label_of = |item: usize| match looks[item].near < 1.0 {
            true => 0.0,
            false => self.seen[item].label,
        };
        let sum: f64 = column.iter().map(|item| label_of(*item)).sum();
        let label = (sum / column.len() as f64).max(label_of(*first));
        let has_words = !self.labels.is_empty() || !self.said.is_empty();
        has_words && label >= weights::SAME_LABEL
            || self.is_in_title(&looks[*first])
            || self.recurs(column) >= weights::KNOWN
    }

    /// Is one of ten of these values, or more, not of the kind that nearly all known values were of, as `News` where dates were? Then the field may be right in most
    /// records, but not in all.
    pub(crate) fn is_mixed(&self, values: &[&str]) -> bool {
        let is_other = |text: &str| self.is_of_kind() && self.kinds.shared(telling_kinds(text)).is_empty();
        let samples = &self.field.samples;
        let were_others = samples.iter().filter(|text| is_other(text)).count() * weights::HARDLY >= samples.len();
        let is_odd = |text: &&&str| is_other(text) && !self.bares.contains(&bare(text));
        let odd = values.iter().filter(is_odd).count();
        !were_others && odd > 0 && odd * weights::HARDLY >= values.len()
    }

    /// Is one of ten of these addresses, or more, one that leads elsewhere, where some records had none? A record without minutes has a video in their place.
    pub(crate) fn has_strays(&self, looks: &[Look], column: &[usize]) -> bool {
        let is_stray = |item: &&usize| {
            let look = &looks[**item];
            look.sight.attribute && self.is_stray_address(look) && !self.has_value(look)
        };
        let strays = column.iter().filter(is_stray).count();
        strays * weights::HARDLY >= column.len() && strays * 2 < column.len()
    }

    /// Takes links out of a column that do not say what nearly all known ones said and most of these say, and that are not known: a record without an
    /// agenda has another link in its place.
    pub(crate) fn drop_unsaid(&self, looks: &[Look], column: &mut [Vec<usize>]) {
        let said = column
            .iter()
            .flatten()
            .filter(|item| self.is_said(&looks[**item]))
            .count();
        if self.said.is_empty() || said * 2 <= column.iter().map(Vec::len).sum() {
            return;
        }
        for items in column {
            items.retain(|item| self.is_said(&looks[*item]) || self.is_exact(&looks[*item]));
        }
    }

    /// Takes items out of a column that are known values of other fields, or, if some records had no value, made otherwise than all known values, if most of the column is not.
    /// Gives the numbers of the records that lost one.
    pub(crate) fn drop_foreign(
        &self,
        others: &[&Known<'_>],
        is_optional: bool,
        looks: &[Look],
        column: &mut [Vec<usize>],
    ) -> Vec<usize> {
        let is_foreign = |item: &usize| {
            let look = &looks[*item];
            !self.has_value(look)
                && (is_optional && self.is_unlike(look) || others.iter().any(|other| other.has_word(look)))
        };
        let all: usize = column.iter().map(Vec::len).sum();
        let foreign = column.iter().flatten().filter(|item| is_foreign(item)).count();
        if foreign * 2 >= all {
            return Vec::new();
        }
        let mut lost = Vec::new();
        for (record, items) in column.iter_mut().enumerate() {
            let count = items.len();
            items.retain(|item| !is_foreign(item));
            if items.len() < count {
                lost.push(record);
            }
        }
        lost
    }

    /// Has it no known value in common with another field, and has each some?
    pub(crate) fn shares_none(&self, other: &Known<'_>) -> bool {
        !self.exact.is_empty() && self.exact.is_disjoint(&other.exact)
    }

    /// Is a text without digits a known value? Numbers are those of other fields by accident.
    fn has_word(&self, look: &Look) -> bool {
        !look.sight.attribute && !has_digits(&look.sight.text) && has_words(&look.sight.text) && self.is_exact(look)
    }

    /// Has it digits or words and no known value has, or the other way round; or is it of a kind, such as prices, that none was of? Few values do not tell.
    fn is_unlike(&self, look: &Look) -> bool {
        let is_known = self.field.count >= weights::MADE_OF as u64;
        let is_new = !look.kinds.is_empty() && self.any_kinds.shared(look.kinds).is_empty();
        is_known && !look.sight.attribute && !self.is_kind(look) && (is_new || self.is_of_other_signs(look))
    }

    /// Are these texts written exactly as known values are, with digits and signs?
    pub(crate) fn are_written_exactly(&self, looks: &[Look], column: &[usize]) -> bool {
        let is_telling = |shape: &str| shape.contains('0') && shape.chars().any(|c| !c.is_alphanumeric());
        let is_so = |item: &usize| is_telling(&looks[*item].shape) && self.shapes.contains(&looks[*item].shape);
        !column.is_empty() && column.iter().all(is_so)
    }

    /// Are these items, which no known value is like, made of other things than all values were? Three things are compared, if many values are known
    /// that agree on them:
    ///
    /// - a label that all values began with, or a word or sign that all had, such as "Publisher:" or "#", and these items neither have nor follow. A redesign may
    ///   move such a word out of the values; it hardly ever leaves it away;
    /// - whether they have digits, and whether they have words;
    /// - if they are numbers, roughly how large they are.
    pub(crate) fn is_made_otherwise(&self, looks: &[Look], column: &[usize]) -> bool {
        let known = &self.field.samples;
        if known.len() < weights::MADE_OF || self.recurs(column) >= weights::KNOWN {
            return false;
        }
        let is_odd = |item: &&usize| {
            let look = &looks[**item];
            // A date may be written in many ways.
            let is_free = self.is_kind(look) && self.dated();
            let is_other = self.lacks_prefix(look)
                || !is_free && self.is_of_other_signs(look)
                || !self.is_kind(look) && self.lacks_tokens(look);
            !look.sight.attribute && is_other || self.is_of_other_size(&look.sight.text)
        };
        column.iter().filter(is_odd).count() * 2 > column.len()
    }

    /// Did all values begin with the same label, and does it neither begin with it nor follow it?
    fn lacks_prefix(&self, look: &Look) -> bool {
        let Some(prefix) = &self.prefix else { return false };
        let own = words(prefix);
        label_in(&look.sight.text) != Some(prefix) && !own.iter().any(|word| look.label.contains(word))
    }

    /// Has it none of the words and signs that all values have, and does it not follow one of them?
    fn lacks_tokens(&self, look: &Look) -> bool {
        let own = |token: &String| look.tokens.contains(token) || look.label.contains(token);
        !self.constant.is_empty() && !self.constant.iter().any(own)
    }

    /// Has it digits and no value does, or the other way round? The same for words.
    fn is_of_other_signs(&self, look: &Look) -> bool {
        let text = &look.sight.text;
        let differs = |has: fn(&str) -> bool| {
            let has_it = has(text);
            self.field.samples.iter().all(|known| has(known) != has_it)
        };
        differs(has_digits) || differs(has_words)
    }

    /// Is it a number that is far from all values, which are numbers? The digits of a date are no size.
    fn is_of_other_size(&self, text: &str) -> bool {
        if self.dated() {
            return false;
        }
        let (count, least, most) = self.field.numbers;
        let margin = (most - least).max(0.0);
        let is_far = |number: f64| number < least - margin || number > most + margin;
        count > 0 && count >= self.field.count && number(text).is_some_and(is_far)
    }

    /// Were the values of a kind, such as phone numbers, and are these items not?
    pub(crate) fn lacks_kind(&self, looks: &[Look], column: &[usize]) -> bool {
        let of_kind = column.iter().filter(|item| self.is_kind(&looks[**item])).count();
        !self.kinds.is_empty() && of_kind * 2 < column.len()
    }

    /// Were the values of a kind, and is hardly one of these items, which no known value is like?
    pub(crate) fn is_of_no_kind(&self, looks: &[Look], column: &[usize]) -> bool {
        let of_kind = column.iter().filter(|item| self.is_kind(&looks[**item])).count();
        let known = column.iter().filter(|item| self.has_value(&looks[**item])).count();
        !self.kinds.is_empty() && (of_kind.max(known)) * weights::HARDLY < column.len()
    }

    /// Are these items of a kind, such as prices, that no value was of?
    pub(crate) fn gains_kind(&self, looks: &[Look], column: &[usize]) -> bool {
        let is_new = |item: &&usize| {
            let kinds = looks[**item].kinds;
            !kinds.is_empty() && self.any_kinds.shared(kinds).is_empty()
        };
        self.field.samples.len() >= weights::KINDLESS && column.iter().filter(is_new).count() * 2 > column.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::Words;
    use wrapper::profile::{FieldProfile, Sight};

    #[test]
    fn values_that_are_made_otherwise() {
        let check = |known: &[&str], label: Option<&str>, now: &str, expected: bool| {
            let mut field = FieldProfile::default();
            for text in known {
                let text = (*text).to_owned();
                field.add(&Sight {
                    text,
                    ..Sight::default()
                });
            }
            let look = Look::new(Sight {
                text: now.to_owned(),
                label: label.map(str::to_owned),
                ..Sight::default()
            });
            let looks = [look];
            let mut known = Known::new(&field, "field");
            known.look_at(&looks, &Words::default());
            assert_eq!(known.is_made_otherwise(&looks, &[0]), expected, "{now}");
        };
        let publishers = [
            "Ace",
            "Knopf",
            "Penguin Group",
            "Tor Books",
            "Viking",
            "Dial",
            "Norton",
            "Harper",
        ];
        check(&publishers, None, "Hardcover, 304 pages", true);
        check(&publishers, None, "Random House", false);
        // Too few are known.
        check(&publishers[..4], None, "Hardcover, 304 pages", false);
        let labelled = publishers.map(|name| format!("Publisher: {name}"));
        let labelled: Vec<&str> = labelled.iter().map(String::as_str).collect();
        check(&labelled, None, "Format: Hardcover", true);
        check(&labelled, None, "Publisher: Ecco", false);
        // The label is an element of its own now.
        check(&labelled, Some("Publisher"), "Ecco", false);
        let weights = ["230", "185", "240", "201", "199", "220", "215", "260"];
        check(&weights, None, "24", true);
        check(&weights, None, "172", false);
        let prices = ["$12.00", "$3.50", "$4.20", "$9.99", "$15.00", "$7.10", "$8.00", "$2.25"];
        check(&prices, None, "$2.99 Shipping", true);
        check(&prices, None, "11.00 USD", false);
        let posted: Vec<String> = (1..10).map(|day| format!("Posted: December {day}, 2010")).collect();
        let posted: Vec<&str> = posted.iter().map(String::as_str).collect();
        check(&posted, None, "Tuesday, December 14, 2010", true);
        // A day that is known is no other one, however it is written.
        check(&posted, None, "Tuesday, December 7, 2010", false);
        check(&posted, Some("Posted:"), "January 7, 2011", false);
    }

    #[test]
    fn a_label_with_texts_between_does_not_tell_a_field() {
        let sight = |text: &str, label: Option<&str>| Sight {
            text: text.to_owned(),
            label: label.map(str::to_owned),
            ..Sight::default()
        };
        let mut field = FieldProfile::default();
        for text in ["Ann Lee", "Bo Chan", "Cid Moss", "Dora Fox"] {
            field.records += 1;
            field.add(&sight(text, Some("Director:")));
        }
        let is_told = |between: i32| {
            let mut look = Look::new(sight("Jo Park", None));
            look.relabel("Director:", between);
            let looks = [look];
            let mut known = Known::new(&field, "director");
            known.look_at(&looks, &Words::default());
            known.is_told(&looks, &[0])
        };
        assert!(is_told(0));
        assert!(!is_told(1));
    }
}
