//! Names of a template's fields.
//!
//! The label of a field is the template's own words before it, the last ones in the string; in a table whose row has no words
//! of its own, the heading of the column. The rest is as for landmarks, see [`crate::naming`].

use crate::infer::columns;
use crate::infer::names::items_name;
use crate::naming::{LONGEST, Naming, Unnamed, Used, label_name};
use page::{NodeId, Page};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use wrapper::rule::Event;
use wrapper::rule::template::{Mark, Part, PartId, Rows, Run, Template, What, labels_of};

/// The number of pages that are searched for names of fields without a label.
const PAGES: usize = 20;
/// How many values of a field are looked at on each page.
const EACH: usize = 6;

/// Gives the fields and sets of a template their names.
pub(crate) fn name_fields(pages: &[&Page], template: &mut Template) {
    let pages = &pages[..pages.len().min(PAGES)];
    let mut labels: Vec<Option<String>> = vec![None; template.fields.len()];
    let mut attributes = vec![false; template.fields.len()];
    label(template, 0, None, &mut labels, &mut attributes);
    for rows in template.own_rows() {
        for (cell, label) in rows.cells.iter().zip(labels_of(&rows.cells)) {
            // Of a text whose ends are cut off, the rest is the value.
            let rest = cell.split.as_ref().filter(|split| split.fields.len() == 1);
            let field = cell.field.or_else(|| rest.map(|rest| rest.fields[0]));
            if let (Some(field), Some(label)) = (field, label) {
                labels[field as usize] = Some(label.to_owned());
            }
        }
    }
    for cell in template.own_rows().flat_map(|rows| &rows.cells) {
        cell.attributes
            .iter()
            .for_each(|(_, _, field)| attributes[*field as usize] = true);
    }
    let run = Run::new(template);
    let mut places: Vec<Vec<(usize, NodeId)>> = vec![Vec::new(); template.fields.len()];
    for (number, page) in pages.iter().enumerate() {
        let mut here: BTreeMap<u32, usize> = BTreeMap::new();
        for event in run.page(page).0 {
            if let Event::Value { field, node, .. } = event {
                let times = here.entry(field).or_default();
                *times += 1;
                if *times <= EACH {
                    places[field as usize].push((number, node));
                }
            }
        }
    }
    let lists: BTreeSet<u32> = template.own_rows().flat_map(Rows::fields).collect();
    let records = records(template);
    let mut unnamed = Vec::new();
    for (field, places) in places.into_iter().enumerate() {
        let label = labels[field].take();
        // The first rows of a list are not headings of the others, and a heading names the text of a cell, not its link.
        let listed = lists.contains(&(field as u32));
        let heading = match listed && attributes[field] {
            true => None,
            false => heading(pages, &places, true).or_else(|| heading(pages, &places, false).filter(|_| !listed)),
        };
        unnamed.push(Unnamed {
            label: heading.or(label),
            places,
            record: records.fields[field],
            may_be_main: !attributes[field],
        });
    }
    let mut used: HashMap<usize, Used> = HashMap::new();
    let names = Naming::new(pages).names(&unnamed);
    for (field, name) in names.into_iter().enumerate() {
        template.fields[field] = used.entry(records.fields[field]).or_default().fresh(name);
    }
    // Records are named after their first field.
    let mut firsts: Vec<Option<u32>> = vec![None; template.parts.len()];
    for at in (0..template.parts.len()).rev() {
        let below = template.parts[at]
            .parts()
            .into_iter()
            .filter_map(|part| firsts[part as usize]);
        firsts[at] = template.parts[at].fields().into_iter().chain(below).min();
    }
    for (at, (part, first)) in template.parts.iter_mut().zip(&firsts).enumerate() {
        if let (Part::Set { name, .. }, Some(first)) = (part, first)
            && !name.is_empty()
        {
            let base = items_name(&template.fields[*first as usize]);
            *name = used.entry(records.parts[at]).or_default().fresh(base);
        }
    }
    for rows in template.rows.iter_mut().filter(|rows| rows.backs.is_none()) {
        if let Some(first) = rows.fields().into_iter().min() {
            let base = items_name(&template.fields[first as usize]);
            rows.name = used.entry(0).or_default().fresh(base);
        }
    }
}

