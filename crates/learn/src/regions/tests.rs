//! Small pages with a list in each of the forms that lists have, and what is found on them.

use super::*;
use page::ParseSettings;
use wrapper::rule::paths::PathsRun;

fn page(html: &str) -> Page {
    Page::parse(html.as_bytes(), &ParseSettings::default()).expect("a page")
}

/// The records of the best list: the values of each, with `|` between them.
fn best(html: &str) -> Vec<String> {
    let page = page(html);
    let lists = find(&page, &Job::new());
    let Some(list) = lists.first() else {
        return Vec::new();
    };
    let run = PathsRun::new(&list.rule).expect("a rule that can be run");
    let records = run.page(&page);
    assert_eq!(records.len(), list.records, "{:?}", list.rule);
    let values = records.iter().map(|record| {
        let texts = record.values.iter().map(|value| value.text.as_str());
        texts.collect::<Vec<_>>().join("|")
    });
    values.collect()
}

const NAMES: [&str; 6] = ["Kelp", "Moss", "Fern", "Reed", "Sedge", "Lichen"];

/// A page with a list of six records, each made by a function from its number and name.
fn with(record: impl Fn(usize, &str) -> String) -> String {
    NAMES
        .iter()
        .enumerate()
        .map(|(number, name)| record(number, name))
        .collect()
}

#[test]
fn each_item_of_a_list_is_a_record() {
    let list = with(|n, name| format!("<li><a href=p{n}>{name}</a> grows by the {n}th sea"));
    let menu = "<ul><li><a href=a>Home</a><li><a href=b>About</a><li><a href=c>Contact</a></ul>";
    let found = best(&format!("{menu}<ul>{list}</ul>{menu}"));
    assert_eq!(found.len(), 6);
    assert_eq!(found[0], "Kelp|p0|grows by the 0th sea");
}

#[test]
fn several_rows_are_a_record() {
    let rows = with(|n, name| {
        format!(
            "<tr><td><b><a href=p{n}>{name}</a></b></td></tr><tr><td>It is found near stone {n}</td></tr>\
             <tr><td><font size=1>{n}0 KB</font></td></tr>"
        )
    });
    let found = best(&format!("<table>{rows}</table>"));
    assert_eq!(found.len(), 6);
    assert_eq!(found[3], "Reed|p3|It is found near stone 3|30 KB");
}

#[test]
fn a_term_with_its_descriptions_is_a_record() {
    // The third has no description.
    let list = with(|n, name| {
        let more = if n == 2 {
            String::new()
        } else {
            format!("<dd>A plant of {n} words")
        };
        format!("<dt><a href=p{n}>{name}</a>{more}")
    });
    let found = best(&format!("<dl>{list}</dl>"));
    assert_eq!(found.len(), 6);
    assert_eq!(
        found[1..4],
        ["Moss|p1|A plant of 1 words", "Fern|p2", "Reed|p3|A plant of 3 words"]
    );
}

#[test]
fn a_link_in_running_text_begins_a_record() {
    let list = with(|n, name| format!("<a href=p{n}>{name}</a><br>is a plant that grows in {n} places<br><br>"));
    let found = best(&format!("<h1>Plants</h1><div>{list}</div>"));
    assert_eq!(found.len(), 6);
    assert_eq!(found[5], "Lichen|p5|is a plant that grows in 5 places");
}

#[test]
fn rows_with_something_missing_or_added_are_rows() {
    let rows = with(|n, name| {
        let note = if n == 4 { "<br><i>New!</i>" } else { "" };
        let price = if n == 1 {
            "<td></td>".to_owned()
        } else {
            format!("<td>{n}.50</td>")
        };
        format!("<tr><td><a href=p{n}>{name}</a></td><td>A plant for {n} gardens{note}</td>{price}</tr>")
    });
    let found = best(&format!("<table>{rows}</table>"));
    assert_eq!(found.len(), 6);
    assert_eq!(found[1], "Moss|p1|A plant for 1 gardens");
}

#[test]
fn headings_and_adverts_are_no_records() {
    let rows = with(|n, name| {
        let before = match n {
            0 => "<tr><th colspan=3>By the sea</th></tr>",
            2 => "<tr><td colspan=3><center><img src=ad.gif></center></td></tr>",
            3 => "<tr><th colspan=3>Inland</th></tr>",
            _ => "",
        };
        format!("{before}<tr><td>{n}.</td><td><a href=p{n}>{name}</a></td><td>A plant for {n} gardens</td></tr>")
    });
    let found = best(&format!("<table>{rows}</table>"));
    assert_eq!(found.len(), 6);
    assert_eq!(found[3], "3.|Reed|p3|A plant for 3 gardens|Inland");
}

