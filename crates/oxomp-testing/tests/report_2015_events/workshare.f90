! Fortran's workshare: compilers make other constructs of it, whose events are told; those of
! workshare itself never occur, and the runtime says so when they are registered.
!//#Env:OMP_NUM_THREADS=2
!//#Opt:-O0
!//#Trace
!//| def body t {
!//|     when gcc {
!//|         either {
!//|             single_in_block_begin parallel=$p task={t} codeptr=*
!//|             single_in_block_end parallel=$p task={t}
!//|         } or {
!//|             single_others_begin parallel=$p task={t}
!//|             single_others_end parallel=$p task={t}
!//|         }
!//|     }
!//|     when clang {
!//|         either {
!//|             single_in_block_begin parallel=$p task={t} codeptr=*
!//|             single_in_block_end parallel=$p task={t}
!//|         } or {
!//|             single_others_begin parallel=$p task={t}
!//|             single_others_end parallel=$p task={t}
!//|         }
!//|     }
!//|     many {
!//|         barrier_begin parallel=$p task={t} codeptr=*
!//|         waits! barrier $p {t}
!//|         barrier_end parallel=$p task={t}
!//|     }
!//| }
!//| primary {
!//|     start!
!//|     parallel_begin parent=$root frame=set exit=null reenter=set parallel=$p requested=2 ofn=* invoker=runtime as begin:$p
!//|     task! $p %t
!//|     body! %t
!//|     region_barrier! $p %t *
!//|     implicit_task_end parallel=$p task=%t
!//|     join! $p $root
!//|     finish!
!//| }
!//| worker 1 {
!//|     worker_start!
!//|     work! $p %t
!//|     body! %t
!//|     work_over! $p %t *
!//|     worker_finish!
!//| }
!//| team! $p
!//| total 1 single_in_block_begin parallel=$p ..
!//| callback workshare_begin 2
!//| callback workshare_end 2
program shared_work
    implicit none
    real :: a(8), b(8), total
    b = 2
    total = 0
    !$omp parallel
    !$omp workshare
    a = b
    total = sum(a)
    !$omp end workshare
    !$omp end parallel
    if (total /= 16) stop 1
end program
