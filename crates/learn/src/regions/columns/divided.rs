//! Texts in an element as columns of their own: its lines, and the pieces of its texts between signs, each told by how it is written (see `written`).
//!
//! Linear in the texts.

use super::super::forms::{self, Columns, Told};
use super::super::texts;
use super::written::{Find, SAYS, finds, place, test, test_of_none};
use super::{MARKED, Made, Maker, PathField, Taken, Way};
use crate::exalg::parts;
use page::{Kind, NodeId};
use std::collections::BTreeMap;
use wrapper::rule::paths::{matched, pattern, value};

/// The fewest records with a text that is a value of its own.
const FEWEST: usize = 3;
/// The share of the records in which expressions for pieces must find what is there.
const NEARLY_ALL: f64 = 0.9;

impl Maker<'_, '_> {
    /// The columns of texts in elements: lines, or pieces between signs; by the number of their key.
    pub(super) fn written_texts(&self) -> BTreeMap<usize, Vec<Made>> {
        let own = |at: usize| Some((at, self.written_in(at)?));
        (0..self.keys.len()).filter_map(own).collect()
    }

    fn written_in(&self, at: usize) -> Option<Vec<Made>> {
        let key = &self.keys[at];
        let cells = &self.cells[at];
        let is_plain = key.attribute.is_none() && key.sign.is_none() && key.written.is_none();
        let is_mixed = cells
            .nodes
            .iter()
            .flatten()
            .any(|node| self.sight.range(*node).len() > 1);
        if !is_plain || !is_mixed || self.pieced.contains(&at) || cells.nodes.iter().any(|nodes| nodes.len() > 1) {
            return None;
        }
        // Texts that have no label, beside others that have.
        let beside = self.beside(at);
        let says = |node: &NodeId| {
            self.page.kind(*node) == Kind::Text
                && self.page.string_value(*node).contains(char::is_alphanumeric)
                && !(beside.is_some() && self.labels.leaves.contains(node))
        };
        let lines = |nodes: &Vec<NodeId>| -> Vec<NodeId> {
            let texts = nodes.iter().flat_map(|node| self.page.children(*node));
            texts.filter(says).collect()
        };
        let lines: Vec<Vec<NodeId>> = cells.nodes.iter().map(lines).collect();
        let said: Vec<Vec<String>> = lines
            .iter()
            .map(|lines| lines.iter().map(|line| value(self.page, *line)).collect())
            .collect();
        let inner = match self.best(at).as_str() {
            "." => String::new(),
            path => format!("{path}/"),
        };
        // In other rows, or on other pages, a text may be in bold.
        let marked = format!("node()[{MARKED}]");
        let [one, other] = ["text()", &marked].map(|step| format!("{inner}{step}[{SAYS}]"));
        let step = match beside {
            Some(test) => format!("text(){test}"),
            None if self.are_same(&one, &other) => marked.clone(),
            None => "text()".to_owned(),
        };
        let made = |ways: Vec<Way>, nodes: Vec<NodeId>, label: Option<String>| Made {
            field: PathField { many: false, ways },
            nodes,
            attribute: None,
            label,
        };
        let found = match lines.iter().all(|lines| self.are_apart(lines)) {
            true => forms::aligned(&said, true),
            false => forms::told(&said, false),
        };
        if let Some(columns) = found {
            let around = match inner.is_empty() {
                true => "self::node()",
                false => inner.trim_end_matches('/'),
            };
            let column = |(number, told): (usize, &Told)| {
                let own = lines.iter().zip(&columns.of).flat_map(|(lines, of)| {
                    let own = lines.iter().zip(of).filter(move |(_, of)| **of == number);
                    own.map(|(line, _)| *line)
                });
                let own: Vec<NodeId> = own.collect();
                let label = match told {
                    Told::Form { label, .. } => label.clone(),
                    Told::Plain(_) | Told::Counted(_) => None,
                };
                let way = |find: Find| {
                    let nth = find.nth.map_or(String::new(), |nth| format!("[{nth}]"));
                    let texts = format!("{step}{}", find.test);
                    let from = match find.count {
                        Some(count) => format!("{around}[count({texts})={count}]/"),
                        None => inner.clone(),
                    };
                    Way {
                        path: format!("{from}{texts}{nth}"),
                        after: label.clone().unwrap_or_default(),
                        ..Way::default()
                    }
                };
                let mut ways: Vec<Way> = finds(&columns, told).into_iter().map(way).collect();
                let is_labelled = matches!(told, Told::Form { begins: true, .. });
                if let (false, Told::Form { label: None, .. }, Some((place, most))) =
                    (is_labelled, told, place(&columns, number))
                {
                    let path = format!(
                        "{around}[count({step}[{SAYS}])={most}]/{step}[{SAYS}][{place}]{}",
                        test_of_none(&columns)
                    );
                    ways.push(Way { path, ..Way::default() });
                }
                let texts: Vec<String> = own.iter().map(|line| value(self.page, *line)).collect();
                // Signs between a text and the elements beside it are no part of it.
                if let (None, Some(framed)) = (&label, texts::framed(&texts)) {
                    ways.iter_mut().for_each(|way| way.matching = framed.clone());
                }
                let label = label.or_else(|| self.label_of(&[], &texts));
                made(ways, own, label)
            };
            return Some(columns.told.iter().enumerate().map(column).collect());
        }
        // Pieces between signs, in whichever of the texts.
        for separator in texts::SEPARATORS {
            let pieces: Vec<Vec<String>> = said
                .iter()
                .map(|texts| texts.iter().flat_map(|text| texts::cut(text, separator)).collect())
                .collect();
            let is_cut = said
                .iter()
                .zip(&pieces)
                .filter(|(said, pieces)| pieces.len() > said.len());
            // Signs between texts and elements divide, whatever the texts are.
            let is_framed = texts::are_framed(&said, separator);
            if is_cut.count() < 2 && !is_framed {
                continue;
            }
            let Some(columns) = forms::told(&pieces, is_framed) else {
                continue;
            };
            let Some(matching) = texts::matchings(&columns, separator) else {
                continue;
            };
            let paths = columns.told.iter().zip(&matching).map(|(told, matching)| match told {
                Told::Form { .. } => format!("{inner}{step}[{}]", test(matching)),
                Told::Plain(_) | Told::Counted(_) => format!("{inner}{step}[{SAYS}][1]"),
            });
            let paths: Vec<String> = paths.collect();
            if !are_found(&said, &pieces, &columns, &matching) {
                continue;
            }
            let column = |(number, (told, path)): (usize, (&Told, String))| {
                let texts = pieces.iter().zip(&columns.of).flat_map(|(pieces, of)| {
                    let own = pieces.iter().zip(of).filter(move |(_, of)| **of == number);
                    own.map(|(piece, _)| piece.clone())
                });
                let texts: Vec<String> = texts.collect();
                let label = match told {
                    Told::Form { label: Some(label), .. } => Some(label.clone()),
                    _ => self.label_of(&[], &texts),
                };
                let way = Way {
                    path,
                    matching: matching[number].clone(),
                    ..Way::default()
                };
                made(vec![way], Vec::new(), label)
            };
            let parts = columns.told.iter().zip(paths).enumerate().map(column);
            // The whole text is a value, too.
            let whole = Made {
                field: PathField {
                    many: said.iter().any(|texts| texts.len() > 1),
                    ways: vec![Way {
                        path: format!("{inner}{step}[{SAYS}]"),
                        ..Way::default()
                    }],
                },
                nodes: lines.iter().flatten().copied().collect(),
                attribute: None,
                label: Some(texts::WHOLE.to_owned()),
            };
            let whole = (columns.told.len() > 1).then_some(whole);
            return Some(whole.into_iter().chain(parts).collect());
        }
        let is_one = self.is_one_text(at, &lines);
        is_one.then(|| {
            let way = Way {
                path: format!(
                    "{inner}{}[{SAYS}]",
                    if beside.is_some() { step.as_str() } else { "text()" }
                ),
                ..Way::default()
            };
            vec![made(vec![way], lines.into_iter().flatten().collect(), None)]
        })
    }

