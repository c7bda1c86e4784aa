//! Chances: how likely a healthy wrapper gives the values that were given.
//!
//! Values of one page resemble each other, and so do the pages of one day. So not values are counted but *units*: the
//! number of independent values that would be as informative (the design effect of cluster samples), and never more
//! than [`MEMORY`], because habits change. A share that was seen in few units is known only roughly, so it has a
//! distribution instead of a value: a beta distribution, from a prior with the weight of two units and the units seen.
//! What a healthy run then gives has a beta-binomial distribution, and its lower tail is the answer. Means of
//! logarithms are compared by Student's t with a prior variance.

/// How much more alike two values of one page are than two of different pages: the correlation within a cluster.
const ALIKE: f64 = 0.3;
/// The most units that are counted: more pages do not make the result surer, since habits change from day to day.
const MEMORY: f64 = 20.0;
/// The weight of the prior of a share, in units.
const WEIGHT: f64 = 2.0;

/// A property that some of the values have.
#[derive(Clone, Copy, Debug)]
pub(super) struct Share {
    /// The share of the values that have it, from 0 to 1.
    share: f64,
    units: f64,
}

impl Share {
    /// The property holds for `hits` of `count` values, which are worth this many units.
    pub(super) fn new(hits: u64, count: u64, units: f64) -> Share {
        Share {
            share: if count == 0 {
                0.0
            } else {
                hits.min(count) as f64 / count as f64
            },
            units: if count == 0 { 0.0 } else { units.clamp(0.0, MEMORY) },
        }
    }
}

/// The number of independent values that are as informative as these values from this many pages.
pub(super) fn units(values: f64, pages: f64) -> f64 {
    if !(values > 0.0 && pages > 0.0) {
        return 0.0;
    }
    let pages = pages.min(values);
    let each = values / pages;
    (pages * each / (1.0 + (each - 1.0) * ALIKE)).min(MEMORY)
}

/// The chance that a share is as small as it is now, or smaller, if nothing has changed; `usual` is the mean of the
/// prior. 1 if there is nothing to compare.
pub(super) fn as_small(known: Share, now: Share, usual: f64) -> f64 {
    if known.units <= 0.0 || now.units <= 0.0 {
        return 1.0;
    }
    let a = usual * WEIGHT + known.units * known.share;
    let b = (1.0 - usual) * WEIGHT + known.units * (1.0 - known.share);
    if now.share <= 0.0 {
        // The chance of no hits at all is also defined for fractions of units.
        return (ln_beta(a, b + now.units) - ln_beta(a, b)).exp().clamp(0.0, 1.0);
    }
    let count = now.units.round().max(1.0);
    // Rounded up, so that a share never becomes smaller than it is.
    let hits = (now.share * count - 1e-9).ceil().clamp(0.0, count);
    at_most(hits as u64, count as u64, a, b)
}

/// The most pages that are counted where pages are counted one by one.
const PAGES: u64 = 1000;

/// The chance that at most `has` of `now` pages have what `had` of `known` pages had, by Laplace's rule of succession: what
/// was on all of n pages is missing on the next one with a chance of 1/(n + 2).
///
/// Nothing is assumed about what is usual, so this is the careful answer, and there is no limit of memory: that a hundred
/// pages had it does say more than that twenty had.
pub(super) fn on_pages(had: u64, known: u64, has: u64, now: u64) -> f64 {
    if known == 0 || now == 0 {
        return 1.0;
    }
    let part = |hits: u64, all: u64| (hits.min(all) as f64 / all as f64, all.min(PAGES));
    let ((before, known), (after, now)) = (part(had, known), part(has, now));
    let hits = (after * now as f64 - 1e-9).ceil().max(0.0);
    let had = before * known as f64;
    at_most(hits as u64, now, 1.0 + had, 1.0 + known as f64 - had)
}

/// The chance that of `now` values at least `odd` have a property that `was` of `known` values had, where `usual` is the mean
/// of the prior with the weight of two values.
pub(super) fn as_many((was, known): (u64, u64), (odd, now): (u64, u64), usual: f64) -> f64 {
    if known == 0 || now == 0 || odd == 0 {
        return 1.0;
    }
    let part = |hits: u64, all: u64| (hits.min(all) as f64 / all as f64, all.min(PAGES));
    let ((before, known), (after, now)) = (part(was, known), part(odd, now));
    // Rounded down, so that a share never becomes larger than it is, but one is one.
    let odd = (after * now as f64).floor().max(1.0) as u64;
    let (known, had) = (known as f64, before * known as f64);
    at_most(
        now - odd.min(now),
        now,
        (1.0 - usual) * WEIGHT + known - had,
        usual * WEIGHT + had,
    )
}

