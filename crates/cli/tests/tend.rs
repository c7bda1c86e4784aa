//! `check` and `repair`: sites that change, wrappers of every kind, and what can go wrong.

mod sites;

use serde_json::{Value, json};
use sites::{
    BOOKS, Place, VIDEOS, after, before, extracted, new_records, new_videos, old_videos, shelve, swapped, video_shop,
};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::Stdio;

/// What `check` says, by its exit code and by its JSON, which must agree.
#[track_caller]
fn is_fine(place: &Place, wrapper: &str, pages: &str) -> bool {
    let ran = place.run(&["check", "--format", "json", wrapper, pages]);
    let report: Value = serde_json::from_str(&ran.out).unwrap_or_else(|error| panic!("{error}: {}", ran.words));
    let fine = report["fine"].as_bool().expect("a verdict");
    assert_eq!(ran.code, Some(if fine { 0 } else { 3 }), "{}", ran.out);
    let quiet = place.run(&["check", "-q", wrapper, pages]);
    assert_eq!(
        (quiet.code, quiet.out.as_str(), quiet.words.as_str()),
        (ran.code, "", "")
    );
    fine
}

/// A field's name, and its value of a book.
type Field = (&'static str, fn(&sites::Book) -> String);

/// What of the books a wrapper should give.
fn books(fields: &[Field]) -> Vec<Value> {
    let record = |book: &sites::Book| {
        fields
            .iter()
            .map(|(name, of)| ((*name).to_owned(), json!(of(book))))
            .collect()
    };
    BOOKS.iter().map(|book| Value::Object(record(book))).collect()
}

const PRICES: [Field; 3] = [
    ("title", |book| book.title.to_owned()),
    ("list", |book| format!("${}", book.list)),
    ("our", |book| format!("${}", book.our)),
];

/// The same with a list for each field: by its expression, a record may have several values.
fn as_lists(records: &[Value]) -> Vec<Value> {
    let lists = |record: &Value| {
        let fields = record.as_object().expect("a record").iter();
        Value::Object(fields.map(|(name, value)| (name.clone(), json!([value]))).collect())
    };
    records.iter().map(lists).collect()
}

/// Only these fields of records.
fn only(records: &[Value], names: &[&str]) -> Vec<Value> {
    let pick = |record: &Value| {
        names
            .iter()
            .map(|name| ((*name).to_owned(), record[*name].clone()))
            .collect()
    };
    records.iter().map(|record| Value::Object(pick(record))).collect()
}

#[test]
fn the_running_example_is_learned_checked_and_repaired() {
    let place = video_shop();
    assert!(is_fine(&place, "v.wrapper.json", "old.html"));
    assert!(!is_fine(&place, "v.wrapper.json", "new.html"));
    let learned = place.read("v.wrapper.json");

    // Only shown: nothing is written.
    let shown = place
        .run(&["repair", "v.wrapper.json", "new.html"])
        .ended(0, "nothing was written");
    for part in ["Director", "Ugo Liberatore", "\n- ", "\n+ "] {
        assert!(shown.out.contains(part), "{part}: {}", shown.out);
    }
    assert_eq!(
        place.files(),
        ["ex.json", "new.html", "old.html", "v.wrapper.json", "videos.dtd"]
    );

    // In another file.
    place
        .run(&["repair", "v.wrapper.json", "new.html", "-o", "new.wrapper.json"])
        .ended(0, "wrote new.wrapper.json\n");
    assert_eq!(place.read("v.wrapper.json"), learned);
    assert_eq!(extracted(&place, "new.wrapper.json", "new.html"), new_records());

    // In its place; what was there is kept, now and the next time.
    let said = "wrote v.wrapper.json; the old one is v.old-1.wrapper.json";
    let changed = ["repair", "v.wrapper.json", "new.html", "-o", "v.wrapper.json"];
    place.run(&changed).ended(0, said);
    assert_eq!(place.read("v.old-1.wrapper.json"), learned);
    assert_eq!(extracted(&place, "v.wrapper.json", "new.html"), new_records());
    assert!(is_fine(&place, "v.wrapper.json", "new.html"));
    let repaired = place.read("v.wrapper.json");
    place
        .run(&[&changed[..], &["--force"]].concat())
        .ended(0, "the old one is v.old-2.wrapper.json");
    assert_eq!(place.read("v.old-1.wrapper.json"), learned);
    assert_eq!(place.read("v.old-2.wrapper.json"), repaired);
    // The schema came along.
    let xml = place
        .run(&["extract", "--format", "xml", "v.wrapper.json", "new.html"])
        .ended(0, "")
        .out;
    assert!(
        xml.contains("<VideoList>\n  <Video>\n    <Name>May Morning</Name>"),
        "{xml}"
    );
}

#[test]
fn what_works_is_not_repaired() {
    let place = video_shop();
    let said = "v.wrapper.json works on these pages as it did, so nothing was repaired";
    let ran = place
        .run(&["repair", "v.wrapper.json", "old.html", "-o", "v.wrapper.json"])
        .ended(0, said);
    assert_eq!(ran.out, "");
    assert!(!place.has("v.old-1.wrapper.json"));
}

#[test]
fn a_repair_that_is_not_sure_is_refused_unless_forced() {
    let place = video_shop();
    // Other videos: no value of before recurs, so nothing can be wholly sure.
    place
        .write("old.html", old_videos(&VIDEOS[..3]))
        .write("new.html", new_videos(&VIDEOS[3..]));
    let schema = ["--schema", "videos.dtd", "--examples", "ex.json", "old.html"];
    place
        .run(&[&["learn", "-o", "v.wrapper.json"], &schema[..]].concat())
        .ended(0, "");
    let learned = place.read("v.wrapper.json");
    let files = place.files();
    let plain = ["repair", "v.wrapper.json", "new.html", "-o", "v.wrapper.json"];
    let arguments = [&plain[..], &["--at-least", "1"]].concat();
    let refused = place.run(&arguments).ended(3, "error: not sure enough of `");
    assert!(
        refused.words.contains("must be at least 100 % sure"),
        "{}",
        refused.words
    );
    assert!(
        refused
            .words
            .contains("so nothing was written\n  hint: look at the samples"),
        "{}",
        refused.words
    );
    assert!(refused.out.contains("Price.VHSPrice"), "{}", refused.out);
    assert_eq!((place.files(), place.read("v.wrapper.json")), (files, learned.clone()));
    // For programs.
    let ran = place
        .run(&[&arguments[..], &["--format", "json"]].concat())
        .ended(3, "");
    let report: Value = serde_json::from_str(&ran.out).expect("JSON");
    assert_eq!((&report["good"], &report["kind"]), (&json!(false), &json!("paths")));
    let names: Vec<&str> = report["fields"]
        .as_array()
        .expect("fields")
        .iter()
        .filter_map(|f| f["name"].as_str())
        .collect();
    assert_eq!(
        names,
        ["Name", "Director", "Actors", "Price.VHSPrice", "Price.DVDPrice"]
    );
    // A threshold of its own, and force.
    place
        .run(&[&plain[..], &["--at-least", "1.5"]].concat())
        .ended(2, "expected a number from 0 to 1");
    place
        .run(&[&plain[..], &["--at-least", "NaN"]].concat())
        .ended(2, "expected a number from 0 to 1");
    place
        .run(&[&arguments[..], &["--force"]].concat())
        .ended(0, "the old one is v.old-1.wrapper.json");
    assert_eq!(place.read("v.old-1.wrapper.json"), learned);
    let got = place
        .run(&["extract", "--no-meta", "v.wrapper.json", "new.html"])
        .records();
    let names: Vec<&Value> = got.iter().map(|record| &record["Name"]).collect();
    assert_eq!(names, ["Lucky Day", "Evil Under the Sun"]);
}

const PRICE_SCHEMA: &str =
    "<!ELEMENT book (title, list, our)><!ELEMENT title (#PCDATA)><!ELEMENT list (#PCDATA)><!ELEMENT our (#PCDATA)>";
const BY_POSITION: &str = "doc(\"http://shop.example/list\")//a[@class=\"item\"]/{click /}\
    //body:<book>[? .//h1:<title=string(.)>][? .//tr[1]/td[2]:<list=string(.)>][? .//tr[2]/td[2]:<our=string(.)>]";

/// The bookshop in three states, and a wrapper by an expression.
fn bookshop() -> Place {
    let place = Place::new();
    shelve(&place, "old", before);
    shelve(&place, "swapped", swapped);
    shelve(&place, "new", after);
    place.write("list.oxp", BY_POSITION);
    place
        .run(&["learn", "--oxpath", "list.oxp", "old", "-o", "ox.wrapper.json"])
        .ended(0, "8 records on 8 pages");
    place
}

#[test]
fn prices_that_change_places_are_noticed() {
    let place = bookshop();
    assert!(is_fine(&place, "ox.wrapper.json", "old"));
    // By position one price is taken for the other: as many, written alike, but behind the other's label.
    assert!(!is_fine(&place, "ox.wrapper.json", "swapped"));
    let words = place.run(&["check", "ox.wrapper.json", "swapped"]).ended(3, "").out;
    for label in ["List Price:", "Our Price:"] {
        assert!(words.contains(label), "{label}: {words}");
    }
    // Paths that were learned go by the labels, and so are still right.
    place.write("s.dtd", PRICE_SCHEMA).write(
        "e.json",
        r#"{"old/0.html": {"title": "Harbour Lights", "list": "$12.50", "our": "$9.99"},
            "old/1.html": {"title": "The Salt Road", "list": "$22.00", "our": "$18.75"}}"#,
    );
    place
        .run(&[
            "learn",
            "--schema",
            "s.dtd",
            "--examples",
            "e.json",
            "old",
            "-o",
            "p.wrapper.json",
        ])
        .ended(0, "paths to 3");
    place
        .run(&["check", "--accept", "p.wrapper.json", "old"])
        .ended(0, "remembers 8 records of 8 pages");
    assert_eq!(extracted(&place, "p.wrapper.json", "swapped"), books(&PRICES));
    assert!(is_fine(&place, "p.wrapper.json", "swapped"));
}

