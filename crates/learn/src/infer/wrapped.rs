//! Elements that only some pages have around what the others have without them.
//!
//! A link around a name, a partner's frame around a whole page, an element that encloses the main part of some pages: their
//! content is what other pages have in the same place. If they were units like all others, everything in them would be in other
//! fields than on the other pages. So they are opened: their content takes their place.
//!
//! **In**: a region set and the units of its regions. **Out**: the element and how it is recognized. There are two cases.
//! [`Learner::unwrapped`]: a region is this element alone. [`Learner::wrapped`]: other units are beside it. There, a kind of unit that
//! nearly all regions have is looked for: as a unit in some, inside of one unit in the others. That one is the
//! enclosing element if half of what is beside the kind are units of the others, and if it has half of what its region lacks. Enclosing elements may be
//! inside one another, each with most of the one around it; the outermost is opened, and the next one when the region set is looked at again.
//! Different ones are opened one after the other, too.
//!
//! **Cost**: units and their children are looked at once for each region set, a bounded number of kinds is tried. The shares are
//! judgements.
//!
//! **Known failures**: an element without attributes around one like it; pages that differ in more than an enclosing element.

use super::records::Learner;
use super::site::{NO_TEXT, Region, Sym, TEXT};
use std::collections::{HashMap, HashSet};
use wrapper::rule::landmark::{Landmark, Test};

/// A tag, and the class or id.
type PlainKind = (Sym, Option<Sym>);
/// A tag, the class or id, and the first text in it that nearly all pages have.
type Kind = (Sym, Option<Sym>, Option<Sym>);

/// What nearly all are, in tenths.
const NEARLY: usize = 9;
/// The most kinds that are tried.
const TRIED: usize = 8;
/// The most texts of a unit that are looked at for one that nearly all pages have.
const TEXTS: usize = 50;
/// The most ways to recognize an enclosing element.
const WAYS: usize = 2;
/// The most enclosing elements inside one another: the frame of a partner, a table with its body, row and cell, a box in that, and a box around the thing.
const NESTED: usize = 6;

/// An element around a part of some regions.
pub(super) struct Wrapped {
    /// How it is recognized.
    pub(super) wrapper: Landmark,
    /// Its documents and positions.
    pub(super) elements: Vec<(u32, u32)>,
}

/// A way to recognize a unit.
#[derive(Clone, Copy, Debug)]
enum Sign {
    Has(Sym),
    Holds(Sym),
    Says(Sym),
    Tag,
}

impl Learner<'_, '_> {
    /// The tag of a unit and its first class or id.
    fn plain_kind(&self, doc: u32, unit: u32) -> PlainKind {
        let doc = &self.site.docs[doc as usize];
        let class = |attribute: &&Sym| {
            let (name, value) = &self.site.attributes[**attribute as usize];
            value.is_some() && matches!(name.as_str(), "class" | "id")
        };
        (
            doc.tags[unit as usize],
            doc.attributes(unit).iter().find(class).copied(),
        )
    }

    fn exact_kind(&self, doc: u32, unit: u32) -> Kind {
        let (tag, class) = self.plain_kind(doc, unit);
        let docs = self.site.docs.len();
        let doc = &self.site.docs[doc as usize];
        let mate = doc.tokens.tokens[unit as usize].mate;
        let texts = doc.texts[unit as usize..=mate as usize].iter().copied();
        let mut texts = texts.filter(|text| *text != NO_TEXT).take(TEXTS);
        let common = texts.find(|text| self.site.spread[*text as usize] as usize * 10 >= docs * NEARLY);
        (tag, class, common)
    }

    /// The units inside of a unit.
    fn inside(&self, doc: u32, unit: u32) -> Vec<u32> {
        let tokens = &self.site.docs[doc as usize].tokens;
        tokens.units(unit + 1, tokens.tokens[unit as usize].mate).collect()
    }

