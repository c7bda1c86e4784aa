//! Which of several wrappers for the same pages is right.
//!
//! There are two questions. **Is a page one record, or a list of records?** Landmarks describe one record well and lists badly;
//! templates and lists of regions the other way round. No length of description decides this, because a page about one thing has
//! lists, too, and a template may describe it in fewer bits while it mixes up the fields. So two things about the pages decide
//! ([`are_lists`]): whether each page has a name of its own (a `title` or first heading that no other page has, numbers aside), and
//! which part of the data is in the main list. Pages without names are lists if a third of their data is in one, or a tenth if both methods find it or it is a table
//! with headings on every page, or if a template has a field for each of its cells, since all pages have as many rows. With `n` named
//! pages, all but one part in `n` of the data must be in the list: the more pages have names, the less it is by chance. A table of
//! labels and values, with the same labels on each page, is no list of records. The third
//! is a judgement; the data that both were tried on is in the record of 2026-11-16 about the automatic choice.
//!
//! **Which of two lists is better?** ([`prefers_regions`]) Where both methods have the same records ([`agree`]), that of the template: its
//! rows are aligned over all pages, while a region was learned on one of them, unless it has several cells in one field or finds none of them on a page, or the columns of
//! the region have headings, by which they are found on other pages, and it has as many fields or fuller rows, or the region has a field that is told by a label, a class or a form and that the template lacks ([`tells_more`]). If the rows of the region fill their fields better and have as much of the data, those of the template are mixed up. A region with the headings of groups says more, unless its rows are pieces of those of the template (`has_pieces`), and a template with twice the
//! fields and half the rows has several records in a row. A template that takes a row of headings for a record ([`takes_headings`]) is wrong, and so is one whose rows reach over blank lines ([`reaches_over_breaks`]). So it is too where a region takes several lists of a template
//! for one. A list whose fields each have values of one make (dates, prices, names, sentences) is better than one that mixes them: a price among names is that of another column. This is counted in bits
//! ([`MainList::mixed`]); the region wins if it needs fewer and has most of the data, the template if it needs far fewer. Where they have different records, the one with clearly more of the data in it, or else that of a
//! region if it finds nearly as much and its description is a tenth shorter. Pages are described by a rule and by the data that the rule does not fix. A rule costs bits for each of its
//! fields and parts; the text that all pages share is the same in every description and is left out. Words in texts that all pages
//! share cost nothing. All other words of a page are data: in a value, a word costs its characters; outside all values it costs
//! twice that, because it must be encoded some other way. So leaving out data is expensive, and so is a field for each row of a
//! list where a few fields would be enough for all rows. Linear in the pages.
//!
//! Known failures: lists whose pages are named after what was searched for, with much else on them; pages about one thing that is
//! itself a table, if their titles are all the same; three pages or fewer, whose titles say little.

mod breaks;
mod labels;
mod makes;
#[cfg(test)]
mod tests;
mod told;

pub use breaks::reaches_over_breaks;
pub use labels::{are_properties, labelled_outside};
pub use told::{names_inner, tells_more};

use makes::Makes;
use page::{Kind, NodeId, Page};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use wrapper::rule::Event;
use wrapper::rule::landmark::clean;

/// Bits for each field.
const FIELD: u64 = 32;
/// Bits for each part of a rule.
const PART: u64 = 8;
/// Bits for each character of data.
const CHARACTER: u64 = 4;

/// How well a rule describes pages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Description {
    /// The length of the description, in bits.
    pub bits: u64,
    /// The number of fields with values.
    pub fields: usize,
    /// The number of items of lists.
    pub rows: usize,
    /// The words of the data that are in values, in thousandths of all words of the data.
    pub found: u64,
    /// The part of the pages' text that is data, in thousandths.
    pub data: u64,
    /// The number of pages with an item of a list.
    pub listed: usize,
    /// The main list: the one with most words of the data.
    pub list: MainList,
    /// Is there a table on every page whose rows are the items of the main list, with a heading for each column?
    pub headed: bool,
    /// Have the records a field with the heading of the group that they are in?
    pub grouped: bool,
}

