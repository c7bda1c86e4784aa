//! From text to tokens (XPath 1.0, section 3.7).
//!
//! The grammar of XPath is ambiguous on the level of characters: `*` is a node test or a multiplication, `div` is an
//! element or a division, `text` is an element, or a node type if a parenthesis follows. The recommendation resolves
//! all of this by looking one token back and one token ahead. The lexer does so, and each token that the parser sees
//! has one meaning:
//!
//! - if there is a preceding token, and it is not one of `@`, `::`, `(`, `[`, `,` or an operator, then `*` multiplies
//!   and a name is an operator;
//! - otherwise a name before `(` is a node type or a function, and a name before `::` is an axis.
//!
//! OXPath adds three ambiguities; to resolve them, the lexer keeps a stack of the open brackets:
//!
//! - `>` ends a marker if the marker is the innermost open bracket, and compares otherwise: in `:<n=a > 1>` the first
//!   `>` ends the marker, in `:<n=(a > 1)>` it compares.
//! - `*` and `+` after a parenthesis repeat it if it is in the position of a step, as in `a/(b)*`, or if no operand
//!   follows, as in `[(a)*]`; otherwise they are arithmetic: `(a) * 2`, `(a)*/b`. To repeat a path from the context
//!   node and then continue, write `./(a)*/b`.
//! - a dot right before a name begins a class, as in `a.title` and `//.title`, if the dot comes after an element's name
//!   or in its position. So names of elements have no dots, which HTML does not need; names of attributes, functions,
//!   variables and markers may have dots. Where a step begins, `.and`, `.or`, `.div`, `.mod` and `.subset` are a dot
//!   and an operator, as in XPath.
//!
//! Mistakes that are visible in the characters are reported here. Where the intent is clear, as with `==` or `&&`, the
//! parser gets the intended token and does not see the mistake. Anything else becomes a [`TokenKind::Error`], which the
//! parser must not report again.
//!
//! To add a token: a kind in [`TokenKind`], an entry in [`SYMBOLS`], and, if an operand may follow it, a line in
//! [`TokenKind::is_operator`].

mod definition;

pub(super) use definition::DEFINITIONS;

use super::MAX_DIAGNOSTICS;
use super::ast::Axis;
use crate::diag::{Code, Diagnostic, Fix, Span};

/// A token: its kind and its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) kind: TokenKind,
    pub(super) span: Span,
}

/// The meanings a token can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TokenKind {
    /// `name` or `prefix:name`, as a node test.
    Name,
    /// `*` as a node test.
    AnyName,
    /// `prefix:*`.
    AnyNameOf,
    /// A name before `(`.
    FunctionName,
    /// One of the four node types before `(`.
    NodeType,
    /// A name before `::`, whether or not there is such an axis.
    AxisName,
    /// `$name`.
    Variable,
    /// `"…"` or `'…'`; without the closing quote if that was missing.
    Literal,
    Number,
    Or,
    And,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Plus,
    Minus,
    Multiply,
    Div,
    Mod,
    Union,
    /// `??`.
    FirstOf,
    /// `~` or `#=`.
    ContainsText,
    /// `~=`.
    ContainsWord,
    Subset,
    Slash,
    DoubleSlash,
    /// `!` alone, which XPath does not have; the parser knows the operand that it should negate.
    Bang,
    OpenParen,
    CloseParen,
    OpenBracket,
    CloseBracket,
    Comma,
    At,
    ColonColon,
    Dot,
    DotDot,
    /// `.name` of CSS.
    Class,
    /// `#name` of CSS.
    Id,
    /// `^`, for the style axis.
    Caret,
    /// `?`, which occurs only after `[`.
    Question,
    OpenBrace,
    CloseBrace,
    /// `:<`.
    OpenMarker,
    /// `>` where it ends a marker.
    CloseMarker,
    /// `*` after a parenthesis that it repeats.
    KleeneStar,
    /// `+` after a parenthesis that it repeats.
    KleenePlus,
    /// `let` at the beginning of a definition.
    Let,
    /// `import` at the beginning of an import.
    Import,
    /// `;` at the end of a definition or an import.
    Semicolon,
    /// Characters that are not part of any token, already reported.
    Error,
    /// The end of the source.
    End,
}

impl TokenKind {
    /// Is this an operator, in the sense of the rule above?
    fn is_operator(self) -> bool {
        use TokenKind::*;
        matches!(
            self,
            Or | And
                | Equal
                | NotEqual
                | Less
                | LessEqual
                | Greater
                | GreaterEqual
                | Plus
                | Minus
                | Multiply
                | Div
                | Mod
                | Union
                | FirstOf
                | ContainsText
                | ContainsWord
                | Subset
                | Slash
                | DoubleSlash
                | Bang
        )
    }

