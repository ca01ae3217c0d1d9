!// Schedules of loops that are divided among teams, and then among their threads. flang's code has
!// each team execute the whole loop where there is a schedule, on every runtime.
!//#Compilers:gcc
!//#Opt:-O0,-O2
program teams_schedules
    implicit none
    integer :: count, i, last
    integer :: hits(0:99)
    do count = 1, 4
        hits = 0
        !$omp teams distribute parallel do num_teams(count) num_threads(2) schedule(static, 2)
        do i = 0, 99
            hits(i) = hits(i) + 1
        end do
        !$omp end teams distribute parallel do
        if (any(hits /= 1)) stop 1

        last = -1
        !$omp teams distribute parallel do num_teams(count) lastprivate(last) schedule(dynamic, 3)
        do i = 0, 99
            hits(i) = hits(i) + 1
            last = i
        end do
        !$omp end teams distribute parallel do
        if (any(hits /= 2)) stop 2
        if (last /= 99) stop 3

        !$omp teams distribute parallel do simd num_teams(count) dist_schedule(static, 9) schedule(guided)
        do i = 0, 99
            hits(i) = hits(i) + 1
        end do
        !$omp end teams distribute parallel do simd
        if (any(hits /= 3)) stop 4
    end do
end program
