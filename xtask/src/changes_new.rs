//! More known redesigns of lists for `cargo xtask changes --part made`, made before any rule of repair was tried on them.
//!
//! `changes_made` has the changes that repair was worked on with. These are others that web developers make: a table becomes cards, or cards a table;
//! cells are joined; labels move into texts, into attributes or into `dt`; a list is divided into sections; classes become utility classes; dates and
//! prices are spelled in another way; rows get links, badges or adverts; another list of the same make comes before. Most take the old names of classes
//! away, too, or the old rule would still read the page.
//!
//! A row is seen as its *parts*: its cells, and other children that have values, each with what stands beside it and has none. The changes write these parts anew.

use crate::changes_made::{each, renamed};
use crate::list_beside::twin;
use crate::list_pages::{ListPage, Node, put_value};
use record::values::{Convention, Kind, date, kinds};

/// A change of a page, with the names of the attributes; false if it has no room for it.
pub(crate) type New = fn(&mut ListPage, &[String]) -> bool;

/// All changes of the template, by name.
pub(crate) const NEW: [(&str, New); 16] = [
    ("cards", |page, _| rebuilt(page, "div", |parts, _| card(parts))),
    ("table", |page, _| {
        page.row_name() != "tr" && rebuilt(page, "table", |parts, _| boxes("tr", "td", parts))
    }),
    ("nested", |page, _| rebuilt(page, "div", |parts, _| nested(parts))),
    ("dl", |page, names| {
        rebuilt(page, "div", |parts, row| terms(parts, row, names))
    }),
    ("lines", |page, names| {
        rebuilt(page, "ul", |parts, _| lines(parts, names))
    }),
    ("line", |page, _| rebuilt(page, "div", |parts, _| line(parts))),
    ("joined", joined),
    ("copies", |page, _| rebuilt(page, "div", |parts, _| copies(parts))),
    ("utility", |page, _| {
        each(&mut page.root, utility);
        true
    }),
    ("sections", |page, _| sections(page)),
    ("advert", |page, _| advert(page)),
    ("linked", |page, _| linked(page)),
    ("more", |page, _| more(page)),
    ("badge", |page, _| badge(page)),
    ("told", told),
    ("below", |page, _| {
        each(&mut page.root, renamed);
        twin(page, true, true)
    }),
];

/// The same value in another spelling, if it is of the kind.
pub(crate) type Spell = fn(&str) -> Option<String>;

/// All changes of how values are spelled, by name.
pub(crate) const SPELLED: [(&str, Spell); 2] = [("dates", other_date), ("prices", other_price)];

/// What a row consists of: the nodes of each part, in order.
type Parts = Vec<Vec<Node>>;

/// The parts of a row.
fn parts(row: &Node) -> Parts {
    let having: Vec<&Node> = row
        .children()
        .iter()
        .filter(|child| !child.marks().is_empty())
        .collect();
    // What is around all values is no part.
    if let [only] = having[..]
        && !only.name().is_empty()
        && only.children().iter().filter(|child| !child.marks().is_empty()).count() > 1
    {
        return parts(only);
    }
    let mut parts = Parts::new();
    let mut before: Vec<Node> = Vec::new();
    for child in row.children() {
        let is_part = !child.marks().is_empty();
        let is_cell = ["td", "th", "li", "dd", "div", "p"].contains(&child.name());
        let nodes = match is_cell {
            true => child.children().to_vec(),
            false => vec![child.clone()],
        };
        let is_own = is_cell && !child.said().trim().is_empty();
        match (is_part || is_own, parts.last_mut()) {
            (true, _) => {
                let mut part = std::mem::take(&mut before);
                part.extend(nodes);
                parts.push(part);
            }
            (false, Some(last)) => last.extend(nodes),
            (false, None) => before.extend(nodes),
        }
    }
    parts
}

