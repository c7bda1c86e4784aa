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
//! them, and alternatives are chosen greedily, at most [`MOST_ALTERNATIVES`].

use super::edges::{self, Scope};
use super::framed;
use super::gaps::{Gap, Gaps};
use super::opened;
use super::prefer::{self, Prefer};
use crate::example::Example;
use crate::soft::{Reach, Reaches, moved, reads_alike};
use memchr::memmem;
use wrapper::rule::{Class, Delimiters, Edges, End, Left, Program};

/// Strings for one edge.
const MOST_ALTERNATIVES: usize = 4;
/// Pieces that are tried as landmarks.
const MOST_LANDMARKS: usize = 60;

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
}

impl Allow {
    /// All extensions.
    pub const ALL: Allow = Allow {
        missing: true,
        alternatives: true,
        skips: true,
        eof: true,
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
    for reach in table.reaches() {
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

struct Table<'e, 'a> {
    fields: usize,
    examples: &'e [Example<'a>],
    prefer: Prefer,
    allow: Allow,
    soft: bool,
    optional: Vec<bool>,
}

impl<'e, 'a> Table<'e, 'a> {
    fn new(fields: usize, examples: &'e [Example<'a>], prefer: Prefer, allow: Allow, soft: bool) -> Table<'e, 'a> {
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

    fn reaches(&self) -> &'static [Reach] {
        if self.soft { &Reach::ALL } else { &[Reach::Tight] }
    }

    fn gaps(&self, field: usize, reaches: Reaches) -> Gaps<'a> {
        let mut all = vec![Reaches::default(); self.fields];
        all[field] = reaches;
        Gaps::new(self.fields, &moved(self.examples, &all))
    }

