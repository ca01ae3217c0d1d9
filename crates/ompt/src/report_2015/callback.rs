//! The callbacks that the runtime calls: one per event and tool type, from C's arguments to an
//! event.
//!
//! Each callback inlines the tool's method. No callback can unwind: `extern "C"` aborts instead.

use core::ffi::{c_int, c_void};
use core::mem::transmute;
use core::slice;

use oxomp_sys::report_2015::{
    ompt_atomic_type_t, ompt_callback_t, ompt_frame_t, ompt_invoker_t, ompt_lock_hint_t,
    ompt_lock_type_t, ompt_parallel_callback_t, ompt_parallel_id_t, ompt_target_activity_id_t,
    ompt_target_map_entry_t, ompt_target_task_type_t, ompt_task_dependence_t, ompt_task_id_t,
    ompt_thread_callback_t, ompt_thread_id_t, ompt_thread_type_t, ompt_wait_id_t,
};

use super::{
    Atomic, Construct, Control, Dependence, Dependences, Event, Flush, Frame, Idle, Lock, MapId,
    MapItem, Mutex, ParallelBegin, ParallelEnd, ParallelId, Region, Registered, TargetDataBegin,
    TargetDataMapBegin, TargetDataMapEnd, TargetTaskBegin, Task, TaskBegin, TaskDependencePair,
    TaskId, TaskSwitch, Thread, ThreadId, WaitId,
};
use crate::{CodePtr, SyncHint};

macro_rules! define_of {
    ($((
        $code:literal, $c_name:literal, $constant:ident, $name:ident, $callback:ty, $facts:tt
    );)*) => {
        /// The callback of an event, for a tool type; its signature is the event's.
        #[allow(clippy::useless_transmute, reason = "one has the common signature")]
        pub(super) fn of<T: Registered>(event: Event) -> ompt_callback_t {
            match event {
                $(Event::$constant => {
                    let callback: $callback = $name::<T>;
                    // SAFETY: function pointers have one size; the runtime calls it by the
                    // event's signature, which the line above has checked.
                    unsafe { transmute::<$callback, ompt_callback_t>(callback) }
                })*
                _ => unreachable!("{event:?} is not in the table"),
            }
        }
    };
}

oxomp_sys::for_each_event_2015!(define_of);

/// A callback that does nothing, for the end of a pair that the tool has not asked for.
pub(super) fn quiet(event: Event) -> ompt_callback_t {
    unsafe extern "C" fn thread(_: ompt_thread_id_t) {}
    unsafe extern "C" fn region(_: ompt_parallel_id_t, _: ompt_task_id_t) {}
    match event {
        Event::IDLE_BEGIN | Event::IDLE_END => {
            // SAFETY: function pointers have one size; the runtime calls it by the event's
            // signature, which is the one named here.
            unsafe { transmute::<ompt_thread_callback_t, ompt_callback_t>(thread) }
        }
        // The other pairs are waits of tasks.
        // SAFETY: as above.
        _ => unsafe { transmute::<ompt_parallel_callback_t, ompt_callback_t>(region) },
    }
}

/// The slice behind a callback's pointer and length; empty if the pointer is null.
///
/// # Safety
/// `start` is null or points to `length` elements, and the result is not used after the callback.
#[inline]
unsafe fn elements<'a, E>(start: *const E, length: usize) -> &'a [E] {
    match start.is_null() {
        true => &[],
        // SAFETY: as the caller promises.
        false => unsafe { slice::from_raw_parts(start, length) },
    }
}

/// The last event: the tool ends, and its entry points with it.
unsafe extern "C" fn runtime_shutdown<T: Registered>() {
    if let Some(tool) = T::slot().tool() {
        tool.runtime_shutdown();
    }
    T::slot().gate().close();
    T::slot().gate().wait_for_calls();
}

/// Defines callbacks: the names of events with one signature, that signature in C, and the event
/// made of it. In the body every pointer is valid as far as the runtime guarantees it for that
/// argument, during the callback. The tool exists, since callbacks are registered after it is
/// stored.
macro_rules! callbacks {
    ($($($name:ident)* : ($($arg:ident: $arg_type:ty),* $(,)?) $body:block)*) => {
        $(callbacks!(@each [$($name)*] ($($arg: $arg_type),*) $body);)*
    };
    (@each [$($name:ident)*] $arguments:tt $body:block) => {
        $(callbacks!(@one $name $arguments $body);)*
    };
    (@one $name:ident ($($arg:ident: $arg_type:ty),*) $body:block) => {
        #[allow(unused_unsafe, reason = "some events have no pointer to read")]
        unsafe extern "C" fn $name<T: Registered>($($arg: $arg_type),*) {
            let Some(tool) = T::slot().tool() else { return };
            // SAFETY: called by the runtime with the event's arguments, see `callbacks!`.
            tool.$name(&unsafe { $body });
        }
    };
}

