//! The links that lead through a list of pages: which one is the next page?
//!
//! **In**: a page and its address. **Out**: the addresses of the next and the previous page and of the numbered ones, and how
//! sure the next one is; none where the page is not one of several.
//!
//! No single sign is enough. `rel=next` is also set on links to the next article; "next" is also said by calendars and picture
//! shows; an arrow may be a bullet. So several witnesses speak for each link, and what they say is added up (`weights`):
//!
//! - what the link says: its words in many languages, a lone arrow, the names of its classes (`words`);
//! - what the page says about it: `rel`, a `<link rel=next>` with the same address;
//! - where it leads: to an address that differs from this one by a page number, and by one (`relation`);
//! - what is around it: links with numbers, the number of the present page among them, a pager's class names.
//!
//! A link that is called "next" but leads to an address of another form is most often the next article: then more must speak
//! for it. "Older posts" leads on, whatever `rel` and classes say, because a blog begins with the newest ones.
//!
//! **Cost**: linear in the links of the page, times the depth at which pagers are looked for.
//!
//! Known failures: pagers that scripts make, and links without an address of their own. Two lists on one page give one next link.

mod relation;
mod words;

use page::{NodeId, Page};
use relation::{Relation, relation};
use std::collections::HashMap;
use url::Url;

/// How much each witness says.
mod weights {
    /// `rel=next` on the link; a `<link rel=next>` with its address.
    pub(super) const REL: f64 = 2.0;
    pub(super) const LINK_REL: f64 = 1.5;
    /// Its words, several or one; a lone sign; class names.
    pub(super) const PHRASE: f64 = 2.6;
    pub(super) const WORD: f64 = 2.0;
    pub(super) const SIGN: f64 = 1.2;
    pub(super) const CLASS: f64 = 0.8;
    /// Its address alone, in a pager.
    pub(super) const ADDRESS: f64 = 0.3;
    /// Its number follows that of the present page.
    pub(super) const NUMBER: f64 = 2.5;
    /// It leads to the page with the next number; to some page of the list; back; to an address of another form.
    pub(super) const NEXT_PAGE: f64 = 2.0;
    pub(super) const SOME_PAGE: f64 = 0.8;
    pub(super) const BACK: f64 = -2.5;
    pub(super) const OTHER: f64 = -0.8;
    pub(super) const FOREIGN: f64 = -2.5;
    /// Numbers are beside it; the classes around are those of a pager.
    pub(super) const BESIDE_NUMBERS: f64 = 0.8;
    pub(super) const IN_PAGER: f64 = 0.5;
    /// It is in a calendar or a picture show, or says what else is next.
    pub(super) const ELSEWHERE: f64 = -2.5;
    /// As much as this must speak for a link; and this much is certain.
    pub(super) const LEAST: f64 = 2.4;
    pub(super) const CERTAIN: f64 = 6.0;
}

/// How many elements above a link are looked at.
const ABOVE: usize = 4;
/// The most links of a page that are looked at.
const MOST: usize = 20_000;
/// The longest text of a link in a pager, in characters.
const LONGEST: usize = 40;
/// The number of neighbours in a row of numbers that are compared.
const FEW: usize = 8;
/// The largest number of a page.
const LARGEST: u32 = 9_999;

/// The links of a page that lead through a list of pages.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pager {
    /// The next page.
    pub next: Option<String>,
    /// The previous page.
    pub prev: Option<String>,
    /// If no link is called the next page: the link with the number that follows.
    pub by_number: Option<String>,
    /// Pages by their numbers, in the order of the links.
    pub pages: Vec<String>,
    /// How sure the next page is, from 0 to 1; if there is none, how sure that is.
    pub sure: f64,
}

impl Pager {
    /// Where the list goes on: the next page, by what it is called or by its number.
    pub fn onward(&self) -> Option<&str> {
        self.next.as_deref().or(self.by_number.as_deref())
    }
}

/// A link that may be one of a pager.
struct Link {
    node: NodeId,
    url: Url,
    /// The address as it is written if it is a whole one, else made absolute.
    address: String,
    relation: Relation,
    /// What it says, in lower case, and without signs.
    said: String,
    bare: String,
    /// The names of its classes and its id, and of those near it.
    names: String,
    rel: String,
    number: Option<u32>,
}

