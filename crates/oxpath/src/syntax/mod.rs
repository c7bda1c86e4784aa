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
//! Two limits keep every later pass safe from hostile input: a source has at most [`MAX_SOURCE`] bytes, and a tree is
//! at most [`MAX_DEPTH`] expressions high.

pub mod ast;
mod lexer;
mod parser;
mod print;

pub use parser::parse;

/// How deeply expressions may nest.
///
/// Both the recursion of the parser and the height of the tree it gives are bounded by this, so every pass over a tree
/// may recurse: of a two-megabyte stack it has ten kilobytes for each level, twice what the hungriest pass, the parser,
/// takes in an unoptimised build. What stands right of an operator is one level deeper, so `1 + (1 + (…` is two levels
/// with each parenthesis. A chain of a left-associative operator such as `1 + 1 + 1` is one level higher with each
/// operand; chains of `or`, `and`, `|` and `/` are lists and may be of any length.
pub const MAX_DEPTH: usize = 200;

/// How many bytes an expression may have.
pub const MAX_SOURCE: usize = 1 << 20;

/// How many mistakes are reported at most; whoever made that many wants to see the first ones.
pub const MAX_DIAGNOSTICS: usize = 20;
