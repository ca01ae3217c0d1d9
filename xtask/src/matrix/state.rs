//! How much of a symbol there is.

/// How much of a symbol the runtime has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum State {
    /// At every version node of the symbol.
    Implemented,
    /// At some of its version nodes.
    Partial,
    /// Not at all.
    Absent,
}
