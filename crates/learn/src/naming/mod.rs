//! Names of fields that were found without labels from a user.
//!
//! **In**: the pages, and for each field some places of its values, the label that the pages show beside them, and the record
//! that it belongs to. **Out**: a name for each field, with no two equal ones in a record.
//!
//! The first of these that gives a name decides:
//!
//! 1. **The main name** of a record is `title`, or `name` if the page itself calls it so: the field that the title of the page, its
//!    headings and its structured data agree on ([`page::titles`]); in the items of a list, the heading or the link.
//! 2. **The label** before the values, or the heading of their column, if it reads like one: a few words and no sentence
//!    ([`label_name`]).
//! 3. **Structured data**: the `itemprop` around the values, or the name of a fact with the same value on most pages
//!    (`keys`).
//! 4. **What it is**: an image, a link, a price, a date, a phone number, by the kinds of the values and by the element. A class that
//!    says the same and more (`old-price`) is better and is taken instead.
//! 5. **A class or id that tells** something (`classes`): no layout, nothing generated.
//! 6. A long text is a `description`; everything else has a number.
//!
//! **Cost**: the structured data of each page once, and a look at [`PLACES`] places of each field.
//!
//! Known failures: two fields of one kind without labels are `price` and `price_2`; a class that lies is believed; generated
//! classes that look like a word (six letters with vowels) are told by their company only.

mod classes;
mod keys;

pub(crate) use classes::is_generated;
pub(crate) use keys::{forms, path_name};

use page::structured::Structured;
use page::titles::{Titles, plain};
use page::{Kind as Node, NodeId, Page, vocabulary};
use record::values::{Kind, kinds};
use std::collections::{BTreeMap, HashMap, HashSet};

/// How many places of a field are looked at.
pub(crate) const PLACES: usize = 60;
/// The share of pages on which the main name must be what the page calls itself.
const MAIN: f64 = 0.4;
/// How much a field that has another one in it must be what the page calls itself to be the whole name. The whole title of a page, which has
/// the name of the site in it, has less.
const WHOLE: f64 = 0.75;
/// The share of values that decides their kind.
const MOST: f64 = 0.8;
/// Texts of this mean length, in characters, are prose.
const PROSE: usize = 160;
/// The most words of a label, and of one that is not written as a label.
const LABEL_WORDS: usize = 6;
/// The longest label, in characters.
pub(crate) const LONGEST: usize = 48;
/// The longest name, in characters.
const LONGEST_NAME: usize = 40;

/// A field without a name.
#[derive(Clone, Debug, Default)]
pub(crate) struct Unnamed {
    /// Some places of its values, by the number of the page: text nodes, attributes or elements.
    pub(crate) places: Vec<(usize, NodeId)>,
    /// The words of the pages that are its label.
    pub(crate) label: Option<String>,
    /// The record that it is in: 0 for that of the page, another number for the items of each list.
    pub(crate) record: usize,
    /// May it be the main name of its record?
    pub(crate) may_be_main: bool,
}

/// What is known of pages before their fields are named.
pub(crate) struct Naming<'p> {
    pages: &'p [&'p Page],
    titles: Vec<Titles>,
    keys: keys::Keys,
}

