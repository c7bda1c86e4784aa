//! Made-up sites before and after they changed, and the binary over them.
//!
//! The video shop is of the kind of the running example of the schema-guided wrapper paper (its Figures 2 and 3): a list
//! before, blocks with other labels, another order and other prices afterwards. The bookshop has a page for each book.
#![allow(dead_code, reason = "each test binary uses some of it")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

/// A directory with files, and the binary in it.
pub(crate) struct Place {
    directory: TempDir,
}

/// What a run of the binary left.
pub(crate) struct Ran {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) words: String,
}

impl Ran {
    fn new(output: &Output) -> Ran {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let ran = Ran {
            code: output.status.code(),
            out: text(&output.stdout),
            words: text(&output.stderr),
        };
        assert!(!ran.words.contains("panicked"), "{}", ran.words);
        ran
    }

    /// Ended so, and said so on standard error.
    #[track_caller]
    pub(crate) fn ended(self, code: i32, said: &str) -> Ran {
        assert_eq!(self.code, Some(code), "{}{}", self.out, self.words);
        assert!(self.words.contains(said), "expected {said:?}, found {:?}", self.words);
        self
    }

    /// Standard output as lines of JSON.
    #[track_caller]
    pub(crate) fn records(&self) -> Vec<serde_json::Value> {
        let read = |line: &str| serde_json::from_str(line).unwrap_or_else(|error| panic!("{line}: {error}"));
        self.out.lines().map(read).collect()
    }
}

impl Place {
    pub(crate) fn new() -> Place {
        Place {
            directory: tempfile::tempdir().expect("a directory"),
        }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, text: impl AsRef<[u8]>) -> &Place {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("a parent")).expect("a directory");
        fs::write(path, text).expect("a file");
        self
    }

    #[track_caller]
    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    #[track_caller]
    pub(crate) fn json(&self, name: &str) -> serde_json::Value {
        serde_json::from_str(&self.read(name)).expect("JSON")
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.path(name).exists()
    }

    /// The names of all files.
    pub(crate) fn files(&self) -> Vec<String> {
        let entries = fs::read_dir(self.directory.path()).expect("a directory").flatten();
        let mut names: Vec<String> = entries
            .map(|entry| entry.file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }

    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_wrapwright"));
        command.current_dir(self.directory.path()).args(arguments);
        command
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Ran {
        Ran::new(&self.command(arguments).output().expect("the binary runs"))
    }

    /// With something on standard input.
    pub(crate) fn piped(&self, arguments: &[&str], input: &Path) -> Ran {
        let input = fs::File::open(input).expect("a file");
        let mut command = self.command(arguments);
        Ran::new(&command.stdin(Stdio::from(input)).output().expect("the binary runs"))
    }
}

