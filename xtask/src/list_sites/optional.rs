//! Records whose only oddity is an optional text: nothing but the text itself, or its place, says what it is.
//!
//! The records of a site have two or three texts that each of them has, and one or two that only some have: first, in the middle, or last. All of them are in elements of
//! one name without a class, or lines. What an optional text is may be seen by its form (a price, a date), by words that it begins with
//! (`Sold by Ann Lee`), by its values, which come again (`New`), or only by what it is about.

use super::site::Made;
use super::values::{Kind, Style, word};
use super::{Drawn, PAGES, READ};
use std::collections::BTreeSet;
use xtask::random::Random;

const MAKES: &str = "div|span|p|li|td|br|dd|siblings";
const FIRST: &str = "Ann|Bo|Cy|Di|Eve|Fay|Gil|Hal|Ida|Joe";
const LAST: &str = "Day|Lee|Fox|Orr|Roe|Ward|Hall|Berg|Lund|Moss";
/// How many records a page has.
const COUNTS: [usize; 5] = [5, 8, 12, 20, 40];

/// What a text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Text {
    Of(Kind),
    /// A name after words that are always the same.
    Seller,
    /// A word that comes again and again.
    Flag,
}

impl Text {
    fn value(self, style: &Style, random: &mut Random) -> String {
        let person = |random: &mut Random| format!("{} {}", word(FIRST, random), word(LAST, random));
        match self {
            Text::Of(Kind::Person) => person(random),
            Text::Of(kind) => style.value(kind, random),
            Text::Seller => format!("Sold by {}", person(random)),
            Text::Flag => word("New|Sold out|On sale", random).to_owned(),
        }
    }
}

const FORMS: [Text; 5] = [
    Text::Of(Kind::Date),
    Text::Of(Kind::Time),
    Text::Of(Kind::Price),
    Text::Of(Kind::Number),
    Text::Of(Kind::Code),
];
const WORDS: [Text; 6] = [
    Text::Seller,
    Text::Flag,
    Text::Of(Kind::Person),
    Text::Of(Kind::Place),
    Text::Of(Kind::Status),
    Text::Of(Kind::Description),
];

/// Draws a site.
pub(super) fn drawn(seed: u64, number: u64) -> Drawn {
    let mut random = Random::new(seed << 32 ^ number ^ 0x0971);
    let random = &mut random;
    let make = word(MAKES, random);
    let style = Style::draw(random);
    let mut forms = FORMS.to_vec();
    // A title, and one or two texts that each record has; one of them has a form.
    let mut fields = vec![(Text::Of(Kind::Title), 100)];
    let form = forms.remove(random.below(forms.len()));
    fields.push((form, 100));
    if random.chance(40) {
        let more = match random.chance(50) {
            true => forms.remove(random.below(forms.len())),
            false => Text::Of(Kind::Person),
        };
        fields.push((more, 100));
    }
    let mut features = BTreeSet::from([format!("make: {make}")]);
    for _ in 0..if random.chance(20) { 2 } else { 1 } {
        let words: Vec<Text> = WORDS
            .into_iter()
            .filter(|text| fields.iter().all(|(own, _)| own != text))
            .collect();
        let text = match random.chance(35) {
            true => forms.remove(random.below(forms.len())),
            false => *random.pick(&words),
        };
        let share = *random.pick(&[10, 20, 30, 40, 50]);
        let place = *random.pick(&["first", "middle", "middle", "last"]);
        let at = match place {
            "first" => 0,
            "middle" => 1 + random.below(fields.len() - 1),
            _ => fields.len(),
        };
        fields.insert(at, (text, share));
        features.insert(format!("optional: {text:?} {place}"));
        features.insert(format!("optional: {place}"));
        features.insert(format!("share: {share}"));
    }
    let (menu, linked, classed) = (random.chance(60), random.chance(30), random.chance(50));
    features.insert(format!("menu: {menu}"));
    features.insert(format!("title: {}", if linked { "link" } else { "text" }));
    let pages = *random.pick(&PAGES);
    features.insert(format!("pages: {pages}"));
    let class = if classed { " class=\"item\"" } else { "" };
    let page = |random: &mut Random| -> Made {
        let count = *random.pick(&COUNTS);
        let mut list = String::new();
        let mut rows = Vec::new();
        for _ in 0..count {
            let row: Vec<Option<String>> = fields
                .iter()
                .map(|(text, share)| random.chance(*share).then(|| text.value(&style, random)))
                .collect();
            let piece = |(at, value): (usize, &Option<String>)| {
                let value = value.as_ref()?;
                Some(match linked && fields[at].0 == Text::Of(Kind::Title) {
                    true => format!("<a href=\"/item/{}\">{value}</a>", value.len() * 37 + at),
                    false => value.clone(),
                })
            };
            let pieces: Vec<String> = row.iter().enumerate().filter_map(piece).collect();
            let each = |name: &str| -> String {
                let element = |piece: &String| format!("<{name}>{piece}</{name}>\n");
                pieces.iter().map(element).collect()
            };
            list += &match make {
                "span" => format!("<li{class}>{}</li>\n", each("span")),
                "li" => format!("<div{class}><ul>{}</ul></div>\n", each("li")),
                "td" => format!("<tr{class}>{}</tr>\n", each("td")),
                "br" => format!("<div{class}>{}</div>\n", pieces.join("<br>\n")),
                "dd" => format!("<dl{class}>{}</dl>\n", each("dd")),
                // The title begins a record.
                "siblings" => {
                    let title = fields.iter().position(|(text, _)| *text == Text::Of(Kind::Title));
                    let before = row[..title.unwrap_or(0)].iter().flatten().count();
                    let (head, rest) = (&pieces[before], &pieces[before + 1..]);
                    let texts = pieces[..before].iter().chain(rest);
                    let texts: String = texts.map(|text| format!("<p>{text}</p>\n")).collect();
                    format!("<h3>{head}</h3>\n{texts}")
                }
                name => format!("<div{class}>{}</div>\n", each(name)),
            };
            // The title is the first attribute.
            rows.push(row);
        }
        let list = match make {
            "span" => format!("<ul>{list}</ul>"),
            "td" => format!("<table>{list}</table>"),
            _ => format!("<div>{list}</div>"),
        };
        let menu = match menu {
            true => "<ul><li><a href=\"/a\">Home</a></li><li><a href=\"/b\">About</a></li></ul>",
            false => "",
        };
        let html = format!("<html><head><title>Shop</title></head><body>{menu}<h1>Things</h1>\n{list}</body></html>");
        Made { html, rows }
    };
    let mut made: Vec<Made> = (0..pages + READ).map(|_| page(random)).collect();
    // The title comes first in what is known.
    let title = fields.iter().position(|(text, _)| *text == Text::Of(Kind::Title));
    let title = title.unwrap_or(0);
    for row in made.iter_mut().flat_map(|made| &mut made.rows) {
        row.swap(0, title);
    }
    fields.swap(0, title);
    let read = made.split_off(pages);
    let attribute = |(text, share): &(Text, usize)| {
        let names = vec![format!("field: {text:?}"), format!("rate: {share}")];
        (format!("{text:?} {share}"), names)
    };
    Drawn {
        features,
        attributes: fields.iter().map(attribute).collect(),
        train: made,
        read,
    }
}
