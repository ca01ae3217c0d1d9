/* Tasks with depend clauses, all made by one thread. Counts are tasks. */

#include "bench.h"

#define ITEMS 4096

static char items[ITEMS];

static void dependence_chain(long count)
{
#pragma omp parallel
#pragma omp single
    for (long i = 0; i < count; i++) {
#pragma omp task depend(inout : items[0])
        work();
    }
}

static void dependence_chains8(long count)
{
#pragma omp parallel
#pragma omp single
    for (long i = 0; i < count; i++) {
#pragma omp task depend(inout : items[i % 8])
        work();
    }
}

static void dependence_readers(long count)
{
#pragma omp parallel
#pragma omp single
    for (long i = 0; i < count; i++) {
        if (i % 8 == 0) {
#pragma omp task depend(out : items[0])
            work();
        } else {
#pragma omp task depend(in : items[0])
            work();
        }
    }
}

static void dependence_independent(long count)
{
#pragma omp parallel
#pragma omp single
    for (long i = 0; i < count; i++) {
#pragma omp task depend(out : items[i % ITEMS])
        work();
    }
}

#define ROW 16

static void dependence_stencil(long count)
{
#pragma omp parallel
#pragma omp single
    for (long i = 0; i < count; i++) {
        long at = ROW + i % (ITEMS - 2 * ROW);
#pragma omp task depend(in : items[at - ROW], items[at - 1], items[at + 1], items[at + ROW])       \
    depend(inout : items[at])
        work();
    }
}

const struct benchmark benchmarks[] = {
    {"dependence_chain", "ns/task", "each task depends on the one before", dependence_chain,
     work_in_turn},
    {"dependence_chains8", "ns/task", "eight chains side by side", dependence_chains8,
     work_shared_out},
    {"dependence_readers", "ns/task", "one writer, seven readers, and so on", dependence_readers,
     work_shared_out},
    {"dependence_independent", "ns/task", "tasks that name an item each and share none",
     dependence_independent, work_shared_out},
    {"dependence_stencil", "ns/task", "four items read and one written, as in a stencil",
     dependence_stencil, work_shared_out},
    {0},
};
