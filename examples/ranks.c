/* Steps of a simulation on several ranks of MPI. The last rank has three times as much work as the
   others, which wait for it at the end of each step. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>

#define CELLS 200000
#define STEPS 20

static double cells[3 * CELLS];

static void compute(int count)
{
#pragma omp parallel for
    for (int i = 0; i < count; i++)
        for (int round = 0; round < 10; round++)
            cells[i] = sqrt(cells[i] + i + round);
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    double largest = 0;
    for (int step = 0; step < STEPS; step++) {
        compute(rank == size - 1 ? 3 * CELLS : CELLS);
        MPI_Allreduce(&cells[CELLS - 1], &largest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    }
    if (rank == 0)
        printf("largest %.4f\n", largest);
    MPI_Finalize();
    return 0;
}
