//! Evaluation of a plan on a page.
//!
//! There are two ways to evaluate a path. **Set at a time** ([`set`]): a step takes all nodes reached so far, in
//! document order, to all nodes it leads to, in document order. Because ids are preorder ranks, an axis of a set is a
//! merge of ranges; where the test is a name, these are ranges of the page's list of elements by name. **Depth first**
//! ([`walk`]): for predicates, which mostly ask whether there is a node, or for the first one. The walk stops as soon
//! as the answer is known, and is used only for paths on which it cannot visit a node twice. All other parts of an
//! expression are evaluated by a walk over the plan with the context `(node, position, size)`.
//!
//! Where a path in a predicate is walked from many nodes, a third way takes over: [`table`] answers it for all nodes of
//! the page at once, [`index`] compares its nodes with many values, and [`list`] picks from them by position.
//!
//! Memory is a few sets of ids, a byte for each node and memo slot that is used, and up to 16 bytes for each node and
//! table. Time is linear in the page (with a logarithm for sorting) for each step of an expression, with these
//! exceptions, which are quadratic at worst: counts and sums along several overlapping steps, conditions on the position
//! along an axis other than `child` that do more than pick by number, string functions of texts that contain most of
//! the page, sums of fractions, and intensional axes. `cargo xtask slow` searches for others.

mod axis;
mod detour;
mod gather;
mod index;
mod list;
mod number;
mod relate;
mod search;
mod set;
mod table;
mod text;
mod truth;
mod walk;

use crate::plan::{Bound, Nodes, Plan, Predicate, Root, Shared, Text, Truth};
use crate::value::{Value, string_to_number};
use page::structured::Structured;
use page::{NameId, NodeId, Page};
use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::collections::{HashMap, HashSet};
use std::fmt;
use std::rc::Rc;

/// Why an evaluation had to stop.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum EvalError {
    /// A computed regular expression does not compile.
    InvalidRegex {
        /// The pattern.
        pattern: String,
        /// What is wrong with it.
        reason: String,
    },
    /// A text grew beyond [`MAX_TEXT`].
    TextTooLong,
}

/// The length limit of a text that an expression computes, in bytes.
pub const MAX_TEXT: usize = 256 << 20;

impl fmt::Display for EvalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EvalError::InvalidRegex { pattern, reason } => {
                write!(f, "invalid regular expression `{pattern}`: {reason}")
            }
            EvalError::TextTooLong => write!(f, "the expression computes a text of more than {MAX_TEXT} bytes"),
        }
    }
}

impl std::error::Error for EvalError {}

/// Boxed, because every frame of the recursion contains results and should be small.
type Result<T> = std::result::Result<T, Box<EvalError>>;

/// What an expression is evaluated for: a node, its position and the number of nodes.
#[derive(Clone, Copy, Debug)]
struct Context {
    node: NodeId,
    position: usize,
    size: usize,
}

/// Evaluates a plan with a node as context.
pub(crate) fn evaluate(plan: &Plan, page: &Page, node: NodeId) -> std::result::Result<Value, EvalError> {
    let mut memory = Memory::new(&plan.shared, page);
    let (value, _) = value(plan, page, &mut memory, node).map_err(|error| *error)?;
    Ok(value)
}

/// The number of nodes that an evaluation visits.
pub(crate) fn visits(plan: &Plan, page: &Page) -> std::result::Result<u64, EvalError> {
    let mut memory = Memory::new(&plan.shared, page);
    let (_, visits) = value(plan, page, &mut memory, NodeId::DOCUMENT).map_err(|error| *error)?;
    Ok(visits)
}

/// The same with tables and lists from the second use on, however cheap walks are.
#[cfg(test)]
pub(crate) fn evaluate_impatiently(plan: &Plan, page: &Page, node: NodeId) -> std::result::Result<Value, EvalError> {
    let mut memory = Memory::new(&plan.shared, page);
    memory.patience = 0;
    let (value, _) = value(plan, page, &mut memory, node).map_err(|error| *error)?;
    Ok(value)
}

