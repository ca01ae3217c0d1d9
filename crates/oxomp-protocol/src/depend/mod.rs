//! Tasks that wait for the completion of others, without a thread that waits. Steps and argument:
//! README.md beside this file.

mod count;
mod exclusion;
mod generation;
mod wait;

pub use count::Count;
pub use exclusion::Exclusion;
pub use generation::{Generation, Waits};
pub use wait::Wait;
