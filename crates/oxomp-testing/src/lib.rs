//! The runner of the test programs: a test is a C or C++ file whose comments say how it is run.
//!
//! `tests/README.md` of the workspace holds the list of directives. One trial is one file with one
//! compiler in one configuration; it compiles the program, runs it on the runtime under test,
//! makes sure that no other runtime served it, and compares what it printed, how it ended and, with
//! a `Trace` directive, every OMPT event it caused.

pub mod attempts;
pub mod bench;
pub mod book;
pub mod case;
pub mod compiler;
pub mod diff;
pub mod directives;
pub mod file;
pub mod fuzz;
pub mod jitter;
pub mod needs;
pub mod offload;
pub mod plant;
pub mod process;
pub mod reference;
pub mod runtime;
pub mod settings;
pub mod trace;
pub mod trial;
pub mod turn;
