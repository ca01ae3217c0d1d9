// exit(3) by a plain thread while a region of main runs, with threads at work and in a barrier.
//#Env:OMP_NUM_THREADS=4
//#Vary:OMP_WAIT_POLICY=active|passive
//#Vary:MEETS=openmp|nothing
//#NotRecorded:the region has no end
//#Status:4
//#Stdout:^last words\n$
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int running;

static void last_words(void)
{
    printf("last words\n");
}

static void *foreign(void *unused)
{
    (void)unused;
    if (strcmp(getenv("MEETS"), "openmp") == 0) {
#pragma omp parallel
        {
        }
    }
    while (__atomic_load_n(&running, __ATOMIC_ACQUIRE) < 4)
        usleep(1000);
    usleep(10000);
    exit(4);
}

int main(void)
{
    pthread_t thread;
    atexit(last_words);
    pthread_create(&thread, NULL, foreign, NULL);
#pragma omp parallel
    {
        __atomic_add_fetch(&running, 1, __ATOMIC_RELEASE);
        if (omp_get_thread_num() < 2)
            for (;;)
                usleep(1000);
#pragma omp barrier
    }
    return 0;
}
