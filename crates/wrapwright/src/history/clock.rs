//! The time in UTC, in the format of RFC 3339.
//!
//! Days since 1970 become a date by counting from the first of March of the year 0, so that the leap day is the last
//! day of its year: 400 such years have 146,097 days, and months from March on have 153 days in every five.

use std::time::{SystemTime, UNIX_EPOCH};

/// The current second: `2026-11-15T06:00:00Z`.
pub fn now() -> String {
    utc(SystemTime::now())
}

/// A time in UTC, rounded down to a second.
pub fn utc(time: SystemTime) -> String {
    let seconds = match time.duration_since(UNIX_EPOCH) {
        Ok(after) => i64::try_from(after.as_secs()).unwrap_or(i64::MAX),
        Err(before) => {
            let before = before.duration();
            let whole = i64::try_from(before.as_secs()).unwrap_or(i64::MAX);
            -whole - i64::from(before.subsec_nanos() > 0)
        }
    };
    let (year, month, day) = date(seconds.div_euclid(86_400));
    let second = seconds.rem_euclid(86_400);
    let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

/// Year, month and day for a number of days since 1970-01-01.
fn date(days: i64) -> (i64, i64, i64) {
    // From 0000-03-01 on; 1970 begins 719,468 days later.
    let days = days.saturating_add(719_468);
    let (era, day) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    // There is a leap day every 1,460 days, except every 36,524 days, but again every 146,096 days.
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let first = (153 * month + 2) / 5;
    let is_next = month >= 10;
    let month = if is_next { month - 9 } else { month + 3 };
    (era * 400 + year + i64::from(is_next), month, day - first + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn known_instants() {
        let check = |seconds: u64, expected: &str| assert_eq!(utc(UNIX_EPOCH + Duration::from_secs(seconds)), expected);
        check(0, "1970-01-01T00:00:00Z");
        check(86_399, "1970-01-01T23:59:59Z");
        check(951_782_400, "2000-02-29T00:00:00Z");
        check(951_868_800, "2000-03-01T00:00:00Z");
        check(1_763_164_800, "2025-11-15T00:00:00Z");
        check(1_794_700_800, "2026-11-15T00:00:00Z");
        check(1_794_757_331, "2026-11-15T15:42:11Z");
        check(4_107_542_400, "2100-03-01T00:00:00Z");
        let before = UNIX_EPOCH - Duration::from_millis(1);
        assert_eq!(utc(before), "1969-12-31T23:59:59Z");
    }

    /// The slow way: one day at a time, with the rules of the calendar.
    #[test]
    fn eight_centuries_day_by_day() {
        let (mut year, mut month, mut day) = (1970, 1, 1);
        for days in 0..300_000 {
            assert_eq!(date(days), (year, month, day), "day {days}");
            let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
            let length = match month {
                2 => 28 + i64::from(is_leap),
                4 | 6 | 9 | 11 => 30,
                _ => 31,
            };
            day += 1;
            if day > length {
                (day, month) = (1, month + 1);
            }
            if month > 12 {
                (month, year) = (1, year + 1);
            }
        }
    }

    #[test]
    fn now_has_the_form_of_an_instant() {
        let digits = |c: char| if c.is_ascii_digit() { '0' } else { c };
        let form: String = now().chars().map(digits).collect();
        assert_eq!(form, "0000-00-00T00:00:00Z");
    }
}