/// The chance that at least `count` of `all` pages are odd, if each is with a chance of `each`, independently.
pub(crate) fn at_least(count: u64, all: u64, each: f64) -> f64 {
    let (count, all) = (count.min(PAGES), all.min(PAGES));
    if count == 0 {
        return 1.0;
    }
    let n = all as f64;
    let terms = (count..=all).map(|k| {
        let k = k as f64;
        let ways = ln_gamma(n + 1.0) - ln_gamma(k + 1.0) - ln_gamma(n - k + 1.0);
        (ways + k * each.ln() + (n - k) * (1.0 - each).ln()).exp()
    });
    terms.sum::<f64>().clamp(0.0, 1.0)
}

/// The chance of at most `hits` hits in `count` tries, when the chance of a hit has the beta distribution with a and b.
fn at_most(hits: u64, count: u64, a: f64, b: f64) -> f64 {
    if hits >= count {
        return 1.0;
    }
    let n = count as f64;
    let whole = ln_beta(a, b) - ln_gamma(n + 1.0);
    let terms = (0..=hits).map(|k| {
        let k = k as f64;
        (ln_beta(a + k, b + n - k) - ln_gamma(k + 1.0) - ln_gamma(n - k + 1.0) - whole).exp()
    });
    terms.sum::<f64>().clamp(0.0, 1.0)
}

/// Numbers by their logarithms: how many independent ones there are, their mean and variance.
#[derive(Clone, Copy, Debug)]
pub(super) struct Logs {
    pub(super) units: f64,
    pub(super) mean: f64,
    pub(super) variance: f64,
}

impl Logs {
    /// From numbers and how often each occurs; `None` if there are none.
    pub(super) fn new<'h>(histogram: impl Iterator<Item = (&'h u64, &'h u64)> + Clone, units: f64) -> Option<Logs> {
        let count: f64 = histogram.clone().map(|(_, times)| *times as f64).sum();
        if !(count > 0.0 && units > 0.0) {
            return None;
        }
        let logs = histogram.map(|(number, times)| ((*number as f64).ln_1p(), *times as f64));
        let mean = logs.clone().map(|(log, times)| log * times).sum::<f64>() / count;
        let variance = logs.map(|(log, times)| (log - mean).powi(2) * times).sum::<f64>() / count;
        Some(Logs { units, mean, variance })
    }
}

/// The prior of how much the logarithm of a number varies: from one thing to the next, with the weight of several
/// units, and from one day to the next.
#[derive(Clone, Copy, Debug)]
pub(super) struct Usual {
    pub(super) deviation: f64,
    pub(super) drift: f64,
}

/// The chance that a mean is as far from the known one as it is now, or farther, in either direction.
pub(super) fn as_far(known: Logs, now: Logs, usual: Usual) -> f64 {
    const DEGREES: f64 = 4.0;
    let freedom = DEGREES + (known.units - 1.0).max(0.0);
    let variance = (DEGREES * usual.deviation.powi(2) + known.units * known.variance) / (DEGREES + known.units);
    let variance = variance * (1.0 / known.units + 1.0 / now.units) + usual.drift.powi(2);
    student((now.mean - known.mean).abs() / variance.sqrt(), freedom)
}

/// The chance that all `now` numbers are above, or all below, all `known` numbers, if both come from the same
/// distribution.
pub(super) fn all_beyond(known: f64, now: f64) -> f64 {
    if !(known > 0.0 && now > 0.0) {
        return 1.0;
    }
    let ways = ln_gamma(known + now + 1.0) - ln_gamma(known + 1.0) - ln_gamma(now + 1.0);
    (2.0 * (-ways).exp()).min(1.0)
}

/// Combines several chances that may depend on each other (Simes): small if one is very small, or if many are small.
pub(super) fn together(mut chances: Vec<f64>) -> f64 {
    chances.sort_by(f64::total_cmp);
    let count = chances.len() as f64;
    let each = chances
        .iter()
        .enumerate()
        .map(|(rank, chance)| chance * count / (rank as f64 + 1.0));
    each.fold(1.0, f64::min)
}

/// How much more often than by accident two fields of a page disappear together: the correlation of fields.
const TOGETHER: f64 = 0.3;

