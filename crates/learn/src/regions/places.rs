//! The paths to the records of a list: those that give these nodes on the page, by what is likely to be on other pages too.
//!
//! What comes first is tried first: the class of the records, an `id` or a class of an element above them, the headings of the columns
//! or the heading above the list, the names of the elements above, and at last the path from the root with positions. The first path
//! that gives exactly the records is taken, and a few of the next ones that do, too, each for pages on which those before it find
//! nothing: an `id` may have the number of the page in it. If no path gives the records alone, because there are
//! other rows at the ends, records are told by an element that all of them have and none of the others, or the other way round. Where there is none,
//! the other rows are counted from both ends: lists of other pages have other lengths. Some dozens of paths are evaluated at most.

use super::Candidate;
use super::heads::{COMPARED, Test};
use super::items::Items;
use super::judge::{self, Looks, UNLIKE};
use super::sight::Sight;
use crate::guided::literal;
use crate::tables;
use oxpath::{Query, Value};
use page::{Kind, NodeId, Page};
use std::collections::BTreeSet;
use std::ops::Range;

/// How far above the records a path may begin.
const ABOVE: usize = 8;

/// The most paths to the records of one list.
const PATHS: usize = 3;

/// The most words of a class that are tried.
const TOKENS: usize = 4;

/// The longest value of an attribute that a path begins with, in bytes.
const LONGEST: usize = 80;

/// A path by names alone that is not the first has more elements than these above the records.
const NAMED: usize = 2;

/// The most items that are told from others by what is in them.
const TESTED: usize = 300;
/// How deep elements are looked at for this, and how many at each depth.
const DEEP: usize = 4;
const WAYS: usize = 40;

/// The most records at the end of a long row that are left out.
const TAIL: usize = 8;

/// The nodes that a path gives on a page.
pub(super) fn evaluate(page: &Page, path: &str) -> Vec<NodeId> {
    match Query::compile(path).map(|query| query.evaluate(page)) {
        Ok(Ok(Value::Nodes(nodes))) => nodes,
        _ => Vec::new(),
    }
}

/// The paths to the records of a candidate, best first, and the records' first nodes.
pub(super) fn each(sight: &Sight<'_>, candidate: &Candidate) -> Option<(Vec<String>, Vec<NodeId>)> {
    let page = sight.page;
    let items = &candidate.items;
    let firsts = candidate.firsts();
    let step = step(page, candidate);
    let steps = items.steps.iter().map(|name| format!("{}/", page.name_text(*name)));
    let inner = match items.anywhere {
        true => {
            let class = shared_classes(page, &firsts).into_iter().next().unwrap_or_default();
            format!(
                "/{}{class}{}",
                name(page, firsts[0]),
                candidate.heads.test.predicate(page)
            )
        }
        false => format!("{}{step}", steps.collect::<String>()),
    };
    // Of a long row only the beginning was compared.
    let firsts = match items.nodes.len() > COMPARED {
        false => firsts,
        true => {
            let path = format!("{}/{inner}", absolute(page, items.base));
            let first = firsts[0];
            let mut nodes = evaluate(page, &path);
            nodes.retain(|node| *node >= first);
            without_tail(sight, candidate, nodes)
        }
    };
    let is_exact = |path: &String| evaluate(page, path) == firsts;
    let mut paths: Vec<String> = Vec::new();
    for class in shared_classes(page, &firsts) {
        if paths.is_empty() {
            let path = format!("//{}{class}", name(page, firsts[0]));
            let tested = format!("{path}{}", candidate.heads.test.predicate(page));
            paths.extend([path, tested].into_iter().find(is_exact));
        }
    }
    let anchored = anchored(sight, items, &inner);
    paths.extend(anchored.into_iter().filter(is_exact).take(PATHS - 1 - paths.len()));
    // With a path at hand, one by the names of the elements alone must have some of them: the list may be missing on a page.
    let least = if paths.is_empty() { 0 } else { NAMED };
    let plain = plain(page, items.base, &inner);
    paths.extend(plain.into_iter().skip(least).find(is_exact));
    if paths.is_empty() {
        paths.extend(headed(page, items, &inner).into_iter().find(is_exact));
    }
    if paths.is_empty() {
        paths.extend(Some(format!("{}/{inner}", absolute(page, items.base))).filter(is_exact));
    }
    if paths.is_empty() {
        paths = by_position(sight, candidate, &firsts);
    }
    // What is around the list may be another element on other pages.
    if let [path] = &paths[..]
        && let Some(below) = ["/html/body/", "//body/"].iter().find_map(|top| path.strip_prefix(top))
    {
        let all = format!("//{}", name(page, firsts[0]));
        let told = match page.is_element(firsts[0]) {
            true => by_content(page, &evaluate(page, &all), &firsts)
                .map(|test| format!("{all}{test}"))
                .filter(is_exact),
            false => None,
        };
        let below = [Some(below), below.split_once('/').map(|(_, below)| below)];
        let below = below
            .into_iter()
            .flatten()
            .filter(|below| below.matches('/').count() > NAMED);
        let ends: Vec<String> = below.map(|below| format!("//{below}")).filter(is_exact).collect();
        paths.extend(told.into_iter().chain(ends));
        paths.truncate(PATHS);
    }
    (!paths.is_empty()).then_some((paths, firsts))
}

