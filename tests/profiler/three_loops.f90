! Three parallel loops in a loop over time, each with its own line.
program three_loops
  implicit none
  integer, parameter :: size = 2000, steps = 5
  real(8) :: a(size), b(size), c(size)
  integer :: step, i
  a = 1
  b = 1
  c = 1
  do step = 1, steps
    !$omp parallel do num_threads(2)
    do i = 1, size
      a(i) = work(a(i), 50)
    end do
    !$omp parallel do num_threads(2)
    do i = 1, size
      b(i) = work(b(i), 100)
    end do
    !$omp parallel do num_threads(2)
    do i = 1, size
      c(i) = work(c(i), 150)
    end do
  end do
  if (sum(a) + sum(b) + sum(c) < 0) stop 1
contains
  real(8) function work(start, rounds)
    real(8), intent(in) :: start
    integer, intent(in) :: rounds
    integer :: round
    work = start
    do round = 1, rounds
      work = sqrt(work + 1)
    end do
  end function work
end program three_loops
