// thread-limit-var bounds the threads of the whole contention group, nested teams included.
//#Env:OMP_THREAD_LIMIT=5
//#Env:OMP_NUM_THREADS=3,8
//#Env:OMP_MAX_ACTIVE_LEVELS=2
#include "check.h"
#include <omp.h>

int main(void)
{
    CHECK_EQ(omp_get_thread_limit(), 5);
    int size = 0;
#pragma omp parallel num_threads(5)
#pragma omp single
    size = omp_get_num_threads();
    CHECK_EQ(size, 5);
#pragma omp parallel num_threads(50)
    {
#pragma omp single
        size = omp_get_num_threads();
    }
    CHECK(size >= 1 && size <= 5);

    for (int round = 0; round < 20; round++) {
        int running = 0, most = 0;
#pragma omp parallel
        {
#pragma omp parallel
            {
                int now, seen;
#pragma omp atomic capture
                now = ++running;
                // The others get a chance to show themselves.
                for (volatile int spin = 0; spin < 2000; spin++)
                    ;
#pragma omp critical
                {
                    seen = now > most ? now : most;
                    most = seen;
                }
#pragma omp atomic
                running--;
            }
        }
        CHECK(most <= 5);
    }
    return check_result();
}
