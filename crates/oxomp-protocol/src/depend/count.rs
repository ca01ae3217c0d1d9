//! A count of members, of whom the last to leave knows that it is the last. README.md beside this
//! file, Alone in a count.

use core::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed};

use crate::shim::AtomicU32;

/// The members of a generation, or the references to one.
///
/// Invariant: who lets another join is a member itself. So nobody joins once the last leaves.
#[derive(Debug)]
pub struct Count(AtomicU32);

impl Count {
    pub fn new(members: u32) -> Self {
        Count(AtomicU32::new(members))
    }

    /// One member more. By a member.
    pub fn join(&self) {
        // Relaxed: the count is not zero, and who joins is known by what it joins for.
        self.0.fetch_add(1, Relaxed);
    }

    /// A member leaves: whether it was the last, which sees what all others did before they left.
    #[must_use]
    pub fn leave(&self) -> bool {
        // A count of one is the caller's: it need not be counted down.
        // Acquire, AcqRel: the last comes after all others.
        self.0.load(Acquire) == 1 || self.0.fetch_sub(1, AcqRel) == 1
    }

    /// Whether there is one member only, which is the caller and sees what the others did.
    pub fn is_one(&self) -> bool {
        // Acquire: pairs with the leaving of the others.
        self.0.load(Acquire) == 1
    }
}
