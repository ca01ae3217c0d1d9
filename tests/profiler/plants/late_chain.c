/* A chain of dependent tasks waits in the queues behind independent ones, and then runs alone. */
//#Says:late_chain.c
//#Says:priority
//#Repair:priority(1) for the chain's tasks
//#RepairedWith:OMP_MAX_TASK_PRIORITY=1
#include "burn.h"

enum { BLOCKS = 32, STEPS = 16 };

static double blocks[BLOCKS], panel;

#ifdef REPAIRED
#define PANEL depend(inout : panel) priority(1)
#else
#define PANEL depend(inout : panel)
#endif

static void update(int from, int to)
{
    for (int block = from; block < to; block++)
#pragma omp task firstprivate(block)
        blocks[block] = burn(blocks[block], 1500000);
}

int main(void)
{
#pragma omp parallel num_threads(2) // PLANT
#pragma omp single
    {
        update(0, BLOCKS / 2);
        for (int step = 0; step < STEPS; step++)
#pragma omp task PANEL // PLANT
            panel = burn(panel, 2500000);
        update(BLOCKS / 2, BLOCKS);
    }
    return panel > 0 && blocks[0] > 0 ? 0 : 1;
}
