//! Labels from recognizers that are made noisy on purpose: how often are the right ones recovered?
//!
//! The recognizers of a set are its labels with errors. One attribute, chosen at random, keeps a perfect recognizer.
//! Each of the others, at random, either misses values or finds extra ones. With noise p, a value is missed with
//! probability p; or a share p of what is found is not a value. A third of these extra finds are values of other
//! attributes, a third are runs of text between two tags, and a third are arbitrary pieces of the page of up to 20
//! bytes, all drawn at random. Attributes are passed in random order. A trial is right if all labels of all pages and
//! the order of the attributes are recovered exactly. There are ten trials for each set and noise.

use super::data::Set;
use crate::random::Random;
use learn::label::{Column, Mistakes, corroborate};
use learn::{Allow, DelimiterSettings};
use std::ops::Range;
use std::time::{Duration, Instant};
use wrapper::rule::Found;

const TRIALS: usize = 10;
const NOISES: [usize; 4] = [10, 20, 30, 40];

struct Pages<'a> {
    name: String,
    fields: usize,
    pages: Vec<(&'a str, &'a str, Vec<Found>)>,
}

pub(crate) fn run(sets: &[Set]) {
    println!("## Labels from noisy recognizers\n");
    println!(
        "Trials of {TRIALS} in which all labels and the order of attributes came back; one recognizer is perfect, the others \
         miss that share of the values, or that share of what they find is wrong.\n"
    );
    println!(
        "| pages | K | values | 10 % | 20 % | 30 % | 40 % | a trial, at most |\n|---|--:|--:|--:|--:|--:|--:|--:|"
    );
    let wien: Vec<Pages<'_>> = sets
        .iter()
        .filter(|set| set.name.starts_with("wien/"))
        .map(|set| Pages {
            name: set.name.clone(),
            fields: set.attributes.len(),
            pages: set
                .pages
                .iter()
                .map(|page| (page.name.as_str(), page.text.as_str(), page.values.clone()))
                .collect(),
        })
        .collect();
    let totals = table(&wien);
    let mut random = Random::new(7);
    let made: Vec<Vec<(String, Vec<Found>)>> = (0..20).map(|_| generated(&mut random)).collect();
    let made: Vec<Pages<'_>> = made
        .iter()
        .enumerate()
        .map(|(number, pages)| Pages {
            name: format!("generated {}", number + 1),
            fields: pages
                .iter()
                .flat_map(|(_, values)| values)
                .map(|v| v.field + 1)
                .max()
                .unwrap_or(1) as usize,
            pages: pages
                .iter()
                .map(|(text, values)| ("page", text.as_str(), values.clone()))
                .collect(),
        })
        .collect();
    let generated = table(&made);
    for (what, (right, count)) in [("the paper's sites", totals), ("generated pages", generated)] {
        let shares: Vec<String> = NOISES
            .iter()
            .zip(right)
            .map(|(noise, right)| {
                format!(
                    "{:.0} % at {noise} % noise",
                    100.0 * right as f64 / (count * TRIALS) as f64
                )
            })
            .collect();
        println!("\nRight labels on {what} ({count}): {}.", shares.join(", "));
    }
    println!();
}

