//! Mutual exclusion by one word. Steps and argument: README.md beside this file.

mod condition;
mod guarded;
mod owner_word;
mod sleepers;
mod spin;

pub use condition::{Condition, Moment};
pub use guarded::Guarded;
pub use owner_word::{DESTROYED, OwnerWord};
#[cfg(all(test, feature = "model"))]
pub(crate) use sleepers::Sleeper;
pub use sleepers::forget_sleepers;
