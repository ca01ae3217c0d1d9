! Fortran's clauses of task and taskloop that both compilers have: final, mergeable, untied, priority and
! if together, last values, tasks that exclude each other.
!//#Flags[clang]:-fopenmp-version=52
!//#Threads:1,2,4
!//#Repeat:2
!//#Env:OMP_MAX_TASK_PRIORITY=5
program task_clauses
  use omp_lib
  implicit none
  integer, parameter :: length = 100
  integer :: i, total, last, inside, most
  logical :: deferred
  !$omp parallel
  !$omp single
  total = 0
  do i = 1, 20
    deferred = mod(i, 2) == 0
    !$omp task final(i > 10) mergeable untied priority(i) if(deferred) shared(total) firstprivate(i)
    call check(omp_in_final() .eqv. i > 10, 'final as the clause says')
    !$omp task shared(total) priority(9) mergeable
    !$omp atomic
    total = total + 1
    !$omp end task
    !$omp taskwait
    !$omp atomic
    total = total + 100
    !$omp end task
  end do
  !$omp taskwait
  call check(total == 20 * 101, 'tasks and their children')

  last = 0
  !$omp taskloop lastprivate(last) num_tasks(7) priority(3) mergeable untied
  do i = 1, length
    last = 3 * i
  end do
  !$omp end taskloop
  call check(last == 3 * length, 'the last value')
  inside = 0
  !$omp taskloop final(.true.) shared(inside) grainsize(10)
  do i = 1, length
    if (omp_in_final()) then
      !$omp atomic
      inside = inside + 1
    end if
  end do
  !$omp end taskloop
  call check(inside == length, 'a final taskloop')
  inside = 0
  !$omp taskloop if(.false.) nogroup shared(inside)
  do i = 1, length
    inside = inside + 1
  end do
  !$omp end taskloop
  call check(inside == length, 'an undeferred taskloop')

  most = 0
  do i = 1, 50
    !$omp task depend(mutexinoutset: most) shared(most)
    most = most + 1
    !$omp end task
  end do
  !$omp task depend(in: most) shared(most)
  call check(most == 50, 'tasks that exclude each other')
  !$omp end task
  !$omp end single
  !$omp end parallel

contains
  include "check.inc"
end program
