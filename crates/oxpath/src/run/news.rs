//! Repetitions over states of one page: what is new in each.
//!
//! `(//button.more/{click /})*//li:<item>` comes to one state of the page after the other. Each contains the items of the
//! states before, and each item is wanted once. So the first walk after a repetition gives only nodes that are *new*: not
//! those that it has given in an earlier state of the same page. This needs a driver that says which elements last from
//! state to state ([`Lasting`]); pages that are reached by an address, and drivers without scripts, are not affected.
//!
//! Scripts change pages in three ways, and all three must give N records for N items:
//!
//! 1. *Elements are added.* The elements of the old rows last, with their content. These rows are old.
//! 2. *The whole list is rendered again*, or the state was brought back in another tab. No element lasts. If the contents of
//!    the rows before are all there, in their order, the rows with these contents are old. If not, it is another list (the
//!    next page of a pager, say), and all its rows are new, also those that look like earlier ones. Within a state, rows with
//!    the same content are different rows in any case.
//! 3. *Elements are used again* for other rows, as some libraries do in a pager. Elements last, but their content changes. If
//!    that is so for more than one in ten, elements say nothing about rows, and contents decide as in (2).
//!
//! The *content* of a row is its text and its `href` and `alt` attributes; images that are loaded late, classes and styles
//! change other attributes of rows that stay what they are. All attributes count if a row has none of these.
//!
//! A node may say little: a price, or "in stock". It is the same only if its row is, and the row is the largest element
//! around the node that contains no other node of the walk. The larger of two rows that are compared is cut to the size of
//! the smaller, because a first row is alone until the second one comes. A row may contain the list that grows, or be the
//! whole page, if the walk found a single node. So a row is also the same if the innermost element around the node that is
//! different has only got more children; from then on, this element is not part of the row. If the repetition only
//! scrolls, a single node is the same if its own content is.
//!
//! **The end.** A repetition ends when a state has nothing new: the walk after it gave nodes, all of them old, and the page
//! has no more elements than before. A page that is slow has [`PATIENCE`] to change by itself first. If the page grows, but
//! nothing new comes of it for [`MOST_BARREN`] rounds, the repetition ends with a warning; the same if all that is new is
//! that a row has changed, or the page around the only node, because a clock would keep the repetition going for ever. If
//! the walk gave no nodes at all nothing can be said, and the repetition goes on as on other pages. An upper bound in the
//! expression is kept to: the repetition goes on until it.
//!
//! **Cost**: linear in the text of the rows, times the depth of nodes within their rows. Only the last list is kept.
//!
//! **Known failures.** A row whose text changes is given again, with its new text: relative times, counters. If a list is
//! rendered again and shows only a part of the rows before beside new ones, all of them are given again. A single node is
//! given again if a click changes a text elsewhere before it has added anything. Of two lists in a row that have the same
//! contents throughout, the second is taken for the first.

use super::output::OutputId;
use page::driver::{Lasting, Live};
use page::{Kind, NodeId, Page};
use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::{Duration, Instant};

/// How long a page may do nothing before the repetition ends.
pub(super) const PATIENCE: Duration = Duration::from_secs(3);
/// How many rounds may give nothing new while the page grows: a list of a hundred rows, of which few are wanted.
pub(super) const MOST_BARREN: u32 = 20;
/// If more than one in this number of elements changed, they are used for other rows.
const ONE_IN: usize = 10;
/// Further up than this, nothing is looked at.
const MOST_LEVELS: usize = 48;

/// What a repetition has given on the states of a page.
#[derive(Default)]
pub(super) struct News {
    /// Does the repetition only scroll? Then nothing is replaced by something else.
    scrolls: bool,
    page: Option<u64>,
    lists: HashMap<Walk, Vec<Row>>,
    /// The most elements that a state had, and whether the present one has more than those before.
    most: usize,
    grew: bool,
    /// Nodes of the present state: how many are old, how many are new, and how many of these only changed.
    old: usize,
    new: usize,
    changed: usize,
    /// How many rounds, and since when, there was nothing new.
    barren: u32,
    since: Option<Instant>,
}

/// A walk after a repetition: what it gives depends on this and the state.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Walk {
    pub(super) op: usize,
    pub(super) parent: OutputId,
    pub(super) last: OutputId,
    /// The number of the element where it starts; 0 for the document.
    pub(super) start: u64,
}

/// Whether a repetition goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Goes {
    On,
    /// Only if the page changes by itself within this time.
    IfChanged(Duration),
    /// No: nothing new came for too long.
    Barren,
}

