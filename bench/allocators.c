/* Memory by the routines: each thread of the team gets a block of 64 bytes and frees it, so often.
 * Counts are blocks of one thread. */

#define _GNU_SOURCE
#include "bench.h"

#include <dlfcn.h>

#define BLOCK 64
#define ALIGNMENT 256
/* Threads with a block each stay far below it. */
#define POOL (1 << 20)

static void use(void *block, int *refused)
{
    *refused |= !block;
    touch(block);
    work();
}

static void allocate(long count, omp_allocator_handle_t allocator)
{
    int refused = 0;
#pragma omp parallel reduction(| : refused)
    for (long i = 0; i < count; i++) {
        void *block = omp_alloc(BLOCK, allocator);
        use(block, &refused);
        omp_free(block, allocator);
    }
    expect(!refused, "a block");
}

/* The number of the default memory space differs: 99 for LLVM since version 20, which exports it as
 * a variable, as earlier versions do; 0 for gcc, which has no such variable. */
static omp_memspace_handle_t default_space(void)
{
    const omp_memspace_handle_t *number = dlsym(RTLD_DEFAULT, "omp_default_mem_space");
    return number ? *number : (omp_memspace_handle_t)0;
}

static void allocate_by(long count, const omp_alloctrait_t trait)
{
    omp_allocator_handle_t allocator = omp_init_allocator(default_space(), 1, &trait);
    expect(allocator != omp_null_allocator, "an allocator");
    allocate(count, allocator);
    omp_destroy_allocator(allocator);
}

static void allocator_default(long count)
{
    allocate(count, omp_default_mem_alloc);
}

static void allocator_user(long count)
{
    allocate_by(count, (omp_alloctrait_t){omp_atk_fallback, omp_atv_null_fb});
}

static void allocator_pool(long count)
{
    allocate_by(count, (omp_alloctrait_t){omp_atk_pool_size, POOL});
}

static void allocator_aligned(long count)
{
    int refused = 0;
#pragma omp parallel reduction(| : refused)
    for (long i = 0; i < count; i++) {
        void *block = omp_aligned_alloc(ALIGNMENT, BLOCK, omp_default_mem_alloc);
        refused |= (uintptr_t)block % ALIGNMENT != 0;
        use(block, &refused);
        omp_free(block, omp_default_mem_alloc);
    }
    expect(!refused, "an aligned block");
}

const struct benchmark benchmarks[] = {
    {"allocator_default", "ns/block", "a block of the default allocator, and its end",
     allocator_default, work_of_each},
    {"allocator_user", "ns/block", "a block of an allocator that the program made, and its end",
     allocator_user, work_of_each},
    {"allocator_pool", "ns/block", "a block of a pool that all threads share, and its end",
     allocator_pool, work_of_each},
    {"allocator_aligned", "ns/block", "a block aligned to 256 bytes, and its end",
     allocator_aligned, work_of_each},
    {0},
};
