//! The one thing that a page is about, as a record: its name, its price, and what its labels say.
//!
//! **In**: a page and the lists that were found on it. **Out**: a [`Thing`]: a rule that gives one record for a page, with the name of the page as `title`, a `price` if one is beside the
//! name, and a field for each label of its [`properties`](super::properties). A value is found by the words of its label, so that another page of the site with more or fewer labels has
//! its values in the right fields.
//!
//! A page about one thing may have a list, too: recommended things, photos, what customers say. Two signs tell that the list is not what is meant:
//!
//! - *The price of the thing*: after the name of the page there is a price, and the part of the page that has both does not have the list. On a page with a list of things, prices are in
//!   the list, and what is around the name and a price is around the list, too.
//! - *Its properties come first*: the name, then the properties, then a heading below which the list is.
//!
//! *Known failures*: values without labels other than the price are no fields; a page with the list of a shop's things below the address of the shop, with a heading.

use super::properties::{Property, properties};
use super::sight::Sight;
use super::{Candidate, is_one_of};
use crate::guided::literal;
use crate::naming::{Used, is_generated, label_name};
use page::titles::plain;
use page::{Kind, NodeId, Page};
use record::values;
use wrapper::rule::paths::{PathField, Paths, PathsRun, Way, value};

/// The fewest fields of a record beside the name.
const FEWEST: usize = 2;
/// How many leaves after the name of a page are looked at for a price.
const NEAR: usize = 400;
/// The most bytes of the source text of a price.
const PRICE: usize = 60;
/// The most letters of a price: `From 12.50 EUR`. With more it is a sentence about prices, such as what the price was.
const LETTERS: usize = 8;

/// What a page says about one thing.
#[derive(Clone, Debug)]
pub struct Thing {
    /// The rule that gives one record for a page.
    pub rule: Paths,
    /// The names of its fields.
    pub names: Vec<String>,
}

/// The thing of a page with these properties, if the page is about one and not about `list`, the best one that was found, and says something about it.
pub(super) fn find(sight: &Sight<'_>, properties: Vec<Property>, list: Option<&Candidate>) -> Option<Thing> {
    let page = sight.page;
    let name = name(page);
    // The price of a record of the list is not that of the page.
    let price = name.as_ref().and_then(|(name, _)| {
        let price = price(sight, *name)?;
        list.is_none_or(|list| is_apart(sight, *name, price, list))
            .then_some(price)
    });
    let is_meant = |list: &Candidate| {
        let first = |(name, _): &(NodeId, String)| is_first(page, *name, &properties, list);
        price.is_some() || name.as_ref().is_some_and(first)
    };
    if !list.is_none_or(is_meant) {
        return None;
    }
    let mut used = Used::default();
    let (mut names, mut ways) = (Vec::new(), Vec::new());
    let mut add = |name: String, way: Way| {
        names.push(used.fresh(name));
        ways.push(way);
    };
    let title = name.as_ref().map_or("//title", |(_, path)| path);
    add("title".to_owned(), to(title.to_owned()));
    let way = name
        .as_ref()
        .zip(price)
        .and_then(|((_, path), price)| price_way(page, path, price));
    way.into_iter().for_each(|way| add("price".to_owned(), way));
    for property in properties {
        if let (Some(name), Some(way)) = (label_name(&property.label), property.way)
            && leads_to(page, &way, &property.value)
        {
            add(name, way);
        }
    }
    // A price alone says what the page is about; one label may be by chance.
    let enough = if price.is_some() { FEWEST } else { FEWEST + 1 };
    let fields = ways.into_iter().map(|way| PathField {
        many: false,
        ways: vec![way],
    });
    let rule = Paths {
        fields: fields.collect(),
        ..Paths::default()
    };
    (names.len() >= enough).then_some(Thing { rule, names })
}

