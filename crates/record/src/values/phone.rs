//! Phone numbers and ISBNs: digits in groups.

use super::scan::{Tokens, is_dash};

/// Is it a phone number by its digits: seven to fifteen of them, and not merely a number?
pub fn is_phone(text: &str) -> bool {
    let digits = text.bytes().filter(u8::is_ascii_digit).count();
    (7..=15).contains(&digits) && text.bytes().any(|byte| !byte.is_ascii_digit())
}

/// Is it an ISBN: ten or thirteen digits, the last of which is a valid check digit?
///
/// ```
/// assert!(record::values::is_isbn("0-306-40615-2"));
/// assert!(!record::values::is_isbn("0-306-40615-3"));
/// ```
pub fn is_isbn(text: &str) -> bool {
    let digits: Vec<u32> = text
        .chars()
        .filter(|c| c.is_ascii_alphanumeric())
        .map(|c| c.to_digit(10).unwrap_or(10))
        .take(14)
        .collect();
    let weighed = |weight: fn(usize) -> u32| {
        digits
            .iter()
            .enumerate()
            .map(|(at, digit)| digit * weight(at))
            .sum::<u32>()
    };
    match digits.len() {
        10 => weighed(|at| 10 - at as u32) % 11 == 0,
        13 => !digits.contains(&10) && weighed(|at| if at % 2 == 0 { 1 } else { 3 }) % 10 == 0,
        _ => false,
    }
}

/// Takes away phone numbers: digits in groups, in a way that no other number has. Were there any?
pub(super) fn take(tokens: &mut Tokens<'_>) -> bool {
    let (mut at, mut found) = (0, false);
    while at < tokens.len() {
        match phone_at(tokens, at) {
            Some(end) => {
                found = true;
                tokens.take(at, end);
                at = end;
            }
            // All digits that a number could have begun with.
            None if tokens.digits(at).is_some() => at = run_end(tokens, at),
            None => at += 1,
        }
    }
    found
}

/// The most tokens of a phone number. `+1 (206) 367-25-78` has eleven.
const PHONE_TOKENS: usize = 20;

/// The end of the digits from a position on, with the signs that phone numbers have between them.
fn run_end(tokens: &Tokens<'_>, from: usize) -> usize {
    let mut end = from;
    for at in from..tokens.len().min(from + PHONE_TOKENS) {
        let sign = tokens.sign(at);
        if tokens.digits(at).is_some() {
            end = at + 1;
        } else if tokens.space(at).is_none() && !matches!(sign, Some('(' | ')' | '-' | '.' | '/' | '+' | '–')) {
            break;
        }
    }
    end
}

fn phone_at(tokens: &Tokens<'_>, at: usize) -> Option<usize> {
    let opens = tokens.sign(at).filter(|c| matches!(c, '+' | '('));
    if tokens.digits(at).is_none() && opens.is_none() {
        return None;
    }
    let end = run_end(tokens, at);
    // A part of a code: D-139-2019, 421/2017/C.
    let before = Tokens::before(at).is_some_and(|at| tokens.word(at).is_some() || tokens.sign(at).is_some_and(is_dash));
    if before || tokens.word(end).is_some() || tokens.sign(end) == Some('/') {
        return None;
    }
    let groups: Vec<&str> = (at..end).filter_map(|at| tokens.digits(at)).collect();
    let digits: String = groups.concat();
    let lengths: Vec<usize> = groups.iter().map(|group| group.len()).collect();
    let slash = (at..end).any(|at| tokens.sign(at) == Some('/'));
    // 206-367-2578 and 1-800-555-1234; a local number is 367-2578, but 139-2019 is a number of that year.
    let american = match lengths.as_slice() {
        [3, 3, 4] | [1, 3, 3, 4] => !slash,
        [3, 4] => !slash && !groups[1].starts_with("19") && !groups[1].starts_with("20"),
        _ => false,
    };
    // 030 1234567: no other number begins with zero and goes on after a space. 02138-2350 is a postcode.
    let national = digits.starts_with('0') && digits.len() >= 9 && groups[0].len() > 1 && lengths != [5, 4];
    let national = national && groups.len() > 1 && !is_isbn(&digits);
    let international = opens == Some('+') && digits.len() > 7;
    // The code of an area is in brackets, and the number after them; `(1874–1927)` are years.
    let closes = (at..end).any(|at| tokens.sign(at) == Some(')'));
    let in_brackets = opens == Some('(') && closes && groups.len() > 1 && !slash;
    let fits = (7..=15).contains(&digits.len()) && (american || national || international || in_brackets);
    (fits && groups.len() <= 7).then_some(end)
}
