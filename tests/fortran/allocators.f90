! The routines of omp_lib for allocators, and memory of them behind pointers.
!//#Threads:1,4
!//#NoStderr
program allocators
  use omp_lib
  use iso_c_binding
  implicit none
  integer(omp_allocator_handle_kind) :: pool, before
  type(omp_alloctrait) :: traits(3)
  type(c_ptr) :: first, second
  integer, pointer :: numbers(:)
  integer :: i, total

  traits(1)%key = omp_atk_pool_size
  traits(1)%value = 10000
  traits(2)%key = omp_atk_fallback
  traits(2)%value = omp_atv_null_fb
  traits(3)%key = omp_atk_alignment
  traits(3)%value = 64
  before = omp_get_default_allocator()
  call check(before == omp_default_mem_alloc, "the default at first")
  pool = omp_init_allocator(omp_default_mem_space, 3, traits)
  call check(pool /= omp_null_allocator, "omp_init_allocator")
  first = omp_alloc(4000_c_size_t, pool)
  call check(c_associated(first), "omp_alloc")
  second = omp_alloc(8000_c_size_t, pool)
  call check(.not. c_associated(second), "the limit of the pool")
  call c_f_pointer(first, numbers, [1000])
  !$omp parallel do
  do i = 1, 1000
    numbers(i) = i
  end do
  total = sum(numbers)
  call check(total == 500500, "the memory")
  call omp_free(first, pool)
  second = omp_alloc(8000_c_size_t, pool)
  call check(c_associated(second), "what was freed is there again")
  call omp_free(second, omp_null_allocator)

  call omp_set_default_allocator(pool)
  call check(omp_get_default_allocator() == pool, "omp_set_default_allocator")
  !$omp parallel
  call check(omp_get_default_allocator() == pool, "the default in a region")
  !$omp end parallel
  call omp_set_default_allocator(before)
  call check(omp_get_default_allocator() == before, "the default again")
  call omp_destroy_allocator(pool)
contains
  include "check.inc"
end program