    /// Does an operand end with this token, so that only an operator can follow?
    fn ends_operand(self) -> bool {
        use TokenKind::*;
        !(self.is_operator()
            || matches!(
                self,
                At | Caret
                    | ColonColon
                    | OpenParen
                    | OpenBracket
                    | OpenBrace
                    | OpenMarker
                    | Question
                    | Comma
                    | Let
                    | Import
                    | Semicolon
                    | Error
            ))
    }
}

/// The tokens with only one spelling. Of two that match, the longer comes first.
#[rustfmt::skip]
const SYMBOLS: &[(&str, TokenKind)] = &[
    ("//", TokenKind::DoubleSlash), ("/", TokenKind::Slash),
    ("::", TokenKind::ColonColon), ("..", TokenKind::DotDot), (".", TokenKind::Dot),
    ("!=", TokenKind::NotEqual), ("!", TokenKind::Bang), ("=", TokenKind::Equal),
    ("<=", TokenKind::LessEqual), ("<", TokenKind::Less),
    (">=", TokenKind::GreaterEqual), (">", TokenKind::Greater),
    ("+", TokenKind::Plus), ("-", TokenKind::Minus), ("|", TokenKind::Union),
    ("(", TokenKind::OpenParen), (")", TokenKind::CloseParen),
    ("[", TokenKind::OpenBracket), ("]", TokenKind::CloseBracket),
    ("{", TokenKind::OpenBrace), ("}", TokenKind::CloseBrace), (":<", TokenKind::OpenMarker),
    (",", TokenKind::Comma), (";", TokenKind::Semicolon), ("@", TokenKind::At), ("^", TokenKind::Caret),
    ("??", TokenKind::FirstOf), ("?", TokenKind::Question),
    ("~=", TokenKind::ContainsWord), ("~", TokenKind::ContainsText), ("#=", TokenKind::ContainsText),
];

/// The operators that are words.
#[rustfmt::skip]
pub(super) const WORDS: &[(&str, TokenKind)] =
    &[("or", TokenKind::Or), ("and", TokenKind::And), ("div", TokenKind::Div), ("mod", TokenKind::Mod),
      ("subset", TokenKind::Subset)];

/// Symbols of other languages for our operators. None can begin a legal token where it is searched for.
#[rustfmt::skip]
const FOREIGN_SYMBOLS: &[(&str, TokenKind, &str)] = &[
    ("===", TokenKind::Equal, "="), ("==", TokenKind::Equal, "="), (":=", TokenKind::Equal, "="),
    ("!==", TokenKind::NotEqual, "!="), ("<>", TokenKind::NotEqual, "!="),
    ("=<", TokenKind::LessEqual, "<="), ("=>", TokenKind::GreaterEqual, ">="),
    ("&&", TokenKind::And, "and"), ("&", TokenKind::And, "and"), ("||", TokenKind::Or, "or"),
    ("%", TokenKind::Mod, "mod"),
];

/// Words of other languages, including XPath 2.0, for our operators.
#[rustfmt::skip]
const FOREIGN_WORDS: &[(&str, TokenKind, &str)] = &[
    ("eq", TokenKind::Equal, "="), ("ne", TokenKind::NotEqual, "!="),
    ("lt", TokenKind::Less, "<"), ("le", TokenKind::LessEqual, "<="),
    ("gt", TokenKind::Greater, ">"), ("ge", TokenKind::GreaterEqual, ">="),
    ("idiv", TokenKind::Div, "div"), ("union", TokenKind::Union, "|"),
];

/// The operators of CSS attribute selectors, and the function that does the same.
const CSS_OPERATORS: &[(&str, &str)] = &[("^=", "starts-with"), ("$=", "ends-with"), ("*=", "contains")];

/// The result of the lexer.
pub(super) struct Lexed {
    /// The tokens; the last is [`TokenKind::End`], and no other is.
    pub(super) tokens: Vec<Token>,
    /// The mistakes, in order.
    pub(super) diagnostics: Vec<Diagnostic>,
    /// Did a literal or comment include the rest, so that reports about what is missing at the end are useless?
    pub(super) cut_off: bool,
}

