//! Records and their types: what wrappers give, and the forms in which it is written.
//!
//! A [`Record`] is a tree of named values. A [`RecordType`] says, before the first record, which fields there are, of which
//! sort and how many of each. Nothing here opens files.

mod record;
mod types;

pub use record::Record;
pub use types::{Cardinality, Content, Field, RecordType, Sort, VALUE, ValueType};
