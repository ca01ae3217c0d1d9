// Kernels with nowait and depend from host threads at once, on two devices: chains of a thread's own, and
// readers between writers. The argument is how many: cargo's form is short, 100000 the long one.
//#Args:6000
//#Threads:4
//#Timeout:60
#include "check.h"
#include <omp.h>
#include <stdlib.h>

enum { THREADS = 4, CELLS = 16 };

static long cells[THREADS][CELLS], sums[THREADS][CELLS];

int main(int count, char **arguments)
{
    long kernels = count > 1 ? atol(arguments[1]) : 6000, rounds = kernels / (4 * THREADS);
    int devices = omp_get_num_devices() < 2 ? 1 : 2;
#pragma omp parallel num_threads(THREADS)
    {
        int me = omp_get_thread_num(), device = me % devices;
        long *mine = cells[me], *sum = sums[me];
#pragma omp target enter data map(to : mine[0 : CELLS], sum[0 : CELLS]) device(device)
        for (long round = 0; round < rounds; round++) {
            int at = round % CELLS;
#pragma omp target map(alloc : mine[0 : CELLS]) depend(inout : mine[at]) nowait device(device)
            mine[at] += at + 1;
#pragma omp target map(alloc : mine[0 : CELLS], sum[0 : CELLS]) depend(in : mine[at]) \
    depend(inout : sum[at]) nowait device(device)
            sum[at] += mine[at];
#pragma omp target map(alloc : mine[0 : CELLS], sum[0 : CELLS]) depend(in : mine[at]) \
    depend(inout : sum[at]) nowait device(device)
            sum[at] -= mine[at] - 1;
#pragma omp target map(alloc : mine[0 : CELLS]) depend(inout : mine[at]) nowait device(device)
            mine[at] ^= 1;
        }
#pragma omp taskwait
#pragma omp target exit data map(from : mine[0 : CELLS], sum[0 : CELLS]) device(device)
    }
    for (int me = 0; me < THREADS; me++)
        for (int at = 0; at < CELLS; at++) {
            long cell = 0, turns = 0;
            for (long round = at; round < rounds; round += CELLS, turns++)
                cell = (cell + at + 1) ^ 1;
            CHECK_EQ(cells[me][at], cell);
            CHECK_EQ(sums[me][at], turns);
        }
    return check_result();
}
