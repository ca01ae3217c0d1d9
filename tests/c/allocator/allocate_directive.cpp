// The allocate directive, and the allocate clause with an alignment, which gcc 12 does not know for
// the directive.
//#Compilers:clang
//#Threads:1,4
//#NoStderr
#include "check.h"
#include <cstdint>
#include <cstring>
#include <omp.h>

static int global = 5;
#pragma omp allocate(global) allocator(omp_const_mem_alloc)

static long sum_of(int count, omp_allocator_handle_t allocator)
{
    long local = 0;
    double aligned[4] = {1, 2, 3, 4};
#pragma omp allocate(local) allocator(allocator)
#pragma omp allocate(aligned) align(256) allocator(allocator)
    CHECK((uintptr_t)aligned % 256 == 0);
    for (int i = 0; i < count; i++)
        local += i;
    return local + (long)aligned[3] * 0;
}

int main()
{
    CHECK_EQ(global, 5);
    omp_alloctrait_t traits[] = {{omp_atk_pool_size, 4096}, {omp_atk_fallback, omp_atv_null_fb}};
    omp_allocator_handle_t pool = omp_init_allocator(omp_default_mem_space, 2, traits);
#pragma omp parallel
    {
        CHECK_EQ(sum_of(10, omp_low_lat_mem_alloc), 45);
#pragma omp critical
        for (int i = 0; i < 100; i++)
            CHECK_EQ(sum_of(100, pool), 4950);
    }
    int x = 0;
#pragma omp parallel private(x) allocate(align(128), allocator(omp_thread_mem_alloc) : x)
    {
        x = omp_get_thread_num();
        CHECK((uintptr_t)&x % 128 == 0);
    }
    void *all = omp_alloc(4080, pool);
    CHECK(all);
    omp_free(all, pool);
    omp_destroy_allocator(pool);
    return check_result();
}