/// Makes all rows anew and puts them into a new element, in place of the table, or where the first row was.
fn rebuilt(page: &mut ListPage, container: &str, make: impl Fn(Parts, usize) -> Node) -> bool {
    let Some(taken) = taken(page) else { return false };
    let rows = taken.into_iter().enumerate().map(|(number, row)| {
        let parts = parts(&row);
        (parts.len() > 1).then(|| make(parts, number))
    });
    let Some(rows) = rows.collect::<Option<Vec<Node>>>() else {
        return false;
    };
    each(&mut page.root, renamed);
    put(page, vec![Node::element(container, rows).with("class", "listing")])
}

/// Copies of the rows.
fn taken(page: &ListPage) -> Option<Vec<Node>> {
    let children = page.root.at(&page.parent)?.children();
    page.rows.iter().map(|at| children.get(*at).cloned()).collect()
}

/// Puts nodes in place of the rows: of the whole table, or where the first row was.
fn put(page: &mut ListPage, nodes: Vec<Node>) -> bool {
    let mut way = page.parent.clone();
    let is_of_table = |name: &str| ["table", "tbody", "thead"].contains(&name);
    if !is_of_table(page.root.at(&way).map_or("", Node::name)) {
        let (rows, first) = (page.rows.clone(), page.rows[0]);
        let Some(children) = page.children() else { return false };
        for at in rows.into_iter().rev() {
            children.remove(at);
        }
        children.splice(first..first, nodes);
        return true;
    }
    while page.root.at(&way).is_some_and(|node| node.name() != "table") {
        if way.pop().is_none() {
            return false;
        }
    }
    let Some(at) = way.pop() else { return false };
    let Some(children) = page.root.at_mut(&way).and_then(Node::children_mut) else {
        return false;
    };
    children.splice(at..=at, nodes);
    true
}

fn boxes(row: &str, cell: &str, parts: Parts) -> Node {
    Node::element(row, parts.into_iter().map(|part| Node::element(cell, part)).collect())
}

fn card(parts: Parts) -> Node {
    let mut inner: Vec<Node> = Vec::new();
    for (number, part) in parts.into_iter().enumerate() {
        inner.push(Node::element(if number == 0 { "h3" } else { "div" }, part));
    }
    Node::element("article", inner).with("class", "card")
}

fn nested(mut parts: Parts) -> Node {
    let rest = parts.split_off(1);
    let head = Node::element("header", vec![boxes("div", "h4", parts)]);
    Node::element("section", vec![head, boxes("div", "span", rest).with("class", "meta")])
}

/// What a part is called, by the attributes in it.
fn called(part: &[Node], names: &[String]) -> String {
    let attributes: std::collections::BTreeSet<usize> = part
        .iter()
        .flat_map(Node::marks)
        .map(|(_, attribute)| attribute)
        .collect();
    let words = attributes.into_iter().filter_map(|attribute| names.get(attribute));
    let words = words.map(|name| {
        let name = name.rsplit('.').next().unwrap_or(name).replace('_', " ");
        let mut letters = name.chars();
        letters
            .next()
            .map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
    });
    let words = words.collect::<Vec<_>>().join(" / ");
    if words.is_empty() { "Notes".to_owned() } else { words }
}

fn terms(parts: Parts, row: usize, names: &[String]) -> Node {
    let mut inner = Vec::new();
    for part in parts {
        inner.push(Node::element("dt", vec![Node::text(&called(&part, names))]));
        inner.push(Node::element("dd", part));
    }
    Node::element("dl", inner).with("data-row", &row.to_string())
}

/// Lines with labels in their texts.
fn lines(parts: Parts, names: &[String]) -> Node {
    let mut inner = Vec::new();
    for part in parts {
        if !inner.is_empty() {
            inner.push(Node::element("br", Vec::new()));
        }
        inner.push(Node::text(&format!("{}: ", called(&part, names))));
        inner.extend(part);
    }
    Node::element("li", inner)
}

fn line(parts: Parts) -> Node {
    let mut inner = Vec::new();
    for part in parts {
        if !inner.is_empty() {
            inner.push(Node::text(" \u{b7} "));
        }
        inner.push(Node::element("span", part));
    }
    Node::element("div", vec![Node::element("p", inner)])
}

