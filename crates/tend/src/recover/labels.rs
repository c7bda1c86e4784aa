//! Labels that are not right before their values, on pages with one record each.
//!
//! *Idea.* The label of an item is the text right before it. A redesign may put the label after the value, as a caption, and it may put something between the two, such as
//! an advert. Both leave the words of the label as they were, so labels that fields are known to have are sought there as well:
//!
//! - *After it*: a row that has nothing but the item and then a known label ([`learn::guided::caption`]).
//! - *Farther before it*: if the text right before it is of this page alone, the nearest text before it that most pages have, if that is a known label. The more texts are
//!   between, the less the label counts, because each of them may be the value.
//!
//! *Input*: a page with its items, the fields, and what several pages have in common. *Output*: items with other labels. *Cost*: a pass over the items and their
//! texts.
//!
//! *Known failures*: one page does not tell an advert from a value.

use crate::columns::Items;
use crate::evidence::{Known, label_in};
use learn::guided::caption;
use page::{NodeId, Page, vocabulary};
use std::collections::{BTreeSet, HashMap, HashSet};
use wrapper::profile::LONGEST_LABEL;
use wrapper::rule::paths::value;

/// What most of several pages say. One page has nothing in common with others.
#[derive(Default)]
pub(super) struct Template {
    /// Whole texts.
    texts: HashSet<String>,
    /// Labels inside of texts, such as "Author" in `Author: Ann`.
    pub(super) labels: HashSet<String>,
}

impl Template {
    pub(super) fn new(pages: &[&Page]) -> Template {
        let all: Vec<Vec<String>> = pages
            .iter()
            .map(|page| page.texts().iter().map(|node| value(page, *node)).collect())
            .collect();
        Template {
            texts: of_most(&all, |text| Some(text).filter(|text| !text.is_empty())),
            labels: of_most(&all, label_in),
        }
    }
}

/// What most of several pages have.
fn of_most(pages: &[Vec<String>], of: impl Fn(&str) -> Option<&str>) -> HashSet<String> {
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for page in pages {
        let here: BTreeSet<&str> = page.iter().filter_map(|text| of(text)).collect();
        here.into_iter().for_each(|text| *counts.entry(text).or_default() += 1);
    }
    let is_common = |count: usize| count > 1 && count * 2 > pages.len();
    let common = counts.into_iter().filter(|(_, count)| is_common(*count));
    common.map(|(text, _)| text.to_owned()).collect()
}

/// The most texts between a label and its value: two adverts, of a link and a price each.
const BETWEEN: usize = 4;

/// Gives items the labels that are after them, or farther before them.
pub(super) fn relabel(page: &Page, items: &mut Items, known: &[Known<'_>], template: &Template) {
    let is_known = |words: &str| words.len() <= LONGEST_LABEL * 4 && known.iter().any(|known| known.is_named_by(words));
    let is_seen = |text: &&NodeId| vocabulary::is_seen(page, **text);
    let texts: Vec<NodeId> = page.texts().iter().filter(is_seen).copied().collect();
    let said = texts.into_iter().map(|text| (text, value(page, text)));
    let said: Vec<Said> = said
        .filter(|(_, words)| words.chars().any(char::is_alphanumeric))
        .map(|(text, words)| Said {
            is_known: is_known(&words),
            is_common: template.texts.contains(&words),
            text,
            words,
        })
        .collect();
    if !said.iter().any(|said| said.is_known) {
        return;
    }
    for item in 0..items.nodes.len() {
        let (node, look) = (items.nodes[item], &items.looks[item]);
        let own = look.sight.label.as_deref();
        if look.sight.attribute || own.is_some_and(&is_known) && caption(page, node).is_none() {
            continue;
        }
        let before = said.partition_point(|said| said.text < node);
        let after = said.partition_point(|said| said.text < page.end(node));
        let follows = said.get(after).filter(|said| said.is_known);
        if let Some(said) = follows.filter(|said| caption(page, node) == Some(said.text)) {
            items.looks[item].relabel(&said.words, 0);
            continue;
        }
        // What has words of the template is more than a value.
        if own.is_some_and(&is_known) || said[before..after].iter().any(|said| said.is_common) {
            continue;
        }
        let passed = said[..before].iter().rev().take(BETWEEN + 1);
        let passed = passed.take_while(|said| !said.is_common).count();
        let label = before.checked_sub(passed + 1).map(|at| &said[at]);
        if let Some(label) = label.filter(|label| label.is_known && (1..=BETWEEN).contains(&passed)) {
            items.looks[item].relabel(&label.words, i32::try_from(passed).unwrap_or(i32::MAX));
        }
    }
}

/// A text that a reader sees.
struct Said {
    text: NodeId,
    words: String,
    /// Is it the label of a field, as it was before?
    is_known: bool,
    /// Do most pages have it?
    is_common: bool,
}
