//! A process on oxomp as a debugger reads it: its threads, regions and tasks.
//!
//! The process is read through [`Source`], which may be a debugger's callbacks, a stopped process
//! or a core file, and through the table of `oxomp-ompd-layout`, which the runtime exports; the
//! crate shares no other knowledge with the runtime. Nothing that it reads is trusted: every walk
//! is bounded, and every failure is a code of OMPD (OpenMP 6.0 §39).

#![forbid(unsafe_code)]

mod address_space;
mod implicit_task;
mod parallel;
mod state;
mod task;
mod thread;
mod wait;

use oxomp_sys::ompd::ompd_rc_t;

pub use address_space::{AddressSpace, Source};
pub use parallel::Parallel;
pub use task::{Frame, Task};
pub use thread::{Thread, blocks};
pub use wait::{
    Barrier, FrameBits, Member, Mutex, Owner, Progress, TaskInFlight, TasksInFlight, Wait,
};

/// The result of a question, or the code of OMPD that says why there is none.
pub type Answer<T> = Result<T, ompd_rc_t>;

/// The most steps of a walk from object to object: deeper nests of regions and tasks are taken for
/// corrupted memory.
const LONGEST_WALK: usize = 1 << 10;
