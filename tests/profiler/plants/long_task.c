/* A taskwait behind one task that has more work than all others together. */
//#Says:each of 6 long tasks
//#Says:split it
//#Repair:the task is split into eight
#include "burn.h"

enum { STEPS = 6, SHORT_TASKS = 8, LONG = 24000000 };

#ifdef REPAIRED
enum { PIECES = 8 };
#else
enum { PIECES = 1 };
#endif

static double pieces[PIECES], others[SHORT_TASKS];

int main(void)
{
#pragma omp parallel num_threads(2)
#pragma omp single
    for (int step = 0; step < STEPS; step++) {
        for (int piece = 0; piece < PIECES; piece++) {
#pragma omp task firstprivate(piece) // PLANT
            pieces[piece] = burn(piece, LONG / PIECES);
        }
        for (int task = 0; task < SHORT_TASKS; task++) {
#pragma omp task firstprivate(task)
            others[task] = burn(task, 200000);
        }
#pragma omp taskwait
    }
    return pieces[0] + others[0] > 0 ? 0 : 1;
}