/// The records of a long row without those at its end that are unlike the ones that were compared.
fn without_tail(sight: &Sight<'_>, candidate: &Candidate, mut nodes: Vec<NodeId>) -> Vec<NodeId> {
    let items = &candidate.items;
    let looks = Looks::new(sight, items, 0..COMPARED);
    let heads: Vec<Range<usize>> = candidate
        .records
        .iter()
        .map(|record| record.start..record.start + 1)
        .collect();
    for _ in 0..TAIL {
        let Some(last) = nodes.last().filter(|_| nodes.len() > candidate.records.len()) else {
            break;
        };
        let Ok(at) = items.nodes.binary_search(last) else { break };
        let tail = Looks::new(sight, items, at..at + 1);
        if judge::likeness(&looks, &heads, &tail)[0] >= UNLIKE {
            break;
        }
        nodes.pop();
    }
    nodes
}

fn name(page: &Page, node: NodeId) -> &str {
    match page.kind(node) {
        Kind::Text => "text()",
        _ => page.name(node),
    }
}

/// The last step, with its test. Rows of a table are told by their cells if nothing else tells them: other pages may have rows with one cell
/// between them, or a row of headings.
fn step(page: &Page, candidate: &Candidate) -> String {
    let first = candidate.items.nodes[candidate.records[0].start];
    let blank = match page.kind(first) {
        Kind::Text => "[normalize-space()]",
        _ => "",
    };
    let has_cells = |record: &Range<usize>| {
        let children = page.children(candidate.items.nodes[record.start]);
        record.len() == 1 && children.filter(|child| page.name(*child) == "td").nth(1).is_some()
    };
    let is_open = match &candidate.heads.test {
        Test::Any => true,
        Test::Has(names) => matches!(names[..], [name] if page.name_text(name) == "td"),
        _ => false,
    };
    let test = match is_open && page.name(first) == "tr" && candidate.records.iter().all(has_cells) {
        true => &Test::Cells,
        false => &candidate.heads.test,
    };
    format!("{}{blank}{}", name(page, first), test.predicate(page))
}

/// Tests for what the classes of all nodes have in common: words of them, for a record of another page may have one more, then all of it.
fn shared_classes(page: &Page, nodes: &[NodeId]) -> Vec<String> {
    let has = |node: &NodeId| page.attribute_value(*node, "class").unwrap_or("");
    let Some(class) = nodes.first().map(has).filter(|class| !class.trim().is_empty()) else {
        return Vec::new();
    };
    let shared = |token: &&str| {
        let mut classes = nodes.iter().map(has);
        classes.all(|class| class.split_whitespace().any(|other| other == *token))
    };
    let mut tokens: Vec<&str> = class.split_whitespace().filter(shared).take(TOKENS).collect();
    // A number may be that of the record or of the page.
    tokens.sort_by_key(|token| token.contains(|c: char| c.is_ascii_digit()));
    let mut tests: Vec<String> = tokens
        .into_iter()
        .map(|token| Test::Class(token.to_owned()).predicate(page))
        .collect();
    if nodes.iter().all(|node| has(node) == class) {
        tests.push(format!("[@class={}]", literal(class)));
    }
    tests
}

