//! DIFFFORM: pages as strings of dtokens, which are distinguished by their paths (Observation 4.4).
//!
//! A token is a tag or a word; its first context is its path from the root. One thing is added to the paper's path: the
//! number of a child is part of its path where most elements of a path have the same number of children of one name,
//! and a page has several such elements, as the rows of a table have cells. Without that the cells of a row cannot be
//! distinguished, because nothing in the paper's contexts differs between them; the authors' own results distinguish
//! them nevertheless (`docs/exalg.md`). Children of an element that occurs once on its page are not numbered, because
//! they are a list, even if it happens to have the same length everywhere.
//!
//! Dummy tokens before and after each page make sure that there is a root class. Linear in the pages.

use super::findeq::{NONE, NUMBER, Strings};
use page::{NameId, NodeId, Page};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::rc::Rc;
use wrapper::rule::landmark::{Grain, Piece, Tokens};
use wrapper::rule::template::{Siblings, Step, What, walk};

/// More children of one name are a list.
const MOST_CHILDREN: u32 = 64;

/// The path before a step, its name, and its number.
type StepKey = (u32, u32, Option<(u32, u32)>);

/// A page and its tokens.
pub(crate) struct Doc<'p> {
    pub(crate) page: &'p Page,
    pub(crate) tokens: Rc<Tokens>,
    /// The tokens that count are `from..to`.
    pub(crate) from: usize,
    pub(crate) to: usize,
}

/// A token with its path; dummies have none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Symbol {
    pub(crate) path: u32,
    pub(crate) what: What,
}

/// The pages, and the meaning of their first dtokens.
pub(crate) struct Collection<'p> {
    pub(crate) docs: Vec<Doc<'p>>,
    pub(crate) paths: Vec<Step>,
    /// The meaning of each dtoken.
    pub(crate) symbols: Vec<Option<Symbol>>,
    pub(crate) strings: Strings,
    /// The number of dummies on each side of a page.
    pub(crate) dummies: usize,
}

/// The number of children of the elements in one, if it is the same for all of them, how many elements there are, and whether they are below headings.
type Around = (Option<u32>, u32, bool);

/// For a path, a name and a number of children of that name: how many elements of the path have exactly that number, on how
/// many pages there are such elements, and how many elements of the path have any such children on these pages.
#[derive(Default)]
struct Count {
    elements: u32,
    pages: u32,
    there: u32,
    /// How many of these elements are in one whose children of that path all have this number, and there are several.
    uniform: u32,
    /// How many of these elements are rows below as many headings of columns.
    headed: u32,
    /// How many are neither below headings nor beside another: these tell nothing.
    single: u32,
}

impl Count {
    /// Does the number of a child determine its role? It does where two thirds of all such elements have the same
    /// number of children, or all but a few of a long table on each page where some do, or where nearly all are in tables
    /// of their own: rows of two cells in one, rows of three in the next. Below headings of columns it always does.
    fn tells(&self, total: u32) -> bool {
        let table = self.elements >= 10 * self.pages && self.elements * 20 >= self.there * 19;
        let own = self.uniform * 10 >= self.elements * 8;
        let headed = self.headed > 0 && self.headed * 10 >= (self.elements - self.single) * 8;
        headed || self.elements >= 2 * self.pages && (self.elements * 3 >= total * 2 || table || own)
    }
}

impl<'p> Collection<'p> {
    /// Reads pages; `dummies` are put before and after each. `hidden` has, for each page, subtrees that are left out; it
    /// may be empty. With `paper`, children are not numbered.
    pub(crate) fn new(
        pages: &[&'p Page],
        hidden: &[Vec<(NodeId, NodeId)>],
        dummies: usize,
        paper: bool,
    ) -> Collection<'p> {
        let whole = |(number, page): (usize, &&'p Page)| {
            let mut tokens = Tokens::new(page, Grain::Words);
            if let Some(hidden) = hidden.get(number) {
                tokens = tokens.without(hidden);
            }
            let tokens = Rc::new(tokens);
            Doc {
                page,
                from: 0,
                to: tokens.tokens.len(),
                tokens,
            }
        };
        Collection::of(pages.iter().enumerate().map(whole).collect(), dummies, paper)
    }

