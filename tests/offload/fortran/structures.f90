! Fortran: structures with arrays inside, members alone, counts of nested constructs, tasks that depend on
! data constructs, and the routines for device memory.
!//#With:clang:kernels.c
!//#Threads:1,4
program structures
  use omp_lib
  use, intrinsic :: iso_c_binding
  implicit none
  interface
    subroutine scale(values, length, factor) bind(c)
      import :: c_int
      integer(c_int) :: values(*)
      integer(c_int), value :: length, factor
    end subroutine
  end interface
  type :: cell
    integer(c_int) :: before
    integer(c_int) :: values(20)
    integer(c_int) :: after
  end type
  integer, parameter :: pieces = 8, length = 64
  type(cell), target :: one
  integer(c_int), target :: field(length, pieces), back(length)
  integer :: piece, host, device
  integer(c_size_t) :: bytes
  integer(c_size_t), parameter :: zero = 0
  type(c_ptr) :: place

  host = omp_get_initial_device()
  device = omp_get_default_device()
  one = cell(1, 2, 3)
  !$omp target data map(tofrom: one)
  one%before = 10
  !$omp target data map(tofrom: one)
  call scale(one%values, 20, 5)
  !$omp end target data
  call check(all(one%values == 2), "the inner construct copies nothing")
  !$omp end target data
  call check(all(one%values == 10) .and. one%before == 1 .and. one%after == 3, "a structure comes back")

  !$omp target data map(tofrom: one%values)
  one%after = 30
  call scale(one%values, 20, 2)
  !$omp end target data
  call check(all(one%values == 20) .and. one%after == 30, "a member alone")

  field = 1
  !$omp parallel
  !$omp single
  do piece = 1, pieces
    !$omp task depend(out: field(1, piece)) firstprivate(piece)
    field(:, piece) = piece
    !$omp end task
    !$omp task depend(inout: field(1, piece)) firstprivate(piece)
    call on_device(field(:, piece), piece)
    !$omp end task
  end do
  !$omp end single
  !$omp end parallel
  do piece = 1, pieces
    call check(all(field(:, piece) == 2 * piece * piece), "a piece of the field")
  end do

  bytes = length * 4
  place = omp_target_alloc(bytes, device)
  call check(c_associated(place), "memory of the device")
  call check(omp_target_memcpy(place, c_loc(field), bytes, zero, zero, device, host) == 0, "there")
  call check(omp_target_memcpy(c_loc(back), place, bytes, zero, zero, host, device) == 0, "and back")
  call check(all(back == field(:, 1)), "what was copied")
  call omp_target_free(place, device)
contains
  subroutine on_device(values, factor)
    integer(c_int), intent(inout) :: values(length)
    integer, intent(in) :: factor
    !$omp target enter data map(to: values)
    call scale(values, length, factor)
    call scale(values, length, 2)
    !$omp target exit data map(from: values)
  end subroutine
  include "check.inc"
end program
