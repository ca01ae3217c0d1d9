//! Explicit tasks, taskwait, taskyield, taskgroup and detach (kmpc).

use core::ffi::{c_int, c_void};

use oxomp_core::block::Shared;
use oxomp_core::task::{self, Clauses, Event, Task, property};
use oxomp_core::{CallSite, Thread};
use oxomp_sys::kmpc::{ident_t, kmp_depend_info_t, kmp_routine_entry_t, kmp_task_t, task_flag};

use super::dependences;

/// The task before its data.
///
/// # Safety
/// `data` came from `__kmpc_omp_task_alloc`, and the task is not complete.
#[inline(always)]
pub(super) unsafe fn task_of(data: *mut kmp_task_t) -> &'static Task {
    // SAFETY: by contract.
    unsafe { Task::of_payload(data.cast()) }
}

/// What the flags word of an allocation says: the properties have the same bits, and untied is
/// where tied is not. A proxy task is complete when somebody says so, as one with an event.
#[inline(always)]
fn properties(flags: i32) -> u32 {
    const KEPT: i32 = task_flag::TIED
        | task_flag::FINAL
        | task_flag::MERGED_IF0
        | task_flag::DESTRUCTORS
        | task_flag::PRIORITY
        | task_flag::DETACHABLE;
    const {
        assert!(task_flag::TIED as u32 == property::UNTIED);
        assert!(task_flag::FINAL as u32 == property::FINAL);
        assert!(task_flag::MERGED_IF0 as u32 == property::MERGEABLE);
        assert!(task_flag::DESTRUCTORS as u32 == property::DESTRUCTORS);
        assert!(task_flag::PRIORITY as u32 == property::PRIORITY);
        assert!(task_flag::DETACHABLE as u32 == property::DETACHABLE);
    }
    let proxy = if flags & task_flag::PROXY != 0 { property::DETACHABLE } else { 0 };
    ((flags ^ task_flag::TIED) & KEPT).cast_unsigned() | proxy
}

/// Makes a task of a compiler's sizes: its data, and behind them what it shares.
#[inline(always)]
pub(super) fn allocate(
    flags: i32,
    bytes: usize,
    shareds: usize,
    entry: Option<kmp_routine_entry_t>,
    more: u32,
) -> *mut kmp_task_t {
    let thread = Thread::current();
    let bytes = bytes.next_multiple_of(align_of::<usize>());
    // Without a function it is a taskwait nowait, as compilers once wrote it.
    let body = entry.map_or(property::EMPTY, |_| property::KMPC);
    let clauses = Clauses { properties: properties(flags) | body | more, priority: 0 };
    let function = entry.map_or(core::ptr::null(), |entry| entry as *const c_void);
    let task = task::allocate(thread, bytes + shareds, function, clauses);
    let data = task.payload().cast::<kmp_task_t>();
    // SAFETY: a new task's data, as large as the compiler said.
    unsafe {
        (*data).shareds =
            if shareds == 0 { core::ptr::null_mut() } else { data.byte_add(bytes).cast() };
        (*data).routine = entry;
        (*data).part_id = 0;
    }
    data
}

/// The priority clause of a task, which the compiler wrote into its data.
///
/// # Safety
/// As for `task_of`.
#[inline(always)]
unsafe fn take_priority(task: &Task, data: *mut kmp_task_t) {
    if task.may_have_priority() {
        // SAFETY: by contract.
        task.set_priority(unsafe { (*data).priority });
    }
}

/// A task as a number, of one that exists only; 0 for none.
fn task_id(task: Option<Shared<Task>>) -> u64 {
    task.map_or(0, |task| task.as_ptr().addr() as u64)
}

/// The task construct without dependences; of an untied task by itself, that its next part
/// is to be run later.
///
/// # Safety
/// `data` came from `__kmpc_omp_task_alloc`.
#[inline(always)]
unsafe fn generate(data: *mut kmp_task_t, site: CallSite) {
    let thread = Thread::current();
    // SAFETY: by contract.
    let task = unsafe { task_of(data) };
    if core::ptr::eq(task, thread.task()) {
        thread.resubmitted.set(true);
        return;
    }
    // SAFETY: by contract.
    unsafe { take_priority(task, data) };
    task::generate(thread, task, site);
}

