//! Finds the numbers in a text, with their separators, sign, currency and percent sign.
//!
//! An amount is groups of digits with separators between them. What it is worth depends on which separator is the
//! decimal one, so an amount has a reading for each of the two ([`Amount::under`]); a reading is missing if the groups
//! do not fit. Thousands are separated by the other sign, by a space or by an apostrophe, in groups of three; with
//! commas also as in India (`12,34,567`).

use super::convention::Decimal;
use super::currency::{self, Currency};
use super::scan::{Tokens, fold, is_dash};

/// A number as it is written.
#[derive(Debug)]
pub(super) struct Amount<'t> {
    negative: bool,
    /// The first one is empty in `.5`.
    groups: Vec<&'t str>,
    /// Between the groups; all spaces are `' '`, all apostrophes `'\''`.
    separators: Vec<char>,
    exponent: i32,
    pub(super) currency: Option<Currency>,
    pub(super) percent: bool,
    /// Is it right after a letter, as in `A12`?
    pub(super) code: bool,
    /// Is it followed by a letter or word for thousands or millions?
    pub(super) multiple: bool,
    /// The first token that belongs to it, and the one after the last.
    pub(super) start: usize,
    pub(super) end: usize,
}

/// Letters and words for powers of ten.
const MULTIPLES: &[&str] = &[
    "B", "K", "M", "bn", "k", "mil", "mill", "million", "mio", "mln", "mn", "mrd", "tsd",
];

/// The most digits of an exponent. With more, no number is finite.
const EXPONENT: usize = 3;

/// The amounts in a text, in order.
pub(super) fn amounts<'t>(tokens: &Tokens<'t>) -> Vec<Amount<'t>> {
    let mut found: Vec<Amount<'t>> = Vec::new();
    let (mut at, mut floor) = (0, 0);
    while at < tokens.len() {
        match amount(tokens, at, floor) {
            Some(amount) => {
                at = amount.end;
                floor = amount.end;
                found.push(amount);
            }
            None => at += 1,
        }
    }
    found
}

/// The amount whose first digits are at a position; what is before `floor` belongs to another amount.
fn amount<'t>(tokens: &Tokens<'t>, at: usize, floor: usize) -> Option<Amount<'t>> {
    let (groups, separators, mut end) = groups(tokens, at)?;
    let mut exponent = 0;
    if let Some((power, after)) = power(tokens, end) {
        (exponent, end) = (power, after);
    }
    let mut amount = Amount {
        negative: false,
        groups,
        separators,
        exponent,
        currency: None,
        percent: false,
        code: false,
        multiple: false,
        start: at,
        end,
    };
    amount.look_back(tokens, floor);
    amount.look_ahead(tokens);
    Some(amount)
}

/// Groups of digits with separators between them, and the position after them.
fn groups<'t>(tokens: &Tokens<'t>, at: usize) -> Option<(Vec<&'t str>, Vec<char>, usize)> {
    let (mut groups, mut separators, mut end) = match tokens.digits(at) {
        Some(digits) => (vec![digits], Vec::new(), at + 1),
        None => {
            let sign = tokens.sign(at).filter(|c| matches!(c, '.' | ','))?;
            let digits = tokens.digits(at + 1)?;
            // In "No.5" and "5..10" it is not a decimal separator.
            let last = Tokens::before(at);
            if last.is_some_and(|at| tokens.word(at).is_some() || tokens.sign(at) == Some('.')) {
                return None;
            }
            (vec!["", digits], vec![sign], at + 2)
        }
    };
    while let Some(next) = tokens.digits(end + 1) {
        let separator = match (tokens.sign(end), tokens.space(end)) {
            (Some(sign @ ('.' | ',')), _) => sign,
            (Some('\'' | '’' | '`' | '´'), _) => '\'',
            (_, Some(" " | "\u{a0}" | "\u{202f}" | "\u{2009}")) => {
                let first = groups[0].len();
                let only = separators.iter().all(|separator| *separator == ' ');
                if next.len() != 3 || !(1..=3).contains(&first) || !only {
                    break;
                }
                ' '
            }
            _ => break,
        };
        groups.push(next);
        separators.push(separator);
        end += 2;
    }
    // "12,-" has no cents.
    if matches!(tokens.sign(end), Some('.' | ',')) {
        let mut after = end + 1;
        while tokens.sign(after).is_some_and(is_dash) {
            after += 1;
        }
        if after > end + 1 && tokens.digits(after).is_none() {
            end = after;
        }
    }
    Some((groups, separators, end))
}

