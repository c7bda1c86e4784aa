//! Hash tables for keys that are small numbers: nodes, operations, output nodes.
//!
//! The tables of a run are asked several times for each node that it comes to, and the hash of the standard library, which
//! is made to withstand keys chosen by an enemy, took a tenth of a run's time. Here the keys are positions on a page. Who
//! writes the page could choose them so that they collide, but a page has too few nodes for that to hurt: of a million
//! nodes a thousand at most can be made to share a place in a table of a thousand.
//!
//! The hash is a rotation and a multiplication for each number, and at the end another multiplication between two folds,
//! because tables look at the lowest bits, which multiplication mixes least.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// A hash table for numbers.
pub(super) type Map<K, V> = HashMap<K, V, BuildHasherDefault<Quick>>;

#[derive(Clone, Copy, Default)]
pub(super) struct Quick(u64);

/// An odd number with its bits spread: 2⁶⁴ divided by the golden ratio.
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

impl Quick {
    fn add(&mut self, number: u64) {
        self.0 = (self.0.rotate_left(5) ^ number).wrapping_mul(SPREAD);
    }
}

impl Hasher for Quick {
    fn write(&mut self, bytes: &[u8]) {
        for piece in bytes.chunks(8) {
            let mut number = [0; 8];
            number[..piece.len()].copy_from_slice(piece);
            self.add(u64::from_le_bytes(number));
        }
    }

    fn write_u8(&mut self, number: u8) {
        self.add(number.into());
    }

    fn write_u32(&mut self, number: u32) {
        self.add(number.into());
    }

    fn write_u64(&mut self, number: u64) {
        self.add(number);
    }

    fn write_usize(&mut self, number: usize) {
        self.add(number as u64);
    }

    fn finish(&self) -> u64 {
        let mixed = (self.0 ^ (self.0 >> 32)).wrapping_mul(SPREAD);
        mixed ^ (mixed >> 32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;
    use std::hash::{BuildHasher, Hash};

    /// How many of the hashes differ in the bits that a table of that size looks at.
    fn places<K: Hash>(keys: impl Iterator<Item = K>, size: u64) -> usize {
        let build = BuildHasherDefault::<Quick>::default();
        let places: HashSet<u64> = keys.map(|key| build.hash_one(key) % size).collect();
        places.len()
    }

    #[test]
    fn neighbours_and_multiples_do_not_collide_more_than_chance_would_have_them() {
        // Of 1024 keys at 1024 places, chance fills 647.
        for step in [1, 2, 3, 8, 10, 64, 1024] {
            let filled = places((0..1024_u32).map(|n| (7_usize, n * step, 1_u64)), 1024);
            assert!(filled > 550, "steps of {step}: {filled}");
            let filled = places((0..1024_u64).map(|n| (7_usize, 5_u32, n * u64::from(step))), 1024);
            assert!(filled > 550, "steps of {step}: {filled}");
        }
    }
}
