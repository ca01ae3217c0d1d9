! Fortran's tasks: private data of every kind, dependences, groups, taskloop, recursion.
!//#Threads:1,2,4
!//#Repeat:2
module work
  use omp_lib
  implicit none
contains
  recursive integer function fib(n) result(value)
    integer, value :: n
    integer :: a, b
    if (n < 2) then
      value = n
    else
      !$omp task shared(a) firstprivate(n)
      a = fib(n - 1)
      !$omp end task
      !$omp task shared(b) firstprivate(n) if(n > 8)
      b = fib(n - 2)
      !$omp end task
      !$omp taskwait
      value = a + b
    end if
  end function

  include "check.inc"
end module

program tasks
  use work
  implicit none
  integer :: i, j, total, value, order, inner
  integer :: counts(100), grid(0:20, 0:20)
  real(8) :: list(50)
  character(12) :: text
  type point
    integer :: x, y
    real(8) :: z(3)
  end type
  type(point) :: p
  integer, allocatable :: room(:)

  total = 0
  counts = 0
  !$omp parallel
  !$omp single
  do i = 1, 100
    !$omp task firstprivate(i) shared(counts)
    counts(i) = counts(i) + i
    !$omp end task
  end do
  !$omp end single
  !$omp end parallel
  call check(all(counts == [(i, i = 1, 100)]), 'each task ran once')

  list = [(real(i, 8), i = 1, 50)]
  text = 'private'
  p = point(3, 4, [1d0, 2d0, 3d0])
  allocate(room(7))
  room = 5
  !$omp parallel
  !$omp single
  do i = 1, 20
    !$omp task firstprivate(list, text, p, room, i) shared(total)
    call check(nint(sum(list)) == 1275, 'an array is copied')
    call check(text == 'private', 'text is copied')
    call check(p%x + p%y == 7 .and. nint(sum(p%z)) == 6, 'a derived type is copied')
    call check(size(room) == 7 .and. all(room == 5), 'an allocatable is copied')
    list = 0
    text = 'changed'
    room = i
    !$omp atomic
    total = total + i
    !$omp end task
  end do
  !$omp end single
  !$omp end parallel
  call check(total == 210, 'all were there')
  call check(nint(list(50)) == 50 .and. text == 'private' .and. all(room == 5), 'ours stay')

  !$omp parallel
  !$omp single
  value = fib(15)
  !$omp end single
  !$omp end parallel
  call check(value == 610, 'fib')

  ! Dependences: a chain, a grid, and elements.
  value = 0
  grid = 1
  !$omp parallel
  !$omp single
  do i = 1, 100
    !$omp task depend(inout: value) shared(value) firstprivate(i)
    call check(value == i - 1, 'a chain')
    value = i
    !$omp end task
  end do
  do i = 1, 20
    do j = 1, 20
      !$omp task depend(in: grid(i - 1, j), grid(i, j - 1)) depend(out: grid(i, j)) &
      !$omp& firstprivate(i, j) shared(grid)
      grid(i, j) = mod(grid(i - 1, j) + grid(i, j - 1), 9973)
      !$omp end task
    end do
  end do
  !$omp taskwait
  order = 0
  do i = 1, 50
    !$omp task depend(out: order) shared(order)
    order = order + 1
    !$omp end task
  end do
  !$omp task depend(in: order) shared(order) if(.false.)
  call check(order == 50, 'writers')
  !$omp end task
  !$omp end single
  !$omp end parallel
  call check(value == 100, 'the end of the chain')
  do i = 1, 20
    do j = 1, 20
      call check(grid(i, j) == mod(grid(i - 1, j) + grid(i, j - 1), 9973), 'the grid')
    end do
  end do

  ! Groups, undeferred, final, untied, mergeable, priority.
  total = 0
  inner = 0
  !$omp parallel
  !$omp single
  !$omp taskgroup
  do i = 1, 10
    !$omp task untied shared(total)
    !$omp task shared(total) priority(2)
    !$omp atomic
    total = total + 1
    !$omp end task
    !$omp taskyield
    !$omp end task
  end do
  !$omp end taskgroup
  call check(total == 10, 'a group waits for descendants')
  !$omp task if(.false.) shared(inner)
  inner = 1
  !$omp end task
  call check(inner == 1, 'undeferred')
  !$omp task final(.true.) shared(inner)
  call check(omp_in_final(), 'final')
  !$omp task shared(inner) mergeable
  inner = 2
  !$omp end task
  call check(inner == 2, 'included')
  !$omp end task
  !$omp taskwait
  !$omp end single
  !$omp end parallel
end program