/// Splits a source into tokens.
pub(super) fn lex(source: &str) -> Lexed {
    let mut lexer = Lexer {
        source,
        at: 0,
        tokens: Vec::new(),
        diagnostics: Vec::new(),
        cut_off: false,
        open: Vec::new(),
        closed: None,
    };
    while lexer.diagnostics.len() < MAX_DIAGNOSTICS && lexer.skip_trivia() {
        let start = lexer.at;
        lexer.token();
        assert!(lexer.at > start, "the lexer stands still at byte {start}");
    }
    let end = lexer.tokens.last().map_or(0, |token| token.span.end);
    lexer.tokens.push(Token {
        kind: TokenKind::End,
        span: Span { start: end, end },
    });
    Lexed {
        tokens: lexer.tokens,
        diagnostics: lexer.diagnostics,
        cut_off: lexer.cut_off,
    }
}

/// May a name begin with this character? (XML 1.0, fifth edition, production 4, without the colon.)
pub(super) fn is_name_start(c: char) -> bool {
    matches!(c,
        'A'..='Z' | '_' | 'a'..='z' | '\u{C0}'..='\u{D6}' | '\u{D8}'..='\u{F6}' | '\u{F8}'..='\u{2FF}'
        | '\u{370}'..='\u{37D}' | '\u{37F}'..='\u{1FFF}' | '\u{200C}'..='\u{200D}' | '\u{2070}'..='\u{218F}'
        | '\u{2C00}'..='\u{2FEF}' | '\u{3001}'..='\u{D7FF}' | '\u{F900}'..='\u{FDCF}' | '\u{FDF0}'..='\u{FFFD}'
        | '\u{10000}'..='\u{EFFFF}')
}

/// May a name continue with this character? (Production 4a, without the colon.)
pub(super) fn is_name_char(c: char) -> bool {
    is_name_start(c)
        || matches!(c,
            '-' | '.' | '0'..='9' | '\u{B7}' | '\u{300}'..='\u{36F}' | '\u{203F}'..='\u{2040}')
}

/// The length in bytes of the NCName at the beginning of the text; 0 if there is none.
fn name_len(text: &str) -> usize {
    if !text.starts_with(is_name_start) {
        return 0;
    }
    text.find(|c| !is_name_char(c)).unwrap_or(text.len())
}

/// The same up to the first dot, for the names of elements, classes and ids.
fn undotted_len(text: &str) -> usize {
    if !text.starts_with(is_name_start) {
        return 0;
    }
    text.find(|c| c == '.' || !is_name_char(c)).unwrap_or(text.len())
}

/// The length in bytes of the name at the beginning of the text, with or without a prefix.
fn qualified_len(text: &str, len_of: fn(&str) -> usize) -> usize {
    let first = len_of(text);
    match text[first..].strip_prefix(':').map_or(0, len_of) {
        0 => first,
        second => first + 1 + second,
    }
}

/// The node types (production 38, and two of OXPath).
pub(super) const NODE_TYPES: &[&str] = &[
    "comment",
    "text",
    "processing-instruction",
    "node",
    "field",
    "any-field",
];

/// An open bracket.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Bracket {
    Paren(Paren),
    Square,
    Brace,
    Marker,
}

/// What a parenthesis is for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Paren {
    /// It contains arguments.
    Call,
    /// It is at the beginning of an operand.
    Operand,
    /// It is in the position of a step of a path.
    Step,
}

struct Lexer<'s> {
    source: &'s str,
    at: usize,
    tokens: Vec<Token>,
    diagnostics: Vec<Diagnostic>,
    cut_off: bool,
    /// The open brackets, outermost first.
    open: Vec<Bracket>,
    /// What the last token closed, if it is a closing parenthesis.
    closed: Option<Paren>,
}

