//! The paper's examples, oracles from the definitions, and templates that must be recovered.

use super::findeq::{Class, Limits, Strings, find};
use super::{TemplateSettings, generate, handinv, infer};
use page::Page;
use std::collections::HashMap;
use wrapper::rule::Event;
use wrapper::rule::template::{Part, Run, Template, infix};

mod model;
mod moved;
mod odd_lists;
mod optional_texts;
mod places;
mod profiles;

/// Pages as words; also returns the words.
fn strings(pages: &[&str]) -> (Strings, Vec<String>) {
    let mut words: Vec<String> = Vec::new();
    let mut ids: HashMap<String, u32> = HashMap::new();
    let mut strings = Strings::default();
    for page in pages {
        let page = page.split_whitespace().map(|word| {
            *ids.entry(word.to_owned()).or_insert_with(|| {
                words.push(word.to_owned());
                words.len() as u32 - 1
            })
        });
        strings.pages.push(page.collect());
    }
    strings.count = words.len() as u32;
    (strings, words)
}

/// The classes as words, sorted.
fn said(classes: &[Class], words: &[String], first: Option<&[u32]>) -> Vec<String> {
    let word = |token: &u32| words[first.map_or(*token, |first| first[*token as usize]) as usize].as_str();
    let mut out: Vec<String> = classes
        .iter()
        .map(|class| class.tokens.iter().map(word).collect::<Vec<_>>().join(" "))
        .collect();
    out.sort();
    out
}

fn handled(pages: &[&str], size: usize, support: usize) -> Vec<String> {
    let (strings, words) = strings(pages);
    let limits = Limits {
        size,
        support,
        paper: false,
    };
    said(&handinv::handle(&strings, find(&strings, limits), limits), &words, None)
}

/// The pages of Figure 3; the texts of reviews, which the figure leaves out, are made up.
fn figure_3() -> Vec<String> {
    let page = |title: &str, reviews: &[(&str, &str, &str)]| {
        let review = |(name, rating, text): &(&str, &str, &str)| {
            format!("<li> <b> Reviewer Name </b> {name} <b> Rating </b> {rating} <b> Text </b> {text} </li>")
        };
        let reviews: Vec<String> = reviews.iter().map(review).collect();
        let reviews = reviews.join(" ");
        format!("<html> <body> <b> Book Name </b> {title} <b> Reviews </b> <ol> {reviews} </ol> </body> </html>")
    };
    vec![
        page("Databases", &[("John", "7", "good for starters")]),
        page(
            "Data Mining",
            &[("Jeff", "2", "too dry"), ("Jane", "6", "well written")],
        ),
        page("Query Opt.", &[("John", "8", "deep")]),
        page("Transactions", &[]),
    ]
}

fn parse(pages: &[String]) -> Vec<Page> {
    pages
        .iter()
        .map(|html| Page::parse(html.as_bytes(), &Default::default()).unwrap())
        .collect()
}

/// The values of each field on a page, in order.
fn values(template: &Template, page: &Page) -> Vec<(String, String)> {
    let (events, gaps) = Run::new(template).page(page);
    assert_eq!(gaps, [], "{}", infix(template, true));
    let value = |event| match event {
        Event::Value { field, text, .. } => Some((template.fields[field as usize].clone(), text)),
        _ => None,
    };
    events.into_iter().filter_map(value).collect()
}

#[test]
fn the_running_example() {
    let pages = parse(&figure_3());
    let settings = TemplateSettings {
        support: 0.75,
        ..TemplateSettings::default()
    };
    let inferred = infer(&pages.iter().collect::<Vec<_>>(), &settings, &page::Job::new()).unwrap();
    assert_eq!(
        infix(&inferred.template, false),
        "<<html> <head> </head> <body> <b> Book Name </b> * <b> Reviews </b> <ol> \
         {<<li> <b> Reviewer Name </b> * <b> Rating </b> * <b> Text </b> * </li>>} </ol> </body> </html>>"
    );
    assert_eq!(
        inferred.template.fields,
        ["book_name", "reviewer_name", "rating", "text"]
    );
    let found: Vec<Vec<String>> = pages
        .iter()
        .map(|page| {
            values(&inferred.template, page)
                .into_iter()
                .map(|(_, text)| text)
                .collect()
        })
        .collect();
    assert_eq!(found[0], ["Databases", "John", "7", "good for starters"]);
    assert_eq!(
        found[1],
        ["Data Mining", "Jeff", "2", "too dry", "Jane", "6", "well written"]
    );
    assert_eq!(found[2], ["Query Opt.", "John", "8", "deep"]);
    assert_eq!(found[3], ["Transactions"]);
}

