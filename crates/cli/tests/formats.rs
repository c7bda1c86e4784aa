//! What the program prints for programs, against the schemas in `docs/formats`.
//!
//! The checker knows the part of JSON Schema that the files use, and panics on a keyword that it does not know, so that no
//! schema says something that is not checked. A library would be thirty crates more for the same. It is stricter than
//! the schemas in one thing: an object has no members that its schema does not name.

use serde_json::{Map, Value, json};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn schema(name: &str) -> Value {
    let path = root().join("docs/formats").join(name);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_str(&text).expect("JSON")
}

/// What does not fit, with its place.
fn problems(schema_of: &Value, root_of: &Value, value: &Value, place: &str, out: &mut Vec<String>) {
    let keywords = schema_of.as_object().expect("a schema is an object");
    let fail = |out: &mut Vec<String>, what: String| out.push(format!("{place}: {what}"));
    for (keyword, of) in keywords {
        match keyword.as_str() {
            "$schema" | "$defs" | "title" | "description" | "properties" | "additionalProperties" => {}
            "type" => {
                let names: Vec<&str> = match of {
                    Value::String(name) => vec![name],
                    of => of.as_array().expect("names").iter().filter_map(Value::as_str).collect(),
                };
                if !names.iter().any(|name| is_a(value, name)) {
                    return fail(out, format!("found {value}, expected {names:?}"));
                }
            }
            "enum" if !of.as_array().expect("values").contains(value) => {
                fail(out, format!("found {value}, expected one of {of}"))
            }
            "const" if of != value => fail(out, format!("found {value}, expected {of}")),
            "enum" | "const" => {}
            "minimum"
                if value
                    .as_f64()
                    .is_some_and(|number| number < of.as_f64().expect("a number")) =>
            {
                fail(out, format!("found {value}, expected at least {of}"));
            }
            "maximum"
                if value
                    .as_f64()
                    .is_some_and(|number| number > of.as_f64().expect("a number")) =>
            {
                fail(out, format!("found {value}, expected at most {of}"));
            }
            "maxItems"
                if value
                    .as_array()
                    .is_some_and(|items| items.len() as u64 > of.as_u64().expect("a number")) =>
            {
                fail(out, format!("more than {of} items"));
            }
            "minItems"
                if value
                    .as_array()
                    .is_some_and(|items| (items.len() as u64) < of.as_u64().expect("a number")) =>
            {
                fail(out, format!("fewer than {of} items"));
            }
            "maxLength"
                if value
                    .as_str()
                    .is_some_and(|text| text.chars().count() as u64 > of.as_u64().expect("a number")) =>
            {
                fail(out, format!("more than {of} characters"));
            }
            "minimum" | "maximum" | "minItems" | "maxItems" | "maxLength" => {}
            "required" => {
                for name in of.as_array().expect("names").iter().filter_map(Value::as_str) {
                    if value.as_object().is_some_and(|members| !members.contains_key(name)) {
                        fail(out, format!("found no {name:?}"));
                    }
                }
            }
            "items" => {
                for (at, item) in value.as_array().into_iter().flatten().enumerate() {
                    problems(of, root_of, item, &format!("{place}[{at}]"), out);
                }
            }
            "anyOf" => {
                let fits = of.as_array().expect("schemas").iter().any(|one| {
                    let mut inner = Vec::new();
                    problems(one, root_of, value, place, &mut inner);
                    inner.is_empty()
                });
                if !fits {
                    fail(out, format!("found {value}, which fits none of the alternatives"));
                }
            }
            "$ref" => {
                let name = of.as_str().expect("a name");
                match name.strip_prefix("#/$defs/") {
                    Some(name) => problems(&root_of["$defs"][name], root_of, value, place, out),
                    None => {
                        let other = schema(name);
                        problems(&other, &other, value, place, out);
                    }
                }
            }
            other => panic!("{place}: the checker does not know the keyword {other:?}"),
        }
    }
    let Some(members) = value.as_object() else { return };
    let none = Map::new();
    let known = schema_of["properties"].as_object().unwrap_or(&none);
    let others = keywords.get("additionalProperties");
    for (name, value) in members {
        let place = format!("{place}.{name}");
        match (known.get(name), others) {
            (Some(of), _) | (None, Some(of)) => problems(of, root_of, value, &place, out),
            (None, None) if known.is_empty() => {}
            (None, None) => out.push(format!("{place}: the schema does not have this member")),
        }
    }
}

