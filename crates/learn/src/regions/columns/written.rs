//! Columns that are told by how their texts are written (see `forms`): elements of one name, siblings of a record, the lines of an element, and the
//! pieces of its texts between signs.
//!
//! A path tests the text: `span[matches(normalize-space(.), "^\$\d[\d.,]*$")]`. What has no form is the n-th of those that match none of the expressions. A second way is for values that are
//! written in another way on another page (`Free` for a price): the place, if the record has as many texts as full records have, and the text there has no other form.
//!
//! Linear in the texts.

use super::super::forms::{self, Columns, Told};
use super::super::labelled::TEXT;
use super::super::texts;
use super::{ANY, Cells, Key, MARKED, Made, Maker, PathField, Taken, Way, Written};
use crate::exalg::parts;
use crate::guided::literal;
use page::{Kind, NameId, NodeId};
use std::collections::BTreeMap;
use wrapper::rule::paths::{matched, pattern, value};

/// A text that says something, and one that does so with words.
const SAYS: &str = r#"matches(., "[\p{L}\p{N}]")"#;
const WORDS: &str = r#"matches(., "\p{L}{2}")"#;
/// The fewest records with a text that is a value of its own.
const FEWEST: usize = 3;
/// The share of the records in which expressions for pieces must find what is there.
const NEARLY_ALL: f64 = 0.9;

/// A test that a text matches an expression as a whole.
fn test(expression: &str) -> String {
    format!("matches({TEXT}, {})", literal(&format!("^(?:{expression})$")))
}

/// One way to the texts of a column: a test, the number among those that pass it, from 1, if it counts, and how many must pass it in the record.
struct Find {
    test: String,
    nth: Option<usize>,
    count: Option<usize>,
}

/// The ways to a column, for records with different numbers of texts.
fn finds(columns: &Columns, told: &Told) -> Vec<Find> {
    let plain = |nth: Option<usize>, count: Option<usize>| {
        let forms = columns.any();
        // A value of a form that no page had is not taken for words.
        let says = if columns.worded { WORDS } else { SAYS };
        let test = match forms.is_empty() {
            true => format!("[{says}]"),
            false => format!("[{says}][not({})]", test(&forms)),
        };
        Find { test, nth, count }
    };
    match told {
        Told::Form { expression, nth, .. } => vec![Find {
            test: format!("[{}]", test(expression)),
            nth: nth.map(|nth| nth + 1),
            count: None,
        }],
        Told::Plain(nth) => vec![plain((columns.plain > 1 || *nth > 0).then_some(nth + 1), None)],
        Told::Counted(places) => {
            let places = places.iter();
            places.map(|(count, nth)| plain(Some(nth + 1), Some(*count))).collect()
        }
    }
}

/// The place of a column in records that have as many texts as any, and the number of these, if it is the same in all of them.
fn place(columns: &Columns, column: usize) -> Option<(usize, usize)> {
    let most = columns.of.iter().map(Vec::len).max()?;
    let mut full = columns.of.iter().filter(|of| of.len() == most);
    let place = full.clone().find_map(|of| of.iter().position(|own| *own == column))?;
    full.all(|of| of[place] == column).then_some((place + 1, most))
}

impl Maker<'_, '_> {
    /// The field of a column that is told by its form.
    pub(super) fn by_form(&self, at: usize, written: &Written) -> Made {
        let nodes: Vec<NodeId> = self.cells[at].nodes.iter().flatten().copied().collect();
        let after = |way: usize| match &written.label {
            Some(label) if way == 0 => label.clone(),
            _ => String::new(),
        };
        let ways = written.paths.iter().enumerate().map(|(number, path)| Way {
            path: path.clone(),
            after: after(number),
            ..Way::default()
        });
        let ways = ways.collect();
        let texts: Vec<String> = nodes.iter().map(|node| value(self.page, *node)).collect();
        Made {
            field: PathField { many: false, ways },
            label: written.label.clone().or_else(|| self.label_of(&nodes, &texts)),
            nodes,
            attribute: None,
        }
    }

