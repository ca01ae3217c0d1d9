//! Tasks that wait for the completion of others without blocking a thread. Steps and argument:
//! README.md beside this file.

mod count;
mod exclusion;
mod generation;
mod wait;

pub use count::Count;
pub use exclusion::Exclusion;
pub use generation::{Generation, Waits};
pub use wait::Wait;
