// Who gets what of a static loop is specified where a chunk is given, and the same in each loop.
//#Threads:1,2,3,4
//#SameStdoutAs:reference
//#NoStderr
#include "check.h"
#include <omp.h>

enum { N = 37 };

static void print(const char *name, const int *owner)
{
    printf("%s:", name);
    for (int i = 0; i < N; i++)
        printf(" %d", owner[i]);
    printf("\n");
}

int main(void)
{
    int one[N], two[N], chunked[N], size = 1;
#pragma omp parallel
    {
        int me = omp_get_thread_num();
        size = omp_get_num_threads();
#pragma omp for schedule(static)
        for (int i = 0; i < N; i++)
            one[i] = me;
#pragma omp for schedule(static)
        for (int i = 0; i < N; i++)
            two[i] = me;
#pragma omp for schedule(static, 4)
        for (int i = 0; i < N; i++)
            chunked[i] = me;
    }
    for (int i = 0; i < N; i++) {
        CHECK_EQ(one[i], two[i]);
        CHECK_EQ(chunked[i], i / 4 % size);
    }
    print("static", one);
    print("static,4", chunked);
    return check_result();
}
