//! The saved wrapper, `site.wrapper.json`: a version, a kind, the schema of its records, the rule, and the evidence.
//!
//! The file is for people too: keys in a fixed order, one string where one will do, two spaces of indentation. Writing is
//! deterministic, reading is strict, and what is wrong is told with its place, as in `rule.fields[2].left`. What is saved is
//! decided here and in the `json` modules of the rules; no type of the library is serialised as it happens to be.

mod delimiters;
mod evidence;
mod read;
mod schema;

pub use evidence::{Evidence, FieldEvidence, Seen};
pub(crate) use read::{At, shape};

use crate::model::{Model, ModelError, from_dtd, from_json_schema};
use crate::record::assemble;
use crate::rule::guided::{self, Guided, GuidedRun};
use crate::rule::landmark::{self, Landmarks, Run};
use crate::rule::template::{self, Template};
use crate::rule::{Delimiters, End, Program};
use crate::schema::Schema;
use oxpath::run::Record;
use page::{NodeId, Page, Settings};
use serde_json::{Value, json};
use std::fmt;
use std::sync::Arc;

/// The version that this program writes; it reads this one and those before.
pub const VERSION: u64 = 1;

/// A wrapper with all that is saved of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Artifact {
    /// The shape of its records.
    pub schema: Schema,
    /// The schema that a user gave, as it was written.
    pub given: Option<Given>,
    /// How they are found.
    pub rule: Rule,
    /// What it was made from.
    pub evidence: Evidence,
}

/// The rule of a wrapper.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Rule {
    /// Strings before and behind the values; the attributes are the schema's text fields in order.
    Delimiters(Delimiters),
    /// Landmarks around the values, on the page's tree.
    Landmarks(Landmarks),
    /// Strings and type constructors.
    Template(Template),
    /// Paths by schema.
    Rules(Guided),
    /// An expression that navigates, acts and extracts.
    Oxpath(String),
}

impl Rule {
    /// What the kind of rule is called in the file.
    pub fn kind(&self) -> &'static str {
        match self {
            Rule::Delimiters(_) => "delimiters",
            Rule::Landmarks(_) => "landmarks",
            Rule::Template(_) => "template",
            Rule::Rules(_) => "rules",
            Rule::Oxpath(_) => "oxpath",
        }
    }
}

/// A schema as a user wrote it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Given {
    /// A DTD.
    Dtd(String),
    /// A JSON Schema.
    JsonSchema(String),
}

impl Given {
    /// What it says.
    ///
    /// # Errors
    ///
    /// When it is no schema that can be used.
    pub fn model(&self) -> Result<Model, ModelError> {
        match self {
            Given::Dtd(text) => from_dtd(text),
            Given::JsonSchema(text) => from_json_schema(text),
        }
    }
}

/// Why a file is no wrapper that can be used.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ArtifactError {
    /// It is not JSON.
    NotJson(String),
    /// It is JSON, but no wrapper.
    NotAWrapper,
    /// It was written by a later version of the program.
    Newer(u64),
    /// The kind of rule is unknown.
    UnknownKind(String),
    /// Something is not as it should be.
    Shape {
        /// Where: `rule.fields[0].left`.
        place: String,
        /// What was expected there, and found.
        message: String,
    },
}

impl fmt::Display for ArtifactError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ArtifactError::NotJson(reason) => write!(f, "not JSON: {reason}"),
            ArtifactError::NotAWrapper => {
                f.write_str("found JSON without a \"wrapwright\" version, expected a wrapper")
            }
            ArtifactError::Newer(found) => {
                write!(
                    f,
                    "found version {found} of the format, expected at most {VERSION}: a newer wrapwright wrote it"
                )
            }
            ArtifactError::UnknownKind(kind) => write!(
                f,
                "found a wrapper of kind {kind:?}, expected \"delimiters\", \"landmarks\", \"template\", \"rules\" or \"oxpath\""
            ),
            ArtifactError::Shape { place, message } => write!(f, "{place}: {message}"),
        }
    }
}

impl std::error::Error for ArtifactError {}

/// A hash of a page's text, as sixteen hexadecimal digits: FNV-1a with 64 bits.
pub fn hash(text: &str) -> String {
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    format!("{:016x}", text.bytes().fold(0xcbf2_9ce4_8422_2325, step))
}

/// A wrapper made ready to run.
#[derive(Debug)]
pub struct Runner {
    schema: Schema,
    program: Ready,
}

#[derive(Debug)]
enum Ready {
    Delimiters(Box<Program>),
    Landmarks(Box<Run>),
    Template(Box<template::Run>),
    Rules(Box<GuidedRun>),
    Oxpath(Box<oxpath::run::Tail>),
}

