//! The links of a list that lead to the pages of its records.
//!
//! **In**: a page of a list and its address. **Out**: groups of links, the likeliest first, each with what describes it
//! ([`Links`]) for a navigation.
//!
//! Links at the same place of a repeated structure are one group: those with the same tags above them and the same classes. A
//! list of records has one link for each record, with much between two of them; a menu has links side by side. So a group counts
//! by the number of its different addresses and by how far its links are apart, more if its links are headings or say much,
//! less if what is around them is called a menu or a footer, or if they differ from the page in their query only, as filters do.
//! Pages of the list itself are not candidates. This is a guess: whoever
//! uses it looks at some of the pages that the links lead to.
//!
//! A group is described by its addresses, with `*` for the parts that differ, because addresses outlive a redesign more
//! often than markup does. If that describes many other links of the page too, it is described by a path: as few steps as
//! find no other link.
//!
//! **Cost**: linear in the links of the page, times the depth of the tree.
//!
//! *Known failures*: lists whose records link to each other's categories more regularly than to their own pages; cards that only
//! a script opens; addresses of different forms in one list.

use crate::crawl::{self, is_like, plain};
use page::driver::Live;
use page::{NodeId, Page};
use std::collections::{BTreeMap, HashSet};
use url::{Position, Url};
use wrapper::Links;

/// The fewest different addresses of a group.
const FEWEST: usize = 3;
/// More addresses than this make a group no likelier.
const MANY: usize = 40;
/// How many groups are returned.
const GROUPS: usize = 4;
/// The fewest characters of the number of a visit.
const LONG: usize = 16;
/// The most steps of a path.
const STEPS: usize = 6;

/// Links that may lead to the pages of records.
#[derive(Clone, Debug, PartialEq)]
pub struct Group {
    /// What describes them.
    pub links: Links,
    /// Their addresses, each once, in page order.
    pub urls: Vec<String>,
    /// How likely they are, compared with others.
    pub score: f64,
}

/// Finds groups of links on a page of a list, the likeliest first.
pub fn find(live: &Live) -> Vec<Group> {
    let page = &*live.page;
    let Ok(own) = Url::parse(&live.url) else {
        return Vec::new();
    };
    let pager = crate::pager::find(page, &own);
    let mut skipped: HashSet<String> = pager.pages.iter().map(|url| plain(url)).collect();
    skipped.extend(
        pager
            .next
            .iter()
            .chain(&pager.prev)
            .chain(&pager.by_number)
            .map(|url| plain(url)),
    );
    skipped.insert(plain(&live.url));
    let mut groups: BTreeMap<String, Vec<(NodeId, Url)>> = BTreeMap::new();
    let mut uses: BTreeMap<String, usize> = BTreeMap::new();
    for (node, url) in crawl::links(live) {
        let address = plain(url.as_str());
        if skipped.contains(&address) || url.origin() != own.origin() || is_file(&url) {
            continue;
        }
        *uses.entry(address).or_default() += 1;
        groups.entry(place(page, node)).or_default().push((node, url));
    }
    let mut found = Vec::new();
    for links in groups.values() {
        let mut seen = HashSet::new();
        let each = links.iter().map(|(_, url)| url[..Position::AfterQuery].to_owned());
        let urls: Vec<String> = each.filter(|url| seen.insert(plain(url))).collect();
        if urls.len() >= FEWEST {
            let score = score(page, links, &urls, &uses) * filters(&own, links);
            found.push((score, urls, links));
        }
    }
    found.sort_by(|(a, ..): &(f64, Vec<String>, _), (b, ..)| b.total_cmp(a));
    let mut kept: Vec<Group> = Vec::new();
    for (score, urls, links) in found {
        // The picture and the heading of a record lead to the same page.
        if kept.len() < GROUPS && !kept.iter().any(|known| known.urls == urls) {
            let links = describe(live, &own, links);
            kept.push(Group { links, urls, score });
        }
    }
    kept
}

/// Does an address lead to a picture or another file, by its ending?
fn is_file(url: &Url) -> bool {
    const ENDINGS: [&str; 12] = [
        "jpg", "jpeg", "png", "gif", "webp", "avif", "svg", "pdf", "zip", "mp3", "mp4", "css",
    ];
    let ending = url.path().rsplit_once('.').map_or("", |(_, ending)| ending);
    ENDINGS.iter().any(|known| ending.eq_ignore_ascii_case(known))
}

