/* A loop whose iterations are far shorter than handing one out: schedule(dynamic,1). */
#include <stdio.h>

enum { ITERATIONS = 1000000 };

static unsigned char values[ITERATIONS];

int main(void)
{
#pragma omp parallel for schedule(dynamic, 1) num_threads(2)
    for (int i = 0; i < ITERATIONS; i++)
        values[i] = (unsigned char)i;
    printf("last %d\n", values[ITERATIONS - 1]);
    return 0;
}