/// The figure's pages with the paths that DIFFFORM sees.
fn figure_3_by_path() -> Vec<String> {
    let mark = |page: &String| {
        let mut inside = false;
        let mut out = Vec::new();
        for word in page.split_whitespace() {
            inside = (inside || word == "<li>") && word != "</li>";
            out.push(match word {
                "<b>" | "</b>" | "Name" => format!("{word}{}", u8::from(inside)),
                word => word.to_owned(),
            });
        }
        out.join(" ")
    };
    figure_3().iter().map(mark).collect()
}

#[test]
fn the_classes_of_the_running_example_grow_from_8_and_5_to_13_and_12() {
    let limits = Limits {
        size: 3,
        support: 3,
        paper: false,
    };
    let pages = figure_3();
    let (plain, words) = strings(&pages.iter().map(String::as_str).collect::<Vec<_>>());
    let first = [
        "<html> <body> Book Reviews <ol> </ol> </body> </html>",
        "<li> Reviewer Rating Text </li>",
    ];
    assert_eq!(
        said(&handinv::handle(&plain, find(&plain, limits), limits), &words, None),
        first
    );
    let pages = figure_3_by_path();
    let (mut told, words) = strings(&pages.iter().map(String::as_str).collect::<Vec<_>>());
    let outcome = generate(&mut told, limits, &[], &[], &page::Job::new());
    assert_eq!(outcome.iterations, 2);
    assert_eq!(
        said(&outcome.classes, &words, Some(&outcome.first)),
        [
            "<html> <body> <b>0 Book Name0 </b>0 <b>0 Reviews </b>0 <ol> </ol> </body> </html>",
            "<li> <b>1 Reviewer Name1 </b>1 <b>1 Rating </b>1 <b>1 Text </b>1 </li>"
        ]
    );
}

#[test]
fn example_a_1_an_almost_ordered_class_is_divided() {
    assert_eq!(
        handled(&["A B A B C D C D", "A B C D", "A B A B A B C D C D C D"], 2, 2),
        ["A B", "C D"]
    );
}

#[test]
fn examples_a_2_and_a_4_nearly_nested_classes_are_divided() {
    let both = ["A B C D A E F B C G H D", "A E F B C G H D", "E F G H"];
    assert_eq!(handled(&both, 1, 1), ["A", "B C", "D", "E F", "G H"]);
    let second = ["A B C D A E F B C G H D", "A E F B C G H D", "A B C D"];
    assert_eq!(handled(&second, 1, 1), ["A B C D", "E F", "G H"]);
}

#[test]
fn example_a_3_the_class_of_bold_is_voted_out() {
    let pages = figure_3();
    let pages: Vec<&str> = pages.iter().map(String::as_str).collect();
    let (strings, words) = strings(&pages);
    let limits = Limits {
        size: 2,
        support: 3,
        paper: false,
    };
    let found = find(&strings, limits);
    assert!(
        said(&found, &words, None).contains(&"<b> </b>".to_owned()),
        "{:?}",
        said(&found, &words, None)
    );
    let expected = [
        "<html> <body> Book Reviews <ol> </ol> </body> </html>",
        "<li> Reviewer Rating Text </li>",
    ];
    assert_eq!(handled(&pages, 2, 3), expected);
}

/// A small generator of numbers.
pub(super) struct Chance(pub(super) u64);

impl Chance {
    pub(super) fn below(&mut self, limit: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % limit as u64) as usize
    }
}

/// Is a class ordered, by Definition 4.3?
fn is_ordered(strings: &Strings, class: &Class) -> bool {
    strings.pages.iter().all(|page| {
        let places: Vec<Vec<usize>> = class
            .tokens
            .iter()
            .map(|token| {
                page.iter()
                    .enumerate()
                    .filter(|(_, other)| *other == token)
                    .map(|(at, _)| at)
                    .collect()
            })
            .collect();
        (0..places.len()).all(|j| {
            (j + 1..places.len()).all(|k| {
                let before = places[j].iter().zip(&places[k]).all(|(j, k)| j < k);
                let after = places[j].iter().skip(1).zip(&places[k]).all(|(j, k)| j > k);
                places[j].len() == places[k].len() && before && after
            })
        })
    })
}

