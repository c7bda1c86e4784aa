//! Finds dates and times in a text.
//!
//! A date is numbers with the same separator between them, or a day and a month's name; a time (`clock`) is hours with
//! minutes, or hours with a word for the half of the day. Each is looked for at every position, dates first, and what is
//! found is taken away, so that no digit belongs to two values.

use super::clock::time_at;
use super::convention::DayOrder;
use super::dates::{Date, Time};
use super::names;
use super::scan::{Tokens, fold, is_dash};

/// A date as it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Written {
    pub(super) form: Form,
    pub(super) year: Option<Year>,
    /// Is it the end of a range of days, such as `May 9–11`?
    pub(super) range: bool,
}

/// Day and month as they are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// Known, because of a name or because the year comes first.
    Known { day: Option<u8>, month: u8 },
    /// Two numbers, in an order that must be found out.
    Numbers { first: u8, second: u8, separator: char },
}

/// A year as it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Year {
    Full(u16),
    Short(u8),
}

/// What a date says about the order of day and month.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    Day,
    Month,
    /// Both are possible, and give different days.
    Either,
    /// Nothing.
    Plain,
}

/// The dates and times of a text.
#[derive(Debug, Default)]
pub(super) struct Found {
    pub(super) dates: Vec<Written>,
    pub(super) times: Vec<Time>,
    /// The only weekday that is named.
    pub(super) weekday: Option<u8>,
}

/// Finds the dates and times in a text, and takes them and the weekdays away.
pub(super) fn take(tokens: &mut Tokens<'_>) -> Found {
    let mut found = Found::default();
    let mut at = 0;
    while at < tokens.len() {
        let end = if let Some((date, end)) = date_at(tokens, at) {
            found.dates.push(date);
            end
        } else if let Some((time, end)) = time_at(tokens, at) {
            found.times.push(time);
            end
        } else {
            at += 1;
            continue;
        };
        tokens.take(at, end);
        at = end;
    }
    if found.dates.is_empty() {
        return found;
    }
    let mut days = Vec::new();
    for at in 0..tokens.len() {
        if let Some(day) = tokens.word(at).and_then(names::weekday) {
            days.push(day);
            tokens.take(at, at + 1);
        } else if tokens.word(at) == Some("T") {
            // Between date and time, as in ISO 8601.
            tokens.take(at, at + 1);
        }
    }
    if let [day] = days.as_slice() {
        found.weekday = Some(*day);
    }
    found
}

impl Written {
    /// The year, if it has four digits.
    pub(super) fn full_year(&self) -> Option<u16> {
        match self.year {
            Some(Year::Full(year)) => Some(year),
            _ => None,
        }
    }

    /// What it says about the order of day and month, given the weekday that is named next to it.
    pub(super) fn order(&self, weekday: Option<u8>) -> Order {
        let Form::Numbers { first, second, .. } = self.form else {
            return Order::Plain;
        };
        let year = self.full_year();
        // For two-digit years, any leap year.
        let exists = |month: u8, day: u8| Date::new(year.unwrap_or(2000), month, day);
        match (exists(second, first), exists(first, second)) {
            (Some(_), None) => Order::Day,
            (None, Some(_)) => Order::Month,
            (Some(one), Some(other)) if one != other => {
                let fits = |date: Date| year.is_some() && weekday == Some(date.weekday());
                match (fits(one), fits(other)) {
                    (true, false) => Order::Day,
                    (false, true) => Order::Month,
                    _ => Order::Either,
                }
            }
            _ => Order::Plain,
        }
    }

    /// The day and the month in an order.
    pub(super) fn day_and_month(&self, order: DayOrder) -> (Option<u8>, u8) {
        match (self.form, order) {
            (Form::Known { day, month }, _) => (day, month),
            (Form::Numbers { first, second, .. }, DayOrder::DayFirst) => (Some(first), second),
            (Form::Numbers { first, second, .. }, DayOrder::MonthFirst) => (Some(second), first),
        }
    }
}

/// The date that begins at a position, and the position after it.
fn date_at(tokens: &Tokens<'_>, at: usize) -> Option<(Written, usize)> {
    match tokens.digits(at) {
        Some(_) => numeric(tokens, at)
            .or_else(|| day_first(tokens, at))
            .or_else(|| year_first(tokens, at)),
        None => month_first(tokens, at),
    }
}

fn is_day(number: u16) -> bool {
    (1..=31).contains(&number)
}