/// A node that a walk gave.
#[derive(Debug)]
struct Row {
    /// The number of its element, and which of the nodes of that element it is.
    element: (u64, u32),
    /// The contents of the node and of what is around it, up to its row.
    contents: Vec<u64>,
    /// The contents of the children of what is around it.
    children: Vec<Vec<u64>>,
}

impl Row {
    /// Is it the row that another one was before? Then gives how many levels of it are known to be the row.
    fn was(&self, before: &Row) -> Option<usize> {
        let mut levels = self.contents.iter().zip(&before.contents);
        match levels.position(|(now, before)| now != before) {
            None => Some(self.contents.len().min(before.contents.len())),
            Some(0) => None,
            Some(level) => {
                let (now, before) = (&self.children[level - 1], &before.children[level - 1]);
                let mut rest = now.iter();
                let grew = now.len() > before.len() && before.iter().all(|child| rest.any(|now| now == child));
                grew.then_some(level)
            }
        }
    }

    /// Leaves out what is not part of the row.
    fn cut(&mut self, levels: usize) {
        self.contents.truncate(levels);
        self.children.truncate(levels.saturating_sub(1));
    }

    fn is_of_document(&self, other: &Row) -> bool {
        self.element.0 >> 32 == other.element.0 >> 32
    }
}

impl News {
    /// For a repetition that only scrolls, or also does something else.
    pub(super) fn new(scrolls: bool) -> News {
        News {
            scrolls,
            ..News::default()
        }
    }

    /// Is it a state of the page that the repetition is on?
    pub(super) fn is_on(&self, live: &Live) -> bool {
        live.lasting
            .as_ref()
            .is_some_and(|lasting| self.page == Some(lasting.page))
    }

    /// Comes to a state.
    pub(super) fn enter(&mut self, live: &Live) {
        if !self.is_on(live) {
            *self = News {
                page: live.lasting.as_ref().map(|lasting| lasting.page),
                ..News::new(self.scrolls)
            };
        }
        let elements = live.page.elements().len();
        self.grew = elements > self.most;
        self.most = self.most.max(elements);
        (self.old, self.new, self.changed) = (0, 0, 0);
    }

    /// What is new of what a walk found.
    pub(super) fn only_new(&mut self, walk: Walk, live: &Live, found: Vec<NodeId>) -> Vec<NodeId> {
        let Some(lasting) = &live.lasting else { return found };
        let mut rows = rows(&live.page, lasting, &found);
        if let [row] = &mut rows[..]
            && self.scrolls
        {
            row.cut(1);
        }
        let before = self.lists.entry(walk).or_default();
        let (old, changed) = old(before, &rows);
        for (row, levels) in rows.iter_mut().zip(&old) {
            levels.iter().for_each(|levels| row.cut(*levels));
        }
        self.changed += changed;
        let count = old.iter().flatten().count();
        self.old += count;
        self.new += rows.len() - count;
        // A list that shows less for a moment is not forgotten.
        if count < rows.len() || rows.len() >= before.len() {
            *before = rows;
        }
        let new = found.into_iter().zip(old).filter(|(_, old)| old.is_none());
        new.map(|(node, _)| node).collect()
    }

    /// Does the repetition go on after this state?
    pub(super) fn goes_on(&mut self) -> Goes {
        if self.new > self.changed || self.new + self.old == 0 {
            (self.since, self.barren) = (None, 0);
            return Goes::On;
        }
        if self.grew || self.new > 0 {
            self.since = None;
            self.barren += 1;
            return if self.barren < MOST_BARREN {
                Goes::On
            } else {
                Goes::Barren
            };
        }
        Goes::IfChanged(self.patience())
    }

    /// The rest of the time in which the page may do nothing.
    pub(super) fn patience(&mut self) -> Duration {
        let since = *self.since.get_or_insert_with(Instant::now);
        PATIENCE.saturating_sub(since.elapsed())
    }
}