#[test]
fn the_cells_of_a_grid_are_records() {
    let card = |n: usize| {
        let name = NAMES[n % 6];
        format!("<td><a href=p{n}><img src={n}.png></a><br><b>{name} {n}</b><br>only {n}.00</td>")
    };
    let rows: String = (0..4)
        .map(|row| format!("<tr>{}</tr>", (0..3).map(|c| card(row * 3 + c)).collect::<String>()))
        .collect();
    let found = best(&format!("<table>{rows}</table>"));
    assert_eq!(found.len(), 12);
    assert!(found[7].contains("Moss 7") && found[7].contains("7.00"), "{}", found[7]);
}

#[test]
fn menus_and_footers_are_no_lists() {
    let menu: String = (0..30)
        .map(|n| format!("<li><a href=m{n}>Department number {n}</a><p>all about {n}</p></li>"))
        .collect();
    let list = with(|n, name| format!("<div><h3>{name}</h3><p>from {n} up</p></div>"));
    let found = best(&format!(
        "<nav><ul>{menu}</ul></nav><main>{list}</main><footer><ul>{menu}</ul></footer>"
    ));
    assert_eq!(found.len(), 6);
    assert!(found[0].starts_with("Kelp"), "{}", found[0]);
}

#[test]
fn words_in_bold_do_not_divide_a_value() {
    let list = with(|n, name| {
        let text = if n % 2 == 0 { "an <b>old</b> plant" } else { "a plant" };
        format!("<li><a href=p{n}>{name}</a><p>{text} of {n} leaves</p>")
    });
    let found = best(&format!("<ul>{list}</ul>"));
    assert_eq!(found[0], "Kelp|p0|an old plant of 0 leaves");
    assert_eq!(found[1], "Moss|p1|a plant of 1 leaves");
}

#[test]
fn fields_have_names() {
    let rows = with(|n, name| format!("<tr><td><a href=p{n}>{name}</a></td><td>{n}.50</td></tr>"));
    let page = page(&format!("<table><tr><th>Plant</th><th>Price</th></tr>{rows}</table>"));
    let lists = find(&page, &Job::new());
    assert!(
        lists[0].names.iter().any(|name| name == "price"),
        "{:?}",
        lists[0].names
    );
    assert_eq!(lists[0].records, 6);
}

#[test]
fn a_page_without_a_list_has_none() {
    for html in [
        "",
        "<p>Nothing",
        "<h1>Title</h1><p>A text</p>",
        "<table><tr><td></table>",
    ] {
        assert!(find(&page(html), &Job::new()).is_empty(), "{html}");
    }
}

/// Whatever a page contains, its lists can be run, and the work is bounded.
#[test]
fn large_and_deep_pages_are_read() {
    let long: String = (0..20_000)
        .map(|n| format!("<tr><td>{n}<td><a href=p{n}>plant {n}</a>"))
        .collect();
    assert_eq!(
        best(&format!("<table>{long}<tr><td colspan=2><i>The end</i></table>")).len(),
        20_000
    );
    let deep: String = (0..1_000)
        .map(|n| format!("<div><p>text {n}</p><p>more {n}</p><p>most {n}</p>"))
        .collect();
    assert!(!best(&deep).is_empty());
    let wide: String = (0..300).map(|n| format!("<td>cell {n}")).collect();
    assert_eq!(
        best(&format!("<table>{}</table>", format!("<tr>{wide}").repeat(5))).len(),
        5
    );
}

#[test]
fn a_row_of_headings_is_no_record() {
    let rows = with(|n, name| {
        format!(
            "<tr><td class=even>May {n}</td><td class=even><a href=p{n}>{name}</a></td><td class=even>The Garden</td></tr>"
        )
    });
    let head = "<tr><td class=head>Date</td><td class=head>Plant</td><td class=head>Seller</td></tr>";
    let html = format!("<table>{head}{rows}</table>");
    assert_eq!(best(&html)[0], "May 0|Kelp|p0|The Garden");
    let lists = find(&page(&html), &Job::new());
    assert_eq!(lists[0].names, ["date", "plant", "link", "seller"]);
    // Also where rows are no rows of a table.
    let rows = with(|n, name| format!("<div class=row><b>May {n}</b><p>{name} grows in {n} places</p></div>"));
    let head = "<div class='row row-head'><b>Date</b><p>Plant</p></div>";
    assert_eq!(best(&format!("<section>{head}{rows}</section>")).len(), 6);
    // A first row that only has another class is a record.
    let rows = with(|n, name| {
        format!(
            "<tr><td class=even>May {n}</td><td class=even><a href=p{n}>{name}</a></td><td class=even>The Garden</td></tr>"
        )
    });
    let odd = "<tr class=top><td class=even>May 9</td><td class=even><a href=p9>Yew</a></td><td class=even>The Garden</td></tr>";
    assert_eq!(best(&format!("<table>{odd}{rows}</table>")).len(), 7);
}

