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

pub use kinds::{
    Dispatch, Endpoint, MutexKind, Severity, State, SyncRegion, TaskStatus, ThreadKind, Work, flags,
};
pub use mask::{ACTIVE, Mask, bit, is_active, set_mask};
pub(crate) use mask::{expect_debugger, is_checked, is_debugged};
pub(crate) use record::FIELDS;
pub use record::{
    DependenceRecord, EnterFrame, Frame, Generation, ParallelRecord, TaskRecord, ThreadRecord,
    WorkRecord,
};

use core::cell::Cell;
use core::ffi::{CStr, c_void};
use core::sync::atomic::{AtomicPtr, Ordering};

use crate::arch::CallSite;

/// One event, with all that any OMPT generation wants to know of it.
///
/// `site` gives `codeptr_ra`; the encountering task gives its parallel region.
#[derive(Debug)]
pub enum Event<'a> {
    ThreadBegin {
        thread: &'a ThreadRecord,
        kind: ThreadKind,
    },
    ThreadEnd {
        thread: &'a ThreadRecord,
    },
    ParallelBegin {
        encountering: &'a TaskRecord,
        parallel: &'a ParallelRecord,
        requested: u32,
        flags: i32,
        outlined: *const c_void,
        site: CallSite,
    },
    ParallelEnd {
        encountering: &'a TaskRecord,
        parallel: &'a ParallelRecord,
        flags: i32,
        site: CallSite,
    },
    ImplicitTaskBegin {
        parallel: &'a ParallelRecord,
        task: &'a TaskRecord,
        actual: u32,
        index: u32,
        flags: i32,
    },
    ImplicitTaskEnd {
        task: &'a TaskRecord,
        index: u32,
        flags: i32,
    },
    TaskCreate {
        encountering: &'a TaskRecord,
        task: &'a TaskRecord,
        has_dependences: bool,
        site: CallSite,
    },
    TaskSchedule {
        prior: &'a TaskRecord,
        status: TaskStatus,
        next: Option<&'a TaskRecord>,
    },
    Dependences {
        task: &'a TaskRecord,
        dependences: &'a [DependenceRecord],
    },
    /// `source` is the tool's word of a task that may be gone by now.
    TaskDependence {
        source: &'a Cell<u64>,
        sink: &'a TaskRecord,
    },
    SyncRegion {
        kind: SyncRegion,
        endpoint: Endpoint,
        parallel: Option<&'a ParallelRecord>,
        task: &'a TaskRecord,
        site: CallSite,
    },
    SyncRegionWait {
        kind: SyncRegion,
        endpoint: Endpoint,
        parallel: Option<&'a ParallelRecord>,
        task: &'a TaskRecord,
        site: CallSite,
    },
    Work {
        kind: Work,
        endpoint: Endpoint,
        task: &'a TaskRecord,
        count: u64,
        site: CallSite,
    },
    Dispatch {
        kind: Dispatch,
        task: &'a TaskRecord,
        start: u64,
        iterations: u64,
    },
    Masked {
        endpoint: Endpoint,
        task: &'a TaskRecord,
        site: CallSite,
    },
    Reduction {
        endpoint: Endpoint,
        task: &'a TaskRecord,
        site: CallSite,
    },
    LockInit {
        kind: MutexKind,
        hint: u32,
        wait_id: u64,
        site: CallSite,
    },
    LockDestroy {
        kind: MutexKind,
        wait_id: u64,
        site: CallSite,
    },
    MutexAcquire {
        kind: MutexKind,
        hint: u32,
        wait_id: u64,
        site: CallSite,
    },
    MutexAcquired {
        kind: MutexKind,
        wait_id: u64,
        site: CallSite,
    },
    MutexReleased {
        kind: MutexKind,
        wait_id: u64,
        site: CallSite,
    },
    NestLock {
        endpoint: Endpoint,
        wait_id: u64,
        site: CallSite,
    },
    Flush {
        thread: &'a ThreadRecord,
        site: CallSite,
    },
    Error {
        severity: Severity,
        message: &'a CStr,
        site: CallSite,
    },
}

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
