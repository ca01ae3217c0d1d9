! A region for each row of a small grid: starting and ending it takes longer than its work.
!//#Says:calls of
!//#Says:join it with its neighbours
!//#Repair:one region for all rows
program small_regions
  implicit none
  integer, parameter :: columns = 16, rows = 60000
  real(8) :: grid(columns, rows)
  integer :: row, column
  grid = 1
#ifdef REPAIRED
  !$omp parallel do num_threads(2) private(column)
  do row = 1, rows
    do column = 1, columns
      grid(column, row) = sqrt(grid(column, row) + row)
    end do
  end do
#else
  do row = 1, rows
    !$omp parallel do num_threads(2) ! PLANT
    do column = 1, columns
      grid(column, row) = sqrt(grid(column, row) + row)
    end do
  end do
#endif
  if (sum(grid) < 0) stop 1
end program small_regions
