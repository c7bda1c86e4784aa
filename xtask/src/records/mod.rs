//! `cargo xtask records`: the delimiter learners on page sets with known tuples.
//!
//! Prints markdown: which class has a wrapper for which set, next to what the paper and the notes of the data say; how
//! long that took; and how many pages are needed until the others come out right; then what comes of noisy recognizers.
//! `--part values` lets the program itself learn from values, as a person would write them.

pub(crate) mod changed;
mod corroborate;
pub(crate) mod data;
mod growth;
mod needed;
mod unseen;
mod verdicts;

use crate::Options;
use std::path::Path;
use std::process::ExitCode;

/// Runs the chore.
pub(crate) fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let dir = options.text("data").unwrap_or("../shared/bench/records");
    let sets = data::load(Path::new(dir))?;
    let part = options.text("part");
    let wanted = |name: &str| part.is_none_or(|part| part == name);
    if wanted("verdicts") {
        verdicts::run(&sets, &Path::new(dir).join("FACTS.tsv"))?;
    }
    if wanted("pages") {
        needed::run(&sets);
    }
    if wanted("growth") {
        growth::run();
    }
    if part == Some("values") {
        return unseen::run(&sets, options);
    }
    if wanted("corroborate") {
        corroborate::run(&sets);
    }
    Ok(ExitCode::SUCCESS)
}
