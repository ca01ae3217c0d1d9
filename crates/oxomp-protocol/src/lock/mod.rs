//! Mutual exclusion by one word. Steps and argument: README.md beside this file.

mod condition;
mod guarded;
mod owner_word;
pub(crate) mod sleepers;
mod spin;

pub use condition::{Condition, Moment};
pub use guarded::Guarded;
pub use owner_word::{DESTROYED, OwnerWord};
pub use sleepers::forget_sleepers;
