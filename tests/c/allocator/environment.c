// OMP_ALLOCATOR: a predefined allocator, a memory space, and a memory space with traits, each of
// which has its effect.
//#Threads:1,4
//#Vary:OMP_ALLOCATOR=omp_low_lat_mem_alloc|OMP_CGROUP_MEM_ALLOC|omp_high_bw_mem_space|omp_default_mem_space:alignment=256|omp_large_cap_mem_space:pool_size=10000,fallback=null_fb|omp_const_mem_space:pool_size=10000,fallback=allocator_fb,fb_data=omp_thread_mem_alloc|omp_default_mem_space:pinned=true,partition=nearest|omp_default_mem_space : Partition = Interleaved , part_size = 8192 , access=all
//#NoStderr
//#ReferenceFails:Debian's runtimes do not accept all of them
#include "check.h"
#include <omp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

int main(void)
{
    const char *said = getenv("OMP_ALLOCATOR");
    int limited = strstr(said, "null_fb") != NULL;
    size_t alignment = strstr(said, "256") ? 256 : 16;
    omp_allocator_handle_t own = omp_get_default_allocator();
    if (!strcasecmp(said, "omp_low_lat_mem_alloc"))
        CHECK_EQ(own, omp_low_lat_mem_alloc);
    else if (!strcasecmp(said, "omp_cgroup_mem_alloc"))
        CHECK_EQ(own, omp_cgroup_mem_alloc);
    else
        CHECK((uintptr_t)own > 1024);
#pragma omp parallel
    {
        CHECK_EQ(omp_get_default_allocator(), own);
#pragma omp critical
        for (int i = 0; i < 10; i++) {
            char *first = omp_alloc(6000, omp_null_allocator);
            char *second = omp_alloc(6000, omp_null_allocator);
            CHECK(first && (second == NULL) == limited);
            CHECK((uintptr_t)first % alignment == 0 && (uintptr_t)second % alignment == 0);
            memset(first, 1, 6000);
            omp_free(first, omp_null_allocator);
            omp_free(second, own);
        }
    }
    return check_result();
}
