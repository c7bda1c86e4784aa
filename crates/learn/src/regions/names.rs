//! Names of the fields of a list.
//!
//! A column whose text is the same in most records and ends with a colon is the label of the next one and no field. The heading of a
//! column in a table is a label, too; where headings are in several rows, it is made of all that are above the column. The rest is as for other fields, see [`crate::naming`].

use super::columns::{Column, Unnamed};
use super::groups;
use crate::infer::columns::headings;
use crate::naming::{self, LONGEST, Naming, label_name};
use page::{Kind, NodeId, Page};
use std::collections::HashSet;
use wrapper::rule::paths::value;

/// The share of the records with the same text that makes it a label.
const MOST: f64 = 0.8;
/// How many elements around a title, and nodes inside of it, may be its link.
const UP: usize = 4;
const INSIDE: usize = 20;
/// The most rows of headings that are looked at, and the most columns.
const HEADING_ROWS: usize = 4;
const COLUMNS: usize = 60;

/// Names columns; what is in nodes for which `is_data` holds is no heading.
pub(super) fn named(
    page: &Page,
    columns: Vec<Unnamed>,
    naming: &Naming<'_>,
    is_data: &dyn Fn(NodeId) -> bool,
) -> Vec<Column> {
    // Above the first column, the heading of a group says nothing about the column.
    let groups = columns.iter().filter(|column| groups::is_field(&column.field));
    let groups: HashSet<NodeId> = groups.flat_map(|column| column.nodes.iter().copied()).collect();
    let is_data = |node: NodeId| is_data(node) || page.ancestors(node).any(|up| groups.contains(&up));
    let mut label: Option<String> = None;
    let mut kept = Vec::new();
    let mut fields = Vec::new();
    let mut links: Vec<Vec<String>> = Vec::new();
    let count = columns.len();
    for column in columns {
        if let Some(text) = constant(&column)
            && text.ends_with(':')
            && kept.len() + 1 < count
        {
            label = Some(text).filter(|text| text.chars().count() <= LONGEST);
            continue;
        }
        let own = label.take().filter(|label| label_name(label).is_some());
        let own = column.label.clone().or(own);
        let first = column.nodes.first().copied().unwrap_or(NodeId::DOCUMENT);
        let heading = || heading(page, first, &is_data).filter(|_| column.attribute.is_none());
        fields.push(naming::Unnamed {
            label: own.or_else(heading),
            places: column
                .nodes
                .iter()
                .map(|node| (0, place(page, *node, column.attribute)))
                .collect(),
            // All fields of a list are in one record, which is not that of the page.
            record: 1,
            may_be_main: column.attribute.is_none(),
        });
        let is_link = column.attribute == Some("href");
        links.push(column.values.into_iter().flatten().filter(|_| is_link).collect());
        kept.push(column.field);
    }
    let mut names = naming.names(&fields);
    if let Some(title) = names.iter().position(|name| matches!(name.as_str(), "title" | "name")) {
        call_link(page, &fields[title], &links, &mut names);
    }
    let columns = kept.into_iter().zip(names);
    columns.map(|(field, name)| Column { name, field }).collect()
}

/// Calls the link of the title `link`, also if there are others before it: that of a category, say. If few records have it, the title may not be
/// the name of the thing, and nothing changes.
fn call_link(page: &Page, title: &naming::Unnamed, links: &[Vec<String>], names: &mut [String]) {
    let address = |node: NodeId| {
        let around = std::iter::once(node).chain(page.ancestors(node)).take(UP);
        let inside = (node.0 + 1..page.end(node).0).map(NodeId).take(INSIDE);
        let link = around.chain(inside).find(|near| page.name(*near) == "a")?;
        page.attribute_value(link, "href").map(str::trim)
    };
    let wanted: HashSet<&str> = title.places.iter().filter_map(|(_, node)| address(*node)).collect();
    let is_own = |values: &Vec<String>| {
        let own = values.iter().filter(|value| wanted.contains(value.trim())).count();
        !values.is_empty() && own as f64 >= MOST * values.len() as f64
    };
    let first = names.iter().position(|name| name == "link");
    if let (Some(own), Some(first)) = (links.iter().position(is_own), first)
        && !is_own(&links[first])
        && names[own].starts_with("link_")
        && links[own].len() as f64 >= MOST * links[first].len() as f64
    {
        names.swap(own, first);
    }
}

/// The attribute of a node, if the column has the values of one; else, of a cell, the innermost element with all of its text, which is a
/// link or a heading.
fn place(page: &Page, node: NodeId, attribute: Option<&str>) -> NodeId {
    if let Some(name) = attribute {
        let name = page.name_id(name);
        return name.and_then(|name| page.attribute(node, name)).unwrap_or(node);
    }
    if !matches!(page.name(node), "td" | "th") {
        return node;
    }
    let said = page.string_value(node).trim();
    let inside = (node.0 + 1..page.end(node).0).map(NodeId);
    let mut elements = inside.filter(|inner| page.is_element(*inner));
    let mut innermost = node;
    while let Some(inner) = elements.next().filter(|inner| page.string_value(*inner).trim() == said) {
        innermost = inner;
    }
    innermost
}

/// The heading of a column in a table.
fn heading(page: &Page, node: NodeId, is_data: &dyn Fn(NodeId) -> bool) -> Option<String> {
    // A cell may have its text in a link.
    let inside = match page.name(node) {
        "td" | "th" => page.end(node).0,
        _ => node.0,
    };
    let deeper = || {
        (node.0 + 1..inside)
            .map(NodeId)
            .find(|inner| page.kind(*inner) == Kind::Text)
    };
    if let Some(heading) = stacked(page, node) {
        return Some(heading);
    }
    let text = page.children(node).find(|child| !page.is_element(*child));
    let text = text.or_else(deeper).unwrap_or(node);
    let headings = headings(page, text).into_iter().filter(|heading| !is_data(*heading));
    let mut headings = headings.map(|heading| value(page, heading));
    headings.find(|text| label_name(text).is_some())
}

