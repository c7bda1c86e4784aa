//! The oracle of runs: random page graphs, random expressions, and what the tables of the paper give for them.
//!
//! The tests of the browser use it, too: there the graph is a page with scripts.

pub(crate) mod generate;
mod tables;

use browse::{Memory, Response};
use oxpath::run::{Failure, Progress};
use oxpath::syntax::ast::Expr;
use record::Record;
use std::collections::BTreeMap;
use tables::{Extracted, Oracle};

/// How many steps and queries the oracle may evaluate for one expression.
const FUEL: usize = 40_000;

/// What an expression gives by the tables.
pub(crate) struct Expected {
    /// The output trees, as [`show_records`] shows them.
    pub(crate) trees: Vec<String>,
    /// How many pages were opened and actions performed, whatever came of them.
    pub(crate) turns: usize,
}

/// What an expression gives on pages; none if the oracle gave up.
pub(crate) fn expected(pages: &[(String, String)], expr: &Expr) -> Option<Expected> {
    let mut oracle = Oracle::new(site(pages), FUEL);
    let relation = oracle.evaluate(expr).ok()?;
    let mut children: BTreeMap<usize, Vec<&Extracted>> = BTreeMap::new();
    for extracted in &relation {
        children.entry(extracted.parent).or_default().push(extracted);
    }
    Some(Expected {
        trees: show_relation(&children, 0),
        turns: oracle.turns(),
    })
}

/// A driver over pages, whatever the query after their address.
pub(crate) fn site(pages: &[(String, String)]) -> Memory {
    let pages: BTreeMap<String, String> = pages.iter().cloned().collect();
    Memory::with(move |request| {
        let url = request.url.as_str().split('?').next()?;
        pages.get(url).map(|html| Response::html(html.as_str()))
    })
}

/// What a run gave.
#[derive(Default)]
pub(crate) struct Collected {
    pub(crate) records: Vec<Record>,
    pub(crate) failures: Vec<String>,
}

impl Progress for Collected {
    fn record(&mut self, record: Record) -> bool {
        self.records.push(record);
        true
    }

    fn failure(&mut self, failure: &Failure) {
        self.failures.push(failure.to_string());
    }
}

/// Output trees without their order.
pub(crate) fn show_records(records: &[Record]) -> Vec<String> {
    let mut shown: Vec<String> = records.iter().map(show_record).collect();
    shown.sort();
    shown
}

fn show_record(record: &Record) -> String {
    let children = record.children.iter().map(show_record).collect();
    show(&record.name, record.value.as_deref(), children)
}

/// A tree without its order: children are sorted by how they look.
fn show(name: &str, value: Option<&str>, mut children: Vec<String>) -> String {
    children.sort();
    format!("<{name}={value:?}>{}</{name}>", children.concat())
}

/// The trees below an output node of a relation.
fn show_relation(children: &BTreeMap<usize, Vec<&Extracted>>, parent: usize) -> Vec<String> {
    let below = children.get(&parent).map_or(&[][..], Vec::as_slice);
    let mut shown: Vec<String> = below
        .iter()
        .map(|o| show(&o.tag, o.value.as_deref(), show_relation(children, o.out)))
        .collect();
    shown.sort();
    shown
}
