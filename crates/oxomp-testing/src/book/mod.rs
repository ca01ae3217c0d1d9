//! The pages of the book as tests: their commands are executed, and their outputs compared.
//!
//! `docs/README.md` of the workspace describes the kinds of blocks to authors.

mod block;
mod console;
mod likeness;
mod session;

pub use block::{Block, Kind, blocks};
pub use console::{Command, commands};
pub use session::Page;
