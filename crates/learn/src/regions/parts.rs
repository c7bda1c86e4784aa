//! What repeats in one thing, and is no list of things: its properties, photos, sizes and chapters.
//!
//! A page about one thing has rows that are as like each other as the records of a list, and nothing in their likeness tells the difference. What they say does:
//!
//! - *Properties* have labels ([`properties`](super::properties)).
//! - *Photos* have no text, and no page: a link, if any, leads to a larger picture.
//! - *Choices*, such as sizes and colours, are fields and buttons of a form with a word or two.
//! - *Contents* are links to places of the page itself.
//! - *Chapters* are headings with several paragraphs below each, or with numbers that count steps. Questions are not, and neither are names with one paragraph each, which may be people, or with a short text beside it, which is a datum.
//! - *The way to the page* ends with its name, which is no link.
//! - *Counts of stars* begin with numbers that count down to one.
//!
//! Where a page has another list, these are given too, as the last ones. A page that has nothing else has no list of records. What is in the records of such a list is a part, too:
//! another division of the same rows is no better.
//!
//! Linear in the leaves of the records that are looked at, and for each pair of candidates in their number.

use super::properties::properties;
use super::sight::{Leaf, Sight};
use super::{Candidate, HALF, NEARLY, seen};
use page::titles::plain;
use page::{NodeId, Page};
use std::collections::HashSet;
use std::ops::Range;

/// The most characters of a choice, on average: `Dark blue`, `250 g`, `Velvet, dark blue`. Names of things are longer where they come with a button.
const CHOICE: f64 = 35.0;
/// How far above a text a button or a heading is looked for.
const ABOVE: usize = 4;
/// The share of a chapter that is sentences, and the most of it that is in links.
const READ: f64 = 0.6;
const MENTIONS: f64 = 0.1;
/// How many paragraphs a chapter has on average.
const PARAGRAPHS: f64 = 1.5;
/// The most steps of the way to a page.
const STEPS: usize = 7;
/// A list has this share of the score of one that has all its records in it, or it is no better division of them.
const DIVIDED: f64 = 0.5;

/// For each candidate whether it is made of the parts of one thing.
pub(super) fn are_parts(sight: &Sight<'_>, all: &[Candidate]) -> Vec<bool> {
    let places = Places::new(sight.page);
    let parts: Vec<bool> = all.iter().map(|candidate| is_part(sight, &places, candidate)).collect();
    // Where records have a page of their own or data, they are a list, whatever is around them.
    let is_list = |list: &Candidate| seen::links(sight, list).own >= HALF || seen::data(sight, list) >= HALF;
    let is_divided = |at: usize| {
        let of = |other: usize| {
            parts[other]
                && all[other].verdict.score >= DIVIDED * all[at].verdict.score
                && is_within(&all[at], &all[other])
        };
        !is_list(&all[at]) && (0..all.len()).any(of)
    };
    (0..all.len()).map(|at| parts[at] || is_divided(at)).collect()
}

/// Are the leaves of one list those of the records of another one?
fn is_within(inner: &Candidate, outer: &Candidate) -> bool {
    let spans: Vec<Range<usize>> = outer.records.iter().map(|record| outer.leaves(record)).collect();
    let is_in = |leaves: &Range<usize>| {
        let from = spans.partition_point(|span| span.end <= leaves.start);
        let to = spans.partition_point(|span| span.start < leaves.end);
        let covered: usize = spans[from..to.max(from)]
            .iter()
            .map(|span| span.end.min(leaves.end) - span.start.max(leaves.start))
            .sum();
        covered as f64 >= NEARLY * leaves.len() as f64
    };
    inner.records.iter().all(|record| is_in(&inner.leaves(record)))
}

/// The places of a page that links may lead to.
struct Places<'p>(HashSet<&'p str>);