/// The chance that at least as many fields disappear as did, from the chance of each: the worst one, the worst two and
/// so on, whichever fields these are. If fields were independent, the chances would be multiplied. The more they are
/// correlated, the more missing fields it takes to reach the same chance.
pub(super) fn at_once(mut chances: Vec<f64>) -> f64 {
    chances.sort_by(f64::total_cmp);
    let all = chances.len() as f64;
    let (mut best, mut product, mut choices) = (1.0_f64, 0.0, 1.0);
    for (rank, chance) in chances.iter().enumerate() {
        let count = rank as f64 + 1.0;
        product += chance.max(f64::MIN_POSITIVE).ln();
        choices *= (all - rank as f64) / count;
        best = best.min(choices * (product / (1.0 + (count - 1.0) * TOGETHER)).exp());
    }
    best
}

/// Both tails of Student's distribution.
fn student(t: f64, freedom: f64) -> f64 {
    match t.is_finite() {
        true => incomplete_beta(freedom / 2.0, 0.5, freedom / (freedom + t * t)),
        false => 1.0,
    }
}

/// The regularized incomplete beta function, by its continued fraction.
fn incomplete_beta(a: f64, b: f64, x: f64) -> f64 {
    if x <= 0.0 {
        return 0.0;
    }
    if x >= 1.0 {
        return 1.0;
    }
    // The fraction converges fast only on this side of the mean.
    if x > (a + 1.0) / (a + b + 2.0) {
        return 1.0 - incomplete_beta(b, a, 1.0 - x);
    }
    let front = (a * x.ln() + b * (1.0 - x).ln() - ln_beta(a, b)).exp() / a;
    // Evaluated from the inside out. Small denominators are no problem, since all of them are positive sums here.
    let term = |step: f64| {
        let half = (step / 2.0).floor();
        match step % 2.0 == 0.0 {
            true => half * (b - half) * x / ((a + step - 1.0) * (a + step)),
            false => -(a + half) * (a + b + half) * x / ((a + step - 1.0) * (a + step)),
        }
    };
    let fraction = (1..=200)
        .rev()
        .fold(1.0, |below, step| 1.0 + term(f64::from(step)) / below);
    (front / fraction).clamp(0.0, 1.0)
}

fn ln_beta(a: f64, b: f64) -> f64 {
    ln_gamma(a) + ln_gamma(b) - ln_gamma(a + b)
}

