// A chain of dependent tasks in bounded memory, although the thread that executes them stops now and
// then for longer than any look at the progress takes: it uses no processor meanwhile, as one that
// has lost it to others.
//#Threads:2,4
//#Timeout:60
//#ReferenceFails:libomp keeps all dependent tasks
//#NotRecorded:more tasks than a log holds
//#NotEmulated:the emulator's own memory counts
#include "check.h"
#include "resident.h"
#include <omp.h>
#include <unistd.h>

enum { COUNT = 200000, STOPS = 40, STOP_US = 25000 };

int main(void)
{
    int value = 0, out_of_order = 0;
    // Whatever is made once.
#pragma omp parallel
    for (int i = 0; i < 10000; i++) {
#pragma omp task shared(value)
        __atomic_fetch_add(&value, 1, __ATOMIC_RELAXED);
    }
    value = 0;
    long before = resident();
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < COUNT; i++) {
#pragma omp task depend(inout : value) shared(value, out_of_order) firstprivate(i)
        {
            if (value++ != i)
                out_of_order++;
            if (i % (COUNT / STOPS) == 0)
                usleep(STOP_US);
        }
    }
    CHECK_EQ(value, COUNT);
    CHECK_EQ(out_of_order, 0);
    CHECK(resident() - before < 2048);
    return check_result();
}
