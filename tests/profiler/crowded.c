/* Four threads on the one processor that the process may use: each works 3 ms of processor time in
 * each of ten regions. Prints what the threads' work took, ns. */
#include "clock.h"

enum { REGIONS = 10, THREADS = 4 };

int main(void)
{
    int64_t work = 0;
    volatile int regions = REGIONS;
    for (int region = 0; region < regions; region++) {
#pragma omp parallel num_threads(THREADS) reduction(+ : work)
        work += work_ns(3000000);
    }
    print_fact("cpu_work", work);
    return 0;
}