/// Finds the pager of a page.
///
/// ```
/// use page::{Limits, Page};
/// let html = "<ul class=pages><li>1<li><a href=?page=2>2</a><li><a href=?page=3>3</a><li><a href=?page=2>Next</a></ul>";
/// let page = Page::parse_str(html, &Limits::default())?;
/// let pager = browse::pager::find(&page, &"http://shop.example/list".parse()?);
/// assert_eq!(pager.next.as_deref(), Some("http://shop.example/list?page=2"));
/// assert_eq!(pager.pages.len(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn find(page: &Page, url: &Url) -> Pager {
    let base = page
        .base_href()
        .and_then(|href| url.join(href).ok())
        .unwrap_or_else(|| url.clone());
    let links = links(page, url, &base);
    let groups = numbered(page, &links);
    let declared = declared(page, &base);
    let mut best: [Option<(f64, usize)>; 2] = [None; 2];
    for at in 0..links.len() {
        for (best, on) in best.iter_mut().zip([true, false]) {
            let score = score(page, &links, at, &groups, &declared, on);
            if best.is_none_or(|(known, _)| score > known) {
                *best = Some((score, at));
            }
        }
    }
    let [next, prev] = best;
    let chosen = |best: Option<(f64, usize)>| best.filter(|(score, _)| *score >= weights::LEAST);
    let top = next.map_or(0.0, |(score, _)| score);
    let range = weights::CERTAIN - weights::LEAST;
    let sure = match chosen(next) {
        Some(_) => 0.5 + (top - weights::LEAST) / range / 2.0,
        None => 0.5 + (weights::LEAST - top) / weights::LEAST / 2.0,
    };
    let next = chosen(next).map(|(_, at)| at);
    // A link cannot lead both on and back.
    let prev = chosen(prev)
        .map(|(_, at)| at)
        .filter(|at| next.is_none_or(|next| links[*at].address != links[next].address));
    let mut pages: Vec<String> = Vec::new();
    for link in links
        .iter()
        .filter(|link| groups.contains_key(&link.node) || is_end(link))
    {
        let is_one = matches!(link.relation, Relation::Page { .. } | Relation::Same) || groups.contains_key(&link.node);
        if is_one && !pages.contains(&link.address) {
            pages.push(link.address.clone());
        }
    }
    let address = |at: Option<usize>| at.map(|at| links[at].address.clone());
    let follows = |link: &&Link| groups.get(&link.node).is_some_and(|number| number.follows);
    let follows = links.iter().filter(|_| next.is_none()).find(follows);
    Pager {
        next: address(next),
        by_number: follows.map(|link| link.address.clone()),
        prev: address(prev),
        pages,
        sure: sure.clamp(0.0, 1.0),
    }
}

/// The links of a page that have an address of their own.
fn links(page: &Page, url: &Url, base: &Url) -> Vec<Link> {
    let Some(name) = page.name_id("a") else {
        return Vec::new();
    };
    let mut links = Vec::new();
    for node in page.elements_named(name).iter().copied().take(MOST) {
        let Some(href) = page.attribute_value(node, "href").map(str::trim) else {
            continue;
        };
        let Ok(target) = base.join(href) else { continue };
        if !matches!(target.scheme(), "http" | "https") || href.starts_with('#') {
            continue;
        }
        let relation = relation(url, &target);
        let Some(said) = words_of(page, node) else { continue };
        let bare = said.trim_matches(|c: char| !c.is_alphanumeric()).to_owned();
        let near = [
            Some(node),
            page.parent(node),
            page.children(node).find(|child| page.is_element(*child)),
        ];
        let names = near
            .into_iter()
            .flatten()
            .map(|near| names_of(page, near))
            .collect::<Vec<_>>()
            .join(" ");
        let number = bare.strip_prefix("page ").unwrap_or(&bare).parse().ok();
        let whole = href.starts_with("http://") || href.starts_with("https://");
        links.push(Link {
            node,
            address: if whole { href.to_owned() } else { target.to_string() },
            url: target,
            relation,
            bare,
            names,
            rel: page.attribute_value(node, "rel").unwrap_or("").to_ascii_lowercase(),
            number: number.filter(|number| (1..=LARGEST).contains(number)),
            said,
        });
    }
    links
}

/// What a link says: its text, or else how what its picture or its title says begins. None if it says more than a link of a
/// pager does.
fn words_of(page: &Page, link: NodeId) -> Option<String> {
    let tidy = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
    let text = tidy(page.string_value(link));
    if !text.is_empty() {
        return (text.chars().count() <= LONGEST).then_some(text);
    }
    let own = ["aria-label", "title"].map(|name| page.attribute_value(link, name));
    let inside = page.elements();
    let first = inside.partition_point(|node| *node <= link);
    let pictures = inside[first..].iter().take_while(|node| **node < page.end(link));
    let pictures = pictures.flat_map(|node| ["alt", "title"].map(|name| page.attribute_value(*node, name)));
    let mut all = own.into_iter().chain(pictures).flatten().map(tidy);
    let said = all.find(|text| !text.is_empty()).unwrap_or_default();
    Some(said.chars().take(LONGEST).collect())
}

