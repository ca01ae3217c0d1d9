// taskwait with depend and nowait, which gcc 14 calls: tasks after it wait for those before it.
//#Compilers:gcc
//#Threads:1,2,4
//#NoStderr
//#ReferenceFails:libgomp 12 does not have it
#include "check.h"
#include <stdint.h>
#include <unistd.h>

// Weak: the compiler links with its own libgomp, which does not have it.
extern void GOMP_taskwait_depend_nowait(void **) __attribute__((weak));

int main(void)
{
    int a = 0, b = 0, order = 0, wrong = 0;
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < 100; i++) {
#pragma omp task depend(out : a) shared(a, order)
        {
            if (i % 10 == 0)
                usleep(500);
            a = i;
#pragma omp atomic write
            order = i;
        }
        // Waits for a, and b waits for it.
        void *depend[] = {(void *)2, (void *)1, &b, &a};
        GOMP_taskwait_depend_nowait(depend);
#pragma omp task depend(inout : b) shared(b, order, wrong)
        {
            int seen;
#pragma omp atomic read
            seen = order;
            b += seen >= i;
            wrong += seen < i;
        }
    }
    CHECK_EQ(b, 100);
    CHECK_EQ(wrong, 0);
    return check_result();
}
