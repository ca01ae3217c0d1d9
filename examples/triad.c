#include <stdio.h>
#include <stdlib.h>

enum { SIZE = 4000000, PASSES = 40 };

int main(void) {
    double *a = malloc(SIZE * sizeof *a), *b = malloc(SIZE * sizeof *b), *c = malloc(SIZE * sizeof *c);
    if (!a || !b || !c)
        return 1;
#pragma omp parallel for
    for (int i = 0; i < SIZE; i++) {
        b[i] = i;
        c[i] = 1.0;
    }
    for (int pass = 0; pass < PASSES; pass++) {
#pragma omp parallel for
        for (int i = 0; i < SIZE; i++)
            a[i] = b[i] + 3.0 * c[i];
    }
    printf("%.1f\n", a[SIZE - 1]);
    free(a);
    free(b);
    free(c);
    return 0;
}
