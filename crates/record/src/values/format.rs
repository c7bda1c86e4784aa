//! Dates by a format that the reader knows: `D.M.YYYY`.
//!
//! Free reading ([`date`](super::date)) finds out how a date is written, and refuses what has two readings. Whoever knows
//! how a site writes its dates says so instead, in the letters of the table. A text is read whole, without the white
//! space at its ends: either all of it has the format, or it is no date. Nothing is guessed, so `5/9/2019` has one
//! meaning in each format.
//!
//! | in the format | in the text |
//! |---|---|
//! | `D`, `M`, `H`, `h` | one or two digits: day, month, hour of 24, hour of 12 |
//! | `DD`, `MM`, `HH`, `hh`, `mm`, `ss` | two digits; minute and second are small letters |
//! | `YYYY`, `YY` | four digits; two digits, from 1969 to 2068 |
//! | `MMM` or `MMMM` | the name of a month, full or abbreviated, in the languages of the month names; a dot may follow |
//! | `ddd` or `dddd` | the name of a weekday in the same way; it must be the right one |
//! | `A` | `am` or `pm`, with `h` |
//! | `[text]` | this text; letters outside brackets must be of this table |
//! | white space | any white space, at least some |
//! | any other character | itself |
//!
//! The table is the common part of what date libraries for the web understand, so most readers know it.
//!
//! **Cost**: one pass over the text, which is refused if it has more than 400 bytes. **Known limits**: no time zones, no
//! fractions of seconds; ordinals (`1st`) need `replace`.

use super::dates::{Date, Time, Timestamp};
use super::{Convention, LONGEST, Misread, names};
use std::fmt;

/// How dates are written, with or without a time.
///
/// ```
/// use record::values::DateFormat;
/// let format = DateFormat::new("D. MMMM YYYY")?;
/// assert_eq!(format.read(" 9. Mai 2019 ").map(|when| when.to_string()), Ok("2019-05-09".to_owned()));
/// assert!(format.read("9.5.2019").is_err());
/// # Ok::<(), record::values::FormatError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DateFormat {
    parts: Vec<Part>,
    has_time: bool,
}

/// A day, or a day and a time. It prints by ISO 8601.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    /// A day.
    Day(Date),
    /// A day and a time.
    Moment(Timestamp),
}

impl fmt::Display for When {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            When::Day(date) => date.fmt(f),
            When::Moment(moment) => moment.fmt(f),
        }
    }
}

/// Why a text is not a format of dates.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FormatError {
    /// Letters that mean nothing.
    Letters(String),
    /// Something that is needed is missing: the day, the month, the year, the hour.
    Missing(&'static str),
    /// Something that is written twice.
    Twice(&'static str),
    /// `h` without `A`, or `A` without `h`.
    Half,
    /// A bracket that is not closed.
    Bracket,
}

impl fmt::Display for FormatError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FormatError::Letters(letters) => {
                write!(
                    f,
                    "`{letters}` means nothing in a format of dates; write text as `[{letters}]`"
                )
            }
            FormatError::Missing(what) => write!(f, "the {what} is missing"),
            FormatError::Twice(what) => write!(f, "the {what} is there twice"),
            FormatError::Half => f.write_str("`h` is the hour of 12 and needs `A` for am or pm; `H` is the hour of 24"),
            FormatError::Bracket => f.write_str("expected `]` at the end of a text in brackets"),
        }
    }
}

impl std::error::Error for FormatError {}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    /// A number with at least and at most these numbers of digits.
    Digits {
        of: Of,
        least: usize,
        most: usize,
    },
    /// The name of a month.
    Month,
    /// The name of a weekday.
    Weekday,
    /// `am` or `pm`.
    Half,
    /// White space.
    Space,
    Text(String),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Of {
    Day,
    Month,
    Year,
    ShortYear,
    Hour,
    HalfHour,
    Minute,
    Second,
}

