//! Fields by name: which of the inferred fields are the ones that somebody asks for?
//!
//! **In**: an inferred wrapper, its pages, and names with or without a description (`price`, `date of publication`). **Out**: for
//! each name the field that it means, how sure that is, and the next best one; or none.
//!
//! There is no language model. Five witnesses speak for a field, and what they say is added up (`weights`):
//!
//! - *words*: what the page calls it: its label, its name, its `itemprop` and classes, and the names of structured data with the same
//!   values, compared with what was asked for and with a small table of words that mean the same (`synonyms`);
//! - *kind*: a price must look like prices, a date like dates (see [`crate::record::values`]), and a cuisine is one of those that
//!   many people know. A field that looks like it may be it even if nothing is said about it, but then that is not sure;
//! - *title*: what the head of the page, its structured data and the largest heading agree on is the name of the thing
//!   ([`page::titles`]), and things have names of their own;
//! - *place*: of several fields of the kind, the first one after the name of the thing is more likely to be meant;
//! - *use*: it is on all pages, and not the same on all of them. The fewer pages there are, the less the latter says.
//!
//! A name that was given because of the kind of value (`price_2`) is not a word of the page, so it does not count as one.
//!
//! The fields are chosen together: each is taken once, the best pair of name and field first. Below a limit nothing is chosen:
//! it is better to say that a field was not found than to give another one.
//!
//! **Cost**: one extraction from each page, and a comparison for each pair of name and field.
//!
//! Known failures: two fields of one kind with poor labels (which of two prices); names in a language that the table does not
//! have; fields that were not inferred.

pub(super) mod synonyms;

use super::values::{FieldValues, values};
use super::{MakeError, RenameError, Schema};
use crate::record::values::{Kind, kinds};
use crate::{Document, NodeId, Wrapper};
use std::collections::BTreeMap;
use std::path::Path;
use wrapper::Given;
use wrapper::profile::words;

/// How much each witness says.
mod weights {
    /// The words are those that were asked for; they mean the same, and are in the description, too, or not; they are only in the
    /// description.
    pub(super) const SAME: f64 = 1.0;
    pub(super) const MEANT: f64 = 0.85;
    pub(super) const NAMED: f64 = 0.97;
    pub(super) const DESCRIBED: f64 = 0.45;
    /// The share of that for names of elements, which are not written for readers.
    pub(super) const UNREAD: f64 = 0.8;
    /// The values are of the kind.
    pub(super) const KIND: f64 = 0.5;
    /// It is the name of the thing.
    pub(super) const TITLE: f64 = 1.2;
    /// What is left for a text that is the same on all of many pages, and what each page after the first takes away until
    /// then; for the fields of lists inside; for twins.
    pub(super) const CONSTANT: f64 = 0.4;
    pub(super) const ONCE_MORE: f64 = 0.12;
    pub(super) const INSIDE: f64 = 0.7;
    pub(super) const TWIN: f64 = 0.75;
    /// It is what the wrapper calls the name of the thing.
    pub(super) const MAIN: f64 = 0.35;
    /// What is left of words whose values do not look like what was asked for.
    pub(super) const UNLIKE: f64 = 0.55;
    /// The values look like what was asked for, and nothing is said about them: this much, and once more divided by the number of
    /// fields that look so.
    pub(super) const ALONE: f64 = 0.35;
    /// What is left of words that say that it is another thing of the kind, such as a former price.
    pub(super) const OTHER: f64 = 0.6;
    /// It is the first of its kind after the name of the thing.
    pub(super) const LEADS: f64 = 0.1;
    /// What is left for addresses of pages and pictures where something else was asked for.
    pub(super) const ADDRESS: f64 = 0.3;
    /// Fields that come first are more likely to be meant.
    pub(super) const FIRST: f64 = 0.05;
    /// A guess is not surer than this.
    pub(super) const GUESS: f64 = 0.5;
    /// Below this, nothing was found; and this much is certain.
    pub(super) const LEAST: f64 = 0.5;
    pub(super) const CERTAIN: f64 = 1.3;
}

