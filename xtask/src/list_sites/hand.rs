//! `--part hand`: lists as people type them, each a class of failure that was seen on pages made by hand: lines with few labels, headings of years, cells
//! that reach over several columns, links that their words tell, texts that only a time divides, and words that say the same everywhere.
//!
//! The way in which a record is marked is drawn for each site, so that no rule fits one page only.

use super::themes::{Make, Row, Theme, around, maybe};
use super::values::{Kind, word};
use xtask::random::Random;

pub(super) const THEMES: &[Theme] = &[
    Theme {
        name: "old results",
        fields: &["title", "link", "text", "address", "size", "category"],
        list: results,
    },
    Theme {
        name: "minutes by year",
        fields: &["date", "kind", "year", "agenda", "minutes", "status"],
        list: minutes,
    },
    Theme {
        name: "programme",
        fields: &["title", "time", "speaker", "day"],
        list: programme,
    },
    Theme {
        name: "grid of cells",
        fields: &["title", "link", "author", "price", "old price", "picture"],
        list: cells,
    },
    Theme {
        name: "people",
        fields: &["name", "role", "room", "phone", "mail"],
        list: people,
    },
    Theme {
        name: "links by words",
        fields: &["title", "date", "agenda", "minutes", "video"],
        list: links,
    },
    Theme {
        name: "divided by a time",
        fields: &["date", "time", "place"],
        list: moments,
    },
    Theme {
        name: "same everywhere",
        fields: &["title", "link", "stock", "price", "code"],
        list: same,
    },
    Theme {
        name: "menu",
        fields: &["title", "price", "text", "mark", "section"],
        list: menu,
    },
    Theme {
        name: "files below years",
        fields: &["text", "link", "year"],
        list: files,
    },
];

const PLACES: &str = "City Hall|Town Hall, Room 3|Main Library|Council Chambers|Community Center, 12 Oak Street|Senior Center|Harbour House";
const BODIES: &str =
    "Planning Commission|City Council|Board of Health|Library Board|Zoning Board of Appeals|Finance Committee";
const KINDS: &str = "Regular Meeting|Special Meeting|Work Session|Public Hearing";
const MONTHS: &str = "January|February|March|April|May|June|July|August|September|October|November|December";

fn file(kind: &str, random: &mut Random) -> String {
    format!(
        "/files/{}/{kind}_{}.pdf",
        2015 + random.below(8),
        1000 + random.below(9000)
    )
}

fn time(random: &mut Random) -> String {
    let (hour, minute) = (1 + random.below(11), word("00|30", random));
    format!("{hour}:{minute} {}", word("AM|PM", random))
}

fn page(random: &mut Random) -> String {
    format!("/p/{}", 1000 + random.below(90000))
}

fn results(make: &Make, count: usize, random: &mut Random) -> (String, Vec<Row>) {
    let (mut list, mut rows) = (Vec::new(), Vec::new());
    let frame = make.way(
        0,
        &["<p>{}\n", "<li>{}</li>\n", "<p>{}</p>\n", "<div>{}</div>\n", "{}\n"],
    );
    let between = match frame {
        "{}\n" => "<hr>\n",
        _ => make.way(3, &["<hr>\n", "", "<br>\n"]),
    };
    let title_at = make.way(
        6,
        &[
            "<font size=\"+1\">{}</font>",
            "<b>{}</b>",
            "{}",
            "<font face=\"Arial\"><b>{}</b></font>",
        ],
    );
    let address_at = make.way(9, &["<i>{}</i>", "<font color=\"green\">{}</font>", "<i>{}</i>"]);
    let label_at = make.way(12, &["<b>Category:</b> {}", "Category: {}", "<b>Category:</b> {}"]);
    let sign = make.way(15, &[" - ", " | ", "<br>"]);
    for _ in 0..count {
        let title = make.value(Kind::Title, random);
        let link = page(random);
        let text = maybe(if make.flag(18) { 100 } else { 80 }, random, |random| {
            make.value(Kind::Description, random)
        });
        let address = format!("http://www.site{}.example/{}", random.below(90), random.below(900));
        let size = maybe(if make.flag(19) { 100 } else { 75 }, random, |random| {
            format!("{}K", 1 + random.below(90))
        });
        let category = maybe(50, random, |random| {
            word("Arts|Business|Home and Garden|Science|Travel|Local News", random).to_owned()
        });
        let label = category.as_ref().map(|category| label_at.replace("{}", category));
        let record = format!(
            "{}{}<br>{}{}{}",
            title_at.replace("{}", &format!("<a href=\"{link}\">{title}</a>")),
            around(&text, "<br>", ""),
            address_at.replace("{}", &address),
            around(&size, sign, ""),
            around(&label, sign, "")
        );
        list.push(frame.replace("{}", &record));
        rows.push(vec![Some(title), Some(link), text, Some(address), size, category]);
    }
    let list = list.join(between);
    let html = match frame.starts_with("<li>") {
        true => format!("<b>Results 1 - {count}</b><ul>{}</ul>", list.replace("<hr>\n", "")),
        false => format!("<b>Results 1 - {count}</b>{between}{list}"),
    };
    (html, rows)
}

