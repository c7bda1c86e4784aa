//! From text to tokens (XPath 1.0, section 3.7).
//!
//! The grammar of XPath is ambiguous on the level of characters: `*` is a node test or a multiplication, `div` an
//! element or a division, `text` an element, or a node type if a parenthesis follows. The recommendation settles all of
//! it by looking one token back and one token ahead, which is what happens here, so the parser sees tokens of one
//! meaning each:
//!
//! - if there is a preceding token, and it is none of `@`, `::`, `(`, `[`, `,` or an operator, then `*` multiplies and
//!   a name is an operator;
//! - otherwise a name before `(` is a node type or a function, and a name before `::` is an axis.
//!
//! Mistakes that show in the characters are reported here. Where the intent is plain, as with `==` or `&&`, the token
//! that was meant is handed on, and the parser never learns of it. Anything else becomes a [`TokenKind::Error`], about
//! which the parser must not complain again.
//!
//! To add a token: a kind in [`TokenKind`], an entry in [`SYMBOLS`], and, if an operand may follow it, a line in
//! [`TokenKind::is_operator`].

use super::MAX_DIAGNOSTICS;
use super::ast::Axis;
use crate::diag::{Code, Diagnostic, Span};

/// A token: what it is and where it stands.
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
    Slash,
    DoubleSlash,
    /// `!` alone, which XPath does not have; the parser knows the operand that was to be negated.
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
    /// Characters that are part of no token, already reported.
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
                | Slash
                | DoubleSlash
                | Bang
        )
    }

    /// Does an operand end with this token, so that only an operator can follow?
    fn ends_operand(self) -> bool {
        use TokenKind::*;
        !(self.is_operator() || matches!(self, At | ColonColon | OpenParen | OpenBracket | Comma | Error))
    }
}

/// The tokens that are spelled one way only. Of two that fit, the longer stands first.
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
    (",", TokenKind::Comma), ("@", TokenKind::At),
];

/// The operators that are words.
#[rustfmt::skip]
const WORDS: &[(&str, TokenKind)] =
    &[("or", TokenKind::Or), ("and", TokenKind::And), ("div", TokenKind::Div), ("mod", TokenKind::Mod)];

/// Symbols of other languages for operators of ours. None can begin a legal token where it is looked for.
#[rustfmt::skip]
const FOREIGN_SYMBOLS: &[(&str, TokenKind, &str)] = &[
    ("===", TokenKind::Equal, "="), ("==", TokenKind::Equal, "="), (":=", TokenKind::Equal, "="),
    ("!==", TokenKind::NotEqual, "!="), ("<>", TokenKind::NotEqual, "!="),
    ("=<", TokenKind::LessEqual, "<="), ("=>", TokenKind::GreaterEqual, ">="),
    ("&&", TokenKind::And, "and"), ("&", TokenKind::And, "and"), ("||", TokenKind::Or, "or"),
    ("%", TokenKind::Mod, "mod"),
];

/// Words of other languages, XPath 2.0 among them, for operators of ours.
#[rustfmt::skip]
const FOREIGN_WORDS: &[(&str, TokenKind, &str)] = &[
    ("eq", TokenKind::Equal, "="), ("ne", TokenKind::NotEqual, "!="),
    ("lt", TokenKind::Less, "<"), ("le", TokenKind::LessEqual, "<="),
    ("gt", TokenKind::Greater, ">"), ("ge", TokenKind::GreaterEqual, ">="),
    ("idiv", TokenKind::Div, "div"), ("union", TokenKind::Union, "|"),
];

/// The operators of CSS attribute selectors, and the function that does the same.
const CSS_OPERATORS: &[(&str, &str)] = &[
    ("^=", "starts-with"),
    ("$=", "ends-with"),
    ("*=", "contains"),
    ("~=", "contains"),
];

/// What the lexer makes of a source.
pub(super) struct Lexed {
    /// The tokens; the last is [`TokenKind::End`], and no other is.
    pub(super) tokens: Vec<Token>,
    /// What was wrong, in order.
    pub(super) diagnostics: Vec<Diagnostic>,
    /// Did a literal or comment swallow the rest, so that complaints about what is missing at the end are idle?
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

/// How many bytes of the text's beginning are an NCName; 0 if it begins with none.
fn name_len(text: &str) -> usize {
    if !text.starts_with(is_name_start) {
        return 0;
    }
    text.find(|c| !is_name_char(c)).unwrap_or(text.len())
}

struct Lexer<'s> {
    source: &'s str,
    at: usize,
    tokens: Vec<Token>,
    diagnostics: Vec<Diagnostic>,
    cut_off: bool,
}

