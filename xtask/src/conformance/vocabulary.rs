//! The words that expressions about a page are made of: names, values and texts that occur on it.
//!
//! An expression with words from elsewhere selects nothing and compares nothing. So words are drawn from the nodes of
//! the page, and a frequent name is a frequent word.

use super::witness::name_test;
use crate::random::Random;
use page::{Kind, NodeId, Page};

/// Words of one page.
pub(crate) struct Vocabulary {
    elements: Vec<String>,
    attributes: Vec<String>,
    values: Vec<String>,
    words: Vec<String>,
    numbers: Vec<String>,
}

/// The number of nodes of each kind that are examined.
const SAMPLE: usize = 400;

impl Vocabulary {
    /// Draws the words of a page.
    pub(crate) fn of(page: &Page, random: &mut Random) -> Vocabulary {
        let mut words = Vocabulary {
            // One name that no page has, so that empty sets occur.
            elements: vec!["nothing".to_owned()],
            attributes: vec!["nothing".to_owned()],
            values: vec![String::new()],
            words: vec![" ".to_owned(), "é".to_owned()],
            numbers: ["0", "1", "2", "3", "-1", "0.5", "1.5", "10", "100"]
                .map(String::from)
                .to_vec(),
        };
        for _ in 0..4 * SAMPLE {
            let node = NodeId(random.below(page.len()) as u32);
            let value = page.string_value(node);
            match page.kind(node) {
                Kind::Element => words.elements.extend(name_test(page.name(node))),
                Kind::Attribute => {
                    words.attributes.extend(name_test(page.name(node)));
                    words.add_text(value);
                    if value.len() <= 80 {
                        words.values.push(value.to_owned());
                    }
                }
                Kind::Text | Kind::Comment => words.add_text(value),
                Kind::Document => {}
            }
        }
        words
    }

    fn add_text(&mut self, text: &str) {
        if text.len() <= 40 {
            self.values.push(text.to_owned());
        }
        for word in text.split_whitespace().take(6).filter(|word| word.len() <= 30) {
            let is_digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
            let (whole, part) = word.split_once('.').unwrap_or((word, "0"));
            let is_number = word.len() <= 6 && is_digits(whole) && is_digits(part);
            if is_number { &mut self.numbers } else { &mut self.words }.push(word.to_owned());
        }
    }

    /// The name of an element.
    pub(crate) fn element(&self, random: &mut Random) -> String {
        random.pick(&self.elements).clone()
    }

    /// The name of an attribute.
    pub(crate) fn attribute(&self, random: &mut Random) -> String {
        random.pick(&self.attributes).clone()
    }

    /// A number from the page, or a small one.
    pub(crate) fn number(&self, random: &mut Random) -> String {
        random.pick(&self.numbers).clone()
    }

    /// A literal: a whole value, a word, or a part of a word.
    pub(crate) fn literal(&self, random: &mut Random) -> String {
        let text = match random.below(8) {
            0..=1 => random.pick(&self.values).clone(),
            2 => random.pick(&self.numbers).clone(),
            3 => random.pick(&self.elements).clone(),
            4 => random.pick(&self.attributes).clone(),
            5 => random.pick(&self.words).clone(),
            _ => random.pick(&self.words).chars().take(1 + random.below(3)).collect(),
        };
        let quote = match (text.contains('"'), text.contains('\'')) {
            // XPath 1.0 cannot write it as one literal.
            (true, true) => return "'both'".to_owned(),
            (false, _) => '"',
            (true, false) => '\'',
        };
        format!("{quote}{text}{quote}")
    }
}