/// The headings above a cell, from the top, where a table begins with several rows of headings: `Games` above `W`, `D` and `L`.
fn stacked(page: &Page, node: NodeId) -> Option<String> {
    let mut around = std::iter::once(node).chain(page.ancestors(node)).take(UP);
    let cell = around.find(|up| matches!(page.name(*up), "td" | "th"))?;
    let row = page.parent(cell)?;
    let body = page.parent(row)?;
    let named =
        |parent: NodeId, name: &'static str| page.children(parent).filter(move |child| page.name(*child) == name);
    let head = page.parent(body).and_then(|table| named(table, "thead").next());
    let cells = |row: NodeId| page.children(row).filter(|child| page.is_element(*child));
    let is_heading = |row: &NodeId| cells(*row).next().is_some() && cells(*row).all(|cell| page.name(cell) == "th");
    let rows: Vec<NodeId> = match head.filter(|head| *head != body) {
        Some(head) => named(head, "tr").take_while(is_heading).take(HEADING_ROWS).collect(),
        None => named(body, "tr").take_while(is_heading).take(HEADING_ROWS).collect(),
    };
    if rows.len() < 2 || rows.contains(&row) {
        return None;
    }
    let span = |cell: NodeId, name: &str| {
        let count = page
            .attribute_value(cell, name)
            .and_then(|count| count.trim().parse().ok());
        count.filter(|count| (1..=COLUMNS).contains(count)).unwrap_or(1)
    };
    let column: usize = cells(row)
        .take_while(|other| *other < cell)
        .map(|other| span(other, "colspan"))
        .sum();
    // For each column, how many of the next rows a heading reaches into.
    let mut taken = vec![0_usize; COLUMNS];
    let mut said: Vec<String> = Vec::new();
    for row in rows {
        let mut at = 0;
        for heading in cells(row) {
            while taken.get(at).is_some_and(|rows| *rows > 0) {
                at += 1;
            }
            let (wide, high) = (span(heading, "colspan"), span(heading, "rowspan"));
            if (at..at + wide).contains(&column) {
                said.push(value(page, heading));
            }
            let reached = taken.iter_mut().skip(at).take(wide);
            reached.for_each(|rows| *rows = high);
            at += wide;
        }
        taken.iter_mut().for_each(|rows| *rows = rows.saturating_sub(1));
    }
    said.retain(|text| !text.is_empty());
    said.dedup();
    let said = said.join(" ");
    label_name(&said).is_some().then_some(said)
}

/// The text that most records have in a column of one value each.
fn constant(column: &Unnamed) -> Option<String> {
    let texts: Vec<&String> = column.values.iter().filter_map(|values| values.first()).collect();
    let first = texts
        .first()
        .filter(|_| column.attribute.is_none() && column.label.is_none() && !column.field.many && texts.len() > 1)?;
    let same = texts.iter().filter(|text| text == &first).count();
    (same as f64 >= MOST * texts.len() as f64).then(|| first.to_string())
}

#[cfg(test)]
mod tests {
    use page::{Job, Page};

    #[test]
    fn headings_in_two_rows_are_one_name() {
        let row = |number: usize| {
            let teams = ["Kelp", "Moss", "Fern", "Reed", "Oak"];
            format!(
                "<tr><td>{}</td><td>{} Town</td><td>{}</td><td>{}</td><td>{}</td></tr>",
                number + 1,
                teams[number],
                20 - number * 2,
                number,
                70 - number * 7
            )
        };
        let rows: String = (0..5).map(row).collect();
        let head = "<tr><th rowspan=2>Pos</th><th rowspan=2>Team</th><th colspan=2>Games</th><th rowspan=2>Points</th></tr><tr><th>Won</th><th>Lost</th></tr>";
        let heads = [
            format!("<table>{head}{rows}</table>"),
            format!("<table><thead>{head}</thead><tbody>{rows}</tbody></table>"),
        ];
        for html in heads {
            let page = Page::parse_str(&html, &Default::default()).unwrap();
            let best = crate::regions::find(&page, &Job::new()).remove(0);
            assert_eq!(
                best.names,
                ["pos", "team", "games_won", "games_lost", "points"],
                "{:?}",
                best.rule
            );
        }
    }

    #[test]
    fn words_of_other_rows_are_no_heading() {
        // All headings are in bold, and of the cells below some are links.
        let names = [
            "Kelp v. Moss",
            "Fern v. Reed",
            "Oak v. Elm",
            "Ash v. Ivy",
            "Yew v. Fir",
            "Hop v. Rye",
        ];
        let row = |at: usize| {
            let note = ["", "<br><i>Sealed</i>"][usize::from(at == 2 || at == 4)];
            format!(
                "<tr><td><a href=/{at}>{}</a></td><td>{}{note}</td><td>{}/3/2013</td></tr>",
                8696 + at * 31,
                names[at],
                at + 1
            )
        };
        let rows: String = (0..6).map(row).collect();
        let html =
            format!("<table><tr><td><b>Docket</b></td><td><b>Parties</b></td><td><b>Filed</b></td></tr>{rows}</table>");
        let page = Page::parse_str(&html, &Default::default()).unwrap();
        let best = crate::regions::find(&page, &Job::new()).remove(0);
        assert_eq!(best.records, 6, "{:?}", best.rule);
        let known = ["docket", "link", "parties", "filed", "parties_2"];
        assert_eq!(best.names, known, "{:?}", best.rule);
    }
}
