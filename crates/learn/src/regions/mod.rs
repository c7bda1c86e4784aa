//! The lists of records on a single page.
//!
//! **In**: one page. **Out**: its lists of records, the best first, each as a [`Paths`] rule with names for its fields.
//!
//! Several pages of one template differ in their data, and that tells data from template. A single page tells only what
//! repeats. The idea is that of MDR (B. Liu, R. Grossman, Y. Zhai, *Mining data records in web pages*, KDD 2003): records are
//! neighbours that look alike. What looks alike is taken from what a reader sees, not from all tags:
//!
//! 1. `sight`: the *leaves* of the page (texts, pictures, form fields), each with its place in the tree. Words in bold inside
//!    of a sentence are part of the sentence.
//! 2. `items`: rows of nodes in which records may be: the children of an element, or of several like elements (a grid), or elements of one class.
//! 3. `heads`: sets of items of a row that may begin a record, each with a test that XPath can express: `tr[td/b/a]`. A record
//!    is such an item alone, or reaches to the next one: `dt` with its `dd`, three rows of a table, a link and the lines after
//!    it.
//! 4. `judge`: a score for each such division: the text of its records, weighted by how alike they are. Odd records are kept
//!    if they are more like the others than unlike, and left out at both ends if not. Of all divisions the one with the best
//!    score wins, so the boundary of a record, the rows that belong to the list, and the list that is meant are one question.
//! 5. `places`: a path that gives exactly these records on the page, by a class or an id if there is one, and by positions as the
//!    last resort.
//! 6. `columns`: the fields. A leaf belongs to a column by its place in the record (`cells` for rows of tables, `spans` for cells
//!    over several rows, `columns/classes` for elements that only a class tells), by its label (`labelled`, `lines`, `pairs`), by
//!    its words if it is a link (`signs`), or by how it is written (`forms`, `columns/written`). `texts` and `moments` divide texts
//!    in parts; `names` calls the fields.
//! 7. `joined`: with several pages, the lists of all of them as one.
//!
//! **Cost**: each row is compared with at most 400 items, 200 leaves each and a bounded number
//! of tests, and all rows of a page with at most 40 million tokens, rows with many items first. Apart from that, linear in the
//! page. Some milliseconds for a page of 50 KB; memory is a few bytes for each node.
//!
//! **Chosen by data**: the constants are judgements, looked at on the development half of the `onepage` bench and on pages that
//! were changed in known ways (`bench/src/bin/rows.rs`).
//!
//! **Known failures**: records nested in each other, because end tags are missing; a record that consists of parts in
//! two columns of a table; a page whose largest list is not the one that is meant (paid results, related articles, photos beside a table); adverts
//! that look exactly like records; records divided by nothing but two line breaks, without a link or a tag of their own.
#[cfg(test)]
mod card_tests;
mod cells;
mod columns;
mod edges;
mod forms;
mod groups;
mod heads;
mod items;
mod joined;
mod judge;
mod labelled;
mod lines;
mod menus;
mod moments;
mod names;
mod odd;
mod pairs;
mod parts;
mod places;
mod properties;
mod prose;
mod ruled;
mod seen;
mod short;
mod sight;
mod signs;
mod spans;
#[cfg(test)]
mod tests;
mod texts;
mod thing;
mod twins;

pub use thing::Thing;

use crate::naming::Naming;
use heads::{COMPARED, Heads, Test};
use items::Items;
use judge::{Looks, UNLIKE, Verdict, judge};
use page::{Job, Kind, NodeId, Page};
use properties::Property;
use record::values::{self, kinds};
use sight::{Leaf, Sight};
use std::collections::BTreeSet;
use std::ops::Range;
use std::rc::Rc;
use wrapper::rule::paths::{Paths, PathsRun};

