//! What a job runs, what each of its units runs it with, and how records travel. All of it is JSON.

use super::{FrontierError, UNKNOWN, Unit};
use crate::session::{Bindings, Checks, Runs, first_page};
use crate::{Job, NodeId, Record, Wrapper};
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;
use std::sync::Arc;
use std::time::Duration;

/// How often a unit is tried, if nothing else is said.
const TRIES: i32 = 3;

/// How long a unit may take, if nothing else is said.
const HOUR: f64 = 3600.0;

/// What a job runs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Program {
    /// An expression or a wrapper.
    pub task: Task,
    /// Seconds between two requests to one host, over all workers; none for what each worker does by itself.
    pub delay: Option<f64>,
    /// The most pages of a unit.
    pub max_pages: Option<usize>,
    /// The most pages from the start of a branch.
    pub max_depth: Option<usize>,
    /// The most seconds for a unit.
    pub max_seconds: f64,
    /// How often a unit is tried: after a worker died, or after a failure that may pass.
    pub tries: i32,
}

/// An expression or a wrapper.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Task {
    /// An OXPath expression, each unit with a set of values.
    Expression {
        /// Its text.
        source: String,
        /// Are values that are addresses made absolute?
        whole_addresses: bool,
    },
    /// A wrapper, each unit with an address to start at.
    Wrapper {
        /// The wrapper's file.
        file: String,
    },
}

/// What a unit runs the program with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Input {
    /// Values of variables.
    Values(Vec<(String, String)>),
    /// An address.
    Start(String),
}

impl Input {
    /// As JSON.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    /// From JSON.
    ///
    /// # Errors
    ///
    /// It is not an input.
    pub fn from_json(text: &str) -> Result<Input, FrontierError> {
        serde_json::from_str(text).map_err(|error| FrontierError::Program(error.to_string()))
    }
}

impl Program {
    /// A program with the usual limits.
    pub fn new(task: Task) -> Program {
        Program {
            task,
            delay: None,
            max_pages: None,
            max_depth: None,
            max_seconds: HOUR,
            tries: TRIES,
        }
    }

    /// As JSON.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    /// From JSON. Numbers that make no sense are refused.
    ///
    /// # Errors
    ///
    /// It is not a program, or one of another version.
    pub fn from_json(text: &str) -> Result<Program, FrontierError> {
        let program: Program = serde_json::from_str(text).map_err(|error| FrontierError::Program(error.to_string()))?;
        let is_time = |seconds: f64| Duration::try_from_secs_f64(seconds).is_ok();
        match is_time(program.max_seconds) && program.delay.is_none_or(is_time) {
            true => Ok(program),
            false => Err(FrontierError::Program("a time is not a number of seconds".to_owned())),
        }
    }

    /// A hash of the program and its units, by which the same work is recognized.
    pub(super) fn hash(&self, units: &[Unit]) -> String {
        let program = wrapper::hash(&self.to_json());
        let units = units
            .iter()
            .fold(program, |hash, unit| wrapper::hash(&(hash + &unit.input)));
        format!("1-{units}")
    }
}

/// The units of an expression: one for each set of values.
pub fn units_of_runs(source: &str, runs: &Runs) -> Vec<Unit> {
    let unit = |number: usize| {
        let values = runs.bindings().of(number);
        Unit {
            host: host_of(&first_page(source, &values).unwrap_or_default(), number),
            input: Input::Values(values).to_json(),
        }
    };
    (0..runs.count()).map(unit).collect()
}

/// The units of a wrapper: one for each address that it starts at.
pub fn units_of_wrapper(wrapper: &Wrapper) -> Vec<Unit> {
    let starts = wrapper.navigation.iter().flat_map(|way| &way.start).enumerate();
    let unit = |(number, start): (usize, &String)| Unit {
        host: host_of(start, number),
        input: Input::Start(start.clone()).to_json(),
    };
    starts.map(unit).collect()
}

/// The host of an address, or a queue for units without one.
fn host_of(address: &str, number: usize) -> String {
    crate::shard::host_of(address).unwrap_or_else(|| format!("?{}", number % UNKNOWN))
}

/// A program that is ready to run.
#[derive(Debug)]
pub(super) enum Ready {
    Expression { source: String, whole_addresses: bool },
    Wrapper(Box<Wrapper>),
}

impl Ready {
    pub(super) fn new(task: &Task) -> Result<Ready, FrontierError> {
        Ok(match task {
            Task::Expression {
                source,
                whole_addresses,
            } => Ready::Expression {
                source: source.clone(),
                whole_addresses: *whole_addresses,
            },
            Task::Wrapper { file } => {
                let read = Wrapper::from_json(file);
                Ready::Wrapper(Box::new(
                    read.map_err(|error| FrontierError::Program(error.to_string()))?,
                ))
            }
        })
    }
}

