// The teams construct of a target region as gcc up to 11 emits it: a call, and the code of the one
// team, which follows once. The limit counts for all threads of the region, nested ones too, and it
// only ever gets smaller.
//#Compilers:gcc
//#Threads:4
//#Env:OMP_MAX_ACTIVE_LEVELS=2
//#Stderr:teams: thread_limit\(-3\) is not positive; 1 is used\n
//#ReferenceFails:libgomp 12 sets the variable only, and takes the clause's number as it is
#include "check.h"
#include <omp.h>

extern void GOMP_teams(unsigned, unsigned);

// The thread limit inside of the construct, and the number of threads of two nested regions together.
static void with(unsigned clause, int *limit, int *threads)
{
    int count = 0;
    GOMP_teams(1, clause);
    *limit = omp_get_thread_limit();
#pragma omp parallel num_threads(2) shared(count)
    {
#pragma omp barrier
#pragma omp parallel num_threads(3)
#pragma omp atomic
        count++;
    }
    *threads = count;
}

int main(void)
{
    int limit, threads, initial;
#pragma omp target map(from : initial)
    initial = omp_get_thread_limit();
#pragma omp target map(from : limit, threads)
    with(0, &limit, &threads);
    CHECK_EQ(limit, initial);
    CHECK_EQ(threads, 6);
#pragma omp target map(from : limit, threads)
    with(2, &limit, &threads);
    CHECK_EQ(limit, 2);
    CHECK_EQ(threads, 2);
#pragma omp target map(from : limit, threads) thread_limit(2)
    with(5, &limit, &threads);
    CHECK_EQ(limit, 2);
    CHECK_EQ(threads, 2);
#pragma omp target map(from : limit, threads) thread_limit(4)
    with(3, &limit, &threads);
    CHECK_EQ(limit, 3);
#pragma omp target map(from : limit, threads)
    with(-3, &limit, &threads);
    CHECK_EQ(limit, 1);
    CHECK_EQ(threads, 1);
    return check_result();
}
