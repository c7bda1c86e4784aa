//! The labelled lines of a list's records as fields: where `labelled` looks for them, and the paths to them from the head of a record.
//!
//! Labels are looked for among the children of each element of a record, and among the items of a record of several siblings. From the head to a
//! label of another item there may be any number of siblings, since lines are optional: the path leads to the next sibling that is such
//! a label, or has it in it, or begins a record, and stops if it is the latter. Labels count only if they and their values are half of the text or more of the elements
//! that they are in, or if each is an element with a colon at the beginning of a line or after a sign, in an element that says more (`- 44K - <b>Category:</b> Arts`).
//!
//! Linear in the leaves of the records that are looked at, times their depth.

use super::columns::{Made, Maker, OFTEN, PLACES, Role, Step};
use super::heads::LEAVES;
use super::labelled::{self, Children, Found, Labelled, Labels};
use super::{sight, texts};
use oxpath::Query;
use page::{Kind, NameId, NodeId};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use wrapper::rule::paths::{PathField, Way, value};

/// Labels that are what the record is called by: the address of such a value is that of the record.
const TITLES: [&str; 3] = ["title", "name", "subject"];

/// How far above a text a link or a heading is looked for.
const HEADING: usize = 3;

/// What is around labels.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Around {
    /// The items of a record themselves.
    Items,
    /// An element of an item: the tag of the item unless it is the head, and the names on the way down. A label tells its value in any cell.
    Element(Option<NameId>, Vec<NameId>),
}

impl Maker<'_, '_> {
    /// The labelled values of records.
    pub(super) fn find_labels(&mut self, records: &[Range<usize>]) -> Labels {
        let mut numbers: BTreeMap<Around, usize> = BTreeMap::new();
        let is_free = self.candidate.heads.test.is_free();
        let mut all: Vec<Vec<Children>> = Vec::new();
        for record in records {
            let mut own = Vec::new();
            let mut add = |around: Around, nodes: Vec<NodeId>| {
                let next = numbers.len();
                let is_open = around == Around::Items;
                let place = *numbers.entry(around).or_insert(next);
                own.push(Children { place, nodes, is_open });
            };
            let items = &self.candidate.items;
            if record.len() > 1 && items.is_flat() && is_free {
                add(Around::Items, items.nodes[record.clone()].to_vec());
            }
            for at in record.clone() {
                let item = items.nodes[at];
                let tag = self.page.name_of(item).filter(|_| at > record.start);
                if !self.page.is_element(item) || (at > record.start && !is_free) {
                    continue;
                }
                for element in self.elements(item, at) {
                    if let Some(steps) = self.steps(item, element) {
                        let steps = steps.into_iter().map(|(name, _)| name).collect();
                        add(Around::Element(tag, steps), self.page.children(element).collect());
                    }
                }
            }
            all.push(own);
        }
        let mut places: Vec<(Around, usize)> = numbers.into_iter().collect();
        places.sort_by_key(|(_, number)| *number);
        self.places = places.into_iter().map(|(around, _)| around).collect();
        let labels = labelled::labels(self.sight, &all, &|node| self.is_signed(node));
        // Links that are known by their words, and names of elements that XPath does not have.
        let is_signed = |field: &Labelled| {
            let around = |node: &NodeId| std::iter::once(*node).chain(self.page.ancestors(*node));
            let mut nodes = field.nodes.iter().chain(&field.links);
            nodes.any(|node| around(node).any(|node| self.signs.contains_key(&node)))
        };
        let is_sound = |field: &Labelled| {
            let mut ways = field.ways.iter();
            ways.all(|way| Query::compile(&self.way(field, way, "").path).is_ok())
        };
        // Where labelled lines are the lesser part of what the elements around them say, the rest of it would be torn apart. Links and headings stay whole in
        // any case.
        let is_titled = |leaf: NodeId| {
            let mut around = self.page.ancestors(leaf).take(HEADING);
            around.any(|up| matches!(self.page.name(up), "a" | "h1" | "h2" | "h3" | "h4" | "h5" | "h6"))
        };
        let with_labels: BTreeSet<usize> = labels.fields.iter().map(|field| field.place).collect();
        let (mut all_text, mut own) = (0, 0);
        for children in all.iter().flatten().filter(|one| with_labels.contains(&one.place)) {
            let leaves = children
                .nodes
                .iter()
                .flat_map(|node| &self.sight.leaves[self.sight.range(*node)]);
            for leaf in leaves.filter(|leaf| leaf.is_text() && !is_titled(leaf.node)) {
                let length = self.page.string_value(leaf.node).trim().len();
                all_text += length;
                own += if labels.leaves.contains(&leaf.node) { length } else { 0 };
            }
        }
        let are_most = own * 2 >= all_text;
        // Do most elements with labels say something else, too? Else an element without a label may be at the place of those that have one.
        let (mut labelled, mut mixed) = (0, 0);
        for children in all.iter().flatten().filter(|one| with_labels.contains(&one.place)) {
            let ranges = children.nodes.iter().map(|node| self.sight.range(*node));
            let leaves = ranges.flat_map(|range| &self.sight.leaves[range]);
            let texts = || leaves.clone().filter(|leaf| leaf.is_text());
            let is_own = |leaf: &sight::Leaf| labels.leaves.contains(&leaf.node);
            if texts().any(is_own) {
                labelled += 1;
                mixed += usize::from(!texts().all(is_own));
            }
        }
        let are_apart = labels.are_apart && mixed * 2 > labelled;
        match (are_most || are_apart) && labels.fields.iter().all(|field| !is_signed(field) && is_sound(field)) {
            true => labels,
            false => Labels::default(),
        }
    }

