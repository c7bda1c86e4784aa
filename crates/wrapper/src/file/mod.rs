//! The saved wrapper, `site.wrapper.json`: a version, a kind, the type of its records, how its pages are
//! reached, the rule, and the evidence.
//!
//! People read this file too: keys have a fixed order, a plain string is used where one string is enough, and the
//! indentation is two spaces. Writing is deterministic. Reading is strict, and every error names its place, such as
//! `rule.fields[2].left`. This module and the `json` modules of the rules decide what is saved; no type of the library
//! is serialised just as it is.

mod delimiters;
mod evidence;
mod read;
mod types;

pub use evidence::{Doubt, Evidence, Seen, profiles_from_json, profiles_to_json};
pub(crate) use read::{At, shape};

use crate::navigation::Navigation;
use crate::rule::{landmark, paths, template};
use crate::wrapper::{Given, Rule, Wrapper};
use record::RecordType;
use serde_json::{Value, json};
use std::fmt;
use std::io::Read;
use std::path::{Path, PathBuf};

/// The version that this program writes. It reads this version and older ones.
pub const VERSION: u64 = 1;

/// The most bytes that a wrapper may have.
const LONGEST: u64 = 16 << 20;

/// Why a file is not a usable wrapper.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum WrapperError {
    /// It is not JSON.
    NotJson(String),
    /// It is JSON, but not a wrapper.
    NotAWrapper,
    /// It was written by a later version of the program.
    Newer(u64),
    /// The kind of rule is unknown.
    UnknownKind(String),
    /// A part of it is not what was expected.
    Shape {
        /// The place, such as `rule.fields[0].left`.
        place: String,
        /// What was expected there, and what was found.
        message: String,
    },
}

impl fmt::Display for WrapperError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WrapperError::NotJson(reason) => write!(f, "not JSON: {reason}"),
            WrapperError::NotAWrapper => f.write_str("found JSON without a \"wrapwright\" version, expected a wrapper"),
            WrapperError::Newer(found) => {
                write!(
                    f,
                    "found version {found} of the format, expected at most {VERSION}: a newer wrapwright wrote it"
                )
            }
            WrapperError::UnknownKind(kind) => write!(
                f,
                "found a wrapper of kind {kind:?}, expected \"delimiters\", \"landmarks\", \"template\", \"paths\" or \"oxpath\""
            ),
            WrapperError::Shape { place, message } => write!(f, "{place}: {message}"),
        }
    }
}

impl std::error::Error for WrapperError {}

/// The error for a file that could not be opened as a wrapper.
#[derive(Debug)]
pub struct OpenError {
    /// The file.
    pub path: PathBuf,
    /// What went wrong.
    pub problem: OpenProblem,
}

/// Why a file could not be opened as a wrapper.
#[derive(Debug)]
#[non_exhaustive]
pub enum OpenProblem {
    /// It cannot be read.
    Io(std::io::Error),
    /// It is larger than a wrapper may be.
    TooLarge,
    /// Its content is not a wrapper.
    Wrapper(WrapperError),
}

impl fmt::Display for OpenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.path.display())?;
        match &self.problem {
            OpenProblem::Io(error) => match error.kind() {
                std::io::ErrorKind::NotFound => f.write_str("no such file"),
                std::io::ErrorKind::IsADirectory => f.write_str("found a directory, expected a wrapper"),
                _ => error.fmt(f),
            },
            OpenProblem::TooLarge => write!(f, "found more than {LONGEST} bytes, expected a wrapper"),
            OpenProblem::Wrapper(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for OpenError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.problem {
            OpenProblem::Io(error) => Some(error),
            OpenProblem::TooLarge => None,
            OpenProblem::Wrapper(error) => Some(error),
        }
    }
}

