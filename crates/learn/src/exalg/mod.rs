//! EXALG: templates from pages without labels (Arasu and Garcia-Molina, 2003).
//!
//! Tokens that occur equally often on every page are there for the same reason: they belong to one type constructor of the
//! template. [`infer`] finds such classes of tokens and builds the template from them, module by module as the paper has it:
//!
//! | module | here |
//! |---|---|
//! | DIFFFORM | `dtokens`: pages as strings of numbers, told apart by path |
//! | FINDEQ | `findeq`: classes of equal occurrence vectors |
//! | HANDINV | `handinv` and `strays`: classes that cannot be right are divided or dropped |
//! | DIFFEQ | `diffeq`: tokens told apart by their position in classes, in `tree` by their elements, in `labels` by the labels inside them, in `ordinals` by their number; then FINDEQ again |
//! | CONSTTEMP | `build`: the template, by the patterns of what is between the tokens of a class |
//! | EXVAL | `wrapper::rule::template::Run`, for these pages as for others |
//!
//! Every module is linear in the pages, and the loop is cut off after [`ITERATIONS`] rounds. What fails by design: a set that
//! has the same number of elements on every page may be taken for that number of tuples; a constructor with fewer than SIZETHRES
//! tokens, or on fewer than SUPTHRES of the pages, is not found, and its values stay in the text around it; a word of the data
//! that is equally often on every page, in its place, is taken for template.

mod build;
mod check;
mod diffeq;
mod dtokens;
mod findeq;
mod handinv;
mod labels;
mod lone;
mod names;
mod ordinals;
mod places;
mod rows;
mod small;
mod strays;
#[cfg(test)]
mod tests;
mod tree;

pub(crate) use rows::parts;

use crate::infer::InferError;
use dtokens::Collection;
use findeq::{Class, Limits, Strings};
use page::job::Event;
use page::{Job, NodeId, Page};
use small::Stage;
use std::collections::{BTreeMap, BTreeSet};
use wrapper::rule::template::{Run, Step, Template, What, left_out, telling_kinds};

/// The most rounds of the loop.
pub const ITERATIONS: usize = 32;

/// How to infer a template.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TemplateSettings {
    /// How many tokens a class must have (SIZETHRES).
    pub size: usize,
    /// On which part of the pages a class must be (SUPTHRES); at least on two.
    pub support: f64,
    /// Are attributes of tags whose values differ fields, too?
    pub attributes: bool,
    /// Only what the paper describes, without our additions? Then lists with odd rows, small classes and much else is
    /// not found; this is for comparison.
    pub paper: bool,
}

impl Default for TemplateSettings {
    fn default() -> TemplateSettings {
        TemplateSettings {
            size: 3,
            support: 0.25,
            attributes: true,
            paper: false,
        }
    }
}

/// A template and how it came about.
#[derive(Clone, Debug)]
pub struct Inferred {
    /// The template.
    pub template: Template,
    /// Rounds of the loop.
    pub iterations: usize,
    /// Classes at its end.
    pub classes: usize,
    /// Fields that were dropped because they have no value on any of the pages.
    pub dropped: usize,
}

