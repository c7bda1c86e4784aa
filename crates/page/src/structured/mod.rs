//! Structured data: what a page says to programs, as a flat list of facts.
//!
//! Many pages say twice what they show: once to readers, and once to search engines, social networks or their own scripts. The
//! second form has names (`offers.price`), so it tells what the first one means, and it often has more.
//!
//! **In**: a page. **Out**: a [`Fact`] for each value: where it was written ([`Source`]), its path of names, its text, and the node
//! that it was read from. Lists have no names, so the values of a list have one path, in the order of the page. Types are facts,
//! too, with the name `@type`.
//!
//! | source | written as |
//! |---|---|
//! | [`Source::JsonLd`] | `<script type="application/ld+json">` |
//! | [`Source::Microdata`] | `itemscope`, `itemprop`, `itemtype`, `itemref` |
//! | [`Source::Rdfa`] | `typeof`, `property`, `vocab` (RDFa Lite, with `content`, `resource`, `href`, `src`, `datetime`) |
//! | [`Source::Meta`] | `<meta property="og:…">` (Open Graph and its relatives), `<meta name=…>` |
//! | [`Source::State`] | `<script type="application/json">`, such as Next.js's `__NEXT_DATA__` |
//!
//! Prefixes and addresses of vocabularies are removed from names (`schema:name` and `http://schema.org/name` are `name`), except
//! in `meta`, where `og:title` is what everybody calls it. Addresses are as the page writes them: nothing is resolved.
//!
//! **Cost**: one pass over the elements, and one over each script. A page gives at most [`MOST_FACTS`] facts with [`MOST_BYTES`] bytes
//! of text, and scripts of at most [`MOST_SCRIPT`] bytes are read; [`Structured::cut`] says that there was more.
//!
//! Known limits: JSON that is assigned to a variable in a script is not read, only scripts that are JSON as a whole. A script that
//! is not JSON, also after comments, CDATA marks and raw control characters are removed, gives nothing. JSON-LD contexts are not
//! fetched, so names that a context renames stay as they are written. `rel`, `rev`, `about` and `inlist` of full RDFa are not read.

mod json;
mod markup;

use crate::{NodeId, Page};
use std::collections::BTreeMap;

/// The most facts of a page.
pub const MOST_FACTS: usize = 20_000;
/// The most bytes of names and values of a page.
pub const MOST_BYTES: usize = 8 << 20;
/// Longer scripts are not read.
pub const MOST_SCRIPT: usize = 16 << 20;

/// How a fact is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Source {
    /// A script of JSON-LD.
    JsonLd,
    /// Attributes of microdata.
    Microdata,
    /// Attributes of RDFa.
    Rdfa,
    /// A `meta` element.
    Meta,
    /// The state of a script, as JSON.
    State,
}

impl Source {
    /// All sources, in the order in which they are trusted.
    pub const ALL: [Source; 5] = [
        Source::JsonLd,
        Source::Microdata,
        Source::Rdfa,
        Source::Meta,
        Source::State,
    ];

    /// The source in a word.
    pub fn name(self) -> &'static str {
        match self {
            Source::JsonLd => "json-ld",
            Source::Microdata => "microdata",
            Source::Rdfa => "rdfa",
            Source::Meta => "meta",
            Source::State => "state",
        }
    }

    /// The source with this name.
    pub fn find(name: &str) -> Option<Source> {
        Source::ALL.into_iter().find(|source| source.name() == name)
    }
}

/// One value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact {
    /// How it is written.
    pub source: Source,
    /// The number of the thing that it is about, within its source: an outermost item, or a thing of a script.
    pub item: u32,
    /// Its names from the outermost to its own, with dots between them: `offers.price`.
    pub path: String,
    /// The value. White space of microdata and RDFa is joined, JSON is as it is.
    pub value: String,
    /// The script, or the element.
    pub node: NodeId,
}

/// The structured data of a page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Structured {
    /// The facts, those of a source together.
    pub facts: Vec<Fact>,
    /// Was there more than the limits allow?
    pub cut: bool,
    bytes: usize,
    /// The types of things, by their sources and numbers.
    kinds: BTreeMap<(Source, u32), String>,
}

