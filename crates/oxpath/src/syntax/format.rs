//! The layout of a source: the same tokens and comments, with spaces and line breaks as in the documentation.
//!
//! Only white space changes. Tokens stay as they are written, also quotes and parentheses, and every comment stays between
//! the tokens where it was. So formatting cannot change a meaning, and that is checked: the result is read again, and if
//! its tokens were not the same, the source would be given back as it is.
//!
//! **Spaces**: one on each side of an operator, one after a comma, none inside brackets and none in a path.
//!
//! **Lines**: what fits into [`WIDTH`] columns is on one line. What does not is divided at the places where a reader looks
//! for a new thing, and the content of its brackets is laid out in the same way, further to the right:
//!
//! ```text
//! doc("https://shop.example/")                 a path begins
//!   /(//a.next/{click /})*                     a step after a page was opened
//!   //li.book:<book>
//!     [h2[1]:<title=string(.)>]                a predicate with a marker
//!     [? .//a.more/{click /}
//!       //p.text:<text=normalize-space(.)>]
//! | doc("https://other.example/")//li:<book>   an operand of `|`, `??`, `and` or `or`
//! ```
//!
//! A comment in a line of its own stays in one, and a comment after something stays after it. Definitions begin a line;
//! one empty line between them is kept.
//!
//! **Cost**: linear in the source, times the depth of its brackets, which is limited. Formatting twice gives the same as
//! formatting once.

use super::lexer::{self, TokenKind};
use super::parser::{Imports, parse_as};
use crate::error::CompileError;
use std::ops::Range;

/// The most columns of a line that can be divided.
pub const WIDTH: usize = 100;

/// How far what belongs to something is moved to the right.
const INDENT: usize = 2;

/// Lays out a source, which may be a file that only has definitions.
///
/// ```
/// let source = "(: Books :)   //li [@class='book' ]:<book>[ h2 :<title = string( . ) > ]";
/// let expected = "(: Books :) //li[@class = 'book']:<book>[h2:<title=string(.)>]\n";
/// assert_eq!(oxpath::syntax::format(source)?, expected);
/// # Ok::<(), oxpath::CompileError>(())
/// ```
///
/// # Errors
///
/// The source does not parse.
pub fn format(source: &str) -> Result<String, CompileError> {
    let pieces = pieces(source);
    let ends = pieces.iter().rev().find(|piece| piece.comment.is_none());
    let is_library = ends.is_some_and(|piece| piece.kind == TokenKind::Semicolon);
    let parsed = match is_library {
        // Nothing is defined without an expression, so one is added for the parser.
        true => parse_as(&format!("{source}\n."), Imports::Assumed),
        false => parse_as(source, Imports::Assumed),
    };
    parsed.map_err(|found| CompileError::new(source, found))?;
    let items = tree(&mut pieces.iter().peekable(), 0);
    let mut layout = Layout {
        out: String::new(),
        column: 0,
    };
    layout.source(&items);
    let out = layout.out.trim_end().to_owned() + "\n";
    let is_same = |one: &Piece<'_>, other: &Piece<'_>| (one.kind, one.text) == (other.kind, other.text);
    let again = self::pieces(&out);
    let kept = again.len() == pieces.len() && again.iter().zip(&pieces).all(|(one, other)| is_same(one, other));
    debug_assert!(kept, "formatting changed the tokens of {source:?} to {out:?}");
    Ok(if kept { out } else { source.to_owned() })
}

/// A token or a comment.
#[derive(Clone, Copy, Debug)]
struct Piece<'s> {
    kind: TokenKind,
    text: &'s str,
    /// Is it a comment, and is a line break right after it?
    comment: Option<bool>,
    /// How many line breaks are right before it.
    lines: usize,
}

