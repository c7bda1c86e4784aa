//! Landmark rules: a tree of tokens that occur once in their region, and fields where nothing more is known.
//!
//! A rule is a tree of [`Part`]s. A [`Part::Split`] divides a region at landmarks: the paper's ternary node has one, with the
//! parts before, inside and behind it. Here a run of them along right edges is one split with several [`Mark`]s, for then
//! each is sought on its own: one that is missing or doubled spoils the stretch around itself and no more, where in a chain
//! of ternary nodes all that hang below it are lost. That is the paper's local parsability, kept a level further.
//!
//! Parsing is from the root down, and no order of reading is imposed: in each region the landmarks are located, the
//! sure ones first, and the stretches between them are regions of the parts below. Besides splits there are lists, optional
//! wrappers and groups. Costs: each level of the tree looks at the units of its regions once; tests by text or by attributes
//! inside use lists of places made once for a page. [`Grain::Words`] looks at all tokens of a region for each landmark.

mod json;
mod ready;
mod run;
mod shape;
mod tokens;

pub(crate) use json::{read, write};
pub use run::Run;
pub use shape::{assemble, record_type};
pub use tokens::{Piece, Token, Tokens, clean};

/// How finely text is cut into tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grain {
    /// A text node is a token; regions are runs of siblings.
    Nodes,
    /// A word is a token; regions are runs of tokens.
    Words,
}

/// A part of a rule, by its place in [`Landmarks::parts`].
pub type PartId = u32;

/// A landmark rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Landmarks {
    /// How text is cut.
    pub grain: Grain,
    /// The parts; the first is for the whole page, and parts lie behind those that they are parts of.
    pub parts: Vec<Part>,
    /// The fields.
    pub fields: Vec<Slot>,
}

/// A field of a landmark rule.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Slot {
    /// Its name.
    pub name: String,
    /// What stands before its values in their text nodes, and is no part of them.
    pub prefix: String,
    /// A field that its values are also values of: that of all mentions of one datum.
    pub also: Option<u32>,
}

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
        /// The landmarks in their order, each with its inside and what follows it.
        marks: Vec<Mark>,
        /// The field for the whole region where the landmark is not found.
        failed: Option<u32>,
    },
    /// It may be wrapped in an element.
    Unwrap {
        /// The element.
        wrapper: Landmark,
        /// The part for what is left.
        of: PartId,
    },
    /// What is found in it belongs together: its texts are also the values of a field of their own.
    Group {
        /// The field of the whole.
        field: u32,
        /// The part that divides it.
        of: PartId,
    },
    /// It repeats something.
    List {
        /// What a record of it is called; empty where its items have one field only and are no records.
        name: String,
        /// What begins each item.
        start: Landmark,
        /// The part before the first item.
        before: PartId,
        /// The part of each item.
        each: PartId,
    },
}

/// A landmark in a division of a region.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    /// How it is known.
    pub landmark: Landmark,
    /// Its attributes that are fields.
    pub attributes: Vec<(String, u32)>,
    /// The part inside of it.
    pub inner: PartId,
    /// The part behind it, up to the next landmark.
    pub after: PartId,
}

/// How a token is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Landmark {
    /// What it is.
    pub what: What,
    /// Tests, the first of which that one thing alone passes decides; none means that any will do.
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
    /// Attributes that are there, or have that value; of `class`, that value among others.
    pub attributes: Vec<(String, Option<String>)>,
    /// Has it no attributes at all?
    pub plain: bool,
    /// A text in it.
    pub says: Option<String>,
    /// An attribute and its value of an element inside of it.
    pub holds: Option<(String, String)>,
    /// Its number among those that pass the rest, from one.
    pub nth: Option<u32>,
}

/// Deeper rules are refused: running one takes stack for each level.
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

    /// The fields that the part itself gives.
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
    /// What is wrong with the rule: the number of a part and words.
    ///
    /// Parts must lie behind those that they are parts of, so that a run ends; numbers must be those of parts and fields.
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

    /// Replaces parts that give nothing by one, at the end, and numbers parts and fields anew: for each field its new number,
    /// if it has one.
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
