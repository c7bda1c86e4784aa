//! The syntax tree: exactly what the user wrote, with a span on everything.
//!
//! Abbreviations (`//`, `.`, `..`, `@`) are kept as written, so a tree prints back to an expression that parses to the
//! same tree; [`normalize`](crate::normalize) expands them. Chains of `or`, `and`, `|` and `??` are flat lists: programs
//! generate such chains, which can be thousands long, and a flat list keeps every later pass shallow. The parser limits
//! all other nesting ([`super::MAX_DEPTH`]), so passes may recurse.
//!
//! OXPath adds further forms of a step. Markers, optional predicates and whatever follows them are separate steps with
//! no separator before them: `a[1]:<R>[b]/c` is the step `a[1]`, the marker `R`, the predicate `b` and the step `c`, in
//! the order in which they are evaluated.

use crate::diag::Span;

/// An expression of any kind.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    /// The kind of expression, with its parts.
    pub kind: ExprKind,
    /// Its position in the source.
    pub span: Span,
}

/// The kinds of expression of XPath 1.0.
#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    /// `a or b or …`, at least two operands.
    Or(Vec<Expr>),
    /// `a and b and …`, at least two operands.
    And(Vec<Expr>),
    /// An operator between two operands.
    Binary {
        /// The operator.
        op: BinaryOp,
        /// The left operand.
        left: Box<Expr>,
        /// The right operand.
        right: Box<Expr>,
    },
    /// `-a`.
    Negate(Box<Expr>),
    /// `a | b | …`, at least two operands.
    Union(Vec<Expr>),
    /// `a ?? b ?? …`, at least two operands: the first that is not missing.
    FirstOf(Vec<Expr>),
    /// A location path, or an expression continued by one.
    Path(Path),
    /// A primary expression with predicates: `(//a)[1]`.
    Filter {
        /// The expression that is filtered.
        primary: Box<Expr>,
        /// At least one predicate.
        predicates: Vec<Expr>,
    },
    /// `"text"` or `'text'`, without its quotes.
    Literal(String),
    /// `12`, `.5`, `1.25`.
    Number(f64),
    /// `$name`, without the dollar sign.
    Variable(String),
    /// `name(argument, …)`.
    Call {
        /// The function's name as written.
        name: String,
        /// The position of the name.
        name_span: Span,
        /// The arguments.
        args: Vec<Expr>,
    },
}

/// The binary operators that are not flattened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum BinaryOp {
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Add,
    Subtract,
    Multiply,
    Divide,
    Modulo,
    /// `~`, in old wrappers `#=`: does the left contain the right?
    ContainsText,
    /// `~=`: is the right one of the words of the left?
    ContainsWord,
    /// `subset`: is every node of the left in the right?
    Subset,
}

/// A location path.
#[derive(Clone, Debug, PartialEq)]
pub struct Path {
    /// Where it starts.
    pub start: PathStart,
    /// Its steps; empty only for `/` alone.
    pub steps: Vec<Step>,
}

/// Where a location path starts.
#[derive(Clone, Debug, PartialEq)]
pub enum PathStart {
    /// At the context node: `a/b`.
    Context,
    /// At the root of the page: `/a/b`, `//a`.
    Root,
    /// At the nodes of an expression: `id("x")/a`, `(//a | //b)/c`.
    Expr(Box<Expr>),
}

/// One step of a location path.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// The separator before the step.
    pub separator: Separator,
    /// The axis and node test, or an abbreviation of both.
    pub form: StepForm,
    /// The predicates, in order. XPath 1.0 allows none after `.` and `..`; we do, because users write `.[@id]`. Empty
    /// unless the form is one of the first four: for other forms, predicates are steps ([`StepForm::Predicate`]).
    pub predicates: Vec<Expr>,
    /// The step with its predicates, without the separator.
    pub span: Span,
}

/// The separator before a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Separator {
    /// Nothing: the first step of a relative path, or a part written right after a step, such as a marker.
    None,
    /// `/`.
    Slash,
    /// `//`.
    DoubleSlash,
}

/// The ways to write a step: three from XPath, the others from OXPath.
#[derive(Clone, Debug, PartialEq)]
pub enum StepForm {
    /// `.`
    Dot,
    /// `..`
    DotDot,
    /// `axis::test`, `test` (the child axis), `@test` (the attribute axis) or `^test` (the style axis).
    Full {
        /// The axis, spelled out or implied.
        axis: Axis,
        /// Was the axis spelled out as `name::`?
        explicit: bool,
        /// The node test.
        test: NodeTest,
        /// `.class` and `#id` after the node test.
        selectors: Vec<Selector>,
    },
    /// `[condition]::test`: the nodes of the page for which the condition is true; `$lhs` is the context node and
    /// `$rhs` the candidate.
    Intensional {
        /// The condition.
        condition: Box<Expr>,
        /// The node test.
        test: NodeTest,
        /// `.class` and `#id` after the node test.
        selectors: Vec<Selector>,
    },
    /// `(body)*`, `(body)+`, `(body)*{min,max}` or, in the position of a step, `(body)`.
    Kleene {
        /// What is repeated: a path, or a union of paths.
        body: Box<Expr>,
        /// The fewest repetitions.
        min: u32,
        /// The most repetitions, if there is a limit; not below `min`.
        max: Option<u32>,
        /// How it was written.
        form: KleeneForm,
    },
    /// `{click /}`.
    Action(Action),
    /// `doc(url)`, `doc(url, [wait=2])`: the root of the page at that address.
    Doc {
        /// The address.
        url: Box<Expr>,
        /// How to wait for it.
        options: Options,
    },
    /// `:<name>`, `:<name=value>`.
    Marker(Marker),
    /// `[? e]`: evaluates `e` for its markers and actions, and keeps every node.
    Optional(Box<Expr>),
    /// `[e]` after a step of any form but the first four.
    Predicate(Box<Expr>),
}

