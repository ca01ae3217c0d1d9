//! Explicit tasks, taskwait, taskyield, taskgroup and detach (kmpc).

use core::ffi::{c_int, c_void};

use oxomp_core::block::Shared;
use oxomp_core::task::{self, Clauses, EventHandle, Properties, Task};
use oxomp_core::{CallSite, Thread};
use oxomp_sys::kmpc::{kmp_depend_info_t, kmp_routine_entry_t, task_flag};

use super::{Loc, TaskData, dependences};
use crate::argument::List;

/// The properties that the flags word of an allocation stands for: they have the same bits, except
/// that the first bit of the flags says tied, and that of the properties untied. A proxy task, like
/// one with an event, is complete when the program says so.
#[inline(always)]
fn properties(flags: i32) -> Properties {
    const KEPT: i32 = task_flag::TIED
        | task_flag::FINAL
        | task_flag::MERGED_IF0
        | task_flag::DESTRUCTORS
        | task_flag::PRIORITY
        | task_flag::DETACHABLE;
    const {
        assert!(task_flag::TIED as u32 == Properties::UNTIED.bits());
        assert!(task_flag::FINAL as u32 == Properties::FINAL.bits());
        assert!(task_flag::MERGED_IF0 as u32 == Properties::MERGEABLE.bits());
        assert!(task_flag::DESTRUCTORS as u32 == Properties::DESTRUCTORS.bits());
        assert!(task_flag::PRIORITY as u32 == Properties::PRIORITY.bits());
        assert!(task_flag::DETACHABLE as u32 == Properties::DETACHABLE.bits());
    }
    let proxy =
        if flags & task_flag::PROXY != 0 { Properties::DETACHABLE } else { Properties::empty() };
    let kept = ((flags ^ task_flag::TIED) & KEPT).cast_unsigned();
    Properties::from_bits_retain(kept) | proxy
}

/// Makes a task of a compiler's sizes: its data, and behind them its shared variables.
///
/// # Safety
/// A7: the data are large enough for a `kmp_task_t`.
#[inline(always)]
pub(super) unsafe fn allocate(
    flags: i32,
    bytes: usize,
    shareds: usize,
    entry: Option<kmp_routine_entry_t>,
    more: Properties,
) -> TaskData {
    let thread = Thread::current();
    let bytes = bytes.next_multiple_of(align_of::<usize>());
    // Without a function it is a taskwait nowait, as compilers once wrote it.
    let body = entry.map_or(Properties::EMPTY, |_| Properties::KMPC);
    let clauses = Clauses { properties: properties(flags) | body | more, priority: 0 };
    let function = entry.map_or(core::ptr::null(), |entry| entry as *const c_void);
    let task = task::allocate(thread, bytes + shareds, function, clauses);
    // SAFETY: the task has as many bytes; A7, as this function demands.
    unsafe { TaskData::lay_out(task, bytes, shareds, entry) }
}

/// The task of `data`, with the priority of its clause.
#[inline(always)]
fn with_priority(data: TaskData) -> &'static Task {
    let task = data.task();
    if task.may_have_priority() {
        task.set_priority(data.priority());
    }
    task
}

/// The number of a task, unique as long as the task exists; 0 for none.
fn task_id(task: Option<Shared<Task>>) -> u64 {
    task.map_or(0, |task| task.as_ptr().addr() as u64)
}