/// A field that somebody asks for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Asked {
    /// Its name.
    pub name: String,
    /// What it is, in words; may be empty.
    pub description: String,
}

impl Asked {
    /// Fields by their names, with commas between them; or from a schema in a file, whose descriptions say what they are.
    ///
    /// # Errors
    ///
    /// The file cannot be read, or is no schema.
    pub fn read(text: &str) -> Result<Vec<Asked>, MakeError> {
        let file = Path::new(text);
        if !file.is_file() {
            let names = text.split(',').map(str::trim).filter(|name| !name.is_empty());
            let asked = names.map(|name| Asked {
                // What has several words is its own description.
                name: name.split_whitespace().collect::<Vec<_>>().join("_"),
                description: name.to_owned(),
            });
            let asked: Vec<Asked> = asked.collect();
            return match asked.is_empty() {
                true => Err(RenameError::NothingLeft.into()),
                false => Ok(asked),
            };
        }
        let schema = Schema::open(file)?;
        let kind = schema.given.record_type().map_err(|error| MakeError::Schema {
            place: format!("{}, {}", schema.name, error.place),
            message: error.message,
            expected: "a JSON Schema may have type, properties, required, items, format and pattern",
        })?;
        let described = match &schema.given {
            Given::JsonSchema(text) => serde_json::from_str(text).unwrap_or_default(),
            Given::Dtd(_) => serde_json::Value::Null,
        };
        let fields = match described.get("items") {
            Some(items) => &items["properties"],
            None => &described["properties"],
        };
        let asked = kind.fields().iter().map(|field| Asked {
            name: field.name.clone(),
            description: fields[&field.name]["description"].as_str().unwrap_or("").to_owned(),
        });
        Ok(asked.collect())
    }
}

/// A pick that is less sure than this is said to be so.
pub const SURE: f64 = 0.6;

impl Pick {
    /// The pick in words.
    pub fn to_text(&self) -> String {
        let sure = self.sure * 100.0;
        let next = self
            .next
            .as_ref()
            .map_or_else(String::new, |next| format!("; next best: `{next}`"));
        match &self.field {
            Some(field) if self.sure >= SURE => format!("`{}` is `{field}` ({sure:.0} % sure)", self.name),
            Some(field) => format!("`{}` may be `{field}` ({sure:.0} % sure{next})", self.name),
            None => format!("`{}` was not found{next}", self.name),
        }
    }
}

/// What was found for a field that was asked for.
#[derive(Clone, Debug, PartialEq)]
pub struct Pick {
    /// The name that was asked for.
    pub name: String,
    /// The field of the wrapper, if one was found.
    pub field: Option<String>,
    /// How sure that is, from 0 to 1.
    pub sure: f64,
    /// The next best field.
    pub next: Option<String>,
}

/// A field of the wrapper, with what the witnesses need.
struct Candidate {
    values: FieldValues,
    /// What readers see: the name and the labels, and the names of structured data; and what elements are called.
    seen: Vec<Vec<String>>,
    unseen: Vec<Vec<String>>,
    /// The share of pages that have it.
    coverage: f64,
    order: f64,
    /// The share of values that are addresses of pages or pictures.
    addresses: f64,
}

impl Candidate {
    fn name(&self) -> &str {
        &self.values.name
    }

    /// Things have names of their own: what several pages share is something else, such as the maker.
    fn uniqueness(&self) -> f64 {
        (self.values.different as f64 / self.values.firsts.len().max(1) as f64).powi(2)
    }

    /// Has another field the same texts, on all pages that have both, and on most?
    fn says_as(&self, other: &Candidate) -> bool {
        let (mine, theirs) = (&self.values.firsts, &other.values.firsts);
        let mut both = 0;
        for (page, text, _) in mine {
            // Pages are in order.
            if let Ok(at) = theirs.binary_search_by_key(page, |(page, _, _)| *page) {
                if theirs[at].1 != *text {
                    return false;
                }
                both += 1;
            }
        }
        both * 2 > mine.len()
    }

