! Fortran: arrays of every kind on the device, whole and in sections, with bounds other than 1; their
! updates in both directions.
!//#With:clang:kernels.c
program arrays
  use omp_lib
  use, intrinsic :: iso_c_binding
  implicit none
  interface
    subroutine scale(values, length, factor) bind(c)
      import :: c_int
      integer(c_int) :: values(*)
      integer(c_int), value :: length, factor
    end subroutine
    real(c_double) function sum_of(values, length) bind(c, name="sum")
      import :: c_int, c_double
      real(c_double) :: values(*)
      integer(c_int), value :: length
    end function
  end interface
  integer, parameter :: length = 100
  integer(c_int) :: fixed(length)
  integer(c_int), allocatable, target :: numbers(:), matrix(:, :)
  integer(c_int), pointer :: part(:)
  real(c_double), allocatable :: reals(:)
  integer :: i, device

  device = omp_get_default_device()
  call check(omp_get_num_devices() > 0, "there are devices")
  allocate (numbers(length), matrix(-2:7, 5), reals(0:length))
  fixed = [(i, i=1, length)]
  numbers = fixed
  matrix = 3
  reals = 0.5d0

  !$omp target data map(tofrom: fixed) map(tofrom: numbers)
  call check(is_present(numbers(length)), "the array's last element")
  call scale(fixed, length, 2)
  call scale(numbers, length, 3)
  call check(all(fixed == [(i, i=1, length)]), "the host's is not changed yet")
  !$omp end target data
  call check(all(fixed == [(2 * i, i=1, length)]), "an array of fixed shape")
  call check(all(numbers == [(3 * i, i=1, length)]), "an allocatable array")
  call check(.not. is_present(numbers(1)), "it is gone")

  !$omp target enter data map(to: matrix, reals)
  call scale(matrix, 50, 4)
  call check(all(matrix == 3), "the matrix of the host")
  !$omp target update from(matrix)
  call check(all(matrix == 12), "the matrix of the device")
  matrix = 5
  !$omp target update to(matrix)
  call scale(matrix, 10, 10)
  !$omp target exit data map(from: matrix)
  call check(all(matrix(:, 1) == 50) .and. all(matrix(:, 2:) == 5), "the first column")
  call check(sum_of(reals, length + 1) == 50.5d0, "the sum")
  reals(0) = 100
  call check(sum_of(reals, length + 1) == 50.5d0, "the sum, of what is on the device")
  !$omp target exit data map(delete: reals)
  call check(.not. is_present_real(reals(0)), "deleted")

  ! A section of an allocatable array, and a pointer to a part.
  numbers = 1
  !$omp target enter data map(to: numbers(11:20))
  call check(is_present(numbers(11)) .and. .not. is_present(numbers(10)), "a section's bounds")
  call scale(numbers(11), 10, 7)
  !$omp target exit data map(from: numbers(11:20))
  call check(all(numbers(11:20) == 7) .and. all(numbers(:10) == 1) .and. all(numbers(21:) == 1), "a section")
  part => numbers(31:40)
  !$omp target data map(tofrom: part)
  call scale(part, 10, 9)
  !$omp end target data
  call check(all(numbers(31:40) == 9) .and. numbers(30) == 1 .and. numbers(41) == 1, "a pointer's target")
  deallocate (numbers, matrix, reals)
contains
  logical function is_present(element)
    integer(c_int), intent(in), target :: element
    is_present = omp_target_is_present(c_loc(element), device) /= 0
  end function
  logical function is_present_real(element)
    real(c_double), intent(in), target :: element
    is_present_real = omp_target_is_present(c_loc(element), device) /= 0
  end function
  include "check.inc"
end program
