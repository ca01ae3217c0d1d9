// 10^4 target tasks from host threads at once, each thread with chains of its own and all with one table
// that stays on the device.
//#Timeout:60
//#Threads:4
#include "check.h"
#include <omp.h>

enum { THREADS = 4, ROUNDS = 1250, CELLS = 8 };

static int table[CELLS], cells[THREADS][CELLS];

int main(void)
{
    for (int i = 0; i < CELLS; i++)
        table[i] = i + 1;
#pragma omp target enter data map(to : table, cells)
#pragma omp parallel num_threads(THREADS)
    {
        int me = omp_get_thread_num();
        for (int round = 0; round < ROUNDS; round++) {
            int cell = round % CELLS;
#pragma omp target map(alloc : table, cells) firstprivate(me, cell) depend(inout : cells[me][cell]) nowait
            cells[me][cell] += table[cell];
#pragma omp target map(alloc : cells) firstprivate(me, cell) depend(inout : cells[me][cell]) nowait
            cells[me][cell] ^= 1;
        }
#pragma omp taskwait
    }
#pragma omp target exit data map(from : cells) map(release : table)
    for (int me = 0; me < omp_get_max_threads() && me < THREADS; me++)
        for (int cell = 0; cell < CELLS; cell++) {
            int wanted = 0;
            for (int round = cell; round < ROUNDS; round += CELLS)
                wanted = (wanted + cell + 1) ^ 1;
            CHECK_EQ(cells[me][cell], wanted);
        }
    return check_result();
}