#[test]
fn of_an_expression_the_navigation_is_kept() {
    let place = bookshop();
    let expected = as_lists(&books(&PRICES));
    assert_eq!(extracted(&place, "ox.wrapper.json", "old"), expected);
    assert!(!is_fine(&place, "ox.wrapper.json", "new"));
    place
        .run(&["repair", "ox.wrapper.json", "new", "-o", "ox.wrapper.json"])
        .ended(0, "ox.old-1.wrapper.json");
    assert_eq!(extracted(&place, "ox.wrapper.json", "new"), expected);
    assert_eq!(place.json("ox.wrapper.json")["kind"], "oxpath");
    let text = place
        .run(&["show", "--as", "oxpath", "ox.wrapper.json"])
        .ended(0, "")
        .out;
    assert!(
        text.starts_with("doc(\"http://shop.example/list\")//a[@class=\"item\"]/{click /}"),
        "{text}"
    );
    place
        .write("repaired.oxp", &text)
        .run(&["run", "--check", "repaired.oxp"])
        .ended(0, "");
}

#[test]
fn a_wrapper_of_an_expression_runs_with_its_navigation() {
    let place = bookshop();
    place.write(
        "local.oxp",
        "doc(\"old/0.html\")//body:<book>[? .//h1:<title=string(.)>]",
    );
    place
        .run(&["learn", "--oxpath", "local.oxp", "old", "-o", "local.wrapper.json"])
        .ended(0, "8 records on 8 pages");
    // Saved pages are eight, but the expression leads to one.
    let ran = place.run(&["run", "--no-meta", "local.wrapper.json"]).ended(0, "");
    assert_eq!(ran.out, "{\"title\":[\"Harbour Lights\"]}\n");
    place.run(&["infer", "old", "-o", "i.wrapper.json"]).ended(0, "");
    place
        .run(&["run", "i.wrapper.json"])
        .ended(2, "the wrapper does not say where its site begins");
}

