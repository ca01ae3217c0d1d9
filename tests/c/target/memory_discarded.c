// Copies of parts of arrays in target tasks that a cancelled taskgroup discards keep no memory.
//#Compilers:clang
//#Flags:-fPIC -Wl,-z,dynamic-undefined-weak
//#Threads:2
//#Env:OMP_CANCELLATION=true
//#Timeout:60
//#NotRecorded:more events than a log holds
//#ReferenceFails:libomp does not have the routine
#include "check.h"
#include "resident.h"
#include <omp.h>

extern int omp_target_memcpy_rect_async(void *, const void *, size_t, int, const size_t *, const size_t *,
                                        const size_t *, const size_t *, const size_t *, int, int, int,
                                        omp_depend_t *) __attribute__((weak));

static char there[64], here[64];

static int copies(int count)
{
    size_t volume[3] = {2, 2, 2}, offsets[3] = {0, 0, 0}, dimensions[3] = {4, 4, 4};
    int host = omp_get_initial_device(), failed = 0;
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < count; i++) {
#pragma omp taskgroup
        {
#pragma omp task if (0)
            {
#pragma omp cancel taskgroup
            }
            for (int copy = 0; copy < 100; copy++)
                failed |= omp_target_memcpy_rect_async(there, here, 1, 3, volume, offsets, offsets,
                                                       dimensions, dimensions, host, host, 0, NULL);
        }
    }
    return failed;
}

int main(void)
{
    for (size_t i = 0; i < sizeof here; i++)
        here[i] = 1;
    CHECK_EQ(copies(10), 0);
    long before = resident();
    CHECK_EQ(copies(2000), 0);
    CHECK(resident() - before < 1024);
    // All were discarded.
    for (size_t i = 0; i < sizeof there; i++)
        CHECK_EQ(there[i], 0);
    return check_result();
}
