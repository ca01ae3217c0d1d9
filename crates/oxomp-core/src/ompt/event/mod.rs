//! The leaf of OMPT: the records of threads, regions and tasks for a tool, and the one stream of
//! events.
//!
//! A construct tests once whether there is a listener (`audience.rs` shows the pattern) and emits
//! an event by one line, `audience.sync_region(...)`. Events outside of constructs are emitted by
//! functions such as `emit::thread_begin(...)`: one relaxed load and a test without a listener. The
//! room `ompt::tool` installs a sink, which turns events into callbacks of the tool's interface;
//! the events have the arguments that every generation of OMPT needs.

mod audience;
mod debugged;
pub(crate) mod emit;
mod kinds;
mod mask;
mod record;
mod target;

pub use audience::{Listened, Silent};
pub(crate) use audience::{for_audience, listened};
pub use emit::Audience;
pub(crate) use emit::Event;
pub use kinds::{
    Dispatch, Endpoint, MutexKind, Severity, State, SyncRegion, TaskStatus, ThreadKind, Work, flags,
};
pub(crate) use mask::{ACTIVE, Mask, bit, expect_debugger, is_active, is_debugged, set_mask};
pub use record::{DependenceRecord, EnterFrame, ParallelRecord, TaskRecord, ThreadRecord};
pub(crate) use record::{FIELDS, Frame};
pub(crate) use target::unique_id;
pub use target::{DataOperation, TargetRecord};

use core::sync::atomic::{AtomicPtr, Ordering};

/// A function that turns an event into a tool's callback. The thread of the event calls it, without
/// holding a lock of the runtime.
pub(crate) type Sink = fn(&Event<'_>);

static SINK: AtomicPtr<()> = AtomicPtr::new(core::ptr::null_mut());

/// Installs the sink, before the first `set_mask` that enables an event.
pub(crate) fn set_sink(sink: Sink) {
    // Release: pairs with the Acquire in `call`.
    SINK.store(sink as *mut (), Ordering::Release);
}

/// The listener in the runtime itself.
static OWN_SINK: AtomicPtr<()> = AtomicPtr::new(core::ptr::null_mut());

/// Has `sink` called for `events`, before the tool's callback.
pub(crate) fn listen(events: Mask, sink: Sink) {
    // Release: pairs with the Acquire in `call`.
    OWN_SINK.store(sink as *mut (), Ordering::Release);
    mask::check(events);
}

fn deliver(event: &Event<'_>) {
    call(&OWN_SINK, event);
    call(&SINK, event);
}

fn call(sink: &AtomicPtr<()>, event: &Event<'_>) {
    let sink = sink.load(Ordering::Acquire);
    if !sink.is_null() {
        // SAFETY: `set_sink` and `listen` are the only writers, and store a `Sink`.
        let sink = unsafe { core::mem::transmute::<*mut (), Sink>(sink) };
        sink(event);
    }
}
