//! Leagues of teams (kmpc).

use core::ffi::c_void;

use oxomp_core::parallel::{Outlined, league};
use oxomp_core::{CallSite, Thread};

use super::Loc;

entry! {
    /// `void __kmpc_push_num_teams(ident_t *loc, kmp_int32 global_tid, kmp_int32 num_teams,
    /// kmp_int32 num_threads)`: the clauses num_teams and thread_limit of the next league; 0 for
    /// none.
    pub fn __kmpc_push_num_teams(_loc: Loc, _gtid: i32, num_teams: i32, thread_limit: i32) {
        Thread::current().announced.set_teams(league::clauses(0, num_teams, thread_limit));
    }

    /// `void __kmpc_push_num_teams_51(ident_t *loc, kmp_int32 global_tid, kmp_int32 num_teams_lb,
    /// kmp_int32 num_teams_ub, kmp_int32 num_threads)`: `__kmpc_push_num_teams` with a lower bound,
    /// 0 for none.
    pub fn __kmpc_push_num_teams_51(
        _loc: Loc,
        _gtid: i32,
        lower: i32,
        upper: i32,
        thread_limit: i32,
    ) {
        Thread::current().announced.set_teams(league::clauses(lower, upper, thread_limit));
    }

    /// `void __kmpc_fork_teams(ident_t *loc, kmp_int32 argc, kmpc_micro microtask, ...)`
    ///
    /// The words after `microtask` are gathered here, which only assembly can do.
    ///
    /// # Safety
    /// A8: the outlined `microtask` takes the `argc` pointer-sized words that follow it.
    pub unsafe naked fn __kmpc_fork_teams() {
        oxomp_arch::gather_words!(fork_teams)
    }
}

/// `__kmpc_fork_teams` with its words in memory, and its frame.
///
/// # Safety
/// A16: the entry calls it, with the words that it has gathered and its frame.
unsafe extern "C" fn fork_teams(
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
    league::run(thread, outlined, thread.announced.take_teams(), site);
}
