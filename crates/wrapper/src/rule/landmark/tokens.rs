//! The tokens of a page, as landmark rules use them.
//!
//! With [`Grain::Nodes`] a text node is one token, and every region of a rule is a run of siblings, so it is balanced
//! by construction. With [`Grain::Words`] each word is a token of its own, and a region is any run of tokens, as in the
//! paper. White space, comments and elements that no reader sees ([`page::vocabulary::UNSEEN`]) give no tokens.

use super::Grain;
use page::vocabulary::UNSEEN;
use page::{Kind, NodeId, Page};
use std::borrow::Cow;
use std::collections::HashMap;

/// Unseen elements that earlier versions cut into tokens like any other.
const ONCE_SEEN: [&str; 3] = ["noscript", "noembed", "iframe"];

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Piece {
    /// The start of an element.
    Start,
    /// The end of an element.
    End,
    /// A text node.
    Text,
    /// A word of a text node.
    Word,
}

/// A token of a page.
#[derive(Clone, Copy, Debug)]
pub struct Token {
    /// What it is.
    pub piece: Piece,
    /// Its element or text node.
    pub node: NodeId,
    /// For a start the position of its end, for an end the position of its start, otherwise its own position.
    pub mate: u32,
    /// For a word, its byte range in the text of its node.
    pub range: (u32, u32),
}

impl Token {
    /// The text of the token's range in its node: for a word, the word.
    pub fn word<'p>(&self, page: &'p Page) -> &'p str {
        &page.string_value(self.node)[self.range.0 as usize..self.range.1 as usize]
    }
}

/// The tokens of a page.
#[derive(Clone, Debug)]
pub struct Tokens {
    /// The tokens in document order.
    pub tokens: Vec<Token>,
}

impl Tokens {
    /// Cuts a page into tokens.
    pub fn new(page: &Page, grain: Grain) -> Tokens {
        Tokens::for_rule(page, grain, |_| false)
    }

    /// Cuts a page into the tokens that a rule was learned from, given which elements the rule names.
    ///
    /// Rules in old files may name elements that were cut into tokens once (`ONCE_SEEN`). For such a rule they still
    /// are, or it would not find its place.
    pub fn for_rule(page: &Page, grain: Grain, names: impl Fn(&str) -> bool) -> Tokens {
        let skipped = UNSEEN.map(|name| match ONCE_SEEN.contains(&name) && names(name) {
            true => None,
            false => page.name_id(name),
        });
        let mut tokens: Vec<Token> = Vec::with_capacity(page.elements().len() * 2 + page.texts().len());
        let mut open: Vec<(NodeId, u32)> = Vec::new();
        let mut at = NodeId(1);
        let last = NodeId(page.len() as u32);
        loop {
            while let Some(&(end, start)) = open.last()
                && at >= end
            {
                let place = tokens.len() as u32;
                let node = tokens[start as usize].node;
                tokens[start as usize].mate = place;
                tokens.push(Token {
                    piece: Piece::End,
                    node,
                    mate: start,
                    range: (0, 0),
                });
                open.pop();
            }
            if at >= last {
                return Tokens { tokens };
            }
            let place = tokens.len() as u32;
            match page.kind(at) {
                Kind::Element if skipped.contains(&page.name_of(at)) => {
                    at = page.end(at);
                    continue;
                }
                Kind::Element => {
                    tokens.push(Token {
                        piece: Piece::Start,
                        node: at,
                        mate: place,
                        range: (0, 0),
                    });
                    open.push((page.end(at), place));
                }
                Kind::Text => push_text(page, at, grain, &mut tokens),
                Kind::Document | Kind::Attribute | Kind::Comment => {}
            }
            at = NodeId(at.0 + 1);
        }
    }

