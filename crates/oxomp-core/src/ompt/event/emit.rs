//! The events, with one function each (a load and a test without a listener, an indirect call
//! otherwise), and the audience, to which a construct reports.

use core::ffi::{CStr, c_void};

use oxomp_arch::CallSite;
use oxomp_sys::ompt::ompt_callbacks_t as E;

use super::debugged;
use super::kinds::{
    Dispatch, Endpoint, MutexKind, Severity, SyncRegion, TaskStatus, ThreadKind, Work,
};
use super::listeners::{Hear, heard, runtime, tool};
use super::mask::{
    ACTIVE, DEBUG, FOR_DEBUGGER, Mask, OtherCodes as _, bit, is_debugged, is_registered,
    tool_wants, wants,
};
use super::record::{DependenceRecord, EnterFrame, ParallelRecord, TaskRecord, ThreadRecord};
use super::target::{DataOperation, TargetFacts, TargetRecord};

/// `name(arguments) on CODE => Event`: the event, the function that emits it if a listener wants
/// the event of that code, and the audience's method of that name. With `, debugged` the function
/// also calls the function of the same name in `debugged`, if a debugger is expected.
macro_rules! events {
    ($(
        $(#[$doc:meta])*
        $name:ident($($arg:ident: $type:ty),*) on $code:ident => $event:ident $(, $debugged:ident)?;
    )*) => {
        /// An event, with the arguments that every generation of OMPT needs.
        ///
        /// `site` provides `codeptr_ra`; the encountering task provides its parallel region.
        #[derive(Clone, Copy, Debug)]
        pub(crate) enum Event<'a> {
            $($(#[$doc])* $event { $($arg: $type),* },)*
        }

        /// A listener: one function for each event.
        ///
        /// An event calls its function of the table, so that no code has to find out which event
        /// it is.
        #[derive(Debug)]
        pub(crate) struct Listener {
            $($name: for<'a> fn($($type),*),)*
        }

        impl Listener {
            /// The table of the listener `L`: `L::hear` is compiled once for each event, whose
            /// variant is known there.
            pub(crate) const fn of<L: Hear>() -> Self {
                Listener {
                    $($name: |$($arg),*| L::hear(&Event::$event { $($arg),* }),)*
                }
            }

            /// Passes an event of any kind to the listener.
            pub(crate) fn pass(&self, event: &Event<'_>) {
                match *event {
                    $(Event::$event { $($arg),* } => (self.$name)($($arg),*),)*
                }
            }
        }

        /// The listener while the runtime itself listens: its own listener hears an event before
        /// the tool does, the debugger after it.
        pub(super) static BOTH: Listener = Listener {
            $($name: |$($arg),*| {
                (runtime().$name)($($arg),*);
                (tool().$name)($($arg),*);
                events!(@note [$($debugged)?] $name($($arg),*));
            },)*
        };

        /// The events that have a function in this file.
        pub(crate) const EMITTED: Mask = $(bit(E::$code))|*;

        // The mask for a debugger contains every event with a function in `debugged`.
        $(const _: () = assert!(events!(@reaches [$($debugged)?] bit(E::$code)));)*

        $(
            $(#[$doc])*
            #[inline(always)]
            #[allow(clippy::extra_unused_lifetimes, reason = "of events without a reference")]
            #[allow(dead_code, reason = "constructs raise most events through their audience")]
            pub(crate) fn $name<'a>($($arg: $type),*) {
                if wants(const { bit(E::$code) }) {
                    (heard().$name)($($arg),*);
                }
            }
        )*

        /// The audience of a construct (`audience.rs`): `Silent`, `Attached` or `Listened`.
        pub trait Audience: Copy + core::fmt::Debug {
            /// Whether there may be a listener: frames and records are kept.
            const LISTENS: bool;
            /// Whether a listener may hear events.
            const HEARS: bool;

            /// Whether there may be a listener; a constant of the instance.
            #[inline(always)]
            fn is_listening(self) -> bool {
                Self::LISTENS
            }

            /// Whether a listener may hear events; a constant of the instance.
            #[inline(always)]
            fn hears_events(self) -> bool {
                Self::HEARS
            }

            /// Marks the task as inside the runtime while the result lives.
            #[inline(always)]
            fn enter(self, task: &TaskRecord, site: CallSite) -> EnterFrame<'_> {
                if Self::LISTENS { EnterFrame::new(task, site) } else { EnterFrame::unheard() }
            }

            /// Begins the use of records for a new region or implicit task.
            #[inline(always)]
            fn begin_records(
                self, parallel: Option<&ParallelRecord>, task: Option<&TaskRecord>
            ) {
                if Self::LISTENS {
                    begin_records(parallel, task);
                }
            }

            $(
                $(#[$doc])*
                #[inline(always)]
                #[allow(
                    clippy::extra_unused_lifetimes, reason = "of events without a reference"
                )]
                #[allow(clippy::too_many_arguments, reason = "an event has the fields it has")]
                fn $name<'a>(self, $($arg: $type),*) {
                    if Self::HEARS && is_registered(const { bit(E::$code) }) {
                        (heard().$name)($($arg),*);
                    }
                }
            )*
        }
    };

    (@reaches [] $event:expr) => { true };
    (@reaches [debugged] $event:expr) => { FOR_DEBUGGER & $event != 0 };

    (@note [] $name:ident $arguments:tt) => {};
    (@note [debugged] $name:ident ($($argument:expr),*)) => {
        if is_debugged() {
            debugged::$name($($argument),*);
        }
    };
}

