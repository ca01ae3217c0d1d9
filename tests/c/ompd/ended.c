// A region with an explicit task in flight, which ends when the reader has written a line; then one
// more region, which has the same block. By itself the program just ends.
//#Vary:OMP_DEBUG=disabled|enabled
//#NotRecorded:it prints what differs from run to run
#include "ompd_facts.h"

static void say(const char *where)
{
    printf("%s lwp=%ld\n", where, syscall(SYS_gettid));
    fflush(stdout);
}

static int arrived;

static void in_task(void)
{
    char byte;
    while (!__atomic_load_n(&arrived, __ATOMIC_ACQUIRE))
        usleep(1000);
    say("first");
    while (read(0, &byte, 1) > 0 && byte != '\n') {
    }
    __atomic_store_n(&arrived, 2, __ATOMIC_RELEASE);
}

int main(void)
{
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 0) {
#pragma omp task if (0)
            in_task();
        } else {
            __atomic_store_n(&arrived, 1, __ATOMIC_RELEASE);
            while (__atomic_load_n(&arrived, __ATOMIC_ACQUIRE) != 2)
                usleep(1000);
        }
    }
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 0) {
            while (__atomic_load_n(&arrived, __ATOMIC_ACQUIRE) != 3)
                usleep(1000);
            say("second");
            wait_for_reader();
        } else {
            __atomic_store_n(&arrived, 3, __ATOMIC_RELEASE);
            wait_for_end();
        }
    }
    return check_result();
}
