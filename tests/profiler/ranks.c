/* A job of ranks: 10 steps, each a balanced region, a region in which the last rank works longer if
 * the first word is "uneven", and a barrier of MPI. "die": rank 1 is killed in the sixth step.
 * "short": there is one step. Without MPI (-DALONE) the launcher's variable gives the rank. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "clock.h"
#ifndef ALONE
#include <mpi.h>
#endif

#define MS INT64_C(1000000)

static void balanced(void)
{
#pragma omp parallel num_threads(2)
    work_ns(2 * MS);
}

static void relax(int64_t length)
{
#pragma omp parallel num_threads(2)
    work_ns(length);
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    int rank = 0, size = 1;
#ifdef ALONE
    if (getenv("OMPI_COMM_WORLD_RANK")) {
        rank = atoi(getenv("OMPI_COMM_WORLD_RANK"));
        size = atoi(getenv("OMPI_COMM_WORLD_SIZE"));
    }
#else
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
#endif
    int steps = strcmp(what, "short") ? 10 : 1;
    for (int step = 0; step < steps; step++) {
        balanced();
        relax(rank == size - 1 && !strcmp(what, "uneven") ? 20 * MS : 5 * MS);
        if (rank == 1 && step == 5 && !strcmp(what, "die"))
            kill(getpid(), SIGKILL);
#ifndef ALONE
        MPI_Barrier(MPI_COMM_WORLD);
#endif
    }
#ifndef ALONE
    MPI_Finalize();
#endif
    return 0;
}