/// A CSS selector after a node test.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Selector {
    /// `.name`: the attribute `class` contains this word.
    Class(String),
    /// `#name`: the attribute `id` is this.
    Id(String),
}

/// The spelling of a repetition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum KleeneForm {
    /// `(p)*`, with or without bounds.
    Star,
    /// `(p)+`: once or more.
    Plus,
    /// `(p)`: exactly once.
    Group,
}

/// An operation on a page.
#[derive(Clone, Debug, PartialEq)]
pub struct Action {
    /// The kind of operation.
    pub kind: ActionKind,
    /// Does it end with `/`, so that evaluation continues at the root of the new page? Otherwise it continues at the
    /// node of the new page that corresponds to the node of the action.
    pub absolute: bool,
    /// How to wait for the new page.
    pub options: Options,
    /// The action with its braces.
    pub span: Span,
}

/// The operations on a page.
#[derive(Clone, Debug, PartialEq)]
pub enum ActionKind {
    /// `{click}`.
    Click,
    /// `{dblclick}`.
    DoubleClick,
    /// `{rightclick}`.
    RightClick,
    /// `{mouseover}`.
    MouseOver,
    /// `{focus}`.
    Focus,
    /// `{scroll}`.
    Scroll,
    /// `{submit}`.
    Submit,
    /// `{check}`.
    Check,
    /// `{uncheck}`.
    Uncheck,
    /// `{press "Enter"}`; `{pressenter}` is the same.
    Press(Box<Expr>),
    /// `{keydown "Shift"}`: the first event of a key, which stays down.
    KeyDown(Box<Expr>),
    /// `{keyup "Shift"}`.
    KeyUp(Box<Expr>),
    /// `{drag "120,0"}`: by pixels to the right and down.
    Drag(Box<Expr>),
    /// `{"text"}`, `{$variable}`: enters a text, or selects the option with that text.
    Type(Box<Expr>),
    /// `{select "text"}`.
    Select(Box<Expr>),
    /// `{n}`: selects an option by its index, counted from 0.
    SelectIndex(u32),
    /// `{nextclick}`: clicks, and continues only if that leads to an address not seen before.
    NextClick,
    /// `{clkwithchange}`: clicks, and continues only if that changes the page.
    ClickWithChange,
    /// `{enterframe}`.
    EnterFrame,
    /// `{movetoframe}`: opens the address a frame shows.
    MoveToFrame,
    /// `{movetohref}`: opens the address a link leads to.
    MoveToHref,
    /// The other mouse events, which need a browser: `mousedown`, `mouseup`, `mousemove`, `mouseenter`, `mouseout`,
    /// `wheel`.
    Mouse(String),
}

/// How to wait for the page that an action or `doc` leads to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Options {
    /// `wait=2`: this number of seconds.
    pub wait: Option<f64>,
    /// `until=e`: until this is true on the new page.
    pub until: Option<Box<Expr>>,
    /// `timeout=10`: for `until`, in seconds.
    pub timeout: Option<f64>,
    /// `noback`: act on the page as it is now, and never bring an earlier state of it back.
    pub noback: bool,
}

impl Options {
    /// Are no options given?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Options::default()
    }
}

/// An extraction marker.
#[derive(Clone, Debug, PartialEq)]
pub struct Marker {
    /// The name of the record or field.
    pub name: String,
    /// `:<name(type, …)>`, from the original implementation; of these words only `required` has a meaning.
    pub types: Vec<String>,
    /// The value of the field; a marker without a value makes a record.
    pub value: Option<Box<Expr>>,
    /// The marker with its brackets.
    pub span: Span,
}

impl Marker {
    /// Must the record around it have one? That is the word `required` among the types.
    #[must_use]
    pub fn is_required(&self) -> bool {
        self.types.iter().any(|word| word == crate::run::REQUIRED)
    }
}

/// The thirteen axes of XPath 1.0, and the one that OXPath adds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Axis {
    Ancestor,
    AncestorOrSelf,
    Attribute,
    Child,
    Descendant,
    DescendantOrSelf,
    Following,
    FollowingSibling,
    Namespace,
    Parent,
    Preceding,
    PrecedingSibling,
    Self_,
    /// The computed style of an element, and its box on the screen: `style::color`, `^box-left`.
    Style,
}

/// A node test.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum NodeTest {
    /// `*`: every node of the axis's principal kind.
    Any,
    /// `prefix:*`.
    AnyOf(String),
    /// `name` or `prefix:name`, as written.
    Name(String),
    /// `node()`.
    Node,
    /// `text()`.
    Text,
    /// `comment()`.
    Comment,
    /// `processing-instruction()`, with the target if given.
    ProcessingInstruction(Option<String>),
    /// `field()`: a form field that is visible.
    Field,
    /// `any-field()`: a form field, visible or not.
    AnyField,
}