/// The list with most words of the data, among those that are in no other list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MainList {
    /// The words of the data in it, and in other lists of the same shape (two tables), in thousandths of all words of the data.
    pub share: u64,
    /// The same without the other lists.
    pub own: u64,
    /// Its items on the page in the middle, by their number.
    pub rows: usize,
    /// Its fields, with those of lists in it.
    pub fields: usize,
    /// Those of its fields that have the same texts on every page, a different one in each item, as the labels of a table have.
    pub labels: usize,
    /// How well its items fill its fields, without those of lists in it, in thousandths: 1000 if each item has a value of each.
    pub filled: u64,
    /// How much the values of a field differ in what they are (dates, prices, names, sentences): the bits that say it of a value, in thousandths.
    pub mixed: u64,
}

/// Describes pages by what a rule with `parts` parts finds on each.
pub fn describe(pages: &[&Page], found: &[Vec<Event>], parts: usize) -> Description {
    let mut spread: HashMap<String, usize> = HashMap::new();
    for page in pages {
        let said: HashSet<String> = texts(page).map(|(_, text)| text).collect();
        let mut said: Vec<String> = said.into_iter().collect();
        said.sort_unstable();
        said.into_iter().for_each(|text| *spread.entry(text).or_default() += 1);
    }
    let mut fields: HashSet<u32> = HashSet::new();
    let mut lists: BTreeMap<u32, Listed> = BTreeMap::new();
    let (mut rows, mut inside, mut outside, mut text) = (0, 0, 0, 0);
    let has_items = |events: &&Vec<Event>| events.iter().any(|event| matches!(event, Event::Open(_)));
    let listed = found.iter().filter(has_items).count();
    for (number, (page, events)) in pages.iter().zip(found).enumerate() {
        let mut values: HashMap<&str, Places> = HashMap::new();
        let mut open: Vec<u32> = Vec::new();
        let mut filled: HashSet<u32> = HashSet::new();
        let mut row: Vec<(u32, NodeId, &str)> = Vec::new();
        for event in events {
            match event {
                Event::Value { field, node, text } => {
                    fields.insert(*field);
                    if let [list, inner @ ..] = &open[..] {
                        let listed = lists.entry(*list).or_default();
                        listed.texts.entry(*field).or_default().add(number, text);
                        row.push((*field, *node, text));
                        match inner {
                            [] => drop(filled.insert(*field)),
                            _ => drop(listed.inner.insert(*field)),
                        }
                    }
                    if page.kind(*node) == Kind::Text {
                        let place = Place {
                            node: *node,
                            is_long: text.len() > page.string_value(*node).len(),
                            list: open.first().copied(),
                        };
                        text.split_whitespace()
                            .for_each(|word| values.entry(word).or_default().all.push(place));
                    }
                }
                Event::Open(list) => {
                    rows += 1;
                    open.push(*list);
                    if open.len() == 1 {
                        let listed = lists.entry(*list).or_default();
                        listed.rows.resize(pages.len(), 0);
                        listed.rows[number] += 1;
                        filled.clear();
                        row.clear();
                    }
                }
                Event::Close => {
                    if let (Some(list), true) = (open.pop(), open.is_empty()) {
                        let listed = lists.entry(list).or_default();
                        listed.add_row(&row);
                        let mut filled: Vec<u32> = filled.drain().collect();
                        filled.sort_unstable();
                        filled
                            .into_iter()
                            .for_each(|field| *listed.fields.entry(field).or_default() += 1);
                    }
                }
            }
        }
        values
            .values_mut()
            .for_each(|places| places.all.sort_by_key(|place| place.node));
        for (node, said) in texts(page) {
            text += said.chars().count() as u64 + 1;
            // Of one page, all texts may be data.
            let is_shared = pages.len() > 1 && spread[&said] == pages.len();
            for word in said.split_whitespace() {
                let length = word.chars().count() as u64 + 1;
                let place = values.get_mut(word).and_then(|places| places.take(node));
                if is_shared {
                    continue;
                }
                match place.map(|place| place.list) {
                    Some(list) => {
                        inside += length;
                        if let Some(listed) = list.and_then(|list| lists.get_mut(&list)) {
                            listed.inside += length;
                        }
                    }
                    None => outside += length,
                }
            }
        }
    }
    let all = (inside + outside).max(1);
    let main = main_list(lists.into_values().collect(), all);
    Description {
        bits: FIELD * fields.len() as u64 + PART * parts as u64 + CHARACTER * (inside + 2 * outside),
        fields: fields.len(),
        rows,
        found: 1000 * inside / all,
        data: 1000 * (inside + outside) / text.max(1),
        listed,
        list: main,
        headed: false,
        grouped: false,
    }
}

