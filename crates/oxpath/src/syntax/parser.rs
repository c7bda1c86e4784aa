//! From tokens to tree: recursive descent over the grammar of XPath 1.0.
//!
//! There is one function for each production, with the production beside it; the four levels of left-associative
//! operators share one, by precedence climbing. The parser never backtracks and looks at most two tokens ahead. The
//! additions of OXPath to a step are in the module below.
//!
//! # Errors
//!
//! A user wants all mistakes at once, and each only once. So the parser continues after a mistake. A missing operand
//! becomes a placeholder (never visible outside: after an error, the tree is discarded). What comes where an operator
//! or a closing bracket should be is read as further expressions up to the bracket, to find the mistakes in it. Three
//! rules keep one mistake from being reported twice:
//!
//! - at one token, only the first report counts;
//! - a token that the lexer reported ([`TokenKind::Error`]) is skipped silently;
//! - if a literal or comment never ended, nothing is reported as missing at the end.
//!
//! # Limits
//!
//! [`MAX_DEPTH`] limits the recursion of the parser and, independently, the height of the tree: `((((a))))` is deep and
//! not high, `1 + 1 + 1 + 1` is high and not deep. Heights are therefore passed upwards with the expressions
//! ([`Tall`]). Beyond either limit the rest of the source is abandoned. An unoptimised build needs about four kilobytes
//! of stack for a level of recursion.

mod oxpath;
mod parts;

pub(super) use self::oxpath::action_words;
use self::parts::Part;
use super::ast::{Axis, BinaryOp, Expr, ExprKind, NodeTest, Path, PathStart, Selector, Separator, Step, StepForm};
use super::lexer::{self, Lexed, NODE_TYPES, Token, TokenKind};
use super::{MAX_DEPTH, MAX_DIAGNOSTICS, MAX_SOURCE};
use crate::diag::{Code, Diagnostic, Span, nearest};
use std::collections::HashMap;

/// Parses an expression. Its parts (`let`) are put in where they are used.
///
/// # Errors
///
/// All mistakes that were found, in the order of the source: at least one diagnostic, at most [`MAX_DIAGNOSTICS`].
///
/// ```
/// let expr = oxpath::syntax::parse("//a[ 1 ]/@href").unwrap();
/// assert_eq!(expr.to_string(), "//a[1]/@href");
///
/// let errors = oxpath::syntax::parse("//a[/b").unwrap_err();
/// assert_eq!(errors[0].message, "expected `]`, found the end of the expression");
/// ```
pub fn parse(source: &str) -> Result<Expr, Vec<Diagnostic>> {
    parse_as(source, Imports::Refused)
}

/// What an import means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Imports {
    /// A mistake: what it names is not part of the source.
    Refused,
    /// Any function in place of a step may be a part that it brings.
    Assumed,
}

/// Parses an expression, with or without what it imports.
pub(crate) fn parse_as(source: &str, imports: Imports) -> Result<Expr, Vec<Diagnostic>> {
    if source.len() > MAX_SOURCE {
        let message = format!("expected at most {MAX_SOURCE} bytes, found {}", source.len());
        let error = Diagnostic::error(Code::LimitExceeded, Span::default(), message);
        return Err(vec![error.with_label("the expression is too long")]);
    }
    let Lexed {
        tokens,
        diagnostics,
        cut_off,
    } = lexer::lex(source);
    let mut parser = Parser {
        source,
        tokens,
        at: 0,
        depth: 0,
        open: Vec::new(),
        diagnostics,
        cut_off,
        complained_at: None,
        parts: HashMap::new(),
        declared: HashMap::new(),
        pasted: 0,
        imports,
        has_imports: false,
    };
    let expr = parser.whole();
    let mut diagnostics = parser.diagnostics;
    if diagnostics.is_empty() {
        return Ok(expr);
    }
    diagnostics.sort_by_key(|diagnostic| diagnostic.span.start);
    diagnostics.truncate(MAX_DIAGNOSTICS);
    Err(diagnostics)
}

/// An expression and the height of its tree; the height of a leaf is 1.
struct Tall {
    expr: Expr,
    height: usize,
}

/// An opening bracket and the token that will close it.
#[derive(Clone, Copy)]
struct Open {
    span: Span,
    closer: TokenKind,
    /// Is it the parenthesis of a group or a repetition, which contains paths?
    groups: bool,
}

struct Parser<'s> {
    source: &'s str,
    /// Ends with [`TokenKind::End`].
    tokens: Vec<Token>,
    /// The index of the next token; never beyond the last.
    at: usize,
    /// The number of active calls that read an expression, or the right operand of an operator.
    depth: usize,
    /// The brackets that are open here, outermost first.
    open: Vec<Open>,
    diagnostics: Vec<Diagnostic>,
    /// See [`Lexed::cut_off`].
    cut_off: bool,
    /// The token of the last report.
    complained_at: Option<usize>,
    /// The parts that are defined so far, by name.
    parts: HashMap<String, Part>,
    /// The names of all parts of the source, and where each is first defined.
    declared: HashMap<&'s str, Span>,
    /// How many expressions were put in for parts.
    pasted: usize,
    imports: Imports,
    /// Are there imports, so that there may be parts of which nothing is known?
    has_imports: bool,
}

/// The tokens.
impl<'s> Parser<'s> {
    fn token(&self) -> Token {
        self.tokens[self.at]
    }

    fn kind(&self) -> TokenKind {
        self.tokens[self.at].kind
    }

    fn is(&self, kind: TokenKind) -> bool {
        self.kind() == kind
    }

    /// The kind of the token after the next.
    fn kind_after(&self) -> TokenKind {
        self.tokens[(self.at + 1).min(self.tokens.len() - 1)].kind
    }

