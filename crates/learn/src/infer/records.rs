//! Landmark grammars that are optimized for records: a field should contain the same datum on every page.
//!
//! Extracting the fewest tokens does not give the best records: that objective splits values at words that happen to
//! repeat, joins a value to its neighbour where a landmark is missing, and cannot express lists. So this learner
//! departs from the paper.
//!
//! - **Regions are runs of siblings**, and text nodes are whole. A landmark is a unit of the run, and can also be
//!   identified by what is inside it, so that the row that contains `Price:` is found though rows have no attributes.
//!   No split divides an element.
//! - **Landmarks are chosen by description length** ([`super::landmarks`]), all of a region at once. A landmark that is
//!   missing on a page does not affect the others: its stretch goes to the part after the last landmark that is
//!   present, or, if that part finds nothing, to the part after the missing one.
//! - **Lists**: where units of a tag repeat and nothing distinguishes them, the run is cut at each of them and the
//!   items are one region set, whichever page they are from.
//! - **Enclosing elements that only some pages have** (a link around a name) are removed where their content is what
//!   the other pages have.
//! - **Blocks with an `id` that stand under different parents** are looked at by themselves ([`super::blocks`]).
//! - **Groups**: an element that contains several values in running text, such as an address, is also a field of all of
//!   them.
//! - **Constants are not fields**, except where most fields in the same kind of place vary: there a text is a value
//!   that happens to be the same on all pages seen.
//!
//! The search is greedy: a landmark that all pages have, in the same order, is almost always right; the choice between
//! list and landmark is what matters. The time is that of counting the units' features once for each level of the tree,
//! `tokens × depth`; the memory is the same for one level.
//!
//! Known failures: values that only their column's heading distinguishes, when columns differ from page to page, and rows that move to another
//! parent (both are left to [`super::labelled`]); two mentions of one datum in different places are two fields.

use super::LandmarkSettings;
use super::blocks::{self, Block};
use super::landmarks::Group;
use super::site::{Doc, NO_TEXT, Region, Site, Sym, TEXT};
use super::wrapped::Wrapped;
use page::NodeId;
use std::collections::HashMap;
use wrapper::rule::landmark::{Grain, Landmark, Landmarks, Mark, Part, PartId, Piece, Slot};

/// Deeper regions are left whole.
const DEEPEST: usize = 300;

/// A field of texts.
struct Leaf {
    field: u32,
    /// Is its text the same everywhere?
    constant: bool,
    /// The kind of place it is in.
    place: u64,
}

/// What has been learned so far.
pub(super) struct Learner<'s, 'p> {
    pub(super) site: &'s mut Site<'p>,
    parts: Vec<Part>,
    slots: Vec<Slot>,
    leaves: Vec<Leaf>,
    /// The region set in which each unit was met last, by page and position.
    met: Vec<Vec<PartId>>,
    splits: u64,
    /// Region sets that are known and not yet divided.
    left: u64,
    pub(super) settings: &'s LandmarkSettings,
}

/// The rule, and the number of splits.
///
/// If blocks turn out to stand under different parents, the pages are looked at again without them, and the blocks by themselves.
pub(super) fn infer(site: &mut Site<'_>, settings: &LandmarkSettings) -> (Landmarks, u64) {
    let blocks = blocks::blocks(site, settings.k(site.docs.len()));
    let mut apart: Vec<usize> = Vec::new();
    let (mut rule, mut splits, met) = learn(site, settings, &[], &[]);
    let mut moved = blocks::moved(site, &blocks, &apart, &met);
    let mut plain: Option<Vec<Doc<'_>>> = None;
    for _ in 0..blocks::ROUNDS {
        if moved.is_empty() || settings.stopped() {
            break;
        }
        apart.extend(moved);
        let docs = plain.get_or_insert_with(|| std::mem::take(&mut site.docs));
        let chosen: Vec<&Block> = apart.iter().map(|number| &blocks[*number]).collect();
        let mut starts = Vec::new();
        site.docs.clear();
        for (number, doc) in docs.iter().enumerate() {
            let elements: Vec<NodeId> = chosen.iter().filter_map(|block| block.elements[number]).collect();
            let (doc, begins) = doc.apart(&elements);
            site.docs.push(doc);
            starts.push(begins);
        }
        let (again, more, met) = learn(site, settings, &chosen, &starts);
        (rule, splits) = (again, splits + more);
        moved = blocks::moved(site, &blocks, &apart, &met);
    }
    if let Some(docs) = plain {
        site.docs = docs;
    }
    (rule, splits)
}

