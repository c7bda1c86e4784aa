//! The simplest wrapper that does it, and how much it can be trusted.
//!
//! Classes are tried in the order of their simplicity; first pure, then with what is allowed beyond the paper, at last by
//! transitions. Values that were given as a reader sees them are looked for without the white space that does not count
//! first; if the rule does as well with it, it is a rule of the pure class all the same.
//!
//! Where there are several pages, each candidate is also learned from all pages but one and tried on that one: the simplest of
//! those that are right most often wins. That is the same estimate that is reported, beside the bound of the paper's second
//! theorem.
//!
//! Cost: classes × extensions × pages left out (at most five) × learning, which the budgets of the learners bound; a fraction
//! of a second on most sets of pages, a few seconds where nothing fits and everything was tried.

use crate::example::Example;
use crate::induce::{Allow, Cause, Gaps, Impossible, Prefer, by_transitions, extended, learn, reads_right};
use crate::soft::{Reach, Reaches, moved, with_blanks};
use page::Job;
use page::job::Event;
use wrapper::rule::{Class, Delimiters, Found, Loosened};

/// How to learn.
#[derive(Clone, Copy, Debug, Default)]
pub struct DelimiterSettings {
    /// The class, or none for the simplest that will do.
    pub class: Option<Class>,
    /// Which of the valid delimiters to take.
    pub prefer: Prefer,
    /// What is allowed beyond the pure classes.
    pub allow: Allow,
    /// May the edges of values move over white space, as when they were given by value?
    pub soft: bool,
    /// Are the records a table? Then a field that comes too early is one whose record lacks the fields before it, and no
    /// second value of the record.
    pub flat: bool,
}

/// What was learned.
#[derive(Clone, Debug)]
pub struct Learned {
    /// The wrapper.
    pub rule: Delimiters,
    /// The classes that have none, simpler than the one taken, and why.
    pub impossible: Vec<Impossible>,
    /// Of how many pages that were left out in turn the wrapper learned from the others was right, and of how many; zero
    /// pages if there is only one.
    pub left_out: (usize, usize),
}

/// Pages that are left out in turn, at most.
const MOST_FOLDS: usize = 5;

/// Learns a wrapper as the settings say, from examples that have passed [`check_labels`](crate::check_labels).
///
/// # Errors
///
/// When no class that was asked for has a wrapper, or none was found before the job was stopped: why, for each class that
/// was tried.
pub fn learn_best(
    fields: usize,
    examples: &[Example<'_>],
    settings: &DelimiterSettings,
    job: &Job,
) -> Result<Learned, Vec<Impossible>> {
    // What reads as nothing may be an empty value as well as none.
    let filled = settings.soft.then(|| with_blanks(fields, examples));
    let examples = filled.as_deref().unwrap_or(examples);
    let tree = !settings.flat && Gaps::new(fields, examples).out_of_order(Class::NLr).is_none();
    let table = Gaps::new(fields, examples).out_of_order(Class::Lr).is_none();
    let classes: Vec<Class> = match settings.class {
        Some(class) => vec![class],
        // A table is a tree too, but nobody who gives a table wants a tree of it.
        None => Class::ALL
            .into_iter()
            .filter(|class| !class.is_nested() || (tree && !table))
            .collect(),
    };
    let (mut impossible, mut not_extended) = (Vec::new(), Vec::new());
    let mut best: Option<(usize, Learned)> = None;
    let mut tried = 0;
    let folds = examples.len().min(MOST_FOLDS);
    let total = if examples.len() > 1 { folds } else { 0 };
    // Who gives values as a reader sees them does not care for white space, so it is done without first.
    let sources: Vec<Loosened> = match settings.soft && settings.allow.spaces {
        true => examples.iter().map(|example| Loosened::new(example.text)).collect(),
        false => Vec::new(),
    };
    let loose: Vec<Example<'_>> = sources.iter().zip(examples).map(loosened).collect();
    let as_given = examples;
    let variants = [(true, loose.as_slice()), (false, examples)];
    let variants = if loose.is_empty() { &variants[1..] } else { &variants };
    'all: for extra in Extra::ALL {
        if extra != Extra::Nothing && settings.allow == Allow::default() {
            break;
        }
        for class in classes.iter().filter(|class| extra.is_for(**class, tree && !table)) {
            for (loose, examples) in variants {
                if job.is_stopped() {
                    break 'all;
                }
                tried += 1;
                job.tell(Event::Step { done: tried, of: None });
                let way = Way {
                    class: *class,
                    extra,
                    fields,
                    settings,
                };
                let rule = match way.learn(examples) {
                    Ok(rule) if *loose => tightened(rule, as_given),
                    Ok(rule) => rule,
                    Err(_) if *loose => continue,
                    Err(reason) => {
                        let reasons = match extra {
                            Extra::Nothing => &mut impossible,
                            _ => &mut not_extended,
                        };
                        reasons.push(reason);
                        continue;
                    }
                };
                let right = (0..total).filter(|left_out| way.survives(examples, *left_out)).count();
                if best.as_ref().is_none_or(|(so_far, _)| right > *so_far) {
                    let learned = Learned {
                        rule,
                        impossible: impossible.clone(),
                        left_out: (right, total),
                    };
                    best = Some((right, learned));
                }
                if right == total {
                    break 'all;
                }
            }
        }
    }
    best.map(|(_, learned)| learned).ok_or_else(|| {
        // The classes fail alike with extensions; the first says it.
        impossible.extend(not_extended.into_iter().next());
        impossible
    })
}

