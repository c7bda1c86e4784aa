//! `learn --schema`: wrappers by paths, and what is said of schemas and examples that will not do.

mod sites;

use serde_json::{Value, json};
use sites::{DTD, Place, VIDEO_EXAMPLES, VIDEOS, old_videos, video_shop};
use std::process::Command;

const LEARN: [&str; 7] = ["learn", "--schema", "s", "--examples", "e.json", "old.html", "-o"];

/// Learns with these files on the page of videos.
fn learn(schema: impl AsRef<[u8]>, examples: impl AsRef<[u8]>) -> (Place, sites::Ran) {
    let place = Place::new();
    place
        .write("s", schema)
        .write("e.json", examples)
        .write("old.html", old_videos(&VIDEOS));
    let ran = place.run(&[&LEARN[..], &["w.json"]].concat());
    (place, ran)
}

/// Nothing was learned or written, and it is said why: each of these is in the words.
#[track_caller]
fn refused(schema: impl AsRef<[u8]>, examples: impl AsRef<[u8]>, said: &[&str]) {
    let (place, ran) = learn(schema, examples);
    let ran = ran.ended(2, "error: ");
    assert_eq!(ran.out, "");
    for part in said {
        assert!(ran.words.contains(part), "expected {part:?}, found {:?}", ran.words);
    }
    assert!(ran.words.len() < 1000, "{} bytes of words", ran.words.len());
    assert_eq!(place.files(), ["e.json", "old.html", "s"]);
}

#[test]
fn one_example_stands_for_all_rows() {
    let place = video_shop();
    let got = place
        .run(&["extract", "--no-meta", "v.wrapper.json", "old.html"])
        .ended(0, "");
    let expected: Vec<Value> = VIDEOS
        .iter()
        .map(|v| {
            json!({
                "Name": v.name, "Director": v.director, "Actors": v.actors.join("; "),
                "Price": {"VHSPrice": v.vhs, "DVDPrice": v.dvd},
            })
        })
        .collect();
    assert_eq!(got.records(), expected);
    // From a pipe as from a file.
    let piped = place.piped(
        &["extract", "--no-meta", "v.wrapper.json", "-"],
        &place.path("old.html"),
    );
    assert_eq!(piped.ended(0, "").out, got.out);
}

#[test]
fn xml_is_valid_by_the_dtd() {
    let place = video_shop();
    let xml = place
        .run(&["extract", "--format", "xml", "v.wrapper.json", "old.html"])
        .ended(0, "")
        .out;
    for video in &VIDEOS {
        let part = format!(
            "<Name>{}</Name>\n    <Director>{}</Director>\n    <Actors>{}</Actors>\n    <Price>\n      \
             <VHSPrice>{}</VHSPrice>\n      <DVDPrice>{}</DVDPrice>\n    </Price>\n",
            video.name,
            video.director,
            video.actors.join("; "),
            video.vhs,
            video.dvd
        );
        assert!(xml.contains(&part), "{xml}");
    }
    place.write("out.xml", &xml);
    let lxml = "from lxml import etree; d = etree.DTD('videos.dtd'); t = etree.parse('out.xml'); \
                print(d.error_log if not d.validate(t) else ''); raise SystemExit(not d.validate(t))";
    let validate = |program: &str, arguments: &[&str]| {
        let mut command = Command::new(program);
        command.args(arguments).current_dir(place.path("")).output().ok()
    };
    let has_lxml = validate("python3", &["-c", "import lxml"]).is_some_and(|found| found.status.success());
    let valid = match validate("xmllint", &["--noout", "--dtdvalid", "videos.dtd", "out.xml"]) {
        None if has_lxml => validate("python3", &["-c", lxml]),
        valid => valid,
    };
    match valid {
        Some(valid) => assert!(valid.status.success(), "{valid:?}"),
        None => skip::skip("cli: XML is valid by the DTD", "both xmllint and lxml are missing"),
    }
}

