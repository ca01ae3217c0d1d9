// A program with something of everything: loops out of balance, a critical that is fought over,
// tasks of a tree, serial work between the regions. The argument is the number of steps.
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

enum { SIZE = 600 };
static double grid[SIZE][SIZE];
static double histogram[64];

static double work(long amount) {
  double sum = 0;
  for (long i = 1; i <= amount; i++)
    sum += sqrt((double)i);
  return sum;
}

// Each row costs more than the one before.
static void relax(void) {
#pragma omp parallel for schedule(static)
  for (int row = 0; row < SIZE; row++)
    grid[row][0] += work(row * 12L);
}

// Every iteration enters the critical.
static void count(void) {
#pragma omp parallel for schedule(dynamic, 4)
  for (int row = 0; row < SIZE; row++) {
    double value = work(900);
#pragma omp critical(bins)
    histogram[(int)value % 64] += work(600);
  }
}

static double sum_of(int depth) {
  if (depth == 0)
    return work(4000);
  double left, right;
#pragma omp task shared(left)
  left = sum_of(depth - 1);
#pragma omp task shared(right)
  right = sum_of(depth - 1);
#pragma omp taskwait
  return left + right;
}

static double tree(void) {
  double sum = 0;
#pragma omp parallel
#pragma omp single
  sum = sum_of(8);
  return sum;
}

static void smooth(void) {
#pragma omp parallel
  {
#pragma omp for schedule(static)
    for (int row = 1; row < SIZE - 1; row++)
      grid[row][1] = grid[row][0] + work(1500);
#pragma omp barrier
#pragma omp for schedule(guided)
    for (int row = 1; row < SIZE - 1; row++)
      grid[row][2] = grid[row][1] + work(1500);
  }
}

int main(int count_of_arguments, char **arguments) {
  int steps = count_of_arguments > 1 ? atoi(arguments[1]) : 5;
  double sum = work(20000000);
  for (int step = 0; step < steps; step++) {
    relax();
    count();
    sum += tree();
    smooth();
    sum += work(2500000);
  }
  printf("%g %g\n", sum, histogram[0] + grid[5][2]);
  return 0;
}