/// A rule for pages from which blocks were taken out, the number of splits, and in which region set each element was met last. `starts` says where the
/// blocks begin that each page has.
fn learn(
    site: &mut Site<'_>,
    settings: &LandmarkSettings,
    blocks: &[&Block],
    starts: &[Vec<u32>],
) -> (Landmarks, u64, Vec<Vec<PartId>>) {
    let mut whole = site.whole();
    for (region, starts) in whole.iter_mut().zip(starts) {
        region.to = starts.first().copied().unwrap_or(region.to);
    }
    let met = site
        .docs
        .iter()
        .map(|doc| vec![blocks::NOWHERE; doc.tokens.tokens.len()]);
    let mut learner = Learner {
        met: met.collect(),
        site,
        parts: Vec::new(),
        slots: Vec::new(),
        leaves: Vec::new(),
        splits: 0,
        left: 0,
        settings,
    };
    match blocks {
        [] => drop(learner.region_set(&whole, 0)),
        _ => learner.blocks(&whole, blocks, starts),
    }
    if !settings.all {
        learner.drop_constants();
    }
    let mut rule = Landmarks {
        grain: Grain::Nodes,
        parts: learner.parts,
        fields: learner.slots,
    };
    rule.prune();
    (rule, learner.splits, learner.met)
}

impl Learner<'_, '_> {
    /// The first part: the pages without the blocks, and each block.
    fn blocks(&mut self, rest: &[Region], blocks: &[&Block], starts: &[Vec<u32>]) {
        self.parts.push(Part::Nothing);
        let before = self.region_set(rest, 1);
        let mut next = vec![0; starts.len()];
        let mut marks = Vec::new();
        for block in blocks {
            let mut inside = Vec::new();
            for (doc, _) in block
                .elements
                .iter()
                .enumerate()
                .filter(|(_, element)| element.is_some())
            {
                let start = starts[doc][next[doc]];
                next[doc] += 1;
                inside.push(Region {
                    doc: doc as u32,
                    from: start + 1,
                    to: self.site.docs[doc].tokens.tokens[start as usize].mate,
                });
            }
            let attributes = self.attribute_fields(&inside);
            let inner = self.whole(&inside, 1);
            let after = self.parts.len() as PartId;
            self.parts.push(Part::Nothing);
            marks.push(Mark {
                landmark: block.landmark(self.site),
                attributes,
                inner,
                after,
            });
        }
        self.parts[0] = Part::Split {
            before,
            marks,
            failed: None,
        };
    }

