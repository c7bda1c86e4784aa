//! XPath 1.0 and OXPath over pages.
//!
//! A [`Query`] asks one page: an expression in, a value out. A [`run::Script`] also opens pages, acts on them and extracts
//! records. Both share one grammar and one engine:
//!
//! ```text
//! source ──syntax──▶ Expr ──check──▶ diagnostics
//!                      └───normal──▶ Expr ──plan──▶ Plan ──eval (with a page)──▶ Value
//!                                      └────run (with a driver)──▶ records
//! ```
//!
//! Each arrow is one function between two types, and each type prints. Nothing here does I/O: a driver does.
//!
//! ```
//! use oxpath::{Query, Value};
//!
//! let page = page::Page::parse(b"<h1>Kelp</h1><p class=price>12.50", &Default::default()).unwrap();
//! let query = Query::compile("number(//p.price)")?;
//! assert_eq!(query.evaluate(&page), Ok(Value::Number(12.5)));
//! # Ok::<(), oxpath::CompileError>(())
//! ```
//!
//! Differences from the recommendation, because pages are HTML: names match without regard to case; a dot ends the name
//! of an element and begins a class, as in CSS; no node is in a namespace, and a name test with a prefix matches the name
//! as it is written; `lang()` looks at `lang` as well as at `xml:lang`; `id()` looks at `id`; the content of a `template`
//! is below it; there are no processing instructions and no namespace nodes.

pub mod address;
pub mod check;
pub mod css;
pub mod diag;
mod error;
mod eval;
pub mod functions;
mod normal;
#[cfg(test)]
mod oracle;
mod plan;
mod query;
pub mod run;
pub mod syntax;
mod value;

pub use error::CompileError;
pub use eval::{EvalError, MAX_TEXT};
pub use normal::normalize;
pub use query::Query;
pub use value::{Value, number_to_string};
