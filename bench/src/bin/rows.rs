//! Lists that were changed in known ways: is the list that is found on a page still the same list?
//!
//! `rows PAGE…` finds the best list of each page, changes the page, and finds the best list again. What a change does to the
//! records is known, so no truth is needed: after most changes the records must be the same. Each change is made in the
//! page's HTML as it was parsed, to the items of the list or beside it, and the place of a change is a function of the
//! page's own number of records, so there is no chance in it.
//!
//! Prints, for each change, on how many pages the records are as they must be, and with `--wrong` the pages on which they
//! are not. Pages whose list cannot be changed in some way (a row of a table has no wrapper) are left out for that change.

use learn::regions;
use page::{Job, Kind, NodeId, Page};
use std::collections::BTreeMap;
use wrapper::rule::paths::PathsRun;

/// The changes, in the order in which they are printed.
const CHANGES: [&str; 15] = [
    "written again",
    "a cell dropped",
    "first row shorter",
    "last row shorter",
    "a line added",
    "an advert between",
    "headings between",
    "odd and even",
    "three rows",
    "a thousand rows",
    "white space",
    "order of attributes",
    "wrapped",
    "menus beside",
    "twice",
];

fn main() {
    let mut wrong = false;
    let mut scores: BTreeMap<usize, (usize, usize)> = BTreeMap::new();
    let mut pages = 0;
    for file in std::env::args().skip(1) {
        if file == "--wrong" {
            wrong = true;
            continue;
        }
        let Ok(bytes) = std::fs::read(&file) else {
            print(&format!("{file}: cannot be read"));
            continue;
        };
        let Ok(page) = Page::parse(&bytes, &Default::default()) else {
            continue;
        };
        let Some(list) = List::find(&page) else { continue };
        pages += 1;
        for (number, name) in CHANGES.iter().enumerate() {
            let Some((html, expected)) = list.changed(&page, name) else {
                continue;
            };
            let Ok(changed) = Page::parse(html.as_bytes(), &utf8()) else {
                continue;
            };
            let found = List::find(&changed).map(|list| list.texts).unwrap_or_default();
            let right = expected.contains(&found);
            let score = scores.entry(number).or_default();
            score.0 += usize::from(right);
            score.1 += 1;
            if wrong && !right {
                let wanted = &expected[0];
                let at = found.iter().zip(wanted).take_while(|(one, other)| one == other).count();
                let near = |texts: &Vec<String>| texts.get(at).map(|text| text.chars().take(70).collect::<String>());
                print(&format!(
                    "{name}: {file}: {} records, expected {}; at {at} {:?}, expected {:?}",
                    found.len(),
                    wanted.len(),
                    near(&found),
                    near(wanted)
                ));
            }
        }
    }
    print(&format!(
        "\n{pages} pages with a list\n\n| change | right | of | % |\n|---|--:|--:|--:|"
    ));
    let mut all = (0, 0);
    for (number, (right, of)) in scores {
        all = (all.0 + right, all.1 + of);
        print(&row(CHANGES[number], right, of));
    }
    print(&row("all", all.0, all.1));
}

fn row(name: &str, right: usize, of: usize) -> String {
    format!(
        "| {name} | {right} | {of} | {:.1} |",
        100.0 * right as f64 / of.max(1) as f64
    )
}

#[expect(clippy::print_stdout, reason = "this is what the program is for")]
fn print(text: &str) {
    println!("{text}");
}

fn utf8() -> page::ParseSettings {
    page::ParseSettings {
        charset: Some("utf-8".to_owned()),
        ..Default::default()
    }
}

/// The best list of a page.
struct List {
    /// The first node of each record.
    firsts: Vec<NodeId>,
    /// Its text, without white space.
    texts: Vec<String>,
}

fn text(page: &Page, node: NodeId) -> String {
    page.string_value(node).split_whitespace().collect()
}

impl List {
    fn find(page: &Page) -> Option<List> {
        let region = regions::find(page, &Job::new()).into_iter().next()?;
        let run = PathsRun::new(&region.rule).ok()?;
        let firsts: Vec<NodeId> = run.page(page).iter().map(|record| record.node).collect();
        let texts = firsts.iter().map(|node| text(page, *node)).collect();
        Some(List { firsts, texts })
    }

