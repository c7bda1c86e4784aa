//! Links that say by the same words, or by the same picture, what they lead to: *Agenda*, *Minutes*, *PDF*.
//!
//! Their words are the name of a field and their addresses are its values. Where a record has some of them and not others, their
//! numbers say nothing, so they are found by their words: `.//a[normalize-space(.)="Minutes"]/@href`.
//!
//! **In**: the links of all records, in groups of those that the same names lead to. **Out**: the links that are signs. A sign is said in several records, each
//! time with another address. Titles may repeat, too (*Finance Committee*), but then they are the first link of their record,
//! and others begin with another one; a sign comes after other links, or nearly all records begin with it. What a record has several times, and a
//! picture that is all that a cell of a table has, tells less than the place.
//!
//! **Known failures**: a title that nearly all records have; signs that are written in two ways are two fields.
//!
//! Linear in the links.

use super::columns::LATER;
use crate::guided::{literal, spaced};
use page::{NodeId, Page};
use std::collections::{BTreeMap, HashMap, HashSet};
use wrapper::rule::paths::value;

/// The longest words of a sign, in characters.
const LONGEST: usize = 40;
/// A sign is in this many records at least, and in this share of them.
const LEAST: usize = 3;
/// The same, where all links are signs.
const FEWEST: usize = 2;
const SHARE: f64 = 0.15;
/// The share of its addresses that are different.
const DIFFERENT: f64 = 0.9;
/// The share of the first links of records that one sign has, if it is no title: where records have one link, and where they
/// have several.
const ALONE: f64 = 0.9;
const AMONG: f64 = 0.6;

/// From this share of its links on, a sign that is said again in a record does not tell them apart: one picture for the agenda, the packet and
/// the minutes.
const AGAIN: f64 = 0.2;

/// What a link is known by.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Sign {
    /// The words, and the expression for them.
    Words(String, String),
    /// The address of a picture.
    Picture(String),
}

impl Sign {
    fn of(page: &Page, link: NodeId) -> Option<Sign> {
        let words = value(page, link);
        if !words.is_empty() {
            let short = words.chars().count() <= LONGEST && words.chars().any(char::is_alphabetic);
            let text = spaced(page.string_value(link));
            return short.then_some(Sign::Words(words, text));
        }
        let mut inside = (link.0 + 1..page.end(link).0).map(NodeId);
        let picture = inside.find(|node| page.is_element(*node) && page.name(*node) == "img")?;
        // A picture that a script loads later is no sign, whatever stands in its place.
        if LATER.iter().any(|name| page.attribute_value(picture, name).is_some()) {
            return None;
        }
        let address = page.attribute_value(picture, "src")?;
        (!address.is_empty()).then(|| Sign::Picture(address.to_owned()))
    }

    /// The test of a link in XPath.
    pub(super) fn test(&self) -> String {
        match self {
            Sign::Words(words, text) => format!("[{text}={}]", literal(words)),
            Sign::Picture(address) => format!("[.//img/@src={}]", literal(address)),
        }
    }

    /// The words, as the label of a field.
    pub(super) fn label(&self) -> Option<&str> {
        match self {
            Sign::Words(words, _) => Some(words),
            Sign::Picture(_) => None,
        }
    }
}

/// How often a sign is the first link of a record, how often another one, how often it is said again in one record, and where it leads to.
#[derive(Default)]
struct Uses<'p> {
    first: usize,
    later: usize,
    again: usize,
    addresses: HashSet<&'p str>,
}

/// The links of a group that are signs: the group has the links of each record, in order; `count` is the number of all records.
pub(super) fn signs(page: &Page, group: &[Vec<NodeId>], count: usize) -> HashMap<NodeId, Sign> {
    let signs: Vec<Vec<Option<Sign>>> = group
        .iter()
        .map(|links| links.iter().map(|link| Sign::of(page, *link)).collect())
        .collect();
    let mut uses: BTreeMap<&Sign, Uses<'_>> = BTreeMap::new();
    for (links, signs) in group.iter().zip(&signs) {
        for (at, (link, sign)) in links.iter().zip(signs).enumerate() {
            let Some(sign) = sign else { continue };
            let uses = uses.entry(sign).or_default();
            match at {
                0 => uses.first += 1,
                _ => uses.later += 1,
            }
            uses.again += usize::from(signs[..at].contains(&Some(sign.clone())));
            uses.addresses.extend(page.attribute_value(*link, "href"));
        }
    }
    let firsts = group.iter().filter(|links| !links.is_empty()).count() as f64;
    let several = group.iter().any(|links| links.len() > 1);
    // Titles differ from record to record; where all links say as few words as one record has links, none is a title.
    let widest = group.iter().map(Vec::len).max().unwrap_or(0);
    let are_all = several && uses.len() <= widest && signs.iter().flatten().all(Option::is_some);
    let least = match are_all {
        true => FEWEST,
        false => LEAST.max((SHARE * count as f64).ceil() as usize),
    };
    let is_sign = |uses: &Uses<'_>| {
        let all = uses.first + uses.later;
        let share = uses.first as f64 / firsts;
        all >= least
            && (uses.again as f64) < AGAIN * all as f64
            && uses.addresses.len() as f64 >= DIFFERENT * all as f64
            && (are_all || uses.later > uses.first || share >= ALONE || (several && share >= AMONG))
    };
    let known: HashSet<Sign> = uses
        .into_iter()
        .filter(|(_, uses)| is_sign(uses))
        .map(|(sign, _)| sign.clone())
        .collect();
    let all = group.iter().flatten().zip(signs.into_iter().flatten());
    all.filter_map(|(link, sign)| Some((*link, sign.filter(|sign| known.contains(sign))?)))
        .collect()
}

