/* Two threads read the clock all the time, which is the kernel's code in the process. */
#include <omp.h>

#include "clock.h"
#include "helper.h"

enum { TIMES = 5000000 };

int main(void)
{
    int64_t last = 0;
    await_helper();
#pragma omp parallel num_threads(2) reduction(max : last)
    for (int time = 0; time < TIMES; time++)
        last = now_ns();
    return last > 0 ? 0 : 1;
}