/// Infers a template from pages that it made. From one page, or several that are all the same, a list on it is inferred.
/// When the job is stopped, the template is made of the classes known by then.
///
/// # Errors
///
/// When there is no page with text, or one alone and no list on it.
///
/// ```
/// use page::Page;
/// let page = |title: &str, names: &[&str]| {
///     let items: String = names.iter().map(|name| format!("<li><b>Name</b><i>{name}</i></li>")).collect();
///     let html = format!("<h1>Book</h1><p>{title}</p><ul>{items}</ul>");
///     Page::parse(html.as_bytes(), &Default::default()).unwrap()
/// };
/// let pages = [page("One", &["Ada", "Bob"]), page("Two", &["Cy"]), page("Three", &["Di", "Ed", "Flo"])];
/// let inferred = learn::exalg::infer(&pages.iter().collect::<Vec<_>>(), &Default::default(), &page::Job::new())?;
/// let infix = wrapper::rule::template::infix(&inferred.template, false);
/// assert!(infix.ends_with("<p> * </p> <ul> {<<li> <b> Name </b> <i> * </i> </li>>} </ul> </body> </html>>"), "{infix}");
/// # Ok::<(), learn::infer::InferError>(())
/// ```
pub fn infer(pages: &[&Page], settings: &TemplateSettings, job: &Job) -> Result<Inferred, InferError> {
    let dummies = settings.size.max(3);
    let mut collection = Collection::new(pages, &[], dummies, settings.paper);
    let is_word = |symbol: &dtokens::Symbol| matches!(symbol.what, wrapper::rule::template::What::Word(_));
    if !pages.is_empty() && !collection.symbols.iter().flatten().any(is_word) {
        return Err(InferError::NoText);
    }
    let strings = &collection.strings.pages;
    let alike = strings.iter().all(|page| *page == strings[0]);
    let mut words = Vec::new();
    let mut inferred = if alike {
        let error = if pages.len() < 2 {
            InferError::TooFew(pages.len())
        } else {
            InferError::Identical
        };
        let doc = collection.docs.first().ok_or(error)?;
        let lists = match settings.paper {
            true => Vec::new(),
            false => rows::find(&pages[..1]),
        };
        if lists.is_empty() {
            let rows = lone::rows(doc.page, &doc.tokens).ok_or(error)?;
            collection = Collection::of_parts(doc.page, &doc.tokens, &rows, dummies);
            let (mut inferred, _) = by_classes(collection, settings, job);
            inferred.template = lone::list_of(inferred.template);
            inferred
        } else {
            Inferred {
                template: with_lists(lone::nothing(), &lists),
                iterations: 0,
                classes: 0,
                dropped: 0,
            }
        }
    } else {
        let (inferred, known) = by_classes(collection, settings, job);
        words = known;
        inferred
    };
    if !alike && !settings.paper {
        let mut lists = rows::find(pages);
        lists.retain(|list| repeats(pages, list) && places::is_one(pages, &words, list));
        lists.retain(|list| !mixes_labels(pages, list));
        places::keep_told(pages, &mut lists);
        let run = Run::new(&inferred.template);
        let mut covers = rows::covered(pages, &run, &lists);
        // Of lists that only their labels tell apart, all are read in the same way: one alone would have the rows of the others.
        let bare: Vec<bool> = covers.iter().map(Option::is_none).collect();
        for (list, cover) in lists.iter().zip(&mut covers) {
            if lists
                .iter()
                .zip(&bare)
                .any(|(other, bare)| *bare && places::are_twins(list, other))
            {
                *cover = None;
            }
        }
        let mut number = 0;
        let (lists, mut kept): (Vec<rows::Found>, Vec<rows::Found>) = lists.into_iter().partition(|_| {
            number += 1;
            covers[number - 1].is_none()
        });
        covers.retain(Option::is_some);
        if !lists.is_empty() {
            // The rest of the template is inferred without them: their rows are not alike.
            let hidden: Vec<Vec<(NodeId, NodeId)>> = pages
                .iter()
                .map(|page| {
                    let found: Vec<_> = lists.iter().map(|list| places::read(page, list, &lists)).collect();
                    left_out(&found)
                })
                .collect();
            let collection = Collection::new(pages, &hidden, dummies, false);
            (inferred, _) = by_classes(collection, settings, job);
            kept.retain(|list| !list.is_in(&hidden));
            covers = rows::covered(pages, &Run::new(&inferred.template), &kept);
            inferred.template = with_lists(inferred.template, &lists);
        }
        for (list, cover) in kept.iter().zip(&covers) {
            // On pages that nobody has seen, rows may be odd.
            if let Some(rows::Cover { set, fields, .. }) = cover.as_ref().filter(|cover| cover.plain) {
                inferred.template.rows.push(list.backing(*set, fields));
            }
        }
    }
    inferred.dropped = check::drop_empty(pages, &mut inferred.template);
    names::name_fields(pages, &mut inferred.template);
    Ok(inferred)
}

/// A label is in this many rows at least.
const COME_BACK: usize = 3;
/// The most pages that are looked at for rows of the same make.
const LOOKED: usize = 8;

/// Are there rows of the same make, on at least half of the pages with two rows or more? Rows have the same make if their leaves have the
/// same paths. Lines that all differ, such as a title, a price and a note with markup of their own, do not repeat: the template tells
/// them apart, and a list would mix them up.
fn repeats(pages: &[&Page], list: &rows::Found) -> bool {
    let (mut several, mut repeated) = (0, 0);
    for page in pages.iter().take(LOOKED) {
        let found = list.rows.find(page);
        let found = found.iter().filter(|row| row.aligned.is_some());
        let makes: Vec<BTreeSet<&str>> = found
            .map(|row| row.leaves.iter().map(|leaf| leaf.path.as_str()).collect())
            .collect();
        if makes.len() > 1 {
            several += 1;
            repeated += usize::from(makes.iter().collect::<BTreeSet<_>>().len() < makes.len());
        }
    }
    repeated * 2 >= several
}

/// Has a list a cell with several labels, such as "Liked:" in one row and "Disliked:" in the next? The value after it would be that of the one or the other.
fn mixes_labels(pages: &[&Page], list: &rows::Found) -> bool {
    let mut said: Vec<BTreeMap<String, usize>> = vec![BTreeMap::new(); list.rows.cells.len()];
    for page in pages {
        for row in list.rows.find(page) {
            for (said, leaf) in said.iter_mut().zip(row.aligned.iter().flatten()) {
                if let Some(leaf) = leaf {
                    *said.entry(row.leaves[*leaf].text.clone()).or_default() += 1;
                }
            }
        }
    }
    // Labels come back in many rows; what differs from row to row is a value, though it may end with a colon.
    let is_label = |(text, times): (&String, &usize)| text.ends_with(':') && *times >= COME_BACK;
    said.iter().any(|said| said.len() > 1 && said.iter().all(is_label))
}

