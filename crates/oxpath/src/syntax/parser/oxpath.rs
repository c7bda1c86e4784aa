//! What OXPath adds to a step: repetition, actions, `doc`, markers, optional predicates, intensional axes.
//!
//! ```text
//! Kleene     ::= '(' Expr ')' ('*' Bounds? | '+')?
//! Bounds     ::= '{' Number '}' | '{' Number? ',' Number? '}'
//! Action     ::= '{' (Keyword | ('press' | 'keydown' | 'keyup' | 'drag' | 'select') PrimaryExpr | Number | PrimaryExpr) Options? '/'? '}'
//! Doc        ::= 'doc' '(' Expr (',' Options)? ')'
//! Options    ::= '[' Option (',' Option)* ']'
//! Option     ::= 'wait' '=' Number | 'until' '=' Expr | 'timeout' '=' Number | 'noback'
//! Marker     ::= ':<' Name ('(' Name (',' Name)* ')')? ('=' Expr)? '>'
//! Suffix     ::= '[' Expr ']' | '[' '?' Expr ']' | Selector | Marker | Action | Doc
//! ```
//!
//! The grammar of the paper (Fig. 6) is wider in one respect and narrower in others. There, any bracketed expression
//! may be repeated anywhere; here, `(a)*/b` at the beginning of an expression is a product, as in XPath. The original
//! implementation requires a slash before every action and a step before every suffix; here both are optional.

use super::super::ast::{
    Action, ActionKind, Expr, ExprKind, KleeneForm, Marker, NodeTest, Options, Path, PathStart, Separator, Step,
    StepForm,
};
use super::super::ast::{Axis, Selector};
use super::super::lexer::{Token, TokenKind};
use super::{Open, Parser, Tall, starts_expr, starts_primary, starts_step};
use crate::diag::{Code, Diagnostic, Span, nearest};

/// The actions that are one word.
static KEYWORDS: &[(&str, ActionKind)] = &[
    ("click", ActionKind::Click),
    ("dblclick", ActionKind::DoubleClick),
    ("rightclick", ActionKind::RightClick),
    ("mouseover", ActionKind::MouseOver),
    ("focus", ActionKind::Focus),
    ("scroll", ActionKind::Scroll),
    ("submit", ActionKind::Submit),
    ("check", ActionKind::Check),
    ("uncheck", ActionKind::Uncheck),
    ("nextclick", ActionKind::NextClick),
    ("clkwithchange", ActionKind::ClickWithChange),
    ("enterframe", ActionKind::EnterFrame),
    ("movetoframe", ActionKind::MoveToFrame),
    ("movetohref", ActionKind::MoveToHref),
];

/// The mouse events that need a browser.
const MOUSE: &[&str] = &["mousedown", "mouseup", "mousemove", "mouseenter", "mouseout", "wheel"];

/// The actions that take a value.
const TAKERS: &[&str] = &["press", "keydown", "keyup", "drag", "select"];

/// The short form of `press "Enter"`.
const PRESS_ENTER: &str = "pressenter";

const OPTIONS: &[&str] = &["wait", "until", "timeout", "noback"];

/// The words of actions and those of their options.
pub(in super::super) fn action_words() -> (Vec<&'static str>, Vec<&'static str>) {
    let fixed = KEYWORDS.iter().map(|(word, _)| *word);
    let actions = fixed.chain(MOUSE.iter().chain(TAKERS).copied()).chain([PRESS_ENTER]);
    (actions.collect(), OPTIONS.to_vec())
}

impl ActionKind {
    /// The word for the action; `None` for a text, a variable and an index.
    #[must_use]
    pub fn keyword(&self) -> Option<&str> {
        match self {
            ActionKind::Press(_) => Some("press"),
            ActionKind::KeyDown(_) => Some("keydown"),
            ActionKind::KeyUp(_) => Some("keyup"),
            ActionKind::Drag(_) => Some("drag"),
            ActionKind::Select(_) => Some("select"),
            ActionKind::Mouse(event) => Some(event),
            ActionKind::Type(_) | ActionKind::SelectIndex(_) => None,
            kind => KEYWORDS.iter().find(|(_, known)| known == kind).map(|(word, _)| *word),
        }
    }
}

