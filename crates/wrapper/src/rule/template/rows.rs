//! Lists whose rows are read one by one, odd ones in part.
//!
//! A tuple of the paper is read by its strings, so a row that lacks one of them is lost. [`Rows`] is our addition for
//! lists that have such rows. A row is an element, or the stretch from one element to the next of its name. Its leaves are
//! aligned with the cells of a full row (`align`): a row that lacks a cell, has one more, or an empty one, still is a row.
//!
//! The list is where the training pages have it: the path of the element around the rows, its class or id, and the text
//! before it if there are several. On a page without that path, the element that fits best by its own name, class and
//! rows is taken, because blocks move. What is among the rows but is not one (an advert, a heading) is skipped; if it is a
//! heading of the kind that the training pages have, its text is a value of all rows below it.
//!
//! Cost: linear in the page to find the rows; for each row its cells times its leaves.

use super::align::{align, is_head, is_row};
use super::leaves::{Cut, Leaf, Stretch, block, cut, leaves, place, text_of};
use crate::rule::Event;
use crate::rule::landmark::clean;
use page::{Kind, NodeId, Page};
use record::values::Kinds;
use std::collections::HashMap;

/// How many texts before a list are searched for its label.
const REACH: usize = 4;
/// The longest label, in bytes.
const LONGEST: usize = 200;
/// At least this part of the candidates must be rows, in percent.
const FITTING: usize = 50;

/// Are enough children of an element rows of a list? `full` tells of each child with leaves whether it is one. One before all rows
/// and one after them do not count: headings of columns and pagers, which would hide a list with one row.
pub fn are_rows(full: &[bool]) -> bool {
    let inner = full.strip_prefix(&[false]).unwrap_or(full);
    let inner = inner.strip_suffix(&[false]).unwrap_or(inner);
    let good = inner.iter().filter(|good| **good).count();
    good > 0 && good * 100 >= inner.len() * FITTING
}

/// A list of rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rows {
    /// The name of its records.
    pub name: String,
    /// The names of the elements from the root to the one around the rows.
    pub path: Vec<String>,
    /// The class or id that the element around the rows has on all pages.
    pub role: Option<(String, String)>,
    /// The text before the list, if that tells it from others.
    pub label: Option<String>,
    /// The element with which a row begins.
    pub row: String,
    /// Does a row extend to the beginning of the next one? Otherwise it is one element.
    pub run: bool,
    /// Which texts of a row are cut in pieces.
    pub cuts: Vec<Cut>,
    /// Makes of rows whose leaves only their number and kinds tell.
    pub makes: Vec<Make>,
    /// The cells of a full row.
    pub cells: Vec<RowCell>,
    /// Texts of several cells.
    pub wholes: Vec<RowWhole>,
    /// The heading above some of the rows.
    pub heading: Option<RowHeading>,
    /// The set of the template whose elements these rows are. Then the rows are read only on pages on which the set does
    /// not find all of them, and they have its fields.
    pub backs: Option<u32>,
}

/// Rows that are made alike: the same leaves, with the same kinds of value. What the texts of all of them are like has told which cells they are; the text of one row
/// does not tell that.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Make {
    /// What tells each leaf, see [`tells`](super::tells).
    pub leaves: Vec<String>,
    /// For each leaf its cell.
    pub cells: Vec<Option<u32>>,
}

/// A cell of a full row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowCell {
    /// The names of the elements between the row and the leaf.
    pub path: String,
    /// The number of the row's child, from 0.
    pub number: u32,
    /// The numbers of the elements of the path among their siblings.
    pub place: Vec<u16>,
    /// The class of the innermost element that has one.
    pub class: String,
    /// The words that it always has.
    pub words: Option<String>,
    /// Its label, if not all rows have the values with labels: the leaf before it, or words that its text begins with.
    pub label: Option<String>,
    /// The kinds of value that it has, if they tell it from others.
    pub kinds: Kinds,
    /// Do most rows have it?
    pub usual: bool,
    /// The field of its text.
    pub field: Option<u32>,
    /// Attributes that are fields: the name of the element, that of the attribute, and the field.
    pub attributes: Vec<(String, String, u32)>,
    /// The parts of its text.
    pub split: Option<Split>,
}

/// A text in parts: each separator is at its first occurrence after the one before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Split {
    /// What is before the first part, if it is there.
    pub before: String,
    /// What is after the last part, if it is there.
    pub after: String,
    /// What is between the parts.
    pub separators: Vec<String>,
    /// The fields of the parts, one more.
    pub fields: Vec<u32>,
}

