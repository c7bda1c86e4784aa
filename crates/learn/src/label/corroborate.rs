//! Corroboration: labels from recognizers that make mistakes, and a wrapper that fits them (section 7 of the paper).
//!
//! **Input**: pages, and for each field what its recognizer found and which mistakes it is declared to make. At least
//! one recognizer must be exact; the others may either miss values or find extra ones, not both. **Output**: the order
//! of the fields, a label for every page and a wrapper that gives these labels.
//!
//! The paper generates all labels that agree with what was found, for all orders of the fields, and keeps those for
//! which a wrapper exists. Their number is a product over all ambiguous positions of all pages, so here the wrapper is
//! considered earlier. The positions of one field are not chosen one by one but together, by similar surroundings,
//! because otherwise no delimiters could exist ([`hypotheses`](super::hypotheses)). That leaves a few hypotheses for
//! each field, which do not depend on the order; the order follows from the positions. Combinations are tried in the
//! order of their ranks: fields must have the same order everywhere and not overlap, and there must be a wrapper, first
//! of the pure classes, then with the allowed extensions. At most [`MOST_TRIED`] combinations are examined and
//! [`MOST_LEARNED`] learned from, so the time is at most that many times the learner's.
//!
//! Known failures: every record must have a value of every field whose recognizer makes mistakes (an exact recognizer
//! may find that a value is missing). Where two columns look alike and differ only in their position, the first one for
//! which there is a wrapper is taken; [`Corroborated::ambiguous`] then says so.

use super::hypotheses::{Column, Contradiction, Hypothesis, Region, Scene, regions};
use super::recognize::Mistakes;
use crate::example::{Example, check_labels};
use crate::induce::{Allow, Impossible};
use crate::{DelimiterSettings, Learned, learn_best};
use page::Job;
use std::ops::Range;
use wrapper::rule::Found;

/// The most combinations of hypotheses that are examined.
const MOST_TRIED: usize = 4000;
/// The most combinations that are learned from.
const MOST_LEARNED: usize = 40;
/// The most combinations that are learned from after one had a wrapper, to see whether it was the only one.
const MOST_RIVALS: usize = 3;

/// Labels and a wrapper that recognizers agree on.
#[derive(Clone, Debug)]
pub struct Corroborated {
    /// The numbers of the fields, in the order of the page.
    pub order: Vec<usize>,
    /// The label of each page; fields are numbered in the order of the page.
    pub labels: Vec<Vec<Found>>,
    /// The wrapper.
    pub learned: Learned,
    /// Are there other labels that have a wrapper too?
    pub ambiguous: bool,
}

/// Why there are no labels.
#[derive(Clone, Debug)]
pub enum NotCorroborated {
    /// No recognizer is declared to be exact.
    NoAnchor,
    /// The recognizer of a field found nothing at all.
    NothingFound(usize),
    /// A recognizer makes other mistakes than it is declared to make.
    Contradiction(Contradiction),
    /// The finds of a field have nothing in common around them.
    NothingCommon(usize),
    /// No choice of positions has the fields in one order on all pages.
    NoOrder,
    /// There are labels, but no wrapper gives them. Contains the order of the fields of the most likely label, and the
    /// reasons.
    NoWrapper(Vec<usize>, Vec<Impossible>),
}

/// Finds labels that agree with the recognizers and have a wrapper.
///
/// # Errors
///
/// If there are none.
pub fn corroborate(
    pages: &[(&str, &str)],
    columns: &[Column],
    settings: &DelimiterSettings,
    job: &Job,
) -> Result<Corroborated, NotCorroborated> {
    if let Some(column) = columns.iter().position(|column| column.found.iter().all(Vec::is_empty)) {
        return Err(NotCorroborated::NothingFound(column));
    }
    let count = |column: &Column| column.found.iter().map(Vec::len).sum::<usize>();
    let anchor = (0..columns.len())
        .filter(|at| columns[*at].mistakes == Mistakes::None)
        .max_by_key(|at| (count(&columns[*at]), std::cmp::Reverse(*at)))
        .ok_or(NotCorroborated::NoAnchor)?;
    let texts: Vec<&str> = pages.iter().map(|(_, text)| *text).collect();
    let regions = regions(&texts, &columns[anchor].found);
    let sure: Vec<Vec<(Range<usize>, usize)>> = (0..pages.len())
        .map(|page| {
            let certain = columns
                .iter()
                .enumerate()
                .filter(|(_, column)| column.mistakes != Mistakes::FalsePositives);
            let places = certain
                .flat_map(|(number, column)| column.found[page].iter().map(move |place| (place.clone(), number)));
            let mut places: Vec<(Range<usize>, usize)> = places.collect();
            places.sort_by_key(|(place, number)| (place.start, place.end, *number));
            places
        })
        .collect();
    let scene = Scene {
        pages: &texts,
        regions: &regions,
        sure: &sure,
    };
    let others: Vec<usize> = (0..columns.len()).filter(|at| *at != anchor).collect();
    let mut hypotheses = Vec::new();
    for column in &others {
        let found = scene
            .hypotheses(*column, &columns[*column])
            .map_err(NotCorroborated::Contradiction)?;
        if found.is_empty() {
            return Err(NotCorroborated::NothingCommon(*column));
        }
        hypotheses.push(found);
    }
    let choice = Choice {
        pages,
        regions: &regions,
        anchor,
        anchors: &columns[anchor].found,
        others: &others,
    };
    choice.search(&hypotheses, settings, job)
}