    fn region_set(&mut self, regions: &[Region], depth: usize) -> PartId {
        let id = self.parts.len() as PartId;
        self.parts.push(Part::Nothing);
        let units: Vec<Vec<u32>> = regions
            .iter()
            .map(|region| {
                self.site.docs[region.doc as usize]
                    .tokens
                    .units(region.from, region.to)
                    .collect()
            })
            .collect();
        for (region, units) in regions.iter().zip(&units) {
            let met = &mut self.met[region.doc as usize];
            units.iter().for_each(|unit| met[*unit as usize] = id);
        }
        if units.iter().all(Vec::is_empty) {
            return id;
        }
        if depth > DEEPEST || self.settings.stopped() {
            self.parts[id as usize] = self.leaf(regions);
            return id;
        }
        if let Some(part) = self.single(regions, &units) {
            self.parts[id as usize] = part;
            return id;
        }
        if let Some((tag, unwrapped)) = self.unwrapped(regions, &units) {
            let of = self.region_set(&unwrapped, depth + 1);
            let wrapper = Landmark {
                what: self.site.what(tag),
                tests: Vec::new(),
            };
            self.parts[id as usize] = Part::Unwrap { wrapper, of };
            return id;
        }
        if let Some(Wrapped { wrapper, elements }) = self.wrapped(regions, &units) {
            for (doc, unit) in elements {
                self.site.docs[doc as usize].tokens.set_open(unit, true);
            }
            let of = self.region_set(regions, depth + 1);
            self.parts[id as usize] = Part::Unwrap { wrapper, of };
            return id;
        }
        let chosen = self.landmarks(regions, &units);
        // Each landmark splits a region in three; a list splits it in two.
        let sets = 1 + 2 * chosen.len().max(1) as u64;
        self.splits += chosen.len().max(1) as u64;
        self.left += sets;
        self.settings.tell(self.splits, self.left);
        self.parts[id as usize] = if chosen.is_empty() {
            self.list(id, regions, &units, depth)
        } else {
            self.split(regions, &units, &chosen, depth)
        };
        self.left -= sets;
        self.settings.tell(self.splits, self.left);
        id
    }

    /// A region set whose regions are texts, or elements with one text that differ in their markup.
    fn single(&mut self, regions: &[Region], units: &[Vec<u32>]) -> Option<Part> {
        let mut tags: Vec<Sym> = Vec::new();
        for (region, units) in regions.iter().zip(units) {
            if units.len() > 1 {
                return None;
            }
            let doc = &self.site.docs[region.doc as usize];
            for unit in units {
                tags.push(doc.tags[*unit as usize]);
                let mate = doc.tokens.tokens[*unit as usize].mate;
                let texts = (*unit..=mate).filter(|at| doc.texts[*at as usize] != NO_TEXT).count();
                if texts > 1 {
                    return None;
                }
            }
        }
        tags.sort_unstable();
        tags.dedup();
        (tags.len() > 1 || tags == [TEXT]).then(|| self.leaf(regions))
    }

    fn leaf(&mut self, regions: &[Region]) -> Part {
        let mut texts: Vec<Sym> = Vec::new();
        for region in regions {
            let doc = &self.site.docs[region.doc as usize];
            texts.extend(
                doc.texts[region.from as usize..region.to as usize]
                    .iter()
                    .filter(|text| **text != NO_TEXT),
            );
        }
        texts.sort_unstable();
        texts.dedup();
        // Separators are not values.
        texts.retain(|text| self.site.texts[*text as usize].chars().any(char::is_alphanumeric));
        if texts.is_empty() {
            return Part::Nothing;
        }
        let field = self.slots.len() as u32;
        self.leaves.push(Leaf {
            field,
            constant: texts.len() == 1,
            place: self.place(regions),
        });
        self.slots.push(Slot {
            name: format!("field_{field}"),
            ..Slot::default()
        });
        Part::Field(field)
    }

    /// The kind of place of a region: its tags and classes, and the positions of the innermost ones among elements like
    /// them.
    fn place(&self, regions: &[Region]) -> u64 {
        use std::hash::{DefaultHasher, Hash, Hasher};
        let mut hasher = DefaultHasher::new();
        let first = regions.iter().find(|region| {
            let doc = &self.site.docs[region.doc as usize];
            doc.texts[region.from as usize..region.to as usize]
                .iter()
                .any(|text| *text != NO_TEXT)
        });
        let Some(region) = first else { return 0 };
        let doc = &self.site.docs[region.doc as usize];
        let text = (region.from..region.to)
            .find(|at| doc.texts[*at as usize] != NO_TEXT)
            .unwrap_or(region.from);
        let page = doc.page;
        let mut node = doc.tokens.tokens[text as usize].node;
        for level in 0.. {
            page.name(node).hash(&mut hasher);
            if level < 3 {
                page.attribute_value(node, "class").hash(&mut hasher);
                let mut position = 0;
                if let Some(parent) = page.parent(node) {
                    let like = |child: &page::NodeId| {
                        page.kind(*child) == page.kind(node) && page.name(*child) == page.name(node)
                    };
                    position = page
                        .children(parent)
                        .take_while(|child| *child != node)
                        .filter(like)
                        .take(64)
                        .count();
                }
                if level < 2 {
                    position.hash(&mut hasher);
                }
            }
            match page.parent(node) {
                Some(parent) => node = parent,
                None => break,
            }
        }
        hasher.finish()
    }