#[test]
fn a_wrapper_is_shown_in_three_languages() {
    let place = video_shop();
    let show = |arguments: &[&str]| {
        place
            .run(&[&["show", "v.wrapper.json"], arguments].concat())
            .ended(0, "")
            .out
    };
    let words = show(&["--full"]);
    for part in [
        "wrapper by paths; records: Video",
        "Price.VHSPrice",
        "\"VHS\"",
        "Learned from old.html.",
    ] {
        assert!(words.contains(part), "{part}: {words}");
    }
    let xquery = show(&["--as", "xquery"]);
    for part in [
        "for $video in",
        "let $video-name :=",
        "return",
        "<VideoList>",
        "<VHSPrice>",
    ] {
        assert!(xquery.contains(part), "{part}: {xquery}");
    }
    assert_eq!(show(&["--schema", "dtd"]), DTD);
    place
        .run(&["show", "v.wrapper.json", "--schema", "json"])
        .ended(2, "was learned by a DTD");
    // The OXPath is one that runs, and it gives the same values.
    let expression = show(&["--as", "oxpath"]).replacen("doc($page)", "doc(\"old.html\")", 1);
    let ran = place.run(&["run", "-q", "--no-meta", "-e", &expression]).ended(0, "");
    let expected = place
        .run(&["extract", "--no-meta", "v.wrapper.json", "old.html"])
        .records();
    assert_eq!(ran.records(), expected);
}

const JSON_SCHEMA: &str = r#"{
  "title": "film", "type": "object", "required": ["title", "price"],
  "properties": {
    "title": {"type": "string"},
    "price": {"type": "number"},
    "year": {"type": "integer"},
    "stock": {"type": "object", "properties": {"shop": {"type": "string"}, "count": {"type": "integer"}}},
    "actors": {"type": "array", "items": {"type": "string"}},
    "reviews": {"type": "array", "items": {"type": "object", "required": ["by"],
      "properties": {"by": {"type": "string"}, "stars": {"type": "integer"}}}}
  }
}"#;

fn film(title: &str, price: &str, actors: &[&str], reviews: &[(&str, &str)]) -> String {
    let actors: String = actors
        .iter()
        .map(|name| format!("<li class=actor>{name}</li>"))
        .collect();
    let each = reviews.iter().map(|(by, stars)| {
        format!("<div class=review><b class=by>{by}</b> gave <span class=stars>{stars}</span> stars</div>")
    });
    let reviews: String = each.collect();
    format!(
        "<html><body><h1>{title}</h1><p>Year: <b>1966</b></p><p>Price: <em class=price>{price}</em></p>\
         <p id=stock>At <i>Main Street</i>: <u>7</u></p><ul>{actors}</ul><div id=reviews>{reviews}</div></body></html>"
    )
}

#[test]
fn json_schemas_have_numbers_lists_and_records_inside() {
    let place = Place::new();
    place
        .write("film.json", JSON_SCHEMA)
        .write("a.html", film("Blow Up", "$1,012.10", &["Hemmings", "Miles"], &[("Ann", "4"), ("Bob", "2")]))
        .write("b.html", film("Charade", "$9.00", &["Grant", "Hepburn", "Matthau"], &[("Cy", "5")]))
        .write("c.html", film("Repulsion", "ask us", &[], &[]))
        .write(
            "e.json",
            r#"{"a.html": {"title": "Blow Up", "price": "$1,012.10", "year": 1966, "stock": {"shop": "Main Street", "count": 7},
                "actors": ["Hemmings", "Miles"], "reviews": [{"by": "Ann", "stars": "4"}, {"by": "Bob", "stars": "2"}]}}"#,
        );
    place
        .run(&[
            "learn",
            "--schema",
            "film.json",
            "--examples",
            "e.json",
            "a.html",
            "-o",
            "w.json",
        ])
        .ended(0, "paths to 8 fields from 1 page");
    let got = place
        .run(&["extract", "--no-meta", "w.json", "a.html", "b.html"])
        .ended(0, "")
        .records();
    let stock = json!({"shop": "Main Street", "count": 7});
    assert_eq!(
        got,
        [
            json!({"title": "Blow Up", "price": 1012.1, "year": 1966, "stock": stock, "actors": ["Hemmings", "Miles"],
                   "reviews": [{"by": "Ann", "stars": 4}, {"by": "Bob", "stars": 2}]}),
            json!({"title": "Charade", "price": 9, "year": 1966, "stock": stock, "actors": ["Grant", "Hepburn", "Matthau"],
                   "reviews": [{"by": "Cy", "stars": 5}]}),
        ]
    );
    // What does not fit the schema is told, and the exit code tells that there is such a thing.
    let odd = place.run(&["extract", "--no-meta", "w.json", "c.html"]);
    odd.ended(1, "warning: c.html, record 1: film.price: \"ask us\" is not a number");
    assert_eq!(
        place.run(&["show", "w.json", "--schema", "json"]).out.trim_end(),
        JSON_SCHEMA
    );
}

