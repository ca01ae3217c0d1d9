! single with copyprivate, sections, masked and workshare: once, and seen by all.
!//#Opt:-O0,-O2
!//#Threads:1,2,4
!//#NoStderr
program singles
  use omp_lib
  implicit none
  integer, parameter :: n = 100, rounds = 100
  integer :: round, once, wrong, ran(3), size
  integer :: value, values(3)
  integer(8) :: a(n), b(n), total

  once = 0
  wrong = 0
  ran = 0
  b = 2
  !$omp parallel private(round, value, values) reduction(+:wrong)
  do round = 1, rounds
    !$omp single
    once = once + 1
    value = round * 3
    values = [1, 2, 3] * round
    !$omp end single copyprivate(value, values)
    if (value /= round * 3) wrong = wrong + 1
    if (any(values /= [1, 2, 3] * round)) wrong = wrong + 1
    !$omp sections
    !$omp section
    ran(1) = ran(1) + 1
    !$omp section
    ran(2) = ran(2) + 1
    !$omp section
    ran(3) = ran(3) + 1
    !$omp end sections
    !$omp workshare
    a = b * round
    total = sum(a)
    !$omp end workshare
    if (total /= 2 * n * round) wrong = wrong + 1
    !$omp barrier
  end do
  !$omp end parallel
  size = 0
  !$omp parallel
  !$omp master
  size = omp_get_num_threads()
  !$omp end master
  !$omp end parallel
  if (size /= omp_get_max_threads()) error stop "size of the team"
  if (once /= rounds) error stop "single"
  if (any(ran /= rounds)) error stop "sections"
  if (wrong /= 0) error stop "a thread has seen other values"
end program