entry! {
    /// `kmp_task_t *__kmpc_omp_task_alloc(ident_t *loc, kmp_int32 gtid, kmp_int32 flags,
    /// size_t sizeof_kmp_task_t, size_t sizeof_shareds, kmp_routine_entry_t task_entry)`
    pub fn __kmpc_omp_task_alloc(
        _loc: *const ident_t,
        _gtid: i32,
        flags: i32,
        bytes: usize,
        shareds: usize,
        entry: Option<kmp_routine_entry_t>,
    ) -> *mut kmp_task_t {
        allocate(flags, bytes, shareds, entry, 0)
    }

    /// `kmp_int32 __kmpc_omp_task(ident_t *loc, kmp_int32 gtid, kmp_task_t *new_task)`: also of an
    /// untied task by itself, whose next part it asks for.
    ///
    /// # Safety
    /// `data` came from `__kmpc_omp_task_alloc`.
    pub unsafe fn __kmpc_omp_task(
        _loc: *const ident_t,
        _gtid: i32,
        data: *mut kmp_task_t,
    ) -> i32 {
        // SAFETY: by contract.
        unsafe { generate(data, CallSite::here()) };
        0
    }

    /// `kmp_int32 __kmpc_omp_task_parts(ident_t *loc, kmp_int32 gtid, kmp_task_t *new_task)`: the
    /// same, of tasks whose parts may run on different threads (icc).
    ///
    /// # Safety
    /// `data` came from `__kmpc_omp_task_alloc`.
    pub unsafe fn __kmpc_omp_task_parts(
        _loc: *const ident_t,
        _gtid: i32,
        data: *mut kmp_task_t,
    ) -> i32 {
        // SAFETY: by contract.
        unsafe { generate(data, CallSite::here()) };
        0
    }

    /// `kmp_int32 __kmpc_omp_task_with_deps(ident_t *loc, kmp_int32 gtid, kmp_task_t *new_task,
    /// kmp_int32 ndeps, kmp_depend_info_t *dep_list, kmp_int32 ndeps_noalias,
    /// kmp_depend_info_t *noalias_dep_list)`
    ///
    /// # Safety
    /// `data` came from `__kmpc_omp_task_alloc`; the lists have as many elements as the numbers
    /// say.
    pub unsafe fn __kmpc_omp_task_with_deps(
        _loc: *const ident_t,
        _gtid: i32,
        data: *mut kmp_task_t,
        count: i32,
        list: *const kmp_depend_info_t,
        noalias_count: i32,
        noalias_list: *const kmp_depend_info_t,
    ) -> i32 {
        let site = CallSite::here();
        // SAFETY: by contract.
        unsafe {
            let task = task_of(data);
            take_priority(task, data);
            let read = || dependences::read(count, list, noalias_count, noalias_list);
            task::generate_dependent(Thread::current(), task, read, site);
        }
        0
    }

    /// `void __kmpc_omp_task_begin_if0(ident_t *loc, kmp_int32 gtid, kmp_task_t *task)`
    ///
    /// # Safety
    /// `data` came from `__kmpc_omp_task_alloc`.
    pub unsafe fn __kmpc_omp_task_begin_if0(
        _loc: *const ident_t,
        _gtid: i32,
        data: *mut kmp_task_t,
    ) {
        // SAFETY: by contract.
        let task = unsafe { task_of(data) };
        task::begin_undeferred(Thread::current(), task, CallSite::here());
    }

    /// `void __kmpc_omp_task_complete_if0(ident_t *loc, kmp_int32 gtid, kmp_task_t *task)`
    ///
    /// # Safety
    /// `__kmpc_omp_task_begin_if0` began the task.
    pub unsafe fn __kmpc_omp_task_complete_if0(
        _loc: *const ident_t,
        _gtid: i32,
        data: *mut kmp_task_t,
    ) {
        // SAFETY: by contract.
        let task = unsafe { task_of(data) };
        task::end_undeferred(Thread::current(), task);
    }

    /// `kmp_int32 __kmpc_omp_taskwait(ident_t *loc, kmp_int32 gtid)`
    pub fn __kmpc_omp_taskwait(_loc: *const ident_t, _gtid: i32) -> i32 {
        task::taskwait(Thread::current(), CallSite::here());
        0
    }

    /// `void __kmpc_omp_wait_deps(ident_t *loc, kmp_int32 gtid, kmp_int32 ndeps,
    /// kmp_depend_info_t *dep_list, kmp_int32 ndeps_noalias, kmp_depend_info_t *noalias_dep_list)`
    ///
    /// # Safety
    /// The lists have as many elements as the numbers say.
    pub unsafe fn __kmpc_omp_wait_deps(
        _loc: *const ident_t,
        _gtid: i32,
        count: i32,
        list: *const kmp_depend_info_t,
        noalias_count: i32,
        noalias_list: *const kmp_depend_info_t,
    ) {
        let site = CallSite::here();
        // SAFETY: by contract.
        let mut list = unsafe { dependences::read(count, list, noalias_count, noalias_list) };
        task::taskwait_depend(Thread::current(), &mut list, false, site);
    }

    /// `void __kmpc_omp_taskwait_deps_51(ident_t *loc, kmp_int32 gtid, kmp_int32 ndeps,
    /// kmp_depend_info_t *dep_list, kmp_int32 ndeps_noalias, kmp_depend_info_t *noalias_dep_list,
    /// kmp_int32 has_no_wait)`
    ///
    /// # Safety
    /// The lists have as many elements as the numbers say.
    pub unsafe fn __kmpc_omp_taskwait_deps_51(
        _loc: *const ident_t,
        _gtid: i32,
        count: i32,
        list: *const kmp_depend_info_t,
        noalias_count: i32,
        noalias_list: *const kmp_depend_info_t,
        nowait: i32,
    ) {
        let site = CallSite::here();
        // SAFETY: by contract.
        let mut list = unsafe { dependences::read(count, list, noalias_count, noalias_list) };
        task::taskwait_depend(Thread::current(), &mut list, nowait != 0, site);
    }

    /// `kmp_int32 __kmpc_omp_taskyield(ident_t *loc, kmp_int32 gtid, int end_part)`
    pub fn __kmpc_omp_taskyield(_loc: *const ident_t, _gtid: i32, _end_part: c_int) -> i32 {
        task::taskyield(Thread::current(), CallSite::here());
        0
    }

    /// `void __kmpc_taskgroup(ident_t *loc, int gtid)`
    pub fn __kmpc_taskgroup(_loc: *const ident_t, _gtid: c_int) {
        task::begin_taskgroup(Thread::current(), CallSite::here());
    }

    /// `void __kmpc_end_taskgroup(ident_t *loc, int gtid)`
    pub fn __kmpc_end_taskgroup(_loc: *const ident_t, _gtid: c_int) {
        task::end_taskgroup(Thread::current(), CallSite::here());
    }

    /// `kmp_event_t *__kmpc_task_allow_completion_event(ident_t *loc, int gtid, kmp_task_t *task)`:
    /// the task's event, whose address is its handle. The task is detachable from here on, whatever
    /// its allocation said: flang's say nothing.
    ///
    /// # Safety
    /// `data` came from `__kmpc_omp_task_alloc`.
    pub unsafe fn __kmpc_task_allow_completion_event(
        _loc: *const ident_t,
        _gtid: c_int,
        data: *mut kmp_task_t,
    ) -> *const Event {
        // SAFETY: by contract.
        unsafe { task_of(data) }.detach()
    }

    /// `kmp_int32 __kmpc_omp_reg_task_with_affinity(ident_t *loc, kmp_int32 gtid,
    /// kmp_task_t *new_task, kmp_int32 naffins, kmp_task_affinity_info_t *affin_list)`: a hint, which
    /// changes nothing here; 0.
    pub fn __kmpc_omp_reg_task_with_affinity(
        _loc: *const ident_t,
        _gtid: i32,
        _data: *mut kmp_task_t,
        _count: i32,
        _list: *const c_void,
    ) -> i32 {
        0
    }

    /// `kmp_uint64 __kmpc_get_taskid(void)`: the current task's number; no other task has it as
    /// long as this one exists.
    pub fn __kmpc_get_taskid() -> u64 {
        task_id(Some(Thread::current().task().shared()))
    }

    /// `kmp_uint64 __kmpc_get_parent_taskid(void)`: the number of the task that made the current
    /// one, by a task or a parallel construct; 0 in the initial task.
    pub fn __kmpc_get_parent_taskid() -> u64 {
        task_id(Thread::current().task().parent())
    }

    /// `void __kmpc_proxy_task_completed(kmp_int32 gtid, kmp_task_t *ptask)`
    ///
    /// # Safety
    /// `data` is of a proxy task, or one with an event, for which that was not said before.
    pub unsafe fn __kmpc_proxy_task_completed(_gtid: i32, data: *mut kmp_task_t) {
        // SAFETY: by contract.
        task::fulfill(unsafe { task_of(data) }.shared());
    }

    /// `void __kmpc_proxy_task_completed_ooo(kmp_task_t *ptask)`: from any thread.
    ///
    /// # Safety
    /// `data` is of a proxy task, or one with an event, for which that was not said before.
    pub unsafe fn __kmpc_proxy_task_completed_ooo(data: *mut kmp_task_t) {
        // SAFETY: by contract.
        task::fulfill(unsafe { task_of(data) }.shared());
    }
}
