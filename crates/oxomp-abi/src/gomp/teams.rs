//! Leagues of teams (GOMP). gcc divides distribute loops itself, by the routines for the team's
//! number and the number of teams.

use core::ffi::{c_uint, c_void};

use oxomp_core::parallel::league;
use oxomp_core::{CallSite, TeamsClauses, Thread};
use oxomp_sys::gomp::gomp_fn;

use super::Truth;
use super::parallel::outlined;

/// The clauses of a construct, whose numbers the program may have computed as negative ones.
fn clauses(lower: c_uint, upper: c_uint, thread_limit: c_uint) -> TeamsClauses {
    league::clauses(lower.cast_signed(), upper.cast_signed(), thread_limit.cast_signed())
}

entry! {
    /// `void GOMP_teams_reg(void (*fn)(void *), void *data, unsigned num_teams,
    /// unsigned thread_limit, unsigned flags)`: a league on the host; 0 for a number that the
    /// construct does not give.
    ///
    /// # Safety
    /// A8: the outlined `function` takes `data`.
    pub unsafe fn GOMP_teams_reg(
        function: gomp_fn,
        data: *mut c_void,
        num_teams: c_uint,
        thread_limit: c_uint,
        _flags: c_uint,
    ) {
        let clauses = clauses(0, num_teams, thread_limit);
        league::run(Thread::current(), outlined(function, data), clauses, CallSite::here());
    }

    /// `bool GOMP_teams4(unsigned num_teams_low, unsigned num_teams_high, unsigned thread_limit,
    /// bool first)`: a league inside a target region. The caller executes the code of a team each
    /// time that it gets true.
    pub fn GOMP_teams4(lower: c_uint, upper: c_uint, thread_limit: c_uint, first: Truth) -> bool {
        let (thread, site) = (Thread::current(), CallSite::here());
        if first.get() {
            league::begin(thread, clauses(lower, upper, thread_limit), site);
        }
        first.get() || league::next(thread, site)
    }

    /// `void GOMP_teams(unsigned num_teams, unsigned thread_limit)`: the teams construct of a
    /// target region, whose code follows once (gcc up to 11).
    pub fn GOMP_teams(num_teams: c_uint, thread_limit: c_uint) {
        league::begin_in_place(Thread::current(), clauses(0, num_teams, thread_limit));
    }
}
