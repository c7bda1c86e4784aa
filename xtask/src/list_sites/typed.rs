//! Lists of meetings of public bodies, typed by hand in an editor or made by the usual products.

use super::themes::{Make, Row, Theme, around, maybe};
use super::values::{Kind, word};
use xtask::random::Random;

pub(super) const THEMES: &[Theme] = &[
    Theme {
        name: "typed paragraphs",
        fields: &["date", "time", "place", "status", "agenda", "minutes"],
        list: paragraphs,
    },
    Theme {
        name: "tables by month",
        fields: &["date", "body", "month", "agenda", "minutes"],
        list: months,
    },
    Theme {
        name: "files by year",
        fields: &["text", "link", "year", "note"],
        list: files,
    },
    Theme {
        name: "calendar grid",
        fields: &["body", "date", "time", "place", "details", "agenda", "minutes"],
        list: grid,
    },
    Theme {
        name: "views rows",
        fields: &["title", "link", "date", "place", "summary"],
        list: views,
    },
    Theme {
        name: "bold lines",
        fields: &["date", "body", "agenda", "minutes", "video"],
        list: bold_lines,
    },
    Theme {
        name: "items in words",
        fields: &["date", "body", "time", "place"],
        list: items,
    },
];

/// Kept for scoring.
pub(super) const KEPT: Theme = Theme {
    name: "agenda rows",
    fields: &["date", "posted", "title", "agenda", "minutes"],
    list: agenda_rows,
};

const BODIES: &str = "Planning Commission|City Council|Board of Health|Library Board|Zoning Board of Appeals|Finance Committee|School Committee|Parks and Recreation Commission";
const PLACES: &str =
    "City Hall|Town Hall, Room 3|Main Library|Council Chambers|Via Zoom|Community Center, 12 Oak Street|Senior Center";
const MONTHS: &str = "January|February|March|April|May|June|July|August|September|October|November|December";

/// A month and a year in words, a file with it in its address.
fn file(kind: &str, random: &mut Random) -> String {
    format!(
        "/files/{}/{kind}_{}.pdf",
        2015 + random.below(8),
        1000 + random.below(9000)
    )
}

/// `January 9, 2019`, in the way of the site.
fn day(make: &Make, random: &mut Random) -> String {
    make.value(Kind::Date, random)
}

fn time(random: &mut Random) -> String {
    let (hour, minute) = (1 + random.below(11), word("00|30", random));
    format!("{hour}:{minute} {}", word("AM|PM", random))
}

/// What an editor leaves between paragraphs.
fn rest(make: &Make, random: &mut Random) -> &'static str {
    match (make.flag(20), random.below(6)) {
        (true, 0) => "<p>&nbsp;</p>\n",
        (true, 1) => "<p></p>\n",
        _ => "",
    }
}

fn paragraphs(make: &Make, count: usize, random: &mut Random) -> (String, Vec<Row>) {
    let (mut html, mut rows) = (String::new(), Vec::new());
    let sign = make.way(0, &[" – ", " - ", ", ", " | ", "<br />\n"]);
    let tag = make.way(3, &["strong", "b", "strong"]);
    let between = make.way(6, &[" | ", " ", " / ", ", "]);
    for _ in 0..count {
        let date = day(make, random);
        let time = time(random);
        let place = word(PLACES, random).to_owned();
        let status = maybe(12, random, |_| "CANCELLED".to_owned());
        let agenda = maybe(80, random, |random| file("agenda", random));
        let minutes = maybe(50, random, |random| file("minutes", random));
        let links: Vec<String> = [(&agenda, "Agenda"), (&minutes, "Minutes")]
            .iter()
            .filter_map(|(link, name)| link.as_ref().map(|link| format!("<a href=\"{link}\">{name}</a>")))
            .collect();
        let status_html = around(&status, " <strong>", "</strong>");
        // Sometimes the editor left a space in bold, or a non-breaking one.
        let (open, close) = match (make.flag(10), random.chance(25)) {
            (true, true) => (format!("<{tag}>"), format!("&nbsp;</{tag}>")),
            _ => (format!("<{tag}>"), format!("</{tag}>")),
        };
        html += &format!(
            "<p>{open}{date}{close}{sign}{time}{sign}{place}{status_html} {}</p>\n{}",
            links.join(between),
            rest(make, random)
        );
        rows.push(vec![Some(date), Some(time), Some(place), status, agenda, minutes]);
    }
    (html, rows)
}

