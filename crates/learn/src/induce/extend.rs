//! Extensions to the paper: tables with missing fields, alternative delimiters, landmarks to pass, and no tail.
//!
//! The paper lost 30 % of its sites to missing attributes and to disjunction. On modern pages most of the rest is lost
//! to unwanted columns: the text before the wanted cell also precedes an unwanted one. Here each edge gets the simplest
//! form that fits the examples:
//!
//! - one string;
//! - after a landmark, the next such string, or the n-th such string (`skips`);
//! - a few strings (`alternatives`).
//!
//! An edge fits if it is first found at the end of every gap that leads to its field, and not found at all in any gap
//! that is searched for it but leads elsewhere. Which gaps these are depends on which fields are optional: those that
//! are missing from some tuple. Each edge is tested alone, which makes this fast. It is a little stricter than
//! necessary, and the whole rule is run on the examples before it is accepted. Unlike for the pure classes, this search
//! is not complete: a rule may exist and not be found, because landmarks are only pieces that begin and end at tags and
//! lines, at most two of them, and alternatives are chosen greedily, at most four.

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
    /// Fields may be missing.
    pub missing: bool,
    /// Edges may have several strings.
    pub alternatives: bool,
    /// Left edges may have landmarks before them.
    pub skips: bool,
    /// The end of the page may serve as the tail.
    pub eof: bool,
    /// Differences in white space may be ignored.
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

/// Why there is no extended rule: the field and the edge that has no form, or `None` if the rule as a whole fails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NoForm {
    pub(crate) field: usize,
    pub(crate) left: bool,
}

/// A rule of a tabular class with the allowed extensions; if `soft`, the edges of the examples' values may move.
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

/// Does a rule extract values from an example that read as they should?
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

    /// How far the edges of a field may be moved, the preferred distance first.
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

    /// The right delimiters of a field whose left edge is moved by `left`.
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

    /// Both edges of a field that is not the first. Where a value begins affects what can end it, so the two are chosen
    /// together: the simplest pair.
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

    /// The left delimiters of a field that is not the first, and their distance from the simplest form; less than
    /// `most`.
    fn left(&self, field: usize, reach: Reach, most: usize) -> Option<(usize, Vec<Left>)> {
        let reaches = Reaches {
            left: reach,
            ..Reaches::default()
        };
        let gaps = self.gaps(field, reaches);
        // Strict first: not found at all in gaps that lead to another field. That is more than necessary where the
        // other field's delimiter comes first; then running the rule on the examples decides.
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

    /// Rules for where tuples begin and end, learned from the first field alone.
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
                // Without a tail: only the text before the list has anything to skip.
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
            // A frame and an opening together add little to what the other classes can do.
            Class::Hoclrt | Class::NLr | Class::NHlrt => {}
        }
        rules
    }
}

/// The gaps outside tuples, as if each tuple were one long value of a single field.
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

/// The gaps that lead to a field, and those that are searched for it but lead elsewhere because fields may be
/// missing.
fn places<'g, 'a>(gaps: &'g Gaps<'a>, field: usize, optional: &[bool]) -> Places<'g, 'a> {
    let looked_for = |gap: &&&Gap<'a>| {
        // From state k on, up to the first required field.
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