#[test]
fn expressions_that_are_no_wrappers_are_refused() {
    let place = bookshop();
    let refused = |expression: &str, said: &str| {
        place.write("x.oxp", expression);
        let ran = place
            .run(&["learn", "--oxpath", "x.oxp", "old", "-o", "x.json"])
            .ended(2, "error: x.oxp: ");
        assert!(ran.words.contains(said), "{said}: {}", ran.words);
        assert!(!place.has("x.json"));
    };
    refused("doc(\"x\")//h7:<a>[.:<b=string(.)>]", "gives no record on these pages");
    refused("doc(\"x\")//h1:<a=string(.)>", "hint: ");
    refused("doc(\"x\")//h1[", "");
    refused("", "");
    place.write("x.oxp", b"\xff\xfe\x00");
    place
        .run(&["learn", "--oxpath", "x.oxp", "old"])
        .ended(2, "x.oxp: found bytes that are no UTF-8");
    place
        .run(&["learn", "--oxpath", "none.oxp", "old"])
        .ended(2, "none.oxp: no such file, expected an OXPath");
}

#[test]
fn inferred_landmarks_are_repaired_from_several_pages() {
    let place = bookshop();
    let names = ["page_title", "title", "by", "list_price", "our_price", "about"];
    place
        .run(&["infer", "--method", "landmarks", "old", "-o", "i.wrapper.json"])
        .ended(0, "6 fields and 1 that are not shown from 8 pages");
    let old = extracted(&place, "i.wrapper.json", "old");
    assert!(is_fine(&place, "i.wrapper.json", "old"));
    assert!(!is_fine(&place, "i.wrapper.json", "new"));
    let ran = place
        .run(&["repair", "i.wrapper.json", "new", "-o", "n.wrapper.json"])
        .ended(0, "wrote n.wrapper.json");
    let new = extracted(&place, "n.wrapper.json", "new");
    // The same fields, but for the title of the page, which says "|" for "-" now.
    assert_eq!(only(&new, &names[1..]), only(&old, &names[1..]));
    assert_eq!(new[2]["page_title"], "Kelp | Shop");
    // Samples of before and now are those of one field, although the order on the page is another.
    let line = ran
        .out
        .lines()
        .find(|line| line.starts_with("list_price "))
        .expect("a line");
    assert!(
        line.ends_with("$12.50") && line.matches("$12.50").count() == 2,
        "{line}"
    );
    assert!(is_fine(&place, "n.wrapper.json", "new"));
    let known = place.json("n.wrapper.json");
    let samples = known["evidence"]["profiles"][0]["fields"]
        .as_array()
        .expect("fields")
        .iter();
    for field in samples.map(|field| field["samples"].as_array().expect("samples")) {
        let priced = field
            .iter()
            .filter(|text| text.as_str().is_some_and(|text| text.starts_with('$')))
            .count();
        assert!(
            priced == 0 || priced == field.len(),
            "prices and texts of one field: {field:?}"
        );
    }
}