/// Steps and what follows them.
impl Parser<'_> {
    /// Does a `doc(…)` begin here?
    pub(super) fn at_doc(&self) -> bool {
        self.is(TokenKind::FunctionName) && self.text(self.token().span) == "doc"
    }

    /// Does a suffix begin here that is a separate step?
    pub(super) fn at_suffix(&self) -> bool {
        match self.kind() {
            TokenKind::OpenMarker | TokenKind::OpenBrace => true,
            TokenKind::OpenBracket => self.kind_after() == TokenKind::Question,
            _ => self.at_doc(),
        }
    }

    /// Reads the suffixes that are separate steps; returns the height of the highest expression in them.
    pub(super) fn suffixes(&mut self, steps: &mut Vec<Step>) -> usize {
        let mut highest = 0;
        loop {
            let start = self.token().span.start;
            let (form, height) = match self.kind() {
                TokenKind::OpenBracket if self.kind_after() == TokenKind::Question => self.optional(),
                TokenKind::OpenBracket => {
                    let predicate = self.predicate();
                    (StepForm::Predicate(Box::new(predicate.expr)), predicate.height)
                }
                TokenKind::Class | TokenKind::Id => {
                    let predicate = self.selector_predicate();
                    (StepForm::Predicate(Box::new(predicate.expr)), predicate.height)
                }
                TokenKind::OpenMarker => self.marker(),
                TokenKind::OpenBrace => self.action(),
                _ if self.at_doc() => self.doc(),
                _ => return highest,
            };
            highest = highest.max(height);
            steps.push(Step {
                separator: Separator::None,
                form,
                predicates: Vec::new(),
                span: self.since(start),
            });
        }
    }

    /// A group, an action or `doc`, and its suffixes.
    pub(super) fn complex_step(&mut self, separator: Separator, steps: &mut Vec<Step>) -> usize {
        let start = self.token().span.start;
        let (form, height) = match self.kind() {
            TokenKind::OpenParen => {
                let body = self.primary_expr();
                self.bare_bounds();
                let step = self.repetition(start, body.expr, separator);
                steps.push(step);
                return body.height.max(self.suffixes(steps));
            }
            TokenKind::OpenBrace => self.action(),
            _ => self.doc(),
        };
        steps.push(Step {
            separator,
            form,
            predicates: Vec::new(),
            span: self.since(start),
        });
        height.max(self.suffixes(steps))
    }

    /// ```text
    /// Optional ::= '[' '?' Expr ']'
    /// ```
    fn optional(&mut self) -> (StepForm, usize) {
        let open = self.open(TokenKind::CloseBracket);
        self.bump();
        let inner = self.expr();
        self.close(open);
        (StepForm::Optional(Box::new(inner.expr)), inner.height)
    }

    /// A selector that does not directly follow the node test: `a[1].b` is `a[1][self::*.b]`.
    pub(super) fn selector_predicate(&mut self) -> Tall {
        let start = self.token().span.start;
        let selectors: Vec<Selector> = self.selectors();
        let span = self.since(start);
        let step = Step {
            separator: Separator::None,
            form: StepForm::Full {
                axis: Axis::Self_,
                explicit: true,
                test: NodeTest::Any,
                selectors,
            },
            predicates: Vec::new(),
            span,
        };
        let kind = ExprKind::Path(Path {
            start: PathStart::Context,
            steps: vec![step],
        });
        self.build(kind, span, 1)
    }

    /// ```text
    /// Intensional ::= '[' Expr ']' '::' SelectiveTest
    /// ```
    pub(super) fn intensional(&mut self, before: Option<Token>) -> (Option<StepForm>, usize) {
        let start = self.token().span.start;
        let condition = self.predicate();
        if !self.is(TokenKind::ColonColon) {
            let mut error = self.expected("`::` after the intensional axis").with_secondary(
                self.since(start),
                "brackets where a step begins are an axis, as in `[$rhs = $lhs]::*`",
            );
            if before.is_some_and(|token| matches!(token.kind, TokenKind::Slash | TokenKind::DoubleSlash)) {
                error
                    .hints
                    .push("a predicate follows its step without a slash: `a[1]`".to_owned());
            }
            self.complain(error);
            return (None, condition.height);
        }
        let colons = self.bump();
        let form = self
            .selective_test(Some(colons))
            .map(|(test, selectors)| StepForm::Intensional {
                condition: Box::new(condition.expr),
                test,
                selectors,
            });
        (form, condition.height)
    }
}

