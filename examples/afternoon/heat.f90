! Heat in a plate: each step smooths the temperatures, and a sum over the plate tells how far they
! are from their end.
!
! README.md makes the program faster in steps: STEP is how many are done.
!
! What `oxomp profile` advises first, by STEP:
!//#Says[0]:schedule(dynamic,1) hands out
!//#Says[1]:run in parallel what lies between heat.f90:44 and heat.f90:44
#ifndef STEP
#define STEP 0
#endif
program heat
  implicit none
  integer, parameter :: width = 1000, height = 600, steps = 30
  real(8), allocatable :: old(:, :), new(:, :)
  real(8) :: change
  integer :: step
  allocate (old(width, height), new(width, height))
  call plate(old)
  new = old
  do step = 1, steps
    call smooth(old, new)
    change = difference(old, new)
    old = new
  end do
  if (.not. change >= 0) stop 1
  print '(a, es10.3)', 'change of the last step', change
contains

  ! Cold but for one hot edge.
  subroutine plate(field)
    real(8), intent(out) :: field(:, :)
    field = 20
    field(:, 1) = 400
  end subroutine plate

  ! One step: each point becomes the mean of its neighbours.
  subroutine smooth(from, to)
    real(8), intent(in) :: from(:, :)
    real(8), intent(inout) :: to(:, :)
    integer :: x, y, point, points
    points = (width - 2)*(height - 2)
#if STEP >= 1
    !$omp parallel do private(x, y) schedule(static)
#else
    !$omp parallel do private(x, y) schedule(dynamic)
#endif
    do point = 0, points - 1
      x = 2 + mod(point, width - 2)
      y = 2 + point/(width - 2)
      to(x, y) = 0.25d0*(from(x - 1, y) + from(x + 1, y) + from(x, y - 1) + from(x, y + 1))
    end do
  end subroutine smooth

  ! How far two fields are from each other, in a norm that costs two roots.
  real(8) function difference(a, b)
    real(8), intent(in) :: a(:, :), b(:, :)
    integer :: x, y
    difference = 0
#if STEP >= 2
    !$omp parallel do private(x) reduction(+ : difference)
#endif
    do y = 1, height
      do x = 1, width
        difference = difference + sqrt(abs(a(x, y) - b(x, y)) + sqrt(abs(a(x, y))))
      end do
    end do
  end function difference
end program heat
