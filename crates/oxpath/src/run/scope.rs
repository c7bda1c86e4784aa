//! A page during a run, with everything that is remembered about it.
//!
//! Memo tables belong to a page and go with it, so the memory of a run does not grow with the number of its pages. Empty
//! tables are kept for the pages to come.

use super::frame::{Seen, Station};
use super::hash::Map;
use super::output::OutputId;
use crate::eval::Memory;
use crate::plan::Shared;
use page::NodeId;
use page::driver::Live;
use std::cell::{Cell, RefCell};
use std::collections::{HashMap, HashSet};
use std::hash::{Hash, Hasher};
use std::rc::Rc;

/// What tells pages apart for the guard against circles: a hash of the address and of what was typed; and of the text,
/// where the page was not asked for by its address alone, because a pager may post to one address forever.
pub(super) type Place = u64;

/// The pages that a repetition was on, on its way to the current tuple. Tuples are taken depth first, so what was
/// entered deeper than the current one belongs to branches that are done.
#[derive(Default)]
pub(super) struct Been {
    way: Vec<Place>,
    pub(super) places: HashSet<Place>,
}

impl Been {
    /// Enters a page after `deep` others on the way; false if the way has been there.
    pub(super) fn enter(&mut self, deep: usize, place: Place) -> bool {
        for left in self.way.drain(deep.min(self.way.len())..) {
            self.places.remove(&left);
        }
        let new = self.places.insert(place);
        if new {
            self.way.push(place);
        }
        new
    }
}

/// How many pages are in memory now, and were at most.
#[derive(Default)]
pub(super) struct PageCount {
    made: Cell<u64>,
    now: Cell<usize>,
    pub(super) most: Cell<usize>,
    /// Tables of pages that are gone, empty, for pages to come; never more than pages were held at once.
    spare: RefCell<Vec<Tables>>,
}

/// What is remembered of the tuples on a page.
#[derive(Default)]
pub(super) struct Tables {
    /// Outcomes of predicates.
    pub(super) tests: Map<(usize, NodeId, OutputId), bool>,
    /// Tuples that came to an operation.
    pub(super) seen: Map<Station, Seen>,
    /// What was extracted.
    pub(super) marks: Map<(usize, NodeId, OutputId), OutputId>,
}

impl Tables {
    /// Larger tables are not kept: one large page must not make all later pages expensive.
    const LARGE: usize = 4096;

    fn clear(&mut self) {
        self.tests.clear();
        self.seen.clear();
        self.marks.clear();
    }

    fn is_large(&self) -> bool {
        self.tests
            .capacity()
            .max(self.seen.capacity())
            .max(self.marks.capacity())
            > Tables::LARGE
    }
}

/// What walks gave, by operation and node.
type Walked = Map<(usize, NodeId), Rc<Vec<NodeId>>>;

/// A page on the current branch, with everything that is remembered about it.
pub(super) struct Scope {
    /// Different for every page of a run.
    pub(super) number: u64,
    /// How many pages from the start of its branch; the first is 1.
    pub(super) depth: usize,
    /// Was it asked for by its address and by nothing else?
    pub(super) by_address: bool,
    pub(super) live: Live,
    pub(super) memory: RefCell<Memory>,
    pub(super) tables: RefCell<Tables>,
    /// Walks that were taken ahead of their time, by operation and node.
    pub(super) walked: RefCell<Walked>,
    /// Actions that were performed, by operation and node.
    pub(super) asked: RefCell<HashSet<(usize, NodeId)>>,
    /// The first node whose action asked for an address, by operation and address.
    askers: RefCell<HashMap<(usize, String), NodeId>>,
    pages: Rc<PageCount>,
}

impl Scope {
    pub(super) fn new(live: Live, depth: usize, by_address: bool, shared: &Shared, pages: &Rc<PageCount>) -> Scope {
        pages.made.set(pages.made.get() + 1);
        pages.now.set(pages.now.get() + 1);
        pages.most.set(pages.most.get().max(pages.now.get()));
        let memory = RefCell::new(Memory::new(shared, &live.page));
        // Pages of one site are alike, so tables that need not grow again save a good part of the work on a page.
        let tables = pages.spare.borrow_mut().pop().unwrap_or_default();
        Scope {
            number: pages.made.get(),
            depth,
            by_address: by_address && !live.scripted,
            live,
            memory,
            tables: RefCell::new(tables),
            walked: RefCell::default(),
            asked: RefCell::default(),
            askers: RefCell::default(),
            pages: Rc::clone(pages),
        }
    }

    pub(super) fn place(&self) -> Place {
        let mut hasher = std::hash::DefaultHasher::new();
        self.live.url.split('#').next().hash(&mut hasher);
        if !self.by_address {
            self.live.page.text().hash(&mut hasher);
        }
        // A list of images has no text.
        if self.live.lasting.is_some() {
            self.live.page.elements().len().hash(&mut hasher);
        }
        if !self.live.fields.0.is_empty() {
            format!("{:?}", self.live.fields).hash(&mut hasher);
        }
        hasher.finish()
    }

    /// The first node on the page whose action asked for that address.
    pub(super) fn first_to_ask(&self, op: usize, url: &str, node: NodeId) -> NodeId {
        *self.askers.borrow_mut().entry((op, url.to_owned())).or_insert(node)
    }
}

impl Drop for Scope {
    fn drop(&mut self) {
        self.pages.now.set(self.pages.now.get() - 1);
        let mut tables = self.tables.take();
        if !tables.is_large() {
            tables.clear();
            self.pages.spare.borrow_mut().push(tables);
        }
    }
}