impl<'s> Lexer<'s> {
    fn rest(&self) -> &'s str {
        &self.source[self.at..]
    }

    /// Ends a token of `len` bytes.
    fn push(&mut self, kind: TokenKind, len: usize) {
        let span = self.ahead(len);
        self.tokens.push(Token { kind, span });
        self.at += len;
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

    /// Can only an operator stand here?
    fn wants_operator(&self) -> bool {
        self.tokens.last().is_some_and(|token| token.kind.ends_operand())
    }

    fn report(&mut self, span: Span, message: impl Into<String>, label: &str, hint: impl Into<String>) {
        let diagnostic = Diagnostic::error(Code::Syntax, span, message)
            .with_label(label)
            .with_hint(hint);
        self.diagnostics.push(diagnostic);
    }

    /// Skips white space and comments; says whether anything follows.
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
    /// ```
    fn token(&mut self) {
        let rest = self.rest();
        let first = rest.chars().next().expect("there is a next character");
        let second = rest[first.len_utf8()..].chars().next();
        match first {
            _ if is_name_start(first) => self.name(),
            '0'..='9' => self.number(),
            '.' if second.is_some_and(|c| c.is_ascii_digit()) => self.number(),
            '"' | '\'' => self.literal(first),
            '“' | '”' | '„' | '‘' | '’' => self.curly_literal(first),
            '$' if second != Some('=') => self.variable(),
            _ if self.css_operator() || self.foreign_symbol() => {}
            '*' if self.wants_operator() => self.push(TokenKind::Multiply, 1),
            '*' => self.push(TokenKind::AnyName, 1),
            _ => match SYMBOLS.iter().find(|(symbol, _)| rest.starts_with(symbol)) {
                Some((symbol, kind)) => self.push(*kind, symbol.len()),
                None => self.stray(first),
            },
        }
    }

    /// ```text
    /// [32] Operator     ::= OperatorName | MultiplyOperator | '/' | '//' | '|' | '+' | '-' | '=' | …
    /// [33] OperatorName ::= 'and' | 'or' | 'mod' | 'div'
    /// [37] NameTest     ::= '*' | NCName ':' '*' | QName
    /// ```
    fn name(&mut self) {
        let rest = self.rest();
        let first = name_len(rest);
        if self.wants_operator() && self.word(&rest[..first]) {
            return;
        }
        let mut len = first;
        if let Some(local) = rest[first..].strip_prefix(':') {
            if local.starts_with('*') {
                return self.push(TokenKind::AnyNameOf, first + 2);
            }
            let second = name_len(local);
            if second > 0 {
                len = first + 1 + second;
            }
        }
        let next = &rest[len..];
        let next = &next[trivia(next).0..];
        let kind = if next.starts_with("::") {
            TokenKind::AxisName
        } else if !next.starts_with('(') {
            TokenKind::Name
        } else if NODE_TYPES.contains(&&rest[..len]) {
            TokenKind::NodeType
        } else {
            TokenKind::FunctionName
        };
        self.push(kind, len);
    }

    /// A name where only an operator can stand; false if it is none.
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

    /// An operator of another language; false if it is none.
    fn foreign_symbol(&mut self) -> bool {
        let rest = self.rest();
        let Some((symbol, kind, operator)) = FOREIGN_SYMBOLS.iter().find(|row| rest.starts_with(row.0)) else {
            return false;
        };
        match self
            .adjacent()
            .map(|token| self.text(token))
            .filter(|name| Axis::named(name).is_some())
        {
            Some(axis) if *symbol == ":=" => {
                let hint = format!("after an axis stand two colons: `{axis}::`");
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

    /// Takes `found` for the operator it was meant to be, and says so.
    fn instead(&mut self, found: &str, kind: TokenKind, operator: &str) {
        let span = self.ahead(found.len());
        let message = format!("expected `{operator}`, found `{found}`");
        self.report(span, message, "not an operator of XPath", format!("write `{operator}`"));
        self.push(kind, found.len());
    }

    /// `[href^="x"]`, as CSS has it; false if there is nothing like that. Goes on as if it were `=`.
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
            // What was read since then is text, and not worth a complaint.
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

    /// The backslash at the end of the literal before, if that is in these quotes and was meant to go on.
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
        match end {
            // The parser needs no text: the expression is rejected already.
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
            self.report(self.ahead(1), message, "", "write it like `$name`");
            return self.push(TokenKind::Error, 1);
        }
        if let Some(local) = rest[len..].strip_prefix(':') {
            let local = name_len(local);
            len += if local > 0 { 1 + local } else { 0 };
        }
        self.push(TokenKind::Variable, 1 + len);
    }

    /// A character that begins no token.
    fn stray(&mut self, c: char) {
        let len = c.len_utf8();
        let after = &self.rest()[len..];
        if c.is_whitespace() || matches!(c, '\u{FEFF}' | '\u{200B}') {
            let message = format!("expected a plain space, found U+{:04X}", c as u32);
            self.report(
                self.ahead(len),
                message,
                "not white space in XPath",
                "replace it by a plain space",
            );
            self.at += len;
            return;
        }
        let mut diagnostic = Diagnostic::error(Code::Syntax, self.ahead(len), format!("unexpected `{}`", shown(c)));
        match c {
            '#' => {
                let id = &after[..name_len(after)];
                let element = match self.adjacent() {
                    Some(token) if token.kind == TokenKind::Name => self.text(token).to_owned(),
                    Some(token) if token.kind == TokenKind::AnyName => "*".to_owned(),
                    _ => "//*".to_owned(),
                };
                if !id.is_empty() {
                    diagnostic.label = "this is CSS".to_owned();
                    diagnostic.hints.push(format!("write `{element}[@id=\"{id}\"]`"));
                }
            }
            ':' if after.starts_with(')') => {
                diagnostic
                    .hints
                    .push("no comment is open; comments begin with `(:`".to_owned());
            }
            ':' => match self.adjacent().map(|token| self.text(token)).and_then(Axis::named) {
                Some(axis) => diagnostic
                    .hints
                    .push(format!("after an axis stand two colons: `{}::`", axis.name())),
                None => diagnostic
                    .hints
                    .push("a colon stands between prefix and name, without spaces".to_owned()),
            },
            '\\' => diagnostic.hints.push("steps are separated by `/`".to_owned()),
            _ => {}
        }
        self.diagnostics.push(diagnostic);
        // One complaint about a run of such characters is enough.
        let run = self.rest().find(|other| other != c).unwrap_or(self.rest().len());
        self.push(TokenKind::Error, run);
    }
}

/// A character as it can be shown in one line.
fn shown(c: char) -> String {
    if c.is_control() {
        format!("U+{:04X}", c as u32)
    } else {
        c.to_string()
    }
}

/// The node types (production 38).
pub(super) const NODE_TYPES: &[&str] = &["comment", "text", "processing-instruction", "node"];

/// How many bytes of white space and comments the text begins with; where the outermost comment opens that never ends.
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
mod tests {
    use super::*;

    /// Lexes without complaint to these kinds.
    fn check(source: &str, expected: &[TokenKind]) {
        let lexed = lex(source);
        assert_eq!(lexed.diagnostics, [], "{source}");
        let kinds: Vec<TokenKind> = lexed.tokens.iter().map(|token| token.kind).collect();
        assert_eq!(kinds, [expected, &[TokenKind::End]].concat(), "{source}");
    }

    #[test]
    fn operators_need_an_operand_before_them() {
        use TokenKind::*;
        check("* * *", &[AnyName, Multiply, AnyName]);
        check("div div div", &[Name, Div, Name]);
        check("and/or", &[Name, Slash, Name]);
        check("@mod mod mod", &[At, Name, Mod, Name]);
        check("child::or or or", &[AxisName, ColonColon, Name, Or, Name]);
        check(
            "(and)and(and)",
            &[OpenParen, Name, CloseParen, And, OpenParen, Name, CloseParen],
        );
        check("a[*]*2", &[Name, OpenBracket, AnyName, CloseBracket, Multiply, Number]);
        check("$x*$y", &[Variable, Multiply, Variable]);
        check("/*", &[Slash, AnyName]);
        check("..*.", &[DotDot, Multiply, Dot]);
        check("-*", &[Minus, AnyName]);
        check("p:* * p:*", &[AnyNameOf, Multiply, AnyNameOf]);
    }

    #[test]
    fn names_look_ahead() {
        use TokenKind::*;
        check("text", &[Name]);
        check("text()", &[NodeType, OpenParen, CloseParen]);
        check("text (: why? :) ()", &[NodeType, OpenParen, CloseParen]);
        check("text (: not this one :)", &[Name]);
        check("id()", &[FunctionName, OpenParen, CloseParen]);
        check("p:f()", &[FunctionName, OpenParen, CloseParen]);
        check(
            "self :: node()",
            &[AxisName, ColonColon, NodeType, OpenParen, CloseParen],
        );
        check("child::p:q", &[AxisName, ColonColon, Name]);
    }

    #[test]
    fn names() {
        use TokenKind::*;
        check("a-b", &[Name]);
        check("a -b", &[Name, Minus, Name]);
        check("a.b", &[Name]);
        check("h1", &[Name]);
        check("_größe-№", &[Name]);
        check("日本語", &[Name]);
        check("$ns:v", &[Variable]);
    }

    #[test]
    fn numbers() {
        use TokenKind::*;
        check("1", &[Number]);
        check("1.", &[Number]);
        check(".5", &[Number]);
        check("1.5", &[Number]);
        check("1.5.", &[Number, Dot]);
        check("1-1", &[Number, Minus, Number]);
    }

    #[test]
    fn white_space() {
        use TokenKind::*;
        check("", &[]);
        check(" \t\r\n", &[]);
        check("(: a (: nested :) comment :)", &[]);
        check("a(::)/(: - :)b", &[Name, Slash, Name]);
        check("\"(: text :)\"", &[Literal]);
    }

    #[test]
    fn name_characters() {
        for c in ['a', 'Z', '_', 'é', 'Ω', '\u{200C}', '\u{10000}', '\u{EFFFF}'] {
            assert!(is_name_start(c) && is_name_char(c), "{c:?}");
        }
        for c in ['-', '.', '7', '\u{B7}', '\u{300}', '\u{2040}'] {
            assert!(!is_name_start(c) && is_name_char(c), "{c:?}");
        }
        for c in [':', ' ', '×', '÷', '\u{37E}', '\u{2000}', '\u{E000}', '\u{F0000}', '/'] {
            assert!(!is_name_char(c), "{c:?}");
        }
    }
}
