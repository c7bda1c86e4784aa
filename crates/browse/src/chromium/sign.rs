//! Recognising an element, and a state, on another copy of a page.
//!
//! A state is brought back by opening its page again and repeating the actions since. The page may come back different: in
//! another order, with other tokens, with more rows. The rank of an element says nothing then. So an element is recognised
//! by what it is: its name, attributes and text, and as much of its surroundings as was needed to tell it from all others on
//! the first copy: the parent's attributes and text, then those of the parent's parent, and so on. A button `Details` in
//! each row is recognised by its row. If elements are the same with all their surroundings up to an element that contains
//! them all, which must be the same too, their order among each other decides.
//!
//! Attributes can be made up anew for each visitor. If no element has all of them, the texts alone must do.
//!
//! **Cost**: linear in the elements of the same name and the text around them; each ancestor is hashed once.

use page::{Kind, NodeId, Page};
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

/// How an element is recognised.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Sign {
    name: String,
    /// By attributes and texts, and by texts alone.
    ways: [Way; 2],
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Way {
    /// The element and its ancestors, from the inside out, as far as they are needed.
    chain: Vec<u64>,
    /// Which of the elements with this chain it is, and how many there are.
    number: usize,
    of: usize,
}

/// What of an element is looked at.
#[derive(Clone, Copy)]
enum By {
    AttributesAndText,
    Text,
}

impl Sign {
    /// The sign of an element.
    pub(super) fn of(page: &Page, element: NodeId) -> Sign {
        let name = page.name(element).to_owned();
        let ways = [By::AttributesAndText, By::Text].map(|by| {
            let mut hashes = Hashes::new(page, by);
            let own = hashes.of(element);
            let mut alike: Vec<(NodeId, NodeId)> = named(page, &name)
                .filter(|other| hashes.of(*other) == own)
                .map(|other| (other, other))
                .collect();
            let (mut chain, mut at) = (vec![own], element);
            while alike.len() > 1
                && let Some(parent) = page.parent(at).filter(|parent| page.kind(*parent) == Kind::Element)
            {
                at = parent;
                let hash = hashes.of(parent);
                chain.push(hash);
                alike = alike
                    .into_iter()
                    .filter_map(|(other, at)| Some((other, page.parent(at)?)))
                    .filter(|(_, at)| hashes.of(*at) == hash)
                    .collect();
                // What is around all of them tells none from the others. A panel further out may have changed.
                if alike.iter().all(|(_, around)| *around == at) {
                    break;
                }
            }
            let number = alike.iter().position(|(other, _)| *other == element).unwrap_or(0);
            Way {
                chain,
                number,
                of: alike.len(),
            }
        });
        Sign { name, ways }
    }

    /// The element with this sign on a page. None if it is not there, or cannot be told from others.
    pub(super) fn find(&self, page: &Page) -> Option<NodeId> {
        let by = [By::AttributesAndText, By::Text];
        self.ways.iter().zip(by).find_map(|(way, by)| {
            let mut hashes = Hashes::new(page, by);
            let found: Vec<NodeId> = named(page, &self.name)
                .filter(|element| {
                    let mut at = Some(*element);
                    way.chain.iter().all(|wanted| {
                        let Some(node) = at else { return false };
                        at = page.parent(node);
                        hashes.of(node) == *wanted
                    })
                })
                .collect();
            match found.len() == way.of {
                true => found.get(way.number).copied(),
                false => None,
            }
        })
    }
}

fn named<'p>(page: &'p Page, name: &'p str) -> impl Iterator<Item = NodeId> + 'p {
    let elements = page.elements().iter().copied();
    elements.filter(move |element| page.name(*element) == name)
}

/// The hashes of elements, each computed once.
struct Hashes<'p> {
    page: &'p Page,
    by: By,
    known: HashMap<NodeId, u64>,
}

