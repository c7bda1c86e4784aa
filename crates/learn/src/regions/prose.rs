//! Texts that are read and not looked up: sentences with links in them, and headings with sentences below them.
//!
//! Shops and directories put a text about their things below the list of them, with more words than the list has, and with dozens of
//! links. Each link with the words after it looks like a record. What tells it from one is that it begins in the middle of a line, right after
//! the words of a sentence. Style sheets are not read, so a line is what is in one block, without a line break between.
//!
//! Questions with answers, what customers say, and the sections of an article, are records of a kind, but on a page with a list of things they are not
//! what is meant: they are sentences without data, and have no page of their own. Paragraphs alone are no list.

use super::sight::{Leaf, Sight};
use super::{Candidate, HALF, NEARLY, SENTENCES};
use page::{Kind, NodeId, Page, vocabulary};
use std::ops::Range;

/// How many records are looked at.
const RECORDS: usize = 30;
/// The share of the records that must begin inside of a sentence, since the first one may begin a paragraph; and that of the text that is sentences.
const MOST: f64 = 0.6;
/// A sentence has less than this share of its text in links; a line of links with separators has more.
const LINKED: f64 = 0.5;
/// The part of its text that an article may have in links.
const LINKED_WORDS: f64 = 0.25;
/// The share of its text that an answer may have in links, which lead to more about it.
const MENTIONS: f64 = 0.1;
/// The share of the records that have pages of their own in a list of things.
const OWN: f64 = 0.5;
/// The kinds of leaves that a heading with its answer has at most.
const KINDS: f64 = 3.0;

/// How many elements around a text are looked at.
const DEEP: usize = 64;

/// Do most records begin in the middle of a sentence?
pub(super) fn reads_on(sight: &Sight<'_>, candidate: &Candidate) -> bool {
    let looked = &candidate.records[..candidate.records.len().min(RECORDS)];
    let begins_inside = |at: usize| at > 0 && is_one_line(sight, &sight.leaves[at - 1], &sight.leaves[at]);
    let leaves = looked.iter().map(|record| &candidate.items.leaves[record.start]);
    let inside = leaves.filter(|leaves| !leaves.is_empty() && begins_inside(leaves.start));
    inside.count() as f64 >= MOST * looked.len() as f64
}

/// Is a leaf right after the words of a sentence?
fn is_one_line(sight: &Sight<'_>, before: &Leaf, leaf: &Leaf) -> bool {
    let page = sight.page;
    if before.link().is_some() || page.kind(before.node) != Kind::Text || page.kind(leaf.node) != Kind::Text {
        return false;
    }
    let (words, next) = (page.string_value(before.node), page.string_value(leaf.node));
    let goes_on = words.ends_with(char::is_whitespace) || next.starts_with(char::is_whitespace);
    let is_sentence = words
        .trim_end()
        .ends_with(|c: char| c.is_alphabetic() || matches!(c, ',' | '.' | ';' | '('));
    if !goes_on || !is_sentence {
        return false;
    }
    let block = block(page, leaf.node);
    let mut between = (before.node.0 + 1..leaf.node.0).map(NodeId);
    if block != self::block(page, before.node)
        || page.name(block) == "pre"
        || between.any(|node| page.name(node) == "br")
    {
        return false;
    }
    let all = sight.range(block);
    sight.text(&all) >= SENTENCES && sight.in_links(&all) < LINKED * sight.text(&all)
}

/// The nearest element around a node that begins a line of its own.
fn block(page: &Page, node: NodeId) -> NodeId {
    let mut around = page.ancestors(node).take(DEEP);
    around
        .find(|up| !vocabulary::is_phrasing(page.name(*up)))
        .unwrap_or(NodeId::DOCUMENT)
}