    /// The page after a change, and the texts that its records may have then.
    fn changed(&self, page: &Page, change: &str) -> Option<(String, Vec<Vec<String>>)> {
        let count = self.firsts.len();
        let parent = page.parent(self.firsts[0])?;
        let flat = self.firsts.iter().all(|first| page.parent(*first) == Some(parent));
        let same = vec![self.texts.clone()];
        // The items of the list: what is before it, each record, what is after it.
        let mut parts: Vec<String> = vec![String::new()];
        for child in page.children(parent) {
            if self.firsts.contains(&child) {
                parts.push(String::new());
            }
            let html = page.to_html(child);
            if let Some(last) = parts.last_mut() {
                last.push_str(&html);
            }
        }
        let middle = count / 2;
        let tag = page.name(self.firsts[0]).to_owned();
        let is_row = tag == "tr";
        let is_element = page.kind(self.firsts[0]) == Kind::Element;
        let all = |parts: &[String]| with_inner(page, parent, &parts.concat());
        // A record with the change of its first element.
        let with = |number: usize, html: String| {
            let mut parts = parts.clone();
            let own = page.to_html(self.firsts[number]);
            let rest = parts[number + 1][own.len()..].to_owned();
            parts[number + 1] = html.clone() + &rest;
            let settings = utf8();
            let around = if is_row { format!("<table>{html}</table>") } else { html };
            let words = Page::parse(around.as_bytes(), &settings)
                .ok()
                .map(|page| text(&page, NodeId::DOCUMENT))?;
            let mut texts = self.texts.clone();
            texts[number] = words;
            Some((with_inner(page, parent, &parts.concat())?, vec![texts]))
        };
        match change {
            "written again" => Some((page.to_html(NodeId::DOCUMENT), same)),
            "order of attributes" => Some((reversed(page), same)),
            "white space" => Some((spaced(page), same)),
            "menus beside" => {
                let html = page.to_html(NodeId::DOCUMENT);
                let items: String = (1..=14)
                    .map(|n| format!("<li><a href=\"m{n}.html\">Menu item {n}</a></li>"))
                    .collect();
                let menu = format!("<ul>{items}</ul>");
                let body = html.find("<body")?;
                let start = body + html[body..].find('>')? + 1;
                let end = html.rfind("</body>")?;
                Some((
                    format!("{}{menu}{}{menu}{}", &html[..start], &html[start..end], &html[end..]),
                    same,
                ))
            }
            _ if !flat || !is_element || count < 4 => None,
            "a cell dropped" => with(middle, without_one(page, self.firsts[middle])?),
            "first row shorter" => with(0, without_one(page, self.firsts[0])?),
            "last row shorter" => with(count - 1, without_one(page, self.firsts[count - 1])?),
            "a line added" => with(middle, with_line(page, self.firsts[middle])?),
            "an advert between" => {
                let advert =
                    "<center><a href=\"http://ads.example/\"><img src=\"ad.gif\"></a><br><i>Advertisement</i></center>";
                let advert = match (is_row, tag.as_str()) {
                    (true, _) => format!("<tr><td colspan=\"9\">{advert}</td></tr>"),
                    (_, "li" | "dd" | "dt" | "div" | "article" | "section") => format!("<{tag}>{advert}</{tag}>"),
                    _ => return None,
                };
                let mut parts = parts.clone();
                parts.insert(middle + 1, advert);
                Some((all(&parts)?, same))
            }
            "headings between" => {
                let heading = |name: &str| match (is_row, tag.as_str()) {
                    (true, _) => Some(format!("<tr><th colspan=\"9\">{name}</th></tr>")),
                    (_, "li") => Some(format!("<li><b>{name}</b></li>")),
                    (_, "dt" | "dd" | "p" | "a" | "font" | "span" | "b") => None,
                    _ => Some(format!("<h3>{name}</h3>")),
                };
                let mut parts = parts.clone();
                parts.insert(middle + 1, heading("More of them")?);
                parts.insert(1, heading("Some of them")?);
                Some((all(&parts)?, same))
            }
            "odd and even" => {
                let mut parts = parts.clone();
                for (number, part) in parts.iter_mut().enumerate().skip(1) {
                    let class = if number % 2 == 0 { "even" } else { "odd" };
                    let at = tag.len() + 1;
                    if page.attribute_value(self.firsts[number - 1], "class").is_some() {
                        return None;
                    }
                    part.insert_str(at, &format!(" class=\"{class}\""));
                }
                Some((all(&parts)?, same))
            }
            "three rows" => {
                let first: String = parts[..4].concat();
                let last = &parts[count];
                // What follows the list stays.
                let own = page.to_html(self.firsts[count - 1]);
                let rest = if self.is_single(page) { &last[own.len()..] } else { "" };
                Some((
                    with_inner(page, parent, &(first + rest))?,
                    vec![self.texts[..3].to_vec()],
                ))
            }
            "a thousand rows" => {
                let mut longer: Vec<String> = parts[..=count].to_vec();
                let mut texts = self.texts.clone();
                let before_last = count - 1;
                let tail = longer.pop()?;
                let last = texts.pop()?;
                while texts.len() < 999 {
                    let from = texts.len() % before_last;
                    longer.push(parts[from + 1].clone());
                    texts.push(self.texts[from].clone());
                }
                longer.push(tail);
                texts.push(last);
                Some((all(&longer)?, vec![texts]))
            }
            "wrapped" => {
                let mut parts = parts.clone();
                for (number, part) in parts.iter_mut().enumerate().skip(1) {
                    let first = self.firsts[number - 1];
                    let own = page.to_html(first);
                    let inner = page.inner_html(first);
                    let wrapped = match tag.as_str() {
                        "li" | "div" | "td" | "article" | "section" | "dd" => format!("<div>{inner}</div>"),
                        _ => return None,
                    };
                    let at = own.rfind(&inner)?;
                    *part = format!("{}{wrapped}{}", &own[..at], &own[at + inner.len()..]) + &part[own.len()..];
                }
                Some((all(&parts)?, same))
            }
            "twice" => {
                // The same shape with other words under another heading: one list or two, but nothing in between.
                let html = page.to_html(NodeId::DOCUMENT);
                let own = page.to_html(parent);
                let at = html.find(&own)?;
                let end = own.len() - page.name(parent).len() - 3;
                let start = own.find('>')? + 1;
                let less: Vec<usize> = (0..count - count / 3).rev().collect();
                let other: String = less.iter().map(|number| parts[number + 1].as_str()).collect();
                let other = format!("{}{other}{}", &own[..start], &own[end..]);
                if matches!(
                    page.name(parent),
                    "tbody" | "body" | "tr" | "td" | "font" | "center" | "form" | "p"
                ) {
                    return None;
                }
                let html = format!(
                    "{}<h2>Others</h2>{other}{}",
                    &html[..at + own.len()],
                    &html[at + own.len()..]
                );
                let more = less.iter().map(|number| self.texts[*number].clone());
                let both: Vec<String> = self.texts.iter().cloned().chain(more).collect();
                Some((html, vec![self.texts.clone(), both]))
            }
            _ => None,
        }
    }