    /// Is it in the items of a list? A list of one item on each page does not count.
    fn is_inside(&self) -> bool {
        self.values.name.contains('.') && self.values.count > self.values.firsts.len()
    }
}

/// Finds the fields that are asked for.
pub fn choose_fields(wrapper: &Wrapper, documents: &[Document], asked: &[Asked]) -> Vec<Pick> {
    let candidates = candidates(wrapper, documents);
    let names = names_of_things(&candidates, documents.len());
    let meanings: Vec<Meaning> = asked.iter().map(Meaning::of).collect();
    let scores: Vec<Vec<f64>> = meanings
        .iter()
        .map(|meaning| {
            let fits: Vec<Option<f64>> = candidates.iter().map(|candidate| meaning.fits(candidate)).collect();
            let like = |(fit, candidate): &(&Option<f64>, &Candidate)| {
                fit.is_some_and(|fit| fit >= 0.5) && !candidate.is_inside() && !candidate.values.is_twin
            };
            let rivals: Vec<usize> = (0..candidates.len())
                .filter(|number| like(&(&fits[*number], &candidates[*number])))
                .collect();
            let leads = leads(&candidates, &rivals, &names);
            let each = candidates.iter().zip(&fits).zip(leads);
            each.map(|((candidate, fit), leads)| meaning.score(candidate, *fit, rivals.len(), leads))
                .collect()
        })
        .collect();
    let ranks: Vec<Vec<f64>> = meanings
        .iter()
        .zip(&scores)
        .map(|(meaning, scores)| {
            let each = candidates.iter().zip(scores);
            each.map(|(candidate, score)| score + meaning.main(candidate)).collect()
        })
        .collect();
    let mut pairs: Vec<(usize, usize)> = (0..asked.len())
        .flat_map(|name| (0..candidates.len()).map(move |field| (name, field)))
        .collect();
    pairs.sort_by(|a, b| ranks[b.0][b.1].total_cmp(&ranks[a.0][a.1]).then_with(|| a.cmp(b)));
    let mut chosen: Vec<Option<usize>> = vec![None; asked.len()];
    for (name, field) in pairs {
        let is_free = chosen[name].is_none() && !chosen.contains(&Some(field));
        if is_free && ranks[name][field] >= weights::LEAST {
            chosen[name] = Some(field);
        }
    }
    let pick = |(number, asked): (usize, &Asked)| {
        let of = &scores[number];
        let best = chosen[number];
        let taken = |field: &usize| chosen.contains(&Some(*field));
        let next = (0..of.len())
            .filter(|field| !taken(field))
            .max_by(|a, b| of[*a].total_cmp(&of[*b]));
        let score = best.map_or(0.0, |best| of[best]);
        // A field that says the same elsewhere on the page is no rival.
        let is_rival =
            |field: &usize| !taken(field) && best.is_none_or(|best| !candidates[best].says_as(&candidates[*field]));
        let rival = (0..of.len())
            .filter(is_rival)
            .map(|field| of[field])
            .fold(0.0, f64::max);
        let clear = ((score - rival) / (0.3 * score.max(0.01))).clamp(0.0, 1.0);
        let strong = (score / weights::CERTAIN).clamp(0.0, 1.0);
        // What has the kind and the place only is a guess.
        let is_said = best.is_some_and(|best| meanings[number].is_said_of(&candidates[best]));
        let most = if is_said { 1.0 } else { weights::GUESS };
        Pick {
            name: asked.name.clone(),
            field: best.map(|best| candidates[best].name().to_owned()),
            sure: (strong * (0.5 + 0.5 * clear)).min(most),
            next: next
                .filter(|next| of[*next] >= weights::LEAST / 2.0)
                .map(|next| candidates[next].name().to_owned()),
        }
    };
    asked.iter().enumerate().map(pick).collect()
}

