! Cancellation of a parallel region, a loop, sections and a taskgroup.
!//#Threads:1,2,4
!//#Env:OMP_CANCELLATION=true
!//#Timeout:60
program main
    use omp_lib
    implicit none
    integer :: round, found, passed, begun, reached, i

    if (.not. omp_get_cancellation()) error stop "not cancellable"
    do round = 1, 50
        passed = 0
        !$omp parallel shared(passed)
        if (omp_get_thread_num() == 0) then
            !$omp cancel parallel
        end if
        !$omp barrier
        !$omp atomic
        passed = passed + 1
        !$omp end parallel
        call check(passed == 0, "passed == 0")

        found = -1
        !$omp parallel shared(found)
        !$omp do schedule(dynamic)
        do i = 1, 1000
            if (i == 37) then
                !$omp atomic write
                found = i
                !$omp cancel do
            end if
            !$omp cancellation point do
        end do
        !$omp end do
        !$omp end parallel
        call check(found == 37, "found == 37")

        reached = 0
        !$omp parallel shared(reached)
        !$omp sections
        !$omp section
        !$omp cancel sections
        reached = 1
        !$omp section
        !$omp cancel sections
        reached = 1
        !$omp end sections
        !$omp end parallel
        call check(reached == 0, "reached == 0")

        begun = 0
        !$omp parallel
        !$omp single
        !$omp taskgroup
        do i = 1, 100
            !$omp task shared(begun)
            !$omp cancel taskgroup
            !$omp atomic
            begun = begun + 1
            !$omp end task
        end do
        !$omp end taskgroup
        !$omp end single
        !$omp end parallel
        call check(begun == 0, "begun == 0")
    end do
contains
    include "check.inc"
end program
