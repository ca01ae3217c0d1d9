! With 8-byte default integers the routines take and give them, and answer as they do otherwise.
!//#Compilers:gcc
!//#Flags:-fdefault-integer-8
!//#Threads:4
!//#Env:OMP_PLACES=threads
!//#Env:OMP_PROC_BIND=close
!//#Env:OMP_THREAD_LIMIT=64
!//#Stderr:OPENMP DISPLAY ENVIRONMENT BEGIN
program wide_integers
  use omp_lib
  implicit none
  integer :: wrong, times(300), i
  integer(omp_sched_kind) :: kind
  integer(8) :: chunk, place
  integer(8), allocatable :: ids(:), mine(:)

  if (storage_size(wrong) /= 64) error stop "integers are not wide"
  call omp_set_num_threads(3_8)
  call check(omp_get_max_threads() == 3, "omp_set_num_threads")
  call omp_set_dynamic(.true._8)
  call check(logical(omp_get_dynamic()), "omp_set_dynamic")
  call omp_set_dynamic(.false._8)
  call check(.not. logical(omp_get_dynamic()), "omp_set_dynamic, false")
  call omp_set_schedule(omp_sched_dynamic, 5_8)
  chunk = -1
  call omp_get_schedule(kind, chunk)
  call check(iand(int(kind), 255) == omp_sched_dynamic .and. chunk == 5, "omp_set_schedule")
  call omp_set_schedule(omp_sched_static, 2_8**40)
  call omp_get_schedule(kind, chunk)
  call check(chunk == 2_8**31 - 1, "the chunk size that is nearest")
  call omp_set_nested(.true._8)
  call check(logical(omp_get_nested()), "omp_set_nested")
  call omp_set_max_active_levels(2_8)
  call check(omp_get_max_active_levels() == 2, "omp_set_max_active_levels")
  call omp_set_default_device(7_8)
  call check(omp_get_default_device() == 7, "omp_set_default_device")
  call omp_set_default_device(0_8)
  call omp_set_num_teams(4_8)
  call check(omp_get_max_teams() == 4, "omp_set_num_teams")
  call omp_set_teams_thread_limit(6_8)
  call check(omp_get_teams_thread_limit() == 6, "omp_set_teams_thread_limit")

  call allocator()

  wrong = 0
  !$omp parallel num_threads(3) reduction(+:wrong)
  call in_region(omp_get_thread_num(), wrong)
  !$omp end parallel
  call check(wrong == 0, "levels")

  do place = 0, omp_get_num_places() - 1
    allocate (ids(omp_get_place_num_procs(place)))
    ids = -1
    call omp_get_place_proc_ids(place, ids)
    call check(size(ids) == 1 .and. all(ids >= 0), "omp_get_place_proc_ids")
    deallocate (ids)
  end do
  allocate (mine(omp_get_partition_num_places()))
  mine = -1
  call omp_get_partition_place_nums(mine)
  call check(any(mine == omp_get_place_num()), "omp_get_partition_place_nums")

  times = 0
  !$omp parallel do schedule(runtime)
  do i = 1, size(times)
    times(i) = times(i) + 1
  end do
  call check(all(times == 1), "a loop over wide integers")
  call omp_display_env(.false._8)
contains
  ! The number of traits is an 8-byte integer.
  subroutine allocator()
    type(omp_alloctrait) :: traits(2)
    integer(omp_allocator_handle_kind) :: pool
    traits(1)%key = omp_atk_alignment
    traits(1)%value = 64
    traits(2)%key = omp_atk_fallback
    traits(2)%value = omp_atv_null_fb
    pool = omp_init_allocator(omp_default_mem_space, 2_8, traits)
    call check(pool > 1024, "omp_init_allocator")
    call omp_set_default_allocator(pool)
    call check(omp_get_default_allocator() == pool, "omp_set_default_allocator")
    call omp_set_default_allocator(omp_default_mem_alloc)
    call omp_destroy_allocator(pool)
  end subroutine

  include "check.inc"

  subroutine in_region(outer, wrong)
    integer(4), value :: outer
    integer, intent(inout) :: wrong
    integer :: bad, level
    bad = 0
    !$omp parallel num_threads(2) reduction(+:bad)
    if (omp_get_ancestor_thread_num(1_8) /= outer) bad = bad + 1
    if (omp_get_ancestor_thread_num(2_8) /= omp_get_thread_num()) bad = bad + 1
    if (omp_get_ancestor_thread_num(2_8**32 + 1) /= -1) bad = bad + 1
    if (any([(omp_get_team_size(level), level = 0, 3)] /= [1, 3, 2, -1])) bad = bad + 1
    !$omp end parallel
    wrong = wrong + bad
  end subroutine
end program
