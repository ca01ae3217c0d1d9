/* A loop whose every iteration waits for the one before it, though only its last step needs it. */
//#Says:wait
//#Says:source
//#Repair:the work is done before the sink
#include "burn.h"

enum { ROWS = 400 };

static double rows[ROWS + 1];

int main(void)
{
    double sum = 0;
#pragma omp parallel for ordered(1) schedule(static, 1) num_threads(2) // PLANT
    for (int row = 1; row <= ROWS; row++) {
#ifdef REPAIRED
        double value = burn(row, 100000);
#endif
#pragma omp ordered depend(sink : row - 1) // PLANT
#ifndef REPAIRED
        double value = burn(row, 100000);
#endif
        rows[row] = rows[row - 1] * 0.5 + value;
#pragma omp ordered depend(source)
    }
    for (int row = 1; row <= ROWS; row++)
        sum += rows[row];
    return sum > 0 ? 0 : 1;
}
