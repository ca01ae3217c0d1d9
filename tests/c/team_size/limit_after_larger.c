// Inner regions that get as many threads as the limit leaves: one where the other threads have taken
// all, after regions of more. Each has its own events, and its thread the state that it had.
//#Opt:-O0,-O2
//#Env:OMP_THREAD_LIMIT=4
//#Env:OMP_DYNAMIC=true
//#NoStderr
#include "check.h"
#include <omp.h>

enum { ROUNDS = 200 };

int main(void)
{
    int sizes[5] = {0}, wrong = 0;
    omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2) reduction(+ : wrong)
    for (int round = 0; round < ROUNDS; round++) {
        int size = 0, members = 0;
#pragma omp parallel num_threads(3) reduction(+ : members)
        {
            members++;
#pragma omp master
            size = omp_get_num_threads();
        }
        wrong += size < 1 || size > 3 || members != size;
        wrong += omp_get_num_threads() != 2 || omp_get_level() != 1;
#pragma omp atomic
        sizes[size]++;
        if (round % 3 == 0) {
            members = 0;
#pragma omp parallel if (0) reduction(+ : members)
            members++;
            wrong += members != 1;
        }
    }
    CHECK_EQ(wrong, 0);
    CHECK_EQ(sizes[1] + sizes[2] + sizes[3], 2 * ROUNDS);
    return check_result();
}
