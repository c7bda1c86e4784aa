//! Work in the studio, by its requests: fields, pointing, undo, drafts and versions.

mod common;

use common::{Visitor, online, opening, project, shelf, shown, start};
use demo::{Demo, server};
use serde_json::{Value, json};
use std::fs;
use wrapwright::Wrapper;

fn column(visitor: &Visitor, field: &str) -> Vec<Option<String>> {
    let rows = visitor.get("/api/rows").json();
    let columns = rows["columns"].as_array().expect("columns");
    let at = columns.iter().position(|name| name == field).expect("the column");
    let cell = |row: &Value| row["cells"][at]["text"].as_str().map(str::to_owned);
    rows["rows"].as_array().expect("rows").iter().map(cell).collect()
}

/// The place of a text on a page, by what is around it in the frozen page.
fn place(visitor: &Visitor, page: usize, text: &str) -> Value {
    let html = visitor.get(&format!("/page?page={page}")).body;
    let before = &html[..html.find(&format!(">{text}<")).expect("the text")];
    let number = before.rsplit("data-n=\"").next().expect("a number");
    let number: u32 = number.trim_end_matches('"').parse().expect("a number");
    json!({ "n": number })
}

#[test]
fn the_answer_comes_first_and_every_cell_has_its_place() {
    let folder = project();
    let running = start(&folder);
    let visitor = Visitor::enter(&running);
    let state = visitor.settled();
    assert_eq!(state["pages"].as_array().map(Vec::len), Some(4));
    assert_eq!(state["rows"], json!(4));
    assert_eq!(column(&visitor, "title")[3].as_deref(), Some("Salt Road"));
    let rows = visitor.get("/api/rows?find=salt").json();
    assert_eq!(rows["total"], json!(1));
    let csv = visitor.get("/table.csv");
    assert!(
        csv.body.lines().any(|line| line.contains("Salt Road,3.50")),
        "{}",
        csv.body
    );
    assert_eq!(csv.body.lines().count(), 5);
    let boxes = visitor.get("/api/boxes?page=3").json();
    let boxes = boxes["boxes"].as_array().expect("boxes").clone();
    let title = boxes
        .iter()
        .find(|found| found["field"] == json!("title"))
        .expect("a box");
    assert_eq!(title["row"], json!(3));
    let heading = place(&visitor, 3, "Salt Road");
    // The title of the window or the heading: both say it.
    assert!(title["at"]["n"].as_u64() <= heading["n"].as_u64(), "{title} {heading}");
}

#[test]
fn a_value_that_is_pointed_at_becomes_a_field_on_all_pages_and_can_be_taken_back() {
    let folder = project();
    let running = start(&folder);
    let visitor = Visitor::enter(&running);
    let before = shown(&visitor.settled());
    let at = place(&visitor, 1, "Ada Lovelace");
    let choices = visitor.get(&format!("/api/choices?page=1&n={}", at["n"])).json();
    assert_eq!(choices["choices"][0]["text"], json!("Ada Lovelace"));
    let done = visitor.act(&json!({ "do": "point", "page": 1, "at": at, "field": "seller" }));
    assert_eq!(done.status, 200, "{done:?}");
    assert_eq!(column(&visitor, "seller"), vec![Some("Ada Lovelace".to_owned()); 4]);
    assert_eq!(column(&visitor, "title")[0].as_deref(), Some("Kelp"), "the others stay");
    let state = visitor.act(&json!({ "do": "undo" })).json();
    assert_eq!(shown(&state), before);
    let state = visitor.act(&json!({ "do": "redo" })).json();
    assert!(shown(&state).contains(&"seller".to_owned()));
}

