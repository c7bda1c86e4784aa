//! Decides for all fields at once which candidate each takes: the choice with the greatest total worth, where some
//! candidates exclude each other.
//!
//! Fields that look alike (two dates, a name and a title) often want the same column. If fields chose one after the
//! other, the first would take it. When all are considered together, it shows that one of them has a second choice that
//! is nearly as good and the other has none. The result is exact: choices are tried best first, and those that can no
//! longer win are skipped. After [`TRIES`] attempts the best choice so far is taken.

use std::collections::HashMap;

/// The most choices that are tried.
const TRIES: usize = 20_000;

/// For each field the number of its candidate, if any. Candidates are given by field, best first, with their worth;
/// `excludes` tells whether two candidates of different fields, as (field, number), exclude each other.
pub(crate) fn assign(
    worths: &[Vec<f64>],
    excludes: &dyn Fn((usize, usize), (usize, usize)) -> bool,
) -> Vec<Option<usize>> {
    // The most that the fields from each one on can add.
    let mut rest = vec![0.0; worths.len() + 1];
    for field in (0..worths.len()).rev() {
        rest[field] = rest[field + 1] + worths[field].first().copied().unwrap_or(0.0);
    }
    let mut search = Search {
        worths,
        excludes,
        rest,
        best: (-1.0, vec![None; worths.len()]),
        asked: HashMap::new(),
        tries: 0,
    };
    search.go(0, 0.0, &mut Vec::new());
    search.best.1
}

struct Search<'a> {
    worths: &'a [Vec<f64>],
    excludes: &'a dyn Fn((usize, usize), (usize, usize)) -> bool,
    rest: Vec<f64>,
    best: (f64, Vec<Option<usize>>),
    /// Answers that are already known.
    asked: HashMap<[(usize, usize); 2], bool>,
    tries: usize,
}

impl Search<'_> {
    fn go(&mut self, field: usize, sum: f64, chosen: &mut Vec<Option<usize>>) {
        self.tries += 1;
        if field == self.worths.len() {
            if sum > self.best.0 + 1e-9 {
                self.best = (sum, chosen.clone());
            }
            return;
        }
        let choices = (0..self.worths[field].len()).map(Some).chain([None]);
        for choice in choices {
            let worth = choice.map_or(0.0, |number| self.worths[field][number]);
            if self.tries > TRIES || sum + worth + self.rest[field + 1] <= self.best.0 + 1e-9 {
                // The following candidates are worth even less.
                break;
            }
            let excluded = choice.is_some_and(|number| {
                chosen.iter().enumerate().any(|(other, taken)| {
                    let Some(taken) = *taken else { return false };
                    let both = [(other, taken), (field, number)];
                    *self
                        .asked
                        .entry(both)
                        .or_insert_with(|| (self.excludes)(both[0], both[1]))
                })
            });
            if !excluded {
                chosen.push(choice);
                self.go(field + 1, sum + worth, chosen);
                chosen.pop();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_second_choice_of_one_may_be_best_for_all() {
        // Both fields want candidate 0, which is the same for both.
        let same = |a: (usize, usize), b: (usize, usize)| a.1 == 0 && b.1 == 0;
        let worths = [vec![0.9, 0.8], vec![0.85]];
        assert_eq!(assign(&worths, &same), [Some(1), Some(0)]);
        // Without a second choice, the better one gets it.
        let worths = [vec![0.8], vec![0.85]];
        assert_eq!(assign(&worths, &same), [None, Some(0)]);
        assert_eq!(assign(&[], &same), Vec::<Option<usize>>::new());
    }

    #[test]
    fn it_is_as_good_as_trying_all() {
        // Compares with a slow oracle on small cases from a linear congruential generator.
        let mut seed: u64 = 7;
        let mut next = |below: u64| {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (seed >> 33) % below
        };
        for _ in 0..200 {
            let fields = 1 + next(4) as usize;
            let mut worths: Vec<Vec<f64>> = (0..fields)
                .map(|_| (0..next(4)).map(|_| next(100) as f64 / 100.0).collect())
                .collect();
            for worths in &mut worths {
                worths.sort_by(|a, b| b.total_cmp(a));
            }
            let bars: Vec<u64> = (0..16).map(|_| next(3)).collect();
            let excludes = |a: (usize, usize), b: (usize, usize)| {
                a.0 != b.0 && bars[(a.0 * 4 + a.1) % 16] == bars[(b.0 * 4 + b.1) % 16]
            };
            let total = |chosen: &[Option<usize>]| -> Option<f64> {
                for (one, a) in chosen.iter().enumerate() {
                    for (other, b) in chosen.iter().enumerate().skip(one + 1) {
                        if let (Some(a), Some(b)) = (a, b)
                            && excludes((one, *a), (other, *b))
                        {
                            return None;
                        }
                    }
                }
                let worths = chosen.iter().zip(&worths);
                Some(
                    worths
                        .map(|(number, worths)| number.map_or(0.0, |number| worths[number]))
                        .sum(),
                )
            };
            let mut all: Vec<Vec<Option<usize>>> = vec![Vec::new()];
            for worths in &worths {
                let choices: Vec<Option<usize>> = (0..worths.len()).map(Some).chain([None]).collect();
                let longer = all.iter().flat_map(|chosen| {
                    choices.iter().map(move |choice| {
                        let mut chosen = chosen.clone();
                        chosen.push(*choice);
                        chosen
                    })
                });
                all = longer.collect();
            }
            let best = all.iter().filter_map(|chosen| total(chosen)).fold(0.0, f64::max);
            let found = total(&assign(&worths, &excludes)).expect("a choice without conflicts");
            assert!((found - best).abs() < 1e-6, "{found} instead of {best}");
        }
    }
}
