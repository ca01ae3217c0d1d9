! Critical regions, atomics, locks and nestable locks keep what they guard whole.
!//#Opt:-O0,-O2
!//#Threads:1,2,4
!//#NoStderr
program mutual_exclusion
  use omp_lib
  implicit none
  integer, parameter :: rounds = 2000
  integer :: size

  size = omp_get_max_threads()
  call criticals()
  call atomics()
  call locks()
  call nestable_locks()
contains
  subroutine criticals()
    integer :: unnamed, first, second, round
    unnamed = 0
    first = 0
    second = 0
    !$omp parallel private(round)
    do round = 1, rounds
      !$omp critical
      unnamed = unnamed + 1
      !$omp end critical
      !$omp critical (outer)
      first = first + 1
      !$omp critical (inner)
      second = second + 1
      !$omp end critical (inner)
      !$omp end critical (outer)
      call elsewhere(second)
    end do
    !$omp end parallel
    if (unnamed /= rounds * size .or. first /= rounds * size) error stop "critical"
    if (second /= 2 * rounds * size) error stop "critical of one name in two places"
  end subroutine

  subroutine elsewhere(counter)
    integer, intent(inout) :: counter
    !$omp critical (inner)
    counter = counter + 1
    !$omp end critical (inner)
  end subroutine

  subroutine atomics()
    integer :: number, seen, greatest, ones, round
    integer(8) :: wide
    real(8) :: value
    logical :: tickets(0:rounds * size)
    number = 0
    wide = 0
    value = 0
    greatest = 0
    ones = 0
    tickets = .false.
    !$omp parallel private(round, seen)
    do round = 1, rounds
      !$omp atomic capture
      number = number + 1
      seen = number
      !$omp end atomic
      tickets(seen) = .true.
      !$omp atomic
      wide = wide + 2_8**33
      !$omp atomic update
      value = value + 0.25d0
      !$omp atomic
      greatest = max(greatest, round)
      !$omp atomic
      ones = ior(ones, ishft(1, mod(round, 31)))
      !$omp atomic read
      seen = number
      if (seen < 1) error stop "atomic read"
    end do
    !$omp end parallel
    if (number /= rounds * size .or. .not. all(tickets(1:))) error stop "atomic capture"
    if (wide /= rounds * size * 2_8**33) error stop "atomic"
    if (abs(value - 0.25d0 * rounds * size) > 0) error stop "atomic of real numbers"
    if (greatest /= rounds .or. ones /= huge(ones)) error stop "atomic max, ior"
  end subroutine

  subroutine locks()
    integer(omp_lock_kind) :: lock
    integer :: beside, counter, round
    beside = 12345
    counter = 0
    call omp_init_lock(lock)
    if (.not. omp_test_lock(lock)) error stop "a free lock"
    if (omp_test_lock(lock)) error stop "a lock that is set"
    call omp_unset_lock(lock)
    !$omp parallel private(round)
    do round = 1, rounds
      if (mod(round, 2) == 0) then
        call omp_set_lock(lock)
      else
        do while (.not. omp_test_lock(lock))
        end do
      end if
      counter = counter + 1
      call omp_unset_lock(lock)
    end do
    !$omp end parallel
    call omp_destroy_lock(lock)
    if (counter /= rounds * size .or. beside /= 12345) error stop "locks"
  end subroutine

  subroutine nestable_locks()
    integer(omp_nest_lock_kind) :: lock
    integer :: counter, round, depth
    counter = 0
    call omp_init_nest_lock(lock)
    !$omp parallel private(round, depth)
    do round = 1, rounds
      call omp_set_nest_lock(lock)
      depth = omp_test_nest_lock(lock)
      if (depth /= 2) error stop "the count of a nestable lock"
      counter = counter + 1
      call omp_unset_nest_lock(lock)
      call omp_unset_nest_lock(lock)
    end do
    !$omp end parallel
    call omp_destroy_nest_lock(lock)
    if (counter /= rounds * size) error stop "nestable locks"
  end subroutine
end program
