//! A frame on a path of named code.

/// A frame's identity in the tree.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Frame {
    pub(super) function: String,
    pub(super) line: Option<(String, u32)>,
    pub(super) module: Option<String>,
    pub(super) region: bool,
    pub(super) library: bool,
    pub(super) python: bool,
}
