//! Templates: strings and type constructors, as a page is made from them (section 2 of the EXALG paper).
//!
//! A template is a tree of [`Part`]s. A tuple has strings of [`Mark`]s around its parts; a set repeats a part, an optional may
//! leave it out, a disjunction chooses one of several; text of no known structure is basic. [`Part::Mixed`] is ours: some of
//! these in any order with text between them, where the paper's patterns find nothing. A mark is a tag or a word together
//! with its path from the root, so that a word of the template is not taken for the same word elsewhere.
//!
//! [`Run`] reads pages by a template ("wrapper mode"); see there for what happens on pages that do not fit.

mod infix;
mod json;
mod paths;
mod run;
mod shape;
mod types;

pub use infix::infix;
pub(crate) use json::{read, write};
pub use paths::{Siblings, Step, walk};
pub use run::{Gap, Run};
pub use shape::{assemble, record_type};
pub use types::{dtd, json_schema};

/// A part of a template, by its place in [`Template::parts`].
pub type PartId = u32;

/// A template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Template {
    /// The paths of marks; the first is that of the document, and each lies behind its parent.
    pub paths: Vec<Step>,
    /// The parts; the first is for the whole page, and parts lie behind those that they are parts of.
    pub parts: Vec<Part>,
    /// The names of the fields.
    pub fields: Vec<String>,
}

/// A node of a template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// Text, the value of a field if there is one.
    Basic(Option<u32>),
    /// Parts between strings: one string more than parts.
    Tuple {
        /// The strings.
        strings: Vec<Vec<Mark>>,
        /// The parts.
        parts: Vec<PartId>,
        /// Texts that words of the strings divide, as fields of their own.
        wholes: Vec<Whole>,
    },
    /// Any number of something.
    Set {
        /// What a record of it is called; empty where its elements have one field only and are no records.
        name: String,
        /// The element.
        of: PartId,
        /// What stands between two elements.
        separator: Vec<Mark>,
    },
    /// Something that may be missing.
    Optional(PartId),
    /// One of several.
    Either(Vec<PartId>),
    /// Any of these, in any order.
    Mixed {
        /// Sets and optionals.
        parts: Vec<PartId>,
        /// The field for text between them.
        rest: Option<u32>,
        /// The field for all of the text, theirs included.
        whole: Option<u32>,
    },
}

/// A token of a template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    /// The path of its element, or of the element around the word.
    pub path: u32,
    /// What it is.
    pub what: What,
    /// Its attributes whose values are fields.
    pub attributes: Vec<(String, u32)>,
}

/// A text in which words of a tuple's strings stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Whole {
    /// The field.
    pub field: u32,
    /// The string where it begins, and the mark there; with the number of marks, behind the string.
    pub from: (u32, u32),
    /// The string where it ends, and the mark before which it does.
    pub to: (u32, u32),
}

/// What a mark is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum What {
    /// The start of an element.
    Start,
    /// The end of an element.
    End,
    /// A word.
    Word(String),
}

/// Deeper templates are refused: reading by one takes stack for each level.
pub(crate) const DEEPEST: usize = 200;

impl Part {
    /// The parts of this part.
    pub fn parts(&self) -> Vec<PartId> {
        match self {
            Part::Basic(_) => Vec::new(),
            Part::Tuple { parts, .. } | Part::Either(parts) | Part::Mixed { parts, .. } => parts.clone(),
            Part::Set { of, .. } | Part::Optional(of) => vec![*of],
        }
    }

    /// The marks of this part itself.
    pub fn marks(&self) -> impl Iterator<Item = &Mark> {
        let (strings, separator): (&[Vec<Mark>], &[Mark]) = match self {
            Part::Tuple { strings, .. } => (strings, &[]),
            Part::Set { separator, .. } => (&[], separator),
            _ => (&[], &[]),
        };
        strings.iter().flatten().chain(separator)
    }

    /// The fields of this part itself, in the order of the page as far as there is one.
    pub fn fields(&self) -> Vec<u32> {
        match self {
            Part::Basic(field) => field.iter().copied().collect(),
            Part::Mixed { rest, whole, .. } => rest.iter().chain(whole).copied().collect(),
            Part::Tuple { wholes, .. } => {
                let attributes = self
                    .marks()
                    .flat_map(|mark| mark.attributes.iter().map(|(_, field)| *field));
                attributes.chain(wholes.iter().map(|whole| whole.field)).collect()
            }
            _ => Vec::new(),
        }
    }
}

impl Template {
    /// Why it is none: a part and what is wrong there.
    pub(crate) fn fault(&self) -> Option<(usize, String)> {
        if self.parts.is_empty() {
            return Some((0, "found no parts, expected one".to_owned()));
        }
        let mut depth = vec![0usize; self.parts.len()];
        let mut used = vec![false; self.parts.len()];
        for (at, part) in self.parts.iter().enumerate() {
            for child in part.parts() {
                let child = child as usize;
                if child <= at || child >= self.parts.len() {
                    return Some((at, format!("found the part {child}, expected one behind this")));
                }
                if std::mem::replace(&mut used[child], true) {
                    return Some((at, format!("found the part {child} again, expected each once")));
                }
                depth[child] = depth[at] + 1;
                if depth[child] > DEEPEST {
                    return Some((at, format!("expected parts that nest at most {DEEPEST} deep")));
                }
            }
            if let Part::Tuple { strings, parts, wholes } = part {
                let ends = wholes.iter().flat_map(|whole| [whole.from, whole.to]);
                let outside = |(string, mark): (u32, u32)| {
                    strings
                        .get(string as usize)
                        .is_none_or(|string| mark as usize > string.len())
                };
                if strings.len() != parts.len() + 1 {
                    let (strings, parts) = (strings.len(), parts.len());
                    return Some((
                        at,
                        format!("found {strings} strings for {parts} parts, expected one more"),
                    ));
                }
                if let Some((string, mark)) = ends.into_iter().find(|end| outside(*end)) {
                    return Some((
                        at,
                        format!("found the mark {mark} of string {string}, expected one that there is"),
                    ));
                }
            }
            if let Some(path) = part
                .marks()
                .map(|mark| mark.path)
                .find(|path| *path as usize >= self.paths.len())
            {
                return Some((
                    at,
                    format!("found the path {path}, expected one of {}", self.paths.len()),
                ));
            }
            if let Some(field) = part
                .fields()
                .into_iter()
                .find(|field| *field as usize >= self.fields.len())
            {
                return Some((
                    at,
                    format!("found the field {field}, expected one of {}", self.fields.len()),
                ));
            }
        }
        None
    }

    /// All fields below a part.
    pub fn fields_below(&self, part: PartId) -> Vec<u32> {
        let part = &self.parts[part as usize];
        let mut fields = part.fields();
        for child in part.parts() {
            fields.extend(self.fields_below(child));
        }
        fields
    }
}
