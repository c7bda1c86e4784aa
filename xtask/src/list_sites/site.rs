//! Draws the make of a site, and writes its pages.
//!
//! A site is drawn once: which fields its records have, how they are written, and what is around them. Its pages then differ in values, in
//! the number of records, and in which optional fields are there. Only sites are drawn that a reader can tell: a field without a label, class or cell of its own is optional only
//! if its texts are told by how they are written.

use super::values::{KINDS, Kind, Style, heading, word};
use std::collections::BTreeSet;
use xtask::random::Random;

/// How records are made.
const MAKES: &str =
    "table headed|table bare|divs|articles|items in text|items|terms|lines|paragraphs|cards|siblings|cell lines";
/// What may be around a list.
const AROUND: &str = "menu|sidebar|form|pager|footer|related|breadcrumb|count line|layout table";
/// What may disturb a list.
const NOISE: &str =
    "row classes|row ids|adverts|second headings|groups|nbsp|empty elements|badge|constant|joined cell|sign in title";

/// A field of the records of a site.
#[derive(Clone, Debug)]
pub(super) struct Field {
    pub(super) kind: Kind,
    /// In how many of a hundred records it is.
    pub(super) rate: usize,
    pub(super) label: &'static str,
    class: String,
}

/// The make of a site.
#[derive(Clone, Debug)]
pub(super) struct Site {
    pub(super) make: &'static str,
    pub(super) fields: Vec<Field>,
    /// Names of what was drawn.
    pub(super) features: BTreeSet<String>,
    style: Style,
    sign: &'static str,
    linked: bool,
    classes: &'static str,
}

/// A page and what it says.
#[derive(Clone, Debug)]
pub(super) struct Made {
    pub(super) html: String,
    /// For each record a value for each field, then that of the heading above it, if the site has groups.
    pub(super) rows: Vec<Vec<Option<String>>>,
}

impl Site {
    pub(super) fn draw(random: &mut Random) -> Site {
        let make = word(MAKES, random);
        let mut features = BTreeSet::new();
        for name in AROUND.split('|') {
            if random.chance(if name == "layout table" { 10 } else { 40 }) {
                features.insert(format!("around: {name}"));
            }
        }
        let is_table = make.starts_with("table");
        let is_text = ["items in text", "paragraphs"].contains(&make);
        for name in NOISE.split('|') {
            let fits = match name {
                "second headings" => make == "table headed",
                "constant" | "empty elements" => is_table || make == "divs",
                "joined cell" => is_table,
                "sign in title" => is_text,
                "badge" => !is_table,
                _ => true,
            };
            if fits && random.chance(if name == "groups" { 12 } else { 18 }) {
                features.insert(format!("noise: {name}"));
            }
        }
        let classes = if is_text {
            "none"
        } else {
            *random.pick(&["named", "none", "generated"])
        };
        let mut style = Style::draw(random);
        let sign = *random.pick(&[" - ", " | ", ", ", " – "]);
        // A comma is in dates and places, too.
        let sign = if is_text && sign == ", " { " · " } else { sign };
        if features.contains("noise: sign in title") {
            style.sign = Some(sign);
        }
        let mut kinds = KINDS.to_vec();
        if !is_table && make != "divs" && make != "cards" {
            kinds.retain(|kind| *kind != Kind::Tags);
        }
        if is_text || make.contains("lines") {
            kinds.retain(|kind| ![Kind::Image, Kind::Description].contains(kind));
        }
        let labels = *random.pick(&["none", "text", "bold", "bold out", "own", "none"]);
        let labels = if is_table { "none" } else { labels };
        let mut chosen = vec![Kind::Title];
        for _ in 0..1 + random.below(5) {
            let at = random.below(kinds.len());
            chosen.push(kinds.remove(at));
        }
        // Pictures come first, links and prose last.
        chosen[1..].sort_by_key(|kind| matches!(kind, Kind::Description | Kind::Agenda | Kind::Minutes));
        let kept = features.contains("noise: empty elements") || is_table;
        let mut fields = Vec::new();
        for kind in chosen {
            let plain = matches!(kind, Kind::Title | Kind::Description) || !kind.is_text();
            let label = if plain { "none" } else { labels };
            let marked = kept || label != "none" || kind.is_told() || classes != "none" && !make.contains("lines");
            let rate = match kind != Kind::Title && marked {
                true => *random.pick(&[100, 100, 95, 75, 50, 20]),
                false => 100,
            };
            let class = match classes {
                "named" => kind.label().to_lowercase(),
                _ => format!("css-{:x}", 4096 + random.below(60000)),
            };
            fields.push(Field {
                kind,
                rate,
                label,
                class,
            });
        }
        let linked = random.chance(75) || make == "paragraphs";
        features.insert(format!("make: {make}"));
        features.insert(format!("classes: {classes}"));
        if is_text {
            features.insert(format!("sign:{sign}"));
        }
        features.insert(format!("title: {}", if linked { "link" } else { "text" }));
        Site {
            make,
            fields,
            features,
            style,
            sign,
            linked,
            classes,
        }
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.features.contains(name)
    }

