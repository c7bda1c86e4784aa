//! How far a path is trusted: one table of weights.
//!
//! Each weight is an estimate of the chance that a path which depends on something still leads to the right node on another page of
//! the site. A path depends on several things, each once or more often ([`Trust`]); how far it is trusted is the product of their
//! weights. So the ranking is one log-linear model, whose weights a procedure can learn: `cargo xtask weights`, which says how.
//!
//! The weights of now are judgements. Learned ones were not better when they were last cross-validated over families, so they were
//! not taken. A weight of 1 belongs to something that is only offered to that procedure.
//!
//! Examples decide first ([`EXAMPLES`]); trust chooses among the paths that fit them equally well.

use std::ops::Mul;

/// Declares the things that paths depend on, and the table of their weights.
macro_rules! table {
    ($($(#[$doc:meta])* $name:ident = $value:literal, $records:literal;)*) => {
        #[allow(non_camel_case_types, clippy::upper_case_acronyms, reason = "only to count the names")]
        enum Place { $($name),* }
        $($(#[$doc])* pub(super) const $name: Trust = Trust::on(Place::$name as usize);)*
        /// The weights by name: in paths to values, and in paths to the records of a list.
        const TABLE: &[(&str, [f64; 2])] = &[$((stringify!($name), [$value, $records])),*];
    };
}

table! {
    /// `itemprop`: written for programs that read the page.
    ITEMPROP = 0.97, 0.97;
    /// `property`: written for programs that read the page.
    PROPERTY = 0.97, 0.97;
    /// `data-testid`: written for the site's own tests, so it stays when the layout changes.
    DATA_TESTID = 0.96, 0.96;
    /// `data-label`: says which column a cell belongs to, and changes only with the table's headings.
    DATA_LABEL = 0.93, 0.93;
    /// `headers`: says which column a cell belongs to, and changes only with the table's headings.
    HEADERS = 0.93, 0.93;
    /// `id`: unique on the page, but not always about the same thing on the next one.
    ID = 0.96, 0.96;
    /// `name`: forms and anchors use it; several elements may share it.
    NAME = 0.93, 0.93;
    /// `rel`: many links share one value, such as `nofollow`.
    REL = 0.8, 0.8;
    /// Factor for a name with digits in it, which may be the number of the record.
    NUMBERED_NAME = 0.8, 0.8;
    /// `option[@selected]`: what was chosen in a form.
    SELECTED = 0.97, 0.97;
    /// The whole `class`: says what something is, or how it looks.
    CLASS = 0.92, 0.92;
    /// A `class` with digits in it, which tools often generate.
    NUMBERED_CLASS = 0.87, 0.87;
    /// One of several classes: there may be other elements that have it.
    ONE_CLASS = 0.91, 0.91;
    /// A tag that says what it contains, anywhere below the context.
    TELLING_TAG = 0.93, 0.93;
    /// The tag of a list's items, anywhere below the context: other lists may use it.
    BARE_TAG = 0.85, 0.85;
    /// The next element with a tag, or the next text: any change in between moves it.
    NEXT_OF_TAG = 0.8, 0.8;
    /// A step with a position: an element that is added or missing before it makes it wrong.
    PLACED_STEP = 0.93, 0.93;
    /// A step to an only child of its name: a second one may come.
    ONLY_STEP = 0.995, 0.995;
    /// Factor for a path of positions from the context alone, with nothing that says what the node is.
    PLACE_ALONE = 0.95, 0.95;
    /// Factor for leaving all positions out below a mark: the path may lead to more than one node.
    UNPLACED = 0.9, 0.9;
    /// The same for a list, where several nodes are wanted.
    UNPLACED_LIST = 0.93, 0.93;
    /// Factor for keeping the positions that all items of a list share, below a mark.
    SHARED_PLACES = 0.93, 0.93;
    /// A label that says what the field is called: it can only be a label.
    CALLED = 0.99, 0.99;
    /// A label that ends with a colon.
    COLON = 0.99, 0.99;
    /// Factor for a name or class that says what the field is called.
    CALLED_MARK = 1.0, 1.0;
    /// Factor for a value in the head of the page.
    IN_HEAD = 1.0, 1.0;
    /// Factor for a value that is a link or in one.
    IN_LINK = 1.0, 1.0;
    /// Factor for a place of a value that is not its first one on the page.
    LATER_SPOT = 1.0, 1.0;
    /// Factor for a place far from those of all other fields.
    FAR_SPOT = 1.0, 1.0;
    /// Factor for a place next to one of another field.
    NEAR_SPOT = 1.0, 1.0;
    /// A label in an element that pages use for labels.
    LABEL_TAG = 0.96, 0.96;
    /// The first words of a row, beside other rows that begin with other words.
    IN_ROWS = 0.95, 0.95;
    /// The heading of a column: columns are added more often than they are renamed.
    COLUMN_HEADING = 0.95, 0.95;
    /// Other words before the value: they may be anything.
    OTHER_WORDS = 0.85, 0.85;
    /// Factor for the nearest words before the value; not 1, since even these may belong to something else.
    NEAREST_LABEL = 0.97, 0.97;
    /// Factor for a label with digits or quotes in it, which may be about this page alone.
    OWN_LABEL = 0.9, 0.9;
    /// Factor for each text between the label and the value.
    FARTHER_LABEL = 0.94, 0.94;
    /// Factor for words before another label, which ends with a colon: they are the heading of a section, and what comes first in it on one
    /// page need not be there on the next.
    PAST_LABEL = 0.85, 0.85;
    /// Factor for a value that is not the first of its kind after the label.
    LATER_AFTER_LABEL = 0.9, 0.9;
    /// Factor for words after the value, in a row that has nothing else: most labels are before their values.
    CAPTION = 0.95, 0.95;
    /// Factor for a list below a heading: the list may begin further down on another page.
    BELOW_HEADING = 0.97, 0.97;
    /// Factor for the next marked element anywhere after the context: it may belong to the next record.
    NEXT_ANYWHERE = 0.95, 0.95;
    /// Factor for the next marked sibling, which is more likely to belong to the same record.
    NEXT_SIBLING = 0.97, 0.97;
    /// Factor for an attribute of an element above the context.
    ATTRIBUTE_ABOVE = 0.95, 0.95;
    /// Factor for the first sibling of its kind beside the context.
    FIRST_BESIDE = 0.93, 0.93;
    /// Factor for a later one: every sibling in between can be missing.
    LATER_BESIDE = 0.8, 0.8;
    /// Factor for a list that had one item in an example: more may come, elsewhere.
    LIST_OF_ONE = 0.97, 0.97;
    /// Factor for a marked list item anywhere below the context: other parts of the page may use the mark.
    ITEM_ANYWHERE = 0.98, 0.98;
    /// A list by steps from the context, with the positions that its first and last item share.
    LIST_BY_PLACE = 0.95, 0.95;
    /// A text that contains a label with a colon, before the value.
    COLON_INSIDE = 0.95, 0.95;
    /// Factor for a value in an attribute that a reader does not see, if the page also says it in words.
    UNSEEN_VALUE = 0.9, 0.9;
    /// Factor for a value that is one of the choices of a form, if the page also says it elsewhere: a form offers the same choices
    /// on every page.
    CHOICE = 0.5, 0.5;
    /// Factor for a value that is a part of a text: the words around it must stay, too.
    PART_OF_TEXT = 0.9, 0.9;
    /// Factor for records that must contain one of the fields: a record without it would be lost.
    ONE_CONDITION = 0.97, 0.97;
    /// Factor for records that must contain all these fields, which is more likely to lose some.
    ALL_CONDITIONS = 0.9, 0.9;
    /// Factor for records that are told from headings by what the headings say.
    NOT_HEADINGS = 0.96, 0.96;
    /// Factor for records that are told from headings by their number.
    NOT_FIRST = 0.93, 0.93;
    /// Factor for a part of a text after words that must be passed: these must stay, too.
    PASSED_WORDS = 0.95, 0.95;
    /// An attribute of an element that is known by its own words, such as the address of a link "PDF".
    OWN_WORDS = 0.97, 0.97;
    /// Factor for all of the text around the values that they share: much of it may be the page's own.
    ALL_SHARED = 0.97, 0.97;
    /// Factor for a path that found more than the value on some example, so that it needs its position to be right.
    FOUND_MORE = 0.8, 0.8;
}

/// Attributes that name an element, in the order of [`page::vocabulary::NAMING`] without `class`, and `rel`, which says
/// how a link relates to its page. That can mark a link, but does not name it, so it is not among the naming ones.
pub(super) const NAMES: [(&str, Trust); 8] = [
    ("itemprop", ITEMPROP),
    ("property", PROPERTY),
    ("data-testid", DATA_TESTID),
    ("data-label", DATA_LABEL),
    ("headers", HEADERS),
    ("id", ID),
    ("name", NAME),
    ("rel", REL),
];

/// How much trust a path can lose by what it finds on pages without examples.
pub(super) const UNSEEN: f64 = 0.4;
/// Factor for a path that finds the same text on all pages, if another one does not.
pub(super) const CONSTANT: f64 = 0.8;
/// The weight of agreement with the examples, relative to trust: a tenth less agreement outweighs any difference in
/// trust.
pub(super) const EXAMPLES: f64 = 10.0;

/// The number of weights.
const COUNT: usize = TABLE.len();

/// What a path depends on: for each weight, how often.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Trust([u8; COUNT]);

impl Trust {
    /// It depends on nothing.
    pub(super) const FULL: Trust = Trust([0; COUNT]);

    const fn on(place: usize) -> Trust {
        let mut counts = [0; COUNT];
        counts[place] = 1;
        Trust(counts)
    }

    /// For each weight, how often a path depends on it.
    pub fn counts(&self) -> &[u8] {
        &self.0
    }
}

impl Mul for Trust {
    type Output = Trust;

    fn mul(mut self, other: Trust) -> Trust {
        for (own, more) in self.0.iter_mut().zip(other.0) {
            *own = own.saturating_add(more);
        }
        self
    }
}

/// A path that could be chosen: what it depends on, and how right it is on pages that it was not made from, from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Trial {
    /// What it depends on.
    pub trust: Trust,
    /// How right it is elsewhere.
    pub right: f64,
}

/// What the weights are learned from: groups of paths among which one is chosen.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Trials {
    /// For each field, the paths to its value.
    pub values: Vec<Vec<Trial>>,
    /// The paths to the records of a list.
    pub records: Vec<Vec<Trial>>,
}

/// A table of weights, as natural logarithms in the order of [`Weights::names`].
#[derive(Clone, Debug, PartialEq)]
pub struct Weights {
    /// For paths to values.
    pub values: Vec<f64>,
    /// For paths to the records of a list.
    pub records: Vec<f64>,
}

impl Default for Weights {
    fn default() -> Weights {
        let column = |at: usize| TABLE.iter().map(|(_, weights)| weights[at].ln()).collect();
        Weights {
            values: column(0),
            records: column(1),
        }
    }
}

impl Weights {
    /// The names of the weights, in the order of [`Trust::counts`].
    pub fn names() -> impl Iterator<Item = &'static str> {
        TABLE.iter().map(|(name, _)| *name)
    }

    /// How far a path to a value is trusted.
    pub(super) fn of(&self, trust: &Trust) -> f64 {
        product(&self.values, trust)
    }

    /// How far a path to records is trusted.
    pub(super) fn of_records(&self, trust: &Trust) -> f64 {
        product(&self.records, trust)
    }
}

/// The product of the weights.
fn product(logarithms: &[f64], trust: &Trust) -> f64 {
    let each = logarithms.iter().zip(trust.0).filter(|(_, count)| *count > 0);
    each.map(|(log, count)| log * f64::from(count)).sum::<f64>().exp()
}

#[cfg(test)]
mod tests {
    use super::*;
    use page::vocabulary::NAMING;

    /// A name that the vocabulary knows must have a weight here, or no path would depend on it.
    #[test]
    fn every_naming_attribute_has_a_weight() {
        let weighted = NAMES.iter().map(|(name, _)| *name).filter(|name| *name != "rel");
        let naming = NAMING.into_iter().filter(|name| *name != "class");
        assert!(weighted.eq(naming));
    }
}
