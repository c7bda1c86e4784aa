//! The structured data of a page is what the Python package extruct reads from it.
//!
//! `structured/record.py` wrote down what extruct gives for the pages beside it. Both answers are compared as sets of paths and
//! values. RDFa of extruct is a graph: items are put into the places that refer to them first.

use page::Page;
use page::structured::{Source, Structured};
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

type Facts = BTreeSet<(String, String)>;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/structured")
}

fn read(name: &str) -> (Structured, Value) {
    let html = std::fs::read_to_string(folder().join(format!("{name}.html"))).unwrap();
    let recorded = std::fs::read_to_string(folder().join(format!("{name}.extruct.json"))).unwrap();
    let page = Page::parse_str(&html, &Default::default()).unwrap();
    (Structured::of(&page), serde_json::from_str(&recorded).unwrap())
}

fn ours(data: &Structured, source: Source) -> Facts {
    let of = data.facts.iter().filter(|fact| fact.source == source);
    of.map(|fact| (fact.path.clone(), fact.value.clone())).collect()
}

fn local(name: &str) -> &str {
    name.rsplit(['/', '#']).next().unwrap()
}

fn join(path: &str, name: &str) -> String {
    if path.is_empty() {
        name.to_owned()
    } else {
        format!("{path}.{name}")
    }
}

/// The facts of JSON-LD or microdata as extruct gives them.
fn theirs(value: &Value, path: &str, into: &mut Facts) {
    match value {
        Value::Array(values) => values.iter().for_each(|value| theirs(value, path, into)),
        Value::Object(fields) if fields.contains_key("properties") => {
            if let Some(kind) = fields.get("type").and_then(Value::as_str) {
                into.insert((join(path, "@type"), local(kind).to_owned()));
            }
            theirs(&fields["properties"], path, into);
        }
        Value::Object(fields) => {
            for (name, value) in fields {
                match name.as_str() {
                    "@context" | "@id" => {}
                    "@graph" | "@value" => theirs(value, path, into),
                    "@type" => theirs(value, &join(path, "@type"), into),
                    name => theirs(value, &join(path, local(name)), into),
                }
            }
        }
        Value::String(text) if path.ends_with("@type") => {
            into.insert((path.to_owned(), local(text).to_owned()));
        }
        Value::String(text) => {
            into.insert((path.to_owned(), text.clone()));
        }
        Value::Null => {}
        other => {
            into.insert((path.to_owned(), other.to_string()));
        }
    }
}

/// A node of extruct's graph with the nodes that it refers to in their places.
fn unfold(node: &Value, graph: &[Value], depth: usize) -> Value {
    assert!(depth < 10, "the recorded graphs have no circles");
    let Value::Object(fields) = node else {
        return match node {
            Value::Array(values) => values.iter().map(|value| unfold(value, graph, depth + 1)).collect(),
            plain => plain.clone(),
        };
    };
    if let (1, Some(id)) = (fields.len(), fields.get("@id").and_then(Value::as_str)) {
        return match graph.iter().find(|other| other["@id"] == *id) {
            Some(other) if id.starts_with("_:") => unfold(other, graph, depth + 1),
            _ => Value::String(id.to_owned()),
        };
    }
    let inner = fields.iter().map(|(name, value)| match name.as_str() {
        "@id" => (name.clone(), value.clone()),
        _ => (name.clone(), unfold(value, graph, depth + 1)),
    });
    Value::Object(inner.collect())
}

#[test]
fn json_ld_and_microdata_are_those_of_extruct() {
    for (name, source, key) in [
        ("product", Source::JsonLd, "json-ld"),
        ("graph", Source::JsonLd, "json-ld"),
        ("recipe", Source::Microdata, "microdata"),
    ] {
        let (data, recorded) = read(name);
        let mut expected = Facts::new();
        theirs(&recorded[key], "", &mut expected);
        assert!(expected.len() > 5, "{name}: nothing was recorded");
        assert_eq!(ours(&data, source), expected, "{name}");
        assert!(!data.cut);
    }
}

#[test]
fn open_graph_is_that_of_extruct() {
    let (data, recorded) = read("product");
    let pairs = recorded["opengraph"][0]["properties"].as_array().unwrap();
    let text = |pair: &Value, at: usize| pair[at].as_str().unwrap().to_owned();
    let expected: Facts = pairs.iter().map(|pair| (text(pair, 0), text(pair, 1))).collect();
    assert!(expected.len() > 2);
    let ours = ours(&data, Source::Meta);
    assert!(expected.is_subset(&ours), "{ours:?}");
}

#[test]
fn rdfa_is_that_of_extruct() {
    let (data, recorded) = read("event");
    let graph = recorded["rdfa"].as_array().unwrap();
    let event = graph
        .iter()
        .find(|node| node["@type"][0] == "http://schema.org/Event")
        .unwrap();
    let mut expected = Facts::new();
    theirs(&unfold(event, graph, 0), "", &mut expected);
    assert_eq!(ours(&data, Source::Rdfa), expected);
}

/// extruct does not read the state of scripts; this is what the page has.
#[test]
fn state_is_read() {
    let (data, _) = read("state");
    let product = "props.pageProps.product";
    let expected: Facts = [
        (format!("{product}.id"), "17"),
        (format!("{product}.title"), "Rope Work"),
        (format!("{product}.price.amount"), "11"),
        (format!("{product}.price.currency"), "EUR"),
        (format!("{product}.tags"), "sea"),
        (format!("{product}.tags"), "craft"),
        ("page".to_owned(), "/p/[id]"),
    ]
    .map(|(path, value)| (path, value.to_owned()))
    .into();
    assert_eq!(ours(&data, Source::State), expected);
}
