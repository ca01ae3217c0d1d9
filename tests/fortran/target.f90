! Fortran's target constructs on the host: map types, data constructs, firstprivate variables, nowait
! and dependences, the initial task, and routines for devices.
!//#Compilers:gcc
!//#Threads:1,4
!//#NoStderr
program target
  use omp_lib
  implicit none
  integer :: i, cell, members, level, inside(10)
  integer :: values(20)
  integer, allocatable :: dynamic(:)
  logical :: initial
  type record
    integer :: numbers(30)
  end type
  type(record) :: private_one

  values = [(i, i = 1, 20)]
  allocate (dynamic(10))
  dynamic = 1
  private_one%numbers = 3
  cell = 0
  !$omp target data map(tofrom: values) map(to: dynamic)
  !$omp target map(tofrom: cell) firstprivate(private_one)
  values(3) = values(3) + dynamic(2)
  cell = private_one%numbers(30)
  private_one%numbers = 0
  !$omp end target
  !$omp target update from(values)
  call check(values(3) == 4 .and. cell == 3, 'a region with its data')
  !$omp end target data
  call check(private_one%numbers(30) == 3, 'firstprivate')

  !$omp target enter data map(to: values)
  !$omp target map(tofrom: values(2:5))
  values(5) = 0
  !$omp end target
  !$omp target exit data map(from: values)
  call check(values(5) == 0, 'a section')

  cell = 0
  !$omp parallel
  !$omp single
  do i = 1, 20
    !$omp target nowait depend(inout: cell) map(tofrom: cell)
    cell = cell + 1
    !$omp end target
    !$omp target update from(cell) nowait depend(inout: cell)
    !$omp task depend(inout: cell) shared(cell)
    cell = 2 * cell - cell
    !$omp end task
  end do
  !$omp end single
  !$omp end parallel
  call check(cell == 20, 'a chain')

  members = 0
  level = -1
  initial = .false.
  !$omp target map(tofrom: members, level, initial)
  initial = omp_is_initial_device()
  level = omp_get_level()
  !$omp parallel num_threads(2) reduction(+: members)
  members = members + 1
  !$omp end parallel
  !$omp end target
  call check(initial .and. level == 0 .and. members == 2, 'an inner region')

  inside = 0
  !$omp target teams distribute parallel do map(tofrom: inside) num_teams(3)
  do i = 1, 10
    inside(i) = i
  end do
  call check(sum(inside) == 55, 'a combined construct')

  call check(omp_get_initial_device() == 0, 'the initial device')
  call omp_set_default_device(2)
  call check(omp_get_default_device() == 2, 'the default device')
contains
  include "check.inc"
end program