    /// Takes the next token; the end can be taken any number of times.
    fn bump(&mut self) -> Token {
        let token = self.token();
        if token.kind != TokenKind::End {
            self.at += 1;
        }
        token
    }

    fn eat(&mut self, kind: TokenKind) -> bool {
        let found = self.is(kind);
        if found {
            self.bump();
        }
        found
    }

    fn previous(&self) -> Option<Token> {
        self.at.checked_sub(1).map(|at| self.tokens[at])
    }

    /// The offset where the last token taken ends.
    fn end(&self) -> u32 {
        self.previous().map_or(0, |token| token.span.end)
    }

    /// The span from `start` to the last token taken.
    fn since(&self, start: u32) -> Span {
        Span {
            start,
            end: self.end().max(start),
        }
    }

    fn text(&self, span: Span) -> &'s str {
        &self.source[span.range()]
    }
}

/// The complaints.
impl Parser<'_> {
    /// Reports a mistake at the next token, unless one was reported there.
    fn complain(&mut self, diagnostic: Diagnostic) {
        let idle = match self.kind() {
            TokenKind::Error => true,
            TokenKind::End => self.cut_off,
            _ => false,
        };
        if !idle && self.complained_at != Some(self.at) {
            self.diagnostics.push(diagnostic);
            if self.diagnostics.len() >= MAX_DIAGNOSTICS {
                self.abandon();
            }
        }
        self.complained_at = Some(self.at);
    }

    /// An error at the next token: expected something, found this.
    fn expected(&self, what: &str) -> Diagnostic {
        let found = self.describe(self.token());
        Diagnostic::error(
            Code::Syntax,
            self.token().span,
            format!("expected {what}, found {found}"),
        )
    }

    fn describe(&self, token: Token) -> String {
        if token.kind == TokenKind::End {
            return if self.at == 0 {
                "nothing".to_owned()
            } else {
                "the end of the expression".to_owned()
            };
        }
        format!("`{}`", brief(self.text(token.span)))
    }

    /// Abandons the rest of the source: the end is next, and nothing more is reported.
    fn abandon(&mut self) {
        self.at = self.tokens.len() - 1;
        self.cut_off = true;
    }

    /// Reports that a limit on nesting is exceeded, and abandons the rest.
    fn too_deep(&mut self) {
        let span = self.previous().unwrap_or(self.token()).span;
        // Reported even after another report: it explains why nothing follows.
        let message = format!("expected at most {MAX_DEPTH} levels of nesting, found more");
        let error = Diagnostic::error(Code::LimitExceeded, span, message)
            .with_label("nested too deeply from here on")
            .with_hint("each operator of a chain such as `1 + 2 + 3` is a level; parentheses divide a long chain");
        if !self.cut_off {
            self.diagnostics.push(error);
        }
        self.abandon();
    }

    /// A placeholder for an operand that is missing or too deep.
    fn placeholder(&self) -> Tall {
        let span = Span {
            start: self.end(),
            end: self.end(),
        };
        Tall {
            expr: Expr {
                kind: ExprKind::Number(f64::NAN),
                span,
            },
            height: 1,
        }
    }

    /// Skips what the lexer reported; returns whether there was anything.
    fn skip_errors(&mut self) -> bool {
        let before = self.at;
        while self.eat(TokenKind::Error) {}
        self.at > before
    }

    /// Reports that no expression begins here.
    fn missing_operand(&mut self) {
        let previous = self.previous();
        let error = match (previous.map(|token| token.kind), self.kind()) {
            (Some(TokenKind::OpenBracket), TokenKind::CloseBracket) => self
                .expected("a condition or a position between the brackets")
                .with_label("the predicate is empty")
                .with_hint("remove `[]`, or write a predicate such as `[1]` or `[@id]`"),
            (Some(TokenKind::OpenParen), TokenKind::CloseParen) => {
                self.expected("an expression between the parentheses")
            }
            _ => match previous {
                Some(previous) => self.expected(&format!("an expression after {}", self.describe(previous))),
                None => self.expected("an expression"),
            },
        };
        self.complain(error);
    }

    /// Reports that no step, or rest of one, follows the token `after`.
    fn missing_step(&mut self, after: Option<Token>) {
        let Some(after) = after else {
            return self.missing_operand();
        };
        let mut error = match after.kind {
            TokenKind::At => self
                .expected("an attribute's name after `@`")
                .with_hint("write `@*` for all attributes"),
            TokenKind::Caret => self
                .expected("a property of style after `^`")
                .with_hint("write it like `^color`"),
            TokenKind::ColonColon => self.expected("a name, `*` or `node()` after `::`"),
            _ => self.expected(&format!("a step after {}", self.describe(after))),
        };
        match (after.kind, after.span.start) {
            (TokenKind::DoubleSlash, 0) => error
                .hints
                .push("name what to look for, as in `//a` or `//*`".to_owned()),
            (TokenKind::Slash | TokenKind::DoubleSlash, 1..) if !starts_expr(self.kind()) => {
                error
                    .hints
                    .push(format!("remove {}, or add a step such as `*`", self.describe(after)));
            }
            (TokenKind::Slash | TokenKind::DoubleSlash, _) if self.is(TokenKind::Variable) => {
                let name = &self.text(self.token().span)[1..];
                error.hints.push(match self.declared.contains_key(name) {
                    true => format!("a part is used by its name and parentheses: `{name}()`"),
                    false => format!("a variable is a value; to compare nodes with it, write `*[. = ${name}]`"),
                });
            }
            _ => {}
        }
        self.complain(error);
    }

    /// Reports what comes where an operator or the closing bracket should be.
    fn unclosed(&mut self, open: Open) {
        let closer = bracket(open.closer);
        let found = self.token();
        let mut error = if starts_expr(found.kind) {
            self.expected(&format!("an operator or `{closer}`"))
        } else {
            self.expected(&format!("`{closer}`"))
                .with_secondary(open.span, "opened here")
        };
        match found.kind {
            TokenKind::End => {
                let all: String = self.open.iter().rev().map(|open| bracket(open.closer)).collect();
                error = error.with_fix(found.span, all.clone());
                error.hints.push(format!("add `{all}`"));
            }
            kind if is_closer(kind) => {
                error
                    .hints
                    .push(format!("add `{closer}` before `{}`", bracket(found.kind)));
            }
            _ => error.hints.extend(self.juxtaposed()),
        }
        self.complain(error);
        self.forgive();
    }

    /// Reports what follows the whole expression.
    fn trailing(&mut self) {
        let error = match self.kind() {
            kind if is_closer(kind) => {
                let closer = bracket(kind);
                let opener = match closer {
                    ')' => "(",
                    ']' => "[",
                    '}' => "{",
                    _ => ":<",
                };
                self.expected("the end of the expression")
                    .with_label(format!("no `{opener}` is open here"))
                    .with_hint(format!("remove `{closer}`"))
            }
            TokenKind::Semicolon => self
                .expected("the end of the expression")
                .with_hint("`;` ends a definition, as in `let name = …;`; the expression comes last, without it"),
            TokenKind::Comma => self
                .expected("an operator or the end of the expression")
                .with_hint("write `|` to unite two paths"),
            _ => {
                let mut error = self.expected("an operator or the end of the expression");
                error.hints.extend(self.juxtaposed());
                error
            }
        };
        self.complain(error);
        self.forgive();
    }

    /// If a comparison ended a marker too early, the `>` that should have ended it is not reported.
    fn forgive(&mut self) {
        let ended = self
            .previous()
            .is_some_and(|token| token.kind == TokenKind::CloseMarker);
        if ended && starts_expr(self.kind()) {
            let meant = self.tokens[self.at..]
                .iter_mut()
                .find(|token| matches!(token.kind, TokenKind::Greater | TokenKind::OpenMarker));
            if let Some(token) = meant.filter(|token| token.kind == TokenKind::Greater) {
                token.kind = TokenKind::Error;
            }
        }
    }

    /// The source from the next token to the bracket that closes the innermost one, or to the end.
    fn operand_text(&self) -> String {
        let start = self.token().span.start;
        let mut depth = 0_usize;
        let end = self.tokens[self.at..].iter().find(|token| match token.kind {
            TokenKind::OpenParen | TokenKind::OpenBracket | TokenKind::OpenBrace | TokenKind::OpenMarker => {
                depth += 1;
                false
            }
            TokenKind::And | TokenKind::Or => depth == 0,
            kind if is_closer(kind) && depth > 0 => {
                depth -= 1;
                false
            }
            kind => is_closer(kind) || kind == TokenKind::End,
        });
        let end = end.map_or(start, |token| token.span.start);
        self.text(Span { start, end }).trim_end().to_owned()
    }

    /// What may have been intended by the last token and the next, which have no operator between them.
    fn juxtaposed(&self) -> Option<String> {
        let (left, right) = (self.previous()?, self.token());
        let (l, r) = (self.text(left.span), self.text(right.span));
        let touching = left.span.end == right.span.start;
        match (left.kind, right.kind) {
            (TokenKind::Name, TokenKind::Variable) if l == "let" => Some(format!(
                "a part of an expression is defined without `$` and used with parentheses: `let {0} = …; … {0}()`",
                r.trim_start_matches('$')
            )),
            (TokenKind::Name, TokenKind::Variable) if matches!(l, "for" | "some" | "every") => {
                Some(format!("`{l}` belongs to XPath 2.0 and later"))
            }
            (TokenKind::Name, kind) if l == "not" && starts_expr(kind) => Some(format!(
                "`not` is a function: write `not({})`",
                brief(&self.operand_text())
            )),
            (TokenKind::CloseParen, TokenKind::Name) if r == "then" => {
                Some("`if` belongs to XPath 2.0 and later".to_owned())
            }
            (_, TokenKind::Question) => {
                Some("for something that may be missing, write `[? …]`, or `(…)*{0,1}`".to_owned())
            }
            (TokenKind::CloseMarker, kind) if starts_expr(kind) && !touching => {
                Some("`>` ends the marker; put a comparison in parentheses: `:<name=(a > b)>`".to_owned())
            }
            (TokenKind::CloseBrace, kind) if starts_step(kind) => Some(format!("to go on, write `/{r}`")),
            (TokenKind::KleeneStar, kind) if starts_expr(kind) => {
                Some("this `*` repeats the step before it; to multiply, put the path in parentheses".to_owned())
            }
            (TokenKind::Class | TokenKind::Id, TokenKind::Name | TokenKind::AnyName) => {
                Some(format!("to find `{r}` below that, write `//{r}`"))
            }
            (TokenKind::Name, TokenKind::Name) if l == "import" && self.at == 1 => {
                Some("put the name of the file in quotes: `import \"common.oxp\";`".to_owned())
            }
            (TokenKind::Name, TokenKind::Name | TokenKind::AnyName) => {
                Some(format!("to find `{r}` below `{l}`, write `{l}//{r}`"))
            }
            (TokenKind::Name | TokenKind::AnyName | TokenKind::CloseBracket, TokenKind::At) => {
                Some("to go on to an attribute, write `/@`".to_owned())
            }
            (TokenKind::Name | TokenKind::AnyName | TokenKind::CloseBracket, TokenKind::NodeType) => {
                Some(format!("to go on to a child, write `/{r}()`"))
            }
            (TokenKind::Literal | TokenKind::Number | TokenKind::CloseParen, kind)
                if starts_expr(kind)
                    && self
                        .open
                        .last()
                        .is_some_and(|open| open.closer == TokenKind::CloseBracket) =>
            {
                Some("to demand both, write `and` between them".to_owned())
            }
            _ => None,
        }
    }
}