/// Issue 23: `12,50 €` was the number 1250, and `1/2` was 12. The pages that a wrapper is made from decide how the values
/// of each field are written, so that a page with one doubtful value is read like the others.
#[test]
fn r23_numbers_and_dates_are_read_as_their_field_writes_them() {
    let page = |rows: &[(&str, &str, &str, &str)]| {
        let row = |(name, price, weight, day): &(&str, &str, &str, &str)| {
            format!(
                "<tr><td class=name>{name}</td><td class=price>{price}</td><td class=weight>{weight}</td>\
                 <td class=day>{day}</td></tr>"
            )
        };
        let rows: String = rows.iter().map(row).collect();
        format!("<html><body><h1>Offers</h1><table>{rows}</table></body></html>")
    };
    let schema = r#"{"title": "offer", "type": "object", "required": ["name"], "properties": {
        "name": {"type": "string"}, "price": {"type": "number"}, "weight": {"type": "number"},
        "day": {"type": "string", "format": "date"}}}"#;
    let first = [
        ("Kelp", "1.234,50 €", "1,250", "5/9/2019"),
        ("Tide", "12,50 €", "0,5", "23/5/2019"),
        ("Dune", "1 234,50 €", "3", "9 mai 2019"),
    ];
    let place = Place::new();
    place
        .write("s.json", schema)
        .write("a.html", page(&first))
        .write("b.html", page(&[("Foam", "1.234 €", "2,125", "6/7/2019")]))
        .write("c.html", page(&[("Salt", "3–5 €", "1/2", "soon")]))
        .write(
            "e.json",
            r#"{"a.html": [{"name": "Kelp", "price": "1.234,50 €", "weight": "1,250", "day": "5/9/2019"},
                {"name": "Tide", "price": "12,50 €", "weight": "0,5", "day": "23/5/2019"}]}"#,
        );
    let learn = [
        "learn",
        "--schema",
        "s.json",
        "--examples",
        "e.json",
        "a.html",
        "-o",
        "w.json",
    ];
    place.run(&learn).ended(0, "paths to 4 fields from 1 page");
    let records = |pages: &[&str]| {
        let ran = place.run(&[&["extract", "--no-meta", "w.json"], pages].concat());
        ran.ended(0, "").records()
    };
    assert_eq!(
        records(&["a.html"]),
        [
            json!({"name": "Kelp", "price": 1234.5, "weight": 1.25, "day": "2019-09-05"}),
            json!({"name": "Tide", "price": 12.5, "weight": 0.5, "day": "2019-05-23"}),
            json!({"name": "Dune", "price": 1234.5, "weight": 3, "day": "2019-05-09"}),
        ]
    );
    assert_eq!(
        records(&["b.html"]),
        [json!({"name": "Foam", "price": 1234, "weight": 2.125, "day": "2019-07-06"})]
    );
    let odd = place.run(&["extract", "--no-meta", "w.json", "c.html"]);
    let odd = odd.ended(1, "offer.price: \"3–5 €\" is not a number: it is a range");
    let told = odd.words.matches("3–5 €").count();
    assert_eq!(told, 1, "{}", odd.words);
    let misfits = json!({"price": "3–5 €", "weight": "1/2", "day": "soon"});
    assert_eq!(
        odd.records(),
        [json!({"name": "Salt", "price": null, "weight": null, "day": null, "_misfit": misfits})]
    );
    let kept = place.run(&["extract", "--no-meta", "--on-misfit", "keep-text", "w.json", "c.html"]);
    assert_eq!(
        kept.ended(1, "written as they are").records(),
        [json!({"name": "Salt", "price": "3–5 €", "weight": "1/2", "day": "soon"})]
    );
}

#[test]
fn records_that_lack_what_they_must_have_are_told() {
    let place = video_shop();
    let lacking = old_videos(&VIDEOS).replacen("<li><b>VHS</b> - $ <em>11.50</em></li>", "", 1);
    place.write("old.html", lacking);
    let ran = place.run(&["extract", "--no-meta", "v.wrapper.json", "old.html"]);
    let ran = ran.ended(1, "warning: old.html, record 3: Video.Price.VHSPrice is missing");
    // The other rows did not shift.
    assert_eq!(ran.records()[2]["Price"], json!({"DVDPrice": "22.00"}));
    assert_eq!(
        ran.records()[3]["Price"],
        json!({"VHSPrice": "8.99", "DVDPrice": "13.59"})
    );
    assert_eq!(
        place
            .run(&["extract", "-q", "v.wrapper.json", "old.html"])
            .ended(1, "")
            .words,
        ""
    );
}

