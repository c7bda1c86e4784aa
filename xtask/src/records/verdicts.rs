//! Which classes have a wrapper for which set: Fig. 15 of the paper, and the same for all sets.

use super::data::Set;
use anyhow::Context;
use learn::{Cause, Prefer};
use std::path::Path;
use std::time::{Duration, Instant};
use wrapper::rule::Class;

pub(crate) fn run(sets: &[Set], facts: &Path) -> anyhow::Result<()> {
    let facts = std::fs::read_to_string(facts).with_context(|| format!("cannot read {}", facts.display()))?;
    println!("## Which class has a wrapper for which set\n");
    println!(
        "✓ a wrapper, × none, ? undecided; in brackets what the paper's Fig. 15 or the data's notes say, where they differ.\n"
    );
    println!(
        "| set | K | {} | why not LR |",
        Class::ALL.map(|class| class.name()).join(" | ")
    );
    println!("|---|--:|{}---|", ":-:|".repeat(6));
    let mut times = vec![Vec::new(); 6];
    for set in sets {
        let examples = set.examples();
        let mut cells = Vec::new();
        let mut why = String::new();
        for (number, class) in Class::ALL.into_iter().enumerate() {
            let mut best = Duration::MAX;
            let mut verdict = Err(None);
            for _ in 0..3 {
                let start = Instant::now();
                let learned = learn::check_labels(set.attributes.len(), &examples)
                    .map_err(|_| None)
                    .and_then(|()| learn::learn(class, set.attributes.len(), &examples, Prefer::Tags).map_err(Some));
                best = best.min(start.elapsed());
                verdict = learned;
            }
            times[number].push((best, set.name.clone()));
            let mark = match &verdict {
                Ok(_) => "✓",
                Err(Some(reason)) if reason.cause == Cause::Undecided => "?",
                Err(_) => "×",
            };
            if class == Class::Lr
                && let Err(Some(reason)) = &verdict
            {
                let pages: Vec<&str> = Vec::new();
                why = reason
                    .describe(&set.attributes, &pages)
                    .replace('|', "\\|")
                    .replace('\n', " ");
            }
            let known = match &set.paper {
                Some(paper) => paper[class.name()].as_bool(),
                None => fact(&facts, &set.name, class),
            };
            let known = known.map(|known| if known { "✓" } else { "×" });
            let differs = known
                .filter(|known| *known != mark)
                .map(|known| format!(" ({known})"))
                .unwrap_or_default();
            cells.push(format!("{mark}{differs}"));
        }
        println!(
            "| {} | {} | {} | {} |",
            set.name,
            set.attributes.len(),
            cells.join(" | "),
            why.chars().take(110).collect::<String>()
        );
    }
    println!("\n## Time\n\nThe best of three, milliseconds, all pages of a set at once.\n");
    println!("| class | median | most | where |\n|---|--:|--:|---|");
    for (class, mut times) in Class::ALL.into_iter().zip(times) {
        times.sort();
        let ms = |time: &Duration| format!("{:.2}", time.as_secs_f64() * 1000.0);
        if let (Some(median), Some(most)) = (times.get(times.len() / 2), times.last()) {
            println!("| {class} | {} | {} | {} |", ms(&median.0), ms(&most.0), most.1);
        }
    }
    println!();
    Ok(())
}

fn fact(facts: &str, set: &str, class: Class) -> Option<bool> {
    let mut lines = facts.lines();
    let column = lines.next()?.split('\t').position(|name| name == class.name())?;
    let line = lines.find(|line| line.split('\t').next() == Some(set))?;
    Some(line.split('\t').nth(column)?.starts_with("yes"))
}
