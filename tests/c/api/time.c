// omp_get_wtime is seconds, the same for all threads, and never goes back.
//#Env:OMP_NUM_THREADS=4
#include "check.h"
#include <omp.h>
#include <time.h>
#include <unistd.h>

int main(void)
{
    double tick = omp_get_wtick();
    CHECK(tick > 0 && tick < 1e-3);
    struct timespec begin, end;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    double start = omp_get_wtime();
    usleep(200000);
    double slept = omp_get_wtime() - start;
    clock_gettime(CLOCK_MONOTONIC, &end);
    double truth = end.tv_sec - begin.tv_sec + (end.tv_nsec - begin.tv_nsec) * 1e-9;
    CHECK(slept >= 0.199 && slept <= truth + 1e-6);
    double before = 0, after[4] = {0};
    before = omp_get_wtime();
#pragma omp parallel
    {
        double last = omp_get_wtime();
        for (int i = 0; i < 1000; i++) {
            double now = omp_get_wtime();
            CHECK(now >= last);
            last = now;
        }
        after[omp_get_thread_num()] = last;
    }
    for (int i = 0; i < 4; i++)
        CHECK(after[i] >= before && after[i] <= omp_get_wtime());
    return check_result();
}
