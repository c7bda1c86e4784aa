//! Wrappers of every kind over a live site, and what may go wrong on the way.

mod sites;

use demo::server::{Answer, Request, Response, Running, start};
use serde_json::{Value, json};
use sites::Place;
use std::process::Stdio;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// Nine goods on three pages of a list, each with a page of its own.
const GOODS: [(&str, &str, &str); 9] = [
    ("Kelp", "12.50", "Sea"),
    ("Moss", "7.25", "Wood"),
    ("Fern", "9.00", "Shade"),
    ("Reed", "3.75", "Pond"),
    ("Sedge", "4.10", "Bog"),
    ("Heather", "6.60", "Moor"),
    ("Thistle", "2.95", "Field"),
    ("Gorse", "8.40", "Heath"),
    ("Samphire", "11.00", "Shore"),
];

fn detail(number: usize) -> String {
    let (name, price, from) = GOODS[number];
    format!(
        "<h1>{name}</h1><img src=\"../pictures/{number}.png\"><table><tr><th>Price:</th><td>{price}</td></tr>\
         <tr><th>Origin:</th><td>{from}</td></tr></table><p><a class=more href=\"/more/{number}\">More about it</a></p>"
    )
}

fn list(page: usize, next: &str) -> String {
    let cards: String = (page * 3 - 3..page * 3)
        .map(|number| {
            let (name, price, _) = GOODS[number];
            format!("<div class=card><h2><a href=/item/{number}>{name}</a></h2><p>now at <b>{price}</b> only</p></div>")
        })
        .collect();
    format!("<nav><a href=/about>About</a></nav><h1>Goods</h1>{cards}<p class=pager>{next}</p>")
}

fn answer(request: &Request) -> Answer {
    let path = request.path.as_str();
    let page: usize = request.value("page").and_then(|page| page.parse().ok()).unwrap_or(1);
    let next = |to: usize| format!("<a href=?page={to}>Next</a>");
    let item = |path: &str| path.rsplit('/').next().and_then(|id| id.parse::<usize>().ok());
    Answer::Whole(match path {
        "/list" if page < 3 => Response::html(list(page, &next(page + 1))),
        "/list" => Response::html(list(3, "")),
        // The last page leads back to the first.
        "/circle" => Response::html(list(page, &next(page % 3 + 1))),
        "/alone" => Response::html(list(1, "")),
        // One item is gone, one is a page of another kind.
        "/holes" => Response::html(
            list(1, "")
                .replace("/item/1", "/item/gone")
                .replace("/item/2", "/about"),
        ),
        "/about" => Response::html("<h1>About us</h1><p>We sell plants. <a href=/list>All of them</a></p>"),
        "/slow" => return Answer::Late(Response::html(list(1, "")), Duration::from_secs(30)),
        "/robots.txt" => Response::plain(404),
        path if path.starts_with("/item/") => match item(path).filter(|number| *number < GOODS.len()) {
            Some(number) => Response::html(detail(number)),
            None => Response::plain(404),
        },
        _ => Response::plain(404),
    })
}

fn site() -> Running {
    start("127.0.0.1:0", answer).expect("a free port")
}

fn goods(numbers: &[usize], url: &str) -> Vec<Value> {
    numbers
        .iter()
        .map(|number| {
            let (name, price, from) = GOODS[*number];
            json!({"_page": format!("{url}item/{number}"), "name": name, "price": price, "origin": from})
        })
        .collect()
}

/// What was found, without the kind of record and without what only some kinds find.
fn found(out: &str) -> Vec<Value> {
    out.lines()
        .map(|line| {
            let record: Value = serde_json::from_str(line).expect("JSON");
            let get = |name: &str| {
                record[name]
                    .as_array()
                    .map_or(record[name].clone(), |list| list[0].clone())
            };
            json!({"_page": record["_page"], "name": get("name"), "price": get("price"), "origin": get("origin")})
        })
        .collect()
}