fn is_a(value: &Value, name: &str) -> bool {
    match name {
        "string" => value.is_string(),
        "integer" => value.is_u64() || value.is_i64(),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        "null" => value.is_null(),
        other => panic!("the checker does not know the type {other:?}"),
    }
}

fn fits(name: &str, value: &Value) -> Vec<String> {
    let schema = schema(&format!("{name}.schema.json"));
    let mut out = Vec::new();
    problems(&schema, &schema, value, "$", &mut out);
    out
}

/// Programs' outputs that were checked.
struct Checked {
    names: BTreeSet<String>,
    folder: tempfile::TempDir,
}

impl Checked {
    fn run(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_wrapwright"));
        command.current_dir(root()).args(arguments).env("NO_COLOR", "1");
        command.output().expect("the program")
    }

    fn place(&self, name: &str) -> String {
        self.folder.path().join(name).display().to_string()
    }

    /// Every line is JSON that fits; there are at least `least` lines.
    fn lines(&mut self, name: &str, text: &[u8], least: usize) -> Vec<Value> {
        self.names.insert(format!("{name}.schema.json"));
        let text = String::from_utf8_lossy(text);
        let lines: Vec<Value> = text
            .lines()
            .filter(|line| line.starts_with(['{', '[']))
            .map(|line| serde_json::from_str(line).expect("JSON"))
            .collect();
        assert!(lines.len() >= least, "{name}: {text}");
        for line in &lines {
            let found = fits(name, line);
            assert!(found.is_empty(), "{name}: {}\n{line}", found.join("\n"));
        }
        lines
    }

    /// The standard output of a command.
    fn output(&mut self, name: &str, least: usize, arguments: &[&str]) -> Vec<Value> {
        let done = self.run(arguments);
        let words = String::from_utf8_lossy(&done.stderr).into_owned();
        assert!(
            done.status.code().is_some_and(|code| code != 2),
            "{arguments:?}: {words}"
        );
        self.lines(name, &done.stdout, least)
    }
}

