//! Runs that know an earlier one: pages that have not changed, records that are gone, files that are there.

use demo::server::{Answer, Request, Response, Running, start};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

const PROGRAM: &str = env!("CARGO_BIN_EXE_wrapwright");

fn command(folder: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(PROGRAM);
    command.args(args).current_dir(folder);
    command
}

/// What a run says, which must end with this code.
#[track_caller]
fn run(folder: &Path, code: i32, args: &[&str]) -> String {
    let output = command(folder, &[&["run"], args].concat()).output().expect("a run");
    let words = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(code), "{args:?}: {words}");
    words
}

fn json(folder: &Path, file: &str) -> serde_json::Value {
    let text = fs::read_to_string(folder.join(file)).expect("a file");
    serde_json::from_str(&text).expect("JSON")
}

fn lines(folder: &Path, file: &str) -> Vec<serde_json::Value> {
    let text = fs::read_to_string(folder.join(file)).expect("a file");
    text.lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect()
}

/// A shop whose items change: their prices by number, and how often each page was sent and not sent.
#[derive(Default)]
struct Shop {
    prices: BTreeMap<usize, u32>,
    sent: usize,
    not_sent: usize,
}

fn serve(shop: &Arc<Mutex<Shop>>) -> Running {
    let shop = Arc::clone(shop);
    start("127.0.0.1:0", move |request: &Request| {
        let mut shop = shop.lock().expect("a shop");
        let page = match request.path.as_str() {
            "/" => shop
                .prices
                .keys()
                .map(|item| format!("<a href='/item/{item}'>{item}</a>"))
                .collect::<String>(),
            path => match path.strip_prefix("/item/").and_then(|number| number.parse().ok()) {
                Some(item) if shop.prices.contains_key(&item) => {
                    format!("<h1>Item {item}</h1><p>Price: <b>{}</b></p>", shop.prices[&item])
                }
                _ => return Answer::Whole(Response::plain(404)),
            },
        };
        // The list has no tag: it comes each time.
        let tag = format!(
            "\"{}\"",
            page.len() * 1000 + page.bytes().map(usize::from).sum::<usize>()
        );
        let has_tag = request.path != "/";
        if has_tag && request.header("if-none-match") == Some(&tag) {
            shop.not_sent += 1;
            return Answer::Whole(Response::plain(304).with_header("ETag", tag));
        }
        shop.sent += 1;
        let response = Response::html(page);
        Answer::Whole(if has_tag {
            response.with_header("ETag", tag)
        } else {
            response
        })
    })
    .expect("a free port")
}

fn take_counts(shop: &Mutex<Shop>) -> (usize, usize) {
    let mut shop = shop.lock().expect("a shop");
    (std::mem::take(&mut shop.sent), std::mem::take(&mut shop.not_sent))
}

/// A wrapper for the items of the shop.
fn learn(folder: &Path) {
    let pages = folder.join("pages");
    fs::create_dir(&pages).expect("a directory");
    for item in 1..4 {
        let page = format!("<h1>Item {item}</h1><p>Price: <b>{}</b></p>", item * 10);
        fs::write(pages.join(format!("{item}.html")), page).expect("a page");
    }
    let rows = "page,title,price\npages/1.html,Item 1,10\npages/2.html,Item 2,20\npages/3.html,Item 3,30\n";
    fs::write(folder.join("examples.csv"), rows).expect("a file");
    let learnt = command(
        folder,
        &["learn", "pages", "--examples", "examples.csv", "-o", "w.json"],
    )
    .output();
    let learnt = learnt.expect("the program starts");
    assert!(learnt.status.success(), "{}", String::from_utf8_lossy(&learnt.stderr));
}

