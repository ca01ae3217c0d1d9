// 10^4 kernels from host threads at once, native and of a team: each with data of its own, and all
// with data that they share, which is mapped once.
//#Timeout:40
#include "check.h"
#include <omp.h>
#include <pthread.h>

enum { THREADS = 4, ROUNDS = 1250, LENGTH = 16 };

static int shared[LENGTH];

static void kernels(int seed)
{
    for (int round = 0; round < ROUNDS; round++) {
        int own[LENGTH], sum = 0;
        for (int i = 0; i < LENGTH; i++)
            own[i] = seed * 1000 + round + i;
#pragma omp target map(tofrom : own) map(to : shared) map(from : sum)
        {
            sum = 0;
            for (int i = 0; i < LENGTH; i++) {
                own[i] += shared[i];
                sum += own[i];
            }
        }
        int wanted = LENGTH * (seed * 1000 + round) + LENGTH * (LENGTH - 1) / 2 * 4;
        CHECK_EQ(sum, wanted);
        CHECK_EQ(own[LENGTH - 1], seed * 1000 + round + (LENGTH - 1) * 4);
    }
}

static void *native(void *seed)
{
    kernels(*(int *)seed);
    return NULL;
}

int main(void)
{
    pthread_t threads[THREADS];
    int seeds[THREADS];
    for (int i = 0; i < LENGTH; i++)
        shared[i] = i * 3;
    for (int i = 0; i < THREADS; i++) {
        seeds[i] = i;
        pthread_create(&threads[i], NULL, native, &seeds[i]);
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
#pragma omp parallel num_threads(THREADS)
    kernels(omp_get_thread_num());
    CHECK_EQ(omp_target_is_present(shared, omp_get_default_device()), 0);
    return check_result();
}
