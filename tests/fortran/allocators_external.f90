! Declared as older sources declare them, the routines take all arguments by reference.
!//#Compilers:clang
!//#Threads:1
!//#NoStderr
!//#ReferenceFails:libomp takes the handles by value only
program allocators_external
  implicit none
  integer(8), external :: omp_get_default_allocator, omp_init_allocator
  external :: omp_set_default_allocator, omp_destroy_allocator
  integer(8) :: pool, before, traits(2)

  ! Key and value of omp_atk_alignment.
  traits = [2_8, 64_8]
  before = omp_get_default_allocator()
  call check(before == 1, "the default at first")
  pool = omp_init_allocator(0_8, 1, traits)
  call check(pool > 1024, "omp_init_allocator")
  call omp_set_default_allocator(pool)
  call check(omp_get_default_allocator() == pool, "by reference")
  call omp_set_default_allocator(before)
  call check(omp_get_default_allocator() == before, "a predefined one by reference")
  call omp_destroy_allocator(pool)
contains
  include "check.inc"
end program
