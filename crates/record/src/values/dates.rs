//! Dates and times, written as ISO 8601 has them.

use super::calendar::{self, Form, Found, Order, Written, Year};
use super::convention::{Convention, DayOrder};
use super::scan::Tokens;
use super::{LONGEST, Misread, WORDS_AROUND};
use std::fmt;

/// A day of the Gregorian calendar.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Date {
    year: u16,
    month: u8,
    day: u8,
}

impl Date {
    /// A day, if there is such a day. Years have at most four digits.
    ///
    /// ```
    /// use record::values::Date;
    /// assert_eq!(Date::new(2019, 5, 9).unwrap().to_string(), "2019-05-09");
    /// assert_eq!(Date::new(2019, 2, 29), None);
    /// ```
    pub fn new(year: u16, month: u8, day: u8) -> Option<Date> {
        let leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
        let days = match month {
            1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
            4 | 6 | 9 | 11 => 30,
            2 if leap => 29,
            2 => 28,
            _ => return None,
        };
        (year <= 9999 && (1..=days).contains(&day)).then_some(Date { year, month, day })
    }

    /// The year.
    pub fn year(self) -> u16 {
        self.year
    }

    /// The month, from 1 to 12.
    pub fn month(self) -> u8 {
        self.month
    }

    /// The day of the month, from 1 to 31.
    pub fn day(self) -> u8 {
        self.day
    }

    /// The days since January 1, 1970; negative before it.
    ///
    /// ```
    /// use record::values::Date;
    /// assert_eq!(Date::new(1970, 1, 1).unwrap().days(), 0);
    /// assert_eq!(Date::new(2000, 3, 1).unwrap().days(), 11_017);
    /// assert_eq!(Date::new(1969, 12, 31).unwrap().days(), -1);
    /// ```
    pub fn days(self) -> i32 {
        // Years begin with March, so that the day that a leap year adds is the last one.
        let (month, day) = (i32::from(self.month), i32::from(self.day));
        let year = i32::from(self.year) - i32::from(month <= 2);
        let (century, in_century) = (year.div_euclid(400), year.rem_euclid(400));
        let in_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
        // 146,097 days are 400 years; the last number is the day of March 1 of the year 0.
        century * 146_097 + in_century * 365 + in_century / 4 - in_century / 100 + in_year - 719_468
    }

    /// The day that is this many days after January 1, 1970; see [`Date::days`]. `None` before the year 0 and after 9999.
    ///
    /// ```
    /// use record::values::Date;
    /// assert_eq!(Date::from_days(11_017), Date::new(2000, 3, 1));
    /// assert_eq!(Date::from_days(i32::MAX), None);
    /// ```
    pub fn from_days(days: i32) -> Option<Date> {
        let days = days.checked_add(719_468)?;
        let (century, in_century) = (days.div_euclid(146_097), days.rem_euclid(146_097));
        let in_years = (in_century - in_century / 1460 + in_century / 36_524 - in_century / 146_096) / 365;
        let in_year = in_century - (365 * in_years + in_years / 4 - in_years / 100);
        let shifted = (5 * in_year + 2) / 153;
        let day = in_year - (153 * shifted + 2) / 5 + 1;
        let month = (shifted + 2) % 12 + 1;
        let year = century * 400 + in_years + i32::from(month <= 2);
        Date::new(
            u16::try_from(year).ok()?,
            u8::try_from(month).ok()?,
            u8::try_from(day).ok()?,
        )
    }

    /// The day of the week, from Monday, 0, to Sunday, 6.
    pub fn weekday(self) -> u8 {
        // Sakamoto's method: the months begin this many days after Sunday in a year that begins with March.
        const FIRST: [u32; 12] = [0, 3, 2, 5, 0, 3, 5, 1, 4, 6, 2, 4];
        // Four hundred years are a whole number of weeks, and keep the year above zero.
        let year = u32::from(self.year) + 400 - u32::from(self.month < 3);
        let first = FIRST[usize::from(self.month) - 1];
        let from_sunday = (year + year / 4 - year / 100 + year / 400 + first + u32::from(self.day)) % 7;
        u8::try_from((from_sunday + 6) % 7).unwrap_or(0)
    }
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}-{:02}", self.year, self.month, self.day)
    }
}

/// A difference from universal time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Zone {
    minutes: i16,
}

impl Zone {
    /// A zone by its minutes east of Greenwich; `None` if they are a day or more.
    pub fn new(minutes: i16) -> Option<Zone> {
        (minutes.abs() < 24 * 60).then_some(Zone { minutes })
    }

    /// The minutes east of Greenwich.
    pub fn minutes(self) -> i16 {
        self.minutes
    }
}

impl fmt::Display for Zone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.minutes < 0 { '-' } else { '+' };
        match self.minutes.abs() {
            0 => f.write_str("Z"),
            minutes => write!(f, "{sign}{:02}:{:02}", minutes / 60, minutes % 60),
        }
    }
}

