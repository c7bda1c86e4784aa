//! What chores share with the benches: the sites of the SWDE benchmark, and random numbers from a seed.

pub mod random;
pub mod sites;