impl<'p> Places<'p> {
    fn new(page: &'p Page) -> Places<'p> {
        let ids = page.elements().iter().flat_map(|element| {
            let name = Some("name").filter(|_| page.name(*element) == "a");
            let names = std::iter::once("id").chain(name);
            names.filter_map(|name| page.attribute_value(*element, name))
        });
        Places(ids.filter(|id| !id.is_empty()).collect())
    }

    /// Does a link lead to a place of the page?
    fn has(&self, page: &Page, link: NodeId) -> bool {
        let address = page.attribute_value(link, "href").unwrap_or("").trim();
        address.strip_prefix('#').is_some_and(|id| self.0.contains(id))
    }
}

fn is_part(sight: &Sight<'_>, places: &Places<'_>, candidate: &Candidate) -> bool {
    let records: Vec<Range<usize>> = candidate
        .looked()
        .iter()
        .map(|record| candidate.leaves(record))
        .collect();
    are_photos(sight, &records)
        || are_contents(sight, places, &records)
        || are_choices(sight, candidate, &records)
        || is_way(sight, candidate, &records)
        || counts_down(sight, &records)
        || are_chapters(sight, candidate, &records)
        || !properties(sight, candidate).is_empty()
}

/// Are the records pictures without a text or a page of their own?
fn are_photos(sight: &Sight<'_>, records: &[Range<usize>]) -> bool {
    const FORMS: [&str; 7] = [".jpg", ".jpeg", ".png", ".webp", ".gif", ".avif", ".svg"];
    let page = sight.page;
    let is_picture = |leaf: &Leaf| {
        let address = leaf.link().and_then(|link| page.attribute_value(link, "href"));
        let address = address.unwrap_or("").trim().to_lowercase();
        let file = address.split(['?', '#']).next().unwrap_or("");
        page.name(leaf.node) == "img" && (file.is_empty() || FORMS.iter().any(|form| file.ends_with(form)))
    };
    records
        .iter()
        .all(|leaves| !leaves.is_empty() && sight.leaves[leaves.clone()].iter().all(is_picture))
}

/// Is nearly all text of the records in links to places of the page?
fn are_contents(sight: &Sight<'_>, places: &Places<'_>, records: &[Range<usize>]) -> bool {
    let (mut all, mut here) = (0.0, 0.0);
    for at in records.iter().cloned().flatten() {
        let length = sight.text(&(at..at + 1));
        let leads_here = |link: NodeId| places.has(sight.page, link);
        all += length;
        here += if sight.leaves[at].link().is_some_and(leads_here) {
            length
        } else {
            0.0
        };
    }
    here > 0.0 && here >= NEARLY * all
}

/// Are the records fields or buttons of a form with a word or two, without data?
fn are_choices(sight: &Sight<'_>, candidate: &Candidate, records: &[Range<usize>]) -> bool {
    let page = sight.page;
    let text: f64 = records.iter().map(|leaves| sight.text(leaves)).sum();
    // A script makes a button of a link that leads nowhere.
    let is_button = |link: NodeId| {
        page.attribute_value(link, "href")
            .is_some_and(|address| address.trim() == "#")
    };
    let is_control = |leaf: &Leaf| {
        let mut above = std::iter::once(leaf.node).chain(page.ancestors(leaf.node)).take(ABOVE);
        match leaf.link() {
            Some(link) => is_button(link),
            None => above.any(|up| matches!(page.name(up), "button" | "label" | "input")),
        }
    };
    let is_choice = |leaves: &Range<usize>| {
        let leaves = &sight.leaves[leaves.clone()];
        !leaves.is_empty() && leaves.iter().all(is_control)
    };
    text <= CHOICE * records.len() as f64 && records.iter().all(is_choice) && seen::data(sight, candidate) < HALF
}

/// Are the records short links beside the name of the page, which is after them and no link?
fn is_way(sight: &Sight<'_>, candidate: &Candidate, records: &[Range<usize>]) -> bool {
    let Some(last) = records.last().filter(|_| records.len() <= STEPS) else {
        return false;
    };
    let all = sight.range(candidate.items.base);
    let is_link = |leaves: &Range<usize>| matches!(&sight.leaves[leaves.clone()], [leaf] if leaf.link().is_some());
    // The name is the last of the records, or after them.
    let (steps, name) = match is_link(last) {
        true => (records, last.end),
        false => (&records[..records.len() - 1], last.start),
    };
    let is_last = name + 1 == all.end && sight.leaves[name].link().is_none();
    !steps.is_empty() && steps.iter().all(is_link) && is_last && {
        let name = plain(sight.page.string_value(sight.leaves[name].node));
        let is_name = |element: &&NodeId| {
            matches!(sight.page.name(**element), "h1" | "title")
                && plain(sight.page.string_value(**element)).starts_with(&name)
        };
        !name.is_empty() && sight.page.elements().iter().any(|element| is_name(&element))
    }
}

/// Do the records begin with numbers that count down to one, and say little else?
fn counts_down(sight: &Sight<'_>, records: &[Range<usize>]) -> bool {
    let text: f64 = records.iter().map(|leaves| sight.text(leaves)).sum();
    let number = |leaves: &Range<usize>| -> Option<usize> {
        let first = sight.leaves.get(leaves.start).filter(|_| !leaves.is_empty())?;
        let text = sight.page.string_value(first.node).trim();
        let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
        text[..end].parse().ok()
    };
    let downwards = (1..=records.len()).rev();
    text <= CHOICE * records.len() as f64
        && records
            .iter()
            .zip(downwards)
            .all(|(leaves, at)| number(leaves) == Some(at))
}

/// Are the records headings with several paragraphs each, or with numbers that count up, and no data, pictures or pages of their own?
fn are_chapters(sight: &Sight<'_>, candidate: &Candidate, records: &[Range<usize>]) -> bool {
    let page = sight.page;
    let (mut text, mut in_links, mut read, mut paragraphs) = (0.0, 0.0, 0.0, 0);
    let (mut headed, mut questions, mut numbered, mut told) = (0, 0, 0, 0);
    for (number, leaves) in (1..).zip(records) {
        let Some(first) = sight.leaves[leaves.clone()].first() else {
            continue;
        };
        text += sight.text(leaves);
        in_links += sight.in_links(leaves);
        headed += usize::from(first.is_text() && first.link().is_none() && is_heading(page, first.node));
        let title = page.string_value(first.node).trim();
        questions += usize::from(title.ends_with('?'));
        numbered += usize::from(first_number(title) == Some(number));
        told += usize::from(leaves.clone().skip(1).any(|at| says_datum(sight, at)));
        for at in leaves.clone().filter(|at| sight.leaves[*at].is_long()) {
            read += sight.text(&(at..at + 1));
            paragraphs += 1;
        }
    }
    let most = |part: usize| part as f64 >= NEARLY * records.len() as f64;
    let is_text = |leaves: &Range<usize>| sight.pictures(leaves) == 0;
    most(headed)
        && questions * 2 < records.len()
        && told * 2 < records.len()
        && (f64::from(paragraphs) >= PARAGRAPHS * records.len() as f64 || most(numbered))
        && read >= READ * text
        && in_links <= MENTIONS * text
        && records.iter().all(is_text)
        && seen::data(sight, candidate) == 0.0
}

/// Is a text in a heading?
fn is_heading(page: &Page, text: NodeId) -> bool {
    let mut above = page.ancestors(text).take(ABOVE);
    above.any(|up| matches!(page.name(up), "h1" | "h2" | "h3" | "h4" | "h5" | "h6"))
}

/// The first number in a title.
fn first_number(title: &str) -> Option<usize> {
    let start = title.find(|c: char| c.is_ascii_digit())?;
    let digits = &title[start..];
    let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
    digits[..end].parse().ok()
}

/// Is a leaf a short text by itself, neither a heading nor a part of a sentence?
fn says_datum(sight: &Sight<'_>, at: usize) -> bool {
    let (page, leaf) = (sight.page, &sight.leaves[at]);
    let is_begun = sight.leaves.get(at + 1).is_some_and(Leaf::goes_on);
    let is_alone = || page.parent(leaf.node).is_some_and(|up| sight.range(up).len() == 1);
    leaf.is_text()
        && !leaf.is_long()
        && leaf.link().is_none()
        && !leaf.goes_on()
        && !is_begun
        && is_alone()
        && !is_heading(page, leaf.node)
}

#[cfg(test)]
mod tests {
    use page::{Job, Page};

