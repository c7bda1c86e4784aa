//! Random expressions of XPath 1.0, each well typed.
//!
//! There is one function for each type, and each calls the others where the language expects a value of that type, so
//! every expression compiles: all axes, node tests, operators and functions occur, nested, abbreviated or not. Operands
//! are put in parentheses or not by chance. Without them an expression may mean something else than was built, but it
//! has the same type and means the same to every implementation.
//!
//! Two things are controlled. *Cost*: libxml2 visits the whole page for each node at a `following::*` inside a
//! predicate, and joins sets of nodes in quadratic time. So an expression has a budget for the axes that reach far, and
//! they become rare with the depth of nesting. *Known differences*, listed in `docs/conformance.md`, are avoided where
//! the text of an expression shows them:
//!
//! - `following::` is never applied to a node that may be an attribute;
//! - a number becomes a string only where all implementations write it the same way, that is, as a small integer or a
//!   short literal;
//! - `position()` and `last()` are only used inside a predicate;
//! - `id()`, `lang()` and the namespace axis without a name are not used.

use super::vocabulary::Vocabulary;
use super::witness::{reach, test_for};
use crate::random::Random;
use page::{NodeId, Page};

/// Generates expressions about one page.
pub(crate) struct Generator<'a> {
    page: &'a Page,
    words: &'a Vocabulary,
    random: &'a mut Random,
    /// What is known about the context node of the current subexpression.
    context: Reached,
    /// The number of open predicates.
    predicates: usize,
    /// The remaining budget for axes that reach far.
    far: usize,
}

/// A node-set expression, and what is known about the nodes it selects.
struct Nodes {
    text: String,
    reached: Reached,
}

/// What is known about the nodes that an expression selects.
#[derive(Clone, Copy)]
struct Reached {
    /// May an attribute be among them?
    attributes: bool,
    /// One of them, if predicates are ignored.
    witness: Option<NodeId>,
}

const AXES: [(&str, usize); 13] = [
    // The near ones, with their weights.
    ("child", 30),
    ("attribute", 10),
    ("self", 5),
    ("parent", 8),
    ("ancestor", 7),
    ("ancestor-or-self", 5),
    ("following-sibling", 8),
    ("preceding-sibling", 8),
    ("namespace", 1),
    // The far ones.
    ("descendant", 12),
    ("descendant-or-self", 8),
    ("following", 8),
    ("preceding", 8),
];
const NEAR_AXES: usize = 9;