    /// The tokens without those of some whole subtrees, given as ranges of nodes in document order.
    pub fn without(&self, left_out: &[(NodeId, NodeId)]) -> Tokens {
        if left_out.is_empty() {
            return self.clone();
        }
        let mut place = vec![u32::MAX; self.tokens.len()];
        let mut tokens: Vec<Token> = Vec::with_capacity(self.tokens.len());
        for (at, token) in self.tokens.iter().enumerate() {
            // An end has the node of its start, so both are left out or none.
            let hidden = left_out
                .get(left_out.partition_point(|(_, to)| *to <= token.node))
                .is_some_and(|(from, to)| *from <= token.node && token.node < *to);
            if !hidden {
                place[at] = tokens.len() as u32;
                tokens.push(*token);
            }
        }
        for token in &mut tokens {
            token.mate = place[token.mate as usize];
        }
        Tokens { tokens }
    }

    /// The tokens with some elements, in the order given, taken out of where they stand and put after all others; and where each of them begins. An
    /// element inside another one is taken out of it. All elements are closed.
    pub fn apart(&self, elements: &[NodeId]) -> (Tokens, Vec<u32>) {
        let mut tokens = self.tokens.clone();
        for (at, token) in (0u32..).zip(&mut tokens) {
            if token.piece == Piece::End && token.mate > at {
                token.piece = Piece::Start;
            }
        }
        if elements.is_empty() {
            return (Tokens { tokens }, Vec::new());
        }
        let numbers: HashMap<NodeId, usize> = elements.iter().copied().zip(1..).collect();
        // For each token the element that it goes with; zero for the rest of the page.
        let mut group = Vec::with_capacity(tokens.len());
        let mut counts = vec![0u32; elements.len() + 1];
        let mut open: Vec<(usize, u32)> = Vec::new();
        for (at, token) in (0u32..).zip(&tokens) {
            while open.last().is_some_and(|(_, end)| *end < at) {
                open.pop();
            }
            if token.piece == Piece::Start
                && let Some(number) = numbers.get(&token.node)
            {
                open.push((*number, token.mate));
            }
            let own = open.last().map_or(0, |(number, _)| *number);
            counts[own] += 1;
            group.push(own);
        }
        let mut next: Vec<u32> = counts
            .iter()
            .scan(0, |sum, count| Some(std::mem::replace(sum, *sum + count)))
            .collect();
        let starts: Vec<u32> = next[1..].to_vec();
        let mut place = Vec::with_capacity(tokens.len());
        for own in group {
            place.push(next[own]);
            next[own] += 1;
        }
        let mut moved = tokens.clone();
        for (token, to) in tokens.into_iter().zip(&place) {
            moved[*to as usize] = Token {
                mate: place[token.mate as usize],
                ..token
            };
        }
        (Tokens { tokens: moved }, starts)
    }

    /// Opens an element, given its start, so that what is in it are units beside it; or closes it again.
    pub fn set_open(&mut self, start: u32, open: bool) {
        // The units of a region are sought past all ends.
        self.tokens[start as usize].piece = if open { Piece::End } else { Piece::Start };
    }

    /// The number of tokens.
    pub fn len(&self) -> u32 {
        self.tokens.len() as u32
    }

    /// Is the list empty?
    pub fn is_empty(&self) -> bool {
        self.tokens.is_empty()
    }

    /// The positions of the top-level elements and text nodes of a region: those inside no other of the region.
    pub fn units(&self, from: u32, to: u32) -> impl Iterator<Item = u32> + '_ {
        let mut next = from;
        std::iter::from_fn(move || {
            while next < to {
                let at = next;
                let token = self.tokens[at as usize];
                match token.piece {
                    Piece::End => next += 1,
                    // An element that is not completely inside the region is not a unit.
                    Piece::Start if token.mate >= to => next += 1,
                    _ => {
                        next = token.mate + 1;
                        return Some(at);
                    }
                }
            }
            None
        })
    }
}

fn push_text(page: &Page, node: NodeId, grain: Grain, tokens: &mut Vec<Token>) {
    let text = page.string_value(node);
    match grain {
        Grain::Nodes => {
            if !text.chars().all(is_space) {
                let mate = tokens.len() as u32;
                tokens.push(Token {
                    piece: Piece::Text,
                    node,
                    mate,
                    range: (0, text.len() as u32),
                });
            }
        }
        Grain::Words => {
            let mut from = 0;
            for word in text.split(is_space) {
                let to = from + word.len();
                if !word.is_empty() {
                    let mate = tokens.len() as u32;
                    tokens.push(Token {
                        piece: Piece::Word,
                        node,
                        mate,
                        range: (from as u32, to as u32),
                    });
                }
                from = to + text[to..].chars().next().map_or(0, char::len_utf8);
            }
        }
    }
}

