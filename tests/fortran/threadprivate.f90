! Threadprivate variables: a copy for each thread, which stays from region to region, begins with
! the value that the variable was given, and takes the primary thread's with copyin.
!//#Opt:-O0,-O2
!//#Threads:1,2,4
!//#NoStderr
subroutine count_in_block(seen)
  implicit none
  integer, intent(out) :: seen
  integer :: number
  integer(8) :: weights(8)
  common /block/ weights, number
  !$omp threadprivate(/block/)
  number = number + 1
  weights = weights + number
  seen = number
end subroutine

program threadprivates
  use omp_lib
  implicit none
  integer :: number, round, wrong, me, seen
  integer(8) :: weights(8)
  common /block/ weights, number
  !$omp threadprivate(/block/)
  integer, save :: own(3) = [1, 2, 3], visits = 100
  integer(8), save :: table(50) = 15
  !$omp threadprivate(own, visits, table)

  call omp_set_dynamic(.false.)
  wrong = 0
  !$omp parallel private(me) reduction(+:wrong)
  me = omp_get_thread_num()
  if (visits /= 100 .or. any(table /= 15) .or. any(own /= [1, 2, 3])) wrong = wrong + 1
  visits = me
  table = me
  own = me * [1, 10, 100]
  !$omp end parallel
  if (wrong /= 0) error stop "a copy begins with another value"

  do round = 1, 20
    !$omp parallel private(me) reduction(+:wrong)
    me = omp_get_thread_num()
    if (visits /= me + round - 1) wrong = wrong + 1
    if (any(table /= me) .or. any(own /= me * [1, 10, 100])) wrong = wrong + 1
    visits = visits + 1
    !$omp end parallel
  end do
  if (wrong /= 0) error stop "a copy has not stayed as it was"

  do round = 1, 20
    number = round * 1000
    weights = 0
    own = -round * [1, 2, 3]
    !$omp parallel copyin(own, /block/) private(me, seen) reduction(+:wrong)
    me = omp_get_thread_num()
    if (number /= round * 1000 .or. any(weights /= 0)) wrong = wrong + 1
    if (any(own /= -round * [1, 2, 3])) wrong = wrong + 1
    !$omp barrier
    number = number + me
    call count_in_block(seen)
    if (seen /= round * 1000 + me + 1 .or. any(weights /= seen)) wrong = wrong + 1
    own(2) = 0
    !$omp end parallel
    if (number /= round * 1000 + 1) error stop "the primary thread's copy is the variable itself"
  end do
  if (wrong /= 0) error stop "copyin has given another value"

  ! What one thread reads it can give to all.
  !$omp parallel reduction(+:wrong)
  !$omp single
  own = [7, 8, 9]
  number = 77
  !$omp end single copyprivate(own, /block/)
  if (any(own /= [7, 8, 9]) .or. number /= 77) wrong = wrong + 1
  !$omp end parallel
  if (wrong /= 0) error stop "copyprivate of threadprivate variables"
end program
