//! A count of members: the last member to leave knows that it is the last. README.md beside this
//! file, Alone in a count.

use core::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed};

use crate::shim::AtomicU32;

/// The members of a generation, or the references to one.
///
/// Invariant: only a member lets another join. So nobody joins once the last member leaves.
#[derive(Debug)]
pub struct Count(AtomicU32);

impl Count {
    /// A count of so many members.
    pub fn new(members: u32) -> Self {
        Count(AtomicU32::new(members))
    }

    /// Adds a member. By a member.
    #[inline]
    pub fn join(&self) {
        // Relaxed: the count is not zero, and the new member gets to know what it joins by a
        // member.
        self.0.fetch_add(1, Relaxed);
    }

    /// A member leaves: whether it was the last, which sees what all others did before they left.
    #[inline]
    #[must_use]
    pub fn leave(&self) -> bool {
        // A count of one is the caller's, which need not count it down.
        // Acquire, AcqRel: the last comes after all others.
        self.0.load(Acquire) == 1 || self.0.fetch_sub(1, AcqRel) == 1
    }

    /// Whether the caller is the only member left, which then sees what the others did.
    #[inline]
    pub fn is_one(&self) -> bool {
        // Acquire: pairs with the leaving of the others.
        self.0.load(Acquire) == 1
    }
}
