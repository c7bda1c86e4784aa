//! The whole journey in the real binary: an address, a wrapper, a table; the site is redesigned; the same table again.

mod sites;

use demo::shop;
use sites::Place;
use std::collections::BTreeSet;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

/// `wrapwright demo`, until it is dropped.
struct Demo {
    child: Child,
    url: String,
}

impl Demo {
    fn start(arguments: &[&str]) -> Demo {
        let mut child = Command::new(env!("CARGO_BIN_EXE_wrapwright"))
            .arg("demo")
            .args(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the binary runs");
        let mut url = String::new();
        let out = child.stdout.take().expect("a pipe");
        BufReader::new(out).read_line(&mut url).expect("an address");
        Demo {
            child,
            url: url.trim().to_owned(),
        }
    }

    fn port(&self) -> &str {
        self.url.trim_end_matches('/').rsplit(':').next().expect("a port")
    }
}

impl Drop for Demo {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The rows of a CSV file without quotes around lines, as a set.
fn rows(text: &str) -> BTreeSet<String> {
    text.lines().skip(1).map(str::to_owned).collect()
}

#[test]
fn from_an_address_to_a_table_that_stays_right() {
    let place = Place::new();
    let demo = Demo::start(&["--port", "0"]);
    let list = format!("{}shop/search", demo.url);

    // An address becomes a wrapper that knows its way.
    let ran = place
        .run(&["infer", &list, "-o", "shop.wrapper.json"])
        .ended(0, "found a list with a pager");
    assert!(ran.words.contains("links to /shop/product/*"), "{}", ran.words);
    let way = &place.json("shop.wrapper.json")["navigation"];
    assert_eq!(way["start"][0], list.as_str());
    assert_eq!(
        (&way["next"], &way["follow"][0]["like"]),
        (&"auto".into(), &"/shop/product/*".into())
    );

    // Some of its fields, under names of our own.
    let fields = place.run(&["fields", "shop.wrapper.json", "--json"]).ended(0, "").out;
    let fields: serde_json::Value = serde_json::from_str(&fields).expect("JSON");
    let called = |sample: &str| -> String {
        let all = fields["fields"].as_array().or(fields.as_array()).expect("fields");
        let has = |field: &&serde_json::Value| {
            let samples = field["samples"].as_array().expect("samples");
            samples
                .iter()
                .any(|text| text.as_str().is_some_and(|text| text == sample))
        };
        all.iter()
            .filter(has)
            .min_by_key(|field| field["name"].as_str().map(str::len))
            .unwrap_or_else(|| panic!("{sample}: {fields}"))["name"]
            .as_str()
            .expect("a name")
            .to_owned()
    };
    // What the first page of the sample says.
    let first = place.json("shop.wrapper.json")["evidence"]["pages"][0]["name"]
        .as_str()
        .expect("a page")
        .to_owned();
    let id: usize = first
        .rsplit('/')
        .next()
        .and_then(|id| id.parse().ok())
        .expect("a number");
    let product = &shop::all()[id];
    let item = format!("LR-{:04}", product.id);
    let old = [
        called(&product.name),
        called(&product.price()),
        called(product.maker),
        called(&item),
    ];
    let new = ["name", "price", "maker", "item"];
    let keep = old.join(",");
    place
        .run(&["fields", "shop.wrapper.json", "--keep", &keep])
        .ended(0, "wrote");
    for (old, new) in old.iter().zip(new).filter(|(old, new)| old != new) {
        let rename = format!("{old}={new}");
        place
            .run(&["fields", "shop.wrapper.json", "--rename", &rename])
            .ended(0, "wrote");
    }

    // The whole shop, by the pager.
    let run = [
        "run",
        "shop.wrapper.json",
        "--format",
        "csv",
        "--no-meta",
        "--jobs",
        "4",
        "-o",
        "shop.csv",
    ];
    place.run(&run).ended(0, "300 records from 325 pages, 0 failures");
    let table = place.read("shop.csv");
    let expected: BTreeSet<String> = shop::all()
        .iter()
        .map(|product| {
            format!(
                "{},{},{},LR-{:04}",
                product.name,
                product.price(),
                product.maker,
                product.id
            )
        })
        .collect();
    assert_eq!(table.lines().next(), Some("name,price,maker,item"));
    assert_eq!(rows(&table), expected);
    place
        .run(&["watch", "shop.wrapper.json"])
        .ended(0, "20 pages, 20 records: fine");

    // The redesign, at the same address.
    let port = demo.port().to_owned();
    drop(demo);
    let _demo = Demo::start(&["--port", &port, "--redesign"]);
    let ran = place.run(&run);
    assert_ne!(
        ran.code,
        Some(0),
        "a wrapper that no longer fits says so: {}",
        ran.words
    );
    assert_ne!(rows(&place.read("shop.csv")), expected);

    // It is noticed and repaired, and the same table comes out.
    let notify = "cat > report.json";
    let watch = ["watch", "shop.wrapper.json", "--notify", notify];
    place.run(&watch).ended(0, "the wrapper was repaired");
    let report = place.json("report.json");
    assert_eq!(
        (&report["verdict"], &report["wrapper"]),
        (&"repaired".into(), &"shop.wrapper.json".into())
    );
    let seen = report["pages"].as_str().expect("a directory").to_owned();
    assert!(place.has(&format!("{seen}/manifest.ndjson")), "the pages are kept");
    place.run(&run).ended(0, "300 records from 313 pages, 0 failures");
    assert_eq!(rows(&place.read("shop.csv")), expected);
    std::fs::remove_file(place.path("report.json")).expect("a file");
    place.run(&watch).ended(0, "20 pages, 20 records: fine");
    assert!(!place.has("report.json"), "no news, no command");
}