#[test]
fn labels_in_one_element_name_what_is_after_them() {
    let list = with(|n, name| {
        let uses = match n % 3 {
            0 => "<a href=u1>Food</a>; <a href=u2>Tea</a>",
            1 => "<a href=u1>Food</a>",
            _ => "",
        };
        format!(
            "<li><a href=p{n}><b>{name}</b></a><small><br><b>Found:</b>&nbsp;{n} May<br><b>Uses:</b> {uses}<br><b>Where:</b> \
             in garden {n}</small>"
        )
    });
    let page = page(&format!("<ul>{list}</ul>"));
    let lists = find(&page, &Job::new());
    let run = PathsRun::new(&lists[0].rule).expect("a rule that can be run");
    let said = |record: usize, name: &str| -> Vec<String> {
        let field = lists[0].names.iter().position(|other| other == name).expect(name);
        let records = run.page(&page);
        let values = records[record].values.iter().filter(|value| value.field == field);
        values.map(|value| value.text.clone()).collect()
    };
    assert_eq!(said(0, "uses"), ["Food", "Tea"]);
    assert_eq!(said(1, "uses"), ["Food"]);
    assert!(said(2, "uses").is_empty());
    assert_eq!(
        (said(2, "found"), said(2, "where")),
        (vec!["2 May".to_owned()], vec!["in garden 2".to_owned()])
    );
}

#[test]
fn labels_at_the_beginning_of_texts_name_the_rest() {
    let list = with(|n, name| {
        let price = if n == 3 {
            String::new()
        } else {
            format!("Price: {n} euro<br>")
        };
        let seen = if n % 2 == 0 { "<i>new</i><br>" } else { "" };
        format!("<li><a href=p{n}>{name}</a><div>{seen}{price}Seller: The Garden {n}<br></div>")
    });
    let found = best(&format!("<ul>{list}</ul>"));
    assert!(found[2].contains("|2 euro|The Garden 2"), "{}", found[2]);
    assert!(
        found[3].contains("|The Garden 3") && !found[3].contains("euro"),
        "{}",
        found[3]
    );
}

#[test]
fn texts_that_begin_with_a_label_are_not_lost() {
    let list = with(|n, name| {
        let mark = if n % 2 == 0 {
            "<b>the</b> sea"
        } else {
            "the <i>wide</i> sea <u>and</u> more"
        };
        format!("<dl><dt><a href=p{n}>{name}</a><dd><b>Summary:</b> by {mark}<br>and {n} rivers</dl>")
    });
    let found = best(&format!("<div>{list}</div>"));
    assert!(found[0].contains("rivers") && found[1].contains("rivers"), "{found:?}");
}

#[test]
fn records_that_count_themselves_are_the_list() {
    // An advert that looks like the others comes first, and two results of another kind are among them.
    let advert = "<div><a href=ad>Buy a garden</a><p>All plants for your garden, from one to ninety</p></div>";
    let list: String = (0..8)
        .map(|n| match n {
            0 | 1 => format!("<div>{}. <i>News</i> <span>of plant {n}</span></div>", n + 1),
            _ => format!(
                "<div>{}. <a href=p{n}>{}</a><p>is a plant that grows in {n} places of the world</p></div>",
                n + 1,
                NAMES[n % 6]
            ),
        })
        .collect();
    let found = best(&format!("<main>{advert}{list}</main>"));
    assert_eq!(found.len(), 8);
    assert!(
        found[0].contains("News") && found[7].contains("in 7 places"),
        "{found:?}"
    );
}

#[test]
fn links_shown_as_icons_are_fields() {
    let list = with(|n, name| {
        let minutes = if n % 3 == 0 {
            ""
        } else {
            "<a href=m.pdf><i class=pdf></i></a>"
        };
        format!(
            "<div class=row><p>May {n}, 2019</p><p>{name}</p><div class=agenda><a href=a{n}.pdf><i class=pdf></i></a></div><div class=min>{minutes}</div></div>"
        )
    });
    let found = best(&format!("<section>{list}</section>"));
    assert_eq!(found.len(), 6);
    assert!(
        found[0].contains("a0.pdf") && !found[0].contains("m.pdf"),
        "{}",
        found[0]
    );
    assert!(
        found[1].contains("a1.pdf") && found[1].contains("m.pdf"),
        "{}",
        found[1]
    );
}

#[test]
fn a_column_that_few_rows_have_stays() {
    let rows = with(|n, name| {
        let judge = if n % 3 == 1 {
            format!("Judge {name}")
        } else {
            String::new()
        };
        format!("<tr><td><p>{name} of Oulu</p><td><p>Town {n}</p><td><p>{judge}</p><td><p>{n}.50 EUR</p></tr>")
    });
    let found = best(&format!(
        "<table><tr><th>Name<th>Town<th>Judge<th>Price</tr>{rows}</table>"
    ));
    assert!(found[1].contains("|Judge Moss"), "{}", found[1]);
}

