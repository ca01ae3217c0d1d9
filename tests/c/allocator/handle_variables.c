// The predefined handles as variables of the library, of the size and with the values that older
// headers expect. References are weak: libgomp does not have them.
//#Threads:1
//#Flags:-fPIC -Wl,-z,dynamic-undefined-weak
//#NoStderr
//#ReferenceFails:libgomp does not have them, and libomp 19 not all
#include "check.h"
#include <stdint.h>

#define ALL(_)                                                                                     \
    _(omp_null_allocator, 0)                                                                       \
    _(omp_default_mem_alloc, 1)                                                                    \
    _(omp_large_cap_mem_alloc, 2)                                                                  \
    _(omp_const_mem_alloc, 3)                                                                      \
    _(omp_high_bw_mem_alloc, 4)                                                                    \
    _(omp_low_lat_mem_alloc, 5)                                                                    \
    _(omp_cgroup_mem_alloc, 6)                                                                     \
    _(omp_pteam_mem_alloc, 7)                                                                      \
    _(omp_thread_mem_alloc, 8)                                                                     \
    _(kmp_max_mem_alloc, 1024)                                                                     \
    _(omp_null_mem_space, 0)                                                                       \
    _(omp_default_mem_space, 99)                                                                   \
    _(omp_large_cap_mem_space, 1)                                                                  \
    _(omp_const_mem_space, 2)                                                                      \
    _(omp_high_bw_mem_space, 3)                                                                    \
    _(omp_low_lat_mem_space, 4)                                                                    \
    _(omp_cgroup_mem_space, 5)                                                                     \
    _(kmp_max_mem_space, 1024)

#define DECLARE(name, value) __attribute__((weak)) extern const uintptr_t name;
ALL(DECLARE)
extern uintptr_t omp_init_allocator(uintptr_t, int, const void *);
extern void omp_destroy_allocator(uintptr_t);
extern void *omp_alloc(size_t, uintptr_t);
extern void omp_free(void *, uintptr_t);

int main(void)
{
#define EXPECT(name, value)                                                                        \
    CHECK(&name);                                                                                  \
    CHECK_EQ(name, value);
    ALL(EXPECT)
    uintptr_t allocator = omp_init_allocator(omp_default_mem_space, 0, NULL);
    void *block = omp_alloc(10, allocator);
    CHECK(allocator > kmp_max_mem_alloc && block);
    omp_free(block, omp_null_allocator);
    omp_destroy_allocator(allocator);
    return check_result();
}