/// Links that differ from the page in their query only are mostly filters of the same list.
fn filters(own: &Url, links: &[(NodeId, Url)]) -> f64 {
    let same = links.iter().filter(|(_, url)| url.path() == own.path()).count();
    if same * 2 > links.len() { 0.2 } else { 1.0 }
}

/// The place of a link in the structure of its page.
fn place(page: &Page, node: NodeId) -> String {
    let class = |node: NodeId| page.attribute_value(node, "class").unwrap_or("").trim().to_owned();
    let mut out = class(node);
    for (at, up) in page.ancestors(node).filter(|up| page.is_element(*up)).enumerate() {
        out += "<";
        out += page.name(up);
        if at == 0 {
            out += ".";
            out += &class(up);
        }
    }
    out
}

fn score(page: &Page, links: &[(NodeId, Url)], urls: &[String], uses: &BTreeMap<String, usize>) -> f64 {
    let count = links.len() as f64;
    let (Some((first, _)), Some((last, _))) = (links.first(), links.last()) else {
        return 0.0;
    };
    // Nodes from one link to the next.
    let apart = f64::from(last.0 - first.0) / (count - 1.0).max(1.0);
    let says = |node: NodeId| page.string_value(node).trim().chars().count().min(80) as f64;
    let words = links.iter().map(|(node, _)| says(*node)).sum::<f64>() / count;
    let above = |node: NodeId, take: usize| page.ancestors(node).filter(|up| page.is_element(*up)).take(take);
    let is_heading = |name: &str| matches!(name, "h1" | "h2" | "h3" | "h4" | "h5");
    let headings = links.iter().filter(|(node, _)| {
        let inside = page.children(*node).filter(|child| page.is_element(*child));
        above(*node, 2).chain(inside).any(|near| is_heading(page.name(near)))
    });
    let headings = headings.count() as f64 / count;
    let again = urls
        .iter()
        .filter(|url| uses.get(&plain(url)).is_some_and(|uses| *uses > 1));
    let again = again.count() as f64 / urls.len() as f64;
    let frame = above(*first, usize::MAX).map(|up| frame(page, up)).fold(1.0, f64::min);
    let different = urls.len() as f64 / count;
    (urls.len().min(MANY) as f64)
        * (1.0 + apart).ln()
        * (1.0 + headings)
        * (1.0 + words / 40.0)
        * (1.0 + 0.5 * again)
        * different
        * frame
}

/// How likely a list of records is inside this element, compared with one outside.
fn frame(page: &Page, element: NodeId) -> f64 {
    const WORDS: [&str; 9] = [
        "nav",
        "menu",
        "breadcrumb",
        "crumbs",
        "footer",
        "sidebar",
        "pager",
        "pagination",
        "toolbar",
    ];
    match page.name(element) {
        "nav" | "footer" => return 0.05,
        "aside" => return 0.3,
        "header"
            if !page
                .ancestors(element)
                .any(|up| matches!(page.name(up), "article" | "section" | "main" | "li")) =>
        {
            return 0.05;
        }
        "body" | "html" => return 1.0,
        _ => {}
    }
    let is_frame = ["class", "id", "role"].iter().any(|name| {
        let text = page.attribute_value(element, name).unwrap_or("").to_ascii_lowercase();
        text.split(|c: char| !c.is_ascii_alphanumeric())
            .any(|word| WORDS.contains(&word) || word == "navigation")
    });
    if is_frame { 0.2 } else { 1.0 }
}

/// What describes the links of a group and few others.
fn describe(live: &Live, own: &Url, links: &[(NodeId, Url)]) -> Links {
    let of_group: HashSet<String> = links.iter().map(|(_, url)| plain(url.as_str())).collect();
    let urls: Vec<&Url> = links.iter().map(|(_, url)| url).collect();
    if let Some(like) = pattern(&urls) {
        let all = crawl::links(live).into_iter();
        let matched: HashSet<String> = all
            .filter(|(_, url)| is_like(&like, own, url))
            .map(|(_, url)| plain(url.as_str()))
            .collect();
        let others = matched.difference(&of_group).count();
        if others * 4 <= of_group.len() {
            return Links::Like(like);
        }
    }
    Links::Path(path(&live.page, links))
}

