//! Binary search that begins where the last one ended.
//!
//! Nodes are usually visited in document order, so the result for one is close to the result for the previous one. The
//! search doubles its steps away from there: the cost is the logarithm of the distance, not of the list's length.

/// The rank of the first item in a sorted list that is not below `bound`.
pub(super) fn first_not_below<T: Ord>(list: &[T], near: usize, bound: &T) -> usize {
    let mut low = near.min(list.len());
    let mut high = low;
    let mut step = 1;
    if list.get(low).is_some_and(|item| item < bound) {
        while list.get(high).is_some_and(|item| item < bound) {
            low = high + 1;
            high += step;
            step *= 2;
        }
        high = high.min(list.len());
    } else {
        while low > 0 && list[low - 1] >= *bound {
            high = low - 1;
            low = low.saturating_sub(step);
            step *= 2;
        }
    }
    low + list[low..high].partition_point(|item| item < bound)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_search_finds_the_same_from_anywhere() {
        let list: Vec<u32> = (0..40).map(|n| 3 * n + 1).collect();
        for near in 0..=list.len() + 1 {
            for bound in 0..130 {
                let expected = list.partition_point(|item| *item < bound);
                assert_eq!(first_not_below(&list, near, &bound), expected, "{near} {bound}");
            }
        }
        assert_eq!(first_not_below(&[], 3, &1), 0);
    }
}
