//! The pages of a site as symbols: tags, attributes and texts are numbers that have the same meaning on all pages.

use super::LandmarkSettings;
use page::{Kind, NodeId, Page};
use std::collections::HashMap;
use wrapper::rule::landmark::{Grain, Piece, Tokens, What, clean};

/// A symbol for a string or a pair of them.
pub(crate) type Sym = u32;

/// The tag symbol of text nodes.
pub(crate) const TEXT: Sym = 0;
/// The text symbol of nodes without text.
pub(crate) const NO_TEXT: Sym = u32::MAX;

/// One page.
pub(crate) struct Doc<'p> {
    pub(crate) page: &'p Page,
    pub(crate) tokens: Tokens,
    /// The tag of each token.
    pub(crate) tags: Vec<Sym>,
    /// Where the attribute symbols of each token end.
    ends: Vec<u32>,
    attributes: Vec<Sym>,
    /// The text symbol of each token.
    pub(crate) texts: Vec<Sym>,
}

impl Doc<'_> {
    /// The attribute symbols of a token.
    pub(crate) fn attributes(&self, place: u32) -> &[Sym] {
        let from = if place == 0 { 0 } else { self.ends[place as usize - 1] };
        &self.attributes[from as usize..self.ends[place as usize] as usize]
    }
}

impl<'p> Doc<'p> {
    /// The same page with some elements taken out of where they stand and put after all others, and where each of them begins.
    pub(crate) fn apart(&self, elements: &[NodeId]) -> (Doc<'p>, Vec<u32>) {
        let (tokens, starts) = self.tokens.apart(elements);
        let mut doc = Doc {
            page: self.page,
            tags: Vec::with_capacity(self.tags.len()),
            ends: Vec::with_capacity(self.ends.len()),
            attributes: Vec::with_capacity(self.attributes.len()),
            texts: Vec::with_capacity(self.texts.len()),
            tokens,
        };
        let places = (0u32..).zip(&self.tokens.tokens);
        let is_start = |at: u32, mate: u32| mate > at;
        let old: HashMap<(NodeId, bool), u32> = places
            .map(|(at, token)| ((token.node, is_start(at, token.mate)), at))
            .collect();
        for (at, token) in (0u32..).zip(&doc.tokens.tokens) {
            let old = old[&(token.node, is_start(at, token.mate))];
            doc.tags.push(self.tags[old as usize]);
            doc.texts.push(self.texts[old as usize]);
            doc.attributes.extend(self.attributes(old));
            doc.ends.push(doc.attributes.len() as u32);
        }
        (doc, starts)
    }
}

/// The pages of a site.
pub(crate) struct Site<'p> {
    pub(crate) docs: Vec<Doc<'p>>,
    /// The names of tags.
    pub(crate) tags: Vec<String>,
    /// The names and values of attributes.
    pub(crate) attributes: Vec<(String, Option<String>)>,
    /// The texts.
    pub(crate) texts: Vec<String>,
    /// The number of pages that contain each text.
    pub(crate) spread: Vec<u32>,
    /// The number of pages that contain each attribute with a value.
    pub(crate) attribute_spread: Vec<u32>,
    /// Which tags occur in running text.
    pub(crate) phrasing: Vec<bool>,
}

/// A stretch of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Region {
    pub(crate) doc: u32,
    pub(crate) from: u32,
    pub(crate) to: u32,
}

/// A longer value does not identify a role.
const LONGEST: usize = 64;

