//! Sites as they are really made: typed by hand in the editor of a content management system (`typed`), written by programs of around 2000 (`old`), and
//! made with today's frameworks (`modern`).
//!
//! A theme is a way to write records. Each site of it draws how its texts are written and some habits ([`Make::flag`]), which all its pages share. What is around the list is drawn for each site, too.

use super::site::Made;
use super::values::{Kind, Style, word};
use super::{Drawn, PAGES, READ, hand as by_hand, modern, old, typed};
use std::collections::BTreeSet;
use xtask::random::Random;

/// The values of a record.
pub(super) type Row = Vec<Option<String>>;

/// A way to write records.
pub(super) struct Theme {
    pub(super) name: &'static str,
    /// What its records have.
    pub(super) fields: &'static [&'static str],
    /// A list with this number of records, and what they say.
    pub(super) list: fn(&Make, usize, &mut Random) -> (String, Vec<Row>),
}

/// What all pages of a site share.
pub(super) struct Make {
    style: Style,
    bits: usize,
}

impl Make {
    /// One of the habits of a site.
    pub(super) fn flag(&self, number: usize) -> bool {
        self.bits >> number & 1 == 1
    }

    /// One of several ways.
    pub(super) fn way<'w>(&self, number: usize, ways: &[&'w str]) -> &'w str {
        ways[(self.bits >> number & 7) % ways.len()]
    }

    pub(super) fn value(&self, kind: Kind, random: &mut Random) -> String {
        self.style.value(kind, random)
    }
}

/// Something that only some records have.
pub(super) fn maybe(percent: usize, random: &mut Random, value: impl FnOnce(&mut Random) -> String) -> Option<String> {
    random.chance(percent).then(|| value(random))
}

/// A text around a value, or nothing.
pub(super) fn around(value: &Option<String>, before: &str, after: &str) -> String {
    value
        .as_ref()
        .map_or(String::new(), |value| format!("{before}{value}{after}"))
}

/// A theme of those that are developed on.
pub(super) fn drawn(seed: u64, number: u64) -> Drawn {
    let themes: Vec<&Theme> = [typed::THEMES, old::THEMES, modern::THEMES]
        .into_iter()
        .flatten()
        .collect();
    draw(seed, number, &themes)
}

/// A theme of those that people type.
pub(super) fn hand(seed: u64, number: u64) -> Drawn {
    draw(seed, number, &by_hand::THEMES.iter().collect::<Vec<&Theme>>())
}

/// A theme of those that are only scored.
pub(super) fn kept(seed: u64, number: u64) -> Drawn {
    draw(seed, number, &[&typed::KEPT, &modern::KEPT])
}

fn draw(seed: u64, number: u64, themes: &[&Theme]) -> Drawn {
    let mut random = Random::new(seed << 32 ^ number ^ 0x7e3e);
    let random = &mut random;
    let theme = themes[number as usize % themes.len()];
    let make = Make {
        style: Style::draw(random),
        bits: random.below(1 << 30),
    };
    let pages = *random.pick(&PAGES);
    let frame = random.below(4);
    let mut page = |at: usize| {
        let count = match (at, random.chance(30)) {
            (0, _) => 8 + random.below(20),
            (_, true) => 2 + random.below(4),
            (_, false) => 4 + random.below(25),
        };
        let (list, rows) = (theme.list)(&make, count, random);
        let html = framed(&list, frame, at, random);
        Made { html, rows }
    };
    let mut made: Vec<Made> = (0..pages + READ).map(&mut page).collect();
    let read = made.split_off(pages);
    let names = ["theme", "pages", "frame"].into_iter();
    let said = [theme.name.to_owned(), pages.to_string(), frame.to_string()];
    let features: BTreeSet<String> = names.zip(said).map(|(name, said)| format!("{name}: {said}")).collect();
    let attribute = |field: &&str| ((*field).to_owned(), vec![format!("field: {} {field}", theme.name)]);
    Drawn {
        attributes: theme.fields.iter().map(attribute).collect(),
        features,
        train: made,
        read,
    }
}

/// A page with what sites have around their lists.
fn framed(list: &str, frame: usize, at: usize, random: &mut Random) -> String {
    let link = |name: &str| {
        format!(
            "<li><a href=\"/{}\">{name}</a></li>",
            name.to_lowercase().replace(' ', "-")
        )
    };
    let links = |names: &str| names.split('|').map(link).collect::<String>();
    let news: String = (0..3)
        .map(|_| {
            let title = word(
                "Road works|New library hours|Summer camp|Budget survey|Tree planting",
                random,
            );
            format!("<li><a href=\"/news/{}\">{title}</a></li>", random.below(900))
        })
        .collect();
    let foot = "<div id=\"footer\"><p>123 Main Street, Springfield</p><p>Phone: 555-1234 | <a href=\"/contact\">Contact</a></p></div>";
    match frame {
        0 => format!(
            "<!DOCTYPE html><html><head><title>Overview</title></head><body><div id=\"header\"><h2>Town of Springfield</h2><ul>{}</ul></div><div id=\"content\"><h1>Overview</h1><p>All entries are listed below. For older ones ask the clerk.</p>{list}</div>{foot}</body></html>",
            links("Home|Government|Departments|Residents|Contact us")
        ),
        1 => format!(
            "<html><head><title>Results</title></head><body bgcolor=\"#ffffff\"><table width=\"100%\"><tr><td width=\"150\" valign=\"top\"><ul>{}</ul></td><td valign=\"top\"><form action=\"/s\"><input name=\"q\"><input type=\"submit\" value=\"Go\"></form>\n{list}\n<p align=\"center\"><a href=\"?p={at}\">Next</a></p></td></tr></table></body></html>",
            links("Home|Search|Help")
        ),
        2 => format!(
            "<!DOCTYPE html><html><head><title>Overview</title></head><body><header><nav><ul>{}</ul></nav></header><main><h1>Overview</h1>{list}</main><aside><h3>News</h3><ul>{news}</ul></aside><footer><ul>{}</ul></footer></body></html>",
            links("Home|About|Services|Events|Contact"),
            links("Privacy|Imprint|Jobs")
        ),
        _ => format!("<html><head><title>List</title></head><body>\n{list}\n</body></html>"),
    }
}
