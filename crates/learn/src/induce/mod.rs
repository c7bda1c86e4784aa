//! Exact learning of delimiter wrappers from labelled pages: a wrapper of a class is found if and only if there is one
//! that gives every example its label.
//!
//! The paper's learners generate candidates and test them. For HOCLRT their time grows with the tenth power of the
//! page's length, for the nested classes with the power 2K. Here no more candidates are generated than necessary.
//! [`edges`] shows that the valid left and right delimiters of a table are intervals of lengths over one string each.
//! [`system`] shows that the lengths of left delimiters that compete, in trees and against a tail, have a greatest
//! solution, which is found from above. [`framed`] shows that only one head or tail for each class of positions
//! ([`classes`]) need be tried, and [`opened`] shows the same for open and close delimiters. Each of them contains the
//! argument for its classes.
//!
//! A wrapper is consistent if, run as `wrapper::rule::delimiter` defines, it gives exactly the label of each page and
//! ends regularly, and no delimiter reaches into a value.
//!
//! Pages without a value count as ends of pages in LR and N-LR. The other classes require every page to begin with a
//! head and contain a tuple; there such pages are only checked at the end.
//!
//! Costs, with n bytes in all pages and m in the longest delimiter: LR and N-LR `K n log m`; HLRT and N-HLRT the same
//! and, if no piece of whole tags works, the automata of heads and tails; OCLR and HOCLRT pairs of classes, limited by
//! a budget. Limits: automata of at most 512 KiB of text, and the budgets in [`framed`] and [`opened`]; beyond them the
//! answer is [`Cause::Undecided`].

mod classes;
mod edges;
mod extend;
mod forms;
mod framed;
mod gaps;
mod opened;
#[cfg(test)]
mod oracle;
mod prefer;
mod reason;
mod system;
#[cfg(test)]
mod tests;
mod transitions;

use crate::example::Example;
use crate::soft::{Reach, Reaches, moved};
use edges::{Blame, Interval, Scope};
pub(crate) use edges::{common_prefix, common_suffix};
pub use extend::Allow;
pub(crate) use extend::{extended, reads_right};
use framed::NoFrame;
pub(crate) use gaps::{Gap, Gaps};
use opened::{NoOpening, Opening};
pub use prefer::Prefer;
pub(crate) use prefer::{lefts, right as prefer_right};
pub use reason::{Cause, Impossible};
use system::System;
pub(crate) use transitions::by_transitions;
use wrapper::rule::{Class, Delimiters, Edges, End, Left, Program};