    /// What values are called by their kind, if nothing else says it.
    fn label_of(&self, nodes: &[NodeId], texts: &[String]) -> Option<String> {
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let is_named = nodes.iter().any(|node| super::is_named_by(self.page, *node));
        parts::label(&texts).filter(|_| !is_named).map(str::to_owned)
    }

    /// Makes a column for each form of elements that a record has several of.
    pub(super) fn tell_by_form(&mut self) {
        for at in 0..self.keys.len() {
            let key = &self.keys[at];
            let is_plain = key.attribute.is_none() && key.sign.is_none() && key.told.is_none() && key.role.is_none();
            let is_cell = key.steps.last().is_none_or(|(_, cell)| cell.is_some());
            let is_mixed = |node: &NodeId| self.sight.range(*node).len() > 1;
            let nodes = &self.cells[at].nodes;
            if !is_plain || is_cell || nodes.iter().all(|nodes| nodes.len() < 2) || nodes.iter().flatten().any(is_mixed)
            {
                continue;
            }
            let records = self.cells[at].nodes.iter();
            let texts: Vec<Vec<String>> = records
                .map(|nodes| nodes.iter().map(|node| value(self.page, *node)).collect())
                .collect();
            let found = match self.cells[at].nodes.iter().flatten().any(|node| self.is_in_text(*node)) {
                true => forms::told(&texts, false),
                false => forms::aligned(&texts, false),
            };
            let Some(columns) = found else { continue };
            let plain = self.path(key, "[text()[normalize-space()]]");
            let paths = |number: usize| {
                let first = finds(&columns, &columns.told[number]).into_iter().map(|find| {
                    let path = self.path(key, &format!("[text()[normalize-space()]]{}", find.test));
                    let guard = find.count.map(|count| format!("self::node()[count({path})={count}]/"));
                    let path = find.nth.map_or(path.clone(), |nth| format!("({path})[{nth}]"));
                    format!("{}{path}", guard.unwrap_or_default())
                });
                let first: Vec<String> = first.collect();
                let is_labelled = matches!(
                    &columns.told[number],
                    Told::Form { label: Some(_), .. } | Told::Form { begins: true, .. }
                );
                let second = place(&columns, number).filter(|_| !is_labelled).map(|(place, most)| {
                    let no_form = test_of_none(&columns);
                    format!("self::node()[count({plain})={most}]/({plain})[{place}]{no_form}")
                });
                let is_form = matches!(columns.told[number], Told::Form { .. });
                first.into_iter().chain(second.filter(|_| is_form)).collect()
            };
            let all: Vec<Vec<String>> = (0..columns.told.len()).map(paths).collect();
            self.replace(at, &columns, all);
        }
    }

    /// Puts the nodes of a key into columns.
    fn replace(&mut self, at: usize, columns: &Columns, paths: Vec<Vec<String>>) {
        let old = std::mem::take(&mut self.cells[at].nodes);
        for (number, (told, paths)) in columns.told.iter().zip(paths).enumerate() {
            let label = match told {
                Told::Form { label, .. } => label.clone(),
                Told::Plain(_) | Told::Counted(_) => None,
            };
            let key = Key {
                written: Some(Written { paths, label }),
                ..self.keys[at].clone()
            };
            let own = |(nodes, of): (&Vec<NodeId>, &Vec<usize>)| {
                let own = nodes.iter().zip(of).filter(|(_, of)| **of == number);
                own.map(|(node, _)| *node).collect()
            };
            let nodes = old.iter().zip(&columns.of).map(own).collect();
            self.keys.push(key);
            self.cells.push(Cells { nodes });
        }
        self.cells[at].nodes = vec![Vec::new(); self.count];
    }