impl<'p> Site<'p> {
    pub(crate) fn new(pages: &[&'p Page], grain: Grain, settings: &LandmarkSettings) -> Site<'p> {
        let mut site = Site {
            docs: Vec::new(),
            tags: vec!["#text".to_owned()],
            attributes: Vec::new(),
            texts: Vec::new(),
            spread: Vec::new(),
            attribute_spread: Vec::new(),
            phrasing: Vec::new(),
        };
        let mut tags: HashMap<String, Sym> = HashMap::new();
        let mut attributes: HashMap<(String, Option<String>), Sym> = HashMap::new();
        let mut texts: HashMap<String, Sym> = HashMap::new();
        for page in pages {
            let mut names: HashMap<page::NameId, Sym> = HashMap::new();
            let tokens = Tokens::new(page, grain);
            let count = tokens.tokens.len();
            let mut doc = Doc {
                page,
                tokens,
                tags: Vec::with_capacity(count),
                ends: Vec::with_capacity(count),
                attributes: Vec::new(),
                texts: Vec::with_capacity(count),
            };
            for token in &doc.tokens.tokens {
                let mut tag = TEXT;
                let mut text = NO_TEXT;
                match token.piece {
                    Piece::Start | Piece::End => {
                        if let Some(name) = page.name_of(token.node) {
                            tag = *names.entry(name).or_insert_with(|| {
                                let name = page.name_text(name).to_owned();
                                intern(&mut tags, &mut site.tags, name, 1)
                            });
                        }
                        if token.piece == Piece::Start && settings.lattice {
                            each_attribute(page, token.node, settings, |name, value| {
                                let pair = (name.to_owned(), value.map(str::to_owned));
                                doc.attributes
                                    .push(intern(&mut attributes, &mut site.attributes, pair, 0));
                            });
                        }
                    }
                    Piece::Text => {
                        let said = clean(page.string_value(token.node));
                        text = match texts.get(&*said) {
                            Some(sym) => *sym,
                            None => intern(&mut texts, &mut site.texts, said.into_owned(), 0),
                        };
                    }
                    Piece::Word => {
                        let said = token.word(page);
                        text = match texts.get(said) {
                            Some(sym) => *sym,
                            None => intern(&mut texts, &mut site.texts, said.to_owned(), 0),
                        };
                    }
                }
                doc.tags.push(tag);
                doc.texts.push(text);
                doc.ends.push(doc.attributes.len() as u32);
            }
            site.docs.push(doc);
        }
        site.phrasing = site
            .tags
            .iter()
            .map(|tag| tag == "#text" || page::vocabulary::is_phrasing(tag))
            .collect();
        site.attribute_spread = vec![0; site.attributes.len()];
        let mut seen = vec![u32::MAX; site.attributes.len()];
        for (number, doc) in (0u32..).zip(&site.docs) {
            for &attribute in &doc.attributes {
                if seen[attribute as usize] != number && site.attributes[attribute as usize].1.is_some() {
                    seen[attribute as usize] = number;
                    site.attribute_spread[attribute as usize] += 1;
                }
            }
        }
        site.spread = vec![0; site.texts.len()];
        let mut seen = vec![u32::MAX; site.texts.len()];
        for (number, doc) in (0u32..).zip(&site.docs) {
            for &text in doc.texts.iter().filter(|text| **text != NO_TEXT) {
                if seen[text as usize] != number {
                    seen[text as usize] = number;
                    site.spread[text as usize] += 1;
                }
            }
        }
        site
    }

    /// The kind of node that a tag symbol means.
    pub(crate) fn what(&self, tag: Sym) -> What {
        if tag == TEXT {
            What::Text
        } else {
            What::Element(self.tags[tag as usize].clone())
        }
    }

    /// The regions of whole pages.
    pub(crate) fn whole(&self) -> Vec<Region> {
        (0u32..)
            .zip(&self.docs)
            .map(|(doc, d)| Region {
                doc,
                from: 0,
                to: d.tokens.len(),
            })
            .collect()
    }
}

fn intern<K: std::hash::Hash + Eq + Clone>(map: &mut HashMap<K, Sym>, list: &mut Vec<K>, key: K, first: usize) -> Sym {
    debug_assert!(list.len() >= first);
    *map.entry(key).or_insert_with_key(|key| {
        list.push(key.clone());
        list.len() as Sym - 1
    })
}

/// The attributes of an element that identify its role: each name, and each value that may do so; of `class` each
/// class.
fn each_attribute(page: &Page, node: NodeId, settings: &LandmarkSettings, mut take: impl FnMut(&str, Option<&str>)) {
    for id in page.attributes(node) {
        let attribute = NodeId(id);
        debug_assert_eq!(page.kind(attribute), Kind::Attribute);
        let Some(name) = page.name_of(attribute).map(|name| page.name_text(name)) else {
            continue;
        };
        take(name, None);
        if !settings.telling(name) {
            continue;
        }
        let value = page.string_value(attribute).trim();
        if name == "class" {
            value
                .split_ascii_whitespace()
                .filter(|class| class.len() <= LONGEST)
                .for_each(|class| take(name, Some(class)));
        } else if !value.is_empty() && value.len() <= LONGEST {
            take(name, Some(value));
        }
    }
}
