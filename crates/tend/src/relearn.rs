//! Rules of each kind from recovered values.

use crate::agreement::shared;
use crate::compare;
use learn::guided::{Chapter, learn_tables};
use learn::label::{Wanted as Labelled, place_all};
use learn::{Allow, DelimiterSettings, Example, exalg, infer, learn_best};
use page::{Document, Page};
use record::{RecordType, Rows};
use std::cell::OnceCell;
use std::sync::Arc;
use wrapper::rule::paths::{PathField, Paths, to_oxpath};
use wrapper::rule::{landmark, template};
use wrapper::{Rule, Wrapper};

/// A rule of the wrapper's own kind, or why there is none.
pub(crate) fn own(
    wrapper: &Wrapper,
    documents: &[&Document],
    labels: &[Rows],
    listed: &[bool],
    once: &Once,
) -> Result<Wrapper, String> {
    match &wrapper.rule {
        Rule::Paths(_) => paths(wrapper, documents, labels, listed),
        Rule::Oxpath(source) => {
            let learned = paths(wrapper, documents, labels, listed)?;
            let Rule::Paths(rule) = &learned.rule else {
                return Err("no paths".to_owned());
            };
            let start = oxpath::run::Tail::new(source)
                .map_err(|error| error.to_string())?
                .start();
            let text = to_oxpath(rule, &wrapper.record_type, &source[..start])
                .ok_or("no expression says the same as the paths that were learned")?;
            Ok(with(wrapper, wrapper.record_type.clone(), Rule::Oxpath(text)))
        }
        Rule::Delimiters(rule) => {
            let class = rule.class;
            delimiters(wrapper, documents, labels, Some(class))
                .or_else(|_| delimiters(wrapper, documents, labels, None))
        }
        Rule::Landmarks(_) | Rule::Template(_) => {
            if documents.len() < 2 {
                return Err("one page is too few to infer from".to_owned());
            }
            inferred(wrapper, documents, labels, once)
        }
        _ => Err("this kind of rule has no learner".to_owned()),
    }
}

fn with(wrapper: &Wrapper, record_type: RecordType, rule: Rule) -> Wrapper {
    Wrapper::bare(rule, record_type, wrapper.given.clone())
}

/// Paths by schema.
pub(crate) fn paths(
    wrapper: &Wrapper,
    documents: &[&Document],
    labels: &[Rows],
    listed: &[bool],
) -> Result<Wrapper, String> {
    let chapters: Vec<Chapter<'_>> = documents
        .iter()
        .zip(labels)
        .map(|(document, rows)| Chapter {
            name: &document.name,
            page: &document.page,
            rows: rows.clone(),
            pins: Vec::new(),
        })
        .collect();
    let (rule, _) = learn_tables(&wrapper.record_type, &chapters, &[], listed, &page::Job::new())
        .map_err(|trouble| trouble.to_string())?;
    Ok(with(wrapper, wrapper.record_type.clone(), Rule::Paths(rule)))
}

/// Pages of one template, and what is on them.
pub(crate) struct Side<'a> {
    pub(crate) wrapper: &'a Wrapper,
    pub(crate) documents: &'a [&'a Document],
    pub(crate) rows: &'a [Rows],
}

impl Side<'_> {
    /// The wrapper's paths; if it is of another kind that reads pages, paths that are learned from what is on them.
    fn paths(&self, sought: &Wrapper, listed: &[bool]) -> Option<Paths> {
        let learned = match &self.wrapper.rule {
            Rule::Paths(rule) => return Some(rule.clone()),
            Rule::Oxpath(_) => return None,
            _ => paths(sought, self.documents, self.rows, listed).ok()?,
        };
        match learned.rule {
            Rule::Paths(rule) => Some(rule),
            _ => None,
        }
    }
}

/// Rules by paths that read the pages of two templates: first as the new rule does, and if that finds nothing as the old one, or the other way round.
pub(crate) fn joined(sought: &Wrapper, old: &Side<'_>, new: &Side<'_>, listed: &[bool]) -> Vec<Wrapper> {
    let (Some(one), Some(other)) = (old.paths(sought, listed), new.paths(sought, listed)) else {
        return Vec::new();
    };
    let rules = [join(&other, &one), join(&one, &other)];
    let made = |rule: Paths| with(sought, sought.record_type.clone(), Rule::Paths(rule));
    rules.into_iter().map(made).collect()
}

