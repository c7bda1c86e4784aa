//! Riverbend Books: the book shop of Fig. 1 in the OXPath paper.
//!
//! A form with "Search in" and "Search for" and an image button called "Go"; a list of results with links that refine
//! it by subject; a page for each title that names its publisher.

use crate::chance::Chance;
use crate::html::{Money, Part, Text, address, missing, page};
use crate::people;
use crate::server::{Request, Response};
use std::fmt::Write;
use std::sync::LazyLock;

/// A book, a map or a record.
#[derive(Clone, Debug)]
pub struct Book {
    /// Its place in the catalogue.
    pub id: usize,
    /// The department that sells it: `Books`, `Maps` or `Music`.
    pub department: &'static str,
    /// `History`, `Travel` and so on.
    pub subject: &'static str,
    /// Title.
    pub title: String,
    /// Who wrote it.
    pub author: String,
    /// Who published it.
    pub publisher: &'static str,
    /// When it was published.
    pub year: usize,
    /// How many pages it has.
    pub pages: usize,
    /// The price in pence.
    pub pence: u32,
}

impl Book {
    /// The price as the pages show it.
    #[must_use]
    pub fn price(&self) -> String {
        format!("£{}", Money(self.pence))
    }
}

const CITIES: [&str; 6] = ["Seattle", "Lisbon", "Trieste", "Halifax", "Bergen", "Valparaíso"];

/// Department, subject, titles.
const SHELVES: [(&str, &str, &[&str]); 8] = [
    (
        "Books",
        "History",
        &[
            "{}: A History in Twelve Harbours",
            "The Year {} Burned",
            "Timber, Rain and Iron: {} before the Railway",
            "Strike! {} at a Standstill",
            "The Ferrymen of {}",
            "{} Underground: Streets beneath the Streets",
            "Letters from Old {}",
            "The Cartographers of {}",
            "A Short History of {} Bread",
        ],
    ),
    (
        "Books",
        "Travel",
        &[
            "{} on Foot",
            "Slow Trains to {}",
            "{} in Four Seasons",
            "A Rucksack and a Map of {}",
        ],
    ),
    (
        "Books",
        "Fiction",
        &[
            "The Lighthouse Keeper of {}",
            "Midnight in {}",
            "Nobody Leaves {}",
            "The {} Inheritance",
            "A Quiet Murder in {}",
        ],
    ),
    (
        "Books",
        "Food & Drink",
        &[
            "The {} Kitchen",
            "Coffee and Conversation: {}",
            "Salt: Cooking by the Water in {}",
        ],
    ),
    ("Books", "Nature", &["Birds of {} and Its Shores", "Wild Gardens of {}"]),
    ("Books", "Art & Design", &["Signs of {}", "{} in Woodcuts"]),
    ("Maps", "City maps", &["{}: Folding Map", "{} Cycling Map"]),
    ("Music", "Jazz", &["Live in {}", "{} Nocturnes"]),
];

const PUBLISHERS: [&str; 8] = [
    "Heron & Daughters",
    "Tidewater Press",
    "The Blue Door",
    "Cassiopeia House",
    "Northlight Editions",
    "Wharf Street Books",
    "Pilgrim & Plover",
    "Quarry Lane Press",
];

/// Where to search.
const DEPARTMENTS: [&str; 4] = ["All departments", "Books", "Maps", "Music"];

static CATALOGUE: LazyLock<Vec<Book>> = LazyLock::new(|| {
    let mut chance = Chance::new(1);
    let mut books = Vec::new();
    for city in CITIES {
        for (department, subject, titles) in SHELVES {
            for title in titles {
                books.push(Book {
                    id: 0,
                    department,
                    subject,
                    title: title.replace("{}", city),
                    author: people::full(&mut chance),
                    publisher: chance.pick(&PUBLISHERS),
                    year: chance.between(1978, 2025),
                    pages: chance.between(12, 70) * 8,
                    pence: chance.between(5, 32) as u32 * 100 - [1, 5, 50][chance.below(3)],
                });
            }
        }
    }
    chance.shuffle(&mut books);
    for (id, book) in books.iter_mut().enumerate() {
        book.id = id;
    }
    books
});

/// The whole catalogue.
#[must_use]
pub fn all() -> &'static [Book] {
    &CATALOGUE
}

/// The books with this text in their titles, in the order of the list.
#[must_use]
pub fn matching(text: &str) -> Vec<&'static Book> {
    search("Books", text)
}

/// The items of a department with this text in their titles.
#[must_use]
pub fn search(department: &str, text: &str) -> Vec<&'static Book> {
    let text = text.trim().to_lowercase();
    all()
        .iter()
        .filter(|book| department == DEPARTMENTS[0] || book.department == department)
        .filter(|book| book.title.to_lowercase().contains(&text))
        .collect()
}