    /// Is a node a link that is known by its words, or around one?
    fn is_signed(&self, node: NodeId) -> bool {
        let inside = node.0..self.page.end(node).0.max(node.0 + 1);
        inside.map(NodeId).any(|node| self.signs.contains_key(&node))
    }

    /// The elements of an item that have leaves below them, in document order.
    fn elements(&self, item: NodeId, at: usize) -> Vec<NodeId> {
        let leaves = self.candidate.items.leaves[at].clone().take(LEAVES);
        let mut elements = Vec::new();
        for leaf in leaves {
            let leaf = self.sight.leaves[leaf].node;
            elements.extend(self.page.ancestors(leaf).take_while(|up| *up >= item));
        }
        elements.sort_unstable();
        elements.dedup();
        elements
    }

    /// A way to the value of a label, or to an attribute of it.
    fn way(&self, field: &Labelled, found: &Found, attribute: &str) -> Way {
        let (name, test) = &found.label;
        let (rest, label) = (&found.rest, format!("{name}{test}"));
        let head = || {
            let heads = &self.candidate.heads;
            let tag = heads.tag.map_or("text()", |tag| self.page.name_text(tag));
            format!("self::{tag}{}", heads.test.predicate(self.page))
        };
        let next = |wanted: &str| {
            let head = head();
            format!("following-sibling::node()[{wanted} or {head}][1][{wanted}][not({head})]")
        };
        let path = match &self.places[field.place] {
            Around::Items if field.is_first => format!("self::{label}{rest}"),
            Around::Items => format!("{}{rest}", next(&format!("self::{label}"))),
            Around::Element(None, steps) => format!("{}{label}{rest}", self.inner(steps)),
            Around::Element(Some(tag), steps) => {
                let inner = format!("{}{label}", self.inner(steps));
                let item = format!("self::{}[{inner}]", self.page.name_text(*tag));
                format!("{}/{inner}{rest}", next(&item))
            }
        };
        Way {
            path: format!("{path}{attribute}"),
            after: if attribute.is_empty() {
                found.after.clone()
            } else {
                String::new()
            },
            ..Way::default()
        }
    }

    /// The path down from an item, to go on after.
    fn inner(&self, steps: &[NameId]) -> String {
        let names = steps.iter().map(|name| format!("{}/", self.page.name_text(*name)));
        names.collect()
    }