impl<'a> Generator<'a> {
    /// A generator for a page with a vocabulary, for expressions in the context of an element.
    pub(crate) fn new(page: &'a Page, words: &'a Vocabulary, random: &'a mut Random, context: NodeId) -> Generator<'a> {
        let context = Reached {
            attributes: false,
            witness: Some(context),
        };
        Generator {
            page,
            words,
            random,
            context,
            predicates: 0,
            far: 3,
        }
    }

    /// An expression of any type.
    pub(crate) fn expression(&mut self) -> String {
        let depth = 1 + self.random.below(3);
        match self.random.weighted(&[60, 14, 14, 12]) {
            0 => self.nodes(depth).text,
            1 => self.boolean(depth),
            2 => self.number(depth),
            _ => self.string(depth),
        }
    }

    fn nodes(&mut self, depth: usize) -> Nodes {
        if depth == 0 {
            return self.path(0);
        }
        match self.random.weighted(&[70, 8, 10, 7]) {
            0 => self.path(depth),
            1 => {
                let (left, right) = (self.nodes(depth - 1), self.nodes(depth - 1));
                let reached = Reached {
                    attributes: left.reached.attributes || right.reached.attributes,
                    witness: left.reached.witness.or(right.reached.witness),
                };
                Nodes {
                    text: format!("{} | {}", left.text, right.text),
                    reached,
                }
            }
            2 => {
                let Nodes { text, reached } = self.nodes(depth - 1);
                let predicates = self.some_predicates(depth - 1, reached, 70);
                Nodes {
                    text: format!("({text}){predicates}"),
                    reached,
                }
            }
            _ => {
                let inner = self.nodes(depth - 1);
                let mut text = format!("({})", inner.text);
                let reached = self.steps(&mut text, depth - 1, inner.reached, true);
                Nodes { text, reached }
            }
        }
    }

    fn path(&mut self, depth: usize) -> Nodes {
        let absolute = self.random.chance(8usize.checked_div(self.predicates).unwrap_or(70));
        let document = Reached {
            attributes: false,
            witness: Some(NodeId::DOCUMENT),
        };
        if absolute && self.random.chance(3) {
            return Nodes {
                text: "/".to_owned(),
                reached: document,
            };
        }
        let mut text = String::new();
        let from = if absolute { document } else { self.context };
        let reached = self.steps(&mut text, depth, from, absolute);
        Nodes { text, reached }
    }

    /// Adds steps to a path; the first one gets a slash only if `slash` is set.
    fn steps(&mut self, path: &mut String, depth: usize, mut reached: Reached, slash: bool) -> Reached {
        let count = 1 + self.random.weighted(&[45, 35, 15, 5]);
        for at in 0..count {
            if at > 0 || slash {
                let percent = match (self.predicates, path.is_empty()) {
                    (0, true) => 80,
                    (0, false) => 30,
                    _ => 12,
                };
                if self.random.chance(percent) && self.afford(1) {
                    path.push_str("//");
                    let from = reached.witness;
                    reached.witness = from.and_then(|n| reach(self.page, self.random, n, "descendant-or-self"));
                } else {
                    path.push('/');
                }
                if self.random.chance(3) {
                    path.push(' ');
                }
            }
            reached = self.step(path, depth, reached);
        }
        reached
    }

    fn step(&mut self, path: &mut String, depth: usize, from: Reached) -> Reached {
        if self.random.chance(6) {
            if self.random.chance(40) {
                path.push('.');
                return from;
            }
            path.push_str("..");
            return Reached {
                attributes: false,
                witness: from.witness.and_then(|node| self.page.parent(node)),
            };
        }
        let (axis, witness) = self.axis(from, path.ends_with("//"));
        let test = match witness {
            Some(node) => test_for(self.page, self.random, node),
            None => self.test(axis),
        };
        match axis {
            "child" if self.random.chance(80) => path.push_str(&test),
            "attribute" if self.random.chance(80) => path.push_str(&format!("@{test}")),
            _ if self.random.chance(5) => path.push_str(&format!("{axis} :: {test}")),
            _ => path.push_str(&format!("{axis}::{test}")),
        }
        let attributes = match axis {
            "attribute" => true,
            "self" | "ancestor-or-self" | "descendant-or-self" => from.attributes && test == "node()",
            _ => false,
        };
        let reached = Reached { attributes, witness };
        let predicates = self.some_predicates(depth, reached, 35);
        path.push_str(&predicates);
        reached
    }

    /// An axis, and a node it leads to; mostly an axis that leads somewhere. After `//` it costs more, because it
    /// starts from every node.
    fn axis(&mut self, from: Reached, everywhere: bool) -> (&'static str, Option<NodeId>) {
        let rarer = 1 + 2 * self.predicates * self.predicates;
        let weights = (0..).zip(AXES).map(|(at, (_, weight))| match at {
            0..NEAR_AXES => weight * 2,
            _ => (weight * 2 / rarer).max(1),
        });
        let weights: Vec<usize> = weights.collect();
        let mut tries = 0;
        loop {
            let (axis, _) = AXES[self.random.weighted(&weights)];
            let price = match axis {
                "following" | "preceding" => 2 + usize::from(everywhere),
                "descendant" | "descendant-or-self" => 1,
                _ => 0,
            };
            if axis == "following" && from.attributes || !self.afford(price) {
                continue;
            }
            let witness = from.witness.and_then(|node| reach(self.page, self.random, node, axis));
            if witness.is_some() || tries > 3 || self.random.chance(10) {
                return (axis, witness.filter(|_| self.random.chance(90)));
            }
            self.far += price * (1 + self.predicates);
            tries += 1;
        }
    }

    /// Takes the price of an axis from the budget; the price is higher inside a predicate, where the axis is walked for
    /// each node.
    fn afford(&mut self, price: usize) -> bool {
        let left = self.far.checked_sub(price * (1 + self.predicates));
        self.far = left.unwrap_or(self.far);
        left.is_some()
    }

    fn test(&mut self, axis: &str) -> String {
        match axis {
            "namespace" => return "nothing".to_owned(),
            "attribute" if self.random.chance(60) => return self.words.attribute(self.random),
            "attribute" if self.random.chance(80) => return "*".to_owned(),
            _ => {}
        }
        match self.random.weighted(&[60, 18, 10, 8, 3, 1]) {
            0 => self.words.element(self.random),
            1 => "*".to_owned(),
            2 => "text()".to_owned(),
            3 => "node()".to_owned(),
            4 => "comment()".to_owned(),
            _ => self.one_of(&["processing-instruction()", "processing-instruction('nothing')"]),
        }
    }

    fn some_predicates(&mut self, depth: usize, reached: Reached, percent: usize) -> String {
        let mut text = String::new();
        while depth > 0 && text.len() < 80 && self.random.chance(if text.is_empty() { percent } else { 20 }) {
            let outside = std::mem::replace(&mut self.context, reached);
            self.predicates += 1;
            let inner = self.predicate(depth - 1);
            self.predicates -= 1;
            self.context = outside;
            text.push_str(&format!("[{inner}]"));
        }
        text
    }

    fn predicate(&mut self, depth: usize) -> String {
        match self.random.weighted(&[15, 6, 14, 25, 30, 4, 6]) {
            0 => (1 + self.random.below(4)).to_string(),
            1 => self.one_of(&["last()", "last() - 1", "position() = last()", "position() != last()"]),
            2 => {
                let operator = self.comparison();
                format!("position() {operator} {}", self.small(depth))
            }
            3 => self.nodes(depth).text,
            4 => self.boolean(depth),
            5 => self.string(depth),
            _ => self.number(depth),
        }
    }

    fn small(&mut self, depth: usize) -> String {
        match self.random.below(4) {
            0 => "last() div 2".to_owned(),
            1 => format!("count({})", self.nodes(depth.min(1)).text),
            _ => self.random.below(6).to_string(),
        }
    }

    fn boolean(&mut self, depth: usize) -> String {
        let less = depth.saturating_sub(1);
        if depth == 0 {
            return match self.random.below(4) {
                0 => self.one_of(&["true()", "false()"]),
                1 => format!("contains({}, {})", self.string(0), self.string(0)),
                _ => format!("{} {} {}", self.simple(), self.comparison(), self.simple()),
            };
        }
        match self.random.weighted(&[40, 12, 12, 10, 10, 6, 8]) {
            0 => {
                let (left, operator, right) = (self.operand(less), self.comparison(), self.operand(less));
                format!("{left} {operator} {right}")
            }
            1 => format!("{} and {}", self.condition(less), self.condition(less)),
            2 => format!("{} or {}", self.condition(less), self.condition(less)),
            3 => format!("not({})", self.any(less)),
            4 => format!("contains({}, {})", self.textual(less), self.textual(less)),
            5 => format!("starts-with({}, {})", self.textual(less), self.textual(less)),
            _ => format!("boolean({})", self.any(less)),
        }
    }

    /// A node-set, string or number of least depth.
    fn simple(&mut self) -> String {
        match self.random.below(3) {
            0 => self.nodes(0).text,
            1 => self.words.literal(self.random),
            _ => self.words.number(self.random),
        }
    }

    fn comparison(&mut self) -> &'static str {
        const OPERATORS: [&str; 9] = ["=", "=", "=", "!=", "!=", "<", "<=", ">", ">="];
        self.random.pick::<&'static str>(&OPERATORS)
    }