/// The year that stands above some records.
fn heading(make: &Make, year: usize) -> String {
    let heading = make.way(
        21,
        &[
            "<h3>{}</h3>",
            "<p><b>{}</b></p>",
            "<h2>{}</h2>",
            "<p><strong>{}</strong></p>",
            "<h4>{} Meetings</h4>",
        ],
    );
    format!("{}\n", heading.replace("{}", &year.to_string()))
}

fn minutes(make: &Make, count: usize, random: &mut Random) -> (String, Vec<Row>) {
    let (mut html, mut rows) = (String::new(), Vec::new());
    if make.flag(0) {
        html += "<p>All meetings are held at 6 pm in the council chamber. Everyone is welcome.</p>\n";
    }
    let (open, close) = match make.way(1, &["p", "li", "p", "div"]) {
        "p" => ("<p>", "</p>\n"),
        "li" => ("<li>", "</li>\n"),
        _ => ("<div>", "</div>\n"),
    };
    let sign = make.way(4, &[" – ", " - ", ": ", ", "]);
    let between = make.way(7, &[" | ", " ", ", "]);
    let before = make.way(10, &[": ", " ", " - ", "<br>"]);
    let mut left = count;
    let mut year = 2025;
    while left > 0 {
        let own = (2 + random.below(6)).min(left);
        left -= own;
        let mut lines = String::new();
        for _ in 0..own {
            let date = format!("{} {}, {year}", word(MONTHS, random), 1 + random.below(28));
            let kind = word(KINDS, random).to_owned();
            let agenda = maybe(85, random, |random| file("agenda", random));
            let minutes = maybe(60, random, |random| file("minutes", random));
            let status = maybe(15, random, |_| "CANCELLED".to_owned());
            let links = [(&agenda, "Agenda"), (&minutes, "Minutes")]
                .iter()
                .filter_map(|(link, name)| link.as_ref().map(|link| format!("<a href=\"{link}\">{name}</a>")))
                .collect::<Vec<String>>()
                .join(between);
            let links = if links.is_empty() {
                links
            } else {
                format!("{before}{links}")
            };
            lines += &format!(
                "{open}{date}{sign}{kind}{links}{}{close}",
                around(&status, " <b>", "</b>")
            );
            rows.push(vec![
                Some(date),
                Some(kind),
                Some(year.to_string()),
                agenda,
                minutes,
                status,
            ]);
        }
        html += &heading(make, year);
        html += &if open == "<li>" {
            format!("<ul>{lines}</ul>\n")
        } else {
            lines
        };
        year -= 1;
    }
    // The words of a heading are a part of it.
    if heading(make, 2025).contains("Meetings") {
        rows.iter_mut()
            .for_each(|row| row[2] = row[2].as_ref().map(|year| format!("{year} Meetings")));
    }
    (html, rows)
}

