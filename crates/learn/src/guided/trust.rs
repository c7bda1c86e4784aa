//! How far a path is trusted: one table of weights.
//!
//! Each weight is our estimate of the chance that a path which depends on something still leads to the right node on
//! another page of the site. The trust of a path that depends on several things is the product of their weights. The
//! weights are judgements: they were not fitted to any site or benchmark. Examples decide first ([`EXAMPLES`]); trust
//! chooses among the paths that fit them equally well.

/// Attributes that name an element, in the order of [`page::vocabulary::NAMING`] without `class`, and `rel`, which says
/// how a link relates to its page. That can mark a link, but does not name it, so it is not among the naming ones.
pub(super) const NAMES: [(&str, f64); 8] = [
    // Written for programs that read the page.
    ("itemprop", 0.97),
    ("property", 0.97),
    // Written for the site's own tests, so it stays when the layout changes.
    ("data-testid", 0.96),
    // Says which column a cell belongs to, and changes only with the table's headings.
    ("data-label", 0.93),
    ("headers", 0.93),
    // Unique on the page, but not always about the same thing on the next one.
    ("id", 0.96),
    // Forms and anchors use it; several elements may share it.
    ("name", 0.93),
    // Many links share one value, such as `nofollow`.
    ("rel", 0.8),
];
/// Factor for a name with digits in it, which may be the number of the record.
pub(super) const NUMBERED_NAME: f64 = 0.8;
/// The whole `class`: says what something is, or how it looks.
pub(super) const CLASS: f64 = 0.92;
/// A `class` with digits in it, which tools often generate.
pub(super) const NUMBERED_CLASS: f64 = 0.87;
/// One of several classes: there may be other elements that have it.
pub(super) const ONE_CLASS: f64 = 0.91;

/// A tag that says what it contains, anywhere below the context.
pub(super) const TELLING_TAG: f64 = 0.93;
/// The tag of a list's items, anywhere below the context: other lists may use it.
pub(super) const BARE_TAG: f64 = 0.85;
/// The next element with a tag, or the next text: any change in between moves it.
pub(super) const NEXT_OF_TAG: f64 = 0.8;

/// A step with a position: an element that is added or missing before it makes it wrong.
pub(super) const PLACED_STEP: f64 = 0.93;
/// A step to an only child of its name: a second one may come.
pub(super) const ONLY_STEP: f64 = 0.995;
/// Factor for a path of positions from the context alone, with nothing that says what the node is.
pub(super) const PLACE_ALONE: f64 = 0.95;
/// Factor for leaving all positions out below a mark: the path may lead to more than one node.
pub(super) const UNPLACED: f64 = 0.9;
/// The same for a list, where several nodes are wanted.
pub(super) const UNPLACED_LIST: f64 = 0.93;
/// Factor for keeping the positions that all items of a list share, below a mark.
pub(super) const SHARED_PLACES: f64 = 0.93;

/// A label that ends with a colon, or that says what the field is called: it can only be a label.
pub(super) const COLON: f64 = 0.99;
/// A label in an element that pages use for labels.
pub(super) const LABEL_TAG: f64 = 0.96;
/// The first words of a row, beside other rows that begin with other words.
pub(super) const IN_ROWS: f64 = 0.95;
/// The heading of a column: columns are added more often than they are renamed.
pub(super) const COLUMN_HEADING: f64 = 0.95;
/// Other words before the value: they may be anything.
pub(super) const OTHER_WORDS: f64 = 0.85;
/// Factor for the nearest words before the value; not 1, since even these may belong to something else.
pub(super) const NEAREST_LABEL: f64 = 0.97;
/// What each text between the label and the value takes from the factor.
pub(super) const LABEL_DISTANCE: f64 = 0.06;
/// Factor for a value that is not the first of its kind after the label.
pub(super) const LATER_AFTER_LABEL: f64 = 0.9;
/// Factor for a list below a heading: the list may begin further down on another page.
pub(super) const BELOW_HEADING: f64 = 0.97;

/// Factor for the next marked element anywhere after the context: it may belong to the next record.
pub(super) const NEXT_ANYWHERE: f64 = 0.95;
/// Factor for the next marked sibling, which is more likely to belong to the same record.
pub(super) const NEXT_SIBLING: f64 = 0.97;
/// Factor for an attribute of an element above the context.
pub(super) const ATTRIBUTE_ABOVE: f64 = 0.95;
/// Factor for the first sibling of its kind beside the context.
pub(super) const FIRST_BESIDE: f64 = 0.93;
/// Factor for a later one: every sibling in between can be missing.
pub(super) const LATER_BESIDE: f64 = 0.8;

/// Factor for a list that had one item in an example: more may come, elsewhere.
pub(super) const LIST_OF_ONE: f64 = 0.97;
/// Factor for a marked list item anywhere below the context: other parts of the page may use the mark.
pub(super) const ITEM_ANYWHERE: f64 = 0.98;
/// A list by steps from the context, with the positions that its first and last item share.
pub(super) const LIST_BY_PLACE: f64 = 0.95;

/// A text that contains a label with a colon, before the value.
pub(super) const COLON_INSIDE: f64 = 0.95;
/// Factor for a value in an attribute that a reader does not see, if the page also says it in words.
pub(super) const UNSEEN_VALUE: f64 = 0.9;
/// Factor for a value that is one of the choices of a form, if the page also says it elsewhere: a form offers the same choices
/// on every page.
pub(super) const CHOICE: f64 = 0.5;
/// Factor for a value that is a part of a text: the words around it must stay, too.
pub(super) const PART_OF_TEXT: f64 = 0.9;
/// Factor for records that must contain one of the fields: a record without it would be lost.
pub(super) const ONE_CONDITION: f64 = 0.97;
/// Factor for records that must contain all these fields, which is more likely to lose some.
pub(super) const ALL_CONDITIONS: f64 = 0.9;
/// Factor for records that are told from headings by what the headings say.
pub(super) const NOT_HEADINGS: f64 = 0.96;
/// Factor for records that are told from headings by their number.
pub(super) const NOT_FIRST: f64 = 0.93;
/// Factor for a part of a text after words that must be passed: these must stay, too.
pub(super) const PASSED_WORDS: f64 = 0.95;
/// An attribute of an element that is known by its own words, such as the address of a link "PDF".
pub(super) const OWN_WORDS: f64 = 0.97;
/// Factor for all of the text around the values that they share: much of it may be the page's own.
pub(super) const ALL_SHARED: f64 = 0.97;
/// Factor for a path that found more than the value on some example, so that it needs its position to be right.
pub(super) const FOUND_MORE: f64 = 0.8;
/// How much trust a path can lose by what it finds on pages without examples.
pub(super) const UNSEEN: f64 = 0.4;
/// Factor for a path that finds the same text on all pages, if another one does not.
pub(super) const CONSTANT: f64 = 0.8;
/// The weight of agreement with the examples, relative to trust: a tenth less agreement outweighs any difference in
/// trust.
pub(super) const EXAMPLES: f64 = 10.0;

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
