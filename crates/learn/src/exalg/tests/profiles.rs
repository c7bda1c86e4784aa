//! Pages about one thing: labelled lines, some of them optional, beside tables that some pages have.

use super::parse;
use crate::exalg::{TemplateSettings, infer};
use page::Page;
use std::collections::{BTreeMap, BTreeSet};
use wrapper::rule::Event;
use wrapper::rule::template::{Run, infix};

/// How a label and its value are written, and what is around all of them.
type Make = (fn(&str, &str) -> String, &'static str, &'static str);

const MAKES: [Make; 5] = [
    (|label, value| format!("<p><b>{label}:</b> {value}</p>"), "", ""),
    (|label, value| format!("<b>{label}:</b> {value}<br>"), "<div>", "</div>"),
    (
        |label, value| format!("<tr><td><b>{label}</b></td><td><i>{value}</i></td></tr>"),
        "<table>",
        "</table>",
    ),
    (
        |label, value| format!("<tr><td>{label}:</td><td>{value}</td></tr>"),
        "<table>",
        "</table>",
    ),
    (
        |label, value| format!("<li><span>{label}</span> <em>{value}</em></li>"),
        "<ul>",
        "</ul>",
    ),
];

/// A page and the values of its fields. Each third page has a coach, each second one a sponsor, and titles vary in number.
fn player(number: usize, (line, open, close): Make) -> (String, BTreeMap<String, Vec<String>>) {
    let mut truth: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut lines = |pairs: &[(&str, &str, String)]| {
        let mut out = open.to_owned();
        for (field, label, value) in pairs {
            truth.entry((*field).to_owned()).or_default().push(value.clone());
            out.push_str(&line(label, value));
        }
        out + close
    };
    let mut facts = vec![
        (
            "country",
            "Country",
            ["Chile", "Spain", "Ghana", "Japan"][number % 4].to_owned(),
        ),
        ("height", "Height", format!("{} cm{number}", 160 + number)),
        ("weight", "Weight", format!("{}.{number} kg{number}", 50 + number)),
        ("plays", "Plays", ["left", "right", "both"][number % 3].to_owned()),
        ("club", "Club", format!("Club{number} of{number}")),
        (
            "born",
            "Born",
            format!("{}/{}/19{}", number % 11 + 1, number % 27 + 1, 60 + number),
        ),
    ];
    if number.is_multiple_of(3) {
        facts.push(("coach", "Coach", format!("Ann Number{number}")));
    }
    if number.is_multiple_of(2) {
        facts.push(("sponsor", "Sponsor", format!("Firm{number} Ltd{number}")));
    }
    let facts = lines(&facts);
    let mut body = format!("<h1>Player{number} Name{number}</h1>{facts}");
    for (at, kind) in ["Singles", "Doubles"].into_iter().enumerate() {
        let rank = lines(&[(kind, "Rank", format!("{}", 7 * number + at + 3))]);
        body += &format!("<h3>{kind}</h3>{rank}");
        let count = (number + at) % 4;
        if count > 0 {
            body += &format!("<h4>{kind} titles</h4><table><tr><th>Year</th><th>Town</th><th>Over</th></tr>");
        }
        for title in 0..count {
            body += &format!(
                "<tr><td>{}</td><td>Town{number}{title}</td><td>Rival{number}{title} of{at}{number}</td></tr>",
                1990 + number + title
            );
        }
        body += if count > 0 { "</table>" } else { "" };
    }
    for (at, kind) in ["Singles", "Doubles"].into_iter().enumerate() {
        for title in 0..(number + at) % 4 {
            let over = truth.entry(format!("{kind} over")).or_default();
            over.push(format!("Rival{number}{title} of{at}{number}"));
        }
    }
    (
        format!("<title>Player</title>{body}<hr><p>All rights reserved.</p>"),
        truth,
    )
}

#[test]
fn optional_labelled_lines_are_fields_and_tables_beside_them_are_lists() {
    for (at, make) in MAKES.into_iter().enumerate() {
        let made: Vec<_> = (0..24).map(|number| player(number, make)).collect();
        let pages = parse(&made.iter().map(|(html, _)| html.clone()).collect::<Vec<_>>());
        let some: Vec<&Page> = pages[..16].iter().collect();
        let template = infer(&some, &TemplateSettings::default(), &page::Job::new())
            .unwrap()
            .template;
        let run = Run::new(&template);
        let mut read: Vec<BTreeMap<u32, Vec<String>>> = Vec::new();
        for page in &pages {
            let mut values: BTreeMap<u32, Vec<String>> = BTreeMap::new();
            for event in run.page(page).0 {
                if let Event::Value { field, text, .. } = event {
                    values.entry(field).or_default().push(text);
                }
            }
            read.push(values);
        }
        let names: BTreeSet<&String> = made.iter().flat_map(|(_, truth)| truth.keys()).collect();
        for name in names {
            let has = |field: u32| {
                let mut both = read.iter().zip(&made);
                both.all(|(values, (_, truth))| values.get(&field) == truth.get(name))
            };
            let found = (0..template.fields.len() as u32).any(has);
            assert!(found, "{name} of make {at}: {}", infix(&template, true));
        }
    }
}

#[test]
fn a_text_with_words_of_the_template_is_read_on_a_page_that_lacks_others() {
    let page = |number: usize, note: &str| {
        format!(
            "<h1>Name{number}</h1><p><b>Height:</b> {} cm</p><p><b>Club:</b> Club{number}</p>{note}<hr><p>All rights reserved.</p>",
            160 + number
        )
    };
    let note = "<div><i>For members:</i> <u>log in</u></div>";
    let sources: Vec<String> = (0..8).map(|number| page(number, note)).chain([page(9, "")]).collect();
    let pages = parse(&sources);
    let some: Vec<&Page> = pages[..8].iter().collect();
    let template = infer(&some, &TemplateSettings::default(), &page::Job::new())
        .unwrap()
        .template;
    let height = |page: &Page| {
        let (events, _) = Run::new(&template).page(page);
        let mut texts = events.into_iter().filter_map(|event| match event {
            Event::Value { text, .. } => Some(text),
            _ => None,
        });
        texts.any(|text| text.ends_with(" cm"))
    };
    assert!(height(&pages[0]), "{}", infix(&template, true));
    assert!(height(&pages[8]), "{}", infix(&template, true));
}
