/* Regions that a line does not tell apart: a macro has two in one line, and gcc without optimisation
   gives the calls of three branches one line. */
#include "clock.h"

enum { ROUNDS = 6 };

static double cells[64];

#define REGION(VALUE) \
    _Pragma("omp parallel for num_threads(2)") for (int i = 0; i < 64; i++) cells[i] += VALUE;

int main(void)
{
    for (int round = 0; round < ROUNDS; round++) {
        REGION(round) REGION(2) /* line 15 */
        if (round % 3 == 0) {
#pragma omp parallel for num_threads(2)
            for (int i = 0; i < 64; i++)
                cells[i] += 1;
        } else if (round % 3 == 1) {
#pragma omp parallel for num_threads(2) schedule(dynamic, 8)
            for (int i = 0; i < 64; i++)
                cells[i] *= 0.5;
        } else {
#pragma omp parallel num_threads(2)
            spin_until(now_ns() + 1000);
        }
    }
    print_fact("regions", 5);
    return cells[0] >= 0 ? 0 : 1;
}