    /// How many values a row has.
    pub(super) fn attributes(&self) -> usize {
        self.fields.len() + usize::from(self.has("noise: groups"))
    }

    /// A page with so many records.
    pub(super) fn page(&self, count: usize, random: &mut Random) -> Made {
        let mut rows: Vec<Vec<Option<String>>> = Vec::new();
        for _ in 0..count {
            let mut value = |field: &Field| random.chance(field.rate).then(|| self.style.value(field.kind, random));
            rows.push(self.fields.iter().map(&mut value).collect());
        }
        let badge = random.below(count.max(2));
        let advert = (self.has("noise: adverts") && count > 2).then(|| 1 + random.below(count - 1));
        let again = (self.has("noise: second headings") && count > 4).then_some(count / 2);
        let mut parts: Vec<(Option<String>, String)> = vec![(None, String::new())];
        let mut left = 0;
        for (at, row) in rows.iter_mut().enumerate() {
            if self.has("noise: groups") {
                if left == 0 {
                    left = 1 + random.below(5);
                    parts.push((Some(heading(parts.len(), random)), String::new()));
                }
                left -= 1;
            }
            let (group, html) = parts.last_mut().expect("there is always one");
            if advert == Some(at) {
                html.push_str(&self.between("Advertisement: all our offers"));
            }
            if again == Some(at) {
                html.push_str(&self.headings());
            }
            html.push_str(&self.record(row, at, count, at == badge, random));
            if self.has("noise: groups") {
                row.push(group.clone());
            }
        }
        let mut list = String::new();
        let is_split = ["terms", "items", "items in text", "cards"].contains(&self.make);
        let mut open = String::new();
        for (group, html) in &parts {
            match group {
                Some(group) if is_split => list.push_str(&format!("<h3>{group}</h3>{}", self.container(html))),
                Some(group) => open.push_str(&format!("{}{html}", self.group(group))),
                None => open.push_str(html),
            }
        }
        if !open.is_empty() {
            list = self.container(&open);
        }
        if count == 0 {
            list = format!("<p>Nothing was found.</p>{}", self.container(""));
        }
        Made {
            html: self.frame(&list, count, random),
            rows,
        }
    }

    /// The value as it stands in its element.
    fn piece(&self, kind: Kind, value: &str, random: &mut Random) -> String {
        let text = value.replace('&', "&amp;");
        match kind {
            Kind::Title if self.linked => format!("<a href=\"/item/{}\">{text}</a>", 100 + random.below(9000)),
            Kind::Image => format!("<img src=\"{text}\" alt=\"\">"),
            Kind::Agenda | Kind::Minutes => format!("<a href=\"{text}\">{}</a>", kind.label()),
            Kind::Tags => value
                .split(' ')
                .map(|tag| format!("<span class=\"tag\">{tag}</span> "))
                .collect(),
            _ if self.has("noise: nbsp") => format!("&nbsp;{text} "),
            _ => text,
        }
    }

    fn labelled(&self, field: &Field, value: &str, random: &mut Random) -> String {
        let (piece, label) = (self.piece(field.kind, value, random), field.kind.label());
        match field.label {
            "text" => format!("{label}: {piece}"),
            "bold" => format!("<b>{label}:</b> {piece}"),
            "bold out" => format!("<b>{label}</b>: {piece}"),
            "own" => format!("<span class=\"label\">{label}</span> <span>{piece}</span>"),
            _ => piece,
        }
    }