fn files(make: &Make, count: usize, random: &mut Random) -> (String, Vec<Row>) {
    let (mut html, mut rows) = (String::new(), Vec::new());
    let (open, close, list) = match make.way(0, &["li", "p", "div", "li"]) {
        "li" => ("<li>", "</li>\n", ["<ul>", "</ul>\n"]),
        "p" => ("<p>", "</p>\n", ["", ""]),
        _ => ("<div class=\"file\">", "</div>\n", ["", ""]),
    };
    let mut left = count;
    let mut year = 2024;
    while left > 0 {
        let own = (2 + random.below(7)).min(left);
        left -= own;
        html += &heading(make, year);
        html += list[0];
        for _ in 0..own {
            let text = match make.flag(3) {
                true => format!(
                    "{} {} {}",
                    word(MONTHS, random),
                    1 + random.below(28),
                    make.way(5, &["Agenda", "Meeting Minutes", "Newsletter"])
                ),
                false => make.value(Kind::Title, random),
            };
            let link = file("doc", random);
            html += &format!("{open}<a href=\"{link}\">{text}</a>{close}");
            let said = heading(make, year);
            let said = said.split('>').find(|part| part.starts_with("20"));
            let said = said.and_then(|said| said.split('<').next()).map(str::to_owned);
            rows.push(vec![Some(text), Some(link), said]);
        }
        html += list[1];
        year -= 1;
    }
    (html, rows)
}

fn programme(make: &Make, count: usize, random: &mut Random) -> (String, Vec<Row>) {
    let (mut html, mut rows) = (String::new(), Vec::new());
    let breaks = make.way(0, &["<em>{}</em>", "{}", "<b>{}</b>"]);
    let first = make.way(3, &["td", "th", "td"]);
    let head = match make.flag(6) {
        true => "<tr><th>Time</th><th>Talk</th><th>Speaker</th></tr>\n",
        false => "",
    };
    let mut left = count;
    let mut day = 4;
    while left > 0 {
        let own = (3 + random.below(5)).min(left);
        left -= own;
        let name = format!(
            "{}, May {day}",
            ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday"][day % 5]
        );
        day += 1;
        html += &format!("<h2>{name}</h2>\n<table class=\"sched\">{head}");
        for _ in 0..own {
            let time = format!("{}:{}", 8 + random.below(10), word("00|30", random));
            if random.chance(20) {
                let title = word("Coffee break|Lunch|Registration", random).to_owned();
                html += &format!(
                    "<tr><{first}>{time}</{first}><td colspan=\"2\">{}</td></tr>\n",
                    breaks.replace("{}", &title)
                );
                rows.push(vec![Some(title), Some(time), None, Some(name.clone())]);
                continue;
            }
            let (title, speaker) = (make.value(Kind::Title, random), make.value(Kind::Person, random));
            html += &format!("<tr><{first}>{time}</{first}><td>{title}</td><td>{speaker}</td></tr>\n");
            rows.push(vec![Some(title), Some(time), Some(speaker), Some(name.clone())]);
        }
        html += "</table>\n";
    }
    (html, rows)
}

fn cells(make: &Make, count: usize, random: &mut Random) -> (String, Vec<Row>) {
    let (mut html, mut rows) = (String::new(), Vec::new());
    let wide = 2 + usize::from(make.flag(0)) + usize::from(make.flag(1));
    let old_at = make.way(2, &["<s>{}</s> ", "<strike>{}</strike><br>", "<s>{}</s><br>"]);
    let price_at = make.way(5, &["<font color=\"red\">{}</font>", "<b>{}</b>", "{}"]);
    for at in 0..count {
        let (title, author) = (
            make.value(Kind::Title, random),
            format!("by {}", make.value(Kind::Person, random)),
        );
        let (link, picture) = (page(random), format!("/img/{}.jpg", 1000 + random.below(9000)));
        let price = make.value(Kind::Price, random);
        let old = maybe(30, random, |random| make.value(Kind::Price, random));
        let old_html = old.as_ref().map_or(String::new(), |old| old_at.replace("{}", old));
        if at % wide == 0 {
            html += "<tr>";
        }
        html += &format!(
            "<td valign=\"top\"><a href=\"{link}\"><img src=\"{picture}\"></a><br><a href=\"{link}\"><b>{title}</b></a><br>{author}<br>{old_html}{}</td>",
            price_at.replace("{}", &price)
        );
        if at % wide == wide - 1 || at + 1 == count {
            html += "</tr>\n";
        }
        rows.push(vec![
            Some(title),
            Some(link),
            Some(author),
            Some(price),
            old,
            Some(picture),
        ]);
    }
    (format!("<table width=\"100%\">{html}</table>"), rows)
}

