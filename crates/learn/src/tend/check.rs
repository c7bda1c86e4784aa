//! Is a run what it should be?
//!
//! Each field is asked a few questions whose usual answers are known: is it there as often as it was, are its values written
//! as they were, as long, links as before, behind the same words? For each question there is a chance that a healthy run
//! gives such an answer, counted with the caution that few examples ask for: what was always so in n examples is expected
//! to be otherwise once in n + 2. The chance of a field is that of its worst answer, corrected for the number of questions.

use crate::guided::Wanted;
use wrapper::profile::{FieldProfile, Profile};

/// How a field is.
#[derive(Clone, Debug, PartialEq)]
pub struct Health {
    /// Its name.
    pub name: String,
    /// The chance that a healthy wrapper gives what was given, from 0 to 1.
    pub chance: f64,
    /// What is wrong, in words, worst first; nothing if all is well.
    pub reasons: Vec<String>,
}

/// How a run is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// As it should be.
    Fine,
    /// The site has changed.
    Changed,
}

/// What a check says.
#[derive(Clone, Debug, PartialEq)]
pub struct Alarm {
    /// For all of it.
    pub verdict: Verdict,
    /// For each field.
    pub fields: Vec<Health>,
    /// What concerns records as a whole.
    pub reasons: Vec<String>,
}

/// Below this chance a field is called broken.
const BROKEN: f64 = 0.01;

/// Compares what a run gave with what is known.
pub fn check(wanted: &[Wanted], known: &Profile, now: &Profile) -> Alarm {
    let mut reasons = Vec::new();
    if known.records > 0 && now.records == 0 {
        reasons.push(match now.pages {
            0 => "there are no pages".to_owned(),
            _ => "no page has a record any more".to_owned(),
        });
    }
    let fields: Vec<Health> = wanted
        .iter()
        .zip(known.fields.iter().zip(&now.fields))
        .map(|(want, (known_field, now_field))| health(want, (known, known_field), (now, now_field)))
        .collect();
    let broken = fields.iter().any(|field| field.chance < BROKEN);
    Alarm {
        verdict: if broken || !reasons.is_empty() {
            Verdict::Changed
        } else {
            Verdict::Fine
        },
        fields,
        reasons,
    }
}

/// The chance that a share as small as `hits` of `count` comes of something that was so in `had` of `of` cases.
fn chance(hits: u64, count: u64, had: u64, of: u64) -> f64 {
    // Beta prior by rule of succession; the tail of the beta-binomial, summed in logarithms.
    let (a, b) = (had as f64 + 1.0, (of - had.min(of)) as f64 + 1.0);
    let n = count as f64;
    let mut sum = 0.0;
    let base = ln_gamma(a + b) - ln_gamma(a) - ln_gamma(b) - ln_gamma(a + b + n) + ln_gamma(n + 1.0);
    for k in 0..=hits {
        let k = k as f64;
        let term = base + ln_gamma(a + k) + ln_gamma(b + n - k) - ln_gamma(k + 1.0) - ln_gamma(n - k + 1.0);
        sum += term.exp();
    }
    sum.min(1.0)
}

/// The logarithm of the gamma function, by Stirling's series.
fn ln_gamma(x: f64) -> f64 {
    let mut x = x;
    let mut shift = 0.0;
    while x < 7.0 {
        shift -= x.ln();
        x += 1.0;
    }
    let inverse = 1.0 / (x * x);
    shift + (x - 0.5) * x.ln() - x
        + 0.918_938_533_204_672_7
        + (1.0 / 12.0 - inverse * (1.0 / 360.0 - inverse / 1260.0)) / x
}

/// At most this many are counted: a million pages make no surer than a thousand, and habits differ from day to day.
const COUNTED: u64 = 60;

/// Scales counts down to what is counted.
fn scaled(hits: u64, count: u64) -> (u64, u64) {
    match count > COUNTED {
        true => ((hits * COUNTED).div_ceil(count).min(COUNTED), COUNTED),
        false => (hits.min(count), count),
    }
}

