//! The tokens of a site as numbered classes, and how often each occurs, counted without hashing.
//!
//! A class is a possible landmark of the plain search: a word, a tag, or a tag with an attribute or several. Of several attributes all
//! combinations are classes, each by its name or by its name and value: `n` attributes make at most 3ⁿ, so only the first
//! [`COMBINED`] attributes of a tag are combined. A combination that has the same tokens as a simpler class is left
//! out. The classes of every token are listed once; counting a region set then touches an array cell for each. Each cell stores the number of the
//! count that it belongs to, so cells are never cleared: the time of a count depends on its tokens, not on the number
//! of classes of the site.

use super::site::{Region, Site, Sym};
use std::collections::{HashMap, HashSet};
use wrapper::rule::landmark::Piece;

/// A possible landmark: a kind of tag or a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Class {
    Word(Sym),
    Tag(Sym),
    Attribute(Sym, Sym),
    /// A tag with several attributes, by the number of their combination.
    Attributes(Sym, u32),
}

/// How many attributes of a tag are combined.
const COMBINED: usize = 4;

/// The number of a class.
pub(super) type ClassId = u32;

/// The classes of the tokens of one page.
struct Listed {
    /// Where the classes of each token end.
    ends: Vec<u32>,
    ids: Vec<ClassId>,
}

#[derive(Clone, Copy, Default)]
struct Cell {
    /// The count that the cell belongs to.
    count: u32,
    /// The last region that has the class, counted from 1.
    region: u32,
    /// The number of regions that have it.
    ones: u32,
    /// The number of its tokens; a pair of tags counts both.
    tokens: u32,
    /// Does it occur twice in some region?
    doubled: bool,
}

/// A token that may be a landmark of a region set.
pub(super) struct Candidate {
    pub(super) class: Class,
    pub(super) ones: u32,
    /// Its position in each region that contains it.
    pub(super) places: Vec<Option<u32>>,
}

/// The classes of a site.
pub(super) struct Classes {
    names: Vec<Class>,
    /// The combinations of attributes.
    sets: Vec<Vec<Sym>>,
    /// Has a tag more attributes than are combined?
    pub(super) cut: bool,
    docs: Vec<Listed>,
    cells: Vec<Cell>,
    count: u32,
    touched: Vec<ClassId>,
}

/// All combinations of two attributes or more, and whether there are more attributes than are combined.
fn combinations(site: &Site<'_>, attributes: &[Sym]) -> (Vec<Vec<Sym>>, bool) {
    // An attribute is there by its name and, if its value tells something, by both.
    let mut names: Vec<Vec<Sym>> = Vec::new();
    for attribute in attributes {
        let name = |sym: &Sym| &site.attributes[*sym as usize].0;
        match names.iter_mut().find(|known| name(&known[0]) == name(attribute)) {
            Some(known) => known.push(*attribute),
            None => names.push(vec![*attribute]),
        }
    }
    let cut = names.len() > COMBINED;
    let mut sets: Vec<Vec<Sym>> = vec![Vec::new()];
    for name in names.iter().take(COMBINED) {
        let with = |set: &Vec<Sym>| name.iter().map(|sym| [&set[..], &[*sym]].concat()).collect::<Vec<_>>();
        let more: Vec<Vec<Sym>> = sets.iter().flat_map(with).collect();
        sets.extend(more);
    }
    sets.retain(|set| set.len() > 1);
    sets.iter_mut().for_each(|set| set.sort_unstable());
    (sets, cut)
}

