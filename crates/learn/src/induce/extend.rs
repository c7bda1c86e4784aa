//! Beyond the paper: tables with missing attributes, alternative delimiters, landmarks to pass, and no tail.
//!
//! The paper lost 30 % of its sites to missing attributes and to disjunction, and on modern pages most of the rest to columns
//! that nobody wants: what stands before the wanted cell also stands before an unwanted one. Here each edge is given the
//! simplest form that suits the examples:
//!
//! - one string;
//! - behind a landmark, the next such string, or the n-th such string (`skips`);
//! - a few strings (`alternatives`).
//!
//! An edge suits if, in every gap that leads to its attribute, it is found first at the end, and in every gap where it is
//! looked for in vain it is not found at all. Which gaps these are follows from which attributes are optional: those that are
//! missing from a tuple somewhere. That each edge is looked at alone makes this fast; it is a little stricter than need be, and
//! the whole rule is run on the examples before it is believed. Unlike the pure classes this is no decision: a rule may exist
//! that is not found, because landmarks are taken from pieces that begin and end at tags and lines only, at most two of
//! them, and alternatives are chosen greedily, at most four.

use super::edges::{self, Scope};
use super::forms::{FORMS, Places, several_rights};
use super::framed;
use super::gaps::{Gap, Gaps};
use super::opened;
use super::prefer::{self, Prefer};
use crate::example::Example;
use crate::soft::{Reach, Reaches, moved, reads_alike};
use memchr::memmem;
use wrapper::rule::{Class, Delimiters, Edges, End, Left, Program};

/// Which extensions are allowed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Allow {
    /// Attributes may be missing.
    pub missing: bool,
    /// Edges may have a few strings.
    pub alternatives: bool,
    /// Left edges may have landmarks before them.
    pub skips: bool,
    /// The end of the page may be the tail.
    pub eof: bool,
    /// White space may count for little.
    pub spaces: bool,
}

impl Allow {
    /// All extensions.
    pub const ALL: Allow = Allow {
        missing: true,
        alternatives: true,
        skips: true,
        eof: true,
        spaces: true,
    };
}

/// Why there is no extended rule: the attribute and the edge that found no form, or none if the whole rule fails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NoForm {
    pub(crate) field: usize,
    pub(crate) left: bool,
}

/// A rule of a tabular class with what is allowed; the examples' edges may move if `soft`.
pub(crate) fn extended(
    class: Class,
    fields: usize,
    examples: &[Example<'_>],
    prefer: Prefer,
    allow: Allow,
    soft: bool,
) -> Result<Delimiters, NoForm> {
    let table = Table::new(fields, examples, prefer, allow, soft);
    if let Some(field) = (0..fields).find(|field| table.optional[*field] && !allow.missing) {
        return Err(NoForm { field, left: true });
    }
    let mut edges = Vec::new();
    let mut reaches = vec![Reaches::default(); fields];
    for (field, reaches) in reaches.iter_mut().enumerate().skip(1) {
        let (reach, both) = table.both(field)?;
        *reaches = reach;
        edges.push(both);
    }
    let mut failed = NoForm { field: 0, left: false };
    for reach in table.reaches(0) {
        let Some((right_reach, right)) = table.right(0, *reach) else {
            continue;
        };
        failed.left = true;
        reaches[0] = Reaches {
            left: *reach,
            right: right_reach,
        };
        let widened = moved(examples, &reaches);
        for mut rule in table.firsts(class, &widened) {
            let left = rule.fields.drain(..).flat_map(|edges| edges.left).collect();
            let first = Edges {
                left,
                right: right.clone(),
                optional: false,
            };
            rule.fields = [first].into_iter().chain(edges.iter().cloned()).collect();
            if examples.iter().all(|example| reads_right(&rule, example)) {
                return Ok(rule);
            }
        }
    }
    Err(failed)
}

/// Does a rule give an example values that read as they should?
pub(crate) fn reads_right(rule: &Delimiters, example: &Example<'_>) -> bool {
    Program::new(rule).is_ok_and(|program| {
        let got = program.apply(example.text);
        got.end == End::Regular && reads_alike(example.text, &got.values, &example.values)
    })
}

pub(super) struct Table<'e, 'a> {
    pub(super) fields: usize,
    pub(super) examples: &'e [Example<'a>],
    pub(super) prefer: Prefer,
    pub(super) allow: Allow,
    soft: bool,
    pub(super) optional: Vec<bool>,
}