    /// Is there nothing between the records?
    fn is_single(&self, page: &Page) -> bool {
        let next = |node: NodeId| {
            let mut next = page.next_sibling(node);
            while let Some(at) = next.filter(|at| text(page, *at).is_empty()) {
                next = page.next_sibling(at);
            }
            next
        };
        self.firsts.windows(2).all(|two| next(two[0]) == Some(two[1]))
    }
}

/// The page with another content of an element.
fn with_inner(page: &Page, element: NodeId, inner: &str) -> Option<String> {
    let html = page.to_html(NodeId::DOCUMENT);
    let old = page.inner_html(element);
    let at = html.find(&old)?;
    Some(format!("{}{inner}{}", &html[..at], &html[at + old.len()..]))
}

/// An element without the shortest of the elements in it that contain text and have siblings.
fn without_one(page: &Page, element: NodeId) -> Option<String> {
    let mut at = element;
    loop {
        let children: Vec<NodeId> = page
            .children(at)
            .filter(|child| page.is_element(*child) && !text(page, *child).is_empty())
            .collect();
        match &children[..] {
            [] => return None,
            [only] => at = *only,
            [..] => {
                let shortest = children.iter().min_by_key(|child| text(page, **child).len())?;
                let (whole, part) = (page.to_html(element), page.to_html(*shortest));
                let place = whole.rfind(&part)?;
                return Some(format!("{}{}", &whole[..place], &whole[place + part.len()..]));
            }
        }
    }
}

/// An element with a line more.
fn with_line(page: &Page, element: NodeId) -> Option<String> {
    let line = "<br><i>Only a few are left!</i>";
    let whole = page.to_html(element);
    let tag = page.name(element);
    let place = match tag {
        "tr" => whole.rfind("</td>")?,
        "table" => return None,
        _ => whole.rfind(&format!("</{tag}>"))?,
    };
    Some(format!("{}{line}{}", &whole[..place], &whole[place..]))
}

/// The page with the attributes of each tag in the other order.
fn reversed(page: &Page) -> String {
    rewritten(page, |page, attributes| {
        let mut attributes: Vec<String> = attributes.map(|node| page.to_html(node)).collect();
        attributes.reverse();
        attributes
    })
}

/// The start tags of a page with their attributes as they are given, everything else as it is.
fn rewritten(page: &Page, order: impl Fn(&Page, &mut dyn Iterator<Item = NodeId>) -> Vec<String>) -> String {
    let mut html = page.to_html(NodeId::DOCUMENT);
    let mut from = 0;
    for element in page.elements() {
        let tag = format!("<{}", page.name(*element));
        let Some(at) = html[from..].find(&tag).map(|at| at + from) else {
            break;
        };
        let old: String = page
            .attributes(*element)
            .map(|id| format!(" {}", page.to_html(NodeId(id))))
            .collect();
        let place = at + tag.len();
        let new: String = order(page, &mut page.attributes(*element).map(NodeId))
            .iter()
            .map(|attribute| format!(" {attribute}"))
            .collect();
        if html[place..].starts_with(&old) {
            html.replace_range(place..place + old.len(), &new);
            from = place + new.len();
        } else {
            from = place;
        }
    }
    html
}

/// The page with white space around its texts, some of it unbreakable.
fn spaced(page: &Page) -> String {
    let mut html = page.to_html(NodeId::DOCUMENT);
    let mut from = html.find("<body").unwrap_or(0);
    for node in page.texts() {
        let own = page.to_html(*node);
        if text(page, *node).is_empty() || !page::vocabulary::is_seen(page, *node) {
            continue;
        }
        let Some(at) = html[from..].find(&format!(">{own}<")).map(|at| at + from + 1) else {
            continue;
        };
        html.replace_range(at..at + own.len(), &format!("&nbsp;\n {own} &nbsp;\n"));
        from = at + own.len() + 16;
    }
    html
}