/// A value that has a word.
#[derive(Clone, Copy)]
struct Place {
    /// Its first text.
    node: NodeId,
    /// Does it go on in other texts?
    is_long: bool,
    /// The outermost list that it is in.
    list: Option<u32>,
}

/// The values that have a word, in their order on the page.
#[derive(Default)]
struct Places {
    all: Vec<Place>,
    /// How many of them begin before or in the text at hand.
    begun: usize,
    /// Those that have begun and may have the next of these words.
    open: Vec<Place>,
}

impl Places {
    /// The value that has the word in a text; texts are asked for in their order.
    fn take(&mut self, text: NodeId) -> Option<Place> {
        while let Some(place) = self.all.get(self.begun).filter(|place| place.node <= text) {
            self.open.push(*place);
            self.begun += 1;
        }
        while let Some(place) = self.open.pop() {
            if place.is_long || place.node == text {
                return Some(place);
            }
        }
        None
    }
}

/// The list with most words of the data; others with about as many fields count for it.
fn main_list(mut lists: Vec<Listed>, all: u64) -> MainList {
    let Some(at) = (0..lists.len()).max_by_key(|at| lists[*at].inside) else {
        return MainList::default();
    };
    let main = lists.swap_remove(at).summary(all);
    let like = |list: &MainList| is_list(list) && list.fields.abs_diff(main.fields) * 4 <= main.fields;
    let others = lists.into_iter().map(|listed| listed.summary(all));
    let others: u64 = others.filter(like).map(|list| list.share).sum();
    MainList {
        share: main.share + others,
        ..main
    }
}

/// What is known of a list.
#[derive(Default)]
struct Listed {
    /// The letters of the data in it.
    inside: u64,
    /// Its items on each page.
    rows: Vec<usize>,
    /// In how many items each of its fields has a value.
    fields: BTreeMap<u32, u64>,
    /// The fields of the lists in it.
    inner: HashSet<u32>,
    /// What its fields say.
    texts: BTreeMap<u32, Texts>,
    /// What the values of its fields are.
    makes: BTreeMap<u32, Makes>,
    /// How many of its items were looked at for that.
    looked: u32,
}

/// The most items of a list that are looked at for what their values are, and the most values of each.
const LOOKED: u32 = 300;
const CELLS: usize = 60;

/// The texts of a field.
#[derive(Default)]
struct Texts {
    /// All that have letters.
    count: usize,
    /// The different ones of each page, together.
    on_pages: usize,
    /// The different ones of all pages.
    all: HashSet<String>,
    /// Those of the page at hand.
    here: HashSet<String>,
    /// The page at hand, and how many there were.
    page: Option<usize>,
    pages: usize,
}

impl Texts {
    fn add(&mut self, page: usize, text: &str) {
        if !text.chars().any(char::is_alphabetic) {
            return;
        }
        if self.page.replace(page) != Some(page) {
            self.here.clear();
            self.pages += 1;
        }
        self.count += 1;
        if self.here.insert(text.to_owned()) {
            self.on_pages += 1;
            if !self.all.contains(text) {
                self.all.insert(text.to_owned());
            }
        }
    }

