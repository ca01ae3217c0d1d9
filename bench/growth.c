/* Whether a task costs more the more there are, and a dependence more the more a task has. Fork and
 * barrier grow with `--threads`. */

#include "bench.h"

static int made;

/* Makes `tasks` tasks while the other threads of the team keep away, then lets all execute them. */
static void make(long tasks)
{
    __atomic_store_n(&made, 0, __ATOMIC_RELAXED);
#pragma omp parallel
    {
        if (omp_get_thread_num() == 0) {
            for (long i = 0; i < tasks; i++) {
#pragma omp task
                work();
            }
            __atomic_store_n(&made, 1, __ATOMIC_RELEASE);
        } else {
            while (!__atomic_load_n(&made, __ATOMIC_ACQUIRE))
                work_for(10);
        }
    }
}

#define SHORT 64
#define LONG 1024
#define LONGEST 65536

static void growth_tasks_64(long count)
{
    for (long i = 0; i < count; i += SHORT)
        make(SHORT);
}

static void growth_tasks_1024(long count)
{
    for (long i = 0; i < count; i += LONG)
        make(LONG);
}

static void growth_tasks_65536(long count)
{
    for (long i = 0; i < count; i += LONGEST)
        make(LONGEST);
}

#define FEW 4
#define MANY 64

/* Their addresses are what tasks depend on; nobody reads or writes them. */
static char items[MANY];

static void growth_depend_1(long count)
{
#pragma omp parallel
#pragma omp single
    for (long i = 0; i < count; i++) {
#pragma omp task depend(inout : items[0])
        touch(items);
    }
}

static void growth_depend_4(long count)
{
#pragma omp parallel
#pragma omp single
    for (long i = 0; i < count; i += FEW) {
#pragma omp task depend(iterator(k = 0 : FEW), inout : items[k])
        touch(items);
    }
}

static void growth_depend_64(long count)
{
#pragma omp parallel
#pragma omp single
    for (long i = 0; i < count; i += MANY) {
#pragma omp task depend(iterator(k = 0 : MANY), inout : items[k])
        touch(items);
    }
}

const struct benchmark benchmarks[] = {
    {"growth_tasks_64", "ns/task", "a task of 64 made before others take part",
     growth_tasks_64, work_shared_out, SHORT, 2},
    {"growth_tasks_1024", "ns/task", "a task of 1024 made before others take part",
     growth_tasks_1024, work_shared_out, LONG, 2},
    {"growth_tasks_65536", "ns/task", "a task of 65,536 made before others take part",
     growth_tasks_65536, work_shared_out, LONGEST, 2},
    {"growth_depend_1", "ns/item", "a dependence of a task that has one", growth_depend_1,
     no_work},
    {"growth_depend_4", "ns/item", "a dependence of a task that has 4", growth_depend_4, no_work,
     FEW},
    {"growth_depend_64", "ns/item", "a dependence of a task that has 64", growth_depend_64,
     no_work, MANY},
    {0},
};