/// The wrapper that shows the fields that were found, under the names that were asked for. Fields that have such a name and are
/// not meant get another one.
///
/// # Errors
///
/// [`MakeError::Rename`] if none was found, or if a field cannot be renamed.
pub fn with_picks(wrapper: &Wrapper, picks: &[Pick]) -> Result<Wrapper, MakeError> {
    match picks.iter().any(|pick| pick.field.is_some()) {
        true => edit_of(wrapper, picks).apply(wrapper),
        // To show all fields instead would be something else than what was asked for.
        false => Err(RenameError::NothingFound(picks.iter().map(|pick| pick.name.clone()).collect()).into()),
    }
}

fn edit_of(wrapper: &Wrapper, picks: &[Pick]) -> crate::fields::Edit {
    let found: Vec<(&str, &str)> = picks
        .iter()
        .filter_map(|pick| Some((pick.field.as_deref()?, pick.name.as_str())))
        .collect();
    let mut edit = crate::fields::Edit {
        keep: found.iter().map(|(field, _)| (*field).to_owned()).collect(),
        ..Default::default()
    };
    let known: Vec<String> = crate::fields::list(wrapper)
        .into_iter()
        .map(|field| field.name)
        .collect();
    let top = |name: &str| name.split('.').next().unwrap_or(name).to_owned();
    for (field, name) in &found {
        let last = field.rsplit('.').next().unwrap_or(field);
        if last != *name {
            edit.rename.push(((*field).to_owned(), (*name).to_owned()));
        }
        // Another field of the same record has the name.
        let beside = match field.rsplit_once('.') {
            Some((around, _)) => format!("{around}.{name}"),
            None => (*name).to_owned(),
        };
        let is_meant = found.iter().any(|(other, _)| *other == beside);
        let is_there = known.iter().any(|known| *known == beside || top(known) == beside);
        if is_there && !is_meant && *field != beside {
            edit.rename.push((beside.clone(), format!("other_{name}")));
        }
    }
    edit
}

fn candidates(wrapper: &Wrapper, documents: &[Document]) -> Vec<Candidate> {
    let tables = wrapper.record_type.tables();
    let mut profiles: BTreeMap<String, &crate::profile::FieldProfile> = BTreeMap::new();
    for (table, profile) in tables.iter().zip(&wrapper.evidence.profiles) {
        for (column, field) in table.columns.iter().zip(&profile.fields) {
            profiles.insert([&table.path[..], &column.path].concat().join("."), field);
        }
    }
    let listed = values(wrapper, documents);
    let count = listed.len().max(1) as f64;
    let mut candidates: Vec<Candidate> = Vec::new();
    // A field of labels says what the next one is.
    let mut before: Option<Vec<String>> = None;
    for (order, field) in listed.into_iter().enumerate() {
        let profile = profiles.get(&field.name);
        let often = |counts: &BTreeMap<String, u64>| -> Vec<String> {
            let most = counts.values().copied().max().unwrap_or(0);
            let some = counts.iter().filter(|(_, of)| **of * 2 >= most && **of > 0);
            some.map(|(text, _)| text.clone()).collect()
        };
        let last = field.name.rsplit('.').next().unwrap_or(&field.name);
        let own = words(last);
        let mut seen: Vec<Vec<String>> = Vec::new();
        if own.first().is_none_or(|first| !BY_KIND.contains(&first.as_str())) {
            seen.push(own);
        }
        seen.extend(before.take());
        seen.extend(
            profile
                .iter()
                .flat_map(|profile| often(&profile.labels))
                .map(|label| words(&label)),
        );
        seen.extend(
            field
                .keys
                .iter()
                .map(|path| words(path.rsplit('.').next().unwrap_or(path))),
        );
        let unseen = profile
            .iter()
            .flat_map(|profile| often(&profile.names))
            .map(|name| words(&name))
            .collect();
        if field.is_label() {
            before = field.firsts.first().map(|(_, text, _)| words(text));
        }
        candidates.push(Candidate {
            seen,
            unseen,
            coverage: field.firsts.len() as f64 / documents.len().max(1) as f64,
            order: order as f64 / count,
            addresses: field.share(|text| {
                let found = kinds(text);
                found.contains(Kind::Link) || found.contains(Kind::Image)
            }),
            values: field,
        });
    }
    candidates
}