/// The text, or its beginning if it is long.
fn brief(text: &str) -> String {
    const QUOTED: usize = 60;
    match text.char_indices().nth(QUOTED) {
        Some((cut, _)) => format!("{}…", &text[..cut]),
        None => text.to_owned(),
    }
}

/// Can an expression begin with this token?
fn starts_expr(kind: TokenKind) -> bool {
    matches!(kind, TokenKind::Minus | TokenKind::Bang) || starts_path(kind)
}

fn starts_path(kind: TokenKind) -> bool {
    matches!(kind, TokenKind::Slash | TokenKind::DoubleSlash) || starts_step(kind) || starts_primary(kind)
}

fn starts_step(kind: TokenKind) -> bool {
    use TokenKind::*;
    matches!(
        kind,
        Dot | DotDot
            | At
            | Caret
            | AxisName
            | Name
            | AnyName
            | AnyNameOf
            | NodeType
            | Class
            | Id
            | OpenBrace
            | OpenBracket
    )
}

fn starts_primary(kind: TokenKind) -> bool {
    use TokenKind::*;
    matches!(kind, Variable | OpenParen | Literal | Number | FunctionName)
}

/// How a closing bracket is written.
fn bracket(closer: TokenKind) -> char {
    match closer {
        TokenKind::CloseParen => ')',
        TokenKind::CloseBrace => '}',
        TokenKind::CloseMarker => '>',
        _ => ']',
    }
}

