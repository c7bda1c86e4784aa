//! `cargo xtask repeat`: runs the tests in a real browser many times, to see whether one of them fails occasionally.

use crate::Options;
use anyhow::Context;
use std::collections::BTreeMap;
use std::process::{Command, ExitCode};
use std::time::Instant;

/// Runs the chore; it fails if any repetition fails.
pub(crate) fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let count = options.number("times", 50)?;
    let only: Vec<&str> = options
        .text("only")
        .into_iter()
        .flat_map(|only| only.split(','))
        .collect();
    let mut failed: BTreeMap<String, usize> = BTreeMap::new();
    let (begin, mut bad, mut tests) = (Instant::now(), 0, 0);
    for round in 1..=count {
        let output = Command::new("cargo")
            .args([
                "test",
                "--package",
                "wrapwright",
                "--features",
                "chromium",
                "--test",
                "browser",
                "--",
            ])
            .args(&only)
            .output()
            .context("cannot run cargo")?;
        let said = String::from_utf8_lossy(&output.stdout);
        let names: Vec<&str> = said
            .lines()
            .filter_map(|line| line.strip_prefix("test ")?.strip_suffix(" ... FAILED"))
            .collect();
        let passed = said
            .lines()
            .filter(|line| line.starts_with("test ") && line.ends_with(" ... ok"))
            .count();
        if passed + names.len() == 0 {
            anyhow::bail!("the tests did not run:\n{}", String::from_utf8_lossy(&output.stderr));
        }
        tests += passed + names.len();
        if !output.status.success() {
            bad += 1;
            names
                .iter()
                .for_each(|name| *failed.entry((*name).to_owned()).or_default() += 1);
            said.lines()
                .filter(|line| line.contains("left:") || line.contains("right:"))
                .for_each(|line| println!("  {line}"));
        }
        println!(
            "round {round}: {passed} passed, {} failed {}",
            names.len(),
            names.join(" ")
        );
    }
    println!(
        "{count} rounds, {tests} tests, {} minutes: {bad} rounds with a failure",
        begin.elapsed().as_secs() / 60
    );
    for (name, times) in &failed {
        println!("  {name}: {times}");
    }
    Ok(if bad == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
