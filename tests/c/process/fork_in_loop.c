// fork(2) within a worksharing loop of each kind, by the primary thread and by a worker. In the
// child the thread goes on alone: it gets every chunk that nobody had got when the process was
// forked, once, and then has the rest of the region to itself.
//#Env:OMP_NUM_THREADS=4
//#Vary:OMP_WAIT_POLICY=active|passive
//#ReferenceFails:the child of libgomp hangs; that of libomp cannot go on from within a region
//#Timeout:60
//#NoStderr
#include "check.h"
#include <omp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ITERATIONS = 200 };

enum { DYNAMIC, MONOTONIC, ORDERED, GUIDED, STATIC };

struct counts {
    // Iterations begun by the parent's threads before the fork and after it, and by the child.
    unsigned char before[ITERATIONS], after[ITERATIONS], child[ITERATIONS];
    unsigned char singles;
};

// Shared by parent and child.
static struct counts *counts;
static pid_t program;
static int forker;
static int at_first;
static int begun[4], staying, has_forked;

static int now(int *word)
{
    return __atomic_load_n(word, __ATOMIC_ACQUIRE);
}

static void count(unsigned char *begun)
{
    __atomic_add_fetch(begun, 1, __ATOMIC_RELAXED);
}

// One iteration. Each thread has so many at first, and stays in the last of those until the forking
// thread, which waits for the others, has forked.
static void iterate(int i)
{
    if (getpid() != program) {
        count(&counts->child[i]);
        return;
    }
    if (now(&has_forked)) {
        count(&counts->after[i]);
        return;
    }
    count(&counts->before[i]);
    int me = omp_get_thread_num();
    if (++begun[me] < at_first)
        return;
    __atomic_add_fetch(&staying, 1, __ATOMIC_ACQ_REL);
    if (me != forker) {
        while (!now(&has_forked))
            usleep(100);
        return;
    }
    while (now(&staying) < 4)
        usleep(100);
    pid_t child = fork();
    if (child != 0) {
        int status = -1;
        CHECK_EQ(waitpid(child, &status, 0), child);
        CHECK_EQ(status, 0);
        __atomic_store_n(&has_forked, 1, __ATOMIC_RELEASE);
    }
}

// What is left of the region is the child's alone, as if it had been a team of one.
static void rest_of_region(void)
{
    if (getpid() == program)
        return;
    int rest = 0;
    CHECK_EQ(omp_get_num_threads(), 1);
    CHECK_EQ(omp_get_thread_num(), 0);
    CHECK_EQ(omp_get_level(), 1);
#pragma omp single
    count(&counts->singles);
#pragma omp for schedule(dynamic, 3)
    for (int i = 0; i < 10; i++)
        rest += 1;
#pragma omp for schedule(static)
    for (int i = 0; i < 10; i++)
        rest += 10;
#pragma omp barrier
#pragma omp masked
    rest += 100;
    CHECK_EQ(rest, 210);
    int members = 0;
#pragma omp parallel num_threads(3) reduction(+ : members)
    members++;
    // The region is not active any more.
    CHECK_EQ(members, 3);
    // Not all children leave the region on the stack of a thread that goes on.
    _exit(check_result());
}

#define IN_REGION(...)                                                                             \
    _Pragma("omp parallel")                                                                        \
    {                                                                                              \
        __VA_ARGS__                                                                                \
        rest_of_region();                                                                          \
    }

static void loop(int kind)
{
    switch (kind) {
    case DYNAMIC:
        IN_REGION(
            _Pragma("omp for schedule(dynamic)")
            for (int i = 0; i < ITERATIONS; i++) iterate(i);)
        break;
    case MONOTONIC:
        IN_REGION(
            _Pragma("omp for schedule(monotonic : dynamic)")
            for (int i = 0; i < ITERATIONS; i++) iterate(i);)
        break;
    case GUIDED:
        IN_REGION(
            _Pragma("omp for schedule(guided) nowait")
            for (int i = 0; i < ITERATIONS; i++) iterate(i);)
        break;
    case STATIC:
        omp_set_schedule(omp_sched_static, 1);
        IN_REGION(
            _Pragma("omp for schedule(runtime)")
            for (int i = 0; i < ITERATIONS; i++) iterate(i);)
        break;
    case ORDERED:
        IN_REGION(
            _Pragma("omp for schedule(dynamic) ordered")
            for (int i = 0; i < ITERATIONS; i++) {
                iterate(i);
                // Who is in an ordered region has to leave it before its next chunk.
                if (getpid() != program) {
                    _Pragma("omp ordered")
                    CHECK(counts->child[i] + counts->before[i] == 1);
                }
            })
        break;
    }
}

static void check_counts(int kind)
{
    int of_child = 0;
    for (int i = 0; i < ITERATIONS; i++) {
        CHECK_EQ(counts->before[i] + counts->after[i], 1);
        // Where an iteration is a chunk all that the parent had not begun are the child's.
        int sum = counts->before[i] + counts->child[i];
        CHECK(sum == 1 || (sum == 0 && kind >= GUIDED));
        of_child += counts->child[i];
    }
    // The rest of a thread's share, or of its first piece and of all that were not taken.
    if (kind == STATIC)
        CHECK_EQ(of_child, ITERATIONS / 4 - at_first);
    if (kind == GUIDED)
        CHECK(of_child > ITERATIONS / 3 && of_child < ITERATIONS);
    CHECK_EQ(counts->singles, 1);
}

int main(void)
{
    program = getpid();
    counts = mmap(NULL, sizeof *counts, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    for (int round = 0; round < 20; round++) {
        int kind = round % 5;
        at_first = kind == ORDERED ? 1 : 3;
        staying = 0;
        memset(begun, 0, sizeof begun);
        forker = round / 5 == 0 ? 0 : round / 5 == 1 ? 3 : round % 4;
        has_forked = 0;
        memset(counts, 0, sizeof *counts);
        loop(kind);
        check_counts(kind);
    }
    return check_result();
}