    /// One side of a comparison: of any type, mostly a node-set.
    fn operand(&mut self, depth: usize) -> String {
        let text = match self.random.weighted(&[45, 20, 25, 10]) {
            0 => self.nodes(depth).text,
            1 => self.string(depth),
            2 => self.number(depth),
            _ => self.boolean(depth),
        };
        self.perhaps_in_parentheses(text)
    }

    fn condition(&mut self, depth: usize) -> String {
        let text = self.any(depth);
        self.perhaps_in_parentheses(text)
    }

    fn perhaps_in_parentheses(&mut self, text: String) -> String {
        if self.random.chance(50) {
            format!("({text})")
        } else {
            text
        }
    }

    /// A value of any type.
    fn any(&mut self, depth: usize) -> String {
        match self.random.weighted(&[40, 30, 15, 15]) {
            0 => self.nodes(depth).text,
            1 => self.boolean(depth),
            2 => self.number(depth),
            _ => self.string(depth),
        }
    }

    fn number(&mut self, depth: usize) -> String {
        let less = depth.saturating_sub(1);
        if depth == 0 {
            let inside = if self.predicates > 0 { 12 } else { 0 };
            return match self.random.weighted(&[50, inside, inside, 26]) {
                0 => self.words.number(self.random),
                1 => "position()".to_owned(),
                2 => "last()".to_owned(),
                _ => format!("count({})", self.nodes(0).text),
            };
        }
        match self.random.weighted(&[25, 25, 10, 12, 12, 12, 4]) {
            0 => format!("count({})", self.nodes(less).text),
            1 => {
                let operator = *self.random.pick(&["+", "-", "*", "div", "mod"]);
                let (left, right) = (self.term(less), self.term(less));
                format!("{left} {operator} {right}")
            }
            2 => format!("sum({})", self.nodes(less).text),
            3 => format!("string-length({})", self.textual(less)),
            4 => {
                let function = self.one_of(&["floor", "ceiling", "round"]);
                format!("{function}({})", self.number(less))
            }
            5 => format!("number({})", self.any(less)),
            _ => format!("-{}", self.term(less)),
        }
    }