#[test]
fn one_page_is_too_few_to_infer_from_and_paths_stand_in() {
    let place = bookshop();
    place
        .run(&["infer", "--method", "landmarks", "old", "-o", "i.wrapper.json"])
        .ended(0, "");
    let ran = place
        .run(&[
            "repair",
            "i.wrapper.json",
            "new/2.html",
            "--force",
            "-o",
            "n.wrapper.json",
        ])
        .ended(0, "wrote");
    assert!(ran.out.contains("note: ") && ran.out.contains("`paths`"), "{}", ran.out);
    assert_eq!(place.json("n.wrapper.json")["kind"], "paths");
    let got = place
        .run(&["extract", "--no-meta", "n.wrapper.json", "new/2.html"])
        .ended(0, "")
        .records();
    assert_eq!(
        (&got[0]["by"], &got[0]["our_price"]),
        (&json!("Mina Voss"), &json!("$6.10"))
    );
}

#[test]
fn inferred_templates_are_repaired_from_several_pages() {
    let place = Place::new();
    // Prices without words are a list of prices.
    let bare = |page: String| page.replace("List Price:", "").replace("Our Price:", "");
    shelve(&place, "old", |book| bare(before(book)));
    shelve(&place, "new", |book| bare(after(book)));
    place
        .run(&["infer", "--method", "exalg", "old", "-o", "t.wrapper.json"])
        .ended(0, "fields from 8 pages");
    assert_eq!(place.json("t.wrapper.json")["kind"], "template");
    assert!(is_fine(&place, "t.wrapper.json", "old"));
    assert!(!is_fine(&place, "t.wrapper.json", "new"));
    let old = extracted(&place, "t.wrapper.json", "old");
    place
        .run(&["repair", "t.wrapper.json", "new", "-o", "n.wrapper.json"])
        .ended(0, "wrote n.wrapper.json");
    let new = extracted(&place, "n.wrapper.json", "new");
    assert_eq!(place.json("n.wrapper.json")["kind"], "template");
    let prices = old[0]
        .as_object()
        .expect("a record")
        .iter()
        .find(|(_, value)| value.is_array());
    let prices = prices.expect("a list").0.as_str();
    assert_eq!(old[0][prices], json!(["$12.50", "$9.99"]));
    let names = ["by", "about", prices];
    assert_eq!(only(&new, &names), only(&old, &names));
    assert_eq!(only(&new, &["by"]), books(&[("by", |book| book.by.to_owned())]));
}

#[test]
fn delimiters_are_repaired() {
    let place = video_shop();
    let rows: Vec<Value> = VIDEOS
        .iter()
        .map(|v| json!({"name": v.name, "actors": v.actors.join("; "), "dvd": v.dvd}))
        .collect();
    place.write("d.json", json!({"old.html": rows}).to_string());
    place
        .run(&[
            "learn",
            "old.html",
            "--class",
            "auto",
            "--examples",
            "d.json",
            "-o",
            "d.wrapper.json",
        ])
        .ended(0, "");
    assert_eq!(place.json("d.wrapper.json")["kind"], "delimiters");
    assert_eq!(extracted(&place, "d.wrapper.json", "old.html"), rows);
    assert!(is_fine(&place, "d.wrapper.json", "old.html"));
    // The page with other tags, in the same order.
    let tags = old_videos(&VIDEOS)
        .replace("<b>", "<strong>")
        .replace("</b>", "</strong>");
    let tags = tags
        .replace("<em>", "<span class=money>")
        .replace("</em>", "</span>")
        .replace("<i>", "<p>")
        .replace("</i>", "</p>");
    place.write("tags.html", tags);
    // The other page has its values in another order, and commas: delimiters cannot follow, but paths can.
    for (page, kind, comma) in [("tags.html", "delimiters", "; "), ("new.html", "paths", ", ")] {
        assert!(!is_fine(&place, "d.wrapper.json", page));
        place
            .run(&["repair", "d.wrapper.json", page, "-o", "n.wrapper.json"])
            .ended(0, "wrote n.wrapper.json");
        let expected: Vec<Value> = VIDEOS
            .iter()
            .map(|v| json!({"name": v.name, "actors": v.actors.join(comma), "dvd": v.dvd}))
            .collect();
        assert_eq!(extracted(&place, "n.wrapper.json", page), expected, "{page}");
        assert_eq!(place.json("n.wrapper.json")["kind"], kind, "{page}");
    }
}

#[test]
fn delimiters_of_one_record_a_page_are_repaired() {
    let place = bookshop();
    let book = |book: &sites::Book| json!([{"by": book.by, "list": format!("${}", book.list), "our": format!("${}", book.our)}]);
    let examples: Value = (0..4)
        .map(|number| (format!("{number}.html"), book(&BOOKS[number])))
        .collect::<serde_json::Map<_, _>>()
        .into();
    place.write("d.json", examples.to_string());
    place
        .run(&["learn", "old", "--examples", "d.json", "-o", "d.wrapper.json"])
        .ended(0, "");
    let expected = books(&[("by", |book| book.by.to_owned()), PRICES[1], PRICES[2]]);
    assert_eq!(extracted(&place, "d.wrapper.json", "old"), expected);
    assert!(!is_fine(&place, "d.wrapper.json", "new"));
    place
        .run(&["repair", "d.wrapper.json", "new", "-o", "n.wrapper.json"])
        .ended(0, "wrote n.wrapper.json");
    assert_eq!(extracted(&place, "n.wrapper.json", "new"), expected);
}

