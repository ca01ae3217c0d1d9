/* A path of forty calls with stacks of several shapes, to be compiled without frame pointers and
 * stripped of its symbols. */
#include <omp.h>
#include <string.h>

#include "burn.h"
#include "helper.h"

static volatile int depth_sink;

__attribute__((noinline)) static void deep(int levels, long steps)
{
    char space[levels * 16 + 1];
    memset(space, levels, sizeof space);
    if (levels == 0)
        burn(steps);
    else
        deep(levels - 1, steps);
    depth_sink += space[levels];
}

int main(void)
{
    await_helper();
    deep(40, burn_steps(300));
#pragma omp parallel num_threads(2)
    burn(1000);
    return 0;
}
