//! The last steps to fields: what says the same as another one is left out, texts are divided, signs at their ends are cut off, and names are given.
//!
//! Linear in the values of the records that are looked at.

use super::super::{cells::Grid, edges, heads, names, texts};
use super::{CHECKED, COLUMNS, Column, LATER, Made, Maker, Unnamed, is_named_by};
use crate::naming::Naming;
use oxpath::{Query, Value};
use page::{NodeId, Page};
use regex::Regex;
use std::collections::HashSet;
use wrapper::rule::paths::{PathField, Way, matched, pattern, value};

/// The ways to a cell that is told by its place, or the way itself, and that to a cell above that reaches over the row.
fn told_cells(page: &Page, grid: &Grid, way: Way) -> Vec<Way> {
    let paths = grid.ways(page, &way.path).unwrap_or_else(|| vec![way.path.clone()]);
    let above = grid.above(page, &way.path);
    let with = |path: String| Way { path, ..way.clone() };
    paths.into_iter().chain(above).map(with).collect()
}

/// The ways to pictures that are loaded at once, for those that are mostly loaded later.
fn at_once(attribute: Option<&str>, ways: &[Way]) -> Vec<Way> {
    let Some(later) = attribute.filter(|name| LATER.contains(name)) else {
        return Vec::new();
    };
    let path = |way: &Way| Some(format!("{}@src", way.path.strip_suffix(&format!("@{later}"))?));
    let way = |way: &Way| path(way).map(|path| Way { path, ..way.clone() });
    ways.iter().filter_map(way).collect()
}

/// The group of an expression that is a text without the signs around it (`texts::framed`).
const TEXT: &str = "(.+?)";

/// The only way to a field, if all that it does to a text is to take signs off its ends.
fn framed(one: &Made) -> Option<&Way> {
    let [way] = &one.field.ways[..] else { return None };
    let is_framed =
        way.matching.contains(TEXT) && way.after.is_empty() && way.before.is_empty() && way.skips.is_empty();
    (is_framed && !one.field.many).then_some(way)
}

/// What is after a label in the texts of a field.
fn after_label(one: &Made, label: String, way: Way, values: &[Vec<String>]) -> Unnamed {
    Unnamed {
        field: PathField {
            many: false,
            ways: vec![way],
        },
        nodes: one.nodes.clone(),
        attribute: None,
        label: Some(label),
        values: values.to_vec(),
    }
}

impl Maker<'_, '_> {
    /// The columns with names, without those that say the same as another one.
    pub(super) fn named(&self, made: Vec<Made>, naming: &Naming<'_>) -> Vec<Column> {
        let mut known: HashSet<Vec<Vec<String>>> = HashSet::new();
        let mut columns = Vec::new();
        let made: Vec<(Made, Vec<Vec<String>>)> = made
            .into_iter()
            .map(|one| {
                let values = self.values(&one.field);
                (one, values)
            })
            .collect();
        let texts = made.iter().filter(|(one, _)| one.attribute.is_none());
        let texts: HashSet<Vec<Vec<String>>> = texts.map(|(_, values)| values.clone()).collect();
        for (mut one, values) in made {
            // What a picture is called is the title, if the record says it in a text, too.
            if one.attribute == Some("alt") && texts.contains(&values) {
                continue;
            }
            let said = values
                .iter()
                .flatten()
                .any(|value| value.chars().any(char::is_alphanumeric));
            // Two labels may have the same values.
            if !said || (!known.insert(values.clone()) && one.label.is_none()) {
                continue;
            }
            let mut divided = match one.label.as_deref() {
                Some(texts::WHOLE) => Vec::new(),
                _ => {
                    // What has elements in it is divided by them.
                    let is_mixed = one.nodes.iter().any(|node| self.sight.range(*node).len() > 1);
                    texts::parts(&one, &values, is_mixed)
                }
            };
            // What its parts are, a text in several parts is not.
            if divided.len() > 2 && one.label.is_none() && !one.nodes.iter().any(|node| is_named_by(self.page, *node)) {
                one.label = Some(texts::WHOLE.to_owned());
            }
            // An element of its own may have the name after *by*.
            let is_new = |part: &Unnamed| {
                let after = part.field.ways.first().map_or("", |way| way.after.as_str());
                let cut = |text: &String| text.strip_prefix(after).unwrap_or(text).trim().to_owned();
                let cut: Vec<Vec<String>> = values.iter().map(|texts| texts.iter().map(cut).collect()).collect();
                after.is_empty() || !texts.contains(&cut)
            };
            let after_label = self.divide(&mut one, &values).filter(is_new);
            if divided.is_empty() {
                divided.extend(after_label);
            }
            columns.push(Unnamed {
                field: one.field,
                nodes: one.nodes,
                attribute: one.attribute,
                label: one.label,
                values,
            });
            columns.extend(divided);
            if columns.len() >= COLUMNS {
                break;
            }
        }
        for column in &mut columns {
            column.field.ways.extend(at_once(column.attribute, &column.field.ways));
        }
        if let Some(grid) = &self.grid {
            for way in columns.iter_mut().map(|column| &mut column.field.ways) {
                *way = way.drain(..).flat_map(|way| told_cells(self.page, grid, way)).collect();
            }
        }
        // A first row that is not told from headings may be one, but not for other rows of the same record.
        let has_rows = self.candidate.records[0].len() > 1;
        let headed = has_rows || heads::has_headings(self.sight, &self.candidate.items);
        let first = self.candidate.items.nodes[self.candidate.records[0].start];
        let is_data = |node: NodeId| self.candidate.holds(self.page, node) && (headed || node >= self.page.end(first));
        names::named(self.page, columns, naming, &is_data)
    }

