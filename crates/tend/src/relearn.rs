//! Rules of each kind from recovered values.

use crate::repair::shared;
use crate::watch::{self, Rows, rows};
use learn::guided::{Chapter, learn_tables};
use learn::label::{Wanted as Labelled, place};
use learn::{Allow, Example, Settings, exalg, infer, learn_best};
use page::{Document, Page};
use std::sync::Arc;
use wrapper::artifact::{Artifact, Evidence, Rule};
use wrapper::rule::guided::to_oxpath;
use wrapper::rule::{landmark, template};
use wrapper::schema::Schema;

/// A rule of the wrapper's own kind, or why there is none.
pub(crate) fn own(
    artifact: &Artifact,
    sheets: &[&Document],
    labels: &[Rows],
    listed: &[bool],
) -> Result<Artifact, String> {
    match &artifact.rule {
        Rule::Rules(_) => paths(artifact, sheets, labels, listed),
        Rule::Oxpath(source) => {
            let learned = paths(artifact, sheets, labels, listed)?;
            let Rule::Rules(rule) = &learned.rule else {
                return Err("no paths".to_owned());
            };
            let start = oxpath::run::Tail::new(source)
                .map_err(|error| error.to_string())?
                .start();
            let text = to_oxpath(rule, &artifact.schema, &source[..start])
                .ok_or("no expression says the same as the paths that were learned")?;
            Ok(with(artifact, artifact.schema.clone(), Rule::Oxpath(text)))
        }
        Rule::Delimiters(rule) => {
            let class = rule.class;
            delimiters(artifact, sheets, labels, Some(class)).or_else(|_| delimiters(artifact, sheets, labels, None))
        }
        Rule::Landmarks(_) | Rule::Template(_) => {
            if sheets.len() < 2 {
                return Err("one page is too few to infer from".to_owned());
            }
            inferred(artifact, sheets, labels)
        }
        _ => Err("this kind of rule has no learner".to_owned()),
    }
}

fn with(artifact: &Artifact, schema: Schema, rule: Rule) -> Artifact {
    Artifact {
        schema,
        given: artifact.given.clone(),
        rule,
        evidence: Evidence::default(),
    }
}

/// Paths by schema.
pub(crate) fn paths(
    artifact: &Artifact,
    sheets: &[&Document],
    labels: &[Rows],
    listed: &[bool],
) -> Result<Artifact, String> {
    let chapters: Vec<Chapter<'_>> = sheets
        .iter()
        .zip(labels)
        .map(|(sheet, rows)| Chapter {
            name: &sheet.name,
            page: &sheet.page,
            rows: rows.clone(),
            pins: Vec::new(),
        })
        .collect();
    let (rule, _) = learn_tables(&artifact.schema, &chapters, listed).map_err(|trouble| trouble.to_string())?;
    Ok(with(artifact, artifact.schema.clone(), Rule::Rules(rule)))
}

/// Delimiters from values by their places in the source.
fn delimiters(
    artifact: &Artifact,
    sheets: &[&Document],
    labels: &[Rows],
    class: Option<wrapper::rule::Class>,
) -> Result<Artifact, String> {
    let tables = artifact.schema.tables();
    let [table] = tables.as_slice() else {
        return Err("nested records cannot be told apart yet".to_owned());
    };
    let fields = table.columns.len();
    let sources: Vec<Arc<str>> = sheets
        .iter()
        .map(|sheet| match &sheet.source {
            Some(source) => Arc::clone(source),
            None => sheet.page.to_html(page::NodeId::DOCUMENT).into(),
        })
        .collect();
    let mut examples = Vec::new();
    for ((sheet, rows), source) in sheets.iter().zip(labels).zip(&sources) {
        let values: Vec<Labelled> = rows[0]
            .iter()
            .enumerate()
            .flat_map(|(tuple, row)| {
                row.iter().enumerate().filter_map(move |(field, values)| {
                    values.first().map(|text| Labelled {
                        field,
                        text: text.clone(),
                        tuple,
                    })
                })
            })
            .collect();
        let placing = place(source, &values).map_err(|error| format!("{}: {error}", sheet.name))?;
        examples.push(Example {
            name: &sheet.name,
            text: source,
            values: placing.values,
        });
    }
    learn::check_labels(fields, &examples).map_err(|error| error.to_string())?;
    let settings = Settings {
        class,
        allow: Allow::ALL,
        soft: true,
        ..Settings::default()
    };
    let learned = learn_best(fields, &examples, &settings).map_err(|_| "no class has such a rule".to_owned())?;
    Ok(with(artifact, artifact.schema.clone(), Rule::Delimiters(learned.rule)))
}

/// A rule inferred from the pages alone, whose fields take the names of those whose values they give.
fn inferred(artifact: &Artifact, sheets: &[&Document], labels: &[Rows]) -> Result<Artifact, String> {
    let pages: Vec<&Page> = sheets.iter().map(|sheet| &*sheet.page).collect();
    let name = &artifact.schema.name;
    let mut new = match &artifact.rule {
        Rule::Landmarks(_) => {
            let rule = infer::infer(&pages, &infer::Settings::default())
                .map_err(|error| error.to_string())?
                .rule;
            with(artifact, landmark::schema(&rule, name), Rule::Landmarks(rule))
        }
        _ => {
            let rule = exalg::infer(&pages, &exalg::Settings::default())
                .map_err(|error| error.to_string())?
                .template;
            with(artifact, template::schema(&rule, name), Rule::Template(rule))
        }
    };
    let runner = new.runner().map_err(|error| error.to_string())?;
    let given: Vec<Rows> = sheets.iter().map(|sheet| rows(&runner, &new.schema, sheet)).collect();
    let names = matched(&artifact.schema, &new.schema, labels, &given);
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
            new.schema = landmark::schema(rule, name);
        }
        Rule::Template(rule) => {
            for field in &mut rule.fields {
                *field = names.field(field);
            }
            for part in &mut rule.parts {
                if let template::Part::Set { name, .. } = part {
                    *name = names.table(name);
                }
            }
            new.schema = template::schema(rule, name);
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
fn matched(old: &Schema, new: &Schema, labels: &[Rows], given: &[Rows]) -> Names {
    let (old, new) = (old.tables(), new.tables());
    let values = |pages: &[Rows], table: usize, column: usize| -> Vec<Vec<String>> {
        pages.iter().map(|rows| watch::column(rows, table, column)).collect()
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
        let last = |table: &wrapper::schema::Table, column: usize| table.columns[column].path.last().cloned();
        if let (Some(new), Some(old)) = (last(&new[mine.0], mine.1), last(&old[theirs.0], theirs.1)) {
            names.fields.push((new, old));
        }
    }
    names
}

/// Rows of one schema as those of another: columns by their names, empty where there are none.
pub(crate) fn as_before(old: &Schema, new: &Schema, rows: Rows) -> Rows {
    let (old, new) = (old.tables(), new.tables());
    let table = |table: &wrapper::schema::Table| {
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