    /// Are they labels: different in each item, and much the same on each of several pages?
    fn are_labels(&self) -> bool {
        let is_each_other = self.on_pages >= 2 * self.pages && self.on_pages * 5 >= self.count * 4;
        self.pages >= 2 && is_each_other && self.all.len() * self.pages * 2 <= self.on_pages * 3
    }
}

impl Listed {
    /// Looks at the values of an item. A text that has another value of the item in it is there in addition, so it does not count.
    fn add_row(&mut self, row: &[(u32, NodeId, &str)]) {
        if self.looked == LOOKED {
            return;
        }
        self.looked += 1;
        let row = &row[..row.len().min(CELLS)];
        let is_whole = |(field, node, text): &(u32, NodeId, &str)| {
            let is_in = |(other, place, part): &(u32, NodeId, &str)| {
                other != field && place >= node && part.len() < text.len() && text.contains(part)
            };
            row.iter().any(is_in)
        };
        for (field, _, text) in row.iter().filter(|value| !is_whole(value)) {
            self.makes.entry(*field).or_default().add(text);
        }
    }

    fn summary(mut self, all: u64) -> MainList {
        let items: usize = self.rows.iter().sum();
        self.rows.sort_unstable();
        let filled: u64 = self.fields.values().sum();
        MainList {
            share: 1000 * self.inside / all,
            own: 1000 * self.inside / all,
            rows: self.rows.get(self.rows.len() / 2).copied().unwrap_or(0),
            fields: self.fields.len() + self.inner.len(),
            labels: self.texts.values().filter(|texts| texts.are_labels()).count(),
            filled: 1000 * filled / (items * self.fields.len()).max(1) as u64,
            mixed: {
                let values: u32 = self.makes.values().map(Makes::count).sum();
                let bits: f64 = self.makes.values().map(Makes::bits).sum();
                (1000.0 * bits / f64::from(values.max(1))) as u64
            },
        }
    }
}

/// Unnamed pages with this part of their data in a list are lists, in thousandths.
const UNNAMED: u64 = 333;
/// A difference that counts, in thousandths of the data.
const CLEARLY: u64 = 150;
/// A difference that does not count, in thousandths of the data.
const NEARLY: u64 = 50;

/// The most lists of a page that may be taken for records.
const TABLES: usize = 2;

/// A difference of how well rows fill their fields that counts, in thousandths.
const FULLER: u64 = 40;
/// How much worse rows may fill their fields, in thousandths, if something else speaks for them; and if much does. Optional fields of their own cost that much.
const EMPTIER: u64 = 100;
const FAR_EMPTIER: u64 = 200;

/// Pages with less data than this part of their text, in thousandths, are copies of one page: they do not tell what a record is.
const COPIES: u64 = 10;

/// The part of the data of unnamed pages that must be in a list that both a region and a template find, in thousandths.
const AGREED: u64 = 100;
/// The fewest fields of such a list.
const AGREED_FIELDS: usize = 3;
/// The fewest rows of a list that all pages have as many of: a page about one thing may have two things beside it.
const FEWEST_ROWS: usize = 3;
/// Fewer pages with names may be lists by chance, so the headings of a table say more than the names.
const FEW_NAMED: usize = 5;
/// A table with headings may have this many times less of the data than other lists; a small one is often a part of a record.
const HEADED: u64 = 4;

