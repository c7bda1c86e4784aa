//! How well a rule gives the values that were found again.
//!
//! *Input*: a wrapper, pages, and for each page the rows that were found on it. *Output*: for each column the share of these values that the rule gives and of
//! those that it gives the share that were found. Values of a page are compared as a bag, so their order does not matter. *Cost*: a run of the rule on each page.

use crate::compare;
use crate::relearn;
use page::Document;
use record::Rows;
use wrapper::Wrapper;

/// For each table and column, how well a rule gives the recovered values.
pub(crate) type Agreement = Vec<Vec<Given>>;

/// How well a rule gives the recovered values of a column.
#[derive(Clone, Copy)]
pub(crate) struct Given {
    /// Which share of them it gives, and of those that it gives which share are such: the harmonic mean.
    pub(crate) share: f64,
    /// Of those that it gives, which share were recovered.
    pub(crate) precision: f64,
}

impl Given {
    /// The share of the recovered values that it gives.
    pub(crate) fn recall(self) -> f64 {
        match 2.0 * self.precision - self.share {
            twice if twice > 0.0 => self.share * self.precision / twice,
            _ => 0.0,
        }
    }
}

/// The mean of how well a new wrapper gives what was recovered; 0 if its rule cannot be run.
pub(crate) fn agreement_of(old: &Wrapper, new: &Wrapper, documents: &[&Document], labels: &[Rows]) -> f64 {
    agreement(old, new, documents, labels).map_or(0.0, |agreement| mean(&agreement))
}

/// The mean over all columns.
pub(crate) fn mean(agreement: &Agreement) -> f64 {
    let all = agreement.iter().flatten().map(|given| given.share);
    all.clone().sum::<f64>() / all.count().max(1) as f64
}

/// How well a new wrapper gives what was recovered; none if its rule cannot be run.
pub(crate) fn agreement(old: &Wrapper, new: &Wrapper, documents: &[&Document], labels: &[Rows]) -> Option<Agreement> {
    let runner = new.runner().ok()?;
    let tables = old.record_type.tables();
    let mut counts: Vec<Vec<[usize; 3]>> = tables.iter().map(|table| vec![[0; 3]; table.columns.len()]).collect();
    for (document, wanted) in documents.iter().zip(labels) {
        let given = relearn::as_before(&old.record_type, &new.record_type, runner.rows(document));
        for (table, columns) in counts.iter_mut().enumerate() {
            for (column, count) in columns.iter_mut().enumerate() {
                let wanted = compare::column(wanted, table, column);
                let given = compare::column(&given, table, column);
                *count = [
                    count[0] + shared(&wanted, &given),
                    count[1] + wanted.len(),
                    count[2] + given.len(),
                ];
            }
        }
    }
    let share = |[right, wanted, given]: &[usize; 3]| Given {
        share: match wanted + given {
            0 => 1.0,
            all => 2.0 * *right as f64 / all as f64,
        },
        precision: match given {
            0 => 1.0,
            given => *right as f64 / *given as f64,
        },
    };
    Some(
        counts
            .iter()
            .map(|columns| columns.iter().map(share).collect())
            .collect(),
    )
}

/// How many texts two sorted lists have in common.
pub(crate) fn shared(one: &[String], other: &[String]) -> usize {
    let (mut at, mut to, mut count) = (0, 0, 0);
    while at < one.len() && to < other.len() {
        match one[at].cmp(&other[to]) {
            std::cmp::Ordering::Less => at += 1,
            std::cmp::Ordering::Greater => to += 1,
            std::cmp::Ordering::Equal => (at, to, count) = (at + 1, to + 1, count + 1),
        }
    }
    count
}