pub(crate) struct Video {
    pub(crate) name: &'static str,
    pub(crate) year: u32,
    pub(crate) director: &'static str,
    pub(crate) actors: [&'static str; 2],
    pub(crate) vhs: &'static str,
    pub(crate) dvd: &'static str,
}

const fn video(
    name: &'static str,
    year: u32,
    director: &'static str,
    actors: [&'static str; 2],
    vhs: &'static str,
    dvd: &'static str,
) -> Video {
    Video {
        name,
        year,
        director,
        actors,
        vhs,
        dvd,
    }
}

pub(crate) const VIDEOS: [Video; 5] = [
    video(
        "May Morning",
        1972,
        "Ugo Liberatore",
        ["Jane Birkin", "John Steiner"],
        "14.98",
        "15.38",
    ),
    video(
        "Blow Up",
        1966,
        "Michelangelo Antonioni",
        ["David Hemmings", "Sarah Miles"],
        "9.98",
        "12.10",
    ),
    video(
        "Wonderwall",
        1968,
        "Joe Massot",
        ["Jack MacGowran", "Iain Quarrier"],
        "11.50",
        "22.00",
    ),
    video(
        "Lucky Day",
        2002,
        "Penelope Buitenhuis",
        ["Amanda Donohoe", "Andrew Gillies"],
        "8.99",
        "13.59",
    ),
    video(
        "Evil Under the Sun",
        1982,
        "Guy Hamilton",
        ["Peter Ustinov", "Diana Rigg"],
        "10.25",
        "17.45",
    ),
];

/// The schema of Figure 3.
pub(crate) const DTD: &str = "<!ELEMENT VideoList (Video+)>
<!ELEMENT Video (Name, Director, Actors, Price)>
<!ELEMENT Name (#PCDATA)>
<!ELEMENT Director (#PCDATA)>
<!ELEMENT Actors (#PCDATA)>
<!ELEMENT Price (VHSPrice, DVDPrice)>
<!ELEMENT VHSPrice (#PCDATA)>
<!ELEMENT DVDPrice (#PCDATA)>
";

/// What is said of the first video of the page `old.html`, by value and by selectors.
pub(crate) const VIDEO_EXAMPLES: &str = r#"{"old.html": [{
    "Name": "May Morning",
    "Director": "Ugo Liberatore",
    "Actors": {"xpath": "(//tr)[1]//span"},
    "Price": {"VHSPrice": "14.98", "DVDPrice": {"css": "tr:first-child li:first-child em"}}
}]}"#;

/// The list as it was.
pub(crate) fn old_videos(videos: &[Video]) -> String {
    let rows = videos.iter().map(|v| {
        let Video {
            name,
            year,
            director,
            vhs,
            dvd,
            ..
        } = v;
        let actors = v.actors.join("; ");
        format!(
            "<tr><td><a href=\"/v/{year}\"><b>{name}</b></a> ({year})<i> directed by {director}</i><br>\
             <b>Featuring</b>: <span>{actors}</span>\
             <ul><li><b>DVD</b> - $ <em>{dvd}</em></li><li><b>VHS</b> - $ <em>{vhs}</em></li></ul></td></tr>\n"
        )
    });
    let rows: String = rows.collect();
    format!("<html><body><h2>Videos</h2><table>\n{rows}</table></body></html>\n")
}

/// The list after the change: blocks for rows, another order, labels with other words.
pub(crate) fn new_videos(videos: &[Video]) -> String {
    let blocks = videos.iter().map(|v| {
        let Video { name, year, director, vhs, dvd, .. } = v;
        let actors = v.actors.join(", ");
        format!(
            "<div class=v><p><a href=\"/w/{year}\">{name}</a> ({year}) <span class=p>DVD from $<em>{dvd}</em></span><br>\
             <span class=p>VHS from $<em>{vhs}</em></span></p><p><b>Directed by:</b> <i>{director}</i></p>\
             <p><b>Featuring:</b> <i>{actors}</i></p></div>\n"
        )
    });
    let blocks: String = blocks.collect();
    format!(
        "<html><body><div id=nav><a href=\"/\">Home</a> <a href=\"/cart\">Cart</a></div><div class=list>\n{blocks}</div></body></html>\n"
    )
}

pub(crate) struct Book {
    pub(crate) title: &'static str,
    pub(crate) by: &'static str,
    pub(crate) list: &'static str,
    pub(crate) our: &'static str,
    pub(crate) about: &'static str,
}

const fn book(
    title: &'static str,
    by: &'static str,
    list: &'static str,
    our: &'static str,
    about: &'static str,
) -> Book {
    Book {
        title,
        by,
        list,
        our,
        about,
    }
}

pub(crate) const BOOKS: [Book; 8] = [
    book(
        "Harbour Lights",
        "Ada Quill",
        "12.50",
        "9.99",
        "A quiet novel about a lighthouse keeper and her letters.",
    ),
    book(
        "The Salt Road",
        "Ben Orr",
        "22.00",
        "18.75",
        "Two brothers walk the old road to the sea, and come back as one.",
    ),
    book(
        "Kelp",
        "Mina Voss",
        "8.40",
        "6.10",
        "Everything that grows under water and what can be cooked from it.",
    ),
    book(
        "Rope Work",
        "Tom Ashdown",
        "15.00",
        "12.20",
        "Knots for sailors, climbers and people with much time.",
    ),
    book(
        "Glass Birds",
        "Ida Renn",
        "31.90",
        "27.45",
        "A history of the workshops that blew birds for two hundred years.",
    ),
    book(
        "North of Noon",
        "Paul Adeyemi",
        "18.30",
        "15.05",
        "Poems written on a ship that could not leave its port.",
    ),
    book(
        "The Tin Compass",
        "Lea Marsh",
        "11.20",
        "10.00",
        "A mystery for readers who like maps more than murders.",
    ),
    book(
        "Cold Ink",
        "Jo Harrow",
        "14.10",
        "13.35",
        "Letters that were never sent, and why that was wise.",
    ),
];

fn old_book(book: &Book, [first, second]: [(&str, &str); 2]) -> String {
    let Book { title, by, about, .. } = book;
    format!(
        "<html><head><title>{title} - Shop</title></head><body><div class=top><a href=\"/\">Home</a> <a href=\"/cart\">Cart</a></div>\
         <h1>{title}</h1><p>by <i>{by}</i></p><table><tr><td>{}</td><td>${}</td></tr><tr><td>{}</td><td>${}</td></tr></table>\
         <div class=about>{about}</div><p class=foot>All rights reserved</p></body></html>\n",
        first.0, first.1, second.0, second.1
    )
}

/// A book's page as it was.
pub(crate) fn before(book: &Book) -> String {
    old_book(book, [("List Price:", book.list), ("Our Price:", book.our)])
}

/// The same with the two prices in the other order.
pub(crate) fn swapped(book: &Book) -> String {
    old_book(book, [("Our Price:", book.our), ("List Price:", book.list)])
}

/// A book's page after a redesign.
pub(crate) fn after(book: &Book) -> String {
    let Book {
        title,
        by,
        list,
        our,
        about,
    } = book;
    format!(
        "<html><head><title>{title} | Shop</title></head><body><header><nav><a href=\"/\">Start</a></nav></header><main>\
         <section class=book><h2 class=t>{title}</h2><span class=w>by <em>{by}</em></span><div class=text>{about}</div>\
         <dl><dt>List Price:</dt><dd>${list}</dd><dt>Our Price:</dt><dd>${our}</dd></dl></section></main>\
         <footer>Write to us</footer></body></html>\n"
    )
}

/// A directory with a page for each book.
pub(crate) fn shelve(place: &Place, folder: &str, page: impl Fn(&Book) -> String) {
    for (number, book) in BOOKS.iter().enumerate() {
        place.write(&format!("{folder}/{number}.html"), page(book));
    }
}

/// The video shop with a wrapper, `v.wrapper.json`, that was learned from one example.
pub(crate) fn video_shop() -> Place {
    let place = Place::new();
    place
        .write("videos.dtd", DTD)
        .write("ex.json", VIDEO_EXAMPLES)
        .write("old.html", old_videos(&VIDEOS))
        .write("new.html", new_videos(&VIDEOS));
    place
        .run(&[
            "learn",
            "--schema",
            "videos.dtd",
            "--examples",
            "ex.json",
            "old.html",
            "-o",
            "v.wrapper.json",
        ])
        .ended(0, "paths to 5 fields from 1 page");
    place
}

/// Records of the videos of the changed page.
pub(crate) fn new_records() -> Vec<serde_json::Value> {
    let each = VIDEOS.iter().map(|v| {
        serde_json::json!({
            "Name": v.name, "Director": v.director, "Actors": v.actors.join(", "),
            "Price": {"VHSPrice": v.vhs, "DVDPrice": v.dvd},
        })
    });
    each.collect()
}

/// What a wrapper gives on pages.
#[track_caller]
pub(crate) fn extracted(place: &Place, wrapper: &str, pages: &str) -> Vec<serde_json::Value> {
    place
        .run(&["extract", "--no-meta", wrapper, pages])
        .ended(0, "")
        .records()
}
