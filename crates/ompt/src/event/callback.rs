//! The callbacks that the runtime calls: one per event and tool type, from C's arguments to an
//! event.
//!
//! Each callback finds the tool at a constant address and inlines its method. None can unwind:
//! `extern "C"` aborts instead.

use core::ffi::{CStr, c_char, c_int, c_uint, c_void};
use core::mem::transmute;
use core::slice;

use oxomp_sys::ompt::{
    ompt_callback_t, ompt_cancel_flag_t, ompt_data_t, ompt_dependence_t, ompt_device_t,
    ompt_dispatch_t, ompt_frame_t, ompt_function_lookup_t, ompt_id_t, ompt_mutex_t,
    ompt_parallel_flag_t, ompt_scope_endpoint_t, ompt_severity_t, ompt_sync_region_t,
    ompt_target_data_op_t, ompt_target_map_flag_t, ompt_target_t, ompt_task_flag_t,
    ompt_task_status_t, ompt_thread_t, ompt_wait_id_t, ompt_work_t,
};

use super::host::{
    Cancel, ControlTool, Dependence, Dependences, Dispatch, DispatchInstance, ErrorDirective,
    Flush, ImplicitTask, Masked, Mutex, MutexAcquire, NestLock, ParallelBegin, ParallelEnd,
    SyncRegion, TaskCreate, TaskDependence, TaskSchedule, ThreadBegin, ThreadEnd, Work,
};
use super::target::{
    DeviceFinalize, DeviceInitialize, DeviceLoad, DeviceUnload, Target, TargetDataOp,
    TargetDataOpEmi, TargetEmi, TargetMap, TargetMapEmi, TargetSubmit, TargetSubmitEmi,
};
use crate::{CodePtr, DataWord, Event, Frame, Registered, SyncHint, WaitId};

