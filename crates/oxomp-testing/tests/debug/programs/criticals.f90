! Two named criticals of Fortran, nested in opposite order.
!//#Verdict:deadlock
!//#Says:@INNER_IN
!//#Says:@INNER_OUT
program criticals
    use omp_lib
    implicit none
    interface
        function alarm(seconds) bind(c)
            use iso_c_binding, only: c_int
            integer(c_int), value :: seconds
            integer(c_int) :: alarm
        end function alarm
    end interface
    integer :: arrived, total
    ! As planted.h.
    if (alarm(600) /= 0) stop 1
    arrived = 0
    total = 0
    !$omp parallel num_threads(2) shared(arrived, total)
    if (omp_get_thread_num() == 0) then
        !$omp critical (outer)
        call meet() !//@INNER_IN
        !$omp critical (inner) !//@INNER_IN
        total = total + 1 !//@INNER_IN
        !$omp end critical (inner)
        !$omp end critical (outer)
    else
        !$omp critical (inner)
        call meet() !//@INNER_OUT
        !$omp critical (outer) !//@INNER_OUT
        total = total + 1 !//@INNER_OUT
        !$omp end critical (outer)
        !$omp end critical (inner)
    end if
    !$omp end parallel
    print *, total

contains

    ! Returns when both threads have called it.
    subroutine meet()
        integer :: seen
        !$omp atomic update
        arrived = arrived + 1
        do
            !$omp atomic read
            seen = arrived
            if (seen == 2) exit
        end do
    end subroutine meet
end program criticals