/// The properties of all blocks, in the order of the page.
pub(super) fn all_properties(sight: &Sight<'_>, all: &[Candidate]) -> Vec<Property> {
    let is_block = |candidate: &&Candidate| {
        candidate.is_part && !sight.is_framing(candidate.firsts()[0]) && !sight.says_frame(candidate.items.base)
    };
    let blocks = all.iter().filter(is_block);
    let mut blocks: Vec<Vec<Property>> = blocks.map(|block| properties(sight, block)).collect();
    // Of two divisions of one block, that with more labels.
    blocks.sort_by_key(|block| std::cmp::Reverse(block.len()));
    let mut kept: Vec<Property> = Vec::new();
    for property in blocks.into_iter().flatten() {
        let is_known = |other: &Property| other.node == property.node || other.label == property.label;
        if !kept.iter().any(is_known) {
            kept.push(property);
        }
    }
    kept.sort_by_key(|property| property.node);
    kept
}

fn to(path: String) -> Way {
    Way { path, ..Way::default() }
}

/// The name of a page and the path to it: its only heading of the first level, or the first one that its title has in it.
fn name(page: &Page) -> Option<(NodeId, String)> {
    let named = |wanted: &'static str| {
        page.elements()
            .iter()
            .copied()
            .filter(move |element| page.name(*element) == wanted)
    };
    let headings: Vec<(usize, NodeId, String)> = named("h1")
        .enumerate()
        .map(|(number, heading)| (number, heading, plain(page.string_value(heading))))
        .filter(|(_, _, text)| !text.is_empty())
        .collect();
    let title = named("title").next().map(|title| plain(page.string_value(title)));
    match &headings[..] {
        [] => None,
        [(_, only, _)] => Some((*only, "//h1".to_owned())),
        several => {
            let title = title?;
            let (number, heading, _) = several.iter().find(|(_, _, text)| title.contains(text.as_str()))?;
            Some((*heading, format!("(//h1)[{}]", number + 1)))
        }
    }
}

/// The element with the first price after the name of a page, in no link and not struck out.
fn price(sight: &Sight<'_>, name: NodeId) -> Option<NodeId> {
    let page = sight.page;
    let from = sight.range(name).end;
    let leaves = &sight.leaves[from..sight.leaves.len().min(from + NEAR)];
    let is_price = |element: &NodeId| {
        let text = page.string_value(*element);
        text.len() <= PRICE
            && page.kind(*element) == Kind::Element
            && text.chars().filter(|c| c.is_alphabetic()).count() <= LETTERS
            && is_one_of(text.trim(), &[values::Kind::Price])
            && !page.ancestors(*element).take(2).any(|up| is_struck(page.name(up)))
            && !is_struck(page.name(*element))
    };
    let texts = leaves.iter().filter(|leaf| leaf.is_text() && leaf.link().is_none());
    let texts = texts.filter(|leaf| !sight.is_framing(leaf.node));
    // The sign of a currency may be an element of its own.
    texts.flat_map(|leaf| page.ancestors(leaf.node).take(2)).find(is_price)
}

/// Does the element strike its text out?
fn is_struck(name: &str) -> bool {
    matches!(name, "del" | "s" | "strike")
}

/// The way to the price of a page after its name: by the word of its class, or of the class around it, that fewest elements have.
fn price_way(page: &Page, name: &str, price: NodeId) -> Option<Way> {
    let text = value(page, price);
    let mut ways: Vec<(usize, Way)> = Vec::new();
    for element in std::iter::once(price).chain(page.parent(price)) {
        if value(page, element) != text {
            continue;
        }
        let classes = |element: NodeId| page.attribute_value(element, "class").unwrap_or("").split_whitespace();
        for word in classes(element).filter(|word| !is_generated(word)) {
            let has = |other: &&NodeId| {
                page.name(**other) == page.name(element) && classes(**other).any(|class| class == word)
            };
            let way = to(format!(
                "{name}/following::{}[contains(concat(\" \", normalize-space(@class), \" \"), {})]",
                page.name(element),
                literal(&format!(" {word} "))
            ));
            ways.push((page.elements().iter().filter(has).count(), way));
        }
    }
    ways.sort_by_key(|(count, _)| *count);
    let ways = ways.into_iter().map(|(_, way)| way);
    ways.into_iter().find(|way| leads_to(page, way, &text))
}

