! Declared as older sources declare them, the routines take all arguments by reference.
!//#Compilers:clang
!//#Threads:4
!//#ReferenceFails:libomp has places although nothing is bound
!//#Stdout:thread 0 of 1
program routines_external
  implicit none
  integer, external :: omp_get_max_threads, omp_get_num_threads, omp_get_thread_num
  integer, external :: omp_get_num_procs, omp_get_level, omp_get_active_level, omp_control_tool
  integer, external :: omp_get_ancestor_thread_num, omp_get_team_size, omp_get_thread_limit
  integer, external :: omp_get_max_active_levels, omp_get_default_device, omp_get_num_devices
  integer, external :: omp_get_initial_device, omp_get_device_num, omp_get_num_places
  integer, external :: omp_get_place_num, omp_get_partition_num_places, omp_get_proc_bind
  integer, external :: omp_get_num_teams, omp_get_team_num, omp_get_max_task_priority
  integer, external :: omp_get_supported_active_levels
  logical, external :: omp_in_parallel, omp_get_dynamic, omp_get_nested, omp_get_cancellation
  logical, external :: omp_is_initial_device
  double precision, external :: omp_get_wtime, omp_get_wtick
  integer(8), external :: omp_capture_affinity, omp_get_affinity_format
  external :: omp_set_num_threads, omp_set_dynamic, omp_set_nested, omp_set_max_active_levels
  external :: omp_set_schedule, omp_get_schedule, omp_set_default_device
  external :: omp_set_affinity_format, omp_display_affinity, omp_get_partition_place_nums
  integer :: kind, chunk, members
  integer, allocatable :: places(:)
  integer(8) :: length
  character(30) :: text
  double precision :: start

  call check(omp_get_max_threads() == 4, "omp_get_max_threads")
  call omp_set_num_threads(2)
  call check(omp_get_max_threads() == 2, "omp_set_num_threads")
  call omp_set_dynamic(.true.)
  call check(omp_get_dynamic(), "omp_set_dynamic")
  call omp_set_dynamic(.false.)
  call check(.not. omp_get_dynamic(), "omp_set_dynamic, false")
  call omp_set_nested(.true.)
  call check(omp_get_nested(), "omp_set_nested")
  call omp_set_max_active_levels(2)
  call check(omp_get_max_active_levels() == 2, "omp_set_max_active_levels")
  call omp_set_schedule(2, 6)
  call omp_get_schedule(kind, chunk)
  call check(iand(kind, 255) == 2 .and. chunk == 6, "omp_set_schedule")
  call omp_set_default_device(4)
  call check(omp_get_default_device() == 4, "omp_set_default_device")
  call omp_set_default_device(0)
  call check(omp_get_num_devices() == 0 .and. omp_get_device_num() == 0, "omp_get_num_devices")
  call check(omp_get_initial_device() == 0 .and. omp_is_initial_device(), "omp_get_initial_device")
  call check(omp_get_num_procs() >= 1 .and. omp_get_thread_limit() >= 4, "limits")
  call check(.not. omp_in_parallel() .and. .not. omp_get_cancellation(), "omp_in_parallel")
  call check(omp_get_num_teams() == 1 .and. omp_get_team_num() == 0, "teams")
  call check(omp_get_max_task_priority() == 0, "omp_get_max_task_priority")
  call check(omp_get_supported_active_levels() >= 2, "omp_get_supported_active_levels")
  call check(omp_get_num_places() == 0 .and. omp_get_place_num() == -1, "places")
  call check(omp_get_proc_bind() == 0, "omp_get_proc_bind")
  allocate (places(omp_get_partition_num_places()))
  call omp_get_partition_place_nums(places)
  call check(size(places) == 0, "omp_get_partition_place_nums")
  start = omp_get_wtime()
  call check(omp_get_wtick() > 0 .and. omp_get_wtime() >= start, "omp_get_wtime")

  members = 0
  !$omp parallel num_threads(3) reduction(+:members)
  members = members + 1
  call check(omp_get_num_threads() == 3 .and. omp_in_parallel(), "omp_get_num_threads")
  call check(omp_get_level() == 1 .and. omp_get_active_level() == 1, "omp_get_level")
  call check(omp_get_ancestor_thread_num(1) == omp_get_thread_num(), "ancestor")
  call check(omp_get_ancestor_thread_num(2) == -1, "no ancestor")
  call check(omp_get_team_size(1) == 3 .and. omp_get_team_size(0) == 1, "omp_get_team_size")
  !$omp end parallel
  call check(members == 3, "size of the team")

  call omp_set_affinity_format("thread %n of %N")
  length = omp_get_affinity_format(text)
  call check(length == 15 .and. text == "thread %n of %N", "omp_get_affinity_format")
  length = omp_capture_affinity(text, "%T-%n")
  call check(length == 3 .and. text == "1-0", "omp_capture_affinity")
  call omp_display_affinity("")
  ! No tool, or one that does not know the command and answers 0.
  call check(any(omp_control_tool(64, 0, places) == [-2, 0]), "omp_control_tool")
contains
  include "check.inc"
end program
