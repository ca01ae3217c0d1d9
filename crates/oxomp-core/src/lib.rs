//! The OpenMP runtime: threads, teams, barriers, worksharing, locks and the events of OMPT.
//!
//! Exports no symbol: `oxomp-abi` turns the calls of compilers and of the OpenMP API into calls of
//! this crate. Files are named by the noun of the specification that they implement.
//!
//! How a parallel region runs (`parallel`): the encountering task's `team` is made ready, with
//! threads from the `pool` if it has too few; each worker is released from its `dock` with an order
//! that fits one cache line; every thread executes the outlined function in its `implicit_task`;
//! the `barrier` ends the region, and the workers are at their docks again.
//!
//! How an explicit task runs (`task`): it is queued in the deque of the thread that makes it, waits for
//! tasks that it depends on, or runs at once; threads that wait (taskwait, taskgroup, barrier) take the
//! youngest of their own or steal the oldest of others.
//!
//! Layers, lowest first: `arch os diag memory` → `icv places settings ompt::event` → `thread team
//! pool native` and the constructs, `barrier task worksharing mutex` and the like → `parallel` →
//! `ompt::tool runtime fork`; `cargo xtask layering` has them all, and the exceptions. Below all of
//! them is the crate `oxomp-protocol`: how threads meet.
//!
//! `unsafe` is denied but for the modules that say here what they need it for.

#![deny(unsafe_code)]

pub mod affinity_format;
#[expect(unsafe_code, reason = "assembly")]
pub mod arch;
#[expect(unsafe_code, reason = "where threads meet")]
pub mod barrier;
#[expect(unsafe_code, reason = "blocks that are never freed change hands")]
pub mod block;
#[expect(unsafe_code, reason = "compilers' descriptions of places")]
mod consistency;
pub mod copyprivate;
pub mod defaults;
#[expect(unsafe_code, reason = "the loader's names")]
pub mod devices;
#[expect(unsafe_code, reason = "compilers' descriptions of places, the loader's names")]
pub mod diag;
pub mod error_directive;
pub mod icv;
#[expect(unsafe_code, reason = "the allocator")]
mod memory;
#[expect(unsafe_code, reason = "where threads meet")]
pub mod mutex;
#[expect(unsafe_code, reason = "functions of the program are called")]
pub mod ompd;
#[expect(unsafe_code, reason = "tools are called, and call")]
pub mod ompt;
#[expect(unsafe_code, reason = "system calls")]
pub mod os;
#[expect(unsafe_code, reason = "outlined functions are called")]
pub mod parallel;
pub mod places;
#[expect(unsafe_code, reason = "a thread's first words are handed over")]
mod pool;
#[expect(unsafe_code, reason = "the C library calls back")]
pub mod process;
#[expect(unsafe_code, reason = "the detector is called")]
mod race_detector;
#[expect(unsafe_code, reason = "where threads meet")]
pub mod reduction;
pub mod settings;
#[expect(unsafe_code, reason = "where threads meet")]
pub mod task;
#[expect(unsafe_code, reason = "the user's objects")]
pub mod threadprivate;
pub mod version;
#[expect(unsafe_code, reason = "a word leads to what is never freed")]
pub mod word;
#[expect(unsafe_code, reason = "where threads meet")]
pub mod worksharing;

pub use arch::CallSite;
pub use block::{ImplicitTask, Modifiers, Strict, Team, Thread, threads_known};
