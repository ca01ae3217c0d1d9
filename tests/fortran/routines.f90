! The routines of omp_lib answer as the same program's regions, settings and machine are.
!//#Threads:4
!//#Env:OMP_PLACES=threads
!//#Env:OMP_PROC_BIND=close
!//#Env:OMP_MAX_ACTIVE_LEVELS=3
!//#Env:OMP_THREAD_LIMIT=64
!//#Stderr:OPENMP DISPLAY ENVIRONMENT BEGIN
!//#Stderr:OMP_THREAD_LIMIT *= *'64'
!//#ReferenceFails[clang]:libomp takes a pause inside a region for possible
!//#ReferenceFails[gcc]:it displays the affinity on standard error
!//#Stdout:team 0 of 1, thread 0
program routines
  use omp_lib
  implicit none

  call settings()
  call levels()
  call places()
  call formats()
  call devices()
  call resources()
contains
  include "check.inc"

  subroutine settings()
    integer(omp_sched_kind) :: kind
    integer :: chunk
    double precision :: start, tick
    call check(omp_get_max_threads() == 4, "OMP_NUM_THREADS")
    call omp_set_num_threads(3)
    call check(omp_get_max_threads() == 3, "omp_set_num_threads")
    call omp_set_num_threads(4)
    call check(omp_get_thread_limit() == 64, "OMP_THREAD_LIMIT")
    call check(omp_get_num_procs() >= 1, "omp_get_num_procs")
    call check(.not. omp_get_dynamic(), "omp_get_dynamic")
    call omp_set_dynamic(.true.)
    call check(omp_get_dynamic(), "omp_set_dynamic")
    call omp_set_dynamic(.false.)
    call check(.not. omp_get_dynamic(), "omp_set_dynamic, false")
    call omp_set_schedule(omp_sched_guided, 9)
    call omp_get_schedule(kind, chunk)
    call check(iand(int(kind), 255) == omp_sched_guided .and. chunk == 9, "omp_set_schedule")
    call check(.not. omp_get_cancellation(), "omp_get_cancellation")
    call check(omp_get_max_task_priority() == 0, "omp_get_max_task_priority")
    start = omp_get_wtime()
    tick = omp_get_wtick()
    call check(tick > 0 .and. tick < 0.01, "omp_get_wtick")
    do while (omp_get_wtime() - start <= 2 * tick)
      call check(omp_get_wtime() >= start, "omp_get_wtime goes back")
    end do
  end subroutine

  subroutine levels()
    integer :: wrong
    call check(omp_get_max_active_levels() == 3, "OMP_MAX_ACTIVE_LEVELS")
    call check(omp_get_supported_active_levels() >= 3, "omp_get_supported_active_levels")
    call omp_set_nested(.false.)
    call check(.not. omp_get_nested(), "omp_set_nested, false")
    call omp_set_nested(.true.)
    call check(omp_get_nested(), "omp_set_nested")
    call omp_set_max_active_levels(2)
    call check(omp_get_max_active_levels() == 2, "omp_set_max_active_levels")
    call check(.not. omp_in_parallel(), "omp_in_parallel, outside")
    call check(all([omp_get_num_threads(), omp_get_thread_num()] == [1, 0]), "outside")
    call check(all([omp_get_level(), omp_get_active_level()] == 0), "levels, outside")
    wrong = 0
    !$omp parallel num_threads(3) reduction(+:wrong)
    call in_outer(omp_get_thread_num(), wrong)
    !$omp end parallel
    call check(wrong == 0, "levels and ancestors")
  end subroutine

  subroutine in_outer(outer, wrong)
    integer, value :: outer
    integer, intent(inout) :: wrong
    integer :: bad, level
    bad = 0
    if (omp_get_num_threads() /= 3) bad = bad + 1
    if (.not. omp_in_parallel()) bad = bad + 1
    !$omp parallel num_threads(2) reduction(+:bad)
    if (any([omp_get_level(), omp_get_active_level()] /= 2)) bad = bad + 1
    if (omp_get_ancestor_thread_num(1) /= outer) bad = bad + 1
    if (omp_get_ancestor_thread_num(2) /= omp_get_thread_num()) bad = bad + 1
    if (omp_get_ancestor_thread_num(3) /= -1) bad = bad + 1
    if (omp_get_ancestor_thread_num(0) /= 0) bad = bad + 1
    if (any([(omp_get_team_size(level), level = -1, 3)] /= [-1, 1, 3, 2, -1])) bad = bad + 1
    !$omp end parallel
    wrong = wrong + bad
  end subroutine

  subroutine places()
    integer :: count, place, wrong
    integer, allocatable :: ids(:), mine(:)
    call check(omp_get_proc_bind() == omp_proc_bind_close, "omp_get_proc_bind")
    count = omp_get_num_places()
    call check(count == omp_get_num_procs(), "omp_get_num_places")
    do place = 0, count - 1
      call check(omp_get_place_num_procs(place) == 1, "omp_get_place_num_procs")
      allocate (ids(1))
      ids = -1
      call omp_get_place_proc_ids(place, ids)
      call check(ids(1) >= 0, "omp_get_place_proc_ids")
      deallocate (ids)
    end do
    call check(omp_get_place_num_procs(count) == 0, "a place that there is not")
    wrong = 0
    !$omp parallel reduction(+:wrong) private(mine, place)
    place = omp_get_place_num()
    if (place < 0 .or. place >= count) wrong = wrong + 1
    allocate (mine(omp_get_partition_num_places()))
    mine = -1
    call omp_get_partition_place_nums(mine)
    if (.not. any(mine == place)) wrong = wrong + 1
    deallocate (mine)
    !$omp end parallel
    call check(wrong == 0, "partition")
  end subroutine

  subroutine formats()
    character(40) :: text
    integer :: length
    call omp_set_affinity_format("team %t of %T, thread %n   ")
    length = omp_get_affinity_format(text)
    ! The blanks at the end are part of the format.
    call check(length == 27 .and. text == "team %t of %T, thread %n", "omp_get_affinity_format")
    length = omp_capture_affinity(text, "%L %{num_threads}")
    call check(length == 3 .and. text == "0 1", "omp_capture_affinity")
    call omp_display_affinity("team %t of %T, thread %n")
  end subroutine

  subroutine devices()
    call check(omp_get_num_devices() == 0, "omp_get_num_devices")
    call check(omp_get_initial_device() == 0, "omp_get_initial_device")
    call check(omp_get_device_num() == 0, "omp_get_device_num")
    call check(omp_is_initial_device(), "omp_is_initial_device")
    call check(omp_get_default_device() == 0, "omp_get_default_device")
    call omp_set_default_device(3)
    call check(omp_get_default_device() == 3, "omp_set_default_device")
    call omp_set_default_device(0)
    call check(all([omp_get_num_teams(), omp_get_team_num()] == [1, 0]), "teams, outside")
  end subroutine

  subroutine resources()
    integer :: size
    call omp_display_env(.false.)
    call check(omp_pause_resource(omp_pause_soft, omp_get_initial_device()) == 0, "soft pause")
    size = 0
    !$omp parallel reduction(+:size)
    size = size + 1
    !$omp end parallel
    call check(size == omp_get_max_threads(), "a region after a soft pause")
    call check(omp_pause_resource_all(omp_pause_hard) == 0, "hard pause")
    size = 0
    !$omp parallel reduction(+:size)
    size = size + 1
    !$omp end parallel
    call check(size == omp_get_max_threads(), "a region after a hard pause")
    size = 0
    !$omp parallel reduction(+:size)
    if (omp_pause_resource_all(omp_pause_hard) /= 0) size = size + 1
    !$omp end parallel
    call check(size == omp_get_max_threads(), "a pause inside a region is refused")
  end subroutine
end program