impl<'p> Naming<'p> {
    pub(crate) fn new(pages: &'p [&'p Page]) -> Naming<'p> {
        let data: Vec<Structured> = pages.iter().map(|page| Structured::of(page)).collect();
        Naming {
            pages,
            titles: Titles::with(pages, &data),
            keys: keys::Keys::new(&data),
        }
    }

    /// Names fields.
    pub(crate) fn names(&self, fields: &[Unnamed]) -> Vec<String> {
        let looks: Vec<Look> = fields.iter().map(|field| self.look(field)).collect();
        let mains = self.mains(fields, &looks);
        let has_main: HashSet<usize> = mains.iter().map(|at| fields[*at].record).collect();
        let mut used: HashMap<usize, Used> = HashMap::new();
        let mut names = vec![String::new(); fields.len()];
        // Main names go first, so that none of them gets a number.
        for at in &mains {
            let name = self.main_name(&fields[*at]);
            names[*at] = used.entry(fields[*at].record).or_default().fresh(name);
        }
        for (at, field) in fields.iter().enumerate() {
            if names[at].is_empty() {
                let name = self.name(field, &looks[at], has_main.contains(&field.record));
                let name = name.unwrap_or_else(|| format!("field_{}", at + 1));
                names[at] = used.entry(field.record).or_default().fresh(name);
            }
        }
        names
    }

    /// The name of a field that is no main name; it may be the name of another field.
    pub(crate) fn name_of(&self, field: &Unnamed) -> Option<String> {
        self.name(field, &self.look(field), true)
    }

    fn look(&self, field: &Unnamed) -> Look {
        let mut look = Look::default();
        let mut different: HashSet<&str> = HashSet::new();
        let mut tags: BTreeMap<&str, usize> = BTreeMap::new();
        let mut firsts: HashSet<&str> = HashSet::new();
        let mut own: HashSet<&str> = HashSet::new();
        let mut last = None;
        let places = &field.places[..field.places.len().min(PLACES)];
        for (number, node) in places {
            let page = self.pages[*number];
            let text = page.string_value(*node).trim();
            look.length += text.chars().count();
            look.letters += text.chars().filter(|c| c.is_alphabetic()).count();
            different.insert(text);
            kinds(text)
                .iter()
                .for_each(|kind| *look.kinds.entry(kind).or_default() += 1);
            *tags.entry(element_of(page, *node)).or_default() += 1;
            look.titled += self.titles[*number].share(text);
            look.unseen += usize::from(is_in_head(page, *node) || page.kind(*node) == Node::Attribute);
            look.linked += usize::from(is_linked(page, *node));
            look.chrome += usize::from(is_chrome(page, *node));
            look.rough += usize::from(!text.starts_with(char::is_alphanumeric));
            // A page may say one thing several times.
            if last != Some(*number) {
                look.pages += 1;
                own.insert(text);
            }
            last = Some(*number);
            firsts.insert(text.split_whitespace().next().unwrap_or(""));
        }
        look.begins_alike = firsts.len() == 1 && places.len() > 1;
        let count = places.len().max(1);
        look.count = places.len();
        look.letters /= count;
        look.length /= count;
        look.titled /= count as f64;
        look.different = different.len();
        look.own = own.len();
        look.tag = tags
            .into_iter()
            .max_by_key(|(_, times)| *times)
            .map(|(tag, _)| tag.to_owned());
        look
    }

    /// The fields that are the main name of their record.
    fn mains(&self, fields: &[Unnamed], looks: &[Look]) -> Vec<usize> {
        let mut best: BTreeMap<usize, (f64, usize)> = BTreeMap::new();
        let mut most: BTreeMap<usize, usize> = BTreeMap::new();
        for (field, look) in fields.iter().zip(looks) {
            let of = most.entry(field.record).or_default();
            *of = (*of).max(look.pages);
        }
        for (at, (field, look)) in fields.iter().zip(looks).enumerate() {
            if !field.may_be_main || look.count == 0 || look.different < 2.min(look.count) {
                continue;
            }
            let coverage = look.pages as f64 / most[&field.record].max(1) as f64;
            let score = match field.record {
                0 => look.title() * coverage,
                _ => look.headline(field.label.is_some()) * coverage,
            };
            let first = best.get(&field.record).is_none_or(|(other, _)| score > *other + 1e-9);
            if score >= MAIN && first {
                best.insert(field.record, (score, at));
            }
        }
        if let Some((_, at)) = best.get_mut(&0) {
            *at = self.whole_name(*at, fields, looks);
        }
        // Where nothing tells what the page calls itself, the first text that each page has for itself is its name.
        if let std::collections::btree_map::Entry::Vacant(none) = best.entry(0) {
            let own = |(field, look): (&Unnamed, &Look)| {
                let is_here =
                    field.record == 0 && field.may_be_main && field.label.as_deref().and_then(label_name).is_none();
                is_here && look.pages * 10 >= self.pages.len() * 9 && look.is_own_text()
            };
            if let Some(at) = fields.iter().zip(looks).position(own) {
                none.insert((MAIN, at));
            }
        }
        best.into_values().map(|(_, at)| at).collect()
    }

    /// The field that has the whole name, if a field has only a part of it, such as the last name of a person. A heading is whole.
    fn whole_name(&self, at: usize, fields: &[Unnamed], looks: &[Look]) -> usize {
        if matches!(looks[at].tag.as_deref(), Some("h1" | "h2" | "h3")) {
            return at;
        }
        let texts = |field: &Unnamed| -> BTreeMap<usize, String> {
            let places = field.places.iter().take(PLACES).rev();
            places
                .map(|(number, node)| (*number, plain(self.pages[*number].string_value(*node))))
                .collect()
        };
        let part = texts(&fields[at]);
        let has_it = |field: &Unnamed| {
            let has = |(number, text): &(usize, String)| {
                let part = part.get(number).map_or("", String::as_str);
                !part.is_empty() && text.len() > part.len() && format!(" {text} ").contains(&format!(" {part} "))
            };
            let texts: Vec<(usize, String)> = texts(field).into_iter().collect();
            let count = texts.iter().filter(|pair| has(pair)).count();
            !texts.is_empty() && count as f64 >= MOST * part.len().max(texts.len()) as f64
        };
        let whole = (0..fields.len()).filter(|other| {
            let (field, look) = (&fields[*other], &looks[*other]);
            field.record == 0 && field.may_be_main && look.titled >= WHOLE && has_it(field)
        });
        whole
            .max_by(|a, b| looks[*a].title().total_cmp(&looks[*b].title()))
            .unwrap_or(at)
    }

    /// What the main name is called: `title`, or `name` if the page says so.
    fn main_name(&self, field: &Unnamed) -> String {
        let label = field.label.as_deref().map(slug);
        let own = label.or_else(|| self.keys.around(self.pages, &field.places));
        let says_name = own.is_some_and(|own| own.split('_').next_back() == Some("name"));
        if says_name { "name" } else { "title" }.to_owned()
    }

    fn name(&self, field: &Unnamed, look: &Look, has_main: bool) -> Option<String> {
        if let Some(name) = field.label.as_deref().and_then(label_name) {
            return Some(name);
        }
        let keyed = self.keys.around(self.pages, &field.places);
        if let Some(name) = keyed.or_else(|| self.keys.equal(self.pages, &field.places)) {
            return Some(name);
        }
        let called = classes::called(self.pages, &field.places);
        match (look.what(), called) {
            // A class that says the same says more.
            (Some(what), Some(called)) if called.split('_').any(|word| word == what) => Some(called),
            (Some(what), _) => Some(what.to_owned()),
            (None, Some(called)) => Some(called),
            (None, None) => look.tag_name(has_main).map(str::to_owned),
        }
    }
}

