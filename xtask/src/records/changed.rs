//! Pages with known changes: what makes values hard to place and to delimit, on purpose.
//!
//! Each change knows what it does to the values, so the right answer stays known. Only tables are changed, and only values
//! that are plain text in the source.

use super::data::{Page, Set};
use wrapper::rule::Found;
use xtask::random::Random;

/// The names of the changes.
pub(crate) const CHANGES: [&str; 7] = ["spaces", "repeated", "beginnings", "titles", "first", "copies", "order"];

/// How many different values a field has on a page after `repeated`.
const DIFFERENT: usize = 3;

/// A set with a change; none if the change does nothing to it.
pub(crate) fn changed(set: &Set, change: &str, seed: u64) -> Option<Set> {
    if change == "order" {
        return sorted(set);
    }
    let mut random = Random::new(seed);
    // Some changes are made to one field.
    let chosen = random.below(set.attributes.len());
    let pages: Vec<(Page, bool)> = set
        .pages
        .iter()
        .map(|page| {
            let edits = edits(set, page, (change, chosen), &mut random);
            let any = !edits.is_empty();
            (apply(page, edits), any)
        })
        .collect();
    let any = pages.iter().any(|(_, any)| *any);
    any.then(|| Set {
        name: set.name.clone(),
        family: set.family.clone(),
        half: set.half.clone(),
        attributes: set.attributes.clone(),
        headers: set.headers,
        tree: set.tree,
        pages: pages.into_iter().map(|(page, _)| page).collect(),
        paper: None,
    })
}

/// A set whose attributes are given by name, and not in the order of the page.
fn sorted(set: &Set) -> Option<Set> {
    let mut order: Vec<usize> = (0..set.attributes.len()).collect();
    order.sort_by_key(|field| &set.attributes[*field]);
    if order.windows(2).all(|pair| pair[0] < pair[1]) {
        return None;
    }
    let new = |field: u32| order.iter().position(|old| *old == field as usize).unwrap_or(0) as u32;
    let pages = set.pages.iter().map(|page| Page {
        name: page.name.clone(),
        text: page.text.clone(),
        values: page
            .values
            .iter()
            .map(|value| Found {
                field: new(value.field),
                ..*value
            })
            .collect(),
        tuples: page
            .tuples
            .iter()
            .map(|tuple| order.iter().map(|old| tuple[*old].clone()).collect())
            .collect(),
        places: page
            .places
            .iter()
            .map(|places| order.iter().map(|old| places[*old]).collect())
            .collect(),
    });
    Some(Set {
        name: set.name.clone(),
        family: set.family.clone(),
        half: set.half.clone(),
        attributes: order.iter().map(|old| set.attributes[*old].clone()).collect(),
        headers: set.headers,
        tree: set.tree,
        pages: pages.collect(),
        paper: None,
    })
}

/// What is done to a value: text before and after it, and what it says instead.
struct Edit {
    tuple: usize,
    field: usize,
    before: String,
    after: String,
    /// The new value; `Some("")` deletes it.
    text: Option<String>,
}

impl Edit {
    fn new(tuple: usize, field: usize) -> Edit {
        Edit {
            tuple,
            field,
            before: String::new(),
            after: String::new(),
            text: None,
        }
    }
}

/// The range of a value, if it is plain text.
fn plain(page: &Page, tuple: usize, field: usize) -> Option<Found> {
    let start = page.places[tuple][field]?;
    let found = page
        .values
        .iter()
        .find(|value| (value.start, value.field) == (start, field as u32))?;
    let text = &page.text[found.range()];
    (!text.is_empty() && !text.contains(['<', '>', '"', '&'])).then_some(*found)
}

