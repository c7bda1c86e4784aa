//! Names from classes and ids.
//!
//! A class is written for style sheets: some say what an element contains (`product-price`), most how it looks (`col-md-6`), and
//! build tools make many up (`sc-a55f6282-6 imumim`, `css-1x2y3z`, `Card_title__3xF2a`). The words of a class are looked at one by
//! one: words about layout ([`vocabulary::says_layout`]) and generated ones are dropped, and what is left is the name. A class that
//! every element of the place has on only one page is a value and no name, which the vote over places sorts out.
//!
//! Generated words are told by how they are made: letters and digits mixed, no vowels, long runs of consonants, capitals in the
//! middle; and by their company: beside a class with a mark of a build tool (`sc-`, `css-`, `jsx-`), a word of one piece is taken for
//! generated, too.

use super::{PLACES, short_name, split_words};
use page::{Kind, NodeId, Page, vocabulary};
use std::collections::BTreeMap;

/// How far above a value its class may be.
const UP: usize = 3;
/// The attributes that name a place, the most telling first. What structured data uses is looked at before.
const NAMING: [&str; 7] = [
    "data-testid",
    "data-label",
    "data-field",
    "headers",
    "class",
    "id",
    "name",
];

/// What most places of a field are called.
pub(super) fn called(pages: &[&Page], places: &[(usize, NodeId)]) -> Option<String> {
    let looked = &places[..places.len().min(PLACES)];
    let mut votes: BTreeMap<String, usize> = BTreeMap::new();
    for (number, node) in looked {
        if let Some(name) = called_at(pages[*number], *node) {
            *votes.entry(name).or_default() += 1;
        }
    }
    let (name, times) = votes.into_iter().max_by_key(|(_, times)| *times)?;
    (times * 2 >= looked.len()).then_some(name)
}

fn called_at(page: &Page, node: NodeId) -> Option<String> {
    let owner = match page.kind(node) {
        Kind::Element => node,
        _ => page.parent(node)?,
    };
    let text = page.string_value(node).trim().len();
    for up in std::iter::once(owner).chain(page.ancestors(owner)).take(UP) {
        if !page.is_element(up) || vocabulary::is_shell(page.name(up)) {
            return None;
        }
        // What contains much more than the value is not named after it.
        if up != owner && page.string_value(up).trim().len() > 3 * text + 20 {
            return None;
        }
        for attribute in NAMING {
            let name = page.attribute_value(up, attribute).and_then(|value| match attribute {
                "class" => of_class(value),
                _ => of_token(value, false),
            });
            if name.is_some() {
                return name;
            }
        }
    }
    None
}

/// The name that the classes of an element give it: the class that says most.
fn of_class(value: &str) -> Option<String> {
    let built = value.split_ascii_whitespace().any(|token| after_mark(token).is_some());
    let names = value
        .split_ascii_whitespace()
        .take(20)
        .filter_map(|token| of_token(token, built));
    // Few words are a name, many are a place in a style sheet.
    names.min_by_key(|name| (name.split('_').count() > 2, name.len() < 3))
}

/// Marks that build tools put before what they generate.
const MARKS: [&str; 7] = ["sc-", "css-", "jsx-", "svelte-", "astro-", "emotion-", "chakra-"];

/// What is after the mark of a build tool, if a class has one.
fn after_mark(token: &str) -> Option<&str> {
    let rest = MARKS.iter().find_map(|mark| token.strip_prefix(mark))?;
    let is_code = |part: &str| {
        part.len() >= 4 && (is_generated(part) || is_made(part) || part.chars().all(|c| c.is_ascii_digit()))
    };
    rest.split(['-', '_']).any(is_code).then_some(rest)
}

/// The name that one class or id gives; `built` if it is in the company of generated ones.
fn of_token(token: &str, built: bool) -> Option<String> {
    if token.len() > 80 || is_utility(token) {
        return None;
    }
    let marked = after_mark(token);
    let token = without_hash(marked.unwrap_or(token));
    if marked.is_none() && is_mixed(token) {
        return None;
    }
    // After the last double sign is what the element is within its block (`card__title`), or a modifier (`--large`).
    let token = token.split("--").next().unwrap_or(token);
    let mut pieces = token.split("__").filter(|piece| !piece.is_empty() && !is_made(piece));
    let (first, last) = (pieces.next()?, pieces.last());
    // A single piece beside a mark of a build tool is its twin.
    if built && last.is_none() && first.chars().all(char::is_alphanumeric) && first.len() <= 8 {
        return None;
    }
    // A script that lacks a value writes that into a class, too.
    let is_lack = |word: &str| matches!(word, "undefined" | "null" | "nan");
    let is_layout =
        |word: &str| is_lack(word) || vocabulary::says_layout(word.trim_end_matches(|c: char| c.is_ascii_digit()));
    let pieces = last
        .unwrap_or(first)
        .split(['-', '_', '=', '+'])
        .filter(|piece| !is_hash(piece));
    let words: Vec<String> = pieces
        .flat_map(split_words)
        .filter(|word| !is_generated(word) && !is_made(word) && !is_layout(word) && !is_size(word))
        .filter(|word| word.chars().any(char::is_alphabetic) && word.chars().count() > 1)
        .collect();
    short_name(&words).filter(|name| name.chars().count() > 2)
}

