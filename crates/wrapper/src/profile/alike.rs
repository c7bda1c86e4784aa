//! Which parts of a list, and which texts of a page, look like its records and are not read.
//!
//! *Idea.* The records of a list are neighbours: children of one element, with other things between them. If the template of
//! some of them changes, a rule still reads the others, and what it gives looks as before. But the parts that it no longer
//! reads have texts that are written as the values of the records are: a price, a date.
//!
//! *Input.* The places of the values that were read on a page, row by row. *Output.* The number of children of the smallest
//! element around all of them that have a value, and the number of those that have none but look like them ([`parts`]). *Cost*: one pass
//! over the texts of that element.
//!
//! If a rule reads one record of fifty, the smallest element around it is the record itself. So the texts of the whole page are counted as well
//! that are written as a value is, such as dates ([`strays`]).
//!
//! A record may have two texts of the same make, such as two dates, of which one is read. If one of them goes, a rule may read the other one. So
//! the values that have such a text beside them are counted, too ([`peers`]).
//!
//! Names and titles are not told by how they are written. What tells them is the element that they are in: the elements of all records of a list are of the
//! same make, whatever a redesign calls them. So those of the values are counted, and others of the same make on the page ([`makes`]).
//!
//! *Known failures*: a value that is a part of a text, or consists of several texts, is not recognized in a part that is not
//! read. Lists with fewer than [`FEW`] rows are not looked at.

use super::shape;
use crate::rule::paths::value;
use page::{Kind, NodeId, Page};
use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

/// With fewer rows it is not known what a row looks like.
const FEW: usize = 4;

/// The numbers of parts that are read, and of parts that look like them and are not read. `rows` are the fields and places of the
/// values of each row, `seen` the texts that a reader sees.
pub(super) fn parts(page: &Page, seen: &[NodeId], rows: &[Vec<(usize, NodeId)>]) -> (u64, u64) {
    let nodes = || rows.iter().flatten().map(|(_, node)| *node);
    let (Some(first), Some(last)) = (nodes().min(), nodes().max()) else {
        return (0, 0);
    };
    let holds = |up: NodeId, node: NodeId| up <= node && node < page.end(up);
    let Some(around) = page.ancestors(first).find(|up| holds(*up, last)) else {
        return (0, 0);
    };
    let read: HashSet<NodeId> = nodes()
        .filter_map(|node| {
            let mut line = std::iter::once(node).chain(page.ancestors(node));
            line.find(|up| page.parent(*up) == Some(around))
        })
        .collect();
    if rows.len() < FEW || read.len() * 2 < rows.len() {
        return (0, 0);
    }
    let columns = rows.iter().flatten().map(|(field, _)| field + 1).max().unwrap_or(0);
    // The ways of writing of each field that most rows have.
    let mut written: Vec<HashSet<String>> = vec![HashSet::new(); columns];
    let mut counts = vec![0_usize; columns];
    for (field, node) in rows.iter().flatten() {
        written[*field].insert(shape(&value(page, *node)));
        counts[*field] += 1;
    }
    let usual: Vec<&HashSet<String>> = written
        .iter()
        .zip(&counts)
        .filter(|(_, count)| **count * 2 >= rows.len())
        .map(|(shapes, _)| shapes)
        .collect();
    let is_alike = |child: NodeId| {
        let from = seen.partition_point(|text| *text < child);
        let inside = seen[from..].iter().take_while(|text| **text < page.end(child));
        let shapes: HashSet<String> = inside.map(|text| shape(&value(page, *text))).collect();
        let fits = usual.iter().filter(|known| !known.is_disjoint(&shapes)).count();
        !usual.is_empty() && fits * 2 >= usual.len()
    };
    let others = page
        .children(around)
        .filter(|child| page.is_element(*child) && !read.contains(child));
    (
        read.len() as u64,
        others.filter(|child| is_alike(*child)).count() as u64,
    )
}

/// The longest text, in bytes, that is told by how it is written.
const LONGEST: usize = 60;

/// How a text is written, if few other texts are: it has digits, and signs or spaces between them.
fn telling(text: &str) -> Option<String> {
    let has = |is: fn(char) -> bool| text.contains(is);
    (text.len() <= LONGEST && has(char::is_numeric) && has(|c| !c.is_alphanumeric())).then(|| shape(text))
}

