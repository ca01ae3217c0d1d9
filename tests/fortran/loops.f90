! Loops of all schedules, up and down, two integer kinds, each iteration once.
!//#Opt:-O0,-O2
!//#Threads:1,2,4
!//#NoStderr
program loops
  implicit none
  integer, parameter :: n = 500
  integer :: times(n), i, round, nothing
  integer(8) :: j

  nothing = 0
  do round = 1, 10
    times = 0
    !$omp parallel
    !$omp do schedule(static)
    do i = 1, n
      times(i) = times(i) + 1
    end do
    !$omp end do
    !$omp do schedule(static, 3)
    do i = n, 1, -1
      times(i) = times(i) + 1
    end do
    !$omp end do
    !$omp do schedule(dynamic)
    do j = 1_8, int(n, 8)
      times(j) = times(j) + 1
    end do
    !$omp end do
    !$omp do schedule(dynamic, 7)
    do j = int(n, 8), 2_8, -2_8
      times(j) = times(j) + 1
      times(j - 1) = times(j - 1) + 1
    end do
    !$omp end do
    !$omp do schedule(guided)
    do i = 1, n
      times(i) = times(i) + 1
    end do
    !$omp end do
    !$omp do schedule(runtime)
    do i = 1, n
      times(i) = times(i) + 1
    end do
    !$omp end do nowait
    !$omp do schedule(guided, 4)
    do i = 1, nothing
      times(1) = -1
    end do
    !$omp end do
    !$omp do collapse(2) schedule(dynamic, 5)
    do i = 1, n / 10
      do j = 1, 10
        times((i - 1) * 10 + j) = times((i - 1) * 10 + j) + 1
      end do
    end do
    !$omp end do
    !$omp end parallel
    if (any(times /= 7)) error stop "an iteration was not executed once"
  end do
end program
