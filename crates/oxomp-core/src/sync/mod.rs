//! Words on which threads meet. Atomics come from here, so that the models can replace them.

mod release_word;
mod wait;

#[cfg(not(loom))]
pub(crate) use core::sync::atomic::{AtomicPtr, AtomicU32, AtomicU64, fence};
#[cfg(loom)]
pub(crate) use loom::sync::atomic::{AtomicPtr, AtomicU32, AtomicU64, fence};

pub(crate) use release_word::{Generation, ReleaseWord};
pub(crate) use wait::{Patience, look_until, pause, sleep_on, wake, yield_now};
#[cfg(not(loom))]
pub(crate) use wait::{blocktime, set_blocktime};