struct Choice<'a> {
    pages: &'a [(&'a str, &'a str)],
    regions: &'a [Region],
    anchor: usize,
    anchors: &'a [Vec<Range<usize>>],
    others: &'a [usize],
}

type Labels = Vec<Vec<Found>>;
/// The fields of a record and their positions.
type Places = Vec<(usize, Range<usize>)>;

impl Choice<'_> {
    fn search(
        &self,
        hypotheses: &[Vec<Hypothesis>],
        settings: &DelimiterSettings,
        job: &Job,
    ) -> Result<Corroborated, NotCorroborated> {
        let limits: Vec<usize> = hypotheses.iter().map(Vec::len).collect();
        let mut candidates: Vec<(Vec<usize>, Labels)> = Vec::new();
        for picks in by_rank(&limits, MOST_TRIED) {
            let chosen: Vec<&Hypothesis> = picks.iter().zip(hypotheses).map(|(pick, all)| &all[*pick]).collect();
            if let Some(labelled) = self.labels(&chosen)
                && !candidates.contains(&labelled)
            {
                candidates.push(labelled);
                if candidates.len() == MOST_LEARNED {
                    break;
                }
            }
        }
        if candidates.is_empty() {
            return Err(NotCorroborated::NoOrder);
        }
        let pure = DelimiterSettings {
            allow: Allow::default(),
            ..*settings
        };
        let mut why: Option<(Vec<usize>, Vec<Impossible>)> = None;
        for settings in [&pure, settings] {
            let mut best: Option<Corroborated> = None;
            let mut rivals = 0;
            for (order, labels) in &candidates {
                match self.learn(order.len(), labels, settings, job) {
                    Ok(learned) => match &mut best {
                        Some(best) => {
                            best.ambiguous = true;
                            break;
                        }
                        None => {
                            best = Some(Corroborated {
                                order: order.clone(),
                                labels: labels.clone(),
                                learned,
                                ambiguous: false,
                            });
                        }
                    },
                    Err(reasons) => {
                        why.get_or_insert_with(|| (order.clone(), reasons));
                    }
                }
                rivals += usize::from(best.is_some());
                if rivals > MOST_RIVALS {
                    break;
                }
            }
            if let Some(best) = best {
                return Ok(best);
            }
            if settings.allow == Allow::default() {
                continue;
            }
        }
        let (order, reasons) = why.unwrap_or_default();
        Err(NotCorroborated::NoWrapper(order, reasons))
    }

    fn learn(
        &self,
        fields: usize,
        labels: &Labels,
        settings: &DelimiterSettings,
        job: &Job,
    ) -> Result<Learned, Vec<Impossible>> {
        let examples: Vec<Example<'_>> = self
            .pages
            .iter()
            .zip(labels)
            .map(|((name, text), values)| Example {
                name,
                text,
                values: values.clone(),
            })
            .collect();
        check_labels(fields, &examples).map_err(|_| Vec::new())?;
        learn_best(fields, &examples, settings, job)
    }

    /// The labels that result from hypotheses, one for each of the other fields, and the order of the fields; `None` if
    /// the fields have no consistent order or overlap.
    fn labels(&self, chosen: &[&Hypothesis]) -> Option<(Vec<usize>, Labels)> {
        let count = self.others.len() + 1;
        // The records of each page, as positions of fields.
        let mut pages: Vec<Vec<Places>> = self
            .anchors
            .iter()
            .map(|anchors| anchors.iter().map(|place| vec![(self.anchor, place.clone())]).collect())
            .collect();
        for (column, hypothesis) in self.others.iter().zip(chosen) {
            for (region, pick) in self.regions.iter().zip(&hypothesis.picks) {
                let Some(pick) = pick else { continue };
                let record = if hypothesis.before {
                    region.number
                } else {
                    region.number - 1
                };
                pages[region.page][record].push((*column, pick.clone()));
            }
        }
        let mut precedes = vec![vec![false; count]; count];
        for record in pages.iter_mut().flatten() {
            record.sort_by_key(|(_, place)| (place.start, place.end));
            for (at, (first, _)) in record.iter().enumerate() {
                for (second, _) in &record[at + 1..] {
                    precedes[*first][*second] = true;
                }
            }
        }
        let cyclic = |a: usize, b: usize| precedes[a][b] && precedes[b][a];
        if (0..count).any(|a| (0..a).any(|b| cyclic(a, b))) {
            return None;
        }
        let order = topological(&precedes)?;
        let mut number = vec![0; count];
        for (at, column) in order.iter().enumerate() {
            number[*column] = at as u32;
        }
        let mut labels = Vec::with_capacity(pages.len());
        for records in pages {
            let mut label: Vec<Found> = Vec::new();
            for (column, place) in records.into_iter().flatten() {
                if label.last().is_some_and(|before| before.end as usize > place.start) {
                    return None;
                }
                label.push(Found {
                    field: number[column],
                    start: u32::try_from(place.start).ok()?,
                    end: u32::try_from(place.end).ok()?,
                });
            }
            labels.push(label);
        }
        Some((order, labels))
    }
}