impl Classes {
    pub(super) fn new(site: &Site<'_>) -> Classes {
        let mut classes = Classes {
            names: Vec::new(),
            sets: Vec::new(),
            cut: false,
            docs: Vec::new(),
            cells: Vec::new(),
            count: 0,
            touched: Vec::new(),
        };
        let mut numbers: HashMap<Class, ClassId> = HashMap::new();
        let mut sets: HashMap<Vec<Sym>, u32> = HashMap::new();
        for doc in &site.docs {
            let mut listed = Listed {
                ends: Vec::with_capacity(doc.tokens.tokens.len()),
                ids: Vec::new(),
            };
            for (place, token) in (0u32..).zip(&doc.tokens.tokens) {
                let mut take = |class: Class| {
                    let next = classes.names.len() as ClassId;
                    listed.ids.push(*numbers.entry(class).or_insert_with(|| {
                        classes.names.push(class);
                        next
                    }));
                };
                match token.piece {
                    Piece::Word | Piece::Text => take(Class::Word(doc.texts[place as usize])),
                    Piece::Start => {
                        let tag = doc.tags[place as usize];
                        take(Class::Tag(tag));
                        let attributes = doc.attributes(place);
                        attributes
                            .iter()
                            .for_each(|attribute| take(Class::Attribute(tag, *attribute)));
                        let (combined, cut) = combinations(site, attributes);
                        classes.cut |= cut;
                        for set in combined {
                            let next = sets.len() as u32;
                            let number = *sets.entry(set).or_insert(next);
                            take(Class::Attributes(tag, number));
                        }
                    }
                    Piece::End => {}
                }
                listed.ends.push(listed.ids.len() as u32);
            }
            classes.docs.push(listed);
        }
        let mut sets: Vec<(Vec<Sym>, u32)> = sets.into_iter().collect();
        sets.sort_unstable_by_key(|(_, number)| *number);
        classes.sets = sets.into_iter().map(|(set, _)| set).collect();
        classes.drop_twins();
        classes.cells = vec![Cell::default(); classes.names.len()];
        classes
    }

