// The default allocator is a variable of the implicit task: its explicit tasks share it, and regions
// inherit it, also those that an explicit task encounters.
//#Threads:1,4
//#NoStderr
//#ReferenceFails:libgomp keeps it in explicit tasks, libomp in threads
#include "check.h"
#include <omp.h>

static void expect(omp_allocator_handle_t wanted)
{
    CHECK_EQ(omp_get_default_allocator(), wanted);
}

int main(void)
{
    omp_set_max_active_levels(3);
    expect(omp_default_mem_alloc);
    omp_set_default_allocator(omp_large_cap_mem_alloc);
    expect(omp_large_cap_mem_alloc);
#pragma omp parallel
    {
        expect(omp_large_cap_mem_alloc);
#pragma omp barrier
        omp_allocator_handle_t mine = (omp_allocator_handle_t)(1 + omp_get_thread_num() % 8);
        omp_set_default_allocator(mine);
#pragma omp barrier
        expect(mine);
        // A task of this thread, at once.
#pragma omp task if (0)
        {
            expect(mine);
            omp_set_default_allocator(omp_thread_mem_alloc);
            expect(omp_thread_mem_alloc);
#pragma omp parallel num_threads(2)
            {
                expect(omp_thread_mem_alloc);
                omp_set_default_allocator(omp_const_mem_alloc);
            }
            expect(omp_thread_mem_alloc);
        }
        expect(omp_thread_mem_alloc);
        // A task that has variables of its own, made before the change.
        int go = 0;
#pragma omp task if (0) shared(go)
        {
            omp_set_num_threads(2);
            omp_set_default_allocator(omp_low_lat_mem_alloc);
#pragma omp parallel
            {
                expect(omp_low_lat_mem_alloc);
#pragma omp atomic write
                go = omp_get_num_threads();
            }
        }
        expect(omp_low_lat_mem_alloc);
        CHECK_EQ(go, 2);
        void *block = omp_alloc(10, omp_null_allocator);
        omp_free(block, omp_low_lat_mem_alloc);
    }
    expect(omp_large_cap_mem_alloc);
    omp_set_default_allocator(omp_null_allocator);
    expect(omp_default_mem_alloc);

    // An allocator of the program as the default: with its limit, where none is named.
    omp_alloctrait_t traits[] = {{omp_atk_pool_size, 1000}, {omp_atk_fallback, omp_atv_null_fb}};
    omp_allocator_handle_t pool = omp_init_allocator(omp_default_mem_space, 2, traits);
    omp_set_default_allocator(pool);
#pragma omp parallel
    {
        expect(pool);
        CHECK(!omp_alloc(1001, omp_null_allocator) && !omp_calloc(1, 1001, omp_null_allocator));
    }
    void *block = omp_alloc(500, omp_null_allocator);
    CHECK(block && !omp_alloc(500, omp_null_allocator));
    omp_free(block, pool);
    omp_set_default_allocator(omp_default_mem_alloc);
    omp_destroy_allocator(pool);
    return check_result();
}