/// Wrappers of the five kinds, from saved pages.
fn wrappers(place: &Place) -> Vec<&'static str> {
    for number in 0..5 {
        place.write(&format!("saved/{number}.html"), detail(number));
    }
    let record = |number: usize| {
        let (name, price, from) = GOODS[number];
        json!([{"name": name, "price": price, "origin": from}])
    };
    place.write(
        "x.json",
        json!({"0.html": record(0), "1.html": record(1), "2.html": record(2)}).to_string(),
    );
    let schema = r#"{"title": "plant", "type": "object", "properties": {"name": {"type": "string"}, "price": {"type": "string"}, "origin": {"type": "string"}}}"#;
    place.write("s.json", schema);
    place.write(
        "x.oxp",
        "//body:<plant>[h1:<name=string(.)>][.//tr[1]/td:<price=string(.)>][.//tr[2]/td:<origin=string(.)>]",
    );
    place
        .run(&["infer", "saved", "--method", "landmarks", "-o", "landmarks.json"])
        .ended(0, "");
    place
        .run(&["infer", "saved", "--method", "exalg", "-o", "template.json"])
        .ended(0, "");
    place
        .run(&[
            "learn",
            "saved",
            "--examples",
            "x.json",
            "--class",
            "auto",
            "-o",
            "delimiters.json",
        ])
        .ended(0, "");
    let paths = json!({"0.html": record(0)[0], "1.html": record(1)[0]}).to_string();
    place.write("p.json", paths);
    place
        .run(&[
            "learn",
            "saved",
            "--schema",
            "s.json",
            "--examples",
            "p.json",
            "-o",
            "paths.json",
        ])
        .ended(0, "");
    place
        .run(&["learn", "saved", "--oxpath", "x.oxp", "-o", "oxpath.json"])
        .ended(0, "");
    for file in ["landmarks.json", "template.json"] {
        let fields = place.run(&["fields", file, "--json"]).ended(0, "").out;
        let fields: Value = serde_json::from_str(&fields).expect("JSON");
        let all = fields["fields"].as_array().or(fields.as_array()).expect("fields");
        let (mut keep, mut rename) = (Vec::new(), Vec::new());
        for (sample, name) in [("Kelp", "name"), ("12.50", "price"), ("Sea", "origin")] {
            let has = |field: &&Value| {
                field["samples"]
                    .as_array()
                    .is_some_and(|all| all.contains(&sample.into()))
            };
            let old = all.iter().find(has).unwrap_or_else(|| panic!("{sample}: {fields}"))["name"].clone();
            let old = old.as_str().expect("a name").to_owned();
            if old != name {
                rename.extend(["--rename".to_owned(), format!("{old}={name}")]);
            }
            keep.push(old);
        }
        let keep = keep.join(",");
        place.run(&["fields", file, "--keep", &keep]).ended(0, "wrote");
        let rename: Vec<&str> = rename.iter().map(String::as_str).collect();
        if !rename.is_empty() {
            place.run(&[&["fields", file][..], &rename].concat()).ended(0, "wrote");
        }
    }
    vec![
        "landmarks.json",
        "template.json",
        "delimiters.json",
        "paths.json",
        "oxpath.json",
    ]
}

#[test]
fn every_kind_of_wrapper_runs_over_a_site() {
    let (place, server) = (Place::new(), site());
    let url = server.url();
    for wrapper in wrappers(&place) {
        let ran = place
            .run(&["run", wrapper])
            .ended(2, "the wrapper does not say where its site begins");
        assert!(ran.words.contains("--start"), "{}", ran.words);
        let start = format!("{url}list");
        for jobs in ["1", "4"] {
            let run = ["run", wrapper, "--start", &start, "--follow", "//h2/a", "--jobs", jobs];
            let ran = place.run(&run).ended(0, "9 records from 12 pages, 0 failures");
            assert_eq!(found(&ran.out), goods(&[0, 1, 2, 3, 4, 5, 6, 7, 8], &url), "{wrapper}");
        }
        let run = |start: &str, more: &[&str]| {
            let start = format!("{url}{start}");
            place.run(&[&["run", wrapper, "--start", &start, "--follow", "//h2/a"], more].concat())
        };
        // No pager; a pager that comes back; pages that are missing or of another kind.
        run("alone", &[]).ended(0, "3 records from 4 pages");
        run("circle", &[]).ended(0, "9 records from 12 pages, 0 failures");
        run("list", &["--next", "none"]).ended(0, "3 records from 4 pages");
        run("list", &["--max-pages", "6"]).ended(0, "stopped by --max-pages");
        let ran = run("holes", &[]).ended(1, "item/gone answered 404");
        assert_eq!(
            found(&ran.out),
            goods(&[0], &url),
            "{wrapper}: {}{}",
            ran.out,
            ran.words
        );
        run("gone", &[]).ended(4, "gone answered 404");
        let like = format!("{url}item/*");
        let ran = place
            .run(&["run", wrapper, "--start", &start, "--follow", &like])
            .ended(0, "9 records");
        assert_eq!(ran.records().len(), 9);
    }
}

