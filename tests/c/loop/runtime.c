// OMP_SCHEDULE decides; the ICV says so; each iteration runs once.
//#Threads:2,4
//#Vary:OMP_SCHEDULE=static|static,5|dynamic|dynamic,3|guided|guided,4|auto|monotonic:dynamic,2|nonmonotonic:guided|DYNAMIC,6
//#SameStdoutAs:reference
//#NoStderr
#include "check.h"
#include <omp.h>

enum { N = 500 };

int main(void)
{
    static int times[N];
    omp_sched_t kind;
    int chunk;
    omp_get_schedule(&kind, &chunk);
    // Without a chunk in the variable implementations report different numbers.
    printf("kind %u chunk %d\n", (unsigned)kind & 0xff, chunk > 1 ? chunk : 0);
    // Where a signed integer ends.
    unsigned long long first = 0x7ffffffffffffff0;
#pragma omp parallel
    {
        unsigned long long last = first + N + 1;
#pragma omp for schedule(runtime)
        for (int i = 0; i < N; i++) {
#pragma omp atomic
            times[i]++;
        }
#pragma omp for schedule(runtime) nowait
        for (long i = N - 1; i >= 0; i--) {
#pragma omp atomic
            times[i]++;
        }
#pragma omp for schedule(nonmonotonic : runtime) nowait
        for (unsigned long long i = first; i < first + N; i++) {
#pragma omp atomic
            times[i - first]++;
        }
#pragma omp for schedule(monotonic : runtime)
        for (unsigned long long i = first + N; i > first; i--) {
            CHECK(i < last);
            last = i;
#pragma omp atomic
            times[i - first - 1]++;
        }
#pragma omp for schedule(nonmonotonic : runtime)
        for (int i = 0; i < N; i++) {
#pragma omp atomic
            times[i]++;
        }
    }
#pragma omp parallel for schedule(runtime)
    for (int i = 0; i < N; i++) {
#pragma omp atomic
        times[i]++;
    }
    for (int i = 0; i < N; i++)
        CHECK_EQ(times[i], 6);
    return check_result();
}