impl Wrapper {
    /// Reads a wrapper.
    ///
    /// # Errors
    ///
    /// The text is not a wrapper; see [`WrapperError`].
    pub fn from_json(text: &str) -> Result<Wrapper, WrapperError> {
        let value: Value = serde_json::from_str(text).map_err(|error| WrapperError::NotJson(error.to_string()))?;
        match value.get("wrapwright").map(Value::as_u64) {
            None => return Err(WrapperError::NotAWrapper),
            Some(None | Some(0)) => return Err(shape("wrapwright", "expected the version, a positive number")),
            Some(Some(version)) if version > VERSION => return Err(WrapperError::Newer(version)),
            Some(Some(_)) => {}
        }
        let root = At {
            value: &value,
            place: String::new(),
        };
        let kind = root.key("kind")?;
        let given = read_given(&root)?;
        let mut record_type = types::read(&root.key("schema")?, 0)?;
        if let Some((_, kind)) = &given {
            same_columns(&record_type, kind)?;
            record_type.clone_from(kind);
        }
        let at = root.key("rule")?;
        let rule = match kind.text()? {
            "delimiters" => Rule::Delimiters(delimiters::read(&at, &record_type)?),
            "landmarks" => Rule::Landmarks(landmark::read(&at)?),
            "template" => Rule::Template(template::read(&at)?),
            // Version 0.1 wrote "rules".
            "paths" | "rules" => Rule::Paths(paths::read(&at, &record_type)?),
            "oxpath" => Rule::Oxpath(at.text()?.to_owned()),
            other => return Err(WrapperError::UnknownKind(other.to_owned())),
        };
        // If a rule has names for its fields, they decide, so that a field can be renamed in one place. The order and the
        // cardinality of the columns are the saved ones, which a repair keeps, unless a field was renamed by hand.
        let old = is_0_1(&root)?;
        let derived = match &rule {
            Rule::Landmarks(rule) if rule.fault().is_none() => Some(landmark::record_type(rule, &record_type.name)),
            Rule::Template(rule) if rule.fault().is_none() => Some(template::record_type(rule, &record_type.name)),
            Rule::Oxpath(text) if old => of_expression(text),
            _ => None,
        };
        if let Some(derived) = derived {
            let shaped = match old {
                true => derived.clone().ordered_like(&record_type),
                false => derived.clone().shaped_like(&record_type),
            };
            record_type = match same_columns(&record_type, &shaped) {
                Ok(()) => shaped,
                // The saved profiles are for the saved columns.
                Err(_) if matches!(rule, Rule::Oxpath(_)) => record_type,
                Err(_) => derived,
            };
        }
        let columns: Vec<usize> = record_type.tables().iter().map(|table| table.columns.len()).collect();
        let evidence = evidence::read(&root, &columns)?;
        if old && matches!(rule, Rule::Landmarks(_) | Rule::Template(_)) {
            make_lists(&mut record_type, &evidence);
        }
        let wrapper = Wrapper {
            evidence,
            given: given.map(|(given, _)| given),
            shown: read_paths(&root, "shown", &record_type)?,
            key: read_paths(&root, "key", &record_type)?.unwrap_or_default(),
            navigation: Navigation::read(&root)?,
            record_type,
            rule,
        };
        wrapper.runner()?;
        Ok(wrapper)
    }

    /// Reads the wrapper in a file.
    ///
    /// # Errors
    ///
    /// The file cannot be read, or is not a wrapper.
    pub fn open(path: impl AsRef<Path>) -> Result<Wrapper, OpenError> {
        let path = path.as_ref();
        let fail = |problem: OpenProblem| OpenError {
            path: path.to_owned(),
            problem,
        };
        let file = std::fs::File::open(path).map_err(|error| fail(OpenProblem::Io(error)))?;
        let mut bytes = Vec::new();
        file.take(LONGEST + 1)
            .read_to_end(&mut bytes)
            .map_err(|error| fail(OpenProblem::Io(error)))?;
        if bytes.len() as u64 > LONGEST {
            return Err(fail(OpenProblem::TooLarge));
        }
        Wrapper::from_json(&String::from_utf8_lossy(&bytes)).map_err(|error| fail(OpenProblem::Wrapper(error)))
    }

    /// Writes the wrapper as JSON, with a line end at the end.
    pub fn to_json(&self) -> String {
        let kind = self.rule.kind();
        let mut out = format!("{{\n  \"wrapwright\": {VERSION},\n  \"kind\": \"{kind}\",\n");
        out += &format!("  \"schema\": {},\n", types::write(&self.record_type, 2));
        match &self.given {
            None => {}
            Some(Given::Dtd(text)) => out += &format!("  \"given\": {},\n", json!({ "dtd": text })),
            Some(Given::JsonSchema(text)) => out += &format!("  \"given\": {},\n", json!({ "json-schema": text })),
        }
        if let Some(shown) = &self.shown {
            out += &format!("  \"shown\": {},\n", json!(shown));
        }
        if !self.key.is_empty() {
            out += &format!("  \"key\": {},\n", json!(self.key));
        }
        if let Some(navigation) = &self.navigation {
            out += &format!("  \"navigation\": {},\n", navigation.to_json());
        }
        match &self.rule {
            Rule::Delimiters(rule) => delimiters::write(rule, &self.record_type, &mut out),
            Rule::Landmarks(rule) => out += &format!("  \"rule\": {},\n", landmark::write(rule)),
            Rule::Template(rule) => out += &format!("  \"rule\": {},\n", template::write(rule)),
            Rule::Paths(rule) => out += &format!("  \"rule\": {},\n", paths::write(rule, &self.record_type)),
            Rule::Oxpath(text) => out += &format!("  \"rule\": {},\n", Value::from(text.as_str())),
        }
        out += &evidence::write(&self.evidence);
        out += "}\n";
        out
    }
}