/// A time of the day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Time {
    hour: u8,
    minute: u8,
    second: u8,
    micros: u32,
    zone: Option<Zone>,
}

impl Time {
    /// A time, if there is such a time.
    pub fn new(hour: u8, minute: u8, second: u8, micros: u32, zone: Option<Zone>) -> Option<Time> {
        (hour < 24 && minute < 60 && second < 60 && micros < 1_000_000).then_some(Time {
            hour,
            minute,
            second,
            micros,
            zone,
        })
    }

    /// The hour, from 0 to 23.
    pub fn hour(self) -> u8 {
        self.hour
    }

    /// The minute.
    pub fn minute(self) -> u8 {
        self.minute
    }

    /// The zone, if it is told.
    pub fn zone(self) -> Option<Zone> {
        self.zone
    }
}

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:02}:{:02}:{:02}", self.hour, self.minute, self.second)?;
        if self.micros > 0 {
            let digits = format!("{:06}", self.micros);
            write!(f, ".{}", digits.trim_end_matches('0'))?;
        }
        self.zone.map_or(Ok(()), |zone| zone.fmt(f))
    }
}

/// A day and a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timestamp {
    /// The day.
    pub date: Date,
    /// The time.
    pub time: Time,
}

impl Timestamp {
    /// The microseconds since the beginning of 1970. With a zone, that is universal time; without one, it is the time as
    /// it is written.
    ///
    /// ```
    /// use record::values::{Convention, timestamp};
    /// let moment = timestamp("1970-01-02 01:00:00+01:00", &Convention::default())?;
    /// assert_eq!(moment.micros(), 86_400_000_000);
    /// # Ok::<(), record::values::Misread>(())
    /// ```
    pub fn micros(self) -> i64 {
        let Time {
            hour,
            minute,
            second,
            micros,
            zone,
        } = self.time;
        let minutes = i64::from(hour) * 60 + i64::from(minute) - i64::from(zone.map_or(0, Zone::minutes));
        let seconds = i64::from(self.date.days()) * 86_400 + minutes * 60 + i64::from(second);
        seconds * 1_000_000 + i64::from(micros)
    }
}

impl Timestamp {
    /// The same moment in universal time, without its zone; what has no zone stays as it is.
    ///
    /// ```
    /// use record::values::{Convention, timestamp};
    /// let moment = timestamp("2019-05-09T23:30:00-02:00", &Convention::default())?;
    /// assert_eq!(moment.in_utc().to_string(), "2019-05-10T01:30:00");
    /// # Ok::<(), record::values::Misread>(())
    /// ```
    pub fn in_utc(self) -> Timestamp {
        const DAY: i64 = 86_400_000_000;
        let (days, rest) = (self.micros().div_euclid(DAY), self.micros().rem_euclid(DAY));
        let date = i32::try_from(days).ok().and_then(Date::from_days);
        let part = |unit: i64, of: i64| u8::try_from(rest / unit % of).unwrap_or(0);
        let time = Time {
            hour: part(3_600_000_000, 24),
            minute: part(60_000_000, 60),
            second: part(1_000_000, 60),
            micros: self.time.micros,
            zone: None,
        };
        // Only in the first and last hours of the calendar there is no such day.
        date.map_or(self, |date| Timestamp { date, time })
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}T{}", self.date, self.time)
    }
}

/// The day that a text stands for. Times, the weekday and a few words may be around it.
///
/// ```
/// use record::values::{Convention, Misread, date};
/// let open = Convention::default();
/// assert_eq!(date("le 1er août 2019", &open)?.to_string(), "2019-08-01");
/// let both = Misread::Ambiguous { one: "2019-09-05".to_owned(), other: "2019-05-09".to_owned() };
/// assert_eq!(date("5/9/2019", &open), Err(both));
/// # Ok::<(), Misread>(())
/// ```
///
/// # Errors
///
/// It is not a single day, or the convention does not decide which; see [`Misread`].
pub fn date(text: &str, convention: &Convention) -> Result<Date, Misread> {
    if convention.is_exact() && !is_iso(text, false) {
        return Err(Misread::Nothing);
    }
    match compact(text) {
        Some(date) => Ok(date),
        None => single(&find(text)?, convention),
    }
}

/// The time that a text stands for; a date, the weekday and a few words may be around it.
///
/// ```
/// use record::values::time;
/// assert_eq!(time("7:30 p.m.")?.to_string(), "19:30:00");
/// assert_eq!(time("19h30")?, time("19.30 Uhr")?);
/// # Ok::<(), record::values::Misread>(())
/// ```
///
/// # Errors
///
/// It is not a single time; see [`Misread`].
pub fn time(text: &str) -> Result<Time, Misread> {
    clock(&find(text)?)
}