#[test]
fn examples_may_be_a_table_with_dots_in_its_columns() {
    let place = Place::new();
    place.write("s.dtd", DTD).write("old.html", old_videos(&VIDEOS)).write(
        "e.csv",
        "page,Name,Director,Actors,Price.VHSPrice,Price.DVDPrice\n\
             old.html,May Morning,Ugo Liberatore,Jane Birkin; John Steiner,14.98,15.38\n\
             old.html,Blow Up,Michelangelo Antonioni,David Hemmings; Sarah Miles,9.98,12.10\n",
    );
    place
        .run(&[
            "learn",
            "--schema",
            "s.dtd",
            "--examples",
            "e.csv",
            "old.html",
            "-o",
            "w.json",
        ])
        .ended(0, "paths to 5 fields");
    let got = place
        .run(&["extract", "--no-meta", "w.json", "old.html"])
        .ended(0, "")
        .records();
    assert_eq!(got.len(), VIDEOS.len());
    assert_eq!(got[4]["Price"], json!({"VHSPrice": "10.25", "DVDPrice": "17.45"}));
}

#[test]
fn any_records_in_any_order_will_do() {
    let rows = |numbers: &[usize]| {
        let row = |number: &usize| {
            let v = &VIDEOS[*number];
            json!({"Name": v.name, "Director": v.director, "Actors": v.actors.join("; "),
                   "Price": {"VHSPrice": v.vhs, "DVDPrice": v.dvd}})
        };
        json!({"old.html": numbers.iter().map(row).collect::<Vec<_>>()}).to_string()
    };
    for numbers in [&[2][..], &[4, 1], &[3, 0, 4, 2, 1]] {
        let (place, ran) = learn(DTD, rows(numbers));
        assert_eq!(ran.ended(0, "").words, "paths to 5 fields from 1 page\n", "{numbers:?}");
        let got = place
            .run(&["extract", "--no-meta", "w.json", "old.html"])
            .ended(0, "")
            .records();
        let expected: Value = serde_json::from_str(&rows(&[0, 1, 2, 3, 4])).expect("JSON");
        assert_eq!(json!(got), expected["old.html"], "{numbers:?}");
    }
}

