! The costly iterations come last, in chunks so large that nothing is left to balance them.
!//#Says:the last quarter of the iterations takes
!//#Says:backwards
!//#Says:smaller than 50
!//#Advises:schedule(dynamic
!//#Repair:chunks of 2
program large_chunks
  implicit none
  integer, parameter :: points = 400, steps = 4
  real(8) :: field(points)
  integer :: step, i
  field = 1
  do step = 1, steps
#ifdef REPAIRED
    !$omp parallel do num_threads(2) schedule(dynamic, 2)
#else
    !$omp parallel do num_threads(2) schedule(dynamic, 50) ! PLANT
#endif
    do i = 1, points
      if (i > 350) then
        field(i) = work(field(i), 200000)
      else
        field(i) = work(field(i), 20000)
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
end program large_chunks