/// The value, and the number of nodes visited.
fn value(plan: &Plan, page: &Page, memory: &mut Memory, node: NodeId) -> Result<(Value, u64)> {
    let mut evaluator = Evaluator::new(&plan.shared, page, None, memory);
    let context = Context::of(node);
    let value = match &plan.root {
        Root::Nodes(nodes) => Value::Nodes(evaluator.nodes(nodes, context)?.into_vec()),
        Root::Text(text) => Value::String(evaluator.text(text, context)?.into_owned()),
        Root::Number(number) => Value::Number(evaluator.number(number, context)?),
        Root::Truth(truth) => Value::Boolean(evaluator.truth(truth, context)?),
    };
    Ok((value, evaluator.work))
}

impl Context {
    /// A node alone: the first of one.
    fn of(node: NodeId) -> Context {
        Context {
            node,
            position: 1,
            size: 1,
        }
    }
}

/// What is remembered of a page while parts of one plan are evaluated on it. Dropped together with the page.
pub(crate) struct Memory {
    /// The ids of the plan's names on this page.
    names: Vec<Option<NameId>>,
    /// Where needles begin in the text of the page; computed at the first use.
    places: Vec<Option<Vec<u32>>>,
    /// Where the last search for each needle ended.
    near: Vec<usize>,
    truths: Vec<TruthMemo>,
    /// By node, position and size.
    contexts: Vec<HashMap<(NodeId, usize, usize), bool>>,
    numbers: Vec<HashMap<NodeId, f64>>,
    texts: Vec<HashMap<NodeId, Rc<str>>>,
    /// The nodes that a repetition inside another reaches from a node.
    repeats: Vec<HashMap<NodeId, Rc<[NodeId]>>>,
    /// The total number of nodes in those.
    repeated: usize,
    /// The values of candidates that intensional axes compare.
    relations: Vec<Option<Rc<relate::Columns>>>,
    /// Nodes that are the same in all contexts.
    once: Vec<Option<Rc<[NodeId]>>>,
    /// What is known of those: the extremes of their numbers, their values.
    once_extremes: Vec<Option<gather::Extremes>>,
    once_values: Vec<Option<gather::Values>>,
    once_index: Vec<Option<Rc<index::Index>>>,
    /// Values that are the same in all contexts.
    fixed_truths: Vec<Option<bool>>,
    fixed_numbers: Vec<Option<f64>>,
    fixed_texts: Vec<Option<Rc<str>>>,
    numbers_of: NumbersOf,
    /// The `id` attributes, by value; each value once.
    ids: Option<Vec<NodeId>>,
    /// The structured data of the page; read at the first use.
    data: Option<Rc<Structured>>,
    tables: Vec<table::Table>,
    lists: Vec<list::List>,
    /// The nodes that the walks along a path may visit before there is a table.
    patience: u64,
}

impl Memory {
    /// Nothing remembered yet.
    pub(crate) fn new(shared: &Shared, page: &Page) -> Memory {
        let slots = shared.slots;
        Memory {
            names: shared.names.iter().map(|name| page.name_id(name)).collect(),
            places: vec![None; shared.needles.len()],
            near: vec![0; shared.needles.len()],
            truths: std::iter::repeat_with(TruthMemo::default).take(slots.truths).collect(),
            contexts: vec![HashMap::new(); slots.contexts],
            numbers: vec![HashMap::new(); slots.numbers],
            texts: vec![HashMap::new(); slots.texts],
            repeats: vec![HashMap::new(); slots.repeats],
            relations: vec![None; slots.relations],
            repeated: 0,
            once: vec![None; slots.nodes],
            once_extremes: vec![None; slots.nodes],
            once_values: vec![None; slots.nodes],
            once_index: vec![None; slots.nodes],
            fixed_truths: vec![None; slots.fixed_truths],
            fixed_numbers: vec![None; slots.fixed_numbers],
            fixed_texts: vec![None; slots.fixed_texts],
            numbers_of: NumbersOf::default(),
            ids: None,
            data: None,
            tables: vec![table::Table::Cold(0); slots.tables],
            lists: vec![list::List::Cold(0); slots.lists],
            patience: table::PATIENCE * page.len() as u64,
        }
    }
}

/// The state of one evaluation.
pub(crate) struct Evaluator<'p> {
    page: &'p Page,
    /// The URL of the page.
    url: Option<&'p str>,
    shared: &'p Shared,
    memory: &'p mut Memory,
    regexes: HashMap<(String, String), regex::Regex>,
    /// The list of the last binary search, and where that search ended.
    last_search: Cell<(*const NodeId, usize)>,
    /// What `$lhs` and `$rhs` are bound to inside an intensional axis.
    bound: Option<(NodeId, NodeId)>,
    /// The number of nodes visited so far: what the evaluation costs, except for texts.
    work: u64,
    /// What `$this` is bound to in the condition of an action.
    this: Option<NodeId>,
}

