// A plain thread that has led regions is cancelled while it waits outside of them: its handlers
// run, and its workers and its number are others'.
//#Env:OMP_NUM_THREADS=3
//#Vary:OMP_WAIT_POLICY=active|passive
//#NoStderr
#include "check.h"
#include <omp.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t ready, never;
static int cleaned;

static int region(void)
{
    int members = 0;
#pragma omp parallel reduction(+ : members)
    members += 1;
    return members;
}

static void clean(void *unused)
{
    (void)unused;
    // Regions can still be had.
    CHECK_EQ(region(), 3);
    cleaned++;
}

static void *foreign(void *unused)
{
    pthread_cleanup_push(clean, NULL);
    CHECK_EQ(omp_get_level(), 0);
    CHECK_EQ(region(), 3);
    sem_post(&ready);
    sem_wait(&never);
    pthread_cleanup_pop(0);
    return unused;
}

int main(void)
{
    sem_init(&ready, 0, 0);
    sem_init(&never, 0, 0);
    for (int round = 0; round < 20; round++) {
        pthread_t thread;
        void *result = NULL;
        pthread_create(&thread, NULL, foreign, NULL);
        sem_wait(&ready);
        if (round % 2)
            CHECK_EQ(region(), 3);
        pthread_cancel(thread);
        pthread_join(thread, &result);
        CHECK(result == PTHREAD_CANCELED);
    }
    CHECK_EQ(cleaned, 20);
    return check_result();
}
