! The lock routines as older sources declare them, hints included, which come by reference.
!//#Compilers:clang
!//#Threads:1,2,4
!//#NoStderr
program locks_external
  implicit none
  external :: omp_init_lock, omp_init_lock_with_hint, omp_destroy_lock, omp_set_lock
  external :: omp_unset_lock, omp_init_nest_lock, omp_init_nest_lock_with_hint
  external :: omp_destroy_nest_lock, omp_set_nest_lock, omp_unset_nest_lock
  logical, external :: omp_test_lock
  integer, external :: omp_test_nest_lock, omp_get_max_threads
  integer, parameter :: uncontended = 1, contended = 2, rounds = 1000
  integer(8) :: lock, nest_lock

  call omp_init_lock(lock)
  call use_lock()
  call omp_destroy_lock(lock)
  call omp_init_lock_with_hint(lock, contended)
  call use_lock()
  call omp_destroy_lock(lock)
  call omp_init_nest_lock(nest_lock)
  call use_nest_lock()
  call omp_destroy_nest_lock(nest_lock)
  call omp_init_nest_lock_with_hint(nest_lock, uncontended)
  call use_nest_lock()
  call omp_destroy_nest_lock(nest_lock)
contains
  subroutine use_lock()
    integer :: counter, round
    counter = 0
    !$omp parallel private(round)
    do round = 1, rounds
      if (.not. omp_test_lock(lock)) call omp_set_lock(lock)
      counter = counter + 1
      call omp_unset_lock(lock)
    end do
    !$omp end parallel
    if (counter /= rounds * omp_get_max_threads()) error stop "locks"
  end subroutine

  subroutine use_nest_lock()
    integer :: counter, round
    counter = 0
    !$omp parallel private(round)
    do round = 1, rounds
      call omp_set_nest_lock(nest_lock)
      if (omp_test_nest_lock(nest_lock) /= 2) error stop "the count of a nestable lock"
      counter = counter + 1
      call omp_unset_nest_lock(nest_lock)
      call omp_unset_nest_lock(nest_lock)
    end do
    !$omp end parallel
    if (counter /= rounds * omp_get_max_threads()) error stop "nestable locks"
  end subroutine
end program
