//! The leaf of OMPT: what threads, regions and tasks keep for a tool, and the one stream of events.
//!
//! A construct tests once whether anybody listens (`audience.rs` says how it is written) and reports
//! by one line, `audience.sync_region(...)`. What happens outside of constructs is reported by
//! `emit::thread_begin(...)`: one relaxed load and a test while nobody listens. The tool room
//! installs a sink, which turns events into the callbacks of the interface that the tool speaks; the
//! events hold what every generation of OMPT needs.

mod audience;
mod debugged;
pub mod emit;
mod kinds;
mod mask;
mod record;

pub use audience::{Listened, Silent};
pub(crate) use audience::{for_audience, listened};
pub use emit::{Audience, Event};
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