entry! {
    /// `kmp_task_t *__kmpc_omp_task_alloc(ident_t *loc, kmp_int32 gtid, kmp_int32 flags,
    /// size_t sizeof_kmp_task_t, size_t sizeof_shareds, kmp_routine_entry_t task_entry)`
    ///
    /// # Safety
    /// A7: `bytes` are enough for a `kmp_task_t`.
    pub unsafe fn __kmpc_omp_task_alloc(
        _loc: Loc,
        _gtid: i32,
        flags: i32,
        bytes: usize,
        shareds: usize,
        entry: Option<kmp_routine_entry_t>,
    ) -> TaskData {
        // SAFETY: A7 of the arguments.
        unsafe { allocate(flags, bytes, shareds, entry, Properties::empty()) }
    }

    /// `kmp_int32 __kmpc_omp_task(ident_t *loc, kmp_int32 gtid, kmp_task_t *new_task)`: an
    /// untied task passes itself to ask for its next part. `__kmpc_omp_task_parts` is icc's, whose
    /// tasks may run each part on another thread.
    pub fn __kmpc_omp_task | __kmpc_omp_task_parts(_loc: Loc, _gtid: i32, data: TaskData) -> i32 {
        let thread = Thread::current();
        if core::ptr::eq(data.task(), thread.task()) {
            thread.resubmitted.set(true);
        } else {
            task::generate(thread, with_priority(data), CallSite::here());
        }
        0
    }

    /// `kmp_int32 __kmpc_omp_task_with_deps(ident_t *loc, kmp_int32 gtid, kmp_task_t *new_task,
    /// kmp_int32 ndeps, kmp_depend_info_t *dep_list, kmp_int32 ndeps_noalias,
    /// kmp_depend_info_t *noalias_dep_list)`
    ///
    /// # Safety
    /// A3: each count is of the list that follows it.
    pub unsafe fn __kmpc_omp_task_with_deps(
        _loc: Loc,
        _gtid: i32,
        data: TaskData,
        count: i32,
        list: List<kmp_depend_info_t>,
        noalias_count: i32,
        noalias_list: List<kmp_depend_info_t>,
    ) -> i32 {
        let site = CallSite::here();
        let task = with_priority(data);
        // SAFETY: A3: each count is of the list that follows it.
        let read = || unsafe { dependences::read([(count, list), (noalias_count, noalias_list)]) };
        task::generate_dependent(Thread::current(), task, read, site);
        0
    }

    /// `void __kmpc_omp_task_begin_if0(ident_t *loc, kmp_int32 gtid, kmp_task_t *task)`
    pub fn __kmpc_omp_task_begin_if0(_loc: Loc, _gtid: i32, data: TaskData) {
        task::begin_undeferred(Thread::current(), data.task(), CallSite::here());
    }

    /// `void __kmpc_omp_task_complete_if0(ident_t *loc, kmp_int32 gtid, kmp_task_t *task)`
    pub fn __kmpc_omp_task_complete_if0(_loc: Loc, _gtid: i32, data: TaskData) {
        task::end_undeferred(Thread::current(), data.task());
    }

    /// `kmp_int32 __kmpc_omp_taskwait(ident_t *loc, kmp_int32 gtid)`
    pub fn __kmpc_omp_taskwait(_loc: Loc, _gtid: i32) -> i32 {
        task::taskwait(Thread::current(), CallSite::here());
        0
    }

    /// `void __kmpc_omp_wait_deps(ident_t *loc, kmp_int32 gtid, kmp_int32 ndeps,
    /// kmp_depend_info_t *dep_list, kmp_int32 ndeps_noalias, kmp_depend_info_t *noalias_dep_list)`
    ///
    /// # Safety
    /// A3: each count is of the list that follows it.
    pub unsafe fn __kmpc_omp_wait_deps(
        _loc: Loc,
        _gtid: i32,
        count: i32,
        list: List<kmp_depend_info_t>,
        noalias_count: i32,
        noalias_list: List<kmp_depend_info_t>,
    ) {
        let site = CallSite::here();
        let lists = [(count, list), (noalias_count, noalias_list)];
        // SAFETY: A3: each count is of the list that follows it.
        let list = unsafe { dependences::read(lists) };
        task::taskwait_depend(Thread::current(), list, false, site);
    }

    /// `void __kmpc_omp_taskwait_deps_51(ident_t *loc, kmp_int32 gtid, kmp_int32 ndeps,
    /// kmp_depend_info_t *dep_list, kmp_int32 ndeps_noalias, kmp_depend_info_t *noalias_dep_list,
    /// kmp_int32 has_no_wait)`
    ///
    /// # Safety
    /// A3: each count is of the list that follows it.
    pub unsafe fn __kmpc_omp_taskwait_deps_51(
        _loc: Loc,
        _gtid: i32,
        count: i32,
        list: List<kmp_depend_info_t>,
        noalias_count: i32,
        noalias_list: List<kmp_depend_info_t>,
        nowait: i32,
    ) {
        let site = CallSite::here();
        let lists = [(count, list), (noalias_count, noalias_list)];
        // SAFETY: A3: each count is of the list that follows it.
        let list = unsafe { dependences::read(lists) };
        task::taskwait_depend(Thread::current(), list, nowait != 0, site);
    }

    /// `kmp_int32 __kmpc_omp_taskyield(ident_t *loc, kmp_int32 gtid, int end_part)`
    pub fn __kmpc_omp_taskyield(_loc: Loc, _gtid: i32, _end_part: c_int) -> i32 {
        task::taskyield(Thread::current(), CallSite::here());
        0
    }

    /// `void __kmpc_taskgroup(ident_t *loc, int gtid)`
    pub fn __kmpc_taskgroup(_loc: Loc, _gtid: c_int) {
        task::begin_taskgroup(Thread::current(), CallSite::here());
    }

    /// `void __kmpc_end_taskgroup(ident_t *loc, int gtid)`
    pub fn __kmpc_end_taskgroup(_loc: Loc, _gtid: c_int) {
        task::end_taskgroup(Thread::current(), CallSite::here());
    }

    /// `kmp_event_t *__kmpc_task_allow_completion_event(ident_t *loc, int gtid, kmp_task_t *task)`:
    /// the handle of the task's event. The task is detachable from here on, whatever its allocation
    /// said: flang's say nothing.
    pub fn __kmpc_task_allow_completion_event(
        _loc: Loc,
        _gtid: c_int,
        data: TaskData,
    ) -> EventHandle {
        data.task().detach()
    }

    /// `kmp_int32 __kmpc_omp_reg_task_with_affinity(ident_t *loc, kmp_int32 gtid, kmp_task_t
    /// *new_task, kmp_int32 naffins, kmp_task_affinity_info_t *affin_list)`: a hint, which changes
    /// nothing here; 0.
    pub fn __kmpc_omp_reg_task_with_affinity(
        _loc: Loc,
        _gtid: i32,
        _data: TaskData,
        _count: i32,
        _list: List<c_void>,
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

    /// `void __kmpc_proxy_task_completed(kmp_int32 gtid, kmp_task_t *ptask)`: of a proxy
    /// task, or of one with an event.
    pub fn __kmpc_proxy_task_completed(_gtid: i32, data: TaskData) {
        task::fulfill(data.task().event_handle());
    }

    /// `void __kmpc_proxy_task_completed_ooo(kmp_task_t *ptask)`: from any thread.
    pub fn __kmpc_proxy_task_completed_ooo(data: TaskData) {
        task::fulfill(data.task().event_handle());
    }
}
