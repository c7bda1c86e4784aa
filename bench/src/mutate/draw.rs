//! Draws the steps of a redesign from what the pages of a site have in common.

use super::apply::{cells, may_go, may_stand_beside, may_wrap, movable, rows};
use super::tree::{At, Tree};
use super::truth::{Level, is_gone, levels, normal};
use super::{Change, Kind, Sample, Step, mixed};
use page::{LimitError, NodeId, Page};
use std::collections::{BTreeMap, BTreeSet};
use xtask::random::Random;

/// A step changes one in this many of the kinds that it could change.
const ONE_IN: usize = 3;
/// The percentage of names that are new after a step that renames.
const RENAMED: u8 = 50;
/// Adverts are put only before elements that occur at most this many times on a page.
const RARE: usize = 3;
/// How often a step is drawn again when it cannot be taken.
const TRIES: usize = 24;

/// The pages of a site during a redesign of its template.
#[derive(Debug)]
pub struct Redesign {
    samples: Vec<Sample>,
    levels: Vec<Vec<Vec<Level>>>,
    dropped: BTreeSet<usize>,
    steps: Vec<Step>,
    random: Random,
}

impl Redesign {
    /// Starts with pages as they are, written and parsed once so that all later differences are due to steps.
    ///
    /// # Errors
    ///
    /// A page exceeds the limits.
    pub fn new(samples: Vec<Sample>, site: &str, seed: u64) -> Result<Redesign, LimitError> {
        let mut written = Vec::new();
        for sample in samples {
            let page = parse(&Tree::new(&sample.page).html())?;
            written.push(Sample { page, ..sample });
        }
        Ok(Redesign {
            levels: written
                .iter()
                .map(|sample| levels(&sample.page, &sample.truth))
                .collect(),
            samples: written,
            dropped: BTreeSet::new(),
            steps: Vec::new(),
            random: Random::new(mixed(seed, site)),
        })
    }

    /// The pages as they are now.
    pub fn samples(&self) -> &[Sample] {
        &self.samples
    }

    /// The steps that were taken.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// The fields that are no longer on the pages.
    pub fn dropped(&self) -> &BTreeSet<usize> {
        &self.dropped
    }

    /// How well each value of each field of each page can be found.
    pub fn levels(&self) -> &[Vec<Vec<Level>>] {
        &self.levels
    }

    /// Takes another step of any kind; returns false if the pages allow none.
    pub fn step(&mut self) -> bool {
        let fields = self.samples.first().map_or(0, |sample| sample.truth.len());
        for _ in 0..TRIES {
            let column = self.random.below(2);
            let change = match self.random.below(8) {
                0 => Change::Wrap,
                1 => Change::Unwrap,
                2 => Change::Reorder,
                3 => Change::Rename(RENAMED),
                4 => Change::Adverts,
                5 if fields > 0 => Change::Drop(self.random.below(fields)),
                6 => Change::Swap(column),
                _ => Change::Divs,
            };
            if self.make(change) {
                return true;
            }
        }
        false
    }

    /// Takes a step that makes this change to some of the kinds it applies to; returns false if there are none.
    pub fn make(&mut self, change: Change) -> bool {
        self.make_to(change, ONE_IN)
    }

    fn make_to(&mut self, change: Change, one_in: usize) -> bool {
        let fields = self.samples.first().map_or(0, |sample| sample.truth.len());
        if let Change::Drop(field) = change
            && (field >= fields || self.dropped.contains(&field) || self.dropped.len() + 2 >= fields)
        {
            return false;
        }
        let trees: Vec<Tree> = self.samples.iter().map(|sample| Tree::new(&sample.page)).collect();
        let words = match change {
            Change::Reorder => self.words(),
            _ => Vec::new(),
        };
        let mut kinds = candidates(&trees, change, &words);
        let free = matches!(change, Change::Rename(_) | Change::Drop(_));
        let count = kinds.len().div_ceil(one_in);
        let mut chosen = Vec::new();
        while chosen.len() < count {
            chosen.push(kinds.swap_remove(self.random.below(kinds.len())));
        }
        // A step that would spoil a value may still be possible with fewer kinds of elements.
        while free || !chosen.is_empty() {
            let step = Step {
                change,
                kinds: chosen.clone(),
                words: words.clone(),
                salt: self.random.below(usize::MAX) as u64,
            };
            if self.take(step) {
                return true;
            }
            if free {
                return false;
            }
            chosen.truncate(chosen.len() / 2);
        }
        false
    }

