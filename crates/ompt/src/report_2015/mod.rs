//! Tools of the 2015 report: the predecessor of OMPT, in safe Rust.
//!
//! The technical report of 2015 defines OMPT's "version 2", for which the first tools were written.
//! oxomp serves it. It differs from the interface of OpenMP 5.0 in nearly everything: a tool is the
//! function `ompt_tool`, events carry numeric ids in place of data words, idle threads and mutexes
//! have events of their own, and callbacks are registered while the tool initializes, then never
//! again.
//!
//! A tool is a type that implements [`Tool`], with a method for each event that it wants.
//! `#[ompt::report_2015::tool]` before the implementation makes the set of events from the methods,
//! and [`ompt_tool!`](ompt_tool) exports the symbol `ompt_tool`. A runtime finds it in the program,
//! in a preloaded library or, on oxomp, in a library that `OMP_TOOL_LIBRARIES` names.
//!
//! ```
//! use std::sync::atomic::{AtomicU64, Ordering};
//!
//! use ompt::report_2015::{Idle, Initialization, Tool};
//!
//! struct Idleness {
//!     begun: AtomicU64,
//! }
//!
//! #[ompt::report_2015::tool]
//! impl Tool for Idleness {
//!     fn initialize(_: &Initialization) -> Option<Self> {
//!         Some(Self { begun: AtomicU64::new(0) })
//!     }
//!
//!     fn idle_begin(&self, _: &Idle) {
//!         self.begun.fetch_add(1, Ordering::Relaxed);
//!     }
//!
//!     fn runtime_shutdown(&self) {
//!         println!("threads became idle {} times", self.begun.load(Ordering::Relaxed));
//!     }
//! }
//!
//! ompt::report_2015::ompt_tool!(Idleness);
//! # fn main() {}
//! ```
//!
//! # The life of a tool
//!
//! 1. [`Tool::wanted`]: the runtime asks, before it is ready.
//! 2. [`Tool::initialize`]: the runtime is ready, and no construct has begun. The tool gets the
//!    [`EntryPoints`] and makes itself. At this point the interface does not let a tool decline any
//!    more; a tool that returns `None` gets no events.
//! 3. The SDK registers the events of the methods, and [`Tool::registered`] gets the answers.
//! 4. Events: methods are called on the threads where they happen.
//! 5. [`Tool::runtime_shutdown`], after the last event.
//!
//! A forked child, and a runtime that starts again after its shutdown, begin anew with step 1 and a
//! new value of the tool.
//!
//! # What the types guarantee
//!
//! - The number 0 means that there is no thread, region, task or mutex: ids are [`Option`]s.
//! - A runtime may assume that both ends of idleness and of each kind of wait are registered (§3 of
//!   the report). If a tool has a method for one end only, the SDK also registers the other end,
//!   with a callback that does nothing.
//! - Frames, dependences and mapped items are valid during the call only, and their lifetimes say
//!   so.
//! - A tool is never moved, overwritten or dropped once it runs, and one runtime of a process has
//!   it at a time. After the shutdown, the [`EntryPoints`] answer nothing, nor does a [`Device`].
//! - Buffers of traces belong to the SDK; see [`mod@trace`].
//! - A runtime of another version of the interface gets one line on stderr, and no callback.
//! - A panic does not cross into the runtime: leaving a callback by unwinding aborts the process.
//!
//! No OpenMP routine may be called in a callback; the types cannot forbid that.
//!
//! # A tool of both interfaces
//!
//! A library may export `ompt_start_tool` and `ompt_tool`, by [`crate::ompt_tool`] and
//! [`ompt_tool`], for two types, or for one type that implements both traits. A runtime that knows
//! both interfaces asks `ompt_start_tool` first, and the other only if [`crate::Tool::wanted`]
//! declines.

mod arguments;
mod callback;
mod entry_points;
mod event;
mod event_set;
mod frame;
mod gate;
mod id;
mod kind;
mod register;
mod registration;
mod slot;
mod start;
mod tool;
pub mod trace;

pub use entry_points::{EntryPoints, TaskInfo};
pub use event::{
    Atomic, Construct, Control, Dependence, Dependences, Flush, Idle, Lock, MapItem, Mutex,
    ParallelBegin, ParallelEnd, Region, TargetDataBegin, TargetDataMapBegin, TargetDataMapEnd,
    TargetTaskBegin, Task, TaskBegin, TaskDependencePair, TaskSwitch, Thread,
};
pub use event_set::{Event, EventSet};
pub use frame::Frame;
pub use id::{ActivityId, MapId, ParallelId, TaskId, ThreadId, WaitId};
pub use kind::{
    DependenceFlags, Invoker, MapFlags, SetResult, State, TargetTaskKind, TaskKind, ThreadKind,
};
pub use registration::{Answers, Registration};
pub use slot::{Registered, Slot};
pub use start::offer;
pub use tool::{Initialization, Tool};
pub use trace::Device;

#[doc(inline)]
pub use crate::ompt_tool_2015 as ompt_tool;

/// Completes an implementation of [`Tool`]: adds `METHODS`, the set of the events whose methods are
/// written. A method under `#[cfg]` counts where it is compiled. A macro among the items is an
/// error, since its methods cannot be seen.
///
/// ```
/// use ompt::report_2015::{Event, EventSet, Initialization, Mutex, Tool};
///
/// struct Releases;
///
/// #[ompt::report_2015::tool]
/// impl Tool for Releases {
///     fn initialize(_: &Initialization) -> Option<Self> {
///         Some(Self)
///     }
///
///     fn release_lock(&self, _: &Mutex) {}
/// }
///
/// assert_eq!(Releases::METHODS, EventSet::of(&[Event::RELEASE_LOCK]));
/// ```
pub use ompt_macros::tool_2015 as tool;
