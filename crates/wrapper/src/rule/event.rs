//! What a rule that reads the tree finds on a page, in document order.

use page::NodeId;

/// A step of what a rule finds. Lists are told by the part of the rule that they belong to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// A value of a field.
    Value {
        /// The field.
        field: u32,
        /// The text or attribute node that it is from.
        node: NodeId,
        /// The value.
        text: String,
    },
    /// An item of the list at this part begins.
    Open(u32),
    /// The item ends.
    Close,
}
