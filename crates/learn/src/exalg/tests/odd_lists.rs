//! Lists that are hard to tell from something else: tables of equal length, lists that all pages share, very short ones.

use super::{parse, rows};
use crate::exalg::{TemplateSettings, infer};
use page::Page;
use std::collections::BTreeSet;
use wrapper::rule::Event;
use wrapper::rule::template::{Run, Template, infix};

fn template(sources: &[String]) -> (Vec<Page>, Template) {
    let pages = parse(sources);
    let all: Vec<&Page> = pages.iter().collect();
    let inferred = infer(&all, &TemplateSettings::default(), &page::Job::new()).unwrap();
    (pages, inferred.template)
}

/// A table with a name, a day and a price in each row, and something that is on each page.
fn table(mark: &str, numbers: std::ops::Range<usize>) -> String {
    let row = |n: usize| {
        format!(
            "<tr><td><a href=/{mark}{n}>{mark} Name{n}</a></td><td>May {}, 2019</td><td>{mark}{n} street</td><td>${n}.50</td></tr>",
            n % 28 + 1
        )
    };
    format!(
        "<table><tr><th>Name<th>Day<th>Place<th>Price</tr>{}</table>",
        numbers.map(row).collect::<String>()
    )
}

#[test]
fn tables_of_equal_length_are_not_rows_themselves() {
    let page = |n: usize| {
        let (singles, doubles) = (table("s", 10 * n..10 * n + 6), table("d", 10 * n..10 * n + 6));
        format!("<h1>Cup {n}</h1><div><h3>Singles</h3>{singles}<h3>Doubles</h3>{doubles}</div><p>Page {n}</p>")
    };
    let (pages, template) = template(&(0..4).map(page).collect::<Vec<_>>());
    let (events, _) = Run::new(&template).page(&pages[1]);
    let mut lists: BTreeSet<(u32, String)> = BTreeSet::new();
    let mut open = Vec::new();
    for event in events {
        match event {
            Event::Open(list) => open.push(list),
            Event::Close => drop(open.pop()),
            Event::Value { text, .. } if text.contains("Name") => {
                lists.extend(open.last().map(|list| (*list, text[..1].to_owned())));
            }
            Event::Value { .. } => {}
        }
    }
    // Two lists, each with the rows of one table.
    assert_eq!(lists.len(), 2, "{lists:?} {}", infix(&template, true));
    assert_eq!(
        lists.iter().map(|(list, _)| list).collect::<BTreeSet<_>>().len(),
        2,
        "{lists:?}"
    );
    assert_eq!(rows(&template, &pages[1]).len(), 6, "{}", infix(&template, true));
}

#[test]
fn the_count_above_a_list_is_no_part_of_its_label() {
    let list = |n: usize, count: usize| {
        let row = |at: usize| format!("<li><a href=/{n}/{at}>Thing {n}{at} of many</a> <b>${at}.50</b></li>");
        let news = |at: usize| {
            format!(
                "<li><a href=/news/{n}{at}>News {n}{at}</a> <i>May {}, 2020</i></li>",
                at + 1
            )
        };
        let (rows, news): (String, String) = ((0..count).map(row).collect(), (0..3).map(news).collect());
        format!(
            "<div><h1>Shop</h1><p>{count} entries were found.</p><ul>{rows}</ul></div><div><h3>News</h3><ul>{news}</ul></div>"
        )
    };
    let (_, template) = template(&[list(1, 12), list(2, 12)]);
    let other = parse(&[list(3, 7)]).remove(0);
    let (events, _) = Run::new(&template).page(&other);
    let said = |text: &str| {
        let values = events.iter().filter_map(|event| match event {
            Event::Value { text, .. } => Some(text.as_str()),
            _ => None,
        });
        values.filter(|value| *value == text).count()
    };
    assert!(said("$5.50") == 1 && said("$6.50") == 1, "{}", infix(&template, true));
}

#[test]
fn a_count_that_training_pages_share_may_be_another_one() {
    let list = |n: usize, count: usize| {
        let views = |at: usize| match (n + at) % 4 {
            0 => String::new(),
            _ => format!("Views: {}<br>", 100 * n + at),
        };
        let row = |at: usize| {
            let name = format!("<a href=/{n}/{at}>Thing {n}{at} of many</a>");
            format!(
                "<div>{name}<br>Time: 1{}:30<br>{}Price: ${n}{at}.50</div>",
                at % 9,
                views(at)
            )
        };
        let rows: String = (0..count).map(row).collect();
        let way = "<div><a href=/>Home</a> &gt; <a href=/s>Services</a> &gt; Overview</div>";
        let list = format!("<p>{count} entries were found.</p><div class=results>{rows}</div>");
        format!("{way}<div id=main><h1>Overview</h1>{list}</div>")
    };
    let (_, template) = template(&[list(1, 12), list(2, 12)]);
    let other = parse(&[list(3, 7)]).remove(0);
    let (events, _) = Run::new(&template).page(&other);
    let titles = events.iter().filter(|event| match event {
        Event::Value { text, .. } => text.starts_with("Thing 3") && text.ends_with("of many"),
        _ => false,
    });
    assert!(titles.count() >= 7, "{}", infix(&template, true));
}

#[test]
fn a_list_that_all_pages_share_is_a_list() {
    let page = |n: usize| {
        let menu: String = (0..4)
            .map(|at| format!("<li><a href=/m{at}>Part {at}</a></li>"))
            .collect();
        let notes: String = (0..n + 1).map(|at| format!("<li>Note {n} {at}</li>")).collect();
        format!(
            "<ul>{menu}</ul><h1>Fair of {n}</h1><ul class=notes>{notes}</ul>{}",
            table("x", 0..6)
        )
    };
    let (pages, template) = template(&(0..3).map(page).collect::<Vec<_>>());
    let found = rows(&template, &pages[0]);
    assert!(
        found.len() == 6 && found[2].contains("x Name2") && found[2].contains("May 3, 2019"),
        "{found:?} {}",
        infix(&template, true)
    );
}