/// What the values of a field look like.
#[derive(Default)]
struct Look {
    count: usize,
    different: usize,
    /// The mean length, in characters, and how many of them are letters.
    length: usize,
    letters: usize,
    kinds: BTreeMap<Kind, usize>,
    /// The mean share to which it is what the page calls itself.
    titled: f64,
    /// On how many places only programs see it; in how many it is a link.
    unseen: usize,
    linked: usize,
    /// On how many places it is in a menu or the like, and begins with neither a letter nor a digit.
    chrome: usize,
    rough: usize,
    /// On how many pages it is, and how many different texts come first on them.
    pages: usize,
    own: usize,
    /// Do all values begin with one word?
    begins_alike: bool,
    /// The most frequent element or attribute.
    tag: Option<String>,
}

impl Look {
    fn mostly(&self, of: &[Kind]) -> bool {
        let most = of
            .iter()
            .map(|kind| self.kinds.get(kind).copied().unwrap_or(0))
            .sum::<usize>();
        self.count > 0 && most as f64 >= MOST * self.count as f64
    }

    /// What the values are, if that alone is a name.
    fn what(&self) -> Option<&'static str> {
        match self.tag.as_deref() {
            Some("@src" | "@data-src") => return Some("image"),
            Some("@href") => return Some("link"),
            Some("@alt") => return Some("image_text"),
            Some("@datetime" | "time") if self.mostly(&[Kind::Time]) => return Some("time"),
            Some("@datetime" | "time") => return Some("date"),
            _ => {}
        }
        const WHATS: [(&str, &[Kind]); 7] = [
            ("image", &[Kind::Image]),
            ("email", &[Kind::Email]),
            ("link", &[Kind::Link]),
            ("price", &[Kind::Price]),
            ("date", &[Kind::Date, Kind::DateTime]),
            ("time", &[Kind::Time]),
            ("phone", &[Kind::Phone]),
        ];
        let found = WHATS.iter().find(|(_, of)| self.mostly(of));
        found.map(|(name, _)| *name)
    }

    /// A name from the element, or from the length.
    fn tag_name(&self, has_main: bool) -> Option<&'static str> {
        match self.tag.as_deref() {
            Some("title") => Some("page_title"),
            Some("h1") if !has_main => Some("title"),
            Some("h1" | "h2" | "h3" | "h4" | "h5" | "h6") => Some("heading"),
            Some("address") => Some("address"),
            Some("caption" | "figcaption" | "legend") => Some("caption"),
            _ if self.mostly(&[Kind::Address]) => Some("address"),
            _ if self.length >= PROSE => Some("description"),
            _ => None,
        }
    }

    fn part(&self, of: usize) -> f64 {
        of as f64 / self.count.max(1) as f64
    }

    /// How much the field is the name of the thing that a page is about.
    fn title(&self) -> f64 {
        // Things have names of their own: what several pages share is something else, such as a maker or a team.
        let unique = self.own as f64 / self.pages.max(1) as f64;
        // What only programs see is a name of last resort; a breadcrumb says the name, too, but it is not where the name is.
        let seen = 1.0 - 0.3 * self.part(self.unseen);
        let content = (1.0 - 0.15 * self.part(self.chrome)) * (1.0 - 0.15 * self.part(self.rough));
        let heading = match self.tag.as_deref() {
            Some("h1") => 1.1,
            Some("h2" | "h3") => 1.05,
            _ => 1.0,
        };
        self.titled * unique * seen * content * heading
    }

    /// Is it a text that each page has for itself, as names are?
    fn is_own_text(&self) -> bool {
        let is_words = self.part(self.kinds.get(&Kind::Text).copied().unwrap_or(0)) >= MOST;
        let is_short = (3..=80).contains(&self.length);
        let is_seen = self.unseen == 0 && self.chrome == 0;
        is_words
            && is_short
            && is_seen
            && self.own * 10 >= self.pages * 9
            && !self.begins_alike
            && self.what().is_none()
    }

    /// How much the field is the name of the item of a list: a heading or a link with words that differ.
    fn headline(&self, labelled: bool) -> f64 {
        let differs = self.different as f64 / self.count.max(1) as f64;
        let is_words = self.kinds.get(&Kind::Text).copied().unwrap_or(0) as f64 / self.count.max(1) as f64;
        let is_heading = matches!(self.tag.as_deref(), Some("h1" | "h2" | "h3" | "h4" | "h5" | "h6"));
        let linked = self.linked as f64 / self.count.max(1) as f64;
        if labelled || self.what().is_some() || self.length > LONGEST * 3 || self.letters * 2 < self.length {
            return 0.0;
        }
        // A tag or a topic is a link, too, but it is shorter than a title.
        let long = 0.6 + 0.4 * self.length.min(20) as f64 / 20.0;
        (if is_heading { 1.0 } else { 0.7 * linked }) * differs * is_words * long
    }
}