/// How many lists are given.
const LISTS: usize = 10;
/// How many candidates are kept until the end.
const KEPT: usize = 60;
/// What each step of a test takes from the score: of two tests that find about the same, the simpler one is right.
const DOUBT: f64 = 0.005;
/// The cost of leaving out records at both ends, which takes positions.
const BOUNDS: usize = 8;
/// The factor for records with different parents, which are more often two lists than one.
const APART: f64 = 0.95;
/// The factor for lists in a part of the page that its class or id calls a menu or the like.
const SAID_FRAME: f64 = 0.5;
/// How many records are looked at to tell what they are.
const LOOKED: usize = 30;
/// The factor for records that all have a date, a time or a price.
const DATA: f64 = 1.5;
/// The factor for records that are paragraphs of an article.
const PROSE: f64 = 0.05;
/// The factor for records that are sentences to be read, such as questions with answers and what customers say: lists of things have links or data.
const READ: f64 = 0.2;
/// The factor for what repeats in one thing.
const PART: f64 = 0.05;
/// How many characters a paragraph has, on average.
const SENTENCES: f64 = 120.0;
/// The factor for rows of a table whose columns have headings.
const HEADINGS: f64 = 1.25;
/// The factor for records that begin with numbers that count up.
const NUMBERED: f64 = 1.25;
/// The fewest records that lines with a blank line before each may begin.
const BEGUN: usize = 4;
/// There are at least this many rows for each line across the columns of a table.
const LINES: usize = 2;
/// A menu has at least this share of its text in links; the rest are headings.
const MENU: f64 = 0.75;
/// The factor for lists in parts of the page for getting around.
const FRAMING: f64 = 0.05;
/// The most records that may be sections with a list in each.
const SECTIONS: usize = 3;
/// How many inner records an outer one must have on average to be a section.
const PARTS: usize = 3;
/// The factor for records that are groups of rows below a heading, or that take the heading of the next group or the next record, or reach over a rule.
const GROUPED: f64 = 0.5;
/// The share of the score of the sections that the records in them must have.
const NEAR: f64 = 0.6;
/// The share of the score of the best list that one with larger records must have.
const OUTER: f64 = 0.6;
/// What this many records have beside them in the same element is a field that others lack, and no accident.
const REPEATED: usize = 2;
/// A list in the records of a better one with less than this share of its text is a field of it.
const FIELD: f64 = 0.5;
/// How alike, how long and how different the records in sections must be.
const INNER_ALIKE: f64 = 0.6;
const INNER_TEXT: f64 = 0.6;
/// The share of the text that is enough where nearly all records of the outer list have inner ones, and half of them several: the rest is what
/// sections say about themselves.
const SECTION_TEXT: f64 = 0.5;
/// The share of the records of a joined list that its best list must have.
const NEARLY_ALL: f64 = 0.9;
/// The shares that *nearly all* and *several in most* are.
const NEARLY: f64 = 0.8;
const HALF: f64 = 0.5;
const INNER_VARIETY: f64 = 0.7;
/// The most tokens that are compared, over all candidates of a page.
const WORK: usize = 40_000_000;

/// A list of records on a page.
#[derive(Clone, Debug)]
pub struct Region {
    /// The rule that finds its records.
    pub rule: Paths,
    /// The names of its fields.
    pub names: Vec<String>,
    /// The number of its records on the page.
    pub records: usize,
    /// How good it is; only for comparison with others of the page.
    pub score: f64,
    /// The heading above it.
    pub title: Option<String>,
    /// Are its records rows of a table with a heading for each column?
    pub headed: bool,
    /// Is the heading above each group of its records a field?
    pub grouped: bool,
    /// The fields that are found by labels, classes or forms of their own, not by their places.
    pub told: Vec<usize>,
}

/// A division of a row into records.
struct Candidate {
    items: Rc<Items>,
    heads: Heads,
    /// The items of each record.
    records: Vec<Range<usize>>,
    verdict: Verdict,
    /// Are its records parts of one thing?
    is_part: bool,
}

impl Candidate {
    /// The first node of each record.
    fn firsts(&self) -> Vec<NodeId> {
        self.records
            .iter()
            .map(|record| self.items.nodes[record.start])
            .collect()
    }

    /// The records that are looked at to tell what they are.
    fn looked(&self) -> &[Range<usize>] {
        &self.records[..self.records.len().min(LOOKED)]
    }

    /// The leaves of a record.
    fn leaves(&self, record: &Range<usize>) -> Range<usize> {
        self.items.leaves[record.start].start..self.items.leaves[record.end - 1].end
    }

    /// How many records there are, with those that were not compared.
    fn count(&self) -> usize {
        (self.records.len() as f64 * self.items.compared()) as usize
    }

    /// The first text of each record that may count.
    fn first_texts<'p>(&self, sight: &Sight<'p>, counts: fn(&Leaf) -> bool) -> Vec<&'p str> {
        let first = |record: &Range<usize>| {
            let leaves = &sight.leaves[self.items.leaves[record.start].clone()];
            let leaf = leaves.iter().find(|leaf| counts(leaf));
            leaf.map(|leaf| sight.page.string_value(leaf.node).trim())
        };
        self.records.iter().filter_map(first).collect()
    }

    /// The share of the records whose first text, or first text in a link, no other record begins with: a badge may be before the title.
    fn variety(&self, sight: &Sight<'_>) -> f64 {
        let share = |counts: fn(&Leaf) -> bool| {
            let mut firsts = self.first_texts(sight, counts);
            firsts.sort_unstable();
            firsts.dedup();
            firsts.len() as f64 / self.records.len() as f64
        };
        share(Leaf::is_wordy).max(share(|leaf| leaf.is_wordy() && leaf.link().is_some()))
    }

    /// Is a node in one of the records, but no beginning of one?
    fn holds(&self, page: &Page, node: NodeId) -> bool {
        let after = self
            .records
            .partition_point(|record| self.items.nodes[record.start] <= node);
        let Some(record) = after.checked_sub(1).map(|at| &self.records[at]) else {
            return false;
        };
        let (first, last) = (self.items.nodes[record.start], self.items.nodes[record.end - 1]);
        node > first && node < page.end(last)
    }
}

