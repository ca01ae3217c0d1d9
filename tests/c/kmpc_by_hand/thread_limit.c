// The thread_limit clause of a target region on the host: it holds in the task that sets it.
//#Compilers:clang
//#Threads:4
//#NoStderr
#include "check.h"
#include <omp.h>

extern void __kmpc_set_thread_limit(void *, int, int);

int main(void)
{
    int before = omp_get_thread_limit(), members = 0;
#pragma omp task if (0) shared(members)
    {
        __kmpc_set_thread_limit(NULL, 0, 2);
        CHECK_EQ(omp_get_thread_limit(), 2);
#pragma omp parallel num_threads(2) reduction(+ : members)
        {
            members++;
            CHECK_EQ(omp_get_thread_limit(), 2);
        }
        __kmpc_set_thread_limit(NULL, 0, 1);
#pragma omp parallel num_threads(1)
        CHECK_EQ(omp_get_num_threads(), 1);
        __kmpc_set_thread_limit(NULL, 0, 0);
        CHECK_EQ(omp_get_thread_limit(), 1);
    }
    CHECK_EQ(members, 2);
    CHECK_EQ(omp_get_thread_limit(), before);
    return check_result();
}