/// The day and the time that a text stands for.
///
/// ```
/// use record::values::{Convention, timestamp};
/// let moment = timestamp("Thursday, May 9, 2019 at 7:00 PM EST", &Convention::default())?;
/// assert_eq!(moment.to_string(), "2019-05-09T19:00:00-05:00");
/// # Ok::<(), record::values::Misread>(())
/// ```
///
/// # Errors
///
/// There is not one day and one time; see [`Misread`].
pub fn timestamp(text: &str, convention: &Convention) -> Result<Timestamp, Misread> {
    if convention.is_exact() && !is_iso(text, true) {
        return Err(Misread::Nothing);
    }
    let found = find(text)?;
    let date = single(&found, convention)?;
    match clock(&found) {
        Ok(time) => Ok(Timestamp { date, time }),
        Err(Misread::Nothing) => Err(Misread::NoTime),
        Err(other) => Err(other),
    }
}

/// Is it `2019-05-09`, or with a time `2019-05-09T19:00:00`, as programs write them?
fn is_iso(text: &str, with_time: bool) -> bool {
    let form: &[u8] = match with_time {
        true => b"0000-00-00T00:00:00",
        false => b"0000-00-00",
    };
    let same = |(found, wanted): (u8, &u8)| match wanted {
        b'0' => found.is_ascii_digit(),
        wanted => found == *wanted,
    };
    text.len() == form.len() && text.bytes().zip(form).all(same)
}

/// `20190509`, if that is all.
fn compact(text: &str) -> Option<Date> {
    let digits = text.trim();
    if digits.len() != 8 || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let part = |from: usize, to: usize| digits[from..to].parse::<u16>().ok();
    let (month, day) = (u8::try_from(part(4, 6)?).ok()?, u8::try_from(part(6, 8)?).ok()?);
    Date::new(part(0, 4).filter(|year| *year >= 1000)?, month, day)
}

/// The dates and times of a text that is not prose.
fn find(text: &str) -> Result<Found, Misread> {
    if text.len() > LONGEST {
        return Err(Misread::Words);
    }
    let mut tokens = Tokens::new(text.trim());
    let found = calendar::take(&mut tokens);
    match tokens.words().count() > WORDS_AROUND && !(found.dates.is_empty() && found.times.is_empty()) {
        true => Err(Misread::Words),
        false => Ok(found),
    }
}

/// The only day; a day that is written twice is one.
fn single(found: &Found, convention: &Convention) -> Result<Date, Misread> {
    let (first, others) = found.dates.split_first().ok_or(Misread::Nothing)?;
    let date = resolve(first, found.weekday, convention)?;
    for other in others {
        if resolve(other, found.weekday, convention) != Ok(date) {
            return Err(Misread::Several);
        }
    }
    Ok(date)
}

/// The only time.
fn clock(found: &Found) -> Result<Time, Misread> {
    match found.times.as_slice() {
        [] => Err(Misread::Nothing),
        [time] => Ok(*time),
        _ => Err(Misread::Several),
    }
}

fn resolve(written: &Written, weekday: Option<u8>, convention: &Convention) -> Result<Date, Misread> {
    if written.range {
        return Err(Misread::Range);
    }
    let year = match written.year {
        None => return Err(Misread::NoYear),
        Some(Year::Full(year)) => year,
        Some(Year::Short(year)) => convention.year(year),
    };
    let by = |order: DayOrder| {
        let (day, month) = written.day_and_month(order);
        Date::new(year, month, day.ok_or(Misread::NoDay)?).ok_or(Misread::NoSuchDay)
    };
    let Form::Numbers { separator, .. } = written.form else {
        return by(DayOrder::DayFirst);
    };
    let told = Written {
        year: Some(Year::Full(year)),
        ..*written
    };
    match (convention.order(), told.order(weekday)) {
        (Some(order), _) => by(order),
        (None, Order::Month) => by(DayOrder::MonthFirst),
        (None, Order::Day | Order::Plain) => by(DayOrder::DayFirst),
        // Dots are used where the day comes first.
        (None, Order::Either) if separator == '.' => by(DayOrder::DayFirst),
        (None, Order::Either) if convention.has_default() => by(match separator {
            '/' => DayOrder::MonthFirst,
            _ => DayOrder::DayFirst,
        }),
        (None, Order::Either) => Err(Misread::Ambiguous {
            one: by(DayOrder::DayFirst)?.to_string(),
            other: by(DayOrder::MonthFirst)?.to_string(),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_counted_one_by_one() {
        let mut days = Date::new(0, 1, 1).expect("a day").days();
        for year in 0..=9999 {
            for month in 1..=12 {
                for day in 1..=31 {
                    if let Some(date) = Date::new(year, month, day) {
                        assert_eq!((date.days(), Date::from_days(days)), (days, Some(date)));
                        days += 1;
                    }
                }
            }
        }
        assert_eq!(Date::from_days(days), None);
    }
}