/// The spans of a class on a page.
fn spans(page: &[u32], class: &Class) -> Vec<(usize, usize)> {
    let places = |token: u32| {
        page.iter()
            .enumerate()
            .filter(move |(_, other)| **other == token)
            .map(|(at, _)| at)
    };
    let (first, last) = (class.tokens[0], class.tokens[class.tokens.len() - 1]);
    places(first).zip(places(last)).collect()
}

#[test]
fn what_is_left_is_ordered_and_nested() {
    let mut chance = Chance(7);
    let mut classes_seen = 0;
    for _ in 0..400 {
        let letters = 4 + chance.below(6);
        let pages: Vec<String> = (0..2 + chance.below(3))
            .map(|_| {
                // Repeated pieces, so that equal vectors are frequent.
                let piece: Vec<String> = (0..1 + chance.below(letters))
                    .map(|_| format!("t{}", chance.below(letters)))
                    .collect();
                (0..1 + chance.below(4))
                    .map(|_| piece.join(" "))
                    .collect::<Vec<_>>()
                    .join(" ")
            })
            .collect();
        let pages: Vec<&str> = pages.iter().map(String::as_str).collect();
        let (strings, _) = strings(&pages);
        let limits = Limits {
            size: 1 + chance.below(2),
            support: 1,
            paper: false,
        };
        let classes = handinv::handle(&strings, find(&strings, limits), limits);
        classes_seen += classes.len();
        for class in &classes {
            assert!(is_ordered(&strings, class), "{pages:?} {class:?}");
        }
        for (at, a) in classes.iter().enumerate() {
            for b in &classes[at + 1..] {
                for page in &strings.pages {
                    for (a_from, a_to) in spans(page, a) {
                        for (b_from, b_to) in spans(page, b) {
                            let apart = a_to < b_from || b_to < a_from;
                            let inside = a_from < b_from && b_to < a_to || b_from < a_from && a_to < b_to;
                            assert!(apart || inside, "{pages:?} {a:?} {b:?}");
                        }
                    }
                }
            }
        }
    }
    assert!(classes_seen > 400, "{classes_seen}");
}

#[test]
fn an_optional_on_one_page_stays_in_the_text_around_it_and_harms_nothing_else() {
    // Assumption A3 is violated for the note.
    let pages: Vec<String> = (0..8)
        .map(|number| {
            let note = if number == 3 { "<em>Note</em> <u>n1</u>" } else { "" };
            let items: String = (0..number % 3 + 1)
                .map(|item| format!("<li><b>Part</b><i>p{number}{item}</i></li>"))
                .collect();
            format!("<h1>Thing</h1><p>t{number} {note}</p><ul>{items}</ul><div>Price <s>{number}0</s></div>")
        })
        .collect();
    let pages = parse(&pages);
    let template = infer(
        &pages.iter().collect::<Vec<_>>(),
        &TemplateSettings::default(),
        &page::Job::new(),
    )
    .unwrap()
    .template;
    for (number, page) in pages.iter().enumerate() {
        let found = values(&template, page);
        let of = |name: &str| -> Vec<&str> {
            found
                .iter()
                .filter(|(known, _)| known == name)
                .map(|(_, text)| text.as_str())
                .collect()
        };
        let parts: Vec<String> = (0..number % 3 + 1).map(|item| format!("p{number}{item}")).collect();
        assert_eq!(of("part"), parts, "{}", infix(&template, true));
        assert_eq!(of("price"), [format!("{number}0")]);
        let expected = if number == 3 {
            "t3 Note n1".to_owned()
        } else {
            format!("t{number}")
        };
        assert_eq!(of("thing"), [expected]);
    }
}