/// The class and the id of an element, in lower case.
fn names_of(page: &Page, element: NodeId) -> String {
    let of = |name: &str| page.attribute_value(element, name).unwrap_or("").to_lowercase();
    format!("{} {}", of("class"), of("id"))
}

/// The addresses that the page's head calls next and previous.
fn declared(page: &Page, base: &Url) -> [Vec<String>; 2] {
    let mut found = [Vec::new(), Vec::new()];
    for node in page
        .name_id("link")
        .map(|name| page.elements_named(name))
        .unwrap_or_default()
    {
        let rel = page.attribute_value(*node, "rel").unwrap_or("").to_ascii_lowercase();
        let address = page
            .attribute_value(*node, "href")
            .and_then(|href| base.join(href.trim()).ok());
        let Some(address) = address else { continue };
        for word in rel.split_whitespace() {
            match word {
                "next" => found[0].push(address.to_string()),
                "prev" | "previous" => found[1].push(address.to_string()),
                _ => {}
            }
        }
    }
    found
}

/// A link with a number in a row of such links.
struct Numbered {
    /// Does it follow the present page, or come right before it?
    follows: bool,
    precedes: bool,
}

/// The rows of links with numbers, by link.
fn numbered(page: &Page, links: &[Link]) -> HashMap<NodeId, Numbered> {
    let mut rows: HashMap<NodeId, Vec<usize>> = HashMap::new();
    for (at, link) in links.iter().enumerate().filter(|(_, link)| link.number.is_some()) {
        for up in page.ancestors(link.node).take(ABOVE) {
            rows.entry(up).or_default().push(at);
        }
    }
    let mut found = HashMap::new();
    for (at, link) in links.iter().enumerate().filter(|(_, link)| link.number.is_some()) {
        // The nearest element with another number in it; alone, a number may be anything.
        let row = page.ancestors(link.node).take(ABOVE).find(|up| {
            let present = rows[up].len() > 1 || (rows[up].len() == 1 && present(page, *up, &[at], links).is_some());
            present
                && rows[up]
                    .windows(2)
                    .all(|pair| links[pair[0]].number <= links[pair[1]].number)
        });
        let Some(row) = row.filter(|row| !is_elsewhere(page, *row)) else {
            continue;
        };
        // Links of a list of pages have addresses that differ in a number, from each other or from this page's.
        let alike = |at: &usize| matches!(links[*at].relation, Relation::Page { .. } | Relation::Same);
        let on = |pair: &[usize]| {
            let relation = relation(&links[pair[0]].url, &links[pair[1]].url);
            matches!(relation, Relation::Page { by, .. } if by > 0)
        };
        let members = &rows[&row];
        let family = members.iter().filter(|at| alike(at)).count() * 2 >= members.len();
        if !family && !members.windows(2).take(FEW).any(on) {
            continue;
        }
        let now = present(page, row, &rows[&row], links);
        let number = link.number.unwrap_or(0);
        found.insert(
            link.node,
            Numbered {
                follows: now.is_some_and(|now| number == now + 1),
                precedes: now.is_some_and(|now| number + 1 == now),
            },
        );
    }
    found
}

/// The number of the present page in a row of numbers: one that is no link, or a link to this page.
fn present(page: &Page, row: NodeId, links: &[usize], all: &[Link]) -> Option<u32> {
    let own = links.iter().find(|at| {
        let link = &all[**at];
        let marked = ["current", "active", "selected"]
            .iter()
            .any(|name| link.names.contains(name));
        link.relation == Relation::Same || (marked && matches!(link.relation, Relation::Page { by: 0, .. }))
    });
    if let Some(own) = own {
        return all[*own].number;
    }
    let texts = page.texts();
    let first = texts.partition_point(|node| *node < row);
    let inside = texts[first..]
        .iter()
        .take_while(|node| **node < page.end(row))
        .take(200);
    let is_link = |node: NodeId| {
        page.ancestors(node)
            .take_while(|up| *up != row)
            .any(|up| page.name(up) == "a")
    };
    let mut plain = inside.filter(|node| !is_link(**node)).flat_map(|node| {
        let words = page.string_value(*node).split_whitespace();
        words.filter_map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()).parse::<u32>().ok())
    });
    let number = |at: &usize| all[*at].number;
    plain.find(|number_here| {
        let near = links
            .iter()
            .filter_map(number)
            .any(|other| other.abs_diff(*number_here) == 1);
        *number_here > 0 && near && !links.iter().filter_map(number).any(|other| other == *number_here)
    })
}