/// The element or attribute that names a place: the nearest one that is not merely for looks.
fn element_of(page: &Page, node: NodeId) -> &'static str {
    const TAGS: [&str; 14] = [
        "title",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "time",
        "address",
        "caption",
        "figcaption",
        "legend",
        "td",
        "p",
    ];
    const ATTRIBUTES: [(&str, &str); 10] = [
        ("src", "@src"),
        ("data-src", "@data-src"),
        ("data-original", "@data-src"),
        ("data-lazy-src", "@data-src"),
        ("data-lazy", "@data-src"),
        ("href", "@href"),
        ("alt", "@alt"),
        ("datetime", "@datetime"),
        ("content", "@content"),
        ("title", "@title"),
    ];
    if page.kind(node) == Node::Attribute {
        let name = page.name(node);
        let found = ATTRIBUTES.iter().find(|(attribute, _)| *attribute == name);
        return found.map_or("@", |(_, tag)| tag);
    }
    let around = std::iter::once(node).chain(page.ancestors(node)).take(4);
    let mut names = around.filter(|up| page.is_element(*up)).map(|up| page.name(up));
    names
        .find_map(|name| TAGS.iter().find(|tag| **tag == name))
        .copied()
        .unwrap_or("")
}

fn is_in_head(page: &Page, node: NodeId) -> bool {
    page.ancestors(node).any(|up| page.name(up) == "head")
}

