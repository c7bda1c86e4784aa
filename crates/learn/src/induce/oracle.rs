//! The slow and obvious learner that the fast one is tested against: it tries all strings, one after the other.
//!
//! Every delimiter may be any substring of a page (and `h` and `c` may be empty): other strings are found on no page.
//! The wrapper is run as it is. It is correct if it gives every label, ends regularly, and no delimiter it used reached
//! into a value. The procedures are implemented again here, from the paper, on plain string search. To keep eight
//! delimiters feasible, right delimiters and, in the tabular classes, left ones from the second on are first tried
//! alone. This is sound because only one string is searched for at a time there.

use crate::example::Example;
use wrapper::rule::Class;

pub(crate) type Label = Vec<(usize, usize, usize)>;

pub(crate) struct Vector<'a> {
    pub(crate) head: &'a str,
    pub(crate) tail: &'a str,
    pub(crate) open: &'a str,
    pub(crate) close: &'a str,
    pub(crate) left: Vec<&'a str>,
    pub(crate) right: Vec<&'a str>,
}

fn find(text: &str, from: usize, part: &str) -> Option<usize> {
    text[from..].find(part).map(|at| from + at)
}

/// The label of a page, if the run is regular and no delimiter reaches into a value.
pub(crate) fn run(class: Class, vector: &Vector<'_>, text: &str) -> Option<Label> {
    let mut label = Label::new();
    let mut used = Vec::new();
    let count = vector.left.len();
    let mut at = 0;
    if class.has_head() {
        at = find(text, 0, vector.head)?;
        used.push((at, vector.head.len()));
    }
    let mut behind = at;
    let mut state = 0;
    let stops = |from: usize, rival: usize| {
        class.has_head() && find(text, from, vector.tail).is_some_and(|start| start <= rival)
    };
    loop {
        let candidates: Vec<usize> = match class.is_nested() {
            true => (0..count.min(state + 1)).collect(),
            false => vec![state % count],
        };
        let fresh = !class.is_nested() && state % count == 0;
        if fresh && class.has_open() {
            match find(text, at, vector.open) {
                Some(start) if !stops(at, start) => {
                    at = start;
                    used.push((at, vector.open.len()));
                }
                _ => break,
            }
        }
        let mut best: Option<(usize, usize)> = None;
        for field in candidates {
            let better = |start: usize, (so_far, other): (usize, usize)| {
                start < so_far || (start == so_far && vector.left[field].len() > vector.left[other].len())
            };
            if let Some(start) = find(text, at, vector.left[field])
                && best.is_none_or(|best| better(start, best))
            {
                best = Some((start, field));
            }
        }
        let watched = class.is_nested() || (fresh && !class.has_open());
        let Some((start, field)) = best.filter(|(start, _)| !(watched && stops(at, *start))) else {
            if watched {
                break;
            }
            return None;
        };
        let begin = start + vector.left[field].len();
        let end = find(text, begin, vector.right[field])?;
        used.push((end, vector.right[field].len()));
        label.push((field, begin, end));
        (at, behind, state) = (end, end, field + 1);
        if !class.is_nested() && state == count && class.has_open() {
            at = find(text, at, vector.close)?;
            used.push((at, vector.close.len()));
        }
    }
    if class.has_head() {
        find(text, behind, vector.tail)?;
    }
    let inside = |(start, len): &(usize, usize)| label.iter().any(|(_, b, e)| *start < *e && start + len > *b);
    (!used.iter().any(inside)).then_some(label)
}

fn substrings(text: &str, empty: bool) -> Vec<&str> {
    let mut all: Vec<&str> = Vec::new();
    for start in 0..text.len() {
        for end in start + 1..=text.len() {
            all.push(&text[start..end]);
        }
    }
    all.sort_unstable();
    all.dedup();
    if empty {
        all.push("");
    }
    all
}

pub(crate) fn label_of(example: &Example<'_>) -> Label {
    example
        .values
        .iter()
        .map(|value| (value.field as usize, value.start as usize, value.end as usize))
        .collect()
}

/// Is there a wrapper of the class?
pub(crate) fn exists(class: Class, fields: usize, examples: &[Example<'_>]) -> bool {
    let labels: Vec<Label> = examples.iter().map(label_of).collect();
    let mut every: Vec<&str> = examples
        .iter()
        .flat_map(|example| substrings(example.text, false))
        .collect();
    every.sort_unstable();
    every.dedup();
    // Right delimiters: first found from the beginning of each value at its end, before the next value begins.
    let mut right = Vec::new();
    for field in 0..fields {
        let good = |part: &&&str| {
            examples.iter().zip(&labels).all(|(example, label)| {
                label
                    .iter()
                    .enumerate()
                    .filter(|(_, (k, ..))| *k == field)
                    .all(|(number, (_, b, e))| {
                        let next = label.get(number + 1).map_or(example.text.len(), |next| next.1);
                        find(example.text, *b, part) == Some(*e) && e + part.len() <= next
                    })
            })
        };
        match every.iter().find(good) {
            Some(part) => right.push(*part),
            None => return false,
        }
    }
    // What may precede the values at all.
    let mut left: Vec<Vec<&str>> = Vec::new();
    for field in 0..fields {
        let good = |part: &&str| {
            examples.iter().zip(&labels).all(|(example, label)| {
                let mut before = 0;
                label.iter().all(|(k, b, e)| {
                    let gap = &example.text[before..*b];
                    before = *e;
                    *k != field
                        || (gap.ends_with(part)
                            && (class.is_nested() || field == 0 || gap.find(part) == Some(gap.len() - part.len())))
                })
            })
        };
        let some: Vec<&str> = every.iter().copied().filter(good).collect();
        // In a table all valid ones are equally good, except for the first field.
        left.push(if class.is_nested() || field == 0 {
            some
        } else {
            some.into_iter().take(1).collect()
        });
    }
    let optional = |wanted: bool, empty: bool, part: fn(&Example<'_>) -> (usize, usize)| -> Vec<&str> {
        if !wanted {
            return vec![""];
        }
        let (start, end) = part(&examples[0]);
        substrings(&examples[0].text[start..end], empty)
    };
    let first = |example: &Example<'_>| (0, example.values[0].start as usize);
    let last = |example: &Example<'_>| {
        (
            example.values[example.values.len() - 1].end as usize,
            example.text.len(),
        )
    };
    let heads = optional(class.has_head(), true, first);
    let tails = optional(class.has_head(), false, last);
    let opens = optional(class.has_open(), false, first);
    let closes = optional(class.has_open(), true, last);
    let mut choice = vec![0; fields];
    if left.iter().any(Vec::is_empty) {
        return false;
    }
    loop {
        let chosen: Vec<&str> = choice.iter().zip(&left).map(|(at, parts)| parts[*at]).collect();
        for &head in &heads {
            for &tail in &tails {
                for &open in &opens {
                    for &close in &closes {
                        let vector = Vector {
                            head,
                            tail,
                            open,
                            close,
                            left: chosen.clone(),
                            right: right.clone(),
                        };
                        let right = examples
                            .iter()
                            .zip(&labels)
                            .all(|(example, label)| run(class, &vector, example.text).as_ref() == Some(label));
                        if right {
                            return true;
                        }
                    }
                }
            }
        }
        let Some(place) = (0..fields).find(|field| choice[*field] + 1 < left[*field].len()) else {
            return false;
        };
        choice[place] += 1;
        choice[..place].fill(0);
    }
}