#[test]
fn mistakes_are_found_before_anything_is_fetched() {
    let place = Place::new();
    wrappers(&place);
    let start = "http://127.0.0.1:1/";
    place
        .run(&["run", "paths.json", "--start", start, "--follow", "//a["])
        .ended(2, "expected");
    place
        .run(&["run", "paths.json", "--start", start, "--bind", "x=1"])
        .ended(2, "has no variables");
    place
        .run(&["run", "paths.json", "--start", start, "--rows", "x", "--format", "csv"])
        .ended(2, "no nested records");
    place
        .run(&["run", "-e", "doc('x')//a:<a>", "--start", start])
        .ended(2, "navigates by itself");
    place
        .run(&["run", "paths.json", "--start", start, "--retries", "0"])
        .ended(4, "");
    place
        .run(&["infer", start, "--retries", "0", "-o", "w.json"])
        .ended(4, "");
    place.run(&["infer", start, "--follow", "//a["]).ended(2, "expected");
    assert!(!place.has("w.json"));
}

#[test]
fn an_address_is_enough_to_infer() {
    let (place, server) = (Place::new(), site());
    let url = server.url();
    let list = format!("{url}list");
    let ran = place
        .run(&["infer", &list, "-o", "w.json"])
        .ended(0, "found a list with a pager and links to /item/*");
    assert!(ran.words.contains("looking at 9 of the pages"), "{}", ran.words);
    let ran = place.run(&["run", "w.json"]).ended(0, "9 records from 12 pages");
    assert_eq!(ran.records().len(), 9);
    // A page of records has no list.
    let item = format!("{url}item/1");
    place.run(&["infer", &item]).ended(2, "found one page only");
    let circle = format!("{url}circle");
    place
        .run(&["infer", &circle, "--follow", "//h2/a", "-o", "c.json"])
        .ended(0, "links at //h2/a");
    place.run(&["run", "c.json"]).ended(0, "9 records");
    // Records on the list itself.
    let ran = place
        .run(&["infer", &list, "--follow", "none", "-o", "l.json"])
        .ended(0, "looking at 3 of its pages");
    assert!(ran.words.contains("a pager;"), "{}", ran.words);
    assert_eq!(
        place.json("l.json")["navigation"],
        json!({"start": [list], "next": "auto"})
    );
    place.run(&["run", "l.json"]).ended(0, "from 3 pages, 0 failures");
}

#[test]
fn pages_are_named_by_addresses_wherever_pages_are_read() {
    let (place, server) = (Place::new(), site());
    let url = server.url();
    wrappers(&place);
    let items: Vec<String> = (0..5).map(|number| format!("{url}item/{number}")).collect();
    place.write("urls.txt", format!("\u{feff}# some\n{}\n\n", items.join("\r\n")));
    place.write("urls.csv", format!("shop,url\nme,{}\n", items.join("\nme,")));
    let named: [&[&str]; 3] = [&[&items[0], &items[1], &items[2]], &["@urls.txt"], &["@urls.csv#url"]];
    for pages in named {
        let with = |before: &[&str], after: &[&str]| place.run(&[before, pages, after].concat());
        let ran = with(&["extract", "paths.json"], &[]).ended(0, "");
        assert!(ran.records().len() >= 3);
        assert_eq!(ran.records()[1]["_page"], items[1].as_str());
        with(&["check", "paths.json"], &[]).ended(0, "");
        with(&["repair", "paths.json"], &[]).ended(0, "works on these pages");
        with(&["query", "//h1"], &[]).ended(0, "");
        with(&["infer"], &["-o", "w.json"]).ended(0, "");
        with(&["learn"], &["--oxpath", "x.oxp", "-o", "o.json"]).ended(0, "");
    }
    let gone = format!("{url}gone");
    place
        .run(&["extract", "paths.json", &gone, &items[0]])
        .ended(1, "gone answered 404");
    place
        .run(&["extract", "paths.json", "@nowhere"])
        .ended(2, "nowhere: no such file");
    place
        .run(&["extract", "paths.json", "@urls.csv#web"])
        .ended(2, "found no column \"web\"");
}