/// Repetition.
impl Parser<'_> {
    /// The step for the parenthesis just read, which opened at `start`, with its repetition.
    pub(super) fn repetition(&mut self, start: u32, body: Expr, separator: Separator) -> Step {
        let (form, min, max) = match self.kind() {
            TokenKind::KleeneStar => {
                self.bump();
                let (min, max) = self.bounds();
                (KleeneForm::Star, min, max)
            }
            TokenKind::KleenePlus => {
                let plus = self.bump();
                if self.at_bounds() {
                    let error = Diagnostic::error(
                        Code::Syntax,
                        plus.span,
                        "expected `*` before the bounds of a repetition, found `+`",
                    );
                    self.diagnostics.push(error.with_hint("write `*{1,…}`"));
                    self.bounds();
                }
                (KleeneForm::Plus, 1, None)
            }
            _ => (KleeneForm::Group, 1, Some(1)),
        };
        Step {
            separator,
            form: StepForm::Kleene {
                body: Box::new(body),
                min,
                max,
                form,
            },
            predicates: Vec::new(),
            span: self.since(start),
        }
    }

    /// Reports `(p){2}`, which looks like a repetition and would be an action, and reads the bounds.
    pub(super) fn bare_bounds(&mut self) {
        let closed = self.previous().is_some_and(|token| token.kind == TokenKind::CloseParen);
        if !closed || !self.at_bounds() {
            return;
        }
        let start = self.token().span.start;
        let before = self.diagnostics.len();
        let (min, max) = self.bounds();
        if self.diagnostics.len() > before {
            return;
        }
        let span = self.since(start);
        let written = self.text(span).to_owned();
        let message = "expected `*` before the bounds of a repetition, found `{`";
        let mut error = Diagnostic::error(Code::Syntax, span, message);
        if written.contains(',') {
            error.hints.push(format!("write `(…)*{written}`"));
        } else {
            error
                .hints
                .push(format!("to repeat the path {min} times, write `(…)*{{{min},{min}}}`"));
            error
                .hints
                .push(format!("to select an option by its index, write `/{written}`"));
        }
        debug_assert!(max.is_none() || written.contains(','));
        self.diagnostics.push(error);
    }

    /// Do the bounds of a repetition come next?
    fn at_bounds(&self) -> bool {
        self.is(TokenKind::OpenBrace) && matches!(self.kind_after(), TokenKind::Number | TokenKind::Comma)
    }

    /// ```text
    /// Bounds ::= '{' Number '}' | '{' Number? ',' Number? '}'
    /// ```
    fn bounds(&mut self) -> (u32, Option<u32>) {
        if !self.at_bounds() {
            return (0, None);
        }
        let open = self.open(TokenKind::CloseBrace);
        let min = self.is(TokenKind::Number).then(|| self.whole_number());
        let mut max = None;
        if self.eat(TokenKind::Comma) && self.is(TokenKind::Number) {
            let span = self.token().span;
            max = self.whole_number();
            if let (Some(Some(min)), Some(bound)) = (min, max)
                && bound < min
            {
                let message = format!("expected an upper bound of {min} or more, found {bound}");
                self.diagnostics.push(Diagnostic::error(Code::Syntax, span, message));
            }
        }
        self.close(open);
        (min.flatten().unwrap_or(0), max)
    }

    /// A whole number; reports a fraction.
    fn whole_number(&mut self) -> Option<u32> {
        let span = self.token().span;
        let number = self.text(span).parse().ok();
        if number.is_none() {
            let error = self.expected("a whole number");
            self.complain(error);
        }
        self.bump();
        number
    }
}

