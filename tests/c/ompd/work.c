// Two threads are inside a worksharing construct, the argument says which, while a debugger looks.
//#Vary:OMP_DEBUG=disabled|enabled
//#Args:dynamic
//#NotRecorded:it prints what differs from run to run
#include "ompd_facts.h"
#include <string.h>

static int arrived;

// The first two threads to get here stay, one of them for the reader.
static void stay(long first)
{
    static __thread int has_stayed;
    if (has_stayed)
        return;
    has_stayed = 1;
    printf("chunk lwp=%ld first=%ld\n", syscall(SYS_gettid), first);
    fflush(stdout);
    if (__atomic_fetch_add(&arrived, 1, __ATOMIC_ACQ_REL) == 0)
        wait_for_reader();
    else
        wait_for_end();
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "dynamic";
    int sum = 0;
    if (strcmp(what, "dynamic") == 0) {
#pragma omp parallel for num_threads(2) schedule(dynamic, 5) reduction(+ : sum)
        for (int i = 0; i < 20; i++) {
            stay(i);
            sum += 1;
        }
        CHECK_EQ(sum, 20);
    } else if (strcmp(what, "guided") == 0) {
#pragma omp parallel for num_threads(2) schedule(guided) reduction(+ : sum)
        for (int i = 100; i < 120; i++) {
            stay(i - 100);
            sum += 1;
        }
        CHECK_EQ(sum, 20);
    } else if (strcmp(what, "static") == 0) {
#pragma omp parallel num_threads(2)
        {
#pragma omp for reduction(+ : sum)
            for (int i = 0; i < 20; i++) {
                stay(i);
                sum += 1;
            }
        }
        CHECK_EQ(sum, 20);
    } else {
#pragma omp parallel num_threads(2)
        {
#pragma omp for schedule(dynamic)
            for (int i = 0; i < 20; i++)
                __atomic_fetch_add(&sum, 1, __ATOMIC_RELAXED);
            stay(-1);
        }
        CHECK_EQ(sum, 20);
    }
    return check_result();
}
