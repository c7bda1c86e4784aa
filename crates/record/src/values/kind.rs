//! Which kinds of value a text is.
//!
//! A value keeps its kind when a site is redesigned, even if it is written in another way: `5/9/19-7pm` and `Thursday,
//! May 9, 2019, 7:00 PM – 9:00 PM` are both a date and a time. So kinds compare values where shapes cannot.
//!
//! A text is taken apart: addresses of pages and people first, then dates and times, phone numbers, and the other
//! numbers. What remains is words. A few words around a value are usual (`Posted on …`, `… per person`), and then the
//! text has the value's kind and is a text as well; with more words than that it is a text about the value, and
//! only a text. The kinds of a range are those of its ends. Linear in the text; texts above 400 bytes are not taken
//! apart.
//!
//! The words for streets and the forms of phone numbers and codes were chosen with the fields of the benches at hand
//! (meetings, courts, planning applications, the pages of the wrapper induction papers). Names are told by capital
//! letters alone, and most titles have them.

use super::amount::amounts;
use super::calendar;
use super::convention::Decimal;
use super::phone;
use super::place::is_place;
use super::scan::{Tokens, fold, is_dash};
use super::{LONGEST, WORDS_AROUND};
use std::fmt;

/// A kind of value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Kind {
    /// A date, with or without the year.
    Date,
    /// A time of the day.
    Time,
    /// A date and a time.
    DateTime,
    /// An amount of money.
    Price,
    /// A percentage.
    Percentage,
    /// A whole number.
    Integer,
    /// A number with decimals.
    Decimal,
    /// A phone number.
    Phone,
    /// An address of a page or file.
    Link,
    /// An address of an image.
    Image,
    /// An address for mail.
    Email,
    /// An address of a place.
    Address,
    /// Digits with letters or signs, such as an article number.
    Code,
    /// A few capitalized words: a person, a place, a title.
    Name,
    /// Words.
    Text,
}

const ALL: [Kind; 15] = [
    Kind::Date,
    Kind::Time,
    Kind::DateTime,
    Kind::Price,
    Kind::Percentage,
    Kind::Integer,
    Kind::Decimal,
    Kind::Phone,
    Kind::Link,
    Kind::Image,
    Kind::Email,
    Kind::Address,
    Kind::Code,
    Kind::Name,
    Kind::Text,
];

/// A set of kinds.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Kinds(u16);

impl Kinds {
    /// Is a kind in the set?
    pub fn contains(self, kind: Kind) -> bool {
        self.0 & (1 << kind as u16) != 0
    }

    /// Adds a kind.
    pub fn insert(&mut self, kind: Kind) {
        self.0 |= 1 << kind as u16;
    }

    /// The kinds that are in both sets.
    pub fn shared(self, other: Kinds) -> Kinds {
        Kinds(self.0 & other.0)
    }

    /// Has it no kind?
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// How many kinds it has.
    pub fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// The kinds, in a fixed order.
    pub fn iter(self) -> impl Iterator<Item = Kind> {
        ALL.into_iter().filter(move |kind| self.contains(*kind))
    }
}

impl FromIterator<Kind> for Kinds {
    fn from_iter<I: IntoIterator<Item = Kind>>(kinds: I) -> Kinds {
        let mut set = Kinds::default();
        kinds.into_iter().for_each(|kind| set.insert(kind));
        set
    }
}

impl fmt::Debug for Kinds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