/// A rule that was learned without the white space that does not count: with it, if it does as well.
fn tightened(rule: Delimiters, examples: &[Example<'_>]) -> Delimiters {
    match examples.iter().all(|example| reads_right(&rule, example)) {
        true => rule,
        false => Delimiters { loose: true, ..rule },
    }
}

/// An example without the white space that does not count.
fn loosened<'s>((source, example): (&'s Loosened, &Example<'s>)) -> Example<'s> {
    let values = example.values.iter().map(|value| {
        let (start, end) = (
            source.from_source(value.start as usize),
            source.from_source(value.end as usize),
        );
        Found {
            field: value.field,
            start: start as u32,
            end: end.max(start) as u32,
        }
    });
    Example {
        name: example.name,
        text: &source.text,
        values: values.collect(),
    }
}

/// What a rule may have beyond its class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Extra {
    Nothing,
    /// Edges of other forms, and missing attributes.
    Forms,
    /// Edges by transition.
    Transitions,
}

impl Extra {
    const ALL: [Extra; 3] = [Extra::Nothing, Extra::Forms, Extra::Transitions];

    fn is_for(self, class: Class, nested: bool) -> bool {
        match self {
            Extra::Nothing => true,
            Extra::Forms => !class.is_nested(),
            Extra::Transitions => !class.has_open() && class.is_nested() == nested,
        }
    }
}

struct Way<'s> {
    class: Class,
    extra: Extra,
    fields: usize,
    settings: &'s DelimiterSettings,
}

