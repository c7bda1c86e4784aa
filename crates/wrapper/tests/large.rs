//! Schemas and wrapper files of a size that nobody writes by hand are read in linear time, or refused at once.

use std::fmt::Write as _;
use std::time::{Duration, Instant};
use wrapper::Wrapper;
use wrapper::schema::{from_dtd, from_json_schema};

/// Members of the schemas here; a quadratic reader takes minutes for them without optimisation.
const MANY: usize = 100_000;

/// Time for one of them, on a slow and busy machine.
const ENOUGH: Duration = Duration::from_secs(20);

#[track_caller]
fn quick<T>(what: &str, work: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let done = work();
    let taken = start.elapsed();
    assert!(taken < ENOUGH, "{what} took {taken:?}");
    done
}

fn names() -> impl Iterator<Item = String> {
    (0..MANY).map(|number| format!("f{number}"))
}

#[test]
fn a_dtd() {
    let all: Vec<String> = names().collect();
    let mut text = format!("<!ELEMENT r ({})>\n", all.join(", "));
    for name in &all {
        let _ = writeln!(text, "<!ELEMENT {name} (#PCDATA)>");
    }
    let error = quick("elements", || from_dtd(&text)).expect_err("too many members");
    assert_eq!(error.message, "with `f9999` a record has more than 10000 members");

    let attributes: String = names().map(|name| format!(" {name} CDATA #IMPLIED")).collect();
    let text = format!("<!ELEMENT r (#PCDATA)><!ATTLIST r{attributes}>");
    let error = quick("attributes", || from_dtd(&text)).expect_err("too many members");
    assert_eq!(error.message, "with `r` a record has more than 10000 members");

    // Few declarations that stand for a hundred million attributes.
    let each: Vec<String> = (0..9_000).map(|number| format!("e{number}")).collect();
    let inner: String = each.iter().map(|name| format!("<!ELEMENT {name} (x)>")).collect();
    let text = format!(
        "<!ELEMENT r ({})>{inner}<!ELEMENT x (#PCDATA)><!ATTLIST x{}>",
        each.join(","),
        names()
            .take(9_000)
            .map(|name| format!(" {name} CDATA #IMPLIED"))
            .collect::<String>()
    );
    let error = quick("repeated attributes", || from_dtd(&text)).expect_err("too many members");
    assert!(error.message.contains("more than 10000 members"), "{error}");

    let long = "x".repeat(1 << 20);
    let error = from_dtd(&format!("<!ELEMENT r ({long})><!ELEMENT {long} (#PCDATA)>")).expect_err("a long name");
    assert!(error.message.ends_with("is longer than 1000 bytes"), "{error}");
    assert!(error.message.len() < 200, "the message does not repeat it");
}

#[test]
fn a_dtd_as_large_as_allowed() {
    let all: Vec<String> = names().take(9_999).collect();
    let elements: String = all
        .iter()
        .map(|name| format!("\n<!ELEMENT {name} (#PCDATA)>"))
        .collect();
    let text = format!("<!ELEMENT r ({})>{elements}", all.join(","));
    let kind = quick("elements", || from_dtd(&text)).expect("a schema");
    assert_eq!(kind.fields().len(), 9_999);
}

fn json_schema(count: usize) -> String {
    let properties: Vec<String> = names()
        .take(count)
        .map(|name| format!("{name:?}: {{\"type\": \"string\"}}"))
        .collect();
    let required: Vec<String> = names().take(count).map(|name| format!("{name:?}")).collect();
    format!(
        "{{\"type\": \"object\", \"required\": [{}], \"properties\": {{{}}}}}",
        required.join(","),
        properties.join(",")
    )
}

#[test]
fn a_json_schema() {
    let text = json_schema(MANY);
    let error = quick("properties", || from_json_schema(&text)).expect_err("too many");
    assert_eq!(error.message, "the schema has more than 10000 properties");
    let kind = quick("properties", || from_json_schema(&json_schema(10_000))).expect("a schema");
    assert_eq!(kind.fields().len(), 10_000);

    // A place in words is as long as the names on the way to it: it must not be made for each property.
    let long = "x".repeat(4 << 20);
    let inner: Vec<String> = names()
        .take(9_000)
        .map(|name| format!("{name:?}: {{\"type\": \"string\"}}"))
        .collect();
    let text = format!(
        "{{\"type\": \"object\", \"properties\": {{{long:?}: {{\"type\": \"object\", \"properties\": {{{}}}}}}}}}",
        inner.join(",")
    );
    let error = quick("a long name", || from_json_schema(&text)).expect_err("a long name");
    assert!(error.message.ends_with("is longer than 1000 bytes"), "{error}");
    assert!(error.message.len() < 200, "the message does not repeat it");
}

/// A pattern may take 50 ms to compile, so their number is limited, and each is compiled once.
#[test]
fn patterns_of_a_json_schema() {
    let schema = |pattern: &dyn Fn(usize) -> String| {
        let properties: Vec<String> = (0..2_000)
            .map(|number| {
                let pattern = pattern(number);
                format!("\"f{number}\": {{\"type\": \"string\", \"pattern\": {pattern:?}}}")
            })
            .collect();
        format!("{{\"type\": \"object\", \"properties\": {{{}}}}}", properties.join(","))
    };
    quick("one pattern", || {
        from_json_schema(&schema(&|_| "^[a-z]{1,40}$".to_owned()))
    })
    .expect("a schema");
    let error = from_json_schema(&schema(&|number| format!("^[a-z]{number}$"))).expect_err("too many");
    assert_eq!(error.message, "the schema has more than 200 patterns");
    let error = from_json_schema(&schema(&|_| "\\w{1000}".to_owned())).expect_err("too large");
    assert!(error.message.contains("cannot be used"), "{error}");
}

#[test]
fn a_wrapper_file() {
    let fields: Vec<String> = names()
        .map(|name| format!("{{\"name\": {name:?}, \"kind\": \"text\"}}"))
        .collect();
    let text = format!(
        "{{\"wrapwright\": 1, \"kind\": \"oxpath\", \"schema\": {{\"name\": \"r\", \"fields\": [{}]}}, \
         \"rule\": \"doc('x')//p:<r>[.:<f0=string(.)>]\"}}",
        fields.join(",")
    );
    let wrapper = quick("fields", || Wrapper::from_json(&text)).expect("a wrapper");
    assert_eq!(wrapper.record_type.fields().len(), MANY);
    let again = quick("written and read", || Wrapper::from_json(&wrapper.to_json())).expect("a wrapper");
    assert_eq!(again.record_type.fields().len(), MANY);
}