/// Actions, `doc`, and their options.
impl Parser<'_> {
    /// ```text
    /// Action ::= '{' (Keyword | Taker PrimaryExpr | Number | PrimaryExpr) Options? '/'? '}'
    /// ```
    fn action(&mut self) -> (StepForm, usize) {
        let start = self.token().span.start;
        let open = self.open(TokenKind::CloseBrace);
        self.skip_errors();
        let (kind, mut height) = match self.kind() {
            TokenKind::Number => (self.whole_number().map(ActionKind::SelectIndex), 0),
            TokenKind::Name => self.keyword(),
            // `{select (…)}` looks like a call.
            TokenKind::FunctionName if TAKERS.contains(&self.text(self.token().span)) => self.keyword(),
            kind if starts_primary(kind) => {
                let value = self.primary_expr();
                (Some(ActionKind::Type(Box::new(value.expr))), value.height)
            }
            _ => {
                self.no_action();
                (None, 0)
            }
        };
        let (options, highest) = self.options();
        height = height.max(highest);
        if self.unclosed_action(open, start) {
            let kind = kind.unwrap_or(ActionKind::Click);
            let action = Action {
                kind,
                absolute: true,
                options,
                span: self.since(start),
            };
            return (StepForm::Action(action), height);
        }
        let absolute = self.eat(TokenKind::Slash);
        self.close(open);
        let action = Action {
            // Without one, the expression is rejected.
            kind: kind.unwrap_or(ActionKind::Click),
            absolute,
            options,
            span: self.since(start),
        };
        (StepForm::Action(action), height)
    }

    /// Reports `{click //h1`, where the path goes on although the action is not closed; goes on after the action then.
    fn unclosed_action(&mut self, open: Open, start: u32) -> bool {
        let goes_on = match self.kind() {
            TokenKind::DoubleSlash => true,
            TokenKind::Slash => starts_step(self.kind_after()),
            _ => false,
        };
        let is_brace = |token: &&Token| matches!(token.kind, TokenKind::OpenBrace | TokenKind::CloseBrace);
        let later = || self.tokens[self.at..].iter().find(is_brace);
        if !goes_on || later().is_some_and(|token| token.kind == TokenKind::CloseBrace) {
            return false;
        }
        let written = self.text(self.since(start)).trim_end().to_owned();
        let separator = self.text(self.token().span).to_owned();
        let error = self
            .expected("`}` at the end of the action")
            .with_secondary(open.span, "opened here");
        self.complain(error.with_hint(format!("write `{written} /}}{separator}…`")));
        self.open.pop();
        true
    }

    /// An action that begins with a word.
    fn keyword(&mut self) -> (Option<ActionKind>, usize) {
        let span = self.token().span;
        let word = self.text(span);
        if let Some((_, kind)) = KEYWORDS.iter().find(|(known, _)| *known == word) {
            self.bump();
            return (Some(kind.clone()), 0);
        }
        if MOUSE.contains(&word) {
            self.bump();
            return (Some(ActionKind::Mouse(word.to_owned())), 0);
        }
        match word {
            "pressenter" => {
                self.bump();
                let enter = Expr {
                    kind: ExprKind::Literal("Enter".to_owned()),
                    span,
                };
                (Some(ActionKind::Press(Box::new(enter))), 1)
            }
            _ if TAKERS.contains(&word) => {
                self.bump();
                let (what, example, build): (_, _, fn(Box<Expr>) -> ActionKind) = match word {
                    "press" => ("a key", "Enter", ActionKind::Press),
                    "keydown" => ("a key", "Shift", ActionKind::KeyDown),
                    "keyup" => ("a key", "Shift", ActionKind::KeyUp),
                    "drag" => ("pixels to the right and down", "120,0", ActionKind::Drag),
                    _ => ("the text of an option", "Books", ActionKind::Select),
                };
                if !starts_primary(self.kind()) {
                    let error = self.expected(&format!("{what} after `{word}`"));
                    self.complain(error.with_hint(format!("write it like `{{{word} \"{example}\"}}`")));
                    return (None, 0);
                }
                let value = self.primary_expr();
                (Some(build(Box::new(value.expr))), value.height)
            }
            _ => {
                let known = KEYWORDS.iter().map(|(word, _)| *word);
                let known = known.chain(TAKERS.iter().copied()).chain(MOUSE.iter().copied());
                let hint = match nearest(word, known) {
                    _ if self.kind_after() == TokenKind::OpenMarker => {
                        format!("fields are written in brackets: `[{word}:<…>]`")
                    }
                    Some(meant) => format!("did you mean `{{{meant}}}`?"),
                    None => format!("to enter a text, put it in quotes: `{{\"{word}\"}}`"),
                };
                let is_field = self.kind_after() == TokenKind::OpenMarker;
                let mut error = self.expected("an action").with_label("no such action").with_hint(hint);
                let known = KEYWORDS.iter().map(|(word, _)| *word);
                if let Some(meant) = nearest(word, known).filter(|_| !is_field) {
                    error = error.with_fix(self.token().span, meant);
                }
                self.complain(error);
                self.bump();
                if is_field {
                    self.read_on(TokenKind::CloseBrace);
                }
                (None, 0)
            }
        }
    }

    /// ```text
    /// Doc ::= 'doc' '(' Expr (',' Options)? ')'
    /// ```
    fn doc(&mut self) -> (StepForm, usize) {
        self.bump();
        let open = self.open(TokenKind::CloseParen);
        if self.is(TokenKind::CloseParen) {
            let error = self.expected("an address between the parentheses of `doc`");
            self.complain(error.with_hint("write it like `doc(\"https://example.org\")`"));
        }
        let url = self.expr();
        let mut height = url.height;
        let mut options = Options::default();
        if self.eat(TokenKind::Comma) {
            if !self.is(TokenKind::OpenBracket) {
                let error = self.expected("options after the address");
                self.complain(error.with_hint("write them like `doc(\"…\", [wait=2])`"));
            }
            let highest;
            (options, highest) = self.options();
            height = height.max(highest);
        }
        self.close(open);
        let form = StepForm::Doc {
            url: Box::new(url.expr),
            options,
        };
        (form, height)
    }

    /// The options, if there are any, and the height of the highest expression in them.
    fn options(&mut self) -> (Options, usize) {
        let mut options = Options::default();
        let mut height = 0;
        if !self.is(TokenKind::OpenBracket) {
            return (options, height);
        }
        let open = self.open(TokenKind::CloseBracket);
        loop {
            height = height.max(self.option(&mut options));
            if !self.eat(TokenKind::Comma) {
                break;
            }
        }
        self.close(open);
        (options, height)
    }

    fn option(&mut self, options: &mut Options) -> usize {
        let span = self.token().span;
        let word = if self.is(TokenKind::Name) { self.text(span) } else { "" };
        if !OPTIONS.contains(&word) {
            self.unknown_option(word);
            return 0;
        }
        self.bump();
        let given = match word {
            "wait" => options.wait.is_some(),
            "until" => options.until.is_some(),
            "timeout" => options.timeout.is_some(),
            _ => options.noback,
        };
        if given {
            self.twice(word, span);
        }
        if word == "noback" {
            options.noback = true;
            return 0;
        }
        if !self.eat(TokenKind::Equal) {
            self.lacks(&format!("`=` after `{word}`"));
            return 0;
        }
        if word == "until" {
            let condition = self.expr();
            options.until = Some(Box::new(condition.expr));
            return condition.height;
        }
        let seconds = if word == "wait" {
            &mut options.wait
        } else {
            &mut options.timeout
        };
        if self.is(TokenKind::Number) {
            let span = self.bump().span;
            *seconds = self.text(span).parse().ok();
        } else {
            self.lacks(&format!("a number of seconds after `{word}=`"));
        }
        0
    }

    // Apart from the functions that read an expression inside another: a diagnostic takes stack for each level.

    fn unknown_option(&mut self, word: &str) {
        let meant = nearest(word, OPTIONS.iter().copied());
        let hint = match meant {
            Some(meant) => format!("did you mean `{meant}`?"),
            None => "the options are `wait=2`, `until=//a`, `timeout=10` and `noback`".to_owned(),
        };
        let mut error = self.expected("an option").with_hint(hint);
        if let Some(meant) = meant {
            error = error.with_fix(self.token().span, meant);
        }
        self.complain(error);
    }

    fn twice(&mut self, word: &str, span: Span) {
        let message = format!("the option `{word}` is given twice");
        self.diagnostics.push(Diagnostic::error(Code::Syntax, span, message));
    }

    fn lacks(&mut self, what: &str) {
        let error = self.expected(what);
        self.complain(error);
    }

    fn no_action(&mut self) {
        let mut error = self.expected("an action after `{`");
        error.hints.push(match self.kind() {
            TokenKind::Less => "to open an address, write `doc(\"…\")`".to_owned(),
            _ => "write it like `{click /}` or `{\"text\"}`".to_owned(),
        });
        self.complain(error);
    }
}