/// What the letters mean, longest first.
const LETTERS: &[(&str, Part)] = &[
    ("YYYY", digits(Of::Year, 4, 4)),
    ("YY", digits(Of::ShortYear, 2, 2)),
    ("MMMM", Part::Month),
    ("MMM", Part::Month),
    ("MM", digits(Of::Month, 2, 2)),
    ("M", digits(Of::Month, 1, 2)),
    ("DD", digits(Of::Day, 2, 2)),
    ("D", digits(Of::Day, 1, 2)),
    ("dddd", Part::Weekday),
    ("ddd", Part::Weekday),
    ("HH", digits(Of::Hour, 2, 2)),
    ("H", digits(Of::Hour, 1, 2)),
    ("hh", digits(Of::HalfHour, 2, 2)),
    ("h", digits(Of::HalfHour, 1, 2)),
    ("mm", digits(Of::Minute, 2, 2)),
    ("ss", digits(Of::Second, 2, 2)),
    ("A", Part::Half),
];

const fn digits(of: Of, least: usize, most: usize) -> Part {
    Part::Digits { of, least, most }
}

impl Part {
    /// What it says, for messages; nothing if it may be there any number of times.
    fn says(&self) -> Option<&'static str> {
        match self {
            Part::Digits { of, .. } => Some(match of {
                Of::Day => "day",
                Of::Month => "month",
                Of::Year | Of::ShortYear => "year",
                Of::Hour | Of::HalfHour => "hour",
                Of::Minute => "minute",
                Of::Second => "second",
            }),
            Part::Month => Some("month"),
            Part::Weekday => Some("weekday"),
            Part::Half => Some("half of the day"),
            Part::Space | Part::Text(_) => None,
        }
    }
}

impl DateFormat {
    /// Reads a format.
    ///
    /// # Errors
    ///
    /// It has letters that mean nothing, or does not say which day it is.
    pub fn new(format: &str) -> Result<DateFormat, FormatError> {
        let mut parts: Vec<Part> = Vec::new();
        let mut rest = format.trim();
        while let Some(c) = rest.chars().next() {
            // The same letter again and again is one part, if at all.
            let run = rest.len() - rest.trim_start_matches(c).len();
            let letters = &rest[..run];
            let (part, length) = if c == '[' {
                let end = rest.find(']').ok_or(FormatError::Bracket)?;
                (Part::Text(rest[1..end].to_owned()), end + 1)
            } else if c.is_alphabetic() {
                let known = LETTERS.iter().find(|(known, _)| *known == letters);
                let unknown = || {
                    let end = rest.find(|c: char| !c.is_alphabetic()).unwrap_or(rest.len());
                    FormatError::Letters(rest[..end].to_owned())
                };
                (known.ok_or_else(unknown)?.1.clone(), run)
            } else if c.is_whitespace() {
                let end = rest.find(|c: char| !c.is_whitespace()).unwrap_or(rest.len());
                (Part::Space, end)
            } else {
                (Part::Text(c.to_string()), c.len_utf8())
            };
            if let Some(what) = part.says()
                && parts.iter().any(|other| other.says() == Some(what))
            {
                return Err(FormatError::Twice(what));
            }
            parts.push(part);
            rest = &rest[length..];
        }
        let has = |what: &str| parts.iter().any(|part| part.says() == Some(what));
        if let Some(what) = ["day", "month", "year"].into_iter().find(|what| !has(what)) {
            return Err(FormatError::Missing(what));
        }
        let has_time = has("hour");
        if !has_time && (has("minute") || has("second")) {
            return Err(FormatError::Missing("hour"));
        }
        if has("second") && !has("minute") {
            return Err(FormatError::Missing("minute"));
        }
        let by_halves = parts
            .iter()
            .any(|part| matches!(part, Part::Digits { of: Of::HalfHour, .. }));
        if by_halves != has("half of the day") {
            return Err(FormatError::Half);
        }
        Ok(DateFormat { parts, has_time })
    }