/// Prints a row for each set; returns the number of right trials at each noise, and the number of sets.
fn table(sets: &[Pages<'_>]) -> ([usize; 4], usize) {
    let mut totals = [0; 4];
    for set in sets {
        let mut slowest = Duration::ZERO;
        let mut cells = Vec::new();
        for (at, noise) in NOISES.iter().enumerate() {
            let mut random = Random::new(1000 + *noise as u64);
            let right = (0..TRIALS)
                .filter(|_| {
                    let (columns, order) = noisy(set, *noise, &mut random);
                    let start = Instant::now();
                    let right = comes_back(set, &columns, &order);
                    slowest = slowest.max(start.elapsed());
                    right
                })
                .count();
            totals[at] += right;
            cells.push(right.to_string());
        }
        let values: usize = set.pages.iter().map(|(.., values)| values.len()).sum();
        println!(
            "| {} | {} | {values} | {} | {:.0} ms |",
            set.name,
            set.fields,
            cells.join(" | "),
            slowest.as_secs_f64() * 1000.0
        );
    }
    (totals, sets.len())
}

/// Recognizers for the attributes of a set, in random order, and that order.
fn noisy(set: &Pages<'_>, noise: usize, random: &mut Random) -> (Vec<Column>, Vec<usize>) {
    let mut order: Vec<usize> = (0..set.fields).collect();
    for at in (1..order.len()).rev() {
        order.swap(at, random.below(at + 1));
    }
    let perfect = random.below(set.fields);
    let columns = order.iter().enumerate().map(|(number, field)| {
        let mistakes = match random.below(2) {
            _ if number == perfect => Mistakes::None,
            0 => Mistakes::FalsePositives,
            _ => Mistakes::FalseNegatives,
        };
        let found = set.pages.iter().map(|(_, text, values)| {
            let own = values
                .iter()
                .filter(|value| value.field as usize == *field)
                .map(Found::range);
            let mut places: Vec<Range<usize>> = own.collect();
            match mistakes {
                Mistakes::None => {}
                Mistakes::FalseNegatives => places.retain(|_| random.below(100) >= noise),
                Mistakes::FalsePositives => {
                    let wrong = (places.len() * noise).div_ceil(100 - noise);
                    for _ in 0..wrong {
                        let clear = |place: &Range<usize>, other: &Range<usize>| {
                            other.end <= place.start || place.end <= other.start
                        };
                        let mut tries = (0..50).map(|_| piece(text, values, random));
                        places.extend(tries.find(|place| places.iter().all(|other| clear(place, other))));
                    }
                    places.sort_by_key(|place| place.start);
                }
            }
            places
        });
        Column {
            mistakes,
            found: found.collect(),
        }
    });
    (columns.collect(), order)
}

/// A random value, a run of text between tags, or any piece of up to 20 bytes.
fn piece(text: &str, values: &[Found], random: &mut Random) -> Range<usize> {
    let kind = random.below(3);
    if kind == 0 {
        return random.pick(values).range();
    }
    let mut at = random.below(text.len());
    if kind == 1
        && let Some(start) = text.as_bytes()[at..]
            .iter()
            .position(|byte| *byte == b'>')
            .map(|len| at + len + 1)
        && let Some(len) = text[start..].find('<')
        && !text[start..start + len].trim().is_empty()
    {
        let run = &text[start..start + len];
        let begin = start + run.len() - run.trim_start().len();
        return begin..begin + run.trim().len();
    }
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    let mut end = (at + 1 + random.below(20)).min(text.len());
    while !text.is_char_boundary(end) {
        end += 1;
    }
    at..end
}

fn comes_back(set: &Pages<'_>, columns: &[Column], order: &[usize]) -> bool {
    let pages: Vec<(&str, &str)> = set.pages.iter().map(|(name, text, _)| (*name, *text)).collect();
    let settings = DelimiterSettings {
        allow: Allow::ALL,
        ..DelimiterSettings::default()
    };
    let Ok(got) = corroborate(&pages, columns, &settings, &page::Job::new()) else {
        return false;
    };
    // The recognizer with number i belongs to the attribute order[i] of the set.
    let same_order = got.order.iter().enumerate().all(|(at, column)| order[*column] == at);
    same_order
        && got
            .labels
            .iter()
            .zip(&set.pages)
            .all(|(label, (.., values))| label == values)
}

/// Five pages of one generated site: a template of tags around two to six attributes, with a head and a tail that have
/// similar tags, and values of words or numbers.
fn generated(random: &mut Random) -> Vec<(String, Vec<Found>)> {
    const TAGS: [&str; 8] = ["td", "b", "i", "span", "div", "a href=\"x\"", "li", "font size=2"];
    let tag = |random: &mut Random| TAGS[random.below(TAGS.len())];
    let fields = 2 + random.below(5);
    let around: Vec<(String, String)> = (0..fields)
        .map(|field| {
            let open = tag(random);
            let label = if random.below(3) == 0 {
                format!("field{field}: ")
            } else {
                String::new()
            };
            let name = open.split(' ').next().unwrap_or(open);
            (format!("<{open}>{label}"), format!("</{name}>"))
        })
        .collect();
    let row = tag(random);
    let word = |random: &mut Random| -> String {
        match random.below(3) {
            0 => random.below(100_000).to_string(),
            _ => (0..3 + random.below(6))
                .map(|_| (b'a' + random.below(26) as u8) as char)
                .collect(),
        }
    };
    let filler = |random: &mut Random| -> String {
        (0..random.below(12))
            .map(|_| format!("<{}>{}</p> ", tag(random), word(random)))
            .collect()
    };
    (0..5)
        .map(|_| {
            let mut text = format!(
                "<html><head><title>{}</title></head><body>{}<hr>\n",
                word(random),
                filler(random)
            );
            let mut values = Vec::new();
            for _ in 0..3 + random.below(30) {
                text += &format!("<p class=r><{row}>");
                for (field, (left, right)) in around.iter().enumerate() {
                    text += &format!("<u>{field}</u>{left}");
                    let start = text.len() as u32;
                    let words: Vec<String> = (0..1 + random.below(3)).map(|_| word(random)).collect();
                    text += &words.join(" ");
                    values.push(Found {
                        field: field as u32,
                        start,
                        end: text.len() as u32,
                    });
                    text += right;
                }
                text += "</p>\n";
            }
            text += &format!("<hr>{}</body></html>", filler(random));
            (text, values)
        })
        .collect()
}
