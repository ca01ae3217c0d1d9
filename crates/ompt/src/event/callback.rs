//! The callbacks that the runtime calls: one per event and tool type, from C's arguments to an
//! event. The callbacks with which objects begin and end are in `lifecycle`, those of devices in
//! `device`.
//!
//! Each callback inlines the tool's method. No callback can unwind: `extern "C"` aborts instead.

use core::ffi::{c_char, c_int, c_uint, c_void};
use core::mem::transmute;

use oxomp_sys::ompt::{
    ompt_callback_t, ompt_data_t, ompt_dependence_t, ompt_dispatch_t, ompt_id_t, ompt_mutex_t,
    ompt_scope_endpoint_t, ompt_severity_t, ompt_sync_region_t, ompt_target_data_op_t,
    ompt_target_t, ompt_wait_id_t, ompt_work_t,
};

use super::argument::{elements, id_word, string, word};
use super::device::{device_finalize, device_initialize};
use super::host::{
    Dependence, Dependences, Dispatch, DispatchInstance, ErrorDirective, Flush, Masked, Mutex,
    MutexAcquire, NestLock, SyncRegion, TaskDependence, Work,
};
use super::lifecycle::{
    cancel, control_tool, implicit_task, parallel_begin, parallel_end, task_create, task_schedule,
    thread_begin, thread_end,
};
use super::target::{
    DeviceLoad, DeviceUnload, Target, TargetDataOp, TargetDataOpEmi, TargetEmi, TargetMap,
    TargetMapEmi, TargetSubmit, TargetSubmitEmi,
};
use crate::device::map::MapItems;
use crate::{
    CodePtr, DeviceAddress, Event, HostAddress, Model, Registered, SyncHint, Tool, WaitId,
};

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

/// The words of a tool, read as its model demands.
type Words<T> = <T as Tool>::Model;

/// Defines callbacks: C's signature, the event made of it. In the body every pointer is valid as
/// far as the runtime guarantees it for that argument, during the callback. The tool exists, since
/// callbacks are registered after it is stored; a callback of another tool type than the runtime's
/// would find no tool, and would do nothing.
macro_rules! callbacks {
    ($($name:ident($($arg:ident: $arg_type:ty),* $(,)?) $body:block)*) => {
        $(
            #[allow(unused_unsafe, reason = "some events have no pointer to read")]
            unsafe extern "C" fn $name<T: Registered>($($arg: $arg_type),*) {
                let Some(tool) = T::slot().tool() else { return };
                // SAFETY: called by the runtime with the event's arguments, see `callbacks!`.
                tool.$name(&unsafe { $body });
            }
        )*
    };
}

callbacks! {
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
            parallel: Words::<T>::region_around(parallel, task),
            task: Words::<T>::task(task),
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
            parallel: Words::<T>::region_around(parallel, task),
            task: Words::<T>::task(task),
            instance: DispatchInstance::from_raw(kind, instance),
        }
    }

    dependences(task: *mut ompt_data_t, deps: *const ompt_dependence_t, ndeps: c_int) {
        let length = usize::try_from(ndeps).unwrap_or(0);
        Dependences {
            task: Words::<T>::task(task),
            dependences: elements(deps.cast::<Dependence>(), length),
        }
    }

    task_dependence(source: *mut ompt_data_t, sink: *mut ompt_data_t) {
        TaskDependence { source: Words::<T>::other(source), sink: Words::<T>::other(sink) }
    }

    masked(
        endpoint: ompt_scope_endpoint_t,
        parallel: *mut ompt_data_t,
        task: *mut ompt_data_t,
        codeptr_ra: *const c_void,
    ) {
        Masked {
            endpoint: endpoint.into(),
            parallel: Words::<T>::region_around(parallel, task),
            task: Words::<T>::task(task),
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
        sync_region_event::<T>(kind, endpoint, parallel, task, codeptr_ra)
    }

    sync_region_wait(
        kind: ompt_sync_region_t,
        endpoint: ompt_scope_endpoint_t,
        parallel: *mut ompt_data_t,
        task: *mut ompt_data_t,
        codeptr_ra: *const c_void,
    ) {
        sync_region_event::<T>(kind, endpoint, parallel, task, codeptr_ra)
    }

    reduction(
        kind: ompt_sync_region_t,
        endpoint: ompt_scope_endpoint_t,
        parallel: *mut ompt_data_t,
        task: *mut ompt_data_t,
        codeptr_ra: *const c_void,
    ) {
        sync_region_event::<T>(kind, endpoint, parallel, task, codeptr_ra)
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
        Flush { thread: Words::<T>::thread(thread), codeptr_ra: CodePtr::new(codeptr_ra) }
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
            host_addr: HostAddress::new(host_addr),
            device_addr: DeviceAddress::new(device_addr),
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
            task: Words::<T>::task(task),
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
            task: Words::<T>::task(task),
            target_task: Words::<T>::other(target_task),
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
            src_addr: DeviceAddress::new(src_addr),
            src_device_num,
            dest_addr: DeviceAddress::new(dest_addr),
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
            target_task: Words::<T>::other(target_task),
            target: word(target),
            host_op_id: id_word(host_op_id),
            kind: kind.into(),
            src_addr: DeviceAddress::new(src_addr),
            src_device_num,
            dest_addr: DeviceAddress::new(dest_addr),
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
            items: MapItems::from_raw(nitems, host_addrs, device_addrs, bytes, flags),
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
            items: MapItems::from_raw(nitems, host_addrs, device_addrs, bytes, flags),
            codeptr_ra: CodePtr::new(codeptr_ra),
        }
    }
}

/// # Safety
/// The arguments are those of a callback of this signature.
#[inline]
unsafe fn sync_region_event<'a, T: Tool>(
    kind: ompt_sync_region_t,
    endpoint: ompt_scope_endpoint_t,
    parallel: *mut ompt_data_t,
    task: *mut ompt_data_t,
    codeptr_ra: *const c_void,
) -> SyncRegion<'a, T::Model> {
    // SAFETY: as the caller promises.
    let (parallel, task) =
        unsafe { (Words::<T>::region_around(parallel, task), Words::<T>::task(task)) };
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
