//! The programs and files of others that tests and `xtask` use, each with the Debian package that
//! brings it.
//!
//! Only [`list`] names them: [`Program`], [`Application`], [`Foreign`], [`Packaging`], [`File`] and
//! [`PythonModule`] have a variant for each, and every test that starts a compiler or looks for a
//! library uses a variant. So a test that uses a program without an entry does not compile, and
//! `cargo xtask test` installs every entry, except for applications and what makes packages, which
//! have commands of their own, and what is for another processor than the machine's. A test of
//! `xtask` reads the sources for commands and paths that go around the list.

pub mod list;
mod presence;
pub mod skipped;

pub use list::{Application, File, Foreign, HOST_DEVICE, Packaging, Program, PythonModule};
pub use presence::Prerequisite;