/// Is it in a menu, a path of links or the like, as the names of the elements around it say?
fn is_chrome(page: &Page, node: NodeId) -> bool {
    page.ancestors(node)
        .take(6)
        .filter(|up| page.is_element(*up))
        .any(|up| {
            matches!(page.name(up), "nav" | "footer" | "aside")
                || ["id", "class"].iter().any(|name| {
                    let value = page.attribute_value(up, name).unwrap_or("");
                    value.len() <= 200
                        && split_words(value)
                            .iter()
                            .any(|word| vocabulary::says_chrome(word.trim_end_matches('s')))
                })
        })
}

fn is_linked(page: &Page, node: NodeId) -> bool {
    let mut around = std::iter::once(node).chain(page.ancestors(node)).take(4);
    around.any(|up| page.name(up) == "a")
}

/// A label as a name, if it reads like a label: a few words that are no sentence and no value.
pub(crate) fn label_name(label: &str) -> Option<String> {
    let text = label
        .trim()
        .trim_end_matches([':', '?', '*', '.', '-', '–', '=', '|', '»', '>'])
        .trim();
    let words = text.split_whitespace().count();
    if words == 0 || words > LABEL_WORDS || text.chars().count() > LONGEST {
        return None;
    }
    // A full stop or an exclamation mark inside ends a sentence.
    let is_sentence =
        text.contains(". ") && words > 3 || text.contains('!') || text.contains("? ") || text.contains('©');
    let is = |kind: Kind| kinds(text).contains(kind);
    let is_value = is(Kind::Price) || is(Kind::Phone) || is(Kind::Email) || is(Kind::Link) || is(Kind::DateTime);
    let starts = text
        .chars()
        .find(|c| c.is_alphanumeric())
        .is_some_and(char::is_alphabetic);
    if is_sentence || is_value || !starts {
        return None;
    }
    let name = slug(text);
    (name.chars().filter(|c| c.is_alphabetic()).count() > 1).then_some(name)
}

