// A thread holds a mutex of POSIX and wants a lock of OpenMP, and another one the other way round.
//#Verdict:deadlock
//#Says:thread\s+0\s+waits\s+for\s+lock\s+lock\s+at\s+@WAIT_LOCK,\s+which\s+thread\s+1\s+holds
//#Says:thread\s+1\s+waits\s+for\s+pthread\s+mutex\s+mutex\s+at\s+@WAIT_MUTEX,\s+which\s+thread\s+0\s+holds
//#Core:yes
#include "planted.h"
#include <pthread.h>

static omp_lock_t lock;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void with_mutex(void)
{
    pthread_mutex_lock(&mutex); //@WAIT_MUTEX
    pthread_mutex_unlock(&mutex);
}

int main(void)
{
    omp_init_lock(&lock);
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 0) {
            pthread_mutex_lock(&mutex);
            meet(2);
            omp_set_lock(&lock); //@WAIT_LOCK
            omp_unset_lock(&lock);
            pthread_mutex_unlock(&mutex);
        } else {
            omp_set_lock(&lock);
            meet(2);
            with_mutex();
            omp_unset_lock(&lock);
        }
    }
    puts("over");
    return 0;
}