    /// Removes fields whose value is always the same, except where other fields in the same kind of place vary: there
    /// the value merely happens to be the same.
    fn drop_constants(&mut self) {
        let mut places: HashMap<u64, (u32, u32)> = HashMap::new();
        for leaf in &self.leaves {
            let entry = places.entry(leaf.place).or_default();
            if leaf.constant { entry.0 += 1 } else { entry.1 += 1 }
        }
        let mut dropped = vec![false; self.slots.len()];
        for leaf in &self.leaves {
            let (constant, varying) = places[&leaf.place];
            dropped[leaf.field as usize] = leaf.constant && varying < constant;
        }
        for part in &mut self.parts {
            if let Part::Field(field) = part
                && dropped[*field as usize]
            {
                *part = Part::Nothing;
            }
        }
    }

    fn split(&mut self, regions: &[Region], units: &[Vec<u32>], chosen: &[Group], depth: usize) -> Part {
        // The position of each landmark in each region.
        let mut places: Vec<Vec<Option<u32>>> = vec![vec![None; chosen.len()]; regions.len()];
        for (mark, group) in chosen.iter().enumerate() {
            for &(region, index) in &group.ones {
                places[region as usize][mark] = Some(units[region as usize][index as usize]);
            }
        }
        let mut before = Vec::new();
        let mut inner = vec![Vec::new(); chosen.len()];
        let mut after = vec![Vec::new(); chosen.len()];
        for (region, places) in regions.iter().zip(&places) {
            let doc = &self.site.docs[region.doc as usize];
            let mut from = region.from;
            let mut last: Option<usize> = None;
            let mut gap = |last: Option<usize>, from: u32, to: u32| {
                let gap = Region {
                    doc: region.doc,
                    from,
                    to,
                };
                match last {
                    None => before.push(gap),
                    Some(mark) => after[mark].push(gap),
                }
            };
            for (mark, place) in places.iter().enumerate() {
                let Some(place) = *place else { continue };
                gap(last, from, place);
                let token = doc.tokens.tokens[place as usize];
                inner[mark].push(match token.piece {
                    Piece::Start => Region {
                        doc: region.doc,
                        from: place + 1,
                        to: token.mate,
                    },
                    _ => Region {
                        doc: region.doc,
                        from: place,
                        to: place + 1,
                    },
                });
                from = token.mate + 1;
                last = Some(mark);
            }
            gap(last, from, region.to);
        }
        let before = self.region_set(&before, depth + 1);
        let mut marks = Vec::new();
        for (mark, group) in chosen.iter().enumerate() {
            let landmark = self.landmark(group);
            let attributes = self.attribute_fields(&inner[mark]);
            let inner = self.whole(&inner[mark], depth + 1);
            let after = self.region_set(&after[mark], depth + 1);
            marks.push(Mark {
                landmark,
                attributes,
                inner,
                after,
            });
        }
        Part::Split {
            before,
            marks,
            failed: None,
        }
    }