/// `9/5/2019`, `9. 5. 2019`, `2019-05-09`.
fn numeric(tokens: &Tokens<'_>, at: usize) -> Option<(Written, usize)> {
    let separator = tokens.sign(at + 1).filter(|c| matches!(c, '/' | '.' | '-'))?;
    // A part of something longer, such as 1.2.3.4.
    if at >= 2 && tokens.sign(at - 1) == Some(separator) && tokens.digits(at - 2).is_some() {
        return None;
    }
    let next = |after: usize| match separator {
        '.' => tokens.skip_space(after + 1),
        _ => after + 1,
    };
    let second_at = next(at + 1);
    let (first, first_length) = tokens.small(at)?;
    let (second, second_length) = tokens.small(second_at)?;
    if second_length > 2 || tokens.sign(second_at + 1) != Some(separator) {
        return None;
    }
    let third_at = next(second_at + 1);
    let (third, third_length) = tokens.small(third_at)?;
    let end = third_at + 1;
    if tokens.sign(end) == Some(separator) && tokens.digits(end + 1).is_some() {
        return None;
    }
    let known = |year: Year, month: u16, day: u16| Written {
        form: Form::Known {
            day: u8::try_from(day).ok(),
            month: u8::try_from(month).unwrap_or(0),
        },
        year: Some(year),
        range: false,
    };
    let date = match (first_length, third_length) {
        (4, 1 | 2) => known(Year::Full(first), second, third),
        // No day: the year comes first.
        (2, 2) if first > 31 => known(Year::Short(u8::try_from(first).ok()?), second, third),
        (1 | 2, 2 | 4) => Written {
            form: Form::Numbers {
                first: u8::try_from(first).ok()?,
                second: u8::try_from(second).ok()?,
                separator,
            },
            year: Some(year(third, third_length)?),
            range: false,
        },
        _ => return None,
    };
    // A date that cannot be one is something else, such as a version.
    let exists = [DayOrder::DayFirst, DayOrder::MonthFirst].into_iter().any(|order| {
        let (day, month) = date.day_and_month(order);
        day.is_some_and(|day| Date::new(date.full_year().unwrap_or(2000), month, day).is_some())
    });
    exists.then_some((date, end))
}

fn year(number: u16, length: usize) -> Option<Year> {
    match length {
        4 if number >= 1000 => Some(Year::Full(number)),
        2 => u8::try_from(number).ok().map(Year::Short),
        _ => None,
    }
}

/// The position after a day's ordinal: `9th`, `1er`, `9.`, `1º`.
fn skip_ordinal(tokens: &Tokens<'_>, at: usize) -> usize {
    let ordinal = tokens.word(at).is_some_and(|word| {
        let word = fold(word);
        ["st", "nd", "rd", "th", "er", "º", "ª", "o"].contains(&word.as_str())
    });
    at + usize::from(ordinal || matches!(tokens.sign(at), Some('.' | '°')))
}

/// The position after one separator between the parts of a date, with spaces, and after a word such as `of` or `de`.
fn skip_joint(tokens: &Tokens<'_>, at: usize) -> usize {
    let mut at = tokens.skip_space(at);
    if matches!(tokens.sign(at), Some('-' | '/' | ',' | '.' | '\u{2010}' | '\u{2011}')) {
        at = tokens.skip_space(at + 1);
    }
    let word = tokens
        .word(at)
        .is_some_and(|word| matches!(word, "of" | "de" | "del" | "do"));
    match word && tokens.space(at + 1).is_some() {
        true => at + 2,
        false => at,
    }
}

/// The month named at a position, and the position after it and its full stop.
fn month_at(tokens: &Tokens<'_>, at: usize) -> Option<(u8, usize)> {
    let month = names::month(tokens.word(at)?)?;
    Some((month, at + 1 + usize::from(tokens.sign(at + 1) == Some('.'))))
}

/// The year at a position, and the position after it. Two digits are a year only if no time begins with them.
fn year_at(tokens: &Tokens<'_>, at: usize, short: bool) -> Option<(Year, usize)> {
    if matches!(tokens.sign(at), Some('\'' | '’')) {
        let (number, length) = tokens.small(at + 1).filter(|(_, length)| *length == 2)?;
        return Some((year(number, length)?, at + 2));
    }
    let (number, length) = tokens.small(at)?;
    if length == 2 && (!short || time_at(tokens, at).is_some() || tokens.word(at + 1).is_some()) {
        return None;
    }
    Some((year(number, length)?, at + 1))
}

