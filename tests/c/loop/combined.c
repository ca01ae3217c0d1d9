// parallel for in one construct, in every schedule: a call of its own in GCC's interface.
//#Opt:-O0,-O2
//#Threads:1,2,4
//#SameStdoutAs:reference
//#NoStderr
#include "check.h"
#include <omp.h>

#define REGION(clause)                                                                             \
    {                                                                                              \
        long sum = 0;                                                                              \
        int team = 0;                                                                              \
        _Pragma(clause) for (int i = 0; i < n; i++)                                                \
        {                                                                                          \
            sum += i;                                                                              \
            if (i == 0)                                                                            \
                team = omp_get_num_threads();                                                      \
        }                                                                                          \
        printf("%ld %d\n", sum, team);                                                             \
        CHECK_EQ(sum, (long)n * (n - 1) / 2);                                                      \
    }

int main(void)
{
    const int lengths[] = {1000, 0, 1, 2, 3, 5, 17, 64, 999, 4096};
    int chunk = 7;
    for (int round = 0; round < 30; round++) {
        int n = lengths[round % 10];
        REGION("omp parallel for schedule(static) reduction(+ : sum)")
        REGION("omp parallel for schedule(static, chunk) reduction(+ : sum)")
        REGION("omp parallel for schedule(dynamic) reduction(+ : sum)")
        REGION("omp parallel for schedule(dynamic, chunk) reduction(+ : sum)")
        REGION("omp parallel for schedule(guided) reduction(+ : sum)")
        REGION("omp parallel for schedule(guided, chunk) reduction(+ : sum)")
        REGION("omp parallel for schedule(monotonic : dynamic) reduction(+ : sum)")
        REGION("omp parallel for schedule(monotonic : guided) reduction(+ : sum)")
        REGION("omp parallel for schedule(runtime) reduction(+ : sum)")
        REGION("omp parallel for schedule(nonmonotonic : runtime) reduction(+ : sum)")
        REGION("omp parallel for schedule(monotonic : runtime) reduction(+ : sum)")
        REGION("omp parallel for schedule(auto) reduction(+ : sum)")
        REGION("omp parallel for schedule(dynamic) num_threads(3) reduction(+ : sum)")
        REGION("omp parallel for schedule(guided) num_threads(1) reduction(+ : sum)")
        REGION("omp parallel for schedule(dynamic) if (round & 1) reduction(+ : sum)")
    }
    return check_result();
}