/// The tokens and comments of a source.
fn pieces(source: &str) -> Vec<Piece<'_>> {
    let tokens = lexer::lex(source).tokens;
    let mut pieces = Vec::with_capacity(tokens.len());
    let mut at = 0;
    for token in &tokens {
        let start = match token.kind {
            TokenKind::End => source.len(),
            _ => token.span.start as usize,
        };
        let mut between = &source[at..start];
        while let Some(begin) = between.find("(:") {
            let end = begin + comment_len(&between[begin..]);
            let after = between[end..].trim_start_matches([' ', '\t', '\r']);
            let is_last = token.kind == TokenKind::End && after.trim_start().is_empty();
            pieces.push(Piece {
                kind: TokenKind::Error,
                text: &between[begin..end],
                comment: Some(after.starts_with('\n') && !is_last),
                lines: between[..begin].matches('\n').count(),
            });
            between = &between[end..];
        }
        if token.kind != TokenKind::End {
            pieces.push(Piece {
                kind: token.kind,
                text: &source[token.span.range()],
                comment: None,
                lines: between.matches('\n').count(),
            });
        }
        at = token.span.end as usize;
    }
    pieces
}

/// The length of the comment that begins here; comments nest.
fn comment_len(text: &str) -> usize {
    let mut depth = 0_usize;
    let mut at = 0;
    while at < text.len() {
        let rest = &text[at..];
        if rest.starts_with("(:") {
            depth += 1;
            at += 2;
        } else if rest.starts_with(":)") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                return at;
            }
        } else {
            at += rest.chars().next().map_or(1, char::len_utf8);
        }
    }
    text.len()
}

/// A piece, or what is between two brackets.
enum Item<'s> {
    Piece(Piece<'s>),
    Group {
        open: Piece<'s>,
        inside: Vec<Item<'s>>,
        close: Piece<'s>,
        is: Bracket,
        has_marker: bool,
        has_break: bool,
    },
}

/// What a pair of brackets is for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Bracket {
    Marker,
    /// `{click /}`
    Action,
    /// `{2,5}` after a repetition, and `[wait=2]`: no spaces inside.
    Tight,
    Other,
}

type Pieces<'p, 's> = std::iter::Peekable<std::slice::Iter<'p, Piece<'s>>>;

/// The items up to the bracket that closes them. The parser limits how deep brackets are.
fn tree<'s>(pieces: &mut Pieces<'_, 's>, depth: usize) -> Vec<Item<'s>> {
    let mut items: Vec<Item<'s>> = Vec::new();
    while let Some(piece) = pieces.peek() {
        use TokenKind::{
            CloseBrace, CloseBracket, CloseMarker, CloseParen, OpenBrace, OpenBracket, OpenMarker, OpenParen,
        };
        match piece.kind {
            CloseBrace | CloseBracket | CloseMarker | CloseParen if depth > 0 => break,
            OpenBrace | OpenBracket | OpenMarker | OpenParen => {
                let open = **piece;
                pieces.next();
                let inside = tree(pieces, depth + 1);
                let Some(close) = pieces.next() else {
                    // Cannot be: the source was parsed.
                    items.push(Item::Piece(open));
                    items.extend(inside);
                    break;
                };
                let before = items.last().map(Item::last_kind);
                let is = match open.kind {
                    OpenMarker => Bracket::Marker,
                    OpenBrace if before == Some(TokenKind::KleeneStar) => Bracket::Tight,
                    OpenBrace => Bracket::Action,
                    // `[wait=2]` comes in an action after its word, and in `doc` after a comma.
                    OpenBracket if before == Some(TokenKind::Comma) || is_option(&inside) => Bracket::Tight,
                    _ => Bracket::Other,
                };
                items.push(Item::Group {
                    open,
                    close: *close,
                    is,
                    has_marker: is == Bracket::Marker || inside.iter().any(Item::has_marker),
                    has_break: inside.iter().any(Item::breaks),
                    inside,
                });
            }
            _ => {
                items.push(Item::Piece(**piece));
                pieces.next();
            }
        }
    }
    items
}

