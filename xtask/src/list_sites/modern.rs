//! Cards and tables as today's frameworks make them: classes that say how things look, optional badges, details inside.

use super::themes::{Make, Row, Theme, around, maybe};
use super::values::{Kind, word};
use xtask::random::Random;

pub(super) const THEMES: &[Theme] = &[
    Theme {
        name: "utility cards",
        fields: &["title", "link", "badge", "text", "date", "price"],
        list: cards,
    },
    Theme {
        name: "utility table",
        fields: &["name", "mail", "role", "status", "link"],
        list: table,
    },
    Theme {
        name: "job rows",
        fields: &["title", "link", "company", "place", "pay", "tags", "age"],
        list: jobs,
    },
    Theme {
        name: "event list",
        fields: &["title", "link", "date", "time", "place", "picture"],
        list: events,
    },
];

/// Kept for scoring.
pub(super) const KEPT: Theme = Theme {
    name: "described cards",
    fields: &["title", "link", "place", "deadline", "value", "status"],
    list: described,
};

fn link(make: &Make, random: &mut Random) -> String {
    format!(
        "/{}/{}",
        make.way(27, &["p", "items", "posts", "en/detail"]),
        1000 + random.below(90000)
    )
}

fn cards(make: &Make, count: usize, random: &mut Random) -> (String, Vec<Row>) {
    let (mut html, mut rows) = (String::new(), Vec::new());
    for _ in 0..count {
        let title = make.value(Kind::Title, random);
        let address = link(make, random);
        let badge = maybe(25, random, |random| word("New|Sale|Sold out", random).to_owned());
        let text = maybe(85, random, |random| make.value(Kind::Description, random));
        let date = make.value(Kind::Date, random);
        let price = maybe(80, random, |random| make.value(Kind::Price, random));
        let badge_at = around(
            &badge,
            "<span class=\"rounded-full bg-red-100 px-2 text-xs\">",
            "</span>",
        );
        let head = match make.flag(0) {
            true => format!("<h3 class=\"text-lg font-semibold\">{title}</h3>{badge_at}"),
            false => format!("{badge_at}<h3 class=\"text-lg font-semibold\">{title}</h3>"),
        };
        let inner = format!(
            "<div class=\"flex items-center gap-2\">{head}</div>{}<div class=\"mt-2 flex gap-2\"><span class=\"text-sm text-gray-500\">{date}</span>{}</div>",
            around(&text, "<p class=\"mt-1 text-gray-600\">", "</p>"),
            around(&price, "<span class=\"text-sm text-gray-500\">", "</span>")
        );
        html += &match make.flag(1) {
            true => format!("<a class=\"block rounded-lg border p-4\" href=\"{address}\">{inner}</a>\n"),
            false => format!(
                "<div class=\"rounded-lg border p-4\"><a class=\"absolute inset-0\" href=\"{address}\"></a>{inner}</div>\n"
            ),
        };
        rows.push(vec![Some(title), Some(address), badge, text, Some(date), price]);
    }
    (format!("<div class=\"grid grid-cols-3 gap-4\">{html}</div>"), rows)
}

fn table(make: &Make, count: usize, random: &mut Random) -> (String, Vec<Row>) {
    let (mut html, mut rows) = (String::new(), Vec::new());
    for _ in 0..count {
        let name = make.value(Kind::Person, random);
        let mail = maybe(75, random, |random| {
            format!(
                "{}{}@example.com",
                name.to_lowercase().replace(' ', "."),
                random.below(90)
            )
        });
        let role = word("Editor|Designer|Owner|Clerk|Data Analyst", random).to_owned();
        let status = maybe(80, random, |random| word("Active|Invited|Suspended", random).to_owned());
        let address = link(make, random);
        html += &format!(
            "<tr class=\"hover:bg-gray-50\"><td class=\"px-4 py-2\"><div class=\"font-medium\">{name}</div>{}</td><td class=\"px-4 py-2\">{role}</td><td class=\"px-4 py-2\">{}</td><td class=\"px-4 py-2\"><a href=\"{address}\">View</a></td></tr>\n",
            around(&mail, "<div class=\"text-gray-500\">", "</div>"),
            around(&status, "<span class=\"inline-flex rounded-md px-2\">", "</span>")
        );
        rows.push(vec![Some(name), mail, Some(role), status, Some(address)]);
    }
    let head = match make.flag(0) {
        true => {
            "<thead><tr><th class=\"px-4\">Name</th><th class=\"px-4\">Role</th><th class=\"px-4\">Status</th><th class=\"px-4\"><span class=\"sr-only\">View</span></th></tr></thead>"
        }
        false => "",
    };
    (
        format!("<table class=\"min-w-full divide-y\">{head}<tbody>{html}</tbody></table>"),
        rows,
    )
}

