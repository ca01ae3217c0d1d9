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
//! Layers, lowest first: `arch os sync diag memory` → `icv places settings ompt::event` → `thread team
//! pool` and what they meet in, `barrier worksharing mutex` and the like → `parallel` →
//! `ompt::tool runtime`. One arrow points up: a native thread that has no block yet gets it from
//! `runtime`.

pub mod affinity_format;
pub mod arch;
pub mod barrier;
pub mod consistency;
mod contention_group;
pub mod copyprivate;
pub mod defaults;
pub mod diag;
pub mod error_directive;
pub mod icv;
mod implicit_task;
mod memory;
pub mod mutex;
pub mod num_threads_clause;
pub mod ompd;
pub mod ompt;
pub mod os;
pub mod parallel;
pub mod places;
mod pool;
pub mod reduction;
pub mod runtime;
pub mod settings;
mod sync;
pub mod task;
mod team;
mod thread;
pub mod threadprivate;
pub mod worksharing;

pub use arch::CallSite;
pub use implicit_task::ImplicitTask;
pub use pool::threads_known;
pub use team::Team;
pub use thread::Thread;
