//! What a caller shows by a value that it holds: that it owns what it changes, or that no other
//! thread is there. README.md of the crate, Owners and tokens, lists them.

mod alone;
mod owner;
mod sole;
mod this_thread;

pub use alone::Alone;
pub use owner::Owner;
pub use sole::Sole;
pub use this_thread::ThisThread;
