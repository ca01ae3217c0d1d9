// Each thread of a region inside a target region prints its numbers, and stays in its region.
//#Compilers:gcc
//#Env:OMP_MAX_ACTIVE_LEVELS=2
//#NotRecorded:it prints what differs from run to run
#include "ompd_facts.h"

enum { THREADS = 2 };

static int arrived;

static void in_region(void)
{
#pragma omp parallel num_threads(THREADS)
    {
#pragma omp critical
        {
            printf("thread lwp=%ld thread=%d limit=%d\n", syscall(SYS_gettid), omp_get_thread_num(),
                   omp_get_thread_limit());
            fflush(stdout);
        }
        __atomic_fetch_add(&arrived, 1, __ATOMIC_ACQ_REL);
        if (omp_get_thread_num() != 0) {
            wait_for_end();
        } else {
            while (__atomic_load_n(&arrived, __ATOMIC_ACQUIRE) < THREADS)
                usleep(1000);
            wait_for_reader();
        }
    }
}

int main(void)
{
#pragma omp parallel num_threads(2)
#pragma omp single
    {
#pragma omp target thread_limit(5)
        in_region();
    }
    return check_result();
}
