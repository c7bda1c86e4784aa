//! Files that are not what they should be: whatever is in them, reading ends with a schema, a wrapper or an error.

use page::Document;
use record::RecordType;
use wrapper::profile::{FieldProfile, Profile, Sight};
use wrapper::rule::paths::{PathField, Paths, Way};
use wrapper::schema::{from_dtd, from_json_schema};
use wrapper::{Evidence, Given, Rule, Wrapper};

/// Numbers that look random and are the same every time.
struct Chance(u64);

impl Chance {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound.max(1) as u64) as usize
    }
}

/// A text with a few changes: pieces left out, doubled, moved, and signs put in.
fn spoiled(text: &str, chance: &mut Chance) -> String {
    const SIGNS: [&str; 22] = [
        "<",
        ">",
        "(",
        ")",
        "|",
        ",",
        "?",
        "*",
        "+",
        "#PCDATA",
        "\"",
        "{",
        "}",
        "[",
        "]",
        ":",
        "null",
        "-1",
        "1e999",
        "<!ELEMENT a (a)>",
        "\u{0}",
        "é",
    ];
    let mut letters: Vec<char> = text.chars().collect();
    for _ in 0..=chance.below(4) {
        let from = chance.below(letters.len());
        let to = (from + chance.below(12)).min(letters.len());
        match chance.below(4) {
            0 => drop(letters.drain(from..to)),
            1 => {
                let piece: Vec<char> = letters[from..to].to_vec();
                let at = chance.below(letters.len() + 1);
                letters.splice(at..at, piece);
            }
            _ => {
                let sign: Vec<char> = SIGNS[chance.below(SIGNS.len())].chars().collect();
                letters.splice(from..from, sign);
            }
        }
    }
    letters.into_iter().collect()
}

const DTD: &str = "<!-- films --><!ELEMENT list (film+)><!ELEMENT film (name, (dvd | vhs), star*, note?)>
    <!ATTLIST film id CDATA #REQUIRED><!ELEMENT name (#PCDATA)><!ELEMENT dvd (#PCDATA)><!ELEMENT vhs (#PCDATA)>
    <!ELEMENT star (who)><!ELEMENT who (#PCDATA)><!ELEMENT note (#PCDATA)>";

const JSON: &str = r#"{"title": "film", "type": "object", "required": ["name"], "properties": {"name": {"type": "string"},
    "price": {"type": ["number", "null"]}, "day": {"type": "string", "format": "date", "pattern": "^[0-9-]+$"},
    "star": {"type": "array", "items": {"type": "object", "properties": {"who": {"type": "string"}}}}}}"#;

/// A schema that was read can be used.
fn used(kind: &RecordType) {
    assert!(!kind.tables().is_empty());
    let empty = kind.rows(&[]);
    assert_eq!(empty.len(), kind.tables().len());
}

#[test]
fn spoiled_schemas_are_read_or_refused() {
    let mut chance = Chance(0x2545_f491_4f6c_dd1d);
    let (mut read, mut refused) = (0, 0);
    for _ in 0..6000 {
        for model in [
            from_dtd(&spoiled(DTD, &mut chance)),
            from_json_schema(&spoiled(JSON, &mut chance)),
        ] {
            match model {
                Ok(model) => {
                    read += 1;
                    used(&model);
                }
                Err(error) => {
                    refused += 1;
                    assert!(!error.message.is_empty() && !error.place.is_empty());
                }
            }
        }
    }
    assert!(read > 100 && refused > 1000, "{read} read, {refused} refused");
}

fn wrapper() -> Wrapper {
    let mut field = FieldProfile::default();
    field.add(&Sight {
        text: "$1,000.50".to_owned(),
        label: Some("Price".to_owned()),
        tag: "b".to_owned(),
        ..Sight::default()
    });
    let mut profile = Profile {
        fields: vec![field, FieldProfile::default()],
        ..Profile::default()
    };
    profile.add_page(1, &[1, 0]);
    let way = |path: &str| Way {
        path: path.to_owned(),
        after: "by ".to_owned(),
        ..Way::default()
    };
    let fields = [vec![way("b"), way(".//i | .//u")], Vec::new()].map(|ways| PathField { many: false, ways });
    let dtd = "<!ELEMENT film (price, name)><!ELEMENT price (#PCDATA)><!ELEMENT name (#PCDATA)>";
    let given = Given::Dtd(dtd.to_owned());
    Wrapper {
        record_type: given.record_type().expect("a schema"),
        given: Some(given),
        rule: Rule::Paths(Paths {
            each: vec!["//tr".to_owned()],
            fields: fields.into(),
            ..Paths::default()
        }),
        shown: None,
        key: Vec::new(),
        navigation: None,
        evidence: Evidence {
            profiles: vec![profile],
            ..Evidence::default()
        },
    }
}

#[test]
fn spoiled_wrappers_are_read_or_refused() {
    let text = wrapper().to_json();
    assert_eq!(Wrapper::from_json(&text), Ok(wrapper()));
    let page =
        page::Page::parse(b"<table><tr><td><b>by x</b></table>", &page::ParseSettings::default()).expect("a page");
    let document = Document::new("p", page);
    let mut chance = Chance(0x9e37_79b9_7f4a_7c15);
    let (mut read, mut refused) = (0, 0);
    for _ in 0..4000 {
        match Wrapper::from_json(&spoiled(&text, &mut chance)) {
            Ok(wrapper) => {
                read += 1;
                let runner = wrapper.runner().expect("what was read runs");
                runner.run(&document, false);
                // What was read can be written and read again.
                assert!(Wrapper::from_json(&wrapper.to_json()).is_ok());
            }
            Err(error) => {
                refused += 1;
                assert!(!error.to_string().is_empty());
            }
        }
    }
    assert!(read > 100 && refused > 1000, "{read} read, {refused} refused");
}

#[test]
fn a_page_beyond_a_limit_names_that_limit() {
    let runner = wrapper().runner().expect("a rule");
    let depth = page::Limits::default().depth;
    let limits = page::Limits::default();
    let found = runner.run_source(&"p".into(), &"<div>".repeat(depth + 1), &limits, false);
    assert_eq!(found, Err(page::LimitError::Depth(depth)));
}