/// Is a shape one that few texts have? See [`telling`].
pub(super) fn is_telling(shape: &str) -> bool {
    shape.contains('0') && shape.contains(|c: char| !c.is_alphanumeric())
}

/// The number of values that are told by how they are written, and of other texts on the page that are written like one of them, or in a
/// way that is known.
pub(super) fn strays(
    page: &Page,
    seen: &[NodeId],
    rows: &[Vec<(usize, NodeId)>],
    known: &HashSet<String>,
) -> (u64, u64) {
    let mut shapes: HashSet<String> = HashSet::new();
    let mut read: HashSet<NodeId> = HashSet::new();
    let mut count = 0;
    for (_, node) in rows.iter().flatten() {
        let from = seen.partition_point(|text| text < node);
        let inside = seen[from..].iter();
        read.extend(inside.take_while(|text| *text == node || **text < page.end(*node)));
        if let Some(shape) = telling(&value(page, *node)) {
            shapes.insert(shape);
            count += 1;
        }
    }
    if shapes.is_empty() && known.is_empty() || rows.is_empty() {
        return (0, 0);
    }
    let is_known = |shape: String| shapes.contains(&shape) || known.contains(&shape);
    let is_stray = |text: &&NodeId| !read.contains(*text) && telling(&value(page, **text)).is_some_and(is_known);
    (count, seen.iter().filter(is_stray).count() as u64)
}

/// For each field, the number of values whose record was looked through, and of those that have another text in their record that is
/// written like values of the field and that no field reads. Only values that are told by how they are written count, see [`telling`].
///
/// A record is the part of the list from its first value on, up to the next record.
pub(super) fn peers(page: &Page, seen: &[NodeId], rows: &[Vec<(usize, NodeId)>], columns: usize) -> Vec<(u64, u64)> {
    let mut peers = vec![(0, 0); columns];
    let nodes = || rows.iter().flatten().map(|(_, node)| *node);
    let (Some(first), Some(last)) = (nodes().min(), nodes().max()) else {
        return peers;
    };
    let holds = |up: NodeId, node: NodeId| up <= node && node < page.end(up);
    let Some(around) = page.ancestors(first).find(|up| holds(*up, last)) else {
        return peers;
    };
    let child = |node: NodeId| {
        let mut line = std::iter::once(node).chain(page.ancestors(node));
        line.find(|up| page.parent(*up) == Some(around))
    };
    let ends = |row: &Vec<(usize, NodeId)>| {
        let of = || row.iter().map(|(_, node)| *node);
        Some((child(of().min()?)?, page.end(child(of().max()?)?)))
    };
    let ends: Vec<(NodeId, NodeId)> = rows.iter().filter_map(ends).collect();
    let in_order = ends.windows(2).all(|pair| pair[0].0 < pair[1].0);
    if ends.len() < rows.len() || ends.len() < 2 || !in_order {
        return peers;
    }
    let mut shapes: Vec<HashSet<String>> = vec![HashSet::new(); columns];
    let mut read: HashSet<NodeId> = HashSet::new();
    for (field, node) in rows.iter().flatten() {
        let from = seen.partition_point(|text| text < node);
        let inside = seen[from..].iter();
        read.extend(inside.take_while(|text| *text == node || **text < page.end(*node)));
        if let Some(of) = shapes.get_mut(*field) {
            of.extend(telling(&value(page, *node)));
        }
    }
    for (number, row) in rows.iter().enumerate() {
        let (start, end) = ends[number];
        let end = ends.get(number + 1).map_or(end, |next| next.0);
        let from = seen.partition_point(|text| *text < start);
        let inside = seen[from..].iter().take_while(|text| **text < end);
        let others: HashSet<String> = inside
            .filter(|text| !read.contains(*text))
            .filter_map(|text| telling(&value(page, *text)))
            .collect();
        for (field, node) in row {
            if let Some((looked, having)) = peers.get_mut(*field)
                && telling(&value(page, *node)).is_some()
            {
                *looked += 1;
                *having += u64::from(!shapes[*field].is_disjoint(&others));
            }
        }
    }
    peers
}