impl<'p> Hashes<'p> {
    fn new(page: &'p Page, by: By) -> Hashes<'p> {
        Hashes {
            page,
            by,
            known: HashMap::new(),
        }
    }

    fn of(&mut self, element: NodeId) -> u64 {
        let (page, by) = (self.page, self.by);
        *self.known.entry(element).or_insert_with(|| {
            let mut hasher = DefaultHasher::new();
            page.name(element).hash(&mut hasher);
            if matches!(by, By::AttributesAndText) {
                for attribute in page.attributes(element).map(NodeId) {
                    page.name(attribute).hash(&mut hasher);
                    page.string_value(attribute).hash(&mut hasher);
                }
            }
            for word in page.string_value(element).split_whitespace() {
                word.hash(&mut hasher);
            }
            hasher.finish()
        })
    }
}

/// The fingerprint of all that an expression can see of a page: elements, attributes and texts, in order.
pub(super) fn print(page: &Page) -> u64 {
    let mut hasher = DefaultHasher::new();
    for node in (0..page.len() as u32).map(NodeId) {
        let kind = page.kind(node);
        std::mem::discriminant(&kind).hash(&mut hasher);
        match kind {
            Kind::Element => page.name(node).hash(&mut hasher),
            Kind::Attribute => (page.name(node), page.string_value(node)).hash(&mut hasher),
            Kind::Text => page.string_value(node).hash(&mut hasher),
            _ => {}
        }
        // Where an element ends is part of the shape.
        page.end(node).0.hash(&mut hasher);
    }
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(html: &str) -> Page {
        Page::parse_str(html, &page::Limits::default()).expect("a page")
    }

    /// The text of the row in which the n-th element of this name on the first page is found on the second.
    fn row(first: &str, name: &str, number: usize, second: &str) -> Option<String> {
        let (first, second) = (page(first), page(second));
        let element = named(&first, name).nth(number).expect("an element");
        let found = Sign::of(&first, element).find(&second)?;
        let parent = second.parent(found)?;
        Some(
            second
                .string_value(parent)
                .split_whitespace()
                .collect::<Vec<_>>()
                .join(" "),
        )
    }

    #[test]
    fn an_element_is_found_where_it_went() {
        let list = |order: &[&str]| -> String {
            let items = order
                .iter()
                .map(|name| format!("<li><b>{name}</b> <a>Details</a></li>"));
            format!("<h1>{}</h1><ul>{}</ul>", order[0], items.collect::<String>())
        };
        let before = list(&["pen", "cup", "hat"]);
        let after = list(&["cup", "new", "hat", "pen"]);
        for (number, name) in ["pen", "cup", "hat"].into_iter().enumerate() {
            assert_eq!(row(&before, "a", number, &after), Some(format!("{name} Details")));
            assert_eq!(row(&before, "b", number, &after), Some(format!("{name} Details")));
        }
        assert_eq!(row(&before, "a", 0, &list(&["cup", "hat"])), None);
        // Attributes made up anew.
        let token =
            |token: &str| format!("<form><p>x<button id={token}>Go</button><p>y<button id={token}2>Go</button>");
        assert_eq!(row(&token("a1"), "button", 1, &token("b7")), Some("yGo".to_owned()));
        // A name two levels up.
        let cards = |a: &str, b: &str| {
            let card = |name: &str| format!("<div><h2>{name}</h2><p>Price <a>More</a></p></div>");
            format!("{}{}", card(a), card(b))
        };
        let (first, second) = (page(&cards("pen", "cup")), page(&cards("cup", "pen")));
        let element = named(&first, "a").next().expect("a link");
        let found = Sign::of(&first, element).find(&second);
        assert_eq!(found, named(&second, "a").nth(1));
    }

    #[test]
    fn what_is_the_same_is_told_by_its_order_as_long_as_all_are_there() {
        let rows = |count: usize| "<p><a>More</a></p>".repeat(count);
        assert!(row(&rows(3), "a", 1, &rows(3)).is_some());
        assert_eq!(row(&rows(3), "a", 1, &rows(4)), None);
        // What is elsewhere does not matter; the order of what is around does.
        let list = |panel: &str, rows: &[&str]| {
            let rows: String = rows.iter().map(|name| format!("<li>{name} <a>More</a></li>")).collect();
            format!("<ul>{rows}</ul><div>{panel}</div>")
        };
        let before = list("", &["x", "same", "same"]);
        assert!(row(&before, "a", 1, &list("open", &["x", "same", "same"])).is_some());
        assert_eq!(row(&before, "a", 1, &list("", &["same", "x", "same"])), None);
    }

    #[test]
    fn prints_tell_states_apart() {
        let texts = [
            "<p>a<b>b</b>",
            "<p>a<b>c</b>",
            "<p>ab",
            "<p id=x>a<b>b</b>",
            "<p>a</p><b>b</b>",
            "<p>a<b></b>b",
        ];
        let prints: std::collections::BTreeSet<u64> = texts.iter().map(|text| print(&page(text))).collect();
        assert_eq!(prints.len(), texts.len());
        assert_eq!(print(&page(texts[0])), print(&page(texts[0])));
    }
}
