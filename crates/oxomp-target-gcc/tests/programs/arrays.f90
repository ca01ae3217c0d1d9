! Arrays with descriptors, derived types, optional and allocatable variables.
module things
  implicit none
  type pair
    integer :: number = 0
    real, allocatable :: values(:)
  end type
contains
  subroutine scale(a, factors)
    integer, intent(inout) :: a(:)
    integer, intent(in), optional :: factors(:)
    integer :: i
    !$omp target map(tofrom: a) map(to: factors)
    do i = 1, size(a)
      if (present(factors)) then
        a(i) = a(i) * factors(i)
      else
        a(i) = a(i) + 1
      end if
    end do
    !$omp end target
  end subroutine
end module

program arrays
  use things
  implicit none
  integer, allocatable, target :: a(:)
  integer, pointer :: p(:)
  integer :: b(4, 5), i, j, total
  logical :: is_allocated
  allocate(a(10))
  a = [(i, i = 1, 10)]
  call scale(a)
  call scale(a(2:9:2), [3, 4, 5, 6])
  print '(10i4)', a
  p => a(3:7)
  !$omp target enter data map(to: p)
  !$omp target map(alloc: p)
  p(2) = 100
  !$omp end target
  !$omp target update from(p)
  !$omp target exit data map(delete: p)
  print '(10i4)', a
  !$omp target map(from: b)
  do j = 1, 5
    do i = 1, 4
      b(i, j) = 10 * i + j
    end do
  end do
  !$omp end target
  total = 0
  !$omp target teams distribute parallel do map(to: b) reduction(+: total)
  do j = 1, 5
    total = total + sum(b(:, j))
  end do
  print '(i6)', total
  deallocate(a)
  !$omp target map(tofrom: a) map(from: is_allocated)
  is_allocated = allocated(a)
  !$omp end target
  print '(l2)', is_allocated
  call nested()
contains
  subroutine nested()
    integer :: n, x(6)
    x = 1
    n = 6
    !$omp target data map(tofrom: x)
    do i = 1, 3
      !$omp target firstprivate(i) map(tofrom: x(1:n))
      x(i) = x(i) + i
      !$omp end target
    end do
    !$omp end target data
    print '(6i4)', x
  end subroutine
end program