/// Finds the lists of records on a page, the best first; none if nothing repeats, or only what is for getting around. A stopped job ends the search early, with
/// what was found so far.
///
/// ```
/// use page::{Job, Page};
/// let html = "<h1>Books</h1><ul><li><a href=1>Kelp</a> by Ann<li><a href=2>Moss</a> by Bob<li><a href=3>Fern</a> by Cy</ul>";
/// let page = Page::parse_str(html, &Default::default())?;
/// let lists = learn::regions::find(&page, &Job::new());
/// assert_eq!((lists[0].records, lists[0].rule.each[0].as_str()), (3, "//ul/li"));
/// assert_eq!(lists[0].names[..2], ["title", "link"]);
/// # Ok::<(), page::LimitError>(())
/// ```
pub fn find(page: &Page, job: &Job) -> Vec<Region> {
    look(page, job).lists
}

/// What a single page has.
#[derive(Clone, Debug, Default)]
pub struct Found {
    /// Its lists of records, the best first.
    pub lists: Vec<Region>,
    /// What it says with labels about the one thing that it is about, if it is not about a list.
    pub thing: Option<Thing>,
}

/// Finds the lists of records on a page, as [`find`] does, or else the one thing that it is about.
pub fn look(page: &Page, job: &Job) -> Found {
    let sight = Sight::new(page);
    let (found, properties) = candidates(&sight, job);
    let is_list = |list: &Candidate| {
        !list.is_part
            && !menus::is_navigation(&sight, list)
            && !prose::reads_on(&sight, list)
            && !prose::are_paragraphs(&sight, list)
    };
    let has_list = found.iter().any(is_list);
    let thing = thing::find(&sight, properties, found.first().filter(|_| has_list));
    let mut lists = Vec::new();
    if has_list {
        let pages = [page];
        let naming = Naming::new(&pages);
        for candidate in &found {
            if lists.len() == LISTS || job.is_stopped() && !lists.is_empty() {
                break;
            }
            lists.extend(region(&sight, candidate, &naming));
        }
    }
    Found { lists, thing }
}

/// The list of one of several pages with what the same list on the others says about its records: the rule is that of the list of all pages, one after the
/// other (`joined`). None if the other pages have no records of it, or others than the page itself. Its paths to the records may be others, too.
pub fn find_joined(pages: &[&Page], from: usize, region: &Region, job: &Job) -> Option<Region> {
    let run = PathsRun::new(&region.rule).ok()?;
    let heads = |page: &&Page| run.page(page).iter().map(|record| record.node).collect();
    let heads: Vec<Vec<NodeId>> = pages.iter().map(heads).collect();
    let joined = joined::join(pages, from, &heads)?;
    let found = find(&joined.page, job);
    let is_same = |other: &&Region| other.records == joined.records;
    let mut joint = match found.iter().find(is_same) {
        Some(same) => same.clone(),
        None => {
            // Some records of the long list are odd; the paths of the page itself find them.
            let own: BTreeSet<NodeId> = nodes(&joined.page, &run);
            let is_part = |other: &&Region| {
                let those = PathsRun::new(&other.rule).map(|run| nodes(&joined.page, &run));
                let is_most = other.records as f64 >= NEARLY_ALL * joined.records as f64;
                is_most && those.is_ok_and(|those| those.is_subset(&own))
            };
            let part = found.iter().find(is_part)?;
            Region {
                rule: Paths {
                    each: region.rule.each.clone(),
                    ..part.rule.clone()
                },
                ..part.clone()
            }
        }
    };
    without_copies(&joined.page, &mut joint);
    keep_groups(region, &mut joint);
    Some(joint)
}

/// Gives the list of all pages the headings of groups that the list of the page itself has: the pages one after the other may lack the first of them.
fn keep_groups(region: &Region, joint: &mut Region) {
    let found = region.rule.fields.iter().position(groups::is_field);
    if let (false, Some(at)) = (joint.grouped, found)
        && !joint.names.contains(&region.names[at])
    {
        joint.rule.fields.push(region.rule.fields[at].clone());
        joint.names.push(region.names[at].clone());
        joint.grouped = true;
    }
}

/// The first nodes of the records of a page.
fn nodes(page: &Page, run: &PathsRun) -> BTreeSet<NodeId> {
    run.page(page).iter().map(|record| record.node).collect()
}