    /// Does it have a time, so that it gives [`When::Moment`]?
    pub fn has_time(&self) -> bool {
        self.has_time
    }

    /// The day, or the day and the time, that a text stands for.
    ///
    /// # Errors
    ///
    /// The text does not have this format, or there is no such day or time.
    pub fn read(&self, text: &str) -> Result<When, Misread> {
        let mut rest = text.trim();
        if rest.len() > LONGEST {
            return Err(Misread::Words);
        }
        let mut read = Read::default();
        for part in &self.parts {
            let length = read.take(part, rest).ok_or(Misread::Nothing)?;
            rest = &rest[length..];
        }
        if !rest.is_empty() {
            return Err(Misread::Nothing);
        }
        let date = Date::new(read.year, read.month, read.day).ok_or(Misread::NoSuchDay)?;
        if read.weekday.is_some_and(|day| day != date.weekday()) {
            return Err(Misread::NoSuchDay);
        }
        if !self.has_time {
            return Ok(When::Day(date));
        }
        let hour = match read.afternoon {
            None => read.hour,
            // Twelve is the first hour of its half of the day.
            Some(_) if !(1..=12).contains(&read.hour) => return Err(Misread::Nothing),
            Some(afternoon) => read.hour % 12 + 12 * u8::from(afternoon),
        };
        let time = Time::new(hour, read.minute, read.second, 0, None).ok_or(Misread::Nothing)?;
        Ok(When::Moment(Timestamp { date, time }))
    }
}

/// What was read so far.
#[derive(Default)]
struct Read {
    year: u16,
    month: u8,
    day: u8,
    hour: u8,
    minute: u8,
    second: u8,
    afternoon: Option<bool>,
    weekday: Option<u8>,
}