/// The whole text of a block with several cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RowWhole {
    /// The field.
    pub field: u32,
    /// The first cell.
    pub from: u32,
    /// The cell after the last.
    pub to: u32,
}

/// A heading whose text belongs to all rows below it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowHeading {
    /// The field.
    pub field: u32,
    /// The paths of its leaves, if it is among the rows; otherwise it is before the list.
    pub among: Option<Vec<String>>,
}

/// The part of a page that belongs to a list.
#[derive(Clone, Debug)]
pub struct FoundRow {
    /// The row.
    pub stretch: Stretch,
    /// Its leaves.
    pub leaves: Vec<Leaf>,
    /// For each cell of the list its leaf; `None` if it is not a row.
    pub aligned: Option<Vec<Option<usize>>>,
    /// The element around the rows.
    pub parent: NodeId,
}

impl Split {
    /// The parts of a text, if it has all of them.
    pub fn parts<'t>(&self, text: &'t str) -> Option<Vec<&'t str>> {
        let mut out = Vec::with_capacity(self.fields.len());
        let text = text.strip_prefix(self.before.as_str()).unwrap_or(text);
        let mut rest = text.strip_suffix(self.after.as_str()).unwrap_or(text);
        for separator in &self.separators {
            let (part, after) = rest.split_once(separator.as_str())?;
            out.push(part.trim());
            rest = after;
        }
        out.push(rest.trim());
        out.iter().all(|part| !part.is_empty()).then_some(out)
    }
}

/// The children of an element that may be rows.
pub fn stretches(page: &Page, parent: NodeId, row: &str, run: bool) -> Vec<Stretch> {
    let begins = page
        .children(parent)
        .filter(|child| page.is_element(*child) && page.name(*child) == row);
    if !run {
        return begins.map(|child| Stretch::element(page, child)).collect();
    }
    let begins: Vec<NodeId> = begins.collect();
    let ends = begins.iter().skip(1).copied().chain([page.end(parent)]);
    let stretch = |(from, to): (&NodeId, NodeId)| Stretch {
        from: *from,
        to,
        inside: false,
    };
    begins.iter().zip(ends).map(stretch).collect()
}

/// The names of the elements from the root to an element.
pub fn path_of(page: &Page, node: NodeId) -> Vec<String> {
    let mut path: Vec<String> = page
        .ancestors(node)
        .filter(|above| page.is_element(*above))
        .map(|above| page.name(above).to_owned())
        .collect();
    path.reverse();
    path.push(page.name(node).to_owned());
    path
}

/// A label with `#` for each number: `12 entries were found` is the label of another page's list with other figures.
pub fn without_numbers(label: &str) -> String {
    let mut out = String::with_capacity(label.len());
    for c in label.chars() {
        match c {
            '0'..='9' if out.ends_with('#') => {}
            '0'..='9' => out.push('#'),
            c => out.push(c),
        }
    }
    out
}

/// The label of an element around rows: the caption of a table, or else the text before it.
pub fn label_of(page: &Page, node: NodeId) -> Option<String> {
    let table = page
        .ancestors(node)
        .take(1)
        .chain([node])
        .find(|up| page.name(*up) == "table");
    let caption = table.and_then(|table| page.children(table).find(|child| page.name(*child) == "caption"));
    let caption = caption.map(|caption| clean(page.string_value(caption)).into_owned());
    let told = caption.filter(|text| text.len() <= LONGEST && text.chars().any(char::is_alphanumeric));
    told.or_else(|| text_before(page, node))
}

/// The text before an element that may be its label: the nearest one, if it is not far above.
pub fn text_before(page: &Page, node: NodeId) -> Option<String> {
    // What is in the same table belongs to its columns.
    let node = match page.name(node) {
        "tbody" | "thead" | "tfoot" => page.parent(node)?,
        _ => node,
    };
    let texts = page.texts();
    let before = texts.partition_point(|text| *text < node);
    let near: Vec<NodeId> = page.ancestors(node).take(REACH).collect();
    for text in texts[..before].iter().rev().take(REACH * 4) {
        let said = clean(page.string_value(*text));
        if said.is_empty() || !page::vocabulary::is_seen(page, *text) {
            continue;
        }
        // It must be below one of the elements just above the list.
        let close = page
            .ancestors(*text)
            .any(|above| near.contains(&above) && !page::vocabulary::is_shell(page.name(above)))
            || page.ancestors(*text).take(REACH).any(|above| near.contains(&above));
        return (close && said.len() <= LONGEST && said.chars().any(char::is_alphanumeric)).then(|| said.into_owned());
    }
    None
}

