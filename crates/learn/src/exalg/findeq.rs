//! FINDEQ: equivalence classes of dtokens.
//!
//! A page is a string of dtokens, which are integers as in section 4.4 of the paper. The occurrence vector of a dtoken
//! says how often it is on each page; dtokens with the same vector are a class. Only large and frequent classes are
//! kept. One pass over the pages counts the pages that contain each dtoken; a second one writes the vectors of those
//! that are on enough pages. Vectors are sparse, so that both passes and the grouping are linear in the input.

use std::collections::HashMap;

/// A differentiated token: a number that identifies a token in a context.
pub(crate) type Dtoken = u32;

/// The pages as strings of dtokens; every dtoken is less than `count`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Strings {
    pub(crate) pages: Vec<Vec<Dtoken>>,
    pub(crate) count: u32,
    /// For each word its text node, with [`NUMBER`] if the word has no letters; for other tokens [`NONE`]. Contains no
    /// pages at all where nothing is known.
    pub(crate) nodes: Vec<Vec<u32>>,
    /// For each token the start of the element around it, else [`NONE`].
    pub(crate) parents: Vec<Vec<u32>>,
    /// For each tag the matching tag, else [`NONE`].
    pub(crate) mates: Vec<Vec<u32>>,
    /// The dummy with which the root class begins.
    pub(crate) root: Option<Dtoken>,
}

/// What counts as large and frequent: SIZETHRES and SUPTHRES of the paper, the latter in pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Limits {
    pub(crate) size: usize,
    pub(crate) support: usize,
    /// Without our additions.
    pub(crate) paper: bool,
}

/// An equivalence class; in the result of HANDINV, the dtokens are in the order of the pages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Class {
    pub(crate) tokens: Vec<Dtoken>,
    /// The pages that contain the class, and how often it occurs there.
    pub(crate) vector: Vec<(u32, u32)>,
}

impl Strings {
    /// Is it the class with the dummies?
    pub(crate) fn is_root(&self, class: &Class) -> bool {
        self.root.is_some_and(|root| class.tokens.first() == Some(&root))
    }
}

impl Class {
    /// The same class with other dtokens.
    pub(crate) fn with(&self, tokens: Vec<Dtoken>) -> Class {
        Class {
            tokens,
            vector: self.vector.clone(),
        }
    }
}

/// The large and frequent equivalence classes, ordered by their least dtoken.
pub(crate) fn find(strings: &Strings, limits: Limits) -> Vec<Class> {
    let count = strings.count as usize;
    let mut support = vec![0u32; count];
    let mut seen = vec![u32::MAX; count];
    for (number, page) in (0u32..).zip(&strings.pages) {
        for &token in page {
            if seen[token as usize] != number {
                seen[token as usize] = number;
                support[token as usize] += 1;
            }
        }
    }
    let mut vectors: Vec<Vec<(u32, u32)>> = vec![Vec::new(); count];
    for (number, page) in (0u32..).zip(&strings.pages) {
        for &token in page {
            if (support[token as usize] as usize) < limits.support {
                continue;
            }
            match vectors[token as usize].last_mut() {
                Some((page, times)) if *page == number => *times += 1,
                _ => vectors[token as usize].push((number, 1)),
            }
        }
    }
    let mut groups: HashMap<Vec<(u32, u32)>, usize> = HashMap::new();
    let mut classes: Vec<Class> = Vec::new();
    for (token, vector) in (0u32..).zip(vectors) {
        if vector.is_empty() {
            continue;
        }
        match groups.get(&vector) {
            Some(&at) => classes[at].tokens.push(token),
            None => {
                groups.insert(vector.clone(), classes.len());
                classes.push(Class {
                    tokens: vec![token],
                    vector,
                });
            }
        }
    }
    classes.retain(|class| class.tokens.len() >= limits.size);
    classes
}

/// The class of each dtoken and its index there.
#[derive(Clone, Debug)]
pub(crate) struct Member {
    pub(crate) class: u32,
    pub(crate) place: u32,
}

/// No class.
pub(crate) const NONE: u32 = u32::MAX;
/// The bit that marks words without letters.
pub(crate) const NUMBER: u32 = 1 << 31;

/// The class of each dtoken, [`NONE`] for those without a class.
pub(crate) fn members(classes: &[Class], count: u32) -> Vec<Member> {
    let none = Member { class: NONE, place: 0 };
    let mut members = vec![none; count as usize];
    for (class, found) in (0u32..).zip(classes) {
        for (place, token) in (0u32..).zip(&found.tokens) {
            members[*token as usize] = Member { class, place };
        }
    }
    members
}
