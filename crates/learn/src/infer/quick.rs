//! Maps whose keys are numbers of this crate.
//!
//! Inference counts symbols by the million, and the standard hash costs more than the counting. Its protection against chosen keys is not
//! needed here: symbols are numbers in the order of their appearance, which no page chooses freely. Nothing may depend on the order
//! of such a map.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// A map from numbers, or pairs of them.
pub(super) type QuickMap<K, V> = HashMap<K, V, BuildHasherDefault<Quick>>;

/// Mixes numbers by multiplication.
#[derive(Default)]
pub(super) struct Quick(u64);

/// The golden ratio in 64 bits: an odd number without a pattern.
const MIX: u64 = 0x9E37_79B9_7F4A_7C15;

impl Quick {
    fn mix(&mut self, number: u64) {
        self.0 = (self.0.rotate_left(23) ^ number).wrapping_mul(MIX);
    }
}

impl Hasher for Quick {
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.mix(u64::from(*byte)));
    }

    fn write_u32(&mut self, number: u32) {
        self.mix(u64::from(number));
    }

    fn write_u64(&mut self, number: u64) {
        self.mix(number);
    }

    fn write_usize(&mut self, number: usize) {
        self.mix(number as u64);
    }

    fn write_isize(&mut self, number: isize) {
        self.mix(number as u64);
    }

    fn finish(&self) -> u64 {
        // The high bits are mixed best, and maps take the low ones.
        self.0 ^ (self.0 >> 32)
    }
}