impl Rows {
    /// Does an element around rows have the role of this list's?
    pub fn has_role(&self, page: &Page, node: NodeId) -> bool {
        let role = self.role.as_ref();
        role.is_some_and(|(name, value)| page.attribute_value(node, name) == Some(value))
    }

    /// Does an element around rows have the label of this list's? Rules in old files have the text before a table also where it
    /// has a caption.
    fn has_label(&self, page: &Page, node: NodeId) -> bool {
        let told = |label: Option<String>| {
            label.is_some() && (label == self.label || label.map(|label| without_numbers(&label)) == self.label)
        };
        told(label_of(page, node)) || told(text_before(page, node))
    }

    /// The rows below an element, aligned.
    pub fn read(&self, page: &Page, parent: NodeId) -> Vec<FoundRow> {
        let mut first = true;
        let read = |stretch: Stretch| {
            let mut leaves = cut(leaves(page, stretch), &self.cuts);
            if !self.cuts.is_empty() {
                place(page, &mut leaves);
            }
            let aligned = align(&self.cells, &self.makes, &leaves);
            let fits = is_row(&self.cells, &leaves, &aligned);
            let head = first && fits && is_head(&self.cells, &leaves, &aligned);
            first &= !fits;
            let aligned = (fits && !head).then_some(aligned);
            FoundRow {
                stretch,
                leaves,
                aligned,
                parent,
            }
        };
        stretches(page, parent, &self.row, self.run)
            .into_iter()
            .map(read)
            .collect()
    }

    /// The rows of the list on a page.
    pub fn find(&self, page: &Page) -> Vec<FoundRow> {
        self.find_beside(page, false)
    }

    /// The rows of the list on a page. If there are `others` of the same path, only its label tells this list: a page without the label lacks it.
    pub fn find_beside(&self, page: &Page, others: bool) -> Vec<FoundRow> {
        let Some(name) = self.path.last().and_then(|name| page.name_id(name)) else {
            return Vec::new();
        };
        let Some(row) = page.name_id(&self.row) else {
            return Vec::new();
        };
        let has_rows = |node: &NodeId| page.children(*node).any(|child| page.is_element_named(child, row));
        let around: Vec<NodeId> = page.elements_named(name).iter().copied().filter(has_rows).collect();
        if others && !around.iter().any(|node| self.has_label(page, *node)) {
            return Vec::new();
        }
        let mut exact: Vec<NodeId> = around
            .iter()
            .copied()
            .filter(|node| path_of(page, *node) == self.path)
            .collect();
        // What tells lists of one path apart; on a page where nothing does, the path has to do.
        for told in [
            |rows: &Rows, page: &Page, node: NodeId| rows.has_role(page, node),
            |rows: &Rows, page: &Page, node: NodeId| rows.has_label(page, node),
        ] {
            if exact.len() > 1 && exact.iter().any(|node| told(self, page, *node)) {
                exact.retain(|node| told(self, page, *node));
            }
        }
        let fits = |rows: &[FoundRow]| {
            let full = rows.iter().filter(|row| !row.leaves.is_empty());
            let full: Vec<bool> = full.map(|row| row.aligned.is_some()).collect();
            are_rows(&full).then(|| full.iter().filter(|good| **good).count())
        };
        let found: Vec<Vec<FoundRow>> = exact.iter().map(|node| self.read(page, *node)).collect();
        if found.iter().any(|rows| fits(rows).is_some()) {
            return found
                .into_iter()
                .filter(|rows| fits(rows).is_some())
                .flatten()
                .collect();
        }
        // The list has moved.
        let others = around.into_iter().filter(|node| !exact.contains(node));
        let best = others
            .filter_map(|node| {
                let rows = self.read(page, node);
                let role = self.has_role(page, node);
                let label = self.has_label(page, node);
                let shared = page
                    .ancestors(node)
                    .zip(self.path.iter().rev().skip(1))
                    .take_while(|(above, name)| page.is_element(*above) && page.name(*above) == **name)
                    .count();
                let good = fits(&rows)?;
                (role || self.role.is_none() && shared > 0).then_some(((role, label, shared, good), rows))
            })
            .max_by_key(|(rank, _)| *rank);
        best.map_or(Vec::new(), |(_, rows)| rows)
    }