#[test]
fn what_is_printed_fits_its_schema() {
    let server = demo::server::start("127.0.0.1:0", demo::Demo).expect("a port");
    let site = format!("http://{}/", server.address());
    let folder = tempfile::tempdir().expect("a directory");
    let mut checked = Checked {
        names: BTreeSet::new(),
        folder,
    };
    let (wrapper, shop) = (checked.place("lamps.wrapper.json"), checked.place("shop.wrapper.json"));
    assert!(
        checked
            .run(&["infer", "examples/lamps/before", "-o", &wrapper])
            .status
            .success()
    );
    assert!(
        checked
            .run(&["infer", "examples/shop", "--method", "regions", "-o", &shop])
            .status
            .success()
    );

    checked.output("fields", 1, &["fields", &wrapper, "--json"]);
    checked.output(
        "check",
        1,
        &["check", &wrapper, "examples/lamps/before", "--format", "json"],
    );
    checked.output(
        "check",
        1,
        &["check", &wrapper, "examples/lamps/after", "--format", "json"],
    );
    checked.output(
        "repair",
        1,
        &["repair", &wrapper, "examples/lamps/after", "--format", "json"],
    );
    checked.output("pager", 1, &["pager", &format!("{site}shop/search"), "--json"]);
    for expression in [
        "//h1",
        "//h1/text() | //a/@href",
        "count(//a)",
        "string(//h1)",
        "1 = 1",
        "//nothing",
    ] {
        checked.output("query", 3, &["query", "--json", expression, "examples/shop"]);
    }
    checked.output("query", 3, &["query", "--json", "--count", "//a", "examples/shop"]);
    let wrong = checked.run(&["query", "--json", "//a[", "examples/shop"]);
    checked.lines("message", &wrong.stderr, 1);
    let missing = checked.run(&["query", "--json", "//a", "nowhere.html"]);
    checked.lines("message", &missing.stderr, 1);
    let expression = checked.place("bad.oxp");
    std::fs::write(&expression, "doc('x')//a[lower(.)]/{clik}").expect("a file");
    let found = checked.run(&["run", "--check", &expression, "--format", "json"]);
    checked.lines("findings", &found.stdout, 1);

    let good = checked.place("good.oxp");
    let text = format!("doc('{site}shop/')//article:<book>[.//h2:<title=string(.)>] | doc('{site}nowhere')//a:<x>");
    std::fs::write(&good, text).expect("a file");
    let run = checked.run(&["run", &good, "--allow-private", "--summary", "json", "--log", "json"]);
    let (mut summary, mut progress) = (Vec::new(), Vec::new());
    for line in String::from_utf8_lossy(&run.stderr)
        .lines()
        .filter(|line| line.starts_with('{'))
    {
        let into = if line.contains("\"event\"") {
            &mut progress
        } else {
            &mut summary
        };
        into.extend_from_slice(format!("{line}\n").as_bytes());
    }
    checked.lines("summary", &summary, 1);
    let events = checked.lines("progress", &progress, 2);
    assert!(events.iter().any(|event| event["event"] == "failure"), "{events:?}");

    let runs = checked.place("runs");
    let one = format!("{runs}/one");
    checked.run(&[
        "run",
        &good,
        "--allow-private",
        "--run",
        &one,
        "-o",
        &checked.place("out.ndjson"),
    ]);
    checked.output("runs", 1, &["runs", &runs, "--format", "json"]);

    let saved = checked.place("saved");
    let fetched = checked.run(&["fetch", &format!("{site}shop/"), "-o", &saved, "--allow-private"]);
    let words = String::from_utf8_lossy(&fetched.stderr).into_owned();
    let manifest =
        std::fs::read(Path::new(&saved).join("manifest.ndjson")).unwrap_or_else(|error| panic!("{error}: {words}"));
    checked.lines("manifest", &manifest, 1);

    let told = checked.place("told.json");
    let notify = format!("cat > {told}");
    for pages in ["examples/lamps/before", "examples/lamps/after"] {
        checked.run(&["watch", &wrapper, "--pages", pages, "--notify", &notify]);
    }
    checked.lines("watch", &std::fs::read(&told).expect("news"), 1);
    checked.output("history", 2, &["history", &wrapper, "--format", "json"]);

    for file in [wrapper, shop] {
        let text = std::fs::read(&file).expect("a wrapper");
        let value: Value = serde_json::from_slice(&text).expect("JSON");
        checked.lines("wrapper", value.to_string().as_bytes(), 1);
    }

    let listed = std::fs::read_dir(root().join("docs/formats")).expect("a directory");
    let names = listed
        .flatten()
        .map(|entry| entry.file_name().to_string_lossy().into_owned());
    let schemas: BTreeSet<String> = names.filter(|name| name.ends_with(".json")).collect();
    assert_eq!(checked.names, schemas, "every schema is checked");
}

#[test]
fn the_checker_finds_what_does_not_fit() {
    let good =
        json!([{"name": "a", "sort": "text", "records": 1, "of": 1, "different": 1, "samples": ["x"], "shown": true}]);
    assert!(fits("fields", &good).is_empty());
    let with = |key: &str, value: Value| {
        let mut bad = good.clone();
        bad[0][key] = value;
        bad
    };
    let mut without = good.clone();
    without[0].as_object_mut().expect("an object").remove("samples");
    let rows = [
        (without, "found no \"samples\""),
        (with("name", json!(1)), "expected [\"string\"]"),
        (with("records", json!(-1)), "at least 0"),
        (with("samples", json!(["a", "b", "c", "d"])), "more than 3 items"),
        (with("samples", json!(["x".repeat(50)])), "more than 41 characters"),
        (with("more", json!(1)), "does not have this member"),
        (json!({}), "expected [\"array\"]"),
    ];
    for (bad, expected) in rows {
        let found = fits("fields", &bad).join("\n");
        assert!(found.contains(expected), "{found}");
    }
    assert!(!fits("wrapper", &json!({"wrapwright": 1, "kind": "other"})).is_empty());
}
