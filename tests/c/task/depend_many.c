// A hundred thousand tasks, far more than wait in any queue, on a thousand locations: each finds of every
// location the version that the tasks before it leave in the order of the program.
//#Threads:2,4,16
//#Timeout:60
//#NotRecorded:more tasks than a log holds
#include "check.h"
#include <stdint.h>

enum { TASKS = 100000, LOCATIONS = 1000 };

static long version[LOCATIONS]; // what the tasks find and change
static long wanted[LOCATIONS];  // what they would, one after the other
static long exclusive_from[LOCATIONS]; // before the first of those that exclude each other, or -1
static int wrong, inside[LOCATIONS];

static uint32_t random_below(uint32_t limit)
{
    static uint64_t state = 1;
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((state >> 33) % limit);
}

static void fail_unless(int condition)
{
    if (!condition)
        __atomic_fetch_add(&wrong, 1, __ATOMIC_RELAXED);
}

static void work(void)
{
    for (volatile int i = 0; i < 100; i++)
        ;
}

static void read_one(int at, long found)
{
    fail_unless(version[at] == found);
    work();
    fail_unless(version[at] == found);
}

static void change(int at, long found)
{
    fail_unless(version[at] == found);
    work();
    version[at] = found + 1;
}

// One of those that exclude each other, in any order, after `least` versions.
static void add(int at, long least)
{
    fail_unless(__atomic_fetch_add(&inside[at], 1, __ATOMIC_RELAXED) == 0);
    long found = version[at];
    fail_unless(found >= least);
    work();
    version[at] = found + 1;
    __atomic_fetch_sub(&inside[at], 1, __ATOMIC_RELAXED);
}

static void make_tasks(void)
{
    for (int i = 0; i < TASKS; i++) {
        const int a = (int)random_below(LOCATIONS);
        const int b = (a + 1 + (int)random_below(LOCATIONS - 1)) % LOCATIONS;
        const long found = wanted[a], beside = wanted[b];
        const int kind = (int)random_below(8);
        if (kind != 2)
            exclusive_from[a] = -1;
        else if (exclusive_from[a] < 0)
            exclusive_from[a] = found;
        if (kind != 0 && kind != 2)
            exclusive_from[b] = -1;
        const long least = exclusive_from[a];
        switch (kind) {
        case 0:
#pragma omp task depend(inout : version[a])
            change(a, found);
            wanted[a]++;
            break;
        case 1:
#pragma omp task depend(out : version[a]) depend(in : version[b])
            {
                read_one(b, beside);
                change(a, found);
            }
            wanted[a]++;
            break;
        case 2:
            for (int j = 0; j < 3; j++) {
#pragma omp task depend(mutexinoutset : version[a])
                add(a, least);
                wanted[a]++;
            }
            break;
        case 3:
#pragma omp task depend(in : version[a], version[b]) if (0)
            {
                read_one(a, found);
                read_one(b, beside);
            }
            break;
        default:
#pragma omp task depend(in : version[a], version[b])
            {
                read_one(a, found);
                read_one(b, beside);
            }
        }
    }
}

int main(void)
{
    for (int at = 0; at < LOCATIONS; at++)
        exclusive_from[at] = -1;
#pragma omp parallel
#pragma omp single
    make_tasks();
    for (int at = 0; at < LOCATIONS; at++)
        CHECK_EQ(version[at], wanted[at]);
    CHECK_EQ(wrong, 0);
    return check_result();
}