/// A wrapper as it was written before there were features.
fn forget(place: &Place, wrapper: &str) {
    let mut json = place.json(wrapper);
    let evidence = json["evidence"].as_object_mut().expect("evidence");
    evidence.remove("profiles").expect("features");
    place.write(wrapper, json.to_string());
}

#[test]
fn old_wrappers_are_told_what_is_right() {
    let place = video_shop();
    forget(&place, "v.wrapper.json");
    let bare = place.read("v.wrapper.json");
    let hint = "hint: `wrapwright check v.wrapper.json --accept PAGE…` with pages on which it works makes it do so";
    for arguments in [
        &["check", "v.wrapper.json", "old.html"][..],
        &["repair", "v.wrapper.json", "new.html"],
        &["watch", "v.wrapper.json", "--pages", "old.html"],
    ] {
        place.run(arguments).ended(2, hint);
    }
    assert_eq!(place.read("v.wrapper.json"), bare);
    assert!(!place.has("v.history.sqlite"));
    // What gives nothing is nothing to remember.
    place
        .run(&["check", "--accept", "v.wrapper.json", "new.html"])
        .ended(2, "found no record on these pages");
    assert_eq!(place.read("v.wrapper.json"), bare);
    place
        .run(&["check", "--accept", "v.wrapper.json", "old.html"])
        .ended(0, "remembers 5 records of 1 page\n");
    assert!(is_fine(&place, "v.wrapper.json", "old.html"));
    assert!(!is_fine(&place, "v.wrapper.json", "new.html"));
    place.run(&["repair", "v.wrapper.json", "new.html"]).ended(0, "");
}

#[test]
fn pages_without_anything_and_no_pages() {
    let place = video_shop();
    place
        .write("empty.html", "")
        .write("script.html", "<script>var name = 'May Morning'</script>")
        .write("binary.html", [0, 159, 146, 150, 255, 254, 0, 1].repeat(500))
        .write("deep.html", "<div>".repeat(4_000))
        .write("deeper.html", "<div>".repeat(20_000));
    let learned = place.read("v.wrapper.json");
    let other_kind = (
        "v.wrapper.json: these are not pages of the kind that the wrapper is for: ",
        "hint: an error or a login says nothing",
    );
    let nothing = (
        "v.wrapper.json: nothing on these pages looks like the values of before",
        "hint: are these pages of the kind",
    );
    for (page, (said, hint)) in [
        ("empty.html", other_kind),
        ("script.html", nothing),
        ("deep.html", other_kind),
    ] {
        assert!(!is_fine(&place, "v.wrapper.json", page), "{page}");
        let ran = place.run(&["repair", "v.wrapper.json", page, "-o", "v.wrapper.json"]);
        let ran = ran.ended(3, said);
        assert!(ran.words.contains(hint), "{}", ran.words);
    }
    let none = "expected at least one";
    for (page, said) in [
        ("binary.html", "binary.html: found a binary file, expected an HTML page"),
        ("deeper.html", "deeper.html: the page nests deeper than the limit"),
    ] {
        place.run(&["check", "v.wrapper.json", page]).ended(2, said);
        place.run(&["repair", "v.wrapper.json", page]).ended(2, said);
    }
    for command in ["check", "repair"] {
        let ran = place
            .run(&[command, "v.wrapper.json", "nowhere.html"])
            .ended(2, "nowhere.html: no such file");
        assert!(ran.words.contains(none), "{}", ran.words);
        let small = ["--max-page-bytes", "10"];
        let ran = place.run(&[&[command, "v.wrapper.json", "old.html"], &small[..]].concat());
        assert!(ran.ended(2, "old.html").words.contains(none));
    }
    // Some pages are there: the verdict is theirs, and the exit code tells of the others.
    place
        .run(&["check", "v.wrapper.json", "old.html", "nowhere.html"])
        .ended(1, "nowhere.html: no such file");
    place
        .run(&["check", "v.wrapper.json", "new.html", "nowhere.html"])
        .ended(3, "nowhere.html: no such file");
    assert_eq!(place.read("v.wrapper.json"), learned);
    // From a pipe.
    place
        .piped(&["check", "v.wrapper.json", "-"], &place.path("old.html"))
        .ended(0, "");
    place
        .piped(&["check", "v.wrapper.json", "-"], &place.path("new.html"))
        .ended(3, "");
    place
        .piped(
            &["repair", "v.wrapper.json", "-", "-o", "n.json"],
            &place.path("new.html"),
        )
        .ended(0, "wrote n.json");
    assert_eq!(extracted(&place, "n.json", "new.html"), new_records());
}