/// Are pages lists of records, rather than one record each? `named` is the number of pages with names of their own
/// ([`named`]); the descriptions are those of rules for lists, and `agree` says whether they have the same records ([`agree`]). Copies
/// of one page are a list if there is one. Unnamed pages with few records beside much other text are lists if both methods see the same ones. So are they,
/// and a few named pages, if the records are in a table with a heading for each column on every page. So are unnamed pages with the same number of rows each, where another rule has a
/// field for each cell.
pub fn are_lists(pages: usize, named: usize, descriptions: &[Description], agree: bool) -> bool {
    // What is a label, copies do not tell either.
    let mut copies = descriptions.iter().filter(|description| description.data < COPIES);
    let is_copied = copies.any(|copies| copies.list.rows >= 2 && copies.list.fields >= 2);
    let is_agreed = |description: &Description| {
        let list = &description.list;
        is_list(list) && list.fields >= AGREED_FIELDS && list.share >= AGREED
    };
    let needed = needed(pages, named);
    let are_agreed = agree && needed == UNNAMED && descriptions.iter().all(is_agreed);
    let may_be = needed == UNNAMED || named < FEW_NAMED;
    let is_headed = |one: &Description| one.headed && is_agreed(one) && one.list.share * HEADED >= needed;
    let are_headed = may_be && descriptions.iter().any(is_headed);
    let are_cells = || {
        needed == UNNAMED
            && descriptions.iter().any(|list| {
                let mut others = descriptions.iter();
                is_agreed(list) && others.any(|other| spells_cells(other, &list.list))
            })
    };
    is_copied || are_agreed || are_headed || list_share(descriptions) >= needed || are_cells()
}

/// Has a rule without a list a field for each cell of a list, and few others? So it is where every page has the same number of rows.
fn spells_cells(rule: &Description, list: &MainList) -> bool {
    let cells = list.rows * list.fields;
    !is_list(&rule.list) && list.rows >= FEWEST_ROWS && rule.fields * 4 >= cells * 3 && cells * 4 >= rule.fields * 3
}

/// Are the rows of a region pieces of those of a template, each with one of its fields? Then one field of the region has values of all their makes, as that of the rows of an infobox has.
fn has_pieces(regions: &MainList, template: &MainList) -> bool {
    is_list(template)
        && template.rows * 2 <= regions.rows
        && template.fields >= regions.fields * 2
        && regions.mixed > 0
        && template.mixed * 2 <= regions.mixed
        && template.own + NEARLY >= regions.share
}

/// Is it a list of records? A table of labels and values is about one thing.
pub fn is_list(list: &MainList) -> bool {
    list.rows >= 2 && list.fields >= 2 && (list.labels == 0 || list.fields >= list.labels + 2)
}

/// The part of the data that is in a list of records, in thousandths, by the best of several rules.
pub fn list_share(descriptions: &[Description]) -> u64 {
    let lists = descriptions.iter().map(|description| description.list).filter(is_list);
    lists.map(|list| list.share).max().unwrap_or(0)
}

/// The part of the data that must be in a list, in thousandths.
pub fn needed(pages: usize, named: usize) -> u64 {
    match named * 2 < pages.max(2) {
        true => UNNAMED,
        false => 1000 - 1000 / named.max(2) as u64,
    }
}

