// C++: a stencil in two buffers, one barrier a step, equal to the serial answer to the last bit.
//#Opt:-O2,-O3
//#Threads:1,2,3,8
//#Vary:OMP_WAIT_POLICY=active|passive
//#SameStdoutAs:reference
//#NoStderr
#include "check.h"
#include <omp.h>
#include <vector>

static void step(const std::vector<double> &from, std::vector<double> &to, int begin, int end)
{
    for (int i = begin; i < end; i++)
        to[i] = 0.5 * from[i] + 0.25 * (from[i - 1] + from[i + 1]);
}

int main()
{
    const int size = 1002, steps = 200;
    std::vector<double> start(size);
    for (int i = 0; i < size; i++)
        start[i] = i % 17;
    std::vector<double> serial[2] = {start, start}, shared[2] = {start, start};
    for (int i = 0; i < steps; i++)
        step(serial[i % 2], serial[1 - i % 2], 1, size - 1);
#pragma omp parallel
    {
        int me = omp_get_thread_num(), threads = omp_get_num_threads();
        int begin = 1 + (size - 2) * me / threads, end = 1 + (size - 2) * (me + 1) / threads;
        for (int i = 0; i < steps; i++) {
            step(shared[i % 2], shared[1 - i % 2], begin, end);
#pragma omp barrier
        }
    }
    CHECK(shared[0] == serial[0]);
    printf("%.17g\n", shared[0][size / 2]);
    return check_result();
}
