//! The programs and files of others that tests and `xtask` use, each with the Debian package that
//! brings it.
//!
//! [`list`] is the only place where they are named: [`Program`], [`File`] and [`PythonModule`] have
//! a variant for each, and whatever starts a compiler or looks for a library asks a variant. So one
//! that the list lacks does not compile, and `cargo xtask test` installs all that the list has. A
//! test of `xtask` reads the sources for commands and paths that go around the list.

pub mod list;
mod presence;
pub mod skipped;

pub use list::{File, Program, PythonModule};
pub use presence::Prerequisite;
