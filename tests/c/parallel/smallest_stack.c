// Threads with the least stack that a thread may have begin regions, with loops, reductions and
// tasks in them; the first of them starts the runtime.
//#Threads:1,2
//#NotJittered:the smallest stack has no room for a signal while the runtime starts
//#NoStderr
#include "check.h"
#include <limits.h>
#include <omp.h>
#include <pthread.h>

static long sums[3];

static void *root(void *sum)
{
    long all = 0;
    for (int region = 0; region < 3; region++) {
#pragma omp parallel reduction(+ : all)
        {
#pragma omp for schedule(dynamic)
            for (int i = 0; i < 10; i++)
                all += i;
#pragma omp single
            {
#pragma omp task
                {
                }
            }
        }
    }
    *(long *)sum = all;
    return NULL;
}

int main(void)
{
    pthread_attr_t smallest;
    CHECK_EQ(pthread_attr_init(&smallest), 0);
    CHECK_EQ(pthread_attr_setstacksize(&smallest, (size_t)PTHREAD_STACK_MIN), 0);
    for (int i = 0; i < 3; i++) {
        pthread_t thread;
        CHECK_EQ(pthread_create(&thread, &smallest, root, &sums[i]), 0);
        CHECK_EQ(pthread_join(thread, NULL), 0);
        CHECK_EQ(sums[i], 3 * 45);
    }
    return check_result();
}
