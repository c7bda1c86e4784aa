//! Names of a template's fields.
//!
//! A field is named after the template's own words before it, the last ones in the string; else after what is around
//! its first value on the pages, as for landmarks; else after its tag and attribute, or by its number.

use crate::infer::columns::headings;
use crate::infer::names::{LONGEST, Used, name_around, slug};
use page::{Kind, NodeId, Page};
use std::collections::{BTreeMap, BTreeSet};
use wrapper::rule::Event;
use wrapper::rule::template::{Mark, Part, PartId, Rows, Run, Template, What};

/// The number of pages that are searched for names of fields without a label.
const PAGES: usize = 20;

/// Gives the fields and sets of a template their names.
pub(crate) fn name_fields(pages: &[&Page], template: &mut Template) {
    let mut labels: Vec<Option<String>> = vec![None; template.fields.len()];
    let mut plain: Vec<Option<String>> = vec![None; template.fields.len()];
    label(template, 0, None, &mut labels, &mut plain);
    let run = Run::new(template);
    // In lists that are read by their rows, a column's heading names its field.
    let lists: BTreeSet<u32> = template.own_rows().flat_map(Rows::fields).collect();
    let mut votes: Vec<BTreeMap<String, usize>> = vec![BTreeMap::new(); template.fields.len()];
    for page in pages.iter().take(PAGES) {
        let mut first: BTreeMap<u32, NodeId> = BTreeMap::new();
        for event in run.page(page).0 {
            if let Event::Value { field, node, .. } = event {
                first.entry(field).or_insert(node);
            }
        }
        for (field, node) in first {
            let heading = lists.contains(&field).then(|| heading(page, node)).flatten();
            if let Some(name) = heading.or_else(|| name_around(page, node)) {
                *votes[field as usize].entry(name).or_default() += 1;
            }
        }
    }
    let mut used = Used::default();
    // The columns of lists choose first.
    let mut order: Vec<(usize, BTreeMap<String, usize>)> = votes.into_iter().enumerate().collect();
    order.sort_by_key(|(field, _)| !lists.contains(&(*field as u32)));
    for (field, votes) in order {
        let voted = votes
            .into_iter()
            .max_by_key(|(name, times)| (*times, std::cmp::Reverse(name.clone())));
        let name = labels[field]
            .take()
            .or(voted.map(|(name, _)| name))
            .or(plain[field].take());
        template.fields[field] = used.fresh(name.unwrap_or_else(|| format!("field_{}", field + 1)));
    }
    // Records are named after their first field.
    let mut firsts: Vec<Option<u32>> = vec![None; template.parts.len()];
    for at in (0..template.parts.len()).rev() {
        let below = template.parts[at]
            .parts()
            .into_iter()
            .filter_map(|part| firsts[part as usize]);
        firsts[at] = template.parts[at].fields().into_iter().chain(below).min();
        if let (Part::Set { name, .. }, Some(first)) = (&mut template.parts[at], firsts[at])
            && !name.is_empty()
        {
            *name = used.fresh(format!("{}_items", template.fields[first as usize]));
        }
    }
    for rows in template.rows.iter_mut().filter(|rows| rows.backs.is_none()) {
        if let Some(first) = rows.fields().into_iter().min() {
            rows.name = used.fresh(format!("{}_items", template.fields[first as usize]));
        }
    }
}

/// The heading of a value's column, as a name.
fn heading(page: &Page, node: NodeId) -> Option<String> {
    let (owner, more) = match page.kind(node) {
        Kind::Attribute => (page.parent(node)?, Some(page.name(node))),
        _ => (node, None),
    };
    let text = *headings(page, owner).first()?;
    let name = slug(page.string_value(text));
    let named = !name.is_empty() && name.chars().count() <= LONGEST;
    named.then(|| more.map_or(name.clone(), |more| format!("{name}_{more}")))
}

/// Names the fields below a part; `before` is the label in front of it.
fn label(
    template: &Template,
    part: PartId,
    before: Option<&str>,
    labels: &mut [Option<String>],
    plain: &mut [Option<String>],
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
        for child in template.parts[part as usize].parts() {
            label(template, child, before, labels, plain);
        }
        return;
    };
    for (number, string) in strings.iter().enumerate() {
        for (at, mark) in string.iter().enumerate() {
            for (name, field) in &mark.attributes {
                let tag = &template.paths[mark.path as usize].name;
                plain[*field as usize] = Some(format!("{tag}_{name}"));
                if let Some(said) = last_words(&string[..at]) {
                    labels[*field as usize] = Some(format!("{said}_{name}"));
                }
            }
        }
        if let Some(child) = parts.get(number) {
            let said = last_words(string);
            let said = said.as_deref().or(before.filter(|_| number == 0));
            label(template, *child, said, labels, plain);
        }
    }
}

/// The last run of words of a string, as a name.
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
    (text.chars().count() <= LONGEST)
        .then(|| slug(&text))
        .filter(|name| !name.is_empty())
}