/// `9 May 2019`, `9. Mai`, `9 de mayo de 2019`, `09-May-19`.
fn day_first(tokens: &Tokens<'_>, at: usize) -> Option<(Written, usize)> {
    let (day, _) = tokens.small(at).filter(|(day, length)| is_day(*day) && *length <= 2)?;
    let name_at = skip_joint(tokens, skip_ordinal(tokens, at + 1));
    let (month, end) = month_at(tokens, name_at)?;
    let year = year_at(tokens, skip_joint(tokens, end), true);
    let doubtful = names::is_doubtful(tokens.word(name_at)?);
    if year.is_none() && (doubtful || time_at(tokens, at).is_some()) {
        return None;
    }
    let date = Written {
        form: Form::Known {
            day: u8::try_from(day).ok(),
            month,
        },
        year: year.map(|(year, _)| year),
        range: ends_range(tokens, at),
    };
    Some((date, year.map_or(end, |(_, end)| end)))
}

/// Is there a dash before a position, and a number before that?
fn ends_range(tokens: &Tokens<'_>, at: usize) -> bool {
    let back = |at: usize| match at.checked_sub(1) {
        Some(last) if tokens.space(last).is_some() => last,
        _ => at,
    };
    let dash = back(at).checked_sub(1);
    let Some(dash) = dash.filter(|at| tokens.sign(*at).is_some_and(is_dash)) else {
        return false;
    };
    let mut last = back(dash);
    if last > 0 && tokens.sign(last - 1) == Some('.') {
        last -= 1;
    }
    last > 0
        && tokens
            .small(last - 1)
            .is_some_and(|(day, length)| is_day(day) && length <= 2)
}

/// `May 9, 2019`, `May 9`, `May 9–11, 2019`, `May 2019`.
fn month_first(tokens: &Tokens<'_>, at: usize) -> Option<(Written, usize)> {
    let (month, end) = month_at(tokens, at)?;
    let doubtful = names::is_doubtful(tokens.word(at)?);
    let next = skip_joint(tokens, end);
    let written = |day: Option<u16>, year: Option<Year>, range: bool| Written {
        form: Form::Known {
            day: day.and_then(|day| u8::try_from(day).ok()),
            month,
        },
        year,
        range,
    };
    let (number, length) = tokens.small(next)?;
    if length == 4 {
        let year = year(number, length).filter(|_| !doubtful)?;
        return Some((written(None, Some(year), false), next + 1));
    }
    // "mar 9 mayo": a weekday that looks like a month.
    let follows = skip_joint(tokens, skip_ordinal(tokens, next + 1));
    if length > 2 || !is_day(number) || month_at(tokens, follows).is_some() || time_at(tokens, next).is_some() {
        return None;
    }
    let mut end = skip_ordinal(tokens, next + 1);
    // A full stop after the day ends the sentence.
    if tokens.sign(end - 1) == Some('.') {
        end -= 1;
    }
    let mut range = false;
    if let Some(last) = tokens.skip_dash(end)
        && let Some((day, length)) = tokens.small(last)
        && length <= 2
        && is_day(day)
        && time_at(tokens, last).is_none()
    {
        range = true;
        end = skip_ordinal(tokens, last + 1);
    }
    let year_from = skip_joint(tokens, end);
    let year = year_at(tokens, year_from, false).or_else(|| {
        // Two digits, at the end of the text only.
        let last = year_at(tokens, year_from, true)?;
        (last.1 == tokens.len() && year_from > end).then_some(last)
    });
    if year.is_none() && doubtful {
        return None;
    }
    Some((
        written(Some(number), year.map(|(year, _)| year), range),
        year.map_or(end, |(_, end)| end),
    ))
}

/// `2019 May 9`, `2019-May-09`.
fn year_first(tokens: &Tokens<'_>, at: usize) -> Option<(Written, usize)> {
    let (number, length) = tokens.small(at).filter(|(_, length)| *length == 4)?;
    let (month, end) = month_at(tokens, skip_joint(tokens, at + 1))?;
    let day_at = skip_joint(tokens, end);
    let (day, _) = tokens
        .small(day_at)
        .filter(|(day, length)| is_day(*day) && *length <= 2)?;
    let date = Written {
        form: Form::Known {
            day: u8::try_from(day).ok(),
            month,
        },
        year: Some(year(number, length)?),
        range: false,
    };
    Some((date, skip_ordinal(tokens, day_at + 1)))
}