    /// Takes a step, unless it changes hardly anything or would make a value harder to find.
    pub fn take(&mut self, step: Step) -> bool {
        let mut samples = Vec::new();
        let mut all = Vec::new();
        let mut changed = 0;
        for (sample, before) in self.samples.iter().zip(&self.levels) {
            let html = step.apply(sample);
            let Ok(page) = parse(&html) else { return false };
            changed += usize::from(html != sample.page.to_html(NodeId::DOCUMENT));
            let mut new = Sample {
                name: sample.name.clone(),
                page,
                truth: sample.truth.clone(),
            };
            if let Change::Drop(field) = step.change {
                let values = std::mem::take(&mut new.truth[field]);
                if !is_gone(&new, &values) {
                    return false;
                }
            }
            let after = levels(&new.page, &new.truth);
            let worse = after
                .iter()
                .zip(before)
                .any(|(after, before)| after.iter().zip(before).any(|(a, b)| a < b));
            if worse {
                return false;
            }
            samples.push(new);
            all.push(after);
        }
        if changed * 2 < samples.len() || samples.is_empty() {
            return false;
        }
        if let Change::Drop(field) = step.change {
            self.dropped.insert(field);
        }
        self.samples = samples;
        self.levels = all;
        self.steps.push(step);
        true
    }

    /// Texts that at least half of the pages have, sorted.
    fn words(&self) -> Vec<String> {
        let mut pages: BTreeMap<String, usize> = BTreeMap::new();
        for sample in &self.samples {
            let page = &sample.page;
            let texts: BTreeSet<String> = page.texts().iter().map(|at| normal(page.string_value(*at))).collect();
            texts.into_iter().for_each(|text| *pages.entry(text).or_default() += 1);
        }
        pages.retain(|text, count| !text.is_empty() && *count * 2 >= self.samples.len());
        pages.into_keys().collect()
    }
}

/// The kinds of elements to which a change could be made, on at least half of the pages.
fn candidates(trees: &[Tree], change: Change, words: &[String]) -> Vec<Kind> {
    let can = |tree: &Tree, at: At| match change {
        Change::Wrap => may_wrap(tree, at),
        Change::Unwrap => may_go(tree, at),
        Change::Reorder => movable(tree, at, words).len() > 1,
        Change::Adverts => may_stand_beside(tree, at),
        Change::Swap(column) => {
            tree.tag(at) == "table" && rows(tree, at).iter().any(|row| cells(tree, *row).len() > column + 1)
        }
        Change::Divs => tree.tag(at) == "table" && !tree.is_inside(at, "p"),
        Change::Rename(_) | Change::Drop(_) => false,
    };
    let (mut pages, mut never) = (BTreeMap::<Kind, usize>::new(), BTreeSet::<Kind>::new());
    for tree in trees {
        let mut here = BTreeMap::<Kind, usize>::new();
        for at in tree.elements() {
            let Some(kind) = tree.kind(at) else { continue };
            if can(tree, at) {
                *here.entry(kind).or_default() += 1;
            } else if change == Change::Unwrap && !tree.children(at).is_empty() {
                never.insert(kind);
            }
        }
        for (kind, count) in here {
            if change == Change::Adverts && count > RARE {
                never.insert(kind);
            } else {
                *pages.entry(kind).or_default() += 1;
            }
        }
    }
    pages
        .into_iter()
        .filter(|(kind, count)| count * 2 >= trees.len() && !never.contains(kind))
        .map(|(kind, _)| kind)
        .collect()
}

/// Drift that is the same for every site: all classes and ids renamed; an element around the content of the body, and
/// around every second kind of elements; or the second and then the first.
///
/// # Errors
///
/// A page exceeds the limits.
pub fn drift(
    samples: Vec<Sample>,
    site: &str,
    seed: u64,
    renamed: bool,
    wrapped: bool,
) -> Result<Redesign, LimitError> {
    let mut redesign = Redesign::new(samples, site, seed)?;
    if wrapped {
        redesign.make_to(Change::Wrap, 2);
        let mut kinds: BTreeSet<Kind> = BTreeSet::new();
        for sample in &redesign.samples {
            let tree = Tree::new(&sample.page);
            let bodies = tree.elements().into_iter().filter(|at| tree.tag(*at) == "body");
            kinds.extend(bodies.filter_map(|at| tree.kind(at)));
        }
        redesign.take(Step {
            change: Change::Wrap,
            kinds: kinds.into_iter().collect(),
            words: Vec::new(),
            salt: mixed(seed, "body"),
        });
    }
    if renamed {
        redesign.make(Change::Rename(100));
    }
    Ok(redesign)
}

pub(super) fn parse(html: &str) -> Result<Page, LimitError> {
    let settings = page::ParseSettings {
        charset: Some("utf-8".to_owned()),
        ..Default::default()
    };
    Page::parse(html.as_bytes(), &settings)
}