/// Drops fields without a name that have the values of another field in every record.
fn without_copies(page: &Page, region: &mut Region) {
    let Ok(run) = PathsRun::new(&region.rule) else { return };
    let mut texts: Vec<Vec<(usize, String)>> = vec![Vec::new(); region.names.len()];
    for (number, record) in run.page(page).into_iter().enumerate() {
        for value in record.values {
            texts[value.field].push((number, value.text));
        }
    }
    let is_copy = |at: usize| {
        let mut others = (0..texts.len()).filter(|other| *other != at && !is_unnamed(&region.names[*other]));
        is_unnamed(&region.names[at]) && others.any(|other| texts[other] == texts[at])
    };
    let copies: Vec<usize> = (0..texts.len()).filter(|at| is_copy(*at)).collect();
    for at in copies.into_iter().rev() {
        region.rule.fields.remove(at);
        region.names.remove(at);
        region.told.retain(|told| *told != at);
        region
            .told
            .iter_mut()
            .filter(|told| **told > at)
            .for_each(|told| *told -= 1);
    }
}

/// Is a name only a number?
fn is_unnamed(name: &str) -> bool {
    let number = name.strip_prefix("field_");
    number.is_some_and(|number| number.bytes().all(|byte| byte.is_ascii_digit()))
}

fn region(sight: &Sight<'_>, candidate: &Candidate, naming: &Naming<'_>) -> Option<Region> {
    let (each, firsts) = places::each(sight, candidate)?;
    let columns = columns::columns(sight, candidate, naming);
    if columns.is_empty() {
        return None;
    }
    let grouped = columns.iter().any(|column| groups::is_field(&column.field));
    let told = columns.iter().enumerate();
    let told = told.filter(|(_, column)| columns::is_told_by_words(&column.field));
    let told = told.map(|(number, _)| number).collect();
    let (names, fields) = columns.into_iter().map(|column| (column.name, column.field)).unzip();
    Some(Region {
        rule: Paths {
            each,
            fields,
            inner: Vec::new(),
        },
        names,
        records: firsts.len(),
        score: candidate.verdict.score,
        title: twins::title(sight, candidate),
        headed: cells::is_headed(sight.page, candidate),
        grouped,
        told,
    })
}

/// The best candidates, each unlike the better ones, and the properties of a thing among all.
fn candidates(sight: &Sight<'_>, job: &Job) -> (Vec<Candidate>, Vec<Property>) {
    let mut all: Vec<Candidate> = Vec::new();
    let mut lists: Vec<(Vec<NodeId>, f64)> = Vec::new();
    let mut lined: Vec<(Vec<NodeId>, Candidate)> = Vec::new();
    let mut work = 0;
    for items in items::rows(sight) {
        if work > WORK || job.is_stopped() {
            break;
        }
        let looks = Looks::new(sight, &items, 0..items.nodes.len().min(COMPARED));
        let items = Rc::new(items);
        for heads in heads::heads(sight, &items) {
            work += 2 * looks.cost();
            let single: Vec<Range<usize>> = heads.at.iter().map(|at| *at..*at + 1).collect();
            let spread = items.is_flat().then(|| spread(&looks, &items, &heads)).flatten();
            for records in [Some(single), spread].into_iter().flatten() {
                let given = records.len();
                let judged = match heads.numbered {
                    true => counted(&looks, records),
                    false => trimmed(&looks, records),
                };
                let judged = judged.map(|(records, verdict)| match groups::introduced(sight, &items, &records) {
                    0 => (records, verdict),
                    above => (records[above..].to_vec(), judge(&looks, &records[above..], false)),
                });
                if let Some((records, mut verdict)) = judged {
                    let bounds = if records.len() < given { BOUNDS } else { 0 };
                    verdict.score *= 1.0 - DOUBT * (heads.test.cost() + bounds) as f64;
                    // What was not compared counts like what was.
                    verdict.score *= items.compared();
                    verdict.text *= items.compared();
                    if !items.is_flat() {
                        verdict.score *= APART;
                    }
                    if sight.is_framing(items.nodes[records[0].start]) {
                        verdict.score *= FRAMING;
                    }
                    let mut candidate = Candidate {
                        items: items.clone(),
                        heads: heads.clone(),
                        records,
                        verdict,
                        is_part: false,
                    };
                    if groups::are_groups(sight, &candidate)
                        || groups::take_headings(sight, &candidate)
                        || groups::take_records(sight, &candidate)
                        || ruled::cross_rules(sight, &candidate)
                        || groups::reach_beyond(sight, &candidate)
                        || spans::are_parts(sight, &candidate)
                    {
                        candidate.verdict.score *= GROUPED;
                    }
                    match (groups::lists(sight, &candidate), without_lines(sight, &candidate)) {
                        (Some(found), _) => lists.push((found, candidate.verdict.score)),
                        (None, Some(rows)) => lined.push((rows, candidate)),
                        (None, None) => all.push(candidate),
                    }
                }
            }
        }
        if all.len() > 4 * KEPT {
            sort(&mut all);
            all.truncate(KEPT);
        }
    }
    // Lines between rows do not make a table worse.
    for (rows, candidate) in lined {
        let same = |other: &&mut Candidate| other.firsts() == rows;
        match all.iter_mut().find(same) {
            Some(other) => other.verdict.score = other.verdict.score.max(candidate.verdict.score),
            None => all.push(candidate),
        }
    }
    for (firsts, score) in &lists {
        twins::raise(sight.page, &mut all, firsts, *score);
        all.retain(|candidate| !groups::is_whole(sight.page, candidate, firsts));
    }
    sort(&mut all);
    all.truncate(KEPT);
    // Where there is anything else, links in sentences are neither a list nor the parts of a section.
    let is_read: Vec<bool> = all.iter().map(|list| prose::reads_on(sight, list)).collect();
    if is_read.contains(&false) {
        let mut is_read = is_read.into_iter();
        all.retain(|_| is_read.next() == Some(false));
    }
    let seen = seen::factors(sight, &all);
    let parts = parts::are_parts(sight, &all);
    for ((candidate, seen), is_part) in all.iter_mut().zip(seen).zip(parts) {
        candidate.verdict.score *= seen * told(sight, candidate) * if is_part { PART } else { 1.0 };
        candidate.is_part = is_part;
    }
    let properties = thing::all_properties(sight, &all);
    sort(&mut all);
    for family in twins::families(sight, &all) {
        if let Some(firsts) = twins::firsts(&all, &family) {
            all.retain(|candidate| !groups::is_whole(sight.page, candidate, &firsts));
        }
    }
    without_strays(sight, &mut all);
    whole_first(sight, &mut all);
    if !inner_first(sight, &mut all) {
        outer_first(sight, &mut all);
    }
    begun_first(sight, &mut all);
    lines_first(sight, &mut all);
    below_days_first(sight, &mut all);
    replies_first(sight, &mut all);
    twins::in_order(sight, &mut all);
    let mut kept: Vec<Candidate> = Vec::new();
    for candidate in all {
        let firsts = candidate.firsts();
        let by_place = candidate.heads.test.is_by_place();
        let known = |other: &Candidate| {
            let others = other.firsts();
            // One node of each record, or of some, is a field and no list.
            let part = firsts.len() <= others.len()
                && candidate.verdict.text < FIELD * other.verdict.text
                && firsts.iter().all(|first| other.holds(sight.page, *first));
            let less = by_place && firsts.iter().all(|first| others.binary_search(first).is_ok());
            others == firsts || part || less
        };
        if !kept.iter().any(known) {
            kept.push(candidate);
        }
    }
    (kept, properties)
}

