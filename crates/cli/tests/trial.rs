//! Tests of expressions and wrappers, made and run by the binary.

use demo::server::{self, Answer, Request, Response, Running, Site};
use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

fn test(folder: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_wrapwright"))
        .arg("test")
        .args(args)
        .current_dir(folder)
        .output()
        .expect("a run")
}

fn told(output: &Output) -> (Option<i32>, String, String) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

/// A shelf of two books; one costs more after a while.
struct Shelf(Arc<AtomicBool>);

impl Site for Shelf {
    fn answer(&self, request: &Request) -> Answer {
        if request.path != "/" {
            return Response::plain(404).into();
        }
        let price = if self.0.load(Ordering::Relaxed) { "8.00" } else { "7.25" };
        Response::html(format!("<li><b>Kelp</b> <i>{price}</i><li><b>Tides</b> <i>9.50</i>")).into()
    }
}

fn shelf() -> (Running, Arc<AtomicBool>) {
    let dearer = Arc::new(AtomicBool::new(false));
    let server = server::start("127.0.0.1:0", Shelf(Arc::clone(&dearer))).expect("a free port");
    (server, dearer)
}

const BOOKS: &str = "doc($site)//li:<book>[b:<title=string(.)>][i:<price=string(.)>]";

#[test]
fn a_test_of_an_expression() {
    let folder = tempfile::tempdir().expect("a directory");
    let place = folder.path();
    fs::write(place.join("books.oxp"), BOOKS).expect("a file");
    let (server, dearer) = shelf();
    let site = format!("site={}", server.url());
    let made = told(&test(place, &["--record", "tests/books", "books.oxp", "--bind", &site]));
    assert_eq!((made.0, made.1.as_str()), (Some(0), ""), "{}", made.2);
    assert_eq!(made.2, "wrote tests/books: 2 records in expected.ndjson\n");
    let kept = fs::read_to_string(place.join("tests/books/test.json")).expect("a test");
    assert!(kept.contains("\"../../books.oxp\""), "{kept}");

    let right = told(&test(place, &["tests"]));
    assert_eq!(
        right,
        (
            Some(0),
            "✓ tests/books: 2 records as expected\n".to_owned(),
            String::new()
        )
    );

    // The site changes: the recording does not know, the site does.
    dearer.store(true, Ordering::Relaxed);
    assert_eq!(told(&test(place, &["tests"])).0, Some(0));
    let live = told(&test(place, &["tests", "--live"]));
    let differs =
        "✗ tests/books: expected 2 records, found 2\n  ~ record 1 (Kelp)\n      price: [\"7.25\"] → [\"8.00\"]\n";
    assert_eq!(live, (Some(3), differs.to_owned(), String::new()));

    // The expression changes: that shows without the site.
    drop(server);
    fs::write(place.join("books.oxp"), BOOKS.replace("//li:", "//li[2]:")).expect("a file");
    let (code, out, _) = told(&test(place, &["tests"]));
    assert_eq!(code, Some(3));
    assert!(
        out.contains("expected 2 records, found 1") && out.contains("- {"),
        "{out}"
    );
    assert_eq!(told(&test(place, &["tests", "--accept"])).0, Some(0));
    assert_eq!(told(&test(place, &["tests"])).0, Some(0));
}

