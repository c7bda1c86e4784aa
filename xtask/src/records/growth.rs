//! How time grows with pages up to 1 MB and 1,000 tuples, and how fast an LR wrapper reads.

use learn::{Example, Prefer};
use std::time::Instant;
use wrapper::rule::{Class, Found, Program};

/// A page of `tuples` rows with `filler` bytes of other text in each.
fn page(tuples: usize, filler: usize) -> (String, Vec<Found>) {
    let (mut text, mut values) = ("<html><body><h1>List</h1><table>\n".to_owned(), Vec::new());
    for tuple in 0..tuples {
        text += "<tr class=\"row\"><td class=\"name\">";
        for (field, value) in [format!("name {tuple}"), format!("{}", tuple * 7)]
            .into_iter()
            .enumerate()
        {
            if field > 0 {
                text += "</td><td class=\"code\">";
            }
            let start = text.len() as u32;
            text += &value;
            values.push(Found {
                field: field as u32,
                start,
                end: text.len() as u32,
            });
        }
        text += "</td><td>";
        text += &"filler text, ".repeat(filler / 13);
        text += "</td></tr>\n";
    }
    text += "</table><hr></body></html>";
    (text, values)
}

pub(crate) fn run() {
    println!("## Growth\n\nMilliseconds to learn from one page.\n");
    println!(
        "| tuples | bytes | {} |\n|--:|--:|{}",
        Class::ALL.map(Class::name).join(" | "),
        "--:|".repeat(6)
    );
    for (tuples, filler) in [(10, 100), (100, 100), (1000, 100), (1000, 900), (10, 100_000)] {
        let (text, values) = page(tuples, filler);
        let examples = [Example {
            name: "page",
            text: &text,
            values,
        }];
        let cells = Class::ALL.map(|class| {
            let start = Instant::now();
            let learned = learn::learn(class, 2, &examples, Prefer::Tags);
            let mark = if learned.is_ok() { "" } else { " ×" };
            format!("{:.2}{mark}", start.elapsed().as_secs_f64() * 1000.0)
        });
        println!("| {tuples} | {} | {} |", text.len(), cells.join(" | "));
    }
    println!("\nAn LR wrapper over 100 MB, one core:\n");
    for (tuples, filler) in [(1000, 100), (1000, 900), (10, 100_000)] {
        let (text, values) = page(tuples, filler);
        let examples = [Example {
            name: "page",
            text: &text,
            values,
        }];
        let Ok(rule) = learn::learn(Class::Lr, 2, &examples, Prefer::Tags) else {
            continue;
        };
        let Ok(program) = Program::new(&rule) else { continue };
        let rounds = 100_000_000 / text.len() + 1;
        let start = Instant::now();
        let found: usize = (0..rounds).map(|_| program.apply(&text).values.len()).sum();
        let seconds = start.elapsed().as_secs_f64();
        let speed = (rounds * text.len()) as f64 / seconds / 1e9;
        println!(
            "- {speed:.2} GB/s with {} bytes a tuple ({found} values)",
            text.len() / tuples
        );
    }
    println!();
}
