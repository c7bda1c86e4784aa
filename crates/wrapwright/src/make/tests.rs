//! Wrappers of every kind, made and renamed.

mod chosen;

use super::*;
use crate::record::Record;
use crate::{ParseSettings, RecordType};
use std::io::Write;
use std::path::Path;
use std::sync::{Arc, Mutex};

fn page(name: &str, html: &str) -> Document {
    Document::from_source(name, html, &ParseSettings::default()).expect("a page")
}

/// Three pages with a title, a price and a list.
fn shop() -> Vec<Document> {
    let shop = |name: &str, title: &str, price: &str, tags: &[(&str, &str)]| {
        let items: String = tags
            .iter()
            .map(|(tag, count)| format!("<li><b>{tag}</b><i>{count}</i></li>"))
            .collect();
        page(
            name,
            &format!("<html><body><h1>{title}</h1><p>Price: <em>{price}</em></p><ul>{items}</ul></body></html>"),
        )
    };
    vec![
        shop("a", "Kelp", "12.50", &[("sea", "3"), ("green", "17")]),
        shop("b", "Moss", "8.00", &[("wood", "4")]),
        shop("c", "Fern", "9.75", &[("wood", "9"), ("shade", "2"), ("tall", "5")]),
        shop("d", "Reed", "7.10", &[("pond", "1"), ("tall", "6")]),
    ]
}

fn told(records: &[Record], kind: &RecordType) -> Vec<Vec<Vec<Vec<String>>>> {
    kind.rows(records)
}

/// Renames fields and checks that the values stay, in memory and after a file.
#[track_caller]
fn check_rename(wrapper: &Wrapper, pages: &[Document], names: &[(&str, &str)], expected: &[&str]) -> Wrapper {
    let renamed = rename_fields(wrapper, names).expect("renamed");
    let mut known = Vec::new();
    for table in renamed.record_type.tables() {
        let way = |name: String| match table.path.is_empty() {
            true => name,
            false => format!("{}.{name}", table.name()),
        };
        known.extend(table.columns.iter().map(|column| way(column.name())));
    }
    assert_eq!(known, expected);
    assert_eq!(renamed.evidence, wrapper.evidence, "profiles are kept");
    let again = Wrapper::from_json(&renamed.to_json()).expect("a wrapper");
    for document in pages {
        let before = told(&wrapper.extract(document).expect("records"), &wrapper.record_type);
        for renamed in [&renamed, &again] {
            let after = renamed.extract(document).expect("records");
            assert_eq!(told(&after, &renamed.record_type), before);
        }
    }
    assert!(wrapper.is_known());
    renamed
}

#[track_caller]
fn refused(wrapper: &Wrapper, names: &[(&str, &str)]) -> RenameError {
    match rename_fields(wrapper, names) {
        Err(MakeError::Rename(error)) => error,
        other => panic!("expected a refusal, found {other:?}"),
    }
}

fn inferred(method: Method) -> Inferred {
    let settings = InferSettings {
        method,
        ..InferSettings::default()
    };
    infer(&shop(), &settings, &Job::new()).expect("a wrapper")
}

/// The names of all values, with dots.
fn columns(wrapper: &Wrapper) -> Vec<String> {
    let tables = wrapper.record_type.tables();
    let each = tables.iter().flat_map(|table| {
        let names = table.columns.iter().map(|column| column.path.join("."));
        names.map(|name| match table.path.is_empty() {
            true => name,
            false => format!("{}.{name}", table.name()),
        })
    });
    each.collect()
}

