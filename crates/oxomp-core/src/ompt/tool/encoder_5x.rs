//! The encoder of events as callbacks of OpenMP 5.0 to 6.0 (5.2 §19.5.2).

use core::ffi::{c_int, c_void};
use core::mem::{offset_of, size_of};
use core::ptr;

use oxomp_sys::ompt::{
    ompt_cancel_flag_t, ompt_data_t, ompt_dependence_t, ompt_dispatch_chunk_t, ompt_dispatch_t,
    ompt_frame_t, ompt_mutex_t, ompt_parallel_flag_t, ompt_scope_endpoint_t, ompt_severity_t,
    ompt_sync_region_t, ompt_target_data_op_t, ompt_target_t, ompt_task_flag_t, ompt_task_status_t,
    ompt_thread_t, ompt_work_t,
};

use super::callbacks::registered;
use super::listener::{Encode, ForTool};
use crate::ompt::event::{
    DependenceRecord, Dispatch, Endpoint, Event, Frame, Listener, MUTEX_IMPLEMENTATION, MutexKind,
    ParallelRecord, SyncRegion, TaskRecord, TaskStatus, ThreadRecord, flags,
};

// Tools get a pointer to the frame in a task's record.
const _: () = {
    assert!(size_of::<Frame>() == size_of::<ompt_frame_t>());
    assert!(offset_of!(Frame, exit) == offset_of!(ompt_frame_t, exit_frame));
    assert!(offset_of!(Frame, enter) == offset_of!(ompt_frame_t, enter_frame));
    assert!(offset_of!(Frame, exit_flags) == offset_of!(ompt_frame_t, exit_frame_flags));
    assert!(offset_of!(Frame, enter_flags) == offset_of!(ompt_frame_t, enter_frame_flags));
    assert!(size_of::<ompt_data_t>() == size_of::<u64>());
    assert!(size_of::<DependenceRecord>() == size_of::<ompt_dependence_t>());
    assert!(offset_of!(DependenceRecord, kind) == offset_of!(ompt_dependence_t, dependence_type));
};

/// The tool's data word of a thread.
pub(super) fn thread_data(thread: &ThreadRecord) -> *mut ompt_data_t {
    thread.data.as_ptr().cast()
}

/// The tool's data word of a parallel region.
pub(super) fn parallel_data(parallel: &ParallelRecord) -> *mut ompt_data_t {
    parallel.data.as_ptr().cast()
}

/// The tool's data word of a task.
pub(super) fn task_data(task: &TaskRecord) -> *mut ompt_data_t {
    task.data.as_ptr().cast()
}

/// The frames of a task.
pub(super) fn task_frame(task: &TaskRecord) -> *mut ompt_frame_t {
    ptr::from_ref(&task.frame).cast_mut().cast()
}

/// The tool's data word of the region that a task belongs to.
fn region_data(task: &TaskRecord) -> *mut ompt_data_t {
    task.parallel().map_or(ptr::null_mut(), parallel_data)
}

/// Calls the callback of an event, if one is registered: a tool may unregister it at any time.
macro_rules! call {
    ($name:ident($($argument:expr),* $(,)?)) => {
        if let Some(callback) = registered::$name() {
            // SAFETY: the arguments are those that 5.2 §19.5.2 specifies for the event: words and
            // frames that outlive the call, null only where the event's description allows it.
            unsafe { callback($($argument),*) };
        }
    };
}

/// The listener for tools of OpenMP 5 and 6.
pub(super) static LISTENER: Listener = Listener::of::<ForTool<OpenMp5>>();

struct OpenMp5;

impl Encode for OpenMp5 {
    #[inline(always)]
    fn encode(event: &Event<'_>, code: *const c_void) {
        encode(event, code);
    }
}