/// The answer to a question: the chance of it, and the words.
fn ask(found: &mut Vec<(f64, String)>, (hits, count): (u64, u64), (had, of): (u64, u64), words: String) {
    if count > 0 && of > 0 {
        let ((hits, count), (had, of)) = (scaled(hits, count), scaled(had, of));
        found.push((chance(hits, count, had, of), words));
    }
}

fn health(want: &Wanted, (known, was): (&Profile, &FieldProfile), (now, is): (&Profile, &FieldProfile)) -> Health {
    let mut found: Vec<(f64, String)> = Vec::new();
    if now.records > 0 {
        let words = format!(
            "{} of {} records have it, {} of {} had",
            is.records, now.records, was.records, known.records
        );
        ask(
            &mut found,
            (is.records, now.records),
            (was.records, known.records),
            words,
        );
    } else if known.records > 0 {
        found.push((0.0, "there are no records".to_owned()));
    }
    if is.count > 0 && was.count > 0 {
        let shapes = share_of_shapes(was, is);
        let had = if was.count < 4 {
            was.count
        } else {
            was.count - (was.shapes.len() as u64).min(was.count)
        };
        let words = format!(
            "{shapes} of {} values are written as before ({})",
            is.count,
            was.pattern()
        );
        // Only where values were written in few ways is another one telling.
        if (was.shapes.len() as u64) * 4 <= was.count.max(4) {
            ask(&mut found, (shapes, is.count), (had.max(1), was.count), words);
        }
        if let Some(label) = was.label() {
            let labelled = was.labels.get(label).copied().unwrap_or(0);
            let same = is.labels.get(label).copied().unwrap_or(0);
            let other = is
                .label()
                .map(|other| format!("; most are behind \"{other}\""))
                .unwrap_or_default();
            ask(
                &mut found,
                (same, is.count),
                (labelled, was.count),
                format!("{same} of {} values stand behind \"{label}\"{other}", is.count),
            );
        }
        let links = (is.links.min(is.count), is.count - is.links.min(is.count));
        match was.links * 2 >= was.count {
            true => ask(
                &mut found,
                (links.0, is.count),
                (was.links, was.count),
                format!("{} of {} values are links", links.0, is.count),
            ),
            false => ask(
                &mut found,
                (links.1, is.count),
                (was.count - was.links, was.count),
                format!("{} of {} values are no links", links.1, is.count),
            ),
        }
        let (short, long) = (was.length.0 as f64 / 3.0 - 2.0, was.length.2 as f64 * 3.0 + 10.0);
        let mean = is.mean_length();
        if mean < short || mean > long {
            found.push((
                0.001,
                format!(
                    "values have {mean:.0} characters, they had {} to {}",
                    was.length.0, was.length.2
                ),
            ));
        }
    }
    let questions = found.len().max(1) as f64;
    found.sort_by(|a, b| a.0.total_cmp(&b.0));
    let chance = found.first().map_or(1.0, |worst| (worst.0 * questions).min(1.0));
    Health {
        name: want.name.clone(),
        chance,
        reasons: found
            .into_iter()
            .filter(|(each, _)| each * questions < 0.05)
            .map(|(_, words)| words)
            .collect(),
    }
}

/// How many values are written in a way that was seen before.
fn share_of_shapes(was: &FieldProfile, is: &FieldProfile) -> u64 {
    is.shapes
        .iter()
        .filter(|(shape, _)| was.shapes.contains_key(*shape))
        .map(|(_, count)| count)
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_are_those_of_few_examples() {
        // What was so ten times of ten is otherwise the next time once in twelve.
        assert!((chance(0, 1, 10, 10) - 1.0 / 12.0).abs() < 1e-6);
        assert!((chance(1, 1, 10, 10) - 1.0).abs() < 1e-6);
        assert!(chance(0, 20, 20, 20) < 1e-6);
        assert!((ln_gamma(5.0) - 24f64.ln()).abs() < 1e-6);
    }
}
