/* Heat spreads along a rod. A parallel loop computes each step; between the steps one thread adds
   up how much has changed, and the others wait. */
#include <math.h>
#include <stdio.h>

#define CELLS 400000
#define STEPS 200

static double rod[2][CELLS];

static void spread(const double *from, double *to)
{
#pragma omp parallel for
    for (int i = 1; i < CELLS - 1; i++)
        to[i] = from[i] + 0.4 * (from[i - 1] - 2 * from[i] + from[i + 1]);
}

static double change(const double *from, const double *to)
{
    double sum = 0;
    for (int i = 0; i < CELLS; i++)
        sum += sqrt(fabs(to[i] - from[i]));
    return sum;
}

int main(void)
{
    double last = 0;
    rod[0][CELLS / 2] = 1;
    for (int step = 0; step < STEPS; step++) {
        double *from = rod[step % 2], *to = rod[(step + 1) % 2];
        spread(from, to);
        last = change(from, to);
    }
    printf("change in the last step %.4f\n", last);
    return 0;
}