/// Paths from elements above that can be told from others.
fn anchored(sight: &Sight<'_>, items: &Items, inner: &str) -> Vec<String> {
    let page = sight.page;
    let mut paths = Vec::new();
    let mut rest = inner.to_owned();
    for element in above(page, items.base) {
        let tag = page.name(element);
        for attribute in ["id", "class"] {
            let Some(value) = page.attribute_value(element, attribute) else {
                continue;
            };
            if value.trim().is_empty() || value.len() > LONGEST {
                continue;
            }
            // Of several words the plain ones are likely to stay: others say which list it is, or in which state.
            if attribute == "class" && value.split_whitespace().nth(1).is_some() {
                let is_plain = |word: &&str| !word.contains("--") && !word.contains(|c: char| c.is_ascii_digit());
                let word = value.split_whitespace().find(is_plain);
                let test = word.map(|word| Test::Class(word.to_owned()).predicate(page));
                paths.extend(test.map(|test| format!("//{tag}{test}/{rest}")));
            }
            paths.push(format!("//{tag}[@{attribute}={}]/{rest}", literal(value)));
        }
        rest = format!("{tag}/{rest}");
    }
    paths
}

/// Paths from the table around the records, told by a heading of its columns.
fn headed(page: &Page, items: &Items, inner: &str) -> Vec<String> {
    let Some(table) = tables::table(page, items.base) else {
        return Vec::new();
    };
    let mut rest = inner.to_owned();
    for element in above(page, items.base).take_while(|element| *element != table) {
        rest = format!("{}/{rest}", page.name(element));
    }
    let headings = tables::headings(page, table).unwrap_or_default().into_iter();
    let short = headings.filter(|text| !text.is_empty() && text.len() <= LONGEST);
    short
        .map(|text| format!("//table[.//th[normalize-space()={}]]/{rest}", literal(&text)))
        .collect()
}

/// Paths by the names of elements above, short ones first. With few of them, a path may give the items of other lists on other pages.
fn plain(page: &Page, base: NodeId, inner: &str) -> Vec<String> {
    let mut rest = inner.to_owned();
    let longer = |element: NodeId| {
        rest = format!("{}/{rest}", page.name(element));
        format!("//{rest}")
    };
    above(page, base).map(longer).collect()
}

/// An element and some above it.
fn above(page: &Page, base: NodeId) -> impl Iterator<Item = NodeId> {
    let above = std::iter::once(base).chain(page.ancestors(base));
    above.filter(|node| page.is_element(*node)).take(ABOVE)
}

/// The path from the root, with positions.
pub(super) fn absolute(page: &Page, node: NodeId) -> String {
    let mut steps = Vec::new();
    let mut at = node;
    while let (Some(parent), true) = (page.parent(at), page.is_element(at)) {
        let alike = |other: &NodeId| page.name_of(*other) == page.name_of(at) && page.is_element(*other);
        let (mut place, mut count) = (0, 0);
        for other in page.children(parent).filter(alike) {
            count += 1;
            if other <= at {
                place = count;
            }
        }
        steps.push(match count {
            1 => page.name(at).to_owned(),
            _ => format!("{}[{place}]", page.name(at)),
        });
        at = parent;
    }
    steps.reverse();
    format!("/{}", steps.join("/"))
}

/// Paths for records with other rows at the ends: by an element in them, or by how many items of the test are before the first and
/// after the last record.
fn by_position(sight: &Sight<'_>, candidate: &Candidate, firsts: &[NodeId]) -> Vec<String> {
    let page = sight.page;
    let items = &candidate.items;
    if items.anywhere {
        return Vec::new();
    }
    let steps = items.steps.iter().map(|name| page.name_text(*name).to_owned());
    let steps: Vec<String> = steps.chain([step(page, candidate)]).collect();
    let inner = steps.join("/");
    let mut bases = anchored(sight, items, &inner);
    bases.push(format!("{}/{inner}", absolute(page, items.base)));
    let mut paths = Vec::new();
    for path in bases {
        let all = evaluate(page, &path);
        // The name of an element may be none of XPath.
        let told = by_content(page, &all, firsts).map(|test| format!("{path}{test}"));
        if let Some(told) = told.filter(|told| evaluate(page, told) == firsts) {
            paths.push(told);
            continue;
        }
        let start = all.iter().position(|node| Some(node) == firsts.first());
        let end = all.iter().position(|node| Some(node) == firsts.last());
        let (Some(start), Some(end)) = (start, end) else {
            continue;
        };
        let mut bounds = Vec::new();
        if start > 0 {
            bounds.push(format!("position() > {start}"));
        }
        if end + 1 < all.len() {
            bounds.push(format!("position() <= last() - {}", all.len() - end - 1));
        }
        let bounds = bounds.join(" and ");
        let path = match items.is_flat() {
            true => format!("{path}[{bounds}]"),
            false => format!("({path})[{bounds}]"),
        };
        if evaluate(page, &path) == firsts {
            paths.push(path);
        }
        if paths.len() == PATHS {
            break;
        }
    }
    paths.truncate(PATHS);
    paths
}