#[test]
fn landmarks_and_templates_are_renamed() {
    for method in [Method::Landmarks, Method::Exalg] {
        let wrapper = inferred(method).wrapper;
        let old = columns(&wrapper);
        let nested = old.iter().position(|name| name.contains('.')).expect("a nested field");
        let list = old[nested].split('.').next().expect("a name").to_owned();
        let names = [(old[0].as_str(), "title"), (&list, "tags"), (&old[nested], "word")];
        let expected: Vec<String> = old
            .iter()
            .enumerate()
            .map(|(number, name)| match number {
                0 => "title".to_owned(),
                _ if number == nested => "tags.word".to_owned(),
                _ => name.replace(&format!("{list}."), "tags."),
            })
            .collect();
        let expected: Vec<&str> = expected.iter().map(String::as_str).collect();
        let renamed = check_rename(&wrapper, &shop(), &names, &expected);
        let records = renamed.extract(&shop()[1]).expect("records");
        assert_eq!(records[0].get("title"), Some("Moss"), "{method:?}");
        let taken = refused(&wrapper, &[(&old[0], &old[1])]);
        assert_eq!(taken, RenameError::Taken(old[1].clone()), "{method:?}");
        // Two fields change places.
        let both = [(old[0].as_str(), old[1].as_str()), (&old[1], &old[0])];
        let swapped = rename_fields(&wrapper, &both).expect("renamed");
        let records = swapped.extract(&shop()[1]).expect("records");
        assert_eq!(records[0].get(&old[1]), Some("Moss"), "{method:?}");
    }
}

const CODES: &str = "<ul><li><b>Congo</b> <i>242</i></li><li><b>Egypt</b> <i>20</i></li></ul>";
const EXAMPLES: &str = r#"{"a.html": [{"name": "Congo", "code": "242"}, {"name": "Egypt", "code": "20"}]}"#;

fn made(basis: Basis<'_>, documents: &[Document]) -> Result<Made, MakeError> {
    learn(documents, basis, &LearnSettings::default(), &Job::new())
}

#[test]
fn delimiters_are_renamed() {
    let pages = [page("x/a.html", CODES)];
    let examples = Examples::from_json("e.json", EXAMPLES).expect("examples");
    let wrapper = made(Basis::Examples(&examples), &pages).expect("a wrapper").wrapper;
    assert_eq!(wrapper.evidence.pages[0].name, "a.html");
    let renamed = check_rename(&wrapper, &pages, &[("code", "number")], &["name", "number"]);
    let records = renamed.extract(&pages[0]).expect("records");
    assert_eq!(records[1].get("number"), Some("20"));
    assert!(matches!(
        refused(&wrapper, &[("nope", "x")]),
        RenameError::NoSuchField(..)
    ));
    assert_eq!(
        refused(&wrapper, &[("code", "a b")]),
        RenameError::NotAName("a b".to_owned())
    );
}

#[test]
fn paths_are_renamed_with_their_schema() {
    let dtd =
        "<!ELEMENT codes (land*)>\n<!ELEMENT land (name, code?)>\n<!ELEMENT name (#PCDATA)>\n<!ELEMENT code (#PCDATA)>";
    let json = r#"{"title": "land", "type": "object", "properties": {"name": {"type": "string"}, "code": {"type": "integer"}},
                   "required": ["name"]}"#;
    let pages = [page("a.html", CODES)];
    let examples = Examples::from_json("e.json", EXAMPLES).expect("examples");
    for text in [dtd, json] {
        let schema = Schema::parse("s", text).expect("a schema");
        let wrapper = made(Basis::Schema(&schema, &examples), &pages)
            .expect("a wrapper")
            .wrapper;
        let renamed = check_rename(&wrapper, &pages, &[("code", "number")], &["name", "number"]);
        let records = renamed.extract(&pages[0]).expect("records");
        assert_eq!(records[1].get("number"), Some("20"), "{text}");
        assert_ne!(renamed.given, wrapper.given);
    }
    // Nobody can tell the field from the keyword.
    let keyword = r#"{"title": "land", "type": "object", "properties": {"name": {"type": "string"}, "type": {"type": "string"}}}"#;
    let schema = Schema::parse("s", keyword).expect("a schema");
    let examples = Examples::from_json("e", r#"{"a.html": [{"name": "Congo", "type": "242"}]}"#).expect("examples");
    let wrapper = made(Basis::Schema(&schema, &examples), &pages)
        .expect("a wrapper")
        .wrapper;
    assert_eq!(
        refused(&wrapper, &[("type", "kind")]),
        RenameError::Schema("type".to_owned())
    );
}

