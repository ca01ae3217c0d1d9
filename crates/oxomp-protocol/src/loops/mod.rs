//! How threads share the chunks of a loop: loops in flight, ranges to steal from, turns, posted
//! iterations. Steps and argument: README.md beside this file.

mod posted;
mod ring;
mod steal;
mod table;
mod turn;

pub use posted::{Iteration, Posted, PostedRun, Posting, Shape};
pub use ring::{Cleaned, LoopRing, LoopSlot};
pub use steal::{MOST_CHUNKS, StealRange};
pub use turn::OrderedState;