events! {
    /// A thread begins: its first event.
    thread_begin(
        thread: &'a ThreadRecord, kind: ThreadKind
    ) on THREAD_BEGIN => ThreadBegin, debugged;
    /// A thread ends: its last event.
    thread_end(
        thread: &'a ThreadRecord, kind: ThreadKind
    ) on THREAD_END => ThreadEnd, debugged;
    /// A worker begins to wait for work outside of regions, or ends this wait: it has got work, or
    /// is about to end. Between the two the thread has no other event.
    idle(thread: &'a ThreadRecord, endpoint: Endpoint) on IDLE => Idle;
    /// A region begins; raised in the encountering task, before any implicit task begins.
    parallel_begin(
        encountering: &'a TaskRecord, parallel: &'a ParallelRecord, requested: u32, flags: i32,
        outlined: *const c_void, site: CallSite
    ) on PARALLEL_BEGIN => ParallelBegin;
    /// A region ends; raised in the encountering task, after the primary thread's implicit task has
    /// ended.
    parallel_end(
        encountering: &'a TaskRecord, parallel: &'a ParallelRecord, flags: i32, site: CallSite
    ) on PARALLEL_END => ParallelEnd;
    /// An implicit task begins; raised before its code runs.
    implicit_task_begin(
        parallel: &'a ParallelRecord, task: &'a TaskRecord, actual: u32, index: u32, flags: i32
    ) on IMPLICIT_TASK => ImplicitTaskBegin, debugged;
    /// An implicit task ends; raised after the barrier that ends its region.
    implicit_task_end(
        task: &'a TaskRecord, index: u32, flags: i32
    ) on IMPLICIT_TASK => ImplicitTaskEnd, debugged;
    /// A task is generated; raised in the encountering task, before the new task runs. `outlined`
    /// is the task's code; null for a taskwait's task, which has none. For a target task whose
    /// region the host executes it is a function of the runtime: `target_encountered` tells the
    /// function of the region.
    task_create(
        encountering: &'a TaskRecord, task: &'a TaskRecord, outlined: *const c_void,
        has_dependences: bool, site: CallSite
    ) on TASK_CREATE => TaskCreate;
    /// A thread is about to leave `task`, at a task scheduling point, for another task with code;
    /// raised in `task`.
    task_suspend(task: &'a TaskRecord) on TASK_SUSPEND => TaskSuspend;
    /// A thread switches from one task to another; raised in `next`, which is the thread's current
    /// task by then. Without `next` the thread switches to no other task: the prior task's event is
    /// fulfilled, or its wait is over.
    task_schedule(
        prior: &'a TaskRecord, status: TaskStatus, next: Option<&'a TaskRecord>
    ) on TASK_SCHEDULE => TaskSchedule;
    /// A task is complete: its code is over, and its event is fulfilled if it has one. Raised once
    /// for each generated task, by the thread that completes it: by the task's own thread in the
    /// task, before the thread switches to another; or, if the code of a detachable task was over
    /// before, by the thread that fulfils the event. A discarded task ends on the thread that was
    /// about to execute it.
    task_end(task: &'a TaskRecord) on TASK_END => TaskEnd;
    /// A new task depends on these locations.
    dependences(
        task: &'a TaskRecord, dependences: &'a [DependenceRecord]
    ) on DEPENDENCES => Dependences;
    /// A task waits for another, `source`, whose completion is reported later.
    task_dependence(
        source: &'a TaskRecord, sink: &'a TaskRecord
    ) on TASK_DEPENDENCE => TaskDependence;
    /// A region of synchronization begins or ends.
    sync_region(
        kind: SyncRegion, endpoint: Endpoint, parallel: Option<&'a ParallelRecord>,
        task: &'a TaskRecord, site: CallSite
    ) on SYNC_REGION => SyncRegion;
    /// Waiting in a region of synchronization begins or ends.
    sync_region_wait(
        kind: SyncRegion, endpoint: Endpoint, parallel: Option<&'a ParallelRecord>,
        task: &'a TaskRecord, site: CallSite
    ) on SYNC_REGION_WAIT => SyncRegionWait;
    /// A worksharing region begins or ends.
    work(
        kind: Work, endpoint: Endpoint, task: &'a TaskRecord, count: u64, site: CallSite
    ) on WORK => Work, debugged;
    /// Logical iterations `start..start + iterations` (or a section) begin.
    dispatch(
        kind: Dispatch, task: &'a TaskRecord, start: u64, iterations: u64, site: CallSite
    ) on DISPATCH => Dispatch, debugged;
    /// A masked region begins or ends, on a thread that executes it.
    masked(endpoint: Endpoint, task: &'a TaskRecord, site: CallSite) on MASKED => Masked;
    /// The combining of partial results begins or ends.
    reduction(endpoint: Endpoint, task: &'a TaskRecord, site: CallSite) on REDUCTION => Reduction;
    /// A lock was initialized.
    lock_init(kind: MutexKind, hint: u32, wait_id: u64, site: CallSite) on LOCK_INIT => LockInit;
    /// A lock is destroyed.
    lock_destroy(kind: MutexKind, wait_id: u64, site: CallSite) on LOCK_DESTROY => LockDestroy;
    /// A thread asks for mutual exclusion.
    mutex_acquire(
        kind: MutexKind, hint: u32, wait_id: u64, site: CallSite
    ) on MUTEX_ACQUIRE => MutexAcquire;
    /// A thread that has asked for a mutex begins to wait for it, because its first attempt has
    /// failed; raised in the wait's state, with the wait id.
    mutex_wait(
        kind: MutexKind, hint: u32, wait_id: u64, site: CallSite
    ) on MUTEX_WAIT => MutexWait;
    /// A thread has acquired the mutex that it asked for.
    mutex_acquired(kind: MutexKind, wait_id: u64, site: CallSite) on MUTEX_ACQUIRED => MutexAcquired;
    /// A thread has released a mutex.
    mutex_released(kind: MutexKind, wait_id: u64, site: CallSite) on MUTEX_RELEASED => MutexReleased;
    /// The owner of a nest lock has taken it again, or released it but not for the last time.
    nest_lock(endpoint: Endpoint, wait_id: u64, site: CallSite) on NEST_LOCK => NestLock;
    /// A construct is cancelled, a thread finds it cancelled, or `task` is discarded: `flags` is
    /// `ompt_cancel_flag_t`.
    cancel(task: &'a TaskRecord, flags: u32, site: CallSite) on CANCEL => Cancel;
    /// A flush construct.
    flush(thread: &'a ThreadRecord, site: CallSite) on FLUSH => Flush;
    /// A task has encountered a target construct, and is about to generate its target task.
    target_encountered(
        encountering: &'a TaskRecord, construct: &'a TargetFacts
    ) on TARGET_ENCOUNTERED => TargetEncountered;
    /// A target construct begins or ends: the event before OpenMP 5.1.
    target(region: &'a TargetRecord<'a>, endpoint: Endpoint) on TARGET => Target;
    /// A target construct begins or ends; raised in its target task, if it has one.
    target_emi(region: &'a TargetRecord<'a>, endpoint: Endpoint) on TARGET_EMI => TargetEmi;
    /// A data operation: the event before OpenMP 5.1, raised at one of its ends.
    target_data_op(
        operation: &'a DataOperation<'a>, site: CallSite
    ) on TARGET_DATA_OP => TargetDataOp;
    /// A data operation begins or ends.
    target_data_op_emi(
        operation: &'a DataOperation<'a>, endpoint: Endpoint, site: CallSite
    ) on TARGET_DATA_OP_EMI => TargetDataOpEmi;
    /// An initial task is about to begin on a device: the event before OpenMP 5.1.
    target_submit(region: &'a TargetRecord<'a>, num_teams: u32) on TARGET_SUBMIT => TargetSubmit;
    /// The creation of an initial task on a device begins or ends.
    target_submit_emi(
        region: &'a TargetRecord<'a>, endpoint: Endpoint, num_teams: u32
    ) on TARGET_SUBMIT_EMI => TargetSubmitEmi;
    /// A thread executes an error directive; raised before its message is printed.
    error(severity: Severity, message: &'a CStr, site: CallSite) on ERROR => Error;
}

impl Event<'_> {
    /// The program's call that led to the event; `CallSite::none()` for an event that has no
    /// `codeptr_ra`.
    #[inline(always)]
    pub(crate) fn site(&self) -> CallSite {
        match *self {
            Event::ParallelBegin { site, .. }
            | Event::ParallelEnd { site, .. }
            | Event::TaskCreate { site, .. }
            | Event::SyncRegion { site, .. }
            | Event::SyncRegionWait { site, .. }
            | Event::Work { site, .. }
            | Event::Masked { site, .. }
            | Event::Reduction { site, .. }
            | Event::LockInit { site, .. }
            | Event::LockDestroy { site, .. }
            | Event::MutexAcquire { site, .. }
            | Event::MutexWait { site, .. }
            | Event::MutexAcquired { site, .. }
            | Event::MutexReleased { site, .. }
            | Event::NestLock { site, .. }
            | Event::Cancel { site, .. }
            | Event::Flush { site, .. }
            | Event::TargetDataOp { site, .. }
            | Event::TargetDataOpEmi { site, .. }
            | Event::Error { site, .. } => site,
            Event::Target { region, .. } | Event::TargetEmi { region, .. } => region.site,
            // The site of a dispatch sets the frame only.
            Event::Dispatch { .. }
            | Event::ThreadBegin { .. }
            | Event::ThreadEnd { .. }
            | Event::ImplicitTaskBegin { .. }
            | Event::ImplicitTaskEnd { .. }
            | Event::Idle { .. }
            | Event::TaskSchedule { .. }
            | Event::TaskSuspend { .. }
            | Event::TaskEnd { .. }
            | Event::TargetEncountered { .. }
            | Event::Dependences { .. }
            | Event::TaskDependence { .. }
            | Event::TargetSubmit { .. }
            | Event::TargetSubmitEmi { .. } => CallSite::none(),
        }
    }
}

/// Whether a listener wants the end of a worker's region, so that the worker waits for this end.
#[inline(always)]
pub(crate) fn wants_region_end() -> bool {
    wants(
        const { bit(E::SYNC_REGION) | bit(E::SYNC_REGION_WAIT) | bit(E::IMPLICIT_TASK) | bit(E::IDLE) },
    )
}

/// Whether a listener wants to know when workers wait for work.
pub(super) fn wants_idle() -> bool {
    wants(const { bit(E::IDLE) })
}

/// Whether a listener wants the dependences of tasks, so that their list has to be made.
#[inline(always)]
pub(crate) fn wants_dependences() -> bool {
    wants(const { bit(E::DEPENDENCES) })
}

/// Whether a listener wants to hear before a thread leaves a task, or a debugger may stop where it
/// begins another.
#[inline(always)]
pub(crate) fn wants_switch_details() -> bool {
    wants(const { bit(E::TASK_SUSPEND) | DEBUG })
}

/// Whether a listener wants the end of tasks, or a debugger may stop there.
#[inline(always)]
pub(crate) fn wants_task_end() -> bool {
    wants(const { bit(E::TASK_END) | DEBUG })
}

/// Whether a listener wants the pairs of tasks of which one waits for the other.
#[inline(always)]
pub(crate) fn wants_task_dependence() -> bool {
    wants(const { bit(E::TASK_DEPENDENCE) })
}

/// Whether a listener wants chunks or work, so that they have to be counted.
#[inline(always)]
pub(crate) fn wants_work() -> bool {
    wants(const { bit(E::WORK) | bit(E::DISPATCH) })
}

/// Whether the tool wants chunks; a debugger needs the present one only.
pub(crate) fn tool_wants_dispatch() -> bool {
    tool_wants(const { bit(E::DISPATCH) })
}

/// Whether a listener wants the event of 5.1 for target constructs, which replaces the older one.
pub(crate) fn wants_target_emi() -> bool {
    wants(const { bit(E::TARGET_EMI) })
}

/// Whether a listener wants the event of 5.1 for data operations, which replaces the older one.
pub(crate) fn wants_target_data_op_emi() -> bool {
    wants(const { bit(E::TARGET_DATA_OP_EMI) })
}

/// Whether a listener wants the event of 5.1 for submissions, which replaces the older one.
pub(crate) fn wants_target_submit_emi() -> bool {
    wants(const { bit(E::TARGET_SUBMIT_EMI) })
}

/// Begins the use of records for a new region or implicit task; only while a tool is attached or a
/// debugger is expected.
#[inline(always)]
pub(crate) fn begin_records(parallel: Option<&ParallelRecord>, task: Option<&TaskRecord>) {
    if wants(ACTIVE) {
        if let Some(parallel) = parallel {
            parallel.begin();
        }
        if let Some(task) = task {
            task.begin_implicit();
        }
        if is_debugged() {
            parallel.inspect(|parallel| parallel.generation.begin());
            task.inspect(|task| task.begin_for_debugger());
        }
    }
}

/// Begins the use of the record for a new explicit task, while a tool is attached or a debugger is
/// expected.
#[inline(always)]
pub(crate) fn begin_explicit_record(task: &TaskRecord) {
    task.begin_explicit();
    if is_debugged() {
        task.begin_for_debugger();
    }
}
