//! gdb on programs that run on oxomp: the sessions of the book with LLVM's OMPD plug-in, the
//! plug-in's other commands, and the stops and symbols that a debugger relies on.
//!
//! Every session runs on libraries that `strip --strip-all` has gone over, which have the symbols
//! of the dynamic table only. Needs `OXOMP_LIB`, the folder of the runtime under test with
//! libompd.so, as `cargo xtask test` sets it.

mod book;
mod commands;
mod core_file;
#[path = "../ompd_layout/debuggee.rs"]
#[allow(dead_code, reason = "the other test reads memory too")]
mod debuggee;
mod loading;
mod session;
mod stops;
mod transcript;
mod workplace;

use oxomp_testing::compiler::Family;

const FAMILIES: [Family; 2] = [Family::Gcc, Family::Clang];
