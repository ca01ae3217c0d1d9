//! Teams regions (OpenMP 5.2 §18.4).

use core::ffi::c_int;

use oxomp_base::settings;
use oxomp_core::parallel::league;
use oxomp_core::{Thread, process};

use crate::ignored::ignored;

/// A number of teams or of threads. `None`, after a report, for zero, which says nothing, and for a
/// negative number.
fn positive(routine: &'static str, argument: &str, value: c_int) -> Option<u32> {
    let number = u32::try_from(value).ok().filter(|&number| number > 0);
    if number.is_none() {
        ignored(routine, argument, value, "positive");
    }
    number
}

entry! {
    /// `int omp_get_num_teams(void)`
    pub fn omp_get_num_teams | omp_get_num_teams_() -> c_int {
        Thread::current().team().num_teams().cast_signed()
    }

    /// `int omp_get_team_num(void)`
    pub fn omp_get_team_num | omp_get_team_num_() -> c_int {
        Thread::current().team().team_num().cast_signed()
    }

    /// `void omp_set_num_teams(int num_teams)`
    pub fn omp_set_num_teams(num_teams: c_int) {
        process::start_for_tool();
        if let Some(teams) = positive("omp_set_num_teams", "num_teams", num_teams) {
            settings::get().set_nteams(teams);
        }
    }

    /// `int omp_get_max_teams(void)`: 0 if *nteams-var* is unset.
    pub fn omp_get_max_teams | omp_get_max_teams_() -> c_int {
        process::start_for_tool();
        settings::get().nteams().cast_signed()
    }

    /// `void omp_set_teams_thread_limit(int thread_limit)`
    pub fn omp_set_teams_thread_limit(thread_limit: c_int) {
        process::start_for_tool();
        let routine = "omp_set_teams_thread_limit";
        if let Some(threads) = positive(routine, "thread_limit", thread_limit) {
            settings::get().set_teams_thread_limit(threads);
        }
    }

    /// `int omp_get_teams_thread_limit(void)`: 0 if *teams-thread-limit-var* is unset.
    pub fn omp_get_teams_thread_limit | omp_get_teams_thread_limit_() -> c_int {
        league::teams_thread_limit(Thread::current()).cast_signed()
    }
}