/// Compiles the expression of a unit.
pub(super) fn compiled(source: &str, values: Vec<(String, String)>) -> Result<Runs, String> {
    let checks = Checks {
        runnable: true,
        ..Checks::default()
    };
    // One set, whatever names occur twice: these values were one set before.
    let table = crate::Table {
        names: values.iter().map(|(name, _)| name.clone()).collect(),
        rows: vec![values.into_iter().map(|(_, value)| value).collect()],
        lines: vec![1],
    };
    let runs = Runs::compile(source, Bindings::new([], Some(table)), &checks, &Job::new());
    runs.map_err(|error| error.to_string())
}

/// A record as text: `[name, value, page, [children]]`, the page only where it is not that of the record around it. Nodes are left
/// out, because they mean nothing without their page.
pub(super) fn record_to_text(record: &Record) -> String {
    json_of(record, None).to_string()
}

fn json_of(record: &Record, around: Option<&Arc<str>>) -> Json {
    let page = match around == Some(&record.page) {
        true => Json::Null,
        false => Json::from(&*record.page),
    };
    let children: Vec<Json> = record
        .children
        .iter()
        .map(|child| json_of(child, Some(&record.page)))
        .collect();
    Json::from(vec![
        Json::from(record.name.clone()),
        Json::from(record.value.clone()),
        page,
        Json::from(children),
    ])
}

/// The record of a text.
pub(super) fn record_from_text(text: &str) -> Result<Record, FrontierError> {
    let wrong = |why: &str| FrontierError::Program(format!("a record cannot be read: {why}"));
    let json: Json = serde_json::from_str(text).map_err(|error| wrong(&error.to_string()))?;
    record_of(&json, None).ok_or_else(|| wrong("it is not [name, value, page, children]"))
}

fn record_of(json: &Json, around: Option<&Arc<str>>) -> Option<Record> {
    let [name, value, page, children] = json.as_array()?.as_slice() else {
        return None;
    };
    let page: Arc<str> = match page.as_str() {
        Some(page) => page.into(),
        None => Arc::clone(around?),
    };
    let children: Option<Vec<Record>> = children
        .as_array()?
        .iter()
        .map(|child| record_of(child, Some(&page)))
        .collect();
    Some(Record {
        value: value.as_str().map(str::to_owned),
        children: children?,
        ..Record::new(name.as_str()?, &page, NodeId::DOCUMENT)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_travel() {
        let (page, other): (Arc<str>, Arc<str>) = ("http://a/".into(), "http://b/".into());
        let mut book = Record::new("book", &page, NodeId::DOCUMENT);
        book.children
            .push(Record::leaf("title", "a \0 \"b\" é\n", &page, NodeId::DOCUMENT));
        let mut review = Record::new("review", &other, NodeId::DOCUMENT);
        review.children.push(Record::leaf("by", "", &other, NodeId::DOCUMENT));
        review.children.push(Record::leaf("on", "x", &page, NodeId::DOCUMENT));
        book.children.push(review);
        let text = record_to_text(&book);
        assert!(!text.contains('\0'), "{text}");
        assert_eq!(record_from_text(&text).expect("a record"), book);
        for wrong in ["", "{}", "[1,2,3,4]", "[\"a\",null,null,[]]", "[\"a\",null,\"p\"]"] {
            assert!(record_from_text(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn the_first_page_is_seen_where_it_can_be() {
        let values = [
            ("u".to_owned(), "http://b.test/x".to_owned()),
            ("n".to_owned(), "7".to_owned()),
        ];
        for (source, expected) in [
            ("doc('http://a.test/${n}')//p:<p=.>", Some("http://a.test/7")),
            ("doc( \"http://a.test/\" )//p:<p=.>", Some("http://a.test/")),
            ("doc($u)//p:<p=.>", Some("http://b.test/x")),
            ("doc(concat('http://', $u))//p:<p=.>", None),
            ("//p:<p=.>", None),
        ] {
            assert_eq!(first_page(source, &values).as_deref(), expected, "{source}");
        }
        assert_eq!(host_of("http://A.test:80/", 3), "a.test");
        assert_eq!(host_of("", UNKNOWN + 3), "?3");
    }

    #[test]
    fn programs_are_read_or_refused() {
        let mut program = Program::new(Task::Expression {
            source: "doc('http://a/')".to_owned(),
            whole_addresses: false,
        });
        program.delay = Some(0.5);
        assert_eq!(Program::from_json(&program.to_json()).expect("a program"), program);
        let text = program.to_json().replace("0.5", "-1.0");
        assert!(Program::from_json(&text).is_err());
        let text = program.to_json().replace("\"tries\"", "\"unheard-of\":1,\"tries\"");
        assert!(Program::from_json(&text).is_err(), "a newer program");
        let unit = |input: &str| Unit {
            host: String::new(),
            input: input.to_owned(),
        };
        assert_ne!(
            program.hash(&[unit("a"), unit("b")]),
            program.hash(&[unit("b"), unit("a")])
        );
    }
}
