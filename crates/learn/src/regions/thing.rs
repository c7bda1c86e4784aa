//! The one thing that a page is about, as a record: its name, its price, and what its labels say.
//!
//! **In**: a page and the lists that were found on it. **Out**: a [`Thing`]: a rule that gives one record for a page, with the name of the page as `title`, a `price` if one is beside the
//! name, a field for each label of its [`properties`](super::properties), and what else it says with a label or a mark of its own. A value is found by the words of its label, so that another page of the site with more or fewer labels has
//! its values in the right fields.
//!
//! A page about one thing may have a list, too: recommended things, photos, what customers say. Four signs tell that the list is not what is meant:
//!
//! - *The price of the thing*: after the name of the page there is a price, and the part of the page that has both does not have the list. On a page with a list of things, prices are in
//!   the list, and what is around the name and a price is around the list, too.
//! - *Its properties come first*: the name, then the properties, then a heading below which the list is.
//!
//! - *Its labels are in the list*: half of the records have a label that the page has once, or its value.
//! - *The list is around it*: links before the name, or in a menu or footer, and two labels or more.
//!
//! The name is in the title of the page for the last two. Beside properties and the price, what is told by a label, a class or the like is a field ([`said`]).
//!
//! *Known failures*: a page with the list of a shop's things below the address of the shop, with a heading.

mod said;

use super::properties::{Property, are_records, properties};
use super::sight::Sight;
use super::{Candidate, HALF, is_one_of, seen};
use crate::guided::literal;
use crate::naming::{Naming, Unnamed, Used, is_generated, label_name};
use page::titles::plain;
use page::{Kind, NodeId, Page};
use record::values;
use said::{Around, Said};
use std::collections::HashMap;
use std::ops::Range;
use wrapper::rule::paths::{PathField, Paths, PathsRun, Way, value};

/// The fewest fields of a record beside the name.
const FEWEST: usize = 2;
/// This many labels are about a thing, and not about the list after them.
const MANY: usize = 3;
/// How many leaves after the name of a page are looked at for a price.
const NEAR: usize = 400;
/// The most bytes of the source text of a price.
const PRICE: usize = 60;
/// The most letters of a price: `From 12.50 EUR`. With more it is a sentence about prices, such as what the price was.
const LETTERS: usize = 8;

/// The most texts of rows with labels, on average: two labels with their values in each.
const ROW: usize = 4;
/// The longest label, in bytes.
const LABEL: usize = 200;
/// How often a page may say a label of its thing: once for each size of the screen.
const COPIES: usize = 2;

/// What a page says about one thing.
#[derive(Clone, Debug)]
pub struct Thing {
    /// The rule that gives one record for a page.
    pub rule: Paths,
    /// The names of its fields.
    pub names: Vec<String>,
}

/// The short texts of a page without the colon at their end, and how often it says each.
fn times<'p>(sight: &Sight<'p>) -> HashMap<&'p str, usize> {
    let leaves = sight.leaves.iter().filter(|leaf| leaf.is_text());
    let texts = leaves.map(|leaf| plain_label(sight.page.string_value(leaf.node)));
    let mut times: HashMap<&str, usize> = HashMap::new();
    for text in texts.filter(|text| text.len() <= LABEL) {
        *times.entry(text).or_default() += 1;
    }
    times
}

fn plain_label(text: &str) -> &str {
    text.trim_matches(|c: char| c == ':' || c.is_whitespace())
}