/// Each part twice: for narrow screens and for wide ones.
fn copies(parts: Parts) -> Node {
    let mut inner = Vec::new();
    for part in parts {
        let narrow = Node::element("span", part.clone()).with("class", "narrow");
        let wide = Node::element("span", part).with("class", "wide");
        inner.push(Node::element("div", vec![narrow, wide]));
    }
    Node::element("div", inner)
}

/// The first two parts become one, with a bar between.
fn joined(page: &mut ListPage, _: &[String]) -> bool {
    rebuilt(page, "div", |parts, _| {
        let mut parts = parts.into_iter();
        let mut first = parts.next().unwrap_or_default();
        trimmed(&mut first);
        first.push(Node::text(" | "));
        let mut second = parts.next().unwrap_or_default();
        trimmed(&mut second);
        first.extend(second);
        let all = std::iter::once(first).chain(parts).collect();
        boxes("div", "p", all)
    })
}

/// Without spaces at the ends.
fn trimmed(part: &mut Vec<Node>) {
    part.retain(|node| !matches!(node, Node::Text(text) if text.trim().is_empty()));
    for node in part {
        if let Node::Text(text) = node {
            *text = text.trim().to_owned();
        }
    }
}

/// Classes say what an element looks like, and many share them.
fn utility(node: &mut Node) {
    const CLASSES: [&str; 6] = [
        "flex p-2",
        "mt-4 text-sm",
        "font-bold",
        "w-full px-3",
        "grid gap-4",
        "text-gray-700",
    ];
    if let Node::Element { name, attributes, .. } = node {
        let mut sum = name
            .bytes()
            .fold(5_usize, |sum, byte| sum * 31 % 1_009 + usize::from(byte));
        for (key, value) in attributes.iter().filter(|(key, _)| key == "class") {
            sum += key.len() + value.bytes().map(usize::from).sum::<usize>();
        }
        attributes.retain(|(key, _)| key != "class" && key != "id");
        attributes.push(("class".to_owned(), CLASSES[sum % CLASSES.len()].to_owned()));
    }
}

/// Rows in each section, and the headings of the sections.
const SECTION: usize = 4;
const HEADINGS: [&str; 5] = ["Near you", "Popular", "This season", "All the others", "More"];

fn sections(page: &mut ListPage) -> bool {
    let Some(rows) = taken(page).filter(|rows| rows.len() > SECTION) else {
        return false;
    };
    let is_table = page.row_name() == "tr";
    let is_item = page.row_name() == "li";
    each(&mut page.root, renamed);
    let section = |(number, rows): (usize, &[Node])| {
        let title = Node::element("h3", vec![Node::text(HEADINGS[number % HEADINGS.len()])]);
        let mut rows = rows.to_vec();
        rows.iter_mut().for_each(|row| each(row, renamed));
        let list = match (is_table, is_item) {
            (true, _) => Node::element("table", vec![Node::element("tbody", rows)]),
            (_, true) => Node::element("ul", rows),
            _ => Node::element("div", rows),
        };
        Node::element("section", vec![title, list])
    };
    let sections = rows.chunks(SECTION).enumerate().map(section).collect();
    put(page, vec![Node::element("div", sections)])
}

/// A new first row, and one in the middle, that are no records.
fn advert(page: &mut ListPage) -> bool {
    each(&mut page.root, renamed);
    let name = page.row_name();
    for (row, words) in [
        (page.rows.len() / 2, "Subscribe to our newsletter"),
        (0, "Become a member today"),
    ] {
        let link = Node::element("a", vec![Node::text(words)]).with("href", "/go/17");
        let inner = match name.as_str() {
            "tr" => Node::element("td", vec![link]).with("colspan", "9"),
            _ => Node::element("div", vec![link]),
        };
        page.insert(row, Node::element(&name, vec![inner]));
    }
    true
}

/// The first value of each row is a link now.
fn linked(page: &mut ListPage) -> bool {
    fn link(node: &mut Node, to: &str) -> bool {
        if node.name() == "a" {
            return false;
        }
        let Some(children) = node.children_mut() else {
            return false;
        };
        let Some(at) = children.iter().position(|child| !child.marks().is_empty()) else {
            return false;
        };
        if !children[at].name().is_empty() {
            return link(&mut children[at], to);
        }
        let value = children.remove(at);
        children.insert(at, Node::element("a", vec![value]).with("href", to));
        true
    }
    each(&mut page.root, renamed);
    (0..page.rows.len()).all(|row| {
        page.row(row)
            .is_some_and(|node| link(node, &format!("/item/{}", row + 311)))
    })
}