impl<'s> Lexer<'s> {
    fn rest(&self) -> &'s str {
        &self.source[self.at..]
    }

    /// Ends a token of `len` bytes.
    fn push(&mut self, kind: TokenKind, len: usize) {
        self.brackets(kind);
        let span = self.ahead(len);
        self.tokens.push(Token { kind, span });
        self.at += len;
    }

    /// Keeps track of the brackets. One that closes a bracket other than the innermost closes everything inside it; one
    /// that closes nothing is left to the parser.
    fn brackets(&mut self, kind: TokenKind) {
        self.closed = None;
        let is_closed: fn(Bracket) -> bool = match kind {
            TokenKind::OpenParen => {
                let paren = match self.tokens.last().map(|token| token.kind) {
                    Some(TokenKind::Slash | TokenKind::DoubleSlash) => Paren::Step,
                    Some(TokenKind::FunctionName | TokenKind::NodeType) => Paren::Call,
                    _ => Paren::Operand,
                };
                return self.open.push(Bracket::Paren(paren));
            }
            TokenKind::OpenBracket => return self.open.push(Bracket::Square),
            TokenKind::OpenBrace => return self.open.push(Bracket::Brace),
            TokenKind::OpenMarker => return self.open.push(Bracket::Marker),
            TokenKind::CloseParen => |bracket| matches!(bracket, Bracket::Paren(_)),
            TokenKind::CloseBracket => |bracket| bracket == Bracket::Square,
            TokenKind::CloseBrace => |bracket| bracket == Bracket::Brace,
            TokenKind::CloseMarker => |bracket| bracket == Bracket::Marker,
            _ => return,
        };
        // Searching further out would cost time for every bracket that closes nothing, and would only help error
        // messages.
        const SEARCHED: usize = 16;
        let nearby = self.open.len().saturating_sub(SEARCHED);
        let Some(at) = self.open[nearby..].iter().rposition(|bracket| is_closed(*bracket)) else {
            return;
        };
        if let Bracket::Paren(paren) = self.open[nearby + at] {
            self.closed = Some(paren);
        }
        self.open.truncate(nearby + at);
    }

    /// Does `*` or `+`, which comes next, repeat the parenthesis before it?
    fn repeats(&self) -> bool {
        match self.closed {
            Some(Paren::Step) => true,
            Some(Paren::Operand) => {
                let after = &self.rest()[1..];
                !starts_operand(&after[trivia(after).0..])
            }
            Some(Paren::Call) | None => false,
        }
    }

    /// Is the innermost open bracket a marker's?
    fn in_marker(&self) -> bool {
        self.open.last() == Some(&Bracket::Marker)
    }

    /// May the name that begins here contain dots?
    fn dotted(&self) -> bool {
        match &self.tokens[..] {
            [.., last] if matches!(last.kind, TokenKind::At | TokenKind::Caret | TokenKind::OpenMarker) => true,
            [.., axis, colons] if colons.kind == TokenKind::ColonColon => {
                matches!(self.text(*axis), "attribute" | "namespace" | "style")
            }
            _ => false,
        }
    }

    /// The span of the next `len` bytes.
    fn ahead(&self, len: usize) -> Span {
        Span::new(self.at, self.at + len)
    }

    /// The token before this point, if the two touch.
    fn adjacent(&self) -> Option<Token> {
        self.tokens
            .last()
            .copied()
            .filter(|token| token.span.end as usize == self.at)
    }

    fn text(&self, token: Token) -> &'s str {
        &self.source[token.span.range()]
    }

    /// Can only an operator come here?
    fn wants_operator(&self) -> bool {
        match &self.tokens[..] {
            // The word for an action, which may be followed by a value.
            [.., brace, word] if (brace.kind, word.kind) == (TokenKind::OpenBrace, TokenKind::Name) => false,
            [.., last] => last.kind.ends_operand(),
            [] => false,
        }
    }

    /// The last report says exactly what to write instead.
    fn fix(&mut self, span: Span, text: impl Into<String>) {
        if let Some(last) = self.diagnostics.last_mut() {
            last.fix = Some(Box::new(Fix {
                span,
                text: text.into(),
            }));
        }
    }

    fn report(&mut self, span: Span, message: impl Into<String>, label: &str, hint: impl Into<String>) {
        let diagnostic = Diagnostic::error(Code::Syntax, span, message)
            .with_label(label)
            .with_hint(hint);
        self.diagnostics.push(diagnostic);
    }

    /// Skips white space and comments; returns whether anything follows.
    fn skip_trivia(&mut self) -> bool {
        let (len, unclosed) = trivia(self.rest());
        if let Some(opened) = unclosed {
            let span = Span::new(self.at + opened, self.at + opened + 2);
            self.report(
                span,
                "expected `:)`, found the end of the expression",
                "comment opened here",
                "add `:)`",
            );
            self.cut_off = true;
        }
        self.at += len;
        self.at < self.source.len()
    }

    /// ```text
    /// [28] ExprToken ::= '(' | ')' | '[' | ']' | '.' | '..' | '@' | ',' | '::' | NameTest | NodeType | Operator
    ///                  | FunctionName | AxisName | Literal | Number | VariableReference
    ///                  | '{' | '}' | '?' | '^' | ':<' | '>' | '*' | '+' | '.' Ident | '#' Ident
    /// ```
    fn token(&mut self) {
        let rest = self.rest();
        let first = rest.chars().next().expect("there is a next character");
        let second = rest[first.len_utf8()..].chars().next();
        match first {
            _ if is_name_start(first) && self.definition() => {}
            _ if is_name_start(first) => self.name(),
            '0'..='9' => self.number(),
            '.' if second.is_some_and(|c| c.is_ascii_digit()) => self.number(),
            '<' | '/' | '#' if self.foreign_comment() => {}
            '<' if self.bare_marker() => {}
            '"' | '\'' => self.literal(first),
            '“' | '”' | '„' | '‘' | '’' => self.curly_literal(first),
            '$' if second != Some('=') => self.variable(),
            '>' if self.in_marker() => self.push(TokenKind::CloseMarker, 1),
            '=' if second == Some('>') && self.in_marker() => self.push(TokenKind::Equal, 1),
            '*' if self.repeats() => self.push(TokenKind::KleeneStar, 1),
            '+' if self.repeats() => self.push(TokenKind::KleenePlus, 1),
            '.' if self.is_selector() => self.push(TokenKind::Class, 1 + undotted_len(&rest[1..])),
            '#' if self.is_selector() => self.push(TokenKind::Id, 1 + undotted_len(&rest[1..])),
            _ if self.css_operator() || self.foreign_symbol() => {}
            '*' if self.wants_operator() => self.push(TokenKind::Multiply, 1),
            '*' => self.push(TokenKind::AnyName, 1),
            _ => match SYMBOLS.iter().find(|(symbol, _)| rest.starts_with(symbol)) {
                Some((symbol, kind)) => self.push(*kind, symbol.len()),
                None => self.stray(first),
            },
        }
    }

    /// Does the dot or hash that comes next begin a selector?
    fn is_selector(&self) -> bool {
        let (sign, name) = self.rest().split_at(1);
        let word = &name[..undotted_len(name)];
        let operator = || sign == "." && !self.wants_operator() && WORDS.iter().any(|(operator, _)| *operator == word);
        !word.is_empty() && !operator()
    }

    /// ```text
    /// [32] Operator     ::= OperatorName | MultiplyOperator | '/' | '//' | '|' | '+' | '-' | '=' | …
    /// [33] OperatorName ::= 'and' | 'or' | 'mod' | 'div'
    /// [37] NameTest     ::= '*' | NCName ':' '*' | QName
    /// ```
    fn name(&mut self) {
        let rest = self.rest();
        let undotted = undotted_len(rest);
        if self.wants_operator() && self.word(&rest[..undotted]) {
            return;
        }
        let first = if self.dotted() { name_len(rest) } else { undotted };
        if rest[first..].starts_with(":*") {
            return self.push(TokenKind::AnyNameOf, first + 2);
        }
        let follows = |len: usize| {
            let after = &rest[len..];
            &after[trivia(after).0..]
        };
        let whole = qualified_len(rest, name_len);
        let (kind, len) = if follows(whole).starts_with("::") {
            (TokenKind::AxisName, whole)
        } else if !follows(whole).starts_with('(') {
            let len_of = if self.dotted() { name_len } else { undotted_len };
            (TokenKind::Name, qualified_len(rest, len_of))
        } else if NODE_TYPES.contains(&&rest[..whole]) {
            (TokenKind::NodeType, whole)
        } else {
            (TokenKind::FunctionName, whole)
        };
        self.push(kind, len);
    }

    /// Reads a name where only an operator is allowed; false if there is no such operator.
    fn word(&mut self, word: &str) -> bool {
        if let Some((_, kind)) = WORDS.iter().find(|(operator, _)| *operator == word) {
            self.push(*kind, word.len());
            return true;
        }
        let meant = WORDS
            .iter()
            .find(|(operator, _)| operator.eq_ignore_ascii_case(word))
            .map(|(operator, kind)| (*kind, *operator))
            .or_else(|| FOREIGN_WORDS.iter().find(|row| row.0 == word).map(|row| (row.1, row.2)));
        if let Some((kind, operator)) = meant {
            self.instead(word, kind, operator);
        }
        meant.is_some()
    }

    /// Reads an operator of another language; returns false if there is none here.
    fn foreign_symbol(&mut self) -> bool {
        let rest = self.rest();
        let Some((symbol, kind, operator)) = FOREIGN_SYMBOLS.iter().find(|row| rest.starts_with(row.0)) else {
            return false;
        };
        // `let $x := …` is reported at the variable.
        if let [.., word, variable] = &self.tokens[..]
            && *symbol == ":="
            && variable.kind == TokenKind::Variable
            && self.text(*word) == DEFINITIONS[0]
        {
            self.push(*kind, symbol.len());
            return true;
        }
        match self
            .adjacent()
            .map(|token| self.text(token))
            .filter(|name| Axis::named(name).is_some())
        {
            Some(axis) if *symbol == ":=" => {
                let hint = format!("write two colons after an axis: `{axis}::`");
                self.report(
                    self.ahead(2),
                    format!("expected `::` after the axis `{axis}`, found `:=`"),
                    "",
                    hint,
                );
                self.push(*kind, symbol.len());
            }
            _ => self.instead(symbol, *kind, operator),
        }
        true
    }

    /// Skips a comment of another language, and reports it; false if there is none here.
    ///
    /// `//` and `/*` are also XPath. They begin a comment only if words follow that cannot be XPath: two names in a row
    /// after `//`, or a name after `/*`, in both cases after a space.
    fn foreign_comment(&mut self) -> bool {
        let rest = self.rest();
        let words = |opening: &str, count: usize| {
            let after = rest.strip_prefix(opening).unwrap_or_default();
            after.starts_with([' ', '\t']) && starts_with_words(after, count)
        };
        let line = || Some(rest.find('\n').unwrap_or(rest.len()));
        let (opening, end) = if rest.starts_with("<!--") {
            ("<!--", rest.find("-->").map(|at| at + 3))
        } else if words("//", 2) {
            ("//", line())
        } else if words("#", 2) {
            ("#", line())
        } else if words("/*", 1) {
            ("/*", rest.find("*/").map(|at| at + 2))
        } else {
            return false;
        };
        self.cut_off |= end.is_none();
        let len = end.unwrap_or(rest.len());
        let message = format!("expected a comment in `(: … :)`, found `{opening}`");
        let text = rest[opening.len()..len].trim_end_matches("-->").trim_end_matches("*/");
        let hint = match text.contains('\n') || text.chars().count() > 60 {
            true => "comments are written `(: … :)`".to_owned(),
            false => format!("write `(: {} :)`", text.trim()),
        };
        self.report(self.ahead(len), message, "not a comment of XPath", hint);
        if end.is_some() && !text.contains(":)") && !text.contains("(:") {
            self.fix(self.ahead(len), format!("(: {} :)", text.trim()));
        }
        self.at += len;
        true
    }

    /// `li<name>` or `li<name=…>` without the colon of a marker; false if there is nothing like that. Goes on as if the
    /// colon were there.
    fn bare_marker(&mut self) -> bool {
        let touches = self.adjacent().is_some_and(|token| token.kind.ends_operand());
        let rest = &self.rest()[1..];
        let name = name_len(rest);
        let end = match rest[name..].chars().next() {
            Some('>') => Some(name),
            // Nearby, so that a long chain of comparisons takes no quadratic time.
            Some('=') => rest.char_indices().take(200).find(|(_, c)| *c == '>').map(|(at, _)| at),
            _ => None,
        };
        let Some(end) = end.filter(|_| touches && name > 0) else {
            return false;
        };
        let after = &rest[end + 1..];
        // What could be the right operand of a comparison makes it one, unless the path goes on.
        let after = &after[trivia(after).0..];
        if starts_operand(after) && !after.starts_with('/') {
            return false;
        }
        self.report(
            self.ahead(1),
            "expected `:<` before the name of a marker, found `<`",
            "the colon is missing",
            format!("write `:<{}`", &rest[..end + 1]),
        );
        self.fix(self.ahead(1), ":<");
        self.push(TokenKind::OpenMarker, 1);
        true
    }

    /// An address without quotes, after whose scheme the colon comes next; false if there is none.
    fn bare_address(&mut self) -> bool {
        let Some(scheme) = self
            .adjacent()
            .filter(|token| token.kind == TokenKind::Name && matches!(self.text(*token), "http" | "https" | "file"))
        else {
            return false;
        };
        if !self.rest().starts_with("://") {
            return false;
        }
        self.tokens.pop();
        self.at = scheme.span.start as usize;
        let rest = self.rest();
        let len = rest
            .find(|c: char| c.is_whitespace() || matches!(c, ')' | ',' | '"' | '\'' | '>'))
            .unwrap_or(rest.len());
        // `{<http://…>}` is reported by the parser.
        if self.tokens.last().is_none_or(|token| token.kind != TokenKind::Less) {
            let message = "expected an address in quotes, found one without";
            self.report(self.ahead(len), message, "", format!("write `\"{}\"`", &rest[..len]));
            self.fix(self.ahead(len), format!("\"{}\"", &rest[..len]));
        }
        self.push(TokenKind::Literal, len);
        true
    }

    /// Treats `found` as the intended operator, and reports it.
    fn instead(&mut self, found: &str, kind: TokenKind, operator: &str) {
        let span = self.ahead(found.len());
        let message = format!("expected `{operator}`, found `{found}`");
        self.report(span, message, "not an operator of XPath", format!("write `{operator}`"));
        let is_word = operator.starts_with(char::is_alphabetic);
        let blank = |is: bool| if is && is_word { " " } else { "" };
        let after = &self.rest()[found.len()..];
        let text = [
            blank(self.adjacent().is_some()),
            operator,
            blank(!after.starts_with(char::is_whitespace)),
        ];
        self.fix(span, text.concat());
        self.push(kind, found.len());
    }

    /// `[href^="x"]`, as in CSS; false if there is nothing like that. Continues as if it were `=`.
    fn css_operator(&mut self) -> bool {
        let rest = self.rest();
        let Some((symbol, function)) = CSS_OPERATORS.iter().find(|(symbol, _)| rest.starts_with(symbol)) else {
            return false;
        };
        if !self.wants_operator() {
            return false;
        }
        let name = match self.tokens.last() {
            Some(token) if token.kind == TokenKind::Name => self.text(*token),
            _ => "…",
        };
        let hint = format!("write `{function}(@{name}, …)`");
        self.report(
            self.ahead(2),
            format!("`{symbol}` is an operator of CSS, not of XPath"),
            "",
            hint,
        );
        self.push(TokenKind::Equal, 2);
        true
    }

    /// ```text
    /// [30] Number ::= Digits ('.' Digits?)? | '.' Digits
    /// ```
    fn number(&mut self) {
        let rest = self.rest().as_bytes();
        let digits = |from: usize| rest[from..].iter().take_while(|b| b.is_ascii_digit()).count();
        let mut len = digits(0);
        if rest.get(len) == Some(&b'.') {
            len += 1 + digits(len + 1);
        }
        self.push(TokenKind::Number, len);
    }

    /// ```text
    /// [29] Literal ::= '"' [^"]* '"' | "'" [^']* "'"
    /// ```
    fn literal(&mut self, quote: char) {
        let rest = self.rest();
        if let Some(end) = rest[1..].find(quote) {
            return self.push(TokenKind::Literal, end + 2);
        }
        self.report(
            self.ahead(1),
            format!("expected a closing `{quote}`, found the end of the expression"),
            "opened here",
            format!("add `{quote}` where the text ends"),
        );
        if let Some(backslash) = self.attempted_escape(quote) {
            let other = if quote == '"' { '\'' } else { '"' };
            let last = self.diagnostics.last_mut().expect("one was just reported");
            last.secondary = Some((backslash, "a backslash does not escape".to_owned()));
            last.hints = vec![format!("put a text that contains `{quote}` between `{other}`")];
            // What was read since then is text, and should not be reported.
            for token in self
                .tokens
                .iter_mut()
                .rev()
                .take_while(|token| token.span.start > backslash.end)
            {
                token.kind = TokenKind::Error;
            }
        }
        self.cut_off = true;
        self.push(TokenKind::Literal, rest.len());
    }

    /// The backslash at the end of the previous literal, if that has these quotes and the backslash was meant to escape
    /// one.
    fn attempted_escape(&self, quote: char) -> Option<Span> {
        let token = self
            .tokens
            .iter()
            .rev()
            .find(|token| token.kind == TokenKind::Literal)?;
        let inner = self.text(*token).strip_suffix(quote)?;
        let end = token.span.end - 1;
        inner.ends_with('\\').then_some(Span { start: end - 1, end })
    }

    /// A literal in typographic quotes, as word processors make them.
    fn curly_literal(&mut self, quote: char) {
        let rest = self.rest();
        let (closing, plain): (&[char], char) = match quote {
            '“' | '”' | '„' => (&['“', '”'], '"'),
            _ => (&['‘', '’'], '\''),
        };
        let width = quote.len_utf8();
        let end = rest[width..].find(closing).map(|at| width + at);
        let inner = &rest[width..end.unwrap_or(width)];
        let message = format!("expected a straight quote `{plain}`, found `{quote}`");
        let hint = match end {
            Some(_) => format!("write `{plain}{inner}{plain}`"),
            None => format!("write `{plain}`"),
        };
        self.report(self.ahead(width), message, "a typographic quote", hint);
        if let Some(end) = end
            && !inner.contains(plain)
        {
            let closing = rest[end..].chars().next().map_or(0, char::len_utf8);
            self.fix(self.ahead(end + closing), format!("{plain}{inner}{plain}"));
        }
        match end {
            // The parser does not need the text: the expression is already rejected.
            Some(end) => self.push(
                TokenKind::Literal,
                end + rest[end..].chars().next().map_or(0, char::len_utf8),
            ),
            None => self.push(TokenKind::Error, width),
        }
    }

    /// ```text
    /// [36] VariableReference ::= '$' QName
    /// ```
    fn variable(&mut self) {
        let rest = &self.rest()[1..];
        let mut len = name_len(rest);
        if len == 0 {
            let found = match rest.chars().next() {
                None => "the end of the expression".to_owned(),
                Some(c) if c.is_whitespace() => "a space".to_owned(),
                Some(c) => format!("`{c}`"),
            };
            let message = format!("expected a variable's name right after `$`, found {found}");
            let template = rest.strip_prefix('{').and_then(|rest| rest.split_once('}'));
            match template.filter(|(name, _)| name_len(name) == name.len()) {
                Some((name, _)) => {
                    let label = "to be replaced before the expression is read";
                    let hint = format!("give `{name}` a value, or write `${name}`");
                    self.report(self.ahead(name.len() + 3), message, label, hint);
                    // It may be replaced by a number, a text or a name, so it is not known what is wrong after it.
                    self.push(TokenKind::Error, name.len() + 3);
                }
                None => {
                    self.report(self.ahead(1), message, "", "write it like `$name`");
                    self.push(TokenKind::Error, 1);
                }
            }
            return;
        }
        if let Some(local) = rest[len..].strip_prefix(':') {
            let local = name_len(local);
            len += if local > 0 { 1 + local } else { 0 };
        }
        self.push(TokenKind::Variable, 1 + len);
    }

    /// A character that does not begin a token.
    fn stray(&mut self, c: char) {
        let len = c.len_utf8();
        let after = &self.rest()[len..];
        if c == ':' && self.bare_address() {
            return;
        }
        if c.is_whitespace() || matches!(c, '\u{FEFF}' | '\u{200B}') {
            let message = format!("expected a plain space, found U+{:04X}", c as u32);
            self.report(
                self.ahead(len),
                message,
                "not white space in XPath",
                "replace it by a plain space",
            );
            self.fix(self.ahead(len), " ");
            self.at += len;
            return;
        }
        let mut diagnostic = Diagnostic::error(Code::Syntax, self.ahead(len), format!("unexpected `{}`", shown(c)));
        match c {
            ':' if after.starts_with(')') => {
                diagnostic
                    .hints
                    .push("no comment is open; comments begin with `(:`".to_owned());
            }
            ':' => match self.adjacent().map(|token| self.text(token)).and_then(Axis::named) {
                Some(axis) => diagnostic
                    .hints
                    .push(format!("write two colons after an axis: `{}::`", axis.name())),
                None => diagnostic
                    .hints
                    .push("a colon stands between prefix and name, without spaces".to_owned()),
            },
            '\\' => diagnostic.hints.push("steps are separated by `/`".to_owned()),
            _ => {}
        }
        self.diagnostics.push(diagnostic);
        // One report for a run of such characters is enough.
        let run = self.rest().find(|other| other != c).unwrap_or(self.rest().len());
        self.push(TokenKind::Error, run);
    }
}