/// Where each page has the name of the thing that it is about, for readers.
fn names_of_things(candidates: &[Candidate], pages: usize) -> Vec<Option<NodeId>> {
    let best = candidates
        .iter()
        .filter(|candidate| candidate.values.titled >= TITLED && !candidate.values.is_in_head)
        .max_by(|a, b| {
            // The first of several.
            let by = |of: &Candidate| of.values.titled;
            by(a).total_cmp(&by(b)).then_with(|| b.order.total_cmp(&a.order))
        });
    let mut names = vec![None; pages];
    for (page, _, node) in best.iter().flat_map(|best| &best.values.firsts) {
        names[*page] = Some(*node);
    }
    names
}

/// A field that is so much what pages call themselves has the name of the thing.
const TITLED: f64 = 0.5;

/// For each field the share of pages on which it is the first of some fields after the name of the thing.
fn leads(candidates: &[Candidate], of: &[usize], names: &[Option<NodeId>]) -> Vec<f64> {
    let mut first: Vec<Option<(NodeId, usize)>> = vec![None; names.len()];
    for &number in of {
        for (page, _, node) in &candidates[number].values.firsts {
            let is_after = names[*page].is_some_and(|name| name < *node);
            if is_after && first[*page].is_none_or(|(other, _)| *node < other) {
                first[*page] = Some((*node, number));
            }
        }
    }
    let mut leads = vec![0.0; candidates.len()];
    for (_, number) in first.into_iter().flatten() {
        leads[number] += 1.0 / names.len().max(1) as f64;
    }
    leads
}

/// Names that fields have because of what their values look like, where a page says nothing about them.
const BY_KIND: [&str; 8] = ["image", "email", "link", "price", "date", "time", "phone", "address"];

/// What a name means.
struct Meaning {
    /// Its own words; words that mean the same; words of the description.
    own: Vec<String>,
    meant: Vec<Vec<String>>,
    described: Vec<String>,
    concept: Option<&'static synonyms::Concept>,
}

impl Meaning {
    fn of(asked: &Asked) -> Meaning {
        let own = words(&asked.name.replace(['_', '-'], " "));
        let described: Vec<String> = words(&asked.description)
            .into_iter()
            .filter(|word| !synonyms::EMPTY.contains(&word.as_str()))
            .collect();
        let concept = synonyms::concept(&own, &described);
        let meant = concept.map_or_else(Vec::new, |concept| {
            concept.words.iter().map(|phrase| words(phrase)).collect()
        });
        Meaning {
            meant,
            described,
            concept,
            own,
        }
    }

    /// How much words agree, from 0 to 1.
    fn words(&self, of: &[String]) -> f64 {
        // A number at the end tells fields of one name apart.
        let of: Vec<&String> = of
            .iter()
            .filter(|word| !word.chars().all(|c| c.is_ascii_digit()))
            .collect();
        if of.is_empty() {
            return 0.0;
        }
        let part = |phrase: &[String], weight: f64| {
            let found = phrase
                .iter()
                .filter(|word| of.iter().any(|other| alike(word, other)))
                .count();
            let all = phrase.len().max(1);
            // All of what was asked for, and little else.
            let full = (found as f64 / all as f64).powi(2);
            weight * full * (0.5 + 0.5 * found as f64 / of.len().max(all) as f64)
        };
        let meant = self
            .meant
            .iter()
            .map(|phrase| {
                // What the description names, too, is what was asked for.
                let is_described = phrase.iter().all(|word| self.described.contains(word));
                part(phrase, if is_described { weights::NAMED } else { weights::MEANT })
            })
            .fold(0.0, f64::max);
        let described = self
            .described
            .iter()
            .map(|word| part(std::slice::from_ref(word), weights::DESCRIBED));
        let other = self.concept.map_or(&[][..], |concept| concept.other);
        let is_other = |word: &&&String| {
            other.contains(&word.as_str()) && !self.own.contains(word) && !self.described.contains(word)
        };
        let share = if of.iter().any(|word| is_other(&word)) {
            weights::OTHER
        } else {
            1.0
        };
        share
            * part(&self.own, weights::SAME)
                .max(meant)
                .max(described.fold(0.0, f64::max))
    }

