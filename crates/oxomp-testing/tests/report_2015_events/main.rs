//! Every event of chapter 3 of the 2015 report, with its arguments, its order and its context.
//!
//! `recorder.c` is a tool of the 2015 report that records all events. Each program beside it lists
//! the events of its threads, in the language of `trace::language` (`pieces.trace` has the pieces
//! that all of them use); moreover its log must keep the rules of `trace::report_2015`, which hold
//! for any program. `blame_*.c` are tools that charge waits to the code or the threads that cause
//! them, in programs whose answers are known.
//!
//! Needs `OXOMP_LIB`, the folder of the runtime under test, as `cargo xtask test` sets it.

mod blame;
mod counts;
mod derive;
mod functions;
mod mistakes;
mod program;
mod random;
mod rules;

use std::process::ExitCode;

use libtest_mimic::Trial;
use oxomp_testing::trial::run_all;

fn main() -> ExitCode {
    run_all(|_| trials())
}

fn trials() -> Result<Vec<Trial>, String> {
    let mut trials = program::trials()?;
    trials.extend(mistakes::trials());
    trials.extend(blame::trials());
    trials.extend(random::trials());
    Ok(trials)
}