/// The rows that were there before, each with what [`Row::was`] gives; and how many others only changed since.
fn old(before: &[Row], now: &[Row]) -> (Vec<Option<usize>>, usize) {
    let known: HashMap<(u64, u32), &Row> = before.iter().map(|row| (row.element, row)).collect();
    let mut old: Vec<Option<usize>> = now
        .iter()
        .map(|row| known.get(&row.element).and_then(|before| row.was(before)))
        .collect();
    let same = old.iter().flatten().count();
    let lasted = now.iter().filter(|row| known.contains_key(&row.element)).count();
    let changed = lasted - same;
    let used_again = changed * ONE_IN > same;
    let only_changed = match (before, now) {
        // What is around it changed.
        ([before], [now]) if before.contents.first() == now.contents.first() => changed,
        _ if used_again => 0,
        _ => changed,
    };
    if used_again {
        old.fill(None);
    }
    // The rows before whose elements are gone, and the rows now whose elements were not there.
    let present: HashSet<(u64, u32)> = now.iter().map(|row| row.element).collect();
    let gone: Vec<&Row> = before
        .iter()
        .filter(|row| used_again || !present.contains(&row.element))
        .collect();
    let came: Vec<usize> = (0..now.len())
        .filter(|at| used_again || !known.contains_key(&now[*at].element))
        .collect();
    let mut rest = came.iter();
    let again: Option<Vec<(usize, usize)>> = gone
        .iter()
        .map(|row| rest.find_map(|at| Some((*at, now[*at].was(row)?))))
        .collect();
    let is_copy = |(row, at): (&&Row, &usize)| !now[*at].is_of_document(row);
    let again = match again {
        // Another copy of the page may be in an earlier state.
        None if gone.first().zip(came.first()).is_some_and(is_copy) => {
            let mut rest = gone.iter();
            let find = |at: &usize| rest.find_map(|row| Some((*at, now[*at].was(row)?)));
            came.iter().map(find).collect()
        }
        again => again,
    };
    for (at, levels) in again.into_iter().flatten() {
        old[at] = Some(levels);
    }
    (old, only_changed)
}

/// The nodes of a walk, in document order, as rows.
fn rows(page: &Page, lasting: &Lasting, nodes: &[NodeId]) -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::with_capacity(nodes.len());
    for (at, node) in nodes.iter().enumerate() {
        let element = match page.is_element(*node) {
            true => Some(*node),
            false => page.parent(*node).filter(|parent| page.is_element(*parent)),
        };
        let rank = element.and_then(|element| page.elements().binary_search(&element).ok());
        let number = rank.and_then(|rank| lasting.elements.get(rank)).copied().unwrap_or(0);
        let turn = match rows.last() {
            Some(row) if row.element.0 == number && !page.is_element(*node) => row.element.1 + 1,
            _ => 0,
        };
        let before = at.checked_sub(1).and_then(|at| nodes.get(at));
        let after = nodes.get(at + 1);
        let alone = |around: NodeId| {
            before.is_none_or(|before| *before < around) && after.is_none_or(|after| *after >= page.end(around))
        };
        let around = page.ancestors(*node).take_while(|around| alone(*around));
        let around: Vec<NodeId> = around.take(MOST_LEVELS).collect();
        let inside_out = std::iter::once(node).chain(&around);
        let children = around.iter().map(|around| {
            let elements = page.children(*around).filter(|child| page.is_element(*child));
            elements.map(|child| content(page, child)).collect()
        });
        rows.push(Row {
            element: (number, turn),
            contents: inside_out.map(|node| content(page, *node)).collect(),
            children: children.collect(),
        });
    }
    rows
}

