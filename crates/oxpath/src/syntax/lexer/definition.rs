//! The words that begin definitions and imports.

use super::{Lexer, TokenKind, WORDS, name_len, trivia};

/// The words that begin a definition and an import.
pub(in super::super) const DEFINITIONS: [&str; 2] = ["let", "import"];

impl Lexer<'_> {
    /// Reads the word that begins a definition or an import; false if there is none here.
    ///
    /// They come before the expression. There `let` is also the name of an element; it begins a definition if a name
    /// and `=` or `(` follow, which no expression can do, because operators are no names of parts. `:=` is a slip of those who
    /// come from XQuery, and is reported as that.
    pub(super) fn definition(&mut self) -> bool {
        if self
            .tokens
            .last()
            .is_some_and(|token| token.kind != TokenKind::Semicolon)
        {
            return false;
        }
        let [define, import] = DEFINITIONS;
        let rest = self.rest();
        let after = |word: &str| {
            let after = rest.strip_prefix(word)?;
            let length = trivia(after).0;
            (length > 0).then(|| &after[length..])
        };
        let path = rest.strip_prefix(import).map(|rest| &rest[trivia(rest).0..]);
        if path.is_some_and(|path| path.starts_with(['"', '\''])) {
            self.push(TokenKind::Import, import.len());
            return true;
        }
        let Some(rest) = after(define) else { return false };
        let name = name_len(rest);
        let follows = &rest[name..];
        let follows = &follows[trivia(follows).0..];
        let is_part = name > 0 && !WORDS.iter().any(|(word, _)| *word == &rest[..name]);
        if is_part && (follows.starts_with(['=', '(']) || follows.starts_with(":=")) {
            self.push(TokenKind::Let, define.len());
            return true;
        }
        false
    }
}
