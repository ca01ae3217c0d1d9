// Native threads come and go, each the root of a region, and leave no memory behind. The argument
// is their number.
//#Env:OMP_NUM_THREADS=2
//#Env:OMP_WAIT_POLICY=passive
//#Flags:-pthread
//#Args:8000
//#Timeout:120
//#NotRecorded:the log would be larger than all others together
//#ReferenceFails:both keep memory of each thread
//#NoStderr
#include "growth.h"
#include <omp.h>
#include <pthread.h>

enum { AT_ONCE = 4 };

static void *root(void *unused)
{
    int members = 0;
    (void)unused;
#pragma omp parallel reduction(+ : members)
    members++;
    CHECK_EQ(members, 2);
    return NULL;
}

static void threads(long count)
{
    for (long done = 0; done < count; done += AT_ONCE) {
        pthread_t thread[AT_ONCE];
        for (int i = 0; i < AT_ONCE; i++)
            CHECK_EQ(pthread_create(&thread[i], NULL, root, NULL), 0);
        for (int i = 0; i < AT_ONCE; i++)
            pthread_join(thread[i], NULL);
    }
}

int main(int arguments, char **argument)
{
    check_growth(threads, arguments, argument);
    return check_result();
}
