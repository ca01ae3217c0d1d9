! A workshare of a statement that only one thread can execute, since it is of one element.
!//#Says:workshare
!//#Repair:a loop
program workshare_scalar
  implicit none
  integer, parameter :: steps = 20, parts = 40
  real(8) :: values(parts)
  integer :: step, part
  values = 1
  !$omp parallel num_threads(2) private(step) ! PLANT
  do step = 1, steps
#ifdef REPAIRED
    !$omp do
    do part = 1, parts
      values(part) = work(values(part), 50000)
    end do
    !$omp end do
#else
    !$omp workshare ! PLANT
    values(1) = work(values(1), 50000 * parts)
    !$omp end workshare
#endif
  end do
  !$omp end parallel
  if (sum(values) < 0) stop 1
contains
  elemental real(8) function work(start, rounds)
    real(8), intent(in) :: start
    integer, intent(in) :: rounds
    integer :: round
    work = start
    do round = 1, rounds
      work = work * 0.999d0 + 0.5d0
    end do
  end function work
end program workshare_scalar
