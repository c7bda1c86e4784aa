//! A text as digits, words, spaces and other signs.

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Class {
    Digits,
    Word,
    Space,
    Sign(char),
    /// Already read as a part of another value.
    Used,
}

#[derive(Clone, Copy, Debug)]
struct Token<'t> {
    text: &'t str,
    start: usize,
    class: Class,
}

/// The tokens of a text. Every token is next to the one after it: a gap is a token, too.
#[derive(Debug)]
pub(super) struct Tokens<'t> {
    all: Vec<Token<'t>>,
}

/// Accents that are characters of their own belong to the letter before them.
fn is_accent(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}')
}

fn class(c: char) -> Class {
    match c {
        '0'..='9' => Class::Digits,
        _ if c.is_alphabetic() || is_accent(c) => Class::Word,
        _ if c.is_whitespace() => Class::Space,
        _ => Class::Sign(c),
    }
}

impl<'t> Tokens<'t> {
    pub(super) fn new(text: &'t str) -> Tokens<'t> {
        let mut all: Vec<Token<'t>> = Vec::new();
        for (at, c) in text.char_indices() {
            let (class, end) = (class(c), at + c.len_utf8());
            match all.last_mut() {
                Some(last) if last.class == class && !matches!(class, Class::Sign(_)) => {
                    last.text = &text[last.start..end];
                }
                _ => all.push(Token {
                    text: &text[at..end],
                    start: at,
                    class,
                }),
            }
        }
        Tokens { all }
    }

    pub(super) fn len(&self) -> usize {
        self.all.len()
    }

    fn of(&self, at: usize, class: Class) -> Option<&'t str> {
        self.all
            .get(at)
            .filter(|token| token.class == class)
            .map(|token| token.text)
    }

    /// The digits at a position.
    pub(super) fn digits(&self, at: usize) -> Option<&'t str> {
        self.of(at, Class::Digits)
    }

    /// The digits at a position, if there are at most four of them: their value, and how many there are.
    pub(super) fn small(&self, at: usize) -> Option<(u16, usize)> {
        let digits = self.digits(at).filter(|digits| digits.len() <= 4)?;
        Some((digits.parse().ok()?, digits.len()))
    }

    /// The word at a position.
    pub(super) fn word(&self, at: usize) -> Option<&'t str> {
        self.of(at, Class::Word)
    }

    /// The sign at a position.
    pub(super) fn sign(&self, at: usize) -> Option<char> {
        match self.all.get(at)?.class {
            Class::Sign(c) => Some(c),
            _ => None,
        }
    }

    /// The white space at a position.
    pub(super) fn space(&self, at: usize) -> Option<&'t str> {
        self.of(at, Class::Space)
    }

    /// The position after white space, if there is any.
    pub(super) fn skip_space(&self, at: usize) -> usize {
        at + usize::from(self.space(at).is_some())
    }

    /// The position after a dash, with or without spaces around it.
    pub(super) fn skip_dash(&self, at: usize) -> Option<usize> {
        let at = self.skip_space(at);
        self.sign(at).filter(|c| is_dash(*c)).map(|_| self.skip_space(at + 1))
    }

    /// The position before another one; `None` at the start.
    pub(super) fn before(at: usize) -> Option<usize> {
        at.checked_sub(1)
    }

    /// Takes tokens away: no reader sees them any more.
    pub(super) fn take(&mut self, from: usize, to: usize) {
        for token in &mut self.all[from..to] {
            token.class = Class::Used;
        }
    }

    /// As [`Tokens::take`], by bytes of the text.
    pub(super) fn take_bytes(&mut self, from: usize, to: usize) {
        for token in &mut self.all {
            if token.start >= from && token.start < to {
                token.class = Class::Used;
            }
        }
    }

    /// The words that no reader has taken.
    pub(super) fn words(&self) -> impl Iterator<Item = &'t str> {
        let words = self.all.iter().filter(|token| token.class == Class::Word);
        words.map(|token| token.text)
    }

    /// Does a sign occur?
    pub(super) fn has_sign(&self, test: fn(char) -> bool) -> bool {
        self.all
            .iter()
            .any(|token| matches!(token.class, Class::Sign(c) if test(c)))
    }
}

/// Dashes of every length, and the minus sign.
pub(super) fn is_dash(c: char) -> bool {
    matches!(c, '-' | '\u{2010}'..='\u{2015}' | '\u{2212}')
}

/// A word in lower case without accents: `Août` is `aout`, `Straße` is `strasse`.
pub(super) fn fold(word: &str) -> String {
    if word.is_ascii() {
        return word.to_ascii_lowercase();
    }
    let mut out = String::with_capacity(word.len());
    for c in word.chars().flat_map(char::to_lowercase).filter(|c| !is_accent(*c)) {
        match c {
            'à' | 'á' | 'â' | 'ã' | 'ä' | 'å' => out.push('a'),
            'ç' => out.push('c'),
            'è' | 'é' | 'ê' | 'ë' => out.push('e'),
            'ì' | 'í' | 'î' | 'ï' => out.push('i'),
            'ñ' => out.push('n'),
            'ò' | 'ó' | 'ô' | 'õ' | 'ö' => out.push('o'),
            'ù' | 'ú' | 'û' | 'ü' => out.push('u'),
            'ł' => out.push('l'),
            'ß' => out.push_str("ss"),
            _ => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_divided_without_gaps() {
        let text = "Au\u{300} 1\u{a0}234,50 €!";
        let tokens = Tokens::new(text);
        let parts: Vec<&str> = tokens.all.iter().map(|token| token.text).collect();
        assert_eq!(
            parts,
            ["Au\u{300}", " ", "1", "\u{a0}", "234", ",", "50", " ", "€", "!"]
        );
        assert_eq!(parts.concat(), text);
        assert_eq!(tokens.skip_dash(1), None);
        assert_eq!(Tokens::new("3 – 5").skip_dash(1), Some(4));
    }

    #[test]
    fn words_are_compared_without_case_and_accents() {
        assert_eq!(
            ["AOÛT", "Fe\u{301}vrier", "März", "Straße"].map(fold),
            ["aout", "fevrier", "marz", "strasse"]
        );
    }
}