    /// Adds the fields of labels, each before the first field that is after it on the page.
    pub(super) fn labelled(&self, made: &mut Vec<Made>) {
        for field in &self.labels.fields {
            let text = field.ways.iter().map(|found| self.way(field, found, ""));
            let mut own = vec![Made {
                field: PathField {
                    many: field.many,
                    ways: text.collect(),
                },
                nodes: field.nodes.clone(),
                attribute: None,
                label: Some(field.label.clone()),
            }];
            if !field.links.is_empty() {
                let whole = field.ways.iter().filter(|found| found.after.is_empty());
                let links = whole.map(|found| self.way(field, found, "[self::a]/@href"));
                let said = field.label.trim_end_matches([':', ' ']);
                let is_title = TITLES.contains(&said.to_lowercase().as_str());
                own.push(Made {
                    field: PathField {
                        many: field.many,
                        ways: links.collect(),
                    },
                    nodes: field.links.clone(),
                    attribute: Some("href"),
                    label: (!is_title).then(|| format!("{said} link")),
                });
            }
            let first = field.nodes.first();
            let place = made.iter().position(|one| one.nodes.first() > first);
            let place = place.unwrap_or(made.len());
            made.splice(place..place, own);
        }
    }

    /// The test of nodes beside labels in an element.
    pub(super) fn others(&self, role: Role, steps: &[Step]) -> Option<&str> {
        let is_here = |around: &Around| {
            role.is_none()
                && matches!(around, Around::Element(None, own) if own.iter().eq(steps.iter().map(|(name, _)| name)))
        };
        let mut here = self.places.iter().enumerate().filter(|(_, around)| is_here(around));
        here.find_map(|(number, _)| self.labels.others.get(&number))
            .map(String::as_str)
    }

    /// The test of texts beside labels in the elements of a column, if it has its values from such.
    pub(super) fn beside(&self, at: usize) -> Option<&str> {
        let key = &self.keys[at];
        let plain = key.attribute.is_none() && key.sign.is_none();
        self.others(key.role, &key.steps).filter(|_| plain)
    }