callbacks! {
    thread_begin thread_end: (kind: ompt_thread_type_t, thread: ompt_thread_id_t) {
        Thread { kind: kind.into(), thread: ThreadId::new(thread) }
    }

    idle_begin idle_end: (thread: ompt_thread_id_t) {
        Idle { thread: ThreadId::new(thread) }
    }

    flush: (thread: ompt_thread_id_t) {
        Flush { thread: ThreadId::new(thread) }
    }

    parallel_begin: (
        parent: ompt_task_id_t,
        parent_frame: *const ompt_frame_t,
        parallel: ompt_parallel_id_t,
        requested_team_size: u32,
        function: *const c_void,
        invoker: ompt_invoker_t,
    ) {
        ParallelBegin {
            parent: TaskId::new(parent),
            parent_frame: Frame::from_raw(parent_frame),
            parallel: ParallelId::new(parallel),
            requested_team_size,
            function: CodePtr::new(function),
            invoker: invoker.into(),
        }
    }

    parallel_end: (parallel: ompt_parallel_id_t, task: ompt_task_id_t, invoker: ompt_invoker_t) {
        ParallelEnd {
            parallel: ParallelId::new(parallel),
            task: TaskId::new(task),
            invoker: invoker.into(),
        }
    }

    task_begin: (
        parent: ompt_task_id_t,
        parent_frame: *const ompt_frame_t,
        task: ompt_task_id_t,
        function: *const c_void,
    ) {
        TaskBegin {
            parent: TaskId::new(parent),
            parent_frame: Frame::from_raw(parent_frame),
            task: TaskId::new(task),
            function: CodePtr::new(function),
        }
    }

    task_end initial_task_begin initial_task_end target_task_end target_data_end:
    (task: ompt_task_id_t) {
        Task { task: TaskId::new(task) }
    }

    wait_barrier_begin wait_barrier_end wait_taskwait_begin wait_taskwait_end
    wait_taskgroup_begin wait_taskgroup_end implicit_task_begin implicit_task_end
    loop_end sections_end single_in_block_end single_others_begin single_others_end
    workshare_end master_end barrier_end taskwait_end taskgroup_end:
    (parallel: ompt_parallel_id_t, task: ompt_task_id_t) {
        Region { parallel: ParallelId::new(parallel), task: TaskId::new(task) }
    }

    loop_begin sections_begin single_in_block_begin workshare_begin master_begin barrier_begin
    taskwait_begin taskgroup_begin:
    (parallel: ompt_parallel_id_t, task: ompt_task_id_t, codeptr_ra: *const c_void) {
        Construct {
            parallel: ParallelId::new(parallel),
            task: TaskId::new(task),
            codeptr_ra: CodePtr::new(codeptr_ra),
        }
    }

    release_lock release_nest_lock_last release_critical release_atomic release_ordered
    release_nest_lock_prev wait_lock wait_nest_lock wait_ordered acquired_lock
    acquired_nest_lock_first acquired_nest_lock_next acquired_critical acquired_atomic
    acquired_ordered destroy_lock destroy_nest_lock:
    (wait_id: ompt_wait_id_t) {
        Mutex { wait_id: WaitId::new(wait_id) }
    }

    wait_critical init_lock init_nest_lock:
    (wait_id: ompt_wait_id_t, hint: ompt_lock_hint_t, lock_type: ompt_lock_type_t) {
        Lock { wait_id: WaitId::new(wait_id), hint: SyncHint(hint), lock_type }
    }

    wait_atomic: (wait_id: ompt_wait_id_t, atomic_type: ompt_atomic_type_t) {
        Atomic { wait_id: WaitId::new(wait_id), atomic_type }
    }

    task_switch: (suspended: ompt_task_id_t, resumed: ompt_task_id_t) {
        TaskSwitch { suspended: TaskId::new(suspended), resumed: TaskId::new(resumed) }
    }

    task_dependence_pair: (producer: ompt_task_id_t, consumer: ompt_task_id_t) {
        TaskDependencePair { producer: TaskId::new(producer), consumer: TaskId::new(consumer) }
    }

    task_dependences: (task: ompt_task_id_t, deps: *const ompt_task_dependence_t, ndeps: c_int) {
        let length = usize::try_from(ndeps).unwrap_or(0);
        Dependences {
            task: TaskId::new(task),
            dependences: elements(deps.cast::<Dependence>(), length),
        }
    }

    control: (command: u64, modifier: u64) {
        Control { command, modifier }
    }

    target_task_begin: (
        parent: ompt_task_id_t,
        parent_frame: *const ompt_frame_t,
        task: ompt_task_id_t,
        device_num: c_int,
        function: *const c_void,
        kind: ompt_target_task_type_t,
    ) {
        TargetTaskBegin {
            parent: TaskId::new(parent),
            parent_frame: Frame::from_raw(parent_frame),
            task: TaskId::new(task),
            device_num,
            function: CodePtr::new(function),
            kind: kind.into(),
        }
    }

    target_data_begin: (task: ompt_task_id_t, device_num: c_int, codeptr_ra: *const c_void) {
        TargetDataBegin {
            task: TaskId::new(task),
            device_num,
            codeptr_ra: CodePtr::new(codeptr_ra),
        }
    }

    target_data_map_begin: (
        task: ompt_task_id_t,
        device_num: c_int,
        items: *const ompt_target_map_entry_t,
        nitems: u32,
        map: ompt_target_activity_id_t,
    ) {
        TargetDataMapBegin {
            task: TaskId::new(task),
            device_num,
            items: elements(items.cast::<MapItem>(), nitems as usize),
            map: MapId(map),
        }
    }

    target_data_map_end: (device_num: c_int, map: ompt_target_activity_id_t) {
        TargetDataMapEnd { device_num, map: MapId(map) }
    }
}