#[test]
fn links_are_absolute_in_every_kind_and_pages_are_called_by_their_addresses() {
    let (place, server) = (Place::new(), site());
    let url = server.url();
    wrappers(&place);
    let values = "content,alt,href,src";
    place
        .run(&[
            "fetch",
            &format!("{url}list"),
            "-o",
            "pages",
            "--follow",
            "//h2/a",
            "--max-pages",
            "4",
        ])
        .ended(0, "");
    std::fs::remove_file(place.path("pages/00001-list.html")).expect("the list");
    place
        .run(&["infer", "pages", "--values", values, "-o", "l.json"])
        .ended(0, "");
    place
        .run(&[
            "infer", "pages", "--values", values, "--method", "exalg", "-o", "t.json",
        ])
        .ended(0, "");
    let links = |number: usize| json!([{"name": GOODS[number].0, "picture": format!("../pictures/{number}.png"), "more": format!("/more/{number}")}]);
    let pages = json!({"00002-0.html": links(0), "00003-1.html": links(1), "00004-2.html": links(2)});
    place.write("links.json", pages.to_string());
    place
        .run(&[
            "learn",
            "pages",
            "--examples",
            "links.json",
            "--class",
            "auto",
            "-o",
            "d.json",
        ])
        .ended(0, "");
    let schema = r#"{"title": "plant", "type": "object", "properties": {"name": {"type": "string"}, "picture": {"type": "string"}, "more": {"type": "string"}}}"#;
    place.write("s2.json", schema);
    let selected =
        json!({"00002-0.html": {"name": "Kelp", "picture": {"xpath": "//img/@src"}, "more": {"xpath": "//a/@href"}}});
    place.write("selected.json", selected.to_string());
    place
        .run(&[
            "learn",
            "pages",
            "--schema",
            "s2.json",
            "--examples",
            "selected.json",
            "-o",
            "p.json",
        ])
        .ended(0, "");
    place.write(
        "links.oxp",
        "//body:<plant>[h1:<name=string(.)>][.//img:<picture=@src>][.//a/@href:<more=string(.)>]",
    );
    place
        .run(&["learn", "pages", "--oxpath", "links.oxp", "-o", "o.json"])
        .ended(0, "");
    for wrapper in ["l.json", "t.json", "d.json", "p.json", "o.json"] {
        let ran = place.run(&["extract", wrapper, "pages"]).ended(0, "");
        assert_eq!(ran.records().len(), 3, "{wrapper}");
        for (number, record) in ran.records().iter().enumerate() {
            assert_eq!(record["_page"], format!("{url}item/{number}"), "{wrapper}");
            if wrapper != "t.json" {
                let text = record.to_string();
                assert!(
                    text.contains(&format!("\"{url}pictures/{number}.png\"")),
                    "{wrapper}: {text}"
                );
                assert!(text.contains(&format!("\"{url}more/{number}\"")), "{wrapper}: {text}");
            }
        }
        // One by one, and as they are in the source.
        let ran = place.run(&["extract", wrapper, "pages/00003-1.html"]).ended(0, "");
        assert_eq!(ran.records()[0]["_page"], format!("{url}item/1"), "{wrapper}");
    }
    let ran = place.run(&["extract", "d.json", "pages", "--raw"]).ended(0, "");
    assert!(ran.out.contains("\"/more/0\""), "{}", ran.out);
}

#[test]
fn a_page_of_another_kind_gives_no_record() {
    let (place, server) = (Place::new(), site());
    let list = format!("{}list", server.url());
    for wrapper in wrappers(&place).into_iter().filter(|name| *name != "oxpath.json") {
        let ran = place.run(&["extract", wrapper, "saved/1.html", &list]).ended(1, "");
        assert_eq!(ran.records().len(), 1, "{wrapper}: {}", ran.out);
        let ran = place.run(&["extract", wrapper, &list]).ended(1, "warning: ");
        assert_eq!(ran.out, "", "{wrapper}");
    }
    place.write("empty.html", "<p>Nothing here");
    place.run(&["extract", "paths.json", "empty.html"]).ended(1, "");
    place
        .run(&["extract", "landmarks.json", "empty.html"])
        .ended(1, "found no record on 1 page");
}