impl Structured {
    /// Reads the structured data of a page.
    ///
    /// ```
    /// use page::structured::{Source, Structured};
    /// let html = r#"<script type="application/ld+json">{"@type": "Book", "name": "Kelp", "offers": {"price": 12.5}}</script>"#;
    /// let page = page::Page::parse_str(html, &Default::default())?;
    /// let facts = Structured::of(&page).facts;
    /// let said: Vec<(&str, &str)> = facts.iter().map(|fact| (fact.path.as_str(), fact.value.as_str())).collect();
    /// assert_eq!(said, [("@type", "Book"), ("name", "Kelp"), ("offers.price", "12.5")]);
    /// assert!(facts.iter().all(|fact| fact.source == Source::JsonLd));
    /// # Ok::<(), page::LimitError>(())
    /// ```
    pub fn of(page: &Page) -> Structured {
        let mut all = Structured::default();
        json::read(page, Source::JsonLd, &mut all);
        markup::microdata(page, &mut all);
        markup::rdfa(page, &mut all);
        markup::metas(page, &mut all);
        json::read(page, Source::State, &mut all);
        all
    }

    /// The values at a path, in the order of the page; of the first source that has any. With a kind, only those of things of that
    /// type.
    pub fn values<'s>(&'s self, kind: Option<&'s str>, path: &'s str) -> impl Iterator<Item = &'s str> + 's {
        let has = |source: &Source| self.of_kind(*source, kind, path).next().is_some();
        let source = Source::ALL.into_iter().find(has);
        let facts = source
            .into_iter()
            .flat_map(move |source| self.of_kind(source, kind, path));
        facts.map(|fact| fact.value.as_str())
    }

    /// The facts of a source at a path. With a kind, only those of things of that type: a page often describes its site, the way to
    /// the page and the thing that it is about, and all of them have a `name`.
    pub fn of_kind<'s>(
        &'s self,
        source: Source,
        kind: Option<&'s str>,
        path: &'s str,
    ) -> impl Iterator<Item = &'s Fact> + 's {
        let mine = self.facts.iter().filter(move |fact| fact.source == source);
        let is_kind = move |fact: &&Fact| kind.is_none_or(|kind| self.kind(fact) == Some(kind));
        mine.filter(move |fact| fact.path == path).filter(is_kind)
    }

    /// The type of the thing that a fact is about: the first one, if there are several.
    pub fn kind(&self, fact: &Fact) -> Option<&str> {
        self.kinds.get(&(fact.source, fact.item)).map(String::as_str)
    }

    /// All facts, a line each: the source, the type of the thing or `-`, the path, and the value with white space joined.
    pub fn to_text(&self) -> String {
        let mut out = String::new();
        for fact in &self.facts {
            let words: Vec<&str> = fact.value.split_whitespace().collect();
            let kind = self.kind(fact).unwrap_or("-");
            out += &format!("{} {kind} {} = {}\n", fact.source.name(), fact.path, words.join(" "));
        }
        out
    }

    /// Adds a fact; false if there is no room.
    fn add(&mut self, fact: Fact) -> bool {
        let bytes = fact.path.len() + fact.value.len();
        if self.facts.len() >= MOST_FACTS || self.bytes + bytes > MOST_BYTES {
            self.cut = true;
            return false;
        }
        self.bytes += bytes;
        if !fact.value.is_empty() {
            if fact.path == "@type" {
                let kind = self.kinds.entry((fact.source, fact.item));
                kind.or_insert_with(|| fact.value.clone());
            }
            self.facts.push(fact);
        }
        true
    }
}

/// The values at a path of names in a text that is JSON, such as the content of a script; lists have no names.
///
/// ```
/// use page::structured::json_values;
/// let text = r#"{"name": "Kelp", "offers": [{"price": 12.5}, {"price": 9}]}"#;
/// assert_eq!(json_values(text, "offers.price"), ["12.5", "9"]);
/// assert!(json_values(text, "offers").is_empty() && json_values("Kelp", "name").is_empty());
/// ```
pub fn json_values(text: &str, path: &str) -> Vec<String> {
    json::values(text, path)
}

/// A name without its vocabulary: what is after the last `/`, `#` or `:`.
fn local(name: &str) -> &str {
    let name = name.trim().trim_end_matches(['/', '#']);
    name.rsplit(['/', '#', ':']).next().unwrap_or(name)
}

/// A path with one more name.
fn joined(path: &str, name: &str) -> String {
    match path.is_empty() {
        true => name.to_owned(),
        false => format!("{path}.{name}"),
    }
}

#[cfg(test)]
mod tests;
