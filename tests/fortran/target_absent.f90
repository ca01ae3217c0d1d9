! Variables of target constructs that are not there: optional arguments that are absent, arrays that
! are not allocated, pointers without a target, arrays of no element. A region finds each as it is on
! the host, and no construct touches memory for it.
!//#Compilers:gcc
!//#Opt:-O0,-O2
!//#Threads:4
!//#NoStderr
module absent
  implicit none
contains
  ! 0 for an argument that is absent, -1 for an array that is not allocated, else the sum.
  integer function device_address(it) result(found)
    integer, allocatable, optional :: it(:)
    !$omp target has_device_addr(it) map(from: found)
    found = 0
    if (present(it)) then
      found = -1
      if (allocated(it)) found = sum(it)
    end if
    !$omp end target
  end function

  integer function device_address_later(it) result(found)
    integer, allocatable, optional :: it(:)
    integer :: other
    other = 1
    !$omp target has_device_addr(it) map(from: found) firstprivate(other) nowait depend(out: found)
    found = other - 1
    if (present(it)) then
      found = -1
      if (allocated(it)) found = sum(it)
    end if
    !$omp end target
    !$omp taskwait
  end function

  integer function shape_address(it) result(found)
    integer, optional :: it(:)
    !$omp target has_device_addr(it) map(from: found)
    found = 0
    if (present(it)) found = sum(it)
    !$omp end target
  end function

  integer function private_copy(it) result(found)
    integer, allocatable, optional :: it(:)
    !$omp target firstprivate(it) map(from: found)
    found = 0
    if (present(it)) then
      found = -1
      if (allocated(it)) found = sum(it)
    end if
    !$omp end target
  end function

  integer function private_text(it) result(found)
    character(len=*), optional :: it
    !$omp target firstprivate(it) map(from: found)
    found = 0
    if (present(it)) found = ichar(it(1:1))
    !$omp end target
  end function

  integer function mapped(it) result(found)
    integer, allocatable, optional :: it(:)
    !$omp target map(tofrom: it) map(from: found)
    found = 0
    if (present(it)) then
      found = -1
      if (allocated(it)) found = sum(it)
    end if
    !$omp end target
  end function

  integer function mapped_number(it) result(found)
    integer, optional :: it
    !$omp target map(tofrom: it) map(from: found)
    found = 0
    if (present(it)) found = it
    !$omp end target
  end function

  integer function mapped_pointer(it) result(found)
    integer, pointer :: it(:)
    !$omp target map(tofrom: it) map(from: found)
    found = 0
    if (associated(it)) found = sum(it)
    !$omp end target
  end function

  integer function in_data_constructs(it) result(found)
    integer, optional, target :: it(:)
    found = 0
    !$omp target enter data map(to: it)
    !$omp target update to(it)
    !$omp target data map(tofrom: it) use_device_addr(it)
    if (present(it)) found = sum(it)
    !$omp end target data
    !$omp target update from(it)
    !$omp target exit data map(from: it)
  end function

  integer function device_pointer(it) result(found)
    use iso_c_binding
    type(c_ptr), optional :: it
    found = 0
    !$omp target data use_device_ptr(it)
    if (present(it)) found = merge(1, -1, c_associated(it))
    !$omp end target data
  end function
end module

program target_absent
  use absent
  use iso_c_binding
  implicit none
  integer, target :: three(3) = [1, 2, 3], nothing(0)
  integer, allocatable :: allocated_one(:), other(:)
  integer, pointer :: pointer_to(:)
  integer :: number = 7

  allocate (allocated_one, source=[4, 5, 6])
  call check([device_address(), device_address(other), device_address(allocated_one)] == [0, -1, 15], &
             'has_device_addr')
  call check([device_address_later(), device_address_later(other), &
              device_address_later(allocated_one)] == [0, -1, 15], 'has_device_addr, nowait')
  call check([shape_address(), shape_address(nothing), shape_address(three)] == [0, 0, 6], &
             'has_device_addr of an assumed shape')
  call check([private_copy(), private_copy(other), private_copy(allocated_one)] == [0, -1, 15], &
             'firstprivate')
  call check([private_text(), private_text('A')] == [0, 65], 'firstprivate text')
  call check([mapped(), mapped(other), mapped(allocated_one)] == [0, -1, 15], 'map')
  call check([mapped_number(), mapped_number(number)] == [0, 7], 'map of a number')
  nullify (pointer_to)
  call check([mapped_pointer(pointer_to)] == [0], 'map of a null pointer')
  pointer_to => three
  call check([mapped_pointer(pointer_to)] == [6], 'map of a pointer')
  call check([in_data_constructs(), in_data_constructs(nothing), in_data_constructs(three)] == [0, 0, 6], &
             'data constructs')
  call check([device_pointer(), device_pointer(c_null_ptr), device_pointer(c_loc(three))] == [0, -1, 1], &
             'use_device_ptr')
contains
  subroutine check(right, what)
    logical, intent(in) :: right(:)
    character(len=*), intent(in) :: what
    if (.not. all(right)) then
      print *, 'wrong: ', what
      error stop 1
    end if
  end subroutine
end program
