//! The lists of a template as paths.
//!
//! A template reads a page from left to right, by what it expects next; no path does that. But a list that is read by its rows has a
//! place, and its cells have places in the row: these are paths. So the lists are translated, and what is outside of them is lost. In a
//! row, a cell is the n-th element here; the template also recognizes it by its class and by what it says, so rows that lack a cell
//! are read in part by the template and not by the paths.

use super::rows::{RowCell, Rows};
use super::{Part, Template};
use crate::rule::paths::Way;
use crate::rule::translate::{Gathered, LONGEST, Translation, attribute, literal};
use record::RecordType;

const OUTSIDE: &str = "it is not a cell of a list, and only the template as a whole says where it is";
const WHOLE: &str = "it is the text of several cells together";
const HEADING: &str = "it is a heading of several rows";
const RUN: &str = "the rows of the list are no elements of their own";
const SHARED: &str = "its text is one of several in an element";

/// The lists of a template as paths to the fields of a record type; `None` if nothing of it can be said so.
pub fn to_paths(template: &Template, record_type: &RecordType) -> Option<Translation> {
    let mut gathered = Gathered::default();
    for part in &template.parts {
        for field in part.fields() {
            gathered.lose(vec![template.fields[field as usize].clone()], OUTSIDE);
        }
    }
    for rows in &template.rows {
        let name = match rows.backs {
            Some(set) => match template.parts.get(set as usize) {
                Some(Part::Set { name, .. }) => name,
                _ => continue,
            },
            None => &rows.name,
        };
        list(template, rows, name, &mut gathered);
    }
    let mut translation = gathered.finish(record_type)?;
    translation
        .lost
        .push("cells are counted, so rows that lack one are not read as the template reads them".to_owned());
    Some(translation)
}

fn list(template: &Template, rows: &Rows, name: &str, gathered: &mut Gathered) {
    let list: Vec<String> = match name {
        "" => Vec::new(),
        name => vec![name.to_owned()],
    };
    let field = |number: u32| -> Vec<String> {
        let own = template.fields[number as usize].clone();
        list.iter().cloned().chain([own]).collect()
    };
    for whole in &rows.wholes {
        gathered.lose(field(whole.field), WHOLE);
    }
    if let Some(heading) = &rows.heading {
        gathered.lose(field(heading.field), HEADING);
    }
    let Some(path) = each(rows).filter(|path| path.len() <= LONGEST) else {
        return gathered.lose(list, RUN);
    };
    // The values of a list that is no record belong to the record of the page.
    let from = match list.is_empty() {
        true => format!(".{path}/"),
        false => {
            gathered.add_list(list.clone(), path);
            String::new()
        }
    };
    for (number, cell) in rows.cells.iter().enumerate() {
        let Some(steps) = steps(cell) else { continue };
        let element = |count: usize| match (&from[..], &steps[..count]) {
            ("", []) => ".".to_owned(),
            (from, []) => from.trim_end_matches('/').to_owned(),
            (from, steps) => from.to_owned() + &steps.join("/"),
        };
        let own = element(steps.len());
        for (name, attribute, number) in &cell.attributes {
            let names: Vec<&str> = cell.path.split('/').map(plain).collect();
            let path = match names.iter().rposition(|step| step == name) {
                Some(at) if at < steps.len() => format!("{}/@{attribute}", element(at + 1)),
                _ => format!("{own}//{name}/@{attribute}"),
            };
            gathered.add(field(*number), 0, whole(path));
        }
        let others = rows.cells.iter().enumerate().filter(|(other, _)| *other != number);
        // A cell whose element has other texts, too, is only that text; of one that is cut, it is a piece.
        let is_cut = rows.cuts.iter().any(|cut| cut.path == cell.path);
        let is_alone = !is_cut && others.clone().all(|(_, other)| !is_below(other, cell));
        let fields = cell.field.iter().copied();
        let split = cell.split.iter().flat_map(|split| split.fields.iter().copied());
        if !is_alone {
            for number in fields.chain(split) {
                gathered.lose(field(number), SHARED);
            }
            continue;
        }
        if let Some(number) = cell.field {
            gathered.add(field(number), 0, whole(own.clone()));
        }
        if let Some(split) = &cell.split {
            for (at, number) in split.fields.iter().enumerate() {
                let before = split.separators.get(at).unwrap_or(&split.after);
                let (skips, after) = match at.checked_sub(1) {
                    Some(last) => (split.separators[..last].to_vec(), split.separators[last].clone()),
                    None => (Vec::new(), split.before.clone()),
                };
                let way = Way {
                    path: own.clone(),
                    skips,
                    after,
                    before: before.clone(),
                    ..Way::default()
                };
                gathered.add(field(*number), 0, way);
            }
        }
    }
}

fn whole(path: String) -> Way {
    Way { path, ..Way::default() }
}

/// The path to the rows, from the document.
fn each(rows: &Rows) -> Option<String> {
    if rows.run {
        return None;
    }
    let mut steps: Vec<String> = rows.path.iter().skip_while(|name| *name == "html").cloned().collect();
    if let (Some((name, value)), Some(last)) = (&rows.role, steps.last_mut()) {
        let said = match name.as_str() {
            "class" => format!("@class = {}", literal(value)?),
            name => attribute(name, Some(value))?,
        };
        *last += &format!("[{said}]");
    }
    // What lacks the first of the usual cells is a heading or an advert.
    let usual = rows.cells.iter().find(|cell| cell.usual && !cell.path.is_empty());
    let is_row = usual.and_then(steps_of).map(|path| format!("[{path}]"));
    Some(format!(
        "//{}/{}{}",
        steps.join("/"),
        rows.row,
        is_row.unwrap_or_default()
    ))
}

fn steps_of(cell: &RowCell) -> Option<String> {
    steps(cell).map(|steps| steps.join("/"))
}

/// The name of an element without the number of columns that it spans.
fn plain(step: &str) -> &str {
    step.split('*').next().unwrap_or(step)
}

/// The steps from a row to the element around a cell's text.
fn steps(cell: &RowCell) -> Option<Vec<String>> {
    if cell.path.is_empty() {
        return Some(Vec::new());
    }
    let names: Vec<&str> = cell.path.split('/').collect();
    let steps = names.iter().enumerate().map(|(at, name)| {
        let nth = cell.place.get(at)?;
        let counted = match plain(name) {
            "td" | "th" => "*",
            // These have no number.
            _ => "*[not(self::br or self::script or self::style)]",
        };
        Some(format!("{counted}[{nth}][self::{}]", plain(name)))
    });
    steps.collect()
}

/// Is the text of a cell in the element of another one?
fn is_below(cell: &RowCell, other: &RowCell) -> bool {
    cell.place.starts_with(&other.place)
        && (cell.path == other.path || other.path.is_empty() || cell.path.starts_with(&format!("{}/", other.path)))
}
