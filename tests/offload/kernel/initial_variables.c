// A kernel starts with the device's initial variables, which the environment sets: a device does not
// see what the program has set on the host, nor the host what the kernel sets.
//#Env:OMP_NUM_THREADS=3
//#Env:OMP_SCHEDULE=static,4
//#Env:OMP_MAX_ACTIVE_LEVELS=5
//#StockFails:it executes the region in the task that encounters it
//#LibompFails:it has no function that executes an initial task
#include "check.h"
#include <omp.h>

struct variables {
    int dynamic, threads, levels, chunk, kind;
};

#pragma omp begin declare target
static struct variables ask(void)
{
    struct variables it;
    omp_sched_t kind;
    omp_get_schedule(&kind, &it.chunk);
    it.kind = kind;
    it.dynamic = omp_get_dynamic();
    it.threads = omp_get_max_threads();
    it.levels = omp_get_max_active_levels();
    return it;
}

static void set(int number)
{
    omp_set_dynamic(1);
    omp_set_num_threads(number);
    omp_set_max_active_levels(number);
    omp_set_schedule(omp_sched_guided, number);
}
#pragma omp end declare target

static void check_same(struct variables one, struct variables other)
{
    CHECK_EQ(one.dynamic, other.dynamic);
    CHECK_EQ(one.threads, other.threads);
    CHECK_EQ(one.levels, other.levels);
    CHECK_EQ(one.chunk, other.chunk);
    CHECK_EQ(one.kind, other.kind);
}

static void kernels(struct variables initial)
{
    struct variables before = ask(), there = {0};
#pragma omp target map(from : there)
    {
        there = ask();
        set(7);
    }
    check_same(there, initial);
#pragma omp target nowait map(from : there) device(1)
    {
        there = ask();
        set(7);
    }
#pragma omp taskwait
    check_same(there, initial);
    check_same(ask(), before);
}

int main(void)
{
    struct variables initial = ask();
    kernels(initial);
    set(6);
    kernels(initial);
#pragma omp parallel num_threads(2)
    {
        set(omp_get_thread_num() + 4);
        kernels(initial);
    }
    return check_result();
}
