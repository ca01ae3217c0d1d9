//! Reference counts of a mapping: one for map clauses, one for map clauses with `ompx_hold`.

use core::fmt;

/// Which of the two counts a construct changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum CountKind {
    /// The count of the specification.
    Dynamic,
    /// The count of `ompx_hold`.
    Hold,
}

/// A reference count; infinite for a variable that stays as long as its library, and for memory
/// that is associated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Count {
    /// A number of references.
    Finite(u64),
    /// References that no construct releases.
    Infinite,
}

impl Count {
    /// No reference.
    pub const ZERO: Self = Self::Finite(0);

    /// Whether the count has no reference.
    #[must_use]
    pub fn is_zero(self) -> bool {
        self == Self::ZERO
    }

    pub(super) fn increment(&mut self) {
        if let Self::Finite(count) = self {
            *count += 1;
        }
    }

    pub(super) fn decrement(&mut self) {
        if let Self::Finite(count) = self {
            *count = count.saturating_sub(1);
        }
    }

    pub(super) fn reset(&mut self) {
        if *self != Self::Infinite {
            *self = Self::ZERO;
        }
    }
}

impl fmt::Display for Count {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Finite(count) => write!(formatter, "{count}"),
            Self::Infinite => formatter.write_str("INF"),
        }
    }
}
