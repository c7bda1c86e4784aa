//! The plan: how an expression will be evaluated.
//!
//! The normal form says what is asked; the plan says how it is found. Expressions are divided by the type of their
//! value ([`Nodes`], [`Text`], [`Number`], [`Truth`]), with every conversion of XPath made explicit, so that evaluation
//! never checks a type. [`compile`](compile::compile) makes the plan in one pass over the normal form and decides
//! there:
//!
//! - `descendant-or-self::node()/child::x` becomes [`Axis::Descendant`] or, if positions are needed, the descendants
//!   grouped by their parents ([`Walk::Grouped`]);
//! - predicates that count (`[3]`, `[last()]`, `[position() > 1]`) become [`Predicate::Nth`] and similar forms, which
//!   visit no more nodes than necessary;
//! - `count(p) > 0` becomes the existence of `p`; `contains(concat(' ', normalize-space(@class), ' '), ' w ')` becomes
//!   a test for a word; `contains(., 'text')` uses a list of the text's positions on the page;
//! - the condition of an intensional axis is divided into comparisons of two sides ([`Relation`]);
//! - a predicate that may be evaluated for one node several times, and a part of a positional predicate that does not
//!   depend on the position, get a memo slot ([`Truth::Memo`] and similar forms). Where nodes would have to be
//!   remembered, the whole predicate gets one for each context instead ([`Truth::ContextMemo`]). What does not depend
//!   on the context at all is evaluated once ([`Nodes::Once`], [`Number::Fixed`] and similar forms);
//! - a path in a predicate gets a slot for a table of its answers for all nodes of the page ([`Path::table`]), and a step
//!   that picks by position one for a list of the nodes to pick from ([`Step::list`]); see `eval::table`.
//!
//! With this no expression takes exponential time: a predicate is evaluated at most once for each node, or context, and
//! each path takes time polynomial in the page
//! (Gottlob, Koch, Pichler: Efficient algorithms for processing XPath queries, 2005).

mod colour;
mod compile;
mod depend;
mod relate;
mod rewrite;
mod shape;

pub(crate) use crate::syntax::ast::Axis;
pub(crate) use compile::{Compiler, compile};
pub(crate) use depend::depends_on_position;
pub(crate) use relate::Relation;

use record::values::DateFormat;
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
    /// The number of memo slots of each kind.
    pub(crate) slots: Slots,
    /// The texts whose positions on the page are listed, by slot.
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
    pub(crate) tables: usize,
    pub(crate) lists: usize,
    pub(crate) fixed_truths: usize,
    pub(crate) fixed_numbers: usize,
    pub(crate) fixed_texts: usize,
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
    /// A union in which no node is in two operands.
    Disjoint(Vec<Nodes>),
    Filter {
        base: Box<Nodes>,
        predicates: Vec<Predicate>,
    },
    /// The elements whose ids are in the text.
    Id(Box<Text>),
    /// The elements whose ids are in the string-values of the nodes.
    IdsIn(Box<Nodes>),
    /// The first of the nodes with each string-value.
    Distinct(Box<Nodes>),
    /// Those of the first expression that gives any.
    FirstOf(Vec<Nodes>),
    /// A node that the expression binds itself.
    Bound(Bound),
    /// Evaluated once: it does not depend on the context.
    Once {
        slot: usize,
        inner: Box<Nodes>,
    },
}

/// What a reserved variable is bound to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bound {
    /// `$lhs` of the surrounding intensional axis.
    Lhs,
    /// `$rhs` of the surrounding intensional axis.
    Rhs,
    /// `$this`: the node of the action whose condition it is.
    This,
}

