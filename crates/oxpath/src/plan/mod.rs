//! The plan: how an expression will be evaluated.
//!
//! The normal form says what is asked; the plan says how it is found. Expressions are sorted by the type of their value
//! ([`Nodes`], [`Text`], [`Number`], [`Truth`]), with every conversion of XPath made explicit, so that evaluation never
//! looks at a type. [`compile`](compile::compile) makes the plan in one pass over the normal form and decides there:
//!
//! - `descendant-or-self::node()/child::x` becomes [`Axis::Descendant`] or, if positions are asked for, the descendants
//!   grouped by their parents ([`Walk::Grouped`]);
//! - predicates that count (`[3]`, `[last()]`, `[position() > 1]`) become [`Predicate::Nth`] and its like, which look at no
//!   more nodes than they must;
//! - `count(p) > 0` becomes the existence of `p`; `contains(concat(' ', normalize-space(@class), ' '), ' w ')` becomes a
//!   test for a word; `contains(., 'text')` looks the text up in a list of its places on the page;
//! - the condition of an intensional axis is taken apart into comparisons of two sides ([`Relation`]);
//! - a predicate that may be asked of one node again and again, and a part of a positional predicate that does not
//!   depend on the position, get a memo slot ([`Truth::Memo`] and its like), or the whole predicate gets one for each
//!   context ([`Truth::ContextMemo`]) where nodes would have to be remembered; what does not depend on the context at all
//!   is evaluated once ([`Nodes::Once`]). With this no expression takes exponential time: a predicate is evaluated at
//!   most once for each node, or context, and each path takes time polynomial in the page (Gottlob, Koch, Pichler: Efficient
//!   algorithms for processing XPath queries, 2005).

mod colour;
mod compile;
mod depend;
mod relate;
mod shape;

pub(crate) use crate::syntax::ast::Axis;
pub(crate) use compile::{Compiler, compile};
pub(crate) use depend::depends_on_position;
pub(crate) use relate::Relation;

use regex::Regex;

/// A compiled expression.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    pub(crate) root: Root,
    pub(crate) shared: Shared,
}

/// What the parts of a plan refer to.
#[derive(Clone, Debug)]
pub(crate) struct Shared {
    /// The names that tests refer to; looked up once for each page.
    pub(crate) names: Vec<String>,
    /// How many memo slots there are of each kind.
    pub(crate) slots: Slots,
    /// The texts whose places on the page are listed, by slot.
    pub(crate) needles: Vec<String>,
}

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Slots {
    pub(crate) truths: usize,
    pub(crate) contexts: usize,
    pub(crate) numbers: usize,
    pub(crate) texts: usize,
    pub(crate) nodes: usize,
    pub(crate) repeats: usize,
    pub(crate) relations: usize,
}

/// The whole expression, by the type of its value.
#[derive(Clone, Debug)]
pub(crate) enum Root {
    Nodes(Nodes),
    Text(Text),
    Number(Number),
    Truth(Truth),
}

/// An expression that gives nodes.
#[derive(Clone, Debug)]
pub(crate) enum Nodes {
    Path(Path),
    Union(Vec<Nodes>),
    Filter {
        base: Box<Nodes>,
        predicates: Vec<Predicate>,
    },
    /// The elements whose ids stand in the text.
    Id(Box<Text>),
    /// The elements whose ids stand in the string-values of the nodes.
    IdsIn(Box<Nodes>),
    /// `$lhs` or `$rhs` of the intensional axis around.
    Bound {
        right: bool,
    },
    /// Evaluated once: it does not depend on the context.
    Once {
        slot: usize,
        inner: Box<Nodes>,
    },
}

#[derive(Clone, Debug)]
pub(crate) struct Path {
    pub(crate) start: Start,
    pub(crate) steps: Vec<Step>,
    /// Can the nodes be enumerated by walking the steps depth first without meeting a node twice?
    pub(crate) walkable: bool,
    /// Does that walk meet them in document order?
    pub(crate) ordered: bool,
}