fn is_pager(page: &Page, element: NodeId) -> bool {
    let around = std::iter::once(element).chain(page.ancestors(element)).take(ABOVE);
    let mut names = around.map(|up| names_of(page, up));
    names.any(|names| words::PAGER.iter().any(|part| names.contains(part)))
}

/// Is it a calendar or a picture show, or in one?
fn is_elsewhere(page: &Page, element: NodeId) -> bool {
    let around = std::iter::once(element).chain(page.ancestors(element)).take(ABOVE);
    let mut names = around.map(|up| names_of(page, up));
    names.any(|names| words::ELSEWHERE.iter().any(|part| names.contains(part)))
}

fn is_end(link: &Link) -> bool {
    words::ENDS.contains(&link.bare.as_str())
}

/// Does a text say one of these?
fn says(text: &str, phrases: &[&str]) -> bool {
    phrases.iter().any(|phrase| match phrase.strip_suffix('~') {
        Some(start) => text.starts_with(start),
        None => text == *phrase,
    })
}

/// How much speaks for a link as the next page, or as the previous one.
fn score(
    page: &Page,
    links: &[Link],
    at: usize,
    groups: &HashMap<NodeId, Numbered>,
    declared: &[Vec<String>; 2],
    on: bool,
) -> f64 {
    let link = &links[at];
    if link.relation == Relation::Same {
        return 0.0;
    }
    let (own, other) = if on {
        (words::NEXT, words::PREVIOUS)
    } else {
        (words::PREVIOUS, words::NEXT)
    };
    let (sign, against) = if on {
        (words::ON, words::BACK)
    } else {
        (words::BACK, words::ON)
    };
    // "Next 20" and "next: 3" say next.
    let words = link.bare.trim_end_matches(|c: char| !c.is_alphabetic());
    let is_page = matches!(link.relation, Relation::Page { .. });
    let more = on && is_page && says(words, words::MORE);
    // "Next 20 stories", if it leads there.
    let begins = is_page && link.bare.split(' ').next().is_some_and(|first| says(first, own));
    let says_own = says(words, own) || says(&link.bare, own) || more || begins;
    let begins_other = link.bare.split(' ').next().is_some_and(|first| says(first, other));
    let says_other = says(words, other) || says(&link.bare, other) || (begins_other && !says_own);
    let lone = |signs: &[char]| link.bare.is_empty() && link.said.chars().any(|c| signs.contains(&c));
    let mut score = 0.0;
    if says_other || (lone(against) && !lone(sign)) {
        return 0.0;
    }
    let mut witnesses = 0;
    let mut add = |holds: bool, weight: f64| {
        score += if holds { weight } else { 0.0 };
        witnesses += usize::from(holds);
    };
    let (rel, named, named_other) = match on {
        true => ("next", words::NAMED_NEXT, words::NAMED_PREVIOUS),
        false => ("prev", words::NAMED_PREVIOUS, words::NAMED_NEXT),
    };
    let is_named = |parts: &[&str]| parts.iter().any(|part| link.names.contains(part));
    let phrase = if link.bare.contains(' ') {
        weights::PHRASE
    } else {
        weights::WORD
    };
    add(says_own, phrase);
    add(lone(sign), weights::SIGN);
    add(
        link.rel.split_whitespace().any(|word| word.starts_with(rel)),
        weights::REL,
    );
    add(declared[usize::from(!on)].contains(&link.address), weights::LINK_REL);
    add(is_named(named) && !is_named(named_other), weights::CLASS);
    let near = page.ancestors(link.node).take(ABOVE).any(|up| {
        let inside = |node: &NodeId| up <= *node && *node < page.end(up);
        groups.keys().any(inside)
    });
    let in_pager = is_pager(page, link.node);
    let one_on = matches!(link.relation, Relation::Page { by, named: true } if by == if on { 1 } else { -1 });
    add(one_on && link.number.is_none() && (near || in_pager), weights::ADDRESS);
    // A number alone names a page, not the next one.
    if witnesses == 0 {
        return 0.0;
    }
    // The number beside this page leads there, too.
    let mut twins = links
        .iter()
        .filter(|other| other.number.is_some() && other.address == link.address);
    let is_beside = twins.any(|twin| {
        let number = groups.get(&twin.node);
        number.is_some_and(|number| if on { number.follows } else { number.precedes })
    });
    score += if is_beside { weights::NUMBER } else { 0.0 };
    let by = |by: i64| if on { by } else { -by };
    score += match link.relation {
        Relation::Page { by: n, .. } if by(n) == 1 => weights::NEXT_PAGE,
        Relation::Page { by: n, named: true } if by(n) > 0 => weights::NEXT_PAGE,
        Relation::Page { by: n, .. } if by(n) > 0 => weights::SOME_PAGE,
        Relation::Page { .. } => weights::BACK,
        Relation::Other if is_beside => weights::NEXT_PAGE,
        Relation::Other if near => 0.0,
        // Older posts of a blog are where they are.
        Relation::Other if says_own && link.bare.contains(' ') => 0.0,
        Relation::Other => weights::OTHER,
        Relation::Foreign | Relation::Same => weights::FOREIGN,
    };
    score += if near { weights::BESIDE_NUMBERS } else { 0.0 };
    score += if in_pager { weights::IN_PAGER } else { 0.0 };
    let elsewhere = is_elsewhere(page, link.node);
    let other_thing = words::OTHER_THINGS
        .iter()
        .any(|thing| link.bare.split(' ').skip(1).any(|word| word == *thing));
    score += if elsewhere || other_thing {
        weights::ELSEWHERE
    } else {
        0.0
    };
    score
}

