!// Leagues, distribute loops in all forms, reductions, and the routines of teams. (flang 22 ignores
!// the reduction clause of a teams construct without a loop: all teams add to the one variable.)
!//#Opt:-O0,-O2
!//#ReferenceFails[clang]:libomp makes no more teams than there are processors
program teams
    use omp_lib
    implicit none
    integer :: count, i, j, round
    integer :: hits(0:99)
    integer(8) :: total
    real(8) :: product
    do count = 1, 4
        do round = 1, 10
            total = 0
            product = 1
            !$omp teams num_teams(count) thread_limit(2)
            call add(total, product)
            if (omp_get_num_teams() /= count) stop 1
            call in_team()
            !$omp end teams
            if (total /= count * (count + 1) / 2) stop 2
            if (nint(product) /= 2 ** count) stop 3
        end do

        hits = 0
        !$omp teams num_teams(count)
        !$omp distribute
        do i = 0, 99
            hits(i) = hits(i) + 1
        end do
        !$omp end distribute
        !$omp end teams
        if (any(hits /= 1)) stop 4

        !$omp teams distribute dist_schedule(static, 7) num_teams(count)
        do i = 0, 99
            hits(i) = hits(i) + 1
        end do
        !$omp end teams distribute
        if (any(hits /= 2)) stop 5

        total = 0
        !$omp teams distribute parallel do num_teams(count) num_threads(3) reduction(+ : total)
        do i = 0, 99
            hits(i) = hits(i) + 1
            total = total + i
        end do
        !$omp end teams distribute parallel do
        if (any(hits /= 3)) stop 6
        if (total /= 4950) stop 7

        !$omp teams distribute parallel do collapse(2) num_teams(count) num_threads(2)
        do i = 0, 9
            do j = 0, 9
                hits(10 * i + j) = hits(10 * i + j) + 1
            end do
        end do
        !$omp end teams distribute parallel do
        if (any(hits /= 4)) stop 8

        !$omp teams distribute simd num_teams(count)
        do i = 0, 99
            hits(i) = hits(i) + 1
        end do
        !$omp end teams distribute simd
        if (any(hits /= 5)) stop 10
    end do
    if (omp_get_num_teams() /= 1) stop 11
    if (omp_get_team_num() /= 0) stop 17

contains
    ! Each team adds its number and doubles the product. (A teams construct encloses no atomic.)
    subroutine add(total, product)
        integer(8), intent(inout) :: total
        real(8), intent(inout) :: product
        !$omp atomic
        total = total + omp_get_team_num() + 1
        !$omp atomic
        product = product * 2
    end subroutine


    subroutine in_team()
        integer :: threads
        if (omp_get_thread_limit() /= 2) error stop 12
        if (omp_get_level() /= 0) error stop 13
        if (omp_get_num_threads() /= 1) error stop 16
        threads = 0
        !$omp parallel num_threads(2) reduction(+ : threads)
        threads = threads + 1
        if (omp_get_level() /= 1) error stop 14
        !$omp end parallel
        if (threads /= 2) error stop 15
    end subroutine
end program