    fn records(html: &str) -> usize {
        let page = Page::parse_str(html, &Default::default()).unwrap();
        let lists = crate::regions::find(&page, &Job::new());
        lists.first().map_or(0, |list| list.records)
    }

    const TEXT: &str = "It has been made in the same house for a hundred years, by people who know each other, and it is sent to you in a box of wood.";

    #[test]
    fn parts_of_one_thing_are_no_list() {
        let each =
            |names: &[&str], make: &dyn Fn(&str) -> String| names.iter().map(|name| make(name)).collect::<String>();
        let names = ["Kelp", "Moss", "Fern", "Alga"];
        let page = |block: String| format!("<title>Lamp</title><h1>Lamp</h1><p>{TEXT}</p><div>{block}</div>");
        for (what, block) in [
            (
                "photos",
                each(&names, &|name| format!("<div><img src=/{name}.jpg></div>")),
            ),
            (
                "large photos",
                each(&names, &|name| {
                    format!("<a href=/{name}.jpg?v=2><img src=/{name}.jpg></a>")
                }),
            ),
            (
                "buttons",
                each(&names, &|name| format!("<li><button>{name}</button></li>")),
            ),
            (
                "fields",
                each(&names, &|name| format!("<label><input type=radio> {name}</label>")),
            ),
            (
                "links to nowhere",
                each(&names, &|name| format!("<li><a href='#'>{name}</a></li>")),
            ),
            (
                "stars",
                each(&["4", "3", "2", "1"], &|stars| {
                    format!("<li>{stars} stars <b>{stars}0 %</b></li>")
                }),
            ),
            (
                "chapters",
                each(&names, &|name| {
                    format!("<h2>{name}</h2><p>{TEXT}</p><p>{name}: {TEXT}</p>")
                }),
            ),
            (
                "contents",
                each(&names, &|name| {
                    format!("<li><a href='#{name}'>All about {name}</a></li>")
                }) + &each(&names, &|name| format!("<section id={name}><p>{TEXT}</p></section>")),
            ),
            (
                "way",
                "<ol><li><a href=/a>Home</a><li><a href=/a/b>Lights</a><li><a href=/a/b/c>Tables</a><li>Lamp</ol>"
                    .to_owned(),
            ),
            (
                "paragraphs and a price",
                format!("<p>$12.00</p><p>{TEXT}</p><p>{TEXT} {TEXT}</p>"),
            ),
        ] {
            assert_eq!(records(&page(block)), 0, "{what}");
        }
    }