/// The records without lines across all columns, if they are rows of a table and there are some, but mostly rows with several cells: an advert
/// or a heading is no record. Elsewhere, such a line is one in bold, the year of the meetings below it, say.
fn without_lines(sight: &Sight<'_>, candidate: &Candidate) -> Option<Vec<NodeId>> {
    let page = sight.page;
    let firsts = candidate.firsts();
    let is_single = |record: &Range<usize>| record.len() == 1;
    if !candidate.records.iter().all(is_single) {
        return None;
    }
    let is_table = page.name(firsts[0]) == "tr";
    let is_line = |row: &NodeId| {
        if !is_table {
            return groups::is_bold_line(sight, *row);
        }
        let mut cells = page.children(*row).filter(|child| page.is_element(*child));
        let is_wide = |cell: NodeId| {
            let columns = page.attribute_value(cell, "colspan");
            columns.and_then(|columns| columns.trim().parse().ok()).unwrap_or(1) > 1
        };
        matches!((cells.next(), cells.next()), (Some(only), None) if is_wide(only))
    };
    let rows: Vec<NodeId> = firsts.iter().copied().filter(|row| !is_line(row)).collect();
    let lines = firsts.len() - rows.len();
    (lines > 0 && lines * LINES <= rows.len()).then_some(rows)
}

/// The factor for what the values and the page say about a list: dates, times and prices are data, headings of columns are those of
/// a table of data, and a class or an id may call a part of the page a menu.
fn told(sight: &Sight<'_>, candidate: &Candidate) -> f64 {
    let data = seen::data(sight, candidate);
    let titled = if heads::has_headings(sight, &candidate.items) {
        HEADINGS
    } else {
        1.0
    };
    // What is called a menu, and is links, is one.
    let framed = match sight.says_frame(candidate.items.base) {
        true if seen::are_short_links(sight, candidate) && data < HALF => FRAMING,
        true => SAID_FRAME,
        false => 1.0,
    };
    let prose = match prose::are_paragraphs(sight, candidate) {
        true => PROSE,
        false if data == 0.0 && prose::are_read(sight, candidate) => READ,
        false => 1.0,
    };
    framed * titled * prose * (1.0 + (DATA - 1.0) * data)
}

/// Is a text a date, a time or a price?
fn is_data(text: &str) -> bool {
    use values::Kind::{Date, DateTime, Price, Time};
    is_one_of(text, &[Date, Time, DateTime, Price])
}

/// Is a text a date?
fn is_date(text: &str) -> bool {
    is_one_of(text, &[values::Kind::Date, values::Kind::DateTime])
}

