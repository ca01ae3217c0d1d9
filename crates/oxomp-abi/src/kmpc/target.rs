//! The calls of libomptarget (kmpc).

use core::ffi::{c_int, c_void};
use core::ptr;

use oxomp_base::settings;
use oxomp_core::task::Properties;
use oxomp_core::{CallSite, Thread, target};
use oxomp_sys::kmpc::{kmp_routine_entry_t, task_flag};

use super::tasks::allocate;
use super::{Loc, TaskData};

entry! {
    /// `int __kmpc_get_target_offload(void)`: 0 disabled, 1 default, 2 mandatory.
    pub fn __kmpc_get_target_offload() -> c_int {
        settings::get().target_offload()
    }

    /// `kmp_task_t *__kmpc_omp_target_task_alloc(ident_t *loc, kmp_int32 gtid, kmp_int32 flags,
    /// size_t sizeof_kmp_task_t, size_t sizeof_shareds, kmp_routine_entry_t task_entry,
    /// kmp_int64 device_id)`: the task is untied (OpenMP 5.2 §13.8).
    ///
    /// # Safety
    /// A7: `bytes` are enough for a `kmp_task_t`.
    pub unsafe fn __kmpc_omp_target_task_alloc(
        _loc: Loc,
        _gtid: i32,
        flags: i32,
        bytes: usize,
        shareds: usize,
        entry: Option<kmp_routine_entry_t>,
        device_id: i64,
    ) -> TaskData {
        let function = entry.map_or(ptr::null(), |entry| entry as *const c_void);
        target::generates_task(Thread::current(), device_id as i32, function, CallSite::here());
        // SAFETY: A7 of the arguments.
        unsafe { allocate(flags & !task_flag::TIED, bytes, shareds, entry, Properties::TARGET) }
    }

    /// `bool __kmpc_omp_has_task_team(kmp_int32 gtid)`: whether the current task may end after its
    /// body, when work that it has begun on a device is done.
    pub fn __kmpc_omp_has_task_team(_gtid: i32) -> bool {
        Thread::current().task().may_outlive_body()
    }

    /// `void **__kmpc_omp_get_target_async_handle_ptr(kmp_int32 gtid)`: where the caller keeps the
    /// handle of that work while it goes on; null if it must not outlive the body. After a body
    /// that has left a handle there, any threads of the team call `__tgt_target_nowait_query` of
    /// the caller's library with that place, until the handle is null.
    pub fn __kmpc_omp_get_target_async_handle_ptr(_gtid: i32) -> *mut *mut c_void {
        let handle = Thread::current().task().async_handle(CallSite::here());
        handle.map_or(ptr::null_mut(), |handle| handle.as_ptr())
    }
}