    #[test]
    fn lists_that_look_like_parts_are_lists() {
        let names = ["Kelp", "Moss", "Fern", "Alga"];
        let each = |make: &dyn Fn(&str) -> String| names.iter().map(|name| make(name)).collect::<String>();
        for (what, block) in [
            (
                "photos with pages",
                each(&|name| format!("<a href=/{name}><img src=/{name}.jpg></a>")),
            ),
            (
                "names with buttons",
                each(&|name| format!("<li><a href=/{name}>{name}</a> <button>Buy</button></li>")),
            ),
            (
                "questions",
                each(&|name| format!("<div><h3>What is {name}?</h3><p>{TEXT}</p><p>{TEXT}</p></div>")),
            ),
            (
                "people",
                each(&|name| format!("<div><h3>{name} Roe</h3><p>{TEXT}</p></div>")),
            ),
            (
                "things with a datum",
                each(&|name| format!("<div><h3>{name}</h3><p>{TEXT}</p><p>{TEXT}</p><b>5 kg</b></div>")),
            ),
            (
                "links elsewhere",
                each(&|name| format!("<li><a href='/a#{name}'>All about {name}</a></li>")),
            ),
        ] {
            assert_eq!(records(&format!("<h1>All</h1><div>{block}</div>")), 4, "{what}");
        }
    }
}
