//! The page as a sequence of tokens, for the learners.
//!
//! Made from the tree, so tags are always balanced: every element gives a start token and, behind all that is in it, an
//! end token. Text gives one token for each word, a run without white space. A word knows its text node and its byte
//! range there, so a span of tokens maps back to exact text. Comments give nothing. The sequence is computed as it is
//! pulled; its memory is the stack of open elements.

use crate::tree::{Kind, NodeId, Page};
use std::ops::Range;

/// A token of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Token {
    /// The start of an element; its name and attributes are the node's.
    Start(NodeId),
    /// A word of a text node.
    Word {
        /// The text node.
        node: NodeId,
        /// The word's bytes in the string-value of the node.
        range: Range<u32>,
    },
    /// The end of an element.
    End(NodeId),
}

impl Token {
    /// The element or text node that the token belongs to.
    pub fn node(&self) -> NodeId {
        match *self {
            Token::Start(node) | Token::End(node) | Token::Word { node, .. } => node,
        }
    }
}

/// An iterator over the tokens of a subtree: see [`Page::tokens`].
#[derive(Clone, Debug)]
pub struct Tokens<'p> {
    page: &'p Page,
    next: NodeId,
    end: NodeId,
    open: Vec<NodeId>,
    /// The text node whose words are being given, and how far they were.
    text: Option<(NodeId, usize)>,
}

impl Page {
    /// The tokens of the subtree of a node.
    pub fn tokens(&self, node: NodeId) -> Tokens<'_> {
        Tokens {
            page: self,
            next: node,
            end: self.end(node),
            open: Vec::new(),
            text: None,
        }
    }

    /// The text of a word.
    pub fn word(&self, node: NodeId, range: Range<u32>) -> &str {
        &self.string_value(node)[range.start as usize..range.end as usize]
    }
}

impl Iterator for Tokens<'_> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        loop {
            if let Some((node, from)) = self.text.take() {
                let text = self.page.string_value(node);
                let rest = &text[from..];
                let word = rest.trim_start();
                if !word.is_empty() {
                    let start = text.len() - word.len();
                    let end = start + word.find(char::is_whitespace).unwrap_or(word.len());
                    self.text = Some((node, end));
                    return Some(Token::Word {
                        node,
                        range: start as u32..end as u32,
                    });
                }
            }
            if let Some(&open) = self.open.last()
                && self.next >= self.page.end(open)
            {
                self.open.pop();
                return Some(Token::End(open));
            }
            if self.next >= self.end {
                return None;
            }
            let node = self.next;
            self.next = NodeId(node.0 + 1);
            match self.page.kind(node) {
                Kind::Element => {
                    self.open.push(node);
                    return Some(Token::Start(node));
                }
                Kind::Text => self.text = Some((node, 0)),
                Kind::Document | Kind::Attribute | Kind::Comment => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(html: &str, expected: &str) {
        let page = Page::parse(html.as_bytes(), &Default::default()).unwrap();
        let mut out = String::new();
        for token in page.tokens(NodeId::DOCUMENT) {
            match token {
                Token::Start(n) => out += &format!("<{}> ", page.name(n)),
                Token::End(n) => out += &format!("</{}> ", page.name(n)),
                Token::Word { node, range } => out += &format!("{} ", page.word(node, range)),
            }
        }
        assert_eq!(
            out.trim_end(),
            format!("<html> <head> </head> <body> {expected} </body> </html>")
        );
    }

    #[test]
    fn tokens_are_balanced_words_and_tags() {
        check(
            "<p class=x>Our Price:\n <b>12</b> each<!-- no --><br>",
            "<p> Our Price: <b> 12 </b> each <br> </br> </p>",
        );
        check("<p>a\u{a0}b \t <p>c", "<p> a b </p> <p> c </p>");
    }

    #[test]
    fn a_subtree_gives_its_own_tokens_only() {
        let page = Page::parse(b"<p>a<b>c d</b>e", &Default::default()).unwrap();
        let b = page.elements_named(page.name_id("b").unwrap())[0];
        assert_eq!(page.tokens(b).count(), 4);
        let text = page.first_child(b).unwrap();
        assert_eq!(
            page.tokens(text).collect::<Vec<_>>()[1],
            Token::Word {
                node: text,
                range: 2..3
            }
        );
    }
}