/// A cell that is a link is named after the link, also without a heading.
#[test]
fn a_cell_that_is_a_link_is_the_title() {
    let rows = with(|n, name| format!("<tr><td><a href=p{n}>{name} of Oulu</a><td>Town {name}<td>{n}.50 EUR</tr>"));
    let lists = find(&page(&format!("<h1>Plants</h1><table>{rows}</table>")), &Job::new());
    assert_eq!(lists[0].names[..2], ["title", "link"]);
}

/// On this page all rows have a link; on others, some have none yet.
#[test]
fn rows_are_told_by_their_cells_and_not_by_what_is_in_them() {
    let rows = |links: usize| {
        with(|n, name| {
            let name = if n < links {
                format!("<a href=p{n}>{name} meets</a>")
            } else {
                format!("{name} meets")
            };
            format!("<tr><td>{name}<td>May {n}, 2019<td>Hall</tr>")
        })
    };
    let table = |rows: String| {
        format!("<table id=all><tr><th>Name<th>Date<th>Place</tr>{rows}<tr><td colspan=3>Page 1 of 9</td></tr></table>")
    };
    let lists = find(&page(&table(rows(6))), &Job::new());
    let run = PathsRun::new(&lists[0].rule).expect("a rule that can be run");
    assert_eq!(run.page(&page(&table(rows(6)))).len(), 6);
    let others = run.page(&page(&table(rows(2))));
    let first = |at: usize| others[at].values.first().map(|value| value.text.as_str());
    assert_eq!(
        (others.len(), first(0), first(5)),
        (6, Some("Kelp meets"), Some("Lichen meets"))
    );
}

/// A menu with most of the text of a page: it is links, and its class says what it is.
#[test]
fn a_menu_is_none_however_long_it_is() {
    let link = |n: usize| format!("<a href=m{n}>Information for voters, part {n}</a><br>");
    let part = |n: usize| {
        let links: String = (0..6 + n).map(|at| link(n * 10 + at)).collect();
        format!("<div><h4>Section {n}</h4><div>{links}</div></div>")
    };
    let menu: String = (0..7).map(part).collect();
    let rows = with(|n, name| format!("<tr><td><a href=p{n}>{name} meets</a><td>1{n}:30 a.m.<td>Hall {n}</tr>"));
    let found = best(&format!(
        "<div class=hover-menu>{menu}</div><table><tr><th>Name<th>Time<th>Place</tr>{rows}</table><p>Each meeting is open."
    ));
    assert_eq!(found.len(), 6, "{found:?}");
    assert!(found[0].starts_with("Kelp meets|p0|10:30 a.m.|Hall 0"), "{}", found[0]);
}

#[test]
fn a_list_with_dates_is_preferred_to_a_menu_by_class() {
    let menu: String = (0..9)
        .map(|n| format!("<li><a href=m{n}>Department {n}</a><p>about {n}</p></li>"))
        .collect();
    let list = with(|n, name| format!("<tr><td>May {n}, 2019<td>{name}</tr>"));
    let text = "a page of a garden with several long words ".repeat(9);
    let text = format!("<h1>{text}</h1><p>{text}</p><blockquote>{text}</blockquote>");
    let found = best(&format!(
        "<div class=side-nav><ul>{menu}</ul></div>{text}<table>{list}</table>"
    ));
    assert_eq!(found.len(), 6);
    assert!(found[0].contains("Kelp"), "{}", found[0]);
}

/// The records of the best list: field and value.
fn named(html: &str) -> Vec<Vec<(String, String)>> {
    let page = page(html);
    let lists = find(&page, &Job::new());
    let list = &lists[0];
    let run = PathsRun::new(&list.rule).expect("a rule that can be run");
    let record = |record: &wrapper::rule::paths::PathRecord| {
        let values = record.values.iter();
        values
            .map(|value| (list.names[value.field].clone(), value.text.clone()))
            .collect()
    };
    run.page(&page).iter().map(record).collect()
}

#[test]
fn links_are_found_by_what_they_say() {
    let list = with(|n, name| {
        let draft = if n == 4 { "" } else { " <a href=d4>Draft of it all</a>" };
        let minutes = match n % 2 {
            0 => format!("<a href=m{n}>Minutes</a>"),
            _ => String::new(),
        };
        format!(
            "<tr><td>May {}, 2019<td>{name}{draft}<td>{minutes} <a href=a{n}>Agenda</a></tr>",
            n + 1
        )
    });
    let found = named(&format!("<table>{list}</table>"));
    assert_eq!(found.len(), 6);
    let of = |record: usize, field: &str| {
        let values = found[record].iter().filter(|(name, _)| name == field);
        values.map(|(_, text)| text.clone()).collect::<Vec<_>>()
    };
    for record in 0..6 {
        assert_eq!(of(record, "agenda"), [format!("a{record}")], "{found:?}");
        let minutes = (record % 2 == 0).then(|| format!("m{record}"));
        assert_eq!(
            of(record, "minutes"),
            minutes.into_iter().collect::<Vec<_>>(),
            "{found:?}"
        );
    }
}

