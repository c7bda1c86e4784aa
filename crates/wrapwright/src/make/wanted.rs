//! Fields by name: which of the inferred fields are the ones that somebody asks for?
//!
//! **In**: an inferred wrapper, its pages, and names with or without a description (`price`, `date of publication`). **Out**: for
//! each name the field that it means, how sure that is, and the next best one; or none.
//!
//! There is no language model. Four witnesses speak for a field, and what they say is added up (`weights`):
//!
//! - *words*: what the page calls it: its label, its name, its `itemprop` and classes, and the names of structured data with the same
//!   values, compared with what was asked for and with a small table of words that mean the same (`synonyms`);
//! - *kind*: a price must look like prices, a date like dates (see [`crate::record::values`]), and a cuisine is one of those that
//!   many people know. A field that looks like it may be it even if nothing is said about it, but then that is not sure;
//! - *title*: what the head of the page, its structured data and the largest heading agree on is the name of the thing
//!   ([`page::titles`]), and things have names of their own;
//! - *use*: it is on all pages, and not the same on all of them.
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
use crate::record::values::kinds;
use crate::{Document, Wrapper};
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
    /// What is left for a text that is the same on all pages; for the fields of lists inside; for twins.
    pub(super) const CONSTANT: f64 = 0.4;
    pub(super) const INSIDE: f64 = 0.7;
    pub(super) const TWIN: f64 = 0.75;
    /// It is what the wrapper calls the name of the thing.
    pub(super) const MAIN: f64 = 0.35;
    /// What is left of words whose values do not look like what was asked for.
    pub(super) const UNLIKE: f64 = 0.55;
    /// The values look like what was asked for, and nothing is said about them: this much, and once more divided by the number of
    /// fields that look so.
    pub(super) const ALONE: f64 = 0.35;
    /// Fields that come first are more likely to be meant.
    pub(super) const FIRST: f64 = 0.05;
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
}

impl Candidate {
    fn name(&self) -> &str {
        &self.values.name
    }

    /// Is it in the items of a list?
    fn is_inside(&self) -> bool {
        self.values.name.contains('.')
    }
}

/// Finds the fields that are asked for.
pub fn choose_fields(wrapper: &Wrapper, documents: &[Document], asked: &[Asked]) -> Vec<Pick> {
    let candidates = candidates(wrapper, documents);
    let scores: Vec<Vec<f64>> = asked
        .iter()
        .map(|asked| {
            let meaning = Meaning::of(asked);
            let fits: Vec<Option<f64>> = candidates.iter().map(|candidate| meaning.fits(candidate)).collect();
            let like = |(fit, candidate): &(&Option<f64>, &Candidate)| {
                fit.is_some_and(|fit| fit >= 0.5) && !candidate.is_inside() && !candidate.values.is_twin
            };
            let rivals = fits.iter().zip(&candidates).filter(like).count();
            let each = candidates.iter().zip(&fits);
            each.map(|(candidate, fit)| meaning.score(candidate, *fit, rivals))
                .collect()
        })
        .collect();
    let mut pairs: Vec<(usize, usize)> = (0..asked.len())
        .flat_map(|name| (0..candidates.len()).map(move |field| (name, field)))
        .collect();
    pairs.sort_by(|a, b| scores[b.0][b.1].total_cmp(&scores[a.0][a.1]).then_with(|| a.cmp(b)));
    let mut chosen: Vec<Option<usize>> = vec![None; asked.len()];
    for (name, field) in pairs {
        let is_free = chosen[name].is_none() && !chosen.contains(&Some(field));
        if is_free && scores[name][field] >= weights::LEAST {
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
        let rival = next.map_or(0.0, |next| of[next]);
        // A rival with the same values is no rival.
        let same = best
            .zip(next)
            .is_some_and(|(best, next)| candidates[best].values.firsts == candidates[next].values.firsts);
        let clear = if same {
            1.0
        } else {
            ((score - rival) / (0.3 * score.max(0.01))).clamp(0.0, 1.0)
        };
        let strong = (score / weights::CERTAIN).clamp(0.0, 1.0);
        Pick {
            name: asked.name.clone(),
            field: best.map(|best| candidates[best].name().to_owned()),
            sure: strong * (0.5 + 0.5 * clear),
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
        let mut seen = vec![words(last)];
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
            values: field,
        });
    }
    candidates
}

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
        part(&self.own, weights::SAME)
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

    /// How much a field is what was asked for; `rivals` are the fields that look like it.
    fn score(&self, field: &Candidate, fits: Option<f64>, rivals: usize) -> f64 {
        let values = &field.values;
        if values.firsts.is_empty() || values.is_label() {
            return 0.0;
        }
        let best = |all: &[Vec<String>]| all.iter().map(|of| self.words(of)).fold(0.0, f64::max);
        let said = best(&field.seen).max(weights::UNREAD * best(&field.unseen));
        let titled = self.concept.is_some_and(|concept| concept.titled);
        let digits = self.concept.is_some_and(|concept| concept.digits);
        let mut score = said;
        if titled {
            // Things have names of their own: what several pages share is something else, such as the maker.
            let unique = (values.different as f64 / values.firsts.len() as f64).powi(2);
            score = weights::TITLE * values.titled * unique + 0.3 * said;
            if matches!(field.name(), "title" | "name") {
                score += weights::MAIN * unique;
            }
        }
        match fits {
            Some(share) => {
                score =
                    score * (weights::UNLIKE + (1.0 - weights::UNLIKE) * share) + weights::KIND * share * said.max(0.4);
                if share >= 0.5 && !field.is_inside() {
                    let alone = weights::ALONE + weights::ALONE / rivals.max(1) as f64;
                    score = score.max(alone * share);
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
            score *= weights::CONSTANT;
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
