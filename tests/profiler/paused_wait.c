/* A pause that begins while the primary thread waits at a barrier, and ends outside the region; then
 * many short regions. */
#include <dlfcn.h>
#include <omp.h>

#include "clock.h"

enum { TIMES = 20000 };

static volatile int passed[2];
/* Whether the primary thread is about to wait. */
static volatile int arrives;

int main(void)
{
    /* gcc 12 does not declare omp_control_tool, and its libgomp does not have it. */
    int (*control)(int, int, void *) =
        (int (*)(int, int, void *))dlsym(RTLD_DEFAULT, "omp_control_tool");
    if (control == NULL)
        return 1;
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 0) {
            arrives = 1;
        } else {
            while (!arrives)
                ;
            spin_until(now_ns() + 20000000);
            control(2, 0, NULL);
        }
#pragma omp barrier
    }
    control(1, 0, NULL);
    for (int time = 0; time < TIMES; time++) {
#pragma omp parallel num_threads(2)
        passed[omp_get_thread_num()]++;
    }
    print_fact("times", TIMES);
    return 0;
}
