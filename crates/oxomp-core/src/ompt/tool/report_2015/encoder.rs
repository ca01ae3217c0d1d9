//! The encoder of events as callbacks of the 2015 report (§3).

use core::ffi::{c_int, c_void};
use core::mem::transmute;
use core::ptr;

use oxomp_sys::report_2015::{
    ompt_frame_t, ompt_invoker_t, ompt_task_callback_t, ompt_thread_type_t,
};

use super::super::attribution::nearest_call;
use super::super::listener::{Encode, ForTool};
use super::callbacks::{call, registered};
use super::{dependences, number, region, switch, target, wait};
use crate::block::Thread;
use crate::ompt::event::{
    Endpoint, Event, Listener, MUTEX_IMPLEMENTATION, MutexKind, SyncRegion, TaskRecord, ThreadKind,
    Work, flags,
};

/// The frames of a task, whose first two fields are those of the report's structure.
pub(super) fn frame(task: &TaskRecord) -> *mut ompt_frame_t {
    ptr::from_ref(&task.frame).cast_mut().cast()
}

/// The listener for tools of the report.
pub(in super::super) static LISTENER: Listener = Listener::of::<ForTool<Report2015>>();

struct Report2015;

impl Encode for Report2015 {
    #[inline(always)]
    fn encode(event: &Event<'_>, code: *const c_void) {
        encode(event, code);
    }
}

#[inline(always)]
fn encode(event: &Event<'_>, code: *const c_void) {
    match *event {
        Event::ThreadBegin { thread, kind } => {
            let id = number::begin_thread(thread);
            call!(thread_begin(thread_type(kind), id));
        }
        Event::ThreadEnd { thread, kind } => {
            call!(thread_end(thread_type(kind), number::of_thread(thread)));
        }
        Event::Idle { thread, endpoint: Endpoint::Begin } => {
            call!(idle_begin(number::of_thread(thread)));
        }
        Event::Idle { thread, .. } => call!(idle_end(number::of_thread(thread))),
        Event::ParallelBegin { flags, .. } | Event::ParallelEnd { flags, .. }
            if flags & flags::LEAGUE != 0 => {}
        Event::ParallelBegin { encountering, parallel, requested, flags, outlined, .. } => {
            let id = number::begin_region(parallel);
            call!(parallel_begin(
                number::of_task(encountering),
                frame(encountering),
                id,
                requested,
                outlined,
                invoker(flags),
            ));
        }
        Event::ParallelEnd { encountering, parallel, flags, .. } => {
            call!(parallel_end(
                number::of_region(parallel),
                number::of_task(encountering),
                invoker(flags),
            ));
        }
        Event::ImplicitTaskBegin { task, flags, .. } if flags & flags::TASK_INITIAL != 0 => {
            initial_task(registered::initial_task_begin(), task);
        }
        Event::ImplicitTaskEnd { task, flags, .. } if flags & flags::TASK_INITIAL != 0 => {
            initial_task(registered::initial_task_end(), task);
        }
        Event::ImplicitTaskBegin { parallel, task, .. } => {
            call!(implicit_task_begin(number::of_region(parallel), number::of_task(task)));
        }
        Event::ImplicitTaskEnd { task, .. } => {
            call!(implicit_task_end(region::of(None, task), number::of_task(task)));
        }
        Event::TaskCreate { encountering, task, outlined, .. } => {
            if switch::is_target(task) {
                target::task_is_created(task);
            } else if switch::is_explicit(task) {
                call!(task_begin(
                    number::of_task(encountering),
                    frame(encountering),
                    number::of_task(task),
                    outlined,
                ));
            }
        }
        Event::TaskSuspend { task } => wait::interrupt(task),
        Event::TaskSchedule { prior, status, next: Some(next) } => {
            switch::deliver(prior, status, next);
        }
        Event::TaskSchedule { next: None, .. } => {}
        Event::TaskEnd { task } => switch::end(task),
        Event::Dependences { task, dependences } => dependences::deliver(task, dependences),
        Event::TaskDependence { source, sink } => {
            if switch::is_taskwait(source) || switch::is_taskwait(sink) {
                return;
            }
            call!(task_dependence_pair(number::of_task(source), number::of_task(sink)));
        }
        Event::SyncRegion { kind, endpoint, parallel, task, .. } => {
            sync_region(kind, endpoint, region::of(parallel, task), number::of_task(task), code);
        }
        Event::SyncRegionWait { kind, endpoint: Endpoint::Begin, parallel, task, .. } => {
            wait::begin(kind, region::of(parallel, task), task);
        }
        Event::SyncRegionWait { parallel, task, .. } => wait::end(region::of(parallel, task), task),
        Event::Work { kind, endpoint, task, .. } => work(kind, endpoint, task, code),
        Event::Masked { endpoint, task, .. } => masked(endpoint, task, code),
        Event::MutexWait { kind, hint, wait_id, .. } => mutex_wait(kind, hint, wait_id),
        Event::MutexAcquired { kind, wait_id, .. } => mutex_acquired(kind, wait_id),
        Event::MutexReleased { kind, wait_id, .. } => mutex_released(kind, wait_id),
        Event::NestLock { endpoint: Endpoint::Begin, wait_id, .. } => {
            call!(acquired_nest_lock_next(wait_id));
        }
        Event::NestLock { wait_id, .. } => call!(release_nest_lock_prev(wait_id)),
        Event::LockInit { kind, hint, wait_id, .. } => {
            if is_nest(kind) {
                call!(init_nest_lock(wait_id, hint, MUTEX_IMPLEMENTATION));
            } else {
                call!(init_lock(wait_id, hint, MUTEX_IMPLEMENTATION));
            }
        }
        Event::LockDestroy { kind, wait_id, .. } => {
            if is_nest(kind) {
                call!(destroy_nest_lock(wait_id));
            } else {
                call!(destroy_lock(wait_id));
            }
        }
        Event::Flush { thread, .. } => call!(flush(number::of_thread(thread))),
        Event::TargetEncountered { encountering, construct } => {
            target::task_begins(encountering, construct);
        }
        Event::TargetEmi { region, endpoint } => target::construct(region, endpoint, code),
        // The report has no counterpart of other events, nor of those that a later OpenMP adds.
        _ => {}
    }
}