    /// Regions some of which are one element whose content is like the others: the same regions without that element.
    pub(super) fn unwrapped(&self, regions: &[Region], units: &[Vec<u32>]) -> Option<(Sym, Vec<Region>)> {
        let kind = |region: &Region, unit: u32| self.plain_kind(region.doc, unit);
        let mut tags: Vec<Sym> = Vec::new();
        for (region, units) in regions.iter().zip(units) {
            if let [unit] = units[..] {
                tags.push(self.site.docs[region.doc as usize].tags[unit as usize]);
            }
        }
        tags.retain(|tag| *tag != TEXT);
        tags.sort_unstable();
        tags.dedup();
        'tags: for tag in tags {
            let mut plain: HashMap<PlainKind, u32> = HashMap::new();
            let mut wrapped = Vec::new();
            for (region, units) in regions.iter().zip(units) {
                let kinds: Vec<_> = units.iter().map(|unit| kind(region, *unit)).collect();
                match kinds[..] {
                    [(only, _)] if only == tag => wrapped.push((region, units[0])),
                    _ => kinds.into_iter().for_each(|kind| *plain.entry(kind).or_default() += 1),
                }
            }
            let (mut known, mut all) = (0, 0);
            for (region, unit) in &wrapped {
                if plain.contains_key(&kind(region, *unit)) {
                    continue 'tags;
                }
                let doc = &self.site.docs[region.doc as usize];
                for inner in doc.tokens.units(unit + 1, doc.tokens.tokens[*unit as usize].mate) {
                    all += 1;
                    known += u32::from(plain.contains_key(&kind(region, inner)));
                }
            }
            if known == 0 || known * 2 < all {
                continue;
            }
            let unwrap = |(region, units): (&Region, &Vec<u32>)| match units[..] {
                [unit] if self.site.docs[region.doc as usize].tags[unit as usize] == tag => {
                    let mate = self.site.docs[region.doc as usize].tokens.tokens[unit as usize].mate;
                    Region {
                        doc: region.doc,
                        from: unit + 1,
                        to: mate,
                    }
                }
                _ => *region,
            };
            return Some((tag, regions.iter().zip(units).map(unwrap).collect()));
        }
        None
    }

    /// The element that encloses units of some regions that are units of the others; other units may be beside it.
    pub(super) fn wrapped(&self, regions: &[Region], units: &[Vec<u32>]) -> Option<Wrapped> {
        if regions.len() < 2 {
            return None;
        }
        // How often each kind is there: an element without attributes may be around one of several like it.
        let mut counts: Vec<Vec<PlainKind>> = (regions.iter().zip(units))
            .map(|(region, units)| units.iter().map(|unit| self.plain_kind(region.doc, *unit)).collect())
            .collect();
        counts.iter_mut().for_each(|kinds| kinds.sort_unstable());
        if counts.iter().all(|kinds| *kinds == counts[0]) {
            return None;
        }
        self.enclosed(regions, units)
            .or_else(|| self.framed(regions, units).filter(|_| regions.len() > 2))
    }

    /// The element of some regions that has what the others have as units.
    fn enclosed(&self, regions: &[Region], units: &[Vec<u32>]) -> Option<Wrapped> {
        let each = || regions.iter().zip(units);
        let plain: Vec<HashSet<PlainKind>> = each()
            .map(|(region, units)| units.iter().map(|unit| self.plain_kind(region.doc, *unit)).collect())
            .collect();
        let is_text = |kind: &Kind| kind.0 == TEXT;
        let kinds: Vec<HashSet<Kind>> = each()
            .map(|(region, units)| {
                let kinds = units.iter().map(|unit| self.exact_kind(region.doc, *unit));
                kinds.filter(|kind| !is_text(kind)).collect()
            })
            .collect();
        let mut spread: HashMap<Kind, usize> = HashMap::new();
        kinds
            .iter()
            .flatten()
            .for_each(|kind| *spread.entry(*kind).or_default() += 1);
        let mut missing: Vec<(usize, Kind)> = spread.into_iter().map(|(kind, count)| (count, kind)).collect();
        missing.retain(|(count, _)| *count < regions.len());
        missing.sort_unstable_by(|a, b| b.cmp(a));
        let mut candidates = missing.into_iter().take(TRIED);
        candidates.find_map(|(count, kind)| self.wrapped_by(regions, units, &plain, &kinds, (kind, count)))
    }

    /// The largest unit of most regions, if the others have none like it and have its content in an element of their own. That is seen when it is
    /// opened, and the largest unit in it, and so on.
    fn framed(&self, regions: &[Region], units: &[Vec<u32>]) -> Option<Wrapped> {
        let mut inner: Vec<Vec<u32>> = units.to_vec();
        let mut frame: Option<Vec<Option<u32>>> = None;
        for _ in 0..NESTED {
            let largest: Vec<Option<u32>> = (regions.iter().zip(&inner))
                .map(|(region, units)| {
                    let tokens = &self.site.docs[region.doc as usize].tokens.tokens;
                    let size = |unit: &u32| tokens[*unit as usize].mate.saturating_sub(*unit);
                    units.iter().copied().max_by_key(size)
                })
                .collect();
            let kind = |at: usize| largest[at].map(|unit| self.plain_kind(regions[at].doc, unit));
            let alike = most((0..regions.len()).filter_map(kind)).filter(|kind| kind.0 != TEXT)?;
            let has = |at: usize| kind(at) == Some(alike);
            let of_frame = only(&largest, has);
            let count = of_frame.iter().flatten().count();
            // Others that have such a unit are no other make.
            let is_other = |at: usize| {
                let like = |unit: &u32| self.plain_kind(regions[at].doc, *unit) == alike;
                inner[at].iter().filter(|unit| like(unit)).count() == usize::from(has(at))
            };
            if count * 2 <= regions.len() || count == regions.len() || !(0..regions.len()).all(is_other) {
                return None;
            }
            for (at, unit) in of_frame.iter().enumerate() {
                let Some(unit) = *unit else { continue };
                inner[at].retain(|other| *other != unit);
                inner[at].extend(self.inside(regions[at].doc, unit));
                inner[at].sort_unstable();
            }
            let frame = frame.get_or_insert(of_frame);
            if self.enclosed(regions, &inner).is_some() {
                let (at, unit) = frame.iter().enumerate().find_map(|(at, unit)| Some((at, (*unit)?)))?;
                let (tag, class) = self.plain_kind(regions[at].doc, unit);
                return self.opened(regions, units, frame, tag, (tag, class, None));
            }
        }
        None
    }

    /// The element around units of a kind, which `count` regions have as a unit of their own.
    fn wrapped_by(
        &self,
        regions: &[Region],
        units: &[Vec<u32>],
        plain: &[HashSet<PlainKind>],
        kinds: &[HashSet<Kind>],
        (kind, count): (Kind, usize),
    ) -> Option<Wrapped> {
        // The outermost enclosing element and the innermost one.
        let mut elements: Vec<Option<(u32, u32)>> = vec![None; regions.len()];
        for (at, region) in regions.iter().enumerate() {
            if kinds[at].contains(&kind) {
                continue;
            }
            let holding = |unit: &u32| Some((*unit, self.around(region.doc, *unit, kind)?));
            let mut holding = units[at].iter().filter_map(holding);
            elements[at] = holding.next().filter(|_| holding.next().is_none());
        }
        let wrapped = elements.iter().flatten().count();
        if wrapped == 0 || (count + wrapped) * 10 < regions.len() * NEARLY {
            return None;
        }
        // What the others have, and what nearly all of them have.
        let others = (0..regions.len()).filter(|at| kinds[*at].contains(&kind));
        let mut usual: HashMap<PlainKind, usize> = HashMap::new();
        others
            .flat_map(|at| plain[at].iter())
            .for_each(|kind| *usual.entry(*kind).or_default() += 1);
        let is_core = |kind: &PlainKind| usual.get(kind).is_some_and(|times| times * 10 >= count * NEARLY);
        for (at, around) in elements.iter().enumerate() {
            let Some((_, around)) = *around else { continue };
            let doc = regions[at].doc;
            let inner: Vec<PlainKind> = (self.inside(doc, around).into_iter())
                .map(|inner| self.plain_kind(doc, inner))
                .collect();
            let known = inner.iter().filter(|kind| usual.contains_key(kind)).count();
            let lacking = usual.keys().filter(|kind| is_core(kind) && !plain[at].contains(kind));
            let (mut restored, mut all) = (0, 0);
            for kind in lacking {
                all += 1;
                restored += usize::from(inner.contains(kind));
            }
            if known * 2 < inner.len() || restored * 2 < all {
                return None;
            }
        }
        // Of different enclosing elements, those that the most regions have come first.
        let outer: Vec<Option<u32>> = elements.iter().map(|around| around.map(|(outer, _)| outer)).collect();
        let plain_kind = |at: usize| outer[at].map(|unit| self.plain_kind(regions[at].doc, unit));
        let tag = most((0..regions.len()).filter_map(|at| Some(plain_kind(at)?.0)))?;
        let alike = most((0..regions.len()).filter_map(plain_kind))?;
        let of_tag = |at: usize| plain_kind(at).is_some_and(|kind| kind.0 == tag);
        let of_kind = |at: usize| plain_kind(at) == Some(alike);
        self.opened(regions, units, &only(&outer, of_tag), tag, kind)
            .or_else(|| self.opened(regions, units, &only(&outer, of_kind), alike.0, kind))
    }

    /// The element inside of a unit that has units of a kind, or the unit itself, or an element between them.
    fn around(&self, doc: u32, unit: u32, kind: Kind) -> Option<u32> {
        let tokens = &self.site.docs[doc as usize].tokens.tokens;
        let size = |unit: u32| tokens[unit as usize].mate.saturating_sub(unit);
        let mut around = unit;
        for _ in 0..NESTED {
            let inside = self.inside(doc, around);
            let mut like = inside
                .iter()
                .filter(|inner| self.plain_kind(doc, **inner) == (kind.0, kind.1));
            if like.any(|inner| self.exact_kind(doc, *inner) == kind) {
                return Some(around);
            }
            // An enclosing element has most of what is in the one around it.
            let largest = inside.into_iter().max_by_key(|inner| size(*inner))?;
            if size(largest) * 2 <= size(around) {
                return None;
            }
            around = largest;
        }
        None
    }

    /// Enclosing elements, if there is a way to recognize them.
    fn opened(
        &self,
        regions: &[Region],
        units: &[Vec<u32>],
        elements: &[Option<u32>],
        tag: Sym,
        kind: Kind,
    ) -> Option<Wrapped> {
        let tests = self.signs(regions, units, elements, tag, kind);
        let elements = elements.iter().zip(regions);
        (!tests.is_empty()).then(|| Wrapped {
            wrapper: Landmark {
                what: self.site.what(tag),
                tests,
            },
            elements: elements
                .filter_map(|(unit, region)| Some((region.doc, (*unit)?)))
                .collect(),
        })
    }

    /// Tests that the enclosing elements pass, and no other unit of a region.
    fn signs(
        &self,
        regions: &[Region],
        units: &[Vec<u32>],
        elements: &[Option<u32>],
        tag: Sym,
        (_, class, says): Kind,
    ) -> Vec<Test> {
        let first = regions
            .iter()
            .zip(elements)
            .find_map(|(region, unit)| Some((region.doc, (*unit)?)));
        let Some((doc, unit)) = first else { return Vec::new() };
        let own = self.site.docs[doc as usize].attributes(unit).iter();
        let own = own.filter(|attribute| self.site.attributes[**attribute as usize].1.is_some());
        let mut signs: Vec<Sign> = own.map(|attribute| Sign::Has(*attribute)).collect();
        signs.extend(class.map(Sign::Holds));
        signs.extend(says.map(Sign::Says));
        signs.push(Sign::Tag);
        let is_exact = |sign: &Sign| {
            (regions.iter().zip(units).zip(elements)).all(|((region, units), element)| {
                let passing = units.iter().filter(|unit| self.passes(region.doc, **unit, tag, *sign));
                passing.copied().eq(*element)
            })
        };
        let signs = signs.into_iter().filter(is_exact).take(WAYS);
        let test = |sign: Sign| {
            let mut test = Test::default();
            match sign {
                Sign::Has(attribute) => test.attributes.push(self.site.attributes[attribute as usize].clone()),
                Sign::Holds(attribute) => {
                    let (name, value) = self.site.attributes[attribute as usize].clone();
                    test.holds = value.map(|value| (name, value));
                }
                Sign::Says(text) => test.says = Some(self.site.texts[text as usize].clone()),
                Sign::Tag => {}
            }
            test
        };
        signs.map(test).collect()
    }

    fn passes(&self, doc: u32, unit: u32, tag: Sym, sign: Sign) -> bool {
        let doc = &self.site.docs[doc as usize];
        let mate = doc.tokens.tokens[unit as usize].mate;
        doc.tags[unit as usize] == tag
            && match sign {
                Sign::Has(attribute) => doc.attributes(unit).contains(&attribute),
                Sign::Holds(attribute) => (unit + 1..mate).any(|at| doc.attributes(at).contains(&attribute)),
                Sign::Says(text) => doc.texts[unit as usize..=mate as usize].contains(&text),
                Sign::Tag => true,
            }
    }
}

/// What occurs most often; of several, the least.
fn most<T: Ord + Copy>(all: impl Iterator<Item = T>) -> Option<T> {
    let mut all: Vec<T> = all.collect();
    all.sort_unstable();
    let runs = all.chunk_by(|one, next| one == next);
    runs.rev().max_by_key(|run| run.len()).map(|run| run[0])
}

/// Some of the elements.
fn only(elements: &[Option<u32>], is_one: impl Fn(usize) -> bool) -> Vec<Option<u32>> {
    let each = elements.iter().enumerate();
    each.map(|(at, element)| element.filter(|_| is_one(at))).collect()
}