#[test]
fn markers_are_renamed() {
    let expression = Expression {
        name: "x.oxp".to_owned(),
        text: "doc('http://example.org/')//li:<land>[./b:<name=string(.)>][./i:<code=string(.)>]".to_owned(),
    };
    let pages = [page("a.html", CODES)];
    let wrapper = made(Basis::Expression(&expression), &pages).expect("a wrapper").wrapper;
    let renamed = check_rename(&wrapper, &pages, &[("code", "number")], &["name", "number"]);
    assert!(matches!(&renamed.rule, wrapper::Rule::Oxpath(text) if text.contains(":<number=string(.)>")));
}

/// A page that is given without its source has none to cut.
#[test]
fn delimiters_need_the_source() {
    let examples = Examples::from_json("e.json", EXAMPLES).expect("examples");
    let bare = Document {
        source: None,
        ..page("a.html", CODES)
    };
    let settings = LearnSettings {
        delimiters: true,
        ..LearnSettings::default()
    };
    let error = learn(&[bare], Basis::Examples(&examples), &settings, &Job::new()).expect_err("no source");
    assert!(
        matches!(&error, MakeError::NoSource { page } if page == "a.html"),
        "{error}"
    );
}

#[test]
fn pages_are_known_by_their_whole_name_or_its_end() {
    let examples = Examples::from_json("e.json", EXAMPLES).expect("examples");
    let named = |names: &[&str]| -> Vec<Document> { names.iter().map(|name| page(name, CODES)).collect() };
    let choose = |names: &[&str]| {
        let documents = named(names);
        let chosen = examples.choose(&documents).map(|chosen| {
            let names = chosen.iter().map(|document| document.name.to_string());
            names.collect::<Vec<_>>()
        });
        chosen.map_err(|error| error.to_string())
    };
    assert_eq!(choose(&["x/b.html", "x/a.html"]), Ok(vec!["x/a.html".to_owned()]));
    assert_eq!(choose(&["x/a.html", "a.html"]), Ok(vec!["a.html".to_owned()]));
    let several = "e.json: `a.html` may be several of the pages given";
    assert_eq!(choose(&["x/a.html", "y/a.html"]), Err(several.to_owned()));
    let none = "e.json: found examples for `a.html`, which is not among the pages given";
    assert_eq!(choose(&["x/b.html"]), Err(none.to_owned()));
}

#[test]
fn a_stopped_job_ends_all_learners() {
    let job = Job::new();
    job.stop();
    let pages = [page("a.html", CODES)];
    let examples = Examples::from_json("e.json", EXAMPLES).expect("examples");
    let schema = Schema::parse(
        "s",
        "<!ELEMENT l (name, code)><!ELEMENT name (#PCDATA)><!ELEMENT code (#PCDATA)>",
    );
    let schema = schema.expect("a schema");
    let text = r#"{"code": {"regex": "[0-9]+", "in": "cell", "mistakes": "none"}}"#;
    let recognizers = Recognizers::parse("r", text, Path::new("")).expect("recognizers");
    let expression = Expression {
        name: "x".to_owned(),
        text: "doc('http://example.org/')//li:<land>[./b:<name=string(.)>]".to_owned(),
    };
    for basis in [
        Basis::Examples(&examples),
        Basis::Schema(&schema, &examples),
        Basis::Recognizers(&recognizers),
        Basis::Expression(&expression),
    ] {
        let made = learn(&pages, basis, &LearnSettings::default(), &job);
        assert!(matches!(made, Err(MakeError::Stopped)), "{basis:?}: {made:?}");
    }
    // An inference gives what it has: one field for a whole page, or none.
    for method in [Method::Landmarks, Method::Exalg] {
        let settings = InferSettings {
            method,
            ..InferSettings::default()
        };
        let hurried = infer(&shop(), &settings, &job).expect("a wrapper");
        assert!(hurried.fields.len() <= inferred(method).fields.len());
    }
}