    /// What the rows say; `id` is the number of the list in events.
    pub fn events(&self, page: &Page, id: u32, rows: &[FoundRow], out: &mut Vec<Event>) {
        let mut heading: Option<(NodeId, String)> = None;
        let mut parent = None;
        let mut among: HashMap<NodeId, Vec<NodeId>> = HashMap::new();
        for row in rows {
            if let Some(known) = &self.heading {
                if parent != Some(row.parent) {
                    parent = Some(row.parent);
                    heading = match known.among {
                        None => label_of(page, row.parent).map(|text| (row.parent, text)),
                        Some(_) => None,
                    };
                }
                if let Some(paths) = &known.among {
                    let others = among
                        .entry(row.parent)
                        .or_insert_with(|| self.headings(page, row.parent, paths));
                    let above = others.partition_point(|other| *other < row.stretch.from);
                    if above > 0 {
                        let node = others[above - 1];
                        heading = Some((node, text_of(page, node, page.end(node))));
                    }
                }
            }
            let Some(aligned) = &row.aligned else { continue };
            out.push(Event::Open(id));
            if let (Some(known), Some((node, text))) = (&self.heading, &heading) {
                out.push(Event::Value {
                    field: known.field,
                    node: *node,
                    text: text.clone(),
                });
            }
            self.row(page, row, aligned, out);
            out.push(Event::Close);
        }
    }

    /// The elements beside rows that have the leaves of a heading.
    fn headings(&self, page: &Page, parent: NodeId, paths: &[String]) -> Vec<NodeId> {
        let same = |node: &NodeId| {
            page.is_element(*node)
                && leaves(page, Stretch::element(page, *node))
                    .iter()
                    .filter(|leaf| !leaf.text.is_empty())
                    .map(|leaf| format!("{}/{}", page.name(*node), leaf.path))
                    .eq(paths.iter().cloned())
        };
        page.children(parent).filter(same).collect()
    }

    fn row(&self, page: &Page, row: &FoundRow, aligned: &[Option<usize>], out: &mut Vec<Event>) {
        for whole in &self.wholes {
            let cells = &aligned[whole.from as usize..whole.to as usize];
            let Some(first) = cells.iter().flatten().next() else {
                continue;
            };
            let around = block(page, row.stretch, row.leaves[*first].node);
            let (from, to) = around.map_or((row.stretch.from, row.stretch.to), |node| (node, page.end(node)));
            let text = text_of(page, from, to);
            if !text.is_empty() {
                out.push(Event::Value {
                    field: whole.field,
                    node: row.leaves[*first].node,
                    text,
                });
            }
        }
        for (cell, leaf) in self.cells.iter().zip(aligned) {
            let Some(leaf) = leaf.map(|leaf| &row.leaves[leaf]) else {
                continue;
            };
            for (element, name, field) in &cell.attributes {
                let Some(node) = leaf.opens.iter().rev().find(|node| page.name(**node) == *element) else {
                    continue;
                };
                if let Some(id) = page.name_id(name)
                    && let Some(attribute) = page.attribute(*node, id)
                {
                    let text = clean(page.string_value(attribute)).into_owned();
                    if !text.is_empty() {
                        out.push(Event::Value {
                            field: *field,
                            node: attribute,
                            text,
                        });
                    }
                }
            }
            if leaf.text.is_empty() || page.kind(leaf.node) != Kind::Text {
                continue;
            }
            let mut value = |field: u32, text: &str| {
                out.push(Event::Value {
                    field,
                    node: leaf.node,
                    text: text.replace('\n', " "),
                });
            };
            if let Some(field) = cell.field {
                value(field, &leaf.text);
            }
            if let Some(split) = &cell.split
                && let Some(parts) = split.parts(&leaf.text)
            {
                split
                    .fields
                    .iter()
                    .zip(parts)
                    .for_each(|(field, part)| value(*field, part));
            }
        }
    }

    /// All fields, in the order of a full row.
    pub fn fields(&self) -> Vec<u32> {
        let mut out: Vec<u32> = self.heading.iter().map(|heading| heading.field).collect();
        for (number, cell) in (0u32..).zip(&self.cells) {
            out.extend(
                self.wholes
                    .iter()
                    .filter(|whole| whole.from == number)
                    .map(|whole| whole.field),
            );
            out.extend(cell.attributes.iter().map(|(_, _, field)| *field));
            out.extend(cell.field);
            out.extend(cell.split.iter().flat_map(|split| split.fields.iter().copied()));
        }
        out
    }
}