fn people(make: &Make, count: usize, random: &mut Random) -> (String, Vec<Row>) {
    let (mut html, mut rows) = (String::new(), Vec::new());
    let tag = make.way(0, &["li", "p", "div"]);
    let sign = make.way(3, &[", ", "<br>", " - "]);
    for at in 0..count {
        let name = make.value(Kind::Person, random);
        let role = word("Professor|Lecturer|Dean|Assistant|Senior Clerk", random).to_owned();
        let room = maybe(if make.flag(6) { 100 } else { 80 }, random, |random| {
            format!("Room {}", 100 + random.below(400))
        });
        let phone = maybe(60, random, |random| format!("555-{}", 1000 + random.below(9000)));
        let mail = format!("{}{at}@u.example", name.to_lowercase().replace(' ', "."));
        html += &format!(
            "<{tag}><strong>{name}</strong>{sign}{role}{}{}<br><a href=\"mailto:{mail}\">{mail}</a></{tag}>\n",
            around(&room, "<br>", ""),
            around(&phone, make.way(7, &["<br>Tel. ", "<br>Phone: ", "<br>"]), "")
        );
        rows.push(vec![Some(name), Some(role), room, phone, Some(mail)]);
    }
    let html = if tag == "li" { format!("<ul>{html}</ul>") } else { html };
    (html, rows)
}

fn links(make: &Make, count: usize, random: &mut Random) -> (String, Vec<Row>) {
    let (mut html, mut rows) = (String::new(), Vec::new());
    let (open, item, close) = match make.way(0, &["ul", "div", "span", "p", "br"]) {
        "ul" => ("<ul>", ["<li>", "</li>"], "</ul>"),
        "div" => ("<div>", ["<div>", "</div>"], "</div>"),
        "span" => ("<div>", ["<span>", "</span> "], "</div>"),
        "p" => ("", ["<p>", "</p>"], ""),
        _ => ("<div>", ["", "<br>"], "</div>"),
    };
    let head = make.way(3, &["h3", "h4", "div", "strong"]);
    let words = [
        make.way(6, &["Agenda", "View Agenda", "Agenda (PDF)"]),
        make.way(9, &["Minutes", "Approved Minutes", "Minutes (PDF)"]),
        make.way(12, &["Video", "Watch video", "Recording"]),
    ];
    for _ in 0..count {
        let title = format!("{} {}", word(BODIES, random), word(KINDS, random));
        let date = make.value(Kind::Date, random);
        let own = [
            maybe(80, random, |random| file("agenda", random)),
            maybe(55, random, |random| file("minutes", random)),
            maybe(35, random, |random| {
                format!("https://video.example/{}", random.below(100_000))
            }),
        ];
        let links = own.iter().zip(words).filter_map(|(link, word)| {
            let link = link.as_ref()?;
            Some(format!("{}<a href=\"{link}\">{word}</a>{}", item[0], item[1]))
        });
        let links: String = links.collect();
        let links = if links.is_empty() {
            links
        } else {
            format!("{open}{links}{close}")
        };
        let date_at = make
            .way(15, &["<p>{}</p>", "<span>{}</span>", "<em>{}</em>"])
            .replace("{}", &date);
        html += &format!("<div class=\"meeting\"><{head}>{title}</{head}>{date_at}{links}</div>\n");
        let [agenda, minutes, video] = own;
        rows.push(vec![Some(title), Some(date), agenda, minutes, video]);
    }
    (format!("<div>{html}</div>"), rows)
}