#[test]
fn titles_that_repeat_are_no_signs() {
    let list = with(|n, _| {
        let title = if n % 2 == 0 { "Finance Committee" } else { "Board" };
        format!("<li><a href=p{n}>{title}</a> meets on May {}, 2019</li>", n + 1)
    });
    let found = best(&format!("<ul>{list}</ul>"));
    assert!(found[0].contains("Finance Committee|p0"), "{found:?}");
    assert!(found[1].contains("Board|p1"), "{found:?}");
}

#[test]
fn a_cell_that_is_a_link_in_some_rows_is_one_column() {
    let rows = with(|n, name| {
        let name = match n % 3 {
            0 => name.to_owned(),
            _ => format!("<a href=p{n}>{name}</a>"),
        };
        format!("<tr><td>May {}, 2019<td>{name}<td>Room {n}</tr>", n + 1)
    });
    let found = named(&format!("<table><tr><th>Day<th>Plant<th>Where</tr>{rows}</table>"));
    assert_eq!(found.len(), 6);
    for (record, name) in found.iter().zip(NAMES) {
        assert!(record.contains(&("plant".to_owned(), name.to_owned())), "{found:?}");
    }
}

#[test]
fn lines_of_one_text_are_one_value() {
    let rows = with(|n, name| {
        let house = ["", "<br> Old Mill", "<br> Old Mill<br> Rear"][n % 3];
        format!(
            "<tr><td>May {}, 2019<td>{n} High Street{house}<br> {name}ton<td>{n}.50 EUR</tr>",
            n + 1
        )
    });
    let found = best(&format!("<table>{rows}</table>"));
    assert!(found[1].contains("|1 High Street Old Mill Mosston|"), "{found:?}");
}

#[test]
fn a_row_is_all_of_it_and_not_its_larger_half() {
    let list = with(|n, name| {
        let title = format!(
            "<p class=title>{name} and all that grows beside it</p><p>May {}, 2019</p>",
            n + 1
        );
        format!("<div class=row><div class=left>{title}</div><div class=right><a href=a{n}>Agenda</a></div></div>")
    });
    let found = best(&format!("<section>{list}</section>"));
    assert_eq!(found.len(), 6);
    assert!(found[3].contains("Reed and") && found[3].contains("a3"), "{found:?}");
}

#[test]
fn each_date_begins_a_record() {
    // Every second row has a note, so that two rows look like one record, too.
    let rows = with(|n, name| {
        let note = if n % 2 == 0 { "<td><i>new</i>" } else { "" };
        format!("<tr><td>May {}, 2019<td>{name}{note}</tr>", n + 1)
    });
    let found = best(&format!("<table>{rows}</table>"));
    assert_eq!(found.len(), 6, "{found:?}");
}

#[test]
fn a_row_in_bold_is_a_row() {
    for odd in [0, 5] {
        let rows = with(|n, name| {
            let cell = |text: String| match n == odd {
                true => format!("<strong>{text}</strong>"),
                false => text,
            };
            let (day, who) = (cell(format!("May {n}, 2019")), cell(name.to_owned()));
            format!(
                "<tr><td>{day}</td><td>{who}</td><td>{}</td></tr>",
                cell(format!("{n}0 EUR"))
            )
        });
        let found = best(&format!("<table>{rows}</table>"));
        assert_eq!(found.len(), 6, "{odd}: {found:?}");
        assert_eq!(found[odd], format!("May {odd}, 2019|{}|{odd}0 EUR", NAMES[odd]));
        let rows = with(|n, name| {
            let cell = |text: String| match n == odd {
                true => format!("<b>{text}</b>"),
                false => text,
            };
            let (day, who) = (cell(format!("May {n}, 2019")), cell(name.to_owned()));
            format!("<ul class=day><li>{day}</li><li>{who}</li><li></li></ul>")
        });
        let found = best(&format!("<div>{rows}</div>"));
        assert_eq!(found.len(), 6, "{odd}: {found:?}");
        assert_eq!(found[odd], format!("May {odd}, 2019|{}", NAMES[odd]));
    }
}

/// The values of the best list with their names.
fn row(found: &[Vec<(String, String)>], at: usize) -> Vec<&str> {
    found[at].iter().map(|(_, text)| text.as_str()).collect()
}

