//! Random templates and values, rendered as section 2.2 of the paper defines, are recovered exactly.

use super::{Chance, parse, values};
use crate::exalg::{TemplateSettings, infer};
use std::collections::BTreeMap;
use wrapper::rule::template::infix;

const PAGES: usize = 12;

/// A type with its template.
enum Type {
    Basic,
    /// A tuple by its number, the first word of each of its strings, and its attributes.
    Tuple(usize, Vec<Type>),
    /// The type of the elements, and what is between them.
    Set(Box<Type>, &'static str),
    Optional(Box<Type>),
}

/// What may be between the elements of a set, in a page and in infix notation: nothing, a tag, or words (pattern 2 of Table 1).
const SEPARATORS: [(&str, &str); 4] = [("", ""), ("<hr>", "<hr> </hr>"), ("and", "and"), (", then", ", then")];

struct Maker {
    chance: Chance,
    tuples: usize,
    values: usize,
    /// How often each tuple was made on each page.
    counts: BTreeMap<usize, Vec<usize>>,
    /// The largest set of each tuple that is an element.
    largest: BTreeMap<usize, usize>,
    /// Are there tuples without tags, and separators that are words?
    words: bool,
}

impl Maker {
    fn tuple(&mut self, depth: usize) -> Type {
        let number = self.tuples;
        self.tuples += 1;
        let attributes = (0..1 + self.chance.below(3)).map(|_| self.attribute(depth)).collect();
        Type::Tuple(number, attributes)
    }

    fn attribute(&mut self, depth: usize) -> Type {
        match self.chance.below(4) {
            0 if depth < 3 => {
                let separator = match self.words {
                    true => self.chance.below(SEPARATORS.len()),
                    false => self.chance.below(2),
                };
                Type::Set(Box::new(self.tuple(depth + 1)), SEPARATORS[separator].0)
            }
            1 if depth < 3 => Type::Optional(Box::new(self.tuple(depth + 1))),
            _ => Type::Basic,
        }
    }