/// The power of ten in `4.5e3`, and the position after it.
fn power(tokens: &Tokens<'_>, at: usize) -> Option<(i32, usize)> {
    tokens.word(at).filter(|word| matches!(*word, "e" | "E"))?;
    let sign = tokens.sign(at + 1).filter(|c| *c == '+' || is_dash(*c));
    let digits = at + 1 + usize::from(sign.is_some());
    let power: i32 = tokens
        .digits(digits)
        .filter(|text| text.len() <= EXPONENT)?
        .parse()
        .ok()?;
    if tokens.word(digits + 1).is_some() {
        return None;
    }
    Some((if sign.is_some_and(is_dash) { -power } else { power }, digits + 1))
}

impl Amount<'_> {
    /// Sign and currency before the digits, in either order.
    fn look_back(&mut self, tokens: &Tokens<'_>, floor: usize) {
        let mut signed = false;
        for _ in 0..2 {
            if !signed && let Some(sign) = self.sign_before(tokens, floor) {
                signed = true;
                self.negative = sign;
            }
            if self.currency.is_none() {
                let gap = self.start.checked_sub(1).filter(|at| tokens.space(*at).is_some());
                let found = currency::before(tokens, gap.unwrap_or(self.start));
                if let Some((currency, start)) = found.filter(|(_, start)| *start >= floor) {
                    self.currency = Some(currency);
                    self.start = start;
                }
            }
        }
        let letter = |at: usize| at.checked_sub(1).is_some_and(|at| tokens.word(at).is_some());
        // "− 7" with a space, at the start of the text only.
        if !signed && self.start == 2 && tokens.space(1).is_some() && tokens.sign(0).is_some_and(is_dash) {
            self.negative = true;
            self.start = 0;
        }
        self.code = letter(self.start) && self.start > floor;
    }

    /// The sign right before it: is it a minus? A dash right after another amount is not a sign, but a range.
    fn sign_before(&mut self, tokens: &Tokens<'_>, floor: usize) -> Option<bool> {
        let at = self
            .start
            .checked_sub(1)
            .filter(|at| *at > floor || (*at == 0 && floor == 0))?;
        let sign = tokens.sign(at).filter(|c| *c == '+' || is_dash(*c))?;
        if at.checked_sub(1).is_some_and(|at| tokens.digits(at).is_some()) {
            return None;
        }
        self.start = at;
        Some(is_dash(sign))
    }

    /// Percent sign, currency or multiple after the digits.
    fn look_ahead(&mut self, tokens: &Tokens<'_>) {
        let next = tokens.skip_space(self.end);
        if tokens.sign(next) == Some('%') {
            self.percent = true;
            self.end = next + 1;
            return;
        }
        if let Some((currency, end)) = currency::after(tokens, next) {
            // "$5 USD" has two; the one that tells more counts. But in "5 $6" the sign belongs to the next number.
            if !(self.end < next && tokens.digits(end).is_some()) {
                match &self.currency {
                    Some(known) if known.code().is_some() => {}
                    _ => self.currency = Some(currency),
                }
                self.end = end;
                return;
            }
        }
        let word = tokens.word(next);
        self.multiple = word.is_some_and(|word| {
            MULTIPLES.contains(&word) || (word.len() > 1 && MULTIPLES.contains(&fold(word).as_str()))
        });
    }

    /// The number as plain digits with a decimal point, if this is the decimal separator.
    pub(super) fn under(&self, decimal: Decimal) -> Option<String> {
        let mark = decimal.mark();
        let (whole, fraction) = match self.separators.iter().position(|separator| *separator == mark) {
            Some(at) if at + 1 == self.separators.len() => (&self.groups[..=at], self.groups[at + 1]),
            Some(_) => return None,
            None => (&self.groups[..], ""),
        };
        if !is_grouped(whole, &self.separators[..whole.len() - 1]) {
            return None;
        }
        let whole = whole.concat();
        let whole = match whole.trim_start_matches('0') {
            "" => "0",
            digits => digits,
        };
        let mut text = String::new();
        if self.negative && format!("{whole}{fraction}").bytes().any(|digit| digit != b'0') {
            text.push('-');
        }
        text += whole;
        if !fraction.is_empty() {
            text.push('.');
            text += fraction;
        }
        if self.exponent != 0 {
            let number: f64 = format!("{text}e{}", self.exponent).parse().ok()?;
            text = number.is_finite().then(|| number.to_string())?;
        }
        Some(text)
    }
}

/// Are these the groups of one number? Thousands are in groups of three, after one to three digits that do not begin
/// with zero.
fn is_grouped(groups: &[&str], separators: &[char]) -> bool {
    let [first, middle @ .., last] = groups else {
        return true;
    };
    let same = separators.windows(2).all(|pair| pair[0] == pair[1]);
    let all = |length: usize| middle.iter().all(|group| group.len() == length);
    let indian = separators[0] == ',' && all(2) && first.len() <= 2;
    same && last.len() == 3 && (1..=3).contains(&first.len()) && !first.starts_with('0') && (all(3) || indian)
}