fn is_one_of(text: &str, wanted: &[values::Kind]) -> bool {
    const LONGEST: usize = 80;
    text.len() <= LONGEST && {
        let kinds = kinds(text);
        wanted.iter().any(|kind| kinds.contains(*kind))
    }
}

/// Leaves out cards of several sections if one list has most of them: the others are what a shop recommends, say.
fn without_strays(sight: &Sight<'_>, all: &mut Vec<Candidate>) {
    let has_most = |list: &Candidate, cards: &Candidate| {
        let firsts = list.firsts();
        let is_in = |first: &&NodeId| firsts.binary_search(first).is_ok() || list.holds(sight.page, **first);
        !list.items.anywhere
            && list.records.len() * 2 >= cards.records.len()
            && cards.firsts().iter().filter(is_in).count() * 2 >= cards.records.len()
    };
    let strays: Vec<bool> = all
        .iter()
        .map(|cards| cards.items.anywhere && !cards.items.thread && all.iter().any(|list| has_most(list, cards)))
        .collect();
    let mut strays = strays.into_iter();
    all.retain(|_| !strays.next().unwrap_or(false));
}

/// Moves the list before the best one that has the same records and more of the same make, with the same class: what they contain may differ.
fn whole_first(sight: &Sight<'_>, all: &mut Vec<Candidate>) {
    let Some(best) = all.first() else { return };
    let firsts = best.firsts();
    let class = |node: NodeId| sight.page.attribute_value(node, "class").unwrap_or("").trim();
    let own = class(firsts[0]);
    let is_whole = |other: &Candidate| {
        let others = other.firsts();
        others.len() > firsts.len()
            && other.verdict.score >= NEARLY * best.verdict.score
            && Rc::ptr_eq(&other.items, &best.items)
            && firsts.iter().all(|first| others.binary_search(first).is_ok())
            && others.iter().all(|first| class(*first) == own)
    };
    if own.is_empty() || best.records.iter().any(|record| record.len() != 1) {
        return;
    }
    if let Some(at) = all.iter().take(KEPT).position(is_whole) {
        let whole = all.remove(at);
        all.insert(0, whole);
    }
}

/// Moves the best list before the sections that it is divided into: records that are lists of like things with different
/// names are not the records that are meant, and neither are lines with a list below each. True for such lines.
fn inner_first(sight: &Sight<'_>, all: &mut Vec<Candidate>) -> bool {
    let Some(outer) = all.first() else { return false };
    let is_inner = |inner: &Candidate| {
        let verdict = &inner.verdict;
        let alike = verdict.alike.iter().sum::<f64>() / verdict.alike.len().max(1) as f64;
        inner.count() >= PARTS * outer.count()
            && verdict.score >= NEAR * outer.verdict.score
            && verdict.rich >= 2.0
            && alike >= INNER_ALIKE
            && are_within(sight, outer, inner)
            && inner.variety(sight) >= INNER_VARIETY
    };
    let sections = all
        .iter()
        .take(KEPT)
        .position(|inner| groups::are_sections(sight, outer, inner));
    let inner = sections
        .or_else(|| all.iter().take(KEPT).position(is_inner))
        .or_else(|| list_of_few(sight, all));
    if let Some(at) = inner {
        let inner = all.remove(at);
        all.insert(0, inner);
    }
    sections.is_some()
}

/// Are the records of a list inside of those of another one, with most of their text?
fn are_within(sight: &Sight<'_>, outer: &Candidate, inner: &Candidate) -> bool {
    let firsts = inner.firsts();
    let inside = firsts.iter().filter(|first| outer.holds(sight.page, **first)).count();
    if inside == firsts.len() && inner.verdict.text >= INNER_TEXT * outer.verdict.text {
        return true;
    }
    let place = |node: NodeId| firsts.partition_point(|first| *first < node);
    let nodes = &outer.items.nodes;
    let parts = |record: &Range<usize>| place(sight.page.end(nodes[record.end - 1])) - place(nodes[record.start]);
    let parts: Vec<usize> = outer.records.iter().map(parts).collect();
    let with = |least: usize| parts.iter().filter(|parts| **parts >= least).count() as f64 / parts.len() as f64;
    inside as f64 >= NEARLY * firsts.len() as f64
        && with(1) >= NEARLY
        && with(2) >= HALF
        && inner.verdict.text >= SECTION_TEXT * outer.verdict.text
}