#[test]
fn a_new_table_begins_with_one_value() {
    let folder = project();
    let running = start(&folder);
    let visitor = Visitor::enter(&running);
    visitor.settled();
    let at = place(&visitor, 0, "7.25");
    let done = visitor.act(&json!({ "do": "begin", "page": 0, "at": at, "field": "price" }));
    assert_eq!(done.status, 200, "{done:?}");
    assert_eq!(shown(&done.json()), ["price"]);
    let prices: Vec<Option<String>> = ["7.25", "8.00", "9.10", "3.50"]
        .iter()
        .map(|text| Some((*text).to_owned()))
        .collect();
    assert_eq!(column(&visitor, "price"), prices);
    let ways = visitor.get("/api/ways?field=price").json();
    let ways = ways["ways"].as_array().expect("ways").clone();
    assert!(
        !ways.is_empty() && ways.iter().all(|way| way["filled"] == json!(4)),
        "{ways:?}"
    );
    let last = ways.len() - 1;
    let done = visitor.act(&json!({ "do": "prefer", "field": "price", "way": last }));
    assert_eq!(done.status, 200, "{done:?}");
    assert_eq!(column(&visitor, "price"), prices);
    assert_eq!(
        visitor.get("/api/ways?field=price").json()["ways"][0]["path"],
        ways[last]["path"]
    );
    let at = place(&visitor, 2, "Fern");
    let done = visitor.act(&json!({ "do": "point", "page": 2, "at": at, "field": "name" }));
    assert_eq!(done.status, 200, "{done:?}");
    assert_eq!(column(&visitor, "name")[1].as_deref(), Some("Moss"));
}

#[test]
fn a_value_that_is_called_wrong_is_not_found_again() {
    let folder = tempfile::tempdir().expect("a directory");
    let item =
        |(name, kind, price): (&str, &str, &str)| format!("<li><h3>{name}</h3><p><b class={kind}>{price}</b></p></li>");
    let items = [
        ("Kelp", "now", "7.25"),
        ("Moss", "now", "8.00"),
        ("Fern", "was", "9.10"),
        ("Salt Road", "now", "3.50"),
        ("Tide", "now", "4.20"),
    ];
    let html = format!(
        "<title>Shelf</title><ul>{}</ul>",
        items.into_iter().map(item).collect::<String>()
    );
    fs::write(folder.path().join("shelf.html"), html).expect("a page");
    let page = folder.path().join("shelf.html").display().to_string();
    let running = studio::start(opening(folder.path(), &[&page]), 0).expect("a studio");
    let visitor = Visitor::enter(&running);
    let state = visitor.settled();
    let other = visitor.act(&json!({ "do": "infer", "method": "regions", "list": 9 }));
    assert_eq!(other.status, 422, "the page has fewer lists");
    let fields = shown(&state);
    let price = fields
        .iter()
        .find(|field| column(&visitor, field)[2].as_deref() == Some("9.10"));
    let price = price.expect("the old price is taken for a price").clone();
    let at = place(&visitor, 0, "9.10");
    let done = visitor.act(&json!({ "do": "point", "page": 0, "at": at, "field": price, "wrong": true }));
    assert_eq!(done.status, 200, "{done:?}");
    let prices = column(&visitor, &price);
    let expected = [Some("7.25"), Some("8.00"), None, Some("3.50"), Some("4.20")];
    assert_eq!(prices.iter().map(Option::as_deref).collect::<Vec<_>>(), expected);
}

#[test]
fn fields_are_hidden_shown_moved_and_renamed() {
    let folder = project();
    let running = start(&folder);
    let visitor = Visitor::enter(&running);
    let fields = shown(&visitor.settled());
    let (first, last) = (fields[0].clone(), fields[fields.len() - 1].clone());
    let state = visitor
        .act(&json!({ "do": "move", "field": last, "before": first }))
        .json();
    assert_eq!(shown(&state)[0], last);
    let state = visitor.act(&json!({ "do": "hide", "field": last })).json();
    assert!(!shown(&state).contains(&last));
    let state = visitor.act(&json!({ "do": "show", "field": last })).json();
    assert_eq!(shown(&state).last(), Some(&last));
    let refused = visitor.act(&json!({ "do": "rename", "field": last, "to": first }));
    assert_eq!(refused.status, 422, "two fields of one name");
}

