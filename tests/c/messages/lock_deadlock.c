// A thread that sets a lock which it has waits for itself: one line says so after a while, and it goes on
// waiting, until somebody helps it.
//#Flags:-g -fno-inline
//#Opt:-O0,-O2
//#Stdout:^helped\n$
//#Stderr:^OMP: Warning: set_twice\+0x[0-9a-f]+ \(\S+\): omp_set_lock: the calling thread holds the lock already; it waits for itself\n$
//#NotRecorded:a thread gives another's lock back
//#ReferenceFails:the reference says nothing
#include "fixed_addresses.h"
#include <omp.h>
#include <pthread.h>
#include <stdio.h>

static omp_lock_t lock;

static void set_twice(void)
{
    omp_set_lock(&lock);
    omp_set_lock(&lock);
    __asm__ volatile("");
}

static void *help(void *nothing)
{
    (void)nothing;
    sleep(8);
    omp_unset_lock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t helper;
    omp_init_lock(&lock);
    if (pthread_create(&helper, NULL, help, NULL))
        return 2;
    set_twice();
    printf("helped\n");
    pthread_join(helper, NULL);
    return 0;
}