/// The best of the lists that two or three records of the best one consist of: sections of products with a heading each.
fn list_of_few(sight: &Sight<'_>, all: &[Candidate]) -> Option<usize> {
    let outer = all.first().filter(|outer| outer.records.len() <= SECTIONS)?;
    let nodes = &outer.items.nodes;
    let bounds = |record: &Range<usize>| (nodes[record.start], sight.page.end(nodes[record.end - 1]));
    let bounds: Vec<(NodeId, NodeId)> = outer.records.iter().map(bounds).collect();
    let mut texts = vec![0.0_f64; bounds.len()];
    let mut best: Option<usize> = None;
    for (at, inner) in all.iter().enumerate().take(KEPT).skip(1) {
        let verdict = &inner.verdict;
        let alike = verdict.alike.iter().sum::<f64>() / verdict.alike.len().max(1) as f64;
        let firsts = inner.firsts();
        let inside = |(from, to): &(NodeId, NodeId)| firsts.iter().all(|first| from < first && first < to);
        let Some(section) = bounds.iter().position(inside) else {
            continue;
        };
        if firsts.len() >= PARTS && verdict.rich >= 2.0 && alike >= INNER_ALIKE && inner.variety(sight) >= INNER_VARIETY
        {
            texts[section] = texts[section].max(verdict.text);
            best = best.or(Some(at));
        }
    }
    let are_lists = texts.iter().all(|text| *text > 0.0);
    best.filter(|_| are_lists && texts.iter().sum::<f64>() >= INNER_TEXT * outer.verdict.text)
}

/// Moves the list before the best one whose records are those of the best, each with something more beside it: a row with a title
/// and a date on the left and links on the right.
fn outer_first(sight: &Sight<'_>, all: &mut Vec<Candidate>) {
    let Some(inner) = all.first() else { return };
    let page = sight.page;
    let bounds = |candidate: &Candidate, record: &Range<usize>| {
        let nodes = &candidate.items.nodes;
        (nodes[record.start], page.end(nodes[record.end - 1]))
    };
    // Cells alone are no records: the rows that they are in are.
    let is_row = |outer: &Candidate| {
        inner.verdict.rich < 1.5
            && outer.verdict.rich >= 2.0
            && outer.count() * 2 <= inner.count()
            && outer.verdict.score >= NEAR * inner.verdict.score
            && inner.firsts().iter().filter(|first| outer.holds(page, **first)).count() * 10 >= inner.records.len() * 7
    };
    let is_outer = |outer: &Candidate| {
        if outer.records.len() != inner.records.len() || outer.verdict.score < OUTER * inner.verdict.score {
            return false;
        }
        let mut more = 0;
        let mut pairs = outer.records.iter().zip(&inner.records);
        pairs.all(|(out, inn)| {
            let ((out_start, out_end), (inn_start, inn_end)) = (bounds(outer, out), bounds(inner, inn));
            let leaves = |start: NodeId, end: NodeId| {
                let before = |node: NodeId| sight.leaves.partition_point(|leaf| leaf.node < node);
                before(end) - before(start)
            };
            more += usize::from(leaves(out_start, out_end) > leaves(inn_start, inn_end));
            out_start <= inn_start && inn_end <= out_end
        }) && (more * 2 >= inner.records.len() || more >= REPEATED && outer.records.iter().all(|out| out.len() == 1))
    };
    if let Some(at) = all.iter().take(KEPT).position(|outer| is_outer(outer) || is_row(outer)) {
        let outer = all.remove(at);
        all.insert(0, outer);
    }
}

/// Moves a list before the best one if its records begin with lines of one word, each after a blank line, and those of the best one begin
/// inside of them: a line with the date and number of a case, then a link to it, then a blank line.
fn begun_first(sight: &Sight<'_>, all: &mut Vec<Candidate>) {
    let Some(best) = all.first() else { return };
    let firsts = best.firsts();
    let is_begun = |other: &Candidate| {
        if !matches!(other.heads.test, Test::Begins(_)) || other.records.len() < BEGUN {
            return false;
        }
        let begins = other.firsts();
        // One record of the best list begins after each line and before the next; after the last, there may be links of the page.
        let place = |node: NodeId| firsts.partition_point(|first| *first < node);
        let alternate = begins.windows(2).all(|two| place(two[1]) == place(two[0]) + 1);
        let (from, last) = (place(begins[0]), place(begins[begins.len() - 1]));
        let blank = blank_before(sight.page, other.items.base);
        let is_after = |node: &NodeId| blank.binary_search(node).is_ok();
        other.items.base == best.items.base
            && alternate
            && last < firsts.len()
            && begins.iter().skip(1).all(is_after)
            && !firsts[from..=last].iter().any(is_after)
    };
    if let Some(at) = all.iter().take(KEPT).position(is_begun) {
        let begun = all.remove(at);
        all.insert(0, begun);
    }
}

/// Moves a list whose records begin with lines before the best one if the records of that begin in the middle of the same lines.
fn lines_first(sight: &Sight<'_>, all: &mut Vec<Candidate>) {
    let Some(best) = all.first() else { return };
    if !heads::begin_in_lines(sight, &best.items, &best.records) {
        return;
    }
    let are_lines = |other: &Candidate| {
        let is_same = Rc::ptr_eq(&other.items, &best.items) && other.records.len() == best.records.len();
        other.heads.test == Test::Line && is_same
    };
    if let Some(at) = all.iter().take(KEPT).position(are_lines) {
        let lines = all.remove(at);
        all.insert(0, lines);
    }
}

