//! The OpenMP runtime: threads, teams, barriers, worksharing, locks and the events of OMPT.
//!
//! This crate exports no symbol: `oxomp-abi` turns the calls of compilers and of the OpenMP API
//! into calls of this crate. Files are named by the noun of the specification that they implement.
//!
//! How a parallel region runs (`parallel`): the encountering thread prepares the team
//! (`block::Team`), with workers from the `pool` if the team has too few threads. It releases each
//! worker from its dock by an order that fits one cache line (`barrier`). Every thread executes the
//! outlined function in its implicit task (`block::ImplicitTask`). The barrier ends the region, and
//! the workers go back to their docks.
//!
//! How a league runs (`parallel::league`): as a region, in which each thread executes initial tasks
//! instead of an implicit one. The team of an initial task has one thread, whose parallel regions
//! have teams as elsewhere.
//!
//! How an explicit task runs (`task`): the generating thread queues the task in its deque, or
//! executes it at once; a task that depends on others is queued when these are complete. Threads
//! that wait (taskwait, taskgroup, barrier) take the youngest task of their own deque, or steal the
//! oldest of another.
//!
//! Floors, lowest first; a file uses its own room and the floors below:
//!
//! | floor | rooms |
//! |---|---|
//! | events | `ompt::event`, `ompd::process`, `race_detector` |
//! | states | the states of constructs that blocks embed: `worksharing::state` and the like |
//! | blocks | `block`, `task::state` |
//! | constructs | `barrier`, `worksharing`, `mutex`, `reduction`, `task` and the like |
//! | pool | `pool` |
//! | parallel | `parallel`, `target` |
//! | tools | `ompt::tool`, `ompd` |
//! | process | `process`: start, stop, roots, fork(2) |
//!
//! `xtask/src/layering/floors/core.rs` has the whole list, and `cargo xtask layering` checks it.
//! Below all floors are three crates: `oxomp-base` has the operating system, messages, internal
//! control variables, places and settings, `oxomp-protocol` the protocols by which threads
//! synchronize, `oxomp-arch` what knows a processor.
//!
//! `unsafe` code is denied, except in the modules that state here why they need it.

#![deny(unsafe_code)]
#![warn(missing_docs)]

pub mod affinity_format;
#[expect(unsafe_code, reason = "memory of programs")]
pub mod allocator;
#[expect(unsafe_code, reason = "synchronization of threads")]
pub mod barrier;
#[expect(unsafe_code, reason = "blocks are never freed, and change their owners")]
pub mod block;
pub mod cancel;
#[expect(unsafe_code, reason = "compilers' source locations")]
mod consistency;
pub mod copyprivate;
pub mod defaults;
#[expect(unsafe_code, reason = "the loader's names")]
pub mod devices;
pub mod error_directive;
pub mod flush;
pub mod masked;
#[expect(unsafe_code, reason = "synchronization of threads")]
pub mod mutex;
pub mod ompd;
#[expect(unsafe_code, reason = "tools are called, and call the runtime")]
pub mod ompt;
#[expect(unsafe_code, reason = "outlined functions are called")]
pub mod parallel;
#[expect(unsafe_code, reason = "arguments of a new thread")]
mod pool;
#[expect(unsafe_code, reason = "the C library calls back")]
pub mod process;
#[expect(unsafe_code, reason = "the detector is called")]
mod race_detector;
#[expect(unsafe_code, reason = "synchronization of threads")]
pub mod reduction;
#[expect(unsafe_code, reason = "outlined functions are called, the user's memory is copied")]
pub mod target;
#[expect(unsafe_code, reason = "synchronization of threads")]
pub mod task;
#[expect(unsafe_code, reason = "the user's objects")]
pub mod threadprivate;
#[expect(unsafe_code, reason = "synchronization of threads")]
pub mod worksharing;

pub use block::{ImplicitTask, Modifiers, Strict, Team, TeamsClauses, Thread, threads_known};
pub use oxomp_arch::CallSite;
pub use oxomp_protocol::chain::Chain;
