! Nests of loops as one: collapsed, with bounds that depend on the outer variable, tiled.
!//#Opt:-O0,-O2
!//#Threads:1,2,4
!//#NoStderr
program nests
  implicit none
  integer, parameter :: n = 17
  integer :: times(n, n, 0:n), i, j, k, bound, last
  integer(8) :: wide

  do bound = 0, n, 5
    call rectangles(bound, 3)
    call rectangles(3, bound)
    call triangles(bound)
  end do
  last = -1
  !$omp parallel do collapse(2) lastprivate(last) schedule(dynamic)
  do i = 1, 5
    do j = 7, 1, -2
      last = 100 * i + j
    end do
  end do
  if (last /= 501) error stop "lastprivate"
  call wide_bounds()
contains
  subroutine judge(wanted, what)
    logical, intent(in) :: wanted(n, n)
    character(*), intent(in) :: what
    integer :: level
    do level = 0, n
      if (any(times(:, :, level) /= merge(1, 0, wanted .and. level == 0))) error stop what
    end do
    times = 0
  end subroutine

  subroutine rectangles(rows, columns)
    integer, intent(in) :: rows, columns
    logical :: wanted(n, n)
    wanted = .false.
    wanted(:rows, :columns) = .true.
    times = 0
    !$omp parallel do collapse(2)
    do i = 1, rows
      do j = columns, 1, -1
        times(i, j, 0) = times(i, j, 0) + 1
      end do
    end do
    call judge(wanted, "collapse")
    !$omp parallel do collapse(2) schedule(static, 4)
    do i = 1, rows
      do j = 1, columns
        times(i, j, 0) = times(i, j, 0) + 1
      end do
    end do
    call judge(wanted, "collapse, static chunks")
    !$omp parallel do collapse(3) schedule(dynamic, 3)
    do i = 1, rows
      do j = 1, columns
        do k = 0, 0
          times(i, j, k) = times(i, j, k) + 1
        end do
      end do
    end do
    call judge(wanted, "collapse, dynamic")
    !$omp parallel do collapse(2) schedule(guided)
    do i = rows, 1, -1
      do j = 1, columns
        times(i, j, 0) = times(i, j, 0) + 1
      end do
    end do
    call judge(wanted, "collapse, guided")
    !$omp parallel do collapse(2) schedule(runtime)
    do i = 1, rows
      do j = 1, columns
        times(i, j, 0) = times(i, j, 0) + 1
      end do
    end do
    call judge(wanted, "collapse, runtime")
  end subroutine

  ! The inner loop is not part of the worksharing one.
  subroutine triangles(rows)
    integer, intent(in) :: rows
    logical :: wanted(n, n)
    integer :: row, column
    do row = 1, n
      do column = 1, n
        wanted(row, column) = row <= rows .and. column <= row
      end do
    end do
    !$omp parallel do schedule(dynamic)
    do i = 1, rows
      do j = 1, i
        times(i, j, 0) = times(i, j, 0) + 1
      end do
    end do
    call judge(wanted, "triangle, dynamic")
    !$omp parallel
    !$omp do schedule(guided, 2)
    do i = rows, 1, -1
      do j = i, 1, -1
        times(i, j, 0) = times(i, j, 0) + 1
      end do
    end do
    !$omp end do
    !$omp end parallel
    call judge(wanted, "triangle, guided")
  end subroutine

  ! At the ends of the type.
  subroutine wide_bounds()
    integer :: count_of(10), outside
    count_of = 0
    outside = 0
    !$omp parallel do schedule(dynamic, 3) reduction(+:outside)
    do wide = huge(wide) - 10, huge(wide) - 1
      if (wide > huge(wide) - 11) then
        !$omp atomic
        count_of(int(huge(wide) - wide)) = count_of(int(huge(wide) - wide)) + 1
      else
        outside = outside + 1
      end if
    end do
    if (any(count_of /= 1) .or. outside /= 0) error stop "upper end"
    count_of = 0
    !$omp parallel do schedule(static, 2)
    do wide = -huge(wide) + 9, -huge(wide), -1
      !$omp atomic
      count_of(int(wide + huge(wide)) + 1) = count_of(int(wide + huge(wide)) + 1) + 1
    end do
    if (any(count_of /= 1)) error stop "lower end"
  end subroutine
end program
