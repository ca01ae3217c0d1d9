!// The routines of nteams-var and teams-thread-limit-var, from Fortran.
!//#Env:OMP_NUM_TEAMS=5
!//#Env:OMP_TEAMS_THREAD_LIMIT=7
program teams_variables
    use omp_lib
    implicit none
    if (omp_get_max_teams() /= 5) stop 1
    if (omp_get_teams_thread_limit() /= 7) stop 2
    call omp_set_num_teams(4)
    call omp_set_teams_thread_limit(6)
    if (omp_get_max_teams() /= 4) stop 3
    if (omp_get_teams_thread_limit() /= 6) stop 4
    if (omp_get_num_teams() /= 1) stop 5
    if (omp_get_team_num() /= 0) stop 6
end program