#[test]
fn pages_that_have_not_changed_are_neither_sent_nor_read() {
    let shop: Arc<Mutex<Shop>> = Arc::default();
    let prices = |prices: &[(usize, u32)]| shop.lock().expect("a shop").prices = prices.iter().copied().collect();
    let server = serve(&shop);
    let folder = tempfile::tempdir().expect("a directory");
    let at = folder.path();
    learn(at);
    let url = server.url();
    let go = |name: &str, more: &[&str]| {
        let (out, kept) = (format!("{name}.ndjson"), format!("runs/{name}"));
        let args = [
            "w.json",
            "--start",
            &url,
            "--follow",
            "//a",
            "--no-meta",
            "--ignore-robots",
            "--summary",
            "s.json",
        ];
        let words = run(at, 0, &[&args[..], &["-o", &out, "--run", &kept], more].concat());
        (words, lines(at, &out), json(at, "s.json"))
    };
    prices(&[(1, 10), (2, 20), (3, 30), (4, 40)]);
    let (_, records, _) = go("monday", &["--incremental"]);
    assert_eq!(records.len(), 4, "nothing was before it");
    assert_eq!(take_counts(&shop), (5, 0));
    // Item 2 costs more, item 4 is gone, item 5 is new.
    prices(&[(1, 10), (2, 25), (3, 30), (5, 50)]);
    let (_, records, summary) = go("tuesday", &["--since", "runs/monday", "--jobs", "4"]);
    let titles: Vec<&str> = records.iter().filter_map(|record| record["title"].as_str()).collect();
    assert_eq!(titles, ["Item 2", "Item 5"]);
    assert_eq!(take_counts(&shop), (3, 2), "two pages were not sent");
    assert_eq!(
        (&summary["known"], &summary["unchanged"]),
        (&2.into(), &2.into()),
        "{summary}"
    );
    let written = &summary["written"];
    assert_eq!((&written["new"], &written["gone"]), (&2.into(), &2.into()), "{summary}");
    // The run before is found; it also knows what it left out, and its recording is whole.
    fs::remove_dir_all(at.join("runs/monday")).expect("a run");
    let (words, records, summary) = go("wednesday", &["--incremental"]);
    assert!(words.contains("runs/tuesday"), "{words}");
    assert_eq!((records.len(), take_counts(&shop)), (0, (1, 4)));
    assert_eq!(summary["records"], 4, "they count as found: {summary}");
    let listed = command(at, &["runs", "runs"]).output().expect("a list");
    let listed = String::from_utf8_lossy(&listed.stdout).into_owned();
    assert!(listed.contains("2 new, 0 changed, 2 gone"), "{listed}");
    // Whatever the server says: a wrapper that has changed reads all pages again.
    let wrapper = fs::read_to_string(at.join("w.json")).expect("a wrapper");
    fs::write(at.join("w.json"), wrapper.replace("\"price\"", "\"cost\"")).expect("a file");
    let (_, records, _) = go("thursday", &["--since", "runs/wednesday"]);
    assert_eq!(records.len(), 4);
    assert!(
        records[0]["cost"].is_string() || records[0]["cost"].is_array(),
        "{records:?}"
    );
}

#[test]
fn a_run_that_ended_at_known_records_knows_the_others() {
    let shop: Arc<Mutex<Shop>> = Arc::default();
    let server = serve(&shop);
    shop.lock().expect("a shop").prices = (0..20).map(|item| (item, 10)).collect();
    let folder = tempfile::tempdir().expect("a directory");
    let at = folder.path();
    let expression = format!("doc('{}')//a/{{click /}}//h1:<item=.>", server.url());
    let go = |name: &str, more: &[&str]| {
        let (out, kept) = (format!("{name}.ndjson"), format!("runs/{name}"));
        let args = ["-e", &expression, "--ignore-robots", "-o", &out, "--run", &kept];
        run(at, 0, &[&args[..], more].concat());
        lines(at, &out).len()
    };
    assert_eq!(go("1", &[]), 20);
    assert_eq!(go("2", &["--incremental", "--stop-at-known", "3"]), 0);
    assert!(take_counts(&shop).1 < 6, "it did not go through the list");
    assert_eq!(go("3", &["--incremental"]), 0, "all of them are known");
}

