//! Finds the places of a value on a page.
//!
//! People write values down as the page shows them. Such a value is the text of an element, one of several texts in an
//! element, a part of a text, or the value of an attribute. One index of the page finds all these places. It maps
//! texts, with each run of white space replaced by one space, to nodes.
//!
//! A value that is a part of a text is looked for in all texts. After some such values, the texts are indexed by the four bytes at
//! each place in them, so that the time for all values of a long list does not grow with the square of its records. This index is large, so
//! very long pages have one of words instead: there, a part of a text is found if it has a whole word of it, among the first texts
//! with that word.

use crate::rule::paths::value;
use page::{Kind, NodeId, Page, vocabulary};
use std::collections::HashMap;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// Longer texts are not considered as values.
const LONGEST: usize = 20_000;
/// The most places of one value that are considered.
const MOST: usize = 60;
/// A place of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spot {
    /// An element, a text or an attribute.
    pub node: NodeId,
    /// The text of the node before the value.
    pub before: String,
    /// The text of the node after the value.
    pub behind: String,
}

impl Spot {
    /// Is the value the whole text of the node?
    pub fn is_whole(&self) -> bool {
        self.before.is_empty() && self.behind.is_empty()
    }
}

/// The texts of a page, indexed by their content.
pub struct Places {
    exact: HashMap<String, Vec<NodeId>>,
    /// Texts that a reader sees, for values that are parts of a text.
    texts: Vec<(NodeId, String)>,
    /// How many values were looked for in all texts.
    scans: AtomicUsize,
    /// For three bytes, the texts that have them.
    grams: OnceLock<HashMap<[u8; GRAM], Vec<u32>>>,
    /// For a word, by its hash, the first texts that have it; for pages whose texts are too long for the other index.
    words: OnceLock<HashMap<u64, Vec<u32>>>,
    /// For shorter values that were looked for, the first texts that have them: there are not many of these values, but rows of a
    /// long list may all have one of them.
    short: Mutex<HashMap<String, Arc<[u32]>>>,
}

/// The number of bytes that texts are indexed by.
const GRAM: usize = 3;
/// Values that are looked for in all texts before these are indexed, which takes as long as some dozens of them.
const SCANS: usize = 50;
/// Texts of more bytes are indexed by their words: the other index takes about ten times their memory.
const INDEXED: usize = 1 << 23;
/// The most texts of a word in that index. More than [`MOST`], because a text with the word need not have the rest of the value.
const OF_WORD: usize = 1000;

/// The most texts of elements that a character of the page may be in, on average. Pages of people have 3 to 10.
const NESTED: usize = 32;

/// The longest text of an element that should be looked at on this page: at most `most` bytes.
///
/// The text of an element is also part of the texts of the elements around it. Where thousands of elements are nested, the
/// texts of all of them together would be thousands of times as long as the page, so only shorter ones are looked at.
///
/// ```
/// use page::Page;
/// use wrapper::profile::longest_text;
/// let page = |html: &str| Page::parse_str(html, &Default::default());
/// assert_eq!(longest_text(&page("<p>Price: <b>12.50</b>")?, 1000), 1000);
/// assert!(longest_text(&page(&"<div>text".repeat(2000))?, 10_000) < 10_000);
/// # Ok::<(), page::LimitError>(())
/// ```
pub fn longest_text(page: &Page, most: usize) -> usize {
    let lengths: Vec<usize> = vocabulary::seen_elements(page)
        .map(|element| page.text_range(element).len())
        .filter(|length| *length <= most)
        .collect();
    let room = page.text().len() * NESTED + (1 << 16);
    let mut longest = most;
    while longest > 1 && lengths.iter().filter(|length| **length <= longest).sum::<usize>() > room {
        longest /= 2;
    }
    longest
}

