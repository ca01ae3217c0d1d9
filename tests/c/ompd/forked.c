// After a fork the child has its own threads: the process prints which, and waits in a region.
//#NotRecorded:it prints what differs from run to run
#include "ompd_facts.h"
#include <sys/wait.h>

static int arrived;

static void region(int threads, int stays)
{
#pragma omp parallel num_threads(threads)
    if (stays) {
        __atomic_fetch_add(&arrived, 1, __ATOMIC_ACQ_REL);
        if (omp_get_thread_num() != 0) {
            wait_for_end();
        } else {
            while (__atomic_load_n(&arrived, __ATOMIC_ACQUIRE) < omp_get_num_threads())
                usleep(1000);
            printf("child pid=%d\n", getpid());
            fflush(stdout);
            wait_for_reader();
        }
    }
}

int main(void)
{
    region(4, 0);
    pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        region(2, 1);
        return check_result();
    }
    int status = -1;
    CHECK_EQ(waitpid(child, &status, 0), child);
    CHECK_EQ(status, 0);
    return check_result();
}