    /// The right delimiters of an attribute whose left edge is moved so far.
    fn right(&self, field: usize, left: Reach) -> Option<(Reach, Vec<String>)> {
        let with = |right: Reach| self.gaps(field, Reaches { left, right });
        for reach in self.reaches() {
            if let Ok(found) = edges::right(&with(*reach), field) {
                let text = prefer::right(found.longest, found.least, self.prefer);
                return Some((*reach, vec![text.to_owned()]));
            }
        }
        let mut best: Option<(Reach, Vec<String>)> = None;
        for reach in self.reaches().iter().filter(|_| self.allow.alternatives) {
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
        for reach in self.reaches() {
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
        // Simple forms first: one string, the n-th such, behind a landmark, a few strings.
        let allowed = [true, self.allow.skips, self.allow.skips, self.allow.alternatives];
        let reaches = Reaches {
            left: reach,
            ..Reaches::default()
        };
        let gaps = self.gaps(field, reaches);
        // Strictly first: not to be found at all on the way to another attribute. That is more than need be where the other's
        // delimiter comes first; then the run over the examples decides.
        for strict in [true, false] {
            let mut places = Places::new(&gaps, field, &self.optional);
            if !strict {
                places.past.retain(|gap| gap.to.is_none());
            }
            for form in (0..allowed.len()).filter(|form| allowed[*form]) {
                let cost = form + if strict { 0 } else { allowed.len() };
                if cost >= most {
                    return None;
                }
                let found = match form {
                    0 => places.single(self.prefer),
                    1 => places.counted(self.prefer),
                    2 => places.behind_landmark(self.prefer),
                    _ => places.alternatives(self.prefer),
                };
                if let Some(found) = found {
                    return Some((cost, found));
                }
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
                let places = Places::new(&gaps, 0, &[false]);
                if self.allow.skips {
                    for found in [places.counted(self.prefer), places.behind_landmark(self.prefer)]
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

/// The gaps that an attribute's left edge must suit.
struct Places<'g, 'a> {
    /// Those that lead to it.
    to: Vec<&'g Gap<'a>>,
    /// Those where it is looked for in vain.
    past: Vec<&'g Gap<'a>>,
}

impl<'g, 'a> Places<'g, 'a> {
    fn new(gaps: &'g Gaps<'a>, field: usize, optional: &[bool]) -> Places<'g, 'a> {
        let looked_for = |gap: &&&Gap<'a>| {
            // From state k on, up to the first required attribute.
            let from = gap.state % gaps.fields;
            let next_tuple =
                field == 0 && (gap.state == 0 || optional[gap.state.min(optional.len())..].iter().all(|x| *x));
            next_tuple
                || (gap.state > 0
                    && field >= gap.state
                    && optional[gap.state..field].iter().all(|x| *x)
                    && field >= from)
        };
        let (to, past): (Vec<_>, Vec<_>) = gaps
            .gaps
            .iter()
            .filter(|gap| gap.to == Some(field) || looked_for(&gap))
            .partition(|gap| gap.to == Some(field));
        Places { to, past }
    }

    fn suits(&self, lefts: &[Left]) -> bool {
        self.to.iter().all(|gap| begin(gap.text, lefts) == Some(gap.text.len()))
            && self.past.iter().all(|gap| begin(gap.text, lefts).is_none())
    }

    fn common(&self) -> Option<&'a str> {
        let (first, rest) = self.to.split_first()?;
        let common = rest
            .iter()
            .fold(first.text, |common, gap| edges::common_suffix(common, gap.text));
        (!common.is_empty()).then_some(common)
    }

    /// One string.
    fn single(&self, prefer: Prefer) -> Option<Vec<Left>> {
        let longest = self.common()?;
        let good = |text: &str| self.suits(&[Left::plain(text)]);
        if !good(longest) {
            return None;
        }
        let least = edges::left_least(longest, good);
        Some(vec![Left::plain(prefer::left(longest, least, prefer))])
    }

    /// The n-th such string.
    fn counted(&self, prefer: Prefer) -> Option<Vec<Left>> {
        let longest = self.common()?;
        prefer::lefts(longest, prefer)
            .into_iter()
            .chain([longest])
            .find_map(|text| {
                let count = memmem::find_iter(self.to.first()?.text.as_bytes(), text).count();
                let left = vec![Left {
                    skips: vec![text.to_owned(); count.saturating_sub(1)],
                    text: text.to_owned(),
                }];
                ((2..=40).contains(&count) && self.suits(&left)).then_some(left)
            })
    }

    /// Behind one landmark or two, the next such string.
    fn behind_landmark(&self, prefer: Prefer) -> Option<Vec<Left>> {
        let longest = self.common()?;
        let shortest = self.to.iter().map(|gap| gap.text).min_by_key(|text| text.len())?;
        let mut marks = prefer::pieces(shortest);
        marks.reverse();
        marks.retain(|mark| self.to.iter().all(|gap| gap.text.contains(mark)));
        let mut seen = std::collections::BTreeSet::new();
        marks.retain(|mark| seen.insert(*mark));
        marks.truncate(MOST_LANDMARKS);
        // A landmark with words in it says more than a bare tag.
        marks.sort_by_key(|mark| {
            !mark.trim_matches(|c: char| c != '>').contains(char::is_alphanumeric) && mark.len() < 8
        });
        let mut texts = prefer::lefts(longest, prefer);
        texts.truncate(3);
        texts.push(longest);
        let left = |skips: &[&str], text: &str| {
            let skips = skips.iter().map(|skip| (*skip).to_owned()).collect();
            vec![Left {
                skips,
                text: text.to_owned(),
            }]
        };
        for text in &texts {
            if let Some(mark) = marks.iter().find(|mark| self.suits(&left(&[mark], text))) {
                return Some(left(&[mark], text));
            }
        }
        marks.truncate(MOST_LANDMARKS / 3);
        for text in &texts {
            for second in &marks {
                if let Some(first) = marks.iter().find(|first| self.suits(&left(&[first, second], text))) {
                    return Some(left(&[first, second], text));
                }
            }
        }
        None
    }

    /// A few strings.
    fn alternatives(&self, prefer: Prefer) -> Option<Vec<Left>> {
        let mut chosen: Vec<Left> = Vec::new();
        let mut open: Vec<&Gap<'a>> = self.to.clone();
        while let Some(gap) = open.first() {
            if chosen.len() == MOST_ALTERNATIVES {
                return None;
            }
            // Suffixes of this gap that are found too early nowhere; of those the best liked.
            let safe = |text: &str| {
                let found =
                    |gap: &&Gap<'_>| memmem::find(gap.text.as_bytes(), text.as_bytes()).map(|at| at + text.len());
                self.to
                    .iter()
                    .all(|gap| found(gap).is_none_or(|end| end == gap.text.len()))
                    && self.past.iter().all(|gap| found(gap).is_none())
            };
            let mut start = gap.text.len().saturating_sub(300);
            while !gap.text.is_char_boundary(start) {
                start += 1;
            }
            let longest = &gap.text[start..];
            if longest.is_empty() || !safe(longest) {
                return None;
            }
            let least = edges::left_least(longest, safe);
            let text = prefer::left(
                longest,
                least,
                if prefer == Prefer::Long { Prefer::Tags } else { prefer },
            );
            let before = open.len();
            open.retain(|gap| !gap.text.ends_with(text));
            if open.len() == before {
                return None;
            }
            chosen.push(Left::plain(text));
        }
        (self.suits(&chosen) && !chosen.is_empty()).then_some(chosen)
    }
}

/// Where a value would begin in a gap.
fn begin(text: &str, lefts: &[Left]) -> Option<usize> {
    let hits = lefts.iter().filter_map(|left| {
        let mut at = 0;
        for skip in &left.skips {
            at += memmem::find(&text.as_bytes()[at..], skip.as_bytes())? + skip.len();
        }
        let start = at + memmem::find(&text.as_bytes()[at..], left.text.as_bytes())?;
        Some((start, std::cmp::Reverse(left.text.len())))
    });
    hits.min().map(|(start, len)| start + len.0)
}

/// A few right delimiters: each found inside no value, one behind each.
fn several_rights(gaps: &Gaps<'_>, field: usize, prefer: Prefer) -> Option<Vec<String>> {
    let values: Vec<_> = gaps
        .values
        .iter()
        .filter(|value| value.found.field as usize == field)
        .collect();
    let mut chosen: Vec<String> = Vec::new();
    let mut open = values.clone();
    while let Some(value) = open.first() {
        if chosen.len() == MOST_ALTERNATIVES {
            return None;
        }
        let follow = &value.text[value.len()..];
        let mut end = follow.len().min(200);
        while !follow.is_char_boundary(end) {
            end -= 1;
        }
        // The longest start that something else begins with too is better than one of its own.
        let shared = open[1..]
            .iter()
            .map(|other| edges::common_prefix(follow, &other.text[other.len()..]));
        let longest = shared
            .filter(|text| !text.is_empty())
            .min_by_key(|text| text.len())
            .unwrap_or(&follow[..end]);
        let longest = &longest[..longest.len().min(end)];
        let safe = |text: &str| {
            !text.is_empty()
                && values.iter().all(|value| {
                    let end = (value.len() + text.len() - 1).min(value.text.len());
                    memmem::find(&value.text.as_bytes()[..end], text.as_bytes()).is_none()
                })
        };
        let longest = if safe(longest) { longest } else { &follow[..end] };
        let lengths: Vec<usize> = (1..=longest.len())
            .filter(|len| longest.is_char_boundary(*len))
            .collect();
        let least = lengths.get(lengths.partition_point(|len| !safe(&longest[..*len])))?;
        let text = prefer::right(
            longest,
            *least,
            if prefer == Prefer::Long { Prefer::Tags } else { prefer },
        );
        open.retain(|value| !value.text[value.len()..].starts_with(text));
        chosen.push(text.to_owned());
    }
    (!chosen.is_empty()).then_some(chosen)
}