#[test]
fn a_cell_that_is_missing_does_not_move_the_others() {
    let tags = [("table", "tr", "td"), ("div", "ul", "li"), ("section", "p", "span")];
    for (list, record, cell) in tags {
        for missing in 0..3 {
            let rows = with(|n, name| {
                let cells = [
                    format!("May {n}, 2019"),
                    format!("{}-11 a.m.", 3 + n % 3),
                    name.to_owned(),
                ];
                let cells = cells.iter().enumerate().filter(|(at, _)| n != 2 || *at != missing);
                let cells: String = cells.map(|(_, text)| format!("<{cell}>{text}</{cell}>")).collect();
                format!("<{record}>{cells}</{record}>")
            });
            let found = named(&format!("<h1>Days</h1><{list}>{rows}</{list}>"));
            assert_eq!(found.len(), 6, "{list} {missing}: {found:?}");
            let names: Vec<&str> = found[0].iter().map(|(name, _)| name.as_str()).collect();
            let left: Vec<&str> = found[2].iter().map(|(name, _)| name.as_str()).collect();
            let expected: Vec<&str> = (0..3).filter(|at| *at != missing).map(|at| names[at]).collect();
            assert_eq!(left, expected, "{list} {missing}: {:?}", row(&found, 2));
        }
    }
}

#[test]
fn columns_are_told_by_what_the_page_calls_them() {
    let rows = with(|n, name| {
        format!(
            "<tr><td data-label=Day>May {n}</td><td data-label=Plant>{name}</td><td data-label=Price>{n}.50</td></tr>"
        )
    });
    let lists = find(&page(&format!("<table>{rows}</table>")), &Job::new());
    let paths: Vec<&str> = lists[0]
        .rule
        .fields
        .iter()
        .map(|field| field.ways[0].path.as_str())
        .collect();
    assert_eq!(
        paths,
        [
            "td[@data-label=\"Day\"]",
            "td[@data-label=\"Plant\"]",
            "td[@data-label=\"Price\"]"
        ]
    );
}

#[test]
fn a_heading_above_a_group_is_a_field_of_its_records() {
    type Form = (&'static str, &'static str, fn(usize, &str) -> String);
    let forms: [Form; 3] = [
        ("<tr><th colspan=3><b>", "</b></th></tr>", |n, name| {
            format!("<tr><td>May {n}, 2019</td><td>{name}</td><td>{n}.50</td></tr>")
        }),
        ("<h3>", "</h3>", |n, name| {
            format!("<div><i>May {n}, 2019</i><a href=p{n}>{name}</a></div>")
        }),
        ("<li><b>", "</b></li>", |n, name| {
            format!("<li><i>May {n}, 2019</i><a href=p{n}>{name}</a><u>{n}.50</u></li>")
        }),
    ];
    for (open, close, record) in forms {
        let rows = with(|n, name| {
            let group = match n {
                0 => format!("{open}Ferns{close}"),
                3 => format!("{open}Mosses{close}"),
                _ => String::new(),
            };
            group + &record(n, name)
        });
        let list = match open.starts_with("<tr>") {
            true => format!("<table>{rows}</table>"),
            false => format!("<section>{rows}</section>"),
        };
        let found = named(&list);
        let groups: Vec<&str> = found
            .iter()
            .filter_map(|record| record.iter().find(|(name, _)| name == "group"))
            .map(|(_, text)| text.as_str())
            .collect();
        assert_eq!(
            groups,
            ["Ferns", "Ferns", "Ferns", "Mosses", "Mosses", "Mosses"],
            "{open}: {found:?}"
        );
    }
    // One line between records says nothing about them, and neither does an advert.
    let rows = with(|n, name| {
        let advert = if n == 0 || n == 3 {
            "<tr><td colspan=3><i>All our offers</i></td></tr>"
        } else {
            ""
        };
        format!("{advert}<tr><td>May {n}, 2019</td><td>{name}</td><td>{n}.50</td></tr>")
    });
    let found = named(&format!("<table>{rows}</table>"));
    assert_eq!(row(&found, 3), ["May 3, 2019", "Reed", "3.50"]);
}

#[test]
fn tables_with_headings_of_their_own_are_lists_of_their_own() {
    let table = |from: usize| {
        let rows: String = (from..from + 4)
            .map(|n| format!("<tr><td>Player {n} of {from}</td><td>May {n}, 2019</td><td>{n}:0</td></tr>"))
            .collect();
        format!("<table>{rows}</table>")
    };
    let found = best(&format!("<h3>Singles</h3>{}<h3>Doubles</h3>{}", table(0), table(4)));
    assert_eq!(found.len(), 4, "{found:?}");
    // Years are groups of one list.
    let found = named(&format!("<h3>2019</h3>{}<h3>2018</h3>{}", table(0), table(4)));
    assert_eq!(found.len(), 8, "{found:?}");
    assert!(found[5].contains(&("group".to_owned(), "2018".to_owned())), "{found:?}");
}