fn jobs(make: &Make, count: usize, random: &mut Random) -> (String, Vec<Row>) {
    let (mut html, mut rows) = (String::new(), Vec::new());
    for at in 0..count {
        let title = format!(
            "{} {}",
            word("Senior|Junior|Lead|Staff", random),
            word("Engineer|Designer|Nurse|Analyst|Teacher", random)
        );
        let title = if random.chance(30) {
            format!("{title} ({})", word("m/f/d|Remote|Part-time", random))
        } else {
            title
        };
        let address = link(make, random);
        let company = format!(
            "{} {}",
            word("Kelp|Harbour|Northwind|Alder|Blue Fern", random),
            word("Labs|GmbH|Health|Inc.", random)
        );
        let place = maybe(80, random, |random| {
            word("Berlin|Remote|New York, NY|Leeds|Oslo", random).to_owned()
        });
        let pay = maybe(45, random, |random| {
            format!("${},000 – ${},000", 40 + random.below(30), 80 + random.below(60))
        });
        let tags: Vec<&str> = (0..random.below(4))
            .map(|_| word("rust|sql|care|figma|python", random))
            .collect();
        let age = format!("{} days ago", 2 + random.below(28));
        let pills: String = tags.iter().map(|tag| format!("<li class=\"tag\">{tag}</li>")).collect();
        let tag_list = match tags.is_empty() {
            true => String::new(),
            false => format!("<ul class=\"tags\">{pills}</ul>"),
        };
        let (open, class) = match make.flag(0) {
            true => (
                format!("<li class=\"job-card\" data-id=\"{}\">", 500 + at),
                "job-card__meta",
            ),
            false => ("<li class=\"css-1q2w3e\">".to_owned(), "css-9x8y7z"),
        };
        html += &format!(
            "{open}<h2><a href=\"{address}\">{title}</a></h2><div class=\"{class}\"><span>{company}</span>{}{}</div>{tag_list}<time>{age}</time></li>\n",
            around(&place, "<span>", "</span>"),
            around(&pay, "<span>", "</span>")
        );
        let said = (!tags.is_empty()).then(|| tags.concat());
        rows.push(vec![
            Some(title),
            Some(address),
            Some(company),
            place,
            pay,
            said,
            Some(age),
        ]);
    }
    (format!("<ul class=\"jobs\">{html}</ul>"), rows)
}

fn events(make: &Make, count: usize, random: &mut Random) -> (String, Vec<Row>) {
    let (mut html, mut rows) = (String::new(), Vec::new());
    for _ in 0..count {
        let title = make.value(Kind::Title, random);
        let address = link(make, random);
        let date = make.value(Kind::Date, random);
        let time = maybe(80, random, |random| make.value(Kind::Time, random));
        let place = maybe(70, random, |random| make.value(Kind::Place, random));
        let picture = maybe(60, random, |random| format!("/img/{}.webp", 1000 + random.below(9000)));
        html += &format!(
            "<article class=\"eventlist-event{}\">{}<div class=\"eventlist-column-info\"><h1 class=\"eventlist-title\"><a href=\"{address}\" class=\"eventlist-title-link\">{title}</a></h1><ul class=\"eventlist-meta\"><li class=\"eventlist-meta-item\"><time class=\"event-date\">{date}</time></li>{}{}</ul></div></article>\n",
            if picture.is_some() {
                " eventlist-event--hasimg"
            } else {
                ""
            },
            around(
                &picture,
                "<a class=\"eventlist-column-thumbnail\"><img src=\"",
                "\" alt=\"\"></a>"
            ),
            around(
                &time,
                "<li class=\"eventlist-meta-item\"><time class=\"event-time\">",
                "</time></li>"
            ),
            around(
                &place,
                "<li class=\"eventlist-meta-item eventlist-meta-address\">",
                "</li>"
            )
        );
        rows.push(vec![Some(title), Some(address), Some(date), time, place, picture]);
    }
    (format!("<div class=\"eventlist\">{html}</div>"), rows)
}

fn described(make: &Make, count: usize, random: &mut Random) -> (String, Vec<Row>) {
    let (mut html, mut rows) = (String::new(), Vec::new());
    for _ in 0..count {
        let title = make.value(Kind::Title, random);
        let address = link(make, random);
        let place = maybe(75, random, |random| make.value(Kind::Place, random));
        let deadline = maybe(85, random, |random| make.value(Kind::Date, random));
        let value = maybe(60, random, |random| make.value(Kind::Price, random));
        let status = maybe(90, random, |random| make.value(Kind::Status, random));
        let pair = |name: &str, value: &Option<String>| match make.flag(0) {
            true => around(value, &format!("<div class=\"row\"><dt>{name}</dt><dd>"), "</dd></div>"),
            false => around(
                value,
                &format!("<div><span class=\"k\">{name}</span><span class=\"v\">"),
                "</span></div>",
            ),
        };
        let list = format!(
            "{}{}{}{}",
            pair("Location", &place),
            pair("Closing date", &deadline),
            pair("Estimated value", &value),
            pair("Status", &status)
        );
        let list = if make.flag(0) {
            format!("<dl>{list}</dl>")
        } else {
            format!("<div class=\"facts\">{list}</div>")
        };
        html += &format!("<li class=\"result\"><h3><a href=\"{address}\">{title}</a></h3>{list}</li>\n");
        rows.push(vec![Some(title), Some(address), place, deadline, value, status]);
    }
    (format!("<ol class=\"results\">{html}</ol>"), rows)
}
