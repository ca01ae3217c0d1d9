// A circle of threads through mutexes of all kinds: each thread holds one and wants the next.
//#Verdict:deadlock
//#Says:waits\s+for\s+pthread\s+mutex\s+errorcheck\s+at\s+@WAIT,\s+which\s+thread\s+2\s+holds
//#Says:waits\s+for\s+pthread\s+mutex\s+recursive\s+at\s+@WAIT,\s+which\s+thread\s+1\s+holds
//#Says:waits\s+for\s+pthread\s+mutex\s+adaptive\s+at\s+@WAIT,\s+which\s+thread\s+3\s+holds
//#Says:waits\s+for\s+pthread\s+mutex\s+robust\s+at\s+@WAIT,\s+which\s+thread\s+4\s+holds
//#Says:waits\s+for\s+pthread\s+mutex\s+inheriting\s+at\s+@WAIT,\s+which\s+thread\s+5\s+holds
//#Says:waits\s+for\s+critical\(first\)\s+at\s+@WAIT_FIRST,\s+which\s+thread\s+0\s+holds
#define _GNU_SOURCE
#include "planted.h"
#include <pthread.h>

enum { KINDS = 5 };
static pthread_mutex_t recursive, errorcheck, adaptive, robust, inheriting;
static pthread_mutex_t *const mutexes[KINDS] = {
    &recursive, &errorcheck, &adaptive, &robust, &inheriting,
};

static void initialize(void)
{
    static const int types[KINDS] = {
        PTHREAD_MUTEX_RECURSIVE, PTHREAD_MUTEX_ERRORCHECK, PTHREAD_MUTEX_ADAPTIVE_NP,
        PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_NORMAL,
    };
    for (int kind = 0; kind < KINDS; kind++) {
        pthread_mutexattr_t attributes;
        pthread_mutexattr_init(&attributes);
        pthread_mutexattr_settype(&attributes, types[kind]);
        if (mutexes[kind] == &robust)
            pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
        if (mutexes[kind] == &inheriting)
            pthread_mutexattr_setprotocol(&attributes, PTHREAD_PRIO_INHERIT);
        pthread_mutex_init(mutexes[kind], &attributes);
    }
}

// Thread N takes the mutex N - 1, and wants the mutex N.
int main(void)
{
    initialize();
#pragma omp parallel num_threads(KINDS + 1)
    {
        int number = omp_get_thread_num();
        if (number == 0) {
#pragma omp critical(first)
            {
                meet(KINDS + 1);
                pthread_mutex_lock(mutexes[0]); //@WAIT
            }
        } else {
            pthread_mutex_lock(mutexes[number - 1]);
            meet(KINDS + 1);
            if (number < KINDS) {
                pthread_mutex_lock(mutexes[number]); //@WAIT
            } else {
#pragma omp critical(first) //@WAIT_FIRST
                puts("never");
            }
        }
    }
    puts("over");
    return 0;
}
