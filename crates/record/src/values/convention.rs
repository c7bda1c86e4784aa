//! How the values of a field are written: which separator is the decimal one, whether the day or the month comes
//! first, and in which century two-digit years are.
//!
//! Every value votes for the conventions that can read it. Only values with a single reading count; a side that has at
//! least nine tenths of these votes wins, so a typing error does not undo what a hundred values say. If the votes are
//! divided more evenly, the field is written by several hands, and the convention stays open.

use super::LONGEST;
use super::amount::amounts;
use super::calendar::{self, Order};
use super::scan::Tokens;

/// The decimal separator of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decimal {
    /// `1,234.50`
    Point,
    /// `1.234,50`
    Comma,
}

impl Decimal {
    pub(super) fn mark(self) -> char {
        match self {
            Decimal::Point => '.',
            Decimal::Comma => ',',
        }
    }
}

/// The order of day and month in dates of numbers alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DayOrder {
    /// `9/5/2019` is in May.
    DayFirst,
    /// `5/9/2019` is in May.
    MonthFirst,
}

/// How the values of a field are written.
///
/// ```
/// use record::values::{Convention, Decimal};
/// let one = Convention::of(["1.234", "12,50"]);
/// assert_eq!((one.decimal(), one.is_certain()), (Some(Decimal::Comma), true));
/// let open = Convention::of(["1.234", "2.345"]);
/// assert_eq!((open.decimal(), open.is_certain()), (None, false));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Convention {
    decimal: Option<Decimal>,
    order: Option<DayOrder>,
    /// Two-digit years are at most 50 years before this one and less than 50 after it.
    near: u16,
    /// Were there values that the others do not decide?
    undecided: bool,
    /// Is there a rule for values that nothing decides?
    default: bool,
    /// Are values written by a program, so that dates have no form but that of ISO 8601?
    exact: bool,
}

/// With this year, 69 is 1969 and 68 is 2068, as POSIX has it.
const NEAR: u16 = 2019;

impl Default for Convention {
    /// Nothing is known: only values with a single reading are read.
    fn default() -> Convention {
        Convention {
            decimal: None,
            order: None,
            near: NEAR,
            undecided: false,
            default: false,
            exact: false,
        }
    }
}

/// Counts of values by what can read them.
#[derive(Default)]
struct Votes {
    one: usize,
    other: usize,
    either: usize,
}

impl Votes {
    fn add(&mut self, one: bool, other: bool, same: bool) {
        match (one, other) {
            (true, false) => self.one += 1,
            (false, true) => self.other += 1,
            (true, true) if !same => self.either += 1,
            _ => {}
        }
    }

    /// The side that wins, and whether something is left undecided.
    fn decide<T>(&self, one: T, other: T) -> (Option<T>, bool) {
        let all = self.one + self.other;
        // At least nine tenths of the votes.
        let wins = |votes: usize| all > 0 && votes * 10 >= all * 9;
        match (wins(self.one), wins(self.other)) {
            (true, _) => (Some(one), false),
            (_, true) => (Some(other), false),
            _ => (None, all + self.either > 0),
        }
    }
}

impl Convention {
    /// Values as programs write them: numbers with a decimal point and nothing between thousands, dates by ISO 8601.
    ///
    /// ```
    /// use record::values::{Convention, date, number};
    /// assert_eq!(number("1.234", &Convention::of_programs())?.to_f64(), 1.234);
    /// assert!(date("2019-05-09", &Convention::of_programs()).is_ok());
    /// assert!(date("May 9, 2019", &Convention::of_programs()).is_err());
    /// # Ok::<(), record::values::Misread>(())
    /// ```
    pub fn of_programs() -> Convention {
        Convention {
            decimal: Some(Decimal::Point),
            exact: true,
            ..Convention::default()
        }
    }

    /// The convention of a field, from all its values. Values that are neither numbers nor dates say nothing.
    pub fn of<T: AsRef<str>>(values: impl IntoIterator<Item = T>) -> Convention {
        let (mut numbers, mut orders) = (Votes::default(), Votes::default());
        let mut years: Vec<u16> = Vec::new();
        for value in values {
            let text = value.as_ref();
            if text.len() > LONGEST {
                continue;
            }
            let mut tokens = Tokens::new(text.trim());
            let found = calendar::take(&mut tokens);
            years.extend(found.dates.iter().filter_map(|date| date.full_year()));
            for date in &found.dates {
                match date.order(found.weekday) {
                    Order::Day => orders.add(true, false, false),
                    Order::Month => orders.add(false, true, false),
                    Order::Either => orders.add(true, true, false),
                    Order::Plain => {}
                }
            }
            // The times and dates are taken away, so these are other numbers.
            for amount in amounts(&tokens) {
                let (point, comma) = (amount.under(Decimal::Point), amount.under(Decimal::Comma));
                numbers.add(point.is_some(), comma.is_some(), point == comma);
            }
        }
        years.sort_unstable();
        let (decimal, open) = numbers.decide(Decimal::Point, Decimal::Comma);
        let (order, undated) = orders.decide(DayOrder::DayFirst, DayOrder::MonthFirst);
        Convention {
            decimal,
            order,
            near: years.get(years.len() / 2).copied().unwrap_or(NEAR),
            undecided: open || undated,
            default: false,
            exact: false,
        }
    }

    /// The same; values that nothing decides are read with a decimal point, with the month first if slashes are between
    /// the numbers of a date, and with the day first otherwise.
    ///
    /// ```
    /// use record::values::{Convention, number};
    /// let open = Convention::of(["1.234", "2.345"]).or_default();
    /// assert_eq!((number("1.234", &open)?.to_f64(), open.is_certain()), (1.234, false));
    /// # Ok::<(), record::values::Misread>(())
    /// ```
    pub fn or_default(self) -> Convention {
        Convention { default: true, ..self }
    }

    /// Is it decided for every value that it was made from?
    pub fn is_certain(&self) -> bool {
        !self.undecided
    }

    /// The decimal separator; `None` if no value decides.
    pub fn decimal(&self) -> Option<Decimal> {
        self.decimal
    }

    /// The order of day and month; `None` if no value decides.
    pub fn order(&self) -> Option<DayOrder> {
        self.order
    }

    /// Are dates read by ISO 8601 only?
    pub(super) fn is_exact(&self) -> bool {
        self.exact
    }

    pub(super) fn has_default(&self) -> bool {
        self.default
    }

    /// The year that two digits stand for.
    pub(super) fn year(&self, short: u8) -> u16 {
        let first = self.near.saturating_sub(50);
        first + (u16::from(short) + 100 - first % 100) % 100
    }
}