#[cfg(test)]
mod tests {
    use super::*;
    use page::Limits;

    fn next(html: &str, url: &str) -> Option<String> {
        let page = Page::parse_str(html, &Limits::default()).expect("a page");
        let pager = find(&page, &Url::parse(url).expect("an address"));
        pager.onward().map(str::to_owned)
    }

    #[test]
    fn pagers_of_many_kinds() {
        let site = "http://a.example";
        for (html, from, expected) in [
            ("<a rel=next href=/list?page=2>More</a>", "/list", Some("/list?page=2")),
            (
                "<div class=pager><a href=/b/page/2/>‹ newer</a> <a href=/b/page/4/>older ›</a></div>",
                "/b/page/3/",
                Some("/b/page/4/"),
            ),
            (
                "<p>1 <a href=/b?p=2>2</a> <a href=/b?p=3>3</a></p>",
                "/b",
                Some("/b?p=2"),
            ),
            (
                "<p><a href=/b?p=1>1</a> <b>2</b> <a href=/b?p=3>3</a></p>",
                "/b?p=2",
                Some("/b?p=3"),
            ),
            (
                "<p><a href=/b?p=1>1</a> <a href=/b?p=2>2</a> <b>3</b></p>",
                "/b?p=3",
                None,
            ),
            (
                "<div class=nav-previous><a href=/page/2/>← Older posts</a></div>",
                "/",
                Some("/page/2/"),
            ),
            (
                "<a href='/search?updated-max=2016-03-01'>Older Posts</a>",
                "/",
                Some("/search?updated-max=2016-03-01"),
            ),
            (
                "<a href=/liste?seite=2>nächste Seite »</a>",
                "/liste",
                Some("/liste?seite=2"),
            ),
            (
                "<a href=/l?start=40>»</a> <a href=/l?start=0>«</a>",
                "/l?start=20",
                Some("/l?start=40"),
            ),
            (
                "<a href=/l?page=2><img src=r.png alt=Next></a>",
                "/l",
                Some("/l?page=2"),
            ),
        ] {
            let expected = expected.map(|path: &str| format!("{site}{path}"));
            assert_eq!(next(html, &format!("{site}{from}")), expected, "{html}");
        }
    }

    #[test]
    fn what_is_no_pager() {
        for html in [
            "<a rel=next href=/2016/05/another-post/>Another post →</a>",
            "<table id=wp-calendar><tr><td><a href=/2016/04/>Apr »</a></table>",
            "<a href=/t/18>Next Thread</a> <a href=/t/16>Previous Thread</a>",
            "<a href='#'>Next</a><a href='javascript:go()'>Next</a>",
            "<ul><li><a href=/a>3</a> comments</ul>",
            "<div class=slider><a href=/b?slide=2>›</a></div>",
            "",
        ] {
            assert_eq!(next(html, "http://a.example/t/17"), None, "{html}");
        }
    }
}
