/* Many short steps, with a barrier after each. With more threads than processors, all threads wait
   at each barrier for those whose turn on a processor comes last. */
#include <math.h>
#include <stdio.h>

#define CELLS 400000
#define STEPS 150

static double cells[CELLS];

int main(void)
{
#pragma omp parallel
    for (int step = 0; step < STEPS; step++) {
#pragma omp for
        for (int i = 0; i < CELLS; i++)
            cells[i] = sqrt(cells[i] + step + i);
    }
    printf("%.4f\n", cells[CELLS / 2]);
    return 0;
}