/// The letters of the hash that CSS modules put after a class.
const HASH: usize = 5;

/// A class without the file and the hash of CSS modules: `Products_price__ACYq_`, `block-module__line___AdGy0`.
fn without_hash(token: &str) -> &str {
    let Some((at, _)) = token.char_indices().rev().nth(HASH - 1) else {
        return token;
    };
    let (rest, hash) = token.split_at(at);
    let is_code = hash.chars().any(|c| c.is_ascii_digit() || c.is_ascii_uppercase()) || is_generated(hash);
    if !rest.ends_with("__") || !is_code {
        return token;
    }
    let rest = rest.trim_end_matches('_');
    match rest.split_once('_') {
        Some((_, own)) if !rest.contains("__") => own,
        _ => rest,
    }
}

/// Is a class as a whole letters of both cases and digits in any order (`_2Mc-wW0wAsgehC46aTwBVa`)? Words that begin with capitals
/// change their case less often.
fn is_mixed(token: &str) -> bool {
    let sort = |c: char| (c.is_ascii_lowercase(), c.is_ascii_digit());
    let letters: Vec<char> = token.chars().filter(char::is_ascii_alphanumeric).collect();
    let turns = letters.windows(2).filter(|two| sort(two[0]) != sort(two[1])).count();
    letters.len() >= 12 && turns * 5 > letters.len() * 2
}

/// Is a word a size: `sm`, `2xl`, `xxs`?
fn is_size(word: &str) -> bool {
    let word = word.trim_start_matches(|c: char| c.is_ascii_digit() || c == 'x');
    matches!(word, "s" | "m" | "l" | "sm" | "md" | "lg" | "ns")
}

/// Is it a class of a framework of utilities, such as `mt-4`, `md:flex` or `w-[20px]`?
fn is_utility(token: &str) -> bool {
    const KINDS: [&str; 12] = [
        "basis", "divide", "duration", "ease", "font", "items", "justify", "leading", "rounded", "self", "space",
        "tracking",
    ];
    let is_kind = |kind: &str| KINDS.contains(&kind);
    token.contains([':', '[', '(', '/', '.', '%', '!', '@', '?'])
        || token.split_once('-').is_some_and(|(kind, _)| is_kind(kind))
        || is_hashed(token)
        || token
            .rsplit(['-', '_'])
            .next()
            .is_some_and(|last| last.chars().all(|c| c.is_ascii_digit()))
            && token.len() <= 8
}

/// Is it a mark of a build tool that we do not know, with a hash: `rgrc_7ca45506`?
fn is_hashed(token: &str) -> bool {
    const MARK: usize = 5;
    const CODE: usize = 6;
    let is_code = |code: &str| {
        code.len() >= CODE
            && code.chars().all(|c| c.is_ascii_digit() || matches!(c, 'a'..='f'))
            && code.chars().any(|c| c.is_ascii_digit())
    };
    let parts = token.split_once(['_', '-']);
    parts.is_some_and(|(mark, code)| mark.len() <= MARK && is_code(code))
}

/// Is a piece without separators a hash in letters of both cases: many short words, or a generated one among several?
fn is_hash(piece: &str) -> bool {
    let words = split_words(piece);
    let letters: usize = words.iter().map(|word| word.chars().count()).sum();
    words.len() > 1 && words.iter().any(|word| is_generated(word)) || words.len() > 2 && letters < 3 * words.len()
}

/// Is a whole piece of a class generated, with capitals and digits in the middle (`3xF2a`, `dbVFAF`)?
fn is_made(piece: &str) -> bool {
    let letters: Vec<char> = piece.chars().collect();
    if letters.len() < 4 || letters.len() > 12 || letters.iter().any(|c| !c.is_ascii_alphanumeric()) {
        return false;
    }
    let digits = letters.iter().any(char::is_ascii_digit) && letters.iter().any(|c| c.is_ascii_alphabetic());
    let turns = letters
        .windows(2)
        .filter(|two| two[0].is_ascii_lowercase() != two[1].is_ascii_lowercase())
        .count();
    let capitals = letters.iter().filter(|c| c.is_ascii_uppercase()).count();
    (digits && turns >= 2) || (turns >= 4 && capitals >= 2) || (capitals >= 2 && turns >= 3 && letters.len() <= 7)
}