/// Fields by their paths, such as those that are shown; all of them must be there.
fn read_paths(root: &At<'_>, key: &str, record_type: &RecordType) -> Result<Option<Vec<String>>, WrapperError> {
    let Some(at) = root.get(key)? else {
        return Ok(None);
    };
    let mut paths = Vec::new();
    for at in at.list()? {
        let path = at.text()?;
        if !record_type.has_path(path) {
            return at.fail("the name of a field");
        }
        paths.push(path.to_owned());
    }
    Ok(Some(paths))
}

fn read_given(root: &At<'_>) -> Result<Option<(Given, RecordType)>, WrapperError> {
    let Some(at) = root.get("given")? else {
        return Ok(None);
    };
    let given = match (at.optional_text("dtd")?, at.optional_text("json-schema")?) {
        (Some(text), None) => Given::Dtd(text),
        (None, Some(text)) => Given::JsonSchema(text),
        _ => return at.fail("{\"dtd\": …} or {\"json-schema\": …}"),
    };
    let kind = given
        .record_type()
        .map_err(|error| shape(&format!("given, {}", error.place), &error.message))?;
    Ok(Some((given, kind)))
}

/// Did version 0.1 write this? It alone kept counts of fields.
fn is_0_1(root: &At<'_>) -> Result<bool, WrapperError> {
    let evidence = root.get("evidence")?;
    Ok(evidence.map_or(Ok(None), |at| at.get("fields"))?.is_some())
}

/// Makes lists of the fields that had several values in a record, as far as the profiles tell. Version 0.1 did not save
/// which they were.
fn make_lists(record_type: &mut RecordType, evidence: &Evidence) {
    for (table, profile) in record_type.tables().iter().zip(&evidence.profiles) {
        let columns = table.columns.iter().zip(&profile.fields);
        for (column, _) in columns.filter(|(_, field)| field.count > field.records) {
            record_type.make_list(&[&table.path[..], &column.path].concat());
        }
    }
}

/// The type that an expression declares. Version 0.1 saved a field as a single text if no page that it had seen had several
/// values of it. On a page that has several, all but the first would be lost.
fn of_expression(text: &str) -> Option<RecordType> {
    let tail = oxpath::run::Tail::new(text).ok()?;
    match tail.script().record_types().as_slice() {
        [one] => Some(one.clone()),
        _ => None,
    }
}

