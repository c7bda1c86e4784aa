//! Where addresses lead, by their words.
//!
//! A record may have several links whose texts are pictures: the agenda, the packet, the minutes. What tells them apart are words of their addresses, such as `Packet` in
//! `/files/Meet-Packet-17.pdf`. If one of these columns is gone, the next one fits nearly as well, because all else of the addresses is the same.
//!
//! *Idea.* The words that nearly all known addresses have are compared with those that nearly all new ones have. If at least two of three words are kept, the
//! site makes its addresses as before; if in such addresses a word is gone and another one is there, they lead to something else. If hardly a word is kept, it may be a new
//! site, and nothing is said, unless other addresses of the records keep theirs.
//!
//! *Known failures*: a new section of a site, where `/news/` becomes `/sports/` in all of many words, is doubted.

use crate::evidence::{Known, Look, MONTHS};
use crate::weights;
use crate::words::tokens;
use std::collections::{HashMap, HashSet};

impl Known<'_> {
    /// What the addresses of a field have in common, before and now; none if these are not addresses, or few, or known ones.
    fn common_ways(&self, looks: &[Look], column: &[usize]) -> Option<(&HashSet<String>, HashSet<String>)> {
        let is_known = self.field.samples.len() >= weights::LED && column.len() >= weights::LED;
        if self.ways.is_empty() || !is_known {
            return None;
        }
        let recurring = self.recurring(looks, column.iter().copied());
        if recurring as f64 >= weights::KNOWN * column.len() as f64 {
            return None;
        }
        Some((&self.ways, words_of_most(column.iter().map(|item| &looks[*item].ways))))
    }

    /// Are these addresses made as the known ones but for a word that all known ones have, and have they another word in common? Then they
    /// lead to the minutes, where the others led to the agenda. Addresses that are made otherwise altogether may be those of a new site.
    pub(crate) fn leads_elsewhere(&self, looks: &[Look], column: &[usize]) -> bool {
        // Some records may have another link there, such as a video: it says nothing about the others.
        let column: Vec<usize> = match self.kin(looks, column) {
            kin if kin.len() * 2 > column.len() => kin,
            _ => column.to_vec(),
        };
        let Some((before, now)) = self.common_ways(looks, &column) else {
            return false;
        };
        // What some of them have is not lost.
        let is_lost = |word: &String| {
            let having = column.iter().filter(|item| looks[**item].ways.contains(word)).count();
            having as f64 <= (1.0 - weights::MOSTLY_SAID) * column.len() as f64
        };
        let kept = before.intersection(&now).count();
        kept * 3 >= before.len() * 2 && before.iter().any(is_lost) && now.iter().any(|word| !before.contains(word))
    }

    /// Takes addresses out of a column that lack a word which all known ones have and most of these have, and that are not known: a record without an agenda has another link in its
    /// place.
    pub(crate) fn drop_led_away(&self, looks: &[Look], column: &mut [Vec<usize>]) {
        let known = &self.field.samples;
        if self.ways.is_empty() || known.len() < weights::LASTING.0 {
            return;
        }
        let ways_of: Vec<HashSet<String>> = known.iter().map(|text| ways(text)).collect();
        let all: Vec<usize> = column.iter().flatten().copied().collect();
        let is_kept = |word: &&String| {
            let having = all.iter().filter(|item| looks[**item].ways.contains(*word)).count();
            having * 2 > all.len() && ways_of.iter().all(|ways| ways.contains(*word))
        };
        let words: Vec<&String> = self.ways.iter().filter(is_kept).collect();
        for items in column {
            items.retain(|item| {
                let look = &looks[*item];
                self.has_value(look) || words.iter().all(|word| look.ways.contains(*word))
            });
        }
    }

    /// The addresses that have most of the words that nearly all known ones have.
    fn kin(&self, looks: &[Look], column: &[usize]) -> Vec<usize> {
        let is_kin = |item: &usize| self.ways.intersection(&looks[*item].ways).count() * 3 >= self.ways.len() * 2;
        column.iter().copied().filter(is_kin).collect()
    }

    /// Do these addresses keep at least half of the words that nearly all known ones have? None if that is not known.
    pub(crate) fn keeps_ways(&self, looks: &[Look], column: &[usize]) -> Option<bool> {
        let (before, now) = self.common_ways(looks, column)?;
        Some(before.intersection(&now).count() * 2 >= before.len())
    }

    /// Is this address one that has less than half of the words that nearly all known ones have?
    pub(crate) fn is_stray_address(&self, look: &Look) -> bool {
        let kept = self.ways.intersection(&look.ways).count();
        !self.ways.is_empty() && kept * 2 < self.ways.len()
    }
}

/// The words of an address that tell where it leads: those of some letters, but for months.
pub(crate) fn ways(text: &str) -> HashSet<String> {
    let is_telling = |word: &String| {
        let is_month = MONTHS.iter().any(|month| word.starts_with(month));
        word.chars().count() >= weights::LETTERS && word.contains(char::is_alphabetic) && !is_month
    };
    tokens(text).into_iter().filter(is_telling).collect()
}

/// The words that nearly all of some sets have.
pub(crate) fn words_of_most<'s>(sets: impl Iterator<Item = &'s HashSet<String>> + Clone) -> HashSet<String> {
    let mut counts: HashMap<&String, usize> = HashMap::new();
    for word in sets.clone().flatten() {
        *counts.entry(word).or_default() += 1;
    }
    let least = weights::MOSTLY_SAID * sets.count() as f64;
    let words = counts.into_iter().filter(|(_, count)| *count as f64 >= least);
    words.map(|(word, _)| word.clone()).collect()
}