/// Are the records the paragraphs of an article: one text each, of the length of sentences, with hardly a link and, in most of them, no data? Short lines may be among them: a price, a caption.
pub(super) fn are_paragraphs(sight: &Sight<'_>, candidate: &Candidate) -> bool {
    let leaves = || candidate.looked().iter().map(|record| candidate.leaves(record));
    let text: f64 = leaves().map(|leaves| sight.text(&leaves)).sum();
    let in_links: f64 = leaves().map(|leaves| sight.in_links(&leaves)).sum();
    let is_sentence = |leaves: &Range<usize>| sight.leaves[leaves.clone()].iter().any(Leaf::is_long);
    let (mut read, mut count) = (0.0, 0.0);
    for leaves in leaves().filter(is_sentence) {
        read += sight.text(&leaves);
        count += 1.0;
    }
    candidate.verdict.rich < 1.5
        && count >= HALF * candidate.looked().len() as f64
        && read >= SENTENCES * count
        && read >= NEARLY * text
        && in_links <= LINKED_WORDS * text
        && super::seen::data(sight, candidate) < HALF
}

/// Are the records mostly sentences, and either without a page of their own or nothing but headings with sentences below them?
pub(super) fn are_read(sight: &Sight<'_>, candidate: &Candidate) -> bool {
    let (mut text, mut in_links, mut sentences, mut are_texts) = (0.0, 0.0, 0.0, true);
    for record in candidate.looked() {
        let leaves = candidate.leaves(record);
        are_texts &= sight.leaves[leaves.clone()].iter().all(Leaf::is_text);
        let is_sentence = |at: &usize| sight.leaves[*at].is_long() && sight.leaves[*at].link().is_none();
        sentences += leaves
            .clone()
            .filter(is_sentence)
            .map(|at| sight.text(&(at..at + 1)))
            .sum::<f64>();
        text += sight.text(&leaves);
        in_links += sight.in_links(&leaves);
    }
    let are_headed = || candidate.verdict.rich <= KINDS && are_texts && in_links <= MENTIONS * text;
    sentences >= MOST * text && (super::seen::links(sight, candidate).own < OWN || are_headed())
}

#[cfg(test)]
mod tests {
    use page::{Job, Page};

    fn first(html: &str) -> String {
        let page = Page::parse_str(html, &Default::default()).unwrap();
        let lists = crate::regions::find(&page, &Job::new());
        lists
            .first()
            .map_or("none".to_owned(), |list| list.rule.each[0].clone())
    }

    const TEXT: &str = "<p>Whether you look for <a href=/a>a small desk</a> for your room, <a href=/b>a chair</a> with arms or \
        <a href=/c>a lamp</a> that is bright enough, you find it here, also <a href=/d>shelves</a> and the \
        <a href=/e>cupboards</a> that your grandmother had in her kitchen, with <a href=/f>doors</a> of glass.</p>";

    #[test]
    fn links_in_sentences_are_no_list() {
        assert_eq!(first(TEXT), "none");
        let tiles = "<ul><li><a href=/1><img src=1> Beds</a><li><a href=/2><img src=2> Sofas</a><li><a href=/3><img src=3> Tables</a></ul>";
        assert_eq!(first(&format!("{tiles}{TEXT}")), "//ul/li");
    }

    #[test]
    fn lines_with_links_are_a_list() {
        let line =
            |name: &str| format!("<a href=/{name}>{name}</a> by somebody who has written about it for a long time<br>");
        let lines: String = ["Kelp", "Moss", "Fern", "Alga"].map(line).concat();
        assert_ne!(first(&format!("<div>{lines}</div>")), "none");
    }

    #[test]
    fn answers_lose_to_things() {
        let answer = "Most of our things leave the house on the same day, and you have them two or three days later, in all parts of the country but the islands.";
        let answers: String = ["What is it?", "How long?", "How much?"]
            .map(|q| format!("<div><h3>{q}</h3><p>{answer}</p></div>"))
            .concat();
        let things: String = ["Kelp", "Moss", "Fern", "Alga"]
            .map(|name| {
                format!(
                    "<li><a href=/{name}><img src={name}> The {name} that you know from the shore</a> ready to use</li>"
                )
            })
            .concat();
        assert_eq!(
            first(&format!("<ul>{things}</ul><section>{answers}</section>")),
            "//ul/li"
        );
        assert_ne!(first(&format!("<section>{answers}</section>")), "none");
    }
}
