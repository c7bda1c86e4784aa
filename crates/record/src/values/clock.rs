//! Finds times of the day in a text: `19:30`, `7:30 p.m.`, `7pm`, `19h30`, `19.30 Uhr`, with or without a zone.

use super::dates::{Time, Zone};
use super::scan::{Tokens, fold};

/// The time that begins at a position, and the position after it and its zone.
pub(super) fn time_at(tokens: &Tokens<'_>, at: usize) -> Option<(Time, usize)> {
    let (hour, _) = tokens.small(at).filter(|(hour, length)| *hour <= 24 && *length <= 2)?;
    let minutes = |at: usize| {
        let (minute, length) = tokens.small(at)?;
        (length == 2 && minute < 60).then_some(minute)
    };
    let mut end = at + 1;
    let (mut minute, mut second, mut micros) = (0, 0, 0);
    let mut sure = false;
    let word = |at: usize| tokens.word(at).map(fold);
    match tokens.sign(end) {
        Some(':') => {
            minute = minutes(end + 1)?;
            end += 2;
            sure = true;
            if tokens.sign(end) == Some(':') {
                second = minutes(end + 1)?;
                end += 2;
                if tokens.sign(end) == Some('.')
                    && let Some(digits) = tokens.digits(end + 1)
                {
                    let six: String = digits.chars().chain("000000".chars()).take(6).collect();
                    micros = six.parse().ok()?;
                    end += 2;
                }
            }
        }
        // "19.30 Uhr" and "7.30 pm", but not a number with decimals.
        Some('.') if minutes(end + 1).is_some() => {
            let after = tokens.skip_space(end + 2);
            let o_clock = word(after).is_some_and(|word| matches!(word.as_str(), "uhr" | "uur" | "h" | "hs"));
            if o_clock || half(tokens, after).is_some() {
                minute = minutes(end + 1)?;
                end += 2;
            }
        }
        // "19h30".
        None if word(end).as_deref() == Some("h") && minutes(end + 1).is_some() => {
            minute = minutes(end + 1)?;
            end += 2;
            sure = true;
        }
        _ => {}
    }
    let next = tokens.skip_space(end);
    let mut hour = u8::try_from(hour).ok()?;
    if let Some((afternoon, after)) = half(tokens, next) {
        if !(1..=12).contains(&hour) {
            return None;
        }
        hour = hour % 12 + if afternoon { 12 } else { 0 };
        end = after;
        sure = true;
    } else if let Some(word) = word(next) {
        match word.as_str() {
            "uhr" | "uur" | "heures" => (end, sure) = (next + 1, true),
            "h" | "hs" if end > at + 1 => (end, sure) = (next + 1, true),
            _ => {}
        }
    }
    if !sure {
        return None;
    }
    let is_iso = at > 0 && tokens.word(at - 1) == Some("T");
    let (zone, end) = match zone_at(tokens, end, is_iso) {
        Some((zone, end)) => (Some(zone), end),
        None => (None, end),
    };
    let (minute, second) = (u8::try_from(minute).ok()?, u8::try_from(second).ok()?);
    Some((Time::new(hour, minute, second, micros, zone)?, end))
}

/// Is it before or after noon? `pm`, `p.m.`, `PM`; and the position after that.
fn half(tokens: &Tokens<'_>, at: usize) -> Option<(bool, usize)> {
    match tokens.word(at)? {
        "am" | "AM" | "Am" => Some((false, at + 1)),
        "pm" | "PM" | "Pm" => Some((true, at + 1)),
        letter @ ("a" | "A" | "p" | "P") => {
            let rest = tokens.skip_space(at + 2);
            if tokens.sign(at + 1) != Some('.') || !matches!(tokens.word(rest), Some("m" | "M")) {
                return None;
            }
            let end = rest + 1 + usize::from(tokens.sign(rest + 1) == Some('.'));
            Some((letter.eq_ignore_ascii_case("p"), end))
        }
        _ => None,
    }
}

/// Zone names with one meaning, with their minutes east of Greenwich.
const ZONES: &[(&str, i16)] = &[
    ("CEST", 120),
    ("CET", 60),
    ("EDT", -240),
    ("EEST", 180),
    ("EET", 120),
    ("EST", -300),
    ("GMT", 0),
    ("MDT", -360),
    ("MEZ", 60),
    ("MESZ", 120),
    ("MST", -420),
    ("PDT", -420),
    ("PST", -480),
    ("UTC", 0),
    ("WEST", 60),
    ("WET", 0),
    ("Z", 0),
];

/// The zone after a time. A dash before digits is a range of times, unless the time is written by ISO 8601.
fn zone_at(tokens: &Tokens<'_>, at: usize, is_iso: bool) -> Option<(Zone, usize)> {
    let next = tokens.skip_space(at);
    if let Some(name) = tokens.word(next) {
        let (_, minutes) = ZONES.iter().find(|(zone, _)| *zone == name)?;
        if *minutes == 0
            && let Some((zone, end)) = offset_at(tokens, next + 1, true)
        {
            return Some((zone, end));
        }
        return Some((Zone::new(*minutes)?, next + 1));
    }
    offset_at(tokens, next, is_iso && next == at)
}

/// `+02:00`, `+0200`, `-05`.
fn offset_at(tokens: &Tokens<'_>, at: usize, may_be_negative: bool) -> Option<(Zone, usize)> {
    let negative = match tokens.sign(at)? {
        '+' => false,
        '-' | '\u{2212}' if may_be_negative => true,
        _ => return None,
    };
    let (number, length) = tokens.small(at + 1)?;
    let (minutes, end) = match length {
        4 => (number / 100 * 60 + number % 100, at + 2),
        1 | 2 => match tokens.small(at + 3).filter(|_| tokens.sign(at + 2) == Some(':')) {
            Some((minutes, 2)) => (number * 60 + minutes, at + 4),
            _ => (number * 60, at + 2),
        },
        _ => return None,
    };
    let minutes = i16::try_from(minutes).ok()?;
    Some((Zone::new(if negative { -minutes } else { minutes })?, end))
}
