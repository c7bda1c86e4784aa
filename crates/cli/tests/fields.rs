//! `wrapwright fields`: look, keep, rename, and go on with the wrapper.

use std::path::Path;
use std::process::{Command, Output};

fn wrapwright(dir: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_wrapwright"))
        .args(arguments)
        .current_dir(dir)
        .output()
        .expect("the binary runs")
}

fn out(output: &Output) -> String {
    assert_eq!(
        output.status.code(),
        Some(0),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8_lossy(&output.stdout).into_owned()
}

const GOODS: [[&str; 3]; 4] = [
    ["Kelp", "12.50", "17"],
    ["Moss", "7.25", "23"],
    ["Fern", "9.00", "31"],
    ["Reed", "3.75", "47"],
];

fn page([title, price, code]: &[&str; 3], is_new: bool) -> String {
    match is_new {
        false => format!(
            "<h1>{title}</h1><table><tr><th>Price:</th><td>{price}</td></tr><tr><th>Code:</th><td>{code}</td></tr></table>"
        ),
        true => format!(
            "<div class=top><h2>{title}</h2></div><dl><dt>Code:</dt><dd>{code}</dd><dt>Price:</dt><dd>{price}</dd></dl>"
        ),
    }
}

fn shop() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a directory");
    for (place, is_new) in [("old", false), ("new", true)] {
        std::fs::create_dir(folder.path().join(place)).expect("a directory");
        for (number, goods) in GOODS.iter().enumerate() {
            let file = folder.path().join(place).join(format!("{number}.html"));
            std::fs::write(file, page(goods, is_new)).expect("a file");
        }
    }
    folder
}

#[test]
fn some_fields_are_kept_in_an_order_under_new_names_in_every_kind_of_wrapper() {
    let folder = shop();
    let examples = r#"{"0.html": [{"title": "Kelp", "price": "12.50", "code": "17"}]}"#;
    std::fs::write(folder.path().join("x.json"), examples).expect("a file");
    let makers: [(&str, &[&str], [&str; 2]); 3] = [
        (
            "landmarks",
            &["infer", "old", "--method", "landmarks", "-o", "w.json"],
            ["price", "code"],
        ),
        (
            "template",
            &["infer", "old", "--method", "exalg", "-o", "w.json"],
            ["price", "code"],
        ),
        (
            "paths",
            &["learn", "old", "--examples", "x.json", "-o", "w.json"],
            ["price", "code"],
        ),
    ];
    for (kind, make, [price, code]) in makers {
        out(&wrapwright(folder.path(), make));
        let listed: serde_json::Value =
            serde_json::from_str(&out(&wrapwright(folder.path(), &["fields", "w.json", "--json"]))).expect("JSON");
        let listed = listed.as_array().expect("a list");
        let of = |name: &str| {
            listed
                .iter()
                .find(|field| field["name"] == name)
                .unwrap_or_else(|| panic!("{kind}: {listed:?}"))
        };
        assert_eq!(of(price)["samples"][0], "12.50", "{kind}");
        assert_eq!(of(code)["records"], 4, "{kind}");
        let renamed = format!("{code}=isbn");
        let kept = format!("{code},{price}");
        let text = out(&wrapwright(
            folder.path(),
            &["fields", "w.json", "--keep", &kept, "--rename", &renamed],
        ));
        assert!(text.contains("not shown:"), "{kind}: {text}");
        let extract = ["extract", "w.json", "old", "--format", "csv", "--no-meta"];
        let csv = out(&wrapwright(folder.path(), &extract));
        assert!(
            csv.starts_with(&format!("isbn,{price}\n17,12.50\n23,7.25\n")),
            "{kind}: {csv}"
        );
        // A repair keeps what is shown, and what is not shown helps it. Landmarks still find what is shown by its labels, so they need none.
        let repaired = wrapwright(folder.path(), &["repair", "w.json", "new", "--force", "-o", "n.json"]);
        assert_eq!(
            repaired.status.code(),
            Some(0),
            "{kind}: {}",
            String::from_utf8_lossy(&repaired.stderr)
        );
        let csv = out(&wrapwright(
            folder.path(),
            &["extract", "n.json", "new", "--format", "csv", "--no-meta"],
        ));
        assert!(
            csv.starts_with(&format!("isbn,{price}\n17,12.50\n23,7.25\n")),
            "{kind}: {csv}"
        );
        // All come back.
        let all = out(&wrapwright(folder.path(), &["fields", "w.json", "--all"]));
        assert!(!all.contains("not shown:"), "{kind}: {all}");
        let lines = out(&wrapwright(
            folder.path(),
            &["extract", "w.json", "old/0.html", "--no-meta"],
        ));
        assert!(lines.contains("Kelp"), "{kind}: {lines}");
    }
}

