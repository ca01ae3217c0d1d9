/* Half of the run is paused; in the other half one thread of two works. */
#include <dlfcn.h>
#include <omp.h>

#include "clock.h"

int main(void)
{
    /* gcc 12 does not declare omp_control_tool, and its libgomp does not have it. */
    int (*control)(int, int, void *) =
        (int (*)(int, int, void *))dlsym(RTLD_DEFAULT, "omp_control_tool");
    if (control == NULL)
        return 1;
    for (int round = 0; round < 2; round++) {
        if (round == 1)
            control(2, 0, NULL);
        for (int call = 0; call < 20; call++) {
#pragma omp parallel num_threads(2)
            spin_until(now_ns() + (omp_get_thread_num() == 0 ? 5000000 : 500000));
        }
    }
    return 0;
}