/// White space, and the zero-width characters that pages scatter through their text.
fn is_space(c: char) -> bool {
    c.is_whitespace() || matches!(c, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}')
}

/// A text with each run of white space replaced by one space, and trimmed.
pub fn clean(text: &str) -> Cow<'_, str> {
    let trimmed = text.trim_matches(is_space);
    let mut gap = false;
    let plain = trimmed.chars().all(|c| {
        let space = is_space(c);
        let fine = if space { c == ' ' && !gap } else { true };
        gap = space;
        fine
    });
    if plain {
        return Cow::Borrowed(trimmed);
    }
    let mut out = String::with_capacity(trimmed.len());
    for word in trimmed.split(|c: char| c.is_whitespace()) {
        let word: Cow<'_, str> = if word.chars().any(is_space) {
            word.chars().filter(|c| !is_space(*c)).collect()
        } else {
            word.into()
        };
        if !word.is_empty() {
            if !out.is_empty() {
                out.push(' ');
            }
            out.push_str(&word);
        }
    }
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(tokens: &Tokens, page: &Page) -> String {
        let said = tokens.tokens.iter().map(|token| match token.piece {
            Piece::Start => format!("<{}>", page.name(token.node)),
            Piece::End => format!("</{}>", page.name(token.node)),
            Piece::Text | Piece::Word => token.word(page).to_owned(),
        });
        said.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn the_unseen_gives_tokens_only_to_rules_that_name_it() {
        let html = "<body><p>a  b<script>c</script><noscript><i>d</i></noscript>";
        let page = Page::parse_str(html, &Default::default()).unwrap();
        let check = |names: &[&str], inside: &str| {
            let tokens = Tokens::for_rule(&page, Grain::Words, |name| names.contains(&name));
            let expected = format!("<html> <head> </head> <body> <p> a b {inside}</p> </body> </html>");
            assert_eq!(said(&tokens, &page), expected, "{names:?}");
        };
        check(&[], "");
        check(&["noscript"], "<noscript> <i> d </i> </noscript> ");
        // No version made tokens of scripts, so a rule that says so means something else by it.
        check(&["script", "p"], "");
        assert!(ONCE_SEEN.iter().all(|name| UNSEEN.contains(name)));
    }

    #[test]
    fn elements_are_put_apart() {
        let html = "<body><p id=a>1<b id=b>2</b>3</p><i>4</i>";
        let page = Page::parse_str(html, &Default::default()).unwrap();
        let tokens = Tokens::new(&page, Grain::Nodes);
        let named = |name: &str| page.elements_named(page.name_id(name).unwrap())[0];
        let check = |elements: &[&str], expected: &str| {
            let elements: Vec<NodeId> = elements.iter().map(|name| named(name)).collect();
            let (apart, starts) = tokens.apart(&elements);
            let all = said(&apart, &page);
            assert_eq!(all.replace("<html> <head> </head> ", ""), expected);
            for (element, start) in elements.iter().zip(&starts) {
                let token = apart.tokens[*start as usize];
                assert_eq!((token.node, token.piece), (*element, Piece::Start));
                assert_eq!(apart.tokens[token.mate as usize].mate, *start);
            }
        };
        check(&[], "<body> <p> 1 <b> 2 </b> 3 </p> <i> 4 </i> </body> </html>");
        check(&["b"], "<body> <p> 1 3 </p> <i> 4 </i> </body> </html> <b> 2 </b>");
        check(&["p", "b"], "<body> <i> 4 </i> </body> </html> <p> 1 3 </p> <b> 2 </b>");
        check(&["b", "p"], "<body> <i> 4 </i> </body> </html> <b> 2 </b> <p> 1 3 </p>");
    }
}
