//! Landmark rules: a tree of tokens that occur once in their region, with fields where nothing more is known.
//!
//! A rule is a tree of [`Part`]s. A [`Part::Split`] divides a region at landmarks. The ternary node of the paper has
//! one landmark, with the parts before, inside and after it. Here a chain of such nodes along right edges becomes one
//! split with several [`Mark`]s, because then each mark is sought on its own. A landmark that is missing or doubled
//! spoils only the stretch around it, while in a chain of ternary nodes everything below it would be lost. This takes
//! the paper's local parsability one level further.
//!
//! Parsing goes from the root down and does not depend on a reading order. In each region the landmarks are located,
//! the most certain ones first, and the stretches between them are the regions of the parts below. Besides splits there
//! are lists, optional enclosing elements, and groups; and a field may have a [`Label`] that leads to its values where no landmark does. A landmark with
//! an `id` is the element with that `id`, wherever it is on the page (`named`). Cost: each level of the tree looks at the units of its regions
//! once; tests by text or by attributes inside use lists of positions that are made once for each page.
//! [`Grain::Words`] looks at all tokens of a region for each landmark.

mod json;
mod label;
mod named;
mod ready;
mod run;
mod shape;
mod tokens;
mod translate;

pub(crate) use json::{read, write};
pub use label::{Label, Side};
pub use run::Run;
pub(crate) use shape::only_labelled_names as only_labelled;
pub use shape::{assemble, record_type, second_forms};
pub use tokens::{Piece, Token, Tokens, clean};
pub use translate::to_paths;

use page::structured::{Fact, Source, Structured};
use std::fmt;

/// How finely text is cut into tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grain {
    /// A text node is a token; regions are runs of siblings.
    Nodes,
    /// A word is a token; regions are runs of tokens.
    Words,
}

/// The index of a part in [`Landmarks::parts`].
pub type PartId = u32;

/// A landmark rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Landmarks {
    /// How text is cut.
    pub grain: Grain,
    /// The parts. The first is for the whole page; each part comes after the part that contains it.
    pub parts: Vec<Part>,
    /// The fields.
    pub fields: Vec<Slot>,
}

/// A field of a landmark rule.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Slot {
    /// Its name.
    pub name: String,
    /// Text before its values in their text nodes that does not belong to them.
    pub prefix: String,
    /// Another field that gets the same values: the field for all mentions of one datum.
    pub also: Option<u32>,
    /// Where its values come from, if that is the structured data of the page and no part of the rule.
    pub data: Option<Datum>,
    /// The label that leads to its values on pages where no part of the rule finds one.
    pub label: Option<Label>,
}

/// A place in the structured data of pages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Datum {
    /// How it is written.
    pub source: Source,
    /// The type of the thing that it is about.
    pub kind: Option<String>,
    /// Its path of names.
    pub path: String,
    /// May a page have several values of it?
    pub many: bool,
}

impl Datum {
    /// The values on a page.
    pub fn values<'s>(&'s self, data: &'s Structured) -> impl Iterator<Item = &'s Fact> + 's {
        let facts = data.of_kind(self.source, self.kind.as_deref(), &self.path);
        facts.take(if self.many { MOST_VALUES } else { 1 })
    }
}

/// `json-ld Product offers.price`
impl fmt::Display for Datum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = self.kind.as_ref().map(|kind| format!(" {kind}")).unwrap_or_default();
        write!(f, "{}{kind} {}", self.source.name(), self.path)
    }
}

/// The most values of one datum on a page.
const MOST_VALUES: usize = 1000;

/// What is done with a region.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// Nothing in it is wanted.
    Nothing,
    /// Its texts are the values of a field.
    Field(u32),
    /// Landmarks divide it.
    Split {
        /// The part before the first landmark.
        before: PartId,
        /// The landmarks in order, each with the part inside it and the part after it.
        marks: Vec<Mark>,
        /// The field for the whole region, if the landmark is not found.
        failed: Option<u32>,
    },
    /// It, or a part of it, may be enclosed in an element.
    Unwrap {
        /// The element. Without tests, it is the only one of the region; with tests, it is the one that passes them, and
        /// what is beside it is beside its content.
        wrapper: Landmark,
        /// The part for the content.
        of: PartId,
    },
    /// What is found in it belongs together: its texts are also the values of a field for the group.
    Group {
        /// The field for the group.
        field: u32,
        /// The part that divides it.
        of: PartId,
    },
    /// It repeats something.
    List {
        /// The name of its records; empty if its items have only one field and are not records.
        name: String,
        /// What begins each item.
        start: Landmark,
        /// The part before the first item.
        before: PartId,
        /// The part of each item.
        each: PartId,
    },
}

/// A landmark that divides a region.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    /// How it is recognized.
    pub landmark: Landmark,
    /// Its attributes that are fields.
    pub attributes: Vec<(String, u32)>,
    /// The part inside it.
    pub inner: PartId,
    /// The part after it, up to the next landmark.
    pub after: PartId,
}

/// How a token is recognized.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Landmark {
    /// What kind of token it is.
    pub what: What,
    /// Tests in order. The first one that exactly one token passes decides; if there are no tests, any token will do.
    pub tests: Vec<Test>,
}

/// What a landmark is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum What {
    /// An element.
    Element(String),
    /// A text node.
    Text,
    /// A word.
    Word(String),
}

/// A conjunction of properties.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Test {
    /// Attributes that must be present, or must have a value; `class` must contain that value.
    pub attributes: Vec<(String, Option<String>)>,
    /// Must it have no attributes at all?
    pub plain: bool,
    /// A text inside it.
    pub says: Option<String>,
    /// An attribute, with its value, of an element inside it.
    pub holds: Option<(String, String)>,
    /// Its number, from 1, among those that pass the rest.
    pub nth: Option<u32>,
}