impl<'e, 'a> Table<'e, 'a> {
    pub(super) fn new(
        fields: usize,
        examples: &'e [Example<'a>],
        prefer: Prefer,
        allow: Allow,
        soft: bool,
    ) -> Table<'e, 'a> {
        let gaps = Gaps::new(fields, examples);
        let mut optional = vec![false; fields];
        for gap in gaps.gaps.iter().filter(|gap| gap.state > 0) {
            let next = match gap.to {
                Some(to) if to >= gap.state => to,
                _ => fields,
            };
            optional[gap.state..next].fill(true);
        }
        Table {
            fields,
            examples,
            prefer,
            allow,
            soft,
            optional,
        }
    }

    /// How far the edges of an attribute may be moved, the preferred first.
    pub(super) fn reaches(&self, field: usize) -> &'static [Reach] {
        match self.soft {
            true => Reach::order(self.examples, field),
            false => &[Reach::Tight],
        }
    }

    pub(super) fn gaps(&self, field: usize, reaches: Reaches) -> Gaps<'a> {
        let mut all = vec![Reaches::default(); self.fields];
        all[field] = reaches;
        Gaps::new(self.fields, &moved(self.examples, &all))
    }

    /// The right delimiters of an attribute whose left edge is moved so far.
    pub(super) fn right(&self, field: usize, left: Reach) -> Option<(Reach, Vec<String>)> {
        let with = |right: Reach| self.gaps(field, Reaches { left, right });
        for reach in self.reaches(field) {
            if let Ok(found) = edges::right(&with(*reach), field) {
                let text = prefer::right(found.longest, found.least, self.prefer);
                return Some((*reach, vec![text.to_owned()]));
            }
        }
        let mut best: Option<(Reach, Vec<String>)> = None;
        for reach in self.reaches(field).iter().filter(|_| self.allow.alternatives) {
            if let Some(found) = several_rights(&with(*reach), field, self.prefer)
                && best.as_ref().is_none_or(|(_, best)| found.len() < best.len())
            {
                best = Some((*reach, found));
            }
        }
        best
    }

    /// Both edges of an attribute that is not the first. What ends a value depends on where it begins, so the two are
    /// chosen together: the simplest pair.
    fn both(&self, field: usize) -> Result<(Reaches, Edges), NoForm> {
        let mut best: Option<(usize, Reaches, Edges)> = None;
        let mut failed = NoForm { field, left: true };
        for reach in self.reaches(field) {
            let most = best.as_ref().map_or(usize::MAX, |(cost, ..)| *cost);
            let Some((cost, left)) = self.left(field, *reach, most) else {
                continue;
            };
            failed.left = false;
            let Some((right_reach, right)) = self.right(field, *reach) else {
                continue;
            };
            let cost = cost + right.len() - 1;
            if cost < most {
                let edges = Edges {
                    left,
                    right,
                    optional: self.optional[field],
                };
                let reaches = Reaches {
                    left: *reach,
                    right: right_reach,
                };
                best = Some((cost, reaches, edges));
            }
        }
        best.map(|(_, reaches, edges)| (reaches, edges)).ok_or(failed)
    }

    /// The left delimiters of an attribute that is not the first, and how far they are from simple; less than `most`.
    fn left(&self, field: usize, reach: Reach, most: usize) -> Option<(usize, Vec<Left>)> {
        let reaches = Reaches {
            left: reach,
            ..Reaches::default()
        };
        let gaps = self.gaps(field, reaches);
        // Strictly first: not to be found at all on the way to another attribute. That is more than need be where the other's
        // delimiter comes first; then the run over the examples decides.
        for strict in [true, false] {
            let mut places = places(&gaps, field, &self.optional);
            if !strict {
                places.past.retain(|gap| gap.to.is_none());
            }
            let extra = if strict { 0 } else { FORMS };
            let found = places.simplest(self.prefer, self.allow, most.saturating_sub(extra));
            if let Some((cost, found)) = found {
                return Some((cost + extra, found));
            }
        }
        None
    }

    /// Rules for where tuples begin and end, of the first attribute alone.
    fn firsts(&self, class: Class, widened: &[Example<'a>]) -> Vec<Delimiters> {
        let gaps = outer_gaps(widened);
        let rule = |outer: [Option<&str>; 4], left: Vec<Left>| Delimiters {
            class,
            head: outer[0].map(str::to_owned),
            tail: outer[1].map(str::to_owned),
            open: outer[2].map(str::to_owned),
            close: outer[3].map(str::to_owned),
            loose: false,
            fields: vec![Edges {
                left,
                right: Vec::new(),
                optional: false,
            }],
        };
        let plain = |text: &str| {
            prefer::lefts(text, self.prefer)
                .into_iter()
                .chain([text])
                .map(Left::plain)
                .collect::<Vec<_>>()
        };
        let mut rules = Vec::new();
        let mut push = |outer: [Option<&str>; 4], lefts: Vec<Left>| {
            rules.extend(lefts.into_iter().map(|left| rule(outer, vec![left])))
        };
        match class {
            Class::Lr => {
                let scope = Scope {
                    heads: true,
                    tails: true,
                };
                if let Ok(found) = edges::left(&gaps, 0, scope) {
                    push(
                        [None; 4],
                        vec![Left::plain(prefer::left(found.longest, found.least, self.prefer))],
                    );
                }
                let places = places(&gaps, 0, &[false]);
                if self.allow.skips {
                    for found in [places.counted(self.prefer, 2..=40), places.behind_landmark(self.prefer)]
                        .into_iter()
                        .flatten()
                    {
                        push([None; 4], found);
                    }
                }
                if self.allow.alternatives
                    && let Some(found) = places.alternatives(self.prefer)
                {
                    rules.push(rule([None; 4], found));
                }
            }
            Class::Hlrt => {
                if let Ok(frame) = framed::frame(&gaps, Class::Hlrt, self.prefer) {
                    push([Some(frame.head), Some(frame.tail), None, None], plain(frame.left[0]));
                }
                // Without a tail: what must be skipped stands before the list only.
                let inner = Scope {
                    heads: false,
                    tails: true,
                };
                if self.allow.eof
                    && let Ok(found) = edges::left(&gaps, 0, inner)
                {
                    let heads: Vec<&str> = gaps
                        .gaps
                        .iter()
                        .filter(|gap| gap.is_head())
                        .map(|gap| gap.text)
                        .collect();
                    let shortest = heads.iter().min_by_key(|head| head.len()).copied().unwrap_or_default();
                    let good = |head: &&str| {
                        heads.iter().all(|text| {
                            memmem::find(text.as_bytes(), head.as_bytes())
                                .is_some_and(|at| edges::is_proper_suffix(&text[at..], found.longest))
                        })
                    };
                    let pieces = prefer::pieces(shortest);
                    if let Some(head) = pieces.into_iter().rev().find(good) {
                        push([Some(head), None, None, None], plain(found.longest));
                    }
                }
            }
            Class::Oclr => {
                if let Ok(found) = opened::opening(&gaps) {
                    push([None, None, Some(found.open), Some(found.close)], plain(found.first));
                }
            }
            // With both a frame and an opening there is little that the others cannot do.
            Class::Hoclrt | Class::NLr | Class::NHlrt => {}
        }
        rules
    }
}