#[test]
fn steps_are_told() {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let log = Arc::clone(&seen);
    let job = Job::new().on_event(move |event| {
        if let page::job::Event::Step { done, of: Some(of) } = event {
            log.lock().expect("a lock").push((done, of));
        }
    });
    let settings = InferSettings::default();
    infer(&shop(), &settings, &job).expect("a wrapper");
    let seen = seen.lock().expect("a lock");
    let last = seen.last().copied().expect("a step");
    assert!(last.0 > 0 && last.0 == last.1, "all is done in the end: {last:?}");
    assert!(seen.iter().all(|(done, of)| done <= of), "{seen:?}");
}

/// What the first note says, and the kind of the rule.
fn found(pages: &[String]) -> (String, &'static str) {
    let document = |(number, html): (usize, &String)| {
        Document::from_source(format!("{number}"), html.as_str(), &ParseSettings::default()).expect("a page")
    };
    let documents: Vec<Document> = pages.iter().enumerate().map(document).collect();
    let made = infer(&documents, &InferSettings::default(), &Job::new()).expect("a wrapper");
    (made.notes[0].clone(), made.wrapper.rule.kind())
}

#[test]
fn another_list_with_the_same_columns_is_told() {
    let table = |title: &str, names: &[&str]| {
        let row = |(at, name): (usize, &&str)| format!("<tr><td>{name} {title}<td>{at}0 points<td>Town {name}");
        let rows: String = names.iter().enumerate().map(row).collect();
        format!("<h3>{title}</h3><table><tr><th>Name<th>Result<th>Town{rows}</table>")
    };
    let html = table("Singles", &["Ann", "Bob", "Cy"]) + &table("Doubles", &["Dora", "Eve", "Finn", "Gus", "Hal"]);
    let like = |list: usize| {
        let settings = InferSettings {
            list,
            ..InferSettings::default()
        };
        let made = infer(&[page("a", &html)], &settings, &Job::new()).expect("a wrapper");
        let records = made.wrapper.extract(&page("a", &html)).expect("records").len();
        let like = made.like.expect("another list");
        (records, like.number, like.title.expect("a heading"), like.records)
    };
    assert_eq!(like(1), (3, 2, "Doubles".to_owned(), 5));
    assert_eq!(like(2), (5, 1, "Singles".to_owned(), 3));
    let one = infer(
        &[page("a", &table("Singles", &["Ann", "Bob", "Cy"]))],
        &Default::default(),
        &Job::new(),
    );
    assert_eq!(one.expect("a wrapper").like, None);
}