#[test]
fn a_page_that_does_not_fit_loses_only_what_does_not() {
    let page = |numbers: &[usize], broken: Option<usize>| {
        let row = |number: &usize| match broken {
            Some(odd) if odd == *number => format!("<tr><td>Name <b>n{number}</b> what is this?</td></tr>"),
            _ => format!("<tr><td>Name <b>n{number}</b> Age <i>a{number}</i></td></tr>"),
        };
        let rows: String = numbers.iter().map(row).collect();
        format!(
            "<h1>People</h1><table>{rows}</table><p>Total <s>{}</s></p>",
            numbers.len()
        )
    };
    let pages = parse(&[
        page(&[1, 2], None),
        page(&[3], None),
        page(&[4, 5, 6], None),
        page(&[7, 8], None),
    ]);
    let template = infer(
        &pages.iter().collect::<Vec<_>>(),
        &TemplateSettings::default(),
        &page::Job::new(),
    )
    .unwrap()
    .template;
    assert!(
        template.parts.iter().any(|part| matches!(part, Part::Set { .. })),
        "{}",
        infix(&template, true)
    );
    let odd = &parse(&[page(&[11, 12, 13], Some(12))])[0];
    let (events, gaps) = Run::new(&template).page(odd);
    let texts: Vec<String> = events
        .into_iter()
        .filter_map(|event| match event {
            Event::Value { text, .. } => Some(text),
            _ => None,
        })
        .collect();
    // What the odd row has is read, and what it has beside is told.
    assert_eq!(
        texts,
        ["n11", "a11", "n12", "n13", "a13", "3"],
        "{}",
        infix(&template, true)
    );
    assert_eq!(gaps.len(), 1, "{gaps:?}");
}

#[test]
fn hostile_and_empty_pages_are_no_trouble() {
    let deep = "<div>".repeat(3000) + "x";
    let wide = "<br>x ".repeat(3000);
    let noise: String = (0..5000u32)
        .map(|n| char::from_u32(n * 7919 % 0xd7ff).unwrap_or('?'))
        .collect();
    let sources = [
        deep,
        wide,
        noise,
        String::new(),
        "<p>a b c".to_owned(),
        "<p>a b d".to_owned(),
    ];
    let pages = parse(&sources);
    let pages: Vec<&Page> = pages.iter().collect();
    let inferred = infer(&pages, &TemplateSettings::default(), &page::Job::new()).unwrap();
    let run = Run::new(&inferred.template);
    for page in &pages {
        run.page(page);
    }
    let empty = parse(&[String::new(), String::new()]);
    let error = infer(
        &empty.iter().collect::<Vec<_>>(),
        &TemplateSettings::default(),
        &page::Job::new(),
    )
    .unwrap_err();
    assert_eq!(error, crate::infer::InferError::NoText);
    let error = infer(&pages[..1], &TemplateSettings::default(), &page::Job::new()).unwrap_err();
    assert_eq!(error, crate::infer::InferError::TooFew(1));
}

/// The template of pages, and the values on the first one.
fn inferred(sources: &[String]) -> (String, Vec<String>) {
    let pages = parse(sources);
    let all: Vec<&Page> = pages.iter().collect();
    let template = infer(&all, &TemplateSettings::default(), &page::Job::new())
        .unwrap()
        .template;
    let found = values(&template, &pages[0]).into_iter().map(|(_, text)| text).collect();
    (infix(&template, false), found)
}

/// Pattern 2 of Table 1, with words between the elements.
#[test]
fn r20_words_between_the_elements_of_a_set_are_its_separator() {
    for (separator, said) in [
        (",", ","),
        ("and", "and"),
        ("|", "|"),
        ("<br>and<br>", "<br> </br> and <br> </br>"),
    ] {
        let page = |number: usize| {
            let names: Vec<String> = (0..number % 4 + 1)
                .map(|name| format!("<i>First <b>f{number}{name}</b> Last <u>l{number}{name}</u></i>"))
                .collect();
            let names = names.join(&format!(" {separator} "));
            format!("<h1>Book</h1><p>t{number}</p><div>By {names}</div><p>Price <s>{number}0</s></p>")
        };
        let (infix, found) = inferred(&(0..12).map(page).collect::<Vec<_>>());
        let set = format!("{{<<i> First <b> * </b> Last <u> * </u> </i>>}}_{said} </div>");
        assert!(infix.contains(&set), "{infix}");
        assert_eq!(found, ["t0", "f00", "l00", "00"]);
    }
}

