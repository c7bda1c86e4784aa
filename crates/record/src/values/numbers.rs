//! Numbers, percentages and prices.

use super::amount::{Amount, amounts};
use super::convention::{Convention, Decimal};
use super::currency::Currency;
use super::scan::{Tokens, fold, is_dash};
use super::{LONGEST, Misread, WORDS_AROUND};
use std::fmt;

/// The most letters around a number, apart from a currency: a unit such as `kg` or `min`, but no word that could change
/// the meaning, such as `about` or `from`.
const LETTERS_AROUND: usize = 3;

/// Beyond this, a 64-bit floating-point number cannot represent every integer.
const WHOLE: i64 = 9_000_000_000_000_000;

/// A number, with all its digits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Number {
    text: String,
    percent: bool,
}

impl Number {
    /// Plain digits with a decimal point: `-1234.50`.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The nearest floating-point number. For a percentage it is the number before the sign: 50 for `50 %`.
    pub fn to_f64(&self) -> f64 {
        // The text is made of digits, a sign and a point.
        self.text.parse().unwrap_or(f64::NAN)
    }

    /// The whole number, if it is one and is not too large.
    pub fn to_i64(&self) -> Option<i64> {
        let (whole, fraction) = self.text.split_once('.').unwrap_or((&self.text, ""));
        let whole: i64 = whole.parse().ok().filter(|whole: &i64| whole.abs() < WHOLE)?;
        fraction.bytes().all(|digit| digit == b'0').then_some(whole)
    }

    /// Is it a percentage?
    pub fn is_percentage(&self) -> bool {
        self.percent
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// An amount of money.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Price {
    /// How much.
    pub amount: Number,
    /// Of which currency.
    pub currency: Currency,
}

/// The number that a text stands for. A currency, a percent sign and a short unit may be around it.
///
/// ```
/// use record::values::{Convention, Misread, number};
/// let german = Convention::of(["12,50 €", "1.234 €"]);
/// assert_eq!(number("1.234 €", &german)?.as_str(), "1234");
/// assert_eq!(number("\u{2212}7", &german)?.to_f64(), -7.0);
/// assert_eq!(number("1/2", &german), Err(Misread::Fraction));
/// # Ok::<(), Misread>(())
/// ```
///
/// # Errors
///
/// It is not a single number, or it cannot be read by the convention; see [`Misread`].
pub fn number(text: &str, convention: &Convention) -> Result<Number, Misread> {
    let tokens = tokens(text)?;
    let amount = single(text, &tokens)?;
    letters(&tokens, &amount)?;
    let number = Number {
        text: resolve(&amount, convention)?,
        percent: amount.percent,
    };
    match number.to_f64().is_finite() {
        true => Ok(number),
        false => Err(Misread::TooLarge),
    }
}

/// The whole number that a text stands for, as [`number`]. If the convention is open, a separator before three digits
/// must be one of thousands.
///
/// # Errors
///
/// As [`number`]; also if the number has decimals or is too large.
pub fn integer(text: &str, convention: &Convention) -> Result<i64, Misread> {
    let read = match number(text, convention) {
        Err(Misread::Ambiguous { one, other }) => {
            let whole = if one.contains('.') { other } else { one };
            Number {
                text: whole,
                percent: false,
            }
        }
        read => read?,
    };
    let digits = read.text.split_once('.').map_or("", |(_, fraction)| fraction);
    match read.to_i64() {
        Some(whole) => Ok(whole),
        None if digits.bytes().any(|digit| digit != b'0') => Err(Misread::NotWhole),
        None => Err(Misread::TooLarge),
    }
}

/// The price that a text stands for; a few words may be around it.
///
/// ```
/// use record::values::{Convention, price};
/// let price = price("Our price: US$ 1,299", &Convention::default())?;
/// assert_eq!((price.amount.as_str(), price.currency.code()), ("1299", Some("USD")));
/// # Ok::<(), record::values::Misread>(())
/// ```
///
/// # Errors
///
/// As [`number`]; also if there is no currency.
pub fn price(text: &str, convention: &Convention) -> Result<Price, Misread> {
    let tokens = tokens(text)?;
    let mut amount = single(text, &tokens)?;
    if tokens.words().count() > WORDS_AROUND + 1 {
        return Err(Misread::Words);
    }
    let currency = amount.currency.take().ok_or(Misread::NoCurrency)?;
    let text = resolve_as(&amount, true, convention)?;
    Ok(Price {
        amount: Number { text, percent: false },
        currency,
    })
}

/// The currency of an amount of money, however its digits are written.
///
/// ```
/// use record::values::{Misread, currency};
/// assert_eq!(currency("1.234,50 €")?.code(), Some("EUR"));
/// assert_eq!(currency("$ 12")?.written(), "$");
/// assert_eq!(currency("12"), Err(Misread::NoCurrency));
/// # Ok::<(), Misread>(())
/// ```
///
/// # Errors
///
/// The text is not a single amount, or has no currency.
pub fn currency(text: &str) -> Result<Currency, Misread> {
    let mut amount = single(text, &tokens(text)?)?;
    amount.currency.take().ok_or(Misread::NoCurrency)
}

fn tokens(text: &str) -> Result<Tokens<'_>, Misread> {
    match text.len() > LONGEST {
        true => Err(Misread::Words),
        false => Ok(Tokens::new(text.trim())),
    }
}