    /// The inside of an element, which is a group if it contains several values in a line of text.
    fn whole(&mut self, regions: &[Region], depth: usize) -> PartId {
        let phrasing = regions.iter().all(|region| {
            let doc = &self.site.docs[region.doc as usize];
            (region.from..region.to).all(|at| self.site.phrasing[doc.tags[at as usize] as usize])
        });
        if !phrasing {
            return self.region_set(regions, depth);
        }
        let id = self.parts.len() as PartId;
        let slots = self.slots.len();
        self.parts.push(Part::Nothing);
        let of = self.region_set(regions, depth);
        let texts = self
            .leaves
            .iter()
            .filter(|leaf| leaf.field as usize >= slots && !leaf.constant)
            .count();
        if texts < 2 {
            self.parts[id as usize] = std::mem::replace(&mut self.parts[of as usize], Part::Nothing);
            return id;
        }
        let field = self.slots.len() as u32;
        self.slots.push(Slot {
            name: format!("field_{field}"),
            ..Slot::default()
        });
        self.parts[id as usize] = Part::Group { field, of };
        id
    }

    /// Fields for the attributes of landmarks whose values are data.
    fn attribute_fields(&mut self, inner: &[Region]) -> Vec<(String, u32)> {
        let mut fields = Vec::new();
        for name in &self.settings.values {
            let mut values: Vec<&str> = Vec::new();
            for region in inner.iter().filter(|region| region.from > 0) {
                let doc = &self.site.docs[region.doc as usize];
                let token = doc.tokens.tokens[region.from as usize - 1];
                if token.piece == Piece::Start
                    && let Some(value) = doc.page.attribute_value(token.node, name)
                    && !value.trim().is_empty()
                {
                    values.push(value);
                }
            }
            values.sort_unstable();
            values.dedup();
            if values.len() > 1 {
                let field = self.slots.len() as u32;
                self.slots.push(Slot {
                    name: format!("field_{field}"),
                    ..Slot::default()
                });
                fields.push((name.clone(), field));
            }
        }
        fields
    }

    fn list(&mut self, id: PartId, regions: &[Region], units: &[Vec<u32>], depth: usize) -> Part {
        debug_assert_eq!(id as usize, self.parts.len() - 1);
        // The tag with the most units; of several, the one that comes first.
        let mut totals: HashMap<Sym, (u32, u32)> = HashMap::new();
        let mut repeats = false;
        for (region, units) in regions.iter().zip(units) {
            let doc = &self.site.docs[region.doc as usize];
            let mut here: Vec<Sym> = Vec::new();
            for (index, unit) in (0u32..).zip(units) {
                let tag = doc.tags[*unit as usize];
                let entry = totals.entry(tag).or_default();
                entry.0 += 1;
                if !here.contains(&tag) {
                    entry.1 += index;
                    here.push(tag);
                }
                repeats |= here.len() < index as usize + 1;
            }
        }
        let best = totals
            .into_iter()
            .max_by_key(|(tag, (total, first))| (*total, u32::MAX - first, *tag));
        let Some((tag, _)) = best.filter(|_| repeats) else {
            return self.leaf(regions);
        };
        let mut before = Vec::new();
        let mut items = Vec::new();
        let mut longest = 0;
        for (region, units) in regions.iter().zip(units) {
            let doc = &self.site.docs[region.doc as usize];
            let starts: Vec<u32> = units
                .iter()
                .copied()
                .filter(|unit| doc.tags[*unit as usize] == tag)
                .collect();
            longest = longest.max(starts.len());
            before.push(Region {
                to: starts.first().copied().unwrap_or(region.to),
                ..*region
            });
            for (number, from) in starts.iter().enumerate() {
                items.push(Region {
                    doc: region.doc,
                    from: *from,
                    to: starts.get(number + 1).copied().unwrap_or(region.to),
                });
            }
        }
        if longest < 2 {
            return self.leaf(regions);
        }
        let before = self.region_set(&before, depth + 1);
        let leaves = self.leaves.len();
        let each = self.region_set(&items, depth + 1);
        let records = self.leaves[leaves..].iter().filter(|leaf| !leaf.constant).count() > 1;
        Part::List {
            name: if records { "items".to_owned() } else { String::new() },
            start: Landmark {
                what: self.site.what(tag),
                tests: Vec::new(),
            },
            before,
            each,
        }
    }
}
