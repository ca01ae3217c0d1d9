// Threads of the program encounter leagues at the same time; each has its own.
//#Opt:-O2
//#Flags:-pthread
//#Timeout:60
//#ReferenceFails[clang]:libomp makes no more teams than there are processors
//#NoStderr
#include "check.h"
#include <omp.h>
#include <pthread.h>

enum { THREADS = 4, ROUNDS = 60 };

static void *encounter(void *argument)
{
    int teams = 2 + (int)(long)argument;
    for (int round = 0; round < ROUNDS; round++) {
        int visits = 0, threads = 0;
#pragma omp teams num_teams(teams) reduction(+ : visits, threads)
        {
            CHECK_EQ(omp_get_num_teams(), teams);
            visits++;
            if (round % 10 == 0) {
#pragma omp parallel num_threads(2) reduction(+ : threads)
                threads++;
            }
        }
        CHECK_EQ(visits, teams);
        CHECK_EQ(threads, round % 10 == 0 ? 2 * teams : 0);
    }
    return NULL;
}

int main(void)
{
    for (int turn = 0; turn < 3; turn++) {
        pthread_t threads[THREADS];
        for (long i = 0; i < THREADS; i++)
            CHECK_EQ(pthread_create(&threads[i], NULL, encounter, (void *)i), 0);
        encounter((void *)1);
        for (int i = 0; i < THREADS; i++)
            CHECK_EQ(pthread_join(threads[i], NULL), 0);
    }
    return check_result();
}