    /// Is there a line break or a block between each two of these texts? Else they may be a sentence with words in bold.
    fn are_apart(&self, lines: &[NodeId]) -> bool {
        let page = self.page;
        let divides = |node: NodeId| {
            let name = page.name(node);
            page.is_element(node) && (name == "br" || !page::vocabulary::is_phrasing(name))
        };
        lines.windows(2).all(|two| {
            let siblings = page.parent(two[0]).into_iter().flat_map(|parent| page.children(parent));
            let mut between = siblings
                .skip_while(|other| *other <= two[0])
                .take_while(|other| *other < two[1]);
            between.any(divides)
        })
    }

    /// Has each element of a column at most one text of its own, beside elements that say something else? It is a value of its own if it is a line, or if nearly all
    /// elements begin with another element, such as a date in bold; else it may be a sentence.
    fn is_one_text(&self, at: usize, lines: &[Vec<NodeId>]) -> bool {
        let count = lines.iter().filter(|lines| !lines.is_empty()).count();
        if count < FEWEST || count * 2 < self.count || lines.iter().any(|lines| lines.len() > 1) {
            return false;
        }
        let page = self.page;
        let is_block = |node: &NodeId| !page::vocabulary::is_phrasing(page.name(*node));
        let mut elements = self.cells[at].nodes.iter().flatten();
        if !elements.all(is_block) || matches!(self.taken(at), Taken::Texts(_)) {
            return false;
        }
        let says = |node: &NodeId| page.string_value(*node).contains(char::is_alphanumeric);
        let is_line = |line: &NodeId| {
            let siblings = || page.parent(*line).into_iter().flat_map(|parent| page.children(parent));
            let seen = |node: &NodeId| page.name(*node) == "br" || says(node);
            let before = siblings().take_while(|other| other < line).filter(seen).last();
            let after = siblings().find(|other| other > line && seen(other));
            let ends = |other: Option<NodeId>| other.is_none_or(|other| page.name(other) == "br");
            ends(before) && ends(after)
        };
        let begins = |node: &NodeId| {
            let first = page.children(*node).find(says);
            first.is_some_and(|first| page.is_element(first))
        };
        let nodes = || self.cells[at].nodes.iter().flatten();
        let led = nodes().filter(|node| begins(node)).count();
        let is_led = led as f64 >= NEARLY_ALL * nodes().count() as f64;
        is_led || lines.iter().flatten().all(is_line)
    }
}