/// For each field, the number of its values, and of other elements on the page that are of the same make as those of these values: with text, or with such an attribute
/// if the values are in one.
///
/// The make of an element is its name, its classes without digits, and the names of the two elements around it.
pub(super) fn makes(page: &Page, rows: &[Vec<(usize, NodeId)>], columns: usize) -> Vec<(u64, u64)> {
    let mut counts = vec![(0, 0); columns];
    // For each field, its elements, and the attribute that its values are in.
    let mut of: Vec<(HashSet<NodeId>, Option<&str>)> = vec![Default::default(); columns];
    // For each make, the fields with an element of it.
    let mut having: HashMap<u64, Vec<usize>> = HashMap::new();
    for (field, node) in rows.iter().flatten() {
        let owner = match page.is_element(*node) {
            true => *node,
            false => page.parent(*node).unwrap_or(*node),
        };
        if let Some(count) = counts.get_mut(*field) {
            count.0 += 1;
            let fields = having.entry(make(page, owner)).or_default();
            if !fields.contains(field) {
                fields.push(*field);
            }
            of[*field].0.insert(owner);
            of[*field].1 = (page.kind(*node) == Kind::Attribute).then(|| page.name(*node));
        }
    }
    if having.is_empty() {
        return counts;
    }
    for element in page.elements() {
        let fields = having.get(&make(page, *element)).map_or(&[][..], Vec::as_slice);
        if fields.is_empty() {
            continue;
        }
        let has_text = page.string_value(*element).contains(|c: char| !c.is_whitespace());
        for field in fields.iter().filter(|field| !of[**field].0.contains(element)) {
            let has_value = match of[*field].1 {
                Some(name) => page.attribute_value(*element, name).is_some(),
                None => has_text,
            };
            counts[*field].1 += u64::from(has_value);
        }
    }
    counts
}

