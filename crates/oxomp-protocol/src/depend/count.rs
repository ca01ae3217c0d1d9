//! A count of members: the last member to leave knows that it is the last. README.md beside this
//! file, Alone in a count.

use core::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed};

use crate::shim::AtomicU32;

/// The members of a generation, or the references to one.
///
/// Invariant: only a member lets another one join. So no member joins once the last member has
/// left.
#[derive(Debug)]
pub struct Count(AtomicU32);

impl Count {
    /// A count of `members`.
    pub fn new(members: u32) -> Self {
        Count(AtomicU32::new(members))
    }

    /// Counts `members` of something new, in memory whose last count is over, and which no other
    /// thread uses.
    #[inline]
    pub fn restart(&self, members: u32) {
        // Relaxed: another thread learns of the count from a member.
        self.0.store(members, Relaxed);
    }

    /// Adds a member. Only a member may call this.
    #[inline]
    pub fn join(&self) {
        // Relaxed: the count is not zero, and the new member learns of what it joins from a member.
        self.0.fetch_add(1, Relaxed);
    }

    /// A member leaves. Returns whether it was the last, which then sees the writes of all others
    /// before they left.
    #[inline]
    #[must_use]
    pub fn leave(&self) -> bool {
        // A count of one is the caller's own, which need not decrement it. Acquire, AcqRel: the
        // last member sees the writes of all others.
        self.0.load(Acquire) == 1 || self.0.fetch_sub(1, AcqRel) == 1
    }

    /// Whether the caller is the only member left, which then sees the writes of the others.
    #[inline]
    pub fn is_one(&self) -> bool {
        // Acquire: pairs with the leaving of the others.
        self.0.load(Acquire) == 1
    }
}
