! Fortran's tasks are reported as C's: a task, an undeferred one, a group. flang gives a taskwait no line.
!//#Compilers:gcc
!//#Env:OMP_NUM_THREADS=2
!//#Opt:-O0
!//#ReferenceFails:libomp calls the frame that creates a task one of the runtime
!//#NoStderr
!//#Trace
!//| primary {
!//|     start!
!//|     fork! $p $root none 2 PAR
!//|     task! $p %t 2 0
!//|     create! %one %t explicit 0 TASK
!//|     taskwait! $p %t WAIT
!//|     run! %t %one
!//|     waited! taskwait $p %t WAIT
!//|     create! %two %t explicit,undeferred 0 IF
!//|     run! %t %two
!//|     sync_region kind=taskgroup endpoint=begin parallel=$p task=%t codeptr=@GROUP
!//|     create! %three %t explicit,final 0 FINAL
!//|     wait! taskgroup $p %t GROUPEND
!//|     run! %t %three
!//|     waited! taskgroup $p %t GROUPEND
!//|     task_over! $p %t 0 PAR
!//|     join! $p $root PAR
!//|     finish!
!//| }
!//| worker 1 {
!//|     idle_worker! $p 2
!//| }
!//| team! $p
program tasks
  use omp_lib
  implicit none
  integer :: ran, over, seen
  ran = 0
  over = 0
  !$omp parallel private(seen) !//@PAR
  if (omp_get_thread_num() /= 0) then !//@PAR
    do
      !$omp atomic read
      seen = over
      if (seen == 1) exit
    end do
  else
    !$omp task !//@TASK
    ran = ran + 1
    !$omp end task
    !$omp taskwait !//@WAIT
    !$omp task if(.false.) !//@IF GROUP
    ran = ran + 1
    !$omp end task
    !$omp taskgroup !//@GROUP
    !$omp task final(.true.) !//@FINAL GROUPEND
    ran = ran + 1
    !$omp end task
    !$omp end taskgroup !//@GROUPEND
    !$omp atomic write
    over = 1
  end if
  !$omp end parallel
  if (ran /= 3) error stop 1
end program