/// A character in a form that can be shown on one line.
fn shown(c: char) -> String {
    if c.is_control() {
        format!("U+{:04X}", c as u32)
    } else {
        c.to_string()
    }
}

/// Does the text begin with this many words that are no operators, with nothing but white space between them?
fn starts_with_words(text: &str, count: usize) -> bool {
    let is_word = |word: &str| {
        let letters = |c: char| c.is_alphabetic() || c == '-';
        // A hyphen alone is a minus.
        word.starts_with(char::is_alphabetic)
            && word.chars().all(letters)
            && !WORDS.iter().any(|(operator, _)| *operator == word)
    };
    text.split_whitespace().take(count).filter(|word| is_word(word)).count() == count
}

/// Can the text, which begins with no white space, begin with an operand of `*` or `+`?
///
/// `[` and `{` could, but multiplying by an intensional axis or an action is useless; they continue a repetition.
fn starts_operand(text: &str) -> bool {
    text.starts_with(|c: char| is_name_start(c) || c.is_ascii_digit() || ".\"'“”„‘’$(/@*-^".contains(c))
        || (text.starts_with('#') && name_len(&text[1..]) > 0)
        || (text.starts_with('!') && !text.starts_with("!="))
}

/// The number of bytes of white space and comments at the beginning, and where the outermost unclosed comment begins.
fn trivia(text: &str) -> (usize, Option<usize>) {
    let bytes = text.as_bytes();
    let mut at = 0;
    let mut opened = 0;
    let mut depth = 0_usize;
    while at < bytes.len() {
        match &bytes[at..] {
            [b'(', b':', ..] => {
                if depth == 0 {
                    opened = at;
                }
                depth += 1;
                at += 2;
            }
            [b':', b')', ..] if depth > 0 => {
                depth -= 1;
                at += 2;
            }
            [b' ' | b'\t' | b'\r' | b'\n', ..] => at += 1,
            _ if depth > 0 => at += 1,
            _ => break,
        }
    }
    (at, (depth > 0).then_some(opened))
}

#[cfg(test)]
mod tests;