#[test]
fn wrappers_that_will_not_do() {
    let place = video_shop();
    let good = place.json("v.wrapper.json");
    let refused = |change: &dyn Fn(&mut Value), said: &str| {
        let mut bad = good.clone();
        change(&mut bad);
        place.write("bad.json", bad.to_string());
        for arguments in [
            &["check", "bad.json", "old.html"][..],
            &["check", "--accept", "bad.json", "old.html"],
            &["repair", "bad.json", "new.html", "-o", "bad.json"],
            &["watch", "bad.json", "--pages", "new.html"],
            &["extract", "bad.json", "old.html"],
        ] {
            place.run(arguments).ended(2, &format!("error: bad.json: {said}"));
        }
        assert_eq!(place.json("bad.json"), bad);
        assert!(!place.has("bad.history.sqlite"));
    };
    refused(
        &|bad| bad["wrapwright"] = json!(99),
        "found version 99 of the format, expected at most 1: a newer wrapwright",
    );
    refused(&|bad| bad["kind"] = json!("magic"), "");
    let profiles = |change: fn(&mut Value)| move |bad: &mut Value| change(&mut bad["evidence"]["profiles"]);
    refused(
        &profiles(|all| *all = json!("x")),
        "evidence.profiles: found a string, expected a list",
    );
    refused(
        &profiles(|all| *all = json!([{}])),
        "evidence.profiles[0]: found no \"per-page\"",
    );
    refused(
        &profiles(|all| *all = json!([all[0], all[0]])),
        "evidence.profiles: found 2, expected 1",
    );
    let fewer = profiles(|all| drop(all[0]["fields"].as_array_mut().expect("fields").pop()));
    refused(
        &fewer,
        "evidence.profiles[0].fields: found 4, expected 5, one for each field",
    );
    refused(
        &profiles(|all| all[0]["fields"][0]["count"] = json!(-1)),
        "evidence.profiles[0].fields[0].count: found a number",
    );
    refused(
        &profiles(|all| all[0]["fields"][0]["count"] = json!(u64::MAX)),
        "evidence.profiles[0].fields[0].count: found 18",
    );
    refused(
        &profiles(|all| all[0]["records"] = json!(u64::MAX)),
        "evidence.profiles[0].records: found 18",
    );
    refused(
        &profiles(|all| all[0]["fields"][0]["links"] = json!(99)),
        "evidence.profiles[0].fields[0].links: found 99",
    );
    refused(
        &profiles(|all| all[0]["fields"][0]["shapes"] = json!({"a": u64::MAX})),
        "evidence.profiles[0].fields[0].shapes.a: found 18",
    );
    refused(
        &profiles(|all| all[0]["fields"][0]["length"] = json!([1, 2])),
        "evidence.profiles[0].fields[0].length: found 2 numbers",
    );
    for (text, said) in [
        ("", "not JSON"),
        ("{\"wrapwright\": 1", "not JSON"),
        ("\u{0}\u{1}", "not JSON"),
        ("[]", ""),
    ] {
        place.write("bad.json", text);
        place
            .run(&["check", "bad.json", "old.html"])
            .ended(2, &format!("error: bad.json: {said}"));
    }
    place
        .run(&["check", "none.json", "old.html"])
        .ended(2, "none.json: no such file");
    place
        .run(&["watch", ".", "--pages", "old.html"])
        .ended(2, "found a directory, expected a wrapper");
}

#[test]
fn a_directory_that_cannot_be_written_to_is_told() {
    let place = video_shop();
    place.write("locked/v.wrapper.json", place.read("v.wrapper.json"));
    let locked = place.path("locked");
    let mode = |mode| fs::set_permissions(&locked, fs::Permissions::from_mode(mode)).expect("permissions");
    mode(0o555);
    if fs::write(locked.join("probe"), "").is_ok() {
        mode(0o755);
        skip::skip(
            "cli: a directory that cannot be written to",
            "this user may write everywhere",
        );
        return;
    }
    let wrapper = place.read("locked/v.wrapper.json");
    place
        .run(&["watch", "locked/v.wrapper.json", "--pages", "old.html"])
        .ended(4, "locked/v.history.sqlite");
    place
        .run(&["check", "--accept", "locked/v.wrapper.json", "old.html"])
        .ended(4, "cannot write locked/v.wrapper.json");
    let repair = [
        "repair",
        "locked/v.wrapper.json",
        "new.html",
        "-o",
        "locked/v.wrapper.json",
    ];
    place
        .run(&repair)
        .ended(4, "cannot keep the old wrapper as locked/v.old-1.wrapper.json");
    assert_eq!(place.read("locked/v.wrapper.json"), wrapper);
    mode(0o755);
}

#[test]
fn targets_that_cannot_be_written_are_told() {
    let place = video_shop();
    fs::create_dir(place.path("folder")).expect("a directory");
    let to = |target: &str| place.run(&["repair", "v.wrapper.json", "new.html", "-o", target]);
    to("folder").ended(4, "cannot write folder");
    to("none/n.json").ended(4, "cannot write none/n.json");
    assert_eq!(
        place.files(),
        [
            "ex.json",
            "folder",
            "new.html",
            "old.html",
            "v.wrapper.json",
            "videos.dtd"
        ]
    );
}

