// Tasks, some with dependences and some in groups, leave no memory behind. The argument is their
// number.
//#Env:OMP_NUM_THREADS=2
//#Env:OMP_WAIT_POLICY=passive
//#Args:300000
//#Timeout:120
//#NotRecorded:more tasks than a log holds
//#ReferenceFails:libomp keeps all dependent tasks, libgomp all that wait
//#NoStderr
// While a thread has lost its processor, up to 2048 dependent tasks of another wait (the README of the
// core's tasks, Memory): half a kilobyte each. A run of a thousand tasks does not show that.
#define GROWTH_MOST_KIB 2048
#include "growth.h"
#include <omp.h>

static void tasks(long count)
{
    long ran = 0, order = 0, out_of_order = 0;
#pragma omp parallel
#pragma omp single
    for (long i = 0; i < count; i++) {
        if (i % 4 == 0) {
#pragma omp task shared(order, out_of_order, ran) depend(inout : order)
            {
                out_of_order += order > i;
                order = i;
#pragma omp atomic
                ran++;
            }
        } else if (i % 64 == 1) {
#pragma omp taskgroup
#pragma omp task shared(ran)
#pragma omp atomic
            ran++;
        } else {
#pragma omp task shared(ran)
#pragma omp atomic
            ran++;
        }
    }
    CHECK_EQ(ran, count);
    CHECK_EQ(out_of_order, 0);
}

int main(int arguments, char **argument)
{
    check_growth(tasks, arguments, argument);
    return check_result();
}