impl Bound {
    pub(crate) fn find(name: &str) -> Option<Bound> {
        match name {
            "lhs" => Some(Bound::Lhs),
            "rhs" => Some(Bound::Rhs),
            "this" => Some(Bound::This),
            _ => None,
        }
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Path {
    pub(crate) start: Start,
    pub(crate) steps: Vec<Step>,
    /// Can the nodes be enumerated by walking the steps depth first without visiting a node twice?
    pub(crate) walkable: bool,
    /// Does that walk visit them in document order?
    pub(crate) ordered: bool,
    /// The slot of a table with the answer for every node of the page; made when walks have taken long.
    pub(crate) table: Option<usize>,
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
    /// The step, if it does not follow an axis.
    pub(crate) detour: Option<Box<Detour>>,
    pub(crate) test: Test,
    pub(crate) predicates: Vec<Predicate>,
    pub(crate) walk: Walk,
    /// The slot of a list of all nodes of the page that pass the test and the first predicates; as for tables.
    pub(crate) list: Option<usize>,
}

/// A step that does not follow an axis.
#[derive(Clone, Debug)]
pub(crate) enum Detour {
    /// The nodes reached by following a path `min` to `max` times.
    Repeat {
        body: Nodes,
        min: u32,
        max: Option<u32>,
        /// A memo by node, where the repetition is inside another.
        slot: Option<usize>,
    },
    /// The nodes for which a condition on `$lhs`, the context node, and `$rhs`, the candidate, is true.
    Related(Relation),
}

/// How a step is applied to a set of nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Walk {
    /// To all nodes at once: no predicate depends on a position.
    Set,
    /// To each node separately: positions count within each node's axis.
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
    /// A form field; `visible` means only a visible one.
    Field {
        visible: bool,
    },
    Nothing,
}

#[derive(Clone, Debug)]
pub(crate) enum Predicate {
    /// Does not depend on the position.
    Filter(Truth),
    /// Depends on the position or on the number of nodes.
    Positional(Truth),
    /// The n-th, counted from 1.
    Nth(usize),
    /// The last.
    Last,
    /// The n-th before the last.
    FromEnd(usize),
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
    /// Is the context node of this kind and name? The meaning of `self::x`.
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
    /// Is there a node for whose number the comparison is true?
    NodesNumber(Comparison, Nodes, Number),
    /// Is there a node whose string-value is equal to the text, or is not?
    NodesText {
        equal: bool,
        nodes: Nodes,
        text: Text,
    },
    /// Is there a pair of nodes for which the comparison is true?
    NodesNodes(Comparison, Nodes, Nodes),
    Contains(Text, Text),
    /// `contains(., 'needle')`: by the list of positions of a needle.
    ContextContains {
        needle: usize,
    },
    /// `contains(nodes, 'needle')`: the same for the first node.
    FirstContains {
        nodes: Nodes,
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
    /// Evaluated once: it does not depend on the context.
    Fixed {
        slot: usize,
        inner: Box<Truth>,
    },
}

/// The characters that separate words.
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
    /// The smallest value, or the largest.
    Extreme {
        nodes: Nodes,
        largest: bool,
    },
    /// The first that is a number.
    FirstOf(Vec<Number>),
    OfText(Text),
    OfTruth(Box<Truth>),
    Arithmetic(Operator, Box<Number>, Box<Number>),
    Negate(Box<Number>),
    Floor(Box<Number>),
    Ceiling(Box<Number>),
    Round(Box<Number>),
    Length(Text),
    Memo {
        slot: usize,
        inner: Box<Number>,
    },
    /// Evaluated once: it does not depend on the context.
    Fixed {
        slot: usize,
        inner: Box<Number>,
    },
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
    Trim(Box<Text>),
    /// The n-th part between matches.
    Token {
        text: Box<Text>,
        pattern: Pattern,
        nth: Box<Number>,
    },
    Translate(Box<Text>, Box<Text>, Box<Text>),
    /// The n-th value at a path in JSON.
    Json {
        text: Box<Text>,
        path: Box<Text>,
        nth: Option<Box<Number>>,
    },
    /// The n-th value at a path in the structured data of the page, of things of a type; all of it without a path.
    Data {
        path: Option<Box<Text>>,
        kind: Option<Box<Text>>,
        nth: Option<Box<Number>>,
    },
    /// The date that a text of a format stands for; empty if it does not have that format.
    Date {
        text: Box<Text>,
        format: Box<DateFormat>,
    },
    /// The first that is not missing, as text.
    FirstOf(Vec<Choice>),
    LowerCase(Box<Text>),
    UpperCase(Box<Text>),
    Join {
        nodes: Box<Nodes>,
        separator: Box<Text>,
        /// How each node is converted to text.
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
    /// Evaluated once: it does not depend on the context.
    Fixed {
        slot: usize,
        inner: Box<Text>,
    },
}

impl Text {
    /// The text that a date is read from, if this is a date.
    pub(crate) fn undated(&self) -> Option<&Text> {
        match self {
            Text::Date { text, .. } => Some(text),
            Text::Memo { inner, .. } | Text::Fixed { inner, .. } => inner.undated(),
            _ => None,
        }
    }
}

/// A value that may be missing: an empty node-set, an empty text, NaN. A truth is never missing.
#[derive(Clone, Debug)]
pub(crate) enum Choice {
    Nodes(Nodes),
    Text(Text),
    Number(Number),
    Truth(Truth),
}

/// How `string-join` turns a node into text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Each {
    Value,
    NormalizedValue,
    Markup(Markup),
}

/// The format in which a node is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Markup {
    Inner,
    Outer,
    Xml,
}

/// A regular expression: compiled with the plan if it is constant.
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
