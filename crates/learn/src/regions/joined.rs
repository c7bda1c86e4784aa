//! The lists of several pages as one long list.
//!
//! A list that goes on over several pages was cut by its pager, not by its author: its records are made in the same way, and
//! ten pages with three records each say as much as one page with thirty. So the list of one page gets the records of
//! the others, at its end, and the fields are those of the long list: an optional value that the page lacks, a column whose values look alike
//! only if there are enough of them, a label that only some records have.
//!
//! **In**: pages, and the list of one of them, with the records that its paths find on all. **Out**: the page with the longer list.
//! The records of a page are children of one element, its *container*, or further below; the
//! children from the first record to the last are copied. The container is as far above the records as on the page where that is most. A page
//! whose container has another name, or does not hold all records, or that repeats the records of another page, is left out.
//!
//! **Cost**: linear in the pages; at most [`MOST`] records and [`NODES`] nodes are joined. **Known failures**: what is between two
//! records of one page that are several elements each is told by the names of these elements, so the last record of a page may lack its end.

use page::{Builder, Kind, LimitError, Limits, Namespace, NodeId, Page};
use std::collections::BTreeSet;
use std::ops::Range;

/// The most records of a joined list.
const MOST: usize = 300;
/// The most nodes that are added to a page.
const NODES: usize = 100_000;

/// A page with the records of others.
pub(super) struct Joined {
    pub(super) page: Page,
    /// The number of records that were joined.
    pub(super) records: usize,
}

/// The page at `from` with the records of the other pages after its own; `heads` has the first nodes of the records of each page. None if there is nothing to add.
pub(super) fn join(pages: &[&Page], from: usize, heads: &[Vec<NodeId>]) -> Option<Joined> {
    let above = pages
        .iter()
        .zip(heads)
        .filter_map(|(page, heads)| above(page, heads))
        .max()?;
    let lists: Vec<Option<List>> = pages
        .iter()
        .zip(heads)
        .map(|(page, heads)| List::new(page, heads, above))
        .collect();
    let own = lists[from].as_ref()?;
    let between = Between::new(pages, &lists);
    let (first, name) = (between.chunk(pages[from], own), pages[from].name(own.container));
    let mut said = BTreeSet::from([text(pages[from], &first)]);
    let (mut records, mut nodes) = (own.tops.len().max(heads[from].len()), 0);
    let mut added = Vec::new();
    for (at, list) in lists.iter().enumerate() {
        let (page, Some(list)) = (pages[at], list) else {
            continue;
        };
        let chunk = between.chunk(page, list);
        let is_full = records + heads[at].len() > MOST || nodes + chunk.len() > NODES;
        if at == from || is_full || page.name(list.container) != name || !said.insert(text(page, &chunk)) {
            continue;
        }
        records += heads[at].len();
        nodes += chunk.len();
        added.push((page, chunk));
    }
    if added.is_empty() {
        return None;
    }
    let page = copied(pages[from], own.container, first.end, &added).ok()?;
    Some(Joined { page, records })
}

/// How far above the first record the element is that holds all records.
fn above(page: &Page, heads: &[NodeId]) -> Option<usize> {
    let (first, last) = (heads.first()?, heads.last()?);
    if first == last {
        return None;
    }
    page.ancestors(*first).position(|up| *last < page.end(up))
}

/// The list of a page.
struct List {
    container: NodeId,
    /// The children of the container that records begin in, each once.
    tops: Vec<NodeId>,
}

impl List {
    fn new(page: &Page, heads: &[NodeId], above: usize) -> Option<List> {
        let container = page.ancestors(*heads.first()?).nth(above)?;
        let top = |head: &NodeId| {
            let mut line = std::iter::once(*head).chain(page.ancestors(*head));
            line.find(|up| page.parent(*up) == Some(container))
        };
        let mut tops: Vec<NodeId> = heads.iter().map(top).collect::<Option<_>>()?;
        tops.dedup();
        Some(List { container, tops })
    }
}

/// What is between the beginnings of two records.
struct Between<'p> {
    /// The names of the elements there.
    names: BTreeSet<&'p str>,
    /// The most nodes of a record, without blank texts.
    longest: usize,
}

