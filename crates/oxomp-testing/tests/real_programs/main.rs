//! Programs that others wrote, on the runtime that they came with and on oxomp: their answers are
//! equal, and no other runtime serves a call. The tests in `applications` are ignored unless asked
//! for: `cargo xtask applications` installs and runs them.
//!
//! Needs `OXOMP_LIB` (or `dist/lib`) and `OXOMP_BIN`, as `cargo xtask test` sets them, a network
//! when the Python packages are not there yet, and some Debian packages. A test whose package is
//! missing prints `skipped: …` and checks nothing; where the variable `CI` is set it fails.

mod answers;
mod applications;
mod bindings;
mod native;
mod offload;
mod place;
mod python;
mod sequences;
mod session;
mod tools;
