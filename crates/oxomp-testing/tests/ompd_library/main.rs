//! libompd.so as a debugger uses it: a small debugger loads it, and asks it about programs of both
//! compilers that stand still, and about a core file (OpenMP 6.0 chapters 38 to 41).
//!
//! The programs print what they know of themselves. Needs `OXOMP_LIB`, the folder of the runtime
//! under test with libompd.so, as `cargo xtask test` sets it.

mod api;
mod attached;
mod core_file;
#[path = "../ompd_layout/debuggee.rs"]
#[allow(dead_code, reason = "the other test reads the process by the layout alone")]
mod debuggee;
mod debugger;
mod ended;
mod facts;
mod foreign;
mod functions;
mod leagues;
mod target;
mod targets;
mod tasks;
mod variables;
mod waits;

use oxomp_testing::compiler::Family;

const FAMILIES: [Family; 2] = [Family::Gcc, Family::Clang];