#[test]
fn nothing_is_lost_when_the_program_ends_and_versions_are_kept() {
    let folder = project();
    let target = folder.path().join("project/pages.wrapper.json");
    let draft = folder.path().join("project/pages.draft.wrapper.json");
    {
        let running = start(&folder);
        let visitor = Visitor::enter(&running);
        visitor.settled();
        visitor.act(&json!({ "do": "rename", "field": "title", "to": "product" }));
        assert!(draft.exists() && !target.exists());
    }
    let running = start(&folder);
    let visitor = Visitor::enter(&running);
    let state = visitor.settled();
    assert!(shown(&state).contains(&"product".to_owned()), "{state}");
    assert_eq!(state["is_saved"], json!(false));
    let state = visitor.act(&json!({ "do": "save" })).json();
    assert_eq!(
        (&state["is_saved"], &state["file"]),
        (&json!(true), &json!("pages.wrapper.json"))
    );
    assert!(!draft.exists());
    assert!(
        Wrapper::open(&target)
            .expect("a wrapper")
            .record_type
            .has_path("product")
    );
    visitor.act(&json!({ "do": "rename", "field": "product", "to": "thing" }));
    visitor.act(&json!({ "do": "save" }));
    assert!(Wrapper::open(&target).expect("a wrapper").record_type.has_path("thing"));
    let old = folder.path().join("project/pages.old-1.wrapper.json");
    assert!(
        Wrapper::open(&old)
            .expect("the version before")
            .record_type
            .has_path("product")
    );
}

#[test]
fn a_wrapper_on_changed_pages_is_checked_repaired_and_accepted() {
    let folder = project();
    let project = folder.path().join("project");
    {
        let running = start(&folder);
        let visitor = Visitor::enter(&running);
        visitor.settled();
        assert_eq!(visitor.act(&json!({ "do": "save" })).status, 200);
    }
    for entry in fs::read_dir(project.join("pages")).expect("pages") {
        let path = entry.expect("a page").path();
        let html = fs::read_to_string(&path).expect("a page");
        let html = html
            .replace("<h1>", "<div class=top>Shop</div><h2>")
            .replace("</h1>", "</h2>");
        let html = html
            .replace("<p>Price: <b>", "<ul><li>Our cost: <span>")
            .replace("</b></p>", "</span></ul>");
        fs::write(path, html).expect("a page");
    }
    let pages = project.join("pages").display().to_string();
    let mut again = opening(&project, &[&pages]);
    again.wrapper = Some(project.join("pages.wrapper.json"));
    let running = studio::start(again, 0).expect("a studio");
    let visitor = Visitor::enter(&running);
    let state = visitor.settled();
    assert_eq!(state["health"]["is_fine"], json!(false), "{state}");
    let state = visitor.act(&json!({ "do": "repair" })).json();
    assert_ne!(state["repair"]["outcome"], json!("healthy"), "{state}");
    let state = visitor.act(&json!({ "do": "accept" })).json();
    assert_eq!(state["repair"], Value::Null);
    assert_eq!(column(&visitor, "price")[1].as_deref(), Some("8.00"));
    let state = visitor.act(&json!({ "do": "undo" })).json();
    assert_eq!(state["is_saved"], json!(true), "the saved wrapper is back");
}

#[test]
fn without_pages_there_is_nothing_and_pages_can_be_added() {
    let folder = project();
    let project = folder.path().join("project");
    let running = studio::start(opening(&project, &[]), 0).expect("a studio");
    let visitor = Visitor::enter(&running);
    let state = visitor.settled();
    assert_eq!(state["pages"], json!([]));
    assert_eq!(visitor.act(&json!({ "do": "save" })).status, 422);
    let refused = visitor.act(&json!({ "do": "add", "name": "http://127.0.0.1:1/" }));
    assert_eq!(refused.status, 422, "nobody opens addresses here");
    let state = visitor.act(&json!({ "do": "add", "name": "pages" })).json();
    assert_eq!(state["rows"], json!(4), "{state}");
    let state = visitor.act(&json!({ "do": "drop", "page": 0 })).json();
    assert_eq!(state["rows"], json!(3));
    let state = visitor.act(&json!({ "do": "undo" })).json();
    assert_eq!(state["rows"], json!(4));
}