fn months(make: &Make, count: usize, random: &mut Random) -> (String, Vec<Row>) {
    let (mut html, mut rows) = (String::new(), Vec::new());
    let year = 2015 + random.below(8);
    let mut left = count;
    for month in MONTHS.split('|') {
        if left == 0 {
            break;
        }
        let own = (1 + random.below(5)).min(left);
        left -= own;
        let month = format!("{month} {year}");
        let mut lines = String::new();
        for _ in 0..own {
            let date = day(make, random);
            let body = word(BODIES, random).to_owned();
            let agenda = maybe(85, random, |random| file("agenda", random));
            let minutes = maybe(60, random, |random| file("minutes", random));
            let cell = |link: &Option<String>, name: &str| match link {
                Some(link) => format!("<td><a href=\"{link}\">{name}</a></td>"),
                None => "<td>&nbsp;</td>".to_owned(),
            };
            lines += &format!(
                "<tr><td>{date}</td><td>{body}</td>{}{}</tr>\n",
                cell(&agenda, "Agenda"),
                cell(&minutes, "Minutes")
            );
            rows.push(vec![Some(date), Some(body), Some(month.clone()), agenda, minutes]);
        }
        html += &match make.flag(0) {
            true => format!("<h3>{month}</h3>\n<table border=\"1\"><tbody>{lines}</tbody></table>\n"),
            false => format!("<tr><td colspan=\"4\"><strong>{month}</strong></td></tr>\n{lines}"),
        };
    }
    if !make.flag(0) {
        html = format!("<table><tbody>{html}</tbody></table>");
    }
    (html, rows)
}

fn files(make: &Make, count: usize, random: &mut Random) -> (String, Vec<Row>) {
    let (mut html, mut rows) = (String::new(), Vec::new());
    let mut left = count;
    let mut year = 2023;
    while left > 0 {
        let own = (2 + random.below(8)).min(left);
        left -= own;
        let mut lines = String::new();
        for _ in 0..own {
            let month = word(MONTHS, random);
            let text = format!(
                "{month} {}, {year} {}",
                1 + random.below(28),
                make.way(0, &["Agenda", "Meeting Minutes", "Regular Meeting"])
            );
            let link = file("doc", random);
            let note = maybe(15, random, |random| {
                word("CANCELLED|Special Meeting|Draft", random).to_owned()
            });
            lines += &format!("<li><a href=\"{link}\">{text}</a>{}</li>\n", around(&note, " - ", ""));
            rows.push(vec![Some(text), Some(link), Some(year.to_string()), note]);
        }
        let head = make.way(4, &["h2", "h3", "h4"]);
        html += &format!("<{head}>{year}</{head}>\n<ul>{lines}</ul>\n");
        year -= 1;
    }
    (html, rows)
}

fn grid(make: &Make, count: usize, random: &mut Random) -> (String, Vec<Row>) {
    let (mut html, mut rows) = (String::new(), Vec::new());
    let missing = make.way(0, &["Not available", "&nbsp;", "<span>Not available</span>"]);
    for at in 0..count {
        let body = word(BODIES, random).to_owned();
        let date = format!(
            "{}/{}/{}",
            1 + random.below(12),
            1 + random.below(28),
            2015 + random.below(8)
        );
        let time = time(random);
        let place = word(PLACES, random).to_owned();
        let details = format!("/MeetingDetail.aspx?ID={}", 1000 + random.below(90000));
        let agenda = maybe(70, random, |random| file("agenda", random));
        let minutes = maybe(40, random, |random| file("minutes", random));
        let cell = |link: &Option<String>, name: &str| match link {
            Some(link) => format!("<td><a id=\"ctl{at}_{name}\" href=\"{link}\">{name}</a></td>"),
            None => format!("<td>{missing}</td>"),
        };
        html += &format!(
            "<tr class=\"{}\" id=\"ctl00__{at}\"><td><a href=\"/d/{}\">{body}</a></td><td>{date}</td><td>{time}</td><td>{place}</td><td><a href=\"{details}\">Meeting details</a></td>{}{}</tr>\n",
            if at % 2 == 0 { "rgRow" } else { "rgAltRow" },
            body.len(),
            cell(&agenda, "Agenda"),
            cell(&minutes, "Minutes")
        );
        rows.push(vec![
            Some(body),
            Some(date),
            Some(time),
            Some(place),
            Some(details),
            agenda,
            minutes,
        ]);
    }
    let head: String = [
        "Name",
        "Meeting Date",
        "Meeting Time",
        "Meeting Location",
        "Meeting Details",
        "Agenda",
        "Minutes",
    ]
    .iter()
    .map(|name| format!("<th scope=\"col\"><a href=\"javascript:sort('{name}')\">{name}</a></th>"))
    .collect();
    let table = format!("<table class=\"rgMasterTable\"><thead><tr>{head}</tr></thead><tbody>{html}</tbody></table>");
    (table, rows)
}