#[inline(always)]
fn encode(event: &Event<'_>, code: *const c_void) {
    match *event {
        Event::ThreadBegin { thread, kind } => {
            call!(thread_begin(ompt_thread_t(kind as c_int), thread_data(thread)));
        }
        Event::ThreadEnd { thread, .. } => call!(thread_end(thread_data(thread))),
        // Only the interface of 2015 needs `outlined`.
        Event::ParallelBegin { encountering, parallel, requested, flags, outlined: _, .. } => {
            call!(parallel_begin(
                task_data(encountering),
                task_frame(encountering),
                parallel_data(parallel),
                requested,
                parallel_flags(flags),
                code,
            ));
        }
        Event::ParallelEnd { encountering, parallel, flags, .. } => {
            call!(parallel_end(
                parallel_data(parallel),
                task_data(encountering),
                parallel_flags(flags),
                code,
            ));
        }
        Event::ImplicitTaskBegin { parallel, task, actual, index, flags } => {
            call!(implicit_task(
                ompt_scope_endpoint_t::BEGIN,
                parallel_data(parallel),
                task_data(task),
                actual,
                index,
                task_flags(flags),
            ));
        }
        // The end has neither region nor team size (6.0 §34.5.3).
        Event::ImplicitTaskEnd { task, index, flags } => {
            call!(implicit_task(
                ompt_scope_endpoint_t::END,
                ptr::null_mut(),
                task_data(task),
                0,
                index,
                task_flags(flags),
            ));
        }
        Event::TaskCreate { encountering, task, has_dependences, .. } => {
            call!(task_create(
                task_data(encountering),
                task_frame(encountering),
                task_data(task),
                task_flags(task.flags.get()),
                c_int::from(has_dependences),
                code,
            ));
        }
        // A taskwait with nowait is a task without code: no thread switches to it, and its end is
        // reported like that of a taskwait which waited (5.2 §15.5).
        Event::TaskSchedule { next: Some(next), .. } if is_taskwait(next) => {}
        Event::TaskSchedule { prior, status, next } => {
            let (status, next) = match status {
                TaskStatus::Complete if is_taskwait(prior) => (TaskStatus::TaskwaitComplete, None),
                _ => (status, next),
            };
            call!(task_schedule(
                task_data(prior),
                ompt_task_status_t(status as c_int),
                next.map_or(ptr::null_mut(), task_data),
            ));
        }
        Event::Dependences { task, dependences } => {
            let count = dependences.len() as c_int;
            call!(dependences(task_data(task), dependences.as_ptr().cast(), count));
        }
        Event::TaskDependence { source, sink } => {
            call!(task_dependence(task_data(source), task_data(sink)));
        }
        Event::SyncRegion { kind, endpoint, parallel, task, .. } => {
            call!(sync_region(
                sync_kind(kind),
                scope(endpoint),
                parallel.map_or(ptr::null_mut(), parallel_data),
                task_data(task),
                code,
            ));
        }
        Event::SyncRegionWait { kind, endpoint, parallel, task, .. } => {
            call!(sync_region_wait(
                sync_kind(kind),
                scope(endpoint),
                parallel.map_or(ptr::null_mut(), parallel_data),
                task_data(task),
                code,
            ));
        }
        Event::Reduction { endpoint, task, .. } => {
            call!(reduction(
                ompt_sync_region_t::REDUCTION,
                scope(endpoint),
                region_data(task),
                task_data(task),
                code,
            ));
        }
        Event::Work { kind, endpoint, task, count, .. } => {
            call!(work(
                ompt_work_t(kind as c_int),
                scope(endpoint),
                region_data(task),
                task_data(task),
                count,
                code,
            ));
        }
        Event::Dispatch { kind, task, start, iterations, .. } => {
            let chunk = ompt_dispatch_chunk_t { start, iterations };
            // An iteration is identified by its number and a section by its address; a chunk by a
            // pointer that is valid during the call.
            let instance = match kind {
                Dispatch::Iteration | Dispatch::Section => ompt_data_t { value: start },
                Dispatch::WorksharingLoopChunk
                | Dispatch::TaskloopChunk
                | Dispatch::DistributeChunk => ompt_data_t::from_ptr(&raw const chunk),
            };
            let kind = ompt_dispatch_t(kind as c_int);
            call!(dispatch(region_data(task), task_data(task), kind, instance));
        }
        Event::Masked { endpoint, task, .. } => {
            call!(masked(scope(endpoint), region_data(task), task_data(task), code));
        }
        Event::LockInit { kind, hint, wait_id, .. } => {
            call!(lock_init(mutex(kind), hint, MUTEX_IMPLEMENTATION, wait_id, code));
        }
        Event::LockDestroy { kind, wait_id, .. } => {
            call!(lock_destroy(mutex(kind), wait_id, code));
        }
        Event::MutexAcquire { kind, hint, wait_id, .. } => {
            call!(mutex_acquire(mutex(kind), hint, MUTEX_IMPLEMENTATION, wait_id, code));
        }
        Event::MutexAcquired { kind, wait_id, .. } => {
            call!(mutex_acquired(mutex(kind), wait_id, code));
        }
        Event::MutexReleased { kind, wait_id, .. } => {
            call!(mutex_released(mutex(kind), wait_id, code));
        }
        Event::NestLock { endpoint, wait_id, .. } => {
            call!(nest_lock(scope(endpoint), wait_id, code));
        }
        Event::Cancel { task, flags, .. } => {
            call!(cancel(task_data(task), ompt_cancel_flag_t(flags), code));
        }
        Event::Flush { thread, .. } => {
            call!(flush(thread_data(thread), code));
        }
        Event::Target { region, endpoint } => {
            call!(target(
                ompt_target_t(region.kind),
                scope(endpoint),
                region.device_num,
                task_data(region.encountering),
                region.id,
                code,
            ));
        }
        Event::TargetEmi { region, endpoint } => {
            call!(target_emi(
                ompt_target_t(region.kind),
                scope(endpoint),
                region.device_num,
                task_data(region.encountering),
                region.target_task.map_or(ptr::null_mut(), task_data),
                region.data.as_ptr().cast(),
                code,
            ));
        }
        Event::TargetDataOp { operation, .. } => {
            let ((source, from), (destination, to)) = (operation.source, operation.destination);
            call!(target_data_op(
                0,
                operation.host_op_id.get(),
                ompt_target_data_op_t(operation.kind),
                source.cast_mut(),
                from,
                destination.cast_mut(),
                to,
                operation.bytes,
                code,
            ));
        }
        Event::TargetDataOpEmi { operation, endpoint, .. } => {
            let ((source, from), (destination, to)) = (operation.source, operation.destination);
            call!(target_data_op_emi(
                scope(endpoint),
                operation.target_task.map_or(ptr::null_mut(), task_data),
                operation.data.as_ptr().cast(),
                operation.host_op_id.as_ptr(),
                ompt_target_data_op_t(operation.kind),
                source.cast_mut(),
                from,
                destination.cast_mut(),
                to,
                operation.bytes,
                code,
            ));
        }
        Event::TargetSubmit { region, num_teams } => {
            call!(target_submit(region.id, region.host_op_id.get(), num_teams));
        }
        Event::TargetSubmitEmi { region, endpoint, num_teams } => {
            call!(target_submit_emi(
                scope(endpoint),
                region.data.as_ptr().cast(),
                region.host_op_id.as_ptr(),
                num_teams,
            ));
        }
        // OpenMP 5 has no callback for these.
        Event::Idle { .. }
        | Event::MutexWait { .. }
        | Event::TaskSuspend { .. }
        | Event::TaskEnd { .. }
        | Event::TargetEncountered { .. } => {}
        Event::Error { severity, message, .. } => {
            let length = message.count_bytes();
            let severity = ompt_severity_t(severity as c_int);
            call!(error(severity, message.as_ptr(), length, code));
        }
    }
}

fn is_taskwait(task: &TaskRecord) -> bool {
    task.flags.get() & flags::TASK_TASKWAIT != 0
}

fn scope(endpoint: Endpoint) -> ompt_scope_endpoint_t {
    ompt_scope_endpoint_t(endpoint as c_int)
}

fn sync_kind(kind: SyncRegion) -> ompt_sync_region_t {
    ompt_sync_region_t(kind as c_int)
}

fn mutex(kind: MutexKind) -> ompt_mutex_t {
    ompt_mutex_t(kind as c_int)
}

fn parallel_flags(flags: i32) -> ompt_parallel_flag_t {
    ompt_parallel_flag_t(flags.cast_unsigned())
}

fn task_flags(flags: i32) -> ompt_task_flag_t {
    ompt_task_flag_t(flags.cast_unsigned())
}
