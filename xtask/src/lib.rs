//! What chores share with the benches: the sites of the SWDE benchmark, and randomness that follows from a seed.

pub mod random;
pub mod sites;
