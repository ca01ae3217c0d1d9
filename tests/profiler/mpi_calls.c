// Calls of MPI whose numbers, bytes and waits are known. Rank 0 sleeps before a barrier.
// Arguments: "abort": rank 1 aborts the job; "threads": all threads of a region send.
#define _GNU_SOURCE
#include <mpi.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static int rank, size;

static void sleep_ms(int ms)
{
    struct timespec time = { ms / 1000, ms % 1000 * 1000000L };
    while (nanosleep(&time, &time))
        ;
}

/* 100 messages of 80 bytes, ten by each thread, from rank 0 to rank 1. */
static void send_by_threads(void)
{
#pragma omp parallel num_threads(2)
#pragma omp for schedule(static)
    for (int i = 0; i < 100; i++) {
        double values[10] = { i };
        if (rank == 0)
            MPI_Send(values, 10, MPI_DOUBLE, 1, i, MPI_COMM_WORLD);
        if (rank == 1)
            MPI_Recv(values, 10, MPI_DOUBLE, 0, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (rank == 1 && values[0] != i)
            abort();
    }
}

static jmp_buf back;

static void leave_by_jump(MPI_Comm *comm, int *error, ...)
{
    (void)comm;
    (void)error;
    longjmp(back, 1);
}

/* A call that an error handler of the program leaves by a jump. */
static void fail(void)
{
    MPI_Errhandler handler;
    MPI_Comm own;
    MPI_Comm_dup(MPI_COMM_SELF, &own);
    MPI_Comm_create_errhandler(leave_by_jump, &handler);
    MPI_Comm_set_errhandler(own, handler);
    if (!setjmp(back))
        MPI_Send(NULL, 1, MPI_INT, 5, 0, own);
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    int threads = strcmp(what, "threads") == 0;
    int provided = MPI_THREAD_SINGLE;
    if (threads)
        MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    else
        MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (threads && provided == MPI_THREAD_MULTIPLE)
        send_by_threads();
    if (strcmp(what, "jump") == 0)
        fail();

    if (rank == 0)
        sleep_ms(200);
    MPI_Barrier(MPI_COMM_WORLD);

    double out[100] = { 0 }, in[100];
    MPI_Request requests[2];
    int left = (rank + size - 1) % size, right = (rank + 1) % size;
    for (int i = 0; i < 10; i++) {
        MPI_Irecv(in, 100, MPI_DOUBLE, left, 7, MPI_COMM_WORLD, &requests[0]);
        MPI_Isend(out, 100, MPI_DOUBLE, right, 7, MPI_COMM_WORLD, &requests[1]);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    }
    MPI_Send(out, 100, MPI_DOUBLE, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, out, 100, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    char *from = calloc(size, 3), *to = calloc(size, 3);
    MPI_Alltoall(from, 3, MPI_CHAR, to, 3, MPI_CHAR, MPI_COMM_WORLD);
    /* Only the root's arguments for sending count. */
    MPI_Datatype nothing;
    memset(&nothing, 0x5a, sizeof nothing);
    MPI_Scatter(rank == 0 ? from : NULL, rank == 0 ? 3 : -9, rank == 0 ? MPI_CHAR : nothing, to, 3,
                MPI_CHAR, 0, MPI_COMM_WORLD);
    MPI_Pcontrol(1);

    int sum = 0;
#pragma omp parallel num_threads(2) reduction(+ : sum)
    {
        sum += 1;
        /* One thread of the region calls MPI. */
#pragma omp master
        MPI_Bcast(out, 50, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    }
    if (strcmp(what, "abort") == 0 && rank == 1)
        MPI_Abort(MPI_COMM_WORLD, 3);
    if (strcmp(what, "abort") == 0)
        sleep_ms(20000);
    MPI_Finalize();
    return sum < 1;
}