fn is_closer(kind: TokenKind) -> bool {
    use TokenKind::*;
    matches!(kind, CloseParen | CloseBracket | CloseBrace | CloseMarker)
}

fn binary_operator(kind: TokenKind) -> Option<BinaryOp> {
    Some(match kind {
        TokenKind::Equal => BinaryOp::Equal,
        TokenKind::NotEqual => BinaryOp::NotEqual,
        TokenKind::Less => BinaryOp::Less,
        TokenKind::LessEqual => BinaryOp::LessEqual,
        TokenKind::Greater => BinaryOp::Greater,
        TokenKind::GreaterEqual => BinaryOp::GreaterEqual,
        TokenKind::Plus => BinaryOp::Add,
        TokenKind::Minus => BinaryOp::Subtract,
        TokenKind::Multiply => BinaryOp::Multiply,
        TokenKind::Div => BinaryOp::Divide,
        TokenKind::Mod => BinaryOp::Modulo,
        TokenKind::ContainsText => BinaryOp::ContainsText,
        TokenKind::ContainsWord => BinaryOp::ContainsWord,
        TokenKind::Subset => BinaryOp::Subset,
        _ => return None,
    })
}

/// Brackets, and recovery from mistakes.
impl Parser<'_> {
    /// Definitions, an expression, and nothing else.
    ///
    /// ```text
    /// Source ::= (Import | Definition)* Expr
    /// ```
    fn whole(&mut self) -> Expr {
        self.definitions();
        let Tall { expr, .. } = self.expr();
        if !self.is(TokenKind::End) {
            self.trailing();
            self.read_on(TokenKind::End);
        }
        expr
    }

    /// Takes an opening bracket.
    fn open(&mut self, closer: TokenKind) -> Open {
        self.open_as(closer, false)
    }

    /// Takes an opening bracket; `groups` says that it is the parenthesis of a group or a repetition.
    fn open_as(&mut self, closer: TokenKind, groups: bool) -> Open {
        let open = Open {
            span: self.bump().span,
            closer,
            groups,
        };
        self.open.push(open);
        open
    }

    /// Does the parenthesis that comes next contain paths only? It does in the position of a step, if it is repeated, and
    /// within another one that does.
    fn at_group(&self) -> bool {
        let is_step = self
            .previous()
            .is_some_and(|token| matches!(token.kind, TokenKind::Slash | TokenKind::DoubleSlash));
        is_step || self.in_group() || self.is_repeated()
    }

    fn in_group(&self) -> bool {
        self.open.last().is_some_and(|open| open.groups)
    }

    /// Is the parenthesis that comes next followed by the sign of a repetition? Parentheses nest at most [`MAX_DEPTH`]
    /// deep, so each token is looked at that often at most.
    fn is_repeated(&self) -> bool {
        let mut depth = 0_usize;
        let mut rest = self.tokens[self.at..].iter();
        let closed = rest.find(|token| {
            match token.kind {
                TokenKind::OpenParen => depth += 1,
                TokenKind::CloseParen => depth -= 1,
                _ => {}
            }
            depth == 0
        });
        let after = rest.next().map(|token| token.kind);
        closed.is_some() && matches!(after, Some(TokenKind::KleeneStar | TokenKind::KleenePlus))
    }

    /// In a group, `(a)*/b` repeats `a`: a group contains paths, so there is nothing to multiply. Is that so here?
    fn repeat_in_group(&mut self) -> bool {
        let closed = self.previous().is_some_and(|token| token.kind == TokenKind::CloseParen);
        let goes_on = matches!(self.kind_after(), TokenKind::Slash | TokenKind::DoubleSlash);
        let sign = match self.kind() {
            TokenKind::Multiply => TokenKind::KleeneStar,
            TokenKind::Plus => TokenKind::KleenePlus,
            _ => return false,
        };
        if !closed || !goes_on || !self.in_group() {
            return false;
        }
        self.tokens[self.at].kind = sign;
        true
    }

    /// Takes the closing bracket, or reports that it is missing and searches for it.
    fn close(&mut self, open: Open) {
        if !self.is(open.closer) {
            self.unclosed(open);
        }
        self.open.pop();
        self.read_on(open.closer);
        self.eat(open.closer);
    }

    /// Parses whatever comes before `closer`, or before the bracket that closes something further out.
    fn read_on(&mut self, closer: TokenKind) {
        while !(self.is(closer) || self.is(TokenKind::End) || self.open.iter().any(|open| self.is(open.closer))) {
            let before = self.at;
            if starts_expr(self.kind()) {
                self.expr();
            } else {
                self.bump();
            }
            assert!(self.at > before, "the parser stands still at token {before}");
        }
    }
}

