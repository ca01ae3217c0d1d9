! Fortran's synchronization is reported as C's: critical, a barrier, ordered, reductions.
!//#Env:OMP_NUM_THREADS=2
!//#Opt:-O0
!//#ReferenceFails:libomp calls GCC's barriers barrier_implementation, and reports other reductions
!//#NoStderr
!//#Trace
!//| def turn o name {
!//|     mutex_acquire kind=ordered hint=0 impl=* wait_id={o} codeptr=@ORDERED
!//|     mutex_acquired kind=ordered wait_id={o} codeptr=@ORDERED as {name}
!//|     mutex_released kind=ordered wait_id={o} codeptr=@ORDERED
!//| }
!//| def body p t w {
!//|     mutex_acquire kind=critical hint=0 impl=* wait_id={w} codeptr=@CRITICAL
!//|     mutex_acquired kind=critical wait_id={w} codeptr=@CRITICAL
!//|     mutex_released kind=critical wait_id={w} codeptr=@CRITICAL
!//|     barrier! barrier_explicit {p} {t} BARRIER
!//|     work type=loop_static endpoint=begin parallel={p} task={t} count=4 codeptr=@ORDERED
!//| }
!//| def combine p t {
!//|     when clang {
!//|         # flang's call has no line of its own.
!//|         reduction kind=reduction endpoint=begin parallel={p} task={t} codeptr=*
!//|         reduction kind=reduction endpoint=end parallel={p} task={t} codeptr=@REDUCTION
!//|         barrier! barrier_implementation {p} {t} REDUCTION
!//|     }
!//|     when gcc {
!//|         mutex_acquire kind=atomic hint=0 impl=* wait_id=$atomic codeptr=@REDUCTION
!//|         mutex_acquired kind=atomic wait_id=$atomic codeptr=@REDUCTION
!//|         mutex_released kind=atomic wait_id=$atomic codeptr=@REDUCTION
!//|     }
!//| }
!//| primary {
!//|     start!
!//|     fork! $p $root none 2 PAR
!//|     task! $p %t 2 0
!//|     body! $p %t $w
!//|     dispatch kind=ws_loop_chunk parallel=$p task=%t instance=0+1
!//|     turn! $o first
!//|     dispatch kind=ws_loop_chunk parallel=$p task=%t instance=2+1
!//|     turn! $o third
!//|     work type=loop_static endpoint=end parallel=$p task=%t count=0|4 codeptr=@ORDERED
!//|     task_over! $p %t 0 PAR
!//|     join! $p $root PAR
!//|     fork! $q $root none 2 REDUCTION
!//|     task! $q %u 2 0
!//|     combine! $q %u
!//|     task_over! $q %u 0 REDUCTION
!//|     join! $q $root REDUCTION
!//|     finish!
!//| }
!//| worker 1 {
!//|     thread_begin type=worker
!//|     task! $p %t 2 1
!//|     body! $p %t $w
!//|     dispatch kind=ws_loop_chunk parallel=$p task=%t instance=1+1
!//|     turn! $o second
!//|     dispatch kind=ws_loop_chunk parallel=$p task=%t instance=3+1
!//|     turn! $o fourth
!//|     work type=loop_static endpoint=end parallel=$p task=%t count=0|4 codeptr=@ORDERED
!//|     worker_task_over! $p %t 1
!//|     task! $q %u 2 1
!//|     combine! $q %u
!//|     worker_task_over! $q %u 1
!//|     thread_end thread_data=ok
!//| }
!//| team! $p
!//| team! $q
!//| order end:$p < begin:$q
!//| meet! $p BARRIER
!//| order first < second
!//| order second < third
!//| order third < fourth
program synchronization
  implicit none
  integer :: i, counter, order, total
  real :: greatest
  counter = 0
  order = 0
  total = 0
  greatest = 0 !//@PAR CRITICAL BARRIER
  !$omp parallel !//@PAR
  !$omp critical (name) !//@CRITICAL
  counter = counter + 1 !//@CRITICAL
  !$omp end critical (name) !//@CRITICAL
  !$omp barrier !//@BARRIER ORDERED
  !$omp do ordered schedule(static, 1) !//@ORDERED
  do i = 1, 4 !//@ORDERED
    !$omp ordered !//@ORDERED
    order = order + 1 !//@ORDERED
    !$omp end ordered !//@ORDERED
  end do
  !$omp end do nowait
  !$omp end parallel
  !$omp parallel reduction(+:total) reduction(max:greatest) !//@REDUCTION
  total = total + 1 !//@REDUCTION
  greatest = max(greatest, 2.0) !//@REDUCTION
  !$omp end parallel !//@REDUCTION
  if (counter /= 2 .or. order /= 4 .or. total /= 2 .or. abs(greatest - 2) > 0) error stop "wrong"
end program