/// The paper's tuples need no tags.
#[test]
fn r20_sets_and_optionals_of_words_alone_are_found() {
    let page = |number: usize| {
        let items: String = (0..number % 4 + 1)
            .map(|item| format!(" Name n{number}{item} Age a{number}{item} Town c{number}{item} ;"))
            .collect();
        let note = if number.is_multiple_of(2) {
            format!("Weight w{number} Height h{number} Width d{number} .")
        } else {
            String::new()
        };
        format!("<h1>People</h1><p>{items}</p><div>Total <b>t{number}</b></div><div>{note}</div>")
    };
    let (infix, found) = inferred(&(0..24).map(page).collect::<Vec<_>>());
    assert!(infix.contains("{<Name * Age * Town * ;>}"), "{infix}");
    assert!(infix.contains("(<Weight * Height * Width * .>)?"), "{infix}");
    assert_eq!(found, ["n00", "a00", "c00", "t0", "w0", "h0", "d0"], "{infix}");
}

/// A title, a price and a note do not repeat. The phrase is in a position of its own, so pattern 4 applies.
#[test]
fn r20_lines_that_all_differ_are_no_list() {
    let page = |number: usize| {
        let phrase = match number % 2 {
            0 => format!("reduced from {}.90 last week", number + 100),
            _ => String::new(),
        };
        format!(
            "<h1>Book</h1><p><i>Title:</i> t{number}</p><p>Price <b>p{number}</b> {phrase}</p><p><u>Made by us</u></p>"
        )
    };
    let (infix, found) = inferred(&(0..20).map(page).collect::<Vec<_>>());
    let expected = "Title: </i> * </p> <p> Price <b> * </b> (<reduced from * last week>)? </p>";
    assert!(infix.contains(expected), "{infix}");
    assert_eq!(found, ["t0", "p0", "100.90"], "{infix}");
}

/// The rows of the list with the most, as `field=text`.
fn rows(template: &Template, page: &Page) -> Vec<String> {
    let (events, _) = Run::new(template).page(page);
    let mut lists: HashMap<u32, Vec<String>> = HashMap::new();
    let mut open: Vec<(u32, Vec<String>)> = Vec::new();
    for event in events {
        match event {
            Event::Open(list) => open.push((list, Vec::new())),
            Event::Close => {
                if let Some((list, row)) = open.pop() {
                    lists.entry(list).or_default().push(row.join(" "));
                }
            }
            Event::Value { field, text, .. } => {
                if let Some((_, row)) = open.last_mut() {
                    row.push(format!("{}={text}", template.fields[field as usize]));
                }
            }
        }
    }
    lists.into_values().max_by_key(Vec::len).unwrap_or_default()
}

/// A page with a table; some rows of every third page are odd.
fn odd_table(number: usize) -> String {
    let mut rows = String::new();
    for row in 0..5 + number % 3 {
        let name = format!("<td><a href='/p{number}{row}'>Name{number} N{row}</a></td>");
        let date = format!("<td>May {}, 2019</td>", row + 1);
        let price = format!("<td>${}.50</td>", 10 * number + row);
        let cells = match (number % 3, row) {
            (0, 1) => format!("{name}{price}"),
            (0, 2) => format!("{name}<td></td>{price}"),
            (0, 3) if number == 0 => format!("{name}{date}{price}<td>Extra</td>"),
            (1, 0) => format!("<td><a href='/p{number}{row}'><b>Name{number} N{row}</b></a></td>{date}{price}"),
            _ => format!("{name}{date}{price}"),
        };
        let advert = if (number, row) == (0, 4) {
            "<tr><td colspan=3>Buy now!</td></tr>"
        } else {
            ""
        };
        rows += &format!("{advert}<tr>{cells}</tr>");
    }
    format!("<h1>Prices {number}</h1><table><tr><th>Name<th>Day<th>Price</tr>{rows}</table><p>Page {number}</p>")
}

#[test]
fn r20_odd_rows_are_rows() {
    let pages = parse(&(0..6).map(odd_table).collect::<Vec<_>>());
    let all: Vec<&Page> = pages.iter().collect();
    let template = infer(&all, &TemplateSettings::default(), &page::Job::new())
        .unwrap()
        .template;
    let expected = [
        "link=/p00 name=Name0 N0 day=May 1, 2019 price=$0.50",
        "link=/p01 name=Name0 N1 price=$1.50",
        "link=/p02 name=Name0 N2 price=$2.50",
        "link=/p03 name=Name0 N3 day=May 4, 2019 price=$3.50",
        "link=/p04 name=Name0 N4 day=May 5, 2019 price=$4.50",
    ];
    assert_eq!(rows(&template, all[0]), expected, "{}", infix(&template, true));
    assert_eq!(
        rows(&template, all[1])[0],
        "link=/p10 name=Name1 N0 day=May 1, 2019 price=$10.50"
    );
    // A page that nobody has seen, under another parent.
    let moved = odd_table(9)
        .replace("<table>", "<div><table>")
        .replace("</table>", "</table></div>");
    let other = &parse(&[moved])[0];
    assert_eq!(rows(&template, other).len(), 5);
    assert_eq!(rows(&template, other)[1], "link=/p91 name=Name9 N1 price=$91.50");
}