    /// Adds columns of the texts beside labels, for each its place among them, or one with all if there are too many.
    pub(super) fn texts_beside(&self, at: usize, path: &str, made: &mut Vec<Made>) {
        let is_beside = |node: &NodeId| {
            self.page.kind(*node) == Kind::Text
                && self.page.string_value(*node).contains(char::is_alphanumeric)
                && !self.labels.leaves.contains(node)
        };
        let texts = |elements: &Vec<NodeId>| -> Vec<NodeId> {
            let children = elements.iter().flat_map(|element| self.page.children(*element));
            children.filter(is_beside).collect()
        };
        let records: Vec<Vec<NodeId>> = self.cells[at].nodes.iter().map(texts).collect();
        let most = records.iter().map(Vec::len).max().unwrap_or(0);
        let several = self.cells[at].nodes.iter().any(|elements| elements.len() > 1);
        let mut push = |path: String, many: bool, nodes: Vec<NodeId>| {
            // Signs between a text and a label are no part of it.
            let said: Vec<String> = nodes.iter().map(|node| value(self.page, *node)).collect();
            let way = Way {
                path,
                matching: texts::framed(&said).unwrap_or_default(),
                ..Way::default()
            };
            made.push(Made {
                field: PathField { many, ways: vec![way] },
                nodes,
                attribute: None,
                label: None,
            });
        };
        if several || most > PLACES {
            push(path.to_owned(), true, records.into_iter().flatten().collect());
            return;
        }
        for place in 0..most {
            let nodes: Vec<NodeId> = records.iter().filter_map(|texts| texts.get(place)).copied().collect();
            if place == 0 || nodes.len() as f64 >= OFTEN * self.count as f64 {
                push(format!("{path}[{}]", place + 1), false, nodes);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use page::{Job, Page};
    use std::collections::BTreeMap;
    use wrapper::rule::paths::PathsRun;

    const TITLES: [&str; 6] = [
        "Night Ledger",
        "Amber Paper Winter",
        "Attic Cellar",
        "Kelp Harbour",
        "The Tin Compass",
        "Salt and Rope",
    ];
    const PEOPLE: [&str; 6] = [
        "Vera Dunn",
        "Nils Gray",
        "Hugo Brandt",
        "Ines Weber",
        "Ann Lee",
        "Cy Moss",
    ];

    /// A book with its lines: a label and a value each.
    fn book(number: usize) -> Vec<(&'static str, String)> {
        vec![
            ("Title", TITLES[number % 6].to_owned()),
            ("Author", PEOPLE[(number * 5 + 1) % 6].to_owned()),
            ("Price", format!("${}.{}5", 13 + number * 7 % 60, number % 10)),
            ("Old price", format!("${}.50", 20 + number * 11 % 70)),
            ("Published", format!("May {}, 20{}", number + 1, 10 + number)),
        ]
    }

    /// A page of books in which some lack a line: the number of the book and of the line.
    fn page(frame: (&str, &str), books: &[String]) -> Page {
        let menu = "<div id=nav><a href=/>Home</a> <a href=/about>About us</a></div><h1>Books</h1>";
        let html = format!("{menu}{}{}{}", frame.0, books.concat(), frame.1);
        Page::parse_str(&html, &Default::default()).unwrap()
    }

    /// The values by the names of their fields, for each record of a page, by a rule that was made from another page.
    fn read(from: &Page, page: &Page) -> Vec<BTreeMap<String, String>> {
        let best = crate::regions::find(from, &Job::new()).remove(0);
        let record = |record: wrapper::rule::paths::PathRecord| {
            let values = record.values.into_iter();
            values
                .map(|value| (best.names[value.field].clone(), value.text))
                .collect()
        };
        PathsRun::new(&best.rule)
            .unwrap()
            .page(page)
            .into_iter()
            .map(record)
            .collect()
    }

    /// Checks that lines made in one way are found by their labels, here and on a page where some records lack a line.
    fn check(frame: (&str, &str), whole: impl Fn(&[(&str, String)], usize) -> String, title: bool) {
        let books = |missing: &[(usize, usize)]| -> Vec<Vec<(&'static str, String)>> {
            let own = |number: usize| {
                let mut lines = book(number);
                let gone = |line: usize| missing.contains(&(number, line));
                let mut line = 0;
                lines.retain(|_| {
                    line += 1;
                    !gone(line - 1)
                });
                lines
            };
            (0..8).map(own).collect()
        };
        let made = |missing: &[(usize, usize)]| {
            let books = books(missing);
            let whole: Vec<String> = books.iter().enumerate().map(|(at, lines)| whole(lines, at)).collect();
            page(frame, &whole)
        };
        let from = made(&[(2, 3), (5, 3), (6, 1)]);
        let missing = [(1, 1), (3, 2), (4, 3), (5, 1), (5, 2), (7, 4)];
        for (page, missing) in [(made(&[]), &[][..]), (made(&missing), &missing)] {
            let found = read(&from, &page);
            assert_eq!(found.len(), 8, "{}", page.string_value(page::NodeId::DOCUMENT));
            for (record, lines) in found.iter().zip(books(missing)) {
                let wanted = lines.into_iter().skip(usize::from(!title));
                let wanted: BTreeMap<String, String> = wanted
                    .map(|(label, value)| (label.to_lowercase().replace(' ', "_"), value))
                    .collect();
                let names = ["title", "author", "price", "old_price", "published"];
                let mut own = record.clone();
                own.retain(|name, _| names.contains(&name.as_str()) && (title || name != "title"));
                assert_eq!(own, wanted, "{record:?}");
            }
        }
    }

    /// Lines, each made of its label, its value and the number of the book; the title is a link.
    fn lines(lines: &[(&str, String)], number: usize, line: impl Fn(&str, &str) -> String) -> String {
        let each = lines.iter().map(|(label, value)| match *label {
            "Title" => line(label, &format!("<a href=/b/{number}>{value}</a>")),
            _ => line(label, value),
        });
        each.collect()
    }

    #[test]
    fn lines_are_found_by_their_labels() {
        let makes: [fn(&str, &str) -> String; 14] = [
            |label, value| format!("<b>{label}:</b> {value}<br>\n"),
            |label, value| format!("<b>{label}</b>: {value}<br>"),
            |label, value| format!("<strong>{label}</strong> {value}<br>"),
            |label, value| format!("<span class=k>{label}</span> <span class=v>{value}</span><br>"),
            |label, value| format!("<b>{label}:</b> <b>{value}</b><br>"),
            |label, value| format!("<b>{label}:</b>&nbsp;{value} "),
            |label, value| format!("<b>{label}:</b><br>{value}<br>"),
            |label, value| format!("{label}: {value}<br>"),
            |label, value| format!("<div>{label}: {value}</div>"),
            |label, value| format!("<p><b>{label}:</b> {value}</p>"),
            |label, value| format!("<div><span>{label}:</span> <span>{value}</span></div>"),
            |label, value| format!("<p><em>{label}</em> {value}</p>"),
            |label, value| format!("<font size=2><b>{label}: </b>{value}</font><br>"),
            |label, value| format!("{label}: <i>{value}</i><br>"),
        ];
        for line in makes {
            let whole = |own: &[(&str, String)], number: usize| format!("<li>{}</li>", lines(own, number, line));
            check(("<ol>", "</ol>"), whole, true);
        }
    }

    #[test]
    fn a_title_without_a_label_stays_beside_labelled_lines() {
        let makes: [fn(&str, &str) -> String; 3] = [
            |label, value| format!("<b>{label}:</b> {value}<br>"),
            |label, value| format!("{label}: {value}<br>"),
            |label, value| format!("<div>{label}: {value}</div>"),
        ];
        let titles: [fn(&str) -> String; 3] = [
            |title| format!("<a href=/x>{title}</a><br>"),
            |title| format!("<h3>{title}</h3>"),
            |title| format!("{title}<br>"),
        ];
        for line in makes {
            for title in titles {
                let whole = |own: &[(&str, String)], number: usize| {
                    format!("<li>{}{}</li>", title(&own[0].1), lines(&own[1..], number, line))
                };
                check(("<ul>", "</ul>"), whole, false);
            }
        }
    }

    #[test]
    fn labels_in_lists_of_terms_and_inner_tables() {
        let terms = |own: &[(&str, String)], number: usize| {
            let own = lines(own, number, |label, value| format!("<dt>{label}</dt><dd>{value}</dd>"));
            format!("<div class=book><dl>{own}</dl></div>")
        };
        check(("<div>", "</div>"), terms, true);
        let rows = |own: &[(&str, String)], number: usize| {
            let own = lines(own, number, |label, value| {
                format!("<tr><td>{label}:</td><td>{value}</td></tr>")
            });
            format!("<li><table>{own}</table></li>")
        };
        check(("<ul>", "</ul>"), rows, true);
    }

    #[test]
    fn labels_of_records_that_are_siblings() {
        let dd = |own: &[(&str, String)], number: usize| {
            let rest = lines(&own[1..], number, |label, value| format!("<dd>{label}: {value}</dd>"));
            format!("<dt><a href=/b/{number}>{}</a></dt>{rest}", own[0].1)
        };
        check(("<dl>", "</dl>"), dd, false);
        let flat = |own: &[(&str, String)], number: usize| {
            let rest = lines(&own[1..], number, |label, value| format!("<b>{label}:</b> {value}<br>"));
            format!("<h3><a href=/b/{number}>{}</a></h3>{rest}", own[0].1)
        };
        check(("<div>", "</div>"), flat, false);
    }

    #[test]
    fn badges_and_titles_with_colons_are_no_labels() {
        let names = ["Kelp", "Moss", "Fern and more", "Algae", "Reed", "Oak"];
        let item = |(number, name): (usize, &&str)| {
            let badge = ["New", "Sale"][number % 2];
            format!("<li><b>{badge}</b> <a href=/{number}>{badge}: {name}</a> <i>{number}.50 €</i></li>")
        };
        let list: Vec<String> = names.iter().enumerate().map(item).collect();
        let page = page(("<ul>", "</ul>"), &list);
        let found = read(&page, &page);
        assert_eq!(found[1]["title"], "Sale: Moss", "{found:?}");
        assert!(found.iter().all(|record| !record.contains_key("sale")));
    }
}
