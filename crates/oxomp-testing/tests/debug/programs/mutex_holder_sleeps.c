// Threads wait for a mutex of POSIX, for a condition and for a thread's end, and all of it comes:
// no deadlock. The holder of the mutex sleeps, and another thread has a time limit.
//#Verdict:none
//#Prints:5
#include "planted.h"
#include <pthread.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int sum, is_told, is_held;

static void *add(void *argument)
{
    pthread_mutex_lock(&mutex);
    sum++;
    pthread_mutex_unlock(&mutex);
    return argument;
}

int main(void)
{
#pragma omp parallel num_threads(5)
    {
        int number = omp_get_thread_num();
        if (number == 0)
            pthread_mutex_lock(&mutex);
        if (number == 4)
            pthread_mutex_lock(&other);
        meet(5);
        if (number == 0) {
            sleep(3);
            is_told = 1;
            sum++;
            pthread_cond_broadcast(&condition);
            pthread_mutex_unlock(&mutex);
        } else if (number == 1) {
            pthread_t thread;
            pthread_create(&thread, NULL, add, NULL);
            pthread_join(thread, NULL);
        } else if (number == 2) {
            pthread_mutex_lock(&mutex);
            while (!is_told)
                pthread_cond_wait(&condition, &mutex);
            sum++;
            pthread_mutex_unlock(&mutex);
        } else if (number == 3) {
            // Thread 4 holds the other mutex until this one has given up and released its own.
            struct timespec limit;
            pthread_mutex_lock(&mutex);
            __atomic_store_n(&is_held, 1, __ATOMIC_RELEASE);
            clock_gettime(CLOCK_REALTIME, &limit);
            limit.tv_sec += 3;
            if (pthread_mutex_timedlock(&other, &limit) == 0)
                pthread_mutex_unlock(&other);
            else
                sum++;
            pthread_mutex_unlock(&mutex);
        } else {
            while (!__atomic_load_n(&is_held, __ATOMIC_ACQUIRE))
                usleep(1000);
            pthread_mutex_lock(&mutex);
            sum++;
            pthread_mutex_unlock(&mutex);
            pthread_mutex_unlock(&other);
        }
    }
    printf("%d\n", sum);
    return 0;
}