#[test]
fn r20_headings_belong_to_the_rows_below_them() {
    let page = |number: usize| {
        let mut rows = String::new();
        for group in 0..2 + number % 2 {
            rows += &format!("<tr><th colspan=2><b>Day {number}{group}</b></th></tr>");
            for row in 0..2 + (number + group) % 2 {
                rows += &format!("<tr><td>w{number}{group}{row} x</td><td>{}:30 PM</td></tr>", row + 1);
            }
        }
        format!("<h1>Plan</h1><table>{rows}</table>")
    };
    let pages = parse(&(0..6).map(page).collect::<Vec<_>>());
    let all: Vec<&Page> = pages.iter().collect();
    let template = infer(&all, &TemplateSettings::default(), &page::Job::new())
        .unwrap()
        .template;
    let found = rows(&template, all[1]);
    assert_eq!(found.len(), 8, "{found:?} {}", infix(&template, true));
    assert!(found[0].contains("Day 10") && found[0].contains("w100"), "{found:?}");
    assert!(found[7].contains("Day 12") && found[7].contains("3:30 PM"), "{found:?}");
}

#[test]
fn r20_two_tables_of_one_shape_stay_two() {
    let page = |number: usize| {
        let table = |mark: &str| {
            let rows: String = (0..3 + number % 3)
                .map(|row| format!("<tr><td>{mark}{number}{row}</td><td>{row}{number}</td></tr>"))
                .collect();
            format!("<table>{rows}</table>")
        };
        format!(
            "<h1>Cup</h1><h3>Singles</h3>{}<h3>Doubles</h3>{}<p>End</p>",
            table("s"),
            table("d")
        )
    };
    let pages = parse(&(0..6).map(page).collect::<Vec<_>>());
    let all: Vec<&Page> = pages.iter().collect();
    let template = infer(&all, &TemplateSettings::default(), &page::Job::new())
        .unwrap()
        .template;
    let (events, _) = Run::new(&template).page(all[0]);
    let mut lists: HashMap<u32, usize> = HashMap::new();
    for event in events {
        if let Event::Open(list) = event {
            *lists.entry(list).or_default() += 1;
        }
    }
    let mut counts: Vec<usize> = lists.into_values().collect();
    counts.sort_unstable();
    assert_eq!(counts, [3, 3], "{}", infix(&template, true));
}

#[test]
fn r20_a_constant_column_is_kept_and_a_text_in_parts_is_divided() {
    let page = |number: usize| {
        let rows: String = (0..3 + number % 3)
            .map(|row| {
                let odd = if (number, row) == (2, 1) { "" } else { "<td>Open</td>" };
                format!("<tr><td>2019-{number}{row}7 – Smith{row} v. Jones{number}</td>{odd}</tr>")
            })
            .collect();
        format!("<h1>Cases {number}</h1><table>{rows}</table>")
    };
    let pages = parse(&(0..6).map(page).collect::<Vec<_>>());
    let all: Vec<&Page> = pages.iter().collect();
    let template = infer(&all, &TemplateSettings::default(), &page::Job::new())
        .unwrap()
        .template;
    let found = rows(&template, all[2]);
    let texts = |row: &str| {
        row.split(' ')
            .map(|part| part.split('=').next_back().unwrap_or("").to_owned())
            .collect::<Vec<_>>()
    };
    assert!(
        found[0].contains("=2019-207 – Smith0 v. Jones2"),
        "{found:?} {}",
        infix(&template, true)
    );
    assert!(texts(&found[0]).contains(&"2019-207".to_owned()), "{found:?}");
    assert!(found[0].ends_with("=Open") && !found[1].contains("Open"), "{found:?}");
}