/// Runs with several sets of values send the same form at the same time; the answer depends on the page before it.
#[test]
fn answers_to_forms_stay_with_their_set_of_values() {
    const ROWS: usize = 6;
    let forms: Arc<Mutex<usize>> = Arc::default();
    let counted = Arc::clone(&forms);
    let server = start("127.0.0.1:0", move |request: &Request| {
        let row = request.value("row").and_then(|row| row.parse::<usize>().ok());
        let page = match (request.path.as_str(), row) {
            ("/form", Some(_)) => {
                "<form action=/send method=post><button name=go value=1>Go</button></form>".to_owned()
            }
            ("/send", _) => {
                let referrer = request.header("referer").unwrap_or_default();
                let row: usize = referrer
                    .rsplit('=')
                    .next()
                    .and_then(|row| row.parse().ok())
                    .unwrap_or(0);
                // The last one answers first.
                std::thread::sleep(Duration::from_millis(40 * (ROWS - row) as u64));
                *counted.lock().expect("a number") += 1;
                format!("<p>{row}</p><a href='/more?row={row}'>more</a>")
            }
            ("/more", Some(_)) => return Answer::Late(Response::html("<i>more</i>"), Duration::from_secs(1)),
            _ => return Answer::Whole(Response::plain(404)),
        };
        Answer::Whole(Response::html(page))
    })
    .expect("a free port");
    let folder = tempfile::tempdir().expect("a directory");
    let at = folder.path();
    let rows: String = (0..ROWS).map(|row| format!("{row}\n")).collect();
    fs::write(at.join("rows.csv"), format!("row\n{rows}")).expect("a file");
    let expression = format!(
        "doc('{}form?row=${{row}}')//button/{{click /}}//p:<found>[.:<n=string(.)>][../a/{{click /}}//i:<more=string(.)>]",
        server.url()
    );
    let args = [
        "run",
        "-e",
        &expression,
        "--bind-file",
        "rows.csv",
        "--with-bindings",
        "--no-meta",
        "--ignore-robots",
    ];
    let mut child = command(
        at,
        &[&args[..], &["--jobs", "6", "-o", "o.ndjson", "--run", "kept"]].concat(),
    )
    .stderr(Stdio::null())
    .spawn()
    .expect("a run");
    let begun = Instant::now();
    while *forms.lock().expect("a number") < ROWS {
        assert!(begun.elapsed() < Duration::from_secs(60), "forms are sent");
        std::thread::sleep(Duration::from_millis(5));
    }
    // The answers are kept before they are used.
    std::thread::sleep(Duration::from_millis(200));
    child.kill().expect("it runs");
    child.wait().expect("a process");
    run(at, 0, &["--resume", "kept", "--jobs", "1"]);
    assert_eq!(*forms.lock().expect("a number"), ROWS, "no form was sent again");
    let found = lines(at, "o.ndjson");
    assert_eq!(found.len(), ROWS);
    for record in found {
        assert_eq!(record["n"], record["_bind"]["row"], "{record}");
    }
}

#[test]
fn files_that_records_link_to_are_downloaded_once() {
    let asked: Arc<Mutex<Vec<String>>> = Arc::default();
    let noted = Arc::clone(&asked);
    let server = start("127.0.0.1:0", move |request: &Request| {
        noted.lock().expect("a list").push(request.path.clone());
        Answer::Whole(match request.path.as_str() {
            "/" => Response::html(
                "<p>One<img src=/a.png></p><p>Two<img src='/b?x'></p><p>Three<img src=/gone.png></p><p>Four<img src=/large></p>",
            ),
            "/a.png" | "/b" => Response::new(200, "image/png", b"picture".to_vec()),
            "/large" => Response::new(200, "image/png", vec![7; 3 << 20]),
            _ => Response::plain(404),
        })
    })
    .expect("a free port");
    let folder = tempfile::tempdir().expect("a directory");
    let at = folder.path();
    let expression = format!(
        "doc('{}')//p:<item>[.:<name=string(text())>][.:<cover=string(img/@src)>]",
        server.url()
    );
    let args = [
        "-e",
        &expression,
        "--no-meta",
        "--ignore-robots",
        "--download",
        "cover",
        "--download-to",
        "covers",
    ];
    let args = [&args[..], &["--download-mb", "1", "--jobs", "4"]].concat();
    let words = run(at, 1, &[&args[..], &["-o", "o.ndjson", "--summary", "s.json"]].concat());
    assert!(words.contains("gone.png") && words.contains("/large"), "{words}");
    let found = lines(at, "o.ndjson");
    let file = found[0]["cover_file"].as_str().expect("a name");
    assert_eq!(fs::read(at.join("covers").join(file)).expect("a file"), b"picture");
    assert!(file.ends_with(".png"), "{file}");
    assert_eq!(found[0]["cover_file"], found[1]["cover_file"], "one content, one file");
    assert!(
        found[2]["cover_file"].is_null() && found[3]["cover_file"].is_null(),
        "{found:?}"
    );
    assert_eq!(json(at, "s.json")["failures_by_kind"]["download"], 2);
    // Only what failed is asked for again, and a table has the names as well.
    asked.lock().expect("a list").clear();
    run(at, 1, &[&args[..], &["-o", "o.csv"]].concat());
    let again = std::mem::take(&mut *asked.lock().expect("a list"));
    assert!(
        again.contains(&"/gone.png".to_owned()) && !again.contains(&"/a.png".to_owned()),
        "{again:?}"
    );
    let table = fs::read_to_string(at.join("o.csv")).expect("a table");
    assert!(
        table.starts_with("name,cover,cover_file\n") && table.contains(file),
        "{table}"
    );
    let words = run(at, 2, &["-e", &expression, "--download", "picture"]);
    assert!(words.contains("found no field `picture`"), "{words}");
    // A run that goes on after a kill has the same failures without asking.
    let args = [&args[..], &["-o", "k.ndjson", "--run", "kept"]].concat();
    run(at, 1, &args);
    assert_eq!(lines(at, "k.ndjson"), found);
}