/// Markers.
impl Parser<'_> {
    /// ```text
    /// Marker ::= ':<' Name ('(' Name (',' Name)* ')')? ('=' Expr)? '>'
    /// ```
    ///
    /// In the value, a `>` outside all other brackets ends the marker.
    fn marker(&mut self) -> (StepForm, usize) {
        let start = self.token().span.start;
        let open = self.open(TokenKind::CloseMarker);
        self.skip_errors();
        let name = self.marker_name("the marker's name after `:<`");
        let mut types = Vec::new();
        if self.is(TokenKind::OpenParen) {
            let open = self.open(TokenKind::CloseParen);
            loop {
                types.extend(self.marker_name("the name of a type"));
                if !self.eat(TokenKind::Comma) {
                    break;
                }
            }
            self.close(open);
        }
        let mut height = 0;
        let mut value = None;
        if self.eat(TokenKind::Equal) {
            let expr = self.expr();
            height = expr.height;
            value = Some(Box::new(expr.expr));
        } else if name.is_some() && starts_expr(self.kind()) {
            let error = self.expected("`=` or `>` after the marker's name");
            self.complain(error.with_hint("write it like `:<title=string(.)>`"));
        }
        self.close(open);
        let marker = Marker {
            name: name.unwrap_or_default(),
            types,
            value,
            span: self.since(start),
        };
        (StepForm::Marker(marker), height)
    }

    fn marker_name(&mut self, what: &str) -> Option<String> {
        let Token { kind, span } = self.token();
        if !matches!(kind, TokenKind::Name | TokenKind::FunctionName | TokenKind::NodeType) {
            let error = self
                .expected(what)
                .with_hint("write it like `:<book>` or `:<title=string(.)>`");
            self.complain(error);
            return None;
        }
        self.bump();
        Some(self.text(span).to_owned())
    }
}

