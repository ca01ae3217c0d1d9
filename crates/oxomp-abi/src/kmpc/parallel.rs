//! Parallel regions, and who is who (kmpc).

use core::ffi::{c_char, c_int, c_void};
use core::ptr;
use core::slice;

use oxomp_core::icv::{Deeper, ProcBind};
use oxomp_core::parallel::{self, Outlined, Request};
use oxomp_core::{CallSite, Thread, arch, threads_known};
use oxomp_core::{Modifiers, Strict};
use oxomp_sys::kmpc::ident_t;

entry! {
    /// `void __kmpc_fork_call(ident_t *loc, kmp_int32 argc, kmpc_micro microtask, ...)`
    ///
    /// The words after `microtask` are gathered here, which only assembly can do.
    ///
    /// # Safety
    /// clang passes `argc` pointer-sized words for its outlined `microtask`.
    pub unsafe naked fn __kmpc_fork_call() {
        arch::gather_words!(fork_call)
    }

    /// `void __kmpc_fork_call_if(ident_t *loc, kmp_int32 argc, kmpc_micro microtask,
    /// kmp_int32 cond, void *args)`
    ///
    /// # Safety
    /// flang's outlined `microtask` takes `args` if that is not null, and no word else.
    pub unsafe fn __kmpc_fork_call_if(
        _loc: *const ident_t,
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
    pub fn __kmpc_serialized_parallel(_loc: *const ident_t, _gtid: i32) {
        let thread = Thread::current();
        announced(thread);
        parallel::begin(thread, NO_BODY, Request::SERIAL, CallSite::here());
    }

    /// `void __kmpc_end_serialized_parallel(ident_t *loc, kmp_int32 global_tid)`
    pub fn __kmpc_end_serialized_parallel(_loc: *const ident_t, _gtid: i32) {
        parallel::end(Thread::current(), CallSite::here());
    }

    /// `void __kmpc_push_num_threads(ident_t *loc, kmp_int32 global_tid, kmp_int32 num_threads)`
    pub fn __kmpc_push_num_threads(_loc: *const ident_t, _gtid: i32, num_threads: i32) {
        Thread::current().announced.set_num_threads(u32::try_from(num_threads).unwrap_or(0));
    }

    /// `void __kmpc_set_thread_limit(ident_t *loc, kmp_int32 global_tid, kmp_int32 thread_limit)`: the
    /// thread_limit clause of a target region on the host, which is a task of its own. A number below 1
    /// is no limit.
    pub fn __kmpc_set_thread_limit(_loc: *const ident_t, _gtid: i32, thread_limit: i32) {
        if let Ok(limit @ 1..) = u32::try_from(thread_limit) {
            Thread::current().task().change_icvs(|icvs| icvs.thread_limit_var = limit);
        }
    }

    /// `void __kmpc_push_num_threads_strict(ident_t *loc, kmp_int32 global_tid,
    /// kmp_int32 num_threads, int severity, const char *message)`
    ///
    /// # Safety
    /// `loc` is null or points to a location; `message` is null or a string.
    pub unsafe fn __kmpc_push_num_threads_strict(
        loc: *const ident_t,
        _gtid: i32,
        num_threads: i32,
        severity: c_int,
        message: *const c_char,
    ) {
        // SAFETY: by contract.
        let strict = Some(unsafe { strict(loc, severity, message) });
        announce(&[num_threads], strict);
    }

    /// `void __kmpc_push_num_threads_list(ident_t *loc, kmp_int32 global_tid, kmp_uint32 list_length,
    /// kmp_int32 *num_threads_list)`: one number for each nesting level.
    ///
    /// # Safety
    /// The list has so many elements.
    pub unsafe fn __kmpc_push_num_threads_list(
        _loc: *const ident_t,
        _gtid: i32,
        length: u32,
        list: *const i32,
    ) {
        // SAFETY: by contract.
        announce(unsafe { elements(list, length) }, None);
    }

    /// `void __kmpc_push_num_threads_list_strict(ident_t *loc, kmp_int32 global_tid,
    /// kmp_uint32 list_length, kmp_int32 *num_threads_list, int severity, const char *message)`
    ///
    /// # Safety
    /// As for the two above.
    pub unsafe fn __kmpc_push_num_threads_list_strict(
        loc: *const ident_t,
        _gtid: i32,
        length: u32,
        list: *const i32,
        severity: c_int,
        message: *const c_char,
    ) {
        // SAFETY: by contract.
        let (list, strict) = unsafe { (elements(list, length), strict(loc, severity, message)) };
        announce(list, Some(strict));
    }

    /// `void __kmpc_pop_num_threads(ident_t *loc, kmp_int32 global_tid)`
    pub fn __kmpc_pop_num_threads(_loc: *const ident_t, _gtid: i32) {
        Thread::current().announced.set_num_threads(0);
    }

    /// `void __kmpc_push_proc_bind(ident_t *loc, kmp_int32 global_tid, kmp_int32 proc_bind)`
    pub fn __kmpc_push_proc_bind(_loc: *const ident_t, _gtid: i32, proc_bind: i32) {
        let clause = u32::try_from(proc_bind).ok().and_then(ProcBind::from_clause);
        Thread::current().announced.set_proc_bind(clause);
    }

    /// `kmp_int32 __kmpc_global_thread_num(ident_t *loc)`
    pub fn __kmpc_global_thread_num(_loc: *const ident_t) -> i32 {
        Thread::current().number() as i32
    }

    /// `kmp_int32 __kmpc_global_num_threads(ident_t *loc)`
    pub fn __kmpc_global_num_threads(_loc: *const ident_t) -> i32 {
        threads_known() as i32
    }

    /// `kmp_int32 __kmpc_bound_thread_num(ident_t *loc)`
    pub fn __kmpc_bound_thread_num(_loc: *const ident_t) -> i32 {
        Thread::current().implicit_task().thread_num() as i32
    }

    /// `kmp_int32 __kmpc_bound_num_threads(ident_t *loc)`
    pub fn __kmpc_bound_num_threads(_loc: *const ident_t) -> i32 {
        Thread::current().team().size() as i32
    }

    /// `kmp_int32 __kmpc_in_parallel(ident_t *loc)`
    pub fn __kmpc_in_parallel(_loc: *const ident_t) -> i32 {
        i32::from(Thread::current().team().active_level() > 0)
    }

    /// `kmp_int32 __kmpc_ok_to_fork(ident_t *loc)`
    pub fn __kmpc_ok_to_fork(_loc: *const ident_t) -> i32 {
        1
    }

    /// `void __kmpc_begin(ident_t *loc, kmp_int32 flags)`
    pub fn __kmpc_begin(_loc: *const ident_t, _flags: i32) {
        oxomp_core::process::initialize();
    }

    /// `void __kmpc_end(ident_t *loc)`: the runtime ends with the process.
    pub fn __kmpc_end(_loc: *const ident_t) {}
}

/// A region whose body the program calls itself.
const NO_BODY: Outlined = Outlined::Kmpc { function: ptr::null(), argc: 0, words: ptr::null() };

/// `severity(fatal)`.
const FATAL: c_int = 2;

/// The `strict` modifier of a clause.
///
/// # Safety
/// `loc` is null or points to a location.
unsafe fn strict(loc: *const ident_t, severity: c_int, message: *const c_char) -> Strict {
    // SAFETY: by contract.
    let place = unsafe { loc.as_ref() }.map_or(ptr::null(), |loc| loc.psource);
    Strict { is_fatal: severity == FATAL, message, place }
}

/// # Safety
/// The list has so many elements, or is null.
unsafe fn elements<'a>(list: *const i32, length: u32) -> &'a [i32] {
    // SAFETY: by contract.
    if list.is_null() { &[] } else { unsafe { slice::from_raw_parts(list, length as usize) } }
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
/// Called by the entry: `words` are `argc` words, and `frame` is the entry's frame.
unsafe extern "C" fn fork_call(
    _loc: *const ident_t,
    argc: u32,
    microtask: *const c_void,
    words: *const usize,
    frame: *const c_void,
) {
    // SAFETY: by contract.
    let site = unsafe { CallSite::from_frame(frame) };
    let thread = Thread::current();
    let outlined = Outlined::Kmpc { function: microtask, argc, words };
    parallel::run(thread, outlined, announced(thread), site);
}