    /// Reads parts of a page as if each were a page.
    pub(crate) fn of_parts(
        page: &'p Page,
        tokens: &Rc<Tokens>,
        parts: &[(usize, usize)],
        dummies: usize,
    ) -> Collection<'p> {
        let part = |(from, to): &(usize, usize)| Doc {
            page,
            tokens: Rc::clone(tokens),
            from: *from,
            to: *to,
        };
        Collection::of(parts.iter().map(part).collect(), dummies, false)
    }

    fn of(docs: Vec<Doc<'p>>, dummies: usize, paper: bool) -> Collection<'p> {
        let mut names: HashMap<&str, u32> = HashMap::new();
        let numbered = match paper {
            true => HashSet::new(),
            false => numbered(&docs, &mut names),
        };
        let root = Step {
            parent: 0,
            name: String::new(),
            nth: None,
        };
        let mut collection = Collection {
            paths: vec![root],
            symbols: vec![None; 2 * dummies],
            strings: Strings::default(),
            dummies,
            docs: Vec::new(),
        };
        // For each path, the same path without numbers.
        let mut plain: Vec<u32> = vec![0];
        let mut plain_ids: HashMap<(u32, u32), u32> = HashMap::new();
        let mut ids: HashMap<StepKey, u32> = HashMap::new();
        let mut words: HashMap<&str, u32> = HashMap::new();
        let mut tokens: HashMap<(u32, u32), u32> = HashMap::new();
        let mut paths: Vec<u32> = Vec::new();
        for (number, doc) in docs.iter().enumerate() {
            let mut local: HashMap<NameId, u32> = HashMap::new();
            let page = doc.page;
            // Parts of one page share its paths.
            let again = number > 0 && Rc::ptr_eq(&doc.tokens, &docs[number - 1].tokens);
            let step = |parent: u32, _: NodeId, id: NameId, siblings: Siblings| {
                let name = name_id(page, id, &mut local, &mut names);
                let many = numbered.contains(&(plain[parent as usize], name, siblings.count));
                let nth = many.then_some((siblings.nth, siblings.count));
                *ids.entry((parent, name, nth)).or_insert_with(|| {
                    collection.paths.push(Step {
                        parent,
                        name: page.name_text(id).to_owned(),
                        nth,
                    });
                    let next = plain_ids.len() as u32 + 1;
                    plain.push(*plain_ids.entry((plain[parent as usize], name)).or_insert(next));
                    collection.paths.len() as u32 - 1
                })
            };
            if !again {
                paths = walk(page, &doc.tokens, step);
            }
            let mut string: Vec<u32> = (0..dummies as u32).collect();
            let mut nodes = vec![NONE; dummies];
            for (token, &path) in doc.tokens.tokens.iter().zip(&paths).take(doc.to).skip(doc.from) {
                let word = match token.piece {
                    Piece::Word => Some(token.word(page)),
                    _ => None,
                };
                let code = match (token.piece, word) {
                    (Piece::Start, _) => 0,
                    (_, Some(word)) => {
                        let next = words.len() as u32 + 2;
                        *words.entry(word).or_insert(next)
                    }
                    _ => 1,
                };
                let next = collection.symbols.len() as u32;
                let id = *tokens.entry((path, code)).or_insert(next);
                if id == next {
                    let what = match (code, word) {
                        (0, _) => What::Start,
                        (_, Some(word)) => What::Word(word.to_owned()),
                        _ => What::End,
                    };
                    collection.symbols.push(Some(Symbol { path, what }));
                }
                string.push(id);
                nodes.push(word.map_or(NONE, |word| match word.chars().any(char::is_alphabetic) {
                    true => token.node.0,
                    false => token.node.0 | NUMBER,
                }));
            }
            collection.strings.push_tree(doc, dummies);
            string.extend(dummies as u32..2 * dummies as u32);
            nodes.resize(string.len(), NONE);
            collection.strings.nodes.push(nodes);
            collection.strings.pages.push(string);
        }
        collection.strings.count = collection.symbols.len() as u32;
        collection.strings.root = (dummies > 0).then_some(0);
        collection.docs = docs;
        collection
    }
}

impl Strings {
    /// Adds which tags of a page belong together.
    fn push_tree(&mut self, doc: &Doc<'_>, dummies: usize) {
        let range = doc.from..doc.to;
        let mut parents = vec![NONE; dummies];
        let mut mates = vec![NONE; dummies];
        let mut open: Vec<u32> = Vec::new();
        for at in range.clone() {
            let token = doc.tokens.tokens[at];
            if token.piece == Piece::End {
                open.pop();
            }
            parents.push(open.last().copied().unwrap_or(NONE));
            let tag = matches!(token.piece, Piece::Start | Piece::End) && range.contains(&(token.mate as usize));
            mates.push(if tag {
                token.mate - doc.from as u32 + dummies as u32
            } else {
                NONE
            });
            if token.piece == Piece::Start {
                open.push((at - doc.from + dummies) as u32);
            }
        }
        parents.resize(parents.len() + dummies, NONE);
        mates.resize(mates.len() + dummies, NONE);
        self.parents.push(parents);
        self.mates.push(mates);
    }
}