fn make(page: &Page, element: NodeId) -> u64 {
    let mut hasher = DefaultHasher::new();
    let class = page.attribute_value(element, "class").unwrap_or_default();
    let class = class.chars().filter(|c| !c.is_ascii_digit());
    class.for_each(|c| c.hash(&mut hasher));
    let line = std::iter::once(element).chain(page.ancestors(element));
    line.take(3).for_each(|up| page.name(up).hash(&mut hasher));
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::super::gather;
    use page::{Limits, Page};

    fn parts(html: &str, values: &[&[&str]]) -> (u64, u64) {
        let page = Page::parse_str(html, &Limits::default()).expect("a small page");
        let row = |row: &&[&str]| row.iter().map(|text| vec![(*text).to_owned()]).collect();
        let rows: Vec<_> = values.iter().map(row).collect();
        gather(values[0].len(), &page, &rows).parts
    }

    #[test]
    fn values_with_another_one_beside_them_are_counted() {
        let peers = |html: &str, values: &[&[&str]]| {
            let page = Page::parse_str(html, &Limits::default()).expect("a small page");
            let row = |row: &&[&str]| row.iter().map(|text| vec![(*text).to_owned()]).collect();
            let rows: Vec<_> = values.iter().map(row).collect();
            let fields = gather(values[0].len(), &page, &rows).fields;
            fields.iter().map(|field| field.peers).collect::<Vec<_>>()
        };
        let row = |cells: &[&str]| {
            let cells: String = cells.iter().map(|cell| format!("<td>{cell}</td>")).collect();
            format!("<tr>{cells}</tr>")
        };
        let two = row(&["Kelp", "5/4/2019", "6/8/2019"]) + &row(&["Dune", "5/7/2019", "7/9/2019"]);
        let two = format!("<table>{two}</table><p>1/1/2001</p>");
        assert_eq!(
            peers(&two, &[&["Kelp", "5/4/2019"], &["Dune", "5/7/2019"]]),
            [(0, 0), (2, 2)]
        );
        // Both are read.
        let both: &[&[&str]] = &[&["5/4/2019", "6/8/2019"], &["5/7/2019", "7/9/2019"]];
        assert_eq!(peers(&two, both), [(2, 0), (2, 0)]);
        let one = row(&["Kelp", "5/4/2019"]) + &row(&["Dune", "5/7/2019"]);
        let one = format!("<table>{one}</table>");
        assert_eq!(
            peers(&one, &[&["Kelp", "5/4/2019"], &["Dune", "5/7/2019"]]),
            [(0, 0), (2, 0)]
        );
        // Where a record ends is not known if there is one.
        assert_eq!(peers(&two, &[&["Kelp", "5/4/2019"]]), [(0, 0), (0, 0)]);
    }

    #[test]
    fn elements_like_those_of_values_are_counted() {
        let makes = |html: &str, values: &[&[&str]]| {
            let page = Page::parse_str(html, &Limits::default()).expect("a small page");
            let row = |row: &&[&str]| row.iter().map(|text| vec![(*text).to_owned()]).collect();
            let rows: Vec<_> = values.iter().map(row).collect();
            let profile = gather(values[0].len(), &page, &rows);
            profile.fields.iter().map(|field| field.makes).collect::<Vec<_>>()
        };
        let cell = |name: &str, about: &str| format!("<td class=hit7><b>{name}</b><p>{about}</p></td>");
        let row = format!(
            "<tr>{}{}{}</tr>",
            cell("Kelp", "at sea"),
            cell("Dune", "of sand"),
            cell("Fog", "in town")
        );
        let page = format!("<ul><li><b>News</b></li></ul><table>{row}</table><p>Call us</p><p></p>");
        assert_eq!(makes(&page, &[&["Kelp", "at sea"]]), [(1, 2), (1, 2)]);
        let all: [&[&str]; 3] = [&["Kelp", "at sea"], &["Dune", "of sand"], &["Fog", "in town"]];
        assert_eq!(makes(&page, &all), [(3, 0), (3, 0)]);
    }

    #[test]
    fn what_looks_like_a_record_and_is_not_read_is_counted() {
        let old = |name: &str, price: &str| format!("<li><b>{name}</b> <i>{price}</i></li>");
        let new = |name: &str, price: &str| format!("<li><div><em>{name}</em><u>{price}</u></div></li>");
        let rows = [
            ["Kelp", "$1.50"],
            ["Salt Road", "$2.00"],
            ["Dune", "$7.25"],
            ["Rain", "$8.10"],
        ];
        let read: Vec<&[&str]> = rows.iter().map(|row| &row[..]).collect();
        let list: String = rows.iter().map(|[name, price]| old(name, price)).collect();
        let more = new("Fog", "$3.00") + &new("Wind", "$4.00");
        let advert = "<li>Today only: all our offers!</li>";
        assert_eq!(parts(&format!("<ul>{list}</ul>"), &read), (4, 0));
        assert_eq!(parts(&format!("<ul>{list}{advert}{more}</ul>"), &read), (4, 2));
        // Other lists, and lists of a few rows, do not count.
        assert_eq!(parts(&format!("<ul>{list}</ul><ul>{more}</ul>"), &read), (4, 0));
        assert_eq!(parts(&format!("<ul>{list}{more}</ul>"), &read[..2]), (0, 0));
    }

    #[test]
    fn texts_that_are_written_like_values_are_counted_on_the_whole_page() {
        let strays = |html: &str, values: &[&[&str]]| {
            let page = Page::parse_str(html, &Limits::default()).expect("a small page");
            let row = |row: &&[&str]| row.iter().map(|text| vec![(*text).to_owned()]).collect();
            let rows: Vec<_> = values.iter().map(row).collect();
            gather(values[0].len(), &page, &rows).strays
        };
        let row = |name: &str, day: &str| format!("<tr><td>{name}</td><td>{day}</td></tr>");
        let list = row("Kelp", "May 4, 2019") + &row("Dune", "May 11, 2019") + &row("Fog", "June 1, 2019");
        let page = format!("<p>Page 3</p><table>{list}</table><p>Call 555-1234</p>");
        assert_eq!(strays(&page, &[&["Kelp", "May 4, 2019"]]), (1, 1));
        let all: [&[&str]; 3] = [
            &["Kelp", "May 4, 2019"],
            &["Dune", "May 11, 2019"],
            &["Fog", "June 1, 2019"],
        ];
        assert_eq!(strays(&page, &all), (3, 0));
        assert_eq!(strays(&page, &[&["Kelp"]]), (0, 0));
    }
}