#[test]
fn a_run_is_told_event_by_event_and_kept() {
    let shop = server::start("127.0.0.1:0", Demo).expect("the shop");
    let folder = tempfile::tempdir().expect("a directory");
    let address = format!("{}shop/search", shop.url());
    let running = studio::start(online(folder.path(), &[&address]), 0).expect("a studio");
    let visitor = Visitor::enter(&running);
    visitor.settled();
    let answer = visitor.act(&json!({ "do": "run", "file": "shop.ndjson", "pages": 12 }));
    assert_eq!(answer.status, 200, "{answer:?}");
    assert_eq!(answer.json()["run"]["limit"], json!(12));
    // The stream ends with the run.
    let stream = visitor.get("/api/run");
    assert_eq!(stream.header("content-type"), Some("text/event-stream"));
    let told = stream.body.lines().filter_map(|line| line.strip_prefix("data: "));
    let told: Vec<Value> = told.map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let last = &told.last().expect("an event")["run"];
    assert_eq!(
        (&last["state"], &last["pages"]),
        (&json!("limit"), &json!(12)),
        "{last}"
    );
    let rows: usize = told
        .iter()
        .map(|told| told["rows"].as_array().map_or(0, Vec::len))
        .sum();
    assert_eq!(json!(rows), last["records"]);
    assert_eq!(rows, 11, "a page of the list, and those that it links to");
    let text = fs::read_to_string(folder.path().join("shop.ndjson")).expect("records");
    assert_eq!(text.lines().count(), rows);
    let health = visitor.get("/api/health").json();
    assert_eq!(health["runs"][0]["folder"], json!("runs/shop-1"));
    assert_eq!(health["runs"][0]["state"], json!("limit"));
    // Once more with another limit goes on, and does not write records twice.
    let answer = visitor.act(&json!({ "do": "resume", "folder": "runs/shop-1", "pages": 20 }));
    assert_eq!(answer.status, 200, "{answer:?}");
    let stream = visitor.get("/api/run").body;
    assert!(stream.contains("\"pages\":20"), "{stream}");
    let text = fs::read_to_string(folder.path().join("shop.ndjson")).expect("records");
    assert_eq!(text.lines().count(), 18, "two pages of the list have twelve links each");
    // Rows in the order of a field.
    let sorted = visitor.get("/api/rows?sort=price&down=1").json();
    let at = sorted["columns"]
        .as_array()
        .and_then(|columns| columns.iter().position(|name| name == "price"));
    let prices = sorted["rows"].as_array().expect("rows").iter();
    let prices: Vec<f64> = prices
        .filter_map(|row| {
            row["cells"][at?]["text"]
                .as_str()?
                .trim_start_matches('$')
                .replace(',', "")
                .parse()
                .ok()
        })
        .collect();
    assert!(
        prices.len() > 10 && prices.is_sorted_by(|one, other| one >= other),
        "{prices:?}"
    );
}