/// The thing of a page with these properties, if the page is about one and not about `list`, the best one that was found, and says something about it.
pub(super) fn find(sight: &Sight<'_>, properties: Vec<Property>, list: Option<&Candidate>) -> Option<Thing> {
    let page = sight.page;
    let name = name(page);
    // The price of a record of the list is not that of the page.
    let price = name.as_ref().and_then(|name| {
        let price = price(sight, name.node)?;
        list.is_none_or(|list| is_apart(sight, name.node, price, list))
            .then_some(price)
    });
    let around = name
        .as_ref()
        .map(|name| Around::new(sight, &name.path, after(sight, name.node)));
    let mut properties = properties;
    let is_found = |property: &Property| {
        let way = property.way.as_ref();
        way.is_some_and(|way| leads_to(page, way, &property.value))
    };
    properties.retain(is_found);
    // What several things of a page have in common is no label of the page.
    let said = if properties.is_empty() {
        HashMap::new()
    } else {
        times(sight)
    };
    properties.retain(|property| {
        said.get(plain_label(&property.label))
            .is_none_or(|times| *times <= COPIES)
    });
    let mut labelled = around.as_ref().map_or(Vec::new(), Around::labelled);
    labelled.retain(|said| {
        let is_known = |property: &Property| Some(&property.label) == said.label.as_ref();
        !properties.iter().any(is_known)
    });
    let values: Vec<String> = labelled.iter().map(|said| value(page, said.node)).collect();
    let values: Vec<&str> = values.iter().map(String::as_str).collect();
    if values.len() >= FEWEST && are_records(&values) {
        labelled.clear();
    }
    let mut own_rows = false;
    if let (Some(list), Some(name)) = (list, &name) {
        // Records that say more than a label or two with their values are no rows of labels: what is in them is about them.
        let leaves: usize = list.looked().iter().map(|record| list.leaves(record).len()).sum();
        let is_own = |node: NodeId| leaves > ROW * list.looked().len() && is_in(page, node, list);
        let nodes = || {
            let nodes = properties.iter().map(|property| property.node);
            nodes.filter(|node| !is_own(*node))
        };
        let found = labelled.iter().map(|said| [said.at, said.node]);
        let found = found.filter(|[label, said]| !is_own(*label) && !is_own(*said));
        let labels: Vec<[NodeId; 2]> = nodes().map(|node| [node; 2]).chain(found).collect();
        own_rows = name.is_title && labels.len() >= FEWEST && are_rows(page, &labels, list);
        let is_apart = || name.is_title && labels.len() >= FEWEST && is_around(sight, name.node, list);
        // A label or two before a list may be about the list.
        let is_enough = name.is_title && labels.len() >= MANY;
        let first: Vec<NodeId> = match is_enough {
            true => labels.iter().map(|[label, _]| *label).collect(),
            false => nodes().collect(),
        };
        let is_first = || is_first(page, name.node, first, list);
        if price.is_none() && !own_rows && !is_apart() && !is_first() {
            return None;
        }
    } else if list.is_some() {
        return None;
    }
    let mut fields: Vec<(NodeId, String, Vec<Way>)> = Vec::new();
    let properties = properties
        .into_iter()
        .filter_map(|property| Some((property.node, label_name(&property.label)?, vec![property.way?])));
    fields.extend(properties);
    let is_outside = |said: &Said| own_rows || list.is_none_or(|list| !is_in(page, said.at, list));
    let labelled = labelled.into_iter().filter(is_outside);
    let taken = |fields: &[(NodeId, String, Vec<Way>)]| fields.iter().map(|(node, ..)| *node).collect::<Vec<_>>();
    for said in labelled {
        let name = said.label.as_deref().and_then(label_name);
        fields.extend(name.map(|name| (said.node, name, said.ways)));
    }
    fields.sort_by_key(|(node, ..)| *node);
    let ways = name.as_ref().zip(price).map_or(Vec::new(), |(name, price)| {
        let way = price_way(page, &name.path, price).map(|way| vec![way]);
        let ways = way.or_else(|| Some(around.as_ref()?.ways(price))).unwrap_or_default();
        with_inserted(page, price, ways)
    });
    if let Some(price) = price.filter(|_| !ways.is_empty()) {
        fields.insert(0, (price, "price".to_owned(), ways));
    }
    // A price alone says what the page is about; one label may be by chance.
    let enough = if price.is_some() { FEWEST } else { FEWEST + 1 };
    if fields.len() + 1 < enough {
        return None;
    }
    let pages = [page];
    let naming = Naming::new(&pages);
    let marked = around.map_or(Vec::new(), |around| around.marked(&taken(&fields)));
    for said in marked.into_iter().filter(is_outside) {
        let unnamed = Unnamed {
            places: vec![(0, said.node)],
            label: said.label,
            ..Unnamed::default()
        };
        let name = naming.name_of(&unnamed);
        let name = name.unwrap_or_else(|| format!("field_{}", fields.len() + 2));
        fields.push((said.node, name, said.ways));
    }
    let title = name.map_or("//title".to_owned(), |name| name.path);
    fields.insert(0, (NodeId::DOCUMENT, "title".to_owned(), vec![to(title)]));
    let mut used = Used::default();
    let (names, fields) = fields
        .into_iter()
        .map(|(_, name, ways)| (used.fresh(name), PathField { many: false, ways }))
        .unzip();
    let rule = Paths {
        fields,
        ..Paths::default()
    };
    Some(Thing { rule, names })
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

/// The name of a page.
struct Name {
    node: NodeId,
    path: String,
    /// Does the title of the page begin or end with it?
    is_title: bool,
}

/// The name of a page and the path to it: its only heading of the first level, or the first one that its title has in it. Without any, the first smaller heading that the title
/// begins or ends with.
fn name(page: &Page) -> Option<Name> {
    let named = |wanted: &'static str| {
        page.elements()
            .iter()
            .copied()
            .filter(move |element| page.name(*element) == wanted)
    };
    let title = named("title").next().map(|title| plain(page.string_value(title)));
    let headings = |wanted: &'static str| -> Vec<(String, Name)> {
        let texts = named(wanted).map(|heading| (heading, plain(page.string_value(heading))));
        let texts = texts.enumerate().filter(|(_, (_, text))| !text.is_empty());
        let all = texts.map(|(number, (node, text))| {
            let is_edge = |title: &String| title.starts_with(&text) || title.ends_with(&text);
            let is_title = title.as_ref().is_some_and(is_edge);
            let path = format!("(//{wanted})[{}]", number + 1);
            (text, Name { node, path, is_title })
        });
        all.collect()
    };
    let mut largest = headings("h1");
    match &mut largest[..] {
        [] => ["h2", "h3"].into_iter().find_map(|smaller| {
            let mut all = headings(smaller).into_iter().map(|(_, name)| name);
            all.find(|name| name.is_title)
        }),
        [_] => largest.pop().map(|(_, name)| Name {
            path: "//h1".to_owned(),
            ..name
        }),
        _ => {
            let title = title.as_ref()?;
            let found = largest.into_iter().find(|(text, _)| title.contains(text.as_str()));
            found.map(|(_, name)| name)
        }
    }
}