/// Do brackets contain options of an action?
fn is_option(inside: &[Item<'_>]) -> bool {
    match inside {
        [Item::Piece(name)] => name.text == "noback",
        [Item::Piece(name), Item::Piece(equal), ..] => {
            equal.kind == TokenKind::Equal && matches!(name.text, "wait" | "until" | "timeout")
        }
        _ => false,
    }
}

impl Item<'_> {
    fn first(&self) -> &Piece<'_> {
        match self {
            Item::Piece(piece) | Item::Group { open: piece, .. } => piece,
        }
    }

    fn last_kind(&self) -> TokenKind {
        match self {
            Item::Piece(piece) => piece.kind,
            Item::Group { close, .. } => close.kind,
        }
    }

    fn has_marker(&self) -> bool {
        matches!(self, Item::Group { has_marker: true, .. })
    }

    /// Is there a comment that needs a line break?
    fn breaks(&self) -> bool {
        match self {
            Item::Piece(piece) => piece.comment.is_some_and(|after| after || piece.lines > 0),
            Item::Group { has_break, .. } => *has_break,
        }
    }
}

/// What comes before an item in its line.
#[derive(Clone, Copy, Default)]
struct Before {
    kind: Option<TokenKind>,
    /// Is the item before a comment?
    is_comment: bool,
}