/// Is the list of a region better than that of a template? `agree` is the number of the template's fields of the same records, if it has
/// them ([`agree`]).
pub fn prefers_regions(regions: &Description, template: &Description, agree: Option<usize>) -> bool {
    // Copies of one page have too little data to tell; that of a region was chosen by what it looks like.
    if template.data < COPIES {
        return agree.is_none() && regions.list.rows >= 2 && regions.list.fields >= AGREED_FIELDS;
    }
    // Many fields with few values each are purer by chance.
    if joins_records(&template.list, &regions.list) && regions.list.mixed * 2 <= template.list.mixed * 3 {
        return true;
    }
    if is_list(&regions.list) && spells_cells(template, &regions.list) {
        return true;
    }
    if has_pieces(&regions.list, &template.list) {
        return false;
    }
    // Columns that are found by their headings hold on other pages.
    if regions.headed && is_list(&regions.list) {
        let is_better = match agree {
            Some(fields) => regions.list.fields >= fields,
            None => regions.list.filled > template.list.filled,
        };
        if is_better {
            return true;
        }
    }
    let (mine, theirs) = (regions.list.share, template.list.share);
    let (own, other) = (regions.list.mixed, template.list.mixed);
    let is_as_full = regions.list.filled + EMPTIER >= template.list.filled;
    // The headings of their groups say more about records.
    let has_them = agree.is_some() || mine + NEARLY >= template.list.own;
    if regions.grouped && is_list(&regions.list) && has_them && is_as_full {
        return true;
    }
    // Fewer fields, with the values of several columns in one.
    let has_most = template.list.own * 10 >= mine * 9 && template.list.filled + FAR_EMPTIER >= regions.list.filled;
    let is_coarse = regions.list.fields < template.list.fields && other * 2 < own;
    if is_list(&template.list) && is_coarse && has_most {
        return false;
    }
    // Prices among names are those of another column. Rows that have nothing but lists in them are often pieces of rows.
    let has_enough = regions.listed >= template.listed && mine * 3 >= template.list.own * 2;
    let is_purer = match template.list.filled {
        0 => own * 3 < other * 2,
        _ => own < other,
    };
    if is_list(&regions.list) && has_enough && is_purer {
        return true;
    }
    let finds_as_much = regions.found + NEARLY >= template.found;
    // Rows that have some of the fields only are of several kinds, or their fields were mixed up. Lists in lists have no fields that could be filled. Of
    // two lists of the same shape, a region is one.
    let is_fuller = template.list.filled > 0 && regions.list.filled >= template.list.filled + FULLER;
    let others = theirs.saturating_sub(template.list.own);
    let has_as_much = mine + NEARLY >= template.list.own && regions.found + others + NEARLY >= template.found;
    if is_list(&regions.list) && is_fuller && has_as_much && regions.listed >= template.listed {
        return true;
    }
    if is_list(&template.list) && template.list.own + NEARLY >= mine && other * 3 < own * 2 {
        return false;
    }
    // A template that takes two whole lists for two records has a field for each cell of them.
    let few = template.list.rows <= TABLES && template.list.rows * 2 < regions.list.rows;
    let many = template.list.fields >= regions.list.fields * 3;
    if agree.is_none() && is_list(&regions.list) && few && many && (mine + NEARLY) * TABLES as u64 >= theirs {
        return true;
    }
    if let Some(fields) = agree {
        // A template that has half as many fields has several cells in one.
        let is_divided = mine + NEARLY >= theirs && regions.list.fields / 2 >= fields;
        // A template that finds nothing on some of the pages will not on others either.
        let is_lost = regions.listed > template.listed && regions.list.fields >= fields;
        return is_divided || is_lost || mine > theirs + NEARLY;
    }
    // Rows that no row of the template is.
    let is_as_pure = own * 4 <= other * 5;
    if is_list(&regions.list) && mine >= template.list.own + NEARLY && is_as_pure && is_as_full {
        return true;
    }
    mine >= theirs + CLEARLY || (finds_as_much && regions.bits * 10 < template.bits * 9)
}

/// Is a template with a list in it better than landmarks where a table of labels and values says that each page is about one thing? Landmarks that do not see the list have fields for
/// each of its rows, so a template with half as many fields that finds nearly as much does, if its description is not longer.
pub fn nests_list(template: &Description, landmarks: &Description) -> bool {
    let list = &template.list;
    let has_list = is_list(list) && list.fields >= AGREED_FIELDS && list.filled > 0;
    let is_smaller = template.fields * 2 <= landmarks.fields && template.bits <= landmarks.bits;
    has_list && is_smaller && template.found + CLEARLY >= landmarks.found
}

/// Has a list twice the fields and half the rows of another one that has as much of the data? Then its rows are several records each, with a field for
/// each value of each of them.
fn joins_records(list: &MainList, other: &MainList) -> bool {
    let is_wider = list.fields >= 2 * other.fields && other.rows >= 2 * list.rows;
    is_list(other) && is_wider && other.own + CLEARLY >= list.own
}

/// Is a list whose fields were made from the records of all pages (`joined`) as good as that of one page, `alone`? More records say more, so it need not be better.
pub fn prefers_joined(joined: &Description, alone: &Description) -> bool {
    joined.listed >= alone.listed && joined.rows >= alone.rows && joined.found + NEARLY >= alone.found
}

