//! Lists whose block is at another place on some pages, and cells that only some rows have.

use super::parse;
use crate::exalg::rows::find;
use crate::exalg::{TemplateSettings, infer};
use page::Page;
use std::collections::BTreeSet;
use wrapper::rule::Event;
use wrapper::rule::template::{Run, infix};

/// The values of each field on each page.
fn values(sources: &[String]) -> (Vec<Vec<Vec<String>>>, String) {
    let pages = parse(sources);
    let all: Vec<&Page> = pages.iter().collect();
    let inferred = infer(&all, &TemplateSettings::default(), &page::Job::new()).unwrap();
    let run = Run::new(&inferred.template);
    let mut out = vec![vec![Vec::new(); pages.len()]; inferred.template.fields.len()];
    for (number, page) in pages.iter().enumerate() {
        for event in run.page(page).0 {
            if let Event::Value { field, text, .. } = event {
                out[field as usize][number].push(text);
            }
        }
    }
    (out, infix(&inferred.template, true))
}

/// Is one field all that these pages say?
fn check(sources: &[String], expected: &[Vec<String>]) {
    let (found, template) = values(sources);
    assert!(found.iter().any(|field| field == expected), "{expected:?}: {template}");
}

fn meetings(page: usize) -> (String, Vec<String>, Vec<String>) {
    let (mut names, mut halls, mut rows) = (Vec::new(), Vec::new(), String::new());
    for row in 0..4 + page {
        names.push(format!("Name {page}{row}"));
        rows += &format!(
            "<tr><td><a href=/{page}{row}>Name {page}{row}</a></td><td>May {}, 20{}</td>",
            row + 1,
            10 + page
        );
        // On the pages of one make all rows have a hall, so that it is usual there alone.
        if page.is_multiple_of(3) || row % 2 == 1 {
            halls.push(format!("Hall {}", page * row));
            rows += &format!("<td>Hall {}</td>", page * row);
        }
        rows += "</tr>";
    }
    (format!("<table>{rows}</table>"), names, halls)
}

#[test]
fn a_list_in_one_element_more_on_some_pages_is_one_list() {
    let page = |number: usize| {
        let (table, ..) = meetings(number);
        let block = if number.is_multiple_of(3) {
            format!("<div>{table}</div>")
        } else {
            table
        };
        format!(
            "<h1>Meetings of 20{}</h1><ul><li>Home</li><li>News</li></ul><div>{block}</div><p>Page {number}</p>",
            10 + number
        )
    };
    let pages: Vec<String> = (0..5).map(page).collect();
    check(&pages, &(0..5).map(|page| meetings(page).1).collect::<Vec<_>>());
    check(&pages, &(0..5).map(|page| meetings(page).2).collect::<Vec<_>>());
}

#[test]
fn another_table_is_not_the_list_that_a_page_lacks() {
    // Every page has a table of prices of the same shape, at another place.
    let page = |number: usize| {
        let (table, ..) = meetings(number);
        let price = |row: usize| {
            format!(
                "<tr><td><a href=/p{row}>Ticket {number}{row}</a></td><td>June {}, 2020</td></tr>",
                row + number + 1
            )
        };
        let prices: String = (0..3 + number % 2).map(price).collect();
        let block = if number == 2 {
            String::new()
        } else {
            format!("<div><h2>Dates</h2><div>{table}</div></div>")
        };
        format!("<h1>Year {number}</h1>{block}<div><h2>Tickets</h2><table>{prices}</table></div><p>Page {number}</p>")
    };
    let pages: Vec<String> = (0..6).map(page).collect();
    let (found, template) = values(&pages);
    for field in found {
        let said: BTreeSet<&str> = field
            .iter()
            .flatten()
            .filter_map(|text| text.split(' ').next())
            .collect();
        assert!(
            !(said.contains("Name") && said.contains("Ticket")),
            "{said:?}: {template}"
        );
    }
}

#[test]
fn a_word_that_begins_the_first_row_by_chance_is_no_label() {
    let page = |number: usize| {
        let row = |row: usize| {
            let name = if row == 0 {
                "Crown".to_owned()
            } else {
                format!("Ash{number}{row}")
            };
            format!(
                "<tr><td>{name} case</td><td>Hall {}</td><td>May {}, 2019</td></tr>",
                number * row,
                number + row + 1
            )
        };
        let rows: String = (0..3).map(row).collect();
        format!("<h1>Term {number}</h1><table><tr><th>Case<th>Place<th>Day</tr>{rows}</table><p>Page {number}</p>")
    };
    let pages = parse(&(0..4).map(page).collect::<Vec<_>>());
    let lists = find(&pages.iter().collect::<Vec<_>>());
    let counts: Vec<Vec<usize>> = lists
        .iter()
        .map(|list| list.places.iter().map(Vec::len).collect())
        .collect();
    assert_eq!(counts, [[3; 4]]);
}

#[test]
fn a_date_that_all_rows_have_is_a_value() {
    let page = |number: usize| {
        let row = |row: usize| {
            let note = if row % 2 == 1 {
                format!("<td>note {number}{row}</td>")
            } else {
                String::new()
            };
            format!("<tr><td><b>Name{number}{row}</b><br><i>05/04/2013</i></td>{note}</tr>")
        };
        let rows: String = (0..3 + number).map(row).collect();
        format!("<h1>Opinions {number}</h1><table>{rows}</table><p>Page {number}</p>")
    };
    let pages: Vec<String> = (0..3).map(page).collect();
    check(
        &pages,
        &(0..3)
            .map(|page| vec!["05/04/2013".to_owned(); 3 + page])
            .collect::<Vec<_>>(),
    );
}

#[test]
fn a_link_that_few_rows_have_is_a_field() {
    let page = |number: usize| {
        let row = |row: usize| {
            let day = format!("May {}, 20{}", row + 1, 10 + number);
            let day = if row < 2 && number == 0 {
                format!("<a href=/{row}.pdf>{day}</a>")
            } else {
                day
            };
            let note = if row == 4 { "<i>moved</i>" } else { "" };
            format!("<li>{day}{note}</li>")
        };
        let rows: String = (0..6 + number).map(row).collect();
        format!("<h1>Hearings {number}</h1><ul>{rows}</ul><p>Page {number}</p>")
    };
    let links = ["/0.pdf", "/1.pdf"].map(str::to_owned).to_vec();
    check(&[page(0), page(1)], &[links, Vec::new()]);
}
