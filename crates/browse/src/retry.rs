//! Retries: which failures are temporary, and when to try again.
//!
//! These are tried again: connections that fail or break, pages that take too long or end early, and the statuses that
//! mean *not now*: 429, 500, 502, 503, 504. The server may have acted on a posted form, so a form is sent again only if
//! the server never saw it, or itself says when to come back (429 or 503 with `Retry-After`).
//!
//! The pause doubles from try to try, without a random part: runs should be repeatable, and turns at hosts already keep
//! threads apart. `Retry-After` replaces the pause. If a server wants a longer wait than [`MOST_PAUSE`] there is no
//! further try: an earlier one would be rude, and the user should decide about waiting longer.

use crate::fetch::{Method, Request, Response};
use page::driver::{Again, DriverError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The longest wait between two tries.
pub(crate) const MOST_PAUSE: Duration = Duration::from_secs(120);

/// What to do after a try.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Next {
    /// Keep the result.
    Done,
    /// Try again after the usual pause.
    Again,
    /// Try again after the pause that the server asks for.
    AfterAsked(Duration),
}

/// What to do after a try that led to `result`.
pub(crate) fn next(request: &Request, result: &Result<Response, DriverError>, now: SystemTime) -> Next {
    let harmless = request.method == Method::Get;
    match result {
        Err(error) => match error.again {
            Again::Yes => Next::Again,
            Again::IfHarmless if harmless => Next::Again,
            Again::IfHarmless | Again::No => Next::Done,
        },
        Ok(response) => {
            let asked = match response.status {
                429 | 503 => response.header("retry-after").and_then(|text| retry_after(text, now)),
                500 | 502 | 504 => None,
                _ => return Next::Done,
            };
            match asked {
                Some(pause) if pause <= MOST_PAUSE => Next::AfterAsked(pause),
                Some(_) => Next::Done,
                None if harmless => Next::Again,
                None => Next::Done,
            }
        }
    }
}

/// The pause before the retry of that number, from 0.
pub(crate) fn pause(base: Duration, number: u32) -> Duration {
    base.saturating_mul(2u32.saturating_pow(number)).min(MOST_PAUSE)
}

/// How long a server asks to wait: a number of seconds or a date.
pub(crate) fn retry_after(text: &str, now: SystemTime) -> Option<Duration> {
    let text = text.trim();
    if text.bytes().all(|b| b.is_ascii_digit()) {
        return Some(Duration::from_secs(match text {
            "" => return None,
            digits => digits.parse().unwrap_or(u64::MAX),
        }));
    }
    Some(date(text)?.duration_since(now).unwrap_or_default())
}

/// A date as HTTP writes it, in the current format: `Sun, 06 Nov 1994 08:49:37 GMT`.
fn date(text: &str) -> Option<SystemTime> {
    let (_, rest) = text.split_once(", ")?;
    let parts: Vec<&str> = rest.split(' ').collect();
    let [day, month, year, time, "GMT"] = parts[..] else {
        return None;
    };
    const MONTHS: [&str; 12] = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ];
    let month = MONTHS.iter().position(|name| *name == month)? as u64;
    let number = |text: &str, most: u64| text.parse::<u64>().ok().filter(|n| *n <= most);
    let (day, year) = (number(day, 31)?, number(year, 9999)?);
    let clock: Vec<&str> = time.split(':').collect();
    let [hours, minutes, seconds] = clock[..] else {
        return None;
    };
    let seconds = number(hours, 23)? * 3600 + number(minutes, 59)? * 60 + number(seconds, 60)?;
    // Days since 1970, counting years from March so that the leap day is the last.
    let (year, month) = if month < 2 {
        (year.checked_sub(1)?, month + 10)
    } else {
        (year, month - 2)
    };
    let days = year * 365 + year / 4 - year / 100 + year / 400 + (month * 153 + 2) / 5 + day;
    let days = days.checked_sub(719_469)?;
    Some(UNIX_EPOCH + Duration::from_secs(days * 86_400 + seconds))
}

#[cfg(test)]
mod tests {
    use super::*;
    use page::driver::FailureKind;
    use url::Url;

    #[test]
    fn dates_and_seconds() {
        let at = |seconds| UNIX_EPOCH + Duration::from_secs(seconds);
        let rows = [
            ("Sun, 06 Nov 1994 08:49:37 GMT", Some(784_111_777)),
            ("Thu, 01 Jan 1970 00:00:00 GMT", Some(0)),
            ("Tue, 29 Feb 2000 23:59:60 GMT", Some(951_868_800)),
            ("Fri, 01 Mar 2024 00:00:00 GMT", Some(1_709_251_200)),
            ("Sunday, 06-Nov-94 08:49:37 GMT", None),
            ("Sun, 06 Nov 1994 08:49:37 CET", None),
            ("Sun, 99 Nov 1994 08:49:37 GMT", None),
            ("Sun, 06 Nov 0000 08:49:37 GMT", None),
            ("soon", None),
            ("", None),
        ];
        for (text, expected) in rows {
            assert_eq!(date(text), expected.map(at), "{text}");
        }
        let now = at(784_111_770);
        let rows = [
            ("Sun, 06 Nov 1994 08:49:37 GMT", Some(7)),
            ("Sun, 06 Nov 1993 08:49:37 GMT", Some(0)),
            (" 120 ", Some(120)),
            ("99999999999999999999999", Some(u64::MAX)),
            ("-1", None),
            ("", None),
        ];
        for (text, expected) in rows {
            assert_eq!(retry_after(text, now), expected.map(Duration::from_secs), "{text}");
        }
    }

    #[test]
    fn what_is_tried_again() {
        let url = Url::parse("http://a.test/").unwrap();
        let get = Request::get(url);
        let mut post = get.clone();
        post.method = Method::Post;
        let failed = |again| Err(DriverError::new(FailureKind::Unreachable, "").with_again(again));
        let status = |status| Ok(Response::status(status));
        let later = |status, text| Ok(Response::status(status).with("Retry-After", text));
        let asked = |seconds| Next::AfterAsked(Duration::from_secs(seconds));
        let rows = [
            (status(200), Next::Done, Next::Done),
            (status(404), Next::Done, Next::Done),
            (status(429), Next::Again, Next::Done),
            (status(500), Next::Again, Next::Done),
            (status(501), Next::Done, Next::Done),
            (status(503), Next::Again, Next::Done),
            (later(503, "3"), asked(3), asked(3)),
            (later(429, "0"), asked(0), asked(0)),
            (later(429, "121"), Next::Done, Next::Done),
            (later(503, "soon"), Next::Again, Next::Done),
            (later(500, "3"), Next::Again, Next::Done),
            (failed(Again::Yes), Next::Again, Next::Again),
            (failed(Again::IfHarmless), Next::Again, Next::Done),
            (failed(Again::No), Next::Done, Next::Done),
        ];
        for (result, for_get, for_post) in rows {
            assert_eq!(next(&get, &result, UNIX_EPOCH), for_get, "{result:?}");
            assert_eq!(next(&post, &result, UNIX_EPOCH), for_post, "{result:?}");
        }
        let second = Duration::from_secs(1);
        let pauses: Vec<u64> = [0, 1, 2, 6, 7, 40].map(|n| pause(second, n).as_secs()).to_vec();
        assert_eq!(pauses, [1, 2, 4, 64, 120, 120]);
    }
}
