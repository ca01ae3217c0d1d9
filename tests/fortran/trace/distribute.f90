! A loop that is divided among teams and threads: flang's code asks once for both divisions, in the
! threads of each team, and the iterations count from the first of the whole loop.
!//#Compilers:clang
!//#Opt:-O0
!//#ReferenceFails:libomp reports a region of one thread in each team
!//#NoStderr
!//#Trace
!//| # The region of a team of one thread.
!//| def region a t u chunk {
!//|     fork! {a} {t} set:runtime,framepointer 1 LOOP
!//|     task! {a} {u} 1 0
!//|     work type=loop_static endpoint=begin parallel={a} task={u} count=9 codeptr=@LOOP
!//|     dispatch kind=ws_loop_chunk parallel={a} task={u} instance={chunk}
!//|     work type=loop_static endpoint=end parallel={a} task={u} count=0 codeptr=@LOOP
!//|     barrier! barrier_implicit_workshare {a} {u} LOOP
!//|     task_over! {a} {u} 0 LOOP
!//|     join! {a} {t} LOOP
!//| }
!//| primary {
!//|     start!
!//|     league! $p $root none 2 LOOP
!//|     initial! $p %t 2 0
!//|     region! $a %t %u 0+5
!//|     initial_over! $p %t 0 @LOOP
!//|     league_over! $p $root LOOP
!//|     finish!
!//| }
!//| worker 1 {
!//|     thread_begin type=worker
!//|     initial! $p %t 2 1
!//|     region! $b %t %u 5+4
!//|     initial_over! $p %t 1 null
!//|     thread_end thread_data=ok
!//| }
!//| team! $p
program distribute
  implicit none
  integer :: i, times(9)
  times = 0
  !$omp teams distribute parallel do num_teams(2) num_threads(1) !//@LOOP
  do i = 1, 9 !//@LOOP
    times(i) = times(i) + 1
  end do !//@LOOP
  !$omp end teams distribute parallel do
  if (any(times /= 1)) error stop "not once"
end program
