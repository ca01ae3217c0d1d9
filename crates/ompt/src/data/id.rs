//! Identities of objects that another thread may be ending.

use core::fmt;
use core::num::NonZeroU64;

/// Identifies a region or a task for as long as it lives: the same value in all events about it.
///
/// The value is used again once the object has ended. An object whose data the tool does not have
/// has no identity.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObjectId(NonZeroU64);

impl ObjectId {
    /// The identity of the object with this word; `None` for 0.
    pub(crate) fn of_word(word: u64) -> Option<Self> {
        NonZeroU64::new(word).map(Self)
    }

    /// The identity as a number, which is never 0.
    pub const fn get(self) -> u64 {
        self.0.get()
    }
}

impl fmt::Debug for ObjectId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#x}", self.0)
    }
}
