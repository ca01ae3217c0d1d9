! Fortran's task reductions, last values, collapsed task loops, tasks that exclude each other: flang 22
! has none of them.
!//#Compilers:gcc
!//#Threads:1,2,4
!//#Repeat:2
program task_reductions
  use omp_lib
  implicit none
  integer :: i, j, last, total, most, list(10)
  real(8) :: product
  total = 100
  most = 0
  product = 1
  list = 0
  last = 0
  !$omp parallel
  !$omp single
  !$omp taskgroup task_reduction(+: total, list) task_reduction(max: most)
  do i = 1, 100
    !$omp task in_reduction(+: total, list) in_reduction(max: most) firstprivate(i)
    total = total + i
    list(mod(i, 10) + 1) = list(mod(i, 10) + 1) + 1
    most = max(most, i)
    !$omp end task
  end do
  !$omp end taskgroup
  call check(total == 5150 .and. most == 100 .and. all(list == 10), 'taskgroup')
  !$omp taskloop reduction(*: product) num_tasks(6)
  do i = 1, 20
    product = product * 2
  end do
  !$omp end taskloop
  call check(nint(product) == 2**20, 'taskloop')
  !$omp taskloop collapse(2) lastprivate(last) grainsize(4)
  do i = 1, 7
    do j = 10, 1, -3
      last = 100 * i + j
    end do
  end do
  !$omp end taskloop
  call check(last == 701, 'the last value')
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
  total = 0
  !$omp parallel reduction(task, +: total)
  !$omp task in_reduction(+: total)
  total = total + 10
  !$omp end task
  total = total + 1
  !$omp end parallel
  call check(total == 11 * omp_get_max_threads(), 'the task modifier')
  total = 0
  !$omp parallel
  !$omp do reduction(task, +: total)
  do i = 1, 50
    !$omp task in_reduction(+: total) firstprivate(i)
    total = total + i
    !$omp end task
  end do
  !$omp end do
  !$omp end parallel
  call check(total == 1275, 'the task modifier of a loop')
contains
  include "check.inc"
end program
