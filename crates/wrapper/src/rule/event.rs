//! What a rule that reads the tree finds on a page, in document order.

use page::NodeId;

/// One event of a run. Lists are identified by the part of the rule that they belong to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// A value of a field.
    Value {
        /// The field.
        field: u32,
        /// The text or attribute node that it comes from.
        node: NodeId,
        /// The value.
        text: String,
    },
    /// An item of the list of this part begins.
    Open(u32),
    /// The item ends.
    Close,
}