/// Calls the callback at an end of an initial task.
fn initial_task(callback: Option<ompt_task_callback_t>, task: &TaskRecord) {
    let Some(callback) = callback else { return };
    let id = number::of_task(task);
    // SAFETY: the report's callback has one argument. Tools written before it read the task's id
    // from a second one, which the report's tools, by the convention of calls, do not notice.
    unsafe {
        let callback = transmute::<ompt_task_callback_t, unsafe extern "C" fn(u64, u64)>(callback);
        callback(id, id);
    }
}

/// The callbacks at the ends of a barrier, taskwait or taskgroup region.
#[inline(always)]
fn sync_region(kind: SyncRegion, endpoint: Endpoint, region: u64, task: u64, code: *const c_void) {
    match (kind, endpoint) {
        (SyncRegion::Taskwait, Endpoint::Begin) => call!(taskwait_begin(region, task, code)),
        (SyncRegion::Taskwait, _) => call!(taskwait_end(region, task)),
        (SyncRegion::Taskgroup, Endpoint::Begin) => call!(taskgroup_begin(region, task, code)),
        (SyncRegion::Taskgroup, _) => call!(taskgroup_end(region, task)),
        (_, Endpoint::Begin) => barrier_begin(region, task, code),
        _ => call!(barrier_end(region, task)),
    }
}

/// The callback at the begin of a barrier region. A worker does not make the call that ends a
/// region: its barrier there belongs to the region's construct.
#[inline(always)]
fn barrier_begin(region: u64, task: u64, code: *const c_void) {
    let Some(callback) = registered::barrier_begin() else { return };
    let code = if code.is_null() { nearest_call() } else { code };
    // SAFETY: as in `call!`.
    unsafe { callback(region, task, code) };
}

