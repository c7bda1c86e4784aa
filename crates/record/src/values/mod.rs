//! Values as people write them: which kind of value a text is, and the number, price, date or time that it stands for.
//!
//! This is the only place that knows how such values are written. Typed fields ([`ValueType::read`]) parse with it,
//! and whoever compares values across redesigns asks it for their [`kinds`].
//!
//! ```
//! use record::values::{Convention, Kind, date, kinds, price};
//!
//! let prices = ["1.234,50 €", "12,50 €", "999 €"];
//! let here = Convention::of(prices);
//! assert!(here.is_certain());
//! let price = price(prices[0], &here)?;
//! assert_eq!((price.amount.to_f64(), price.currency.code()), (1234.5, Some("EUR")));
//!
//! // The second date shows that the month comes first, so the first one is not the 5th of September.
//! let dates = Convention::of(["5/9/2019", "5/23/2019"]);
//! assert_eq!(date("5/9/2019", &dates)?.to_string(), "2019-05-09");
//!
//! assert!(kinds("5/9/19-7pm").contains(Kind::DateTime));
//! assert!(kinds("Thursday, May 9, 2019, 7:00 PM – 9:00 PM").contains(Kind::DateTime));
//! # Ok::<(), record::values::Misread>(())
//! ```
//!
//! # One convention for each field
//!
//! `1.234` is a thousand in Berlin and about one in London, and `5/9/2019` is in May or in September. No value can
//! decide that alone, but a field can: a site writes all values of a field in the same way, and among them is usually
//! one with a single reading (`12,50`, `23/9/2019`). [`Convention::of`] looks at all values of a field and keeps what
//! they decide; every value is then read by that convention. A value that the convention cannot read is refused, even
//! if another convention could read it.
//!
//! If the values do not decide, the convention is open. Then a value with one reading is read, and a value with two is
//! refused as [`Misread::Ambiguous`]. [`Convention::or_default`] reads these by a fixed rule instead: decimal point,
//! month first with slashes, day first with dashes. Two hints are weaker than any value that decides, and are used when
//! nothing else is known: money has no third decimal, so `$1,299` is 1299; and dates with dots have the day first.
//! The sort of the field helps as well: where an integer is expected, `1.299` can only be 1299.
//!
//! # Streams
//!
//! A sink writes a record before it has seen the next one, so it cannot look at all values of a field. It takes the
//! convention from the record type ([`ValueType::convention`]). A wrapper fills that in from the samples in its profile
//! when it is made ready to run, so a run does not depend on which page comes first. Without a profile the convention
//! is open, and values with two readings are misfits: a value that is missing and told is better than a wrong one.
//!
//! # How texts are read
//!
//! A text is divided into digits, words, spaces and other signs once (`scan`); the readers for numbers (`amount`) and
//! for dates and times (`calendar`, `clock`) look at a bounded number of tokens from each position. So the time is linear in the
//! text. Texts longer than 400 bytes are prose and are not read at all.
//!
//! # Known limits
//!
//! Digits other than 0 to 9 are not read. Month and weekday names are known in English, German, French, Spanish,
//! Italian, Dutch and Portuguese. Dates of the form `yy-mm-dd` are read only if `yy` is more than 31. Prices with three
//! decimals (fuel) are misread as thousands if no value of the field decides. Multiples (`4.5k`, `3 Mio.`) are refused,
//! not multiplied. Zone names with several meanings (CST, IST) are ignored, so the time is a local one.
//!
//! [`ValueType::read`]: crate::ValueType::read
//! [`ValueType::convention`]: crate::ValueType::convention

mod amount;
mod calendar;
mod clock;
mod convention;
mod currency;
mod dates;
mod format;
mod kind;
mod names;
mod numbers;
mod phone;
mod place;
#[cfg(test)]
mod round_trips;
mod scan;
#[cfg(test)]
mod tests;

pub use convention::{Convention, DayOrder, Decimal};
pub use currency::Currency;
pub use dates::{Date, Time, Timestamp, Zone, date, time, timestamp};
pub use format::{DateFormat, FormatError, When};
pub use kind::{Kind, Kinds, kinds};
pub use numbers::{Number, Price, currency, integer, number, price};
pub use phone::{is_isbn, is_phone};

use std::fmt;

/// The truth that a text stands for: `true`, `yes`, `false` or `no`.
///
/// ```
/// use record::values::truth;
/// assert_eq!(truth(" Yes"), Ok(true));
/// assert!(truth("perhaps").is_err());
/// ```
///
/// # Errors
///
/// It is another text.
pub fn truth(text: &str) -> Result<bool, Misread> {
    match text.trim().to_lowercase().as_str() {
        "true" | "yes" => Ok(true),
        "false" | "no" => Ok(false),
        _ => Err(Misread::Nothing),
    }
}

/// The most bytes of a text that are read as a value. A sentence with a date in it has about 100; what is longer than
/// four times that is prose.
pub(crate) const LONGEST: usize = 400;

/// The most words around a value. "Posted on May 9, 2019 by admin" has four.
const WORDS_AROUND: usize = 4;

/// Why a text is not a value of the kind that was asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Misread {
    /// There is no such value in it.
    Nothing,
    /// There are too many words around the value.
    Words,
    /// There are several values in it.
    Several,
    /// It is a fraction, such as `1/2`.
    Fraction,
    /// It is a range, such as `3–5`, or a bound, such as `10+`.
    Range,
    /// Its separators are not those of a number, or not those of the field.
    Separators,
    /// It is a multiple, such as `4.5k`.
    Multiple,
    /// It is a part of a code, such as `A12`.
    Code,
    /// It is money in parentheses, which some write for negative amounts.
    Parentheses,
    /// A whole number was asked for, and it has decimals.
    NotWhole,
    /// It is too large to be written exactly.
    TooLarge,
    /// It has two readings, and the values of the field do not decide.
    Ambiguous {
        /// One reading.
        one: String,
        /// The other reading.
        other: String,
    },
    /// It has no currency.
    NoCurrency,
    /// The date has no year.
    NoYear,
    /// The date has no day.
    NoDay,
    /// There is a date, but no time.
    NoTime,
    /// There is no such day, such as February 30, or not in the order of day and month of the field.
    NoSuchDay,
}

impl fmt::Display for Misread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Misread::Nothing => "there is no such value in it",
            Misread::Words => "there are too many words around the value",
            Misread::Several => "it has several values",
            Misread::Fraction => "it is a fraction",
            Misread::Range => "it is a range",
            Misread::Separators => "its separators do not fit",
            Misread::Multiple => "it is a multiple",
            Misread::Code => "it is part of a code",
            Misread::Parentheses => "money in parentheses may be negative",
            Misread::NotWhole => "it has decimals",
            Misread::TooLarge => "it is too large",
            Misread::Ambiguous { one, other } => return write!(f, "it may be {one} or {other}"),
            Misread::NoCurrency => "it has no currency",
            Misread::NoYear => "it has no year",
            Misread::NoDay => "it has no day",
            Misread::NoTime => "it has no time",
            Misread::NoSuchDay => "there is no such day",
        })
    }
}

impl std::error::Error for Misread {}