/// Has a list far more of the data of the pages than another one?
pub fn has_far_more(list: &MainList, other: &MainList) -> bool {
    is_list(list) && list.share >= 2 * other.share + CLEARLY
}

/// The share of the records of a region that must be rows of a template, in tenths.
const SAME_ROWS: usize = 9;

/// Are the records that a region finds on pages rows of lists of a template, one for one? If so, the most fields that one of these lists
/// has; any number if there are lists of records in its rows.
///
/// A record is a row if values of one row of a list are between its first and last value, and that row is in no other record. The
/// lists may be several, and inside of other lists, but must have few other rows.
pub fn agree(regions: &[Vec<Event>], template: &[Vec<Event>]) -> Option<usize> {
    let (mut same, mut all) = (0, 0);
    let mut agreeing: BTreeSet<u32> = BTreeSet::new();
    for (region, template) in regions.iter().zip(template) {
        let lists = rows(template);
        let records: Vec<(NodeId, NodeId)> = rows(region).into_values().flatten().collect();
        all += records.len();
        let mut is_row = vec![false; records.len()];
        for (list, rows) in &lists {
            let mut times = vec![0_usize; records.len()];
            for (first, last) in rows {
                let from = records.partition_point(|(_, end)| end < first);
                let to = records.partition_point(|(start, _)| start <= last);
                if from + 1 == to {
                    times[from] += 1;
                }
            }
            let found = times.iter().filter(|times| **times == 1).count();
            // A list with many other rows has other records.
            if found * 10 < rows.len() * SAME_ROWS {
                continue;
            }
            agreeing.insert(*list);
            for (is_row, times) in is_row.iter_mut().zip(times) {
                *is_row |= times == 1;
            }
        }
        same += is_row.into_iter().filter(|is_row| *is_row).count();
    }
    let mut fields: BTreeMap<u32, BTreeSet<u32>> = BTreeMap::new();
    let mut inner: BTreeMap<u32, BTreeSet<u32>> = BTreeMap::new();
    for events in template {
        let mut open: Vec<u32> = Vec::new();
        for event in events {
            match event {
                Event::Open(list) => open.push(*list),
                Event::Close => drop(open.pop()),
                Event::Value { field, .. } => {
                    for list in open.iter().filter(|list| agreeing.contains(list)) {
                        fields.entry(*list).or_default().insert(*field);
                    }
                    if let [around @ .., last] = &open[..]
                        && around.iter().any(|list| agreeing.contains(list))
                    {
                        inner.entry(*last).or_default().insert(*field);
                    }
                }
            }
        }
    }
    let most = fields.values().map(BTreeSet::len).max();
    // Several values of one field are no records.
    let nested = inner.values().any(|fields| fields.len() >= 2);
    let most = most.map(|most| if nested { usize::MAX } else { most });
    most.filter(|_| all > 0 && same * 10 >= all * SAME_ROWS)
}

/// Are the records of a region rows of a list of a template that begins with one more row, the same on every page? That is a row of headings.
pub fn takes_headings(regions: &[Vec<Event>], template: &[Vec<Event>]) -> bool {
    let mut headings: BTreeMap<u32, Vec<Vec<String>>> = BTreeMap::new();
    for (region, template) in regions.iter().zip(template) {
        let records: Vec<(NodeId, NodeId)> = rows(region).into_values().flatten().collect();
        let Some((start, _)) = records.first() else {
            return false;
        };
        for (list, rows) in rows(template) {
            let [first, others @ ..] = &rows[..] else { continue };
            let is_record = |(first, last): &(NodeId, NodeId)| {
                let from = records.partition_point(|(_, end)| end < first);
                let to = records.partition_point(|(start, _)| start <= last);
                from + 1 == to
            };
            let same = others.len() == records.len() && others.iter().all(is_record);
            if first.1 < *start && same {
                let texts = template.iter().filter_map(|event| match event {
                    Event::Value { node, text, .. } if first.0 <= *node && *node <= first.1 => Some(text.clone()),
                    _ => None,
                });
                headings.entry(list).or_default().push(texts.collect());
            }
        }
    }
    let is_same = |texts: &Vec<Vec<String>>| {
        regions.len() >= 2 && texts.len() == regions.len() && texts.windows(2).all(|two| two[0] == two[1])
    };
    headings.values().any(is_same)
}