#[test]
fn schemas_that_will_not_do() {
    let e = VIDEO_EXAMPLES;
    refused(
        "<!ELEMENT a (b)>\n<!ELEMENT b (a?)>",
        e,
        &["s, line 1", "cannot be recursive"],
    );
    let inner = "<!ELEMENT r (a)>\n<!ELEMENT a (b)>\n<!ELEMENT b (a?)>";
    refused(inner, e, &["s, line 2", "`a` holds itself", "cannot be recursive"]);
    refused(
        "<!ENTITY x 'y'>",
        e,
        &["s, line 1", "`<!ENTITY` is not known here", "expected <!ELEMENT …>"],
    );
    refused("<!ELEMENT a ANY>", e, &["line 1", "ANY", "name the elements"]);
    refused(
        "<!ELEMENT a (#PCDATA | b)*><!ELEMENT b (#PCDATA)>",
        e,
        &["line 1", "text between elements"],
    );
    refused(
        "<!ELEMENT a (b)>",
        e,
        &["`b` is not declared", "add <!ELEMENT b (#PCDATA)>"],
    );
    refused("", e, &["s: found nothing, expected a DTD or a JSON Schema", "hint: "]);
    refused(" \n\n ", e, &["s: found nothing, expected a DTD or a JSON Schema"]);
    refused(
        "name, price\n",
        e,
        &["s: found \"name, price\", expected a DTD or a JSON Schema", "hint: "],
    );
    refused(
        b"<!ELEMENT \xff\xfe\0\x80",
        e,
        &["s: found bytes that are no UTF-8, expected a DTD"],
    );
    refused("x".repeat(1 << 20), e, &["expected a DTD or a JSON Schema"]);
    let property = |inner: &str| format!(r#"{{"type": "object", "properties": {{"a": {inner}}}}}"#);
    refused(
        property(r##"{"$ref": "#/x"}"##),
        e,
        &["the schema.a: `$ref` is not known", "write the definition where"],
    );
    refused(
        property(r#"{"oneOf": []}"#),
        e,
        &[
            "the schema.a: `oneOf` is not known",
            "hint: a JSON Schema may have type",
        ],
    );
    refused(
        property(r#"{"type": ["string", "number"]}"#),
        e,
        &["the schema.a: several types"],
    );
    refused(
        property(r#"{"type": "strnig"}"#),
        e,
        &["the schema.a: the type \"strnig\" is not known"],
    );
    refused("{\"type\": ", e, &["is not JSON", "line 1"]);
    refused("{}", e, &["there is no \"type\""]);
    // As deep as a record may be, and deeper.
    let chain = |levels: usize| {
        let each = (1..levels).map(|level| format!("<!ELEMENT a{level} (a{})>\n", level + 1));
        each.collect::<String>() + &format!("<!ELEMENT a{levels} (#PCDATA)>")
    };
    refused(
        chain(33),
        e,
        &["line 33", "`a33` is nested too deeply, expected at most 32 levels"],
    );
    let nested = (0..40).fold("{\"type\": \"string\"}".to_owned(), |inner, _| property(&inner));
    refused(nested, e, &["nested too deeply, expected at most 32 levels"]);
    let bottomless = (0..5000).fold(String::new(), |text, _| text + "{\"items\":");
    refused(bottomless, e, &["is not JSON"]);
    let place = Place::new();
    place.write("old.html", "").write("e.json", "{}");
    place
        .run(&[&LEARN[..], &["w.json"]].concat())
        .ended(2, "s: no such file, expected a DTD or a JSON Schema");
    std::fs::create_dir(place.path("s")).expect("a directory");
    place
        .run(&[&LEARN[..], &["w.json"]].concat())
        .ended(2, "s: found a directory, expected a DTD or a JSON Schema");
}

#[test]
fn thirty_two_levels_are_not_too_many() {
    let mut schema: String = (1..32)
        .map(|level| format!("<!ELEMENT a{level} (a{})>\n", level + 1))
        .collect();
    schema += "<!ELEMENT a32 (#PCDATA)>";
    let mut example = "\"May Morning\"".to_owned();
    for level in (2..=32).rev() {
        example = format!("{{\"a{level}\": {example}}}");
    }
    let (place, ran) = learn(schema, format!("{{\"old.html\": {example}}}"));
    ran.ended(0, "paths to 1 field from 1 page");
    let mut value = place
        .run(&["extract", "--no-meta", "w.json", "old.html"])
        .ended(0, "")
        .records()
        .remove(0);
    for level in 2..=32 {
        value = value[format!("a{level}")].take();
    }
    assert_eq!(value, "May Morning");
}

#[test]
fn examples_that_will_not_do() {
    let record = |inner: &str| format!("{{\"old.html\": [{{{inner}}}]}}");
    let name = |value: &str| record(&format!("\"Name\": {value}"));
    let first = "e.json: old.html, record 1: ";
    let say = |text: &str| format!("{first}{text}");
    refused(
        DTD,
        record("\"Nmae\": \"May Morning\""),
        &[&say("the schema has no `Nmae`; `Video` has Name, Director")],
    );
    let inside = record("\"Price\": {\"Tape\": \"1\"}");
    refused(
        DTD,
        inside,
        &[&say("the schema has no `Price.Tape`; `Price` has VHSPrice, DVDPrice")],
    );
    let twice = record("\"Name\": \"May Morning\", \"Name\": \"Blow Up\"");
    refused(DTD, twice, &[&say("`Name` is given twice")]);
    refused(
        DTD,
        "{\"old.html\": [",
        &["e.json: not JSON", "line 1", "hint: all values are in quotes"],
    );
    refused(DTD, "", &["e.json: not JSON"]);
    refused(
        DTD,
        name("12.5"),
        &[
            "12.5",
            "line 1",
            "hint: all values are in quotes, as the page says them",
        ],
    );
    refused(DTD, name("true"), &["true", "hint: all values are in quotes"]);
    refused(DTD, "[]", &["e.json: found no object, expected {\"page.html\": "]);
    refused(DTD, "{}", &["e.json: found no page", "expected at least one"]);
    refused(
        DTD,
        "{\"old.html\": []}",
        &["e.json: found no record, expected at least one"],
    );
    refused(
        DTD,
        "{\"old.html\": [{}]}",
        &["e.json: there is no example with a value", "give at least one value"],
    );
    refused(
        DTD,
        "{\"old.html\": [\"x\"]}",
        &[&say("found \"x\" for `Video`, expected an object with Name, Director")],
    );
    let flat = record("\"Price\": \"14.98\"");
    refused(
        DTD,
        flat,
        &[&say(
            "found \"14.98\" for `Price`, expected an object with VHSPrice, DVDPrice",
        )],
    );
    refused(
        DTD,
        name("[\"May Morning\", \"Blow Up\"]"),
        &[&say("found 2 values for `Name`, expected one")],
    );
    let unsaid = "e.json: old.html does not say \"June Night\", which is given for `Name`";
    refused(
        DTD,
        name("\"June Night\""),
        &[unsaid, "hint: values are what a reader sees"],
    );
    refused(
        DTD,
        name("\"\""),
        &[&say("found an empty value for `Name`; write null")],
    );
    refused(DTD, name("\" \\n\""), &[&say("found an empty value for `Name`")]);
    refused(
        DTD,
        name(&format!("\"{}\"", "long ".repeat(200_000))),
        &["does not say \"long long", "(1000000 characters)"],
    );
    let nothing = "selects nothing on the page";
    refused(
        DTD,
        name("{\"xpath\": \"//h7\"}"),
        &[&say("`Name`: \"//h7\""), nothing, "hint: `wrapwright query"],
    );
    refused(
        DTD,
        name("{\"css\": \"b.none\"}"),
        &[&say("`Name`: \"b.none\""), nothing],
    );
    refused(
        DTD,
        name("{\"xpath\": \"//[\"}"),
        &[&say("`Name`: \"//[\" is no XPath: expected")],
    );
    refused(
        DTD,
        name("{\"xpath\": \"1 + 1\"}"),
        &[&say("`Name`: \"1 + 1\" selects no nodes, expected a path")],
    );
    refused(
        DTD,
        name("{\"css\": \"a[[\"}"),
        &[&say("`Name`: \"a[[\": CSS selector, byte 2: expected")],
    );
    refused(
        DTD,
        name("{\"css\": \"\"}"),
        &[&say("`Name`: \"\": CSS selector"), "expected a selector"],
    );
    refused(
        DTD,
        name("{\"regex\": \"x\"}"),
        &[&say("found an object for `Name`, expected a text, {\"xpath\": …}")],
    );
    refused(
        DTD,
        name("{\"xpath\": \"//td//b\"}"),
        &[&say("found 20 values for `Name`, expected one")],
    );
    let absent = "e.json: found examples for `x.html`, which is not among the pages given";
    refused(
        DTD,
        "{\"x.html\": {\"Name\": \"May Morning\"}}",
        &[absent, "hint: name the page on the command line"],
    );
    let deep = "[".repeat(100_000);
    refused(DTD, deep, &["e.json: not JSON"]);
}

#[test]
fn a_value_for_two_fields_is_told() {
    let both = "{\"old.html\": [{\"Name\": \"May Morning\", \"Director\": \"May Morning\"}]}";
    let (_, ran) = learn(DTD, both);
    let said = "warning: old.html: \"May Morning\" is given for `Name` and for `Director`, but the page says it once";
    let ran = ran.ended(1, said);
    assert!(ran.words.contains("error: no rule for `Actors`"), "{}", ran.words);
    assert!(ran.words.contains("warning: `Actors` has no rule"), "{}", ran.words);
}

#[test]
fn pages_that_say_nothing_cannot_be_learned_from() {
    for (page, text) in [
        ("empty.html", ""),
        ("script.html", "<script>var name = 'May Morning'</script>"),
    ] {
        let place = Place::new();
        place
            .write("s", DTD)
            .write("e.json", format!("{{\"{page}\": [{{\"Name\": \"May Morning\"}}]}}"))
            .write(page, text);
        let ran = place.run(&["learn", "--schema", "s", "--examples", "e.json", page, "-o", "w.json"]);
        ran.ended(
            2,
            &format!("{page} does not say \"May Morning\", which is given for `Name`"),
        );
        assert!(!place.has("w.json"));
    }
}