    fn record(&self, row: &[Option<String>], at: usize, count: usize, badge: bool, random: &mut Random) -> String {
        let class = |name: &str| match self.classes {
            "none" => String::new(),
            _ => format!(" class=\"{name}\""),
        };
        let mut extra = match self.has("noise: row classes") {
            true => {
                let end = if at == 0 {
                    " first"
                } else if at + 1 == count {
                    " last"
                } else {
                    ""
                };
                format!(" class=\"{}{end}\"", if at.is_multiple_of(2) { "odd" } else { "even" })
            }
            false => String::new(),
        };
        if self.has("noise: row ids") {
            extra.push_str(&format!(" id=\"post-{}\"", 10000 + random.below(80000)));
        }
        let keeps = self.has("noise: empty elements");
        let constant = if self.has("noise: constant") {
            Some("Public")
        } else {
            None
        };
        let mut pieces: Vec<(&Field, String)> = Vec::new();
        for (field, value) in self.fields.iter().zip(row) {
            match value {
                Some(value) => pieces.push((field, self.labelled(field, value, random))),
                None if keeps || self.make.starts_with("table") => {
                    pieces.push((field, if keeps { "&nbsp;".to_owned() } else { String::new() }));
                }
                None => {}
            }
        }
        if badge && self.linked && self.has("noise: badge") {
            pieces[0].1.push_str(" <em class=\"badge\">New</em>");
        }
        let rest = &pieces[1..];
        let title = &pieces[0].1;
        let each = |before: &str, after: &str| -> String {
            rest.iter()
                .map(|(_, piece)| format!("{before}{piece}{after}"))
                .collect()
        };
        let joined = |sign: &str| {
            pieces
                .iter()
                .map(|(_, piece)| piece.as_str())
                .collect::<Vec<_>>()
                .join(sign)
        };
        match self.make {
            "table headed" | "table bare" => {
                let mut cells: Vec<String> = pieces.iter().map(|(_, piece)| piece.clone()).collect();
                cells.extend(constant.map(str::to_owned));
                if self.has("noise: joined cell") {
                    let second = cells.remove(1);
                    cells[0].push_str(&format!("<br>{second}"));
                }
                let cells: String = cells.iter().map(|cell| format!("<td>{cell}</td>")).collect();
                format!("<tr{extra}>{cells}</tr>\n")
            }
            "divs" => {
                let extra = if extra.contains("class") {
                    extra
                } else {
                    format!("{}{extra}", class("entry"))
                };
                let parts: String = pieces
                    .iter()
                    .map(|(field, piece)| format!("<div{}>{piece}</div>", class(&field.class)))
                    .collect();
                let constant = constant.map_or(String::new(), |text| format!("<div{}>{text}</div>", class("kind")));
                format!("<div{extra}>{parts}{constant}</div>\n")
            }
            "articles" => {
                let part = |(field, piece): &(&Field, String)| match field.kind {
                    Kind::Description => format!("<p>{piece}</p>"),
                    Kind::Date => format!("<time>{piece}</time> "),
                    _ => format!("<span{}>{piece}</span> ", class(&field.class)),
                };
                format!(
                    "<article{extra}><h3>{title}</h3>{}</article>\n",
                    rest.iter().map(part).collect::<String>()
                )
            }
            "items in text" => format!("<li{extra}>{}</li>\n", joined(self.sign)),
            "items" => {
                let part = |(field, piece): &(&Field, String)| format!(" <span{}>{piece}</span>", class(&field.class));
                format!("<li{extra}>{title}{}</li>\n", rest.iter().map(part).collect::<String>())
            }
            "terms" => format!("<dt{extra}>{title}</dt>{}\n", each("<dd>", "</dd>")),
            "lines" => format!("<div{extra}>{}</div>\n", joined("<br>\n")),
            "cell lines" => format!("<tr{extra}><td>{}</td></tr>\n", joined("<br>\n")),
            "paragraphs" => {
                let rest: Vec<&str> = rest.iter().map(|(_, piece)| piece.as_str()).collect();
                format!("<p{extra}><b>{title}</b> {}</p>\n", rest.join(self.sign))
            }
            "cards" => {
                let parts: String = rest
                    .iter()
                    .map(|(field, piece)| format!("<div{}><div>{piece}</div></div>", class(&field.class)))
                    .collect();
                let extra = if extra.contains("class") {
                    extra
                } else {
                    format!(" class=\"card\"{extra}")
                };
                format!("<div{extra}><div class=\"card-body\"><h4>{title}</h4><div>{parts}</div></div></div>\n")
            }
            _ => format!("<h4{extra}>{title}</h4>{}\n", each("<p>", "</p>")),
        }
    }

    fn columns(&self) -> usize {
        self.fields.len() + usize::from(self.has("noise: constant")) - usize::from(self.has("noise: joined cell"))
    }