#[derive(Clone, Debug)]
pub(crate) enum Start {
    Context,
    Root,
    Nodes(Box<Nodes>),
}

#[derive(Clone, Debug)]
pub(crate) struct Step {
    pub(crate) axis: Axis,
    /// What the step is if it does not go along an axis.
    pub(crate) detour: Option<Box<Detour>>,
    pub(crate) test: Test,
    pub(crate) predicates: Vec<Predicate>,
    pub(crate) walk: Walk,
}

/// A step that does not go along an axis.
#[derive(Clone, Debug)]
pub(crate) enum Detour {
    /// The nodes reached by taking a path `min` to `max` times.
    Repeat {
        body: Nodes,
        min: u32,
        max: Option<u32>,
        /// A memo by node, where the repetition is inside another.
        slot: Option<usize>,
    },
    /// The nodes for which a condition on `$lhs`, the context node, and `$rhs`, the candidate, holds.
    Related(Relation),
}

/// How a step is taken from a set of nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Walk {
    /// From all nodes at once: no predicate asks for a position.
    Set,
    /// From each node by itself: positions count within each node's axis.
    Each,
    /// `descendant-or-self::node()/child::…` at once: descendants, with positions among the children of each parent.
    Grouped,
}

/// A node test; names by their index in [`Plan::names`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Test {
    AnyElement,
    Element(usize),
    /// `prefix:*`: the prefix with its colon.
    ElementPrefix(String),
    AnyAttribute,
    Attribute(usize),
    AttributePrefix(String),
    AnyStyle,
    Style(usize),
    Node,
    Text,
    Comment,
    /// A form field; a visible one only?
    Field {
        visible: bool,
    },
    Nothing,
}

#[derive(Clone, Debug)]
pub(crate) enum Predicate {
    /// Does not depend on the position.
    Filter(Truth),
    /// Depends on the position or on how many there are.
    Positional(Truth),
    /// The n-th, counted from 1.
    Nth(usize),
    /// The last.
    Last,
    /// Positions from the first up to the second, both included.
    Between(usize, usize),
}

/// An expression that gives a truth value.
#[derive(Clone, Debug)]
pub(crate) enum Truth {
    Constant(bool),
    Any(Vec<Truth>),
    All(Vec<Truth>),
    Not(Box<Truth>),
    /// Is there a node?
    Exists(Nodes),
    /// Is the context node of this kind and name? What `self::x` asks.
    Is(Test),
    /// Is there a node of this kind and name before the context node, not counting its ancestors?
    Precedes(Test),
    /// Is there one after it, not counting its descendants?
    Follows(Test),
    /// Does the context node have this attribute?
    HasAttribute(usize),
    OfNumber(Number),
    OfText(Text),
    CompareNumbers(Comparison, Number, Number),
    SameText {
        equal: bool,
        left: Text,
        right: Text,
    },
    BothOrNeither {
        equal: bool,
        left: Box<Truth>,
        right: Box<Truth>,
    },
    /// Is there a node whose number compares so?
    NodesNumber(Comparison, Nodes, Number),
    /// Is there a node whose string-value is, or is not, the text?
    NodesText {
        equal: bool,
        nodes: Nodes,
        text: Text,
    },
    /// Is there a pair of nodes that compares so?
    NodesNodes(Comparison, Nodes, Nodes),
    Contains(Text, Text),
    /// `contains(., 'needle')`: by the list of places of a needle.
    ContextContains {
        needle: usize,
    },
    /// Is the word one of those in the text?
    HasWord {
        text: Text,
        word: Text,
        separators: Separators,
    },
    /// Are all nodes of the first among those of the second?
    Subset(Nodes, Nodes),
    /// Is the first node visible, as far as is known?
    Visible(Nodes),
    StartsWith(Text, Text),
    EndsWith(Text, Text),
    Matches {
        text: Text,
        pattern: Pattern,
    },
    Lang(Text),
    Memo {
        slot: usize,
        inner: Box<Truth>,
    },
    /// Remembered for the whole context: node, position and size.
    ContextMemo {
        slot: usize,
        inner: Box<Truth>,
    },
}