/// The demo shop is recorded; after its redesign the same test is red, and the differences say what became of each field.
#[test]
fn the_demo_shop_is_redesigned() {
    let folder = tempfile::tempdir().expect("a directory");
    let place = folder.path();
    let lamps = "doc(concat($site, 'shop/search?category=Lighting'))//a[@href ~ '/product/']:<product>\
                 [.:<name(required)=string(.)>][? (../following-sibling::p.maker)[1]:<maker=string(.)>]\
                 [? (../..//span.price)[1]:<price=number(substring-after(., '$'))>]";
    fs::write(place.join("lamps.oxp"), lamps).expect("a file");
    let server = server::start("127.0.0.1:0", demo::Demo).expect("a free port");
    let url = server.url().to_string();
    let site = format!("site={url}");
    let made = told(&test(place, &["--record", "lamps", "lamps.oxp", "--bind", &site]));
    assert_eq!(made.0, Some(0), "{}", made.2);
    assert_eq!(told(&test(place, &["lamps", "--live"])).0, Some(0));

    drop(server);
    let host = url.trim_start_matches("http://").trim_end_matches('/');
    let _redesigned = server::start(host, demo::Redesigned).expect("the same port");
    let (code, out, err) = told(&test(place, &["lamps", "--live", "--most", "2"]));
    assert_eq!((code, err.as_str()), (Some(3), ""), "{out}");
    let found = demo::shop::search(&demo::shop::Search {
        category: "Lighting",
        ..Default::default()
    });
    let first = &found[..2];
    let differs: String = first
        .iter()
        .zip(1..)
        .map(|(product, at)| {
            let price = product.price();
            let price: f64 = price.trim_start_matches('$').parse().expect("a price");
            format!(
                "  ~ record {at} ({0})\n      maker: \"{1}\" → missing\n      price: {price} → missing\n",
                product.name, product.maker
            )
        })
        .collect();
    assert!(out.starts_with("✗ lamps: expected 12 records, found "), "{out}");
    assert!(out.contains(&differs), "{out}\nexpected\n{differs}");
    // The recording still gives what it gave.
    assert_eq!(told(&test(place, &["lamps"])).0, Some(0));
}

#[test]
fn a_test_of_a_wrapper() {
    let folder = tempfile::tempdir().expect("a directory");
    let place = folder.path();
    let pages = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/lamps/before");
    let pages = pages.to_str().expect("a path in Unicode");
    let infer = Command::new(env!("CARGO_BIN_EXE_wrapwright"))
        .args(["infer", "-q", pages, "-o", "lamps.json"])
        .current_dir(place)
        .status();
    assert!(infer.expect("a run").success());
    let made = told(&test(place, &["--record", "lamps", "lamps.json", pages]));
    assert_eq!(made.0, Some(0), "{}", made.2);
    assert_eq!(told(&test(place, &["lamps"])).0, Some(0));
    let wrapper = fs::read_to_string(place.join("lamps.json")).expect("a wrapper");
    fs::write(place.join("lamps.json"), wrapper.replace("price", "cost")).expect("a wrapper");
    let (code, out, _) = told(&test(place, &["lamps", "--most", "1"]));
    assert_eq!(code, Some(3), "{out}");
    assert!(
        out.contains("price: ") && out.contains("and 4 more differences"),
        "{out}"
    );
}

#[test]
fn what_cannot_be_tested_is_said() {
    let folder = tempfile::tempdir().expect("a directory");
    let place = folder.path();
    let refused = |args: &[&str], code: i32, words: &str| {
        let (found, _, err) = told(&test(place, args));
        assert_eq!(found, Some(code), "{args:?}: {err}");
        assert!(err.contains(words), "{args:?}: {err}");
    };
    refused(&["."], 2, "no test.json in it or below it");
    refused(&["nowhere"], 2, "nowhere: no such file");
    refused(&["--record", "a", "nowhere.oxp"], 2, "nowhere.oxp: no such file");
    refused(&["--record", "a", "-e", "doc($site)//p:<p=.>"], 2, "--bind site=VALUE");
    refused(&["--record", "a", "w.json"], 2, "no pages to test the wrapper with");
    refused(&["--record", "a", "a.oxp", "b.html"], 2, "an expression takes no pages");
    // Nothing but a failure makes no test, and can be tried again.
    for _ in 0..2 {
        let gone = [
            "--record",
            "gone",
            "-e",
            "doc('http://127.0.0.1:9/')//p:<p=.>",
            "--retries",
            "0",
        ];
        refused(&gone, 4, "no test was made");
        assert!(!place.join("gone/test.json").exists());
    }
    let (server, _) = shelf();
    let made = [
        "--record",
        "shelf",
        "-e",
        &BOOKS.replace("$site", &format!("'{}'", server.url())),
    ];
    assert_eq!(told(&test(place, &made)).0, Some(0));
    refused(&made, 2, "there is a test already");
    fs::write(place.join("shelf/test.json"), "{").expect("a file");
    refused(&["shelf"], 2, "shelf/test.json: expected an object with one of");
}
