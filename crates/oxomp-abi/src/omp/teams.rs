//! Teams regions (OpenMP 5.2 §18.4): outside of one, a league is one team.

use core::ffi::c_int;

entry! {
    /// `int omp_get_num_teams(void)`
    pub fn omp_get_num_teams | omp_get_num_teams_() -> c_int {
        1
    }

    /// `int omp_get_team_num(void)`
    pub fn omp_get_team_num | omp_get_team_num_() -> c_int {
        0
    }
}