/// The productions.
impl<'s> Parser<'s> {
    /// Builds an expression of `height`, unless it is too high.
    fn build(&mut self, kind: ExprKind, span: Span, height: usize) -> Tall {
        if height > MAX_DEPTH {
            self.too_deep();
            return self.placeholder();
        }
        Tall {
            expr: Expr { kind, span },
            height,
        }
    }

    /// ```text
    /// [14] Expr ::= OrExpr
    /// ```
    fn expr(&mut self) -> Tall {
        if self.depth >= MAX_DEPTH {
            self.too_deep();
            return self.placeholder();
        }
        self.depth += 1;
        let expr = self.or_expr();
        self.depth -= 1;
        expr
    }

    /// ```text
    /// [21] OrExpr ::= AndExpr ('or' AndExpr)*
    /// ```
    fn or_expr(&mut self) -> Tall {
        let first = self.and_expr();
        if !self.is(TokenKind::Or) {
            return first;
        }
        self.chain(first, Self::and_expr, ExprKind::Or)
    }

    /// ```text
    /// [22] AndExpr ::= EqualityExpr ('and' EqualityExpr)*
    /// ```
    fn and_expr(&mut self) -> Tall {
        let first = self.equality_expr();
        if !self.is(TokenKind::And) {
            return first;
        }
        self.chain(first, Self::equality_expr, ExprKind::And)
    }

    /// The rest of a flat list of operands; the first has been read.
    fn chain(&mut self, first: Tall, operand: fn(&mut Self) -> Tall, build: fn(Vec<Expr>) -> ExprKind) -> Tall {
        let operator = self.kind();
        let start = first.expr.span.start;
        let mut height = first.height;
        let mut operands = vec![first.expr];
        while self.eat(operator) {
            self.depth += 1;
            let next = operand(self);
            self.depth -= 1;
            height = height.max(next.height);
            operands.push(next.expr);
        }
        self.build(build(operands), self.since(start), 1 + height)
    }

    /// ```text
    /// [23] EqualityExpr       ::= RelationalExpr (('=' | '!=' | '~' | '#=' | '~=' | 'subset') RelationalExpr)*
    /// ```
    fn equality_expr(&mut self) -> Tall {
        self.binary_expr(BinaryOp::Equal.level())
    }

    /// The operators that bind as tightly as `level` or tighter.
    ///
    /// ```text
    /// [24] RelationalExpr     ::= AdditiveExpr (('<' | '>' | '<=' | '>=') AdditiveExpr)*
    /// [25] AdditiveExpr       ::= MultiplicativeExpr (('+' | '-') MultiplicativeExpr)*
    /// [26] MultiplicativeExpr ::= UnaryExpr (('*' | 'div' | 'mod') UnaryExpr)*
    /// ```
    fn binary_expr(&mut self, level: u8) -> Tall {
        let mut left = self.unary_expr();
        while let Some(op) = binary_operator(self.kind()).filter(|op| op.level() >= level) {
            self.bump();
            self.depth += 1;
            let right = self.binary_expr(op.level() + 1);
            self.depth -= 1;
            let height = 1 + left.height.max(right.height);
            let span = self.since(left.expr.span.start);
            let kind = ExprKind::Binary {
                op,
                left: Box::new(left.expr),
                right: Box::new(right.expr),
            };
            left = self.build(kind, span, height);
        }
        left
    }

    /// ```text
    /// [27] UnaryExpr ::= '-'* FirstOfExpr
    /// ```
    fn unary_expr(&mut self) -> Tall {
        if !matches!(self.kind(), TokenKind::Minus | TokenKind::Bang) {
            return self.first_of_expr();
        }
        self.signed()
    }

    /// An expression with signs before it.
    fn signed(&mut self) -> Tall {
        let mut signs = Vec::new();
        let mut bang = None;
        while matches!(self.kind(), TokenKind::Minus | TokenKind::Bang) {
            if self.is(TokenKind::Bang) && self.complained_at != Some(self.at) {
                bang = bang.or(Some(self.token().span));
            }
            signs.push(self.bump().span);
        }
        let mut operand = self.first_of_expr();
        if let Some(bang) = bang.filter(|_| self.complained_at != Some(self.at)) {
            self.negation(bang, operand.expr.span);
        }
        for sign in signs.into_iter().rev() {
            let span = self.since(sign.start);
            let height = 1 + operand.height;
            operand = self.build(ExprKind::Negate(Box::new(operand.expr)), span, height);
        }
        operand
    }

    /// Reports `!a`.
    fn negation(&mut self, bang: Span, operand: Span) {
        let error = Diagnostic::error(Code::Syntax, bang, "expected `not(…)`, found `!`")
            .with_label("not an operator of XPath")
            .with_hint(format!("write `not({})`", brief(self.text(operand))))
            .with_fix(bang.to(operand), format!("not({})", self.text(operand)));
        self.diagnostics.push(error);
    }

