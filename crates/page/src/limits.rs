//! What a page may cost, and the error that says it would cost more.

use std::fmt;

/// Limits on the size of a page; a page beyond one of them is refused with an error that names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of source, before and after decoding. At most 1 GiB whatever is asked for.
    pub bytes: usize,
    /// Nodes of the tree, attributes among them.
    pub nodes: usize,
    /// Elements open at once. Real pages stay below 500; browsers stop at 512.
    pub depth: usize,
}

/// Ranges of text are 31 bits wide; half of that leaves room for what decoding adds.
pub(crate) const MOST_BYTES: usize = 1 << 30;

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            bytes: 128 << 20,
            nodes: 16_000_000,
            depth: 4096,
        }
    }
}

/// A page went over one of its [`Limits`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LimitError {
    /// More bytes than [`Limits::bytes`].
    Bytes(usize),
    /// More nodes than [`Limits::nodes`].
    Nodes(usize),
    /// Deeper than [`Limits::depth`].
    Depth(usize),
}

impl fmt::Display for LimitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LimitError::Bytes(limit) => write!(f, "the page is larger than the limit of {limit} bytes"),
            LimitError::Nodes(limit) => write!(f, "the page has more nodes than the limit of {limit}"),
            LimitError::Depth(limit) => write!(f, "the page nests deeper than the limit of {limit} open elements"),
        }
    }
}

impl std::error::Error for LimitError {}
