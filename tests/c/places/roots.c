// A thread that only calls routines stays free; its first region binds it.
//#Flags:-D_GNU_SOURCE -pthread
//#Needs:2 processors
//#Env:OMP_PLACES={<p0>},{<p1>}
//#Env:OMP_PROC_BIND=close
//#NoStderr
//#ReferenceFails:libgomp binds the initial thread when it is loaded
#include "bound.h"
#include <pthread.h>

static void *root(void *unused)
{
    int before = my_processors();
    CHECK(before > 1);
    omp_set_num_threads(2);
    omp_get_wtime();
    CHECK_EQ(omp_get_level(), 0);
    CHECK_EQ(my_processors(), before);
#pragma omp parallel
    CHECK_EQ(my_processors(), 1);
    CHECK_EQ(my_processors(), 1);
    check_bound();
    return unused;
}

int main(void)
{
    pthread_t thread;
    CHECK_EQ(pthread_create(&thread, NULL, root, NULL), 0);
    pthread_join(thread, NULL);
    root(NULL);
    return check_result();
}