impl Places {
    /// Indexes the texts of a page.
    pub fn new(page: &Page) -> Places {
        let mut exact: HashMap<String, Vec<NodeId>> = HashMap::new();
        let mut texts = Vec::new();
        let longest = longest_text(page, LONGEST);
        for element in vocabulary::seen_elements(page) {
            for name in vocabulary::DATA {
                let attribute = page.name_id(name).and_then(|name| page.attribute(element, name));
                if let Some(attribute) = attribute.filter(|at| page.string_value(*at).len() <= LONGEST) {
                    exact.entry(value(page, attribute)).or_default().push(attribute);
                }
            }
            let range = page.text_range(element);
            // The text of all of the page, or of a large part, is no value; a text in it may be one.
            let is_value = range.len() <= longest && !vocabulary::is_shell(page.name(element));
            let own = if is_value { value(page, element) } else { String::new() };
            let mut mixed = 0;
            for child in page.children(element).filter(|child| page.kind(*child) == Kind::Text) {
                let text = match page.text_range(child).len() <= longest {
                    true => value(page, child),
                    false => continue,
                };
                if text.is_empty() {
                    continue;
                }
                mixed += 1;
                // If an element has only one text, the text of the element stands for it.
                if text != own {
                    exact.entry(text.clone()).or_default().push(child);
                    texts.push((child, text));
                }
            }
            if own.is_empty() {
                continue;
            }
            // If nested elements have the same text, the innermost one is enough.
            let only = page
                .children(element)
                .filter(|child| page.is_element(*child))
                .any(|child| {
                    let inner = page.text_range(child);
                    // White space aside, the texts are the same if the element has nothing around that of the child.
                    !inner.is_empty()
                        && !vocabulary::is_unseen(page.name(child))
                        && page.text()[range.start..inner.start].trim().is_empty()
                        && page.text()[inner.end..range.end].trim().is_empty()
                });
            if !only {
                if mixed > 0 {
                    texts.push((element, own.clone()));
                }
                exact.entry(own).or_default().push(element);
            }
        }
        Places {
            exact,
            texts,
            scans: AtomicUsize::new(0),
            grams: OnceLock::new(),
            words: OnceLock::new(),
            short: Mutex::default(),
        }
    }

    /// The places of a value: the nodes whose whole text it is, or else the texts that contain it.
    pub fn of(&self, wanted: &str) -> Vec<Spot> {
        let wanted: String = wanted.split_whitespace().collect::<Vec<_>>().join(" ");
        if wanted.is_empty() {
            return Vec::new();
        }
        if let Some(nodes) = self.exact.get(&wanted) {
            let whole = |node: &NodeId| Spot {
                node: *node,
                before: String::new(),
                behind: String::new(),
            };
            return nodes.iter().take(MOST).map(whole).collect();
        }
        self.parts(&wanted)
    }

    /// The nodes whose whole text a value is, in the order of the page, also if there are very many: most rows of a long table may say the same.
    pub fn everywhere(&self, wanted: &str) -> &[NodeId] {
        let wanted: String = wanted.split_whitespace().collect::<Vec<_>>().join(" ");
        self.exact.get(&wanted).map_or(&[], Vec::as_slice)
    }

    /// The texts that contain a value, also where it is the whole text of a node elsewhere.
    pub fn parts(&self, wanted: &str) -> Vec<Spot> {
        let wanted: String = wanted.split_whitespace().collect::<Vec<_>>().join(" ");
        if wanted.is_empty() {
            return Vec::new();
        }
        let mut spots = Vec::new();
        let short = (wanted.len() < GRAM).then(|| self.texts_with_short(&wanted));
        let few = short.as_deref().or_else(|| self.texts_with(&wanted));
        let count = few.map_or(self.texts.len(), <[u32]>::len);
        for number in 0..count {
            let (node, text) = &self.texts[few.map_or(number, |few| few[number] as usize)];
            let Some(at) = text.find(&wanted) else { continue };
            // The smallest text is the one that is meant; an element's own text is among them too.
            spots.push(Spot {
                node: *node,
                before: text[..at].to_owned(),
                behind: text[at + wanted.len()..].to_owned(),
            });
            if spots.len() == MOST {
                break;
            }
        }
        spots.sort_by_key(|spot| spot.before.len() + spot.behind.len());
        spots
    }

    /// The numbers of the first texts that contain a short value, in order.
    fn texts_with_short(&self, wanted: &str) -> Arc<[u32]> {
        let mut short = self.short.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = short.get(wanted) {
            return Arc::clone(known);
        }
        let numbers = (0..).zip(&self.texts).filter(|(_, (_, text))| text.contains(wanted));
        let found: Arc<[u32]> = numbers.map(|(number, _)| number).take(MOST).collect();
        short.insert(wanted.to_owned(), Arc::clone(&found));
        found
    }

    /// The numbers of the texts that may contain a value, in order; `None` if all may.
    fn texts_with(&self, wanted: &str) -> Option<&[u32]> {
        if self.scans.fetch_add(1, Ordering::Relaxed) < SCANS {
            return None;
        }
        let grams = self.grams.get_or_init(|| {
            let mut grams: HashMap<[u8; GRAM], Vec<u32>> = HashMap::new();
            let length: usize = self.texts.iter().map(|(_, text)| text.len()).sum();
            let texts = if length <= INDEXED { &self.texts[..] } else { &[] };
            for (number, (_, text)) in (0..).zip(texts) {
                for gram in grams_of(text) {
                    let numbers = grams.entry(gram).or_default();
                    if numbers.last() != Some(&number) {
                        numbers.push(number);
                    }
                }
            }
            grams
        });
        if grams.is_empty() {
            return Some(self.texts_with_word(wanted));
        }
        let numbers = |gram: [u8; GRAM]| grams.get(&gram).map_or(&[][..], Vec::as_slice);
        grams_of(wanted).map(numbers).min_by_key(|numbers| numbers.len())
    }

