//! Every example, run by the binary on the demo, gives what the demo has; and `wrapwright demo` starts and stops.

use demo::server::{self, Running};
use demo::{Demo, books, flights, scholar, shop, stocks};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read};
use std::net::TcpListener;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

fn serve() -> Running {
    server::start("127.0.0.1:0", Demo).expect("a port")
}

/// Runs an example on a demo of its own; records as they were written, without our own keys.
#[track_caller]
fn records(example: &str, bindings: &[&str]) -> Vec<Value> {
    let running = serve();
    let output = run(&running, example, bindings);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{stderr}");
    assert!(stderr.contains(", 0 failures"), "{stderr}");
    assert!(!stderr.contains("arning"), "{stderr}");
    String::from_utf8_lossy(&output.stdout)
        .lines()
        .map(|line| single(serde_json::from_str(line).expect("a line of JSON")))
        .collect()
}

/// The expressions of the paper have no positions, so their fields are arrays. These tests are about the values: an array of
/// one text is that text, and one of nothing is absent.
fn single(value: Value) -> Value {
    match value {
        Value::Array(values) if values.len() == 1 && values[0].is_string() => values[0].clone(),
        Value::Array(values) => values.into_iter().map(single).collect(),
        Value::Object(fields) => {
            let there = fields
                .into_iter()
                .filter(|(_, value)| value.as_array().is_none_or(|values| !values.is_empty()));
            there.map(|(name, value)| (name, single(value))).collect()
        }
        other => other,
    }
}

fn run(running: &Running, example: &str, bindings: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_wrapwright"));
    command.args(["run", "--no-meta"]);
    command.arg(format!("{}/../../examples/{example}", env!("CARGO_MANIFEST_DIR")));
    command.arg(format!("--bind=site={}", running.url()));
    command.args(bindings.iter().map(|binding| format!("--bind={binding}")));
    command.output().expect("a run")
}

/// Typed fields, with parts that are imported.
#[test]
fn reviews() {
    let found = shop::search(&shop::Search {
        category: "Lighting",
        ..Default::default()
    });
    let expected: Vec<Value> = found[..shop::PER_PAGE]
        .iter()
        .flat_map(|product| &product.reviews)
        .map(
            |review| json!({"title": review.title, "author": review.author, "day": review.date, "stars": review.stars}),
        )
        .collect();
    assert!(expected.len() > 10);
    assert_eq!(records("reviews.oxp", &[]), expected);
}

#[test]
fn members() {
    let found = records("members.oxp", &["password=lighthouse"]);
    let plain = records("login.oxp", &["password=lighthouse"]);
    assert_eq!(found.len(), plain.len());
    for (typed, plain) in found.iter().zip(&plain) {
        assert_eq!(typed["name"], plain["name"]);
        for field in ["list", "yours"] {
            let written = plain[field].as_str().expect("a text").trim_start_matches('$');
            assert_eq!(typed[field].as_f64(), written.parse().ok(), "{field}");
        }
    }
}

#[test]
fn seattle_books() {
    let expected: Vec<Value> = books::matching("Seattle")
        .into_iter()
        .filter(|book| book.subject == "History")
        .map(|book| json!({"title": book.title, "publisher": book.publisher, "price": book.price()}))
        .collect();
    assert_eq!(records("seattle-books.oxp", &[]), expected);
    assert!(expected.len() > 5);
}

#[test]
fn citations() {
    let expected: Vec<Value> = scholar::matching("world wide web")
        .into_iter()
        .map(|paper| {
            let mut record = json!({"title": paper.title, "authors": paper.authors});
            let citing: Vec<Value> = scholar::citing(paper)
                .into_iter()
                // The expression of the paper reads the first page of those.
                .take(scholar::PER_PAGE)
                .map(|paper| json!({"title": paper.title, "authors": paper.authors}))
                .collect();
            if !citing.is_empty() {
                record["cited_by"] = citing.into();
            }
            record
        })
        .collect();
    assert_eq!(records("citations.oxp", &[]), expected);
    assert!(expected.len() > 3 * scholar::PER_PAGE);
}

/// The expression of the paper's comparison with other programs (section 6), with a marker to count what it reaches.
#[test]
fn the_citation_graph_to_a_depth_of_three() {
    fn reached(papers: &[&scholar::Paper], depth: usize) -> usize {
        let shown = &papers[..papers.len().min(scholar::PER_PAGE)];
        let cited = shown.iter().filter(|paper| depth > 0 && !paper.cited_by.is_empty());
        let below: usize = cited.map(|paper| reached(&scholar::citing(paper), depth - 1)).sum();
        shown.len() + below
    }
    let running = serve();
    let expression = format!(
        "doc('{}scholar/')/descendant::field()[1]/{{'Seattle'}}/following::field()[1]/{{click /}}\
         /(//a[string(.)#='Cited by']/{{click/}})*{{0,3}}//div.gs_r:<paper>",
        running.url()
    );
    let output = Command::new(env!("CARGO_BIN_EXE_wrapwright"))
        .args(["run", "--no-meta", "-e", &expression])
        .output()
        .expect("a run");
    assert_eq!(output.status.code(), Some(0));
    let expected = reached(&scholar::matching("Seattle"), 3);
    assert_eq!(String::from_utf8_lossy(&output.stdout).lines().count(), expected);
    assert!(expected > 200);
}