    /// The share of the values that are what was asked for by their looks; `None` if looks tell nothing.
    fn fits(&self, field: &Candidate) -> Option<f64> {
        let concept = self.concept?;
        if concept.kinds.is_empty() && concept.values.is_empty() && !concept.is_place {
            return None;
        }
        let is_kind = |text: &str| {
            let found = kinds(text);
            concept.kinds.iter().any(|kind| found.contains(*kind))
        };
        Some(field.values.share(|text| {
            is_kind(text) || synonyms::is_value(concept, text) || concept.is_place && synonyms::is_place_name(text)
        }))
    }

    /// How much the page says that a field is what was asked for.
    fn said(&self, field: &Candidate) -> f64 {
        let best = |all: &[Vec<String>]| all.iter().map(|of| self.words(of)).fold(0.0, f64::max);
        best(&field.seen).max(weights::UNREAD * best(&field.unseen))
    }

    /// Does the page say anything about it, in words or in its title?
    fn is_said_of(&self, field: &Candidate) -> bool {
        self.concept.is_some_and(|concept| concept.titled) || self.said(field) >= weights::DESCRIBED * weights::UNREAD
    }

    /// What is added to the score of a field that the wrapper itself calls the name of the thing. It was called so because of the
    /// same titles, so it decides between fields, and does not make the choice surer.
    fn main(&self, field: &Candidate) -> f64 {
        let is_main = matches!(field.name(), "title" | "name") && self.concept.is_some_and(|concept| concept.titled);
        match is_main && !field.values.firsts.is_empty() {
            true => weights::MAIN * field.uniqueness(),
            false => 0.0,
        }
    }

    /// How much a field is what was asked for. `rivals` is the number of fields that look like it, `leads` the share of pages on
    /// which it is the first of them.
    fn score(&self, field: &Candidate, fits: Option<f64>, rivals: usize, leads: f64) -> f64 {
        let values = &field.values;
        if values.firsts.is_empty() || values.is_label() {
            return 0.0;
        }
        let said = self.said(field);
        let titled = self.concept.is_some_and(|concept| concept.titled);
        let digits = self.concept.is_some_and(|concept| concept.digits);
        let mut score = said;
        if titled {
            score = weights::TITLE * values.titled * field.uniqueness() + 0.3 * said;
        }
        match fits {
            Some(share) => {
                score =
                    score * (weights::UNLIKE + (1.0 - weights::UNLIKE) * share) + weights::KIND * share * said.max(0.4);
                if share >= 0.5 && !field.is_inside() {
                    let alone = weights::ALONE + weights::ALONE * leads.max(1.0 / rivals.max(1) as f64);
                    score = score.max(alone * share) + weights::LEADS * leads * share;
                }
            }
            // A number is no name.
            None if titled || !digits => {
                score *= 1.0 - 0.5 * values.share(|text| text.chars().all(|c| !c.is_alphabetic()));
            }
            None => {}
        }
        if digits {
            score *= 0.3 + 0.7 * values.share(|text| text.chars().any(|c| c.is_ascii_digit()));
        }
        if values.is_constant() {
            let again = values.firsts.len() as f64 - 1.0;
            score *= (1.0 - weights::ONCE_MORE * again).max(weights::CONSTANT);
        }
        let is_address = |kind: &Kind| matches!(kind, Kind::Link | Kind::Image);
        if !self.concept.is_some_and(|concept| concept.kinds.iter().any(is_address)) {
            score *= 1.0 - (1.0 - weights::ADDRESS) * field.addresses;
        }
        if field.is_inside() {
            score *= weights::INSIDE;
        }
        if values.is_twin {
            score *= weights::TWIN;
        }
        score * (0.25 + 0.75 * field.coverage) + weights::FIRST * (1.0 - field.order) * f64::from(u8::from(score > 0.0))
    }
}