#[test]
fn the_first_of_several_lists_with_headings_is_meant() {
    let table = |from: usize, count: usize, title: &str| {
        let rows: String = (from..from + count)
            .map(|n| format!("<tr><td>Player {n} of {from}</td><td>Town {n}</td><td>{n}:0</td></tr>"))
            .collect();
        format!("<table>{title}<tr><th>Name<th>Town<th>Points</tr>{rows}</table>")
    };
    let check = |headed: &dyn Fn(&str, usize, usize) -> String| {
        let lists = |counts: [usize; 2]| {
            let page = page(&format!(
                "<h1>Results</h1>{}{}",
                headed("Singles", 0, counts[0]),
                headed("Doubles", 20, counts[1])
            ));
            let lists = find(&page, &Job::new());
            let given: Vec<(usize, Option<String>)> = lists
                .into_iter()
                .take(2)
                .map(|list| (list.records, list.title))
                .collect();
            given
        };
        let titled = |records, title: &str| (records, Some(title.to_owned()));
        // The last ones are longer than what is compared.
        for counts in [[6, 4], [5, 9], [7, 7], [450, 450]] {
            let [singles, doubles] = counts;
            let expected = [titled(singles, "Singles"), titled(doubles, "Doubles")];
            assert_eq!(lists(counts), expected, "{}", headed("Singles", 0, 2));
        }
        assert_eq!(lists([4, 12])[0], titled(12, "Doubles"), "a short one is not meant");
    };
    check(&|title, from, count| format!("<h3>{title}</h3>{}", table(from, count, "")));
    check(&|title, from, count| table(from, count, &format!("<caption>{title}</caption>")));
    check(&|title, from, count| format!("<p><b>{title}</b></p>{}", table(from, count, "")));
    check(&|title, from, count| format!("<div class=part><h2>{title}</h2>{}</div>", table(from, count, "")));
}

#[test]
fn two_tables_are_as_much_of_a_page_as_one() {
    let table = |from: usize, title: &str| {
        let rows: String = (from..from + 4)
            .map(|n| format!("<tr><td>Player {n} of them<td>Town {n}<td>{n}:0"))
            .collect();
        format!("<h3>{title}</h3><table>{rows}</table>")
    };
    let rest: String = (0..9)
        .map(|n| format!("<li><a href=/p{n}>Page number {n}</a> about words"))
        .collect();
    let both = format!("{}{}<ul>{rest}</ul>", table(0, "Singles"), table(10, "Doubles"));
    let found = best(&both);
    assert!(
        found.len() == 4 && found[0].starts_with("Player 0 of them"),
        "{found:?}"
    );
}

#[test]
fn rows_of_two_classes_below_headings_are_records() {
    let row = |n: usize| {
        let class = if n.is_multiple_of(2) { "row" } else { "row even" };
        format!(
            "<div class='{class}'><div>May {}, 2019</div><div>Meeting of {n}</div><div>Room {n}</div></div>",
            n + 1
        )
    };
    let group = |name: &str, from: usize| format!("<div><b>{name}</b></div>{}{}", row(from), row(from + 1));
    let found = named(&format!(
        "<div class=all>{}{}{}</div>",
        group("North", 0),
        group("South", 2),
        group("East", 4)
    ));
    assert_eq!(found.len(), 6, "{found:?}");
    assert!(
        found[3].contains(&("group".to_owned(), "South".to_owned())),
        "{found:?}"
    );
}

#[test]
fn labels_below_headings_are_records() {
    let thing = |name: &str, n: usize| {
        format!(
            "<div class=plant><h3>{name}</h3><table><tr><td>Finder<td>Ann {n}<tr><td>Found in<td>May {n}<tr><td>Town<td>Rome {n}</table></div>"
        )
    };
    let found = best(&format!("{}{}{}", thing("Kelp", 1), thing("Moss", 2), thing("Fern", 3)));
    assert_eq!(found.len(), 3, "{found:?}");
}

#[test]
fn labels_in_elements_of_their_own_name_what_is_beside_them() {
    let pair = |label: &str, text: String| format!("<p><span class=key>{label}</span><span>{text}</span></p>");
    let rows = with(|n, name| {
        let cost = if n == 2 {
            String::new()
        } else {
            pair("Cost", format!("{n}.50"))
        };
        let all = [
            pair("Finder", format!("Ann {name}")),
            cost,
            pair("Number", format!("{n}/2019")),
            pair("Found in", format!("May {n}")),
        ];
        format!(
            "<div class=plant><h4><a href=p{n}>{name}</a></h4><div>{}</div></div>",
            all.concat()
        )
    });
    let found = named(&format!("<h1>Plants</h1><section>{rows}</section>"));
    assert_eq!(found.len(), 6);
    let of = |at: usize, wanted: &str| {
        let value = found[at].iter().find(|(name, _)| name == wanted);
        value.map(|(_, text)| text.as_str())
    };
    for at in 0..6 {
        assert_eq!(of(at, "number"), Some(format!("{at}/2019").as_str()), "{found:?}");
        assert_eq!(of(at, "cost").is_none(), at == 2, "{found:?}");
    }
}