    /// The encoding of a random value, whose basic parts are added to `texts`.
    fn encode(&mut self, of: &Type, page: usize, texts: &mut Vec<String>) -> String {
        match of {
            Type::Basic => {
                let words = (0..1 + self.chance.below(3)).map(|_| {
                    self.values += 1;
                    format!("v{}", self.values)
                });
                let text = words.collect::<Vec<_>>().join(" ");
                texts.push(text.clone());
                text
            }
            Type::Tuple(number, attributes) => {
                self.counts.entry(*number).or_insert_with(|| vec![0; PAGES])[page] += 1;
                let [first, between, last] = strings(*number, self.words);
                let mut out = format!("{first} ");
                for (at, attribute) in attributes.iter().enumerate() {
                    if at > 0 {
                        out += &format!(" {} ", between.replace('#', &at.to_string()));
                    }
                    out += &self.encode(attribute, page, texts);
                }
                format!("{out} {last}")
            }
            Type::Set(of, separator) => {
                let size = self.chance.below(4);
                if let Type::Tuple(number, _) = &**of {
                    let largest = self.largest.entry(*number).or_default();
                    *largest = size.max(*largest);
                }
                let elements: Vec<String> = (0..size).map(|_| self.encode(of, page, texts)).collect();
                elements.join(&format!(" {separator} "))
            }
            Type::Optional(of) => match self.chance.below(2) {
                0 => String::new(),
                _ => self.encode(of, page, texts),
            },
        }
    }
}

/// The tags of a tuple: few tuples share theirs, so that roles can be distinguished (Assumption A2).
fn tags(number: usize) -> (&'static str, &'static str) {
    let outer = [
        "div", "section", "article", "aside", "nav", "main", "header", "footer", "figure",
    ];
    let inner = ["span", "cite", "q", "dfn", "kbd", "samp", "var"];
    (outer[number % outer.len()], inner[number % inner.len()])
}

/// The strings of a tuple: the first, those between attributes with `#` for their number, and the last. With `words`, every
/// third tuple has no tags, except the root.
fn strings(number: usize, words: bool) -> [String; 3] {
    let (outer, inner) = tags(number);
    match words && number % 3 == 1 {
        true => [
            format!("w{number}a w{number}x0"),
            format!("w{number}x#"),
            format!("w{number}y w{number}end"),
        ],
        false => [
            format!("<{outer}> w{number}x0 <{inner}>"),
            format!("</{inner}> w{number}x# <{inner}>"),
            format!("</{inner}> w{number}end </{outer}>"),
        ],
    }
}

/// The template in infix notation.
fn notation(of: &Type, words: bool) -> String {
    match of {
        Type::Basic => "*".to_owned(),
        Type::Set(of, separator) => {
            let known = SEPARATORS.iter().find(|(page, _)| page == separator);
            let separator = known
                .filter(|(page, _)| !page.is_empty())
                .map_or(String::new(), |(_, infix)| format!("_{infix}"));
            format!("{{{}}}{separator}", notation(of, words))
        }
        Type::Optional(of) => format!("({})?", notation(of, words)),
        Type::Tuple(number, attributes) => {
            let [first, between, last] = strings(*number, words);
            let mut out = format!("<{first}");
            for (at, attribute) in attributes.iter().enumerate() {
                if at > 0 {
                    out += &format!(" {}", between.replace('#', &at.to_string()));
                }
                out += &format!(" {}", notation(attribute, words));
            }
            format!("{out} {last}>")
        }
    }
}

/// Are the assumptions met: is every constructor made on enough pages, and no two equally often on each?
fn assumptions(maker: &Maker, of: &Type) -> bool {
    let counts: Vec<&Vec<usize>> = maker.counts.values().collect();
    let distinct: std::collections::BTreeSet<&&Vec<usize>> = counts.iter().collect();
    let frequent = counts
        .iter()
        .all(|counts| counts.iter().filter(|times| **times > 0).count() >= PAGES / 3);
    fn separators(of: &Type) -> usize {
        match of {
            Type::Basic => 0,
            Type::Set(of, separator) => usize::from(!separator.is_empty()) + separators(of),
            Type::Optional(of) => separators(of),
            Type::Tuple(_, attributes) => attributes.iter().map(separators).sum(),
        }
    }
    // A set that always has at most one element cannot be distinguished from an optional.
    let repeats = maker.largest.values().all(|largest| *largest > 1);
    distinct.len() == counts.len() && frequent && counts.len() == maker.tuples && separators(of) <= 2 && repeats
}

#[test]
fn templates_and_values_come_back() {
    let (used, deepest) = recovered(false, &TemplateSettings::default());
    assert!(used >= 40 && deepest >= 5, "{used} {deepest}");
}

/// Sets and optionals of words alone, and words between elements, by the paper's definitions alone.
#[test]
fn templates_of_words_come_back() {
    let paper = TemplateSettings {
        paper: true,
        ..TemplateSettings::default()
    };
    let (used, deepest) = recovered(true, &paper);
    assert!(used >= 40 && deepest >= 5, "{used} {deepest}");
}

/// Infers random templates from random values; how many there were, and the most tuples of one.
fn recovered(words: bool, settings: &TemplateSettings) -> (usize, usize) {
    let mut used = 0;
    let mut deepest = 0;
    for seed in 0..200 {
        let mut maker = Maker {
            chance: Chance(seed * 977 + 5),
            tuples: 0,
            values: 0,
            counts: BTreeMap::new(),
            largest: BTreeMap::new(),
            words,
        };
        let of = maker.tuple(0);
        let mut expected: Vec<Vec<String>> = vec![Vec::new(); PAGES];
        let sources: Vec<String> = (0..PAGES)
            .map(|page| {
                let body = maker.encode(&of, page, &mut expected[page]);
                format!("<html> <head> </head> <body> {body} </body> </html>")
            })
            .collect();
        if !assumptions(&maker, &of) {
            continue;
        }
        used += 1;
        deepest = deepest.max(maker.tuples);
        let pages = parse(&sources);
        let template = infer(&pages.iter().collect::<Vec<_>>(), settings, &page::Job::new())
            .unwrap()
            .template;
        let inner = notation(&of, words);
        // The root tuple and what is around it are one class.
        let inner = &inner[1..inner.len() - 1];
        let whole = format!("<<html> <head> </head> <body> {inner} </body> </html>>");
        assert_eq!(infix(&template, false), whole, "seed {seed}");
        for (page, expected) in pages.iter().zip(&expected) {
            let found: Vec<String> = values(&template, page).into_iter().map(|(_, text)| text).collect();
            assert_eq!(found, *expected, "seed {seed}");
        }
    }
    (used, deepest)
}
