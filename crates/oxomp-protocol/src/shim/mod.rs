//! Atomics, pause, yield, fences and futex: the machine's, or, in the models, loom's.
//!
//! The protocols synchronize by nothing else, and no other file distinguishes the two. A model
//! differs from the runtime in this, and in sizes (`IS_MODEL`): with groups of two and deques of
//! two, few threads reach every step.

#[cfg(not(all(test, feature = "model")))]
mod futex;
#[cfg(not(all(test, feature = "model")))]
#[macro_use]
mod machine;
#[cfg(all(test, feature = "model"))]
#[macro_use]
mod model;

#[cfg(not(all(test, feature = "model")))]
pub(crate) use machine::{
    AtomicPtr, AtomicU8, AtomicU32, AtomicU64, Deadline, Entry, LOCK_ENTRIES, fence, fence_lightly,
    fence_of_all_threads, free, lock_entry, nap_on, sleep_on, wake, zeroed,
};
#[cfg(not(all(test, feature = "model")))]
pub use machine::{pause, yield_now};
#[cfg(all(test, feature = "model"))]
pub(crate) use model::{
    AtomicPtr, AtomicU8, AtomicU32, AtomicU64, Deadline, Entry, LOCK_ENTRIES, fence, fence_lightly,
    fence_of_all_threads, free, lock_entry, nap_on, sleep_on, wake, zeroed,
};
#[cfg(all(test, feature = "model"))]
pub use model::{pause, yield_now};

/// Whether this is the build of the models.
pub(crate) const IS_MODEL: bool = cfg!(all(test, feature = "model"));