    fn term(&mut self, depth: usize) -> String {
        let text = if self.random.chance(80) {
            self.number(depth)
        } else {
            self.any(depth)
        };
        format!("({text})")
    }

    fn string(&mut self, depth: usize) -> String {
        let less = depth.saturating_sub(1);
        if depth == 0 {
            return match self.random.weighted(&[45, 25, 6, 8, 8, 8]) {
                0 => self.words.literal(self.random),
                1 => format!("string({})", self.nodes(0).text),
                2 => "string()".to_owned(),
                3 => "normalize-space()".to_owned(),
                4 => "name()".to_owned(),
                _ => "local-name()".to_owned(),
            };
        }
        match self.random.weighted(&[15, 14, 10, 10, 10, 14, 12, 12, 3]) {
            0 => format!("string({})", self.textual(less)),
            1 => match self.random.below(2) {
                0 => format!("concat({}, {})", self.textual(less), self.textual(less)),
                _ => format!(
                    "concat({}, {}, {})",
                    self.textual(less),
                    self.textual(less),
                    self.textual(less)
                ),
            },
            2 => format!("substring-before({}, {})", self.textual(less), self.textual(0)),
            3 => format!("substring-after({}, {})", self.textual(less), self.textual(0)),
            4 => format!("substring({}, {})", self.textual(less), self.number(less)),
            5 => format!(
                "substring({}, {}, {})",
                self.textual(less),
                self.number(less),
                self.number(less)
            ),
            6 => format!("normalize-space({})", self.textual(less)),
            7 => format!(
                "translate({}, {}, {})",
                self.textual(less),
                self.textual(0),
                self.textual(0)
            ),
            _ => {
                let function = self.one_of(&["name", "local-name", "namespace-uri"]);
                format!("{function}({})", self.nodes(less).text)
            }
        }
    }

    /// An expression for a place where a string is expected: anything, but a number only if all implementations write
    /// it the same way.
    fn textual(&mut self, depth: usize) -> String {
        match self.random.weighted(&[40, 40, 10, 10]) {
            0 => self.nodes(depth).text,
            1 => self.string(depth),
            2 => self.boolean(depth),
            _ => match self.random.below(4) {
                0 => self.words.number(self.random),
                1 => format!("count({})", self.nodes(depth).text),
                2 => format!("({}) div 0", self.number(depth)),
                _ => format!("round({}) mod 9973", self.number(depth)),
            },
        }
    }

    fn one_of(&mut self, texts: &[&str]) -> String {
        (*self.random.pick(texts)).to_owned()
    }
}
