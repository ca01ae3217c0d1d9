! LLVM's own routines, declared as older sources declare them: what is set can be read.
!//#Compilers:clang
!//#ReferenceFails:libomp takes -1 threads for 1
!//#Threads:4
!//#NoStderr
program kmp_routines
  use iso_c_binding, only: c_f_pointer, c_intptr_t, c_ptr
  implicit none
  integer, external :: kmp_get_blocktime, kmp_get_library, kmp_get_stacksize
  integer, external :: kmp_get_num_known_threads, kmp_get_affinity_max_proc, kmp_set_affinity
  integer, external :: kmp_get_affinity, kmp_set_affinity_mask_proc, kmp_unset_affinity_mask_proc
  integer, external :: kmp_get_affinity_mask_proc, omp_get_max_threads
  integer(8), external :: kmp_get_stacksize_s
  logical, external :: kmp_get_cancellation_status
  external :: kmp_set_blocktime, kmp_set_library, kmp_set_library_serial, kmp_set_stacksize
  external :: kmp_set_library_turnaround, kmp_set_library_throughput, kmp_set_stacksize_s
  external :: kmp_set_warnings_on, kmp_set_warnings_off, kmp_set_defaults, omp_set_num_threads
  external :: kmp_set_disp_num_buffers, kmp_create_affinity_mask, kmp_destroy_affinity_mask

  ! Before the runtime starts, which happens with the first question.
  call kmp_set_defaults("OMP_NUM_THREADS=3")
  call check(omp_get_max_threads() == 3, "kmp_set_defaults")
  call settings()
  call masks()
  call memory()
contains
  include "check.inc"

  subroutine settings()
    integer :: members
    call kmp_set_stacksize_s(3145728_8)
    call check(kmp_get_stacksize_s() == 3145728, "kmp_set_stacksize_s")
    call kmp_set_stacksize(4194304)
    call check(kmp_get_stacksize() == 4194304, "kmp_set_stacksize")
    call kmp_set_blocktime(17)
    call check(kmp_get_blocktime() == 17, "kmp_set_blocktime")
    call kmp_set_library_serial()
    call check(kmp_get_library() == 1 .and. omp_get_max_threads() == 1, "kmp_set_library_serial")
    call kmp_set_library_turnaround()
    call check(kmp_get_library() == 2, "kmp_set_library_turnaround")
    call check(omp_get_max_threads() == 3, "not serial any more")
    call kmp_set_library_throughput()
    call check(kmp_get_library() == 3, "kmp_set_library_throughput")
    call kmp_set_library(2)
    call check(kmp_get_library() == 2, "kmp_set_library")
    call kmp_set_disp_num_buffers(16)
    call check(.not. kmp_get_cancellation_status(1), "kmp_get_cancellation_status")
    call kmp_set_warnings_off()
    ! Would be warned of.
    call omp_set_num_threads(-1)
    call kmp_set_warnings_on()
    call check(omp_get_max_threads() == 3, "a number of threads that cannot be")
    members = 0
    !$omp parallel reduction(+:members)
    members = members + 1
    !$omp end parallel
    call check(members == 3, "size of the team")
    call check(kmp_get_num_known_threads() >= 3, "kmp_get_num_known_threads")
  end subroutine

  subroutine masks()
    integer(c_intptr_t) :: mask, own
    integer :: proc, first, count
    call kmp_create_affinity_mask(mask)
    call kmp_create_affinity_mask(own)
    call check(kmp_get_affinity(own) == 0, "kmp_get_affinity")
    first = -1
    count = 0
    do proc = 0, kmp_get_affinity_max_proc() - 1
      if (kmp_get_affinity_mask_proc(proc, own) == 0) cycle
      if (first < 0) first = proc
      count = count + 1
    end do
    call check(count >= 1, "kmp_get_affinity_mask_proc")
    call check(kmp_set_affinity_mask_proc(first, mask) == 0, "kmp_set_affinity_mask_proc")
    call check(kmp_get_affinity_mask_proc(first, mask) == 1, "a processor that was set")
    call check(kmp_set_affinity(mask) == 0, "kmp_set_affinity")
    call check(kmp_unset_affinity_mask_proc(first, mask) == 0, "kmp_unset_affinity_mask_proc")
    call check(kmp_get_affinity_mask_proc(first, mask) == 0, "a processor that was taken out")
    call check(kmp_get_affinity(mask) == 0, "kmp_get_affinity, again")
    call check(kmp_get_affinity_mask_proc(first, mask) == 1, "the thread is bound")
    call check(kmp_set_affinity(own) == 0, "kmp_set_affinity, back")
    call kmp_destroy_affinity_mask(mask)
    call kmp_destroy_affinity_mask(own)
  end subroutine

  subroutine memory()
    integer(c_intptr_t), external :: kmp_malloc, kmp_calloc, kmp_realloc, kmp_aligned_malloc
    external :: kmp_free
    integer(c_intptr_t) :: block
    integer, pointer :: numbers(:)
    block = kmp_calloc(100_8, 4_8)
    call c_f_pointer(transfer(block, pointing()), numbers, [100])
    call check(all(numbers == 0), "kmp_calloc")
    numbers = 5
    block = kmp_realloc(block, 400000_8)
    call c_f_pointer(transfer(block, pointing()), numbers, [100000])
    call check(all(numbers(:100) == 5), "kmp_realloc")
    numbers = 6
    call kmp_free(block)
    block = kmp_malloc(40_8)
    call c_f_pointer(transfer(block, pointing()), numbers, [10])
    numbers = 7
    call check(all(numbers == 7), "kmp_malloc")
    call kmp_free(block)
    block = kmp_aligned_malloc(64_8, 4096_8)
    call check(block /= 0 .and. mod(block, 4096_c_intptr_t) == 0, "kmp_aligned_malloc")
    call kmp_free(block)
  end subroutine

  pure type(c_ptr) function pointing()
    use iso_c_binding, only: c_null_ptr
    pointing = c_null_ptr
  end function
end program
