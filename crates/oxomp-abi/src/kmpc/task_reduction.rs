//! Task reductions (kmpc).

use core::ffi::{c_int, c_void};
use core::slice;

use oxomp_core::task::{self, Initializer, ReductionItem, Taskgroup};
use oxomp_core::{CallSite, Thread};
use oxomp_sys::kmpc::{ident_t, kmp_task_red_input_t, kmp_taskred_input_t};

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
///
/// # Safety
/// `data` has `count` elements, for as long as the items are used.
unsafe fn items<'a, T: Input + 'a>(
    count: c_int,
    data: *const T,
) -> impl ExactSizeIterator<Item = ReductionItem> + Clone {
    let list: &'a [T] = match usize::try_from(count) {
        Ok(count) if count > 0 => {
            // SAFETY: by contract.
            unsafe { slice::from_raw_parts(data, count) }
        }
        _ => &[],
    };
    list.iter().map(Input::item)
}

fn handle(group: Option<&'static Taskgroup>) -> *const c_void {
    group.map_or(core::ptr::null(), |group| core::ptr::from_ref(group).cast())
}

entry! {
    /// `void *__kmpc_taskred_init(int gtid, int num, void *data)`: of the current taskgroup, whose
    /// handle it returns.
    ///
    /// # Safety
    /// `data` has `count` elements.
    pub unsafe fn __kmpc_taskred_init(
        _gtid: c_int,
        count: c_int,
        data: *const kmp_taskred_input_t,
    ) -> *const c_void {
        // SAFETY: by contract.
        handle(task::reduce(Thread::current(), unsafe { items(count, data) }))
    }

    /// `void *__kmpc_task_reduction_init(int gtid, int num, void *data)`: the same, before
    /// clang 10.
    ///
    /// # Safety
    /// `data` has `count` elements.
    pub unsafe fn __kmpc_task_reduction_init(
        _gtid: c_int,
        count: c_int,
        data: *const kmp_task_red_input_t,
    ) -> *const c_void {
        // SAFETY: by contract.
        handle(task::reduce(Thread::current(), unsafe { items(count, data) }))
    }

    /// `void *__kmpc_taskred_modifier_init(ident_t *loc, int gtid, int is_ws, int num,
    /// void *data)`: begins a taskgroup on each thread of the team, with copies that they share.
    ///
    /// # Safety
    /// `data` has `count` elements.
    pub unsafe fn __kmpc_taskred_modifier_init(
        _loc: *const ident_t,
        _gtid: c_int,
        _is_worksharing: c_int,
        count: c_int,
        data: *const kmp_taskred_input_t,
    ) -> *const c_void {
        // SAFETY: by contract.
        let items = unsafe { items(count, data) };
        let site = CallSite::here();
        handle(Some(task::reduce_items_in_team(Thread::current(), items, site)))
    }

    /// `void *__kmpc_task_reduction_modifier_init(ident_t *loc, int gtid, int is_ws, int num,
    /// void *data)`: the same, before clang 10.
    ///
    /// # Safety
    /// `data` has `count` elements.
    pub unsafe fn __kmpc_task_reduction_modifier_init(
        _loc: *const ident_t,
        _gtid: c_int,
        _is_worksharing: c_int,
        count: c_int,
        data: *const kmp_task_red_input_t,
    ) -> *const c_void {
        // SAFETY: by contract.
        let items = unsafe { items(count, data) };
        let site = CallSite::here();
        handle(Some(task::reduce_items_in_team(Thread::current(), items, site)))
    }

    /// `void __kmpc_task_reduction_modifier_fini(ident_t *loc, int gtid, int is_ws)`
    pub fn __kmpc_task_reduction_modifier_fini(
        _loc: *const ident_t,
        _gtid: c_int,
        _is_worksharing: c_int,
    ) {
        task::end_taskgroup(Thread::current(), CallSite::here());
    }

    /// `void *__kmpc_task_reduction_get_th_data(int gtid, void *tskgrp, void *data)`
    ///
    /// # Safety
    /// `group` is null or the handle of a taskgroup that the task is in.
    pub unsafe fn __kmpc_task_reduction_get_th_data(
        _gtid: c_int,
        group: *const Taskgroup,
        data: *mut c_void,
    ) -> *mut c_void {
        // SAFETY: by contract; taskgroups are never freed.
        task::copy_of(Thread::current(), unsafe { group.as_ref() }, data).0
    }
}