pub(crate) fn answer(request: &Request, rest: &str) -> Response {
    match rest {
        "" => page("books", "Riverbend Books", &front()),
        "search" => results(request),
        _ => match rest.strip_prefix("title/").and_then(|id| id.parse::<usize>().ok()) {
            Some(id) if id < all().len() => detail(&all()[id]),
            _ => missing("books"),
        },
    }
}

fn form(department: &str, text: &str) -> String {
    let mut out =
        String::from("<form class=\"bar\" action=\"/books/search\">\n<select name=\"in\" title=\"Search in\">");
    for name in DEPARTMENTS {
        let selected = if name == department { " selected" } else { "" };
        let _ = write!(out, "<option{selected}>{name}</option>");
    }
    let _ = write!(
        out,
        "</select>\n<input type=\"search\" name=\"for\" title=\"Search for\" value=\"{}\" placeholder=\"Title\">\n\
         <input type=\"image\" name=\"go\" alt=\"Go\" src=\"/go.svg\" width=\"46\" height=\"38\">\n</form>\n",
        Text(text)
    );
    out
}

fn front() -> String {
    let mut out =
        String::from("<h1>Riverbend Books</h1>\n<p class=\"lead\">New and second-hand, shelved by city.</p>\n");
    out += &form(DEPARTMENTS[0], "");
    out += "<h2>Shelves</h2>\n<ul class=\"tags\">\n";
    for city in CITIES {
        let href = address("/books/search", [("in", "Books"), ("for", city)]);
        let _ = writeln!(out, "<li><a href=\"{}\">{city}</a></li>", Text(&href));
    }
    out + "</ul>\n"
}

fn results(request: &Request) -> Response {
    let department = request.value("in").unwrap_or(DEPARTMENTS[0]);
    let text = request.value("for").unwrap_or("");
    let subject = request.value("subject").unwrap_or("");
    let found = search(department, text);
    let mut subjects: Vec<(&str, usize)> = Vec::new();
    for book in &found {
        match subjects.iter_mut().find(|(subject, _)| *subject == book.subject) {
            Some((_, count)) => *count += 1,
            None => subjects.push((book.subject, 1)),
        }
    }
    subjects.sort_unstable();
    let shown: Vec<&Book> = found
        .into_iter()
        .filter(|book| subject.is_empty() || book.subject == subject)
        .collect();
    let part = Part::of(&shown, 40, request.value("page"));
    let mut out = form(department, text);
    let _ = write!(
        out,
        "<div class=\"columns\">\n<aside>\n<h2>Refine</h2>\n<ul class=\"plain\">\n"
    );
    for (name, count) in subjects {
        let href = address("/books/search", [("in", department), ("for", text), ("subject", name)]);
        let _ = writeln!(
            out,
            "<li><a href=\"{}\"><span class=\"refinementLink\">{}</span> <span class=\"count\">({count})</span></a></li>",
            Text(&href),
            Text(name)
        );
    }
    let _ = write!(
        out,
        "</ul>\n</aside>\n<section>\n<h1>{} for “{}”</h1>\n",
        shown.len(),
        Text(text)
    );
    for book in part.items {
        let _ = write!(
            out,
            "<div class=\"result card\">\n<h3><a class=\"title\" href=\"/books/title/{}\">{}</a></h3>\n\
             <p class=\"by\">by {} · {}</p>\n<p><span class=\"price\">{}</span></p>\n</div>\n",
            book.id,
            Text(&book.title),
            Text(&book.author),
            Text(book.subject),
            book.price()
        );
    }
    out += &part.pager(
        "/books/search",
        &[("in", department), ("for", text), ("subject", subject)],
    );
    page("books", "Search · Riverbend Books", &(out + "</section>\n</div>\n"))
}

fn detail(book: &Book) -> Response {
    let main = format!(
        "<h1>{}</h1>\n<p class=\"by\">by {}</p>\n<p><span class=\"price\">{}</span></p>\n<h2>Details</h2>\n\
         <ul class=\"plain facts\">\n<li><b>Publisher:</b> <span>{}</span></li>\n<li><b>Year:</b> <span>{}</span></li>\n\
         <li><b>Length:</b> <span>{} pages</span></li>\n<li><b>Subject:</b> <span>{}</span></li>\n</ul>\n",
        Text(&book.title),
        Text(&book.author),
        book.price(),
        Text(book.publisher),
        book.year,
        book.pages,
        Text(book.subject)
    );
    page("books", &book.title, &main)
}