fn name_id<'p>(
    page: &'p Page,
    name: NameId,
    local: &mut HashMap<NameId, u32>,
    names: &mut HashMap<&'p str, u32>,
) -> u32 {
    *local.entry(name).or_insert_with(|| {
        let next = names.len() as u32;
        *names.entry(page.name_text(name)).or_insert(next)
    })
}

/// Is a cell in a row below as many headings of columns?
fn is_headed(page: &Page, cell: NodeId, count: u32) -> bool {
    let named = |node: &NodeId, name: &str| page.is_element(*node) && page.name(*node) == name;
    let Some(row) = page
        .parent(cell)
        .filter(|row| page.name(cell) == "td" && named(row, "tr"))
    else {
        return false;
    };
    let Some(body) = page.parent(row) else { return false };
    let first = |around: NodeId| page.children(around).find(|child| named(child, "tr"));
    let head = page
        .parent(body)
        .and_then(|table| page.children(table).find(|child| named(child, "thead")));
    let headings = |row: NodeId| page.children(row).filter(|child| named(child, "th")).count() as u32;
    [head.and_then(first), first(body)]
        .into_iter()
        .flatten()
        .any(|above| above != row && headings(above) == count)
}

/// The paths (without numbers), names and counts of children whose number determines their role.
fn numbered<'p>(docs: &[Doc<'p>], names: &mut HashMap<&'p str, u32>) -> HashSet<(u32, u32, u32)> {
    let mut ids: HashMap<(u32, u32), u32> = HashMap::new();
    let mut counts: HashMap<(u32, u32, u32), Count> = HashMap::new();
    let mut totals: HashMap<(u32, u32), u32> = HashMap::new();
    for (number, doc) in docs.iter().enumerate() {
        // Parts of one page are counted once.
        if number > 0 && doc.from > 0 {
            break;
        }
        let mut local: HashMap<NameId, u32> = HashMap::new();
        let mut here: BTreeMap<(u32, u32), BTreeMap<u32, u32>> = BTreeMap::new();
        // For a path, a name and the element around those of the path: the number of children, if it is one, how many have it, and whether they are below headings.
        let mut around: BTreeMap<(u32, u32, NodeId), Around> = BTreeMap::new();
        walk(doc.page, &doc.tokens, |parent, node, name, siblings| {
            let name = name_id(doc.page, name, &mut local, names);
            if siblings.nth == 1 {
                let headed = siblings.count > 1 && is_headed(doc.page, node, siblings.count);
                if headed {
                    let id = (parent, name, siblings.count);
                    counts.entry(id).or_default().headed += 1;
                }
                *here
                    .entry((parent, name))
                    .or_default()
                    .entry(siblings.count)
                    .or_default() += 1;
                if let Some(above) = doc.page.ancestors(node).nth(1) {
                    let known = around.entry((parent, name, above));
                    let (count, elements, below) = known.or_insert((Some(siblings.count), 0, false));
                    *count = count.filter(|count| *count == siblings.count);
                    *elements += 1;
                    *below |= headed;
                }
            }
            let next = ids.len() as u32 + 1;
            *ids.entry((parent, name)).or_insert(next)
        });
        for ((parent, name, _), (count, elements, below)) in around {
            let Some(count) = count else { continue };
            let known = counts.entry((parent, name, count)).or_default();
            match elements {
                1 => known.single += u32::from(!below),
                _ => known.uniform += elements,
            }
        }
        for ((parent, name), children) in here {
            let there = children.values().sum::<u32>();
            *totals.entry((parent, name)).or_default() += there;
            for (many, elements) in children {
                let count = counts.entry((parent, name, many)).or_default();
                count.elements += elements;
                count.pages += 1;
                count.there += there;
            }
        }
    }
    counts.retain(|(parent, name, many), count| {
        (2..=MOST_CHILDREN).contains(many) && count.tells(totals[&(*parent, *name)])
    });
    counts.into_keys().collect()
}