    /// The numbers of the first texts with the rarest word of a value.
    fn texts_with_word(&self, wanted: &str) -> &[u32] {
        let words = self.words.get_or_init(|| {
            let mut words: HashMap<u64, Vec<u32>> = HashMap::new();
            for (number, (_, text)) in (0..).zip(&self.texts) {
                for word in words_of(text) {
                    let numbers = words.entry(word).or_default();
                    if numbers.last() != Some(&number) && numbers.len() < OF_WORD {
                        numbers.push(number);
                    }
                }
            }
            words
        });
        let numbers = |word: u64| words.get(&word).map_or(&[][..], Vec::as_slice);
        words_of(wanted)
            .map(numbers)
            .min_by_key(|numbers| numbers.len())
            .unwrap_or_default()
    }
}

/// The words of a text, as hashes.
fn words_of(text: &str) -> impl Iterator<Item = u64> + '_ {
    let words = text
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty());
    words.map(|word| {
        let mut hasher = DefaultHasher::new();
        word.hash(&mut hasher);
        hasher.finish()
    })
}

/// The three bytes at each place of a text.
fn grams_of(text: &str) -> impl Iterator<Item = [u8; GRAM]> + '_ {
    text.as_bytes().windows(GRAM).filter_map(|gram| gram.try_into().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(html: &str, wanted: &str) -> Vec<String> {
        let page = Page::parse(html.as_bytes(), &page::ParseSettings::default()).expect("a page");
        let spots = Places::new(&page).of(wanted);
        spots
            .iter()
            .map(|spot| {
                let around = if spot.is_whole() {
                    String::new()
                } else {
                    format!(" {:?} {:?}", spot.before, spot.behind)
                };
                match page.kind(spot.node) {
                    Kind::Text => format!("text{around}"),
                    _ => format!("{}{around}", page.name(spot.node)),
                }
            })
            .collect()
    }

    #[test]
    fn values_are_found_where_a_reader_sees_them() {
        assert_eq!(places("<td><a> One\n two </a></td>", "One two"), ["a"]);
        assert_eq!(places("<p><b>By:</b> Ann</p>", "Ann"), ["text"]);
        assert_eq!(places("<p>By: Ann (72)</p>", "Ann"), ["p \"By: \" \" (72)\""]);
        assert_eq!(places("<a href='/x y'>z</a>", "/x y"), ["href"]);
        assert_eq!(places("<script>Ann</script><i>Bob</i>", "Ann"), Vec::<String>::new());
        assert_eq!(places("<p>x</p>", ""), Vec::<String>::new());
    }

    #[test]
    fn very_long_pages_are_searched_by_words() {
        let words = "and so on ".repeat(300);
        let rows: String = (0..3000).map(|n| format!("<p>No {n}, {words}</p>")).collect();
        let page = Page::parse(rows.as_bytes(), &page::ParseSettings::default()).expect("a page");
        let places = Places::new(&page);
        for n in 2900..3000 {
            let spots = places.of(&format!("No {n}"));
            let [spot] = &spots[..] else { panic!("{spots:?}") };
            assert!(spot.behind.starts_with(", and so on"));
        }
        assert!(places.words.get().is_some());
        assert_eq!(places.of("and so").len(), MOST);
        assert_eq!(places.of("none such").len(), 0);
    }

    #[test]
    fn the_index_finds_what_a_search_of_all_texts_finds() {
        let rows: String = (0..300)
            .map(|n| format!("<p>No {} für Ann{n}, €{}</p>", 7 * n, n % 50))
            .collect();
        let page = Page::parse(rows.as_bytes(), &page::ParseSettings::default()).expect("a page");
        let wanted: Vec<String> = (0..300).map(|n| format!("{} für Ann{n}", 7 * n)).collect();
        let others = ["für", "€4", "€49", "nn2", "no such", "No 14 f", "x"].map(str::to_owned);
        let indexed = Places::new(&page);
        let mut found = 0;
        for wanted in wanted.iter().chain(&others) {
            // Places that have looked for one value only have no index.
            let expected = Places::new(&page).of(wanted);
            found += usize::from(indexed.of(wanted) == expected && !expected.is_empty());
            assert_eq!(indexed.of(wanted), expected, "{wanted}");
        }
        assert!(indexed.grams.get().is_some() && found == 305, "{found}");
    }
}