impl<'p> Between<'p> {
    fn new(pages: &[&'p Page], lists: &[Option<List>]) -> Between<'p> {
        let (mut names, mut longest) = (BTreeSet::new(), 1);
        for (page, list) in pages.iter().zip(lists) {
            let Some(list) = list else { continue };
            for two in list.tops.windows(2) {
                let mut length = 1;
                let mut next = page.next_sibling(two[0]);
                while let Some(node) = next.filter(|node| *node < two[1]) {
                    if !is_blank(page, node) {
                        names.insert(page.name(node));
                        length += 1;
                    }
                    next = page.next_sibling(node);
                }
                longest = longest.max(length);
            }
        }
        Between { names, longest }
    }

    /// The nodes from the first record of a list, with the heading of its group, to the end of the last.
    fn chunk(&self, page: &Page, list: &List) -> Range<u32> {
        let (first, mut last) = (list.tops[0], list.tops[list.tops.len() - 1]);
        let mut length = 1;
        let mut next = page.next_sibling(last);
        while let Some(node) = next.filter(|node| length < self.longest && self.is_part(page, *node)) {
            if !is_blank(page, node) {
                length += 1;
                last = node;
            }
            next = page.next_sibling(node);
        }
        self.heading(page, first).unwrap_or(first).0..page.end(last).0
    }

    /// The heading of the first group, if groups have headings and it is right before the first record.
    fn heading(&self, page: &Page, first: NodeId) -> Option<NodeId> {
        let siblings = page.children(page.parent(first)?).take_while(|other| *other < first);
        let before = siblings.filter(|other| !is_blank(page, *other)).last()?;
        let is_heading = matches!(page.name(before), "h1" | "h2" | "h3" | "h4" | "h5" | "h6");
        (is_heading && self.names.contains(page.name(before))).then_some(before)
    }

    fn is_part(&self, page: &Page, node: NodeId) -> bool {
        is_blank(page, node) || self.names.contains(page.name(node))
    }
}

fn is_blank(page: &Page, node: NodeId) -> bool {
    match page.kind(node) {
        Kind::Text => super::items::is_blank(page.string_value(node)),
        kind => kind != Kind::Element,
    }
}

fn text<'p>(page: &'p Page, chunk: &Range<u32>) -> &'p str {
    &page.text()[page.text_start(NodeId(chunk.start))..page.text_start(NodeId(chunk.end))]
}

/// A copy of a page with parts of others in an element, at a place before one of its nodes or at its end.
fn copied(page: &Page, container: NodeId, place: u32, parts: &[(&Page, Range<u32>)]) -> Result<Page, LimitError> {
    let mut builder = Builder::new(Limits::default());
    if page.is_hidden(container).is_some() {
        builder.all_seen();
    }
    let end = page.end(NodeId::DOCUMENT).0;
    let open = copy(&mut builder, page, 1..place, Vec::new())?;
    let open = closed(&mut builder, open, |element| element > container);
    for (other, part) in parts {
        // Without something between them, texts would be one.
        builder.comment("")?;
        let open = copy(&mut builder, other, part.clone(), Vec::new())?;
        closed(&mut builder, open, |_| true);
    }
    builder.comment("")?;
    copy(&mut builder, page, place..end, open)?;
    Ok(builder.finish())
}

/// Copies nodes; gives the elements that are still open.
fn copy(
    builder: &mut Builder,
    page: &Page,
    nodes: Range<u32>,
    mut open: Vec<NodeId>,
) -> Result<Vec<NodeId>, LimitError> {
    let mut at = nodes.start;
    while at < nodes.end {
        let node = NodeId(at);
        open = closed(builder, open, |element| page.end(element) <= node);
        at += 1;
        match page.kind(node) {
            Kind::Element => {
                builder.open(page.name(node), page.namespace(node).unwrap_or(Namespace::Html))?;
                for attribute in page.attributes(node).map(NodeId) {
                    builder.attribute(page.name(attribute), page.string_value(attribute))?;
                }
                if page.is_hidden(node) == Some(true) {
                    builder.hidden();
                }
                at = page.styles(node).end;
                open.push(node);
            }
            Kind::Text => builder.text(page.string_value(node))?,
            Kind::Comment => builder.comment(page.string_value(node))?,
            Kind::Document | Kind::Attribute => {}
        }
    }
    Ok(open)
}

