//! Target regions.

use core::ffi::{c_int, c_void};
use core::mem::offset_of;
use core::ptr::NonNull;

use oxomp_sys::offload::KernelArgs;
use oxomp_target::construct::{self, TargetRegion};
use oxomp_target::location::Location;
use oxomp_target::plugin::Launch;
use oxomp_target::tool::CallSite;

use crate::arguments::{Loc, items, location, wait_for};
use crate::offload;

/// The bit of the flags for nowait.
const NOWAIT: u64 = 1;
/// The result that makes the caller execute the host's version of the region.
const NOT_EXECUTED: c_int = 1;

/// The arguments in the form of the current version; those that an older version lacks have their
/// defaults.
///
/// # Safety
/// `arguments` are of the version that they say.
unsafe fn read(arguments: *const KernelArgs) -> KernelArgs {
    // SAFETY: all versions begin with the version.
    let version = unsafe { (*arguments).version };
    if version >= 2 {
        // SAFETY: from version 2 on the layout is this one.
        return unsafe { arguments.read() };
    }
    const { assert!(offset_of!(KernelArgs, flags) == 64) };
    // SAFETY: version 1 has the fields before the flags.
    unsafe {
        let fields = &raw const *arguments;
        KernelArgs {
            version,
            num_args: (*fields).num_args,
            arg_base_ptrs: (*fields).arg_base_ptrs,
            arg_ptrs: (*fields).arg_ptrs,
            arg_sizes: (*fields).arg_sizes,
            arg_types: (*fields).arg_types,
            arg_names: (*fields).arg_names,
            arg_mappers: (*fields).arg_mappers,
            tripcount: (*fields).tripcount,
            flags: 0,
            num_teams: [0; 3],
            thread_limit: [0; 3],
            dyn_cgroup_mem: 0,
        }
    }
}

/// Executes a target region. Returns 0 if a device has executed it.
///
/// # Safety
/// The compiler made the arguments for the region.
pub(crate) unsafe fn execute(
    location: Location<'static>,
    device: i64,
    num_teams: i32,
    thread_limit: i32,
    region: *const c_void,
    arguments: &KernelArgs,
) -> c_int {
    let mut teams = arguments.num_teams;
    let mut threads = arguments.thread_limit;
    teams[0] = num_teams as u32;
    threads[0] = thread_limit as u32;
    let target = TargetRegion {
        region: region.addr(),
        device,
        is_nowait: arguments.flags & NOWAIT != 0,
        launch: Launch {
            device: 0,
            arguments: &[],
            takes_environment: arguments.version >= KernelArgs::WITH_LAUNCH_ENVIRONMENT,
            num_teams: teams,
            thread_limit: threads,
            trip_count: arguments.tripcount,
            dynamic_memory: arguments.dyn_cgroup_mem,
            site: location.site(),
        },
    };
    // SAFETY: the caller's own promise (`# Safety`).
    let is_executed = unsafe {
        let items = items(
            arguments.num_args as i32,
            arguments.arg_base_ptrs,
            arguments.arg_ptrs,
            arguments.arg_sizes,
            arguments.arg_types,
            arguments.arg_names,
            arguments.arg_mappers,
        );
        construct::target(offload(), location, &target, &items)
    };
    if is_executed { 0 } else { NOT_EXECUTED }
}

export! {
    /// `int __tgt_target_kernel(ident_t *loc, int64_t device, int32_t num_teams, int32_t
    /// thread_limit, void *region_id, KernelArgs *args)`: if the result is not 0, the caller
    /// executes the region on the host.
    ///
    /// # Safety
    /// The compiler made the arguments for the region.
    pub (unsafe) fn __tgt_target_kernel(
        loc: Loc,
        device: i64,
        num_teams: i32,
        thread_limit: i32,
        region: *const c_void,
        arguments: *const KernelArgs,
    ) -> c_int {
        // SAFETY: the caller's own promise (`# Safety`).
        unsafe {
            let arguments = read(arguments);
            let place = location(loc, CallSite::here());
            execute(place, device, num_teams, thread_limit, region, &arguments)
        }
    }

    /// `int __tgt_target_kernel_nowait(…, int32_t ndeps, void *deps, int32_t ndeps_noalias,
    /// void *deps_noalias)`: the older form of a launch in a target task.
    ///
    /// # Safety
    /// As for `__tgt_target_kernel`.
    pub (unsafe) fn __tgt_target_kernel_nowait(
        loc: Loc,
        device: i64,
        num_teams: i32,
        thread_limit: i32,
        region: *const c_void,
        arguments: *const KernelArgs,
        depend_count: i32,
        depend_list: *const c_void,
        other_count: i32,
        other_list: *const c_void,
    ) -> c_int {
        // SAFETY: the caller's own promise (`# Safety`).
        unsafe {
            wait_for(depend_count, depend_list, other_count, other_list);
            let mut arguments = read(arguments);
            arguments.flags |= NOWAIT;
            let place = location(loc, CallSite::here());
            execute(place, device, num_teams, thread_limit, region, &arguments)
        }
    }

    /// `void __tgt_target_nowait_query(void **handle)`: the host runtime polls the device work of a
    /// target task.
    ///
    /// # Safety
    /// The handle is where the host runtime keeps that of a task.
    pub (unsafe) fn __tgt_target_nowait_query(handle: *mut *mut c_void) {
        if let Some(handle) = NonNull::new(handle) {
            // SAFETY: the caller's own promise (`# Safety`).
            unsafe { construct::query(handle) };
        }
    }

    /// `int __tgt_target_sync(ident_t *loc, int gtid, void *task, void *event)`: the host runtime
    /// comes to a taskwait. No device work goes on outside of target tasks, for which it waits
    /// itself.
    pub fn __tgt_target_sync(
        _loc: Loc,
        _thread: c_int,
        _task: *mut c_void,
        _event: *mut c_void,
    ) -> c_int {
        0
    }
}
