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
#[expect(unsafe_code, reason = "compilers' descriptions of places")]
pub mod consistency;
mod contention_group;
pub mod copyprivate;
pub mod defaults;
#[expect(unsafe_code, reason = "the loader's names")]
pub mod devices;
#[expect(unsafe_code, reason = "compilers' descriptions of places, the loader's names")]
pub mod diag;
pub mod error_directive;
#[expect(unsafe_code, reason = "the C library calls back")]
mod fork;
pub mod icv;
#[expect(unsafe_code, reason = "blocks that are never freed")]
mod implicit_task;
#[expect(unsafe_code, reason = "the allocator")]
mod memory;
#[expect(unsafe_code, reason = "where threads meet")]
pub mod mutex;
#[expect(unsafe_code, reason = "a right is kept in a word of the C library's")]
mod native;
#[expect(unsafe_code, reason = "compilers' strings")]
pub mod num_threads_clause;
#[expect(unsafe_code, reason = "blocks that are never freed")]
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
#[expect(unsafe_code, reason = "the detector is called")]
mod race_detector;
#[expect(unsafe_code, reason = "where threads meet")]
pub mod reduction;
#[expect(unsafe_code, reason = "the C library calls back")]
pub mod runtime;
pub mod settings;
#[expect(unsafe_code, reason = "where threads meet")]
pub mod task;
#[expect(unsafe_code, reason = "blocks that are never freed")]
mod team;
#[expect(unsafe_code, reason = "blocks that are never freed")]
mod thread;
#[expect(unsafe_code, reason = "the user's objects")]
pub mod threadprivate;
pub mod version;
#[expect(unsafe_code, reason = "where threads meet")]
pub mod worksharing;

pub use arch::CallSite;
pub use implicit_task::ImplicitTask;
pub use pool::threads_known;
pub use team::Team;
pub use thread::Thread;