/// The path and query that addresses share, with `*` for the parts that differ; none if they are too different.
fn pattern(urls: &[&Url]) -> Option<String> {
    let pieces = |url: &Url| -> Vec<String> {
        let text = &url[Position::BeforePath..Position::AfterQuery];
        let mut out = Vec::new();
        let mut piece = String::new();
        for sign in text.chars() {
            match sign {
                '/' | '?' | '&' => out.extend([std::mem::take(&mut piece), sign.to_string()]),
                _ => piece.push(sign),
            }
        }
        out.push(piece);
        out
    };
    let all: Vec<Vec<String>> = urls.iter().map(|url| pieces(url)).collect();
    let first = all.first()?;
    if all.iter().any(|pieces| pieces.len() != first.len()) {
        return None;
    }
    let mut out = String::new();
    let mut stars = 0;
    for at in 0..first.len() {
        let texts: Vec<&str> = all.iter().map(|pieces| pieces[at].as_str()).collect();
        if texts.iter().all(|text| *text == texts[0]) {
            out += &lasting(texts[0]);
        } else {
            stars += 1;
            out += &starred(&texts)?;
        }
    }
    // An address that differs everywhere describes nothing.
    let fixed = out.chars().filter(|c| c.is_alphanumeric()).count();
    (stars > 0 && fixed > 0).then_some(out)
}

/// A part of an address that all links share, without what may be another one tomorrow: a long value with digits is mostly
/// the number of a visit.
fn lasting(piece: &str) -> String {
    let (name, value) = piece.split_once('=').map_or(("", piece), |(name, value)| (name, value));
    let is_long = value.len() >= LONG && value.bytes().any(|byte| byte.is_ascii_digit());
    match (is_long, name.is_empty()) {
        (false, _) => piece.to_owned(),
        (true, true) => "*".to_owned(),
        (true, false) => format!("{name}=*"),
    }
}

/// What texts share at both ends, up to a sign that separates words, and `*` between; none if one of them is a sign.
fn starred(texts: &[&str]) -> Option<String> {
    if texts.iter().any(|text| matches!(*text, "" | "/" | "?" | "&")) {
        return None;
    }
    let first = texts[0];
    let shared = |a: &str, b: &str| a.bytes().zip(b.bytes()).take_while(|(a, b)| a == b).count();
    let head = texts.iter().map(|text| shared(first, text)).min()?;
    let head = first.get(..head).unwrap_or("");
    let head = &head[..head
        .rfind(|c: char| c.is_ascii() && !c.is_ascii_alphanumeric())
        .map_or(0, |at| at + 1)];
    let rests: Vec<&str> = texts.iter().map(|text| &text[head.len()..]).collect();
    let back = |a: &str, b: &str| a.bytes().rev().zip(b.bytes().rev()).take_while(|(a, b)| a == b).count();
    // At least one character is for the star.
    let most = rests.iter().map(|rest| rest.len()).min()?.saturating_sub(1);
    let tail = rests.iter().map(|rest| back(rests[0], rest)).min()?.min(most);
    let tail = rests[0].get(rests[0].len() - tail..).unwrap_or("");
    let tail = tail
        .find(|c: char| c.is_ascii() && !c.is_ascii_alphanumeric())
        .map_or("", |at| &tail[at..]);
    Some(format!("{head}*{tail}"))
}

/// A path to the links of a group, with as few steps as find no other link.
fn path(page: &Page, links: &[(NodeId, Url)]) -> String {
    let nodes: HashSet<NodeId> = links.iter().map(|(node, _)| *node).collect();
    let mut path = String::new();
    for up in 0..STEPS {
        let each = links.iter().map(|(node, _)| {
            let mut around = std::iter::once(*node).chain(page.ancestors(*node));
            around.nth(up).filter(|up| page.is_element(*up))
        });
        let Some(elements) = each.collect::<Option<Vec<NodeId>>>() else {
            break;
        };
        let Some(step) = step(page, &elements) else { break };
        path = match path.is_empty() {
            true => step,
            false => format!("{step}/{path}"),
        };
        let found = oxpath::Query::compile(&format!("//{path}")).map(|query| query.evaluate(page));
        if let Ok(Ok(oxpath::Value::Nodes(found))) = found
            && found.iter().all(|node| nodes.contains(node))
        {
            break;
        }
    }
    format!("//{path}")
}