/// The paths of one rule, and then those of another. What one of them has no way to stays without: it was left out.
pub(crate) fn join(first: &Paths, then: &Paths) -> Paths {
    let field = |(one, other): (&PathField, &PathField)| {
        let is_left_out = one.ways.is_empty() || other.ways.is_empty();
        let ways = one.ways.iter().chain(&other.ways).filter(|_| !is_left_out);
        PathField {
            many: one.many,
            ways: ways.cloned().collect(),
        }
    };
    Paths {
        each: first.each.iter().chain(&then.each).cloned().collect(),
        fields: first.fields.iter().zip(&then.fields).map(field).collect(),
        inner: first.inner.iter().zip(&then.inner).map(|(a, b)| join(a, b)).collect(),
    }
}

/// Delimiters from values by their places in the source.
fn delimiters(
    wrapper: &Wrapper,
    documents: &[&Document],
    labels: &[Rows],
    class: Option<wrapper::rule::Class>,
) -> Result<Wrapper, String> {
    let tables = wrapper.record_type.tables();
    let [table] = tables.as_slice() else {
        return Err("nested records cannot be told apart yet".to_owned());
    };
    let fields = table.columns.len();
    let sources: Vec<Arc<str>> = documents
        .iter()
        .map(|document| match &document.source {
            Some(source) => Arc::clone(source),
            None => document.page.to_html(page::NodeId::DOCUMENT).into(),
        })
        .collect();
    let values = labels.iter().map(|rows| {
        let rows = rows[0].iter().enumerate();
        let values = rows.flat_map(|(tuple, row)| {
            row.iter().enumerate().filter_map(move |(field, values)| {
                values.first().map(|text| Labelled {
                    field,
                    text: text.clone(),
                    tuple,
                })
            })
        });
        values.collect()
    });
    let values: Vec<Vec<Labelled>> = values.collect();
    // All pages together: where a field is on one page helps to find it on the others.
    let pages: Vec<(&str, &[Labelled])> = sources
        .iter()
        .zip(&values)
        .map(|(page, own)| (&**page, &own[..]))
        .collect();
    let mut examples = Vec::new();
    for ((document, source), placing) in documents.iter().zip(&sources).zip(place_all(&pages)) {
        let placing = placing.map_err(|error| format!("{}: {error}", document.name))?;
        examples.push(Example {
            name: &document.name,
            text: source,
            values: placing.values,
        });
    }
    learn::check_labels(fields, &examples).map_err(|error| error.to_string())?;
    let settings = DelimiterSettings {
        class,
        allow: Allow::ALL,
        soft: true,
        ..DelimiterSettings::default()
    };
    let learned = learn_best(fields, &examples, &settings, &page::Job::new())
        .map_err(|_| "no class has such a rule".to_owned())?;
    Ok(with(
        wrapper,
        wrapper.record_type.clone(),
        Rule::Delimiters(learned.rule),
    ))
}

/// What is inferred from pages does not depend on the values that were found, so it is inferred once, whatever is left out later: a template takes seconds.
pub(crate) type Once = OnceCell<Result<(Wrapper, Vec<Rows>), String>>;

/// A rule inferred from the pages alone, and what it gives on them.
fn nameless(wrapper: &Wrapper, documents: &[&Document]) -> Result<(Wrapper, Vec<Rows>), String> {
    let pages: Vec<&Page> = documents.iter().map(|document| &*document.page).collect();
    let name = &wrapper.record_type.name;
    let new = match &wrapper.rule {
        Rule::Landmarks(_) => {
            let rule = infer::infer(&pages, &infer::LandmarkSettings::default())
                .map_err(|error| error.to_string())?
                .rule;
            with(wrapper, landmark::record_type(&rule, name), Rule::Landmarks(rule))
        }
        _ => {
            let rule = exalg::infer(&pages, &exalg::TemplateSettings::default(), &page::Job::new())
                .map_err(|error| error.to_string())?
                .template;
            with(wrapper, template::record_type(&rule, name), Rule::Template(rule))
        }
    };
    let runner = new.runner().map_err(|error| error.to_string())?;
    let given: Vec<Rows> = documents.iter().map(|document| runner.rows(document)).collect();
    Ok((new, given))
}

