! Regions in regions, orphaned constructs, sections, workshare, and the clauses of a region.
!//#Opt:-O0,-O2
!//#Threads:2,4
!//#NoStderr
program nested
  use omp_lib
  implicit none
  integer, parameter :: n = 60
  integer :: outer_size

  call omp_set_dynamic(.false.)
  call omp_set_max_active_levels(2)
  outer_size = omp_get_max_threads()
  call regions()
  call clauses()
  call sharing()
contains
  subroutine regions()
    integer :: times(0:3, 0:2), wrong, outer
    times = 0
    wrong = 0
    !$omp parallel private(outer) reduction(+:wrong)
    outer = omp_get_thread_num()
    !$omp parallel num_threads(3) reduction(+:wrong)
    if (omp_get_num_threads() /= 3) wrong = wrong + 1
    if (omp_get_ancestor_thread_num(1) /= outer) wrong = wrong + 1
    !$omp atomic
    times(outer, omp_get_thread_num()) = times(outer, omp_get_thread_num()) + 1
    !$omp barrier
    ! One level more is not active.
    !$omp parallel num_threads(2) reduction(+:wrong)
    if (omp_get_num_threads() /= 1) wrong = wrong + 1
    if (omp_get_level() /= 3) wrong = wrong + 1
    !$omp end parallel
    !$omp end parallel
    !$omp end parallel
    if (wrong /= 0) error stop "nested regions"
    if (any(times(:outer_size - 1, :) /= 1)) error stop "threads of nested teams"
  end subroutine

  subroutine clauses()
    integer :: first, private_one, shared_sum, size
    first = 5
    private_one = 77
    shared_sum = 0
    size = 0
    !$omp parallel default(none) firstprivate(first) private(private_one) shared(shared_sum) &
    !$omp&   reduction(+:size) num_threads(3) proc_bind(spread)
    private_one = first
    first = first + omp_get_thread_num()
    !$omp atomic
    shared_sum = shared_sum + private_one
    size = size + 1
    !$omp end parallel
    if (size /= 3 .or. shared_sum /= 15 .or. first /= 5 .or. private_one /= 77) error stop "clauses"
    size = 0
    !$omp parallel if(size > 0) reduction(+:size)
    size = size + 1
    !$omp end parallel
    if (size /= 1) error stop "if"
  end subroutine

  subroutine orphaned(table, ran)
    integer, intent(inout) :: table(n), ran
    integer :: i
    !$omp do schedule(dynamic, 2)
    do i = 1, n
      table(i) = table(i) + 1
    end do
    !$omp end do nowait
    !$omp sections
    !$omp section
    !$omp atomic
    ran = ran + 1
    !$omp section
    !$omp atomic
    ran = ran + 10
    !$omp section
    !$omp atomic
    ran = ran + 100
    !$omp section
    !$omp atomic
    ran = ran + 1000
    !$omp end sections
  end subroutine

  subroutine sharing()
    integer :: table(n), ran, round, squares(n), mask_count, wrong, first, last
    table = 0
    ran = 0
    wrong = 0
    !$omp parallel private(round) reduction(+:wrong)
    do round = 1, 50
      call orphaned(table, ran)
      if (ran /= 1111 * round) wrong = wrong + 1
      !$omp barrier
      !$omp workshare
      squares = table**2
      where (mod(table, 2) == 0)
        squares = squares + 1
      end where
      mask_count = count(squares > 0)
      !$omp end workshare
      if (mask_count /= n .or. squares(n) /= round**2 + mod(round + 1, 2)) wrong = wrong + 1
      !$omp barrier
    end do
    !$omp end parallel
    if (wrong /= 0 .or. any(table /= 50)) error stop "orphaned constructs and workshare"
    first = 0
    last = 0
    !$omp parallel sections firstprivate(first) lastprivate(last)
    !$omp section
    last = first + 1
    !$omp section
    last = first + 2
    !$omp end parallel sections
    if (last /= 2) error stop "lastprivate of sections"
    !$omp parallel workshare
    squares = 4
    !$omp end parallel workshare
    if (any(squares /= 4)) error stop "parallel workshare"
  end subroutine
end program
