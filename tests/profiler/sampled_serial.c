/* Serial code of which f has about three quarters of the processor time, and g the rest. */
#include <omp.h>

#include "burn.h"
#include "helper.h"

__attribute__((noinline)) static void f(long steps)
{
    burn(steps);
}

__attribute__((noinline)) static void g(long steps)
{
    burn(steps);
    /* Not the same code as f, which gcc would make one function. */
    burn_sink += 1;
}

int main(void)
{
    await_helper();
    long steps = burn_steps(1);
    int64_t begin = cpu_ns();
    f(450 * steps);
    int64_t middle = cpu_ns();
    g(150 * steps);
    int64_t end = cpu_ns();
#pragma omp parallel num_threads(2)
    burn(steps);
    print_fact("f", middle - begin);
    print_fact("g", end - middle);
    return 0;
}
