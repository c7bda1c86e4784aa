//! Results of searches as programs of around 2000 wrote them: tables in tables, line breaks, few classes.

use super::themes::{Make, Row, Theme, around, maybe};
use super::values::Kind;
use xtask::random::Random;

pub(super) const THEMES: &[Theme] = &[
    Theme {
        name: "cell lines",
        fields: &["title", "link", "number", "author", "price", "ships"],
        list: cell_lines,
    },
    Theme {
        name: "terms",
        fields: &["title", "link", "text", "address", "size"],
        list: terms,
    },
    Theme {
        name: "rules between",
        fields: &["title", "author", "publisher", "year", "code"],
        list: rules,
    },
    Theme {
        name: "nested tables",
        fields: &["title", "link", "price", "used", "place", "picture"],
        list: nested,
    },
    Theme {
        name: "font paragraphs",
        fields: &["title", "link", "text", "date"],
        list: fonts,
    },
];

fn link(random: &mut Random) -> String {
    format!("/cgi-bin/show?id={}", 1000 + random.below(90000))
}

fn cell_lines(make: &Make, count: usize, random: &mut Random) -> (String, Vec<Row>) {
    let (mut html, mut rows) = (String::new(), Vec::new());
    for at in 0..count {
        let title = make.value(Kind::Title, random);
        let address = link(random);
        let number = format!("{}.", at + 1);
        let author = maybe(85, random, |random| make.value(Kind::Person, random));
        let price = maybe(80, random, |random| make.value(Kind::Price, random));
        let ships = maybe(60, random, |random| {
            super::values::word("Ships in 24 hours|Ships in 2-3 days|Out of print", random).to_owned()
        });
        let (author_at, price_at) = match make.flag(0) {
            true => (
                around(&author, "<br>by ", ""),
                around(&price, "<br><b>Our Price:</b> ", ""),
            ),
            false => (
                around(&author, "<br><font size=\"-1\">", "</font>"),
                around(&price, "<br><font color=\"#990000\">", "</font>"),
            ),
        };
        html += &format!(
            "<tr valign=\"top\"><td>{number}</td><td><a href=\"{address}\"><b>{title}</b></a>{author_at}{price_at}{}</td></tr>\n",
            around(&ships, "<br><i>", "</i>")
        );
        rows.push(vec![Some(title), Some(address), Some(number), author, price, ships]);
    }
    (format!("<table cellpadding=\"3\">{html}</table>"), rows)
}

fn terms(make: &Make, count: usize, random: &mut Random) -> (String, Vec<Row>) {
    let (mut html, mut rows) = (String::new(), Vec::new());
    for at in 0..count {
        let title = make.value(Kind::Title, random);
        let address = format!("http://www.site{}.example/{}", random.below(90), random.below(9000));
        let text = maybe(85, random, |random| make.value(Kind::Description, random));
        let size = maybe(70, random, |random| format!("{}k", 1 + random.below(90)));
        let number = if make.flag(0) {
            format!("<b>{}.</b> ", at + 1)
        } else {
            String::new()
        };
        html += &format!(
            "<dt>{number}<a href=\"{address}\">{title}</a>\n<dd>{}<font color=\"green\">{address}</font>{}\n",
            around(&text, "", "<br>"),
            around(&size, " - ", "")
        );
        rows.push(vec![Some(title), Some(address.clone()), text, Some(address), size]);
    }
    (format!("<dl>{html}</dl>"), rows)
}

fn rules(make: &Make, count: usize, random: &mut Random) -> (String, Vec<Row>) {
    let (mut html, mut rows) = (String::new(), Vec::new());
    let (open, close) = if make.flag(0) { ("<b>", "</b>") } else { ("", "") };
    for _ in 0..count {
        let title = make.value(Kind::Title, random);
        let author = maybe(90, random, |random| make.value(Kind::Person, random));
        let publisher = maybe(60, random, |random| {
            format!(
                "{} Press",
                super::values::word("Harbour|Orchard|Old Mill|Kelp|North", random)
            )
        });
        let year = maybe(80, random, |random| (1950 + random.below(50)).to_string());
        let code = maybe(70, random, |random| {
            format!(
                "0-{}-{}-{}",
                100 + random.below(900),
                10000 + random.below(90000),
                random.below(10)
            )
        });
        let line = |name: &str, value: &Option<String>| around(value, &format!("<br>\n{open}{name}:{close} "), "");
        html += &format!(
            "<font size=\"+1\">{title}</font>{}{}{}{}\n<hr>\n",
            line("Author", &author),
            line("Publisher", &publisher),
            line("Year", &year),
            line("ISBN", &code)
        );
        rows.push(vec![Some(title), author, publisher, year, code]);
    }
    (format!("<hr>\n{html}"), rows)
}

fn nested(make: &Make, count: usize, random: &mut Random) -> (String, Vec<Row>) {
    let (mut html, mut rows) = (String::new(), Vec::new());
    for at in 0..count {
        let title = make.value(Kind::Title, random);
        let address = link(random);
        let price = make.value(Kind::Price, random);
        let used = maybe(40, random, |random| make.value(Kind::Price, random));
        let place = maybe(75, random, |random| make.value(Kind::Place, random));
        let picture = maybe(70, random, |random| format!("/img/{}.gif", 1000 + random.below(9000)));
        let picture_cell = match &picture {
            Some(picture) => format!("<img src=\"{picture}\" width=\"60\">"),
            None => "&nbsp;".to_owned(),
        };
        let colour = if at % 2 == 0 { "#eeeeee" } else { "#ffffff" };
        let row = |name: &str, value: &Option<String>| {
            let before = format!(
                "<tr><td><font face=\"Arial\" size=\"-1\"><b>{name}:</b></font></td><td><font face=\"Arial\" size=\"-1\">"
            );
            around(value, &before, "</font></td></tr>")
        };
        html += &format!(
            "<tr bgcolor=\"{colour}\"><td width=\"70\">{picture_cell}</td><td><table border=\"0\"><tr><td colspan=\"2\"><a href=\"{address}\"><font face=\"Arial\">{title}</font></a></td></tr>{}{}{}</table></td></tr>\n",
            row("Price", &Some(price.clone())),
            row("Used", &used),
            row("Location", &place)
        );
        rows.push(vec![Some(title), Some(address), Some(price), used, place, picture]);
    }
    let space = if make.flag(0) {
        "cellspacing=\"0\""
    } else {
        "cellspacing=\"2\" border=\"1\""
    };
    (format!("<table width=\"100%\" {space}>{html}</table>"), rows)
}

fn fonts(make: &Make, count: usize, random: &mut Random) -> (String, Vec<Row>) {
    let (mut html, mut rows) = (String::new(), Vec::new());
    for _ in 0..count {
        let title = make.value(Kind::Title, random);
        let address = link(random);
        let text = maybe(80, random, |random| make.value(Kind::Description, random));
        let date = make.value(Kind::Date, random);
        let date_at = match make.flag(0) {
            true => format!("<br><font size=\"1\">{date}</font>"),
            false => format!("<br><i>Posted on {date}</i>"),
        };
        html += &format!(
            "<p><font face=\"Verdana\" size=\"2\"><b><a href=\"{address}\">{title}</a></b>{}{date_at}</font>\n",
            around(&text, "<br>", "")
        );
        rows.push(vec![Some(title), Some(address), text, Some(date)]);
    }
    (html, rows)
}
