/* The mean distance of points. The loop looks at each pair once, so its first iterations are long
   and its last ones short: the thread that has the first half of them has three quarters of the
   pairs, and the other one waits for it. */
#include <math.h>
#include <stdio.h>

#define POINTS 12000

static double x[POINTS], y[POINTS];

static double mean_distance(void)
{
    double sum = 0;
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < POINTS; i++)
        for (int j = i + 1; j < POINTS; j++)
            sum += hypot(x[i] - x[j], y[i] - y[j]);
    return sum / (0.5 * POINTS * (POINTS - 1));
}

int main(void)
{
    for (int i = 0; i < POINTS; i++) {
        x[i] = i * 0.618034 - (int)(i * 0.618034);
        y[i] = (i + 0.5) / POINTS;
    }
    printf("mean distance %.4f\n", mean_distance());
    return 0;
}