/// The content of a node.
fn content(page: &Page, node: NodeId) -> u64 {
    let mut hasher = DefaultHasher::new();
    let text = page.string_value(node).trim();
    text.hash(&mut hasher);
    if matches!(page.kind(node), Kind::Element | Kind::Document) {
        let attributes = || {
            let inside = (node.0..page.end(node).0).map(NodeId);
            inside.filter(|inner| page.is_attribute(*inner) && !page.is_style(*inner))
        };
        let mut says = !text.is_empty();
        for attribute in attributes().filter(|attribute| matches!(page.name(*attribute), "href" | "alt")) {
            says |= !page.string_value(attribute).is_empty();
            page.string_value(attribute).hash(&mut hasher);
        }
        if !says {
            for attribute in attributes() {
                (page.name(attribute), page.string_value(attribute)).hash(&mut hasher);
            }
        }
    }
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    /// Rows: the number of the element, and the markup inside.
    type List<'l> = &'l [(u64, &'l str)];

    const WALK: Walk = Walk {
        op: 1,
        parent: OutputId::ROOT,
        last: OutputId::ROOT,
        start: 0,
    };

    /// A page with a list and a text, in which the walk goes to the elements of a name.
    fn state(list: List<'_>, text: &str, name: &str) -> (Live, Vec<NodeId>) {
        let rows: String = list.iter().map(|(_, inside)| format!("<li>{inside}</li>")).collect();
        let html = format!("<h1>{text}</h1><ul>{rows}</ul>");
        let page = Page::parse_str(&html, &page::Limits::default()).expect("a page");
        let named = |name: &str| -> Vec<NodeId> {
            let elements = page.elements().iter().copied();
            elements.filter(|element| page.name(*element) == name).collect()
        };
        let items = named("li");
        // What is inside a row has the number of the row, and more.
        let number = |element: &NodeId| {
            let row = items.iter().position(|item| (*item..page.end(*item)).contains(element));
            row.map_or((1 << 20) + u64::from(element.0), |row| {
                list[row].0 * 64 + u64::from(element.0 - items[row].0)
            })
        };
        let elements: Arc<[u64]> = page.elements().iter().map(number).collect();
        let found = named(name);
        let live = Live {
            lasting: Some(Lasting { page: 7, elements }),
            ..Live::new(Arc::new(page), "http://a/")
        };
        (live, found)
    }

    /// What is new in each of several states: the texts of the elements of that name.
    fn news(name: &str, states: &[List<'_>]) -> Vec<Vec<String>> {
        let mut news = News::default();
        let states = states.iter().enumerate();
        states
            .map(|(at, list)| {
                let (live, found) = state(list, &at.to_string(), name);
                news.enter(&live);
                let new = news.only_new(WALK, &live, found);
                new.iter()
                    .map(|node| live.page.string_value(*node).to_owned())
                    .collect()
            })
            .collect()
    }

    #[track_caller]
    fn check(name: &str, states: &[List<'_>], expected: &[&[&str]]) {
        assert_eq!(news(name, states), expected);
    }

    #[test]
    fn added_rows_are_new_even_if_they_look_like_others() {
        let all: List<'_> = &[(1, "a"), (2, "b"), (3, "a"), (4, "a"), (5, "c")];
        check(
            "li",
            &[&all[..2], &all[..4], all, all],
            &[&["a", "b"], &["a", "a"], &["c"], &[]],
        );
        // In front, between, and where one leaves.
        check(
            "li",
            &[&[(2, "b")], &[(1, "a"), (2, "b"), (3, "c")]],
            &[&["b"], &["a", "c"]],
        );
        check("li", &[&all[..4], &all[2..]], &[&["a", "b", "a", "a"], &["c"]]);
    }

    #[test]
    fn rows_that_are_rendered_again_are_not_new() {
        check(
            "li",
            &[
                &[(1, "a"), (2, "b"), (3, "a")],
                &[(11, "a"), (12, "b"), (13, "a"), (14, "a"), (15, "c")],
                &[],
                &[(21, "new"), (22, "a"), (23, "b"), (24, "a"), (25, "a"), (26, "c")],
            ],
            &[&["a", "b", "a"], &["a", "c"], &[], &["new"]],
        );
        // The last row was replaced when the others came.
        check(
            "li",
            &[&[(1, "a"), (2, "b")], &[(1, "a"), (3, "b"), (4, "c")]],
            &[&["a", "b"], &["c"]],
        );
    }

    #[test]
    fn another_list_is_new_also_where_it_looks_the_same() {
        let expected: &[&[&str]] = &[&["a", "ok", "b"], &["c", "ok", "d"]];
        let first: List<'_> = &[(1, "a"), (2, "ok"), (3, "b")];
        check("li", &[first, &[(4, "c"), (5, "ok"), (6, "d")]], expected);
        // The same elements, used again.
        check("li", &[first, &[(1, "c"), (2, "ok"), (3, "d")]], expected);
        // Used again, and yet the list only grew at its front.
        check(
            "li",
            &[first, &[(1, "c"), (2, "a"), (3, "ok"), (4, "b")]],
            &[&["a", "ok", "b"], &["c"]],
        );
    }

    #[test]
    fn a_node_is_the_same_if_its_row_is() {
        let first: List<'_> = &[(1, "<b>pen</b><i>ok</i>"), (2, "<b>cup</b><i>ok</i>")];
        check(
            "i",
            &[first, &[(1, "<b>hat</b><i>ok</i>"), (2, "<b>map</b><i>ok</i>")]],
            &[&["ok", "ok"], &["ok", "ok"]],
        );
        check(
            "i",
            &[first, &[first[0], first[1], (3, "<b>hat</b><i>ok</i>")]],
            &[&["ok", "ok"], &["ok"]],
        );
        // The first row is alone until the second one comes.
        check("i", &[&first[..1], first], &[&["ok"], &["ok"]]);
        // A node that is alone has the page for its row, and the text says which state that is.
        check("ul", &[&[(1, "a")], &[(1, "a")]], &[&["a"], &["a"]]);
        // It is the same as long as the page only grows, with all elements new or none.
        let rare: List<'_> = &[(1, "<b>pen</b><i>rare</i>"), (2, "cup"), (3, "hat"), (4, "map")];
        let again: List<'_> = &[(11, "<b>pen</b><i>rare</i>"), (12, "cup"), (13, "hat"), (14, "map")];
        check("i", &[&rare[..1], &rare[..3], rare], &[&["rare"], &[], &[]]);
        check("i", &[&rare[..2], again], &[&["rare"], &[]]);
        // Once it has grown, it is known where the row ends, and what happens elsewhere does not matter.
        check("i", &[&rare[..2], rare, rare], &[&["rare"], &[], &[]]);
        check("i", &[rare, rare], &[&["rare"], &["rare"]]);
        check(
            "i",
            &[&rare[..2], &[(1, "<b>hat</b><i>rare</i>"), (2, "map")]],
            &[&["rare"], &["rare"]],
        );
        check(
            "i",
            &[&rare[..2], &[(1, "<b>pen</b><i>rare</i>"), (2, "map")]],
            &[&["rare"], &["rare"]],
        );
    }

    #[test]
    fn rows_stay_what_they_are_when_images_load() {
        let before: List<'_> = &[
            (1, "<a href=/1><img data-src=x></a>"),
            (2, "<a href=/2><img data-src=y></a>"),
        ];
        let after: List<'_> = &[
            (1, "<a href=/1><img class=on src=x></a>"),
            (2, "<a href=/2><img src=y></a>"),
        ];
        check("li", &[before, after], &[&["", ""], &[]]);
        // Where there is nothing else, the image is what it shows.
        check("li", &[&[(1, "<img src=a>")], &[(1, "<img src=b>")]], &[&[""], &[""]]);
    }

    #[test]
    fn a_state_that_was_brought_back_is_not_new() {
        // The elements are those of another document, so their numbers begin with another.
        const OTHER: u64 = 1 << (32 - 6);
        let first: List<'_> = &[(1, "a"), (2, "b"), (3, "c")];
        check(
            "li",
            &[first, &[(OTHER, "a"), (OTHER + 1, "b")]],
            &[&["a", "b", "c"], &[]],
        );
        // In the same document it is a shorter page of a pager.
        check(
            "li",
            &[first, &[(11, "a"), (12, "b")]],
            &[&["a", "b", "c"], &["a", "b"]],
        );
    }

    #[test]
    fn it_ends_when_there_is_nothing_new() {
        let mut news = News::default();
        let mut come = |list: List<'_>, text: &str| {
            let (live, found) = state(list, text, "li");
            news.enter(&live);
            news.only_new(WALK, &live, found);
            news.goes_on()
        };
        assert_eq!(come(&[], "1"), Goes::On);
        assert_eq!(come(&[(1, "a")], "1"), Goes::On);
        assert!(matches!(come(&[(1, "a")], "1"), Goes::IfChanged(left) if left > PATIENCE / 2));
        let two: List<'_> = &[(1, "a"), (2, "b")];
        assert_eq!(come(two, "2"), Goes::On);
        assert!(matches!(come(two, "3"), Goes::IfChanged(_)));
        // The page grows, but not by what is asked for.
        for round in 1..MOST_BARREN {
            assert_eq!(come(two, &"<b></b>".repeat(round as usize)), Goes::On);
        }
        assert_eq!(come(two, &"<b></b>".repeat(100)), Goes::Barren);
    }

    #[test]
    fn a_clock_does_not_keep_it_going() {
        let rounds = |list: &dyn Fn(u32) -> String, count: u64| {
            let mut news = News::default();
            let goes = (0..100).map(|round| {
                let inside = list(round);
                let mut rows: Vec<(u64, &str)> = (0..count).map(|row| (row, "a")).collect();
                rows[0].1 = &inside;
                let (live, found) = state(&rows, &round.to_string(), "li");
                news.enter(&live);
                news.only_new(WALK, &live, found);
                news.goes_on()
            });
            goes.take_while(|goes| *goes == Goes::On).count()
        };
        // Beside the list, with one row and with several; in a row.
        assert_eq!(rounds(&|_| "a".to_owned(), 1), MOST_BARREN as usize);
        assert_eq!(rounds(&|_| "a".to_owned(), 2), 1);
        assert_eq!(rounds(&|round| format!("{round} s ago"), 50), MOST_BARREN as usize);
        // A pager with one row on each page, in the same element.
        assert_eq!(rounds(&|round| format!("item {round}"), 1), 100);
    }
}
