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

/// The number of runs, of which the best counts: other programs may be using the machine.
const TIMES: usize = 15;

/// The time of the fastest run, in seconds.
fn best_of(mut work: impl FnMut()) -> f64 {
    let times = (0..TIMES).map(|_| {
        let start = Instant::now();
        work();
        start.elapsed().as_secs_f64()
    });
    times.fold(f64::INFINITY, f64::min)
}

pub(crate) fn run() {
    println!("## Growth\n\nMilliseconds to learn from one page, the best of {TIMES} runs.\n");
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
            let mut mark = "";
            let best = best_of(|| {
                let learned = learn::learn(class, 2, &examples, Prefer::Tags);
                mark = if learned.is_ok() { "" } else { " ×" };
            });
            format!("{:.2}{mark}", best * 1000.0)
        });
        println!("| {tuples} | {} | {} |", text.len(), cells.join(" | "));
    }
    println!(
        "\nAn LR wrapper, one core, beside counting one byte in the same page, the best of {TIMES} runs over 10 MB:\n"
    );
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
        let rounds = 10_000_000 / text.len() + 1;
        let mut found = 0;
        let apply = best_of(|| found = (0..rounds).map(|_| program.apply(&text).values.len()).sum::<usize>());
        let mut count = 0;
        let scan = best_of(|| {
            let bytes = |_| std::hint::black_box(&text).bytes().filter(|byte| *byte == 1).count();
            count = (0..rounds).map(bytes).sum::<usize>();
        });
        assert_eq!(count, 0, "no page has that byte");
        let speed = |seconds: f64| (rounds * text.len()) as f64 / seconds / 1e9;
        println!(
            "- {:.2} GB/s with {} bytes a tuple ({found} values), {:.2} of the {:.2} GB/s of counting",
            speed(apply),
            text.len() / tuples,
            scan / apply,
            speed(scan)
        );
    }
    println!();
}