#[test]
fn the_method_suits_the_pages() {
    const NAMES: [&str; 6] = ["Kelp", "Moss", "Fern", "Reed", "Sedge", "Lichen"];
    let row = |at: usize, page: usize| {
        let (name, other) = (NAMES[(at + page) % 6], NAMES[(at * page + 1) % 6]);
        format!("<li><a href=/{at}{page}>{name} {at}{page}</a> <b>{page}{at}.50</b> <i>by {other} {page}</i></li>")
    };
    let list = |title: &str, page: usize| {
        let rows: String = (0..8 + page % 3).map(|at| row(at, page)).collect();
        format!("<title>{title}</title><h1>{title}</h1><ul>{rows}</ul>")
    };
    // Pages of a list, and pages of results that are named after what was searched for.
    let pages: Vec<String> = (1..6).map(|page| list(&format!("Plants, page {page}"), page)).collect();
    let (note, kind) = found(&pages);
    assert!(
        note.starts_with("found a list of about 9 records a page with "),
        "{note}"
    );
    assert_ne!(kind, "landmarks");
    let pages: Vec<String> = (0..5)
        .map(|page| list(&format!("Results for {}", NAMES[page]), page))
        .collect();
    assert_ne!(found(&pages).1, "landmarks");
    // One thing a page: its data is a table of labels and values, and there is a list of others.
    let pages: Vec<String> = (0..5)
        .map(|page| {
            let rows: String = (0..4).map(|at| row(at, page)).collect();
            let cell = |label: &str| format!("<tr><th>{label}</th><td>{label} of {}</td></tr>", NAMES[page]);
            let cells: String = ["Height", "Family", "Habitat", "Colour", "Status"].map(cell).concat();
            format!(
                "<title>{0} - Flora</title><h1>{0}</h1><table>{cells}</table><h2>Others</h2><ul>{rows}</ul>",
                NAMES[page]
            )
        })
        .collect();
    let (note, kind) = found(&pages);
    assert_eq!(kind, "landmarks");
    assert!(note.starts_with("found one record a page with "), "{note}");
    assert_eq!(clusters(&shop()), [vec![0, 1, 2, 3]]);
}

#[test]
fn large_files_are_refused() {
    let dir = tempfile::tempdir().expect("a directory");
    let file = dir.path().join("large.json");
    let mut large = std::fs::File::create(&file).expect("a file");
    large.write_all(b"{").expect("a byte");
    large.set_len(LONGEST + 1).expect("a length");
    let opened = [
        Examples::open(&file).map(drop),
        Recognizers::open(&file).map(drop),
        Schema::open(&file).map(drop),
        Expression::open(&file).map(drop),
    ];
    for opened in opened {
        let error = opened.expect_err("too large");
        assert!(matches!(&error, MakeError::File(error) if matches!(error.problem, FileProblem::TooLarge(LONGEST))));
        assert!(
            error
                .to_string()
                .contains("large.json: found more than 16777216 bytes, expected "),
            "{error}"
        );
    }
}

#[test]
fn a_list_of_one_page_is_read_on_others() {
    let page = |name: &str, plants: &[&str]| {
        let row = |plant: &&str| format!("<li><a href=\"/{plant}\">{plant}</a> <b>{}.50</b></li>", plant.len());
        let rows: String = plants.iter().map(row).collect();
        let html = format!("<h1>Plants</h1><ul id=\"plants\">{rows}</ul><ul><li>Home</li><li>About</li></ul>");
        Document::from_source(name, html, &ParseSettings::default()).expect("a page")
    };
    let one = page("1", &["Kelp", "Moss", "Fern"]);
    let made = infer(&[one], &InferSettings::default(), &Job::new()).expect("a wrapper");
    let other = page("2", &["Sedge", "Reed", "Lichen", "Bracken"]);
    let records = made.wrapper.extract(&other).expect("records");
    let values: Vec<Vec<&str>> = records
        .iter()
        .map(|record| {
            record
                .children
                .iter()
                .filter_map(|child| child.value.as_deref())
                .collect()
        })
        .collect();
    assert_eq!(values.len(), 4);
    assert_eq!(values[3], ["Bracken", "/Bracken", "7.50"]);
}