/// A test for an element that all records have and none of the other items, or the other way round; if there are several, the one that is least
/// deep, and a link rather than something else.
fn by_content(page: &Page, all: &[NodeId], records: &[NodeId]) -> Option<String> {
    let is_record = |node: &&NodeId| records.binary_search(node).is_ok();
    let (own, others): (Vec<&NodeId>, Vec<&NodeId>) = all.iter().partition(is_record);
    if own.len() != records.len() || others.is_empty() || all.len() > TESTED {
        return None;
    }
    let inside = |nodes: &[&NodeId]| nodes.iter().map(|node| ways_down(page, **node)).collect::<Vec<_>>();
    let (own, others) = (inside(&own), inside(&others));
    let common = |sets: &[BTreeSet<String>]| -> BTreeSet<String> {
        let is_common = |way: &&String| sets.iter().all(|set| set.contains(*way));
        sets[0].iter().filter(is_common).cloned().collect()
    };
    let shared = common(&own);
    // A row that has most of it may be a record that lacks something.
    if others
        .iter()
        .any(|other| shared.intersection(other).count() * 2 > shared.len())
    {
        return None;
    }
    let only = |have: &BTreeSet<String>, lack: &[BTreeSet<String>]| {
        let ways = have.iter().filter(|way| !lack.iter().any(|set| set.contains(*way)));
        let rank = |way: &&String| (way.matches('/').count(), !(*way == "a" || way.ends_with("/a")));
        ways.min_by_key(rank).cloned()
    };
    match only(&shared, &others) {
        Some(way) => Some(format!("[{way}]")),
        None => only(&common(&others), &own).map(|way| format!("[not({way})]")),
    }
}

/// The names of the elements down to each element below a node, for some of them.
fn ways_down(page: &Page, node: NodeId) -> BTreeSet<String> {
    let mut ways: BTreeSet<String> = BTreeSet::new();
    let mut next: Vec<(NodeId, String)> = vec![(node, String::new())];
    for _ in 0..DEEP {
        let mut deeper = Vec::new();
        for (node, way) in next {
            let room = WAYS.saturating_sub(deeper.len());
            for child in page.children(node).filter(|child| page.is_element(*child)).take(room) {
                let slash = if way.is_empty() { "" } else { "/" };
                deeper.push((child, format!("{way}{slash}{}", page.name(child))));
            }
        }
        ways.extend(deeper.iter().map(|(_, way)| way.clone()));
        next = deeper;
    }
    ways
}

#[cfg(test)]
mod tests {
    use page::{Job, Page};
    use wrapper::rule::paths::PathsRun;

    /// How many records the best list of a page has there, and what the rule finds on another page.
    fn on_others(page: &str, other: &str) -> (usize, Vec<String>) {
        let page = Page::parse_str(page, &Default::default()).unwrap();
        let best = crate::regions::find(&page, &Job::new()).remove(0);
        let other = Page::parse_str(other, &Default::default()).unwrap();
        let records = PathsRun::new(&best.rule).unwrap().page(&other).into_iter();
        let firsts = records.map(|record| record.values[0].text.clone());
        (best.records, firsts.collect())
    }

    fn rows(names: &[&str]) -> String {
        let row = |name: &&str| format!("<li><b>{name}</b> <i>{} pages</i></li>", name.len());
        names.iter().map(row).collect()
    }

    #[test]
    fn an_id_may_have_the_number_of_the_page_in_it() {
        let page = |number: usize, names: &[&str]| {
            let menu = "<div><ul><li>Home</li><li>About</li></ul></div>";
            let list = rows(names);
            format!("{menu}<div><div id=list-{number}><p><ul>{list}</ul></div></div><p>Imprint and more of it</p>")
        };
        let one = page(1, &["Kelp", "Moss", "Fern", "Algae"]);
        let (records, found) = on_others(&one, &page(2, &["Oak", "Birch"]));
        assert_eq!((records, found), (4, vec!["Oak".to_owned(), "Birch".to_owned()]));
    }

