// The thread_limit clause of a target construct: the limit of the region's contention group, whatever
// the depth, and of no other.
//#Compilers:gcc
//#Threads:4
//#Env:OMP_MAX_ACTIVE_LEVELS=3
//#NoStderr
//#ReferenceFails:libgomp counts no nested threads
#include "check.h"
#include <omp.h>

static int busiest(int limit)
{
    int now = 0, most = 0;
#pragma omp target thread_limit(limit) map(tofrom : now, most)
    {
        CHECK_EQ(omp_get_thread_limit(), limit);
#pragma omp parallel num_threads(2)
#pragma omp parallel num_threads(4)
        {
            CHECK_EQ(omp_get_thread_limit(), limit);
            int here = __atomic_add_fetch(&now, 1, __ATOMIC_RELAXED), seen = most;
            while (here > seen && !__atomic_compare_exchange_n(&most, &seen, here, 0, __ATOMIC_RELAXED,
                                                               __ATOMIC_RELAXED))
                ;
#pragma omp barrier
            __atomic_sub_fetch(&now, 1, __ATOMIC_RELAXED);
        }
    }
    return most;
}

int main(void)
{
    int before = omp_get_thread_limit(), members = 0;
    for (int limit = 1; limit <= 8; limit++)
        CHECK(busiest(limit) <= limit);
    CHECK_EQ(busiest(1), 1);
    CHECK_EQ(omp_get_thread_limit(), before);
#pragma omp target map(tofrom : members)
    {
        CHECK(omp_get_thread_limit() > 8);
#pragma omp parallel num_threads(4) reduction(+ : members)
        members++;
    }
    CHECK_EQ(members, 4);
#pragma omp parallel num_threads(2)
    CHECK(busiest(2) <= 2);
    return check_result();
}
