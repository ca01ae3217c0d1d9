// Waits for other ranks, planted where it is known: the first argument says where. The late rank
// sleeps for 200 ms before it enters the call for which another one waits.
#include <mpi.h>
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

/* Only this rank is late. */
static void late(int one)
{
    if (rank == one)
        sleep_ms(200);
}

static void pass(void *buffer, int count)
{
    if (rank == 0)
        MPI_Send(buffer, count, MPI_CHAR, 1, 3, MPI_COMM_WORLD);
    if (rank == 1)
        MPI_Recv(buffer, count, MPI_CHAR, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    static char big[4 << 20];
    double value = 0, sum;
    MPI_Status status;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Barrier(MPI_COMM_WORLD);

    if (strcmp(what, "send") == 0) {
        late(0);
        pass(big, 8);
    } else if (strcmp(what, "receive") == 0) {
        /* Too long to be sent before it is received. */
        late(1);
        pass(big, sizeof big);
    } else if (strcmp(what, "wildcard") == 0) {
        /* Rank 1 takes what comes, twice from each rank; rank 0 sends its second message late. */
        if (rank != 1)
            MPI_Send(&value, 1, MPI_DOUBLE, 1, rank, MPI_COMM_WORLD);
        late(0);
        if (rank != 1)
            MPI_Send(&value, 1, MPI_DOUBLE, 1, rank, MPI_COMM_WORLD);
        for (int i = 0; rank == 1 && i < 2 * (size - 1); i++)
            MPI_Recv(&value, 1, MPI_DOUBLE, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD,
                     i % 2 ? MPI_STATUS_IGNORE : &status);
    } else if (strcmp(what, "waitall") == 0) {
        /* One request with a tag, one without: both wait for the same late rank. */
        MPI_Request requests[2];
        double values[2];
        if (rank == 1) {
            MPI_Irecv(&values[0], 1, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD, &requests[0]);
            MPI_Irecv(&values[1], 1, MPI_DOUBLE, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &requests[1]);
            MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        }
        late(0);
        for (int tag = 1; rank == 0 && tag < 3; tag++)
            MPI_Send(&value, 1, MPI_DOUBLE, 1, tag, MPI_COMM_WORLD);
    } else if (strcmp(what, "persistent") == 0) {
        MPI_Request request = MPI_REQUEST_NULL;
        if (rank == 0)
            MPI_Send_init(&value, 1, MPI_DOUBLE, 1, 9, MPI_COMM_WORLD, &request);
        if (rank == 1)
            MPI_Recv_init(&value, 1, MPI_DOUBLE, 0, 9, MPI_COMM_WORLD, &request);
        for (int i = 0; rank < 2 && i < 3; i++) {
            if (i == 1)
                late(0);
            MPI_Start(&request);
            MPI_Wait(&request, MPI_STATUS_IGNORE);
        }
        if (rank < 2)
            MPI_Request_free(&request);
    } else if (strcmp(what, "probe") == 0) {
        MPI_Message message;
        late(0);
        if (rank == 0)
            MPI_Send(&value, 1, MPI_DOUBLE, 1, 2, MPI_COMM_WORLD);
        if (rank == 1) {
            MPI_Mprobe(MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
            MPI_Mrecv(&value, 1, MPI_DOUBLE, &message, MPI_STATUS_IGNORE);
        }
    } else if (strcmp(what, "bcast") == 0) {
        late(0);
        MPI_Bcast(&value, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    } else if (strcmp(what, "reduce") == 0) {
        late(1);
        MPI_Reduce(&value, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    } else if (strcmp(what, "barrier") == 0) {
        late(0);
        MPI_Barrier(MPI_COMM_WORLD);
    } else if (strcmp(what, "allreduce") == 0) {
        late(0);
#pragma omp parallel num_threads(2)
        {
#pragma omp master
            MPI_Allreduce(&value, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        }
    } else if (strcmp(what, "communicators") == 0) {
        /* Two halves in another order, a copy of one, and one freed before: in the copy rank 0, of
           rank size - 1 in it, is late. */
        MPI_Comm half, copy, gone;
        MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &gone);
        MPI_Comm_free(&gone);
        MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &half);
        MPI_Comm_dup(half, &copy);
        MPI_Barrier(half);
        late(0);
        MPI_Barrier(copy);
        MPI_Comm_free(&copy);
        MPI_Comm_free(&half);
    } else if (strcmp(what, "transfer") == 0) {
        /* Much to transfer, and nobody is late by more than the transfer before. */
        for (int i = 0; i < 40; i++) {
            MPI_Barrier(MPI_COMM_WORLD);
            pass(big, sizeof big);
        }
    } else if (strcmp(what, "many") == 0) {
        /* More than are recorded: rank 1 waits for 1 ms in each of 200 of 20000 messages. */
        for (int i = 0; rank < 2 && i < 20000; i++) {
            if (rank == 0 && i % 100 == 7)
                sleep_ms(1);
            pass(big, 8);
            /* Rank 0 goes on when rank 1 has it. */
            if (rank == 0)
                MPI_Recv(big, 0, MPI_CHAR, 1, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            if (rank == 1)
                MPI_Send(big, 0, MPI_CHAR, 0, 4, MPI_COMM_WORLD);
        }
    }
    MPI_Finalize();
    return 0;
}