/// Vulgar fractions such as ½, and the slash for fractions.
fn is_fraction(c: char) -> bool {
    matches!(c, '\u{bc}'..='\u{be}' | '\u{2150}'..='\u{215f}' | '\u{2044}')
}

/// Words between the two ends of a range.
const TO: &[&str] = &["a", "al", "ate", "bis", "through", "to", "tot", "until"];

/// The only amount in a text.
fn single<'t>(text: &str, tokens: &Tokens<'t>) -> Result<Amount<'t>, Misread> {
    let mut found = amounts(tokens).into_iter();
    if tokens.has_sign(is_fraction) {
        return Err(Misread::Fraction);
    }
    let Some(amount) = found.next() else {
        return Err(Misread::Nothing);
    };
    let next = tokens.skip_space(amount.end);
    if let Some(second) = found.next() {
        let joined = next + 1 == second.start || tokens.skip_space(next + 1) == second.start;
        return Err(match (tokens.sign(next), tokens.word(next)) {
            (Some('/'), _) if joined => Misread::Fraction,
            (Some(sign), _) if joined && is_dash(sign) => Misread::Range,
            (_, Some(word)) if joined && TO.contains(&fold(word).as_str()) => Misread::Range,
            _ => Misread::Several,
        });
    }
    let bound = Tokens::before(amount.start).map(|at| at - usize::from(at > 0 && tokens.space(at).is_some()));
    if tokens.sign(amount.end) == Some('+')
        || tokens.skip_dash(amount.end) == Some(tokens.len())
        || bound
            .and_then(|at| tokens.sign(at))
            .is_some_and(|c| matches!(c, '<' | '>' | '≤' | '≥'))
    {
        return Err(Misread::Range);
    }
    if amount.code {
        return Err(Misread::Code);
    }
    if amount.multiple {
        return Err(Misread::Multiple);
    }
    let text = text.trim();
    if amount.currency.is_some() && text.starts_with('(') && text.ends_with(')') {
        return Err(Misread::Parentheses);
    }
    Ok(amount)
}

/// Checks the letters around an amount.
fn letters(tokens: &Tokens<'_>, amount: &Amount<'_>) -> Result<(), Misread> {
    let outside = (0..amount.start).chain(amount.end..tokens.len());
    let letters: usize = outside
        .filter_map(|at| tokens.word(at))
        .map(|word| word.chars().count())
        .sum();
    match letters > LETTERS_AROUND {
        true => Err(Misread::Words),
        false => Ok(()),
    }
}

fn resolve(amount: &Amount<'_>, convention: &Convention) -> Result<String, Misread> {
    resolve_as(amount, amount.currency.is_some(), convention)
}

/// The reading of an amount by a convention.
fn resolve_as(amount: &Amount<'_>, is_money: bool, convention: &Convention) -> Result<String, Misread> {
    let (point, comma) = (amount.under(Decimal::Point), amount.under(Decimal::Comma));
    if point == comma {
        return point.ok_or(Misread::Separators);
    }
    match (convention.decimal(), point, comma) {
        (Some(Decimal::Point), point, _) => point.ok_or(Misread::Separators),
        (Some(Decimal::Comma), _, comma) => comma.ok_or(Misread::Separators),
        // Two readings: three digits after a single separator. Money has no third decimal.
        (None, Some(point), Some(comma)) if is_money => Ok(if point.contains('.') { comma } else { point }),
        (None, Some(point), Some(_)) if convention.has_default() => Ok(point),
        (None, Some(one), Some(other)) => Err(Misread::Ambiguous { one, other }),
        (None, one, other) => one.or(other).ok_or(Misread::Separators),
    }
}
