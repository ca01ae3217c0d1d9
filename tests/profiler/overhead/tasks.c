/* Tasks of about 1 us, which one thread creates. */
#include "overhead.h"

enum { ROUNDS = 6000, TASKS = 1000, STEPS = 600 };

static struct cell values[TASKS];

int main(void)
{
    int64_t begin = now_ns();
#pragma omp parallel
#pragma omp single
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < TASKS; i++) {
#pragma omp task firstprivate(i)
            values[i].value = work(STEPS, values[i].value);
        }
#pragma omp taskwait
    }
    return told(begin, (long)ROUNDS * TASKS, values[0].value);
}