/// The columns in an order that agrees with `precedes`; where several are possible, the lowest number comes first.
fn topological(precedes: &[Vec<bool>]) -> Option<Vec<usize>> {
    let mut order: Vec<usize> = Vec::new();
    while order.len() < precedes.len() {
        let free = |column: &usize| {
            !order.contains(column)
                && (0..precedes.len()).all(|other| !precedes[other][*column] || order.contains(&other))
        };
        let next = (0..precedes.len()).find(free)?;
        order.push(next);
    }
    Some(order)
}

/// Choices of one number below each limit, those with the smallest sums first, at most `most`.
fn by_rank(limits: &[usize], most: usize) -> Vec<Vec<usize>> {
    fn choose(limits: &[usize], sum: usize, chosen: &mut Vec<usize>, out: &mut Vec<Vec<usize>>, most: usize) {
        if out.len() >= most {
            return;
        }
        let Some((limit, rest)) = limits.split_first() else {
            if sum == 0 {
                out.push(chosen.clone());
            }
            return;
        };
        let others: usize = rest.iter().map(|limit| limit - 1).sum();
        for pick in sum.saturating_sub(others)..(*limit).min(sum + 1) {
            chosen.push(pick);
            choose(rest, sum - pick, chosen, out, most);
            chosen.pop();
        }
    }
    let mut out = Vec::new();
    let highest: usize = limits.iter().map(|limit| limit - 1).sum();
    for sum in 0..=highest {
        choose(limits, sum, &mut Vec::new(), &mut out, most);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "<h1>20 codes, 1 Peru</h1><ul><li><b>Congo</b> <i>242</i> 1 of 9<li><b>Egypt</b> <i>20</i> 2 of 9\
                        <li><b>Belize</b> <i>501</i> 3 of 9<li><b>Spain</b> <i>34</i> 4 of 9</ul>page 7";

    fn places(parts: &[&str]) -> Vec<Range<usize>> {
        let mut at = 0;
        let place = |part: &&str| {
            let start = at + PAGE[at..].find(part).expect("the part");
            at = start + part.len();
            start..at
        };
        parts.iter().map(place).collect()
    }

    fn column(mistakes: Mistakes, parts: &[&str]) -> Column {
        Column {
            mistakes,
            found: vec![places(parts)],
        }
    }

    fn learned(columns: &[Column]) -> Result<Corroborated, NotCorroborated> {
        corroborate(
            &[("cc.html", PAGE)],
            columns,
            &DelimiterSettings::default(),
            &Job::new(),
        )
    }

    fn check(columns: &[Column], order: &[usize], expected: &str) {
        let got = learned(columns).expect("labels");
        let texts: Vec<&str> = got.labels[0].iter().map(|value| &PAGE[value.range()]).collect();
        assert_eq!((got.order.as_slice(), texts.join(" ").as_str()), (order, expected));
    }

    const ALL: &str = "Congo 242 Egypt 20 Belize 501 Spain 34";
    const COUNTRIES: [&str; 4] = ["Congo", "Egypt", "Belize", "Spain"];

    #[test]
    fn false_positives_are_told_by_their_surroundings() {
        // All numbers on the page: ten of them are not codes.
        let numbers = [
            "20", "1", "242", "1", "9", "20", "2", "9", "501", "3", "9", "34", "4", "9", "7",
        ];
        let countries = column(Mistakes::None, &COUNTRIES);
        let numbers = column(Mistakes::FalsePositives, &numbers);
        check(&[countries.clone(), numbers.clone()], &[0, 1], ALL);
        // The order in which the fields are given does not matter.
        check(&[numbers, countries], &[1, 0], ALL);
    }

    #[test]
    fn false_negatives_are_filled_in() {
        let countries = column(Mistakes::None, &COUNTRIES);
        check(
            &[countries, column(Mistakes::FalseNegatives, &["20<", "34<"])],
            &[0, 1],
            "Congo 242< Egypt 20< Belize 501< Spain 34<",
        );
        let countries = column(Mistakes::FalseNegatives, &["Congo", "Spain"]);
        let codes = column(Mistakes::None, &["242", "20", "501", "34"]);
        check(&[countries, codes], &[0, 1], ALL);
    }

    #[test]
    fn the_paper_s_example_discards_what_cannot_be() {
        // Section 7: countries at 10–20 and 30–40, codes at 5–8, 25–28 and 45–48.
        let text = format!(
            "{}[{}]{}({})x[{}]{}({})",
            "ab(z)",
            "c".repeat(8),
            "--",
            "d",
            "e".repeat(8),
            "--",
            "f"
        );
        let at = |part: &str| text.find(part).map(|at| at..at + part.len()).expect("the part");
        let country = Column {
            mistakes: Mistakes::None,
            found: vec![vec![at("cccccccc"), at("eeeeeeee")]],
        };
        let code = Column {
            mistakes: Mistakes::FalsePositives,
            found: vec![vec![at("z"), at("d"), at("f")]],
        };
        let got = corroborate(
            &[("p", &text)],
            &[country, code],
            &DelimiterSettings::default(),
            &Job::new(),
        )
        .expect("labels");
        let texts: Vec<&str> = got.labels[0].iter().map(|value| &text[value.range()]).collect();
        assert_eq!(texts, ["cccccccc", "d", "eeeeeeee", "f"]);
    }

    #[test]
    fn what_cannot_be_is_told() {
        let countries = || column(Mistakes::None, &COUNTRIES);
        let codes = |mistakes| column(mistakes, &["242", "20<", "501", "34<"]);
        let got = learned(&[
            column(Mistakes::FalsePositives, &COUNTRIES),
            codes(Mistakes::FalseNegatives),
        ]);
        assert!(matches!(got, Err(NotCorroborated::NoAnchor)));
        let got = learned(&[countries(), column(Mistakes::None, &[])]);
        assert!(matches!(got, Err(NotCorroborated::NothingFound(1))));
        // Two codes for one country.
        let got = learned(&[countries(), column(Mistakes::FalseNegatives, &["242", "1", "20<"])]);
        assert!(
            matches!(
                got,
                Err(NotCorroborated::Contradiction(Contradiction { column: 1, .. }))
            ),
            "{got:?}"
        );
        // Declared to find all values, but found none for Egypt.
        let got = learned(&[countries(), column(Mistakes::FalsePositives, &["242", "501", "34"])]);
        assert!(
            matches!(
                got,
                Err(NotCorroborated::Contradiction(Contradiction { column: 1, .. }))
            ),
            "{got:?}"
        );
        // Nothing common around what was found.
        let got = learned(&[countries(), column(Mistakes::FalseNegatives, &["242", "of 9<li><b>B"])]);
        assert!(got.is_err());
    }

    #[test]
    fn choices_come_by_rank() {
        assert_eq!(by_rank(&[2, 2], 9), [[0, 0], [0, 1], [1, 0], [1, 1]]);
        assert_eq!(by_rank(&[3, 2], 3).len(), 3);
        assert_eq!(by_rank(&[], 9), [Vec::<usize>::new()]);
    }
}
