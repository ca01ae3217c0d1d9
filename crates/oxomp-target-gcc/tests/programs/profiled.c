/* A region with two arrays of 4 MiB, one of which comes back. */
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
  const int n = 1 << 20;
  float *x = malloc(n * sizeof *x), *y = malloc(n * sizeof *y);
  for (int i = 0; i < n; i++) {
    x[i] = i % 7;
    y[i] = 1;
  }
  for (int turn = 0; turn < 5; turn++) {
    /* The construct's line is in the report. */
#pragma omp target teams distribute parallel for map(to : x[:n]) map(tofrom : y[:n])
    for (int i = 0; i < n; i++)
      y[i] += 2 * x[i];
  }
  printf("%g\n", y[6]);
}