/// Ten products and two lists of the same shop: the lists are told and left out, so that they spoil no field.
#[test]
fn pages_of_another_kind_are_left_out() {
    let names = [
        "Kelp", "Moss", "Fern", "Reed", "Salt", "Tide", "Dune", "Wick", "Oak", "Elm",
    ];
    let head = "<div id=top><a href=/>Home</a><a href=/help>Help</a></div>";
    let product = |number: usize| {
        let name = names[number];
        let html = format!(
            "<title>{name} - Shop</title>{head}<p class=crumbs><a>All</a> › <a>Room {}</a></p><h1>{name}</h1>\
             <table><tr><th>Price</th><td>{number}.50</td></tr><tr><th>Weight</th><td>{} g</td></tr><tr><th>Code</th><td>K-{number}</td></tr></table>",
            number % 4,
            number * 30 + 5
        );
        page(&format!("product-{number}"), &html)
    };
    let list = |number: usize| {
        let rows: String = (0..6)
            .map(|row| format!("<li><a href=/{row}>Thing {row} of {number}</a></li>"))
            .collect();
        page(
            &format!("list-{number}"),
            &format!("<title>Search - Shop</title>{head}<p class=crumbs>All</p><h1>{number} found</h1><ul>{rows}</ul>"),
        )
    };
    let mut pages: Vec<Document> = (0..10).map(product).collect();
    pages.extend((0..2).map(list));
    let inferred = infer(&pages, &InferSettings::default(), &Job::new()).expect("a wrapper");
    assert_eq!(inferred.left_out, ["list-0", "list-1"], "{:?}", inferred.notes);
    assert!(
        inferred.notes[1].starts_with("left out 2 of 12 pages"),
        "{:?}",
        inferred.notes
    );
    assert_eq!(inferred.wrapper.evidence.pages.len(), 10);
    let record = &inferred.wrapper.extract(&pages[7]).expect("records")[0];
    assert_eq!(
        (record.get("title"), record.get("crumbs"), record.get("code")),
        (Some("Wick"), Some("Room 3"), Some("K-7"))
    );
}

