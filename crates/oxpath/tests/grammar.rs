//! The TextMate grammar for editors: valid JSON, and its words are those of the language.

use oxpath::diag::{Code, Diagnostic};
use serde_json::Value;
use std::collections::BTreeSet;

fn grammar() -> Value {
    let file = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../editors/vscode/oxpath.tmLanguage.json"
    );
    serde_json::from_str(&std::fs::read_to_string(file).expect("a grammar")).expect("valid JSON")
}

/// The words of the first list `(?:…)` of words in a pattern.
fn listed(pattern: &str) -> BTreeSet<String> {
    let list = pattern
        .split("(?:")
        .skip(1)
        .map(|rest| rest.split(')').next().unwrap_or_default());
    let is_word = |word: &str| !word.is_empty() && word.chars().all(|c| c.is_ascii_alphanumeric() || ":-".contains(c));
    let mut words = list.filter(|list| list.split('|').all(is_word));
    let words = words.next().unwrap_or_else(|| panic!("no list of words in {pattern}"));
    words.split('|').map(str::to_owned).collect()
}

/// All patterns of a grammar with what they name.
fn patterns(value: &Value, found: &mut Vec<(String, String)>) {
    match value {
        Value::Object(fields) => {
            let text = |key: &str| fields.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
            let mut name = text("name");
            if let Some(first) = value.pointer("/captures/1/name").and_then(Value::as_str) {
                name = first.to_owned();
            }
            if fields.contains_key("match") {
                found.push((name, text("match")));
            }
            fields.values().for_each(|value| patterns(value, found));
        }
        Value::Array(values) => values.iter().for_each(|value| patterns(value, found)),
        _ => {}
    }
}

#[test]
fn words_are_those_of_the_language() {
    let grammar = grammar();
    assert_eq!(grammar["scopeName"], "source.oxpath");
    let mut all = Vec::new();
    patterns(&grammar, &mut all);
    let named = |scope: &str| -> BTreeSet<String> {
        let found = all.iter().filter(|(name, _)| name == scope);
        found.flat_map(|(_, pattern)| listed(pattern)).collect()
    };
    let set = |words: &[&str]| -> BTreeSet<String> { words.iter().map(|word| (*word).to_owned()).collect() };
    let words = oxpath::syntax::words();
    assert_eq!(named("keyword.operator.word.oxpath"), set(&words.operators));
    assert_eq!(named("support.type.axis.oxpath"), set(&words.axes));
    assert_eq!(named("support.type.node.oxpath"), set(&words.node_types));
    assert_eq!(named("support.function.oxpath"), set(&words.functions));
    assert_eq!(named("keyword.other.action.oxpath"), set(&words.actions));
    assert_eq!(named("keyword.other.option.oxpath"), set(&words.options));
    assert_eq!(named("storage.modifier.oxpath"), set(&words.marker_words));
    let mut definitions = named("keyword.control.import.oxpath");
    definitions.extend(named("keyword.control.let.oxpath"));
    assert_eq!(definitions, set(&words.definitions));
}

