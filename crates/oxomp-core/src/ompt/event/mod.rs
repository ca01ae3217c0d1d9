//! The leaf of OMPT: the records of threads, regions and tasks for a tool, and the one stream of
//! events.
//!
//! A construct tests once whether there is a listener (`audience.rs` shows the pattern) and emits
//! an event by one line, `audience.sync_region(...)`. Events outside of constructs are emitted by
//! functions such as `emit::thread_begin(...)`: one relaxed load and a test without a listener. The
//! room `ompt::tool` installs a listener, which turns events into callbacks of the tool's
//! interface; the events have the arguments that every generation of OMPT needs.

mod audience;
mod begun;
mod debugged;
pub(crate) mod emit;
mod idle;
mod kinds;
mod listeners;
mod mask;
mod record;
mod report_2015;
mod target;
mod unreported;

pub use audience::{Attached, Listened, Silent};
pub(crate) use audience::{attached, for_audience, for_events, listened};
pub use emit::Audience;
pub(crate) use emit::{Event, Listener};
pub(crate) use kinds::MUTEX_IMPLEMENTATION;
pub use kinds::{
    Dispatch, Endpoint, MutexKind, Severity, State, SyncRegion, TaskStatus, ThreadKind, Work, flags,
};
pub(crate) use listeners::{Hear, expect_debugger, listen, set_tool};
pub(crate) use mask::OtherCodes;
pub(crate) use mask::{
    ACTIVE, Mask, OTHERS, UNDER_WAY, bit, has_events, hears_under_way, is_active, is_debugged,
    mask_word, set_mask,
};
pub use record::{DependenceRecord, EnterFrame, ParallelRecord, TaskRecord, ThreadRecord};
pub(crate) use record::{FIELDS, Frame};
pub(crate) use target::unique_id;
pub use target::{DataOperation, TargetFacts, TargetRecord};
pub(crate) use unreported::Released;
