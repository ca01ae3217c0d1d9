// Leagues on devices that several host threads make at once, native ones, of a team, and in tasks.
//#LibompFails:it ends in an assertion of its own (kmp_csupport.cpp) for teams without num_teams
#include "check.h"
#include <omp.h>
#include <pthread.h>

enum { THREADS = 4, ROUNDS = 100, LENGTH = 200 };

static void leagues(void)
{
    for (int round = 0; round < ROUNDS; round++) {
        int sum = 0;
#pragma omp target teams distribute parallel for reduction(+ : sum)
        for (int i = 0; i < LENGTH; i++)
            sum += i;
        CHECK_EQ(sum, LENGTH * (LENGTH - 1) / 2);
    }
}

static void *native(void *unused)
{
    leagues();
    return unused;
}

int main(void)
{
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, native, NULL);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
#pragma omp parallel num_threads(THREADS)
    {
        leagues();
#pragma omp barrier
#pragma omp single
        for (int i = 0; i < THREADS; i++) {
#pragma omp task
            leagues();
        }
    }
    return check_result();
}
