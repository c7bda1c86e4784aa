//! Made-up shops with two prices, in every structure that pages have for them, with one or several records and pages.

use crate::changes::{Sample, Side};
use learn::guided::Wanted;
use page::Page;

const NAMES: [&str; 24] = [
    "May Morning",
    "Blow Up",
    "Wonderwall",
    "Kaleidoscope",
    "Lucky Day",
    "Evil Under the Sun",
    "The Knack",
    "Darling",
    "Bedazzled",
    "Petulia",
    "Performance",
    "Zabriskie Point",
    "Deep End",
    "Morgan",
    "Smashing Time",
    "The Party",
    "Modesty Blaise",
    "Barbarella",
    "Joanna",
    "Candy",
    "Duffy",
    "Skidoo",
    "Head",
    "Otley",
];

/// How a record is written: its name and the two prices. What is around all records of a page.
type Structure = (&'static str, &'static str, fn(&str, &str, &str) -> String, &'static str);

const STRUCTURES: [Structure; 14] = [
    (
        "cells-bold",
        "<table>",
        |n, d, v| format!("<tr><td>{n}<td><b>DVD</b> <i>{d}</i><td><b>VHS</b> <i>{v}</i></tr>"),
        "</table>",
    ),
    (
        "cells-text",
        "<table>",
        |n, d, v| format!("<tr><td>{n}<td>DVD: <i>{d}</i><td>VHS: <i>{v}</i></tr>"),
        "</table>",
    ),
    (
        "cells-label",
        "<table>",
        |n, d, v| format!("<tr><td>{n}<td>DVD<td>{d}<td>VHS<td>{v}</tr>"),
        "</table>",
    ),
    (
        "cells-label-th",
        "<table>",
        |n, d, v| format!("<tr><td>{n}<th>DVD<td>{d}<th>VHS<td>{v}</tr>"),
        "</table>",
    ),
    (
        "head-th",
        "<table><tr><th>Title<th>DVD<th>VHS</tr>",
        |n, d, v| format!("<tr><td>{n}<td>{d}<td>{v}</tr>"),
        "</table>",
    ),
    (
        "head-td",
        "<table><tr><td>Title<td>DVD<td>VHS</tr>",
        |n, d, v| format!("<tr><td>{n}<td>{d}<td>{v}</tr>"),
        "</table>",
    ),
    (
        "head-bold",
        "<table><tr><td><b>Title</b><td><b>DVD</b><td><b>VHS</b></tr>",
        |n, d, v| format!("<tr><td>{n}<td>{d}<td>{v}</tr>"),
        "</table>",
    ),
    (
        "head-thead",
        "<table><thead><tr><td>Title<td>DVD<td>VHS</tr></thead>",
        |n, d, v| format!("<tr><td><a href='#'>{n}</a><td><b>{d}</b><td><b>{v}</b></tr>"),
        "</table>",
    ),
    (
        "list",
        "<div>",
        |n, d, v| {
            format!(
                "<div><h3>{n}</h3><ul><li><b>DVD</b> - $ <em>{d}</em></li><li><b>VHS</b> - $ <em>{v}</em></li></ul></div>"
            )
        },
        "</div>",
    ),
    (
        "divs",
        "<div>",
        |n, d, v| {
            format!("<section><h3>{n}</h3><div>DVD: <span>{d}</span></div><div>VHS: <span>{v}</span></div></section>")
        },
        "</div>",
    ),
    (
        "div-pairs",
        "<div>",
        |n, d, v| format!("<section><h3>{n}</h3><div>DVD</div><div>{d}</div><div>VHS</div><div>{v}</div></section>"),
        "</div>",
    ),
    (
        "terms",
        "<div>",
        |n, d, v| format!("<section><h3>{n}</h3><dl><dt>DVD</dt><dd>{d}</dd><dt>VHS</dt><dd>{v}</dd></dl></section>"),
        "</div>",
    ),
    (
        "inline",
        "<div>",
        |n, d, v| format!("<p><b>{n}</b> <span>DVD</span> <i>{d}</i> <span>VHS</span> <i>{v}</i></p>"),
        "</div>",
    ),
    (
        "rows",
        "<div>",
        |n, d, v| format!("<table><tr><td colspan=2>{n}</tr><tr><td>DVD<td>{d}</tr><tr><td>VHS<td>{v}</tr></table>"),
        "</div>",
    ),
];

/// All shops with their labels.
pub(super) fn shops() -> anyhow::Result<Vec<(String, Side)>> {
    let mut shops = Vec::new();
    for (name, start, record, end) in STRUCTURES {
        for (pages, records) in [(1, 8), (4, 6), (6, 1), (2, 2)] {
            let price = |number: usize, add: usize| {
                format!("{}.{:02}", 5 + (number * 7 + add) % 30, (number * 37 + add * 11) % 100)
            };
            let sample = |page: usize| -> anyhow::Result<Sample> {
                let rows: Vec<[String; 3]> = (page * records..(page + 1) * records)
                    .map(|number| [NAMES[number % 24].to_owned(), price(number, 3), price(number, 0)])
                    .collect();
                let body: String = rows.iter().map(|row| record(&row[0], &row[1], &row[2])).collect();
                let html = format!("<!DOCTYPE html><title>Videos</title><h1>Shop</h1>{start}{body}{end}");
                Ok(Sample {
                    name: format!("{page}.html"),
                    page: Page::parse_str(&html, &Default::default())?,
                    records: rows
                        .into_iter()
                        .map(|row| row.map(|text| vec![text]).to_vec())
                        .collect(),
                })
            };
            let wanted = ["title", "dvd", "vhs"].map(|name| Wanted {
                name: name.to_owned(),
                many: false,
            });
            let side = Side {
                wanted: wanted.to_vec(),
                listed: records > 1,
                pages: (0..pages).map(sample).collect::<Result<_, _>>()?,
            };
            shops.push((format!("made/{name}-{pages}x{records}"), side));
        }
    }
    Ok(shops)
}