/// What is included is there, and every scope is one of this language.
#[test]
fn includes_and_scopes() {
    fn check(grammar: &Value, value: &Value) {
        match value {
            Value::Object(fields) => {
                if let Some(included) = fields.get("include").and_then(Value::as_str) {
                    let name = included.trim_start_matches('#');
                    assert!(grammar["repository"].get(name).is_some(), "{included}");
                }
                fields.values().for_each(|value| check(grammar, value));
            }
            Value::Array(values) => values.iter().for_each(|value| check(grammar, value)),
            _ => {}
        }
    }
    let grammar = grammar();
    check(&grammar, &grammar["repository"]);
    for file in ["package.json", "language-configuration.json"] {
        let path = format!("{}/../../editors/vscode/{file}", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(&path).expect(file);
        serde_json::from_str::<Value>(&text).expect(file);
    }
}

/// What is wrong with an expression, but for values without a record.
fn findings(source: &str) -> Vec<Diagnostic> {
    let mut found = match oxpath::run::Script::compile(source, &[]) {
        Err(error) => error.diagnostics().to_vec(),
        Ok(script) => script.warnings().to_vec(),
    };
    found.retain(|found| found.code != Code::MisplacedMarker);
    found
}

/// A fix mends what it is about: the same mistake is not found again.
#[test]
fn fixes_mend() {
    let mut fixed = 0;
    for source in [
        "doc('u')//a[@id == 'x']:<y=.>",
        "doc('u')//a[@id && @b]:<y=.>",
        "doc('u')//a[@b||@c]:<y=.>",
        "doc('u')//a[!@b]:<y=.>",
        "doc('u')//a[@b lt 3]:<y=.>",
        "doc('u')//decendant::a:<y=.>",
        "doc('u')//child:a:<y=.>",
        "doc('u')//a[contain(., 'x')]:<y=.>",
        "doc('u')//a[fn:contains(., 'x')]:<y=.>",
        "doc('u')//a[. = “x”]:<y=.>",
        "doc('u')//a/{clik /}:<y=.>",
        "doc('u')//a<y=.>",
        "doc(https://example.org/)//a:<y=.>",
        "doc('u')//a[b:<y=.>",
        "doc('u')//a/href:<y=.>",
        "doc('u')//a/text:<y=.>",
        "doc('u')\u{a0}//a:<y=.>",
        "<!-- list --> doc('u')//a:<y=.>",
        "doc('u')//a:<r>[b:<y>]",
    ] {
        let found = findings(source);
        let first = found.first().unwrap_or_else(|| panic!("nothing wrong with {source}"));
        let fix = first.fix.as_ref().unwrap_or_else(|| panic!("{source}: {first:?}"));
        let mended = fix.apply(source);
        let left = findings(&mended);
        assert!(left.is_empty(), "{source}\n{mended}\n{left:?}");
        fixed += 1;
    }
    assert_eq!(fixed, 19);
}

/// The texts of files below a directory, with this ending.
fn texts(folder: &std::path::Path, ending: &str, found: &mut Vec<String>) {
    for entry in std::fs::read_dir(folder).expect("a directory") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            texts(&path, ending, found);
        } else if path.extension().is_some_and(|own| own == ending) && !path.ends_with("grammar.rs") {
            found.push(std::fs::read_to_string(&path).expect("a text"));
        }
    }
}

/// Each word of the language is in an expression that a test runs: in a suite, a test, or a block of the documentation.
#[test]
fn every_word_has_an_example_that_runs() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let (mut all, mut documents) = (Vec::new(), Vec::new());
    texts(&root.join("tests/suite"), "ox", &mut all);
    texts(&root.join("crates/oxpath/tests"), "rs", &mut all);
    texts(&root.join("crates/wrapwright/tests"), "rs", &mut all);
    texts(&root.join("docs"), "md", &mut documents);
    for document in &documents {
        let blocks = document.split("```").skip(1).step_by(2);
        all.extend(
            blocks
                .filter(|block| block.contains("\n$ wrapwright "))
                .map(str::to_owned),
        );
    }
    let all = all.join("\n");
    let words = oxpath::syntax::words();
    let mut missing = Vec::new();
    let mut check = |words: &[&str], spelling: &dyn Fn(&str) -> String| {
        let is_missing = |word: &&&str| !all.contains(&spelling(word));
        missing.extend(words.iter().filter(is_missing).map(|word| spelling(word)));
    };
    check(&words.functions, &|word| format!("{word}("));
    check(&words.node_types, &|word| format!("{word}("));
    check(&words.axes, &|word| format!("{word}::"));
    check(&words.operators, &|word| format!(" {word} "));
    check(&words.actions, &|word| format!("{{{word}"));
    check(&words.options, &|word| format!("[{word}"));
    check(&words.marker_words, &|word| format!("({word})="));
    assert!(missing.is_empty(), "no test runs an expression with {missing:?}");
}
