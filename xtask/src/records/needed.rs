//! How many pages are needed: Fig. 18 of the paper. 65 % of the pages may be learned from, the rest test the wrapper.
//! Pages are added one by one until all test pages are right; there are 30 random splits.

use super::data::Set;
use crate::random::Random;
use learn::{Example, Prefer, check_labels, gives};
use wrapper::rule::Class;

const SPLITS: usize = 30;

pub(crate) fn run(sets: &[Set]) {
    println!("## Pages needed until the others come out perfectly\n");
    println!(
        "Mean over {SPLITS} random splits, 65 % of the pages to learn from; × where the class has no wrapper; in brackets the"
    );
    println!("splits in which the test pages never came out perfectly, which do not count in the mean.\n");
    println!(
        "| set | pages | {} |\n|---|--:|{}",
        Class::ALL.map(Class::name).join(" | "),
        "--:|".repeat(6)
    );
    let mut random = Random::new(18);
    for set in sets.iter().filter(|set| set.name.starts_with("wien/")) {
        let examples = set.examples();
        let fields = set.attributes.len();
        let mut cells = Vec::new();
        for class in Class::ALL {
            if check_labels(fields, &examples).is_err() || learn::learn(class, fields, &examples, Prefer::Tags).is_err()
            {
                cells.push("×".to_owned());
                continue;
            }
            let (mut sum, mut good) = (0, 0);
            for _ in 0..SPLITS {
                let mut order: Vec<usize> = (0..examples.len()).collect();
                for at in (1..order.len()).rev() {
                    order.swap(at, random.below(at + 1));
                }
                let train = (examples.len() * 65 / 100).max(1);
                let pick =
                    |range: &[usize]| -> Vec<Example<'_>> { range.iter().map(|at| examples[*at].clone()).collect() };
                let test = pick(&order[train..]);
                let needed = (1..=train).find(|count| {
                    let shown = pick(&order[..*count]);
                    check_labels(fields, &shown).is_ok()
                        && learn::learn(class, fields, &shown, Prefer::Tags)
                            .is_ok_and(|rule| test.iter().all(|example| gives(&rule, example)))
                });
                if let Some(needed) = needed {
                    sum += needed;
                    good += 1;
                }
            }
            let never = if good < SPLITS {
                format!(" ({})", SPLITS - good)
            } else {
                String::new()
            };
            cells.push(if good > 0 {
                format!("{:.1}{never}", sum as f64 / good as f64)
            } else {
                format!("–{never}")
            });
        }
        println!("| {} | {} | {} |", set.name, set.pages.len(), cells.join(" | "));
    }
    println!();
}
