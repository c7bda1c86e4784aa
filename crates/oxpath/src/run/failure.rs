//! Why a branch of a run ended early.

use super::news::MOST_BARREN;
use crate::eval::EvalError;
use page::driver::DriverError;
use std::sync::Arc;
use std::time::Duration;

/// Why a branch ended early.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Failure {
    /// The driver could not open a page or perform an action.
    Driver(DriverError),
    /// A simple part of the expression could not be evaluated.
    Eval(EvalError),
    /// After a contextual action the node could not be found again.
    NodeLost {
        /// The page after the action.
        url: Arc<str>,
    },
    /// The condition of `[until=…]` does not hold on the new page.
    ConditionNotMet {
        /// The page after the action.
        url: Arc<str>,
        /// How long it was waited for; none if the page cannot change by itself any more.
        waited: Option<Duration>,
    },
    /// A repetition came back to a page that it had been on.
    Circle {
        /// That page.
        url: Arc<str>,
    },
    /// A repetition on one page went on for long without anything new, and stopped.
    NothingNew {
        /// That page.
        url: Arc<str>,
    },
}

impl Failure {
    /// Is it only worth a warning? Some repetitions end in this way.
    pub fn is_warning(&self) -> bool {
        matches!(self, Failure::Circle { .. } | Failure::NothingNew { .. })
    }
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Failure::Driver(error) => f.write_str(&error.message),
            Failure::Eval(error) => error.fmt(f),
            Failure::NodeLost { url } => {
                write!(f, "{url}: the node of the action is no longer on the page")
            }
            Failure::ConditionNotMet { url, waited } => {
                write!(f, "{url}: the condition of [until=…] does not hold")?;
                match waited {
                    Some(waited) => write!(f, " after {} s", waited.as_secs_f64()),
                    None => Ok(()),
                }
            }
            Failure::Circle { url } => write!(f, "{url}: a repetition came back to this page and stopped"),
            Failure::NothingNew { url } => write!(
                f,
                "{url}: a repetition stopped because the last {MOST_BARREN} rounds gave nothing new"
            ),
        }
    }
}

impl std::error::Error for Failure {}