/// A last part with links that all rows have.
fn more(page: &mut ListPage) -> bool {
    each(&mut page.root, renamed);
    let cell = if page.row_name() == "tr" { "td" } else { "div" };
    (0..page.rows.len()).all(|row| {
        let to = format!("/item/{}", row + 311);
        let links = vec![
            Node::element("a", vec![Node::text("Read more")]).with("href", &to),
            Node::element("a", vec![Node::text("Share")]).with("href", &format!("{to}/share")),
        ];
        let new = Node::element(cell, links);
        page.row(row)
            .and_then(Node::children_mut)
            .map(|children| children.push(new))
            .is_some()
    })
}

/// A first part with a word and a date of its own.
fn badge(page: &mut ListPage) -> bool {
    each(&mut page.root, renamed);
    let cell = if page.row_name() == "tr" { "td" } else { "div" };
    (0..page.rows.len()).all(|row| {
        let word = ["New", "Updated", "Open"][row % 3];
        let new = Node::element(cell, vec![Node::element("b", vec![Node::text(word)])]);
        page.row(row)
            .and_then(Node::children_mut)
            .map(|children| children.insert(0, new))
            .is_some()
    })
}

/// The headings of a table move into an attribute of each cell.
fn told(page: &mut ListPage, names: &[String]) -> bool {
    if page.row_name() != "tr" {
        return false;
    }
    let Some(rows) = taken(page) else { return false };
    each(&mut page.root, renamed);
    let row = |row: &Node| {
        let cells = row
            .children()
            .iter()
            .filter(|cell| !cell.name().is_empty())
            .map(|cell| {
                let mut cell = cell.clone();
                each(&mut cell, renamed);
                let label = called(std::slice::from_ref(&cell), names);
                cell.with("data-label", &label)
            });
        Node::element("tr", cells.collect())
    };
    let body = Node::element("tbody", rows.iter().map(row).collect());
    put(page, vec![Node::element("table", vec![body])])
}

const MONTHS: [&str; 12] = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
];

/// A date in another spelling.
fn other_date(text: &str) -> Option<String> {
    let date = date(text, &Convention::default().or_default()).ok()?;
    let is_numeric = !text.contains(char::is_alphabetic);
    Some(match is_numeric {
        true => format!(
            "{} {} {}",
            date.day(),
            MONTHS[usize::from(date.month()) - 1],
            date.year()
        ),
        false => format!("{}-{:02}-{:02}", date.year(), date.month(), date.day()),
    })
}

/// A price with its sign at the other end.
fn other_price(text: &str) -> Option<String> {
    if !kinds(text).contains(Kind::Price) {
        return None;
    }
    match text.strip_prefix('$') {
        Some(number) => Some(format!("{} USD", number.trim())),
        None => Some(format!("USD {}", text.trim_end_matches(|c: char| !c.is_ascii_digit()))),
    }
}

/// Spells the values of the first attribute anew that are all of that kind, in a page and its records; false if there is none. The classes are new, too.
pub(crate) fn spelled(page: &mut ListPage, records: &mut [Vec<Vec<String>>], attributes: usize, spell: Spell) -> bool {
    let all = |attribute: &usize| {
        let mut values = records.iter().flat_map(|row| &row[*attribute]).peekable();
        values.peek().is_some() && values.all(|text| spell(text).is_some())
    };
    let chosen: Vec<usize> = (0..attributes).filter(all).collect();
    each(&mut page.root, renamed);
    for attribute in &chosen {
        for (row, record) in records.iter_mut().enumerate() {
            let Some(old) = record[*attribute].first_mut() else {
                continue;
            };
            let Some(new) = spell(old) else { return false };
            if !put_value(&mut page.root, (row, *attribute), old, &new) {
                return false;
            }
            *old = new;
        }
    }
    !chosen.is_empty()
}