/// Does a word look as if a program had made it up: digits among letters, or letters that nobody can say?
pub(crate) fn is_generated(word: &str) -> bool {
    let letters: Vec<char> = word.chars().flat_map(char::to_lowercase).collect();
    if letters.iter().any(|c| c.is_alphabetic() && !c.is_ascii()) {
        return false;
    }
    let digits = letters.iter().filter(|c| c.is_ascii_digit()).count();
    let turns = letters
        .windows(2)
        .filter(|two| two[0].is_ascii_digit() != two[1].is_ascii_digit())
        .count();
    if digits > 0
        && digits < letters.len()
        && (turns > 1 || letters[0].is_ascii_digit() && letters.len() > 3 || digits > 4)
    {
        return true;
    }
    if has_strange_pair(&letters) {
        return true;
    }
    let is_vowel = |c: &char| matches!(c, 'a' | 'e' | 'i' | 'o' | 'u' | 'y');
    let only: Vec<char> = letters.iter().copied().filter(char::is_ascii_alphabetic).collect();
    let vowels = only.iter().filter(|c| is_vowel(c)).count();
    let mut run = 0;
    let mut longest = 0;
    for c in &only {
        run = if is_vowel(c) { 0 } else { run + 1 };
        longest = longest.max(run);
    }
    (only.len() >= 5 && vowels == 0) || longest >= 6 || (only.len() >= 5 && longest >= 5 && vowels * 4 < only.len())
}

/// Has a word two letters in a row that hardly any word of a language with Latin letters has (`kxgiv`, `dezb`)? Abbreviations of up to
/// three letters may have them.
fn has_strange_pair(letters: &[char]) -> bool {
    let is_strange = |one: char, next: char| match one {
        'q' => matches!(next, 'g' | 'h' | 'j' | 'k' | 'v' | 'w' | 'x' | 'z'),
        'j' => matches!(
            next,
            'b' | 'c' | 'f' | 'g' | 'l' | 'm' | 'p' | 't' | 'v' | 'w' | 'x' | 'z'
        ),
        'x' => matches!(next, 'j' | 'k' | 'z'),
        'f' | 'g' | 'k' | 'v' | 'w' => matches!(next, 'q' | 'x') || one != 'k' && matches!(next, 'j' | 'z'),
        'z' => matches!(next, 'b' | 'j' | 'q' | 'x'),
        _ => false,
    };
    letters.len() > 3 && letters.windows(2).any(|two| is_strange(two[0], two[1]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn generated_classes_give_no_name() {
        for class in [
            "sc-a55f6282-6 imumim",
            "css-1x2y3z",
            "jsx-3810287210",
            "sc-bdVaJa dbVFAF",
            "_3xF2a",
            "col-md-6 mt-4 flex",
            "md:w-1/2 w-[20px]",
            "svelte-1tzpx9m",
            "clearfix left container",
            "s3vAnwpFugg-kHWvbIHg",
            "pOgMVaPwYL8ixI6KmTxp",
            "kxgiv",
            "dezb-sc",
            "XwgGstGDpIVOjAfg3pK1e _2Mc-wW0wAsgehC46aTwBVa",
            "_2W2g30XYcaT1E3_IWsyVMK",
            "styles_wrapper__bwaq4",
            "rounded-2xl",
            "w-100 dib xsm",
        ] {
            assert_eq!(of_class(class), None, "{class}");
        }
    }

    #[test]
    fn classes_that_tell_give_their_words() {
        for (class, name) in [
            ("product-price", "product_price"),
            ("Card_title__3xF2a", "title"),
            ("product-card__title--large", "title"),
            ("sc-a55f6282-6 imumim cli-title", "cli_title"),
            ("css-1x2y3z-Author", "author"),
            ("ctl00_lblAuthor", "author"),
            ("isbn13", "isbn13"),
            ("list-item left rating", "rating"),
            ("preço", "preço"),
            ("Products_price__ACYq_", "price"),
            ("actionBlock-module__overline___AdGy0", "overline"),
            ("styles_itemTitle__bwaq4", "title"),
            ("card__image", "image"),
            ("recipeIngredientListItem", "recipe_ingredient"),
            ("callouts-sc", "callouts"),
            ("tax-exempt", "tax_exempt"),
        ] {
            assert_eq!(of_class(class).as_deref(), Some(name), "{class}");
        }
    }
}
