// A thread waits for input outside of OpenMP, and the others wait for it: no deadlock.
//#Verdict:none
//#Prints:read 1
#include "planted.h"
#include <poll.h>

int main(void)
{
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 0) {
            int ends[2];
            if (pipe(ends) == 0) {
                struct pollfd end = {.fd = ends[0], .events = POLLIN};
                printf("read %d\n", 1 + poll(&end, 1, 5000));
            }
        }
    }
    return 0;
}