    #[test]
    fn a_row_with_one_cell_is_no_record_on_other_pages() {
        let row = |name: &str| format!("<tr><td>{name}</td><td>{} pages</td></tr>", name.len());
        let page = |between: &str| {
            let names = ["Kelp", "Moss", "Fern", "Algae"].map(row);
            format!("<table>{}{between}{}</table>", names[..2].concat(), names[2..].concat())
        };
        for headings in ["", "<tr><th>Plant</th><th>Pages</th></tr>"] {
            let page = |between: &str| page(between).replace("<table>", &format!("<table>{headings}"));
            let advert = page("<tr><td colspan=2>All our offers</td></tr>");
            let (records, found) = on_others(&page(""), &advert);
            assert_eq!((records, found.len()), (4, 4), "{found:?}");
            // Nor is it where it was learned.
            assert_eq!(on_others(&advert, &advert).0, 4);
        }
    }

    #[test]
    fn a_record_may_have_a_class_more() {
        let page = |classes: &[&str]| {
            let row = |class: &&str| {
                format!(
                    "<div class='{class}'><b>Name of {class}</b> <i>{} pages</i></div>",
                    class.len()
                )
            };
            let list: String = classes.iter().map(row).collect();
            format!("<div><p>Home</p></div>{list}<div><p>Imprint and so on</p></div>")
        };
        let (records, found) = on_others(&page(&["item"; 5]), &page(&["item first", "item", "item last"]));
        assert_eq!((records, found.len()), (5, 3), "{found:?}");
    }

    #[test]
    fn records_are_told_by_what_is_in_them() {
        let page = |before: usize, names: &[&str], after: usize| {
            let row = |name: &&str| format!("<p><b><a href=/{name}>{name}</a></b> has {} pages</p>", name.len());
            let other = "<p><i>Results</i></p>";
            let list: String = names.iter().map(row).collect();
            format!(
                "<body>{}{list}{}<table><tr><td>Imprint",
                other.repeat(before),
                other.repeat(after)
            )
        };
        let one = page(1, &["Kelp", "Moss", "Fern", "Algae", "Lichen"], 3);
        let (records, found) = on_others(&one, &page(3, &["Oak", "Birch", "Ash"], 1));
        assert_eq!((records, found.len()), (5, 3), "{found:?}");
        // In an element more.
        let framed = page(3, &["Oak", "Birch", "Ash"], 1).replace("<body>", "<body><center>");
        assert_eq!(on_others(&one, &framed).1.len(), 3);
    }

    #[test]
    fn a_list_is_told_by_the_plain_word_of_its_class() {
        let page = |class: &str, names: &[&str]| {
            let menu = "<div class='menu'><ol><li>Home</li><li>About</li></ol></div>";
            let list = rows(names);
            format!("{menu}<div class='{class}'><ul>{list}</ul></div><div><ul><li>Imprint</li></ul></div>")
        };
        let one = page("events events--coming", &["Kelp", "Moss", "Fern", "Algae"]);
        let (_, found) = on_others(&one, &page("events events--past", &["Oak", "Birch"]));
        assert_eq!(found, ["Oak", "Birch"]);
    }

    #[test]
    fn rows_at_the_ends_are_counted_from_the_ends() {
        let page = |names: &[&str]| {
            let row = |name: &&str| format!("<tr><td>{name}</td><td>{} pages</td><td>Ann</td></tr>", name.len());
            let list: String = names.iter().map(row).collect();
            let last =
                "<tr><td><input name=q></td><td><select><option>All</select></td><td><button>Go</button></td></tr>";
            format!("<table>{list}{last}{last}</table>")
        };
        let one = page(&["Kelp", "Moss", "Fern", "Algae", "Lichen", "Reed"]);
        let other = page(&["Oak", "Birch", "Ash", "Elm", "Yew", "Fir", "Pine", "Larch", "Beech"]);
        let (records, found) = on_others(&one, &other);
        assert_eq!((records, found.len()), (6, 9), "{found:?}");
    }
}
