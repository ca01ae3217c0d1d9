//! Parallel regions, and the numbers of threads and teams (kmpc).

use core::ffi::{c_int, c_void};
use core::ptr;

use oxomp_base::icv::{Deeper, ProcBind};
use oxomp_core::parallel::{self, Outlined, Request};
use oxomp_core::{CallSite, Modifiers, Strict, Thread, threads_known};

use super::Loc;
use crate::argument::{List, Text};

entry! {
    /// `void __kmpc_fork_call(ident_t *loc, kmp_int32 argc, kmpc_micro microtask, ...)`
    ///
    /// The words after `microtask` are gathered here, which only assembly can do.
    ///
    /// # Safety
    /// A8: the outlined `microtask` takes the `argc` pointer-sized words that follow it.
    pub unsafe naked fn __kmpc_fork_call() {
        oxomp_arch::gather_words!(fork_call)
    }

    /// `void __kmpc_fork_call_if(ident_t *loc, kmp_int32 argc, kmpc_micro microtask,
    /// kmp_int32 cond, void *args)`
    ///
    /// # Safety
    /// A8: flang's outlined `microtask` takes `args` if that is not null, and else no word.
    pub unsafe fn __kmpc_fork_call_if(
        _loc: Loc,
        _argc: i32,
        microtask: *const c_void,
        condition: i32,
        args: *mut c_void,
    ) {
        let words = [args as usize];
        let argc = u32::from(!args.is_null());
        let outlined = Outlined::Kmpc { function: microtask, argc, words: words.as_ptr() };
        let thread = Thread::current();
        let request = Request { if_clause: condition != 0, ..announced(thread) };
        parallel::run(thread, outlined, request, CallSite::here());
    }

    /// `void __kmpc_serialized_parallel(ident_t *loc, kmp_int32 global_tid)`
    pub fn __kmpc_serialized_parallel(_loc: Loc, _gtid: i32) {
        let thread = Thread::current();
        announced(thread);
        parallel::begin(thread, NO_BODY, Request::SERIAL, CallSite::here());
    }

    /// `void __kmpc_end_serialized_parallel(ident_t *loc, kmp_int32 global_tid)`
    pub fn __kmpc_end_serialized_parallel(_loc: Loc, _gtid: i32) {
        parallel::end(Thread::current(), CallSite::here());
    }

    /// `void __kmpc_push_num_threads(ident_t *loc, kmp_int32 global_tid, kmp_int32 num_threads)`
    pub fn __kmpc_push_num_threads(_loc: Loc, _gtid: i32, num_threads: i32) {
        Thread::current().announced.set_num_threads(u32::try_from(num_threads).unwrap_or(0));
    }

    /// `void __kmpc_set_thread_limit(ident_t *loc, kmp_int32 global_tid, kmp_int32 thread_limit)`:
    /// the thread_limit clause of a target region on the host, which is a task of its own, or of
    /// the kernel that this task launches. A number below 1 means no limit.
    pub fn __kmpc_set_thread_limit(_loc: Loc, _gtid: i32, thread_limit: i32) {
        if let Ok(limit @ 1..) = u32::try_from(thread_limit) {
            Thread::current().task().change_icvs(|icvs| {
                icvs.thread_limit_var = limit;
                icvs.thread_limit_is_clause = true;
            });
        }
    }

    /// `void __kmpc_push_num_threads_strict(ident_t *loc, kmp_int32 global_tid,
    /// kmp_int32 num_threads, int severity, const char *message)`
    pub fn __kmpc_push_num_threads_strict(
        loc: Loc,
        _gtid: i32,
        num_threads: i32,
        severity: c_int,
        message: Text,
    ) {
        announce(&[num_threads], Some(strict(loc, severity, message)));
    }

    /// `void __kmpc_push_num_threads_list(ident_t *loc, kmp_int32 global_tid, kmp_uint32
    /// list_length, kmp_int32 *num_threads_list)`: one number for each nesting level.
    ///
    /// # Safety
    /// A3: `length` is the list's.
    pub unsafe fn __kmpc_push_num_threads_list(
        _loc: Loc,
        _gtid: i32,
        length: u32,
        list: List<i32>,
    ) {
        // SAFETY: A3: `length` is the list's.
        announce(unsafe { list.with(length) }, None);
    }

    /// `void __kmpc_push_num_threads_list_strict(ident_t *loc, kmp_int32 global_tid,
    /// kmp_uint32 list_length, kmp_int32 *num_threads_list, int severity, const char *message)`
    ///
    /// # Safety
    /// A3: `length` is the list's.
    pub unsafe fn __kmpc_push_num_threads_list_strict(
        loc: Loc,
        _gtid: i32,
        length: u32,
        list: List<i32>,
        severity: c_int,
        message: Text,
    ) {
        // SAFETY: A3: `length` is the list's.
        announce(unsafe { list.with(length) }, Some(strict(loc, severity, message)));
    }

    /// `void __kmpc_pop_num_threads(ident_t *loc, kmp_int32 global_tid)`
    pub fn __kmpc_pop_num_threads(_loc: Loc, _gtid: i32) {
        Thread::current().announced.set_num_threads(0);
    }

    /// `void __kmpc_push_proc_bind(ident_t *loc, kmp_int32 global_tid, kmp_int32 proc_bind)`
    pub fn __kmpc_push_proc_bind(_loc: Loc, _gtid: i32, proc_bind: i32) {
        let clause = u32::try_from(proc_bind).ok().and_then(ProcBind::from_clause);
        Thread::current().announced.set_proc_bind(clause);
    }

    /// `kmp_int32 __kmpc_global_thread_num(ident_t *loc)`
    pub fn __kmpc_global_thread_num(_loc: Loc) -> i32 {
        Thread::current().number() as i32
    }

    /// `kmp_int32 __kmpc_global_num_threads(ident_t *loc)`
    pub fn __kmpc_global_num_threads(_loc: Loc) -> i32 {
        threads_known() as i32
    }

    /// `kmp_int32 __kmpc_bound_thread_num(ident_t *loc)`
    pub fn __kmpc_bound_thread_num(_loc: Loc) -> i32 {
        Thread::current().implicit_task().thread_num() as i32
    }

    /// `kmp_int32 __kmpc_bound_num_threads(ident_t *loc)`
    pub fn __kmpc_bound_num_threads(_loc: Loc) -> i32 {
        Thread::current().team().size() as i32
    }

    /// `kmp_int32 __kmpc_in_parallel(ident_t *loc)`
    pub fn __kmpc_in_parallel(_loc: Loc) -> i32 {
        i32::from(Thread::current().team().active_level() > 0)
    }

    /// `kmp_int32 __kmpc_ok_to_fork(ident_t *loc)`
    pub fn __kmpc_ok_to_fork(_loc: Loc) -> i32 {
        1
    }

    /// `void __kmpc_begin(ident_t *loc, kmp_int32 flags)`
    pub fn __kmpc_begin(_loc: Loc, _flags: i32) {
        oxomp_core::process::initialize();
    }

    /// `void __kmpc_end(ident_t *loc)`: the runtime ends with the process.
    pub fn __kmpc_end(_loc: Loc) {}
}