/// Checks that the schema from the user has the columns that the rule was made for.
fn same_columns(saved: &RecordType, given: &RecordType) -> Result<(), WrapperError> {
    let columns = |kind: &RecordType| -> Vec<(Vec<String>, Vec<String>)> {
        let tables = kind.tables().into_iter();
        tables
            .map(|table| (table.path, table.columns.iter().map(|column| column.name()).collect()))
            .collect()
    };
    match columns(saved) == columns(given) {
        true => Ok(()),
        false => Err(shape(
            "schema",
            "found other fields than \"given\" has, expected the same",
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rule::{Class, Delimiters, Edges, End, Left};
    use page::Limits;
    use record::{Field, SinkSpec, Sort};

    fn sample() -> Wrapper {
        let phone = Field::records("phone", vec![Field::text("number"), Field::text("kind")]);
        let record_type = RecordType::new("person", vec![Field::text("name"), phone]);
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
            hash: crate::hash("x"),
            values: 3,
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
        price.makes = (2, 5);
        price.whole = 1;
        let mut profile = crate::profile::Profile {
            fields: vec![price],
            ..Default::default()
        };
        profile.add_page(2, &[2]);
        profile.parts = (2, 1);
        profile.strays = (3, 4);
        let unseen = crate::profile::Profile {
            per_page: (u64::MAX, 0),
            fields: vec![crate::profile::FieldProfile::default(); 2],
            ..Default::default()
        };
        Wrapper {
            record_type,
            given: None,
            rule: Rule::Delimiters(rule),
            shown: None,
            key: Vec::new(),
            navigation: None,
            evidence: Evidence {
                pages: vec![seen.clone(), seen.clone()],
                profiles: vec![profile, unseen],
                later: vec![seen],
                doubts: vec![Doubt {
                    field: "name".to_owned(),
                    sure: 0.25,
                    left_out: true,
                    usual: 0.75,
                    known: Some(Box::new(crate::profile::FieldProfile {
                        count: 1,
                        records: 1,
                        links: 1,
                        ..Default::default()
                    })),
                }],
            },
        }
    }

    #[test]
    fn what_is_shown_is_kept_and_must_be_there() {
        let shown = |paths: &[&str]| Wrapper {
            shown: Some(paths.iter().map(|path| (*path).to_owned()).collect()),
            ..sample()
        };
        let wrapper = shown(&["phone.number", "name"]);
        assert_eq!(Wrapper::from_json(&wrapper.to_json()), Ok(wrapper));
        let error = Wrapper::from_json(&shown(&["name", "phone.colour"]).to_json()).err();
        let place = error.map(|error| error.to_string()).unwrap_or_default();
        assert!(place.starts_with("shown[1]: "), "{place}");
    }

    #[test]
    fn the_key_and_the_sorts_of_values_are_kept() {
        let mut wrapper = sample();
        wrapper.key = vec!["name".to_owned()];
        for (path, sort) in [("name", Sort::Integer), ("phone.number", Sort::Decimal)] {
            wrapper.record_type.value_type_mut(path).expect("a value").sort = sort;
        }
        let text = wrapper.to_json();
        assert_eq!(Wrapper::from_json(&text).as_ref(), Ok(&wrapper), "{text}");
        let error =
            Wrapper::from_json(&text.replace("\"key\": [\"name\"]", "\"key\": [\"code\"]")).expect_err("no such field");
        assert!(error.to_string().starts_with("key[0]: "), "{error}");
        assert!(Wrapper::from_json(&text.replace("\"integer\"", "\"colour\"")).is_err());
    }

    #[test]
    fn what_is_written_is_read_back() {
        let text = sample().to_json();
        assert_eq!(Wrapper::from_json(&text).as_ref(), Ok(&sample()), "{text}");
        assert!(text.contains(r#""left": "<b>", "right": "</b>" }"#), "{text}");
        // Extensions of the classes: ignored white space, delimiters by transition.
        let mut beyond = sample();
        if let Rule::Delimiters(rule) = &mut beyond.rule {
            rule.loose = true;
            for left in rule.fields.iter_mut().flat_map(|edges| &mut edges.left) {
                left.from = Some(2);
            }
        }
        let text = beyond.to_json();
        assert_eq!(Wrapper::from_json(&text).as_ref(), Ok(&beyond), "{text}");
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
            let found = Wrapper::from_json(&text.replacen(good, bad, 1))
                .expect_err(bad)
                .to_string();
            assert!(
                found.contains(&format!("evidence.profiles[0].{said}")),
                "{bad}: {found}"
            );
        }
        let mut short = sample();
        short.evidence.profiles[1].fields.pop();
        let found = Wrapper::from_json(&short.to_json())
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
        let found = runner.run_source(&"p".into(), page, &Limits::default(), false);
        let found = found.expect("a source is read as it is");
        assert_eq!(found.end, End::Regular);
        let mut out = Vec::new();
        let spec = SinkSpec {
            no_meta: true,
            ..SinkSpec::default()
        };
        let mut sink = spec.open(&[runner.record_type().clone()], &mut out).expect("a sink");
        for record in &found.records {
            sink.record(record).expect("a vector takes all");
        }
        drop(sink);
        let expected = "{\"name\":\"Ada\",\"phone\":[{\"number\":\"1\",\"kind\":\"home\"},\
                        {\"number\":\"2\",\"kind\":\"work\"}]}\n{\"name\":\"Bob & co\",\"phone\":[]}\n";
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
            let error = Wrapper::from_json(&good.replacen(from, to, 1))
                .expect_err("broken")
                .to_string();
            assert!(error.contains(expected), "{error}");
        }
    }
}
