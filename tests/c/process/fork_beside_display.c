// fork(2) while other threads begin regions all the time that compare the affinity of their thread
// with what it has displayed last: no child waits, in fork(2) itself, for a thread that is gone.
//#Env:OMP_DISPLAY_AFFINITY=true
//#NotRecorded:the log would be full of regions
//#ReferenceFails:a child of libgomp may hang in its first region
#define _GNU_SOURCE
#include "check.h"
#include <omp.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

enum { FORKS = 300, OTHERS = 2 };

static int stop;

static int __attribute__((noinline)) region(void)
{
    int count = 0;
#pragma omp parallel num_threads(1) reduction(+ : count)
    count += 1;
    return count;
}

static void *other(void *unused)
{
    while (!__atomic_load_n(&stop, __ATOMIC_RELAXED))
        CHECK_EQ(region(), 1);
    return unused;
}

int main(void)
{
    pthread_t others[OTHERS];
    for (int i = 0; i < OTHERS; i++)
        pthread_create(&others[i], NULL, other, NULL);
    for (int i = 0; i < FORKS && check_failures == 0; i++) {
        alarm(10);
        pid_t child = fork();
        if (child == 0)
            _exit(i % 10 != 0 || region() == 1 ? 0 : 1);
        int status = -1;
        CHECK_EQ(waitpid(child, &status, 0), child);
        CHECK_EQ(status, 0);
    }
    __atomic_store_n(&stop, 1, __ATOMIC_RELAXED);
    for (int i = 0; i < OTHERS; i++)
        pthread_join(others[i], NULL);
    return check_result();
}