impl Way<'_> {
    fn learn(&self, examples: &[Example<'_>]) -> Result<Delimiters, Impossible> {
        let DelimiterSettings {
            prefer, allow, soft, ..
        } = *self.settings;
        if self.extra != Extra::Nothing {
            let rule = match self.extra {
                Extra::Transitions if allow.alternatives => {
                    by_transitions(self.class, self.fields, examples, prefer, allow, soft)
                }
                _ => extended(self.class, self.fields, examples, prefer, allow, soft),
            };
            return rule.map_err(|missing| {
                let side = if missing.left { 'l' } else { 'r' };
                let delimiter = format!("{side}{}", missing.field + 1);
                Impossible::new(self.class, Cause::NoForm, &delimiter, Some(missing.field))
            });
        }
        if !soft {
            return learn(self.class, self.fields, examples, prefer);
        }
        // The preferred edges that a pure class may have; what is wrong is told of tight ones.
        let mut reaches = vec![Reaches::default(); self.fields];
        for (field, reach) in reaches.iter_mut().enumerate() {
            *reach = crate::induce::pure_reaches(self.class, self.fields, examples, field);
        }
        let rule = learn(self.class, self.fields, &moved(examples, &reaches), prefer);
        let usable = |rule: &Delimiters| examples.iter().all(|example| reads_right(rule, example));
        match rule {
            Ok(rule) if usable(&rule) => Ok(rule),
            _ => {
                // The first attribute's left edge depends on more than itself.
                for reach in Reach::ALL {
                    reaches[0].left = reach;
                    if let Ok(rule) = learn(self.class, self.fields, &moved(examples, &reaches), prefer)
                        && usable(&rule)
                    {
                        return Ok(rule);
                    }
                }
                learn(self.class, self.fields, examples, prefer)
            }
        }
    }

    /// Is the wrapper learned from the other pages right on this one?
    fn survives(&self, examples: &[Example<'_>], left_out: usize) -> bool {
        let mut others = examples.to_vec();
        let example = others.remove(left_out);
        crate::check_labels(self.fields, &others).is_ok()
            && self.learn(&others).is_ok_and(|rule| reads_right(&rule, &example))
    }
}

/// The number of examples that Theorem 2 of the paper wants, so that with probability 1 − `delta` the wrapper errs on
/// fewer than `epsilon` of the pages: `shortest` is the length of the shortest page.
pub fn pac_bound(class: Class, fields: usize, shortest: usize, epsilon: f64, delta: f64) -> u64 {
    let (k, r) = (fields as f64, (shortest.max(2)) as f64);
    let pairs = match class {
        Class::Lr | Class::NLr => 0.0,
        Class::Hlrt | Class::Oclr | Class::NHlrt => 2.0,
        Class::Hoclrt => 4.0,
    };
    // ln |W|: a power of R for each left and right delimiter, R (R − 1) / 2 for each of the others.
    let size = 2.0 * k * r.ln() + pairs * (r.ln() + (r - 1.0).ln() - std::f64::consts::LN_2);
    ((size - delta.ln()) / epsilon).ceil().max(1.0) as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::label::{Wanted, place};
    use wrapper::rule::Program;

    #[test]
    fn the_bounds_are_those_of_the_paper() {
        let bound = |class| pac_bound(class, 4, 10_000, 0.05, 0.05);
        assert_eq!(bound(Class::Lr), 1534);
        assert_eq!(bound(Class::Hlrt), 2243);
        assert_eq!(bound(Class::Hoclrt), 2952);
    }

    /// Examples by value: each page with its values in order, each with the number of its attribute.
    fn learned(fields: usize, pages: &[(&str, &[(usize, &str)])]) -> Learned {
        let examples: Vec<Example<'_>> = pages
            .iter()
            .map(|(text, values)| {
                let wanted: Vec<Wanted> = values
                    .iter()
                    .map(|(field, text)| Wanted {
                        field: *field,
                        text: (*text).to_owned(),
                        tuple: 0,
                    })
                    .collect();
                Example {
                    name: "page",
                    text,
                    values: place(text, &wanted).expect("places").values,
                }
            })
            .collect();
        let settings = DelimiterSettings {
            allow: Allow::ALL,
            soft: true,
            ..DelimiterSettings::default()
        };
        learn_best(fields, &examples, &settings, &Job::new()).expect("a wrapper")
    }

    fn read(rule: &Delimiters, page: &str) -> String {
        let found = Program::new(rule).expect("a rule").apply(page);
        let texts = found.values.iter().map(|value| {
            let text = page::source_text(&page[value.range()]);
            format!("{}:{text}", value.field + 1)
        });
        texts.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn an_empty_cell_is_a_missing_value() {
        let page =
            "<table><tr><td>a</td><td>1</td></tr><tr><td>b</td><td> </td></tr><tr><td>c</td><td>3</td></tr></table>";
        let values = [(0, "a"), (1, "1"), (0, "b"), (0, "c"), (1, "3")];
        let got = learned(2, &[(page, &values)]);
        assert!(got.rule.fields.iter().all(|edges| !edges.optional));
        assert_eq!(
            read(&got.rule, "<tr><td>x</td><td></td></tr><tr><td>y</td><td>5</td></tr>"),
            "1:x 2: 1:y 2:5"
        );
    }

    #[test]
    fn headings_stand_above_records_that_lack_attributes() {
        let page = |day: &str, rest: &str| format!("<h1>List</h1><h2>{day}</h2>{rest}<p>end</p>");
        let row = |name: &str, note: &str| match note {
            "" => format!("<div><b>{name}</b></div>"),
            _ => format!("<div><b>{name}</b>, <i>{note}</i></div>"),
        };
        let one = page(
            "Monday",
            &(row("a", "x") + &row("b", "") + &row("c", "y") + "<h2>Tuesday</h2>" + &row("d", "")),
        );
        let two = page(
            "Friday",
            &(row("e", "") + &row("f", "z") + "<h2>Sunday</h2>" + &row("g", "w") + &row("h", "")),
        );
        let got = learned(
            3,
            &[
                (
                    &one,
                    &[
                        (0, "Monday"),
                        (1, "a"),
                        (2, "x"),
                        (1, "b"),
                        (1, "c"),
                        (2, "y"),
                        (0, "Tuesday"),
                        (1, "d"),
                    ],
                ),
                (
                    &two,
                    &[
                        (0, "Friday"),
                        (1, "e"),
                        (1, "f"),
                        (2, "z"),
                        (0, "Sunday"),
                        (1, "g"),
                        (2, "w"),
                        (1, "h"),
                    ],
                ),
            ],
        );
        let unseen = page(
            "Saturday",
            &(row("p", "") + &row("q", "v") + "<h2>Wednesday</h2>" + &row("r", "")),
        );
        assert_eq!(read(&got.rule, &unseen), "1:Saturday 2:p 2:q 3:v 1:Wednesday 2:r");
    }

    #[test]
    fn white_space_need_not_count() {
        let one = "<ul><li><i>no</i></li><li>\n  <b><a>one</a></b></li>\n<li> <b>\n<a>two</a></b></li></ul>";
        let two = "<ul><li><b>  <a>three</a></b></li><li><i>no</i></li><li><b><a>four</a></b></li></ul>";
        let got = learned(
            1,
            &[(one, &[(0, "one"), (0, "two")]), (two, &[(0, "three"), (0, "four")])],
        );
        assert_eq!(
            read(&got.rule, "<li>\t<b>\t<a> five </a></b> </li><li><i>no</i></li>"),
            "1:five"
        );
        // The same for a page that is written in another way altogether.
        let loose = Loosened::new(one);
        assert_eq!(read(&got.rule, &loose.text), read(&got.rule, one));
    }
}