    /// Makes columns of the siblings of a record, each told by its form, or by what is in it.
    pub(super) fn tell_siblings(&mut self) {
        if !self.candidate.heads.test.is_free() {
            return;
        }
        self.find_inner();
        let mut tags: Vec<Option<NameId>> = Vec::new();
        for key in &self.keys {
            if let Some((tag, _)) = key.role
                && !tags.contains(&tag)
            {
                tags.push(tag);
            }
        }
        for tag in tags {
            let is_own = |key: &Key| {
                let is_text = key.steps.is_empty() && key.attribute.is_none() && key.sign.is_none();
                is_text && matches!(key.role, Some((own, time)) if own == tag && time != ANY)
            };
            let own: Vec<usize> = (0..self.keys.len()).filter(|at| is_own(&self.keys[*at])).collect();
            if own.len() < 2 {
                continue;
            }
            let record = |number: usize| -> Vec<NodeId> {
                let nodes = own.iter().flat_map(|at| self.cells[*at].nodes[number].iter());
                let mut nodes: Vec<NodeId> = nodes.copied().collect();
                nodes.sort_unstable();
                nodes
            };
            let nodes: Vec<Vec<NodeId>> = (0..self.count).map(record).collect();
            let texts: Vec<Vec<String>> = nodes
                .iter()
                .map(|nodes| nodes.iter().map(|node| value(self.page, *node)).collect())
                .collect();
            let Some(columns) = forms::aligned(&texts, true) else {
                continue;
            };
            let direct = match tag {
                Some(_) => "[text()[normalize-space()]]",
                None => "",
            };
            let path = |find: Find| {
                let wanted = format!("{}{direct}{}", self.item(tag), find.test);
                let steps = |count: usize| vec![self.next(&wanted); count].join("/");
                let guard = |count: usize| format!("self::node()[{}][not({})]/", steps(count), steps(count + 1));
                let guard = find.count.map(guard).unwrap_or_default();
                format!("{guard}{}", steps(find.nth.unwrap_or(1)))
            };
            let paths = |told: &Told| finds(&columns, told).into_iter().map(path).collect();
            let paths: Vec<Vec<String>> = columns.told.iter().map(paths).collect();
            for at in &own[1..] {
                self.cells[*at].nodes = vec![Vec::new(); self.count];
            }
            self.cells[own[0]].nodes = nodes;
            self.replace(own[0], &columns, paths);
        }
    }

    /// Elements inside of siblings, such as pictures, of which a record has one at most, are found in whichever sibling they are.
    fn find_inner(&mut self) {
        let mut groups: BTreeMap<Vec<u32>, Vec<usize>> = BTreeMap::new();
        for (at, key) in self.keys.iter().enumerate() {
            let Some((Some(tag), time)) = key.role else { continue };
            if !key.steps.is_empty() && key.sign.is_none() && key.told.is_none() && time != ANY {
                let attribute = match key.attribute {
                    None => 0,
                    Some("href") => 1,
                    Some("src") => 2,
                    Some(_) => 3,
                };
                let steps = key.steps.iter().map(|(name, _)| name.index() as u32);
                let group = [tag.index() as u32, attribute].into_iter().chain(steps).collect();
                groups.entry(group).or_default().push(at);
            }
        }
        for group in groups.into_values().filter(|group| group.len() > 1) {
            let all = |number: usize| -> Vec<NodeId> {
                let nodes = group.iter().flat_map(|at| self.cells[*at].nodes[number].iter());
                nodes.copied().collect()
            };
            let nodes: Vec<Vec<NodeId>> = (0..self.count).map(all).collect();
            if nodes.iter().any(|nodes| nodes.len() > 1) {
                continue;
            }
            let key = &self.keys[group[0]];
            let Some((tag, _)) = key.role else { continue };
            let steps = key.steps.iter().map(|(name, _)| self.page.name_text(*name));
            let steps = steps.collect::<Vec<&str>>().join("/");
            let end = key
                .attribute
                .map_or(String::new(), |attribute| format!("/@{attribute}"));
            let path = self.next(&format!("{}[{steps}{end}]", self.item(tag)));
            let written = Written {
                paths: vec![format!("{path}/{steps}{end}")],
                label: None,
            };
            self.keys[group[0]].written = Some(written);
            self.cells[group[0]].nodes = nodes;
            for at in &group[1..] {
                self.cells[*at].nodes = vec![Vec::new(); self.count];
            }
        }
    }

    fn item(&self, tag: Option<NameId>) -> String {
        format!("self::{}", tag.map_or("text()", |tag| self.page.name_text(tag)))
    }

