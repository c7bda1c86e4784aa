//! The studio: a web page on this machine on which somebody sees a site's records, corrects them by pointing, and keeps them
//! right.
//!
//! ```text
//! browser ──HTTP on loopback──▶ guard ──▶ serve ──▶ project (snapshots, undo, drafts) ──▶ wrapwright
//!    ▲                                      │
//!    └── assets: one page, its style and modules; a stranger's page in a frame that can do nothing
//! ```
//!
//! Every action is a call of the library that other doors have too, and every result is a plain file: the studio keeps nothing
//! of its own but drafts. [`start`] serves it; whoever calls it opens [`Running::url`] in a browser.
//!
//! - `guard` says who may ask; see there for what it protects from.
//! - `serve` is HTTP, `assets` the files of the page, `api` what both sides say.
//! - `open` turns names into pages and a first wrapper, `edit` does what the page asks for, `project` holds the state, which
//!   `state` describes.
//! - `going` runs the wrapper over its site and tells how far it is, `health` is the wrapper over time, `mend` a repair that
//!   somebody looks at, `rule` the paths as people read and write them.
//! - `ahead` says a rule as paths before somebody needs it.
//! - `load` fetches pictures and styles of a page, if somebody ticked that.
//! - `view` lays records out as one table with places, `files` keeps names inside the project directory.
//!
//! A page of a stranger is shown as [`wrapwright::show::frozen`] gives it, in a frame without scripts, with a policy that
//! allows no request. *Never*: runs a command, fetches what a page of a stranger asks for unless
//! the user ticked it, listens on other than loopback.

mod ahead;
mod api;
mod assets;
mod body;
mod edit;
mod files;
mod going;
mod guard;
mod health;
mod load;
mod mend;
mod open;
mod project;
mod rule;
mod serve;
mod state;
mod view;

pub use project::{Arguments, Begin, Opening, RunNames, Sessions};
pub use serve::{Running, start};
