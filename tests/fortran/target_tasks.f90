! Fortran's target tasks on the host, in a chain with other tasks, and outside any region.
!//#Compilers:clang
!//#Flags[clang]:-fopenmp-version=52
!//#Threads:1,2,4
!//#Repeat:2
program target_tasks
  implicit none
  integer :: i, cell
  cell = 0
  !$omp parallel
  !$omp single
  do i = 1, 20
    !$omp target nowait depend(inout: cell) map(tofrom: cell)
    cell = cell + 1
    !$omp end target
    !$omp task depend(inout: cell) shared(cell)
    cell = 2 * cell - cell
    !$omp end task
  end do
  !$omp end single
  !$omp end parallel
  call check(cell == 20, 'target tasks')
  !$omp target nowait map(tofrom: cell)
  cell = cell + 1
  !$omp end target
  !$omp taskwait
  call check(cell == 21, 'outside any region')
contains
  include "check.inc"
end program
