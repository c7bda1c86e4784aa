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

/// What four customers say, in more words than the list has.
fn quotes() -> String {
    let said = "We have bought from them for years, and whatever we have ordered came on the next day, well packed, at a price that nobody else had, and with a kind word.";
    let quote = |name: &str| {
        format!("<div><img src=/face/{name}.jpg><p>{said}</p><p>{said}</p><b>{name}</b><i>Happy customer</i></div>")
    };
    format!(
        "<section><h2>What they say</h2>{}</section>",
        ["Ann", "Bob", "Cy", "Dora"].map(quote).concat()
    )
}

/// Pictures with a name below, each with two links to one page.
fn tiles(names: &[&str]) -> String {
    let tile = |name: &&str| format!("<li><a href=/{name}><img src=/{name}.jpg></a><a href=/{name}>{name}</a></li>");
    format!("<ul>{}</ul>", names.iter().map(tile).collect::<String>())
}

const PLANTS: [&str; 8] = ["Kelp", "Moss", "Fern", "Alga", "Reed", "Rush", "Sedge", "Thyme"];

#[test]
fn pictures_with_a_name_are_more_than_what_customers_say() {
    assert_eq!(
        first_list(&format!("<h1>Plants</h1>{}{}", tiles(&PLANTS), quotes())).0,
        8
    );
}

#[test]
fn stars_and_bullets_are_no_pictures_of_things() {
    // Five links with the same icon are less than three things with sentences.
    let icons: String = PLANTS[..5]
        .iter()
        .map(|name| format!("<li><img src=/dot.gif><a href=/{name}>{name}</a></li>"))
        .collect();
    let thing = |name: &str| {
        format!(
            "<div><h3><a href=/{name}>{name}</a></h3><p>It grows on the shore, where the tide comes in.</p><b>$12</b></div>"
        )
    };
    let things = ["Samphire", "Eelgrass", "Bladderwrack"].map(thing).concat();
    assert_eq!(first_list(&format!("<ul>{icons}</ul><main>{things}</main>")).0, 3);
}

#[test]
fn cards_in_the_results_of_a_search_are_no_menu() {
    let card =
        |name: &&str| format!("<li><a href=/{name}><img src=/{name}.jpg><b>{name}</b><i>for your garden</i></a></li>");
    let cards: String = PLANTS.iter().map(card).collect();
    assert_eq!(
        first_list(&format!("<div class=search-results><ul>{cards}</ul></div>")).0,
        8
    );
}

#[test]
fn a_name_around_the_first_heading_says_nothing() {
    let row = |name: &&str| format!("<li><a href=/{name}>Everything about {name}</a></li>");
    let rows: String = PLANTS.iter().map(row).collect();
    let side = |name: &&str| format!("<p>{name}, <i>of all</i> plants</p>");
    let sides: String = PLANTS[..3].iter().map(side).collect();
    let html = format!("<div id=skip-link-target><h1>Plants</h1><ul>{rows}</ul></div><div>{sides}</div>");
    assert_eq!(first_list(&html).0, 8);
}

#[test]
fn columns_of_links_lose_to_a_short_list() {
    let column = |at: usize| {
        let links: String = PLANTS
            .iter()
            .map(|name| format!("<li><a href=/{at}/{name}>{name} {at}</a></li>"))
            .collect();
        format!("<div><h4>Column {at}</h4><ul>{links}</ul></div>")
    };
    let columns: String = (0..5).map(column).collect();
    let row = |name: &&str| format!("<li><a href=/{name}>All about {name}</a> <i>by Ann</i></li>");
    let rows: String = PLANTS.iter().map(row).collect();
    assert_eq!(
        first_list(&format!("<h1>News</h1><ol>{rows}</ol><div>{columns}</div>")).0,
        8
    );
}

#[test]
fn records_of_one_class_are_one_list_though_some_lack_a_part() {
    let card = |(at, name): (usize, &&str)| {
        let more = match at {
            2 | 5 => format!("<h3>{name}</h3><em>Sold out</em>"),
            _ => format!("<h3><a href=/{name}>{name}</a></h3><p>It grows on the shore.</p><p>Two feet high.</p>"),
        };
        format!("<div class=card><img src=/{name}.jpg>{more}</div>")
    };
    let cards: String = PLANTS.iter().enumerate().map(card).collect();
    assert_eq!(first_list(&format!("<div>{cards}</div>")).0, 8);
}

#[test]
fn an_article_is_no_list() {
    let paragraph = "<p>Silver has been worn for evenings and for days, with pearls, with stones, and with nothing at all beside it, for as long as we know of.</p>";
    let page = Page::parse_str(&format!("<h1>Silver</h1>{}", paragraph.repeat(6)), &Default::default()).unwrap();
    assert!(find(&page, &Job::new()).is_empty());
}

/// The first two pictures of eight are loaded at once, the others by a script.
#[test]
fn pictures_that_are_loaded_later_are_one_field_with_the_others() {
    let names = ["Kelp", "Moss", "Fern", "Alga", "Reed", "Sedge", "Oak", "Ash"];
    for empty in ["/blank.gif", "data:image/gif;base64,R0lGOD"] {
        let card = |(at, name): (usize, &&str)| {
            let picture = match at < 2 {
                true => format!("<img src=/{name}.jpg>"),
                false => format!("<img src='{empty}' data-original=/{name}.jpg>"),
            };
            format!(
                "<div class=card><a href=/{name}>{picture}</a><h3><a href=/{name}>The {name} lamp</a></h3><b>${at}2.50</b></div>"
            )
        };
        let cards: String = names.iter().enumerate().map(card).collect();
        let page = Page::parse_str(&format!("<div>{cards}</div>"), &Default::default()).unwrap();
        let list = find(&page, &Job::new()).remove(0);
        let field = list.names.iter().position(|name| name == "image").expect("a picture");
        let run = wrapper::rule::paths::PathsRun::new(&list.rule).unwrap();
        let said: Vec<String> = run
            .page(&page)
            .iter()
            .flat_map(|record| record.values.iter().filter(|value| value.field == field))
            .map(|value| value.text.clone())
            .collect();
        assert_eq!(said, names.map(|name| format!("/{name}.jpg")));
    }
}
