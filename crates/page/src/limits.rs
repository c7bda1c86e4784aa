//! Limits on the size of a page, and the error for a page beyond one of them.

use crate::remedy::{Limit, Remedy};
use std::fmt;

/// Limits on the size of a page. A page beyond one of them is refused with an error that names the limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of source, before and after decoding. Values above 1 GiB count as 1 GiB.
    pub bytes: usize,
    /// Nodes of the tree, attributes included.
    pub nodes: usize,
    /// Elements open at the same time. Real pages stay below 500; browsers stop at 512.
    pub depth: usize,
}

/// Text ranges are 31 bits wide; half of that leaves room for what decoding adds.
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

/// A page is beyond one of its [`Limits`]; the number is the limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
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

impl LimitError {
    /// What to do about it: raise the limit.
    pub fn remedy(&self) -> Remedy {
        Remedy::RaiseLimit(match self {
            LimitError::Bytes(_) => Limit::Bytes,
            LimitError::Nodes(_) => Limit::Nodes,
            LimitError::Depth(_) => Limit::Depth,
        })
    }
}
