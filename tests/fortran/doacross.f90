! Doacross loops of Fortran: a wavefront, a nest that is shared out together, a descending loop.
! flang 22 does not compile them.
!//#Compilers:gcc
!//#Opt:-O0,-O2
!//#Threads:1,2,4
!//#Vary:OMP_SCHEDULE=static,1|dynamic,2|guided
!//#NoStderr
program doacross
  implicit none
  integer, parameter :: rows = 25, columns = 30
  integer(8) :: found(0:rows, 0:columns + 2), wanted(0:rows, 0:columns + 2), chain(0:200)
  integer :: i, j, form
  integer(8) :: k

  wanted = 1
  do i = 1, rows
    do j = columns, 1, -2
      wanted(i, j) = mod(wanted(i - 1, j)*3 + wanted(i, j + 2)*5 + i, 1000003_8)
    end do
  end do
  do form = 1, 2
    found = 1
    if (form == 1) then
      !$omp parallel do ordered(2) schedule(runtime)
      do i = 1, rows
        do j = columns, 1, -2
          !$omp ordered depend(sink: i - 1, j) depend(sink: i, j + 2)
          found(i, j) = mod(found(i - 1, j)*3 + found(i, j + 2)*5 + i, 1000003_8)
          !$omp ordered depend(source)
        end do
      end do
    else
      !$omp parallel do ordered(2) collapse(2) schedule(runtime)
      do i = 1, rows
        do j = columns, 1, -2
          !$omp ordered depend(sink: i - 1, j) depend(sink: i, j + 2)
          found(i, j) = mod(found(i - 1, j)*3 + found(i, j + 2)*5 + i, 1000003_8)
          !$omp ordered depend(source)
        end do
      end do
    end if
    if (any(found /= wanted)) error stop "a wavefront is wrong"
  end do

  chain = 0
  !$omp parallel do ordered(1) schedule(runtime)
  do k = 1, 200
    !$omp ordered depend(sink: k - 1)
    chain(k) = chain(k - 1) + k
    !$omp ordered depend(source)
  end do
  if (chain(200) /= 20100) error stop "a chain is wrong"
end program
