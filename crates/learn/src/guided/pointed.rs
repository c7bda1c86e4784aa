//! One more field for records whose places are known: somebody points at its values.
//!
//! Where records are is not in question here, so nothing is learned anew that was right before. As in
//! [`guided`](super), the paths that lead to the places are tried on all records that were pointed at, and records
//! nobody pointed at decide among those that fit equally well. A record in which the value was said to be wrong, or missing,
//! rules out the paths that find something there.

use super::fields::{By, Case, candidates, choose, shared};
use super::paths::Hints;
use super::trust::Weights;
use super::unseen::Unseen;
use super::{Wanted, spots_of};
use page::{NodeId, Page};
use std::collections::HashSet;
use wrapper::profile::{Places, Spot};
use wrapper::rule::paths::{PathField, value};

/// A record, and where the values of the field are in it: nowhere, if it has none.
#[derive(Clone, Debug)]
pub struct Shown<'p> {
    /// The page.
    pub page: &'p Page,
    /// The record: where its paths begin.
    pub context: NodeId,
    /// Elements, texts or attributes.
    pub nodes: Vec<NodeId>,
}

/// Paths from records to the values that were pointed at, and the share of these records that they get right. `also` are other
/// records, and `known` are values of other fields, which are no labels.
///
/// ```
/// use learn::guided::{Shown, Wanted, learn_field};
/// use page::{NodeId, Page};
/// use std::collections::HashSet;
///
/// let page = Page::parse_str("<li><b>Kelp</b> <i>7.25</i></li>", &Default::default())?;
/// let price = page.texts().last().copied().into_iter().collect();
/// let shown = Shown { page: &page, context: NodeId::DOCUMENT, nodes: price };
/// let want = Wanted { name: "price".to_owned(), many: false };
/// let (field, right) = learn_field(&want, &[shown], &[], &HashSet::new()).ok_or("no path")?;
/// assert_eq!(right, 1.0);
/// assert!(field.ways[0].path.contains("i"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn learn_field(
    want: &Wanted,
    shown: &[Shown<'_>],
    also: &[(&Page, NodeId)],
    known: &HashSet<String>,
) -> Option<(PathField, f64)> {
    let mut cases = Vec::new();
    let mut spots: Vec<Vec<Vec<Spot>>> = Vec::new();
    for record in shown {
        let texts: Vec<String> = record.nodes.iter().map(|node| value(record.page, *node)).collect();
        let places = Places::new(record.page);
        let found = record.nodes.iter().zip(&texts).map(|(node, text)| {
            let pin = whole_element(record.page, *node);
            let end = record.page.end(pin).max(NodeId(pin.0 + 1));
            let mut spots = spots_of(record.page, &places, &vec![(text.clone(), pin)], text);
            spots.retain(|spot| pin <= spot.node && spot.node < end && spot.is_whole());
            if spots.is_empty() {
                spots.push(Spot {
                    node: pin,
                    before: String::new(),
                    behind: String::new(),
                });
            }
            spots
        });
        spots.push(found.collect());
        cases.push(Case {
            page: record.page,
            context: record.context,
            says: texts,
        });
    }
    let shared = shared(spots.iter().flatten().map(Vec::as_slice));
    let hints = Hints {
        values: known,
        name: &want.name,
        shared: shared.as_ref(),
        others: &[],
    };
    let mut ways = Vec::new();
    for (case, spots) in cases
        .iter()
        .zip(&spots)
        .filter(|(_, spots)| !spots.is_empty())
        .take(SOURCES)
    {
        ways.extend(candidates(case, spots, want.many, hints));
    }
    let unseen: Vec<Unseen<'_>> = also
        .iter()
        .map(|(page, context)| Unseen {
            page,
            context: *context,
        })
        .collect();
    let by = By {
        unseen: &unseen,
        weights: &Weights::default(),
    };
    let chosen = choose(ways, &cases, want.many, by);
    (!chosen.field.ways.is_empty()).then_some((chosen.field, chosen.right))
}

/// The number of records that paths are made from.
const SOURCES: usize = 4;

/// The element of a text, if it says nothing else.
fn whole_element(page: &Page, node: NodeId) -> NodeId {
    let text = value(page, node);
    let parent = page.parent(node).filter(|parent| page.is_element(*parent));
    match parent {
        Some(parent) if !page.is_attribute(node) && !page.is_element(node) && value(page, parent) == text => parent,
        _ => node,
    }
}
