//! Parallel regions, and who is who (kmpc).

use core::ffi::c_void;
use core::num::NonZeroU32;
use core::ptr;

use oxomp_core::icv::ProcBind;
use oxomp_core::parallel::{self, Outlined, Request};
use oxomp_core::{CallSite, Thread, arch, threads_known};
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
        Thread::current().announce_num_threads(u32::try_from(num_threads).unwrap_or(0));
    }

    /// `void __kmpc_pop_num_threads(ident_t *loc, kmp_int32 global_tid)`
    pub fn __kmpc_pop_num_threads(_loc: *const ident_t, _gtid: i32) {
        Thread::current().announce_num_threads(0);
    }

    /// `void __kmpc_push_proc_bind(ident_t *loc, kmp_int32 global_tid, kmp_int32 proc_bind)`
    pub fn __kmpc_push_proc_bind(_loc: *const ident_t, _gtid: i32, proc_bind: i32) {
        let clause = u32::try_from(proc_bind).ok().and_then(ProcBind::from_clause);
        Thread::current().announce_proc_bind(clause);
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
        Thread::current().task().thread_num() as i32
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
        oxomp_core::runtime::initialize();
    }

    /// `void __kmpc_end(ident_t *loc)`: the runtime ends with the process.
    pub fn __kmpc_end(_loc: *const ident_t) {}
}

/// A region whose body the program calls itself.
const NO_BODY: Outlined = Outlined::Kmpc { function: ptr::null(), argc: 0, words: ptr::null() };

/// The region that the clauses announced to `thread` ask for; they hold for one region.
fn announced(thread: &Thread) -> Request {
    let num_threads = NonZeroU32::new(thread.take_announced_num_threads());
    let proc_bind = thread.take_announced_proc_bind();
    Request { num_threads, proc_bind, ..Request::PLAIN }
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
