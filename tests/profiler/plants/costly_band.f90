! A loop with a band of costly iterations, all of which the static schedule gives to one thread.
!//#Says[gcc]:schedule(dynamic
!//#Says[clang]:schedule(dynamic|schedule(static,
!//#Advises[clang]:schedule(
!//#Repair:schedule(dynamic,5)
program costly_band
  implicit none
  integer, parameter :: points = 800, steps = 4
  real(8) :: field(points)
  integer :: step, i
  field = 1
  do step = 1, steps
#ifdef REPAIRED
    !$omp parallel do num_threads(2) schedule(dynamic, 5)
#else
    !$omp parallel do num_threads(2) ! PLANT
#endif
    do i = 1, points
      if (i > 200 .and. i <= 400) then
        field(i) = work(field(i), 100000)
      else
        field(i) = work(field(i), 10000)
      end if
    end do
  end do
  if (sum(field) < 0) stop 1
contains
  real(8) function work(start, rounds)
    real(8), intent(in) :: start
    integer, intent(in) :: rounds
    integer :: round
    work = start
    do round = 1, rounds
      work = work * 0.999d0 + 0.5d0
    end do
  end function work
end program costly_band