    /// Leaves out the combinations of attributes that have the same tokens as a simpler class.
    fn drop_twins(&mut self) {
        // The tokens of each class, as a hash and a number: hashes of 64 bits that agree by chance would leave out a landmark.
        let mut tokens: Vec<(u64, u32)> = vec![(0, 0); self.names.len()];
        for (doc, listed) in (0_u64..).zip(&self.docs) {
            let mut from = 0;
            for (place, to) in (0_u64..).zip(&listed.ends) {
                for id in &listed.ids[from as usize..*to as usize] {
                    let (hash, count) = &mut tokens[*id as usize];
                    let mixed = (*hash ^ (doc << 32 | place)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
                    (*hash, *count) = (mixed ^ (mixed >> 29), *count + 1);
                }
                from = *to;
            }
        }
        let length = |class: &Class| match class {
            Class::Attributes(_, set) => self.sets[*set as usize].len(),
            _ => 0,
        };
        let mut order: Vec<usize> = (0..self.names.len()).collect();
        order.sort_by_key(|id| (length(&self.names[*id]), *id));
        let mut known: HashSet<(u64, u32)> = HashSet::new();
        let mut twin = vec![false; self.names.len()];
        for id in order {
            let is_new = known.insert(tokens[id]);
            twin[id] = !is_new && matches!(self.names[id], Class::Attributes(..));
        }
        for listed in &mut self.docs {
            let (mut from, mut kept) = (0, Vec::with_capacity(listed.ids.len()));
            for to in &mut listed.ends {
                let ids = listed.ids[from..*to as usize].iter();
                kept.extend(ids.filter(|id| !twin[**id as usize]));
                from = *to as usize;
                *to = kept.len() as u32;
            }
            listed.ids = kept;
        }
    }

    /// The attributes of a class.
    pub(super) fn attributes(&self, class: Class) -> Vec<Sym> {
        match class {
            Class::Word(_) | Class::Tag(_) => Vec::new(),
            Class::Attribute(_, attribute) => vec![attribute],
            Class::Attributes(_, set) => self.sets[set as usize].clone(),
        }
    }

    /// The classes of a token, the one of its word or tag first.
    fn of(&self, doc: u32, place: u32) -> std::ops::Range<usize> {
        let ends = &self.docs[doc as usize].ends;
        let from = if place == 0 { 0 } else { ends[place as usize - 1] };
        from as usize..ends[place as usize] as usize
    }

    fn begin(&mut self) {
        self.touched.clear();
        self.count = self.count.wrapping_add(1);
        if self.count == 0 {
            // After four billion counts the numbers start again.
            self.cells.fill(Cell::default());
            self.count = 1;
        }
    }

    fn note(&mut self, id: ClassId, region: u32, tokens: u32) {
        let cell = &mut self.cells[id as usize];
        if cell.count != self.count {
            *cell = Cell {
                count: self.count,
                region,
                ones: 1,
                tokens,
                doubled: false,
            };
            self.touched.push(id);
        } else {
            cell.doubled |= cell.region == region;
            cell.ones += u32::from(cell.region != region);
            cell.region = region;
            cell.tokens += tokens;
        }
    }

    /// The tokens that may be landmarks of a region set: at most once in every region, and in at least `k` of them.
    pub(super) fn candidates(&mut self, site: &Site<'_>, regions: &[Region], k: usize) -> Vec<Candidate> {
        self.begin();
        for (number, region) in (1u32..).zip(regions) {
            let tokens = &site.docs[region.doc as usize].tokens.tokens;
            for place in region.from..region.to {
                let token = tokens[place as usize];
                if token.piece == Piece::Start && token.mate >= region.to {
                    continue;
                }
                for at in self.of(region.doc, place) {
                    self.note(self.docs[region.doc as usize].ids[at], number, 1);
                }
            }
        }
        let fits = |cell: &Cell| !cell.doubled && cell.ones as usize >= k;
        let mut touched = std::mem::take(&mut self.touched);
        touched.retain(|id| fits(&self.cells[*id as usize]));
        touched.sort_unstable_by_key(|id| {
            (
                std::cmp::Reverse(self.cells[*id as usize].ones),
                self.names[*id as usize],
            )
        });
        let mut found: Vec<Candidate> = touched
            .iter()
            .map(|id| Candidate {
                class: self.names[*id as usize],
                ones: self.cells[*id as usize].ones,
                places: vec![None; regions.len()],
            })
            .collect();
        // From here on a cell's `region` is the index of its candidate.
        for (at, id) in (0u32..).zip(&touched) {
            self.cells[*id as usize].region = at;
        }
        let sought = if found.is_empty() { &[] } else { regions };
        for (number, region) in sought.iter().enumerate() {
            let tokens = &site.docs[region.doc as usize].tokens.tokens;
            for place in region.from..region.to {
                let token = tokens[place as usize];
                if token.piece == Piece::Start && token.mate >= region.to {
                    continue;
                }
                for at in self.of(region.doc, place) {
                    let cell = &self.cells[self.docs[region.doc as usize].ids[at] as usize];
                    if fits(cell) {
                        found[cell.region as usize].places[number] = Some(place);
                    }
                }
            }
        }
        self.touched = touched;
        found
    }

    /// The number of tokens that no landmark below this region set can cover: those in fewer than `k` regions, and
    /// unpaired tags.
    pub(super) fn incompressible(&mut self, site: &Site<'_>, regions: &[Region], k: usize) -> u64 {
        self.begin();
        let mut bound = 0;
        for (number, region) in (1u32..).zip(regions) {
            let tokens = &site.docs[region.doc as usize].tokens.tokens;
            for place in region.from..region.to {
                let token = tokens[place as usize];
                let weight = match token.piece {
                    Piece::Word | Piece::Text => 1,
                    Piece::Start if token.mate < region.to => 2,
                    Piece::End if token.mate >= region.from => continue,
                    Piece::Start | Piece::End => {
                        bound += 1;
                        continue;
                    }
                };
                let at = self.of(region.doc, place).start;
                self.note(self.docs[region.doc as usize].ids[at], number, weight);
            }
        }
        let rare = self.touched.iter().map(|id| self.cells[*id as usize]);
        let rare = rare.filter(|cell| (cell.ones as usize) < k);
        bound + rare.map(|cell| u64::from(cell.tokens)).sum::<u64>()
    }

    /// The position of a class in each region of a set of which it is a landmark.
    pub(super) fn occurrences(&self, site: &Site<'_>, regions: &[Region], class: Class) -> Candidate {
        let is_there = |region: &Region, place: &u32| {
            let token = site.docs[region.doc as usize].tokens.tokens[*place as usize];
            let whole = token.piece != Piece::Start || token.mate < region.to;
            let mut ids = self.docs[region.doc as usize].ids[self.of(region.doc, *place)].iter();
            whole && ids.any(|id| self.names[*id as usize] == class)
        };
        let places: Vec<Option<u32>> = regions
            .iter()
            .map(|region| (region.from..region.to).find(|place| is_there(region, place)))
            .collect();
        Candidate {
            class,
            ones: places.iter().flatten().count() as u32,
            places,
        }
    }
}
