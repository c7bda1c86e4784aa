//! How sure a repaired field is, from the score of its evidence.
//!
//! A score says which of two fields was found again better, but 0.4 does not mean that four of ten such fields are right. The
//! table says which share of fields with a score was right on pages whose values are known: synthetic redesigns of the SWDE
//! sites and of lists, those for development, by `bench/calibrate.py`, which also checks it on families that it was not made from
//! (`bench/record/2026-11-17-repair-5.md`). The share never falls with the score, and is never 1.

/// The shares for scores of 0, 0.05, …, 1.
const SHARES: [f64; 21] = [
    0.00, 0.13, 0.21, 0.29, 0.35, 0.37, 0.39, 0.65, 0.76, 0.79, 0.85, 0.90, 0.92, 0.94, 0.96, 0.97, 0.98, 0.99, 0.99,
    0.99, 0.99,
];

/// The share of fields with a score, from 0 to 1, that are right.
pub(crate) fn sure(score: f64) -> f64 {
    let at = score.clamp(0.0, 1.0) * (SHARES.len() - 1) as f64;
    let below = (at as usize).min(SHARES.len() - 2);
    SHARES[below] + (SHARES[below + 1] - SHARES[below]) * (at - below as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_better_score_is_never_less_sure_and_nothing_is_certain() {
        let all: Vec<f64> = (0..=1000).map(|score| sure(f64::from(score) / 1000.0)).collect();
        assert!(all.is_sorted(), "{all:?}");
        assert_eq!(sure(0.0), 0.0);
        assert!(sure(1.0) < 0.995, "it would be printed as 100 %");
        assert_eq!((sure(-1.0), sure(2.0)), (sure(0.0), sure(1.0)));
    }
}