/// Deeper rules are rejected, because running a rule takes stack for each level.
pub(crate) const DEEPEST: usize = 1000;

impl Part {
    /// The parts of this part.
    pub fn parts(&self) -> Vec<PartId> {
        match self {
            Part::Nothing | Part::Field(_) => Vec::new(),
            Part::Split { before, marks, .. } => std::iter::once(*before)
                .chain(marks.iter().flat_map(|mark| [mark.inner, mark.after]))
                .collect(),
            Part::Unwrap { of, .. } | Part::Group { of, .. } => vec![*of],
            Part::List { before, each, .. } => vec![*before, *each],
        }
    }

    /// The fields that the part itself fills.
    pub fn fields(&self) -> Vec<u32> {
        match self {
            Part::Field(field) | Part::Group { field, .. } => vec![*field],
            Part::Split { marks, failed, .. } => {
                let attributes = marks
                    .iter()
                    .flat_map(|mark| mark.attributes.iter().map(|(_, field)| *field));
                attributes.chain(*failed).collect()
            }
            Part::Nothing | Part::Unwrap { .. } | Part::List { .. } => Vec::new(),
        }
    }
}

impl Landmarks {
    /// What is wrong with the rule: the number of a part, and a message.
    ///
    /// Parts must come after the parts that contain them, so that a run ends. Numbers must refer to existing parts and
    /// fields.
    pub fn fault(&self) -> Option<(usize, String)> {
        if self.parts.is_empty() {
            return Some((0, "found no parts, expected one".to_owned()));
        }
        let beyond = |slot: &Slot| slot.also.filter(|also| *also as usize >= self.fields.len());
        if let Some(also) = self.fields.iter().find_map(beyond) {
            let count = self.fields.len();
            return Some((0, format!("found the field {also}, expected less than {count}")));
        }
        let mut depth = vec![0; self.parts.len()];
        for (at, part) in self.parts.iter().enumerate() {
            for child in part.parts() {
                let child = child as usize;
                if child >= self.parts.len() || child <= at {
                    return Some((
                        at,
                        format!(
                            "found the part {child}, expected one of {} to {}",
                            at + 1,
                            self.parts.len() - 1
                        ),
                    ));
                }
                depth[child] = depth[child].max(depth[at] + 1);
                if depth[child] > DEEPEST {
                    return Some((at, format!("found a part {DEEPEST} deep, expected less")));
                }
            }
            if let Some(field) = part
                .fields()
                .into_iter()
                .find(|field| *field as usize >= self.fields.len())
            {
                return Some((
                    at,
                    format!("found the field {field}, expected less than {}", self.fields.len()),
                ));
            }
        }
        None
    }

    /// Replaces all parts that give nothing by a single one at the end, and renumbers parts and fields. Returns the new
    /// number of each field that still exists.
    pub fn prune(&mut self) -> Vec<Option<u32>> {
        let mut gives: Vec<bool> = vec![false; self.parts.len()];
        for at in (0..self.parts.len()).rev() {
            let part = &self.parts[at];
            gives[at] = !part.fields().is_empty() || part.parts().iter().any(|child| gives[*child as usize]);
        }
        gives[0] = true;
        let mut reached = vec![false; self.parts.len()];
        reached[0] = true;
        let mut numbers = vec![0; self.parts.len()];
        let mut count = 0;
        for at in 0..self.parts.len() {
            if reached[at] && gives[at] {
                numbers[at] = count;
                count += 1;
                self.parts[at]
                    .parts()
                    .into_iter()
                    .for_each(|child| reached[child as usize] = true);
            }
        }
        let mut fields: Vec<Option<u32>> = vec![None; self.fields.len()];
        let mut kept: Vec<Slot> = Vec::new();
        let mut parts = Vec::new();
        for (at, mut part) in std::mem::take(&mut self.parts).into_iter().enumerate() {
            if !(reached[at] && gives[at]) {
                continue;
            }
            let part_number = |id: &mut PartId| {
                *id = if gives[*id as usize] {
                    numbers[*id as usize]
                } else {
                    count
                }
            };
            let mut field_number = |field: &mut u32| {
                *field = *fields[*field as usize].get_or_insert_with(|| {
                    kept.push(self.fields[*field as usize].clone());
                    kept.len() as u32 - 1
                });
            };
            match &mut part {
                Part::Nothing => {}
                Part::Field(field) => field_number(field),
                Part::Group { field, of } => {
                    field_number(field);
                    part_number(of);
                }
                Part::Unwrap { of, .. } => part_number(of),
                Part::List { before, each, .. } => {
                    part_number(before);
                    part_number(each);
                }
                Part::Split { before, marks, failed } => {
                    part_number(before);
                    failed.iter_mut().for_each(&mut field_number);
                    for mark in marks {
                        mark.attributes.iter_mut().for_each(|(_, field)| field_number(field));
                        part_number(&mut mark.inner);
                        part_number(&mut mark.after);
                    }
                }
            }
            parts.push(part);
        }
        parts.push(Part::Nothing);
        for (at, slot) in self.fields.iter().enumerate() {
            if (slot.data.is_some() || slot.label.is_some()) && fields[at].is_none() {
                fields[at] = Some(kept.len() as u32);
                kept.push(slot.clone());
            }
        }
        for at in 0..kept.len() {
            if let Some(also) = kept[at].also {
                let number = *fields[also as usize].get_or_insert_with(|| {
                    kept.push(self.fields[also as usize].clone());
                    kept.len() as u32 - 1
                });
                kept[at].also = Some(number);
            }
        }
        self.parts = parts;
        self.fields = kept;
        fields
    }
}