#[test]
fn non_stop_flights() {
    let expected: Vec<Value> = flights::between("London", "Seattle")
        .into_iter()
        .filter(|flight| flight.stops() == 0)
        .map(|flight| json!({"price": flight.price(), "plane": flight.legs[0].plane}))
        .collect();
    assert_eq!(records("flights.oxp", &[]), expected);
    assert!(expected.len() > 3);
}

#[test]
fn stock_quotes() {
    let expected: Vec<Value> = stocks::index("^FTAS")
        .into_iter()
        .map(|stock| {
            let mut record = json!({"name": stock.name, "marketCap": stock.market_cap_text()});
            match stock.change {
                1.. => record["changeUp"] = format!("+{}", stock.change_text()).into(),
                0 => {}
                _ => record["changeDown"] = format!("-{}", stock.change_text()).into(),
            }
            record
        })
        .collect();
    assert_eq!(records("stocks.oxp", &[]), expected);
    assert!(expected.len() > 20);
}

#[test]
fn lamps_with_reviews() {
    let found = shop::search(&shop::Search {
        words: "lamp",
        category: "Lighting",
        in_stock: true,
        sort: shop::Sort::Price,
    });
    let expected: Vec<Value> = found
        .into_iter()
        .map(|lamp| {
            let mut record = json!({
                "name": lamp.name,
                "price": lamp.price().trim_start_matches('$'),
                "maker": lamp.maker,
                "material": lamp.material,
            });
            let review = |review: &shop::Review| {
                json!({
                    "title": review.title,
                    "author": review.author,
                    "date": review.date,
                    "stars": review.stars.to_string(),
                    "text": review.text,
                })
            };
            if !lamp.reviews.is_empty() {
                record["review"] = lamp.reviews.iter().map(review).collect();
            }
            record
        })
        .collect();
    assert_eq!(records("shop.oxp", &[]), expected);
    assert!(expected.len() > 2 * shop::PER_PAGE);
}

#[test]
fn member_prices() {
    let expected: Vec<Value> = shop::for_members()
        .into_iter()
        .map(|product| json!({"name": product.name, "list": product.price(), "yours": product.member_price()}))
        .collect();
    let password = format!("password={}", shop::PASSWORD);
    assert_eq!(records("login.oxp", &[&password]), expected);
    assert_eq!(
        records("login.oxp", &["password=guess"]),
        [json!({"message": "Wrong name or password. Please try again."})]
    );
}

/// The binary serving, killed if a test fails before it is stopped.
struct Served(Child);

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn spawn(port: &str) -> Served {
    let child = Command::new(env!("CARGO_BIN_EXE_wrapwright"))
        .args(["demo", "--port", port])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary");
    Served(child)
}

#[test]
fn the_command_serves_until_it_is_interrupted() {
    for signal in ["-INT", "-TERM"] {
        let mut served = spawn("0");
        let mut line = String::new();
        let out = served.0.stdout.take().expect("a pipe");
        BufReader::new(out).read_line(&mut line).expect("an address");
        let url = line.trim_end();
        assert!(url.starts_with("http://127.0.0.1:") && url.ends_with('/'), "{url}");
        let output = Command::new(env!("CARGO_BIN_EXE_wrapwright"))
            .args([
                "run",
                "--no-meta",
                "-e",
                &format!("doc('{url}')//h1:<page>[.:<title=.>]"),
            ])
            .output()
            .expect("a run");
        assert_eq!(
            String::from_utf8_lossy(&output.stdout),
            "{\"title\":\"A small web to practise on\"}\n"
        );
        let killed = Command::new("kill").args([signal, &served.0.id().to_string()]).status();
        assert!(killed.expect("a signal").success());
        let begun = Instant::now();
        let status = loop {
            if let Some(status) = served.0.try_wait().expect("a status") {
                break status;
            }
            assert!(begun.elapsed() < Duration::from_secs(20), "it does not stop");
            std::thread::sleep(Duration::from_millis(20));
        };
        assert_eq!(status.code(), Some(0));
        let mut words = String::new();
        let err = served.0.stderr.as_mut().expect("a pipe");
        err.read_to_string(&mut words).expect("words");
        assert!(
            words.contains(&format!("examples/shop.oxp --bind site={url}")),
            "{words}"
        );
        assert!(words.contains("--bind password=lighthouse"), "{words}");
        assert!(words.ends_with("stopped\n"), "{words}");
    }
}

#[test]
fn a_port_that_is_taken_is_an_error_with_a_way_out() {
    let taken = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = taken.local_addr().expect("an address").port().to_string();
    let output = Command::new(env!("CARGO_BIN_EXE_wrapwright"))
        .args(["demo", "--port", &port])
        .output()
        .expect("the binary");
    assert_eq!(output.status.code(), Some(4));
    assert!(output.stdout.is_empty());
    assert_eq!(
        String::from_utf8_lossy(&output.stderr),
        format!(
            "error: cannot listen on port {port} of 127.0.0.1: it is taken, perhaps by another demo\n  hint: choose \
             another with --port N, or any free one with --port 0\n"
        )
    );
}