/// Closes the innermost elements for which this holds.
fn closed(builder: &mut Builder, mut open: Vec<NodeId>, ends: impl Fn(NodeId) -> bool) -> Vec<NodeId> {
    while open.last().is_some_and(|element| ends(*element)) {
        open.pop();
        builder.close();
    }
    open
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::regions::{find, find_joined, places::evaluate};
    use page::Job;

    fn page(html: &str) -> Page {
        Page::parse_str(html, &Default::default()).unwrap()
    }

    #[track_caller]
    fn check(pages: &[&str], path: &str, expected: Option<&str>) {
        let pages: Vec<Page> = pages.iter().map(|html| page(html)).collect();
        let pages: Vec<&Page> = pages.iter().collect();
        let heads: Vec<Vec<NodeId>> = pages.iter().map(|page| evaluate(page, path)).collect();
        let joined = join(&pages, 0, &heads);
        let body = |page: &Page| page.inner_html(evaluate(page, "//body")[0]).replace("<!---->", "");
        assert_eq!(joined.as_ref().map(|joined| body(&joined.page)).as_deref(), expected);
        if let Some(joined) = joined {
            assert_eq!(evaluate(&joined.page, path).len(), joined.records);
        }
    }

    #[test]
    fn the_records_of_other_pages_come_after_those_of_the_page() {
        check(
            &[
                "<h1>A</h1><ul><li>1<li><b>2</b></ul><p>end",
                "<h1>B</h1><ul><li>3<li>4<li>5</ul><p>end",
            ],
            "//li",
            Some("<h1>A</h1><ul><li>1</li><li><b>2</b></li><li>3</li><li>4</li><li>5</li></ul><p>end</p>"),
        );
        // Also from a page with one record.
        check(
            &["<ul><li>1<li>2</ul>", "<ul><li>3</ul>"],
            "//li",
            Some("<ul><li>1</li><li>2</li><li>3</li></ul>"),
        );
        // What is around the list is not copied, and a record has all of its elements.
        check(
            &[
                "<div><hr><dt>1<dd>a<dt>2<dd>b<i>x</i></div>",
                "<div><hr><dt>3<dd>c<dt>4<dd>d<p>end</div>",
            ],
            "//dt",
            Some(
                "<div><hr><dt>1</dt><dd>a</dd><dt>2</dt><dd>b<i>x</i></dd><dt>3</dt><dd>c</dd><dt>4</dt><dd>d<p>end</p></dd></div>",
            ),
        );
        // Sections, each with its heading.
        check(
            &[
                "<h2>A</h2><ul><li>1</ul><h2>B</h2><ul><li>2</ul>",
                "<h2>C</h2><ul><li>3</ul>",
            ],
            "//li",
            Some("<h2>A</h2><ul><li>1</li></ul><h2>B</h2><ul><li>2</li></ul><h2>C</h2><ul><li>3</li></ul>"),
        );
    }

    #[test]
    fn texts_of_two_pages_stay_two() {
        let pages = ["1<br>2<br>", "3<br>4<br>"].map(|lines| page(&format!("<p>{lines}</p>")));
        let pages = [&pages[0], &pages[1]];
        let heads = pages.map(|page| evaluate(page, "//p/text()")).to_vec();
        let joined = join(&pages, 0, &heads).unwrap();
        assert_eq!(evaluate(&joined.page, "//p/text()").len(), 4);
    }

    #[test]
    fn what_says_nothing_new_is_not_joined() {
        let list = "<ul><li>1<li>2</ul>";
        check(&[list, list], "//li", None);
        check(&[list, "<p>nothing"], "//li", None);
        check(&[list, "<ol><li>3<li>4</ol>"], "//li", None);
        check(&["<ul><li>1</ul>", "<ul><li>2</ul>"], "//li", None);
    }

    #[test]
    fn a_field_that_the_page_lacks_is_found_on_another() {
        let list = |records: &[(&str, &str)]| {
            let record = |(name, note): &(&str, &str)| {
                let note = if note.is_empty() {
                    String::new()
                } else {
                    format!("<i class=note>{note}</i>")
                };
                format!("<li><a href=/{name}>{name}</a> <b>${}</b>{note}</li>", name.len())
            };
            page(&format!(
                "<h1>Things</h1><ul>{}</ul>",
                records.iter().map(record).collect::<String>()
            ))
        };
        let one = list(&[("Kelp", ""), ("Moss", ""), ("Fern", "")]);
        let two = list(&[
            ("Alga", "rare"),
            ("Reed", ""),
            ("Sedge", "very rare"),
            ("Rush", "sold out"),
        ]);
        let alone = find(&one, &Job::new()).remove(0);
        let joined = find_joined(&[&one, &two], 0, &alone, &Job::new()).unwrap();
        assert_eq!((alone.records, joined.records), (3, 7));
        assert_eq!(joined.names.len(), alone.names.len() + 1, "{:?}", joined.names);
    }
}
