// Chains of dependent tasks that another thread executes than the one that generates them leave no
// memory behind with the thread that executes them. The argument is the number of chains.
//#Env:OMP_MAX_ACTIVE_LEVELS=2
//#Env:OMP_WAIT_POLICY=passive
//#Args:16000
//#Timeout:120
//#NotRecorded:more tasks than a log holds
//#ReferenceFails[clang]:libomp does not end
//#NoStderr
#include "growth.h"
#include <omp.h>
#include <sched.h>

enum { PAIRS = 32, LENGTH = 8 };

static int now(const int *what)
{
    int value;
#pragma omp atomic read
    value = *what;
    return value;
}

// A team of two: a thread generates the tasks, and meets no scheduling point until the other one
// has executed them.
static void chain(void)
{
    int last = 0, complete = LENGTH, goes = 0;
#pragma omp parallel num_threads(2)
    if (omp_get_thread_num() == 0) {
        goes = omp_get_num_threads() == 1;
        for (int i = 0; i < LENGTH; i++) {
#pragma omp task depend(inout : last) shared(last, complete, goes)
            {
                while (!now(&goes))
                    sched_yield();
                CHECK_EQ(last, i);
                last = i + 1;
#pragma omp atomic
                complete--;
            }
        }
#pragma omp atomic write
        goes = 1;
        while (now(&complete))
            sched_yield();
    }
    CHECK_EQ(last, LENGTH);
}

static void chains(long count)
{
#pragma omp parallel num_threads(PAIRS)
    {
        int threads = omp_get_num_threads();
        for (long i = omp_get_thread_num(); i < count; i += threads)
            chain();
    }
}

int main(int arguments, char **argument)
{
    omp_set_dynamic(0);
    check_growth(chains, arguments, argument);
    return check_result();
}
