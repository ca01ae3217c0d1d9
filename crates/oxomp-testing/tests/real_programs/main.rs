//! Programs that others wrote, on the runtime they came with and on ours: the same answers, and
//! nothing of them served by another runtime.
//!
//! Needs `OXOMP_LIB` (or `dist/lib`) and `OXOMP_BIN`, as `cargo xtask test` sets them, a network
//! when the Python packages are not there yet, and some Debian packages. What needs one that is not
//! to be had says `skipped: …` and checks nothing; where the variable `CI` is set it fails.

mod answers;
mod bindings;
mod native;
mod offload;
mod place;
mod python;
mod session;