/// The template of a collection, by equivalence classes alone, and the words of its root on each page. Its fields have no names yet.
fn by_classes(
    mut collection: Collection<'_>,
    settings: &TemplateSettings,
    job: &Job,
) -> (Inferred, Vec<places::Words>) {
    let count = collection.docs.len();
    let support = (settings.support * count as f64).ceil() as usize;
    let limits = Limits {
        size: settings.size.max(1),
        support: support.clamp(2, count.max(2)),
        paper: settings.paper,
    };
    let outcome = generate(
        &mut collection.strings,
        limits,
        &collection.symbols,
        &collection.paths,
        job,
    );
    let symbols = outcome
        .first
        .iter()
        .map(|first| collection.symbols[*first as usize].clone());
    collection.symbols = symbols.collect();
    let inferred = Inferred {
        template: build::template(&collection, &outcome.classes, settings),
        iterations: outcome.iterations,
        classes: outcome.classes.len(),
        dropped: 0,
    };
    (inferred, places::Words::of(&collection, &outcome.classes))
}

/// The template with lists that are read by their rows.
fn with_lists(mut template: Template, lists: &[rows::Found]) -> Template {
    for list in lists {
        let first = template.fields.len() as u32;
        template.rows.push(list.numbered(first));
        template
            .fields
            .extend((first..first + list.fields).map(|number| format!("field_{}", number + 1)));
    }
    template
}

/// What the loop ends with.
struct Outcome {
    classes: Vec<Class>,
    iterations: usize,
    /// For each dtoken, the one that it was before the loop.
    first: Vec<u32>,
}

/// What the first dtokens say about later ones.
struct Known<'s> {
    symbols: &'s [Option<dtokens::Symbol>],
    first: &'s [u32],
    paths: &'s [Step],
}

/// Elements whose texts are headings.
const HEADINGS: [&str; 10] = ["h1", "h2", "h3", "h4", "h5", "h6", "dt", "th", "legend", "caption"];

impl Known<'_> {
    fn symbol(&self, token: u32) -> Option<&dtokens::Symbol> {
        self.symbols.get(self.first[token as usize] as usize)?.as_ref()
    }
}

impl labels::About for Known<'_> {
    fn path(&self, token: u32) -> Option<u32> {
        self.symbol(token).map(|symbol| symbol.path)
    }

    fn ends_label(&self, token: u32) -> bool {
        self.symbol(token)
            .is_some_and(|symbol| matches!(&symbol.what, What::Word(word) if word.ends_with(':')))
    }

    fn is_break(&self, token: u32) -> bool {
        self.symbol(token)
            .is_some_and(|symbol| symbol.what == What::Start && self.paths[symbol.path as usize].name == "br")
    }

    fn is_heading(&self, token: u32) -> bool {
        let mut path = self.symbol(token).map_or(0, |symbol| symbol.path);
        while path != 0 {
            let step = &self.paths[path as usize];
            if HEADINGS.contains(&step.name.as_str()) {
                return true;
            }
            if !page::vocabulary::is_phrasing(&step.name) {
                return false;
            }
            path = step.parent;
        }
        false
    }

    fn is_value(&self, words: &[u32]) -> bool {
        let word = |token: &u32| match self.symbol(*token).map(|symbol| &symbol.what) {
            Some(What::Word(word)) => word.as_str(),
            _ => "",
        };
        let text: Vec<&str> = words.iter().map(word).collect();
        !telling_kinds(&text.join(" ")).is_empty()
    }
}

/// The equivalence class generation module: FINDEQ, HANDINV and DIFFEQ until nothing changes; then the same with
/// classes that are smaller, or rarer.
fn generate(
    strings: &mut Strings,
    limits: Limits,
    symbols: &[Option<dtokens::Symbol>],
    paths: &[Step],
    job: &Job,
) -> Outcome {
    let mut first: Vec<u32> = (0..strings.count).collect();
    let mut stage = Stage::Large;
    for iterations in 1.. {
        job.tell(Event::Step {
            done: iterations as u64,
            of: None,
        });
        let symbol = |token: u32| symbols.get(first[token as usize] as usize)?.as_ref();
        let is_item = |symbol: &dtokens::Symbol| paths[symbol.path as usize].name == "li";
        let mut classes = small::handle(strings, limits, stage, symbol, is_item);
        let mut old = None;
        loop {
            if iterations >= ITERATIONS || job.is_stopped() {
                break;
            }
            old = diffeq::differentiate(strings, &classes);
            if !limits.paper {
                let known = Known {
                    symbols,
                    first: &first,
                    paths,
                };
                old = old
                    .or_else(|| tree::differentiate(strings, &classes))
                    .or_else(|| labels::differentiate(strings, &classes, &known))
                    .or_else(|| {
                        ordinals::differentiate(strings, &classes, |token| labels::About::is_break(&known, token))
                    });
            }
            let Some(next) = stage.next().filter(|_| old.is_none() && !limits.paper) else {
                break;
            };
            stage = next;
            classes = small::handle(strings, limits, stage, symbol, is_item);
        }
        let Some(old) = old else {
            return Outcome {
                classes,
                iterations,
                first,
            };
        };
        first = old.iter().map(|old| first[*old as usize]).collect();
    }
    unreachable!("the loop above ends by returning")
}
