//! Start and stop of the runtime in its process, and the child of a fork(2).
//!
//! The runtime starts at the first call that needs it, or when the library is loaded if there is a
//! tool. No function here is on a hot path.

mod fork;
mod root;
mod start;
mod stop;

pub use start::{at_load, image_registered, initialize, start_for_tool, start_tool};
pub use stop::{end_workers, pause_tool, shut_down};