#[cfg(test)]
mod tests {
    use crate::regions;
    use page::{Job, Page};
    use wrapper::rule::paths::PathsRun;

    #[test]
    fn one_picture_for_several_links_does_not_tell_them() {
        let link = |what: &str, number: usize| {
            format!("<td><a href={what}{number}.pdf><img src=pdf.svg alt=Document></a></td>")
        };
        let row = |number: usize| {
            let minutes = if number == 0 {
                "<td></td>".to_owned()
            } else {
                link("m", number)
            };
            format!(
                "<tr><td>May {}, 2022</td>{}{}{minutes}</tr>",
                number + 1,
                link("a", number),
                link("p", number)
            )
        };
        let rows: String = (0..4).map(row).collect();
        let head = "<tr><th>Meeting</th><th>Agenda</th><th>Packet</th><th>Minutes</th></tr>";
        let page = Page::parse_str(&format!("<table>{head}{rows}</table>"), &Default::default()).unwrap();
        let best = regions::find(&page, &Job::new()).remove(0);
        let records = PathsRun::new(&best.rule).unwrap().page(&page);
        let said: Vec<Vec<&str>> = records
            .iter()
            .map(|record| record.values.iter().map(|value| value.text.as_str()).collect())
            .collect();
        assert_eq!(said[0], ["May 1, 2022", "a0.pdf", "p0.pdf"], "{:?}", best.names);
        assert_eq!(
            said[1],
            ["May 2, 2022", "a1.pdf", "p1.pdf", "m1.pdf"],
            "{:?}",
            best.names
        );
    }
    #[test]
    fn links_in_optional_siblings_are_told_by_their_words() {
        let record = |number: usize| {
            let agenda = match number % 2 {
                0 => format!("<p><a href=a{number}>Agenda</a></p>"),
                _ => String::new(),
            };
            format!(
                "<h4><a href=t{number}>Meeting number {number}</a></h4><p>Room {number}</p>{agenda}<p><a href=m{number}>Minutes</a></p>"
            )
        };
        let list: String = (0..8).map(record).collect();
        let page = Page::parse_str(&format!("<div>{list}</div>"), &Default::default()).unwrap();
        let best = regions::find(&page, &Job::new()).remove(0);
        let records = PathsRun::new(&best.rule).unwrap().page(&page);
        let of = |at: usize, name: &str| {
            let mut values = records[at].values.iter();
            let found = values.find(|value| best.names[value.field] == name);
            found.map(|value| value.text.clone())
        };
        assert_eq!(of(0, "agenda").as_deref(), Some("a0"), "{:?}", best.rule);
        assert_eq!(of(0, "minutes").as_deref(), Some("m0"));
        assert_eq!(of(1, "agenda"), None);
        assert_eq!(of(1, "minutes").as_deref(), Some("m1"));
    }

    #[test]
    fn links_that_their_words_tell_are_told() {
        let row = |number: usize| {
            let links = [
                "<a href=/a{n}>Agenda</a>",
                "<a href=/a{n}>Agenda</a> <a href=/m{n}>Minutes</a>",
                "<a href=/m{n}>Minutes</a>",
            ];
            let links = links[number % 3].replace("{n}", &number.to_string());
            format!("<p><b>May {}, 2022</b><br>{links}</p>", number + 1)
        };
        let rows: String = (0..9).map(row).collect();
        let page = Page::parse_str(&format!("<h1>Meetings</h1><div>{rows}</div>"), &Default::default()).unwrap();
        let best = regions::find(&page, &Job::new()).remove(0);
        for name in ["agenda", "minutes"] {
            let field = best.names.iter().position(|own| own == name);
            assert!(
                field.is_some_and(|field| best.told.contains(&field)),
                "{:?}",
                best.names
            );
        }
    }
}