/// What a region finds without the headings of groups, which are before the records that they belong to.
pub fn without_groups(events: &[Event]) -> Vec<Event> {
    let mut first: Option<NodeId> = None;
    let mut kept = Vec::with_capacity(events.len());
    for event in events {
        match event {
            Event::Open(_) => first = None,
            Event::Value { node, .. } if first.is_some_and(|first| *node < first) => continue,
            Event::Value { node, .. } => first = first.or(Some(*node)),
            Event::Close => {}
        }
        kept.push(event.clone());
    }
    kept
}

/// The first and last value of each row of each list.
fn rows(events: &[Event]) -> BTreeMap<u32, Vec<(NodeId, NodeId)>> {
    let mut rows: BTreeMap<u32, Vec<(NodeId, NodeId)>> = BTreeMap::new();
    let mut open: Vec<(u32, Option<(NodeId, NodeId)>)> = Vec::new();
    for event in events {
        match event {
            Event::Open(list) => open.push((*list, None)),
            Event::Value { node, .. } => {
                for (_, bounds) in &mut open {
                    let (first, last) = bounds.unwrap_or((*node, *node));
                    *bounds = Some((first.min(*node), last.max(*node)));
                }
            }
            Event::Close => {
                if let Some((list, Some(bounds))) = open.pop() {
                    rows.entry(list).or_default().push(bounds);
                }
            }
        }
    }
    rows
}

/// The number of pages with a name of their own: their `title` or first heading has words that those of most other pages lack, numbers
/// aside, and no other page has the same ones.
pub fn named(pages: &[&Page]) -> usize {
    let [titles, headings] = ["title", "h1"].map(|element| own(pages, element));
    titles
        .iter()
        .zip(&headings)
        .filter(|(title, heading)| **title || **heading)
        .count()
}

/// For each page whether its first element of this kind names it.
fn own(pages: &[&Page], element: &str) -> Vec<bool> {
    let names: Vec<Vec<String>> = pages.iter().map(|page| words(page, element)).collect();
    let mut spread: HashMap<&str, usize> = HashMap::new();
    for name in &names {
        let words: BTreeSet<&str> = name.iter().map(String::as_str).collect();
        words.into_iter().for_each(|word| *spread.entry(word).or_default() += 1);
    }
    let rare = |word: &&str| spread[*word] * 2 <= pages.len();
    let mut owns: Vec<Vec<&str>> = Vec::new();
    for name in &names {
        owns.push(name.iter().map(String::as_str).filter(rare).collect());
    }
    let mut times: HashMap<&[&str], usize> = HashMap::new();
    owns.iter().for_each(|own| *times.entry(own).or_default() += 1);
    owns.iter()
        .map(|own| !own.is_empty() && times[own.as_slice()] == 1)
        .collect()
}

/// The words of a page's first element of a kind, without numbers.
fn words(page: &Page, element: &str) -> Vec<String> {
    let first = page.elements().iter().copied().find(|node| page.name(*node) == element);
    let text = first.map(|first| clean(page.string_value(first)).to_lowercase());
    let text = text.unwrap_or_default();
    let words = text.split(|c: char| !c.is_alphanumeric());
    let words = words.filter(|word| word.chars().any(char::is_alphabetic));
    words.map(str::to_owned).collect()
}

/// The visible texts of a page.
fn texts(page: &Page) -> impl Iterator<Item = (NodeId, String)> + '_ {
    let texts = page.texts().iter().copied();
    let texts = texts.filter(|node| page::vocabulary::is_seen(page, *node));
    texts
        .map(|node| (node, clean(page.string_value(node)).into_owned()))
        .filter(|(_, text)| !text.is_empty())
}
