// Doacross loops with other clauses: lastprivate, conditional or not, reductions, linear.
//#Opt:-O0,-O2
//#Threads:1,2,4
//#Vary:OMP_SCHEDULE=static,1|dynamic,3|guided
//#NoStderr
#include "check.h"

int main(void)
{
    static long sums[300];
    long total = 0, last = 0, conditional = 0, position = 5;
    int greatest = 0;
#pragma omp parallel for ordered(1) schedule(runtime) reduction(+ : total) reduction(max : greatest) \
    lastprivate(last) lastprivate(conditional : conditional)
    for (int i = 1; i < 300; i++) {
#pragma omp ordered depend(sink : i - 1)
        sums[i] = sums[i - 1] + i;
#pragma omp ordered depend(source)
        total += sums[i] % 7;
        if (i % 11 == 3)
            conditional = i;
        last = sums[i];
        greatest = greatest > i ? greatest : i;
    }
    long wanted = 0;
    for (int i = 1; i < 300; i++)
        wanted += ((long)i * (i + 1) / 2) % 7;
    CHECK_EQ(total, wanted);
    CHECK_EQ(last, 299 * 300 / 2);
    CHECK_EQ(conditional, 289);
    CHECK_EQ(greatest, 299);
#pragma omp parallel for ordered(2) schedule(runtime) firstprivate(position) \
    reduction(task, + : total)
    for (int i = 1; i < 30; i++)
        for (int j = 1; j < 10; j++) {
#pragma omp ordered depend(sink : i - 1, j) depend(sink : i, j - 1)
            sums[i] += position;
#pragma omp ordered depend(source)
            total += 1;
        }
    CHECK_EQ(total, wanted + 29 * 9);
    for (int i = 1; i < 30; i++)
        CHECK_EQ(sums[i], (long)i * (i + 1) / 2 + 45);
    return check_result();
}