/// The logarithm of the gamma function of a positive number, by Stirling's series.
fn ln_gamma(x: f64) -> f64 {
    let mut x = x.max(1e-9);
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

#[cfg(test)]
mod tests {
    use super::*;

    fn near(got: f64, expected: f64) {
        assert!((got - expected).abs() < 1e-6, "{got}, not {expected}");
    }

    #[test]
    fn gamma_is_the_factorial() {
        let mut factorial: f64 = 1.0;
        for n in 1..30 {
            near(ln_gamma(f64::from(n)), factorial.ln());
            factorial *= f64::from(n);
        }
        near(ln_gamma(0.5), std::f64::consts::PI.sqrt().ln());
    }

    /// The same tail from the definition: draws from an urn, where each draw adds a ball of the colour drawn.
    fn urn(hits: u64, count: u64, a: f64, b: f64) -> f64 {
        let mut chances = vec![1.0];
        for drawn in 0..count {
            let mut next = vec![0.0; chances.len() + 1];
            for (k, chance) in chances.iter().enumerate() {
                let hit = (a + k as f64) / (a + b + drawn as f64);
                next[k + 1] += chance * hit;
                next[k] += chance * (1.0 - hit);
            }
            chances = next;
        }
        chances.iter().take(hits as usize + 1).sum()
    }

    #[test]
    fn tails_are_those_of_an_urn() {
        for (a, b) in [(1.0, 1.0), (2.8, 0.2), (21.8, 0.2), (0.4, 7.3)] {
            for count in [1, 2, 5, 20] {
                for hits in 0..=count {
                    near(at_most(hits, count, a, b), urn(hits, count, a, b));
                }
            }
        }
    }

    #[test]
    fn what_was_seen_once_may_be_otherwise() {
        let share = |hits, count| Share::new(hits, count, count as f64);
        near(as_small(share(1, 1), share(0, 1), 0.5), 1.0 / 3.0);
        near(as_small(share(10, 10), share(0, 1), 0.5), 1.0 / 12.0);
        near(as_small(share(0, 0), share(0, 1), 0.5), 1.0);
        near(as_small(share(5, 5), share(0, 0), 0.5), 1.0);
        assert!(as_small(share(20, 20), share(0, 20), 0.5) < 1e-9);
        // A thousand pages are worth no more than MEMORY.
        assert!(as_small(share(1000, 1000), share(0, 1), 0.5) > 0.04);
    }

    #[test]
    fn what_all_pages_had_is_missing_by_the_rule_of_succession() {
        for pages in [1, 3, 18, 33, 900] {
            near(on_pages(pages, pages, 0, 1), 1.0 / (pages as f64 + 2.0));
        }
        near(on_pages(32, 33, 0, 1), 2.0 / 35.0);
        near(on_pages(5, 5, 4, 4), 1.0);
        near(on_pages(0, 0, 0, 4), 1.0);
        near(on_pages(4, 4, 0, 0), 1.0);
        assert!(on_pages(33, 33, 9, 10) > 0.2 && on_pages(33, 33, 5, 10) < 0.01);
        // Numbers from files may be anything.
        assert!((0.0..=1.0).contains(&on_pages(u64::MAX, 7, u64::MAX / 2, u64::MAX)));
    }

    #[test]
    fn what_never_happened_is_unlikely_even_once() {
        near(as_many((0, 10), (0, 10), 0.05), 1.0);
        near(as_many((0, 1), (1, 1), 0.05), 0.1 / 3.0);
        assert!(as_many((0, 100), (1, 1), 0.05) < 0.001);
        // What happens now and then may happen again.
        assert!(as_many((20, 100), (2, 10), 0.05) > 0.5);
        assert!((0.0..=1.0).contains(&as_many((u64::MAX, 7), (u64::MAX, u64::MAX), 0.05)));
    }

    #[test]
    fn odd_pages_are_counted() {
        near(at_least(0, 9, 0.05), 1.0);
        near(at_least(1, 1, 0.05), 0.05);
        near(at_least(1, 2, 0.05), 0.0975);
        near(at_least(2, 2, 0.05), 0.0025);
        assert!(at_least(u64::MAX, u64::MAX, 0.05) < 1e-9);
    }

    #[test]
    fn values_of_one_page_are_few_units() {
        near(units(1.0, 1.0), 1.0);
        near(units(10.0, 10.0), 10.0);
        assert!(units(1000.0, 1.0) < 1.0 / ALIKE);
        assert!(units(30.0, 3.0) > 3.0 * units(10.0, 1.0) - 1e-9);
        near(units(2.0, 5.0), 2.0);
        for nothing in [0.0, -1.0, f64::NAN] {
            near(units(nothing, 1.0), 0.0);
            near(units(1.0, nothing), 0.0);
        }
        near(units(f64::INFINITY, 1e300), MEMORY);
    }

    #[test]
    fn student_has_the_values_of_tables() {
        near(student(1.0, 1.0), 0.5);
        // Two degrees have a closed form.
        for t in [0.0, 0.3, 1.0, 2.5, 40.0_f64] {
            near(student(t, 2.0), 1.0 - t / (2.0 + t * t).sqrt());
        }
        assert!((student(2.228, 10.0) - 0.05).abs() < 1e-4);
        assert!((student(1.96, 100_000.0) - 0.05).abs() < 1e-4);
        near(student(f64::NAN, 3.0), 1.0);
    }

    #[test]
    fn far_means_are_unlikely_where_numbers_vary_little() {
        let usual = Usual {
            deviation: 0.7,
            drift: 0.3,
        };
        let logs = |number: u64, units: f64| Logs::new([(&number, &10)].into_iter(), units).expect("numbers");
        near(as_far(logs(20, 3.0), logs(20, 3.0), usual), 1.0);
        assert!(as_far(logs(20, 1.0), logs(200, 1.0), usual) > 0.05);
        assert!(as_far(logs(20, 10.0), logs(200, 10.0), usual) < 0.01);
        assert!(Logs::new([(&1, &0)].into_iter(), 3.0).is_none());
        assert!(Logs::new([(&1, &1)].into_iter(), f64::NAN).is_none());
    }

    #[test]
    fn orders_are_counted() {
        // Two after two: one of six orders, in either direction.
        near(all_beyond(2.0, 2.0), 2.0 / 6.0);
        near(all_beyond(0.0, 2.0), 1.0);
    }

    #[test]
    fn fields_that_are_gone_at_once() {
        near(at_once(vec![]), 1.0);
        near(at_once(vec![0.01]), 0.01);
        near(at_once(vec![0.01, 1.0, 1.0, 1.0]), 0.04);
        near(at_once(vec![1.0; 40]), 1.0);
        // Less likely than the likelier of the two, more likely than if they were independent.
        let two = at_once(vec![0.05, 0.05]);
        assert!(two < 0.05 && two > 0.05 * 0.05, "{two}");
        assert!(at_once(vec![0.0, 0.0]) >= 0.0);
    }

    #[test]
    fn chances_together() {
        near(together(vec![]), 1.0);
        near(together(vec![0.01, 1.0]), 0.02);
        near(together(vec![0.01, 0.01]), 0.01);
        near(together(vec![0.5, 0.9, 0.6]), 0.9);
    }
}
