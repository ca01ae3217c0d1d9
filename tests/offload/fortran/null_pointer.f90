! Fortran: a pointer without target is so in the data environment too, also where its descriptor is only
! allocated there.
!//#Flags:-fopenmp-version=50
!//#StockFails:it ends in a segmentation fault where a pointer to an array has no target
program null_pointer
  implicit none
  integer, target :: number
  integer, pointer :: one, field(:)

  number = 1
  one => number
  call associated_there(one)
  one => null()
  call null_there(one)
  field => null()
  !$omp target data map(to: number) use_device_addr(field)
  if (associated(field)) stop 5
  !$omp end target data
contains
  subroutine associated_there(it)
    integer, pointer :: it
    !$omp target data map(to: number) use_device_addr(it)
    if (.not. associated(it)) stop 1
    !$omp end target data
  end subroutine

  subroutine null_there(it)
    integer, pointer :: it
    integer :: pass
    do pass = 1, 2
      !$omp target data map(to: number) use_device_addr(it)
      if (associated(it)) stop 2
      !$omp end target data
    end do
  end subroutine
end program
