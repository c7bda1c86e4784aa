//! `learn`, `extract` and `show`, over the real binary.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

const ONE: &str = "<HTML><TITLE>Some Country Codes</TITLE><BODY>\n<B>Congo</B> <I>242</I><BR>\n<B>Egypt</B> <I>20</I><BR>\n\
                   </BODY></HTML>";
const TWO: &str = "<HTML><TITLE>Some Country Codes</TITLE><BODY>\n<B>Belize</B> <I>501</I><BR>\n<B>S &amp; P</B> <I>34</I><BR>\n\
                   <B>Peru</B> <I>51</I><BR>\n</BODY></HTML>";
const EXAMPLES: &str = r#"{"a.html": [{"code": "242", "country": "Congo"}, {"code": "20", "country": "Egypt"}]}"#;

fn wrapwright(dir: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_wrapwright"))
        .args(arguments)
        .current_dir(dir)
        .output()
        .expect("the binary runs")
}

fn setup() -> tempfile::TempDir {
    let dir = tempfile::tempdir().expect("a directory");
    fs::write(dir.path().join("a.html"), ONE).expect("a file");
    fs::write(dir.path().join("b.html"), TWO).expect("a file");
    fs::write(dir.path().join("e.json"), EXAMPLES).expect("a file");
    dir
}

#[track_caller]
fn check(output: &Output, code: i32, stdout_has: &str, stderr_has: &str) {
    let (stdout, stderr) = (
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr),
    );
    assert_eq!(output.status.code(), Some(code), "{stdout}{stderr}");
    assert!(stdout.contains(stdout_has), "{stdout}");
    assert!(stderr.contains(stderr_has), "{stderr}");
    assert!(!stderr.contains("panicked"), "{stderr}");
}

#[test]
fn a_wrapper_is_learned_shown_and_run() {
    let dir = setup();
    let learned = wrapwright(
        dir.path(),
        &[
            "learn",
            "a.html",
            "--class",
            "auto",
            "--examples",
            "e.json",
            "-o",
            "w.json",
        ],
    );
    check(
        &learned,
        0,
        "",
        "LR from 1 page; one page only, so nothing to check it with",
    );
    let shown = wrapwright(dir.path(), &["show", "w.json", "--full"]);
    check(
        &shown,
        0,
        "l1  country, before: \"<B>\"\nr1  country, behind: \"</B>\"\nl2  code",
        "",
    );
    let got = wrapwright(dir.path(), &["extract", "w.json", "a.html", "b.html", "--no-meta"]);
    let expected = "{\"country\":\"Congo\",\"code\":\"242\"}\n{\"country\":\"Egypt\",\"code\":\"20\"}\n\
                    {\"country\":\"Belize\",\"code\":\"501\"}\n{\"country\":\"S & P\",\"code\":\"34\"}\n\
                    {\"country\":\"Peru\",\"code\":\"51\"}\n";
    assert_eq!(String::from_utf8_lossy(&got.stdout), expected);
    check(&got, 0, "", "");
    check(
        &wrapwright(dir.path(), &["extract", "w.json", "b.html", "--raw", "--format", "xml"]),
        0,
        "S &amp;amp; P",
        "",
    );
}

#[test]
fn examples_may_be_offsets_or_rows() {
    let dir = setup();
    let at = |text: &str| ONE.find(text).map(|at| (at, at + text.len())).expect("the text");
    let [congo, code, egypt, other] = ["Congo", "242", "Egypt", "20<"].map(at);
    let json = format!(
        "{{\"a.html\":[{{\"country\":[{},{}],\"code\":[{},{}]}},{{\"country\":[{},{}],\"code\":[{},{}]}}]}}",
        congo.0,
        congo.1,
        code.0,
        code.1,
        egypt.0,
        egypt.1,
        other.0,
        other.1 - 1
    );
    fs::write(dir.path().join("o.json"), json).expect("a file");
    fs::write(
        dir.path().join("e.csv"),
        "page,country,code\na.html,Congo,242\n\"a.html\",Egypt,\"20\"\n",
    )
    .expect("a file");
    for (file, class) in [
        ("o.json", "LR"),
        ("e.csv", "HOCLRT"),
        ("e.csv", "hlrt"),
        ("o.json", "N-LR"),
        ("e.csv", "oclr"),
    ] {
        let learned = wrapwright(
            dir.path(),
            &["learn", "a.html", "--examples", file, "--class", class, "-o", "w.json"],
        );
        check(&learned, 0, "", "from 1 page;");
        let got = wrapwright(dir.path(), &["extract", "w.json", "b.html", "--no-meta"]);
        check(&got, 0, "{\"country\":\"Peru\",\"code\":\"51\"}\n", "");
    }
}

