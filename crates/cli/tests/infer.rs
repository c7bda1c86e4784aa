//! `infer`, and the other commands on what it makes.

use std::path::Path;
use std::process::{Command, Output};

fn wrapwright(directory: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_wrapwright"));
    command.current_dir(directory).args(arguments).output().unwrap()
}

fn pages(directory: &Path) {
    for (name, title, price) in [
        ("a", "Alien", "7.50"),
        ("b", "Solaris", "8.00"),
        ("c", "Stalker", "9.20"),
    ] {
        let html = format!("<h1>{title}</h1><table><tr><td>Price:<td>{price}</table>");
        std::fs::write(directory.join(format!("{name}.html")), html).unwrap();
    }
}

#[test]
fn a_wrapper_from_pages_gives_their_records() {
    let directory = tempfile::tempdir().unwrap();
    let at = directory.path();
    pages(at);
    let made = wrapwright(at, &["infer", ".", "-o", "w.json"]);
    assert_eq!(made.status.code(), Some(0), "{made:?}");
    let out = wrapwright(at, &["extract", "w.json", "b.html", "--no-meta"]);
    assert_eq!(
        String::from_utf8_lossy(&out.stdout),
        "{\"h1\":\"Solaris\",\"price\":\"8.00\"}\n"
    );
    let table = wrapwright(at, &["extract", "w.json", ".", "--no-meta", "--format", "csv"]);
    let table = String::from_utf8_lossy(&table.stdout).into_owned();
    assert_eq!(table, "h1,price\nAlien,7.50\nSolaris,8.00\nStalker,9.20\n");
    let shown = wrapwright(at, &["show", "w.json"]);
    assert!(String::from_utf8_lossy(&shown.stdout).contains("= price"), "{shown:?}");
    let drawn = wrapwright(
        at,
        &["show", "w.json", "--svg", "w.svg", "--on", "a.html", "--html", "a.out"],
    );
    assert_eq!(drawn.status.code(), Some(0), "{drawn:?}");
    assert!(std::fs::read_to_string(at.join("w.svg")).unwrap().starts_with("<svg"));
    assert!(
        std::fs::read_to_string(at.join("a.out"))
            .unwrap()
            .contains("<mark>Alien</mark>")
    );
}

#[test]
fn one_page_is_not_enough() {
    let directory = tempfile::tempdir().unwrap();
    pages(directory.path());
    let out = wrapwright(directory.path(), &["infer", "a.html"]);
    assert_eq!(out.status.code(), Some(2));
    assert!(
        String::from_utf8_lossy(&out.stderr).contains("expected at least two"),
        "{out:?}"
    );
}

/// Pages of a book with its reviews.
fn books(directory: &Path) {
    let review = |(name, rating): &(&str, &str)| format!("<li><b>By</b> {name} <i>Rating</i> {rating}</li>");
    for (name, title, reviews) in [
        ("a", "Databases", vec![("John", "7")]),
        ("b", "Data Mining", vec![("Jeff", "2"), ("Jane", "6")]),
        ("c", "Query Opt.", vec![("Jim", "8"), ("Joe", "3"), ("Jo", "5")]),
        ("d", "Transactions", vec![]),
    ] {
        let reviews: String = reviews.iter().map(review).collect();
        let html = format!("<h1>Book</h1><p>{title}</p><h2>Reviews</h2><ol>{reviews}</ol>");
        std::fs::write(directory.join(format!("{name}.html")), html).unwrap();
    }
}

#[test]
fn a_template_gives_nested_records_and_their_type() {
    let directory = tempfile::tempdir().unwrap();
    let at = directory.path();
    books(at);
    let made = wrapwright(
        at,
        &["infer", ".", "--method", "exalg", "-o", "w.json", "--record", "page"],
    );
    assert_eq!(made.status.code(), Some(0), "{made:?}");
    let out = wrapwright(at, &["extract", "w.json", "b.html", "d.html", "--no-meta"]);
    assert_eq!(
        String::from_utf8_lossy(&out.stdout),
        "{\"book\":\"Data Mining\",\"by_items\":[{\"by\":\"Jeff\",\"rating\":\"2\"},{\"by\":\"Jane\",\"rating\":\"6\"}]}\n\
         {\"book\":\"Transactions\"}\n"
    );
    let shown = wrapwright(at, &["show", "w.json"]);
    let shown = String::from_utf8_lossy(&shown.stdout).into_owned();
    assert!(
        shown.contains("<ol> {<<li> <b> By </b> *by <i> Rating </i> *rating </li>>} </ol>"),
        "{shown}"
    );
    let dtd = wrapwright(at, &["show", "w.json", "--schema", "dtd"]);
    assert_eq!(
        String::from_utf8_lossy(&dtd.stdout),
        "<!ELEMENT page (book?, by_items*)>\n<!ELEMENT book (#PCDATA)>\n<!ELEMENT by_items (by?, rating?)>\n\
         <!ELEMENT by (#PCDATA)>\n<!ELEMENT rating (#PCDATA)>\n"
    );
    let schema = wrapwright(at, &["show", "w.json", "--schema"]);
    let schema: serde_json::Value = serde_json::from_slice(&schema.stdout).unwrap();
    assert_eq!(
        schema["properties"]["by_items"]["items"]["properties"]["rating"]["type"],
        "string"
    );
    let drawn = wrapwright(at, &["show", "w.json", "--svg", "w.svg"]);
    assert_eq!(drawn.status.code(), Some(0), "{drawn:?}");
    assert!(
        std::fs::read_to_string(at.join("w.svg"))
            .unwrap()
            .contains("set by_items")
    );
}

#[test]
fn what_does_not_fit_a_template_is_told() {
    let directory = tempfile::tempdir().unwrap();
    let at = directory.path();
    books(at);
    wrapwright(at, &["infer", ".", "--method", "exalg", "-o", "w.json"]);
    std::fs::write(
        at.join("odd.htm"),
        "<h1>Book</h1><p>Odd</p><h2>Reviews</h2><ol><li><b>By</b> A <i>Rating</i> 1</li><li>none</li>\
         <li><b>By</b> B <i>Rating</i> 2</li></ol>",
    )
    .unwrap();
    let out = wrapwright(at, &["extract", "w.json", "odd.htm", "--no-meta"]);
    assert_eq!(out.status.code(), Some(1), "{out:?}");
    assert_eq!(
        String::from_utf8_lossy(&out.stdout),
        "{\"book\":\"Odd\",\"by_items\":[{\"by\":\"A\",\"rating\":\"1\"},{\"by\":\"B\",\"rating\":\"2\"}]}\n"
    );
    assert!(
        String::from_utf8_lossy(&out.stderr).contains("1 places do not fit the template"),
        "{out:?}"
    );
}

#[test]
fn the_better_method_is_kept_and_said() {
    let directory = tempfile::tempdir().unwrap();
    let at = directory.path();
    books(at);
    let made = wrapwright(at, &["infer", ".", "--method", "auto", "-o", "w.json"]);
    assert_eq!(made.status.code(), Some(0), "{made:?}");
    let said = String::from_utf8_lossy(&made.stderr).into_owned();
    assert!(
        said.contains("kept ") && said.contains(" bits (") && said.contains(" against "),
        "{said}"
    );
}