/// Two bits for each node: whether it is known, and the answer. Allocated at the first use.
#[derive(Default)]
struct TruthMemo(Vec<u8>);

impl TruthMemo {
    fn get(&self, node: NodeId) -> Option<bool> {
        let bits = self.0.get(node.index() / 4)? >> (node.index() % 4 * 2);
        (bits & 1 != 0).then_some(bits & 2 != 0)
    }

    fn set(&mut self, node: NodeId, nodes: usize, answer: bool) {
        if self.0.is_empty() {
            self.0 = vec![0; nodes.div_ceil(4)];
        }
        self.0[node.index() / 4] |= (1 | u8::from(answer) << 1) << (node.index() % 4 * 2);
    }
}

/// The numbers of nodes. Those of long texts are remembered: many nodes may ask for the number of one that contains most
/// of the page.
#[derive(Clone, Default)]
struct NumbersOf(Rc<RefCell<HashMap<NodeId, f64>>>);

impl NumbersOf {
    /// Shorter texts are read faster than remembered.
    const LONG: usize = 64;

    fn get(&self, page: &Page, node: NodeId) -> f64 {
        let text = page.string_value(node);
        if text.len() < NumbersOf::LONG {
            return string_to_number(text);
        }
        *self
            .0
            .borrow_mut()
            .entry(node)
            .or_insert_with(|| string_to_number(text))
    }
}

/// Nodes in document order, each once.
enum Set {
    Owned(Vec<NodeId>),
    Shared(Rc<[NodeId]>),
}

impl Set {
    fn into_vec(self) -> Vec<NodeId> {
        match self {
            Set::Owned(nodes) => nodes,
            Set::Shared(nodes) => nodes.to_vec(),
        }
    }
}

impl std::ops::Deref for Set {
    type Target = [NodeId];
    fn deref(&self) -> &[NodeId] {
        match self {
            Set::Owned(nodes) => nodes,
            Set::Shared(nodes) => nodes,
        }
    }
}