fn moments(make: &Make, count: usize, random: &mut Random) -> (String, Vec<Row>) {
    let (mut html, mut rows) = (String::new(), Vec::new());
    let tag = make.way(0, &["li", "p", "div"]);
    let [one, two] = match make.way(3, &["spaces", "commas", "at", "bold", "mixed"]) {
        "spaces" => [" ", " "],
        "commas" => [", ", ", "],
        "at" => [" at ", ", "],
        "mixed" => [", ", " "],
        _ => ["</b> ", " "],
    };
    let bold = if one.starts_with("</b>") { "<b>" } else { "" };
    for _ in 0..count {
        let date = format!(
            "{} {}, {}",
            word(MONTHS, random),
            1 + random.below(28),
            2018 + random.below(6)
        );
        let (time, place) = (time(random), word(PLACES, random).to_owned());
        html += &format!("<{tag}>{bold}{date}{one}{time}{two}{place}</{tag}>\n");
        rows.push(vec![Some(date), Some(time), Some(place)]);
    }
    let html = if tag == "li" { format!("<ul>{html}</ul>") } else { html };
    (html, rows)
}

fn same(make: &Make, count: usize, random: &mut Random) -> (String, Vec<Row>) {
    let (mut html, mut rows) = (String::new(), Vec::new());
    let stock = make
        .way(0, &["In stock", "Free delivery", "Available", "Open"])
        .to_owned();
    let way = make.way(3, &["cards", "rows", "items", "lines"]);
    for _ in 0..count {
        let (title, link) = (make.value(Kind::Title, random), page(random));
        let price = make.value(Kind::Price, random);
        let code = maybe(70, random, |random| make.value(Kind::Code, random));
        html += &match way {
            "cards" => format!(
                "<div class=\"card\"><h3><a href=\"{link}\">{title}</a></h3><span class=\"stock\">{stock}</span><span class=\"price\">{price}</span>{}</div>\n",
                around(&code, "<span class=\"code\">", "</span>")
            ),
            "rows" => format!(
                "<tr><td><a href=\"{link}\">{title}</a></td><td>{stock}</td><td>{price}</td><td>{}</td></tr>\n",
                around(&code, "", "")
            ),
            "items" => format!(
                "<li><a href=\"{link}\">{title}</a> <em>{stock}</em> <b>{price}</b>{}</li>\n",
                around(&code, " <i>", "</i>")
            ),
            _ => format!(
                "<div class=\"item\"><a href=\"{link}\">{title}</a><br>{stock}<br>{price}{}</div>\n",
                around(&code, "<br>", "")
            ),
        };
        rows.push(vec![Some(title), Some(link), Some(stock.clone()), Some(price), code]);
    }
    let html = match way {
        "rows" => format!("<table>{html}</table>"),
        "items" => format!("<ul>{html}</ul>"),
        _ => format!("<div>{html}</div>"),
    };
    (html, rows)
}

fn menu(make: &Make, count: usize, random: &mut Random) -> (String, Vec<Row>) {
    let (mut html, mut rows) = (String::new(), Vec::new());
    let mut left = count;
    let mut sections = "Starters|Soups|Mains|Desserts|Drinks|Wines|Extras|Coffee"
        .split('|')
        .cycle();
    let head = make.way(0, &["h2", "h3", "h2"]);
    let classed = make.flag(3);
    let open = |tag: &str, class: &str| match classed {
        true => format!("<{tag} class=\"{class}\">"),
        false => format!("<{tag}>"),
    };
    while left > 0 {
        let own = (3 + random.below(5)).min(left);
        left -= own;
        let section = sections.next().unwrap_or_default().to_owned();
        html += &format!("<{head}>{section}</{head}>\n");
        for _ in 0..own {
            let (title, price) = (make.value(Kind::Title, random), make.value(Kind::Price, random));
            let text = maybe(70, random, |random| make.value(Kind::Description, random));
            let mark = maybe(30, random, |random| word("V|GF", random).to_owned());
            html += &format!(
                "{}<h4>{title}</h4>{}{price}</span>{}{}</div>\n",
                open("div", "dish"),
                open("span", "price"),
                around(&text, "<p>", "</p>"),
                around(&mark, &open("span", "mark"), "</span>")
            );
            rows.push(vec![Some(title), Some(price), text, mark, Some(section.clone())]);
        }
    }
    (html, rows)
}