/// Do words end with one that is before the name of somebody who made something: `By`, `Written by`?
pub(crate) fn is_before_names(words: &str) -> bool {
    const BY: [&str; 9] = ["by", "von", "par", "por", "di", "da", "door", "av", "af"];
    let last = words.rsplit(' ').next().unwrap_or_default().to_lowercase();
    BY.contains(&last.as_str())
}

/// Is a text at a place that pages use for labels of what is after it: not a link, a button or a choice of a form, and not
/// the title of the page?
pub(crate) fn may_be_label(page: &Page, label: NodeId, value: NodeId) -> bool {
    let owner = page.parent(label).unwrap_or(label);
    let around: Vec<NodeId> = std::iter::once(owner)
        .chain(page.ancestors(owner))
        .take(CLOSE)
        .collect();
    let named = |names: &[&str]| {
        around
            .iter()
            .any(|up| page.is_element(*up) && names.contains(&page.name(*up)))
    };
    if named(&["option", "select", "button", "textarea", "nav", "h1"]) {
        return false;
    }
    let together = |up: &NodeId| *up <= value && value < page.end(*up);
    let near = around.iter().position(together);
    // In a row or list of definitions, what is before the value is its label.
    let is_marked = around
        .iter()
        .any(|up| page.is_element(*up) && vocabulary::is_label(page.name(*up)));
    let in_row = near.is_some_and(|near| matches!(page.name(around[near]), "tr" | "dl"));
    let is_link = around.iter().any(|up| page.name(*up) == "a" && value >= page.end(*up));
    let ends = page.string_value(label).trim_end().ends_with(':');
    match is_link {
        true => in_row || ends,
        false => ends || in_row || is_marked || near.is_some(),
    }
}

/// How far above a label the element may be that also has the value.
const CLOSE: usize = 4;

/// A text as a name: letters and digits in lower case, and one underscore for everything between.
pub(crate) fn slug(text: &str) -> String {
    let mut name = String::new();
    for c in text.chars().take(LONGEST) {
        if c.is_alphanumeric() {
            name.extend(c.to_lowercase());
        } else if !name.is_empty() && !name.ends_with('_') && !matches!(c, '\'' | '’') {
            name.push('_');
        }
    }
    name.truncate(name.trim_end_matches('_').len());
    name
}

/// The words of a name that programs use: `wprm-recipeIngredient_2` is wprm, recipe, ingredient, 2.
fn split_words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut last = ' ';
    for c in name.chars() {
        let cut = !c.is_alphanumeric() || (c.is_uppercase() && last.is_lowercase());
        if cut && words.last().is_some_and(|word| !word.is_empty()) {
            words.push(String::new());
        }
        if c.is_alphanumeric()
            && let Some(word) = words.last_mut()
        {
            word.extend(c.to_lowercase());
        }
        last = c;
    }
    words.retain(|word| !word.is_empty());
    words
}

/// Words as a name that is not too long: the last ones say what it is.
fn short_name(words: &[String]) -> Option<String> {
    let mut from = words.len().saturating_sub(3);
    while from < words.len() {
        let name = words[from..].join("_");
        if name.chars().count() <= LONGEST_NAME {
            return name.chars().any(char::is_alphabetic).then_some(name);
        }
        from += 1;
    }
    None
}

/// Names that are already used.
#[derive(Default)]
pub(crate) struct Used {
    names: HashSet<String>,
    /// How often each name was requested.
    asked: HashMap<String, u32>,
}

impl Used {
    /// The name, with a number after it if it is already used: the tenth `isbn` does not get the name of an `isbn_10`.
    pub(crate) fn fresh(&mut self, name: String) -> String {
        let asked = self.asked.entry(name.clone()).or_default();
        loop {
            *asked += 1;
            let fresh = match *asked {
                1 => name.clone(),
                times => format!("{name}_{times}"),
            };
            if self.names.insert(fresh.clone()) {
                return fresh;
            }
        }
    }
}

#[cfg(test)]
mod tests;