    /// As tight as `otherwise` of XPath 4.0, so that `@a ?? @b = "x"` compares what was found. After a sign, the rest of
    /// the chain belongs to the sign. The first operand is read here and not by [`Parser::union_expr`], because each
    /// function on the way needs stack for each level of nesting.
    ///
    /// ```text
    /// FirstOfExpr ::= UnionExpr ('??' (UnionExpr | UnaryExpr))*
    /// ```
    fn first_of_expr(&mut self) -> Tall {
        let first = self.path_expr();
        match self.kind() {
            TokenKind::Union | TokenKind::FirstOf => self.more_paths(first),
            _ => first,
        }
    }

    /// The operands of `|` and `??` after the first.
    fn more_paths(&mut self, first: Tall) -> Tall {
        let first = match self.kind() {
            TokenKind::Union => self.chain(first, Self::path_expr, ExprKind::Union),
            _ => first,
        };
        if !self.is(TokenKind::FirstOf) {
            return first;
        }
        let operand: fn(&mut Self) -> Tall = |parser| match parser.kind() {
            TokenKind::Minus | TokenKind::Bang => parser.unary_expr(),
            _ => parser.union_expr(),
        };
        self.chain(first, operand, ExprKind::FirstOf)
    }

    /// ```text
    /// [18] UnionExpr ::= PathExpr ('|' PathExpr)*
    /// ```
    fn union_expr(&mut self) -> Tall {
        let first = self.path_expr();
        if !self.is(TokenKind::Union) {
            return first;
        }
        self.chain(first, Self::path_expr, ExprKind::Union)
    }

    /// ```text
    /// [19] PathExpr             ::= LocationPath | FilterExpr Suffix* (('/' | '//') RelativeLocationPath)?
    /// [1]  LocationPath         ::= RelativeLocationPath | AbsoluteLocationPath
    /// [2]  AbsoluteLocationPath ::= '/' RelativeLocationPath? | '//' RelativeLocationPath
    /// ```
    fn path_expr(&mut self) -> Tall {
        let skipped = self.skip_errors();
        let start = self.token().span.start;
        let mut steps = Vec::new();
        let (from, height) = match self.kind() {
            TokenKind::FunctionName if self.at_doc() => (PathStart::Context, 0),
            kind if starts_primary(kind) => {
                let primary = self.primary_expr();
                let mut separator = Separator::None;
                if self.repeat_in_group() {
                    // As it is printed: elsewhere this would be a product.
                    steps.push(Step {
                        separator,
                        form: StepForm::Dot,
                        predicates: Vec::new(),
                        span: Span { start, end: start },
                    });
                    separator = Separator::Slash;
                }
                self.bare_bounds();
                if matches!(self.kind(), TokenKind::KleeneStar | TokenKind::KleenePlus) {
                    steps.push(self.repetition(start, primary.expr, separator));
                    (PathStart::Context, self.suffixes(&mut steps).max(primary.height))
                } else {
                    let filter = self.filter_expr(primary);
                    if !matches!(self.kind(), TokenKind::Slash | TokenKind::DoubleSlash) && !self.at_suffix() {
                        return filter;
                    }
                    let height = self.suffixes(&mut steps);
                    (PathStart::Expr(Box::new(filter.expr)), filter.height.max(height))
                }
            }
            TokenKind::Slash | TokenKind::DoubleSlash => (PathStart::Root, 0),
            kind if starts_step(kind) => (PathStart::Context, 0),
            _ => {
                if !skipped {
                    self.missing_operand();
                }
                return self.placeholder();
            }
        };
        self.location_path(from, start, steps, height)
    }

    /// The steps of a path from its first separator on, after the steps that have been read.
    ///
    /// ```text
    /// [3] RelativeLocationPath ::= Step (('/' | '//') Step)*
    /// ```
    fn location_path(&mut self, from: PathStart, start: u32, mut steps: Vec<Step>, mut height: usize) -> Tall {
        if from == PathStart::Context && steps.is_empty() {
            height = self.step(Separator::None, start, &mut steps);
        }
        loop {
            let separator = match self.kind() {
                TokenKind::Slash => Separator::Slash,
                TokenKind::DoubleSlash => Separator::DoubleSlash,
                _ => break,
            };
            self.bump();
            let alone = from == PathStart::Root && separator == Separator::Slash && steps.is_empty();
            if alone && !starts_path(self.kind()) {
                break;
            }
            height = height.max(self.step(separator, start, &mut steps));
        }
        self.build(
            ExprKind::Path(Path { start: from, steps }),
            self.since(start),
            1 + height,
        )
    }

    /// Reads a step of the path that begins at `path_start`; returns the height of the highest expression in it.
    ///
    /// ```text
    /// [4]  Step            ::= (AxisSpecifier NodeTest Selector* | AbbreviatedStep) Predicate* Suffix*
    ///                        | (Kleene | Action | Doc) Suffix*
    /// [5]  AxisSpecifier   ::= AxisName '::' | '@' | '^' | '[' Expr ']' '::' | ''
    /// [12] AbbreviatedStep ::= '.' | '..'
    /// ```
    fn step(&mut self, separator: Separator, path_start: u32, steps: &mut Vec<Step>) -> usize {
        let before = self.previous().filter(|_| separator != Separator::None);
        let skipped = self.skip_errors();
        // A separate function, because the frames of both would be on the stack while the inner expression is read.
        if matches!(self.kind(), TokenKind::OpenParen | TokenKind::OpenBrace) || self.at_doc() {
            return self.complex_step(separator, steps);
        }
        if self.at_part() {
            return self.part_step(separator, steps);
        }
        self.simple_step(separator, path_start, before, skipped, steps)
    }