#[test]
fn always_three_rows_are_rows() {
    let page = |n: usize| format!("<h1>Fair</h1>{}<p>End</p>", table("x", 10 * n..10 * n + 3));
    let (pages, template) = template(&(0..4).map(page).collect::<Vec<_>>());
    let found = rows(&template, &pages[2]);
    assert!(
        found.len() == 3 && found[1].contains("x Name21"),
        "{found:?} {}",
        infix(&template, true)
    );
}

#[test]
fn one_row_between_headings_and_a_pager_is_a_row() {
    let page = |n: usize, rows: usize| {
        let pager = "<tr><td colspan=4><b>1</b> of <i>12</i> all records</td></tr></table>";
        format!(
            "<h1>Fair {n}</h1>{}<p>End</p>",
            table("x", 10 * n..10 * n + rows).replace("</table>", pager)
        )
    };
    let pages = [page(0, 6), page(1, 1), page(2, 5), page(3, 7)];
    let (pages, template) = template(&pages);
    for (page, count) in pages.iter().zip([6, 1, 5, 7]) {
        let found = rows(&template, page);
        let named = found.iter().filter(|row| row.contains("x Name")).count();
        assert_eq!(named, count, "{found:?} {}", infix(&template, true));
    }
}

#[test]
fn tables_with_captions_are_lists_of_their_own() {
    let page = |n: usize| {
        let captioned =
            |caption: &str, table: String| table.replacen('>', &format!("><caption>{caption}</caption>"), 1);
        format!(
            "<h1>Fair</h1>{}{}<p>End</p>",
            captioned("Singles", table("x", 10 * n..10 * n + 4 + n)),
            captioned("Doubles", table("y", 10 * n..10 * n + 3 + n % 2))
        )
    };
    let (pages, template) = template(&(0..4).map(page).collect::<Vec<_>>());
    let lists: Vec<_> = template.own_rows().map(|rows| rows.label.clone()).collect();
    let mut sets: BTreeSet<u32> = BTreeSet::new();
    let mut open = Vec::new();
    for event in Run::new(&template).page(&pages[1]).0 {
        match event {
            Event::Open(list) => open.push(list),
            Event::Close => drop(open.pop()),
            Event::Value { text, .. } if text.starts_with("y Name") => drop(sets.insert(*open.last().unwrap())),
            Event::Value { text, .. } if text.starts_with("x Name") => {
                assert!(
                    !sets.contains(open.last().unwrap()),
                    "{lists:?} {}",
                    infix(&template, true)
                );
            }
            Event::Value { .. } => {}
        }
    }
    assert_eq!(sets.len(), 1, "{lists:?} {}", infix(&template, true));
}

#[test]
fn a_text_that_is_mainly_template_is_divided_on_few_pages() {
    let page = |letter: &str| {
        let names: String = (0..6)
            .map(|n| format!("<li><b>{letter}{n}</b> <i>No. {n}</i></li>"))
            .collect();
        format!("<title>Players - Alphabetical Index: {letter} - The Official Site</title><ul>{names}</ul>")
    };
    let (pages, template) = template(&["M", "B", "D", "K"].map(page));
    let (events, _) = Run::new(&template).page(&pages[1]);
    let texts: Vec<String> = events
        .into_iter()
        .filter_map(|event| match event {
            Event::Value { text, .. } => Some(text),
            _ => None,
        })
        .collect();
    assert!(texts.contains(&"B".to_owned()), "{texts:?} {}", infix(&template, true));
}

#[test]
fn headings_in_sections_are_those_of_their_rows() {
    let page = |n: usize| {
        let row = |at: usize| {
            let note = match (n + at) % 3 {
                0 => format!("<p>Made by Maker{} in May</p>", n + 2 * at),
                _ => String::new(),
            };
            format!("<div><h4>Name{n}x{at}</h4><b>{}.50</b>{note}</div>", 7 + n + 3 * at)
        };
        let section = |number: usize| {
            let heading = ["Bowls", "Cups", "Jars", "Plates"][(n + number) % 4];
            let rows: String = (10 * number..10 * number + 3 + n % 2).map(row).collect();
            format!("<section><h2>{heading}</h2>{rows}</section>")
        };
        format!(
            "<h1>Kiln</h1>{}<p>Open daily</p>",
            (0..3).map(section).collect::<String>()
        )
    };
    let (pages, template) = template(&(0..6).map(page).collect::<Vec<_>>());
    for (n, page) in pages.iter().enumerate() {
        let (events, _) = Run::new(&template).page(page);
        let mut rows: Vec<Vec<String>> = Vec::new();
        for event in events {
            match event {
                Event::Open(_) => rows.push(Vec::new()),
                Event::Value { text, .. } => rows.iter_mut().for_each(|row| row.push(text.clone())),
                Event::Close => {
                    let row = rows.pop().unwrap_or_default();
                    if let Some(name) = row.iter().find(|text| text.starts_with("Name")) {
                        let section = name
                            .split('x')
                            .next_back()
                            .and_then(|at| at.parse::<usize>().ok())
                            .unwrap()
                            / 10;
                        let heading = ["Bowls", "Cups", "Jars", "Plates"][(n + section) % 4];
                        assert!(row.iter().any(|text| text == heading), "page {n}: {row:?}");
                        assert!(
                            row.iter().filter(|text| text.ends_with(".50")).count() == 1,
                            "page {n}: {row:?}"
                        );
                    }
                }
            }
        }
    }
}
