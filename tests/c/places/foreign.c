// Threads of the program are bound when they meet OpenMP, and their teams around them.
//#Flags:-D_GNU_SOURCE -pthread
//#Needs:2 processors
//#Env:OMP_PLACES={<p0>},{<p1>}
//#Env:OMP_PROC_BIND=close
//#Env:OMP_NUM_THREADS=2
//#NoStderr
//#ReferenceFails:libgomp does not bind threads of the program
#include "bound.h"
#include <pthread.h>

static void *root(void *unused)
{
    int own = check_bound();
    CHECK_EQ(omp_get_partition_num_places(), 2);
    for (int round = 0; round < 20; round++) {
#pragma omp parallel
        CHECK_EQ(check_bound(), (own + omp_get_thread_num()) % 2);
        CHECK_EQ(check_bound(), own);
    }
    return unused;
}

int main(void)
{
    pthread_t threads[3];
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < 3; i++)
            CHECK_EQ(pthread_create(&threads[i], NULL, root, NULL), 0);
        root(NULL);
        for (int i = 0; i < 3; i++)
            pthread_join(threads[i], NULL);
    }
    return check_result();
}
