//! Target regions.

use core::ffi::{c_int, c_void};
use core::mem::offset_of;
use core::ptr::{self, NonNull};

use oxomp_argument::{Address, List};
use oxomp_sys::kmpc::kmp_depend_info_t;
use oxomp_sys::offload::KernelArgs;
use oxomp_target::construct::{self, TargetRegion};
use oxomp_target::item::ItemArrays;
use oxomp_target::location::Location;
use oxomp_target::plugin::Launch;
use oxomp_target::tool::CallSite;

use crate::arguments::{Loc, wait_for};
use crate::offload;

/// The bit of the flags for nowait.
const NOWAIT: u64 = 1;
/// The result that makes the caller execute the host's version of the region.
const NOT_EXECUTED: c_int = 1;

/// The arguments of a target region, in the form of some version (rule T3).
#[repr(transparent)]
#[derive(Debug)]
pub struct KernelArguments(*const KernelArgs);

impl KernelArguments {
    /// The arguments in the form of the current version; those that an older version lacks have
    /// their defaults.
    fn read(&self) -> RegionArguments {
        const { assert!(offset_of!(KernelArgs, flags) == 64) };
        let arguments = self.0;
        // SAFETY: T3: all versions begin with the version; from version 2 on the layout is this
        // one, and version 1 has the fields before the flags.
        RegionArguments(unsafe {
            let version = (*arguments).version;
            if version >= 2 {
                arguments.read()
            } else {
                KernelArgs {
                    version,
                    num_args: (*arguments).num_args,
                    arg_base_ptrs: (*arguments).arg_base_ptrs,
                    arg_ptrs: (*arguments).arg_ptrs,
                    arg_sizes: (*arguments).arg_sizes,
                    arg_types: (*arguments).arg_types,
                    arg_names: (*arguments).arg_names,
                    arg_mappers: (*arguments).arg_mappers,
                    tripcount: (*arguments).tripcount,
                    flags: 0,
                    num_teams: [0; 3],
                    thread_limit: [0; 3],
                    dyn_cgroup_mem: 0,
                }
            }
        })
    }
}

/// What the compiler passes with a target region: the kernel takes a word for each item that is a
/// parameter.
pub(crate) struct RegionArguments(KernelArgs);

impl RegionArguments {
    /// # Safety
    /// T3: the arguments are those of the region that is executed with them.
    pub(crate) unsafe fn new(arguments: KernelArgs) -> Self {
        Self(arguments)
    }

    /// Executes the target region. Returns 0 if a device has executed it.
    pub(crate) fn execute(
        &self,
        location: Location<'static>,
        device: i64,
        num_teams: i32,
        thread_limit: i32,
        region: Address,
    ) -> c_int {
        let arguments = &self.0;
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
                words: ptr::null_mut(),
            },
        };
        let arrays = ItemArrays {
            count: i32::try_from(arguments.num_args).map_or(0, |count| count as usize),
            bases: arguments.arg_base_ptrs,
            begins: arguments.arg_ptrs,
            sizes: arguments.arg_sizes,
            types: arguments.arg_types,
            names: arguments.arg_names,
            mappers: arguments.arg_mappers,
        };
        // SAFETY: T3: each array has `num_args` elements, and the kernel takes these items.
        let is_executed =
            unsafe { construct::target(offload(), location, &target, &arrays.read()) };
        if is_executed { 0 } else { NOT_EXECUTED }
    }
}

/// Where the host runtime keeps the handle of a target task (rule T8).
#[repr(transparent)]
#[derive(Debug)]
pub struct TaskHandle(NonNull<*mut c_void>);

export! {
    /// `int __tgt_target_kernel(ident_t *loc, int64_t device, int32_t num_teams, int32_t
    /// thread_limit, void *region_id, KernelArgs *args)`: if the result is not 0, the caller
    /// executes the region on the host.
    pub fn __tgt_target_kernel(
        loc: Loc,
        device: i64,
        num_teams: i32,
        thread_limit: i32,
        region: Address,
        arguments: KernelArguments,
    ) -> c_int {
        let place = loc.called_at(CallSite::here());
        arguments.read().execute(place, device, num_teams, thread_limit, region)
    }

    /// `int __tgt_target_kernel_nowait(…, int32_t ndeps, void *deps, int32_t ndeps_noalias,
    /// void *deps_noalias)`: the older form of a launch in a target task.
    ///
    /// # Safety
    /// A3: each number is the length of the list behind it.
    pub (unsafe) fn __tgt_target_kernel_nowait(
        loc: Loc,
        device: i64,
        num_teams: i32,
        thread_limit: i32,
        region: Address,
        arguments: KernelArguments,
        depend_count: i32,
        depend_list: List<kmp_depend_info_t>,
        other_count: i32,
        other_list: List<kmp_depend_info_t>,
    ) -> c_int {
        // SAFETY: A3 of the arguments.
        unsafe { wait_for(depend_count, depend_list, other_count, other_list) };
        let mut arguments = arguments.read();
        arguments.0.flags |= NOWAIT;
        let place = loc.called_at(CallSite::here());
        arguments.execute(place, device, num_teams, thread_limit, region)
    }

    /// `void __tgt_target_nowait_query(void **handle)`: the host runtime polls the device work of a
    /// target task.
    pub fn __tgt_target_nowait_query(handle: Option<TaskHandle>) {
        if let Some(TaskHandle(handle)) = handle {
            // SAFETY: T8: this thread alone uses the place.
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