/// What separates words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Separators {
    /// Any white space: the idiom with `normalize-space`.
    Space,
    /// The space character alone: the idiom without.
    Blank,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Comparison {
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
}

/// An expression that gives a number.
#[derive(Clone, Debug)]
pub(crate) enum Number {
    Constant(f64),
    Position,
    Last,
    Count(Nodes),
    Sum(Nodes),
    OfText(Text),
    OfTruth(Box<Truth>),
    Arithmetic(Operator, Box<Number>, Box<Number>),
    Negate(Box<Number>),
    Floor(Box<Number>),
    Ceiling(Box<Number>),
    Round(Box<Number>),
    Length(Text),
    Memo { slot: usize, inner: Box<Number> },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operator {
    Add,
    Subtract,
    Multiply,
    Divide,
    Modulo,
}

/// An expression that gives text.
#[derive(Clone, Debug)]
pub(crate) enum Text {
    Constant(String),
    /// The string-value of the context node.
    Context,
    /// The string-value of the first node.
    OfNodes(Box<Nodes>),
    OfNumber(Box<Number>),
    OfTruth(Box<Truth>),
    Concat(Vec<Text>),
    Name {
        nodes: Box<Nodes>,
        local: bool,
    },
    SubstringBefore(Box<Text>, Box<Text>),
    SubstringAfter(Box<Text>, Box<Text>),
    Substring {
        text: Box<Text>,
        start: Box<Number>,
        length: Option<Box<Number>>,
    },
    NormalizeSpace(Box<Text>),
    Translate(Box<Text>, Box<Text>, Box<Text>),
    LowerCase(Box<Text>),
    UpperCase(Box<Text>),
    Join {
        nodes: Box<Nodes>,
        separator: Box<Text>,
        /// What is made of each node.
        each: Each,
    },
    /// The text with its characters in reverse order.
    Reverse(Box<Text>),
    Replace {
        text: Box<Text>,
        pattern: Pattern,
        with: Box<Text>,
    },
    /// Part of a text before or after the n-th occurrence of another, counted from its start or end.
    Part {
        text: Box<Text>,
        mark: Box<Text>,
        nth: Option<Box<Number>>,
        after: bool,
        from_end: bool,
    },
    /// A URL made absolute.
    Absolute(Box<Text>),
    /// The URL of the page.
    PageUrl,
    /// The first node as HTML or XML.
    Markup {
        nodes: Box<Nodes>,
        form: Markup,
    },
    /// The time in UTC.
    Now,
    Memo {
        slot: usize,
        inner: Box<Text>,
    },
}

/// How `string-join` turns a node into text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Each {
    Value,
    NormalizedValue,
    Markup(Markup),
}

/// How a node is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Markup {
    Inner,
    Outer,
    Xml,
}

/// A regular expression: compiled with the plan where it is a constant.
#[derive(Clone, Debug)]
pub(crate) enum Pattern {
    Fixed(Regex),
    Computed {
        pattern: Box<Text>,
        flags: Option<Box<Text>>,
    },
}

/// Compiles a regular expression with the flags of XPath 2.0: `i`, `m`, `s`, `x`.
pub(crate) fn compile_regex(pattern: &str, flags: &str) -> Result<Regex, String> {
    let mut builder = regex::RegexBuilder::new(pattern);
    for flag in flags.chars() {
        match flag {
            'i' => builder.case_insensitive(true),
            'm' => builder.multi_line(true),
            's' => builder.dot_matches_new_line(true),
            'x' => builder.ignore_whitespace(true),
            _ => return Err(format!("found the flag `{flag}`, expected any of `i`, `m`, `s`, `x`")),
        };
    }
    builder.build().map_err(|error| match error {
        // The library's message draws the pattern over several lines; its last line says what is wrong.
        regex::Error::Syntax(text) => text
            .lines()
            .last()
            .unwrap_or_default()
            .trim_start_matches("error: ")
            .to_owned(),
        error => error.to_string(),
    })
}
