//! Addresses of places: a number and the name of a street.

use super::scan::{Tokens, fold};

/// Words for streets that come after the name, without case and accents.
const STREETS: &[&str] = &[
    "ave",
    "av",
    "avenue",
    "blvd",
    "boulevard",
    "broadway",
    "cir",
    "circle",
    "close",
    "court",
    "cres",
    "crescent",
    "ct",
    "dr",
    "drive",
    "grove",
    "highway",
    "hwy",
    "lane",
    "ln",
    "parade",
    "parkway",
    "pkwy",
    "pl",
    "place",
    "plaza",
    "rd",
    "road",
    "square",
    "st",
    "street",
    "terrace",
    "way",
];
/// Words for streets that come before the name.
const STREETS_FIRST: &[&str] = &[
    "avenida", "avenue", "calle", "chemin", "piazza", "place", "plaza", "route", "rua", "rue", "via", "viale",
];
/// What street names end with where they are one word.
const STREET_ENDS: &[&str] = &[
    "allee", "gasse", "laan", "platz", "plein", "straat", "strasse", "str", "weg",
];

/// The most words of a street's name.
const STREET_WORDS: usize = 4;

/// Is it an address of a place: a number before or after the name of a street? `12 Main Street`, `850 W Addison`,
/// `Hauptstraße 5`, `5 rue de la Paix`.
pub(super) fn is_place(tokens: &Tokens<'_>) -> bool {
    (0..tokens.len()).any(|at| {
        let Some(word) = tokens.word(at).filter(|word| word.len() <= 40) else {
            return false;
        };
        let word = fold(word);
        let is_long = word.len() > 5 && STREET_ENDS.iter().any(|end| word.ends_with(end));
        let comes_first = STREETS_FIRST.contains(&word.as_str());
        let near = |at: usize| tokens.space(at).is_some() && is_house(tokens, at + 1);
        // The words of the name are between the number and the word for the street.
        let house_before = |most: usize| {
            let mut words = 0;
            let mut back = (0..at).rev();
            back.by_ref()
                .take_while(|at| {
                    words += usize::from(tokens.word(*at).is_some());
                    words <= most && tokens.sign(*at).is_none_or(|c| matches!(c, '.' | '\'' | '’'))
                })
                .any(|at| is_house(tokens, at))
        };
        match word.as_str() {
            _ if is_long => near(at + 1),
            _ if comes_first && house_before(0) => true,
            "n" | "s" | "e" | "w" => is_named(tokens, at) && house_before(0),
            word => STREETS.contains(&word) && house_before(STREET_WORDS),
        }
    })
}

/// Is there a house number at a position? `12` and `12a`, but not `12th`.
fn is_house(tokens: &Tokens<'_>, at: usize) -> bool {
    let short = tokens.digits(at).is_some_and(|digits| digits.len() <= 5);
    short && tokens.word(at + 1).is_none_or(|word| word.chars().count() == 1)
}

/// Does a capitalized name follow a point of the compass, as in `S. Michigan`?
fn is_named(tokens: &Tokens<'_>, at: usize) -> bool {
    let next = tokens.skip_space(at + 1 + usize::from(tokens.sign(at + 1) == Some('.')));
    tokens
        .word(next)
        .is_some_and(|word| word.starts_with(char::is_uppercase))
}