/// A step to elements: their name, and a class that all of them have.
fn step(page: &Page, elements: &[NodeId]) -> Option<String> {
    let first = *elements.first()?;
    let name = page.name(first);
    let is_plain = |text: &str| {
        text.bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
    };
    if !is_plain(name) || elements.iter().any(|element| page.name(*element) != name) {
        return None;
    }
    let classes = |element: NodeId| {
        page.attribute_value(element, "class")
            .unwrap_or("")
            .split_ascii_whitespace()
    };
    let has = |element: NodeId, class: &str| classes(element).any(|known| known == class);
    let shared = classes(first)
        .filter(|class| is_plain(class))
        .find(|class| elements.iter().all(|element| has(*element, class)));
    Some(match shared {
        Some(class) => format!("{name}[contains(concat(' ', normalize-space(@class), ' '), ' {class} ')]"),
        None => name.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    fn live(url: &str, html: &str) -> Live {
        let page = Page::parse_str(html, &Default::default()).expect("a page");
        Live::new(Arc::new(page), url)
    }

    #[test]
    fn what_addresses_share() {
        for (urls, expected) in [
            (["/item/1", "/item/22", "/item/12"], Some("/item/*")),
            (["/item-1.html", "/item-22.html", "/item-2.html"], Some("/item-*.html")),
            (
                ["/show?id=1&x=a", "/show?id=2&x=a", "/show?id=3&x=a"],
                Some("/show?id=*&x=a"),
            ),
            (["/a/red-lamp", "/b/red-rug", "/b/blue-rug"], None),
            (["/red-lamp", "/blue-rug", "/mat"], None),
            (
                [
                    "/d/1/142-9059584-5495305?v=1",
                    "/d/2/142-9059584-5495305?v=1",
                    "/d/3/142-9059584-5495305?v=1",
                ],
                Some("/d/*/*?v=1"),
            ),
            (["/item/1", "/item/1/x", "/item/2"], None),
        ] {
            let urls = urls.map(|url| Url::parse(&format!("http://a.test{url}")).expect("an address"));
            let urls: Vec<&Url> = urls.iter().collect();
            assert_eq!(pattern(&urls).as_deref(), expected);
        }
    }

    const MENU: &str = "<nav><a href=/1>One</a><a href=/2>Two</a><a href=/3>Three</a><a href=/4>Four</a></nav>";

    fn list(card: impl Fn(usize) -> String) -> String {
        let cards: String = (1..=8).map(card).collect();
        let pager = "<p class=pager>1 <a href=?page=2>2</a> <a href=?page=3>3</a> <a href=?page=2>Next</a></p>";
        format!(
            "{MENU}<ul class=kinds><li><a href=/kind/a>A</a><li><a href=/kind/b>B</a><li><a href=/kind/c>C</a></ul>{cards}{pager}"
        )
    }

    #[test]
    fn the_links_of_records_are_told_from_menus_and_pagers() {
        let html = list(|n| {
            format!(
                "<div class=card><a href=/item/{n}><img src=x></a><h2><a href=/item/{n}>Thing {n}</a></h2>\
                 <p>by <a href=/maker/{}>Maker</a></p><p>Price <b>{n}.50</b></p></div>",
                n % 4
            )
        });
        let found = find(&live("http://a.test/list", &html));
        assert_eq!(found[0].links, Links::Like("/item/*".to_owned()), "{found:?}");
        assert_eq!(found[0].urls.len(), 8);
        assert_eq!(found[0].urls[7], "http://a.test/item/8");
    }

    #[test]
    fn addresses_that_tell_nothing_give_a_path() {
        let html = list(|n| {
            format!("<div class='card c{n}'><h2><a href=/{n}{n}>Thing {n}</a></h2><p>Price <b>{n}.50</b></p></div>")
        });
        let found = find(&live("http://a.test/list", &html));
        assert_eq!(found[0].links, Links::Path("//h2/a".to_owned()), "{found:?}");
    }

    #[test]
    fn a_page_without_a_list_has_no_groups() {
        assert_eq!(
            find(&live("http://a.test/", "<p><a href=/x>x</a> <a href=/y>y</a>")),
            []
        );
        assert_eq!(find(&live("saved.html", MENU)), []);
    }
}