    /// A step with an axis and a node test, or an abbreviation of both.
    fn simple_step(
        &mut self,
        separator: Separator,
        path_start: u32,
        before: Option<Token>,
        skipped: bool,
        steps: &mut Vec<Step>,
    ) -> usize {
        let start = self.token().span.start;
        let mut height = 0;
        let form = match self.kind() {
            TokenKind::Dot => {
                self.bump();
                Some(StepForm::Dot)
            }
            TokenKind::DotDot => {
                self.bump();
                Some(StepForm::DotDot)
            }
            TokenKind::At => self.abbreviated(Axis::Attribute),
            TokenKind::Caret => self.abbreviated(Axis::Style),
            TokenKind::AxisName => {
                let axis = self.axis();
                let colons = self.bump();
                self.full(axis, true, Some(colons))
            }
            TokenKind::OpenBracket => {
                let (form, condition) = self.intensional(before);
                height = condition;
                form
            }
            TokenKind::FunctionName => {
                self.function_as_step(before, path_start);
                None
            }
            kind if starts_step(kind) => self.full(Axis::Child, false, before),
            _ if skipped => None,
            _ => {
                self.missing_step(before);
                None
            }
        };
        let (predicates, highest) = self.predicates();
        height = height.max(highest);
        if let Some(form) = form {
            steps.push(Step {
                separator,
                form,
                predicates,
                span: self.since(start),
            });
        }
        height.max(self.suffixes(steps))
    }

    /// A step whose axis is a sign before the node test.
    fn abbreviated(&mut self, axis: Axis) -> Option<StepForm> {
        let sign = self.bump();
        self.full(axis, false, Some(sign))
    }

    /// The node test of a step and its selectors.
    fn full(&mut self, axis: Axis, explicit: bool, after: Option<Token>) -> Option<StepForm> {
        let (test, selectors) = self.selective_test(after)?;
        Some(StepForm::Full {
            axis,
            explicit,
            test,
            selectors,
        })
    }

    /// ```text
    /// SelectiveTest ::= NodeTest Selector* | Selector+
    /// ```
    fn selective_test(&mut self, after: Option<Token>) -> Option<(NodeTest, Vec<Selector>)> {
        let test = match self.kind() {
            TokenKind::Class | TokenKind::Id => Some(NodeTest::Any),
            _ => self.node_test(after),
        };
        let selectors = self.selectors();
        test.map(|test| (test, selectors))
    }

    /// ```text
    /// Selector ::= '.' Ident | '#' Ident
    /// ```
    fn selectors(&mut self) -> Vec<Selector> {
        let mut selectors = Vec::new();
        while matches!(self.kind(), TokenKind::Class | TokenKind::Id) {
            let token = self.bump();
            let name = self.text(token.span)[1..].to_owned();
            selectors.push(match token.kind {
                TokenKind::Class => Selector::Class(name),
                _ => Selector::Id(name),
            });
        }
        selectors
    }

    /// ```text
    /// [6] AxisName ::= 'ancestor' | 'ancestor-or-self' | 'attribute' | 'child' | …
    /// ```
    fn axis(&mut self) -> Axis {
        let name = self.text(self.token().span);
        let axis = Axis::named(name);
        if axis.is_none() {
            let error = Diagnostic::error(
                Code::Syntax,
                self.token().span,
                format!("expected an axis, found `{name}`"),
            );
            let hint = match nearest(name, Axis::ALL.map(Axis::name)) {
                Some(meant) => format!("did you mean `{meant}::`?"),
                None => format!("the axes are {}", Axis::ALL.map(Axis::name).join(", ")),
            };
            let mut error = error.with_label("no such axis").with_hint(hint);
            if let Some(meant) = nearest(name, Axis::ALL.map(Axis::name)) {
                error = error.with_fix(self.token().span, meant);
            }
            self.complain(error);
        }
        self.bump();
        axis.unwrap_or(Axis::Child)
    }

    /// ```text
    /// [7] NodeTest ::= NameTest | NodeType '(' ')' | 'processing-instruction' '(' Literal ')'
    /// ```
    fn node_test(&mut self, after: Option<Token>) -> Option<NodeTest> {
        let skipped = self.skip_errors();
        let span = self.token().span;
        let text = self.text(span);
        match self.kind() {
            TokenKind::AnyName => {
                self.bump();
                Some(NodeTest::Any)
            }
            TokenKind::AnyNameOf => {
                self.axis_as_prefix();
                self.bump();
                Some(NodeTest::AnyOf(text[..text.len() - 2].to_owned()))
            }
            TokenKind::Name => {
                self.axis_as_prefix();
                self.bump();
                Some(NodeTest::Name(text.to_owned()))
            }
            TokenKind::NodeType => self.node_type(),
            TokenKind::FunctionName if after.is_some() => {
                self.function_as_step(None, span.start);
                None
            }
            _ if skipped => None,
            _ => {
                self.missing_step(after);
                None
            }
        }
    }

    /// ```text
    /// [38] NodeType ::= 'comment' | 'text' | 'processing-instruction' | 'node'
    /// ```
    fn node_type(&mut self) -> Option<NodeTest> {
        let span = self.bump().span;
        let name = self.text(span);
        let open = self.open(TokenKind::CloseParen);
        let mut test = match name {
            "comment" => NodeTest::Comment,
            "text" => NodeTest::Text,
            "node" => NodeTest::Node,
            "field" => NodeTest::Field,
            "any-field" => NodeTest::AnyField,
            _ => NodeTest::ProcessingInstruction(None),
        };
        if let NodeTest::ProcessingInstruction(target) = &mut test
            && self.is(TokenKind::Literal)
        {
            *target = Some(self.literal());
        } else if starts_expr(self.kind()) {
            let error = self.expected("`)`").with_label(format!("`{name}()` takes no argument"));
            self.complain(error);
        }
        self.close(open);
        Some(test)
    }

