! Ordered regions come in the order of the iterations; some iterations have none.
!//#Opt:-O0,-O2
!//#Threads:1,2,4
!//#NoStderr
program ordered
  implicit none
  integer, parameter :: n = 200
  integer :: next, i, order(n), last

  next = 0
  last = 0
  !$omp parallel do ordered schedule(dynamic, 4) lastprivate(last)
  do i = 1, n
    last = i
    if (mod(i, 3) /= 1) then
      !$omp ordered
      next = next + 1
      order(next) = i
      !$omp end ordered
    end if
  end do
  !$omp end parallel do
  if (last /= n) error stop "lastprivate"
  if (next /= count(mod([(i, i = 1, n)], 3) /= 1)) error stop "regions were lost"
  do i = 2, next
    if (order(i) <= order(i - 1)) error stop "out of order"
  end do

  next = 0
  !$omp parallel do ordered schedule(static)
  do i = n, 1, -1
    !$omp ordered
    next = next + 1
    order(next) = i
    !$omp end ordered
  end do
  !$omp end parallel do
  if (any(order /= [(n + 1 - i, i = 1, n)])) error stop "out of order downwards"
end program