/// Learns a wrapper of a class from examples that have passed [`check_labels`](crate::check_labels).
///
/// # Errors
///
/// If there is no such wrapper; the error says which delimiter is to blame.
///
/// ```
/// use learn::{Example, Prefer, learn};
/// use wrapper::rule::{Class, Found};
/// let text = "<b>Congo</b> <i>242</i><br><b>Egypt</b> <i>20</i><br>";
/// let place = |field, part: &str| {
///     let start = text.find(part).unwrap_or(0) as u32;
///     Found { field, start, end: start + part.len() as u32 }
/// };
/// let values = vec![place(0, "Congo"), place(1, "242"), place(0, "Egypt"), place(1, "20")];
/// let rule = learn(Class::Lr, 2, &[Example { name: "cc.html", text, values }], Prefer::Tags)?;
/// assert_eq!(rule.vector(), ["<b>", "</b>", "<i>", "</i>"]);
/// # Ok::<(), learn::Impossible>(())
/// ```
pub fn learn(class: Class, fields: usize, examples: &[Example<'_>], prefer: Prefer) -> Result<Delimiters, Impossible> {
    let gaps = Gaps::new(fields, examples);
    let fail = |cause, delimiter: &str, field| Impossible::new(class, cause, delimiter, field);
    if let Some(gap) = gaps.out_of_order(class) {
        return Err(Impossible::order(class, &gaps, gap));
    }
    let mut right = Vec::new();
    for field in 0..fields {
        let found = edges::right(&gaps, field);
        right.push(found.map_err(|blame| Impossible::right(class, &gaps, field, blame))?);
    }
    let scope = Scope {
        heads: true,
        tails: !class.has_head(),
    };
    let left_fails = |(field, blame)| Impossible::left(class, &gaps, field, blame);
    let mut left: Vec<Interval<'_>> = Vec::new();
    // In a tree all left delimiters compete and are found together.
    for field in if class.is_nested() { fields..fields } else { 1..fields } {
        left.push(edges::left(&gaps, field, scope).map_err(|blame| left_fails((field, blame)))?);
    }
    let fixed = |text| Interval {
        longest: text,
        least: text.len(),
    };
    let mut outer = [None; 4];
    match class {
        Class::Lr => left.insert(0, edges::left(&gaps, 0, scope).map_err(|blame| left_fails((0, blame)))?),
        Class::NLr => {
            let system = System::new(&gaps, class).map_err(left_fails)?;
            let lengths = system.solve(None, usize::MAX).map_err(|place| {
                let (field, gap) = place.unwrap_or((0, 0));
                left_fails((field, Blame::Elsewhere(gap)))
            })?;
            left.extend(
                lengths
                    .iter()
                    .enumerate()
                    .map(|(field, len)| fixed(system.text(field, *len))),
            );
        }
        Class::Hlrt | Class::NHlrt => {
            let frame = framed::frame(&gaps, class, prefer).map_err(|reason| match reason {
                NoFrame::Left(field, blame) => left_fails((field, blame)),
                NoFrame::Tail => fail(Cause::NoTail, "t", None),
                NoFrame::Head => fail(Cause::NoHead, "h", None),
                NoFrame::TooMuch => fail(Cause::Undecided, "h, t", None),
            })?;
            left.splice(0..0, frame.left.iter().map(|text| fixed(text)));
            outer = [Some(frame.head), Some(frame.tail), None, None];
        }
        Class::Oclr | Class::Hoclrt => {
            let found = if class == Class::Oclr {
                opened::opening(&gaps)
            } else {
                let hlrt = framed::frame(&gaps, Class::Hlrt, prefer).ok();
                opened::framed_opening(&gaps, hlrt.map(Opening::from))
            };
            let found = found.map_err(|reason| match reason {
                NoOpening::First(blame) => left_fails((0, blame)),
                NoOpening::Nothing => fail(Cause::NoOpen, "o, c", None),
                NoOpening::TooMuch => fail(Cause::Undecided, "o, c", None),
            })?;
            left.insert(0, fixed(found.first));
            let (head, tail) = found.frame.unzip();
            outer = [head, tail, Some(found.open), Some(found.close)];
        }
    }
    let own = |text: Option<&str>| text.map(str::to_owned);
    let mut rule = Delimiters {
        class,
        head: own(outer[0]),
        tail: own(outer[1]),
        open: own(outer[2]),
        close: own(outer[3]),
        loose: false,
        fields: left
            .iter()
            .zip(&right)
            .map(|(l, r)| {
                let right = prefer::right(r.longest, r.least, prefer);
                Edges::plain(prefer::left(l.longest, l.least, prefer), right)
            })
            .collect(),
    };
    // Delimiters that interact are as long as possible so far; a shorter one that is preferred is tried by running the
    // rule.
    let all_give = |rule: &Delimiters| {
        examples
            .iter()
            .all(|example| example.values.is_empty() || gives(rule, example))
    };
    for (field, interval) in left.iter().enumerate() {
        if class == Class::Lr || (field > 0 && !class.is_nested()) {
            continue;
        }
        let longest = std::mem::take(&mut rule.fields[field].left);
        for text in prefer::lefts(interval.longest, prefer) {
            rule.fields[field].left = vec![Left::plain(text)];
            if all_give(&rule) {
                break;
            }
            rule.fields[field].left.clear();
        }
        if rule.fields[field].left.is_empty() {
            rule.fields[field].left = longest;
        }
    }
    if let Some(page) = examples.iter().position(|example| !gives(&rule, example)) {
        // Only a page without values can still give a different result.
        return Err(fail(Cause::EmptyPage, "l1", Some(0)).at(page));
    }
    Ok(rule)
}

/// Does a wrapper give an example its label?
pub fn gives(rule: &Delimiters, example: &Example<'_>) -> bool {
    Program::new(rule).is_ok_and(|program| {
        let got = program.apply(example.text);
        got.end == End::Regular && got.values == example.values
    })
}

/// How far the edges of a field should be moved so that a pure class can delimit them: the preferred distance that
/// works, if any does.
pub(crate) fn pure_reaches(class: Class, fields: usize, examples: &[Example<'_>], field: usize) -> Reaches {
    let gaps = |reaches: Reaches| {
        let mut all = vec![Reaches::default(); fields];
        all[field] = reaches;
        Gaps::new(fields, &moved(examples, &all))
    };
    let scope = Scope {
        heads: !class.has_head() && !class.has_open(),
        tails: false,
    };
    let order = *Reach::order(examples, field);
    let mut lefts = order.into_iter().filter(|left| {
        let gaps = gaps(Reaches {
            left: *left,
            ..Reaches::default()
        });
        match class.is_nested() || (field == 0 && class.has_open()) {
            true => edges::left_longest(&gaps, field).is_ok(),
            false => edges::left(&gaps, field, scope).is_ok(),
        }
    });
    // Where a value begins affects what can end it.
    let right = |left: Reach| {
        let mut reaches = order.into_iter().map(|right| Reaches { left, right });
        reaches.find(|reaches| edges::right(&gaps(*reaches), field).is_ok())
    };
    let mut first = None;
    let both = lefts.find_map(|left| {
        first = first.or(Some(left));
        right(left)
    });
    both.unwrap_or(Reaches {
        left: first.unwrap_or_default(),
        ..Reaches::default()
    })
}
