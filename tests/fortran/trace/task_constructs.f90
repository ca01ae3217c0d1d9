! Tasks of gfortran and of flang: kinds, dependences, detached tasks, taskgroups, taskloops. flang
! gives a taskwait no line.
!//#Flags[clang]:-fopenmp-version=50
!//#Env:OMP_NUM_THREADS=2
!//#Opt:-O0
!//#ReferenceFails:libomp calls the frame that creates a task one of the runtime
!//#NoStderr
!//#Trace
!//| def taskwait_begins t {
!//|     gcc: taskwait! $p {t} WAIT
!//|     clang: sync_region kind=taskwait endpoint=begin parallel=$p task={t} codeptr=*
!//|     clang: sync_region_wait kind=taskwait endpoint=begin parallel=$p task={t} codeptr=*
!//| }
!//| def taskwait_ends t {
!//|     gcc: waited! taskwait $p {t} WAIT
!//|     clang: sync_region_wait kind=taskwait endpoint=end parallel=$p task={t} codeptr=*
!//|     clang: sync_region kind=taskwait endpoint=end parallel=$p task={t} codeptr=*
!//| }
!//| def chunk t task first {
!//|     task_schedule prior={t} status=switch next={task}
!//|     dispatch kind=taskloop_chunk parallel=$p task={task} instance={first}+5
!//|     task_schedule prior={task} status=complete next={t}
!//| }
!//| primary {
!//|     start!
!//|     fork! $p $root none 2 PAR
!//|     task! $p %t 2 0
!//|     create! %untied %t explicit,untied 0 UNTIED
!//|     taskwait_begins! %t
!//|     run! %t %untied
!//|     taskwait_ends! %t
!//|     create! %undeferred %t explicit,undeferred 0 IF
!//|     run! %t %undeferred
!//|
!//|     create! %out %t explicit 1 OUT
!//|     dependences task=%out count=1
!//|     + dependence type=inout variable=%a
!//|     create! %both %t explicit 1 BOTH
!//|     dependences task=%both count=2
!//|     clang: + dependence type=in variable=%a
!//|     + dependence type=inout variable=%b
!//|     gcc: + dependence type=in variable=%a
!//|     task_dependence source=%out sink=%both
!//|     create! %mutex %t explicit 1 MUTEX
!//|     dependences task=%mutex count=1
!//|     + dependence type=mutexinoutset variable=%b
!//|     task_dependence source=%both sink=%mutex
!//|     taskwait_begins! %t
!//|     run! %t %out
!//|     run! %t %both
!//|     run! %t %mutex
!//|     taskwait_ends! %t
!//|
!//|     create! %detached %t explicit 0 DETACH
!//|     task_schedule prior=%t status=yield next=%detached
!//|     task_schedule prior=%detached status=detach next=%t
!//|     task_schedule prior=%detached status=late_fulfill next=null
!//|     taskwait_begins! %t
!//|     taskwait_ends! %t
!//|
!//|     sync_region kind=taskgroup endpoint=begin parallel=$p task=%t codeptr=@GROUP
!//|     create! %final %t explicit,final 0 FINAL
!//|     wait! taskgroup $p %t GROUPEND
!//|     run! %t %final
!//|     waited! taskgroup $p %t GROUPEND
!//|
!//|     sync_region kind=taskgroup endpoint=begin parallel=$p task=%t codeptr=@LOOP
!//|     work type=taskloop endpoint=begin parallel=$p task=%t count=10 codeptr=@LOOP
!//|     create! %first %t explicit 0 LOOP
!//|     create! %second %t explicit 0 LOOP
!//|     work type=taskloop endpoint=end parallel=$p task=%t count=10 codeptr=@LOOP
!//|     wait! taskgroup $p %t LOOP
!//|     chunk! %t %second 5
!//|     chunk! %t %first 0
!//|     waited! taskgroup $p %t LOOP
!//|     task_over! $p %t 0 PAR
!//|     join! $p $root PAR
!//|     finish!
!//| }
!//| worker 1 {
!//|     idle_worker! $p 2
!//| }
!//| team! $p
program task_constructs
  use omp_lib
  implicit none
  integer :: ran, over, seen, a, b, i
  integer(omp_event_handle_kind) :: event
  ran = 0
  over = 0
  a = 0
  b = 0
  !$omp parallel private(seen, event, i) !//@PAR
  if (omp_get_thread_num() /= 0) then !//@PAR
    do
      !$omp atomic read
      seen = over
      if (seen == 1) exit
    end do
  else
    !$omp task untied !//@UNTIED
    ran = ran + 1
    !$omp end task
    !$omp taskwait !//@WAIT
    !$omp task if(.false.) !//@IF
    ran = ran + 1
    !$omp end task
    !$omp task depend(out: a) !//@OUT
    a = 1
    !$omp end task
    !$omp task depend(in: a) depend(inout: b) !//@BOTH
    b = a + 1
    !$omp end task
    !$omp task depend(mutexinoutset: b) !//@MUTEX
    b = b + 1
    !$omp end task
    !$omp taskwait !//@WAIT
    !$omp task detach(event) !//@DETACH
    ran = ran + 1
    !$omp end task
    !$omp taskyield
    call omp_fulfill_event(event)
    !$omp taskwait !//@WAIT GROUP
    !$omp taskgroup !//@GROUP
    !$omp task final(.true.) !//@FINAL GROUPEND
    ran = ran + 1 !//@GROUPEND
    !$omp end task
    !$omp end taskgroup !//@GROUPEND LOOP
    !$omp taskloop num_tasks(2) !//@LOOP
    do i = 1, 10 !//@LOOP
      ran = ran + 1
    end do
    !$omp end taskloop !//@LOOP
    !$omp atomic write
    over = 1
  end if
  !$omp end parallel
  if (ran /= 14 .or. b /= 3) error stop 1
end program
