//! Landmark rules: a tree of tokens that occur once in their region, and fields where nothing more is known.
//!
//! TODO-ESSAY

mod run;
mod tokens;

pub use run::{Event, Run, locate};
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
    /// What stands behind them.
    pub suffix: String,
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
