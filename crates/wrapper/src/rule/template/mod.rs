//! Templates: strings and type constructors from which a page is made (section 2 of the EXALG paper).
//!
//! A template is a tree of [`Part`]s. A tuple has strings of [`Mark`]s around its parts; a set repeats a part, an
//! optional may omit it, a disjunction chooses one of several; text without known structure is basic. [`Part::Mixed`]
//! is our addition: some of these in any order with text between them, for places where the paper's patterns find
//! nothing. A mark is a tag or a word together with its path from the root, so that a word of the template is not
//! confused with the same word elsewhere.
//!
//! [`Rows`] is another addition: lists that are found and read by their rows, beside the parts, which then do not see them.
//!
//! [`Run`] reads pages with a template ("wrapper mode"); it also says what happens on pages that do not fit.

mod align;
mod infix;
mod json;
mod leaves;
mod paths;
mod rows;
mod rows_json;
mod run;
mod shape;
mod translate;
mod types;

pub use align::{
    align, align_anew, is_head, is_link, is_row, label_before, labels_of, telling_kind, telling_kinds, tells,
};
pub use infix::infix;
pub(crate) use json::{read, write};
pub use leaves::{Cut, Leaf, Stretch, block, cut, leaves, pieces, text_of};
pub use paths::{Siblings, Step, walk};
pub use rows::{
    FoundRow, Make, RowCell, RowHeading, RowWhole, Rows, Split, are_rows, label_of, path_of, stretches, text_before,
    without_numbers,
};
pub use run::{Gap, Run, left_out};
pub use shape::{assemble, record_type};
pub use translate::to_paths;
pub use types::{dtd, json_schema};

/// The index of a part in [`Template::parts`].
pub type PartId = u32;

/// A template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Template {
    /// The paths of marks. The first is that of the document; each path comes after its parent.
    pub paths: Vec<Step>,
    /// The parts. The first is for the whole page; each part comes after the part that contains it.
    pub parts: Vec<Part>,
    /// The names of the fields.
    pub fields: Vec<String>,
    /// Lists that are read by their rows. In events, they are numbered after the parts.
    pub rows: Vec<Rows>,
}

/// A node of a template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// Text, which is the value of a field if there is one.
    Basic(Option<u32>),
    /// Parts between strings; there is one more string than parts.
    Tuple {
        /// The strings.
        strings: Vec<Vec<Mark>>,
        /// The parts.
        parts: Vec<PartId>,
        /// Texts that contain words of the strings, as fields of their own.
        wholes: Vec<Whole>,
    },
    /// Any number of something.
    Set {
        /// The name of its records; empty if its elements have only one field and are not records.
        name: String,
        /// The element.
        of: PartId,
        /// What is between two elements.
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
        /// The field for the text between them.
        rest: Option<u32>,
        /// The field for all of the text, including theirs.
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

/// A text that contains words of a tuple's strings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Whole {
    /// The field.
    pub field: u32,
    /// The string where it begins, and the mark there; if that is the number of marks, it begins after the string.
    pub from: (u32, u32),
    /// The string where it ends, and the mark before which it ends.
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

/// Deeper templates are rejected, because reading with one takes stack for each level.
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

    /// The fields of this part itself, in page order as far as there is one.
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
    /// What is wrong with the template: the number of a part, and a message.
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
        for (at, rows) in self.rows.iter().enumerate() {
            let at = self.parts.len() + at;
            if let Some(field) = rows
                .fields()
                .into_iter()
                .find(|field| *field as usize >= self.fields.len())
            {
                return Some((
                    at,
                    format!("found the field {field}, expected one of {}", self.fields.len()),
                ));
            }
            if let Some(set) = rows
                .backs
                .filter(|set| !matches!(self.parts.get(*set as usize), Some(Part::Set { .. })))
            {
                return Some((at, format!("found the part {set}, expected a set")));
            }
            let cells = rows.cells.len() as u32;
            if let Some(whole) = rows
                .wholes
                .iter()
                .find(|whole| whole.from > whole.to || whole.to > cells)
            {
                return Some((at, format!("found the cell {}, expected one of {cells}", whole.to)));
            }
        }
        None
    }

    /// The name of the records of a list: of a set, or of rows, which are numbered after the parts.
    pub fn list_name(&self, list: u32) -> Option<&str> {
        let name = match self.parts.get(list as usize) {
            Some(Part::Set { name, .. }) => name,
            Some(_) => return None,
            None => &self.rows.get(list as usize - self.parts.len())?.name,
        };
        Some(name.as_str()).filter(|name| !name.is_empty())
    }

    /// The same, to be changed.
    pub fn list_name_mut(&mut self, list: u32) -> Option<&mut String> {
        match list as usize {
            at if at < self.parts.len() => match &mut self.parts[at] {
                Part::Set { name, .. } => Some(name),
                _ => None,
            },
            at => self.rows.get_mut(at - self.parts.len()).map(|rows| &mut rows.name),
        }
    }

    /// The lists that are read by their rows and are not elements of a set.
    pub fn own_rows(&self) -> impl Iterator<Item = &Rows> {
        self.rows.iter().filter(|rows| rows.backs.is_none())
    }

    /// How many numbers for lists there are.
    pub fn lists(&self) -> u32 {
        (self.parts.len() + self.rows.len()) as u32
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