    /// Reports `child:a`, which is a name with a prefix, but hardly meant as one.
    fn axis_as_prefix(&mut self) {
        let span = self.token().span;
        let Some((prefix, local)) = self.text(span).split_once(':') else {
            return;
        };
        if Axis::named(prefix).is_none() {
            return;
        }
        let parens = if self.is(TokenKind::FunctionName) { "()" } else { "" };
        let message = format!("expected `::` after the axis `{prefix}`, found `:`");
        let error = Diagnostic::error(Code::UndeclaredPrefix, span, message)
            .with_label(format!("`{prefix}` is an axis, not a prefix"))
            .with_hint(format!("did you mean `{prefix}::{local}{parens}`?"))
            .with_fix(span, format!("{prefix}::{local}"));
        self.complain(error);
    }

    /// Reports a function where only a step is allowed, as in `a/string()`, and reads it.
    fn function_as_step(&mut self, separator: Option<Token>, path_start: u32) {
        let span = self.token().span;
        let name = self.text(span);
        if name
            .split_once(':')
            .is_some_and(|(prefix, _)| Axis::named(prefix).is_some())
        {
            self.function_call();
            return;
        }
        let mut error = self.expected("a step").with_label("a function is not a step");
        if let Some(part) = self.nearest_part(name) {
            error.hints.push(format!("did you mean the part `{part}()`?"));
        }
        match (nearest(name, NODE_TYPES.iter().copied()), separator) {
            (Some(node_type), _) => error.hints.push(format!("did you mean `{node_type}()`?")),
            (None, Some(separator)) if separator.span.start > path_start => {
                let path = self
                    .text(Span {
                        start: path_start,
                        end: separator.span.start,
                    })
                    .trim_end();
                let more = if self.tokens[self.at + 2].kind == TokenKind::CloseParen {
                    ""
                } else {
                    ", …"
                };
                error.hints.push(format!(
                    "apply the function to the path: `{name}({}{more})`",
                    brief(path)
                ));
            }
            _ => {}
        }
        self.complain(error);
        self.function_call();
    }

    /// The plain predicates that follow, and the height of the highest. A selector after a predicate, as in the
    /// original implementation, is also a predicate.
    ///
    /// ```text
    /// [8] Predicate     ::= '[' PredicateExpr ']'
    /// [9] PredicateExpr ::= Expr
    /// ```
    fn predicates(&mut self) -> (Vec<Expr>, usize) {
        let mut predicates = Vec::new();
        let mut height = 0;
        loop {
            let predicate = match self.kind() {
                TokenKind::OpenBracket if self.kind_after() != TokenKind::Question => self.predicate(),
                TokenKind::Class | TokenKind::Id => self.selector_predicate(),
                _ => break,
            };
            height = height.max(predicate.height);
            predicates.push(predicate.expr);
        }
        (predicates, height)
    }

    fn predicate(&mut self) -> Tall {
        let open = self.open(TokenKind::CloseBracket);
        let predicate = self.expr();
        self.close(open);
        predicate
    }

    /// ```text
    /// [20] FilterExpr ::= PrimaryExpr Predicate*
    /// ```
    fn filter_expr(&mut self, primary: Tall) -> Tall {
        let start = primary.expr.span.start;
        let (predicates, height) = self.predicates();
        if predicates.is_empty() {
            return primary;
        }
        let kind = ExprKind::Filter {
            primary: Box::new(primary.expr),
            predicates,
        };
        self.build(kind, self.since(start), 1 + height.max(primary.height))
    }

    /// ```text
    /// [15] PrimaryExpr ::= VariableReference | '(' Expr ')' | Literal | Number | FunctionCall
    /// ```
    fn primary_expr(&mut self) -> Tall {
        let Token { kind, span } = self.token();
        let kind = match kind {
            TokenKind::OpenParen => {
                let groups = self.at_group();
                let open = self.open_as(TokenKind::CloseParen, groups);
                let mut inner = self.expr();
                self.close(open);
                inner.expr.span = self.since(span.start);
                return inner;
            }
            TokenKind::FunctionName if self.at_part() => return self.part(),
            TokenKind::FunctionName => return self.function_call(),
            TokenKind::Literal => ExprKind::Literal(self.literal()),
            TokenKind::Variable => {
                self.bump();
                ExprKind::Variable(self.text(span)[1..].to_owned())
            }
            _ => {
                self.bump();
                ExprKind::Number(self.text(span).parse().unwrap_or(f64::NAN))
            }
        };
        self.build(kind, span, 1)
    }

    /// The text between the quotes.
    fn literal(&mut self) -> String {
        let span = self.bump().span;
        let mut inner = self.text(span).chars();
        inner.next();
        inner.next_back();
        inner.as_str().to_owned()
    }

    /// ```text
    /// [16] FunctionCall ::= FunctionName '(' (Argument (',' Argument)*)? ')'
    /// [17] Argument     ::= Expr
    /// ```
    fn function_call(&mut self) -> Tall {
        self.axis_as_prefix();
        let name_span = self.bump().span;
        let open = self.open(TokenKind::CloseParen);
        let mut args = Vec::new();
        let mut height = 0;
        if !self.is(TokenKind::CloseParen) {
            loop {
                let argument = self.expr();
                height = height.max(argument.height);
                args.push(argument.expr);
                if !self.eat(TokenKind::Comma) {
                    break;
                }
            }
        }
        self.close(open);
        let kind = ExprKind::Call {
            name: self.text(name_span).to_owned(),
            name_span,
            args,
        };
        self.build(kind, self.since(name_span.start), 1 + height)
    }
}

#[cfg(test)]
mod tests;