/// What structured data calls an article may be a list of links, and then the list is what is meant; paragraphs are none.
#[test]
fn an_article_that_is_a_list_of_links_is_a_list() {
    let article = |body: &str| {
        let data = r#"{"@context":"https://schema.org","@type":"Article","name":"Plants","headline":"Plants","author":"Ann","datePublished":"2024-05-01"}"#;
        let head = format!(r#"<title>Plants</title><script type="application/ld+json">{data}</script>"#);
        let page = page("plants", &format!("{head}<h1>Plants</h1>{body}"));
        infer(&[page], &InferSettings::default(), &Job::new()).expect("a wrapper")
    };
    let rows: String = (1..20)
        .map(|number| {
            format!("<tr><td><a href=/{number}>Plant number {number}</a></td><td>{number} May 1901</td></tr>")
        })
        .collect();
    let list = article(&format!("<p>All of them.</p><table>{rows}</table>"));
    assert_eq!(list.notes[0], "found a list of 19 records with 4 fields");
    let paragraph =
        |number: usize| format!("<p>Plant number {number} grows <i>slowly</i> in the north of the country.</p>");
    let text = article(&(1..20).map(paragraph).collect::<String>());
    assert_eq!(text.notes[0], "found one record a page with 4 fields");
}

/// A search that is stopped at once has not found that there is no list.
#[test]
fn a_search_that_is_stopped_says_so() {
    let rows: String = (1..9)
        .map(|number| format!("<li><b>Plant {number}</b> <i>{number}.50 €</i></li>"))
        .collect();
    let list = [page("plants", &format!("<ul>{rows}</ul>"))];
    let job = Job::new();
    assert!(infer(&list, &InferSettings::default(), &job).is_ok());
    job.stop();
    let stopped = infer(&list, &InferSettings::default(), &job);
    assert!(matches!(stopped, Err(MakeError::Stopped)), "{stopped:?}");
}

/// Rows of tables with different columns are not one list, and headings of groups belong to their rows, with several pages as with one.
#[test]
fn several_pages_have_the_lists_that_each_of_them_has() {
    let names = ["Kelp", "Moss", "Fern", "Algae", "Reed", "Oak", "Ash", "Elm"];
    let table = |columns: &str, from: usize, rows: usize| {
        let row = |number: usize| {
            let name = names[number * 3 % 8];
            format!(
                "<tr><td>{name} {number}</td><td>${number}.50</td><td>${}.25</td></tr>",
                number + 7
            )
        };
        let rows: String = (from..from + rows).map(row).collect();
        format!("<table><tr><th>Title</th>{columns}</tr>{rows}</table>")
    };
    let tables = |number: usize| {
        let one = table("<th>List price</th><th>Our price</th>", 10 * number, 4 + number % 3);
        let other = table("<th>Deposit</th><th>Fee</th>", 10 * number + 100, 3 + number % 4);
        page(
            &format!("t{number}"),
            &format!("<title>Goods</title><h1>Goods</h1>{one}{other}"),
        )
    };
    let pages: Vec<Document> = (0..5).map(tables).collect();
    let found = infer(&pages, &InferSettings::default(), &Job::new()).expect("a wrapper");
    let records = found.wrapper.extract(&pages[1]).expect("records");
    assert_eq!(records.len(), 5, "{:?}", found.notes);
    let groups = |number: usize| {
        let group = |at: usize| {
            let item = |item: usize| {
                let name = names[(item + at + number) % 8];
                format!(
                    "<li><b>{name} {}</b> <i>by Ann {item}{at}{number}</i></li>",
                    item * 7 + number
                )
            };
            let items: String = (0..2 + (at + number) % 3).map(item).collect();
            format!("<h3>July {}, 20{}</h3><ul>{items}</ul>", 3 * at + number + 1, 10 + at)
        };
        let groups: String = (0..3).map(group).collect();
        page(
            &format!("g{number}"),
            &format!("<title>Meetings</title><h1>Meetings</h1>{groups}"),
        )
    };
    let pages: Vec<Document> = (0..5).map(groups).collect();
    let found = infer(&pages, &InferSettings::default(), &Job::new()).expect("a wrapper");
    let first = &found.wrapper.extract(&pages[2]).expect("records")[0];
    let date = first.children.iter().find(|child| child.name == "date");
    assert_eq!(
        date.and_then(|date| date.value.as_deref()),
        Some("July 3, 2010"),
        "{:?}",
        found.notes
    );
}

/// A repair finds again what a wrapper knows, so it should know all the pages that it was given.
#[test]
fn pages_without_examples_are_remembered_if_they_are_alike() {
    let thing = |name: &str, html: &str| page(name, &format!("<html><body>{html}</body></html>"));
    let plain = |name: &str, title: &str, price: &str| {
        thing(
            name,
            &format!("<h1>{title}</h1><p>Price: <b>{price}</b></p><p>Call us</p>"),
        )
    };
    let pages = [
        plain("a", "Kelp", "$12.50"),
        plain("b", "Moss", "$8.00"),
        plain("c", "Fern", "$9.75"),
        plain("d", "Reed", "$7.10"),
        thing("e", "<h2>Page not found</h2>"),
    ];
    let given = r#"{"a": [{"title": "Kelp", "price": "$12.50"}], "b": [{"title": "Moss", "price": "$8.00"}]}"#;
    let examples = Examples::from_json("e.json", given).expect("examples");
    let also: Vec<Document> = examples
        .others(&pages, &[])
        .expect("pages")
        .into_iter()
        .cloned()
        .collect();
    assert_eq!(also.len(), 3);
    let settings = LearnSettings {
        also,
        ..LearnSettings::default()
    };
    let made = learn(&pages[..2], Basis::Examples(&examples), &settings, &Job::new()).expect("a wrapper");
    let known = &made.wrapper.evidence.profiles[0];
    assert_eq!(known.records, 4);
    assert!(known.fields[1].samples.contains(&"$7.10".to_owned()));
    assert_eq!(
        (made.wrapper.evidence.pages.len(), made.wrapper.evidence.later.len()),
        (2, 2)
    );
    assert!(
        made.notes.iter().any(|note| note.contains("what is on 2 pages")),
        "{:?}",
        made.notes
    );
    assert!(
        made.notes.iter().any(|note| note.contains("1 of the 3 pages")),
        "{:?}",
        made.notes
    );
}
