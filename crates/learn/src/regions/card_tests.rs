//! Pages with cards, as shops and news have them.

use super::find;
use page::{Job, Page};

/// The number of records of the first list, and its names.
fn first_list(html: &str) -> (usize, Vec<String>) {
    let page = Page::parse_str(html, &Default::default()).unwrap();
    let list = find(&page, &Job::new()).into_iter().next().unwrap();
    (list.records, list.names)
}

fn card(name: &str) -> String {
    format!(
        "<div class=card><a href=/c/tools>Tools</a><h3><a href=/{name}>The {name}</a></h3><img src={name}.png alt='The {name}'><b>$12.50</b></div>"
    )
}

#[test]
fn a_title_is_not_called_after_its_picture_and_its_link_comes_first() {
    let cards: String = ["Kelp", "Moss", "Fern", "Alga"].map(card).concat();
    let (records, names) = first_list(&format!("<div>{cards}</div>"));
    assert_eq!(records, 4);
    assert!(
        names.contains(&"title".to_owned()) && names.contains(&"link".to_owned()),
        "{names:?}"
    );
    assert!(!names.contains(&"image_text".to_owned()), "{names:?}");
}

#[test]
fn sections_of_cards_are_one_list() {
    let section = |at: usize| {
        let card = |name: &str| {
            format!(
                "<li><a href=/{name}{at}><img src={name}{at}.png><h3>{name}{at}, which grows on the shore</h3></a></li>"
            )
        };
        let cards: String = ["Kelp", "Moss", "Fern", "Alga"].map(card).concat();
        format!("<h2>Section {at}</h2><p>What all of us like.</p><div><ul>{cards}</ul></div>")
    };
    let html: String = (0..5).map(section).collect();
    assert_eq!(first_list(&format!("<main>{html}</main>")).0, 20);
}