/// Are two words the same, or forms of one word?
fn alike(one: &str, other: &str) -> bool {
    let shorter = one.len().min(other.len());
    one == other
        || (shorter >= 4 && (one.starts_with(other) || other.starts_with(one)) && one.len().abs_diff(other.len()) <= 3)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Job, ParseSettings};

    fn asked(names: &[(&str, &str)]) -> Vec<Asked> {
        let of = |(name, description): &(&str, &str)| Asked {
            name: (*name).to_owned(),
            description: (*description).to_owned(),
        };
        names.iter().map(of).collect()
    }

    /// What is found for a name on some pages.
    fn found(pages: &[String], name: &str) -> (Pick, Option<String>) {
        let read = |(number, html): (usize, &String)| {
            Document::from_source(format!("{number}"), html.clone(), &ParseSettings::default()).expect("a page")
        };
        let pages: Vec<Document> = pages.iter().enumerate().map(read).collect();
        let settings = crate::make::InferSettings {
            method: crate::make::Method::Landmarks,
            ..Default::default()
        };
        let wrapper = crate::infer(&pages, &settings, &Job::new()).expect("a wrapper").wrapper;
        let pick = choose_fields(&wrapper, &pages, &asked(&[(name, "")])).remove(0);
        let value = pick.field.as_ref().and_then(|_| {
            let chosen = with_picks(&wrapper, std::slice::from_ref(&pick)).expect("a wrapper");
            let record = chosen.extract(&pages[0]).expect("records").remove(0);
            record.get(name).map(str::to_owned)
        });
        (pick, value)
    }

    /// Three pages about cars: what is given is before and after the table.
    fn cars(before: [&str; 3], after: [&str; 3]) -> Vec<String> {
        let cars = [
            ("Ford Fusion", "$24,655"),
            ("Toyota Yaris", "$13,365"),
            ("Kia Soul", "$15,190"),
        ];
        let page = |((car, price), (before, after)): ((&str, &str), (&str, &str))| {
            format!(
                "<title>{car} at Cars</title>{before}<h1>{car}</h1><table><tr><td>MSRP:</td><td>{price}</td></tr>\
                 <tr><td>Engine:</td><td>{car} motor</td></tr></table>{after}"
            )
        };
        cars.into_iter().zip(before.into_iter().zip(after)).map(page).collect()
    }

    /// A field is called `price` because its values are prices: that is not a word of the page, and a label says more.
    #[test]
    fn names_by_kind_are_no_witness() {
        let others = [
            "<p><a href=/1>Fiat 500</a> <b>$9,990</b></p>",
            "<p><a href=/2>Audi A6</a> <b>$45,200</b></p>",
            "<p><a href=/3>Volvo S60</a> <b>$31,450</b></p>",
        ];
        for pages in [cars(others, [""; 3]), cars([""; 3], others)] {
            let (pick, value) = found(&pages, "price");
            assert_eq!(value.as_deref(), Some("$24,655"), "{pick:?}");
        }
    }

    /// Without any words, the first price after the name of the thing is meant, and that is not sure.
    #[test]
    fn of_several_prices_the_first_after_the_title_is_meant() {
        let page = |(name, price, other): (&str, &str, &str)| {
            format!(
                "<title>{name} at Cams</title><p><i>{other}9</i> on sale today</p><h1>{name}</h1><div><b>{price}</b></div><p>Buy it</p>\
                 <div><a href=/>With a lens</a> <b>{other}</b></div><div><a href=/>With a bag</a> <b>{other}5</b></div>"
            )
        };
        let pages = [
            ("Casio G1", "$189.99", "$19.9"),
            ("Samsung TL", "$299.99", "$29.9"),
            ("Leica M", "$999.00", "$7.9"),
        ]
        .map(page);
        let (pick, value) = found(&pages, "price");
        assert_eq!(value.as_deref(), Some("$189.99"), "{pick:?}");
        assert!(pick.sure < SURE, "{pick:?}");
    }

    /// What a link says, not where it leads; what follows a label is told by it in both cases.
    #[test]
    fn addresses_are_found_only_if_they_are_asked_for() {
        let page = |(name, number): (&str, usize)| {
            format!(
                "<title>{name}</title><h1>{name}</h1><p>Team: <b>http://teams.example/t?no={number}</b></p><p class=team>Team{number}</p>"
            )
        };
        let pages = [("Al Horford", 11), ("Nate Robinson", 2), ("Emeka Okafor", 7)].map(page);
        let (pick, value) = found(&pages, "team");
        assert_eq!(value.as_deref(), Some("Team11"), "{pick:?}");
        let (pick, value) = found(&pages, "website");
        assert_eq!(value.as_deref(), Some("http://teams.example/t?no=11"), "{pick:?}");
    }

    /// Three pages that say the same after a label prove little.
    #[test]
    fn few_pages_may_agree_by_chance() {
        let page = |name: &str| {
            format!(
                "<title>{name}</title><h1>{name}</h1><table><tr><td>Running time:</td><td>{} min</td></tr><tr><td>MPAA rating:</td><td>R</td></tr></table>",
                name.len() * 9
            )
        };
        let pages = ["Manhattan", "Midnight Run", "Stealth"].map(page);
        let (pick, value) = found(&pages, "mpaa_rating");
        assert_eq!(value.as_deref(), Some("R"), "{pick:?}");
    }

    #[test]
    fn names_find_their_fields() {
        let goods = [
            ["Kelp", "Ada Merrow", "12.50 €", "May 9, 2019", "978-3-16-148410-0"],
            [
                "Salt Road",
                "Jonas Thule",
                "9.00 €",
                "June 1, 2020",
                "978-0-306-40615-7",
            ],
            [
                "A Field Guide",
                "Ines Calder",
                "24.90 €",
                "March 3, 2018",
                "978-1-86197-876-9",
            ],
            ["Moss", "Bo Lind", "7.25 €", "July 7, 2021", "978-0-14-044913-6"],
        ];
        let page = |(number, [title, author, price, date, isbn]): (usize, &[&str; 5])| {
            let html = format!(
                "<title>{title} - The Shop</title><p><a href=/>Home</a></p><h1>{title}</h1><p>Writer: <b>{author}</b></p>\
                 <table><tr><td>Our price</td><td>{price}</td></tr><tr><td>Released</td><td>{date}</td></tr>\
                 <tr><td>ISBN</td><td>{isbn}</td></tr></table>"
            );
            Document::from_source(format!("{number}"), html, &ParseSettings::default()).expect("a page")
        };
        let pages: Vec<Document> = goods.iter().enumerate().map(page).collect();
        let wrapper = crate::infer(&pages, &Default::default(), &Job::new())
            .expect("a wrapper")
            .wrapper;
        let wanted = asked(&[
            ("title", "title of the book"),
            ("author", "author of the book"),
            ("price", ""),
            ("publication_date", "date of publication"),
            ("isbn_13", "ISBN-13"),
            ("colour", ""),
        ]);
        let picks = choose_fields(&wrapper, &pages, &wanted);
        assert_eq!(picks[5].field, None, "{picks:?}");
        let chosen = with_picks(&wrapper, &picks).expect("a wrapper");
        let record = &chosen.extract(&pages[1]).expect("records")[0];
        let given: Vec<Option<&str>> = wanted.iter().map(|asked| record.get(&asked.name)).collect();
        let expected = [
            Some("Salt Road"),
            Some("Jonas Thule"),
            Some("9.00 €"),
            Some("June 1, 2020"),
            Some("978-0-306-40615-7"),
            None,
        ];
        assert_eq!(given, expected, "{picks:?}");
    }
}