/// The gaps outside tuples: as if there were one attribute, as long as the tuple.
fn outer_gaps<'a>(examples: &[Example<'a>]) -> Gaps<'a> {
    let wide = examples.iter().map(|example| {
        let tuples = example.values.chunk_by(|_, next| next.field != 0);
        let values = tuples.filter_map(|tuple| {
            let (first, last) = (tuple.first()?, tuple.last()?);
            Some(wrapper::rule::Found {
                field: 0,
                start: first.start,
                end: last.end,
            })
        });
        Example {
            name: example.name,
            text: example.text,
            values: values.collect(),
        }
    });
    Gaps::new(1, &wide.collect::<Vec<_>>())
}

/// The gaps that lead to an attribute, and those where it is looked for in vain because attributes may be missing.
fn places<'g, 'a>(gaps: &'g Gaps<'a>, field: usize, optional: &[bool]) -> Places<'g, 'a> {
    let looked_for = |gap: &&&Gap<'a>| {
        // From state k on, up to the first required attribute.
        let from = gap.state % gaps.fields;
        let next_tuple = field == 0 && (gap.state == 0 || optional[gap.state.min(optional.len())..].iter().all(|x| *x));
        next_tuple
            || (gap.state > 0 && field >= gap.state && optional[gap.state..field].iter().all(|x| *x) && field >= from)
    };
    let (to, past): (Vec<_>, Vec<_>) = gaps
        .gaps
        .iter()
        .filter(|gap| gap.to == Some(field) || looked_for(&gap))
        .partition(|gap| gap.to == Some(field));
    Places { to, past }
}
