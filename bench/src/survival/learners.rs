//! Makes a wrapper of each kind with its own learner.
//!
//! Paths and delimiters are learned from labels. Landmarks and templates are inferred from pages without labels. Then
//! each field of the site gives its name to the inferred field that has most of its values, as somebody would who looks
//! at the inferred fields; fields that were not asked for have no name.

use super::watched::{Watched, sheet};
use super::{Sample, Site, f1};
use learn::guided::{learn_guided, record_type};
use learn::{Allow, DelimiterSettings, Example, exalg, infer, learn_best};
use page::{NodeId, Page};
use record::{RecordType, Rows};
use std::collections::BTreeSet;
use wrapper::rule::{landmark, template};
use wrapper::{Rule, Wrapper};

/// A way to make a wrapper.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Learner {
    /// Paths.
    Paths,
    /// Landmarks.
    Landmarks,
    /// A template.
    Template,
    /// Delimiters.
    Delimiters,
}

/// The name of records; any name will do.
const RECORD: &str = "record";

impl Learner {
    /// The name of the kind of wrapper.
    pub fn name(self) -> &'static str {
        match self {
            Learner::Paths => "paths",
            Learner::Landmarks => "landmarks",
            Learner::Template => "template",
            Learner::Delimiters => "delimiters",
        }
    }

    /// Makes a wrapper from the first `labels` labels, or from the pages before the redesign. The profile comes from
    /// the pages with labels, and if `met` is set also from those before the redesign.
    ///
    /// # Errors
    ///
    /// Why there is no wrapper, in words.
    pub fn learn(self, site: &Site, labels: usize, met: bool) -> Result<Watched, String> {
        let wrapper = match self {
            Learner::Paths => rules(site, labels)?,
            Learner::Delimiters => delimiters(site, labels)?,
            Learner::Landmarks | Learner::Template => inferred(site, self)?,
        };
        let before = site.labelled.iter().take(labels).chain(site.met.iter().filter(|_| met));
        let before: Vec<&Sample> = before.collect();
        Watched::new(wrapper, site, &before).map_err(|error| error.to_string())
    }
}

fn wrapper(schema: RecordType, rule: Rule) -> Wrapper {
    Wrapper::bare(rule, schema, None)
}

fn rules(site: &Site, labels: usize) -> Result<Wrapper, String> {
    let wanted = site.wanted(labels);
    let taught = learn_guided(&wanted, &site.lessons(labels), false, &page::Job::new())
        .map_err(|trouble| trouble.to_string())?;
    let schema = record_type(RECORD, &wanted);
    Ok(wrapper(schema, Rule::Paths(taught.rule)))
}

/// The simplest class of delimiters for the first value of each field, in the order of the fields on pages.
fn delimiters(site: &Site, labels: usize) -> Result<Wrapper, String> {
    let labelled = || site.labelled.iter().take(labels);
    let sources: Vec<String> = labelled().map(|sample| sample.page.to_html(NodeId::DOCUMENT)).collect();
    let first = |values: &Vec<String>| values.first().cloned();
    let tuples: Vec<Vec<Vec<Option<String>>>> = labelled()
        .map(|sample| vec![sample.truth.iter().map(first).collect()])
        .collect();
    let tables: Vec<(&str, &[Vec<Option<String>>])> = sources
        .iter()
        .zip(&tuples)
        .map(|(source, tuples)| (source.as_str(), tuples.as_slice()))
        .collect();
    let order = learn::label::column_order(site.fields.len(), &tables);
    let mut examples = Vec::new();
    for (sample, source) in labelled().zip(&sources) {
        let wanted = |(field, old): (usize, &usize)| {
            let text = first(&sample.truth[*old])?;
            Some(learn::label::Wanted { field, text, tuple: 0 })
        };
        let values: Vec<_> = order.iter().enumerate().filter_map(wanted).collect();
        let placing = learn::label::place(source, &values).map_err(|error| error.to_string())?;
        examples.push(Example {
            name: &sample.name,
            text: source,
            values: placing.values,
        });
    }
    learn::check_labels(site.fields.len(), &examples).map_err(|error| error.to_string())?;
    let settings = DelimiterSettings {
        allow: Allow::ALL,
        soft: true,
        ..DelimiterSettings::default()
    };
    let learned = learn_best(site.fields.len(), &examples, &settings, &page::Job::new());
    let rule = learned.map_err(|_| "no class has such a rule".to_owned())?.rule;
    let names = order.iter().map(|field| site.fields[*field].clone());
    Ok(wrapper(RecordType::flat(RECORD, names), Rule::Delimiters(rule)))
}

fn inferred(site: &Site, learner: Learner) -> Result<Wrapper, String> {
    let before: Vec<&Sample> = site.labelled.iter().chain(&site.met).collect();
    let pages: Vec<&Page> = before.iter().map(|sample| &sample.page).collect();
    let mut new = match learner {
        Learner::Landmarks => {
            let rule = infer::infer(&pages, &infer::LandmarkSettings::default())
                .map_err(|error| error.to_string())?
                .rule;
            wrapper(landmark::record_type(&rule, RECORD), Rule::Landmarks(rule))
        }
        _ => {
            let inferred = exalg::infer(&pages, &exalg::TemplateSettings::default(), &page::Job::new())
                .map_err(|error| error.to_string())?;
            wrapper(
                template::record_type(&inferred.template, RECORD),
                Rule::Template(inferred.template),
            )
        }
    };
    let names = names(site, &new, &before)?;
    let name = |slot: &mut String| {
        let found = names.iter().find(|(inferred, _)| inferred == slot);
        *slot = found.map(|(_, field)| field.clone()).unwrap_or_default();
    };
    match &mut new.rule {
        Rule::Landmarks(rule) => {
            rule.fields.iter_mut().for_each(|slot| name(&mut slot.name));
            new.record_type = landmark::record_type(rule, RECORD);
        }
        Rule::Template(rule) => {
            rule.fields.iter_mut().for_each(name);
            new.record_type = template::record_type(rule, RECORD);
        }
        _ => {}
    }
    Ok(new)
}

/// Pairs of an inferred name and the name of a field, the best first.
fn names(site: &Site, new: &Wrapper, before: &[&Sample]) -> Result<Vec<(String, String)>, String> {
    let runner = new.runner().map_err(|error| error.to_string())?;
    let given: Vec<Rows> = before
        .iter()
        .map(|sample| runner.rows(&sheet(&sample.name, &sample.page)))
        .collect();
    let pages: Vec<Sample> = before.iter().copied().cloned().collect();
    let mut offers = Vec::new();
    for (number, table) in new.record_type.tables().iter().enumerate() {
        for (at, column) in table.columns.iter().enumerate() {
            let cells = |rows: &Rows| rows[number].iter().flat_map(|row| row[at].clone()).collect::<Vec<_>>();
            let found: Vec<Vec<Vec<String>>> = given.iter().map(|rows| vec![cells(rows); site.fields.len()]).collect();
            for (field, score) in f1(&found, &pages, &BTreeSet::new()).into_iter().enumerate() {
                let name = column.path.last().cloned().unwrap_or_default();
                offers.extend(score.map(|score| (score, name, field)));
            }
        }
    }
    offers.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| (&a.1, a.2).cmp(&(&b.1, b.2))));
    let mut names: Vec<(String, String)> = Vec::new();
    for (score, name, field) in offers {
        let field = &site.fields[field];
        if score > 0.0 && !names.iter().any(|(one, other)| *one == name || other == field) {
            names.push((name, field.clone()));
        }
    }
    Ok(names)
}
