//! How much each kind of evidence counts: one table of weights.
//!
//! Whether a column of a page is a field is decided by several opinions between 0 and 1. Their weighted sum, divided by
//! [`FULL`] and multiplied by the factors below, is the fit of the column ([`crate::evidence`]).
//!
//! These numbers are judgements about what lasts when a site changes; none was fitted to a site.

/// A value that was seen before, word for word or nearly: hardly anything else says so much.
pub(crate) const RECURS: f64 = 3.0;
/// How much of that counts if letters and digits are the same and other signs are not, or if it is nearly the same: what recurs to the
/// letter is better.
pub(crate) const BARE: f64 = 0.97;
/// Words that the field has more often than the rest of the page.
pub(crate) const WORDS: f64 = 1.6;
/// The way of writing: `$0.0`, `Aa Aa`.
pub(crate) const SHAPE: f64 = 1.2;
/// What the elements around are called; templates change, but names for a thing are often kept.
pub(crate) const NAME: f64 = 1.2;
/// The least opinion on the sort for a value of the same kind: one date may be written `5/9/19`, the next one
/// `Thursday, May 9, 2019`.
pub(crate) const SAME_KIND: f64 = 0.6;
/// The share of values above which a field is of a kind.
pub(crate) const MOSTLY_KIND: f64 = 0.8;
/// The rough sort of the values: date, number, prose. Many columns share it.
pub(crate) const SORT: f64 = 1.0;
/// The words before the values, in lists and where none were known.
pub(crate) const LABEL: f64 = 1.0;
/// The same for a single value of a page. If they say what the values are, as "Weight:" does, readers need them and redesigns keep them: as telling as words of the
/// values themselves. Other texts are there by chance, such as the last entry of a menu, and what a redesign puts between says nothing.
pub(crate) const TELLING_LABEL: f64 = 2.0;
pub(crate) const OTHER_LABEL: f64 = 0.5;
/// The length of the values, which rules out more than it confirms.
pub(crate) const LENGTH: f64 = 0.8;
/// Whether the values are links: a redesign may add or remove these.
pub(crate) const LINK: f64 = 0.5;
/// The tag: the first thing that a redesign changes.
pub(crate) const TAG: f64 = 0.4;
/// How much more a list is worth if the paths of the old rule lead to its records, but for names of classes and ids: other lists of the page, or rows of
/// another kind, may have values of the same kinds.
pub(crate) const SAME_PATH: f64 = 1.3;
/// Whether the values are as different from each other as they were: says little of short columns.
pub(crate) const VARIETY: f64 = 0.4;
/// The sum that is a full fit: about all of the above but [`RECURS`], since values on new pages are mostly new, and the label.
pub(crate) const FULL: f64 = 7.2;
/// What a column loses of its fit if its texts are not in the titles of their pages and nearly all known values were, or the other way round: the name of
/// the thing that a page is about stays in its title.
pub(crate) const TITLE: f64 = 0.25;
/// The shares of values below and above which hardly any and nearly all are in titles.
pub(crate) const IN_TITLES: (f64, f64) = (0.1, 0.8);
/// Values that must be known to say so.
pub(crate) const TITLED: u64 = 5;