/// The leaves after the name of a page, up to a part for getting around.
fn after(sight: &Sight<'_>, name: NodeId) -> Range<usize> {
    let from = sight.range(name).end;
    let leaves = &sight.leaves[from..sight.leaves.len().min(from + NEAR)];
    let count = leaves.iter().take_while(|leaf| !sight.is_framing(leaf.node)).count();
    from..from + count
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
            && !page.children(*element).any(|child| is_struck(page.name(child)))
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

/// The ways to a price, which other pages may have as `ins` beside the former price.
fn with_inserted(page: &Page, price: NodeId, ways: Vec<Way>) -> Vec<Way> {
    let is_inserted = page.name(price) == "ins";
    let inserted = ways.first().filter(|_| !is_inserted);
    let inserted = inserted.map(|way| to(format!("{}/ins", way.path)));
    inserted.into_iter().chain(ways).collect()
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

/// Is a node in a record of the list?
fn is_in(page: &Page, node: NodeId, list: &Candidate) -> bool {
    list.holds(page, node) || list.firsts().contains(&node)
}

/// Do half of the records of a list have one of these labels or its value? The page has each label once, so that they are not what the records have in common.
fn are_rows(page: &Page, labels: &[[NodeId; 2]], list: &Candidate) -> bool {
    let is_row = |nodes: &&[NodeId; 2]| nodes.iter().any(|node| is_in(page, *node, list));
    let rows = labels.iter().filter(is_row).count();
    rows as f64 >= HALF * list.records.len() as f64
}

/// Is it a list of links before the name of the page, or in parts for getting around?
fn is_around(sight: &Sight<'_>, name: NodeId, list: &Candidate) -> bool {
    let is_outside = |first: &NodeId| *first < name || sight.says_frame(*first);
    seen::are_short_links(sight, list) && list.firsts().iter().all(is_outside)
}

/// Is the name of a page before its labels, these are before a heading, and that before the list? Rows of properties may have been taken for records of the list.
fn is_first(page: &Page, name: NodeId, mut labels: Vec<NodeId>, list: &Candidate) -> bool {
    labels.sort_unstable();
    let is_row = |record: &NodeId| labels.iter().any(|label| (*record..page.end(*record)).contains(label));
    let Some(start) = list.firsts().into_iter().find(|record| !is_row(record)) else {
        return !labels.is_empty();
    };
    let (Some(first), Some(last)) = (labels.first(), labels.last()) else {
        return false;
    };
    let is_heading = |node: &NodeId| matches!(page.name(*node), "h2" | "h3" | "h4" | "h5" | "h6");
    let between = |node: &&NodeId| last < *node && **node < start;
    name < *first && page.elements().iter().filter(between).any(is_heading)
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

    #[test]
    fn labels_of_several_things_are_no_labels_of_the_page() {
        let names = ["Fiat", "Ford", "Opel", "Saab", "Seat", "Audi", "Fiat", "Ford", "Opel"];
        let car = |at: usize| {
            let flag = ["<p class=f>Deal</p>", "<p class=f>Top</p>", ""][at * 5 % 3];
            format!(
                "<article class=c><section>{flag}<h2><a href=/o/{at}>{} {at}.4</a></h2><dl><dt>Year</dt><dd>201{at}</dd><dt>Mileage</dt><dd>{at}3 000 km</dd><dt>Fuel</dt><dd>{}</dd></dl><p class=p>Town {at}</p><h3>{at}5 000 zl</h3></section></article>",
                names[at],
                ["Diesel", "Petrol"][at % 2]
            )
        };
        let more = |at: usize| {
            format!(
                "<a class=m href=#><img src=x.jpg alt=''><p>Other thing {at} of this shop</p><p class=q>${at}8.00</p></a>"
            )
        };
        for count in [3, 5, 9] {
            let cars: String = (0..count).map(car).collect();
            let others: String = (1..7).map(more).collect();
            let html = format!(
                "<title>Mill Stone</title><main><h1>Mill Stone</h1><main>{cars}</main><section><h2>See also</h2><div>{others}</div></section></main>"
            );
            assert!(found(&html).0.thing.is_none(), "{count}");
        }
    }

    #[test]
    fn titles_with_a_colon_are_no_labels_of_the_page() {
        let titles = [
            "Silver Winter",
            "Quiet Cedar",
            "River Autumn",
            "Copper Summit",
            "Old Canvas",
            "Amber Mill",
        ];
        let ends = [
            "an experiment",
            "a survey",
            "theory and practice",
            "new bounds",
            "revisited",
            "a note",
        ];
        let paper = |at: usize| {
            format!(
                "<dt><a name=i{at}>[{at}]</a> <a href=/abs/{at}>1911.3{at}</a> [<a href=/pdf/{at}>pdf</a>, <a href=/o/{at}>other</a>]</dt><dd><div class=title><span class=d>Title:</span> {}: {}</div><div class=authors><span class=d>Authors:</span> <a href=/a>Ann Lee {at}</a></div><div class=subject><span class=d>Subjects:</span> Optics</div></dd>",
                titles[at], ends[at]
            )
        };
        let papers: String = (0..6).map(paper).collect();
        let html =
            format!("<title>Silver</title><body><h1>Silver</h1><h3>Showing 6 entries</h3><dl>{papers}</dl></body>");
        let (found, _) = found(&html);
        assert!(
            found.thing.is_none() && found.lists[0].records == 6,
            "{:?}",
            found.thing
        );
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
            (
                "title price original_price_was price_2".to_owned(),
                vec!["Reed Lamp", "$12.00", "$20.00", "$20.00"]
            )
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

    /// What a page says of its thing, as `name=value`.
    fn said(html: &str) -> String {
        let (found, page) = found(html);
        let Some(thing) = found.thing else {
            return "nothing".to_owned();
        };
        let records = PathsRun::new(&thing.rule).unwrap().page(&page);
        let values = records[0].values.iter();
        let pairs: Vec<String> = values
            .map(|value| format!("{}={}", thing.names[value.field], value.text))
            .collect();
        pairs.join(", ")
    }

    #[test]
    fn labels_and_marks_tell_values_that_do_not_repeat() {
        for (block, wanted) in [
            (
                "<p><span>SKU: <span>LX-9</span></span> <span>Brand: <a href=/b>Moss</a></span></p><table><tr><th>Weight<td>4 kg</table>",
                "sku=LX-9, brand=Moss, weight=4 kg",
            ),
            (
                "<div class=f><div class=l>Phone:&nbsp;</div><div class=i>555</div></div><div class=f><div class=l>Room:&nbsp;</div><div class=i>Oak Hall</div></div>",
                "phone=555, room=Oak Hall",
            ),
            (
                "<b>Our price:</b> $5<br><b>Maker:</b> Moss<br>Room: 2b<br><i>Oak</i><br>Waxed",
                "our_price=$5, maker=Moss, room=2b, field_5=Oak, field_6=Waxed",
            ),
        ] {
            for name in ["<h1>Reed Lamp</h1>", "<h2>Reed Lamp</h2>"] {
                let menu =
                    "<ul><li><a href=/a>All lamps</a><li><a href=/b>All tables</a><li><a href=/c>All beds</a></ul>";
                let html = format!("<title>Reed Lamp | Kelp</title>{menu}<div>{name}{block}</div>");
                assert_eq!(said(&html), format!("title=Reed Lamp, {wanted}"), "{html}");
            }
        }
    }

    #[test]
    fn labels_of_several_makes_before_a_list_with_a_heading_are_what_is_meant() {
        let labels = "<p>Phone: 555</p><div><b>Room:</b> Oak Hall</div><table><tr><th>Unit<td>Law</table>";
        let list = "<h3>Books</h3><ul><li>Kelp, 1998<li>Moss, 2001<li>Fern, 2007</ul>";
        let html = format!("<title>Ann Roe | Kelp</title><h1>Ann Roe</h1>{labels}{list}");
        assert_eq!(said(&html), "title=Ann Roe, phone=555, room=Oak Hall, unit=Law");
    }

    #[test]
    fn a_price_beside_one_that_is_struck_out_may_be_alone_on_other_pages() {
        let both = "<p class=price><del>$9.00</del> <ins>$7.00</ins></p>";
        let alone = "<p class=price>$7.00</p>";
        for (this, other) in [(both, alone), (alone, both)] {
            let (found, _) = found(&format!("<title>Reed Lamp</title><h1>Reed Lamp</h1>{this}"));
            let thing = found.thing.unwrap();
            let html = format!("<title>Kelp Lamp</title><h1>Kelp Lamp</h1>{other}");
            let page = Page::parse_str(&html, &Default::default()).unwrap();
            let records = PathsRun::new(&thing.rule).unwrap().page(&page);
            let values: Vec<&str> = records[0].values.iter().map(|value| value.text.as_str()).collect();
            assert_eq!(values[..2], ["Kelp Lamp", "$7.00"], "{this}");
        }
    }
}