impl Read {
    /// Reads a part at the beginning of a text; gives its length there.
    fn take(&mut self, part: &Part, text: &str) -> Option<usize> {
        let name = || {
            let end = text.find(|c: char| !c.is_alphabetic()).unwrap_or(text.len());
            (&text[..end], end + usize::from(text[end..].starts_with('.')))
        };
        match part {
            Part::Digits { of, least, most } => {
                let length = text.bytes().take(*most).take_while(u8::is_ascii_digit).count();
                let value: u16 = text[..length].parse().ok().filter(|_| length >= *least)?;
                let small = || u8::try_from(value).unwrap_or(u8::MAX);
                match of {
                    Of::Year => self.year = value,
                    Of::ShortYear => self.year = Convention::default().year(small()),
                    Of::Month => self.month = small(),
                    Of::Day => self.day = small(),
                    Of::Hour | Of::HalfHour => self.hour = small(),
                    Of::Minute => self.minute = small(),
                    Of::Second => self.second = small(),
                }
                Some(length)
            }
            Part::Month => {
                let (word, length) = name();
                self.month = names::month(word)?;
                Some(length)
            }
            Part::Weekday => {
                let (word, length) = name();
                self.weekday = Some(names::weekday(word)?);
                Some(length)
            }
            Part::Half => {
                let known = [("am", false), ("a.m.", false), ("pm", true), ("p.m.", true)];
                let begins = |word: &str| {
                    text.get(..word.len())
                        .is_some_and(|start| start.eq_ignore_ascii_case(word))
                };
                let (word, afternoon) = known.into_iter().find(|(word, _)| begins(word))?;
                self.afternoon = Some(afternoon);
                Some(word.len())
            }
            Part::Space => {
                let length = text.len() - text.trim_start().len();
                (length > 0).then_some(length)
            }
            Part::Text(wanted) => text.starts_with(wanted.as_str()).then_some(wanted.len()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(format: &str, text: &str) -> Option<String> {
        let format = DateFormat::new(format).expect(format);
        format.read(text).ok().map(|when| when.to_string())
    }

    #[test]
    fn dates_by_their_format() {
        for (format, text, expected) in [
            ("D.M.YYYY", "9.5.2019", Some("2019-05-09")),
            ("D.M.YYYY", "\n 09.05.2019 ", Some("2019-05-09")),
            ("DD.MM.YYYY", "9.5.2019", None),
            ("M/D/YYYY", "5/9/2019", Some("2019-05-09")),
            ("D/M/YYYY", "5/9/2019", Some("2019-09-05")),
            ("D/M/YYYY", "31/2/2019", None),
            ("YYYYMMDD", "20190509", Some("2019-05-09")),
            ("D/M/YY", "5/9/68", Some("2068-09-05")),
            ("D/M/YY", "5/9/69", Some("1969-09-05")),
            ("D MMM YYYY", "9\u{a0}Sept. 2019", Some("2019-09-09")),
            ("D. MMMM YYYY", "9. März 2019", Some("2019-03-09")),
            ("MMMM D, YYYY", "Mai 9, 2019", Some("2019-05-09")),
            ("MMMM D, YYYY", "Foo 9, 2019", None),
            ("ddd, D MMM YYYY", "Thu, 9 May 2019", Some("2019-05-09")),
            ("ddd, D MMM YYYY", "Fri, 9 May 2019", None),
            ("[le] D/M/YYYY", "le 9/5/2019", Some("2019-05-09")),
            ("D.M.YYYY", "9.5.2019 ", Some("2019-05-09")),
            ("D.M.YYYY", "am 9.5.2019", None),
            ("D.M.YYYY", "9.5.2019, 10 Uhr", None),
            ("D.M.YYYY", "", None),
            ("D.M.YYYY H:mm", "9.5.2019 7:05", Some("2019-05-09T07:05:00")),
            ("D.M.YYYY HH:mm:ss", "9.5.2019 24:05:00", None),
            ("YYYY-MM-DD h:mm A", "2019-05-09 12:05 am", Some("2019-05-09T00:05:00")),
            ("YYYY-MM-DD h:mm A", "2019-05-09 1:05 P.M.", Some("2019-05-09T13:05:00")),
            ("YYYY-MM-DD h:mm A", "2019-05-09 13:05 pm", None),
        ] {
            assert_eq!(read(format, text).as_deref(), expected, "{format} of {text:?}");
        }
    }

    #[test]
    fn what_is_no_format_is_refused() {
        let check = |format: &str, expected: &str| {
            let error = DateFormat::new(format).expect_err(format);
            assert_eq!(error.to_string(), expected, "{format}");
        };
        check("", "the day is missing");
        check("D.M.", "the year is missing");
        check("D.M.YYYY MM", "the month is there twice");
        check(
            "dd.MM.yyyy",
            "`dd` means nothing in a format of dates; write text as `[dd]`",
        );
        check(
            "D.M.YYYY um H:mm",
            "`um` means nothing in a format of dates; write text as `[um]`",
        );
        check("D.M.YYYY mm", "the hour is missing");
        check("D.M.YYYY H:ss", "the minute is missing");
        check(
            "D.M.YYYY h:mm",
            "`h` is the hour of 12 and needs `A` for am or pm; `H` is the hour of 24",
        );
        check("D.M.YYYY [x", "expected `]` at the end of a text in brackets");
    }

    /// Every day, written and read in each format.
    #[test]
    fn what_is_written_is_read() {
        let mut days = 0;
        while let Some(date) = Date::from_days(days) {
            let (year, month, day) = (date.year(), date.month(), date.day());
            for (format, text) in [
                ("D.M.YYYY", format!("{day}.{month}.{year}")),
                ("MM/DD/YYYY", format!("{month:02}/{day:02}/{year}")),
                ("YYYYMMDD", format!("{year}{month:02}{day:02}")),
            ] {
                assert_eq!(read(format, &text), Some(date.to_string()), "{format}");
            }
            days += 17;
            if days > 60_000 {
                break;
            }
        }
    }
}