fn views(make: &Make, count: usize, random: &mut Random) -> (String, Vec<Row>) {
    let (mut html, mut rows) = (String::new(), Vec::new());
    for at in 0..count {
        let title = make.value(Kind::Title, random);
        let link = format!("/node/{}", 100 + random.below(9000));
        let date = day(make, random);
        let place = maybe(60, random, |random| word(PLACES, random).to_owned());
        let summary = maybe(70, random, |random| make.value(Kind::Description, random));
        let label = |name: &str| match make.flag(0) {
            true => format!("<span class=\"views-label\">{name}: </span>"),
            false => String::new(),
        };
        let field = |class: &str, label: &str, value: &Option<String>| {
            let before =
                format!("<div class=\"views-field views-field-{class}\">{label}<span class=\"field-content\">");
            around(value, &before, "</span></div>")
        };
        let ends = match at {
            0 => " views-row-first",
            at if at + 1 == count => " views-row-last",
            _ => "",
        };
        html += &format!(
            "<div class=\"views-row views-row-{} views-row-{}{ends}\"><div class=\"views-field views-field-title\"><span class=\"field-content\"><a href=\"{link}\">{title}</a></span></div>{}{}{}</div>\n",
            at + 1,
            if at % 2 == 0 { "odd" } else { "even" },
            field("field-date", &label("Date"), &Some(date.clone())),
            field("field-place", &label("Location"), &place),
            field("body", "", &summary)
        );
        rows.push(vec![Some(title), Some(link), Some(date), place, summary]);
    }
    (format!("<div class=\"view-content\">{html}</div>"), rows)
}

fn bold_lines(make: &Make, count: usize, random: &mut Random) -> (String, Vec<Row>) {
    let (mut html, mut rows) = (String::new(), Vec::new());
    let tag = make.way(0, &["p", "div", "p"]);
    for _ in 0..count {
        let date = day(make, random);
        let body = word(BODIES, random).to_owned();
        let agenda = maybe(90, random, |random| file("agenda", random));
        let minutes = maybe(50, random, |random| file("minutes", random));
        let video = maybe(30, random, |random| {
            format!("https://video.example/{}", random.below(100_000))
        });
        let links: Vec<String> = [
            (&agenda, "Agenda (PDF)"),
            (&minutes, "Minutes (PDF)"),
            (&video, "Watch the video"),
        ]
        .iter()
        .filter_map(|(link, name)| {
            link.as_ref()
                .map(|link| format!("<a href=\"{link}\" target=\"_blank\">{name}</a>"))
        })
        .collect();
        html += &format!(
            "<{tag}><strong>{date}</strong><br />\n{body}<br />\n{}</{tag}>\n{}",
            links.join(make.way(5, &["<br />\n", " | ", "&nbsp; "])),
            rest(make, random)
        );
        rows.push(vec![Some(date), Some(body), agenda, minutes, video]);
    }
    (html, rows)
}

fn items(make: &Make, count: usize, random: &mut Random) -> (String, Vec<Row>) {
    let (mut html, mut rows) = (String::new(), Vec::new());
    let words = make.flag(0);
    for _ in 0..count {
        let date = day(make, random);
        let body = word(BODIES, random).to_owned();
        let time = time(random);
        let place = maybe(75, random, |random| word(PLACES, random).to_owned());
        html += &match words {
            true => format!("<li>{date}: {body} at {time}{}</li>\n", around(&place, " in ", "")),
            false => format!("<li><b>{date}</b> {body}, {time}{}</li>\n", around(&place, ", ", "")),
        };
        rows.push(vec![Some(date), Some(body), Some(time), place]);
    }
    (format!("<ul>{html}</ul>"), rows)
}

fn agenda_rows(make: &Make, count: usize, random: &mut Random) -> (String, Vec<Row>) {
    let (mut html, mut rows) = (String::new(), Vec::new());
    for _ in 0..count {
        let day = |random: &mut Random| {
            let month = &word(MONTHS, random)[..3];
            (month, format!("{}, {}", 1 + random.below(28), 2015 + random.below(8)))
        };
        let ((month, own), (posted_month, posted_day)) = (day(random), day(random));
        let title = format!(
            "{} {}",
            word(BODIES, random),
            word("Regular Meeting|Special Meeting|Work Session", random)
        );
        let agenda = file("agenda", random);
        let minutes = maybe(55, random, |random| file("minutes", random));
        let posted = maybe(if make.flag(0) { 100 } else { 60 }, random, |_| {
            format!("{posted_month} {posted_day}")
        });
        html += &format!(
            "<tr class=\"catAgendaRow\"><td><h3><strong><abbr title=\"{month}\">{month}</abbr> {own}</strong>{}</h3><p><a href=\"{agenda}\">{title}</a></p></td><td class=\"minutes\">{}</td></tr>\n",
            around(&posted, " — Posted ", ""),
            around(
                &minutes,
                "<a href=\"",
                "\"><img src=\"/images/minutes.png\" alt=\"Minutes\"></a>"
            )
        );
        rows.push(vec![
            Some(format!("{month} {own}")),
            posted,
            Some(title),
            Some(agenda),
            minutes,
        ]);
    }
    (format!("<table><tbody>{html}</tbody></table>"), rows)
}