macro_rules! define_of {
    ($((
        $code:literal, $c_name:literal, $constant:ident, $name:ident, $callback:ty, $facts:tt
    );)*) => {
        /// The callback of an event, for a tool type; its signature is the event's.
        pub(crate) fn of<T: Registered>(event: Event) -> ompt_callback_t {
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

oxomp_sys::for_each_event!(define_of);

/// The tool that a callback is for.
#[inline]
fn tool<T: Registered>() -> &'static T {
    // SAFETY: callbacks are registered after the tool was stored (see `start::initialize`).
    unsafe { T::slot().tool() }
}

/// The word behind a callback's argument.
///
/// # Safety
/// `word` is a callback's argument, and the result is not used after the callback.
#[inline]
unsafe fn word<'a>(word: *mut ompt_data_t) -> Option<&'a DataWord> {
    // SAFETY: a runtime passes null or a word that is alive during the callback.
    unsafe { DataWord::from_raw(word) }
}

/// The word behind a pointer to an operation's id.
///
/// # Safety
/// As for [`word`].
#[inline]
unsafe fn id_word<'a>(id: *mut ompt_id_t) -> Option<&'a DataWord> {
    // SAFETY: an id is a word of the same layout, alive during the callback.
    unsafe { DataWord::from_raw(id.cast()) }
}

/// The slice behind a callback's pointer and length; empty if the pointer is null or the length 0.
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

/// The string behind a callback's argument.
///
/// # Safety
/// `text` is null or a string, and the result is not used after the callback.
unsafe fn string<'a>(text: *const c_char) -> Option<&'a CStr> {
    // SAFETY: as the caller promises.
    (!text.is_null()).then(|| unsafe { CStr::from_ptr(text) })
}

/// Defines callbacks: C's signature, the event made of it. In the body every pointer is valid as
/// far as the runtime guarantees it for that argument, during the callback.
macro_rules! callbacks {
    ($($name:ident($($arg:ident: $arg_type:ty),* $(,)?) $(-> $result:ty)? $body:block)*) => {
        $(
            #[allow(unused_unsafe, reason = "some events have no pointer to read")]
            unsafe extern "C" fn $name<T: Registered>($($arg: $arg_type),*) $(-> $result)? {
                // SAFETY: called by the runtime with the event's arguments, see `callbacks!`.
                let event = &unsafe { $body };
                callbacks!(@call $name, event $(, $result)?)
            }
        )*
    };
    (@call $name:ident, $event:ident) => { tool::<T>().$name($event) };
    (@call $name:ident, $event:ident, $result:ty) => { tool::<T>().$name($event).0 };
}

callbacks! {
    thread_begin(kind: ompt_thread_t, thread: *mut ompt_data_t) {
        ThreadBegin { kind: kind.into(), thread: word(thread) }
    }

    thread_end(thread: *mut ompt_data_t) {
        ThreadEnd { thread: word(thread) }
    }

    parallel_begin(
        encountering_task: *mut ompt_data_t,
        encountering_frame: *const ompt_frame_t,
        parallel: *mut ompt_data_t,
        requested_parallelism: c_uint,
        flags: ompt_parallel_flag_t,
        codeptr_ra: *const c_void,
    ) {
        ParallelBegin {
            encountering_task: word(encountering_task),
            encountering_frame: Frame::from_raw(encountering_frame),
            parallel: word(parallel),
            requested_parallelism,
            flags,
            codeptr_ra: CodePtr::new(codeptr_ra),
        }
    }

    parallel_end(
        parallel: *mut ompt_data_t,
        encountering_task: *mut ompt_data_t,
        flags: ompt_parallel_flag_t,
        codeptr_ra: *const c_void,
    ) {
        ParallelEnd {
            parallel: word(parallel),
            encountering_task: word(encountering_task),
            flags,
            codeptr_ra: CodePtr::new(codeptr_ra),
        }
    }

    implicit_task(
        endpoint: ompt_scope_endpoint_t,
        parallel: *mut ompt_data_t,
        task: *mut ompt_data_t,
        actual_parallelism: c_uint,
        index: c_uint,
        flags: ompt_task_flag_t,
    ) {
        ImplicitTask {
            endpoint: endpoint.into(),
            parallel: word(parallel),
            task: word(task),
            actual_parallelism,
            index,
            flags,
        }
    }

    work(
        kind: ompt_work_t,
        endpoint: ompt_scope_endpoint_t,
        parallel: *mut ompt_data_t,
        task: *mut ompt_data_t,
        count: u64,
        codeptr_ra: *const c_void,
    ) {
        Work {
            kind: kind.into(),
            endpoint: endpoint.into(),
            parallel: word(parallel),
            task: word(task),
            count,
            codeptr_ra: CodePtr::new(codeptr_ra),
        }
    }

    dispatch(
        parallel: *mut ompt_data_t,
        task: *mut ompt_data_t,
        kind: ompt_dispatch_t,
        instance: ompt_data_t,
    ) {
        Dispatch {
            parallel: word(parallel),
            task: word(task),
            instance: DispatchInstance::from_raw(kind, instance),
        }
    }

    task_create(
        encountering_task: *mut ompt_data_t,
        encountering_frame: *const ompt_frame_t,
        task: *mut ompt_data_t,
        flags: ompt_task_flag_t,
        has_dependences: c_int,
        codeptr_ra: *const c_void,
    ) {
        TaskCreate {
            encountering_task: word(encountering_task),
            encountering_frame: Frame::from_raw(encountering_frame),
            task: word(task),
            flags,
            has_dependences: has_dependences != 0,
            codeptr_ra: CodePtr::new(codeptr_ra),
        }
    }

    dependences(task: *mut ompt_data_t, deps: *const ompt_dependence_t, ndeps: c_int) {
        let length = usize::try_from(ndeps).unwrap_or(0);
        Dependences {
            task: word(task),
            dependences: elements(deps.cast::<Dependence>(), length),
        }
    }

    task_dependence(source: *mut ompt_data_t, sink: *mut ompt_data_t) {
        TaskDependence { source: word(source), sink: word(sink) }
    }

    task_schedule(
        prior: *mut ompt_data_t,
        status: ompt_task_status_t,
        next: *mut ompt_data_t,
    ) {
        TaskSchedule { prior: word(prior), status: status.into(), next: word(next) }
    }

    masked(
        endpoint: ompt_scope_endpoint_t,
        parallel: *mut ompt_data_t,
        task: *mut ompt_data_t,
        codeptr_ra: *const c_void,
    ) {
        Masked {
            endpoint: endpoint.into(),
            parallel: word(parallel),
            task: word(task),
            codeptr_ra: CodePtr::new(codeptr_ra),
        }
    }

    sync_region(
        kind: ompt_sync_region_t,
        endpoint: ompt_scope_endpoint_t,
        parallel: *mut ompt_data_t,
        task: *mut ompt_data_t,
        codeptr_ra: *const c_void,
    ) {
        sync_region_event(kind, endpoint, parallel, task, codeptr_ra)
    }

    sync_region_wait(
        kind: ompt_sync_region_t,
        endpoint: ompt_scope_endpoint_t,
        parallel: *mut ompt_data_t,
        task: *mut ompt_data_t,
        codeptr_ra: *const c_void,
    ) {
        sync_region_event(kind, endpoint, parallel, task, codeptr_ra)
    }

    reduction(
        kind: ompt_sync_region_t,
        endpoint: ompt_scope_endpoint_t,
        parallel: *mut ompt_data_t,
        task: *mut ompt_data_t,
        codeptr_ra: *const c_void,
    ) {
        sync_region_event(kind, endpoint, parallel, task, codeptr_ra)
    }

    lock_init(
        kind: ompt_mutex_t,
        hint: c_uint,
        implementation: c_uint,
        wait_id: ompt_wait_id_t,
        codeptr_ra: *const c_void,
    ) {
        mutex_acquire_event(kind, hint, implementation, wait_id, codeptr_ra)
    }

    mutex_acquire(
        kind: ompt_mutex_t,
        hint: c_uint,
        implementation: c_uint,
        wait_id: ompt_wait_id_t,
        codeptr_ra: *const c_void,
    ) {
        mutex_acquire_event(kind, hint, implementation, wait_id, codeptr_ra)
    }

    lock_destroy(kind: ompt_mutex_t, wait_id: ompt_wait_id_t, codeptr_ra: *const c_void) {
        mutex_event(kind, wait_id, codeptr_ra)
    }

    mutex_acquired(kind: ompt_mutex_t, wait_id: ompt_wait_id_t, codeptr_ra: *const c_void) {
        mutex_event(kind, wait_id, codeptr_ra)
    }

    mutex_released(kind: ompt_mutex_t, wait_id: ompt_wait_id_t, codeptr_ra: *const c_void) {
        mutex_event(kind, wait_id, codeptr_ra)
    }

    nest_lock(
        endpoint: ompt_scope_endpoint_t,
        wait_id: ompt_wait_id_t,
        codeptr_ra: *const c_void,
    ) {
        NestLock {
            endpoint: endpoint.into(),
            wait_id: WaitId(wait_id),
            codeptr_ra: CodePtr::new(codeptr_ra),
        }
    }

    flush(thread: *mut ompt_data_t, codeptr_ra: *const c_void) {
        Flush { thread: word(thread), codeptr_ra: CodePtr::new(codeptr_ra) }
    }

    cancel(task: *mut ompt_data_t, flags: ompt_cancel_flag_t, codeptr_ra: *const c_void) {
        Cancel { task: word(task), flags, codeptr_ra: CodePtr::new(codeptr_ra) }
    }

    error(
        severity: ompt_severity_t,
        message: *const c_char,
        length: usize,
        codeptr_ra: *const c_void,
    ) {
        ErrorDirective {
            severity: severity.into(),
            message: elements(message.cast::<u8>(), length),
            codeptr_ra: CodePtr::new(codeptr_ra),
        }
    }

    control_tool(
        command: u64,
        modifier: u64,
        arg: *mut c_void,
        codeptr_ra: *const c_void,
    ) -> c_int {
        ControlTool { command, modifier, arg, codeptr_ra: CodePtr::new(codeptr_ra) }
    }

    device_initialize(
        device_num: c_int,
        device_type: *const c_char,
        device: *mut ompt_device_t,
        lookup: Option<ompt_function_lookup_t>,
        documentation: *const c_char,
    ) {
        DeviceInitialize {
            device_num,
            device_type: string(device_type),
            device,
            lookup,
            documentation: string(documentation),
        }
    }

    device_finalize(device_num: c_int) {
        DeviceFinalize { device_num }
    }

    device_load(
        device_num: c_int,
        filename: *const c_char,
        offset_in_file: i64,
        vma_in_file: *mut c_void,
        bytes: usize,
        host_addr: *mut c_void,
        device_addr: *mut c_void,
        module_id: u64,
    ) {
        DeviceLoad {
            device_num,
            filename: string(filename),
            offset_in_file,
            vma_in_file: vma_in_file.addr() as u64,
            bytes,
            host_addr: host_addr.addr() as u64,
            device_addr: device_addr.addr() as u64,
            module_id,
        }
    }

    device_unload(device_num: c_int, module_id: u64) {
        DeviceUnload { device_num, module_id }
    }

    target(
        kind: ompt_target_t,
        endpoint: ompt_scope_endpoint_t,
        device_num: c_int,
        task: *mut ompt_data_t,
        target_id: ompt_id_t,
        codeptr_ra: *const c_void,
    ) {
        Target {
            kind: kind.into(),
            endpoint: endpoint.into(),
            device_num,
            task: word(task),
            target_id,
            codeptr_ra: CodePtr::new(codeptr_ra),
        }
    }

    target_emi(
        kind: ompt_target_t,
        endpoint: ompt_scope_endpoint_t,
        device_num: c_int,
        task: *mut ompt_data_t,
        target_task: *mut ompt_data_t,
        target: *mut ompt_data_t,
        codeptr_ra: *const c_void,
    ) {
        TargetEmi {
            kind: kind.into(),
            endpoint: endpoint.into(),
            device_num,
            task: word(task),
            target_task: word(target_task),
            target: word(target),
            codeptr_ra: CodePtr::new(codeptr_ra),
        }
    }

    target_data_op(
        target_id: ompt_id_t,
        host_op_id: ompt_id_t,
        kind: ompt_target_data_op_t,
        src_addr: *mut c_void,
        src_device_num: c_int,
        dest_addr: *mut c_void,
        dest_device_num: c_int,
        bytes: usize,
        codeptr_ra: *const c_void,
    ) {
        TargetDataOp {
            target_id,
            host_op_id,
            kind: kind.into(),
            src_addr: src_addr.addr() as u64,
            src_device_num,
            dest_addr: dest_addr.addr() as u64,
            dest_device_num,
            bytes,
            codeptr_ra: CodePtr::new(codeptr_ra),
        }
    }

    target_data_op_emi(
        endpoint: ompt_scope_endpoint_t,
        target_task: *mut ompt_data_t,
        target: *mut ompt_data_t,
        host_op_id: *mut ompt_id_t,
        kind: ompt_target_data_op_t,
        src_addr: *mut c_void,
        src_device_num: c_int,
        dest_addr: *mut c_void,
        dest_device_num: c_int,
        bytes: usize,
        codeptr_ra: *const c_void,
    ) {
        TargetDataOpEmi {
            endpoint: endpoint.into(),
            target_task: word(target_task),
            target: word(target),
            host_op_id: id_word(host_op_id),
            kind: kind.into(),
            src_addr: src_addr.addr() as u64,
            src_device_num,
            dest_addr: dest_addr.addr() as u64,
            dest_device_num,
            bytes,
            codeptr_ra: CodePtr::new(codeptr_ra),
        }
    }

    target_submit(target_id: ompt_id_t, host_op_id: ompt_id_t, requested_num_teams: c_uint) {
        TargetSubmit { target_id, host_op_id, requested_num_teams }
    }

    target_submit_emi(
        endpoint: ompt_scope_endpoint_t,
        target: *mut ompt_data_t,
        host_op_id: *mut ompt_id_t,
        requested_num_teams: c_uint,
    ) {
        TargetSubmitEmi {
            endpoint: endpoint.into(),
            target: word(target),
            host_op_id: id_word(host_op_id),
            requested_num_teams,
        }
    }

    target_map(
        target_id: ompt_id_t,
        nitems: c_uint,
        host_addrs: *mut *mut c_void,
        device_addrs: *mut *mut c_void,
        bytes: *mut usize,
        flags: *mut c_uint,
        codeptr_ra: *const c_void,
    ) {
        TargetMap {
            target_id,
            host_addrs: elements(host_addrs, nitems as usize),
            device_addrs: elements(device_addrs, nitems as usize),
            bytes: elements(bytes, nitems as usize),
            flags: elements(flags.cast::<ompt_target_map_flag_t>(), nitems as usize),
            codeptr_ra: CodePtr::new(codeptr_ra),
        }
    }

    target_map_emi(
        target: *mut ompt_data_t,
        nitems: c_uint,
        host_addrs: *mut *mut c_void,
        device_addrs: *mut *mut c_void,
        bytes: *mut usize,
        flags: *mut c_uint,
        codeptr_ra: *const c_void,
    ) {
        TargetMapEmi {
            target: word(target),
            host_addrs: elements(host_addrs, nitems as usize),
            device_addrs: elements(device_addrs, nitems as usize),
            bytes: elements(bytes, nitems as usize),
            flags: elements(flags.cast::<ompt_target_map_flag_t>(), nitems as usize),
            codeptr_ra: CodePtr::new(codeptr_ra),
        }
    }
}

/// # Safety
/// The arguments are those of a callback of this signature.
#[inline]
unsafe fn sync_region_event<'a>(
    kind: ompt_sync_region_t,
    endpoint: ompt_scope_endpoint_t,
    parallel: *mut ompt_data_t,
    task: *mut ompt_data_t,
    codeptr_ra: *const c_void,
) -> SyncRegion<'a> {
    // SAFETY: as the caller promises.
    let (parallel, task) = unsafe { (word(parallel), word(task)) };
    SyncRegion {
        kind: kind.into(),
        endpoint: endpoint.into(),
        parallel,
        task,
        codeptr_ra: CodePtr::new(codeptr_ra),
    }
}

#[inline]
fn mutex_acquire_event(
    kind: ompt_mutex_t,
    hint: c_uint,
    implementation: c_uint,
    wait_id: ompt_wait_id_t,
    codeptr_ra: *const c_void,
) -> MutexAcquire {
    MutexAcquire {
        kind: kind.into(),
        hint: SyncHint(hint),
        implementation,
        wait_id: WaitId(wait_id),
        codeptr_ra: CodePtr::new(codeptr_ra),
    }
}

#[inline]
fn mutex_event(kind: ompt_mutex_t, wait_id: ompt_wait_id_t, codeptr_ra: *const c_void) -> Mutex {
    Mutex { kind: kind.into(), wait_id: WaitId(wait_id), codeptr_ra: CodePtr::new(codeptr_ra) }
}
