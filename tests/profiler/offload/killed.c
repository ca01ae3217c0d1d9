/* A program that is killed in its second kernel, after a second: the collector's helper, which writes
 * down where the kernels' code lies, may be in the file system for half a second on a busy disk. */
#include <omp.h>
#include <signal.h>
#include <unistd.h>

#include "../clock.h"

static double grind(double x, int64_t until)
{
    do {
        for (int i = 0; i < 10000; i++) // GRIND
            x = x * 0.999 + 1; // GRIND
    } while (now_ns() < until);
    return x;
}

int main(void)
{
    double x = 1;
    /* The runtime starts now, and with it the tool. */
    omp_get_max_threads();
#pragma omp target map(tofrom : x)
    x = grind(x, now_ns() + 20000000);
    int64_t begin = now_ns();
#pragma omp target map(tofrom : x) // PLANT
    {
        x = grind(x, begin + 1000000000);
        print_fact("under_way", now_ns() - begin);
        fflush(stdout);
        kill(getpid(), SIGKILL);
        x = grind(x, now_ns() + 5000000000);
    }
    return x > 0 ? 1 : 0;
}