    /// Cuts a sign off the ends of the texts of a field, and gives what is after a label that all of them begin with.
    fn divide(&self, one: &mut Made, values: &[Vec<String>]) -> Option<Unnamed> {
        let texts: Vec<&str> = values.iter().flatten().map(String::as_str).collect();
        if let Some(way) = framed(one)
            && let Some(label) = edges::label(&texts)
        {
            let after = format!("{} ?{TEXT}", regex::escape(&label));
            let matching = way.matching.replacen(TEXT, &after, 1);
            let way = Way {
                matching,
                ..way.clone()
            };
            return Some(after_label(one, label, way, values));
        }
        if one.label.is_some() && one.attribute.is_none() && one.field.ways.iter().any(|way| !way.is_whole()) {
            let sign = edges::sign(&texts)?;
            let cut = one.field.ways.iter().map(|way| Way {
                before: sign.clone(),
                ..way.clone()
            });
            one.field.ways = cut.chain(one.field.ways.iter().cloned()).collect();
            return None;
        }
        let [way] = &one.field.ways[..] else { return None };
        if one.attribute.is_some() || one.field.many || !way.is_whole() {
            return None;
        }
        let way = way.clone();
        let (mut sign, mut first) = (
            edges::sign(&texts).unwrap_or_default(),
            edges::first_sign(&texts).unwrap_or_default(),
        );
        if edges::brackets(&texts) {
            (first, sign) = ("(".to_owned(), ")".to_owned());
        }
        if !sign.is_empty() || !first.is_empty() {
            let cut = Way {
                after: first,
                before: sign.clone(),
                ..way.clone()
            };
            one.field.ways.insert(0, cut);
        }
        let label = edges::label(&texts)?;
        let way = Way {
            after: label.clone(),
            before: sign,
            ..way
        };
        Some(after_label(one, label, way, values))
    }

    /// What a field finds in the records that are looked at.
    pub(super) fn values(&self, field: &PathField) -> Vec<Vec<String>> {
        let queries: Vec<(Query, Option<Regex>)> = field
            .ways
            .iter()
            .filter_map(|way| {
                let part = (!way.matching.is_empty()).then(|| pattern(&way.matching).ok());
                Some((Query::compile(&way.path).ok()?, part.flatten()))
            })
            .collect();
        let heads = self.candidate.records.iter().take(CHECKED);
        let heads = heads.map(|record| self.candidate.items.nodes[record.start]);
        let found = heads.map(|head| {
            let found = queries
                .iter()
                .find_map(|(query, part)| match query.evaluate_at(self.page, head) {
                    Ok(Value::Nodes(nodes)) if !nodes.is_empty() => Some((nodes, part.as_ref())),
                    _ => None,
                });
            let most = if field.many { usize::MAX } else { 1 };
            let (found, part) = found.unwrap_or_default();
            let found = found.into_iter().take(most).map(|node| value(self.page, node));
            let found = found.filter_map(|text| match part {
                Some(part) => matched(&text, part).map(str::to_owned),
                None => Some(text),
            });
            found.filter(|value| !value.is_empty()).collect()
        });
        found.collect()
    }
}
