//! Currencies: their signs, codes and names next to an amount.

use super::scan::{Tokens, fold};

/// A currency as it was written, and its code if the writing tells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Currency {
    written: String,
    code: Option<&'static str>,
}

impl Currency {
    /// As it was written: `€`, `EUR`, `US$`.
    pub fn written(&self) -> &str {
        &self.written
    }

    /// The code by ISO 4217; `None` if several currencies are written like this, as with `$`, `¥` and `kr`.
    pub fn code(&self) -> Option<&'static str> {
        self.code
    }
}

const CODES: &[&str] = &[
    "AED", "ARS", "AUD", "BGN", "BRL", "CAD", "CHF", "CLP", "CNY", "COP", "CZK", "DKK", "EGP", "EUR", "GBP", "HKD",
    "HUF", "IDR", "ILS", "INR", "ISK", "JPY", "KRW", "MAD", "MXN", "MYR", "NOK", "NZD", "PHP", "PLN", "RON", "RSD",
    "RUB", "SAR", "SEK", "SGD", "THB", "TRY", "TWD", "UAH", "USD", "VND", "ZAR",
];

/// Names and abbreviations, without case and accents.
const NAMES: &[(&str, Option<&str>)] = &[
    ("dollar", None),
    ("dollars", None),
    ("eur", Some("EUR")),
    ("euro", Some("EUR")),
    ("euros", Some("EUR")),
    ("fr", Some("CHF")),
    ("franken", Some("CHF")),
    ("ft", Some("HUF")),
    ("kc", Some("CZK")),
    ("kr", None),
    ("pounds", None),
    ("rs", Some("INR")),
    ("sfr", Some("CHF")),
    ("usd", Some("USD")),
    ("yen", Some("JPY")),
    ("zl", Some("PLN")),
];

/// Letters before a dollar sign.
const DOLLARS: &[(&str, &str)] = &[
    ("A", "AUD"),
    ("AU", "AUD"),
    ("C", "CAD"),
    ("CA", "CAD"),
    ("HK", "HKD"),
    ("NZ", "NZD"),
    ("R", "BRL"),
    ("S", "SGD"),
    ("US", "USD"),
];

/// The currency of a sign, if it is one; its code, if only one currency has it.
fn of_sign(c: char) -> Option<Option<&'static str>> {
    Some(match c {
        '$' | '¥' | '￥' => None,
        '€' => Some("EUR"),
        '£' => Some("GBP"),
        '₹' => Some("INR"),
        '₽' => Some("RUB"),
        '₩' => Some("KRW"),
        '₺' => Some("TRY"),
        '₴' => Some("UAH"),
        '₫' => Some("VND"),
        '฿' => Some("THB"),
        '₪' => Some("ILS"),
        _ => return None,
    })
}

fn of_word(word: &str) -> Option<Option<&'static str>> {
    if let Some(code) = CODES.iter().find(|code| **code == word) {
        return Some(Some(code));
    }
    if word.len() > 10 {
        return None;
    }
    let word = fold(word);
    NAMES.iter().find(|(name, _)| *name == word).map(|(_, code)| *code)
}

fn currency(written: impl Into<String>, code: Option<&'static str>) -> Currency {
    Currency {
        written: written.into(),
        code,
    }
}

/// The currency that begins at a position, and the position after it.
pub(super) fn after(tokens: &Tokens<'_>, at: usize) -> Option<(Currency, usize)> {
    if let Some(sign) = tokens.sign(at) {
        return of_sign(sign).map(|code| (currency(sign, code), at + 1));
    }
    let word = tokens.word(at)?;
    if let Some(dollar) = dollar(tokens, at + 1) {
        return Some((dollar, at + 2));
    }
    of_word(word).map(|code| (currency(word, code), at + 1))
}

/// A dollar sign at a position, with the letters before it.
fn dollar(tokens: &Tokens<'_>, at: usize) -> Option<Currency> {
    let letters = tokens.word(at.checked_sub(1)?)?;
    let (_, code) = DOLLARS.iter().find(|(known, _)| *known == letters)?;
    (tokens.sign(at) == Some('$')).then(|| currency(format!("{letters}$"), Some(*code)))
}

/// The currency that ends right before a position, and the position where it begins.
pub(super) fn before(tokens: &Tokens<'_>, at: usize) -> Option<(Currency, usize)> {
    let last = at.checked_sub(1)?;
    if let Some(dollar) = dollar(tokens, last) {
        return Some((dollar, last - 1));
    }
    if let Some(sign) = tokens.sign(last) {
        if let Some(code) = of_sign(sign) {
            return Some((currency(sign, code), last));
        }
        // An abbreviation: "Fr. 12", "Rs.500".
        let word = last.checked_sub(1).filter(|_| sign == '.')?;
        return of_word(tokens.word(word)?).map(|code| (currency(tokens.word(word).unwrap_or_default(), code), word));
    }
    of_word(tokens.word(last)?).map(|code| (currency(tokens.word(last).unwrap_or_default(), code), last))
}