#[test]
fn a_run_ends_when_it_is_interrupted_or_nobody_reads() {
    let (place, server) = (Place::new(), site());
    wrappers(&place);
    let slow = format!("{}slow", server.url());
    let mut command = place.command(&["run", "paths.json", "--start", &slow, "-q"]);
    let mut child = command
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("a run");
    std::thread::sleep(Duration::from_millis(700));
    let begin = Instant::now();
    let pid = child.id().to_string();
    assert!(
        std::process::Command::new("kill")
            .args(["-INT", &pid])
            .status()
            .expect("kill")
            .success()
    );
    assert_eq!(child.wait().expect("an end").code(), Some(130));
    assert!(begin.elapsed() < Duration::from_secs(10), "{:?}", begin.elapsed());
    let mut command = place.command(&[
        "run",
        "paths.json",
        "--start",
        &format!("{}list", server.url()),
        "--follow",
        "//h2/a",
    ]);
    let mut child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("a run");
    drop(child.stdout.take());
    assert_eq!(
        child.wait().expect("an end").code(),
        Some(0),
        "a closed pipe is no failure"
    );
}

#[test]
fn watch_takes_its_pages_from_the_site_and_keeps_them() {
    let asked = Arc::new(AtomicUsize::new(0));
    let state = Arc::clone(&asked);
    // 0: as it is; 1: the pages of items are gone; 2: the list, too.
    let server = start("127.0.0.1:0", move |request: &Request| {
        let is_item = request.path.starts_with("/item/");
        match state.load(Ordering::SeqCst) {
            1 if is_item => Response::html("<h1>Closed</h1><p>Come back later</p>").into(),
            2 => Response::plain(503).into(),
            _ => answer(request),
        }
    })
    .expect("a free port");
    let place = Place::new();
    let list = format!("{}list", server.url());
    place.run(&["infer", &list, "-o", "w.wrapper.json"]).ended(0, "");
    let watch = [
        "watch",
        "w.wrapper.json",
        "--keep",
        "2",
        "--retries",
        "0",
        "--notify",
        "cat >> news.json",
    ];
    place.run(&watch).ended(0, "9 pages, 9 records: fine");
    assert!(!place.has("news.json"));
    let looks = || std::fs::read_dir(place.path("w.watched")).map_or(0, Iterator::count);
    assert_eq!(looks(), 1);
    asked.store(1, Ordering::SeqCst);
    std::thread::sleep(Duration::from_millis(1100));
    place
        .run(&watch)
        .ended(3, "the pages that were looked at are in w.watched/");
    asked.store(2, Ordering::SeqCst);
    std::thread::sleep(Duration::from_millis(1100));
    place.run(&watch).ended(4, "no page could be read");
    let news = place.read("news.json");
    let news: Vec<Value> = news
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    let verdicts: Vec<&str> = news.iter().filter_map(|news| news["verdict"].as_str()).collect();
    assert_eq!(verdicts, ["not repaired", "unreadable"]);
    asked.store(0, Ordering::SeqCst);
    std::thread::sleep(Duration::from_millis(1100));
    place.run(&watch).ended(0, "fine");
    assert_eq!(looks(), 2, "the last two");
    place
        .run(&[
            "watch",
            "w.wrapper.json",
            "--keep",
            "0",
            "--notify",
            "exit 7",
            "--pages",
            "nowhere",
        ])
        .ended(4, "--notify failed");
    // A wrapper that does not know its site.
    wrappers(&place);
    place
        .run(&["watch", "paths.json"])
        .ended(2, "does not say where its site begins");
}

#[test]
fn a_wrapper_is_shown_in_ten_lines() {
    let (place, server) = (Place::new(), site());
    let list = format!("{}list", server.url());
    place.run(&["infer", &list, "-o", "w.json"]).ended(0, "");
    let ran = place.run(&["show", "w.json"]).ended(0, "");
    assert!(ran.out.lines().count() <= 10, "{}", ran.out);
    for said in [
        "wrapper by landmarks",
        &list,
        "along its pager",
        "following links to /item/*",
        "for example",
        "Kelp",
    ] {
        assert!(ran.out.contains(said), "{said}: {}", ran.out);
    }
    let full = place.run(&["show", "w.json", "--full"]).ended(0, "").out;
    assert!(full.starts_with(&ran.out) && full.len() > ran.out.len(), "{full}");
    for wrapper in wrappers(&place) {
        let out = place.run(&["show", wrapper]).ended(0, "").out;
        assert!((4..=10).contains(&out.lines().count()), "{wrapper}: {out}");
    }
}