impl Runner {
    /// Does the rule cut the source of a page, not its tree?
    pub fn reads_source(&self) -> bool {
        matches!(self.program, Ready::Delimiters(_))
    }

    /// The shape of the records.
    pub fn schema(&self) -> &Schema {
        &self.schema
    }

    /// The records of a page that was parsed already; for rules that cut the source, its HTML is written first.
    pub fn run_page(&self, name: &Arc<str>, page: &Page, raw: bool) -> (Vec<Record>, End) {
        match &self.program {
            Ready::Delimiters(_) => self.run(name, &page.to_html(NodeId::DOCUMENT), raw),
            Ready::Landmarks(run) => {
                let record = landmark::assemble(run.rule(), &self.schema.name, run.page(page, raw), name);
                (record.into_iter().collect(), End::Regular)
            }
            Ready::Template(run) => {
                let (events, gaps) = run.page(page);
                let record = template::assemble(run.template(), &self.schema.name, events, name);
                let end = if gaps.is_empty() {
                    End::Regular
                } else {
                    End::Gaps(gaps.len() as u32)
                };
                (record.into_iter().collect(), end)
            }
            Ready::Rules(run) => (guided::assemble(&self.schema, &run.page(page), name), End::Regular),
            Ready::Oxpath(tail) => (tail.page(page, name), End::Regular),
        }
    }

    /// The records of a page, given its name and decoded source, and how the run ended; `raw` gives values as they stand
    /// in the source.
    pub fn run(&self, page: &Arc<str>, text: &str, raw: bool) -> (Vec<Record>, End) {
        let program = match &self.program {
            Ready::Delimiters(program) => program,
            _ => {
                let settings = Settings {
                    charset: Some("utf-8".to_owned()),
                    ..Settings::default()
                };
                return match Page::parse(text.as_bytes(), &settings) {
                    Ok(parsed) => self.run_page(page, &parsed, raw),
                    Err(error) => (Vec::new(), End::OverLimit(error)),
                };
            }
        };
        let found = program.apply(text);
        (assemble(&self.schema, &found.values, text, page, raw), found.end)
    }
}

impl Artifact {
    /// Makes the wrapper ready to run.
    ///
    /// # Errors
    ///
    /// When its rule is none.
    pub fn runner(&self) -> Result<Runner, ArtifactError> {
        let program = match &self.rule {
            Rule::Delimiters(rule) => {
                Ready::Delimiters(Box::new(Program::new(rule).map_err(|error| ArtifactError::Shape {
                    place: format!("rule.{}", error.place),
                    message: error.message,
                })?))
            }
            Rule::Landmarks(rule) => match rule.fault() {
                Some((part, message)) => return Err(shape(&format!("rule.parts[{part}]"), &message)),
                None => Ready::Landmarks(Box::new(Run::new(rule))),
            },
            Rule::Template(rule) => match rule.fault() {
                Some((part, message)) => return Err(shape(&format!("rule.parts[{part}]"), &message)),
                None => Ready::Template(Box::new(template::Run::new(rule))),
            },
            Rule::Rules(rule) => Ready::Rules(Box::new(
                GuidedRun::new(rule).map_err(|error| shape(&format!("rule.{}", error.place), &error.message))?,
            )),
            Rule::Oxpath(text) => Ready::Oxpath(Box::new(
                oxpath::run::Tail::new(text).map_err(|message| shape("rule", &message))?,
            )),
        };
        Ok(Runner {
            schema: self.schema.clone(),
            program,
        })
    }

    /// Reads a wrapper.
    ///
    /// # Errors
    ///
    /// When the text is none; see [`ArtifactError`].
    pub fn from_json(text: &str) -> Result<Artifact, ArtifactError> {
        let value: Value = serde_json::from_str(text).map_err(|error| ArtifactError::NotJson(error.to_string()))?;
        match value.get("wrapwright").map(Value::as_u64) {
            None => return Err(ArtifactError::NotAWrapper),
            Some(None | Some(0)) => return Err(shape("wrapwright", "expected the version, a positive number")),
            Some(Some(version)) if version > VERSION => return Err(ArtifactError::Newer(version)),
            Some(Some(_)) => {}
        }
        let root = At {
            value: &value,
            place: String::new(),
        };
        let kind = root.key("kind")?;
        let schema = schema::read(&root.key("schema")?, 0)?;
        let at = root.key("rule")?;
        let rule = match kind.text()? {
            "delimiters" => Rule::Delimiters(delimiters::read(&at, &schema)?),
            "landmarks" => Rule::Landmarks(landmark::read(&at)?),
            "template" => Rule::Template(template::read(&at)?),
            "rules" => Rule::Rules(guided::read(&at, &schema)?),
            "oxpath" => Rule::Oxpath(at.text()?.to_owned()),
            other => return Err(ArtifactError::UnknownKind(other.to_owned())),
        };
        let columns: Vec<usize> = schema.tables().iter().map(|table| table.columns.len()).collect();
        let artifact = Artifact {
            evidence: evidence::read(&root, &columns)?,
            given: read_given(&root)?,
            schema,
            rule,
        };
        artifact.runner()?;
        Ok(artifact)
    }