/// The opinion of a label where none was known: nothing can be said, so a little less than the middle.
pub(crate) const UNKNOWN_LABEL: f64 = 0.4;
/// The share of its words that a label must have in common with a known one to be the same.
pub(crate) const SAME_LABEL: f64 = 0.5;
/// What is left of the opinion of a label for each text between it and the value: hardly less, because what a redesign puts there is no value. It decides between
/// texts that fit as well.
pub(crate) const BETWEEN: f64 = 0.95;
/// The share of values that must be known for a field to be told by them.
pub(crate) const KNOWN: f64 = 0.5;
/// What is left of how sure a field is that had a label and has neither its label nor known values now.
pub(crate) const WITHOUT_LABEL: f64 = 0.5;
/// What is left of how sure a field is whose values were of a kind and are not now, or the other way round.
pub(crate) const WITHOUT_KIND: f64 = 0.5;
/// In a list, less than one of this number of items is hardly any.
pub(crate) const HARDLY: usize = 10;
/// What is left of how sure a field is whose values are made of other things than all known ones.
pub(crate) const MADE_OTHERWISE: f64 = 0.3;
/// Known values that tell what all values are made of.
pub(crate) const MADE_OF: usize = 8;
/// What is left of how sure a field is that has the same value on all pages, and had others on most.
pub(crate) const ALL_THE_SAME: f64 = 0.3;
/// What is left of how sure a field of a list is if none of its values is known, and those of other fields are.
pub(crate) const RENEWED: f64 = 0.3;
/// Values that tell whether they last: at least this number, more than this share of them different, at most this share of them numbers.
pub(crate) const LASTING: (usize, f64, f64) = (5, 0.5, 0.5);
/// The least share of known values of a field by which records are known, and the largest by which the values of another field are not.
pub(crate) const SAME_RECORDS: (f64, f64) = (0.8, 0.05);
/// How well shapes must agree for values to be written as before.
pub(crate) const WRITTEN_SO: f64 = 0.8;
/// What is left of how sure a field is if its records had two texts of the same make and have one now.
pub(crate) const ONE_OF_TWO: f64 = 0.3;
/// What is left of how sure all fields of a list are if nothing says which of several lists of the same make is the right one.
pub(crate) const WHICH_LIST: f64 = 0.3;
/// The largest score of a field if nothing tells it from another one that fits as well, or if it is known that some of its values may be others. Such fields are mostly
/// right, but not in nine of ten cases.
pub(crate) const UNTOLD: f64 = 0.45;
/// Values that tell whether they repeat each other, and the part of the usual share of different ones, a third, that is few: each page
/// of a list may be about one thing, so that half of it is not.
pub(crate) const REPEATED: usize = 8;
pub(crate) const FEW: f64 = 0.34;
/// Known values that must be of no kind for a kind to be new.
pub(crate) const KINDLESS: usize = 5;
/// What is left of the fit of values that all have the same new word or sign around them: the value is a part of each, or it is something else.
pub(crate) const FRAMED: f64 = 0.5;
/// In a list, what is left of the fit of a column whose values all have the same new sign around them: enough to prefer a part of each without it, not to lose the
/// values where there is no such part.
pub(crate) const SIGNED: f64 = 0.9;
/// What a column loses of its fit if its texts are beginnings of texts, and all known values were all of a text: what follows may belong to the value, as in `8:00 AM – 5:00 PM` where
/// all values were as `9:00 AM`. A rest that is longer than the value by more characters than this is something else.
pub(crate) const CUT_SHORT: f64 = 0.5;
pub(crate) const REST: usize = 8;
/// What a column loses of its fit if its texts are written as labels are, such as `Author:`, and no known value was: values follow labels.
pub(crate) const NO_LABEL: f64 = 0.7;
/// The share of known values that are all of a text, for all to be so.
pub(crate) const WHOLE: f64 = 0.9;
/// What is left of the fit of addresses that lead elsewhere.
pub(crate) const ELSEWHERE: f64 = 0.7;
/// Addresses, known and new, that tell what they have in common, and the letters of a word that tells.
pub(crate) const LED: usize = 3;
pub(crate) const LETTERS: usize = 4;
/// Different texts that must have it, and known values that must be without: two may be so by chance.
pub(crate) const FRAMED_TEXTS: usize = 3;
/// The part of the known spread of lengths by which a length may differ for nothing.
pub(crate) const LENGTH_SLACK: f64 = 0.5;
/// What the opinion on variety loses if all values differ that were the same, or the other way round.
pub(crate) const VARIETY_LOSS: f64 = 0.7;
/// The opinion on names where an element is called as the field is, whatever it was called before.
pub(crate) const CALLED_AS_FIELD: f64 = 0.6;
/// The most that earlier names alone can give: a class may be kept for its looks.
pub(crate) const CALLED_AS_BEFORE: f64 = 0.7;

/// Exponent for a column with fewer items in a record than usual: some records may lack the field.
pub(crate) const FEWER: f64 = 0.35;
/// Exponent for one with more: mild, since a list may have grown.
pub(crate) const MORE: f64 = -0.2;
/// Items in a record are not counted as fewer than this, so that ratios stay finite.
pub(crate) const FEWEST: f64 = 0.1;
/// What is left of a fit where values in attributes are now in text, or the other way round.
pub(crate) const OTHER_PLACE: f64 = 0.3;

/// The share of values above which a field is one of dates.
pub(crate) const MOSTLY_DATES: f64 = 0.8;
/// The share of values above which a field is one of attributes.
pub(crate) const MOSTLY_ATTRIBUTES: f64 = 0.5;
/// The share of values above which a field is one of texts of links.
pub(crate) const MOSTLY_LINKS: f64 = 0.8;
/// The share of links that must have a word for it to tell these links from others.
pub(crate) const MOSTLY_SAID: f64 = 0.8;
/// A column that belongs to the same links as another field's is taken if it fits at least this share as well as the best one.
pub(crate) const SAME_LINK: f64 = 0.6;
/// The share of words, rare ones counting for more, that a nearly known value has in common with a known one.
pub(crate) const NEARLY: f64 = 0.5;
/// A text with fewer words is known only as a whole.
pub(crate) const FEWEST_WORDS: usize = 3;