/// Does a way lead to this value on a page? Another row may have the same label.
fn leads_to(page: &Page, way: &Way, value: &str) -> bool {
    let rule = Paths {
        fields: vec![PathField {
            many: false,
            ways: vec![way.clone()],
        }],
        ..Paths::default()
    };
    let Ok(run) = PathsRun::new(&rule) else { return false };
    let found = run.field(page, NodeId::DOCUMENT, 0);
    found.first().is_some_and(|found| plain(&found.text) == plain(value))
}

/// Has the part of the page with its name and its price no record of a list, and no record the name?
fn is_apart(sight: &Sight<'_>, name: NodeId, price: NodeId, list: &Candidate) -> bool {
    let page = sight.page;
    let Some(part) = page.ancestors(name).find(|up| price < page.end(*up)) else {
        return false;
    };
    let (start, end) = (part, page.end(part));
    let is_in = |first: &NodeId| start <= *first && *first < end;
    !list.firsts().iter().any(is_in) && !list.holds(page, name)
}

/// Is the name of a page before its properties, these are before a heading, and that before the list? Rows of properties may have been taken for records of the list.
fn is_first(page: &Page, name: NodeId, properties: &[Property], list: &Candidate) -> bool {
    let (Some(first), Some(last)) = (properties.first(), properties.last()) else {
        return false;
    };
    let is_row = |record: &NodeId| {
        let end = page.end(*record);
        properties
            .iter()
            .any(|property| *record <= property.node && property.node < end)
    };
    let Some(start) = list.firsts().into_iter().find(|record| !is_row(record)) else {
        return true;
    };
    let is_heading = |node: &NodeId| matches!(page.name(*node), "h2" | "h3" | "h4" | "h5" | "h6");
    let between = |node: &&NodeId| last.node < **node && **node < start;
    name < first.node && page.elements().iter().filter(between).any(is_heading)
}

#[cfg(test)]
mod tests {
    use crate::regions::{Found, look};
    use page::{Job, Page};
    use wrapper::rule::paths::PathsRun;

    fn found(html: &str) -> (Found, Page) {
        let page = Page::parse_str(html, &Default::default()).unwrap();
        (look(&page, &Job::new()), page)
    }

    fn cards(heading: &str) -> String {
        let card = |name: &str| {
            format!("<li><a href=/{name}><img src=/{name}.jpg> The {name} lamp</a> <b class=cost>$9.00</b></li>")
        };
        let cards: String = ["kelp", "moss", "fern", "alga"].map(card).concat();
        format!("{heading}<ul>{cards}</ul>")
    }

    #[test]
    fn a_page_with_a_price_beside_its_name_is_about_one_thing() {
        let html = format!(
            "<title>Reed Lamp</title><main><div><h1>Reed Lamp</h1><s class=cost>$20.00</s> <i class=cost>Original price was: $20.00</i> <b class=cost>$12.00</b></div>{}</main>",
            cards("<h2>You may like</h2>")
        );
        let (found, page) = found(&html);
        let thing = found.thing.unwrap();
        let records = PathsRun::new(&thing.rule).unwrap().page(&page);
        let values: Vec<&str> = records[0].values.iter().map(|value| value.text.as_str()).collect();
        assert_eq!(
            (thing.names.join(" "), values),
            ("title price".to_owned(), vec!["Reed Lamp", "$12.00"])
        );
    }

    #[test]
    fn a_price_around_a_list_is_not_that_of_the_page() {
        let html = format!(
            "<title>Lamps</title><main><h1>Lamps</h1><p class=note>$12.00</p>{}</main>",
            cards("")
        );
        let (found, _) = found(&html);
        assert!(found.thing.is_none());
        assert_eq!(found.lists[0].records, 4);
    }

    #[test]
    fn properties_before_a_list_with_a_heading_are_what_is_meant() {
        let rows = "<ul><li>Weight: 1 kg<li>Colour: red<li>Made in: Norway</ul>";
        let (about, _) = found(&format!("<h1>Reed Lamp</h1>{rows}{}", cards("<h2>You may like</h2>")));
        assert_eq!(about.thing.unwrap().names.join(" "), "title weight colour made_in");
        let (list, _) = found(&format!("<h1>Lamps</h1>{}{rows}", cards("")));
        assert!(list.thing.is_none());
        assert_eq!(list.lists[0].records, 4);
    }
}