#[test]
fn signs_and_labels_in_texts_are_no_part_of_the_value() {
    let rows = with(|n, name| {
        format!(
            "<tr><td>{name}</td><td>22-{n}/AR (<a href=p{n}.pdf>PDF</a>)</td><td>Filed May {}, 2018</td></tr>",
            n + 1
        )
    });
    let found = named(&format!("<table>{rows}</table>"));
    let has = |name: &str, text: &str| found[3].iter().any(|(key, value)| key == name && value == text);
    assert!(found[3].iter().any(|(_, text)| text == "22-3/AR"), "{found:?}");
    assert!(has("filed", "May 4, 2018"), "{found:?}");
}

#[test]
fn rows_below_headings_are_records_and_not_their_groups() {
    let row = |name: &str, n: usize| format!("<div class=m><b>{name}</b> <span>{n}:00 pm</span></div>");
    let day = |n: usize, rows: &[&str]| {
        let rows: String = rows.iter().enumerate().map(|(at, name)| row(name, at + 5)).collect();
        format!("<h3>May {n}, 2024</h3>{rows}")
    };
    let days = [
        day(9, &["Council", "Zoning"]),
        day(16, &["Parks", "Library"]),
        day(23, &["Council"]),
    ];
    let found = best(&format!("<h1>Meetings</h1><div>{}</div>", days.concat()));
    assert_eq!(found.len(), 5, "{found:?}");
    assert!(
        found[3].contains("May 16, 2024") && found[3].contains("Library"),
        "{found:?}"
    );
    // A title with one or two paragraphs is a record.
    let posts = with(|n, name| {
        let more = format!("<p>It grows by stone {n}, <a href=p{n}>said {name}</a></p>").repeat(1 + n % 2);
        format!("<h3>{name} in the {n}th sea</h3>{more}")
    });
    assert_eq!(best(&format!("<h1>Posts</h1><div>{posts}</div>")).len(), 6);
}

#[test]
fn rows_in_bold_have_the_same_values() {
    let list = |bold: bool| {
        let rows = with(|number, name| {
            let mark = |text: String| match bold && number == 0 {
                true => format!("<strong>{text}</strong>"),
                false => text,
            };
            let (date, name, pages) = (
                mark(format!("{} May 2024", number + 1)),
                mark(name.to_owned()),
                mark(format!("{number}0 pages")),
            );
            format!("<li>{date} <a href=/{number}>{name}</a> {pages}</li>")
        });
        page(&format!("<ul>{rows}</ul>"))
    };
    // Learned from a page without such a row, and from one with it.
    for learned in [false, true] {
        let rule = find(&list(learned), &Job::new()).remove(0).rule;
        let run = PathsRun::new(&rule).expect("a rule that can be run");
        let said = |page: &Page| {
            let records = run.page(page).into_iter();
            let texts = |value: wrapper::rule::paths::PathValue| value.text;
            let values = records.map(|record| record.values.into_iter().map(texts).collect::<Vec<_>>());
            values.collect::<Vec<_>>()
        };
        assert_eq!(said(&list(true)), said(&list(false)), "{rule:?}");
        for value in ["1 May 2024", "Kelp", "00 pages"] {
            assert!(said(&list(true))[0].contains(&value.to_owned()), "{rule:?}");
        }
    }
}

#[test]
fn an_element_that_each_record_has_once_is_a_field_of_its_own() {
    let record = |at: usize| {
        let by = if at.is_multiple_of(2) {
            "by <a href=/x>Ann</a>, "
        } else {
            ""
        };
        format!(
            "<li><dl><dt><a href=/b{at}>Book {at}</a><dd>A <b>good</b> read {by}and <b>long</b><br>Our price <font color=red>${at}.50</font> ~ in stock</dl></li>"
        )
    };
    let list: String = (1..8).map(record).collect();
    let page = Page::parse_str(&format!("<ul>{list}</ul>"), &Default::default()).unwrap();
    let best = find(&page, &Job::new()).remove(0);
    let records = PathsRun::new(&best.rule).unwrap().page(&page);
    let prices = records
        .iter()
        .filter(|record| record.values.iter().any(|value| value.text.starts_with('$')));
    assert_eq!(prices.count(), 7, "{:?}", best.rule);
}
