//! From text to tree and back.
//!
//! ```text
//! source ──lexer──▶ tokens ──parser──▶ Expr ──print──▶ source
//! ```
//!
//! [`parse`] is total: any text gives a tree or diagnostics, never a panic, in time linear in its length. What it
//! accepts is XPath 1.0 with three additions: `(: comments :)`, nested as in XPath 2.0, count as white space;
//! predicates may follow `.` and `..`; and a name with a prefix needs no declaration, because names in HTML may
//! contain a colon and are then matched as they are written.
//!
//! On top of that it accepts OXPath, after the paper (Furche, Gottlob, Grasso, Schallhart, Sellers: OXPath, VLDB
//! Journal 2013, Fig. 6):
//!
//! | | |
//! |---|---|
//! | `doc("https://…")` | the page at an address; begins a path, or continues one |
//! | `{click}`, `{"text"}`, `{click [wait=2] /}` | an action, with options; absolute with a slash at its end |
//! | `(p)*`, `(p)+`, `(p)*{2,5}`, `a/(p)` | repetition, and a group |
//! | `:<book>`, `:<title=string(.)>` | a marker; its value may be any expression, a comparison with `>` in parentheses |
//! | `[? e]` | an optional predicate |
//! | `[$lhs/@id = $rhs/@for]::label` | an intensional axis |
//! | `style::color`, `^color` | the style axis |
//! | `field()`, `any-field()` | node tests for form fields |
//! | `a.title`, `*#main`, `//.title`, `//#main` | selectors of CSS; without a node test, `*` is meant |
//! | `a ?? b` | `a`, or `b` if `a` is missing: an empty node-set, an empty string or NaN |
//! | `let next = //a.next/{click /};`, `next()` | a part that is written once, and its use; see below |
//! | `a ~ b`, `a ~= b`, `a subset b` | contains the text, contains the word, is a subset of |
//!
//! Definitions come before the expression and end with a semicolon. A part counts as an expression in parentheses where it
//! is used. `import "common.oxp";` brings the definitions of another file; whoever reads an expression from a file
//! [`gather`]s these first.
//!
//! It also accepts what wrappers for the original implementation contain: `#=` for `~`, `{nextclick}`,
//! `{clkwithchange}`, `{pressenter}`, `[noback]`, the types of `:<name(type)=v>`, selectors after predicates. `${name}`
//! is not part of the syntax: a program with templates fills them in before it parses.
//!
//! [`crate::check`] decides what is allowed where. One thing differs from XPath 1.0: a dot ends the name of an element,
//! so `a.b` is an element `a` of the class `b`, and `.a` is `*.a`.
//!
//! Two limits keep every later pass safe from hostile input: a source has at most [`MAX_SOURCE`] bytes, and a tree is
//! at most [`MAX_DEPTH`] expressions high.

pub mod ast;
mod bundle;
mod format;
mod lexer;
mod parser;
mod print;
mod shape;
mod words;

pub(crate) use bundle::part_names;
pub use bundle::{GatherError, MOST_FILES, Opened, gather, has_imports, has_parts, in_file};
pub use format::{WIDTH, format};
pub use parser::parse;
pub(crate) use shape::reads_page;
pub use shape::{each_child, each_child_mut, free_variables, is_simple, needs_start_page};
pub use words::{Words, words};

/// The text of a source as one expression, with its parts put in; it prints in canonical form.
///
/// ```
/// let text = "let next = //a.next/{click /}; doc('u')/(next())*//li:<item>";
/// assert_eq!(oxpath::syntax::expand(text)?, "doc(\"u\")/(//a.next/{click /})*//li:<item>");
/// # Ok::<(), oxpath::CompileError>(())
/// ```
///
/// # Errors
///
/// It does not parse.
pub fn expand(source: &str) -> Result<String, crate::CompileError> {
    match parse(source) {
        Ok(expr) => Ok(expr.to_string()),
        Err(found) => Err(crate::CompileError::new(source, found)),
    }
}

/// How deeply expressions may nest.
///
/// This limits both the recursion of the parser and the height of its tree, so every pass over a tree may recurse: with
/// a stack of two megabytes there are ten kilobytes for each level, twice what the most demanding pass, the parser,
/// needs in an unoptimised build. The right operand of an operator is one level deeper, so `1 + (1 + (…` is two levels
/// with each parenthesis. A chain of a left-associative operator such as `1 + 1 + 1` is one level higher with each
/// operand; chains of `or`, `and`, `|` and `/` are lists and may have any length.
pub const MAX_DEPTH: usize = 200;

/// The most bytes that an expression may have.
pub const MAX_SOURCE: usize = 1 << 20;

/// The most mistakes that are reported; if there are more, the first ones are the most helpful.
pub const MAX_DIAGNOSTICS: usize = 20;