#[test]
fn records_nest() {
    let dir = setup();
    let page = "<h1>N</h1><ul><li>a <i>1</i><li>b <i>2</i></ul><h1>M</h1><ul><li>c <i>3</i></ul>";
    fs::write(dir.path().join("n.html"), page).expect("a file");
    let examples = r#"{"n.html":[{"head":"N","item":[{"name":"a","number":"1"},{"name":"b","number":"2"}]},
                       {"head":"M","item":[{"name":"c","number":"3"}]}]}"#;
    fs::write(dir.path().join("n.json"), examples).expect("a file");
    check(
        &wrapwright(
            dir.path(),
            &[
                "learn",
                "n.html",
                "--class",
                "auto",
                "--examples",
                "n.json",
                "-o",
                "w.json",
            ],
        ),
        0,
        "",
        "N-LR from 1 page;",
    );
    let got = wrapwright(dir.path(), &["extract", "w.json", "n.html", "--no-meta"]);
    let line = r#"{"head":"N","item":[{"name":"a","number":"1"},{"name":"b","number":"2"}]}"#;
    check(&got, 0, line, "");
}

#[test]
fn bad_examples_are_told_one_by_one() {
    let dir = setup();
    for (examples, message) in [
        ("[", "not JSON as expected"),
        ("{}", "found no page in the examples"),
        (r#"{"a.html": []}"#, "found no record in the examples"),
        (r#"{"a.html": [{}]}"#, "no attribute"),
        (
            r#"{"a.html": [{"c": "Chile"}]}"#,
            "record 1, `c` \"Chile\": the value is not on the page",
        ),
        (r#"{"a.html": [{"c": ""}]}"#, "found an empty value"),
        (
            r#"{"z.html": [{"c": "Congo"}]}"#,
            "found examples for `z.html`, which is not among the pages given",
        ),
        (
            r#"{"a.html": [{"c": "Congo"}, {"d": "Egypt"}]}"#,
            "has other attributes",
        ),
        (
            r#"{"a.html": [{"c": [50, 55]}, {"c": [53, 58]}]}"#,
            "values may not overlap",
        ),
        (r#"{"a.html": [{"c": [50, 9999]}]}"#, "which is no piece of the page"),
        (
            r#"{"a.html": [{"c": 242}]}"#,
            "found the number 242 for `c`, expected \"242\" in quotes",
        ),
        (r#"{"a.html": [{"c": null}]}"#, "the examples have no value"),
    ] {
        fs::write(dir.path().join("bad.json"), examples).expect("a file");
        check(
            &wrapwright(dir.path(), &["learn", "a.html", "--examples", "bad.json"]),
            2,
            "",
            message,
        );
    }
    let unknown = wrapwright(
        dir.path(),
        &["learn", "a.html", "--examples", "e.json", "--class", "XY"],
    );
    check(&unknown, 2, "", "found the unknown class `XY`");
    let impossible = r#"{"a.html": [{"c": "Congo"}, {"c": "20"}]}"#;
    fs::write(dir.path().join("bad.json"), impossible).expect("a file");
    let none = wrapwright(
        dir.path(),
        &[
            "learn",
            "a.html",
            "--examples",
            "bad.json",
            "--class",
            "LR",
            "--allow",
            "none",
        ],
    );
    check(&none, 2, "", "no wrapper gives all examples\n  LR: l1 `c`");
}

#[test]
fn bad_wrappers_and_pages_are_told() {
    let dir = setup();
    fs::write(dir.path().join("w.json"), "{}").expect("a file");
    check(
        &wrapwright(dir.path(), &["extract", "w.json", "a.html"]),
        2,
        "",
        "w.json: found JSON without a \"wrapwright\" version",
    );
    check(
        &wrapwright(dir.path(), &["show", "none.json"]),
        2,
        "",
        "none.json: no such file",
    );
    check(
        &wrapwright(
            dir.path(),
            &[
                "learn",
                "a.html",
                "--examples",
                "e.json",
                "--class",
                "HLRT",
                "-o",
                "w.json",
            ],
        ),
        0,
        "",
        "",
    );
    fs::write(dir.path().join("x.html"), "<p>nothing").expect("a file");
    check(
        &wrapwright(dir.path(), &["extract", "w.json", "a.html", "x.html", "y.html"]),
        1,
        "Congo",
        "y.html: no such file",
    );
}

/// A country without a code is learned from only where missing attributes are allowed.
#[test]
fn missing_attributes_must_be_allowed() {
    let dir = setup();
    let page = ONE.replace(
        "<B>Egypt</B> <I>20</I><BR>",
        "<B>Egypt</B><BR>\n<B>Mali</B> <I>223</I><BR>",
    );
    fs::write(dir.path().join("c.html"), page).expect("a file");
    let examples = r#"{"c.html": [{"country": "Congo", "code": "242"}, {"country": "Egypt", "code": null},
                      {"country": "Mali", "code": "223"}]}"#;
    fs::write(dir.path().join("c.json"), examples).expect("a file");
    let learn = [
        "learn",
        "c.html",
        "--examples",
        "c.json",
        "--class",
        "LR",
        "-o",
        "c.wrapper.json",
    ];
    let refused = wrapwright(
        dir.path(),
        &[&learn[..], &["--allow", "alternatives,skips,eof"]].concat(),
    );
    check(&refused, 2, "", "code");
    let allowed = wrapwright(dir.path(), &[&learn[..], &["--allow", "missing"]].concat());
    check(&allowed, 0, "", "");
    let got = wrapwright(dir.path(), &["extract", "c.wrapper.json", "c.html", "--no-meta"]);
    let expected =
        "{\"country\":\"Congo\",\"code\":\"242\"}\n{\"country\":\"Egypt\"}\n{\"country\":\"Mali\",\"code\":\"223\"}\n";
    assert_eq!(String::from_utf8_lossy(&got.stdout), expected);
    let table = wrapwright(
        dir.path(),
        &["extract", "c.wrapper.json", "c.html", "--no-meta", "--format", "csv"],
    );
    check(&table, 0, "country,code\nCongo,242\nEgypt,\nMali,223\n", "");
}

#[test]
fn a_mistake_does_not_cost_a_file() {
    let dir = setup();
    check(
        &wrapwright(dir.path(), &["learn", "a.html", "--examples", "e.json", "-o", "w.json"]),
        0,
        "",
        "",
    );
    fs::write(dir.path().join("out.csv"), "precious").expect("a file");
    let wrong = [
        "extract", "w.json", "a.html", "--format", "csv", "--rows", "none", "-o", "out.csv",
    ];
    check(
        &wrapwright(dir.path(), &wrong),
        2,
        "",
        "there are no nested records at all",
    );
    assert_eq!(
        fs::read_to_string(dir.path().join("out.csv")).expect("a file"),
        "precious"
    );
}

/// Recognizers in place of examples: perfect countries, numbers of which most are no codes, and some capitals.
#[test]
fn recognizers_stand_in_for_examples() {
    let dir = setup();
    for (page, rows) in [
        (
            "p.html",
            [
                ("Congo", "242", "Brazzaville"),
                ("Egypt", "20", "Cairo"),
                ("Peru", "51", "Lima"),
            ],
        ),
        (
            "q.html",
            [
                ("Spain", "34", "Madrid"),
                ("Mali", "223", "Bamako"),
                ("Cuba", "53", "Havana"),
            ],
        ),
    ] {
        let rows: Vec<String> = rows
            .iter()
            .enumerate()
            .map(|(at, (country, code, capital))| {
                format!(
                    "<li>{}. <b>{country}</b> <i>{code}</i> of {}<u>{capital}</u>",
                    at + 1,
                    at + 1990
                )
            })
            .collect();
        let text = format!("<h1>3 codes</h1><ul>{}</ul><p>7 pages", rows.join("\n"));
        fs::write(dir.path().join(page), text).expect("a file");
    }
    let recognizers = r#"{"capital": {"words": ["Cairo", "Lima", "Madrid"], "mistakes": "false-negatives"},
        "code": {"regex": "[1-9][0-9]+", "mistakes": "false-positives"},
        "country": {"use": "country", "mistakes": "none"}}"#;
    fs::write(dir.path().join("r.json"), recognizers).expect("a file");
    let learned = wrapwright(
        dir.path(),
        &["learn", "p.html", "q.html", "--recognizers", "r.json", "-o", "w.json"],
    );
    check(
        &learned,
        0,
        "",
        "LR from 2 pages; right on 2 of 2 pages left out in turn",
    );
    let got = wrapwright(dir.path(), &["extract", "w.json", "p.html", "q.html", "--no-meta"]);
    let expected = "{\"country\":\"Congo\",\"code\":\"242\",\"capital\":\"Brazzaville\"}\n\
                    {\"country\":\"Egypt\",\"code\":\"20\",\"capital\":\"Cairo\"}\n\
                    {\"country\":\"Peru\",\"code\":\"51\",\"capital\":\"Lima\"}\n\
                    {\"country\":\"Spain\",\"code\":\"34\",\"capital\":\"Madrid\"}\n\
                    {\"country\":\"Mali\",\"code\":\"223\",\"capital\":\"Bamako\"}\n\
                    {\"country\":\"Cuba\",\"code\":\"53\",\"capital\":\"Havana\"}\n";
    assert_eq!(String::from_utf8_lossy(&got.stdout), expected);
    fs::write(dir.path().join("capitals.txt"), "Cairo\nLima\n\nMadrid\n").expect("a file");
    let from_file = recognizers.replace(
        r#""words": ["Cairo", "Lima", "Madrid"]"#,
        r#""words-file": "capitals.txt""#,
    );
    fs::write(dir.path().join("f.json"), from_file).expect("a file");
    check(
        &wrapwright(
            dir.path(),
            &["learn", "p.html", "q.html", "--recognizers", "f.json", "-o", "w.json"],
        ),
        0,
        "",
        "",
    );
}

#[test]
fn bad_recognizers_are_told_one_by_one() {
    let dir = setup();
    for (recognizers, message) in [
        ("[", "not JSON as expected"),
        ("[]", "found no object"),
        ("{}", "found no attribute"),
        (r#"{"c": "country"}"#, "`c`: found no object"),
        (
            r#"{"c": {"use": "country"}}"#,
            "`c`: found no `mistakes`, expected none, false-positives, false-negatives",
        ),
        (
            r#"{"c": {"use": "country", "mistakes": "some"}}"#,
            "found `mistakes` \"some\"",
        ),
        (
            r#"{"c": {"use": "colour", "mistakes": "none"}}"#,
            "unknown recognizer `colour`",
        ),
        (
            r#"{"c": {"regex": "(", "mistakes": "none"}}"#,
            "a pattern that cannot be used",
        ),
        (
            r#"{"c": {"regex": "x*", "mistakes": "none"}}"#,
            "matches the empty text",
        ),
        (
            r#"{"c": {"regex": "x", "in": "page", "mistakes": "none"}}"#,
            "expected text, cell or source",
        ),
        (
            r#"{"c": {"words": [], "mistakes": "none"}}"#,
            "found no word in the list",
        ),
        (
            r#"{"c": {"words": [1], "mistakes": "none"}}"#,
            "something else than texts",
        ),
        (r#"{"c": {"words-file": "none.txt", "mistakes": "none"}}"#, "none.txt"),
        (r#"{"c": {"mistakes": "none"}}"#, "expected exactly one of `use`"),
        (
            r#"{"c": {"use": "url", "in": "text", "mistakes": "none"}}"#,
            "which a built-in recognizer decides itself",
        ),
        (
            r#"{"c": {"use": "url", "colour": "red", "mistakes": "none"}}"#,
            "unknown key `colour`",
        ),
        (
            r#"{"c": {"use": "country", "mistakes": "none"}, "c": {"use": "url", "mistakes": "none"}}"#,
            "the attribute `c` twice",
        ),
        (
            r#"{"c": {"use": "country", "mistakes": "false-positives"}}"#,
            "every recognizer is said to make mistakes",
        ),
        (
            r#"{"c": {"use": "country", "mistakes": "none"}, "d": {"use": "isbn", "mistakes": "false-negatives"}}"#,
            "the recognizer of `d` finds nothing on any page",
        ),
        (
            r#"{"c": {"use": "country", "mistakes": "none"}, "d": {"regex": "[BI]", "in": "source", "mistakes": "false-negatives"}}"#,
            "one value more than there can be between two records",
        ),
        (
            r#"{"c": {"use": "country", "mistakes": "none"}, "d": {"regex": "242", "mistakes": "false-positives"}}"#,
            "no value up to the next record",
        ),
    ] {
        fs::write(dir.path().join("bad.json"), recognizers).expect("a file");
        let got = wrapwright(dir.path(), &["learn", "a.html", "--recognizers", "bad.json"]);
        check(&got, 2, "", message);
    }
    let both = ["learn", "a.html", "--recognizers", "bad.json", "--examples", "e.json"];
    check(&wrapwright(dir.path(), &both), 2, "", "cannot be used with");
    check(&wrapwright(dir.path(), &["learn", "a.html"]), 2, "", "--examples");
}

/// What `show` says is the same as OXPath gives the same records.
#[test]
fn the_oxpath_shown_gives_the_same_records() {
    let dir = setup();
    let page = "<html><body><p>x</p><ul><li class=\"c\">Congo</li><li class=\"c\">Egypt</li></ul></body></html>";
    fs::write(dir.path().join("l.html"), page).expect("a file");
    fs::write(
        dir.path().join("l.json"),
        r#"{"l.html": [{"country": "Congo"}, {"country": "Egypt"}]}"#,
    )
    .expect("a file");
    let learn = [
        "learn",
        "l.html",
        "--class",
        "auto",
        "--examples",
        "l.json",
        "-o",
        "l.wrapper.json",
    ];
    check(&wrapwright(dir.path(), &learn), 0, "", "LR from 1 page;");
    let shown = wrapwright(dir.path(), &["show", "l.wrapper.json", "--full"]);
    let expression = "//li[@class=\"c\"]:<record>[.:<country=string(.)>]";
    check(&shown, 0, expression, "");
    let extracted = wrapwright(dir.path(), &["extract", "l.wrapper.json", "l.html", "--no-meta"]);
    let expression = format!("doc(\"{}\"){expression}", dir.path().join("l.html").display());
    let run = wrapwright(dir.path(), &["run", "-e", &expression, "--no-meta"]);
    check(&run, 0, "{\"country\":\"Congo\"}\n{\"country\":\"Egypt\"}\n", "");
    assert_eq!(run.stdout, extracted.stdout);
    // Two attributes have no node in common.
    let learn = [
        "learn",
        "a.html",
        "--class",
        "auto",
        "--examples",
        "e.json",
        "-o",
        "w.json",
    ];
    check(&wrapwright(dir.path(), &learn), 0, "", "");
    check(
        &wrapwright(dir.path(), &["show", "w.json", "--full"]),
        0,
        "no equivalent OXPath",
        "",
    );
}

/// Delimiters from whole pages, paths from a few records, and the other one where the first has no rule.
#[test]
fn the_learner_fits_the_examples() {
    let dir = setup();
    let rows = |rows: &[(&str, &str)]| -> String {
        let cells = rows
            .iter()
            .map(|(name, code)| format!("<tr><td>{name}</td><td>{code}</td></tr>"));
        format!("<table>{}</table>", cells.collect::<String>())
    };
    let all = [("Congo", "242"), ("Egypt", "20"), ("Mali", "223"), ("Kenya", "254")];
    fs::write(dir.path().join("list.html"), rows(&all)).expect("a file");
    fs::write(dir.path().join("next.html"), rows(&[("Peru", "51"), ("Chile", "56")])).expect("a file");
    fs::write(dir.path().join("one.html"), "<p>Name: <b>Congo</b><p>Code: <i>242</i>").expect("a file");
    let record = |name: &str, code: &str| format!(r#"{{"name": "{name}", "code": "{code}"}}"#);
    let whole: Vec<String> = all.iter().map(|(name, code)| record(name, code)).collect();
    // Out of the order of the page.
    let mixed: Vec<String> = whole.iter().rev().cloned().collect();
    for (page, records, note, gives) in [
        ("list.html", whole.join(","), "paths; one page says too little", 2),
        ("list.html", mixed.join(","), "paths; one page says too little", 2),
        (
            "list.html",
            record("Mali", "223"),
            "paths; the example is one of 4 records like it",
            2,
        ),
        ("one.html", record("Congo", "242"), "paths; each page is one record", 0),
    ] {
        fs::write(dir.path().join("x.json"), format!("{{\"{page}\": [{records}]}}")).expect("a file");
        let learn = ["learn", page, "--examples", "x.json", "-o", "w.json"];
        check(&wrapwright(dir.path(), &learn), 0, "", note);
        let got = wrapwright(dir.path(), &["extract", "w.json", "next.html", "--no-meta"]);
        let got = String::from_utf8_lossy(&got.stdout).lines().count();
        assert_eq!(got, gives, "{note}");
    }
    let raw = ["extract", "w.json", "one.html", "--raw"];
    check(
        &wrapwright(dir.path(), &raw),
        2,
        "",
        "a wrapper by paths reads the tree of a page",
    );
}

/// Missing means missing: no other row takes the place of one that a page does not have.
#[test]
fn a_field_that_a_page_does_not_have_is_missing() {
    let dir = setup();
    let shop = |rows: &[(&str, &str)]| -> String {
        let rows = rows
            .iter()
            .map(|(label, value)| format!("<tr><td>{label}</td><td>{value}</td></tr>"));
        format!("<h1>Shop</h1><table>{}</table>", rows.collect::<String>())
    };
    let one = shop(&[("SKU", "A-1"), ("Brand", "Acme"), ("Stock", "3 left")]);
    fs::write(dir.path().join("one.html"), one).expect("a file");
    fs::write(
        dir.path().join("two.html"),
        shop(&[("SKU", "A-2"), ("Stock", "7 left")]),
    )
    .expect("a file");
    let examples = r#"{"one.html": [{"sku": "A-1", "brand": "Acme", "stock": "3 left"}]}"#;
    fs::write(dir.path().join("shop.json"), examples).expect("a file");
    let learn = ["learn", "one.html", "--examples", "shop.json", "-o", "w.json"];
    check(&wrapwright(dir.path(), &learn), 0, "", "paths; each page is one record");
    let expected = "{\"sku\":\"A-2\",\"stock\":\"7 left\"}\n";
    let got = wrapwright(dir.path(), &["extract", "w.json", "two.html", "--no-meta"]);
    assert_eq!(String::from_utf8_lossy(&got.stdout), expected);
    let shown = wrapwright(dir.path(), &["show", "w.json", "--as", "oxpath"]);
    let expression = String::from_utf8_lossy(&shown.stdout).replacen("doc($page)", "doc(\"two.html\")", 1);
    let ran = wrapwright(dir.path(), &["run", "-q", "-e", &expression, "--no-meta"]);
    assert_eq!(String::from_utf8_lossy(&ran.stdout), expected);
}

/// Bad input that is the same in every form of examples: no attribute at all, one example only, other attributes per page.
#[test]
fn few_and_different_examples_are_told() {
    let dir = setup();
    for (examples, code, message) in [
        (
            r#"{"a.html": [{}]}"#,
            2,
            "the records have no attribute, expected at least one",
        ),
        (
            r#"{"a.html": [{"c": "Congo"}]}"#,
            0,
            "one page only, so nothing to check it with",
        ),
        (
            r#"{"a.html": [{"c": "Congo"}, {"c": "Egypt"}], "b.html": [{"d": "Peru"}]}"#,
            2,
            "b.html: record 1 has other attributes than those of a.html: found `d`",
        ),
    ] {
        fs::write(dir.path().join("few.json"), examples).expect("a file");
        let learn = [
            "learn",
            "a.html",
            "b.html",
            "--class",
            "auto",
            "--examples",
            "few.json",
            "-o",
            "w.json",
        ];
        check(&wrapwright(dir.path(), &learn), code, "", message);
    }
    fs::write(dir.path().join("e.csv"), "page\na.html\n").expect("a file");
    check(
        &wrapwright(dir.path(), &["learn", "a.html", "--examples", "e.csv"]),
        2,
        "",
        "expected a first line `page,attribute,…`",
    );
}

#[test]
fn pages_without_examples_tell_which_path_is_right() {
    let folder = tempfile::tempdir().expect("a directory");
    let write = |name: &str, year: &str, phone: &str| {
        // The example's year is also that of the footer, which is the same on all pages.
        let html = format!(
            "<h1>{name}</h1><table><tr><td>founded in</td><td>{year}</td></tr><tr><td>call</td><td>{phone}</td></tr></table><p class=c>2008</p>"
        );
        std::fs::write(folder.path().join(format!("{name}.html")), html).expect("a file");
    };
    for (name, year, phone) in [
        ("a", "2008", "555-1234"),
        ("b", "1997", "555-9876"),
        ("c", "2001", "555-0001"),
        ("d", "1988", "555-4444"),
        ("e", "1975", "555-2222"),
    ] {
        write(name, year, phone);
    }
    std::fs::write(folder.path().join("x.json"), r#"{"a.html": [{"year": "2008"}]}"#).expect("a file");
    let learn = |more: &[&str], to: &str| {
        let output = wrapwright(
            folder.path(),
            &[&["learn", "a.html", "--examples", "x.json", "-o", to], more].concat(),
        );
        assert_eq!(
            output.status.code(),
            Some(0),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
        let output = wrapwright(folder.path(), &["extract", "--no-meta", to, "b.html", "c.html"]);
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    let right = "{\"year\":\"1997\"}\n{\"year\":\"2001\"}\n";
    assert_ne!(learn(&[], "alone.json"), right, "the example alone must not decide it");
    assert_eq!(
        learn(&["--also", "b.html", "c.html", "d.html", "e.html"], "also.json"),
        right
    );
    // Pages that are given without an example count, too.
    assert_eq!(learn(&["b.html", "c.html", "d.html", "e.html"], "given.json"), right);
}

#[test]
fn what_is_odd_about_examples_is_told_once() {
    let dir = setup();
    let page = "<h1>May Morning</h1><p>Price: <b>12</b></p><ul><li>Ann</li><li>Bob</li><li>Cy</li></ul>";
    let other = "<h1>Red Tulip</h1><p>Price: <b>7</b></p><ul><li>Eve</li><li>Fox</li></ul>";
    let texts = r#"{"properties": {"name": {"type": "array", "items": {"type": "string"}}}}"#;
    let film = r#"{"properties": {"title": {"type": "string"}, "price": {"type": "string"}}, "required": ["title"]}"#;
    for (name, text) in [
        ("m.html", page),
        ("n.html", other),
        ("texts.json", texts),
        ("film.json", film),
    ] {
        fs::write(dir.path().join(name), text).expect("a file");
    }
    let learn = |examples: &str, more: &[&str]| {
        fs::write(dir.path().join("e.json"), examples).expect("a file");
        let mut arguments = vec!["learn", "m.html", "--examples", "e.json", "-o", "w.json"];
        arguments.extend(more);
        wrapwright(dir.path(), &arguments)
    };
    let typed = learn(r#"{"m.html": [{"title": "May Mornin"}]}"#, &[]);
    check(&typed, 0, "", "is cut inside a word; did you mean \"May Morning\"?");
    // A list of texts is one field.
    let listed = learn(
        r#"{"m.html": {"name": ["Ann", "Bob", "Cy"]}}"#,
        &["--schema", "texts.json"],
    );
    check(&listed, 0, "", "paths to 1 field from 1 page");
    let found = wrapwright(dir.path(), &["extract", "w.json", "n.html"]);
    check(&found, 0, r#""name":["Eve","Fox"]"#, "");
    // A field that every record must have and that has no rule.
    let wrong = r#"{"m.html": {"title": "June", "price": "12"}}"#;
    let missing = learn(wrong, &["--schema", "film.json"]);
    check(
        &missing,
        1,
        "",
        "error: no rule for `title`, which every record must have",
    );
    let words = String::from_utf8_lossy(&missing.stderr).into_owned();
    let warnings: Vec<&str> = words.lines().filter(|line| line.starts_with("warning")).collect();
    let warning = "warning: m.html does not say \"June\", which is given for `title`; `title` has no rule";
    assert_eq!(warnings, [warning]);
    check(
        &learn(wrong, &["--schema", "film.json", "--class", "LR"]),
        2,
        "",
        "cannot be used with '--class",
    );
}

/// Examples of two of three tables give a rule that reads these two, and the expression that is shown for it does the same.
#[test]
fn examples_of_two_lists_give_a_rule_for_both() {
    let dir = setup();
    let table = |id: &str, rows: &[(&str, &str)]| -> String {
        let rows = rows
            .iter()
            .map(|(date, place)| format!("<tr><td>{date}</td><td>{place}</td></tr>"));
        format!("<h2>{id}</h2><table id=\"{id}\">{}</table>", rows.collect::<String>())
    };
    let page = |next: &[(&str, &str)], off: &[(&str, &str)], past: &[(&str, &str)]| {
        table("next", next) + &table("cancelled", off) + &table("past", past)
    };
    let first = page(
        &[("May 9", "Zoo"), ("May 16", "Hall")],
        &[("May 23", "Mill"), ("May 30", "Pool"), ("June 6", "Park")],
        &[("April 2", "Gate"), ("April 9", "Yard")],
    );
    let other = page(
        &[("July 1", "Barn")],
        &[("July 8", "Quay")],
        &[("May 2", "Dock"), ("May 1", "Inn")],
    );
    let examples = r#"{"m.html": [{"date": "May 9", "place": "Zoo"}, {"date": "May 16", "place": "Hall"},
        {"date": "April 2", "place": "Gate"}, {"date": "April 9", "place": "Yard"}]}"#;
    for (name, text) in [("m.html", first.as_str()), ("n.html", &other), ("m.json", examples)] {
        fs::write(dir.path().join(name), text).expect("a file");
    }
    let learn = ["learn", "m.html", "--examples", "m.json", "-o", "m.wrapper.json"];
    check(&wrapwright(dir.path(), &learn), 0, "", "");
    let extracted = wrapwright(dir.path(), &["extract", "m.wrapper.json", "n.html", "--no-meta"]);
    let both = "{\"date\":\"July 1\",\"place\":\"Barn\"}\n{\"date\":\"May 2\",\"place\":\"Dock\"}\n\
        {\"date\":\"May 1\",\"place\":\"Inn\"}\n";
    check(&extracted, 0, both, "");
    assert_eq!(String::from_utf8_lossy(&extracted.stdout), both);
    let shown = wrapwright(dir.path(), &["show", "m.wrapper.json", "--as", "oxpath"]);
    check(&shown, 0, " | ", "");
    let expression = String::from_utf8_lossy(&shown.stdout).into_owned();
    let (_, path) = expression
        .split_once("/(")
        .unwrap_or_else(|| panic!("no union: {expression}"));
    let expression = format!("doc(\"{}\")/({path}", dir.path().join("n.html").display());
    let run = wrapwright(dir.path(), &["run", "-e", &expression, "--no-meta"]);
    check(&run, 0, both, "");
    check(
        &wrapwright(dir.path(), &["show", "m.wrapper.json", "--as", "xquery"]),
        0,
        " | ",
        "",
    );
}

/// One record of each page is of a list, or the page is the record; which one is told, and where it cannot be known, too.
#[test]
fn one_record_shows_its_list_or_is_its_page() {
    let dir = setup();
    let list = |rows: &[(&str, &str)]| -> String {
        let rows = rows
            .iter()
            .map(|(date, name)| format!("<dt><b>{date}</b></dt><dd>{name}</dd>"));
        format!("<h1>Events</h1><dl>{}</dl>", rows.collect::<String>())
    };
    let first = list(&[
        ("May 9", "Zoo"),
        ("May 16", "Hall"),
        ("May 23", "Mill"),
        ("May 30", "Pool"),
    ]);
    let second = list(&[("June 6", "Park"), ("June 13", "Gate"), ("June 20", "Yard")]);
    let schema = r#"{"properties": {"date": {"type": "string"}, "name": {"type": "string"}}}"#;
    for (name, text) in [("m.html", first.as_str()), ("n.html", &second), ("s.json", schema)] {
        fs::write(dir.path().join(name), text).expect("a file");
    }
    // Where the example is taken for the page, what another page gives is not the question.
    let learn = |examples: &str, more: &[&str], note: &str, records: Option<usize>| {
        fs::write(dir.path().join("e.json"), examples).expect("a file");
        let all = [
            &["learn", "m.html", "n.html", "--examples", "e.json", "-o", "w.json"][..],
            more,
        ]
        .concat();
        check(&wrapwright(dir.path(), &all), 0, "", note);
        let got = wrapwright(dir.path(), &["extract", "w.json", "n.html", "--no-meta"]);
        let count = String::from_utf8_lossy(&got.stdout).lines().count();
        assert!(records.is_none_or(|records| records == count), "{note}: {count}");
    };
    let one = r#"{"m.html": [{"date": "May 23", "name": "Mill"}]}"#;
    learn(one, &[], "the example is one of 4 records like it on its page", Some(3));
    let each = r#"{"m.html": [{"date": "May 23", "name": "Mill"}], "n.html": [{"date": "June 6", "name": "Park"}]}"#;
    learn(
        each,
        &[],
        "each example is one of 3 records or more like it on its page",
        Some(3),
    );
    let warning = "m.html has 4 records like the example, but the schema is of one record a page";
    learn(one, &["--schema", "s.json"], warning, None);
    let value = r#"{"m.html": [{"name": "Mill"}]}"#;
    learn(
        value,
        &[],
        "m.html has 3 other places like that of `name`; if it is a list, give two",
        None,
    );
}

/// A page that is one record, with two labels in each row: the other rows are not records.
#[test]
fn two_labels_in_each_row_are_one_record() {
    let dir = setup();
    let page = |sku: &str, brand: &str, stock: &str| {
        format!(
            "<h1>Item</h1><table><tr><td>SKU</td><td>{sku}</td><td>Brand</td><td>{brand}</td></tr>\
             <tr><td>Stock</td><td>{stock}</td><td>Weight</td><td>2 kg</td></tr>\
             <tr><td>Colour</td><td>red</td><td>Size</td><td>XL</td></tr></table>"
        )
    };
    let examples = r#"{"m.html": [{"sku": "A-1", "brand": "Acme"}]}"#;
    for (name, text) in [
        ("m.html", page("A-1", "Acme", "3 left").as_str()),
        ("n.html", &page("A-9", "Bolt", "5 left")),
        ("e.json", examples),
    ] {
        fs::write(dir.path().join(name), text).expect("a file");
    }
    let learn = ["learn", "m.html", "--examples", "e.json", "-o", "w.json"];
    check(&wrapwright(dir.path(), &learn), 0, "", "each page is one record");
    let extracted = wrapwright(dir.path(), &["extract", "w.json", "n.html", "--no-meta"]);
    assert_eq!(
        String::from_utf8_lossy(&extracted.stdout),
        "{\"sku\":\"A-9\",\"brand\":\"Bolt\"}\n"
    );
}