/// The kinds of value that a text is; empty for an empty text.
///
/// ```
/// use record::values::{Kind, kinds};
/// let set = |kinds: &[Kind]| kinds.iter().copied().collect();
/// assert_eq!(kinds("12,50 €"), set(&[Kind::Price, Kind::Decimal]));
/// assert_eq!(kinds("Posted on May 9, 2019"), set(&[Kind::Date, Kind::Text]));
/// assert_eq!(kinds("/img/kelp.png"), set(&[Kind::Link, Kind::Image]));
/// assert_eq!(kinds("Ugo Liberatore"), set(&[Kind::Name, Kind::Text]));
/// assert_eq!(kinds("CC-12-1226"), set(&[Kind::Code]));
/// ```
pub fn kinds(text: &str) -> Kinds {
    let text = text.trim();
    let mut found = Kinds::default();
    if text.is_empty() {
        return found;
    }
    let spaces = text.split_whitespace().count() - 1;
    if (spaces == 0 && is_link(text)) || (spaces <= SPACES_IN_LINK && has_file_ending(text)) {
        found.insert(Kind::Link);
        if is_image(text) {
            found.insert(Kind::Image);
        }
        if text.starts_with("mailto:") {
            found.insert(Kind::Email);
        }
        return found;
    }
    if text.len() > LONGEST {
        found.insert(Kind::Text);
        return found;
    }
    let mut tokens = Tokens::new(text);
    take_addresses(text, &mut tokens, &mut found);
    take_moments(&mut tokens, &mut found);
    if phone::take(&mut tokens) {
        found.insert(Kind::Phone);
    }
    let is_place = found.is_empty() && is_place(&tokens);
    match is_place {
        true => found.insert(Kind::Address),
        false => take_numbers(&mut tokens, &mut found),
    }
    let words: Vec<&str> = tokens.words().filter(|word| !is_joint(word)).collect();
    if found.is_empty() && is_code(text) {
        found.insert(Kind::Code);
        return found;
    }
    if words.len() > WORDS_AROUND && !is_place {
        found = Kinds::default();
    }
    if found.is_empty() && is_name(text) {
        found.insert(Kind::Name);
    }
    if !words.is_empty() || found.is_empty() {
        found.insert(Kind::Text);
    }
    found
}

/// The most spaces in the name of a file. Some sites have them in addresses, too.
const SPACES_IN_LINK: usize = 5;

/// Words that join the parts of a date, of a time or of a range.
fn is_joint(word: &str) -> bool {
    const JOINTS: &[&str] = &["a", "al", "at", "bis", "from", "to", "um", "uhr", "von"];
    word.len() <= 4 && JOINTS.contains(&fold(word).as_str())
}

/// Is a text without spaces an address of a page or file?
fn is_link(text: &str) -> bool {
    const STARTS: &[&str] = &[
        "/",
        "./",
        "../",
        "#",
        "?",
        "www.",
        "mailto:",
        "tel:",
        "javascript:",
        "data:",
    ];
    let named = text.split_once("://").is_some_and(|(scheme, rest)| {
        !rest.is_empty() && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'+')
    });
    // A sign alone is not an address, and neither are #1 and "/10".
    let letters = text.bytes().filter(u8::is_ascii_alphabetic).count();
    named || (letters > 0 && STARTS.iter().any(|start| text.starts_with(start))) || has_file_ending(text)
}

const IMAGES: &[&str] = &["avif", "bmp", "gif", "ico", "jpeg", "jpg", "png", "svg", "webp"];
const FILES: &[&str] = &[
    "asp", "aspx", "doc", "docx", "htm", "html", "jsp", "pdf", "php", "xls", "xlsx", "zip",
];

/// The ending of the file that an address leads to, in lower case.
fn ending(text: &str) -> Option<String> {
    let path = text.split(['?', '#']).next().unwrap_or(text);
    let (stem, ending) = path.rsplit_once('.')?;
    (!stem.is_empty() && ending.len() <= 5).then(|| ending.to_ascii_lowercase())
}

fn has_file_ending(text: &str) -> bool {
    ending(text).is_some_and(|ending| IMAGES.contains(&ending.as_str()) || FILES.contains(&ending.as_str()))
}

fn is_image(text: &str) -> bool {
    text.starts_with("data:image/") || ending(text).is_some_and(|ending| IMAGES.contains(&ending.as_str()))
}

/// Does it look like an address for mail?
fn is_mail(text: &str) -> bool {
    let Some((name, host)) = text.split_once('@') else {
        return false;
    };
    let plain = |text: &str, signs: &[u8]| {
        let known = |byte: u8| byte.is_ascii_alphanumeric() || byte >= 0x80 || signs.contains(&byte);
        !text.is_empty() && text.bytes().all(known)
    };
    let (domain, top) = host.rsplit_once('.').unwrap_or(("", ""));
    plain(name, b"._%+-'") && plain(domain, b".-") && top.len() >= 2 && plain(top, b"-")
}