/// Standard output that takes nothing, and one that nobody reads.
#[test]
fn output_that_cannot_be_written_is_told_or_left() {
    let place = video_shop();
    for arguments in [
        &["check", "v.wrapper.json", "new.html"][..],
        &["repair", "v.wrapper.json", "new.html"],
    ] {
        if let Ok(full) = fs::OpenOptions::new().write(true).open("/dev/full") {
            let ran = place.command(arguments).stdout(full).output().expect("a run");
            let words = String::from_utf8_lossy(&ran.stderr);
            assert_eq!(ran.status.code(), Some(4), "{words}");
            assert!(words.contains("cannot write to standard output"), "{words}");
        }
        let mut child = place
            .command(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("a run");
        drop(child.stdout.take());
        let ran = child.wait_with_output().expect("an end");
        let words = String::from_utf8_lossy(&ran.stderr);
        assert_eq!((ran.status.code(), words.as_ref()), (Some(0), ""));
    }
}

/// A table of films with two prices each, by these labels.
fn films(rows: &[[&str; 3]], labels: [&str; 2], is_new: bool) -> String {
    let row = |[name, dvd, vhs]: &[&str; 3]| match is_new {
        false => format!(
            "<tr><td><b>{name}</b><ul><li><i>{}</i> <em>{dvd}</em></li><li><i>{}</i> <em>{vhs}</em></li></ul></td></tr>",
            labels[0], labels[1]
        ),
        true => format!(
            "<div class=v><h3>{name}</h3><p><span>{}</span> <strong>{vhs}</strong></p><p><span>{}</span> <strong>{dvd}</strong></p></div>",
            labels[1], labels[0]
        ),
    };
    let rows: String = rows.iter().map(row).collect();
    format!("<!doctype html><title>Films</title><table>{rows}</table>")
}

#[test]
fn what_is_not_sure_is_left_out_and_the_rest_is_repaired() {
    let place = Place::new();
    let old = [
        ["May Morning", "15.38", "14.98"],
        ["Blow Up", "12.10", "9.98"],
        ["Wonderwall", "22.00", "11.50"],
        ["Kaleidoscope", "10.40", "17.25"],
    ];
    let new = [
        ["Performance", "11.20", "14.10"],
        ["Darling", "19.90", "12.75"],
        ["The Knack", "16.30", "10.80"],
        ["Georgy Girl", "12.95", "13.40"],
    ];
    place.write("old.html", films(&old, ["DVD", "VHS"], false));
    place.write("new.html", films(&new, ["Disc", "Tape"], true));
    let record = |[name, dvd, vhs]: &[&str; 3]| json!({ "name": name, "dvd": dvd, "vhs": vhs });
    let examples = json!({ "old.html": old.iter().map(record).collect::<Vec<_>>() });
    place.write("examples.json", examples.to_string());
    let schema = json!({ "type": "array", "items": { "type": "object", "properties": {
        "name": { "type": "string" }, "dvd": { "type": "string" }, "vhs": { "type": "string" } } } });
    place.write("schema.json", schema.to_string());
    let learned = place.run(&[
        "learn",
        "old.html",
        "--schema",
        "schema.json",
        "--examples",
        "examples.json",
        "-o",
        "w.json",
    ]);
    assert_eq!(learned.code, Some(0), "{}", learned.words);
    let repaired = place.run(&["repair", "w.json", "new.html", "-o", "new.json"]);
    assert_eq!(repaired.code, Some(1), "{}{}", repaired.out, repaired.words);
    assert!(repaired.words.contains("so they are left out"), "{}", repaired.words);
    assert!(repaired.out.contains("(left out)"), "{}", repaired.out);
    let names = new.map(|[name, ..]| json!({ "name": name }));
    assert_eq!(extracted(&place, "new.json", "new.html"), names);
    let forced = place.run(&["repair", "w.json", "new.html", "-o", "all.json", "--force"]);
    assert_eq!(forced.code, Some(0), "{}", forced.words);
    assert_eq!(extracted(&place, "all.json", "new.html").len(), 4);
}

/// A page of a shop: its title, its price and, mostly, its maker; as it was, or in a new template.
fn article(number: usize, has_maker: bool, is_new: bool) -> String {
    let (title, price) = (format!("Lamp {number}"), format!("${}.50", 5 + number));
    let maker = ["Kestrel", "Morrow", "Tindall", "Ashby"][number % 4];
    let body = match is_new {
        false => {
            let maker = if has_maker {
                format!("<tr><td>Maker:<td><i>{maker}</i>")
            } else {
                String::new()
            };
            format!("<h1>{title}</h1><table><tr><td>Price:<td><b>{price}</b>{maker}</table>")
        }
        true => format!(
            "<section><h3>{title}</h3><p><span>Maker:</span> <em>{maker}</em></p><p><span>Price:</span> <u>{price}</u></p></section>"
        ),
    };
    format!("<!doctype html><title>{title}</title><p>Welcome</p>{body}<p>Contact</p>")
}

#[test]
fn one_page_a_mixed_batch_and_pages_of_another_kind() {
    let place = Place::new();
    let mut examples = serde_json::Map::new();
    for number in 0..40 {
        place.write(&format!("a{number}.html"), article(number, true, false));
    }
    for number in 0..3 {
        let maker = ["Kestrel", "Morrow", "Tindall"][number];
        let record =
            json!({ "title": format!("Lamp {number}"), "price": format!("${}.50", 5 + number), "maker": maker });
        examples.insert(format!("a{number}.html"), json!([record]));
    }
    place.write("examples.json", Value::Object(examples).to_string());
    let learned = place.run(&[
        "learn",
        "a0.html",
        "a1.html",
        "a2.html",
        "--examples",
        "examples.json",
        "-o",
        "w.json",
    ]);
    assert_eq!(learned.code, Some(0), "{}", learned.words);
    let good: Vec<String> = (0..33).map(|number| format!("a{number}.html")).collect();
    let mut accept = vec!["check", "w.json", "--accept"];
    accept.extend(good.iter().map(String::as_str));
    assert_eq!(place.run(&accept).code, Some(0));
    // What 33 of 33 pages had is missing on one.
    place.write("without.html", article(50, false, false));
    let one = place.run(&["check", "w.json", "without.html"]);
    assert_eq!(one.code, Some(3), "{}", one.out);
    assert!(one.out.contains("the record has none, 33 of 33 had"), "{}", one.out);
    assert_eq!(place.run(&["check", "w.json", "a35.html"]).code, Some(0));
    // Half of the pages are new: it says which.
    place.write("n1.html", article(51, true, true));
    place.write("n2.html", article(52, true, true));
    let mixed = place.run(&["check", "w.json", "a36.html", "n1.html", "a37.html", "n2.html"]);
    assert_eq!(mixed.code, Some(3), "{}", mixed.out);
    let expected = "✗ The pages are mixed: 2 of 4 are as before, 2 have changed.\n  As before: a36.html, a37.html.\n  \
        Changed: n1.html, n2.html.\n";
    assert!(mixed.out.starts_with(expected), "{}", mixed.out);
    // A page of another kind, and one that is empty, are not a change of the site.
    place.write(
        "terms.html",
        "<!doctype html><title>Terms</title><h2>Terms of use</h2><ul><li>one<li>two</ul>",
    );
    place.write("empty.html", String::new());
    let others = place.run(&[
        "check",
        "w.json",
        "a36.html",
        "a37.html",
        "a38.html",
        "a39.html",
        "terms.html",
        "empty.html",
    ]);
    assert_eq!(others.code, Some(0), "{}", others.out);
    assert!(
        others.out.contains("terms.html, empty.html"),
        "{}{}",
        others.out,
        others.words
    );
}

#[test]
fn a_repair_that_finds_far_fewer_records_says_so_once() {
    let place = Place::new();
    let books: Vec<[String; 2]> = (1..=6)
        .map(|number| {
            [
                format!("Title number {number} of the shelf"),
                format!("{number}2.50 USD"),
            ]
        })
        .collect();
    let rows: String = books
        .iter()
        .map(|[title, price]| format!("<li><b>{title}</b> <i>{price}</i></li>"))
        .collect();
    for page in ["a.html", "b.html", "c.html"] {
        place.write(page, format!("<ul>{rows}</ul>"));
    }
    let two: String = books[..2]
        .iter()
        .map(|[title, price]| format!("<tr><td>{title}</td><td>{price}</td></tr>"))
        .collect();
    place.write("new.html", format!("<table>{two}</table>"));
    let records: Vec<Value> = books
        .iter()
        .map(|[title, price]| json!({ "title": title, "price": price }))
        .collect();
    let examples = json!({ "a.html": records, "b.html": records, "c.html": records });
    place.write("examples.json", examples.to_string());
    let schema = json!({ "type": "array", "items": { "type": "object", "properties": {
        "title": { "type": "string" }, "price": { "type": "string" } } } });
    place.write("schema.json", schema.to_string());
    let options = ["--schema", "schema.json", "--examples", "examples.json", "-o", "w.json"];
    let learned = place.run(&[&["learn", "a.html", "b.html", "c.html"][..], &options[..]].concat());
    assert_eq!(learned.code, Some(0), "{}", learned.words);
    let repaired = place.run(&["repair", "w.json", "new.html", "-o", "new.json"]);
    assert_eq!(repaired.code, Some(1), "{}{}", repaired.out, repaired.words);
    let said = format!("{}{}", repaired.out, repaired.words);
    assert_eq!(
        said.matches("a page has 2 records at most, and had 6 at least").count(),
        1,
        "{said}"
    );
    assert!(said.contains("the new wrapper may not read all records"), "{said}");
    assert_eq!(extracted(&place, "new.json", "new.html"), records[..2].to_vec());
}