    fn headings(&self) -> String {
        let mut names: Vec<&str> = self.fields.iter().map(|field| field.kind.label()).collect();
        names.extend(self.has("noise: constant").then_some("Access"));
        if self.has("noise: joined cell") {
            names.remove(1);
        }
        let cells: String = names.iter().map(|name| format!("<th>{name}</th>")).collect();
        format!("<tr>{cells}</tr>\n")
    }

    fn between(&self, text: &str) -> String {
        match self.make {
            "table headed" | "table bare" | "cell lines" => {
                format!("<tr class=\"ad\"><td colspan=\"{}\">{text}</td></tr>\n", self.columns())
            }
            "items" | "items in text" => format!("<li class=\"ad\">{text}</li>\n"),
            "terms" => String::new(),
            _ => format!("<div class=\"ad\">{text}</div>\n"),
        }
    }

    fn group(&self, text: &str) -> String {
        match self.make {
            "table headed" | "table bare" | "cell lines" => {
                format!("<tr><th colspan=\"{}\">{text}</th></tr>\n", self.columns())
            }
            _ => format!("<h2>{text}</h2>\n"),
        }
    }

    fn container(&self, records: &str) -> String {
        match self.make {
            "table headed" => format!(
                "<table><thead>{}</thead><tbody>{records}</tbody></table>",
                self.headings()
            ),
            "table bare" | "cell lines" => format!("<table>{records}</table>"),
            "items" | "items in text" => format!("<ul>{records}</ul>"),
            "terms" => format!("<dl>{records}</dl>"),
            _ => format!("<div class=\"results\">{records}</div>"),
        }
    }

    /// What is around the list.
    fn frame(&self, list: &str, count: usize, random: &mut Random) -> String {
        let part = |name: &str, html: &str| {
            if self.has(&format!("around: {name}")) {
                html.to_owned()
            } else {
                String::new()
            }
        };
        let mut short = |count: usize| -> String {
            let mut item = |_| {
                let (title, date) = (
                    self.style.value(Kind::Title, random),
                    self.style.value(Kind::Date, random),
                );
                format!(
                    "<li><a href=\"/news/{}\">{title}</a> <span>{date}</span></li>",
                    random.below(5000)
                )
            };
            (0..count).map(&mut item).collect()
        };
        let menu = part(
            "menu",
            "<ul class=\"nav\"><li><a href=\"/\">Home</a></li><li><a href=\"/about\">About us</a></li><li><a href=\"/news\">News</a></li><li><a href=\"/services\">Services</a></li><li><a href=\"/contact\">Contact</a></li></ul>\n",
        );
        let crumbs = part(
            "breadcrumb",
            "<div class=\"crumbs\"><a href=\"/\">Home</a> &gt; <a href=\"/services\">Services</a> &gt; Overview</div>\n",
        );
        let form = part(
            "form",
            "<form action=\"/search\"><input name=\"q\"><select name=\"y\"><option>All</option><option>2023</option><option>2024</option></select><input type=\"submit\" value=\"Search\"></form>\n",
        );
        let line = part("count line", &format!("<p>{count} entries were found.</p>\n"));
        let pager = part(
            "pager",
            "<div class=\"pager\"><a href=\"?p=1\">1</a> <a href=\"?p=2\">2</a> <a href=\"?p=3\">3</a> <a href=\"?p=2\">Next</a></div>\n",
        );
        let side = part(
            "sidebar",
            &format!("<div id=\"side\"><h3>Latest news</h3><ul>{}</ul></div>\n", short(3)),
        );
        let related = part(
            "related",
            &format!(
                "<div class=\"related\"><h3>You may also like</h3><ul>{}</ul></div>\n",
                short(4)
            ),
        );
        let footer = part(
            "footer",
            "<div id=\"footer\"><a href=\"/imprint\">Imprint</a> | <a href=\"/privacy\">Privacy</a> | Phone 555 1234</div>\n",
        );
        let main = format!("<h1>Overview</h1>\n{form}{line}{list}\n{pager}");
        let body = match self.has("around: layout table") {
            true => format!("{crumbs}<table><tr><td>{menu}{side}</td><td>{main}{related}</td></tr></table>{footer}"),
            false => format!("{menu}{crumbs}<div id=\"main\">{main}</div>{side}{related}{footer}"),
        };
        format!("<!DOCTYPE html>\n<html><head><title>Overview</title></head><body>\n{body}</body></html>\n")
    }
}