/// A space before an item, given what is before it?
fn space(items: &[Item<'_>], at: usize, is: Bracket) -> bool {
    use TokenKind::*;
    let Some(before) = at.checked_sub(1).map(|at| &items[at]) else {
        return false;
    };
    let (left, right) = (before, items[at].first());
    let left_piece = match left {
        Item::Piece(piece) => *piece,
        Item::Group { close, .. } => *close,
    };
    if left_piece.comment.is_some() || right.comment.is_some() {
        return true;
    }
    let is_tight = |at: usize| is == Bracket::Tight || is == Bracket::Marker && is_first_equal(items, at);
    let (l, r) = (left_piece.kind, right.kind);
    match (l, r) {
        (_, Comma | Semicolon) => false,
        (Comma, _) => is != Bracket::Tight || !matches!(r, Number),
        (Question, _) | (Let | Import | Semicolon, _) => true,
        (Slash, CloseBrace) => false,
        _ if is == Bracket::Action => {
            // The word of an action, its value, its options and its slash.
            !matches!((l, r), (FunctionName, OpenParen))
        }
        (Equal, _) => !is_tight(at - 1),
        (_, Equal) => !is_tight(at),
        (Minus, _) if is_sign(items, at - 1) => false,
        _ if is_binary(l) => true,
        _ if is_binary(r) => true,
        // Without a space `doc` would be a part of the name before it.
        (_, FunctionName) if !matches!(l, Slash | DoubleSlash | At | ColonColon | Caret) => true,
        (Name | Number | Literal | Variable, Name | Number | Literal | Variable) => true,
        _ => false,
    }
}

fn is_binary(kind: TokenKind) -> bool {
    use TokenKind::*;
    matches!(
        kind,
        Or | And
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
    )
}

/// Is the `=` at a place the one that gives a marker its value?
fn is_first_equal(items: &[Item<'_>], at: usize) -> bool {
    !items[..at].iter().any(|item| item.last_kind() == TokenKind::Equal)
}

/// Is the minus at a place a sign, because nothing comes before it that could be subtracted from?
fn is_sign(items: &[Item<'_>], at: usize) -> bool {
    use TokenKind::{Comma, Equal, Let, Question, Semicolon, Slash};
    let before = items[..at].iter().rev().find(|item| item.first().comment.is_none());
    match before.map(Item::last_kind) {
        None => true,
        Some(kind) => is_binary(kind) || matches!(kind, Comma | Equal | Let | Question | Semicolon | Slash),
    }
}

struct Layout {
    out: String,
    column: usize,
}

impl Layout {
    fn push(&mut self, text: &str) {
        self.out.push_str(text);
        match text.rfind('\n') {
            Some(at) => self.column = text[at + 1..].chars().count(),
            None => self.column += text.chars().count(),
        }
    }

    fn line(&mut self, indent: usize) {
        let end = self.out.trim_end_matches([' ', '\t']).len();
        self.out.truncate(end);
        self.out.push('\n');
        self.out.extend(std::iter::repeat_n(' ', indent));
        self.column = indent;
    }

    /// Lays out statements: each begins a line, and so do comments in lines of their own before it.
    fn source(&mut self, items: &[Item<'_>]) {
        let mut from = 0;
        while from < items.len() {
            let is_end = |item: &Item<'_>| item.last_kind() == TokenKind::Semicolon;
            let is_line = items[from].first().comment == Some(true);
            let end = items[from..].iter().position(is_end);
            let mut to = match is_line {
                true => from + 1,
                false => end.map_or(items.len(), |at| from + at + 1),
            };
            // A comment in the same line belongs to the definition before it.
            while !is_line && to < items.len() && items[to].first().comment.is_some() && items[to].first().lines == 0 {
                to += 1;
            }
            if from > 0 {
                self.line(0);
                if items[from].first().lines > 1 {
                    self.line(0);
                }
            }
            self.group(items, from..to, 0, Bracket::Other, true);
            from = to;
        }
    }

    /// Lays out a part of what is between brackets, from the present column on; lines begin at `indent` or further to the
    /// right. `begins` says that the line begins here, so that line breaks before it do not count.
    fn group(&mut self, items: &[Item<'_>], range: Range<usize>, indent: usize, is: Bracket, begins: bool) {
        let breaks = |at: usize| match &items[at] {
            Item::Piece(piece) if begins && at == range.start => piece.comment == Some(true) && range.len() > 1,
            item => item.breaks(),
        };
        let fits = !range.clone().any(breaks) && self.column + width(items, range.clone(), is, WIDTH) <= WIDTH;
        if !fits && let Some(operator) = loosest(items, range.clone()) {
            // Between brackets, operands are further to the right than the bracket.
            let operands = if begins { indent } else { indent + INDENT };
            let mut from = range.start;
            for at in range.start + 1..=range.end {
                if at < range.end && items[at].first().kind != operator {
                    continue;
                }
                let is_first = from == range.start;
                if !is_first {
                    self.line(operands);
                }
                let indent = if is_first { indent } else { operands };
                self.group(items, from..at, indent, is, begins || !is_first);
                from = at;
            }
            return;
        }
        let (mut line, mut before) = (indent, Before::default());
        for at in range.clone() {
            let (item, first) = (&items[at], items[at].first());
            let broken = match fits || at == range.start && begins {
                true => None,
                false => place(items, at, before, indent, line),
            };
            match broken {
                Some(indent) => {
                    // An empty line stays around a comment at the outermost level.
                    if (first.comment.is_some() || before.is_comment) && first.lines > 1 && indent == 0 {
                        self.line(0);
                    }
                    line = indent;
                    self.line(indent);
                }
                None if at > range.start && space(items, at, is) => self.push(" "),
                None => {}
            }
            self.item(item, line);
            before = Before {
                kind: match first.comment {
                    Some(_) => before.kind,
                    None => Some(item.last_kind()),
                },
                is_comment: first.comment.is_some(),
            };
        }
    }

    fn item(&mut self, item: &Item<'_>, line: usize) {
        match item {
            Item::Piece(piece) => self.push(piece.text),
            Item::Group {
                open,
                inside,
                close,
                is,
                ..
            } => {
                self.push(open.text);
                self.group(inside, 0..inside.len(), line, *is, false);
                if space_before_close(inside, close) {
                    self.push(" ");
                }
                let ends_with_line = inside.last().is_some_and(|last| last.first().comment == Some(true));
                if ends_with_line && matches!(inside.last(), Some(Item::Piece(_))) {
                    self.line(line);
                }
                self.push(close.text);
            }
        }
    }
}

/// Does a comment end what is between brackets, so that it is not right before the bracket?
fn space_before_close(inside: &[Item<'_>], close: &Piece<'_>) -> bool {
    match inside.last() {
        Some(Item::Piece(last)) if last.comment == Some(false) => true,
        // `{click /}` has its space before the slash.
        _ => close.comment.is_some(),
    }
}

/// Where the line of an item begins, if it begins one.
fn place(items: &[Item<'_>], at: usize, before: Before, indent: usize, line: usize) -> Option<usize> {
    use TokenKind::*;
    let item = &items[at];
    let first = item.first();
    if at == 0 {
        return (first.comment.is_some() && first.lines > 0).then_some(indent + INDENT);
    }
    let previous = items[at - 1].first();
    let natural = match (before.kind, first.kind) {
        // A step after a page was opened.
        (Some(CloseBrace), Slash | DoubleSlash) => Some(indent + INDENT),
        (Some(CloseParen | KleeneStar | KleenePlus), Slash | DoubleSlash) if after_page(items, at) => {
            Some(indent + INDENT)
        }
        (Some(CloseBracket), Slash | DoubleSlash) if previous_group(items, at).is_some_and(Item::has_marker) => {
            Some(indent + INDENT)
        }
        (_, OpenBracket) if item.has_marker() && before.kind != Some(OpenBracket) => Some(line.max(indent) + INDENT),
        _ => None,
    };
    // Predicates of one step are below each other.
    let natural = match (natural, before.kind, first.kind) {
        (Some(_), Some(CloseBracket), OpenBracket) if items[at - 1].has_marker() => Some(line),
        (natural, ..) => natural,
    };
    if first.comment.is_some() {
        return (first.lines > 0).then_some(line);
    }
    match (before.is_comment, previous.comment) {
        (true, Some(true)) => Some(natural.unwrap_or(line)),
        (true, _) => None,
        _ => natural,
    }
}

/// The group right before an item, but for comments.
fn previous_group<'i, 's>(items: &'i [Item<'s>], at: usize) -> Option<&'i Item<'s>> {
    items[..at].iter().rev().find(|item| item.first().comment.is_none())
}

/// The operator that binds least among those that lines are divided at.
fn loosest(items: &[Item<'_>], range: Range<usize>) -> Option<TokenKind> {
    use TokenKind::{And, FirstOf, Or, Union};
    let inner = items.get(range.start + 1..range.end).unwrap_or_default();
    let has = |kind: &TokenKind| inner.iter().any(|item| item.first().kind == *kind);
    [Or, And, FirstOf, Union].into_iter().find(has)
}

/// Does a path go on at a page that `doc` or a repetition that acts has opened?
fn after_page(items: &[Item<'_>], at: usize) -> bool {
    fn acts(items: &[Item<'_>]) -> bool {
        items.iter().any(|item| match item {
            Item::Piece(_) => false,
            Item::Group { is, inside, .. } => *is == Bracket::Action || acts(inside),
        })
    }
    let before = items[..at].iter().rev().filter(|item| item.first().comment.is_none());
    let mut before = before.skip_while(|item| {
        let kind = item.last_kind();
        kind == TokenKind::KleeneStar || kind == TokenKind::KleenePlus
    });
    match (before.next(), before.next()) {
        (Some(Item::Group { .. }), Some(Item::Piece(name))) if name.text == "doc" => true,
        // A function in place of a step is a part, which hardly stays on the page.
        (Some(Item::Group { .. }), Some(Item::Piece(name))) if name.kind == TokenKind::FunctionName => {
            matches!(before.next(), Some(Item::Piece(slash)) if slash.kind == TokenKind::Slash)
        }
        (Some(Item::Group { inside, .. }), _) => acts(inside),
        _ => false,
    }
}

/// The columns of items on one line, counted up to a little more than `most`.
fn width(items: &[Item<'_>], range: Range<usize>, is: Bracket, most: usize) -> usize {
    let mut all = 0;
    for at in range.clone() {
        all += usize::from(at > range.start && space(items, at, is));
        all += match &items[at] {
            Item::Piece(piece) => piece.text.chars().take(most).count(),
            Item::Group {
                open,
                inside,
                close,
                is,
                ..
            } => open.text.len() + width(inside, 0..inside.len(), *is, most) + close.text.len(),
        };
        if all > most {
            break;
        }
    }
    all
}

#[cfg(test)]
mod tests;
