//! The leaf of OMPT: what threads, regions and tasks keep for a tool, and the one stream of events.
//!
//! A construct reports by one line, `emit::sync_region(...)`: one relaxed load and a test while no
//! tool listens. The tool room installs a sink, which turns events into the callbacks of the
//! interface that the tool speaks; the events hold what every generation of OMPT needs.

mod debugged;
pub mod emit;
mod kinds;
mod mask;
mod record;

pub use emit::Event;
pub use kinds::{
    Dispatch, Endpoint, MutexKind, Severity, State, SyncRegion, TaskStatus, ThreadKind, Work, flags,
};
pub use mask::{ACTIVE, Mask, bit, is_active, set_mask};
pub(crate) use mask::{expect_debugger, is_debugged};
pub(crate) use record::FIELDS;
pub use record::{
    DependenceRecord, EnterFrame, Frame, Generation, ParallelRecord, TaskRecord, ThreadRecord,
    WorkRecord,
};

use core::sync::atomic::{AtomicPtr, Ordering};

/// Turns an event into a tool's callback. Called without any lock held, on the thread of the event.
pub type Sink = fn(&Event<'_>);

static SINK: AtomicPtr<()> = AtomicPtr::new(core::ptr::null_mut());

/// Installs the sink; before the first `set_mask` that lets an event through.
pub fn set_sink(sink: Sink) {
    // Release: pairs with the Acquire in `call`.
    SINK.store(sink as *mut (), Ordering::Release);
}

/// What listens in the runtime itself.
static OWN_SINK: AtomicPtr<()> = AtomicPtr::new(core::ptr::null_mut());

/// Has `sink` called for `events`, before a tool hears of them.
pub(crate) fn listen(events: Mask, sink: Sink) {
    // Release: as in `set_sink`.
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
        // SAFETY: only `set_sink` and `listen` write here, and they store a `Sink`.
        let sink = unsafe { core::mem::transmute::<*mut (), Sink>(sink) };
        sink(event);
    }
}