fn edits(set: &Set, page: &Page, (change, chosen): (&str, usize), random: &mut Random) -> Vec<Edit> {
    let mut edits = Vec::new();
    let fields = set.attributes.len();
    // A value in a text, and not in an attribute.
    let in_text = |tuple: usize, field: usize| {
        let found = plain(page, tuple, field)?;
        let before = &page.text[..found.start as usize];
        (before.rfind('>') > before.rfind('<')).then_some(found)
    };
    let text = |found: Found| page.text[found.range()].to_owned();
    for tuple in 0..page.tuples.len() {
        for field in 0..fields {
            let mut edit = Edit::new(tuple, field);
            match change {
                "spaces" => {
                    let Some(found) = in_text(tuple, field) else { continue };
                    if !page.text[found.end as usize..].starts_with('<') {
                        continue;
                    }
                    edit.after = (*random.pick(&["", " ", "&nbsp;", "\n  ", "&#160;", "&nbsp; "])).to_owned();
                }
                "repeated" => {
                    let Some(_) = in_text(tuple, field) else { continue };
                    let from = random.below(DIFFERENT).min(page.tuples.len() - 1);
                    let Some(other) = in_text(from, field) else { continue };
                    edit.text = Some(text(other));
                }
                "beginnings" => {
                    // A value is the beginning of the next one.
                    if field != chosen || field + 1 >= fields {
                        continue;
                    }
                    let (Some(_), Some(next)) = (in_text(tuple, field), in_text(tuple, field + 1)) else {
                        continue;
                    };
                    let next = text(next);
                    edit.text = Some(next.split_whitespace().next().unwrap_or(&next).to_owned());
                }
                "titles" => {
                    let Some(found) = in_text(tuple, field).filter(|_| field == chosen) else {
                        continue;
                    };
                    edit.before = format!("<span title=\"{}\">", text(found));
                    edit.after = "</span>".to_owned();
                }
                "first" => {
                    let cell = in_text(tuple, field).filter(|found| {
                        page.text[..found.start as usize].trim_end().ends_with('>')
                            && page.text[found.end as usize..].trim_start().starts_with('<')
                    });
                    if field != 0 || cell.is_none() || !random.chance(30) {
                        continue;
                    }
                    edit.text = Some(String::new());
                }
                _ => {
                    // The words of the page say the values of a record before it.
                    let Some(found) = in_text(tuple, field).filter(|_| field == chosen) else {
                        continue;
                    };
                    edit.before = format!("<i hidden>{}</i>", text(found));
                }
            }
            edits.push(edit);
        }
    }
    // A field that is never there is no field.
    if change == "first" && edits.len() >= page.tuples.len() {
        edits.pop();
    }
    edits
}

/// The page with some edits.
fn apply(page: &Page, mut edits: Vec<Edit>) -> Page {
    edits.retain(|edit| plain(page, edit.tuple, edit.field).is_some());
    edits.sort_by_key(|edit| page.places[edit.tuple][edit.field]);
    // Two tuples may share a value.
    edits.dedup_by_key(|edit| page.places[edit.tuple][edit.field]);
    let mut text = String::new();
    let mut at = 0;
    // Old positions from which on the text moved, and how far.
    let mut moves: Vec<(usize, i64)> = Vec::new();
    let mut ends: Vec<(u32, u32, usize)> = Vec::new();
    let mut tuples = page.tuples.clone();
    for edit in &edits {
        let Some(found) = plain(page, edit.tuple, edit.field) else {
            continue;
        };
        let range = found.range();
        text.push_str(&page.text[at..range.start]);
        text.push_str(&edit.before);
        moves.push((range.start, text.len() as i64 - range.start as i64));
        let value = edit.text.as_deref().unwrap_or(&page.text[range.clone()]);
        text.push_str(value);
        ends.push((found.start, found.field, value.len()));
        text.push_str(&edit.after);
        moves.push((range.end, text.len() as i64 - range.end as i64));
        at = range.end;
        if let Some(new) = &edit.text {
            for (tuple, places) in tuples.iter_mut().zip(&page.places) {
                if places[edit.field] == Some(found.start) {
                    tuple[edit.field] = Some(new.clone()).filter(|new| !new.is_empty());
                }
            }
        }
    }
    text.push_str(&page.text[at..]);
    let moved = |old: u32| -> u32 {
        let after = moves.partition_point(|(from, _)| *from <= old as usize);
        let shift = after.checked_sub(1).map_or(0, |last| moves[last].1);
        u32::try_from(i64::from(old) + shift).unwrap_or(old)
    };
    let values = page.values.iter().map(|value| {
        let start = moved(value.start);
        let edited = ends
            .iter()
            .find(|(at, field, _)| (*at, *field) == (value.start, value.field));
        let length = edited.map_or(value.end - value.start, |(.., length)| *length as u32);
        Found {
            field: value.field,
            start,
            end: start + length,
        }
    });
    let places = page.places.iter().zip(&tuples).map(|(places, tuple)| {
        let place = |(place, text): (&Option<u32>, &Option<String>)| place.filter(|_| text.is_some()).map(moved);
        places.iter().zip(tuple).map(place).collect()
    });
    Page {
        name: page.name.clone(),
        values: values.filter(|value| value.start < value.end).collect(),
        places: places.collect(),
        tuples,
        text,
    }
}