#[test]
fn mistakes_are_named_and_change_nothing() {
    let folder = shop();
    out(&wrapwright(folder.path(), &["infer", "old", "-o", "w.json"]));
    let before = std::fs::read(folder.path().join("w.json")).expect("a file");
    for (arguments, said) in [
        (&["--keep", "isbn"][..], "found no field `isbn`, expected one of"),
        (&["--rename", "price"], "expected OLD=NEW"),
        (&["--rename", "price=a b"], "without dots and spaces"),
        (&["--rename", "price=code"], "two fields named `code`"),
        (&["--keep", "price", "--drop", "price"], "no field would be left"),
        (
            &["--type", "title=number"],
            "4 of 4 known values are not a number, such as \"Kelp\"",
        ),
        (
            &["--type", "price=colour"],
            "integer, number, boolean, date, timestamp or link",
        ),
        (&["--key", "isbn"], "found no field `isbn`"),
        (
            &["--key", "code", "--drop", "code"],
            "`code` is the key of the records, so it must be shown",
        ),
    ] {
        let output = wrapwright(folder.path(), &[&["fields", "w.json"], arguments].concat());
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{stderr}");
        assert!(stderr.contains(said), "{said}: {stderr}");
        assert_eq!(std::fs::read(folder.path().join("w.json")).expect("a file"), before);
    }
}

/// In one go from pages to typed records in a table that is updated by its key; a repair keeps both.
#[test]
fn types_and_key_reach_the_records_and_outlive_a_repair() {
    let folder = shop();
    let at = folder.path();
    let edit = [
        "--keep",
        "code,title,price",
        "--rename",
        "price=cost",
        "--type",
        "price=number",
        "--type",
        "code=integer",
        "--key",
        "code",
    ];
    out(&wrapwright(
        at,
        &[&["infer", "old", "-o", "w.json"][..], &edit].concat(),
    ));
    let lines = out(&wrapwright(at, &["extract", "w.json", "old/0.html", "--no-meta"]));
    assert_eq!(lines, "{\"code\":17,\"title\":\"Kelp\",\"cost\":12.5}\n");
    let listed = out(&wrapwright(at, &["fields", "w.json"]));
    assert!(listed.contains("integer, key") && listed.contains("number"), "{listed}");
    let write = |pages: &str| {
        let written = wrapwright(at, &["extract", "w.json", pages, "-o", "t.sqlite#goods"]);
        out(&written);
        String::from_utf8_lossy(&written.stderr).into_owned()
    };
    assert!(write("old/0.html").contains("1 new, 0 changed, 0 as before"));
    // The first is there already.
    assert!(write("old").contains("3 new, 0 changed, 1 as before"));
    // Files have no key.
    out(&wrapwright(at, &["extract", "w.json", "old", "-o", "t.csv"]));
    let repaired = wrapwright(at, &["repair", "w.json", "new", "-o", "r.json"]);
    assert!(at.join("r.json").exists(), "{repaired:?}");
    let lines = out(&wrapwright(at, &["extract", "r.json", "new/0.html", "--no-meta"]));
    assert_eq!(lines, "{\"code\":17,\"title\":\"Kelp\",\"cost\":12.5}\n");
    let json = std::fs::read_to_string(at.join("r.json")).expect("a file");
    assert!(json.contains("\"key\": [\"code\"]"), "{json}");
    out(&wrapwright(at, &["fields", "w.json", "--no-key", "--drop", "code"]));
}

/// What pages say only to programs is a field, through a whole life: made, shown, run, translated, still there after a redesign.
#[test]
fn structured_data_is_a_source() {
    let folder = tempfile::tempdir().expect("a directory");
    for (place, is_new) in [("old", false), ("new", true)] {
        std::fs::create_dir(folder.path().join(place)).expect("a directory");
        for (number, goods) in GOODS.iter().enumerate() {
            let script = format!(
                r#"<script type="application/ld+json">{{"@type": "Product", "name": "{}", "sku": "S-{number}9", "image": "/img/{number}.png"}}</script>"#,
                goods[0]
            );
            let link = "<base href=https://shop.test/p/>".to_owned();
            let file = folder.path().join(place).join(format!("{number}.html"));
            std::fs::write(file, link + &page(goods, is_new) + &script).expect("a file");
        }
    }
    let run = |arguments: &[&str]| out(&wrapwright(folder.path(), arguments));
    run(&["infer", "old", "-o", "w.json"]);
    let listed = run(&["fields", "w.json"]);
    assert!(listed.contains("(json-ld Product sku) S-09 | S-19"), "{listed}");
    assert!(run(&["show", "w.json", "--full"]).contains("= sku at json-ld Product sku"));
    let records = run(&["extract", "w.json", "old/2.html", "--no-meta"]);
    assert!(records.contains(r#""sku":"S-29""#), "{records}");
    assert!(
        records.contains(r#""image":"https://shop.test/img/2.png""#),
        "{records}"
    );
    let expression = run(&["show", "w.json", "--as", "oxpath"]);
    assert!(expression.contains(r#"data("sku", "Product")"#), "{expression}");
    run(&["repair", "w.json", "new", "-o", "new.json"]);
    let records = run(&["extract", "new.json", "new/1.html", "--no-meta"]);
    assert!(
        records.contains(r#""title":"Moss""#) && records.contains(r#""sku":"S-19""#),
        "{records}"
    );
    // One page is enough, too.
    run(&["infer", "old/3.html", "-o", "one.json"]);
    let records = run(&["extract", "one.json", "old/1.html", "--no-meta"]);
    assert_eq!(
        records,
        "{\"name\":\"Moss\",\"image\":\"https://shop.test/img/1.png\",\"sku\":\"S-19\"}\n"
    );
    assert!(run(&["query", "data()", "old/0.html"]).contains("json-ld Product sku = S-09"));
}