impl<'p> Evaluator<'p> {
    /// Prepares to evaluate parts of a plan on a page.
    pub(crate) fn new(
        shared: &'p Shared,
        page: &'p Page,
        url: Option<&'p str>,
        memory: &'p mut Memory,
    ) -> Evaluator<'p> {
        Evaluator {
            page,
            url,
            shared,
            memory,
            regexes: HashMap::new(),
            last_search: Cell::new((std::ptr::null(), 0)),
            bound: None,
            work: 0,
            this: None,
        }
    }

    /// The same, with a node for `$this`.
    pub(crate) fn with_this(self, this: Option<NodeId>) -> Evaluator<'p> {
        Evaluator { this, ..self }
    }

    /// The nodes of an expression for a context node.
    pub(crate) fn nodes_at(&mut self, nodes: &'p Nodes, node: NodeId) -> std::result::Result<Vec<NodeId>, EvalError> {
        self.nodes(nodes, Context::of(node))
            .map(Set::into_vec)
            .map_err(|error| *error)
    }

    /// The truth of an expression for a context node.
    pub(crate) fn truth_at(&mut self, truth: &'p Truth, node: NodeId) -> std::result::Result<bool, EvalError> {
        self.truth(truth, Context::of(node)).map_err(|error| *error)
    }

    /// The truth of an expression for a context node that is one of several.
    pub(crate) fn truth_among(
        &mut self,
        truth: &'p Truth,
        node: NodeId,
        position: usize,
        size: usize,
    ) -> std::result::Result<bool, EvalError> {
        self.truth(truth, Context { node, position, size })
            .map_err(|error| *error)
    }

    /// The text of an expression for a context node.
    pub(crate) fn text_at(&mut self, text: &'p Text, node: NodeId) -> std::result::Result<String, EvalError> {
        self.text(text, Context::of(node))
            .map(Cow::into_owned)
            .map_err(|error| *error)
    }

    /// The nodes of an expression, in document order.
    fn nodes(&mut self, nodes: &'p Nodes, context: Context) -> Result<Set> {
        match nodes {
            Nodes::Path(path) => self.path(path, context).map(Set::Owned),
            Nodes::Union(operands) | Nodes::Disjoint(operands) => self.union(operands, context).map(Set::Owned),
            Nodes::Filter { base, predicates } => self.filter(base, predicates, context).map(Set::Owned),
            Nodes::Id(text) => self.ids(text, context).map(Set::Owned),
            Nodes::IdsIn(nodes) => self.ids_in(nodes, context).map(Set::Owned),
            Nodes::Distinct(nodes) => self.distinct(nodes, context).map(Set::Owned),
            Nodes::FirstOf(operands) => self.first_set(operands, context),
            Nodes::Once { slot, inner } => self.once(*slot, inner, context).map(Set::Shared),
            Nodes::Bound(bound) => {
                let node = match bound {
                    Bound::Lhs => self.bound.map(|(lhs, _)| lhs),
                    Bound::Rhs => self.bound.map(|(_, rhs)| rhs),
                    Bound::This => self.this,
                };
                Ok(Set::Owned(node.into_iter().collect()))
            }
        }
    }

    fn union(&mut self, operands: &'p [Nodes], context: Context) -> Result<Vec<NodeId>> {
        let mut all = Vec::new();
        for operand in operands {
            all.extend_from_slice(&self.nodes(operand, context)?);
        }
        all.sort_unstable();
        all.dedup();
        Ok(all)
    }

    /// The nodes of the first operand that gives any.
    fn first_set(&mut self, operands: &'p [Nodes], context: Context) -> Result<Set> {
        for operand in operands {
            let nodes = self.nodes(operand, context)?;
            if !nodes.is_empty() {
                return Ok(nodes);
            }
        }
        Ok(Set::Owned(Vec::new()))
    }

    fn filter(&mut self, base: &'p Nodes, predicates: &'p [Predicate], context: Context) -> Result<Vec<NodeId>> {
        let mut list = self.nodes(base, context)?.into_vec();
        self.apply(predicates, &mut list)?;
        Ok(list)
    }

    fn ids(&mut self, text: &'p Text, context: Context) -> Result<Vec<NodeId>> {
        let text = self.text(text, context)?;
        let mut found = Vec::new();
        self.find_ids(&text, &mut found);
        found.sort_unstable();
        found.dedup();
        Ok(found)
    }

    fn ids_in(&mut self, nodes: &'p Nodes, context: Context) -> Result<Vec<NodeId>> {
        let mut found = Vec::new();
        for &node in self.nodes(nodes, context)?.iter() {
            self.find_ids(self.page.string_value(node), &mut found);
        }
        found.sort_unstable();
        found.dedup();
        Ok(found)
    }

    fn distinct(&mut self, nodes: &'p Nodes, context: Context) -> Result<Vec<NodeId>> {
        let mut found = self.nodes(nodes, context)?.into_vec();
        let page = self.page;
        let mut seen = HashSet::new();
        found.retain(|node| seen.insert(page.string_value(*node)));
        Ok(found)
    }

    fn once(&mut self, slot: usize, inner: &'p Nodes, context: Context) -> Result<Rc<[NodeId]>> {
        if let Some(nodes) = &self.memory.once[slot] {
            return Ok(Rc::clone(nodes));
        }
        let nodes: Rc<[NodeId]> = self.nodes(inner, context)?.into_vec().into();
        self.memory.once[slot] = Some(Rc::clone(&nodes));
        Ok(nodes)
    }

    /// Adds the elements whose ids are in a text, separated by white space.
    fn find_ids(&mut self, text: &str, found: &mut Vec<NodeId>) {
        let page = self.page;
        let ids = self.memory.ids.get_or_insert_with(|| {
            let attributes = page.name_id("id").map_or(&[][..], |id| page.attributes_named(id));
            // If an id occurs twice, it belongs to the first element.
            let mut ids = attributes.to_vec();
            ids.sort_by_key(|attribute| page.string_value(*attribute));
            ids.dedup_by_key(|attribute| page.string_value(*attribute));
            ids
        });
        let element = |word: &str| {
            let at = ids.binary_search_by_key(&word, |attribute| page.string_value(*attribute));
            at.ok().and_then(|at| page.parent(ids[at]))
        };
        let words = text.split(crate::value::is_space).filter(|word| !word.is_empty());
        found.extend(words.filter_map(element));
    }
}
