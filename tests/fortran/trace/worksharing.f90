! Fortran's worksharing constructs are reported as C's: a dynamic loop, sections, single.
!//#Env:OMP_NUM_THREADS=2
!//#Opt:-O0
!//#ReferenceFails:libomp calls GCC's barriers barrier_implementation, and guesses at sections
!//#NoStderr
!//#Trace
!//| def body p t {
!//|     work type=loop_dynamic endpoint=begin parallel={p} task={t} count=12 codeptr=@LOOP
!//|     many {
!//|         dispatch kind=ws_loop_chunk parallel={p} task={t} instance=*
!//|     }
!//|     work type=loop_dynamic endpoint=end parallel={p} task={t} count=0|12 codeptr=@LOOP
!//|     barrier! barrier_implicit_workshare {p} {t} LOOP
!//|     when gcc {
!//|         work type=sections endpoint=begin parallel={p} task={t} count=3 codeptr=@SECTIONS
!//|         many {
!//|             dispatch kind=section parallel={p} task={t} instance=*
!//|         }
!//|         work type=sections endpoint=end parallel={p} task={t} count=0|3 codeptr=@SECTIONS
!//|     }
!//|     # To flang's code sections are the iterations of a static loop.
!//|     when clang {
!//|         work type=loop_static endpoint=begin parallel={p} task={t} count=3 codeptr=@SECTIONS
!//|         dispatch kind=ws_loop_chunk parallel={p} task={t} instance=*
!//|         work type=loop_static endpoint=end parallel={p} task={t} count=0|3 codeptr=@SECTIONS
!//|     }
!//|     barrier! barrier_implicit_workshare {p} {t} SECTIONS
!//|     either {
!//|         work type=single_executor endpoint=begin parallel={p} task={t} count=1 codeptr=@SINGLE
!//|         work type=single_executor endpoint=end parallel={p} task={t} count=1 codeptr=@SINGLE
!//|     } or {
!//|         work type=single_other endpoint=begin parallel={p} task={t} count=1 codeptr=@SINGLE
!//|         work type=single_other endpoint=end parallel={p} task={t} count=1 codeptr=@SINGLE
!//|     }
!//|     end_barrier! {p} {t} SINGLE
!//| }
!//| primary {
!//|     start!
!//|     fork! $p $root none 2 PAR
!//|     task! $p %t 2 0
!//|     body! $p %t
!//|     task_over! $p %t 0 PAR
!//|     join! $p $root PAR
!//|     finish!
!//| }
!//| worker 1 {
!//|     thread_begin type=worker
!//|     task! $p %t 2 %i
!//|     body! $p %t
!//|     worker_task_over! $p %t %i
!//|     thread_end thread_data=ok
!//| }
!//| team! $p
!//| meet! $p LOOP
!//| meet! $p SECTIONS
!//| meet! $p SINGLE
!//| gcc: total 3 dispatch kind=section parallel=$p task=* instance=*
!//| total 3 dispatch kind=ws_loop_chunk parallel=$p task=* instance=0+4|4+4|8+4
!//| total 1 work type=single_executor endpoint=begin parallel=$p ..
program worksharing
  implicit none
  integer :: i, times(12), ran(3), once
  times = 0
  ran = 0
  once = 0
  !$omp parallel !//@PAR LOOP
  !$omp do schedule(dynamic, 4) !//@PAR LOOP
  do i = 1, 12 !//@LOOP
    times(i) = times(i) + 1 !//@LOOP SECTIONS SINGLE
  end do !//@LOOP SECTIONS
  !$omp end do !//@LOOP
  !$omp sections !//@SECTIONS
  !$omp section
  ran(1) = 1
  !$omp section
  ran(2) = 1
  !$omp section
  ran(3) = 1
  !$omp end sections !//@SECTIONS
  !$omp single !//@SINGLE
  once = once + 1 !//@SINGLE SECTIONS
  !$omp end single !//@SINGLE
  !$omp end parallel
  if (any(times /= 1) .or. any(ran /= 1) .or. once /= 1) error stop "not once"
end program
