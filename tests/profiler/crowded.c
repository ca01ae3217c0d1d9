/* Four threads on the one processor that the process may use: each works 3 ms of processor time in
 * each of ten regions. Prints what the threads' work took, ns. */
#include "clock.h"

enum { REGIONS = 10, THREADS = 4 };

static int64_t cpu_ns(void)
{
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
}

int main(void)
{
    int64_t work = 0;
    volatile int regions = REGIONS;
    for (int region = 0; region < regions; region++) {
#pragma omp parallel num_threads(THREADS) reduction(+ : work)
        {
            int64_t begin = cpu_ns(), now;
            do
                now = cpu_ns();
            while (now - begin < 3000000);
            work += now - begin;
        }
    }
    print_fact("cpu_work", work);
    return 0;
}