/// Takes away links and addresses for mail that stand between spaces.
fn take_addresses(text: &str, tokens: &mut Tokens<'_>, found: &mut Kinds) {
    if !text.contains(['@', '/']) && !text.contains("www.") {
        return;
    }
    let mut end = 0;
    for chunk in text.split_whitespace() {
        let start = text.len() - text[end..].trim_start().len();
        end = start + chunk.len();
        let bare = chunk.trim_matches(|c: char| matches!(c, ',' | ';' | '.' | '(' | ')' | '<' | '>' | ':'));
        let kind = match bare {
            _ if is_mail(bare) => Kind::Email,
            _ if bare.contains("://") || bare.starts_with("www.") => Kind::Link,
            _ => continue,
        };
        found.insert(kind);
        tokens.take_bytes(start, end);
    }
}

fn take_moments(tokens: &mut Tokens<'_>, found: &mut Kinds) {
    let moments = calendar::take(tokens);
    let (dated, timed) = (!moments.dates.is_empty(), !moments.times.is_empty());
    for (is, kind) in [
        (dated, Kind::Date),
        (timed, Kind::Time),
        (dated && timed, Kind::DateTime),
    ] {
        if is {
            found.insert(kind);
        }
    }
}

fn take_numbers(tokens: &mut Tokens<'_>, found: &mut Kinds) {
    let all = amounts(tokens);
    let mut kinds = Kinds::default();
    let mut readable = true;
    for amount in &all {
        let mut readings = [Decimal::Point, Decimal::Comma].map(|decimal| amount.under(decimal));
        // Money has no third decimal.
        if amount.currency.is_some() && readings[0] != readings[1] && readings.iter().all(Option::is_some) {
            readings = readings.map(|reading| reading.filter(|text| !text.contains('.')));
        }
        for reading in readings.iter().flatten() {
            kinds.insert(match reading.contains('.') {
                true => Kind::Decimal,
                false => Kind::Integer,
            });
        }
        if amount.currency.is_some() {
            kinds.insert(Kind::Price);
        }
        if amount.percent {
            kinds.insert(Kind::Percentage);
        }
        readable &= !amount.code && readings.iter().any(Option::is_some);
    }
    // One number, or the two ends of a range; money also among others, as in "2 for $5".
    let dash = |c: char| is_dash(c) && c != '-';
    let plain = match all.as_slice() {
        [_] => true,
        [_, _] => tokens.has_sign(dash) || kinds.contains(Kind::Price) || kinds.contains(Kind::Percentage),
        _ => false,
    };
    if !plain && !kinds.contains(Kind::Price) && !kinds.contains(Kind::Percentage) || !readable {
        return;
    }
    let ranges: Vec<(usize, usize)> = all.iter().map(|amount| (amount.start, amount.end)).collect();
    for (start, end) in ranges {
        tokens.take(start, end);
    }
    // A number in a date or next to a phone number is not the value.
    if found.is_empty() || kinds.contains(Kind::Price) {
        kinds.iter().for_each(|kind| found.insert(kind));
    }
}

/// Digits with letters or signs in at most two parts, without words; or in four, without small letters.
fn is_code(text: &str) -> bool {
    let digits = text.bytes().filter(u8::is_ascii_digit).count();
    let letters = text.chars().filter(|c| c.is_alphabetic()).count();
    let longest = text.split(|c: char| !c.is_lowercase()).map(str::len).max().unwrap_or(0);
    let parts = text
        .split_whitespace()
        .filter(|part| part.contains(char::is_alphanumeric));
    let short = match parts.count() {
        0..=2 => longest <= 3,
        3 | 4 => longest == 0,
        _ => false,
    };
    digits > 0 && letters < 16 && short
}

/// One to six words that begin with capital letters; small words may be between them.
fn is_name(text: &str) -> bool {
    const SMALL: &[&str] = &[
        "and", "at", "da", "de", "del", "della", "den", "der", "des", "di", "do", "du", "el", "et", "for", "in", "la",
        "le", "of", "on", "the", "und", "van", "von", "y", "&",
    ];
    let words: Vec<&str> = text.split_whitespace().collect();
    let is_word = |word: &&str| {
        let bare = word.trim_end_matches([',', '.']);
        SMALL.contains(&bare) || bare.chars().next().is_some_and(char::is_uppercase)
    };
    let signs = |c: char| c.is_alphabetic() || c.is_whitespace() || matches!(c, '.' | ',' | '\'' | '’' | '-' | '&');
    let capital = |word: &&str| word.starts_with(char::is_uppercase);
    (1..=6).contains(&words.len())
        && words.iter().all(is_word)
        && words.first().is_some_and(capital)
        && text.chars().all(signs)
}
