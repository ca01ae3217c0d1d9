// A thread that the program made is in a region of its own, while the main thread is in another, and a
// third thread has never met OpenMP. By itself the program just ends.
//#Vary:OMP_DEBUG=disabled|enabled
//#NotRecorded:it prints what differs from run to run
#include "ompd_facts.h"

static int arrived;

static void arrive(void)
{
    __atomic_fetch_add(&arrived, 1, __ATOMIC_ACQ_REL);
}

static void *visitor(void *unused)
{
#pragma omp parallel num_threads(2)
    {
#pragma omp critical(facts)
        fact("visitor", NULL, FRAME);
        arrive();
        wait_for_end();
    }
    return unused;
}

static void *stranger(void *unused)
{
    printf("fact role=stranger lwp=%ld\n", (long)syscall(SYS_gettid));
    fflush(stdout);
    arrive();
    wait_for_end();
    return unused;
}

int main(void)
{
    pthread_t threads[2];
    CHECK_EQ(pthread_create(&threads[0], NULL, stranger, NULL), 0);
    while (__atomic_load_n(&arrived, __ATOMIC_ACQUIRE) < 1)
        usleep(1000);
    CHECK_EQ(pthread_create(&threads[1], NULL, visitor, NULL), 0);
#pragma omp parallel num_threads(2)
    {
#pragma omp critical(facts)
        fact("main", NULL, FRAME);
        arrive();
        if (omp_get_thread_num() == 0) {
            while (__atomic_load_n(&arrived, __ATOMIC_ACQUIRE) < 5)
                usleep(1000);
            wait_for_reader();
        } else {
            wait_for_end();
        }
    }
    for (int i = 0; i < 2; i++)
        CHECK_EQ(pthread_join(threads[i], NULL), 0);
    return check_result();
}
