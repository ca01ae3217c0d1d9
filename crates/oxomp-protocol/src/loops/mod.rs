//! How threads share the chunks of a loop: loops in flight, ranges to steal from, turns. Steps and
//! argument: README.md beside this file.

mod ring;
mod steal;
mod turn;

pub use ring::{Cleaned, LoopRing, LoopSlot};
pub use steal::{MOST_CHUNKS, StealRange};
pub use turn::OrderedState;
