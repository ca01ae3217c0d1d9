! What flang 22 does not have for tasks: depend objects, iterators, taskwait with depend, affinity; and
! strict shares of task loops, which it leaves out.
!//#Compilers:gcc
!//#Threads:1,2,4
!//#Repeat:2
program task_dependences
  use omp_lib
  implicit none
  integer, parameter :: width = 20, length = 100
  integer(omp_depend_kind) :: writes, reads
  integer :: i, value, cells(0:width), late, share(0:length), mine
  value = 0
  cells = 0
  !$omp depobj(writes) depend(inout: value)
  !$omp depobj(reads) depend(in: value)
  !$omp parallel
  !$omp single
  do i = 1, 50
    !$omp task depend(depobj: writes) shared(value) firstprivate(i) affinity(cells)
    call check(value == i - 1, 'a chain by an object')
    value = i
    !$omp end task
  end do
  do i = 1, 10
    !$omp task depend(depobj: reads) shared(value)
    call check(value == 50, 'readers by an object')
    !$omp end task
  end do
  !$omp taskwait depend(depobj: writes)
  call check(value == 50, 'taskwait with an object')
  !$omp depobj(reads) update(inout)
  !$omp task depend(depobj: reads) shared(value)
  value = value + 1
  !$omp end task
  !$omp task depend(in: value) shared(value) if(.false.)
  call check(value == 51, 'an object that was updated')
  !$omp end task

  ! One that waits for many, by an iterator; gfortran 12 takes constant bounds only, and leaves out the
  ! last iteration.
  do i = 1, width
    !$omp task depend(out: cells(i)) shared(cells) firstprivate(i)
    cells(i) = i
    !$omp end task
  end do
  !$omp task depend(iterator(k = 1:width), in: cells(k)) shared(cells)
  call check(sum(cells(1:width - 1)) == width * (width - 1) / 2, 'all cells')
  cells(1:width - 1) = -cells(1:width - 1)
  !$omp end task
  !$omp task depend(out: cells(3)) shared(cells)
  call check(sum(cells(1:width - 1)) == -width * (width - 1) / 2, 'after the one that read all')
  !$omp end task
  !$omp taskwait depend(iterator(k = 1:width), in: cells(k))
  call check(cells(width - 1) == 1 - width, 'taskwait for all')
  late = 0
  !$omp task depend(inout: late) shared(late)
  late = 1
  !$omp end task
  !$omp taskwait depend(in: late)
  call check(late == 1, 'taskwait with depend')

  ! With strict each task but the last has as many iterations as the clause says.
  share = 0
  mine = -1
  !$omp taskloop grainsize(strict: 8) firstprivate(mine) shared(share)
  do i = 0, length - 1
    if (mine < 0) mine = i
    share(mine) = share(mine) + 1
  end do
  !$omp end taskloop
  call check(all(share(0:95:8) == 8) .and. share(96) == 4, 'grainsize(strict)')
  call check(sum(share) == length, 'all iterations')
  !$omp end single
  !$omp end parallel
  !$omp depobj(writes) destroy
  !$omp depobj(reads) destroy
contains
  include "check.inc"
end program
