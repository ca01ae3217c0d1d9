! The addresses of events in Fortran's code are in the procedure that has the construct or the call.
!//#With:clang:fortran_tool.c
subroutine uses_data()
  use omp_lib
  use, intrinsic :: iso_c_binding
  implicit none
  integer(c_int), target, save :: values(10) = 1
  type(c_ptr) :: place
  integer(c_int) :: status

  !$omp target enter data map(to: values)
  !$omp target update from(values)
  !$omp target data map(alloc: values)
  values(1) = 5
  !$omp end target data
  !$omp target exit data map(from: values)
  if (any(values /= 1)) stop 1
  place = omp_target_alloc(40_c_size_t, 0_c_int)
  status = omp_target_memcpy(place, c_loc(values), 40_c_size_t, 0_c_size_t, 0_c_size_t, 0_c_int, &
    omp_get_initial_device())
  if (status /= 0) stop 2
  call omp_target_free(place, 0_c_int)
end subroutine

program codes
  use, intrinsic :: iso_c_binding
  implicit none
  interface
    integer(c_int) function wrong_codes() bind(c)
      import :: c_int
    end function
  end interface

  call uses_data()
  if (wrong_codes() /= 0) stop 3
end program