    /// The step to the next sibling that passes a test and belongs to the record.
    fn next(&self, wanted: &str) -> String {
        let heads = &self.candidate.heads;
        let head = format!("{}{}", self.item(heads.tag), heads.test.predicate(self.page));
        format!("following-sibling::node()[{wanted} or {head}][1][{wanted}][not({head})]")
    }

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
        if !is_plain || !is_mixed || cells.nodes.iter().any(|nodes| nodes.len() > 1) || self.beside(at).is_some() {
            return None;
        }
        let says = |node: &NodeId| {
            self.page.kind(*node) == Kind::Text && self.page.string_value(*node).contains(char::is_alphanumeric)
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
        let step = if self.are_same(&one, &other) { &marked } else { "text()" };
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
                path: format!("{inner}text()[{SAYS}]"),
                ..Way::default()
            };
            vec![made(vec![way], lines.into_iter().flatten().collect(), None)]
        })
    }

    /// Is an element beside a text, as words in bold are in a sentence?
    fn is_in_text(&self, node: NodeId) -> bool {
        let page = self.page;
        let siblings = page.parent(node).into_iter().flat_map(|parent| page.children(parent));
        let mut texts = siblings.filter(|other| page.kind(*other) == Kind::Text);
        texts.any(|text| page.string_value(text).contains(char::is_alphanumeric))
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

/// A test that a text has no form.
fn test_of_none(columns: &Columns) -> String {
    format!("[not({})]", test(&columns.any()))
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

#[cfg(test)]
mod tests {
    use crate::regions;
    use page::{Job, Page};
    use wrapper::rule::paths::PathsRun;

    const TITLES: [&str; 8] = [
        "Night Ledger",
        "Amber Paper Winter",
        "Attic and Cellar",
        "Kelp Harbour",
        "The Tin Compass",
        "Salt and Rope",
        "A Quiet Press",
        "Late Orchard",
    ];

    /// The title, price and date of a record, without some of the last two.
    fn values(number: usize, without: &[(usize, usize)]) -> [Option<String>; 3] {
        let has = |part: usize| !without.contains(&(number, part));
        [
            Some(TITLES[number].to_owned()),
            has(1).then(|| format!("${}.50", 13 + number * 7)),
            has(2).then(|| format!("May {}, 20{}", number + 1, 10 + number)),
        ]
    }

    /// Checks that all values of records are found where some lack a part, on the page itself and on another one.
    fn check(frame: [&str; 2], record: impl Fn(&[&String]) -> String) {
        let page = |without: &[(usize, usize)]| {
            let own = |number: usize| {
                let values = values(number, without);
                record(&values.iter().flatten().collect::<Vec<&String>>())
            };
            let list: String = (0..8).map(own).collect();
            let menu = "<div id=nav><a href=/>Home</a> <a href=/about>About us</a></div><h1>Books</h1>";
            Page::parse_str(&format!("{menu}{}{list}{}", frame[0], frame[1]), &Default::default()).unwrap()
        };
        let known = [(1, 1), (4, 1), (6, 2)];
        let best = regions::find(&page(&known), &Job::new()).remove(0);
        let run = PathsRun::new(&best.rule).unwrap();
        for without in [&known[..], &[], &[(0, 1), (0, 2), (3, 1), (7, 2)]] {
            let records = run.page(&page(without));
            assert_eq!(records.len(), 8, "{:?}", best.rule);
            // One field for each of them has its values, and nothing where there is none.
            for part in 0..3 {
                let is_field = |field: usize| {
                    records.iter().enumerate().all(|(number, record)| {
                        let found = record.values.iter().find(|value| value.field == field);
                        found.map(|found| found.text.clone()) == values(number, without)[part]
                    })
                };
                assert!(
                    (0..best.names.len()).any(is_field),
                    "{part} of {without:?}: {:?}",
                    best.rule
                );
            }
        }
    }

    #[test]
    fn elements_are_told_by_their_texts() {
        let elements = |values: &[&String]| -> String {
            let parts: String = values.iter().map(|value| format!("<div>{value}</div>")).collect();
            format!("<div class=book>{parts}</div>")
        };
        check(["<div>", "</div>"], elements);
        let spans = |values: &[&String]| -> String {
            let parts: String = values[1..]
                .iter()
                .map(|value| format!(" <span>{value}</span>"))
                .collect();
            format!("<li><h3><a href=/x>{}</a></h3><div>{parts}</div></li>", values[0])
        };
        check(["<ul>", "</ul>"], spans);
    }

    #[test]
    fn lines_are_told_by_their_texts() {
        let lines = |values: &[&String]| -> String {
            let parts: Vec<&str> = values.iter().map(|value| value.as_str()).collect();
            format!("<div class=book>{}</div>", parts.join("<br>\n"))
        };
        check(["<div>", "</div>"], lines);
    }

    #[test]
    fn siblings_are_told_by_their_texts() {
        let terms = |values: &[&String]| -> String {
            let parts: String = values[1..].iter().map(|value| format!("<dd>{value}</dd>")).collect();
            format!("<dt><a href=/x>{}</a></dt>{parts}", values[0])
        };
        check(["<dl>", "</dl>"], terms);
    }

    #[test]
    fn pieces_of_a_text_are_told_by_how_they_are_written() {
        for sign in [" - ", " | ", " · "] {
            let whole = |values: &[&String]| -> String {
                let parts: Vec<&str> = values.iter().map(|value| value.as_str()).collect();
                format!("<li>{}</li>", parts.join(sign))
            };
            check(["<ul>", "</ul>"], whole);
            let linked = |values: &[&String]| -> String {
                let parts: String = values[1..].iter().map(|value| format!("{sign}{value}")).collect();
                format!("<li><a href=/x>{}</a>{parts}</li>", values[0])
            };
            check(["<ul>", "</ul>"], linked);
        }
    }

    #[test]
    fn signs_between_a_text_and_links_are_no_part_of_it() {
        let row = |number: usize| {
            let place = ["Hall", "Old Mill", "Library", "Dock"][number % 4];
            let file = match number % 3 {
                0 => String::new(),
                _ => format!(" · <a href=/f/{number}.pdf>Agenda</a>"),
            };
            format!("<li><a href=/{number}>{}</a> · {place}{file}</li>", TITLES[number])
        };
        let list: String = (0..8).map(row).collect();
        let page = Page::parse_str(&format!("<h1>Books</h1><ul>{list}</ul>"), &Default::default()).unwrap();
        let best = regions::find(&page, &Job::new()).remove(0);
        let records = PathsRun::new(&best.rule).unwrap().page(&page);
        let says = |number: usize, text: &str| records[number].values.iter().any(|value| value.text == text);
        assert!(
            says(0, "Hall") && says(1, "Old Mill") && says(2, "Library"),
            "{:?}",
            best.rule
        );
    }

    /// Things with a price, some of which have a text more: at the place of it among the texts of a record.
    fn things(
        frame: [&str; 2],
        with: &[usize],
        place: usize,
        text: fn(usize) -> String,
        record: fn(&[String]) -> String,
    ) -> Page {
        let own = |number: usize| {
            let mut texts = vec![TITLES[number].to_owned(), format!("${}.50", 13 + number * 7)];
            if with.contains(&number) {
                texts.insert(place, text(number));
            }
            record(&texts)
        };
        let list: String = (0..8).map(own).collect();
        let menu = "<ul><li><a href=/a>Home</a></li><li><a href=/b>About</a></li></ul><h1>Things</h1>";
        Page::parse_str(&format!("{menu}{}{list}{}", frame[0], frame[1]), &Default::default()).unwrap()
    }

    /// Optional words, with a beginning in common or without one, are in no other field, on the page itself and on another one.
    #[test]
    fn optional_words_do_not_move_other_values() {
        let seller = |number: usize| {
            format!(
                "Sold by {} {}",
                ["Bo", "Ann", "Cy"][number % 3],
                ["Day", "Lee", "Fox"][number % 3]
            )
        };
        let note = |number: usize| format!("ships within {} working days from our store in the harbour", number + 2);
        let divs = |texts: &[String]| format!("<div class=item><div>{}</div></div>", texts.join("</div><div>"));
        let cells = |texts: &[String]| format!("<tr><td>{}</td></tr>", texts.join("</td><td>"));
        let lines = |texts: &[String]| format!("<div class=item>{}</div>", texts.join("<br>"));
        type Record = fn(&[String]) -> String;
        let makes: [([&str; 2], Record); 3] = [
            (["<div>", "</div>"], divs),
            (["<table>", "</table>"], cells),
            (["<div>", "</div>"], lines),
        ];
        for (frame, record) in makes {
            for (place, text) in [(1, seller as fn(usize) -> String), (0, note), (1, note), (2, note)] {
                let known = things(frame, &[1, 4, 6], place, text, record);
                let best = regions::find(&known, &Job::new()).remove(0);
                let run = PathsRun::new(&best.rule).unwrap();
                for with in [&[1, 4, 6][..], &[0, 2], &[]] {
                    let records = run.page(&things(frame, with, place, text, record));
                    assert_eq!(records.len(), 8, "{:?}", best.rule);
                    let field = |number: usize, wanted: &str| {
                        let found = records[number].values.iter().find(|value| value.text == wanted);
                        found.map(|found| found.field)
                    };
                    let titles: Vec<Option<usize>> = (0..8).map(|number| field(number, TITLES[number])).collect();
                    let prices: Vec<Option<usize>> = (0..8)
                        .map(|number| field(number, &format!("${}.50", 13 + number * 7)))
                        .collect();
                    assert!(
                        titles.iter().all(|field| field.is_some() && *field == titles[0]),
                        "{place}: {:?}",
                        best.rule
                    );
                    assert!(
                        prices.iter().all(|field| field.is_some() && *field == prices[0]),
                        "{place}: {:?}",
                        best.rule
                    );
                    for number in with {
                        let own = field(*number, &text(*number));
                        assert!(
                            own.is_some() && own != titles[0] && own != prices[0],
                            "{place}: {:?}",
                            best.rule
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn a_line_between_a_date_and_links_is_a_value() {
        let row = |number: usize| {
            let links = [
                "<a href=/a.pdf>Agenda</a>",
                "<a href=/a.pdf>Agenda</a> | <a href=/m.pdf>Minutes</a>",
                "",
            ][number % 3];
            format!(
                "<p><strong>May {}, 2019</strong><br>{}<br>{links}</p>",
                number + 1,
                TITLES[number]
            )
        };
        let list: String = (0..8).map(row).collect();
        let page = Page::parse_str(&format!("<h1>Meetings</h1><div>{list}</div>"), &Default::default()).unwrap();
        let best = regions::find(&page, &Job::new()).remove(0);
        let records = PathsRun::new(&best.rule).unwrap().page(&page);
        let field = |number: usize| {
            let found = records[number].values.iter().find(|value| value.text == TITLES[number]);
            found.map(|found| found.field)
        };
        assert!(
            field(0).is_some() && (0..8).all(|number| field(number) == field(0)),
            "{:?}",
            best.rule
        );
    }

    #[test]
    fn words_in_bold_do_not_divide_a_sentence() {
        let row = |number: usize| {
            let text = [
                "A night in the <b>harbour</b> of Kelp",
                "The <b>harbour</b> and the <b>old</b> mill",
                "Salt and rope",
            ][number % 3];
            format!(
                "<li><a href=/{number}>{}</a><p>{text} {number}</p></li>",
                TITLES[number]
            )
        };
        let list: String = (0..8).map(row).collect();
        let page = Page::parse_str(&format!("<h1>Hits</h1><ul>{list}</ul>"), &Default::default()).unwrap();
        let best = regions::find(&page, &Job::new()).remove(0);
        let records = PathsRun::new(&best.rule).unwrap().page(&page);
        let says = |number: usize, text: &str| records[number].values.iter().any(|value| value.text == text);
        assert!(
            says(0, "A night in the harbour of Kelp 0") && says(1, "The harbour and the old mill 1"),
            "{:?}",
            best.rule
        );
    }
}
