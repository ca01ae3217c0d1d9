//! Tasks that wait for the completion of others without blocking a thread. Steps and argument:
//! README.md beside this file.

mod count;
mod exclusion;
mod generation;
mod turns;
mod wait;
mod wait_count;

pub use count::Count;
pub use exclusion::Exclusion;
pub use generation::{Generation, Waits};
pub use turns::{TakesTurns, pass_turn, take_turns};
pub use wait::Wait;
pub use wait_count::WaitCount;
