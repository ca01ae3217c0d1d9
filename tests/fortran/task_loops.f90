! Fortran's taskloop: bounds, steps, shares, collapse, last values; task reductions.
!//#Threads:1,2,4
!//#Repeat:2
program task_loops
  use omp_lib
  implicit none
  integer :: i, hits(-50:50), zero
  integer(8) :: k, wide
  hits = 0
  zero = 0
  !$omp parallel
  !$omp single
  !$omp taskloop grainsize(7) shared(hits)
  do i = -50, 50
    hits(i) = hits(i) + 1
  end do
  !$omp end taskloop
  call check(all(hits == 1), 'grainsize')
  !$omp taskloop num_tasks(5) shared(hits)
  do i = 50, -50, -1
    hits(i) = hits(i) + 1
  end do
  !$omp end taskloop
  call check(all(hits == 2), 'num_tasks, downward')
  !$omp taskloop shared(hits)
  do i = -50, 50, 4
    hits(i) = hits(i) + 1
  end do
  !$omp end taskloop
  call check(sum(hits) == 202 + 26, 'a step')
  !$omp taskloop shared(hits)
  do i = 1, zero
    hits(i) = -1000
  end do
  !$omp end taskloop
  !$omp taskloop shared(hits) num_tasks(3)
  do i = zero, 1, -1
    hits(i) = -1000
  end do
  !$omp end taskloop
  call check(all(hits > 0), 'no trips')
  wide = 0
  !$omp taskloop shared(wide) num_tasks(4)
  do k = 5000000000_8, 5000000100_8, 25_8
    !$omp atomic
    wide = wide + k
  end do
  !$omp end taskloop
  call check(wide == 25000000250_8, 'wide bounds')
  !$omp taskgroup
  !$omp taskloop nogroup shared(hits)
  do i = -50, 50
    hits(i) = 7
  end do
  !$omp end taskloop
  !$omp end taskgroup
  call check(all(hits == 7), 'nogroup')
  !$omp end single
  !$omp end parallel
contains
  include "check.inc"
end program
