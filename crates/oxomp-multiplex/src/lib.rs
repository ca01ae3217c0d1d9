//! `liboxomp_multiplex.so`: the OMPT tool that runs several tools beside each other.
//!
//! An OpenMP runtime runs one tool. This one hands each event on to the tools of a list, gives each
//! of them entry points of its own, and keeps data words for each: a tool sees what it would see
//! alone. It works on any runtime that has OMPT. Tools of the 2015 report run beside each other in
//! the same way, on a runtime that has that interface. The README beside this crate has the use,
//! the rules for what tools share, and the protocol of the data words with its invariants.
//!
//! Environment: `OXOMP_MULTIPLEX_TOOLS`, `OMP_TOOL_VERBOSE_INIT`.

mod answers;
mod arena;
mod end;
mod entry;
mod fork;
mod forward;
mod list;
mod load;
mod log;
mod registration;
mod report_2015;
mod running;
mod runtime;
mod shard;
mod start;
mod tools;
mod words;