/// Do expressions find the pieces of nearly all records?
fn are_found(said: &[Vec<String>], pieces: &[Vec<String>], columns: &Columns, matching: &[String]) -> bool {
    let Ok(patterns) = matching
        .iter()
        .map(|matching| pattern(matching))
        .collect::<Result<Vec<_>, _>>()
    else {
        return false;
    };
    let is_right = |((texts, pieces), of): &((&Vec<String>, &Vec<String>), &Vec<usize>)| {
        columns
            .told
            .iter()
            .zip(&patterns)
            .enumerate()
            .all(|(number, (told, pattern))| {
                let wanted = of.iter().position(|own| *own == number).map(|at| pieces[at].as_str());
                let wanted = wanted.map(|wanted| match told {
                    Told::Form { label: Some(label), .. } => wanted[label.len()..].trim(),
                    _ => wanted,
                });
                let mut found = match told {
                    Told::Form { .. } => texts.iter().find_map(|text| matched(text, pattern)),
                    Told::Plain(_) | Told::Counted(_) => texts.first().and_then(|text| matched(text, pattern)),
                };
                found.take() == wanted
            })
    };
    let filled = || pieces.iter().filter(|pieces| !pieces.is_empty()).count();
    let right = said
        .iter()
        .zip(pieces)
        .zip(&columns.of)
        .filter(|one| !one.0.1.is_empty())
        .filter(is_right);
    right.count() as f64 >= NEARLY_ALL * filled() as f64
}

/// The pieces of the texts of a field between signs, as fields of their own.
pub(in super::super) fn pieces(
    one: &Made,
    way: &Way,
    values: &[Vec<String>],
) -> Vec<(PathField, Option<String>, Vec<Vec<String>>)> {
    let said: Vec<Vec<String>> = values
        .iter()
        .map(|texts| texts.iter().take(1).cloned().collect())
        .collect();
    for separator in texts::SEPARATORS {
        let pieces: Vec<Vec<String>> = said
            .iter()
            .map(|texts| texts.iter().flat_map(|text| texts::cut(text, separator)).collect())
            .collect();
        if pieces.iter().filter(|pieces| pieces.len() > 1).count() < 2 {
            continue;
        }
        let Some(columns) = forms::told(&pieces, false) else {
            continue;
        };
        let Some(matching) = texts::matchings(&columns, separator) else {
            continue;
        };
        if !are_found(&said, &pieces, &columns, &matching) {
            continue;
        }
        let column = |(number, told): (usize, &Told)| {
            let own = |(pieces, of): (&Vec<String>, &Vec<usize>)| -> Vec<String> {
                let own = pieces.iter().zip(of).filter(|(_, of)| **of == number);
                own.map(|(piece, _)| piece.clone()).collect()
            };
            let values: Vec<Vec<String>> = pieces.iter().zip(&columns.of).map(own).collect();
            let texts: Vec<&str> = values.iter().flatten().map(String::as_str).collect();
            let label = match told {
                Told::Form { label: Some(label), .. } => Some(label.clone()),
                _ => parts::label(&texts).map(str::to_owned),
            };
            let way = Way {
                matching: matching[number].clone(),
                ..way.clone()
            };
            let field = PathField {
                many: one.field.many,
                ways: vec![way],
            };
            (field, label, values)
        };
        return columns.told.iter().enumerate().map(column).collect();
    }
    Vec::new()
}
