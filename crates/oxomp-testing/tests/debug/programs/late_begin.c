// The kernel is slow to let new threads begin, while thread 0 waits for them at a barrier already:
// they have not ended, and it is no deadlock.
//#Verdict:none
//#Prints:6
#define _GNU_SOURCE
#include "planted.h"
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>

struct start {
    void *(*routine)(void *);
    void *argument;
};

static void *begin_late(void *given)
{
    struct start start = *(struct start *)given;
    free(given);
    sleep(4);
    return start.routine(start.argument);
}

// Stands before that of the C library for the runtime, too.
int pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                   void *(*routine)(void *), void *argument)
{
    int (*create)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *) =
        (int (*)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *))
            dlsym(RTLD_NEXT, "pthread_create");
    struct start *start = malloc(sizeof *start);
    *start = (struct start){routine, argument};
    return create(thread, attributes, begin_late, start);
}

int main(void)
{
    int sum = 0;
#pragma omp parallel num_threads(4) reduction(+ : sum)
    sum += omp_get_thread_num();
    printf("%d\n", sum);
    return 0;
}