#[cfg(test)]
mod tests {
    use crate::diag::assert_shown;
    use crate::syntax::parse;

    #[track_caller]
    fn fails(source: &str, expected: &str) {
        match parse(source) {
            Ok(expr) => panic!("{source} parses as {expr}"),
            Err(errors) => assert_shown(source, &errors, expected),
        }
    }

    #[test]
    fn actions() {
        fails(
            "//a/{clik}",
            r#"
            error XPST0003 at 5..9 `clik`: expected an action, found `clik`
              label: no such action
              hint: did you mean `{click}`?
            "#,
        );
        fails(
            "//a/{Seattle /}",
            r#"
            error XPST0003 at 5..12 `Seattle`: expected an action, found `Seattle`
              label: no such action
              hint: to enter a text, put it in quotes: `{"Seattle"}`
            "#,
        );
        fails(
            "//a/{}",
            r#"
            error XPST0003 at 5..6 `}`: expected an action after `{`, found `}`
              hint: write it like `{click /}` or `{"text"}`
            "#,
        );
        fails(
            "//a/{click",
            r#"
            error XPST0003 at 10..10 ``: expected `}`, found the end of the expression
              see 4..5 `{`: opened here
              hint: add `}`
            "#,
        );
        fails(
            "//a/{1.5}",
            r#"
            error XPST0003 at 5..8 `1.5`: expected a whole number, found `1.5`
            "#,
        );
        fails(
            "//a/{press}",
            r#"
            error XPST0003 at 10..11 `}`: expected a key after `press`, found `}`
              hint: write it like `{press "Enter"}`
            "#,
        );
        fails(
            "//a/{click [weit=3]}",
            r#"
            error XPST0003 at 12..16 `weit`: expected an option, found `weit`
              hint: did you mean `wait`?
            "#,
        );
        fails(
            "//a/{click [wait=long, wait=2]}",
            r#"
            error XPST0003 at 17..21 `long`: expected a number of seconds after `wait=`, found `long`
            "#,
        );
        fails(
            "{<http://example.org/x>/}",
            r#"
            error XPST0003 at 1..2 `<`: expected an action after `{`, found `<`
              hint: to open an address, write `doc("…")`
            "#,
        );
        fails(
            "//a/{click}b",
            r#"
            error XPST0003 at 11..12 `b`: expected an operator or the end of the expression, found `b`
              hint: to go on, write `/b`
            "#,
        );
        fails(
            "doc()",
            r#"
            error XPST0003 at 4..5 `)`: expected an address between the parentheses of `doc`, found `)`
              hint: write it like `doc("https://example.org")`
            "#,
        );
    }

    #[test]
    fn markers() {
        fails(
            "//a:<>",
            r#"
            error XPST0003 at 5..6 `>`: expected the marker's name after `:<`, found `>`
              hint: write it like `:<book>` or `:<title=string(.)>`
            "#,
        );
        fails(
            "//a:<x string(.)>",
            r#"
            error XPST0003 at 7..13 `string`: expected `=` or `>` after the marker's name, found `string`
              hint: write it like `:<title=string(.)>`
            "#,
        );
        fails(
            "//a[.:<x=b > 3>]",
            r#"
            error XPST0003 at 13..14 `3`: expected an operator or `]`, found `3`
              hint: `>` ends the marker; put a comparison in parentheses: `:<name=(a > b)>`
            "#,
        );
        fails(
            "//a[b:<x=string(.)]",
            r#"
            error XPST0003 at 18..19 `]`: expected `>`, found `]`
              see 5..7 `:<`: opened here
              hint: add `>` before `]`
            "#,
        );
    }

