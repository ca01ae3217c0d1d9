/* Gauss's elimination. Each row has a parallel region of its own, which is much too short: it takes
   longer to start the threads, and to wait for them at the barrier, than to compute the row. */
#include <stdio.h>

#define ROWS 600

static double matrix[ROWS][ROWS];

static void eliminate(int pivot)
{
    for (int row = pivot + 1; row < ROWS; row++) {
        double factor = matrix[row][pivot] / matrix[pivot][pivot];
#pragma omp parallel for
        for (int column = pivot; column < ROWS; column++)
            matrix[row][column] -= factor * matrix[pivot][column];
    }
}

int main(void)
{
    for (int row = 0; row < ROWS; row++)
        for (int column = 0; column < ROWS; column++)
            matrix[row][column] = (row * 31 + column * 17) % 101 + (row == column ? 500 : 0);
    for (int pivot = 0; pivot < ROWS; pivot++)
        eliminate(pivot);
    printf("last pivot %.4f\n", matrix[ROWS - 1][ROWS - 1]);
    return 0;
}