    /// Writes the wrapper as JSON, ending with a line end.
    pub fn to_json(&self) -> String {
        let kind = self.rule.kind();
        let mut out = format!("{{\n  \"wrapwright\": {VERSION},\n  \"kind\": \"{kind}\",\n");
        out += &format!("  \"schema\": {},\n", schema::write(&self.schema, 2));
        match &self.given {
            None => {}
            Some(Given::Dtd(text)) => out += &format!("  \"given\": {},\n", json!({ "dtd": text })),
            Some(Given::JsonSchema(text)) => out += &format!("  \"given\": {},\n", json!({ "json-schema": text })),
        }
        match &self.rule {
            Rule::Delimiters(rule) => delimiters::write(rule, &self.schema, &mut out),
            Rule::Landmarks(rule) => out += &format!("  \"rule\": {},\n", landmark::write(rule)),
            Rule::Template(rule) => out += &format!("  \"rule\": {},\n", template::write(rule)),
            Rule::Rules(rule) => out += &format!("  \"rule\": {},\n", guided::write(rule, &self.schema)),
            Rule::Oxpath(text) => out += &format!("  \"rule\": {},\n", Value::from(text.as_str())),
        }
        out += &evidence::write(&self.evidence);
        out += "}\n";
        out
    }
}

fn read_given(root: &At<'_>) -> Result<Option<Given>, ArtifactError> {
    let Some(at) = root.get("given")? else {
        return Ok(None);
    };
    let given = match (at.optional_text("dtd")?, at.optional_text("json-schema")?) {
        (Some(text), None) => Given::Dtd(text),
        (None, Some(text)) => Given::JsonSchema(text),
        _ => return at.fail("{\"dtd\": …} or {\"json-schema\": …}"),
    };
    given
        .model()
        .map_err(|error| shape(&format!("given, {}", error.place), &error.message))?;
    Ok(Some(given))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rule::{Class, Edges, Left};
    use crate::schema::{Field, Kind};

    fn sample() -> Artifact {
        let inner = Schema::flat("phone", ["number", "kind"]);
        let mut schema = Schema::flat("person", ["name"]);
        schema.fields.push(Field {
            name: "phone".to_owned(),
            kind: Kind::List(Box::new(Kind::Record(inner))),
        });
        let mut edges = Edges::plain("(", ")");
        edges.left.push(Left {
            from: None,
            skips: vec!["|".to_owned()],
            text: ":".to_owned(),
        });
        edges.right.push(";".to_owned());
        let rule = Delimiters {
            class: Class::NHlrt,
            head: Some(String::new()),
            tail: Some("</\"end\">\n".to_owned()),
            open: None,
            close: None,
            loose: false,
            fields: vec![Edges::plain("<b>", "</b>"), Edges::plain("+", " "), edges],
        };
        let seen = Seen {
            name: "a.html".to_owned(),
            bytes: 10,
            hash: hash("x"),
            values: 3,
        };
        let field = FieldEvidence {
            count: 1,
            shortest: 2,
            longest: 3,
        };
        let mut price = crate::profile::FieldProfile::default();
        for text in ["$1", "$2,000.50"] {
            price.add(&crate::profile::Sight {
                text: text.to_owned(),
                label: Some("Our \"Price\"".to_owned()),
                tag: "b".to_owned(),
                names: vec!["price".to_owned()],
                ..Default::default()
            });
        }
        price.records = 2;
        let mut profile = crate::profile::Profile {
            fields: vec![price],
            ..Default::default()
        };
        profile.add_page(2, &[2]);
        let unseen = crate::profile::Profile {
            per_page: (u64::MAX, 0),
            fields: vec![crate::profile::FieldProfile::default(); 2],
            ..Default::default()
        };
        Artifact {
            schema,
            given: Some(Given::Dtd("<!ELEMENT a (#PCDATA)>".to_owned())),
            rule: Rule::Delimiters(rule),
            evidence: Evidence {
                pages: vec![seen.clone(), seen],
                fields: vec![field],
                profiles: vec![profile, unseen],
            },
        }
    }

    #[test]
    fn what_is_written_is_read_back() {
        let text = sample().to_json();
        assert_eq!(Artifact::from_json(&text).as_ref(), Ok(&sample()), "{text}");
        assert!(text.contains(r#""left": "<b>", "right": "</b>" }"#), "{text}");
        // What goes beyond the classes: white space that does not count, delimiters by transition.
        let mut beyond = sample();
        if let Rule::Delimiters(rule) = &mut beyond.rule {
            rule.loose = true;
            for left in rule.fields.iter_mut().flat_map(|edges| &mut edges.left) {
                left.from = Some(2);
            }
        }
        let text = beyond.to_json();
        assert_eq!(Artifact::from_json(&text).as_ref(), Ok(&beyond), "{text}");
    }

    #[test]
    fn features_that_cannot_be_are_refused_with_their_place() {
        let faults = [
            (
                r#""links":0"#,
                r#""links":3"#,
                "fields[0].links: found 3, expected at most 2",
            ),
            (
                r#""records":2,"#,
                r#""records":9,"#,
                "fields[0].records: found 9, expected at most 2",
            ),
            (
                r#""count":2"#,
                r#""count":18446744073709551615"#,
                "fields[0].count: found 18446744073709551615",
            ),
            (
                r#""length":[2,"#,
                r#""length":[-1,"#,
                "fields[0].length[0]: found a number, expected",
            ),
            (
                r#""length":[2,"#,
                r#""length":[2,2,"#,
                "fields[0].length: found 4 numbers, expected 3",
            ),
        ];
        let text = sample().to_json();
        for (good, bad, said) in faults {
            assert!(text.contains(good), "{good}: {text}");
            let found = Artifact::from_json(&text.replacen(good, bad, 1))
                .expect_err(bad)
                .to_string();
            assert!(
                found.contains(&format!("evidence.profiles[0].{said}")),
                "{bad}: {found}"
            );
        }
        let mut short = sample();
        short.evidence.profiles[1].fields.pop();
        let found = Artifact::from_json(&short.to_json())
            .expect_err("a field too few")
            .to_string();
        assert!(
            found.contains("profiles[1].fields: found 1, expected 2, one for each field"),
            "{found}"
        );
    }

    #[test]
    fn records_nest_as_the_schema_says() {
        let runner = sample().runner().expect("a rule");
        let page = "<b>Ada</b>+1 (home)+2 |x:work;<b>Bob &amp; co</b></\"end\">\n";
        let (records, end) = runner.run(&"p".into(), page, false);
        assert_eq!(end, End::Regular);
        let mut out = Vec::new();
        let mut sink = crate::sink::Ndjson::new(
            &mut out,
            crate::sink::Shape {
                no_meta: true,
                arrays: false,
            },
        );
        for record in &records {
            crate::sink::Sink::record(&mut sink, record).expect("a vector takes all");
        }
        let expected = "{\"name\":\"Ada\",\"phone\":[{\"number\":\"1\",\"kind\":\"home\"},\
                        {\"number\":\"2\",\"kind\":\"work\"}]}\n{\"name\":\"Bob & co\"}\n";
        assert_eq!(String::from_utf8_lossy(&out), expected);
    }

    #[test]
    fn what_is_wrong_is_told_with_its_place() {
        let good = sample().to_json();
        for (from, to, expected) in [
            ("{\n", "", "not JSON"),
            ("\"wrapwright\": 1", "\"x\": 1", "without a \"wrapwright\" version"),
            (
                "\"wrapwright\": 1",
                "\"wrapwright\": 99",
                "version 99 of the format, expected at most 1",
            ),
            ("\"delimiters\"", "\"magic\"", "kind \"magic\""),
            ("\"N-HLRT\"", "\"XX\"", "rule.class: found \"XX\", expected one of LR"),
            (
                "\"left\": \"<b>\"",
                "\"left\": 7",
                "rule.fields[0].left: found a number",
            ),
            ("\"left\": \"<b>\"", "\"left\": \"\"", "rule.l1: found an empty string"),
            (
                "\"kind\": \"text\"",
                "\"kind\": \"txt\"",
                "schema.fields[0].kind: found a string, expected \"text\"",
            ),
            ("\"head\": \"\",", "", "rule.head: found none"),
            ("\"number\"", "\"kind\"", "found a second field `kind`"),
        ] {
            assert!(good.contains(from), "{from}");
            let error = Artifact::from_json(&good.replacen(from, to, 1))
                .expect_err("broken")
                .to_string();
            assert!(error.contains(expected), "{error}");
        }
    }
}