#[test]
fn a_list_is_chosen_by_two_of_its_records_and_its_path_is_written_by_hand() {
    let folder = shelf(true);
    let page = folder.path().join("shelf.html").display().to_string();
    let running = studio::start(opening(folder.path(), &[&page]), 0).expect("a studio");
    let visitor = Visitor::enter(&running);
    visitor.settled();
    let at = [place(&visitor, 0, "Ugo"), place(&visitor, 0, "2024-05-04")];
    let answer = visitor.act(&json!({ "do": "list", "page": 0, "at": at }));
    assert_eq!(answer.status, 200, "{answer:?}");
    let state = answer.json();
    assert_eq!(state["rows"], json!(4));
    let names = shown(&state);
    let has = |text: &str| {
        names
            .iter()
            .any(|name| column(&visitor, name).iter().flatten().any(|cell| cell == text))
    };
    assert!(has("Cy") && has("2024-05-03") && !has("Kelp"), "{names:?}");
    // Two places of one record are not two records.
    let at = [place(&visitor, 0, "Ugo"), place(&visitor, 0, "Ugo")];
    assert_eq!(visitor.act(&json!({ "do": "list", "page": 0, "at": at })).status, 422);

    // The path to the records.
    let rule = visitor.get("/api/rule").json();
    assert_eq!(rule["each"][0]["records"], json!(4), "{rule}");
    let tried = visitor
        .get("/api/try-each?page=0&path=%2F%2Fdiv%5Bposition()%20%3E%201%5D")
        .json();
    assert_eq!(
        (&tried["records"], &tried["filled"], &tried["of"]),
        (&json!(3), &json!(1), &json!(1)),
        "{tried}"
    );
    assert_eq!(tried["at"].as_array().map(Vec::len), Some(3));
    let wrong = visitor.get("/api/try-each?page=0&path=%2F%2Fdiv%5B").json();
    assert!(
        wrong["problem"]["from"].as_u64().is_some_and(|from| from >= 5),
        "{wrong}"
    );
    let set = |path: &str| visitor.act(&json!({ "do": "set-each", "at": 0, "path": path }));
    assert_eq!(set("//div[").status, 422);
    assert_eq!(set("//table").status, 422, "finds nothing");
    assert_eq!(set("//div[position() > 1]").json()["rows"], json!(3));
    assert_eq!(visitor.act(&json!({ "do": "undo" })).json()["rows"], json!(4));
}

#[test]
fn all_other_fields_are_hidden_at_once() {
    let folder = project();
    let running = start(&folder);
    let visitor = Visitor::enter(&running);
    let before = shown(&visitor.settled());
    let only = |fields: &[&str]| visitor.act(&json!({ "do": "only", "fields": fields }));
    assert_eq!(shown(&only(&["price", "title"]).json()), ["price", "title"]);
    assert_eq!(only(&["nothing"]).status, 422);
    assert_eq!(shown(&visitor.act(&json!({ "do": "undo" })).json()), before);
}

#[test]
fn fields_get_types_and_a_key() {
    let folder = project();
    let running = start(&folder);
    let visitor = Visitor::enter(&running);
    let state = visitor.settled();
    let field = |state: &Value, name: &str| {
        let fields = state["fields"].as_array().expect("fields").clone();
        fields
            .into_iter()
            .find(|field| field["name"] == json!(name))
            .expect("a field")
    };
    assert_eq!(field(&state, "price")["value"], json!("text"));
    let state = visitor
        .act(&json!({ "do": "type", "field": "price", "to": "number" }))
        .json();
    assert_eq!(field(&state, "price")["value"], json!("number"));
    let answer = visitor.act(&json!({ "do": "key", "field": "price", "on": true }));
    assert_eq!(answer.status, 200, "{answer:?}");
    assert_eq!(field(&answer.json(), "price")["key"], json!(true));
    // What cannot be is told, and nothing is changed.
    for command in [
        json!({ "do": "type", "field": "title", "to": "date" }),
        json!({ "do": "type", "field": "title", "to": "colour" }),
        json!({ "do": "key", "field": "nothing", "on": true }),
    ] {
        let answer = visitor.act(&command);
        assert_eq!(answer.status, 422, "{command}: {answer:?}");
    }
    visitor.act(&json!({ "do": "save", "file": "shop.wrapper.json" }));
    let file = folder.path().join("project/shop.wrapper.json");
    let wrapper = Wrapper::open(&file).expect("the file");
    assert_eq!(wrapper.key, ["price"]);
    let price = wrapper.record_type.value_type("price").expect("a type");
    assert_eq!(price.sort.name(), "number");
    let state = visitor
        .act(&json!({ "do": "key", "field": "price", "on": false }))
        .json();
    assert_eq!(field(&state, "price")["key"], json!(false));
    let state = visitor.act(&json!({ "do": "undo" })).json();
    assert_eq!(field(&state, "price")["key"], json!(true));
}
