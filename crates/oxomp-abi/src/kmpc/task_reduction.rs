//! Task reductions (kmpc).

use core::ffi::{c_int, c_void};

use oxomp_core::task::{self, Initializer, ReductionItem, Taskgroup};
use oxomp_core::{CallSite, Thread};
use oxomp_sys::kmpc::{kmp_task_red_input_t, kmp_taskred_input_t};

use super::Loc;
use crate::argument::List;

/// A list item in the form of a compiler.
trait Input {
    fn item(&self) -> ReductionItem;
}

impl Input for kmp_taskred_input_t {
    fn item(&self) -> ReductionItem {
        ReductionItem {
            shared: self.reduce_shar,
            original: self.reduce_orig,
            bytes: self.reduce_size,
            initializer: self.reduce_init.map_or(Initializer::Zero, Initializer::CopyOf),
            finalizer: self.reduce_fini,
            combiner: self.reduce_comb,
        }
    }
}

impl Input for kmp_task_red_input_t {
    fn item(&self) -> ReductionItem {
        ReductionItem {
            shared: self.reduce_shar,
            original: self.reduce_shar,
            bytes: self.reduce_size,
            initializer: self.reduce_init.map_or(Initializer::Zero, Initializer::Copy),
            finalizer: self.reduce_fini,
            combiner: self.reduce_comb,
        }
    }
}

/// The items of a call.
fn items<T: Input>(list: &[T]) -> impl ExactSizeIterator<Item = ReductionItem> + Clone {
    list.iter().map(Input::item)
}

entry! {
    /// `void *__kmpc_taskred_init(int gtid, int num, void *data)`: makes the current taskgroup
    /// reduce the items, and returns the taskgroup as a handle; null outside of taskgroups.
    ///
    /// # Safety
    /// A3: `count` is the length of `data`.
    pub unsafe fn __kmpc_taskred_init(
        _gtid: c_int,
        count: c_int,
        data: List<kmp_taskred_input_t>,
    ) -> Option<&'static Taskgroup> {
        // SAFETY: A3: `count` is the length of `data`.
        let list = unsafe { data.with(count) };
        task::reduce(Thread::current(), items(list))
    }

    /// `void *__kmpc_task_reduction_init(int gtid, int num, void *data)`: of clang
    /// before version 10.
    ///
    /// # Safety
    /// A3: `count` is the length of `data`.
    pub unsafe fn __kmpc_task_reduction_init(
        _gtid: c_int,
        count: c_int,
        data: List<kmp_task_red_input_t>,
    ) -> Option<&'static Taskgroup> {
        // SAFETY: A3: `count` is the length of `data`.
        let list = unsafe { data.with(count) };
        task::reduce(Thread::current(), items(list))
    }

    /// `void *__kmpc_taskred_modifier_init(ident_t *loc, int gtid, int is_ws, int num,
    /// void *data)`: begins a taskgroup on each thread of the team, with copies that they share.
    ///
    /// # Safety
    /// A3: `count` is the length of `data`.
    pub unsafe fn __kmpc_taskred_modifier_init(
        _loc: Loc,
        _gtid: c_int,
        _is_worksharing: c_int,
        count: c_int,
        data: List<kmp_taskred_input_t>,
    ) -> &'static Taskgroup {
        let site = CallSite::here();
        // SAFETY: A3: `count` is the length of `data`.
        let list = unsafe { data.with(count) };
        task::reduce_items_in_team(Thread::current(), items(list), site)
    }

    /// `void *__kmpc_task_reduction_modifier_init(ident_t *loc, int gtid, int is_ws, int num,
    /// void *data)`: of clang before version 10.
    ///
    /// # Safety
    /// A3: `count` is the length of `data`.
    pub unsafe fn __kmpc_task_reduction_modifier_init(
        _loc: Loc,
        _gtid: c_int,
        _is_worksharing: c_int,
        count: c_int,
        data: List<kmp_task_red_input_t>,
    ) -> &'static Taskgroup {
        let site = CallSite::here();
        // SAFETY: A3: `count` is the length of `data`.
        let list = unsafe { data.with(count) };
        task::reduce_items_in_team(Thread::current(), items(list), site)
    }

    /// `void __kmpc_task_reduction_modifier_fini(ident_t *loc, int gtid, int is_ws)`
    pub fn __kmpc_task_reduction_modifier_fini(_loc: Loc, _gtid: c_int, _is_worksharing: c_int) {
        task::end_taskgroup(Thread::current(), CallSite::here());
    }

    /// `void *__kmpc_task_reduction_get_th_data(int gtid, void *tskgrp, void *data)`: the
    /// calling thread's copy. The handle is of a taskgroup that the task is in, or null (rule A17).
    pub fn __kmpc_task_reduction_get_th_data(
        _gtid: c_int,
        group: Option<&'static Taskgroup>,
        data: *mut c_void,
    ) -> *mut c_void {
        task::copy_of(Thread::current(), group, data).0
    }
}