/// The callbacks at the ends of a worksharing region that the report knows.
#[inline(always)]
fn work(kind: Work, endpoint: Endpoint, task: &TaskRecord, code: *const c_void) {
    let (region, id) = (region::of(None, task), number::of_task(task));
    let begins = endpoint == Endpoint::Begin;
    match kind {
        Work::Loop | Work::LoopStatic | Work::LoopDynamic | Work::LoopGuided | Work::LoopOther => {
            if begins {
                call!(loop_begin(region, id, code));
            } else {
                call!(loop_end(region, id));
            }
        }
        Work::Sections if begins => call!(sections_begin(region, id, code)),
        Work::Sections => call!(sections_end(region, id)),
        Work::SingleExecutor if begins => call!(single_in_block_begin(region, id, code)),
        Work::SingleExecutor => call!(single_in_block_end(region, id)),
        Work::SingleOther if begins => call!(single_others_begin(region, id)),
        Work::SingleOther => call!(single_others_end(region, id)),
        // No compiler tells the runtime of a workshare construct.
        Work::Workshare | Work::Distribute | Work::Taskloop | Work::Scope => {}
    }
}

/// The callbacks of a masked region that the team's primary thread executes: a master region.
#[inline(always)]
fn masked(endpoint: Endpoint, task: &TaskRecord, code: *const c_void) {
    let member = Thread::known().and_then(Thread::implicit_task_if_any);
    if member.is_none_or(|member| member.thread_num() != 0) {
        return;
    }
    let (region, id) = (region::of(None, task), number::of_task(task));
    if endpoint == Endpoint::Begin {
        call!(master_begin(region, id, code));
    } else {
        call!(master_end(region, id));
    }
}

/// The callback of a thread that begins to wait for a mutex.
#[inline(always)]
fn mutex_wait(kind: MutexKind, hint: u32, wait_id: u64) {
    match kind {
        MutexKind::Lock | MutexKind::TestLock => call!(wait_lock(wait_id)),
        MutexKind::NestLock | MutexKind::TestNestLock => call!(wait_nest_lock(wait_id)),
        MutexKind::Critical => call!(wait_critical(wait_id, hint, MUTEX_IMPLEMENTATION)),
        MutexKind::Atomic => call!(wait_atomic(wait_id, MUTEX_IMPLEMENTATION)),
        MutexKind::Ordered => call!(wait_ordered(wait_id)),
    }
}

#[inline(always)]
fn mutex_acquired(kind: MutexKind, wait_id: u64) {
    match kind {
        MutexKind::Lock | MutexKind::TestLock => call!(acquired_lock(wait_id)),
        MutexKind::NestLock | MutexKind::TestNestLock => call!(acquired_nest_lock_first(wait_id)),
        MutexKind::Critical => call!(acquired_critical(wait_id)),
        MutexKind::Atomic => call!(acquired_atomic(wait_id)),
        MutexKind::Ordered => call!(acquired_ordered(wait_id)),
    }
}

#[inline(always)]
fn mutex_released(kind: MutexKind, wait_id: u64) {
    match kind {
        MutexKind::Lock | MutexKind::TestLock => call!(release_lock(wait_id)),
        MutexKind::NestLock | MutexKind::TestNestLock => call!(release_nest_lock_last(wait_id)),
        MutexKind::Critical => call!(release_critical(wait_id)),
        MutexKind::Atomic => call!(release_atomic(wait_id)),
        MutexKind::Ordered => call!(release_ordered(wait_id)),
    }
}

fn is_nest(kind: MutexKind) -> bool {
    matches!(kind, MutexKind::NestLock | MutexKind::TestNestLock)
}

/// The kind of a thread; the numbers of the first three are those of OpenMP 5.
fn thread_type(kind: ThreadKind) -> ompt_thread_type_t {
    ompt_thread_type_t(kind as c_int)
}

/// The code that calls the outlined function on the primary thread.
fn invoker(flags: i32) -> ompt_invoker_t {
    if flags & flags::INVOKER_PROGRAM != 0 {
        ompt_invoker_t::PROGRAM
    } else {
        ompt_invoker_t::RUNTIME
    }
}