    /// By Fig. 6 a repetition may begin with a repetition. Elsewhere, `(a)*/b` is a product, as in XPath.
    #[test]
    fn repetitions_nest() {
        let check = |source: &str, expected: &str| {
            assert_eq!(parse(source).expect(source).to_string(), expected);
            assert_eq!(parse(expected).expect(expected).to_string(), expected);
        };
        check("((div)*/div)*", "(./(div)*/div)*");
        check("a/((b)*//c | (d)+/e)*{1,2}", "a/(./(b)*//c | ./(d)+/e)*{1,2}");
        check("a/(((b)*/c))", "a/(./(b)*/c)");
        check("a[(b)*/c]", "a[b * /c]");
        check("a/(b[(c)*/d])*", "a/(b[c * /d])*");
        check("a/(f((b)*/c) = 1)", "a/(f(b * /c) = 1)");
    }

    #[test]
    fn bounds_need_a_star() {
        fails(
            "a/(p){2}",
            r#"
            error XPST0003 at 5..8 `{2}`: expected `*` before the bounds of a repetition, found `{`
              hint: to repeat the path 2 times, write `(…)*{2,2}`
              hint: to select an option by its index, write `/{2}`
            "#,
        );
        fails(
            "(p){2,3}/a",
            r#"
            error XPST0003 at 3..8 `{2,3}`: expected `*` before the bounds of a repetition, found `{`
              hint: write `(…)*{2,3}`
            "#,
        );
        assert!(parse("a/(select)/{2}").is_ok());
        assert!(parse("a/(select)[1]{2}").is_ok());
    }

    /// Comments of other languages; and what looks like them and is XPath.
    #[test]
    fn foreign_comments() {
        for source in [
            "<!-- x --> a",
            "// all books\na",
            "a // all books",
            "/* all books */ a",
            "# all books\na",
        ] {
            let errors = parse(source).expect_err(source);
            assert_eq!(errors.len(), 1, "{source}: {errors:?}");
            assert!(
                errors[0].message.starts_with("expected a comment in `(: … :)`"),
                "{source}"
            );
        }
        for source in [
            "// a",
            "// a and b",
            "// a [. = 'all the books']",
            "/* div 2",
            "/*[. = 'x */']",
            "a/* | b",
        ] {
            assert!(parse(source).is_ok(), "{source}");
        }
    }

    #[test]
    fn groups_and_axes() {
        fails(
            "//a/[1]",
            r#"
            error XPST0003 at 7..7 ``: expected `::` after the intensional axis, found the end of the expression
              see 4..7 `[1]`: brackets where a step begins are an axis, as in `[$rhs = $lhs]::*`
              hint: a predicate follows its step without a slash: `a[1]`
            "#,
        );
        fails(
            "a/(b)*{5,2}",
            r#"
            error XPST0003 at 9..10 `2`: expected an upper bound of 5 or more, found 2
            "#,
        );
        fails(
            "a/(b)+{2,3}",
            r#"
            error XPST0003 at 5..6 `+`: expected `*` before the bounds of a repetition, found `+`
              hint: write `*{1,…}`
            "#,
        );
        fails(
            "a/(b)?",
            r#"
            error XPST0003 at 5..6 `?`: expected an operator or the end of the expression, found `?`
              hint: for something that may be missing, write `[? …]`, or `(…)*{0,1}`
            "#,
        );
        fails(
            "a/(b)*{0,${n}}",
            r#"
            error XPST0003 at 9..13 `${n}`: expected a variable's name right after `$`, found `{`
              label: to be replaced before the expression is read
              hint: give `n` a value, or write `$n`
            "#,
        );
        fails(
            "a/(b) * 2",
            r#"
            error XPST0003 at 8..9 `2`: expected an operator or the end of the expression, found `2`
              hint: this `*` repeats the step before it; to multiply, put the path in parentheses
            "#,
        );
        fails(
            "a[?]",
            r#"
            error XPST0003 at 3..4 `]`: expected an expression after `?`, found `]`
            "#,
        );
    }
}