/// A region whose body the program calls itself.
const NO_BODY: Outlined = Outlined::Kmpc { function: ptr::null(), argc: 0, words: ptr::null() };

/// `severity(fatal)`.
const FATAL: c_int = 2;

/// The `strict` modifier of a clause.
fn strict(loc: Loc, severity: c_int, message: Text) -> Strict {
    Strict { is_fatal: severity == FATAL, message: message.as_ptr(), location: loc.source() }
}

/// Announces a num_threads clause with more than a number.
fn announce(list: &[i32], strict: Option<Strict>) {
    let [first, deeper @ ..] = list else { return };
    let deeper: Vec<u32> = deeper.iter().map(|number| (*number).max(1).unsigned_abs()).collect();
    let modifiers = Modifiers { deeper: Deeper::interned(&deeper), strict };
    let first = u32::try_from(*first).unwrap_or(0);
    Thread::current().announced.set_modified_num_threads(first, modifiers);
}

/// The region that the clauses announced to `thread` ask for; they hold for one region.
fn announced(thread: &Thread) -> Request {
    let (num_threads, modifiers) = thread.announced.take_num_threads();
    let proc_bind = thread.announced.take_proc_bind();
    Request { num_threads, modifiers, proc_bind, ..Request::PLAIN }
}

/// `__kmpc_fork_call` with its words in memory, and its frame.
///
/// # Safety
/// A16: the entry calls it, with the words that it has gathered and its frame.
unsafe extern "C" fn fork_call(
    _loc: Loc,
    argc: u32,
    microtask: *const c_void,
    words: *const usize,
    frame: *const c_void,
) {
    // SAFETY: A16: the entry's frame.
    let site = unsafe { CallSite::from_frame(frame) };
    let thread = Thread::current();
    let outlined = Outlined::Kmpc { function: microtask, argc, words };
    parallel::run(thread, outlined, announced(thread), site);
}
