//! Safe Rust for tools on OMPT, the tools interface of OpenMP 5.0 to 6.0.
//!
//! A tool is a type that implements [`Tool`], with a method for each event that it wants.
//! `#[ompt::tool]` before the implementation makes the set of events from the methods, so that
//! writing a method is asking for its event. [`ompt_tool!`] exports the one symbol,
//! `ompt_start_tool`, by which every OMPT runtime (oxomp, LLVM's libomp, Intel's libiomp5) finds
//! the tool. Build a `cdylib` and name it in `OMP_TOOL_LIBRARIES`, or link the tool into the
//! program.
//!
//! The module [`guide`] teaches the interface, and `examples/` has whole tools. The module
//! [`trace`] is about devices and what they record, the module [`report_2015`] about tools of the
//! interface's predecessor.
//!
//! ```
//! use std::sync::atomic::{AtomicU64, Ordering};
//!
//! use ompt::{Initialization, ParallelBegin, Tool};
//!
//! struct Regions {
//!     begun: AtomicU64,
//! }
//!
//! #[ompt::tool]
//! impl Tool for Regions {
//!     fn initialize(_: &Initialization) -> Option<Self> {
//!         Some(Self { begun: AtomicU64::new(0) })
//!     }
//!
//!     fn parallel_begin(&self, event: &ParallelBegin<'_>) {
//!         let number = self.begun.fetch_add(1, Ordering::Relaxed);
//!         if let Some(word) = event.parallel {
//!             word.set(number + 1);
//!         }
//!     }
//!
//!     fn finalize(&self) {
//!         println!("{} parallel regions", self.begun.load(Ordering::Relaxed));
//!     }
//! }
//!
//! ompt::ompt_tool!(Regions);
//! # fn main() {}
//! ```
//!
//! # What it costs
//!
//! An event without a method is not registered and costs nothing. A registered event costs a direct
//! call: the callback that the runtime calls is generated for the tool's type, and inlines the
//! method. Data of the tool's own types ([`Data`]) cost one pointer load more where they are shown,
//! and an allocation where they are made. The SDK takes a lock where a device gets a buffer of its
//! trace and where it gives one back, and nowhere else; it does no input or output except for one
//! line on stderr if [`Tool::events`] names an event without a method.
//!
//! # What the types guarantee
//!
//! - The objects that an event refers to (data, frames, dependences, messages) are valid during the
//!   call only, and their lifetimes say so (below).
//! - Data that a team shares are `Sync`; a thread's own data need not be.
//! - A tool is never moved, overwritten or dropped once it runs: other threads may be in its
//!   methods whenever it ends.
//! - One runtime of a process has the tool at a time, and once it has ended the tool, the
//!   [`EntryPoints`] answer nothing. Nor does a [`Device`] once it has ended.
//! - Buffers of traces belong to the SDK; records are read where they are handed over, and a
//!   [`Record`](trace::Record) is the tool's own.
//! - A panic does not cross into the runtime: leaving a callback by unwinding aborts the process,
//!   whatever `panic` is set to. Build release tools with `panic = "abort"`, which is smaller.
//! - Runtimes differ: any data may be missing, an end may come late, a value may have no name yet
//!   (`Unknown`). The types make a tool handle these cases.
//!
//! Callbacks may neither call OpenMP routines nor use directives: the types cannot forbid that.
//!
//! ```compile_fail
//! use ompt::{DataWord, ParallelBegin};
//!
//! fn keep(event: &ParallelBegin<'_>) -> Option<&'static DataWord> {
//!     event.parallel // the region's word is gone when the region is
//! }
//! ```

#![warn(missing_docs)]

/// The examples of the README are tested.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
mod answers;
mod data;
mod data_word;
mod device;
mod entry_points;
mod event;
mod event_set;
mod event_sets;
mod frame;
mod gate;
pub mod guide;
mod kind;
mod owner;
pub mod raw;
mod register;
mod registration;
pub mod report_2015;
mod runtime;
mod slot;
mod start;
mod thread_number;
mod tool;
pub mod trace;

pub use data::{Data, Live, Model, NewTask, ObjectId, Raw, Typed};
pub use data_word::{CodePtr, DataWord, WaitId};
pub use device::address::{DeviceAddress, HostAddress};
pub use device::map::{MapItem, MapItems, MapIter};
pub use entry_points::{EntryPoints, Info, ParallelInfo, TargetInfo, TaskInfo, TaskMemory};
pub use event::host::{
    Cancel, Chunk, ControlTool, Dependence, Dependences, Dispatch, DispatchInstance,
    ErrorDirective, Flush, ImplicitTask, Masked, Mutex, MutexAcquire, NestLock, ParallelBegin,
    ParallelEnd, SyncRegion, TaskCreate, TaskDependence, TaskSchedule, ThreadBegin, ThreadEnd,
    Work,
};
pub use event::target::{
    DeviceFinalize, DeviceInitialize, DeviceLoad, DeviceUnload, Target, TargetDataOp,
    TargetDataOpEmi, TargetEmi, TargetMap, TargetMapEmi, TargetSubmit, TargetSubmitEmi,
};
pub use event_set::{Event, EventSet};
pub use frame::{Frame, FrameAddress};
pub use kind::{
    CancelFlags, ControlResult, DependenceKind, DispatchKind, Endpoint, FrameFlags, MutexKind,
    ParallelFlags, SetResult, Severity, State, SyncHint, SyncRegionKind, TargetDataOpKind,
    TargetKind, TargetMapFlags, TaskFlags, TaskStatus, ThreadKind, WorkKind,
};
pub use register::{register, unregister};
pub use registration::{Answers, Registration};
pub use runtime::Runtime;
pub use slot::{Registered, Slot};
pub use start::start_tool;
pub use tool::{Initialization, Tool};
pub use trace::Device;

/// Completes an implementation of [`Tool`] or [`Data`].
///
/// Before `impl Tool for …` it adds `METHODS`, the set of the events whose methods are written, and
/// `type Model = Raw` if the implementation names no model. A method under `#[cfg]` counts where it
/// is compiled. A macro among the items is an error, since its methods cannot be seen.
///
/// Before `impl Data for …` it adds empty data for each kind of object that the implementation does
/// not name.
///
/// ```
/// use ompt::{Event, EventSet, Initialization, ThreadBegin, ThreadEnd, Tool};
///
/// struct Threads;
///
/// #[ompt::tool]
/// impl Tool for Threads {
///     fn initialize(_: &Initialization) -> Option<Self> {
///         Some(Self)
///     }
///
///     fn thread_begin(&self, _: &ThreadBegin<'_>) {}
///
///     #[cfg(any())]
///     fn thread_end(&self, _: &ThreadEnd<'_>) {}
/// }
///
/// assert_eq!(Threads::METHODS, EventSet::of(&[Event::THREAD_BEGIN]));
/// ```
pub use ompt_macros::tool;
