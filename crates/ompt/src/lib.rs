//! Safe Rust for tools on OMPT, the tools interface of OpenMP 5.0 to 6.0.
//!
//! A tool is a type that implements [`Tool`]: it says which events it wants and has a method for
//! each. [`ompt_tool!`] exports the one symbol, `ompt_start_tool`, by which every OMPT runtime
//! (oxomp, LLVM's libomp, Intel's libiomp5) finds it. Build a `cdylib` and name it in
//! `OMP_TOOL_LIBRARIES`, or link the tool into the program.
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
//! An event that is not in [`Tool::events`] is not registered and costs nothing. A registered event
//! costs a direct call: the callback that the runtime calls is generated for the tool's type, and
//! the tool lies at a constant address, so the method is inlined into the callback. The SDK takes
//! no lock, allocates nothing, uses no thread-local variable, and does no input or output, not even
//! at the start.
//!
//! # Rules for tools
//!
//! - Callbacks may neither call OpenMP routines nor use directives; they may use the
//!   [`EntryPoints`].
//! - The objects that an event refers to (data words, frames, dependences, messages) are valid
//!   during the call only, and their lifetimes say so (below). A tool may keep a pointer to its own
//!   data there (below).
//! - A panic does not cross into the runtime: leaving a callback by unwinding aborts the process,
//!   whatever `panic` is set to. Build release tools with `panic = "abort"`, which is smaller.
//! - Runtimes differ: any data word may be missing, an end may come late, a value may have no name
//!   yet (`Unknown`). The types make a tool handle these cases.
//!
//! ```compile_fail
//! use ompt::{DataWord, ParallelBegin};
//!
//! fn keep(event: &ParallelBegin<'_>) -> Option<&'static DataWord> {
//!     event.parallel // the region's word is gone when the region is
//! }
//! ```

#![warn(missing_docs)]
mod data;
mod data_word;
mod entry_points;
mod event;
mod event_set;
mod frame;
mod gate;
mod kind;
pub mod raw;
mod registration;
mod start;
mod thread_number;
mod tool;

pub use data::{Data, Live, Model, NewTask, ObjectId, Raw, Typed};
pub use data_word::{CodePtr, DataWord, WaitId};
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
    CancelFlags, ControlResult, DependenceKind, Endpoint, FrameFlags, MutexKind, ParallelFlags,
    SetResult, Severity, State, SyncHint, SyncRegionKind, TargetDataOpKind, TargetKind,
    TargetMapFlags, TaskFlags, TaskStatus, ThreadKind, WorkKind,
};
pub use registration::{Registration, register, unregister};
pub use start::{Registered, Slot, start_tool};
pub use tool::{Initialization, Runtime, Tool};

pub use ompt_macros::tool;