/// The heading of the column of most places, if it is the same for all of them; with `marked`, only from cells for headings.
fn heading(pages: &[&Page], places: &[(usize, NodeId)], marked: bool) -> Option<String> {
    let mut votes: BTreeMap<&str, usize> = BTreeMap::new();
    for (number, node) in places {
        let page = pages[*number];
        let is_heading = |text: &NodeId| !marked || page.ancestors(*text).take(3).any(|above| page.name(above) == "th");
        let mut texts = columns::headings(page, *node)
            .into_iter()
            .filter(is_heading)
            .map(|text| page.string_value(text).trim());
        if let Some(text) = texts.find(|text| label_name(text).is_some()) {
            *votes.entry(text).or_default() += 1;
        }
    }
    let (text, times) = votes.into_iter().max_by_key(|(_, times)| *times)?;
    (times * 2 > places.len()).then(|| text.to_owned())
}

/// The records that the parts and fields of a template belong to: 0 for that of the page, else a number for each set of records.
struct Records {
    parts: Vec<usize>,
    fields: Vec<usize>,
}

fn records(template: &Template) -> Records {
    let mut of = Records {
        parts: vec![0; template.parts.len()],
        fields: vec![0; template.fields.len()],
    };
    let mut open: Vec<PartId> = vec![0];
    while let Some(at) = open.pop() {
        let part = &template.parts[at as usize];
        let inside = match part {
            Part::Set { name, .. } if !name.is_empty() => at as usize + 1,
            _ => of.parts[at as usize],
        };
        for field in part.fields() {
            of.fields[field as usize] = inside;
        }
        for child in part.parts() {
            of.parts[child as usize] = inside;
            open.push(child);
        }
    }
    for (number, rows) in template.own_rows().enumerate() {
        for field in rows.fields() {
            of.fields[field as usize] = template.parts.len() + 1 + number;
        }
    }
    of
}

/// Names the fields below a part; `before` is the label in front of it.
fn label(
    template: &Template,
    part: PartId,
    before: Option<&str>,
    labels: &mut [Option<String>],
    attributes: &mut [bool],
) {
    match &template.parts[part as usize] {
        Part::Basic(Some(field)) => labels[*field as usize] = before.map(str::to_owned),
        Part::Mixed { rest, whole, .. } => {
            for field in whole.iter().chain(rest) {
                labels[*field as usize] = before.map(str::to_owned);
            }
        }
        _ => {}
    }
    let Part::Tuple { strings, parts, .. } = &template.parts[part as usize] else {
        // Words before a list of records are no label of the first field of each.
        let is_list = matches!(&template.parts[part as usize], Part::Set { name, .. } if !name.is_empty());
        let before = before.filter(|_| !is_list);
        for child in template.parts[part as usize].parts() {
            label(template, child, before, labels, attributes);
        }
        return;
    };
    for (number, string) in strings.iter().enumerate() {
        for (at, mark) in string.iter().enumerate() {
            for (name, field) in &mark.attributes {
                attributes[*field as usize] = true;
                let what = match name.as_str() {
                    "href" => "link",
                    "src" | "data-src" => "image",
                    name => name,
                };
                if let Some(said) = last_words(&string[..at]) {
                    labels[*field as usize] = Some(format!("{said} {what}"));
                }
            }
        }
        if let Some(child) = parts.get(number) {
            let said = last_words(string);
            let said = said.as_deref().or(before.filter(|_| number == 0));
            label(template, *child, said, labels, attributes);
        }
    }
}

/// The last run of words of a string, if it may be a label.
fn last_words(string: &[Mark]) -> Option<String> {
    let mut words: Vec<&str> = Vec::new();
    let mut path = None;
    for mark in string.iter().rev() {
        match &mark.what {
            What::Word(word) if path.is_none_or(|path| path == mark.path) => {
                path = Some(mark.path);
                words.push(word);
            }
            _ if path.is_some() => break,
            _ => {}
        }
    }
    words.reverse();
    let text = words.join(" ");
    (text.chars().count() <= LONGEST && label_name(&text).is_some()).then_some(text)
}