/// Moves a list before the best one whose records are a line with a day and the elements below it, if its own records are these elements: the day is the
/// heading of a group, even if most groups of the page have one record. Lines of one record are of different makes, or as many everywhere.
fn below_days_first(sight: &Sight<'_>, all: &mut Vec<Candidate>) {
    let Some(best) = all.first() else { return };
    let (page, items) = (sight.page, &best.items);
    let word = |node: NodeId| {
        page.attribute_value(node, "class")
            .and_then(|class| class.split_whitespace().next())
    };
    let below = |record: &Range<usize>| -> Option<Vec<usize>> {
        let mut full = record.clone().filter(|at| !items.leaves[*at].is_empty());
        let is_below = groups::is_day(sight, items, full.next()?);
        let others: Vec<usize> = full.collect();
        (is_below && !others.is_empty() && others.iter().all(|at| items.leaves[*at].len() >= 2)).then_some(others)
    };
    let Some(groups) = best.records.iter().map(below).collect::<Option<Vec<Vec<usize>>>>() else {
        return;
    };
    let below: Vec<NodeId> = groups.iter().flatten().map(|at| items.nodes[*at]).collect();
    let look = |node: NodeId| (page.name_of(node), word(node));
    let are_alike = below.iter().all(|node| look(*node) == look(below[0]));
    let differ = groups.iter().any(|group| group.len() != groups[0].len());
    if !are_alike || !differ && groups[0].len() > 1 && word(below[0]).is_none() {
        return;
    }
    // The last records of the page may have been left out.
    let is_same = |other: &Candidate| {
        let firsts = other.firsts();
        firsts.len() >= below.len()
            && firsts.starts_with(&below)
            && other.records.iter().all(|record| record.len() == 1)
    };
    if let Some(at) = all.iter().take(KEPT).position(is_same) {
        let other = all.remove(at);
        all.insert(0, other);
    }
}

/// Moves the messages of a thread before what they reply to with all replies.
fn replies_first(sight: &Sight<'_>, all: &mut Vec<Candidate>) {
    let Some(best) = all.first() else { return };
    let is_thread = |other: &Candidate| {
        let firsts = other.firsts();
        let inside = firsts.iter().filter(|first| best.holds(sight.page, **first)).count();
        other.items.thread && inside == firsts.len() && firsts.len() > best.records.len() && other.verdict.rich >= 2.0
    };
    if let Some(at) = all.iter().take(KEPT).position(is_thread) {
        let thread = all.remove(at);
        all.insert(0, thread);
    }
}

/// The children of an element that are right after a blank line: two line breaks, or a rule.
fn blank_before(page: &Page, parent: NodeId) -> Vec<NodeId> {
    let mut breaks = 0;
    let mut after = Vec::new();
    for child in page.children(parent) {
        match page.name(child) {
            "br" => breaks += 1,
            "hr" => breaks += 2,
            _ if page.kind(child) == Kind::Text && items::is_blank(page.string_value(child)) => {}
            _ => {
                if breaks >= 2 {
                    after.push(child);
                }
                breaks = 0;
            }
        }
    }
    after
}

fn sort(candidates: &mut [Candidate]) {
    candidates.sort_by(|one, other| other.verdict.score.total_cmp(&one.verdict.score));
}

/// The records that reach from each head to the next, if there is something between heads.
fn spread(looks: &Looks, items: &Items, heads: &Heads) -> Option<Vec<Range<usize>>> {
    let end = items.nodes.len().min(COMPARED);
    let ends = heads.at.iter().skip(1).copied().chain([end]);
    let mut records: Vec<Range<usize>> = heads.at.iter().zip(ends).map(|(at, end)| *at..end).collect();
    let last = looks.last(&records);
    records.last_mut()?.end = last;
    let full = |record: &Range<usize>| (record.start + 1..record.end).any(|at| !items.leaves[at].is_empty());
    records.iter().any(full).then_some(records)
}

/// Records that count themselves: all of them are records, however unlike.
fn counted(looks: &Looks, records: Vec<Range<usize>>) -> Option<(Vec<Range<usize>>, Verdict)> {
    let mut verdict = judge(looks, &records, true);
    verdict.score *= NUMBERED;
    (verdict.score > 0.0).then_some((records, verdict))
}

/// Leaves out the records at both ends that are unlike the others.
fn trimmed(looks: &Looks, mut records: Vec<Range<usize>>) -> Option<(Vec<Range<usize>>, Verdict)> {
    let mut verdict = judge(looks, &records, false);
    for _ in 0..3 {
        let low = |alike: &&f64| **alike < UNLIKE;
        let before = verdict.alike.iter().take_while(low).count();
        let after = verdict.alike.iter().rev().take_while(low).count();
        if before + after == 0 {
            break;
        }
        if before + after + 2 > records.len() {
            return None;
        }
        records.truncate(records.len() - after);
        records.drain(..before);
        verdict = judge(looks, &records, false);
    }
    (verdict.score > 0.0).then_some((records, verdict))
}