/// The same, whose fields take the names of those whose values they give.
fn inferred(wrapper: &Wrapper, documents: &[&Document], labels: &[Rows], once: &Once) -> Result<Wrapper, String> {
    let (mut new, given) = once.get_or_init(|| nameless(wrapper, documents)).clone()?;
    let name = &wrapper.record_type.name;
    let names = matched(&wrapper.record_type, &new.record_type, labels, &given);
    match &mut new.rule {
        Rule::Landmarks(rule) => {
            for slot in &mut rule.fields {
                slot.name = names.field(&slot.name);
            }
            for part in &mut rule.parts {
                if let landmark::Part::List { name, .. } = part {
                    *name = names.table(name);
                }
            }
            new.record_type = landmark::record_type(rule, name);
        }
        Rule::Template(rule) => {
            for field in &mut rule.fields {
                *field = names.field(field);
            }
            for list in 0..rule.lists() {
                if let Some(name) = rule.list_name_mut(list) {
                    *name = names.table(name);
                }
            }
            new.record_type = template::record_type(rule, name);
        }
        _ => {}
    }
    Ok(new)
}

/// Which new names stand for which old ones.
#[derive(Default)]
struct Names {
    fields: Vec<(String, String)>,
    tables: Vec<(String, String)>,
}

impl Names {
    /// The old name of a field; empty if nobody asked for it.
    fn field(&self, new: &str) -> String {
        let found = self.fields.iter().find(|(known, _)| known == new);
        found.map(|(_, old)| old.clone()).unwrap_or_default()
    }

    /// The old name of a kind of records, or the new one.
    fn table(&self, new: &str) -> String {
        let found = self.tables.iter().find(|(known, _)| known == new);
        found.map_or_else(|| new.to_owned(), |(_, old)| old.clone())
    }
}

/// The least share of values that a field must have in common with one of before.
const LEAST: f64 = 0.5;

/// Finds for old columns the new ones that give their values.
fn matched(old: &RecordType, new: &RecordType, labels: &[Rows], given: &[Rows]) -> Names {
    let (old, new) = (old.tables(), new.tables());
    let values = |pages: &[Rows], table: usize, column: usize| -> Vec<Vec<String>> {
        pages.iter().map(|rows| compare::column(rows, table, column)).collect()
    };
    let mut offers = Vec::new();
    for (t, table) in new.iter().enumerate() {
        for c in 0..table.columns.len() {
            let mine = values(given, t, c);
            for (ot, other) in old.iter().enumerate() {
                // The outermost record stays the outermost.
                if (t == 0) != (ot == 0) {
                    continue;
                }
                for oc in 0..other.columns.len() {
                    let theirs = values(labels, ot, oc);
                    let right: usize = mine.iter().zip(&theirs).map(|(a, b)| shared(a, b)).sum();
                    let all: usize = mine.iter().zip(&theirs).map(|(a, b)| a.len() + b.len()).sum();
                    let score = 2.0 * right as f64 / all.max(1) as f64;
                    if score >= LEAST {
                        offers.push((score, (t, c), (ot, oc)));
                    }
                }
            }
        }
    }
    offers.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| (a.1, a.2).cmp(&(b.1, b.2))));
    let mut names = Names::default();
    let mut homes: Vec<(usize, usize)> = vec![(0, 0)];
    let (mut used, mut done) = (Vec::new(), Vec::new());
    for (_, mine, theirs) in offers {
        let at_home = homes.contains(&(mine.0, theirs.0));
        let free = !homes.iter().any(|(a, b)| *a == mine.0 || *b == theirs.0);
        if used.contains(&mine) || done.contains(&theirs) || !(at_home || free) {
            continue;
        }
        if free {
            homes.push((mine.0, theirs.0));
            if let (Some(new), Some(old)) = (new[mine.0].path.last(), old[theirs.0].path.last()) {
                names.tables.push((new.clone(), old.clone()));
            }
        }
        used.push(mine);
        done.push(theirs);
        let last = |table: &record::Table, column: usize| table.columns[column].path.last().cloned();
        if let (Some(new), Some(old)) = (last(&new[mine.0], mine.1), last(&old[theirs.0], theirs.1)) {
            names.fields.push((new, old));
        }
    }
    names
}

/// Rows of one schema as those of another: columns by their names, empty where there are none.
pub(crate) fn as_before(old: &RecordType, new: &RecordType, rows: Rows) -> Rows {
    let (old, new) = (old.tables(), new.tables());
    let table = |table: &record::Table| {
        let Some(at) = new.iter().position(|other| other.path == table.path) else {
            return Vec::new();
        };
        let columns: Vec<Option<usize>> = table
            .columns
            .iter()
            .map(|column| new[at].columns.iter().position(|other| other.path == column.path))
            .collect();
        let cells = |row: &Vec<Vec<String>>| -> Vec<Vec<String>> {
            let cell = |column: &Option<usize>| column.map(|column| row[column].clone()).unwrap_or_default();
            columns.iter().map(cell).collect()
        };
        rows[at].iter().map(cells).collect()
    };
    old.iter().map(table).collect()
}
